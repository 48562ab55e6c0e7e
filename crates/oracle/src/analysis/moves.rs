//! Facts about moves: exchanges and forks.
//!
//! The side that is not to move gets the moves it would have after a null move. A side in check
//! cannot pass, so its opponent gets none.

use super::is_worth_more;
use crate::board::{Role, Square};
use crate::chess::Variant;
use crate::chess::board::Color;
use crate::chess::exchange;
use crate::chess::moves::Move;
use crate::chess::position::Position;

/// The moves of one side.
pub(super) struct Moves {
    variant: Variant,
    /// The position with that side to move.
    position: Position,
    moves: Vec<Move>,
    /// The captures with what each wins, in pawns.
    exchanges: Vec<(Move, i32)>,
}

impl Moves {
    pub(super) fn of(position: &Position, color: Color, variant: Variant) -> Moves {
        let mut position = position.clone();
        let mut moves = Vec::new();
        if position.turn == color {
            moves = position.legal_moves();
        } else if !position.is_check(position.turn) {
            position = position.after_null_move();
            moves = position.legal_moves();
        }
        let captures = moves.iter().filter(|mv| mv.captured.is_some());
        let exchanges = captures.map(|mv| (*mv, exchange::gain(&position, mv))).collect();
        Moves { variant, position, moves, exchanges }
    }

    /// Returns all captures with what each wins, in pawns, sorted.
    pub(super) fn exchanges(&self) -> Vec<(String, i32)> {
        let text = |(mv, wins): &(Move, i32)| (mv.uci(self.variant), *wins);
        let mut exchanges: Vec<(String, i32)> = self.exchanges.iter().map(text).collect();
        exchanges.sort();
        exchanges
    }

    /// Returns the pieces that this side can capture at a profit.
    pub(super) fn profitable(&self) -> Vec<Square> {
        let profitable = self.exchanges.iter().filter(|(_, wins)| *wins > 0);
        profitable.filter_map(|(mv, _)| mv.captured).map(|(square, _)| square).collect()
    }

    /// Returns the moves, sorted, after which the moved piece attacks at least two enemy pieces,
    /// each of which is the king, worth more than the moved piece, or undefended.
    pub(super) fn forks(&self) -> Vec<String> {
        let forks = self.moves.iter().filter(|mv| self.targets(mv) >= 2);
        let mut forks: Vec<String> = forks.map(|mv| mv.uci(self.variant)).collect();
        forks.sort();
        forks
    }

    fn targets(&self, mv: &Move) -> usize {
        let after = self.position.after(mv).board;
        let Some(moved) = after.at(mv.to) else {
            return 0;
        };
        let enemy = moved.owner.other();
        let counts = |square: &Square| {
            let target = after.at(*square).filter(|piece| piece.owner == enemy);
            target.is_some_and(|target| {
                target.role == Role::King
                    || is_worth_more(target.role, moved.role)
                    || !after.is_attacked(*square, enemy)
            })
        };
        after.attacks(mv.to).iter().filter(|square| counts(square)).count()
    }
}
