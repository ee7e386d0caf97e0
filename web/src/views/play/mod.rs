//! The Play view: the user places queens and sees the solutions that contain them.

mod board;
mod hints;
mod model;
mod moves;
mod puzzle;
mod reward;
mod search;
mod words;

use queens_core::{Conflict, Consequence, Placement, Queens, Size, Square, Stepped, Unit};
use yew::prelude::*;

use crate::address::{Address, View, solution_address, use_address};
use crate::board::glyph::{self, Icon};
use crate::board::patterns::attacked;
use crate::browser::{bring_into_view, link_to};
use crate::parts::link::Link;
use crate::parts::paste::use_paste;
use crate::parts::save::Save;
use crate::parts::share_link::ShareLink;
use crate::parts::step::use_step;
use crate::words::{Language, grouped, tr, use_language};
use crate::worker::{Job, JobState};

use board::{Board, forced};
use hints::use_hint;
use model::picture::SpotState;
use model::{pasted, picture};
use moves::{BoardActions, use_moves};
use reward::Reward;
use search::{Count, SolutionRequest, use_count, use_solution_request};

/// The largest number of conflicts that are drawn. More would not be readable.
const MAX_SHOWN_CONFLICTS: usize = 60;

/// The board, and next to it the number of solutions that contain its queens, a solution on request,
/// conclusions without a search, and a hint.
#[component]
pub fn Play() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let size = address.size;
    // Drawing a puzzle takes many searches, so it is not drawn again with each move.
    let given = *use_memo((size, address.puzzle), |&(size, puzzle)| puzzle::given(size, puzzle));
    let queens = given.squares().fold(address.queens, |queens, square| {
        if queens.contains(square) { queens } else { queens.toggled(square) }
    });
    let count = use_count(queens);
    let (requested, request) = use_solution_request(queens);
    let shown = match requested {
        SolutionRequest::Found(placement, _) => Some(placement),
        _ => None,
    };
    let solution = shown.or_else(|| queens.placement());
    let step = use_step(Stepped::Bitmap, solution);
    let write = {
        let (address, navigate) = (address.clone(), navigate.clone());
        Callback::from(move |(queens, puzzle)| {
            navigate.replace(Address { queens, puzzle, ..(*address).clone() });
        })
    };
    let BoardActions { marks, set, mark, clear, undo, redo } =
        use_moves(queens, address.puzzle, given, write);
    let is_marking = use_state_eq(|| false);
    // What was pasted last, with the queens on the board before or, if it was a board, since then.
    let pasted = use_state_eq(|| None);
    use_paste({
        let (pasted, set) = (pasted.setter(), set.clone());
        let (address, navigate) = (address.clone(), navigate.clone());
        Callback::from(move |text: String| {
            let read = pasted::read(&text, size);
            let board = read.as_ref().map_or(queens, |(board, ..)| *board);
            if board.size() == size && given.squares().all(|square| board.contains(square)) {
                set.emit(board);
            } else {
                let address = Address { puzzle: None, ..(*address).clone() };
                navigate.push(Address { queens: board, ..address.with_size(board.size()) });
            }
            pasted.set(Some((board, read)));
        })
    });
    let pasted = (*pasted).clone().filter(|(board, _)| *board == queens).map(|(_, read)| read);
    use_effect_with(pasted.is_some(), |&is_shown| {
        if is_shown {
            bring_into_view("pasted");
        }
    });
    let conflict_count = queens.conflicts().count();
    let conflicts: Vec<Conflict> = queens.conflicts().take(MAX_SHOWN_CONFLICTS).collect();
    let hint = use_hint(queens, address.puzzle);
    let is_whole = queens.placement().is_some();
    let is_hopeless = count.state == JobState::Done && count.answer.found == 0;
    // They would solve a puzzle for the user.
    let is_open_puzzle = !given.is_empty() && !is_whole;
    let conclusions = if hint.is_shown() && !is_open_puzzle {
        Conclusions::from(&queens)
    } else {
        Conclusions::default()
    };
    let added = shown.as_ref().map(Queens::from);
    let rows = picture::rows(
        &queens,
        [&given, &marks],
        &conclusions.squares(),
        added.as_ref(),
        |square| hint.left_on(square),
    );
    let toggle = set.reform(move |square: Square| {
        // The queens of a puzzle stay.
        if given.contains(square) { queens } else { queens.toggled(square) }
    });
    let toggle = if *is_marking { mark } else { toggle };
    let on_clear = {
        let is_marking = is_marking.clone();
        clear.map(|clear| {
            Callback::from(move |()| {
                is_marking.set(false);
                clear.emit(());
            })
        })
    };
    let switch = {
        let is_marking = is_marking.clone();
        Callback::from(move |_: MouseEvent| is_marking.set(!*is_marking))
    };
    let draw = {
        let (address, navigate) = (address.clone(), navigate.clone());
        Callback::from(move |level| navigate.push(puzzle::next(&address, level)))
    };
    let reward = |solution: Placement| {
        let next_puzzle = address
            .puzzle
            .filter(|_| !given.is_empty())
            .map(|puzzle| draw.reform(move |()| puzzle.level));
        let is_puzzle = next_puzzle.is_some();
        let on_next = next_puzzle.or_else(|| on_clear.clone()).unwrap_or_default();
        html! { <Reward {solution} {is_puzzle} {on_next} /> }
    };
    html! {
        <div class="play">
            <h1 class="hidden-text">{ View::Play.name(language) }</h1>
            <div class="plate">
                <div class="board-area">
                    <Board {size} {rows} {conflicts} blocked={conclusions.blocked} {toggle} />
                </div>
            </div>
            <div class="side">
                <div class="play-said">
                    { status(language, &queens, conflict_count, &count, is_open_puzzle && queens == given) }
                    if let Some(solution) = queens.placement() {
                        { reward(solution) }
                    }
                </div>
                <div class="play-head">
                    <p id="queens" class="soft" data-count={queens.len().to_string()}>
                        { tr!(language, "play.queens", placed = queens.len(), n = size) }
                    </p>
                    { move_button(language, "undo", undo) }
                    { move_button(language, "clear", on_clear.clone()) }
                    // While squares are marked, the switch is in sight.
                    if *is_marking { { mark_button(language, true, &switch) } }
                    <button
                        id="play-menu" type="button" class="icon" popovertarget="play-commands"
                        aria-label={tr!(language, "play.menu")}
                    >
                        { Icon::More.show() }
                    </button>
                    <div id="play-commands" class="menu" popover="auto">
                        { move_button(language, "redo", redo) }
                        if !*is_marking { { mark_button(language, false, &switch) } }
                        <ShareLink
                            id="copy-link" link={link_to(&address.to_link())} label={tr!(language, "play.link")}
                            hint={tr!(language, "play.link-hint")}
                            copy={["copy", "copied"].map(|id| AttrValue::from(tr!(language, format!("results.share.{id}"))))}
                        />
                        <Save drawing="board" name={format!("queens-{size}")} />
                    </div>
                    { progress(language, &count) }
                </div>
                <p id="pasted" role="status" class={pasted.as_ref().is_some_and(Result::is_err).then_some("bad")}>
                    { for pasted.as_ref().map(|pasted| pasted::sentence(language, pasted)) }
                </p>
                if !is_whole {
                    { solution_panel(language, &count, requested, &request, &set, hint.button(language)) }
                    { hint.sentence(language) }
                }
                if let Some(solution) = solution {
                    { links(language, &address, &solution, step) }
                }
                { conclusions.list(language, &queens, is_hopeless, &set) }
                { puzzle::panel(language, &draw) }
                { help(language) }
            </div>
        </div>
    }
}

