//! Writing masks and observations, for games inside and outside of a batch.

use std::ops::Range;

use crate::batch::outputs::{MaskRows, ObservationRows, Outputs, Rows, ValueRows};
use crate::batch::pool::{self, Pool};
use crate::batch::scratch::{Scratch, TakenScratch};
use crate::game::{Game, Spec};
use crate::layout::Value;
use crate::legal::Legal;

/// Below this many games per part, handing the part to another thread costs more than it saves.
const MIN_GAMES_PER_PART: usize = 16;

/// A game, possibly outside any batch, to write masks and observations for.
#[derive(Clone, Copy, Debug)]
pub struct OutputGame<'a, G> {
    /// The game, which must be in progress.
    pub game: &'a G,
    /// The legal actions of each acting player, one list after another: the count, then the
    /// actions, without padding.
    pub lists: &'a [u32],
}

/// Writes the masks, observations and acting players of some games; other buffers are left
/// unchanged.
///
/// # Panics
/// Panics if a buffer does not have one row for each game.
pub fn write_outputs<G: Game>(
    rules: &G::Rules,
    spec: &Spec,
    pool: &mut Pool,
    games: &[OutputGame<'_, G>],
    out: Outputs<'_>,
) {
    assert!(out.fit(games.len()), "a buffer does not have one row for each game");
    let parts = pool.parts(games.len() / MIN_GAMES_PER_PART);
    pool.execute(WriteOutputs { rules, spec, games, out }, parts);
}

struct WriteOutputs<'a, G: Game> {
    rules: &'a G::Rules,
    spec: &'a Spec,
    games: &'a [OutputGame<'a, G>],
    out: Outputs<'a>,
}

impl<G: Game> pool::SplitWork for WriteOutputs<'_, G> {
    type Output = ();

    fn split_off(&mut self, parts: usize, first: usize) -> Self {
        let at = self.games.len() * first / parts;
        let games = self.games.split_off(at..).unwrap_or_default();
        WriteOutputs { games, out: self.out.split_off(at), ..*self }
    }

    fn run(self) {
        let WriteOutputs { rules, spec, games, mut out } = self;
        let TakenScratch(scratch) = &mut Scratch::take(&spec.observation);
        for (index, &OutputGame { game, lists }) in games.iter().enumerate() {
            let mut rest = lists;
            let legals = (0..spec.mask_rows()).map(|_| {
                let (list, others) = rest.split_at(1 + rest[0] as usize);
                rest = others;
                Legal::new(list, spec.actions)
            });
            write_game((rules, spec), game, legals, index, scratch, &mut out);
        }
    }

    fn join((): (), (): ()) {}
}

/// Writes the masks, the acting player and the observations of a game.
#[inline(always)]
pub(crate) fn write_game<'a, G: Game>(
    (rules, spec): (&G::Rules, &Spec),
    game: &G,
    legals: impl Iterator<Item = Legal<'a>>,
    index: usize,
    scratch: &mut Scratch,
    out: &mut Outputs<'_>,
) {
    write_masks(spec, legals, index, &mut out.mask);
    let players = views(spec, game);
    let acting = if spec.simultaneous { -1 } else { players.start as i32 };
    out.current_player.set(index, &[acting]);
    observe_into((rules, spec), game, players, index, scratch, &mut out.observation);
}

/// Writes the masks of a game, one for each element of `legals`.
#[inline(always)]
fn write_masks<'a>(
    spec: &Spec,
    legals: impl Iterator<Item = Legal<'a>>,
    game: usize,
    out: &mut MaskRows<'_>,
) {
    match out {
        MaskRows::None => {}
        MaskRows::Packed(rows) => {
            if let Some(row) = rows.row(game) {
                let outs = row.chunks_exact_mut(spec.mask_bytes());
                legals.zip(outs).for_each(|(legal, out)| legal.write_packed(out));
            }
        }
        MaskRows::Bool(rows) => {
            if let Some(row) = rows.row(game) {
                let outs = row.chunks_exact_mut(spec.actions);
                legals.zip(outs).for_each(|(legal, out)| legal.write_bools(out));
            }
        }
        MaskRows::Sparse { counts, indices } => {
            if let (Some(counts), Some(indices)) = (counts.row(game), indices.row(game)) {
                let outs = indices.chunks_exact_mut(indices.len() / spec.mask_rows());
                for ((legal, out), count) in legals.zip(outs).zip(counts) {
                    *count = match legal.count() {
                        more if more > out.len() && !legal.is_all() => write_first(legal, out),
                        _ => legal.write_indices(out),
                    };
                }
            }
        }
    }
}

