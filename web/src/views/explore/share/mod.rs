//! What a user can share from Explore: a link, a slide, an animation, a frame for another page, and
//! marked moments. Its code is loaded when it is opened.

mod drawn;
mod embed;
mod fields;
mod film;
mod job;
mod letters;
mod moments;
mod pause;
mod video;

use std::rc::Rc;

use queens_core::Stepped;
use queens_state::board::Row;
use queens_state::learn::title::numbered_title;
use queens_state::search::state::{Action, Snapshot};
use yew::prelude::*;

use crate::browser::link_to;
use crate::parts::link::Link;
use crate::parts::save::{Format, Save, buttons, offer};
use crate::parts::share_link::ShareLink;
use crate::place::{Address, Clip, ExploreLayout, lesson_address, use_address};
use crate::words::{Language, tr, use_language};
use drawn::{SLIDE, slide};
use embed::EmbedForm;
use fields::copy;
use film::FilmForm;
use moments::MomentList;

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// The address with the displayed step.
    pub address: Rc<Address>,
    /// The layout that the link opens.
    pub layout: ExploreLayout,
    /// The displayed step.
    pub now: Snapshot,
    /// The squares of the board.
    pub rows: Rc<[Row]>,
    /// The last step, once known.
    pub end: Option<u64>,
    pub act: Callback<Action>,
}

/// All forms of sharing, in one panel.
#[component]
pub fn Share(props: &Props) -> Html {
    let language = use_language();
    let (current, _) = use_address();
    let Props { address, layout, now, rows, end, act } = props;
    let (method, size) = (address.method, address.size);
    let link = Address { clip: Clip::default(), layout: *layout, ..(**address).clone() };
    html! {
        <div class="share-parts">
            <ShareLink
                id="copy-link" link={link_to(&link.to_link())} label={tr!(language, "share.link")}
                hint={tr!(language, "share.link-hint")} copy={copy(language)}
            />
            <section aria-labelledby="share-image">
                <h3 id="share-image">{ tr!(language, "share.image") }</h3>
                { slides(language, method, now, rows, &current) }
                <Save drawing="board" name={format!("queens-{size}-{method}-{}", now.step)} />
            </section>
            <FilmForm {method} {size} step={now.step} {end} />
            <section aria-labelledby="share-homework">
                <h3 id="share-homework">{ tr!(language, "share.homework") }</h3>
                <p class="hint">{ tr!(language, "share.homework-hint") }</p>
                <p><Link id="to-lesson" to={lesson_address(address, method.method())}>
                    { tr!(language, "share.homework-link", lesson = numbered_title(language, method.method())) }
                </Link></p>
            </section>
            <EmbedForm {address} {end} />
            <MomentList {address} {act} />
        </div>
    }
}

/// The buttons that save the step as a slide.
fn slides(
    language: Language,
    method: Stepped,
    now: &Snapshot,
    rows: &Rc<[Row]>,
    address: &Rc<Address>,
) -> Html {
    let (now, rows, address) = (*now, Rc::clone(rows), Rc::clone(address));
    let save = Callback::from(move |format: Format| {
        let note = address.moments.at(now.step).map(|moment| moment.note.as_str());
        let note = note.filter(|note| !note.is_empty());
        let name = format!("queens-{}-{method}-{}-slide", now.view.size, now.step);
        offer(&name, slide(language, &now, &rows, note), SLIDE.map(f64::from), format);
    });
    html! {
        <p class="save">
            <span class="soft">{ tr!(language, "share.slide") }</span>
            { buttons(language, "slide", &save) }
        </p>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;
