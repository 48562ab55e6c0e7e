//! One turn-based game and its players, as plain data: the allowed commands and their effects.
//!
//! A room does no I/O and does not read the clock. Every change is an `Entry`, and the same
//! entries in the same order produce the same room, which is how games are restored.

mod decide;
mod export;
#[cfg(test)]
mod tests;

use fourfold_table::{
    Declaration, DeclareError, Outcome, PlayError, Played, Scene, Seat, Table, ensure, quote_short,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::clock::{Clock, ClockState, TimeControl};
use crate::game::{Entry, GameRoom};
use crate::guest::GuestId;
use crate::journal::Journal;
use crate::play::TurnState;
use crate::protocol::{self, Command, Object, Personal};
use crate::rating::may_count;
use crate::seating::{DrawVote, Player, SeatEvent, Seats, Setup};
use crate::store::Downtime;
use crate::viewer::GameRecord;

/// Something that can happen in a room.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RoomEvent {
    Move {
        seat: Seat,
        text: String,
    },
    Declare(Declaration),
    Takeback {
        plies: usize,
    },
    /// A seat asks the others to take back its latest move, or agrees to what was asked.
    AskTakeback {
        seat: Seat,
    },
    DeclineTakeback,
    /// A player has left in the first moves, or has not moved in time.
    Abort,
    /// A player was given a hint.
    Help,
    /// The server was down since then; the clocks stood still.
    Resume {
        stopped: u64,
    },
    #[serde(untagged)]
    Seating(SeatEvent),
}

/// One turn-based game and its players.
pub(crate) struct Room {
    table: Box<dyn Table>,
    seats: Seats,
    clock: Option<Clock>,
    /// The clocks' times after each ply.
    times: Vec<Vec<u64>>,
    /// The seats that want a move to be taken back, starting with the one that asked.
    takeback_votes: Vec<Seat>,
    /// Whether a hint was given or a move taken back.
    pub(crate) helped: bool,
    /// Whether the game was abandoned in its first moves.
    aborted: bool,
    /// The time of the first move.
    started: Option<u64>,
}

impl Room {
    /// Creates the room of a game that was read from a file, with the names given there.
    ///
    /// # Errors
    /// Fails if the number of seats does not match the game.
    pub(crate) fn of_file(table: Box<dyn Table>) -> Result<Room, String> {
        let tags = table.tags();
        let places = table.scene().seats;
        let name = |seat: usize| {
            let word = places.get(seat)?.name;
            // Blokus files number the players, or call two of them black and white.
            let color = ["PB", "PW"].get(seat).copied().unwrap_or_default();
            let number = format!("P{}", seat + 1);
            let known = |tag: &str| tag.eq_ignore_ascii_case(word) || tag == color || tag == number;
            tags.iter().find(|(tag, _)| known(tag)).map(|(_, name)| name.clone())
        };
        let setup = Setup::of_file(table.game(), &places, name);
        let seats = Seats::new(String::new(), setup, table.seats().to_vec())?;
        let control = tags.iter().find(|(tag, _)| tag == "TimeControl");
        let control = control.and_then(|(_, text)| TimeControl::from_tag(text));
        let times = recorded_times(&*table, control);
        let clock = times.last().map(|last| {
            let initial = times[0].iter().copied().max().unwrap_or(0);
            let control = control.unwrap_or(TimeControl { initial, increment: 0, delay: 0 });
            let mut clock = Clock::new(control, last.len());
            clock.restore(last, None, 0);
            clock
        });
        Ok(Room {
            table,
            seats,
            clock,
            times,
            takeback_votes: Vec::new(),
            helped: true,
            aborted: false,
            started: None,
        })
    }

    pub(crate) fn table(&self) -> &dyn Table {
        &*self.table
    }

    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Returns whose clock runs out next, and when.
    pub(crate) fn deadline(&self) -> Option<(Seat, u64)> {
        self.clock.as_ref().and_then(Clock::deadline)
    }

