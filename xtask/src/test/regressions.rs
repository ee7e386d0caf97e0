//! Checks that the tests listed in tests/regressions.md exist.

use std::fs;

use anyhow::{Context, Result, anyhow, bail};
use proc_macro2::{TokenStream, TokenTree};

use crate::project;

/// The path of the list of fixed faults, relative to the project's root.
const LIST: &str = "tests/regressions.md";

/// Checks that every test of the list exists in its file.
pub fn check() -> Result<()> {
    let text = fs::read_to_string(project::root().join(LIST)).context(LIST)?;
    let listed = listed_tests(&text);
    if listed.is_empty() {
        bail!("{LIST} lists no tests");
    }
    let mut missing = Vec::new();
    for (name, file) in listed {
        let source = fs::read_to_string(project::root().join(file))
            .with_context(|| format!("{LIST} names {file}"))?;
        let tokens: TokenStream = source.parse().map_err(|error| anyhow!("{file}: {error}"))?;
        if is_browser_test(tokens.clone(), name) || is_trial(tokens.clone(), name) {
            continue;
        }
        match attributes(tokens, name) {
            None => missing.push(format!("{LIST} names {name}, which {file} does not have")),
            Some(attributes) if !is_active_test(&attributes) => {
                missing.push(format!(
                    "{LIST} names {name}, but in {file} it is ignored or is not a test"
                ));
            }
            Some(_) => {}
        }
    }
    if !missing.is_empty() {
        bail!("{}", missing.join("\n"));
    }
    Ok(())
}

/// Returns the name and the file of each test in the table, which are its last two columns.
fn listed_tests(text: &str) -> Vec<(&str, &str)> {
    let rows = text.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.filter_map(|row| {
        let mut cells = row.trim_matches('|').rsplit('|').map(str::trim);
        let (file, name) = (cells.next()?, cells.next()?);
        Some((name.trim_matches('`'), file))
    })
    .collect()
}

/// Returns the attributes of a function without their brackets, or `None` if the function does not
/// exist. Functions in comments are not found, because comments are not tokens.
fn attributes(tokens: TokenStream, name: &str) -> Option<Vec<String>> {
    let mut attributes = Vec::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match (tree, trees.peek()) {
            (TokenTree::Punct(sign), Some(TokenTree::Group(mark))) if sign.as_char() == '#' => {
                attributes.push(mark.stream().to_string());
                trees.next();
            }
            (TokenTree::Ident(word), Some(TokenTree::Ident(next))) if word == "fn" => {
                if next == name {
                    return Some(attributes);
                }
                // Attributes apply to this function only.
                attributes.clear();
            }
            (TokenTree::Group(group), _) => {
                if let Some(attributes) = self::attributes(group.stream(), name) {
                    return Some(attributes);
                }
            }
            (TokenTree::Punct(sign), _) if sign.as_char() == ';' => attributes.clear(),
            _ => {}
        }
    }
    None
}

/// Returns whether a `browser_tests!` list contains this function. The macro turns the functions
/// into tests.
fn is_browser_test(tokens: TokenStream, name: &str) -> bool {
    let trees: Vec<_> = tokens.into_iter().collect();
    trees.iter().enumerate().any(|(position, tree)| {
        let TokenTree::Group(group) = tree else { return false };
        let is_list = position >= 2
            && matches!(&trees[position - 2], TokenTree::Ident(word) if word == "browser_tests");
        let lists = |tree| matches!(tree, TokenTree::Ident(word) if word == name);
        is_list && group.stream().into_iter().any(lists) || is_browser_test(group.stream(), name)
    })
}

/// Returns whether the source contains `name` as a string, which names a trial of libtest-mimic. Only names
/// with spaces are such strings; other names are functions.
fn is_trial(tokens: TokenStream, name: &str) -> bool {
    name.contains(' ')
        && tokens.into_iter().any(|tree| match tree {
            TokenTree::Group(group) => is_trial(group.stream(), name),
            TokenTree::Literal(literal) => literal.to_string() == format!("\"{name}\""),
            _ => false,
        })
}

/// Returns whether a function with these attributes is a test that is not ignored.
fn is_active_test(attributes: &[String]) -> bool {
    // Compare only the last path segment, because `tokio::test(flavor = …)` is a test, too.
    let is = |wanted: &str| {
        let names = attributes.iter().filter_map(|mark| mark.split(['(', '=']).next());
        names
            .filter_map(|name| name.trim_end().rsplit([':', ' ']).next())
            .any(|name| name == wanted)
    };
    is("test") && !is("ignore")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_functions_listed_in_browser_tests() {
        let source = "fn tests() { browser_tests![a, b].map(with_axe); other![c] } async fn d() {}";
        for (name, expected) in [("a", true), ("b", true), ("c", false), ("d", false)] {
            assert_eq!(is_browser_test(source.parse().unwrap(), name), expected, "{name}");
        }
    }

    #[test]
    fn finds_trials_by_their_names() {
        let source = "const TESTS: [(&str, Test); 1] = [(\"a b\", c)]; // \"d e\"";
        for (name, expected) in [("a b", true), ("a", false), ("d e", false)] {
            assert_eq!(is_trial(source.parse().unwrap(), name), expected, "{name}");
        }
    }

    #[test]
    fn reads_tests_from_the_table() {
        let text = "# Faults\n\n| what | test | in |\n|---|---|---|\n| a `b` | `c_d` | e/f.rs |\n";
        assert_eq!(listed_tests(text), [("c_d", "e/f.rs")]);
    }

    /// Returns whether the function `c_d` of the source is a test that runs; `None` if the source
    /// has no such function.
    fn is_active(source: &str) -> Option<bool> {
        attributes(source.parse().unwrap(), "c_d").map(|attributes| is_active_test(&attributes))
    }

    #[test]
    fn finds_a_test_by_its_whole_name() {
        assert_eq!(is_active("#[test]\nfn c_d() {}"), Some(true));
        assert_eq!(is_active("mod tests {\n#[test]\n#[cfg(unix)]\nfn c_d() {}\n}"), Some(true));
        assert_eq!(is_active("#[tokio::test(flavor = \"x\")]\nasync fn c_d() {}"), Some(true));
        assert_eq!(
            is_active("proptest! {\n/// Says why.\n#[test]\nfn c_d(a in 0..3) {}\n}"),
            Some(true)
        );
        assert_eq!(is_active("#[test]\nfn c_d_e() {}\n#[test]\nfn c() {}"), None);
    }

    #[test]
    fn ignores_functions_that_do_not_run_as_tests() {
        for comment in ["// fn c_d() {}", "/* #[test]\nfn c_d() {} */", "/// fn c_d()\nfn e() {}"] {
            assert_eq!(is_active(comment), None, "{comment}");
        }
        assert_eq!(is_active("const TEXT: &str = \"#[test] fn c_d() {}\";"), None);
        for source in [
            "fn c_d() {}",
            "#[test]\nfn e() {}\nfn c_d() {}",
            "#[test]\n#[ignore]\nfn c_d() {}",
            "#[test]\n#[ignore = \"slow\"]\nfn c_d() {}",
        ] {
            assert_eq!(is_active(source), Some(false), "{source}");
        }
    }
}
