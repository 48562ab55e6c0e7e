//! Any order is either accepted, or refused with a reason.

use fourfold_common::SplitMix64;

use super::properties::{self, RULES};

#[test]
fn arbitrary_orders_are_accepted_or_refused_with_a_reason() {
    let mut rng = SplitMix64::new(4);
    for number in 0..40 {
        let bytes: Vec<u8> = (0..600).map(|_| rng.next() as u8).collect();
        properties::orders(RULES[number % RULES.len()], &bytes);
    }
}
