//! One real-time game and its players, as plain data.
//!
//! A room does no I/O and does not read the clock: its events carry their tick. Every change is an
//! [`Entry`] or the passing of time, and the same entries up to the same tick produce the same
//! room, which is how games are restored. Premoves are not entries and are lost when the server
//! shuts down.

use std::collections::BTreeMap;

use fourfold_kung_fu::{
    self as rules, Cell, Event, EventKind, Game, Order, Piece, PieceId, Players, Replay, Rules,
    Status, TICKS_PER_SECOND,
};
use fourfold_table::{
    CapturedPiece, Outcome, Seat, SeatColors, SeatInfo, capitalize, kung_fu, quote_short,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::kinds;
use super::play::TickState;
use crate::game::{Entry, GameRoom};
use crate::journal::Journal;
use crate::protocol::{self, Object};
use crate::seating::{DrawVote, Player, SeatEvent, Seats, Setup, check_not_over};
use crate::store::Downtime;
use crate::viewer::GameRecord;

/// Something that can happen in a room.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RoomEvent {
    /// Time runs from this tick on, starting at the entry's time.
    Go { tick: u64 },
    /// Time stops at this tick.
    Stop { tick: u64 },
    /// An order was accepted. `to` is a row and a column.
    Order { tick: u64, player: u8, piece: u8, to: (u8, u8) },
    /// A player has resigned.
    Resign { tick: u64, player: u8 },
    /// A player has left before any person had given an order.
    Abort { tick: u64 },
    /// All people who are still in the game have agreed to a draw.
    Draw { tick: u64, players: Vec<u8> },
    #[serde(untagged)]
    Seating(SeatEvent),
}

/// How time runs: `tick` is the current tick at time `at`, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TickClock {
    pub(crate) at: u64,
    pub(crate) tick: u64,
}

/// Where a piece will be ordered as soon as it has rested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Premove {
    pub(crate) player: rules::Player,
    pub(crate) to: (i32, i32),
}

/// How the latest king was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Elimination {
    Captured(rules::Player),
    Resigned,
}

/// One real-time game and its players.
pub(crate) struct Room {
    kind: &'static kinds::Kind,
    seats: Seats,
    game: Game,
    replay: Replay,
    pub(super) clock: Option<TickClock>,
    pub(super) premoves: BTreeMap<PieceId, Premove>,
    /// The pieces each seat has captured, latest last.
    captured: Vec<Vec<CapturedPiece>>,
    elimination: Option<Elimination>,
    pub(super) outcome: Option<Outcome>,
}

impl Room {
    /// Creates the room in which a replay will be played back. Replays do not contain names.
    ///
    /// # Errors
    /// Fails if the start position is invalid, or if no game is played on such a board.
    pub(crate) fn of_replay(replay: &Replay) -> Result<Room, String> {
        let checked = Replay { actions: Vec::new(), end: 0, ..replay.clone() };
        let start = *checked.seeker().map_err(|error| error.to_string())?.last();
        let kind = kinds::for_board(replay.rules.board).ok_or("no game uses this board")?;
        let setup = Setup::of_file(kind.id, &kung_fu::seats(&replay.rules), |_| None);
        let setup = Setup { rules: Some(replay.rules.to_string()), ..setup };
        let room = Room::new(String::new(), setup)?;
        Ok(Room { game: start, replay: checked, ..room })
    }

