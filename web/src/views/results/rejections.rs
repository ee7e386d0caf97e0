//! The rejected files and documents, with the reasons.

use yew::prelude::*;

use super::archive::Change;
use super::entry::RejectedDocument;
use super::{stored_files, words};
use crate::browser::{focus, has_element};
use crate::words::{Language, finding, tr};

/// The largest number of rejections that are shown. A server may have many unreadable documents, so only
/// the latest rejections are shown.
const MAX_SHOWN_REJECTIONS: usize = 8;

/// Renders the rejected files and documents, with the reasons. The user can remove those that the browser
/// stores.
pub fn rejections(
    language: Language,
    rejected: &[RejectedDocument],
    on_change: &Callback<Change>,
) -> Html {
    let all = rejected.len();
    let (checked, rejected): (Vec<&RejectedDocument>, Vec<&RejectedDocument>) =
        rejected.iter().partition(|rejection| rejection.findings().is_some());
    let checked: Html = checked.iter().filter_map(|file| checked_file(language, file)).collect();
    let has_others = rejected.len() < all;
    let on_dismiss = on_change.reform(|_: MouseEvent| Change::DismissRejections);
    let dismiss = html! {
        <p><button id="forget" type="button" onclick={on_dismiss}>{ tr!(language, "results.forget") }</button></p>
    };
    if rejected.is_empty() {
        return html! { if has_others { <>{ checked }{ dismiss }</> } };
    }
    let more = rejected.len().saturating_sub(MAX_SHOWN_REJECTIONS);
    let lines = rejected.iter().skip(more).map(|rejection| {
        let name = words::source_name(language, &rejection.name);
        html! {
            <li data-testid="refusal">
                <strong>{ &name }</strong>{ language.colon() }
                { words::rejection_reason(language, &rejection.why) }
                { for rejection.key().map(|key| remove_button(language, &name, key, on_change)) }
            </li>
        }
    });
    html! {
        <>
            { checked }
            <div class="refused" role="alert">
                <h2>{ tr!(language, "results.refused") }</h2>
                <ul>{ for lines }</ul>
                if more > 0 {
                    <p data-testid="more-refusals">{ tr!(language, "results.and-more", count = more) }</p>
                }
                { dismiss }
            </div>
        </>
    }
}

/// Renders the findings in a list of solutions or a table of totals, which is no fault of the file.
fn checked_file(language: Language, file: &RejectedDocument) -> Option<Html> {
    let findings = file.findings()?;
    let findings = findings.iter().map(|each| {
        html! { <li class={each.is_wrong().then_some("bad")}>{ finding(language, each) }</li> }
    });
    Some(html! {
        <div class="checked" data-testid="checked" role="status">
            <strong>{ words::source_name(language, &file.name) }</strong>
            <ul>{ for findings }</ul>
        </div>
    })
}

