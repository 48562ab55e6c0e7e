//! How often somebody may ask, and how many may be in somewhere at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};

use tokio::time::Instant;

use crate::hub::lock;

/// How many messages somebody may still send: so many a second, and a few seconds' worth at once.
pub(crate) struct Allowance {
    per_second: f64,
    left: f64,
    since: Instant,
    refused: u32,
}

impl Allowance {
    const SECONDS: f64 = 4.0;
    /// As often in a row a message is refused before the server hangs up.
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

    /// Whether it is as if nothing had ever been sent.
    fn is_whole(&mut self, now: Instant) -> bool {
        self.earn(now);
        self.left >= self.per_second * Allowance::SECONDS
    }
}

/// The allowances of those who have no connection that lasts, by their addresses.
pub(crate) struct Allowances {
    per_second: u32,
    known: Mutex<HashMap<IpAddr, Allowance>>,
}

impl Allowances {
    /// So many addresses are told apart.
    const MOST: usize = 10_000;

    pub(crate) fn new(per_second: u32) -> Allowances {
        Allowances { per_second, known: Mutex::default() }
    }

    /// Whether an address may ask once more.
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

/// The address by which somebody is counted. A household has 2^64 addresses of the newer kind: they
/// count as one.
pub(crate) fn home(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address @ IpAddr::V4(_) => address,
    }
}

/// Those who are in somewhere, counted by their addresses, or by who they are.
pub(crate) struct Crowd<K> {
    most: usize,
    most_of_one: usize,
    inside: Mutex<Inmates<K>>,
}

struct Inmates<K> {
    all: usize,
    each: HashMap<K, usize>,
}

/// Why somebody does not come in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Full {
    /// There are too many.
    All,
    /// There are too many from the same address.
    Own,
}

impl<K: Eq + Hash + Clone> Crowd<K> {
    pub(crate) fn new(most: usize, most_of_one: usize) -> Arc<Crowd<K>> {
        let inside = Mutex::new(Inmates { all: 0, each: HashMap::new() });
        Arc::new(Crowd { most, most_of_one, inside })
    }

    /// How many are in.
    pub(crate) fn len(&self) -> usize {
        lock(&self.inside).all
    }

    /// Lets one in.
    ///
    /// # Errors
    /// If there are too many.
    pub(crate) fn enter(self: &Arc<Crowd<K>>, who: K) -> Result<Inside<K>, Full> {
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
        Ok(Inside { crowd: self.clone(), who })
    }
}

/// One who was let in; dropped when it leaves.
pub(crate) struct Inside<K: Eq + Hash> {
    crowd: Arc<Crowd<K>>,
    who: K,
}

impl<K: Eq + Hash> Drop for Inside<K> {
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
        let crowd = Crowd::new(3, 2);
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
