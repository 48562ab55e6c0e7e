//! Observations: bit planes, exact tokens, and values on individual squares.

use alloc::vec::Vec;

use fourfold_kung_fu::{Board, Cell, Game, Piece, Role, Status, Timing};

use super::rules::Rules;
use super::squares::{self, ARMY};
use crate::game::ArraySpec;
use crate::layout::{Channel, Layout};

/// Roles in plane order; the type in a token is the index plus one.
pub(super) const ROLES: [Role; 6] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
/// The type of a knight's token.
const KNIGHT: f32 = 2.0;

/// The plane of the destinations, among those of a player.
pub(super) const DESTINATIONS: usize = 2 * ROLES.len();
/// Planes of each player: standing and moving pieces by role, destinations.
pub(super) const PLANES: usize = DESTINATIONS + 1;
/// Value channels of each player: fraction of the move done, fraction of the rest left, start
/// order.
const NUMBERS: usize = 3;
const CHANNELS: usize = PLANES + NUMBERS;
/// Number of draw timers.
const TIMERS: usize = 3;

/// Features of a token: type, player relative to the viewer, from, to, ticks since the start of the
/// move, ticks of rest left.
pub const FEATURES: usize = 6;

/// Returns the layout of observations for this number of players.
pub(super) fn layout(board: Board, players: usize) -> Layout {
    let tokens: &[usize] = match players {
        2 => &[2 * ARMY, FEATURES],
        3 => &[3 * ARMY, FEATURES],
        _ => &[4 * ARMY, FEATURES],
    };
    let tokens_len = players * ARMY * FEATURES;
    let mut channels = Vec::new();
    for player in 0..players {
        channels.extend((0..PLANES).map(|plane| Channel::Plane(player * PLANES + plane)));
        channels.extend([Channel::Numbers; NUMBERS]);
    }
    channels.push(Channel::Plane(players * PLANES));
    channels.extend((0..TIMERS).map(|timer| Channel::Scalar(tokens_len + timer)));
    Layout {
        height: board.size(),
        width: board.size(),
        channels,
        planes: players * PLANES + 1,
        scalars: tokens_len + TIMERS,
        scalar_array: Some(ArraySpec { name: "tokens", shape: tokens }),
    }
}

/// Returns the index of a role among [`ROLES`].
#[inline(always)]
pub(super) const fn role_index(role: Role) -> usize {
    match role {
        Role::Pawn => 0,
        Role::Knight => 1,
        Role::Bishop => 2,
        Role::Rook => 3,
        Role::Queen => 4,
        Role::King => 5,
    }
}

/// Returns the target of a piece, the ticks since the start of its flight, and the ticks of rest left; `None`
/// if it is gone.
#[inline(always)]
pub(super) fn progress(game: &Game, piece: &Piece) -> Option<(Cell, u64, u64)> {
    match piece.status() {
        Status::Gone => None,
        Status::Standing => Some((piece.at(), 0, 0)),
        Status::Resting { until } => Some((piece.at(), 0, until.saturating_sub(game.now()))),
        Status::Moving { to, start, .. } => Some((to, game.now().saturating_sub(start), 0)),
    }
}

/// Writes the observation of a player.
#[inline(always)]
pub(super) fn write<const SIDE: usize>(
    game: &Game,
    rules: &Rules<SIDE>,
    viewer: usize,
    planes: &mut [u8],
    scalars: &mut [f32],
) {
    let players = rules.players();
    let board_view = squares::view::<SIDE>(rules.turn(viewer));
    let plane_bytes = SIDE * SIDE.div_ceil(8);
    planes.fill(0);
    let mut mark = |plane: usize, row: u8, column: u8| {
        let bit = board_view.bit(row, column);
        planes[plane * plane_bytes + bit / 8] |= 1 << (bit % 8);
    };
    let (tokens, timers) = scalars.split_at_mut(players * ARMY * FEATURES);
    tokens.fill(0.0);
    let mut next = [0; 4];
    for piece in game.pieces() {
        let Some(owner) = rules.index_of(piece.player()) else { continue };
        let player = (owner + players - rules.first(viewer)) % players;
        let place = player * ARMY + next[player];
        next[player] += 1;
        let role = role_index(piece.role());
        let from = piece.at();
        let Some((to, since, left)) = progress(game, piece) else { continue };
        let first = player * PLANES;
        if let Status::Moving { start, arrive, .. } = piece.status() {
            let (row, column) =
                nearest_square(piece, (to.row(), to.column()), since, arrive - start);
            mark(first + ROLES.len() + role, row, column);
            mark(first + DESTINATIONS, to.row(), to.column());
        } else {
            mark(first + role, from.row(), from.column());
        }
        let squares = [board_view.square(from) as f32, board_view.square(to) as f32];
        tokens[place * FEATURES..][..FEATURES].copy_from_slice(&[
            (role + 1) as f32,
            player as f32,
            squares[0],
            squares[1],
            since as f32,
            left as f32,
        ]);
    }
    for square in 0..squares::count(rules.play().board) {
        let cell = board_view.cell(square);
        mark(players * PLANES, cell.row(), cell.column());
    }
    write_timers(game, rules, timers);
}