    /// Stops all clocks.
    pub(crate) fn stop_clock(&mut self, now: u64) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
    }

    /// Returns the bot that is to move, by its level.
    pub(crate) fn bot_to_move(&self) -> Option<(Seat, &str)> {
        if self.aborted {
            return None;
        }
        let bot = |seat| Some((seat, self.seats.player(seat)?.level()?));
        self.table.acting().into_iter().find_map(bot)
    }

    /// Returns the seat whose clock should run. No clock runs before the first move.
    fn to_move(&self) -> Option<Seat> {
        self.table.acting().first().copied().filter(|_| self.table.ply() > 0)
    }

    /// Returns the seats that are still in the game.
    fn active(&self) -> Vec<Seat> {
        let eliminated = self.table.eliminated();
        self.seats
            .seats_where(|_| true)
            .into_iter()
            .filter(|seat| !eliminated.contains(seat))
            .collect()
    }

    /// Whether only bots are still in the game.
    pub(crate) fn is_left_to_bots(&self) -> bool {
        let bot = |seat: Seat| self.seats.player(seat).is_some_and(Player::is_bot);
        self.active().into_iter().all(bot)
    }

    /// Returns how many plies to take back to undo the latest move of these seats.
    fn plies_to_take_back(&self, mine: &[Seat]) -> Option<usize> {
        let active = self.active();
        let playing = mine.iter().any(|seat| active.contains(seat));
        if !playing || self.is_over() {
            return None;
        }
        let played = self.table.played().iter().rev();
        Some(1 + played.enumerate().find(|(_, played)| mine.contains(&played.seat))?.0)
    }

    /// Returns the part of the state that only this guest sees.
    pub(crate) fn personal(&self, guest: GuestId) -> Personal {
        let you = self.seats.seats_of(guest);
        let waiting = self.seats.open_seat().is_some();
        let legal_moves = match waiting || self.aborted {
            true => Vec::new(),
            false => you.iter().flat_map(|&seat| self.table.choices(seat)).collect(),
        };
        let takeback = self.decide_to_take_back(&you).is_ok();
        let hint = self.check_hint(&you).is_ok();
        Personal { you, legal_moves, takeback, hint }
    }

    /// Returns the board after `ply` moves.
    ///
    /// # Errors
    /// Fails if the game has fewer moves.
    pub(crate) fn board_at(&self, ply: usize) -> Result<Object, String> {
        let last = self.table.ply();
        ensure!(ply <= last, "expected a ply from 0 to {last}, got {ply}");
        let scene = self.table.scene_at(ply).map_err(|error| error.to_string())?;
        let mut board = board(&scene);
        if let Some(times) = self.times.get(ply) {
            board.insert("clocks".to_owned(), json!(times));
        }
        Ok(board)
    }

    /// Returns why a guest's move cannot be played, or `None` if it can, without playing it.
    ///
    /// # Errors
    /// Returns a message for the guest if they cannot move now at all.
    pub(crate) fn check_move(
        &self,
        guest: GuestId,
        name: &str,
        text: &str,
        ply: usize,
    ) -> Result<Option<String>, String> {
        let command = Command::Move { text: text.to_owned(), ply };
        match self.decide(guest, name, &command)? {
            RoomEvent::Move { seat, text } => Ok(self.table.refusal(seat, &text).map(play_message)),
            _ => Err("that is not a move".to_owned()),
        }
    }
}

impl GameRoom for Room {
    type Event = RoomEvent;
    type State = TurnState;

    fn new(id: String, setup: Setup) -> Result<Room, String> {
        let mut table = fourfold_table::make(&setup.game).map_err(|error| error.to_string())?;
        if let Some(start) = &setup.start {
            table.set(start).map_err(|error| error.to_string())?;
        }
        let clock = setup.clock.map(|control| Clock::new(control, table.seats().len()));
        let times = clock.iter().map(|clock| clock.times().to_vec()).collect();
        let seats = Seats::new(id, setup, table.seats().to_vec())?;
        Ok(Room {
            table,
            seats,
            clock,
            times,
            takeback_votes: Vec::new(),
            helped: false,
            aborted: false,
            started: None,
        })
    }

