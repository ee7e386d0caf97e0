//! The method's program, in which the line that acts is marked.

use std::ops::Range;

use queens_core::{Act, Facts, Method, ProgramLine, Register, Rule, Stepped, View as SearchView};
use web_sys::Element;
use yew::prelude::*;

use super::board::legend::rule_sample;
use crate::address::{Address, View, use_address};
use crate::parts::link::Link;
use crate::search::name::Name;
use crate::search::state::Snapshot;
use crate::words::{tr, use_language};

/// The largest number of lines of a program whose functions are all open.
const SHORT: usize = 16;

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    pub method: Stepped,
    /// The displayed step.
    pub now: Snapshot,
}

/// The program. Of a long one, only one function is open: the last one that acted, or the user's choice.
#[component]
pub fn Program(props: &Props) -> Html {
    let language = use_language();
    let &Props { method, ref now } = props;
    let (facts, before) = (method.facts(), method.before());
    let lines: Vec<_> = facts.program_lines().collect();
    let functions = functions(&lines);
    let acting = acting_line(now);
    let in_function =
        acting.and_then(|line| functions.iter().position(|function| function.contains(&line)));
    let open = use_state_eq(|| in_function.unwrap_or(0));
    {
        let open = open.setter();
        use_effect_with((method, in_function), move |&(_, in_function)| {
            open.set(in_function.unwrap_or(0));
        });
    }
    // The list of methods ends here, although one more counts.
    let (address, _) = use_address();
    let colours = Address { lesson: Method::Colours, ..address.with_view(View::Lesson) };
    let listing = use_node_ref();
    {
        let listing = listing.clone();
        use_effect_with((method, acting, *open), move |_| show_current(&listing));
    }
    let is_new = |line: &ProgramLine| before.is_some_and(|before| is_new(line, before));
    let line = |number: usize| {
        lines.get(number).map(|&line| {
            let (is_new, is_current) = (is_new(line), acting == Some(number));
            html! { <Line key={number} {line} {method} {is_new} {is_current} /> }
        })
    };
    let blocks = functions.iter().enumerate().map(|(at, function)| {
        if lines.len() <= SHORT {
            return html! { <>{ for function.clone().filter_map(line) }</> };
        }
        let is_open = at == *open;
        let onclick = {
            let open = open.setter();
            Callback::from(move |event: MouseEvent| {
                event.prevent_default();
                open.set(at);
            })
        };
        let first = if is_open {
            line(function.start)
        } else {
            let mut folded = lines.iter().take(function.end).skip(function.start).copied();
            let is_new = folded.clone().any(is_new);
            folded.next().map(|line| {
                html! { <Line key={function.start} {line} {method} {is_new} is_folded=true /> }
            })
        };
        html! {
            <details key={at} open={is_open}>
                <summary {onclick}>{ for first }</summary>
                { for function.clone().skip(1).filter_map(line) }
            </details>
        }
    });
    html! {
        <>
            <section class="program" aria-label={tr!(language, "code.title")}>
                if facts.keeps(Register::Free) {
                    <p id="line-values" class="line-values">
                        { for acting.and_then(|number| lines.get(number)).map(|line| values(line, &now.view)) }
                    </p>
                }
                <div
                    ref={listing} id="code" class="code" tabindex="0" role="group" lang="en"
                    aria-label={tr!(language, "code.title")}
                >
                    { for blocks }
                </div>
            </section>
            <p class="program-notes">
                { tr!(language, format!("method.{}.new", method.id())) }{ language.space() }
                <a href={format!("methods/{}", method.file())}>{ tr!(language, "code.source") }</a>
                if method == Stepped::Symmetry {
                    { " · " }<Link to={colours} id="colours">{ tr!(language, "code.colours") }</Link>
                }
            </p>
        </>
    }
}

/// The number of the line that stands for the last step.
pub fn acting_line(now: &Snapshot) -> Option<usize> {
    now.event.and_then(|event| now.view.method.line_of(event, &now.view))
}

/// The functions of a program. The last one may be its main part.
fn functions(lines: &[&ProgramLine]) -> Vec<Range<usize>> {
    let mut functions: Vec<Range<usize>> = vec![];
    let mut is_main = true;
    for (number, line) in lines.iter().enumerate() {
        let is_definition = is_definition(line);
        let ends_definition = !is_main && !line.text.starts_with(' ');
        match functions.last_mut() {
            Some(function) if !is_definition && !ends_definition => function.end = number + 1,
            _ => {
                functions.push(number..number + 1);
                is_main = !is_definition;
            }
        }
    }
    functions
}

/// Whether the line begins a function.
fn is_definition(line: &ProgramLine) -> bool {
    line.text.starts_with("def ")
}

/// Whether the program of the method before has no such line.
fn is_new(line: &ProgramLine, before: Stepped) -> bool {
    !before.facts().program_lines().any(|other| other.text == line.text)
}

/// The values of what a line names: the row, the bounds, and the registers as bits with the leftmost column first.
/// MASK never changes.
fn values(line: &ProgramLine, view: &SearchView) -> String {
    let n = view.size.rows();
    let names =
        |word: &str| line.text.split(|c: char| !c.is_alphanumeric()).any(|each| each == word);
    let [bound1, bound2] =
        [view.masks.map(|masks| masks.bound1), view.masks.map(|masks| masks.bound2)];
    let numbers = [("row", Some(view.row)), ("BOUND1", bound1), ("BOUND2", bound2)];
    let numbers = numbers.into_iter().filter(|&(name, _)| names(name));
    let numbers = numbers.filter_map(|(name, value)| Some(format!("{name}={}", value?)));
    let registers = line.registers().filter(|&register| register != Register::Mask);
    let bits = registers.filter_map(|register| {
        Some(format!("{}={:0n$b}", register.name(), view.register(register)?.bits()))
    });
    numbers.chain(bits).collect::<Vec<_>>().join(" ")
}

