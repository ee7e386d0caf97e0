//! The page that the server shows.
//!
//! A file may have a copy compressed with Brotli, with `.br` appended to its name. Clients that accept
//! Brotli get the copy.

use std::borrow::Cow;

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{Html, IntoResponse, Response},
};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::problem::Problem;

/// The embedded files of a page.
#[derive(Debug, Clone, Copy)]
pub struct Page(fn(&str) -> Option<EmbeddedFile>);

impl Page {
    /// A page without files. Instead of it, the server shows how to build the page.
    pub(super) const NONE: Page = Page(|_| None);

    /// Returns the page that consists of these files.
    #[must_use]
    pub fn of<F: RustEmbed>() -> Page {
        Page(F::get)
    }

    /// Returns the ids of the views that pages of other origins may show in a frame, as listed in the entry
    /// file. The list is empty without a page.
    pub(super) fn framed_views(self) -> Vec<String> {
        let entry = (self.0)(ENTRY).map(|file| file.data);
        meta_words(&String::from_utf8_lossy(&entry.unwrap_or_default()), "framed-views")
    }

    /// Returns a file, compressed if the client accepts Brotli.
    fn response(self, name: &str, headers: &HeaderMap) -> Option<Response> {
        let plain = (self.0)(name)?;
        let kind = content_type(&plain);
        let compressed = (self.0)(&format!("{name}.br"));
        let has_brotli_copy = compressed.is_some();
        let (file, encoding) = match compressed.filter(|_| accepts_brotli(headers)) {
            Some(file) => (file, Some("br")),
            None => (plain, None),
        };
        let mut response = with_etag(headers, &tag(&file), || Body::from(bytes(file.data)));
        let file_headers = response.headers_mut();
        if let Ok(kind) = HeaderValue::from_str(&kind) {
            file_headers.insert(header::CONTENT_TYPE, kind);
        }
        if let Some(encoding) = encoding {
            file_headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        if has_brotli_copy {
            file_headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        }
        Some(response)
    }
}

const ENTRY: &str = "index.html";

const NO_PAGE: &str = "\
This program was built without the web page. To build both and start the server, run

