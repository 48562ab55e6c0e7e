//! The move tables of the legacy interface: the destinations of each role from each square on an
//! empty board. They are derived from the geometry.
//!
//! ```
//! use fourfold_four_player::legacy_tables::{Mover, between, destinations};
//! use fourfold_four_player::{BOARD, at};
//!
//! assert_eq!(BOARD.names(destinations(Mover::Knight, at("a4"))), "c5 b6");
//! assert!(destinations(Mover::Bishop, at("c4")).contains(at("k12")));
//! // The diagonal from d14 to a11 crosses a cut corner.
//! assert!(!destinations(Mover::Bishop, at("d14")).contains(at("a11")));
//! assert_eq!(BOARD.names(between(at("c4"), at("f7"))), "d5 e6");
//! ```

use fourfold_board::{Direction, Square};

use crate::army::ARMIES;
use crate::pieces::{KING, KNIGHT};
use crate::{BOARD, Bitboard, Player};

/// A piece whose destinations are looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mover {
    /// A player's pawn: single step, double step from the home line, and captures.
    Pawn(Player),
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen or a one-point queen.
    Queen,
    /// A king, without castling.
    King,
}

/// The maximum number of squares in an entry of each table: the length of a padded list.
pub mod max_len {
    /// Destinations of a rook.
    pub const ROOK: usize = 26;
    /// Destinations of a bishop.
    pub const BISHOP: usize = 19;
    /// Destinations of a queen.
    pub const QUEEN: usize = 45;
    /// Destinations of a knight.
    pub const KNIGHT: usize = 8;
    /// Destinations of a king.
    pub const KING: usize = 8;
    /// Destinations of a pawn.
    pub const PAWN: usize = 4;
    /// The near set: the destinations of a king and a knight together.
    pub const NEAR: usize = 16;
    /// The far set: the destinations of a queen that are not those of a king.
    pub const FAR: usize = 37;
    /// Squares between two squares.
    pub const BETWEEN: usize = 12;
}

type Table = [Bitboard; 256];

static ROOK: Table = rays(&Direction::ORTHOGONALS);
static BISHOP: Table = rays(&Direction::DIAGONALS);
static PAWNS: [Table; 4] = [pawns(0), pawns(1), pawns(2), pawns(3)];

/// Returns the destinations of a piece on an empty board. A pawn's captures are included.
pub fn destinations(mover: Mover, from: Square) -> Bitboard {
    let cell = from.index() & 255;
    match mover {
        Mover::Pawn(player) => PAWNS[player as usize][cell],
        Mover::Knight => KNIGHT[cell],
        Mover::Bishop => BISHOP[cell],
        Mover::Rook => ROOK[cell],
        Mover::Queen => ROOK[cell] | BISHOP[cell],
        Mover::King => KING[cell],
    }
}

/// Returns the squares from which a king or knight attacks `from`.
pub fn near(from: Square) -> Bitboard {
    destinations(Mover::King, from) | destinations(Mover::Knight, from)
}

/// Returns the squares from which only a slider attacks `from`.
pub fn far(from: Square) -> Bitboard {
    destinations(Mover::Queen, from) - destinations(Mover::King, from)
}

/// Returns the squares strictly between two squares, or the empty set if no slide connects them.
pub fn between(from: Square, to: Square) -> Bitboard {
    BOARD.between(from, to)
}

const fn rays(directions: &[Direction]) -> Table {
    let mut table = [Bitboard::EMPTY; 256];
    let mut cell = 0;
    while cell < 256 {
        table[cell] = BOARD.rays(Square::new(cell), directions);
        cell += 1;
    }
    table
}

const fn pawns(player: usize) -> Table {
    let army = &ARMIES[player];
    let mut table = [Bitboard::EMPTY; 256];
    let mut cell = 0;
    while cell < 256 {
        let from = Square::new(cell);
        if BOARD.squares().contains(from) {
            let [left, right] = army.captures;
            let mut to = BOARD.leaps(from, &[army.forward.step(), left.step(), right.step()]);
            if army.home_line.contains(from) {
                let (file, rank) = army.forward.step();
                to = to.union(BOARD.leaps(from, &[(2 * file, 2 * rank)]));
            }
            table[cell] = to;
        }
        cell += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the size of the largest row and the sum of all rows.
    fn size(row: impl Fn(Square) -> Bitboard) -> (usize, usize) {
        let sizes = || BOARD.squares().iter().map(|from| row(from).len());
        (sizes().max().unwrap_or(0), sizes().sum())
    }

    #[test]
    fn rows_have_the_documented_sizes() {
        let moves = |mover| size(|from| destinations(mover, from));
        assert_eq!(moves(Mover::Rook), (max_len::ROOK, 3584));
        assert_eq!(moves(Mover::Bishop), (max_len::BISHOP, 2376));
        assert_eq!(moves(Mover::Queen), (max_len::QUEEN, 5960));
        assert_eq!(moves(Mover::Knight), (max_len::KNIGHT, 992));
        assert_eq!(moves(Mover::King), (max_len::KING, 1124));
        assert_eq!(size(near), (max_len::NEAR, 2116));
        assert_eq!(size(far), (max_len::FAR, 4836));
        for player in Player::ALL {
            assert_eq!(moves(Mover::Pawn(player)).0, max_len::PAWN);
        }
    }

    #[test]
    fn between_has_its_size_and_stops_at_cut_corners() {
        let squares = BOARD.squares();
        let (mut largest, mut connected, mut aligned) = (0, 0, 0);
        for from in squares {
            for to in squares {
                let files = BOARD.file(from).abs_diff(BOARD.file(to));
                let ranks = BOARD.rank(from).abs_diff(BOARD.rank(to));
                if from != to && (files == 0 || ranks == 0 || files == ranks) {
                    aligned += 1;
                }
                if destinations(Mover::Queen, from).contains(to) {
                    connected += 1;
                    let steps = files.max(ranks);
                    assert_eq!(between(from, to).len(), steps - 1);
                    largest = largest.max(steps - 1);
                } else {
                    assert!(between(from, to).is_empty());
                }
            }
        }
        assert_eq!((largest, connected, aligned), (max_len::BETWEEN, 5960, 6000));
    }

    #[test]
    fn near_and_far_are_the_moves_of_queen_and_knight() {
        let mut total = 0;
        for from in BOARD.squares() {
            let all = destinations(Mover::Queen, from) | destinations(Mover::Knight, from);
            assert_eq!(near(from) | far(from), all);
            assert!(!far(from).intersects(near(from)));
            total += all.len();
        }
        assert_eq!(total, 6952);
    }

    #[test]
    fn pawns_move_in_the_direction_of_their_player() {
        let names = |player, from| {
            let to = destinations(Mover::Pawn(player), crate::at(from));
            BOARD.names(to)
        };
        assert_eq!(names(Player::Red, "h2"), "g3 h3 i3 h4");
        assert_eq!(names(Player::Blue, "b7"), "c6 c7 d7 c8");
        assert_eq!(names(Player::Green, "l7"), "k6 k7 k8");
        assert_eq!(names(Player::Yellow, "d13"), "d11 d12 e12");
    }
}
