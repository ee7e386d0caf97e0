//! Adds index.html, the stylesheets (joined, without comments), the long texts (with no-break spaces), and
//! the files that are copied unchanged.
//!
//! Nothing is inline, because the server's Content-Security-Policy allows scripts and styles from
//! files only. Every URL is relative, because the page may be served under any path. index.html
//! names all files of the first view's module, so the browser fetches them in parallel.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::files::{Files, read};
use crate::project;

/// The stylesheets with their source files from web/style in the order in which they are joined.
/// The first sheet is for the first view, the second one for the others.
const STYLES: [(&str, &[&str]); 2] = [
    ("style.css", &["base.css", "boards.css", "explore.css"]),
    (
        "later.css",
        &["views.css", "symmetry.css", "play.css", "learn.css", "explore-later.css", "print.css"],
    ),
];

/// Adds index.html, which may only refer to files that exist, and the copied files.
pub fn add(files: &mut Files) -> Result<()> {
    let root = project::root();
    for (name, style) in styles(&root.join("web/style"))? {
        files.add(name, style)?;
    }
    for name in ["icon.svg", "start.js", "worker.js", "gpu.js"] {
        files.add(name, read(&root.join("web").join(name))?)?;
    }
    add_texts(&root.join("web/text"), files)?;
    files.add_below(&root.join("web/examples"), "examples/")?;
    files.add_below(&root.join("shared/src/search/methods"), "methods/")?;
    let html = text(&root.join("index.html"))?;
    if let Some(address) = addresses(&html).find(|address| !files.has(address)) {
        bail!("index.html refers to {address}, which is not a file of the page");
    }
    files.add("index.html", html)
}

/// Adds the long texts, with no-break spaces.
fn add_texts(folder: &Path, files: &mut Files) -> Result<()> {
    let mut texts = Files::default();
    texts.add_folder(folder)?;
    for (name, content) in texts.iter() {
        let mut text = serde_json::from_slice(content).with_context(|| name.to_owned())?;
        keep_together(&mut text);
        files.add(name, text.to_string())?;
    }
    Ok(())
}

/// Keeps the parts of formulas and boards in all strings of a value together.
fn keep_together(value: &mut Value) {
    match value {
        Value::String(text) => *text = without_breaks(text),
        Value::Array(items) => items.iter_mut().for_each(keep_together),
        Value::Object(fields) => fields.values_mut().for_each(keep_together),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Replaces the spaces around an equals sign and between digits by no-break spaces: no line ends within
/// `N = 8` or within the columns of a board, `1 3 0 2`. All other lines end where the browser ends them.
pub fn without_breaks(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        let rest = &text[at + letter.len_utf8()..];
        let is_digit = |letter: char| letter.is_ascii_digit();
        let is_held = letter == ' '
            && (kept.ends_with('=')
                || rest.starts_with("= ")
                || kept.ends_with(is_digit) && rest.starts_with(is_digit));
        kept.push(if is_held { '\u{a0}' } else { letter });
    }
    kept
}

/// Builds the stylesheets. A file that is missing from their list is an error, because its styles
/// would be lost unnoticed.
fn styles(folder: &Path) -> Result<Vec<(&'static str, String)>> {
    for entry in folder.read_dir().with_context(|| format!("reading {}", folder.display()))? {
        let name = entry?.file_name();
        if !STYLES.iter().any(|(_, parts)| parts.iter().any(|known| name == *known)) {
            bail!("{} is missing in the order of the stylesheets", name.display());
        }
    }
    let joined = |(name, parts): (&'static str, &[&str])| {
        let parts = parts.iter().map(|part| text(&folder.join(part)));
        let style: Result<String> =
            parts.map(|part| Ok(compact(&without_comments(&part?)))).collect();
        Ok((name, style?))
    };
    STYLES.into_iter().map(joined).collect()
}

fn text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).with_context(|| format!("{} is not UTF-8 text", path.display()))
}

/// Returns the values of all `href` and `src` attributes.
fn addresses(html: &str) -> impl Iterator<Item = &str> {
    let behind = |name| html.split(name).skip(1);
    behind(" href=\"").chain(behind(" src=\"")).filter_map(|rest| rest.split('"').next())
}

/// Removes comments, which only developers need.
fn without_comments(style: &str) -> String {
    let mut parts = style.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once("*/").map_or("", |(_, rest)| rest))
}

