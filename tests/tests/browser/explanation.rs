//! The explanation: its figures show what the core computes, and link to the same states.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use queens_core::{
    Cell, Class, Event, Masks, Placement, Played, Register, Rule, Size, Square, Stepped, Timeline,
    View, images, representative,
};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::{Value, json};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        every_figure_draws_and_links_to_its_state,
        figure_links_open_the_state_they_show,
        register_words_align_with_the_board_columns,
    ]
}

/// The figures in the text file.
fn figures() -> Result<Vec<Value>> {
    let text: Value = serde_json::from_str(include_str!("../../../web/text/explanation.en.json"))?;
    let sections = text["sections"].as_array().context("no sections")?;
    let blocks = sections.iter().filter_map(|section| section["blocks"].as_array()).flatten();
    Ok(blocks.map(|block| block["figure"].clone()).filter(|figure| !figure.is_null()).collect())
}

/// The state of a search after a step.
fn state_at(method: Stepped, size: Size, step: u64) -> (View, Option<Event>) {
    let mut timeline = Timeline::new(method, size);
    while !timeline.seek(step, u64::MAX) {}
    (timeline.view(), timeline.last())
}

/// Follows the link of the first figure of each kind and compares the board there with the core's
/// state.
async fn figure_links_open_the_state_they_show(browser: Browser) -> Result<()> {
    let figures = figures()?;
    let mut followed = BTreeSet::new();
    browser.goto("?view=explanation&lang=ja").await?;
    browser.script("window.same = true;", &[]).await?;
    for (number, figure) in figures.iter().enumerate() {
        let kinds = ["search", "classes", "images", "comparison"];
        let kind = kinds.into_iter().find(|&kind| !figure[kind].is_null());
        if !followed.insert(kind.with_context(|| figure.to_string())?) {
            continue;
        }
        browser.wait_for_count("[data-testid=figure]", figures.len()).await?;
        let step =
            browser.attributes("[data-testid=figure]", "data-step").await?.swap_remove(number);
        browser
            .script(
                "document.querySelectorAll('.figure-link')[arguments[0]].click();",
                &[number.into()],
            )
            .await?;
        if let Some(method) = figure["search"].as_str() {
            let size = Size::new(figure["n"].as_u64().context("no N")? as u32)?;
            browser.wait_for(&format!("#step[data-step='{step}']")).await?;
            let (view, _) = state_at(method.parse()?, size, step.parse()?);
            let expected: Vec<String> =
                view.placed().squares().map(|square| square.to_string()).collect();
            let shown = || async {
                let queens = "#board [data-state=queen]";
                let rows = browser.attributes(queens, "data-row").await?;
                let columns = browser.attributes(queens, "data-column").await?;
                Ok(rows
                    .iter()
                    .zip(columns)
                    .map(|(row, column)| format!("{row}:{column}"))
                    .collect())
            };
            browser
                .wait_until(&figure.to_string(), shown, |shown: &Vec<_>| *shown == expected)
                .await?;
            assert!(browser.address().await?.contains(method) || method == "symmetry");
        } else if let Some(n) = figure["classes"].as_u64() {
            browser.wait_for("#classes-status[data-state=done]").await?;
            let classes = queens_core::known::known(n as u32).context("no known N")?.unique();
            browser.wait_for_count(".tile", classes as usize).await?;
        } else {
            let list = figure["images"].as_array().or(figure["comparison"].as_array());
            let columns: Vec<_> =
                list.context("no columns")?.iter().map(Value::to_string).collect();
            let board = format!("[data-transform=identity][data-columns='{}']", columns.join(" "));
            browser.wait_for(&board).await?;
        }
        let spoken = browser.attributes("html", "lang").await?;
        assert_eq!(spoken, ["ja"]);
        browser.client().back().await?;
    }
    assert_eq!(browser.script("return window.same;", &[]).await?, true, "the page was reloaded");
    Ok(())
}

