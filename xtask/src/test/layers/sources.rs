//! Finds the dependencies between the files of a crate, from their `use` lines and the paths in
//! their code. Types are not inferred: a method call on a value of another file's type does not
//! count, but the line that names the type does.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The files that each file uses, by their paths from the project's root.
pub type Uses = BTreeMap<String, BTreeSet<String>>;

/// The segments of a path: `crate::a::B` is `["crate", "a", "B"]`.
type Segments = Vec<String>;

/// Returns the files below `folder`, each with the other files that it uses.
pub fn uses(root: &Path, folder: &str) -> Result<Uses> {
    let mut texts = BTreeMap::new();
    read(root, folder, &mut texts)?;
    let manifest = root.join(folder).with_file_name("Cargo.toml");
    let manifest = fs::read_to_string(&manifest).with_context(|| manifest.display().to_string())?;
    let name = manifest.split('"').nth(1).unwrap_or_default().replace('-', "_");
    let sources: Result<BTreeMap<String, Source>> = texts
        .into_iter()
        .map(|(file, text)| {
            let tokens = text.parse::<TokenStream>();
            let tokens = tokens.map_err(|error| anyhow!("{file}: {error}"))?;
            let module = module(file.strip_prefix(folder).unwrap_or(&file));
            Ok((file, Source::new(module, tokens)))
        })
        .collect();
    Ok(Crate::new(name, sources?).uses())
}

/// Reads the sources below a folder.
fn read(root: &Path, folder: &str, texts: &mut BTreeMap<String, String>) -> Result<()> {
    let entries = root.join(folder).read_dir().with_context(|| folder.to_owned())?;
    for entry in entries {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            read(root, &path, texts)?;
        } else if path.ends_with(".rs") {
            let text = fs::read_to_string(entry.path()).with_context(|| path.clone())?;
            texts.insert(path, text);
        }
    }
    Ok(())
}

/// Returns the module of a file, as names from the crate's root.
fn module(file: &str) -> Segments {
    let names = file.trim_end_matches(".rs").split('/').filter(|name| !name.is_empty());
    let mut names: Segments = names.map(str::to_owned).collect();
    names.pop_if(|name| ["mod", "lib", "main"].contains(&name.as_str()));
    names
}

/// The module of a file and the paths in its text, before they are resolved.
struct Source {
    module: Segments,
    /// The imports of `use` lines: the local name, and the path as written.
    imports: Vec<(String, Segments)>,
    /// All other paths in the code, except in test code.
    paths: Vec<Segments>,
    /// The names of modules in other files that are compiled only for tests: `#[cfg(test)] mod tests;`.
    tests: Vec<String>,
}

impl Source {
    fn new(module: Segments, tokens: TokenStream) -> Source {
        let mut source = Source { module, imports: vec![], paths: vec![], tests: vec![] };
        let mut words = Vec::new();
        source.flatten(tokens, &mut words);
        let mut rest = words.as_slice();
        while let Some((word, after)) = rest.split_first() {
            // `use<'a>` in `impl Trait + use<'a>` is a bound, not an import.
            rest = if word == "use" && after.first().is_some_and(|next| next != "<") {
                let end = after.iter().position(|word| word == ";").unwrap_or(after.len());
                import(&after[..end], &[], &mut source.imports);
                &after[end..]
            } else if is_name(word) {
                let (names, after) = path(rest);
                source.paths.extend(Some(names).filter(|names| names.len() > 1));
                after
            } else {
                after
            };
        }
        source
    }

    /// Flattens a source to its identifiers and punctuation, with "0" in place of each literal. Skips
    /// attributes and test code, and adds the names of test modules to `tests`. Comments are not among the
    /// tokens, except doc comments, which are attributes.
    fn flatten(&mut self, tokens: TokenStream, words: &mut Vec<String>) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(sign) if sign.as_char() == '#' => {
                    tokens.next_if(|next| matches!(next, TokenTree::Punct(_)));
                    let attribute = tokens.next().map(|group| group.to_string());
                    if is_test_cfg(&attribute.unwrap_or_default()) {
                        let item: TokenStream = item(&mut tokens);
                        self.tests.extend(
                            item.to_string().strip_suffix(';').and_then(|item| {
                                Some(item.trim().rsplit_once("mod ")?.1.to_owned())
                            }),
                        );
                    }
                }
                TokenTree::Punct(sign) => words.push(sign.to_string()),
                TokenTree::Ident(name) => words.push(name.to_string()),
                TokenTree::Literal(_) => words.push("0".to_owned()),
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Brace => ("{", "}"),
                        _ => ("(", ")"),
                    };
                    let is_module = words.iter().nth_back(1).is_some_and(|word| word == "mod");
                    words.push(open.to_owned());
                    let start = words.len();
                    self.flatten(group.stream(), words);
                    for at in start..words.len() {
                        // `super` in an inline module means the module of its file, so replace it
                        // with `self`.
                        if is_module && words[at] == "super" && words[at - 1] != ":" {
                            words[at] = "self".to_owned();
                        }
                    }
                    words.push(close.to_owned());
                }
            }
        }
    }
}

