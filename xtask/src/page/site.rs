//! The page for hosts of static files: no server of ours guards it or fetches it anew, so it brings
//! its own policy, and a service worker that keeps it.

use anyhow::{Context, Result};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::files::{Files, read};
use crate::project;

/// What the server allows the page, as far as a page can say it itself.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self' blob:; \
    worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

/// The site of a page.
pub fn of(mut page: Files) -> Result<Files> {
    let folder = project::root().join("web/offline");
    for name in ["manifest.webmanifest", "offline.js", "offline.css"] {
        page.add(name, read(&folder.join(name))?)?;
    }
    let html = page.remove("index.html").context("the page has no index.html")?;
    let html = String::from_utf8(html).context("index.html is not UTF-8 text")?;
    page.add("index.html", with_additions(&html)?)?;
    let service = String::from_utf8(read(&folder.join("service.js"))?)?;
    let constants = constants(&page);
    page.add("service.js", constants + &service)?;
    Ok(page)
}

/// The policy comes first, so that it holds for all that follows.
fn with_additions(html: &str) -> Result<String> {
    let (before, after) = html.split_once("<head>\n").context("index.html has no head")?;
    let (head, body) =
        after.split_once("</head>").context("the head of index.html is not closed")?;
    Ok(format!(
        "{before}<head>\n  <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         {head}  <link rel=\"manifest\" href=\"manifest.webmanifest\">\n  \
         <link rel=\"stylesheet\" href=\"offline.css\">\n  \
         <script type=\"module\" src=\"offline.js\"></script>\n</head>{body}"
    ))
}

/// What the service worker has to know: its files, and a version that changes when one does.
fn constants(page: &Files) -> String {
    let mut digest = Sha256::new();
    for (name, content) in page.iter() {
        digest.update(format!("{name} {}\n", content.len()));
        digest.update(content);
    }
    let version: String =
        digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    // The page's own address is that of its folder.
    let names = page.iter().map(|(name, _)| if name == "index.html" { "./" } else { name });
    let names: Vec<&str> = names.collect();
    format!("const VERSION = {};\nconst FILES = {};\n", json!(version), json!(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Files {
        let mut files = Files::default();
        files.add("index.html", html).unwrap();
        files.add("start.js", "go").unwrap();
        files
    }

    fn text(site: &Files, name: &str) -> String {
        let (_, content) = site.iter().find(|(each, _)| *each == name).unwrap();
        String::from_utf8(content.to_vec()).unwrap()
    }

    #[test]
    fn the_site_keeps_all_its_files_under_a_version_of_their_own() {
        let one = of(page("<html><head>\n<meta></head><body></html>")).unwrap();
        let html = text(&one, "index.html");
        assert!(html.starts_with("<html><head>\n  <meta http-equiv=\"Content-Security-Policy\""));
        let service = text(&one, "service.js");
        let mut lines = service.lines();
        let version = lines.next().unwrap();
        assert_eq!(
            lines.next().unwrap(),
            "const FILES = [\"./\",\"manifest.webmanifest\",\"offline.css\",\"offline.js\",\
             \"start.js\"];"
        );
        assert!(service.contains("caches.open"));
        // A change of any file is another version, the same files are the same one.
        let other = of(page("<html><head>\n<meta></head><body>!</html>")).unwrap();
        assert_ne!(text(&other, "service.js").lines().next().unwrap(), version);
        let same = of(page("<html><head>\n<meta></head><body></html>")).unwrap();
        assert_eq!(text(&same, "service.js"), service);
    }

    #[test]
    fn its_policy_is_the_servers() {
        let server = read(&project::root().join("native/src/server/guard.rs")).unwrap();
        let server = String::from_utf8(server).unwrap().replace("\\\n", "");
        let server = server.split_whitespace().collect::<Vec<_>>().join(" ");
        for rule in POLICY.split("; ") {
            assert!(server.contains(rule), "{rule}");
        }
    }

    #[test]
    fn a_page_without_a_head_is_refused() {
        let error = of(page("<html>")).err().unwrap().to_string();
        assert_eq!(error, "index.html has no head");
    }
}
