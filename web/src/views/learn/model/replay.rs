//! The boards that play after a right answer about the search's next queen or about images: they show why it is
//! right. Other questions are about the board that is shown, which therefore stays.

use queens_core::{
    Comparison, Event, Line, Queens, Question, Size, Square, SquareState, Stepped, Tracer,
    Transform, View,
};

use super::judge::ExerciseState;
use crate::board::{Row, SquareStyle};
use crate::search::sentences::{capitalised, row_compared, why};
use crate::search::squares;
use crate::search::state::{Action, ExploreState};
use crate::words::{Language, tr, transforms};

/// The largest number of frames from a search.
const FRAME_LIMIT: usize = 12;

/// A board with a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayFrame {
    pub rows: Vec<Row>,
    /// The image with which the board is compared.
    pub image: Option<Vec<Row>>,
    pub said: String,
}

/// Returns the frames of an exercise; none for a kind of question without an animation.
pub fn replay(language: Language, task: &ExerciseState) -> Vec<ReplayFrame> {
    let board = &task.exercise.board;
    match (&task.exercise.question, task.exercise.search) {
        (Question::NextQueen, Some((method, step))) => steps(task, method, step)
            .into_iter()
            .map(|step| frame_of_step(language, method, board.size(), step))
            .collect(),
        (Question::Class, _) => turns(language, board),
        (Question::Compare(transform), _) => compared(language, task, *transform),
        _ => vec![],
    }
}

/// Returns a board with queens only.
pub fn plain(queens: &Queens, at_work: Option<u32>) -> Vec<Row> {
    Row::all(queens.size(), at_work, |square| SquareStyle {
        state: if queens.contains(square) { SquareState::Queen } else { SquareState::Open },
        ..SquareStyle::default()
    })
}

/// Returns a search at a step.
pub fn state_at(method: Stepped, size: Size, step: u64) -> ExploreState {
    let mut state = ExploreState::new(method, size);
    state.apply(Action::MoveTo(step));
    state.work(&mut || true);
    state
}

/// Hatches the squares of the current row and the rows below it that a queen above them attacks along
/// a line that the method checks. In the current row these are the squares that the search skips.
pub fn hatch(rows: &mut [Row], method: Stepped, view: &View) {
    let queens = view.placed();
    for row in rows.iter_mut().filter(|row| row.row >= view.row) {
        let squares = Square::of_row(view.size, row.row);
        for (square, drawn) in squares.zip(&mut row.squares).filter(|(_, drawn)| !drawn.is_queen())
        {
            let mut above = queens.squares().filter(|queen| queen.row() < row.row);
            let is_known = |queen| {
                let line = Line::between(queen, square);
                line.is_some_and(|line| method.facts().tests.contains(&line))
            };
            if above.any(is_known) {
                drawn.state = SquareState::Attacked;
            } else if drawn.is_attacked() {
                drawn.state = SquareState::Open;
            }
        }
    }
}

/// Returns the steps to show: the beats after the step of the exercise up to the next queen that is
/// placed.
fn steps(task: &ExerciseState, method: Stepped, step: u64) -> Vec<u64> {
    let mut tracer = Tracer::new(method, task.exercise.size());
    while tracer.steps() < step && tracer.forward().is_some() {}
    let mut steps = Vec::new();
    while let Some(now) = tracer.forward() {
        if tracer.beat().is_some() {
            steps.push(tracer.steps());
        }
        if matches!(now, Event::Place { .. } | Event::Done) {
            break;
        }
    }
    // If there are too many steps, the last ones remain, because they lead to the queen.
    steps.drain(..steps.len().saturating_sub(FRAME_LIMIT));
    steps
}

fn frame_of_step(language: Language, method: Stepped, size: Size, step: u64) -> ReplayFrame {
    let state = state_at(method, size, step);
    let mut rows = squares::rows(&state);
    hatch(&mut rows, method, &state.snapshot().view);
    ReplayFrame { rows, image: None, said: why(language, state.snapshot()) }
}

/// Turns a solution by 90° and by 180°.
fn turns(language: Language, board: &Queens) -> Vec<ReplayFrame> {
    let Some(solution) = board.placement() else { return vec![] };
    let frames = [Transform::Identity, Transform::Turn90, Transform::Turn180].map(|turn| {
        let image = turn.apply(&solution);
        let name = transforms::transform(language, turn);
        let said = match turn {
            Transform::Identity => tr!(language, "lesson.turn-none"),
            _ if image == solution => tr!(language, "lesson.turn-same", name = name),
            _ => tr!(language, "lesson.turn-other", name = name),
        };
        ReplayFrame { rows: plain(&Queens::from(&image), None), image: None, said }
    });
    frames.to_vec()
}

