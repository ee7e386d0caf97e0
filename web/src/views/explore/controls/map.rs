//! The map of the whole search: a band for each row of the board, and time from left to right. It is the
//! timeline, too.

use std::fmt::Write;
use std::rc::Rc;

use queens_core::Rule;
use queens_worker::{Block, BlockKind, Icicle};
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::search::state::{Action, Jump};
use crate::views::explore::model::map_sentence::sentence;
use crate::words::{Language, grouped, tr, use_language};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// The current step.
    pub step: u64,
    /// The number of moves up to it.
    pub moves: u64,
    /// The last step of the map.
    pub extent: u64,
    /// What is drawn: the whole search, or its beginning as far as it is known.
    pub icicle: Rc<Icicle>,
    /// Moves the search.
    pub act: Callback<Action>,
}

/// The map as a slider. A tap, a drag or a key moves the search. A sentence about the place under the pointer is
/// above the end of the map, where it covers no square of the board.
#[component]
pub fn Map(props: &Props) -> Html {
    let language = use_language();
    let &Props { step, moves, extent, ref act, .. } = props;
    let icicle = Rc::clone(&props.icicle);
    let map = use_node_ref();
    let pointed = use_state_eq(|| None::<(u64, Option<(usize, Block)>)>);
    let point = {
        let (map, icicle, act, pointed) =
            (map.clone(), Rc::clone(&icicle), act.clone(), pointed.setter());
        Callback::from(move |event: PointerEvent| {
            let Some(map) = map.cast::<HtmlElement>() else { return };
            let is_pressed = event.buttons() & 1 == 1;
            if event.type_() == "pointerdown" && is_pressed {
                // The map follows the pointer outside, too. Fails only if the pointer is gone.
                let _ = map.set_pointer_capture(event.pointer_id());
            }
            let Some(place) = Place::of(&event, &map, icicle.bands.len(), extent) else { return };
            let (step, block) = place.find(&icicle);
            if is_pressed {
                act.emit(Action::MoveTo(step));
            }
            pointed.set(Some((step, block)));
        })
    };
    let leave = {
        let pointed = pointed.setter();
        Callback::from(move |_: PointerEvent| pointed.set(None))
    };
    let tip = pointed.map(|(step, block)| {
        let said = match block {
            Some((row, block)) => sentence(language, &icicle, row, &block),
            None => sentence_at(language, &icicle, step),
        };
        html! { <p class="map-tip" aria-hidden="true">{ said }</p> }
    });
    let label = match icicle.is_whole {
        true => tr!(language, "map.label"),
        false => tr!(language, "map.begin"),
    };
    let value_text = tr!(language, "map.move", number = grouped(moves))
        + language.space()
        + &sentence_at(language, &icicle, step);
    let (onpointerdown, onpointermove) = (point.clone(), point);
    html! {
        <div
            id="map" ref={map} class="map" role="slider" tabindex="0" aria-label={label} aria-valuemin="0"
            aria-valuemax={extent.to_string()} aria-valuenow={step.to_string()}
            aria-valuetext={value_text} onkeydown={keys(act, extent)}
            {onpointerdown} {onpointermove} onpointerleave={leave.clone()} onpointercancel={leave}
        >
            { picture(step, extent, &icicle) }
            { for tip }
        </div>
    }
}

/// The picture of the search, with the current step.
pub fn picture(step: u64, extent: u64, icicle: &Rc<Icicle>) -> Html {
    html! {
        <>
            <Blocks {icicle} {extent} />
            <Cursor {step} {extent} {icicle} />
        </>
    }
}

/// Says where a step is: what its deepest row shows.
fn sentence_at(language: Language, icicle: &Icicle, step: u64) -> String {
    match icicle.path(step).last() {
        Some((row, block)) => sentence(language, icicle, row, block),
        None if icicle.covers(step) => tr!(language, "map.empty"),
        None => tr!(language, "map.unknown"),
    }
}

