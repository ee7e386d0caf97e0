//! The texts of an exercise: its question, its hints, and the verdict on an answer.

use std::cmp::Ordering;

use queens_core::{
    Answer, Attacker, Class, Comparison, Exercise, Line, Outcome, Placement, Queens, Question,
    Register, RowBits, Rule, Square, SquareState, Stepped, Transform,
};

use crate::search::sentences;
use crate::search::state::{Action, ExploreState, Snapshot};
use crate::words::{Language, Term, tr, transform_name};

/// An exercise with its search at the step that is shown.
#[derive(Clone, Debug)]
pub struct ExerciseState {
    pub exercise: Exercise,
    /// The search at the step of the exercise; `None` if the exercise has no search.
    pub state: Option<ExploreState>,
}

impl ExerciseState {
    /// Moves the search of an exercise to its step.
    pub fn new(exercise: Exercise) -> ExerciseState {
        let state = exercise.search.map(|(method, step)| {
            let mut state = ExploreState::new(method, exercise.size());
            state.apply(Action::MoveTo(step));
            state.work(&mut || true);
            state
        });
        ExerciseState { exercise, state }
    }

    /// Whether exactly one square is to be marked.
    pub fn is_single(&self) -> bool {
        let question = &self.exercise.question;
        self.asks_next_queen() || matches!(question, Question::Branch { corner: false, .. })
    }

    /// Whether the question asks where the search places its next queen.
    pub fn asks_next_queen(&self) -> bool {
        self.exercise.question == Question::NextQueen
    }

    /// A square in words. Exercises about the first methods do not name bits.
    pub fn square_name(&self, language: Language, square: Square) -> String {
        let method = self.exercise.search.map(|(method, _)| method.facts());
        sentences::square_name(language, square, method)
    }

    /// Whether the board shows the bit numbers of its columns, because the question is about bits.
    pub fn shows_bits(&self) -> bool {
        let question = &self.exercise.question;
        matches!(question, Question::Word { .. }) || follows_from_bound1(question)
    }

    /// The row that the question is about.
    pub fn row(&self) -> Option<u32> {
        match self.exercise.question {
            Question::Attacked { row } | Question::Word { row, .. } => Some(row),
            Question::Closed { row, .. } => row,
            _ => None,
        }
    }

