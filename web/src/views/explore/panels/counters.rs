//! The work counters up to the displayed step.

use queens_core::{Class, Facts, Rule, Work};
use yew::prelude::*;

use crate::parts::term::TermLink;
use crate::search::work_unit::WorkUnit;
use crate::words::{Language, Term, grouped, tr};

/// The counters that apply to the method, and its classes if it counts them.
pub fn counters(language: Language, work: &Work, facts: &Facts) -> Html {
    let counter = |id: String, word: Option<Term>, name: String, count: u64| {
        let name = match word {
            Some(word) => html! { <TermLink {word}>{ name }</TermLink> },
            None => name.into(),
        };
        html! {
            <div class="counter">
                <dt>{ name }</dt>
                <dd id={format!("counter-{id}")} data-count={count.to_string()}>{ grouped(count) }</dd>
            </div>
        }
    };
    let units = WorkUnit::ALL.into_iter().filter(|unit| unit.applies_to(facts));
    let units = units.map(|unit| {
        let name = tr!(language, format!("work.{}", unit.id()));
        counter(unit.id().into(), None, name, unit.count(work))
    });
    let rules = facts.rules.iter().map(|&rule| {
        let name = match rule {
            Rule::Half => tr!(language, "work.closed-half"),
            _ => tr!(language, "work.closed-by", sign = rule.sign()),
        };
        counter(rule.id().into(), Some(Term::of_rule(rule)), name, work.cut_by(rule))
    });
    // Only N = 1 has a class of one solution.
    let one = work.tally.class(Class::One);
    let classes = Class::ALL.iter().filter(|_| facts.counts_classes()).filter_map(|&class| {
        let shown = class != Class::One || one > 0;
        let name = format!("COUNT{class}");
        let count = work.tally.class(class);
        shown.then(|| counter(name.to_ascii_lowercase(), Some(Term::TOTAL), name, count))
    });
    html! {
            <dl class="counters">
                { for units }
                { counter("attacked".into(), Some(Term::ATTACK), tr!(language, "work.attacked"), work.attacked) }
                { for rules }
                if facts.counts_classes() {
                    { counter("comparisons".into(), Some(Term::COMPARISON), tr!(language, "work.comparisons"), work.comparisons) }
                }
                { counter("solutions".into(), None, tr!(language, "work.solutions"), work.tally.met()) }
                { for classes }
                { counter("total".into(), facts.counts_classes().then_some(Term::TOTAL), tr!(language, "work.total"), work.tally.total().unwrap_or(u64::MAX)) }
            </dl>
    }
}
