//! A race of two methods: two boards, one clock, and the work of both in each unit. Its code is
//! loaded on demand.

use gloo_render::{AnimationFrame, request_animation_frame};
use queens_core::{Register, Size, Stepped, Tracer};
use queens_state::search::race::{Race, Unit, found, rows, status_sentence};
use yew::prelude::*;

use crate::board::marked_board::marked_board;
use crate::browser::{bring_into_view, media_matches, now};
use crate::words::{Language, grouped, numbered_method, tr};

#[derive(Clone, Copy, Properties, PartialEq)]
pub struct Props {
    /// The method on the board, and the method to compare with.
    pub methods: [Stepped; 2],
    pub size: Size,
    pub language: Language,
    /// When it grows, the race starts or pauses.
    #[prop_or_default]
    pub toggles: u32,
    /// Whether the race starts by itself.
    #[prop_or_default]
    pub starts: bool,
}

/// A message to the race.
pub enum RaceMessage {
    /// Starts or pauses the race.
    Toggle,
    /// Starts the race again from its first move.
    Restart,
    /// The browser is about to draw a frame, at this time in milliseconds.
    Frame(f64),
}

/// The race, with the frame that it waits for.
pub struct RaceTrack {
    race: Race,
    frame: Option<AnimationFrame>,
    last_frame: Option<f64>,
}

/// The largest part of a frame that both searches may use, in milliseconds.
const FRAME_WORK: f64 = 6.0;
/// The longest time by which one frame advances the race, in milliseconds. A page in the background
/// draws no frames, so its next frame may come much later.
const MAX_ADVANCE: f64 = 250.0;

impl Component for RaceTrack {
    type Message = RaceMessage;
    type Properties = Props;