/// The content of each figure. For each of its boards: the squares (row, column from the left) of
/// every kind of glyph, the signs, the highlighted rows, whether it is marked as the representative,
/// the texts below it and its label. For the figure: its registers and its sentence.
const DRAWN: &str = r#"
    const squares = (svg, kind) => {
        const path = svg.querySelector(`path.${kind}`);
        const glyphs = path ? path.getAttribute('d').matchAll(/M(\d+) (\d+)/g) : [];
        return [...glyphs].map(([, x, y]) => [y / 40, x / 40]);
    };
    const signs = (svg) => [...svg.querySelectorAll('.sign')].map((text) => [
        Math.floor(text.getAttribute('y') / 40), Math.floor(text.getAttribute('x') / 40),
        text.textContent,
    ]);
    const board = (svg) => ({
        queens: squares(svg, 'queens'), hatch: squares(svg, 'hatch'), fresh: squares(svg, 'fresh'),
        free: squares(svg, 'free'), framed: squares(svg, 'at-work').map(([row]) => row),
        signs: signs(svg).sort(), marked: svg.closest('.is-representative') !== null,
        below: [...svg.parentElement.querySelectorAll(':scope > span')].map((span) => span.textContent),
        label: svg.getAttribute('aria-label'),
    });
    const words = (figure) => [...figure.querySelectorAll('.word-name')].map((name) => {
        const bits = name.nextElementSibling;
        return [name.textContent, [...bits.children].map((bit) => bit.textContent).join(''),
            [...bits.children].map((bit) => Number(bit.classList.contains('one'))).join(''),
            bits.getAttribute('aria-label')];
    });
    return [...document.querySelectorAll('[data-testid=figure]')].map((figure) => ({
        boards: [...figure.querySelectorAll('.marked-board, .mini-board')].map(board),
        words: words(figure),
        sentence: figure.querySelector('.figure-steps p')?.textContent ?? null,
    }));"#;

async fn every_figure_draws_and_links_to_its_state(browser: Browser) -> Result<()> {
    let figures = figures()?;
    browser.goto("?view=explanation").await?;
    browser.wait_for_count("[data-testid=figure]", figures.len()).await?;
    let steps = browser.attributes("[data-testid=figure]", "data-step").await?;
    let links = browser.attributes("[data-testid=figure] .figure-link", "href").await?;
    assert_eq!(links.len(), figures.len());
    for ((figure, step), link) in figures.iter().zip(&steps).zip(links) {
        let columns = |value: &Value| {
            let columns = value.as_array().map(Vec::as_slice).unwrap_or_default();
            columns.iter().map(Value::to_string).collect::<Vec<_>>().join(",")
        };
        if let Some(method) = figure["search"].as_str() {
            let size = Size::new(figure["n"].as_u64().context("no N")? as u32)?;
            let (view, event) = state_at(method.parse()?, size, step.parse()?);
            let queens = figure["queens"].as_array().context("no queens")?;
            for (queen, wanted) in view.rows().iter().zip(queens) {
                let column = Square::of_bits(size, 0, *queen).map(|square| square.to_left().1);
                assert_eq!(column.map(u64::from), wanted.as_u64());
            }
            let happened = match event {
                Some(Event::Cut { rule, .. }) => {
                    let wanted = figure["rule"].as_str();
                    assert!(wanted.is_none_or(|wanted| wanted == rule.id()), "{figure}");
                    "cut"
                }
                Some(Event::Reject { .. }) => "reject",
                other => bail!("{figure} stops at {other:?}"),
            };
            assert_eq!(figure["event"], happened);
            assert!(link.contains(&format!("step={step}")), "{link}");
        } else if let Some(n) = figure["classes"].as_u64() {
            assert_eq!(link, if n == 8 { "?view=solutions&together=1" } else { "" });
        } else {
            let solution = columns(&figure["images"]) + &columns(&figure["comparison"]);
            assert!(link.contains(&format!("solution={solution}")), "{link}");
        }
    }
    browser.screenshot("explanation").await?;
    let drawn = browser.script(DRAWN, &[]).await?;
    for ((figure, step), drawn) in
        figures.iter().zip(steps).zip(drawn.as_array().context("no figures")?)
    {
        let boards = drawn["boards"].as_array().context("no boards")?;
        if figure["search"].is_string() {
            check_search_drawing(figure, step.parse()?, drawn)?;
        } else if !figure["images"].is_null() {
            check_images_drawing(&placement(&figure["images"])?, boards, figure);
        } else if !figure["comparison"].is_null() {
            check_comparison_drawing(figure, boards)?;
        } else {
            check_classes_drawing(figure, boards)?;
        }
    }
    Ok(())
}

