//! The numbers of all boards compared with the file of published numbers.

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::Value;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        numbers_are_counted_live_and_match_the_published_values,
        a_table_wider_than_the_window_scrolls_and_is_marked,
    ]
}

/// The published numbers, N = 1 to 27.
fn published() -> Result<Vec<Value>> {
    let file: Value = serde_json::from_str(include_str!("../../data/known-counts.json"))?;
    file["counts"].as_array().cloned().context("no list of counts")
}

/// A number from the file as the page formats it: 14,200. N = 1 has no COUNT2, 4 and 8.
fn grouped(number: &Value) -> String {
    let Some(digits) = number.as_str() else { return "–".to_owned() };
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The current state of each row: N, the source, and the cells.
const ROWS: &str = "
    return [...document.querySelectorAll('#numbers tbody tr')].map((row) => [
        row.dataset.n, row.dataset.source, [...row.cells].map((cell) => cell.textContent),
    ]);";

/// The left edges of the columns.
const HEADS: &str = "
    return [...document.querySelectorAll('#numbers thead th')]
        .map((head) => head.getBoundingClientRect().left);";

async fn numbers_are_counted_live_and_match_the_published_values(browser: Browser) -> Result<()> {
    let sources = [
        ("published", "published"),
        ("turns", "published; H and R counted here"),
        ("counted", "counted here"),
    ];
    browser.goto("?view=numbers").await?;
    browser.wait_for_text(".numbers > p", "N = 1 is the only board with a class of 1").await?;
    let heads = async || browser.script(HEADS, &[]).await;
    let at_first = heads().await?;
    // A link keeps the focus while its number is counted.
    browser.focus("#numbers [data-n='14'] a").await?;
    browser.wait_for("#numbers [data-n='14'][data-source=counted] a:focus").await?;
    // The columns stay in place when the longest source appears.
    browser.wait_for("#numbers [data-source=turns]").await?;
    assert_eq!(heads().await?, at_first);
    assert_eq!(browser.count("[data-source=contradicted]").await?, 0);
    assert_eq!(browser.count(".growth .line title").await?, 25);
    let rows: Vec<(String, String, Vec<String>)> =
        serde_json::from_value(browser.script(ROWS, &[]).await?)?;
    let published = published()?;
    assert_eq!(rows.len(), published.len());
    for ((n, source, cells), known) in rows.into_iter().zip(published) {
        assert_eq!(n, known["n"].to_string());
        let (_, text) =
            sources.into_iter().find(|(id, _)| *id == source).context(source.clone())?;
        let mut expected = vec![n.clone(), text.to_owned()];
        expected.extend(
            ["total", "unique", "count2", "count4", "count8", "half_turn", "quarter_turn"]
                .map(|name| grouped(&known[name])),
        );
        assert_eq!(cells, expected);
        match n.parse::<u32>()? {
            ..=14 => assert_eq!(source, "counted", "N = {n}"),
            15..=17 => {}
            18..=20 => assert_ne!(source, "counted", "N = {n}"),
            21.. => assert_eq!(source, "published", "N = {n}"),
        }
    }
    let links = browser.attributes(".numbers .hint a", "href").await?;
    let sequences = ["A000170", "A002562", "A032522", "A033148"];
    assert_eq!(links, sequences.map(|sequence| format!("https://oeis.org/{sequence}")));
    assert_eq!(browser.texts(".numbers .hint a").await?, sequences);
    let rows = browser.attributes("#numbers .row-link", "href").await?;
    for (n, link) in (1..).zip(rows) {
        // The view opens with N = 8 by default.
        let size = if n == 8 { String::new() } else { format!("&n={n}") };
        assert!(link.contains("view=solutions") && link.contains(&size), "{link}");
    }
    // A link opens the view without reloading the page.
    browser.script("window.same = true;", &[]).await?;
    browser.click("#numbers [data-n='6'] a").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    assert_eq!(browser.address().await?, "/?view=solutions&n=6&together=1");
    assert_eq!(browser.script("return window.same;", &[]).await?, true);
    Ok(())
}

/// The right edges of the table's frame and of its column of sources, and the font size of the
/// chart.
const EDGES: &str = "
    const right = (selector) => Math.max(...[...document.querySelectorAll(selector)]
        .map((element) => element.getBoundingClientRect().right));
    const picture = document.querySelector('#growth');
    const scale = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
    const name = picture.querySelector('text');
    return [right('.numbers-frame'), right('#numbers .source'),
            scale * parseFloat(getComputedStyle(name).fontSize)];";

/// Scrolls the table's frame to its beginning or end. Returns whether it can be scrolled, the x
/// coordinates of its right edge and of its middle, and a y coordinate above the text of the first
/// row.
const PLACES: &str = "
    const frame = document.querySelector('.wide-frame');
    frame.scrollLeft = arguments[0] ? frame.scrollWidth : 0;
    scrollTo(0, 0);
    const { right, width } = frame.getBoundingClientRect();
    const y = frame.querySelector('tbody td').getBoundingClientRect().top + 3;
    return [frame.scrollWidth > frame.clientWidth + 1, right - 2, right - width / 2, y];";

/// Whether two points of a screenshot have different colours.
const DIFFER: &str = "
    const [bytes, left, right, y] = arguments;
    return createImageBitmap(new Blob([new Uint8Array(bytes)])).then((bitmap) => {
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext('2d', { willReadFrequently: true });
        context.drawImage(bitmap, 0, 0);
        const scale = bitmap.width / innerWidth;
        const at = (x) => context.getImageData(x * scale, y * scale, 1, 1).data.join();
        return at(left) !== at(right);
    });";

async fn a_table_wider_than_the_window_scrolls_and_is_marked(browser: Browser) -> Result<()> {
    browser.goto("?view=numbers").await?;
    browser.wait_for("#numbers [data-n='8'][data-source=counted]").await?;
    for (width, is_cut) in [(1440, false), (1024, true), (375, true)] {
        browser.set_size(width, 900).await?;
        browser.settle().await?;
        for scrolled in [false, true] {
            let places = browser.script(PLACES, &[scrolled.into()]).await?;
            let (scrolls, edge, middle, y): (bool, f64, f64, f64) = serde_json::from_value(places)?;
            assert_eq!(scrolls, is_cut, "{width}");
            let picture = browser.client().screenshot().await?;
            let places = [picture.into(), edge.into(), middle.into(), y.into()];
            let fades = browser.script(DIFFER, &places).await?;
            assert_eq!(fades, is_cut && !scrolled, "{width}, at its end: {scrolled}");
        }
    }
    // The sources and the labels of the chart are visible on a phone.
    browser.set_phone().await?;
    browser.goto("?view=numbers&lang=ja").await?;
    browser.wait_for("#numbers [data-n='8'][data-source=counted]").await?;
    let edges = browser.script(EDGES, &[]).await?;
    let [frame, source, name]: [f64; 3] = serde_json::from_value(edges)?;
    assert!(source <= frame, "{source} lies beyond {frame}");
    assert!(name >= 9.0, "labels of the chart are {name} px high");
    browser.assert_fits_the_width().await?;
    browser.screenshot("numbers-phone").await.map(drop)
}
