//! A game of kung fu chess with its replay.

use std::fmt::Display;

use fourfold_kung_fu::{
    Cell, DrawRefusal, Event, EventKind, Game, Order, Outcome, PieceId, Player, PlayerAction,
    Refusal, Replay, ResignRefusal, Role, Status,
};
use fourfold_table::kung_fu as files;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{IllegalMoveError, ToPython};
use crate::pictures;

/// A game with a replay of what was accepted since its start. A game from a snapshot has no replay.
#[pyclass(module = "fourfold._core")]
pub(crate) struct KungFu {
    game: Game,
    replay: Option<Replay>,
}

/// An event: tick, name, piece, capturing piece, (row, column), new role, winners, and text.
type EventTuple = (
    u64,
    &'static str,
    Option<String>,
    Option<String>,
    Option<(u8, u8)>,
    Option<char>,
    Vec<u8>,
    String,
);

/// A piece: name, role, player, (row, column), destination, (start, arrival), end of rest, whether
/// it has moved, and status.
type PieceTuple = (
    String,
    char,
    u8,
    (u8, u8),
    Option<(u8, u8)>,
    Option<(u64, u64)>,
    Option<u64>,
    bool,
    &'static str,
);

#[pymethods]
impl KungFu {
    #[new]
    fn new(words: &str, pieces: &str) -> PyResult<KungFu> {
        let game = Game::parse(words, pieces).map_err(ToPython::to_python)?;
        Ok(KungFu { game, replay: Some(Replay::of(&game)) })
    }

    /// Orders a piece to a row and column.
    fn order(&mut self, player: i64, piece: &str, row: i64, column: i64) -> PyResult<()> {
        let id = self.game.piece_named(piece).unwrap_or(PieceId(u8::MAX));
        // Coordinates that do not fit into an `i32` are off the board.
        let number = |number: i64| i32::try_from(number).unwrap_or(-1);
        let to = (number(row), number(column));
        let tick = self.game.now();
        let order = format!("order {piece}->{row},{column}");
        let refusal = |refusal: Refusal| refused(&order, refusal.name(), &refusal);
        let closed = self.game.is_closed();
        let unknown = if closed { Refusal::TickClosed } else { Refusal::NotPlaying };
        let player = self.player(player, Refusal::GameOver, unknown).map_err(refusal)?;
        self.game.order(player, id, to).map_err(refusal)?;
        if let Some(to) = Cell::on(self.game.rules().board, to.0, to.1) {
            self.keep(tick, PlayerAction::Order { player, order: Order { piece: id, to } });
        }
        Ok(())
    }

    /// A player resigns.
    fn resign(&mut self, player: i64) -> PyResult<Vec<EventTuple>> {
        let (tick, mut events) = (self.game.now(), Vec::new());
        let refusal = |refusal: ResignRefusal| refused("resignation", refusal.name(), &refusal);
        let player = self.player(player, ResignRefusal::GameOver, ResignRefusal::NotPlaying);
        let player = player.map_err(refusal)?;
        self.game.resign(player, &mut events).map_err(refusal)?;
        self.keep(tick, PlayerAction::Resign { player });
        Ok(self.event_tuples(&events))
    }

    /// The players agree to a draw.
    fn draw(&mut self, players: Vec<i64>) -> PyResult<Vec<EventTuple>> {
        let (tick, mut events) = (self.game.now(), Vec::new());
        let refusal = |refusal: DrawRefusal| refused("draw", refusal.name(), &refusal);
        let player = |&number| self.player(number, DrawRefusal::GameOver, DrawRefusal::NotPlaying);
        let players = players.iter().map(player).collect::<Result<Vec<Player>, _>>();
        let players = players.map_err(refusal)?;
        self.game.agree_on_draw(&players, &mut events).map_err(refusal)?;
        self.keep(tick, PlayerAction::Draw { players });
        Ok(self.event_tuples(&events))
    }

    /// Advances the game to a tick, or until it is over.
    fn advance_to(&mut self, py: Python<'_>, tick: u64) -> Vec<EventTuple> {
        let mut events = Vec::new();
        py.detach(|| self.game.advance_to(tick, &mut events));
        self.event_tuples(&events)
    }

