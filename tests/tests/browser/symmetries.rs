//! Solutions: all of a board, which fold into classes, and the eight images of one.

use anyhow::{Context, Result};
use queens_core::{Class, Orbit, Placement, Size, Stepped, Timeline, Transform, representative};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        solutions_fold_into_their_classes,
        solutions_are_entered_and_open_in_other_views,
        images_and_the_large_board_are_visible_in_every_window,
        the_board_turns_into_the_selected_image,
    ]
}

/// Opens the images of a solution and compares them with the core's.
pub async fn open(browser: &Browser, columns: &[u32]) -> Result<Placement> {
    let placement = Placement::from_left(columns)?;
    let list: Vec<String> = columns.iter().map(u32::to_string).collect();
    browser.goto(&format!("?view=solutions&n={}&solution={}", list.len(), list.join(","))).await?;
    let orbit = Orbit::of(&placement);
    browser.wait_for_count("[data-testid=image]", orbit.distinct().count()).await?;
    let shown = browser.attributes("[data-testid=image]", "data-columns").await?;
    assert!(
        shown.iter().eq(orbit
            .distinct()
            .map(|image| image.placement.to_string())
            .collect::<Vec<_>>()
            .iter())
    );
    let class = browser.attributes("#class", "data-class").await?;
    assert_eq!(class, [Class::of(&placement).to_string()]);
    Ok(placement)
}

/// On the way, each tile turns into the representative of its class.
async fn solutions_fold_into_their_classes(browser: Browser) -> Result<()> {
    browser.set_size(1280, 720).await?;
    browser.goto("?view=solutions").await?;
    browser.wait_for_count(".all-tiles > li", 92).await?;
    browser.screenshot("solutions-all").await?;
    let fold = "document.querySelector('#fold').click();
        return new Promise((resolve) => setTimeout(() => resolve(document.getAnimations().filter(
            ({ effect }) => effect.target.matches('[data-solution]')).length), 200));";
    assert_eq!(browser.script(fold, &[]).await?, json!(92), "moving tiles");
    browser.screenshot("solutions-folding").await?;
    browser.wait_for_text("#fold-sum", "4 · 1 + 8 · 11 = 92").await?;
    for (class, count) in [(4, 1), (8, 11)] {
        browser.wait_for_count(&format!("[data-testid=shelf-{class}] > li"), count).await?;
    }
    let moving = async || browser.script("return document.getAnimations().length;", &[]).await;
    browser.wait_until("all tiles in their places", moving, |moving| *moving == 0).await?;
    browser.screenshot("solutions-folded").await?;
    assert_eq!(browser.address().await?, "/?view=solutions&together=1");
    browser.click("[data-testid=shelf-4] a").await?;
    browser.wait_for("#class[data-class='4']").await?;
    browser.click("#to-all").await?;
    browser.click("#fold").await?;
    browser.wait_for_count(".all-tiles > li", 92).await?;
    // Nothing moves for users who prefer reduced motion.
    browser.set_preferences(false, true).await?;
    browser.goto("?view=solutions&n=6").await?;
    browser.wait_for_count(".all-tiles > li", 4).await?;
    assert_eq!(browser.script(fold, &[]).await?, json!(0), "moving tiles");
    Ok(())
}

