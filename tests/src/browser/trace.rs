//! Measures how smoothly the page moves, with the browser's tracing.

use std::future::Future;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use super::Browser;
use super::emulation::Log;

/// The trace categories for tasks of threads, marks of the page and frames. Events of more categories
/// would displace these events from the browser's trace buffer.
const CATEGORIES: &str = "blink.user_timing,devtools.timeline,\
     disabled-by-default-devtools.timeline,disabled-by-default-devtools.timeline.frame";

/// Script that counts the frames in which anything within the watched element changes, and marks
/// each of these frames in the trace. The marks also identify the page's thread.
const PROBE: &str = "
    const probe = { frames: 0, pictures: 0, on: true };
    let changed = false;
    new MutationObserver(() => { changed = true; }).observe(
        document.querySelector(arguments[0]),
        { attributes: true, characterData: true, childList: true, subtree: true });
    const frame = () => {
        if (!probe.on) return;
        probe.frames += 1;
        if (changed) { probe.pictures += 1; performance.mark('picture'); }
        changed = false;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    window.probe = probe;";

/// The smoothness of the page during a period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// The duration of the period.
    pub time: Duration,
    /// The number of frames that differ from the previous one.
    pub pictures: usize,
    /// The number of frames that the browser could not show in time, in whole or in part.
    pub dropped: usize,
    /// The longest task of the page's main thread, in wall-clock time.
    pub longest: Duration,
    /// The longest task of the main thread in CPU time, which other programs affect less.
    pub hardest: Duration,
    /// The total work of the main thread.
    pub work: Duration,
}

/// Enables tracing in chromedriver, without network and page events.
pub(super) fn with_trace(capabilities: &mut Map<String, Value>) {
    capabilities["goog:loggingPrefs"]["performance"] = json!("ALL");
    capabilities["goog:chromeOptions"]["perfLoggingPrefs"] =
        json!({ "enableNetwork": false, "enablePage": false, "traceCategories": CATEGORIES });
}

impl Browser {
    /// Measures the motion of the `watched` element while `act` runs. The browser must record
    /// traces, and can do this once after each [`goto`](Browser::goto).
    pub async fn motion(
        &self,
        watched: &str,
        act: impl Future<Output = Result<()>>,
    ) -> Result<Motion> {
        self.wait_for(watched).await?;
        self.script(PROBE, &[json!(watched)]).await?;
        act.await?;
        let probe = self.script("window.probe.on = false; return window.probe;", &[]).await?;
        let pictures =
            probe["pictures"].as_u64().context("the probe counted no pictures")? as usize;
        let entries =
            self.client.issue_cmd(Log::TRACE).await.context("reading the browser's trace")?;
        let entries = entries.as_array().context("the trace is not a list")?;
        let events = entries.iter().filter_map(event).collect::<Vec<_>>();
        Motion::of(&events, pictures)
    }
}

impl Motion {
    /// Evaluates a trace, which should contain a mark for each of `pictures` frames.
    fn of(events: &[Value], pictures: usize) -> Result<Motion> {
        let marks: Vec<_> = events.iter().filter(|event| event["name"] == "picture").collect();
        let [first, .., last] = marks[..] else {
            bail!("the trace has {} of {pictures} pictures", marks.len())
        };
        // A browser whose trace buffer is full drops the rest of the trace.
        if marks.len() * 10 < pictures * 9 {
            bail!("the trace has {} of {pictures} pictures", marks.len());
        }
        let microseconds = |event: &Value, name: &str| {
            Duration::from_secs_f64(event[name].as_f64().unwrap_or(0.0) / 1e6)
        };
        let (begin, end) = (microseconds(first, "ts"), microseconds(last, "ts"));
        let is_marked_time = |event: &&Value| (begin..=end).contains(&microseconds(event, "ts"));
        let is_of_page = |event: &&Value| event["pid"] == first["pid"];
        let on_page = || events.iter().filter(is_marked_time).filter(is_of_page);
        let tasks = || {
            on_page().filter(|event| {
                event["name"] == "RunTask" && event["ph"] == "X" && event["tid"] == first["tid"]
            })
        };
        let longest = |name: &str| tasks().map(|task| microseconds(task, name)).max();
        Ok(Motion {
            time: end - begin,
            pictures: marks.len(),
            dropped: on_page().filter(|event| event["name"] == "DroppedFrame").count(),
            longest: longest("dur").unwrap_or_default(),
            hardest: longest("tdur").unwrap_or_default(),
            work: tasks().map(|task| microseconds(task, "tdur")).sum(),
        })
    }

    /// The number of frames per second.
    pub fn rate(&self) -> f64 {
        (self.pictures.saturating_sub(1)) as f64 / self.time.as_secs_f64()
    }

    /// The main thread's work per frame.
    pub fn work_each(&self) -> Duration {
        self.work / u32::try_from(self.pictures.max(1)).unwrap_or(u32::MAX)
    }
}

/// Returns the trace event of an entry in chromedriver's log, if the entry contains one.
fn event(entry: &Value) -> Option<Value> {
    let mut message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
    let message = message.get_mut("message")?.take();
    (message["method"] == "Tracing.dataCollected").then(|| message["params"].clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(ts: u64) -> Value {
        json!({ "name": "picture", "ph": "I", "pid": 7, "tid": 7, "ts": ts })
    }

    fn task(pid: u64, tid: u64, ts: u64, dur: u64, tdur: u64) -> Value {
        json!({ "name": "RunTask", "ph": "X", "pid": pid, "tid": tid, "ts": ts,
                "dur": dur, "tdur": tdur })
    }

    #[test]
    fn measures_only_the_main_thread_between_the_marks() {
        let events = [
            task(7, 7, 0, 90_000, 80_000),
            mark(100_000),
            task(7, 7, 110_000, 9000, 4000),
            task(7, 7, 120_000, 5000, 5000),
            task(7, 8, 130_000, 70_000, 60_000),
            task(6, 7, 130_000, 70_000, 60_000),
            json!({ "name": "DroppedFrame", "ph": "I", "pid": 7, "tid": 9, "ts": 150_000 }),
            mark(200_000),
            mark(300_000),
            task(7, 7, 400_000, 90_000, 80_000),
        ];
        let motion = Motion::of(&events, 3).unwrap();
        let milliseconds = Duration::from_millis;
        let expected = Motion {
            time: milliseconds(200),
            pictures: 3,
            dropped: 1,
            longest: milliseconds(9),
            hardest: milliseconds(5),
            work: milliseconds(9),
        };
        assert_eq!(motion, expected);
        assert!((motion.rate() - 10.0).abs() < 1e-9);
        assert_eq!(motion.work_each(), milliseconds(3));
    }

    #[test]
    fn rejects_a_trace_with_missing_frames() {
        let error = Motion::of(&[mark(1), mark(2)], 20).unwrap_err();
        assert_eq!(error.to_string(), "the trace has 2 of 20 pictures");
    }
}
