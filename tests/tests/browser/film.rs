//! Steps exported as an animation.

use anyhow::{Context, Result};
use queens_core::{Size, Square, Stepped, Timeline};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![exports_steps_as_animated_svg]
}

async fn save(browser: &Browser) -> Result<()> {
    browser.focus("#film").await?;
    browser.press(Key::Enter).await
}

async fn exports_steps_as_animated_svg(browser: Browser) -> Result<()> {
    browser.goto("?n=8&step=1480").await?;
    browser.focus("#saving-summary").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("#film:enabled").await?;
    crate::catch_saved(&browser).await?;
    save(&browser).await?;
    let svg = crate::saved(&browser).await?;
    println!("fifty steps of N = 8: {} bytes", svg.len());
    assert!(svg.len() < 300_000, "{}", svg.len());
    // The animation plays by itself; the test sets its clock instead.
    let shown = browser
        .script(
            "const file = new DOMParser().parseFromString(arguments[0], 'image/svg+xml');
             const svg = document.importNode(file.documentElement, true);
             document.body.append(svg);
             svg.pauseAnimations();
             const frames = [...svg.querySelectorAll('[id^=step-]')];
             const at = (second) => {
                 svg.setCurrentTime(second);
                 return frames.filter((frame) => getComputedStyle(frame).visibility === 'visible')
                     .map((frame) => [frame.id, frame.textContent,
                         [...frame.querySelectorAll('use')].map((queen) =>
                             [queen.getAttribute('y') / 40, queen.getAttribute('x') / 40])]);
             };
             const seen = frames.map((_, second) => at(second + 0.5));
             const rest = [at(51.5), at(52.5)];
             svg.remove();
             return [frames.length, seen, rest];",
            &[json!(svg)],
        )
        .await?;
    assert_eq!(shown[0], json!(50));
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    for (second, step) in (1480..1530).enumerate() {
        assert!(timeline.seek(step, u64::MAX));
        let queens: Vec<_> = timeline.view().placed().squares().map(Square::to_left).collect();
        let frames = shown[1][second].as_array().context("no frames")?;
        assert_eq!(frames.len(), 1, "several frames at step {step}");
        assert_eq!(frames[0][0], json!(format!("step-{step}")));
        assert_eq!(frames[0][2], json!(queens), "step {step}");
    }
    assert!(
        shown[1][0][0][1].as_str().is_some_and(|message| message.contains("Rule 1, upper side"))
    );
    // The last step stays longer, then the animation restarts.
    assert_eq!(shown[2][0][0][0], json!("step-1529"));
    assert_eq!(shown[2][1][0][0], json!("step-1480"));
    // The fields select the steps.
    for (field, step) in [("#film-from", "1"), ("#film-to", "3")] {
        browser.fill(field, step).await?;
    }
    save(&browser).await?;
    let few = crate::saved(&browser).await?;
    assert_eq!(few.matches("<animate ").count(), 3);
    assert!(few.contains("id=\"step-1\"") && few.contains("id=\"step-3\""));
    browser.fill("#film-from", "9").await?;
    browser.wait_for_text("#film-fault", "must not be after").await?;
    browser.wait_for("#film:disabled").await?;
    browser.screenshot("explore-film").await.map(drop)
}
