//! Compares the search with an exhaustive one, and checks its guarantees.

use std::sync::atomic::{AtomicBool, Ordering};

use fourfold_chess::{Color, Setup, random_walk};
use fourfold_common::cpu::Baseline;

use super::eval::evaluate;
use super::taper::Incremental;
use super::*;

fn think(position: &Position, task: &Task<'_>, engine: &mut Engine) -> Report {
    engine.think(position, &History::new(position), task, |_| ControlFlow::Continue(()))
}

/// Returns the same position with the colors swapped.
fn mirrored(position: &Position) -> Position {
    let mut setup = Setup { turn: !position.turn(), ..position.setup() };
    setup.board = fourfold_chess::Board::EMPTY;
    let flip = |square: fourfold_chess::Square| fourfold_chess::Square::new(square.index() ^ 56);
    for (square, piece) in position.board().iter_pieces() {
        let color = if piece.color == Color::White { Color::Black } else { Color::White };
        setup.board.put(flip(square), fourfold_chess::Piece { color, ..piece });
    }
    setup.castling = position.castling().iter().map(flip).collect();
    setup.en_passant = position.en_passant().map(flip);
    setup.validate().expect("a mirrored position is valid")
}

#[test]
fn evaluation_is_symmetric() {
    for seed in 0..40 {
        for position in random_walk(Position::start(), seed).take(160) {
            let other = mirrored(&position);
            let score = evaluate(Baseline, &position, Incremental::of(&position));
            assert_eq!(
                score,
                evaluate(Baseline, &other, Incremental::of(&other)),
                "{position} and {other}"
            );
        }
    }
}

/// Searches every line to its end, as the engine does without pruning: `depth` plies, one more in
/// check, then captures that lose nothing.
fn exhaustive(position: &Position, keys: &mut Vec<u64>, depth: i32, ply: i32, round: i32) -> i32 {
    let check = position.is_check();
    let depth = if check && ply < 2 * round { depth + 1 } else { depth };
    if depth <= 0 {
        return exhaustive_quiet(position, ply);
    }
    let key = keys[keys.len() - 1];
    let again = keys.iter().filter(|&&before| before == key).count() > 1;
    let legal = position.legal_moves();
    if ply > 0 {
        let mated = check && legal.is_empty();
        if position.halfmoves() >= 100 && !mated || again || position.is_insufficient_material() {
            return 0;
        }
    }
    let mut best = if check { ply - MATE } else { 0 };
    for (index, &mv) in legal.iter().enumerate() {
        let after = position.after(mv);
        keys.push(after.key());
        let score = -exhaustive(&after, keys, depth - 1, ply + 1, round);
        keys.pop();
        best = if index == 0 { score } else { best.max(score) };
    }
    best
}

fn exhaustive_quiet(position: &Position, ply: i32) -> i32 {
    if position.is_insufficient_material() {
        return 0;
    }
    let check = position.is_check();
    let legal = position.legal_moves();
    let mut best = match check {
        true => ply - MATE,
        false => evaluate(Baseline, position, Incremental::of(position)),
    };
    for &mv in &legal {
        let queens = mv.promotion() == Some(fourfold_chess::Role::Queen);
        let takes = position.captured(mv).is_some()
            && mv.promotion().is_none_or(|role| role == fourfold_chess::Role::Queen);
        if check || (takes || queens) && position.exchange(mv) >= 0 {
            best = best.max(-exhaustive_quiet(&position.after(mv), ply + 1));
        }
    }
    best
}

#[test]
fn plain_search_matches_the_exhaustive_one() {
    let mut seen = 0;
    for seed in 0..60 {
        // Late positions of random games have few pieces, so that every line can be searched.
        let walk = random_walk(Position::start(), seed).skip(100).step_by(29).take(10);
        for position in walk.filter(|position| position.board().occupied().len() <= 9).take(1) {
            if position.ending().is_some() {
                continue;
            }
            seen += 1;
            for depth in 1..=2 {
                let task = Task { depth, ..Task::new(Budget::nodes(u64::MAX)) };
                let answer = think(&position, &task, &mut Engine::plain());
                let expected =
                    exhaustive(&position, &mut vec![position.key()], depth as i32, 0, depth as i32);
                assert_eq!(answer.lines[0].value, expected, "{position} at depth {depth}");
            }
        }
    }
    assert!(seen >= 20, "only {seen} positions");
}

