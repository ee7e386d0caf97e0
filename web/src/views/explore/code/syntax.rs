//! The look of source code: its indentation, and the colours of keywords and comments.

use yew::prelude::*;

/// The keywords of Rust and of the published program.
const KEYWORDS: [&str; 33] = [
    "and", "as", "break", "const", "continue", "crate", "else", "enum", "false", "fn", "for", "if",
    "impl", "in", "let", "loop", "match", "mod", "mut", "not", "pub", "ref", "return", "self",
    "Self", "static", "struct", "super", "true", "type", "use", "where", "while",
];

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Keyword(&'a str),
    Comment(&'a str),
    Other(&'a str),
}

/// Renders a line of a method or of the published program with its keywords and its comment marked.
pub fn coloured(line: &str) -> Html {
    if reports(line) {
        return html! { <span class="report">{ line.to_owned() }</span> };
    }
    let tokens = tokens(line).into_iter().map(|token| match token {
        Token::Keyword(text) => html! { <span class="keyword">{ text.to_owned() }</span> },
        Token::Comment(text) => html! { <span class="comment">{ text.to_owned() }</span> },
        Token::Other(text) => html! { text.to_owned() },
    });
    html! { <>{ for tokens }</> }
}

/// Whether a line only reports what the search has done to the page.
fn reports(line: &str) -> bool {
    let code = line.trim();
    ["self.watch.", "watch."].iter().any(|watch| code.starts_with(watch)) && code.ends_with(");")
}

/// Returns the CSS class for the indentation of a line, which also indents the rest of a line that wraps.
pub fn indent(line: &str) -> String {
    format!("indent-{}", (line.len() - line.trim_start().len()) / 4)
}

/// Splits a line into keywords, a comment, and the text between them. Both kinds of code have neither block
/// comments nor keywords in string literals.
fn tokens(line: &str) -> Vec<Token<'_>> {
    let (code, comment) = line.split_at(line.find("//").unwrap_or(line.len()));
    let mut tokens = vec![];
    let mut other = code;
    let mut rest = code;
    while let Some(start) = rest.find(is_word) {
        let word = rest.get(start..).unwrap_or_default();
        let (word, after) = word.split_at(word.find(|c| !is_word(c)).unwrap_or(word.len()));
        if KEYWORDS.contains(&word) {
            let before = other.len() - after.len() - word.len();
            tokens.push(Token::Other(other.get(..before).unwrap_or_default()));
            tokens.push(Token::Keyword(word));
            other = after;
        }
        rest = after;
    }
    tokens.extend([Token::Other(other), Token::Comment(comment)]);
    tokens.retain(|token| !matches!(token, Token::Comment("") | Token::Other("")));
    tokens
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::Token::{Comment, Keyword, Other};
    use super::*;

    #[test]
    fn marks_keywords_and_comments() {
        let line = "while let Some(queen) = free.take() { // for each";
        let expected = [
            Keyword("while"),
            Other(" "),
            Keyword("let"),
            Other(" Some(queen) = free.take() { "),
            Comment("// for each"),
        ];
        assert_eq!(tokens(line), expected);
        assert_eq!(
            tokens("for_each(&mut self)"),
            [Other("for_each(&"), Keyword("mut"), Other(" "), Keyword("self"), Other(")")]
        );
        assert_eq!(tokens("/// for"), [Comment("/// for")]);
        assert_eq!(tokens(""), []);
    }
}
