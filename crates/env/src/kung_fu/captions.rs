//! Names of the channels and action planes of kung fu chess, and where actions are drawn.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use fourfold_kung_fu::Board;

use super::squares;
use crate::captions::{ActionPlace, Caption, PIECE_NAMES, relative_name};
use crate::game::Action;

/// The channels of each player that follow those of the pieces.
const NUMBERS: [&str; 4] =
    ["destinations", "fraction of flight completed", "fraction of rest left", "start order"];
/// The channels that follow those of the players.
const REST: [&str; 4] = [
    "square exists",
    "ticks without an order / no_move",
    "ticks without a capture / no_capture",
    "ticks / no_draw_before",
];

pub(super) fn channels(players: usize) -> Vec<Caption> {
    let mut all = Vec::new();
    for player in 0..players {
        let group = format!("{} pieces", relative_name(player, players));
        for how in ["standing", "in flight"] {
            all.extend(PIECE_NAMES.map(|piece| Caption::new(&group, format!("{piece} {how}"))));
        }
        all.extend(NUMBERS.map(|name| Caption::new(&group, name)));
    }
    all.extend(REST.map(|name| Caption::new("the game", name)));
    all
}

/// Returns one plane for each square that a piece may leave.
pub(super) fn planes(board: Board) -> Vec<Caption> {
    let plane = |square: usize| Caption::new("orders", format!("from {square}"));
    (0..squares::count(board)).map(plane).collect()
}

/// An order is drawn on its target square, on the plane of its origin; waiting is not drawn.
pub(super) fn place(board: Board, Action(id): Action) -> Option<ActionPlace> {
    let count = squares::count(board);
    let (from, to) = (id as usize / count, id as usize % count);
    let cell = |square: usize| {
        let cell = squares::views(board)[0].cell(square);
        (usize::from(cell.row()), usize::from(cell.column()))
    };
    let (row, column) = (from < count).then(|| cell(to))?;
    Some(ActionPlace { plane: from, row, column, cells: vec![cell(from), cell(to)] })
}
