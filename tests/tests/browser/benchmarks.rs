//! Runs scenarios of `cargo xtask bench --page` on small boards: the elements that the scenarios
//! use must exist, and the page must show what the core computes. Figures do not matter here,
//! except that no task may stop the page for seconds.

use std::time::Duration;

use anyhow::{Result, ensure};
use queens_core::Stepped;
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use queens_tests::motions::{classes, count, explore, results};

pub fn tests() -> Vec<BrowserTest> {
    let tests = browser_tests![
        explore_scenario_runs,
        counting_scenario_counts_and_stops,
        folding_scenario_moves_all_solutions,
        five_hundred_results_keep_the_page_responsive,
    ];
    tests.into_iter().map(BrowserTest::with_trace).collect()
}

async fn explore_scenario_runs(browser: Browser) -> Result<()> {
    let time = Duration::from_millis(500);
    // The search takes more than a minute, so that it has not ended when the second click pauses
    // it, even on a busy machine. After the end, that click would start the search again.
    let motion = explore::play(browser, Stepped::Symmetry, 12, time).await?;
    ensure!(motion.pictures > 1, "{motion:?}");
    Ok(())
}

async fn counting_scenario_counts_and_stops(browser: Browser) -> Result<()> {
    count::count(browser.clone(), 13).await?;
    count::stop(browser, 21, 1).await.map(drop)
}

/// The target is 20 ms on an idle machine.
async fn folding_scenario_moves_all_solutions(browser: Browser) -> Result<()> {
    let (motion, longest) = classes::fold(browser).await?;
    println!("longest frame of folding and unfolding: {longest:.1} ms; {motion:?}");
    ensure!(longest > 0.0 && motion.pictures > 1, "{motion:?}");
    Ok(())
}

/// The target is 50 ms on an idle machine. Other programs make tasks several times as long, so only
/// tasks that stop the page for seconds fail.
async fn five_hundred_results_keep_the_page_responsive(browser: Browser) -> Result<()> {
    const COUNT: usize = 500;
    // Sorts more results than the list shows at once, as the benchmark does.
    let motion = results::sort(browser.clone(), 120).await?;
    ensure!(motion.pictures > 1, "{motion:?}");
    let longest = results::longest_tasks(&browser, COUNT).await?;
    println!("longest tasks while {COUNT} results were loaded and compared: {longest:?} ms");
    ensure!(longest.iter().all(|&task| task < 2000.0), "{longest:?}");
    browser.wait_for_text(".pager [role=status]", &format!("to {COUNT} of")).await
}
