//! The ledger: how the classes add up to all solutions, and Burnside's formula beside it.

use queens_core::{Class, Size, known::known};
use yew::prelude::*;

use super::search::{Search, State};
use crate::i18n::{Language, grouped, tr, use_language};
use crate::worker::ClassLedger;

/// What the ledger needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The classes by size: 1, 2, 4, 8.
    pub counts: [u64; 4],
    /// The sums, once they are complete.
    pub ledger: Option<ClassLedger>,
    /// Whether the classes were counted here, so that agreement means something.
    #[prop_or_default]
    pub counted: bool,
}

/// The classes by their size and their sum, as a table, and the formulas.
#[component]
pub fn Ledger(props: &Props) -> Html {
    let language = use_language();
    let rows = rows(props.counts);
    let unique: u64 = rows.iter().map(|&(_, count)| count).sum();
    let total: u64 = rows.iter().map(|&(class, count)| class.members() * count).sum();
    let lines = rows.iter().map(|&(class, count)| {
        let product = format!("{class} × {}", grouped(count));
        html! {
            <tr key={class.members()} data-class={class.to_string()}>
                <th scope="row">{ name(class) }</th>
                <td class="count">{ grouped(count) }</td>
                <td class="product">{ product }</td>
                <td>{ grouped(class.members() * count) }</td>
            </tr>
        }
    });
    html! {
        <>
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
            if let Some(ledger) = props.ledger {
                { formulas(language, &rows, &ledger, props.counted) }
            }
        </>
    }
}

/// The kinds of class that can occur: N = 1 is a class of 1 and has no others.
fn rows([one, two, four, eight]: [u64; 4]) -> Vec<(Class, u64)> {
    if one > 0 {
        return vec![(Class::One, one)];
    }
    vec![(Class::Two, two), (Class::Four, four), (Class::Eight, eight)]
}

/// The seeds' name of a count.
fn name(class: Class) -> &'static str {
    match class {
        Class::One => "COUNT1",
        Class::Two => "COUNT2",
        Class::Four => "COUNT4",
        Class::Eight => "COUNT8",
    }
}

fn formulas(
    language: Language,
    rows: &[(Class, u64)],
    ledger: &ClassLedger,
    counted: bool,
) -> Html {
    let sum: Vec<String> =
        rows.iter().map(|(class, count)| format!("{class}·{}", grouped(*count))).collect();
    let agrees = ledger.burnside() == ledger.unique();
    let verdict = if agrees {
        tr!(language, "classes.agrees")
    } else {
        tr!(language, "classes.disagrees", unique = grouped(ledger.unique()))
    };
    let burnside = format!(
        "({} + {} + 2·{}) / 8 = {}",
        grouped(ledger.total()),
        grouped(ledger.half_turn),
        grouped(ledger.quarter_turn),
        grouped(ledger.burnside())
    );
    html! {
        <dl class="formulas">
            <div id="formula-total">
                <dt>{ tr!(language, "classes.formula-total") }</dt>
                <dd class="mono">{ format!("{} = {}", sum.join(" + "), grouped(ledger.total())) }</dd>
            </div>
            if ledger.count1 == 0 {
                <div id="formula-burnside">
                    <dt>{ tr!(language, "classes.formula-burnside") }</dt>
                    <dd class="mono">{ burnside }</dd>
                    if counted {
                        <dd class={if agrees { "verdict good" } else { "verdict bad" }}>{ verdict }</dd>
                    }
                </div>
            }
        </dl>
    }
}

/// What the ledger shows of a search.
pub fn of_search(search: &Search) -> Html {
    let counts = Class::ALL.map(|class| search.count(class));
    let ledger = match search.state {
        State::Done(ledger) => Some(ledger),
        State::Waiting | State::Running | State::Stopped => None,
    };
    html! { <Ledger {counts} {ledger} counted=true /> }
}

/// The ledger of published numbers, for boards with too many classes to search here.
pub fn of_known(size: Size) -> Option<(u64, Html)> {
    let known = known(size.get())?;
    let (count2, count4, count8) = known.classes?;
    let (half_turn, quarter_turn) = (known.half_turn, known.quarter_turn);
    let ledger = ClassLedger { count1: 0, count2, count4, count8, half_turn, quarter_turn };
    let counts = [0, count2, count4, count8];
    Some((known.unique, html! { <Ledger {counts} ledger={Some(ledger)} /> }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_numbers_satisfy_the_formulas() {
        for n in 15..=27 {
            assert!(of_known(Size::new(n).unwrap()).is_some(), "N = {n}");
        }
        assert!(of_known(Size::new(28).unwrap()).is_none());
    }
}
