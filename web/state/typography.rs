//! No-break marks for the page's texts.
//!
//! Browsers may end a line at any space, which can separate a number from its noun or split a formula.
//! Japanese lines may also end inside some words. The files in web/locales and web/text contain
//! plain spaces and unmarked words. The build adds no-break spaces and joiners to them.

/// U+00A0, the space at which no line may end.
const NO_BREAK: char = '\u{a0}';

/// U+2060, which has no width and joins the characters before and after it.
const JOINER: char = '\u{2060}';

/// Nouns in Japanese texts that stay on the line of the number or the name after them.
const BEFORE_A_NUMBER: &[&str] = &[
    "行",
    "列",
    "ビット",
    "解法",
    "規則",
    "レッスン",
    "要素数",
    "ステップ",
    "マス",
    "枝",
    "タスク",
    "シャード",
    "ステータス",
    "分の",
    "約",
    "License",
];

/// Units in Latin letters that stay on the line of the number before them.
const UNITS: &[&str] = &["ms", "µs", "kB", "KB", "MB"];

/// English nouns that stay on the line of the number, the name or the single letter after them.
const ENGLISH_NOUNS: &[&str] = &[
    "row", "rows", "column", "columns", "bit", "bits", "cell", "digit", "image", "lesson",
    "license", "method", "methods", "rule", "square", "step", "steps", "task", "version",
];

/// Words inside which browsers end lines, with `/` at each such place. A `/` at the start joins the word
/// to the one before it.
const WHOLE: &[&str] = &[
    "全解/数",
    "固定部/分群",
    "自分/自身",
    "色/付き",
    "方/法",
    "方/向",
    "バック/グラウンド",
    "バージ/ョン",
    "/その/もの",
    "その/ため",
    "/どうし",
    "枠：/いま",
    "点：/その",
    "以上/なら",
    "一時/停止",
    "いく/つか",
    "た/とえば",
    "まる/ごと",
    "見落と/す",
    "必要と/する",
    "個に/つき",
    "速さで/した",
    "と/して",
    "に/よ",
    "に/ついて",
    "自分で/並べる",
];

/// The operators of formulas.
const OPERATORS: &str = "=+−·×÷/|&";

/// The largest number of characters of a formula that fit on a line in a window 390 px wide.
const LONGEST_FORMULA: usize = 34;

/// Joins the parts of a Japanese text between which no line may end: a number or a name and the
/// Japanese after it, a noun and its number, the columns of a board, a list of numbers, a bracket
/// and the word before it, and the words in [`WHOLE`]. Formulas are joined only if `keeps_formulas`
/// is set. A placeholder `%{name}` counts as a number.
pub fn no_break(text: &str, keeps_formulas: bool) -> String {
    let mut joined = String::with_capacity(text.len() + text.len() / 16);
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let holds = c == ' '
            && joined.chars().next_back().zip(rest.chars().next()).is_some_and(|sides| {
                let (before, after) = sides;
                let is_value = |c: char| !c.is_whitespace() && !is_japanese(c);
                let is_name = after.is_ascii_alphanumeric() || "%`".contains(after);
                let is_noun = || BEFORE_A_NUMBER.iter().any(|noun| joined.ends_with(noun));
                let has_operator = [before, after].iter().any(|&c| OPERATORS.contains(c));
                let are_digits = before.is_ascii_digit() && after.is_ascii_digit();
                is_value(before) && is_letter(after)
                    || is_name && is_noun()
                    || (before == '}' || before.is_ascii_digit()) && starts_with_unit(rest)
                    || are_digits
                    || keeps_formulas && is_noun() && OPERATORS.contains(after)
                    || after_number(rest).is_some_and(|rest| rest.starts_with('）'))
                    || keeps_formulas && is_letter(before) && after == '='
                    || keeps_formulas && has_operator && is_value(before) && is_value(after)
            });
        joined.push(if holds { NO_BREAK } else { c });
    }
    words_joined(&characters_joined(&long_formulas_parted(&joined)))
}

