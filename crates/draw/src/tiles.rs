//! Tiles as paths: cells of one seat that share an edge become one shape with one outline.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::pieces::BOX;
use crate::view::Cell;

/// The distance of the fill from an outer edge.
const RIM: usize = 4;
/// The distance of the raised middle of a cell from the cell's edges.
const STUD: usize = 15;

/// The paths of a shape, in drawing order.
#[derive(Default)]
pub(crate) struct Paths {
    /// The cells, in the color of the outline.
    pub(crate) cells: String,
    /// The area inside the outline, in the color of the fill.
    pub(crate) fill: String,
    /// The inner corners of the outline, in its color again.
    pub(crate) turns: String,
    /// The raised middle of each cell, slightly lighter.
    pub(crate) studs: String,
    /// The sides of the raised middle that face the light.
    pub(crate) lit: String,
    /// The sides of the raised middle that face away from the light.
    pub(crate) shaded: String,
}

/// Groups cells that share edges into shapes.
pub(crate) fn joined(mut cells: BTreeSet<Cell>) -> Vec<BTreeSet<Cell>> {
    let mut shapes = Vec::new();
    while let Some(first) = cells.pop_first() {
        let (mut shape, mut open) = (BTreeSet::from([first]), vec![first]);
        while let Some(Cell { row, column }) = open.pop() {
            let beside = [
                Cell { row: row.wrapping_sub(1), column },
                Cell { row: row + 1, column },
                Cell { row, column: column.wrapping_sub(1) },
                Cell { row, column: column + 1 },
            ];
            for next in beside.into_iter().filter(|next| cells.remove(next)) {
                shape.insert(next);
                open.push(next);
            }
        }
        shapes.push(shape);
    }
    shapes
}

impl Paths {
    /// Returns the paths of a shape.
    pub(crate) fn of(shape: &BTreeSet<Cell>) -> Paths {
        let has = |column: Option<usize>, row: Option<usize>| match (column, row) {
            (Some(column), Some(row)) => shape.contains(&Cell { column, row }),
            _ => false,
        };
        let mut paths = Paths::default();
        for &cell in shape {
            let (left, top) = cell.corner();
            let (right, bottom) = (left + BOX, top + BOX);
            rectangle(&mut paths.cells, left, top, right, bottom);

            let columns = [cell.column.checked_sub(1), Some(cell.column), Some(cell.column + 1)];
            let rows = [cell.row.checked_sub(1), Some(cell.row), Some(cell.row + 1)];
            let rim = |joined: bool| if joined { 0 } else { RIM };
            let west = has(columns[0], rows[1]);
            let east = has(columns[2], rows[1]);
            let north = has(columns[1], rows[0]);
            let south = has(columns[1], rows[2]);
            rectangle(
                &mut paths.fill,
                left + rim(west),
                top + rim(north),
                right - rim(east),
                bottom - rim(south),
            );
            let corners = [
                (west && north && !has(columns[0], rows[0]), left, top),
                (east && north && !has(columns[2], rows[0]), right - RIM, top),
                (west && south && !has(columns[0], rows[2]), left, bottom - RIM),
                (east && south && !has(columns[2], rows[2]), right - RIM, bottom - RIM),
            ];
            for (_, x, y) in corners.into_iter().filter(|corner| corner.0) {
                rectangle(&mut paths.turns, x, y, x + RIM, y + RIM);
            }

            let (left, top) = (left + STUD, top + STUD);
            let (right, bottom) = (right - STUD, bottom - STUD);
            rectangle(&mut paths.studs, left, top, right, bottom);
            put(&mut paths.lit, format_args!("M{left} {bottom}V{top}H{right}"));
            put(&mut paths.shaded, format_args!("M{right} {top}V{bottom}H{left}"));
        }
        paths
    }
}

/// Adds a rectangle to a path.
pub(crate) fn rectangle(path: &mut String, left: usize, top: usize, right: usize, bottom: usize) {
    put(path, format_args!("M{left} {top}H{right}V{bottom}H{left}Z"));
}

/// Appends formatted text to a string.
pub(crate) fn put(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more).expect("a string takes whatever is written");
}
