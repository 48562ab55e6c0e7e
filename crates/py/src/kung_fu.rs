//! A game of kung fu chess with its record.

use fourfold_draw::Film;
use fourfold_kung_fu::{
    Act, Cell, Event, Game, Order, Outcome, PieceId, Players, Replay, Status, What,
};
use fourfold_table::kung_fu as files;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{IllegalMoveError, PositionError, SavedStateError};
use crate::pictures;

/// A game, and what was accepted in it since its start; a game from a snapshot has no start.
#[pyclass(module = "fourfold._core")]
pub(crate) struct KungFu {
    game: Game,
    record: Option<Replay>,
}

/// Tick, what, piece, taker, row and column, kind, winners, all as text.
type Told = (
    u64,
    &'static str,
    Option<String>,
    Option<String>,
    Option<(u8, u8)>,
    Option<char>,
    Vec<u8>,
    String,
);

/// Name, kind, player, row and column, destination, start and arrival, rested when, moved, status.
type PieceTold = (
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
        let game = Game::parse(words, pieces);
        let game = game.map_err(|error| PositionError::new_err(error.to_string()))?;
        Ok(KungFu { game, record: Some(Replay::of(&game)) })
    }

    /// Orders a piece to a row and column.
    fn order(&mut self, player: i64, piece: &str, row: i64, column: i64) -> PyResult<()> {
        let id = self.game.piece_named(piece).unwrap_or(PieceId(u8::MAX));
        // Numbers that are too large are off the board like others.
        let number = |number: i64| i32::try_from(number).unwrap_or(-1);
        let to = (number(row), number(column));
        let player = u8::try_from(player).unwrap_or(0);
        let tick = self.game.now();
        self.game.order(player, id, to).map_err(|refusal| {
            let shown = format!("{piece}->{row},{column}");
            IllegalMoveError::new_err(format!("{shown} is refused, {}: {refusal}", refusal.name()))
        })?;
        if let Some(to) = Cell::on(self.game.rules().board, to.0, to.1) {
            self.keep(tick, Act::Order { player, order: Order { piece: id, to } });
        }
        Ok(())
    }

    /// A player gives up.
    fn resign(&mut self, player: i64) -> PyResult<Vec<Told>> {
        let player = u8::try_from(player).unwrap_or(0);
        let (tick, mut events) = (self.game.now(), Vec::new());
        self.game.resign(player, &mut events).map_err(|refusal| {
            let message = format!("resigning is refused, {}: {refusal}", refusal.name());
            IllegalMoveError::new_err(message)
        })?;
        self.keep(tick, Act::Resign { player });
        Ok(self.told(&events))
    }

    /// Players agree on a draw.
    fn draw(&mut self, players: Vec<i64>) -> PyResult<Vec<Told>> {
        let players: Vec<u8> =
            players.into_iter().map(|player| u8::try_from(player).unwrap_or(0)).collect();
        let (tick, mut events) = (self.game.now(), Vec::new());
        self.game.agree_on_draw(&players, &mut events).map_err(|refusal| {
            let message = format!("the draw is refused, {}: {refusal}", refusal.name());
            IllegalMoveError::new_err(message)
        })?;
        self.keep(tick, Act::Draw { players });
        Ok(self.told(&events))
    }

    /// Lets time pass until a tick, or until the game is over.
    fn advance_to(&mut self, py: Python<'_>, tick: u64) -> Vec<Told> {
        let mut events = Vec::new();
        py.detach(|| self.game.advance_to(tick, &mut events));
        self.told(&events)
    }

    /// A player's legal orders as texts, sorted.
    fn legal_orders(&self, player: i64) -> Vec<String> {
        let mut orders = Vec::new();
        self.game.legal_orders(u8::try_from(player).unwrap_or(0), &mut orders);
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

    /// The first tick on which something may happen.
    fn next_event(&self) -> Option<u64> {
        self.game.outcome().is_none().then(|| self.game.next_event())
    }

    /// The whole state in one line.
    fn state(&self) -> String {
        self.game.to_string()
    }

    /// The rules in words.
    fn rules(&self) -> String {
        self.game.rules().to_string()
    }

    fn seats(&self) -> Vec<u8> {
        self.game.rules().seats.iter().collect()
    }

    fn alive(&self) -> Vec<u8> {
        self.game.alive().iter().collect()
    }

    /// Who has won, if the game is over; nobody in a draw.
    fn outcome(&self) -> Option<Vec<u8>> {
        self.game.outcome().map(winners)
    }

    fn pieces(&self) -> Vec<PieceTold> {
        let told = |id: PieceId| {
            let piece = self.game.piece(id)?;
            let (to, flight, until, status) = match piece.status() {
                Status::Standing => (None, None, None, "standing"),
                Status::Resting { until } => (None, None, Some(until), "resting"),
                Status::Moving { to, start, arrive, .. } => {
                    (Some(place(to)), Some((start, arrive)), None, "moving")
                }
                Status::Gone => (None, None, None, "gone"),
            };
            let (kind, player) = (piece.kind().letter(), piece.player());
            let name = self.game.name(id);
            Some((name, kind, player, place(piece.at()), to, flight, until, piece.moved(), status))
        };
        self.game.ids().filter_map(told).collect()
    }

    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.game.to_bytes())
    }

    #[staticmethod]
    fn from_snapshot(bytes: &[u8]) -> PyResult<KungFu> {
        let game = Game::from_bytes(bytes);
        let game = game.map_err(|error| SavedStateError::new_err(error.to_string()))?;
        Ok(KungFu { game, record: None })
    }

    /// The record as JSON.
    fn replay_text(&self) -> PyResult<String> {
        Ok(files::write_text(&self.replay()?))
    }

    /// The record in few bytes.
    fn replay_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &files::write_bytes(&self.replay()?)))
    }

    /// The game of a record in JSON, at its end.
    #[staticmethod]
    fn from_replay_text(py: Python<'_>, text: &str) -> PyResult<KungFu> {
        played(py, files::read_text(text))
    }

    /// The game of a record in bytes, at its end.
    #[staticmethod]
    fn from_replay_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<KungFu> {
        played(py, files::read_bytes(bytes))
    }

    /// The game as it stood on a tick, with what was accepted on it.
    fn seek(&self, tick: u64) -> PyResult<KungFu> {
        let mut replay = self.replay()?;
        let game = replay.seeker().map_err(unplayable)?.seek(tick);
        replay.acts.retain(|(at, _)| *at <= tick);
        Ok(KungFu { game, record: Some(replay) })
    }

    /// All that has happened since the start.
    fn events(&self) -> PyResult<Vec<Told>> {
        let replay = self.replay()?;
        let seeker = replay.seeker().map_err(unplayable)?;
        Ok(self.told(seeker.events()))
    }

    /// The board as SVG, seen from the seat with this index.
    fn svg(&self, seat: usize, theme: &str, pixels: u32) -> PyResult<String> {
        Ok(pictures::of_kung_fu(&self.game, (seat, theme, pixels))?.svg())
    }

    /// The game from its start until now as an animated SVG, with how long it takes in milliseconds: a
    /// picture every so many ticks, and the last one longer.
    #[allow(clippy::too_many_arguments, reason = "how it looks, and how it moves")]
    fn film(
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
        py.detach(|| {
            let seeker = replay.seeker().map_err(unplayable)?;
            let last = self.game.now();
            let mut frames = Vec::new();
            for tick in (0..last).step_by(ticks.max(1) as usize).chain([last]) {
                frames.push(pictures::of_kung_fu(&seeker.seek(tick), (seat, theme, pixels))?);
            }
            let film = Film { frames, each, hold };
            Ok((film.svg(), film.duration()))
        })
    }

    fn has_record(&self) -> bool {
        self.record.is_some()
    }

    fn copy(&self) -> KungFu {
        KungFu { game: self.game, record: self.record.clone() }
    }
}

