//! The bar below the board: the map with the current step, and the controls.

use queens_core::Facts;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::keys::key_of;
use super::map::{Map, Props as MapProps};
use super::more::{More, Props as MoreProps};
use crate::board::glyph::Icon;
use crate::parts::choice::{Choice, chosen};
use crate::search::state::{Action, Jump, Notice, Pace};
use crate::words::{Language, grouped, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The map, which has the current step.
    pub map: MapProps,
    /// The number of solutions found so far.
    pub found: u64,
    /// The number of moves so far, and of the whole search, once known. The forward key adds one.
    pub moves: (u64, Option<u64>),
    /// The last step of the search, once known.
    pub end: Option<u64>,
    /// The time in which the whole search plays at this pace, in seconds, once known.
    pub seconds: Option<f64>,
    pub playing: bool,
    /// Whether the search is at its end.
    pub done: bool,
    /// During a jump, the number of moves reached so far.
    pub on_the_way: Option<u64>,
    /// A message for the user.
    pub notice: Option<Notice>,
    /// How fast the search plays.
    pub pace: Pace,
    /// The kind of step to which the bar leads, and at which playing stops.
    pub target: Jump,
    pub facts: &'static Facts,
    /// What else the user can do.
    pub more: MoreProps,
    /// Receives the actions of the controls.
    pub act: Callback<Action>,
}

#[component]
pub fn Bar(props: &Props) -> Html {
    let language = use_language();
    html! {
        <section class="transport" aria-label={tr!(language, "explore.transport")}>
            <div class="map-row">
                <Map ..props.map.clone() />
                <div class="place">
                    { step(language, props) }
                    <p id="found" data-count={props.found.to_string()}>
                        { tr!(language, "explore.found-count", count = grouped(props.found)) }
                    </p>
                </div>
            </div>
            <div class="controls">
                { moves(language, props) }
                { target(language, props) }
                <p class="messages">{ messages(language, props) }</p>
                { speed(language, props.pace, &props.act) }
                <More ..props.more.clone() />
            </div>
        </section>
    }
}

/// The number of moves so far and in all, and the time in which the search plays. Addresses and tests count steps.
fn step(language: Language, props: &Props) -> Html {
    let (moves, all) = props.moves;
    let end = all.map(|end| {
        let length = props.seconds.map(|seconds| language.aside(&length(language, seconds)));
        html! {
            <>
                { " " }<span>{ tr!(language, "explore.of", end = grouped(end)) }</span>
                { for length.map(|length| html! { <>{ " " }<span class="length">{ length.trim_start() }</span></> }) }
            </>
        }
    });
    html! {
        <output id="step" data-step={props.map.step.to_string()} data-end={props.end.map(|end| end.to_string())}>
            <span>{ tr!(language, "explore.move", number = grouped(moves)) }</span>{ for end }
        </output>
    }
}

/// A number of seconds in the unit that matters.
fn length(language: Language, seconds: f64) -> String {
    let (unit, count) = match seconds {
        s if s < 100.0 => ("seconds", s),
        s if s < 6000.0 => ("minutes", s / 60.0),
        s => ("hours", s / 3600.0),
    };
    tr!(language, format!("explore.{unit}"), count = grouped(count.round().max(1.0) as u64))
}

/// A button for one move. Its `id` is also the key of its text.
pub fn button(
    language: Language,
    id: &'static str,
    what: (Action, Icon),
    is_idle: bool,
    act: &Callback<Action>,
) -> Html {
    labelled(language, id, tr!(language, format!("explore.{id}")), what, is_idle, act)
}

