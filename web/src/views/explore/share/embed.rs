//! The form that generates the HTML of an iframe for another page.

use std::rc::Rc;

use yew::prelude::*;

use super::fields::{Range, Typed, choice, copy, switch};
use crate::browser::link_to;
use crate::parts::share_link::ShareLink;
use crate::place::{Address, Clip, ExploreLayout, View};
use crate::words::{Language, numbered_method, tr, use_language};

/// The numbers of moves per second that the form offers.
const SPEEDS: [u32; 5] = [1, 2, 4, 8, 16];

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The address with the displayed step.
    pub address: Rc<Address>,
    /// The last step, once known.
    pub end: Option<u64>,
}

/// The fields for the steps that the iframe plays, and its HTML.
#[component]
pub fn EmbedForm(props: &Props) -> Html {
    let language = use_language();
    let typed = use_state(Typed::default);
    let plays = use_state_eq(|| true);
    let repeats = use_state_eq(|| true);
    let speed = use_state_eq(|| 2_u32);
    let range = Range::new(&typed, props.address.step, props.end);
    let clip = range.valid(props.end).map(|[from, to]| Clip {
        plays: *plays,
        speed: Some(*speed),
        from: Some(from),
        to: Some(to),
        repeats: *repeats,
    });
    let name = |speed: u32| tr!(language, "share.moves", moves = speed);
    let speeds = SPEEDS.map(|speed| (speed, speed.to_string(), name(speed))).to_vec();
    html! {
        <section aria-labelledby="share-embed">
            <h3 id="share-embed">{ tr!(language, "share.embed") }</h3>
            <div class="count-form">
                { range.fields(language, "embed", &typed) }
                { choice("embed-speed", tr!(language, "explore.speed"), speeds, &speed) }
            </div>
            <p class="switches">
                { switch("embed-plays", tr!(language, "share.plays"), &plays) }
                { switch("embed-repeats", tr!(language, "share.repeats"), &repeats) }
            </p>
            <p id="embed-fault" class="field-error" role="alert">{ range.fault(language, props.end) }</p>
            if let Some(clip) = clip {
                <ShareLink
                    id="embed-code" link={code(language, &props.address, clip)} label={tr!(language, "share.code")}
                    hint={tr!(language, "share.embed-hint")} copy={copy(language)}
                />
            }
        </section>
    }
}

/// Returns the HTML of an iframe that plays a clip.
fn code(language: Language, address: &Address, clip: Clip) -> String {
    let Address { size, method, layout: ExploreLayout { layers, .. }, ref moments, .. } = *address;
    let framed = Address {
        view: View::Explore,
        size,
        method,
        step: clip.from.unwrap_or(0),
        layout: ExploreLayout { layers, ..ExploreLayout::default() },
        clip,
        moments: moments.clone(),
        language: Some(language),
        is_embedded: true,
        ..Address::default()
    };
    let link = link_to(&framed.to_link()).replace('&', "&amp;");
    let n = tr!(language, "share.n", n = size);
    let title = format!("{n}, {}", numbered_method(language, method));
    format!(
        "<iframe src=\"{link}\" title=\"{title}\" width=\"800\" height=\"600\" loading=\"lazy\"></iframe>"
    )
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn the_code_frames_the_steps() {
        let address =
            Address::parse("?n=6&method=bitmap&step=9&present=1&compare=flags&moments=9:a").0;
        let clip =
            Clip { plays: true, speed: Some(4), from: Some(120), to: Some(180), repeats: true };
        for language in Language::ALL {
            let code = code(language, &address, clip);
            let (_, link) = code.split_once("src=\"").unwrap();
            let (link, rest) = link.split_once('"').unwrap();
            assert!(rest.contains("title=\"") && rest.ends_with("></iframe>"), "{code}");
            let (framed, problems) = Address::parse(&link.replace("&amp;", "&"));
            assert_eq!(problems, []);
            assert!(framed.is_embedded && !framed.layout.presenting);
            assert_eq!((framed.clip, framed.step, framed.size), (clip, 120, address.size));
            assert_eq!((framed.language, framed.compare), (Some(language), None));
            assert_eq!(framed.moments, address.moments);
        }
    }
}
