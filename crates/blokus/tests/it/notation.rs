//! Parsing corrupted positions, moves and games: they are parsed correctly or rejected with an
//! error, and never cause a panic.

use crate::properties;

use fourfold_blokus::sgf::Game;
use fourfold_blokus::{Color, Position, Variant};
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
        let placed = if rng.next().is_multiple_of(3) { rng.next() % 30 } else { 0 };
        let start = properties::position((rng.next() % 7) as u8, placed as u8, rng.next() % 50);
        // A position that is read knows all colors that are eliminated.
        let start = Position::parse(&start.to_string()).expect("it was just written");
        let mut game = Game::new(start);
        let mut position = game.start;
        for _ in 0..rng.next() % 30 {
            let legal = position.legal_moves();
            let Some(index) = rng.next().checked_rem(legal.len() as u64) else { break };
            game.placements.push(legal[index as usize]);
            position = position.after(legal[index as usize]);
        }
        let text = game.to_string();
        assert_eq!(Game::parse(&text).as_ref(), Ok(&game), "{text}");
        properties::sgf(&damaged(&text, "()[];\\BWAEPL1234abcdt20,é\n", &mut rng));
    }
}

#[test]
fn every_color_has_a_name_in_every_variant() {
    for name in ["classic", "classic-2", "classic-3", "duo", "two-5", "four-22+free"] {
        let variant = Variant::from_name(name).expect("a variant");
        let names = Color::ALL.map(|color| variant.color_name(color));
        assert!((1..4).all(|index| !names[..index].contains(&names[index])), "{name}: {names:?}");
        for color in Color::ALL {
            let letter = variant.letter(color);
            let plays = variant.colors().any(|other| other == color);
            assert_eq!(variant.color(letter), plays.then_some(color), "{name}");
        }
    }
}
