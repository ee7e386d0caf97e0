//! The whole search as one picture, on the same axis as the timeline. Its code is loaded on demand.

use std::fmt::Write;
use std::rc::Rc;

use queens_core::{Facts, Line, Rule};
use queens_state::search::icicle::{Block, BlockKind, Icicle, Towards, sentence};
use queens_state::search::state::{Action, TimelineIndex};
use web_sys::Element;
use yew::prelude::*;

use crate::words::{Language, grouped, tr, use_language};
use crate::worker::read_icicle;

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// Whether the picture is large, with explanations. If not, it is behind the timeline, and only
    /// its blocks are drawn.
    pub is_large: bool,
    /// The current step.
    pub step: u64,
    /// The last step of the axis.
    pub extent: u64,
    /// The index of the search, as far as known.
    pub index: TimelineIndex,
    pub facts: &'static Facts,
    /// Moves the search after a click or a key.
    pub act: Callback<Action>,
}

/// The picture, below a line that explains it or describes the block under the pointer. A click or a
/// key moves the search to a block.
#[component]
pub fn WholeSearch(props: &Props) -> Html {
    let language = use_language();
    let icicle = use_memo(Rc::clone(&props.index.icicle), |bytes| read_icicle(bytes));
    let picture = use_node_ref();
    let pointed = use_state_eq(|| None::<(usize, Block)>);
    let find = {
        let (picture, icicle, extent) = (picture.clone(), Rc::clone(&icicle), props.extent);
        move |event: &MouseEvent| {
            let place = PicturePoint::of(event, &picture.cast()?, icicle.bands.len(), extent)?;
            let near = icicle.near(place.row, place.step, place.reach);
            Some((place.step, near.map(|(row, block)| (row, *block))))
        }
    };
    let onclick = {
        let (act, find) = (props.act.clone(), find.clone());
        Callback::from(move |event: MouseEvent| {
            if let Some((step, block)) = find(&event) {
                let main = block.and_then(|(_, block)| block.main_step());
                act.emit(Action::MoveTo(main.unwrap_or(step)));
            }
        })
    };
    // A press outside the blocks must not move the focus, because the arrow keys would no longer step.
    let onmousedown = {
        let find = find.clone();
        Callback::from(move |event: MouseEvent| {
            if find(&event).is_none_or(|(_, block)| block.is_none()) {
                event.prevent_default();
            }
        })
    };
    let onpointermove = {
        let pointed = pointed.clone();
        Callback::from(move |event: PointerEvent| {
            pointed.set(find(&event).and_then(|(_, block)| block));
        })
    };
    let onpointerleave = {
        let pointed = pointed.clone();
        Callback::from(move |_: PointerEvent| pointed.set(None))
    };
    if !props.is_large {
        return html! { <Blocks {icicle} extent={props.extent} /> };
    }
    let here = icicle.path(props.step).last();
    let value_text = match here {
        Some((row, block)) => sentence(language, &icicle, row, block),
        None if icicle.covers(props.step) => tr!(language, "whole.empty"),
        None => tr!(language, "whole.unknown", step = grouped(props.step)),
    };
    let pointed = pointed.map(|(row, block)| sentence(language, &icicle, row, &block));
    html! {
        <div class="whole">
            <div class="whole-words">
                <p id="whole-said">{ pointed.unwrap_or_else(|| caption(language, &icicle)) }</p>
                { legend(language, props.facts) }
            </div>
            <div
                id="whole" ref={picture} class="whole-picture" role="slider" tabindex="0"
                aria-label={tr!(language, "whole.label")} aria-describedby="whole-keys" aria-valuemin="0" aria-valuemax={props.extent.to_string()}
                aria-valuenow={props.step.to_string()} aria-valuetext={value_text}
                onkeydown={keys(&props.act, &icicle, props.step)} {onclick} {onmousedown} {onpointermove} {onpointerleave}
            >
                <Blocks icicle={&icicle} extent={props.extent} />
                <Cursor step={props.step} extent={props.extent} {icicle} />
            </div>
            <p id="whole-keys" class="hidden-text">{ tr!(language, "whole.keys") }</p>
        </div>
    }
}

