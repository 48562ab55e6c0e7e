//! The effects of a ply.

use super::board::Piece;
use super::moves::Move;
use super::player::Player;
use super::position::{MAX_COUNTER, Position, corner};
use super::rules::{MateTiming, Mode, Rules};
use crate::board::Role;

/// How a player withdraws from a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Withdrawal {
    Resigned,
    Flagged,
}

impl Position {
    /// Returns the position after a move and all of its consequences except draws.
    pub(super) fn play(&self, mv: &Move, rules: &Rules) -> Position {
        let mut next = self.after(mv, rules);
        if self.is_alive(mv.player) && rules.mode == Mode::FreeForAll {
            next.reward_checks(self, mv, rules);
            if rules.mate_timing == MateTiming::Immediate {
                next.eliminate_mated(mv.player, rules);
            }
        }
        next.turn = mv.player.next();
        next.settle(rules);
        next.award_kings(rules);
        next
    }

    /// Returns the position after a living player withdraws, with all consequences except draws.
    pub(super) fn withdraw(&self, player: Player, how: Withdrawal, rules: &Rules) -> Position {
        let mut next = self.clone();
        next.eliminate(player);
        match how {
            Withdrawal::Resigned => next.resigned.insert(player),
            Withdrawal::Flagged => next.flagged.insert(player),
        };
        if next.turn == player {
            next.turn = player.next();
        }
        next.settle(rules);
        next.award_kings(rules);
        next
    }

    /// Returns the position after the pieces have moved and the captures are scored. The turn has
    /// not advanced, and the mover's own king may be in check.
    pub(super) fn after(&self, mv: &Move, rules: &Rules) -> Position {
        let mut next = self.clone();
        next.lose_rights(mv);
        next.move_pieces(mv);

        next.en_passant.remove(&mv.player);
        next.en_passant.retain(|_, pawn| !mv.captured.contains(&pawn.pawn));
        if let Some(pawn) = mv.en_passant() {
            next.en_passant.insert(mv.player, pawn);
        }

        let resets = mv.role == Role::Pawn || !mv.captured.is_empty();
        next.clock = if resets { 0 } else { (self.clock + 1).min(MAX_COUNTER) };

        let victims = mv.captured.iter().filter_map(|square| self.board.at(*square));
        for victim in victims {
            if rules.mode == Mode::FreeForAll {
                next.add_points(mv.player, self.value(victim, rules));
            }
            if let Piece { owner: Some(owner), role: Role::King } = victim {
                next.eliminate(owner);
            }
        }
        next
    }

    fn move_pieces(&mut self, mv: &Move) {
        self.board.remove(mv.from);
        for square in &mv.captured {
            self.board.remove(*square);
        }
        self.board.put(mv.to, mv.player, mv.promotion.unwrap_or(mv.role));
        if let Some((from, to)) = mv.rook {
            self.board.remove(from);
            self.board.put(to, mv.player, Role::Rook);
        }
    }

    /// A castling right is lost when its king or rook moves, or its rook is captured.
    fn lose_rights(&mut self, mv: &Move) {
        let board = self.board;
        self.rights.retain(|(player, wing)| {
            let king = board.king(*player);
            let rook = king.and_then(|king| corner(*player, king, *wing));
            let touched = |square| Some(square) == king || Some(square) == rook;
            !touched(mv.from) && !mv.captured.iter().any(|square| touched(*square))
        });
    }

    /// Awards points for checking two or three kings that the mover did not attack before.
    fn reward_checks(&mut self, before: &Position, mv: &Move, rules: &Rules) {
        let checks = |position: &Position, king_of: Player| {
            position.checkers(king_of, rules).contains(&mv.player)
        };
        let new = self
            .opponents(mv.player, rules)
            .into_iter()
            .filter(|other| checks(self, *other) && !checks(before, *other))
            .count();
        let by_queen = matches!(mv.role, Role::Queen | Role::OnePointQueen);
        let table = if by_queen { rules.points.checks_by_queen } else { rules.points.checks };
        if let Some(points) = new.checked_sub(2).and_then(|more| table.get(more)) {
            self.add_points(mv.player, *points);
        }
    }

    /// Eliminates every player who is in check without a legal move after the mover's ply.
    fn eliminate_mated(&mut self, mover: Player, rules: &Rules) {
        for player in mover.others() {
            let mated = self.is_alive(player)
                && self.is_check(player, rules)
                && self.legal_moves(player, rules).is_empty();
            if mated {
                self.eliminate(player);
                self.add_points(mover, rules.points.mate);
            }
        }
    }

    /// Advances the turn to a player who can move, or until the game is over.
    pub(super) fn settle(&mut self, rules: &Rules) {
        match rules.mode {
            Mode::FreeForAll => self.settle_free_for_all(rules),
            Mode::Teams => self.settle_teams(rules),
        }
    }

    /// Gives the last survivor, if only one is left now, the points of the kings whose owners have
    /// withdrawn. The game must not have been over before.
    pub(super) fn award_kings(&mut self, rules: &Rules) {
        let survivors: Vec<Player> = self.alive.iter().copied().collect();
        let [survivor] = survivors[..] else { return };
        if !rules.award_kings || rules.mode == Mode::Teams {
            return;
        }
        for other in survivor.others() {
            if self.has_withdrawn(other) && self.board.king(other).is_some() {
                self.add_points(survivor, rules.points.captures[Role::King as usize]);
            }
        }
    }

    fn settle_free_for_all(&mut self, rules: &Rules) {
        while self.alive.len() > 1 {
            let player = self.turn;
            let is_alive = self.is_alive(player);
            let waits = is_alive && rules.mate_timing == MateTiming::Off;
            if waits || !self.legal_moves(player, rules).is_empty() {
                return;
            }
            if is_alive {
                self.eliminate_stuck(player, rules);
            }
            self.turn = self.turn.next();
        }
        self.turn = *self.alive.first().expect("one player is left");
    }

    /// Eliminates the player to move, who has no legal move. The points for a mate go to the
    /// checking player who moved last, those for a stalemate to the stalemated player.
    fn eliminate_stuck(&mut self, player: Player, rules: &Rules) {
        let checkers = self.checkers(player, rules);
        let last_to_move = player.others().into_iter().rev().find(|other| checkers.contains(other));
        match last_to_move {
            Some(mating) => self.add_points(mating, rules.points.mate),
            None => self.add_points(player, rules.points.stalemate),
        }
        self.eliminate(player);
    }

    /// An elimination ends the game, and so does a player to move without a legal move: a mated
    /// player is eliminated, a stalemated one is not.
    fn settle_teams(&mut self, rules: &Rules) {
        let all_live = self.alive.len() == Player::ALL.len();
        let stuck = all_live && self.legal_moves(self.turn, rules).is_empty();
        if stuck && self.is_check(self.turn, rules) {
            self.eliminate(self.turn);
        }
        while !self.is_alive(self.turn) {
            self.turn = self.turn.next();
        }
    }
}
