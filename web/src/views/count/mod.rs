//! The Count view: counts boards in several workers.

mod form;
mod lead;
mod table;

use yew::prelude::*;

use crate::browser::{focus, window};
use crate::place::View;
use crate::words::{Language, duration, grouped, numbered_method, tr, use_language};
use crate::worker::{
    CountCommand, CountStatus, CurrentRow, Executor, FinishedRow, Phase, Trouble, WebGpu, Wrong,
};

use form::Form;
use lead::{Known, tell, use_count};
use table::Table;

#[component]
pub fn Count() -> Html {
    let language = use_language();
    let Known { standing, lines } = use_count();
    let opened = use_mut_ref(|| false);
    use_effect_with(standing.phase, move |&phase| {
        // The focus does not move when the view opens.
        if phase != Phase::Opening && opened.replace(true) {
            restore_focus(phase);
        }
    });
    html! {
        <div class="count">
            <h1>{ View::Count.name(language) }</h1>
            <p class="soft lead">{ tr!(language, "count.lead") }</p>
            if standing.phase == Phase::Idle {
                <Form standing={standing.clone()} />
            }
            { status(language, &standing, lines.last()) }
            { trouble(language, standing.trouble.as_ref()) }
            if !lines.is_empty() {
                <Table {lines} server={standing.server} />
            }
            { storage(language, &standing) }
            <p class="hint" id="webgpu" role="status">{ webgpu(language, &standing.webgpu) }</p>
        </div>
    }
}

/// A button that sends a command to the count.
fn button(id: &'static str, text: String, command: CountCommand) -> Html {
    let onclick = Callback::from(move |_| tell(command));
    html! { <button {id} type="button" {onclick}>{ text }</button> }
}

/// Focuses the control for the next action if the focused button has disappeared.
fn restore_focus(phase: Phase) {
    let lost = || {
        let body = window()?.document()?.active_element()?;
        Some(body.tag_name() == "BODY")
    };
    let next = match phase {
        Phase::Opening | Phase::Elsewhere => return,
        Phase::Idle => "begin",
        Phase::Running => "pause",
        Phase::Pausing | Phase::Paused | Phase::Kept => "go-on",
    };
    if lost() == Some(true) {
        focus(next);
    }
}

/// Renders the state of the count and the buttons that the state allows.
fn status(language: Language, standing: &CountStatus, last: Option<&FinishedRow>) -> Html {
    let phase = standing.phase;
    // Screen readers announce each phase once, not each task.
    let spoken = match phase {
        Phase::Opening => String::new(),
        Phase::Idle => last.map(|line| done(language, line)).unwrap_or_default(),
        Phase::Running => tr!(language, "count.running"),
        Phase::Pausing => tr!(language, "count.pausing"),
        Phase::Paused => tr!(language, "count.paused"),
        Phase::Kept => tr!(language, "count.kept"),
        Phase::Elsewhere => tr!(language, "count.elsewhere"),
    };
    let go_on = || button("go-on", tr!(language, "count.go-on"), CountCommand::GoOn);
    let stop = || button("stop", tr!(language, "count.stop"), CountCommand::Stop);
    let ways = match phase {
        Phase::Opening | Phase::Idle | Phase::Elsewhere => html! {},
        Phase::Running => html! {
            <>{ button("pause", tr!(language, "count.pause"), CountCommand::Pause) }{ stop() }</>
        },
        Phase::Pausing | Phase::Paused => html! { <>{ go_on() }{ stop() }</> },
        Phase::Kept => html! {
            <>{ go_on() }{ button("forget", tr!(language, "count.forget"), CountCommand::Forget) }</>
        },
    };
    html! {
        <div class="count-stands" id="count" data-phase={phase.id()}>
            <p role="status" id="count-status">{ spoken }</p>
            if let Some(now) = standing.now.filter(|_| phase != Phase::Idle) {
                { progress(language, &now) }
            }
            <p class="count-ways">{ ways }</p>
        </div>
    }
}

/// Describes a finished row.
fn done(language: Language, line: &FinishedRow) -> String {
    match &line.outcome {
        Ok(numbers) => {
            let (total, unique) = (grouped(numbers.total()), grouped(numbers.unique()));
            tr!(language, "count.done", n = line.size, total = total, unique = unique)
        }
        Err(_) => tr!(language, "count.done-wrong", n = line.size),
    }
}

/// Renders the progress of the current row.
fn progress(language: Language, now: &CurrentRow) -> Html {
    let share = f64::from(now.done) / f64::from(now.tasks.max(1));
    let name =
        tr!(language, "count.line", n = now.size, method = numbered_method(language, now.method));
    let mut facts = vec![
        tr!(
            language,
            "count.tasks",
            done = grouped(now.done.into()),
            tasks = grouped(now.tasks.into())
        ),
        duration(language, now.seconds),
    ];
    if let Some(left) = now.left {
        facts.push(tr!(
            language,
            "count.rate",
            rate = grouped((now.solutions as f64 / now.seconds) as u64)
        ));
        facts.push(tr!(language, "count.left", time = duration(language, left)));
    }
    html! {
        <div
            id="count-now" data-begun={now.begun.to_string()} data-done={now.done.to_string()}
            data-tasks={now.tasks.to_string()}
        >
            <p><strong>{ name.clone() }</strong></p>
            <div class="progress-line">
                <progress max="1" value={format!("{share:.4}")} aria-label={name} />
                <span class="mono">{ format!("{:.1} %", share * 100.0) }</span>
            </div>
            <p class="soft">{ facts.join(" · ") }</p>
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
        Trouble::NotKept => tr!(language, "count.not-kept"),
        Trouble::Broken(why) => tr!(language, "count.broken", why = why),
        Trouble::Gpu(why) => tr!(language, "count.gpu-broken", why = why),
        &Trouble::Wrong(Wrong { task, counted, expected }) => {
            let [counted, expected] = [counted, expected].map(grouped);
            let task = grouped(task as u64);
            tr!(language, "count.gpu-wrong", task = task, counted = counted, expected = expected)
        }
    }
}

