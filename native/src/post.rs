//! Client that posts results and progress to a server.

use std::{env, io, net::IpAddr, path::Path, time::Duration};

use queens_core::document::{Document, Progress};
use queens_core::notation::excerpt;
use serde_json::Value;
use ureq::{
    Agent, Body, RequestBuilder,
    http::{Response, Uri, header},
    typestate::WithBody,
};

use crate::{
    paths::{self, on_one_line},
    store,
};

/// The environment variable with the server's token. A server with a token accepts changes only from
/// clients that send this token. A server without a token rejects all changes if other machines can reach
/// it.
pub const TOKEN: &str = "QUEENS_TOKEN";

/// A token for a request header: ASCII letters, digits and punctuation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Creates a token.
    ///
    /// # Errors
    /// [`PostError::Token`] if `text` is empty or has a character that a header cannot hold.
    pub fn new(text: &str) -> Result<Token, PostError> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(PostError::Token);
        }
        Ok(Token(text.to_owned()))
    }

    /// Returns the token from the environment, or `None` if the variable is missing or empty.
    pub fn from_environment() -> Result<Option<Token>, PostError> {
        let Some(text) = env::var_os(TOKEN).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        Token::new(text.to_str().ok_or(PostError::Token)?).map(Some)
    }

    /// Returns the token as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Client of one server, to which it sends results and progress.
#[derive(Debug, Clone)]
pub struct Client {
    /// URL of the server, with a slash at the end.
    base: String,
    agent: Agent,
    /// The token that authorizes changes.
    token: Option<Token>,
    /// The name of the run whose progress the client reports.
    run: Option<String>,
}

/// Returns whether a run name is valid: 1 to 64 letters, digits, hyphens and underscores.
pub fn is_run(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=64).contains(&name.len()) && name.bytes().all(is_allowed)
}

/// A posted document on the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    /// The URL of the document.
    pub address: String,
    /// Whether the document is new on the server.
    pub is_new: bool,
}

/// Reasons why a result or a report could not be posted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PostError {
    /// The address is not an `http` URL with a valid host and port, or it has a query.
    #[error("invalid server address \"{}\": {fault}", on_one_line(.address))]
    Address {
        address: String,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// The address contains a user name or password, which is not repeated in the message.
    #[error("the server address contains a user name or a password")]
    Credentials,
    /// The run name has characters or a length that the server rejects.
    #[error(
        "invalid run name \"{}\": use 1 to 64 letters, digits, hyphens or underscores",
        on_one_line(.0)
    )]
    Run(String),
    /// The token has characters that a header cannot hold.
    #[error(
        "{TOKEN} contains characters that cannot be sent: use ASCII letters, digits and \
         punctuation, without spaces"
    )]
    Token,
    /// The address refuses connections or does not exist.
    #[error("no server at {0}")]
    NoServer(String),
    /// The server did not answer in time.
    #[error("the server at {0} did not answer in time")]
    TooSlow(String),
    /// The server rejected the request, or the server failed.
    #[error(
        "the server at {address} {}: {} (status {status})",
        if *.status < 500 { "rejected the request" } else { "failed" },
        on_one_line(.detail)
    )]
    Refused {
        /// The URL of the server.
        address: String,
        status: u16,
        /// The server's reason.
        detail: String,
    },
    /// The answer does not come from a queens server.
    #[error("the server at {0} is not a queens server")]
    NotAServer(String),
    /// Sending failed for another reason.
    #[error("cannot send to {address}: {reason}")]
    Connection {
        /// The URL of the server.
        address: String,
        /// The reason of the HTTP client or of the system.
        reason: String,
    },
}

impl PostError {
    /// Returns the HTTP status of the server's answer, if the error is such an answer.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match self {
            PostError::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Returns what the user of the command can do about the error.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            PostError::Address { .. } => "use a URL such as http://127.0.0.1:8017/".to_owned(),
            PostError::Credentials => format!("set {TOKEN} to the server's token instead"),
            PostError::NoServer(address) if has_port(address) => {
                "check the address, and start `queens serve` on that machine".to_owned()
            }
            PostError::NoServer(_) => "add the port to the URL; without one it means port 80, and \
                                       `queens serve` uses 8017 by default"
                .to_owned(),
            PostError::Refused { status: 401, .. } => {
                format!("{TOKEN} must be set to the same token here and when the server starts")
            }
            PostError::Refused { address, status: 404, .. } => {
                let (root, path) = root_and_path(address)?;
                format!("unless a proxy serves it at {path}, use {root}")
            }
            PostError::Connection { .. } => {
                "check the address and the network connection".to_owned()
            }
            PostError::NotAServer(_) => {
                "check the port; `queens serve` uses 8017 by default".to_owned()
            }
            _ => return None,
        };
        Some(hint)
    }
}

/// Splits a server's URL into the URL of the host's root and the path below it. Returns `None` if the URL
/// has no path.
fn root_and_path(url: &str) -> Option<(String, String)> {
    let uri: Uri = url.parse().ok()?;
    let authority = uri.authority().filter(|_| uri.path() != "/")?;
    Some((format!("http://{authority}/"), uri.path().to_owned()))
}

