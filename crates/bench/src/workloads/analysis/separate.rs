//! The facts of the single pass, computed group by group: each group makes its own pass over the
//! pieces it needs, as in a straightforward implementation.

use fourfold_analysis::{SideFacts, attack_map, mobility};
use fourfold_board::Square;
use fourfold_chess::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
    rook_rays,
};
use fourfold_chess::{BOARD, Bitboard, Color, Piece, Position, Role};
use fourfold_common::cpu::Baseline;

/// The facts about both sides, White first.
pub(super) type Sides = [SideFacts; 2];

/// A group's name, and the function that fills in its facts.
pub(super) type Group = (&'static str, fn(&Position, &mut Sides));

/// All groups of facts that the single pass computes.
pub(super) const GROUPS: [Group; 7] = [
    ("attacked, hanging", attacked),
    ("pinned", pinned),
    ("skewered", skewered),
    ("pawns", pawns),
    ("developed, outposts", minor),
    ("pieces, material, mobility", sums),
    ("king ring", ring),
];

fn attacked(position: &Position, sides: &mut Sides) {
    for (square, piece, attackers, defenders) in attack_map(position) {
        let facts = &mut sides[piece.color as usize];
        if !attackers.is_empty() {
            facts.attacked |= Bitboard::of(square);
        }
        if attackers.len() > defenders.len() {
            facts.hanging |= Bitboard::of(square);
        }
    }
}

fn pinned(position: &Position, sides: &mut Sides) {
    let board = position.board();
    for color in Color::ALL {
        let king = position.king(color);
        let pawns = board.role(Role::Pawn);
        for (from, piece) in board.iter_pieces().filter(|(_, piece)| piece.color != color) {
            let rays = match piece.role {
                Role::Bishop => bishop_rays(king),
                Role::Rook => rook_rays(king),
                Role::Queen => rook_rays(king) | bishop_rays(king),
                Role::Pawn | Role::Knight | Role::King => continue,
            };
            let blockers = between(king, from) & board.occupied();
            if rays.contains(from) && !blockers.more_than_one() {
                let facts = &mut sides[color as usize];
                facts.pinned |= (blockers & board.color(color)) - pawns;
                facts.pinned_pawns |= blockers & board.color(color) & pawns;
            }
        }
    }
}

fn skewered(position: &Position, sides: &mut Sides) {
    let board = position.board();
    let worth = |square: Square| match board.role_at(square) {
        Role::King => i32::MAX,
        role => role.value(),
    };
    for (from, piece) in board.iter_pieces().filter(|(_, piece)| is_slider(piece.role)) {
        let attacks = attacks(from, piece, board.occupied());
        let fronts = (attacks & board.color(!piece.color)) - board.role(Role::Pawn);
        for front in fronts {
            let lifted = board.occupied() - Bitboard::of(front);
            let behind = (self::attacks(from, piece, lifted) - attacks) & board.color(!piece.color);
            let mut behind = behind.iter().filter(|&square| between(from, square).contains(front));
            if behind.any(|square| worth(front) >= worth(square)) {
                sides[!piece.color as usize].skewered |= Bitboard::of(front);
            }
        }
    }
}

fn pawns(position: &Position, sides: &mut Sides) {
    let board = position.board();
    for color in Color::ALL {
        let own = board.pieces(color, Role::Pawn);
        let enemy = board.pieces(!color, Role::Pawn);
        let facts = &mut sides[color as usize].pawns;
        facts.all = own;
        for pawn in own {
            let here = Bitboard::of(pawn);
            let (file, rank) = (BOARD.file(pawn), forward(color, pawn));
            let near = |other: &Square| BOARD.file(*other).abs_diff(file) == 1;
            let ahead = |other: &Square| forward(color, *other) > rank;
            if own.iter().filter(|&other| BOARD.file(other) == file).count() > 1 {
                facts.doubled |= here;
            }
            if !own.iter().any(|other| near(&other)) {
                facts.isolated |= here;
            } else if own.iter().filter(near).all(|other| ahead(&other)) {
                facts.backward |= here;
                let attacked = |other: &Square| near(other) && forward(color, *other) == rank + 2;
                let stands = |o: &Square| BOARD.file(*o) == file && forward(color, *o) == rank + 1;
                if enemy.iter().any(|other| attacked(&other) || stands(&other)) {
                    facts.backward_blocked |= here;
                }
            }
            let meets = |o: &Square| BOARD.file(*o).abs_diff(file) <= 1 && ahead(o);
            if !enemy.iter().any(|other| meets(&other)) {
                facts.passed |= here;
            }
        }
    }
}

fn minor(position: &Position, sides: &mut Sides) {
    let board = position.board();
    let minor = |role| matches!(role, Role::Knight | Role::Bishop);
    for (square, Piece { color, .. }) in board.iter_pieces().filter(|(_, piece)| minor(piece.role))
    {
        let rank = forward(color, square);
        let facts = &mut sides[color as usize];
        if rank > 0 {
            facts.developed |= Bitboard::of(square);
        }
        let supported = pawn_attacks(!color, square).intersects(board.pieces(color, Role::Pawn));
        let threatens = |pawn: Square| {
            BOARD.file(pawn).abs_diff(BOARD.file(square)) == 1 && forward(color, pawn) > rank
        };
        let safe = !board.pieces(!color, Role::Pawn).iter().any(threatens);
        if (3..=5).contains(&rank) && supported && safe {
            facts.outposts |= Bitboard::of(square);
        }
    }
}

fn sums(position: &Position, sides: &mut Sides) {
    for (square, piece, squares) in mobility(position) {
        let facts = &mut sides[piece.color as usize];
        facts.pieces |= Bitboard::of(square);
        facts.mobility += squares as u32;
        facts.material += piece.role.value() as u32;
    }
}

fn ring(position: &Position, sides: &mut Sides) {
    let board = position.board();
    for color in Color::ALL {
        let king = position.king(color);
        let ring = king_attacks(king) | Bitboard::of(king);
        for (from, piece) in board.iter_pieces().filter(|(_, piece)| piece.color != color) {
            sides[color as usize].king_ring +=
                (attacks(from, piece, board.occupied()) & ring).len() as u32;
        }
    }
}

const fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

fn attacks(from: Square, piece: Piece, occupied: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => pawn_attacks(piece.color, from),
        Role::Knight => knight_attacks(from),
        Role::King => king_attacks(from),
        Role::Bishop => bishop_attacks(Baseline, from, occupied),
        Role::Rook => rook_attacks(Baseline, from, occupied),
        Role::Queen => {
            bishop_attacks(Baseline, from, occupied) | rook_attacks(Baseline, from, occupied)
        }
    }
}

/// Returns the distance of a square from the first rank of `color`.
fn forward(color: Color, square: Square) -> usize {
    BOARD.rank(square).abs_diff(color.back_rank())
}
