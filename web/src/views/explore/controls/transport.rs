//! The transport bar: timeline, buttons and speed.

use queens_core::Facts;
use queens_state::search::state::{Action, Goal, Jump, Mark, Notice, Pace, PauseAt, TimelineIndex};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::keys::key_of;
use super::whole;
use crate::board::glyph::Icon;
use crate::parts::choice::{Choice, chosen};
use crate::views::explore::later::{ExplorePart, LaterCode, LaterParts};
use crate::words::{Language, grouped, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The current step.
    pub step: u64,
    /// The length of the search, once known.
    pub end: Option<u64>,
    /// The last step that the timeline shows.
    pub extent: u64,
    pub playing: bool,
    /// Whether the search is at its end.
    pub done: bool,
    /// The target of a jump in progress, and the step reached so far.
    pub on_the_way: Option<(Goal, u64)>,
    /// A message for the user.
    pub notice: Option<Notice>,
    /// How fast the search plays.
    pub pace: Pace,
    /// Where the search pauses while it plays.
    pub pause_at: PauseAt,
    /// The index of the search, as far as known.
    pub index: TimelineIndex,
    /// The marked steps.
    pub facts: &'static Facts,
    /// Whether the picture of the whole search is large.
    pub whole: bool,
    /// Enlarges or reduces that picture.
    pub toggle_whole: Callback<()>,
    /// The jump targets of the method, in addition to solutions.
    pub jumps: Vec<Jump>,
    /// Whether the presentation layout is shown.
    pub presenting: bool,
    /// Toggles the presentation layout.
    pub present: Callback<()>,
    /// Opens the Share panel.
    pub share: Callback<()>,
    /// Receives the actions of the buttons.
    pub act: Callback<Action>,
    /// Opens the list of keyboard shortcuts.
    pub help: Callback<()>,
}

/// The timeline, and below it the current step with the jumps, the buttons, and the settings.
#[component]
pub fn Transport(props: &Props) -> Html {
    let language = use_language();
    let help = props.help.reform(|_: MouseEvent| ());
    let present = props.present.reform(|_: MouseEvent| ());
    let share = props.share.reform(|_: MouseEvent| ());
    let parts = use_context::<LaterParts>().unwrap_or_default();
    let whole = whole_search(language, props, &parts.code);
    let (above, behind) = if props.whole { (whole, None) } else { (None, whole) };
    html! {
        <section class="transport" aria-label={tr!(language, "explore.transport")}>
            // One column, so that picture and timeline have the same axis.
            <div class="axis">
                { for above }
                <TimelineBar
                    step={props.step} extent={props.extent} known={props.end.is_some()}
                    index={props.index.clone()} act={props.act.clone()}
                >
                    { for behind }
                </TimelineBar>
            </div>
            <div class="transport-row">
                <div class="transport-status">
                    { step(language, props) }
                    if !props.jumps.is_empty() {
                        <div class="jumps button-group" role="group" aria-label={tr!(language, "explore.jumps")}>
                            { for jumps(language, props) }
                        </div>
                    }
                    { whole_switch(language, props) }
                    { messages(language, props) }
                </div>
                { buttons(language, props) }
                <div class="transport-settings">
                    { speed(language, props) }
                    <button
                        id="present" type="button" class="quiet" onclick={present}
                        title={tr!(language, "explore.present-title")}
                    >
                        { if props.presenting { tr!(language, "explore.present-end") } else { tr!(language, "explore.present") } }<span class="wide-only">{ " " }<kbd>{ "F" }</kbd></span>
                    </button>
                    <button id="share-open" type="button" class="quiet" onclick={share} title={tr!(language, "explore.share")}>
                        <span class="share-word">{ tr!(language, "explore.share") }</span><span class="share-sign" aria-hidden="true">{ "↗\u{fe0e}" }</span>
                    </button>
                    <button id="help" type="button" class="quiet wide-only" onclick={help} aria-haspopup="dialog" aria-label={tr!(language, "explore.help") + " ?"}>
                        <span class="key-word">{ tr!(language, "explore.help") }{ " " }</span><kbd>{ "?" }</kbd>
                    </button>
                </div>
            </div>
        </section>
    }
}

