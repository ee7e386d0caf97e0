//! The form that makes an animation.

use std::cell::Cell;
use std::rc::Rc;

use queens_core::{Size, Stepped};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::fields::{Range, Typed, choice, switch};
use super::job::{
    AnimationFormat, AnimationOutcome, AnimationProgress, AnimationRequest, make, most_frames,
};
use super::video;
use crate::words::{Language, grouped, tr, use_language};

/// The times of a frame that the form offers, in hundredths of a second.
const FRAME_TIMES: [u32; 5] = [12, 25, 50, 100, 200];

/// The sides of the board that the form offers, in pixels.
const SIDES: [u32; 3] = [320, 480, 720];

#[derive(Properties, PartialEq)]
pub struct Props {
    pub method: Stepped,
    pub size: Size,
    /// The displayed step.
    pub step: u64,
    /// The last step, once known.
    pub end: Option<u64>,
}

/// The state of the file that the form makes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Idle,
    /// The request of the animation in progress. The fields of the form may have changed since.
    Working(AnimationRequest, AnimationProgress),
    Ended(AnimationRequest, AnimationOutcome),
}

/// The range, the look and the format of an animation, and the button that makes it.
#[component]
pub fn FilmForm(props: &Props) -> Html {
    let language = use_language();
    let typed = use_state(Typed::default);
    let every_step = use_state_eq(|| false);
    let frame_time = use_state_eq(|| 100_u32);
    let side = use_state_eq(|| 480_u32);
    let format = use_state_eq(AnimationFormat::default);
    let caption = use_state_eq(|| true);
    let status = use_state_eq(|| Status::Idle);
    let is_stopped = use_mut_ref(|| Rc::new(Cell::new(false)));
    {
        // When the search changes or the form is closed, the file is not wanted any more.
        let is_stopped = Rc::clone(&is_stopped);
        let (typed, status) = (typed.setter(), status.setter());
        use_effect_with((props.method, props.size), move |_| {
            move || {
                is_stopped.borrow().set(true);
                typed.set(Typed::default());
                status.set(Status::Idle);
            }
        });
    }
    let range = Range::new(&typed, props.step, props.end);
    let request = range.valid(props.end).map(|range| AnimationRequest {
        language,
        method: props.method,
        size: props.size,
        range,
        every_step: *every_step,
        frame_seconds: f64::from(*frame_time) / 100.0,
        side: *side,
        caption: *caption,
        format: *format,
    });
    let onclick = {
        let (status, is_stopped) = (status.setter(), Rc::clone(&is_stopped));
        Callback::from(move |_: MouseEvent| {
            let Some(request) = request else { return };
            let stop = Rc::new(Cell::new(false));
            is_stopped.replace(Rc::clone(&stop)).set(true);
            let (report, status) = (status.clone(), status.clone());
            status.set(Status::Working(request, AnimationProgress::Drawn(0, request.range[0])));
            spawn_local(async move {
                let report =
                    Callback::from(move |progress| report.set(Status::Working(request, progress)));
                let outcome = make(request, report, Rc::clone(&stop)).await;
                status.set(Status::Ended(request, outcome));
            });
        })
    };
    let stop = Callback::from(move |_: MouseEvent| is_stopped.borrow().set(true));
    let is_working = matches!(*status, Status::Working(..));
    let fault = range.fault(language, props.end);
    html! {
        <section aria-labelledby="share-film">
            <h3 id="share-film">{ tr!(language, "share.film") }</h3>
            <div class="count-form">
                { range.fields(language, "film", &typed) }
                { choice("film-frames", tr!(language, "share.frames"), frames(language), &every_step) }
                { choice("film-pace", tr!(language, "share.pace"), frame_times(language), &frame_time) }
                { choice("film-format", tr!(language, "share.format"), formats(language), &format) }
                // A vector picture has no size in pixels.
                if *format != AnimationFormat::Svg {
                    { choice("film-side", tr!(language, "share.side"), sides(language), &side) }
                }
            </div>
            { switch("film-caption", tr!(language, "share.caption"), &caption) }
            <p class="save">
                <button id="film" type="button" {onclick} disabled={is_working || request.is_none()}>
                    { tr!(language, "share.film-make") }
                </button>
                if is_working {
                    <button id="film-stop" type="button" onclick={stop}>{ tr!(language, "explore.stop") }</button>
                }
                <span id="film-status" class="soft" role="status">{ status_text(language, *status) }</span>
            </p>
            <p id="film-fault" class="field-error" role="alert">{ fault }</p>
        </section>
    }
}

