//! The questions that are asked before finished boards are deleted or replaced.

use yew::prelude::*;

use super::count_client::send_command;
use crate::browser::focus;
use crate::parts::confirm::Confirm;
use crate::words::{Language, duration, tr, use_language};
use crate::worker::{CountCommand, CountJob, FinishedRow};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The number of finished boards.
    pub boards: usize,
    /// Whether the count is unfinished. Then only its unfinished board is deleted, and the finished ones stay.
    pub is_unfinished: bool,
}

/// A button that deletes, after a question, the unfinished count or, if there is none, all finished boards.
#[component]
pub fn Discard(props: &Props) -> Html {
    let language = use_language();
    let (id, question, command) = if props.is_unfinished {
        ("forget", tr!(language, "count.discard-question"), CountCommand::Discard)
    } else {
        let question = tr!(language, "count.remove-question", boards = props.boards);
        ("remove", question, CountCommand::Delete)
    };
    let text = tr!(language, format!("count.{id}"));
    let discard = Callback::from(move |()| {
        // This button disappears. The form may be there already; if not, the view focuses its button
        // once it is.
        focus("begin");
        send_command(command);
    });
    html! {
        <Confirm
            {id} text={text.clone()} question={Some(AttrValue::from(question))}
            yes={text} no={tr!(language, "count.discard-no")}
            on_confirm={discard}
        />
    }
}

/// The counting time in seconds from which a new count asks before it replaces finished boards. Shorter
/// counts are quickly repeated.
const WORTH_ASKING: f64 = 10.0;

/// Returns the question before a new count, which replaces the finished boards that it counts again.
pub fn replace_question(
    language: Language,
    job: CountJob,
    rows: &[FinishedRow],
) -> Option<AttrValue> {
    let replaced = rows.iter().filter(|row| job.replaces(row));
    let replaced: Vec<f64> = replaced.map(|row| row.seconds).collect();
    let seconds: f64 = replaced.iter().sum();
    let time = duration(language, seconds);
    let question = tr!(language, "count.replace-question", boards = replaced.len(), time = time);
    (seconds >= WORTH_ASKING).then(|| question.into())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Method, Size};

    use super::*;
    use crate::views::count::tests::finished;
    use crate::words::plain;
    use crate::worker::Executor;

    #[test]
    fn a_new_count_asks_before_it_replaces_boards_that_took_long() {
        let rows = |seconds: &[f64]| -> Vec<FinishedRow> {
            let row = |(n, &seconds)| FinishedRow { seconds, ..finished(n) };
            (12..).zip(seconds).map(row).collect()
        };
        let size = |n| Size::new(n).unwrap();
        let job = CountJob {
            method: Some(Method::Colours),
            from: size(12),
            to: size(16),
            executor: Executor::Workers(2),
        };
        let question = |language, seconds: &[f64]| replace_question(language, job, &rows(seconds));
        assert_eq!(question(Language::English, &[]), None);
        assert_eq!(question(Language::English, &[3.0, 6.0]), None);
        for (language, part) in
            [(Language::English, "(2), which took 12.0 s"), (Language::Japanese, "2 件")]
        {
            let question = plain(&question(language, &[4.0, 8.0]).unwrap());
            assert!(question.contains(part), "{question}");
        }
        // Boards of other methods and of other sizes stay.
        let rows = rows(&[60.0, 60.0]);
        let other = CountJob { method: Some(Method::Symmetry), ..job };
        let larger = CountJob { from: size(14), ..job };
        for job in [other, larger] {
            assert_eq!(replace_question(Language::English, job, &rows), None);
        }
        let one = CountJob { from: size(13), ..job };
        let question = replace_question(Language::English, one, &rows).unwrap();
        assert!(plain(&question).contains("(1)"), "{question}");
    }
}
