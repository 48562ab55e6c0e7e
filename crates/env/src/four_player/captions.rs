//! Names of the channels and action planes of four-player chess, and where actions are drawn.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use fourfold_board::KNIGHT_LEAPS;
use fourfold_four_player::{Player, Square};

use super::labels::{self, FARTHEST, FIRST_LEAP, Labels, PLANES, UNDERPROMOTIONS};
use super::rules::Rules;
use crate::captions::{ActionPlace, Caption, PIECE_NAMES, RELATIVE_NAMES, leap};
use crate::game::Action;
use crate::options::View;

/// Directions in plane order.
const DIRECTIONS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
/// Directions of a promoting pawn, with the change of file and rank.
const PAWN_DIRECTIONS: [(&str, (i32, i32)); 3] =
    [("straight", (0, 1)), ("capturing left", (-1, 1)), ("capturing right", (1, 1))];

pub(super) fn channels() -> Vec<Caption> {
    let mut all = Vec::new();
    for player in RELATIVE_NAMES {
        let pieces = PIECE_NAMES.into_iter().chain(["one-point queens"]);
        all.extend(pieces.map(|piece| Caption::new(format!("{player} pieces"), piece)));
    }
    let board = ["gray pieces", "squares that exist", "en passant squares"];
    all.extend(board.map(|name| Caption::new("the board", name)));
    for player in RELATIVE_NAMES {
        let wings = ["short", "long"];
        all.extend(wings.map(|wing| Caption::new("castling rights", format!("{player}, {wing}"))));
    }
    all.extend(RELATIVE_NAMES.map(|player| Caption::new("alive", player)));
    all.extend(RELATIVE_NAMES.map(|player| Caption::new("points / 100", player)));
    all.push(Caption::new("the game", "plies without a capture or a pawn move / 100"));
    all
}

/// Flat labels have no planes.
pub(super) fn planes(rules: &Rules) -> Vec<Caption> {
    let Some(count) = planes_of(rules) else { return Vec::new() };
    let plane = |plane: usize| match plane {
        ..FIRST_LEAP => {
            let direction = DIRECTIONS[plane / FARTHEST];
            Caption::new(direction, format!("{direction} {}", plane % FARTHEST + 1))
        }
        FIRST_LEAP..PLANES => {
            let (files, ranks) = KNIGHT_LEAPS[plane - FIRST_LEAP];
            Caption::new("knight", leap(files, ranks))
        }
        _ => {
            let role = UNDERPROMOTIONS[(plane - PLANES) / 3].name();
            Caption::new(
                "promotions",
                format!("{role}, {}", PAWN_DIRECTIONS[(plane - PLANES) % 3].0),
            )
        }
    };
    (0..count).map(plane).collect()
}

fn planes_of(rules: &Rules) -> Option<usize> {
    match rules.labels(Player::Red) {
        Labels::Planes { planes, .. } => Some(planes),
        Labels::Flat => None,
    }
}

pub(super) fn place(rules: &Rules, Action(label): Action) -> Option<ActionPlace> {
    let planes = planes_of(rules)?;
    let (square, plane) = (label as usize / planes, label as usize % planes);
    // Every viewer indexes squares as Red does, after the board is rotated.
    let from = labels::from_dense_index(Player::Red, square)?;
    let step = match plane {
        ..PLANES => labels::plane_step(plane, 0),
        _ => PAWN_DIRECTIONS[(plane - PLANES) % 3].1,
    };
    let cell = |square: Square| (13 - square.index() / 16, square.index() % 16);
    let (row, column) = cell(from);
    let mut cells = vec![(row, column)];
    // Underpromotion planes are always relative to the player to move, even if the view is another
    // player's.
    if plane < PLANES || rules.view == View::Own {
        cells.push(cell(labels::leap(from, step)?));
    }
    Some(ActionPlace { plane, row, column, cells })
}