/// Writes the fractions of the draw timers that have passed.
#[inline(always)]
pub(super) fn write_timers<const SIDE: usize>(
    game: &Game,
    rules: &Rules<SIDE>,
    timers: &mut [f32],
) {
    let Timing { no_move, no_capture, no_draw_before, .. } = rules.play().speed;
    let fraction = |ticks: u64, limit: u32| {
        if ticks >= u64::from(limit) { 1.0 } else { ticks as f32 / limit as f32 }
    };
    timers[0] = fraction(game.now() - game.last_order(), no_move);
    timers[1] = fraction(game.now() - game.last_capture(), no_capture);
    timers[2] = fraction(game.now(), no_draw_before);
}

/// Returns the square that a moving piece is nearest to; on a tie, the one closer to its origin.
#[inline(always)]
pub(super) fn nearest_square(
    piece: &Piece,
    (row, column): (u8, u8),
    since: u64,
    total: u64,
) -> (u8, u8) {
    // Flights are short, and divisions of long numbers are slow on a GPU.
    let (since, total) = (since as u32, total as u32);
    let step = |from: u8, to: u8| {
        let far = u32::from(from.abs_diff(to));
        let gone = ((2 * far * since + total - 1) / (2 * total)) as u8;
        if to < from { from - gone } else { from + gone }
    };
    (step(piece.at().row(), row), step(piece.at().column(), column))
}

/// Derives the values on individual squares from the tokens.
#[inline(always)]
pub(super) fn paint<const SIDE: usize>(
    rules: &Rules<SIDE>,
    scalars: &[f32],
    mut set: impl FnMut(usize, usize, f32),
) {
    let (tokens, _) = scalars.split_at(rules.players() * ARMY * FEATURES);
    let tokens = || tokens.as_chunks::<FEATURES>().0.iter().filter(|token| token[0] > 0.0);
    let flying = || tokens().filter(|token| is_in_flight(token));
    let in_flight = flying().count() as u32;
    for token in tokens() {
        let earlier = || flying().filter(|other| other[4] > token[4]).count() as u32;
        let earlier = if is_in_flight(token) { earlier() } else { 0 };
        paint_token(rules, token, [earlier, in_flight], &mut set);
    }
}

/// Returns whether a token is that of a piece in flight.
#[inline(always)]
pub(super) fn is_in_flight(token: &[f32; FEATURES]) -> bool {
    token[2] != token[3]
}

/// Sets the values of a token on individual squares. `flights` are the number of pieces that are in flight for
/// longer, and of all that are in flight.
#[inline(always)]
pub(super) fn paint_token<const SIDE: usize>(
    rules: &Rules<SIDE>,
    token: &[f32; FEATURES],
    [earlier, in_flight]: [u32; 2],
    mut set: impl FnMut(usize, usize, f32),
) {
    let board_view = squares::view::<SIDE>(0);
    let square = |cell: Cell| usize::from(cell.row()) * SIDE + usize::from(cell.column());
    let Timing { ticks_per_square, rest, .. } = rules.play().speed;
    let [role, player, from, to, since, left] = *token;
    let channel = player as usize * CHANNELS + PLANES;
    let (from, to) = (board_view.cell(from as usize), board_view.cell(to as usize));
    if from != to {
        let rows = from.row().abs_diff(to.row());
        let columns = from.column().abs_diff(to.column());
        let far = if role == KNIGHT { 2 } else { rows.max(columns) };
        set(square(to), channel, since / (f32::from(far) * ticks_per_square as f32));
        set(square(to), channel + 2, 1.0 - earlier as f32 / in_flight as f32);
    }
    if left > 0.0 {
        set(square(from), channel + 1, left / rest as f32);
    }
}
