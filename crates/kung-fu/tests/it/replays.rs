//! Replays show every state of a game, and invalid ones are rejected.

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{Event, Game, Player, PlayerAction, Replay, ReplayError, Rules};

use super::properties::{RULES, below, random_game};

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
