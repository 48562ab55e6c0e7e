//! Kung fu chess: the cost of idle and busy ticks and of legal orders, and whole random games.

use std::hint::black_box;

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{Event, Game, Order, Player, Rules, random_order};

use crate::comparison::{Candidate, Comparison, WorkloadSize};

/// Returns all kung fu chess workloads.
pub(super) fn comparisons(size: WorkloadSize) -> Vec<Comparison> {
    let quick = size == WorkloadSize::Quick;
    let mut comparisons = vec![idle(if quick { 20_000 } else { 20_000_000 })];
    comparisons.extend([1, 2, 4, 8, 16].map(|count| busy(count, if quick { 10 } else { 2000 })));
    comparisons.push(orders(if quick { 20 } else { 2000 }));
    comparisons.push(random_games("8x8 lightning", if quick { 1 } else { 300 }));
    comparisons.push(random_games("12x12 lightning", if quick { 1 } else { 100 }));
    comparisons
}

fn start(words: &str) -> Game {
    Game::new(Rules::parse(words).expect("valid rules")).expect("a valid game")
}

/// Single ticks on a full board where nothing happens.
fn idle(ticks: u64) -> Comparison {
    let game = start("12x12 standard no-draw-before=1000000000");
    let mut events = Vec::new();
    let fourfold = Candidate::new("fourfold", move || {
        let mut game = game;
        for _ in 0..ticks {
            black_box(&mut game).tick(&mut events);
        }
        assert_eq!(game.now(), ticks);
        ticks
    });
    Comparison::new("kung-fu idle ticks", "ticks", vec![fourfold])
}

/// The number of ticks played from each state.
const STRETCH: u64 = 25;

/// Single ticks from states of random games with `count` moving pieces, at the standard speed with
/// nearly full armies. Arrivals, captures and rests occur as in a game.
fn busy(count: usize, states: usize) -> Comparison {
    let states = states_with(count, states);
    let mut events = Vec::new();
    let fourfold = Candidate::new("fourfold", move || {
        let mut ticks = 0;
        for state in &states {
            let mut game = *state;
            for _ in 0..STRETCH {
                black_box(&mut game).tick(&mut events);
            }
            events.clear();
            ticks += STRETCH;
        }
        ticks
    });
    let name = format!("kung-fu busy ticks, {count} in flight");
    Comparison::new(name, "ticks", vec![fourfold])
}

fn states_with(count: usize, states: usize) -> Vec<Game> {
    let mut rng = SplitMix64::new(1);
    let mut found = Vec::new();
    let mut events: Vec<Event> = Vec::new();
    while found.len() < states {
        let mut game = start("12x12 standard");
        // Armies stay nearly full for this many ticks.
        for tick in 0..600 {
            let mut tries = 0;
            while game.in_flight() < count && tries < 20 {
                let player = Player::ALL[(rng.next() % 4) as usize];
                if let Some(order) = random_order(&game, player, &mut rng) {
                    give(&mut game, player, order);
                }
                tries += 1;
            }
            if tick % 7 == 0 && game.in_flight() == count && game.outcome().is_none() {
                found.push(game);
            }
            game.tick(&mut events);
        }
        events.clear();
    }
    found.truncate(states);
    found
}

fn give(game: &mut Game, player: Player, Order { piece, to }: Order) {
    let to = (i32::from(to.row()), i32::from(to.column()));
    assert_eq!(game.order(player, piece, to), Ok(()), "a legal order");
}

/// The legal orders of every player, in states with eight moving pieces.
fn orders(states: usize) -> Comparison {
    let states = states_with(8, states);
    let mut list = Vec::new();
    let fourfold = Candidate::new("fourfold", move || {
        for game in &states {
            for player in Player::ALL {
                game.legal_orders_into(player, &mut list);
                black_box(&list);
            }
        }
        4 * states.len() as u64
    });
    Comparison::new("kung-fu legal orders of an army on 12x12", "lists", vec![fourfold])
}

/// Whole games in which every player gives a random order from time to time.
fn random_games(words: &'static str, games: u64) -> Comparison {
    let fourfold = Candidate::new("fourfold", move || {
        let mut rng = SplitMix64::new(1);
        let mut events = Vec::new();
        for _ in 0..games {
            let mut game = start(words);
            while game.outcome().is_none() {
                for player in game.alive().iter() {
                    if rng.next().is_multiple_of(8)
                        && let Some(order) = random_order(&game, player, &mut rng)
                    {
                        give(&mut game, player, order);
                    }
                }
                game.advance_to(game.now() + 4, &mut events);
            }
            events.clear();
        }
        games
    });
    Comparison::new(format!("kung-fu random games {words}"), "games", vec![fourfold])
}
