//! Properties that must hold for any input, and random games to check them on. The fuzz targets in
//! `fuzz/` check the same properties without a bound.

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{
    Cell, Event, Game, Order, PieceId, Player, PlayerAction, Replay, Rules, random_order,
};

/// The rules to play. Fast pieces and short rests lead to many captures.
pub(crate) const RULES: [&str; 8] = [
    "8x8 lightning",
    "8x8 ticks-per-square=3 rest=0 no-move=20 no-capture=60 no-draw-before=100",
    "12x12 lightning",
    "12x12 ticks-per-square=4 rest=9 freeze",
    "12x12 ticks-per-square=5 rest=9 teams freeze",
    "12x12 ticks-per-square=1 rest=3 players=134",
    "12x12 ticks-per-square=7 rest=4 players=24 bots=2",
    "12x12 standard rest=30",
];

pub(crate) fn below(rng: &mut SplitMix64, count: usize) -> usize {
    (rng.next() % count as u64) as usize
}

/// Returns a random game: its record, its events and its final state.
pub(crate) fn random_game(words: &str, rng: &mut SplitMix64) -> (Replay, Vec<Event>, Game) {
    let start = Game::new(Rules::parse(words).expect("words of ours")).expect("a game");
    let (mut game, mut replay, mut events) = (start, Replay::of(&start), Vec::new());
    for _ in 0..900 {
        game.tick(&mut events);
        for _ in 0..below(rng, 3) {
            let player = Player::ALL[below(rng, 4)];
            let act = match below(rng, 2000) {
                0 => PlayerAction::Resign { player },
                1 => PlayerAction::Draw { players: game.alive().iter().collect() },
                _ => match random_order(&game, player, rng) {
                    Some(order) => PlayerAction::Order { player, order },
                    None => continue,
                },
            };
            if act.play(&mut game, &mut events).is_ok() {
                replay.actions.push((game.now(), act));
            }
        }
    }
    replay.end = game.now();
    (replay, events, game)
}

/// Bytes are either a state that reads back and plays, or an error. Returns whether they are a
/// state.
pub(crate) fn bytes(bytes: &[u8]) -> bool {
    match Game::from_bytes(bytes) {
        Ok(mut game) => {
            assert_eq!(game.to_bytes(), bytes);
            let mut events = Vec::new();
            let mut orders = Vec::new();
            for tick in 1..40 {
                for player in Player::ALL {
                    game.legal_orders_into(player, &mut orders);
                    if let Some(&Order { piece, to }) = orders.get(tick) {
                        let to = (i32::from(to.row()), i32::from(to.column()));
                        assert_eq!(game.order(player, piece, to), Ok(()), "{game}");
                    }
                }
                game.tick(&mut events);
            }
            game.advance_to(game.now() + 5000, &mut events);
            let text = game.to_string();
            let again = Game::from_text(game.rules(), &text).expect("it was just written");
            assert_eq!(again.to_string(), text);
            true
        }
        Err(error) => {
            assert!(is_message(&error), "{error}");
            false
        }
    }
}

/// Text is either a state that is written back, or an error. Returns whether it is a state.
pub(crate) fn text(words: &str, text: &str) -> bool {
    match Game::from_text(Rules::parse(words).expect("words of ours"), text) {
        Ok(game) => {
            assert_eq!(game.to_string(), text);
            bytes(&game.to_bytes())
        }
        Err(error) => {
            assert!(is_message(&error), "{error}");
            false
        }
    }
}

/// Any player orders any piece to any square: each order is either legal, or refused with a reason
/// and without any effect.
pub(crate) fn orders(words: &str, bytes: &[u8]) {
    let mut game = Game::new(Rules::parse(words).expect("words of ours")).expect("a game");
    let mut events = Vec::new();
    let mut list = Vec::new();
    for &[player, piece, row, column, ticks] in bytes.as_chunks::<5>().0 {
        let (row, column) = (i32::from(row) % 16 - 1, i32::from(column) % 16 - 1);
        let (player, piece) = (Player::ALL[usize::from(player % 4)], PieceId(piece % 80));
        game.legal_orders_into(player, &mut list);
        let before = game;
        let to = Cell::on(game.rules().board, row, column);
        let listed = to.is_some_and(|to| list.contains(&Order { piece, to }));
        match game.order(player, piece, (row, column)) {
            Ok(()) => assert!(listed, "{piece:?} {row},{column} in {before}"),
            Err(refusal) => {
                assert!(!listed, "{piece:?} {row},{column} is {refusal} in {before}");
                assert_eq!(game, before);
            }
        }
        match ticks {
            255 => drop(game.resign(player, &mut events)),
            254 => drop(game.agree_on_draw(&[player, Player::ALL[0], Player::ALL[1]], &mut events)),
            _ => game.advance_to(game.now() + u64::from(ticks % 8), &mut events),
        }
    }
}

/// Whether an error is one line that can be shown to a person, whatever was parsed.
fn is_message(error: &impl std::fmt::Display) -> bool {
    let text = error.to_string();
    let readable = !text.contains(char::is_control) && !text.ends_with('.');
    (10..=300).contains(&text.chars().count()) && readable
}
