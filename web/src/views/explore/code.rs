//! The method's source as it runs.

use queens_core::{Form, Method};
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::lines::source;
use crate::i18n::{tr, use_language};

/// What the code panel needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The method.
    pub method: Method,
    /// The form that is shown.
    pub form: Form,
    /// The line, in the method's file, that did the last step.
    pub line: Option<u32>,
    /// Chooses the other form.
    pub choose: Callback<Form>,
    /// Whether it opens unfolded.
    pub open: bool,
}

/// The code panel.
#[component]
pub fn Code(props: &Props) -> Html {
    let language = use_language();
    let listing = use_node_ref();
    {
        let listing = listing.clone();
        use_effect_with((props.line, props.form), move |_| reveal(&listing));
    }
    let forms = Form::ALL.map(|form| {
        let name = match form {
            Form::Recursive => tr!(language, "explore.recursive"),
            Form::Iterative => tr!(language, "explore.iterative"),
        };
        let onclick = props.choose.reform(move |_: MouseEvent| form);
        html! {
            <button
                id={format!("form-{}", form.id())} type="button" class="tiny" {onclick}
                aria-pressed={(form == props.form).to_string()}
            >
                { name }
            </button>
        }
    });
    html! {
        <details class="panel code-panel" open={props.open}>
            <summary>{ tr!(language, "explore.code") }</summary>
            <div class="forms" role="group" aria-label={tr!(language, "explore.form")}>{ for forms }</div>
            <pre ref={listing} id="code" class="code" tabindex="0" lang="en" aria-label={tr!(language, "explore.code")}>
                <Listing method={props.method} form={props.form} line={props.line} />
            </pre>
        </details>
    }
}

/// The lines.
#[derive(Properties, PartialEq)]
struct ListingProps {
    method: Method,
    form: Form,
    line: Option<u32>,
}

#[component]
fn Listing(props: &ListingProps) -> Html {
    let source = use_memo((props.method, props.form), |&(method, form)| source(method, form));
    let lines = source.iter().map(|&(number, text)| {
        let current = props.line == Some(number);
        html! {
            <code
                key={number} class={classes!("line", current.then_some("current"))}
                data-line={number.to_string()} aria-current={current.then_some("step")}
            >
                <span class="line-number" aria-hidden="true">{ number }</span>
                { text }
                { "\n" }
            </code>
        }
    });
    html! { <>{ for lines }</> }
}

/// Scrolls the listing, and nothing else, so that the current line can be seen.
fn reveal(listing: &NodeRef) {
    let Some(listing) = listing.cast::<HtmlElement>() else {
        return;
    };
    let Ok(Some(line)) = listing.query_selector(".current") else {
        return;
    };
    let frame = Element::get_bounding_client_rect(&listing);
    let line = line.get_bounding_client_rect();
    let above = line.top() - frame.top();
    if above < line.height() || above > frame.height() - 3.0 * line.height() {
        let target = f64::from(listing.scroll_top()) + above - frame.height() / 2.5;
        listing.set_scroll_top(target as i32);
    }
}
