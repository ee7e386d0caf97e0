//! The page's assembled Japanese texts: their punctuation and their line breaks.

use anyhow::Result;
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use queens_tests::japanese::fault;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![composed_texts_are_correct_japanese_and_break_between_phrases]
}

/// An address, and an element that shows that its state is ready.
const STATES: [(&str, &str); 23] = [
    ("", "#board"),
    ("step=4", "#board"),
    ("step=80&ask=1:7", "#asked"),
    ("n=6&work=1", "#efforts-table"),
    ("n=5&method=bitmap-symmetry&step=40", "#map"),
    ("n=6&method=mirror&step=9", "#board"),
    ("n=5&method=flags-symmetry&compare=flags", "#race-said"),
    ("embed", "#board"),
    ("view=nothing&n=99&method=x&step=-1&solution=x&queens=9:9", "#address-problems"),
    ("view=play&queens=0:0,1:2,2:4", "#completions[data-state=done]"),
    ("view=play&queens=0:0,0:3,3:3", "#board .conflict"),
    ("view=play&n=32", "main"),
    ("view=solutions&n=5&solution=3,0,2,4,1", "#class"),
    ("view=solutions&solution=5,3,6,0,7,1,4,2&image=turn-90", "#class"),
    ("view=solutions&solution=6,0,2,7,5,3,1,4", "#class"),
    ("view=solutions&solution=1,1", "#solution-error"),
    ("view=solutions&n=6&together=1", "#fold-sum"),
    ("view=solutions&n=9", "#classes-status[data-state=done]"),
    ("view=solutions&n=16", "[data-testid=too-many]"),
    ("view=results", "#server[data-state=live]"),
    ("view=learn", "#about"),
    ("view=explanation", "#total"),
    ("view=numbers", "#numbers"),
];

/// All displayed and announced texts, block by block, with `x` in place of code and registers.
const SAID: &str = "
    const code = 'code, pre, kbd, .mono, .register, [lang=en]';
    const blocks = 'p, li, dt, dd, figcaption, caption, button, td, th, h1, h2, h3, summary, label, '
        + 'option, text, legend';
    const accessibleText = (element) => {
        if (element.nodeType === Node.TEXT_NODE) return element.data;
        if (element.nodeType !== Node.ELEMENT_NODE || element.matches(code)) return ' x ';
        return [...element.childNodes].map(accessibleText).join('');
    };
    const innermost = [...document.querySelectorAll(blocks)]
        .filter((block) => !block.closest(code) && !block.querySelector(blocks));
    const names = ['aria-label', 'title', 'placeholder'].flatMap((name) =>
        [...document.querySelectorAll(`[${name}]`)]
            .filter((element) => !element.closest('[lang=en]') || element.matches('pre'))
            .map((element) => element.getAttribute(name)));
    return [...new Set([document.title, ...innermost.map(accessibleText), ...names])];";

/// Returns the number of occurrences of some words, and the texts in which such a word is broken
/// across lines.
const TORN: &str = "
    const words = ['ください', 'クイーン', 'ステップ', 'グループ', 'ありません', 'ユニーク解'];
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const [range, torn] = [document.createRange(), []];
    let read = 0;
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (!text.parentElement.checkVisibility() || text.parentElement.closest('.hidden-text')) continue;
        for (const word of words) {
            for (let at = text.data.indexOf(word); at >= 0; at = text.data.indexOf(word, at + 1)) {
                range.setStart(text, at);
                range.setEnd(text, at + word.length);
                read += 1;
                if (range.getClientRects().length > 1) torn.push(text.data);
            }
        }
    }
    return [read, torn];";

async fn composed_texts_are_correct_japanese_and_break_between_phrases(
    browser: Browser,
) -> Result<()> {
    let mut faults = vec![];
    let (mut read, mut words) = (0, 0);
    for (query, sign) in STATES {
        browser.goto(&format!("?{query}&lang=ja")).await?;
        browser.wait_for(sign).await?;
        if query == "view=results" {
            let wrong = include_str!("../../data/results/eight.json").replace("\"16\"", "\"15\"");
            browser.drop_file("[data-testid=drop-area]", "wrong.json", &wrong).await?;
            browser.wait_for("[data-id^=file-]").await?;
        }
        let texts = browser.script(SAID, &[]).await?;
        for text in texts.as_array().into_iter().flatten().filter_map(|text| text.as_str()) {
            read += 1;
            faults.extend(fault(text).map(|fault| format!("{query}: {fault}")));
        }
        for width in [375, 1440] {
            browser.set_size(width, 900).await?;
            let (in_lines, torn): (usize, Vec<String>) =
                serde_json::from_value(browser.script(TORN, &[]).await?)?;
            assert_eq!(torn, [""; 0], "{query} at {width} px");
            words += in_lines;
        }
    }
    faults.dedup();
    assert_eq!(faults, [""; 0]);
    assert!(read > 2000, "{read} texts");
    assert!(words > 300, "{words} words");
    Ok(())
}
