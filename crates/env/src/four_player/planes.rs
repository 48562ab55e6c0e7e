//! Observations: 48 channels of 14 by 14.

use fourfold_four_player::{BOARD, Bitboard, Player, Position, Role, Square, Wing};

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

/// The number of parts of an observation: one for each plane.
pub(super) const PARTS: usize = 32;
/// Words of a plane.
const PLANE_WORDS: usize = PLANE_BYTES / 4;

/// Writes a plane, and the scalar with the same index, of the observation of a player.
#[inline(always)]
pub(super) fn write_part(
    position: &Position,
    viewer: Player,
    part: usize,
    planes: &mut [u32],
    scalars: &mut [f32],
) {
    if let Some(plane) = planes.as_chunks_mut::<PLANE_WORDS>().0.get_mut(part) {
        *plane = seen_by(viewer, plane_set(position, viewer, part));
    }
    if let (Some(scalar), ..SCALARS) = (scalars.get_mut(part), part) {
        *scalar = scalar_value(position, viewer, part);
    }
}

/// Returns the squares that a plane marks.
#[inline(always)]
fn plane_set(position: &Position, viewer: Player, plane: usize) -> Bitboard {
    match plane {
        ..GRAY => {
            let player = Player::ALL[(plane / ROLES + viewer as usize) % 4];
            if position.alive().contains(player) {
                position.pieces(player, Role::ALL[plane % ROLES])
            } else {
                Bitboard::EMPTY
            }
        }
        GRAY => position.dead_pieces(),
        EXISTS => BOARD.squares(),
        _ => position.en_passant_squares(),
    }
}

/// Returns the words of a plane as a player sees the board: two rows of 16 bits each, from the top.
#[inline(always)]
fn seen_by(viewer: Player, set: Bitboard) -> [u32; PLANE_WORDS] {
    let sideways = matches!(viewer, Player::Blue | Player::Green);
    let mirrored = matches!(viewer, Player::Blue | Player::Yellow);
    let downward = matches!(viewer, Player::Red | Player::Blue);
    let [a, b, c, d] = if sideways { transposed(set.words()) } else { set.words() };
    let halves = |word: u64| [word as u32, (word >> 32) as u32];
    let ([a, b], [c, d], [e, f], [g, _]) = (halves(a), halves(b), halves(c), halves(d));
    let (up, down) = ([a, b, c, d, e, f, g], [g, f, e, d, c, b, a]);
    core::array::from_fn(|index| {
        let rows = if downward { down[index] } else { up[index] };
        // Mirroring exchanges the two rows, too. They have 14 bits, so they then start at bit 2.
        let rows = if mirrored { rows.reverse_bits() >> 2 } else { rows };
        if downward == mirrored { rows } else { rows.rotate_left(16) }
    })
}

/// Exchanges the rows and columns of 16 rows of 16 bits.
#[inline(always)]
fn transposed(words: [u64; 4]) -> [u64; 4] {
    // Blocks of 1, 2, 4 and 8 bits off the diagonal trade places, in words and then between them.
    let [a, b, c, d] = words.map(|word| {
        let word = swap_within(word, 15, 0x0000_aaaa_0000_aaaa);
        swap_within(word, 30, 0x0000_0000_cccc_cccc)
    });
    let ((a, b), (c, d)) = (
        swap_between(a, b, 4, 0x0f0f_0f0f_0f0f_0f0f),
        swap_between(c, d, 4, 0x0f0f_0f0f_0f0f_0f0f),
    );
    let ((a, c), (b, d)) = (
        swap_between(a, c, 8, 0x00ff_00ff_00ff_00ff),
        swap_between(b, d, 8, 0x00ff_00ff_00ff_00ff),
    );
    [a, b, c, d]
}

/// Exchanges the bits of a mask with those `shift` bits higher.
#[inline(always)]
const fn swap_within(word: u64, shift: u32, mask: u64) -> u64 {
    let changed = (word ^ word >> shift) & mask;
    word ^ changed ^ changed << shift
}

/// Exchanges the bits of `other` in a mask with those `shift` bits higher in `word`.
#[inline(always)]
const fn swap_between(word: u64, other: u64, shift: u32, mask: u64) -> (u64, u64) {
    let changed = (word >> shift ^ other) & mask;
    (word ^ changed << shift, other ^ changed)
}

/// Returns a scalar of the observation.
#[inline(always)]
fn scalar_value(position: &Position, viewer: Player, scalar: usize) -> f32 {
    let player = |index: usize| Player::ALL[(index + viewer as usize) % 4];
    let number = |yes: bool| if yes { 1.0 } else { 0.0 };
    match scalar {
        ..8 => {
            let wing = Wing::ALL[scalar % 2];
            number(position.has_castling_right(player(scalar / 2), wing))
        }
        8..12 => number(position.alive().contains(player(scalar))),
        12..16 => f32::from(position.points_of(player(scalar))) / SCALE,
        _ => f32::from(position.clock()) / SCALE,
    }
}

/// Returns the index of a player relative to the viewer: 0 is the viewer, followed by the next,
/// opposite and previous players.
#[inline(always)]
const fn relative_index(player: Player, viewer: Player) -> usize {
    (4 + player as usize - viewer as usize) % 4
}
