//! Exports from Explore: animations, slides, and links to lectures.

use anyhow::{Context, Result};
use queens_core::{Size, Square, Stepped, Timeline};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::{Value, json};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        exports_steps_as_animated_svg,
        a_gif_shows_the_boards_of_its_steps,
        a_video_shows_the_boards_of_its_steps,
        a_long_animation_can_be_stopped,
        a_step_is_saved_as_a_slide,
        a_link_with_ten_marked_moments_opens_in_presentation,
        share_fits_every_window,
    ]
}

/// Opens Explore with the panel Share open.
async fn open(browser: &Browser, query: &str) -> Result<()> {
    browser.goto(query).await?;
    browser.focus("#share-summary").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("#film:enabled").await.map(drop)
}

/// Fills in the form for an animation of the steps `from` to `to`, and presses its button.
async fn make(browser: &Browser, [from, to]: [u64; 2], choices: &[(&str, &str)]) -> Result<()> {
    for (field, step) in [("#film-from", from), ("#film-to", to)] {
        browser.fill(field, &step.to_string()).await?;
    }
    for (list, value) in choices {
        browser.choose(list, value).await?;
    }
    crate::catch_saved(browser).await?;
    browser.focus("#film").await?;
    browser.press(Key::Enter).await
}

/// The queens of a search at a step, as pairs of row and column from the left.
fn queens(method: Stepped, step: u64) -> Result<Vec<(u32, u32)>> {
    let mut timeline = Timeline::new(method, Size::new(8)?);
    assert!(timeline.seek(step, u64::MAX));
    Ok(timeline.view().placed().squares().map(Square::to_left).collect())
}

async fn exports_steps_as_animated_svg(browser: Browser) -> Result<()> {
    open(&browser, "?n=8&step=1480").await?;
    make(&browser, [1480, 1529], &[("#film-format", "svg"), ("#film-frames", "steps")]).await?;
    browser.wait_for_text("#film-status", "50 frames").await?;
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
    for (second, step) in (1480..1530).enumerate() {
        let frames = shown[1][second].as_array().context("no frames")?;
        assert_eq!(frames.len(), 1, "several frames at step {step}");
        assert_eq!(frames[0][0], json!(format!("step-{step}")));
        assert_eq!(frames[0][2], json!(queens(Stepped::Symmetry, step)?), "step {step}");
    }
    assert!(
        shown[1][0][0][1].as_str().is_some_and(|message| message.contains("Rule 1, upper side"))
    );
    // The last step stays longer, then the animation restarts.
    assert_eq!(shown[2][0][0][0], json!("step-1529"));
    assert_eq!(shown[2][1][0][0], json!("step-1480"));
    // An invalid range of steps is reported and disables the button.
    browser.fill("#film-from", "9999").await?;
    browser.wait_for_text("#film-fault", "must not be after").await?;
    browser.wait_for("#film:disabled").await?;
    browser.screenshot("explore-film").await.map(drop)
}

/// Returns, for each frame, the squares on which the foot of a queen has the colour of ink.
/// `frames` is a script that calls `add(image, width, height)` for each frame.
async fn shown_queens(browser: &Browser, frames: &str) -> Result<Vec<Vec<(u32, u32)>>> {
    let script = format!(
        "const boards = [];
         const add = (image, width, height) => {{
             const canvas = new OffscreenCanvas(width, height);
             const context = canvas.getContext('2d', {{ willReadFrequently: true }});
             context.drawImage(image, 0, 0);
             const [margin, side] = [16, 40];
             const queens = [];
             for (let row = 0; row < 8; row += 1) {{
                 for (let column = 0; column < 8; column += 1) {{
                     const [x, y] = [margin + column * side, margin + row * side + 32];
                     const isInk = (across) => context.getImageData(x + across, y, 1, 1).data
                         .slice(0, 3).every((channel) => channel < 90);
                     // A line of a dead end may cross a part of the foot.
                     if ([13, 17, 23, 27].filter(isInk).length > 1) queens.push([row, column]);
                 }}
             }}
             boards.push(queens);
         }};
         return (async () => {{ {frames} return boards; }})();"
    );
    Ok(serde_json::from_value(browser.script(&script, &[]).await?)?)
}

/// The number of frames that the form says it has saved.
async fn frames_saved(browser: &Browser) -> Result<usize> {
    browser.wait_for_text("#film-status", "Saved").await?;
    let said = browser.text("#film-status").await?;
    let number = said.split(' ').nth(1).context("no number")?;
    Ok(number.parse()?)
}