    /// Applies an action of a replay.
    ///
    /// # Errors
    /// Returns the reason if the rules do not allow it.
    pub(super) fn replay_action(
        &mut self,
        tick: u64,
        action: &rules::PlayerAction,
    ) -> Result<(), String> {
        if matches!(action, rules::PlayerAction::Resign { .. }) {
            self.elimination = Some(Elimination::Resigned);
        }
        self.play(tick, action.clone())
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn rules(&self) -> Rules {
        self.game.rules()
    }

    pub(crate) fn captured(&self) -> &[Vec<CapturedPiece>] {
        &self.captured
    }

    pub(crate) fn seat_infos(&self) -> Vec<SeatInfo> {
        kung_fu::seats(&self.rules())
    }

    /// Returns the eliminated seats. Always empty with two players, where an elimination ends the
    /// game.
    pub(crate) fn eliminated(&self) -> Vec<Seat> {
        let rules = self.rules();
        if rules.players.len() == 2 {
            return Vec::new();
        }
        self.game
            .eliminated()
            .iter()
            .filter_map(|player| kung_fu::seat_of(&rules, player))
            .collect()
    }

    /// Returns the player in a seat.
    pub(crate) fn player(&self, seat: Seat) -> Option<rules::Player> {
        kung_fu::player_in(&self.rules(), seat)
    }

    /// Returns the people who are still in the game.
    pub(crate) fn active_people(&self) -> Players {
        self.game.alive().without(self.bots())
    }

    /// Returns the players that are bots.
    fn bots(&self) -> Players {
        let bots = self.seats.seats_where(Player::is_bot).into_iter();
        bots.filter_map(|seat| self.player(seat)).fold(Players::NONE, Players::with)
    }

    /// Whether one of these players has given an order.
    fn has_order_of(&self, players: Players) -> bool {
        self.replay.actions.iter().any(|(_, action)| {
            matches!(action, rules::PlayerAction::Order { player, .. } if players.contains(*player))
        })
    }

    /// Returns the bots that are still in the game, by player and level.
    pub(crate) fn active_bots(&self) -> Vec<(rules::Player, &str)> {
        let bots = self.seats.seats_where(Player::is_bot).into_iter().filter_map(|seat| {
            let player = self.player(seat).filter(|player| self.game.alive().contains(*player))?;
            Some((player, self.seats.player(seat)?.level()?))
        });
        bots.collect()
    }

    /// Whether time could run: all seats are taken, and the game is neither running nor over.
    pub(crate) fn is_ready(&self) -> bool {
        self.clock.is_none() && !self.is_over() && self.seats.open_seat().is_none()
    }

    /// Returns the tick at which time stopped if the server was last alive at `alive`, or `None` if
    /// it was not running.
    pub(crate) fn stopped_at(&self, alive: u64) -> Option<u64> {
        let clock = self.clock?;
        let ticks = alive.saturating_sub(clock.at) * u64::from(TICKS_PER_SECOND) / 1000;
        Some((clock.tick + ticks).max(self.game.now()))
    }

    /// Recreates the game now that all seats are taken, because its rules name the bots.
    fn begin(&mut self) -> Result<(), String> {
        let rules = Rules { bots: self.bots(), ..self.rules() };
        self.game = Game::new(rules).map_err(|error| error.to_string())?;
        self.replay = Replay::of(&self.game);
        Ok(())
    }

    fn play(&mut self, tick: u64, action: rules::PlayerAction) -> Result<(), String> {
        self.advance(tick);
        let mut events = Vec::new();
        action.play(&mut self.game, &mut events)?;
        self.replay.actions.push((self.game.now(), action));
        self.note(&events);
        Ok(())
    }

    /// Advances time to a tick, or until the game is over.
    pub(crate) fn advance(&mut self, tick: u64) {
        let mut events = Vec::new();
        self.game.advance_to(tick, &mut events);
        self.note(&events);
    }

    /// Records what the board does not show: captures, the outcome and its reason.
    fn note(&mut self, events: &[Event]) {
        for event in events {
            match event.kind {
                EventKind::Captured { victim, by } => self.note_capture(victim, by),
                EventKind::Over(result) => {
                    let reason = self.reason(result, event.tick, events);
                    self.end(kung_fu::outcome(&self.game, reason));
                }
                EventKind::Returns { .. }
                | EventKind::Arrives { .. }
                | EventKind::Promoted { .. }
                | EventKind::Rested { .. }
                | EventKind::Removed { .. } => {}
            }
        }
        let there = |id: &PieceId| self.game.piece(*id).is_some_and(Piece::is_alive);
        self.premoves.retain(|id, _| there(id));
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.outcome = outcome;
        self.clock = None;
        self.premoves.clear();
        self.seats.draw.clear();
    }

    fn note_capture(&mut self, victim: PieceId, by: Option<PieceId>) {
        let Some(victim) = self.game.piece(victim) else { return };
        if victim.role() == rules::Role::King {
            self.elimination = Some(Elimination::Captured(victim.player()));
            // With a player eliminated, the draw has to be agreed again.
            self.seats.draw.clear();
        }
        let captor = by.and_then(|id| self.game.piece(id)).map(Piece::player);
        let captor = captor.and_then(|player| kung_fu::seat_of(&self.rules(), player));
        let owner = kung_fu::seat_of(&self.rules(), victim.player());
        if let (Some(captor), Some(owner)) = (captor, owner) {
            self.captured[captor.index()]
                .push(CapturedPiece { piece: victim.role().letter(), seat: owner });
        }
    }

    /// Returns why the game is over.
    fn reason(&self, result: rules::Outcome, tick: u64, events: &[Event]) -> String {
        let king = |id: PieceId| self.game.piece(id).is_some_and(|p| p.role() == rules::Role::King);
        let kings_fell = events.iter().any(|event| {
            event.tick == tick
                && matches!(event.kind, EventKind::Captured { victim, .. } if king(victim))
        });
        let agreed =
            matches!(self.replay.actions.last(), Some((_, rules::PlayerAction::Draw { .. })));
        let reason = match (result, self.elimination) {
            (rules::Outcome::Draw, _) if agreed => "agreement",
            (rules::Outcome::Draw, _) if kings_fell => "simultaneous capture of the last kings",
            (rules::Outcome::Draw, _) => "inactivity (no move and no capture for too long)",
            (rules::Outcome::Win(_), Some(Elimination::Captured(player))) => {
                let seat = kung_fu::seat_of(&self.rules(), player).map_or(0, Seat::index);
                let name = self.seat_infos().get(seat).map_or("the opponent", |place| place.name);
                return format!("capturing {}'s king", capitalize(name));
            }
            (rules::Outcome::Win(_), Some(Elimination::Resigned) | None) => "resignation",
        };
        reason.to_owned()
    }

    /// Returns a player's piece that is still on the board.
    ///
    /// # Errors
    /// Returns the reason in the words of the rules if there is no such piece.
    pub(crate) fn own_piece(&self, player: rules::Player, id: PieceId) -> Result<&Piece, String> {
        let refused = |refusal: rules::Refusal| Err(refusal.to_string());
        match self.game.piece(id) {
            _ if self.is_over() => refused(rules::Refusal::GameOver),
            _ if self.game.eliminated().contains(player) => refused(rules::Refusal::Eliminated),
            None => refused(rules::Refusal::NoPiece),
            Some(piece) if piece.player() != player => refused(rules::Refusal::NotYourPiece),
            Some(piece) if !piece.is_alive() => refused(rules::Refusal::Captured),
            Some(piece) => Ok(piece),
        }
    }

    /// Returns where a player's piece may go: now or, if it has not rested yet, as soon as it has,
    /// provided that nobody gives another order until then.
    ///
    /// # Errors
    /// Fails if the piece does not belong to the player.
    pub(crate) fn targets(&self, player: rules::Player, id: PieceId) -> Result<Vec<Cell>, String> {
        let mut piece = *self.own_piece(player, id)?;
        let mut game = self.game;
        let mut events = Vec::new();
        while !matches!(piece.status(), Status::Standing | Status::Gone) && game.outcome().is_none()
        {
            game.advance_to(game.next_event().max(game.now() + 1), &mut events);
            piece = game.piece(id).copied().unwrap_or(piece);
        }
        let mut orders = Vec::new();
        game.legal_orders_into(player, &mut orders);
        Ok(orders.iter().filter(|order| order.piece == id).map(|order| order.to).collect())
    }

    /// Removes and returns the premoves whose pieces have rested, in the order of the pieces.
    pub(crate) fn due_premoves(&mut self) -> Vec<(PieceId, Premove)> {
        let game = &self.game;
        let rested =
            |id: &PieceId| game.piece(*id).is_some_and(|piece| piece.status() == Status::Standing);
        self.premoves.extract_if(.., |id, _| rested(id)).collect()
    }
}

/// Returns the player with a number of the journal.
fn player_numbered(number: u8) -> Result<rules::Player, String> {
    rules::Player::from_number(number).ok_or_else(|| rules::Refusal::NotPlaying.to_string())
}

impl GameRoom for Room {
    type Event = RoomEvent;
    type State = TickState;