impl KungFu {
    /// The record until now.
    fn replay(&self) -> PyResult<Replay> {
        let record = self.record.clone().ok_or_else(|| {
            PyValueError::new_err("a game from a snapshot has no record of how it began")
        })?;
        Ok(Replay { end: self.game.now(), ..record })
    }

    fn keep(&mut self, tick: u64, act: Act) {
        if let Some(record) = &mut self.record {
            record.acts.push((tick, act));
        }
    }

    fn told(&self, events: &[Event]) -> Vec<Told> {
        events.iter().map(|event| self.tell(event)).collect()
    }

    fn tell(&self, event: &Event) -> Told {
        let name = |id| Some(self.game.name(id));
        let (what, piece, by, at, kind, won) = match event.what {
            What::Taken { victim, by } => {
                ("taken", name(victim), by.and_then(name), None, None, Vec::new())
            }
            What::Returns { rook, at } => {
                ("returns", name(rook), None, Some(place(at)), None, Vec::new())
            }
            What::Arrives { piece, at } => {
                ("arrives", name(piece), None, Some(place(at)), None, Vec::new())
            }
            What::Becomes { piece, kind } => {
                ("becomes", name(piece), None, None, Some(kind.letter()), Vec::new())
            }
            What::Rested { piece } => ("rested", name(piece), None, None, None, Vec::new()),
            What::Removed { piece } => ("removed", name(piece), None, None, None, Vec::new()),
            What::Over(outcome) => ("over", None, None, None, None, winners(outcome)),
        };
        (event.tick, what, piece, by, at, kind, won, self.game.text(event))
    }
}

fn place(cell: Cell) -> (u8, u8) {
    (cell.row(), cell.column())
}

fn winners(outcome: Outcome) -> Vec<u8> {
    match outcome {
        Outcome::Win(players) => players.iter().collect(),
        Outcome::Draw => Players::NONE.iter().collect(),
    }
}

/// Plays a record to its end.
fn played(py: Python<'_>, read: Result<Replay, files::ReplayFileError>) -> PyResult<KungFu> {
    let replay = read.map_err(|error| PositionError::new_err(error.to_string()))?;
    let game = py.detach(|| replay.seeker().map(|seeker| *seeker.last())).map_err(unplayable)?;
    Ok(KungFu { game, record: Some(replay) })
}

fn unplayable(error: fourfold_kung_fu::ReplayError) -> PyErr {
    PositionError::new_err(error.to_string())
}