/// Renders the size of the stored count and the button that deletes it.
fn storage(language: Language, standing: &CountStatus) -> Html {
    if standing.kept == 0 || standing.phase == Phase::Elsewhere {
        return html! {};
    }
    html! {
        <p class="count-ways soft" id="keeps">
            { tr!(language, "count.keeps", kilobytes = grouped(standing.kept.div_ceil(1000))) }
            if standing.phase == Phase::Idle {
                { button("remove", tr!(language, "count.remove"), CountCommand::Forget) }
            }
        </p>
    }
}

/// Explains whether a GPU can count and, if not, why not.
fn webgpu(language: Language, webgpu: &WebGpu) -> String {
    match webgpu {
        WebGpu::Asked => String::new(),
        WebGpu::Missing => tr!(language, "count.webgpu-absent"),
        WebGpu::Insecure => tr!(language, "count.webgpu-insecure"),
        WebGpu::NoAdapter => tr!(language, "count.webgpu-no-adapter"),
        WebGpu::Found(name) => {
            let [method, other] = Executor::METHODS.map(|method| numbered_method(language, method));
            tr!(
                language,
                "count.webgpu-found",
                name = name,
                method = method,
                other = other,
                from = Executor::SMALLEST
            )
        }
        WebGpu::Failed(why) => tr!(language, "count.webgpu-failed", why = why),
        WebGpu::Wrong => tr!(language, "count.webgpu-wrong"),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::known::known;
    use queens_core::{Method, Size};

    use super::*;
    use crate::parts::rendered::{outline, rendered};
    use crate::worker::Posted;

    fn finished(n: u32, posted: Posted) -> FinishedRow {
        FinishedRow {
            method: Method::Halves,
            size: Size::new(n).unwrap(),
            outcome: Ok(*known(n).unwrap()),
            checks: Default::default(),
            place: Executor::Workers(2),
            seconds: 12.5,
            time: "00:00:00:12.50".to_owned(),
            posted,
        }
    }

    /// Compares the view in a state with the snapshots `name-en` and `name-ja`.
    fn check(name: &str, standing: &CountStatus, lines: Vec<FinishedRow>) {
        lead::set_known(Known { standing: standing.clone().into(), lines: lines.into() });
        for language in Language::ALL {
            let html = rendered(language, html! { <Count /> });
            insta::assert_snapshot!(format!("{name}-{}", language.id()), outline(&html));
        }
    }

    #[test]
    fn every_phase_says_what_it_is() {
        let now = CurrentRow {
            method: Method::Symmetry,
            size: Size::new(17).unwrap(),
            begun: 1300,
            done: 1250,
            tasks: 5000,
            solutions: 24_000_000,
            seconds: 75.0,
            left: Some(225.0),
        };
        for phase in Phase::ALL {
            let now = (phase != Phase::Opening).then_some(now);
            let standing =
                CountStatus { phase, now, kept: 12_345, server: Some(true), ..Default::default() };
            let refused = finished(13, Posted::Refused(Some(413)));
            check(phase.id(), &standing, vec![finished(12, Posted::No), refused]);
        }
    }

    #[test]
    fn every_trouble_has_a_sentence() {
        let wrong = Wrong { task: 417, counted: 35_201, expected: 35_200 };
        let troubles = [
            ("not-kept", Trouble::NotKept),
            ("broken", Trouble::Broken("a reason".to_owned())),
            ("gpu", Trouble::Gpu("a reason".to_owned())),
            ("wrong", Trouble::Wrong(wrong)),
        ];
        for (name, trouble) in troubles {
            let standing = CountStatus { trouble: Some(trouble), ..Default::default() };
            let mut wrong = finished(12, Posted::No);
            wrong.outcome = Err("a reason".to_owned());
            check(name, &standing, vec![wrong]);
        }
    }

    #[test]
    fn every_state_of_webgpu_has_a_sentence() {
        let states = [
            ("webgpu-missing", WebGpu::Missing),
            ("webgpu-insecure", WebGpu::Insecure),
            ("webgpu-no-adapter", WebGpu::NoAdapter),
            ("webgpu-found", WebGpu::Found("Some GPU".to_owned())),
            ("webgpu-failed", WebGpu::Failed("a reason".to_owned())),
        ];
        for (name, webgpu) in states {
            check(name, &CountStatus { webgpu, ..Default::default() }, vec![]);
        }
    }

    #[test]
    fn reports_a_faulty_gpu_with_its_task() {
        let trouble = Trouble::Wrong(Wrong { task: 417, counted: 35_201, expected: 35_200 });
        for (language, word) in [(Language::English, "wrong result"), (Language::Japanese, "誤り")]
        {
            let text = trouble_text(language, &trouble);
            let parts = ["417", &grouped(35_201), &grouped(35_200), word];
            assert!(parts.iter().all(|part| text.contains(part)), "{text}");
            let none = webgpu(language, &WebGpu::Wrong);
            assert!(none.contains("GPU") && none.contains(word), "{none}");
        }
    }
}