/// Compares a solution with an image, row by row.
fn compared(language: Language, task: &ExerciseState, transform: Transform) -> Vec<ReplayFrame> {
    let board = &task.exercise.board;
    let Some(solution) = board.placement() else { return vec![] };
    let image = Queens::from(&transform.apply(&solution));
    let frames = Comparison::new(board.rows(), board.size(), transform).map(|row| {
        let [rows, image] = [board, &image].map(|queens| plain(queens, Some(row.row)));
        let said = capitalised(&row_compared(language, board.size(), row));
        ReplayFrame { rows, image: Some(image), said }
    });
    frames.collect()
}

#[cfg(test)]
mod tests {
    use queens_core::{Answer, Exercise, Method};

    use super::*;

    fn tasks(lesson: Method) -> impl Iterator<Item = ExerciseState> {
        (0..60).filter_map(move |seed| Exercise::new(lesson, seed)).map(ExerciseState::new)
    }

    fn queens(rows: &[Row], size: Size) -> Queens {
        let all = rows.iter().flat_map(|row| Square::of_row(size, row.row).zip(&row.squares));
        let squares = all.filter(|(_, drawn)| drawn.is_queen()).map(|(square, _)| square);
        Queens::new(size, squares).unwrap()
    }

    #[test]
    fn a_search_plays_from_the_question_to_the_answer() {
        for lesson in
            [Method::BruteForce, Method::Permutations, Method::Backtracking, Method::Mirror]
        {
            for task in tasks(lesson).filter(ExerciseState::asks_next_queen) {
                let frames = replay(Language::English, &task);
                let Answer::Squares(right) = task.exercise.answer else { panic!() };
                let size = task.exercise.size();
                let last = queens(&frames.last().unwrap().rows, size);
                let square = right.squares().next().unwrap();
                assert!(last.contains(square), "{lesson}: {last:?}");
                // The queen is the lowest one.
                assert!(last.squares().all(|queen| queen.row() <= square.row()));
                assert!((1..=FRAME_LIMIT).contains(&frames.len()), "{lesson}: {}", frames.len());
                // The question has shown the last queen already, so no frame says that it is placed.
                let (row, column) = task.exercise.board.squares().last().unwrap().to_left();
                let asked = format!("Place a queen on row {row}, column {column}");
                assert!(frames.iter().all(|frame| !frame.said.starts_with(&asked)), "{lesson}");
            }
        }
    }

    #[test]
    fn going_back_lifts_a_queen_in_some_frame() {
        for task in tasks(Method::Backtracking) {
            let size = task.exercise.size();
            let frames = replay(Language::English, &task);
            let frames = frames.iter().map(|frame| queens(&frame.rows, size).len());
            let counts: Vec<u32> =
                core::iter::once(task.exercise.board.len()).chain(frames).collect();
            assert!(counts.windows(2).any(|pair| pair[1] < pair[0]), "{counts:?}");
        }
    }

    #[test]
    fn every_frame_has_a_sentence_and_a_board_of_the_right_size() {
        for &lesson in Method::ALL {
            for task in tasks(lesson) {
                for language in Language::ALL {
                    for frame in replay(language, &task) {
                        assert!(frame.said.chars().count() > 5, "{lesson}");
                        assert!(!frame.said.contains("%{") && !frame.said.contains("lesson."));
                        assert_eq!(frame.rows.len() as u32, task.exercise.size().get());
                    }
                }
            }
        }
    }

    #[test]
    fn only_questions_about_the_next_queen_and_about_images_leave_their_board() {
        for &lesson in Method::ALL {
            for task in tasks(lesson) {
                let question = &task.exercise.question;
                let leaves = matches!(
                    question,
                    Question::NextQueen | Question::Class | Question::Compare(_)
                );
                assert_eq!(
                    !replay(Language::English, &task).is_empty(),
                    leaves,
                    "{lesson}: {question:?}"
                );
            }
        }
    }

    #[test]
    fn the_last_compared_row_decides() {
        for task in tasks(Method::BitmapSymmetryHalf) {
            let frames = replay(Language::English, &task);
            let Question::Compare(transform) = task.exercise.question else { panic!() };
            let last = frames.last().unwrap();
            let size = task.exercise.size();
            let image = queens(last.image.as_ref().unwrap(), size);
            let solution = task.exercise.board.placement().unwrap();
            assert_eq!(image.placement(), Some(transform.apply(&solution)));
            let row = last.rows.iter().find(|row| row.at_work).unwrap().row as usize;
            let differs = task.exercise.board.rows()[row] != image.rows()[row];
            assert_eq!(differs, task.exercise.compared(transform) != queens_core::Outcome::Same);
        }
    }
}
