//! Explore: steps, playback, code, registers, overlays, and addresses.

use anyhow::{Context, Result};
use queens_core::Stepped;
use queens_tests::browser::explore::{first_solution, picture, set_pace, step, wait_for_step};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        the_program_follows_the_search_and_leads_to_the_source,
        playback_continues_and_stops,
        at_speed_a_summary_shows_the_step_of_the_board,
        labels_of_squares_follow_the_playback,
        registers_names_and_board_highlight_each_other,
        the_bar_has_no_overlap_at_any_width,
        explore_on_a_phone,
    ]
}

async fn the_program_follows_the_search_and_leads_to_the_source(browser: Browser) -> Result<()> {
    browser.goto("?n=8&method=symmetry").await?;
    browser.wait_for("#code .line").await?;
    browser.click("#next").await?;
    browser.wait_for_text("#code .current", "total += ").await?;
    let inside = "const [code, line] = ['#code', '#code .current']
                      .map((each) => document.querySelector(each).getBoundingClientRect());
                  return line.top >= code.top - 1 && line.bottom <= code.bottom + 1;";
    browser
        .wait_until(
            "the line in the listing",
            async || browser.script(inside, &[]).await,
            |inside| inside == true,
        )
        .await?;
    browser.screenshot("explore-program").await?;
    let source = "const link = document.querySelector('.program-notes a');
                  return fetch(link.href).then((answer) => answer.text());";
    let source = browser.script(source, &[]).await?;
    assert!(source.as_str().is_some_and(|text| text.contains("pub fn search<")), "{source}");
    Ok(())
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

/// The squares, as row:column, on which the drawing has a kind of glyph.
async fn drawn(browser: &Browser, kind: &str) -> Result<Vec<String>> {
    let path = browser.attributes(&format!("#board path[data-squares='{kind}']"), "d").await?;
    let path = path.first().with_context(|| format!("the drawing has no path for {kind}"))?;
    let side = |units: &str| Ok::<u32, anyhow::Error>(units.parse::<u32>()? / 40);
    path.split('M')
        .skip(1)
        .map(|glyph| {
            let mut numbers = glyph.split(|digit: char| !digit.is_ascii_digit());
            let (x, y) = numbers.next().zip(numbers.next()).context("the glyph has no position")?;
            Ok(format!("{}:{}", side(y)?, side(x)?))
        })
        .collect()
}

/// The squares, as row:column, that `selector` matches.
async fn squares(browser: &Browser, selector: &str) -> Result<Vec<String>> {
    let rows = browser.attributes(selector, "data-row").await?;
    let columns = browser.attributes(selector, "data-column").await?;
    Ok(rows.iter().zip(columns).map(|(row, column)| format!("{row}:{column}")).collect())
}

async fn at_speed_a_summary_shows_the_step_of_the_board(browser: Browser) -> Result<()> {
    browser.goto("?n=12&method=bitmap").await?;
    set_pace(&browser, 4).await?;
    browser.choose("#target", "end").await?;
    browser.click("#play").await?;
    let seen = browser
        .script(
            "return new Promise((resolve) => {
                 const [apart, steps] = [[], new Set()];
                 const look = () => {
                     const said = document.querySelector('#why').textContent
                         .replaceAll('\\u00a0', ' ');
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
             });",
            &[],
        )
        .await?;
    assert_eq!(seen, json!([]), "the summary, the label of the row and the board differ");
    browser.screenshot("explore-summary").await?;
    // When playback stops, the step is explained again.
    browser.click("#play").await?;
    browser.wait_for("#play[aria-label='Play']").await?;
    let said = browser.text("#why").await?;
    assert!(!said.contains("found ·"), "{said}");
    // During playback, the squares' descriptions lag behind the drawing. Now they agree.
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

async fn labels_of_squares_follow_the_playback(browser: Browser) -> Result<()> {
    // Start after the first moves, which are shown longer.
    browser.goto("?n=8&method=bitmap&step=40").await?;
    browser.wait_for("#board").await?;
    // Two moves per second: long enough for the text to follow each of them.
    browser.click("#play").await?;
    let behind = browser
        .script(
            "return new Promise((resolve) => {
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
             });",
            &[],
        )
        .await?;
    let [longest, pictures] = [0, 1].map(|index| behind[index].as_f64().unwrap_or(f64::NAN));
    assert!(pictures > 1.0, "{behind}");
    // The target is a tenth of a second; a busy machine draws few frames.
    assert!(longest < 2000.0, "{behind}");
    Ok(())
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
    let apart = browser
        .script(
            "const middle = (selector) => {
                 const box = document.querySelector(selector).getBoundingClientRect();
                 return box.left + box.width / 2;
             };
             return [0, 3, 7].map((column) => Math.abs(
                 middle(`#board [data-row='0'][data-column='${column}']`)
                     - middle(`#register-down .bit[data-bit='${7 - column}']`)));",
            &[],
        )
        .await?;
    for distance in apart.as_array().context("not three distances")? {
        assert!(distance.as_f64().is_some_and(|pixels| pixels < 2.0), "{apart}");
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

async fn the_bar_has_no_overlap_at_any_width(browser: Browser) -> Result<()> {
    browser.goto("?n=12&step=1650&lang=ja").await?;
    browser.wait_for("#step[data-end]").await?;
    for width in [320, 390, 500, 700, 960, 1100, 1280, 1440] {
        browser.set_size(width, 800).await?;
        let over = browser
            .script(
                "const targets = [...document.querySelectorAll(
                     '#map, #step, .controls :is(button, select, input)')]
                     .filter((target) => target.checkVisibility())
                     .map((target) => [target.id, target.getBoundingClientRect()]);
                 return targets.flatMap(([id, a], index) => targets.slice(index + 1)
                     .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1
                         && a.top < b.bottom - 1 && b.top < a.bottom - 1)
                     .map(([other]) => `${id} ${other}`));",
                &[],
            )
            .await?;
        assert_eq!(over, json!([]), "{width} px");
        browser.assert_fits_the_width().await.with_context(|| format!("{width} px"))?;
    }
    Ok(())
}

