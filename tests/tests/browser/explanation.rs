//! The explanation: its text comes, and its figures are states of searches.

use anyhow::{Context, Result, bail};
use queens_core::{Event, Method, Size, Timeline, View};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::Value;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        every_figure_opens_at_its_state,
        every_figure_is_followed,
        every_figure_is_followed_in_japanese,
        a_figure_is_stepped_on_and_back,
        in_japanese_on_a_phone,
        a_text_that_cannot_be_had_can_be_asked_for_again,
    ]
}

/// The figures of the text, as they stand in the file.
fn figures() -> Result<Vec<Value>> {
    let text: Value = serde_json::from_str(include_str!("../../../web/text/explanation.en.json"))?;
    let sections = text["sections"].as_array().context("sections")?;
    let blocks = sections.iter().filter_map(|section| section["blocks"].as_array()).flatten();
    Ok(blocks.map(|block| block["figure"].clone()).filter(|figure| !figure.is_null()).collect())
}

/// The search after a step.
fn at(method: Method, size: Size, step: u64) -> (View, Option<Event>) {
    let mut timeline = Timeline::new(method, size);
    while !timeline.seek(step, u64::MAX) {}
    (timeline.view(), timeline.last().map(|step| step.event))
}

async fn every_figure_opens_at_its_state(browser: Browser) -> Result<()> {
    let figures = figures()?;
    browser.goto("?view=explanation").await?;
    browser.wait_for_count("[data-testid=figure]", figures.len()).await?;
    let steps = browser.attributes("[data-testid=figure]", "data-step").await?;
    let links = browser.attributes("[data-testid=figure] .figure-link", "href").await?;
    assert_eq!(links.len(), figures.len());
    for ((figure, step), link) in figures.iter().zip(steps).zip(links) {
        let columns = |value: &Value| {
            let columns = value.as_array().map(Vec::as_slice).unwrap_or_default();
            columns.iter().map(Value::to_string).collect::<Vec<_>>().join(",")
        };
        if let Some(method) = figure["search"].as_str() {
            let size = Size::new(figure["n"].as_u64().context("n")? as u32)?;
            let (view, event) = at(method.parse()?, size, step.parse()?);
            let queens = figure["queens"].as_array().context("queens")?;
            for (queen, wanted) in view.rows().iter().zip(queens) {
                assert_eq!(Some(u64::from(size.last() - queen.column())), wanted.as_u64());
            }
            let happened = match event {
                Some(Event::Cut { rule, .. }) => {
                    let wanted = figure["rule"].as_str();
                    assert!(wanted.is_none_or(|wanted| wanted == rule.id()), "{figure}");
                    "cut"
                }
                Some(Event::Reject { .. }) => "reject",
                other => bail!("{figure} stops at {other:?}"),
            };
            assert_eq!(figure["event"], happened);
            assert!(link.contains(&format!("step={step}")), "{link}");
        } else if let Some(n) = figure["classes"].as_u64() {
            assert_eq!(link, if n == 8 { "?view=classes" } else { "" });
        } else {
            let solution = columns(&figure["images"]) + &columns(&figure["comparison"]);
            assert!(link.contains(&format!("solution={solution}")), "{link}");
        }
    }
    browser.screenshot("explanation").await?;
    browser.click("[data-testid=figure] .figure-link").await?;
    browser.wait_for(".explore").await?;
    Ok(())
}

async fn every_figure_is_followed(browser: Browser) -> Result<()> {
    follow(&browser, "en").await
}

async fn every_figure_is_followed_in_japanese(browser: Browser) -> Result<()> {
    follow(&browser, "ja").await
}