    fn seats(&self) -> &Seats {
        &self.seats
    }

    fn seats_mut(&mut self) -> &mut Seats {
        &mut self.seats
    }

    // The table checks moves, declarations and takebacks.
    fn apply(&mut self, entry: &Entry<RoomEvent>) -> Result<(), String> {
        let Entry { at, event } = entry;
        let on_seats = matches!(event, RoomEvent::Seating(_) | RoomEvent::Resume { .. });
        ensure!(
            !self.aborted || on_seats,
            format!("the game is over: {}", Outcome::aborted().text)
        );
        match event {
            RoomEvent::Seating(event) => self.seats.apply(event)?,
            RoomEvent::Move { seat, text } => {
                self.table.play_as(*seat, text).map_err(play_message)?;
                self.started.get_or_insert(*at);
                // A draw offer stands until a player who does not want it moves.
                if !self.seats.draw.contains(seat) {
                    self.seats.draw.clear();
                }
                self.takeback_votes.clear();
                let next = self.to_move();
                if let Some(clock) = &mut self.clock {
                    clock.moved(*seat, next, *at);
                    self.times.truncate(self.table.ply());
                    self.times.push(clock.times().to_vec());
                }
            }
            RoomEvent::Declare(declaration) => {
                self.table.declare(*declaration).map_err(declare_message)?;
                self.seats.draw.clear();
                self.takeback_votes.clear();
                let next = self.to_move();
                if let Some(clock) = &mut self.clock {
                    clock.run(next, *at);
                }
            }
            RoomEvent::Abort => {
                self.aborted = true;
                self.seats.draw.clear();
                self.takeback_votes.clear();
                self.stop_clock(*at);
            }
            RoomEvent::Help => self.helped = true,
            RoomEvent::Takeback { plies } => {
                let ply = self.table.ply().checked_sub(*plies).ok_or("there is no such move")?;
                self.table.jump(ply).map_err(|error| error.to_string())?;
                self.seats.draw.clear();
                self.takeback_votes.clear();
                self.helped = true;
                let next = self.to_move();
                if let (Some(clock), Some(times)) = (&mut self.clock, self.times.get(ply)) {
                    clock.restore(times, next, *at);
                }
            }
            RoomEvent::AskTakeback { seat } => self.takeback_votes.push(*seat),
            RoomEvent::DeclineTakeback => self.takeback_votes.clear(),
            RoomEvent::Resume { stopped } => {
                if let Some(clock) = &mut self.clock {
                    clock.resume(*stopped, *at);
                }
            }
        }
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.aborted { Some(Outcome::aborted()) } else { self.table.outcome() }
    }

    fn is_rated(&self) -> bool {
        !self.helped && may_count(&self.seats)
    }

    /// A game that ends before two players have moved is not rated.
    fn was_played(&self) -> bool {
        self.table.ply() > 1 && !self.aborted
    }

    /// Until every player has moved, a game can be aborted; before it begins only by a player who
    /// waits alone.
    fn is_abortable(&self) -> bool {
        let begun = self.seats.open_seat().is_none();
        !self.is_over()
            && (begun || self.seats.is_one_waiting())
            && !self.seats.is_on_one_screen()
            && self.table.ply() < self.seats.players.len()
    }

    fn draw_vote(&self) -> DrawVote {
        let seats = self.active();
        let refusal = seats.iter().find_map(|seat| match self.seats.player(*seat)? {
            Player::Bot { name, .. } => Some(format!("{name} declines the draw")),
            Player::Open | Player::Guest { .. } => None,
        });
        DrawVote { seats, refusal }
    }

    fn takeback_votes(&self) -> &[Seat] {
        &self.takeback_votes
    }

