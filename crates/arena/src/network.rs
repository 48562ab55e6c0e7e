//! Who can reach the server: only this computer, or also the local network, once a user at this
//! computer opens it.
//!
//! A server that was started on loopback opens additional listeners for the network, one on each
//! address of this computer, and closes them again. The first listener stays open, and games go on.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use fourfold_table::ensure;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{Mutex, mpsc, watch};

use crate::proxy::Proxies;

/// A listener and its closing signal.
pub(crate) struct Listener {
    pub(crate) listener: TcpListener,
    /// The listener closes; its connections must then end.
    pub(crate) closed: Signal,
}

/// An event that happens once, and that any number of tasks can wait for.
#[derive(Clone)]
pub(crate) struct Signal(pub(crate) watch::Receiver<bool>);

impl Signal {
    /// Waits until the event has happened.
    pub(crate) async fn wait(&self) {
        // An error means that the sender is gone, which counts as well.
        let _ = self.0.clone().wait_for(|happened| *happened).await;
    }
}

/// How a client reached the server.
#[derive(Clone)]
pub(crate) struct Route {
    /// Whether the client connected over this computer's loopback interface, without a proxy.
    pub(crate) by_loopback: bool,
    /// Whether the request came through a trusted proxy.
    pub(crate) by_proxy: bool,
    /// Whether the client uses HTTPS.
    pub(crate) secure: bool,
    /// The listener closes.
    pub(crate) closed: Signal,
}

/// Returns the address as an origin, as pages show it.
fn origin(address: SocketAddr) -> String {
    format!("http://{address}")
}

/// The server's listeners and addresses.
pub(crate) struct Network {
    /// The address at which the server was started.
    first: SocketAddr,
    /// Receives additional listeners.
    listeners: mpsc::UnboundedSender<Listener>,
    /// The addresses that were opened in addition to the first.
    open: watch::Sender<Vec<SocketAddr>>,
    /// The trusted proxies, through which others reach the server.
    pub(crate) proxies: Proxies,
    /// Closes the additional listeners when dropped.
    closing: Mutex<Option<watch::Sender<bool>>>,
}

impl Network {
    /// Describes a server that was started at `first`. Additional listeners are sent to
    /// `listeners`.
    pub(crate) fn new(first: SocketAddr, listeners: mpsc::UnboundedSender<Listener>) -> Network {
        let (open, closing) = (watch::Sender::new(Vec::new()), Mutex::default());
        Network { first, listeners, open, proxies: Proxies::default(), closing }
    }

    /// Adds the proxies through which others reach the server.
    pub(crate) fn behind(self, proxies: Proxies) -> Network {
        Network { proxies, ..self }
    }

    /// Whether the server was started on loopback, so that the local network is opened only on
    /// request.
    fn is_on_request(&self) -> bool {
        self.first.ip().is_loopback()
    }

    /// Whether others can reach the server, and not only this computer.
    fn is_open(&self) -> bool {
        !self.is_on_request() || !self.open.borrow().is_empty()
    }

    /// Returns the addresses at which others can reach the server, or could if it were open.
    fn addresses(&self) -> Vec<SocketAddr> {
        let open = self.open.borrow().clone();
        match self.first.ip() {
            _ if !open.is_empty() => open,
            ip if ip.is_loopback() || ip.is_unspecified() => {
                let port = self.first.port();
                own_addresses().into_iter().map(|ip| SocketAddr::new(ip, port)).collect()
            }
            _ => vec![self.first],
        }
    }

    /// Whether the server accepts requests for this host. A server that was started on a network
    /// address accepts any. One on loopback must not answer to foreign names, or a website could
    /// reach it by DNS rebinding.
    pub(crate) fn answers_to(&self, host: &str) -> bool {
        let named = |address: &SocketAddr| parsed(host) == Some(address.ip());
        !self.is_on_request() || is_loopback(host) || self.open.borrow().iter().any(named)
    }

    /// Whether others can reach the server at this origin, for example `http://10.0.0.7:4444`.
    pub(crate) fn is_at(&self, origin: &str) -> bool {
        self.is_open() && self.addresses().into_iter().any(|own| self::origin(own) == origin)
    }

    /// Subscribes to opening and closing.
    pub(crate) fn changes(&self) -> watch::Receiver<Vec<SocketAddr>> {
        self.open.subscribe()
    }