/// The keys of a slider that do not move the search everywhere in Explore.
fn keys(act: &Callback<Action>, extent: u64) -> Callback<KeyboardEvent> {
    let act = act.clone();
    let part = i64::try_from(extent / 10).unwrap_or(i64::MAX).max(1);
    Callback::from(move |event: KeyboardEvent| {
        let action = match event.key().as_str() {
            "ArrowUp" => Action::Next(Jump::Beat),
            "ArrowDown" => Action::Previous(Jump::Beat),
            "PageUp" => Action::MoveBy(part),
            "PageDown" => Action::MoveBy(-part),
            _ => return,
        };
        event.prevent_default();
        act.emit(action);
    })
}

/// A place of the map.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    row: usize,
    step: u64,
    /// [`Place::REACH`], as a number of steps.
    reach: u64,
}

impl Place {
    /// How far the pointer may miss a block, in CSS pixels.
    const REACH: f64 = 3.0;

    /// Returns the place of the pointer.
    fn of(event: &MouseEvent, map: &Element, rows: usize, extent: u64) -> Option<Place> {
        let shown = map.get_bounding_client_rect();
        let point = (f64::from(event.client_x()), f64::from(event.client_y()));
        let at = [point.0 - shown.left(), point.1 - shown.top()];
        Place::at(at, [shown.width(), shown.height()], rows, extent)
    }

    /// The place `at`, from the upper left corner of a map of this size, or the nearest place of the map.
    fn at(at: [f64; 2], size: [f64; 2], rows: usize, extent: u64) -> Option<Place> {
        let [x, y] = [at[0] / size[0], at[1] / size[1]].map(|part| part.clamp(0.0, 1.0));
        let row = ((y * rows as f64) as usize).min(rows.checked_sub(1)?);
        let extent = extent as f64;
        let reach = (extent * Place::REACH / size[0]) as u64;
        Some(Place { row, step: (x * extent) as u64, reach })
    }

    /// Returns the block near the place, and the step to which a tap leads: the one that shows the block, such
    /// as a dead end, or the step at the place.
    fn find(&self, icicle: &Icicle) -> (u64, Option<(usize, Block)>) {
        let near = icicle.near(self.row, self.step, self.reach).map(|(row, block)| (row, *block));
        let main = near.and_then(|(_, block)| block.main_step());
        (main.unwrap_or(self.step), near)
    }
}

#[derive(Properties, PartialEq)]
struct BlocksProps {
    icicle: Rc<Icicle>,
    /// The last step of the axis.
    extent: u64,
}

/// All blocks. They do not change while the search plays, so they are drawn apart from the cursor.
#[component]
fn Blocks(props: &BlocksProps) -> Html {
    let BlocksProps { icicle, extent } = props;
    let paths = use_memo(Rc::clone(icicle), |icicle| paths(icicle));
    let rows = icicle.bands.len();
    let drawn = paths.iter().map(|(class, d)| {
        let fill = class.strip_prefix("block-cut ").map(hatch_of);
        html! { <path class={*class} {fill} {d} /> }
    });
    html! {
        <svg class="blocks" aria-hidden="true">
            { hatches(*extent) }
            <svg viewBox={format!("0 0 {} {}", extent.max(&1), rows.max(1))} preserveAspectRatio="none">
                { for drawn }
            </svg>
        </svg>
    }
}

/// The hatches of the rules. Their lines are horizontal, so they look the same for wide and narrow
/// steps.
fn hatches(extent: u64) -> Html {
    let hatch = |rule: Rule| {
        // The distance from line to line and the height of a line, where a row of the board has height 1.
        let (distance, line) = match rule {
            Rule::UpperSide => (0.5, 0.3),
            Rule::LowerSide => (0.25, 0.12),
            Rule::LastRow => (1.0, 0.75),
            Rule::Corner => (1.0, 0.3),
            Rule::Half => (0.34, 0.12),
        };
        html! {
            <pattern
                id={format!("hatch-{}", rule.id())} patternUnits="userSpaceOnUse"
                width={extent.max(1).to_string()} height={distance.to_string()}
            >
                <rect class={classes!("hatch", rule.id())} width={extent.max(1).to_string()} height={line.to_string()} />
            </pattern>
        }
    };
    html! { <defs>{ for Rule::ALL.map(hatch) }</defs> }
}