/// Removes line breaks and spaces that browsers ignore, a fifteenth of a compressed stylesheet. Texts in
/// quotes may not contain any of the removed sequences.
fn compact(style: &str) -> String {
    let joined = style.lines().map(str::trim).filter(|line| !line.is_empty());
    let joined = joined.fold(String::new(), |mut joined, line| {
        if !joined.is_empty() && !joined.ends_with(['{', '}', ';', ',']) {
            joined.push(' ');
        }
        joined + line
    });
    joined.replace(", ", ",").replace(": ", ":").replace(" {", "{").replace(";}", "}") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_html_has_no_inline_code_and_only_relative_urls() {
        let html = text(&project::root().join("index.html")).unwrap();
        let found: Vec<&str> = addresses(&html).collect();
        assert!(found.contains(&"style.css") && found.contains(&"start.js"), "{found:?}");
        for address in found {
            assert!(!address.starts_with('/') && !address.contains(':'), "{address}");
        }
        assert!(!html.contains("<style") && !html.contains(" style="));
        for script in html.split("<script").skip(1) {
            assert!(script.contains(" src=") && script.contains("></script>"), "{script}");
        }
    }

    #[test]
    fn formulas_and_boards_are_kept_together() {
        assert_eq!(without_breaks("N = 8, a == b"), "N\u{a0}=\u{a0}8, a ==\u{a0}b");
        assert_eq!(without_breaks("1 3 0 2 のように 4 個"), "1\u{a0}3\u{a0}0\u{a0}2 のように 4 個");

        let mut files = Files::default();
        add_texts(&project::root().join("web/text"), &mut files).unwrap();
        let [english, japanese] = ["en", "ja"].map(|id| {
            let name = format!("lessons.{id}.json");
            let (_, content) = files.iter().find(|(known, _)| *known == name).unwrap();
            String::from_utf8(content.to_vec()).unwrap()
        });
        assert!(japanese.contains("N\u{a0}=\u{a0}8 なら"));
        assert!(english.contains("N\u{a0}=\u{a0}8"));
    }

    #[test]
    fn rejects_references_to_missing_files() {
        let mut files = Files::default();
        files.add("queens-web.js", "").unwrap();
        let error = add(&mut files).unwrap_err().to_string();
        assert!(error.contains("refers to queens-web_bg.wasm, which is not a file"), "{error}");

        let mut files = Files::default();
        for name in ["queens-web.js", "queens-web_bg.wasm", "split.js"] {
            files.add(name, "").unwrap();
        }
        add(&mut files).unwrap();
        for name in ["index.html", "worker.js", "explanation.ja.json", "methods/symmetry.rs"] {
            assert!(files.has(name), "{name}");
        }
    }

    #[test]
    fn finds_addresses_in_href_and_src() {
        let html =
            r#"<link data-href="no" href="a.css"><script type="module" src="b.js"></script>"#;
        assert_eq!(addresses(html).collect::<Vec<_>>(), ["a.css", "b.js"]);
    }

    /// Returns the relative luminance of a colour `#rrggbb`, as WCAG 2 defines it.
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let part = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn squares_can_be_told_apart_in_both_themes() {
        let style = text(&project::root().join("web/style/boards.css")).unwrap();
        // The colours of a variable in the light and in the dark theme.
        let pair = |name: &str| {
            let (_, rest) = style.split_once(&format!("{name}: light-dark(")).unwrap();
            let (light, rest) = rest.split_once(", ").unwrap();
            [light, rest.split_once(')').unwrap().0].map(luminance)
        };
        for (light, dark) in pair("--square-light").into_iter().zip(pair("--square-shade")) {
            let contrast = (light + 0.05) / (dark + 0.05);
            assert!(contrast >= 1.6, "{contrast:.2}");
        }
    }

    /// Splits a selector where no bracket is open.
    fn split(selector: &str, is_end: impl Fn(char) -> bool) -> Vec<&str> {
        let mut depth = 0;
        let parts = selector.split(|letter| {
            match letter {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            depth == 0 && is_end(letter)
        });
        parts.map(str::trim).filter(|part| !part.is_empty()).collect()
    }

    /// Returns the selectors that use `:has()` to select other elements than the one that has something, and
    /// do not name these elements.
    fn restyling_everything(style: &str) -> Vec<String> {
        let heads = style.split(['{', '}', ';']).map(str::trim);
        let selectors = heads.flat_map(|head| split(head, |letter| letter == ','));
        let is_restyling = |selector: &&str| {
            let mut parts = split(selector, |letter| " >+~".contains(letter));
            let last = parts.pop();
            last.is_some_and(|last| last.starts_with([':', '*']))
                && parts.iter().any(|part| part.contains(":has("))
        };
        selectors.filter(is_restyling).map(str::to_owned).collect()
    }

    /// Chromium has one list of the elements that all selectors with `:has()` select. If a selector names no
    /// element, the list contains every element below the one with `:has()`. For some selectors that is the
    /// root, so each change that may concern them would compute the styles of the whole page again.
    #[test]
    fn no_change_on_the_page_restyles_everything() {
        let found = |style| restyling_everything(style);
        assert_eq!(found(".a:has(> .b) > :not(c, .d){}"), [".a:has(> .b) > :not(c, .d)"]);
        assert_eq!(found("i{j:k}.a:has(.b),.c:has(d) *,e :has(> f)::after{}"), [".c:has(d) *"]);
        assert_eq!(found(":root:has(.a) .b,.a :is(b, c:has(d)),.e > :not(f){}"), [""; 0]);
        for (name, style) in styles(&project::root().join("web/style")).unwrap() {
            assert_eq!(restyling_everything(&style), [""; 0], "{name}");
        }
    }

    #[test]
    fn compacts_styles() {
        let style = "a,\nb :is(c, d) {\n  e: f\n    g;\n}\n\n@media (h: 1px) {\n  i {}\n}\n";
        assert_eq!(compact(style), "a,b :is(c,d){e:f g}@media (h:1px){i{}}\n");
    }

    #[test]
    fn strips_css_comments() {
        assert_eq!(without_comments("a {}\n/* one */ b {} /* two\n */"), "a {}\n b {} ");
        assert_eq!(without_comments("a {}"), "a {}");
    }
}
