//! Names of the channels and action planes of Blokus, and where actions are drawn.

use alloc::format;
use alloc::vec::Vec;

use fourfold_blokus::{ORIENTATIONS, Orientation, Placement};

use crate::captions::{ActionPlace, Caption, relative_name};
use crate::game::Action;

pub(super) fn channels(colors: usize) -> Vec<Caption> {
    let mut all = Vec::new();
    for group in ["cells", "frontier"] {
        all.extend((0..colors).map(|color| Caption::new(group, relative_name(color, colors))));
    }
    all.extend(["free cells", "start square"].map(|name| Caption::new("own", name)));
    all
}

/// Returns one plane for each orientation of a piece.
pub(super) fn planes() -> Vec<Caption> {
    let plane = |number: usize| {
        let piece = Orientation::from_index(number).piece();
        let name = format!("{} {}", piece.name(), 1 + number - piece.orientations().start);
        Caption::new(piece.name(), name)
    };
    (0..ORIENTATIONS).map(plane).collect()
}

/// A placement is drawn at the top left of its bounding box; a pass is not drawn.
pub(super) fn place(size: usize, Action(id): Action) -> Option<ActionPlace> {
    let placement = Placement::from_id(size, id as usize)?;
    let (plane, row, column) = (placement.orientation(), placement.row(), placement.column());
    Some(ActionPlace { plane, row, column, cells: placement.cells().collect() })
}