/// A button of the bar. Its `id` is also the key of its text.
fn button(language: Language, props: &Props, id: &'static str, action: Action, icon: Icon) -> Html {
    let leads_back = match action {
        Action::MoveBy(steps) => steps < 0,
        Action::First | Action::Previous(_) => true,
        _ => false,
    };
    // A button with the attribute `disabled` would lose the focus when the search reaches its end.
    let is_idle = if leads_back { props.step == 0 } else { props.done };
    let disabled = is_idle.then_some("true");
    let act = props.act.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        if !is_idle {
            act.emit(action);
        }
    });
    html! {
        <button
            {id} type="button" class="icon" {onclick} aria-disabled={disabled}
            aria-label={tr!(language, format!("explore.{id}"))} data-key={key_of(action)}
        >
            { icon.show() }
        </button>
    }
}

/// The buttons that lead to the method's jump targets.
fn jumps(language: Language, props: &Props) -> Vec<Html> {
    let buttons = props.jumps.iter().flat_map(|&jump| {
        let (back, ahead, ids) = match jump {
            Jump::Comparison => (
                Icon::PreviousComparison,
                Icon::NextComparison,
                ["previous-comparison", "next-comparison"],
            ),
            _ => (Icon::PreviousRule, Icon::NextRule, ["previous-rule", "next-rule"]),
        };
        [
            button(language, props, ids[0], Action::Previous(jump), back),
            button(language, props, ids[1], Action::Next(jump), ahead),
        ]
    });
    buttons.collect()
}

/// The picture of the whole search, large or for the place behind the timeline. `None` while its code
/// is not loaded. If loading failed, a message replaces the large picture.
fn whole_search(language: Language, props: &Props, code: &LaterCode) -> Option<Html> {
    let search = whole::Props {
        is_large: props.whole,
        step: props.step,
        extent: props.extent,
        index: props.index.clone(),
        facts: props.facts,
        act: props.act.clone(),
    };
    match code {
        LaterCode::Loaded(show) => Some(show.emit(ExplorePart::WholeSearch(search))),
        LaterCode::Failed if props.whole => {
            Some(html! { <p class="soft">{ tr!(language, "explore.whole-missing") }</p> })
        }
        _ => None,
    }
}

/// The button that enlarges the picture of the whole search.
fn whole_switch(language: Language, props: &Props) -> Html {
    let onclick = props.toggle_whole.reform(|_: MouseEvent| ());
    let name = tr!(language, "explore.whole-search");
    html! {
        <button
            id="whole-switch" type="button" class="icon" {onclick} aria-pressed={props.whole.to_string()}
            aria-label={name}
        >
            { Icon::WholeSearch.show() }
        </button>
    }
}

/// The buttons in the middle: play, and moves to other steps.
fn buttons(language: Language, props: &Props) -> Html {
    let button = |id, action, icon| button(language, props, id, action, icon);
    let (icon, play) = if props.playing {
        (Icon::Pause, tr!(language, "explore.pause"))
    } else if props.done {
        (Icon::PlayAgain, tr!(language, "explore.play-again"))
    } else {
        (Icon::Play, tr!(language, "explore.play"))
    };
    let toggle = props.act.reform(|_: MouseEvent| Action::TogglePlay);
    html! {
        <div class="transport-buttons">
            <div class="edge">{ button("first", Action::First, Icon::First) }</div>
            <div class="button-group">
                { button("previous-solution", Action::Previous(Jump::Solution), Icon::PreviousSolution) }
                { button("back-ten", Action::MoveBy(-10), Icon::BackTen) }
                { button("back", Action::MoveBy(-1), Icon::Back) }
                { button("previous-beat", Action::Previous(Jump::Beat), Icon::PreviousMove) }
                <button
                    id="play" type="button" class="icon primary" onclick={toggle} aria-label={play}
                    data-key={tr!(language, "explore.space-bar")}
                >
                    { icon.show() }
                </button>
                { button("next-beat", Action::Next(Jump::Beat), Icon::NextMove) }
                { button("forward", Action::MoveBy(1), Icon::Forward) }
                { button("forward-ten", Action::MoveBy(10), Icon::ForwardTen) }
                { button("next-solution", Action::Next(Jump::Solution), Icon::NextSolution) }
            </div>
            <div class="edge">{ button("last", Action::End, Icon::Last) }</div>
        </div>
    }
}

