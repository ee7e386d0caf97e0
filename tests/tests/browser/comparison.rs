//! Symmetries: the replay of symmetryOps.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter;

use anyhow::{Context, Result, ensure};
use queens_core::{
    Cell, Class, ComparedRow, Comparison, Completions, Event, Found, Masks, Outcome, Placement,
    Queens, RowBits, Size, Stepped, SymmetryOps, Tracer, Transform, Verdict,
};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::{Value, json};

use crate::symmetries;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        replays_of_every_solution_match_the_core,
        symmetries_opens_with_a_comparison,
        the_comparison_steps_both_ways,
        the_comparison_is_translated_to_japanese,
    ]
}

/// Shows solutions one after another without reloading the page. Steps each one to its verdict, and
/// returns everything displayed.
const PLAY: &str = "
    const turn = () => new Promise((resolve) => setTimeout(resolve));
    const all = (selector, from = document) => [...from.querySelectorAll(selector)];
    const texts = (selector, from) => all(selector, from).map((each) => each.textContent.trim());
    const show = async (columns, moment) => {
        const query = `?view=symmetries&n=${columns.split(' ').length}`
            + `&solution=${columns.replaceAll(' ', ',')}&moment=${moment}`;
        history.pushState(null, '', query);
        dispatchEvent(new PopStateEvent('popstate'));
        for (let turns = 0; turns < 1000; turns++) {
            const shown = document.querySelector('[data-transform=identity]').dataset.columns;
            const played = document.querySelector('#comparison');
            const { verdict, moment: at } = played.dataset;
            if (shown === columns && (verdict === 'given-up' || at === String(moment)))
                return played;
            await turn();
        }
        throw new Error(`${columns} does not come to moment ${moment}`);
    };
    const play = async (columns) => {
        const moments = [];
        for (let moment = 0; moment < 100; moment++) {
            const played = await show(columns, moment);
            const verdict = played.dataset.verdict;
            if (verdict === 'given-up') return played.textContent.trim();
            moments.push({
                said: texts('#moment', played)[0],
                rows: all('.compared tbody tr', played).map((row) => texts('th, td', row)),
                deciding: texts('.compared .deciding th', played),
                boards: texts('.comparison-boards figcaption', played),
                verdict: verdict ?? null,
            });
            if (verdict) return moments;
        }
    };
    return (async () => {
        const played = [];
        for (const columns of arguments[0]) played.push(await play(columns));
        return played;
    })();";

/// The outcome of a search with the symmetry method.
struct Searched {
    /// All placements of queens in the first rows.
    prefixes: BTreeSet<Vec<RowBits>>,
    /// The completed boards with their verdicts: the size of the class, or "drop".
    completed: HashMap<Placement, String>,
}

fn searched(size: Size) -> Result<Searched> {
    let mut tracer = Tracer::new(Stepped::Symmetry, size);
    let mut searched = Searched { prefixes: BTreeSet::new(), completed: HashMap::new() };
    while let Some(step) = tracer.forward() {
        let view = tracer.view();
        match step.event {
            Event::Place { row, .. } => {
                searched.prefixes.insert(view.rows()[..=row as usize].to_vec());
                let full = view.placement().map(|board| (board, "drop".to_owned()));
                searched.completed.extend(full);
            }
            Event::Solution { found: Found::Class(class) } => {
                let board = view.placement().context("no solution")?;
                searched.completed.insert(board, class.to_string());
            }
            _ => {}
        }
    }
    Ok(searched)
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
        "row {row} the image has its queen in column {} (bit {image}), the solution in column {} \
         (bit {own}).",
        last - image,
        last - own
    )
}

