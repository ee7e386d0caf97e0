//! The source code of the method, in which the current line is highlighted.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use queens_core::{Form, Stepped, View};
use web_sys::Element;
use yew::prelude::*;

use super::lines::listing;
use super::scroll::scroll_to_line;
use super::syntax::{coloured, indent};
use super::values::values;
use super::words::Names;
use crate::parts::source::{Source, use_source};
use crate::words::{Language, form_name, tr, use_language};

/// The selector of the current line.
const CURRENT: &str = ".current";

/// The first line of a search, in either form.
const BEGIN: [&str; 2] = ["pub fn search<", "fn next_step("];

/// The source code. `line` is the line of the method's file that did the last step, and `view` is
/// the state after it.
pub fn code(
    language: Language,
    method: Stepped,
    (view, form, line): (&View, Form, Option<u32>),
    choose: &Callback<Form>,
) -> Html {
    let forms = Form::ALL.map(|each| {
        let name = form_name(language, each);
        let onclick = choose.reform(move |_: MouseEvent| each);
        html! {
            <button
                id={format!("form-{}", each.id())} type="button" class="tiny" {onclick}
                aria-pressed={(each == form).to_string()}
            >
                { name }
            </button>
        }
    });
    html! {
        <section>
            <div class="code-heading">
                <h2>{ tr!(language, "code.title") }</h2>
                <div class="forms" role="group" aria-label={tr!(language, "code.form")}>
                    { for forms }
                </div>
            </div>
            if language == Language::Japanese {
                <p class="hint">{ tr!(language, "code.code-language") }</p>
            }
            { values(language, view, form) }
            <Pane id="code" {method} {form} {line} />
            <Names {method} {form} />
        </section>
    }
}

#[derive(Properties, PartialEq)]
pub struct PaneProps {
    pub id: &'static str,
    pub method: Stepped,
    pub form: Form,
    /// The line of the method's file that did the last step.
    pub line: Option<u32>,
}

/// The source of a form with the current line highlighted. Before the first step, this is the first
/// line of the search.
#[component]
pub fn Pane(props: &PaneProps) -> Html {
    let language = use_language();
    let source = use_source(props.method);
    let listing = use_node_ref();
    {
        let listing = listing.clone();
        let is_loaded = matches!(source, Source::Here(_));
        use_effect_with((props.line, props.form, props.method, is_loaded), move |&(line, ..)| {
            mark(&listing, line);
            // A timer runs after the frame, when the layout is known. Measuring earlier would cost
            // a second layout per frame.
            let scrolling = Timeout::new(0, move || show(&listing));
            move || drop(scrolling)
        });
    }
    let form = form_name(language, props.form);
    html! {
        <pre
            ref={listing} id={props.id} class="code" tabindex="0" lang="en"
            aria-label={tr!(language, "code.title") + language.colon() + &form}
        >
            {
                match source {
                    Source::Here(file) => html! { <Listing {file} form={props.form} /> },
                    Source::Missing => html! { tr!(language, "code.no-code") },
                    Source::Awaited => html! {},
                }
            }
        </pre>
    }
}

/// The lines. There are hundreds of them, so they are rendered once and the current line is marked
/// in place.
#[derive(Properties, PartialEq)]
struct ListingProps {
    file: Rc<str>,
    form: Form,
}

#[component]
fn Listing(props: &ListingProps) -> Html {
    let lines = listing(&props.file, props.form);
    let begin = lines.iter().position(|(_, text)| BEGIN.iter().any(|begin| text.contains(begin)));
    let lines = lines.into_iter().enumerate().map(|(at, (number, text))| {
        let code = text.trim_start();
        let data_begin = (begin == Some(at)).then_some("");
        let indent = indent(text);
        html! {
            <code key={number} class={classes!("line", indent)} data-line={number.to_string()} data-begin={data_begin}>
                <span class="line-number" aria-hidden="true">{ number }</span>
                <span class="indent">{ text.strip_suffix(code).unwrap_or_default().to_owned() }</span>
                { coloured(code) }
                { "\n" }
            </code>
        }
    });
    html! { <>{ for lines }</> }
}

/// Highlights the line that did the last step or, at step 0, the first line of the search.
fn mark(listing: &NodeRef, line: Option<u32>) {
    let Some(listing) = listing.cast::<Element>() else {
        return;
    };
    if let Ok(Some(old)) = listing.query_selector(CURRENT) {
        let _ = old.class_list().remove_1("current");
        let _ = old.remove_attribute("aria-current");
    }
    let wanted = line.map_or("[data-begin]".to_owned(), |line| format!("[data-line='{line}']"));
    if let Ok(Some(line)) = listing.query_selector(&wanted) {
        let _ = line.class_list().add_1("current");
        let _ = line.set_attribute("aria-current", "step");
    }
}

/// Scrolls the listing, but not the page, to the highlighted line.
fn show(listing: &NodeRef) {
    if let Some(listing) = listing.cast::<Element>() {
        scroll_to_line(&listing, CURRENT);
    }
}
