//! The total in large digits: of the board that is being counted, or of the last finished one.

use queens_core::{Numbers, Size};
use yew::prelude::*;

use super::model::{Forecast, JobProgress, distinguishing_executor, growth};
use super::names::{method_name, name_of, row_name};
use crate::address::{Address, lesson_address};
use crate::parts::link::Link;
use crate::words::{Language, check_name, duration, grouped, ratio_text, tr};
use crate::worker::{CountStatus, CurrentRow, FinishedRow};

/// Renders the solutions of the finished tasks, and the progress of the count.
pub fn so_far(
    language: Language,
    status: &CountStatus,
    rows: &[FinishedRow],
    row: &CurrentRow,
) -> Html {
    let name = row_name(language, row.method, row.size, None);
    let tasks = [row.done, row.tasks].map(|tasks| grouped(tasks.into()));
    let mut facts = vec![
        tr!(language, "count.tasks", done = tasks[0], tasks = tasks[1]),
        duration(language, row.seconds),
    ];
    // Only a row that is running has a remaining time.
    let is_running = row.remaining_seconds.is_some();
    if is_running {
        facts.push(rate(language, row.solutions, row.seconds));
    }
    let progress = JobProgress::new(status, rows).map(|progress| {
        if progress.rows > 1 {
            let is_one_method = status.job.is_some_and(|job| job.method.is_some());
            let key = if is_one_method { "count.board-of" } else { "count.row-of" };
            facts.insert(0, tr!(language, key, row = progress.row, rows = progress.rows));
        }
        if let Some(left) = progress.remaining.filter(|&left| is_running && left > 0.0) {
            facts.push(tr!(language, "count.left", time = duration(language, left)));
        }
        progress.share
    });
    let share = progress.unwrap_or_default();
    let so_far = tr!(language, "count.so-far", total = grouped(row.solutions));
    html! {
        <section
            id="count-now" class="count-total" data-begun={row.started.to_string()}
            data-done={row.done.to_string()} data-tasks={row.tasks.to_string()}
        >
            <h2>{ name.clone() }</h2>
            <p class="answer">{ answer(&so_far, row.solutions) }</p>
            <div class="progress-line">
                <progress max="1" value={format!("{share:.4}")} aria-label={name} />
                <span class="mono">{ format!("{:.1} %", share * 100.0) }</span>
            </div>
            <p class="soft">{ facts.join(language.separator()) }</p>
        </section>
    }
}

/// Renders the total of a finished board in a sentence, with its checks in words, how it grows, its time and its
/// rate.
pub fn of_finished(
    language: Language,
    address: &Address,
    status: &CountStatus,
    row: &FinishedRow,
    rows: &[FinishedRow],
) -> Html {
    let said = sentence(language, row, rows);
    let Ok(numbers) = &row.outcome else {
        return html! { <p class="statement bad">{ said }</p> };
    };
    let classes = match numbers.unique() {
        1 => tr!(language, "count.one-class"),
        unique => tr!(language, "count.classes", unique = grouped(unique)),
    };
    let facts =
        [classes, duration(language, row.seconds), rate(language, numbers.total(), row.seconds)];
    // The last check is the strongest one.
    let check = row.checks.iter().last().map(|check| check_name(language, check));
    html! {
        <section id="count-total" class="count-total finished">
            <h2 class="answer">{ answer(&said, numbers.total()) }</h2>
            { for check.map(|check| html! { <p class="passed">{ check }</p> }) }
            { for one_row_more(language, status, row, rows).map(|said| html! { <p>{ said }</p> }) }
            <p class="soft">
                <Link to={lesson_address(address, row.method)}>
                    { method_name(language, row.method, distinguishing_executor(row, rows)) }
                </Link>
                { language.separator() }{ facts.join(language.separator()) }
            </p>
        </section>
    }
}

/// Says how many times as many solutions the board has as the one before, and how long the next one would take.
fn one_row_more(
    language: Language,
    status: &CountStatus,
    row: &FinishedRow,
    rows: &[FinishedRow],
) -> Option<String> {
    let n = row.size.get();
    let grown = growth(rows, row)
        .map(|times| tr!(language, "count.grown", times = ratio_text(times), before = n - 1));
    let forecast = Forecast::new(row.method, row.executor, status, rows);
    let next = forecast.seconds(n + 1).filter(|_| n < row.method.largest());
    let next = next
        .map(|seconds| tr!(language, "count.next", n = n + 1, time = duration(language, seconds)));
    let said: Vec<_> = grown.into_iter().chain(next).collect();
    (!said.is_empty()).then(|| said.join(language.space()))
}

/// Renders the question that a count answers, with a sign in the place of the number.
pub fn question(language: Language, size: Size) -> Html {
    html! {
        <section class="count-total">
            <h2>{ tr!(language, "count.ask", n = size) }</h2>
            <p class="large-number soft" aria-hidden="true">{ "?" }</p>
        </section>
    }
}