async fn solutions_are_entered_and_open_in_other_views(browser: Browser) -> Result<()> {
    open(&browser, &[6, 1, 5, 2, 0, 3, 7, 4]).await?;
    // An entry that is no solution changes nothing.
    let before = browser.attributes("[data-testid=image]", "data-columns").await?;
    browser.fill("#solution", "0 1 3 2").await?;
    browser.click(".entry button").await?;
    browser.wait_for_text("#solution-error", "rows 0 and 1").await?;
    assert!(browser.edges("#solution-error").await?[3] <= 800.0);
    assert_eq!(browser.attributes("[data-testid=image]", "data-columns").await?, before);
    // What is pasted anywhere is read, too.
    browser.paste("[3, 0, 2, 4, 1]").await?;
    browser.wait_for("#class[data-class='2']").await?;
    assert_eq!(browser.address().await?, "/?view=solutions&n=5&solution=3,0,2,4,1");
    browser.client().back().await?;
    browser.wait_for("#class[data-class='8']").await?;
    browser.fill("#solution", "2, 4 1 ３").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_text("#solution-notes", "counted from 1").await?;
    browser.wait_for("[data-testid=image][data-columns='1 3 0 2']").await?;
    assert_eq!(browser.text("#solution-error").await?, "");
    assert_eq!(browser.address().await?, "/?view=solutions&n=4&solution=1,3,0,2");
    browser.click("#open-in-play").await?;
    browser.wait_for(".play").await?;
    assert_eq!(browser.address().await?, "/?view=play&n=4&queens=0:1,1:3,2:0,3:2");

    let placement = open(&browser, &[0, 4, 7, 5, 2, 6, 1, 3]).await?;
    browser.click("#open-in-explore").await?;
    browser.wait_for(".explore").await?;
    let address = browser.address().await?;
    let step = address.split(['?', '&']).find_map(|part| part.strip_prefix("step="));
    let step = step.with_context(|| format!("no step in {address}"))?.parse()?;
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    assert!(timeline.seek(step, u64::MAX));
    assert_eq!(timeline.view().placement(), Some(representative(&placement)));
    Ok(())
}

/// The column and the row of each image.
const PLACES: &str = "
    const line = document.querySelector('.images').getBoundingClientRect();
    return [...document.querySelectorAll('[data-testid=image]')].map((image) => {
        const { left, top, width, height } = image.getBoundingClientRect();
        return [Math.round((left - line.left) / width * .9), Math.round((top - line.top) / height * .9)];
    });";

async fn images_and_the_large_board_are_visible_in_every_window(browser: Browser) -> Result<()> {
    open(&browser, &[6, 1, 5, 2, 0, 3, 7, 4]).await?;
    for (width, height) in
        [(1920, 1080), (1440, 900), (1366, 768), (1024, 768), (768, 1024), (375, 812)]
    {
        browser.set_size(width, height).await?;
        browser.assert_fits_the_width().await?;
        let tops = "scrollTo(0, 0);
             return ['#stage', '.image', '.entry', '.saving'].map((selector) =>
                 document.querySelector(selector).getBoundingClientRect().top);";
        let [stage, image, entry, saving] = browser.numbers(tops, &[]).await?;
        let high = f64::from(height);
        assert!(stage < high / 2.8 && image < 0.75 * high, "{width}: {stage} {image}");
        assert!(stage <= entry && entry < saving, "{width}: {stage} {entry} {saving}");
    }
    browser.screenshot("symmetries-narrow").await?;
    browser.set_size(1280, 800).await?;
    // The core's order is four rotations, then the left-right mirror image of each.
    let mirror = |transform| {
        let place = Transform::ALL.iter().position(|&each| each == transform);
        place.map(|place| (place + 4) % 8)
    };
    for phone in [false, true] {
        if phone {
            browser.set_phone().await?;
        }
        let places = browser.script(PLACES, &[]).await?;
        let places: Vec<[u32; 2]> = serde_json::from_value(places)?;
        // The rotations are in a row, the solution first, and their mirror images in the next row.
        assert_eq!(places[..4], [[0, 0], [1, 0], [2, 0], [3, 0]]);
        for (place, &[x, y]) in Transform::ALL.into_iter().zip(&places) {
            let across = mirror(place).context("no mirror")?;
            assert_eq!(places[across], [x, 1 - y], "{place:?}");
        }
    }
    check_large_board(&browser).await
}

