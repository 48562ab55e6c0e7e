//! Interactive boards.

use std::sync::atomic::Ordering;
use std::time::Instant;

use fourfold_bots::Rules;
use fourfold_chess::Position;
use fourfold_table::Table as _;
use fourfold_table::{BlokusTable, ChessTable, Declaration, FourPlayerTable, Seat};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::analysis;
use crate::errors::ToPython;
use crate::interrupt::{SHORT_CALL, interruptible};
use crate::pictures;

/// A game of any kind: moves as text, with unlimited undo and redo.
#[pyclass(module = "fourfold._core")]
pub(crate) struct Table {
    inner: Inner,
}

/// A table of one of the games, for what only that game can do.
#[derive(Clone)]
enum Inner {
    Chess(Box<ChessTable>),
    FourPlayer(Box<FourPlayerTable>),
    Blokus(Box<BlokusTable>),
}

impl std::ops::Deref for Inner {
    type Target = dyn fourfold_table::Table;

    fn deref(&self) -> &Self::Target {
        match self {
            Inner::Chess(table) => &**table,
            Inner::FourPlayer(table) => &**table,
            Inner::Blokus(table) => &**table,
        }
    }
}

impl std::ops::DerefMut for Inner {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Inner::Chess(table) => &mut **table,
            Inner::FourPlayer(table) => &mut **table,
            Inner::Blokus(table) => &mut **table,
        }
    }
}

impl Inner {
    /// Returns `None` if `stop` returns true meanwhile.
    fn perft(&self, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        match self {
            Inner::Chess(table) => table.perft_with_stop(depth, stop),
            Inner::FourPlayer(table) => table.perft_with_stop(depth, stop),
            Inner::Blokus(table) => table.perft_with_stop(depth, stop),
        }
    }
}

impl Table {
    fn as_chess(&self) -> Option<&ChessTable> {
        if let Inner::Chess(table) = &self.inner { Some(table) } else { None }
    }

    /// Returns the position of a chess board.
    pub(crate) fn chess_position(&self) -> PyResult<Position> {
        let error = || PyTypeError::new_err("only chess boards can be analyzed");
        Ok(self.as_chess().ok_or_else(error)?.current())
    }

    /// Returns the rules that bots play by.
    pub(crate) fn bot_rules(&self) -> Rules {
        match &self.inner {
            Inner::Chess(table) => Rules::Chess(table.current().variant()),
            Inner::FourPlayer(table) => Rules::FourPlayer(table.current().rules()),
            Inner::Blokus(table) => Rules::Blokus(table.current().variant()),
        }
    }

    /// Returns a position, and the codes of the moves that led from it to the current one.
    pub(crate) fn situation(&self) -> (String, Vec<String>) {
        self.inner.situation()
    }

    /// Makes a table, and sets up a position if one is given.
    fn new(mut inner: Inner, position: Option<&str>) -> PyResult<Table> {
        if let Some(position) = position {
            inner.set(position).map_err(ToPython::to_python)?;
        }
        Ok(Table { inner })
    }
}

#[pymethods]
impl Table {
    /// A game of chess.
    #[staticmethod]
    fn chess(fen: Option<&str>, chess960: bool) -> PyResult<Table> {
        /// The number of the usual start position among those of Chess960.
        const USUAL: u16 = 518;
        let table = if chess960 { ChessTable::chess960(USUAL) } else { Some(ChessTable::new()) };
        let table = table.ok_or_else(|| PyValueError::new_err("unknown start position"))?;
        Table::new(Inner::Chess(Box::new(table)), fen)
    }

    /// A game of four-player chess with the given rules, from an opening or a position.
    #[staticmethod]
    fn four_player(fen4: Option<&str>, setup: &str, rules: &str) -> PyResult<Table> {
        let table = FourPlayerTable::named(setup, rules).map_err(ToPython::to_python)?;
        Table::new(Inner::FourPlayer(Box::new(table)), fen4)
    }

