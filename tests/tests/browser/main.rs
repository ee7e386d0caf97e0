//! The page in a real browser, through the real server; one file for each
//! view. `queens_tests::browser` tells how such a test is written.

mod accessibility;
mod asked;
mod branches;
mod classes;
mod compare;
mod embed;
mod everywhere;
mod explanation;
mod explore;
mod keyboard;
mod play;
mod results;
mod symmetries;
mod tree;

use std::process::ExitCode;

use anyhow::Result;
use queens_tests::browser::Browser;

fn main() -> ExitCode {
    let tests = [
        everywhere::tests(),
        accessibility::tests(),
        explore::tests(),
        play::tests(),
        symmetries::tests(),
        asked::tests(),
        branches::tests(),
        keyboard::tests(),
        tree::tests(),
        compare::tests(),
        embed::tests(),
        explanation::tests(),
        classes::tests(),
        results::tests(),
    ];
    queens_tests::browser::main(tests.into_iter().flatten().collect())
}

/// Fails if the page is wider than its window.
async fn fits_the_width(browser: &Browser) -> Result<()> {
    let widths = browser
        .script(
            "const root = document.documentElement; return [root.scrollWidth, root.clientWidth];",
            &[],
        )
        .await?;
    assert!(widths[0].as_u64() <= widths[1].as_u64(), "content and window are wide: {widths}");
    Ok(())
}

/// From now on what the page saves is kept for [`saved`].
async fn catch_saved(browser: &Browser) -> Result<()> {
    browser
        .script(
            "const create = URL.createObjectURL;
             URL.createObjectURL = (blob) => { window.savedBlob = blob; return create(blob); };",
            &[],
        )
        .await
        .map(drop)
}

/// The text of the last file that the page saved.
async fn saved(browser: &Browser) -> Result<String> {
    let text = browser.script("return window.savedBlob?.text() ?? '';", &[]).await?;
    Ok(text.as_str().unwrap_or_default().to_owned())
}
