//! Comparison of the API's description with the running server. The tests derive valid and invalid requests
//! from the description, for every path, method, parameter and field. The description must declare each
//! answer, and each declared answer must occur, except those that the tests cannot cause.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

#[allow(dead_code, reason = "the tests of the API use more of it")]
mod http;
#[allow(dead_code, reason = "the tests of the API use more of it")]
mod running;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use http::{Answer, Events, cut_off, raw};
use jsonschema::Validator;
use queens::{server::Server, store::Store};
use running::Running;
use serde_json::{Value, json};

const DOCUMENTS: [&str; 3] = [
    include_str!("../../tests/data/results/eight.json"),
    include_str!("../../tests/data/results/one.json"),
    include_str!("../../tests/data/results/shard.json"),
];

/// Statuses that the tests do not cause: they need a failure or an overload of the server.
const OUT_OF_REACH: [&str; 3] = ["500", "503", "507"];

/// A request. The headers `Host` and `Content-Length` are correct unless `headers` contains other values.
#[derive(Clone, Default)]
struct Request {
    method: String,
    path: String,
    headers: BTreeMap<&'static str, String>,
    body: Vec<u8>,
    /// If set, the body is one byte shorter than announced. After the body, the client closes its side of the
    /// connection (`true`), or keeps it open without sending more (`false`).
    ends: Option<bool>,
}

impl Request {
    fn new(method: &str, path: &str) -> Request {
        Request { method: method.to_uppercase(), path: path.into(), ..Request::default() }
    }

    fn json(mut self, body: impl Into<Vec<u8>>) -> Request {
        self.body = body.into();
        self.with("Content-Type", "application/json")
    }

    fn with(mut self, name: &'static str, value: &str) -> Request {
        self.headers.insert(name, value.into());
        self
    }

    fn send(&self, to: &Running) -> Answer {
        let Request { method, path, body, .. } = self;
        let length = body.len() + usize::from(self.ends.is_some());
        let mut headers = self.headers.clone();
        headers.entry("Host").or_insert(to.address.to_string());
        headers.entry("Content-Length").or_insert(length.to_string());
        let headers: String =
            headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n");
        let bytes = [head.as_bytes(), body].concat();
        if self.ends == Some(true) { cut_off(to.address, &bytes) } else { raw(to.address, &bytes) }
    }
}

/// The API's description, and the declared answers that have occurred.
struct Api {
    description: Value,
    schemas: [(String, Value); 2],
    /// Path, method and status of each declared answer that has occurred.
    seen: BTreeSet<(String, String, String)>,
    /// Number of requests sent.
    requests: usize,
}

impl Api {
    fn of(server: &Running) -> Api {
        let schemas = ["queens-result-1.json", "queens-summary-1.json"].map(|name| {
            let schema = server.get(&format!("/api/v1/schema/{name}")).json();
            (format!("json-schema:///schema/{name}"), schema)
        });
        let description = server.get("/api/v1/openapi.json").json();
        Api { description, schemas, seen: BTreeSet::new(), requests: 0 }
    }

    /// Returns a validator for a schema that is part of the description.
    fn validator(&self, schema: &Value) -> Validator {
        let mut whole = schema.clone();
        whole["$id"] = json!("json-schema:///openapi.json");
        whole["components"] = self.description["components"].clone();
        let registry = jsonschema::Registry::new().extend(self.schemas.clone()).unwrap();
        let registry = registry.prepare().unwrap();
        let options = jsonschema::options().with_registry(&registry);
        options.should_validate_formats(true).build(&whole).unwrap()
    }

    /// Returns what a reference leads to, or the value itself if it is not a reference.
    fn resolved(&self, schema: &Value) -> Value {
        let Some(name) = schema["$ref"].as_str() else { return schema.clone() };
        match name.strip_prefix('#') {
            Some(pointer) => self.description.pointer(pointer).unwrap().clone(),
            None => {
                let has_name = |(id, _): &&(String, Value)| id.ends_with(name);
                self.schemas.iter().find(has_name).unwrap().1.clone()
            }
        }
    }

