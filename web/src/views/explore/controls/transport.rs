//! The transport bar: timeline, buttons and speed.

use queens_state::search::state::{Action, ExploreState, Goal, Jump, Mark, Notice, TimelineIndex};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::keys::key_of;
use crate::board::glyph::Icon;
use crate::words::{Language, grouped, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The current step.
    pub step: u64,
    /// The length of the search, once known.
    pub end: Option<u64>,
    /// The last step that the timeline shows.
    pub extent: u64,
    /// Whether the search plays.
    pub playing: bool,
    /// Whether the search has ended.
    pub done: bool,
    /// The target of a jump in progress, and the step reached so far.
    pub on_the_way: Option<(Goal, u64)>,
    /// A message for the user.
    pub notice: Option<Notice>,
    /// The position on the speed scale, and the number of beats per second.
    pub speed: (u32, f64),
    /// The index of the search, as far as known.
    pub index: TimelineIndex,
    /// The jump targets of the method, in addition to solutions.
    pub jumps: Vec<Jump>,
    /// Whether the presentation layout is shown.
    pub presenting: bool,
    /// Toggles the presentation layout.
    pub present: Callback<()>,
    /// Receives the actions of the buttons.
    pub act: Callback<Action>,
    /// Opens the list of keyboard shortcuts.
    pub help: Callback<()>,
}

#[component]
pub fn Transport(props: &Props) -> Html {
    let language = use_language();
    let at_start = props.step == 0;
    let button = |id: &'static str, action: Action, icon: Icon, name: String, off: bool| {
        let act = props.act.clone();
        let onclick = Callback::from(move |_: MouseEvent| act.emit(action));
        html! {
            <button
                {id} type="button" class="icon" {onclick} disabled={off} aria-label={name}
                data-key={key_of(action)}
            >
                { icon.show() }
            </button>
        }
    };
    let (icon, play) = if props.playing {
        (Icon::Pause, tr!(language, "explore.pause"))
    } else if props.done {
        (Icon::PlayAgain, tr!(language, "explore.play-again"))
    } else {
        (Icon::Play, tr!(language, "explore.play"))
    };
    let toggle = {
        let act = props.act.clone();
        Callback::from(move |_: MouseEvent| act.emit(Action::TogglePlay))
    };
    let help = props.help.reform(|_: MouseEvent| ());
    let present = props.present.reform(|_: MouseEvent| ());
    let jumps = props.jumps.iter().flat_map(|&jump| {
        let (back, ahead, ids) = match jump {
            Jump::Comparison => (
                Icon::PreviousComparison,
                Icon::NextComparison,
                ["previous-comparison", "next-comparison"],
            ),
            _ => (Icon::PreviousRule, Icon::NextRule, ["previous-rule", "next-rule"]),
        };
        [
            button(
                ids[0],
                Action::Previous(jump),
                back,
                tr!(language, format!("explore.{}", ids[0])),
                at_start,
            ),
            button(
                ids[1],
                Action::Next(jump),
                ahead,
                tr!(language, format!("explore.{}", ids[1])),
                props.done,
            ),
        ]
    });
    html! {
        <section class="transport" aria-label={tr!(language, "explore.transport")}>
            <TimelineBar
                step={props.step} extent={props.extent} known={props.end.is_some()}
                index={props.index.clone()} act={props.act.clone()}
            />
            <div class="transport-row">
                <div class="transport-status">
                    { status(language, props) }
                    if !props.jumps.is_empty() {
                        <div class="jumps button-group" role="group" aria-label={tr!(language, "explore.jumps")}>
                            { for jumps }
                        </div>
                    }
                </div>
                <div class="transport-buttons">
                    <div class="edge">
                        { button("first", Action::First, Icon::First, tr!(language, "explore.first"), at_start) }
                    </div>
                    <div class="button-group">
                        { button("previous-solution", Action::Previous(Jump::Solution), Icon::PreviousSolution, tr!(language, "explore.previous-solution"), at_start) }
                        { button("back-ten", Action::By(-10), Icon::BackTen, tr!(language, "explore.back-ten"), at_start) }
                        { button("back", Action::By(-1), Icon::Back, tr!(language, "explore.back"), at_start) }
                        { button("previous-beat", Action::Previous(Jump::Beat), Icon::PreviousMove, tr!(language, "explore.previous-beat"), at_start) }
                        <button
                            id="play" type="button" class="icon primary" onclick={toggle} aria-label={play}
                            data-key={tr!(language, "keys.space-bar")}
                        >
                            { icon.show() }
                        </button>
                        { button("next-beat", Action::Next(Jump::Beat), Icon::NextMove, tr!(language, "explore.next-beat"), props.done) }
                        { button("forward", Action::By(1), Icon::Forward, tr!(language, "explore.forward"), props.done) }
                        { button("forward-ten", Action::By(10), Icon::ForwardTen, tr!(language, "explore.forward-ten"), props.done) }
                        { button("next-solution", Action::Next(Jump::Solution), Icon::NextSolution, tr!(language, "explore.next-solution"), props.done) }
                    </div>
                    <div class="edge">
                        { button("last", Action::End, Icon::Last, tr!(language, "explore.last"), props.done) }
                    </div>
                </div>
                <div class="transport-settings">
                    { speed(language, props) }
                    <button
                        id="present" type="button" class="quiet" onclick={present}
                        title={tr!(language, "explore.present-title")}
                    >
                        { if props.presenting { tr!(language, "explore.present-end") } else { tr!(language, "explore.present") } }<span class="wide-only">{ " " }<kbd>{ "F" }</kbd></span>
                    </button>
                    <button id="help" type="button" class="quiet wide-only" onclick={help} aria-haspopup="dialog">
                        { tr!(language, "explore.help") }{ " " }<kbd>{ "?" }</kbd>
                    </button>
                </div>
            </div>
        </section>
    }
}

