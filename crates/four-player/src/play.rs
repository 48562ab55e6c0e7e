//! Plays moves: the pieces they move, and the points they score. Eliminations and the end of the
//! game are in `ending`.

use alloc::string::{String, ToString};

use fourfold_common::ensure;
use thiserror::Error;

use crate::army::ARMIES;
use crate::lines::walk;
use crate::pieces::{Code, EMPTY, UNOWNED, cell, code};
use crate::position::{NONE, State};
use crate::{Ending, MateTiming, Mode, Move, MoveKind, Player, Players, Position, Role, zobrist};

/// The upper limit of the clock and of points, out of reach in real games.
pub(crate) const MAX_COUNTER: u16 = 9999;

/// The data needed to unmake a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undo {
    state: State,
    mv: Move,
    /// What was on the target square.
    captured: Code,
    /// The square of a pawn captured en passant, and its code.
    captured_pawn: (u8, Code),
}

impl Position {
    /// Plays a ply with all its consequences: points, eliminations, the next turn and draws.
    /// Repetition needs a [`History`](crate::History); see
    /// [`History::play`](crate::History::play).
    ///
    /// # Errors
    /// Returns an error, and leaves the position unchanged, if the move is not legal.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMoveError> {
        self.require_legal(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    /// Returns an error if a move is not legal.
    pub(crate) fn require_legal(&self, mv: Move) -> Result<(), IllegalMoveError> {
        ensure!(self.is_legal(mv), IllegalMoveError { mv: mv.to_string(), fen4: self.fen4() });
        Ok(())
    }

    /// Plays a ply without checking that the move is legal.
    ///
    /// An illegal move panics in debug builds. In release builds it leaves an incorrect position
    /// behind, but never causes undefined behavior.
    #[inline(always)]
    pub fn play_unchecked(&mut self, mv: Move) {
        self.play_with(mv, |_| 0);
    }

    /// Plays a ply without checking that the move is legal. `occurrences` returns how often the new
    /// position has occurred in the game, including this time.
    #[inline(always)]
    pub fn play_with(&mut self, mv: Move, occurrences: impl FnOnce(&Position) -> usize) {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        self.begin(mv);
        if !self.has_legal_move() {
            self.eliminate_stuck();
        }
        if self.ending().is_none() {
            self.end_if_drawn(occurrences);
        }
    }

    /// Plays the part of a ply that does not depend on whether the next player has a legal move. The
    /// caller must then go on like [`Position::play_with`].
    #[inline(always)]
    pub fn begin(&mut self, mv: Move) {
        let us = self.turn();
        let alive = self.alive().contains(us);
        let free_for_all = self.rules().mode == Mode::FreeForAll;
        let queen = self
            .piece_at(mv.from())
            .is_some_and(|piece| matches!(piece.role, Role::Queen | Role::OnePointQueen));
        let undo = self.advance(mv);
        if free_for_all && alive {
            let checked = self.checked_by(us);
            if checked.len() >= 2 {
                self.score_checks(undo, checked, queen);
            }
            if self.rules().mate_timing == MateTiming::Immediate {
                self.eliminate_mated(us);
            }
        }
    }

    /// Returns the position after a ply without checking that the move is legal.
    pub fn after(&self, mv: Move) -> Position {
        let mut after = *self;
        after.play_unchecked(mv);
        after
    }

    /// Awards points for checking several kings at once. Only kings that the player did not check
    /// before the move count.
    #[cold]
    #[inline(never)]
    fn score_checks(&mut self, undo: Undo, now: Players, queen: bool) {
        let us = undo.state.turn();
        // Making the move again is cheaper than a copy of the position, which is slow on a GPU.
        self.unmake(undo);
        let before = self.checked_by(us);
        self.advance(undo.mv);
        let new = Players::from_bits(now.bits() & !before.bits());
        let points = self.rules().points;
        let column = usize::from(!queen);
        let reward = match new.len() {
            0 | 1 => 0,
            2 => points.double_check[column],
            _ => points.triple_check[column],
        };
        self.score(us, u16::from(reward));
    }

    /// Plays a move with its direct effects: captures and their points, the elimination of a
    /// captured king's owner, castling rights, en passant squares, the clock and the turn. Does not
    /// check whether the next player has a legal move.
    #[inline(always)]
    pub(crate) fn advance(&mut self, mv: Move) -> Undo {
        let state = self.state;
        let us = state.turn();
        let moved = self.pieces.at(mv.from);
        let captured = self.pieces.at(mv.to);
        let placed = if mv.promotion == 0 { moved } else { 8 * us as u8 + mv.promotion };
        let mut captured_pawn = (NONE, EMPTY);

        self.pieces.remove(mv.from, moved);
        self.state.key ^= zobrist::piece(moved, mv.from) ^ zobrist::piece(placed, mv.to);
        let quiet = moved & 7 != Role::Pawn as u8 && captured == EMPTY;
        self.state.clock = if quiet { (state.clock + 1).min(MAX_COUNTER) } else { 0 };
        if self.state.en_passant[us as usize] != NONE {
            self.set_en_passant(us, NONE);
        }
        if captured == EMPTY {
            self.pieces.put(mv.to, placed);
        } else {
            self.pieces.replace(mv.to, captured, placed);
            self.on_capture(us, mv.to, captured);
        }

        match mv.kind {
            MoveKind::Normal => {}
            MoveKind::DoubleStep => self.set_en_passant(us, mv.from.midpoint(mv.to)),
            MoveKind::EnPassant => {
                if let Some((pawn, owner)) = state.en_passant_victim(mv) {
                    captured_pawn = (pawn, code(owner, Role::Pawn));
                    self.pieces.remove(pawn, captured_pawn.1);
                    self.on_capture(us, pawn, captured_pawn.1);
                }
            }
            MoveKind::Castling => {
                let (from, to) = rook_squares(us, mv);
                let rook = code(us, Role::Rook);
                self.pieces.remove(from, rook);
                self.pieces.put(to, rook);
                self.state.key ^= zobrist::piece(rook, from) ^ zobrist::piece(rook, to);
            }
        }

        let mut rights = RIGHTS_LOST[mv.from as usize] | RIGHTS_LOST[mv.to as usize];
        if moved & 7 == Role::King as u8 {
            self.state.kings[us as usize] = mv.to;
            rights |= 3 << (2 * us as u8);
        }
        self.drop_rights(rights);
        self.pass_turn();
        Undo { state, mv, captured, captured_pawn }
    }

    /// Unmakes the latest move.
    #[inline(always)]
    fn unmake(&mut self, undo: Undo) {
        let Undo { state, mv, captured, captured_pawn } = undo;
        let us = state.turn();
        let placed = self.pieces.at(mv.to);
        let moved = if mv.promotion == 0 { placed } else { code(us, Role::Pawn) };
        if captured == EMPTY {
            self.pieces.remove(mv.to, placed);
        } else {
            self.pieces.replace(mv.to, placed, captured);
        }
        self.pieces.put(mv.from, moved);
        match mv.kind {
            MoveKind::Normal | MoveKind::DoubleStep => {}
            MoveKind::EnPassant => self.pieces.put(captured_pawn.0, captured_pawn.1),
            MoveKind::Castling => {
                let (from, to) = rook_squares(us, mv);
                let rook = code(us, Role::Rook);
                self.pieces.remove(to, rook);
                self.pieces.put(from, rook);
            }
        }
        self.state = state;
    }

    /// Sets or clears the en passant square of a player.
    #[inline(always)]
    fn set_en_passant(&mut self, player: Player, skipped: u8) {
        let square = &mut self.state.en_passant[player as usize];
        self.state.key ^= zobrist::en_passant(*square) ^ zobrist::en_passant(skipped);
        *square = skipped;
    }

    #[inline(always)]
    fn drop_rights(&mut self, rights: u8) {
        let lost = self.state.castling & rights;
        if lost != 0 {
            self.state.key ^= zobrist::castling(lost);
            self.state.castling ^= lost;
        }
    }

    /// Updates the state after `us` has captured a piece on a square.
    #[inline(always)]
    fn on_capture(&mut self, us: Player, at: u8, piece: Code) {
        self.state.key ^= zobrist::piece(piece, at);
        if piece >> 3 == UNOWNED {
            return;
        }
        let owner = Player::from_index(piece >> 3);
        let role = Role::ALL[(piece & 7) as usize - 1];
        let alive = self.state.alive.contains(owner);
        let withdrawn = self.state.resigned.or(self.state.flagged).contains(owner);
        if alive || withdrawn && role == Role::King {
            self.score(us, self.value(role));
        }
        if role == Role::Pawn {
            let skipped = self.state.en_passant[owner as usize];
            if skipped != NONE && walk(skipped, ARMIES[owner as usize].forward, 1) == at {
                self.set_en_passant(owner, NONE);
            }
        }
        if role == Role::King {
            self.state.kings[owner as usize] = NONE;
            if alive {
                self.eliminate(owner);
                match self.rules().mode {
                    Mode::Teams => self.state.end(Ending::KingCaptured),
                    Mode::FreeForAll => self.end_if_last_survivor(),
                }
            }
        }
    }

    /// Adds points, in free-for-all only.
    pub(crate) fn score(&mut self, player: Player, points: u16) {
        if self.rules().mode == Mode::FreeForAll {
            let sum = &mut self.state.points[player as usize];
            *sum = (*sum + points).min(MAX_COUNTER);
        }
    }

    /// Eliminates a player, whose pieces turn gray.
    #[cold]
    #[inline(never)]
    pub(crate) fn eliminate(&mut self, player: Player) {
        self.state.key ^= zobrist::alive(self.state.alive);
        self.state.alive = self.state.alive.without(player);
        self.state.key ^= zobrist::alive(self.state.alive);
        self.set_en_passant(player, NONE);
        self.drop_rights(3 << (2 * player as u8));
    }

    /// Returns the position as if it were this player's turn, to find out what the player could do.
    /// Returns `None` if the player is eliminated or the game is over. The player may have no legal
    /// move.
    pub fn with_turn(&self, player: Player) -> Option<Position> {
        if !self.alive().contains(player) || self.ending().is_some() {
            return None;
        }
        let mut position = *self;
        position.set_turn(player);
        Some(position)
    }

    /// Passes the turn to the next player who is alive or whose king walks.
    #[inline(always)]
    pub(crate) fn pass_turn(&mut self) {
        let movers = self.movers();
        let mut next = self.state.turn().next();
        while !movers.contains(next) {
            next = next.next();
        }
        self.set_turn(next);
    }

    #[inline(always)]
    pub(crate) fn set_turn(&mut self, player: Player) {
        self.state.key ^= zobrist::turn(self.state.turn()) ^ zobrist::turn(player);
        self.state.set_turn(player);
    }
}

/// The error returned when a move is not legal in the position it is played in.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{mv} is not legal in {fen4}")]
#[non_exhaustive]
pub struct IllegalMoveError {
    /// The move.
    pub mv: String,
    /// The position, as a FEN4.
    pub fen4: String,
}

/// Returns the squares that the rook leaves and reaches when the king castles.
#[inline(always)]
fn rook_squares(us: Player, mv: Move) -> (u8, u8) {
    let corner = usize::from(mv.to > mv.from);
    (cell(ARMIES[us as usize].corners[corner]), mv.from.midpoint(mv.to))
}

/// The castling rights that are lost when a piece moves from or to a square.
static RIGHTS_LOST: [u8; 256] = {
    let mut table = [0; 256];
    let mut player = 0;
    while player < 4 {
        let mut corner = 0;
        while corner < 2 {
            let square = ARMIES[player].corners[corner];
            table[square.index()] = 1 << (2 * player + corner);
            corner += 1;
        }
        player += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use crate::{Position, Rules, StartPosition, random_walk};

    #[test]
    fn unmaking_a_move_restores_the_position() {
        let rules = ["", "teams", "immediate", "forbid-king-capture", "legacy-points quiet=60"];
        for game in 0..40 {
            let rules = Rules::parse(rules[game % 5]).expect("words of rules");
            let start = Position::start(StartPosition::ALL[game / 5 % 5], rules);
            let positions = random_walk(start, 1 + game as u64).take(600);
            for position in positions.skip(game % 4).step_by(4) {
                let mut copy = position;
                for &mv in &position.legal_moves() {
                    let undo = copy.advance(mv);
                    copy.unmake(undo);
                    assert_eq!(copy, position, "{mv} in {position}");
                }
            }
        }
    }
}
