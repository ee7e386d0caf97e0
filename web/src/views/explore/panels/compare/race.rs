//! A race of two methods: two boards, one clock, and the work of both in each unit. Its code is
//! loaded on demand.

use gloo_render::{AnimationFrame, request_animation_frame};
use queens_core::{Size, Stepped, Tracer};
use queens_state::search::race::{Race, RaceAction, Unit};
use queens_state::search::race_sentences::{
    found, rules_section, rules_sentence, status_sentence, symmetry_section,
};
use queens_state::search::state::Pace;
use yew::prelude::*;

use crate::board::marked_board::marked_board;
use crate::browser::{
    bring_into_view, focus_in_place, has_focus, media_matches, now, prefers_reduced_motion,
};
use crate::parts::choice::{Choice, chosen};
use crate::parts::link::Link;
use crate::place::{View, use_address};
use crate::words::{Language, grouped, numbered_method, tr};

#[derive(Clone, Copy, Properties, PartialEq)]
pub struct Props {
    /// The method on the board, and the method to compare with.
    pub methods: [Stepped; 2],
    pub size: Size,
    pub language: Language,
    /// The last key for the race, with its number.
    #[prop_or_default]
    pub key_press: Option<(u32, RaceAction)>,
    /// Whether the user has come through the race's door. Then it starts by itself, unless the user prefers
    /// reduced motion.
    #[prop_or_default]
    pub starts: bool,
}

/// A message to the race.
pub enum RaceMessage {
    /// An action of the user.
    Do(RaceAction),
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
        if starts && !prefers_reduced_motion() {
            race.toggle();
        }
        RaceTrack { race, frame: None, last_frame: None }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        let Props { methods, size, key_press, starts, .. } = *ctx.props();
        if (methods, size) != (old.methods, old.size) {
            let pace = self.race.pace();
            self.race = Race::new(methods, size);
            self.race.apply(RaceAction::Pace(pace));
        }
        if let Some((_, action)) = key_press.filter(|_| key_press != old.key_press) {
            self.race.apply(action);
        }
        if starts && !old.starts && !self.race.is_running() && !prefers_reduced_motion() {
            self.race.toggle();
        }
        self.request_frame(ctx);
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: RaceMessage) -> bool {
        match message {
            RaceMessage::Do(action) => self.race.apply(action),
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
        // The door to the race leaves the focus on the tab, whose keys open other tabs.
        if ctx.props().starts && has_focus("tab-race") {
            focus_in_place("race-go");
        }
        // On a phone, the page may be scrolled to the tabs.
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
        let is_fast = self.race.pace() == Pace::Fast;
        if is_fast && prefers_reduced_motion() {
            self.race.run_unlimited(&mut more);
        } else {
            self.race.frame(elapsed.clamp(0.0, MAX_ADVANCE), &mut more);
        }
    }
}

/// Renders the current state of the race.
fn track(language: Language, race: &Race, send: &Callback<RaceMessage>) -> Html {
    let toggle = send.reform(|_: MouseEvent| RaceMessage::Do(RaceAction::Toggle));
    let make_a_move = send.reform(|_: MouseEvent| RaceMessage::Do(RaceAction::Move));
    let go = match (race.is_running(), race.is_over()) {
        (true, _) => "race.pause",
        (false, true) => "race.again",
        (false, false) if race.has_begun() => "race.continue",
        (false, false) => "race.go",
    };
    let state = match (race.is_running(), race.is_over()) {
        (true, _) => "running",
        (false, true) => "over",
        (false, false) => "still",
    };
    let lanes = [0, 1].map(|side| lane(language, race, side));
    html! {
        <section id="race" class="race" aria-label={tr!(language, "race.title")} data-state={state}>
            <div class="button-line">
                <button id="race-go" type="button" class="primary" onclick={toggle}>{ tr!(language, go) }</button>
                // If the end of the race disabled the button, it would lose the focus, and with it the
                // keyboard its place.
                <button
                    id="race-move" type="button" onclick={make_a_move}
                    aria-disabled={race.is_over().then_some("true")}
                >
                    { tr!(language, "race.move") }
                </button>
                { speed(language, race, send) }
                <output id="race-clock" aria-live="off">{ tr!(language, "race.clock", moves = grouped(race.moves())) }</output>
            </div>
            <div class="pair">{ for lanes }</div>
            <p id="race-said" role="status">
                { status_sentence(language, race) }
                if let Some(section) = symmetry_section(race) {
                    { language.space() }
                    <ExplanationLink id="race-why" {section} text={tr!(language, "race.why")} />
                }
            </p>
        </section>
    }
}

/// Renders the list of paces.
fn speed(language: Language, race: &Race, send: &Callback<RaceMessage>) -> Html {
    let set_pace = send.reform(|event: Event| {
        RaceMessage::Do(RaceAction::Pace(chosen(&event).unwrap_or(Pace::Fast)))
    });
    let paces =
        Race::PACES.map(|pace| (pace.id(), tr!(language, format!("explore.pace-{}", pace.id()))));
    let label = tr!(language, "explore.speed");
    html! {
        <Choice
            id="race-speed" value={race.pace().id()} options={paces.to_vec()} onchange={set_pace}
            title={label.clone() + &language.aside("+ −")} {label}
        />
    }
}

#[derive(Properties, PartialEq)]
struct ExplanationProps {
    id: &'static str,
    section: &'static str,
    text: String,
}

/// A link to a section of the explanation.
#[component]
fn ExplanationLink(props: &ExplanationProps) -> Html {
    let (address, _) = use_address();
    let to = address.reading(View::Explanation, props.section);
    html! { <Link {to} id={props.id}>{ &props.text }</Link> }
}