    /// Returns the message that describes the network to a page. `here` says whether the page is on
    /// this computer; other pages do not need the addresses.
    pub(crate) fn message(&self, here: bool) -> String {
        let addresses = if here { self.addresses() } else { Vec::new() };
        let shown = |address: SocketAddr| {
            // A private address is only valid within the local network.
            json!({"origin": origin(address), "private": is_private(address.ip())})
        };
        let addresses: Vec<Value> = addresses.into_iter().map(shown).collect();
        let switch = here && self.is_on_request();
        let open = self.is_open() || (!here && !self.proxies.is_empty());
        let scope = if open { "network" } else { "loopback" };
        json!({"t": "network", "scope": scope, "can_change": switch, "addresses": addresses})
            .to_string()
    }

    /// Opens or closes the server to the local network. `here` says whether the request comes from
    /// this computer.
    ///
    /// # Errors
    /// Returns a message for the guest if they are not allowed to do this, or if there is no
    /// network.
    pub(crate) async fn switch(&self, open: bool, here: bool) -> Result<(), String> {
        ensure!(here, "only a browser on the server's own computer can do that");
        let why = "the server was started with --bind: restart it without that option";
        ensure!(self.is_on_request(), why);
        let mut closing = self.closing.lock().await;
        match (open, closing.is_some()) {
            (true, false) => *closing = Some(self.open().await?),
            (false, true) => {
                *closing = None;
                self.open.send_replace(Vec::new());
                tracing::info!("closed to the local network");
            }
            (true, true) | (false, false) => {}
        }
        Ok(())
    }

    /// Opens a listener on every address of this computer. Dropping the returned sender closes
    /// them.
    async fn open(&self) -> Result<watch::Sender<bool>, String> {
        let (closing, closed) = watch::channel(false);
        let mut open = Vec::new();
        let mut error_text = "this computer is not on a network".to_owned();
        for ip in own_addresses() {
            match listen(SocketAddr::new(ip, self.first.port())).await {
                Ok((listener, address)) => {
                    let listener = Listener { listener, closed: Signal(closed.clone()) };
                    // Sending fails if the server is shutting down.
                    if self.listeners.send(listener).is_ok() {
                        open.push(address);
                    }
                }
                Err(error) => {
                    tracing::warn!(%ip, %error, "cannot listen on an address");
                    error_text = format!("cannot listen on {ip}: {error}");
                }
            }
        }
        ensure!(!open.is_empty(), error_text);
        tracing::info!(addresses = ?open, "open to the local network");
        self.open.send_replace(open);
        Ok(closing)
    }
}

/// Listens on an address, on any free port if the port is taken.
async fn listen(wanted: SocketAddr) -> std::io::Result<(TcpListener, SocketAddr)> {
    let listener = match TcpListener::bind(wanted).await {
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            TcpListener::bind(SocketAddr::new(wanted.ip(), 0)).await?
        }
        other => other?,
    };
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Returns this computer's addresses that others may reach, most likely ones first.
fn own_addresses() -> Vec<IpAddr> {
    let interfaces = if_addrs::get_if_addrs()
        .inspect_err(|error| tracing::warn!(%error, "cannot find this computer's addresses"))
        .unwrap_or_default();
    let outwards = outward_address();
    let mut addresses: Vec<IpAddr> =
        interfaces.iter().map(if_addrs::Interface::ip).filter(|ip| is_of_network(*ip)).collect();
    // IPv6 addresses are long to type, so use them only if there are no others.
    if addresses.iter().any(IpAddr::is_ipv4) {
        addresses.retain(IpAddr::is_ipv4);
    }
    addresses.sort_by_key(|ip| (!is_private(*ip), Some(*ip) != outwards, *ip));
    addresses.dedup();
    addresses
}

/// Returns the address that this computer uses for outgoing connections. Nothing is sent.
fn outward_address() -> Option<IpAddr> {
    /// An address reserved for documentation (TEST-NET-2), which no host has.
    const TEST_NET_ADDRESS: Ipv4Addr = Ipv4Addr::new(198, 51, 100, 1);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((TEST_NET_ADDRESS, 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip())
}

/// Whether others may reach this computer at an address. Of IPv6, only unique local addresses
/// count: the others may be reachable from the whole internet.
fn is_of_network(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_link_local() && !ip.is_unspecified(),
        IpAddr::V6(ip) => Ipv6Addr::is_unique_local(&ip),
    }
}

