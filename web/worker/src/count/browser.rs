//! What the leader of a count asks the browser.

use js_sys::{Date, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit, Response, WorkerGlobalScope, WorkerNavigator};

use super::course::Machine;

fn scope() -> Option<WorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

fn navigator() -> Option<WorkerNavigator> {
    Some(scope()?.navigator())
}

/// The number of cores, at least 1.
pub fn cores() -> u32 {
    navigator().map_or(1, |navigator| navigator.hardware_concurrency().max(1.0) as u32)
}

/// Whether there is WebGPU; whether it finds a GPU is another matter.
pub fn has_webgpu() -> bool {
    navigator().is_some_and(|navigator| Reflect::has(&navigator, &"gpu".into()) == Ok(true))
}

/// The time by RFC 3339.
pub fn today() -> String {
    Date::new_0().to_iso_string().into()
}

/// The browser and its system.
pub fn machine() -> Machine {
    let agent = navigator().and_then(|navigator| navigator.user_agent().ok()).unwrap_or_default();
    Machine { os: os(&agent).to_owned(), browser: name(&agent) }
}

/// The system that a browser says to run on, in the words of the command.
fn os(agent: &str) -> &'static str {
    const SYSTEMS: [(&str, &str); 6] = [
        ("Windows", "windows"),
        ("Android", "android"),
        ("iPhone", "ios"),
        ("iPad", "ios"),
        ("Mac OS", "macos"),
        ("Linux", "linux"),
    ];
    let found = SYSTEMS.iter().find(|(sign, _)| agent.contains(sign));
    found.map_or("unknown", |(_, system)| system)
}

/// A browser's name and version, out of what it calls itself: all claim to be others besides.
fn name(agent: &str) -> String {
    const BROWSERS: [(&str, &str); 6] = [
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("HeadlessChrome/", "Chrome"),
        ("Chrome/", "Chrome"),
        ("Version/", "Safari"),
    ];
    let found = BROWSERS.iter().find_map(|(sign, name)| {
        let (_, rest) = agent.split_once(sign)?;
        Some(format!("{name} {}", rest.split([' ', '.']).next().unwrap_or(rest)))
    });
    found.unwrap_or_else(|| "unknown browser".to_owned())
}

/// Sends a document to the server that the page came from; the id by which it is there. The error
/// is the answer's status, or nothing if none came.
pub async fn post(document: &str) -> Result<String, Option<u16>> {
    let answer = async {
        let (how, headers) = (RequestInit::new(), Headers::new()?);
        headers.set("Content-Type", "application/json")?;
        how.set_method("POST");
        how.set_headers(&headers);
        how.set_body(&document.into());
        let scope = scope().ok_or(JsValue::NULL)?;
        JsFuture::from(scope.fetch_with_str_and_init("api/v1/results", &how)).await?.dyn_into()
    };
    let response: Response = answer.await.map_err(|_: JsValue| None)?;
    let at = response.headers().get("Location").ok().flatten();
    let id = at.as_deref().and_then(|at| at.rsplit('/').next()).filter(|_| response.ok());
    id.map(str::to_owned).ok_or(Some(response.status()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_known_by_what_they_say() {
        const MOZILLA: &str = "Mozilla/5.0";
        for (agent, browser, system) in [
            (
                "(X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.6099.1 Safari/537.36",
                "Chrome 120",
                "linux",
            ),
            (
                "(Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox 140",
                "windows",
            ),
            (
                "(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0",
                "Edge 139",
                "windows",
            ),
            (
                "(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
                "Safari 18",
                "macos",
            ),
            (
                "(Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36",
                "Chrome 139",
                "android",
            ),
            ("(Something)", "unknown browser", "unknown"),
        ] {
            let agent = format!("{MOZILLA} {agent}");
            assert_eq!((name(&agent).as_str(), os(&agent)), (browser, system));
        }
    }
}
