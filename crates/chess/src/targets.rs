//! The legal moves of a position, piece by piece: what a GPU generates, whose threads should all take the same
//! path.

use core::ops::ControlFlow;

use fourfold_board::Square;
use fourfold_common::cpu::Cpu;

use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, rook_attacks,
};
use crate::movegen::Generator;
use crate::side::{Side as _, White};
use crate::{Bitboard, Board, Color, Each, Move, Position, Role, Wing};

/// Takes the targets of the legal moves of each piece.
pub trait TargetSink {
    /// Takes the targets of a pawn. One that promotes has one target for all promotions.
    fn pawn(&mut self, from: Square, to: Bitboard);
    /// Takes the targets of a knight.
    fn knight(&mut self, from: Square, to: Bitboard);
    /// Takes the targets of a bishop, a rook, a queen or the king. Those of the king include castling.
    fn along_lines(&mut self, from: Square, to: Bitboard);
}

impl Position {
    /// Passes each piece of the side to move with the targets of its legal moves to a sink, as if that side
    /// were White: if it is Black, the board is flipped. Only for standard chess, where a rook that castles does
    /// not shield the king.
    #[inline(always)]
    pub fn targets_as_white<C: Cpu>(&self, cpu: C, sink: &mut impl TargetSink) {
        let flip = |set: Bitboard| {
            let [word] = set.words();
            let black = self.turn() == Color::Black;
            Bitboard::from_words([if black { word.swap_bytes() } else { word }])
        };
        let [us, them] = [self.turn(), !self.turn()].map(|color| flip(self.board.color(color)));
        let position = Position {
            board: Board { roles: self.board.roles.map(flip), colors: [us, them] },
            castling: flip(self.castling),
            en_passant: flip(self.en_passant),
            turn: Color::White as u8,
            ..*self
        };
        Generator::<White, C>::new(&position, cpu).targets(sink);
    }
}

impl<C: Cpu> Generator<'_, White, C> {
    #[inline(always)]
    fn targets(&self, sink: &mut impl TargetSink) {
        let (checkers, pinned) = self.checkers_and_pinned();
        let allowed = match checkers.first() {
            None => !Bitboard::EMPTY,
            Some(checker) if !checkers.more_than_one() => between(self.king, checker) | checkers,
            // Only the king can answer a double check.
            Some(_) => Bitboard::EMPTY,
        } - self.us;
        let pinned = pinned & self.us;
        let allowed_from = |from: Square| {
            allowed & if pinned.contains(from) { line(self.king, from) } else { !Bitboard::EMPTY }
        };
        let role = |role: Role| self.board.role(role) & self.us;
        let keep = |set: Bitboard, yes: bool| if yes { set } else { Bitboard::EMPTY };
        let en_passant = self.en_passant_captors();
        self.cpu.converge();
        for from in role(Role::Pawn) {
            let captured = keep(self.position.en_passant, en_passant.contains(from));
            sink.pawn(from, self.pawn_targets(from) & allowed_from(from) | captured);
        }
        self.cpu.converge();
        for from in role(Role::Knight) - pinned {
            sink.knight(from, knight_attacks(from) & allowed);
        }
        let (rooks, bishops) = (role(Role::Rook), role(Role::Bishop));
        let queens = role(Role::Queen);
        self.cpu.converge();
        for from in rooks | bishops | queens {
            let orthogonal = rook_attacks(self.cpu, from, self.occupied);
            let diagonal = bishop_attacks(self.cpu, from, self.occupied);
            let attacks =
                keep(orthogonal, !bishops.contains(from)) | keep(diagonal, !rooks.contains(from));
            sink.along_lines(from, attacks & allowed_from(from));
        }
        self.cpu.converge();
        sink.along_lines(self.king, self.king_targets(checkers.is_empty()));
    }

    #[inline(always)]
    fn pawn_targets(&self, from: Square) -> Bitboard {
        let step = White::forward(Bitboard::of(from)) - self.occupied;
        let double_step = White::forward(step & White::THIRD_RANK) - self.occupied;
        step | double_step | pawn_attacks(Color::White, from) & self.them
    }

    /// Returns the pawns that may capture en passant.
    #[inline(always)]
    fn en_passant_captors(&self) -> Bitboard {
        let mut captors = Bitboard::EMPTY;
        let _ = self.en_passant(&mut Each(|mv: Move| {
            captors |= Bitboard::of(mv.from());
            ControlFlow::Continue(())
        }));
        captors
    }

    /// Returns the targets of the king, including those of castling if it may castle.
    #[inline(always)]
    fn king_targets(&self, may_castle: bool) -> Bitboard {
        let attacked = self.attacked_by_leapers()
            | self.attacked_by_sliders(self.occupied ^ Bitboard::of(self.king));
        let mut targets = king_attacks(self.king) - self.us - attacked;
        for rook in self.position.castling & self.us {
            let wing = if rook > self.king { Wing::King } else { Wing::Queen };
            let (target, rook_target) =
                (wing.king_target(Color::White), wing.rook_target(Color::White));
            let path = between(self.king, target) | Bitboard::of(target);
            let rook_path = between(rook, rook_target) | Bitboard::of(rook_target);
            let others = self.occupied - Bitboard::of(self.king) - Bitboard::of(rook);
            let is_free = !(path | rook_path).intersects(others) && !path.intersects(attacked);
            if may_castle && is_free {
                targets |= Bitboard::of(target);
            }
        }
        targets
    }
}