    /// A game of Blokus, from the start of a variant or from a position.
    #[staticmethod]
    fn blokus(position: Option<&str>, variant: &str) -> PyResult<Table> {
        let table = BlokusTable::named(variant).map_err(ToPython::to_python)?;
        Table::new(Inner::Blokus(Box::new(table)), position)
    }

    /// The legal moves as pairs of code and text.
    fn legal_moves(&self) -> Vec<(String, String)> {
        let acting = self.inner.acting();
        let moves = acting.iter().flat_map(|&seat| self.inner.choices(seat));
        moves.map(|choice| (choice.code, choice.text)).collect()
    }

    /// Plays a move and returns its code and text.
    fn play(&mut self, text: &str) -> PyResult<(String, String)> {
        let played = self.inner.play(text).map_err(ToPython::to_python)?;
        Ok((played.code.clone(), played.text.clone()))
    }

    fn undo(&mut self) -> PyResult<()> {
        self.inner.undo().map_err(ToPython::to_python)
    }

    fn redo(&mut self) -> PyResult<()> {
        self.inner.redo().map_err(ToPython::to_python)
    }

    fn jump(&mut self, ply: usize) -> PyResult<()> {
        self.inner.jump(ply).map_err(ToPython::to_python)
    }

    fn ply(&self) -> usize {
        self.inner.ply()
    }

    /// The moves played and the moves undone, both as pairs of code and text.
    #[allow(clippy::type_complexity, reason = "two lists of pairs")]
    fn moves(&self) -> (Vec<(String, String)>, Vec<(String, String)>) {
        let pairs = |played: &[fourfold_table::Played]| {
            played.iter().map(|played| (played.code.clone(), played.text.clone())).collect()
        };
        (pairs(self.inner.played()), pairs(self.inner.undone()))
    }

    /// The board as SVG, seen from the seat with this index.
    fn svg(&self, seat: usize, theme: &str, pixels: u32) -> PyResult<String> {
        Ok(pictures::of_scene(&self.inner.scene(), (seat, theme, pixels))?.svg())
    }

    /// The game so far as an animated SVG with one frame per position, and its duration in
    /// milliseconds. Each frame is shown for `each` milliseconds, and the last one for `hold`
    /// milliseconds longer.
    fn animation(
        &self,
        py: Python<'_>,
        seat: usize,
        theme: &str,
        pixels: u32,
        each: u32,
        hold: u32,
    ) -> PyResult<(String, u64)> {
        let mut played = self.inner.clone();
        let frames = (0..=self.inner.ply()).map(move |ply| {
            played.jump(ply).map_err(ToPython::to_python)?;
            pictures::of_scene(&played.scene(), (seat, theme, pixels))
        });
        pictures::animation(py, frames, each, hold)
    }

    fn fen(&self) -> String {
        self.inner.position()
    }

    fn pgn(&self) -> String {
        self.inner.export()
    }

    fn read_pgn(&mut self, text: &str) -> PyResult<()> {
        self.inner.import(text).map_err(ToPython::to_python)
    }

    /// The seat to move, or None if the game is over.
    fn turn(&self) -> Option<usize> {
        self.inner.acting().first().map(|seat: &Seat| seat.index())
    }

    /// The reason why the game is over, and the seats that have won.
    fn outcome(&self) -> Option<(String, Vec<usize>)> {
        let outcome = self.inner.outcome()?;
        let winners = outcome.winners.iter().map(|seat| seat.index()).collect();
        Some((outcome.reason, winners))
    }

    fn claimable(&self) -> Option<String> {
        self.inner.claimable()
    }

    fn is_check(&self) -> bool {
        !self.inner.scene().check.is_empty()
    }

    /// The pieces on the board: square, letter and seat.
    fn pieces(&self) -> Vec<(String, char, usize)> {
        let pieces = self.inner.scene().pieces;
        pieces.into_iter().map(|piece| (piece.square, piece.piece, piece.seat.index())).collect()
    }

