//! Loading of files with the browser's file picker or by dropping them.

use wasm_bindgen::JsCast;
use web_sys::{DragEvent, File, FileList, HtmlInputElement};
use yew::prelude::*;

use super::archive::Change;
use super::stored_files;
use crate::words::{Language, tr, use_language};

fn read(files: &FileList, on_file: &Callback<Change>) {
    on_file.emit(Change::LoadStarts);
    let files = (0..files.length()).filter_map(|index| files.get(index));
    let files = files.map(|file: File| (file.name(), file.into())).collect();
    stored_files::load(files, on_file.clone(), || {});
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// Receives the changes to the archive: [`Change::LoadStarts`], then the files as they are read or
    /// rejected.
    pub on_file: Callback<Change>,
}

/// The id of the field that opens the picker.
const FIELD: &str = "files";

/// The field that opens the picker, without its [`button`]. The button of an empty list is elsewhere, and the
/// field keeps the focus when the button moves.
#[component]
pub fn Picker(props: &Props) -> Html {
    let onchange = {
        let on_file = props.on_file.clone();
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Some(files) = input.files() {
                read(&files, &on_file);
            }
            // An empty field lets the user choose the same file again after correcting it.
            input.set_value("");
        })
    };
    html! {
        <input
            id={FIELD} class="hidden-text" type="file" multiple=true accept=".json,.txt,.csv,.md,application/json,text/plain,text/csv" {onchange}
        />
    }
}

/// Renders the button of the [`Picker`], which is its label.
pub fn button(language: Language, class: &'static str) -> Html {
    html! {
        <p class="picker">
            <label class={classes!("button", class)} for={FIELD}>{ tr!(language, "results.load") }</label>
            <span class="soft drop-hint">{ tr!(language, "results.drop") }</span>
        </p>
    }
}

#[derive(Properties, PartialEq)]
pub struct AreaProps {
    /// Receives the changes to the archive: [`Change::LoadStarts`], then the files as they are read or
    /// rejected.
    pub on_file: Callback<Change>,
    /// The contents of the area.
    pub children: Html,
}

/// An area that files can be dropped on.
#[component]
pub fn DropArea(props: &AreaProps) -> Html {
    let language = use_language();
    let over = use_state_eq(|| false);
    let ondragover = {
        let over = over.setter();
        Callback::from(move |event: DragEvent| {
            if holds_files(&event) {
                // Without this call, the browser does not allow dropping files here.
                event.prevent_default();
                over.set(true);
            }
        })
    };
    let ondragleave = {
        let over = over.setter();
        Callback::from(move |event: DragEvent| {
            // The browser also sends this event when the pointer moves between children of the area.
            if event.related_target().is_none_or(|to| !is_within(&event, &to)) {
                over.set(false);
            }
        })
    };
    let ondrop = {
        let (over, on_file) = (over.setter(), props.on_file.clone());
        Callback::from(move |event: DragEvent| {
            over.set(false);
            if holds_files(&event) {
                event.prevent_default();
                if let Some(files) = event.data_transfer().and_then(|data| data.files()) {
                    read(&files, &on_file);
                }
            }
        })
    };
    html! {
        <div class="results" data-testid="drop-area" {ondragover} {ondragleave} {ondrop}>
            if *over {
                <p class="drop-now" aria-hidden="true">{ tr!(language, "results.drop-now") }</p>
            }
            { props.children.clone() }
        </div>
    }
}

fn holds_files(event: &DragEvent) -> bool {
    event.data_transfer().is_some_and(|data| data.types().includes(&"Files".into(), 0))
}

fn is_within(event: &DragEvent, to: &web_sys::EventTarget) -> bool {
    let area = event.current_target().and_then(|area| area.dyn_into::<web_sys::Node>().ok());
    area.is_some_and(|area| area.contains(to.dyn_ref()))
}