    fn create(ctx: &Context<Self>) -> RaceTrack {
        let Props { methods, size, starts, .. } = *ctx.props();
        let mut race = Race::new(methods, size);
        if starts {
            race.toggle();
        }
        RaceTrack { race, frame: None, last_frame: None }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        let Props { methods, size, toggles, starts, .. } = *ctx.props();
        if (methods, size) != (old.methods, old.size) {
            self.race = Race::new(methods, size);
        }
        if toggles != old.toggles || starts && !old.starts && !self.race.is_running() {
            self.race.toggle();
            self.request_frame(ctx);
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: RaceMessage) -> bool {
        match message {
            RaceMessage::Toggle => self.race.toggle(),
            RaceMessage::Restart => self.race.restart(),
            RaceMessage::Frame(time) => self.advance(time),
        }
        self.request_frame(ctx);
        true
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if !first {
            return;
        }
        self.request_frame(ctx);
        // On a phone, the race is far below the board.
        if media_matches("(max-width: 40rem)") {
            bring_into_view("race");
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let send = ctx.link().callback(|message| message);
        track(ctx.props().language, &self.race, &send)
    }
}

impl RaceTrack {
    /// Waits for the next frame while the race is running.
    fn request_frame(&mut self, ctx: &Context<Self>) {
        if !self.race.is_running() {
            self.last_frame = None;
        } else if self.frame.is_none() {
            let link = ctx.link().clone();
            let on_frame = move |time| link.send_message(RaceMessage::Frame(time));
            self.frame = Some(request_animation_frame(on_frame));
        }
    }

    /// Advances both searches by the time since the last frame.
    fn advance(&mut self, time: f64) {
        self.frame = None;
        let elapsed = self.last_frame.map_or(0.0, |last| time - last);
        self.last_frame = Some(time);
        let end = now() + FRAME_WORK;
        let mut more = || now() < end;
        if media_matches("(prefers-reduced-motion: reduce)") {
            self.race.run_unlimited(&mut more);
        } else {
            self.race.frame(elapsed.clamp(0.0, MAX_ADVANCE), &mut more);
        }
    }
}

/// Renders the current state of the race.
fn track(language: Language, race: &Race, send: &Callback<RaceMessage>) -> Html {
    let button = |id: &'static str, text: String, message: fn() -> RaceMessage| {
        let onclick = send.reform(move |_: MouseEvent| message());
        html! { <button {id} type="button" {onclick}>{ text }</button> }
    };
    let go = tr!(language, if race.is_running() { "race.pause" } else { "race.go" });
    let state = match (race.is_running(), race.is_over()) {
        (true, _) => "running",
        (false, true) => "over",
        (false, false) => "still",
    };
    let lanes = race.searches().iter().map(|search| lane(language, race, search));
    html! {
        <section id="race" class="race" aria-label={tr!(language, "race.title")} data-state={state}>
            <div class="button-line">
                { button("race-go", go, || RaceMessage::Toggle) }
                { button("race-again", tr!(language, "race.again"), || RaceMessage::Restart) }
                <output id="race-clock" aria-live="off">{ tr!(language, "race.clock", moves = grouped(race.moves())) }</output>
            </div>
            <div class="pair">{ for lanes }</div>
            <p id="race-said" role="status">{ status_sentence(language, race) }</p>
        </section>
    }
}

/// Renders the board of a search, the number of its solutions, and its work.
fn lane(language: Language, race: &Race, search: &Tracer) -> Html {
    let name = numbered_method(language, search.method());
    let label = tr!(language, "race.board", method = name, moves = grouped(search.beats()));
    let done = search.is_done();
    let work = Unit::ALL.into_iter().map(|unit| bar(language, race, search, unit));
    html! {
        <figure data-method={search.method().id()} data-done={done.to_string()}>
            <figcaption>{ name }</figcaption>
            { marked_board(&rows(&search.view(), done), &label) }
            <p class="race-found">{ found(language, search) }</p>
            <dl>{ for work }</dl>
        </figure>
    }
}

/// Renders the work of a search in one unit, as a number and as a bar. Both bars of a unit have the
/// same scale.
fn bar(language: Language, race: &Race, search: &Tracer, unit: Unit) -> Html {
    let count = unit.count(search.work());
    let facts = search.method().facts();
    let reason = (!unit.applies_to(facts)).then_some(match facts.keeps(Register::Free) {
        true => "race.none",
        false => "race.none-tested",
    });
    let width = count as f64 / race.scale(unit) as f64 * 100.0;
    html! {
        <div class="race-work">
            <dt>{ tr!(language, format!("work.{}", unit.id())) }</dt>
            <dd data-unit={unit.id()} data-count={count.to_string()}>
                if let Some(reason) = reason {
                    <span class="soft">{ tr!(language, reason) }</span>
                } else {
                    <b>{ grouped(count) }</b>
                    <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                        <rect class="race-track" width="100" height="1" />
                        <rect class="race-bar" width={format!("{width:.1}")} height="1" />
                    </svg>
                }
            </dd>
        </div>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{rendered, texts};

    fn shown(language: Language, race: &Race) -> String {
        rendered(language, track(language, race, &Callback::noop()))
    }

    #[test]
    fn waits_for_its_start() {
        let size = Size::new(8).unwrap();
        let methods = [Stepped::Bitmap, Stepped::Symmetry];
        let html = rendered(
            Language::English,
            html! { <RaceTrack {methods} {size} language={Language::English} /> },
        );
        assert!(html.contains("data-state=\"still\""), "{html}");
        assert_eq!(html.matches("marked-board").count(), 2);
        let texts = texts(&html);
        for text in ["7 Bitmap", "14 Symmetry", "Start", "Restart", "Moves: 0"] {
            assert!(texts.lines().any(|line| line == text), "{text}: {texts}");
        }
    }

    #[test]
    fn can_start_by_itself() {
        let (methods, size) = ([Stepped::Bitmap, Stepped::Symmetry], Size::new(8).unwrap());
        let html = rendered(
            Language::English,
            html! { <RaceTrack {methods} {size} language={Language::English} starts=true /> },
        );
        assert!(html.contains("data-state=\"running\""), "{html}");
    }

    /// The boards may end below the window.
    #[test]
    fn the_button_that_starts_it_is_above_its_boards() {
        let race = Race::new([Stepped::Bitmap, Stepped::Symmetry], Size::new(8).unwrap());
        let html = shown(Language::English, &race);
        let [button, board] = ["race-go", "marked-board"].map(|sign| html.find(sign).unwrap());
        assert!(button < board, "{html}");
    }

    #[test]
    fn says_before_the_start_which_methods_look_at_no_square() {
        for &method in Stepped::ALL {
            let mut race = Race::new([method, Stepped::Backtracking], Size::new(5).unwrap());
            let says_none =
                |race: &Race| texts(&shown(Language::English, race)).contains("none: it ");
            let before = says_none(&race);
            race.toggle();
            race.run_unlimited(&mut || true);
            assert_eq!(before, race.searches()[0].work().looked_at == 0, "{method}");
            assert_eq!(before, says_none(&race), "{method}");
        }
    }

    #[test]
    fn shows_the_end_in_two_units() {
        let mut race = Race::new([Stepped::Backtracking, Stepped::Symmetry], Size::new(8).unwrap());
        race.toggle();
        race.run_unlimited(&mut || true);
        let html = shown(Language::English, &race);
        assert!(html.contains("data-state=\"over\""), "{html}");
        for (unit, count) in [("put", 2056), ("looked", 15_720), ("put", 505), ("looked", 0)] {
            let number = format!("data-unit=\"{unit}\" data-count=\"{count}\"");
            assert!(html.contains(&number), "{number}: {html}");
        }
        // The bar of the search that placed more queens is full, and the bar of the other search is
        // 505 / 2056 as long.
        assert!(html.contains("width=\"100.0\"") && html.contains("width=\"24.6\""), "{html}");
        let texts = texts(&html);
        assert!(texts.contains("Done. 12 boards stand for 92"), "{texts}");
        assert!(texts.contains("none: it finds all free squares of a row at once"), "{texts}");
        assert!(texts.contains("3 Backtracking put 2,056: about a quarter."), "{texts}");
        let japanese = shown(Language::Japanese, &race);
        assert!(japanese.contains("終了：12 個の解が 92 個を代表"), "{japanese}");
        assert!(japanese.contains("およそ 4 分の 1 です。"), "{japanese}");
    }
}
