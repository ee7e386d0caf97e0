//! Classes: all classes of a board, and their totals.

use anyhow::{Context, Result};
use queens_core::{
    Class, Event, Found, Placement, Size, Stepped, Timeline, Tracer, representative,
};
use queens_core::{ClassCounts, Numbers, known::known};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::{Value, json};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        shows_the_12_classes_of_n_8,
        a_board_links_to_its_images,
        handles_sizes_with_no_solution_and_with_one,
        renders_only_boards_near_the_window,
        scrolling_back_renders_the_boards_again,
        every_board_has_its_position_and_the_set_size,
        a_search_can_be_stopped_and_started_again,
        a_board_with_too_many_classes_names_the_command,
        class_counts_match_the_published_values,
        shows_the_two_classes_of_n_5,
        the_filter_is_stored_in_the_address,
        terms_of_the_formula_filter_the_boards,
        a_board_opens_explore_at_its_step,
        a_board_opens_in_play,
        saves_classes_as_json_csv_and_images,
        saves_thousands_of_classes,
        disables_png_for_sheets_that_are_too_large,
        a_stopped_search_is_saved_as_incomplete,
        boards_of_n_14_link_to_their_step,
        targets_are_large_enough_to_touch,
        terms_scroll_to_their_boards_on_a_phone,
        numbers_view_counts_live,
        classes_in_japanese_on_a_phone,
    ]
}

async fn open(browser: &Browser, n: u32) -> Result<()> {
    browser.goto(&format!("?view=classes&n={n}")).await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    Ok(())
}

async fn shows_the_12_classes_of_n_8(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    assert_eq!(browser.texts("#ledger .number").await?, ["0", "1", "11"]);
    assert_eq!(browser.text("#unique").await?, "12");
    assert_eq!(browser.text("#total").await?, "92");
    assert_eq!(browser.count("[data-testid=shelf-4] .tile").await?, 1);
    assert_eq!(browser.count("[data-testid=shelf-8] .tile").await?, 11);
    assert_eq!(browser.count("[data-testid=shelf-2]").await?, 0);
    browser.wait_for_text("#formula-total", "2·0 + 4·1 + 8·11 = 92").await?;
    browser.wait_for_text("#formula-burnside", "(92 + 4 + 2·0) / 8 = 12").await?;
    assert_eq!(browser.count("#formula-burnside .verdict.good").await?, 1);
    browser.screenshot("classes-eight").await?;
    Ok(())
}

async fn a_board_links_to_its_images(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    browser.click("[data-testid=shelf-4] .tile").await?;
    browser.wait_for_count("[data-testid=image]", 8).await?;
    assert_eq!(browser.attributes("#class", "data-class").await?, ["4"]);
    browser.client().back().await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    Ok(())
}

async fn handles_sizes_with_no_solution_and_with_one(browser: Browser) -> Result<()> {
    for n in [2, 3] {
        open(&browser, n).await?;
        browser.wait_for("[data-testid=no-classes]").await?;
        assert_eq!(browser.text("#unique").await?, "0");
        assert_eq!(browser.count(".tile").await?, 0);
    }
    open(&browser, 1).await?;
    assert_eq!(browser.text("#unique").await?, "1");
    assert_eq!(browser.count("[data-testid=shelf-1] .tile").await?, 1);
    Ok(())
}

async fn renders_only_boards_near_the_window(browser: Browser) -> Result<()> {
    open(&browser, 12).await?;
    assert_eq!(browser.text("#unique").await?, "1,787");
    assert_eq!(browser.texts("#ledger .number").await?, ["4", "18", "1,765"]);
    let near = browser.count(".tile").await?;
    assert!((22..600).contains(&near), "{near} boards are drawn");
    browser.script("window.scrollTo(0, document.body.scrollHeight);", &[]).await?;
    let numbers = || browser.texts("[data-testid=shelf-8] .number");
    let numbers = browser
        .wait_until("the last board", numbers, |numbers| {
            numbers.last().is_some_and(|last| last == "1,765")
        })
        .await?;
    assert!(numbers.len() < 600, "{} boards are drawn", numbers.len());
    assert_ne!(numbers.first().map(String::as_str), Some("1"));
    Ok(())
}

