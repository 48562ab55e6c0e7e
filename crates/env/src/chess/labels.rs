//! AlphaZero's 4672 action labels, in the variant that Pgx, OpenSpiel and EnvPool share.
//!
//! A label is `from · 73 + plane`, where squares are seen by the side to move and indexed file by
//! file: a1 = 0, a2 = 1, …, b1 = 8, …, h8 = 63. The planes are listed in
//! `docs/environments/chess.md`.

use fourfold_chess::{BOARD, Bitboard, Color, Move, MoveKind, Position, Role, Square, at};

/// Planes per square.
pub const PLANES: usize = 73;
/// Number of labels.
pub const LABELS: usize = 64 * PLANES;

/// The label of queenside castling, as a king's move by two squares.
pub const CASTLING_LONG: u16 = 2364;
/// The label of kingside castling, as a king's move by two squares.
pub const CASTLING_SHORT: u16 = 2367;

/// The meaning of a plane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plane {
    /// Change of file.
    pub files: i32,
    /// Change of rank, seen by the side to move.
    pub ranks: i32,
    /// The role that a pawn promotes to. `None` on all other planes, where a pawn that reaches the
    /// last rank becomes a queen.
    pub underpromotion: Option<Role>,
}

/// The meaning of every plane.
pub static PLANE: [Plane; PLANES] = planes();

/// The label of every move by origin and target, seen by the side to move; without underpromotions.
static LABEL: [[u16; 64]; 64] = labels();

/// Origin and target of every label, seen by the side to move. They are equal for labels that
/// denote no move.
static SQUARES: [(u8, u8); LABELS] = squares();

/// Every label with the board flipped.
static TURNED: [u16; LABELS] = turned_labels();

const NO_LABEL: u16 = u16::MAX;

/// Returns the value to XOR a square index with to see it from a side: ranks are flipped for Black.
#[inline(always)]
pub const fn view(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 56,
    }
}

/// Returns the label of a move by the side to move.
#[inline(always)]
pub fn encode(turn: Color, mv: Move) -> u16 {
    let (from, to) = (mv.from().index() ^ view(turn), mv.target().index() ^ view(turn));
    between(from, to, mv.kind())
}

/// Returns the label of a move between squares seen by the side to move.
#[inline(always)]
pub(super) fn between(from: usize, to: usize, kind: MoveKind) -> u16 {
    match kind {
        MoveKind::Promotion(role) if role != Role::Queen => underpromotion(from, to, role),
        MoveKind::Promotion(_)
        | MoveKind::Normal
        | MoveKind::DoubleStep
        | MoveKind::EnPassant
        | MoveKind::Castling => plain(from, to),
    }
}

/// Returns the label of a move between squares seen by the side to move; not for underpromotions.
#[inline(always)]
pub fn plain(from: usize, to: usize) -> u16 {
    LABEL[from & 63][to & 63]
}

/// Returns the label of an underpromotion between squares seen by the side to move.
#[inline(always)]
pub fn underpromotion(from: usize, to: usize, role: Role) -> u16 {
    let piece = match role {
        Role::Rook => 0,
        Role::Bishop => 1,
        Role::Knight | Role::Pawn | Role::Queen | Role::King => 2,
    };
    let direction = match to as i32 % 8 - from as i32 % 8 {
        0 => 0,
        1 => 1,
        _ => 2,
    };
    (file_major(from) * PLANES + 3 * piece + direction) as u16
}

/// Returns the move that a label denotes in a position of standard chess, without checking its
/// legality. Returns `None` if no piece of the side to move could make such a move.
#[inline]
pub fn decode(position: &Position, label: u16) -> Option<Move> {
    let turn = position.turn();
    let &(from, to) = SQUARES.get(label as usize)?;
    if from == to {
        return None;
    }
    let from = Square::new(from as usize ^ view(turn));
    let to = Square::new(to as usize ^ view(turn));
    let board = position.board();
    if !board.color(turn).contains(from) {
        return None;
    }
    let role = board.role_at(from);
    let plane = label as usize % PLANES;
    let last_rank = BOARD.rank(to) == (!turn).back_rank();
    let kind = match (role, PLANE[plane].underpromotion) {
        (Role::Pawn, Some(role)) => MoveKind::Promotion(role),
        (_, Some(_)) => return None,
        (Role::Pawn, None) if last_rank => MoveKind::Promotion(Role::Queen),
        (Role::Pawn, None) if from.index().abs_diff(to.index()) == 16 => MoveKind::DoubleStep,
        (Role::Pawn, None)
            if position.en_passant() == Some(to) && BOARD.file(from) != BOARD.file(to) =>
        {
            MoveKind::EnPassant
        }
        (Role::King, None) if from.index().abs_diff(to.index()) == 2 => {
            if from.index() != at("e1").index() ^ view(turn) {
                return None;
            }
            let file = if to > from { 7 } else { 0 };
            let rook = Square::new(from.index() / 8 * 8 + file);
            return Some(Move::new(role, from, rook, MoveKind::Castling));
        }
        (
            Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King,
            None,
        ) => MoveKind::Normal,
    };
    Some(Move::new(role, from, to, kind))
}