/// The button that undoes or redoes a move, or clears the board. It is disabled without an `action`.
fn move_button(language: Language, id: &'static str, action: Option<Callback<()>>) -> Html {
    let disabled = action.is_none();
    let onclick = action.unwrap_or_default().reform(|_: MouseEvent| ());
    html! {
        <button {id} type="button" {disabled} {onclick}>
            { tr!(language, format!("play.{id}")) }
        </button>
    }
}

/// The switch between placing queens and marking squares.
fn mark_button(language: Language, is_on: bool, switch: &Callback<MouseEvent>) -> Html {
    html! {
        <button
            id="mark" type="button" aria-pressed={is_on.to_string()} onclick={switch}
            title={tr!(language, "play.mark-hint")} popovertarget="play-commands" popovertargetaction="hide"
        >
            { tr!(language, "play.mark") }
        </button>
    }
}

/// The links to the images of the solution and to its step in Explore.
fn links(language: Language, address: &Address, solution: &Placement, step: Option<u64>) -> Html {
    html! {
        <p class="links">
            <Link to={solution_address(address, solution)} id="to-symmetries">
                { tr!(language, "play.to-symmetries") }
            </Link>
            if let Some(step) = step {
                <Link to={explore(address, step)} id="to-explore">
                    { tr!(language, "play.to-explore") }
                </Link>
            }
        </p>
    }
}

/// Returns the address of a step in Explore, for the plain bitmap search. Unlike the methods that
/// use symmetry, this search reaches every solution.
fn explore(address: &Address, step: u64) -> Address {
    Address { view: View::Explore, method: Stepped::Bitmap, step, ..address.clone() }
}

