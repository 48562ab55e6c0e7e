//! The raw state as arrays, on the board as it is (not rotated to a player).

use fourfold_kung_fu::{Board, Cell, Game};

use crate::game::ArraySpec;

static EIGHT: [ArraySpec; 5] = specs(&[8, 8]);
static TWELVE: [ArraySpec; 5] = specs(&[12, 12]);

const fn specs(board: &'static [usize]) -> [ArraySpec; 5] {
    [
        ArraySpec { name: "kinds", shape: board },
        ArraySpec { name: "owners", shape: board },
        ArraySpec { name: "tick", shape: &[] },
        ArraySpec { name: "last_order", shape: &[] },
        ArraySpec { name: "last_capture", shape: &[] },
    ]
}

/// Returns the arrays of games on a board.
pub(super) const fn arrays(board: Board) -> &'static [ArraySpec] {
    match board {
        Board::Eight => &EIGHT,
        Board::Twelve => &TWELVE,
    }
}

/// Writes one of the arrays, by index.
pub(super) fn write(game: &Game, index: usize, out: &mut [i32]) {
    let board = game.rules().board;
    let name = arrays(board)[index].name;
    let tick = |tick: u64| i32::try_from(tick).unwrap_or(i32::MAX);
    match name {
        "tick" => out[0] = tick(game.now()),
        "last_order" => out[0] = tick(game.last_order()),
        "last_capture" => out[0] = tick(game.last_capture()),
        _ => {
            for (place, out) in out.iter_mut().enumerate() {
                let (row, column) = ((place / board.size()) as i32, (place % board.size()) as i32);
                let cell = Cell::on(board, row, column);
                let piece = cell.and_then(|cell| game.piece_at(cell));
                *out = piece.and_then(|piece| game.piece(piece)).map_or(-1, |piece| {
                    if name == "kinds" {
                        piece.role() as i32
                    } else {
                        i32::from(piece.player().number())
                    }
                });
            }
        }
    }
}
