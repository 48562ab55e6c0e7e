//! Commands of players in real-time games.

use fourfold_kung_fu::{Cell, PieceId, Status};
use fourfold_table::{Seat, kung_fu, quote_short};
use serde_json::{Map, Value, json};

use super::{Closed, Closing, Play};
use crate::guest::new_game_id;
use crate::party::Seating;
use crate::protocol::Command;
use crate::realtime::room::{Act, Premove};
use crate::viewer::Request;

/// The maximum number of entries in one game.
const MOST_ENTRIES: u64 = 100_000;

impl Play {
    pub(super) async fn carry_out(&mut self, wish: Request) {
        let (connection, number) = (wish.connection, wish.number);
        match self.obey(wish).await {
            // The answer is sent at the end of the tick.
            Ok(None) => {}
            Ok(Some(with)) => {
                self.tell();
                self.answer(connection, number, Ok(with));
            }
            Err(why) => self.answer(connection, number, Err(why)),
        }
    }

    async fn obey(&mut self, wish: Request) -> Result<Option<Map<String, Value>>, String> {
        let Request { connection, guest, number, command, .. } = wish;
        match &command {
            Command::Sync => {
                for viewer in &mut self.viewers {
                    if viewer.connection == connection {
                        viewer.told = None;
                    }
                }
                self.news = true;
                return Ok(Some(Map::new()));
            }
            Command::Name { name } => {
                if !self.room.is_over() && self.room.party().would_rename(guest.id, name) {
                    let act = Seating::Rename { guest: guest.id, name: name.clone() };
                    self.happen(Act::Seating(act))?;
                }
                return Ok(Some(Map::new()));
            }
            _ => {}
        }
        let over = self.room.outcome().map(|outcome| outcome.text.clone());
        let party = self.room.party();
        if let Some(mut act) = party.decide(guest.id, &guest.name, &command, over.as_deref())? {
            if let Seating::Rematch { seats, next } = &mut act
                && let Some(setup) = party.rematch_with(seats)
            {
                *next = Some(self.hub.open(new_game_id(), setup, guest.id, None).await?);
            }
            self.happen(Act::Seating(act))?;
            self.look_up_ratings();
            if self.room.is_ready() {
                self.go();
            }
            return Ok(Some(Map::new()));
        }
        let seat = self.seat_of(guest.id)?;
        let player = self.room.player(seat).ok_or("there is no such seat")?;
        match command {
            Command::Order { piece, to } => {
                let (piece, to) = (id(piece), self.read_square(&to)?);
                self.check_running()?;
                self.order(player, piece, to)?;
            }
            Command::Premove { piece, to } => self.premove(player, id(piece), &to)?,
            Command::Cancel { piece } => self.cancel(player, id(piece))?,
            Command::Targets { piece } => {
                let cells = self.room.targets(player, id(piece))?;
                let board = self.room.rules().board;
                let to: Vec<String> =
                    cells.into_iter().map(|cell| kung_fu::square(board, cell)).collect();
                let mut with = self.with_tick();
                with.insert("to".to_owned(), json!(to));
                return Ok(Some(with));
            }
            Command::Resign => {
                self.close(Closing { act: Closed::Resign(player), connection, number });
                return Ok(None);
            }
            Command::Draw => {
                if let Some(players) = self.decide_to_draw(seat, player)? {
                    self.close(Closing { act: Closed::Draw(players), connection, number });
                    return Ok(None);
                }
                self.happen(Act::Offer(seat))?;
            }
            Command::Decline => {
                let asked = self.room.living_people().contains(player);
                if self.room.draw.is_empty() || self.room.draw.contains(&seat) || !asked {
                    return Err("nobody has offered you a draw".to_owned());
                }
                self.happen(Act::Decline)?;
            }
            Command::Hint { .. } => {
                return Err("hints are available only in turn-based games".to_owned());
            }
            _ => return Err("this game has no such command".to_owned()),
        }
        Ok(Some(self.with_tick()))
    }

