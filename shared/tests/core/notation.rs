//! Reads and writes the text notation of columns and squares.

use std::collections::BTreeSet;

use proptest::prelude::*;
use queens_core::{
    Placement, Queens, Size, Square,
    notation::{NotationError, columns, decode, fold, queens, square, write_columns, write_queens},
};

use crate::size;

#[test]
fn columns_are_separated_by_commas_spaces_or_both() {
    for text in ["1 3 0 2", "1,3,0,2", " 1, 3,0 2 ", "1、3、0，2", "1\u{3000}3\t0 2,"] {
        assert_eq!(columns(text), Ok(vec![1, 3, 0, 2]), "{text}");
    }
    assert_eq!(columns(" \t"), Ok(vec![]));
    for (text, part) in
        [("1 x 2", "x"), ("1,-3", "-3"), ("1:3", "1:3"), ("4294967296", "4294967296")]
    {
        let error = columns(text).unwrap_err();
        assert_eq!(error.part(), part);
        assert!(error.to_string().starts_with(&format!("\"{part}\" is not a column")));
    }
}

#[test]
fn decodes_utf_8_and_utf_16() {
    let list = "1 3 0 2\n";
    let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
    for (bytes, expected) in [
        (list.as_bytes().to_vec(), Some(list)),
        (format!("\u{feff}{list}").into_bytes(), Some(list)),
        (little(list), Some(list)),
        (big(list), Some(list)),
        (little(&format!("\u{feff}{list}")), Some(list)),
        (big(&format!("\u{feff}{list}")), Some(list)),
        (little("\u{feff}q = ♛ 𝒬"), Some("q = ♛ 𝒬")),
        ("１ ３ ０ ２".as_bytes().to_vec(), Some("１ ３ ０ ２")),
        (vec![], Some("")),
        (vec![0xff, 0xfe], Some("")),
        // Both an 8 with a zero byte in UTF-8 and an 8 in UTF-16.
        (b"8\0".to_vec(), Some("8")),
        (b"\0\0".to_vec(), Some("\0\0")),
        // Without a mark, two bytes of Japanese text in UTF-16 look like any others.
        (little("盤"), None),
        // Half a character, half of a pair, Latin-1, Shift-JIS, and UTF-32 in the order of its mark.
        (little(list)[..5].to_vec(), None),
        (vec![0xff, 0xfe, 0x3d, 0xd8], None),
        (b"1 3 0 2 caf\xe9".to_vec(), None),
        (b"\x94\xd5".to_vec(), None),
        (vec![0, 0, 0xfe, 0xff], None),
    ] {
        assert_eq!(decode(&bytes).as_deref(), expected, "{bytes:x?}");
    }
}

#[test]
fn parses_queens_as_distinct_squares_of_the_board() {
    let expected = [(0, 0), (1, 4)].map(|(row, column)| Square::from_left(size(8), row, column));
    let expected = Queens::new(size(8), expected.map(Result::unwrap));
    for text in ["0:0,1:4", " 1 : 4 , 0:0", "0:0、1:4", "0:0，1:4,", ",0:0,,1:4", "a8 e7"] {
        assert_eq!(queens(size(8), text).ok(), expected.ok(), "{text}");
    }
    assert_eq!(queens(size(8), " "), Ok(Queens::none(size(8))));
    for (text, sentence) in [
        ("0:0,04", "\"04\" is not a square"),
        ("0:-1", "\"0:-1\" is not a square"),
        ("0:0,8:1", "8:1 is outside the board for N = 8: rows and columns run from 0 to 7"),
        ("1:9", "1:9 is outside"),
        ("3:1,3:1", "3:1 is given twice"),
        ("1 3 0 2", "the board has 4 rows, but N is 8"),
    ] {
        let error = queens(size(8), text).unwrap_err();
        assert!(error.to_string().starts_with(sentence), "{error}");
        assert!(text.contains(&error.part()), "{error}");
    }
}

#[test]
fn names_the_row_of_an_empty_column() {
    for (text, row) in [("1,3,,0", 2), ("1 3, ,0", 2), (",1 3 0 2", 0), ("1 3 0 2,,", 4)] {
        assert_eq!(columns(text), Err(NotationError::EmptyColumn { row }), "{text}");
    }
}

#[test]
fn placements_round_trip_as_text() {
    let placement = Placement::from_left(&[1, 3, 0, 2]).unwrap();
    for text in [&placement.to_string(), "1,3,0,2", " 1, 3,0 2 ", "1、3，0,2,"] {
        assert_eq!(text.parse(), Ok(placement), "{text}");
    }
    let no_column = "1 x 0 2".parse::<Placement>().unwrap_err();
    assert!(matches!(no_column, NotationError::NoColumn(_)), "{no_column:?}");
    for text in ["", "1 3 0 3", "1 4 0 2", &"0 ".repeat(40)] {
        let error = text.parse::<Placement>().unwrap_err();
        let NotationError::Placement(same) = &error else { panic!("{error:?}") };
        assert_eq!(Err(*same), Placement::from_left(&columns(text).unwrap()));
        assert_eq!(error.to_string(), same.to_string());
    }
}

#[test]
fn squares_round_trip_as_text() {
    for size in Size::all() {
        for shown in Square::all(size) {
            assert_eq!(square(size, &shown.to_string()), Ok(shown));
        }
    }
    assert_eq!(square(size(8), " 1 : 4 "), square(size(8), "1:4"));
    for text in ["", "1", "1:", "1:4,", "0:8"] {
        assert_eq!(square(size(8), text).unwrap_err().part(), text);
    }
}

proptest! {
    #[test]
    fn columns_round_trip_as_text(given in prop::collection::vec(any::<u32>(), 0..40)) {
        prop_assert_eq!(columns(&write_columns(given.iter().copied())), Ok(given));
    }

    #[test]
    fn queens_round_trip_as_text(
        (n, given) in (1..=32_u32)
            .prop_flat_map(|n| (Just(n), prop::collection::btree_set((0..n, 0..n), 0..40))),
    ) {
        let squares: BTreeSet<_> = given
            .iter()
            .map(|&(row, column)| Square::from_left(size(n), row, column).unwrap())
            .collect();
        let board = Queens::new(size(n), squares).unwrap();
        let text = write_queens(&board);
        prop_assert_eq!(queens(size(n), &text), Ok(board));
        let plain: Vec<_> = given.iter().map(|(r, c)| format!("{r}:{c}")).collect();
        prop_assert_eq!(text, plain.join(","));
    }

    #[test]
    fn errors_quote_the_text_and_parsed_queens_round_trip(text: String, n in 1..=32_u32) {
        if let Err(error) = columns(&text) {
            prop_assert!(fold(&text).contains(&error.part()));
        }
        if let Ok(board) = queens(size(n), &text) {
            prop_assert_eq!(queens(size(n), &write_queens(&board)), Ok(board));
        }
    }
}
