//! Runs the browser tests with the interface that `cargo test` expects of a test binary.

use std::env;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use fantoccini::Client;
use libtest_mimic::{Arguments, Trial};
use serde_json::{Map, Value};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::axe::Axe;
use super::{Browser, Driver, missing_part};
use crate::command;
use crate::host::{Host, SITE};
use crate::server::Server;
use crate::trials::{CannotRun, failed, unrunnable};

type Outcome = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// The number of failed tests that run a second time. If more fail, the cause is not chance.
const MAX_REPEATS: usize = 3;

/// A test that needs a browser.
pub struct BrowserTest {
    name: String,
    needs_axe: bool,
    /// Changes the capabilities of the test's browser. If set, the test gets a separate browser.
    change: Option<fn(&mut Map<String, Value>)>,
    needs_server: bool,
    body: Box<dyn Fn(Browser) -> Outcome + Send>,
}

impl BrowserTest {
    /// Creates a test with this name. [`browser_tests!`](crate::browser_tests) is a shorthand that derives
    /// the name from the function.
    pub fn new<F>(name: impl Into<String>, body: impl Fn(Browser) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<()>> + Send + 'static,
    {
        let body = Box::new(move |browser| Box::pin(body(browser)) as Outcome);
        Self { name: name.into(), needs_axe: false, change: None, needs_server: true, body }
    }

    /// Marks the test as one that needs axe-core. The test is ignored if axe-core is not installed.
    #[must_use]
    pub fn with_axe(self) -> Self {
        Self { needs_axe: true, ..self }
    }

    /// Makes the test use the static site below a path of a static host, instead of our server, if
    /// the site is built.
    #[must_use]
    pub fn on_static_site(self) -> Self {
        Self { needs_server: false, ..self }
    }

    /// Gives the test a browser with a software GPU for WebGPU.
    #[must_use]
    pub fn with_gpu(self) -> Self {
        Self { change: Some(super::driver::with_gpu), ..self }
    }

    /// Gives the test a browser that records traces (see [`Browser::motion`]).
    #[must_use]
    pub fn with_trace(self) -> Self {
        Self { change: Some(super::trace::with_trace), ..self }
    }
}

/// Creates a list of [browser tests](crate::browser::BrowserTest) from async functions. Each
/// test is named after its module and its function.
#[macro_export]
macro_rules! browser_tests {
    ($($function:ident),* $(,)?) => {
        vec![$($crate::browser::BrowserTest::new(
            concat!(module_path!(), "::", stringify!($function)),
            $function,
        )),*]
    };
}

/// The state that all tests of a run share.
struct Stage {
    runtime: Runtime,
    /// The longest duration of a test.
    limit: Duration,
    driver: Driver,
    server: Server,
    /// The host of the static site, if it is built.
    site: Option<Host>,
    axe: Option<Axe>,
    /// How many failed tests may still run a second time.
    repeats: AtomicUsize,
    /// Browsers that were reset after their last test, with their profile folders.
    idle: Mutex<Vec<(Client, TempDir)>>,
}

impl Stage {
    /// Starts the programs. `limit` is the longest duration of a test.
    fn start(limit: Duration) -> Result<Self, CannotRun> {
        if let Some(part) = missing_part() {
            return Err(CannotRun::Missing(format!("{part} is not installed")));
        }
        command::path().map_err(|error| CannotRun::Missing(format!("{error:#}")))?;
        let server = Server::start()?;
        if !server.has_page() {
            return Err(CannotRun::Missing("the command was built without the page".to_owned()));
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .context("starting the tests' runtime")?;
        let site = env::var_os(SITE).map(|site| Host::start(Path::new(&site))).transpose()?;
        Ok(Self {
            runtime,
            limit,
            driver: Driver::start()?,
            server,
            site,
            axe: Axe::find()?,
            repeats: AtomicUsize::new(MAX_REPEATS),
            idle: Mutex::default(),
        })
    }

    /// Runs a test. One of hundreds may fail because the browser stalled, so the first few that fail run a
    /// second time.
    fn run(&self, test: &BrowserTest) -> Result<()> {
        let outcome = self.run_once(test);
        let Err(error) = &outcome else { return outcome };
        let take = |left: usize| left.checked_sub(1);
        if self.repeats.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() {
            return outcome;
        }
        eprintln!("{} failed and runs a second time: {error:#}", test.name);
        self.run_once(test)
    }

    /// Runs a test in a browser in its initial state.
    fn run_once(&self, test: &BrowserTest) -> Result<()> {
        self.runtime.block_on(async {
            let idle = if test.change.is_none() { self.idle().pop() } else { None };
            let (client, profile) = match idle {
                Some(idle) => idle,
                None => self.driver.open_with(test.change.unwrap_or(|_| {})).await?,
            };
            let site = self.site.as_ref().filter(|_| !test.needs_server);
            let base = site.map_or_else(|| self.server.url(), Host::page);
            let axe = self.axe.clone();
            let browser = Browser::new(client.clone(), base, site.is_none(), axe).await?;
            // A separate task, so that the browser can be closed after a panic.
            let task = tokio::spawn(tokio::time::timeout(self.limit, (test.body)(browser.clone())));
            let outcome = match task.await {
                Ok(Ok(Ok(()))) => check_last_page(&browser).await,
                Ok(Ok(Err(error))) => Err(error),
                Ok(Err(_)) => Err(anyhow!("not finished after {} s", self.limit.as_secs())),
                Err(panic) => Err(anyhow!("{}", panic_message(panic))),
            };
            let outcome = match outcome {
                Ok(()) => Ok(()),
                Err(error) => Err(error.context(describe_failure(&browser, &test.name).await)),
            };
            // A browser is reused only after a test that passed.
            if test.change.is_none() && outcome.is_ok() && browser.reset().await.is_ok() {
                self.idle().push((client, profile));
                return outcome;
            }
            let closed = browser.close().await;
            drop(profile);
            outcome.and(closed)
        })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(Client, TempDir)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut *self.idle());
        for (client, _profile) in idle {
            let _ = self.runtime.block_on(client.close());
        }
    }
}

/// Fails if the last page of a test is not accessible or wrote messages to the console.
async fn check_last_page(browser: &Browser) -> Result<()> {
    browser.assert_accessible().await?;
    browser.assert_clean_console().await
}

/// Runs `body` with a browser that records traces (see [`Browser::motion`]). Fails if the browser or
/// another required part is missing.
pub fn traced<T, F>(body: impl FnOnce(Browser) -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    let stage = Stage::start(Duration::MAX).map_err(CannotRun::into_error)?;
    stage.runtime.block_on(async {
        let (client, _profile) = stage.driver.open_with(super::trace::with_trace).await?;
        let browser = Browser::new(client, stage.server.url(), true, None).await?;
        let outcome = body(browser.clone()).await;
        let closed = browser.close().await;
        outcome.and_then(|outcome| closed.map(|()| outcome))
    })
}

/// Saves a screenshot of a failed test and describes the page.
async fn describe_failure(browser: &Browser, name: &str) -> String {
    let picture =
        browser.unchecked_screenshot(&format!("failed-{}", name.replace("::", "-"))).await;
    let picture = match picture {
        Ok(path) => format!("see {}", path.display()),
        Err(error) => format!("no picture: {error:#}"),
    };
    let console = browser.console().await.unwrap_or_default();
    if console.is_empty() { picture } else { format!("{picture}; console: {}", console.join("\n")) }
}

fn panic_message(panic: tokio::task::JoinError) -> String {
    match panic.try_into_panic() {
        Ok(payload) => payload
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()))
            .unwrap_or_else(|| "panicked".to_owned()),
        Err(error) => error.to_string(),
    }
}

