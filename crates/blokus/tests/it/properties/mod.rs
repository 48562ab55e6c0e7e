//! Properties that must hold for any input. The tests check them on a bounded number of random
//! inputs; the fuzz targets in `fuzz/` check them without a bound.

#[path = "../../reference_generators/mod.rs"]
#[allow(dead_code, reason = "a fuzz target uses only a part")]
pub(crate) mod reference_generators;

use fourfold_blokus::sgf::{Game, games};
use fourfold_blokus::{Placement, Position, Variant, random_walk};
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
        Err(error) => assert!(is_message(&error), "{error}"),
    }
}

/// A placement that parses is either played, or refused with a reason and without any change.
pub(crate) fn placement(position: &Position, text: &str) {
    // Unlike `Position::parse_move`, this does not check the rules.
    match Placement::parse(position.variant().size(), text) {
        Ok(placement) => {
            let read = position.parse_move(text);
            assert_eq!(read.is_ok(), position.legal_moves().contains(&placement), "{text}");
            let mut after = *position;
            match after.play(placement) {
                Ok(()) => {
                    assert!(position.legal_moves().contains(&placement), "{text} in {position}")
                }
                Err(refusal) => {
                    assert!(is_message(&refusal), "{refusal}");
                    assert!(!position.legal_moves().contains(&placement), "{text} in {position}");
                    assert_eq!(after, *position);
                }
            }
        }
        Err(error) => assert!(is_message(&error), "{error}"),
    }
}

/// A game that parses survives a round trip through its text, and is the only game there.
pub(crate) fn sgf(text: &str) {
    let all: Vec<_> = games(text).collect();
    match &all[..] {
        [game] => assert_eq!(game, &Game::parse(text), "{text}"),
        _ => assert!(Game::parse(text).is_err(), "{text}"),
    }
    match Game::parse(text) {
        Ok(game) => {
            let written = game.to_string();
            assert_eq!(Game::parse(&written).as_ref(), Ok(&game), "{text}\n{written}");
            assert_consistent(&game.position());
        }
        Err(error) => assert!(is_message(&error), "{error}"),
    }
}

/// Whether an error is one line that can be shown to a person, whatever was parsed.
fn is_message(error: &impl std::fmt::Display) -> bool {
    let text = error.to_string();
    let readable = !text.contains(char::is_control) && !text.ends_with('.');
    (10..=300).contains(&text.chars().count()) && readable
}
