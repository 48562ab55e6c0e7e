//! Direct generation of legal moves: checks and pins are computed first, so that no move has to be
//! tried out.

use core::marker::PhantomData;
use core::ops::ControlFlow;

use fourfold_board::Square;
use fourfold_common::cpu::{self, Cpu, PORTABLE, Portable, Work};

use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks,
    rook_attacks, rook_rays,
};
use crate::side::{Black, FILE_A, FILE_H, Side, White};
use crate::sink::{Count, Each};
use crate::{Bitboard, Board, Color, Move, MoveKind, MoveList, MoveSink, Position, Role, Wing};

impl Position {
    /// Returns the legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.legal_moves_into(&mut list);
        list
    }

    /// Replaces the contents of `list` with the legal moves.
    pub fn legal_moves_into(&self, list: &mut MoveList) {
        list.clear();
        self.generate(&mut Each(|mv| {
            list.push(mv);
            ControlFlow::Continue(())
        }));
    }

    /// Returns the number of legal moves, without listing them.
    pub fn count_legal(&self) -> usize {
        let mut count = Count(0);
        self.generate(&mut count);
        count.0
    }

    /// Returns whether there is a legal move; stops at the first one.
    pub fn has_legal_move(&self) -> bool {
        let mut found = false;
        self.generate(&mut Each(|_| {
            found = true;
            ControlFlow::Break(())
        }));
        found
    }

    /// Returns whether a move is legal in this position.
    pub fn is_legal(&self, mv: Move) -> bool {
        let mut found = false;
        self.generate(&mut Each(|legal| {
            found |= legal == mv;
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }));
        found
    }

    /// Generates the legal moves into a sink until it breaks.
    pub fn generate(&self, sink: &mut impl MoveSink) {
        struct Generate<'a, K>(&'a Position, &'a mut K);

        impl<K: MoveSink> Work for Generate<'_, K> {
            type Output = ();

            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) {
                self.0.generate_inline(cpu, self.1);
            }
        }

        cpu::dispatch(Generate(self, sink));
    }

    /// Like [`Position::generate`], for callers inside [`Work::run`], which pass their `cpu`.
    #[inline(always)]
    pub fn generate_inline<C: Cpu>(&self, cpu: C, sink: &mut impl MoveSink) {
        // It does not matter here whether the sink stopped early.
        let _ = match self.turn() {
            Color::White => Generator::<White, C>::new(self, cpu).generate(sink),
            Color::Black => Generator::<Black, C>::new(self, cpu).generate(sink),
        };
    }

    /// Returns whether an en passant capture is legal.
    pub(crate) fn has_legal_en_passant(&self) -> bool {
        let mut found = false;
        let sink = &mut Each(|_| {
            found = true;
            ControlFlow::Break(())
        });
        let _ = match self.turn() {
            Color::White => Generator::<White, Portable>::new(self, PORTABLE).en_passant(sink),
            Color::Black => Generator::<Black, Portable>::new(self, PORTABLE).en_passant(sink),
        };
        found
    }
}

/// Generates the moves of side `S`, which must be to move.
pub(crate) struct Generator<'a, S, C> {
    position: &'a Position,
    board: &'a Board,
    cpu: C,
    us: Bitboard,
    them: Bitboard,
    occupied: Bitboard,
    king: Square,
    /// Enemy rooks and queens.
    orthogonal: Bitboard,
    /// Enemy bishops and queens.
    diagonal: Bitboard,
    side: PhantomData<S>,
}

impl<'a, S: Side, C: Cpu> Generator<'a, S, C> {
    #[inline(always)]
    pub(crate) fn new(position: &'a Position, cpu: C) -> Self {
        let board = &position.board;
        let (us, them) = (board.color(S::COLOR), board.color(S::Them::COLOR));
        let queens = board.role(Role::Queen);
        Generator {
            position,
            board,
            cpu,
            us,
            them,
            occupied: us | them,
            king: (us & board.role(Role::King)).first().unwrap_or(Square::new(0)),
            orthogonal: (board.role(Role::Rook) | queens) & them,
            diagonal: (board.role(Role::Bishop) | queens) & them,
            side: PhantomData,
        }
    }

