//! Checks of all requests and headers of all responses. The server answers only to its own host names,
//! accepts changes only from its own pages and from clients with its token, and its page loads nothing
//! from other sites.

use axum::{
    extract::{Query, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{
    app::{App, Identity},
    problem::Problem,
};

/// Allows scripts, styles and connections only from this server. Images may be created by the page itself
/// (saved boards and charts), the worker reads result files through blob URLs of the page, and
/// `wasm-unsafe-eval` lets the browser compile the module.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; \
    script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self' blob:; worker-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors ";

/// Files with which the page reports that it cannot start. They must load even in a sandboxed frame without
/// `allow-same-origin`, where the page has no origin and the browser treats them like files of another site.
/// Any site may load them, because they are the same on each server and contain no data.
const FIRST_FILES: [&str; 2] = ["/start.js", "/style.css"];

/// Header that states which sites may embed a response.
const SHARED_WITH: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Handles a request only if its host is this server. A request for a change must also not come from a page
/// of another origin, and must have the token if the server needs one.
///
/// The host check prevents DNS rebinding: another site can make its own name resolve to the loopback
/// address, and the browser would then let that site read the responses. The check detects the attack,
/// because the browser still sends the site's name as the host.
pub(super) async fn admit(State(app): State<App>, request: Request, next: Next) -> Response {
    let (identity, headers) = (&*app.identity, request.headers());
    let Some(host) = own_host(request.uri(), headers, identity) else {
        let detail = unknown_host(identity);
        return Problem::new(StatusCode::MISDIRECTED_REQUEST, detail).at("Host").into_response();
    };
    if !request.method().is_safe() {
        if !is_same_origin(headers, &host) {
            return Problem::new(
                StatusCode::FORBIDDEN,
                "requests from other origins cannot change results",
            )
            .at("Origin")
            .into_response();
        }
        if !identity.authorizes(token(headers)) {
            return unauthorized(identity, token(request.headers()).is_some());
        }
    }
    next.run(request).await
}

/// Returns the message for an unknown host name.
fn unknown_host(identity: &Identity) -> String {
    let port = identity.address.port();
    format!(
        "unknown host name; use the server's IP address and port {port}, or add the name with `queens \
         serve --host`"
    )
}

/// Returns the token of the request.
fn token(headers: &HeaderMap) -> Option<&str> {
    let given = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = given.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim())
}

fn unauthorized(identity: &Identity, has_token: bool) -> Response {
    let detail = match identity.token {
        Some(_) if has_token => "the token sent is not the server's",
        Some(_) => "changes need the server's token (Authorization: Bearer TOKEN)",
        None => "this server is read-only because QUEENS_TOKEN was not set when it started",
    };
    let mut response =
        Problem::new(StatusCode::UNAUTHORIZED, detail).at("Authorization").into_response();
    response
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"queens\""));
    response
}

/// Adds the headers that all responses have.
pub(super) async fn protect(State(app): State<App>, request: Request, next: Next) -> Response {
    let is_framed = is_for_frames(request.uri(), &app.framed_views);
    let is_shared = is_framed || FIRST_FILES.contains(&request.uri().path());
    let ancestors = if is_framed { "*" } else { "'none'" };
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(&format!("{CONTENT_SECURITY_POLICY}{ancestors}")) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (SHARED_WITH, if is_shared { "cross-origin" } else { "same-origin" }),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // New builds and results show immediately. Unchanged files are answered with 304.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    response
}

/// Returns whether the request is for an embedded page (`?embed`) with a view that may be embedded. These
/// views offer no changes, so a site that embeds them cannot trick the user into one (clickjacking).
fn is_for_frames(uri: &Uri, framed: &[String]) -> bool {
    let Ok(Query(parts)) = Query::<Vec<(String, String)>>::try_from_uri(uri) else { return false };
    uri.path() == "/"
        && !framed.is_empty()
        && parts.iter().any(|(key, _)| key == "embed")
        && parts.iter().all(|(key, value)| match key.as_str() {
            "embed" => value != "0",
            "view" => framed.contains(value),
            _ => true,
        })
}

