//! The HTTP routes: the page and its files, the WebSocket, exports, health and metrics.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path, Query, Request, State};
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE,
    COOKIE, ETAG, HOST, IF_NONE_MATCH, ORIGIN, RETRY_AFTER, SET_COOKIE, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde::Deserialize;

use crate::assets::{self, Asset};
use crate::guest::Secret;
use crate::hub::Hub;
use crate::inspector::InspectorRequest;
use crate::invitation;
use crate::listen::{self, Rejection};
use crate::metrics;
use crate::network::{Route, is_loopback};
use crate::protocol::VERSION;
use crate::requests::{MAX_BODY, handle};
use crate::socket;
use crate::study::StudyRequest;
use crate::viewer::Input;

/// Messages above this size end the connection. Smaller ones that still exceed the limit in
/// `socket` are refused with a reason.
const LARGEST_MESSAGE: usize = 64 * 1024;

/// The read buffer of a WebSocket. Pages send little, and there may be thousands of them.
const READ_BUFFER: usize = 4096;

/// Returns the router with all routes.
pub(crate) fn router(hub: Arc<Hub>) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/lobby", get(page))
        .route("/replay", get(page))
        .route("/you", get(page))
        .route("/g/{id}", get(game_page))
        .route("/g/{id}/export", get(export))
        .route("/g/{id}/qr", get(invitation::picture))
        .route("/study", get(page).post(handle::<StudyRequest>))
        .route("/study/{id}", get(page))
        .route("/environments", get(page).post(handle::<InspectorRequest>))
        .route("/web/{*path}", get(part))
        .route("/theme.css", get(async |headers: HeaderMap| serve(&headers, Some(assets::theme()))))
        .route(
            "/pieces.svg",
            get(async |headers: HeaderMap| serve(&headers, Some(assets::pieces()))),
        )
        .route("/ws", get(upgrade))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics_text))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        .fallback(missing)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(hub.clone(), guard))
        .with_state(hub)
}

/// Refuses foreign host names and adds security headers to every response.
async fn guard(State(hub): State<Arc<Hub>>, request: Request, next: Next) -> Response {
    // Behind a proxy, host names are the proxy's business: rebinding DNS to a public site gains nothing.
    let by_proxy = request.extensions().get::<Route>().is_some_and(|route| route.by_proxy);
    let known = |host| by_proxy || hub.network.answers_to(host);
    if !host(request.headers()).is_some_and(known) {
        let why = "this server accepts requests only for localhost and its own addresses\n";
        return (StatusCode::MISDIRECTED_REQUEST, why).into_response();
    }
    const HEADERS: [(&str, &str); 5] = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'",
        ),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ];
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Returns the name or address by which a client addresses the server, without the port.
fn host(headers: &HeaderMap) -> Option<&str> {
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().ok().map(without_port),
        _ => None,
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Whether a request comes from a page of this server, or from a program that sends no `Origin`.
pub(crate) fn is_own_page(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    origin.is_some_and(|(_, origin)| host == Some(origin))
}

/// Whether a page is on this computer, judging by its connection, its `Host` and its `Origin`.
/// Requests with headers added by proxies do not count, since a local proxy would look the same.
fn is_local(route: &Route, headers: &HeaderMap) -> bool {
    const OF_PROXIES: [&str; 4] = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];
    route.by_loopback
        && host(headers).is_some_and(is_loopback)
        && headers.contains_key(ORIGIN)
        && is_own_page(headers)
        && !OF_PROXIES.iter().any(|name| headers.contains_key(*name))
}

fn secret(headers: &HeaderMap) -> Option<Secret> {
    let cookies = headers.get_all(COOKIE).iter();
    cookies.filter_map(|header| header.to_str().ok()).find_map(Secret::in_cookies)
}

