//! Games as bytes: those from play are valid, and damaged ones are rejected or playable.

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{Game, NoEvents};
use fourfold_oracle::harness::flip_bits;

use super::properties::{RULES, below, random_game};

#[test]
fn games_from_play_are_valid_and_damaged_ones_are_rejected_or_playable() {
    let mut rng = SplitMix64::new(1);
    let (mut rejected, mut accepted) = (0, 0);
    for number in 0..100 {
        let (replay, _, last) = random_game(RULES[number % RULES.len()], &mut rng);
        let seeker = replay.seeker().expect("it was just played");
        for _ in 0..20 {
            let tick = below(&mut rng, replay.end as usize + 1) as u64;
            let game = if below(&mut rng, 4) == 0 { last } else { seeker.seek(tick) };
            let stored = game.without_predictions();
            assert!(stored.is_valid(), "{game}");
            let (mut one, mut other) = (game, stored);
            one.advance_to(tick + 500, &mut NoEvents);
            other.advance_to(tick + 500, &mut NoEvents);
            assert_eq!(one, other);

            let mut bytes = bytemuck::bytes_of(&stored).to_vec();
            if below(&mut rng, 4) == 0 {
                let place = below(&mut rng, bytes.len());
                bytes[place] = u8::MAX;
            } else {
                bytes = flip_bits(&bytes, || rng.next());
            }
            let mut damaged: Game = bytemuck::pod_read_unaligned(&bytes);
            if damaged.is_valid() {
                accepted += 1;
                damaged.advance_to(damaged.now() + 500, &mut NoEvents);
                assert!(damaged.without_predictions().is_valid());
            } else {
                rejected += 1;
            }
        }
    }
    assert!(rejected > 1000 && accepted > 0, "{rejected} rejected, {accepted} accepted");
}