/// Joins the parts of an English text between which no line may end: a noun and its number, the
/// columns of a board and, if `keeps_formulas` is set, the parts of a formula. A placeholder
/// `%{name}` counts as a number.
pub fn no_break_in_english(text: &str, keeps_formulas: bool) -> String {
    let mut joined = String::with_capacity(text.len() + text.len() / 16);
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let holds = c == ' '
            && (are_digits(&joined, rest)
                || keeps_formulas && is_beside_operator(&joined, rest)
                || ends_with_english_noun(&joined) && is_number_or_name(rest));
        joined.push(if holds { NO_BREAK } else { c });
    }
    // Browsers may end a line between a `!` and a bracket.
    long_formulas_parted(&joined).replace("!(", &format!("!{JOINER}("))
}

fn starts_with_unit(text: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic()).next().is_some_and(|word| UNITS.contains(&word))
}

/// Whether a space between these texts stands between two digits.
fn are_digits(before: &str, after: &str) -> bool {
    before.ends_with(|c: char| c.is_ascii_digit())
        && after.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a space between these texts is beside an operator that has another space on its other
/// side. A `·` is an operator only between digits; elsewhere it separates phrases.
fn is_beside_operator(before: &str, after: &str) -> bool {
    let (mut before, mut after) = (before.chars().rev(), after.chars());
    let (Some(left), Some(right)) = (before.next(), after.next()) else { return false };
    let (operator, outside, operands) = if OPERATORS.contains(right) {
        (right, after.next(), [Some(left), after.next()])
    } else {
        (left, before.next(), [before.next(), Some(right)])
    };
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    OPERATORS.contains(operator)
        && outside.is_some_and(char::is_whitespace)
        && left != ','
        && (operator != '·' || operands.into_iter().all(is_digit))
}

fn ends_with_english_noun(text: &str) -> bool {
    let word = text.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    ENGLISH_NOUNS.iter().any(|noun| word.eq_ignore_ascii_case(noun))
}

/// Whether a text begins with a placeholder, a number, a name in capitals or a single letter except
/// `a`.
fn is_number_or_name(text: &str) -> bool {
    let name = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let is_letter = name.len() == 1 && name != "a";
    let is_in_capitals = name.len() > 1 && !name.contains(|c: char| c.is_ascii_lowercase());
    text.starts_with("%{") || is_letter || is_in_capitals
}

/// Returns the text after the number that `text` begins with, or `None` if it begins with no
/// number.
fn after_number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < text.len()).then_some(rest)
}

/// Lets lines end before the operators of formulas too long for a narrow column: only before the
/// equals signs if that makes all parts fit, else before the operators outside brackets. No line ends
/// before the equals sign that follows a name.
fn long_formulas_parted(text: &str) -> String {
    let ends = |c: char| c == ' ' || is_japanese(c);
    let fits = |formula: &str| formula.chars().count() <= LONGEST_FORMULA;
    let parts = text.split_inclusive(ends).map(|part| {
        let formula = part.trim_end_matches(|c| ends(c) || c == NO_BREAK);
        if fits(formula) {
            return part.to_owned();
        }
        let (formula, rest) = part.split_at(formula.len());
        let after_name = formula.find(NO_BREAK).map(|at| at + NO_BREAK.len_utf8());
        let tail_start = after_name.filter(|&at| formula[at..].starts_with('='));
        let (name, tail) = formula.split_at(tail_start.unwrap_or(0));
        let parted = |operators: &str| name.to_owned() + &parted_outside_brackets(tail, operators);
        let at_equals = parted("=");
        let is_enough = at_equals.split(' ').all(fits);
        (if is_enough { at_equals } else { parted(OPERATORS) }) + rest
    });
    parts.collect()
}

/// Replaces the no-break space before each of these operators outside brackets with a plain one.
fn parted_outside_brackets(formula: &str, operators: &str) -> String {
    let mut depth = 0_i32;
    let parted = formula.char_indices().map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        let is_before_operator =
            formula[at + c.len_utf8()..].starts_with(|next| operators.contains(next));
        if c == NO_BREAK && depth == 0 && is_before_operator { ' ' } else { c }
    });
    parted.collect()
}

