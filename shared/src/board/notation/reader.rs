//! Reads boards from lines of text.

use alloc::{
    borrow::{Cow, ToOwned},
    string::{String, ToString},
    vec::Vec,
};
use core::mem;

use super::{Board, Notation, NotationError, columns, drawn, fold, parse_pair};

/// A board of a text, or a line without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A board. Its queens may attack each other.
    Board(Board),
    /// A line that belongs to no board.
    Ignored(Ignored),
    /// A line that is mostly a board, but damaged or ambiguous.
    Wrong {
        /// The line's number, from 1.
        line: usize,
        /// What is wrong.
        error: NotationError,
    },
}

/// A line that belongs to no board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The line's number, from 1.
    pub line: usize,
    /// The line, as it was written.
    pub text: String,
    /// Why it is not a board.
    pub error: NotationError,
}

/// Reads boards line by line, in any of the notations of [this module](super). Pass it all lines, and
/// [`finish`](Reader::finish) at the end.
#[derive(Debug, Default)]
pub struct Reader {
    line: usize,
    found: Vec<Found>,
    /// Consecutive lines of a drawing, and the number of the first one.
    drawing: Vec<String>,
    drawing_line: usize,
    /// Squares from consecutive lines with one square each.
    squares: Vec<(u32, u32)>,
    list: List,
    /// The first boards of a list, until the next line. The command prints lists as headings of drawings, which
    /// are no further boards.
    heading: Vec<Board>,
    /// The last line, if it could number the columns of a drawing.
    axis: Option<Axis>,
    /// The number of the line below the last drawing, and its side.
    below_drawing: (usize, usize),
}

/// A line such as `0 1 2 3` or `a b c d`. Next to a drawing, it numbers the columns.
#[derive(Debug)]
struct Axis {
    /// The number of columns.
    columns: usize,
    /// The line's number, from 1.
    line: usize,
    /// The list, and the line as it was written.
    list: String,
    text: String,
}

/// A statement: a list, in brackets or until the end of the line.
#[derive(Debug, Default)]
struct List {
    /// Open brackets, the outermost first, with the statement itself below them.
    open: Vec<Bracket>,
    /// The text since the last bracket.
    text: String,
    /// The first line, its number, and whether a name was in front of the list.
    first: String,
    line: usize,
    has_name: bool,
    /// Whether zeros and ones are columns, because they are no drawing.
    has_only_columns: bool,
    error: Option<NotationError>,
    /// Whether the wrong part is an exception in a list.
    is_damaged: bool,
}

#[derive(Debug, Default)]
struct Bracket {
    /// A JSON object.
    is_object: bool,
    /// The value of a field that is not a board.
    is_skipped: bool,
    squares: Vec<(u32, u32)>,
    rows: Vec<String>,
}

/// Fields of JSON objects that hold boards.
const FIELDS: [&str; 6] = ["columns", "solutions", "solution", "boards", "board", "classes"];
/// Maximum number of brackets inside each other.
const MAX_DEPTH: usize = 16;
/// Maximum number of drawings side by side that have a heading.
const MAX_HEADING: usize = 8;
const SEPARATORS: [char; 3] = [' ', ',', ';'];

impl Reader {
    /// Reads a line, without its line break, and returns the boards that end before or in it.
    pub fn line(&mut self, text: &str) -> Vec<Found> {
        self.line += 1;
        let folded = fold(text);
        let written = without_number(without_comment(&folded));
        let line = written.trim();
        if !self.list.open.is_empty() {
            self.list_line(line);
        } else if line.is_empty() {
            self.end_parts();
        } else if drawn::is_drawn(&written) {
            if self.drawing.is_empty() {
                self.drawing_line = self.line;
            }
            self.end_squares();
            self.drawing.push(written.into_owned());
        } else {
            self.end_drawing();
            match axis(line) {
                Some(columns) if self.below_drawing == (self.line, columns) => {}
                Some(columns) => {
                    let (list, text) = (line.to_owned(), text.to_owned());
                    self.axis = Some(Axis { columns, line: self.line, list, text });
                }
                None => self.begin_list(List::default(), line, text, self.line),
            }
        }
        mem::take(&mut self.found)
    }

