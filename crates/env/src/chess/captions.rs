//! Names of the channels and action planes of chess, and where actions are drawn.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::labels::{self, PLANE, Plane};
use super::{BOARD_PLANES, HISTORY};
use crate::captions::{ActionPlace, Caption, PIECE_NAMES, leap};
use crate::game::Action;

/// The channels that follow the boards.
const FACTS: [&str; 7] = [
    "I am Black",
    "steps / 512",
    "I can castle queenside",
    "I can castle kingside",
    "they can castle queenside",
    "they can castle kingside",
    "plies without a capture or a pawn move / 100",
];

pub(super) fn channels() -> Vec<Caption> {
    let boards = (0..HISTORY).flat_map(|ago| {
        let group = match ago {
            0 => "now".to_owned(),
            1 => "1 ply ago".to_owned(),
            _ => format!("{ago} plies ago"),
        };
        (0..BOARD_PLANES).map(move |plane| {
            let name = match plane {
                0..6 => format!("my {}", PIECE_NAMES[plane]),
                6..12 => format!("their {}", PIECE_NAMES[plane - 6]),
                12 => "occurred once".to_owned(),
                _ => "occurred more than once".to_owned(),
            };
            Caption::new(&group, name)
        })
    });
    boards.chain(FACTS.map(|fact| Caption::new("the game", fact))).collect()
}

pub(super) fn planes() -> Vec<Caption> {
    PLANE.iter().map(plane).collect()
}

fn plane(&Plane { files, ranks, underpromotion }: &Plane) -> Caption {
    if let Some(role) = underpromotion {
        let direction = ["toward −file", "straight", "toward +file"][(files + 1) as usize % 3];
        return Caption::new("underpromotions", format!("{}, {direction}", role.name()));
    }
    let group = match (files, ranks) {
        (0, _) => "along the file",
        (_, 0) => "along the rank",
        _ if files == ranks => "along the diagonal",
        _ if files == -ranks => "along the other diagonal",
        _ => return Caption::new("knight", leap(files, ranks)),
    };
    let across = ["left", "", "right"][(files.signum() + 1) as usize];
    let along = ["down", "", "up"][(ranks.signum() + 1) as usize];
    let dash = if files == 0 || ranks == 0 { "" } else { "-" };
    Caption::new(group, format!("{along}{dash}{across} {}", files.abs().max(ranks.abs())))
}

pub(super) fn place(Action(label): Action) -> Option<ActionPlace> {
    let (from, to) = labels::squares_of(label)?;
    // The first row is the eighth rank of the side to move.
    let cell = |square: usize| (7 - square / 8, square % 8);
    let (row, column) = cell(from);
    let plane = label as usize % labels::PLANES;
    Some(ActionPlace { plane, row, column, cells: vec![cell(from), cell(to)] })
}
