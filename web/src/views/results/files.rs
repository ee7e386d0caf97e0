//! Loading files: by the browser's picker and by drop.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, File, FileList, HtmlInputElement};
use yew::prelude::*;

use super::archive::{Change, Entry, Why};
use super::kept;
use crate::words::{tr, use_language};

/// More bytes than a document of the largest plan can have, in any layout.
const MOST: f64 = 32e6;

/// The list is drawn anew after so many files.
const FEW: usize = 10;

/// Reads files one after the other, has them kept, and hands a few on at a time.
fn read(files: &FileList, on_file: &Callback<Change>) {
    let files: Vec<File> = (0..files.length()).filter_map(|index| files.get(index)).collect();
    let on_file = on_file.clone();
    spawn_local(async move {
        let mut few = Vec::new();
        let count = files.len();
        for (number, file) in (1..).zip(files) {
            let text = if file.size() > MOST {
                Err(Why::TooLarge)
            } else {
                let text = JsFuture::from(file.text()).await.ok();
                text.and_then(|text| text.as_string()).ok_or(Why::Unreadable)
            };
            // Here and not where all are taken: the page goes on between one file and the next.
            few.push(Change::File(Entry::of_file(
                file.name(),
                text.as_deref().map_err(Clone::clone),
            )));
            if let Ok(text) = text {
                kept::put(file.name(), text);
            }
            // What comes at once is drawn at once.
            if few.len() == FEW || number == count {
                few.drain(..).for_each(|change| on_file.emit(change));
            }
        }
    });
}

/// What loading needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Takes each file.
    pub on_file: Callback<Change>,
}

/// The button that opens the picker.
#[component]
pub fn Picker(props: &Props) -> Html {
    let language = use_language();
    let onchange = {
        let on_file = props.on_file.clone();
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Some(files) = input.files() {
                read(&files, &on_file);
            }
            // So that the same file can be chosen again once it is mended.
            input.set_value("");
        })
    };
    html! {
        <p class="picker">
            <label class="button">
                <input
                    id="files" class="hidden-text" type="file" multiple=true
                    accept=".json,application/json" {onchange}
                />
                { tr!(language, "results.load") }
            </label>
            <span class="soft drop-hint">{ tr!(language, "results.drop") }</span>
        </p>
    }
}

/// What an area that files can be dropped on needs.
#[derive(Properties, PartialEq)]
pub struct AreaProps {
    /// Takes each file.
    pub on_file: Callback<Change>,
    /// What lies in it.
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
                // Says that a drop is welcome.
                event.prevent_default();
                over.set(true);
            }
        })
    };
    let ondragleave = {
        let over = over.setter();
        Callback::from(move |event: DragEvent| {
            // Entering a part of the area also leaves another part.
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