    /// Generates all legal moves.
    #[inline(always)]
    pub(crate) fn generate(&self, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let (checkers, pinned) = self.checkers_and_pinned();
        let Some(checker) = checkers.first() else {
            self.pawns(!pinned, !self.us, sink)?;
            self.en_passant(sink)?;
            self.pieces(!pinned, !self.us, sink)?;
            self.pinned(pinned, sink)?;
            return self.king::<true>(sink);
        };
        // A pinned piece cannot parry a check, and only a king move answers a double check.
        if !checkers.more_than_one() {
            let targets = between(self.king, checker) | checkers;
            self.pawns(!pinned, targets, sink)?;
            self.en_passant(sink)?;
            self.pieces(!pinned, targets, sink)?;
        }
        self.king::<false>(sink)
    }

    /// Returns the pieces that give check, and every piece of either side that alone stands between
    /// the king and an enemy slider.
    #[inline(always)]
    fn checkers_and_pinned(&self) -> (Bitboard, Bitboard) {
        let leapers = knight_attacks(self.king) & self.board.role(Role::Knight)
            | pawn_attacks(S::COLOR, self.king) & self.board.role(Role::Pawn);
        let (mut checkers, mut pinned) = (leapers & self.them, Bitboard::EMPTY);
        let snipers =
            rook_rays(self.king) & self.orthogonal | bishop_rays(self.king) & self.diagonal;
        for sniper in snipers {
            let blockers = between(self.king, sniper) & self.occupied;
            if blockers.is_empty() {
                checkers |= Bitboard::of(sniper);
            }
            if !blockers.more_than_one() {
                pinned |= blockers;
            }
        }
        (checkers, pinned)
    }

    /// Generates moves to `targets` by the knights, bishops, rooks and queens in `movers`.
    #[inline(always)]
    fn pieces(
        &self,
        movers: Bitboard,
        targets: Bitboard,
        sink: &mut impl MoveSink,
    ) -> ControlFlow<()> {
        let movers = movers & self.us;
        for from in movers & self.board.role(Role::Knight) {
            sink.piece(Role::Knight, from, knight_attacks(from) & targets)?;
        }
        for from in movers & self.board.role(Role::Bishop) {
            let attacks = bishop_attacks(self.cpu, from, self.occupied);
            sink.piece(Role::Bishop, from, attacks & targets)?;
        }
        for from in movers & self.board.role(Role::Rook) {
            let attacks = rook_attacks(self.cpu, from, self.occupied);
            sink.piece(Role::Rook, from, attacks & targets)?;
        }
        for from in movers & self.board.role(Role::Queen) {
            let attacks = rook_attacks(self.cpu, from, self.occupied)
                | bishop_attacks(self.cpu, from, self.occupied);
            sink.piece(Role::Queen, from, attacks & targets)?;
        }
        ControlFlow::Continue(())
    }

    /// Generates the moves of pinned pieces, which stay on the line of the pin.
    #[inline(always)]
    fn pinned(&self, pinned: Bitboard, sink: &mut impl MoveSink) -> ControlFlow<()> {
        for from in (pinned & self.us) - self.board.role(Role::Knight) {
            let targets = line(self.king, from) - self.us;
            self.pawns(Bitboard::of(from), targets, sink)?;
            self.pieces(Bitboard::of(from), targets, sink)?;
        }
        ControlFlow::Continue(())
    }

    /// Generates moves to `targets` by the pawns in `movers`, except en passant.
    #[inline(always)]
    fn pawns(
        &self,
        movers: Bitboard,
        targets: Bitboard,
        sink: &mut impl MoveSink,
    ) -> ControlFlow<()> {
        let pawns = self.board.role(Role::Pawn) & self.us & movers;
        let steps = S::forward(pawns) - self.occupied;
        let double_steps = (S::forward(steps & S::THIRD_RANK) - self.occupied) & targets;
        let steps = steps & targets;
        let east = S::east(pawns) & self.them & targets;
        let west = S::west(pawns) & self.them & targets;
        sink.pawns(S::FORWARD, steps - S::LAST_RANK, MoveKind::Normal)?;
        sink.pawns(2 * S::FORWARD, double_steps, MoveKind::DoubleStep)?;
        sink.pawns(S::FORWARD + 1, east - S::LAST_RANK, MoveKind::Normal)?;
        sink.pawns(S::FORWARD - 1, west - S::LAST_RANK, MoveKind::Normal)?;
        if (steps | east | west).intersects(S::LAST_RANK) {
            sink.promotions(S::FORWARD, steps & S::LAST_RANK)?;
            sink.promotions(S::FORWARD + 1, east & S::LAST_RANK)?;
            sink.promotions(S::FORWARD - 1, west & S::LAST_RANK)?;
        }
        ControlFlow::Continue(())
    }