fn placement(columns: &Value) -> Result<Placement> {
    let columns = columns.as_array().context("no columns")?.iter();
    let columns: Option<Vec<_>> = columns.map(|column| Some(column.as_u64()? as u32)).collect();
    Ok(Placement::from_left(&columns.context("no numbers")?)?)
}

/// The queens as (row, column from the left), in the form of [`DRAWN`].
fn queens_of(placement: &Placement) -> Value {
    let queens = (0u32..).zip(placement.columns_from_left());
    queens.map(|(row, column)| json!([row, column])).collect()
}

/// Compares a search's board at a step with the core's state of its squares.
fn check_search_drawing(figure: &Value, step: u64, drawn: &Value) -> Result<()> {
    let size = Size::new(figure["n"].as_u64().context("no N")? as u32)?;
    let (view, event) =
        state_at(figure["search"].as_str().context("no method")?.parse()?, size, step);
    let only = figure["squares"].as_array();
    let queens: Vec<_> = (0u32..)
        .zip(view.rows())
        .filter(|(_, queen)| !queen.is_empty())
        .map(|(row, queen)| (row, queen.column()))
        .collect();
    let (happened_in, fresh) = match event {
        Some(Event::Cut { row, squares, .. } | Event::Reject { row, squares }) => (row, squares),
        other => bail!("{figure} stops at {other:?}"),
    };
    let mut expected: BTreeMap<_, Vec<Value>> = BTreeMap::new();
    for kind in ["queens", "hatch", "fresh", "free", "framed", "signs"] {
        expected.insert(kind, vec![]);
    }
    if only.is_none() {
        expected.entry("framed").or_default().push(view.row.into());
    }
    for row in 0..size.get() {
        for at in Square::of_row(size, row) {
            let ((_, left), (_, bit)) = (at.to_left(), at.to_right());
            let square = json!([row, left]);
            let mut draw = |kind, what| expected.entry(kind).or_default().push(what);
            let queen = queens.contains(&(row, bit));
            let attacks = |&(above, column): &(u32, u32)| {
                let aside = column.abs_diff(bit);
                above < row && (aside == 0 || aside == row - above)
            };
            let attacked = row >= view.row && !queen && queens.iter().any(attacks);
            let by_step = match event {
                Some(Event::Cut { row: at, rule, squares })
                    if at == row && squares.contains(bit) =>
                {
                    Some(rule)
                }
                _ => None,
            };
            let governed = view.governed(row).filter(|(_, squares)| squares.contains(bit));
            let rule = by_step.or(governed.map(|(rule, _)| rule)).filter(|_| !queen);
            let rule = rule.filter(|_| figure["all_signs"] != json!(false) || !attacked);
            let cells = Cell::ALL.into_iter().filter(|_| figure["letters"] != json!(false));
            let here = |masks: Masks, cell| {
                masks.cell(cell).is_some_and(|(r, b)| r == row && b.contains(bit))
            };
            let cell = view.masks.and_then(|masks| cells.clone().find(|&cell| here(masks, cell)));
            if queen {
                draw("queens", square.clone());
            }
            if attacked {
                draw("hatch", square.clone());
            }
            let is_fresh = match only {
                Some(squares) => squares.contains(&square),
                None => row == happened_in && fresh.contains(bit),
            };
            if is_fresh {
                assert!(only.is_none() || attacked, "{figure}: {square}");
                draw("fresh", square.clone());
            }
            if only.is_none() && row == view.row && view.free.contains(bit) {
                draw("free", square.clone());
            }
            if let Some(sign) = cell.map(Cell::letter).or(rule.map(Rule::sign)) {
                draw("signs", json!([row, left, sign]));
            }
        }
    }
    let board = &drawn["boards"][0];
    for (kind, expected) in expected {
        assert_eq!(board[kind], Value::from(expected), "{figure}: {kind}");
    }
    assert_eq!(drawn["sentence"].is_string(), only.is_none(), "{figure}");
    let mut words = vec![];
    if figure["words"] == json!(true) {
        words = words_of(&view);
    }
    let shown_words = drawn["words"].as_array().context("no words")?;
    assert_eq!(shown_words.len(), words.len(), "{figure}");
    for (shown, (name, bits)) in shown_words.iter().zip(words) {
        let label = shown[3].as_str().context("the word has no label")?;
        assert_eq!((&shown[0], &shown[1], &shown[2]), (&json!(name), &json!(bits), &json!(bits)));
        assert!(label.contains(name) && label.contains(&bits), "{label}");
    }
    Ok(())
}

