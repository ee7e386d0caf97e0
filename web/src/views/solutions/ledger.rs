//! The table of classes by size, with Burnside's lemma.

use queens_core::{Class, Size, known::known};
use yew::prelude::*;

use super::search::Search;
use crate::address::{Address, ClassFilter, Kind};
use crate::parts::link::Link;
use crate::parts::term::{TermLink, with_term};
use crate::words::{Language, Term, grouped, tr};
use crate::worker::ClassLedger;

/// Renders the classes by size with their sum. `counts` are the numbers of classes of size 1, 2, 4 and 8.
/// `is_counted_here` says whether the page counted them. If so, the names link to boards.
fn ledger(language: Language, address: &Address, counts: [u64; 4], is_counted_here: bool) -> Html {
    let sizes = sizes(counts);
    let unique: u64 = sizes.iter().map(|&(_, count)| count).sum();
    let total = members(&sizes);
    let lines = sizes.iter().map(|&(class, count)| {
        let class_filter = ClassFilter { kind: Kind::Of(class), ..ClassFilter::default() };
        let to = Address { class_filter, ..address.clone() };
        let size = tr!(language, "classes.of", class = class);
        let size = if is_counted_here {
            html! { <Link {to} class="summand">{ size }</Link> }
        } else {
            html! { { size } }
        };
        let name = html! { <>{ size }{ " " }<small class="soft">{ name(class) }</small></> };
        html! {
            <tr key={class.members()} data-class={class.to_string()}>
                <th scope="row">{ name }</th>
                <td class="number">{ grouped(count) }</td>
                <td class="product">{ term((class, count)) }</td>
                <td>{ grouped(members(&[(class, count)])) }</td>
            </tr>
        }
    });
    html! {
            <table class="ledger" id="ledger">
                <caption class="hidden-text">{ tr!(language, "classes.ledger") }</caption>
                <thead>
                    <tr>
                        <td></td>
                        <th scope="col">{ tr!(language, "classes.column-classes") }</th>
                        <th scope="col" colspan="2">
                            <TermLink word={Term::TOTAL}>{ tr!(language, "classes.column-solutions") }</TermLink>
                        </th>
                    </tr>
                </thead>
                <tbody>{ for lines }</tbody>
                <tfoot>
                    <tr>
                        <th scope="row">{ tr!(language, "classes.sum") }</th>
                        <td id="unique">{ grouped(unique) }</td>
                        <td class="product"></td>
                        <td id="total">{ grouped(total) }</td>
                    </tr>
                </tfoot>
            </table>
    }
}

/// Returns the counts of the class sizes that can occur: only size 1 for N = 1, and never size 1 for
/// other N.
pub fn sizes([one, two, four, eight]: [u64; 4]) -> Vec<(Class, u64)> {
    if one > 0 {
        return vec![(Class::One, one)];
    }
    vec![(Class::Two, two), (Class::Four, four), (Class::Eight, eight)]
}

/// Returns the name of a class's counter as in the seed programs, which have none for size 1.
fn name(class: Class) -> &'static str {
    match class {
        Class::One => "COUNT1",
        Class::Two => "COUNT2",
        Class::Four => "COUNT4",
        Class::Eight => "COUNT8",
    }
}

/// Writes the members of some classes of a size as a product.
pub fn term((class, count): (Class, u64)) -> String {
    format!("{class} · {}", grouped(count))
}

/// Returns the number of all members of classes.
pub fn members(classes: &[(Class, u64)]) -> u64 {
    classes.iter().map(|(class, count)| class.members() * count).sum()
}

/// Renders the members of all classes as a sum, such as 4 · 1 + 8 · 11 = 92, with each term under its column.
pub fn sum(sizes: &[(Class, u64)]) -> Html {
    let terms = sizes.iter().enumerate().map(|(index, &size)| {
        let plus = if index > 0 { " + " } else { "" };
        let total = (index + 1 == sizes.len()).then(|| format!(" = {}", grouped(members(sizes))));
        html! { <span>{ plus }{ term(size) }{ total }</span> }
    });
    html! { <>{ for terms }</> }
}

