//! Parsing corrupted positions, moves and games: they are parsed correctly or rejected with an
//! error, and never cause a panic.

use crate::laws;

use fourfold_blokus::sgf::Game;
use fourfold_common::SplitMix64;

/// Returns the text with up to three characters changed, inserted or removed.
fn damaged(text: &str, letters: &str, keys: &mut SplitMix64) -> String {
    let letters: Vec<char> = letters.chars().collect();
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..keys.next() % 4 {
        let place = (keys.next() % (text.len() as u64 + 1)) as usize;
        let letter = letters[(keys.next() % letters.len() as u64) as usize];
        match keys.next() % 3 {
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
fn positions_obey_their_law() {
    let mut keys = SplitMix64::new(1);
    for _ in 0..3000 {
        let position =
            laws::position(keys.next() as u8, (keys.next() % 60) as u8, keys.next() % 50);
        laws::text(&damaged(&position.to_string(), "byrgpo0123456789/- +é", &mut keys));
    }
}

#[test]
fn placements_obey_their_law() {
    let mut keys = SplitMix64::new(2);
    for _ in 0..3000 {
        let position =
            laws::position(keys.next() as u8, (keys.next() % 60) as u8, keys.next() % 50);
        let legal = position.legal_moves();
        let size = position.variant().size();
        let index = keys.next().checked_rem(legal.len() as u64).unwrap_or(0);
        let text = legal.get(index as usize).map_or("a1".to_owned(), |mv| mv.to_text(size));
        laws::placement(
            &position,
            &damaged(&text, "abcdefghijklmnopqrstu0123456789,-é", &mut keys),
        );
    }
}

#[test]
fn games_obey_their_law() {
    let mut keys = SplitMix64::new(3);
    for _ in 0..600 {
        let mut game = Game::new(laws::position((keys.next() % 4) as u8, 0, 1));
        let mut position = game.start;
        for _ in 0..keys.next() % 30 {
            let legal = position.legal_moves();
            let Some(index) = keys.next().checked_rem(legal.len() as u64) else { break };
            game.placements.push(legal[index as usize]);
            position = position.after(legal[index as usize]);
        }
        laws::sgf(&damaged(&game.to_string(), "()[];\\BW1234abcdt20,é\n", &mut keys));
    }
}
