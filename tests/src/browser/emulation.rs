//! Commands that WebDriver lacks: the console, the trace, window sizes and user preferences.

use anyhow::Result;
use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::{Value, json};

use super::Browser;

impl Browser {
    /// Sets the size of the page's area in CSS pixels. The area may be narrower than any real
    /// window.
    pub async fn set_size(&self, width: u32, height: u32) -> Result<()> {
        self.set_metrics(width, height, false).await
    }

    /// Emulates a phone in portrait orientation: 375 by 812 pixels, with touch.
    pub async fn set_phone(&self) -> Result<()> {
        self.set_metrics(375, 812, true).await?;
        self.set_touch(true).await
    }

    /// Sets whether the screen is a touch screen.
    pub async fn set_touch(&self, enabled: bool) -> Result<()> {
        let touch = json!({ "enabled": enabled });
        self.devtools("Emulation.setTouchEmulationEnabled", touch).await.map(drop)
    }

    /// Sets the size of the screen, and whether it belongs to a mobile device.
    pub async fn set_metrics(&self, width: u32, height: u32, mobile: bool) -> Result<()> {
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile }),
        )
        .await
        .map(drop)
    }

    /// Sets the user's preferences for a dark page and reduced motion.
    pub async fn set_preferences(&self, dark: bool, reduced_motion: bool) -> Result<()> {
        let scheme = if dark { "dark" } else { "light" };
        let motion = if reduced_motion { "reduce" } else { "no-preference" };
        let features = [("prefers-color-scheme", scheme), ("prefers-reduced-motion", motion)];
        self.set_media(&features).await
    }

    /// Sets media features, as pairs of names and values. All others get their usual values.
    pub async fn set_media(&self, features: &[(&str, &str)]) -> Result<()> {
        let features: Vec<_> =
            features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        let features = json!({ "features": features });
        self.devtools("Emulation.setEmulatedMedia", features).await.map(drop)
    }

    /// Sets the preferred language, such as `ja`, for pages opened from now on.
    pub async fn set_language(&self, language: &str) -> Result<()> {
        let agent = self.script("return navigator.userAgent;", &[]).await?;
        self.devtools(
            "Emulation.setUserAgentOverride",
            json!({ "userAgent": agent, "acceptLanguage": language }),
        )
        .await
        .map(drop)
    }
}

/// A WebDriver command that reads the new entries of one of chromedriver's logs.
#[derive(Debug)]
pub(super) struct Log(&'static str);

impl Log {
    /// The console messages of the page.
    pub(super) const CONSOLE: Log = Log("browser");
    /// The browser's trace. Reading this log ends the trace.
    pub(super) const TRACE: Log = Log("performance");
}

impl WebDriverCompatibleCommand for Log {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        in_session(base, session, "se/log")
    }

    fn method_and_body(&self, _: &url::Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({ "type": self.0 }).to_string()))
    }
}

/// A command of the DevTools protocol.
#[derive(Debug)]
pub(super) struct Devtools(Value);

impl Devtools {
    pub(super) fn new(command: &str, parameters: &Value) -> Self {
        Self(json!({ "cmd": command, "params": parameters }))
    }
}

impl WebDriverCompatibleCommand for Devtools {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        in_session(base, session, "goog/cdp/execute")
    }

    fn method_and_body(&self, _: &url::Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.0.to_string()))
    }
}

fn in_session(
    base: &url::Url,
    session: Option<&str>,
    command: &str,
) -> Result<url::Url, url::ParseError> {
    base.join(&format!("session/{}/{command}", session.unwrap_or_default()))
}