    /// Returns the last boards.
    pub fn finish(mut self) -> Vec<Found> {
        if !self.list.open.is_empty() {
            self.list.fail(NotationError::Unclosed, true);
            self.end_list();
        }
        self.end_parts();
        self.found
    }

    fn end_parts(&mut self) {
        self.end_drawing();
        self.end_squares();
    }

    fn end_squares(&mut self) {
        let squares = mem::take(&mut self.squares);
        if !squares.is_empty() {
            let line = self.line.saturating_sub(squares.len()).max(1);
            self.found.push(Found::Board(Board {
                line,
                notation: Notation::Squares,
                size: None,
                squares,
            }));
        }
    }

    fn end_drawing(&mut self) {
        let lines = mem::take(&mut self.drawing);
        let heading = mem::take(&mut self.heading);
        let first = self.drawing_line;
        let is_digits = |line: &String| line.chars().all(|sign| matches!(sign, '0' | '1' | ' '));
        let boards = drawn::boards(&lines);
        let side = boards.as_ref().and_then(|boards| boards.as_ref().ok()?.first());
        let side = side.map(|&(_, side, _)| side as usize);
        let is_above = |axis: &Axis| axis.line + 1 == first && side == Some(axis.columns);
        if let Some(Axis { line, list, text, .. }) = self.axis.take_if(|axis| !is_above(axis)) {
            self.begin_list(List::default(), &list, &text, line);
        }
        self.axis = None;
        self.below_drawing = (first + lines.len(), side.unwrap_or_default());
        match boards {
            None => {
                let is_rule = |line: &String| line.chars().all(|sign| "+-=| ".contains(sign));
                if lines.iter().any(|line| !is_rule(line)) && !lines.iter().all(is_digits) {
                    for (line, text) in (first..).zip(lines) {
                        self.found.push(Found::Ignored(Ignored {
                            line,
                            text,
                            error: NotationError::NoQueen,
                        }));
                    }
                } else if lines.iter().all(is_digits) {
                    self.digit_lines(lines);
                }
            }
            Some(Ok(boards)) => {
                for (number, (index, side, squares)) in boards.into_iter().enumerate() {
                    let board = Board {
                        line: first + index,
                        notation: Notation::Drawing,
                        size: Some(side),
                        squares,
                    };
                    let is_heading =
                        |above: &Board| above.line + 1 == first && above.squares == board.squares;
                    if !heading.get(number).is_some_and(is_heading) {
                        self.found.push(Found::Board(board));
                    }
                }
            }
            // Lists of small numbers, such as `1 0`.
            Some(Err(_)) if lines.iter().all(is_digits) => self.digit_lines(lines),
            Some(Err(error)) => match &*lines {
                [text] => self.found.push(Found::Ignored(Ignored {
                    line: first,
                    text: text.clone(),
                    error,
                })),
                _ => self.found.push(Found::Wrong { line: first, error }),
            },
        }
    }

    fn digit_lines(&mut self, lines: Vec<String>) {
        for (line, text) in (self.drawing_line..).zip(lines) {
            let list = List { has_only_columns: true, ..List::default() };
            self.begin_list(list, text.trim(), &text, line);
        }
    }

    fn begin_list(&mut self, list: List, line: &str, written: &str, number: usize) {
        let (has_name, line) = without_name(line);
        self.list = List { line: number, has_name, first: written.to_owned(), ..list };
        self.list.open.push(Bracket::default());
        let fen = line.split(' ').next().filter(|word| is_fen(word));
        match fen.map(fen_board) {
            Some(Ok((size, squares))) => self.emit(Notation::Fen, Some(size), squares),
            Some(Err(error)) => self.list.fail(error, true),
            None => return self.list_line(line),
        }
        self.end_list();
    }

