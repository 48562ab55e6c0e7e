//! Compares the search with an exhaustive one, and plays every level under every rule.

use fourfold_common::SplitMix64;
use fourfold_four_player::{
    MateTiming, Mode, Move, Player, Players, Position, Role, Rules, StartPosition,
    WithdrawalReason, random_walk,
};

use super::Game;
use super::greedy::{MATING, STALEMATING};
use super::handicap::Handicap;
use super::search::{MATED, Search, in_hand};
use super::value::{self, Armies, State, WON};
use crate::level_bot::Game as _;
use crate::{Budget, Rules as BotRules, Situation, ThinkError};

/// Returns positions from random games, some of them after a withdrawal.
fn positions(rules: Rules, seed: u64) -> Vec<Position> {
    let opening = StartPosition::ALL[seed as usize % StartPosition::ALL.len()];
    let walk = random_walk(Position::start(opening, rules), seed);
    let mut found: Vec<Position> = walk.skip(20).step_by(45).take(12).collect();
    for position in found.iter_mut().skip(1).step_by(3) {
        // In teams a withdrawal ends the game.
        let _ = position.withdraw(Player::ALL[seed as usize % 4], WithdrawalReason::Resign);
    }
    found.retain(|position| position.ending().is_none() && position.has_legal_move());
    found
}

fn game(position: &Position) -> Game {
    let situation = Situation { start: &position.fen4(), moves: &[] };
    Game::read(&situation, position.rules()).expect("a game that goes on")
}

/// Evaluates a position after a move by trying everything.
fn exhaustive(search: &Search<'_>, position: &Position, left: u32, ply: i32) -> i32 {
    let us = search.us;
    if let Some(value) = value::ended(position, us) {
        return if value == WON { value - ply } else { value };
    }
    let state = State::of(position);
    let ours = value::friends(position, us).contains(position.turn());
    if !ours && !position.alive().contains(us) {
        return state.value(us) + ply;
    }
    if left == 0 {
        return search.leaf(&state);
    }
    let in_turn = position.rules().mode == Mode::Teams || position.alive().len() < 3;
    if ours {
        let mut moves = position.legal_moves().to_vec();
        let king =
            |mv: &Move| position.piece_at(mv.to()).is_some_and(|piece| piece.role == Role::King);
        moves.retain(|mv| in_turn || !king(mv));
        let best =
            moves.iter().map(|&mv| exhaustive(search, &position.after(mv), left - 1, ply + 1));
        return best.max().unwrap_or_else(|| {
            let mated = if position.is_check(us) { MATED - ply } else { 0 };
            state.value(us) - mated
        });
    }
    let foes = if in_turn { Players::one(position.turn()) } else { position.opponents(us) };
    let mut choices = Vec::new();
    let mut caught = 0;
    for foe in foes.iter() {
        let turn = position.with_turn(foe).expect("a living player");
        choices.extend(turn.legal_moves().iter().map(|&mv| Some((foe, mv))));
        if !turn.has_legal_move() {
            caught += if position.is_check(foe) { MATING } else { STALEMATING };
        }
    }
    if !in_turn || choices.is_empty() {
        choices.push(None);
    }
    let after = |&chosen: &Option<(Player, Move)>| {
        let after = search.reply(&state, chosen).position;
        let in_turn = after.rules().mode == Mode::Teams || after.alive().len() < 3;
        let turn = if in_turn { None } else { after.with_turn(us) };
        exhaustive(search, &turn.unwrap_or(after), left - 1, ply + 1)
    };
    choices.iter().map(after).min().unwrap_or(0) + caught
}

#[test]
fn plain_search_matches_the_exhaustive_one() {
    let mut seen = 0;
    for (seed, rules) in (0..).zip([Rules::FREE_FOR_ALL, Rules::TEAMS].into_iter().cycle().take(24))
    {
        // Few pieces, so that every line can be searched.
        let few = |position: &&Position| position.occupied().len() <= 24;
        for position in positions(rules, seed).iter().filter(few).take(2) {
            seen += 1;
            for moves in [1, 2] {
                let handicap = Handicap { moves, ..Handicap::NONE };
                // When the players move in turn, two moves of ours take five plies: too many to try
                // everything.
                let in_turn = rules.mode == Mode::Teams || position.alive().len() < 3;
                let depth = if moves == 1 { 1 } else { 3 };
                let mut search = Search::plain(position, handicap, Budget::nodes(u64::MAX));
                if in_turn && moves > 1 {
                    continue;
                }
                let (found, reached) = search.run(&mut game(position), &mut SplitMix64::new(seed));
                let legal = position.legal_moves();
                let value = |&mv: &Move| {
                    let after = position.after(mv);
                    exhaustive(&search, &after, depth - 1, 1) + in_hand(position, &after)
                };
                if reached == depth {
                    let best = legal.iter().map(value).max();
                    assert_eq!(Some(found[0].0), best, "{position} at {depth}");
                }
            }
        }
    }
    assert!(seen >= 10, "only {seen} positions");
}

#[test]
fn incremental_armies_match_the_board() {
    for (seed, rules) in (0..).zip([Rules::FREE_FOR_ALL, Rules::TEAMS, Rules::FREE_FOR_ALL]) {
        let mut rng = SplitMix64::new(seed);
        let mut position = Position::start(StartPosition::Modern, rules);
        let mut armies = Armies::of(&position);
        while position.ending().is_none() {
            let legal = position.legal_moves();
            let mv = legal[rng.next() as usize % legal.len()];
            let after = position.after(mv);
            armies = armies.after(&position, mv, &after);
            assert_eq!(armies, Armies::of(&after), "{position} {mv}");
            position = after;
        }
    }
}

#[test]
fn every_level_plays_under_every_rule_and_keeps_its_budget() {
    for (seed, words) in (0..).zip([
        "ffa",
        "teams",
        "forbid-king-capture",
        "teams forbid-king-capture",
        "immediate",
        "off",
        "survivor",
        "walking-king",
        "legacy-points",
        "no-bare-kings quiet=0 repetition=0",
    ]) {
        let rules: Rules = Rules::parse(words).expect("words for rules");
        for position in positions(rules, seed) {
            let (start, legal) = (position.fen4(), position.legal_moves());
            for level in BotRules::FourPlayer(rules).levels() {
                for nodes in [0, 1, 50, 900] {
                    let mut bot =
                        BotRules::FourPlayer(rules).make(level.id, seed).expect("a level");
                    let situation = Situation { start: &start, moves: &[] };
                    let thought = bot.think(&situation, Budget::nodes(nodes)).expect("a move");
                    assert!(
                        legal.iter().any(|mv| mv.to_string() == thought.code),
                        "{words} {start}"
                    );
                    assert!(thought.nodes <= nodes.max(1), "{words} {start}: {thought:?}");
                }
            }
        }
    }
}

#[test]
fn no_legal_move_is_an_error() {
    let rules = Rules { mate_timing: MateTiming::Off, ..Rules::FREE_FOR_ALL };
    let stuck = (0..200).flat_map(|seed| {
        random_walk(Position::start(StartPosition::Modern, rules), seed)
            .filter(|position| position.ending().is_none() && !position.has_legal_move())
    });
    let position = stuck.into_iter().next().expect("somebody gets stuck");
    for level in BotRules::FourPlayer(rules).levels() {
        let mut bot = BotRules::FourPlayer(rules).make(level.id, 1).expect("a level");
        let situation = Situation { start: &position.fen4(), moves: &[] };
        let answer = bot.think(&situation, Budget::nodes(10));
        assert!(matches!(answer, Err(ThinkError::Over { .. })), "{answer:?}");
    }
}