/// Whether an address is only valid within a local network.
fn is_private(ip: IpAddr) -> bool {
    match ip {
        // 100.64.0.0/10 is used by carrier-grade NAT and by private overlay networks.
        IpAddr::V4(ip) => ip.is_private() || (ip.octets()[0] == 100 && ip.octets()[1] >> 6 == 1),
        IpAddr::V6(ip) => ip.is_unique_local(),
    }
}

/// Parses a host as an IP address.
fn parsed(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Whether a host means this computer itself.
pub(crate) fn is_loopback(host: &str) -> bool {
    parsed(host).map_or(host.eq_ignore_ascii_case("localhost"), |address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn network(first: &str) -> (Network, mpsc::UnboundedReceiver<Listener>) {
        let (listeners, opened) = mpsc::unbounded_channel();
        (Network::new(first.parse().expect("an address"), listeners), opened)
    }

    #[test]
    fn only_reachable_addresses_are_listed() {
        for text in ["192.168.1.7", "10.1.2.3", "172.31.0.1", "100.64.0.1", "8.8.8.8", "fd00::1"] {
            assert!(is_of_network(ip(text)), "{text}");
        }
        for text in ["127.0.0.1", "169.254.3.4", "0.0.0.0", "::1", "fe80::1", "2001:db8::1"] {
            assert!(!is_of_network(ip(text)), "{text}");
        }
        for text in ["192.168.1.7", "10.1.2.3", "172.31.0.1", "100.127.0.1", "fd00::1"] {
            assert!(is_private(ip(text)), "{text}");
        }
        for text in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "100.63.0.1"] {
            assert!(!is_private(ip(text)), "{text}");
        }
    }

    #[test]
    fn loopback_server_accepts_only_its_own_hosts() {
        let (network, _opened) = network("127.0.0.1:4444");
        let answers = |host: &str| network.answers_to(host);
        for host in ["localhost", "LOCALHOST", "127.0.0.1", "127.8.8.8", "[::1]"] {
            assert!(answers(host), "{host}");
        }
        let foreign = ["example.org", "localhost.example.org", "192.168.1.7", "[::2]", ""];
        assert!(!foreign.into_iter().any(answers));
        assert!(!network.is_at("http://192.168.1.7:4444"));
        network.open.send_replace(vec!["192.168.1.7:4444".parse().expect("an address")]);
        assert!(answers("192.168.1.7") && !answers("192.168.1.8") && !answers("example.org"));
        assert!(network.is_at("http://192.168.1.7:4444"));
        assert!(!network.is_at("http://192.168.1.7:4445") && !network.is_at("http://example.org"));
    }

    #[tokio::test]
    async fn remote_pages_cannot_switch_and_get_no_addresses() {
        let (network, mut opened) = network("127.0.0.1:4444");
        let refusal = network.switch(true, false).await.unwrap_err();
        assert_eq!(refusal, "only a browser on the server's own computer can do that");
        assert!(opened.try_recv().is_err() && !network.is_open());
        let message = r#"{"addresses":[],"can_change":false,"scope":"loopback","t":"network"}"#;
        assert_eq!(network.message(false), message);
    }

    #[tokio::test]
    async fn server_started_on_a_network_address_stays_open() {
        let (network, _opened) = network("192.0.2.200:80");
        assert!(network.switch(false, true).await.unwrap_err().contains("--bind"));
        assert!(network.answers_to("arena.local") && network.is_at("http://192.0.2.200:80"));
        let message = network.message(true);
        assert!(message.contains(r#""can_change":false,"scope":"network""#), "{message}");
        assert!(
            message.contains(r#"[{"origin":"http://192.0.2.200:80","private":false}]"#),
            "{message}"
        );
    }

    #[tokio::test]
    async fn another_port_is_used_if_the_port_is_taken() {
        let taken = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let wanted = taken.local_addr().expect("its address");
        let (_listener, address) = listen(wanted).await.expect("another port");
        assert_eq!(address.ip(), wanted.ip());
        assert_ne!(address.port(), wanted.port());
    }
}
