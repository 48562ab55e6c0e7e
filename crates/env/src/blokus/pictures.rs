//! What channels and actions of Blokus are called, and where actions stand in pictures.

use fourfold_blokus::{ORIENTATIONS, Orientation, Placement};

use crate::game::Action;
use crate::pictures::{Caption, Place, seat};

pub(super) fn channels(colors: usize) -> Vec<Caption> {
    let mut all = Vec::new();
    for group in ["cells", "frontier"] {
        all.extend((0..colors).map(|color| Caption::new(group, seat(color, colors))));
    }
    all.extend(["free cells", "start square"].map(|name| Caption::new("own", name)));
    all
}

/// One for each way in which a piece may lie.
pub(super) fn planes() -> Vec<Caption> {
    let plane = |number: usize| {
        let piece = Orientation::numbered(number).piece();
        let name = format!("{} {}", piece.name(), 1 + number - piece.orientations().start);
        Caption::new(piece.name(), name)
    };
    (0..ORIENTATIONS).map(plane).collect()
}

/// At the top left of the piece's bounding box; a pass is nowhere.
pub(super) fn place(size: usize, Action(id): Action) -> Option<Place> {
    let placement = Placement::from_id(size, id as usize)?;
    let (plane, row, column) = (placement.orientation(), placement.row(), placement.column());
    Some(Place { plane, row, column, cells: placement.cells().collect() })
}