/// Whether a URL names a port.
fn has_port(url: &str) -> bool {
    url.parse::<Uri>().is_ok_and(|uri| uri.port().is_some())
}

/// Removes the brackets around an IPv6 address.
fn bare_host(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}

impl Client {
    /// Creates a client for the server whose page is at `base`, such as `http://127.0.0.1:8017/`.
    pub fn new(base: &str) -> Result<Client, PostError> {
        // The message repeats a rejected address, unless it may contain a password.
        let wrong = |fault| {
            if base.contains('@') {
                return PostError::Credentials;
            }
            PostError::Address { address: base.into(), fault }
        };
        let not_a_url = || wrong("expected an http URL with a host");
        let is_invalid = |character: char| character.is_control() || character.is_whitespace();
        if base.trim().contains(is_invalid) {
            return Err(wrong("spaces and control characters are not allowed"));
        }
        let uri: Uri = base.trim().parse().map_err(|_| not_a_url())?;
        if uri.authority().is_some_and(|all| all.as_str().contains('@')) {
            return Err(PostError::Credentials);
        }
        match uri.scheme_str() {
            Some("http") => {}
            Some(_) => return Err(wrong("only http is supported")),
            None => return Err(not_a_url()),
        }
        if uri.query().is_some() {
            return Err(wrong("a query is not supported"));
        }
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(not_a_url)?;
        // `port_u16` returns `None` both for a missing and for an invalid port. A port is there if the
        // authority is longer than the host.
        let has_port = uri.authority().is_some_and(|all| all.as_str().len() > host.len());
        if has_port && uri.port_u16().is_none_or(|port| port == 0) {
            return Err(wrong("the port must be 1 to 65535"));
        }
        let bare = bare_host(host);
        let is_loopback = bare.eq_ignore_ascii_case("localhost")
            || bare.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        let mut settings = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(Duration::from_secs(10)))
            .timeout_global(Some(Duration::from_secs(60)));
        if is_loopback {
            // A proxy from the environment cannot reach this machine's loopback address.
            settings = settings.proxy(None);
        }
        let base = format!("{}/", uri.to_string().trim_end_matches('/'));
        Ok(Client { base, agent: settings.build().into(), token: None, run: None })
    }

    /// Returns the client with a token for its requests.
    #[must_use]
    pub fn with_token(mut self, token: Token) -> Client {
        self.token = Some(token);
        self
    }

    /// Returns the client for a run of this name. The page shows processes with the same name as
    /// one count.
    pub fn for_run(mut self, run: &str) -> Result<Client, PostError> {
        if !is_run(run) {
            return Err(PostError::Run(run.to_owned()));
        }
        self.run = Some(run.to_owned());
        Ok(self)
    }

    /// Returns the name of the client's run, if it has one.
    pub fn run(&self) -> Option<&str> {
        self.run.as_deref()
    }

    /// Returns a shell command that posts the result document in `file`, for use after a failed
    /// [`post`](Client::post). `status` is the server's error, if the server answered. The command sends the
    /// token from the environment if the client has a token or the server has asked for one (401).
    pub fn upload_command(&self, file: &Path, status: Option<u16>) -> String {
        let mut command = "curl -H 'Content-Type: application/json'".to_owned();
        if status == Some(401) || self.token.is_some() {
            command += &format!(" -H \"Authorization: Bearer ${TOKEN}\"");
        }
        let data = paths::shell_quoted(Path::new(&format!("@{}", file.display())));
        let url = paths::shell_quoted(Path::new(&format!("{}api/v1/results", self.base)));
        format!("{command} --data-binary {data} {url}")
    }

    /// Posts a result document.
    pub fn post(&self, document: &Document) -> Result<Posted, PostError> {
        let request = self.agent.post(format!("{}api/v1/results", self.base));
        let answer = self.send(request, document.canonical_json())?;
        let status = answer.status().as_u16();
        let location = answer.headers().get(header::LOCATION).and_then(|at| at.to_str().ok());
        // Other servers may also answer 201 to a post, but only a queens server names the document by its
        // digest.
        let id = store::id(document);
        let is_named = location.and_then(|location| location.rsplit('/').next()) == Some(&id);
        if !matches!(status, 200 | 201) || !is_named {
            return Err(PostError::NotAServer(self.base.clone()));
        }
        let address = format!("{}api/v1/results/{id}", self.base);
        Ok(Posted { address, is_new: status == 201 })
    }

    /// Reports the progress of the count with the name `run`, which must be [valid](is_run).
    pub fn report(&self, run: &str, progress: &Progress) -> Result<(), PostError> {
        let request = self.agent.put(format!("{}api/v1/runs/{run}", self.base));
        self.send(request, progress.to_json()).map(drop)
    }

    /// Sends JSON and returns the answer, or an error if the server rejects the request.
    fn send(
        &self,
        mut request: RequestBuilder<WithBody>,
        json: String,
    ) -> Result<Response<Body>, PostError> {
        request = request.header(header::CONTENT_TYPE, "application/json");
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {}", token.as_str()));
        }
        let mut answer = request.send(json).map_err(|error| self.failure(&error))?;
        if answer.status().is_success() {
            return Ok(answer);
        }
        let kind = answer.headers().get(header::CONTENT_TYPE);
        if kind.is_none_or(|kind| kind != "application/problem+json") {
            return Err(PostError::NotAServer(self.base.clone()));
        }
        let status = answer.status().as_u16();
        let text = answer.body_mut().read_to_string().unwrap_or_default();
        let problem: Value = serde_json::from_str(&text).unwrap_or_default();
        let detail = excerpt(problem["detail"].as_str().unwrap_or("no reason given"), MAX_DETAIL);
        Err(PostError::Refused { address: self.base.clone(), status, detail })
    }

    /// Converts an error of sending a request.
    fn failure(&self, error: &ureq::Error) -> PostError {
        let address = self.base.clone();
        match error {
            ureq::Error::Timeout(_) => PostError::TooSlow(address),
            ureq::Error::HostNotFound | ureq::Error::ConnectionFailed => {
                PostError::NoServer(address)
            }
            ureq::Error::Io(cause) if cause.kind() == io::ErrorKind::ConnectionRefused => {
                PostError::NoServer(address)
            }
            ureq::Error::Io(cause) => {
                PostError::Connection { address, reason: paths::reason(cause) }
            }
            _ => PostError::Connection { address, reason: error.to_string() },
        }
    }
}

