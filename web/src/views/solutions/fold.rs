//! All solutions of a small board as tiles, which fold into their classes: equal ones turn and lie on top of
//! each other.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::rc::Rc;
use std::slice;

use js_sys::{Array, Object, Reflect};
use queens_core::{Class, Completions, Orbit, Placement, Queens, Size, Transform};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;
use yew::prelude::*;

use super::heading;
use super::ledger::{sizes, sum};
use crate::address::{Address, solution_address, use_address};
use crate::board::markup::Markup;
use crate::board::mini_board;
use crate::browser::prefers_reduced_motion;
use crate::parts::link::follow;
use crate::parts::roving;
use crate::words::{Language, grouped, tr, use_language};

#[wasm_bindgen]
extern "C" {
    /// An element that can be animated. `web_sys` has this method only among its unstable APIs.
    type Animated;

    #[wasm_bindgen(method)]
    fn animate(this: &Animated, frames: &Object, options: &Object);
}

/// How long a tile moves, in milliseconds.
const DURATION: f64 = 1000.0;

/// The time between the starts of two classes that fold, in milliseconds, so that one sees which solutions belong
/// together.
const NEXT_CLASS: f64 = 150.0;

/// A solution, and the transform that turns the representative of its class into it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tile {
    solution: Placement,
    transform: Transform,
}

/// The solutions of a class, under its representative.
type Stacks = BTreeMap<Placement, Vec<Tile>>;

/// Returns all solutions in the order of a search, and the classes in that of their judgement values.
fn tiles(size: Size) -> (Vec<Tile>, Stacks) {
    let (mut all, mut stacks) = (vec![], Stacks::new());
    for solution in Completions::new(&Queens::none(size)) {
        let representative = *Orbit::of(&solution).representative();
        let is_image = |transform: &Transform| transform.apply(&representative) == solution;
        let transform = Transform::ALL.into_iter().find(is_image).unwrap_or(Transform::Identity);
        let tile = Tile { solution, transform };
        all.push(tile);
        stacks.entry(representative).or_default().push(tile);
    }
    (all, stacks)
}

/// The tiles, and the button that folds and unfolds them.
#[component]
pub fn Fold() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let size = address.size;
    let tiles = use_memo(size, |&size| tiles(size));
    let (all, stacks) = &*tiles;
    let can_fold = stacks.len() < all.len();
    // The only solution of N = 1 is a class from the start.
    let is_folded = !all.is_empty() && (address.stacks_images || !can_fold);
    let sizes = sizes(Class::ALL.map(|class| {
        stacks.values().filter(|stack| stack.len() as u64 == class.members()).count() as u64
    }));
    let list = use_node_ref();
    let places = use_mut_ref(HashMap::new);
    {
        let (list, places) = (list.clone(), places.clone());
        use_effect_with(is_folded, move |&is_folded| {
            move_from(&list, &places.take(), is_folded);
        });
    }
    let onclick = {
        let navigate = navigate.clone();
        Callback::from(move |event: MouseEvent| follow(&navigate, &event))
    };
    let toggle = {
        let (address, list) = (address.clone(), list.clone());
        Callback::from(move |_: MouseEvent| {
            places.replace(places_of(&list));
            navigate.replace(Address { stacks_images: !is_folded, ..(*address).clone() });
        })
    };
    let shown = if is_folded {
        groups(language, &address, stacks, &sizes)
    } else {
        let boards: Vec<_> =
            all.iter().map(|tile| (&tile.solution, slice::from_ref(tile))).collect();
        html! { <ul class="tiles all-tiles">{ links(language, &address, &boards) }</ul> }
    };
    html! {
        <div
            ref={list} class={classes!("fold-solutions", is_folded.then_some("folded"))} {onclick}
            onkeydown={|event: KeyboardEvent| roving::on_key(&event)}
            onfocusin={|event: FocusEvent| roving::on_focus(&event)}
        >
            if can_fold {
                <button id="fold" type="button" class="primary" onclick={toggle}>
                    { tr!(language, if is_folded { "classes.unfold" } else { "classes.fold" }) }
                </button>
            }
            { shown }
            <output id="fold-sum">{ for is_folded.then(|| sum(&sizes)) }</output>
        </div>
    }
}