/// Fails if a target is too small for a finger. Returns the number of targets.
async fn targets_for_fingers(browser: &Browser) -> Result<usize> {
    let targets = browser
        .script(
            "return [...document.querySelectorAll(
                 'a[href]:not(.skip), button, input, select, summary')]
                 .filter((target) => target.checkVisibility())
                 .map((target) => [target, target.getBoundingClientRect()])
                 .map(([target, { width, height }]) => [
                     `${target.id || target.outerHTML.slice(0, 80)} ${width} × ${height}`,
                     width > 43.9 && height > 43.9,
                 ]);",
            &[],
        )
        .await?;
    let targets = targets.as_array().context("no list of targets")?;
    let small: Vec<_> = targets.iter().filter(|target| target[1] != true).collect();
    anyhow::ensure!(small.is_empty(), "{small:?}: targets for a finger");
    Ok(targets.len())
}

/// Checks that the page is not wider than the screen.
async fn check_width(browser: &Browser, width: u32) -> Result<()> {
    let wide = browser.script("return document.documentElement.scrollWidth;", &[]).await?;
    assert_eq!(wide, json!(width), "the page is wider than the screen");
    Ok(())
}

async fn explore_on_a_phone(browser: Browser) -> Result<()> {
    let screen =
        |width| json!({ "width": width, "height": 700, "deviceScaleFactor": 1, "mobile": true });
    browser.devtools("Emulation.setDeviceMetricsOverride", screen(320)).await?;
    browser.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await?;
    browser.goto("?n=8&step=354&lang=ja").await?;
    browser.wait_for("#code .line").await?;
    for width in [320, 375] {
        browser.devtools("Emulation.setDeviceMetricsOverride", screen(width)).await?;
        check_width(&browser, width).await?;
        let board = browser
            .script("return document.querySelector('#board').getBoundingClientRect().width;", &[])
            .await?;
        assert!(board.as_f64().is_some_and(|board| board > f64::from(width) * 0.7), "{board}");
        assert!(targets_for_fingers(&browser).await? > 20);
        browser.screenshot(&format!("explore-{width}")).await?;
        browser.click("#more").await?;
        targets_for_fingers(&browser).await.context("the menu")?;
        browser.click("#help").await?;
        browser.wait_for("#keys[open]").await?;
        // The list begins at its top, even if it must be scrolled.
        let top = browser.script("return document.querySelector('#keys').scrollTop;", &[]).await?;
        assert_eq!(top, 0, "{width} px");
        browser.press(Key::Escape).await?;
        browser.wait_for_count("#keys[open]", 0).await?;
    }
    Ok(())
}