/// Script that returns the visible grids without a visible board.
const EMPTY_GRIDS: &str = "
    return [...document.querySelectorAll('[data-testid^=shelf]')].filter((shelf) => {
        const { top, bottom } = shelf.getBoundingClientRect();
        const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
        const boards = [...shelf.querySelectorAll('li')].filter((board) => {
            const { top, bottom } = board.getBoundingClientRect();
            return bottom > 0 && top < innerHeight;
        });
        return seen > 10 && boards.length === 0;
    }).map((shelf) => shelf.dataset.testid);";

async fn scrolling_back_renders_the_boards_again(browser: Browser) -> Result<()> {
    open(&browser, 12).await?;
    let to = |place: &'static str| format!("scrollTo(0, {place});");
    let bare = || async { browser.script(EMPTY_GRIDS, &[]).await };
    for place in ["document.body.scrollHeight", "0", "document.body.scrollHeight / 2", "0"] {
        browser.script(&to(place), &[]).await?;
        browser.wait_until("boards in sight", bare, |bare| *bare == json!([])).await?;
    }
    let groups = [Class::Two, Class::Four].map(|class| format!("[data-testid=shelf-{class}] li"));
    for group in groups {
        assert!(browser.count(&group).await? > 0, "{group}");
    }
    // A filter whose result ends above the window.
    browser.script(&to("document.body.scrollHeight"), &[]).await?;
    browser.wait_until("boards in sight", bare, |bare| *bare == json!([])).await?;
    browser.choose("#first-choice", "corner").await?;
    browser.script(&to("0"), &[]).await?;
    browser.wait_until("boards in sight", bare, |bare| *bare == json!([])).await?;
    assert!(browser.count("[data-testid=shelf-8] li").await? > 0);
    Ok(())
}

async fn every_board_has_its_position_and_the_set_size(browser: Browser) -> Result<()> {
    let sizes = |shelf: u8| {
        let browser = &browser;
        async move {
            browser.attributes(&format!("[data-testid=shelf-{shelf}] li"), "aria-setsize").await
        }
    };
    browser.goto("?view=classes&n=14").await?;
    browser.wait_for("[data-testid=shelf-8] li[aria-setsize='-1']").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    let eight = known(14).and_then(Numbers::classes).context("no published numbers")?.count8;
    browser.wait_for(&format!("[data-testid=shelf-8] li[aria-setsize='{eight}']")).await?;
    assert!(sizes(8).await?.iter().all(|size| *size == eight.to_string()));
    open(&browser, 8).await?;
    assert_eq!(sizes(8).await?, vec!["11"; 11]);
    browser.click("#language").await?;
    browser.wait_for("html[lang=ja]").await?;
    browser.wait_for_text("#classes-of-8", "グループ").await?;
    assert_eq!(sizes(8).await?, vec!["11"; 11]);
    let places = browser.attributes("[data-testid=shelf-8] li", "aria-posinset").await?;
    assert_eq!(places, (1..=11).map(|place| place.to_string()).collect::<Vec<_>>());
    Ok(())
}

async fn a_search_can_be_stopped_and_started_again(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    crate::stop_at_once(&browser, 14).await?;
    browser.wait_for("#classes-status[data-state=stopped]").await?;
    let found = browser.text("#unique").await?;
    assert_ne!(found, "45,752");
    browser.settle().await?;
    assert_eq!(browser.text("#unique").await?, found, "the stopped search found more");
    browser.click("#again").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    assert_eq!(browser.text("#unique").await?, "45,752");
    Ok(())
}

async fn a_board_with_too_many_classes_names_the_command(browser: Browser) -> Result<()> {
    browser.goto("?view=classes&n=16").await?;
    browser.wait_for_text("[data-testid=too-many]", "1,846,955").await?;
    assert_eq!(browser.texts(".commands code").await?[0], "queens classes 16");
    assert_eq!(browser.text("#total").await?, "14,772,512");
    Ok(())
}

/// The representatives found by the core, with their classes.
fn classes(n: u32) -> Result<Vec<(Class, Placement)>> {
    let mut tracer = Tracer::new(Stepped::Symmetry, Size::new(n)?);
    let mut classes = vec![];
    while let Some(step) = tracer.forward() {
        if let Event::Solution { found: Found::Class(class) } = step.event {
            classes.push((class, tracer.view().placement().context("no solution")?));
        }
    }
    Ok(classes)
}

async fn shown_rows(browser: &Browser) -> Result<Vec<String>> {
    browser.attributes(".tiles > li", "data-columns").await
}