    /// Sends the request, and fails unless the answer is declared for `path`.
    fn ask(&mut self, server: &Running, path: &str, request: &Request) -> Answer {
        let answer = request.send(server);
        self.check(path, request, &answer);
        answer
    }

    fn check(&mut self, path: &str, request: &Request, answer: &Answer) {
        self.requests += 1;
        let (method, status) = (request.method.to_lowercase(), answer.status.to_string());
        let body: String = String::from_utf8_lossy(&request.body).chars().take(300).collect();
        let what = format!("{method} {} {:?} {body}: {status}", request.path, request.headers);
        let declared =
            self.resolved(&self.description["paths"][path][&method]["responses"][&status]);
        assert!(declared.is_object(), "{what} is not declared: {}", answer.text());
        assert!(!OUT_OF_REACH.contains(&&*status), "{what}: {}", answer.text());
        match declared["content"].as_object() {
            None => assert!(answer.body.is_empty(), "{what} brings {}", answer.text()),
            Some(content) => {
                let kind = answer.header("content-type").unwrap_or_default();
                let kind = kind.split(';').next().unwrap_or_default();
                assert!(content.contains_key(kind), "{what} brings {kind}: {}", answer.text());
                if kind.ends_with("json") {
                    let errors: Vec<String> = self
                        .validator(&content[kind]["schema"])
                        .iter_errors(&answer.json())
                        .map(|error| error.to_string())
                        .collect();
                    assert_eq!(errors, [""; 0], "{what}: {}", answer.text());
                }
            }
        }
        for name in declared["headers"].as_object().into_iter().flat_map(|headers| headers.keys()) {
            assert!(answer.header(&name.to_lowercase()).is_some(), "{what} lacks {name}");
        }
        self.seen.insert((path.into(), method, status));
    }

    /// Returns every operation: its path, its method and its description.
    fn operations(&self) -> Vec<(String, String, Value)> {
        let paths = self.description["paths"].as_object().unwrap();
        let of_path = |(path, methods): (&String, &Value)| {
            let methods = methods.as_object().unwrap().clone();
            let path = path.clone();
            methods.into_iter().map(move |(method, operation)| (path.clone(), method, operation))
        };
        paths.iter().flat_map(of_path).collect()
    }
}

/// Returns values for a parameter or field: some match its schema, some almost match, and some do not match.
fn values(schema: &Value) -> Vec<Value> {
    let mut values = vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(8.0),
        json!(1.5),
        json!(1e300),
        json!(""),
        json!("1"),
        json!("092"),
        json!("-1"),
        json!("symmetry"),
        json!("2026-01-31T09:30:00Z"),
        json!("2026-02-30T00:00:00Z"),
        json!("9".repeat(30)),
        json!("é\u{202e}\u{0}".repeat(40)),
        json!([]),
        json!([[], {}]),
        json!({}),
    ];
    for bound in ["minimum", "maximum"] {
        let bound = schema[bound].as_i64();
        values
            .extend(bound.iter().flat_map(|bound| [bound - 1, *bound, bound + 1].map(Value::from)));
    }
    values.extend(schema["enum"].as_array().cloned().unwrap_or_default());
    values.extend(schema.get("const").cloned());
    values
}