async fn a_gif_shows_the_boards_of_its_steps(browser: Browser) -> Result<()> {
    // The light theme has dark queens.
    browser.set_preferences(false, false).await?;
    open(&browser, "?n=8&method=backtracking&step=40").await?;
    let choices = [("#film-side", "320"), ("#film-frames", "steps"), ("#film-pace", "50")];
    make(&browser, [40, 70], &choices).await?;
    assert_eq!(frames_saved(&browser).await?, 31);
    println!("{}", browser.text("#film-status").await?);
    let boards = shown_queens(
        &browser,
        "const data = await window.savedBlob.arrayBuffer();
         const decoder = new ImageDecoder({ data, type: window.savedBlob.type });
         await Promise.all([decoder.completed, decoder.tracks.ready]);
         const count = decoder.tracks.selectedTrack.frameCount;
         for (let frameIndex = 0; frameIndex < count; frameIndex += 1) {
             const { image } = await decoder.decode({ frameIndex });
             add(image, image.displayWidth, image.displayHeight);
             window.lastFrame = image.duration;
         }",
    )
    .await?;
    assert_eq!(boards.len(), 31);
    for (board, step) in boards.iter().zip(40..) {
        assert_eq!(*board, queens(Stepped::Backtracking, step)?, "step {step}");
    }
    // Microseconds: half a second, and two more for the last frame.
    assert_eq!(browser.script("return window.lastFrame;", &[]).await?, json!(2_500_000));
    // The screenshot shows the file, because only people can judge its text, which the browser draws.
    browser
        .script(
            "const image = new Image();
             image.id = 'saved-gif';
             image.src = URL.createObjectURL(window.savedBlob);
             image.alt = 'the file';
             document.querySelector('#film-status').append(image);
             return image.decode().then(() => image.scrollIntoView());",
            &[],
        )
        .await?;
    browser.screenshot("explore-gif").await.map(drop)
}

async fn a_video_shows_the_boards_of_its_steps(browser: Browser) -> Result<()> {
    browser.set_preferences(false, false).await?;
    // The page itself shows no videos, so its policy forbids them.
    browser.devtools("Page.setBypassCSP", json!({ "enabled": true })).await?;
    open(&browser, "?n=8&method=backtracking&step=40").await?;
    let choices = [
        ("#film-side", "320"),
        ("#film-frames", "steps"),
        ("#film-pace", "100"),
        ("#film-format", "video"),
    ];
    make(&browser, [50, 53], &choices).await?;
    assert_eq!(frames_saved(&browser).await?, 4);
    let boards = shown_queens(
        &browser,
        "const video = document.createElement('video');
         video.muted = true;
         const until = (name) => new Promise((resolve) =>
             video.addEventListener(name, resolve, { once: true }));
         const loaded = until('loadeddata');
         video.src = URL.createObjectURL(window.savedBlob);
         await loaded;
         for (let second = 0; second < 4; second += 1) {
             const sought = until('seeked');
             video.currentTime = second + 0.6;
             await sought;
             add(video, video.videoWidth, video.videoHeight);
         }",
    )
    .await?;
    for (board, step) in boards.iter().zip(50..) {
        assert_eq!(*board, queens(Stepped::Backtracking, step)?, "step {step}");
    }
    assert_eq!(boards.len(), 4);
    Ok(())
}

async fn a_long_animation_can_be_stopped(browser: Browser) -> Result<()> {
    open(&browser, "?n=8&method=backtracking&step=0").await?;
    make(&browser, [0, 299], &[("#film-frames", "steps"), ("#film-side", "720")]).await?;
    browser.wait_for_text("#film-status", "frames, step").await?;
    browser.click("#film-stop").await?;
    browser.wait_for("#film:enabled").await?;
    assert_eq!(browser.text("#film-status").await?, "");
    assert_eq!(browser.script("return window.savedBlob ?? null;", &[]).await?, Value::Null);
    // A range with more frames than a file may have is reported, and no file is made.
    make(&browser, [0, 1000], &[("#film-side", "320")]).await?;
    browser.wait_for_text("#film-status", "more than 300 frames").await.map(drop)
}

