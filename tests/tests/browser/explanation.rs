//! The article: its sliders lead through the states of its figures.

use anyhow::Result;
use queens_core::{Register, Size, Stepped, Timeline, View};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![register_words_align_with_the_board_columns]
}

/// The state of a search after a step.
fn state_at(method: Stepped, size: Size, step: u64) -> View {
    let mut timeline = Timeline::new(method, size);
    while !timeline.seek(step, u64::MAX) {}
    timeline.view()
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
    browser.set_preferences(true, false).await?;
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
    // The slider leads through the steps, and the registers agree with the search on each of them.
    let figure = ".figure-search:has(.figure-words)";
    let begin: u64 = browser.attributes(figure, "data-step").await?[0].parse()?;
    browser.focus(&format!("{figure} .figure-slider")).await?;
    for step in begin + 1..begin + 5 {
        browser.press(Key::Right).await?;
        browser.wait_for(&format!("{figure}[data-step='{step}']")).await?;
        let view = state_at(Stepped::Bitmap, Size::new(8)?, step);
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
    // The two layers of a solution come together.
    let layers = "return [...document.querySelectorAll('.figure-layers:not(:has(#join-said)) g')]
        .map((layer) => layer.getAttribute('transform'));";
    let apart = browser.script(layers, &[]).await?;
    assert_ne!(apart[0], apart[1]);
    browser.focus(".figure-layers:not(:has(#join-said)) .figure-slider").await?;
    browser.press(Key::Home).await?;
    let now = async || browser.script(layers, &[]).await;
    browser.wait_until("one board", now, |layers| layers[0] == layers[1]).await?;
    // The products add up to all solutions.
    browser.focus(".figure-layers:has(#join-said) .figure-slider").await?;
    browser.press(Key::End).await?;
    browser.wait_for_text("#join-said", "Sum so far: 92").await
}
