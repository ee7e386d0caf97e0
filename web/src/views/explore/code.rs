//! The tab with the method's program, in which the line that acts is marked. Its code is loaded on demand.

use gloo_timers::callback::Timeout;
use queens_core::{ProgramLine, Register, Stepped, View};
use queens_state::search::state::{Action, Snapshot};
use web_sys::Element;
use yew::prelude::*;

use crate::views::explore::board::branches::Branches;
use crate::words::{Language, tr, use_language};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    pub language: Language,
    pub method: Stepped,
    /// The displayed step.
    pub now: Snapshot,
    /// Jumps to a step, and brings the board into sight.
    pub visit: Callback<Action>,
}

#[component]
pub fn CodeTab(props: &Props) -> Html {
    let &Props { language, method, ref now, .. } = props;
    let listing = use_node_ref();
    let acting = now.event.and_then(|event| method.facts().line_of(event, &now.view));
    {
        let listing = listing.clone();
        use_effect_with((method, acting), move |_| {
            // A timer runs after the frame, when the layout is known.
            let scrolling = Timeout::new(0, move || show_current(&listing));
            move || drop(scrolling)
        });
    }
    let before = method.before();
    let lines = method.facts().program_lines().enumerate().map(|(number, line)| {
        html! { <Line key={number} {line} {before} is_current={acting == Some(number)} /> }
    });
    let acting = acting.and_then(|number| method.facts().program_lines().nth(number));
    let has_words = method.facts().keeps(Register::Free);
    html! {
        <>
            <h2>{ tr!(language, "code.title") }</h2>
            if has_words {
                <p id="line-values" class="line-values">
                    { for acting.map(|line| values(line, &now.view)) }
                </p>
            }
            <pre
                ref={listing} id="code" class="code" tabindex="0" lang="en"
                aria-label={tr!(language, "code.title")}
            >
                { for lines }
            </pre>
            <p class="hint">
                { tr!(language, "code.hint") }
                if let Some(before) = before {
                    { " " }{ tr!(language, "code.new", method = before.number()) }
                }
                { " " }<a href={format!("methods/{}", method.file())}>{ tr!(language, "code.source") }</a>
            </p>
            { for branches(props) }
        </>
    }
}

/// Whether the program of the method before has no such line.
fn is_new(line: &ProgramLine, before: Stepped) -> bool {
    !before.facts().program_lines().any(|other| other.text == line.text)
}

/// The values of the registers that a line names, as bits with the leftmost column first. MASK never changes.
fn values(line: &ProgramLine, view: &View) -> String {
    let n = view.size.rows();
    let value = |register| Some((register, view.register(register)?));
    let values = line.registers().filter(|&register| register != Register::Mask).filter_map(value);
    let values =
        values.map(|(register, bits)| format!("{} = {:0n$b}", register.name(), bits.bits()));
    values.collect::<Vec<_>>().join("  ")
}

#[derive(Properties, PartialEq)]
struct LineProps {
    line: &'static ProgramLine,
    /// The method before.
    before: Option<Stepped>,
    /// Whether the line stands for the last step.
    is_current: bool,
}

/// A component, so that only lines that change are rendered again.
#[component]
fn Line(props: &LineProps) -> Html {
    let language = use_language();
    let &LineProps { line, before, is_current } = props;
    let is_new = before.is_some_and(|before| is_new(line, before));
    html! {
        <code
            class={classes!("line", is_new.then_some("new"), is_current.then_some("current"))}
            aria-current={is_current.then_some("step")}
        >
            <span class="sign" role={is_new.then_some("img")} aria-label={is_new.then(|| tr!(language, "code.is-new"))}>
                { if is_new { "+" } else { "" } }
            </span>
            <span class="line-text">{ line.text }</span>
            { "\n" }
        </code>
    }
}

/// The masks of each branch, for methods that divide the search into branches.
fn branches(props: &Props) -> Option<Html> {
    let Props { language, ref now, .. } = *props;
    let (branching, size) = (now.view.method.branching?, now.view.size);
    Some(html! {
        <section class="branches-panel">
            <h2>{ tr!(language, "branches.title") }</h2>
            <Branches {branching} {size} current={now.view.masks} {language} act={&props.visit} />
        </section>
    })
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
        let expected = "if row < BOUND1: free &= ~SIDEMASK | SIDEMASK = 10000001  free = 01110000";
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
        let half = ["columns = (N + 1) // 2 if row == 0 else N", "for column in range(columns):"];
        assert_eq!(new(Stepped::FlagsSymmetryHalf), half);
        assert!(new(Stepped::Symmetry).contains(&"if row == N - 1: free &= ~LASTMASK"));
        assert!(!new(Stepped::Symmetry).contains(&"if row < BOUND1: free &= ~SIDEMASK"));
    }
}
