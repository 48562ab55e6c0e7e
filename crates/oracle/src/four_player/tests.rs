use super::*;

const START: &str = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,yN,yB,yK,yQ,yB,yN,yR,3/3,yP,yP,yP,yP,yP,yP,yP,yP,3/14/bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bQ,bP,10,gP,gK/bK,bP,10,gP,gQ/bB,bP,10,gP,gB/bN,bP,10,gP,gN/bR,bP,10,gP,gR/14/3,rP,rP,rP,rP,rP,rP,rP,rP,3/3,rR,rN,rB,rQ,rK,rB,rN,rR,3";

#[test]
fn perft_of_the_start_position() {
    let rules = Rules::default();
    for (depth, count) in (0..).zip([1, 20, 395, 7800]) {
        assert_eq!(perft(START, depth, &rules), Ok(count), "perft {depth}");
    }
}

#[test]
fn moves_are_sorted() {
    let moves = moves(START, &Rules::default()).unwrap();
    assert!(moves.is_sorted());
    assert_eq!(moves.first().map(String::as_str), Some("d2d3"));
}

const KINGS: &str = "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,7/14/14/14/14/14/bK,13/13,gK/14/14/14/3,rP,10/14/7,rK,6";

/// The number of squares that a piece of each role attacks on an empty board, summed over all
/// squares.
#[test]
fn reach_of_each_role() {
    use crate::board::{Role, Square};
    use board::Board;
    let reach = |role: Role| -> usize {
        let alone = |square: Square| {
            let mut board = Board::empty();
            board.put(square, Player::Red, role);
            board.attacks(square).len()
        };
        Board::squares().map(alone).sum()
    };
    assert_eq!(Board::squares().count(), 160);
    assert_eq!(reach(Role::Rook), 3584);
    assert_eq!(reach(Role::Bishop), 2376);
    assert_eq!(reach(Role::Queen), 5960);
    assert_eq!(reach(Role::OnePointQueen), 5960);
    assert_eq!(reach(Role::Knight), 992);
    assert_eq!(reach(Role::King), 1124);
}

#[test]
fn rules_are_words() {
    assert_eq!(Rules::parse(""), Ok(Rules::default()));
    assert_eq!(Rules::parse("ffa allow-king-capture on-turn points"), Ok(Rules::default()));
    let words = "teams forbid-king-capture immediate survivor walking-king award-kings \
        legacy-points repetition=0 quiet=10 no-bare-kings";
    let all = Rules {
        mode: Mode::Teams,
        king_capture: KingCapture::Forbid,
        mate_timing: MateTiming::Immediate,
        points: Points::legacy(),
        winner: Winner::Survivor,
        walking_king: true,
        award_kings: true,
        repetition: 0,
        quiet: 10,
        bare_kings: false,
    };
    assert_eq!(Rules::parse(words), Ok(all));
    for word in ["Teams", "quiet", "quiet=", "quiet=-1", "repetition=x", "bare-kings"] {
        let reason = Rules::parse(word).unwrap_err().to_string();
        assert_eq!(reason, format!("unknown rule '{word}'"));
    }
}

#[test]
fn withdraw_equals_a_game_with_one_withdrawal() {
    let rules = Rules::default();
    for player in ["R", "B", "Y", "G"] {
        for (flagged, word) in [(false, "resign"), (true, "flag")] {
            let withdrawn = withdraw(START, player, flagged, &rules).unwrap();
            let report = game(START, &[&format!("{player}:{word}")], &rules).unwrap();
            assert_eq!(withdrawn, report.fen4);
        }
    }
}

#[test]
fn errors_name_the_invalid_part() {
    let rules = Rules::default();
    let reason = |fen4: &str| state(fen4, &rules).unwrap_err().to_string();
    let changed = |from: &str, to: &str| reason(&KINGS.replacen(from, to, 1));
    assert_eq!(reason("R-0,0,0,0"), "expected a FEN4 with 7 or 8 fields, got 2");
    assert_eq!(changed("R-", "W-"), "turn: expected R, B, Y or G, got 'W'");
    assert_eq!(changed("0,0,0,0", "0,0,0"), "dead: expected four values, got '0,0,0'");
    assert_eq!(changed("-0-6", "-10000-6"), "clock: expected a number up to 9999, got '10000'");
    assert_eq!(changed("3,rP,10", "3,rX,10"), "rank 3 has unknown cell 'rX': '3,rX,10'");
    assert_eq!(changed("3,rP,10", "2,rP,11"), "rank 3 has 'rP' on a cut corner: '2,rP,11'");
    assert_eq!(changed("6,yK,7", "6,yQ,7"), "Yellow has 0 kings");
    assert_eq!(changed("bK,13", "bK,1,rP,11"), "Red has a pawn on c8");
    assert_eq!(
        play(KINGS, "d3d5", &rules).unwrap_err().to_string(),
        format!("move 'd3d5' is not legal in {KINGS}")
    );
    let reason = |ply: &str| game(KINGS, &[ply], &rules).unwrap_err().to_string();
    assert_eq!(reason("d3d4:"), "ply: expected a move, resign or flag, got 'd3d4:'");
    assert_eq!(reason("X:resign"), "player: expected R, B, Y or G, got 'X'");
    let reason = attacked(KINGS, "a1", "R", &rules).unwrap_err().to_string();
    assert_eq!(reason, "the board has no square 'a1'");
}

/// Text made by deleting or replacing any character of a valid FEN4 is parsed or rejected without a
/// panic, and every parsed position can be played.
#[test]
fn no_text_panics() {
    let extra = "-{'enPassant':('','c6:d6','',''),'resigned':(false,false,true,false)}-";
    let fen4 = "R-0,0,1,0-1,0,0,0-0,0,0,0-0,12,0,0-199-6,dyK,7/14/14/14/14/14/bK,13/13,gK/3,bP,10/\
        3,rP,10/14/14/14/7,rK,2,rR,3"
        .replacen("-199-", &format!("-199{extra}"), 1);
    for words in ["", "teams", "immediate walking-king"] {
        let rules = Rules::parse(words).unwrap();
        for (at, letter) in fen4.char_indices() {
            let end = at + letter.len_utf8();
            for filler in ["", "1", "0", ",", "-", "r", "D", "x", "'", "é"] {
                let changed = format!("{}{filler}{}", &fen4[..at], &fen4[end..]);
                let Ok(settled) = state(&changed, &rules) else { continue };
                assert_eq!(state(&settled, &rules).as_ref(), Ok(&settled), "{changed}");
                for mv in moves(&changed, &rules).unwrap() {
                    let next = play(&changed, &mv, &rules).unwrap();
                    assert_eq!(state(&next, &rules).as_ref(), Ok(&next), "{changed} {mv}");
                }
            }
        }
    }
}