async fn class_counts_match_the_published_values(browser: Browser) -> Result<()> {
    for n in [4, 6, 8, 12] {
        open(&browser, n).await?;
        let known = known(n).and_then(Numbers::classes).context("no published numbers")?;
        let ClassCounts { count2: two, count4: four, count8: eight } = known;
        let counts = [two, four, eight].map(|count| {
            if count < 1000 {
                count.to_string()
            } else {
                format!("{},{:03}", count / 1000, count % 1000)
            }
        });
        assert_eq!(browser.texts("#ledger .number").await?, counts, "N = {n}");
        for (class, count) in [(2, two), (4, four), (8, eight)] {
            let boards = format!("[data-testid=shelf-{class}]");
            let shown_rows = browser.attributes(&boards, "data-boards").await?;
            let expected: Vec<String> =
                (count > 0).then(|| count.to_string()).into_iter().collect();
            assert_eq!(shown_rows, expected, "N = {n}, classes of {class}");
        }
    }
    Ok(())
}

async fn shows_the_two_classes_of_n_5(browser: Browser) -> Result<()> {
    open(&browser, 5).await?;
    assert_eq!(shown_rows(&browser).await?, ["3 0 2 4 1", "4 2 0 3 1"]);
    for (class, members) in [(2, 2), (8, 8)] {
        browser.goto("?view=classes&n=5").await?;
        browser.click(&format!("[data-testid=shelf-{class}] .tile")).await?;
        browser.wait_for_count("[data-testid=image]", 8).await?;
        let mut images = browser.attributes("[data-testid=image]", "data-columns").await?;
        images.sort();
        images.dedup();
        assert_eq!(images.len(), members);
    }
    Ok(())
}

async fn the_filter_is_stored_in_the_address(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    let all = classes(8)?;
    let boards = |wanted: &dyn Fn(&(Class, Placement)) -> bool| -> Vec<String> {
        all.iter().filter(|class| wanted(class)).map(|(_, board)| board.to_string()).collect()
    };
    let corner = |board: &Placement| board.columns_from_right()[0] == 0;
    for (field, value, address, expected) in [
        ("class-choice", "4", "class=4", boards(&|(class, _)| *class == Class::Four)),
        ("class-choice", "turned", "class=turned", boards(&|(class, _)| *class != Class::Eight)),
        ("class-choice", "8", "class=8", boards(&|(class, _)| *class == Class::Eight)),
        (
            "first-choice",
            "corner",
            "class=8&first=corner",
            boards(&|(class, board)| *class == Class::Eight && corner(board)),
        ),
        (
            "first-choice",
            "5",
            "class=8&first=5",
            boards(&|(class, board)| {
                *class == Class::Eight && board.columns_from_left().next() == Some(5)
            }),
        ),
    ] {
        browser.choose(&format!("#{field}"), value).await?;
        browser
            .wait_until(address, || shown_rows(&browser), |shown_rows| *shown_rows == expected)
            .await?;
        assert!(!expected.is_empty());
        assert!(browser.address().await?.ends_with(address), "{address}");
    }
    browser.choose("#order-choice", "largest").await?;
    let mut backwards = boards(&|(class, board)| {
        *class == Class::Eight && board.columns_from_left().next() == Some(5)
    });
    backwards.reverse();
    browser
        .wait_until(
            "the other order",
            || shown_rows(&browser),
            |shown_rows| *shown_rows == backwards,
        )
        .await?;
    // The address alone gives the same picture. Then a filter without results.
    browser.client().refresh().await?;
    browser
        .wait_until(
            "the same again",
            || shown_rows(&browser),
            |shown_rows| *shown_rows == backwards,
        )
        .await?;
    browser.choose("#class-choice", "2").await?;
    browser.wait_for("[data-testid=nothing-chosen]").await?;
    Ok(())
}

async fn terms_of_the_formula_filter_the_boards(browser: Browser) -> Result<()> {
    open(&browser, 12).await?;
    // (14,200 + 80 + 2·8) / 8: the second term is H, the third R.
    for (term, shelves) in [(2, vec!["4", "18"]), (3, vec!["4"]), (1, vec!["4", "18", "1765"])] {
        browser.click(&format!("#formula-burnside .summand:nth-of-type({term})")).await?;
        let boards = || browser.attributes("[data-testid^=shelf]", "data-boards");
        browser.wait_until(&format!("term {term}"), boards, |boards| *boards == shelves).await?;
    }
    browser.click("#ledger [data-class='4'] .summand").await?;
    browser.wait_for_count("[data-testid^=shelf]", 1).await?;
    assert!(browser.address().await?.ends_with("n=12&class=4"));
    Ok(())
}

