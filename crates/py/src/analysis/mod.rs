//! Chess analysis: one position as a dictionary, many as Arrow columns.

mod arrow;
mod cells;
mod columns;
mod ffi;
mod reader;

use fourfold_analysis::attack_map;
use fourfold_chess::{BOARD, Color};
use fourfold_table::ChessTable;
use fourfold_table::study::{ATTACK_MAP, FactSelection, Value, squares, value};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

pub(crate) use arrow::BatchTooLarge;
pub(crate) use reader::{Columns, FactReader};

/// Returns the analysis of a table's position as a dictionary, with the keys of the command's JSON.
pub(crate) fn described<'py>(py: Python<'py>, table: &ChessTable) -> PyResult<Bound<'py, PyDict>> {
    let position = table.current();
    let all = PyDict::new(py);
    all.set_item("fen", position.fen())?;
    for color in Color::ALL {
        let side = PyDict::new(py);
        for name in FactSelection::all().of_sides() {
            match value(name, &position, table.analysis().side(color), color) {
                Value::List(list) => side.set_item(name, list)?,
                Value::Number(number) => side.set_item(name, number)?,
                Value::Lists(lists) => side.set_item(name, lists.into_py_dict(py)?)?,
                Value::Numbers(numbers) => side.set_item(name, numbers.into_py_dict(py)?)?,
            }
        }
        all.set_item(color.name(), side)?;
    }
    let map = PyDict::new(py);
    for (square, _, attackers, defenders) in attack_map(&position) {
        let piece = [("attackers", squares(attackers)), ("defenders", squares(defenders))];
        map.set_item(BOARD.name(square), piece.into_py_dict(py)?)?;
    }
    all.set_item(ATTACK_MAP, map)?;
    Ok(all)
}