    /// Whether this is a game of Chess960.
    fn is_chess960(&self) -> bool {
        self.as_chess().is_some_and(ChessTable::is_chess960)
    }

    /// The analysis of a chess position as a dictionary; None for other games.
    fn analysis<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.as_chess().map(|table| analysis::described(py, table)).transpose()
    }

    /// The number of analyses computed. Asking again for the same position does not count.
    fn analyses(&self) -> u32 {
        self.as_chess().map_or(0, ChessTable::analyses)
    }

    /// The number of players.
    fn players(&self) -> usize {
        self.inner.seats().len()
    }

    /// The colors of a game of Blokus: name, whether it is to move, whether it is finished, score,
    /// squares, frontier, and pieces left.
    #[allow(clippy::type_complexity, reason = "Python unpacks the tuple")]
    fn colors(&self) -> Vec<(String, bool, bool, i32, Vec<String>, Vec<String>, Vec<String>)> {
        let texts = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let colors = self.inner.scene().colors.into_iter();
        colors
            .map(|color| {
                let left = texts(&color.left);
                let name = color.name.to_owned();
                (name, color.turn, color.done, color.score, color.squares, color.frontier, left)
            })
            .collect()
    }

    /// The dense indices of the legal placements, sorted; empty in games other than Blokus.
    fn placement_ids(&self) -> Vec<usize> {
        let Inner::Blokus(table) = &self.inner else { return Vec::new() };
        if table.acting().is_empty() {
            return Vec::new();
        }
        let size = table.variant().size();
        table.current().legal_moves().iter().map(|placement| placement.id(size)).collect()
    }

    /// The scores by seat; empty in games without scores.
    fn scores(&self) -> Vec<i32> {
        self.inner.scene().scores
    }

    /// The seats that have been eliminated or have withdrawn.
    fn eliminated(&self) -> Vec<usize> {
        self.inner.eliminated().iter().map(|seat| seat.index()).collect()
    }

    /// Withdraws a seat, because its player resigns or has run out of time.
    fn withdraw(&mut self, seat: usize, on_time: bool) -> PyResult<()> {
        let index = u8::try_from(seat).ok().filter(|&seat| seat < self.inner.seats().len() as u8);
        let no_seat = || PyIndexError::new_err(format!("player {seat} is out of range"));
        let seat = Seat::new(index.ok_or_else(no_seat)?);
        let end = if on_time { Declaration::Flag(seat) } else { Declaration::Resign(seat) };
        self.inner.declare(end).map_err(ToPython::to_python)
    }

    /// Counts in a copy, so that other threads can use the table meanwhile.
    fn perft(table: &Bound<'_, Table>, depth: u32) -> PyResult<u64> {
        let inner = table.borrow().inner.clone();
        let (py, start) = (table.py(), Instant::now());
        // Most calls are too short for a thread of their own.
        let is_long = || start.elapsed() > SHORT_CALL;
        if let Some(count) = py.detach(|| inner.perft(depth, &is_long)) {
            return Ok(count);
        }
        let count = interruptible(py, |stop| inner.perft(depth, &|| stop.load(Ordering::Relaxed)))?;
        Ok(count.expect("it is stopped only if a signal handler raises an exception"))
    }

    fn copy(&self) -> Table {
        Table { inner: self.inner.clone() }
    }

    /// The whole game as a file, including undone moves, and the number of moves undone.
    fn save(&self) -> (String, usize) {
        let mut whole = self.inner.clone();
        let mut undone = 0;
        while whole.redo().is_ok() {
            undone += 1;
        }
        (whole.export(), undone)
    }

    /// Restores a game from the result of [`Table::save`].
    fn load(&mut self, pgn: &str, undone: usize) -> PyResult<()> {
        let mut inner = self.inner.clone();
        inner.import(pgn).map_err(ToPython::to_python)?;
        for _ in 0..undone {
            inner.undo().map_err(ToPython::to_python)?;
        }
        self.inner = inner;
        Ok(())
    }
}
