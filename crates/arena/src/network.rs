//! Who reaches the server: this computer alone, or the local network too, once somebody here wants it.
//!
//! A server that was started on loopback opens listeners of its own for the network, one on each
//! address of this computer, and closes them again; the first one stays as it is, and games go on.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use serde::Serialize;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, mpsc, watch};

/// A way in.
pub(crate) struct Entrance {
    pub(crate) listener: TcpListener,
    /// Becomes true when it closes, and all who came in by it must go.
    closed: watch::Receiver<bool>,
}

impl Entrance {
    pub(crate) fn new(listener: TcpListener, closed: watch::Receiver<bool>) -> Entrance {
        Entrance { listener, closed }
    }

    /// Waits until it closes.
    pub(crate) async fn closed(&self) {
        closed(&self.closed).await;
    }
}

/// How somebody came in.
#[derive(Clone)]
pub(crate) struct Way {
    /// Whether by this computer's own loopback.
    pub(crate) by_loopback: bool,
    closed: watch::Receiver<bool>,
}

impl Way {
    /// Of somebody with an address, who came in by an entrance.
    pub(crate) fn new(address: IpAddr, entrance: &Entrance) -> Way {
        let by_loopback = address.to_canonical().is_loopback();
        Way { by_loopback, closed: entrance.closed.clone() }
    }

    /// Waits until the entrance closes.
    pub(crate) async fn closed(&self) {
        closed(&self.closed).await;
    }
}

async fn closed(closed: &watch::Receiver<bool>) {
    // An error means that nobody is left to close it, which is the end as well.
    let _ = closed.clone().wait_for(|closed| *closed).await;
}

/// Who can reach a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    /// This computer.
    Loopback,
    /// Whoever reaches this computer.
    Network,
}

/// An address of the server, as pages show it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Address {
    origin: String,
    /// Whether it means nothing outside of the local network.
    private: bool,
}

impl Address {
    fn new(address: SocketAddr) -> Address {
        Address { origin: format!("http://{address}"), private: is_private(address.ip()) }
    }
}

/// The server's place in the network.
pub(crate) struct Network {
    /// Where it was started.
    first: SocketAddr,
    /// Takes what is opened.
    entrances: mpsc::UnboundedSender<Entrance>,
    /// What is open beside the first.
    open: watch::Sender<Vec<SocketAddr>>,
    /// Closes that.
    closing: Mutex<Option<watch::Sender<bool>>>,
}

impl Network {
    /// Of a server that was started at an address; what is opened goes to `entrances`.
    pub(crate) fn new(first: SocketAddr, entrances: mpsc::UnboundedSender<Entrance>) -> Network {
        let (open, closing) = (watch::Sender::new(Vec::new()), Mutex::default());
        Network { first, entrances, open, closing }
    }

    /// Whether it was started for this computer alone: then the network is asked for, or not.
    fn is_on_request(&self) -> bool {
        self.first.ip().is_loopback()
    }

    fn scope(&self) -> Scope {
        match self.is_on_request() && self.open.borrow().is_empty() {
            true => Scope::Loopback,
            false => Scope::Network,
        }
    }

    /// Where others reach the server, or would if it were open to them.
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

    /// Whether the server answers to a name or an address. One that was started for the network does to
    /// any; else a foreign site whose name leads to this computer must not talk to it.
    pub(crate) fn answers_to(&self, host: &str) -> bool {
        let named = |address: &SocketAddr| parsed(host) == Some(address.ip());
        !self.is_on_request() || is_loopback(host) || self.open.borrow().iter().any(named)
    }

    /// Whether others reach the server by the beginning of an address, as `http://10.0.0.7:4444`.
    pub(crate) fn is_at(&self, origin: &str) -> bool {
        self.scope() == Scope::Network
            && self.addresses().into_iter().any(|address| Address::new(address).origin == origin)
    }

    /// Hears when it opens or closes.
    pub(crate) fn changes(&self) -> watch::Receiver<Vec<SocketAddr>> {
        self.open.subscribe()
    }

    /// What a page is told; `here` says whether it is on this computer. Others need no addresses: they
    /// have one.
    pub(crate) fn told(&self, here: bool) -> String {
        let addresses = if here { self.addresses() } else { Vec::new() };
        let addresses: Vec<Address> = addresses.into_iter().map(Address::new).collect();
        let switch = here && self.is_on_request();
        let scope = self.scope();
        json!({"t": "network", "scope": scope, "switch": switch, "addresses": addresses})
            .to_string()
    }

