//! Refusals: every illegal move has a reason, and no legal move has one.

use std::collections::HashSet;
use std::mem::discriminant;

use fourfold_board::Square;
use fourfold_chess::{BOARD, Position, Refusal, Role, Setup, Variant, at, random_walk};
use fourfold_common::SplitMix64;

/// A position, a move that is refused there, and the reason.
const STANDARD: &[(&str, &str, &str)] = &[
    (START, "e4e5", "there is no piece on e4"),
    (START, "e7e5", "the pawn on e7 is Black's"),
    ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "e2e4", "the pawn on e2 is White's"),
    (START, "e2e2", "the piece is already on e2"),
    (START, "a1a2", "a2 is occupied by a pawn of the same color"),
    (START, "g1e2", "e2 is occupied by a pawn of the same color"),
    ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "f1f3", "a bishop does not move from f1 to f3"),
    (START, "e2e5", "a pawn does not move from e2 to e5"),
    ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5", "a pawn does not move from e3 to e5"),
    ("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "e7e8", "e8 is occupied by a king of the same color"),
    ("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "e7d8", "a pawn does not move from e7 to d8"),
    (START, "f1b5", "the pawn on e2 is in the way"),
    ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e2e4", "the knight on e3 is in the way"),
    // The nearest piece is named.
    ("4k3/8/8/8/Rn1p4/8/8/4K3 w - - 0 1", "a4h4", "the knight on b4 is in the way"),
    (
        "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1",
        "e2e3",
        "pawns capture only diagonally: the knight on e3 is in the way",
    ),
    (
        "4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1",
        "e2e4",
        "pawns capture only diagonally: the knight on e4 is in the way",
    ),
    (START, "e2d3", "pawns move diagonally only to capture: there is nothing on d3"),
    (
        "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
        "e5d6",
        "en passant is possible only right after a double step: the last move was not a double \
         step of the pawn on d5",
    ),
    (
        "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1",
        "c3d5",
        "the knight on c3 is pinned: moving it to d5 would leave the king in check from the \
         bishop on b4",
    ),
    (
        "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1",
        "e2d2",
        "the rook on e2 is pinned: moving it to d2 would leave the king in check from the rook on \
         e7",
    ),
    // Two pieces give check, and one of them is captured.
    (
        "k3r3/8/8/8/7b/8/4R1n1/4K3 w - - 0 1",
        "e2g2",
        "the king is in check from the bishop on h4, and this move does not stop it",
    ),
    // The check is parried, but by a pinned piece.
    (
        "k3r3/8/8/8/8/8/4R1n1/4K3 w - - 0 1",
        "e2g2",
        "the rook on e2 is pinned: moving it to g2 would leave the king in check from the rook on \
         e8",
    ),
    // Both pawns leave the rank at once.
    (
        "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
        "e5d6",
        "capturing en passant would leave the king in check from the rook on h5",
    ),
    (
        "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "e5d6",
        "the pawn on e5 is pinned: moving it to d6 would leave the king in check from the rook on \
         e8",
    ),
    ("3rk3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1", "the king would be attacked by the rook on d8"),
    // The king does not shield the square behind it.
    ("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1f1", "the king would be attacked by the rook on a1"),
    ("8/8/8/8/8/4k3/8/4K3 w - - 0 1", "e1e2", "the king would be attacked by the king on e3"),
    (
        "4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1",
        "a2a3",
        "the king is in check from the rook on e8, and this move does not stop it",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
        "e1g1",
        "kingside castling is not allowed: the king or the rook has moved",
    ),
    (
        "r3k3/8/8/8/8/8/8/4K3 b - - 0 1",
        "e8c8",
        "queenside castling is not allowed: the king or the rook has moved",
    ),
    (
        "4k3/8/8/8/8/8/8/4KB1R w K - 0 1",
        "e1g1",
        "the king cannot castle: the bishop on f1 is in the way",
    ),
    (
        "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1",
        "e1c1",
        "the king cannot castle: the knight on b1 is in the way",
    ),
    (
        "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1",
        "e1g1",
        "the king cannot castle out of check: the rook on e8 attacks it",
    ),
    (
        "5rk1/8/8/8/8/8/8/4K2R w K - 0 1",
        "e1g1",
        "the king cannot castle through f1: the rook on f8 attacks it",
    ),
    ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "the king would be attacked by the rook on g8"),
    // The king is not on its start square, so this is not an attempt to castle.
    ("4k3/8/8/8/8/8/8/3K3R w - - 0 1", "d1f1", "a king does not move from d1 to f1"),
    (
        "8/4P3/8/8/8/8/k7/4K3 w - - 0 1",
        "e7e8",
        "a pawn that reaches e8 must promote: choose a piece",
    ),
    (
        "8/8/8/8/8/4P3/k7/4K3 w - - 0 1",
        "e3e4q",
        "only a pawn that reaches the last rank promotes to a queen",
    ),
    (
        "8/8/8/8/8/8/k7/4K2R w K - 0 1",
        "e1g1n",
        "only a pawn that reaches the last rank promotes to a knight",
    ),
];