/// The current step in a field, and the length of the search, once known.
fn step(language: Language, props: &Props) -> Html {
    let end = props.end.map(|end| tr!(language, "explore.of", end = grouped(end)));
    html! {
        <output id="step" data-step={props.step.to_string()} data-end={props.end.map(|end| end.to_string())}>
            <label for="step-number">{ tr!(language, "explore.step") }</label>{ " " }
            <StepField step={props.step} act={&props.act} />
            if let Some(end) = end { <span class="step-end">{ " " }{ end }</span> }
        </output>
    }
}

/// Messages about a jump to another step. They appear below the step and its buttons, which they do
/// not move.
fn messages(language: Language, props: &Props) -> Html {
    let stop = props.act.reform(|_: MouseEvent| Action::Stop);
    let way = props.on_the_way.map(|way| {
        html! {
            <>
                <span class="soft">{ on_the_way(language, way) }</span>
                <button id="stop" type="button" class="tiny" onclick={stop}>{ tr!(language, "explore.stop") }</button>
            </>
        }
    });
    html! {
        <>
            { for way }
            <span id="notice" class="soft" role="status">{ props.notice.map(|notice| notice_text(language, notice)) }</span>
        </>
    }
}

#[derive(Properties, PartialEq)]
struct StepProps {
    step: u64,
    /// Receives the action for the text that the user has entered.
    act: Callback<Action>,
}

/// The number of the step, which the user can edit.
#[component]
fn StepField(props: &StepProps) -> Html {
    let text = grouped(props.step);
    let field = use_node_ref();
    {
        // A new step replaces the typed text. While the step stays the same, the text is left
        // alone.
        let (field, text) = (field.clone(), text.clone());
        use_effect_with(props.step, move |_| {
            if let Some(input) = field.cast::<HtmlInputElement>() {
                input.set_value(&text);
            }
        });
    }
    let onchange = {
        let (act, text) = (props.act.clone(), text.clone());
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let action = Action::of_step(&input.value());
            if action == Action::RejectStep {
                input.set_value(&text);
            }
            act.emit(action);
        })
    };
    html! {
        <input
            ref={field} id="step-number" type="text" inputmode="numeric" autocomplete="off" maxlength="26"
            size={text.len().max(4).to_string()} value={text.clone()} {onchange}
        />
    }
}

fn on_the_way(language: Language, (goal, at): (Goal, u64)) -> String {
    let step = grouped(at);
    match goal {
        Goal::Step(target) => {
            tr!(language, "explore.going-to", target = grouped(target), step = step)
        }
        Goal::Next(jump) => tr!(language, format!("explore.looking-{}", jump.id()), step = step),
        Goal::Previous(jump, _) => {
            tr!(language, format!("explore.looking-back-{}", jump.id()), step = step)
        }
        Goal::End => tr!(language, "explore.going-to-end", step = step),
        Goal::Node(_) | Goal::Found(_) | Goal::Cut(..) => {
            tr!(language, "explore.going-node", step = step)
        }
    }
}

fn notice_text(language: Language, notice: Notice) -> String {
    match notice {
        Notice::NoEarlier(jump) => tr!(language, format!("explore.no-earlier-{}", jump.id())),
        Notice::NoMore(jump) => tr!(language, format!("explore.no-more-{}", jump.id())),
        Notice::NoSuchNode => tr!(language, "explore.no-node"),
        Notice::NotAStep => tr!(language, "explore.not-a-step"),
        Notice::BeyondTheEnd(step) => tr!(language, "explore.beyond", step = grouped(step)),
    }
}

