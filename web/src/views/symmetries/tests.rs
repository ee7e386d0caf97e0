//! Tests of the view: the replay of symmetryOps and the images of a solution match the core, and both
//! are described correctly.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter;

use queens_core::{
    Cell, Class, ComparedRow, Comparison, Completions, Event, Found, Masks, Outcome, Placement,
    Queens, RowBits, Size, Stepped, SymmetryOps, Tracer, Verdict, images, representative,
};
use serde_json::{Value, json};
use yew::prelude::*;

use super::Symmetries;
use crate::parts::rendered::{Tag, elements, rendered_at};
use crate::place::Address;
use crate::words::Language;

/// Renders the view of a solution at one moment of its comparison with its images.
fn page(language: Language, placement: &Placement, moment: u32) -> String {
    let columns = placement.columns_from_left().collect();
    let size = placement.size();
    let address = Address { size, solution: Some(columns), moment, ..Address::default() };
    rendered_at(language, address, html! { <Symmetries /> })
}

#[test]
fn says_what_symmetry_saves_with_a_race_that_shows_it() {
    for (solution, saved, n) in [
        ("5,3,6,0,7,1,4,2", Some(["12", "92"]), 8),
        ("3,0,2,4,1", Some(["2", "10"]), 5),
        ("0", None, 1),
    ] {
        let query = format!("?view=symmetries&n={n}&solution={solution}");
        for language in Language::ALL {
            let html = rendered_at(language, Address::parse(&query).0, html! { <Symmetries /> });
            let sentences = contents(&html, "id=\"savings\"");
            assert_eq!(sentences.len(), usize::from(saved.is_some()), "{query}");
            for (sentence, numbers) in sentences.iter().zip(saved) {
                assert!(numbers.iter().all(|number| sentence.contains(number)), "{sentence}");
                let link = elements(&html, "id=\"to-race\"")[0].attribute("href").unwrap();
                let race = Address::parse(&link).0;
                assert_eq!((race.size.get(), race.compare), (n, Some(Stepped::Symmetry)));
                assert_ne!(race.method, Stepped::Symmetry);
            }
        }
    }
}

fn contents(html: &str, mark: &str) -> Vec<String> {
    elements(html, mark).iter().map(Tag::content).collect()
}

/// The outcome of a search with the symmetry method.
struct SearchOutcome {
    /// All partial boards that the search reaches, each as its rows from the top.
    prefixes: BTreeSet<Vec<RowBits>>,
    /// The completed boards with their verdicts: the size of the class, or "drop".
    completed: HashMap<Placement, String>,
}

fn search(size: Size) -> SearchOutcome {
    let mut tracer = Tracer::new(Stepped::Symmetry, size);
    let mut outcome = SearchOutcome { prefixes: BTreeSet::new(), completed: HashMap::new() };
    while let Some(step) = tracer.forward() {
        let view = tracer.view();
        match step.event {
            Event::Place { row, .. } => {
                outcome.prefixes.insert(view.rows()[..=row as usize].to_vec());
                let full = view.placement().map(|board| (board, "drop".to_owned()));
                outcome.completed.extend(full);
            }
            Event::Solution { found: Found::Class(class) } => {
                let board = view.placement().unwrap();
                outcome.completed.insert(board, class.to_string());
            }
            _ => {}
        }
    }
    outcome
}

fn turn(cell: Cell) -> &'static str {
    match cell {
        Cell::A => "270° clockwise",
        Cell::B => "180°",
        Cell::C => "90° clockwise",
    }
}

fn row_of_the_table(row: ComparedRow) -> Value {
    let sign = match row.image.cmp(&row.own) {
        std::cmp::Ordering::Less => "<",
        std::cmp::Ordering::Equal => "=",
        std::cmp::Ordering::Greater => ">",
    };
    json!([row.row.to_string(), row.image.to_string(), sign, row.own.to_string()])
}

/// The end of a sentence about a compared row. It names the columns of both queens, from the left,
/// and their bits.
fn row_in_words(masks: &Masks, ComparedRow { row, own, image }: ComparedRow) -> String {
    let last = masks.size.last();
    format!(
        "row {row}, the queen of the image is in column {} (bit {image}), and that of the solution in \
         column {} (bit {own}).",
        last - image,
        last - own
    )
}

