//! Positions as bytes: those from play are valid, and damaged ones are rejected or playable.

use fourfold_blokus::{Position, Variant, random_walk};
use fourfold_common::SplitMix64;
use fourfold_oracle::harness::flip_bits;

#[test]
fn positions_from_play_are_valid_and_damaged_ones_are_rejected_or_playable() {
    let mut rng = SplitMix64::new(1);
    let mut rejected = 0;
    let names = ["classic", "duo", "classic-3", "two-5+free", "classic-2", "four-22"];
    for seed in 0..30 {
        let variant = Variant::from_name(names[seed as usize % names.len()]).expect("a name");
        for position in random_walk(Position::start(variant), seed) {
            assert!(position.is_valid(), "{position}");
            let bytes = flip_bits(bytemuck::bytes_of(&position), || rng.next());
            let damaged: Position = bytemuck::pod_read_unaligned(&bytes);
            if damaged.is_valid() {
                random_walk(damaged, seed)
                    .take(20)
                    .for_each(|position| assert!(position.is_valid()));
            } else {
                rejected += 1;
            }
        }
    }
    assert!(rejected > 1000, "{rejected} rejected");
}
