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

    /// Returns the token from the environment, or `None` if the variable is missing. Rejects an empty token, which
    /// is probably the result of a mistake such as `$(cat missing-file)`.
    pub fn from_environment() -> Result<Option<Token>, PostError> {
        let token = env::var_os(TOKEN);
        token.map(|text| Token::new(text.to_str().unwrap_or_default())).transpose()
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
    #[error("invalid server address \"{}\"", on_one_line(.0))]
    Address(String),
    /// The address contains a user name or password, which is not repeated in the message.
    #[error("the server address contains a user name or a password")]
    Credentials,
    /// The run name has characters or a length that the server rejects.
    #[error(
        "invalid run name \"{}\": use 1 to 64 letters, digits, hyphens or underscores",
        on_one_line(.0)
    )]
    Run(String),
    /// The token is empty or has characters that a header cannot hold.
    #[error(
        "{TOKEN} is empty or contains characters that cannot be sent: set it to ASCII letters, digits and \
         punctuation, without spaces, or unset it"
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
            PostError::Address(_) => "use a URL such as http://127.0.0.1:8017/".to_owned(),
            PostError::Credentials => format!("set {TOKEN} to the server's token instead"),
            PostError::NoServer(_) => {
                "check the address and its port, and start `queens serve` on that machine"
                    .to_owned()
            }
            PostError::Refused { status: 401, .. } => {
                format!("{TOKEN} must be set to the same token here and when the server starts")
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

impl Client {
    /// Creates a client for the server whose page is at `base`, such as `http://127.0.0.1:8017/`.
    pub fn new(base: &str) -> Result<Client, PostError> {
        // The message repeats a rejected address, unless it may contain a password.
        let wrong = || match base.contains('@') {
            true => PostError::Credentials,
            false => PostError::Address(base.to_owned()),
        };
        let uri: Uri = base.trim().parse().map_err(|_| wrong())?;
        let authority = uri.authority().ok_or_else(wrong)?;
        let host = authority.host();
        // `port_u16` returns `None` both for a missing and for an invalid port.
        let has_valid_port = authority.as_str() == host || authority.port_u16().is_some();
        let is_http = uri.scheme_str() == Some("http") && uri.query().is_none();
        if !is_http || host.is_empty() || !has_valid_port || authority.as_str().contains('@') {
            return Err(wrong());
        }
        let bare = host.trim_start_matches('[').trim_end_matches(']');
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
        for text in [
            "http://x/a b",
            "http://[::1]:x",
            "",
            "/results",
            "http://",
            "https://x/",
            "http://x/?a",
        ] {
            assert!(matches!(base(text).unwrap_err(), PostError::Address(_)), "{text}");
        }
        let error = base("http://user:secret@127.0.0.1:8017/").unwrap_err();
        assert!(matches!(error, PostError::Credentials) && !error.to_string().contains("secret"));
    }
}
