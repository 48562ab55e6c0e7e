//! Accepts connections up to the limits, and closes those that send nothing.

use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::http;
use crate::hub::Hub;
use crate::limits::{ConnectionLimiter, Full, Permit, home};
use crate::metrics::Excess;
use crate::network::{Entrance, Way};

/// The largest request head, in bytes.
const LARGEST_HEAD: usize = 16 * 1024;
/// How long connections have to end when the server shuts down.
const GRACE: Duration = Duration::from_secs(3);
/// How long a refused connection has to read the reason, and how many may do so at once.
const LAST_WORDS: Duration = Duration::from_secs(1);
const FAREWELLS: usize = 64;

/// Serves until the server shuts down, on the first listener and on those opened later.
pub(crate) async fn serve(
    first: Entrance,
    mut more: mpsc::UnboundedReceiver<Entrance>,
    hub: Arc<Hub>,
) {
    let reception = Arc::new(Reception::new(hub.clone()));
    let mut listening = JoinSet::new();
    listening.spawn(reception.clone().receive(first));
    loop {
        tokio::select! {
            () = hub.stopped() => break,
            Some(entrance) = more.recv() => drop(listening.spawn(reception.clone().receive(entrance))),
            Some(_) = listening.join_next() => {}
        }
    }
    while listening.join_next().await.is_some() {}
    let ended = async {
        while reception.crowd.len() > 0 || hub.counts.connections.get() > 0 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    if timeout(GRACE, ended).await.is_err() {
        tracing::warn!("some connections did not close in time");
    }
    hub.store.flush().await;
}

/// What all listeners share; their connections are counted together.
struct Reception {
    hub: Arc<Hub>,
    crowd: Arc<ConnectionLimiter<IpAddr>>,
    farewells: Arc<Semaphore>,
    app: TowerToHyperService<Router>,
}

impl Reception {
    fn new(hub: Arc<Hub>) -> Reception {
        // A page loads its files over several connections, in addition to its WebSocket.
        let lines = |sockets: usize| 2 * sockets + 64;
        let limits = &hub.limits;
        let crowd = ConnectionLimiter::new(
            lines(limits.connections),
            lines(limits.connections_per_address),
        );
        let farewells = Arc::new(Semaphore::new(FAREWELLS));
        let app = TowerToHyperService::new(http::router(hub.clone()));
        Reception { hub, crowd, farewells, app }
    }

    /// Accepts connections on one listener until it closes or the server shuts down.
    async fn receive(self: Arc<Reception>, entrance: Entrance) {
        loop {
            let (stream, address) = tokio::select! {
                () = self.hub.stopped() => return,
                () = entrance.closed() => return,
                accepted = entrance.listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        // There may be too many open files, which improves when connections end.
                        tracing::warn!(%error, "cannot accept a connection");
                        sleep(Duration::from_millis(100)).await;
                        continue;
                    }
                },
            };
            // Send small messages at once instead of waiting for the previous one to be
            // acknowledged.
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "cannot disable Nagle's algorithm");
            }
            let way = Way::new(address.ip(), &entrance);
            let address = SocketAddr::new(home(address.ip()), address.port());
            match self.crowd.enter(address.ip()) {
                Ok(inside) => self.let_in(stream, address, way, inside),
                Err(full) => self.turn_away(stream, address, full),
            }
        }
    }

    fn let_in(&self, stream: TcpStream, address: SocketAddr, way: Way, inside: Permit<IpAddr>) {
        let (app, own_way) = (self.app.clone(), way.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(address));
            request.extensions_mut().insert(own_way.clone());
            app.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.hub.limits.head)
            .max_buf_size(LARGEST_HEAD)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let hub = self.hub.clone();
        tokio::spawn(async move {
            let _inside = inside;
            let mut connection = pin!(connection);
            let ended = async {
                tokio::select! {
                    () = hub.stopped() => {}
                    () = way.closed() => {}
                }
            };
            let result = tokio::select! {
                result = connection.as_mut() => result,
                () = ended => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = result {
                tracing::debug!(%error, %address, "connection failed");
            }
        });
    }

    fn turn_away(&self, stream: TcpStream, address: SocketAddr, full: Full) {
        self.hub.counts.note_excess(match full {
            Full::All => Excess::Connections,
            Full::Own => Excess::AddressConnections,
        });
        tracing::debug!(%address, ?full, "connection refused");
        if let Ok(turn) = self.farewells.clone().try_acquire_owned() {
            tokio::spawn(async move {
                let _turn = turn;
                say_why(stream, full).await;
            });
        }
    }
}

/// Answers that there are too many connections, whatever the request was.
async fn say_why(mut stream: TcpStream, full: Full) {
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
        // Drain the input: closing a socket with unread data resets it, and the response is lost.
        let mut rest = [0; 1024];
        while stream.read(&mut rest).await? > 0 {}
        Ok::<(), std::io::Error>(())
    };
    let _ = timeout(LAST_WORDS, said).await;
}

/// Why a connection is refused, as a message for the guest.
pub(crate) const TOO_MANY: &str = "the server has too many connections: try again later";
pub(crate) const TOO_MANY_OF_ADDRESS: &str = "too many connections from your address";

/// Seconds after which a refused client may try again.
pub(crate) const RETRY_AFTER: u32 = 5;