/// Returns the value of the `Host` header if the request has exactly one, and if its host is this server. A
/// host in the request's URI must be this server, too.
fn own_host(uri: &Uri, headers: &HeaderMap, identity: &Identity) -> Option<Authority> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return None };
    let host: Authority = host.to_str().ok()?.parse().ok()?;
    let is_ours = |authority: &Authority| {
        !authority.as_str().contains('@') && identity.has_name(authority.host())
    };
    (is_ours(&host) && uri.authority().is_none_or(is_ours)).then_some(host)
}

/// Returns whether the request comes from a page of this server, under the same host name, or from a
/// program that is not a browser. The scheme is not compared, because it differs behind a tunnel.
fn is_same_origin(headers: &HeaderMap, host: &Authority) -> bool {
    headers.get_all(header::ORIGIN).iter().all(|origin| {
        let origin = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok());
        origin.is_some_and(|origin| origin.scheme().is_some() && origin.authority() == Some(host))
    })
}

#[cfg(test)]
mod tests {
    use super::{super::app::digest, *};

    fn identity(address: &str) -> Identity {
        Identity {
            address: address.parse().unwrap(),
            hosts: vec!["queens.example".into()],
            token: Some(digest("secret")),
        }
    }

    fn is_host(address: &str, host: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        own_host(&Uri::from_static("/"), &headers, &identity(address)).is_some()
    }

    #[test]
    fn accepts_loopback_host_names() {
        for host in [
            "localhost",
            "LOCALHOST:8017",
            "127.0.0.1:9000",
            "127.1.2.3",
            "[::1]:8017",
            "Queens.example:80",
        ] {
            assert!(is_host("127.0.0.1:8017", host), "{host}");
        }
        assert!(is_host("192.168.0.1:8017", "192.168.0.1:8017"));
        assert!(is_host("0.0.0.0:8017", "192.168.0.7"));
        assert!(!is_host("0.0.0.0:8017", "example.org"));
    }

    #[test]
    fn never_suggests_an_unspecified_address() {
        let detail = unknown_host(&identity("0.0.0.0:8017"));
        assert!(detail.contains("IP address and port 8017, or add the name"), "{detail}");
    }

    #[test]
    fn rejects_other_host_names() {
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
            assert!(!is_host("127.0.0.1:8017", host), "{host}");
        }
        let is_named =
            |uri: &Uri, headers: &_| own_host(uri, headers, &identity("127.0.0.1:8017")).is_some();
        assert!(!is_named(&Uri::from_static("/"), &HeaderMap::new()));
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("localhost"));
        let uri = Uri::from_static("http://example.org/");
        assert!(!is_named(&uri, &headers));
        headers.append(header::HOST, HeaderValue::from_static("localhost"));
        assert!(!is_named(&Uri::from_static("/"), &headers));
    }

    #[test]
    fn accepts_changes_only_from_its_own_origin() {
        let from = |origin: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ORIGIN, origin.parse().unwrap());
            is_same_origin(&headers, &"localhost:8017".parse().unwrap())
        };
        assert!(from("http://localhost:8017"));
        assert!(from("https://localhost:8017"));
        for origin in [
            "http://localhost:3000",
            "http://127.0.0.1:8017",
            "localhost:8017",
            "null",
            "https://a.b",
        ] {
            assert!(!from(origin), "{origin}");
        }
        assert!(is_same_origin(&HeaderMap::new(), &"localhost:8017".parse().unwrap()));
    }

    #[test]
    fn authorizes_only_the_exact_bearer_token() {
        let bearer = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, HeaderValue::from_static(value));
            identity("192.168.0.1:8017").authorizes(token(&headers))
        };
        assert!(bearer("Bearer secret") && bearer("bearer  secret "));
        for wrong in ["Bearer secre", "Bearer secrets", "Bearer ", "Basic secret", "secret"] {
            assert!(!bearer(wrong), "{wrong}");
        }
        let tokenless = Identity { token: None, ..identity("192.168.0.1:8017") };
        assert!(!tokenless.authorizes(None) && !tokenless.authorizes(Some("")));
        // A proxy on the same machine forwards requests of other machines.
        let named = identity("127.0.0.1:8017");
        assert!(!named.authorizes(None) && named.authorizes(Some("secret")));
        let local = Identity { hosts: vec![], ..named };
        assert!(!local.authorizes(None));
        assert!(Identity { token: None, ..local }.authorizes(None));
    }
}
