//! Rate limits and connection limits.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fourfold_table::ensure;
use tokio::time::Instant;

use crate::hub::lock;

/// A token bucket that refills at a fixed rate and allows bursts of up to four seconds' worth.
pub(crate) struct TokenBucket {
    per_second: u32,
    /// When the bucket will be full again, as if nothing had ever been sent.
    full_at: Instant,
    refused: u32,
}

impl TokenBucket {
    const BURST: Duration = Duration::from_secs(4);
    /// The number of messages refused in a row after which the server disconnects.
    const PATIENCE: u32 = 500;

    pub(crate) fn new(per_second: u32, now: Instant) -> TokenBucket {
        TokenBucket { per_second, full_at: now, refused: 0 }
    }

    pub(crate) fn spend(&mut self, now: Instant) -> bool {
        let token = Duration::from_secs(1).checked_div(self.per_second);
        let full_at = token.map(|token| self.full_at.max(now) + token);
        let Some(full_at) = full_at.filter(|full_at| *full_at <= now + TokenBucket::BURST) else {
            self.refused += 1;
            return false;
        };
        (self.full_at, self.refused) = (full_at, 0);
        true
    }

    pub(crate) fn is_overdrawn(&self) -> bool {
        self.refused > TokenBucket::PATIENCE
    }
}

/// Token buckets by key: an address, or a guest, who may have several connections.
pub(crate) struct TokenBuckets<K> {
    per_second: u32,
    known: Mutex<HashMap<K, TokenBucket>>,
}

impl<K: Eq + Hash> TokenBuckets<K> {
    /// The maximum number of keys to track.
    const MOST: usize = 10_000;

    pub(crate) fn new(per_second: u32) -> TokenBuckets<K> {
        TokenBuckets { per_second, known: Mutex::default() }
    }

    /// Whether this key may make another request.
    pub(crate) fn spend(&self, key: K, now: Instant) -> bool {
        let mut known = lock(&self.known);
        if known.len() >= Self::MOST && !known.contains_key(&key) {
            known.retain(|_, bucket| bucket.full_at > now);
            if known.len() >= Self::MOST {
                return false;
            }
        }
        known.entry(key).or_insert_with(|| TokenBucket::new(self.per_second, now)).spend(now)
    }
}

/// Returns the address under which a client is counted. IPv6 clients are limited by /64 prefix.
pub(crate) fn rate_key(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address @ IpAddr::V4(_) => address,
    }
}

/// Limits the number of open connections, in total and per key: an address or a guest.
pub(crate) struct ConnectionLimiter<K> {
    most: usize,
    most_of_one: usize,
    /// The number of open connections of each key that has any.
    open: Mutex<HashMap<K, usize>>,
}

/// Why a connection is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LimitReached {
    /// There are too many in total.
    All,
    /// There are too many with the same key.
    Own,
}

impl<K: Eq + Hash + Clone> ConnectionLimiter<K> {
    pub(crate) fn new(most: usize, most_of_one: usize) -> Arc<ConnectionLimiter<K>> {
        Arc::new(ConnectionLimiter { most, most_of_one, open: Mutex::default() })
    }

    /// Returns the number of open connections.
    pub(crate) fn len(&self) -> usize {
        lock(&self.open).values().sum()
    }

    /// Takes a permit for one more connection.
    ///
    /// # Errors
    /// Fails if there are too many.
    pub(crate) fn acquire(
        self: &Arc<ConnectionLimiter<K>>,
        key: K,
    ) -> Result<Permit<K>, LimitReached> {
        self.acquire_up_to(key, self.most_of_one)
    }

    /// Like [`ConnectionLimiter::acquire`], with `most_of_one` as the limit of this key.
    ///
    /// # Errors
    /// Fails if there are too many.
    pub(crate) fn acquire_up_to(
        self: &Arc<ConnectionLimiter<K>>,
        key: K,
        most_of_one: usize,
    ) -> Result<Permit<K>, LimitReached> {
        let mut open = lock(&self.open);
        ensure!(open.values().sum::<usize>() < self.most, LimitReached::All);
        let count = open.get(&key).copied().unwrap_or(0);
        ensure!(count < most_of_one, LimitReached::Own);
        open.insert(key.clone(), count + 1);
        Ok(Permit { limiter: self.clone(), key })
    }
}

/// Permission for one connection. Dropping it releases the slot.
pub(crate) struct Permit<K: Eq + Hash> {
    limiter: Arc<ConnectionLimiter<K>>,
    key: K,
}

impl<K: Eq + Hash> Drop for Permit<K> {
    fn drop(&mut self) {
        let mut open = lock(&self.limiter.open);
        if let Some(count) = open.get_mut(&self.key) {
            *count -= 1;
        }
        open.retain(|_, count| *count > 0);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(number: u32) -> IpAddr {
        IpAddr::V4(Ipv4Addr::from_bits(number))
    }

    #[test]
    fn a_burst_is_limited_to_four_seconds_worth() {
        let (buckets, now) = (TokenBuckets::new(5), Instant::now());
        for _ in 0..20 {
            assert!(buckets.spend(address(1), now));
        }
        assert!(!buckets.spend(address(1), now));
        assert!(buckets.spend(address(2), now), "others have their own");
        let later = now + Duration::from_secs(1);
        let spent = (0..20).filter(|_| buckets.spend(address(1), later)).count();
        assert_eq!(spent, 5);
    }

    #[test]
    fn idle_addresses_are_forgotten() {
        let (buckets, now) = (TokenBuckets::new(5), Instant::now());
        for number in 0..TokenBuckets::<IpAddr>::MOST as u32 {
            assert!(buckets.spend(address(number), now));
        }
        assert!(!buckets.spend(address(u32::MAX), now), "all of these have just asked");
        assert!(buckets.spend(address(7), now), "a known address goes on");
        assert!(buckets.spend(address(u32::MAX), now + Duration::from_secs(4)));
        assert_eq!(lock(&buckets.known).len(), 1);
    }

    #[test]
    fn ipv6_clients_are_limited_by_prefix() {
        let keys =
            ["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1", "::ffff:10.0.0.1", "10.0.0.1"];
        let keys = keys.map(|text| rate_key(text.parse().expect("an address")).to_string());
        assert_eq!(keys, ["2001:db8::", "2001:db8::", "2001:db8:0:1::", "10.0.0.1", "10.0.0.1"]);
    }

    #[test]
    fn connections_are_limited_by_address_and_in_total() {
        let limiter = ConnectionLimiter::new(3, 2);
        let first = limiter.acquire(address(1)).ok();
        let _second = limiter.acquire(address(1));
        assert_eq!(limiter.acquire(address(1)).err(), Some(LimitReached::Own));
        let _third = limiter.acquire(address(2));
        assert_eq!(limiter.acquire(address(3)).err(), Some(LimitReached::All));
        drop(first);
        assert_eq!(limiter.len(), 2);
        assert!(limiter.acquire(address(1)).is_ok());
        assert!(!lock(&limiter.open).contains_key(&address(3)));
    }
}
