//! Replays `symmetryOps` step by step: which cells require a comparison, the result of each compared
//! row, and the verdict. Next to the boards is the code, with the line of the current step highlighted.

use std::cmp::Ordering;
use std::rc::Rc;

use queens_core::{
    Cell, Class, ComparedRow, Form, Masks, Moment, Orbit, Outcome, Placement, Played, Stepped,
    Transform, Verdict, methods,
};
use queens_state::search::why::{comparison_result, row_compared};
use yew::prelude::*;

use crate::board::glyph::{Icon, icon_button};
use crate::board::marked_board::marked_board;
use crate::parts::comparison::{image, rows};
use crate::parts::link::Link;
use crate::parts::source::{Source, use_source};
use crate::parts::term::TermLink;
use crate::place::{Address, Navigate, symmetries_address};
use crate::words::{Language, Term, tr, transforms};

/// Renders the comparisons of a solution, with buttons to step in both directions. If the symmetry
/// method never completes the board, renders the reason instead.
pub fn comparison(
    language: Language,
    address: &Rc<Address>,
    navigate: &Navigate,
    orbit: &Orbit,
) -> Html {
    let placement = &orbit.image(Transform::Identity).placement;
    let content = match Played::of(placement) {
        Played::Completed(masks, moments) => {
            let last = moments.len().saturating_sub(1);
            let at = (address.moment as usize).min(last);
            let on_step = {
                let (address, navigate) = (address.clone(), navigate.clone());
                Callback::from(move |target: usize| {
                    navigate.replace(Address { moment: target as u32, ..(*address).clone() });
                })
            };
            player(language, placement, &masks, &moments, at, &on_step)
        }
        incomplete => {
            let why = match incomplete {
                Played::GivenUp(row, rule) => {
                    let sign = rule.sign();
                    tr!(language, "symmetries.given-up", row = row, sign = sign)
                }
                _ => tr!(language, "symmetries.no-branch"),
            };
            html! {
                <p id="comparison" data-verdict="given-up">
                    { why }{ " " }
                    <Link to={symmetries_address(address, orbit.representative())}>
                        { tr!(language, "symmetries.to-representative") }
                    </Link>
                </p>
            }
        }
    };
    html! {
        <section class="played" aria-labelledby="played">
            <h2 id="played">
                <TermLink word={Term::COMPARISON}>{ tr!(language, "symmetries.played") }</TermLink>
            </h2>
            { content }
        </section>
    }
}

/// Renders the moment at index `at`, with buttons to step to other moments. `on_step` receives the
/// index of the chosen moment.
fn player(
    language: Language,
    placement: &Placement,
    masks: &Masks,
    moments: &[Moment],
    at: usize,
    on_step: &Callback<usize>,
) -> Html {
    let last = moments.len().saturating_sub(1);
    let so_far = moments.get(..=at).unwrap_or_default();
    let Some(&moment) = so_far.last() else { return html! {} };
    let verdict = match moment {
        Moment::Verdict(verdict) => Some(name_of(verdict)),
        _ => None,
    };
    let buttons = [
        ("moment-first", "explore.first", Icon::First, 0),
        ("moment-back", "explore.back", Icon::Back, at.saturating_sub(1)),
        ("moment-forward", "explore.forward", Icon::Forward, (at + 1).min(last)),
        ("moment-last", "symmetries.verdict", Icon::NextSolution, last),
    ];
    let buttons = buttons.map(|(id, name, icon, target)| {
        let onclick = on_step.reform(move |_: MouseEvent| target);
        icon_button(Some(id), tr!(language, name), icon, target != at, onclick)
    });
    // The image of the first comparison is shown even before the comparison begins.
    let cell = |moment: &Moment| moment.cell();
    let compared_cell = so_far.iter().rev().find_map(cell).or(moments.iter().find_map(cell));
    let class = classes!("comparison", compared_cell.is_none().then_some("alone"));
    html! {
        <div id="comparison" {class} data-verdict={verdict} data-moment={at.to_string()}>
            { boards(language, placement, masks, moment, compared_cell) }
            <div class="comparison-side">
                <div class="transport-line">
                    { for buttons }
                    <span class="soft">{ format!("{} / {}", at + 1, last + 1) }</span>
                </div>
                <p id="moment" class="statement" role="status">
                    { sentence(language, masks, moment) }
                </p>
                { table(language, so_far) }
                <Code {language} current={moment.code()} />
            </div>
        </div>
    }
}

