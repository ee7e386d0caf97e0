//! Symmetries: the eight images of a solution.

use anyhow::{Context, Result};
use queens_core::{Class, Method, Placement, Size, Timeline, Transform, images, representative};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        a_class_of_two_has_two_different_images,
        a_class_of_four_has_pairs,
        a_class_of_eight_has_eight_different_images,
        what_is_no_solution_is_refused_with_its_reason,
        an_address_with_an_attacked_pair_says_so,
        the_representative_opens_in_explore,
        the_solution_opens_in_play,
        an_example_is_one_click_away,
        equal_images_fall_together,
        the_board_turns_into_the_image_that_is_chosen,
        the_images_are_saved,
        in_japanese_on_a_phone,
    ]
}

/// Opens the images of a solution and compares what is shown with the core's answer.
pub async fn open(browser: &Browser, columns: &[u32]) -> Result<Placement> {
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
    browser
        .wait_for_text(
            ".summary dd",
            "identity, 90°, 180°, 270°. Different images: 8\u{a0}÷\u{a0}4\u{a0}=\u{a0}2",
        )
        .await?;
    assert_eq!(browser.count(".image .same").await?, 8);
    assert_eq!(browser.count(".image.is-representative").await?, 4);
    browser.screenshot("symmetries-two").await?;
    Ok(())
}

async fn a_class_of_four_has_pairs(browser: Browser) -> Result<()> {
    open(&browser, &[2, 4, 1, 7, 0, 6, 3, 5]).await?;
    assert_eq!(groups(&browser).await?, "12123434");
    browser
        .wait_for_text(
            ".summary dd",
            "identity, 180°. Different images: 8\u{a0}÷\u{a0}2\u{a0}=\u{a0}4",
        )
        .await?;
    assert_eq!(browser.texts(".image .same").await?[..2], ["= 180°", "= 270°"]);
    browser.screenshot("symmetries-four").await?;
    Ok(())
}

async fn a_class_of_eight_has_eight_different_images(browser: Browser) -> Result<()> {
    open(&browser, &[0, 4, 7, 5, 2, 6, 1, 3]).await?;
    assert_eq!(groups(&browser).await?, "12345678");
    browser
        .wait_for_text(".summary dd", "identity. Different images: 8\u{a0}÷\u{a0}1\u{a0}=\u{a0}8")
        .await?;
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

async fn the_solution_opens_in_play(browser: Browser) -> Result<()> {
    open(&browser, &[1, 3, 0, 2]).await?;
    browser.click("#open-in-play").await?;
    browser.wait_for(".play").await?;
    assert_eq!(browser.address().await?, "/?view=play&n=4&queens=0:1,1:3,2:0,3:2");
    Ok(())
}

async fn an_example_is_one_click_away(browser: Browser) -> Result<()> {
    browser.goto("?view=symmetries").await?;
    // Without a solution the view shows one of the examples.
    browser.wait_for("#class[data-class='4']").await?;
    browser.click(".example").await?;
    browser.wait_for("#class[data-class='2']").await?;
    assert_eq!(browser.address().await?, "/?view=symmetries&n=5&solution=3,0,2,4,1");
    browser.client().back().await?;
    browser.wait_for("#class[data-class='4']").await?;
    Ok(())
}

async fn equal_images_fall_together(browser: Browser) -> Result<()> {
    for columns in [
        &[0][..],
        &[1, 3, 0, 2],
        &[1, 4, 2, 0, 3],
        &[4, 2, 10, 5, 11, 8, 3, 0, 6, 1, 9, 7],
        &[1, 3, 5, 0, 2, 4],
        &[2, 4, 1, 7, 0, 6, 3, 5],
    ] {
        let placement = open(&browser, columns).await?;
        let class = Class::of(&placement).members();
        assert_eq!(visible(&browser).await?, 8);
        browser.click("#together").await?;
        let left = || visible(&browser);
        browser.wait_until("images to fall together", left, |&left| left == class).await?;
        assert!(browser.address().await?.ends_with("&together=1"));
        // Each lies where the first that equals it lies. The queen of N = 1 alone crosses the line.
        let apart = || async {
            let apart = browser
                .script(
                    "const place = (image) => image.querySelector('.mini-board').getBoundingClientRect();
                     const all = [...document.querySelectorAll('[data-testid=image]')];
                     return Math.max(...all.map((image) => {
                         const first = all.find((other) => other.dataset.group === image.dataset.group);
                         const [a, b] = [place(image), place(first)];
                         return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
                     }));",
                    &[],
                )
                .await?;
            apart.as_f64().context("a distance")
        };
        browser.wait_until("images to lie on each other", apart, |&apart| apart < 2.0).await?;
        browser.click("#together").await?;
        browser.wait_until("all images", left, |&left| left == 8).await?;
    }
    open(&browser, &[0, 4, 7, 5, 2, 6, 1, 3]).await?;
    assert_eq!(browser.count("#together").await?, 0, "a class of 8 stays as it is");
    Ok(())
}

async fn visible(browser: &Browser) -> Result<u64> {
    let count = browser
        .script(
            "return [...document.querySelectorAll('[data-testid=image]')]
                 .filter((image) => getComputedStyle(image).visibility === 'visible').length;",
            &[],
        )
        .await?;
    count.as_u64().context("a number")
}

async fn the_board_turns_into_the_image_that_is_chosen(browser: Browser) -> Result<()> {
    let placement = open(&browser, &[0, 4, 7, 5, 2, 6, 1, 3]).await?;
    for transform in Transform::ALL {
        browser.click(&format!("[data-transform={}] .image-button", transform.id())).await?;
        browser.wait_for(&format!("#stage[data-shown={}]", transform.id())).await?;
        let image = transform.apply(&placement).to_string();
        // Where the queens are seen on the large board, row by row.
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
    Ok(())
}

async fn the_images_are_saved(browser: Browser) -> Result<()> {
    let placement = open(&browser, &[1, 4, 2, 0, 3]).await?;
    crate::catch_saved(&browser).await?;
    browser.click("#save-images-svg").await?;
    let saved = crate::saved(&browser).await?;
    assert_eq!(saved.matches("<use ").count(), 8 * 5);
    assert!(saved.contains(">Mirror at the main diagonal</text>"), "{saved}");
    browser.click("#save-image-svg").await?;
    let saved = crate::saved(&browser).await?;
    assert_eq!(saved.matches("<use ").count(), 5);
    // As pixels: the boards are read from the file that is saved.
    let eight = images(&placement).map(|(_, image)| image.to_string());
    for (button, boards, sides) in [
        ("#save-images-png", &eight[..], [3600, 2040]),
        ("#save-image-png", &eight[..1], [960, 1060]),
    ] {
        browser.click(button).await?;
        let across = boards.len().min(4);
        let expected = json!({ "width": sides[0], "height": sides[1], "boards": boards });
        let read = || crate::saved_boards(&browser, 5, boards.len(), across);
        browser.wait_until(button, read, |read| *read == expected).await?;
    }
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
