//! Arbitrary arrangements of pieces, and their validation.

use alloc::vec::Vec;

use fourfold_board::Square;
use fourfold_common::cpu::{Cpu, PORTABLE};
use fourfold_common::join;
use thiserror::Error;

use crate::play::MAX_CLOCK;
use crate::side::{Black, FIRST_RANKS, Side, White};
use crate::{BOARD, Bitboard, Board, Color, Piece, Position, Role, Variant, Wing, zobrist};

/// Any arrangement of pieces, legal or not, as plain data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The piece placement.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The rooks that may still castle.
    pub castling: Bitboard,
    /// The square that a pawn has just stepped over.
    pub en_passant: Option<Square>,
    /// The halfmove clock: plies since the last pawn move or capture.
    pub halfmoves: u16,
    /// The move number, from 1.
    pub fullmoves: u16,
    /// The variant that is played.
    pub variant: Variant,
}

impl Setup {
    /// Returns an empty board with White to move.
    pub const fn empty() -> Setup {
        Setup {
            board: Board::EMPTY,
            turn: Color::White,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
            variant: Variant::Standard,
        }
    }

    /// Returns the start position of standard chess.
    pub fn start() -> Setup {
        use Role::{Bishop, King, Knight, Queen, Rook};
        Setup::with_back_rank([Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook])
    }

