//! The browser interfaces that the coordinator of a count uses.

use js_sys::{Array, Date, Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{WorkerGlobalScope, WorkerNavigator};

use super::state::MachineInfo;
use crate::protocol::WebGpu;

fn scope() -> Option<WorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

fn navigator() -> Option<WorkerNavigator> {
    Some(scope()?.navigator())
}

/// Returns the number of cores, at least 1.
pub fn cores() -> u32 {
    navigator().map_or(1, |navigator| navigator.hardware_concurrency().max(1.0) as u32)
}

/// Returns the property `name` of `object`, unless it is missing, undefined or null.
pub fn get(object: &JsValue, name: &str) -> Option<JsValue> {
    let found = Reflect::get(object, &name.into()).ok()?;
    Some(found).filter(|found| !found.is_undefined() && !found.is_null())
}

/// Calls a method of `object` and returns its result.
pub fn call(object: &JsValue, name: &str, arguments: &Array) -> Option<JsValue> {
    get(object, name)?.dyn_into::<Function>().ok()?.apply(object, arguments).ok()
}

/// Detects WebGPU and the name of its GPU. In `web-sys`, WebGPU is an unstable interface, so this
/// function calls it by its JavaScript names.
pub async fn webgpu() -> WebGpu {
    let global = js_sys::global();
    let Some(gpu) = get(&global, "navigator").and_then(|navigator| get(&navigator, "gpu")) else {
        let is_secure = get(&global, "isSecureContext").is_none_or(|secure| secure.is_truthy());
        return if is_secure { WebGpu::Missing } else { WebGpu::Insecure };
    };
    let promise = call(&gpu, "requestAdapter", &Array::new());
    let promise = promise.and_then(|promise| promise.dyn_into::<Promise>().ok());
    let found = match promise {
        Some(promise) => JsFuture::from(promise).await.ok(),
        None => None,
    };
    let Some(adapter) = found.filter(|adapter| !adapter.is_null()) else {
        return WebGpu::NoAdapter;
    };
    let info = get(&adapter, "info").unwrap_or(JsValue::UNDEFINED);
    let word = |name| get(&info, name).and_then(|word| word.as_string());
    WebGpu::Found(gpu_name(["vendor", "architecture", "description"].map(word)))
}

/// Builds a GPU's name from the words that the browser reveals, usually only the vendor and the
/// architecture.
fn gpu_name(words: [Option<String>; 3]) -> String {
    let mut name = String::new();
    for word in words.into_iter().flatten().filter(|word| !word.is_empty()) {
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(&word);
    }
    if name.is_empty() { "GPU".to_owned() } else { name }
}

/// Returns the current date and time as in RFC 3339.
pub fn today() -> String {
    Date::new_0().to_iso_string().into()
}

/// Returns the names of the browser and the operating system.
pub fn machine() -> MachineInfo {
    let agent = navigator().and_then(|navigator| navigator.user_agent().ok()).unwrap_or_default();
    MachineInfo { os: os(&agent).to_owned(), browser: name(&agent), gpu: String::new() }
}

/// Returns the operating system from a user agent string, by the name that the `queens` command also
/// uses. The order of the table matters: Android's strings also contain "Linux", and iOS's strings also
/// contain "Mac OS".
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

/// Returns a browser's name and major version from its user agent string. The order of the table
/// matters, because user agent strings also contain the names of other browsers.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_a_gpu_by_its_adapter_info() {
        let name = |words: [&str; 3]| gpu_name(words.map(|word| Some(word.to_owned())));
        assert_eq!(name(["nvidia", "ada", ""]), "nvidia ada");
        assert_eq!(gpu_name([None, Some("gen-12lp".to_owned()), None]), "gen-12lp");
        assert_eq!(name(["", "", ""]), "GPU");
    }

    #[test]
    fn recognizes_browsers_by_their_user_agent() {
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
