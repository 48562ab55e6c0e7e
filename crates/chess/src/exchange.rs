//! What a capture wins when both sides go on taking on its square.
//!
//! Nothing is played: men that have moved to the square or were taken there are left out of the set
//! of occupied squares, and whoever sees the square then may take next, if the own king allows it.
//! Mostly nothing is hidden behind the men that see the square and no king is exposed; then the
//! cheapest man takes first, and no choice has to be tried.

use fourfold_board::Square;
use fourfold_board::cpu::{self, Cpu, Work};

use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
    rook_rays,
};
use crate::side::{FIRST_RANKS, opposite};
use crate::{Bitboard, Board, Color, Move, MoveKind, Position, Role};

impl Position {
    /// What a legal move wins or loses, in pawns, if from then on both sides play only legal
    /// captures on its target square and stop when they like.
    ///
    /// ```
    /// use fourfold_chess::Position;
    /// // The rook takes a pawn that a pawn defends.
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
                self.0.exchange_on(cpu, self.1)
            }
        }

        cpu::enter(Exchange(self, mv))
    }

    /// The same, inside of work that has entered its CPU.
    #[inline(always)]
    pub fn exchange_on<C: Cpu>(&self, cpu: C, mv: Move) -> i32 {
        if mv.kind() == MoveKind::Castling {
            return 0;
        }
        let taken = self.captured(mv).map_or(0, Role::value);
        let promoted = mv.promotion().map_or(0, |role| role.value() - Role::Pawn.value());
        let target = mv.target();
        let mut occupied = (self.board.occupied() - Bitboard::of(mv.from())) | Bitboard::of(target);
        if mv.kind() == MoveKind::EnPassant {
            occupied -= Bitboard::of(opposite(mv.from(), target));
        }
        let fight = Fight::new(&self.board, cpu, target, occupied);
        let standing = mv.promotion().unwrap_or(mv.role());
        taken + promoted - fight.reply(!self.turn, occupied, standing)
    }
}

/// Men around a square on which everybody takes.
struct Fight<'a, C> {
    board: &'a Board,
    cpu: C,
    square: Square,
    /// Rooks and queens, and bishops and queens, but for one on the square.
    straight: Bitboard,
    oblique: Bitboard,
    /// Whether choices have to be tried.
    tricky: bool,
}

impl<'a, C: Cpu> Fight<'a, C> {
    #[inline(always)]
    fn new(board: &'a Board, cpu: C, square: Square, occupied: Bitboard) -> Self {
        let away = !Bitboard::of(square);
        let queens = board.role(Role::Queen);
        let straight = (board.role(Role::Rook) | queens) & away;
        let oblique = (board.role(Role::Bishop) | queens) & away;
        let mut fight = Fight { board, cpu, square, straight, oblique, tricky: false };
        let seeing = fight.seeing(occupied);
        fight.tricky = fight.hides_men(seeing, occupied)
            || fight.has_exposed_king(seeing, occupied)
            || Bitboard::of(square).meets(FIRST_RANKS) && seeing.meets(board.role(Role::Pawn));
        fight
    }

    /// The men of both sides that see the square.
    #[inline(always)]
    fn seeing(&self, occupied: Bitboard) -> Bitboard {
        let (board, square) = (self.board, self.square);
        let pawns = board.role(Role::Pawn);
        let mut seeing = knight_attacks(square) & board.role(Role::Knight)
            | king_attacks(square) & board.role(Role::King)
            | pawn_attacks(Color::White, square) & pawns & board.color(Color::Black)
            | pawn_attacks(Color::Black, square) & pawns & board.color(Color::White);
        if rook_rays(square).meets(self.straight) {
            seeing |= rook_attacks(self.cpu, square, occupied) & self.straight;
        }
        if bishop_rays(square).meets(self.oblique) {
            seeing |= bishop_attacks(self.cpu, square, occupied) & self.oblique;
        }
        seeing & occupied & !Bitboard::of(square)
    }

