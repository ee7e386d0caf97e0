//! The punctuation of the page's Japanese texts.

/// The no-break space.
const NO_BREAK: char = '\u{a0}';

/// Checks the punctuation of a Japanese text. Japanese sentences use 、。： （）; ASCII punctuation
/// belongs to code, numbers and formulas. Returns a description of the fault, or `None` if the text is
/// correct or not Japanese.
pub fn fault(text: &str) -> Option<String> {
    let text = without_code(&text.replace(NO_BREAK, " "));
    if !text.contains(is_japanese) {
        return None;
    }
    let characters: Vec<char> = text.chars().collect();
    let wrong = (0..characters.len()).find(|&at| match characters[at] {
        ',' | ':' | ';' | '.' => {
            // Inside a number or a name, such as 1,234 or 0:4 or count.json, neither neighbour is
            // white space.
            let is_within = |character: Option<&char>| {
                character.is_some_and(|&character| !character.is_whitespace())
            };
            let before = at.checked_sub(1).and_then(|before| characters.get(before));
            let after = characters.get(at + 1);
            let beside =
                [before, after].into_iter().flatten().any(|&character| is_japanese(character));
            beside || !is_within(before) || !is_within(after)
        }
        '(' => !characters[at..]
            .iter()
            .position(|&character| character == ')')
            .is_some_and(|length| is_formula(&characters[at + 1..at + length])),
        ')' => !characters[..at]
            .iter()
            .rposition(|&character| character == '(')
            .is_some_and(|open| is_formula(&characters[open + 1..at])),
        // An index follows a name: tasks[0].
        '[' => !at.checked_sub(1).is_some_and(|before| characters[before].is_ascii_alphanumeric()),
        _ => false,
    })?;
    let around = &characters[wrong.saturating_sub(12)..(wrong + 12).min(characters.len())];
    let around: String = around.iter().collect();
    Some(format!("{:?} in “{around}”", characters[wrong]))
}

/// Replaces code in backticks and placeholders, `%{name}`, with `x`.
fn without_code(text: &str) -> String {
    let code = text.split('`').enumerate();
    let text: String = code.map(|(at, part)| if at % 2 == 0 { part } else { "x" }).collect();
    let mut parts = text.split("%{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "x" + part.split_once('}').map_or("", |(_, rest)| rest))
}

/// Kana, kanji and Japanese punctuation.
fn is_japanese(character: char) -> bool {
    matches!(character, '\u{3001}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ff01}'..='\u{ff5e}')
}

/// Whether the text in brackets is a formula, which has an operator between two values.
fn is_formula(inside: &[char]) -> bool {
    let is_value = |character: char| !is_japanese(character) && !character.is_whitespace();
    let has_operator = inside.windows(5).any(|window| {
        let &[left, ' ', character, ' ', right] = window else { return false };
        is_value(left) && "+−-·/=|&×÷".contains(character) && is_value(right)
    });
    has_operator && !inside.iter().any(|&character| is_japanese(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_ascii_punctuation_only_in_code_and_numbers() {
        for good in [
            "行 1、列 1,234：2.5 倍です。",
            "「1,3,0,2」や 0:4 のように",
            "ユニーク解数 = (Q + H + 2R) / 8。",
            "(Q\u{a0}+\u{a0}H) / 8\u{a0}です。",
            "はじめは MASK & !(left | down | right) から",
            "`f(x), g: h` は count.json の tasks[0].id です",
            "マス A（%{transform}）",
            "No sentence (this): in Japanese.",
        ] {
            assert_eq!(fault(good), None);
        }
        for wrong in [
            "行 0, 列 1",
            "列 0, 1, 5 です",
            "列,行",
            "例: 1 3 0 2",
            "検算:known",
            "A (180°) です",
            "解(半分)",
            "解です.",
            "%{first}, %{next} です",
            "値 [1]",
            "解; 像",
        ] {
            assert!(fault(wrong).is_some(), "{wrong}");
        }
    }
}
