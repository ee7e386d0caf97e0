//! Adds index.html, the stylesheet (joined, without comments), and the files that are copied unchanged.
//!
//! Nothing is inline, because the server's Content-Security-Policy allows scripts and styles from
//! files only. Every URL is relative, because the page may be served under any path. index.html
//! names all files of the first view's module, so the browser fetches them in parallel.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::files::{Files, add_folder, read, read_text};
use crate::project;

/// The parts of the stylesheet, in web/style, in the order in which they are joined.
const STYLES: [&str; 9] = [
    "base.css",
    "boards.css",
    "explore.css",
    "views.css",
    "symmetry.css",
    "play.css",
    "learn.css",
    "explore-panels.css",
    "print.css",
];

/// Adds index.html, which may only refer to files that exist, and the copied files.
pub fn add(files: &mut Files) -> Result<()> {
    let root = project::root();
    files.insert("style.css".to_owned(), style(&root.join("web/style"))?.into());
    for name in ["icon.svg", "start.js", "worker.js", "gpu.js"] {
        files.insert(name.to_owned(), read(&root.join("web").join(name))?);
    }
    add_folder(&root.join("web/examples"), "examples/", files)?;
    add_folder(&root.join("shared/src/search/methods"), "methods/", files)?;
    let html = read_text(&root.join("index.html"))?;
    if let Some(address) = addresses(&html).find(|&address| !files.contains_key(address)) {
        bail!("index.html refers to {address}, which is not a file of the page");
    }
    files.insert("index.html".to_owned(), html.into());
    Ok(())
}

/// Builds the stylesheet. A file that is missing from the list is an error, because its styles would be lost
/// unnoticed.
fn style(folder: &Path) -> Result<String> {
    for entry in folder.read_dir().with_context(|| format!("reading {}", folder.display()))? {
        let name = entry?.file_name();
        if !STYLES.iter().any(|known| name == *known) {
            bail!("{} is missing in the order of the stylesheets", name.display());
        }
    }
    STYLES.iter().map(|part| Ok(compact(&read_text(&folder.join(part))?))).collect()
}

/// Returns the values of all `href` and `src` attributes.
fn addresses(html: &str) -> impl Iterator<Item = &str> {
    let behind = |name| html.split(name).skip(1);
    behind(" href=\"").chain(behind(" src=\"")).filter_map(|rest| rest.split('"').next())
}

/// Removes comments and indentation, which only developers need.
fn compact(style: &str) -> String {
    let mut parts = style.split("/*");
    let mut text = parts.next().unwrap_or_default().to_owned();
    text.extend(parts.filter_map(|part| part.split_once("*/")).map(|(_, rest)| rest));
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_html_has_no_inline_code_and_only_relative_urls() {
        let html = read_text(&project::root().join("index.html")).unwrap();
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
    fn rejects_references_to_missing_files() {
        let mut files = Files::from([("queens-web.js".to_owned(), vec![])]);
        let error = add(&mut files).unwrap_err().to_string();
        assert!(error.contains("refers to queens-web_bg.wasm, which is not a file"), "{error}");

        for name in ["queens-web_bg.wasm", "split.js"] {
            files.insert(name.to_owned(), vec![]);
        }
        add(&mut files).unwrap();
        for name in ["index.html", "worker.js", "methods/symmetry.rs"] {
            assert!(files.contains_key(name), "{name}");
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
        let style = read_text(&project::root().join("web/style/boards.css")).unwrap();
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
        let style = style(&project::root().join("web/style")).unwrap();
        assert_eq!(restyling_everything(&style.replace('\n', " ")), [""; 0]);
    }

    #[test]
    fn compacts_styles() {
        assert_eq!(
            compact("a,\nb {\n  c: d;\n}\n\n/* one */ e {} /* two\n */"),
            "a,\nb {\nc: d;\n}\ne {}\n"
        );
        assert_eq!(compact("a {}"), "a {}\n");
    }
}