/// Says what the picture shows, and how far it reaches.
fn caption(language: Language, icicle: &Icicle) -> String {
    let part = match icicle.is_whole {
        true => tr!(language, "whole.all"),
        false => tr!(language, "whole.begin", steps = grouped(icicle.steps)),
    };
    part + language.space() + &tr!(language, "whole.blocks")
}

/// The colours of the blocks, then the rules in the order of the board's legend.
fn legend(language: Language, facts: &Facts) -> Html {
    let entry = |class: String, fill: Option<String>, text: String| {
        html! {
            <li>
                <svg viewBox="0 0 1 1" width="12" height="12" aria-hidden="true">
                    <rect {class} {fill} width="1" height="1" />
                </svg>
                { text }
            </li>
        }
    };
    let discarded = discards(facts).then_some(("discarded", "whole.discarded-sign"));
    let plain = [("here", "whole.here"), ("leads", "whole.leads"), ("solution", "whole.solution")];
    let plain = plain.into_iter().chain(discarded).chain([("dead-end", "whole.dead-end")]);
    let plain = plain.map(|(id, key)| entry(format!("block-{id}"), None, tr!(language, key)));
    let rules = facts.rules.iter().map(|&rule| {
        let text = match rule {
            Rule::Half => tr!(language, "whole.closed-half"),
            _ => tr!(language, "whole.closed", sign = rule.sign()),
        };
        entry(format!("block-cut {}", rule.id()), Some(hatch_of(rule.id())), text)
    });
    html! { <ul class="whole-legend">{ for plain.chain(rules) }</ul> }
}

/// Whether the method fills boards that it does not keep: it finds some attacks only on full boards,
/// or it compares solutions with their images.
fn discards(facts: &Facts) -> bool {
    facts.tests.len() < Line::ALL.len() || facts.counts_classes()
}

/// Handles the arrow keys: up to the queen above, down to the first block below, left and right to
/// the neighbouring blocks.
fn keys(act: &Callback<Action>, icicle: &Rc<Icicle>, step: u64) -> Callback<KeyboardEvent> {
    let (act, icicle) = (act.clone(), Rc::clone(icicle));
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key() {
            return;
        }
        let towards = match event.key().as_str() {
            "ArrowUp" => Towards::Parent,
            "ArrowDown" => Towards::Child,
            "ArrowLeft" => Towards::Previous,
            "ArrowRight" => Towards::Next,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        if let Some(step) = icicle.neighbour(step, towards) {
            act.emit(Action::MoveTo(step));
        }
    })
}

/// A point of the picture.
#[derive(Debug, PartialEq, Eq)]
struct PicturePoint {
    row: usize,
    step: u64,
    /// [`PicturePoint::REACH`], as a number of steps.
    reach: u64,
}

impl PicturePoint {
    /// How far the pointer may miss a block, in CSS pixels.
    const REACH: f64 = 3.0;

    fn of(event: &MouseEvent, picture: &Element, rows: usize, extent: u64) -> Option<PicturePoint> {
        let shown = picture.get_bounding_client_rect();
        let point = (f64::from(event.client_x()), f64::from(event.client_y()));
        let at = [point.0 - shown.left(), point.1 - shown.top()];
        PicturePoint::at(at, [shown.width(), shown.height()], rows, extent)
    }

    /// The point `at`, from the upper left corner of a picture of this size. `None` if it is outside.
    fn at(at: [f64; 2], size: [f64; 2], rows: usize, extent: u64) -> Option<PicturePoint> {
        let [x, y] = [at[0] / size[0], at[1] / size[1]];
        if !((0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y)) {
            return None;
        }
        let row = ((y * rows as f64) as usize).min(rows.checked_sub(1)?);
        let extent = extent as f64;
        let reach = (extent * PicturePoint::REACH / size[0]) as u64;
        Some(PicturePoint { row, step: (x * extent) as u64, reach })
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
            { for columns(icicle, *extent) }
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
    let mut add = |class: &'static str, block: &Block, top: usize, foot: usize| {
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
            add(class, block, row, row + 1);
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
            add(class, cut, row, icicle.bands.len());
        }
    }
    // Cuts and solutions are narrow, so they are drawn above the others.
    let is_above = |class: &str| class.starts_with("block-cut") || class == "block-solution";
    paths.sort_by_key(|(class, _)| (is_above(class), *class == "block-solution"));
    paths.into_iter().map(|(class, path)| (class, path.into())).collect()
}