/// Joins characters between which a line might end without a space: a closing bracket, or a
/// placeholder whose value may end with one, and the particle or the equals sign after it; a letter
/// or a placeholder and the bracket that explains it; the numbers of a list; an equals sign and its
/// right side; and the characters of formulas after which lines may end even before a no-break space.
fn characters_joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len() + text.len() / 16);
    let mut before = [' '; 2];
    for (at, c) in text.char_indices() {
        let holds = match (before, c) {
            ([_, letter], '（') => letter.is_ascii_alphanumeric() || letter == '}',
            ([_, '）' | '」' | '}'], c) => is_hiragana(c) || c == '=',
            ([number, '、'], c) if number.is_ascii_digit() && c.is_ascii_digit() => {
                // Boards, written as numbers with spaces between them, and formulas are not joined.
                let rest = after_number(&text[at..]).and_then(|rest| rest.strip_prefix(NO_BREAK));
                let continues = |c: char| c.is_ascii_digit() || OPERATORS.contains(c);
                !rest.is_some_and(|rest| rest.starts_with(continues))
            }
            ([letter, '、'], c) if letter.is_ascii_uppercase() && c.is_ascii_uppercase() => {
                !text[at + 1..].starts_with(|c: char| c.is_ascii_alphanumeric())
            }
            ([number, '・'], c) => number.is_ascii_digit() && c.is_ascii_digit(),
            ([_, '|'], NO_BREAK) | ([_, '!'], '(') | ([_, '〜' | '＝'], _) => true,
            _ => false,
        };
        if holds {
            joined.push(JOINER);
        }
        joined.push(c);
        before = [before[1], c];
    }
    joined
}

/// Joins the parts of the words in [`WHOLE`].
fn words_joined(text: &str) -> String {
    let joiner = JOINER.to_string();
    WHOLE.iter().fold(text.to_owned(), |text, word| {
        text.replace(&word.replace('/', ""), &word.replace('/', &joiner))
    })
}

/// Whether a character is kana, kanji or Japanese punctuation.
fn is_japanese(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ff01}'..='\u{ff60}')
}

