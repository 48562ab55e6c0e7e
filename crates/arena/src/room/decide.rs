//! Turns the commands of guests into events, or refuses them.

use fourfold_table::{Declaration, Seat};

use super::{Act, Room};
use crate::guest::GuestId;
use crate::party::Player;
use crate::protocol::Command;

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
    ) -> Result<Act, String> {
        let over = self.table.outcome().map(|outcome| outcome.text);
        if let Some(act) = self.party.decide(guest, name, command, over.as_deref())? {
            return Ok(Act::Seating(act));
        }
        let mine = self.party.seats_of(guest);
        let Some(&first) = mine.first() else {
            return Err("you are watching: only players can do that".to_owned());
        };
        let speaker = self.speaker(&mine).unwrap_or(first);
        match command {
            Command::Move { text, ply } => self.decide_to_move(speaker, text, *ply),
            Command::Resign => Ok(Act::Declare(Declaration::Resign(speaker))),
            Command::Claim => Ok(Act::Declare(Declaration::Claim(speaker))),
            Command::Draw => self.decide_to_draw(&mine, speaker),
            Command::Decline => self.decide_to_decline(&mine),
            Command::Takeback => self.decide_to_take_back(&mine),
            Command::Sit { .. }
            | Command::Fill { .. }
            | Command::Create { .. }
            | Command::Lobby { .. }
            | Command::Network { .. }
            | Command::History { .. }
            | Command::Ladder { .. }
            | Command::Watch { .. }
            | Command::Leave
            | Command::Sync
            | Command::Try { .. }
            | Command::Hint { .. }
            | Command::Look { .. }
            | Command::Name { .. }
            | Command::Rematch
            | Command::Order { .. }
            | Command::Premove { .. }
            | Command::Cancel { .. }
            | Command::Targets { .. } => Err("this game has no such command".to_owned()),
        }
    }

    /// Returns the seat that a guest acts for: one that is to move, or else one that is still in
    /// the game.
    fn speaker(&self, mine: &[Seat]) -> Option<Seat> {
        let among = |seats: Vec<Seat>| seats.into_iter().find(|seat| mine.contains(seat));
        among(self.table.acting()).or_else(|| among(self.living()))
    }

    fn check_that_it_goes_on(&self) -> Result<(), String> {
        match self.table.outcome() {
            Some(outcome) => Err(format!("the game is over: {}", outcome.text)),
            None => Ok(()),
        }
    }

    fn decide_to_move(&self, seat: Seat, text: &str, ply: usize) -> Result<Act, String> {
        if ply != self.table.ply() && self.table.outcome().is_none() {
            return Err("the position has changed in the meantime".to_owned());
        }
        Ok(Act::Move { seat, text: text.to_owned() })
    }

    /// A draw is agreed once all players who are still in the game want it.
    fn decide_to_draw(&self, mine: &[Seat], speaker: Seat) -> Result<Act, String> {
        self.check_that_it_goes_on()?;
        let living = self.living();
        if !living.contains(&speaker) {
            return Err("you have been eliminated".to_owned());
        }
        let wants = |seat: &Seat| self.draw.contains(seat) || mine.contains(seat);
        if living.iter().all(wants) {
            return Ok(Act::Declare(Declaration::Draw));
        }
        match self.draw.iter().position(|seat| mine.contains(seat)) {
            Some(0) => return Err("you have already offered a draw".to_owned()),
            Some(_) => return Err("you have already accepted the draw".to_owned()),
            None => {}
        }
        let bot = living.iter().find_map(|seat| match self.party.player(*seat)? {
            Player::Bot { name, .. } => Some(name),
            Player::Open | Player::Guest { .. } => None,
        });
        match bot {
            Some(name) => Err(format!("{name} declines the draw")),
            None => Ok(Act::Offer(speaker)),
        }
    }

    fn decide_to_decline(&self, mine: &[Seat]) -> Result<Act, String> {
        let asked = self.living().iter().any(|seat| mine.contains(seat));
        if self.draw.is_empty() || !asked || mine.iter().any(|seat| self.draw.contains(seat)) {
            return Err("nobody has offered you a draw".to_owned());
        }
        Ok(Act::Decline)
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
        let over = self.table.outcome().map(|outcome| outcome.text);
        self.party.decide(guest, name, command, over.as_deref())?;
        self.check_hint(&self.party.seats_of(guest))?;
        match ply == self.table.ply() {
            true => Ok(()),
            false => Err("the position has changed in the meantime".to_owned()),
        }
    }

    /// Checks whether the guest in these seats may have a hint now.
    pub(super) fn check_hint(&self, mine: &[Seat]) -> Result<(), String> {
        self.check_that_it_goes_on()?;
        let acts = |seat: &Seat| mine.contains(seat);
        if !self.party.is_among_bots(mine) {
            Err("hints are available only against bots and on one screen".to_owned())
        } else if !self.table.acting().iter().any(acts) {
            Err("it is not your turn".to_owned())
        } else {
            Ok(())
        }
    }

    fn decide_to_take_back(&self, mine: &[Seat]) -> Result<Act, String> {
        self.check_that_it_goes_on()?;
        match self.plies_to_take_back(mine) {
            Some(plies) => Ok(Act::Takeback { plies }),
            None if self.speaker(mine).is_none() => Err("you have been eliminated".to_owned()),
            None if !self.party.is_among_bots(mine) => {
                Err("takebacks are available only against bots and on one screen".to_owned())
            }
            None => Err("there is no move of yours to take back".to_owned()),
        }
    }
}