    /// Reads a line of a list.
    fn list_line(&mut self, line: &str) {
        let mut quote = None;
        for sign in line.chars() {
            match (quote, sign) {
                (Some(open), _) => {
                    quote = quote.filter(|_| open != sign);
                    self.list.text.push(sign);
                }
                (None, '"' | '\'') => {
                    quote = Some(sign);
                    self.list.text.push(sign);
                }
                (None, '[' | '(' | '{') => self.open(),
                (None, ']' | ')' | '}') => self.close(),
                (None, _) => self.list.text.push(sign),
            }
        }
        self.list.text.push(' ');
        // An opening bracket in prose would swallow all lines below.
        let is_prose = || {
            let is_object = self.list.open.last().is_some_and(|bracket| bracket.is_object);
            let text = &self.list.text;
            !is_object
                && !text.contains(['"', '\''])
                && text.contains(|sign: char| sign.is_alphabetic())
        };
        if self.list.open.len() <= 1 || self.list.error.is_some() || is_prose() {
            self.leaf();
            self.end_list();
        }
    }

    fn open(&mut self) {
        let before = self.list.text.trim_matches(SEPARATORS);
        let key = before
            .strip_suffix(':')
            .map(|name| name.trim_end_matches(' ').trim_end_matches(['"', '\'']));
        let key = key.map(|name| name.rsplit(['"', '\'']).next().unwrap_or_default().to_owned());
        match (key, self.list.open.last_mut()) {
            (Some(key), Some(bracket)) => {
                bracket.is_object = true;
                let is_skipped = bracket.is_skipped || !FIELDS.contains(&&*key);
                self.list.text.clear();
                self.list.open.push(Bracket { is_skipped, ..Bracket::default() });
            }
            _ => {
                self.leaf();
                let is_skipped = self.list.open.last().is_some_and(|bracket| bracket.is_skipped);
                self.list.open.push(Bracket { is_skipped, ..Bracket::default() });
            }
        }
        if self.list.open.len() > MAX_DEPTH {
            self.list.fail(NotationError::Unclosed, true);
        }
    }

    fn close(&mut self) {
        if self.list.open.len() < 2 {
            let part = self.list.first.clone();
            return self.list.fail(NotationError::NoColumn(part), false);
        }
        self.leaf();
        if let Some(bracket) = self.list.open.pop() {
            if !bracket.squares.is_empty() {
                self.emit(Notation::Squares, None, bracket.squares);
            }
            if !bracket.rows.is_empty() {
                match drawn::boards(&bracket.rows) {
                    Some(Ok(boards)) => {
                        for (_, side, squares) in boards {
                            self.emit(Notation::Drawing, Some(side), squares);
                        }
                    }
                    Some(Err(error)) => self.list.fail(error, true),
                    None => self.list.fail(NotationError::NoQueen, true),
                }
            }
        }
    }

    /// Ends the statement.
    fn end_list(&mut self) {
        let mut list = mem::take(&mut self.list);
        let outermost = list.open.drain(..).next().unwrap_or_default();
        if let Some(error) = list.error {
            let is_board =
                |found: &Found| matches!(found, Found::Board(board) if board.line == list.line);
            if list.is_damaged {
                self.found.push(Found::Wrong { line: list.line, error });
            } else if !self.found.iter().any(is_board) {
                self.found.push(Found::Ignored(Ignored {
                    line: list.line,
                    text: list.first,
                    error,
                }));
            }
            return;
        }
        match &*outermost.squares {
            [] => {}
            // A name in front of two numbers is usually something else, such as a time.
            [_] if list.has_name => {
                let error = NotationError::NoColumn(list.first.trim().to_owned());
                self.found.push(Found::Ignored(Ignored {
                    line: list.line,
                    text: list.first,
                    error,
                }));
            }
            [square] => {
                self.squares.push(*square);
                return;
            }
            _ => {
                self.list.line = list.line;
                self.emit(Notation::Squares, None, outermost.squares);
            }
        }
        self.end_squares();
        if self.drawing.is_empty() {
            self.drawing_line = list.line;
        }
        self.drawing.extend(outermost.rows);
    }

