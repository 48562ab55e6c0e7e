//! One game in real time and its players, as plain data.
//!
//! It is told the tick and touches neither network, disk nor clock. Whatever changes it is an
//! [`Entry`], or time; the same entries up to the same tick make the same room, which is how games come
//! back. Premoves are wishes and no entries: they are lost when the server goes down.

use std::collections::BTreeMap;

use fourfold_kung_fu::{
    self as rules, Cell, Event, Game, Order, Piece, PieceId, Players, Replay, Rules, Status,
    TICKS_PER_SECOND, What,
};
use fourfold_table::{Lying, Outcome, Place, Seat, kung_fu, shown};
use serde::{Deserialize, Serialize};

use super::kinds;
use crate::party::{Party, Player, Seating, Setup};
use crate::rating::{Standing, may_count};

/// Something that happened in a room, when it did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Milliseconds, as the server counts them.
    pub(crate) at: u64,
    pub(crate) act: Act,
}

/// What can happen in a room.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Act {
    /// Time runs from this tick on; the entry says since when.
    Go {
        tick: u64,
    },
    /// Time stands still at this tick.
    Stop {
        tick: u64,
    },
    /// An order was accepted, to a row and column.
    Order {
        tick: u64,
        player: u8,
        piece: u8,
        to: (u8, u8),
    },
    /// Somebody has resigned.
    Resign {
        tick: u64,
        player: u8,
    },
    /// All who are asked have agreed on a draw.
    Draw {
        tick: u64,
        players: Vec<u8>,
    },
    /// A seat offers a draw, or wants the one that is offered.
    Offer(Seat),
    Decline,
    #[serde(untagged)]
    Seating(Seating),
}

/// How time runs: the tick at a time in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pace {
    pub(crate) at: u64,
    pub(crate) tick: u64,
}

/// Where a piece is to go as soon as it is rested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Premove {
    pub(crate) player: u8,
    pub(crate) to: (i32, i32),
}

/// Why a king was lost last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fall {
    Taken(u8),
    Resigned,
}

/// One game in real time and its players.
pub(crate) struct Room {
    id: String,
    kind: &'static kinds::Kind,
    party: Party,
    game: Game,
    replay: Replay,
    pub(super) pace: Option<Pace>,
    pub(super) premoves: BTreeMap<PieceId, Premove>,
    /// The seats that want a draw, the one that offered it first.
    pub(super) draw: Vec<Seat>,
    /// What each seat has taken, the latest last.
    trays: Vec<Vec<Lying>>,
    fall: Option<Fall>,
    outcome: Option<Outcome>,
}

impl Room {
    /// A new game.
    ///
    /// # Errors
    /// If there is no such game, or it has another number of seats.
    pub(crate) fn new(id: String, setup: Setup) -> Result<Room, String> {
        let kind = kinds::find(&setup.game)
            .ok_or_else(|| format!("there is no game '{}' in real time", shown(&setup.game)))?;
        let words = setup.rules.as_deref().unwrap_or_default();
        let rules = Rules::parse(words).map_err(|error| error.to_string())?;
        let game = Game::create(rules).map_err(|error| error.to_string())?;
        let names = kung_fu::places(&rules).iter().map(|place| place.name).collect();
        let trays = vec![Vec::new(); rules.seats.len()];
        Ok(Room {
            id,
            kind,
            party: Party::new(setup, names)?,
            game,
            replay: Replay::of(&game),
            pace: None,
            premoves: BTreeMap::new(),
            draw: Vec::new(),
            trays,
            fall: None,
            outcome: None,
        })
    }

    /// A game that is to be played again from its record. The record knows no names.
    ///
    /// # Errors
    /// If it cannot even begin, or was played under other rules.
    pub(crate) fn of_replay(replay: &Replay) -> Result<Room, String> {
        let checked = Replay { acts: Vec::new(), end: 0, ..replay.clone() };
        let start = *checked.seeker().map_err(|error| error.to_string())?.last();
        let kind = kinds::on(replay.rules.board).ok_or("nobody plays on such a board")?;
        let setup = Setup::of_file(kind.id, &kung_fu::places(&replay.rules), |_| None);
        let setup = Setup { rules: Some(replay.rules.to_string()), ..setup };
        let room = Room::new(String::new(), setup)?;
        Ok(Room { game: start, replay: checked, ..room })
    }

