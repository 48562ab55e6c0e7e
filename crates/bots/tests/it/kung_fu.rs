//! Kung fu chess bots: legal orders, reproducible games, and the strength of each level.

use fourfold_bots::kung_fu::{LEVELS, RealTimeBot};
use fourfold_kung_fu::{Game, Outcome, Player, Rules};

/// Plays a game between bots of the given levels; all their orders must be legal.
fn play(words: &str, levels: &[u8], seed: u64) -> Game {
    let mut game = Game::new(Rules::parse(words).expect("rules")).expect("a game");
    let bots = levels.iter().zip(seed..).map(|(&level, seed)| RealTimeBot::new(seed, level));
    let mut bots: Vec<RealTimeBot> = bots.collect();
    let mut events = Vec::new();
    while game.outcome().is_none() {
        for (bot, player) in bots.iter_mut().zip(Player::ALL) {
            if let Some(order) = bot.think(&game, player) {
                let to = (order.to.row().into(), order.to.column().into());
                assert_eq!(game.order(player, order.piece, to), Ok(()), "{order:?} in {game}");
            }
        }
        game.tick(&mut events);
        // Two kings can run from each other forever.
        if game.now() > 30_000 {
            break;
        }
    }
    game
}

#[test]
fn games_end_and_are_reproducible() {
    for words in ["8x8 lightning", "12x12 lightning", "12x12 lightning teams freeze"] {
        let game = play(words, &[2, 0, 4, 3], 5);
        assert!(game.outcome().is_some(), "{words} does not end");
        assert_eq!(game.to_bytes(), play(words, &[2, 0, 4, 3], 5).to_bytes(), "{words}");
    }
}

/// Returns the percentage of points that the first level scores against the second, from both
/// sides.
fn points(better: u8, worse: u8, pairs: u64) -> u64 {
    let won = |levels: &[u8], winner: Player| {
        let games = (0..pairs).map(|seed| play("8x8 lightning", levels, 100 * seed).outcome());
        games
            .map(|outcome| match outcome {
                Some(Outcome::Win(who)) if who.contains(winner) => 2,
                Some(Outcome::Win(_)) => 0,
                Some(Outcome::Draw) | None => 1,
            })
            .sum::<u64>()
    };
    let [one, two, ..] = Player::ALL;
    100 * (won(&[better, worse], one) + won(&[worse, better], two)) / (4 * pairs)
}

#[test]
fn greedy_beats_random() {
    let percent = points(2, 0, 15);
    assert!(percent >= 90, "greedy scores {percent}% against random");
}

#[test]
fn every_level_beats_the_one_below() {
    for level in 1..LEVELS.len() as u8 {
        let percent = points(level, level - 1, 10);
        assert!(percent >= 60, "level {level} scores {percent}%");
    }
}

#[test]
fn master_captures_a_trapped_king() {
    // The enemy king has gone to the corner and rests, and our rook reaches it in time, although
    // the enemy's queen is near.
    let pieces = "R:1:7:0 K:1:7:4 K:2:1:1 Q:2:6:1";
    let mut game = Game::parse("8x8 lightning", pieces).expect("a game");
    let king = game.piece_named("K:2:1:1").expect("a king");
    game.order(Player::ALL[1], king, (0, 0)).expect("legal");
    game.advance_to(10, &mut Vec::new());
    let order = RealTimeBot::new(1, 4).think(&game, Player::ALL[0]).expect("an order");
    assert_eq!((order.to.row(), order.to.column()), (0, 0));
}
