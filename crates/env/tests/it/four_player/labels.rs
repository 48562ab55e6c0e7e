//! Encoding and decoding of moves.

use std::collections::HashSet;

use fourfold_env::four_player::labels::{FLAT, Labels, PLANES, TEAM_PLANES};
use fourfold_env::four_player::{Actions, Rules, View};
use fourfold_env::{Action, AnyBatch, DescribedBatch, Game, Outputs, Stage};
use fourfold_four_player::{BOARD, MoveKind, Player, Position, Role, StartPosition, at};

use super::{FourPlayer, LATE_TEAMS, batch, for_batches, positions, rules};

/// Returns the dense index of a square by the formula in the documentation.
fn number(square: &str) -> usize {
    let square = at(square);
    let (row, column) = (13 - BOARD.rank(square), BOARD.file(square));
    match row {
        0..3 => row * 8 + column - 3,
        3..11 => 24 + (row - 3) * 14 + column,
        _ => 136 + (row - 11) * 8 + column - 3,
    }
}

fn label(position: &Position, labels: Labels, text: &str) -> usize {
    let mv = position.parse_move(text).expect("a legal move");
    labels.encode(position.turn(), mv) as usize
}

#[test]
fn labels_match_the_documentation() {
    let rules = Rules::FREE_FOR_ALL;
    let mut position = Position::start(StartPosition::Modern, rules.play);
    assert_eq!(label(&position, rules.labels(Player::Red), "d2d4"), 144 * 112 + 1);
    assert_eq!(label(&position, rules.labels(Player::Red), "e1f3"), 153 * 112 + 104);
    assert_eq!(label(&position, rules.labels(Player::Red), "e1d3"), 153 * 112 + 111);
    assert_eq!(label(&position, Labels::Flat, "d2d4"), (144 * 160 + 125) * 4);
    // The pawn in front of Blue's left rook has the same index for Blue as Red's for Red.
    position.play(position.parse_move("d2d4").unwrap()).unwrap();
    assert_eq!(label(&position, rules.labels(Player::Blue), "b11d11"), 144 * 112 + 1);
    assert_eq!(label(&position, rules.labels(Player::Blue), "a10c9"), 153 * 112 + 104);
    let red = Labels::Planes { planes: PLANES, viewer: Player::Red };
    assert_eq!(label(&position, red, "b11d11"), number("b11") * 112 + 2 * 13 + 1);
    for (index, square) in ["d14", "k14", "a11", "n11", "a4", "n4", "d3", "k1"].iter().enumerate() {
        assert_eq!(number(square), [0, 7, 24, 37, 122, 135, 136, 159][index]);
    }
    // Knight, bishop and rook, each straight, left and right; a queen has the ordinary plane.
    let teams = Rules::TEAMS;
    let position = Position::from_fen4(LATE_TEAMS[0], teams.play).unwrap();
    let first = number("e10") * TEAM_PLANES;
    let labels = teams.labels(Player::Red);
    for (piece, letter) in ["n", "b", "r"].iter().enumerate() {
        for (way, target) in ["e11", "d11", "f11"].iter().enumerate() {
            let found = label(&position, labels, &format!("e10{target}{letter}"));
            assert_eq!(found, first + 112 + 3 * piece + way);
        }
    }
    assert_eq!(label(&position, labels, "e10e11q"), first);
    assert_eq!(label(&position, labels, "e10f11q"), first + 13);
    let flat = |letter| label(&position, Labels::Flat, &format!("e10f11{letter}"));
    assert_eq!(flat("q") + 3, flat("n"));
    assert_eq!(["q", "r", "b"].map(|letter| flat(letter) % 4), [0, 1, 2]);
    assert_eq!((labels.count(), Labels::Flat.count()), (19_360, FLAT));
    assert_eq!((rules.labels(Player::Green).count(), FLAT), (17_920, 102_400));
}