    /// Returns a start position of Chess960 by its number from 0 to 959 in Scharnagl's numbering,
    /// where 518 is that of standard chess.
    pub fn chess960(number: u16) -> Option<Setup> {
        if number >= 960 {
            return None;
        }
        let number = number as usize;
        let mut rank = [None; 8];
        rank[number % 4 * 2 + 1] = Some(Role::Bishop);
        rank[number / 4 % 4 * 2] = Some(Role::Bishop);
        // The other pieces go to free files, counted from the a-file.
        let mut place = |role: Role, nth: usize| {
            let free = (0..8).filter(|&file| rank[file].is_none()).nth(nth);
            if let Some(file) = free {
                rank[file] = Some(role);
            }
        };
        place(Role::Queen, number / 16 % 6);
        const KNIGHTS: [(usize, usize); 10] =
            [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
        let (first, second) = KNIGHTS[number / 96];
        place(Role::Knight, second);
        place(Role::Knight, first);
        place(Role::Rook, 0);
        place(Role::King, 0);
        place(Role::Rook, 0);
        let setup = Setup::with_back_rank(rank.map(|role| role.unwrap_or(Role::Rook)));
        Some(Setup { variant: Variant::Chess960, ..setup })
    }

    fn with_back_rank(roles: [Role; 8]) -> Setup {
        let mut setup = Setup::empty();
        for (file, role) in roles.into_iter().enumerate() {
            for (color, rank, pawn_rank) in [(Color::White, 0, 1), (Color::Black, 7, 6)] {
                setup.board.put(Square::new(rank * 8 + file), Piece { color, role });
                let pawn = Piece { color, role: Role::Pawn };
                setup.board.put(Square::new(pawn_rank * 8 + file), pawn);
            }
        }
        setup.castling = setup.board.role(Role::Rook);
        setup
    }

    /// Returns the setup as a position.
    ///
    /// # Errors
    /// Returns an error with all faults if the setup is not a legal position.
    pub fn validate(&self) -> Result<Position, InvalidSetupError> {
        match self.faults(PORTABLE) {
            faults if faults.is_empty() => {
                Ok(Position::from_validated(self, zobrist::board(&self.board)))
            }
            faults => Err(InvalidSetupError { faults }),
        }
    }

    /// Returns everything that is wrong with the setup.
    #[inline(always)]
    pub(crate) fn faults<C: Cpu>(&self, cpu: C) -> Vec<Fault> {
        let mut faults = Vec::new();
        for color in Color::ALL {
            self.check_piece_counts(color, &mut faults);
        }
        for square in self.board.role(Role::Pawn) & FIRST_RANKS {
            faults.push(Fault::PawnOnEndRank(square));
        }
        for rook in self.castling {
            self.check_castling(rook, &mut faults);
        }
        let en_passant = self.en_passant.filter(|&square| !self.can_be_en_passant_square(square));
        faults.extend(en_passant.map(Fault::EnPassant));
        if self.halfmoves > MAX_CLOCK {
            faults.push(Fault::Halfmoves(self.halfmoves));
        }
        if self.fullmoves == 0 || self.fullmoves > MAX_CLOCK {
            faults.push(Fault::Fullmoves(self.fullmoves));
        }
        let kings = |color| self.board.pieces(color, Role::King).len();
        if kings(Color::White) == 1 && kings(Color::Black) == 1 {
            self.check_kings(cpu, &mut faults);
        }
        faults
    }

    #[inline(always)]
    fn check_piece_counts(&self, color: Color, faults: &mut Vec<Fault>) {
        let count = |role| self.board.pieces(color, role).len();
        match count(Role::King) {
            0 => faults.push(Fault::NoKing(color)),
            1 => {}
            _ => faults.push(Fault::SeveralKings(color)),
        }
        let pawns = count(Role::Pawn);
        let promoted: usize =
            [(Role::Knight, 2), (Role::Bishop, 2), (Role::Rook, 2), (Role::Queen, 1)]
                .map(|(role, start)| count(role).saturating_sub(start))
                .into_iter()
                .sum();
        if pawns > 8 {
            faults.push(Fault::TooManyPawns(color));
        } else if promoted > 8 - pawns {
            faults.push(Fault::TooManyPromoted(color));
        }
    }

    #[inline(always)]
    fn check_castling(&self, rook: Square, faults: &mut Vec<Fault>) {
        let fits = self.castling_color(rook).is_some_and(|color| {
            let rooks = self.castling & self.board.color(color);
            let king = self.board.pieces(color, Role::King).first();
            king.is_some_and(|king| {
                let same_wing = rooks.iter().filter(|&other| (other > king) == (rook > king));
                let standard = king.index() % 8 == 4 && matches!(rook.index() % 8, 0 | 7);
                BOARD.rank(king) == color.back_rank()
                    && same_wing.count() == 1
                    && (self.variant == Variant::Chess960 || standard)
            })
        });
        if !fits {
            faults.push(Fault::Castling(rook));
        }
    }

    /// Returns the color of the rook on this square, if it is one on its own first rank.
    fn castling_color(&self, rook: Square) -> Option<Color> {
        let piece = self.board.piece_at(rook)?;
        let home = BOARD.rank(rook) == piece.color.back_rank();
        (piece.role == Role::Rook && home).then_some(piece.color)
    }

    /// Returns whether a pawn can have stepped over this square on the previous move.
    fn can_be_en_passant_square(&self, square: Square) -> bool {
        if square.index() >= 64 {
            return false;
        }
        let target = Bitboard::of(square);
        let (pawn, origin, rank) = match self.turn {
            Color::White => (Black::forward(target), White::forward(target), Black::THIRD_RANK),
            Color::Black => (White::forward(target), Black::forward(target), White::THIRD_RANK),
        };
        target.intersects(rank)
            && pawn.intersects(self.board.pieces(!self.turn, Role::Pawn))
            && !(target | origin).intersects(self.board.occupied())
    }

    #[inline(always)]
    fn check_kings<C: Cpu>(&self, cpu: C, faults: &mut Vec<Fault>) {
        // The pieces that attack the king of `color`.
        let attackers = |color: Color| {
            let king = self.board.pieces(color, Role::King).first();
            king.map_or(Bitboard::EMPTY, |king| {
                self.board.attackers(cpu, king, !color, self.board.occupied())
            })
        };
        if attackers(!self.turn).any() {
            faults.push(Fault::OpponentInCheck(!self.turn));
        }
        if attackers(self.turn).len() > 2 {
            faults.push(Fault::TooManyCheckers);
        }
    }

    /// Returns the rook of a castling right that names only the wing: the outermost one.
    pub(crate) fn outermost_rook(&self, color: Color, wing: Wing) -> Option<Square> {
        let king = self.board.pieces(color, Role::King).first()?;
        let rank = match color {
            Color::White => White::FIRST_RANK,
            Color::Black => Black::FIRST_RANK,
        };
        let rooks = self.board.pieces(color, Role::Rook) & rank;
        match wing {
            Wing::King => rooks.last().filter(|&rook| rook > king),
            Wing::Queen => rooks.first().filter(|&rook| rook < king),
        }
    }
}

/// The error returned when a [`Setup`] is not a legal position. It lists all faults.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", join(.faults, "; "))]
#[non_exhaustive]
pub struct InvalidSetupError {
    /// The faults; never empty.
    pub faults: Vec<Fault>,
}

/// A reason why a [`Setup`] is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// A side has no king.
    #[error("{} has no king", .0.capitalized())]
    NoKing(Color),
    /// A side has more than one king.
    #[error("{} has more than one king", .0.capitalized())]
    SeveralKings(Color),
    /// A side has more than eight pawns.
    #[error("{} has more than 8 pawns", .0.capitalized())]
    TooManyPawns(Color),
    /// A side has more promoted pieces than missing pawns.
    #[error("{} has more promoted pieces than missing pawns", .0.capitalized())]
    TooManyPromoted(Color),
    /// A pawn stands on the first or the last rank.
    #[error("a pawn cannot stand on {}", BOARD.name(*.0))]
    PawnOnEndRank(Square),
    /// A castling right refers to this square, but no king can castle with it.
    #[error("no king can castle with a rook on {}", BOARD.name(*.0))]
    Castling(Square),
    /// No pawn can have stepped over this square on the previous move.
    #[error("no pawn has just stepped over {}", BOARD.name(*.0))]
    EnPassant(Square),
    /// The halfmove clock is out of range.
    #[error("expected a halfmove clock of at most {max}, got {0}", max = MAX_CLOCK)]
    Halfmoves(u16),
    /// The move number is out of range.
    #[error("expected a move number from 1 to {max}, got {0}", max = MAX_CLOCK)]
    Fullmoves(u16),
    /// The side that has just moved is in check.
    #[error("{} is in check but has just moved", .0.capitalized())]
    OpponentInCheck(Color),
    /// More than two pieces give check.
    #[error("more than two pieces give check")]
    TooManyCheckers,
}
