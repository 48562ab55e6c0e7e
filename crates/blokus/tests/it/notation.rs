//! Parsing corrupted positions, moves and games: they are parsed correctly or rejected with an
//! error, and never cause a panic.

use crate::properties;

use fourfold_blokus::sgf::Game;
use fourfold_common::SplitMix64;

/// Returns the text with up to three characters changed, inserted or removed.
fn damaged(text: &str, letters: &str, rng: &mut SplitMix64) -> String {
    let letters: Vec<char> = letters.chars().collect();
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..rng.next() % 4 {
        let place = (rng.next() % (text.len() as u64 + 1)) as usize;
        let letter = letters[(rng.next() % letters.len() as u64) as usize];
        match rng.next() % 3 {
            0 => text.insert(place, letter),
            1 if place < text.len() => text[place] = letter,
            2 if place < text.len() => {
                text.remove(place);
            }
            _ => {}
        }
    }
    text.into_iter().collect()
}

#[test]
fn damaged_positions_are_parsed_or_rejected() {
    let mut rng = SplitMix64::new(1);
    for _ in 0..3000 {
        let position =
            properties::position(rng.next() as u8, (rng.next() % 60) as u8, rng.next() % 50);
        properties::text(&damaged(&position.to_string(), "byrgpo0123456789/- +é", &mut rng));
    }
}

#[test]
fn damaged_placements_are_parsed_or_rejected() {
    let mut rng = SplitMix64::new(2);
    for _ in 0..3000 {
        let position =
            properties::position(rng.next() as u8, (rng.next() % 60) as u8, rng.next() % 50);
        let legal = position.legal_moves();
        let size = position.variant().size();
        let index = rng.next().checked_rem(legal.len() as u64).unwrap_or(0);
        let text = legal.get(index as usize).map_or("a1".to_owned(), |mv| mv.to_text(size));
        properties::placement(
            &position,
            &damaged(&text, "abcdefghijklmnopqrstu0123456789,-é", &mut rng),
        );
    }
}

#[test]
fn damaged_games_are_parsed_or_rejected() {
    let mut rng = SplitMix64::new(3);
    for _ in 0..600 {
        let mut game = Game::new(properties::position((rng.next() % 4) as u8, 0, 1));
        let mut position = game.start;
        for _ in 0..rng.next() % 30 {
            let legal = position.legal_moves();
            let Some(index) = rng.next().checked_rem(legal.len() as u64) else { break };
            game.placements.push(legal[index as usize]);
            position = position.after(legal[index as usize]);
        }
        properties::sgf(&damaged(&game.to_string(), "()[];\\BW1234abcdt20,é\n", &mut rng));
    }
}
