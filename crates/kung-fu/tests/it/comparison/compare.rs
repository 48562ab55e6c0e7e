//! Compares engine and oracle in the same random games, event by event.

use fourfold_common::SplitMix64;
use fourfold_kung_fu::Game;
use fourfold_oracle::harness::quick_or_full;

use super::implementations::{Engine, Implementation, Oracle, split_order};
use super::random_games::{RULES, below, some_order, some_pieces};

#[test]
fn engine_and_oracle_play_the_same_games() {
    play_many(1);
}

/// A second seed in a test of its own, so that both halves run in parallel.
#[test]
fn engine_and_oracle_play_the_same_games_with_another_seed() {
    play_many(2);
}

fn play_many(seed: u64) {
    let games = play(seed, quick_or_full(200_000, 500_000));
    assert!(games > 100, "only {games} games");
}

/// Plays games until `ticks` ticks have run; returns the number of games.
fn play(seed: u64, ticks: u64) -> usize {
    let mut rng = SplitMix64::new(seed);
    let (mut games, mut run) = (0, 0);
    while run < ticks {
        run += game(RULES[games % RULES.len()], &mut rng);
        games += 1;
    }
    games
}

/// Plays one game to its end, or for 4000 ticks; returns the number of ticks.
pub(crate) fn game(words: &str, rng: &mut SplitMix64) -> u64 {
    let pieces = some_pieces::<Oracle>(words, rng);
    let mut both = Both {
        oracle: Oracle::create(words, Some(&pieces)).expect(words),
        engine: Engine::create(words, Some(&pieces)).expect(words),
        words,
    };
    // Some games are slow, so that they end by the draw timers.
    let pace = [1, 2, 8, 40][below(rng, 4)];
    for tick in 0..4000 {
        let orders = if below(rng, pace) == 0 { below(rng, 3) } else { 0 };
        for _ in 0..orders {
            let player = below(rng, 5) as i64 + i64::from(below(rng, 20) > 0);
            if let Some(order) = some_order(&both.engine, player, rng) {
                both.order(player, &order);
            }
            if below(rng, 4) == 0 {
                both.order_at_random(rng);
            }
        }
        both.rare_action(rng);
        both.tick(tick % 16 == 0 || orders > 0 && below(rng, 3) == 0);
        if both.engine.0.outcome().is_some() {
            both.same_state();
            both.order_at_random(rng);
            both.tick(true);
            return tick;
        }
    }
    4000
}

struct Both<'a> {
    oracle: Oracle,
    engine: Engine,
    words: &'a str,
}

impl Both<'_> {
    fn order(&mut self, player: i64, order: &str) {
        let (piece, row, col) = split_order(order).expect(order);
        let state = self.engine.state();
        let answer = self.engine.order(player, piece, row, col);
        assert_eq!(
            self.oracle.order(player, piece, row, col).map_err(|refusal| refusal.to_string()),
            answer,
            "{player} {order} in {} {state}",
            self.words
        );
    }

    /// Gives an arbitrary order on behalf of an arbitrary player.
    fn order_at_random(&mut self, rng: &mut SplitMix64) {
        let names: Vec<String> = self.engine.0.ids().map(|id| self.engine.0.name(id)).collect();
        let piece = if below(rng, 20) == 0 { "K:9:9:9" } else { &names[below(rng, names.len())] };
        let (row, col) = (below(rng, 15) as i64 - 1, below(rng, 15) as i64 - 1);
        let owner: i64 = piece.split(':').nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
        let player = if below(rng, 3) == 0 { below(rng, 6) as i64 } else { owner };
        self.order(player, &format!("{piece}->{row},{col}"));
    }

    /// Rare actions: resignations, draws, comparing the lists of legal orders, and serialization.
    fn rare_action(&mut self, rng: &mut SplitMix64) {
        match below(rng, 1000) {
            0 => {
                let player = below(rng, 6) as i64;
                let answer = self.engine.resign(player);
                let expected = self.oracle.resign(player).map_err(|refusal| refusal.to_string());
                assert_eq!(expected, answer, "resign {player} in {}", self.words);
                self.same_state();
            }
            1 => {
                let players: Vec<i64> =
                    (0..5).filter(|_| below(rng, 3) > 0).map(|player| player as i64).collect();
                let answer = self.engine.agree_on_draw(&players);
                let expected =
                    self.oracle.agree_on_draw(&players).map_err(|refusal| refusal.to_string());
                assert_eq!(expected, answer, "draw {players:?} in {}", self.words);
                self.same_state();
            }
            2..30 => {
                let player = 1 + below(rng, 4) as i64;
                let orders = self.engine.legal_orders(player);
                assert_eq!(self.oracle.legal_orders(player), orders, "{}", self.engine.state());
            }
            30..40 => {
                let bytes = self.engine.0.to_bytes();
                let again = Game::from_bytes(&bytes).expect("it was just written");
                assert_eq!(again, self.engine.0);
                assert_eq!(again.to_bytes(), bytes);
                self.engine.0 = again;
            }
            _ => {}
        }
    }

    fn tick(&mut self, look: bool) {
        let events = self.engine.tick();
        assert_eq!(self.oracle.tick(), events, "{} {}", self.words, self.engine.state());
        if look || !events.is_empty() {
            self.same_state();
        }
    }

    fn same_state(&self) {
        assert_eq!(self.oracle.state(), self.engine.state(), "{}", self.words);
    }
}