    /// Reads the text between two brackets.
    fn leaf(&mut self) {
        let text = mem::take(&mut self.list.text);
        let depth = self.list.open.len();
        let Some(bracket) = self.list.open.last_mut() else { return };
        if bracket.is_skipped
            || text.trim().is_empty()
            || depth > 1 && text.trim_matches(SEPARATORS).is_empty()
        {
            return;
        }
        if text.contains(['"', '\'']) {
            bracket.is_object |= text.contains("\":") || text.contains("':");
            if !bracket.is_object {
                self.texts(&text);
            }
            return;
        }
        if bracket.is_object {
            return;
        }
        // After a nested list only separators follow.
        if text.trim_matches(SEPARATORS).is_empty() && self.list.has_boards(&self.found) {
            return;
        }
        for part in lists(&text) {
            match part.and_then(|part| self.part(part)) {
                Ok(()) => {}
                Err(error) => {
                    let is_damaged =
                        matches!(error, NotationError::AmbiguousList(_)) || is_mostly_list(&text);
                    return self.list.fail(error, is_damaged);
                }
            }
        }
    }

    /// Reads quoted texts: rows of a drawing, their squares, or columns as digits.
    fn texts(&mut self, text: &str) {
        let texts: Vec<&str> = text.split(['"', '\'']).skip(1).step_by(2).collect();
        if texts.iter().all(|text| is_digits(text)) {
            return texts.iter().for_each(|text| self.digits(text));
        }
        if let Some(other) = texts.iter().find(|text| !drawn::is_drawn(text)) {
            return self.list.fail(NotationError::NoColumn((*other).to_owned()), false);
        }
        let is_one_row = texts.len() > 1 && texts.iter().all(|text| text.len() == 1);
        if is_one_row {
            self.list.around().rows.push(texts.concat());
        } else if let Some(bracket) = self.list.open.last_mut() {
            bracket.rows.extend(texts.into_iter().map(str::to_owned));
        }
    }

    /// Reads a list of squares or columns.
    fn part(&mut self, text: &str) -> Result<(), NotationError> {
        let words = || text.split(SEPARATORS).filter(|word| !word.is_empty());
        if text.contains(':') {
            let text = text.replace(" :", ":").replace(": ", ":");
            let pairs = text.split(SEPARATORS).filter(|word| !word.is_empty());
            let pairs = pairs.map(parse_pair).collect::<Result<Vec<_>, _>>()?;
            if let Some(bracket) = self.list.open.last_mut() {
                bracket.squares.extend(pairs);
            }
        } else if words().any(|word| algebraic(word).is_some()) {
            let square =
                |word| algebraic(word).ok_or_else(|| NotationError::NoSquare(String::from(word)));
            let squares = words().map(square).collect::<Result<_, _>>()?;
            self.emit(Notation::Algebraic, None, squares);
        } else if words().all(is_digits) && words().next().is_some() {
            words().for_each(|word| self.digits(word));
        } else {
            match &*columns(text)? {
                [] => {}
                [one] if *one > 1 || self.list.has_name => {
                    return Err(NotationError::NoColumn(text.trim_matches(SEPARATORS).to_owned()));
                }
                &[row, column] => self.list.around().squares.push((row, column)),
                // As columns they would attack each other.
                bits if !self.list.has_only_columns
                    && bits.len() > 2
                    && bits.iter().all(|&bit| bit < 2) =>
                {
                    self.list.around().rows.push(bits.iter().map(ToString::to_string).collect());
                }
                columns => self.columns(columns),
            }
        }
        Ok(())
    }

    fn digits(&mut self, text: &str) {
        let columns: Vec<u32> = text.chars().filter_map(|digit| digit.to_digit(10)).collect();
        self.columns(&columns);
    }

    /// Adds a board from its columns. Counted from 1, a full board has a column N, and no column 0.
    fn columns(&mut self, columns: &[u32]) {
        let is_from_1 = !columns.contains(&0) && columns.contains(&(columns.len() as u32));
        let first = u32::from(is_from_1);
        let squares = (0..).zip(columns.iter().map(|column| column - first)).collect();
        self.emit(Notation::Columns { first }, Some(columns.len() as u32), squares);
    }

