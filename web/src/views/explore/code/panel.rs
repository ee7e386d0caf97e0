//! The source code of the method, in which the current line is highlighted.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use queens_core::{Event, Form, Size, Stepped, View};
use web_sys::Element;
use yew::prelude::*;

use super::acting::{acting_line, acting_value};
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

/// The code that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The published program.
    Published,
    /// A form of the page's own code.
    Own(Form),
}

/// The title of the shown code, and the buttons that select the code. `has_published` is set for the method with a
/// published program.
pub fn heading(
    language: Language,
    shown: Shown,
    has_published: bool,
    choose: &Callback<Shown>,
) -> Html {
    let published = has_published.then_some(Shown::Published);
    let all = published.into_iter().chain(Form::ALL.map(Shown::Own)).map(|each| {
        let (id, name) = match each {
            Shown::Published => ("published", tr!(language, "code.as-published")),
            Shown::Own(form) => (form.id(), form_name(language, form)),
        };
        let onclick = choose.reform(move |_: MouseEvent| each);
        html! {
            <button
                id={format!("form-{id}")} type="button" class="tiny" {onclick}
                aria-pressed={(each == shown).to_string()}
            >
                { name }
            </button>
        }
    });
    let title = if shown == Shown::Published { "code.published" } else { "code.title" };
    html! {
        <div class="code-heading">
            <h2>{ tr!(language, title) }</h2>
            <div class="forms" role="group" aria-label={tr!(language, "code.shown")}>{ for all }</div>
        </div>
    }
}

/// The source code. `step` has the last event and the line of the method's file that reported it, and `view` is
/// the state after it.
pub fn code(
    language: Language,
    method: Stepped,
    (view, form, step): (&View, Form, Option<(u32, Event)>),
    is_shown: bool,
) -> Html {
    html! {
        <section hidden={!is_shown}>
            if language == Language::Japanese {
                <p class="hint">{ tr!(language, "code.code-language") }</p>
            }
            { values(language, view, form, step.map(|(_, event)| event)) }
            <Pane id="code" {method} {form} {step} size={view.size} {is_shown} />
            if form == Form::Recursive {
                <p class="hint">{ tr!(language, "code.reports") }</p>
            }
            <Names {method} {form} />
        </section>
    }
}

#[derive(Properties, PartialEq)]
pub struct PaneProps {
    pub id: &'static str,
    pub method: Stepped,
    pub form: Form,
    /// The last event with the line of the method's file that reported it.
    pub step: Option<(u32, Event)>,
    pub size: Size,
    /// Whether the pane is visible. A hidden one has no position to which it could scroll.
    pub is_shown: bool,
}

/// The source of a form with the current line highlighted. Before the first step, this is the first
/// line of the search.
#[component]
pub fn Pane(props: &PaneProps) -> Html {
    let language = use_language();
    let source = use_source(props.method);
    let listing_node = use_node_ref();
    {
        let node = listing_node.clone();
        let marked = match &source {
            Source::Here(file) => Some(marked(props, file)),
            _ => None,
        };
        let shown = (marked, props.form, props.method, props.is_shown);
        use_effect_with(shown, move |(marked, ..)| {
            let (line, value) = marked.clone().flatten().unzip();
            mark(&node, line, value.flatten().as_deref());
            // A timer runs after the frame, when the layout is known. Measuring earlier would cost
            // a second layout per frame.
            let scrolling = Timeout::new(0, move || show(&node));
            move || drop(scrolling)
        });
    }
    let form = form_name(language, props.form);
    html! {
        <pre
            ref={listing_node} id={props.id} class="code" tabindex="0" lang="en"
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

/// Returns the number of the line that did the last step, and its value; `None` at step 0.
fn marked(props: &PaneProps, file: &str) -> Option<(u32, Option<String>)> {
    let (reported, event) = props.step?;
    let lines = listing(file, props.form);
    let number = acting_line(&lines, reported, event);
    let (_, text) = lines.iter().find(|&&(line, _)| line == number)?;
    Some((number, acting_value(props.method, props.size, event, text)))
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
        let begins_function = ["fn ", "pub fn "].iter().any(|start| code.starts_with(start));
        let data_function = begins_function.then_some("");
        let indent = indent(text);
        html! {
            <code
                key={number} class={classes!("line", indent)} data-line={number.to_string()}
                data-begin={data_begin} data-function={data_function}
            >
                <span class="line-number" aria-hidden="true">{ number }</span>
                <span class="indent">{ text.strip_suffix(code).unwrap_or_default().to_owned() }</span>
                { coloured(code) }
                { "\n" }
            </code>
        }
    });
    html! { <>{ for lines }</> }
}

/// Highlights the line that did the last step, with its value, or, at step 0, the first line of the search.
fn mark(listing: &NodeRef, line: Option<u32>, value: Option<&str>) {
    let Some(listing) = listing.cast::<Element>() else {
        return;
    };
    if let Ok(Some(old)) = listing.query_selector(CURRENT) {
        let _ = old.class_list().remove_1("current");
        let _ = old.remove_attribute("aria-current");
        let _ = old.remove_attribute("data-value");
    }
    let wanted = line.map_or("[data-begin]".to_owned(), |line| format!("[data-line='{line}']"));
    if let Ok(Some(line)) = listing.query_selector(&wanted) {
        let _ = line.class_list().add_1("current");
        let _ = line.set_attribute("aria-current", "step");
        if let Some(value) = value {
            let _ = line.set_attribute("data-value", value);
        }
    }
}

/// Scrolls the listing, but not the page, to the highlighted line.
fn show(listing: &NodeRef) {
    if let Some(listing) = listing.cast::<Element>() {
        scroll_to_line(&listing, CURRENT);
    }
}