async fn page(Extension(route): Extension<Route>, headers: HeaderMap) -> Response {
    let mut response = serve(&headers, assets::page());
    if secret(&headers).is_none()
        && let Ok(cookie) = Secret::new().cookie(route.secure).parse()
    {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

/// Answers a request for an unknown address: with the page, which says so, if a browser asks.
async fn missing(route: Extension<Route>, mut headers: HeaderMap) -> Response {
    let accepted = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !accepted.contains("text/html") {
        return (StatusCode::NOT_FOUND, "not found\n").into_response();
    }
    headers.remove(IF_NONE_MATCH);
    let mut response = page(route, headers).await;
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// Answers with the page, and with 404 if there is no such game.
async fn game_page(
    State(hub): State<Arc<Hub>>,
    Path(id): Path<String>,
    route: Extension<Route>,
    headers: HeaderMap,
) -> Response {
    if hub.has_game(&id).await { page(route, headers).await } else { missing(route, headers).await }
}

async fn part(Path(path): Path<String>, headers: HeaderMap) -> Response {
    serve(&headers, assets::part(&path))
}

/// Returns an asset, or 304 if the browser already has it.
fn serve(headers: &HeaderMap, asset: Option<Asset>) -> Response {
    let Some(asset) = asset else {
        return (StatusCode::NOT_FOUND, "not found\n").into_response();
    };
    let zip = takes_gzip(headers);
    let Asset { bytes, kind, tag } = if zip { asset.zipped() } else { asset };
    let known = headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let fresh = [(CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag)];
    match known {
        true => (StatusCode::NOT_MODIFIED, fresh).into_response(),
        false => {
            let coding = zip.then_some([(CONTENT_ENCODING, "gzip")]);
            (fresh, [(CONTENT_TYPE, kind), (VARY, "accept-encoding")], coding, bytes)
                .into_response()
        }
    }
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted =
        headers.get_all(ACCEPT_ENCODING).iter().filter_map(|header| header.to_str().ok());
    let mut codings = accepted.flat_map(|header| header.split(','));
    codings.any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        parts.next() == Some("gzip") && !matches!(parts.next(), Some("q=0" | "q=0.0"))
    })
}

async fn export(State(hub): State<Arc<Hub>>, Path(id): Path<String>) -> Response {
    match hub.ask(&id, Input::Export).await {
        Ok(Some((name, text))) => {
            let name = format!("attachment; filename=\"{name}\"");
            let kind = "text/plain; charset=utf-8".to_owned();
            ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)], text).into_response()
        }
        Err(why) => (StatusCode::NOT_FOUND, why + "\n").into_response(),
        Ok(None) => {
            (StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down\n").into_response()
        }
    }
}

/// Returns the server's health. A failing disk is reported, but the status stays 200: a restart
/// would lose the games in memory.
async fn health(State(hub): State<Arc<Hub>>) -> String {
    match *hub.store.storage_error().borrow() {
        None => "ok\n".to_owned(),
        Some(why) => format!("ok, but games are not being saved: {why}\n"),
    }
}

async fn metrics_text(State(hub): State<Arc<Hub>>) -> Response {
    ([(CONTENT_TYPE, metrics::KIND)], hub.metrics_text().await).into_response()
}

/// The protocol version in the query string.
#[derive(Deserialize)]
pub(crate) struct VersionQuery {
    v: Option<String>,
}

impl VersionQuery {
    pub(crate) fn is_current(&self) -> bool {
        self.v == Some(VERSION.to_string())
    }
}

/// Upgrades to a WebSocket, or answers with the reason for refusing one. Scripts cannot read the
/// response to a failed handshake, so a refused page repeats the request without the upgrade to get
/// the reason.
async fn upgrade(
    State(hub): State<Arc<Hub>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Extension(route): Extension<Route>,
    Query(version): Query<VersionQuery>,
    headers: HeaderMap,
    socket: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    if !is_own_page(&headers) {
        return (StatusCode::FORBIDDEN, "sockets are accepted only from this server's own pages\n")
            .into_response();
    }
    let Some(secret) = secret(&headers) else {
        let why = "open the page first: it sets the cookie that identifies you\n";
        return (StatusCode::UNAUTHORIZED, why).into_response();
    };
    let secret = secret.hash();
    let here = is_local(&route, &headers);
    let admission = match hub.admit(address.ip(), secret) {
        Ok(admission) => admission,
        Err(Rejection { status, why, .. }) => {
            let later = [(RETRY_AFTER, listen::RETRY_AFTER.to_string())];
            return (status, later, format!("{why}\n")).into_response();
        }
    };
    let socket = match socket {
        Ok(socket) => socket,
        Err(rejection) => return rejection.into_response(),
    };
    let socket = socket
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .read_buffer_size(READ_BUFFER);
    if !version.is_current() {
        return socket.on_upgrade(|socket| async move {
            let _admission = admission;
            socket::close(socket, "this page is outdated: reload it", false).await;
        });
    }
    socket
        .on_upgrade(move |socket| socket::serve(socket, hub, secret, admission, route.closed, here))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_removed_from_hosts() {
        for (text, host) in [
            ("localhost", "localhost"),
            ("localhost:80", "localhost"),
            ("[::1]:4444", "[::1]"),
            ("[::1]", "[::1]"),
            ("10.0.0.1:1", "10.0.0.1"),
        ] {
            assert_eq!(without_port(text), host);
        }
    }

    #[test]
    fn only_same_origin_pages_are_own_pages() {
        let headers = |origin: &str| {
            let pairs = [(HOST, "127.0.0.1:4444"), (ORIGIN, origin)];
            pairs
                .map(|(name, value)| (name, value.parse().expect("a header")))
                .into_iter()
                .collect()
        };
        assert!(is_own_page(&headers("http://127.0.0.1:4444")));
        assert!(!is_own_page(&headers("http://127.0.0.1:5555")));
        assert!(!is_own_page(&headers("https://example.org")));
        assert!(!is_own_page(&headers("null")));
        assert!(is_own_page(&HeaderMap::new()));
    }
}