/// Renders Burnside's lemma with its numbers; nothing for N = 1, to which it does not apply. If the page counted
/// the classes, each number links to the boards that it counts, and the verdict on the lemma is shown. Published
/// numbers always agree with it, because H and R are computed from them.
fn burnside(
    language: Language,
    address: &Address,
    ledger: &ClassLedger,
    is_counted_here: bool,
) -> Html {
    let ClassLedger { numbers, turns } = *ledger;
    if numbers.class(Class::One) > 0 {
        return html! {};
    }
    let term = |number: u64, kind: Kind| {
        let text = grouped(number);
        if !is_counted_here {
            return html! { { text } };
        }
        let class_filter = ClassFilter { kind, ..ClassFilter::default() };
        html! { <Link to={Address { class_filter, ..address.clone() }} class="summand">{ text }</Link> }
    };
    let agrees = ledger.agrees();
    let (equals, verdict) = if agrees {
        (" / 8 = ", tr!(language, "classes.agrees"))
    } else {
        let unique = grouped(numbers.unique());
        (" / 8 ≠ ", tr!(language, "classes.disagrees", unique = unique))
    };
    html! {
        <dl class="formulas" id="formula-burnside">
            <dt>{ with_term(language, &tr!(language, "classes.formula-burnside"), Term::BURNSIDE) }</dt>
            <dd class="mono">
                { "(" }{ term(numbers.total(), Kind::All) }
                { " + " }{ term(turns.half, Kind::HalfTurn) }
                { " + 2·" }{ term(turns.quarter, Kind::Of(Class::Two)) }
                { ")" }{ equals }{ term(numbers.unique(), Kind::All) }
            </dd>
            if is_counted_here {
                <dd class={if agrees { "verdict good" } else { "verdict bad" }}>{ verdict }</dd>
            }
        </dl>
    }
}

/// Renders the ledger of a search and, once all sums are known, Burnside's lemma. `has_links` says whether each
/// number links to its boards.
pub fn of_search(language: Language, address: &Address, search: &Search, has_links: bool) -> Html {
    let counts = Class::ALL.map(|class| search.count(class));
    let sums = search.ledger.as_ref();
    let lemma = sums.map(|sums| burnside(language, address, sums, has_links));
    html! { <>{ ledger(language, address, counts, has_links) }{ for lemma }</> }
}

