//! Compares oracle and engine on positions from random play, including Chess960.

use std::collections::BTreeSet;

use fourfold_chess::{Position, Setup, random_walk};
use fourfold_common::SplitMix64;
use fourfold_oracle::chess::Variant;
use fourfold_oracle::harness::mutate;

use super::implementations::{Engine, Implementation, Oracle};

fn starts(rng: &mut SplitMix64) -> (Position, Variant) {
    if rng.next().is_multiple_of(3) {
        let setup = Setup::chess960((rng.next() % 960) as u16).expect("a number below 960");
        (setup.validate().expect("a start is valid"), Variant::Chess960)
    } else {
        (Position::start(), Variant::Standard)
    }
}

/// Calls `check` with positions from all phases of random games.
fn for_positions(count: usize, seed: u64, mut check: impl FnMut(&str, Variant)) {
    let mut rng = SplitMix64::new(seed);
    let mut seen = 0;
    while seen < count {
        let (start, variant) = starts(&mut rng);
        let skipped = (rng.next() % 10) as usize;
        for position in random_walk(start, rng.next()).take(180).skip(skipped).step_by(7) {
            check(&position.fen(), variant);
            seen += 1;
        }
    }
}

fn sorted(moves: Result<Vec<String>, String>) -> Vec<String> {
    let mut moves = moves.expect("a position from play");
    moves.sort();
    moves
}

#[test]
fn both_generate_the_same_moves() {
    for_positions(10_000, 1, |fen, variant| {
        let engine = sorted(Engine.moves(fen, variant));
        assert_eq!(engine, sorted(Oracle.moves(fen, variant)), "{variant:?} {fen}");
    });
}

#[test]
fn both_play_and_write_moves_alike() {
    for_positions(300, 2, |fen, variant| {
        for uci in sorted(Oracle.moves(fen, variant)) {
            let at = format!("{uci} in {variant:?} {fen}");
            assert_eq!(Engine.play(fen, &uci, variant), Oracle.play(fen, &uci, variant), "{at}");
            assert_eq!(Engine.san(fen, &uci, variant), Oracle.san(fen, &uci, variant), "{at}");
            let exchange = Engine.exchange(fen, &uci, variant);
            assert_eq!(exchange, Oracle.exchange(fen, &uci, variant), "{at}");
        }
    });
}

#[test]
fn both_report_the_same_facts_in_whole_games() {
    let mut rng = SplitMix64::new(3);
    let mut seen = BTreeSet::new();
    let endgames = [
        // Clocks close to their limits, and so few choices of moves that positions repeat.
        ("7k/8/8/8/8/8/R7/K7 w - - 90 80", 3),
        ("7k/8/8/8/8/8/R7/K7 w - - 140 80", 3),
        ("7k/8/8/8/8/8/R7/K7 w - - 0 80", 2),
        ("7k/6pp/8/8/8/8/R7/K7 w - - 0 80", 2),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 2),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 20),
        ("k7/8/1K6/8/8/8/7Q/8 w - - 0 1", 30),
    ];
    let random = endgames.into_iter().cycle().take(42).map(|(fen, choices)| {
        let mut moves: Vec<String> = Vec::new();
        let mut position = Engine::position(fen, Variant::Standard).expect("an endgame");
        for _ in 0..24 {
            let list = position.legal_moves();
            let count = list.len().min(choices) as u64;
            let Some(index) = rng.next().checked_rem(count) else { break };
            let mv = list[index as usize];
            moves.push(mv.uci(position.variant()));
            position.play_unchecked(mv);
        }
        (fen, moves)
    });
    let written = |fen, text: &str| (fen, text.split(' ').map(str::to_owned).collect::<Vec<_>>());
    let scripted = [
        written("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &["h1h2 e8e7 h2h1 e7e8"; 6].join(" ")),
        written("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "f2f3 e7e5 g2g4 d8h4"),
        written("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7"),
    ];
    for (fen, moves) in random.chain(scripted) {
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        for played in 0..=moves.len() {
            let moves = &moves[..played];
            let engine = sorted(Engine.facts(fen, moves, Variant::Standard));
            let oracle = sorted(Oracle.facts(fen, moves, Variant::Standard));
            assert_eq!(engine, oracle, "{fen} {moves:?}");
            seen.extend(engine);
        }
    }
    let all = [
        "check",
        "checkmate",
        "fifty moves",
        "fivefold repetition",
        "insufficient material",
        "seventy-five moves",
        "stalemate",
        "threefold repetition",
    ];
    assert_eq!(seen.iter().map(String::as_str).collect::<Vec<_>>(), all, "not all facts came up");
}

#[test]
fn both_reject_the_same_fens() {
    let letters = "PNBRQKpnbrqk12345678/wb-KQkqABHah e3d6 0 9";
    let mut rng = SplitMix64::new(4);
    let (mut rejected, mut accepted) = (0, 0);
    for_positions(4000, 5, |fen, variant| {
        let mut text = fen.to_string();
        for _ in 0..1 + rng.next() % 2 {
            text = mutate(&text, text.len(), letters, || rng.next());
        }
        let engine = Engine.moves(&text, variant).is_ok();
        assert_eq!(engine, Oracle.moves(&text, variant).is_ok(), "{variant:?} {text}");
        if engine { accepted += 1 } else { rejected += 1 }
    });
    assert!(rejected > 1000 && accepted > 100, "{rejected} rejected, {accepted} accepted");
}
