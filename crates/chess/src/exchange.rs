//! Static exchange evaluation: what a capture gains if both sides keep capturing on its square.
//!
//! No moves are played. Pieces that have moved to the square or were captured there are removed
//! from the set of occupied squares, and any piece that attacks the square then may capture next,
//! if that leaves its own king safe. Usually no slider is hidden behind the attackers and no king
//! can be exposed. Then the least valuable attacker always captures first, and nothing has to be
//! searched.

use fourfold_board::Square;
use fourfold_common::cpu::{self, Cpu, Work};

use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
    rook_rays,
};
use crate::side::FIRST_RANKS;
use crate::{Bitboard, Board, Color, Move, MoveKind, Position, Role};

impl Position {
    /// Returns what a legal move gains or loses, in pawns, if both sides then play only legal
    /// captures on its target square and may stop at any time.
    ///
    /// ```
    /// use fourfold_chess::Position;
    /// // The rook captures a pawn that is defended by a pawn.
    /// let position = Position::from_fen("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1")?;
    /// assert_eq!(position.exchange(position.parse_uci("d1d5")?), 1 - 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exchange(&self, mv: Move) -> i32 {
        struct Exchange<'a>(&'a Position, Move);

        impl Work for Exchange<'_> {
            type Output = i32;

            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> i32 {
                Exchanges::new(cpu, self.0).value(self.1)
            }
        }

        cpu::dispatch(Exchange(self, mv))
    }
}

/// Evaluates the exchanges of one position. What they share is computed only once.
#[derive(Debug)]
pub struct Exchanges<'a, C> {
    position: &'a Position,
    cpu: C,
    /// Rooks and queens of both sides (`orthogonal`), and bishops and queens (`diagonal`).
    orthogonal: Bitboard,
    diagonal: Bitboard,
    kings: [KingAttackers; 2],
}

/// A king, and the enemy pieces that give check or might do so.
#[derive(Debug)]
struct KingAttackers {
    king: Square,
    /// Enemy knights and pawns that give check.
    leapers: Bitboard,
    /// Enemy sliders aligned with the king, regardless of the pieces in between.
    snipers: Bitboard,
}

impl<'a, C: Cpu> Exchanges<'a, C> {
    /// Prepares the exchanges of a position. Callers inside [`Work::run`] pass their `cpu`.
    #[inline(always)]
    pub fn new(cpu: C, position: &'a Position) -> Self {
        let board = &position.board;
        let queens = board.role(Role::Queen);
        let orthogonal = board.role(Role::Rook) | queens;
        let diagonal = board.role(Role::Bishop) | queens;
        let kings = Color::ALL.map(|color| {
            let king = position.king(color);
            let them = board.color(!color);
            let leapers = knight_attacks(king) & board.role(Role::Knight)
                | pawn_attacks(color, king) & board.role(Role::Pawn);
            let snipers = rook_rays(king) & orthogonal | bishop_rays(king) & diagonal;
            KingAttackers { king, leapers: leapers & them, snipers: snipers & them }
        });
        Exchanges { position, cpu, orthogonal, diagonal, kings }
    }

    /// Returns what a legal move gains or loses; see [`Position::exchange`].
    #[inline(always)]
    pub fn value(&self, mv: Move) -> i32 {
        if mv.kind() == MoveKind::Castling {
            return 0;
        }
        let position = self.position;
        let captured = position.captured(mv).map_or(0, Role::value);
        let promoted = mv.promotion().map_or(0, |role| role.value() - Role::Pawn.value());
        let target = mv.target();
        let all = position.board.occupied();
        let mut occupied = (all - Bitboard::of(mv.from())) | Bitboard::of(target);
        if mv.kind() == MoveKind::EnPassant {
            occupied -= Bitboard::of(mv.captured_square());
        }
        let target_role = mv.promotion().unwrap_or(mv.role());
        let exchange = Exchange { all: self, board: &position.board, square: target };
        captured + promoted - exchange.reply(!position.turn(), occupied, target_role)
    }
}

/// An exchange on one square.
struct Exchange<'a, C> {
    all: &'a Exchanges<'a, C>,
    board: &'a Board,
    square: Square,
}