/// Returns the published number of classes and the ledger of published numbers, for boards with too
/// many classes to search here. Returns `None` if no numbers are published.
pub fn of_known(language: Language, address: &Address, size: Size) -> Option<(u64, Html)> {
    let numbers = *known(size.get())?;
    let counts = Class::ALL.map(|class| numbers.class(class));
    let sums = ClassLedger { numbers, turns: numbers.turns() };
    let (ledger, lemma) =
        (ledger(language, address, counts, false), burnside(language, address, &sums, false));
    Some((numbers.unique(), html! { <>{ ledger }{ lemma }</> }))
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Placement, Transform, oracle, representative};

    use super::super::search::{Board, Boards};
    use super::*;
    use crate::address::View;
    use crate::parts::rendered::{elements, rendered};

    fn text_of(html: &Html) -> String {
        match html {
            Html::VText(text) => text.text.to_string(),
            Html::VTag(tag) => tag.children().map(text_of).unwrap_or_default(),
            Html::VList(list) => list.iter().map(text_of).collect(),
            _ => String::new(),
        }
    }

    /// Returns the numbers of a formula, which ends where text begins.
    fn numbers(formula: &str) -> Vec<u64> {
        let end = formula.find(char::is_alphabetic).unwrap_or(formula.len());
        let formula = formula[..end].replace(',', "");
        let numbers = formula.split(|sign: char| !sign.is_ascii_digit());
        numbers.filter_map(|number| number.parse().ok()).collect()
    }

    #[test]
    fn only_n_1_has_a_class_of_1() {
        let sizes = |counts| sizes(counts).into_iter().map(term).collect::<Vec<_>>();
        assert_eq!(sizes([1, 0, 0, 0]), ["1 · 1"]);
        assert_eq!(sizes([0, 0, 1, 11]), ["2 · 0", "4 · 1", "8 · 11"]);
        assert_eq!(members(&[(Class::Four, 1), (Class::Eight, 11)]), 92);
    }

    #[test]
    fn published_numbers_satisfy_the_formulas() {
        let shown = |n: u32| {
            of_known(Language::English, &Address::default(), Size::new(n).unwrap())
                .map(|(_, html)| text_of(&html))
        };
        for n in 4..=27 {
            let shown = shown(n).unwrap();
            let (_, formula) = shown.rsplit_once('(').unwrap();
            let [all, half, 2, quarter, 8, unique] = numbers(formula)[..] else {
                panic!("{formula}")
            };
            let known = known(n).unwrap();
            assert_eq!((all, all + half + 2 * quarter), (known.total(), 8 * unique), "N = {n}");
        }
        assert_eq!(shown(28), None);
    }

    /// All solutions of N = `n`.
    fn solutions(n: u32) -> Vec<Placement> {
        let mut found = vec![];
        oracle::solutions(Size::new(n).unwrap(), &mut |placement: &Placement| {
            found.push(*placement);
        });
        found
    }

    /// The representatives of N = `n`, by the size of their class.
    fn boards(n: u32) -> [Boards; 4] {
        let representatives: Vec<_> =
            solutions(n).into_iter().filter(|board| representative(board) == *board).collect();
        Class::ALL.map(|class| {
            let boards = representatives.iter().filter(|board| Class::of(board) == class);
            boards.map(|&placement| Board { placement, number: 1, step: 0 }).collect()
        })
    }

    /// The number in a term is the number of boards to which the term links, or the number of solutions
    /// that these boards represent.
    #[test]
    fn terms_link_to_the_boards_that_they_count() {
        for n in [5, 8] {
            let all = solutions(n);
            let fixed = |transform: Transform| {
                all.iter().filter(|board| transform.apply(board) == **board).count() as u64
            };
            let (total, half) = (all.len() as u64, fixed(Transform::Turn180));
            let quarter = fixed(Transform::Turn90);
            let boards = boards(n);
            let search = Search {
                groups: boards.clone(),
                ledger: Some(ClassLedger {
                    numbers: *known(n).unwrap(),
                    turns: known(n).unwrap().turns(),
                }),
                ..Search::default()
            };
            let address =
                Address::default().with_view(View::Solutions).with_size(Size::new(n).unwrap());
            let html =
                rendered(Language::English, of_search(Language::English, &address, &search, true));
            let terms = |formula: &str| -> Vec<(String, u64, u64)> {
                let formula = elements(&html, &format!("id=\"{formula}\""))[0];
                let terms = elements(formula.inner(), "class=\"summand\"");
                let terms = terms.iter().map(|term| {
                    let (to, _) = Address::parse(&term.attribute("href").unwrap());
                    assert_eq!(to.size, address.size);
                    let linked: Vec<_> = search.filtered(to.class_filter).collect();
                    let represented = linked.iter().map(|(class, _)| class.members()).sum();
                    (term.content(), represented, linked.len() as u64)
                });
                terms.collect()
            };
            let unique = search.unique();
            let everything = (total.to_string(), total, unique);
            let fixed_by_half_turn: u64 =
                [Class::Two, Class::Four].map(|class| search.count(class)).iter().sum();
            let expected = vec![
                everything.clone(),
                (half.to_string(), half, fixed_by_half_turn),
                (quarter.to_string(), quarter, search.count(Class::Two)),
                (unique.to_string(), total, unique),
            ];
            assert_eq!(terms("formula-burnside"), expected, "N = {n}");
            let line = format!("({total} + {half} + 2·{quarter}) / 8 = {unique}");
            let formula = elements(&html, "id=\"formula-burnside\"")[0];
            assert_eq!(elements(formula.inner(), "class=\"mono\"")[0].content(), line);
        }
    }
}
