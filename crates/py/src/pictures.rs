//! Pictures of boards, for notebooks.

use std::sync::atomic::Ordering;

use fourfold_draw::{Animation, Look, Picture, SeatInfo, Theme};
use fourfold_kung_fu as kung_fu;
use fourfold_table::Scene;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::errors::choice;
use crate::interrupt::interruptible;

/// The options of a picture: the seat at the bottom, the theme, and the width in pixels.
pub(crate) type PictureOptions<'a> = (usize, &'a str, u32);

/// Draws a scene.
pub(crate) fn of_scene(scene: &Scene, options: PictureOptions<'_>) -> PyResult<Picture> {
    Ok(scene.picture(look(&scene.seats, options)?))
}

/// Draws a game of kung fu chess.
pub(crate) fn of_kung_fu(game: &kung_fu::Game, options: PictureOptions<'_>) -> PyResult<Picture> {
    let places = fourfold_table::kung_fu::seats(&game.rules());
    Ok(fourfold_table::kung_fu::picture(game, look(&places, options)?))
}

/// Makes an animated SVG from frames, and returns it with its duration in milliseconds. Each frame
/// is shown for `each` milliseconds, and the last one for `hold` milliseconds longer. Iteration ends
/// early if Ctrl-C interrupts it.
pub(crate) fn animation(
    py: Python<'_>,
    frames: impl Iterator<Item = PyResult<Picture>> + Send,
    each: u32,
    hold: u32,
) -> PyResult<(String, u64)> {
    interruptible(py, |stop| {
        let stop = || stop.load(Ordering::Relaxed);
        let frames = frames.take_while(|_| !stop()).collect::<PyResult<_>>()?;
        let animation = Animation { frames, each, hold };
        Ok((animation.svg_with_stop(&stop).unwrap_or_default(), animation.duration()))
    })?
}

fn look(places: &[SeatInfo], (seat, theme, pixels): PictureOptions<'_>) -> PyResult<Look> {
    let theme = choice("theme", theme, &[("light", Theme::Light), ("dark", Theme::Dark)])?;
    let no_seat = || PyIndexError::new_err(format!("player {seat} is out of range"));
    let bottom = places.get(seat).ok_or_else(no_seat)?.edge;
    Ok(Look { bottom, theme, pixels, ..Look::default() })
}
