//! Observations in parts, which threads of a GPU write at the same time: each part is a piece.

use fourfold_kung_fu::{Game, PieceFilter, Status};

use super::rules::Rules;
use super::squares::{self, ARMY};
use super::view::{self, DESTINATIONS, FEATURES, PLANES, ROLES};

/// The number of parts of an observation: as many as there can be pieces.
pub(super) const fn count(side: usize) -> usize {
    if side == 8 { 2 * ARMY } else { 4 * ARMY }
}

/// Writes a part of the observation of a player, as [`view::write`] does, into memory that was cleared.
#[inline(always)]
pub(super) fn write<const SIDE: usize>(
    game: &Game,
    rules: &Rules<SIDE>,
    viewer: usize,
    part: usize,
    planes: &mut [u32],
    scalars: &mut [f32],
    add_bits: impl Fn(&mut u32, u32),
) {
    let players = rules.players();
    let plane_words = SIDE * SIDE.div_ceil(8) / 4;
    if part == 0 {
        let existing = const { squares::existing(SIDE) };
        let out = &mut planes[players * PLANES * plane_words..][..plane_words];
        for (index, out) in out.iter_mut().enumerate() {
            *out = (existing[index / 2] >> (index % 2 * 32)) as u32;
        }
        view::write_timers(game, rules, &mut scalars[players * ARMY * FEATURES..]);
    }
    let piece = game.entry(part);
    let Some(owner) = rules.index_of(piece.player()) else { return };
    let Some((to, since, left)) = view::progress(game, piece) else { return };
    let player = owner + players - rules.first(viewer);
    let player = if player < players { player } else { player - players };
    // The tokens of a player are in the order of the pieces, including those that are gone.
    let own = PieceFilter::new(piece.player(), None);
    let mut place = player * ARMY;
    for index in 0..count(SIDE) {
        place += usize::from(index < part && own.accepts(game.entry(index)));
    }
    let role = view::role_index(piece.role());
    let board_view = squares::view::<SIDE>(rules.turn(viewer));
    let mut mark = |plane: usize, row: u8, column: u8| {
        let bit = board_view.bit(row, column);
        add_bits(&mut planes[plane * plane_words + bit / 32], 1 << (bit % 32));
    };
    let (first, from) = (player * PLANES, piece.at());
    if let Status::Moving { start, arrive, .. } = piece.status() {
        let target = (to.row(), to.column());
        let (row, column) = view::nearest_square(piece, target, since, arrive - start);
        mark(first + ROLES.len() + role, row, column);
        mark(first + DESTINATIONS, to.row(), to.column());
    } else {
        mark(first + role, from.row(), from.column());
    }
    scalars[place * FEATURES..][..FEATURES].copy_from_slice(&[
        (role + 1) as f32,
        player as f32,
        board_view.square(from) as f32,
        board_view.square(to) as f32,
        since as f32,
        left as f32,
    ]);
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
