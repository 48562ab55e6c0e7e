//! Bots of kung fu chess: what they order is legal, they play the same games again, and looking helps.

use fourfold_bots::kung_fu::Greedy;
use fourfold_kung_fu::{Game, Outcome, Rules};

/// Plays a game of bots of certain levels; what they order must be legal.
fn play(words: &str, levels: &[u8], seed: u64) -> Game {
    let mut game = Game::create(Rules::parse(words).expect("rules")).expect("a game");
    let bots = levels.iter().zip(seed..).map(|(&level, seed)| Greedy::new(seed, level));
    let mut bots: Vec<Greedy> = bots.collect();
    let mut events = Vec::new();
    while game.outcome().is_none() {
        for (bot, player) in bots.iter_mut().zip(1..) {
            if let Some(order) = bot.think(&game, player) {
                let to = (order.to.row().into(), order.to.column().into());
                assert_eq!(game.order(player, order.piece, to), Ok(()), "{order:?} in {game}");
            }
        }
        game.tick(&mut events);
        assert!(game.now() < 100_000, "no end of {words}");
    }
    game
}

#[test]
fn games_end_and_are_the_same_again() {
    for words in ["8x8 lightning", "12x12 lightning", "12x12 lightning teams freeze"] {
        let game = play(words, &[1, 0, 1, 1], 5);
        assert_eq!(game.to_bytes(), play(words, &[1, 0, 1, 1], 5).to_bytes(), "{words}");
    }
}

#[test]
fn who_looks_beats_who_does_not() {
    let won = |levels: &[u8], winner: u8| {
        let games = (0..15).map(|seed| play("8x8 lightning", levels, 100 * seed).outcome());
        games
            .filter(|outcome| matches!(outcome, Some(Outcome::Win(who)) if who.contains(winner)))
            .count()
    };
    let won = won(&[1, 0], 1) + won(&[0, 1], 2);
    assert!(won >= 27, "only {won} of 30");
}
