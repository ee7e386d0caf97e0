//! Texts in lines, for pictures, which cannot wrap them.

/// Breaks a text into lines of at most the [`width`] `longest`, after spaces and Japanese letters. No line
/// ends before a no-break space or with an opening character, or begins with a closing character or a small
/// kana.
pub fn lines(text: &str, longest: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    // The width of the last line.
    let mut before = 0;
    let mut rest = text;
    // Each turn takes the text up to the next possible line break.
    while !rest.is_empty() {
        let next = rest.chars().skip(1).chain([' ']);
        let mut pairs = rest.char_indices().zip(next);
        let end = pairs.find_map(|((at, letter), next)| {
            let may_end =
                letter == ' ' || is_wide(letter) && !"（「『".contains(letter) && !holds(next);
            may_end.then(|| at + letter.len_utf8())
        });
        let (word, more) = rest.split_at(end.unwrap_or(rest.len()));
        let long = width(word);
        if before > 0 && before + long > longest {
            lines.push(String::new());
            before = 0;
        }
        before += long;
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
        rest = more;
    }
    lines
}

/// Whether a letter must stay on the line of the previous one.
fn holds(letter: char) -> bool {
    " \u{a0}、。：）」』・ーァィゥェォッャュョぁぃぅぇぉっゃゅょ々".contains(letter)
}

/// Returns the approximate width of a text: a Latin letter counts as one, a Japanese one as two.
pub fn width(text: &str) -> usize {
    text.chars().map(|letter| if is_wide(letter) { 2 } else { 1 }).sum()
}

/// Whether a letter takes the width of two, as those of Japanese do.
fn is_wide(letter: char) -> bool {
    letter >= '\u{2e80}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_sentences_into_lines() {
        let text =
            "The queens above attack 5 of the 8 squares in row 3. Not attacked: columns 2, 4, 7.";
        assert_eq!(lines(text, 58).concat(), text);
        assert!(lines(text, 58).iter().all(|line| line.len() <= 58) && lines(text, 58).len() == 2);
        let japanese = "行 3 の 8 マスのうち 5 マスが、上のクイーンの効き筋にあります。";
        assert_eq!(lines(&japanese.repeat(2), 58).concat(), japanese.repeat(2));
        assert!(lines(&japanese.repeat(2), 58).len() > 1);
        let fixed = "ブルートフォース（「効き」）とチェックの人々".repeat(4);
        for width in 12..40 {
            let lines = lines(&fixed, width);
            assert_eq!(lines.concat(), fixed);
            for line in lines {
                assert!(!line.starts_with(['ー', '」', '）', 'ォ', 'ッ', 'ェ', '々']), "{line}");
                assert!(!line.ends_with(['（', '「']), "{line}");
            }
        }
        assert_eq!(lines("one two three", 8), ["one two ", "three"]);
        let japanese = lines("N ごとの、「鏡 · cpu」に対する速度比（対数目盛）", 24);
        assert_eq!(japanese, ["N ごとの、「鏡 · cpu」に", "対する速度比（対数目盛）"]);
        let kept = "行\u{a0}3\u{a0}の".repeat(30);
        for line in lines(&kept, 58) {
            assert!(line.starts_with('行') && line.ends_with('の'), "{line}");
        }
    }
}
