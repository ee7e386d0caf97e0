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

/// Compares summaries with expected ones, of which a `…` leaves out the end.
fn check(table: &[(&str, &str)]) {
    let wrong: Vec<_> = table
        .iter()
        .filter(|(text, expected)| match expected.strip_suffix('…') {
            Some(start) => !summary(text).starts_with(start),
            None => summary(text) != *expected,
        })
        .map(|(text, expected)| format!("{text:?}\n  {}\n  expected {expected}", summary(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn reads_lists_of_columns() {
    const BOTH: &str = "1 3 0 2 from 0; 2 0 3 1 from 0";
    check(&[
        ("1 3 0 2", "1 3 0 2 from 0"),
        ("2,4,1,3", "1 3 0 2 from 1"),
        ("[1, 3, 0, 2]", "1 3 0 2 from 0"),
        ("{2;4;1;3}", "1 3 0 2 from 1"),
        ("(1 3 0 2)", "1 3 0 2 from 0"),
        ("q = [1, 3, 0, 2]", "1 3 0 2 from 0"),
        ("Solution 1: 1 3 0 2\nSolution 2: 2 0 3 1", BOTH),
        ("1. 1 3 0 2\n2. 2 0 3 1", BOTH),
        ("array([1, 3, 0, 2])", "1 3 0 2 from 0"),
        ("[[1, 3, 0, 2], [2, 0, 3, 1]]", BOTH),
        ("[1,3,0,2] [2,0,3,1]", BOTH),
        ("[\n  [1, 3,\n   0, 2],\n  [2, 0, 3, 1]\n]\n", BOTH),
        ("1,3,0,2; 2,0,3,1", BOTH),
        ("1 3 0 2   2 0 3 1", BOTH),
        ("0", "0 from 0"),
        ("1", "0 drawing"),
        (
            "{\"class\": 2, \"columns\": [1, 3, 0, 2], \"images\": [{\"columns\": [2, 0, 3, 1]}]}",
            "1 3 0 2 from 0",
        ),
        (
            "{\n\"queens\": [[0, 1]],\n\"solutions\": [[1, 3, 0, 2], [2, 0, 3, 1]],\n\"total\": \"2\"\n}",
            BOTH,
        ),
        ("class,columns,value,step\n2,1 3 0 2,2 0 3 1,7", "line 1 ignored; 1 3 0 2 from 0"),
        // Wrong, and ambiguous.
        ("0 0 0 0", "the queens in rows 0 and 1 attack each other…"),
        ("1 4 0 2", "the queen in row 1 is outside the board: column 4…"),
        ("1 3 0 3", "the queens in rows 1 and 3 attack each other: they share a column from 0"),
        ("1 3 x 2", "line 1: \"x\" is not a column…"),
        ("1,3,,2", "line 1: the column of row 2 is empty…"),
        ("1 3 -1 2", "line 1: \"-1\" is not a column…"),
        ("[1, 3, 0, 2", "line 1: a bracket of the list is not closed"),
        ("1,4;2,3", "line 1: \"1,4;2,3\" has two meanings…"),
        (
            "s = 10\n92 solutions (all of them\n1 3 0 2",
            "line 1 ignored; line 2 ignored; 1 3 0 2 from 0",
        ),
    ]);
}

#[test]
fn reads_columns_as_digits() {
    check(&[
        ("1302", "1 3 0 2 from 0"),
        ("2413", "1 3 0 2 from 1"),
        ("15863724", "0 4 7 5 2 6 1 3 from 1"),
        ("04752613", "0 4 7 5 2 6 1 3 from 0"),
        ("1302\n2031", "1 3 0 2 from 0; 2 0 3 1 from 0"),
        ("1302 2031", "1 3 0 2 from 0; 2 0 3 1 from 0"),
        ("[\"1302\", \"2031\"]", "1 3 0 2 from 0; 2 0 3 1 from 0"),
        ("q = 1302", "1 3 0 2 from 0"),
        ("１３０２", "1 3 0 2 from 0"),
        ("1303", "the queens in rows 1 and 3 attack each other…"),
        ("2680", "line 1 ignored"),
        ("2279184", "line 1 ignored"),
        ("92", "line 1 ignored"),
        ("1302x", "line 1 ignored"),
    ]);
}

#[test]
fn reads_squares() {
    const FOUR: &str = "1 3 0 2 squares";
    check(&[
        ("0:1,1:3,2:0,3:2", FOUR),
        ("3:2 0:1 2:0 1:3", FOUR),
        ("0 : 1, 1 : 3, 2 : 0, 3 : 2", FOUR),
        ("(0, 1), (1, 3), (2, 0), (3, 2)", FOUR),
        ("[[0, 1], [1, 3], [2, 0], [3, 2]]", FOUR),
        ("{(0, 1); (1, 3); (2, 0); (3, 2)}", FOUR),
        ("queens: [(0, 1), (1, 3), (2, 0), (3, 2)]", FOUR),
        ("0:1\n1:3\n2:0\n3:2", FOUR),
        (
            "(0,1)\n(1,3)\n(2,0)\n(3,2)\n\n(0,2)\n(1,0)\n(2,3)\n(3,1)",
            "1 3 0 2 squares; 2 0 3 1 squares",
        ),
        ("0：1、1：3、2：0、3：2", FOUR),
        ("0:1,1:3,2:0", "1:3 is outside the board for N = 3…"),
        ("0:1,1:3,2:0,4:2", "4:2 is outside the board for N = 4…"),
        ("0:1,1:3,2:0,2:0", "2:0 is given twice…"),
        ("0:1,1:3,2:0,2:2", "row 2 does not hold exactly one queen…"),
        ("0:1,1:3,2:x,3:2", "line 1: \"2:x\" is not a square…"),
        ("12:30 lunch", "line 1 ignored"),
    ]);
}

#[test]
fn reads_algebraic_squares() {
    const FOUR: &str = "1 3 0 2 algebraic";
    check(&[
        ("b4 d3 a2 c1", FOUR),
        ("c1, a2, d3, b4", FOUR),
        ("Qb4 Qd3 Qa2 Qc1", FOUR),
        ("[b4, d3, a2, c1]", FOUR),
        ("queens: b4; d3; a2; c1", FOUR),
        ("b4　d3　a2　c1", FOUR),
        ("a1", "0 algebraic"),
        ("b4 d3 a2 c1\nc4 a3 d2 b1", "1 3 0 2 algebraic; 2 0 3 1 algebraic"),
        ("a10 c9 f8 h7 j6 e5 i4 b3 d2 g1", "0 2 5 7 9 4 8 1 3 6 algebraic"),
        ("b5 d3 a2 c1", "\"b5\" is not a square…"),
        ("b0 d3 a2 c1", "4:1 is outside the board…"),
        ("e4 d3 a2 c1", "0:4 is outside the board…"),
        ("b4 b4 a2 c1", "0:1 is given twice…"),
        ("b4 d3 a2 cc", "line 1: \"cc\" is not a square…"),
        ("see b4 in the book", "line 1 ignored"),
    ]);
}

#[test]
fn reads_rows_of_fen() {
    check(&[
        ("1Q2/3Q/Q3/2Q1", "1 3 0 2 fen"),
        ("1q2/3q/q3/2q1", "1 3 0 2 fen"),
        ("1Q2/3Q/Q3/2Q1 w - - 0 1", "1 3 0 2 fen"),
        ("FEN: 1Q2/3Q/Q3/2Q1", "1 3 0 2 fen"),
        ("1Q11/3Q/Q3/2Q1", "line 1: row 0 has 13 squares instead of 4"),
        ("Q", "0 drawing"),
        ("Q7/4Q3/7Q/5Q2/2Q5/6Q1/1Q6/3Q4", "0 4 7 5 2 6 1 3 fen"),
        ("Q9/2Q7/5Q4/7Q2/9Q/4Q5/8Q1/1Q8/3Q6/6Q3", "0 2 5 7 9 4 8 1 3 6 fen"),
        ("1Q2/3Q/Q3", "line 1: row 0 has 4 squares instead of 3"),
        ("1Q2/3Q/Q3/3Q1", "line 1: row 3 has 5 squares instead of 4"),
        ("1Q2/3Q/Q3/3Q", "the queens in rows 1 and 3 attack each other…"),
        ("1Q2/QQQ1/Q3/2Q1", "row 1 does not hold exactly one queen…"),
        ("99999999999999999999Q/Q", "line 1: row 0 has…"),
        ("30/11/2026", "line 1 ignored"),
    ]);
}

#[test]
fn reads_drawings() {
    const FOUR: &str = "1 3 0 2 drawing";
    check(&[
        (".Q..\n...Q\nQ...\n..Q.", FOUR),
        (". q . .\n. . . q\nq . . .\n. . q .", FOUR),
        ("_*__\n___*\n*___\n__*_", FOUR),
        ("- X - -\r\n- - - X\r\nX - - -\r\n- - X -\r\n", FOUR),
        ("0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0", FOUR),
        ("0100\n0001\n1000\n0010", FOUR),
        ("+Q++\n+++Q\nQ+++\n++Q+", FOUR),
        ("．♛．．\n．．．♛\n♛．．．\n．．♛．", FOUR),
        ("\t.\tQ\t.\t.\n\t.\t.\t.\tQ\n\tQ\t.\t.\t.\n\t.\t.\tQ\t.", FOUR),
        (
            "+-+-+-+-+\n| |Q| | |\n+-+-+-+-+\n| | | |Q|\n+-+-+-+-+\n|Q| | | |\n+-+-+-+-+\n| | |Q| |\n+-+-+-+-+",
            FOUR,
        ),
        (
            "┌───┬───┬───┬───┐\n│   │ ♕ │   │   │\n├───┼───┼───┼───┤\n│   │   │   │ ♕ │\n├───┼───┼───┼───┤\n│ ♕ │   │   │   │\n├───┼───┼───┼───┤\n│   │   │ ♕ │   │\n└───┴───┴───┴───┘",
            FOUR,
        ),
        ("| |Q| | |\n| | | |Q|\n|Q| | | |\n| | |Q| |", FOUR),
        (" |Q| | \n-+-+-+-\n | | |Q\n-+-+-+-\nQ| | | \n-+-+-+-\n | |Q| ", FOUR),
        ("+----+\n| Q  |\n|   Q|\n|Q   |\n|  Q |\n+----+", FOUR),
        ("+---------+\n| . Q . . |\n| . . . Q |\n| Q . . . |\n| . . Q . |\n+---------+", FOUR),
        (". Q . .\n  . . . Q\n Q . . .\n. . Q .", FOUR),
        ("[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"]", FOUR),
        (
            "[['.', 'Q', '.', '.'],\n ['.', '.', '.', 'Q'],\n ['Q', '.', '.', '.'],\n ['.', '.', 'Q', '.']]",
            FOUR,
        ),
        ("[[0 1 0 0]\n [0 0 0 1]\n [1 0 0 0]\n [0 0 1 0]]", FOUR),
        (
            "Board 1, class of 2, columns from the left: 1 3 0 2\n+-+-+-+-+\n| |Q| | |\n+-+-+-+-+\n| | | |Q|\n+-+-+-+-+\n|Q| | | |\n+-+-+-+-+\n| | |Q| |\n+-+-+-+-+\n",
            "1 3 0 2 from 0",
        ),
        // Wrong, and ambiguous.
        (".Q..\n...Q\nQ..\n..Q.", "line 1: row 2 has 3 squares instead of 4"),
        (".Q..\n...Q\nQ...", "line 1: 3 rows of 4 squares are not a board…"),
        (".Q..\n....\nQ...\n..Q.", "row 1 does not hold exactly one queen drawing"),
        (
            ".Q..\n.Q..\nQ...\n..Q.",
            "the queens in rows 0 and 1 attack each other: they share a column drawing",
        ),
        ("*Q**\n***Q\nQ***\n**Q*", "line 1: \"*Q**\" has two meanings (* Q)…"),
        ("....\n....", "line 1 ignored; line 2 ignored"),
        ("-----\n1 3 0 2", "1 3 0 2 from 0"),
    ]);
}

#[test]
fn reads_several_drawings() {
    const BOTH: &str = "1 3 0 2 drawing; 2 0 3 1 drawing";
    check(&[
        (".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..", BOTH),
        (".Q..\n...Q\nQ...\n..Q.\n..Q.\nQ...\n...Q\n.Q..", BOTH),
        (
            "1:\n.Q..\n...Q\nQ...\n..Q.\n2:\n..Q.\nQ...\n...Q\n.Q..",
            "line 1 ignored; 1 3 0 2 drawing; line 6 ignored; 2 0 3 1 drawing",
        ),
        (".Q.. ..Q.\n...Q Q...\nQ... ...Q\n..Q. .Q..", BOTH),
        (". Q . .   . . Q .\n. . . Q   Q . . .\nQ . . .   . . . Q\n. . Q .   . Q . .", BOTH),
        (
            "| |Q| | |   | | |Q| |\n| | | |Q|   |Q| | | |\n|Q| | | |   | | | |Q|\n| | |Q| |   | |Q| | |",
            BOTH,
        ),
        (
            "+-+-+-+-+   +-+-+-+-+\n| |Q| | |   | | |Q| |\n+-+-+-+-+   +-+-+-+-+\n| | | |Q|   |Q| | | |\n+-+-+-+-+   +-+-+-+-+\n|Q| | | |   | | | |Q|\n+-+-+-+-+   +-+-+-+-+\n| | |Q| |   | |Q| | |\n+-+-+-+-+   +-+-+-+-+",
            BOTH,
        ),
        (".Q..\n...Q\nQ...\n..Q.\n====\n..Q.\nQ...\n...Q\n.Q..", BOTH),
        (".Q..\n...Q\nQ...\n..Q.\n----\n..Q.\nQ...\n...Q\n.Q..", BOTH),
        ("[[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"],[\"..Q.\",\"Q...\",\"...Q\",\".Q..\"]]", BOTH),
        (
            ".Q.. ..Q.\n...Q Q...\nQ... ...Q\n..Q. .Q..\n.Q.. ..Q.\n...Q Q...\nQ... ...Q\n..Q. .Q..",
            "1 3 0 2 drawing; 2 0 3 1 drawing; 1 3 0 2 drawing; 2 0 3 1 drawing",
        ),
        (".Q.. ..Q.\n...Q Q...\nQ... ...\n..Q. .Q..", "line 1: row 2 has 7 squares instead of 8"),
        (
            ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q",
            "1 3 0 2 drawing; line 6: 3 rows of 4 squares…",
        ),
    ]);
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
