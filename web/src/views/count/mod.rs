//! The Count view: counts boards in several workers or on a GPU.

mod chart;
mod count_client;
mod discard;
mod form;
mod model;
mod names;
mod table;
mod total;
mod webgpu;
mod worker_lines;

use yew::prelude::*;

use crate::address::{View, use_address};
use crate::browser::{focus, reload, window};
use crate::parts::chart::{Room, use_room};
use crate::words::{Language, grouped, tr, use_language};
use crate::worker::{
    CountCommand, CountStatus, Failures, FinishedRow, Health, Phase, Trouble, WebGpu, WrongTask,
};
use model::time_lines;

use chart::chart;
use count_client::{CountSnapshot, send_command, use_count};
use discard::Discard;
use form::Form;
use table::Table;
use webgpu::note as webgpu_note;
use worker_lines::workers;

/// The form for a new count, or the state of the current one with its buttons. Below are the total in large
/// digits, the table of finished rows, and the chart.
#[component]
pub fn Count() -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let room = use_room(Room::of_window);
    let CountSnapshot { status, rows } = use_count();
    let worker = use_context::<Failures>().map_or(Health::Working, |failures| failures.count);
    let is_active = matches!(status.phase, Phase::Running | Phase::Pausing);
    let has_opened = use_mut_ref(|| false);
    use_effect_with(status.phase, move |&phase| {
        // The focus does not move when the view opens.
        if phase != Phase::Opening && has_opened.replace(true) {
            restore_focus(phase);
        }
    });
    let selection = form::use_selection();
    let is_idle = status.phase == Phase::Idle;
    let shown_job = status.job.filter(|_| !is_idle);
    let job = shown_job.unwrap_or_else(|| form::selected_job(&address, &status, *selection));
    let lines = time_lines(&status, &rows, job);
    let current = status.current_row.filter(|_| !is_idle);
    html! {
        <div class="count">
            <h1>{ View::Count.name(language) }</h1>
            <p class="soft lead">{ tr!(language, "count.lead") }</p>
            if is_idle {
                <Form status={status.clone()} rows={rows.clone()} {selection} />
            }
            <div class="count-stands" id="count" data-phase={status.phase.id()}>
                if is_active && worker == Health::Silent {
                    { silent(language) }
                } else {
                    { status_and_buttons(language, &status, &rows) }
                }
                { trouble(language, status.trouble.as_ref()) }
                if let Some(row) = current {
                    { total::so_far(language, &status, &rows, &row) }
                    { workers(language, &row, &status) }
                } else if let Some(row) = rows.last() {
                    { total::of_finished(language, &address, &status, row, &rows) }
                } else if is_idle {
                    { total::question(language, job.to) }
                }
                if !is_idle && matches!(status.webgpu, WebGpu::Failed(_) | WebGpu::Faulty) {
                    { webgpu_note(language, &status.webgpu) }
                }
            </div>
            if !rows.is_empty() {
                <Table {rows} can_delete={is_idle} />
            }
            { chart(language, &lines, room) }
        </div>
    }
}

/// A button that sends a command to the count. Its key keeps the focus from passing to the next
/// button in its place, which could discard the count.
fn button(language: Language, id: &'static str, command: CountCommand) -> Html {
    let onclick = Callback::from(move |_| send_command(command));
    html! { <button key={id} {id} type="button" {onclick}>{ tr!(language, format!("count.{id}")) }</button> }
}

/// Focuses the control for the next action if the focused button has disappeared.
fn restore_focus(phase: Phase) {
    let is_lost = || {
        let focused = window()?.document()?.active_element()?;
        Some(focused.tag_name() == "BODY")
    };
    let next = match phase {
        Phase::Opening | Phase::Elsewhere => return,
        Phase::Idle => "begin",
        Phase::Running => "pause",
        Phase::Pausing | Phase::Saved => "go-on",
    };
    if is_lost() == Some(true) {
        focus(next);
    }
}

