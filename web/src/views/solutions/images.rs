//! The eight images of a solution as boards.

use std::rc::Rc;

use queens_core::{Image, Orbit, Placement, Size, Stepped, Transform};
use yew::prelude::*;

use crate::board::mini_board::MiniBoard;
use crate::parts::link::Link;
use crate::parts::step::use_step;
use crate::parts::term::with_term;
use crate::place::{Address, Navigate, explore_address, use_address};
use crate::words::{Language, Term, grouped, numbered_method, tr, transforms, use_language};

/// Renders the four rotations in a row, the solution first, and below each rotation its left-right
/// mirror image. If equal images are stacked, a style moves each image onto the first one that
/// equals it.
pub fn images(
    language: Language,
    address: &Rc<Address>,
    navigate: &Navigate,
    orbit: &Orbit,
) -> Html {
    let coincide = orbit.class().members() < 8;
    let together = coincide && address.stacks_images;
    let figures = orbit.images().iter().map(|image| {
        let group = image.group;
        let class = classes!(
            "image",
            coincide.then(|| format!("group-{group}")),
            (image.placement == *orbit.representative()).then_some("is-representative"),
            (!image.is_first()).then_some("falls"),
        );
        let choose = {
            let (address, navigate, image) = (address.clone(), navigate.clone(), image.transform);
            Callback::from(move |_| navigate.replace(Address { image, ..(*address).clone() }))
        };
        html! {
            <li
                key={image.transform.id()} {class} data-testid="image"
                data-transform={image.transform.id()} data-group={group.to_string()}
                data-columns={image.placement.to_string()}
            >
                { figure(language, orbit, image, address.image, choose) }
            </li>
        }
    });
    let toggle = {
        let (address, navigate) = (address.clone(), navigate.clone());
        Callback::from(move |_| {
            navigate.replace(Address { stacks_images: !together, ..(*address).clone() });
        })
    };
    let class =
        classes!("images", together.then(|| format!("together of-{}", orbit.class().members())));
    html! {
        <div class="orbit">
            if coincide {
                <p class="fall">
                    <button
                        id="together" type="button" aria-pressed={together.to_string()}
                        onclick={toggle}
                    >
                        { tr!(language, "symmetries.together") }
                    </button>
                    <span role="status">
                        if together {
                            { tr!(language, "symmetries.fallen", class = orbit.class()) }
                        }
                    </span>
                </p>
            }
            <p class="soft">{ with_term(language, &tr!(language, "symmetries.line"), Term::IMAGE) }</p>
            <div class="images-frame">
                <ul {class} aria-label={tr!(language, "symmetries.images")}>{ for figures }</ul>
            </div>
        </div>
    }
}

/// Renders an image with the names of the images that equal it. A click on its board selects it.
fn figure(
    language: Language,
    orbit: &Orbit,
    image: &Image,
    selected: Transform,
    choose: Callback<MouseEvent>,
) -> Html {
    let name = transforms::transform(language, image.transform);
    let columns = image.placement.to_string();
    let label = tr!(language, "symmetries.image-label", name = name, columns = columns);
    let others = orbit.group(image).filter(|other| other.transform != image.transform);
    let equal: Vec<_> = others.map(|other| other.transform).collect();
    let pressed = (image.transform == selected).to_string();
    html! {
        <figure>
            <h2>
                <span class="group-number" aria-hidden="true">{ image.group }</span>
                { name }
            </h2>
            <button type="button" class="image-button" aria-pressed={pressed} onclick={choose}>
                <MiniBoard
                    size={image.placement.size()} queens={Some(image.placement)} {label} fine=true
                />
            </button>
            <figcaption>
                if image.placement == *orbit.representative() {
                    <p class="mark">{ tr!(language, "symmetries.representative") }</p>
                }
                if !equal.is_empty() {
                    <p class="same">{ format!("= {}", transforms::equal(language, &equal)) }</p>
                }
            </figcaption>
        </figure>
    }
}

