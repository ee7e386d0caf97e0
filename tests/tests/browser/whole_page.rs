//! Rules for the page as a whole.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        every_test_gets_a_clean_browser,
        the_page_stays_below_its_size_limit,
        the_code_of_other_views_follows_once,
        boards_and_slides_can_be_saved,
        steps_are_announced_after_a_pause,
        the_theme_is_remembered,
    ]
}

async fn every_test_gets_a_clean_browser(browser: Browser) -> Result<()> {
    const LEAVE: &str = "
        localStorage.left = sessionStorage.left = document.cookie = 'left=1;max-age=60';
        window.open('about:blank');
        return new Promise((resolve) => {
            indexedDB.open('left').onsuccess = resolve;
        }).then(() => caches.open('left')).then(() => {});";
    const STORED: &str = "
        return Promise.all([indexedDB.databases(), caches.keys()]).then((lists) => ({
            kept: [localStorage, sessionStorage, document.cookie, ...lists].map((it) => it.length),
            window: [innerWidth, innerHeight, navigator.maxTouchPoints, document.hasFocus()],
            dark: matchMedia('(prefers-color-scheme: dark)').matches,
            language: navigator.language,
        }));";
    let open = async || {
        browser.goto("/").await?;
        browser.wait_for("#board").await?;
        browser.script(STORED, &[]).await
    };
    let new = open().await?;
    assert_eq!(new["kept"], json!([0, 0, 0, 0, 0]));
    browser.set_phone().await?;
    browser.set_preferences(true, true).await?;
    browser.set_language("ja").await?;
    browser.script(LEAVE, &[]).await?;
    let left = open().await?;
    assert_eq!(left["kept"], json!([1, 1, 6, 1, 1]));
    assert_ne!(left["window"], new["window"]);
    browser.reset().await?;
    browser.set_size(1280, 800).await?;
    assert_eq!(browser.client().windows().await?.len(), 1);
    assert_eq!(open().await?, new);
    Ok(())
}

/// The largest compressed size of the files with which the page starts, in bytes.
const LARGEST_PAGE: u64 = 350_000;

async fn the_page_stays_below_its_size_limit(browser: Browser) -> Result<()> {
    // Cached files have no size.
    browser.devtools("Network.enable", json!({})).await?;
    browser.devtools("Network.setCacheDisabled", json!({ "cacheDisabled": true })).await?;
    for (query, language) in [("/", "en"), ("/?lang=ja", "ja")] {
        browser.goto(query).await?;
        browser.wait_for(&format!("html[lang={language}] #board")).await?;
        // One of the last elements of the first screen. The files of the worker are loaded later, and
        // the page is usable without them.
        browser.wait_for("#code").await?;
        check_size(&browser).await.with_context(|| language.to_owned())?;
    }
    assert!(browser.client().title().await?.contains("queens"));
    assert_eq!(browser.count("#no-worker").await?, 0);
    browser.screenshot("everywhere-start").await?;
    Ok(())
}

async fn check_size(browser: &Browser) -> Result<()> {
    let files = browser
        .script(
            "return [...performance.getEntriesByType('navigation'),
                     ...performance.getEntriesByType('resource')]
                 .map((file) => [file.name, file.encodedBodySize]);",
            &[],
        )
        .await?;
    // Files that page and worker both load are transferred once, but are listed twice with their
    // sizes.
    let mut sizes = BTreeMap::new();
    for file in files.as_array().context("no list of files")? {
        let address = file[0].as_str().context("the file has no name")?;
        let name = address.split('?').next().unwrap_or(address);
        if name.contains("split_later") {
            continue;
        }
        let size = file[1].as_u64().context("the file has no size")?;
        let largest: &mut u64 = sizes.entry(name.rsplit('/').next().unwrap_or(name)).or_default();
        *largest = size.max(*largest);
    }
    for name in ["", "start.js", "queens-web.js", "queens-web_bg.wasm", "style.css"] {
        assert!(sizes.get(name).is_some_and(|size| *size > 0), "{name:?} among {sizes:?}");
    }
    let whole: u64 = sizes.values().sum();
    println!("The page is {whole} bytes in all: {sizes:?}");
    assert!(whole <= LARGEST_PAGE, "{whole} bytes: {sizes:?}");
    Ok(())
}

async fn the_code_of_other_views_follows_once(browser: Browser) -> Result<()> {
    for (query, sign) in [("?n=6&lang=en", "#code"), ("?view=explanation&lang=en", "#contents")] {
        browser.goto(query).await?;
        browser.wait_for(sign).await?;
        let requests = async || {
            let count = "return performance.getEntriesByType('resource')
                .filter(({ name }) => name.includes('split_later')).length;";
            browser.script(count, &[]).await
        };
        browser.wait_until("the code", &requests, |requests| *requests == json!(1)).await?;
        browser.click("#view-play").await?;
        browser.wait_for("#play-aim").await?;
        assert_eq!(requests().await?, json!(1), "{query}");
    }
    Ok(())
}

/// The beginning of a queen's path: from its square's corner to the left of its foot.
const FOOT: &str = "m10.5 28";