    /// Returns the part of the text keys that identifies this kind of question, such as `next` in
    /// `lesson.ask-next`.
    fn kind(&self) -> &'static str {
        match self.exercise.question {
            Question::NextQueen => "next",
            Question::Attacked { .. } => "attacked",
            Question::Word { .. } => "word",
            Question::Closed { row: Some(_), .. } => "half",
            Question::Closed { .. } => "closed",
            Question::Branch { corner: false, .. } => "branch",
            Question::Branch { .. } => "corner",
            Question::Bound2 { .. } => "bound2",
            Question::Cells => "cells",
            Question::Class => "class",
            Question::Smallest(_) => "smallest",
            Question::Compare(_) => "compare",
            Question::OtherColour => "other-colour",
        }
    }

    /// Returns the text with this key, with its placeholders replaced by the values of this
    /// exercise.
    fn text(&self, language: Language, key: &str) -> String {
        let last = self.exercise.size().last();
        let bound1 = match self.exercise.question {
            Question::Branch { bound1, .. } | Question::Bound2 { bound1 } => bound1,
            _ => self.snapshot().and_then(|now| now.view.masks).map_or(0, |masks| masks.bound1),
        };
        let name = match self.exercise.question {
            Question::Word { register, .. } => register.name().to_owned(),
            Question::Closed { rule, .. } => Term::of_rule(rule).name(language),
            Question::Compare(transform) => transform_name(language, transform),
            _ => String::new(),
        };
        let line = match self.exercise.question {
            Question::Word { register, .. } => sentences::line_name(language, line_of(register)),
            _ => String::new(),
        };
        tr!(
            language,
            key,
            row = self.row().unwrap_or_default(),
            name = name,
            line = line,
            bound1 = bound1,
            bound2 = last - bound1.min(last),
            last = last,
        )
    }

    /// Returns the question. On a full board, it says so, and how far the counter of the first method is: otherwise
    /// all levels of that lesson would ask the same.
    pub fn question(&self, language: Language) -> String {
        let Exercise { board, search, .. } = &self.exercise;
        if self.asks_next_queen() && board.len() == board.size().get() {
            let columns: Vec<u32> = board.squares().map(|square| square.to_left().1).collect();
            let is_counter = search.is_some_and(|(method, _)| method == Stepped::BruteForce);
            let at_edge = columns.iter().rev().take_while(|&&column| is_counter && column == 0);
            return match at_edge.count() {
                0 => tr!(language, "lesson.ask-next-full"),
                1 => tr!(language, "lesson.ask-next-edge"),
                rows => tr!(language, "lesson.ask-next-edges", rows = rows),
            };
        }
        self.text(language, &format!("lesson.ask-{}", self.kind()))
    }

    /// Explains how to find the answer.
    fn approach(&self, language: Language) -> String {
        let kind = match self.exercise.question {
            Question::Closed { row: None, rule: Rule::Corner } => "rule-corner",
            Question::Closed { row: None, rule } => rule.id(),
            _ => self.kind(),
        };
        self.text(language, &format!("lesson.hint-{kind}"))
    }

    /// Returns the explanation that follows "Right."; empty if the marked board already shows why.
    pub fn explanation_if_right(&self, language: Language) -> String {
        match (&self.exercise.question, &self.exercise.answer) {
            (Question::NextQueen, _) => tr!(language, "lesson.placed"),
            (Question::Class | Question::Compare(_), Answer::Choice(right)) => {
                self.explain_choice(language, *right)
            }
            (question, _) if follows_from_bound1(question) => self.approach(language),
            _ => String::new(),
        }
    }

    /// Returns hint 0, which explains how to find the answer, or hint 1, which gives away a part of
    /// it.
    pub fn hint(&self, language: Language, number: u32) -> String {
        if number == 0 {
            return match (&self.exercise.question, self.exercise.search) {
                (Question::NextQueen, Some((method, _))) => {
                    tr!(language, format!("lesson.hint-next-{}", method.id()))
                }
                _ => self.approach(language),
            };
        }
        match &self.exercise.answer {
            Answer::Squares(squares) => {
                let all = squares.len();
                let (row, column) = squares.squares().next().map_or((0, 0), Square::to_left);
                if self.asks_next_queen() {
                    tr!(language, "lesson.hint-row", row = row)
                } else if all == 1 {
                    tr!(language, "lesson.hint-only", row = row, column = column)
                } else {
                    tr!(language, "lesson.hint-one", all = all, row = row, column = column)
                }
            }
            Answer::Choice(right) => {
                let wrong = (*right + 1) % self.choices().max(1);
                tr!(language, "lesson.hint-not", choice = self.choice(language, wrong))
            }
        }
    }

    /// The number of choices.
    pub fn choices(&self) -> usize {
        match &self.exercise.question {
            Question::Class | Question::Compare(_) => 3,
            Question::Smallest(images) => images.len(),
            _ => 0,
        }
    }

    /// Returns the name of a choice.
    pub fn choice(&self, language: Language, number: usize) -> String {
        let class =
            Question::CLASSES.get(number).filter(|_| self.exercise.question == Question::Class);
        let outcome = match self.exercise.question {
            Question::Compare(_) => Question::OUTCOMES.get(number),
            _ => None,
        };
        match (class, outcome) {
            (Some(class), _) => class.to_string(),
            (_, Some(Outcome::ImageSmaller)) => tr!(language, "lesson.image-smaller"),
            (_, Some(Outcome::Same)) => tr!(language, "lesson.image-same"),
            (_, Some(Outcome::ImageLarger)) => tr!(language, "lesson.image-larger"),
            _ => tr!(language, "lesson.choice", number = number + 1),
        }
    }

    /// The board of a choice, if it has one: an image.
    pub fn board(&self, number: usize) -> Option<Queens> {
        match &self.exercise.question {
            Question::Smallest(images) => images.get(number).map(Queens::from),
            _ => None,
        }
    }

    fn snapshot(&self) -> Option<&Snapshot> {
        self.state.as_ref().map(ExploreState::snapshot)
    }

    /// Returns the verdict on an answer; `given` is `None` if no choice was made. An empty answer
    /// is neither right nor wrong: for it, this returns only a request to answer.
    pub fn verdict(&self, language: Language, given: Option<&Answer>) -> String {
        let Some(given) = given.filter(|given| !self.is_empty(given)) else {
            return match self.exercise.answer {
                Answer::Squares(_) => tr!(language, "lesson.nothing-marked"),
                Answer::Choice(_) => tr!(language, "lesson.nothing-chosen"),
            };
        };
        let (verdict, why) = match self.reason(language, given) {
            None => ("lesson.right", self.explanation_if_right(language)),
            Some(why) => ("lesson.wrong", why),
        };
        tr!(language, verdict) + language.space() + &why
    }

    /// Whether an answer marks no square, although the right answer marks some.
    pub fn is_empty(&self, given: &Answer) -> bool {
        *given != self.exercise.answer
            && matches!(given, Answer::Squares(squares) if squares.is_empty())
    }

    pub fn is_right(&self, given: &Answer) -> bool {
        *given == self.exercise.answer
    }

    /// The reason why an answer is wrong, or `None` for the right answer.
    pub fn reason(&self, language: Language, given: &Answer) -> Option<String> {
        if self.is_right(given) {
            return None;
        }
        Some(match (given, &self.exercise.answer) {
            (Answer::Squares(given), Answer::Squares(right)) => {
                self.explain_squares(language, given, right)
            }
            (Answer::Choice(given), _) => self.explain_choice(language, *given),
            (Answer::Squares(_), _) => tr!(language, "lesson.nothing-chosen"),
        })
    }

    fn explain_squares(&self, language: Language, given: &Queens, right: &Queens) -> String {
        let extra = given.squares().find(|&square| !right.contains(square));
        let missing = right.squares().find(|&square| !given.contains(square));
        let missing_count = right.squares().filter(|&square| !given.contains(square)).count();
        let name = |square| self.square_name(language, square);
        let (what, square) = match (extra, missing) {
            (Some(square), _) => {
                let reason = self.explain_square(language, square, true);
                // Most reasons name the square themselves.
                if reason.to_lowercase().contains(&name(square)) {
                    return reason;
                }
                (tr!(language, "lesson.too-much", square = name(square)), square)
            }
            (None, Some(square)) if !given.is_empty() => {
                let what =
                    tr!(language, "lesson.too-little", left = missing_count, square = name(square));
                (what, square)
            }
            _ => return tr!(language, "lesson.nothing-marked"),
        };
        what + language.space() + &self.explain_square(language, square, extra.is_some())
    }

    /// Explains a square at which an answer is wrong: why it is not part of the right answer if
    /// `is_marked`, otherwise why it is.
    fn explain_square(&self, language: Language, square: Square, is_marked: bool) -> String {
        if self.exercise.question == Question::OtherColour {
            return self.explain_other_colour(language, square);
        }
        let Some(now) = self.snapshot() else { return String::new() };
        let pronoun = tr!(language, "why.it");
        if let Some(row) = self.row().filter(|&row| row != square.row()) {
            return tr!(language, "lesson.other-row", row = row);
        }
        match self.exercise.question {
            Question::NextQueen => self.explain_next_queen(language, now, square),
            Question::Branch { .. } if is_marked && self.is_mirrored(square) => {
                tr!(language, "lesson.from-left") + language.space() + &self.approach(language)
            }
            ref question if follows_from_bound1(question) => self.approach(language),
            Question::Attacked { .. } => match now.view.attacker(square) {
                Some(by) => attack_sentence(language, &pronoun, by),
                None => tr!(language, "lesson.not-attacked"),
            },
            Question::Closed { .. } if is_marked => self.approach(language),
            Question::Closed { .. } => {
                sentences::capitalised(&tr!(language, "why.ask-half", square = pronoun))
            }
            Question::Word { register, .. } => {
                explain_bit(language, &self.exercise.board, square, register, is_marked)
            }
            _ => sentences::explain_square(language, now, square),
        }
    }

    /// Explains why a square can or cannot have a queen of the other colour.
    fn explain_other_colour(&self, language: Language, square: Square) -> String {
        let (row, column) = square.to_left();
        let queens = || self.exercise.board.squares().map(Square::to_left);
        if (row + column).is_multiple_of(2) {
            tr!(language, "lesson.is-white")
        } else if queens().any(|queen| queen.0 == row) {
            tr!(language, "lesson.has-queen-in-row", row = row)
        } else if queens().any(|queen| queen.1 == column) {
            tr!(language, "lesson.has-queen-in-column", column = column)
        } else {
            self.approach(language)
        }
    }

    /// Whether the mirror image of a square is in the answer, because the learner counted its bit from
    /// the left.
    fn is_mirrored(&self, square: Square) -> bool {
        let mirrored = Transform::LeftRight.square(square);
        matches!(&self.exercise.answer, Answer::Squares(squares) if squares.contains(mirrored))
    }

    fn explain_next_queen(&self, language: Language, now: &Snapshot, square: Square) -> String {
        let method = self.exercise.search.map(|(method, _)| method);
        let above = now.view.queens.iter().take(square.row() as usize);
        let taken: RowBits = above.copied().collect();
        let square_view = now.view.square(square);
        match method {
            Some(method)
                if method.facts().tests == [Line::Down] && taken.intersects(square.bit()) =>
            {
                tr!(language, "lesson.column-taken")
            }
            Some(method)
                if method.facts().tests == Line::ALL
                    && (square_view.attacker.is_some() || square_view.rule.is_some()) =>
            {
                match square_view.attacker {
                    // Methods 3 to 6 also try attacked squares, and reject them.
                    Some(by) if square_view.state == SquareState::Free => {
                        attack_sentence(language, &self.square_name(language, square), by)
                    }
                    _ => sentences::explain_square(language, now, square),
                }
            }
            _ => self.explain_order(language, now, square),
        }
    }

    /// Explains why the search does not place its next queen on a square that nothing closes: another
    /// square comes first.
    fn explain_order(&self, language: Language, now: &Snapshot, square: Square) -> String {
        let next = match &self.exercise.answer {
            Answer::Squares(squares) => squares.squares().next(),
            Answer::Choice(_) => None,
        };
        let Some(next) = next else { return String::new() };
        let last = now.view.placed().len().saturating_sub(1);
        let (row, given) = (next.row(), square.row());
        let key = match given.cmp(&row) {
            Ordering::Less => "lesson.queen-stays",
            Ordering::Greater if row > last => "lesson.row-above-first",
            Ordering::Greater => "lesson.must-go-back",
            Ordering::Equal if square.to_left().1 < next.to_left().1 => "lesson.right-first",
            Ordering::Equal => "lesson.tried-before",
        };
        tr!(language, key, row = row, given = given)
    }

    fn explain_choice(&self, language: Language, given: usize) -> String {
        let exercise = &self.exercise;
        let placement = exercise.board.placement();
        match (&exercise.question, placement) {
            (Question::Class, Some(placement)) => {
                tr!(language, format!("lesson.class-{}", Class::of(&placement)))
            }
            (Question::Compare(transform), _) => self.explain_comparison(language, *transform),
            (Question::Smallest(images), _) => explain_larger_image(language, images, given),
            _ => String::new(),
        }
    }

    fn explain_comparison(&self, language: Language, transform: Transform) -> String {
        let (queens, size) = (self.exercise.board.rows(), self.exercise.size());
        let outcome = self.exercise.compared(transform);
        match Comparison::new(queens, size, transform).last() {
            Some(at) if outcome != Outcome::Same => {
                sentences::comparison_result(language, size, at, outcome)
            }
            _ => tr!(language, "why.same"),
        }
    }
}