/// The registers of a figure with their bits.
fn words_of(view: &View) -> Vec<(&'static str, String)> {
    let n = view.size.rows();
    [Register::Left, Register::Down, Register::Right, Register::Free]
        .map(|register| {
            let word = view.register(register).unwrap_or_default() & view.size.mask();
            (register.name(), format!("{:0n$b}", word.bits()))
        })
        .into()
}

/// Compares the distinct images, each with the number of transforms that give it.
fn check_images_drawing(placement: &Placement, boards: &[Value], figure: &Value) {
    let mut different: Vec<(Placement, usize)> = vec![];
    for (_, image) in images(placement) {
        match different.iter_mut().find(|(known, _)| *known == image) {
            Some((_, transforms)) => *transforms += 1,
            None => different.push((image, 1)),
        }
    }
    assert_eq!(boards.len() as u64, Class::of(placement).members(), "{figure}");
    assert_eq!(boards.len(), different.len(), "{figure}");
    for (board, (image, transforms)) in boards.iter().zip(different) {
        assert_eq!(board["queens"], queens_of(&image), "{figure}");
        assert_eq!(board["marked"], json!(representative(placement) == image), "{figure}");
        let names = board["below"][0].as_str().unwrap_or_default();
        assert_eq!(names.split(" = ").count(), transforms, "{figure}: {names}");
        assert_eq!(board["below"][1], image.judgement_value().to_string());
        assert!(board["label"].as_str().unwrap_or_default().contains(&image.to_string()));
    }
}

/// Compares the board of the solution with its cells and, if a cell is current, the board of the
/// image that this cell requires. Both boards highlight the same row.
fn check_comparison_drawing(figure: &Value, boards: &[Value]) -> Result<()> {
    let placement = placement(&figure["comparison"])?;
    let Played::Completed(masks, moments) = Played::of(&placement) else {
        bail!("{figure} is never completed")
    };
    let moment = moments[figure["moment"].as_u64().context("no moment")? as usize];
    let image = moment.cell().map(|cell| cell.transform().apply(&placement));
    let framed: Vec<u32> = moment.row().map(|row| row.row).into_iter().collect();
    let mut cells: Vec<_> = Cell::ALL
        .into_iter()
        .filter_map(|cell| {
            let (row, square) = masks.cell(cell)?;
            let (row, column) = Square::of_bits(placement.size(), row, square)?.to_left();
            Some(json!([row, column, cell.letter()]))
        })
        .collect();
    cells.sort_by_key(|cell| cell[0].as_u64());
    let expected = [Some((placement, cells)), image.map(|image| (image, vec![]))];
    let expected: Vec<_> = expected.into_iter().flatten().collect();
    assert_eq!(boards.len(), expected.len(), "{figure}");
    for (board, (placement, cells)) in boards.iter().zip(expected) {
        assert_eq!(board["queens"], queens_of(&placement), "{figure}");
        assert_eq!(board["signs"], Value::from(cells), "{figure}");
        assert_eq!(board["framed"], json!(framed), "{figure}");
        assert_eq!(board["below"][1], placement.judgement_value().to_string());
        assert!(board["label"].as_str().unwrap_or_default().contains(&placement.to_string()));
    }
    Ok(())
}

