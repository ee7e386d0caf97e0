//! A race of two methods: two boards, one clock, and the work of both in each unit.

use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use queens_core::{Size, Stepped, Tracer};
use queens_worker::Icicle;
use yew::prelude::*;

use crate::address::{Address, View, use_address};
use crate::board::glyph::Icon;
use crate::board::marked_board::marked_board;
use crate::browser::{focus_in_place, now, prefers_reduced_motion};
use crate::parts::choice::{Choice, chosen};
use crate::parts::link::Link;
use crate::search::state::{Action, Jump, Pace};
use crate::search::work_unit::WorkUnit;
use crate::views::explore::controls::bar::{button, play_button, speed};
use crate::views::explore::controls::map::picture;
use crate::views::explore::controls::more::{More, Props as MoreProps};
use crate::views::explore::model::race::{Race, RaceAction};
use crate::views::explore::model::race_sentences::{found, status_sentence, symmetry_section};
use crate::words::{Language, grouped, numbered_method, tr};
use crate::worker::{Answer, Job, Request, use_job};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// The method on the board, and the method to compare with.
    pub methods: [Stepped; 2],
    pub size: Size,
    pub language: Language,
    /// The last key for the race, with its number.
    pub key_press: Option<(u32, RaceAction)>,
    /// Whether the play button takes the focus, because the link that opened the race has disappeared.
    pub takes_focus: bool,
    /// Selects the other method.
    pub choose: Callback<Stepped>,
    /// The address of the board without the race.
    pub back: Address,
    /// What else the user can do.
    pub more: MoreProps,
}

impl Props {
    /// The largest board of a race. The searches of larger ones take too long to watch.
    const LARGEST: u32 = 10;

    /// The key of the component, which is different for other searches.
    pub fn key(&self) -> String {
        let [first, second] = self.methods;
        format!("{first} {second} {}", self.size)
    }
}

/// A message to the race.
pub enum RaceMessage {
    /// An action of the user.
    Do(Action),
    /// The browser is about to draw a frame, at this time in milliseconds.
    Frame(f64),
}

/// The race, with the frame that it waits for.
pub struct RaceTrack {
    /// `None` on a board that is too large.
    race: Option<Race>,
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
        let &Props { methods, size, .. } = ctx.props();
        let race = (size.get() <= Props::LARGEST).then(|| Race::new(methods, size));
        RaceTrack { race, frame: None, last_frame: None }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        let key_press = ctx.props().key_press;
        let action = key_press.filter(|_| key_press != old.key_press);
        if let (Some((_, action)), Some(race)) = (action, &mut self.race) {
            race.apply(action);
        }
        self.request_frame(ctx);
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: RaceMessage) -> bool {
        match (message, &mut self.race) {
            (RaceMessage::Do(action), Some(race)) => {
                if let Some(action) = RaceAction::of(action) {
                    race.apply(action);
                }
            }
            (RaceMessage::Frame(time), _) => self.advance(time),
            _ => {}
        }
        self.request_frame(ctx);
        true
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if first && ctx.props().takes_focus {
            focus_in_place("play");
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let act = ctx.link().callback(RaceMessage::Do);
        html! {
            <section id="race" class="race" aria-label={tr!(props.language, "race.title")} data-state={self.state()}>
                { head(props) }
                if let Some(race) = &self.race {
                    { track(props.language, race) }
                    <div class="controls">
                        { buttons(props.language, race, &act) }
                        <More ..props.more.clone() />
                    </div>
                } else {
                    <p id="race-said">{ tr!(props.language, "race.too-large", largest = Props::LARGEST) }</p>
                }
            </section>
        }
    }
}