    /// Lets the local network in, or not any more, as somebody wishes who is on this computer or not.
    ///
    /// # Errors
    /// If it may not be wished, or there is no network; in words for the guest.
    pub(crate) async fn switch(&self, open: bool, here: bool) -> Result<(), String> {
        if !here {
            return Err(
                "only somebody at the computer that serves the games can do that".to_owned()
            );
        }
        if !self.is_on_request() {
            let why = "the server was started for the network: start it without --bind to choose";
            return Err(why.to_owned());
        }
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

    /// Opens a way in on every address of this computer; what comes back closes them when it is dropped.
    async fn open(&self) -> Result<watch::Sender<bool>, String> {
        let (closing, closed) = watch::channel(false);
        let mut open = Vec::new();
        let mut trouble = "this computer has no address in a network".to_owned();
        for ip in own_addresses() {
            match listen(SocketAddr::new(ip, self.first.port())).await {
                Ok((listener, address)) => {
                    let entrance = Entrance::new(listener, closed.clone());
                    // Nobody takes it if the server goes down.
                    if self.entrances.send(entrance).is_ok() {
                        open.push(address);
                    }
                }
                Err(error) => {
                    tracing::warn!(%ip, %error, "cannot listen there");
                    trouble = format!("this computer cannot listen at {ip}: {error}");
                }
            }
        }
        if open.is_empty() {
            return Err(trouble);
        }
        tracing::info!(addresses = ?open, "open to the local network");
        self.open.send_replace(open);
        Ok(closing)
    }
}

/// Listens at an address, at another port if that one is taken.
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

/// This computer's addresses that others may reach, those that they most likely do first.
fn own_addresses() -> Vec<IpAddr> {
    let interfaces = if_addrs::get_if_addrs().unwrap_or_else(|error| {
        tracing::warn!(%error, "this computer's addresses cannot be found");
        Vec::new()
    });
    let outwards = outward_address();
    let mut addresses: Vec<IpAddr> =
        interfaces.iter().map(if_addrs::Interface::ip).filter(|ip| is_of_network(*ip)).collect();
    // Those of the newer kind are long to type: they are for networks that have no others.
    if addresses.iter().any(IpAddr::is_ipv4) {
        addresses.retain(IpAddr::is_ipv4);
    }
    addresses.sort_by_key(|ip| (!is_private(*ip), Some(*ip) != outwards, *ip));
    addresses.dedup();
    addresses
}

/// The address by which this computer goes outwards. Nothing is sent to find it.
fn outward_address() -> Option<IpAddr> {
    /// An address of the documents, which nobody has.
    const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(198, 51, 100, 1);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((ELSEWHERE, 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip())
}

/// Whether an address leads to this computer from another one. Of the newer kind only those of local
/// networks are told: the others are open to all the world.
fn is_of_network(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_link_local() && !ip.is_unspecified(),
        IpAddr::V6(ip) => Ipv6Addr::is_unique_local(&ip),
    }
}

/// Whether an address means nothing outside of a local network.
fn is_private(ip: IpAddr) -> bool {
    match ip {
        // 100.64.0.0/10 is shared by those behind one provider, or by computers in a network of their own.
        IpAddr::V4(ip) => ip.is_private() || (ip.octets()[0] == 100 && ip.octets()[1] >> 6 == 1),
        IpAddr::V6(ip) => ip.is_unique_local(),
    }
}

/// The address that a host is.
fn parsed(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Whether a host is this computer for itself.
pub(crate) fn is_loopback(host: &str) -> bool {
    parsed(host).map_or(host.eq_ignore_ascii_case("localhost"), |address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn network(first: &str) -> (Network, mpsc::UnboundedReceiver<Entrance>) {
        let (entrances, opened) = mpsc::unbounded_channel();
        (Network::new(first.parse().expect("an address"), entrances), opened)
    }

    #[test]
    fn only_addresses_that_others_reach_are_told() {
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
    fn a_server_on_loopback_answers_to_loopback_and_to_what_it_has_opened() {
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
    async fn who_is_elsewhere_switches_nothing_nor_is_told_addresses() {
        let (network, mut opened) = network("127.0.0.1:4444");
        let refusal = network.switch(true, false).await.unwrap_err();
        assert_eq!(refusal, "only somebody at the computer that serves the games can do that");
        assert!(opened.try_recv().is_err() && network.scope() == Scope::Loopback);
        let told = r#"{"addresses":[],"scope":"loopback","switch":false,"t":"network"}"#;
        assert_eq!(network.told(false), told);
    }

    #[tokio::test]
    async fn what_was_started_for_the_network_stays_open() {
        let (network, _opened) = network("192.0.2.200:80");
        assert!(network.switch(false, true).await.unwrap_err().contains("--bind"));
        assert!(network.answers_to("arena.local") && network.is_at("http://192.0.2.200:80"));
        let told = network.told(true);
        assert!(told.contains(r#""scope":"network","switch":false"#), "{told}");
        assert!(told.contains(r#"[{"origin":"http://192.0.2.200:80","private":false}]"#), "{told}");
    }

    #[tokio::test]
    async fn a_port_that_is_taken_is_not_insisted_on() {
        let taken = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let wanted = taken.local_addr().expect("its address");
        let (_listener, address) = listen(wanted).await.expect("another port");
        assert_eq!(address.ip(), wanted.ip());
        assert_ne!(address.port(), wanted.port());
    }
}
