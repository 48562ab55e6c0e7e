//! Matches between bots.

use std::num::NonZeroUsize;
use std::time::Duration;

use fourfold_matches::{Effort, Options, Played, Sprt, Standings};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::interrupt::interruptible;

/// A game: by player the places, the nodes searched, the number of moves and the seconds, and the
/// game as a file.
type GameResult = (Vec<f64>, Vec<u64>, Vec<u64>, Vec<f64>, String);

/// A match between bots.
#[pyclass(module = "fourfold._core", frozen)]
pub(crate) struct Match {
    inner: fourfold_matches::Match,
}

#[pymethods]
impl Match {
    /// Sets up a match. `movetime` is in milliseconds.
    #[new]
    fn new(
        players: Vec<String>,
        game: String,
        rules: Option<String>,
        nodes: Option<u64>,
        movetime: Option<u64>,
        plies: Option<usize>,
        seed: u64,
    ) -> PyResult<Match> {
        let movetime = movetime.map(Duration::from_millis);
        let options = Options { nodes, movetime, rules, plies, seed, ..Options::new(&game) };
        // The alternate form includes the causes of the error.
        let inner = fourfold_matches::Match::new(&players, options)
            .map_err(|error| PyValueError::new_err(format!("{error:#}")))?;
        Ok(Match { inner })
    }

    /// The names of the players. Repeated names are numbered.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.inner.names().to_vec()
    }

    /// Plays the games from `first` up to, but not including, `last`.
    fn play(
        &self,
        py: Python<'_>,
        first: u32,
        last: u32,
        threads: NonZeroUsize,
    ) -> PyResult<Vec<GameResult>> {
        if first > last {
            let message = format!("expected first <= last, got first={first} and last={last}");
            return Err(PyValueError::new_err(message));
        }
        interruptible(py, |stop| {
            let mut games = Vec::new();
            let range = first as usize..last as usize;
            self.inner
                .play_all(range, threads.get(), stop, |played| {
                    games.push(result(played));
                    Ok(false)
                })
                .map(|()| games)
        })?
        .map_err(|error| PyRuntimeError::new_err(format!("{error:#}")))
    }

    /// The results of games as a table. Their files may be empty.
    fn standings(&self, games: Vec<GameResult>) -> PyResult<String> {
        let mut standings = Standings::new(self.inner.names().to_vec());
        for game in games {
            standings.add(&self.played(game)?);
        }
        Ok(standings.table().trim_end().to_owned())
    }

    /// The result of a sequential probability ratio test: the log-likelihood ratio, the number of
    /// games after which the test decided, or -1, and a description. Later games are not counted.
    fn sprt(&self, lower: f64, upper: f64, places: Vec<Vec<f64>>) -> PyResult<(f64, i64, String)> {
        let count = self.inner.names().len();
        if count != 2 {
            let message = format!("an SPRT needs exactly two players, got {count}");
            return Err(PyValueError::new_err(message));
        }
        let test = Sprt::new(lower, upper).ok_or_else(|| {
            PyValueError::new_err(format!("expected lower < upper, got {lower} and {upper}"))
        })?;
        let pair = |places: Vec<f64>| {
            <[f64; 2]>::try_from(places).map_err(|places| wrong_length("places", 2, places.len()))
        };
        let games = places.into_iter().map(pair).collect::<PyResult<Vec<_>>>()?;
        let tally = test.count_until_decided(games);
        let decided = test.verdict(tally).map_or(-1, |_| i64::from(tally.games()));
        Ok((test.ratio(tally), decided, test.summary(tally)))
    }
}

impl Match {
    /// Converts a game back from what [`result`] returns.
    fn played(&self, game: GameResult) -> PyResult<Played> {
        let (places, nodes, moves, seconds, file) = game;
        let count = self.inner.names().len();
        for (what, length) in [
            ("places", places.len()),
            ("node counts", nodes.len()),
            ("move counts", moves.len()),
            ("times", seconds.len()),
        ] {
            if length != count {
                return Err(wrong_length(what, count, length));
            }
        }
        let effort = nodes.into_iter().zip(moves).zip(seconds).map(|((nodes, moves), seconds)| {
            let time = Duration::try_from_secs_f64(seconds).map_err(|error| {
                PyValueError::new_err(format!("invalid number of seconds {seconds}: {error}"))
            })?;
            Ok(Effort { nodes, moves, time })
        });
        Ok(Played { places, file, effort: effort.collect::<PyResult<_>>()? })
    }
}

fn result(played: Played) -> GameResult {
    let Played { places, file, effort } = played;
    let nodes = effort.iter().map(|effort| effort.nodes).collect();
    let moves = effort.iter().map(|effort| effort.moves).collect();
    let seconds = effort.iter().map(|effort| effort.time.as_secs_f64()).collect();
    (places, nodes, moves, seconds, file)
}

fn wrong_length(what: &str, expected: usize, length: usize) -> PyErr {
    PyValueError::new_err(format!("expected {expected} {what} for each game, got {length}"))
}
