//! Health check.

/// Reports that the server is running.
#[utoipa::path(
    get,
    path = "/healthz",
    responses((status = 200, description = "The text `ok`", body = String, content_type = "text/plain")),
)]
pub(super) async fn health() -> &'static str {
    "ok\n"
}
