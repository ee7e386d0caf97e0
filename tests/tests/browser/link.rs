//! Explore's address stores its state, jumps through the search, and the presentation layout.

use anyhow::{Context, Result};
use queens_core::{Event, Size, Stepped, Timeline};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::{Value, json};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        links_restore_the_same_state,
        actions_update_the_address,
        the_link_can_be_copied,
        jumps_match_the_core,
        jumps_to_a_step_number_and_to_the_end,
        the_step_of_a_comparison_draws_the_compared_image,
        the_solution_of_an_answer_links_to_its_step_and_its_images,
        presentation_fits_board_and_explanation,
        a_selected_square_keeps_its_letter,
    ]
}

/// Everything visible in Explore.
async fn picture(browser: &Browser) -> Result<Value> {
    browser.settle().await?;
    browser
        .script(
            "const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
             return [
                 all('#board [data-row]', ({ dataset }) => Object.values(dataset).join()),
                 all('#board [data-squares]', (path) => path.getAttribute('d')),
                 all('#board .ring circle', (ring) => [ring.getAttribute('cx'), ring.getAttribute('cy')]),
                 all('#board .overlay-name', (name) => name.textContent.trim()),
                 all('#why, #asked, #register-down .register-hex, #code .current, #compare-said',
                     (text) => text.textContent),
                 all('.switch', (each) => each.ariaChecked),
                 all('#tree', (tree) => tree.getAttribute('viewBox')),
                 all('#form-recursive', (form) => form.ariaPressed),
                 all('.pair figure', (each) => each.dataset.step ?? each.id),
                 document.querySelector('.presenting') !== null,
                 document.querySelector('#step').dataset.step,
             ];",
            &[],
        )
        .await
}

/// A pseudo-random number below `end`, so that the tests are the same every time.
fn next(seed: &mut u64, end: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % end
}

async fn links_restore_the_same_state(browser: Browser) -> Result<()> {
    const LAYERS: [&str; 5] = ["mask", "sidemask", "left", "free", "bound2"];
    let mut seed = 13;
    for link in 0..20 {
        let mut random = |end| next(&mut seed, end);
        let method = Stepped::ALL[random(Stepped::ALL.len() as u64) as usize];
        let n = 5 + random(4);
        let mut timeline = Timeline::new(method, Size::new(n as u32)?);
        timeline.seek(1000, u64::MAX);
        let step = 1 + random(timeline.step() - 1);
        let mut query = format!("?n={n}&method={}&step={step}", method.id());
        let layers: Vec<_> = LAYERS.into_iter().filter(|_| random(2) == 0).collect();
        if !layers.is_empty() {
            query += &format!("&over={}", layers.join(","));
        }
        query += ["", "&hex=1"][random(2) as usize];
        query += ["", "&form=recursive"][random(2) as usize];
        if random(2) == 0 {
            query += &format!("&ask={}:{}", random(n), random(n));
        }
        if random(2) == 0 {
            query += &format!("&tree=1&zoom={}", random(9) as i64 - 5);
        }
        if random(2) == 0 {
            query += &format!("&compare=bitmap&common={}", random(3));
        }
        query += ["", "&present=1"][random(2) as usize];
        browser.goto(&query).await?;
        browser.wait_for("#step[data-end]").await?;
        browser.wait_for_count("#witness[data-found=searching]", 0).await?;
        let shown = picture(&browser).await?;
        // One step back and forward again, then a reload of the page's own address.
        browser.press(Key::Left).await?;
        browser.press(Key::Right).await?;
        browser.settle().await?;
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        let address = browser.address().await?;
        browser.goto(&address).await?;
        browser.wait_for("#step[data-end]").await?;
        browser.wait_for_count("#witness[data-found=searching]", 0).await?;
        let same = async || picture(&browser).await;
        browser
            .wait_until(&format!("{link}: {query} as {address}"), same, |again| *again == shown)
            .await?;
    }
    Ok(())
}

async fn actions_update_the_address(browser: Browser) -> Result<()> {
    browser.set_size(1280, 900).await?;
    browser.goto("?n=8&step=1480").await?;
    browser.wait_for("#step[data-step='1480']").await?;
    browser.click("#register-sidemask .switch").await?;
    browser.click("#register-bound1 .switch").await?;
    browser.click("#hex").await?;
    browser.click("#board [data-row='1'][data-column='0']").await?;
    browser.wait_for("#asked").await?;
    for selector in
        ["#tree-summary", "#tree-in", "#compare-summary", "#common-summary", "#compare-next"]
    {
        browser.focus(selector).await?;
        browser.press(Key::Enter).await?;
    }
    browser.wait_for(".pair figure[data-step]").await?;
    browser.focus("#board").await?;
    browser.type_keys("f").await?;
    browser.wait_for(".presenting").await?;
    let address = async || browser.address().await;
    let wanted = "/?step=1480&compare=bitmap&common=10&over=sidemask,bound1&hex=1&ask=1:0\
                  &tree=1&zoom=1&present=1";
    browser.wait_until(wanted, address, |now| now == wanted).await?;
    // Another board has no such square and no such solution.
    browser.press(Key::Escape).await?;
    browser.wait_for_count(".presenting", 0).await?;
    browser.fill("#size", "7").await?;
    let wanted = "/?n=7&compare=bitmap&over=sidemask,bound1&hex=1&tree=1&zoom=1";
    browser.wait_until(wanted, address, |now| now == wanted).await.map(drop)
}

