//! The port: lets connections in, as many as there may be, and gives up those that say nothing.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::allowance::{Crowd, Full, home};
use crate::http;
use crate::hub::Hub;
use crate::metrics::Excess;

/// The largest head.
const LARGEST_HEAD: usize = 16 * 1024;
/// How long connections have to end when the server does.
const GRACE: Duration = Duration::from_secs(3);
/// How long somebody who is turned away has to hear it, and how many may at once.
const LAST_WORDS: Duration = Duration::from_secs(1);
const FAREWELLS: usize = 64;

/// Serves until the server goes down.
pub(crate) async fn serve(listener: TcpListener, hub: Arc<Hub>) {
    // A page loads its parts over several connections, beside its socket.
    let lines = |sockets: usize| 2 * sockets + 64;
    let limits = &hub.limits;
    let crowd = Crowd::new(lines(limits.connections), lines(limits.connections_per_address));
    let farewells = Arc::new(Semaphore::new(FAREWELLS));
    let app = TowerToHyperService::new(http::router(hub.clone()));
    loop {
        let (stream, address) = tokio::select! {
            () = hub.stopped() => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // There may be too many open files: it gets better when connections end.
                    tracing::warn!(%error, "a connection cannot be accepted");
                    sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        // Small messages go out at once: else each waits for the page's word that it has the last one.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "messages will be slow");
        }
        let address = SocketAddr::new(home(address.ip()), address.port());
        let inside = match crowd.enter(address.ip()) {
            Ok(inside) => inside,
            Err(full) => {
                hub.counts.note_excess(match full {
                    Full::All => Excess::Connections,
                    Full::Own => Excess::AddressConnections,
                });
                tracing::debug!(%address, ?full, "a connection is turned away");
                if let Ok(turn) = farewells.clone().try_acquire_owned() {
                    tokio::spawn(async move {
                        let _turn = turn;
                        turn_away(stream, full).await;
                    });
                }
                continue;
            }
        };
        let app = app.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(address));
            app.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(LARGEST_HEAD)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let hub = hub.clone();
        tokio::spawn(async move {
            let _inside = inside;
            let mut connection = pin!(connection);
            let result = tokio::select! {
                result = connection.as_mut() => result,
                () = hub.stopped() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = result {
                tracing::debug!(%error, %address, "a connection broke");
            }
        });
    }
    drop(listener);
    let ended = async {
        while crowd.len() > 0 || hub.counts.connections.get() > 0 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    if timeout(GRACE, ended).await.is_err() {
        tracing::warn!("some connections did not end in time");
    }
    hub.store.flush().await;
}

/// Says that there are too many connections, whatever was asked for.
async fn turn_away(mut stream: TcpStream, full: Full) {
    let (status, why) = match full {
        Full::All => ("503 Service Unavailable", TOO_MANY),
        Full::Own => ("429 Too Many Requests", TOO_MANY_OF_ADDRESS),
    };
    let length = why.len() + 1;
    let answer = format!(
        "HTTP/1.1 {status}\r\nretry-after: {RETRY_AFTER}\r\nconnection: close\r\n\
         content-type: text/plain; charset=utf-8\r\ncontent-length: {length}\r\n\r\n{why}\n"
    );
    let said = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await?;
        // What still comes is read: a connection closed on unread bytes is cut, and the words with it.
        let mut rest = [0; 1024];
        while stream.read(&mut rest).await? > 0 {}
        Ok::<(), std::io::Error>(())
    };
    let _ = timeout(LAST_WORDS, said).await;
}

/// Why a connection is turned away, in words for the guest.
pub(crate) const TOO_MANY: &str =
    "the server has as many connections as it can take: try again later";
pub(crate) const TOO_MANY_OF_ADDRESS: &str = "there are too many connections from your address";

/// Seconds after which somebody who was turned away may come again.
pub(crate) const RETRY_AFTER: u32 = 5;