#[test]
fn searches_are_reproducible() {
    for seed in 0..6 {
        for position in random_walk(Position::start(), seed).skip(5).step_by(17).take(6) {
            if position.ending().is_some() {
                continue;
            }
            for nodes in [0, 1, 7, 300, 4000] {
                let task = Task::new(Budget::nodes(nodes));
                let answer = think(&position, &task, &mut Engine::new(1 << 16));
                assert!(answer.nodes <= nodes.max(1), "{position}: {} of {nodes}", answer.nodes);
                assert_eq!(
                    answer,
                    think(&position, &task, &mut Engine::new(1 << 16)),
                    "{position}"
                );
                assert!(position.is_legal(answer.lines[0].moves[0]));
            }
        }
    }
}

#[test]
fn lines_are_distinct_sorted_and_legal() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let position = Position::from_fen(fen).expect("a position");
    let task = Task::new(Budget { lines: 5, ..Budget::nodes(30_000) });
    let answer = think(&position, &task, &mut Engine::new(1 << 20));
    assert_eq!(answer.lines.len(), 5);
    for pair in answer.lines.windows(2) {
        assert!(pair[0].value >= pair[1].value && pair[0].moves[0] != pair[1].moves[0]);
    }
    for line in &answer.lines {
        let mut position = position;
        for &mv in &line.moves {
            position.play(mv).expect("a line is legal");
        }
    }
    // With a restricted choice, the answer is one of the given moves.
    let choices =
        [position.parse_uci("a2a4").expect("legal"), position.parse_uci("h2h4").expect("legal")];
    let task = Task { choices: &choices, ..Task::new(Budget::nodes(2000)) };
    let answer = think(&position, &task, &mut Engine::new(1 << 20));
    assert!(choices.contains(&answer.lines[0].moves[0]));
}

#[test]
fn stop_flag_ends_the_search_at_once() {
    let position = Position::start();
    let stop = AtomicBool::new(false);
    let task = Task::new(Budget::nodes(u64::MAX).with_stop(&stop));
    let mut at = 0;
    let answer = Engine::new(1 << 20).think(&position, &History::new(&position), &task, |round| {
        if round.depth == 4 {
            stop.store(true, Ordering::Relaxed);
            at = round.nodes;
        }
        ControlFlow::Continue(())
    });
    assert_eq!((answer.nodes, answer.depth), (at, 4));
}

#[test]
fn repetitions_and_fifty_moves_are_draws() {
    // White is a rook down and repeats the position.
    let mut position = Position::from_fen("6k1/8/8/8/8/7r/8/K7 w - - 0 1").expect("a position");
    let mut history = History::new(&position);
    for code in ["a1b1", "h3h4", "b1a1", "h4h3", "a1b1", "h3h4", "b1a1", "h4h3"] {
        position.play_unchecked(position.parse_uci(code).expect("legal"));
        history.push(&position);
    }
    let task = Task::new(Budget::nodes(20_000));
    let answer =
        Engine::new(1 << 20).think(&position, &history, &task, |_| ControlFlow::Continue(()));
    assert_eq!(answer.lines[0].moves[0].uci(position.variant()), "a1b1");
    assert_eq!(answer.lines[0].score(), Score::Points(0));
    // One ply before the fifty-move rule applies, there is only time for a mate in one.
    let fifty = Position::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80").expect("a position");
    let answer = think(&fifty, &task, &mut Engine::new(1 << 20));
    assert_eq!(answer.lines[0].score(), Score::Mate(1));
    let fifty = Position::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 99 80").expect("a position");
    let answer = think(&fifty, &task, &mut Engine::new(1 << 20));
    assert_eq!(answer.lines[0].score(), Score::Points(0));
}

#[test]
fn no_lines_without_a_legal_move() {
    let mated = Position::from_fen("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").expect("a position");
    assert_eq!(
        think(&mated, &Task::new(Budget::nodes(10)), &mut Engine::new(0)),
        Report::default()
    );
}
