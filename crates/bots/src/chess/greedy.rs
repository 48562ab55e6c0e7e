//! Evaluates the position right after a move: its material, less the most that the opponent can
//! capture next, plus small terms for the placement of the pieces. It does not look any further.

use fourfold_board::Square;
use fourfold_chess::attacks::king_attacks;
use fourfold_chess::{BOARD, Bitboard, Color, Ending, Move, Piece, Position, Role, Wing};

use super::Game;
use crate::geometry::distance;

/// Scores are in centipawns, for the side that moves.
const PAWN: i32 = 100;
const MATE: i32 = 100_000;

/// The cost of repeating a position when ahead.
const REPETITION: i32 = 40;

/// The lead from which a side plays for mate.
const WINNING: i32 = 5 * PAWN;

/// The endgame begins for a side when the enemy's pieces other than pawns are worth at most this,
/// in pawns.
const ENDGAME_MATERIAL: i32 = 12;

/// Evaluates the position after a legal move, for the side that moves.
pub(super) fn evaluate_move(game: &mut Game, mv: Move) -> i32 {
    let us = game.position.turn();
    let after = game.position.after(mv);
    game.history.push(&after);
    let ending = game.history.ending(&after).or_else(|| game.history.claim(&after));
    let repeated = game.history.occurrences(&after) > 1;
    game.history.pop();
    match ending {
        Some(Ending::Checkmate { .. }) => return MATE,
        Some(_) => return 0,
        None => {}
    }
    let lead = material_and_placement(&after, us) - material_and_placement(&after, !us);
    let lead = lead - PAWN * hanging(&after);
    let lead = if lead > 0 && repeated { lead - REPETITION } else { lead };
    if lead >= WINNING { lead + mop_up(&after, us) } else { lead }
}

/// Returns the most that the side to move can win by one exchange or promotion, in pawns.
fn hanging(position: &Position) -> i32 {
    let mut most = 0;
    for mv in position.legal_moves() {
        let taken = position.captured(mv).map_or(0, Role::value);
        let promoted = mv.promotion().map_or(0, |role| role.value() - Role::Pawn.value());
        // An exchange cannot win more than its first move does.
        if taken + promoted > most {
            most = most.max(position.exchange(mv));
        }
    }
    most
}

/// Returns the value of a side's pieces and their placement, and of its castling rights.
fn material_and_placement(position: &Position, color: Color) -> i32 {
    let pieces = position.board().iter_pieces().filter(|(_, piece)| piece.color == color);
    let worth = |(square, piece): (Square, Piece)| {
        PAWN * piece.role.value() + place(position, color, piece.role, square)
    };
    let rights = (position.castling() & position.board().color(color)).len() as i32;
    pieces.map(worth).sum::<i32>() + 6 * rights
}

/// Returns the value of a piece's placement.
fn place(position: &Position, color: Color, role: Role, square: Square) -> i32 {
    let board = position.board();
    let forward = forward(color, square);
    let home = i32::from(forward == 0);
    match role {
        Role::Pawn if piece_material(position, !color) <= ENDGAME_MATERIAL => 2 * forward * forward,
        Role::Pawn => 8 * center(square),
        Role::Knight => 6 * center(square) - 6 * home,
        Role::Bishop => 4 * center(square) - 10 * home,
        Role::Rook => {
            let in_the_way = board.pieces(color, Role::Pawn) & file_of(square);
            8 * i32::from(in_the_way.is_empty())
        }
        // Knights and bishops are developed before the queen.
        Role::Queen => center(square) - (1 - home) * 5 * undeveloped(position, color),
        Role::King if piece_material(position, !color) <= ENDGAME_MATERIAL => 6 * center(square),
        Role::King => {
            let shelter = king_attacks(square) & board.pieces(color, Role::Pawn);
            let castled = Wing::ALL.iter().any(|wing| wing.king_target(color) == square);
            25 * i32::from(castled) + 6 * shelter.len() as i32 - 15 * forward
        }
    }
}

/// Returns a bonus that helps to mate when far ahead: for an enemy king that has few moves, is near
/// the edge, and is close to our king.
fn mop_up(position: &Position, us: Color) -> i32 {
    let (ours, theirs) = (position.king(us), position.king(!us));
    let flights = position.legal_moves().iter().filter(|mv| mv.role() == Role::King).count();
    let narrow = -8 * flights as i32;
    if piece_material(position, !us) > ENDGAME_MATERIAL {
        return narrow;
    }
    narrow - 20 * center(theirs) - 8 * distance(&BOARD, ours, theirs)
}

/// Returns the value of a side's pieces other than pawns, in pawns.
fn piece_material(position: &Position, color: Color) -> i32 {
    let count = |role: Role| position.board().pieces(color, role).len() as i32;
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .map(|role| role.value() * count(role))
        .iter()
        .sum()
}

/// Returns how many of a side's knights and bishops are on its back rank.
fn undeveloped(position: &Position, color: Color) -> i32 {
    let board = position.board();
    let minor = board.role(Role::Knight) | board.role(Role::Bishop);
    (minor & board.color(color)).iter().filter(|&square| forward(color, square) == 0).count() as i32
}

/// Returns how far a square is from a side's back rank.
fn forward(color: Color, square: Square) -> i32 {
    (BOARD.rank(square) as i32 - color.back_rank() as i32).abs()
}

/// Returns how near a square is to the center: 0 on the edge, 3 in the middle.
fn center(square: Square) -> i32 {
    let off = |line: usize| (2 * line as i32 - 7).abs();
    (7 - off(BOARD.file(square)).max(off(BOARD.rank(square)))) / 2
}

/// Returns the file of a square.
fn file_of(square: Square) -> Bitboard {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    Bitboard::from_words([FILE_A << BOARD.file(square)])
}