/// A button with an icon and a label. Its `id` is also the key of the word below the icon.
fn labelled(
    language: Language,
    id: &'static str,
    label: String,
    (action, icon): (Action, Icon),
    is_idle: bool,
    act: &Callback<Action>,
) -> Html {
    let act = act.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        if !is_idle {
            act.emit(action);
        }
    });
    html! {
        // A button with the attribute `disabled` would lose the focus when the search reaches its end.
        <button
            {id} type="button" class="icon" {onclick} aria-disabled={is_idle.then_some("true")}
            aria-label={label} data-key={key_of(action)}
        >
            { icon.show() }
            { word(tr!(language, format!("explore.word-{id}"))) }
        </button>
    }
}

/// A word below an icon. Style sheets hide it where the button has a tooltip.
fn word(word: String) -> Html {
    html! { <span class="move-word" aria-hidden="true">{ word }</span> }
}

/// The button that plays and pauses.
pub fn play_button(
    language: Language,
    is_playing: bool,
    is_done: bool,
    act: &Callback<Action>,
) -> Html {
    let (icon, play) = match (is_playing, is_done) {
        (true, _) => (Icon::Pause, tr!(language, "explore.pause")),
        (_, true) => (Icon::PlayAgain, tr!(language, "explore.play-again")),
        _ => (Icon::Play, tr!(language, "explore.play")),
    };
    html! {
        <button
            id="play" type="button" class="icon primary" onclick={act.reform(|_: MouseEvent| Action::TogglePlay)}
            aria-label={play} data-key={tr!(language, "explore.space-bar")}
        >
            { icon.show() }
            { word(tr!(language, if is_playing { "explore.pause" } else { "explore.play" })) }
        </button>
    }
}

/// The buttons one move back, play and one move forward.
fn moves(language: Language, props: &Props) -> Html {
    let Props { playing, done, act, .. } = props;
    let is_start = props.map.step == 0;
    let [back, forward] = [Action::Previous(Jump::Beat), Action::Next(Jump::Beat)];
    html! {
        <div class="moves">
            { button(language, "back", (back, Icon::Back), is_start, act) }
            { play_button(language, *playing, *done, act) }
            { button(language, "forward", (forward, Icon::Forward), *done, act) }
        </div>
    }
}

/// The menu of kinds of steps, between the buttons to the previous and to the next step of the kind.
fn target(language: Language, props: &Props) -> Html {
    let (target, act) = (props.target, props.act.clone());
    let onchange = Callback::from(move |event: Event| {
        if let Some(target) = chosen(&event) {
            act.emit(Action::Target(target));
        }
    });
    let options = Jump::targets(props.facts)
        .map(|jump| (jump.id(), tr!(language, format!("explore.target-{}", jump.id()))));
    let name = tr!(language, format!("explore.target-{}", target.id()));
    let go = |id: &'static str, what, is_idle| {
        let label = tr!(language, format!("explore.word-{id}")) + language.colon() + &name;
        labelled(language, id, label, what, is_idle, &props.act)
    };
    let is_start = props.map.step == 0;
    html! {
        <div class="target">
            { go("previous", (Action::Previous(target), Icon::Previous), is_start) }
            <Choice
                id="target" value={target.id()} options={options.collect::<Vec<_>>()} {onchange}
                label={tr!(language, "explore.target")} title={tr!(language, "explore.target")}
            />
            { go("next", (Action::Next(target), Icon::Next), props.done) }
        </div>
    }
}

/// Messages about a jump to another step.
fn messages(language: Language, props: &Props) -> Html {
    let stop = props.act.reform(|_: MouseEvent| Action::Stop);
    let way = props.on_the_way.map(|moves| {
        html! {
            <>
                <button id="stop" type="button" class="tiny" onclick={stop}>{ tr!(language, "explore.stop") }</button>
                <span>{ tr!(language, "explore.on-the-way", number = grouped(moves)) }</span>
            </>
        }
    });
    html! {
        <>
            { for way }
            <span id="notice" role="status">{ props.notice.map(|notice| notice_text(language, notice)) }</span>
        </>
    }
}

