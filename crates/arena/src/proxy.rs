//! Reverse proxies: whose `X-Forwarded-*` headers count, and what they say.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName};
use fourfold_table::quote_short;

/// The addresses of reverse proxies that are trusted. Headers of all other clients are ignored.
///
/// ```
/// let proxies: fourfold_arena::Proxies = "127.0.0.1,10.0.0.0/8".parse()?;
/// # Ok::<(), fourfold_arena::ParseProxiesError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Proxies {
    /// Addresses, and how many of their leading bits count.
    networks: Vec<(IpAddr, u8)>,
}

/// Why a text does not name proxies.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected addresses such as 127.0.0.1 or 10.0.0.0/8, separated by commas, got '{0}'")]
pub struct ParseProxiesError(String);

impl FromStr for Proxies {
    type Err = ParseProxiesError;

    fn from_str(text: &str) -> Result<Proxies, ParseProxiesError> {
        let network = |text: &str| {
            let (address, bits) = match text.split_once('/') {
                Some((address, bits)) => (address, Some(bits.parse::<u8>().ok()?)),
                None => (text, None),
            };
            let address: IpAddr = address.parse().ok()?;
            let most = if address.is_ipv4() { 32 } else { 128 };
            let bits = bits.unwrap_or(most);
            (bits <= most).then_some((address, bits))
        };
        let networks = text.split(',').map(|part| {
            network(part.trim()).ok_or_else(|| ParseProxiesError(quote_short(part).to_string()))
        });
        Ok(Proxies { networks: networks.collect::<Result<_, _>>()? })
    }
}

/// What a trusted proxy says about a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Forwarded {
    /// The address of the client.
    pub(crate) client: IpAddr,
    /// Whether the client uses HTTPS.
    pub(crate) secure: bool,
    /// The host that the client asked for, if the proxy changed it.
    pub(crate) host: Option<String>,
}

impl Proxies {
    /// Whether there are any.
    pub(crate) fn is_empty(&self) -> bool {
        self.networks.is_empty()
    }

    /// Whether an address belongs to a trusted proxy.
    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.networks.iter().any(|(network, bits)| match (network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let differ = network.to_bits() ^ address.to_bits();
                differ.leading_zeros() >= u32::from(*bits)
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let differ = network.to_bits() ^ address.to_bits();
                differ.leading_zeros() >= u32::from(*bits)
            }
            _ => false,
        })
    }

    /// Returns what the headers say about a request from `peer`, if it is a trusted proxy that names
    /// its client.
    pub(crate) fn forwarded(&self, peer: IpAddr, headers: &HeaderMap) -> Option<Forwarded> {
        if !self.trusts(peer) {
            return None;
        }
        // Each proxy appends the address that it was called from. What stands before the first
        // address that is not a proxy's may be made up.
        let mut client = None;
        for text in values(headers, "x-forwarded-for").into_iter().rev() {
            let Some(address) = address(text) else { break };
            client = Some(address);
            if !self.trusts(address) {
                break;
            }
        }
        let last = |name| values(headers, name).pop();
        Some(Forwarded {
            client: client?,
            secure: last("x-forwarded-proto")
                .is_some_and(|proto| proto.eq_ignore_ascii_case("https")),
            host: last("x-forwarded-host").map(str::to_owned),
        })
    }
}

/// Returns all values of a header that is a list.
fn values<'a>(headers: &'a HeaderMap, name: &'static str) -> Vec<&'a str> {
    let lines = headers.get_all(HeaderName::from_static(name)).iter();
    let lines = lines.map(|line| line.to_str().unwrap_or_default());
    lines.flat_map(|line| line.split(',')).map(str::trim).collect()
}

/// Parses an address, which some proxies write with a port.
fn address(text: &str) -> Option<IpAddr> {
    let address = text.parse().ok();
    let address = address.or_else(|| Some(text.parse::<std::net::SocketAddr>().ok()?.ip()));
    address.or_else(|| text.strip_prefix('[')?.strip_suffix(']')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().expect("a header"));
        }
        headers
    }

    #[test]
    fn proxies_are_named_by_address_or_network() {
        let proxies: Proxies = "127.0.0.1, 10.0.0.0/8,fd00::/8".parse().expect("proxies");
        for text in ["127.0.0.1", "10.1.2.3", "::ffff:10.1.2.3", "fd12::1"] {
            assert!(proxies.trusts(ip(text)), "{text}");
        }
        for text in ["127.0.0.2", "11.0.0.1", "::1", "fe80::1"] {
            assert!(!proxies.trusts(ip(text)), "{text}");
        }
        let all: Proxies = "0.0.0.0/0".parse().expect("proxies");
        assert!(all.trusts(ip("8.8.8.8")) && !all.trusts(ip("::1")));
        for text in ["", "localhost", "10.0.0.0/33", "10.0.0.0/x", "127.0.0.1,", "::1/129"] {
            let error = text.parse::<Proxies>().expect_err("not an address").to_string();
            assert!(error.starts_with("expected addresses such as"), "{error}");
        }
        assert!(!Proxies::default().trusts(ip("127.0.0.1")));
    }

    #[test]
    fn only_headers_of_trusted_proxies_count() {
        let proxies: Proxies = "127.0.0.1,10.0.0.0/8".parse().expect("proxies");
        let told = headers(&[
            ("x-forwarded-for", "1.2.3.4"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-host", "play.example.org"),
        ]);
        let forwarded = proxies.forwarded(ip("127.0.0.1"), &told).expect("it is trusted");
        assert_eq!((forwarded.client, forwarded.secure), (ip("1.2.3.4"), true));
        assert_eq!(forwarded.host.as_deref(), Some("play.example.org"));
        assert_eq!(proxies.forwarded(ip("192.168.1.1"), &told), None);
        // A request of this computer's own browser.
        assert_eq!(proxies.forwarded(ip("127.0.0.1"), &HeaderMap::new()), None);
    }

    #[test]
    fn made_up_addresses_do_not_count() {
        let proxies: Proxies = "127.0.0.1,10.0.0.0/8".parse().expect("proxies");
        let client = |lines: &[&str]| {
            let pairs: Vec<_> = lines.iter().map(|line| ("x-forwarded-for", *line)).collect();
            let forwarded = proxies.forwarded(ip("127.0.0.1"), &headers(&pairs));
            forwarded.map(|forwarded| forwarded.client)
        };
        // The client said 6.6.6.6; two proxies appended what they saw.
        assert_eq!(client(&["6.6.6.6, 1.2.3.4, 10.0.0.7"]), Some(ip("1.2.3.4")));
        assert_eq!(client(&["6.6.6.6", "1.2.3.4"]), Some(ip("1.2.3.4")));
        assert_eq!(client(&["1.2.3.4:5678"]), Some(ip("1.2.3.4")));
        assert_eq!(client(&["[2001:db8::1]:443"]), Some(ip("2001:db8::1")));
        assert_eq!(client(&["6.6.6.6, nonsense, 10.0.0.7"]), Some(ip("10.0.0.7")));
        assert_eq!(client(&["nonsense"]), None);
    }
}