const CHESS960: &[(&str, &str, &str)] = &[
    (
        "4k3/8/8/8/8/8/8/1K4R1 w - - 0 1",
        "b1g1",
        "kingside castling is not allowed: the king or the rook has moved",
    ),
    (
        "4k3/8/8/8/8/8/8/1K1N2R1 w K - 0 1",
        "b1g1",
        "the king cannot castle: the knight on d1 is in the way",
    ),
    // The rook on b1 shields the king's target until it castles.
    ("4k3/8/8/8/8/8/8/rRK5 w Q - 0 1", "c1b1", "the king would be attacked by the rook on a1"),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "a king does not move from e1 to g1"),
];

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// All of the cases above, as positions, moves and reasons.
fn by_hand() -> impl Iterator<Item = (Position, &'static str, &'static str)> {
    let of = |variant| {
        move |&(fen, uci, reason): &(&str, &'static str, &'static str)| {
            let position = Position::from_fen_in(fen, variant);
            (position.unwrap_or_else(|error| panic!("{fen}: {error}")), uci, reason)
        }
    };
    let standard = STANDARD.iter().map(of(Variant::Standard));
    standard.chain(CHESS960.iter().map(of(Variant::Chess960)))
}

#[test]
fn each_refusal_has_its_message() {
    for (position, uci, reason) in by_hand() {
        let refusal = position.uci_refusal(uci).map(|refusal| refusal.to_string());
        assert_eq!(refusal.as_deref(), Some(reason), "{uci} in {position}");
        assert!(position.parse_uci(uci).is_err(), "{uci} in {position}");
    }
    let position = Position::from_fen("8/4P3/8/8/8/8/k7/4K3 w - - 0 1").unwrap();
    let (from, to) = (at("e7"), at("e8"));
    let refusal = position.refusal(from, to, Some(Role::King)).unwrap();
    assert_eq!(refusal.to_string(), "a pawn cannot promote to a king");
    assert_eq!(Position::start().uci_refusal("e2e4"), None);
    assert_eq!(Position::start().uci_refusal("castles"), None);
}

/// Positions from random games of both variants.
fn from_play() -> impl Iterator<Item = Position> {
    let mut rng = SplitMix64::new(20);
    (0..45).flat_map(move |game| {
        let start = match game % 3 {
            0 => Setup::chess960((rng.next() % 960) as u16).unwrap().validate().unwrap(),
            _ => Position::start(),
        };
        random_walk(start, rng.next()).take(160).skip(game % 9).step_by(9)
    })
}

/// Compares the refusals of all moves between any two squares with the legal moves, and returns the
/// refusals.
fn compare(position: &Position) -> Vec<Refusal> {
    let legal: HashSet<String> =
        position.legal_moves().iter().map(|mv| mv.uci(position.variant())).collect();
    let mut refusals = Vec::new();
    for from in (0..64).map(Square::new) {
        for to in (0..64).map(Square::new) {
            for promotion in [None, Some(Role::Queen), Some(Role::Knight), Some(Role::King)] {
                let names = [from, to].map(|square| BOARD.name(square)).concat();
                let letter = promotion.map(|role| role.letter().to_ascii_lowercase());
                let uci: String = names.chars().chain(letter).collect();
                let refusal = position.refusal(from, to, promotion);
                assert_eq!(
                    refusal.is_none(),
                    legal.contains(&uci),
                    "{uci} in {position}: {refusal:?}"
                );
                refusals.extend(refusal);
            }
        }
    }
    refusals
}

#[test]
fn exactly_the_illegal_moves_are_refused() {
    let positions = from_play().chain(by_hand().map(|(position, ..)| position));
    let mut kinds = HashSet::new();
    let mut compared = 0;
    for position in positions {
        kinds.extend(compare(&position).iter().map(discriminant));
        compared += 1;
    }
    assert!(compared > 500, "only {compared} positions were compared");
    assert_eq!(kinds.len(), 19, "of 19 kinds of refusals");
}
