//! What was learnt, as one picture: the step of a search that shows the idea, with buttons to step through the search.

use queens_core::{Event, Placement, Queens, Rule, Stepped, Transform};
use yew::prelude::*;

use super::model::plan::Figure;
use super::model::replay::{hatch, plain, state_at};
use crate::address::{View, explore_address, use_address};
use crate::board::glyph::{Icon, icon_button};
use crate::board::marked_board::{HATCH, marked_board, marked_board_with_lines};
use crate::board::paths::SQUARE;
use crate::board::{Row, SquareStyle};
use crate::parts::code::with_code;
use crate::parts::link::Link;
use crate::parts::row_words::row_words;
use crate::search::sentences::why;
use crate::search::squares::{self, Finding};
use crate::words::{Language, grouped, tr, transform_name, transforms, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub method: Stepped,
    pub figure: Figure,
    /// The text next to the board, after the caption.
    pub children: Html,
}

/// The board of a figure with its buttons and the sentence of the step, beside the caption. The searches are short, so
/// each state is found by searching again from the start.
#[component]
pub fn Steps(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let &Props { method, ref figure, .. } = props;
    let size = figure.size;
    // The position relative to the step of the figure.
    let moved = use_state_eq(|| 0_i64);
    let is_first = *moved == 0;
    let state = state_at(method, size, figure.step.saturating_add_signed(*moved));
    let (step, view) = (state.snapshot().step, &state.snapshot().view);
    let button = |key: &str, icon: Icon, by: i64, enabled: bool| {
        let (setter, now) = (moved.setter(), *moved);
        let onclick = Callback::from(move |_: MouseEvent| setter.set(now + by));
        icon_button(None, tr!(language, key), icon, enabled, onclick)
    };
    let again = {
        let moved = moved.setter();
        Callback::from(move |_: MouseEvent| moved.set(0))
    };
    let label = tr!(language, "explanation.board", n = size, step = grouped(step));
    let mut rows = squares::rows(&state);
    hatch(&mut rows, method, view);
    if is_first {
        Row::mark(&mut rows, figure.squares.iter().copied());
    }
    let finding = Finding::of(state.snapshot());
    let image = match (state.snapshot().event, view.placement()) {
        (Some(Event::Compare { transform, .. }), Some(solution)) => {
            Some(image(language, transform, &transform.apply(&solution)))
        }
        _ => None,
    };
    html! {
        <>
            <figure class="lesson-figure" data-testid="figure" data-step={step.to_string()}>
                <div class="figure-board">
                    { marked_board_with_lines(&rows, finding.attacks(), &label) }
                    if figure.registers { { row_words(language, view) } }
                </div>
                <div class="links">
                    { button("lesson.back", Icon::Back, -1, step > 0) }
                    { button("lesson.forward", Icon::Forward, 1, !state.is_done()) }
                    <span>{ tr!(language, "lesson.step", step = grouped(step)) }</span>
                    if !is_first {
                        <button id="first" type="button" onclick={again}>
                            { tr!(language, "lesson.to-first", step = grouped(figure.step)) }
                        </button>
                    }
                    <Link to={explore_address(&address, method, size, step)} id="to-step">
                        { tr!(language, "explanation.open", view = View::Explore.name(language)) }
                    </Link>
                </div>
                <p id="step-said" class="statement" aria-live="polite">{ why(language, state.snapshot()) }</p>
            </figure>
            <div class="lesson-side">
                <p id="caption" class="statement">{ with_code(&figure.caption) }</p>
                { for image }
                <details>
                    <summary>{ tr!(language, "lesson.legend") }</summary>
                    { legend(&signs(language, method, &rows, !finding.attacks().is_empty())) }
                </details>
                { props.children.clone() }
            </div>
        </>
    }
}

/// Renders the image with which a solution is compared.
fn image(language: Language, transform: Transform, image: &Placement) -> Html {
    let queens = Queens::from(image);
    let name = transform_name(language, transform);
    let noun = transforms::transform(language, transform);
    let label = tr!(language, "symmetries.image-label", name = noun, columns = image);
    html! {
        <div id="image" class="lesson-image">
            <span>{ tr!(language, "lesson.image", name = name) }</span>
            { marked_board(&plain(&queens, None), &label) }
        </div>
    }
}

