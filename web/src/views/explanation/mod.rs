//! The article, which opens Learn: why classes have 2, 4 or 8 members, how a search uses that, and how to count
//! without visiting solutions.

mod colours;
mod context;
mod figure;
mod layers;
mod search;

use serde_json::Value;
use yew::prelude::*;

use crate::address::{use_address, use_section};
use crate::parts::back::Back;
use crate::parts::code::with_code;
use crate::words::{long_texts, tr, use_language};
use context::FigureContext;
use figure::Figure;

#[component]
pub fn Explanation() -> Html {
    let language = use_language();
    let (address, _) = use_address();
    use_section();
    article(FigureContext { language, address: &address }, long_texts::article(language))
}

fn article(context: FigureContext, text: &Value) -> Html {
    let language = context.language;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let sections = list(&text["sections"]);
    let contents = sections.iter().map(|section| {
        html! { <li><a href={format!("#{}", string(&section["id"]))}>{ string(&section["title"]) }</a></li> }
    });
    let body = sections.iter().map(|section| {
        let id = string(&section["id"]);
        let blocks = list(&section["blocks"]);
        let heading = Some(html! { <h2 id={id.clone()}>{ string(&section["title"]) }</h2> });
        html! {
            <section key={id.clone()} aria-labelledby={id.clone()}>
                { for ideas(&blocks).enumerate().map(|(index, blocks)| idea(context, heading.clone().filter(|_| index == 0), blocks)) }
            </section>
        }
    });
    html! {
        <article class="explanation" lang={language.id()}>
            <Back />
            <h1>{ string(&text["title"]) }</h1>
            <p class="statement">{ string(&text["lead"]) }</p>
            <details id="contents">
                <summary>{ tr!(language, "explanation.contents") }</summary>
                <nav aria-label={tr!(language, "explanation.contents")}><ol>{ for contents }</ol></nav>
            </details>
            { for body }
        </article>
    }
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Splits the blocks of a section into ideas: paragraphs and the figures that follow them.
fn ideas(blocks: &[Value]) -> impl Iterator<Item = &[Value]> {
    blocks.chunk_by(|block, next| block["figure"].is_null() || !next["figure"].is_null())
}

/// Renders an idea, its figures next to its paragraphs. The first one of a section has its heading.
fn idea(context: FigureContext, heading: Option<Html>, blocks: &[Value]) -> Html {
    let is_figure = |block: &&Value| !block["figure"].is_null();
    let (figures, texts): (Vec<_>, Vec<_>) = blocks.iter().partition(is_figure);
    let wanted = context.address.section.as_deref();
    let figures = figures.into_iter().filter_map(|block| {
        let figure = Figure::read(&block["figure"])?;
        Some(context.show(figure, block["caption"].as_str().unwrap_or_default()))
    });
    html! {
        <div class="idea">
            <div>{ for heading }{ for texts.into_iter().map(|text| paragraph(text, wanted)) }</div>
            <div class="idea-figures">{ for figures }</div>
        </div>
    }
}

/// Renders a paragraph, which is highlighted if its id is `wanted`.
fn paragraph(block: &Value, wanted: Option<&str>) -> Html {
    let id = block["id"].as_str();
    let class = (id.is_some() && id == wanted).then_some("wanted");
    let text = block["text"].as_str().unwrap_or_default();
    html! { <p id={id.map(str::to_owned)} {class}>{ with_code(text) }</p> }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Event, Square, Timeline, representative};

    use super::*;
    use crate::address::Address;
    use crate::parts::rendered::rendered;
    use crate::words::Language;

    const TEXTS: [&str; 2] = [
        include_str!("../../../text/explanation.en.json"),
        include_str!("../../../text/explanation.ja.json"),
    ];

    fn sections(text: &str) -> Vec<Value> {
        serde_json::from_str::<Value>(text).unwrap()["sections"].as_array().unwrap().clone()
    }

    #[test]
    fn both_languages_have_the_same_sections_and_figures() {
        let [english, japanese] = TEXTS.map(sections);
        assert_eq!(english.len(), japanese.len());
        for (en, ja) in english.iter().zip(&japanese) {
            assert_eq!(en["id"], ja["id"]);
            let (en, ja) = (en["blocks"].as_array().unwrap(), ja["blocks"].as_array().unwrap());
            assert_eq!(en.len(), ja.len());
            for (en, ja) in en.iter().zip(ja) {
                assert_eq!((&en["figure"], &en["id"]), (&ja["figure"], &ja["id"]));
                for block in [en, ja] {
                    let is_figure = !block["figure"].is_null();
                    let text = if is_figure { &block["caption"] } else { &block["text"] };
                    assert!(!text.as_str().unwrap().is_empty());
                }
            }
        }
    }

    /// The solution that rule 3 prevents has a smaller image, but that image need not be the
    /// representative, nor be found by the search.
    #[test]
    fn the_caption_of_rule_3_names_no_image_as_the_representative() {
        let untrue = [
            ["found elsewhere and stands for", "stands for its class"],
            ["より小さい像が別のところで見つかり", "グループを代表します"],
        ];
        for (text, untrue) in TEXTS.into_iter().zip(untrue) {
            let cuts = sections(text).into_iter().find(|section| section["id"] == "cuts").unwrap();
            let last = cuts["blocks"].as_array().unwrap().last().unwrap().clone();
            assert_eq!(last["figure"]["rule"], "last-row");
            let caption = last["caption"].as_str().unwrap();
            assert!(untrue.iter().all(|untrue| !caption.contains(untrue)), "{caption}");
            // The board with a queen on the closed square.
            let Some(Figure::Search(spec)) = Figure::read(&last["figure"]) else {
                panic!("a search")
            };
            let size = spec.size;
            let mut timeline = Timeline::new(spec.method, size);
            while !timeline.seek(spec.step().unwrap(), u64::MAX) {}
            let Some(Event::Cut { row, squares, .. }) = timeline.last() else { panic!("a cut") };
            let square = Square::of_bits(size, row, squares).unwrap();
            let queens = timeline.view().placed().toggled(square);
            assert_eq!(queens.conflicts().next(), None, "it would complete a solution");
            let board = queens.placement().expect("a queen in each row");
            assert!(representative(&board) < board, "it has a smaller image");
        }
    }

    #[test]
    fn a_figure_belongs_to_the_paragraphs_before_it() {
        let blocks = ["a", "b", "1", "2", "c", "3", "d"].map(|name| match name.parse::<u32>() {
            Ok(number) => serde_json::json!({ "figure": number }),
            Err(_) => serde_json::json!({ "text": name }),
        });
        assert_eq!(ideas(&blocks).map(<[Value]>::len).collect::<Vec<_>>(), [4, 2, 1]);
    }

    /// The text about N = 20 has numbers of the core and of docs/scale.md and docs/performance.md.
    #[test]
    fn the_numbers_of_a_large_board_are_right() {
        let row = |document: &'static str| {
            document.lines().find(|line| line.starts_with("| 20 |")).unwrap()
        };
        let pairs = row(include_str!("../../../../docs/scale.md"));
        let seconds = row(include_str!("../../../../docs/performance.md"));
        assert!(pairs.contains("| 46,508 |") && seconds.starts_with("| 20 | 10.7 |"));
        let total = crate::words::grouped(queens_core::known::known(20).unwrap().total());
        for text in TEXTS {
            let section = sections(text).into_iter().find(|section| section["id"] == "product");
            let text = section.unwrap().to_string();
            for number in [&*total, "46,508", "10.7"] {
                assert!(text.contains(number), "{number}: {text}");
            }
        }
    }

    #[test]
    fn every_figure_shows_an_existing_state_and_leads_to_it() {
        let show = |figure| {
            let context =
                FigureContext { language: Language::English, address: &Address::default() };
            rendered(Language::English, context.show(figure, ""))
        };
        let mut figures = 0;
        for section in sections(TEXTS[0]) {
            for block in section["blocks"].as_array().unwrap() {
                if block["figure"].is_null() {
                    continue;
                }
                let figure = Figure::read(&block["figure"]).expect("a figure");
                assert!(figure.exists(), "{}", block["figure"]);
                if let Figure::Search(spec) = &figure {
                    let step = format!("step={}\"", spec.step().unwrap());
                    let html = show(figure.clone());
                    assert!(html.contains(&step), "{step}: {html}");
                }
                figures += 1;
            }
        }
        assert!(figures >= 15, "{figures}");
    }
}
