//! Rate limits and connection limits.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};

use tokio::time::Instant;

use crate::hub::lock;

/// A token bucket that refills at a fixed rate and allows bursts of up to four seconds' worth.
pub(crate) struct Allowance {
    per_second: f64,
    left: f64,
    since: Instant,
    refused: u32,
}

impl Allowance {
    const SECONDS: f64 = 4.0;
    /// The number of messages refused in a row after which the server disconnects.
    const PATIENCE: u32 = 500;

    pub(crate) fn new(per_second: u32, now: Instant) -> Allowance {
        let per_second = f64::from(per_second);
        let left = per_second * Allowance::SECONDS;
        Allowance { per_second, left, since: now, refused: 0 }
    }

    pub(crate) fn spend(&mut self, now: Instant) -> bool {
        self.earn(now);
        if self.left < 1.0 {
            self.refused += 1;
            return false;
        }
        self.left -= 1.0;
        self.refused = 0;
        true
    }

    fn earn(&mut self, now: Instant) {
        let earned = now.duration_since(self.since).as_secs_f64() * self.per_second;
        self.left = (self.left + earned).min(self.per_second * Allowance::SECONDS);
        self.since = now;
    }

    pub(crate) fn is_overdrawn(&self) -> bool {
        self.refused > Allowance::PATIENCE
    }

    /// Whether the bucket is full, as if nothing had ever been sent.
    fn is_whole(&mut self, now: Instant) -> bool {
        self.earn(now);
        self.left >= self.per_second * Allowance::SECONDS
    }
}

/// Token buckets by address, for clients without a lasting connection.
pub(crate) struct Allowances {
    per_second: u32,
    known: Mutex<HashMap<IpAddr, Allowance>>,
}

impl Allowances {
    /// The maximum number of addresses to track.
    const MOST: usize = 10_000;

    pub(crate) fn new(per_second: u32) -> Allowances {
        Allowances { per_second, known: Mutex::default() }
    }

    /// Whether an address may make another request.
    pub(crate) fn spend(&self, address: IpAddr, now: Instant) -> bool {
        let mut known = lock(&self.known);
        if known.len() >= Allowances::MOST && !known.contains_key(&address) {
            known.retain(|_, allowance| !allowance.is_whole(now));
            if known.len() >= Allowances::MOST {
                return false;
            }
        }
        known.entry(address).or_insert_with(|| Allowance::new(self.per_second, now)).spend(now)
    }
}

/// Returns the address under which a client is counted. IPv6 clients are limited by /64 prefix.
pub(crate) fn home(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address @ IpAddr::V4(_) => address,
    }
}

/// Limits the number of open connections, in total and per key: an address or a guest.
pub(crate) struct ConnectionLimiter<K> {
    most: usize,
    most_of_one: usize,
    inside: Mutex<Connections<K>>,
}

struct Connections<K> {
    all: usize,
    each: HashMap<K, usize>,
}

/// Why a connection is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Full {
    /// There are too many in total.
    All,
    /// There are too many with the same key.
    Own,
}

impl<K: Eq + Hash + Clone> ConnectionLimiter<K> {
    pub(crate) fn new(most: usize, most_of_one: usize) -> Arc<ConnectionLimiter<K>> {
        let inside = Mutex::new(Connections { all: 0, each: HashMap::new() });
        Arc::new(ConnectionLimiter { most, most_of_one, inside })
    }

    /// Returns the number of open connections.
    pub(crate) fn len(&self) -> usize {
        lock(&self.inside).all
    }

    /// Takes a permit for one more connection.
    ///
    /// # Errors
    /// Fails if there are too many.
    pub(crate) fn enter(self: &Arc<ConnectionLimiter<K>>, who: K) -> Result<Permit<K>, Full> {
        let mut inside = lock(&self.inside);
        if inside.all >= self.most {
            return Err(Full::All);
        }
        let count = inside.each.get(&who).copied().unwrap_or(0);
        if count >= self.most_of_one {
            return Err(Full::Own);
        }
        inside.each.insert(who.clone(), count + 1);
        inside.all += 1;
        Ok(Permit { crowd: self.clone(), who })
    }
}

/// Permission for one connection. Dropping it releases the slot.
pub(crate) struct Permit<K: Eq + Hash> {
    crowd: Arc<ConnectionLimiter<K>>,
    who: K,
}

impl<K: Eq + Hash> Drop for Permit<K> {
    fn drop(&mut self) {
        let mut inside = lock(&self.crowd.inside);
        inside.all -= 1;
        if let Some(count) = inside.each.get_mut(&self.who) {
            *count -= 1;
            if *count == 0 {
                inside.each.remove(&self.who);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::time::Duration;

    use super::*;

    fn address(number: u32) -> IpAddr {
        IpAddr::V4(Ipv4Addr::from_bits(number))
    }

    #[test]
    fn four_seconds_worth_may_be_asked_at_once_and_no_more() {
        let (allowances, now) = (Allowances::new(5), Instant::now());
        for _ in 0..20 {
            assert!(allowances.spend(address(1), now));
        }
        assert!(!allowances.spend(address(1), now));
        assert!(allowances.spend(address(2), now), "others have their own");
        let later = now + Duration::from_secs(1);
        let spent = (0..20).filter(|_| allowances.spend(address(1), later)).count();
        assert_eq!(spent, 5);
    }

    #[test]
    fn addresses_that_ask_no_more_are_forgotten() {
        let (allowances, now) = (Allowances::new(5), Instant::now());
        for number in 0..Allowances::MOST as u32 {
            assert!(allowances.spend(address(number), now));
        }
        assert!(!allowances.spend(address(u32::MAX), now), "all of these have just asked");
        assert!(allowances.spend(address(7), now), "who is known goes on");
        assert!(allowances.spend(address(u32::MAX), now + Duration::from_secs(4)));
        assert_eq!(lock(&allowances.known).len(), 1);
    }

    #[test]
    fn a_household_is_one_address() {
        let homes =
            ["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1", "::ffff:10.0.0.1", "10.0.0.1"];
        let homes = homes.map(|text| home(text.parse().expect("an address")).to_string());
        assert_eq!(homes, ["2001:db8::", "2001:db8::", "2001:db8:0:1::", "10.0.0.1", "10.0.0.1"]);
    }

    #[test]
    fn a_crowd_is_counted_by_address_and_in_all() {
        let crowd = ConnectionLimiter::new(3, 2);
        let first = crowd.enter(address(1)).ok();
        let _second = crowd.enter(address(1));
        assert_eq!(crowd.enter(address(1)).err(), Some(Full::Own));
        let _third = crowd.enter(address(2));
        assert_eq!(crowd.enter(address(3)).err(), Some(Full::All));
        drop(first);
        assert_eq!(crowd.len(), 2);
        assert!(crowd.enter(address(1)).is_ok());
        assert!(!lock(&crowd.inside).each.contains_key(&address(3)));
    }
}
