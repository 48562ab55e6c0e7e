//! The result does not depend on how time is split into steps, on saving and restoring states, or
//! on where a replay is viewed from.

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{Event, Game, Player, PlayerAction, Replay, ReplayError, Rules};

use super::properties::{self, RULES, below, random_game};

/// Plays a random game again, with its time split differently.
#[test]
fn events_do_not_depend_on_the_step_size() {
    let mut rng = SplitMix64::new(1);
    for number in 0..60 {
        let (replay, expected, last) = random_game(RULES[number % RULES.len()], &mut rng);
        let mut game = replay.seeker().expect("it was just played").seek(0);
        assert!(replay.actions.iter().all(|(tick, _)| *tick > 0), "no actions on the start tick");
        let mut events = Vec::new();
        for (tick, act) in &replay.actions {
            while game.now() < *tick {
                let step = 1 + below(&mut rng, 60) as u64;
                game.advance_to((game.now() + step).min(*tick), &mut events);
                if below(&mut rng, 10) == 0 {
                    game = Game::from_bytes(&game.to_bytes()).expect("a state");
                }
            }
            act.play(&mut game, &mut events).expect("it was accepted");
        }
        game.advance_to(replay.end, &mut events);
        assert_eq!(events, expected);
        assert_eq!(game, last);
        assert_eq!(game.to_bytes(), last.to_bytes());
        game.advance_to(0, &mut events);
        assert_eq!(game, last, "time does not run back");
    }
}

#[test]
fn replays_show_every_tick_as_it_was() {
    let mut rng = SplitMix64::new(2);
    for number in 0..24 {
        let (replay, expected, last) = random_game(RULES[number % RULES.len()], &mut rng);
        let seeker = replay.seeker().expect("it was just played");
        assert_eq!(seeker.events(), expected);
        assert_eq!(*seeker.last(), last);
        let mut game = Game::with_pieces(replay.rules, &replay.pieces).expect("a start");
        let (mut events, mut next): (Vec<Event>, usize) = (Vec::new(), 0);
        for tick in 0..=replay.end {
            game.advance_to(tick, &mut events);
            while let Some((_, act)) = replay.actions.get(next).filter(|(at, _)| *at == tick) {
                act.play(&mut game, &mut events).expect("it was accepted");
                next += 1;
            }
            if below(&mut rng, 20) == 0 || tick == replay.end {
                assert_eq!(seeker.seek(tick), game, "tick {tick}");
            }
        }
        assert_eq!(seeker.seek(replay.end + 1000), last);
    }
}

#[test]
fn invalid_replays_are_rejected() {
    let start = Game::new(Rules::STANDARD).expect("a game");
    let mut replay = Replay::of(&start);
    replay.actions = vec![(9, PlayerAction::Resign { player: Player::ALL[0] })];
    replay.end = 9;
    assert!(replay.seeker().is_ok());
    let fault = |change: fn(&mut Replay)| {
        let mut changed = replay.clone();
        change(&mut changed);
        changed.seeker().expect_err("a fault")
    };
    assert_eq!(fault(|replay| replay.version = 2), ReplayError::Version(2));
    let text = fault(|replay| replay.version = 2).to_string();
    assert!(text.starts_with("the game was played under version 2 of the rules"), "{text}");
    let earlier = |replay: &mut Replay| {
        replay.actions.insert(0, (10, PlayerAction::Draw { players: vec![Player::ALL[0]] }))
    };
    assert!(fault(earlier).to_string().contains("entry 1, on tick 10, is refused"));
    let twice = |replay: &mut Replay| {
        replay.actions.push((12, PlayerAction::Resign { player: Player::ALL[1] }))
    };
    assert_eq!(fault(twice), ReplayError::AfterEnd { number: 2, tick: 12 });
    assert_eq!(fault(|replay| replay.end = 3), ReplayError::Order { number: 1, tick: 9 });
    assert!(
        fault(|replay| replay.pieces.clear()).to_string().contains("needs exactly one king, got 0")
    );
}

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
            let mut again = Game::from_text(*game.rules(), &text).expect("it was just written");
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
fn arbitrary_orders_are_accepted_or_refused_with_a_reason() {
    let mut rng = SplitMix64::new(4);
    for number in 0..40 {
        let bytes: Vec<u8> = (0..600).map(|_| rng.next() as u8).collect();
        properties::orders(RULES[number % RULES.len()], &bytes);
    }
}
