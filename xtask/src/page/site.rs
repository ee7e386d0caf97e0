//! The page for static hosts. A static host does not send the headers of `queens serve`, so index.html
//! contains the security policy. The site also has a service worker that caches it, and files for search
//! engines and link previews.

use anyhow::{Result, ensure};
use sha2::{Digest, Sha256};

use super::files::{Files, read, read_text};
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
    let html = page.get("index.html").map(|html| String::from_utf8_lossy(html));
    let html = with_additions(&html.unwrap_or_default(), &head(address)?)?;
    page.insert("index.html".to_owned(), html.into());
    for name in ["manifest.webmanifest", "offline.js", "offline.css"] {
        page.insert(name.to_owned(), read(&folder.join(name))?);
    }
    let service = constants(&page) + &read_text(&folder.join("service.js"))?;
    page.insert("service.js".to_owned(), service.into());
    for name in OUTSIDE {
        page.insert(name.to_owned(), read(&folder.join(name))?);
    }
    Ok(page)
}

/// Returns the elements for link previews, and those that load the manifest and the style and script of
/// offline use.
fn head(address: Option<&str>) -> Result<String> {
    let head = read_text(&project::root().join("web/offline/head.html"))?;
    let Some(address) = address else { return Ok(head) };
    ensure!(
        address.starts_with("https://") && address.ends_with('/'),
        "invalid site address {address}: expected the https URL of a folder, with a slash at its end"
    );
    Ok(format!(
        "{}  <meta property=\"og:url\" content=\"{address}\">\n  \
         <link rel=\"canonical\" href=\"{address}\">\n",
        head.replace(PICTURE, &format!("{address}{PICTURE}"))
    ))
}

/// Adds the policy and the elements of [`head`]. The policy comes first, because it applies only to what
/// follows.
fn with_additions(html: &str, head: &str) -> Result<String> {
    let policy =
        format!("<head>\n  <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    ensure!(html.contains("<head>") && html.contains("</head>"), "index.html has no head");
    Ok(html.replace("<head>", &policy).replace("</head>", &format!("{head}</head>")))
}

/// Returns the constants of the service worker: its files, and a version that changes with any of
/// them.
fn constants(page: &Files) -> String {
    let mut digest = Sha256::new();
    for (name, content) in page {
        digest.update(format!("{name} {}\n", content.len()));
        digest.update(content);
    }
    let version: String =
        digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    // The page itself has the URL of its folder.
    let names = page.keys().map(|name| if name == "index.html" { "./" } else { name });
    let names: Vec<&str> = names.collect();
    format!("const VERSION = {version:?};\nconst FILES = {names:?};\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<html><head>\n<title>queens</title>\n\
        <meta name=\"description\" content=\"Count.\">\n</head>";

    fn page(body: &str) -> Files {
        [("index.html", format!("{HEAD}{body}</html>")), ("start.js", "go".to_owned())]
            .map(|(name, content)| (name.to_owned(), content.into()))
            .into()
    }

    fn text(site: &Files, name: &str) -> String {
        String::from_utf8(site[name].clone()).unwrap()
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
            "const FILES = [\"./\", \"manifest.webmanifest\", \"offline.css\", \"offline.js\", \
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
    fn link_previews_repeat_the_page_and_have_an_absolute_image() {
        let root = project::root();
        let between = |text: &str, start: &str, end: &str| {
            let (_, rest) = text.split_once(start).unwrap();
            rest.split_once(end).unwrap().0.to_owned()
        };
        let html = read_text(&root.join("index.html")).unwrap();
        let html_with =
            |address| build(page("<body>"), address).map(|site| text(&site, "index.html"));
        let site = html_with(None).unwrap();
        let property = |name: &str| between(&site, &format!("\"og:{name}\" content=\""), "\">");
        assert_eq!(property("title"), between(&html, "<title>", "</title>"));
        assert_eq!(property("description"), between(&html, "\"description\" content=\"", "\">"));
        assert_eq!(property("image"), PICTURE);
        assert!(!site.contains("og:url") && !site.contains("canonical"));

        let site = html_with(Some("https://example.org/queens/")).unwrap();
        assert!(site.contains("\"og:image\" content=\"https://example.org/queens/preview.png\""));
        assert!(site.contains("<link rel=\"canonical\" href=\"https://example.org/queens/\">"));
        for wrong in ["example.org", "ftp://example.org/", "https://example.org/queens"] {
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
        let html = HEAD.replace("<head>", "");
        let files = Files::from([("index.html".to_owned(), html.into())]);
        let error = build(files, None).err().unwrap().to_string();
        assert_eq!(error, "index.html has no head");
    }
}
