//! The Solutions view: all solutions of a small board, the classes of a larger one, and the images of one
//! solution.

mod class;
#[cfg(all(test, not(target_family = "wasm")))]
mod class_tests;
mod filters;
mod fold;
mod images;
mod ledger;
mod save;
mod search;
mod solution_field;
mod stage;
mod tiles;

use queens_core::known::known;
use queens_core::{Class, Placement, Size};
use web_sys::Element;
use yew::prelude::*;

use crate::address::{Address, ClassFilter, View, use_address};
use crate::board::mini_board::MiniBoard;
use crate::browser::window_sides;
use crate::parts::command::command;
use crate::parts::link::Link;
use crate::parts::term::TermLink;
use crate::words::{Language, Term, grouped, tr, transforms, use_language};
use crate::worker::{Job, JobState, Request, use_job, use_shared_failure};

use class::ClassOfSolution;
use filters::filters;
use fold::Fold;
use save::saving;
use search::{Boards, Search};
use solution_field::{Reading, SolutionField};
use tiles::Tiles;

/// The largest board whose classes are drawn: 45,752 small boards.
const LARGEST: u32 = 14;

/// The largest board whose solutions are all drawn: 92 small boards.
const LARGEST_ALL: u32 = 8;

/// The largest number of classes whose boards are drawn larger.
const MAX_LARGE: u64 = 24;

#[component]
pub fn Solutions() -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let reading = use_state_eq(|| None::<Reading>);
    let size = address.size;
    if let Some(columns) = &address.solution {
        return html! { <ClassOfSolution columns={columns.clone()} {reading} /> };
    }
    html! {
        <div class="classes">
            if size.get() <= LARGEST {
                <FoundClasses {size} {reading} />
            } else {
                { too_many(language, &address, size) }
            }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct FoundClassesProps {
    size: Size,
    reading: UseStateHandle<Option<Reading>>,
}

/// The classes of a board, as far as the worker has found them.
#[component]
fn FoundClasses(props: &FoundClassesProps) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let size = props.size;
    let job = use_job(Some(Request::Classes { size }), Search::add);
    let (search, done) = (&job.answer, !job.state.is_active());
    // A finished list stays complete if the worker crashes later.
    let has_failed = use_shared_failure() && !done;
    let lists_nothing = has_failed && search.unique() == 0;
    let are_large = search.unique() <= MAX_LARGE;
    let has_none = done && search.unique() == 0;
    let shows_all = size.get() <= LARGEST_ALL;
    let filter = if shows_all { ClassFilter::default() } else { address.class_filter };
    let filtered = Class::ALL.map(|class| {
        if filter.kind.has(class) {
            search.group(class).filtered(filter)
        } else {
            Boards::default()
        }
    });
    let boards = filtered.iter().map(Boards::len).sum();
    let all_filtered_out = !has_none && done && boards == 0;
    let main = use_node_ref();
    let to_boards = {
        let main = main.clone();
        Callback::from(move |event: MouseEvent| scroll_to_boards(&main, &event))
    };
    let groups = Class::ALL.into_iter().zip(filtered);
    let groups = groups.map(|(class, boards)| group(language, search, class, boards, filter));
    html! {
        <>
            <div class="classes-head">
                <h1>
                    { tr!(language, if shows_all { "classes.all-solutions" } else { "classes.title" }, n = size) }
                </h1>
                { for meaning(language, size) }
                if !has_none && !shows_all {
                    <p>{ tr!(language, "classes.shown") }</p>
                }
                { status(language, size, &job, has_failed) }
                if !has_none && !lists_nothing && !shows_all {
                    { filters(language, &address, &navigate) }
                }
            </div>
            <div ref={main} class={classes!("classes-main", are_large.then_some("few"))}>
                if has_none {
                    <div class="empty-state" data-testid="no-classes">
                        <MiniBoard {size} queens={None::<Placement>} />
                    </div>
                }
                if shows_all {
                    <Fold />
                } else {
                    { for groups }
                }
                if all_filtered_out {
                    <div class="empty-state" data-testid="nothing-chosen">
                        <p>{ tr!(language, "classes.nothing-chosen") }</p>
                    </div>
                }
            </div>
            <div class="classes-side">
                <SolutionField given="" reading={props.reading.clone()} />
                if !has_none && !lists_nothing {
                    { saving(language, size, search, done, (filter, boards)) }
                }
                if !lists_nothing {
                    <details id="for-programmers" class="panel" onclick={to_boards} open={!shows_all}>
                        <summary>{ tr!(language, "symmetries.programmers") }</summary>
                        { ledger::of_search(language, &address, search, !shows_all) }
                    </details>
                }
                { numbers_link(language, &address) }
            </div>
        </>
    }
}

