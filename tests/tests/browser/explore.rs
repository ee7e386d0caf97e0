//! Explore: steps, playback, code, registers, overlays, and addresses.

use anyhow::{Context, Result};
use queens_core::Stepped;
use queens_tests::browser::explore::{
    first_solution, picture, set_pace, squares, step, wait_for_step,
};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        playback_continues_and_stops,
        labels_follow_slow_playback_and_a_summary_follows_fast_playback,
        registers_names_and_board_highlight_each_other,
    ]
}

async fn playback_continues_and_stops(browser: Browser) -> Result<()> {
    browser.goto("?n=10&method=symmetry").await?;
    let is_paused = "#play[aria-label='Play']";
    browser.wait_for(is_paused).await?;
    assert_eq!(step(&browser).await?, 0, "playback started by itself");
    browser.focus("#board").await?;
    browser.type_keys(" ").await?;
    browser.wait_for("#play[aria-label='Pause']").await?;
    set_pace(&browser, 4).await?;
    // Playback stops at each solution.
    browser.wait_for(is_paused).await?;
    wait_for_step(&browser, first_solution(Stepped::Symmetry, 10)?.0).await?;
    browser.choose("#target", "end").await?;
    browser.type_keys(" ").await?;
    let far = |found: &u64| *found > 3000;
    browser.wait_until("a step beyond 3000", async || step(&browser).await, far).await?;
    browser.type_keys(" ").await?;
    browser.wait_for(is_paused).await?;
    let stopped = picture(&browser).await?;
    browser.settle().await?;
    assert_eq!(picture(&browser).await?, stopped);
    // The choices stay while another view is open.
    browser.click("#view-play").await?;
    browser.click("#view-explore").await?;
    browser.wait_for("#target option[value=end]:checked").await?;
    browser.wait_for("#speed[aria-valuetext=Instant]").await?;
    browser.click("#next").await?;
    let end = browser.wait_for("#step[data-end]").await?.attr("data-end").await?;
    wait_for_step(&browser, end.context("no end of the search")?.parse()?).await?;
    browser.wait_for("#found[data-count='92']").await?;
    // At the end, play starts again from the beginning.
    browser.wait_for("#play[aria-label='Play again from the start']").await?;
    set_pace(&browser, 0).await?;
    browser.click("#play").await?;
    browser.wait_for("#play[aria-label='Pause']").await?;
    browser.wait_until("the start", async || step(&browser).await, |&at| at < 100).await?;
    browser.click("#play").await?;
    browser.wait_for(is_paused).await.map(drop)
}

/// The squares, as rows and columns, on which the drawing has a kind of glyph.
async fn drawn(browser: &Browser, kind: &str) -> Result<Vec<(u32, u32)>> {
    let path = browser.attributes(&format!("#board path[data-squares='{kind}']"), "d").await?;
    let path = path.first().with_context(|| format!("the drawing has no path for {kind}"))?;
    let side = |units: &str| Ok::<u32, anyhow::Error>(units.parse::<u32>()? / 40);
    path.split('M')
        .skip(1)
        .map(|glyph| {
            let mut numbers = glyph.split(|digit: char| !digit.is_ascii_digit());
            let (x, y) = numbers.next().zip(numbers.next()).context("the glyph has no position")?;
            Ok((side(y)?, side(x)?))
        })
        .collect()
}

/// For two seconds, compares the queens of the drawing with the labels of the squares. Returns the longest time in
/// milliseconds for which they differed, and the number of different boards.
const LABELS_BEHIND: &str = "
    return new Promise((resolve) => {
        const begin = performance.now();
        let [since, longest, pictures, last] = [begin, 0, 0, ''];
        const look = () => {
            const path = document.querySelector('#board [data-squares=queen]');
            const drawn = path.getAttribute('d').match(/M\\d+ \\d+/g) ?? [];
            const told = [...document.querySelectorAll('#board [data-state=queen]')]
                .map(({ dataset }) => `M${40 * dataset.column} ${40 * dataset.row}`);
            const now = performance.now();
            if (String(drawn) !== last) pictures += 1;
            last = String(drawn);
            if (last === String(told)) since = now;
            longest = Math.max(longest, now - since);
            if (now - begin < 2000) requestAnimationFrame(look);
            else resolve([longest, pictures]);
        };
        look();
    });";

/// Returns the steps, of twenty, at which the summary, the label of the row and the board differ.
const SUMMARY_APART: &str = "
    return new Promise((resolve) => {
        const [apart, steps] = [[], new Set()];
        const look = () => {
            const said = document.querySelector('#why').textContent.replaceAll('\\u00a0', ' ');
            const row = /^Row (\\d+) · [\\d,]+ found( · \\d+%)?$/.exec(said)?.[1];
            const label = document.querySelector('.row-labels .at-work')?.textContent;
            const band = document.querySelector('#board .square.at-work').getAttribute('d');
            const step = document.querySelector('#step').dataset.step;
            if (row !== label || !band.startsWith(`M0 ${row * 40}H`))
                apart.push([step, said, label, band]);
            steps.add(step);
            if (steps.size < 20) requestAnimationFrame(look); else resolve(apart);
        };
        setTimeout(look, 300);
    });";