/// Returns the origin and target of a label, seen by the side to move, or `None` if it denotes no
/// move.
pub(super) fn squares_of(label: u32) -> Option<(usize, usize)> {
    let &(from, to) = SQUARES.get(label as usize)?;
    (from != to).then_some((from as usize, to as usize))
}

/// Returns the label with the board flipped: the other side's label of the same move.
#[inline]
pub fn flipped(label: u16) -> u16 {
    TURNED[label as usize]
}

/// Returns whether a label is castling in this position, and not another piece's move along the
/// first rank.
pub fn is_castling(position: &Position, label: u16) -> bool {
    let home = Square::new(at("e1").index() ^ view(position.turn()));
    let king = position.board().pieces(position.turn(), Role::King);
    matches!(label, CASTLING_LONG | CASTLING_SHORT) && king == Bitboard::of(home)
}

/// Converts a square index from rank by rank to file by file.
pub(super) const fn file_major(square: usize) -> usize {
    square % 8 * 8 + square / 8
}

pub(super) const fn planes() -> [Plane; PLANES] {
    const LEAPS: [(i32, i32); 8] =
        [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (2, -1), (2, 1), (1, -2), (1, 2)];
    const ROLES: [Role; 3] = [Role::Rook, Role::Bishop, Role::Knight];
    /// The four lines; along each, distances run from −7 to 7.
    const LINES: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let mut planes = [Plane { files: 0, ranks: 0, underpromotion: None }; PLANES];
    let mut plane = 0;
    while plane < PLANES {
        planes[plane] = if plane < 9 {
            let files = [0, 1, -1][plane % 3];
            Plane { files, ranks: 1, underpromotion: Some(ROLES[plane / 3]) }
        } else if plane < 65 {
            let (files, ranks) = LINES[(plane - 9) / 14];
            let place = (plane - 9) as i32 % 14;
            let distance = if place < 7 { place - 7 } else { place - 6 };
            Plane { files: files * distance, ranks: ranks * distance, underpromotion: None }
        } else {
            let (files, ranks) = LEAPS[plane - 65];
            Plane { files, ranks, underpromotion: None }
        };
        plane += 1;
    }
    planes
}

const fn squares() -> [(u8, u8); LABELS] {
    let planes = planes();
    let mut table = [(0, 0); LABELS];
    let mut from = 0;
    while from < 64 {
        let mut plane = 0;
        while plane < PLANES {
            let Plane { files, ranks, underpromotion } = planes[plane];
            let to = BOARD.leap(Square::new(from), (files, ranks));
            let promotes = underpromotion.is_none() || from / 8 == 6;
            table[file_major(from) * PLANES + plane] = match to {
                Some(to) if promotes => (from as u8, to.index() as u8),
                _ => (from as u8, from as u8),
            };
            plane += 1;
        }
        from += 1;
    }
    table
}

const fn labels() -> [[u16; 64]; 64] {
    let squares = squares();
    let mut table = [[NO_LABEL; 64]; 64];
    let mut label = 0;
    while label < LABELS {
        let (from, to) = squares[label];
        if from != to && label % PLANES >= 9 {
            table[from as usize][to as usize] = label as u16;
        }
        label += 1;
    }
    table
}

const fn turned_labels() -> [u16; LABELS] {
    let planes = planes();
    let mut table = [0; LABELS];
    let mut label = 0;
    while label < LABELS {
        let (from, plane) = (label / PLANES, label % PLANES);
        let Plane { files, ranks, underpromotion } = planes[plane];
        let mut other = plane;
        if underpromotion.is_none() {
            // The plane with the same files and opposite ranks.
            other = 9;
            while planes[other].files != files || planes[other].ranks != -ranks {
                other += 1;
            }
        }
        // Squares are indexed file by file, so the lowest three bits are the rank.
        table[label] = ((from ^ 7) * PLANES + other) as u16;
        label += 1;
    }
    table
}