/// Says what a class is, with the numbers of this board. `None` if there are no solutions.
fn meaning(language: Language, size: Size) -> Option<Html> {
    let numbers = known(size.get()).filter(|numbers| numbers.total() > 0)?;
    let (unique, total) = (grouped(numbers.unique()), grouped(numbers.total()));
    let key = match (numbers.unique(), numbers.total()) {
        (_, 1) => "classes.meaning-one",
        (1, _) => "classes.meaning-same",
        _ => "classes.meaning",
    };
    Some(html! {
        <p id="meaning">{ tr!(language, key, n = size, unique = unique, total = total) }</p>
    })
}

/// Scrolls to the boards that a term of the ledger selects, if they do not begin in the upper half of the window,
/// as on a phone.
fn scroll_to_boards(boards: &NodeRef, event: &MouseEvent) {
    let clicked = event.target_dyn_into::<Element>();
    let is_term = clicked.is_some_and(|clicked| clicked.class_list().contains("summand"));
    if let Some(boards) = boards.cast::<Element>().filter(|_| is_term)
        && !(0.0..window_sides()[1] / 2.0).contains(&boards.get_bounding_client_rect().top())
    {
        boards.scroll_into_view();
    }
}

/// Renders the state of the search, its progress, and the button that stops it or restarts it. If the worker
/// `has_failed`, the page offers to try again above the view.
fn status(language: Language, size: Size, job: &Job<Search>, has_failed: bool) -> Html {
    let Job { answer: search, state, stop, restart } = job;
    if has_failed {
        return html! {
            <div class="classes-status">
                <p id="classes-status" role="status" data-state="failed">
                    { tr!(language, "classes.failed") }
                </p>
            </div>
        };
    }
    let (unique, total) = (grouped(search.unique()), grouped(search.total()));
    // Screen readers announce each state once, not every new board.
    let spoken = match state {
        JobState::Waiting | JobState::Running => tr!(language, "classes.running"),
        JobState::Stopped => tr!(language, "classes.stopped"),
        JobState::Done if search.unique() == 0 => tr!(language, "classes.none", n = size),
        JobState::Done => tr!(language, "classes.done", unique = unique, total = total),
    };
    let share = format!("{:.3}", search.progress.fraction());
    // The paragraph above has the same numbers.
    let says_nothing_new = *state == JobState::Done && search.unique() > 0;
    html! {
        <div class="classes-status">
            <p
                id="classes-status" class={says_nothing_new.then_some("hidden-text")}
                role="status" data-state={state.id()}
            >
                { spoken }
            </p>
            if state.is_active() {
                <div class="progress-line">
                    <progress max="1" value={share} aria-label={tr!(language, "classes.progress")} />
                    <button
                        id="stop" type="button" onclick={stop}
                        disabled={*state == JobState::Waiting}
                    >
                        { tr!(language, "classes.stop") }
                    </button>
                </div>
            }
            if *state == JobState::Stopped {
                <button id="again" type="button" onclick={restart}>{ tr!(language, "classes.again") }</button>
            }
        </div>
    }
}

/// Renders the heading of the classes of one size, with their number.
fn heading(language: Language, id: String, class: Class, count: &str) -> Html {
    html! {
        <h2 {id}>
            <TermLink word={Term::CLASS}>{ tr!(language, "classes.group", class = class) }</TermLink>
            <span class="soft">{ language.aside(count) }</span>
            <small class="soft">{ transforms::class_size_reason(language, class) }</small>
        </h2>
    }
}