/// Renders the state of the count and the buttons that the state allows.
fn status_and_buttons(language: Language, status: &CountStatus, rows: &[FinishedRow]) -> Html {
    let phase = status.phase;
    // Screen readers announce each phase once, not each task.
    let spoken = match phase {
        Phase::Opening => tr!(language, "count.opening"),
        Phase::Idle => {
            rows.last().map(|row| total::sentence(language, row, rows)).unwrap_or_default()
        }
        Phase::Running => tr!(language, "count.running"),
        Phase::Pausing => tr!(language, "count.pausing"),
        Phase::Saved => tr!(language, "count.kept"),
        Phase::Elsewhere => tr!(language, "count.elsewhere"),
    };
    let resume = || button(language, "go-on", CountCommand::Resume);
    // Resume replaces Pause, so that a double click only resumes the count. Discard asks before it acts.
    let buttons = match phase {
        Phase::Opening | Phase::Idle | Phase::Elsewhere => html! {},
        Phase::Running => html! { <>{ button(language, "pause", CountCommand::Pause) }</> },
        // The running tasks of large boards take minutes.
        Phase::Pausing => {
            html! { <>{ resume() }{ button(language, "stop", CountCommand::Stop) }</> }
        }
        Phase::Saved => html! {
            <>
                { resume() }
                <Discard key="forget" boards={rows.len()} is_unfinished=true />
            </>
        },
    };
    html! {
        <div class="count-head">
            // For sighted users, the total in large digits says the same.
            <p role="status" id="count-status" class={(phase == Phase::Idle).then_some("hidden-text")}>{ spoken }</p>
            <p class="count-ways">{ buttons }</p>
        </div>
    }
}

/// Renders that the worker of a running count no longer reports. No command reaches it.
fn silent(language: Language) -> Html {
    html! {
        <div class="count-head">
            <p role="alert" id="count-silent">{ tr!(language, "count.silent") }</p>
            <p class="count-ways">
                <button id="count-reload" type="button" onclick={|_| reload()}>{ tr!(language, "count.reload") }</button>
            </p>
        </div>
    }
}

fn trouble(language: Language, trouble: Option<&Trouble>) -> Html {
    let Some(trouble) = trouble else { return html! {} };
    let text = trouble_text(language, trouble);
    html! { <p class="statement bad" id="count-trouble" role="alert">{ text }</p> }
}

