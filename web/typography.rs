//! No-break spaces in the page's Japanese texts.
//!
//! Japanese lines may end at any space, so that a number is parted from its counter and a formula
//! from its end. The texts in web/locales and web/text have plain spaces; the build replaces those
//! at which no line may end, once for all readers.

/// U+00A0.
const NO_BREAK: char = '\u{a0}';

/// Words that belong to the number or the capital behind them.
const BEFORE_A_NUMBER: [&str; 10] =
    ["行", "列", "ビット", "解法", "規則", "レッスン", "要素数", "ステップ", "マス", "枝"];

/// The signs of formulas.
const OPERATORS: &str = "=+−·×÷/|&";

/// The most letters of a formula that fit on a line of a tooltip at 320 px.
const LONGEST_FORMULA: usize = 30;

/// Replaces the spaces of a Japanese text at which no line may end: between a number or a name and
/// the Japanese behind it, between a noun and its number and, if it `keeps_formulas` whole, around
/// the signs of formulas. A gap `%{name}` counts as a number.
pub fn no_break(text: &str, keeps_formulas: bool) -> String {
    let mut joined = String::with_capacity(text.len() + text.len() / 16);
    let mut rest = text.chars().peekable();
    while let Some(sign) = rest.next() {
        let behind = rest.peek().copied();
        let holds = sign == ' '
            && joined.chars().next_back().zip(behind).is_some_and(|(before, behind)| {
                let is_value = |sign: char| !sign.is_whitespace() && !is_japanese(sign);
                let is_number = behind.is_ascii_digit() || behind.is_ascii_uppercase();
                let is_noun = || BEFORE_A_NUMBER.iter().any(|noun| joined.ends_with(noun));
                let has_operator = [before, behind].iter().any(|&sign| OPERATORS.contains(sign));
                is_value(before) && is_letter(behind)
                    || (is_number || "%`".contains(behind)) && is_noun()
                    || keeps_formulas && has_operator && is_value(before) && is_value(behind)
            });
        joined.push(if holds { NO_BREAK } else { sign });
    }
    long_formulas_parted(&joined)
}

/// Lets lines end before the operators of formulas that would not fit into a narrow column.
fn long_formulas_parted(text: &str) -> String {
    let ends = |sign: char| sign == ' ' || is_japanese(sign);
    let parts = text.split_inclusive(ends).map(|part| {
        let formula = part.trim_end_matches(|sign| ends(sign) || sign == NO_BREAK);
        if formula.chars().count() <= LONGEST_FORMULA {
            return part.to_owned();
        }
        let (formula, rest) = part.split_at(formula.len());
        let parted = OPERATORS.chars().fold(formula.to_owned(), |formula, operator| {
            formula.replace(&format!("{NO_BREAK}{operator}"), &format!(" {operator}"))
        });
        parted + rest
    });
    parts.collect()
}

/// Kana, kanji and the signs of Japanese sentences.
fn is_japanese(sign: char) -> bool {
    matches!(sign, '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ff01}'..='\u{ff60}')
}

/// Kana and kanji.
fn is_letter(sign: char) -> bool {
    is_japanese(sign) && matches!(sign, '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With the no-break spaces as `~`.
    fn joined(text: &str) -> String {
        no_break(text, true).replace(NO_BREAK, "~")
    }

    #[test]
    fn numbers_and_names_stay_with_what_follows_them() {
        assert_eq!(joined("12 個だけ、90° でも、GPU に配る"), "12~個だけ、90°~でも、GPU~に配る");
        assert_eq!(
            joined("8⁸ 通り、`MASK` を使う、3! と書く"),
            "8⁸~通り、`MASK`~を使う、3!~と書く"
        );
        assert_eq!(joined("%{left} マスです。%{left} 、"), "%{left}~マスです。%{left} 、");
        assert_eq!(joined("解 です、0 1 2"), "解 です、0 1 2");
    }

    #[test]
    fn nouns_stay_with_their_numbers() {
        assert_eq!(joined("行 %{row}・列 3（ビット 0）"), "行~%{row}・列~3（ビット~0）");
        assert_eq!(
            joined("レッスン 5 の規則 X と行 `BOUND1`"),
            "レッスン~5~の規則~X~と行~`BOUND1`"
        );
        assert_eq!(joined("クイーン 8 個、解 a"), "クイーン 8~個、解 a");
    }

    #[test]
    fn formulas_stay_whole_unless_there_is_no_room() {
        let formula = "MASK & !(left | down)、N = %{n}";
        assert_eq!(joined(formula), "MASK~&~!(left~|~down)、N~=~%{n}");
        assert_eq!(joined("解 = 像、(Q + H) / 8"), "解 =~像、(Q~+~H)~/~8");
        assert_eq!(no_break(formula, false), formula);
        assert_eq!(no_break("N = 5 の解", false), "N = 5\u{a0}の解");
        assert_eq!(
            joined("合計は Total = 2·COUNT2 + 4·COUNT4 + 8·COUNT8 です"),
            "合計は Total =~2·COUNT2 +~4·COUNT4 +~8·COUNT8~です"
        );
    }
}