/// The name of a verdict, for tests.
fn name_of(verdict: Verdict) -> String {
    match verdict {
        Verdict::Drop => "drop".to_owned(),
        Verdict::Keep(class) => class.to_string(),
    }
}

/// Renders the solution with its cells, next to the image with which it is compared.
fn boards(
    language: Language,
    placement: &Placement,
    masks: &Masks,
    moment: Moment,
    compared_cell: Option<Cell>,
) -> Html {
    let row = moment.row().map(|row| row.row);
    let own = rows(placement, Some(masks), row);
    let own_label = tr!(language, "symmetries.solution-label", columns = placement);
    let compared_board = compared_cell.map(|cell| {
        let (transform, image) = image(placement, cell);
        let name = transforms::transform(language, transform);
        let label = tr!(language, "symmetries.image-label", name = name, columns = image);
        captioned(marked_board(&rows(&image, None, row), &label), name)
    });
    html! {
        <div class="comparison-boards">
            { captioned(marked_board(&own, &own_label), tr!(language, "symmetries.solution")) }
            { for compared_board }
        </div>
    }
}

fn captioned(board: Html, caption: String) -> Html {
    html! { <figure>{ board }<figcaption>{ caption }</figcaption></figure> }
}

/// Renders the rows compared so far in the latest comparison.
fn table(language: Language, so_far: &[Moment]) -> Html {
    let Some(cell) = so_far.iter().rev().find_map(|moment| moment.cell()) else {
        return html! {};
    };
    let lines = so_far.iter().filter_map(|moment| {
        let Moment::Row(compared, ComparedRow { row, own, image }) = *moment else { return None };
        let (class, sign) = match image.cmp(&own) {
            Ordering::Equal => (None, "="),
            Ordering::Less => (Some("deciding"), "<"),
            Ordering::Greater => (Some("deciding"), ">"),
        };
        (compared == cell).then(|| {
            html! {
                <tr {class}>
                    <th scope="row">{ row }</th><td>{ image }</td><td>{ sign }</td><td>{ own }</td>
                </tr>
            }
        })
    });
    html! {
        <table class="compared mono">
            <thead>
                <tr>
                    <th scope="col">{ tr!(language, "symmetries.row") }</th>
                    <th scope="col">{ transforms::transform(language, cell.transform()) }</th>
                    <td></td>
                    <th scope="col">{ tr!(language, "symmetries.solution") }</th>
                </tr>
            </thead>
            <tbody>{ for lines }</tbody>
        </table>
    }
}

fn sentence(language: Language, masks: &Masks, moment: Moment) -> String {
    match moment {
        Moment::Cells(_) if masks.is_corner() => tr!(language, "symmetries.cells-corner"),
        Moment::Cells(held) => {
            let cells: Vec<String> = held
                .iter()
                .map(|cell| {
                    let transform = transforms::transform(language, cell.transform());
                    format!("{}{}", cell.letter(), language.aside(&transform))
                })
                .collect();
            if cells.is_empty() {
                tr!(language, "symmetries.cells-none")
            } else {
                tr!(language, "symmetries.cells", cells = cells.join(language.comma()))
            }
        }
        Moment::Row(cell, row) => {
            let transform = transforms::transform(language, cell.transform());
            tr!(
                language,
                "symmetries.row-compared",
                cell = cell.letter(),
                transform = transform,
                row = row_compared(language, masks.size, row)
            )
        }
        Moment::Outcome(_, Outcome::Same, _) | Moment::Outcome(_, _, None) => {
            tr!(language, "why.same")
        }
        Moment::Outcome(_, outcome, Some(at)) => {
            comparison_result(language, masks.size, at, outcome)
        }
        Moment::Verdict(Verdict::Drop) => tr!(language, "symmetries.drop"),
        Moment::Verdict(Verdict::Keep(Class::Eight)) if masks.is_corner() => {
            tr!(language, "why.class-8-corner")
        }
        Moment::Verdict(Verdict::Keep(class)) => tr!(language, format!("why.class-{class}")),
    }
}