/// Checks that the large board is visible with the image that the user selects.
async fn check_large_board(browser: &Browser) -> Result<()> {
    for (width, height, larger) in
        [(375, 812, 2.5), (768, 1024, 1.9), (1280, 720, 3.0), (1440, 900, 3.0)]
    {
        if width > 500 {
            browser.set_size(width, height).await?;
        }
        open(browser, &[6, 1, 5, 2, 0, 3, 7, 4]).await?;
        // The first and the last image, and the last of the first line.
        for transform in [Transform::ALL[0], Transform::ALL[3], Transform::ALL[7]] {
            let image = format!("[data-transform={}] .image-button", transform.id());
            browser.focus(&image).await?;
            browser.press(Key::Enter).await?;
            browser.wait_for(&format!("#stage[data-shown={}]", transform.id())).await?;
            let edges = async || Ok([browser.edges("#stage").await?, browser.edges(&image).await?]);
            // After the turn, both are within the window and do not overlap.
            let within =
                |[_, top, _, bottom]: &[f64; 4]| *top > -1.0 && *bottom < f64::from(height) + 1.0;
            let apart = |[stage, image]: &[[f64; 4]; 2]| {
                let below = width > 960 || image[1] > stage[3];
                let is_larger = stage[2] - stage[0] > larger * (image[2] - image[0]);
                within(stage) && within(image) && below && is_larger
            };
            browser.wait_until(&format!("{image} at {width} px"), edges, apart).await?;
        }
    }
    Ok(())
}

/// The longest duration of any transition or animation on the page, in seconds.
const LONGEST_MOTION: &str = "
    const seconds = (times) => times.split(',').map((time) => parseFloat(time));
    return Math.max(...[...document.querySelectorAll('*')].flatMap((element) =>
        [null, '::before', '::after'].flatMap((part) => {
            const style = getComputedStyle(element, part);
            return [...seconds(style.transitionDuration), ...seconds(style.animationDuration)];
        })));";

async fn the_board_turns_into_the_selected_image(browser: Browser) -> Result<()> {
    let placement = open(&browser, &[0, 4, 7, 5, 2, 6, 1, 3]).await?;
    for transform in Transform::ALL {
        browser.click(&format!("[data-transform={}] .image-button", transform.id())).await?;
        browser.wait_for(&format!("#stage[data-shown={}]", transform.id())).await?;
        let image = transform.apply(&placement).to_string();
        // The visible positions of the queens on the large board, row by row.
        let seen = || async {
            let columns = browser
                .script(
                    "const board = document.querySelector('#stage').getBoundingClientRect();
                     const side = board.width / 8;
                     const squares = [...document.querySelectorAll('#stage .upright')].map((queen) => {
                         const place = queen.getBoundingClientRect();
                         return [(place.y + place.height / 2 - board.y) / side,
                                 (place.x + place.width / 2 - board.x) / side].map(Math.floor);
                     });
                     squares.sort((a, b) => a[0] - b[0]);
                     return squares.map((square) => square[1]).join(' ');",
                    &[],
                )
                .await?;
            Ok(columns.as_str().unwrap_or_default().to_owned())
        };
        browser.wait_until(&image, seen, |seen| *seen == image).await?;
        let pressed = browser.attributes("[aria-pressed=true] > .mini-board", "aria-label").await?;
        assert!(pressed.len() == 1 && pressed[0].ends_with(&image), "{pressed:?}");
    }
    assert!(browser.address().await?.ends_with("&image=anti-diagonal"));
    // Each name of a board that several images share turns the large board.
    open(&browser, &[5, 3, 6, 0, 7, 1, 4, 2]).await?;
    browser.click("[data-shows=turn-180]").await?;
    browser.wait_for("#stage[data-shown=turn-180]").await?;
    browser.wait_for("[data-transform=identity] .image-button[aria-pressed=true]").await?;
    // Nothing moves for users who prefer reduced motion.
    let longest = async || browser.script(LONGEST_MOTION, &[]).await;
    assert_ne!(longest().await?, json!(0));
    browser.set_preferences(false, true).await?;
    assert_eq!(longest().await?, json!(0));
    browser.click("[data-shows=left-right]").await?;
    browser.wait_for("#stage[data-shown=left-right]").await?;
    let moving = browser.script("return document.getAnimations().length;", &[]).await?;
    assert_eq!(moving, json!(0));
    Ok(())
}