/// A sign on the board, as paths with the classes of [`marked_board`] or as a letter with its class, and its meaning.
struct Sign {
    paths: Vec<(&'static str, String)>,
    letter: Option<(&'static str, &'static str)>,
    meaning: String,
}

/// Returns the signs that occur on a board; `has_lines` says whether it has lines of attack.
fn signs(language: Language, method: Stepped, rows: &[Row], has_lines: bool) -> Vec<Sign> {
    let is_there = |is: fn(&SquareStyle) -> bool| rows.iter().flat_map(|row| &row.squares).any(is);
    let is_half = |square: &SquareStyle| square.closed() == Some(Rule::Half);
    let closed = || rows.iter().flat_map(|row| &row.squares).filter_map(SquareStyle::closed);
    let first_rule =
        Rule::ALL.into_iter().find(|&rule| rule != Rule::Half && closed().any(|one| one == rule));
    let text = |key: &str| tr!(language, format!("lesson.{key}"));
    let drawn = |key: &str, paths: &[(&'static str, &str)]| Sign {
        paths: paths.iter().map(|&(class, d)| (class, format!("M0 0{d}"))).collect(),
        letter: None,
        meaning: text(key),
    };
    let lettered = |key: &str, class: &'static str, letter: &'static str| Sign {
        paths: vec![],
        letter: Some((class, letter)),
        meaning: text(key),
    };
    let mut signs = vec![drawn("signs", &[("fresh", SQUARE)])];
    if is_there(SquareStyle::is_attacked) {
        let mut hatched = drawn("signs-hatched", &[("hatch", HATCH)]);
        if method == Stepped::Permutations {
            hatched.meaning += language.space();
            hatched.meaning += &text("signs-columns");
        }
        signs.push(hatched);
    }
    signs.extend(has_lines.then(|| drawn("signs-lines", &[("attack", "m6 6 28 28")])));
    signs.push(drawn("signs-row", &[("at-work", SQUARE), ("free", "m20 20h0")]));
    signs.extend(is_there(is_half).then(|| lettered("signs-half", "half", Rule::Half.sign())));
    signs.extend(first_rule.map(|rule| lettered("signs-rules", rule.id(), rule.sign())));
    let has_cells = is_there(|square| square.cell.is_some());
    signs.extend(has_cells.then(|| lettered("signs-cells", "cell-letter", "A")));
    signs
}

/// Renders the legend of a board, with a picture of each sign.
fn legend(signs: &[Sign]) -> Html {
    let items = signs.iter().map(|Sign { paths, letter, meaning }| {
        let paths = paths.iter().map(|(class, d)| html! { <path class={*class} d={d.clone()} /> });
        let letter = letter.map(|(class, letter)| {
            html! { <text class={classes!("sign", class)} x="20" y="20" dy=".36em">{ letter }</text> }
        });
        html! {
            <li>
                <svg class="marked-board" viewBox="0 0 40 40" aria-hidden="true">
                    <path class="light" d={format!("M0 0{SQUARE}")} />{ for paths }{ for letter }
                </svg>
                <span>{ meaning }</span>
            </li>
        }
    });
    html! { <ul class="lesson-signs soft">{ for items }</ul> }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Size;

    use super::*;
    use crate::address::Address;
    use crate::parts::rendered::{elements, rendered, rendered_at};
    use crate::views::learn::Lesson;

    #[test]
    fn a_dead_end_has_a_line_to_each_square_of_its_row() {
        let (address, problems) = Address::parse("?view=lesson&lesson=backtracking&seed=0");
        assert!(problems.is_empty(), "{problems:?}");
        let html = rendered_at(Language::English, address, html! { <Lesson /> });
        let [said] = elements(&html, "id=\"step-said\"")[..] else { panic!() };
        assert!(said.content().starts_with("Dead end: "), "{}", said.content());
        let [figure] = elements(&html, "data-testid=\"figure\"")[..] else { panic!() };
        let [lines] = elements(figure.inner(), "class=\"attack\"")[..] else { panic!() };
        assert_eq!(lines.attribute("d").unwrap().matches('M').count(), 4);
    }

    #[test]
    fn each_sign_of_the_legend_has_a_picture() {
        for &method in Stepped::ALL {
            let state = state_at(method, Size::new(5).unwrap(), 20);
            let signs = signs(Language::English, method, &squares::rows(&state), true);
            let html = rendered(Language::English, legend(&signs));
            let pictures = elements(&html, "class=\"marked-board\"");
            assert_eq!(pictures.len(), signs.len());
            for picture in pictures {
                let drawn = ["<path", "<text"].map(|part| picture.inner().matches(part).count());
                assert!(drawn.iter().sum::<usize>() >= 2, "{method}: {html}");
            }
        }
    }

    #[test]
    fn the_sample_of_the_rules_is_a_sign_that_occurs() {
        let (mut samples, size) = (vec![], Size::new(6).unwrap());
        for step in 0..300 {
            let rows = squares::rows(&state_at(Stepped::Symmetry, size, step));
            let signs = signs(Language::English, Stepped::Symmetry, &rows, false);
            let rules = rows.iter().flat_map(|row| &row.squares).filter_map(SquareStyle::closed);
            let rules: Vec<_> = rules.map(Rule::sign).collect();
            let letters = signs.iter().filter_map(|sign| sign.letter).map(|(_, letter)| letter);
            let sample = letters.filter(|&letter| letter != "A").next_back();
            assert_eq!(sample.is_some(), !rules.is_empty(), "step {step}");
            assert!(sample.is_none_or(|sample| rules.contains(&sample)), "step {step}");
            samples.extend(sample);
        }
        samples.sort_unstable();
        samples.dedup();
        assert_eq!(samples, ["1", "2", "3", "X"]);
    }

    #[test]
    fn the_legend_mentions_hatching_only_if_present() {
        let size = Size::new(4).unwrap();
        let legend = |method: Stepped, step: u64| {
            let state = state_at(method, size, step);
            let mut rows = squares::rows(&state);
            hatch(&mut rows, method, &state.snapshot().view);
            let hatched = rows.iter().flat_map(|row| &row.squares).any(SquareStyle::is_attacked);
            let texts = Language::ALL.map(|language| {
                let signs = signs(language, method, &rows, false);
                signs.into_iter().map(|sign| sign.meaning).collect::<String>()
            });
            let says = [("Hatched", 0), ("斜線", 1)].map(|(word, at)| texts[at].contains(word));
            assert_eq!(says, [hatched; 2], "{texts:?}");
            hatched
        };
        assert!((0..40).all(|step| !legend(Stepped::BruteForce, step)));
        assert!((0..40).any(|step| legend(Stepped::Backtracking, step)));
    }
}