/// Returns the numbered lines of the function `compare` in the method's source file.
fn listing(file: &str) -> Vec<(u32, &str)> {
    let (first, source) = methods::written(file, Form::Recursive);
    let lines = (first..).zip(source.lines());
    let compare = lines.skip_while(|(_, line)| !line.contains("fn compare"));
    // The function ends with the closing brace of a method.
    let mut ended = false;
    compare.take_while(|(_, line)| !std::mem::replace(&mut ended, *line == "    }")).collect()
}

#[derive(Properties, PartialEq)]
struct CodeProps {
    language: Language,
    /// A text that occurs only in the current line.
    current: &'static str,
}

/// The lines that compare images, with the current line highlighted.
#[component]
fn Code(props: &CodeProps) -> Html {
    let lines = match use_source(Stepped::Symmetry) {
        Source::Here(file) => listing(&file)
            .into_iter()
            .map(|(number, text)| {
                let current = text.contains(props.current);
                html! {
                    <code
                        key={number} class={if current { "line current" } else { "line" }}
                        aria-current={current.then_some("step")}
                    >
                        <span class="line-number" aria-hidden="true">{ number }</span>
                        { text.strip_prefix("    ").unwrap_or(text).to_owned() }{ "\n" }
                    </code>
                }
            })
            .collect(),
        Source::Missing => html! { tr!(props.language, "code.no-code") },
        Source::Awaited => html! {},
    };
    html! {
        <pre class="code" tabindex="0" lang="en" aria-label={tr!(props.language, "code.title")}>
            { lines }
        </pre>
    }
}

#[cfg(test)]
mod tests {
    use queens_core::{Completions, Queens, Size, representative};

    use super::*;

    /// The smaller image that drops a solution need not be the representative: the search may drop
    /// or prune that image, too. So the sentence does not claim that the class is counted at that
    /// image.
    #[test]
    fn the_dropped_sentence_names_the_smallest_image() {
        let mut others = 0;
        for n in 6..=10 {
            let board = Queens::none(Size::new(n).unwrap());
            for solution in Completions::new(&board) {
                let Played::Completed(_, moments) = Played::of(&solution) else { continue };
                let smaller = moments.iter().find_map(|moment| match *moment {
                    Moment::Outcome(cell, Outcome::ImageSmaller, _) => Some(cell),
                    _ => None,
                });
                let Some(cell) = smaller else { continue };
                assert_eq!(moments.last(), Some(&Moment::Verdict(Verdict::Drop)));
                let (_, image) = image(&solution, cell);
                others += u32::from(image != representative(&solution));
            }
        }
        assert!(others > 0);
        let masks = Masks::branches(Size::new(8).unwrap()).last().unwrap();
        let sentences =
            Language::ALL.map(|each| sentence(each, &masks, Moment::Verdict(Verdict::Drop)));
        assert!(sentences[0].contains("at its smallest image"), "{sentences:?}");
        assert!(sentences[1].contains("最小の像が見つかったところで"), "{sentences:?}");
    }

    #[test]
    fn every_kind_of_moment_highlights_one_line() {
        let file = include_str!("../../../../shared/src/search/methods/symmetry.rs");
        let lines = listing(file);
        let placement = Placement::from_right(&[1, 4, 2, 0, 3]).unwrap();
        let Played::Completed(_, moments) = Played::of(&placement) else { panic!("{placement}") };
        for moment in moments {
            let marked = lines.iter().filter(|(_, text)| text.contains(moment.code()));
            assert_eq!(marked.count(), 1, "{moment:?}");
        }
    }
}