    fn new(id: String, setup: Setup) -> Result<Room, String> {
        let kind = kinds::find(&setup.game)
            .ok_or_else(|| format!("there is no real-time game '{}'", quote_short(&setup.game)))?;
        let words = setup.rules.as_deref().unwrap_or_default();
        let rules = Rules::parse(words).map_err(|error| error.to_string())?;
        let game = Game::new(rules).map_err(|error| error.to_string())?;
        let names = kung_fu::seats(&rules).iter().map(|place| place.name).collect();
        let captured = vec![Vec::new(); rules.players.len()];
        Ok(Room {
            kind,
            seats: Seats::new(id, setup, names)?,
            game,
            replay: Replay::of(&game),
            clock: None,
            premoves: BTreeMap::new(),
            captured,
            elimination: None,
            outcome: None,
        })
    }

    fn seats(&self) -> &Seats {
        &self.seats
    }

    fn seats_mut(&mut self) -> &mut Seats {
        &mut self.seats
    }

    fn apply(&mut self, entry: &Entry<RoomEvent>) -> Result<(), String> {
        match &entry.event {
            RoomEvent::Seating(event) => self.seats.apply(event)?,
            RoomEvent::Go { tick } => {
                if self.game.now() == 0 && self.replay.actions.is_empty() {
                    self.begin()?;
                }
                self.advance(*tick);
                self.clock = Some(TickClock { at: entry.at, tick: *tick });
            }
            RoomEvent::Stop { tick } => {
                self.advance(*tick);
                self.clock = None;
            }
            RoomEvent::Order { tick, player, piece, to: (row, column) } => {
                let to = Cell::on(self.rules().board, i32::from(*row), i32::from(*column));
                let to = to.ok_or("there is no such square")?;
                let order = Order { piece: PieceId(*piece), to };
                self.play(
                    *tick,
                    rules::PlayerAction::Order { player: player_numbered(*player)?, order },
                )?;
                self.premoves.remove(&order.piece);
            }
            RoomEvent::Resign { tick, player } => {
                let player = player_numbered(*player)?;
                let before = self.elimination.replace(Elimination::Resigned);
                if let Err(why) = self.play(*tick, rules::PlayerAction::Resign { player }) {
                    self.elimination = before;
                    return Err(why);
                }
                self.seats.draw.clear();
            }
            RoomEvent::Abort { tick } => {
                self.advance(*tick);
                check_not_over(self.outcome.as_ref().map(|outcome| &outcome.text[..]))?;
                self.end(Some(Outcome::aborted()));
            }
            RoomEvent::Draw { tick, players } => {
                let players =
                    players.iter().copied().map(player_numbered).collect::<Result<_, _>>()?;
                self.play(*tick, rules::PlayerAction::Draw { players })?;
            }
        }
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    fn was_played(&self) -> bool {
        let aborted = self.outcome == Some(Outcome::aborted());
        !aborted && self.has_order_of(self.rules().players)
    }

    fn is_abortable(&self) -> bool {
        let people = self.rules().players.without(self.bots());
        let begun = self.seats.open_seat().is_none();
        !self.is_over() && (begun || self.seats.is_one_waiting()) && !self.has_order_of(people)
    }

    /// Bots are not asked.
    fn draw_vote(&self) -> DrawVote {
        let people = self.active_people();
        let seats = people.iter().filter_map(|player| kung_fu::seat_of(&self.rules(), player));
        let refusal = (people.len() == 1).then(|| "bots do not accept draws".to_owned());
        DrawVote { seats: seats.collect(), refusal }
    }

    /// The game stays paused until a player returns.
    fn pause(&self, downtimes: &[Downtime], _latest: u64, now: u64) -> Vec<Entry<RoomEvent>> {
        let stopped = downtimes.first().and_then(|downtime| self.stopped_at(downtime.stopped));
        let stop = |tick| Entry { at: now, event: RoomEvent::Stop { tick } };
        stopped.map(stop).into_iter().collect()
    }

    /// The pieces and the time, which change often, are sent separately.
    fn scene(&self) -> Object {
        protocol::object(&json!({
            "eliminated": self.eliminated(), "captured": self.captured, "outcome": self.outcome,
        }))
    }

    fn layout(&self) -> Object {
        let rules = self.rules();
        protocol::object(&json!({
            "game": self.kind.id, "board": kung_fu::shape(rules.board), "seats": self.seat_infos(),
            "teams": self.teams(), "seat_colors": SeatColors::of(rules.players.len()), "claim": null,
            "opening": null, "scores": [], "colors": [], "piece_shapes": [], "pieces": [],
            "last_move": [], "check": [], "acting": [],
        }))
    }

    fn teams(&self) -> Vec<Vec<Seat>> {
        let rules = self.rules();
        if !rules.teams {
            return Vec::new();
        }
        let seat = |player| kung_fu::seat_of(&rules, player);
        let team = |player| rules.team(player).and(rules.players).iter().filter_map(seat).collect();
        let first = rules.players.iter().next().unwrap_or(rules::Player::ALL[0]);
        let other = rules.players.without(rules.team(first)).iter().next().unwrap_or(first);
        vec![team(first), team(other)]
    }

    fn tick(&self) -> Option<u64> {
        Some(self.game.now())
    }

    fn export(&self) -> (String, String) {
        let replay = Replay { end: self.game.now(), ..self.replay.clone() };
        (format!("{}-{}.json", self.kind.id, self.seats.id), kung_fu::write_text(&replay))
    }

    fn record(&self) -> GameRecord {
        GameRecord::RealTime(Box::new(self.game))
    }

    fn state(&self, _journal: &Journal) -> TickState {
        TickState::new(self)
    }
}