/// The expected moments of a replay, calculated with the core.
fn moments(board: &Placement, masks: &Masks) -> Vec<Value> {
    let mut queens = [RowBits::EMPTY; 32];
    queens.iter_mut().zip(board.rows()).for_each(|(queen, row)| *queen = row);
    let moment = |message: String, rows: &[ComparedRow], cell: Option<Cell>| {
        let differs = |row: &&ComparedRow| row.image != row.own;
        let boards: Vec<&str> = iter::once("Solution").chain(cell.map(turn)).collect();
        json!({
            "text": message,
            "rows": rows.iter().copied().map(row_of_the_table).collect::<Vec<_>>(),
            "deciding": rows.iter().filter(differs).map(|row| row.row.to_string())
                .collect::<Vec<_>>(),
            "boards": boards,
            "verdict": Value::Null,
        })
    };
    let taken = Cell::ALL.into_iter().filter(|&cell| {
        let square = masks.cell(cell);
        (0..).zip(board.rows()).any(|queen| square == Some(queen))
    });
    let taken: Vec<String> =
        taken.map(|cell| format!("{} ({})", cell.letter(), turn(cell))).collect();
    let cells = if masks.is_corner() {
        "The first queen is in the corner".to_owned()
    } else if taken.is_empty() {
        "There is no queen on A, B or C".to_owned()
    } else {
        format!("There is a queen on {}: compare the image", taken.join(", "))
    };
    // The first image to be compared is shown from the beginning.
    let mut all = vec![moment(cells, &[], SymmetryOps::new(&queens, masks).next())];
    let (mut rows, mut last) = (vec![], None);
    let mut ops = SymmetryOps::new(&queens, masks);
    while let Some(cell) = ops.next() {
        (rows, last) = (vec![], Some(cell));
        let mut comparison = Comparison::new(&queens, masks.size, cell.transform());
        for row in comparison.by_ref() {
            rows.push(row);
            let message =
                format!("Cell {}, {}: in {}", cell.letter(), turn(cell), row_in_words(masks, row));
            all.push(moment(message, &rows, last));
        }
        let outcome = comparison.outcome();
        let decided = rows.last().map(|&row| format!("In {}", row_in_words(masks, row)));
        let decided = decided.unwrap_or_default();
        let message = match outcome {
            Outcome::Same => "All rows are equal: the image is the solution itself.".to_owned(),
            Outcome::ImageSmaller => format!("{decided} The image has the smaller bit"),
            Outcome::ImageLarger => format!("{decided} The image has the larger bit"),
        };
        all.push(moment(message, &rows, last));
        ops.learn(cell, outcome);
    }
    let (message, name) = match ops.verdict() {
        Verdict::Drop => ("Dropped: ".to_owned(), "drop".to_owned()),
        Verdict::Keep(Class::Eight) if masks.is_corner() => ("".to_owned(), "8".to_owned()),
        Verdict::Keep(class) => {
            (format!("A solution that represents a class of {class}: "), class.to_string())
        }
    };
    let mut end = moment(message, &rows, last);
    end["verdict"] = json!(name);
    all.push(end);
    all
}

/// Returns what the page shows at every moment of a replay, or the reason if there is no replay.
fn shown(placement: &Placement) -> Value {
    let mut moments = vec![];
    loop {
        let html = page(Language::English, placement, moments.len() as u32);
        let played = elements(&html, "id=\"comparison\"")[0];
        let verdict = played.attribute("data-verdict");
        if verdict.as_deref() == Some("given-up") {
            return json!(played.content().trim());
        }
        let html = played.inner();
        let rows: Vec<_> = elements(html, "tr").into_iter().filter(|tag| is_row(tag)).collect();
        let cells = |row: &Tag| -> Vec<String> {
            let cells = elements(row.inner(), "t");
            cells.iter().map(Tag::content).collect()
        };
        let deciding = rows.iter().filter(|row| row.attribute("class").is_some());
        moments.push(json!({
            "text": contents(html, "id=\"moment\"")[0].trim(),
            "rows": rows.iter().map(cells).collect::<Vec<_>>(),
            "deciding": deciding.map(|row| cells(row)[0].clone()).collect::<Vec<_>>(),
            "boards": contents(html, "figcaption"),
            "verdict": verdict,
        }));
        if moments.last().is_some_and(|moment| !moment["verdict"].is_null()) {
            return Value::Array(moments);
        }
    }
}

