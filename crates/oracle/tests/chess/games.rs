//! Oracle and engine on positions from random play, Chess960 included.

use fourfold_board::Keys;
use fourfold_chess::{Position, Setup, random_walk};
use fourfold_oracle::chess::Variant;

use crate::rules::{Engine, Oracle, Rules};

fn starts(keys: &mut Keys) -> (Position, Variant) {
    if keys.next().is_multiple_of(3) {
        let setup = Setup::chess960((keys.next() % 960) as u16).expect("a number below 960");
        (setup.validate().expect("a start is valid"), Variant::Chess960)
    } else {
        (Position::start(), Variant::Standard)
    }
}

/// Calls `check` with positions from all phases of random games.
fn for_positions(count: usize, seed: u64, mut check: impl FnMut(&str, Variant)) {
    let mut keys = Keys::new(seed);
    let mut seen = 0;
    while seen < count {
        let (start, variant) = starts(&mut keys);
        let skipped = (keys.next() % 10) as usize;
        for position in random_walk(start, keys.next()).take(180).skip(skipped).step_by(7) {
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
fn both_see_the_same_facts_in_whole_games() {
    let mut keys = Keys::new(3);
    for _ in 0..12 {
        let (start, variant) = starts(&mut keys);
        // Few men, so that clocks run and positions come back.
        let sparse = random_walk(start, keys.next()).take(400).last().expect("a game");
        let mut moves: Vec<String> = Vec::new();
        let mut position = sparse;
        for _ in 0..60 {
            let list = position.legal_moves();
            let Some(index) = keys.next().checked_rem(list.len().min(3) as u64) else { break };
            let mv = list[index as usize];
            moves.push(mv.uci(position.variant()));
            position.play_unchecked(mv);
        }
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let fen = sparse.fen();
        for played in (0..=moves.len()).step_by(4) {
            let moves = &moves[..played];
            let engine = sorted(Engine.facts(&fen, moves, variant));
            assert_eq!(engine, sorted(Oracle.facts(&fen, moves, variant)), "{fen} {moves:?}");
        }
    }
}

#[test]
fn both_refuse_the_same_fens() {
    let letters: Vec<char> = "PNBRQKpnbrqk12345678/wb-KQkqABHah e3d6 0 9".chars().collect();
    let mut keys = Keys::new(4);
    let (mut refused, mut taken) = (0, 0);
    for_positions(4000, 5, |fen, variant| {
        let mut text: Vec<char> = fen.chars().collect();
        for _ in 0..1 + keys.next() % 2 {
            let place = (keys.next() % text.len() as u64) as usize;
            let letter = letters[(keys.next() % letters.len() as u64) as usize];
            match keys.next() % 3 {
                0 => text[place] = letter,
                1 => text.insert(place, letter),
                _ => {
                    text.remove(place);
                }
            }
        }
        let text: String = text.into_iter().collect();
        let engine = Engine.moves(&text, variant).is_ok();
        assert_eq!(engine, Oracle.moves(&text, variant).is_ok(), "{variant:?} {text}");
        if engine { taken += 1 } else { refused += 1 }
    });
    assert!(refused > 1000 && taken > 100, "{refused} refused, {taken} taken");
}