impl RaceTrack {
    /// The state for style sheets and tests.
    fn state(&self) -> &'static str {
        match &self.race {
            Some(race) if race.is_running() => "running",
            Some(race) if race.is_over() => "over",
            _ => "still",
        }
    }

    /// Waits for the next frame while the race is running.
    fn request_frame(&mut self, ctx: &Context<Self>) {
        if !self.race.as_ref().is_some_and(Race::is_running) {
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
        let Some(race) = &mut self.race else { return };
        let elapsed = self.last_frame.map_or(0.0, |last| time - last);
        self.last_frame = Some(time);
        let end = now() + FRAME_WORK;
        let mut more = || now() < end;
        if race.pace() >= Pace::Fast && prefers_reduced_motion() {
            race.run_unlimited(&mut more);
        } else {
            race.frame(elapsed.clamp(0.0, MAX_ADVANCE), &mut more);
        }
    }
}

/// The title: the names of both methods, the second of which can be chosen, and the way back to the board.
fn head(props: &Props) -> Html {
    let Props { methods: [first, second], language, ref choose, .. } = *props;
    let choose = choose.reform(move |event: Event| chosen(&event).unwrap_or(second));
    let options = Stepped::ALL.iter().filter(|&&each| each != first);
    let options = options.map(|&each| (each.id(), numbered_method(language, each)));
    let label = tr!(language, "compare.with");
    html! {
        <div class="race-head">
            <h2>{ numbered_method(language, first) }</h2>
            <span aria-hidden="true">{ &label }</span>
            <Choice
                id="compare-with" value={second.id()} options={options.collect::<Vec<_>>()} onchange={choose}
                title={label.clone()} {label}
            />
            <Link to={props.back.clone()} id="race-end" class="button">{ tr!(language, "race.end") }</Link>
        </div>
    }
}

/// Both boards, and the sentence about them.
fn track(language: Language, race: &Race) -> Html {
    let lanes = [0, 1].map(|side| lane(language, race, side));
    html! {
        <>
            <div class="lanes">{ for lanes }</div>
            <p id="race-said" role="status">
                { status_sentence(language, race) }
                if let Some(section) = symmetry_section(race) {
                    { language.space() }
                    <ExplanationLink id="race-why" {section} text={tr!(language, "race.why")} />
                }
            </p>
        </>
    }
}