/// Fills `out` with the first of more legal actions than fit, in ascending order, and returns how many
/// there are.
#[cold]
fn write_first(legal: Legal<'_>, out: &mut [i32]) -> i32 {
    let mut ids: Vec<usize> = legal.iter().collect();
    ids.sort_unstable();
    out.iter_mut().zip(&ids).for_each(|(out, &id)| *out = id as i32);
    ids.len() as i32
}

/// Returns the players whose observations are written: the acting player, or all players in
/// simultaneous games.
#[inline(always)]
pub(crate) fn views<G: Game>(spec: &Spec, game: &G) -> Range<usize> {
    if spec.simultaneous {
        return 0..spec.players;
    }
    let player = game.acting().only().unwrap_or(0);
    player..player + 1
}

/// Writes the observations of some players of a game, one after another.
#[inline(always)]
pub(crate) fn observe_into<G: Game>(
    (rules, spec): (&G::Rules, &Spec),
    game: &G,
    players: Range<usize>,
    index: usize,
    scratch: &mut Scratch,
    out: &mut ObservationRows<'_>,
) {
    let count = players.len();
    for (view, player) in players.enumerate() {
        let Scratch { planes, scalars, values, .. } = scratch;
        // Packed observations are written in place; a row that is not wanted goes to the scratch.
        let (in_place, beside) = match &mut out.values {
            ValueRows::None => return,
            ValueRows::Packed(rows) => {
                (rows.part(index, view, count), out.scalars.part(index, view, count))
            }
            ValueRows::Bytes(_) | ValueRows::Half(_) | ValueRows::Float(_) => (None, None),
        };
        // A single call for all formats, because it is inlined.
        game.observe(
            rules,
            player,
            in_place.unwrap_or(&mut planes[..]),
            beside.unwrap_or(&mut scalars[..]),
        );
        if !matches!(out.values, ValueRows::Packed(_)) {
            unpack_into::<G>((rules, spec), (planes, scalars), index, (view, count), values, out);
        }
    }
}

/// Writes a packed observation in the requested format, as observation `view` of the `count` that
/// its game has.
pub(crate) fn unpack_into<G: Game>(
    (rules, spec): (&G::Rules, &Spec),
    (planes, scalars): (&[u8], &[f32]),
    index: usize,
    (view, count): (usize, usize),
    scratch: &mut [u32],
    out: &mut ObservationRows<'_>,
) {
    let seen = (planes, scalars);
    let part = (index, view, count);
    match &mut out.values {
        ValueRows::None => return,
        ValueRows::Packed(to) => {
            to.part(index, view, count).into_iter().for_each(|out| out.copy_from_slice(planes));
        }
        ValueRows::Bytes(to) => unpack_view::<G, _>((rules, spec), seen, scratch, to, part),
        ValueRows::Half(to) => unpack_view::<G, _>((rules, spec), seen, scratch, to, part),
        ValueRows::Float(to) => unpack_view::<G, _>((rules, spec), seen, scratch, to, part),
    }
    out.scalars.part(index, view, count).into_iter().for_each(|out| out.copy_from_slice(scalars));
}

#[inline(always)]
fn unpack_view<G: Game, T: Value>(
    (rules, spec): (&G::Rules, &Spec),
    (planes, scalars): (&[u8], &[f32]),
    scratch: &mut [u32],
    out: &mut Rows<'_, T>,
    (index, view, count): (usize, usize, usize),
) {
    let Some(out) = out.part(index, view, count) else { return };
    let layout = &spec.observation;
    let channels = layout.channels.len();
    let paint = |out: &mut [T]| {
        G::paint(rules, scalars, |square, channel, number| {
            out[square * channels + channel] = T::from_scalar(number);
        });
    };
    layout.unpack_streaming(planes, scalars, scratch, paint, out);
}
