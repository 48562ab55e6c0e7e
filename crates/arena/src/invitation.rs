//! Invitations: the address of a game as a QR code.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use qrcodegen::{QrCode, QrCodeEcc};
use serde::Deserialize;

use crate::guest::is_game_id;
use crate::hub::Hub;

/// Width of the light border that readers need, in modules.
const QUIET_ZONE: i32 = 4;

/// The origin of the invitation's address, for example `http://192.168.1.7:4444`.
#[derive(Deserialize)]
pub(crate) struct InvitationAddress {
    at: String,
}

/// Returns the QR code of a game's address. Only addresses of this server are accepted: the one in
/// the `Host` header, and those at which the network reaches it.
pub(crate) async fn picture(
    State(hub): State<Arc<Hub>>,
    Path(id): Path<String>,
    Query(InvitationAddress { at }): Query<InvitationAddress>,
    headers: HeaderMap,
) -> Response {
    let asked = headers.get(HOST).and_then(|host| host.to_str().ok());
    let host = at.strip_prefix("http://").or_else(|| at.strip_prefix("https://"));
    let own = host.is_some() && host == asked;
    let code = match is_game_id(&id) && (own || hub.network.is_at(&at)) {
        true => qr_code(&format!("{at}/g/{id}")),
        false => None,
    };
    let Some(code) = code else {
        return (StatusCode::NOT_FOUND, "invitation not found\n").into_response();
    };
    ([(CONTENT_TYPE, "image/svg+xml"), (CACHE_CONTROL, "no-cache")], code).into_response()
}

/// Draws a text as a QR code, dark on light. Returns `None` if the text is too long.
fn qr_code(text: &str) -> Option<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let length = (x..code.size()).take_while(|x| code.get_module(*x, y)).count() as i32;
            if length > 0 {
                let (left, top) = (x + QUIET_ZONE, y + QUIET_ZONE);
                // Writing to a `String` cannot fail.
                let _ = write!(path, "M{left} {top}h{length}v1h-{length}z");
            }
            x += length.max(1);
        }
    }
    let size = code.size() + 2 * QUIET_ZONE;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" \
         shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{size}v{size}h-{size}z\"/>\
         <path fill=\"#000\" d=\"{path}\"/></svg>\n"
    ))
}
