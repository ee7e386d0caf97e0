//! Minimal HTTP client for tests that need every byte of a response, or send invalid requests.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    time::Duration,
};

use serde_json::Value;

/// Read and write timeout: longer than any answer takes, even on a slow disk under load.
const TIMEOUT: Duration = Duration::from_secs(120);

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(each, _)| each == name);
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(values.next().is_none(), "{name} is there twice");
        value
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Sends a request and reads the whole answer.
pub fn ask(
    to: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Answer {
    let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
    raw(to, &[request.as_bytes(), body].concat())
}

/// Sends the bytes of a request and reads the whole answer.
pub fn raw(to: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = connect(to);
    stream.write_all(request).unwrap();
    answer(stream)
}

/// Sends the bytes of a request, closes the sending side, and reads the whole answer.
pub fn cut_off(to: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = connect(to);
    stream.write_all(request).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    answer(stream)
}

fn answer(stream: TcpStream) -> Answer {
    let mut stream = BufReader::new(stream);
    let (status, headers) = head(&mut stream);
    let mut body = Vec::new();
    stream.read_to_end(&mut body).unwrap();
    Answer { status, headers, body }
}

/// Sends the bytes of a request, and reads until the server closes the connection.
pub fn until_closed(to: SocketAddr, request: &[u8]) -> Vec<u8> {
    let mut stream = connect(to);
    stream.write_all(request).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

fn connect(to: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(to).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.set_write_timeout(Some(TIMEOUT)).unwrap();
    stream
}

fn head(stream: &mut impl BufRead) -> (u16, Vec<(String, String)>) {
    let mut line = || {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    };
    let status = line().split(' ').nth(1).unwrap().parse().unwrap();
    let mut headers = Vec::new();
    loop {
        let line = line();
        if line.is_empty() {
            return (status, headers);
        }
        let (name, value) = line.split_once(':').unwrap();
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
}

/// A stream of server-sent events.
pub struct Events {
    stream: BufReader<TcpStream>,
}

impl Events {
    /// Opens a stream. Returns once the head of the answer has arrived. From then on, the stream receives all
    /// events.
    pub fn listen(to: SocketAddr, path: &str) -> Events {
        let mut stream = connect(to);
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {to}\r\nAccept: text/event-stream\r\n\r\n")
            .unwrap();
        let mut stream = BufReader::new(stream);
        let (status, headers) = head(&mut stream);
        assert_eq!(status, 200);
        assert!(headers.contains(&("content-type".into(), "text/event-stream".into())));
        Events { stream }
    }

    /// Returns the name and the data of the next event, or `None` at the end of the stream. Skips the lines
    /// with the sizes of chunks. The last chunk has the size 0; fails if the connection ends without it.
    pub fn next(&mut self) -> Option<(String, Value)> {
        let mut name = None;
        loop {
            let mut line = String::new();
            assert!(self.stream.read_line(&mut line).unwrap() > 0, "the stream was cut off");
            if line.trim_end() == "0" {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                name = Some(event.trim().to_owned());
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name?, serde_json::from_str(data).unwrap()));
            }
        }
    }
}
