//! Any order is either accepted, or refused with a reason.

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{CreateError, Game, NoEvents, Rules, Timing};

use super::properties::{self, RULES};

#[test]
fn arbitrary_orders_are_accepted_or_refused_with_a_reason() {
    let mut rng = SplitMix64::new(4);
    for number in 0..40 {
        let bytes: Vec<u8> = (0..600).map(|_| rng.next() as u8).collect();
        properties::orders(RULES[number % RULES.len()], &bytes);
    }
}

#[test]
fn durations_out_of_range_are_refused() {
    let speeds = [
        Timing { ticks_per_square: 0, ..Timing::STANDARD },
        Timing { ticks_per_square: Timing::MAX_TICKS_PER_SQUARE + 1, ..Timing::STANDARD },
        Timing { ticks_per_square: u32::MAX, ..Timing::STANDARD },
        Timing { rest: u32::MAX, ..Timing::STANDARD },
        Timing { no_draw_before: Timing::MAX_TICKS + 1, ..Timing::LIGHTNING },
    ];
    for speed in speeds {
        let error = Game::new(Rules { speed, ..Rules::STANDARD }).unwrap_err();
        assert_eq!(error, CreateError::Timing(speed));
    }
    assert_eq!(
        CreateError::Timing(speeds[0]).to_string(),
        "expected 1 to 1000 ticks per square and other durations of at most 1000000000 ticks, \
         got [0, 300, 3600, 5400, 10800]"
    );
    let fastest = Timing { ticks_per_square: 1, rest: 0, ..Timing::STANDARD };
    let mut game = Game::new(Rules { speed: fastest, ..Rules::STANDARD }).expect("valid durations");
    game.advance_to(100, &mut NoEvents);
}
