//! The contents of a lesson: its text, figures and boards.

use queens_core::{Method, Queens, Size, Square, Stepped};
use serde_json::Value;

use crate::words::Term;

/// The contents of a lesson, apart from its exercise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The method whose work is compared with that of the lesson's method.
    pub after: Option<Stepped>,
    /// The board on which the work of both methods is counted.
    pub work: Option<Size>,
    /// A note on the meaning of the numbers of the work.
    pub note: Option<String>,
    /// The terms that the lesson explains.
    pub words: Vec<Term>,
    /// The section of the explanation with more about the method.
    pub section: Option<String>,
    /// The paragraphs before the exercise.
    pub text: Vec<String>,
    /// The board that shows what was learnt; `None` for the method without steps.
    pub figure: Option<Figure>,
    /// The second part, after the figure.
    pub more: Option<More>,
}

/// A step that shows the idea of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub size: Size,
    pub step: u64,
    /// The marked squares.
    pub squares: Vec<Square>,
    /// Whether the registers of the current row are shown.
    pub registers: bool,
    pub caption: String,
}

/// The second part of a lesson, with its own boards. Readers understand it better after the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct More {
    pub title: String,
    /// The paragraphs.
    pub text: Vec<String>,
    /// The number of boards in a row if the window is wide enough.
    pub across: u64,
    /// The boards; may be empty.
    pub boards: Vec<Picture>,
}

/// A board with queens, independent of any search.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The queens, in any rows.
    pub queens: Queens,
    /// The marked squares.
    pub squares: Vec<Square>,
    /// The caption.
    pub said: String,
}

impl Plan {
    /// Reads the plan of a lesson from the texts of all lessons.
    pub fn read(texts: &Value, lesson: Method) -> Option<Plan> {
        let all = texts["lessons"].as_array()?;
        let own = all.iter().find(|one| one["id"] == lesson.id())?;
        Some(Plan {
            after: own["after"].as_str().and_then(|id| id.parse().ok()),
            work: size(&own["work"]),
            note: string(&own["note"]),
            words: own["words"].as_array()?.iter().filter_map(word).collect(),
            section: string(&own["section"]),
            text: strings(&own["text"])?,
            figure: Figure::read(&own["figure"]),
            more: More::read(&own["more"]),
        })
    }
}

impl Figure {
    fn read(value: &Value) -> Option<Figure> {
        let size = size(&value["n"])?;
        Some(Figure {
            size,
            step: value["step"].as_u64()?,
            squares: squares(size, &value["squares"]).unwrap_or_default(),
            registers: value["registers"].as_bool().unwrap_or_default(),
            caption: string(&value["why"])?,
        })
    }
}

impl More {
    fn read(value: &Value) -> Option<More> {
        let boards = value["boards"].as_array().into_iter().flatten();
        Some(More {
            title: string(&value["title"])?,
            text: strings(&value["text"])?,
            across: value["across"].as_u64().unwrap_or_default(),
            boards: boards.filter_map(Picture::read).collect(),
        })
    }
}

impl Picture {
    fn read(value: &Value) -> Option<Picture> {
        let size = size(&value["n"])?;
        Some(Picture {
            queens: Queens::new(size, squares(size, &value["queens"])?).ok()?,
            squares: squares(size, &value["squares"]).unwrap_or_default(),
            said: string(&value["said"])?,
        })
    }
}

fn size(value: &Value) -> Option<Size> {
    Size::new(u32::try_from(value.as_u64()?).ok()?).ok()
}

/// Parses a list of squares, each written as [row, column from the left].
fn squares(size: Size, list: &Value) -> Option<Vec<Square>> {
    let number = |value: &Value| u32::try_from(value.as_u64()?).ok();
    let square = |at: &Value| Square::from_left(size, number(&at[0])?, number(&at[1])?).ok();
    list.as_array()?.iter().map(square).collect()
}

fn word(id: &Value) -> Option<Term> {
    let mut all = Term::GROUPS.iter().flat_map(|(_, words)| *words);
    all.find(|word| *id == word.id()).copied()
}

