//! Playing a single game of kung fu chess, in which the bots can act on every tick.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use fourfold_bots::kung_fu::{LEVELS, RealTimeBot};
use fourfold_kung_fu::{
    Game, NoEvents, Order, Outcome, PlayerAction, Refusal, Replay, Rules, TICKS_PER_SECOND,
};
use fourfold_learned::kung_fu::{AnyBot, LearnedBot};
use fourfold_table::kung_fu::write_text;

use crate::bot_match::OptionError;
use crate::clock::Clock;
use crate::play::{Effort, Played, ranks};
use crate::player::Player;

/// The maximum number of ticks. Longer games are drawn, because two kings can avoid each other
/// forever.
const MAX_TICKS: u64 = 60_000;

/// Returns the rules of a real-time game, changed by `words`. Returns `None` for turn-based games.
pub(crate) fn rules(game: &str, words: Option<&str>) -> anyhow::Result<Option<Rules>> {
    let board = match game {
        "kung-fu" => "8x8",
        "kung-fu-12x12" => "12x12",
        _ => {
            ensure!(words.is_none(), OptionError::Rules { game: game.to_owned() });
            return Ok(None);
        }
    };
    let rules = Rules::parse(&format!("{board} {}", words.unwrap_or_default()))?;
    // Some rules leave too few players, which is an error.
    Game::new(rules)?;
    Ok(Some(rules))
}

/// Makes the bot of a player in `game`, with a node budget per order.
pub(crate) fn make_bot(
    player: &Player,
    game: &str,
    rules: &Rules,
    nodes: u64,
    seed: u64,
) -> anyhow::Result<AnyBot> {
    if let Some(model) = player.model(game) {
        return Ok(AnyBot::Learned(LearnedBot::new(model, rules, nodes, seed)?));
    }
    let Player::Level { id, .. } = player else {
        return Err(anyhow!("UCI engines cannot play kung fu chess"));
    };
    let level = LEVELS.iter().position(|level| level.id == id);
    let level = level.ok_or_else(|| anyhow!("unknown level '{id}'"))?;
    Ok(AnyBot::Level(Box::new(RealTimeBot::new(seed, level as u8).with_nodes(nodes))))
}

/// Converts a time to ticks, rounded up.
pub(crate) fn ticks(time: Duration) -> u64 {
    let ticks = (time.as_nanos() * u128::from(TICKS_PER_SECOND)).div_ceil(1_000_000_000);
    u64::try_from(ticks).unwrap_or(u64::MAX)
}

/// Plays a game to its end, with one bot for each seat. An order is given `reaction` ticks after the bot has
/// decided on it, if it is still legal then; until then the bot decides nothing else. Fails when `stop` becomes true.
pub(crate) fn play(
    rules: Rules,
    bots: &mut [AnyBot],
    clock: Clock,
    reaction: u64,
    stop: &AtomicBool,
) -> anyhow::Result<Played> {
    let mut game = Game::new(rules)?;
    let players: Vec<_> = rules.players.iter().collect();
    let mut replay = Replay::of(&game);
    let mut effort = vec![Effort::default(); players.len()];
    // The tick at which each seat was found eliminated, or the maximum for survivors.
    let mut lived = vec![u64::MAX; players.len()];
    // The order of each seat that is still to be given, and the tick at which it will be.
    let mut decided: Vec<Option<(u64, Order)>> = vec![None; players.len()];
    while game.outcome().is_none() && game.now() < MAX_TICKS {
        for (seat, (bot, &player)) in bots.iter_mut().zip(&players).enumerate() {
            if !game.alive().contains(player) {
                lived[seat] = lived[seat].min(game.now());
                continue;
            }
            if let Some((due, order)) = decided[seat] {
                if game.now() < due {
                    continue;
                }
                decided[seat] = None;
                // The game has moved on since, so the order may be refused.
                if give(&mut game, player, order).is_ok() {
                    replay.actions.push((game.now(), PlayerAction::Order { player, order }));
                }
                continue;
            }
            if !bot.is_ready(&game) {
                continue;
            }
            ensure!(!stop.load(Ordering::Relaxed), "stopped");
            let watch = clock.start()?;
            let order = bot.think(&game, player, stop);
            let nodes = bot.nodes();
            effort[seat].add(Effort { nodes, moves: 1, time: watch.elapsed()? });
            if let Some(order) = order.filter(|_| reaction > 0) {
                decided[seat] = Some((game.now().saturating_add(reaction), order));
            } else if let Some(order) = order {
                give(&mut game, player, order)
                    .with_context(|| format!("player {player} gave the illegal order {order:?}"))?;
                replay.actions.push((game.now(), PlayerAction::Order { player, order }));
            }
        }
        game.tick(&mut NoEvents);
    }
    replay.end = game.now();
    let won = |player| match game.outcome() {
        Some(Outcome::Win(winners)) => winners.contains(player),
        Some(Outcome::Draw) | None => false,
    };
    let keys: Vec<(bool, u64)> =
        players.iter().zip(lived).map(|(&player, lived)| (won(player), lived)).collect();
    Ok(Played { places: ranks(&keys), file: write_text(&replay), effort })
}

