use super::pieces::{connected_part, pieces};
use super::*;

#[test]
fn the_pieces_are_all_polyominoes_up_to_five() {
    let sizes: Vec<usize> = pieces().iter().map(|piece| piece.size()).collect();
    let of_size = |size: usize| sizes.iter().filter(|other| **other == size).count();
    assert_eq!([1, 2, 3, 4, 5].map(of_size), [1, 1, 2, 5, 12]);
    assert_eq!(sizes.iter().sum::<usize>(), 89);
    let mut shapes: Vec<_> = pieces().iter().flat_map(|piece| &piece.orientations).collect();
    assert_eq!(shapes.len(), 91);
    assert!(shapes.iter().all(|shape| connected_part(shape).len() == shape.len()));
    shapes.sort();
    shapes.dedup();
    assert_eq!(shapes.len(), 91);
}

/// Compares the orientations and the number of placements on both boards with
/// `data/blokus/pieces.txt`.
#[test]
fn the_pieces_are_those_of_the_data() {
    let text = include_str!("../../../../data/blokus/pieces.txt");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<&str> = lines.collect();
    let mut totals = [0, 0];
    assert_eq!(lines.len(), pieces().len());
    for (piece, line) in pieces().iter().zip(lines) {
        let write = |shape: &Vec<board::Cell>| {
            let cells = shape.iter().map(|(row, col)| format!("{row},{col}"));
            cells.collect::<Vec<_>>().join(" ")
        };
        let fits = |shape: &Vec<board::Cell>, side: i32| {
            let origins = board::Board::empty(side).cells();
            let on_board = |(row, col): &board::Cell| {
                shape.iter().all(|(down, right)| row + down < side && col + right < side)
            };
            origins.filter(on_board).count()
        };
        let shapes = &piece.orientations;
        let placements =
            [20, 14].map(|side| shapes.iter().map(|shape| fits(shape, side)).sum::<usize>());
        let orientations: Vec<String> = shapes.iter().map(write).collect();
        let [large, small] = placements;
        let written = format!("{} ; {large} ; {small} ; {}", piece.name, orientations.join(" | "));
        assert_eq!(written, line);
        totals = [totals[0] + large, totals[1] + small];
    }
    assert_eq!(totals, [30_433, 13_729]);
}

#[test]
fn perft_of_the_start_positions() {
    let counts = |variant: &str, depth: u32| perft(&start(variant).unwrap(), depth).unwrap();
    assert_eq!([0, 1, 2].map(|depth| counts("classic", depth)), [1, 58, 3364]);
    assert_eq!([0, 1].map(|depth| counts("duo", depth)), [1, 414]);
    assert_eq!([0, 1, 2, 3].map(|depth| counts("two-1", depth)), [1, 1, 0, 0]);
}

#[test]
fn moves_are_sorted() {
    let moves = moves(&start("classic").unwrap()).unwrap();
    assert!(moves.is_sorted());
    assert_eq!(moves.first().map(String::as_str), Some("a16,a17,a18,a19,a20"));
}

/// On a small board, tries every set of up to five cells: a set is rejected if and only if it is
/// not among the legal moves.
#[test]
fn a_placement_is_refused_exactly_if_it_is_not_listed() {
    let cells: Vec<String> =
        (1..=4).flat_map(|row| "abcd".chars().map(move |col| format!("{col}{row}"))).collect();
    for position in ["two-4 p 4/4/4/4 -", "four-4+free y b3/4/4/4 -", "two-4 p pp2/2p1/4/3o -"] {
        let listed = moves(position).unwrap();
        let mut legal = Vec::new();
        for chosen in 1_u32..1 << cells.len() {
            if chosen.count_ones() > 5 {
                continue;
            }
            let chosen = cells.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
            let mv: Vec<&str> = chosen.map(|(_, cell)| cell.as_str()).collect();
            let mv = mv.join(",");
            let refusal = refusal(position, &mv).unwrap();
            assert_eq!(refusal.is_none(), play(position, &mv).is_ok(), "{position}: {mv}");
            if refusal.is_none() {
                legal.push(mv);
            }
        }
        legal.sort();
        assert_eq!(legal, listed, "{position}");
    }
}

