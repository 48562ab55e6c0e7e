//! The legal moves of a position, shared out among threads that run in lockstep, as on a GPU: every thread
//! finds those of one piece, and one of the king's.

use fourfold_board::Square;
use fourfold_common::cpu::Cpu;

use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line_through, pawn_attacks, rook_attacks,
};
use crate::side::{Side as _, White};
use crate::{Bitboard, Color, Position, Role, Wing};

/// Takes the targets of the legal moves of each piece.
pub trait TargetSink {
    /// Takes the targets of a pawn. One that promotes has one target for all promotions.
    fn pawn(&mut self, from: Square, to: Bitboard);
    /// Takes the targets of a knight.
    fn knight(&mut self, from: Square, to: Bitboard);
    /// Takes targets of a bishop, a rook, a queen or the king. Those of the king include castling.
    fn along_lines(&mut self, from: Square, to: Bitboard);
    /// Called by all threads together after each of them has passed on at most one piece.
    fn flush(&mut self) {}
}

/// The number of threads that find the targets of all pieces: no side has more pieces.
pub const TARGET_LANES: usize = 16;

impl Position {
    /// Passes the targets that the thread `lane` of [`TARGET_LANES`] finds to a sink, as if the side to move
    /// were White: if it is Black, the board is flipped. Only for standard chess, where a rook that castles
    /// does not shield the king.
    #[inline(always)]
    pub fn targets_of_lane<C: Cpu>(&self, cpu: C, lane: usize, sink: &mut impl TargetSink) {
        let flip = |set: Bitboard| {
            let [word] = set.words();
            let black = self.turn() == Color::Black;
            Bitboard::from_words([if black { word.swap_bytes() } else { word }])
        };
        let [us, them] = [self.turn(), !self.turn()].map(|color| flip(self.board.color(color)));
        let board = Flipped {
            cpu,
            roles: self.board.roles.map(flip),
            us,
            them,
            king: (us & flip(self.board.role(Role::King))).first().unwrap_or(Square::new(0)),
            castling: flip(self.castling) & us,
            en_passant: flip(self.en_passant),
        };
        let king = board.king;
        let checkers = board.attackers(king, us | them);
        let allowed = match checkers.first() {
            None => !Bitboard::EMPTY,
            Some(checker) if !checkers.more_than_one() => between(king, checker) | checkers,
            // Only the king can answer a double check.
            Some(_) => Bitboard::EMPTY,
        } - us;
        board.piece(lane, allowed, sink);
        // A thread that has no piece waits here, so that all test the king's squares together.
        cpu.converge();
        sink.flush();
        board.king(lane, checkers.is_empty(), sink);
        cpu.converge();
        sink.flush();
    }
}

/// A position seen by the side to move, which is White.
struct Flipped<C> {
    cpu: C,
    roles: [Bitboard; 6],
    us: Bitboard,
    them: Bitboard,
    king: Square,
    /// The rooks that may castle.
    castling: Bitboard,
    en_passant: Bitboard,
}

impl<C: Cpu> Flipped<C> {
    #[inline(always)]
    fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// Returns the opponent's rooks and queens, and bishops and queens.
    #[inline(always)]
    fn sliders(&self) -> (Bitboard, Bitboard) {
        let queens = self.role(Role::Queen);
        let [orthogonal, diagonal] =
            [Role::Rook, Role::Bishop].map(|role| (self.role(role) | queens) & self.them);
        (orthogonal, diagonal)
    }

