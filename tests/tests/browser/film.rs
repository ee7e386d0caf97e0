//! Animations of Explore.

use anyhow::{Context, Result};
use queens_core::{Size, Square, Stepped, Timeline};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![a_gif_can_be_stopped_and_shows_the_boards_of_its_moves]
}

/// Opens Explore with the dialog Share open.
async fn open(browser: &Browser, query: &str) -> Result<()> {
    browser.goto(query).await?;
    crate::open_share(browser).await?;
    browser.wait_for("#film:enabled").await.map(drop)
}

/// Fills in the form for an animation of the next moves, and presses its button.
async fn make(browser: &Browser, moves: usize) -> Result<()> {
    browser.fill("#film-moves", &moves.to_string()).await?;
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

/// Returns, for each frame, the squares on which the foot of a queen has the colour of ink.
/// `frames` is a script that calls `add(image, width, height)` for each frame.
async fn shown_queens(browser: &Browser, frames: &str) -> Result<Vec<Vec<(u32, u32)>>> {
    let script = format!(
        "const boards = [];
         const add = (image, width, height) => {{
             const canvas = new OffscreenCanvas(width, height);
             const context = canvas.getContext('2d', {{ willReadFrequently: true }});
             context.drawImage(image, 0, 0);
             const [margin, side] = [45, 56.25];
             const queens = [];
             for (let row = 0; row < 8; row += 1) {{
                 for (let column = 0; column < 8; column += 1) {{
                     const [x, y] = [margin + column * side, margin + row * side + 45];
                     const isInk = (across) => context.getImageData(x + across, y, 1, 1).data
                         .slice(0, 3).every((channel) => channel < 90);
                     // A line of a dead end may cross a part of the foot.
                     if ([18, 24, 32, 38].filter(isInk).length > 1) queens.push([row, column]);
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

/// The number of moves of the animation.
const MOVES: usize = 8;

async fn a_gif_can_be_stopped_and_shows_the_boards_of_its_moves(browser: Browser) -> Result<()> {
    open(&browser, "?n=8&method=backtracking&step=40").await?;
    // A long animation can be stopped. Each frame is drawn from a file of its own, but no animation is saved.
    make(&browser, 200).await?;
    browser.wait_for_text("#film-status", "frames").await?;
    browser.click("#film-stop").await?;
    browser.wait_for("#film:enabled").await?;
    assert_eq!(browser.text("#film-status").await?, "");
    assert_ne!(browser.script("return window.savedBlob?.type;", &[]).await?, json!("image/gif"));
    // An invalid number of moves is reported and disables the button.
    browser.fill("#film-moves", "9999").await?;
    browser.wait_for_text("#film-fault", "from 1 to 200").await?;
    browser.wait_for("#film:disabled").await?;
    browser.fill("#film-moves", &MOVES.to_string()).await?;
    browser.wait_for("#film:enabled").await?;

    make(&browser, MOVES).await?;
    let frames = frames_saved(&browser).await?;
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
    // The first step has a frame, and each move after it.
    let mut timeline = Timeline::new(Stepped::Backtracking, Size::new(8)?);
    let mut expected = vec![queens(Stepped::Backtracking, 40)?];
    assert!(timeline.seek(40, u64::MAX));
    while expected.len() <= MOVES {
        timeline.seek_next(queens_core::Tracer::beats, u64::MAX);
        expected.push(queens(Stepped::Backtracking, timeline.step())?);
    }
    assert_eq!((frames, &boards), (expected.len(), &expected));
    // Microseconds: the last frame stays for three seconds.
    assert_eq!(browser.script("return window.lastFrame;", &[]).await?, json!(3_000_000));
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