    /// The legal orders of a player as text, sorted.
    fn legal_orders(&self, player: i64) -> Vec<String> {
        let mut orders = Vec::new();
        if let Ok(player) = self.player(player, (), ()) {
            self.game.legal_orders_into(player, &mut orders);
        }
        let text = |order: &Order| {
            format!("{}->{},{}", self.game.name(order.piece), order.to.row(), order.to.column())
        };
        let mut texts: Vec<String> = orders.iter().map(text).collect();
        texts.sort();
        texts
    }

    fn now(&self) -> u64 {
        self.game.now()
    }

    /// The first tick at which something can happen.
    fn next_event(&self) -> Option<u64> {
        self.game.outcome().is_none().then(|| self.game.next_event())
    }

    /// The complete state of the game in one line.
    fn state(&self) -> String {
        self.game.to_string()
    }

    /// The rules in words.
    fn rules(&self) -> String {
        self.game.rules().to_string()
    }

    fn seats(&self) -> Vec<u8> {
        self.game.rules().players.iter().map(Player::number).collect()
    }

    fn alive(&self) -> Vec<u8> {
        self.game.alive().iter().map(Player::number).collect()
    }

    /// The winners, if the game is over. Empty for a draw.
    fn outcome(&self) -> Option<Vec<u8>> {
        self.game.outcome().map(winners)
    }

    fn pieces(&self) -> Vec<PieceTuple> {
        let tuple = |id: PieceId| {
            let piece = self.game.piece(id)?;
            let (to, flight, until, status) = match piece.status() {
                Status::Standing => (None, None, None, "standing"),
                Status::Resting { until } => (None, None, Some(until), "resting"),
                Status::Moving { to, start, arrive, .. } => {
                    (Some(place(to)), Some((start, arrive)), None, "moving")
                }
                Status::Gone => (None, None, None, "gone"),
            };
            let (role, player) = (piece.role().letter(), piece.player().number());
            let name = self.game.name(id);
            Some((name, role, player, place(piece.at()), to, flight, until, piece.moved(), status))
        };
        self.game.ids().filter_map(tuple).collect()
    }

    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.game.to_bytes())
    }

    #[staticmethod]
    fn from_snapshot(bytes: &[u8]) -> PyResult<KungFu> {
        let game = Game::from_bytes(bytes).map_err(ToPython::to_python)?;
        Ok(KungFu { game, replay: None })
    }

    /// The replay as JSON.
    fn replay_text(&self) -> PyResult<String> {
        Ok(files::write_text(&self.replay()?))
    }

    /// The replay in a compact binary format.
    fn replay_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &files::write_bytes(&self.replay()?)))
    }

    /// The final state of a game from a replay in JSON.
    #[staticmethod]
    fn from_replay_text(py: Python<'_>, text: &str) -> PyResult<KungFu> {
        played(py, files::read_text(text))
    }

    /// The final state of a game from a replay in the binary format.
    #[staticmethod]
    fn from_replay_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<KungFu> {
        played(py, files::read_bytes(bytes))
    }

    /// The game as it was at a tick, including the orders accepted at that tick.
    fn seek(&self, tick: u64) -> PyResult<KungFu> {
        let mut replay = self.replay()?;
        let game = replay.seeker().map_err(ToPython::to_python)?.seek(tick);
        replay.actions.retain(|(at, _)| *at <= tick);
        Ok(KungFu { game, replay: Some(replay) })
    }

    /// All events since the start.
    fn events(&self) -> PyResult<Vec<EventTuple>> {
        let replay = self.replay()?;
        let seeker = replay.seeker().map_err(ToPython::to_python)?;
        Ok(self.event_tuples(seeker.events()))
    }

    /// The board as SVG, seen from the seat with this index.
    fn svg(&self, seat: usize, theme: &str, pixels: u32) -> PyResult<String> {
        Ok(pictures::of_kung_fu(&self.game, (seat, theme, pixels))?.svg())
    }

    /// The game so far as an animated SVG with a frame every `ticks` ticks, and its duration in
    /// milliseconds. Each frame is shown for `each` milliseconds, and the last one for `hold`
    /// milliseconds longer.
    #[allow(clippy::too_many_arguments, reason = "drawing options and animation options")]
    fn animation(
        &self,
        py: Python<'_>,
        seat: usize,
        theme: &str,
        pixels: u32,
        ticks: u64,
        each: u32,
        hold: u32,
    ) -> PyResult<(String, u64)> {
        let replay = self.replay()?;
        let seeker = py.detach(|| replay.seeker()).map_err(ToPython::to_python)?;
        let last = self.game.now();
        let ticks = (0..last).step_by(ticks.max(1) as usize).chain([last]);
        let options = (seat, theme, pixels);
        let frames = ticks.map(|tick| pictures::of_kung_fu(&seeker.seek(tick), options));
        pictures::animation(py, frames, each, hold)
    }

    fn has_replay(&self) -> bool {
        self.replay.is_some()
    }

    fn copy(&self) -> KungFu {
        KungFu { game: self.game, replay: self.replay.clone() }
    }
}

