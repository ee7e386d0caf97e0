//! What a user can share from Explore: a link, a slide, an animation, and a frame for another page.

mod drawn;
mod embed;
mod film;
mod gif;
mod pause;

use std::rc::Rc;

use queens_core::Stepped;
use yew::prelude::*;

use crate::address::Address;
use crate::board::Row;
use crate::browser::link_to;
use crate::parts::dialog::Dialog;
use crate::parts::save::{Format, Save, offer};
use crate::parts::share_link::ShareLink;
use crate::search::state::Snapshot;
use crate::words::{Language, tr, use_language};
use drawn::{SLIDE, slide};
use embed::code;
use film::FilmForm;

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// The address with the displayed step.
    pub address: Rc<Address>,
    /// The displayed step.
    pub now: Snapshot,
    /// The squares of the board.
    pub rows: Rc<[Row]>,
    /// Called when the user closes the dialog.
    pub closed: Callback<()>,
}

/// The texts of a button that copies, before and after it has copied.
fn copy(language: Language) -> [AttrValue; 2] {
    [tr!(language, "results.share.copy"), tr!(language, "results.share.copied")]
        .map(AttrValue::from)
}

/// All forms of sharing, in one dialog.
#[component]
pub fn Share(props: &Props) -> Html {
    let language = use_language();
    let Props { address, now, rows, closed } = props;
    let (method, size) = (address.method, address.size);
    html! {
        <Dialog id="share" title={tr!(language, "explore.share")} {closed}>
        <div class="share-parts">
            <ShareLink
                id="copy-link" link={link_to(&address.to_link())} label={tr!(language, "share.link")}
                hint={tr!(language, "share.link-hint")} copy={copy(language)}
            />
            <section aria-labelledby="share-image">
                <h3 id="share-image">{ tr!(language, "share.image") }</h3>
                { save_slide(language, method, now, rows) }
                <Save drawing="board" name={format!("queens-{size}-{method}-{}", now.step)} />
            </section>
            <FilmForm {method} {size} step={now.step} />
            <section aria-labelledby="share-embed">
                <h3 id="share-embed">{ tr!(language, "share.embed") }</h3>
                <ShareLink
                    id="embed-code" link={code(language, address)} label={tr!(language, "share.code")}
                    hint={tr!(language, "share.embed-hint")} copy={copy(language)}
                />
            </section>
        </div>
        </Dialog>
    }
}

/// The button that saves the step as a slide.
fn save_slide(language: Language, method: Stepped, now: &Snapshot, rows: &Rc<[Row]>) -> Html {
    let (now, rows) = (*now, Rc::clone(rows));
    let onclick = Callback::from(move |_: MouseEvent| {
        let name = format!("queens-{}-{method}-{}-slide", now.view.size, now.step);
        offer(&name, slide(language, &now, &rows), SLIDE.map(f64::from), Format::Png);
    });
    html! {
        <p class="save">
            <span class="soft">{ tr!(language, "share.slide") }</span>
            <button id="slide-png" type="button" {onclick}>{ tr!(language, "save.png") }</button>
        </p>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;
