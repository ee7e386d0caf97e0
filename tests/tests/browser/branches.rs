//! Explore's table of branches, with the masks of each first queen.

use anyhow::Result;
use queens_core::{Node, Seek, Size, Stepped, Timeline};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![branches_start_their_part_of_the_search]
}

async fn open(browser: &Browser, address: &str) -> Result<()> {
    browser.goto(address).await?;
    browser.wait_for(".branch").await.map(drop)
}

async fn branches_start_their_part_of_the_search(browser: Browser) -> Result<()> {
    browser.set_size(1440, 1000).await?;
    open(&browser, "?n=8&step=1650&tab=code").await?;
    assert_eq!(browser.count(":nth-child(7 of .branch)[aria-current]").await?, 1);
    // A click jumps to the step at which the branch begins, forwards and backwards.
    let root = Node::root(Size::new(8)?);
    for (line, node) in [(8, root.below(3)), (2, root.below(0).below(3))] {
        let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
        assert_eq!(timeline.seek_node(&node, u64::MAX), Seek::Found);
        // Focusing scrolls the element out from under the transport bar.
        browser.focus(&format!(":nth-child({line} of .branch)")).await?;
        browser.click(&format!(":nth-child({line} of .branch)")).await?;
        browser.wait_for(&format!("#step[data-step='{}']", timeline.step())).await?;
        browser.wait_for(&format!(":nth-child({line} of .branch)[aria-current]")).await?;
        browser.wait_for_count(".branch[aria-current]", 1).await?;
    }
    browser.screenshot("explore-branches").await?;
    check_on_a_phone(&browser).await
}

/// Checks the table on a narrow phone, in Japanese, by keyboard.
async fn check_on_a_phone(browser: &Browser) -> Result<()> {
    let screen = json!({ "width": 320, "height": 700, "deviceScaleFactor": 1, "mobile": true });
    browser.devtools("Emulation.setDeviceMetricsOverride", screen).await?;
    browser.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await?;
    open(browser, "?n=8&step=1650&lang=ja&tab=code").await?;
    let title = browser.text(".branches-panel h2").await?;
    assert_eq!(title, "枝ごとのマスク");
    // Both bounds can be read.
    let line = browser
        .script(
            "const line = document.querySelector(':nth-child(7 of .branch)');
             return [...line.querySelectorAll(':scope > :is(.register-name, .register-hex)')]
                     .map((part) => part.innerText.trim()).join(' ');",
            &[],
        )
        .await?;
    assert_eq!(line, "BOUND1 2 BOUND2 5");
    browser.assert_fits_the_width().await?;
    browser.focus(":nth-child(1 of .branch)").await?;
    browser.press(Key::Tab).await?;
    browser.wait_for(":nth-child(2 of .branch):focus").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for(":nth-child(2 of .branch)[aria-current]").await?;
    let label = browser.text(":nth-child(2 of .branch) .hidden-text").await?;
    // The board, which has changed, is also visible.
    let top = browser
        .script("return document.querySelector('#board').getBoundingClientRect().top;", &[])
        .await?;
    assert!(top.as_f64().is_some_and(|top| top >= 0.0), "{top}");
    assert!(label.starts_with("最初のクイーンは角、2 個目のクイーンは列 4（ビット 3）"), "{label}");
    browser.wait_for_text("#register-bound1 .register-hex", "3").await?;
    browser.screenshot("explore-branches-phone").await.map(drop)
}