async fn boards_and_slides_can_be_saved(browser: Browser) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let pictures = queens_tests::process::target_folder()?.join("screenshots");
    std::fs::create_dir_all(&pictures)?;
    let to = json!({ "behavior": "allow", "downloadPath": folder.path() });
    browser.devtools("Browser.setDownloadBehavior", to).await?;
    // Waits for a file, and copies it to the screenshots.
    let saved = async |name: String| {
        let read = async || Ok(std::fs::read(folder.path().join(&name)).unwrap_or_default());
        let file = browser.wait_until(&name, read, |file| file.len() > 24).await?;
        std::fs::write(pictures.join(format!("saved-{name}")), &file)?;
        anyhow::Ok(file)
    };
    let pngs = [("#save-png", "", [1600, 1600]), ("#slide-png", "-slide", [2560, 1440])];
    // Play has no slides.
    for (query, name, queens, pngs) in [
        ("?view=play&n=8&queens=0:0,1:4,5:5", "queens-8", 3, &pngs[..1]),
        ("?n=8&method=bitmap&step=444&lang=ja", "queens-8-bitmap-444", 8, &pngs),
    ] {
        browser.goto(query).await?;
        browser.wait_for_count("#board [data-state='queen']", queens).await?;
        if browser.count("#more").await? > 0 {
            crate::open_share(&browser).await?;
        } else {
            browser.click("#play-menu").await?;
        }
        browser.focus("#save-svg").await?;
        browser.click("#save-svg").await?;
        let svg = String::from_utf8(saved(format!("{name}.svg")).await?)?;
        let head = svg.split('>').next().unwrap_or_default();
        for wanted in ["viewBox=\"-24 -24 352 352\"", "width=\"352\"", "height=\"352\""] {
            assert!(head.contains(wanted), "{head}");
        }
        assert_eq!(svg.matches(FOOT).count(), queens);
        // Some programs draw an element of height 0 as a line. The file has no styles of the page.
        for unwanted in ["height=\"0\"", "role=", "aria-", "class=", "color("] {
            assert!(!svg.contains(unwanted), "{unwanted}");
        }
        for &(button, ending, sides) in pngs {
            browser.click(button).await?;
            let png = saved(format!("{name}{ending}.png")).await?;
            assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
            let side = |at| u32::from_be_bytes([png[at], png[at + 1], png[at + 2], png[at + 3]]);
            assert_eq!([side(16), side(20)], sides);
        }
        // The file is a stand-alone picture.
        let shown = "return new Promise((resolve) => {
                 const image = new Image();
                 image.onload = () => resolve(image.naturalWidth);
                 image.onerror = () => resolve(0);
                 image.src = URL.createObjectURL(new Blob([arguments[0]], { type: 'image/svg+xml' }));
             });";
        assert_eq!(browser.script(shown, &[json!(svg)]).await?, json!(352));
    }
    Ok(())
}

async fn steps_are_announced_after_a_pause(browser: Browser) -> Result<()> {
    browser.goto("?n=8&method=symmetry&lang=ja").await?;
    browser.wait_for("html[lang=ja] #announcement[aria-live='polite']").await?;
    browser.focus("#board").await?;
    for step in 1..=3 {
        browser.press_with_shift(Key::Right).await?;
        browser.wait_for(&format!("#step[data-step='{step}']")).await?;
    }
    // The announcement equals the visible sentence, after a pause.
    let why = browser.text("#why").await?;
    assert!(why.contains("に進みます"), "{why}");
    browser.wait_for_text("#announcement", &why).await?;

    // During playback, announcements are rarer than pictures.
    browser.goto("?n=12&method=bitmap&step=1100&lang=en").await?;
    browser.wait_for("#play").await?;
    browser.choose("#target", "end").await?;
    browser.slide("#speed", 2).await?;
    browser.click("#play").await?;
    let pictures = browser
        .script(
            "return new Promise((resolve) => {
                 const pictures = new Set();
                 const step = document.querySelector('#step');
                 new MutationObserver(() => pictures.add(step.dataset.step))
                     .observe(step, { attributes: true });
                 new MutationObserver(() => resolve(pictures.size)).observe(
                     document.querySelector('#announcement'),
                     { childList: true, characterData: true, subtree: true });
             });",
            &[],
        )
        .await?;
    // The first announcement comes after three seconds. A busy machine draws few frames.
    assert!(pictures.as_u64() > Some(3), "{pictures} pictures before one was announced");
    browser.click("#play").await?;
    browser.wait_for("#play[aria-label='Play']").await?;
    // The last announcement describes the step at which playback stopped.
    let why = browser.text("#why").await?;
    browser.wait_for_text("#announcement", &why).await
}

async fn the_theme_is_remembered(browser: Browser) -> Result<()> {
    let paper = async || {
        browser.script("return getComputedStyle(document.body).backgroundColor;", &[]).await
    };
    browser.set_preferences(false, false).await?;
    browser.goto("?n=6").await?;
    browser.wait_for("#settings-open").await?;
    let light = paper().await?;
    let switch = async |theme: &str| {
        browser.choose_setting(&format!("#theme-{theme}")).await?;
        browser.wait_for(&format!("html[data-theme='{theme}']")).await
    };
    switch("dark").await?;
    let dark = browser.wait_until("a dark page", paper, |now| *now != light).await?;
    // The choice survives a reload, and overrides the system's preference.
    browser.goto("?n=6&lang=ja").await?;
    browser.wait_for("html[data-theme='dark'] #settings-open").await?;
    browser.wait_until("a page that stays dark", paper, |now| *now == dark).await?;
    switch("light").await?;
    browser.set_preferences(true, false).await?;
    browser.goto("?n=6&lang=ja").await?;
    browser.wait_for("html[data-theme='light'] #settings-open").await?;
    browser.wait_until("a page that stays light", paper, |now| *now == light).await.map(drop)
}