    /// Clocks run again from when the server did, even if the game was not in memory then.
    fn pause(&self, downtimes: &[Downtime], latest: u64, _now: u64) -> Vec<Entry<RoomEvent>> {
        let pause = |downtime: &Downtime| {
            let stopped = downtime.stopped.max(latest);
            let at = downtime.resumed.max(stopped);
            Entry { at, event: RoomEvent::Resume { stopped } }
        };
        match self.deadline() {
            Some(_) => downtimes.iter().map(pause).collect(),
            None => Vec::new(),
        }
    }

    fn time_limit(&self) -> Option<u64> {
        self.deadline().map(|(_, time)| time)
    }

    fn scene(&self) -> Object {
        let scene = self.table.scene();
        let mut keys = board(&scene);
        keys.extend(protocol::object(&match self.aborted {
            true => json!({"outcome": Outcome::aborted(), "acting": [], "claim": null}),
            false => json!({
                "outcome": scene.outcome, "acting": scene.acting, "claim": scene.claim,
            }),
        }));
        keys.insert("opening".to_owned(), json!(scene.opening));
        keys
    }

    fn layout(&self) -> Object {
        let scene = self.table.scene();
        protocol::object(&json!({
            "game": scene.game, "board": scene.board, "seats": scene.seats, "teams": scene.teams,
            "seat_colors": scene.seat_colors, "piece_shapes": scene.piece_shapes,
        }))
    }

    fn teams(&self) -> Vec<Vec<Seat>> {
        self.table.scene().teams
    }

    fn scores(&self) -> Vec<i32> {
        self.table.scene().scores
    }

    fn moves(&self) -> &[Played] {
        self.table.played()
    }

    fn clock_face(&self, now: u64) -> Option<ClockState> {
        self.clock.as_ref().map(|clock| clock.face(now))
    }

    fn export(&self) -> (String, String) {
        self.to_file()
    }

    fn record(&self) -> GameRecord {
        let (start, moves) = self.table.situation();
        GameRecord::Turns { kind: self.table.game(), start, moves }
    }

    fn state(&self, journal: &Journal) -> TurnState {
        TurnState::new(self, journal)
    }
}

/// Returns the clocks' times at the start and after each ply of a game that was read from a file;
/// empty if it does not contain any. Until the first known time, a clock shows the initial time.
fn recorded_times(table: &dyn Table, control: Option<TimeControl>) -> Vec<Vec<u64>> {
    let clocks = table.clocks();
    let Some(first) = clocks.iter().flatten().next() else { return Vec::new() };
    let seats = (0..table.seats().len()).map(|seat| Seat::new(seat as u8));
    let start = seats.map(|seat| {
        let own = table.played().iter().zip(&clocks).filter(|(played, _)| played.seat == seat);
        let known = || own.clone().find_map(|(_, clock)| *clock).unwrap_or(*first);
        control.map_or_else(known, |control| control.initial)
    });
    let mut times: Vec<Vec<u64>> = vec![start.collect()];
    for (played, clock) in table.played().iter().zip(&clocks) {
        let mut after = times[times.len() - 1].clone();
        if let Some(clock) = clock {
            after[played.seat.index()] = *clock;
        }
        times.push(after);
    }
    times
}

/// Returns the keys of a scene that are on the board or beside it.
fn board(scene: &Scene) -> Object {
    protocol::object(&json!({
        "eliminated": scene.eliminated, "scores": scene.scores, "colors": scene.colors,
        "pieces": scene.pieces, "captured": scene.captured, "last_move": scene.last_move,
        "check": scene.check,
    }))
}

/// Formats the reason why a move is refused, for a guest who already sees the position.
pub(crate) fn play_message(error: PlayError) -> String {
    match error {
        PlayError::Illegal { text, reason: None, .. } => {
            format!("'{}' is not a legal move here", quote_short(&text))
        }
        other => other.to_string(),
    }
}

/// Formats the reason why a declaration is refused.
fn declare_message(error: DeclareError) -> String {
    match error {
        DeclareError::NothingToClaim(..) => "there is no draw to claim now".to_owned(),
        other => other.to_string(),
    }
}