/// The largest number of letters of a server's reason in a message, so that it does not fill the terminal.
const MAX_DETAIL: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_responses_of_other_servers() {
        use std::io::{Read, Write};
        let eight = include_str!("../../tests/data/results/eight.json");
        let document = Document::parse(eight).unwrap();
        let id = store::id(&document);
        for (location, is_ours) in [
            (format!("/api/v1/results/{id}"), true),
            (format!("/api/v1/results/{}", "0123456789abcdef".repeat(4)), false),
            ("/items/1".into(), false),
        ] {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let address = format!("http://{}/", listener.local_addr().unwrap());
            let answering = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                // The server may answer before it has received the whole request.
                assert!(stream.read(&mut [0; 1024]).unwrap() > 0);
                let head = format!("HTTP/1.1 201 Created\r\nLocation: {location}\r\n");
                write!(stream, "{head}Content-Length: 0\r\n\r\n").unwrap();
                io::copy(&mut stream, &mut io::sink())
            });
            let posted = Client::new(&address).unwrap().post(&document);
            drop(answering.join());
            match posted {
                Ok(posted) => assert!(is_ours && posted.is_new),
                Err(error) => assert!(!is_ours && matches!(error, PostError::NotAServer(_))),
            }
        }
    }

    #[test]
    fn parses_server_addresses() {
        let base = |text: &str| Client::new(text).map(|client| client.base);
        for (text, expected) in [
            ("http://127.0.0.1:8017", "http://127.0.0.1:8017/"),
            ("http://127.0.0.1:8017/", "http://127.0.0.1:8017/"),
            ("http://[::1]:8017/queens/", "http://[::1]:8017/queens/"),
            ("http://results.example/a//", "http://results.example/a/"),
            ("http://results.example/a@b/", "http://results.example/a@b/"),
        ] {
            assert_eq!(base(text).unwrap(), expected);
        }
        let (port, url) = ("the port must be 1 to 65535", "expected an http URL with a host");
        for (text, fault) in [
            ("http://x/a b", "spaces and control characters are not allowed"),
            ("http://127.0.0.1:99999", port),
            ("http://x:/", port),
            ("http://x:0/", port),
            ("http://[::1]:x", port),
            ("", url),
            ("8017", url),
            ("127.0.0.1:8017", url),
            ("/results", url),
            ("http://", url),
            ("https://x/", "only http is supported"),
            ("ftp://x/", "only http is supported"),
            ("http://x/?a", "a query is not supported"),
        ] {
            let error = base(text).unwrap_err();
            let expected = format!("invalid server address \"{text}\": {fault}");
            assert_eq!(error.to_string(), expected);
            assert_eq!(error.hint().as_deref(), Some("use a URL such as http://127.0.0.1:8017/"));
        }
        let error = base("http://user:secret@127.0.0.1:8017/").unwrap_err();
        assert!(matches!(error, PostError::Credentials) && !error.to_string().contains("secret"));
    }

    #[test]
    fn describes_responses_with_an_error() {
        let refused = |address: &str, status| {
            let (address, detail) = (address.to_owned(), "not found: /x".to_owned());
            PostError::Refused { address, status, detail }
        };
        let (plain, nested) = ("http://a:8017/", "http://a:8017/x/y/");
        let hint = "unless a proxy serves it at /x/y/, use http://a:8017/";
        assert_eq!(refused(nested, 404).hint().as_deref(), Some(hint));
        assert_eq!(refused(plain, 404).hint(), None);
        for (status, expected) in [
            (404, "the server at http://a:8017/ rejected the request: not found: /x (status 404)"),
            (500, "the server at http://a:8017/ failed: not found: /x (status 500)"),
        ] {
            assert_eq!(refused(plain, status).to_string(), expected);
        }
    }
}