/// Whether an element is a table row with a row header, like the rows of a comparison.
fn is_row(tag: &Tag) -> bool {
    tag.inner().starts_with("<th scope=\"row\"")
}

/// Whether the displayed moments agree with the expected ones. A displayed text need only start with
/// the expected text.
fn agree(shown: &Value, expected: &[Value]) -> bool {
    let shown = shown.as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |moment: &Value| moment["text"].as_str().unwrap_or_default().to_owned();
    let same = |(shown, expected): (&Value, &Value)| {
        let parts = ["rows", "deciding", "boards", "verdict"];
        text(shown).starts_with(&text(expected))
            && parts.iter().all(|&part| shown[part] == expected[part])
    };
    shown.len() == expected.len() && shown.iter().zip(expected).all(same)
}

#[test]
fn replays_of_every_solution_match_the_core() {
    let mut kinds = BTreeMap::<String, u32>::new();
    for (n, solutions) in [(5, 10), (6, 4), (7, 40), (8, 92)] {
        let size = Size::new(n).unwrap();
        let searched = search(size);
        let boards: Vec<Placement> = Completions::new(&Queens::none(size)).collect();
        assert_eq!(boards.len(), solutions, "solutions of N = {n}");
        for board in &boards {
            let shown = shown(board);
            let starts = |text: &str| shown.as_str().is_some_and(|shown| shown.starts_with(text));
            let masks = Masks::branch_of(board);
            let pruned = masks.and_then(|masks| masks.first_closed_queen(board));
            let verdict = searched.completed.get(board);
            // The length of the longest prefix of this board's rows that the search reaches.
            let rows: Vec<RowBits> = board.rows().collect();
            let filled =
                (1..=rows.len()).rev().find(|&count| searched.prefixes.contains(&rows[..count]));
            let kind = match (masks, pruned) {
                (None, _) => {
                    assert!(verdict.is_none(), "{board}");
                    assert!(starts("The symmetry method never reaches this board"), "{board}");
                    "no branch"
                }
                (Some(_), Some((row, rule))) => {
                    assert!(verdict.is_none(), "{board}");
                    assert_eq!(filled, Some(row as usize), "{board}");
                    let text = format!(
                        "The symmetry method prunes this board: rule {} closes the queen’s \
                         square in row {row},",
                        rule.sign()
                    );
                    assert!(starts(&text), "{board}: {shown}");
                    "pruned"
                }
                (Some(masks), None) => {
                    let expected = moments(board, &masks);
                    assert!(agree(&shown, &expected), "{board}: {shown:#}, not {expected:#?}");
                    let verdict = verdict.unwrap();
                    let last = expected.last().map(|moment| &moment["verdict"]);
                    assert_eq!(last, Some(&json!(verdict)), "{board}");
                    verdict
                }
            };
            *kinds.entry(kind.to_owned()).or_default() += 1;
        }
    }
    assert_eq!(kinds.values().sum::<u32>(), 146);
    let names: Vec<&str> = kinds.keys().map(String::as_str).collect();
    assert_eq!(names, ["2", "4", "8", "drop", "no branch", "pruned"]);
}

#[test]
fn images_match_the_core() {
    for columns in [
        &[0][..],
        &[1, 3, 0, 2],
        &[3, 0, 2, 4, 1],
        &[5, 3, 6, 0, 7, 1, 4, 2],
        &[6, 0, 2, 7, 5, 3, 1, 4],
        &[4, 2, 10, 5, 11, 8, 3, 0, 6, 1, 9, 7],
    ] {
        let placement = Placement::from_left(columns).unwrap();
        let smallest = representative(&placement);
        let class = Class::of(&placement).to_string();
        let value = smallest.judgement_value();
        for language in Language::ALL {
            let html = page(language, &placement, 0);
            assert_eq!(elements(&html, "id=\"class\"")[0].attribute("data-class").unwrap(), class);
            assert_eq!(contents(&html, "id=\"representative\""), [smallest.to_string()]);
            let shown = elements(&html, "data-testid=\"image\"");
            let marks = shown.iter().map(|image| {
                let mark = |class: &str| !elements(image.inner(), class).is_empty();
                let decides = contents(image.inner(), "class=\"decides\"");
                (image.attribute("data-columns").unwrap(), mark("class=\"mark\""), decides)
            });
            let expected = images(&placement).map(|(_, image)| {
                let digits = image.judgement_value();
                let pairs = digits.digits().iter().zip(value.digits());
                let decides = pairs.clone().find(|(digit, least)| digit != least);
                let decides = decides.map(|(digit, _)| digit.to_string()).into_iter().collect();
                (image.to_string(), image == smallest, decides)
            });
            assert_eq!(marks.collect::<Vec<_>>(), Vec::<(_, _, Vec<_>)>::from(expected));
        }
    }
}