/// Values of a list, each with its id and its name.
type Options<T> = Vec<(T, String, String)>;

fn frames(language: Language) -> Options<bool> {
    [(false, "moves", "share.every-move"), (true, "steps", "share.every-step")]
        .map(|(every_step, id, key)| (every_step, id.to_owned(), tr!(language, key)))
        .into()
}

fn frame_times(language: Language) -> Options<u32> {
    let name = |frame_time: u32| {
        let seconds = f64::from(frame_time) / 100.0;
        tr!(language, "share.seconds", seconds = seconds)
    };
    FRAME_TIMES.map(|frame_time| (frame_time, frame_time.to_string(), name(frame_time))).into()
}

fn sides(language: Language) -> Options<u32> {
    let name = |side: u32| tr!(language, "share.pixels", pixels = side);
    SIDES.map(|side| (side, side.to_string(), name(side))).into()
}

/// The formats, without videos if the browser cannot record them.
fn formats(language: Language) -> Options<AnimationFormat> {
    let can_record = video::format().is_some();
    let formats = AnimationFormat::ALL
        .into_iter()
        .filter(|&each| can_record || each != AnimationFormat::Video);
    let name = |each: AnimationFormat| tr!(language, format!("share.format-{}", each.id()));
    formats.map(|each| (each, each.id().to_owned(), name(each))).collect()
}

/// Says how far the animation is, or how it ended.
fn status_text(language: Language, status: Status) -> Option<String> {
    Some(match status {
        Status::Idle | Status::Ended(_, AnimationOutcome::Stopped) => return None,
        Status::Working(_, AnimationProgress::Searching(step)) => {
            tr!(language, "share.searching", step = grouped(step))
        }
        Status::Working(request, AnimationProgress::Drawn(frames, step)) => {
            let end = request.range[1];
            tr!(language, "share.drawn", frames = frames, step = grouped(step), end = grouped(end))
        }
        Status::Ended(_, AnimationOutcome::Made(frames, bytes)) => {
            let size = grouped(bytes.div_ceil(1000));
            tr!(language, "share.made", frames = frames, size = size)
        }
        Status::Ended(request, AnimationOutcome::TooLong) => {
            tr!(language, "share.too-long", most = most_frames(&request))
        }
        Status::Ended(_, AnimationOutcome::TooSlow) => tr!(language, "share.too-slow"),
        Status::Ended(_, AnimationOutcome::Failed) => tr!(language, "share.failed"),
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn every_state_says_something_else() {
        let request = AnimationRequest {
            language: Language::English,
            method: Stepped::Backtracking,
            size: Size::new(8).unwrap(),
            range: [991, 1049],
            every_step: true,
            frame_seconds: 1.0,
            side: 480,
            caption: true,
            format: AnimationFormat::Gif,
        };
        let all = [
            Status::Working(request, AnimationProgress::Searching(1000)),
            Status::Working(request, AnimationProgress::Drawn(7, 1000)),
            Status::Ended(request, AnimationOutcome::Made(7, 12_345)),
            Status::Ended(request, AnimationOutcome::TooLong),
            Status::Ended(request, AnimationOutcome::TooSlow),
            Status::Ended(request, AnimationOutcome::Failed),
        ];
        for language in Language::ALL {
            let texts: Vec<_> =
                all.iter().filter_map(|&each| status_text(language, each)).collect();
            let different: std::collections::HashSet<_> = texts.iter().collect();
            assert_eq!(different.len(), all.len(), "{texts:?}");
            assert!(texts[0].contains("1,000") && texts[2].contains("13"), "{texts:?}");
            assert!(texts[1].contains("1,049") && texts[3].contains("300"), "{texts:?}");
        }
        assert_eq!(status_text(Language::English, Status::Idle), None);
    }
}