/// Renders the filtered classes of one size.
fn group(
    language: Language,
    search: &Search,
    class: Class,
    boards: Boards,
    filter: ClassFilter,
) -> Html {
    if boards.is_empty() {
        return html! {};
    }
    let id = format!("classes-of-{class}");
    let (shown, all) = (grouped(boards.len() as u64), grouped(search.count(class)));
    let count = if shown == all {
        all
    } else {
        tr!(language, "classes.shown-of", shown = shown, all = all)
    };
    html! {
        <section class="class-group" key={class.members()} aria-labelledby={id.clone()}>
            { heading(language, id, class, &count) }
            // Another filter begins with its first page.
            <Tiles key={format!("{} {}", filter.first, filter.largest_first)} {boards} {class} />
        </section>
    }
}

/// The largest board whose classes the command counts within an hour or so.
const LARGEST_QUICK: u32 = 20;

/// Renders commands and published numbers for a board with too many classes to draw.
fn too_many(language: Language, address: &Address, size: Size) -> Html {
    let n = size.get();
    let known = ledger::of_known(language, address, size);
    let sentence = match &known {
        Some((unique, _)) => {
            tr!(language, "classes.too-many", n = n, unique = grouped(*unique), largest = LARGEST)
        }
        None => tr!(language, "classes.far-too-many", n = n, largest = LARGEST),
    };
    let commands = [
        (LARGEST_QUICK, format!("queens classes {n}"), tr!(language, "classes.command-classes")),
        (
            Size::MAX_COUNTED,
            format!("queens boards {n} --unique --limit 100"),
            tr!(language, "classes.command-boards"),
        ),
    ];
    let commands = commands.into_iter().filter(|&(largest, ..)| n <= largest);
    let commands = commands.map(|(_, line, what)| {
        html! { <li>{ command(&line) }{ " " }<span class="soft">{ what }</span></li> }
    });
    html! {
        <div class="too-many" data-testid="too-many">
            <h1>{ tr!(language, "classes.title", n = n) }</h1>
            { for meaning(language, size) }
            <p class="statement">{ sentence }</p>
            <ul class="commands">{ for commands }</ul>
            if let Ok(size) = Size::new(LARGEST) {
                <p><Link to={address.with_size(size)}>
                    { tr!(language, "classes.to-largest", n = LARGEST) }
                </Link></p>
            }
            { numbers_link(language, address) }
            if let Some((_, ledger)) = known {
                <section>
                    <h2>{ tr!(language, "classes.published") }</h2>
                    { ledger }
                </section>
            }
        </div>
    }
}

/// Renders a link to the numbers of all boards.
fn numbers_link(language: Language, address: &Address) -> Html {
    html! {
        <p><Link to={address.with_view(View::Numbers)} id={"to-numbers"}>
            { tr!(language, "classes.to-numbers") }
        </Link></p>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::rendered;
    use crate::words::plain;

    #[test]
    fn begins_with_what_a_class_is() {
        let shown = |language, n| {
            let size = Size::new(n).unwrap();
            let meaning = meaning(language, size);
            plain(&rendered(language, html! { { for meaning } }))
        };
        let text = shown(Language::English, 8);
        for part in ["its turns and mirror images", "the 92 solutions", "12 classes"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let text = shown(Language::Japanese, 8);
        for part in ["回転・反転", "92 個の解", "12 個のグループ"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(shown(Language::English, 1).contains("only solution"));
        assert!(shown(Language::English, 4).contains("all 2 solutions are in one class"));
        assert!(!shown(Language::English, 3).contains("class"));
    }

    #[test]
    fn a_search_without_a_worker_does_not_look_like_a_running_one() {
        let job = Job {
            answer: Search::default(),
            state: JobState::Running,
            stop: Callback::noop(),
            restart: Callback::noop(),
        };
        for language in Language::ALL {
            let size = Size::new(8).unwrap();
            let shown = |has_failed| rendered(language, status(language, size, &job, has_failed));
            assert!(shown(false).contains("<progress") && shown(false).contains("running"));
            let failed = shown(true);
            assert!(failed.contains("data-state=\"failed\""), "{failed}");
            assert!(!failed.contains("<progress") && !failed.contains("<button"), "{failed}");
        }
    }
}
