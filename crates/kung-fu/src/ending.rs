//! How games end: by the capture of kings, resignation and draws.

use fourfold_common::ensure;
use thiserror::Error;

use crate::game::bit_indices;
use crate::piece::Status;
use crate::{EliminatedPieces, Event, EventKind, Events, Game, PieceId, Player, Players, Role};

/// The outcome of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The winner, or the winning team including its eliminated players.
    Win(Players),
    /// Nobody won.
    Draw,
}

impl Game {
    /// Makes a player resign: the king is removed from the board. Orders are refused until the next
    /// tick.
    ///
    /// # Errors
    /// Returns an error if the player cannot resign; the game is then unchanged.
    pub fn resign(
        &mut self,
        player: Player,
        events: &mut impl Events,
    ) -> Result<(), ResignRefusal> {
        ensure!(self.outcome().is_none(), ResignRefusal::GameOver);
        ensure!(self.rules().players.contains(player), ResignRefusal::NotPlaying);
        ensure!(!self.eliminated.contains(player), ResignRefusal::Eliminated);
        self.set_closed(true);
        let king = self.pieces().position(|piece| {
            piece.player == player && piece.role() == Role::King && piece.is_alive()
        });
        if let Some(king) = king {
            let returned = self.remove(king);
            self.report(events, EventKind::Removed { piece: PieceId(king as u8) });
            if let Some(rook) = returned {
                self.report_return(rook, events);
                self.return_rook(rook, events);
            }
        }
        self.eliminate(Players::NONE.with(player), events);
        self.look_ahead();
        Ok(())
    }

    /// Ends the game in a draw by agreement. All players who are neither eliminated nor bots must
    /// agree.
    ///
    /// # Errors
    /// Returns an error if the draw is refused; the game is then unchanged.
    pub fn agree_on_draw(
        &mut self,
        players: &[Player],
        events: &mut impl Events,
    ) -> Result<(), DrawRefusal> {
        ensure!(self.outcome().is_none(), DrawRefusal::GameOver);
        let mut agreed = Players::NONE;
        for &player in players {
            ensure!(self.rules().players.contains(player), DrawRefusal::NotPlaying);
            ensure!(!self.eliminated.contains(player), DrawRefusal::Eliminated);
            agreed = agreed.with(player);
        }
        let asked = self.alive().without(self.rules().bots);
        ensure!(!agreed.is_empty() && asked.without(agreed).is_empty(), DrawRefusal::NotAllAgree);
        self.set_closed(true);
        self.end(Outcome::Draw, events);
        Ok(())
    }

    /// Eliminates players who have lost their kings, and ends the game if that decides it.
    pub(crate) fn eliminate(&mut self, players: Players, events: &mut impl Events) {
        self.eliminated = Players::from_bits(self.eliminated.bits() | players.bits());
        let alive = self.alive();
        let outcome = match alive.iter().next() {
            None => Some(Outcome::Draw),
            Some(first) => {
                let team = self.rules().team(first);
                let won = alive.without(team).is_empty();
                won.then(|| Outcome::Win(team.and(self.rules().players)))
            }
        };
        if outcome.is_none() && self.rules().eliminated == EliminatedPieces::Remove {
            for index in 0..self.count {
                let piece = &self.pieces[index as usize];
                if players.contains(piece.player) && piece.is_alive() {
                    self.remove(index as usize);
                    self.report(events, EventKind::Removed { piece: PieceId(index) });
                }
            }
        }
        if let Some(outcome) = outcome {
            self.end(outcome, events);
        }
    }

    pub(crate) fn end(&mut self, outcome: Outcome, events: &mut impl Events) {
        self.set_outcome(Some(outcome));
        self.next_event = u64::MAX;
        self.report(events, EventKind::Over(outcome));
    }

    /// Returns the first tick on which the game is drawn by the time limits.
    pub(crate) fn draw_tick(&self) -> u64 {
        let speed = &self.rules().speed;
        let no_move = self.last_order + u64::from(speed.no_move);
        let no_capture = self.last_capture + u64::from(speed.no_capture);
        no_move.max(no_capture).max(u64::from(speed.no_draw_before))
    }

    #[inline]
    pub(crate) fn report(&self, events: &mut impl Events, kind: EventKind) {
        events.push(Event { tick: self.tick, kind });
    }

    /// Removes a piece, on the board or in flight. If it is a king that is castling, its rook's
    /// flight is canceled and the rook is returned; the caller must report that and put it back
    /// with [`Game::return_rook`].
    pub(crate) fn remove(&mut self, index: usize) -> Option<usize> {
        let piece = self.pieces[index];
        let bit = 1 << index;
        if self.flying & bit == 0 {
            self.standing[piece.at.0 as usize] = crate::game::NO_PIECE;
        }
        self.flying &= !bit;
        self.resting &= !bit;
        self.pieces[index].set_status(Status::Gone);
        if piece.role() != Role::King {
            return None;
        }
        let rook = self.castling_rook(index)?;
        self.flying &= !(1 << rook);
        self.pieces[rook].set_moved(false);
        self.pieces[rook].set_status(Status::Standing);
        Some(rook)
    }

    /// Returns the rook that is castling with a king.
    pub(crate) fn castling_rook(&self, king: usize) -> Option<usize> {
        let castles_with = |status: Status| matches!(status, Status::Moving { king: Some(id), .. } if id.0 as usize == king);
        bit_indices(self.flying).find(|&index| castles_with(self.pieces[index].status()))
    }
}

/// Why a player cannot resign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum ResignRefusal {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The player does not take part in the game.
    #[error("there is no such player in this game")]
    NotPlaying,
    /// The player is already eliminated.
    #[error("the player is already eliminated")]
    Eliminated,
}

impl ResignRefusal {
    /// Returns the name used in text, such as `game-over`.
    pub const fn name(self) -> &'static str {
        match self {
            ResignRefusal::GameOver => "game-over",
            ResignRefusal::NotPlaying => "not-playing",
            ResignRefusal::Eliminated => "eliminated",
        }
    }
}

/// Why a draw by agreement is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum DrawRefusal {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// A player does not take part in the game.
    #[error("there is no such player in this game")]
    NotPlaying,
    /// A player is already eliminated.
    #[error("the player is already eliminated")]
    Eliminated,
    /// A player who must agree has not.
    #[error("not all players have agreed")]
    NotAllAgree,
}

impl DrawRefusal {
    /// Returns the name used in text, such as `not-all-agree`.
    pub const fn name(self) -> &'static str {
        match self {
            DrawRefusal::GameOver => "game-over",
            DrawRefusal::NotPlaying => "not-playing",
            DrawRefusal::Eliminated => "eliminated",
            DrawRefusal::NotAllAgree => "not-all-agree",
        }
    }
}
