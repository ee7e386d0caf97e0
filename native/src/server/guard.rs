//! What holds for every request and every answer: the server talks only to programs and pages of
//! the machine it runs on, and its page loads nothing from elsewhere.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::{Query, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{App, page, problem::Problem};

/// Scripts, styles and connections from this server only. Pictures may be made by the page itself
/// (saved boards and charts), and `wasm-unsafe-eval` lets the browser compile the module.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; \
    script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors ";

/// Lets a request pass if it names this server, and if no page of another origin sent it.
///
/// A foreign page can make its own name point to the loopback address, and would then be allowed
/// by the browser to read the answers; but the browser still sends that name.
pub(super) async fn admit(State(app): State<App>, request: Request, next: Next) -> Response {
    if !names_us(request.uri(), request.headers(), app.address) {
        return Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            format!("this server answers only under its own address, http://{}/", app.address),
        )
        .at("Host")
        .into_response();
    }
    if !request.method().is_safe() && !comes_from_us(request.headers(), app.address) {
        return Problem::new(StatusCode::FORBIDDEN, "pages of other origins cannot write here")
            .at("Origin")
            .into_response();
    }
    next.run(request).await
}

/// Adds the headers that every answer has.
pub(super) async fn protect(request: Request, next: Next) -> Response {
    let ancestors = if is_for_frames(request.uri()) { "*" } else { "'none'" };
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(&format!("{CONTENT_SECURITY_POLICY}{ancestors}")) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in
        [(header::X_CONTENT_TYPE_OPTIONS, "nosniff"), (header::REFERRER_POLICY, "no-referrer")]
    {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // A new build or a new result shows at once; what has not changed is answered by 304.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    response
}

/// Whether a page asks to be part of another one (`?embed`), and shows a view that the page itself
/// says may be: one in which nobody can be led to change something.
fn is_for_frames(uri: &Uri) -> bool {
    let Ok(Query(parts)) = Query::<Vec<(String, String)>>::try_from_uri(uri) else { return false };
    let framed = page::framed_views();
    uri.path() == "/"
        && !framed.is_empty()
        && parts.iter().any(|(key, _)| key == "embed")
        && parts.iter().all(|(key, value)| match key.as_str() {
            "embed" => value != "0",
            "view" => framed.contains(value),
            _ => true,
        })
}

/// Whether the request's one `Host` header, and its address if that is a full one, name us.
fn names_us(uri: &Uri, headers: &HeaderMap, address: SocketAddr) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let host = host.to_str().ok().and_then(|host| host.parse::<Authority>().ok());
    host.is_some_and(|host| is_ours(&host, address))
        && uri.authority().is_none_or(|authority| is_ours(authority, address))
}

/// Whether the request comes from one of our own pages, or from a program that is no browser.
fn comes_from_us(headers: &HeaderMap, address: SocketAddr) -> bool {
    headers.get_all(header::ORIGIN).iter().all(|origin| {
        let origin = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok());
        origin
            .as_ref()
            .and_then(Uri::authority)
            .is_some_and(|authority| is_ours(authority, address))
    })
}

/// Whether this is a loopback name or the address that the server listens on. The port does not
/// matter: it is another one behind a tunnel.
fn is_ours(authority: &Authority, address: SocketAddr) -> bool {
    if authority.as_str().contains('@') {
        return false;
    }
    let host = authority.host();
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    match bare.parse::<IpAddr>() {
        Ok(ip) => ip.is_loopback() || ip == address.ip(),
        Err(_) => host.eq_ignore_ascii_case("localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_host(host: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        names_us(&Uri::from_static("/"), &headers, "127.0.0.1:8017".parse().unwrap())
    }

    #[test]
    fn loopback_names_are_ours() {
        for host in ["localhost", "LOCALHOST:8017", "127.0.0.1:9000", "127.1.2.3", "[::1]:8017"] {
            assert!(is_host(host), "{host}");
        }
    }

    #[test]
    fn other_names_are_not() {
        for host in [
            "example.org",
            "localhost.example.org",
            "localhost@example.org",
            "example.org@localhost",
            "127.0.0.1.example.org:8017",
            "192.168.0.1",
            "0.0.0.0",
            "[::]",
            "",
            ":8017",
            "a b",
        ] {
            assert!(!is_host(host), "{host}");
        }
        let address = "127.0.0.1:8017".parse().unwrap();
        assert!(!names_us(&Uri::from_static("/"), &HeaderMap::new(), address));
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("localhost"));
        let uri = Uri::from_static("http://example.org/");
        assert!(!names_us(&uri, &headers, address));
        headers.append(header::HOST, HeaderValue::from_static("localhost"));
        assert!(!names_us(&Uri::from_static("/"), &headers, address));
    }

    #[test]
    fn only_our_own_pages_write() {
        let from = |origin: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ORIGIN, origin.parse().unwrap());
            comes_from_us(&headers, "127.0.0.1:8017".parse().unwrap())
        };
        assert!(from("http://localhost:8017"));
        assert!(from("http://127.0.0.1:8017"));
        assert!(!from("https://example.org"));
        assert!(!from("null"));
        assert!(comes_from_us(&HeaderMap::new(), "127.0.0.1:8017".parse().unwrap()));
    }
}
