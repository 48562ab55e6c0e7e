//! Positions as bytes: those from play are valid, and damaged ones are rejected or playable.

use fourfold_common::SplitMix64;
use fourfold_four_player::{Position, Rules, StartPosition, random_walk};
use fourfold_oracle::harness::flip_bits;

#[test]
fn positions_from_play_are_valid_and_damaged_ones_are_rejected_or_playable() {
    let mut rng = SplitMix64::new(1);
    let (mut rejected, mut accepted) = (0, 0);
    let rules = ["", "teams", "immediate survivor", "forbid-king-capture walking-king"];
    for seed in 0..16 {
        let rules = Rules::parse(rules[seed as usize % rules.len()]).expect("known words");
        let start = Position::start(StartPosition::ALL[seed as usize % 5], rules);
        for position in random_walk(start, seed) {
            assert!(position.is_valid(), "{position}");
            let bytes = flip_bits(bytemuck::bytes_of(&position), || rng.next());
            let damaged: Position = bytemuck::pod_read_unaligned(&bytes);
            if damaged.is_valid() {
                accepted += 1;
                random_walk(damaged, seed)
                    .take(20)
                    .for_each(|position| assert!(position.is_valid()));
            } else {
                rejected += 1;
            }
        }
    }
    assert!(rejected > 1000 && accepted > 0, "{rejected} rejected, {accepted} accepted");
}
