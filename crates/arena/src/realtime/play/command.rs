//! Commands of players in real-time games.

use fourfold_kung_fu::{Cell, PieceId, Player, Status};
use fourfold_table::{ensure, kung_fu, quote_short};
use serde_json::json;

use super::EndOfTick;
use crate::game::{GameRoom, RunningGame, TOO_LONG};
use crate::protocol::{Command, Object};
use crate::realtime::room::{Premove, Room, RoomEvent};
use crate::seating::WATCHING;
use crate::viewer::Request;

/// The maximum number of entries in one game.
const MOST_ENTRIES: u64 = 100_000;

impl RunningGame<Room> {
    pub(super) async fn execute(&mut self, request: Request) -> Result<Option<Object>, String> {
        let Request { connection, guest, address, number, command, .. } = request;
        if let Some(mut event) = self.room.decide_on_seats(guest.id, &guest.name, &command)? {
            self.open_rematch(&mut event, guest.id, address).await?;
            let filled = event.fills_seat();
            self.apply_event(RoomEvent::Seating(event))?;
            if filled {
                self.look_up_ratings();
            }
            if self.room.is_ready() {
                self.go();
            }
            return Ok(Some(match command {
                Command::Draw | Command::Decline => self.with_tick(),
                _ => Object::new(),
            }));
        }
        let seat = *self.room.seats().seats_of(guest.id).first().ok_or(WATCHING)?;
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
                let event =
                    Box::new(move |tick| RoomEvent::Resign { tick, player: player.number() });
                self.close(EndOfTick { event, connection, number });
                return Ok(None);
            }
            Command::Abort => {
                let late = "it is too late to abort: a player has moved";
                ensure!(self.room.is_over() || self.room.is_abortable(), late);
                let event = Box::new(|tick| RoomEvent::Abort { tick });
                self.close(EndOfTick { event, connection, number });
                return Ok(None);
            }
            // Everybody agrees.
            Command::Draw => {
                let players = self.room.active_people().iter().map(Player::number).collect();
                let event = Box::new(|tick| RoomEvent::Draw { tick, players });
                self.close(EndOfTick { event, connection, number });
                return Ok(None);
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
        match self.room.clock {
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
        player: Player,
        piece: PieceId,
        to: (i32, i32),
    ) -> Result<(), String> {
        let game = self.room.game();
        if let Some(refusal) = game.refusal(player, piece, to) {
            return Err(refusal.to_string());
        }
        ensure!(self.journal.count() < MOST_ENTRIES, TOO_LONG);
        let tick = game.now();
        // A legal order has a destination on the board.
        let to = (to.0 as u8, to.1 as u8);
        self.apply_event(RoomEvent::Order { tick, player: player.number(), piece: piece.0, to })
    }

    /// Stores a premove until its piece has rested; if it already has, gives the order.
    fn premove(&mut self, player: Player, piece: PieceId, to: &str) -> Result<(), String> {
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
                self.state.personal_dirty = true;
                Ok(())
            }
        }
    }

    fn cancel(&mut self, player: Player, piece: PieceId) -> Result<(), String> {
        let premoves = &mut self.room.premoves;
        let own = premoves.get(&piece).is_some_and(|premove| premove.player == player);
        ensure!(own, "the piece has no premove");
        premoves.remove(&piece);
        self.state.personal_dirty = true;
        Ok(())
    }

    /// Applies something at the end of the current tick or, if time is not running, at once.
    fn close(&mut self, end_of_tick: EndOfTick) {
        self.state.end_of_tick.push(end_of_tick);
        if !self.is_running() {
            self.close_tick();
        }
    }
}

/// Converts a piece's number. No game has a piece with id 255, which stands for larger numbers.
fn id(number: u64) -> PieceId {
    PieceId(u8::try_from(number).unwrap_or(u8::MAX))
}
