//! The form that makes a GIF of the next moves. The browser draws each move as a slide, in short slices of work.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use queens_core::notation::fold;
use queens_core::{Size, Stepped};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, BlobPropertyBag, HtmlInputElement};
use yew::prelude::*;

use super::drawn::slide;
use super::gif::Gif;
use super::pause::pause;
use crate::browser::{download, now};
use crate::parts::field_error::FieldError;
use crate::parts::save::pixels;
use crate::search::squares::rows;
use crate::search::state::{Action, ExploreState, Jump};
use crate::words::{Language, grouped, tr, use_language};

/// The width and the height of a frame in pixels.
const SIDES: [u16; 2] = [960, 540];

/// The time of a frame and of the last one, in hundredths of a second.
const TIMES: [u16; 2] = [100, 300];

/// The number of moves that the form suggests.
const SUGGESTED: &str = "30";

/// The largest number of moves.
const MOST: usize = 200;

/// The length of a slice of the search in milliseconds: less than a frame of the screen.
const SLICE: f64 = 10.0;

/// The time after which the search for a frame ends without a file, in milliseconds.
const LONGEST: f64 = 10_000.0;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub method: Stepped,
    pub size: Size,
    /// The displayed step.
    pub step: u64,
}

/// The state of the file that the form makes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Idle,
    /// The number of frames so far.
    Working(usize),
    /// The file was offered to the user. It has this number of frames and of bytes.
    Made(usize, u64),
    /// The search took too long.
    TooSlow,
    /// The browser could not make the file.
    Failed,
}

/// Returns the number of moves that was typed, unless it is invalid.
fn parse(typed: &str) -> Option<usize> {
    fold(typed).trim().parse().ok().filter(|moves| (1..=MOST).contains(moves))
}

/// The number of moves of an animation, and the button that makes it.
#[component]
pub fn FilmForm(props: &Props) -> Html {
    let language = use_language();
    let typed = use_state(|| SUGGESTED.to_owned());
    let status = use_state_eq(|| Status::Idle);
    let is_stopped = use_mut_ref(|| Rc::new(Cell::new(false)));
    {
        // When the search changes or the form is closed, the file is not wanted any more.
        let is_stopped = Rc::clone(&is_stopped);
        let (typed, status) = (typed.setter(), status.setter());
        use_effect_with((props.method, props.size), move |_| {
            move || {
                is_stopped.borrow().set(true);
                typed.set(SUGGESTED.to_owned());
                status.set(Status::Idle);
            }
        });
    }
    let moves = parse(&typed);
    let onclick = {
        let (status, is_stopped, step) = (status.setter(), Rc::clone(&is_stopped), props.step);
        let search = ExploreState::new(props.method, props.size);
        let name = format!("queens-{}-{}-{step}.gif", props.size, props.method);
        Callback::from(move |_: MouseEvent| {
            let Some(moves) = moves else { return };
            let stop = Rc::new(Cell::new(false));
            is_stopped.replace(Rc::clone(&stop)).set(true);
            status.set(Status::Working(0));
            let (status, search, name) = (status.clone(), search.clone(), name.clone());
            spawn_local(async move {
                let report = |frames| status.set(Status::Working(frames));
                let made = make(language, search, (step, moves), &name, report, &stop).await;
                status.set(made);
            });
        })
    };
    let value = (*typed).clone();
    let oninput = Callback::from(move |event: InputEvent| {
        typed.set(event.target_unchecked_into::<HtmlInputElement>().value());
    });
    let stop = Callback::from(move |_: MouseEvent| is_stopped.borrow().set(true));
    let is_working = matches!(*status, Status::Working(_));
    html! {
        <section aria-labelledby="share-film">
            <h3 id="share-film">{ tr!(language, "share.film") }</h3>
            <p class="count-field">
                <label for="film-moves">{ tr!(language, "share.moves") }</label>
                <input id="film-moves" type="text" inputmode="numeric" autocomplete="off" size="8" maxlength="8" value={value} {oninput} />
            </p>
            <p class="save">
                <button id="film" type="button" {onclick} disabled={is_working || moves.is_none()}>
                    { tr!(language, "share.film-make") }
                </button>
                if is_working {
                    <button id="film-stop" type="button" onclick={stop}>{ tr!(language, "explore.stop") }</button>
                }
                <span id="film-status" class="soft" role="status">{ status_text(language, *status) }</span>
            </p>
            <FieldError id="film-fault" message={moves.is_none().then(|| tr!(language, "share.number", most = MOST))} />
        </section>
    }
}

/// Makes the file and offers it under this name. `report` receives the number of frames so far. The first step has
/// a frame, and so have the next moves and the comparisons between them.
async fn make(
    language: Language,
    mut search: ExploreState,
    (from, moves): (u64, usize),
    name: &str,
    report: impl Fn(usize),
    is_stopped: &Cell<bool>,
) -> Status {
    let Ok(mut gif) = Gif::new(SIDES) else { return Status::Failed };
    let mut next = Action::MoveTo(from);
    let mut frames = 0;
    let mut first = None;
    loop {
        search.apply(next);
        next = Action::Next(Jump::Beat);
        let begin = now();
        loop {
            // Other events are handled meanwhile.
            pause(0).await;
            if is_stopped.get() {
                return Status::Idle;
            }
            let slice = now();
            search.work(&mut || now() < slice + SLICE);
            if search.jump_in_progress().is_none() {
                break;
            }
            if now() > begin + LONGEST {
                return Status::TooSlow;
            }
        }
        frames += 1;
        let svg = slide(language, search.snapshot(), &rows(&search));
        let Some(drawn) = pixels(&svg, SIDES.map(f64::from)).await else { return Status::Failed };
        if gif.add(&drawn, TIMES[0]).is_err() {
            return Status::Failed;
        }
        report(frames);
        let at = search.snapshot().moves;
        if at - *first.get_or_insert(at) >= moves as u64 || search.is_done() {
            break;
        }
    }
    let Ok(bytes) = gif.finish(TIMES[1]) else { return Status::Failed };
    match offer(name, &bytes) {
        Some(()) => Status::Made(frames, bytes.len() as u64),
        None => Status::Failed,
    }
}

fn offer(name: &str, bytes: &[u8]) -> Option<()> {
    let properties = BlobPropertyBag::new();
    properties.set_type("image/gif");
    let parts = Array::of1(&Uint8Array::from(bytes));
    let file = Blob::new_with_u8_array_sequence_and_options(&parts, &properties).ok()?;
    download::offer(name, &file)
}

/// Says how far the animation is, or how it ended.
fn status_text(language: Language, status: Status) -> Option<String> {
    Some(match status {
        Status::Idle => return None,
        Status::Working(frames) => tr!(language, "share.drawn", frames = frames),
        Status::Made(frames, bytes) => {
            let size = grouped(bytes.div_ceil(1000));
            tr!(language, "share.made", frames = frames, size = size)
        }
        Status::TooSlow => tr!(language, "share.too-slow"),
        Status::Failed => tr!(language, "share.failed"),
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn an_animation_has_up_to_200_moves() {
        for (text, moves) in [("1", Some(1)), (" 30 ", Some(30)), ("２００", Some(200))] {
            assert_eq!(parse(text), moves, "{text}");
        }
        for text in ["", "many", "0", "-5", "12.5", "201"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