/// The buttons of the race, which are those of the bar. A race does not go back.
fn buttons(language: Language, race: &Race, act: &Callback<Action>) -> Html {
    let forward = (Action::Next(Jump::Beat), Icon::Forward);
    html! {
        <>
            <div class="moves">
                { play_button(language, race.is_running(), race.is_over(), act) }
                { button(language, "forward", forward, race.is_over(), act) }
            </div>
            { speed(language, race.pace(), act) }
            <output id="race-clock" aria-live="off">{ tr!(language, "race.clock", moves = grouped(race.moves())) }</output>
        </>
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

/// Renders the board of a search, its map, the number of its solutions, and its work.
fn lane(language: Language, race: &Race, side: usize) -> Html {
    let search = &race.searches()[side];
    let (method, size, done) = (search.method(), race.size(), search.is_done());
    let name = numbered_method(language, method);
    let solution = race.solution_at_end(side);
    let label = match solution {
        Some(solution) => tr!(language, "race.board-last", method = name, solution = solution),
        None => tr!(language, "race.board", method = name, moves = grouped(search.beats())),
    };
    let work = race.units().map(|unit| bar(language, race, search, unit));
    html! {
        <figure data-method={method.id()} data-done={done.to_string()}>
            <figcaption>{ name }</figcaption>
            { marked_board(&race.board(side), &label) }
            <LaneMap {method} {size} step={search.steps()} />
            <p class="race-found">{ found(language, done, &search.work().tally) }</p>
            <dl>{ for work }</dl>
        </figure>
    }
}

#[derive(Properties, PartialEq)]
struct LaneMapProps {
    method: Stepped,
    size: Size,
    step: u64,
}

/// The map of a search. It shows what has been searched, and leads nowhere.
#[component]
fn LaneMap(props: &LaneMapProps) -> Html {
    let &LaneMapProps { method, size, step } = props;
    let Job { answer: icicle, .. } = use_job(
        Some(Request::TimelineIndex { method, size }),
        |icicle: &mut Rc<Icicle>, answer| {
            let Answer::TimelineIndex { icicle: part, has_ended, .. } = answer else {
                return false;
            };
            *icicle = Rc::new(part);
            has_ended
        },
    );
    html! { <div class="map" aria-hidden="true">{ picture(step, icicle.steps, &icicle) }</div> }
}

/// Renders the work of a search in one unit, as a number and as a bar. Both bars of a unit have the
/// same scale.
fn bar(language: Language, race: &Race, search: &Tracer, unit: WorkUnit) -> Html {
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
        let act = Callback::noop();
        let parts = html! { <>{ track(language, race) }{ buttons(language, race, &act) }</> };
        rendered(language, parts)
    }

    /// Renders a race between methods.
    fn opened(n: u32) -> String {
        let language = Language::English;
        let more = MoreProps {
            is_presented: false,
            facts: Stepped::Bitmap.facts(),
            to_play: Address::default(),
            send: Callback::noop(),
        };
        let props = Props {
            methods: [Stepped::Bitmap, Stepped::Symmetry],
            size: Size::new(n).unwrap(),
            language,
            key_press: None,
            takes_focus: true,
            choose: Callback::noop(),
            back: Address::default(),
            more,
        };
        rendered(language, html! { <RaceTrack ..props /> })
    }

    #[test]
    fn waits_for_the_user() {
        let html = opened(8);
        assert!(html.contains("data-state=\"still\""), "{html}");
        assert_eq!(html.matches("marked-board").count(), 2);
        let texts = texts(&html);
        for text in ["7 Bitmap", "14 Symmetry", "Play", "Forward"] {
            assert!(texts.lines().any(|line| line == text), "{text}: {texts}");
        }
    }

    #[test]
    fn large_boards_have_a_sentence_instead() {
        let html = opened(11);
        assert!(html.contains("up to N = 10") && !html.contains("marked-board"), "{html}");
        assert!(html.contains("id=\"race-end\""), "{html}");
    }

    #[test]
    fn the_play_button_says_what_it_does() {
        let mut race = Race::new([Stepped::Bitmap, Stepped::Symmetry], Size::new(8).unwrap());
        let label = |race: &Race, id: &str, name| {
            let html = shown(Language::English, race);
            elements(&html, &format!("id=\"{id}\""))[0].attribute(name)
        };
        let play = |race: &Race| label(race, "play", "aria-label").unwrap();
        assert_eq!(play(&race), "Play");
        race.apply(RaceAction::Toggle);
        assert_eq!(play(&race), "Pause");
        race.apply(RaceAction::Move);
        assert_eq!(
            (play(&race).as_str(), label(&race, "forward", "aria-disabled")),
            ("Play", None)
        );
        race.apply(RaceAction::Toggle);
        race.run_unlimited(&mut || true);
        assert_eq!(play(&race), "Play again from the start");
        assert_eq!(label(&race, "forward", "aria-disabled").as_deref(), Some("true"));
        let moves = race.moves();
        race.apply(RaceAction::Move);
        assert_eq!(race.moves(), moves);
    }

    #[test]
    fn the_end_leads_to_the_reason() {
        let mut race = Race::new([Stepped::Bitmap, Stepped::Symmetry], Size::new(8).unwrap());
        assert!(!shown(Language::English, &race).contains("race-why"));
        race.toggle();
        race.run_unlimited(&mut || true);
        let html = shown(Language::English, &race);
        let [why] = &elements(&html, "id=\"race-why\"")[..] else { panic!("{html}") };
        assert!(why.attribute("href").unwrap().contains("total"), "{html}");
        assert!(html.contains("14 Symmetry, the last solution found: "), "{html}");
    }

    #[test]
    fn shows_the_end_in_units_of_both_methods() {
        let mut race = Race::new([Stepped::Backtracking, Stepped::Symmetry], Size::new(8).unwrap());
        race.toggle();
        race.run_unlimited(&mut || true);
        let html = shown(Language::English, &race);
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