async fn a_board_opens_explore_at_its_step(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    browser.click("[data-testid=shelf-8] li:nth-child(3) .tile-step").await?;
    browser.wait_for(".explore").await?;
    let address = browser.address().await?;
    let step = address.split(['?', '&']).find_map(|part| part.strip_prefix("step="));
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    assert!(timeline.seek(step.context("no step")?.parse()?, u64::MAX));
    let eights: Vec<_> =
        classes(8)?.into_iter().filter(|(class, _)| *class == Class::Eight).collect();
    assert_eq!(timeline.view().placement(), Some(eights[2].1));
    Ok(())
}

async fn saves_classes_as_json_csv_and_images(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    crate::catch_saved(&browser).await?;
    browser.click("#save-json").await?;
    let saved: Value = serde_json::from_str(&crate::saved(&browser).await?)?;
    assert_eq!((&saved["n"], &saved["complete"]), (&8.into(), &true.into()));
    let rows = saved["classes"].as_array().context("no classes")?;
    assert_eq!(rows.len(), 12);
    for row in rows {
        let columns: Vec<u32> = serde_json::from_value(row["columns"].clone())?;
        let board = Placement::from_left(&columns)?;
        assert_eq!(representative(&board), board);
        assert_eq!(row["class"], Class::of(&board).members());
    }
    browser.click("#save-csv").await?;
    let csv = crate::saved(&browser).await?;
    assert_eq!(csv.lines().next(), Some("class,columns,judgement_value,step"));
    assert_eq!(csv.lines().count(), 13);
    browser.click("#save-svg").await?;
    let saved = crate::saved(&browser).await?;
    assert_eq!(saved.matches("<use href=\"#q\"").count(), 12 * 8);
    // As a PNG: the boards are read from the saved file.
    let boards = shown_rows(&browser).await?;
    browser.click("#save-png").await?;
    let expected = json!({ "width": 3600, "height": 3020, "boards": boards });
    let read = || crate::saved_boards(&browser, 8, 12, 4);
    browser.wait_until("the sheet", read, |read| *read == expected).await?;
    Ok(())
}

async fn saves_thousands_of_classes(browser: Browser) -> Result<()> {
    open(&browser, 12).await?;
    crate::catch_saved(&browser).await?;
    browser.click("#save-csv").await?;
    let csv = crate::saved(&browser).await?;
    let all: Vec<String> = classes(12)?
        .into_iter()
        .map(|(class, board)| format!("{class},{board},{}", board.judgement_value()))
        .collect();
    let mut rows: Vec<_> =
        csv.lines().skip(1).filter_map(|row| Some(row.rsplit_once(',')?.0)).collect();
    rows.sort_unstable();
    let mut expected: Vec<_> = all.iter().map(String::as_str).collect();
    expected.sort_unstable();
    assert!(rows == expected, "{} rows", rows.len());
    // A sheet of 42 by 43 boards, the largest that a browser can draw.
    browser.click("#save-png").await?;
    let sides = || async {
        let sheet = crate::saved_boards(&browser, 12, 0, 42).await?;
        Ok((sheet["width"].as_u64(), sheet["height"].as_u64()))
    };
    browser.wait_until("the sheet", sides, |sides| *sides == (Some(3593), Some(4096))).await?;
    Ok(())
}