async fn the_link_can_be_copied(browser: Browser) -> Result<()> {
    browser.goto("?n=6&step=20&over=down").await?;
    browser.wait_for("#copy-link").await?;
    browser
        .script("navigator.clipboard.writeText = async (text) => { window.copied = text; };", &[])
        .await?;
    browser.press(Key::Right).await?;
    browser.wait_for("#step[data-step='21']").await?;
    browser.focus("#copy-link").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_text("#copied", "Link copied").await?;
    let copied = browser.script("return window.copied;", &[]).await?;
    assert_eq!(copied, json!(format!("{}/?n=6&step=21&over=down", browser.base())));
    Ok(())
}

/// The steps of a search whose event satisfies `wanted`.
fn steps(method: Stepped, n: u32, wanted: fn(Event) -> bool) -> Result<Vec<u64>> {
    let mut timeline = Timeline::new(method, Size::new(n)?);
    let mut steps = vec![];
    while let Some(step) = timeline.forward() {
        if wanted(step.event) {
            steps.push(timeline.step());
        }
    }
    Ok(steps)
}

async fn wait_for_step(browser: &Browser, step: u64) -> Result<()> {
    browser.wait_for(&format!("#step[data-step='{step}']")).await.map(drop)
}

async fn jumps_match_the_core(browser: Browser) -> Result<()> {
    browser.goto("?n=6").await?;
    browser.wait_for("#board").await?;
    let rules = steps(Stepped::Symmetry, 6, |event| matches!(event, Event::Cut { .. }))?;
    let comparisons = steps(Stepped::Symmetry, 6, |event| matches!(event, Event::Compare { .. }))?;
    for (kind, steps, keys) in
        [("rule", rules, ["r", "R"]), ("comparison", comparisons, ["c", "C"])]
    {
        assert!(!steps.is_empty(), "{kind}");
        browser.press(Key::Home).await?;
        wait_for_step(&browser, 0).await?;
        for &step in steps.iter().take(4) {
            browser.click(&format!("#next-{kind}")).await?;
            wait_for_step(&browser, step).await?;
        }
        for &step in steps.iter().take(4).rev().skip(1) {
            browser.type_keys(keys[1]).await?;
            wait_for_step(&browser, step).await?;
        }
        browser.press(Key::Home).await?;
        wait_for_step(&browser, 0).await?;
        browser.type_keys(keys[0]).await?;
        wait_for_step(&browser, steps[0]).await?;
        browser.click(&format!("#previous-{kind}")).await?;
        browser.wait_for("#notice:not(:empty)").await?;
    }
    // A method without rules has no such jumps.
    browser.choose("#method", "backtracking").await?;
    browser.wait_for_count(".jumps", 0).await
}

async fn jumps_to_a_step_number_and_to_the_end(browser: Browser) -> Result<()> {
    browser.goto("?n=8").await?;
    browser.wait_for("#step[data-end='2071']").await?;
    browser.fill("#step-number", "1,480").await?;
    browser.press(Key::Enter).await?;
    wait_for_step(&browser, 1480).await?;
    browser.fill("#step-number", "many").await?;
    browser.press(Key::Enter).await?;
    let value =
        async || browser.script("return document.querySelector('#step-number').value;", &[]).await;
    browser.wait_until("the step again", value, |now| *now == json!("1,480")).await?;
    browser.click("#last").await?;
    wait_for_step(&browser, 2071).await?;
    assert_eq!(browser.count("#last:disabled").await?, 1);
    assert_eq!(browser.text("#notice").await?, "");
    browser.focus("#board").await?;
    browser.press(Key::Home).await?;
    wait_for_step(&browser, 0).await?;
    browser.press(Key::End).await?;
    wait_for_step(&browser, 2071).await
}

async fn the_step_of_a_comparison_draws_the_compared_image(browser: Browser) -> Result<()> {
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    let transform = loop {
        let step = timeline.forward().context("no comparison")?;
        if let Event::Compare { transform, .. } = step.event {
            break transform;
        }
    };
    let solution = timeline.view().placement().context("no solution is compared")?;
    let image = transform.apply(&solution);
    browser.goto("?n=8").await?;
    browser.wait_for("#board").await?;
    browser.type_keys("c").await?;
    wait_for_step(&browser, timeline.step()).await?;
    browser.wait_for(&format!("#compared[data-transform='{}']", transform.id())).await?;
    let labels = browser.attributes("#compared svg", "aria-label").await?;
    assert_eq!(labels.len(), 2, "{labels:?}");
    assert!(labels[0].ends_with(&solution.to_string()), "{labels:?}");
    assert!(labels[1].ends_with(&image.to_string()), "{labels:?}");
    assert_eq!(browser.count("#to-symmetries").await?, 1);
    browser.screenshot("link-comparison").await.map(drop)
}