/// Renders a sentence that ends with a number of solutions, or with this number and its noun. The digits are as
/// large as a phone has room for.
fn answer(sentence: &str, number: u64) -> Html {
    let digits = grouped(number);
    let (before, after) = sentence.rsplit_once(&digits).unwrap_or((sentence, ""));
    let is_long = (digits.len() > 13).then_some("long");
    html! {
        <>
            <span>{ before }</span>
            <span><span class={classes!("large-number", is_long)}>{ &digits }</span>{ after }</span>
        </>
    }
}

fn rate(language: Language, solutions: u64, seconds: f64) -> String {
    // A board of a few tasks may take no measurable time.
    let rate = solutions as f64 / seconds.max(0.001);
    tr!(language, "count.rate", rate = grouped(rate as u64))
}

/// Says how many solutions a finished board has, or that its result is wrong.
pub fn sentence(language: Language, row: &FinishedRow, rows: &[FinishedRow]) -> String {
    let n = row.size;
    match row.outcome.as_ref().map(Numbers::total) {
        Ok(1) => tr!(language, "count.answer-one", n = n),
        Ok(total) => tr!(language, "count.answer", n = n, total = grouped(total)),
        Err(_) => tr!(language, "count.done-wrong", of = name_of(language, row, rows)),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::views::count::tests::finished;
    use crate::words::{numbered_method, plain};
    use crate::worker::{CountJob, Executor, Phase};

    #[test]
    fn a_count_of_several_boards_has_its_progress_over_all_of_them() {
        let [from, to, size] = [11, 13, 12].map(|n| Size::new(n).unwrap());
        let rows = [FinishedRow { seconds: 10.0, ..finished(11) }];
        let (method, executor) = (Some(Method::Colours), Executor::Workers(2));
        let row = CurrentRow {
            method: Method::Colours,
            size,
            started: 60,
            done: 50,
            tasks: 100,
            solutions: 7_000,
            seconds: 20.0,
            remaining_seconds: Some(20.0),
        };
        let shown = |language, row: CurrentRow| {
            let status = CountStatus {
                phase: Phase::Running,
                job: Some(CountJob { method, from, to, executor }),
                current_row: Some(row),
                cores: 2,
                ..Default::default()
            };
            let html = rendered(language, so_far(language, &status, &rows, &row));
            let share = elements(&html, "max=\"1\"")[0].attribute("value");
            (plain(&texts(&html)), share.unwrap())
        };
        for (language, board, left) in [
            (Language::English, "Board 2 of 3", "about 3 min 0 s left"),
            (Language::Japanese, "3 個の盤のうち 2 個目", "残り約 3 分 0 秒"),
        ] {
            let (text, share) = shown(language, row);
            assert_eq!(share, "0.1429");
            assert!([board, left, "7,000"].iter().all(|part| text.contains(part)), "{text}");
            // A paused count has no remaining time.
            let (text, _) = shown(language, CurrentRow { remaining_seconds: None, ..row });
            assert!(text.contains(board) && !text.contains(left), "{text}");
        }
    }

    #[test]
    fn the_method_of_a_finished_board_is_a_link_to_its_lesson() {
        let (row, address) = (finished(12), Address::default());
        let status = CountStatus::default();
        let language = Language::English;
        let html = rendered(language, of_finished(language, &address, &status, &row, &[]));
        let [link] = elements(&html, "href")[..] else { panic!("{html}") };
        assert!(link.attribute("href").unwrap().contains("lesson=colours"), "{html}");
    }

    #[test]
    fn the_answer_is_one_sentence_with_its_number() {
        let said = |language, n| {
            let (row, address) = (finished(n), Address::default());
            let rows = [finished(n.max(2) - 1), row.clone()];
            let status = CountStatus { cores: 2, ..CountStatus::default() };
            let html = of_finished(language, &address, &status, &row, &rows);
            plain(&texts(&rendered(language, html)).replace('\n', " "))
        };
        for (n, part) in [
            (1, "The 1 × 1 board has 1 solution."),
            (1, "1 class · "),
            (2, "The 2 × 2 board has 0 solutions."),
            (3, "0 classes · "),
            (6, "The 6 × 6 board has 4 solutions."),
            (6, "1 class · "),
            (8, "That is 2.30 times as many as for N = 7. N = 9 would take about 50.0 s."),
            (8, "12 classes · 12.5 s · 7 solutions per second"),
        ] {
            let text = said(Language::English, n);
            assert!(text.contains(part), "{part}: {text}");
        }
        for part in ["8 × 8 の盤の解は 92 個です。", "N = 7 の 2.30 倍です。", "12 グループ"]
        {
            let text = said(Language::Japanese, 8);
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn the_sentence_on_a_wrong_result_names_its_method() {
        for language in Language::ALL {
            let row = FinishedRow { outcome: Err("a reason".to_owned()), ..finished(12) };
            let sentence = sentence(language, &row, &[]);
            assert!(sentence.contains(&numbered_method(language, row.method)), "{sentence}");
        }
    }
}