/// The lists of paces, and of the steps at which playing pauses.
fn speed(language: Language, props: &Props) -> Html {
    let set_pace = props.act.clone();
    let set_pace = Callback::from(move |event: Event| {
        if let Some(pace) = chosen(&event) {
            set_pace.emit(Action::Pace(pace));
        }
    });
    let set_pause = props.act.clone();
    let set_pause = Callback::from(move |event: Event| {
        if let Some(pause_at) = chosen(&event) {
            set_pause.emit(Action::PauseAt(pause_at));
        }
    });
    let has_rules = props.jumps.contains(&Jump::Rule) || props.pause_at == PauseAt::Rule;
    let paces =
        Pace::ALL.map(|pace| (pace.id(), tr!(language, format!("explore.pace-{}", pace.id()))));
    let pauses = PauseAt::ALL.into_iter().filter(|&each| has_rules || each != PauseAt::Rule);
    let pauses =
        pauses.map(|each| (each.id(), tr!(language, format!("explore.pause-at-{}", each.id()))));
    html! {
        <div class="speed">
            <Choice
                id="speed" value={props.pace.id()} options={paces.to_vec()} onchange={set_pace}
                label={tr!(language, "explore.speed")} title={tr!(language, "explore.speed") + &language.aside("+ −")}
            />
            <Choice
                id="pause-at" value={props.pause_at.id()} options={pauses.collect::<Vec<_>>()} onchange={set_pause}
                label={tr!(language, "explore.pause-at")} title={tr!(language, "explore.pause-at")}
            />
        </div>
    }
}

/// The timeline: a slider over its marks.
#[derive(Properties, PartialEq)]
struct TimelineProps {
    step: u64,
    extent: u64,
    /// Whether the extent is the length of the whole search.
    known: bool,
    index: TimelineIndex,
    act: Callback<Action>,
    /// The picture behind the marks, if any.
    children: Html,
}

/// The width and height of the marks in SVG units.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 20.0;

#[component]
fn TimelineBar(props: &TimelineProps) -> Html {
    let language = use_language();
    let oninput = {
        let act = props.act.clone();
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            act.emit(Action::MoveTo(input.value_as_number() as u64));
        })
    };
    let paths = use_memo((props.index.clone(), props.extent), |(index, extent)| {
        marks(&index.marks, index.stretch, *extent)
    });
    let (cuts, comparisons, solutions) = (*paths).clone();
    let at = props.step as f64 / props.extent.max(1) as f64 * WIDTH;
    let text = tr!(language, "explore.timeline-text", step = grouped(props.step));
    let open = (!props.known).then_some("open");
    html! {
        <div class={classes!("timeline", open)}>
            { props.children.clone() }
            <svg class="marks" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} preserveAspectRatio="none" aria-hidden="true">
                <rect class="done" x="0" y="17" width={format!("{at:.1}")} height="3" />
                <rect class="rest" x={format!("{at:.1}")} y="17" width={format!("{:.1}", WIDTH - at)} height="3" />
                <path class="cuts" d={cuts} />
                <path class="comparisons" d={comparisons} />
                <path class="solutions" d={solutions} />
            </svg>
            <input
                id="timeline" type="range" min="0" max={props.extent.to_string()} step="1"
                value={props.step.to_string()} {oninput}
                aria-label={tr!(language, "explore.timeline")} aria-valuetext={text}
            />
        </div>
    }
}