/// The fill with the hatch of a rule, given by the rule's id.
fn hatch_of(rule: &str) -> String {
    format!("url(#hatch-{rule})")
}

/// The outlines of all blocks by their class in style sheets. One unit is a step wide and a row
/// high. Neighbouring queens have different shades.
fn paths(icicle: &Icicle) -> Vec<(&'static str, AttrValue)> {
    let mut paths: Vec<(&'static str, String)> = vec![];
    let mut add = |class: &'static str, block: &Block, top: usize, foot: f64| {
        let index = paths.iter().position(|(of, _)| *of == class).unwrap_or_else(|| {
            paths.push((class, String::new()));
            paths.len() - 1
        });
        if let Some((_, path)) = paths.get_mut(index) {
            let (from, steps) = (block.from, block.steps());
            // Writing to a string cannot fail.
            let _ = write!(path, "M{from} {top}h{steps}V{foot}h-{steps}z");
        }
    };
    for (row, band) in icicle.bands.iter().enumerate() {
        let mut is_odd = false;
        for block in &band.blocks {
            is_odd = !is_odd;
            let class = match (block.kind, block.solutions > 0) {
                (BlockKind::DeadEnd, _) => "block-dead-end",
                (BlockKind::Solution(_), _) => "block-solution",
                (BlockKind::Discarded(_), _) => "block-discarded",
                (_, true) if is_odd => "block-leads odd",
                (_, true) => "block-leads",
                (_, false) if is_odd => "block odd",
                (_, false) => "block",
            };
            // Dead ends have their own shape, in addition to their colour.
            let height = if block.kind == BlockKind::DeadEnd { 0.6 } else { 1.0 };
            add(class, block, row, row as f64 + height);
        }
        for cut in &band.cuts {
            let BlockKind::Cut(rule) = cut.kind else { continue };
            let class = match rule {
                Rule::UpperSide => "block-cut upper-side",
                Rule::LowerSide => "block-cut lower-side",
                Rule::LastRow => "block-cut last-row",
                Rule::Corner => "block-cut corner",
                Rule::Half => "block-cut half",
            };
            add(class, cut, row, icicle.bands.len() as f64);
        }
    }
    // Cuts and solutions are narrow, so they are drawn above the others.
    let is_above = |class: &str| class.starts_with("block-cut") || class == "block-solution";
    paths.sort_by_key(|(class, _)| (is_above(class), *class == "block-solution"));
    paths.into_iter().map(|(class, path)| (class, path.into())).collect()
}

/// Returns `part` in percent of `whole`.
fn percent(part: u64, whole: u64) -> String {
    format!("{:.3}%", part as f64 * 100.0 / whole.max(1) as f64)
}

/// The current step and the blocks that contain it.
#[derive(Properties, PartialEq)]
struct CursorProps {
    step: u64,
    extent: u64,
    icicle: Rc<Icicle>,
}