/// Renders the columns and the judgement values of the images, with links to the steps that find them.
pub fn image_table(language: Language, orbit: &Orbit) -> Html {
    let rows = orbit.images().iter().map(|image| {
        let placement = image.placement;
        html! {
            <tr key={image.transform.id()} data-image={image.transform.id()}>
                <th scope="row">{ transforms::transform(language, image.transform) }</th>
                <td class="mono">{ placement.to_string() }</td>
                <td class="mono judgement">{ for digits(&placement, orbit.representative()) }</td>
                <td><FoundAt {placement} /></td>
            </tr>
        }
    });
    html! {
        <>
            <p class="hint">
                { tr!(language, "symmetries.legend") }
                if orbit.representative().size().get() <= MAX_LINKED_SIZE {
                    { language.space() }{ tr!(language, "symmetries.legend-link") }
                }
            </p>
            <div class="wide-table"><table class="image-table"><tbody>{ for rows }</tbody></table></div>
        </>
    }
}

#[derive(Properties, PartialEq)]
struct FoundAtProps {
    placement: Placement,
}

/// A link to the step at which [`SEARCH`] finds an image. This search ignores symmetry, so it finds
/// all images.
#[component]
fn FoundAt(props: &FoundAtProps) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let placement =
        Some(props.placement).filter(|placement| placement.size().get() <= MAX_LINKED_SIZE);
    let step = use_step(SEARCH, placement);
    let link = placement.zip(step);
    html! { { for link.map(|(placement, step)| found_at(language, &address, placement.size(), step)) } }
}

/// The search to whose steps the images link.
const SEARCH: Stepped = Stepped::Bitmap;

/// The largest board whose images have links to their steps. On this board, [`SEARCH`] finds the last
/// image within a second or two.
const MAX_LINKED_SIZE: u32 = 11;

fn found_at(language: Language, address: &Address, size: Size, step: u64) -> Html {
    let to = explore_address(address, SEARCH, size, step);
    let (method, step) = (numbered_method(language, SEARCH), grouped(step));
    html! { <Link {to}>{ tr!(language, "symmetries.found-at", method = method, step = step) }</Link> }
}

/// Renders the judgement value of an image. The first digit that differs from the representative's
/// is marked.
fn digits(image: &Placement, representative: &Placement) -> impl Iterator<Item = Html> {
    let digits = image.judgement_value().digits().to_vec();
    let smallest = representative.judgement_value();
    let deciding_row = digits.iter().zip(smallest.digits()).position(|(a, b)| a != b);
    digits.into_iter().enumerate().map(move |(row, digit)| {
        let space = if row > 0 { " " } else { "" };
        if deciding_row == Some(row) {
            html! { <>{ space }<b class="decides">{ digit }</b></> }
        } else {
            html! { <>{ space }{ digit }</> }
        }
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Timeline;

    use super::*;
    use crate::parts::rendered::{elements, rendered};
    use crate::worker::{Answer, Location, Request};

    /// Each link leads to the step that completes its image. All steps are different.
    #[test]
    fn every_image_links_to_its_own_step() {
        let solution = Placement::from_left(&[6, 1, 5, 2, 0, 3, 7, 4]).unwrap();
        let mut steps = vec![];
        for image in Orbit::of(&solution).images() {
            let placement = image.placement;
            let found =
                queens_worker::answers(&Request::Locate { method: SEARCH, placement }).pop();
            let Some(Answer::Located(Some(Location { step, .. }))) = found else {
                panic!("{found:?}")
            };
            let address = Address::default();
            let link = rendered(
                Language::English,
                found_at(Language::English, &address, placement.size(), step),
            );
            let link = elements(&link, "href")[0];
            let to = Address::parse(&link.attribute("href").unwrap()).0;
            assert_eq!(link.content(), format!("7 Bitmap: step {}", grouped(step)));
            let mut timeline = Timeline::new(to.method, to.size);
            timeline.seek(to.step, u64::MAX);
            assert_eq!(timeline.view().placement(), Some(placement));
            steps.push(step);
        }
        steps.sort_unstable();
        steps.dedup();
        assert_eq!(steps.len(), 8);
    }
}
