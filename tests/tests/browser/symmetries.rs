//! Symmetries: the eight images of a solution.

use anyhow::{Context, Result};
use queens_core::{Class, Method, Placement, Size, Timeline, images, representative};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        a_class_of_two_has_two_different_images,
        a_class_of_four_has_pairs,
        a_class_of_eight_has_eight_different_images,
        what_is_no_solution_is_refused_with_its_reason,
        an_address_with_an_attacked_pair_says_so,
        the_representative_opens_in_explore,
        an_example_is_one_click_away,
        in_japanese_on_a_phone,
    ]
}

/// Opens the images of a solution and compares what is shown with the core's answer.
async fn open(browser: &Browser, columns: &[u32]) -> Result<Placement> {
    let placement = Placement::from_left(columns)?;
    let list: Vec<String> = columns.iter().map(u32::to_string).collect();
    browser.goto(&format!("?view=symmetries&n={}&solution={}", list.len(), list.join(","))).await?;
    browser.wait_for_count("[data-testid=image]", 8).await?;
    let shown = browser.attributes("[data-testid=image]", "data-columns").await?;
    let expected = images(&placement).map(|(_, image)| image.to_string());
    assert_eq!(shown, expected);
    let transforms = browser.attributes("[data-testid=image]", "data-transform").await?;
    assert_eq!(transforms, images(&placement).map(|(transform, _)| transform.id()));
    let class = browser.attributes("#class", "data-class").await?;
    assert_eq!(class, [Class::of(&placement).to_string()]);
    assert_eq!(browser.text("#representative").await?, representative(&placement).to_string());
    Ok(placement)
}

async fn groups(browser: &Browser) -> Result<String> {
    Ok(browser.attributes("[data-testid=image]", "data-group").await?.concat())
}

async fn a_class_of_two_has_two_different_images(browser: Browser) -> Result<()> {
    open(&browser, &[1, 4, 2, 0, 3]).await?;
    assert_eq!(groups(&browser).await?, "11112222");
    assert_eq!(browser.count(".image .same").await?, 8);
    assert_eq!(browser.count(".image.is-representative").await?, 4);
    browser.screenshot("symmetries-two").await?;
    Ok(())
}

async fn a_class_of_four_has_pairs(browser: Browser) -> Result<()> {
    open(&browser, &[2, 4, 1, 7, 0, 6, 3, 5]).await?;
    assert_eq!(groups(&browser).await?, "12123434");
    assert_eq!(browser.texts(".image .same").await?[..2], ["= 180°", "= 270°"]);
    browser.screenshot("symmetries-four").await?;
    Ok(())
}

async fn a_class_of_eight_has_eight_different_images(browser: Browser) -> Result<()> {
    open(&browser, &[0, 4, 7, 5, 2, 6, 1, 3]).await?;
    assert_eq!(groups(&browser).await?, "12345678");
    assert_eq!(browser.count(".image .same").await?, 0);
    assert_eq!(browser.count(".image.is-representative").await?, 1);
    browser.screenshot("symmetries-eight").await?;
    Ok(())
}

async fn what_is_no_solution_is_refused_with_its_reason(browser: Browser) -> Result<()> {
    browser.goto("?view=symmetries").await?;
    browser.wait_for_count("[data-testid=image]", 8).await?;
    let before = browser.attributes("[data-testid=image]", "data-columns").await?;
    for (entry, reason) in
        [("0 1 3 2", "rows 0 and 1"), ("1 4 0 2", "column 4"), ("1 3 x 2", "“x”"), ("", "nothing")]
    {
        browser.fill("#solution", entry).await?;
        browser.click(".entry button").await?;
        browser.wait_for_text("#solution-error", reason).await?;
        assert_eq!(browser.attributes("[data-testid=image]", "data-columns").await?, before);
    }
    browser.fill("#solution", "1, 3 0 2").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("[data-testid=image][data-columns='1 3 0 2']").await?;
    assert_eq!(browser.text("#solution-error").await?, "");
    assert_eq!(browser.address().await?, "/?view=symmetries&n=4&solution=1,3,0,2");
    Ok(())
}

async fn an_address_with_an_attacked_pair_says_so(browser: Browser) -> Result<()> {
    browser.goto("?view=symmetries&solution=1,3,1,2").await?;
    browser.wait_for_text("#solution-error", "share one column").await?;
    assert_eq!(browser.count("[data-testid=image]").await?, 0);
    Ok(())
}

async fn the_representative_opens_in_explore(browser: Browser) -> Result<()> {
    let placement = open(&browser, &[0, 4, 7, 5, 2, 6, 1, 3]).await?;
    browser.click("#open-in-explore").await?;
    browser.wait_for(".explore").await?;
    let address = browser.address().await?;
    let step = address.split(['?', '&']).find_map(|part| part.strip_prefix("step="));
    let step = step.with_context(|| format!("no step in {address}"))?.parse()?;
    let mut timeline = Timeline::new(Method::Symmetry, Size::new(8)?);
    assert!(timeline.seek(step, u64::MAX));
    assert_eq!(timeline.view().placement(), Some(representative(&placement)));
    Ok(())
}

async fn an_example_is_one_click_away(browser: Browser) -> Result<()> {
    browser.goto("?view=symmetries").await?;
    // Without a solution the view shows one of the examples.
    browser.wait_for("#class[data-class='4']").await?;
    browser.click(".example").await?;
    browser.wait_for("#class[data-class='2']").await?;
    assert_eq!(browser.address().await?, "/?view=symmetries&n=5&solution=1,4,2,0,3");
    browser.client().back().await?;
    browser.wait_for("#class[data-class='4']").await?;
    Ok(())
}

async fn in_japanese_on_a_phone(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    browser.goto("?view=symmetries&lang=ja&n=5&solution=1,4,2,0,3").await?;
    browser.wait_for_count("[data-testid=image]", 8).await?;
    assert_eq!(browser.text("h1").await?, "対称性");
    assert!(browser.text("#class").await?.contains("要素が 2 個の類"));
    crate::fits_the_width(&browser).await?;
    browser.screenshot("symmetries-phone").await?;
    Ok(())
}