    /// Generates en passant captures. Both pawns may leave the same line at once, so each capture
    /// is tested on the resulting board.
    #[inline(always)]
    fn en_passant(&self, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let target_set = self.position.en_passant;
        let Some(target) = target_set.first() else { return ControlFlow::Continue(()) };
        let captured_pawn = S::Them::forward(target_set);
        let pawns = self.board.role(Role::Pawn) & self.us;
        for from in pawn_attacks(S::Them::COLOR, target) & pawns {
            let occupied_after = self.occupied ^ Bitboard::of(from) ^ captured_pawn ^ target_set;
            let leapers = knight_attacks(self.king) & self.board.role(Role::Knight)
                | pawn_attacks(S::COLOR, self.king) & (self.board.role(Role::Pawn) - captured_pawn);
            let checkers = leapers & self.them
                | rook_attacks(self.cpu, self.king, occupied_after) & self.orthogonal
                | bishop_attacks(self.cpu, self.king, occupied_after) & self.diagonal;
            if checkers.is_empty() {
                sink.single(Move::new(Role::Pawn, from, target, MoveKind::EnPassant))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Generates king moves, including castling if `MAY_CASTLE`, that is, if the king is not in
    /// check.
    #[inline(always)]
    fn king<const MAY_CASTLE: bool>(&self, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let pawns = self.board.role(Role::Pawn) & self.them;
        let king = (self.board.role(Role::King) & self.them).first().unwrap_or(Square::new(0));
        let leaper_attacks = S::Them::east(pawns)
            | S::Them::west(pawns)
            | knights_attacks(self.board.role(Role::Knight) & self.them)
            | king_attacks(king);
        // The king does not shield the squares behind it.
        let occupied = self.occupied ^ Bitboard::of(self.king);
        let safe_from_sliders = |square: Square| {
            !rook_attacks(self.cpu, square, occupied).intersects(self.orthogonal)
                && !bishop_attacks(self.cpu, square, occupied).intersects(self.diagonal)
        };
        let mut targets = Bitboard::EMPTY;
        for square in king_attacks(self.king) - self.us - leaper_attacks {
            if safe_from_sliders(square) {
                targets |= Bitboard::of(square);
            }
        }
        sink.piece(Role::King, self.king, targets)?;
        if !MAY_CASTLE {
            return ControlFlow::Continue(());
        }
        for rook in self.position.castling & self.us {
            let wing = if rook > self.king { Wing::King } else { Wing::Queen };
            let target = wing.king_target(S::COLOR);
            let rook_target = wing.rook_target(S::COLOR);
            let path = between(self.king, target) | Bitboard::of(target);
            let rook_path = between(rook, rook_target) | Bitboard::of(rook_target);
            let without_rook = occupied - Bitboard::of(rook);
            let free =
                !(path | rook_path).intersects(without_rook) && !path.intersects(leaper_attacks);
            if !free || !path.iter().all(safe_from_sliders) {
                continue;
            }
            // A rook that is not in the corner may have shielded the king's target.
            let corner = Bitboard::of(rook).intersects(FILE_A | FILE_H);
            let occupied_after = without_rook | Bitboard::of(rook_target);
            if corner || !rook_attacks(self.cpu, target, occupied_after).intersects(self.orthogonal)
            {
                sink.single(Move::new(Role::King, self.king, rook, MoveKind::Castling))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns the squares attacked by any knight of a set.
#[inline(always)]
fn knights_attacks(knights: Bitboard) -> Bitboard {
    let [knights] = knights.words();
    let near = knights >> 1 & 0x7f7f_7f7f_7f7f_7f7f | knights << 1 & 0xfefe_fefe_fefe_fefe;
    let far = knights >> 2 & 0x3f3f_3f3f_3f3f_3f3f | knights << 2 & 0xfcfc_fcfc_fcfc_fcfc;
    Bitboard::from_words([near << 16 | near >> 16 | far << 8 | far >> 8])
}
