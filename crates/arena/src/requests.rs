//! Plain HTTP requests of the study and inspector pages: how they are read and answered.
//!
//! They do not use the WebSocket, whose messages are small; a PGN may be large.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequest, Query, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
#[cfg(test)]
use serde_json::Value;
use serde_json::json;
use tokio::time::timeout;

use crate::http::{VersionQuery, is_own_page};
use crate::hub::Hub;
use crate::metrics::Excess;
use crate::protocol::{Object, VERSION, message};

/// The largest request body, in bytes.
pub(crate) const MAX_BODY: usize = 1024 * 1024;

/// How long a request may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(30);

/// Why a request is not answered.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    pub(crate) why: String,
    /// Whether the same request may succeed a moment later.
    pub(crate) retry: bool,
}

impl Refusal {
    pub(crate) fn busy(why: &str) -> Refusal {
        Refusal { retry: true, ..Refusal::from(why.to_owned()) }
    }
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal { status: StatusCode::OK, why, retry: false }
    }
}

/// A request that a page sends over plain HTTP.
pub(crate) trait PageRequest: DeserializeOwned + Send {
    /// Answers the request of a client with this address.
    fn answer(
        self,
        hub: &Arc<Hub>,
        address: IpAddr,
    ) -> impl Future<Output = Result<Object, Refusal>> + Send;
}

/// Reads a request and answers it with `ok` or `no`, as over the WebSocket.
pub(crate) async fn handle<Q: PageRequest>(
    State(hub): State<Arc<Hub>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Query(version): Query<VersionQuery>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let address = address.ip();
    if !is_own_page(&headers) {
        return (
            StatusCode::FORBIDDEN,
            "requests are accepted only from this server's own pages\n",
        )
            .into_response();
    }
    let answer = async {
        let refuse = |status, why: String| Refusal { status, ..Refusal::from(why) };
        let body = timeout(ARRIVAL, Bytes::from_request(request, &())).await.map_err(|_| {
            let why = "the request took too long to arrive".to_owned();
            refuse(StatusCode::REQUEST_TIMEOUT, why)
        })?;
        let body = body.map_err(|_| {
            hub.metrics.note_excess(Excess::SIZE);
            let why = format!("a request has at most {MAX_BODY} bytes");
            refuse(StatusCode::PAYLOAD_TOO_LARGE, why)
        })?;
        if !version.is_current() {
            let server = format!("the server has protocol version {VERSION}");
            return Err(format!("this page is outdated ({server}): reload it").into());
        }
        read::<Q>(&hub, address, &body)?.answer(&hub, address).await
    };
    let answer = answer.await;
    hub.metrics.commands.inc();
    let (status, text) = match answer {
        Ok(with) => (StatusCode::OK, message("ok", with)),
        Err(Refusal { status, why, retry }) => {
            hub.metrics.refused.inc();
            (status, json!({"t": "no", "why": why, "retry": retry}).to_string())
        }
    };
    (status, [(CONTENT_TYPE, "application/json")], text).into_response()
}

/// Parses a request after checking the rate limit of its address.
fn read<Q: DeserializeOwned>(hub: &Arc<Hub>, address: IpAddr, body: &[u8]) -> Result<Q, Refusal> {
    hub.analysis.admit(hub, address)?;
    serde_json::from_slice(body).map_err(|error| format!("invalid request: {error}").into())
}

/// Checks that an answer has exactly the fields that the protocol documentation shows.
#[cfg(test)]
pub(crate) fn assert_documented(question: &Value, shown: &Value, mut answer: Object) {
    use crate::json_shape::{Shape, add, differences};
    answer.insert("t".to_owned(), json!("ok"));
    let (mut page, mut real) = (Shape::new(), Shape::new());
    add(&mut page, "", shown);
    add(&mut real, "", &Value::Object(answer));
    let differences = differences(&page, &real);
    assert!(differences.is_empty(), "{question}: {differences:#?}");
}
