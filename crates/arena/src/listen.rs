//! Accepts connections up to the limits, and closes those that send nothing.

use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::header::HOST;
use axum::http::{HeaderValue, Request, StatusCode};
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
use crate::limits::{ConnectionLimiter, LimitReached, Permit, rate_key};
use crate::metrics::Excess;
use crate::network::{Listener, Route};

/// The largest request head, in bytes.
const LARGEST_HEAD: usize = 16 * 1024;
/// How long connections have to end when the server shuts down.
const GRACE: Duration = Duration::from_secs(3);
/// How long a refused connection has to read the reason, and how many may do so at once.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
const MAX_REJECTION_REPLIES: usize = 64;

/// Serves until the server shuts down, on the first listener and on those opened later.
pub(crate) async fn serve(
    first: Listener,
    mut more: mpsc::UnboundedReceiver<Listener>,
    hub: Arc<Hub>,
) {
    let acceptor = Arc::new(Acceptor::new(hub.clone()));
    let mut listening = JoinSet::new();
    listening.spawn(acceptor.clone().accept(first));
    loop {
        tokio::select! {
            () = hub.stopped() => break,
            Some(listener) = more.recv() => drop(listening.spawn(acceptor.clone().accept(listener))),
            Some(_) = listening.join_next() => {}
        }
    }
    while listening.join_next().await.is_some() {}
    let ended = async {
        while acceptor.limiter.len() > 0 || hub.metrics.connections.get() > 0 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    if timeout(GRACE, ended).await.is_err() {
        tracing::warn!("some connections did not close in time");
    }
    hub.store.flush().await;
}

/// Returns how many connections clients with this many WebSockets need. A page loads its files over
/// several connections, in addition to its WebSocket.
fn connection_count(sockets: usize) -> usize {
    2 * sockets + 64
}

/// What all listeners share; their connections are counted together.
struct Acceptor {
    hub: Arc<Hub>,
    limiter: Arc<ConnectionLimiter<IpAddr>>,
    rejections: Arc<Semaphore>,
    app: TowerToHyperService<Router>,
}

impl Acceptor {
    fn new(hub: Arc<Hub>) -> Acceptor {
        let limits = &hub.limits;
        let limiter = ConnectionLimiter::new(
            connection_count(limits.connections),
            connection_count(limits.connections_per_address),
        );
        let rejections = Arc::new(Semaphore::new(MAX_REJECTION_REPLIES));
        let app = TowerToHyperService::new(http::router(hub.clone()));
        Acceptor { hub, limiter, rejections, app }
    }

    /// Accepts connections on one listener until it closes or the server shuts down.
    async fn accept(self: Arc<Acceptor>, listener: Listener) {
        loop {
            let (stream, address) = tokio::select! {
                () = self.hub.stopped() => return,
                () = listener.closed.wait() => return,
                accepted = listener.listener.accept() => match accepted {
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
            let by_loopback = address.ip().to_canonical().is_loopback();
            let closed = listener.closed.clone();
            let route = Route { by_loopback, by_proxy: false, secure: false, closed };
            // All clients share the connections of a proxy; it has limits of its own.
            let own = match self.hub.network.proxies.trusts(address.ip()) {
                true => usize::MAX,
                false => connection_count(self.hub.limits.connections_per_address),
            };
            match self.limiter.acquire_up_to(rate_key(address.ip()), own) {
                Ok(permit) => self.serve_connection(stream, address, route, permit),
                Err(full) => self.reject(stream, address, full),
            }
        }
    }

    fn serve_connection(
        &self,
        stream: TcpStream,
        address: SocketAddr,
        route: Route,
        permit: Permit<IpAddr>,
    ) {
        let (app, hub, own_route) = (self.app.clone(), self.hub.clone(), route.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            let (mut route, mut client) = (own_route.clone(), address.ip());
            let proxies = &hub.network.proxies;
            if let Some(forwarded) = proxies.forwarded(address.ip(), request.headers()) {
                (client, route.secure) = (forwarded.client, forwarded.secure);
                (route.by_loopback, route.by_proxy) = (false, true);
                let host = forwarded.host.and_then(|host| HeaderValue::try_from(host).ok());
                host.map(|host| request.headers_mut().insert(HOST, host));
            }
            let client = SocketAddr::new(rate_key(client), address.port());
            request.extensions_mut().insert(ConnectInfo(client));
            request.extensions_mut().insert(route);
            app.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.hub.limits.head_timeout)
            .max_buf_size(LARGEST_HEAD)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let hub = self.hub.clone();
        tokio::spawn(async move {
            let _permit = permit;
            let mut connection = pin!(connection);
            let ended = async {
                tokio::select! {
                    () = hub.stopped() => {}
                    () = route.closed.wait() => {}
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

    fn reject(&self, stream: TcpStream, address: SocketAddr, full: LimitReached) {
        let rejection = Rejection::from(full);
        self.hub.metrics.note_excess(rejection.excess);
        tracing::debug!(%address, ?full, "connection refused");
        if let Ok(slot) = self.rejections.clone().try_acquire_owned() {
            tokio::spawn(async move {
                let _slot = slot;
                send_rejection(stream, rejection).await;
            });
        }
    }
}

/// Answers that there are too many connections, whatever the request was.
async fn send_rejection(mut stream: TcpStream, Rejection { status, why, .. }: Rejection) {
    let length = why.len() + 1;
    let answer = format!(
        "HTTP/1.1 {status}\r\nretry-after: {RETRY_AFTER}\r\nconnection: close\r\n\
         content-type: text/plain; charset=utf-8\r\ncontent-length: {length}\r\n\r\n{why}\n"
    );
    let sent = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await?;
        // Drain the input: closing a socket with unread data resets it, and the response is lost.
        let mut rest = [0; 1024];
        while stream.read(&mut rest).await? > 0 {}
        Ok::<(), std::io::Error>(())
    };
    let _ = timeout(CLOSE_TIMEOUT, sent).await;
}

/// Why a connection or a WebSocket is refused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rejection {
    pub(crate) excess: Excess,
    pub(crate) status: StatusCode,
    /// A message for the guest.
    pub(crate) why: &'static str,
}

impl Rejection {
    /// A rejection for what this client did, which does not affect others.
    pub(crate) const fn of_client(excess: Excess, why: &'static str) -> Rejection {
        Rejection { excess, status: StatusCode::TOO_MANY_REQUESTS, why }
    }
}

impl From<LimitReached> for Rejection {
    fn from(limit: LimitReached) -> Rejection {
        let (excess, status) = (Excess::CONNECTIONS, StatusCode::SERVICE_UNAVAILABLE);
        let (all, own) = (
            "the server has too many connections: try again later",
            "too many connections from your address",
        );
        match limit {
            LimitReached::All => Rejection { excess, status, why: all },
            LimitReached::Own => Rejection::of_client(Excess::ADDRESS_CONNECTIONS, own),
        }
    }
}

/// Seconds after which a refused client may try again.
pub(crate) const RETRY_AFTER: u32 = 5;