/// Whether a character is kana or kanji.
fn is_letter(c: char) -> bool {
    is_japanese(c) && matches!(c, '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{9fff}')
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the marked text with no-break spaces shown as `~` and joiners as `^`.
    fn joined(text: &str) -> String {
        no_break(text, true).replace(NO_BREAK, "~").replace(JOINER, "^")
    }

    #[test]
    fn english_formulas_and_numbers_stay_whole() {
        let joined =
            |text| no_break_in_english(text, true).replace(NO_BREAK, "~").replace(JOINER, "^");
        assert_eq!(joined("N = 8, %{sum} = %{total}."), "N~=~8, %{sum}~=~%{total}.");
        assert_eq!(joined("free = MASK & !(left | down)"), "free~=~MASK~&~!^(left~|~down)");
        assert_eq!(
            joined("Row 1, columns %{c} and 3 (bit 5)"),
            "Row~1, columns~%{c} and 3 (bit~5)"
        );
        assert_eq!(joined("row BOUND1, cell A, column c"), "row~BOUND1, cell~A, column~c");
        assert_eq!(joined("in a row a queen, rows of 8"), "in a row a queen, rows of 8");
        assert_eq!(
            joined("Total = 2·COUNT2 + 4·COUNT4 + 8·COUNT8"),
            "Total~=~2·COUNT2 +~4·COUNT4 +~8·COUNT8"
        );
        assert_eq!(joined("Row 1 · %{found} found · 3"), "Row~1 · %{found} found · 3");
        assert_eq!(joined("3 · 2, × method 1"), "3~·~2, ×~method~1");
        assert_eq!(joined("1 3 0 2: 4 queens"), "1~3~0~2: 4 queens");
        assert_eq!(no_break_in_english("N = 8, row 1", false), "N = 8, row\u{a0}1");
        assert_eq!(joined("+ or −, read/write"), "+ or −, read/write");
    }

    #[test]
    fn numbers_and_names_stay_with_the_next_word() {
        assert_eq!(joined("12 個だけ、90° でも、GPU に配る"), "12~個だけ、90°~でも、GPU~に配る");
        assert_eq!(joined("%{s} ms、8 µs、msでない"), "%{s}~ms、8~µs、msでない");
        assert_eq!(
            joined("8⁸ 通り、`MASK` を使う、3! と書く"),
            "8⁸~通り、`MASK`~を使う、3!~と書く"
        );
        assert_eq!(joined("%{left} マスです。%{left} 、"), "%{left}~マスです。%{left} 、");
        assert_eq!(joined("解 です、a b"), "解 です、a b");
    }

    #[test]
    fn nouns_stay_with_their_numbers() {
        assert_eq!(joined("行 %{row}・列 3（ビット 0）"), "行~%{row}・列~3^（ビット~0）");
        assert_eq!(
            joined("レッスン 5 の規則 X と行 `BOUND1`"),
            "レッスン~5~の規則~X~と行~`BOUND1`"
        );
        assert_eq!(joined("列 c は、行 r で"), "列~c~は、行~r~で");
        assert_eq!(joined("タスク 12 の 4 分の 1 を"), "タスク~12~の 4~分の~1~を");
        assert_eq!(joined("時間は約 31 ms です"), "時間は約~31~ms~です");
        assert_eq!(joined("クイーン 8 個、解 a"), "クイーン 8~個、解 a");
    }

    #[test]
    fn numbers_of_a_board_or_a_list_stay_together() {
        assert_eq!(joined("1 3 0 2 のように"), "1~3~0~2~のように");
        assert_eq!(joined("なぜ 2、4、10 なのか"), "なぜ 2、^4、^10~なのか");
        assert_eq!(joined("2 0 3 1、1 3 0 2"), "2~0~3~1、1~3~0~2");
        assert_eq!(joined("2 + 1 = 3、1 + 1 = 2"), "2~+~1~=~3、1~+~1~=~2");
        assert_eq!(joined("マス A、B、C、TOPBIT、3〜5 個"), "マス~A、^B、^C、TOPBIT、3〜^5~個");
        assert_eq!(joined("規則 1・2・X"), "規則~1・^2・X");
        assert_eq!(joined("1、列 2、BOUND1"), "1、列~2、BOUND1");
    }

    #[test]
    fn brackets_stay_with_their_word() {
        assert_eq!(joined("1 だけは 1）で、「学ぶ」の"), "1~だけは~1）^で、「学ぶ」^の");
        assert_eq!(joined("（1 つ）代表、（解）。"), "（1~つ）代表、（解）。");
        assert_eq!(joined("B（ENDBIT）、解（＝像）"), "B^（ENDBIT）、解（＝^像）");
        assert_eq!(joined("%{square}に、%{left} 個"), "%{square}^に、%{left}~個");
        assert_eq!(joined("列 %{column}（ビット %{bit}）"), "列~%{column}^（ビット~%{bit}）");
    }

    #[test]
    fn some_words_stay_whole() {
        assert_eq!(
            joined("自分自身、そのため、数として、X による"),
            "自分^自身、その^ため、数と^して、X~に^よる"
        );
        assert_eq!(joined("盤そのもの、半分どうし"), "盤^その^もの、半分^どうし");
    }

    #[test]
    fn formulas_stay_whole_only_with_keeps_formulas() {
        let formula = "MASK & !(left | down)、N = %{n}";
        assert_eq!(joined(formula), "MASK~&~!^(left~|^~down)、N~=~%{n}");
        assert_eq!(joined("解 = 像、(Q + H) / 8"), "解~=~像、(Q~+~H)~/~8");
        assert_eq!(joined("「行 + 列」= 5"), "「行~+~列」^=~5");
        assert_eq!(no_break("N = %{n}", false), "N = %{n}");
        assert_eq!(no_break("N = 5 の解", false), "N = 5\u{a0}の解");
    }

    #[test]
    fn long_formulas_break_only_before_operators() {
        assert_eq!(
            joined("合計は Total = 2·COUNT2 + 4·COUNT4 + 8·COUNT8 です"),
            "合計は Total~=~2·COUNT2 +~4·COUNT4 +~8·COUNT8~です"
        );
        assert_eq!(
            joined("では free = MASK & !(left | down | right) です"),
            "では free~=~MASK &~!^(left~|^~down~|^~right)~です"
        );
        assert_eq!(
            joined("では 7! = 7 · 6 · 5 · 4 · 3 · 2 · 1 = 5040 通り"),
            "では 7!~=~7~·~6~·~5~·~4~·~3~·~2~·~1 =~5040~通り"
        );
    }
}
