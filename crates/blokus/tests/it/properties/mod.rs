//! Properties that must hold for any input. The tests check them on a bounded number of random
//! inputs; the fuzz targets in `fuzz/` check them without a bound.

#[path = "../../reference_generators/mod.rs"]
#[allow(dead_code, reason = "a fuzz target uses only a part")]
pub(crate) mod reference_generators;

use fourfold_blokus::sgf::Game;
use fourfold_blokus::{Position, Variant, random_walk};
use reference_generators::assert_consistent;

/// Returns a position from random play.
pub(crate) fn position(variant: u8, plies: u8, seed: u64) -> Position {
    let names = ["classic", "duo", "classic-2", "classic-3", "four-10", "two-5+free", "two-1"];
    let name = names[usize::from(variant) % names.len()];
    let start = Position::start(Variant::from_name(name).expect("a name of ours"));
    random_walk(start, seed).take(usize::from(plies) + 1).last().expect("a walk has a start")
}

/// A position that parses is consistent and can be played from. Writing and parsing it again gives
/// the same position.
pub(crate) fn text(text: &str) {
    match Position::parse(text) {
        Ok(position) => {
            assert_consistent(&position);
            let written = position.to_string();
            let again = Position::parse(&written);
            assert_eq!(again.as_ref(), Ok(&position), "{text}\n{written}");
            for placement in position.legal_moves().into_iter().take(20) {
                let size = position.variant().size();
                assert_eq!(position.parse_move(&placement.to_text(size)), Ok(placement), "{text}");
                assert_consistent(&position.after(placement));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A placement that parses is either played, or refused with a reason and without any change.
pub(crate) fn placement(position: &Position, text: &str) {
    match position.parse_move(text) {
        Ok(placement) => {
            let mut after = *position;
            match after.play(placement) {
                Ok(()) => {
                    assert!(position.legal_moves().contains(&placement), "{text} in {position}")
                }
                Err(refusal) => {
                    assert!(!refusal.to_string().is_empty());
                    assert!(!position.legal_moves().contains(&placement), "{text} in {position}");
                    assert_eq!(after, *position);
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A game that parses survives a round trip through its text.
pub(crate) fn sgf(text: &str) {
    match Game::parse(text) {
        Ok(game) => {
            let written = game.to_string();
            assert_eq!(Game::parse(&written).as_ref(), Ok(&game), "{text}\n{written}");
            assert_consistent(&game.position());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