    fn emit(&mut self, notation: Notation, size: Option<u32>, squares: Vec<(u32, u32)>) {
        let board = Board { line: self.list.line, notation, size, squares };
        if self.heading.len() < MAX_HEADING {
            self.heading.push(board.clone());
        }
        self.found.push(Found::Board(board));
    }
}

impl List {
    fn fail(&mut self, error: NotationError, is_damaged: bool) {
        if self.error.is_none() {
            self.error = Some(error);
            self.is_damaged = is_damaged;
        }
    }

    /// The bracket around the innermost one, or the statement.
    fn around(&mut self) -> &mut Bracket {
        let index = self.open.len().saturating_sub(2);
        if self.open.is_empty() {
            self.open.push(Bracket::default());
        }
        &mut self.open[index]
    }

    fn has_boards(&self, found: &[Found]) -> bool {
        !found.is_empty() || self.open.iter().any(|bracket| !bracket.squares.is_empty())
    }
}

/// The number of columns that a line numbers in order, such as `0 1 2 3`, `12345678` or `a b c d`. `None` if it does
/// not. From the tenth column, a number may be its last digit.
fn axis(line: &str) -> Option<usize> {
    let is_glued = !line.contains(' ');
    let words: Vec<&str> =
        line.split(if is_glued { "" } else { " " }).filter(|word| !word.is_empty()).collect();
    let is_numbered = |first: usize| {
        let mut columns = (first..).zip(&words);
        columns.all(|(column, word)| {
            word.parse().is_ok_and(|number| [column, column % 10].contains(&number))
        })
    };
    let is_lettered = || {
        let mut letters = ('a'..='z').zip(&words);
        letters.all(|(letter, word)| {
            word.len() == 1 && word.eq_ignore_ascii_case(letter.encode_utf8(&mut [0]))
        })
    };
    // Two numbers are a square.
    (words.len() > 2 && (is_numbered(0) || is_numbered(1) || words.len() <= 26 && is_lettered()))
        .then_some(words.len())
}

/// Removes a comment behind `#` or `//`. A text in quotes may contain these signs.
fn without_comment(line: &str) -> &str {
    let end = [" # ", " // "].iter().filter_map(|sign| line.find(sign)).min();
    let end = end.filter(|_| !line.contains(['"', '\'']));
    end.and_then(|end| line.get(..end)).unwrap_or(line)
}

/// Replaces the number of a row of a drawing by spaces, in front of it or on both sides, as in `8 Q . . . 8`.
fn without_number(line: &str) -> Cow<'_, str> {
    let mut words = line.split(' ').filter(|word| !word.is_empty());
    let is_number = |word: &&str| word.bytes().all(|sign| sign.is_ascii_digit());
    let Some(number) = words.next().filter(is_number) else { return Cow::Borrowed(line) };
    if words.clone().next_back() == Some(number) {
        words.next_back();
    }
    let signs: String = words.collect();
    let is_row = signs.len() > 3
        && signs.contains(['Q', 'q'])
        && !signs.contains(['0', '1'])
        && drawn::is_drawn(&signs);
    match is_row {
        true => Cow::Owned(line.replace(|sign: char| sign.is_ascii_digit(), " ")),
        false => Cow::Borrowed(line),
    }
}

/// Removes a name in front of a list, such as `q = `, `Solution 1: `, `array` or `3. `. Returns whether there
/// was one.
fn without_name(line: &str) -> (bool, &str) {
    let is_name = line.starts_with(|sign: char| sign.is_alphabetic() || sign == '#');
    let after = |(at, sign): (usize, char)| {
        let rest = line.get(at..)?;
        let after = rest.strip_prefix(sign)?;
        match sign {
            '=' if is_name => Some(after),
            ':' if is_name && after.starts_with([' ', '[', '(', '{']) => Some(after),
            '[' | '(' | '{' if is_name => Some(rest),
            '.' | ')' | ':' if !is_name => {
                let is_number = line.get(..at)?.bytes().all(|digit| digit.is_ascii_digit());
                let is_list = after.starts_with(' ') && !after.contains(':');
                (at > 0 && is_number && is_list && after.trim().contains(' ')).then_some(after)
            }
            _ => None,
        }
    };
    let list = line.char_indices().find_map(after);
    (list.is_some(), list.map_or(line, str::trim_start))
}

