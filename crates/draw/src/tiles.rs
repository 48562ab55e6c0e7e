//! Tiles as paths: cells of one seat that share an edge become one shape with one outline.

use std::collections::BTreeSet;

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
    pub(crate) inner_corners: String,
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
        while let Some(cell) = open.pop() {
            let beside = [(0, -1), (0, 1), (-1, 0), (1, 0)];
            let beside = beside.map(|(right, down)| cell.neighbor(right, down));
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
        let mut paths = Paths::default();
        for &cell in shape {
            let (left, top) = cell.corner();
            let (right, bottom) = (left + BOX, top + BOX);
            paths.cells += &rectangle(left, top, right, bottom);

            let has = |right, down| shape.contains(&cell.neighbor(right, down));
            let rim = |joined: bool| if joined { 0 } else { RIM };
            let (west, east, north, south) = (has(-1, 0), has(1, 0), has(0, -1), has(0, 1));
            let (inner_left, inner_top) = (left + rim(west), top + rim(north));
            let (inner_right, inner_bottom) = (right - rim(east), bottom - rim(south));
            paths.fill += &rectangle(inner_left, inner_top, inner_right, inner_bottom);
            let corners = [
                (west && north && !has(-1, -1), left, top),
                (east && north && !has(1, -1), right - RIM, top),
                (west && south && !has(-1, 1), left, bottom - RIM),
                (east && south && !has(1, 1), right - RIM, bottom - RIM),
            ];
            for (_, x, y) in corners.into_iter().filter(|corner| corner.0) {
                paths.inner_corners += &rectangle(x, y, x + RIM, y + RIM);
            }

            let (left, top) = (left + STUD, top + STUD);
            let (right, bottom) = (right - STUD, bottom - STUD);
            paths.studs += &rectangle(left, top, right, bottom);
            paths.lit += &format!("M{left} {bottom}V{top}H{right}");
            paths.shaded += &format!("M{right} {top}V{bottom}H{left}");
        }
        paths
    }
}

/// Returns a rectangle as a path.
pub(crate) fn rectangle(left: usize, top: usize, right: usize, bottom: usize) -> String {
    format!("M{left} {top}H{right}V{bottom}H{left}Z")
}