    /// Checks that time is running, so that pieces can be ordered. After the end of the game, the
    /// rules give the reason instead.
    fn check_running(&self) -> Result<(), String> {
        match self.room.pace {
            _ if self.room.is_over() || self.is_running() => Ok(()),
            Some(_) => Err("the game has not started yet".to_owned()),
            None => Err("the game is paused until a player returns".to_owned()),
        }
    }

    fn read_square(&self, name: &str) -> Result<(i32, i32), String> {
        let square = kung_fu::read_square(self.room.rules().board, name);
        square.ok_or_else(|| format!("expected a square such as e4, got '{}'", quote_short(name)))
    }

    /// Gives an order on the current tick, if the rules accept it.
    pub(super) fn order(
        &mut self,
        player: u8,
        piece: PieceId,
        to: (i32, i32),
    ) -> Result<(), String> {
        let game = self.room.game();
        if let Some(refusal) = game.refusal(player, piece, to) {
            return Err(refusal.to_string());
        }
        if self.ledger.count() >= MOST_ENTRIES {
            return Err("this game is too long: it can only be ended now".to_owned());
        }
        let tick = game.now();
        // A legal order has a destination on the board.
        let to = (to.0 as u8, to.1 as u8);
        self.happen(Act::Order { tick, player, piece: piece.0, to })
    }

    /// Stores a premove until its piece has rested; if it already has, gives the order.
    fn premove(&mut self, player: u8, piece: PieceId, to: &str) -> Result<(), String> {
        let to = self.read_square(to)?;
        self.check_running()?;
        let own = self.room.own_piece(player, piece)?;
        let ends = match own.status() {
            Status::Standing => return self.order(player, piece, to),
            Status::Moving { to, .. } => to,
            Status::Resting { .. } | Status::Gone => own.at(),
        };
        let cell = Cell::on(self.room.rules().board, to.0, to.1);
        match cell {
            None => Err("the board has no such square".to_owned()),
            Some(cell) if cell == ends => {
                Err("the piece will already be on that square".to_owned())
            }
            Some(_) => {
                self.room.premoves.insert(piece, Premove { player, to });
                self.wishes = true;
                Ok(())
            }
        }
    }

    fn cancel(&mut self, player: u8, piece: PieceId) -> Result<(), String> {
        let premoves = &mut self.room.premoves;
        if premoves.get(&piece).is_none_or(|premove| premove.player != player) {
            return Err("the piece has no premove".to_owned());
        }
        premoves.remove(&piece);
        self.wishes = true;
        Ok(())
    }

    /// Applies something at the end of the current tick or, if time is not running, at once.
    fn close(&mut self, closing: Closing) {
        self.closing.push(closing);
        if !self.is_running() {
            self.close_tick();
        }
    }

    /// Returns the players who agree to a draw if this one accepts, or `None` if others still have
    /// to.
    fn decide_to_draw(&self, seat: Seat, player: u8) -> Result<Option<Vec<u8>>, String> {
        if let Some(outcome) = self.room.outcome() {
            return Err(format!("the game is over: {}", outcome.text));
        }
        let living = self.room.living_people();
        if !living.contains(player) {
            return Err("you have been eliminated".to_owned());
        }
        if living.len() == 1 {
            return Err("bots do not accept draws".to_owned());
        }
        match self.room.draw.iter().position(|other| *other == seat) {
            Some(0) => return Err("you have already offered a draw".to_owned()),
            Some(_) => return Err("you have already accepted the draw".to_owned()),
            None => {}
        }
        let agreed = |other: u8| {
            let agreed = |seat: &Seat| self.room.player(*seat) == Some(other);
            other == player || self.room.draw.iter().any(agreed)
        };
        let all = living.iter().all(agreed);
        Ok(all.then(|| living.iter().collect()))
    }
}

/// Converts a piece's number. No game has a piece with id 255, which stands for larger numbers.
fn id(number: u64) -> PieceId {
    PieceId(u8::try_from(number).unwrap_or(u8::MAX))
}
