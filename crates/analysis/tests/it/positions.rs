//! Positions on which to compare implementations and check invariants.

use fourfold_chess::{Position, Setup, random_walk};
use fourfold_common::SplitMix64;
use fourfold_oracle::chess::{Variant, moves};

/// Calls `check` with positions of every kind in turn: from random games, including Chess960, from
/// sparse endgames, from boards full of pawns and from boards full of promoted pieces.
pub(crate) fn for_positions(count: usize, seed: u64, mut check: impl FnMut(&str, Variant)) {
    let mut rng = SplitMix64::new(seed);
    let mut seen = 0;
    let mut played = Vec::new();
    while seen < count {
        let next = match seen % 4 {
            0 | 1 => {
                if played.is_empty() {
                    played = random_game(&mut rng);
                }
                played.pop()
            }
            2 => Some((scattered(&mut rng, "QRBNPqrbnp", 2, 7), Variant::Standard)),
            _ if rng.next().is_multiple_of(2) => {
                Some((scattered(&mut rng, "PPPPPPPPpppppppp", 10, 16), Variant::Standard))
            }
            _ => Some((scattered(&mut rng, "QQRRBBNNNPqqrrbbnnnp", 8, 18), Variant::Standard)),
        };
        let Some((fen, variant)) = next else { continue };
        if moves(&fen, variant).is_ok() {
            check(&fen, variant);
            seen += 1;
        }
    }
}

/// Returns every seventh position of a random game.
fn random_game(rng: &mut SplitMix64) -> Vec<(String, Variant)> {
    let (start, variant) = if rng.next().is_multiple_of(3) {
        let setup = Setup::chess960((rng.next() % 960) as u16).expect("a number below 960");
        (setup.validate().expect("a start is valid"), Variant::Chess960)
    } else {
        (Position::start(), Variant::Standard)
    };
    let skipped = (rng.next() % 7) as usize;
    let walk = random_walk(start, rng.next()).take(150).skip(skipped).step_by(7);
    walk.map(|position| (position.fen(), variant)).collect()
}

/// Places both kings and `least` to `most` of the given pieces on random squares. The position may
/// be invalid.
fn scattered(rng: &mut SplitMix64, pieces: &str, least: u64, most: u64) -> String {
    let mut left: Vec<char> = pieces.chars().collect();
    let mut chosen = vec!['K', 'k'];
    for _ in 0..least + rng.next() % (most - least + 1) {
        if !left.is_empty() {
            chosen.push(left.swap_remove((rng.next() % left.len() as u64) as usize));
        }
    }
    let mut board = [['1'; 8]; 8];
    for piece in chosen {
        // Pawns stay off the outer ranks.
        let ranks = if piece.eq_ignore_ascii_case(&'p') { 1..7 } else { 0..8 };
        loop {
            let (rank, file) = ((rng.next() % 8) as usize, (rng.next() % 8) as usize);
            if ranks.contains(&rank) && board[rank][file] == '1' {
                board[rank][file] = piece;
                break;
            }
        }
    }
    let turn = if rng.next().is_multiple_of(2) { 'w' } else { 'b' };
    format!("{} {turn} - - 0 1", rows_of(&board))
}

/// Writes the board field of a FEN from an array with `1` for each empty square, eighth rank first.
pub(crate) fn rows_of(board: &[[char; 8]; 8]) -> String {
    let rows: Vec<String> = board.iter().map(row_of).collect();
    rows.join("/")
}

fn row_of(row: &[char; 8]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in row.iter().chain(&['.']) {
        if *letter == '1' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        empty = 0;
        text.push(*letter);
    }
    text.trim_end_matches('.').to_string()
}

#[test]
fn positions_are_of_every_kind() {
    let (mut games, mut sparse, mut crowded, mut pawns, mut promoted) = (0, 0, 0, 0, 0);
    for_positions(400, 1, |fen, variant| {
        let pieces = |wanted: &str| {
            let board = fen.split(' ').next().unwrap_or_default();
            board.chars().filter(|letter| wanted.contains(*letter)).count()
        };
        games += usize::from(variant == Variant::Chess960);
        sparse += usize::from(pieces("PNBRQKpnbrqk") <= 6);
        crowded += usize::from(pieces("PNBRQKpnbrqk") >= 26);
        pawns += usize::from(pieces("NBRQnbrq") == 0 && pieces("Pp") >= 10);
        promoted +=
            usize::from(pieces("Q") > 1 || pieces("N") > 2 || pieces("q") > 1 || pieces("n") > 2);
    });
    for (kind, count) in [
        ("from Chess960", games),
        ("sparse", sparse),
        ("crowded", crowded),
        ("pawns", pawns),
        ("promoted", promoted),
    ] {
        assert!(count >= 20, "only {count} of 400 positions are {kind}");
    }
}