/// Renders the classes by size in columns, each class as a stack of its solutions.
fn groups(
    language: Language,
    address: &Rc<Address>,
    stacks: &Stacks,
    sizes: &[(Class, u64)],
) -> Html {
    let groups = sizes.iter().map(|&(class, count)| {
        let of_class = stacks.iter().filter(|(_, stack)| stack.len() as u64 == class.members());
        let boards: Vec<_> =
            of_class.map(|(representative, stack)| (representative, &stack[..])).collect();
        let id = format!("classes-of-{class}");
        html! {
            <section class="class-group" key={class.members()} aria-labelledby={id.clone()}>
                { heading(language, id, class, &grouped(count)) }
                <ul class="tiles" data-testid={format!("shelf-{class}")} data-boards={count.to_string()}>
                    { links(language, address, &boards) }
                </ul>
            </section>
        }
    });
    html! { <>{ for groups }</> }
}

/// Renders links to the images of solutions, each with the pictures of all its tiles on top of each other. They are
/// written as text, because all 92 change places at once. The first link is in the tab order.
fn links(language: Language, address: &Address, solutions: &[(&Placement, &[Tile])]) -> Html {
    let pictures = mini_board::Writer::new(address.size);
    let mut list = Markup::default();
    let all = solutions.len();
    for (number, &(solution, tiles)) in (1..).zip(solutions) {
        let label =
            tr!(language, "classes.solution-of", columns = solution, number = number, all = all);
        let to = solution_address(address, solution).to_query();
        let tab_index = if number == 1 { 0 } else { -1 };
        list.open("li", &[("data-columns", solution)]);
        let link: [(_, &dyn Display); 4] = [
            ("class", &"tile stack"),
            ("href", &to),
            ("tabindex", &tab_index),
            ("aria-label", &label),
        ];
        list.open("a", &link);
        for tile in tiles {
            let id = tile.transform.id();
            let span: [(_, &dyn Display); 3] = [
                ("class", &"solution"),
                ("data-solution", &tile.solution),
                ("data-transform", &id),
            ];
            list.open("span", &span);
            pictures.write(&mut list, solution, &label);
            list.close("span");
        }
        list.close("a");
        list.close("li");
    }
    list.into_html()
}

/// The centre and the width of a tile, in pixels.
type Place = [f64; 3];

/// The tiles of a list.
fn elements(list: &NodeRef) -> Vec<Element> {
    let list = list.cast::<Element>();
    let found = list.and_then(|list| list.query_selector_all("[data-solution]").ok());
    let found = found.iter().flat_map(|found| (0..found.length()).map(|index| found.get(index)));
    found.flatten().filter_map(|node| node.dyn_into().ok()).collect()
}

fn place(element: &Element) -> Place {
    let area = element.get_bounding_client_rect();
    [area.x() + area.width() / 2.0, area.y() + area.height() / 2.0, area.width()]
}

/// Returns the places of the tiles by their solutions.
fn places_of(list: &NodeRef) -> HashMap<String, Place> {
    let tiles = elements(list).into_iter();
    tiles.filter_map(|tile| Some((tile.get_attribute("data-solution")?, place(&tile)))).collect()
}