async fn labels_follow_slow_playback_and_a_summary_follows_fast_playback(
    browser: Browser,
) -> Result<()> {
    // Start after the first moves, which are shown longer.
    browser.goto("?n=8&method=bitmap&step=40").await?;
    browser.wait_for("#board").await?;
    // Two moves per second: long enough for the text to follow each of them.
    browser.click("#play").await?;
    let [longest, pictures] = browser.numbers(LABELS_BEHIND, &[]).await?;
    // The target is a tenth of a second; a busy machine draws few frames.
    assert!(pictures > 1.0 && longest < 2000.0, "{pictures} pictures, {longest} ms");

    browser.goto("?n=12&method=bitmap").await?;
    set_pace(&browser, 4).await?;
    browser.choose("#target", "end").await?;
    browser.click("#play").await?;
    assert_eq!(browser.script(SUMMARY_APART, &[]).await?, json!([]));
    browser.screenshot("explore-summary").await?;
    // When playback stops, the step is explained again.
    browser.click("#play").await?;
    browser.wait_for("#play[aria-label='Play']").await?;
    let said = browser.text("#why").await?;
    assert!(!said.contains("found ·"), "{said}");
    // During fast playback, the labels lag behind the drawing. Now they agree.
    for kind in ["queen", "attacked"] {
        let described = squares(&browser, &format!("#board [data-state='{kind}']")).await?;
        assert_eq!(drawn(&browser, kind).await?, described, "{kind}");
    }
    // The keys change the pace, too.
    browser.focus("#board").await?;
    browser.type_keys("-").await?;
    browser.wait_for("#speed[aria-valuetext='Very fast']").await?;
    browser.type_keys("+").await?;
    browser.wait_for("#speed[aria-valuetext='Instant']").await.map(drop)
}

/// A name lights its squares while it is pointed at or has the focus.
async fn registers_names_and_board_highlight_each_other(browser: Browser) -> Result<()> {
    browser.goto("?n=8&step=1650").await?;
    browser.wait_for("#register-sidemask").await?;
    browser.hover("#register-sidemask .register-name").await?;
    let lit = async || drawn(&browser, "lit").await;
    browser.wait_until("SIDEMASK", lit, |lit| lit.len() == 4).await?;
    browser.wait_for_text("#named", "Rule 1 closes both above row BOUND1").await?;
    browser.hover("#code [data-name=BOUND1]").await?;
    browser.wait_until("BOUND1", lit, |lit| lit.len() == 8).await?;
    browser.screenshot("explore-names").await?;
    browser.hover("#why").await?;
    browser.wait_until("no squares", lit, Vec::is_empty).await?;
    browser.focus("[data-name=C] a").await?;
    browser.wait_until("cell C", lit, |lit| lit.len() == 1).await?;
    // A square highlights its bit in every register, and a bit its column on the board. The twelve
    // lines are the bit numbers, nine registers and two bounds.
    for (row, column) in [(0, 0), (3, 2)] {
        browser.click(&format!("#board [data-row='{row}'][data-column='{column}']")).await?;
        browser.wait_for_count("#registers .bit.lit", 12).await?;
        let lit = browser
            .script(
                "return [...document.querySelectorAll('#registers .register:not(.cells)')].map((line) =>
                     [...line.querySelectorAll('.bit.lit')].map(({ dataset }) => dataset.bit));",
                &[],
            )
            .await?;
        assert_eq!(lit, json!(vec![[(7 - column).to_string()]; 12]));
    }
    browser.click("#register-left .bit[data-bit='0']").await?;
    browser.wait_for("#board rect.lit[x='280']").await?;
    // On a phone, where the registers are below the board, bits are aligned with their columns.
    browser.set_size(390, 844).await?;
    browser.click("#whole").await?;
    for column in [0, 3, 7] {
        let square = format!("#board [data-row='0'][data-column='{column}']");
        let bit = format!("#register-down .bit[data-bit='{}']", 7 - column);
        let (square, bit) = (browser.edges(&square).await?, browser.edges(&bit).await?);
        let distance = (square[0] + square[2] - bit[0] - bit[2]) / 2.0;
        assert!(distance.abs() < 2.0, "{column}: {distance}");
    }
    browser.set_size(1280, 900).await?;
    browser.click("#hex").await?;
    browser.wait_for_text("#register-lastmask .register-hex", "C3").await?;
    // Below a queen in the corner, SIDEMASK has no squares.
    browser.goto("?n=8&step=400").await?;
    browser.wait_for("#register-down").await?;
    let idle = "return document.querySelector('#register-sidemask .bits').checkVisibility({ visibilityProperty: true });";
    assert_eq!(browser.script(idle, &[]).await?, json!(false));
    browser.hover("#code [data-name=SIDEMASK]").await?;
    browser.wait_for_text("#named", "SIDEMASK has no effect").await
}