    /// Returns the opponent's pieces that attack a square.
    #[inline(always)]
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let (orthogonal, diagonal) = self.sliders();
        let leapers = knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King)
            | pawn_attacks(Color::White, square) & self.role(Role::Pawn);
        leapers & self.them
            | rook_attacks(self.cpu, square, occupied) & orthogonal
            | bishop_attacks(self.cpu, square, occupied) & diagonal
    }

    /// Finds the targets of the piece with this index, not counting the king.
    #[inline(always)]
    fn piece(&self, index: usize, allowed: Bitboard, sink: &mut impl TargetSink) {
        let pieces = self.us - Bitboard::of(self.king);
        if index >= pieces.len() {
            return;
        }
        let from = nth(pieces, index);
        let allowed = allowed & self.along_pin(from);
        let is = |role: Role| self.role(role).contains(from);
        if is(Role::Pawn) {
            sink.pawn(from, self.pawn_targets(from) & allowed | self.en_passant_target(from));
        } else if is(Role::Knight) {
            sink.knight(from, knight_attacks(from) & allowed);
        } else {
            let occupied = self.us | self.them;
            let keep = |set: Bitboard, yes: bool| if yes { set } else { Bitboard::EMPTY };
            let orthogonal = rook_attacks(self.cpu, from, occupied);
            let diagonal = bishop_attacks(self.cpu, from, occupied);
            let targets = keep(orthogonal, !is(Role::Bishop)) | keep(diagonal, !is(Role::Rook));
            sink.along_lines(from, targets & allowed);
        }
    }

    /// Returns the line of a pin if a piece is pinned, otherwise all squares.
    #[inline(always)]
    fn along_pin(&self, from: Square) -> Bitboard {
        let (orthogonal, diagonal) = self.sliders();
        let (line, is_diagonal) = line_through(self.king, from);
        let sliders = if is_diagonal { diagonal } else { orthogonal };
        // If a piece on the other side of the king gives check along the line, all allowed squares are on it,
        // so it does not matter that this one then looks pinned.
        let occupied = (self.us | self.them) - Bitboard::of(from);
        let attacks = if is_diagonal {
            bishop_attacks(self.cpu, self.king, occupied)
        } else {
            rook_attacks(self.cpu, self.king, occupied)
        };
        if (attacks & line).intersects(sliders) { line } else { !Bitboard::EMPTY }
    }

    #[inline(always)]
    fn pawn_targets(&self, from: Square) -> Bitboard {
        let occupied = self.us | self.them;
        let step = White::forward(Bitboard::of(from)) - occupied;
        let double_step = White::forward(step & White::THIRD_RANK) - occupied;
        step | double_step | pawn_attacks(Color::White, from) & self.them
    }

    /// Returns the target of a pawn that may capture en passant.
    #[inline(always)]
    fn en_passant_target(&self, from: Square) -> Bitboard {
        let target = self.en_passant & pawn_attacks(Color::White, from);
        if target.is_empty() {
            return target;
        }
        // Two pawns may leave one line at the same time.
        let [word] = target.words();
        let captured = Bitboard::from_words([word >> 8]);
        let occupied = (self.us | self.them) ^ Bitboard::of(from) ^ captured ^ target;
        if (self.attackers(self.king, occupied) - captured).is_empty() {
            target
        } else {
            Bitboard::EMPTY
        }
    }

    /// Finds one of the king's moves: a step, or castling by the last two threads.
    #[inline(always)]
    fn king(&self, lane: usize, may_castle: bool, sink: &mut impl TargetSink) {
        /// The first thread that looks at castling: a king has eight steps.
        const CASTLING: usize = 8;
        let steps = king_attacks(self.king) - self.us;
        let mut target = Bitboard::EMPTY;
        // The squares that must not be attacked.
        let mut path = Bitboard::EMPTY;
        if lane < steps.len() {
            target = Bitboard::of(nth(steps, lane));
            path = target;
        } else if may_castle && lane >= CASTLING && lane - CASTLING < self.castling.len() {
            let rook = nth(self.castling, lane - CASTLING);
            let wing = if rook > self.king { Wing::King } else { Wing::Queen };
            let to = wing.king_target(Color::White);
            let rook_to = wing.rook_target(Color::White);
            let king_path = between(self.king, to) | Bitboard::of(to);
            let rook_path = between(rook, rook_to) | Bitboard::of(rook_to);
            let others = (self.us | self.them) - Bitboard::of(self.king) - Bitboard::of(rook);
            if !(king_path | rook_path).intersects(others) {
                (target, path) = (Bitboard::of(to), king_path);
            }
        }
        // The king does not shield the squares behind it.
        let occupied = (self.us | self.them) - Bitboard::of(self.king);
        while let Some(square) = path.pop() {
            if self.attackers(square, occupied).any() {
                return;
            }
        }
        if target.any() {
            sink.along_lines(self.king, target);
        }
    }
}

/// Returns the member with this index, which must be less than their number.
#[inline(always)]
fn nth(set: Bitboard, index: usize) -> Square {
    let [word] = set.words();
    let (low, high) = (word as u32, (word >> 32) as u32);
    let (mut left, mut square) = (index as u32, 0);
    let mut half = low;
    if left >= low.count_ones() {
        (left, square, half) = (left - low.count_ones(), 32, high);
    }
    // Not a loop, because the steps differ in their constants.
    let mut narrow = |width: u32| {
        let count = (half & ((1 << width) - 1)).count_ones();
        if left >= count {
            (left, square, half) = (left - count, square + width, half >> width);
        }
    };
    narrow(16);
    narrow(8);
    narrow(4);
    narrow(2);
    narrow(1);
    Square::new(square as usize & 63)
}
