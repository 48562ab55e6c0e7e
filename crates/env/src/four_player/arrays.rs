//! The state as the arrays of the legacy interface, on Red's board: row 0 is rank 14, column 0 is
//! file a.

use fourfold_four_player::{Player, Role, Square, Wing};

use super::FourPlayer;
use crate::game::ArraySpec;

pub(super) static ARRAYS: [ArraySpec; 10] = [
    ArraySpec { name: "board", shape: &[14, 14, 4] },
    ArraySpec { name: "current_player", shape: &[] },
    ArraySpec { name: "player_scores", shape: &[4] },
    ArraySpec { name: "player_active", shape: &[4] },
    ArraySpec { name: "move_count", shape: &[] },
    ArraySpec { name: "en_passant", shape: &[4, 2, 2] },
    ArraySpec { name: "king_positions", shape: &[4, 2] },
    ArraySpec { name: "castling_rights", shape: &[4, 2] },
    ArraySpec { name: "last_capture_move", shape: &[] },
    ArraySpec { name: "promoted_pieces", shape: &[14, 14] },
];

/// Writes one of the arrays, by index.
pub(super) fn write(game: &FourPlayer, index: usize, out: &mut [i32]) {
    let position = game.position();
    match ARRAYS[index].name {
        "board" => write_board(game, out),
        "current_player" => out[0] = position.turn() as i32,
        "player_scores" => out.copy_from_slice(&position.points().map(i32::from)),
        "player_active" => {
            let alive = position.alive();
            out.copy_from_slice(&Player::ALL.map(|player| i32::from(alive.contains(player))));
        }
        "move_count" => out[0] = game.steps as i32,
        "en_passant" => {
            for (out, player) in out.chunks_exact_mut(4).zip(Player::ALL) {
                let en_passant = position.en_passant(player);
                out[..2].copy_from_slice(&place(en_passant.map(|(skipped, _)| skipped)));
                out[2..].copy_from_slice(&place(en_passant.map(|(_, pawn)| pawn)));
            }
        }
        "king_positions" => {
            for (out, player) in out.chunks_exact_mut(2).zip(Player::ALL) {
                out.copy_from_slice(&place(position.king(player)));
            }
        }
        "castling_rights" => {
            for (out, player) in out.chunks_exact_mut(2).zip(Player::ALL) {
                let rights =
                    Wing::ALL.map(|wing| i32::from(position.has_castling_right(player, wing)));
                out.copy_from_slice(&rights);
            }
        }
        "last_capture_move" => out[0] = game.last_capture as i32,
        _ => {
            out.fill(0);
            let promoted =
                position.iter_pieces().filter(|(_, piece)| piece.role == Role::OnePointQueen);
            promoted.for_each(|(square, _)| out[cell(square)] = 1);
        }
    }
}

/// Writes the type, owner, has-moved flag and exists flag of each cell.
fn write_board(game: &FourPlayer, out: &mut [i32]) {
    let (cells, _) = out.as_chunks_mut::<4>();
    cells.fill([0, -1, 0, 0]);
    for square in fourfold_four_player::BOARD.squares() {
        cells[cell(square)][3] = 1;
    }
    for (square, piece) in game.position().iter_pieces() {
        let role = match piece.role {
            Role::OnePointQueen => Role::Queen,
            role => role,
        };
        let owner = piece.owner.map_or(-1, |owner| owner as i32);
        let moved = game.moved.contains(square);
        cells[cell(square)] = [role as i32, owner, i32::from(moved), 1];
    }
}

/// Returns row and column, or −1 for no square.
fn place(square: Option<Square>) -> [i32; 2] {
    square.map_or([-1, -1], |square| {
        let cell = cell(square) as i32;
        [cell / 14, cell % 14]
    })
}

/// Returns the index of a square in a 14 by 14 array. Rows of square indices are 16 apart.
const fn cell(square: Square) -> usize {
    (13 - square.index() / 16) * 14 + square.index() % 16
}