/// Checks the group of each image, the sentence about the number of images, and the number of images
/// with a list of equal images.
#[test]
fn equal_images_form_numbered_groups() {
    for (columns, groups, quotient, same) in [
        (
            &[1, 4, 2, 0, 3][..],
            "11112222",
            "identity, 90°, 180°, 270°. Number of different images: 8 ÷ 4 = 2",
            8,
        ),
        (
            &[2, 4, 1, 7, 0, 6, 3, 5],
            "12123434",
            "identity, 180°. Number of different images: 8 ÷ 2 = 4",
            8,
        ),
        (
            &[0, 4, 7, 5, 2, 6, 1, 3],
            "12345678",
            "identity. Number of different images: 8 ÷ 1 = 8",
            0,
        ),
    ] {
        let placement = Placement::from_left(columns).unwrap();
        let html = page(Language::English, &placement, 0);
        let shown = elements(&html, "data-testid=\"image\"");
        let shown: String =
            shown.iter().map(|image| image.attribute("data-group").unwrap()).collect();
        assert_eq!(shown, groups);
        assert!(html.contains(quotient), "{html}");
        assert_eq!(elements(&html, "class=\"same\"").len(), same);
    }
}

/// The first board has a queen on cell C, which requires a comparison with the image under 90°. Row 1
/// decides it.
#[test]
fn replays_and_missing_replays_are_described_in_japanese() {
    let board = Placement::from_left(&[6, 0, 2, 7, 5, 3, 1, 4]).unwrap();
    let messages = [
        "C（時計回り 90°）にクイーンがあります。",
        "マス C、時計回り 90°：行 0 のクイーンは、像では列 6（ビット 1）、\
         この解では列 6（ビット 1）にあります。",
        "マス C、時計回り 90°：行 1 のクイーンは、像では列 ",
        "ビット番号が小さいのは像のほうです。この解は代表ではないので、数えません。",
        "この解は捨てます。",
    ];
    for (moment, message) in (0..).zip(messages) {
        let html = page(Language::Japanese, &board, moment);
        let said = contents(&html, "id=\"moment\"").concat();
        assert!(said.contains(message), "moment {moment}: {said}");
        // Before the first row, there is no table.
        if moment > 0 {
            let (_, table) = html.split_once("class=\"compared").unwrap();
            let (head, _) = table.split_once("</thead>").unwrap();
            assert_eq!(contents(head, "th "), ["行", "時計回り 90°", "解"]);
        }
    }
    for (columns, message) in [
        (&[4, 1, 3, 0, 2], "対称解除法では、この盤は完成しません。"),
        (&[0, 2, 4, 1, 3], "対称解除法ではこの盤は現れません。"),
    ] {
        let html = page(Language::Japanese, &Placement::from_left(columns).unwrap(), 0);
        let said = contents(&html, "id=\"comparison\"").concat();
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn the_legend_mentions_links_only_where_they_exist() {
    let solution = |n: u32| {
        let mut tracer = Tracer::new(Stepped::Symmetry, Size::new(n).unwrap());
        loop {
            let step = tracer.forward().unwrap();
            if let Event::Solution { .. } = step.event {
                return tracer.view().placement().unwrap();
            }
        }
    };
    for (n, has_links) in [(8, true), (11, true), (12, false)] {
        let html = page(Language::English, &solution(n), 0);
        assert_eq!(html.contains("The link below a board leads"), has_links, "N = {n}");
    }
}
