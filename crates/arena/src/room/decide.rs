//! Turns the commands of guests into events, or refuses them.

use fourfold_table::{Declaration, Seat, ensure};

use super::{Room, RoomEvent};
use crate::game::GameRoom;
use crate::guest::GuestId;
use crate::protocol::Command;
use crate::seating::{Player, WATCHING, check_not_over};

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
            Command::DeclineTakeback => {
                let asked = self.takeback_voters().iter().any(|seat| mine.contains(seat));
                let agreed = mine.iter().any(|seat| self.takeback_votes.contains(seat));
                let pending = asked && !agreed && !self.takeback_votes.is_empty();
                ensure!(pending, "nobody has asked you for a takeback");
                Ok(RoomEvent::DeclineTakeback)
            }
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

    /// Returns the seats that have to agree to a takeback: bots do not mind.
    fn takeback_voters(&self) -> Vec<Seat> {
        let mut active = self.active();
        active.retain(|seat| !self.seats.player(*seat).is_some_and(Player::is_bot));
        active
    }

    /// Against bots and on one screen a move is taken back at once, otherwise when all people who
    /// are still in the game agree.
    pub(super) fn decide_to_take_back(&self, mine: &[Seat]) -> Result<RoomEvent, String> {
        self.check_in_progress()?;
        let voters = self.takeback_voters();
        let own = voters.iter().find(|seat| mine.contains(seat));
        let own = *own.ok_or("you have been eliminated")?;
        let alone = self.seats.is_among_bots(mine);
        ensure!(alone || !self.is_rated(), "takebacks are available only in casual games");
        let agreed = |seat: &Seat| mine.contains(seat) || self.takeback_votes.contains(seat);
        let asker = match self.takeback_votes.iter().position(|seat| mine.contains(seat)) {
            Some(0) => return Err("you have already asked for a takeback".to_owned()),
            Some(_) => return Err("you have already agreed to the takeback".to_owned()),
            None => self.takeback_votes.first().and_then(|seat| self.seats.player(*seat)?.guest()),
        };
        let asker = asker.map_or_else(|| mine.to_vec(), |guest| self.seats.seats_of(guest));
        let plies = self.plies_to_take_back(&asker);
        let plies = plies.ok_or("there is no move of yours to take back")?;
        // Players who have left are not asked, and a takeback must not bring them back.
        ensure!(
            alone || !self.would_restore_a_player(plies),
            "a player has been eliminated since your last move"
        );
        Ok(match voters.iter().all(agreed) {
            true => RoomEvent::Takeback { plies },
            false => RoomEvent::AskTakeback { seat: own },
        })
    }

    /// Whether a player who has been eliminated was still in the game that many plies ago.
    fn would_restore_a_player(&self, plies: usize) -> bool {
        let eliminated = self.table.eliminated();
        if eliminated.is_empty() {
            return false;
        }
        let mut table = self.table.fork();
        let ply = table.ply().saturating_sub(plies);
        table.jump(ply).is_err() || table.eliminated() != eliminated
    }
}
