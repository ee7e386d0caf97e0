//! The questions that are asked before finished boards are deleted or replaced.

use yew::prelude::*;

use super::count_client::send_command;
use crate::browser::focus;
use crate::parts::confirm::Confirm;
use crate::words::{Language, duration, tr, use_language};
use crate::worker::{CountCommand, CountJob, FinishedRow};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The id of the button.
    pub id: &'static str,
    /// The text of the button.
    pub text: AttrValue,
    /// The number of finished boards.
    pub boards: usize,
    /// Whether the count is unfinished. Then only its unfinished board is deleted, and the finished ones stay.
    pub is_unfinished: bool,
}

/// A button that deletes, after a question, the unfinished count or, if there is none, all finished boards.
#[component]
pub fn Discard(props: &Props) -> Html {
    let language = use_language();
    let (question, yes, command) = if props.is_unfinished {
        let question = match props.boards {
            0 => tr!(language, "count.discard-none"),
            1 => tr!(language, "count.discard-one"),
            boards => tr!(language, "count.discard-many", boards = boards),
        };
        (question, tr!(language, "count.forget"), CountCommand::Discard)
    } else {
        let question = match props.boards {
            0 => tr!(language, "count.remove-none"),
            1 => tr!(language, "count.remove-one"),
            boards => tr!(language, "count.remove-many", boards = boards),
        };
        (question, tr!(language, "count.remove"), CountCommand::Delete)
    };
    let discard = Callback::from(move |()| {
        // This button disappears. The form may be there already; if not, the view focuses its button
        // once it is.
        focus("begin");
        send_command(command);
    });
    html! {
        <Confirm
            id={props.id} text={&props.text} question={Some(AttrValue::from(question))}
            {yes} no={tr!(language, "count.discard-no")}
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
    let question = match replaced.len() {
        _ if seconds < WORTH_ASKING => return None,
        1 => tr!(language, "count.replace-one", time = time),
        boards => tr!(language, "count.replace-many", boards = boards, time = time),
    };
    Some(question.into())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Method, Size};

    use super::*;
    use crate::parts::rendered::{rendered, texts};
    use crate::views::count::tests::finished;
    use crate::words::plain;
    use crate::worker::Executor;

    #[test]
    fn deleting_asks_first_and_names_what_is_lost_and_what_stays() {
        for (language, is_unfinished, boards, part) in [
            (Language::English, true, 0, "Discard this unfinished count?"),
            (Language::English, true, 1, "The finished board stays."),
            (Language::English, true, 9, "The 9 finished boards stay."),
            (Language::Japanese, true, 9, "9 件の結果は残ります"),
            (Language::English, false, 0, "Delete the saved count?"),
            (Language::English, false, 1, "Delete the finished board?"),
            (Language::English, false, 9, "Delete all 9 finished boards?"),
            (Language::Japanese, false, 9, "9 件の結果をすべて削除"),
        ] {
            let html = rendered(
                language,
                html! { <Discard id="a" text="Discard" {is_unfinished} {boards} /> },
            );
            let html = plain(&texts(&html));
            assert!(html.contains(part), "{html}");
        }
    }

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
        for (language, seconds, part) in [
            (Language::English, &[60.0][..], "the finished board"),
            (Language::English, &[4.0, 8.0][..], "2 finished boards"),
            (Language::Japanese, &[4.0, 8.0][..], "2 件"),
        ] {
            let question = plain(&question(language, seconds).unwrap());
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
        assert!(plain(&question).contains("the finished board"), "{question}");
    }
}
