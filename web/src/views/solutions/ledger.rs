//! The table of classes by size, with Burnside's lemma.

use queens_core::{Class, Size, known::known};
use yew::prelude::*;

use super::search::{Boards, Search};
use crate::parts::link::Link;
use crate::parts::term::{TermLink, with_term};
use crate::place::{Address, ClassFilter, Kind};
use crate::words::{Language, Term, grouped, tr};
use crate::worker::ClassLedger;

/// Renders the classes by size with their sum. `counts` are the numbers of classes of size 1, 2, 4 and 8.
/// `is_counted_here` says whether the page counted them. If so, the names link to boards.
fn ledger(language: Language, address: &Address, counts: [u64; 4], is_counted_here: bool) -> Html {
    let rows = rows(counts);
    let unique: u64 = rows.iter().map(|&(_, count)| count).sum();
    let total: u64 = rows.iter().map(|&(class, count)| class.members() * count).sum();
    let lines = rows.iter().map(|&(class, count)| {
        let product = format!("{class} × {}", grouped(count));
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
                <td class="product">{ product }</td>
                <td>{ grouped(class.members() * count) }</td>
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
                        <th scope="col" colspan="2">{ tr!(language, "classes.column-solutions") }</th>
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
fn rows([one, two, four, eight]: [u64; 4]) -> Vec<(Class, u64)> {
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

/// Renders the formulas with their numbers. If the page counted the classes, each number links to the
/// boards that it counts, and the verdict on Burnside's lemma is shown. Published numbers always agree with
/// the lemma, because H and R are computed from them.
fn formulas_of(
    language: Language,
    address: &Address,
    counts: [u64; 4],
    ledger: &ClassLedger,
    is_counted_here: bool,
) -> Html {
    let term = |number: u64, class_filter: ClassFilter| {
        let text = grouped(number);
        if !is_counted_here {
            return html! { { text } };
        }
        let to = Address { class_filter, ..address.clone() };
        html! { <Link {to} class="summand">{ text }</Link> }
    };
    let filter = |kind: Kind| ClassFilter { kind, ..ClassFilter::default() };
    let rows = rows(counts);
    let sum = rows.iter().enumerate().map(|(place, &(class, count))| {
        let plus = if place > 0 { " + " } else { "" };
        html! { <>{ format!("{plus}{class}·") }{ term(count, filter(Kind::Of(class))) }</> }
    });
    let ClassLedger { numbers, turns } = *ledger;
    let agrees = ledger.agrees();
    let (equals, verdict) = if agrees {
        (" / 8 = ", tr!(language, "classes.agrees"))
    } else {
        let unique = grouped(numbers.unique());
        (" / 8 ≠ ", tr!(language, "classes.disagrees", unique = unique))
    };
    // N = 1 has only a class of size 1.
    let is_one = numbers.class(Class::One) > 0;
    let formula = if is_one {
        tr!(language, "classes.formula-total-one")
    } else {
        tr!(language, "classes.formula-total")
    };
    html! {
        <dl class="formulas">
            <div id="formula-total">
                <dt>
                    <TermLink word={Term::TOTAL}>{ formula }</TermLink>
                </dt>
                <dd class="mono">
                    { for sum }{ " = " }{ term(numbers.total(), filter(Kind::All)) }
                </dd>
            </div>
            if !is_one {
                <div id="formula-burnside">
                    <dt>
                        { with_term(language, &tr!(language, "classes.formula-burnside"), Term::BURNSIDE) }
                    </dt>
                    <dd class="mono">
                        { "(" }{ term(numbers.total(), filter(Kind::All)) }
                        { " + " }{ term(turns.half, filter(Kind::HalfTurn)) }
                        { " + 2·" }{ term(turns.quarter, filter(Kind::Of(Class::Two))) }
                        { ")" }{ equals }{ term(numbers.unique(), filter(Kind::All)) }
                    </dd>
                    if is_counted_here {
                        <dd class={if agrees { "verdict good" } else { "verdict bad" }}>{ verdict }</dd>
                    }
                </div>
            }
        </dl>
    }
}

/// Renders the number of solutions that the filtered boards represent. Some terms of the formulas
/// count solutions but link to representatives, which are fewer. Empty if all boards are shown,
/// because the status already gives the number, or if none is shown.
pub fn stands_for(language: Language, filter: ClassFilter, boards: &[Boards; 4]) -> Html {
    let counts =
        Class::ALL.into_iter().zip(boards).map(|(class, boards)| (class, boards.len() as u64));
    let shown: Vec<_> = counts.filter(|&(_, boards)| boards > 0).collect();
    if filter.is_all() || shown.is_empty() {
        return html! {};
    }
    let terms = shown.iter().map(|&(class, boards)| format!("{class}·{}", grouped(boards)));
    let sum = terms.collect::<Vec<_>>().join(" + ");
    let boards = grouped(shown.iter().map(|&(_, boards)| boards).sum());
    let total = grouped(shown.iter().map(|&(class, boards)| class.members() * boards).sum());
    html! {
        <p id="stands-for">
            { tr!(language, "classes.stands-for", boards = boards, sum = sum, total = total) }
        </p>
    }
}

/// Renders the ledger of a search and, once all sums are known, its formulas. `has_links` says whether each number
/// links to its boards.
pub fn of_search(language: Language, address: &Address, search: &Search, has_links: bool) -> Html {
    let counts = Class::ALL.map(|class| search.count(class));
    let formulas = search.ledger.as_ref();
    let formulas = formulas.map(|sums| formulas_of(language, address, counts, sums, has_links));
    html! { <>{ ledger(language, address, counts, has_links) }{ for formulas }</> }
}

/// Returns the published number of classes and the ledger of published numbers, for boards with too
/// many classes to search here. Returns `None` if no numbers are published.
pub fn of_known(language: Language, address: &Address, size: Size) -> Option<(u64, Html)> {
    let numbers = *known(size.get())?;
    let counts = Class::ALL.map(|class| numbers.class(class));
    let sums = ClassLedger { numbers, turns: numbers.turns() };
    let ledger = html! {
        <>
            { ledger(language, address, counts, false) }
            { formulas_of(language, address, counts, &sums, false) }
        </>
    };
    Some((numbers.unique(), ledger))
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Placement, Transform, oracle, representative};

    use super::super::search::Board;
    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::place::First;

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

    /// Checks that the formulas name the counters of the classes in the table.
    #[test]
    fn n_1_has_its_own_formula() {
        for (language, key) in
            Language::ALL.into_iter().flat_map(|language| [(language, "-one"), (language, "")])
        {
            let formula = tr!(language, format!("classes.formula-total{key}"));
            let counts = if key.is_empty() { [0, 1, 1, 1] } else { [1, 0, 0, 0] };
            for class in Class::ALL {
                let is_in_table = rows(counts).iter().any(|&(each, _)| each == class);
                assert_eq!(formula.contains(name(class)), is_in_table, "{formula}");
            }
        }
    }

    #[test]
    fn published_numbers_satisfy_the_formulas() {
        let shown = |n: u32| {
            of_known(Language::English, &Address::default(), Size::new(n).unwrap())
                .map(|(_, html)| text_of(&html))
        };
        for n in 4..=27 {
            let shown = shown(n).unwrap();
            let (_, sum) = shown.split_once("2·").unwrap();
            let [two, 4, four, 8, eight, total] = numbers(sum)[..] else { panic!("{sum}") };
            assert_eq!(2 * two + 4 * four + 8 * eight, total, "N = {n}");
            let (_, formula) = shown.rsplit_once('(').unwrap();
            let [all, half, 2, quarter, 8, unique] = numbers(formula)[..] else {
                panic!("{formula}")
            };
            assert_eq!((all, all + half + 2 * quarter), (total, 8 * unique), "N = {n}");
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
            let address = Address { size: Size::new(n).unwrap(), ..Address::default() };
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
            let classes = [Class::Two, Class::Four, Class::Eight].map(|class| {
                let count = search.count(class);
                (count.to_string(), class.members() * count, count)
            });
            let everything = (total.to_string(), total, unique);
            let expected: Vec<_> = classes.iter().cloned().chain([everything.clone()]).collect();
            assert_eq!(terms("formula-total"), expected, "N = {n}");
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

    #[test]
    fn says_how_many_solutions_the_filtered_boards_represent() {
        let boards = boards(8);
        let search = Search { groups: boards, ..Search::default() };
        let said = |language, filter: ClassFilter| {
            let shown = Class::ALL.map(|class| {
                let group = search.group(class);
                if filter.kind.has(class) { group.filtered(filter) } else { Boards::default() }
            });
            texts(&rendered(language, stands_for(language, filter, &shown)))
        };
        let corner = ClassFilter { first: First::Corner, ..ClassFilter::default() };
        let half_turn = ClassFilter { kind: Kind::HalfTurn, ..ClassFilter::default() };
        let none = ClassFilter { kind: Kind::Of(Class::Two), ..ClassFilter::default() };
        for (language, expected) in Language::ALL.into_iter().zip([
            [
                "Representatives shown: 2. Solutions in these classes: 8·2 = 16.",
                "Representatives shown: 1. Solutions in these classes: 4·1 = 4.",
            ],
            [
                "表示中の代表は 2 個で、グループ全体では 8·2 = 16 個の解になります。",
                "表示中の代表は 1 個で、グループ全体では 4·1 = 4 個の解になります。",
            ],
        ]) {
            assert_eq!([corner, half_turn].map(|filter| said(language, filter)), expected);
            // Empty if all boards are shown, or none.
            assert_eq!(
                [ClassFilter::default(), none].map(|filter| said(language, filter)),
                ["", ""]
            );
        }
    }
}
