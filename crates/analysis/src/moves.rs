//! Facts about legal moves: captures with their exchange values, and forks.

use std::ops::ControlFlow;

use fourfold_board::Square;
use fourfold_chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use fourfold_chess::{
    Bitboard, Board, Color, Exchanges, Move, MoveKind, MoveSink, Piece, Position, Role,
};
use fourfold_common::cpu::Cpu;

use crate::per_piece::attacks;
use crate::scan::ScanResult;
use crate::{FactGroups, SideFacts};

/// The initial capacity for captures. Few positions have more.
const CAPTURES_CAPACITY: usize = 12;

/// Collects the captures and forks among the legal moves of the side to move. Returns the
/// enemy pieces that are en prise.
#[inline(always)]
pub(crate) fn collect<C: Cpu>(
    cpu: C,
    position: &Position,
    scanned: &ScanResult,
    facts: FactGroups,
    own: &mut SideFacts,
) -> Bitboard {
    let board = position.board();
    let (us, them) = (position.turn(), !position.turn());
    if facts.exchanges {
        own.captures.reserve(CAPTURES_CAPACITY);
    }
    let mut collector = Collector {
        cpu,
        board,
        us,
        occupied: board.occupied(),
        them: board.color(them),
        king: board.pieces(them, Role::King),
        more_valuable: more_valuable(board),
        defended: scanned.near[them as usize],
        wanted: facts,
        facts: own,
    };
    position.generate_inline(cpu, &mut collector);
    let mut en_prise = Bitboard::EMPTY;
    if own.captures.is_empty() {
        return en_prise;
    }
    let exchanges = Exchanges::new(cpu, position);
    for (mv, value) in &mut own.captures {
        *value = exchanges.value(*mv);
        if *value > 0 {
            en_prise |= Bitboard::of(mv.captured_square());
        }
    }
    en_prise
}

/// Returns, for each role, the pieces that are worth more than it. Kings are not included; they are
/// handled separately.
#[inline(always)]
fn more_valuable(board: &Board) -> [Bitboard; 6] {
    let queens = board.role(Role::Queen);
    let rooks = board.role(Role::Rook) | queens;
    let minors = board.role(Role::Knight) | board.role(Role::Bishop) | rooks;
    [minors, rooks, rooks, queens, Bitboard::EMPTY, Bitboard::EMPTY]
}

struct Collector<'a, C> {
    cpu: C,
    board: &'a Board,
    us: Color,
    occupied: Bitboard,
    them: Bitboard,
    king: Bitboard,
    more_valuable: [Bitboard; 6],
    /// The squares defended by the enemy's pawns, knights and king.
    defended: Bitboard,
    wanted: FactGroups,
    facts: &'a mut SideFacts,
}

impl<C: Cpu> MoveSink for Collector<'_, C> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) -> ControlFlow<()> {
        if self.wanted.exchanges {
            for to in to & self.them {
                self.facts.captures.push((Move::new(role, from, to, MoveKind::Normal), 0));
            }
        }
        if self.wanted.forks {
            for to in to {
                let occupied_after = (self.occupied - Bitboard::of(from)) | Bitboard::of(to);
                if self.is_fork(role, to, occupied_after, self.them - Bitboard::of(to)) {
                    self.facts.forks.push(Move::new(role, from, to, MoveKind::Normal));
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, step: i32, to: Bitboard, kind: MoveKind) -> ControlFlow<()> {
        for to in to {
            let from = Square::new((to.index() as i32 - step) as usize & 63);
            self.pawn(Move::new(Role::Pawn, from, to, kind));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) -> ControlFlow<()> {
        if mv.kind() == MoveKind::Castling {
            self.castling(mv);
        } else {
            self.pawn(mv);
        }
        ControlFlow::Continue(())
    }
}

impl<C: Cpu> Collector<'_, C> {
    fn pawn(&mut self, mv: Move) {
        let captured = Bitboard::of(mv.captured_square());
        if self.wanted.exchanges && captured.intersects(self.them) {
            self.facts.captures.push((mv, 0));
        }
        if self.wanted.forks {
            let occupied_after =
                (self.occupied - Bitboard::of(mv.from()) - captured) | Bitboard::of(mv.to());
            let role = mv.promotion().unwrap_or(Role::Pawn);
            if self.is_fork(role, mv.to(), occupied_after, self.them - captured) {
                self.facts.forks.push(mv);
            }
        }
    }

    fn castling(&mut self, mv: Move) {
        let Some(wing) = mv.castling() else { return };
        let (target, rook) = (wing.king_target(self.us), wing.rook_target(self.us));
        let gone = Bitboard::of(mv.from()) | Bitboard::of(mv.to());
        let occupied_after = (self.occupied - gone) | Bitboard::of(target) | Bitboard::of(rook);
        if self.wanted.forks && self.is_fork(Role::King, target, occupied_after, self.them) {
            self.facts.forks.push(mv);
        }
    }

    /// Returns whether a piece that has moved to `from` forks: it attacks two or more enemy pieces
    /// that are kings, worth more than it, or undefended. `them` is the set of enemy pieces
    /// after the move.
    #[inline(always)]
    fn is_fork(&self, role: Role, from: Square, occupied_after: Bitboard, them: Bitboard) -> bool {
        let piece = Piece { color: self.us, role };
        let targets = attacks(self.cpu, piece, from, occupied_after) & them;
        if !targets.more_than_one() {
            return false;
        }
        let strong = targets & (self.king | self.more_valuable[role as usize]);
        if strong.more_than_one() {
            return true;
        }
        let mut weak = targets - strong;
        if them == self.them {
            // Nothing was captured, so the enemy's defenders are all still there.
            weak -= self.defended;
            if !(strong | weak).more_than_one() {
                return false;
            }
        }
        let mut count = strong.len();
        for target in weak {
            count += usize::from(!self.is_defended(target, occupied_after, them));
            if count >= 2 {
                return true;
            }
        }
        false
    }

    /// Returns whether one of the pieces in `them` attacks `square`.
    #[inline(always)]
    fn is_defended(&self, square: Square, occupied_after: Bitboard, them: Bitboard) -> bool {
        let board = self.board;
        let queens = board.role(Role::Queen);
        let near = knight_attacks(square) & board.role(Role::Knight)
            | king_attacks(square) & board.role(Role::King)
            | pawn_attacks(self.us, square) & board.role(Role::Pawn);
        near.intersects(them)
            || rook_attacks(self.cpu, square, occupied_after)
                .intersects(them & (board.role(Role::Rook) | queens))
            || bishop_attacks(self.cpu, square, occupied_after)
                .intersects(them & (board.role(Role::Bishop) | queens))
    }
}