/// The rule that a line applies.
fn rule_of(line: &ProgramLine) -> Option<Rule> {
    line.acts.iter().find_map(|act| match act {
        Act::Cut(rule) => Some(*rule),
        _ => None,
    })
}

#[derive(Properties, PartialEq)]
struct LineProps {
    line: &'static ProgramLine,
    method: Stepped,
    /// Whether the program of the method before lacks the line, or a line that is folded below it.
    is_new: bool,
    /// Whether the line stands for the last step.
    #[prop_or_default]
    is_current: bool,
    /// Whether the rest of its function is folded.
    #[prop_or_default]
    is_folded: bool,
}

/// A component, so that only lines that change are rendered again.
#[component]
fn Line(props: &LineProps) -> Html {
    let language = use_language();
    let &LineProps { line, method, is_new, is_current, is_folded } = props;
    // The first line of the main part does not say what the fold contains.
    let text = if is_folded && !is_definition(line) { "main" } else { line.text };
    let (indent, text) = text.split_at(text.len() - text.trim_start().len());
    html! {
        <code
            class={classes!("line", is_new.then_some("new"), is_current.then_some("current"))}
            aria-current={is_current.then_some("step")}
        >
            <span class="sign">
                { is_new.then(|| tr!(language, "code.is-new") + " ") }
            </span>
            <span class="indent">{ indent }</span>
            <span class="line-text">{ for words(text, method.facts()) }{ is_folded.then_some(" …") }</span>
            { for rule_of(line).map(rule_sample) }
            { "\n" }
        </code>
    }
}

/// The text of a line, with an element for each name that lights squares.
fn words(text: &'static str, facts: &Facts) -> Vec<Html> {
    let is_letter = |letter: char| letter.is_alphanumeric();
    let mut parts = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter| is_letter(letter) != is_letter(first)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        parts.push(match Name::parse(part, facts) {
            Some(name) => html! { <span class="name" data-name={name.word()}>{ part }</span> },
            None => part.into(),
        });
        rest = after;
    }
    parts
}

/// Scrolls the listing, but not the page, to the marked line, unless that line is in view.
fn show_current(listing: &NodeRef) {
    let Some(listing) = listing.cast::<Element>() else { return };
    let Ok(Some(line)) = listing.query_selector(".current") else { return };
    let (frame, line) = (listing.get_bounding_client_rect(), line.get_bounding_client_rect());
    if line.top() < frame.top() || line.bottom() > frame.bottom() {
        let above = line.top() - frame.top() - frame.height() / 3.0;
        listing.set_scroll_top(listing.scroll_top() + above as i32);
    }
}

#[cfg(test)]
mod tests {
    use queens_core::{Size, Timeline};

    use super::*;

    #[test]
    fn values_are_those_of_the_registers() {
        let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8).unwrap());
        let mut lines = vec![];
        while timeline.step() < 1480 {
            let event = timeline.forward().unwrap();
            let view = timeline.view();
            let facts = Stepped::Symmetry.facts();
            let line = facts.line_of(event, &view).unwrap();
            let line = facts.program_lines().nth(line).unwrap();
            lines.push(format!("{} | {}", line.text.trim(), values(line, &view)));
        }
        let expected =
            "if row < BOUND1: free &= ~SIDEMASK | row=1 BOUND1=2 SIDEMASK=10000001 free=01110000";
        assert_eq!(lines.last().map(String::as_str), Some(expected));
    }

    #[test]
    fn lines_that_the_method_before_lacks_are_new() {
        let new = |method: Stepped| {
            let before = method.before();
            let lines = method.facts().program_lines();
            let new = lines.filter(|line| before.is_some_and(|before| is_new(line, before)));
            new.map(|line| line.text.trim()).collect::<Vec<_>>()
        };
        assert_eq!(new(Stepped::BruteForce), [""; 0]);
        let half =
            ["first = N // 2 if row == 0 else 0", "for column in reversed(range(first, N)):"];
        assert_eq!(new(Stepped::FlagsSymmetryHalf), half);
        assert!(new(Stepped::Symmetry).contains(&"if row == N - 1: free &= ~LASTMASK"));
        assert!(!new(Stepped::Symmetry).contains(&"if row < BOUND1: free &= ~SIDEMASK"));
    }

    #[test]
    fn programs_have_functions_and_a_main_part() {
        let begins = |method: Stepped| {
            let lines: Vec<_> = method.facts().program_lines().collect();
            let functions = functions(&lines);
            assert_eq!(functions.iter().map(ExactSizeIterator::len).sum::<usize>(), lines.len());
            functions.into_iter().map(|function| lines[function.start].text).collect::<Vec<_>>()
        };
        let search = "def search(row, left, down, right):";
        assert_eq!(begins(Stepped::Bitmap)[0], search);
        let check = "def check():  # is no image smaller?";
        let turned = "def turned(image):  # by 270° clockwise";
        assert_eq!(begins(Stepped::Symmetry), [search, check, turned, "TOPBIT = 1 << N - 1"]);
    }
}