async fn a_step_is_saved_as_a_slide(browser: Browser) -> Result<()> {
    open(&browser, "?n=8&method=backtracking&step=52&moments=52:Why+it+goes+back").await?;
    crate::catch_saved(&browser).await?;
    browser.focus("#slide-svg").await?;
    browser.press(Key::Enter).await?;
    let svg = crate::saved(&browser).await?;
    assert!(svg.contains("Why it goes back") && svg.contains("Dead end"), "{svg}");
    let expected = queens(Stepped::Backtracking, 52)?.len();
    assert_eq!(svg.matches("<use href=\"#q\"").count(), expected);
    browser.focus("#slide-png").await?;
    browser.press(Key::Enter).await?;
    let sides = async || {
        browser
            .script(
                "if (window.savedBlob?.type !== 'image/png') return null;
                 return createImageBitmap(window.savedBlob)
                     .then((image) => [image.width, image.height]);",
                &[],
            )
            .await
    };
    let sides = browser.wait_until("a PNG file", sides, |sides| !sides.is_null()).await?;
    assert_eq!(sides, json!([1600, 900]));
    browser
        .script(
            "const image = new Image();
             image.src = URL.createObjectURL(window.savedBlob);
             image.alt = 'the file';
             image.style = 'position: fixed; inset: 0; width: 100vw; z-index: 9';
             document.body.append(image);
             return image.decode();",
            &[],
        )
        .await?;
    browser.screenshot("explore-slide").await.map(drop)
}

async fn a_link_with_ten_marked_moments_opens_in_presentation(browser: Browser) -> Result<()> {
    open(&browser, "?n=8&method=backtracking").await?;
    // Ten steps at equal distances.
    let steps: Vec<u64> = (1..=10).map(|number| 13 * number).collect();
    for step in &steps {
        browser.fill("#step-number", &step.to_string()).await?;
        browser.press(Key::Enter).await?;
        browser.wait_for(&format!("#step[data-step='{step}']")).await?;
        browser.fill("#moment-note", &format!("Moment at {step}")).await?;
        browser.press(Key::Enter).await?;
        browser.wait_for_text(".moment-list [aria-current]", &format!("step {step}")).await?;
    }
    browser.screenshot("explore-moments").await?;
    let link = crate::value(&browser, "#lecture-link").await?;
    println!("a lecture of ten moments: {} letters", link.len());
    assert!(link.len() < 500, "{link}");
    let (_, query) = link.split_once('?').context("no query")?;
    browser.goto(&format!("?{query}")).await?;
    browser.wait_for(".presenting").await?;
    browser.wait_for(&format!("#step[data-step='{}']", steps[0])).await?;
    browser.wait_for_text("#moment-said", "Moment at 13").await?;
    browser.wait_for("#moment-marks path").await?;
    // The keys of a presenter (a remote control) lead through all moments and stop at the last one.
    for step in steps[1..].iter().chain([&steps[9]]) {
        browser.press(Key::PageDown).await?;
        browser.wait_for(&format!("#step[data-step='{step}']")).await?;
        browser.wait_for_text("#moment-said", &format!("Moment at {step}")).await?;
    }
    browser.wait_for("#next-moment:disabled").await?;
    browser.press(Key::PageUp).await?;
    browser.wait_for(&format!("#step[data-step='{}']", steps[8])).await?;
    for (width, height, name) in [(1366, 768, "wide"), (390, 844, "phone")] {
        browser.set_size(width, height).await?;
        browser.settle().await?;
        browser.screenshot(&format!("explore-lecture-{name}")).await?;
    }
    // Without presenting, the keys move by steps, and the notes stay.
    browser.press(Key::Escape).await?;
    browser.wait_for_count(".presenting", 0).await?;
    browser.wait_for_text("#moment-said", &format!("Moment at {}", steps[8])).await?;
    browser.focus("#board").await?;
    browser.press(Key::PageDown).await?;
    browser.wait_for(&format!("#step[data-step='{}']", steps[8] - 100)).await?;
    // A moment can be removed, and a note changed.
    browser.goto(&format!("?{query}&present=0")).await?;
    browser.focus("#share-summary").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_count(".moment-list li", 10).await?;
    browser.click(".moment-list li:first-child button:last-child").await?;
    browser.wait_for_count(".moment-list li", 9).await?;
    let address = async || browser.address().await;
    let is_changed = |now: &String| now.contains("moments=26:") && !now.contains("13:");
    browser.wait_until("an address without the moment", address, is_changed).await.map(drop)
}

/// Share is usable in every window, in both languages and themes.
async fn share_fits_every_window(browser: Browser) -> Result<()> {
    for (width, height, language, dark) in [(1366, 768, "en", false), (390, 844, "ja", true)] {
        browser.set_size(width, height).await?;
        browser.set_preferences(dark, false).await?;
        open(&browser, &format!("?n=8&step=300&lang={language}&moments=300:a+note")).await?;
        let extent = "const root = document.documentElement;
                      return [root.scrollWidth, root.clientWidth];";
        let sides = browser.script(extent, &[]).await?;
        assert!(sides[0].as_u64() <= sides[1].as_u64(), "{width}: {sides}");
        browser.whole_screenshot(&format!("explore-share-{width}")).await?;
    }
    Ok(())
}
