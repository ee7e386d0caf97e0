//! The page for static hosts. A static host does not send the headers of `queens serve`, so index.html
//! contains the security policy. The site also has a service worker that caches it, and files for search
//! engines and link previews.

use anyhow::{Context, Result, ensure};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::files::{Files, read};
use crate::project;

/// The part of the server's Content-Security-Policy that a page can set itself.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self' blob:; \
    worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

/// Files for visitors who have not opened the page, which the service worker does not cache. Hosts
/// show 404.html for unknown addresses.
const OUTSIDE: [&str; 3] = ["404.html", PICTURE, "robots.txt"];

/// The picture of link previews, in the size that Open Graph recommends.
const PICTURE: &str = "preview.png";

/// Builds the site from the page. `address` is the address at which the site will be served,
/// if known: link previews show the picture only if its URL is absolute.
pub fn build(mut page: Files, address: Option<&str>) -> Result<Files> {
    let folder = project::root().join("web/offline");
    let html = page.remove("index.html").context("the page has no index.html")?;
    let html = String::from_utf8(html).context("index.html is not UTF-8 text")?;
    for name in ["manifest.webmanifest", "offline.js", "offline.css"] {
        page.add(name, read(&folder.join(name))?)?;
    }
    page.add("index.html", with_additions(&html, &preview(&html, address)?)?)?;
    let service = String::from_utf8(read(&folder.join("service.js"))?)?;
    let constants = constants(&page);
    page.add("service.js", constants + &service)?;
    for name in OUTSIDE {
        page.add(name, read(&folder.join(name))?)?;
    }
    Ok(page)
}

/// Returns the elements for link previews, with the title and the description of index.html.
fn preview(html: &str, address: Option<&str>) -> Result<String> {
    let between = |start: &str, end| {
        let rest = html.split_once(start).map(|(_, rest)| rest);
        rest.and_then(|rest| rest.split_once(end)).map(|(text, _)| text)
    };
    let title = between("<title>", "</title>").context("index.html has no title")?;
    let description = between("<meta name=\"description\" content=\"", "\">");
    let description = description.context("index.html has no description")?;
    let address = address.map(complete).transpose()?;
    let picture = format!("{}{PICTURE}", address.as_deref().unwrap_or_default());
    let mut facts = vec![
        ("type", "website"),
        ("title", title),
        ("description", description),
        ("image", &picture),
        ("image:width", "1200"),
        ("image:height", "630"),
        ("image:alt", "A chessboard with six queens, and the squares that symmetry closes"),
    ];
    facts.extend(address.as_deref().map(|address| ("url", address)));
    let line = |(name, value)| format!("  <meta property=\"og:{name}\" content=\"{value}\">\n");
    let mut lines: String = facts.into_iter().map(line).collect();
    lines += "  <meta name=\"twitter:card\" content=\"summary_large_image\">\n";
    if let Some(address) = address {
        lines += &format!("  <link rel=\"canonical\" href=\"{address}\">\n");
    }
    Ok(lines)
}

/// Checks a folder's address and appends a slash if it has none.
fn complete(address: &str) -> Result<String> {
    let is_web = ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme));
    let is_plain = !address.contains(['"', '<', '>', '&', '?', '#', ' ']);
    ensure!(
        is_web && is_plain,
        "invalid site address {address}: expected the http or https URL of a folder"
    );
    Ok(format!("{}/", address.trim_end_matches('/')))
}

/// Adds the policy, the link preview, the manifest, and the style and script of offline use. The policy
/// comes first, because it applies only to what follows.
fn with_additions(html: &str, preview: &str) -> Result<String> {
    let (before, after) = html.split_once("<head>\n").context("index.html has no head")?;
    let (head, body) =
        after.split_once("</head>").context("the head of index.html is not closed")?;
    Ok(format!(
        "{before}<head>\n  <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         {head}{preview}  <link rel=\"manifest\" href=\"manifest.webmanifest\">\n  \
         <link rel=\"stylesheet\" href=\"offline.css\">\n  \
         <script type=\"module\" src=\"offline.js\"></script>\n</head>{body}"
    ))
}

/// Returns the constants of the service worker: its files, and a version that changes with any of
/// them.
fn constants(page: &Files) -> String {
    let mut digest = Sha256::new();
    for (name, content) in page.iter() {
        digest.update(format!("{name} {}\n", content.len()));
        digest.update(content);
    }
    let version: String =
        digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    // The page itself has the URL of its folder.
    let names = page.iter().map(|(name, _)| if name == "index.html" { "./" } else { name });
    let names: Vec<&str> = names.collect();
    format!("const VERSION = {};\nconst FILES = {};\n", json!(version), json!(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<html><head>\n<title>queens</title>\n\
        <meta name=\"description\" content=\"Count.\">\n</head>";

    fn page(body: &str) -> Files {
        let mut files = Files::default();
        files.add("index.html", format!("{HEAD}{body}</html>")).unwrap();
        files.add("start.js", "go").unwrap();
        files
    }

    fn text(site: &Files, name: &str) -> String {
        let (_, content) = site.iter().find(|(each, _)| *each == name).unwrap();
        String::from_utf8(content.to_vec()).unwrap()
    }

    #[test]
    fn service_worker_caches_all_files_under_one_version() {
        let one = build(page("<body>"), None).unwrap();
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
        // Changing any file changes the version; the same files give the same version.
        let other = build(page("<body>!"), None).unwrap();
        assert_ne!(text(&other, "service.js").lines().next().unwrap(), version);
        let same = build(page("<body>"), None).unwrap();
        assert_eq!(text(&same, "service.js"), service);
    }

    #[test]
    fn the_sites_policy_matches_the_servers() {
        let server = read(&project::root().join("native/src/server/guard.rs")).unwrap();
        let server = String::from_utf8(server).unwrap().replace("\\\n", "");
        let server = server.split_whitespace().collect::<Vec<_>>().join(" ");
        for rule in POLICY.split("; ") {
            assert!(server.contains(rule), "{rule}");
        }
    }

    #[test]
    fn link_previews_have_title_description_and_image() {
        let html_with =
            |address| build(page("<body>"), address).map(|site| text(&site, "index.html"));
        let html = html_with(None).unwrap();
        for (name, value) in
            [("title", "queens"), ("description", "Count."), ("image", "preview.png")]
        {
            let element = format!("<meta property=\"og:{name}\" content=\"{value}\">");
            assert!(html.contains(&element), "{element}\n{html}");
        }
        assert!(!html.contains("og:url") && !html.contains("canonical"));
        for address in ["https://example.org/queens", "https://example.org/queens/"] {
            let html = html_with(Some(address)).unwrap();
            assert!(
                html.contains("\"og:image\" content=\"https://example.org/queens/preview.png\"")
            );
            assert!(html.contains("<link rel=\"canonical\" href=\"https://example.org/queens/\">"));
        }
        for wrong in ["example.org", "ftp://example.org/", "https://example.org/\"><script>"] {
            assert!(html_with(Some(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_preview_image_has_the_declared_size() {
        let picture = read(&project::root().join("web/offline").join(PICTURE)).unwrap();
        let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
        // The first chunk of a PNG.
        assert_eq!((&picture[12..16], number(16), number(20)), (&b"IHDR"[..], 1200, 630));
    }

    #[test]
    fn rejects_a_page_without_a_head() {
        let mut files = Files::default();
        let html = HEAD.replace("<head>", "");
        files.add("index.html", html).unwrap();
        let error = build(files, None).err().unwrap().to_string();
        assert_eq!(error, "index.html has no head");
    }
}
