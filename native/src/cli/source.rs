//! Reads what users bring: result documents, lists of solutions, tables, and boards in arguments.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read},
    path::{Path, PathBuf},
};

use queens_core::{
    document::{Checks, Document},
    material::{Checker, Material, is_document},
    notation::{self, Board, NotationError},
};

use super::{
    failure::{Failure, Message},
    output,
};
use queens::{journal, paths, server::LARGEST_DOCUMENT};

/// What a file holds.
pub enum Content {
    Document(Document, Checks),
    Material(Material),
}

/// Number of bytes that tell a document from other texts.
const HEAD: u64 = 1 << 13;
/// Limit on the length of a line, which may be a list of many boards, and on UTF-16, which is not streamed.
const LONGEST: u64 = 1 << 26;

/// Returns the name of a file for messages.
pub fn name(path: &Path) -> String {
    if path == "-" { "standard input".to_owned() } else { paths::shown(path) }
}

/// Reads a document and checks its numbers. Returns the passed checks.
///
/// # Errors
/// [`Failure`] if the file cannot be read, is damaged, or contradicts itself or the published values.
pub fn read_checked(path: &Path) -> Result<(Document, Checks), Failure> {
    let text = open(path).and_then(|(head, source)| read_text(head, source));
    check(path, &text.map_err(|error| unreadable(path, error))?)
}

fn check(path: &Path, text: &str) -> Result<(Document, Checks), Failure> {
    let document = Document::parse(text);
    let document = document.map_err(|source| Failure::Damaged { file: name(path), source })?;
    match document.check() {
        Ok(passed) => Ok((document, passed)),
        Err(found) => Err(Failure::Inconsistent { file: name(path), found }),
    }
}

/// Reads a document, or checks the lists or the table in a file line by line.
///
/// # Errors
/// [`Failure`] if the file cannot be read, or is a wrong document.
pub fn read(path: &Path) -> Result<Content, Failure> {
    let failed = |error| unreadable(path, error);
    let (head, source) = open(path).map_err(failed)?;
    let even = head.get(..head.len() & !1).unwrap_or_default();
    let start = notation::decode(even).unwrap_or_else(|| String::from_utf8_lossy(&head));
    if is_document(&start) {
        let text = read_text(head, source).map_err(failed)?;
        return check(path, &text).map(|(document, passed)| Content::Document(document, passed));
    }
    let is_utf16 = !even.is_empty() && matches!(notation::decode(even), Some(Cow::Owned(_)));
    let mut checker = Checker::default();
    if is_utf16 {
        let text = read_all(head, source, LONGEST).map_err(failed)?;
        text.lines().for_each(|line| checker.line(line));
    } else {
        each_line(BufReader::new(Cursor::new(head).chain(source)), |line| checker.line(line))
            .map_err(failed)?;
    }
    Ok(Content::Material(checker.finish()))
}

fn unreadable(path: &Path, source: io::Error) -> Failure {
    if path != "-" && journal::is_journal(path) {
        let text = format!("{} is a journal, not a result document", paths::shown(path));
        let hint =
            format!("`queens resume {} -o FILE` writes its result", paths::shell_quoted(path));
        Failure::Data(Message::new(text).with_hint(hint))
    } else {
        Failure::Unreadable { file: name(path), source }
    }
}

/// Opens a file, or stdin for `-`, and reads its first bytes.
fn open(path: &Path) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut source: Box<dyn Read> =
        if path == "-" { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let mut head = Vec::new();
    source.by_ref().take(HEAD).read_to_end(&mut head)?;
    Ok((head, source))
}

fn read_text(head: Vec<u8>, source: Box<dyn Read>) -> io::Result<String> {
    // In UTF-16, a document may have twice as many bytes.
    let text = read_all(head, source, 2 * LARGEST_DOCUMENT as u64)?;
    match text.len() {
        0..=LARGEST_DOCUMENT => Ok(text),
        _ => Err(too_large(LARGEST_DOCUMENT as u64)),
    }
}

/// Reads and decodes a whole text of at most `most` bytes.
fn read_all(mut bytes: Vec<u8>, source: Box<dyn Read>, most: u64) -> io::Result<String> {
    source.take(most).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_large(most));
    }
    let text = notation::decode(&bytes).map(Cow::into_owned);
    text.ok_or_else(|| io::Error::other("it is neither UTF-8 nor UTF-16 text"))
}

