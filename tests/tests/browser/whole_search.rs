//! Explore's picture of the whole search.

use anyhow::{Context, Result};
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::{Value, json};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        a_click_in_the_picture_leads_to_its_block,
        the_picture_takes_the_colours_of_the_user,
    ]
}

/// The number of rows of the boards.
const N: i64 = 6;

async fn open(browser: &Browser) -> Result<()> {
    browser.goto(&format!("?n={N}&whole=1")).await?;
    browser.wait_for("#step[data-end]").await?;
    browser.wait_for("#whole .block-solution").await.map(drop)
}

/// The step, and the blocks of the cursor as their left and right edges in the window, from the top row.
async fn cursor(browser: &Browser) -> Result<(u64, Vec<[f64; 2]>)> {
    let seen = browser
        .script(
            "const blocks = [...document.querySelectorAll('#whole .cursor rect')].map((block) => {
                 const { left, right, top } = block.getBoundingClientRect();
                 return [left, right, top];
             });
             blocks.sort((a, b) => a[2] - b[2]);
             return [Number(document.querySelector('#whole .cursor').dataset.step),
                 blocks.map(([left, right]) => [left, right])];",
            &[],
        )
        .await?;
    Ok(serde_json::from_value(seen)?)
}

/// Clicks a row of the picture. `aside` is the distance from the middle of the row, as a fraction of its
/// width. Returns the x coordinate of the click in the window.
async fn click(browser: &Browser, row: i64, aside: f64) -> Result<f64> {
    let element = browser.wait_for("#whole").await?;
    let (x, _, width, height) = element.rectangle().await?;
    let below = (row as f64 + 0.5) / N as f64 - 0.5;
    let (x_off, y_off) = (aside * width, below * height);
    let to = PointerAction::MoveToElement { element, duration: None, x: x_off, y: y_off };
    let mouse = MouseActions::new("mouse".to_owned())
        .then(to)
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    browser.client().perform_actions(mouse).await?;
    Ok(x + width / 2.0 + x_off)
}

async fn a_click_in_the_picture_leads_to_its_block(browser: Browser) -> Result<()> {
    open(&browser).await?;
    assert_eq!(cursor(&browser).await?, (0, vec![]));
    let mut last = 0;
    // The blocks of the first queens are the widest. In both rows, the blocks are wider than the error of the
    // pointer.
    for (row, aside) in [(0, 0.2), (1, -0.3), (0, -0.2)] {
        let x = click(&browser, row, aside).await?;
        let moved = async || cursor(&browser).await;
        let (step, blocks) =
            browser.wait_until("another step", moved, |(step, _)| *step != last).await?;
        let block = blocks.get(row as usize).with_context(|| format!("row {row}: {blocks:?}"))?;
        assert!(block[0] - 4.0 <= x && x <= block[1] + 4.0, "{x} {blocks:?}");
        // Board, address and the picture's value agree with the cursor.
        browser.wait_for(&format!("#step[data-step='{step}']")).await?;
        browser.wait_for(&format!("#whole[aria-valuenow='{step}']")).await?;
        let queens = browser.count("#board [data-state='queen']").await?;
        assert!(queens > row as usize, "{queens} queens in row {row}");
        last = step;
    }
    browser.screenshot("whole-clicked").await?;
    // The arrow keys lead to the first block below, and back to the queen above it.
    let (above, blocks) = cursor(&browser).await?;
    browser.focus("#whole").await?;
    browser.press(Key::Down).await?;
    let rows = async || cursor(&browser).await;
    let is_below = |found: &(u64, Vec<[f64; 2]>)| found.1.len() == blocks.len() + 1;
    browser.wait_until("the block below", rows, is_below).await?;
    browser.press(Key::Up).await?;
    browser.wait_until("the block above", rows, |found| found.0 == above).await?;
    // Playing moves the cursor, too.
    browser.focus("#forward").await?;
    browser.press(Key::Enter).await?;
    browser.wait_until("one step", rows, |found| found.0 == above + 1).await?;
    // A press outside the blocks does not move the focus. The last row has no blocks on the left.
    browser.focus("#board").await?;
    click(&browser, N - 1, -0.499).await?;
    let (start, _) = browser.wait_until("the start", rows, |found| found.0 <= above).await?;
    browser.wait_for("#board:focus").await?;
    browser.press(Key::Right).await?;
    browser.wait_until("the next step", rows, |found| found.0 == start + 1).await.map(drop)
}

/// The colours of the kinds of blocks, and of the page's background, text and selection.
const COLOURS: &str = "
    const fill = (part) => getComputedStyle(document.querySelector(`#whole ${part}`)).fill;
    const probe = document.createElement('p');
    document.body.append(probe);
    const named = ['Canvas', 'CanvasText', 'Highlight'].map((name) => {
        probe.style.color = name;
        return getComputedStyle(probe).color;
    });
    probe.remove();
    return [['.block', '.block-leads', '.block-solution', '.block-dead-end'].map(fill), named];";

async fn the_picture_takes_the_colours_of_the_user(browser: Browser) -> Result<()> {
    open(&browser).await?;
    let colours = async || -> Result<(Vec<String>, Vec<String>)> {
        Ok(serde_json::from_value::<(Vec<String>, Vec<String>)>(
            browser.script(COLOURS, &[]).await?,
        )?)
    };
    let (usual, _) = colours().await?;
    for scheme in ["light", "dark"] {
        let features: Value = json!({ "features": [
            { "name": "forced-colors", "value": "active" },
            { "name": "prefers-color-scheme", "value": scheme },
        ] });
        browser.devtools("Emulation.setEmulatedMedia", features).await?;
        let (forced, named) = colours().await?;
        assert!(forced.iter().zip(&usual).all(|(forced, usual)| forced != usual), "{forced:?}");
        assert_eq!([&forced[2], &forced[3]], [&named[2], &named[1]], "{scheme}");
        // The four kinds and the background still differ.
        let mut all: Vec<_> = forced.iter().chain(&named[..1]).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 5, "{forced:?} {named:?}");
        browser.screenshot(&format!("whole-forced-{scheme}")).await?;
    }
    Ok(())
}