/// Percent-encodes a value for an address.
fn percent_encoded(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// Collects the fields of a schema at all depths, as JSON pointers into a document with one task.
fn fields(schema: &Value, root: &Value, here: &str, all: &mut Vec<(String, Value)>) {
    let schema = match schema["$ref"].as_str().and_then(|name| name.strip_prefix('#')) {
        Some(pointer) => root.pointer(pointer).unwrap(),
        None => schema,
    };
    if !here.is_empty() {
        all.push((here.to_owned(), schema.clone()));
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        fields(field, root, &format!("{here}/{name}"), all);
    }
    if schema["items"].is_object() {
        fields(&schema["items"], root, &format!("{here}/0"), all);
    }
}

/// Returns `document` with the field at `pointer` set to `new`, or without this field if `new` is `None`.
/// Returns `None` if the document has no such field.
fn changed(document: &Value, pointer: &str, new: Option<Value>) -> Option<Value> {
    let mut document = document.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match (document.pointer_mut(parent)?, new) {
        (Value::Object(map), Some(new)) => drop(map.insert(name.into(), new)),
        (Value::Object(map), None) => drop(map.remove(name)?),
        (Value::Array(list), Some(new)) => *list.first_mut()? = new,
        (Value::Array(list), None) if !list.is_empty() => drop(list.remove(0)),
        _ => return None,
    }
    Some(document)
}

#[test]
fn every_route_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder.path().join("results.sqlite"));
    let api = Api::of(&server);
    let described = api.description["paths"].as_object().unwrap();
    let routes = include_str!("../src/server/routes.rs").split(".route(").skip(1);
    let routes = routes.map(|rest| rest.split('"').nth(1).unwrap());
    let undescribed: Vec<_> = routes.filter(|route| !described.contains_key(*route)).collect();
    // The page and the description itself.
    assert_eq!(undescribed, ["/", "/api/v1/openapi.json"]);
    for (path, operations) in described {
        let mut methods = vec!["get", "post", "put", "patch", "delete"];
        methods.retain(|method| operations.get(method).is_none());
        for method in methods {
            let answer = Request::new(method, &path.replace("{id}", "x")).send(&server);
            assert_eq!(answer.status, 405, "{method} {path} is not described");
        }
    }
}

#[test]
fn responses_match_the_openapi_description() {
    let folder = tempfile::tempdir().unwrap();
    let bound = |address: &str| {
        let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
        Server::bind(address.parse().unwrap(), store).unwrap()
    };
    let (server, outside) = (bound("127.0.0.1:0"), bound("0.0.0.0:0"));
    let (server, outside) = (Running::of(server), Running::of(outside));
    // A server with a short timeout, for requests that never end.
    let impatient = bound("127.0.0.1:0").with_timeout(Duration::from_millis(500));
    let impatient = Running::of(impatient);
    let mut api = Api::of(&server);
    let operations = api.operations();
    assert!(operations.len() > 8, "{operations:?}");
    for (path, method, operation) in &operations {
        let has_body = operation["requestBody"].is_object();
        let bodies = if has_body { good_bodies(&api, operation) } else { vec![] };
        let requests = requests(&api, path, method, operation, &server);
        for (number, request) in requests.into_iter().enumerate() {
            let is_for_us = !request.headers.contains_key("Host");
            if path == "/api/v1/events" && is_for_us {
                Events::listen(server.address, path);
                api.seen.insert((path.clone(), method.clone(), "200".into()));
                continue;
            }
            let answer = api.ask(&server, path, &request);
            if let Some(tag) = answer.header("etag").filter(|_| answer.status == 200) {
                api.ask(&server, path, &request.clone().with("If-None-Match", tag));
            }
            if method != "get" && is_for_us {
                let foreign = request.clone().with("Origin", "https://example.org");
                assert_eq!(api.ask(&server, path, &foreign).status, 403);
                assert_eq!(api.ask(&outside, path, &request).status, 401);
            }
            for body in &bodies {
                let request = request.clone().json(body.to_string());
                api.ask(&server, path, &request);
                api.ask(&server, path, &request);
                for request in invalid_variants(&request).into_iter().filter(|_| number == 0) {
                    let is_endless = request.ends == Some(false);
                    api.ask(if is_endless { &impatient } else { &server }, path, &request);
                }
            }
        }
        if has_body {
            check_wrong_fields(&mut api, &server, path, method, &bodies);
        }
    }
    let declared = operations.iter().flat_map(|(path, method, operation)| {
        let statuses = operation["responses"].as_object().unwrap().keys();
        statuses.map(|status| (path.clone(), method.clone(), status.clone()))
    });
    let unseen: Vec<_> = declared
        .filter(|(.., status)| !OUT_OF_REACH.contains(&status.as_str()))
        .filter(|answer| !api.seen.contains(answer))
        .collect();
    assert!(unseen.is_empty(), "declared, but never seen: {unseen:?}");
    println!("{} requests, {} kinds of answers", api.requests, api.seen.len());
    assert!(api.requests > 1000, "{}", api.requests);
}

