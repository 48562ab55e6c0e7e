//! Functions that only Blokus has: symmetries, and tables of its placement ids.

use fourfold_env::AnyBatch;
use fourfold_env::blokus::{Blokus, Color, Player, Symmetry, ids};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns the symmetries of a batch's game.
pub(crate) fn symmetries(batch: &dyn AnyBatch) -> PyResult<Vec<Symmetry>> {
    let all = of_colors::<4>(batch).or_else(|| of_colors::<2>(batch));
    all.ok_or_else(|| PyTypeError::new_err("only Blokus has symmetries"))
}

fn of_colors<const COLORS: usize>(batch: &dyn AnyBatch) -> Option<Vec<Symmetry>> {
    let batch: &fourfold_env::Batch<Blokus<COLORS>> = batch.as_any().downcast_ref()?;
    Some(Symmetry::all(batch.rules()))
}

/// Describes a symmetry as a dictionary of the permutations that it applies.
pub(crate) fn described<'py>(
    py: Python<'py>,
    symmetry: &Symmetry,
    players: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let shown: Vec<usize> = symmetry.shown_colors().into_iter().map(Color::index).collect();
    dict.set_item("name", symmetry.name())?;
    dict.set_item("actions", symmetry.actions())?;
    dict.set_item("squares", symmetry.squares())?;
    dict.set_item("channels", symmetry.channels())?;
    let colors = Color::ALL[..shown.len()].iter().map(|&color| symmetry.color(color).index());
    dict.set_item("colors", colors.collect::<Vec<_>>())?;
    dict.set_item("shown_colors", shown)?;
    let players = Player::ALL[..players].iter().map(|&player| symmetry.player(player).index());
    dict.set_item("players", players.collect::<Vec<_>>())?;
    Ok(dict)
}

/// The id of each placement in the grid encoding on a board of this size, or −1 if it does not fit
/// on the board.
#[pyfunction]
pub(crate) fn blokus_grid(size: usize) -> PyResult<Vec<i32>> {
    let id = |place: usize| ids::from_grid(size, place as u32).map_or(-1, |id| id as i32);
    Ok((0..ids::grid_len(known(size)?)).map(id).collect())
}

/// The cells of every placement on a board of this size as (row, column), by id.
#[pyfunction]
pub(crate) fn blokus_cells(size: usize) -> PyResult<Vec<Vec<(usize, usize)>>> {
    let size = known(size)?;
    Ok((0..).map_while(|id| ids::cells(size, id)).collect())
}

fn known(size: usize) -> PyResult<usize> {
    let most = ids::MAX_SIZE;
    let error = || PyValueError::new_err(format!("expected size from 1 to {most}, got {size}"));
    (1..=most).contains(&size).then_some(size).ok_or_else(error)
}
