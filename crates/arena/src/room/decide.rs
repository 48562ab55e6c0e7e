//! Who may do what now: a guest's command becomes something that happens, or is refused.

use fourfold_table::{Declaration, Seat};

use super::{Act, Player, Room};
use crate::guest::GuestId;
use crate::protocol::Command;

impl Room {
    /// What a guest's command means here.
    ///
    /// # Errors
    /// If the guest may not do that now; in words for the guest.
    pub(crate) fn decide(
        &self,
        guest: GuestId,
        name: &str,
        command: &Command,
    ) -> Result<Act, String> {
        if let Command::Sit { seat } = *command {
            return self.decide_to_sit(guest, name, seat);
        }
        let mine = self.seats_of(guest);
        let Some(&first) = mine.first() else {
            return Err("you are watching: only players can do that".to_owned());
        };
        if let Some(open) = self.players.iter().position(|player| *player == Player::Open) {
            return Err(format!("nobody has taken the seat of {} yet", self.table.seats()[open]));
        }
        let acting = self.table.acting().into_iter().find(|seat| mine.contains(seat));
        let speaker = acting.unwrap_or(first);
        match command {
            Command::Move { text, ply } => self.decide_to_move(speaker, text, *ply),
            Command::Resign => Ok(Act::Declare(Declaration::Resign(speaker))),
            Command::Claim => Ok(Act::Declare(Declaration::Claim(speaker))),
            Command::Draw => self.decide_to_draw(&mine, speaker),
            Command::Decline => match self.draw {
                Some(offering) if !mine.contains(&offering) => Ok(Act::Decline),
                _ => Err("nobody has offered you a draw".to_owned()),
            },
            Command::Takeback => self.decide_to_take_back(&mine),
            Command::Rematch => self.decide_on_rematch(mine),
            Command::Sit { .. }
            | Command::Create { .. }
            | Command::Watch { .. }
            | Command::Leave
            | Command::Sync
            | Command::Look { .. }
            | Command::Name { .. } => Err("that is not done in a game".to_owned()),
        }
    }

    fn decide_to_sit(&self, guest: GuestId, name: &str, seat: Seat) -> Result<Act, String> {
        let Some(player) = self.players.get(seat.index()) else {
            return Err(format!("there is no seat {seat}"));
        };
        if *player != Player::Open {
            return Err(format!("the seat of {} is taken", self.table.seats()[seat.index()]));
        }
        if !self.seats_of(guest).is_empty() {
            return Err("you have a seat already".to_owned());
        }
        if let Some(outcome) = self.table.outcome() {
            return Err(format!("the game is over: {}", outcome.text));
        }
        Ok(Act::Sit { seat, guest, name: name.to_owned() })
    }

    fn decide_to_move(&self, seat: Seat, text: &str, ply: usize) -> Result<Act, String> {
        if ply != self.table.ply() && self.table.outcome().is_none() {
            return Err("the position has changed in the meantime".to_owned());
        }
        Ok(Act::Move { seat, text: text.to_owned() })
    }

    fn decide_to_draw(&self, mine: &[Seat], speaker: Seat) -> Result<Act, String> {
        if let Some(outcome) = self.table.outcome() {
            return Err(format!("the game is over: {}", outcome.text));
        }
        if self.draw.is_some_and(|offering| !mine.contains(&offering))
            || mine.len() == self.players.len()
        {
            return Ok(Act::Declare(Declaration::Draw));
        }
        if self.draw.is_some() {
            return Err("your offer stands already".to_owned());
        }
        let bot = self.players.iter().find_map(|player| match player {
            Player::Bot { name, .. } => Some(name),
            Player::Open | Player::Guest { .. } => None,
        });
        match bot {
            Some(name) => Err(format!("{name} would rather play on")),
            None => Ok(Act::Offer(speaker)),
        }
    }

    fn decide_to_take_back(&self, mine: &[Seat]) -> Result<Act, String> {
        if let Some(outcome) = self.table.outcome() {
            return Err(format!("the game is over: {}", outcome.text));
        }
        match self.plies_to_take_back(mine) {
            Some(plies) => Ok(Act::Takeback { plies }),
            None if !self.is_among_bots(mine) => {
                Err("moves are taken back against bots and at one board only".to_owned())
            }
            None => Err("there is no move of yours to take back".to_owned()),
        }
    }

    fn decide_on_rematch(&self, mine: Vec<Seat>) -> Result<Act, String> {
        if !self.is_over() {
            return Err("the game is not over yet".to_owned());
        }
        if self.next.is_some() || mine.iter().all(|seat| self.rematch.contains(seat)) {
            return Err("you have asked for another game already".to_owned());
        }
        let bots = self.seats_where(|player| matches!(player, Player::Bot { .. }));
        Ok(Act::Rematch { seats: [mine, bots].concat(), next: None })
    }
}