/// Returns whether an attribute, with its brackets, restricts an item to tests: `[cfg(test)]`, or
/// `[cfg(all(test, …))]` with `test` as the first condition.
fn is_test_cfg(attribute: &str) -> bool {
    let plain = attribute.replace(char::is_whitespace, "");
    plain == "[cfg(test)]" || plain.starts_with("[cfg(all(test,")
}

/// Consumes and returns the tokens of the next item, up to and including its braces or semicolon.
fn item(tokens: &mut impl Iterator<Item = TokenTree>) -> TokenStream {
    let mut item = TokenStream::new();
    for token in tokens {
        let is_last = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(sign) => sign.as_char() == ';',
            _ => false,
        };
        item.extend([token]);
        if is_last {
            break;
        }
    }
    item
}

fn is_name(word: &str) -> bool {
    word.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
}

/// Splits `words` into the path at the beginning and the rest.
fn path(words: &[String]) -> (Segments, &[String]) {
    let mut names = words[..1].to_vec();
    let mut rest = &words[1..];
    while let [first, second, name, after @ ..] = rest
        && (first.as_str(), second.as_str()) == (":", ":")
        && is_name(name)
    {
        names.push(name.clone());
        rest = after;
    }
    (names, rest)
}

/// Adds each path of a `use` tree to `found`, with the name under which it is imported. `before` is
/// the prefix of all these paths.
fn import(tree: &[String], before: &[String], found: &mut Vec<(String, Segments)>) {
    let (names, rest) = match tree {
        [word, ..] if is_name(word) => path(tree),
        _ => (vec![], tree),
    };
    let names = [before, &names].concat();
    let open = rest.iter().position(|word| word == "{");
    if let Some(open) = open {
        let mut depth = 0;
        let inner = &rest[open + 1..rest.len() - 1];
        let parts = inner.split(|word| {
            depth += i32::from(word == "{") - i32::from(word == "}");
            word == "," && depth == 0
        });
        for part in parts.filter(|part| !part.is_empty()) {
            import(part, &names, found);
        }
        return;
    }
    let alias = match rest {
        [word, alias] if word == "as" => Some(alias),
        _ => names.last(),
    };
    if let Some(alias) = alias {
        let is_self = names.last().is_some_and(|name| name == "self");
        let names = names[..names.len() - usize::from(is_self)].to_vec();
        let alias = if alias == "self" { names.last().unwrap_or(alias) } else { alias };
        found.push((alias.clone(), names.clone()));
    }
}

struct Crate {
    name: String,
    sources: BTreeMap<String, Source>,
    /// The file of each module.
    files: BTreeMap<Segments, String>,
    /// The imports of each module: the local name, and the path from the crate's root.
    imports: BTreeMap<(Segments, String), Segments>,
}

impl Crate {
    fn new(name: String, mut sources: BTreeMap<String, Source>) -> Crate {
        let tests: BTreeSet<Segments> = sources
            .values()
            .flat_map(|source| source.tests.iter().map(|test| child(&source.module, test)))
            .collect();
        sources.retain(|_, source| !tests.contains(&source.module));
        // lib.rs and main.rs are both the root. lib.rs must win, because `crate` means lib.rs in nearly all
        // files; in reverse order it is inserted last.
        let files = sources.iter().rev();
        let files = files.map(|(file, source)| (source.module.clone(), file.clone())).collect();
        let mut krate = Crate { name, sources: BTreeMap::new(), files, imports: BTreeMap::new() };
        for source in sources.values() {
            for (alias, path) in &source.imports {
                if let Some(names) = krate.absolute(&source.module, path) {
                    krate.imports.insert((source.module.clone(), alias.clone()), names);
                }
            }
        }
        krate.sources = sources;
        krate
    }

