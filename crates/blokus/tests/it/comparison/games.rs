//! Compares oracle and engine in whole seeded games of all variants: the placements of every color,
//! from every generator, and the state after each placement.

use fourfold_blokus::{Position, Variant};
use fourfold_common::SplitMix64;
use fourfold_oracle::harness::{mutate, quick_or_full};

use super::implementations::{Engine, Implementation, Oracle};
use crate::properties::reference_generators::{Grid, assert_consistent};

const VARIANTS: [&str; 10] = [
    "classic",
    "duo",
    "classic-2",
    "classic-3",
    "four-10",
    "two-5",
    "duo+free",
    "classic+free",
    "two-14",
    "four-7+free",
];

#[test]
fn both_play_the_same_games() {
    play(1);
}

/// A second seed in a test of its own, so that both halves run in parallel.
#[test]
fn both_play_the_same_other_games() {
    play(2);
}

fn play(seed: u64) {
    let mut rng = SplitMix64::new(seed);
    let (mut positions, mut compared, mut game) = (0, 0, 0);
    while positions < quick_or_full(3_000, 10_000) {
        let variant = Variant::from_name(VARIANTS[game % VARIANTS.len()]).expect("a variant");
        game += 1;
        let mut position = Position::start(variant);
        let mut grid = Grid::of(&position);
        while let Some(color) = position.turn() {
            let placements = position.legal_moves();
            assert_consistent(&position);
            let text = position.to_string();
            for other in variant.colors() {
                // All generators and the oracle must find the same placements for each color.
                positions += 1;
                let mut found = Engine::placements(&position, other);
                found.sort();
                let letter = variant.letter(other).to_string();
                assert_eq!(Oracle.moves_of(&text, &letter), Ok(found), "{letter} in {text}");
            }
            // The oracle is slow, so the rest is compared for a sample of the positions only.
            if rng.next().is_multiple_of(6) {
                compared += 1;
                compare(&position, &mut rng);
            }
            let placement = placements[(rng.next() % placements.len() as u64) as usize];
            grid.place(color, placement);
            let before = position;
            position.play(placement).expect("it is legal");
            assert_eq!(position, before.after(placement));
            for other in variant.colors().filter(|&other| before.is_eliminated(other)) {
                assert!(position.is_eliminated(other), "an eliminated color is back in {position}");
            }
            assert_eq!(Grid::of(&position), grid, "{position}");
        }
    }
    assert!(compared > 100, "only {compared} compared");
}

/// Compares the frontiers of all colors, the report, and the position after a random placement.
fn compare(position: &Position, rng: &mut SplitMix64) {
    let text = position.to_string();
    assert_eq!(Position::parse(&text).as_ref().map(Position::key), Ok(position.key()), "{text}");
    for color in position.variant().colors() {
        let letter = position.variant().letter(color).to_string();
        let mut frontier = Engine.frontier(&text, &letter).expect("a color");
        frontier.sort();
        assert_eq!(Oracle.frontier(&text, &letter), Ok(frontier), "{letter} in {text}");
    }
    assert_eq!(Oracle.report(&text), Engine.report(&text), "{text}");
    let moves = Engine.moves(&text).expect("a position");
    let mv = &moves[(rng.next() % moves.len() as u64) as usize];
    assert_eq!(Oracle.play(&text, mv), Engine.play(&text, mv), "{mv} in {text}");
}

#[test]
fn both_refuse_the_same_placements() {
    let mut rng = SplitMix64::new(2);
    let mut refused = 0;
    for game in 0..10 {
        let variant = Variant::from_name(VARIANTS[game % VARIANTS.len()]).expect("a variant");
        let walk = fourfold_blokus::random_walk(Position::start(variant), game as u64);
        for position in walk.step_by(4) {
            let text = position.to_string();
            for _ in 0..12 {
                let size = variant.size() as u64 + 1;
                let (mut column, mut row) = (rng.next() % size, 1 + rng.next() % size);
                let mut cells = Vec::new();
                for _ in 0..1 + rng.next() % 5 {
                    cells.push(format!("{}{row}", (b'a' + column as u8) as char));
                    if rng.next().is_multiple_of(2) { column += 1 } else { row += 1 }
                }
                let mv = cells.join(",");
                let engine = Engine.refusal(&text, &mv);
                assert_eq!(engine, Oracle.refusal(&text, &mv), "{mv} in {text}");
                refused += u32::from(engine.is_ok_and(|refusal| refusal.is_some()));
            }
        }
    }
    assert!(refused > 500, "only {refused} refused");
}

#[test]
fn both_reject_the_same_positions() {
    let letters = "byrgpo0123459/- +";
    let mut rng = SplitMix64::new(3);
    let (mut rejected, mut accepted) = (0, 0);
    for game in 0..30 {
        let variant = Variant::from_name(VARIANTS[game % VARIANTS.len()]).expect("a variant");
        let walk = fourfold_blokus::random_walk(Position::start(variant), game as u64);
        for position in walk.step_by(3) {
            let text = position.to_string();
            let text = mutate(&text, text.len(), letters, || rng.next());
            let (engine, oracle) = (Engine.moves(&text), Oracle.moves(&text));
            assert_eq!(engine.is_ok(), oracle.is_ok(), "{text}\n{engine:?}\n{oracle:?}");
            if engine.is_ok() { accepted += 1 } else { rejected += 1 }
        }
    }
    assert!(rejected > 100 && accepted > 5, "{rejected} rejected, {accepted} accepted");
}

#[test]
fn a_color_that_waits_only_loses_placements() {
    for (seed, variant) in [(1, Variant::CLASSIC), (2, Variant::DUO), (3, Variant::CLASSIC_3)] {
        let positions: Vec<Position> =
            fourfold_blokus::random_walk(Position::start(variant), seed).collect();
        for pair in positions.windows(2) {
            for color in variant.colors().filter(|&color| pair[0].turn() != Some(color)) {
                let before = pair[0].legal_moves_of(color);
                let after = pair[1].legal_moves_of(color);
                assert!(after.iter().all(|placement| before.contains(placement)), "{}", pair[1]);
            }
        }
        assert!(positions.last().is_some_and(|last| last.turn().is_none()));
    }
}