impl KungFu {
    /// Returns the replay up to now.
    fn replay(&self) -> PyResult<Replay> {
        let error = || PyValueError::new_err("a game restored from a snapshot has no replay");
        let replay = self.replay.clone().ok_or_else(error)?;
        Ok(Replay { end: self.game.now(), ..replay })
    }

    fn keep(&mut self, tick: u64, act: PlayerAction) {
        if let Some(replay) = &mut self.replay {
            replay.actions.push((tick, act));
        }
    }

    fn event_tuples(&self, events: &[Event]) -> Vec<EventTuple> {
        events.iter().map(|event| self.event_tuple(event)).collect()
    }

    fn event_tuple(&self, event: &Event) -> EventTuple {
        let name = |id| Some(self.game.name(id));
        let (kind, (piece, by), at, role) = match event.kind {
            EventKind::Captured { victim, by } => {
                ("captured", (name(victim), by.and_then(name)), None, None)
            }
            EventKind::Returns { rook, at } => ("returns", (name(rook), None), Some(at), None),
            EventKind::Arrives { piece, at } => ("arrives", (name(piece), None), Some(at), None),
            EventKind::Promoted { piece, role } => {
                ("becomes", (name(piece), None), None, Some(role))
            }
            EventKind::Rested { piece } => ("rested", (name(piece), None), None, None),
            EventKind::Removed { piece } => ("removed", (name(piece), None), None, None),
            EventKind::Over(_) => ("over", (None, None), None, None),
        };
        let won =
            if let EventKind::Over(outcome) = event.kind { winners(outcome) } else { Vec::new() };
        let (at, role) = (at.map(place), role.map(Role::letter));
        (event.tick, kind, piece, by, at, role, won, self.game.text(event))
    }

    /// Returns the player with a number, or why nobody with such a number can act: `over` if the
    /// game is over, otherwise `unknown`.
    fn player<R>(&self, number: i64, over: R, unknown: R) -> Result<Player, R> {
        let player = u8::try_from(number).ok().and_then(Player::from_number);
        player.ok_or(if self.game.outcome().is_some() { over } else { unknown })
    }
}

fn refused(what: &str, name: &str, refusal: &dyn Display) -> PyErr {
    IllegalMoveError::new_err(format!("illegal {what} ({name}): {refusal}"))
}

fn place(cell: Cell) -> (u8, u8) {
    (cell.row(), cell.column())
}

fn winners(outcome: Outcome) -> Vec<u8> {
    match outcome {
        Outcome::Win(players) => players.iter().map(Player::number).collect(),
        Outcome::Draw => Vec::new(),
    }
}

/// Plays a replay to its end.
fn played(py: Python<'_>, read: Result<Replay, files::ReplayFileError>) -> PyResult<KungFu> {
    let replay = read.map_err(ToPython::to_python)?;
    let game = py.detach(|| replay.seeker().map(|seeker| *seeker.last()));
    Ok(KungFu { game: game.map_err(ToPython::to_python)?, replay: Some(replay) })
}
