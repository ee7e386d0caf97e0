//! The published program: its lines with their values. The line that did the last step is highlighted.

use queens_core::Stepped;
use queens_state::search::published_listing::{
    LINES, acting, calls_backtrack, has_long_value, value,
};
use queens_state::search::state::Snapshot;
use yew::prelude::*;

use super::syntax::{coloured, indent};
use crate::words::{Language, tr};

/// The published program for the step `now` of the symmetry method; `None` for other methods.
pub fn published(language: Language, method: Stepped, now: &Snapshot) -> Option<Html> {
    if method != Stepped::Symmetry {
        return None;
    }
    let acting = acting(now);
    let lines = (0..LINES.len()).map(|at| {
        html! { <Line key={at} {at} current={acting == Some(at)} value={value(at, now)} /> }
    });
    Some(html! {
        <>
            <p class="hint">{ tr!(language, "code.published-hint") }</p>
            <pre
                id="published" class="code published" tabindex="0" lang="en"
                aria-label={tr!(language, "code.published")}
            >
                { for lines }
            </pre>
        </>
    })
}

/// A component, so that only lines that change are rendered again.
#[derive(Properties, PartialEq)]
struct LineProps {
    at: usize,
    /// Whether the line did the last step.
    current: bool,
    value: Option<String>,
}

#[component]
fn Line(props: &LineProps) -> Html {
    let room = if calls_backtrack(props.at) {
        Some("no-value")
    } else {
        has_long_value(props.at).then_some("long-value")
    };
    let line = LINES.get(props.at).copied().unwrap_or_default();
    let before = props.at.checked_sub(1).and_then(|at| LINES.get(at));
    let begins_function = before.is_some_and(|before| before.is_empty());
    html! {
        <code
            class={classes!("line", room, props.current.then_some("current"))}
            aria-current={props.current.then_some("step")}
            data-function={begins_function.then_some("")}
        >
            <span class={classes!("instruction", indent(line))}>{ coloured(line) }</span>
            { " " }
            <span class="value">{ props.value.clone() }</span>
            { "\n" }
        </code>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Size, Timeline};

    use super::*;
    use crate::parts::rendered::{rendered, texts};

    fn panel(language: Language, method: Stepped, step: u64) -> String {
        let mut timeline = Timeline::new(method, Size::new(8).unwrap());
        assert!(timeline.seek(step - 1, u64::MAX));
        let before = timeline.view();
        let last = timeline.forward().unwrap();
        let (event, line) = (Some(last.event), Some(last.line));
        let (view, work, beat) = (timeline.view(), *timeline.work(), timeline.tracer().beat());
        let now = Snapshot { step, view, before, event, beat, line, work };
        let panel = published(language, method, &now);
        rendered(language, html! { { for panel } })
    }

    #[test]
    fn highlights_the_line_that_placed_a_queen() {
        // At step 5, the search places the second queen. The first one is in the corner.
        for (language, title) in [
            (Language::English, "The published algorithm, condensed"),
            (Language::Japanese, "公開されているアルゴリズム（要約）"),
        ] {
            let html = panel(language, Stepped::Symmetry, 5);
            assert!(html.contains(&format!("aria-label=\"{title}\"")), "{html}");
            let current = html.split("<code").find(|line| line.contains("aria-current=\"step\""));
            let current = texts(current.unwrap_or_default());
            assert!(current.starts_with("board[1] = bit = 1 << BOUND1\n00000100"), "{current}");
        }
    }

    #[test]
    fn other_methods_have_no_published_program() {
        assert_eq!(texts(&panel(Language::English, Stepped::Bitmap, 5)), "");
    }
}