async fn the_solution_of_an_answer_links_to_its_step_and_its_images(
    browser: Browser,
) -> Result<()> {
    browser.goto("?n=8&step=1480&ask=1:0").await?;
    browser.wait_for("#witness-representative").await?;
    let queens = browser.attributes("#witness-representative", "data-queens").await?.remove(0);
    browser.focus("#witness-step").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_count("#board [data-state=queen]", 8).await?;
    let columns = browser.attributes("#board [data-state=queen]", "data-column").await?;
    let columns: Vec<u32> =
        columns.iter().map(|column| column.parse()).collect::<Result<_, _>>()?;
    assert_eq!(queens_core::Placement::from_left(&columns)?.to_string(), queens);
    // The solution is reached by the search, and a button leads back to the question.
    browser.wait_for("#board.solved").await?;
    browser.wait_for_text("#why", "A solution that represents a class").await?;
    browser.wait_for_count("#board .ring", 0).await?;
    browser.focus("#return").await?;
    browser.press(Key::Enter).await?;
    wait_for_step(&browser, 1480).await?;
    browser.wait_for("#board .ring").await?;
    browser.wait_for_count("#return", 0).await?;
    browser.wait_for("#witness-images").await?;
    browser.focus("#witness-images").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("#class").await?;
    let solution = columns.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    assert!(browser.address().await?.contains(&format!("solution={solution}")));
    Ok(())
}

async fn presentation_fits_board_and_explanation(browser: Browser) -> Result<()> {
    for (width, height, least, language) in [
        (1366, 768, 0.7, "en"),
        (1920, 1080, 0.7, "en"),
        (3840, 2160, 0.7, "en"),
        (812, 375, 0.5, "en"),
        (375, 812, 0.3, "ja"),
        (375, 812, 0.3, "en"),
    ] {
        browser.set_size(width, height).await?;
        browser.goto(&format!("?n=8&step=1480&present=1&lang={language}")).await?;
        wait_for_step(&browser, 1480).await?;
        let seen = browser
            .script(
                "const of = (selector) => document.querySelector(selector).getBoundingClientRect();
                 return [of('#board').height, of('#board').bottom, of('#why').bottom,
                     of('.transport').top, parseFloat(getComputedStyle(document.querySelector('#why')).fontSize),
                     [...document.querySelectorAll('.top-bar, .panel')]
                         .filter((each) => each.checkVisibility()).length];",
                &[],
            )
            .await?;
        let [board, foot, why, bar, font, panels]: [f64; 6] = serde_json::from_value(seen)?;
        println!("{width} × {height}: board {board}, letters {font}");
        assert!(board >= least * f64::from(height), "{width} × {height}: {board}");
        assert!(foot <= bar && why <= bar, "{width} × {height}: {foot} {why} {bar}");
        assert!(font >= 0.02 * f64::from(width.min(height)), "{width} × {height}: {font}");
        assert_eq!(panels, 0.0);
        crate::assert_fits_the_width(&browser).await?;
        browser.screenshot(&format!("presenting-{width}")).await?;
    }
    // On a phone, which was the last window size, the registers are collapsed.
    browser.focus(".fold summary").await?;
    browser.press(Key::Enter).await?;
    browser
        .wait_until(
            "the registers",
            async || {
                browser
                    .script("return document.querySelector('#registers').checkVisibility();", &[])
                    .await
            },
            |seen| *seen == true,
        )
        .await?;
    browser.set_size(1366, 768).await?;
    browser.click("#present").await?;
    browser.wait_for_count(".presenting", 0).await?;
    browser.wait_for(".top-bar #size").await.map(drop)
}

async fn a_selected_square_keeps_its_letter(browser: Browser) -> Result<()> {
    browser.goto("?n=8&step=1480&ask=2:0").await?;
    browser.wait_for("#board .ring").await?;
    // Elements that are drawn later are above.
    let above = browser
        .script(
            "const [ring, letter] = ['#board .ring', '#board .ring ~ g .badge-letter']
                 .map((selector) => document.querySelector(selector));
             return [letter.textContent, ring.compareDocumentPosition(letter)
                 === Node.DOCUMENT_POSITION_FOLLOWING];",
            &[],
        )
        .await?;
    let letters = browser.texts("#board .ring ~ g .badge-letter").await?;
    assert!(letters.contains(&"C".to_owned()), "{letters:?}");
    assert_eq!(above[1], json!(true));
    browser.screenshot("link-asked-cell").await.map(drop)
}