async fn disables_png_for_sheets_that_are_too_large(browser: Browser) -> Result<()> {
    open(&browser, 13).await?;
    browser.wait_for_text("#no-png", "at most 2000 boards").await?;
    assert_eq!(browser.count("#save-png:disabled").await?, 1);
    crate::catch_saved(&browser).await?;
    browser.click("#save-svg").await?;
    // Too long for the WebDriver connection, so the boards are read inside the page.
    let boards = || async {
        let boards = browser
            .script(
                "return window.savedBlob?.text().then((svg) =>
                     svg.split('<use href=\"#b\"/>').slice(1).map((board) => [
                         board.match(/>([0-9]+ × [0-9])<\\/text>/)[1],
                         [...board.matchAll(/#q\" x=\"([0-9]+)\" y=\"([0-9]+)\"/g)]
                             .sort((a, b) => a[2] - b[2]).map((queen) => queen[1]).join(' '),
                     ].join(': '))) ?? null;",
                &[],
            )
            .await?;
        Ok(serde_json::from_value::<Option<Vec<String>>>(boards)?)
    };
    let boards = browser.wait_until("the sheet", boards, Option::is_some).await?;
    let mut expected = classes(13)?;
    // Smaller classes first, each in the order of the search.
    expected.sort_by_key(|(class, _)| class.members());
    let mut counts = [0; 9];
    let expected: Vec<String> = expected
        .into_iter()
        .map(|(class, board)| {
            let number = &mut counts[class.members() as usize];
            *number += 1;
            format!("{number} × {class}: {board}")
        })
        .collect();
    assert_eq!(expected.len(), 9233);
    assert!(boards.as_deref() == Some(&expected[..]), "{:?}", boards.map(|boards| boards.len()));
    // The number of filtered boards counts.
    browser.choose("#class-choice", "turned").await?;
    browser.wait_for("#save-png:enabled").await?;
    assert_eq!(browser.count("#no-png").await?, 0);
    Ok(())
}

async fn a_stopped_search_is_saved_as_incomplete(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    crate::catch_saved(&browser).await?;
    crate::stop_when(&browser, 14, ":root:has(.tile) #stop:enabled").await?;
    browser.wait_for("#classes-status[data-state=stopped]").await?;
    browser.click("#save-json").await?;
    let saved: Value = serde_json::from_str(&crate::saved(&browser).await?)?;
    assert_eq!((&saved["n"], &saved["complete"]), (&14.into(), &false.into()));
    let found = browser.text("#unique").await?.replace(',', "");
    let rows = saved["classes"].as_array().context("no classes")?;
    assert_eq!(rows.len().to_string(), found);
    // The same holds for a filter of all classes.
    open(&browser, 8).await?;
    crate::catch_saved(&browser).await?;
    browser.choose("#class-choice", "4").await?;
    browser
        .wait_until("a choice", || shown_rows(&browser), |shown_rows| shown_rows.len() == 1)
        .await?;
    browser.click("#save-json").await?;
    let saved: Value = serde_json::from_str(&crate::saved(&browser).await?)?;
    assert_eq!(saved["complete"], false);
    assert_eq!(saved["classes"].as_array().map(Vec::len), Some(1));
    Ok(())
}

async fn boards_of_n_14_link_to_their_step(browser: Browser) -> Result<()> {
    open(&browser, 14).await?;
    let tile = "[data-testid=shelf-4] li:last-child";
    let step = browser.attributes(&format!("{tile} .tile-step"), "href").await?;
    browser.click(&format!("{tile} .tile")).await?;
    browser.wait_for("#open-in-explore").await?;
    assert_eq!(browser.attributes("#open-in-explore", "href").await?, step);
    Ok(())
}

async fn targets_are_large_enough_to_touch(browser: Browser) -> Result<()> {
    const SMALL: &str = "
        const targets = 'main :is(a[href], button, input, select, summary)';
        return [...document.querySelectorAll(targets)].filter((each) => {
            const { width, height } = each.getBoundingClientRect();
            return each.checkVisibility() && Math.min(width, height) < 43.9;
        }).map((each) => {
            const { width, height } = each.getBoundingClientRect();
            return `${each.outerHTML.slice(0, 80)}: ${width} x ${height}`;
        });";
    browser.set_phone().await?;
    for (query, sign) in [
        ("view=classes&n=8", "#classes-status[data-state=done]"),
        ("view=classes&n=12&lang=ja", "#classes-status[data-state=done]"),
        ("view=classes&n=16", "[data-testid=too-many]"),
        ("view=numbers", "#numbers [data-n='12'][data-source=counted]"),
        ("view=symmetries", "#open-in-explore"),
        ("view=symmetries&n=5&solution=4,1,3,0,2", "#comparison[data-verdict=given-up]"),
    ] {
        browser.goto(&format!("?{query}")).await?;
        browser.wait_for(sign).await?;
        let small = browser.script(SMALL, &[]).await?;
        let small: Vec<String> = serde_json::from_value(small)?;
        assert!(small.is_empty(), "{query}: {small:#?}");
        crate::assert_fits_the_width(&browser).await?;
    }
    Ok(())
}

async fn a_board_opens_in_play(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    browser.click("[data-testid=shelf-4] .tile-play").await?;
    browser.wait_for("#queens[data-count='8']").await?;
    let board = classes(8)?.into_iter().find(|(class, _)| *class == Class::Four);
    let (_, board) = board.context("no class of 4")?;
    let queens = (0..).zip(board.columns_from_left());
    let queens: Vec<String> =
        queens.map(|(row, column): (u32, u32)| format!("{row}:{column}")).collect();
    assert!(browser.address().await?.ends_with(&format!("?view=play&queens={}", queens.join(","))));
    browser.wait_for_text("#completions", "This is a solution").await?;
    Ok(())
}

async fn terms_scroll_to_their_boards_on_a_phone(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    open(&browser, 8).await?;
    browser.click("#ledger [data-class='4'] .summand").await?;
    let top = || async {
        let top = browser
            .script("return document.querySelector('.tile').getBoundingClientRect().top;", &[])
            .await?;
        top.as_f64().context("no position")
    };
    browser
        .wait_until("a board within the window", top, |&top| (0.0..700.0).contains(&top))
        .await?;
    assert_eq!(browser.count(".tile").await?, 1);
    Ok(())
}

async fn numbers_view_counts_live(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    browser.click("#to-numbers").await?;
    browser.wait_for_count("#numbers tbody tr", 27).await?;
    // A link keeps the focus while its number is counted.
    browser.focus("#numbers [data-n='15'] a").await?;
    browser.wait_for("#numbers [data-n='15'][data-source=counted] a:focus").await?;
    browser.wait_for("#numbers [data-n='12'][data-source=counted]").await?;
    assert_eq!(browser.count("[data-source=contradicted]").await?, 0);
    let row = browser.texts("#numbers [data-n='12'] td").await?;
    assert_eq!(row[1..], ["14,200", "1,787", "4", "18", "1,765", "80", "8"]);
    assert_eq!(browser.attributes("[data-n='27']", "data-source").await?, ["published"]);
    assert_eq!(browser.count(".growth circle").await?, 25);
    browser.set_phone().await?;
    crate::assert_fits_the_width(&browser).await?;
    browser.screenshot("numbers-phone").await?;
    // A link opens the view without reloading the page.
    browser.script("window.same = true;", &[]).await?;
    browser.click("#numbers [data-n='6'] a").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    assert_eq!(browser.address().await?, "/?view=classes&n=6");
    assert_eq!(browser.script("return window.same;", &[]).await?, json!(true));
    browser.goto("?view=numbers&lang=ja").await?;
    browser.wait_for("#numbers").await?;
    assert_eq!(browser.text("h1").await?, "解の個数");
    Ok(())
}

async fn classes_in_japanese_on_a_phone(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    browser.goto("?view=classes&n=8&lang=ja").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    assert_eq!(browser.text("h1").await?, "N = 8 のユニーク解");
    let status = "ユニーク解は全部で 12 個で、合わせて 92 個の解を代表します。";
    assert_eq!(browser.text("#classes-status").await?, status);
    assert_eq!(browser.texts("#ledger thead th").await?, ["グループの数", "解の数"]);
    let rows = browser.texts("#ledger tbody tr").await?;
    assert_eq!(rows, ["COUNT202 × 00", "COUNT414 × 14", "COUNT8118 × 1188"]);
    assert_eq!(browser.texts("#ledger tfoot tr").await?, ["合計1292"]);
    browser
        .wait_for_text("#formula-burnside .verdict", "見つかったグループの数と一致します。")
        .await?;
    crate::assert_fits_the_width(&browser).await?;
    browser.screenshot("classes-phone").await?;
    for (query, id, text) in [
        ("n=2", "#classes-status", "N = 2 には解がないので、グループもありません。"),
        ("n=8&class=2", "[data-testid=nothing-chosen]", "当てはまるグループはありません。"),
        (
            "n=16",
            "[data-testid=too-many]",
            "N = 16 にはユニーク解が 1,846,955 個あり、描くには多すぎます。",
        ),
        ("n=13", "#no-png", "PNG に保存できる盤は最大 2000 個です。"),
    ] {
        browser.goto(&format!("?view=classes&{query}&lang=ja")).await?;
        browser.wait_for(id).await?;
        browser.wait_for_text(id, text).await?;
    }
    crate::stop_at_once(&browser, 14).await?;
    browser
        .wait_for_text(
            "#classes-status",
            "中止しました。表示されていないグループがあるかもしれません。",
        )
        .await
}
