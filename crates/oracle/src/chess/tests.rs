use super::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Checks published perft counts, starting at depth 1.
fn assert_perft(fen: &str, variant: Variant, counts: &[u64]) {
    for (depth, count) in (1..).zip(counts) {
        let found = perft(fen, depth, variant);
        assert_eq!(found, Ok(*count), "perft {depth} of {fen}");
    }
}

#[test]
fn perft_of_the_start_position() {
    assert_perft(START, Variant::Standard, &[20, 400, 8902, 197_281]);
}

#[test]
fn perft_of_kiwipete() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_perft(fen, Variant::Standard, &[48, 2039, 97862]);
}

#[test]
fn perft_of_position_3() {
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    assert_perft(fen, Variant::Standard, &[14, 191, 2812, 43238]);
}

#[test]
fn perft_of_position_4() {
    let fen = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    assert_perft(fen, Variant::Standard, &[6, 264, 9467]);
}

#[test]
fn perft_of_position_5() {
    let fen = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
    assert_perft(fen, Variant::Standard, &[44, 1486, 62379]);
}

#[test]
fn perft_of_position_6() {
    let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    assert_perft(fen, Variant::Standard, &[46, 2079, 89890]);
}

/// A standard position has the same number of moves when castling is written the Chess960 way.
#[test]
fn perft_of_kiwipete_as_chess960() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1";
    assert_perft(fen, Variant::Chess960, &[48, 2039]);
}

/// The counts are from the published list of Chess960 perft results.
#[test]
fn perft_of_chess960_positions() {
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    assert_perft(fen, Variant::Chess960, &[21, 528, 12189]);
    let fen = "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9";
    assert_perft(fen, Variant::Chess960, &[21, 807, 18002]);
}

#[test]
fn depth_zero_is_one_sequence() {
    assert_eq!(perft(START, 0, Variant::Standard), Ok(1));
}

#[test]
fn moves_are_sorted() {
    let moves = moves(START, Variant::Standard).unwrap();
    assert!(moves.is_sorted());
    assert_eq!(moves.first().map(String::as_str), Some("a2a3"));
}

#[test]
fn errors_name_the_invalid_part() {
    let reason = |fen: &str| moves(fen, Variant::Standard).unwrap_err().to_string();
    assert_eq!(reason("8/8 w"), "expected a FEN with 6 fields, got 2: '8/8 w'");
    assert_eq!(reason("4k3/8/8/8/8/8/8/8 w - - 0 1"), "expected one white king, got 0");
    assert_eq!(reason("4k3/8/8/8/8/8/7x/4K3 w - - 0 1"), "rank 2 has unknown letter 'x': '7x'");
    assert_eq!(
        reason("4k3/8/8/8/8/8/8/4K3 w K - 0 1"),
        "castling 'K' in 'K': no rook in that corner"
    );
    assert_eq!(
        play(START, "e2e5", Variant::Standard).unwrap_err().to_string(),
        format!("move 'e2e5' is not legal in {START}")
    );
}

/// Text made by deleting or replacing any character of a valid FEN is parsed or rejected without a
/// panic.
#[test]
fn no_text_panics() {
    let fens = [
        START,
        "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 99 9999",
    ];
    for fen in fens {
        for (at, letter) in fen.char_indices() {
            let end = at + letter.len_utf8();
            for filler in ["", "8", "9", "0", "k", "R", "/", " ", "-", "é", "\0"] {
                let changed = format!("{}{filler}{}", &fen[..at], &fen[end..]);
                for variant in [Variant::Standard, Variant::Chess960] {
                    if let Ok(moves) = moves(&changed, variant) {
                        for uci in moves {
                            let next = play(&changed, &uci, variant).unwrap();
                            assert_eq!(perft(&next, 0, variant), Ok(1), "{changed} {uci}");
                        }
                    }
                }
            }
        }
    }
}