/// Renders the board of a search, the number of its solutions, and its work.
fn lane(language: Language, race: &Race, side: usize) -> Html {
    let search = &race.searches()[side];
    let name = numbered_method(language, search.method());
    let solution = race.solution_at_end(side);
    let label = match solution {
        Some(solution) => tr!(language, "race.board-last", method = name, solution = solution),
        None => tr!(language, "race.board", method = name, moves = grouped(search.beats())),
    };
    let done = search.is_done();
    let work = race.units().map(|unit| bar(language, race, search, unit));
    html! {
        <figure data-method={search.method().id()} data-done={done.to_string()}>
            <figcaption>{ name }</figcaption>
            { marked_board(&race.board(side), &label) }
            <p class="race-note">
                if solution.is_some() {
                    { tr!(language, "race.last") }
                } else if let Some(text) = rules_sentence(language, search.method()) {
                    <ExplanationLink id="race-rules" section={rules_section(search.method())} {text} />
                }
            </p>
            <p class="race-found">{ found(language, done, &search.work().tally) }</p>
            <dl>{ for work }</dl>
        </figure>
    }
}

/// Renders the work of a search in one unit, as a number and as a bar. Both bars of a unit have the
/// same scale.
fn bar(language: Language, race: &Race, search: &Tracer, unit: Unit) -> Html {
    let count = unit.count(search.work());
    let width = count as f64 / race.scale(unit) as f64 * 100.0;
    html! {
        <div class="race-work">
            <dt>{ tr!(language, format!("work.{}", unit.id())) }</dt>
            <dd data-unit={unit.id()} data-count={count.to_string()}>
                <b>{ grouped(count) }</b>
                <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                    <rect class="race-track" width="100" height="1" />
                    <rect class="race-bar" width={format!("{width:.1}")} height="1" />
                </svg>
            </dd>
        </div>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};

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
        for text in ["7 Bitmap", "14 Symmetry", "Start", "One move"] {
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
    fn a_paused_race_continues() {
        let mut race = Race::new([Stepped::Bitmap, Stepped::Symmetry], Size::new(8).unwrap());
        let go = |race: &Race| {
            let html = shown(Language::English, race);
            let [button] = &elements(&html, "id=\"race-go\"")[..] else { panic!("{html}") };
            button.content()
        };
        assert_eq!(go(&race), "Start");
        race.apply(RaceAction::Toggle);
        assert_eq!(go(&race), "Pause");
        race.apply(RaceAction::Move);
        assert_eq!(go(&race), "Continue");
        race.apply(RaceAction::Toggle);
        race.run_unlimited(&mut || true);
        assert_eq!(go(&race), "Start again");
    }

    /// A disabled button would lose the focus, and with it the keys that act on the race.
    #[test]
    fn the_end_of_a_race_leaves_the_focus_on_the_button_for_one_move() {
        let mut race = Race::new([Stepped::Bitmap, Stepped::Symmetry], Size::new(8).unwrap());
        let attribute = |race: &Race, name| {
            let html = shown(Language::English, race);
            elements(&html, "id=\"race-move\"")[0].attribute(name)
        };
        assert_eq!(attribute(&race, "aria-disabled"), None);
        race.toggle();
        race.run_unlimited(&mut || true);
        assert_eq!(attribute(&race, "aria-disabled").as_deref(), Some("true"));
        assert_eq!(attribute(&race, "disabled"), None);
        let moves = race.moves();
        race.apply(RaceAction::Move);
        assert_eq!(race.moves(), moves);
    }

    /// The numbers on the board of the symmetry method are what it saves.
    #[test]
    fn explains_the_rules_and_leads_to_the_reason() {
        let mut race = Race::new([Stepped::Bitmap, Stepped::Symmetry], Size::new(8).unwrap());
        let html = shown(Language::English, &race);
        let links = elements(&html, "id=\"race-rules\"");
        assert_eq!(links.len(), 1, "{html}");
        assert!(links[0].content().starts_with("1, 2, 3, X: squares"), "{html}");
        assert!(!html.contains("race-why"), "{html}");
        race.toggle();
        race.run_unlimited(&mut || true);
        let html = shown(Language::English, &race);
        let [why] = &elements(&html, "id=\"race-why\"")[..] else { panic!("{html}") };
        assert!(why.attribute("href").unwrap().contains("total"), "{html}");
        assert!(html.contains("The board shows the last solution found."), "{html}");
        assert!(html.contains("14 Symmetry, the last solution found: "), "{html}");
    }

    #[test]
    fn shows_the_end_in_units_of_both_methods() {
        let mut race = Race::new([Stepped::Backtracking, Stepped::Symmetry], Size::new(8).unwrap());
        race.toggle();
        race.run_unlimited(&mut || true);
        let html = shown(Language::English, &race);
        assert!(html.contains("data-state=\"over\""), "{html}");
        for count in [2056, 505] {
            let number = format!("data-unit=\"put\" data-count=\"{count}\"");
            assert!(html.contains(&number), "{number}: {html}");
        }
        assert!(!html.contains("data-unit=\"looked\""), "only one of them tests squares: {html}");
        // The bar of the search that placed more queens is full, and the bar of the other search is
        // 505 / 2056 as long.
        assert!(html.contains("width=\"100.0\"") && html.contains("width=\"24.6\""), "{html}");
        let texts = texts(&html);
        assert!(texts.contains("Done. 12 boards stand for 92"), "{texts}");
        assert!(texts.contains("3 Backtracking put 2,056: about a quarter."), "{texts}");
        let japanese = shown(Language::Japanese, &race);
        assert!(japanese.contains("終了：12 個の解が 92 個を代表"), "{japanese}");
        assert!(japanese.contains("およそ 4 分の 1 です。"), "{japanese}");
    }
}