fn give(game: &mut Game, player: fourfold_kung_fu::Player, order: Order) -> Result<(), Refusal> {
    let to = (order.to.row().into(), order.to.column().into());
    game.order(player, order.piece, to)
}

#[cfg(test)]
mod tests {
    use fourfold_table::kung_fu::read_text;

    use super::*;

    #[test]
    fn games_are_reproducible_and_can_be_replayed() {
        let rules = rules("kung-fu-12x12", Some("lightning")).expect("rules").expect("real time");
        let game = "kung-fu-12x12";
        let player = |id: &str| Player::parse(id, game).expect("a level");
        let play = || {
            let levels = ["greedy", "random", "novice", "random"];
            let mut bots: Vec<AnyBot> = levels
                .iter()
                .zip(1..)
                .map(|(id, seed)| make_bot(&player(id), game, &rules, 1, seed).expect("a bot"))
                .collect();
            super::play(rules, &mut bots, Clock::Wall, 0, &AtomicBool::new(false)).expect("a game")
        };
        let (one, other) = (play(), play());
        assert_eq!((&one.places, &one.file), (&other.places, &other.file));
        assert_eq!(one.places.iter().sum::<f64>(), 10.0);
        let replay = read_text(&one.file).expect("a replay");
        let game = replay.seeker().expect("a game").seek(replay.end);
        assert!(game.outcome().is_some());
    }

    #[test]
    fn orders_follow_decisions_after_the_reaction_time() {
        assert_eq!(ticks(Duration::from_millis(250)), 8);
        assert_eq!(
            [0, 1, 33, 34, 1000].map(|time| ticks(Duration::from_millis(time))),
            [0, 1, 1, 2, 30]
        );
        let rules = rules("kung-fu", Some("lightning")).expect("rules").expect("real time");
        let orders = |reaction| {
            let mut bots: Vec<AnyBot> = ["greedy", "novice"]
                .map(|id| Player::parse(id, "kung-fu").expect("a level"))
                .iter()
                .map(|player| make_bot(player, "kung-fu", &rules, 1, 5).expect("a bot"))
                .collect();
            let stop = AtomicBool::new(false);
            let played =
                super::play(rules, &mut bots, Clock::Wall, reaction, &stop).expect("a game");
            let replay = read_text(&played.file).expect("a replay");
            let ticks: Vec<u64> = replay.actions.iter().map(|&(tick, _)| tick).collect();
            ticks
        };
        let (at_once, late) = (orders(0), orders(40));
        assert_eq!(at_once[0], 0);
        assert_eq!(late[0], 40);
        // Two players give at most one order each in as many ticks.
        assert!(late.windows(3).all(|orders| orders[2] >= orders[0] + 40), "{late:?}");
    }

    #[test]
    fn only_real_time_games_accept_rules() {
        assert!(rules("chess", None).expect("no rules").is_none());
        for (game, words) in [("chess", "lightning"), ("kung-fu", "12x12"), ("kung-fu", "fast")] {
            assert!(rules(game, Some(words)).is_err(), "{game} {words}");
        }
    }
}
