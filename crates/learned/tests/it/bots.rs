//! Bots with random weights.

use std::sync::atomic::AtomicBool;

use fourfold_bots::kung_fu::RealTimeBot;
use fourfold_bots::{Bot, Budget, Score, Situation, ThinkError};
use fourfold_kung_fu::{Game, NoEvents, Rules};
use fourfold_learned::kung_fu::{AnyBot, LearnedBot};

use crate::mates::{Mate, mates};
use crate::random_model::Files;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn bot(game: &str, seed: u64) -> Box<dyn Bot> {
    Files::new(game, (2, 4), 1).model().bot(seed)
}

#[test]
fn bots_play_every_game() {
    for game in ["chess", "four-player", "blokus-duo"] {
        let mut table = fourfold_table::make(game).expect("a game");
        let mut bot = bot(&game.replace('-', "_"), 1);
        for ply in 0..12 {
            let (start, moves) = table.situation();
            let situation = Situation { start: &start, moves: &moves };
            let nodes = if ply % 2 == 0 { 1 } else { 12 };
            let thought = bot.think(&situation, Budget { lines: 3, ..Budget::nodes(nodes) });
            let thought = thought.expect("a move");
            assert!((1..=nodes).contains(&thought.nodes), "{game}: {thought:?}");
            if nodes > 1 {
                assert!(thought.depth > 0, "{game}: {thought:?}");
                assert_eq!(thought.lines[0].codes[0], thought.code);
            }
            let seat = table.acting()[0];
            table.play_as(seat, &thought.code).expect("a legal move");
        }
    }
}

#[test]
fn mates_in_one_are_found_with_any_weights() {
    for (seed, Mate { start, codes }) in (1..).zip(mates(32)) {
        let mut bot = Files::new("chess", (1, 4), seed).model().bot(1);
        for nodes in [1, 2, 30] {
            let situation = Situation { start: &start, moves: &[] };
            let thought = bot.think(&situation, Budget::nodes(nodes)).expect("a move");
            assert!(codes.contains(&thought.code), "{start}: {}, not {codes:?}", thought.code);
            if nodes > 1 {
                assert!(matches!(thought.lines[0].score, Score::WinningChances(980..=1000)));
            }
        }
    }
}

#[test]
fn the_same_seed_and_budget_give_the_same_move() {
    let moves = ["e2e4", "c7c5"].map(String::from);
    let situation = Situation { start: START, moves: &moves };
    let think = |seed| bot("chess", seed).think(&situation, Budget::nodes(64)).expect("a move");
    assert_eq!(think(7), think(7));
}

#[test]
fn a_stopped_bot_answers_at_once() {
    let stop = AtomicBool::new(true);
    let budget = Budget::nodes(u64::MAX).with_stop(&stop);
    let thought = bot("chess", 1).think(&Situation { start: START, moves: &[] }, budget);
    assert!(thought.expect("a move").nodes <= 2);
}

#[test]
fn repetitions_of_the_environment_do_not_end_a_game_here() {
    let round = ["g1f3", "g8f6", "f3g1", "f6g8"].map(String::from);
    let moves = [&round[..], &round[..]].concat();
    let thought =
        bot("chess", 1).think(&Situation { start: START, moves: &moves }, Budget::nodes(8));
    assert!(!thought.expect("a move").code.is_empty());
}

#[test]
fn situations_are_checked() {
    let think = |start, moves: &[String]| {
        bot("chess", 1).think(&Situation { start, moves }, Budget::nodes(4)).expect_err("an error")
    };
    assert!(matches!(think("nonsense", &[]), ThinkError::Start { .. }));
    let moves = ["e2e4", "e2e4"].map(String::from);
    assert!(matches!(think(START, &moves), ThinkError::Move { ply: 1, .. }));
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert!(matches!(think(mate, &[]), ThinkError::Over { .. }));
}

#[test]
fn a_stopped_decision_in_kung_fu_ends() {
    let rules = Rules::parse("8x8 lightning").expect("rules");
    let model = Files::new("kung_fu", (1, 4), 1).model();
    let mut bot = LearnedBot::new(&model, &rules, u64::MAX, 1).expect("a bot");
    let game = Game::new(rules).expect("a game");
    bot.think(&game, rules.players.iter().next().expect("a player"), &AtomicBool::new(true));
    assert!((1..=2).contains(&bot.nodes()), "{}", bot.nodes());
}

#[test]
fn kung_fu_is_played_at_any_speed() {
    let model = Files::new("kung_fu", (2, 4), 1).model();
    for words in ["8x8 lightning", "8x8 standard", "8x8 ticks-per-square=3 rest=30"] {
        let rules = Rules::parse(words).expect("rules");
        let learned = LearnedBot::new(&model, &rules, 3, 1).expect("a bot");
        let mut bots = [AnyBot::Learned(learned), AnyBot::Level(Box::new(RealTimeBot::new(1, 0)))];
        let mut game = Game::new(rules).expect("a game");
        let (mut orders, players) = (0, rules.players);
        while game.outcome().is_none() && game.now() < 300 {
            for (index, (bot, player)) in bots.iter_mut().zip(players.iter()).enumerate() {
                if let Some(order) = bot.think(&game, player, &AtomicBool::new(false)) {
                    let to = (order.to.row().into(), order.to.column().into());
                    game.order(player, order.piece, to).expect("a legal order");
                    orders += usize::from(index == 0);
                }
            }
            game.tick(&mut NoEvents);
        }
        assert!(orders > 3, "{words}: {orders} orders");
    }
    let four = Rules::parse("12x12").expect("rules");
    assert!(LearnedBot::new(&model, &four, 3, 1).is_err());
    assert!(LearnedBot::new(&Files::new("chess", (2, 4), 1).model(), &four, 3, 1).is_err());
}
