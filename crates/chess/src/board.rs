//! Where the men stand.

use std::fmt;

use fourfold_board::Square;
use fourfold_board::cpu::{Cpu, Plain};

use crate::attacks::{
    bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
    rook_rays,
};
use crate::{BOARD, Bitboard, Color, Piece, Role};

/// A placement of men: for each role and each colour, the set of its squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    pub(crate) roles: [Bitboard; 6],
    pub(crate) colors: [Bitboard; 2],
}

impl Board {
    /// No men at all.
    pub const EMPTY: Board = Board { roles: [Bitboard::EMPTY; 6], colors: [Bitboard::EMPTY; 2] };

    /// The squares of one role, of both colours.
    #[inline(always)]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// The squares of one colour.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The squares of one piece.
    #[inline(always)]
    pub const fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color).intersection(self.role(role))
    }

    /// All squares that hold a man.
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        self.colors[0].union(self.colors[1])
    }

    /// What stands on a square.
    ///
    /// # Panics
    /// If the chessboard has no such square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = Color::ALL.into_iter().find(|&color| self.color(color).contains(square))?;
        Some(Piece { color, role: self.role_at(square) })
    }

    /// What stands on an occupied square, without a branch; a pawn if none does.
    #[inline(always)]
    pub fn role_at(&self, square: Square) -> Role {
        let there = |role: Role| self.role(role).contains(square) as usize;
        Role::ALL[there(Role::Knight)
            + 2 * there(Role::Bishop)
            + 3 * there(Role::Rook)
            + 4 * there(Role::Queen)
            + 5 * there(Role::King)]
    }

    /// Puts a piece on a square, in place of what stood there.
    ///
    /// # Panics
    /// If the chessboard has no such square.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.remove(square);
        self.roles[piece.role as usize] |= Bitboard::of(square);
        self.colors[piece.color as usize] |= Bitboard::of(square);
    }

    /// Puts men of one kind on squares that are empty.
    pub(crate) fn add(&mut self, color: Color, role: Role, squares: Bitboard) {
        self.roles[role as usize] |= squares;
        self.colors[color as usize] |= squares;
    }

    /// The men of a colour that attack a square, for any set of occupied squares.
    pub(crate) fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.attackers_on(Plain, square, by, occupied)
    }

    /// The same, inside of work that has entered its CPU.
    #[inline(always)]
    pub(crate) fn attackers_on<C: Cpu>(
        &self,
        cpu: C,
        square: Square,
        by: Color,
        occupied: Bitboard,
    ) -> Bitboard {
        let queens = self.role(Role::Queen);
        let straight = (self.role(Role::Rook) | queens) & rook_rays(square);
        let oblique = (self.role(Role::Bishop) | queens) & bishop_rays(square);
        let mut seen = knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King)
            | pawn_attacks(!by, square) & self.role(Role::Pawn);
        if straight.any() {
            seen |= straight & rook_attacks(cpu, square, occupied);
        }
        if oblique.any() {
            seen |= oblique & bishop_attacks(cpu, square, occupied);
        }
        seen & self.color(by)
    }

    /// Takes a square's piece off the board.
    pub fn remove(&mut self, square: Square) {
        for set in self.roles.iter_mut().chain(&mut self.colors) {
            *set -= Bitboard::of(square);
        }
    }

    /// Every man with its square, from a1 to h8.
    pub fn men(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}

/// Draws the board with the letters of FEN, rank 8 on top.
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