fn too_large(most: u64) -> io::Error {
    io::Error::other(format!("it is larger than {} MB", most >> 20))
}

/// Passes on the lines of UTF-8 text, without their line breaks.
fn each_line(mut source: impl BufRead, mut each: impl FnMut(&str)) -> io::Result<()> {
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        if source.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 == LONGEST {
            let text = format!("line {number} is longer than {} MB", LONGEST >> 20);
            return Err(io::Error::other(text));
        }
        let text = str::from_utf8(&line)
            .map_err(|_| io::Error::other(format!("line {number} is not UTF-8 text")))?;
        each(text.trim_end_matches('\n'));
    }
    Ok(())
}

/// Replaces patterns by the files that match them, because some shells, such as those of Windows, do not.
///
/// # Errors
/// [`Failure::Arguments`] if a name or a pattern has no file.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let missing =
            |what: &str| Failure::Arguments(format!("{what} {}", paths::shown(path)).into());
        let pattern = path.to_str().filter(|name| name.contains(['*', '?']));
        // A broken link and a file in a closed folder exist; opening them gives the reason.
        if path == "-" || !matches!(path.try_exists(), Ok(false)) || path.is_symlink() {
            files.push(path.clone());
        } else if let Some(pattern) = pattern {
            let found = glob::glob(pattern).map_err(|_| missing("invalid pattern"))?;
            let count = files.len();
            files.extend(found.flatten());
            if files.len() == count {
                return Err(missing("no file matches"));
            }
        } else {
            return Err(missing("no such file:"));
        }
    }
    Ok(files)
}

/// A board in an argument, in a file that the argument names, or on stdin for `-`.
pub struct Given {
    text: String,
    /// The file, if there is one.
    file: Option<String>,
}

impl Given {
    /// # Errors
    /// [`Failure`] if stdin or the file cannot be read.
    pub fn new(argument: &str) -> Result<Given, Failure> {
        let path = Path::new(argument);
        if argument != "-" && !path.is_file() {
            return Ok(Given { text: argument.to_owned(), file: None });
        }
        let text = open(path).and_then(|(head, source)| read_text(head, source));
        let text = text.map_err(|source| Failure::Unreadable { file: name(path), source })?;
        Ok(Given { text, file: (argument != "-").then(|| name(path)) })
    }

    /// Returns the board, or `None` if the text is empty. Names ignored lines on stderr.
    ///
    /// # Errors
    /// [`NotationError`] if the text has no board or several.
    pub fn board(&self) -> Result<Option<Board>, NotationError> {
        let (board, ignored) = notation::board(&self.text)?;
        for line in ignored {
            output::note(format!("line {} ignored: {}", line.line, excerpt(&line.text)));
        }
        Ok(board)
    }

    /// Returns the failure for a wrong board, with the notations if the text could not be read.
    pub fn reject(&self, error: &NotationError) -> Failure {
        let text = error.explained();
        let is_read = matches!(
            error,
            NotationError::Placement(_) | NotationError::Outside(_) | NotationError::Twice(_)
        );
        let hint = format!("given: {}; {}", excerpt(&self.text), notation::READ);
        let hinted = |text: String| match is_read {
            true => Message::new(text),
            false => Message::new(text).with_hint(hint),
        };
        match &self.file {
            Some(file) => Failure::Data(hinted(format!("{file}: {text}"))),
            None => Failure::Arguments(hinted(text)),
        }
    }
}

/// The start of a text, on one line.
fn excerpt(text: &str) -> String {
    notation::excerpt(&paths::on_one_line(text.trim()), 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads tests/data/wrong-boards.txt, whose sentences a test of the page compares, too.
    #[test]
    fn rejects_boards_with_the_sentences_of_the_page() {
        let file = include_str!("../../../tests/data/wrong-boards.txt");
        let lines: Vec<&str> = file.lines().filter(|line| !line.starts_with('#')).collect();
        for case in lines.chunks(3) {
            let given = Given::new(&case[0].replace("\\n", "\n")).unwrap();
            let board = given.board().map(Option::unwrap_or_default);
            let error = board.and_then(|board| board.placement()).unwrap_err();
            assert_eq!(given.reject(&error).to_string(), case[1], "{}", case[0]);
        }
    }
}