/// Whether the answer follows from BOUND1 alone.
fn follows_from_bound1(question: &Question) -> bool {
    matches!(
        question,
        Question::Branch { .. }
            | Question::Bound2 { .. }
            | Question::Cells
            | Question::Closed { row: None, .. }
    )
}

/// The line along which queens attack the squares that are 1 in a register.
fn line_of(register: Register) -> Line {
    match register {
        Register::Left => Line::Left,
        Register::Right => Line::Right,
        _ => Line::Down,
    }
}

/// Returns a sentence saying that the queen `by` attacks a square.
fn attack_sentence(language: Language, square: &str, by: Attacker) -> String {
    let line = sentences::line_name(language, by.line);
    let row = by.queen.row();
    sentences::capitalised(&tr!(
        language,
        "why.ask-attacked",
        square = square,
        by = row,
        line = line
    ))
}

/// Explains a bit of a register. Names the queen that attacks the square along the register's line
/// or, if the square was marked wrongly, says that no queen does.
fn explain_bit(
    language: Language,
    queens: &Queens,
    square: Square,
    register: Register,
    is_marked: bool,
) -> String {
    let line = line_of(register);
    let by = queens.squares().find(|&queen| Line::between(queen, square) == Some(line));
    match by.filter(|_| !is_marked) {
        Some(queen) => {
            attack_sentence(language, &tr!(language, "why.it"), Attacker { queen, line })
        }
        None => tr!(language, "lesson.no-bit", line = sentences::line_name(language, line)),
    }
}

/// Returns the sentence about the first row in which the chosen image differs from the smallest
/// image.
fn explain_larger_image(language: Language, images: &[Placement], given: usize) -> String {
    let (Some(given), Some(right)) = (images.get(given), images.iter().min()) else {
        return String::new();
    };
    let rows = given.columns_from_right().iter().zip(right.columns_from_right());
    let first = (0_u32..).zip(rows).find(|(_, (one, other))| one != other);
    first.map_or_else(String::new, |(row, (given, right))| {
        tr!(language, "lesson.larger", row = row, given = given, right = right)
    })
}

#[cfg(test)]
mod tests;
