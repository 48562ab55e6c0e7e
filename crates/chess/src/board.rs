//! Piece placement.

use core::fmt;

use bytemuck::{Pod, Zeroable};
use fourfold_board::Square;
use fourfold_common::cpu::Cpu;

use crate::attacks::{
    bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
    rook_rays,
};
use crate::{BOARD, Bitboard, Color, Piece, Role};

/// A piece placement: one set of squares for each role and one for each color.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Board {
    pub(crate) roles: [Bitboard; 6],
    pub(crate) colors: [Bitboard; 2],
}

impl Board {
    /// The board without pieces.
    pub const EMPTY: Board = Board { roles: [Bitboard::EMPTY; 6], colors: [Bitboard::EMPTY; 2] };

    /// Returns the squares of all pieces with this role, of both colors.
    #[inline(always)]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// Returns the squares of all pieces of this color.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// Returns the squares of all pieces with this color and role.
    #[inline(always)]
    pub const fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color).intersection(self.role(role))
    }

    /// Returns all occupied squares.
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        self.colors[0].union(self.colors[1])
    }

    /// Returns whether each occupied square has exactly one role and one color.
    pub fn is_consistent(&self) -> bool {
        let total: usize = self.roles.iter().map(|role| role.len()).sum();
        let [white, black] = self.colors;
        let roles = self.roles.into_iter().fold(Bitboard::EMPTY, Bitboard::union);
        roles == self.occupied() && total == roles.len() && !white.intersects(black)
    }

    /// Returns the piece on a square.
    ///
    /// # Panics
    /// Panics if the square is not on the chessboard.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = Color::ALL.into_iter().find(|&color| self.color(color).contains(square))?;
        Some(Piece { color, role: self.role_at(square) })
    }

    /// Returns the role of the piece on an occupied square, without branching. For an empty square
    /// the result is [`Role::Pawn`].
    #[inline(always)]
    pub fn role_at(&self, square: Square) -> Role {
        let there = |role: Role| self.role(role).contains(square) as usize;
        Role::ALL[there(Role::Knight)
            + 2 * there(Role::Bishop)
            + 3 * there(Role::Rook)
            + 4 * there(Role::Queen)
            + 5 * there(Role::King)]
    }

    /// Puts a piece on a square, replacing any piece that is there.
    ///
    /// # Panics
    /// Panics if the square is not on the chessboard.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.remove(square);
        self.roles[piece.role as usize] |= Bitboard::of(square);
        self.colors[piece.color as usize] |= Bitboard::of(square);
    }

    /// Adds pieces of one color and role. The squares must be empty.
    pub(crate) fn add(&mut self, color: Color, role: Role, squares: Bitboard) {
        self.roles[role as usize] |= squares;
        self.colors[color as usize] |= squares;
    }

    /// Returns the pieces of color `by` that attack a square, with `occupied` as the blockers.
    #[inline(always)]
    pub(crate) fn attackers<C: Cpu>(
        &self,
        cpu: C,
        square: Square,
        by: Color,
        occupied: Bitboard,
    ) -> Bitboard {
        let queens = self.role(Role::Queen);
        let orthogonal = (self.role(Role::Rook) | queens) & rook_rays(square);
        let diagonal = (self.role(Role::Bishop) | queens) & bishop_rays(square);
        let mut attackers = knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King)
            | pawn_attacks(!by, square) & self.role(Role::Pawn);
        if orthogonal.any() {
            attackers |= orthogonal & rook_attacks(cpu, square, occupied);
        }
        if diagonal.any() {
            attackers |= diagonal & bishop_attacks(cpu, square, occupied);
        }
        attackers & self.color(by)
    }

    /// Removes the piece on a square, if there is one.
    pub fn remove(&mut self, square: Square) {
        for set in self.roles.iter_mut().chain(&mut self.colors) {
            *set -= Bitboard::of(square);
        }
    }

    /// Iterates over all pieces with their squares, from a1 to h8.
    pub fn iter_pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}

/// Draws the board with FEN letters, rank 8 at the top.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let piece = BOARD.square(file, rank).and_then(|square| self.piece_at(square));
                let end = if file == 7 { "\n" } else { " " };
                write!(f, "{}{end}", piece.map_or('.', Piece::letter))?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board(\n{self})")
    }
}
