//! Lists of solutions and tables of totals that the user opened, checked by the core.

use queens_core::material::{Boards, Cell, Checker, Material, Totals};

use crate::protocol::Finding;

/// The largest list or table that is checked, in bytes.
pub const LARGEST: usize = 8 << 20;

/// The largest number of faults that are listed.
const MAX_FAULTS: usize = 12;

/// Checks a text. Returns nothing if it has neither a board nor a row of a table.
pub fn findings(text: &str) -> Vec<Finding> {
    let mut checker = Checker::default();
    text.lines().for_each(|line| checker.line(line));
    match checker.finish() {
        Material::Boards(boards) => of_boards(&boards),
        Material::Totals(totals) => of_totals(&totals),
    }
}

fn of_boards(boards: &Boards) -> Vec<Finding> {
    let faults = boards.faults();
    if boards.count() == 0 {
        return vec![];
    }
    let mut findings = vec![Finding::Boards(boards.count())];
    findings.extend(boards.sizes().iter().map(|(&size, found)| {
        let missing = boards.published(size).map(|(total, _)| total - found.solutions());
        let (solutions, classes) = (found.solutions(), found.classes());
        Finding::Solutions { n: size.get(), solutions, classes, missing }
    }));
    findings.extend(faults.first.iter().take(MAX_FAULTS).map(|fault| Finding::WrongBoard {
        number: fault.number,
        line: fault.line as u64,
        is_repeated: fault.error.is_none(),
        text: fault.to_string(),
    }));
    let more = faults.count.saturating_sub(MAX_FAULTS as u64);
    findings.extend((more > 0).then_some(Finding::MoreWrong(more)));
    findings
}

fn of_totals(totals: &Totals) -> Vec<Finding> {
    let mut findings = vec![Finding::Rows(totals.rows() as u64)];
    findings.extend(totals.wrong().into_iter().map(|wrong| Finding::WrongNumber {
        line: wrong.line as u64,
        n: wrong.n,
        is_total: wrong.cell == Cell::Total,
        found: wrong.found.to_string(),
        published: wrong.published,
    }));
    let unpublished: Vec<u64> = totals.unpublished().collect();
    findings.extend((!unpublished.is_empty()).then_some(Finding::Unpublished(unpublished)));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_wrong_boards_and_wrong_numbers() {
        let list = findings("[1, 3, 0, 2]\n[2, 0, 3, 1]\n[1, 3, 0, 2]\n[0, 1, 2, 3]\n");
        let solutions = Finding::Solutions { n: 4, solutions: 2, classes: 1, missing: Some(0) };
        assert_eq!(list[..2], [Finding::Boards(4), solutions]);
        let [
            Finding::WrongBoard { number: Some(3), line: 3, is_repeated: true, .. },
            Finding::WrongBoard { number: Some(4), line: 4, is_repeated: false, text },
        ] = &list[2..]
        else {
            panic!("{list:?}")
        };
        assert!(text.starts_with("board 4 (line 4") && text.contains("attack"), "{text}");
        let wrong = Finding::WrongNumber {
            line: 3,
            n: 9,
            is_total: true,
            found: "353".into(),
            published: 352,
        };
        let table = findings("N: Total Unique\n8: 92 12\n9: 353 46\n");
        assert_eq!(table, [Finding::Rows(2), wrong]);
        let table = findings("n,total\n8,92\n40,7\n");
        assert_eq!(table, [Finding::Rows(2), Finding::Unpublished(vec![40])]);
        assert_eq!(findings("a note about queens"), []);
    }
}