/// The progress of a running count with a button to stop it, or a button to restart a stopped count.
fn progress(language: Language, count: &Job<Count>) -> Html {
    match count.state {
        JobState::Running => html! {
            <>
                <progress
                    key="progress" max="1" value={format!("{:.3}", count.answer.progress.fraction())}
                    aria-label={tr!(language, "play.progress")}
                />
                <button key="stop" id="stop" type="button" onclick={&count.stop}>
                    { tr!(language, "play.stop") }
                </button>
            </>
        },
        JobState::Stopped => html! {
            <button key="again" id="again" type="button" onclick={&count.restart}>
                { tr!(language, "play.again") }
            </button>
        },
        JobState::Waiting | JobState::Done => html! {},
    }
}

/// The sentence about the solutions that contain the queens, or about conflicts. The sentence of a `new_puzzle`
/// is its task. On an empty board, the task of the game comes first; with one queen, what it attacks comes last.
fn status(
    language: Language,
    queens: &Queens,
    conflict_count: usize,
    count: &Job<Count>,
    new_puzzle: bool,
) -> Html {
    let is_counted = queens.size().get() <= Size::MAX_COUNTED;
    let sentence = |sentence: fn(Language, &Queens, usize, &Job<Count>) -> String| {
        if new_puzzle {
            tr!(language, "play.puzzle-open")
        } else {
            sentence(language, queens, conflict_count, count)
        }
    };
    let aim = words::aim(language, queens).filter(|_| !new_puzzle && queens.placement().is_none());
    let (aim, task) = if queens.is_empty() { (None, aim) } else { (aim, None) };
    html! {
        <>
            if let Some(task) = &task {
                <p id="play-aim" class="statement">{ task }</p>
            }
            <p
                id="completions" class={if task.is_some() { "soft" } else { "statement" }}
                data-count={count.answer.found.to_string()}
                data-state={if is_counted { count.state.id() } else { "uncounted" }}
            >
                { sentence(words::statement) }
            </p>
            if let Some(aim) = aim {
                <p id="play-attacks" class="soft">{ aim }</p>
            }
            <p role="status" class="hidden-text">
                { sentence(words::spoken) }
            </p>
        </>
    }
}

/// The buttons that show, keep and hide a requested solution, the button of another `hint`, and the message about
/// the solution.
fn solution_panel(
    language: Language,
    count: &Job<Count>,
    requested: SolutionRequest,
    request: &Callback<Option<u64>>,
    set: &Callback<Queens>,
    hint: Html,
) -> Html {
    let (shown, next) = match requested {
        SolutionRequest::Found(placement, index) => (Some(placement), index + 1),
        _ => (None, 0),
    };
    let has_more = if count.state == JobState::Done {
        // The last solution is followed by the first one.
        next < count.answer.found || next > 1
    } else {
        requested != SolutionRequest::NoneExists
    };
    let (show, hide) = (request.reform(move |_: MouseEvent| Some(next)), request.reform(|_| None));
    let (label, message) = match shown {
        Some(_) => {
            (tr!(language, "play.another"), tr!(language, "play.shown", number = grouped(next)))
        }
        None if requested == SolutionRequest::Searching => {
            (tr!(language, "play.show"), tr!(language, "play.looking"))
        }
        None if requested == SolutionRequest::NoneExists => {
            (tr!(language, "play.show"), tr!(language, "play.looked-in-vain"))
        }
        None => (tr!(language, "play.show"), String::new()),
    };
    html! {
        <section class="play-actions">
            <div class="buttons">
                { hint }
                <button key="show" id="show-one" type="button" onclick={show} disabled={!has_more}>{ label }</button>
                if let Some(placement) = shown {
                    <button
                        key="keep" id="keep" type="button"
                        onclick={set.reform(move |_: MouseEvent| Queens::from(&placement))}
                    >
                        { tr!(language, "play.keep") }
                    </button>
                }
                if shown.is_some() || requested == SolutionRequest::Searching {
                    <button key="hide" id="hide" type="button" onclick={hide}>
                        { tr!(language, if shown.is_some() { "play.hide" } else { "play.stop" }) }
                    </button>
                }
            </div>
            <p id="shown" class="soft" role="status">{ message }</p>
        </section>
    }
}

/// The conclusions from the queens that need no search.
#[derive(Default)]
struct Conclusions {
    /// The forced squares in order, each with the row or column in which it is the only free square
    /// left.
    forced: Vec<(Square, Unit)>,
    /// A row or column without a free square.
    blocked: Option<Unit>,
}

impl From<&Queens> for Conclusions {
    fn from(queens: &Queens) -> Conclusions {
        let mut conclusions = Conclusions::default();
        for consequence in queens.consequences() {
            match consequence {
                Consequence::Forced { square, unit } => conclusions.forced.push((square, unit)),
                Consequence::Blocked(unit) => conclusions.blocked = Some(unit),
            }
        }
        conclusions
    }
}

