//! A button that deletes the count with its finished boards, after a question.

use yew::prelude::*;

use super::count_client::send_command;
use crate::browser::focus;
use crate::words::{Language, tr, use_language};
use crate::worker::CountCommand;

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The id of the button.
    pub id: &'static str,
    /// The text of the button.
    pub text: AttrValue,
    /// The number of finished boards.
    pub boards: usize,
    /// Whether the question is asked from the start, for tests.
    #[prop_or_default]
    pub is_asking: bool,
}

/// The button and, after a click on it, the question with its answers. The button stays in its place, so that
/// a second click deletes nothing.
#[component]
pub fn Discard(props: &Props) -> Html {
    let language = use_language();
    let is_asking = use_state_eq(|| props.is_asking);
    use_effect_with(*is_asking, |&is_asking| {
        // The focus moves to the answer that deletes nothing.
        if is_asking {
            focus("discard-no");
        }
    });
    let ask = {
        let is_asking = is_asking.setter();
        Callback::from(move |_: MouseEvent| is_asking.set(true))
    };
    let keep = {
        let (is_asking, id) = (is_asking.setter(), props.id);
        Callback::from(move |_: MouseEvent| {
            focus(id);
            is_asking.set(false);
        })
    };
    let discard = {
        let is_asking = is_asking.setter();
        Callback::from(move |_: MouseEvent| {
            // This button disappears. The form may be there already; if not, the view focuses its button
            // once it is.
            focus("begin");
            is_asking.set(false);
            send_command(CountCommand::Delete);
        })
    };
    html! {
        <>
            <button id={props.id} type="button" onclick={ask}>
                { &props.text }
            </button>
            if *is_asking {
                <span id="discard-question">{ question(language, props.boards) }</span>
                <button id="discard-yes" type="button" onclick={discard} aria-describedby="discard-question">
                    { tr!(language, "count.discard-yes") }
                </button>
                <button id="discard-no" type="button" onclick={keep} aria-describedby="discard-question">
                    { tr!(language, "count.discard-no") }
                </button>
            }
        </>
    }
}

fn question(language: Language, boards: usize) -> String {
    match boards {
        0 => tr!(language, "count.discard-none"),
        1 => tr!(language, "count.discard-one"),
        boards => tr!(language, "count.discard-many", boards = boards),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};

    #[test]
    fn discarding_a_count_asks_first_and_names_what_is_lost() {
        let shown = |language, boards, is_asking| {
            rendered(
                language,
                html! { <Discard id="forget" text="Discard" {boards} {is_asking} /> },
            )
        };
        let html = shown(Language::English, 9, false);
        assert_eq!(elements(&html, "<button").len() + elements(&html, "button id").len(), 1);
        for (language, boards, part) in [
            (Language::English, 0, "Discard this count?"),
            (Language::English, 1, "finished board"),
            (Language::English, 9, "9 finished boards"),
            (Language::Japanese, 9, "9 件"),
        ] {
            let html = shown(language, boards, true);
            assert!(texts(&html).contains(part), "{html}");
            let ids = elements(&html, "button id");
            let ids: Vec<_> = ids.iter().filter_map(|button| button.attribute("id")).collect();
            assert_eq!(ids, ["forget", "discard-yes", "discard-no"]);
        }
    }
}