impl<C: Cpu> Exchange<'_, C> {
    /// Returns the pieces of both sides that attack the square.
    #[inline(always)]
    fn attackers(&self, occupied: Bitboard) -> Bitboard {
        let (board, square) = (self.board, self.square);
        let pawns = board.role(Role::Pawn);
        let mut attackers = knight_attacks(square) & board.role(Role::Knight)
            | king_attacks(square) & board.role(Role::King)
            | pawn_attacks(Color::White, square) & pawns & board.color(Color::Black)
            | pawn_attacks(Color::Black, square) & pawns & board.color(Color::White);
        if rook_rays(square).intersects(self.all.orthogonal) {
            attackers |= rook_attacks(self.all.cpu, square, occupied) & self.all.orthogonal;
        }
        if bishop_rays(square).intersects(self.all.diagonal) {
            attackers |= bishop_attacks(self.all.cpu, square, occupied) & self.all.diagonal;
        }
        attackers & occupied & !Bitboard::of(square)
    }

    /// Returns whether another slider would attack the square if the pieces in `attackers` were gone.
    #[inline(always)]
    fn has_hidden_sliders(&self, attackers: Bitboard, occupied: Bitboard) -> bool {
        let occupied_after = occupied - attackers;
        let others = occupied_after & !Bitboard::of(self.square);
        let (orthogonal, diagonal) = (self.all.orthogonal & others, self.all.diagonal & others);
        rook_rays(self.square).intersects(orthogonal)
            && rook_attacks(self.all.cpu, self.square, occupied_after).intersects(orthogonal)
            || bishop_rays(self.square).intersects(diagonal)
                && bishop_attacks(self.all.cpu, self.square, occupied_after).intersects(diagonal)
    }

    /// Returns whether a king is in check, or might be once pieces in `attackers` have left their
    /// squares.
    #[inline(always)]
    fn has_exposed_king(&self, attackers: Bitboard, occupied: Bitboard) -> bool {
        let others = occupied & !Bitboard::of(self.square);
        let occupied_after = others - attackers;
        self.all.kings.iter().any(|&KingAttackers { king, leapers, snipers }| {
            leapers.intersects(others)
                || (snipers & others)
                    .iter()
                    .any(|sniper| !between(king, sniper).intersects(occupied_after))
        })
    }

    /// Returns the most that `side` can gain by capturing the piece of role `target_role` on the
    /// square, or 0 if it is better not to. The other side may recapture or stop.
    #[inline(always)]
    fn reply(&self, side: Color, occupied: Bitboard, target_role: Role) -> i32 {
        let attackers = self.attackers(occupied);
        if !attackers.intersects(self.board.color(side)) {
            return 0;
        }
        let needs_search = self.has_hidden_sliders(attackers, occupied)
            || self.has_exposed_king(attackers, occupied)
            || Bitboard::of(self.square).intersects(FIRST_RANKS)
                && attackers.intersects(self.board.role(Role::Pawn));
        if needs_search {
            // A capture gains at most a queen and a promotion, so no value exceeds 100.
            self.search(side, occupied, target_role, 0, 100)
        } else {
            self.least_valuable_first(side, attackers, target_role)
        }
    }

    /// Evaluates the exchange in which the least valuable attacker always captures.
    #[inline(always)]
    fn least_valuable_first(
        &self,
        mut side: Color,
        mut attackers: Bitboard,
        mut target_role: Role,
    ) -> i32 {
        // The value that each capture wins. A king cannot capture a piece that is still defended.
        let mut captured = [0; 32];
        let mut count = 0;
        loop {
            let ours = attackers & self.board.color(side);
            let Some(role) =
                Role::ALL.into_iter().find(|&role| ours.intersects(self.board.role(role)))
            else {
                break;
            };
            if role == Role::King && attackers.intersects(self.board.color(!side)) {
                break;
            }
            captured[count % 32] = target_role.value();
            count += 1;
            let Some(from) = (ours & self.board.role(role)).first() else { break };
            attackers -= Bitboard::of(from);
            target_role = role;
            side = !side;
        }
        captured[..count.min(32)].iter().rev().fold(0, |reply, captured| (captured - reply).max(0))
    }

    /// Evaluates the exchange by searching all legal captures, with `low` and `high` as the
    /// alpha-beta window.
    fn search(
        &self,
        side: Color,
        occupied: Bitboard,
        target_role: Role,
        low: i32,
        high: i32,
    ) -> i32 {
        let mut best = low.max(0);
        let ours = self.attackers(occupied) & self.board.color(side);
        let promotes = Bitboard::of(self.square).intersects(FIRST_RANKS);
        for role in Role::ALL {
            for from in ours & self.board.role(role) {
                if best >= high {
                    return best;
                }
                let occupied_after = occupied - Bitboard::of(from);
                if !self.is_legal(side, role, occupied_after) {
                    continue;
                }
                let becomes: &[Role] =
                    if promotes && role == Role::Pawn { &Role::PROMOTIONS } else { &[role] };
                for &new in becomes {
                    let gain = target_role.value() + new.value() - role.value();
                    let reply = self.search(!side, occupied_after, new, gain - high, gain - best);
                    best = best.max(gain - reply);
                }
            }
        }
        best
    }

    /// Returns whether `side` may capture with a piece of this role. `occupied_after` is the
    /// set of occupied squares once that piece has left its own.
    fn is_legal(&self, side: Color, role: Role, occupied_after: Bitboard) -> bool {
        if role == Role::King {
            return !self.attackers(occupied_after).intersects(self.board.color(!side));
        }
        let king = self.all.kings[side as usize].king;
        let them = self.board.color(!side) & occupied_after & !Bitboard::of(self.square);
        let attackers = knight_attacks(king) & self.board.role(Role::Knight)
            | pawn_attacks(side, king) & self.board.role(Role::Pawn)
            | rook_attacks(self.all.cpu, king, occupied_after) & self.all.orthogonal
            | bishop_attacks(self.all.cpu, king, occupied_after) & self.all.diagonal;
        !attackers.intersects(them)
    }
}
