//! Whether the server is there.

/// Whether the server answers.
#[utoipa::path(
    get,
    path = "/healthz",
    responses((status = 200, description = "it does", body = String, content_type = "text/plain")),
)]
pub(super) async fn health() -> &'static str {
    "ok\n"
}
