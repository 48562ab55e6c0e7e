//! Pictures of boards, for notebooks.

use fourfold_draw::{Look, Picture, SeatInfo, Theme};
use fourfold_env::blokus::{Classic, Duo};
use fourfold_env::chess::Chess;
use fourfold_env::four_player::FourPlayer;
use fourfold_env::kung_fu::{Eight, Twelve};
use fourfold_env::{AnyBatch, Batch, Game};
use fourfold_kung_fu as kung_fu;
use fourfold_table::{BlokusTable, ChessTable, FourPlayerTable, Scene, Table as _};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

/// The options of a picture: the seat at the bottom, the theme, and the width in pixels.
pub(crate) type Wanted<'a> = (usize, &'a str, u32);

/// Draws a scene.
pub(crate) fn of_scene(scene: &Scene, wanted: Wanted<'_>) -> PyResult<Picture> {
    Ok(scene.picture(look(&scene.seats, wanted)?))
}

/// Draws a game of kung fu chess.
pub(crate) fn of_kung_fu(game: &kung_fu::Game, wanted: Wanted<'_>) -> PyResult<Picture> {
    let places = fourfold_table::kung_fu::seats(game.rules());
    Ok(fourfold_table::kung_fu::picture(game, look(&places, wanted)?))
}

/// Draws a game of a batch.
pub(crate) fn of_batch(batch: &dyn AnyBatch, game: usize, wanted: Wanted<'_>) -> PyResult<Picture> {
    if let Some(state) = state::<Chess>(batch, game) {
        return of_scene(&ChessTable::from_position(*state.position()).scene(), wanted);
    }
    if let Some(state) = state::<FourPlayer>(batch, game) {
        return of_scene(&FourPlayerTable::from_position(*state.position()).scene(), wanted);
    }
    let blokus = state::<Classic>(batch, game).map(|state| state.position());
    if let Some(position) = blokus.or_else(|| Some(state::<Duo>(batch, game)?.position())) {
        return of_scene(&BlokusTable::from_position(*position).scene(), wanted);
    }
    let live = state::<Eight>(batch, game).map(|state| state.game());
    match live.or_else(|| Some(state::<Twelve>(batch, game)?.game())) {
        Some(game) => of_kung_fu(game, wanted),
        None => Err(PyIndexError::new_err(format!("game {game} is out of range"))),
    }
}

/// Returns a game of a batch, or `None` if the batch has other games or not as many.
fn state<G: Game>(batch: &dyn AnyBatch, game: usize) -> Option<&G> {
    batch.as_any().downcast_ref::<Batch<G>>().and_then(|batch| batch.states().nth(game))
}

fn look(places: &[SeatInfo], (seat, theme, pixels): Wanted<'_>) -> PyResult<Look> {
    let theme = match theme {
        "light" => Theme::Light,
        "dark" => Theme::Dark,
        other => {
            let message = format!("invalid theme '{other}': expected one of light, dark");
            return Err(PyValueError::new_err(message));
        }
    };
    let no_seat = || PyIndexError::new_err(format!("player {seat} is out of range"));
    let bottom = places.get(seat).ok_or_else(no_seat)?.edge;
    Ok(Look { bottom, theme, pixels, ..Look::default() })
}