/// Splits a list at semicolons if they separate lists rather than numbers.
fn lists(text: &str) -> Vec<Result<&str, NotationError>> {
    let numbers = |part: &str| part.split([' ', ',']).filter(|word| !word.is_empty()).count();
    let parts = || text.split(';').filter(|part| numbers(part) > 0);
    let counts: Vec<usize> = parts().map(numbers).collect();
    if text.contains(';') && counts.len() > 1 && counts.iter().any(|&count| count > 1) {
        if counts.iter().all(|&count| count == 2) && !text.contains(':') {
            return Vec::from([Err(NotationError::AmbiguousList(text.trim().to_owned()))]);
        }
        return parts().map(Ok).collect();
    }
    // Headings of drawings side by side.
    let beside = || text.split("   ").filter(|part| numbers(part) > 0);
    let count = beside().map(numbers).next().unwrap_or_default();
    if count > 3 && beside().count() > 1 && beside().all(|part| numbers(part) == count) {
        return beside().map(Ok).collect();
    }
    // In the CSV files of the page, a cell has all columns of a board, separated by spaces.
    let cells: Vec<&str> = text.split(',').collect();
    match cells.iter().find(|cell| numbers(cell) > 3) {
        Some(cell) if cells.iter().any(|cell| numbers(cell) == 1) => Vec::from([Ok(*cell)]),
        _ => Vec::from([Ok(text)]),
    }
}

/// Whether a line with a wrong part is a damaged list rather than prose.
fn is_mostly_list(text: &str) -> bool {
    let words = || text.split(SEPARATORS).filter(|word| !word.is_empty());
    let is_right = |word: &&str| {
        word.parse::<u32>().is_ok() || parse_pair(word).is_ok() || algebraic(word).is_some()
    };
    let right = words().filter(is_right).count();
    words().next().as_ref().is_some_and(is_right) && right > 1 && right * 2 > words().count()
}

/// Whether a word is a board as digits, such as `1302`: of 4 to 9 columns, each at most N.
fn is_digits(word: &str) -> bool {
    (4..=9).contains(&word.len())
        && word
            .chars()
            .all(|digit| digit.to_digit(10).is_some_and(|digit| digit as usize <= word.len()))
        && word.chars().any(|digit| digit > '1')
}

/// The rank, from 1 at the bottom, and the file, from 0 at the left, of a square such as `b3` or `Qb3`.
fn algebraic(word: &str) -> Option<(u32, u32)> {
    let mut signs = word.strip_prefix('Q').unwrap_or(word).chars();
    let file = signs.next().filter(char::is_ascii_lowercase)?;
    let rank = signs.as_str();
    let is_rank = rank.len() < 3 && rank.bytes().all(|digit| digit.is_ascii_digit());
    Some((rank.parse().ok().filter(|_| is_rank)?, u32::from(file) - u32::from('a')))
}

fn is_fen(word: &str) -> bool {
    word.contains('/')
        && word.contains(['Q', 'q'])
        && word.chars().all(|sign| "Qq/".contains(sign) || sign.is_ascii_digit())
}

/// Reads rows of FEN: numbers of empty squares, and queens, as in `1Q2/3Q/Q3/2Q1`.
fn fen_board(word: &str) -> Result<(u32, Vec<(u32, u32)>), NotationError> {
    let mut squares = Vec::new();
    let rows = word.split('/').count();
    for (row, text) in word.split('/').enumerate() {
        let mut column = 0_u32;
        for run in text.split_inclusive(['Q', 'q']) {
            let empty = run.trim_end_matches(['Q', 'q']);
            column = column.saturating_add(if empty.is_empty() {
                0
            } else {
                empty.parse().unwrap_or(u32::MAX)
            });
            if run.len() > empty.len() {
                squares.push((row as u32, column));
                column = column.saturating_add(1);
            }
        }
        if column as usize != rows {
            return Err(NotationError::UnevenRow { row, squares: column as usize, usual: rows });
        }
    }
    Ok((rows as u32, squares))
}