/// Renders the button that removes a rejected file from the browser's storage.
fn remove_button(language: Language, name: &str, key: &str, on_change: &Callback<Change>) -> Html {
    let (key, on_change) = (key.to_owned(), on_change.clone());
    let onclick = Callback::from(move |_: MouseEvent| {
        stored_files::remove_key(key.clone());
        // The button disappears, and so does the one that dismisses all if this was the last file.
        focus(if has_element("files") { "files" } else { "back" });
        on_change.emit(Change::RejectedRemoved(key.clone()));
    });
    html! {
        <>
            { " " }
            <button
                class="remove-copy" type="button" {onclick}
                aria-label={tr!(language, "results.remove-copy-of", name = name)}
            >
                { tr!(language, "results.remove-copy") }
            </button>
        </>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::material::Finding;

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::views::results::detail::Detail;
    use crate::views::results::entry::{Entry, LINKED, read_document};
    use crate::views::results::open::absent;
    use crate::words::plain;
    use crate::worker::{FileAccessError, FileError};

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");

    /// Returns the texts about rejected files, which are given with their names and contents.
    fn rejection_texts(language: Language, files: &[(&str, String)]) -> String {
        let rejection = |(name, text): &(&str, String)| {
            Entry::of_file((*name).into(), read_document(text)).err()
        };
        let rejected: Vec<_> = files.iter().filter_map(rejection).collect();
        assert_eq!(rejected.len(), files.len());
        texts(&rendered(language, rejections(language, &rejected, &Callback::noop())))
    }

    #[test]
    fn lists_damaged_files_with_their_reason() {
        let later = EIGHT.replacen("\"version\": 1", "\"version\": 7", 1);
        let number = EIGHT.replacen("\"total\": \"16\"", "\"total\": 16", 1);
        for (name, text, english, japanese) in [
            ("truncated.json", EIGHT[..200].to_owned(), "truncated", "途中で"),
            ("empty.json", String::new(), "empty", "空"),
            ("picture.json", "\u{fffd}PNG".to_owned(), "not valid JSON", "JSON"),
            ("other.json", "{\"a\": 1}".to_owned(), "not a result of queens", "queens の結果"),
            ("later.json", later, "version: unsupported version 7", "7"),
            (
                "large.json",
                EIGHT.replace("\"n\": 8", "\"n\": 99"),
                "n: 99 is out of range",
                "99 は範囲外です",
            ),
            ("task.json", number, "tasks[6].total", "tasks[6].total"),
        ] {
            for (language, reason) in [(Language::English, english), (Language::Japanese, japanese)]
            {
                let text = rejection_texts(language, &[(name, text.clone())]);
                let (_, text) = text.split_once(name).unwrap();
                assert!(text.contains(reason), "{name}: {text}");
            }
        }
    }

    #[test]
    fn a_damaged_link_is_named_in_the_pages_language() {
        for (language, name, sentence) in [
            (Language::English, "link", "The link may be incomplete"),
            (Language::Japanese, "リンク", "リンクが途中で切れている"),
        ] {
            let text = rejection_texts(language, &[(LINKED, EIGHT[..200].to_owned())]);
            assert!(text.contains(name) && !text.contains(LINKED), "{text}");
            assert!(absent(language, LINKED).contains(sentence));
            assert!(!absent(language, "aa").contains(sentence));
        }
    }

    #[test]
    fn a_damaged_copy_has_a_button_that_removes_it() {
        let damaged = || FileError::Access(FileAccessError::Damaged);
        let file = |name: &str, why| RejectedDocument { name: name.to_owned(), why, is_file: true };
        let files = [
            file("a.json", FileError::Stored("key".to_owned(), Box::new(damaged()))),
            // A file that the user has just opened is not stored.
            file("b.json", FileError::Unreadable),
        ];
        for (language, sentence, name) in [
            (Language::English, "is damaged", "Remove a.json from this browser"),
            (Language::Japanese, "壊れています", "a.json をこのブラウザーから削除"),
        ] {
            let html = rendered(language, rejections(language, &files, &Callback::noop()));
            assert!(texts(&html).contains(sentence), "{html}");
            let buttons = elements(&html, "remove-copy");
            let names: Vec<_> =
                buttons.iter().filter_map(|button| button.attribute("aria-label")).collect();
            assert_eq!(names, [name]);
        }
    }

    #[test]
    fn lists_and_tables_have_their_findings() {
        for (language, sentence) in [
            (Language::English, "Rows: 2\nWrong: 1 more"),
            (Language::Japanese, "表は 2 行です。\n誤りはほかに 1 個あります。"),
        ] {
            let file = RejectedDocument {
                name: "a".to_owned(),
                why: FileError::Material(vec![Finding::Rows(2), Finding::MoreWrong(1)]),
                is_file: true,
            };
            let html = rendered(language, rejections(language, &[file], &Callback::noop()));
            let said = plain(&texts(&html));
            assert!(said.contains(sentence), "{said}");
            assert!(!html.contains("alert") && html.contains("forget"), "{html}");
        }
        let journal = words::rejection_reason(Language::English, &FileError::Journal);
        assert!(journal.contains("queens resume"), "{journal}");
    }

    #[test]
    fn control_characters_in_names_and_reasons_are_escaped() {
        let method = EIGHT.replacen("\"symmetry\"", "\"\u{202e}x\"", 1);
        let text = rejection_texts(Language::English, &[("\u{202e}a.json", method)]);
        assert!(text.contains("\\u{202e}a.json") && text.contains("\\u{202e}x"), "{text}");
        assert!(!text.contains('\u{202e}'), "{text}");
    }

    #[test]
    fn lists_only_the_latest_rejections() {
        let files: Vec<_> = (0..43).map(|_| ("a.json", String::new())).collect();
        for (language, more) in
            [(Language::English, "and 35 more"), (Language::Japanese, "ほか 35 件")]
        {
            let texts = rejection_texts(language, &files);
            assert_eq!(texts.matches("a.json").count(), MAX_SHOWN_REJECTIONS);
            assert!(texts.contains(more), "{texts}");
        }
    }

    /// A document with one random change, determined by `number`.
    fn mutated(number: usize) -> String {
        let mut bytes = EIGHT.as_bytes().to_vec();
        // A linear congruential generator gives the same changes in every run.
        let mut state = number as u64 + 1;
        let mut below = |limit: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        };
        match number % 4 {
            0 => bytes.truncate(below(EIGHT.len())),
            1 => bytes[below(EIGHT.len())] = b"0123456789-.e\"{}[],: x"[below(22)],
            2 => {
                let (from, length) = (below(EIGHT.len() - 40), below(40));
                bytes.drain(from..from + length);
            }
            _ => {
                let (from, to) = (below(EIGHT.len() - 60), below(EIGHT.len()));
                let piece = bytes[from..from + 60].to_vec();
                bytes.splice(to..to, piece);
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn a_thousand_mutated_documents_are_shown_or_rejected() {
        let (mut accepted, mut rejected) = (vec![], vec![]);
        for number in 0..1000 {
            let name = format!("m-{number}.json");
            match Entry::of_file(name, read_document(&mutated(number))) {
                Ok(entry) => accepted.push(entry),
                Err(rejection) => rejected.push(rejection),
            }
        }
        assert!((20..900).contains(&accepted.len()), "{}", accepted.len());
        for (number, entry) in accepted.into_iter().enumerate() {
            let language = Language::ALL[number % 2];
            let html = rendered(language, html! { <Detail {entry} on_close={Callback::noop()} /> });
            assert!(html.contains("data-testid=\"detail\""), "{html}");
        }
        for part in rejected.chunks(MAX_SHOWN_REJECTIONS) {
            let html =
                rendered(Language::English, rejections(Language::English, part, &Callback::noop()));
            let shown = texts(&html);
            for RejectedDocument { name, .. } in part {
                let (_, reason) = shown.split_once(name.as_str()).unwrap();
                assert!(reason.lines().nth(1).unwrap().len() > 10, "{shown}");
            }
        }
    }
}
