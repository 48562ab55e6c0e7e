//! Observations: 48 channels of 14 by 14.

use fourfold_four_player::{BOARD, Player, Position, Role, Square, Wing};

use crate::layout::{Channel, Layout};

/// Bit planes: 7 roles for each of 4 players, gray pieces, existing squares, en passant squares.
const PLANES: usize = GRAY + 3;
const ROLES: usize = Role::ALL.len();
const GRAY: usize = 4 * ROLES;
const EXISTS: usize = GRAY + 1;
const EN_PASSANT: usize = GRAY + 2;
/// Scalars: castling short and long, alive and points of four players, quiet plies.
const SCALARS: usize = 4 * (2 + 1 + 1) + 1;
/// Two bytes per row.
const PLANE_BYTES: usize = 28;
/// Points and quiet plies are divided by this.
const SCALE: f32 = 100.0;

pub(super) fn layout() -> Layout {
    let planes = (0..PLANES).map(Channel::Plane);
    let channels = planes.chain((0..SCALARS).map(Channel::Scalar)).collect();
    Layout { height: 14, width: 14, channels, planes: PLANES, scalars: SCALARS, scalar_array: None }
}

/// The byte and the bit of each cell in a plane, by viewer.
static PLACE: [[(u8, u8); 256]; 4] = {
    let mut table = [[(0, 0); 256]; 4];
    let mut index = 0;
    while index < 4 * 256 {
        let (viewer, cell) = (index / 256, index % 256);
        let square = Square::new(cell);
        if BOARD.squares().contains(square) {
            let seen = Player::ALL[viewer].to_view(square).index();
            let (row, column) = (13 - seen / 16, seen % 16);
            table[viewer][cell] = ((2 * row + column / 8) as u8, 1 << (column % 8));
        }
        index += 1;
    }
    table
};

/// The plane of existing squares, which is the same for all viewers.
static EXISTING: [u8; PLANE_BYTES] = {
    let mut plane = [0; PLANE_BYTES];
    let mut cell = 0;
    while cell < 256 {
        let (byte, bit) = PLACE[0][cell];
        plane[byte as usize] |= bit;
        cell += 1;
    }
    plane
};

/// Writes the observation of a player.
#[inline(always)]
pub(super) fn write(position: &Position, viewer: Player, planes: &mut [u8], scalars: &mut [f32]) {
    planes.fill(0);
    let (planes, _) = planes.as_chunks_mut::<PLANE_BYTES>();
    let places = &PLACE[viewer as usize];
    let mut mark = |plane: usize, square: Square| {
        let (byte, bit) = places[square.index() & 255];
        planes[plane][byte as usize] |= bit;
    };
    for player in Player::ALL {
        if position.alive().contains(player) {
            let first = ROLES * relative_index(player, viewer);
            for square in position.army(player).iter_by_word() {
                let role = position.piece_at(square).map_or(Role::Pawn, |piece| piece.role);
                mark(first + role as usize - 1, square);
            }
        }
        if let Some((skipped, _)) = position.en_passant(player) {
            mark(EN_PASSANT, skipped);
        }
    }
    position.dead_pieces().iter_by_word().for_each(|square| mark(GRAY, square));
    planes[EXISTS] = EXISTING;

    let numbers = |yes: bool| if yes { 1.0 } else { 0.0 };
    for player in Player::ALL {
        let index = relative_index(player, viewer);
        scalars[2 * index] = numbers(position.has_castling_right(player, Wing::Short));
        scalars[2 * index + 1] = numbers(position.has_castling_right(player, Wing::Long));
        scalars[8 + index] = numbers(position.alive().contains(player));
        scalars[12 + index] = f32::from(position.points()[player as usize]) / SCALE;
    }
    scalars[16] = f32::from(position.clock()) / SCALE;
}

/// Returns the index of a player relative to the viewer: 0 is the viewer, followed by the next,
/// opposite and previous players.
#[inline(always)]
const fn relative_index(player: Player, viewer: Player) -> usize {
    (4 + player as usize - viewer as usize) % 4
}
