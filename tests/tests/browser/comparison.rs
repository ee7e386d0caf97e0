//! Symmetries: the replay of symmetryOps.

use anyhow::Result;
use queens_core::{Comparison, Outcome, Transform};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;

use crate::symmetries;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        symmetries_opens_with_a_comparison,
        the_comparison_steps_both_ways,
        the_comparison_is_translated_to_japanese,
    ]
}

async fn symmetries_opens_with_a_comparison(browser: Browser) -> Result<()> {
    browser.goto("?view=symmetries").await?;
    browser.wait_for("#comparison[data-moment='0']").await?;
    browser.wait_for_text("#moment", "There is a queen on").await?;
    // Replays every example to its verdict.
    let examples = browser.count(".example").await?;
    let mut verdicts = vec![];
    for example in 1..=examples {
        browser.click(&format!("li:nth-child({example}) > .example")).await?;
        browser.wait_for(&format!("li:nth-child({example}) > .example[aria-current]")).await?;
        browser.click("#moment-last").await?;
        browser.wait_for("#comparison[data-verdict]").await?;
        verdicts.extend(browser.attributes("#comparison", "data-verdict").await?);
    }
    assert_eq!(verdicts, ["2", "4", "8", "8", "drop"]);
    Ok(())
}

async fn the_comparison_steps_both_ways(browser: Browser) -> Result<()> {
    // The queen on cell C requires a comparison with the image under 90°. In row 1 the image is
    // smaller.
    let placement = symmetries::open(&browser, &[6, 0, 2, 7, 5, 3, 1, 4]).await?;
    let queens: Vec<_> = placement.rows().collect();
    let mut comparison = Comparison::new(&queens, placement.size(), Transform::Turn90);
    let rows: Vec<String> = comparison
        .by_ref()
        .map(|row| {
            let sign = if row.image < row.own { "<" } else { "=" };
            format!("{}{}{sign}{}", row.row, row.image, row.own)
        })
        .collect();
    assert_eq!(comparison.outcome(), Outcome::ImageSmaller);
    assert_eq!(rows.len(), 2);
    browser.wait_for_text("#moment", "C (90° clockwise)").await?;
    assert_eq!(browser.texts(".comparison .sign").await?, ["C", "A", "B"]);
    let mut moments = vec![];
    for moment in 1..=4 {
        browser.click("#moment-forward").await?;
        browser.wait_for(&format!("[data-moment='{moment}']")).await?;
        moments.push((browser.text("#moment").await?, browser.text(".played .current").await?));
        let compared = browser.texts(".compared tbody tr").await?;
        assert_eq!(compared, rows[..rows.len().min(moment)]);
    }
    assert!(moments[2].0.contains("smaller") && moments[3].0.contains("Dropped"), "{moments:?}");
    assert!(
        moments[0].1.contains("Comparison::new") && moments[2].1.contains("ops.learn"),
        "{moments:?}"
    );
    assert_eq!(browser.attributes("#comparison", "data-verdict").await?, ["drop"]);
    browser.screenshot("symmetries-comparison").await?;
    assert!(browser.address().await?.ends_with("&moment=4"));
    for moment in (1..=4).rev() {
        let now = (browser.text("#moment").await?, browser.text(".played .current").await?);
        assert_eq!(now, moments[moment - 1], "moment {moment} on the way back");
        browser.click("#moment-back").await?;
        browser.wait_for(&format!("[data-moment='{}']", moment - 1)).await?;
    }
    Ok(())
}

async fn the_comparison_is_translated_to_japanese(browser: Browser) -> Result<()> {
    // The queen on cell C requires a comparison with the image under 90°. Row 1 decides it.
    browser.goto("?view=symmetries&lang=ja&n=8&solution=6,0,2,7,5,3,1,4").await?;
    let messages = [
        "C（時計回り 90°）にクイーンがあります。",
        "マス C、時計回り 90°：行 0 のクイーンは、像では列 6（ビット 1）、\
         この解では列 6（ビット 1）にあります。",
        "マス C、時計回り 90°：行 1 のクイーンは、像では列 ",
        "ビット番号が小さいのは像のほうです。この解は代表ではないので、数えません。",
        "この解は捨てます。",
    ];
    for (moment, message) in messages.into_iter().enumerate() {
        browser.wait_for(&format!("#comparison[data-moment='{moment}']")).await?;
        browser.wait_for_text("#moment", message).await?;
        if moment < 4 {
            browser.click("#moment-forward").await?;
        }
    }
    assert_eq!(browser.texts(".compared thead th").await?, ["行", "時計回り 90°", "解"]);
    for (columns, message) in [
        ("4,1,3,0,2", "対称解除法では、この盤は完成しません。"),
        ("0,2,4,1,3", "対称解除法ではこの盤は現れません。"),
    ] {
        browser.goto(&format!("?view=symmetries&lang=ja&n=5&solution={columns}")).await?;
        browser.wait_for_text("#comparison", message).await?;
    }
    Ok(())
}
