//! Observations in parts, which threads of a GPU write at the same time: each part is a plane and a token.

use fourfold_kung_fu::{Game, Piece, PieceFilter, Status};

use super::rules::Rules;
use super::squares::{self, ARMY};
use super::view::{self, DESTINATIONS, FEATURES, PLANES, ROLES};

/// The number of parts of an observation: more than there are planes, and as many as there are tokens.
pub(super) const fn count(side: usize) -> usize {
    if side == 8 { 2 * ARMY } else { 4 * ARMY }
}

/// The most 64-bit words of a plane.
const PLANE_WORDS: usize = 3;

/// Writes a part of the observation of a player, as [`view::write`] does.
#[inline(always)]
pub(super) fn write<const SIDE: usize>(
    game: &Game,
    rules: &Rules<SIDE>,
    viewer: usize,
    part: usize,
    planes: &mut [u32],
    scalars: &mut [f32],
) {
    let players = rules.players();
    let owner = |player: usize| {
        let owner = player + rules.first(viewer);
        rules.player(if owner < players { owner } else { owner - players })
    };
    let (player, content) = (part / PLANES, part % PLANES);
    let role = (content < DESTINATIONS).then(|| ROLES[content % ROLES.len()]);
    let shown = PieceFilter::new(owner(player), role);
    let own = PieceFilter::new(owner(part / ARMY), None);
    // Every thread looks at all pieces, because the threads cannot tell each other what they find.
    let (mut shown_set, mut own_set) = (0, 0);
    for first in (0..count(SIDE)).step_by(32) {
        let (mut shown_half, mut own_half) = (0_u32, 0_u32);
        for index in (first..first + 32).rev() {
            let piece = game.entry(index);
            shown_half = shown_half << 1 | u32::from(shown.accepts(piece));
            own_half = own_half << 1 | u32::from(own.accepts(piece));
        }
        shown_set |= u64::from(shown_half) << first;
        own_set |= u64::from(own_half) << first;
    }
    if player < players {
        let is_in_flight = content >= ROLES.len();
        let set = shown_set & if is_in_flight { game.flying() } else { !game.flying() };
        let bits = plane(game, rules, viewer, set, content == DESTINATIONS);
        write_plane::<SIDE>(planes, part, bits);
    } else if part == players * PLANES {
        write_plane::<SIDE>(planes, part, const { squares::existing(SIDE) });
    }
    if part / ARMY < players {
        let index = nth_bit(own_set, part as u32 % ARMY as u32);
        let piece = index.map(|index| game.entry(index));
        let token = piece.and_then(|piece| token(game, rules, viewer, part / ARMY, piece));
        let out = &mut scalars[part * FEATURES..][..FEATURES];
        out.copy_from_slice(&token.unwrap_or([0.0; FEATURES]));
    }
    if part + 1 == count(SIDE) {
        view::write_timers(game, rules, &mut scalars[players * ARMY * FEATURES..]);
    }
}

/// Returns the plane of some pieces, given by their indices as bits: where they are or, if all of them are in
/// flight, their destinations.
#[inline(always)]
fn plane<const SIDE: usize>(
    game: &Game,
    rules: &Rules<SIDE>,
    viewer: usize,
    mut set: u64,
    destinations: bool,
) -> [u64; PLANE_WORDS] {
    let board_view = squares::view::<SIDE>(rules.turn(viewer));
    let mut bits = [0; PLANE_WORDS];
    while set != 0 {
        let piece = game.entry(set.trailing_zeros() as usize);
        set &= set - 1;
        let (row, column) = match piece.status() {
            Status::Gone => continue,
            Status::Standing | Status::Resting { .. } => (piece.at().row(), piece.at().column()),
            Status::Moving { to, .. } if destinations => (to.row(), to.column()),
            Status::Moving { to, start, arrive, .. } => {
                let since = game.now().saturating_sub(start);
                view::nearest_square(piece, (to.row(), to.column()), since, arrive - start)
            }
        };
        let bit = board_view.bit(row, column);
        for (index, word) in bits.iter_mut().enumerate() {
            *word |= u64::from(bit / 64 == index) << (bit % 64);
        }
    }
    bits
}

#[inline(always)]
fn write_plane<const SIDE: usize>(planes: &mut [u32], plane: usize, bits: [u64; PLANE_WORDS]) {
    let words = SIDE * SIDE.div_ceil(8) / 4;
    for (index, out) in planes[plane * words..][..words].iter_mut().enumerate() {
        *out = (bits[index / 2] >> (index % 2 * 32)) as u32;
    }
}

/// Returns the token of a piece; `None` if the piece is gone.
#[inline(always)]
fn token<const SIDE: usize>(
    game: &Game,
    rules: &Rules<SIDE>,
    viewer: usize,
    player: usize,
    piece: &Piece,
) -> Option<[f32; FEATURES]> {
    let board_view = squares::view::<SIDE>(rules.turn(viewer));
    let (to, since, left) = view::progress(game, piece)?;
    Some([
        (view::role_index(piece.role()) + 1) as f32,
        player as f32,
        board_view.square(piece.at()) as f32,
        board_view.square(to) as f32,
        since as f32,
        left as f32,
    ])
}

/// Returns the index of the `nth` bit that is set, if there are so many.
#[inline(always)]
fn nth_bit(bits: u64, nth: u32) -> Option<usize> {
    let (mut left, mut index) = (nth, 0);
    let mut width = 32;
    while width > 0 {
        let count = (bits >> index & ((1 << width) - 1)).count_ones();
        if count <= left {
            (left, index) = (left - count, index + width);
        }
        width /= 2;
    }
    (nth < bits.count_ones()).then_some(index as usize)
}

/// Derives the values on individual squares from every `parts`th token, as [`view::paint`] does from all.
#[inline(always)]
pub(super) fn paint<const SIDE: usize>(
    rules: &Rules<SIDE>,
    scalars: &[f32],
    part: usize,
    parts: usize,
    mut set: impl FnMut(usize, usize, f32),
) {
    let tokens = &scalars.as_chunks::<FEATURES>().0[..rules.players() * ARMY];
    // The tokens in flight and those that rest, as bits: only a few of them.
    let (mut flying, mut resting) = (0_u64, 0_u64);
    for (index, token) in tokens.iter().enumerate() {
        flying |= u64::from(view::is_in_flight(token)) << index;
        resting |= u64::from(token[5] > 0.0) << index;
    }
    let mut index = part;
    while let Some(token) = tokens.get(index) {
        let [_, player, from, to, since, _] = *token;
        let is_in_flight = flying >> index & 1 != 0;
        if (flying | resting) >> index & 1 != 0 {
            let (mut earlier, mut is_last) = (0, true);
            let mut others = if is_in_flight { flying } else { resting };
            while others != 0 {
                let place = others.trailing_zeros() as usize;
                others &= others - 1;
                let other = &tokens[place];
                earlier += u32::from(other[4] > since);
                // If pieces of a player have values for the same square, those of the last one count.
                let same = if is_in_flight { other[3] == to } else { other[2] == from };
                is_last &= !(place > index && other[1] == player && same);
            }
            if is_last {
                view::paint_token(rules, token, [earlier, flying.count_ones()], &mut set);
            }
        }
        index += parts;
    }
}