impl Conclusions {
    fn squares(&self) -> Vec<Square> {
        self.forced.iter().map(|(square, _)| *square).collect()
    }

    /// Renders the list. If no solution contains the queens, it has no button that places more of them.
    fn list(
        &self,
        language: Language,
        queens: &Queens,
        is_hopeless: bool,
        set: &Callback<Queens>,
    ) -> Html {
        if self.forced.is_empty() && self.blocked.is_none() {
            return html! {};
        }
        // Sighted users find the number of an item on its square.
        let items = self.forced.iter().map(|&(square, unit)| {
            let reason = words::follows(language, queens, Consequence::Forced { square, unit });
            let (row, column) = square.to_left();
            html! {
                <li data-square={square.to_string()}>
                    <span class="hidden-text">
                        { tr!(language, "explore.square", row = row, column = column, what = "") }
                    </span>
                    { reason }
                </li>
            }
        });
        let all = self.squares().into_iter().fold(*queens, Queens::toggled);
        let place = set.reform(move |_: MouseEvent| all);
        html! {
            <section class="follows" aria-labelledby="follows">
                <h2 id="follows">{ tr!(language, "play.follows") }</h2>
                if !self.forced.is_empty() {
                    <ol id="forced">{ for items }</ol>
                    if self.blocked.is_none() && !is_hopeless {
                        <button id="place-forced" type="button" onclick={place}>
                            { tr!(language, "play.place-forced") }
                        </button>
                    }
                }
                if let Some(unit) = self.blocked {
                    <p id="blocked">{ words::follows(language, queens, Consequence::Blocked(unit)) }</p>
                }
            </section>
        }
    }
}

/// How to place queens, and the legend of the board.
fn help(language: Language) -> Html {
    let entry = |state: SpotState, conflict: bool, drawing: Html, text: String| {
        html! {
            <li>
                <svg viewBox="0 0 40 40" width="28" height="28" aria-hidden="true">
                    <g data-state={state.id()} data-conflict={conflict.then_some("true")}>
                        <rect class="square" width="40" height="40" />
                        { drawing }
                    </g>
                    <rect class="frame" width="40" height="40" />
                </svg>
                <span>{ text }</span>
            </li>
        }
    };
    html! {
        <details class="panel">
            <summary>{ tr!(language, "play.legend") }</summary>
            <p id="play-help">
                { tr!(language, "play.help") }
                <span class="keyboard-hint">{ language.space() }{ tr!(language, "play.keys") }</span>
            </p>
            <ul class="legend">
                { entry(SpotState::Queen, false, glyph::queen(), tr!(language, "play.legend-queen")) }
                { entry(SpotState::Queen, true, glyph::queen(), tr!(language, "play.legend-conflict")) }
                { entry(SpotState::Shown, false, glyph::queen(), tr!(language, "play.legend-shown")) }
                { entry(SpotState::Attacked, false, attacked(), tr!(language, "play.legend-attacked")) }
                { entry(SpotState::Forced, false, forced(1), tr!(language, "play.legend-forced")) }
            </ul>
        </details>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Completions, notation};

    use super::*;
    use crate::parts::rendered::{elements, rendered};

    /// Forced queens that end at a dead end are listed, but the page does not offer to place them.
    #[test]
    fn forced_queens_are_placed_only_if_a_solution_contains_them() {
        let (mut hopeless, mut offered) = (0, 0);
        for third in 0..8 {
            let squares = format!("0:0,1:4,2:{third}");
            let queens = notation::queens(Size::new(8).unwrap(), &squares).unwrap();
            if queens.conflicts().next().is_some() {
                continue;
            }
            let has_solutions = Completions::new(&queens).count() > 0;
            let conclusions = Conclusions::from(&queens);
            let list =
                conclusions.list(Language::English, &queens, !has_solutions, &Callback::noop());
            let html = rendered(Language::English, list);
            let can_place = !elements(&html, "id=\"place-forced\"").is_empty();
            let is_forced = !elements(&html, "id=\"forced\"").is_empty();
            assert_eq!(can_place, is_forced && has_solutions, "{squares}");
            hopeless += usize::from(is_forced && !can_place);
            offered += usize::from(can_place);
        }
        let queens = notation::queens(Size::new(4).unwrap(), "0:1").unwrap();
        let list =
            Conclusions::from(&queens).list(Language::English, &queens, false, &Callback::noop());
        offered += elements(&rendered(Language::English, list), "id=\"place-forced\"").len();
        assert!(hopeless > 0 && offered > 0, "{hopeless} {offered}");
    }
}
