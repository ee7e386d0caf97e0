//! The names of the registers and bounds in the source code of each method.

use queens_core::{Form, Register, Stepped};
use yew::prelude::*;

use super::lines::listing;
use super::scroll::show_line;
use crate::parts::source::{Source, use_source};
use crate::parts::term::TermLink;
use crate::words::{Language, Term, tr, use_language};

/// The possible names of a register in the code. They include variables and functions that combine it
/// with others.
fn names(register: Register) -> &'static [&'static str] {
    const CLOSED: &[&str] = &["closed", "closing", "closed_at_bound2"];
    match register {
        Register::Mask => &["mask"],
        Register::TopBit => &["topbit", "sidemask", "SymmetryOps"],
        Register::EndBit => &["endbit", "SymmetryOps"],
        Register::SideMask => CLOSED,
        // Rule 2 in row BOUND2 closes squares without LASTMASK.
        Register::LastMask => &["closed", "closing"],
        Register::Left => &["left", "attacks", "flags"],
        Register::Down => &["down", "attacks", "flags", "taken"],
        Register::Right => &["right", "attacks", "flags"],
        Register::Free => &["free"],
    }
}

/// The registers and bounds of a method with their possible names in its code.
fn terms(method: Stepped) -> impl Iterator<Item = (Term, &'static [&'static str])> {
    let facts = method.facts();
    let branching = facts.branching;
    let bound1: (Term, &[_]) = (Term::BOUND1, &["bound1", "closed"]);
    let bound2: (Term, &[_]) = (Term::BOUND2, &["bound2", "closing", "closed_at_bound2"]);
    let bounds = branching.map(|_| bound1).into_iter();
    let bounds = bounds.chain(branching.filter(|branching| branching.cuts_sides()).map(|_| bound2));
    let registers = facts.registers.iter().map(|&each| (Term::of_register(each), names(each)));
    registers.chain(bounds)
}

/// Finds the names that occur in the lines outside comments. Returns these names and the numbers of
/// their lines.
fn occurrences(lines: &[(u32, &str)], names: &[&'static str]) -> (Vec<&'static str>, Vec<u32>) {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    let has = |line: &str, name: &str| {
        code(line).split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    };
    let used: Vec<_> = names
        .iter()
        .copied()
        .filter(|name| lines.iter().any(|(_, line)| has(line, name)))
        .collect();
    let lines = lines.iter().filter(|(_, line)| used.iter().any(|name| has(line, name)));
    let numbers = lines.map(|&(number, _)| number).collect();
    (used, numbers)
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub method: Stepped,
    pub form: Form,
}

/// Lists each register and bound of a method with its names in the code, and buttons that show the
/// lines with these names.
#[component]
pub fn Names(props: &Props) -> Html {
    let language = use_language();
    let Source::Here(file) = use_source(props.method) else { return html! {} };
    names_in(language, props, &file).unwrap_or_default()
}

/// The list for a source file. `None` if the method has neither registers nor bounds.
fn names_in(language: Language, props: &Props, file: &str) -> Option<Html> {
    let lines = listing(file, props.form);
    let mut terms = terms(props.method).peekable();
    terms.peek()?;
    let entries = terms.map(|(word, names)| {
        let (names, numbers) = occurrences(&lines, names);
        let names = names.into_iter().map(|name| html! { <><code>{ name }</code>{ " " }</> });
        let buttons = numbers.into_iter().map(|line| {
            let onclick = Callback::from(move |_: MouseEvent| show_line(line));
            let label = tr!(language, "code.line", line = line);
            html! { <button type="button" class="tiny" aria-label={label} {onclick}>{ line }</button> }
        });
        html! {
            <div data-word={word.id()}>
                <dt><TermLink {word}>{ word.name(language) }</TermLink></dt>
                <dd lang="en">{ for names }</dd>
                <dd>{ for buttons }</dd>
            </div>
        }
    });
    Some(html! {
        <details class="names">
            <summary>{ tr!(language, "code.names") }</summary>
            <dl>{ for entries }</dl>
        </details>
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn finds_every_register_and_bound_in_the_code_of_both_forms() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/src/search/methods");
        let mut missing = vec![];
        for &method in Stepped::ALL {
            let file = fs::read_to_string(folder.join(method.file())).unwrap();
            for form in Form::ALL {
                let lines = listing(&file, form);
                for (term, names) in terms(method) {
                    let (names, numbers) = occurrences(&lines, names);
                    if names.is_empty() || numbers.is_empty() {
                        missing.push(format!("{method} {form:?} {}", term.id()));
                    }
                }
            }
        }
        assert!(missing.is_empty(), "{missing:#?}");
    }

    #[test]
    fn lines_of_the_rule_at_bound2_belong_to_sidemask_only() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/src/search/methods");
        let file = fs::read_to_string(folder.join(Stepped::Symmetry.file())).unwrap();
        let lines = listing(&file, Form::Recursive);
        let lines_of = |register| occurrences(&lines, names(register)).1;
        let (side, last) = (lines_of(Register::SideMask), lines_of(Register::LastMask));
        assert!(last.iter().all(|line| side.contains(line)));
        let only_side = lines.iter().filter(|(at, _)| side.contains(at) && !last.contains(at));
        let only_side: Vec<_> = only_side.map(|(_, line)| line.trim()).collect();
        assert_eq!(only_side, ["let at_bound2 = self.masks.closed_at_bound2(attacks.down);"]);
    }

    /// Otherwise the heading would be shown with nothing below it.
    #[test]
    fn methods_without_registers_have_no_list_of_names() {
        for &method in Stepped::ALL {
            let props = Props { method, form: Form::Recursive };
            let is_listed = names_in(Language::Japanese, &props, "").is_some();
            assert_eq!(is_listed, terms(method).count() > 0, "{method}");
        }
        assert_eq!(terms(Stepped::Backtracking).count(), 0);
    }

    #[test]
    fn finds_names_only_as_whole_words() {
        let lines = [(7, "let masks = 1; // mask"), (8, "free - mask"), (9, "/// left")];
        assert_eq!(occurrences(&lines, &["mask", "left"]), (vec!["mask"], vec![8]));
    }
}
