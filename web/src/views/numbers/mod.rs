//! Words and numbers: the glossary, the known numbers of all boards, and the work of the methods.

mod work;

use queens_core::known::known;
use queens_core::{Numbers as Known, Size};
use yew::prelude::*;

use crate::address::{Address, View, use_address, use_section};
use crate::parts::back::Back;
use crate::parts::link::{Link, follow};
use crate::parts::table::{Column, cells, framed, heads};
use crate::words::{Language, Term, grouped, ratio_text, tr, use_language};
use work::Work;

#[component]
pub fn Numbers() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    use_section();
    let onclick = Callback::from(move |event: MouseEvent| follow(&navigate, &event));
    let groups = Term::GROUPS.map(|(id, terms)| {
        html! {
            <section aria-labelledby={id}>
                <h2 {id}>{ tr!(language, format!("learn.group.{id}")) }</h2>
                <dl>{ for terms.iter().map(|&term| entry(language, &address, term)) }</dl>
            </section>
        }
    });
    html! {
        <article class="learn numbers">
            <Back />
            <h1>{ View::Numbers.name(language) }</h1>
            <nav class="links" aria-label={tr!(language, "explanation.contents")}>
                { for contents(language) }
            </nav>
            { for groups }
            <section>
                <h2 id="known">{ tr!(language, "numbers.known") }</h2>
                <p>{ tr!(language, "numbers.lead") }</p>
                <div {onclick}>{ table(language, &address) }</div>
                { sources(language) }
            </section>
            <Work />
        </article>
    }
}

/// Renders the links to all sections.
fn contents(language: Language) -> impl Iterator<Item = Html> {
    let groups = Term::GROUPS.map(|(id, _)| (id, format!("learn.group.{id}")));
    let tables = ["known", "work"].map(|id| (id, format!("numbers.{id}")));
    groups.into_iter().chain(tables).map(move |(id, name)| {
        html! { <a href={format!("#{id}")}>{ tr!(language, name) }</a> }
    })
}

/// Returns the boards with published numbers.
fn published() -> impl Iterator<Item = (Size, &'static Known)> {
    Size::all().map_while(|size| Some((size, known(size.get())?)))
}

/// The columns of the table: the board, its numbers, and how often its total has that of the board before.
const COLUMNS: [Column<Address, (Size, Known)>; 6] = [
    Column::new("N", "", |address: &Address, (size, _)| {
        let to = Address { view: View::Solutions, stacks_images: true, ..address.with_size(*size) };
        html! { <a class="row-link" href={to.to_query()}>{ size.get() }</a> }
    }),
    Column::new("numbers.total", "", |_, (_, known)| html! { grouped(known.total()) }),
    Column::new("numbers.growth", "", |_, (size, numbers)| {
        let before = known(size.get() - 1).map(Known::total);
        let both = before.filter(|&before| before > 0 && numbers.total() > 0);
        html! { both.map_or("–".to_owned(), |before| ratio(numbers.total(), before)) }
    }),
    Column::new("numbers.unique", "", |_, (_, known)| html! { grouped(known.unique()) }),
    Column::new("H", "", |_, (_, known)| html! { grouped(known.turns().half) }),
    Column::new("R", "", |_, (_, known)| html! { grouped(known.turns().quarter) }),
];

/// How often a number has another one.
fn ratio(more: u64, less: u64) -> String {
    format!("× {}", ratio_text(more as f64 / less as f64))
}

fn table(language: Language, address: &Address) -> Html {
    let rows = published().map(|(size, known)| {
        html! { <tr data-n={size.to_string()}>{ cells(&COLUMNS, address, &(size, *known)) }</tr> }
    });
    let name = tr!(language, "numbers.known");
    framed("numbers", name, heads(language, &COLUMNS), rows.collect())
}

/// The sources of the published numbers, with their OEIS sequences.
fn sources(language: Language) -> Html {
    let unique = tr!(language, "numbers.unique");
    let sequences = [("Q", "A000170"), (&*unique, "A002562"), ("H", "A032522"), ("R", "A033148")];
    let sequences = sequences.into_iter().enumerate().map(|(index, (name, id))| {
        let separator = if index == 0 { language.space() } else { language.comma() };
        html! {
            <>
                { separator }
                <span class="sequence">
                    { name }{ " " }<a href={format!("https://oeis.org/{id}")}>{ id }</a>
                </span>
            </>
        }
    });
    html! { <p class="hint">{ tr!(language, "numbers.sources") }{ for sequences }</p> }
}

/// A glossary entry: a term, which leads to its section of the article, and its meaning.
fn entry(language: Language, address: &Address, term: Term) -> Html {
    let wanted = address.section.as_deref() == Some(term.id());
    html! {
        <div class={classes!("word", wanted.then_some("wanted"))} id={term.id()}>
            <dt>
                <Link to={address.reading(View::Explanation, term.section)}>{ term.name(language) }</Link>
            </dt>
            <dd>
                <p>{ term.tip(language) }</p>
                <p>{ term.more(language) }</p>
            </dd>
        </div>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{rendered, texts};
    use queens_core::known::LARGEST_KNOWN;

    #[test]
    fn the_table_has_the_published_numbers_and_their_growth() {
        let html = rendered(Language::English, table(Language::English, &Address::default()));
        let texts = texts(&html);
        let cells: Vec<_> = texts.lines().collect();
        let (heads, rows) = cells.split_at(6);
        assert_eq!(heads, ["N", "Total, Q", "Growth", "Unique", "H", "R"]);
        let rows: Vec<_> = rows.chunks(6).collect();
        assert_eq!(rows.len(), LARGEST_KNOWN as usize);
        // There is no solution for N = 2 and 3.
        assert_eq!(rows[3], ["4", "2", "–", "1", "2", "2"]);
        assert_eq!(rows[7], ["8", "92", "× 2.30", "12", "4", "0"]);
        assert_eq!(rows[26][1..3], ["234,907,967,154,122,528", "× 11"]);
    }
}
