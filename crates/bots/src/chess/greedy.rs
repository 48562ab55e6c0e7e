//! Evaluates the position right after a move: its material, less the most that the opponent can
//! capture next, plus small terms for the placement of the pieces. It does not look any further.

use fourfold_board::Square;
use fourfold_chess::attacks::king_attacks;
use fourfold_chess::{BOARD, Bitboard, Color, Ending, Move, Piece, Position, Role, Wing};

use super::Game;

/// Scores are in centipawns, for the side that moves.
const PAWN: i32 = 100;
const MATE: i32 = 100_000;

/// The cost of repeating a position when ahead.
const AGAIN: i32 = 40;

/// The lead from which a side plays for mate.
const WINNING: i32 = 5 * PAWN;

/// The endgame begins for a side when the enemy's pieces other than pawns are worth at most this,
/// in pawns.
const FEW: i32 = 12;

/// Evaluates the position after a legal move, for the side that moves.
pub(super) fn weigh(game: &mut Game, mv: Move) -> i32 {
    let us = game.position.turn();
    let after = game.position.after(mv);
    game.history.push(&after);
    let ending = game.history.ending(&after).or_else(|| game.history.claim(&after));
    let again = game.history.occurrences(&after) > 1;
    game.history.pop();
    match ending {
        Some(Ending::Checkmate { .. }) => return MATE,
        Some(_) => return 0,
        None => {}
    }
    let lead = standing(&after, us) - standing(&after, !us);
    let lead = lead - PAWN * hanging(&after);
    let lead = if lead > 0 && again { lead - AGAIN } else { lead };
    if lead >= WINNING { lead + hunt(&after, us) } else { lead }
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
fn standing(position: &Position, color: Color) -> i32 {
    let men = position.board().iter_pieces().filter(|(_, piece)| piece.color == color);
    let worth = |(square, piece): (Square, Piece)| {
        PAWN * piece.role.value() + place(position, color, piece.role, square)
    };
    let rights = (position.castling() & position.board().color(color)).len() as i32;
    men.map(worth).sum::<i32>() + 6 * rights
}

/// Returns the value of a piece's placement.
fn place(position: &Position, color: Color, role: Role, square: Square) -> i32 {
    let board = position.board();
    let forward = forward(color, square);
    let home = i32::from(forward == 0);
    match role {
        Role::Pawn if officers(position, !color) <= FEW => 2 * forward * forward,
        Role::Pawn => 8 * centre(square),
        Role::Knight => 6 * centre(square) - 6 * home,
        Role::Bishop => 4 * centre(square) - 10 * home,
        Role::Rook => {
            let in_the_way = board.pieces(color, Role::Pawn) & file_of(square);
            8 * i32::from(in_the_way.is_empty())
        }
        // Knights and bishops are developed before the queen.
        Role::Queen => centre(square) - (1 - home) * 5 * asleep(position, color),
        Role::King if officers(position, !color) <= FEW => 6 * centre(square),
        Role::King => {
            let shelter = king_attacks(square) & board.pieces(color, Role::Pawn);
            let castled = Wing::ALL.iter().any(|wing| wing.king_target(color) == square);
            25 * i32::from(castled) + 6 * shelter.len() as i32 - 15 * forward
        }
    }
}

/// Returns a bonus that helps to mate when far ahead: for an enemy king that has few moves, is near
/// the edge, and is close to our king.
fn hunt(position: &Position, us: Color) -> i32 {
    let (ours, theirs) = (position.king(us), position.king(!us));
    let flights = position.legal_moves().iter().filter(|mv| mv.role() == Role::King).count();
    let narrow = -8 * flights as i32;
    if officers(position, !us) > FEW {
        return narrow;
    }
    narrow - 20 * centre(theirs) - 8 * distance(ours, theirs)
}

/// Returns the value of a side's pieces other than pawns, in pawns.
fn officers(position: &Position, color: Color) -> i32 {
    let count = |role: Role| position.board().pieces(color, role).len() as i32;
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .map(|role| role.value() * count(role))
        .iter()
        .sum()
}

/// Returns how many of a side's knights and bishops are on its back rank.
fn asleep(position: &Position, color: Color) -> i32 {
    let board = position.board();
    let minor = board.role(Role::Knight) | board.role(Role::Bishop);
    (minor & board.color(color)).iter().filter(|&square| forward(color, square) == 0).count() as i32
}

/// Returns how far a square is from a side's back rank.
fn forward(color: Color, square: Square) -> i32 {
    (BOARD.rank(square) as i32 - color.back_rank() as i32).abs()
}

/// Returns how near a square is to the center: 0 on the edge, 3 in the middle.
fn centre(square: Square) -> i32 {
    let off = |line: usize| (2 * line as i32 - 7).abs();
    (7 - off(BOARD.file(square)).max(off(BOARD.rank(square)))) / 2
}

/// Returns how many king moves apart two squares are.
fn distance(from: Square, to: Square) -> i32 {
    let files = BOARD.file(from).abs_diff(BOARD.file(to));
    files.max(BOARD.rank(from).abs_diff(BOARD.rank(to))) as i32
}

/// Returns the file of a square.
fn file_of(square: Square) -> Bitboard {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    Bitboard::from_words([FILE_A << BOARD.file(square)])
}