/// Moves each tile from its earlier place to its new one. On the way to its stack, it turns into the
/// representative of its class, and on the way back into its solution.
fn move_from(list: &NodeRef, places: &HashMap<String, Place>, is_folded: bool) {
    if places.is_empty() || prefers_reduced_motion() {
        return;
    }
    // The places are read before the first tile moves: each reading after that would lay out the page again.
    let moves: Vec<(Element, String)> = elements(list)
        .into_iter()
        .filter_map(|tile| {
            let [x, y, width] = places.get(&tile.get_attribute("data-solution")?)?;
            let transform: Transform = tile.get_attribute("data-transform")?.parse().ok()?;
            let transform = if is_folded { transform } else { transform.inverse() };
            let [to_x, to_y, to_width] = place(&tile);
            let [fold, turn] = angles(transform);
            let (x, y, scale) = (x - to_x, y - to_y, width / to_width.max(1.0));
            let from = format!(
                "translate({x}px, {y}px) scale({scale}) rotateY({fold}deg) rotate({turn}deg)"
            );
            Some((tile, from))
        })
        .collect();
    let (mut delay, mut stack) = (0.0, None);
    for (tile, from) in moves {
        let of = tile.parent_element();
        if is_folded && stack.is_some() && of != stack {
            delay += NEXT_CLASS;
        }
        stack = of;
        let to = "translate(0px, 0px) scale(1) rotateY(0deg) rotate(0deg)";
        let frames = object([("transform", Array::of2(&from.into(), &to.into()).into())]);
        let options = object([
            ("delay", delay.into()),
            ("duration", DURATION.into()),
            ("easing", "ease-in-out".into()),
            ("fill", "backwards".into()),
        ]);
        tile.unchecked_ref::<Animated>().animate(&frames, &options);
    }
}

fn object<const N: usize>(properties: [(&str, JsValue); N]) -> Object {
    let object = Object::new();
    for (name, value) in properties {
        // Setting a property of a new object does not fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object
}

/// The angles, in degrees, by which a picture is first turned and then folded about its vertical axis, so that
/// it shows its image.
fn angles(transform: Transform) -> [i32; 2] {
    let fold = |is_mirror: bool| if is_mirror { 180 } else { 0 };
    let (is_mirror, turn) = match transform {
        Transform::Identity => (false, 0),
        Transform::Turn90 => (false, 90),
        Transform::Turn180 => (false, 180),
        Transform::Turn270 => (false, -90),
        Transform::LeftRight => (true, 0),
        Transform::MainDiagonal => (true, 90),
        Transform::TopBottom => (true, 180),
        Transform::AntiDiagonal => (true, -90),
    };
    [fold(is_mirror), turn]
}

#[cfg(test)]
mod tests {
    use queens_core::known::known;

    use super::*;

    #[test]
    fn all_solutions_lie_in_the_stacks_of_their_classes() {
        for n in 1..=8 {
            let size = Size::new(n).unwrap();
            let (all, stacks) = tiles(size);
            let known = known(n).unwrap();
            assert_eq!(
                [all.len(), stacks.len()],
                [known.total(), known.unique()].map(|q| q as usize)
            );
            for (representative, stack) in &stacks {
                let class = Class::of(representative);
                assert_eq!(stack.len() as u64, class.members());
                for tile in stack {
                    assert_eq!(queens_core::representative(&tile.solution), *representative);
                    assert_eq!(tile.transform.apply(representative), tile.solution);
                }
            }
        }
    }

    /// Turns the centre of each square by the angles, as a browser does.
    #[test]
    fn a_turned_picture_shows_the_image() {
        let solution = Placement::from_left(&[6, 1, 5, 2, 0, 3, 7, 4]).unwrap();
        for transform in Transform::ALL {
            let [fold, turn] = angles(transform);
            let (sine, cosine) = f64::from(turn).to_radians().sin_cos();
            let turned = (0..8).zip(solution.columns_from_left()).map(|(row, column)| {
                let [x, y] = [column, row].map(|each: u32| f64::from(each) - 3.5);
                let (x, y) = (cosine * x - sine * y, sine * x + cosine * y);
                let x = if fold == 180 { -x } else { x };
                [y, x].map(|each| (each + 3.5).round() as u32)
            });
            let mut turned: Vec<_> = turned.collect();
            turned.sort_unstable();
            let columns: Vec<_> = turned.iter().map(|&[_, column]| column).collect();
            assert_eq!(
                Placement::from_left(&columns).unwrap(),
                transform.apply(&solution),
                "{transform}"
            );
        }
    }
}
