//! Posting of result documents to the page's own server.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit, Response, WorkerGlobalScope};

/// Posts a document and returns the server's response, or `None` if no response came.
pub async fn post(document: &str) -> Option<Response> {
    let response: Result<Response, JsValue> = async {
        let (options, headers) = (RequestInit::new(), Headers::new()?);
        headers.set("Content-Type", "application/json")?;
        options.set_method("POST");
        options.set_headers(&headers);
        options.set_body(&document.into());
        let scope: WorkerGlobalScope = js_sys::global().dyn_into()?;
        JsFuture::from(scope.fetch_with_str_and_init("api/v1/results", &options)).await?.dyn_into()
    }
    .await;
    response.ok()
}
