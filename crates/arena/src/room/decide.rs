//! Turns the commands of guests into events, or refuses them.

use fourfold_table::{Declaration, Seat, ensure};

use super::{Room, RoomEvent};
use crate::game::GameRoom;
use crate::guest::GuestId;
use crate::protocol::Command;
use crate::seating::{WATCHING, check_not_over};

impl Room {
    /// Turns a guest's command into an event.
    ///
    /// # Errors
    /// Returns a message for the guest if the command is not allowed now.
    pub(crate) fn decide(
        &self,
        guest: GuestId,
        name: &str,
        command: &Command,
    ) -> Result<RoomEvent, String> {
        if let Some(event) = self.decide_on_seats(guest, name, command)? {
            return Ok(RoomEvent::Seating(event));
        }
        let mine = self.seats.seats_of(guest);
        let first = *mine.first().ok_or(WATCHING)?;
        let acting_seat = self.acting_seat(&mine).unwrap_or(first);
        match command {
            Command::Move { text, ply } => self.decide_to_move(acting_seat, text, *ply),
            Command::Resign => Ok(RoomEvent::Declare(Declaration::Resign(acting_seat))),
            Command::Abort => {
                self.check_in_progress()?;
                ensure!(self.is_abortable(), "it is too late to abort: every player has moved");
                Ok(RoomEvent::Abort)
            }
            Command::Claim => Ok(RoomEvent::Declare(Declaration::Claim(acting_seat))),
            // Everybody agrees.
            Command::Draw => Ok(RoomEvent::Declare(Declaration::Draw)),
            Command::Takeback => self.decide_to_take_back(&mine),
            _ => Err("this game has no such command".to_owned()),
        }
    }

    /// Returns the seat that a guest acts for: one that is to move, or else one that is still in
    /// the game.
    fn acting_seat(&self, mine: &[Seat]) -> Option<Seat> {
        let among = |seats: Vec<Seat>| seats.into_iter().find(|seat| mine.contains(seat));
        among(self.table.acting()).or_else(|| among(self.active()))
    }

    fn check_in_progress(&self) -> Result<(), String> {
        check_not_over(self.outcome().map(|outcome| outcome.text).as_deref())
    }

    fn decide_to_move(&self, seat: Seat, text: &str, ply: usize) -> Result<RoomEvent, String> {
        let current = ply == self.table.ply() || self.is_over();
        ensure!(current, "the position has changed in the meantime");
        Ok(RoomEvent::Move { seat, text: text.to_owned() })
    }

    /// Checks whether a guest may have a hint for the position after `ply` moves. Hints are only
    /// for guests who do not play against other people.
    ///
    /// # Errors
    /// Returns a message for the guest if not.
    pub(crate) fn decide_to_hint(
        &self,
        guest: GuestId,
        name: &str,
        command: &Command,
        ply: usize,
    ) -> Result<(), String> {
        self.decide_on_seats(guest, name, command)?;
        self.check_hint(&self.seats.seats_of(guest))?;
        ensure!(ply == self.table.ply(), "the position has changed in the meantime");
        Ok(())
    }

    /// Checks whether the guest in these seats may have a hint now.
    pub(super) fn check_hint(&self, mine: &[Seat]) -> Result<(), String> {
        self.check_in_progress()?;
        let alone = self.seats.is_among_bots(mine);
        ensure!(alone, "hints are available only against bots and on one screen");
        let acts = |seat: &Seat| mine.contains(seat);
        ensure!(self.table.acting().iter().any(acts), "it is not your turn");
        let has_bots = !fourfold_bots::levels(self.table.game()).is_empty();
        ensure!(has_bots, "this game has no hints");
        Ok(())
    }

    fn decide_to_take_back(&self, mine: &[Seat]) -> Result<RoomEvent, String> {
        self.check_in_progress()?;
        match self.plies_to_take_back(mine) {
            Some(plies) => Ok(RoomEvent::Takeback { plies }),
            None if self.acting_seat(mine).is_none() => Err("you have been eliminated".to_owned()),
            None if !self.seats.is_among_bots(mine) => {
                Err("takebacks are available only against bots and on one screen".to_owned())
            }
            None => Err("there is no move of yours to take back".to_owned()),
        }
    }
}
