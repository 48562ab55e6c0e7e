//! The 4672 action labels of AlphaZero, for the benchmark that writes masks.

use fourfold_board::Square;
use fourfold_chess::{BOARD, Color, Move, MoveKind, Role};

/// Squares times planes.
pub(crate) const LABELS: usize = 64 * 73;

/// The label of every move from a square to a square, and of every underpromotion.
pub(crate) struct Labels {
    moves: [[[u16; 64]; 64]; 2],
}

impl Labels {
    pub(crate) fn new() -> Labels {
        let mut moves = [[[0; 64]; 64]; 2];
        for (from, tos) in moves[0].iter_mut().enumerate() {
            for (to, label) in tos.iter_mut().enumerate() {
                *label = label_of(Square::new(from), Square::new(to)).unwrap_or(0);
            }
        }
        // Black's ranks are flipped.
        for from in 0..64 {
            for to in 0..64 {
                moves[1][from][to] = moves[0][from ^ 56][to ^ 56];
            }
        }
        Labels { moves }
    }

    /// The label of a move from a square to a square that is not an underpromotion.
    #[inline(always)]
    pub(crate) fn plain(&self, color: Color, from: usize, to: usize) -> u16 {
        self.moves[color as usize][from & 63][to & 63]
    }

    /// The label of an underpromotion.
    #[inline(always)]
    pub(crate) fn underpromotion(&self, color: Color, from: usize, to: usize, role: Role) -> u16 {
        let from = if color == Color::Black { from ^ 56 } else { from };
        let piece = match role {
            Role::Rook => 0,
            Role::Bishop => 1,
            Role::Knight | Role::Pawn | Role::Queen | Role::King => 2,
        };
        let way = match to as i32 % 8 - from as i32 % 8 {
            0 => 0,
            1 => 1,
            _ => 2,
        };
        (square_of(from) * 73 + 3 * piece + way) as u16
    }

    /// The label of one of our moves.
    #[inline(always)]
    pub(crate) fn of(&self, color: Color, mv: Move) -> u16 {
        let (from, to) = (mv.from().index(), mv.target().index());
        match mv.kind() {
            MoveKind::Promotion(role @ (Role::Rook | Role::Bishop | Role::Knight)) => {
                self.underpromotion(color, from, to, role)
            }
            MoveKind::Promotion(Role::Queen | Role::Pawn | Role::King)
            | MoveKind::Normal
            | MoveKind::DoubleStep
            | MoveKind::EnPassant
            | MoveKind::Castling => self.plain(color, from, to),
        }
    }
}

/// Squares are numbered file by file.
fn square_of(index: usize) -> usize {
    index % 8 * 8 + index / 8
}

fn label_of(from: Square, to: Square) -> Option<u16> {
    let files = BOARD.file(to) as i32 - BOARD.file(from) as i32;
    let ranks = BOARD.rank(to) as i32 - BOARD.rank(from) as i32;
    let far = files.abs().max(ranks.abs());
    // Distances 7 to 1 against the first direction, then 1 to 7 along it.
    let axis = |base: i32, along: i32| base + if along > 0 { 6 + along } else { 7 + along };
    let plane = match (files, ranks) {
        (0, 0) => return None,
        (0, _) => axis(9, ranks),
        (_, 0) => axis(23, files),
        _ if files == ranks => axis(37, files),
        _ if files == -ranks => axis(51, files),
        _ if far == 2 => {
            const LEAPS: [(i32, i32); 8] =
                [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (2, -1), (2, 1), (1, -2), (1, 2)];
            65 + LEAPS.iter().position(|&leap| leap == (files, ranks))? as i32
        }
        _ => return None,
    };
    Some((square_of(from.index()) as i32 * 73 + plane) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourfold_chess::Position;

    #[test]
    fn the_start_has_its_published_labels() {
        let (labels, start) = (Labels::new(), Position::start());
        let mut found: Vec<u16> =
            start.legal_moves().iter().map(|&mv| labels.of(Color::White, mv)).collect();
        found.sort();
        assert_eq!(
            found,
            [
                89, 90, 652, 656, 673, 674, 1257, 1258, 1841, 1842, 2425, 2426, 3009, 3010, 3572,
                3576, 3593, 3594, 4177, 4178
            ]
        );
        let after = start.after(start.parse_san("e4").expect("a move"));
        let e5 = after.parse_san("e5").expect("a move");
        assert_eq!(labels.of(Color::Black, e5), 2426);
    }
}
