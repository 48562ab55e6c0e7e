//! One turn-based game and its players, as plain data: who may do what, and what follows.
//!
//! A room does no I/O and does not read the clock. Every change is an [`Entry`], and the same
//! entries in the same order produce the same room, which is how games are restored.

mod decide;
#[cfg(test)]
mod tests;

use fourfold_table::{Declaration, DeclareError, PlayError, Seat, Table, quote_short};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::guest::GuestId;
use crate::party::{Party, Player, Seating, Setup};
use crate::protocol::{Command, Glance, Personal, Public, Tried};
use crate::rating::{DisplayedRating, may_count};

/// Something that happened in a room, with its time in milliseconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) at: u64,
    pub(crate) act: Act,
}

/// Something that can happen in a room.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Act {
    Move {
        seat: Seat,
        text: String,
    },
    Declare(Declaration),
    /// A seat offers a draw, or accepts the one that was offered.
    Offer(Seat),
    Decline,
    Takeback {
        plies: usize,
    },
    /// A player was given a hint.
    Help,
    /// The server was down since then; the clocks stood still.
    Resume {
        stopped: u64,
    },
    #[serde(untagged)]
    Seating(Seating),
}

/// One turn-based game and its players.
pub(crate) struct Room {
    id: String,
    table: Box<dyn Table>,
    party: Party,
    clock: Option<Clock>,
    /// The clocks' times after each ply.
    times: Vec<Vec<u64>>,
    /// The seats that want a draw, starting with the one that offered it.
    draw: Vec<Seat>,
    /// Whether a hint was given or a move taken back.
    helped: bool,
}

impl Room {
    /// Creates a new game.
    ///
    /// # Errors
    /// Fails if there is no such game, or if it has a different number of seats.
    pub(crate) fn new(id: String, setup: Setup) -> Result<Room, String> {
        let table = fourfold_table::make(&setup.game).map_err(|error| error.to_string())?;
        let clock = setup.clock.map(|control| Clock::new(control, table.seats().len()));
        let times = clock.iter().map(|clock| clock.times().to_vec()).collect();
        let party = Party::new(setup, table.seats().to_vec())?;
        Ok(Room { id, table, party, clock, times, draw: Vec::new(), helped: false })
    }

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
        let party = Party::new(setup, table.seats().to_vec())?;
        let (id, times, draw) = (String::new(), Vec::new(), Vec::new());
        Ok(Room { id, table, party, clock: None, times, draw, helped: true })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn party(&self) -> &Party {
        &self.party
    }

    pub(crate) fn table(&self) -> &dyn Table {
        &*self.table
    }

    pub(crate) fn is_over(&self) -> bool {
        self.table.outcome().is_some()
    }

    pub(crate) fn is_helped(&self) -> bool {
        self.helped
    }

    /// Whether the game counts for ratings so far.
    pub(crate) fn is_rated(&self) -> bool {
        !self.helped && may_count(&self.party)
    }

    /// Returns the players' ratings, if the game is rated.
    pub(crate) fn standings(&self) -> &[DisplayedRating] {
        if self.is_rated() { self.party.standings() } else { &[] }
    }

    /// Sets the players' ratings.
    pub(crate) fn know(&mut self, standings: Vec<DisplayedRating>) {
        self.party.know(standings);
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
        self.table.acting().into_iter().find_map(|seat| match self.party.player(seat)? {
            Player::Bot { level, .. } => Some((seat, level.as_str())),
            Player::Open | Player::Guest { .. } => None,
        })
    }

    /// Applies an event. The table checks moves, declarations and takebacks.
    ///
    /// # Errors
    /// Returns the table's reason if the rules do not allow the event; nothing has changed then.
    pub(crate) fn act(&mut self, entry: &Entry) -> Result<(), String> {
        let Entry { at, act } = entry;
        match act {
            Act::Seating(act) => self.party.act(act)?,
            Act::Move { seat, text } => {
                self.table.play_as(*seat, text).map_err(in_words)?;
                // A draw offer stands until a player who does not want it moves.
                if !self.draw.contains(seat) {
                    self.draw.clear();
                }
                let next = self.to_move();
                if let Some(clock) = &mut self.clock {
                    clock.moved(*seat, next, *at);
                    self.times.truncate(self.table.ply());
                    self.times.push(clock.times().to_vec());
                }
            }
            Act::Declare(declaration) => {
                self.table.declare(*declaration).map_err(declared_in_words)?;
                self.draw.clear();
                let next = self.to_move();
                if let Some(clock) = &mut self.clock {
                    clock.run(next, *at);
                }
            }
            Act::Offer(seat) => self.draw.push(*seat),
            Act::Decline => self.draw.clear(),
            Act::Help => self.helped = true,
            Act::Takeback { plies } => {
                let ply = self.table.ply().checked_sub(*plies).ok_or("there is no such move")?;
                self.table.jump(ply).map_err(|error| error.to_string())?;
                self.draw.clear();
                self.helped = true;
                let next = self.to_move();
                if let (Some(clock), Some(times)) = (&mut self.clock, self.times.get(ply)) {
                    clock.restore(times, next, *at);
                }
            }
            Act::Resume { stopped } => {
                if let Some(clock) = &mut self.clock {
                    clock.resume(*stopped, *at);
                }
            }
        }
        Ok(())
    }

    /// Returns the seat whose clock should run. No clock runs before the first move.
    fn to_move(&self) -> Option<Seat> {
        self.table.acting().first().copied().filter(|_| self.table.ply() > 0)
    }