fn trouble_text(language: Language, trouble: &Trouble) -> String {
    match trouble {
        Trouble::NotSaved => tr!(language, "count.not-kept"),
        Trouble::OtherTabCounts => tr!(language, "count.other-tab"),
        Trouble::WorkerFailed(why) => tr!(language, "count.broken", why = why),
        Trouble::GpuFailed(why) => tr!(language, "count.gpu-broken", why = why),
        &Trouble::GpuFaulty(WrongTask { task, counted, expected }) => {
            let [counted, expected] = [counted, expected].map(grouped);
            let task = grouped(task as u64);
            tr!(language, "count.gpu-wrong", task = task, counted = counted, expected = expected)
        }
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::known::known;
    use queens_core::{Check, Method, Size};

    use super::*;
    use crate::parts::rendered::{elements, outline, rendered};
    use crate::words::plain;
    use crate::worker::{CountJob, CurrentRow, Executor, WorkerStatus};

    pub(super) fn finished(n: u32) -> FinishedRow {
        FinishedRow {
            method: Method::Colours,
            size: Size::new(n).unwrap(),
            outcome: Ok(*known(n).unwrap()),
            checks: [Check::Sums, Check::Divisibility, Check::Known].into_iter().collect(),
            executor: Executor::Workers(2),
            seconds: 12.5,
            time: "00:00:00:12.50".to_owned(),
        }
    }

    /// Compares the view in a state with the snapshot `name`.
    fn check(name: &str, status: &CountStatus, rows: Vec<FinishedRow>) {
        count_client::set_snapshot(CountSnapshot {
            status: status.clone().into(),
            rows: rows.into(),
        });
        let html = rendered(Language::English, html! { <Count /> });
        insta::assert_snapshot!(name, outline(&html));
    }

    #[test]
    fn phases_match_their_snapshots() {
        let current_row = CurrentRow {
            method: Method::Symmetry,
            size: Size::new(17).unwrap(),
            started: 1300,
            done: 1250,
            tasks: 5000,
            solutions: 24_000_000,
            seconds: 75.0,
            remaining_seconds: Some(225.0),
        };
        let job = CountJob {
            method: Some(Method::Symmetry),
            from: current_row.size,
            to: current_row.size,
            executor: Executor::Workers(2),
        };
        for phase in Phase::ALL {
            let current_row = (phase != Phase::Opening).then_some(current_row);
            let busy = |task, batch, done| WorkerStatus { task: Some(task), batch, done };
            let is_active = matches!(phase, Phase::Running | Phase::Pausing);
            let workers =
                if is_active { vec![busy(1_251, 12, 700), busy(1_300, 1, 500)] } else { vec![] };
            let status = CountStatus {
                phase,
                job: current_row.map(|_| job),
                current_row,
                workers,
                ..Default::default()
            };
            check(phase.id(), &status, vec![finished(12), finished(13)]);
        }
    }

    #[test]
    fn a_running_count_has_one_button_and_a_paused_one_keeps_its_place_for_resuming() {
        let ids = |phase| {
            let status = CountStatus { phase, ..Default::default() };
            count_client::set_snapshot(CountSnapshot { status: status.into(), rows: [].into() });
            let html = rendered(Language::English, html! { <Count /> });
            let buttons = elements(&html, "button id");
            buttons.iter().filter_map(|button| button.attribute("id")).collect::<Vec<_>>()
        };
        assert_eq!(ids(Phase::Running), ["pause"]);
        assert_eq!(ids(Phase::Pausing), ["go-on", "stop"]);
        assert_eq!(ids(Phase::Saved), ["go-on", "forget", "forget-yes", "forget-no"]);
    }

    #[test]
    fn a_running_count_without_reports_offers_a_reload_instead_of_its_buttons() {
        for (phase, health, expected) in [
            (Phase::Running, Health::Silent, &["count-reload"][..]),
            (Phase::Pausing, Health::Silent, &["count-reload"]),
            (Phase::Running, Health::Working, &["pause"]),
            (Phase::Saved, Health::Silent, &["go-on", "forget", "forget-yes", "forget-no"]),
        ] {
            let status = CountStatus { phase, ..Default::default() };
            count_client::set_snapshot(CountSnapshot { status: status.into(), rows: [].into() });
            let context = Failures { count: health, ..Default::default() };
            let view = html! { <ContextProvider<Failures> {context}><Count /></ContextProvider<Failures>> };
            let html = rendered(Language::English, view);
            let buttons = elements(&html, "button id");
            let ids: Vec<_> = buttons.iter().filter_map(|button| button.attribute("id")).collect();
            assert_eq!(ids, expected, "{phase:?} {health:?}");
        }
    }

    #[test]
    fn troubles_match_their_snapshots() {
        let wrong = WrongTask { task: 417, counted: 35_201, expected: 35_200 };
        let troubles = [
            ("not-kept", Trouble::NotSaved),
            ("other-tab", Trouble::OtherTabCounts),
            ("broken", Trouble::WorkerFailed("a reason".to_owned())),
            ("gpu", Trouble::GpuFailed("a reason".to_owned())),
            ("wrong", Trouble::GpuFaulty(wrong)),
        ];
        for (name, trouble) in troubles {
            let status = CountStatus { trouble: Some(trouble), ..Default::default() };
            let mut row = finished(12);
            row.outcome = Err("a reason".to_owned());
            check(name, &status, vec![row]);
        }
    }

    #[test]
    fn states_of_webgpu_match_their_snapshots() {
        let states = [
            ("webgpu-missing", WebGpu::Missing),
            ("webgpu-found", WebGpu::Found("Some GPU".to_owned())),
            ("webgpu-insecure", WebGpu::Insecure),
            ("webgpu-no-adapter", WebGpu::NoAdapter),
            ("webgpu-failed", WebGpu::Failed("a reason".to_owned())),
        ];
        let sentences = states.each_ref().map(|(name, webgpu)| {
            format!("{name}: {}", plain(&webgpu::sentence(Language::English, webgpu)))
        });
        insta::assert_snapshot!("webgpu", sentences.join("\n"));
        form::choose(2, true);
        for (name, webgpu) in states.into_iter().take(2) {
            check(name, &CountStatus { phase: Phase::Idle, webgpu, ..Default::default() }, vec![]);
        }
    }

    #[test]
    fn reports_a_faulty_gpu_with_its_task() {
        let trouble =
            Trouble::GpuFaulty(WrongTask { task: 417, counted: 35_201, expected: 35_200 });
        for (language, word) in [(Language::English, "wrong result"), (Language::Japanese, "誤り")]
        {
            let text = trouble_text(language, &trouble);
            let parts = ["417", &grouped(35_201), &grouped(35_200), word];
            assert!(parts.iter().all(|part| text.contains(part)), "{text}");
            let note = webgpu::sentence(language, &WebGpu::Faulty);
            assert!(note.contains("GPU") && note.contains(word), "{note}");
        }
    }
}