/// The `main` of a suite of browser tests, each of which may take at most `limit`.
///
/// Without the browser, the built command or its page, every test is skipped (see
/// [`unrunnable`]). The same applies to tests that need axe-core if axe-core is missing.
pub fn main(suite: &str, limit: Duration, tests: Vec<BrowserTest>) -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Two browsers keep two cores busy; more would slow each other down.
    arguments.test_threads.get_or_insert(2);
    let stage = if arguments.list || !any_selected(&arguments, &tests) {
        Err(CannotRun::Broken(anyhow!("no test was selected")))
    } else {
        Stage::start(limit)
    };
    let trials = match stage {
        Ok(stage) => trials(&arguments, &Arc::new(stage), tests),
        Err(reason) => {
            unrunnable(&arguments, suite, &reason, tests.into_iter().map(|test| test.name))
        }
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Whether the filters on the command line select any test.
fn any_selected(arguments: &Arguments, tests: &[BrowserTest]) -> bool {
    tests
        .iter()
        .map(|test| Trial::test(test.name.clone(), || Ok(())))
        .any(|trial| !arguments.is_filtered_out(&trial))
}

fn trials(arguments: &Arguments, stage: &Arc<Stage>, tests: Vec<BrowserTest>) -> Vec<Trial> {
    let has_axe = stage.axe.is_some();
    let (runnable, others): (Vec<_>, Vec<_>) =
        tests.into_iter().partition(|test| has_axe || !test.needs_axe);
    let mut trials: Vec<_> = runnable.into_iter().map(|test| trial(stage, test)).collect();
    if !has_axe {
        // Stands for the checks at the end of all other tests.
        let names = ["every_visited_page_is_accessible".to_owned()].into_iter();
        let names = names.chain(others.into_iter().map(|test| test.name));
        let reason = CannotRun::Missing("axe-core is not installed".to_owned());
        trials.extend(unrunnable(arguments, "accessibility of the page", &reason, names));
    }
    trials
}

fn trial(stage: &Arc<Stage>, test: BrowserTest) -> Trial {
    let stage = Arc::clone(stage);
    Trial::test(test.name.clone(), move || stage.run(&test).map_err(|error| failed(&error)))
}