/// Follows the link of each figure and compares the board there with the core's at that state.
async fn follow(browser: &Browser, language: &str) -> Result<()> {
    let figures = figures()?;
    browser.goto(&format!("?view=explanation&lang={language}")).await?;
    browser.script("window.same = true;", &[]).await?;
    for (number, figure) in figures.iter().enumerate() {
        browser.wait_for_count("[data-testid=figure]", figures.len()).await?;
        let step =
            browser.attributes("[data-testid=figure]", "data-step").await?.swap_remove(number);
        browser
            .script(
                "document.querySelectorAll('.figure-link')[arguments[0]].click();",
                &[number.into()],
            )
            .await?;
        if let Some(method) = figure["search"].as_str() {
            let size = Size::new(figure["n"].as_u64().context("n")? as u32)?;
            browser.wait_for(&format!("#step[data-step='{step}']")).await?;
            let (view, _) = at(method.parse()?, size, step.parse()?);
            let queens = (0..).zip(view.rows()).filter(|(_, queen)| !queen.is_empty());
            let expected: Vec<String> = queens
                .map(|(row, queen): (u32, _)| format!("{row}:{}", size.last() - queen.column()))
                .collect();
            let shown = || async {
                let queens = "#board [data-state=queen]";
                let rows = browser.attributes(queens, "data-row").await?;
                let columns = browser.attributes(queens, "data-column").await?;
                Ok(rows
                    .iter()
                    .zip(columns)
                    .map(|(row, column)| format!("{row}:{column}"))
                    .collect())
            };
            browser
                .wait_until(&figure.to_string(), shown, |shown: &Vec<_>| *shown == expected)
                .await?;
            assert!(browser.address().await?.contains(method) || method == "symmetry");
        } else if let Some(n) = figure["classes"].as_u64() {
            browser.wait_for("#classes-status[data-state=done]").await?;
            let classes = queens_core::known::known(n as u32).context("a known N")?.unique;
            browser.wait_for_count(".tile", classes as usize).await?;
        } else {
            let list = figure["images"].as_array().or(figure["comparison"].as_array());
            let columns: Vec<_> = list.context("columns")?.iter().map(Value::to_string).collect();
            let board = format!("[data-transform=identity][data-columns='{}']", columns.join(" "));
            browser.wait_for(&board).await?;
            if let Some(moment) = figure["moment"].as_u64() {
                browser.wait_for(&format!("#comparison[data-moment='{moment}']")).await?;
            }
        }
        let spoken = browser.attributes("html", "lang").await?;
        assert_eq!(spoken, [language]);
        browser.client().back().await?;
    }
    assert_eq!(browser.script("return window.same;", &[]).await?, true, "nothing was loaded again");
    Ok(())
}

async fn a_figure_is_stepped_on_and_back(browser: Browser) -> Result<()> {
    browser.goto("?view=explanation").await?;
    let step = || async {
        let steps = browser.attributes("[data-testid=figure]", "data-step").await?;
        steps[0].parse::<u64>().context("a step")
    };
    browser.wait_for("[data-testid=figure]").await?;
    let begin = step().await?;
    let sentence = browser.texts(".figure-steps p").await?[0].clone();
    browser.click(".figure-steps button:nth-of-type(2)").await?;
    browser.wait_until("the next step", step, |&now| now == begin + 1).await?;
    assert_ne!(browser.texts(".figure-steps p").await?[0], sentence);
    let link = browser.attributes(".figure-link", "href").await?[0].clone();
    assert!(link.ends_with(&format!("step={}", begin + 1)), "{link}");
    browser.click(".figure-steps button:nth-of-type(1)").await?;
    browser.wait_until("the step before", step, |&now| now == begin).await?;
    assert_eq!(browser.texts(".figure-steps p").await?[0], sentence);
    Ok(())
}

async fn in_japanese_on_a_phone(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    browser.goto("?view=explanation&lang=ja").await?;
    browser.wait_for_count("[data-testid=figure]", figures()?.len()).await?;
    assert_eq!(browser.text("h1").await?, "なぜ 92 は 12 なのか");
    crate::fits_the_width(&browser).await?;
    browser.screenshot("explanation-phone").await?;
    browser.click("#language").await?;
    browser.wait_for_text("h1", "Why 92 is 12").await?;
    Ok(())
}

async fn a_text_that_cannot_be_had_can_be_asked_for_again(browser: Browser) -> Result<()> {
    browser.goto("?view=symmetries").await?;
    browser.wait_for("#to-explanation").await?;
    browser
        .script(
            "window.realFetch = window.fetch;
             window.fetch = () => Promise.reject(new TypeError('no network'));",
            &[],
        )
        .await?;
    browser.click("#to-explanation").await?;
    browser.wait_for(".explanation [role=alert]").await?;
    browser.script("window.fetch = window.realFetch;", &[]).await?;
    browser.click(".explanation button").await?;
    browser.wait_for("[data-testid=figure]").await?;
    Ok(())
}