fn string(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn strings(list: &Value) -> Option<Vec<String>> {
    list.as_array()?.iter().map(string).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use queens_core::known::known;
    use queens_core::notation::grouped;
    use queens_core::{
        Beat, Cell, Class, Event, Line, Numbers, Placement, Register, RowBits, Rule, Tracer,
        Transform, Work, first_difference, images, representative,
    };

    use super::*;
    use crate::words::{Language, method_name, plain};

    const TEXTS: [&str; 2] = [
        include_str!("../../../../text/lessons.en.json"),
        include_str!("../../../../text/lessons.ja.json"),
    ];

    fn plans(text: &str) -> Vec<Plan> {
        let texts: Value = serde_json::from_str(text).unwrap();
        let ids =
            texts["lessons"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap());
        assert!(ids.eq(Method::IDS.iter().copied()), "a lesson for each method, in order");
        Method::ALL.iter().map(|&lesson| Plan::read(&texts, lesson).unwrap()).collect()
    }

    /// All paragraphs of a lesson, with the caption of its figure.
    fn paragraphs(plan: &Plan) -> impl Iterator<Item = &String> {
        let captions = plan.figure.iter().map(|figure| &figure.caption);
        plan.text.iter().chain(captions).chain(plan.more.iter().flat_map(|more| &more.text))
    }

    /// Returns the figures of the lessons, each with its method and the search at its step.
    fn figures(text: &str) -> Vec<(Stepped, Figure, Tracer)> {
        let drawn = plans(text).into_iter().zip(Method::ALL).filter_map(|(plan, lesson)| {
            let (method, figure) = (lesson.stepped()?, plan.figure?);
            let tracer = tracer_at(method, figure.size, figure.step);
            Some((method, figure, tracer))
        });
        let drawn: Vec<_> = drawn.collect();
        assert_eq!(drawn.len(), Stepped::ALL.len());
        drawn
    }

    fn tracer_at(method: Stepped, size: Size, step: u64) -> Tracer {
        let mut tracer = Tracer::new(method, size);
        while tracer.steps() < step {
            tracer.forward().expect("the search has this step");
        }
        tracer
    }

    fn work(method: Stepped, size: Size) -> Work {
        let mut work = Work::default();
        method.search(size, &mut work);
        work
    }

    #[test]
    fn both_languages_have_the_same_lessons() {
        let [english, japanese] = TEXTS.map(plans);
        for (en, ja) in english.iter().zip(&japanese) {
            let facts = |plan: &Plan| {
                let figure = plan.figure.clone();
                let figure = figure.map(|figure| Figure { caption: String::new(), ..figure });
                let texts = (plan.text.len(), figure, plan.note.is_some());
                let drawn = |one: &Picture| (one.queens, one.squares.clone());
                let more = plan.more.as_ref().map(|more| {
                    let boards: Vec<_> = more.boards.iter().map(drawn).collect();
                    (more.text.len(), more.across, boards)
                });
                let about = (plan.words.clone(), plan.section.clone());
                (plan.after, plan.work, texts, about, more)
            };
            assert_eq!(facts(en), facts(ja));
            assert!(!en.words.is_empty() && en.section.is_some());
            assert!(
                [en, ja].into_iter().flat_map(paragraphs).all(|text| text.chars().count() > 20)
            );
        }
    }

    /// Checks what the lessons claim about the work of a method and of the method before it.
    #[test]
    fn claims_of_the_lessons_are_true() {
        for (plan, &lesson) in plans(TEXTS[0]).iter().zip(Method::ALL) {
            let (Some(method), Some(after)) = (lesson.stepped(), plan.after) else { continue };
            let size = plan.figure.as_ref().unwrap().size;
            let difference = first_difference([after, method], size);
            let [before, now] = [after, method].map(|method| work(method, plan.work.unwrap()));
            let less = now.placed as f64 / before.placed as f64;
            let says = paragraphs(plan).cloned().collect::<Vec<_>>().join(" ");
            match method {
                Stepped::Flags => assert!(difference.is_none() && before == now, "{lesson}"),
                Stepped::Bitmap => {
                    assert_eq!((now.placed, now.looked_at), (before.placed, 0), "{says}");
                    assert!(before.looked_at > 0 && difference.is_some(), "{says}");
                }
                Stepped::Bound2 => assert_eq!(now.placed, before.placed, "{says}"),
                Stepped::FlagsSymmetry | Stepped::BitmapSymmetry => {
                    assert_eq!(now.placed, before.placed, "{says}");
                    assert!(before.comparisons == 0 && now.comparisons > 0 && difference.is_some());
                }
                Stepped::FlagsSymmetryHalf | Stepped::Mirror | Stepped::BitmapSymmetryHalf => {
                    assert!((0.4..0.6).contains(&less), "{says} {less}");
                }
                Stepped::Bound1 => {
                    // This method puts more queens than method 10. Method 14 puts fewer than both.
                    let others = [Stepped::BitmapSymmetryHalf, Stepped::Symmetry];
                    let [half, symmetry] = others.map(|one| work(one, plan.work.unwrap()).placed);
                    assert!(less < 1.0 && half < now.placed && symmetry < half, "{says}");
                }
                Stepped::Symmetry => {
                    assert!(less < 1.0 && now.comparisons * 5 < before.comparisons, "{says}");
                    assert_eq!((now.tally.met(), now.tally.total()), (12, Some(92)), "{says}");
                }
                _ => assert!(less < 1.0 && difference.is_some(), "{lesson}: {less}"),
            }
        }
    }

    /// The glossary names the methods that search half of the first row, and the method that counts
    /// each solution twice; `method.side-cuts.new` says how much work remains for N of 8 and more.
    #[test]
    fn method_numbers_and_work_fractions_in_texts_are_right() {
        let size = Size::new(8).unwrap();
        let left = queens_core::left_half(size);
        let skips_half = |method: Stepped| {
            let mut tracer = Tracer::new(method, size);
            while let Some(step) = tracer.forward() {
                if matches!(step, Event::Place { row: 0, square } if left.intersects(square)) {
                    return false;
                }
            }
            true
        };
        let numbers: Vec<_> = Method::ALL
            .iter()
            .filter(|lesson| lesson.stepped().is_some_and(skips_half))
            .map(|lesson| lesson.number())
            .collect();
        assert_eq!(numbers, [6, 8, 10, 14]);
        assert!(Term::HALF.more(Language::English).starts_with("Methods 6, 8, 10 and 14 skip it."));
        assert!(plain(&Term::HALF.more(Language::Japanese)).contains("6、8、10、14"));
        assert_eq!(Method::Mirror.number(), 8);
        for n in 8..=12 {
            let size = Size::new(n).unwrap();
            let [before, now] =
                [Stepped::Bound2, Stepped::SideCuts].map(|method| work(method, size).placed);
            let remains = now as f64 / before as f64;
            assert!(remains < 1.0 / 3.0, "N = {n}: {remains}");
        }
    }

    /// Lesson 14 claims this of its rules.
    #[test]
    fn method_14_rules_out_images_with_a_smaller_first_bit() {
        for n in 5..=9 {
            let mut tracer = Tracer::new(Stepped::Symmetry, Size::new(n).unwrap());
            let mut compared = 0;
            while let Some(step) = tracer.forward() {
                if !matches!(step, Event::Compare { .. } | Event::Solution { .. }) {
                    continue;
                }
                let solution = tracer.view().placement().unwrap();
                let first = |placement: &Placement| placement.columns_from_right().first().copied();
                assert!(
                    images(&solution).iter().all(|(_, image)| first(image) >= first(&solution))
                );
                compared += 1;
            }
            assert!(compared > 0, "N = {n}");
        }
    }

    #[test]
    fn lessons_explain_methods_that_take_identical_steps() {
        let mut same = Vec::new();
        for (plan, (method, figure, tracer)) in plans(TEXTS[0]).iter().zip(figures(TEXTS[0])) {
            let Some(after) = plan.after else { continue };
            if first_difference([after, method], figure.size).is_some() {
                continue;
            }
            // At N = 2, the corner queen leaves no square for a second queen. So `bound2` has no branch for
            // the corner, but `bound1` has.
            let least = if method == Stepped::Bound2 { 3 } else { 1 };
            for n in least..=8 {
                assert_eq!(first_difference([after, method], Size::new(n).unwrap()), None);
            }
            let other = tracer_at(after, figure.size, figure.step).view().placed();
            assert_eq!(other, tracer.view().placed(), "{method}: both put the queen at this step");
            same.push(method);
        }
        assert_eq!(same, [Stepped::Flags, Stepped::Bound2]);
    }

    /// An image can be smaller than a solution and not be the smallest, so it need not be the
    /// representative, nor be found by the search.
    #[test]
    fn a_smaller_image_is_not_called_the_representative() {
        let solution = Placement::from_left(&[1, 3, 5, 0, 2, 4]).unwrap();
        assert_eq!(solution.judgement_value().to_string(), "4 2 0 5 3 1");
        let smaller: Vec<_> = images(&solution)
            .into_iter()
            .map(|(_, image)| image)
            .filter(|image| *image < solution)
            .collect();
        assert!(smaller.iter().any(|image| *image != representative(&solution)), "{smaller:?}");
        let untrue = [
            ["stands for the class", "counted there", "counted at a smaller image"],
            ["代表はその像", "そちらで数え", "もっと小さい像で数える"],
        ];
        let own = ["not the representative", "代表"];
        for ((language, text), (untrue, own)) in
            Language::ALL.into_iter().zip(TEXTS).zip(untrue.into_iter().zip(own))
        {
            let plans = plans(text);
            let lesson = |method: Method| {
                let number = Method::ALL.iter().position(|&one| one == method).unwrap();
                paragraphs(&plans[number]).cloned().collect::<String>()
            };
            let comparison = Term::COMPARISON.more(language);
            let texts = [lesson(Method::SideCuts), comparison, lesson(Method::BitmapSymmetryHalf)];
            for text in &texts {
                assert!(untrue.iter().all(|untrue| !text.contains(untrue)), "{text}");
            }
            assert!(texts[..2].iter().all(|text| text.contains(own)), "{texts:?}");
        }
    }

    #[test]
    fn figures_show_the_event_that_the_lesson_is_about() {
        let kind = |search: &Tracer, event| match event {
            _ if search.beat() == Some(Beat::DeadEnd) => "dead-end",
            Event::Reject { .. } => "reject",
            Event::Place { .. } => "place",
            Event::Cut { .. } => "cut",
            Event::Compare { .. } => "compare",
            _ => "another",
        };
        let expected = [
            (Stepped::BruteForce, "reject"),
            (Stepped::Permutations, "reject"),
            (Stepped::Backtracking, "dead-end"),
            (Stepped::Flags, "place"),
            (Stepped::FlagsSymmetry, "compare"),
            (Stepped::FlagsSymmetryHalf, "cut"),
            (Stepped::Bitmap, "reject"),
            (Stepped::Mirror, "cut"),
            (Stepped::BitmapSymmetry, "compare"),
            (Stepped::BitmapSymmetryHalf, "cut"),
            (Stepped::Bound1, "place"),
            (Stepped::Bound2, "place"),
            (Stepped::SideCuts, "cut"),
            (Stepped::Symmetry, "compare"),
        ];
        for text in TEXTS {
            let events: Vec<_> = figures(text)
                .iter()
                .map(|(method, _, tracer)| (*method, kind(tracer, tracer.last().unwrap())))
                .collect();
            assert_eq!(events, expected);
        }
    }

    #[test]
    fn every_lesson_has_a_distinct_title() {
        for language in Language::ALL {
            let titles =
                Method::ALL.iter().map(|&lesson| super::super::title::title(language, lesson));
            let titles: BTreeSet<_> = titles.collect();
            assert_eq!(titles.len(), Method::ALL.len());
            assert!(titles.iter().all(|title| !title.contains("lesson.")), "{titles:?}");
            let names: BTreeSet<_> =
                Method::ALL.iter().map(|&lesson| method_name(language, lesson)).collect();
            assert!(titles.is_disjoint(&names), "{titles:?}");
        }
    }

    #[test]
    fn figures_match_their_captions() {
        for text in TEXTS {
            for (method, figure, tracer) in figures(text) {
                let (size, view) = (figure.size, tracer.view());
                let marked: Vec<_> = figure.squares.iter().map(|square| square.to_left()).collect();
                let (last, n) = (size.last(), size.get());
                let says = match view.masks {
                    _ if method == Stepped::Bitmap => {
                        let word =
                            |register| view.register(register).unwrap_or_default() & size.mask();
                        let free = word(Register::Free);
                        let lines = Register::LINES.iter().map(|&line| word(line));
                        let taken: RowBits = lines.collect();
                        assert_eq!((size.mask() - taken, free.columns().count()), (free, 1));
                        let square = Square::of_bits(size, view.row, free).unwrap().to_left();
                        vec![format!("{}", square.0), format!("{}", square.1)]
                    }
                    _ if method == Stepped::Flags => {
                        let (row, column) = view.placed().squares().last().unwrap().to_left();
                        assert_eq!(marked, [(row, column)]);
                        assert!(row > 3, "more queens than flags");
                        vec![
                            format!("{row}"),
                            format!("{}", row + column),
                            format!("{}", row - column),
                        ]
                    }
                    Some(masks) if method == Stepped::Bound1 => {
                        let right = (n - masks.bound1..n).map(|column| (0, column));
                        assert_eq!(marked, right.collect::<Vec<_>>());
                        vec![format!("BOUND1 = {}", masks.bound1), format!("{last}")]
                    }
                    Some(masks) if method == Stepped::Bound2 => {
                        assert_eq!(marked, [(masks.bound2, 0), (masks.bound2, last)]);
                        let (bound1, bound2) = (masks.bound1, masks.bound2);
                        vec![format!("BOUND1 = {bound1}"), format!("{n} − 1 − {bound1} = {bound2}")]
                    }
                    Some(masks) if method == Stepped::Symmetry => {
                        // The marked square is cell B. The queen of the last row is on it, so the solution is
                        // compared with its image turned by 180°.
                        assert_eq!(marked, [(last, n - 1 - masks.bound2)]);
                        let (_, closed) = masks.closed(last).unwrap();
                        assert_eq!(closed.columns().count(), 2 * masks.bound1 as usize);
                        let cell = |cell| {
                            let (row, square) = masks.cell(cell).unwrap();
                            Square::of_bits(size, row, square).unwrap().to_left()
                        };
                        let (bound1, bound2) = (masks.bound1, masks.bound2);
                        assert_eq!(
                            Cell::ALL.map(cell),
                            [(bound2, last), (last, last - bound2), (bound1, 0)]
                        );
                        vec![format!("BOUND1 = {bound1}"), format!("BOUND2 = {bound2}")]
                    }
                    Some(masks) if method == Stepped::SideCuts => {
                        let closed =
                            |row| masks.closed(row).is_some_and(|(rule, _)| rule != Rule::LastRow);
                        let rows: Vec<_> = (1..n).filter(|&row| closed(row)).collect();
                        assert_eq!(rows, [1, 6, 7]);
                        let (bound1, bound2) = (masks.bound1, masks.bound2);
                        vec![format!("BOUND1 = {bound1}"), format!("BOUND2 = {bound2}")]
                    }
                    _ => continue,
                };
                assert!(
                    says.iter().all(|says| figure.caption.contains(says)),
                    "{says:?} {}",
                    figure.caption
                );
            }
        }
    }

    /// Returns the queens after a transform of the board.
    fn moved(queens: &Queens, transform: Transform) -> Queens {
        let squares = queens.squares().map(|square| transform.square(square));
        squares.fold(Queens::none(queens.size()), Queens::toggled)
    }

    fn marked(board: &Picture) -> Queens {
        Queens::new(board.queens.size(), board.squares.clone()).unwrap()
    }

    /// Checks the boards of lesson 15: the white queens of a solution with the black squares of the
    /// rows and columns that they leave, and the whole solution with its black queens.
    fn check_colours(boards: &[Picture]) {
        let [white, all] = boards else { panic!("{boards:?}") };
        let is_white = |square: &Square| {
            let (row, column) = square.to_left();
            (row + column).is_multiple_of(2)
        };
        assert!(all.queens.placement().is_some());
        let (of_white, of_black): (Vec<_>, Vec<_>) = all.queens.squares().partition(is_white);
        assert!(white.queens.squares().eq(of_white.iter().copied()));
        let size = all.queens.size();
        assert_eq!(marked(all), Queens::new(size, of_black).unwrap());
        let is_free = |square: &Square| {
            let shares =
                |queen: &Square| queen.row() == square.row() || queen.bit() == square.bit();
            !is_white(square) && !of_white.iter().any(shares)
        };
        let free = Square::all(size).filter(is_free);
        assert_eq!(marked(white), Queens::new(size, free).unwrap());
    }

    /// The boards after a figure show what their captions and the text claim.
    #[test]
    fn boards_match_their_captions() {
        for (plan, &lesson) in TEXTS.map(plans).iter().flat_map(|all| all.iter().zip(Method::ALL)) {
            let Some(More { boards, .. }) = &plan.more else { continue };
            let whole = |at: usize| boards[at].queens.placement().unwrap();
            let is_peaceful = |board: &Picture| board.queens.conflicts().next().is_none();
            match lesson {
                Method::Permutations => {
                    let columns = |board: &Picture| {
                        let all = board.queens.squares().map(|square| 1_u32 << square.to_left().1);
                        all.fold(0, |set, column| set | column).count_ones()
                    };
                    let kinds: Vec<_> = boards.iter().map(columns).collect();
                    assert_eq!(kinds, [3, 3, 3, 3, 3, 3, 2, 2]);
                    assert!(
                        (1..8).all(|at| boards[..at]
                            .iter()
                            .all(|one| one.queens != boards[at].queens))
                    );
                }
                Method::FlagsSymmetry => {
                    let classes = [Class::Eight, Class::Four, Class::Two];
                    for (row, class) in classes.into_iter().enumerate() {
                        let first = whole(3 * row);
                        assert_eq!(Class::of(&first), class);
                        assert!(boards[3 * row].said.ends_with(&class.members().to_string()));
                        let turns = [Transform::Turn90, Transform::Turn180];
                        let turned = turns.map(|turn| turn.apply(&first));
                        assert_eq!([whole(3 * row + 1), whole(3 * row + 2)], turned);
                    }
                }
                Method::Bitmap => {
                    let lines = [Line::Left, Line::Down, Line::Right];
                    for (board, line) in boards.iter().zip(lines) {
                        let queen = board.queens.squares().next().unwrap();
                        let is_on = |square: &Square| {
                            let is_near = (1..3).contains(&square.row());
                            is_near && Line::between(queen, *square) == Some(line)
                        };
                        let size = board.queens.size();
                        let all = Queens::new(size, Square::all(size).filter(is_on)).unwrap();
                        assert_eq!(marked(board), all);
                    }
                }
                Method::BitmapSymmetry => {
                    for (at, board) in boards.iter().enumerate() {
                        let value = whole(at).judgement_value().to_string();
                        assert!(plain(&board.said).starts_with(&value), "{value}");
                    }
                }
                Method::Bound1 => {
                    let first = |at: usize| boards[at].queens.squares().next().unwrap();
                    assert!((0..6).all(|at| first(at).to_right() == (0, at as u32)));
                    let found = boards.iter().filter(|board| board.queens.placement().is_some());
                    assert_eq!(Some(found.count() as u64), known(6).map(Numbers::total));
                    assert!(boards.iter().all(is_peaceful));
                }
                Method::SideCuts | Method::Symmetry => {
                    let transforms = if lesson == Method::SideCuts {
                        [Transform::Turn90, Transform::Turn270, Transform::AntiDiagonal]
                    } else {
                        Cell::ALL.map(Cell::transform)
                    };
                    for (pair, transform) in boards.chunks(2).zip(transforms) {
                        assert_eq!(moved(&pair[0].queens, transform), pair[1].queens, "{lesson}");
                        // One queen is marked, before and after the transform.
                        assert_eq!(moved(&marked(&pair[0]), transform), marked(&pair[1]));
                        assert!(is_peaceful(&pair[0]) && pair[0].squares.len() == 1);
                    }
                }
                Method::Colours => check_colours(boards),
                _ => assert!(boards.is_empty(), "{lesson}"),
            }
        }
    }

    #[test]
    fn numbers_in_the_texts_are_right() {
        let eight = known(8).unwrap();
        let classes = eight.classes().unwrap();
        for text in TEXTS {
            for (plan, &lesson) in plans(text).iter().zip(Method::ALL) {
                let numbers = match lesson {
                    Method::BruteForce => vec![grouped(8_u64.pow(8))],
                    Method::Permutations => vec![
                        grouped(6_u64.pow(6)),
                        grouped((1..=6).product()),
                        grouped((1..=8).product()),
                    ],
                    Method::FlagsSymmetry => {
                        vec![format!("{}", eight.total()), format!("{}", eight.unique())]
                    }
                    Method::Symmetry => vec![
                        format!(
                            "{} · 8 + {} · 4 = {}",
                            classes.count8,
                            classes.count4,
                            eight.total()
                        ),
                        format!(" {} ", eight.unique()),
                    ],
                    _ => continue,
                };
                let note = plan.note.clone().unwrap_or_default();
                let says = paragraphs(plan).cloned().collect::<Vec<_>>().join(" ") + &note;
                let says = plain(&says);
                if !note.is_empty() && numbers.len() == 2 {
                    let dropped = eight.total() - eight.unique();
                    assert!(note.contains(&dropped.to_string()), "{note}");
                }
                assert!(numbers.iter().all(|number| says.contains(number)), "{numbers:?} {says}");
            }
        }
    }
}