/// Returns bodies that match the schema of an operation.
fn good_bodies(api: &Api, operation: &Value) -> Vec<Value> {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    let validator = api.validator(schema);
    let documents = DOCUMENTS.map(|text| serde_json::from_str(text).unwrap());
    let progress = json!({ "n": 8, "method": "symmetry", "done": 1, "tasks": 2, "seconds": 0.5 });
    let bodies = documents.into_iter().chain([progress]);
    let bodies: Vec<Value> = bodies.filter(|body| validator.is_valid(body)).collect();
    assert!(!bodies.is_empty(), "{schema}");
    bodies
}

/// Returns requests for every parameter of an operation, with values in and out of range.
fn requests(
    api: &Api,
    path: &str,
    method: &str,
    operation: &Value,
    server: &Running,
) -> Vec<Request> {
    // An existing result, for paths with an id.
    let id = server.post(DOCUMENTS[0]).json()["id"].as_str().unwrap().to_owned();
    let known = path.replace("{id}", &id);
    let mut requests = vec![Request::new(method, &known)];
    requests.push(Request::new(method, &known).with("Host", "example.org"));
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let parameter = api.resolved(parameter);
        let name = parameter["name"].as_str().unwrap();
        for value in values(&parameter["schema"]) {
            let value = percent_encoded(&value);
            let address = match parameter["in"].as_str().unwrap() {
                "path" if value.is_empty() => continue,
                "path" => path.replace(&format!("{{{name}}}"), &value),
                "query" => format!("{known}?{name}={value}"),
                other => panic!("{name} is in the {other}"),
            };
            requests.push(Request::new(method, &address));
        }
        if parameter["in"] == "query" {
            requests.push(Request::new(method, &format!("{known}?{name}=1&{name}=1")));
            requests.push(Request::new(method, &format!("{known}?{name}&%ff=%ff&=&&")));
        }
    }
    requests
}

/// Returns variants of a request with a damaged body or with headers that do not fit it.
fn invalid_variants(request: &Request) -> Vec<Request> {
    let mut half = request.clone();
    half.body.truncate(request.body.len() / 2);
    let mut latin = request.clone();
    latin.body.push(0xe9);
    let ending = |ends| Request { ends: Some(ends), ..request.clone() };
    vec![
        half,
        latin,
        ending(true),
        ending(false),
        request.clone().with("Content-Type", "text/plain"),
        request.clone().with("Content-Encoding", "gzip"),
        request.clone().with("Content-Length", "9000000").with("Expect", "100-continue"),
        Request { body: vec![], ..request.clone() },
        request.clone().json("[".repeat(200)),
    ]
}

/// Sends valid bodies with each field of their schema missing or changed. Fails if the server
/// accepts a body that the schema rejects.
fn check_wrong_fields(api: &mut Api, server: &Running, path: &str, method: &str, bodies: &[Value]) {
    let content = &api.description["paths"][path][method]["requestBody"]["content"];
    let schema = content["application/json"]["schema"].clone();
    let (root, validator) = (api.resolved(&schema), api.validator(&schema));
    let mut all = Vec::new();
    fields(&root, &root, "", &mut all);
    let mut wrong = 0;
    for (pointer, field) in all {
        let changes = values(&field).into_iter().map(Some).chain([None]);
        for (new, body) in
            changes.flat_map(|new| bodies.iter().map(move |body| (new.clone(), body)))
        {
            let Some(body) = changed(body, &pointer, new) else { continue };
            let request = Request::new(method, &path.replace("{id}", "x")).json(body.to_string());
            let status = api.ask(server, path, &request).status;
            if !validator.is_valid(&body) {
                wrong += 1;
                assert_eq!(status, 422, "{method} {path}: {pointer} in {body}");
            }
        }
    }
    assert!(wrong > 50, "{wrong}");
}