    cargo xtask serve

The results API works all the same: api/v1/results
";

/// Page for an unknown address.
const NOT_FOUND_PAGE: &str = "<!doctype html><html lang=en><meta charset=utf-8>\
<meta name=viewport content=\"width=device-width\"><title>Page not found · queens</title>\
<h1>Page not found</h1><p><a href=\"/\">Go to the start page</a>\
<p lang=ja>ページが見つかりません。<a href=\"/\">トップページへ</a>";

/// `GET /`: the entry file of the page.
pub(super) async fn entry(State(page): State<Page>, headers: HeaderMap) -> Response {
    page.response(ENTRY, &headers).unwrap_or_else(|| NO_PAGE.into_response())
}

/// Fallback for all other addresses: the page's files. They are embedded in the program, so no path leads to
/// the disk. For an unknown file, a browser gets an error page, and any other program a [`Problem`].
pub(super) async fn file(
    State(page): State<Page>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let name = uri.path().trim_start_matches('/');
    let is_reading = method == Method::GET || method == Method::HEAD;
    let found = if is_reading { page.response(name, &headers) } else { None };
    found.unwrap_or_else(|| {
        if is_reading && wants_html(&headers) {
            (StatusCode::NOT_FOUND, Html(NOT_FOUND_PAGE)).into_response()
        } else {
            Problem::not_found(uri.path()).into_response()
        }
    })
}

/// Returns whether the client is a browser that requests a page.
fn wants_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

/// Returns the words of the content of the `meta` element with this name.
fn meta_words(entry: &str, name: &str) -> Vec<String> {
    let start = format!("<meta name=\"{name}\" content=\"");
    let content = entry.split_once(&start).and_then(|(_, rest)| rest.split_once('"'));
    content.map_or("", |(content, _)| content).split_whitespace().map(str::to_owned).collect()
}

/// Returns the content with its ETag, or 304 if the client already has this version.
pub(super) fn with_etag<R: IntoResponse>(
    headers: &HeaderMap,
    tag: &str,
    content: impl FnOnce() -> R,
) -> Response {
    let is_current = headers.get_all(header::IF_NONE_MATCH).iter().any(|value| {
        value.to_str().is_ok_and(|tags| {
            tags.split(',')
                .map(|each| each.trim().trim_start_matches("W/"))
                .any(|each| each == tag || each == "*")
        })
    });
    let mut response = if is_current {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        content().into_response()
    };
    if let Ok(tag) = HeaderValue::from_str(tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

fn tag(file: &EmbeddedFile) -> String {
    let digest = file.metadata.sha256_hash();
    let text: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{text}\"")
}

fn content_type(file: &EmbeddedFile) -> String {
    let kind = file.metadata.mimetype();
    let is_text = kind.starts_with("text/") || kind.ends_with("/javascript");
    if is_text { format!("{kind}; charset=utf-8") } else { kind.into() }
}

fn bytes(data: Cow<'static, [u8]>) -> axum::body::Bytes {
    match data {
        Cow::Borrowed(data) => axum::body::Bytes::from_static(data),
        Cow::Owned(data) => data.into(),
    }
}

fn accepts_brotli(headers: &HeaderMap) -> bool {
    let is_brotli = |coding: &str| coding.split(';').next().is_some_and(|name| name.trim() == "br");
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .any(|value| value.to_str().is_ok_and(|codings| codings.split(',').any(is_brotli)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A miniature page. Its `.br` files are not compressed, but differ from the plain ones.
    #[derive(RustEmbed)]
    #[folder = "tests/page"]
    struct Miniature;

    fn get(name: &str, headers: &[(header::HeaderName, &'static str)]) -> Option<Response> {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
            .collect();
        Page::of::<Miniature>().response(name, &headers)
    }

    fn header(response: &Response, name: header::HeaderName) -> &str {
        response.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[tokio::test]
    async fn sends_compressed_files_to_clients_that_accept_them() {
        let content = |response: Response| async {
            axum::body::to_bytes(response.into_body(), 1000).await.unwrap()
        };
        let plain = get("index.html", &[]).unwrap();
        assert_eq!(header(&plain, header::CONTENT_TYPE), "text/html; charset=utf-8");
        assert_eq!(header(&plain, header::CONTENT_ENCODING), "");
        assert_eq!(header(&plain, header::VARY), "Accept-Encoding");
        let tag = header(&plain, header::ETAG).to_owned();
        assert_eq!(content(plain).await, include_str!("../../tests/page/index.html"));
        let small = get("index.html", &[(header::ACCEPT_ENCODING, "gzip, br")]).unwrap();
        assert_eq!(header(&small, header::CONTENT_TYPE), "text/html; charset=utf-8");
        assert_eq!(header(&small, header::CONTENT_ENCODING), "br");
        assert_ne!(header(&small, header::ETAG), tag);
        assert_eq!(content(small).await, "stands for Brotli\n");
    }

    #[test]
    fn reads_the_lists_in_meta_tags() {
        let entry = "<meta name=\"a\" content=\"x\">\n<meta name=\"b\" content=\"y  z\">";
        assert_eq!(meta_words(entry, "b"), ["y", "z"]);
        assert_eq!(meta_words(entry, "c"), [""; 0]);
    }

    #[test]
    fn finds_only_files_of_the_page() {
        for name in ["", "nothing.js", "../Cargo.toml", "/etc/passwd", "./index.html", "INDEX.HTML"]
        {
            assert!(get(name, &[]).is_none(), "{name}");
        }
    }

    #[test]
    fn answers_a_matching_etag_without_content() {
        let status = |tags: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, tags.parse().unwrap());
            let response = with_etag(&headers, "\"abc\"", || "content");
            assert_eq!(response.headers()[header::ETAG], "\"abc\"");
            response.status()
        };
        for tags in ["\"abc\"", "\"x\", W/\"abc\"", "*"] {
            assert_eq!(status(tags), StatusCode::NOT_MODIFIED, "{tags}");
        }
        assert_eq!(status("\"abcd\""), StatusCode::OK);
    }
}