#[test]
fn a_game_is_its_placements_one_by_one() {
    let mut position = start("four-6").unwrap();
    let mut played = Vec::new();
    while let Some(last) = moves(&position).unwrap().pop() {
        position = play(&position, &last).unwrap();
        played.push(last);
        let moves: Vec<&str> = played.iter().map(String::as_str).collect();
        let stands = game("four-6", &moves).unwrap();
        assert_eq!(stands.position, position);
        assert_eq!(report(&position), Ok(stands));
    }
    assert!(position.starts_with("four-6 - "));
}

#[test]
fn errors_name_the_invalid_part() {
    let reason = |text: &str| report(text).unwrap_err().to_string();
    assert_eq!(reason("two-2 p 2/2"), "expected a position with 4 fields, got 3");
    assert_eq!(reason("two-23 p 2/2 -"), "unknown variant 'two-23'");
    assert_eq!(reason("two-2 b 2/2 -"), "expected a color of 'po', got 'b'");
    assert_eq!(reason("two-2 p 2 -"), "expected 2 rows, got 1");
    assert_eq!(reason("two-2 p 2/P1 -"), "row 1 has unknown cell 'P': 'P1'");
    assert_eq!(
        reason("two-2 p 02/2 -"),
        "row 2 has '02', which is not a number of empty cells: '02'"
    );
    assert_eq!(reason("two-2 p 1/2 -"), "row 2 has 1 cells, not 2: '1'");
    assert_eq!(reason("two-2 p 2p/2 -"), "row 2 has more than 2 cells: '2p'");
    assert_eq!(
        reason("two-2 p 2/2 pp"),
        "bonus: expected colors in the order of play, or '-', got 'pp'"
    );
    assert_eq!(
        reason("two-3 o ppp/ppp/3 -"),
        "Purple has 6 connected cells that do not form a piece"
    );
    assert_eq!(reason("two-3 o p2/1p1/3 -"), "Purple has placed I1 twice");
    assert_eq!(reason("two-3 o 1p1/3/3 -"), "Purple covers no start square");
    assert_eq!(
        reason("two-3 o p1p/2p/3 -"),
        "the pieces of Purple are not connected through corners"
    );
    assert_eq!(reason("two-2 p 2/2 p"), "Purple has a bonus but pieces left");
    assert_eq!(reason("two-2 - 2/2 -"), "the game is marked over but Purple can place");
    assert_eq!(reason("two-1 o p -"), "Orange is to move but cannot place");
    let reason = |mv: &str| play("two-2 p 2/2 -", mv).unwrap_err().to_string();
    assert_eq!(reason("a2,"), "placement 'a2,': expected a cell like 'a1', got ''");
    assert_eq!(reason("b1"), "placement 'b1' is refused in two-2 p 2/2 -: not-on-start:a2");
}

/// Text made by deleting or replacing any character of a valid position is parsed or rejected
/// without a panic, and every parsed position can be played.
#[test]
fn no_text_panics() {
    for text in ["four-4+free r bb1y/2b1/4/4 -", "two-3 p p1o/2o/3 -", "two-1 - o -"] {
        for (at, letter) in text.char_indices() {
            let end = at + letter.len_utf8();
            for filler in ["", "1", "0", "9", "/", "-", " ", "p", "r", "+", "é"] {
                let changed = format!("{}{filler}{}", &text[..at], &text[end..]);
                let Ok(stands) = report(&changed) else { continue };
                assert_eq!(stands.position, changed);
                for mv in moves(&changed).unwrap() {
                    let next = play(&changed, &mv).unwrap();
                    assert_eq!(report(&next).unwrap().position, next, "{changed} {mv}");
                }
            }
        }
    }
    for mv in ["", ",", "a", "1", "a0", "a01", "a100", "é1", "aé", "A1", "a1 b1", "a1,,b1", "-"] {
        assert!(refusal("two-2 p 2/2 -", mv).is_err(), "{mv}");
    }
}