    /// Does something of a record again.
    ///
    /// # Errors
    /// If the rules do not allow it, in their own words.
    pub(super) fn replay_act(&mut self, tick: u64, act: &rules::Act) -> Result<(), String> {
        if matches!(act, rules::Act::Resign { .. }) {
            self.fall = Some(Fall::Resigned);
        }
        self.play(tick, act.clone())
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn kind(&self) -> &'static kinds::Kind {
        self.kind
    }

    pub(crate) fn party(&self) -> &Party {
        &self.party
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn rules(&self) -> &Rules {
        self.game.rules()
    }

    pub(crate) fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    pub(crate) fn trays(&self) -> &[Vec<Lying>] {
        &self.trays
    }

    pub(crate) fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// Whether the game counts for ratings as it stands.
    pub(crate) fn is_rated(&self) -> bool {
        may_count(&self.party)
    }

    /// How the players stand, if the game counts for that.
    pub(crate) fn standings(&self) -> &[Standing] {
        if self.is_rated() { self.party.standings() } else { &[] }
    }

    /// Takes in how the players stand.
    pub(crate) fn know(&mut self, standings: Vec<Standing>) {
        self.party.know(standings);
    }

    /// Whether any piece was ever ordered.
    pub(crate) fn was_played(&self) -> bool {
        self.replay.acts.iter().any(|(_, act)| matches!(act, rules::Act::Order { .. }))
    }

    /// The seats that win and lose together.
    pub(crate) fn teams(&self) -> Vec<Vec<Seat>> {
        let rules = self.rules();
        if !rules.teams {
            return Vec::new();
        }
        let seat = |player| kung_fu::seat_of(rules, player);
        let team =
            |player: u8| rules.team(player).and(rules.seats).iter().filter_map(seat).collect();
        let first = rules.seats.iter().next().unwrap_or(1);
        let other = rules.seats.without(rules.team(first)).iter().next().unwrap_or(first);
        vec![team(first), team(other)]
    }

    pub(crate) fn places(&self) -> Vec<Place> {
        kung_fu::places(self.rules())
    }

    /// The seats that are out of a game which goes on for others, or did.
    pub(crate) fn out(&self) -> Vec<Seat> {
        let rules = self.rules();
        if rules.seats.len() == 2 {
            return Vec::new();
        }
        self.game.out().iter().filter_map(|player| kung_fu::seat_of(rules, player)).collect()
    }

    /// The player in a seat.
    pub(crate) fn player(&self, seat: Seat) -> Option<u8> {
        kung_fu::player_in(self.rules(), seat)
    }

    /// The people who are still in the game.
    pub(crate) fn living_people(&self) -> Players {
        self.game.alive().without(self.bots())
    }

    /// The players that are bots.
    fn bots(&self) -> Players {
        let bots = self.party.seats_where(Player::is_bot).into_iter();
        bots.filter_map(|seat| self.player(seat)).fold(Players::NONE, Players::with)
    }

    /// The bots that are still in the game, by player and level.
    pub(crate) fn living_bots(&self) -> Vec<(u8, &str)> {
        let alive = self.game.alive();
        let seats = self.party.seats_where(Player::is_bot).into_iter();
        let bots = seats.filter_map(|seat| match (self.player(seat)?, self.party.player(seat)?) {
            (player, Player::Bot { level, .. }) => Some((player, level.as_str())),
            (_, Player::Open | Player::Guest { .. }) => None,
        });
        bots.filter(|(player, _)| alive.contains(*player)).collect()
    }

    /// Whether everybody is there and nothing keeps time from running but that nobody has let it.
    pub(crate) fn is_ready(&self) -> bool {
        self.pace.is_none() && !self.is_over() && self.party.open_seat().is_none()
    }

    /// The tick on which time stood still, if the server was last known to run then.
    pub(crate) fn stopped_at(&self, alive: u64) -> Option<u64> {
        let pace = self.pace?;
        let ticks = alive.saturating_sub(pace.at) * u64::from(TICKS_PER_SECOND) / 1000;
        Some((pace.tick + ticks).max(self.game.now()))
    }

    /// Lets something happen.
    ///
    /// # Errors
    /// If the rules do not allow it, in their own words; nothing has changed then but time.
    pub(crate) fn act(&mut self, entry: &Entry) -> Result<(), String> {
        match &entry.act {
            Act::Seating(act) => self.party.act(act)?,
            Act::Go { tick } => {
                if self.game.now() == 0 && self.replay.acts.is_empty() {
                    self.begin()?;
                }
                self.advance(*tick);
                self.pace = Some(Pace { at: entry.at, tick: *tick });
            }
            Act::Stop { tick } => {
                self.advance(*tick);
                self.pace = None;
            }
            Act::Order { tick, player, piece, to: (row, column) } => {
                let to = Cell::on(self.rules().board, i32::from(*row), i32::from(*column));
                let to = to.ok_or("there is no such square")?;
                let order = Order { piece: PieceId(*piece), to };
                self.play(*tick, rules::Act::Order { player: *player, order })?;
                self.premoves.remove(&order.piece);
            }
            Act::Resign { tick, player } => {
                let before = self.fall.replace(Fall::Resigned);
                if let Err(why) = self.play(*tick, rules::Act::Resign { player: *player }) {
                    self.fall = before;
                    return Err(why);
                }
                self.draw.clear();
            }
            Act::Draw { tick, players } => {
                self.play(*tick, rules::Act::Draw { players: players.clone() })?;
            }
            Act::Offer(seat) => self.draw.push(*seat),
            Act::Decline => self.draw.clear(),
        }
        Ok(())
    }

    /// Who is a bot is settled when the game begins.
    fn begin(&mut self) -> Result<(), String> {
        let rules = Rules { bots: self.bots(), ..*self.rules() };
        self.game = Game::create(rules).map_err(|error| error.to_string())?;
        self.replay = Replay::of(&self.game);
        Ok(())
    }

    fn play(&mut self, tick: u64, act: rules::Act) -> Result<(), String> {
        self.advance(tick);
        let mut events = Vec::new();
        act.play(&mut self.game, &mut events)?;
        self.replay.acts.push((self.game.now(), act));
        self.note(&events);
        Ok(())
    }

    /// Lets time pass until a tick, or until the game is over.
    pub(crate) fn advance(&mut self, tick: u64) {
        let mut events = Vec::new();
        self.game.advance_to(tick, &mut events);
        self.note(&events);
    }

    /// Keeps in mind what the board does not show.
    fn note(&mut self, events: &[Event]) {
        for event in events {
            match event.what {
                What::Taken { victim, by } => self.note_taken(victim, by),
                What::Over(result) => {
                    let reason = self.reason(result, event.tick, events);
                    self.outcome = kung_fu::outcome(&self.game, reason);
                    self.pace = None;
                    self.premoves.clear();
                    self.draw.clear();
                }
                What::Returns { .. }
                | What::Arrives { .. }
                | What::Becomes { .. }
                | What::Rested { .. }
                | What::Removed { .. } => {}
            }
        }
        let there = |id: &PieceId| self.game.piece(*id).is_some_and(Piece::is_there);
        self.premoves.retain(|id, _| there(id));
    }

    fn note_taken(&mut self, victim: PieceId, by: Option<PieceId>) {
        let Some(victim) = self.game.piece(victim) else { return };
        if victim.kind() == rules::Kind::King {
            self.fall = Some(Fall::Taken(victim.player()));
            // What was agreed among others is not agreed any more.
            self.draw.clear();
        }
        let taker = by.and_then(|id| self.game.piece(id)).map(Piece::player);
        let taker = taker.and_then(|player| kung_fu::seat_of(self.rules(), player));
        let owner = kung_fu::seat_of(self.rules(), victim.player());
        if let (Some(taker), Some(owner)) = (taker, owner) {
            self.trays[taker.index()].push(Lying { piece: victim.kind().letter(), seat: owner });
        }
    }

    /// Why the game is over.
    fn reason(&self, result: rules::Outcome, tick: u64, events: &[Event]) -> String {
        let king = |id: PieceId| self.game.piece(id).is_some_and(|p| p.kind() == rules::Kind::King);
        let kings_fell = events.iter().any(|event| {
            event.tick == tick && matches!(event.what, What::Taken { victim, .. } if king(victim))
        });
        let agreed = matches!(self.replay.acts.last(), Some((_, rules::Act::Draw { .. })));
        match (result, self.fall) {
            (rules::Outcome::Draw, _) if agreed => "agreement".to_owned(),
            (rules::Outcome::Draw, _) if kings_fell => {
                "the fall of the last kings at once".to_owned()
            }
            (rules::Outcome::Draw, _) => "time: too long without a move and a capture".to_owned(),
            (rules::Outcome::Win(_), Some(Fall::Taken(player))) => {
                let seat = kung_fu::seat_of(self.rules(), player).map_or(0, Seat::index);
                let name = self.places().get(seat).map_or("the last", |place| place.name);
                format!("taking the king of {name}")
            }
            (rules::Outcome::Win(_), Some(Fall::Resigned) | None) => "resignation".to_owned(),
        }
    }

    /// A player's piece that is still there.
    ///
    /// # Errors
    /// If it is none, in the words of the rules.
    pub(crate) fn own_piece(&self, player: u8, id: PieceId) -> Result<&Piece, String> {
        let refused = |refusal: rules::Refusal| Err(refusal.to_string());
        match self.game.piece(id) {
            _ if self.is_over() => refused(rules::Refusal::GameOver),
            _ if self.game.out().contains(player) => refused(rules::Refusal::Eliminated),
            None => refused(rules::Refusal::NoPiece),
            Some(piece) if piece.player() != player => refused(rules::Refusal::NotYours),
            Some(piece) if !piece.is_there() => refused(rules::Refusal::Captured),
            Some(piece) => Ok(piece),
        }
    }

    /// Where a player's piece may go: now or, if it is not rested yet, as soon as it is, if nobody
    /// orders anything before.
    ///
    /// # Errors
    /// If it is no piece of the player's.
    pub(crate) fn targets(&self, player: u8, id: PieceId) -> Result<Vec<Cell>, String> {
        let mut piece = *self.own_piece(player, id)?;
        let mut game = self.game;
        let mut events = Vec::new();
        while !matches!(piece.status(), Status::Standing | Status::Gone) && game.outcome().is_none()
        {
            game.advance_to(game.next_event().max(game.now() + 1), &mut events);
            piece = game.piece(id).copied().unwrap_or(piece);
        }
        let mut orders = Vec::new();
        game.legal_orders(player, &mut orders);
        Ok(orders.iter().filter(|order| order.piece == id).map(|order| order.to).collect())
    }

    /// The premoves whose pieces are rested now, in the order of the pieces; they are held no longer.
    pub(crate) fn due_premoves(&mut self) -> Vec<(PieceId, Premove)> {
        let game = &self.game;
        let rested =
            |id: &PieceId| game.piece(*id).is_some_and(|piece| piece.status() == Status::Standing);
        self.premoves.extract_if(.., |id, _| rested(id)).collect()
    }

    /// What to call the game's file.
    pub(crate) fn file_name(&self) -> String {
        format!("{}-{}.json", self.kind.id, self.id)
    }

    /// The game as a file: all that was accepted so far.
    pub(crate) fn export(&self) -> String {
        let replay = Replay { end: self.game.now(), ..self.replay.clone() };
        kung_fu::write_text(&replay)
    }
}
