//! Count: a board by two workers beside the command's two threads, and how soon it stops.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use queens_core::known::known;
use queens_tests::browser::{Browser, Motion, traced};
use queens_tests::command::Said;

const N: u32 = 18;

/// How often each of the two counts; an odd number.
const ROUNDS: usize = 3;

/// How often a count is stopped.
const STOPS: usize = 5;

/// A larger board, which does not end before it is stopped.
const LARGE: u32 = 21;

/// Stops and tells the milliseconds from the click until the page says so.
const STOP: &str = "
    const stands = document.querySelector('#count');
    const from = performance.now();
    const stopped = new Promise((tell) => new MutationObserver(() => {
        if (stands.dataset.phase === 'kept') tell(performance.now() - from);
    }).observe(stands, { attributes: true }));
    document.querySelector('#stop').click();
    return stopped;";

/// Measures the page beside `command`, the release, in turn.
pub fn measure(command: &Path) -> Result<()> {
    let (mut here, mut native) = (vec![], vec![]);
    for round in 0..ROUNDS {
        native.push(by_command(command)?);
        let (motion, seconds) = traced(count)?;
        here.push(seconds);
        if round == 0 {
            crate::print(&format!("Count counts N = {N} in 2 workers"), &motion);
        }
    }
    let (here, native) = (median(here), median(native));
    println!("{:<32} {here:>8.2} s, by the command {native:.2} s", "that takes");
    println!("{:<32} {:>10.2}", "times as long", here / native);
    let slowest = traced(stop)?;
    println!("{:<32} {slowest:>7.0} ms", format!("the slowest of {STOPS} stops"));
    Ok(())
}

/// The seconds that the command needs with two threads, and vectors as wide as the page's.
fn by_command(command: &Path) -> Result<f64> {
    let line = format!(
        "count {N} --backend cpu --method halves --isa portable --threads 2 --no-journal --json \
         --quiet"
    );
    let said = Said::of(Command::new(command).args(line.split(' ')))?;
    ensure!(said.code == Some(0), "{}", said.err);
    said.json()["seconds"].as_f64().context("the seconds of a document")
}

async fn count(browser: Browser) -> Result<(Motion, f64)> {
    browser.goto(&format!("?view=count&n={N}")).await?;
    browser.wait_for("#begin").await?;
    browser.choose("#count-workers", "2").await?;
    let row = format!("#count-lines [data-n='{N}']");
    let motion = browser
        .motion("#count", async {
            browser.click("#begin").await?;
            while browser.count(&row).await? == 0 {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            Ok(())
        })
        .await?;
    let cells = browser.texts(&format!("{row} > *")).await?;
    let total = known(N).context("known")?.total().to_string();
    ensure!(cells[1].replace(',', "") == total, "the page counted {cells:?}");
    // dd:hh:mm:ss.cc, of which the days are none.
    let seconds = cells[3]
        .split(':')
        .try_fold(0.0, |sum, part| anyhow::Ok(sum * 60.0 + part.parse::<f64>()?))?;
    Ok((motion, seconds))
}

async fn stop(browser: Browser) -> Result<f64> {
    browser.goto(&format!("?view=count&n={LARGE}")).await?;
    let mut slowest: f64 = 0.0;
    for _ in 0..STOPS {
        browser.wait_for("#begin").await?;
        browser.click("#begin").await?;
        let done = async || browser.attributes("#count-now", "data-done").await;
        let some = |done: &Vec<String>| done.first().is_some_and(|done| done != "0");
        browser.wait_until("finished tasks", done, some).await?;
        let took = browser.script(STOP, &[]).await?;
        slowest = slowest.max(took.as_f64().context("a time")?);
        browser.wait_for("#forget").await?;
        browser.click("#forget").await?;
    }
    Ok(slowest)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