#[component]
fn Cursor(props: &CursorProps) -> Html {
    let &CursorProps { step, extent, ref icicle } = props;
    let rows = icicle.bands.len() as u64;
    let path = icicle.path(step).map(|(row, block)| {
        let class = if block.kind == BlockKind::DeadEnd { "stuck" } else { "here" };
        html! {
            <rect
                {class} x={percent(block.from, extent)} y={percent(row as u64, rows)}
                width={percent(block.steps(), extent)} height={percent(1, rows)}
            />
        }
    });
    let x = percent(step, extent);
    html! {
        <svg class="cursor" aria-hidden="true" data-step={step.to_string()}>
            { for path }
            <line x1={x.clone()} x2={x} y1="0" y2="100%" />
        </svg>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Event, Size, Stepped, Tracer};
    use queens_worker::IcicleBuilder;

    use super::*;
    use crate::parts::rendered::{elements, rendered};
    use crate::words::plain;

    /// The picture of the first steps.
    fn begin(method: Stepped, n: u32, steps: u64) -> Icicle {
        let size = Size::new(n).unwrap();
        let mut search = Tracer::new(method, size);
        let mut builder = IcicleBuilder::new(size, IcicleBuilder::LIMIT);
        while search.steps() < steps && search.forward().is_some() {
            builder.see(&search);
        }
        builder.picture(&search)
    }

    /// The picture of a whole search.
    fn whole(method: Stepped, n: u32) -> Icicle {
        begin(method, n, u64::MAX)
    }

    /// Renders the map of a picture.
    fn shown(language: Language, icicle: &Icicle, step: u64) -> String {
        let (extent, moves) = (icicle.steps, step / 2);
        let icicle = Rc::new(icicle.clone());
        rendered(
            language,
            html! { <Map {step} {moves} {extent} {icicle} act={Callback::noop()} /> },
        )
    }

    /// The number of blocks of a class.
    fn count(html: &str, class: &str) -> usize {
        let paths = elements(html, &format!("class=\"{class}\""));
        let paths = paths.iter().filter_map(|path| path.attribute("d"));
        paths.map(|d| d.matches('M').count()).sum()
    }

    #[test]
    fn draws_all_queens_dead_ends_and_solutions() {
        // 2,056 queens, 92 of which complete a solution, and 644 dead ends.
        let html = shown(Language::English, &whole(Stepped::Backtracking, 8), 0);
        let queens = ["block", "block odd", "block-leads", "block-leads odd", "block-solution"];
        assert_eq!(queens.map(|class| count(&html, class)).iter().sum::<usize>(), 2056);
        assert_eq!(count(&html, "block-solution"), 92);
        assert_eq!(count(&html, "block-dead-end"), 644);
    }

    #[test]
    fn the_cursor_has_a_block_for_each_queen_on_the_board() {
        const STEP: u64 = 1480;
        let html = shown(Language::English, &whole(Stepped::Symmetry, 8), STEP);
        let cursor = elements(&html, "class=\"cursor\"")[0].inner().to_owned();
        // The steps at which the queens on the board at this step are placed and lifted, from the top.
        let mut search = Tracer::new(Stepped::Symmetry, Size::new(8).unwrap());
        let mut queens: Vec<[u64; 2]> = vec![];
        while let Some(event) = search.forward() {
            let step = search.steps();
            match event {
                Event::Place { row, .. } if step <= STEP => {
                    queens.truncate(row as usize);
                    queens.push([step, 0]);
                }
                Event::Back { row } if step <= STEP => queens.truncate(row as usize),
                Event::Back { row } => {
                    if let Some([_, lifted @ 0]) = queens.get_mut(row as usize) {
                        *lifted = step;
                    }
                }
                _ => {}
            }
        }
        let expected = (0..).zip(&queens).map(|(row, &[placed, lifted])| {
            let [x, width] = [placed, lifted - placed].map(|part| percent(part, search.steps()));
            [x, percent(row, 8), width, percent(1, 8)]
        });
        let drawn = elements(&cursor, "class=\"here\"");
        let drawn = drawn
            .iter()
            .map(|block| ["x", "y", "width", "height"].map(|name| block.attribute(name).unwrap()));
        assert_eq!(drawn.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        let x = percent(STEP, search.steps());
        assert!(cursor.contains(&format!("x1=\"{x}\"")), "{cursor}");
    }

    #[test]
    fn says_what_a_block_is() {
        let icicle = whole(Stepped::Symmetry, 8);
        let sentence_of = |language, row: usize, find: fn(&Block) -> bool| {
            let band = &icicle.bands[row];
            let block = band.blocks.iter().chain(&band.cuts).find(|block| find(block)).unwrap();
            plain(&sentence(language, &icicle, row, block))
        };
        let [english, japanese] = Language::ALL;
        let queen = |block: &Block| block.kind == BlockKind::Queen(6);
        assert_eq!(
            [sentence_of(english, 0, queen), sentence_of(japanese, 0, queen)],
            [
                "Queen on row 0, column 6. Solutions below it: 7.",
                "行 0・列 6 のクイーン。その下で見つかる解は 7 個です。"
            ]
        );
        let cut = |block: &Block| matches!(block.kind, BlockKind::Cut(_));
        assert_eq!(
            [sentence_of(english, 1, cut), sentence_of(japanese, 1, cut)],
            [
                "Rule 1 closes squares of row 1. Nothing below them is searched.",
                "行 1 のマスを規則 1 が禁止します。その下は調べません。"
            ]
        );
        let stuck = |block: &Block| block.kind == BlockKind::DeadEnd;
        assert_eq!(
            [sentence_of(english, 5, stuck), sentence_of(japanese, 5, stuck)],
            [
                "Dead end on row 5: no square is left for a queen.",
                "行 5 で行き止まりです。クイーンを置けるマスがありません。"
            ]
        );
        let half = begin(Stepped::Mirror, 8, 20);
        let (row, cut) = (half.bands.iter().enumerate())
            .find_map(|(row, band)| {
                Some((row, band.cuts.iter().find(|cut| cut.kind == BlockKind::Cut(Rule::Half))?))
            })
            .unwrap();
        assert_eq!(
            Language::ALL.map(|language| plain(&sentence(language, &half, row, cut))),
            [
                "Squares of row 0 in the half that is not searched.",
                "行 0 の、探索しない半分のマスです。"
            ]
        );
    }

    #[test]
    fn says_how_far_it_reaches() {
        let begun = begin(Stepped::Symmetry, 8, 1035);
        let last_block = |row: usize| {
            let block = begun.bands[row].blocks.last().unwrap();
            Language::ALL.map(|language| plain(&sentence(language, &begun, row, block)))
        };
        assert_eq!(
            last_block(0),
            [
                "Queen on row 0, column 6. Solutions found below it so far: 4.",
                "行 0・列 6 のクイーン。その下でこれまでに見つかった解は 4 個です。"
            ]
        );
        let said = |icicle: &Icicle, step| {
            let html = shown(Language::English, icicle, step);
            let map = &elements(&html, "id=\"map\"")[0];
            ["aria-label", "aria-valuetext"].map(|name| plain(&map.attribute(name).unwrap()))
        };
        let part = "Map of the beginning of the search";
        assert_eq!(said(&begun, 0), [part, "Move 0. The board is empty."]);
        let beyond = [part, "Move 517. The map does not reach this step."];
        assert_eq!(said(&begun, 1035), beyond);
        assert_ne!(said(&begun, 1034)[1], beyond[1]);
        let all = whole(Stepped::Symmetry, 8);
        assert_eq!(
            said(&all, 2071),
            ["Map of the whole search", "Move 1,035. The board is empty."]
        );
    }

    #[test]
    fn each_rule_of_the_method_has_its_cuts_and_hatch() {
        let icicle = whole(Stepped::Symmetry, 8);
        let html = shown(Language::English, &icicle, 0);
        for &rule in Stepped::Symmetry.facts().rules {
            let cuts = icicle.bands.iter().flat_map(|band| &band.cuts);
            let all = cuts.filter(|cut| cut.kind == BlockKind::Cut(rule)).count();
            assert_eq!(count(&html, &format!("block-cut {}", rule.id())), all, "{rule}");
            assert!(html.contains(&format!("id=\"hatch-{}\"", rule.id())));
        }
    }

    #[test]
    fn a_tap_leads_to_the_step_that_shows_the_block() {
        let icicle = whole(Stepped::Symmetry, 8);
        let at = |x, y| Place::at([x, y], [500.0, 80.0], 8, 2071).unwrap();
        assert_eq!(at(0.0, 0.0), Place { row: 0, step: 0, reach: 12 });
        assert_eq!(at(600.0, 80.0), Place { row: 7, step: 2071, reach: 12 });
        assert_eq!(at(250.0, 35.0).row, 3);
        assert_eq!(Place::at([0.0; 2], [500.0, 80.0], 0, 2071), None);
        // A queen of the first row stays for many steps, and looks the same at each of them.
        let (step, block) = at(250.0, 5.0).find(&icicle);
        assert!(
            step == 1035 && matches!(block, Some((0, Block { kind: BlockKind::Queen(_), .. })))
        );
        // The first solution has few steps, and is found next to it, too.
        let x = 304.0 / 2071.0 * 500.0;
        for x in [x, x + 0.5] {
            let (step, block) = at(x, 75.0).find(&icicle);
            assert_eq!(step, 304, "{block:?}");
        }
    }
}