/// The column numbers of the queens whose blocks have room for a number.
fn columns(icicle: &Icicle, extent: u64) -> Vec<Html> {
    /// The largest number of rows of a picture whose rows are high enough for a number.
    const MOST_ROWS: usize = 10;
    /// How many numbers fit side by side along the axis: in wide windows, and on a phone.
    const CAPACITY: [u64; 2] = [45, 16];
    let rows = icicle.bands.len();
    let bands = icicle.bands.iter().enumerate().filter(|_| rows <= MOST_ROWS);
    let queens = bands.flat_map(|(row, band)| {
        band.blocks.iter().filter_map(move |block| {
            let BlockKind::Queen(column) = block.kind else { return None };
            let x = percent(block.from + block.steps() / 2, extent);
            let y = percent(2 * row as u64 + 1, 2 * rows as u64);
            let has_room = CAPACITY.map(|most| block.steps().saturating_mul(most) > extent);
            let class = (!has_room[1]).then_some("narrow");
            has_room[0].then(|| html! { <text {class} {x} {y}>{ column }</text> })
        })
    });
    queens.collect()
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
    use queens_state::search::icicle::IcicleBuilder;
    use queens_worker::write_icicle;

    use super::*;
    use crate::parts::rendered::{elements, outline, rendered};
    use crate::words::plain;

    fn whole(method: Stepped, n: u32) -> (Icicle, TimelineIndex) {
        let size = Size::new(n).unwrap();
        let mut search = Tracer::new(method, size);
        let mut builder = IcicleBuilder::new(size, IcicleBuilder::LIMIT);
        while search.forward().is_some() {
            builder.see(&search);
        }
        let (steps, icicle) = (search.steps(), builder.picture(&search));
        let index = TimelineIndex {
            steps,
            has_ended: true,
            icicle: write_icicle(&icicle).into(),
            ..TimelineIndex::default()
        };
        (icicle, index)
    }

    /// Renders the large picture of a whole search.
    fn shown(method: Stepped, n: u32, step: u64, language: Language) -> String {
        let (_, index) = whole(method, n);
        let extent = index.steps;
        let facts = method.facts();
        rendered(
            language,
            html! { <WholeSearch is_large=true {step} {extent} {index} {facts} act={Callback::noop()} /> },
        )
    }

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

    /// The number of blocks of a class.
    fn count(html: &str, class: &str) -> usize {
        let paths = elements(html, &format!("class=\"{class}\""));
        let paths = paths.iter().filter_map(|path| path.attribute("d"));
        paths.map(|d| d.matches('M').count()).sum()
    }

    #[test]
    fn draws_all_queens_dead_ends_and_solutions() {
        // 2,056 queens, 92 of which complete a solution, and 644 dead ends.
        let html = shown(Stepped::Backtracking, 8, 0, Language::English);
        let queens = ["block", "block odd", "block-leads", "block-leads odd", "block-solution"];
        assert_eq!(queens.map(|class| count(&html, class)).iter().sum::<usize>(), 2056);
        assert_eq!(count(&html, "block-solution"), 92);
        assert_eq!(count(&html, "block-dead-end"), 644);
    }

    #[test]
    fn the_cursor_has_a_block_for_each_queen_on_the_board() {
        const STEP: u64 = 1480;
        let html = shown(Stepped::Symmetry, 8, STEP, Language::English);
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
    fn explains_itself() {
        let html = shown(Stepped::Symmetry, 8, 1480, Language::English);
        insta::with_settings!({ snapshot_path => "../../../app/snapshots" }, {
            insta::assert_snapshot!("whole-search", outline(&html));
        });
    }

    #[test]
    fn says_what_a_block_is() {
        let (icicle, _) = whole(Stepped::Symmetry, 8);
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
                "Queen on row 0, column 6. Steps until it is lifted: 1,019. Solutions below it: 7.",
                "行 0・列 6 のクイーン。取り除くまで 1,019 ステップ、その間に見つかる解は 7 個です。"
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
    fn says_how_far_the_picture_reaches() {
        let (icicle, index) = whole(Stepped::Symmetry, 8);
        let begun = begin(Stepped::Symmetry, 8, 1035);
        let last_block = |row: usize| {
            let block = begun.bands[row].blocks.last().unwrap();
            Language::ALL.map(|language| plain(&sentence(language, &begun, row, block)))
        };
        assert_eq!(
            last_block(0),
            [
                "Queen on row 0, column 6. It stays for at least 578 steps. Solutions found below it so far: 4.",
                "行 0・列 6 のクイーン。少なくとも 578 ステップは盤上に残り、これまでに見つかった解は 4 個です。"
            ]
        );
        let index = TimelineIndex { icicle: write_icicle(&begun).into(), ..index };
        let value = |step, index: &TimelineIndex| {
            let (extent, index) = (index.steps, index.clone());
            let facts = Stepped::Symmetry.facts();
            let act = Callback::noop();
            let html = rendered(
                Language::English,
                html! { <WholeSearch is_large=true {step} {extent} {index} {facts} {act} /> },
            );
            let slider = &elements(&html, "id=\"whole\"")[0];
            slider.attribute("aria-valuetext").as_deref().map(plain)
        };
        let unknown =
            |step| Some(format!("Step {step}. The picture does not reach this step yet."));
        assert_eq!(value(0, &index), Some("The board is empty.".to_owned()));
        assert_ne!(value(1034, &index), unknown("1,034"));
        assert_eq!(value(1035, &index), unknown("1,035"));
        let index = TimelineIndex { icicle: write_icicle(&icicle).into(), ..index };
        assert_eq!(value(index.steps, &index), Some("The board is empty.".to_owned()));
        let captions = Language::ALL
            .map(|language| [&icicle, &begun].map(|icicle| plain(&caption(language, icicle))));
        assert!(captions[0][0].starts_with("The whole search. Each band is a row"));
        assert!(captions[0][1].starts_with("The search as far as step 1,035. Each band"));
        assert!(captions[1][0].starts_with("探索の全体図です。1 段が盤の 1 行"));
        assert!(captions[1][1].starts_with("ステップ 1,035 までの探索です。1 段が"));
    }

    #[test]
    fn each_rule_of_the_method_has_its_cuts_and_hatch() {
        let html = shown(Stepped::Symmetry, 8, 0, Language::English);
        let (icicle, _) = whole(Stepped::Symmetry, 8);
        for &rule in Stepped::Symmetry.facts().rules {
            let cuts = icicle.bands.iter().flat_map(|band| &band.cuts);
            let all = cuts.filter(|cut| cut.kind == BlockKind::Cut(rule)).count();
            assert_eq!(count(&html, &format!("block-cut {}", rule.id())), all, "{rule}");
            assert!(html.contains(&format!("id=\"hatch-{}\"", rule.id())));
        }
    }

    #[test]
    fn the_legend_has_the_blocks_of_the_method() {
        for &method in Stepped::ALL {
            let facts = method.facts();
            let has_discarded = |n: u32| {
                let icicle = begin(method, n.min(facts.largest), 200_000);
                let mut blocks = icicle.bands.iter().flat_map(|band| &band.blocks);
                blocks.any(|block| matches!(block.kind, BlockKind::Discarded(_)))
            };
            assert_eq!(discards(facts), (5..=8).any(has_discarded), "{method}");
            let shown = shown(method, 4, 0, Language::English);
            assert_eq!(shown.contains("full board, not kept"), discards(facts), "{method}");
            let halves = shown.matches("skipped half").count();
            assert_eq!(halves, facts.half.iter().count(), "{method}");
        }
    }

    #[test]
    fn points_are_rows_and_steps() {
        let at = |x, y| PicturePoint::at([x, y], [500.0, 80.0], 8, 2000);
        assert_eq!(at(0.0, 0.0), Some(PicturePoint { row: 0, step: 0, reach: 12 }));
        assert_eq!(at(500.0, 80.0), Some(PicturePoint { row: 7, step: 2000, reach: 12 }));
        assert_eq!(at(250.0, 35.0), Some(PicturePoint { row: 3, step: 1000, reach: 12 }));
        assert_eq!(at(-1.0, 35.0), None);
        assert_eq!(PicturePoint::at([0.0; 2], [500.0, 80.0], 0, 2000), None);
    }
}
