//! The main pass: computes the attacks of every piece once, and the facts that follow from them.

use fourfold_board::Square;
use fourfold_chess::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, rook_attacks, rook_rays,
};
use fourfold_chess::{Bitboard, Board, Color, Position, Role};
use fourfold_common::cpu::Cpu;

use crate::SideFacts;
use crate::attack_counts::Counts;

/// Intermediate results of the pass that later steps reuse.
pub(crate) struct ScanResult {
    /// The squares attacked by each side's pawns, knights and king. These attacks do not depend on
    /// other pieces.
    pub(crate) near: [Bitboard; 2],
    /// Whether the side to move is in check.
    pub(crate) check: bool,
}

/// The state of the pass over one side's pieces.
struct Pass<'a, C, const COUNTS: bool> {
    cpu: C,
    board: &'a Board,
    occupied: Bitboard,
    own: Bitboard,
    /// The enemy king's square and the squares around it.
    ring: Bitboard,
    counts: Counts,
    near: Bitboard,
    /// Enemy pieces skewered by this side's sliders.
    skewered: Bitboard,
    mobility: usize,
    on_ring: usize,
}

/// Fills in the facts that follow from the attacks of all pieces. Material, mobility
/// and the king ring are computed only if `COUNTS` is set.
#[inline(always)]
pub(crate) fn scan<C: Cpu, const COUNTS: bool>(
    cpu: C,
    position: &Position,
    sides: &mut [SideFacts; 2],
) -> ScanResult {
    let board = position.board();
    let kings = Color::ALL.map(|color| board.pieces(color, Role::King));
    let passes = Color::ALL.map(|color| {
        let king = kings[!color as usize].first().unwrap_or(Square::new(0));
        let mut pass = Pass::<C, COUNTS> {
            cpu,
            board,
            occupied: board.occupied(),
            own: board.color(color),
            ring: king_attacks(king) | Bitboard::of(king),
            counts: Counts::default(),
            near: Bitboard::EMPTY,
            skewered: Bitboard::EMPTY,
            mobility: 0,
            on_ring: 0,
        };
        pass.run(color);
        pass
    });
    for color in Color::ALL {
        let (own, enemy) = (&passes[color as usize], &passes[!color as usize]);
        let facts = &mut sides[color as usize];
        facts.pieces = own.own;
        facts.attacked = own.own & enemy.counts.any();
        facts.hanging = own.own & enemy.counts.above(&own.counts);
        facts.skewered = enemy.skewered;
        if COUNTS {
            facts.mobility = own.mobility as u32;
            facts.king_ring = enemy.on_ring as u32;
            facts.material = Role::ALL
                .into_iter()
                .map(|role| role.value() as u32 * (own.own & board.role(role)).len() as u32)
                .sum();
        }
        let pinned = pinned(board, color);
        facts.pinned_pawns = pinned & board.role(Role::Pawn);
        facts.pinned = pinned - board.role(Role::Pawn);
    }
    let turn = position.turn();
    ScanResult {
        near: passes.each_ref().map(|pass| pass.near),
        check: sides[turn as usize].attacked.intersects(kings[turn as usize]),
    }
}

impl<C: Cpu, const COUNTS: bool> Pass<'_, C, COUNTS> {
    #[inline(always)]
    fn run(&mut self, color: Color) {
        self.pawns(color);
        for from in self.own & self.board.role(Role::Knight) {
            self.count_near(knight_attacks(from));
        }
        for from in self.own & self.board.role(Role::King) {
            self.count_near(king_attacks(from));
        }
        let queens = self.board.role(Role::Queen);
        for from in self.own & (self.board.role(Role::Bishop) | queens) {
            let attacks = bishop_attacks(self.cpu, from, self.occupied);
            self.slides::<true>(from, attacks);
        }
        for from in self.own & (self.board.role(Role::Rook) | queens) {
            let attacks = rook_attacks(self.cpu, from, self.occupied);
            self.slides::<false>(from, attacks);
        }
    }

    /// Adds the attacks of all pawns at once, first toward the h-file and then toward the a-file.
    #[inline(always)]
    fn pawns(&mut self, color: Color) {
        let [pawns] = (self.own & self.board.role(Role::Pawn)).words();
        let (east, west) = (pawns & !(FILE_A << 7), pawns & !FILE_A);
        let (east, west) = match color {
            Color::White => (east << 9, west << 7),
            Color::Black => (east >> 7, west >> 9),
        };
        for attacks in [east, west] {
            self.count_near(Bitboard::from_words([attacks]));
        }
    }

    /// Adds attacks that do not depend on other pieces.
    #[inline(always)]
    fn count_near(&mut self, attacks: Bitboard) {
        self.near |= attacks;
        self.count(attacks);
    }

    #[inline(always)]
    fn count(&mut self, attacks: Bitboard) {
        self.counts.add(attacks);
        if COUNTS {
            self.mobility += (attacks - self.own).len();
            self.on_ring += (attacks & self.ring).len();
        }
    }

    /// Adds a slider's attacks along its diagonals (`DIAGONAL`) or its ranks and files, and the
    /// skewers on these lines. A queen is added once for each; the two sets of squares are
    /// disjoint.
    #[inline(always)]
    fn slides<const DIAGONAL: bool>(&mut self, from: Square, attacks: Bitboard) {
        self.count(attacks);
        let fronts = (attacks & self.occupied) - self.own - self.board.role(Role::Pawn);
        if fronts.is_empty() {
            return;
        }
        let without_fronts = self.occupied - fronts;
        let beyond = if DIAGONAL {
            bishop_attacks(self.cpu, from, without_fronts)
        } else {
            rook_attacks(self.cpu, from, without_fronts)
        };
        let behind = (beyond - attacks) & self.occupied & !self.own;
        for rear in behind {
            let front = between(from, rear) & fronts;
            if worth(self.board, front) >= worth(self.board, Bitboard::of(rear)) {
                self.skewered |= front;
            }
        }
    }
}

/// Returns the value of the only piece in the set `piece`. A king is worth more than anything else,
/// so a king in front of any piece counts as skewered.
#[inline(always)]
fn worth(board: &Board, piece: Bitboard) -> u32 {
    let is = |role: Role| piece.intersects(board.role(role));
    if is(Role::King) {
        100
    } else if is(Role::Queen) {
        9
    } else if is(Role::Rook) {
        5
    } else if is(Role::Pawn) {
        1
    } else {
        3
    }
}

/// Returns the pieces of a side that are the only piece between their king and an enemy slider.
#[inline(always)]
fn pinned(board: &Board, color: Color) -> Bitboard {
    let (own, them) = (board.color(color), board.color(!color));
    let Some(king) = (own & board.role(Role::King)).first() else { return Bitboard::EMPTY };
    let queens = board.role(Role::Queen);
    let snipers = rook_rays(king) & (board.role(Role::Rook) | queens)
        | bishop_rays(king) & (board.role(Role::Bishop) | queens);
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers & them {
        let blockers = between(king, sniper) & (own | them);
        if !blockers.more_than_one() {
            pinned |= blockers & own;
        }
    }
    pinned
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
