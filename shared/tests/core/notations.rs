//! Reads boards in the notations that people use.

use proptest::prelude::*;
use queens_core::notation::{Found, Notation, Reader, board, read};

/// The boards of a text as columns, the notation, ignored lines and errors, separated by `; `.
fn summary(text: &str) -> String {
    let describe = |found| match found {
        Found::Board(board) => {
            let kind = match board.notation {
                Notation::Columns { first } => format!("from {first}"),
                other => format!("{other:?}").to_lowercase(),
            };
            match board.placement() {
                Ok(placement) => format!("{placement} {kind}"),
                Err(error) => format!("{error} {kind}"),
            }
        }
        Found::Ignored(ignored) => format!("line {} ignored", ignored.line),
        Found::Wrong { line, error } => format!("line {line}: {error}"),
    };
    read(text).map(describe).collect::<Vec<_>>().join("; ")
}

/// Compares the summaries of the cases in `notations.txt`.
#[test]
fn reads_boards_in_all_notations() {
    let (mut text, mut cases) = (String::new(), 0);
    for line in include_str!("notations.txt").lines() {
        let Some(expected) = line.strip_prefix("=> ") else {
            // Between cases there are headings and empty lines.
            if !text.is_empty() || !line.is_empty() && !line.starts_with('#') {
                text +=
                    &(line.replace("\\t", "\t").replace("\\r", "\r").replace("\\s", " ") + "\n");
            }
            continue;
        };
        let found = summary(text.trim_end_matches('\n'));
        match expected.strip_suffix('…') {
            Some(start) => assert!(found.starts_with(start), "{text}{found}"),
            None => assert_eq!(found, expected, "{text}"),
        }
        text.clear();
        cases += 1;
    }
    assert!(cases > 100, "{cases}");
}

#[test]
fn several_boards_are_not_one() {
    assert_eq!(
        board("1 3 0 2\n2 0 3 1").unwrap_err().to_string(),
        "2 boards were given: expected one"
    );
    assert_eq!(board(" \n"), Ok((None, vec![])));
    let (with_note, ignored) = board("note\n1 3 0 2\n").unwrap();
    assert_eq!((with_note.unwrap().line, ignored[0].line, &*ignored[0].text), (2, 1, "note"));
    assert!(Reader::default().finish().is_empty());
}

proptest! {
    #[test]
    fn any_text_is_read_and_its_solutions_again(text in "[Q.|+\\-0-4 :,;=/ab'\"(\\[{}\\])\n]{0,40}") {
        for found in read(&text) {
            let Found::Board(board) = found else { continue };
            let Ok(placement) = board.placement() else { continue };
            let drawn = format!("{placement:#?}");
            let (_, drawn) = drawn.split_once('\n').unwrap();
            for printed in [&placement.to_string(), drawn] {
                prop_assert_eq!(printed.parse(), Ok(placement));
            }
        }
    }
}
