//! Sentences on lists of solutions and tables of totals. The English ones are those of the core, which the command
//! prints, too.

use queens_core::document::harmless;
use queens_core::material::{BoardFault, Cell, Finding, NOTHING, WrongCell};
use queens_core::notation::grouped;

use super::errors::{notation_error, sentence};
use super::language::Language;
use super::tr;

const JA: Language = Language::Japanese;

/// The sentence that says why a file without findings was rejected.
pub fn nothing_found(language: Language) -> String {
    match language {
        Language::English => sentence(NOTHING),
        Language::Japanese => tr!(JA, "material.nothing"),
    }
}

/// A finding in a list of solutions or in a table of totals.
pub fn finding(language: Language, finding: &Finding) -> String {
    harmless(&match language {
        Language::English => format!("{}: {finding}", finding.label()),
        Language::Japanese => in_japanese(finding),
    })
}

fn in_japanese(finding: &Finding) -> String {
    match finding {
        Finding::Boards(boards) => tr!(JA, "material.boards", boards = grouped(*boards)),
        Finding::FirstColumn(first) => tr!(JA, "material.first-column", first = first),
        &Finding::Solutions { n, solutions, classes, published } => {
            let missing = published.map(|total| total.saturating_sub(solutions));
            let key = match missing {
                None => "material.solutions",
                Some(0) => "material.complete",
                Some(_) => "material.missing",
            };
            let [solutions, classes] = [solutions, classes].map(grouped);
            let missing = grouped(missing.unwrap_or_default());
            tr!(JA, key, n = n, solutions = solutions, classes = classes, missing = missing)
        }
        Finding::WrongBoard(fault) => board_fault(fault),
        Finding::MoreWrong(more) => tr!(JA, "material.more-wrong", count = grouped(*more)),
        Finding::Rows(rows) => tr!(JA, "material.rows", rows = grouped(*rows)),
        Finding::OnlyUnique => tr!(JA, "material.only-unique"),
        Finding::Right => tr!(JA, "material.right"),
        Finding::WrongNumber(cell) => wrong_number(cell),
        Finding::Unpublished(all) => {
            let all: Vec<_> = all.iter().map(u64::to_string).collect();
            tr!(JA, "material.unpublished", n = all.join(JA.comma()))
        }
        Finding::Ignored { line, text } => tr!(JA, "material.ignored", line = line, text = text),
        Finding::MoreIgnored(more) => tr!(JA, "material.more-ignored", count = grouped(*more)),
    }
}

fn board_fault(fault: &BoardFault) -> String {
    /// The number of further pairs of attacking queens that are named.
    const PAIRS: usize = 4;
    let line = fault.line;
    let place = match (fault.number.map(grouped), &fault.columns) {
        (None, _) => tr!(JA, "material.line", line = line),
        (Some(board), None) => tr!(JA, "material.board", board = board, line = line),
        (Some(board), Some(columns)) => {
            let columns: Vec<_> = columns.iter().map(u32::to_string).collect();
            let columns = columns.join(" ");
            tr!(JA, "material.board-columns", board = board, line = line, columns = columns)
        }
    };
    let why = match &fault.error {
        Some(error) => notation_error(JA, error),
        None => tr!(JA, "material.repeated"),
    };
    let pair = |&(upper, lower)| tr!(JA, "material.pair", upper = upper, lower = lower);
    let pairs: Vec<String> = fault.attacks.iter().take(PAIRS).map(pair).collect();
    let (count, pairs) = (fault.attacks.len(), pairs.join(JA.comma()));
    let also = match count {
        0 => String::new(),
        1..=PAIRS => tr!(JA, "material.attacks", pairs = pairs),
        _ => tr!(JA, "material.attacks-more", pairs = pairs, count = count),
    };
    [&place, JA.colon(), &why, &also].concat()
}

fn wrong_number(&WrongCell { line, n, cell, found, published }: &WrongCell) -> String {
    let column = tr!(JA, if cell == Cell::Total { "count.total" } else { "count.unique" });
    let published = grouped(published);
    let key = "material.wrong-number";
    tr!(JA, key, line = line, n = n, column = column, found = found, published = published)
}

#[cfg(test)]
mod tests {
    use queens_core::material::Checker;

    use super::*;
    use crate::words::plain;

    #[test]
    fn says_what_the_command_says_and_translates_it() {
        for (text, expected) in [
            (
                "s = 10\n2 4 1 3\n2 4 1 3\n1 2 3 4\n1 3 x 2\n.Q..\n....\nQ...\n..Q.",
                "盤は 4 個です。\n\
                 列は 1 から数えたものとして読み取りました。\n\
                 N = 4：異なる解が 1 個（1 グループ）。あと 1 個足りません。\n\
                 2 番目の盤（3 行目、列 1 3 0 2）：同じ解が前にもあります。\n\
                 3 番目の盤（4 行目、列 0 1 2 3）：行 0 と行 1 のクイーンが同じ斜めにあります。（行は上から 0、1、2、… と数えます。）\
                 ほかに、行 0 と行 2、行 0 と行 3、行 1 と行 2、行 1 と行 3 など 5 組のクイーンも互いの効き筋にあります。\n\
                 誤りはほかに 2 個あります。\n\
                 1 行目は無視しました：「s = 10」",
            ),
            (
                "n,total,unique\n8,92,12\n9,353,46\n40,7,1",
                "表は 3 行です。\n\
                 3 行目、N = 9：全解数が 353 ですが、正しくは 352 です。\n\
                 N = 40 の数は公表されていません。",
            ),
            (
                "8 12\n9 46",
                "表は 2 行です。\nユニーク解数だけの表です。\n公表されている数とすべて一致します。",
            ),
            ("a note", ""),
        ] {
            let mut checker = Checker::default();
            text.lines().for_each(|line| checker.line(line));
            let findings = checker.finish().findings(2);
            let said: Vec<_> = findings.iter().map(|each| plain(&finding(JA, each))).collect();
            assert_eq!(said.join("\n"), expected);
            for each in &findings {
                let command = format!("{}: {each}", each.label());
                assert_eq!(finding(Language::English, each), command);
            }
        }
        assert_eq!(sentence(NOTHING), nothing_found(Language::English));
    }
}