#[test]
fn labels_round_trip_for_legal_moves() {
    let mut seen = HashSet::new();
    for options in [
        &[][..],
        &[("view", "absolute")],
        &[("actions", "flat")],
        &[("king_capture", "forbid"), ("mate_timing", "immediate")],
    ] {
        for_batches(options, 150, |batch| {
            for (game, position) in positions(batch) {
                let turn = position.turn();
                let labels = batch.rules().labels(turn);
                let mut expected: Vec<usize> = Vec::new();
                for &mv in &position.legal_moves() {
                    let label = labels.encode(turn, mv);
                    assert!((label as usize) < labels.count());
                    assert_eq!(labels.decode(&position, label), Some(mv), "{mv:?} in {position}");
                    expected.push(label as usize);
                    seen.insert(format!("{:?}", mv.kind()));
                    seen.extend(mv.promotion().map(|kind| kind.name().to_owned()));
                }
                expected.sort();
                assert!(expected.is_sorted_by(|a, b| a < b), "a label is repeated in {position}");
                let mut listed: Vec<usize> = batch.legal(game, 0).iter().collect();
                listed.sort();
                if !batch.legal(game, 0).is_all() {
                    assert_eq!(listed, expected, "in {position}");
                }
            }
        });
    }
    let ways = [MoveKind::Normal, MoveKind::DoubleStep, MoveKind::EnPassant, MoveKind::Castling];
    for way in ways {
        assert!(seen.contains(&format!("{way:?}")), "no {way:?} move");
    }
    for kind in Role::PROMOTIONS.into_iter().chain([Role::OnePointQueen]) {
        assert!(seen.contains(kind.name()), "no promotion to a {}", kind.name());
    }
}

#[test]
fn decoding_any_label_does_not_panic() {
    for options in [&[][..], &[("actions", "flat")]] {
        let mut looks = 0;
        for_batches(options, 31, |batch| {
            looks += 1;
            if looks % 10 != 0 {
                return;
            }
            for (_, position) in positions(batch).take(1) {
                let labels = batch.rules().labels(position.turn());
                for label in (0..=labels.count() as u32 + 2000).chain([u32::MAX, u32::MAX / 2]) {
                    if let Some(mv) = labels.decode(&position, label) {
                        assert_eq!(labels.encode(position.turn(), mv), label, "{mv:?}");
                    }
                }
            }
        });
    }
}

#[test]
fn labels_convert_to_red_and_back() {
    for rules in [Rules::FREE_FOR_ALL, Rules::TEAMS] {
        let absolute = Rules { view: View::Absolute, ..rules };
        let flat = Rules { actions: Actions::Flat, ..rules };
        for seat in 0..4 {
            let mut all = HashSet::new();
            for id in 0..rules.labels(Player::Red).count() as u32 {
                let turned = FourPlayer::absolute(&rules, seat, Action(id));
                assert_eq!(FourPlayer::relative(&rules, seat, turned), Action(id));
                assert!(all.insert(turned));
                assert_eq!(FourPlayer::absolute(&absolute, seat, Action(id)), Action(id));
                assert_eq!(FourPlayer::absolute(&flat, seat, Action(id)), Action(id));
            }
        }
    }
}

#[test]
fn absolute_view_and_flat_actions_play_the_same_games() {
    for mode in ["ffa", "teams"] {
        let mut own = batch(rules(&[("mode", mode)]), 1);
        let mut absolute = batch(rules(&[("mode", mode), ("view", "absolute")]), 1);
        let mut flat = batch(rules(&[("mode", mode), ("actions", "flat")]), 1);
        for seed in 0..200 {
            if own.status(0).stage != Stage::Ongoing {
                break;
            }
            let mut action = [0];
            own.sample(Some(seed), &mut action).unwrap();
            let text = own.write_actions(&action).unwrap();
            let texts: Vec<&str> = text.iter().map(String::as_str).collect();
            let mut turned = action;
            own.absolute(&mut turned);
            let mut back = turned;
            own.relative(&mut back);
            assert_eq!(back, action);
            assert_eq!(own.read_actions(&texts).unwrap(), action);
            assert_eq!(absolute.read_actions(&texts).unwrap(), turned);
            let long = flat.read_actions(&texts).unwrap();
            assert_eq!(flat.write_actions(&long).unwrap(), text);
            own.step(&action, Outputs::none()).unwrap();
            absolute.step(&turned, Outputs::none()).unwrap();
            flat.step(&long, Outputs::none()).unwrap();
            assert_eq!(own.texts(), absolute.texts());
            assert_eq!(own.texts(), flat.texts());
        }
        let error = own.read_actions(&["d2d9"]).unwrap_err().to_string();
        assert!(error.starts_with("game 0: "), "{error}");
    }
}