/// Compares the boards with the representatives, and the texts below them with the sizes of the
/// classes.
fn check_classes_drawing(figure: &Value, boards: &[Value]) -> Result<()> {
    let size = Size::new(figure["classes"].as_u64().context("no size")? as u32)?;
    let mut smallest = vec![];
    queens_core::oracle::solutions(size, &mut |placement| {
        if representative(placement) == *placement {
            smallest.push(*placement);
        }
    });
    smallest.sort();
    assert_eq!(boards.len(), smallest.len());
    for (board, placement) in boards.iter().zip(smallest) {
        assert_eq!(board["queens"], queens_of(&placement), "{figure}");
        assert_eq!(board["below"][1], format!("× {}", Class::of(&placement)));
    }
    Ok(())
}

/// The left and right edges of the board, of each register's bits, and of each register's third
/// bit.
const EDGES: &str = "
    const figure = document.querySelector('.figure-board:has(.figure-words)');
    const edges = (element) => {
        const { left, right } = element.getBoundingClientRect();
        return [left, right];
    };
    const bits = [...figure.querySelectorAll('.bits')];
    return [figure.querySelector('.marked-board'), ...bits].map(edges)
        .concat(bits.map((bits) => edges(bits.children[2])));";

async fn register_words_align_with_the_board_columns(browser: Browser) -> Result<()> {
    browser.goto("?view=explanation").await?;
    for width in [1440, 768, 375] {
        browser.set_size(width, 900).await?;
        browser.wait_for(".figure-words").await?;
        browser.assert_fits_the_width().await?;
        let edges = browser.script(EDGES, &[]).await?;
        let edges: Vec<[f64; 2]> = serde_json::from_value(edges)?;
        let (left, right) = (edges[0][0], edges[0][1]);
        let side = (right - left) / 8.0;
        assert!(side > 15.0, "{edges:?}");
        for word in &edges[1..5] {
            assert!((word[0] - left).abs() < 1.5 && (word[1] - right).abs() < 1.5, "{edges:?}");
        }
        for third in &edges[5..] {
            assert!((third[0] - left - 2.0 * side).abs() < 2.0, "{width}: {edges:?}");
        }
    }
    // The registers agree with the search on every step.
    let figure = ".figure-search:has(.figure-words)";
    let begin: u64 = browser.attributes(figure, "data-step").await?[0].parse()?;
    for step in begin + 1..begin + 5 {
        browser.click(&format!("{figure} .figure-steps button:nth-of-type(2)")).await?;
        browser.wait_for(&format!("{figure}[data-step='{step}']")).await?;
        let (view, _) = state_at(Stepped::Bitmap, Size::new(8)?, step);
        let labels = browser.attributes(&format!("{figure} .bits"), "aria-label").await?;
        let shown = browser.texts(&format!("{figure} .bits")).await?;
        for ((label, shown), (name, bits)) in labels.iter().zip(shown).zip(words_of(&view)) {
            assert_eq!(shown.split_whitespace().collect::<String>(), bits, "{name} at step {step}");
            assert!(label.contains(name) && label.contains(&bits), "{label}");
        }
        assert_eq!(labels.len(), 4);
    }
    let link = browser.attributes(&format!("{figure} .figure-link"), "href").await?;
    assert!(link[0].ends_with(&format!("step={}", begin + 4)), "{link:?}");
    browser.click(&format!("{figure} .figure-steps button:nth-of-type(1)")).await?;
    browser.wait_for(&format!("{figure}[data-step='{}']", begin + 3)).await.map(drop)
}