/// The outlines of cuts, comparisons and solutions along the timeline. Cuts and solutions rise from
/// the bottom, comparisons hang from the top. The height of a mark grows with the number of cuts,
/// comparisons or solutions in its stretch of steps.
fn marks(marks: &[Mark], stretch: u64, extent: u64) -> (String, String, String) {
    let scale = WIDTH * stretch as f64 / extent.max(1) as f64;
    let outline = |count: fn(&Mark) -> u32, narrowest: f64, foot: f64, low: f64, high: f64| {
        use std::fmt::Write;
        let most = f64::from(marks.iter().map(count).max().unwrap_or(0).max(1));
        let width = scale.max(narrowest);
        let (mut path, mut drawn_to) = (String::new(), f64::NEG_INFINITY);
        for (index, mark) in marks.iter().enumerate() {
            let (x, count) = (index as f64 * scale, f64::from(count(mark)));
            // Marks that are wider than their stretches would overlap. Some of them are left out, but
            // no solutions.
            if count > 0.0 && (x >= drawn_to || narrowest > 1.0) {
                drawn_to = x + width * 0.99;
                let height = low + (high - low) * count / most;
                // Writing to a string cannot fail.
                let _ = write!(path, "M{x:.1} {foot}h{width:.1}v{height:.1}h{:.1}z", -width);
            }
        }
        path
    };
    (
        outline(|mark| mark.cut, 1.0, 17.0, -2.0, -8.0),
        outline(|mark| mark.comparisons, 1.0, 0.0, 1.0, 4.0),
        outline(|mark| mark.solutions, 2.0, 17.0, -7.0, -17.0),
    )
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Stepped;

    use super::*;
    use crate::parts::rendered::{elements, rendered};

    #[test]
    fn draws_marks_at_their_steps() {
        let mark = |solutions, cut, comparisons| Mark { solutions, cut, comparisons };
        let stretches = [mark(0, 4, 0), mark(0, 0, 0), mark(1, 2, 3)];
        let (cuts, comparisons, solutions) = marks(&stretches, 100, 1000);
        assert_eq!(cuts, "M0.0 17h100.0v-8.0h-100.0zM200.0 17h100.0v-5.0h-100.0z");
        assert_eq!(comparisons, "M200.0 0h100.0v4.0h-100.0z");
        assert_eq!(solutions, "M200.0 17h100.0v-17.0h-100.0z");
    }

    fn bar(language: Language, playing: bool, done: bool, jumps: &[Jump]) -> String {
        let (step, end) = if done { (9, Some(9)) } else { (3, None) };
        let bar = html! {
            <Transport
                {step} {end} extent=9 {playing} {done} on_the_way={None} notice={None}
                pace={Pace::Watch} pause_at={PauseAt::End} index={TimelineIndex::default()}
                facts={Stepped::Symmetry.facts()} whole=false toggle_whole={Callback::noop()}
                jumps={jumps.to_vec()} presenting=false present={Callback::noop()} share={Callback::noop()}
                act={Callback::noop()} help={Callback::noop()}
            />
        };
        rendered(language, bar)
    }

    #[test]
    fn the_play_button_says_what_it_does() {
        for (language, [play, pause, again]) in Language::ALL.into_iter().zip([
            ["Play", "Pause", "Play again from the start"],
            ["再生", "一時停止", "最初からもう一度再生"],
        ]) {
            for (playing, done, label) in
                [(false, false, play), (true, false, pause), (false, true, again)]
            {
                let html = bar(language, playing, done, &[]);
                let button = elements(&html, "id=\"play\"")[0];
                assert_eq!(button.attribute("aria-label").unwrap(), label);
            }
        }
    }

    /// Playing can pause at rules only if the user can jump to them.
    #[test]
    fn offers_only_the_jumps_that_it_receives() {
        for (jumps, ids) in [
            (&[Jump::Rule, Jump::Comparison][..], &["rule", "comparison"][..]),
            (&[Jump::Comparison], &["comparison"]),
            (&[], &[]),
        ] {
            let html = bar(Language::English, false, false, jumps);
            for id in ["rule", "comparison"] {
                let has_button = html.contains(&format!("id=\"next-{id}\""));
                assert_eq!(has_button, ids.contains(&id), "{id}: {jumps:?}");
            }
            let has_pause = html.contains("<option value=\"rule\"");
            assert_eq!(has_pause, ids.contains(&"rule"), "{jumps:?}");
        }
    }
}