/// Every moment of a comparison, calculated by the core.
fn moments(board: &Placement, masks: &Masks) -> Vec<Value> {
    let mut queens = [RowBits::EMPTY; 32];
    queens.iter_mut().zip(board.rows()).for_each(|(queen, row)| *queen = row);
    let moment = |message: String, rows: &[ComparedRow], cell: Option<Cell>| {
        let differs = |row: &&ComparedRow| row.image != row.own;
        let boards: Vec<&str> = iter::once("Solution").chain(cell.map(turn)).collect();
        json!({
            "said": message,
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

/// Whether the displayed moments agree with the expected ones. Sentences need only begin as
/// expected.
fn agree(shown: &Value, expected: &[Value]) -> bool {
    let shown = shown.as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |moment: &Value| moment["said"].as_str().unwrap_or_default().to_owned();
    let same = |(shown, expected): (&Value, &Value)| {
        let parts = ["rows", "deciding", "boards", "verdict"];
        text(shown).starts_with(&text(expected))
            && parts.iter().all(|&part| shown[part] == expected[part])
    };
    shown.len() == expected.len() && shown.iter().zip(expected).all(same)
}

async fn replays_of_every_solution_match_the_core(browser: Browser) -> Result<()> {
    browser.goto("?view=symmetries").await?;
    browser.wait_for("#comparison").await?;
    let mut kinds = BTreeMap::<String, u32>::new();
    for (n, solutions) in [(5, 10), (6, 4), (7, 40), (8, 92), (9, 352)] {
        let size = Size::new(n)?;
        let searched = searched(size)?;
        let boards: Vec<Placement> = Completions::new(&Queens::new(size, [])?).collect();
        assert_eq!(boards.len(), solutions, "solutions of N = {n}");
        let columns: Vec<String> = boards.iter().map(Placement::to_string).collect();
        let played = browser.script(PLAY, &[json!(columns)]).await?;
        for (at, board) in boards.iter().enumerate() {
            let shown = &played[at];
            let masks = Masks::branch_of(board);
            let given_up = masks.and_then(|masks| masks.gives_up(board));
            let verdict = searched.completed.get(board);
            // The number of rows of the longest prefix of this board that the search places.
            let rows: Vec<RowBits> = board.rows().collect();
            let filled =
                (1..=rows.len()).rev().find(|&rows_| searched.prefixes.contains(&rows[..rows_]));
            let kind = match (masks, given_up) {
                (None, _) => {
                    assert!(verdict.is_none(), "{board}");
                    let text = "The symmetry method never reaches this board";
                    assert!(shown.as_str().is_some_and(|shown| shown.starts_with(text)), "{board}");
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
                    let begins = shown.as_str().is_some_and(|shown| shown.starts_with(&text));
                    assert!(begins, "{board}: {shown}");
                    "given up"
                }
                (Some(masks), None) => {
                    let expected = moments(board, &masks);
                    ensure!(agree(shown, &expected), "{board}: {shown:#}, not {expected:#?}");
                    let verdict = verdict.with_context(|| format!("{board} is not completed"))?;
                    let last = expected.last().map(|moment| &moment["verdict"]);
                    assert_eq!(last, Some(&json!(verdict)), "{board}");
                    verdict
                }
            };
            *kinds.entry(kind.to_owned()).or_default() += 1;
        }
    }
    assert_eq!(kinds.values().sum::<u32>(), 498);
    let names: Vec<&str> = kinds.keys().map(String::as_str).collect();
    assert_eq!(names, ["2", "4", "8", "drop", "given up", "no branch"]);
    Ok(())
}

async fn symmetries_opens_with_a_comparison(browser: Browser) -> Result<()> {
    browser.goto("?view=symmetries").await?;
    browser.wait_for("#comparison[data-moment='0']").await?;
    browser.wait_for_text("#moment", "There is a queen on").await?;
    // Replays every example to its verdict.
    let examples = browser.count(".example").await?;
    let mut verdicts = vec![];
    for example in 1..=examples {
        browser.click(&format!("li:nth-child({example}) > .example")).await?;
        browser.wait_for(&format!("li:nth-child({example}) > .example[aria-current]")).await?;
        browser.click("#moment-last").await?;
        browser.wait_for("#comparison[data-verdict]").await?;
        verdicts.extend(browser.attributes("#comparison", "data-verdict").await?);
    }
    assert_eq!(verdicts, ["2", "4", "8", "8", "drop"]);
    Ok(())
}

async fn the_comparison_steps_both_ways(browser: Browser) -> Result<()> {
    // The queen on cell C requires a comparison with the image under 90°. In row 1 the image is
    // smaller.
    let placement = symmetries::open(&browser, &[6, 0, 2, 7, 5, 3, 1, 4]).await?;
    let queens: Vec<_> = placement.rows().collect();
    let mut comparison = Comparison::new(&queens, placement.size(), Transform::Turn90);
    let rows: Vec<String> = comparison
        .by_ref()
        .map(|row| {
            let sign = if row.image < row.own { "<" } else { "=" };
            format!("{}{}{sign}{}", row.row, row.image, row.own)
        })
        .collect();
    assert_eq!(comparison.outcome(), Outcome::ImageSmaller);
    assert_eq!(rows.len(), 2);
    browser.wait_for_text("#moment", "C (90° clockwise)").await?;
    assert_eq!(browser.texts(".comparison .sign").await?, ["C", "A", "B"]);
    let mut moments = vec![];
    for moment in 1..=4 {
        browser.click("#moment-forward").await?;
        browser.wait_for(&format!("[data-moment='{moment}']")).await?;
        moments.push((browser.text("#moment").await?, browser.text(".played .current").await?));
        let compared = browser.texts(".compared tbody tr").await?;
        assert_eq!(compared, rows[..rows.len().min(moment)]);
    }
    assert!(moments[2].0.contains("smaller") && moments[3].0.contains("Dropped"), "{moments:?}");
    assert!(
        moments[0].1.contains("Comparison::new") && moments[2].1.contains("ops.learn"),
        "{moments:?}"
    );
    assert_eq!(browser.attributes("#comparison", "data-verdict").await?, ["drop"]);
    browser.screenshot("symmetries-comparison").await?;
    assert!(browser.address().await?.ends_with("&moment=4"));
    for moment in (1..=4).rev() {
        let now = (browser.text("#moment").await?, browser.text(".played .current").await?);
        assert_eq!(now, moments[moment - 1], "moment {moment} on the way back");
        browser.click("#moment-back").await?;
        browser.wait_for(&format!("[data-moment='{}']", moment - 1)).await?;
    }
    Ok(())
}

async fn the_comparison_is_translated_to_japanese(browser: Browser) -> Result<()> {
    // The queen on cell C requires a comparison with the image under 90°. Row 1 decides it.
    browser.goto("?view=symmetries&lang=ja&n=8&solution=6,0,2,7,5,3,1,4").await?;
    let messages = [
        "C（時計回り 90°）にクイーンがあります。",
        "マス C、時計回り 90°：行 0 のクイーンは、像では列 6（ビット 1）、\
         この解では列 6（ビット 1）にあります。",
        "マス C、時計回り 90°：行 1 のクイーンは、像では列 ",
        "ビット番号が小さいのは像のほうです。この解は代表ではないので、数えません。",
        "この解は捨てます。",
    ];
    for (moment, message) in messages.into_iter().enumerate() {
        browser.wait_for(&format!("#comparison[data-moment='{moment}']")).await?;
        browser.wait_for_text("#moment", message).await?;
        if moment < 4 {
            browser.click("#moment-forward").await?;
        }
    }
    assert_eq!(browser.texts(".compared thead th").await?, ["行", "時計回り 90°", "解"]);
    for (columns, message) in [
        ("4,1,3,0,2", "対称解除法では、この盤は完成しません。"),
        ("0,2,4,1,3", "対称解除法ではこの盤は現れません。"),
    ] {
        browser.goto(&format!("?view=symmetries&lang=ja&n=5&solution={columns}")).await?;
        browser.wait_for_text("#comparison", message).await?;
    }
    Ok(())
}