fn notice_text(language: Language, notice: Notice) -> String {
    match notice {
        Notice::NoEarlier(jump) => tr!(language, format!("explore.no-earlier-{}", jump.id())),
        Notice::NoMore(jump) => tr!(language, format!("explore.no-more-{}", jump.id())),
        Notice::NoSuchNode => tr!(language, "explore.no-node"),
        Notice::BeyondTheEnd(step) => tr!(language, "explore.beyond", step = grouped(step)),
    }
}

/// A slider over all paces, from slow to fast.
pub fn speed(language: Language, pace: Pace, act: &Callback<Action>) -> Html {
    let act = act.clone();
    let oninput = Callback::from(move |event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        if let Some(&pace) = Pace::ALL.get(input.value_as_number() as usize) {
            act.emit(Action::Pace(pace));
        }
    });
    let value = Pace::ALL.iter().position(|&each| each == pace).unwrap_or_default();
    let pace = tr!(language, format!("explore.pace-{}", pace.id()));
    html! {
        <div class="speed">
            <span aria-hidden="true">{ tr!(language, "explore.slow") }</span>
            <input
                id="speed" type="range" min="0" max={(Pace::ALL.len() - 1).to_string()} step="1"
                value={value.to_string()} {oninput} aria-label={tr!(language, "explore.speed")}
                aria-valuetext={pace.clone()} title={pace + &language.aside("+ −")}
            />
            <span aria-hidden="true">{ tr!(language, "explore.fast") }</span>
        </div>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Stepped;

    use super::*;
    use crate::address::Address;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::words::plain;

    fn bar(language: Language, method: Stepped, playing: bool, done: bool) -> String {
        let (step, moves) = if done { (2071, 1314) } else { (200, 120) };
        let map = MapProps {
            step,
            moves,
            extent: 2071,
            icicle: Default::default(),
            act: Callback::noop(),
        };
        let more = MoreProps {
            is_presented: false,
            facts: method.facts(),
            to_play: Address::default(),
            send: Callback::noop(),
        };
        let bar = html! {
            <Bar
                {map} found={9} moves={(moves, Some(1314))} end={Some(2071)} seconds={Some(34.2)} {playing} {done} on_the_way={None} notice={None}
                pace={Pace::Watch} target={Jump::Solution} facts={method.facts()} {more} act={Callback::noop()}
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
                let html = bar(language, Stepped::Symmetry, playing, done);
                let button = elements(&html, "id=\"play\"")[0];
                assert_eq!(button.attribute("aria-label").unwrap(), label);
            }
        }
    }

    #[test]
    fn says_the_move_and_the_length() {
        let said = Language::ALL.map(|language| {
            let html = bar(language, Stepped::Symmetry, false, false);
            plain(&texts(elements(&html, "id=\"step\"")[0].inner()).replace('\n', " "))
        });
        assert_eq!(
            said,
            ["move 120 of 1,314 (34 s at this speed)", "120 手 / 1,314 （この速さで 34 秒）"]
        );
    }

    /// At most eight, besides the map.
    #[test]
    fn has_few_controls_and_the_targets_of_the_method() {
        let all = ["solution", "dead-end", "rule", "side-mask", "last-mask", "comparison", "end"];
        for (method, targets) in [
            (Stepped::Symmetry, &all[..]),
            (Stepped::Backtracking, &["solution", "dead-end", "end"]),
            (Stepped::BruteForce, &["solution", "end"]),
        ] {
            let html = bar(Language::English, method, false, false);
            let options = elements(&html, "option value=");
            let options: Vec<_> =
                options.iter().map(|each| each.attribute("value").unwrap()).collect();
            assert_eq!(options, targets, "{method}");
            let controls = elements(&html, "class=\"controls\"")[0];
            let ids = ["back", "play", "forward", "previous", "target", "next", "speed", "more"];
            let is_outside = |id: &str| controls.inner().contains(&format!("id=\"{id}\""));
            assert!(ids.into_iter().all(is_outside), "{html}");
        }
    }
}