/// The current step, and messages about a jump to another one.
fn status(language: Language, props: &Props) -> Html {
    let stop = props.act.reform(|_: MouseEvent| Action::Stop);
    let way = props.on_the_way.map(|way| {
        html! {
            <>
                <span class="soft">{ on_the_way(language, way) }</span>
                <button id="stop" type="button" class="tiny" onclick={stop}>{ tr!(language, "explore.stop") }</button>
            </>
        }
    });
    let end = props.end.map(|end| tr!(language, "explore.of", end = grouped(end)));
    let go = props.act.clone();
    let onchange = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        let digits: String = input.value().chars().filter(char::is_ascii_digit).collect();
        // An invalid number goes nowhere, and the field shows the current step again.
        match digits.parse() {
            Ok(step) => go.emit(Action::To(step)),
            Err(_) => input.set_value(&input.default_value()),
        }
    });
    html! {
        <>
            <output id="step" data-step={props.step.to_string()} data-end={props.end.map(|end| end.to_string())}>
                <label for="step-number">{ tr!(language, "explore.step") }</label>{ " " }
                <StepField step={props.step} {onchange} />
                if let Some(end) = end { { " " }{ end } }
            </output>
            { for way }
            <span id="notice" class="soft" role="status">{ props.notice.map(|notice| told(language, notice)) }</span>
        </>
    }
}

#[derive(Properties, PartialEq)]
struct StepProps {
    step: u64,
    onchange: Callback<Event>,
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
    html! {
        <input
            ref={field} id="step-number" type="text" inputmode="numeric" autocomplete="off" maxlength="26"
            size={text.len().max(4).to_string()} value={text.clone()} onchange={props.onchange.clone()}
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
        Goal::Node(_) | Goal::Found(_) | Goal::Cut(..) => tr!(language, "tree.going", step = step),
    }
}