    /// Whether a slider would see the square if those that do were gone.
    #[inline(always)]
    fn hides_men(&self, seeing: Bitboard, occupied: Bitboard) -> bool {
        let left = occupied - seeing;
        let (straight, oblique) = (self.straight & left, self.oblique & left);
        rook_rays(self.square).meets(straight)
            && rook_attacks(self.cpu, self.square, left).meets(straight)
            || bishop_rays(self.square).meets(oblique)
                && bishop_attacks(self.cpu, self.square, left).meets(oblique)
    }

    /// Whether a king is in check, or could come to be when men leave who see the square.
    #[inline(always)]
    fn has_exposed_king(&self, seeing: Bitboard, occupied: Bitboard) -> bool {
        let left = occupied - seeing - Bitboard::of(self.square);
        Color::ALL.into_iter().any(|color| {
            let Some(king) = self.board.pieces(color, Role::King).first() else { return false };
            let them = self.board.color(!color) & occupied & !Bitboard::of(self.square);
            let leapers = knight_attacks(king) & self.board.role(Role::Knight)
                | pawn_attacks(color, king) & self.board.role(Role::Pawn);
            let snipers =
                (rook_rays(king) & self.straight | bishop_rays(king) & self.oblique) & them;
            leapers.meets(them) || snipers.iter().any(|sniper| !between(king, sniper).meets(left))
        })
    }

    /// What a side wins at most by taking a man of some kind on the square, or not; the other side may
    /// take back, or not.
    #[inline(always)]
    fn reply(&self, side: Color, occupied: Bitboard, standing: Role) -> i32 {
        if self.tricky {
            // Nobody can win more than a queen and a promotion at once.
            self.try_all(side, occupied, standing, 0, 100)
        } else {
            self.cheapest_first(side, occupied, standing)
        }
    }

    /// The exchange in which the cheapest man always takes.
    #[inline(always)]
    fn cheapest_first(&self, mut side: Color, occupied: Bitboard, mut standing: Role) -> i32 {
        let mut seeing = self.seeing(occupied);
        // What each capture takes; a king takes nothing that is still defended.
        let mut taken = [0; 32];
        let mut count = 0;
        loop {
            let own = seeing & self.board.color(side);
            let Some(role) = Role::ALL.into_iter().find(|&role| own.meets(self.board.role(role)))
            else {
                break;
            };
            if role == Role::King && seeing.meets(self.board.color(!side)) {
                break;
            }
            taken[count % 32] = standing.value();
            count += 1;
            let Some(from) = (own & self.board.role(role)).first() else { break };
            seeing -= Bitboard::of(from);
            standing = role;
            side = !side;
        }
        taken[..count.min(32)].iter().rev().fold(0, |reply, taken| (taken - reply).max(0))
    }

    /// The exchange in which everything legal is tried, as far as its value lies between two bounds.
    fn try_all(&self, side: Color, occupied: Bitboard, standing: Role, low: i32, high: i32) -> i32 {
        let mut best = low.max(0);
        let own = self.seeing(occupied) & self.board.color(side);
        let promotes = Bitboard::of(self.square).meets(FIRST_RANKS);
        for role in Role::ALL {
            for from in own & self.board.role(role) {
                if best >= high {
                    return best;
                }
                let left = occupied - Bitboard::of(from);
                if !self.is_legal(side, role, left) {
                    continue;
                }
                let becomes: &[Role] =
                    if promotes && role == Role::Pawn { &Role::PROMOTIONS } else { &[role] };
                for &new in becomes {
                    let gain = standing.value() + new.value() - role.value();
                    let reply = self.try_all(!side, left, new, gain - high, gain - best);
                    best = best.max(gain - reply);
                }
            }
        }
        best
    }

    /// Whether a side may take with a man of some kind, when `left` is what stays where it is.
    fn is_legal(&self, side: Color, role: Role, left: Bitboard) -> bool {
        if role == Role::King {
            return !self.seeing(left).meets(self.board.color(!side));
        }
        let Some(king) = self.board.pieces(side, Role::King).first() else { return true };
        let them = self.board.color(!side) & left & !Bitboard::of(self.square);
        let seeing = knight_attacks(king) & self.board.role(Role::Knight)
            | pawn_attacks(side, king) & self.board.role(Role::Pawn)
            | rook_attacks(self.cpu, king, left) & self.straight
            | bishop_attacks(self.cpu, king, left) & self.oblique;
        !seeing.meets(them)
    }
}
