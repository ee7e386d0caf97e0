//! Limits the length of the page's functions, so that each fits on a screen.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::project;

/// The folders of the page's crates.
const FOLDERS: [&str; 4] = ["web/src", "web/state", "web/worker", "web/gpu"];

/// The maximum number of lines of a function, including its signature and its last brace.
const MAX_LINES: usize = 80;

/// Checks all functions of the page.
pub fn check() -> Result<()> {
    let mut long = Vec::new();
    for folder in FOLDERS {
        check_folder(&project::root().join(folder), &mut long)?;
    }
    if !long.is_empty() {
        bail!("functions of the page with more than {MAX_LINES} lines:\n{}", long.join("\n"));
    }
    Ok(())
}

fn check_folder(folder: &Path, long: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            check_folder(&path, long)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let functions = functions(&text).into_iter().filter(|&(_, lines)| lines > MAX_LINES);
            long.extend(
                functions.map(|(name, lines)| format!("{}: {name}, {lines}", path.display())),
            );
        }
    }
    Ok(())
}

/// Returns the name and the number of lines of each function in a source file that rustfmt has formatted.
/// A function ends with the first line that has the indentation of its first line and is a closing brace or
/// ends with a semicolon. One-line functions are left out.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = lines.iter().enumerate().filter_map(|(start, line)| {
        let (before, after) = line.split_once("fn ")?;
        let is_item = before.split(' ').all(|word| {
            ["", "pub", "const", "async", "unsafe", "extern", "\"C\""].contains(&word)
                || word.starts_with("pub(")
        });
        let name = after.split(['(', '<']).next()?;
        let indent = line.len() - line.trim_start().len();
        (is_item && !line.ends_with('}')).then_some((start, indent, name))
    });
    let found = starts.filter_map(|(start, indent, name)| {
        let ends = |line: &&str| {
            line.len() - line.trim_start().len() == indent
                && (line.trim() == "}" || line.ends_with(';'))
        };
        let length = lines.get(start..)?.iter().position(ends)?;
        Some((name, length + 1))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_lines_of_each_function() {
        let text = "\
trait Trait {
    fn declared(
        &self,
    ) -> u32;
    fn short(&self) -> u32 { 1 }
}
pub(crate) async fn outer<T>(of: T) -> T {
    fn inner() {
        work();
    }
    let call = fn_like(fn () {});
    of
}
";
        assert_eq!(functions(text), [("declared", 3), ("outer", 7), ("inner", 3)]);
    }
}
