//! States as bytes and as text: they round-trip, and damaged ones are rejected or playable.

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{Game, Player, Rules};

use super::properties::{self, RULES, below, random_game};

#[test]
fn damaged_states_are_rejected_or_playable() {
    let mut rng = SplitMix64::new(3);
    let (mut rejected, mut accepted) = (0, 0);
    for number in 0..300 {
        let (replay, _, last) = random_game(RULES[number % RULES.len()], &mut rng);
        let seeker = replay.seeker().expect("it was just played");
        for _ in 0..20 {
            let tick = below(&mut rng, replay.end as usize + 1) as u64;
            let game = if below(&mut rng, 4) == 0 { last } else { seeker.seek(tick) };
            let mut bytes = game.to_bytes();
            for _ in 0..1 + below(&mut rng, 3) {
                let place = below(&mut rng, bytes.len());
                match below(&mut rng, 6) {
                    0 => bytes.truncate(place),
                    1 => bytes.insert(place, rng.next() as u8),
                    _ => bytes[place] = bytes[place].wrapping_add(below(&mut rng, 5) as u8),
                }
                if bytes.is_empty() {
                    break;
                }
            }
            if properties::bytes(&bytes) { accepted += 1 } else { rejected += 1 }
        }
    }
    assert!(rejected > 1000 && accepted > 100, "{rejected} rejected, {accepted} accepted");
}

#[test]
fn states_round_trip_as_text_and_damaged_text_is_rejected() {
    let mut rng = SplitMix64::new(5);
    let (mut rejected, mut accepted) = (0, 0);
    for number in 0..80 {
        let words = RULES[number % RULES.len()];
        let (replay, _, last) = random_game(words, &mut rng);
        let seeker = replay.seeker().expect("it was just played");
        for _ in 0..10 {
            let tick = below(&mut rng, replay.end as usize + 1) as u64;
            let game = if below(&mut rng, 4) == 0 { last } else { seeker.seek(tick) };
            let text = game.to_string();
            let mut again = Game::from_text(game.rules(), &text).expect("it was just written");
            assert_eq!(again.to_string(), text);
            let (mut one, mut other) = (game, (Vec::new(), Vec::new()));
            one.advance_to(tick + 500, &mut other.0);
            again.advance_to(tick + 500, &mut other.1);
            assert_eq!((one.to_string(), &other.0), (again.to_string(), &other.1));
            let mut letters: Vec<char> = text.chars().collect();
            for _ in 0..1 + below(&mut rng, 2) {
                let place = below(&mut rng, letters.len());
                match below(&mut rng, 5) {
                    0 => letters.truncate(place.max(1)),
                    1 => letters.insert(place, [' ', ';', '7', '+', 'é'][below(&mut rng, 5)]),
                    _ => letters[place] = char::from(b'0' + below(&mut rng, 10) as u8),
                }
            }
            let text: String = letters.into_iter().collect();
            if properties::text(words, &text) { accepted += 1 } else { rejected += 1 }
        }
    }
    assert!(rejected > 300 && accepted > 10, "{rejected} rejected, {accepted} accepted");
}

#[test]
fn former_words_are_still_read() {
    let former = "12x12 standard tps=5 seats=134 freeze";
    let rules = Rules::parse(former).expect("former words");
    assert_eq!(rules.to_string(), "12x12 standard ticks-per-square=5 players=134 freeze");
    for twice in ["tps=5 ticks-per-square=5", "12x12 seats=13 players=13"] {
        assert!(Rules::parse(twice).is_err(), "{twice}");
    }

    let mut game = Game::new(rules).expect("a game");
    game.resign(Player::ALL[2], &mut Vec::new()).expect("player 3 plays");
    let text = game.to_string();
    assert!(
        text.starts_with("t0 order=0 capture=0 closed=yes eliminated=3 result=none; "),
        "{text}"
    );
    let former = text.replacen("eliminated=", "out=", 1);
    assert_eq!(Game::from_text(rules, &former), Game::from_text(rules, &text));
    let spaced = former.replacen("out=", " out=", 1);
    assert!(Game::from_text(rules, &spaced).is_err());
}