    /// Returns the seats that are still in the game.
    fn living(&self) -> Vec<Seat> {
        let out = self.table.eliminated();
        self.party.seats_where(|_| true).into_iter().filter(|seat| !out.contains(seat)).collect()
    }

    /// Whether only bots are still in the game.
    pub(crate) fn is_left_to_bots(&self) -> bool {
        let bot = |seat: Seat| self.party.player(seat).is_some_and(Player::is_bot);
        self.living().into_iter().all(bot)
    }

    /// Returns how many plies to take back to undo the latest move of these seats.
    fn plies_to_take_back(&self, mine: &[Seat]) -> Option<usize> {
        let living = self.living();
        let playing = mine.iter().any(|seat| living.contains(seat));
        if !playing || self.is_over() || !self.party.is_among_bots(mine) {
            return None;
        }
        let played = self.table.played().iter().rev();
        Some(1 + played.enumerate().find(|(_, played)| mine.contains(&played.seat))?.0)
    }

    /// Returns the part of the state that everybody sees. `here` says which guests are connected,
    /// and `watchers` is the number of spectators.
    pub(crate) fn public<'a>(
        &'a self,
        now: u64,
        stored: bool,
        here: impl Fn(GuestId) -> bool,
        watchers: usize,
    ) -> Public<'a> {
        let scene = self.table.scene();
        Public {
            id: &self.id,
            game: scene.game,
            seats: scene.seats,
            board: scene.board,
            players: self.party.shown(here),
            teams: scene.teams,
            out: scene.eliminated,
            scores: scene.scores,
            tints: scene.seat_colors,
            colors: scene.colors,
            shapes: scene.piece_shapes,
            men: scene.pieces,
            trays: scene.trays,
            last_move: scene.last_move,
            check: scene.check,
            acting: scene.acting,
            claim: scene.claim,
            outcome: scene.outcome,
            moves: self.table.played(),
            clock: self.clock.as_ref().map(|clock| clock.face(now)),
            draw: self.draw.first().copied(),
            agreed: self.draw.clone(),
            rematch: self.party.rematch().to_vec(),
            next: self.party.next(),
            stored,
            watchers,
            rated: self.is_rated(),
            ratings: self.standings(),
        }
    }

    /// Returns the part of the state that only this guest sees.
    pub(crate) fn personal(&self, guest: GuestId) -> Personal {
        let you = self.party.seats_of(guest);
        let waiting = self.party.open_seat().is_some();
        let choices = match waiting {
            true => Vec::new(),
            false => you.iter().flat_map(|&seat| self.table.choices(seat)).collect(),
        };
        let takeback = self.plies_to_take_back(&you).is_some();
        let hint = self.check_hint(&you).is_ok();
        Personal { you, choices, takeback, hint }
    }

    /// Returns the board after `ply` moves.
    ///
    /// # Errors
    /// Fails if the game has fewer moves.
    pub(crate) fn glance(&self, ply: usize) -> Result<Glance, String> {
        if ply > self.table.ply() {
            return Err(format!("expected a ply from 0 to {}, got {ply}", self.table.ply()));
        }
        let mut table = self.table.fork();
        table.jump(ply).map_err(|error| error.to_string())?;
        let scene = table.scene();
        Ok(Glance {
            out: scene.eliminated,
            scores: scene.scores,
            colors: scene.colors,
            men: scene.pieces,
            trays: scene.trays,
            last_move: scene.last_move,
            check: scene.check,
        })
    }

    /// Checks whether a guest's move could be played, without playing it.
    ///
    /// # Errors
    /// Returns a message for the guest if they cannot move now at all.
    pub(crate) fn attempt(
        &self,
        guest: GuestId,
        name: &str,
        text: &str,
        ply: usize,
    ) -> Result<Tried, String> {
        let command = Command::Move { text: text.to_owned(), ply };
        match self.decide(guest, name, &command)? {
            Act::Move { seat, text } => {
                Ok(Tried { why: self.table.refusal(seat, &text).map(in_words) })
            }
            _ => Err("that is not a move".to_owned()),
        }
    }

    /// Returns the name of the exported file.
    pub(crate) fn file_name(&self) -> String {
        let name = &self.party.setup().game;
        let game = fourfold_table::GAMES.iter().find(|game| game.id == name);
        let extension = game.map_or("txt", |game| game.extension);
        format!("{name}-{}.{extension}", self.id)
    }

    /// Exports the game as a file.
    pub(crate) fn export(&self) -> String {
        let mut table = self.table.fork();
        for (seat, player) in self.table.seats().iter().zip(self.party.players()) {
            if let Player::Guest { name, .. } | Player::Bot { name, .. } = player {
                let mut letters = seat.chars();
                let first = letters.next().map(|letter| letter.to_ascii_uppercase());
                let tag: String = first.into_iter().chain(letters).collect();
                // Formats without such a tag omit the name.
                let _ = table.set_tag(&tag, name);
            }
        }
        table.export()
    }
}

/// Says why a move is refused, to somebody who is looking at the position.
pub(crate) fn in_words(error: PlayError) -> String {
    match error {
        PlayError::Illegal { text, reason: None, .. } => {
            format!("'{}' is not a legal move here", quote_short(&text))
        }
        other => other.to_string(),
    }
}

/// Says why a declaration is refused.
fn declared_in_words(error: DeclareError) -> String {
    match error {
        DeclareError::NothingToClaim(..) => "there is no draw to claim now".to_owned(),
        other => other.to_string(),
    }
}
