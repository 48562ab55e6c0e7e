//! Suites of chess positions, and an exhaustive mate solver.
#![allow(unreachable_pub, dead_code, reason = "a test and an example share it")]

use fourfold_chess::{Move, Position};

/// A position whose best moves are known.
pub struct Puzzle {
    pub id: String,
    pub position: Position,
    pub best: Vec<Move>,
}

/// Parses lines of the form `placement turn castling en-passant bm MOVES; id NAME;`.
pub fn puzzles(text: &str) -> Vec<Puzzle> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (fen, rest) = line.split_once(" bm ").expect("best moves");
            let position = Position::from_fen(&format!("{fen} 0 1")).expect("a position");
            let (moves, rest) = rest.split_once("; id ").expect("an id");
            let best = moves.split_whitespace().map(|san| position.parse_san(san).expect("legal"));
            let id = rest.trim_end_matches(';').to_owned();
            Puzzle { id, best: best.collect(), position }
        })
        .collect()
}

/// A position and the number of moves in which the side to move mates.
pub struct Mate {
    pub position: Position,
    pub moves: u32,
}

/// Parses lines of the form `FEN ; mate N`.
pub fn mates(text: &str) -> Vec<Mate> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (fen, moves) = line.split_once(" ; mate ").expect("a number of moves");
            let position = Position::from_fen(fen).expect("a position");
            Mate { position, moves: moves.parse().expect("a number") }
        })
        .collect()
}

/// Returns whether the side to move mates in this many moves, by trying everything, or `None` if
/// that takes more than `left` positions.
pub fn mates_in(position: &Position, moves: u32, left: &mut u64) -> Option<bool> {
    let mut first = position.legal_moves().to_vec();
    first.sort_by_key(|&mv| !position.after(mv).is_check());
    for mv in first {
        let after = position.after(mv);
        if moves == 1 && !after.is_check() {
            // Moves that give check come first, so there are none left.
            return Some(false);
        }
        *left = left.checked_sub(1)?;
        let replies = after.legal_moves();
        if replies.is_empty() {
            if after.is_check() {
                return Some(true);
            }
            continue;
        }
        if moves == 1 {
            continue;
        }
        let mut all = true;
        for &reply in &replies {
            if !mates_in(&after.after(reply), moves - 1, left)? {
                all = false;
                break;
            }
        }
        if all {
            return Some(true);
        }
    }
    Some(false)
}
