//! Turns the project's index.html into the page's.
//!
//! The elements marked `data-trunk` say what belongs to the page. They are
//! trunk's, so that `trunk serve` understands the same file; here each gets
//! the plain HTML that it stands for. Nothing is written inline, because the
//! server's Content-Security-Policy allows scripts and styles from files only,
//! and every address is relative, because the page may live under any path.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::files::{Files, read};
use super::{PAGE, WORKER};
use crate::project;

/// The one stylesheet of the page; all of web/style ends up in it.
const STYLE: &str = "style.css";
/// The script that starts the module, see web/start.js.
const LOADER: &str = "start.js";

/// Adds index.html and every file that it names.
pub fn add(files: &mut Files) -> Result<()> {
    let root = project::root();
    let source = String::from_utf8(read(&root.join("index.html"))?)
        .context("index.html is not UTF-8 text")?;
    let mut page = Rendered::default();
    for (number, line) in source.lines().enumerate() {
        page.line(line, files).with_context(|| format!("index.html, line {}", number + 1))?;
    }
    page.check_styles(&root.join("web/style"))?;
    if !page.style.is_empty() {
        files.add(STYLE, page.style)?;
    }
    files.add("index.html", page.html)
}

/// What has been rendered so far.
#[derive(Default)]
struct Rendered {
    html: String,
    style: String,
    styles: Vec<String>,
}

impl Rendered {
    fn line(&mut self, line: &str, files: &mut Files) -> Result<()> {
        if !line.contains("data-trunk") {
            self.push(line);
            return Ok(());
        }
        let rel = attribute(line, "rel")?;
        let href = attribute(line, "href")?;
        match rel {
            "css" => self.stylesheet(href),
            "copy-file" => copy(href, files).map(drop),
            "copy-dir" => files.add_below(&project::root().join(href), &format!("{}/", name(href))),
            "icon" => {
                let name = copy(href, files)?;
                self.push(&format!(
                    r#"  <link rel="icon" type="{}" href="{name}">"#,
                    attribute(line, "type")?
                ));
                Ok(())
            }
            // The page asks for its worker when it needs it.
            "rust" if attribute(line, "data-bin")? == WORKER.package => Ok(()),
            "rust" if attribute(line, "data-bin")? == PAGE.package => {
                self.module();
                Ok(())
            }
            other => bail!("xtask does not know data-trunk elements with rel=\"{other}\""),
        }
    }

    /// One of the stylesheets; they are joined in the order of index.html.
    fn stylesheet(&mut self, href: &str) -> Result<()> {
        if self.styles.is_empty() {
            self.push(&format!(r#"  <link rel="stylesheet" href="{STYLE}">"#));
        }
        let text = String::from_utf8(read(&project::root().join(href))?)
            .with_context(|| format!("{href} is not UTF-8 text"))?;
        self.style.push_str(without_comments(&text).trim());
        self.style.push('\n');
        self.styles.push(href.to_owned());
        Ok(())
    }

    /// The module starts by a script file; naming its parts here lets the
    /// browser fetch all of them at once instead of one after another.
    fn module(&mut self) {
        let package = PAGE.package;
        self.push(&format!(
            r#"  <link rel="preload" href="{package}_bg.wasm" as="fetch" type="application/wasm" crossorigin>"#
        ));
        self.push(&format!(r#"  <link rel="modulepreload" href="{package}.js">"#));
        self.push(&format!(r#"  <script type="module" src="{LOADER}"></script>"#));
    }

    fn push(&mut self, line: &str) {
        self.html.push_str(line);
        self.html.push('\n');
    }

    /// A stylesheet that index.html forgets would be missing without a word.
    fn check_styles(&self, folder: &Path) -> Result<()> {
        for entry in folder.read_dir().with_context(|| format!("reading {}", folder.display()))? {
            let name = format!("web/style/{}", entry?.file_name().to_string_lossy());
            if name.ends_with(".css") && !self.styles.contains(&name) {
                bail!(
                    "index.html does not name {name}; add <link data-trunk rel=\"css\" href=\"{name}\">"
                );
            }
        }
        Ok(())
    }
}

/// A stylesheet without its comments, which are for those who write it.
fn without_comments(style: &str) -> String {
    let mut parts = style.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once("*/").map_or("", |(_, rest)| rest))
}

/// Puts the file at `href` beside index.html and returns its name there.
fn copy<'a>(href: &'a str, files: &mut Files) -> Result<&'a str> {
    files.add(name(href), read(&project::root().join(href))?)?;
    Ok(name(href))
}

/// The last part of a path.
fn name(href: &str) -> &str {
    href.rsplit('/').next().unwrap_or(href)
}

/// The value of an attribute of the one element on a line.
fn attribute<'a>(line: &'a str, name: &str) -> Result<&'a str> {
    line.split_once(&format!(" {name}=\""))
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(value, _)| value)
        .with_context(|| format!("the data-trunk element lacks {name}=\"…\" on the same line"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_by_their_whole_name() {
        let line = r#"<link data-trunk rel="rust" data-href="no" href="web/Cargo.toml">"#;
        assert_eq!(attribute(line, "href").unwrap(), "web/Cargo.toml");
        assert_eq!(attribute(line, "rel").unwrap(), "rust");
        assert!(attribute(line, "type").is_err());
    }

    #[test]
    fn the_page_has_no_inline_script_and_only_relative_addresses() {
        let mut files = Files::default();
        let mut page = Rendered::default();
        page.line(
            r#"<link data-trunk rel="rust" href="web/Cargo.toml" data-bin="queens-web">"#,
            &mut files,
        )
        .unwrap();
        page.line(r#"<link data-trunk rel="css" href="web/style/base.css">"#, &mut files).unwrap();
        assert!(!page.html.contains("data-trunk"));
        assert!(!page.html.contains("=\"/"), "{}", page.html);
        for script in page.html.split("<script").skip(1) {
            assert!(script.contains("src=") && script.contains("></script>"), "{script}");
        }
    }

    #[test]
    fn comments_stay_here() {
        assert_eq!(without_comments("a {}\n/* one */ b {} /* two\n */"), "a {}\n b {} ");
        assert_eq!(without_comments("a {}"), "a {}");
    }

    #[test]
    fn an_unknown_element_is_refused() {
        let mut files = Files::default();
        let mut page = Rendered::default();
        let line = r#"<link data-trunk rel="scss" href="x.scss">"#;
        let error = page.line(line, &mut files).unwrap_err();
        assert!(error.to_string().contains("scss"));
    }
}