fn told(language: Language, notice: Notice) -> String {
    match notice {
        Notice::NoEarlier(jump) => tr!(language, format!("explore.no-earlier-{}", jump.id())),
        Notice::NoMore(jump) => tr!(language, format!("explore.no-more-{}", jump.id())),
        Notice::NoSuchNode => tr!(language, "tree.never"),
        Notice::BeyondTheEnd(step) => tr!(language, "explore.beyond", step = grouped(step)),
    }
}

/// The speed slider.
fn speed(language: Language, props: &Props) -> Html {
    let (place, rate) = props.speed;
    let oninput = props.act.reform(|event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::Speed(input.value_as_number() as u32)
    });
    let rate = tr!(language, "explore.speed-value", rate = rounded(rate));
    html! {
        <label class="speed">
            <span class="hidden-text">{ tr!(language, "explore.speed") }</span>
            <input
                id="speed" type="range" min="0" max={ExploreState::FASTEST.to_string()} step="1"
                value={place.to_string()} {oninput} aria-valuetext={rate.clone()} title={tr!(language, "explore.speed")}
            />
            <output class="speed-value">{ rate }</output>
        </label>
    }
}

/// Formats a rate with two digits: 1.3, 25, 7,900.
fn rounded(rate: f64) -> String {
    let scale = 10f64.powf(rate.log10().floor() - 1.0);
    let value = (rate / scale).round() * scale;
    if value < 9.95 { format!("{value:.1}") } else { grouped(value.round() as u64) }
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
            act.emit(Action::To(input.value_as_number() as u64));
        })
    };
    let drawn = use_memo((props.index.clone(), props.extent), |(index, extent)| {
        marks(&index.marks, index.stretch, *extent)
    });
    let (cuts, comparisons, solutions) = (*drawn).clone();
    let at = props.step as f64 / props.extent.max(1) as f64 * WIDTH;
    let text = tr!(language, "explore.timeline-text", step = grouped(props.step));
    let open = (!props.known).then_some("open");
    html! {
        <div class={classes!("timeline", open)}>
            <svg viewBox={format!("0 0 {WIDTH} {HEIGHT}")} preserveAspectRatio="none" aria-hidden="true">
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

/// The outlines of cuts, comparisons and solutions along the timeline. The height of a comparison
/// mark shows the number in its stretch. Cuts and solutions rise from the bottom, comparisons hang
/// from the top.
fn marks(marks: &[Mark], stretch: u64, extent: u64) -> (String, String, String) {
    let scale = WIDTH * stretch as f64 / extent.max(1) as f64;
    let outline = |count: fn(&Mark) -> u32, narrowest: f64, foot: f64, low: f64, high: f64| {
        use std::fmt::Write;
        let most = f64::from(marks.iter().map(count).max().unwrap_or(0).max(1));
        let width = scale.max(narrowest);
        let (mut path, mut drawn) = (String::new(), f64::NEG_INFINITY);
        for (index, mark) in marks.iter().enumerate() {
            let (x, count) = (index as f64 * scale, f64::from(count(mark)));
            // Marks that are wider than their stretches would overlap.
            if count > 0.0 && (x >= drawn || narrowest > 1.0) {
                drawn = x + width * 0.99;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_rates_to_two_digits() {
        let shown: Vec<_> =
            [1.0, 1.2589, 3.981, 10.0, 25.1, 7943.0, 10_000.0].into_iter().map(rounded).collect();
        assert_eq!(shown, ["1.0", "1.3", "4.0", "10", "25", "7,900", "10,000"]);
    }

    #[test]
    fn draws_marks_at_their_steps() {
        let mark = |solutions, cut, comparisons| Mark { solutions, cut, comparisons };
        let found = [mark(0, 4, 0), mark(0, 0, 0), mark(1, 2, 3)];
        let (cuts, comparisons, solutions) = marks(&found, 100, 1000);
        assert_eq!(cuts, "M0.0 17h100.0v-8.0h-100.0zM200.0 17h100.0v-5.0h-100.0z");
        assert_eq!(comparisons, "M200.0 0h100.0v4.0h-100.0z");
        assert_eq!(solutions, "M200.0 17h100.0v-17.0h-100.0z");
    }
}
