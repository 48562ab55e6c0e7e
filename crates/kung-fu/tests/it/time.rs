//! The result does not depend on how time is split into steps, or on saving and restoring states.

use fourfold_common::SplitMix64;
use fourfold_kung_fu::Game;

use super::properties::{RULES, below, random_game};

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