    /// Resolves a path written in `module` to a path from the crate's root. Returns `None` if it is outside
    /// this crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Segments> {
        let (first, rest) = path.split_first()?;
        let base = match first.as_str() {
            "crate" => vec![],
            "self" => module.to_vec(),
            "super" => {
                let super_count = path.iter().take_while(|name| *name == "super").count();
                let base = module.get(..module.len().checked_sub(super_count)?)?;
                return Some([base, &path[super_count..]].concat());
            }
            name if self.files.contains_key(&child(module, name)) => child(module, name),
            name if name == self.name => vec![],
            name => self.imports.get(&(module.to_vec(), name.to_owned()))?.clone(),
        };
        Some([&base, rest].concat())
    }

    /// Returns the file that defines the item of a path, after following re-exports.
    fn defining_file(&self, mut names: Segments) -> Option<&String> {
        // Longer chains of re-exports are taken for cycles.
        for _ in 0..8 {
            let depth =
                (0..=names.len()).rev().find(|&depth| self.files.contains_key(&names[..depth]))?;
            let (module, rest) = names.split_at(depth);
            let reexport = rest.first().and_then(|name| {
                self.imports.get(&(module.to_vec(), name.clone())).filter(|path| **path != names)
            });
            match reexport {
                Some(path) => names = [path.as_slice(), &rest[1..]].concat(),
                None => return self.files.get(module),
            }
        }
        None
    }

    /// Returns each file with the other files that it uses.
    fn uses(&self) -> Uses {
        let uses = self.sources.iter().map(|(file, source)| {
            let imports = source.imports.iter().map(|(_, path)| path);
            let paths = imports.chain(&source.paths);
            let used_files = paths
                .filter_map(|path| self.defining_file(self.absolute(&source.module, path)?))
                .filter(|used| *used != file);
            (file.clone(), used_files.cloned().collect())
        });
        uses.collect()
    }
}

fn child(module: &[String], name: &str) -> Segments {
    [module, &[name.to_owned()]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pairs of using and used files in a crate named `a` with these files and texts.
    fn used(files: &[(&str, &str)]) -> Vec<(String, String)> {
        let sources = files.iter().map(|(file, text)| {
            let source = Source::new(module(file), text.parse().unwrap());
            ((*file).to_owned(), source)
        });
        let uses = Crate::new("a".into(), sources.collect()).uses();
        let pairs = uses
            .into_iter()
            .flat_map(|(file, used)| used.into_iter().map(move |other| (file.clone(), other)));
        pairs.collect()
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|&(from, to)| (from.to_owned(), to.to_owned())).collect()
    }

    #[test]
    fn follows_paths_through_reexports() {
        let files = [
            ("lib.rs", "mod b; mod c; pub use b::{Two as Deux, one::One};"),
            ("b/mod.rs", "mod one; mod two; pub use self::two::Two; pub struct Own;"),
            ("b/one.rs", "pub struct One;"),
            ("b/two.rs", "use super::Own; pub struct Two(super::one::One);"),
            ("c.rs", "fn f() -> impl Sized + use<> { html! { <crate::Deux /> } }"),
        ];
        assert_eq!(
            used(&files),
            pairs(&[
                ("b/mod.rs", "b/two.rs"),
                ("b/two.rs", "b/mod.rs"),
                ("b/two.rs", "b/one.rs"),
                ("c.rs", "b/two.rs"),
                ("lib.rs", "b/one.rs"),
                ("lib.rs", "b/two.rs"),
            ])
        );
    }

    #[test]
    fn resolves_imported_modules_and_the_crate_name() {
        let files = [
            ("lib.rs", "pub mod b; mod c;"),
            ("main.rs", "fn main() { a::b::run() }"),
            ("b.rs", "pub fn run() {}"),
            ("c.rs", "use std::{fmt, io}; use crate::b::{self as bee}; fn f() { bee::run() }"),
        ];
        assert_eq!(used(&files), pairs(&[("c.rs", "b.rs"), ("main.rs", "b.rs")]));
    }

    #[test]
    fn inline_modules_belong_to_their_file() {
        let files = [
            ("lib.rs", "mod b; mod c;"),
            ("b.rs", "pub mod inner { use super::*; use crate::c::D; } pub fn run() {}"),
            ("c.rs", "pub struct D;"),
        ];
        assert_eq!(used(&files), pairs(&[("b.rs", "c.rs")]));
    }

    #[test]
    fn ignores_comments_strings_and_tests() {
        let files = [
            ("lib.rs", "mod b; mod c;"),
            ("b.rs", "pub fn run() {}"),
            (
                "c.rs",
                "/// [`crate::b::run`]\nfn f() { \"crate::b::run\"; } // crate::b::run\n\
                 #[cfg(test)] use crate::b; #[cfg(test)] mod tests { use crate::b::run; }\n\
                 #[cfg(test)] pub(crate) mod more;\n\
                 #[cfg(all(test, not(unix)))] mod rest;\n\
                 #[cfg(all(test, not(unix)))] fn only_for_tests() { crate::b::run() }",
            ),
            ("c/more.rs", "use crate::b;"),
            ("c/rest.rs", "use crate::b;"),
        ];
        assert_eq!(used(&files), pairs(&[]));
    }

    #[test]
    fn keeps_code_that_is_not_only_for_tests() {
        for condition in ["not(test)", "any(test, unix)", "not(all(test, unix))", "all(unix)"] {
            let text = format!("#[cfg({condition})] use crate::b;");
            let files = [("lib.rs", "mod b; mod c;"), ("b.rs", ""), ("c.rs", text.as_str())];
            assert_eq!(used(&files), pairs(&[("c.rs", "b.rs")]), "{condition}");
        }
    }
}
