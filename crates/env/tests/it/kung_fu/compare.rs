//! Compares the environment with the reference implementation on states from random play.

use fourfold_env::kung_fu::{KungFu, Rules};
use fourfold_env::{
    AnyBatch, Batch, DescribedBatch, MaskRows, ObservationRows, Outputs, Rows, Stage, Status,
    ValueRows,
};

use super::reference::Reference;
use super::{EIGHT, Given, TWELVE, batch, eight, twelve};

/// What occurred during the comparison.
#[derive(Default, Debug)]
struct Met {
    endings: [usize; 5],
    refused: usize,
    /// Number of states in which a player is eliminated and the game continues.
    survived: usize,
    flying: usize,
}

#[test]
fn masks_observations_rewards_and_endings_match_the_reference() {
    let mut met = Met::default();
    for (seed, given) in EIGHT.into_iter().enumerate() {
        compare(eight(given), given, seed as u64, 3, &mut met);
    }
    for (seed, given) in TWELVE.into_iter().enumerate() {
        compare(twelve(given), given, seed as u64, 2, &mut met);
    }
    let [king, _, timer, limit, _] = met.endings;
    assert!(king > 3 && timer > 0 && limit > 3, "{met:?}");
    assert!(met.refused > 2 && met.survived > 20 && met.flying > 500, "{met:?}");
}

fn compare<const SIDE: usize>(
    rules: Rules<SIDE>,
    given: Given,
    seed: u64,
    games: usize,
    met: &mut Met,
) {
    let mut batch = batch(rules, games);
    batch.reset(Some(seed));
    let players = batch.spec().players;
    let mut references = vec![Reference::new(SIDE as i64, given, None); games];
    let mut actions = vec![0; games * players];
    for step in 0..400 {
        if step % 4 == 0 {
            see(&mut batch, &references, met);
        }
        for (game, reference) in references.iter().enumerate() {
            check_masks(&batch, game, reference);
        }
        if step % 16 == 0 {
            check_forms(&mut batch);
        }
        batch.sample(None, &mut actions).expect("one action per row");
        batch.step(&actions, Outputs::none()).expect("sampled actions are legal");
        for (game, reference) in references.iter_mut().enumerate() {
            let over = reference.end().is_some();
            let refused = match over {
                true => vec![false; players],
                false => reference.step(&actions[game * players..][..players]),
            };
            let status = batch.status(game);
            assert_eq!(status.refused[..players], refused, "{}", reference.game.state());
            met.refused += refused.iter().filter(|&&refused| refused).count();
            check_status(status, reference, over, met);
        }
        assert!(
            batch.texts().into_iter().eq(references.iter().map(|reference| reference.game.state()))
        );
        if references.iter().all(|reference| reference.end().is_some()) {
            see(&mut batch, &references, met);
            return;
        }
    }
}

fn check_masks<const SIDE: usize>(batch: &Batch<KungFu<SIDE>>, game: usize, reference: &Reference) {
    for seat in 0..reference.seats.len() {
        let legal = batch.legal(game, seat);
        assert_eq!(legal.is_all(), reference.end().is_some());
        if !legal.is_all() {
            let mut found: Vec<usize> = legal.iter().collect();
            found.sort();
            assert_eq!(found, reference.legal(seat), "player {seat}: {}", reference.game.state());
        }
    }
}

fn check_status(status: &Status, reference: &Reference, over_before: bool, met: &mut Met) {
    let players = reference.seats.len();
    assert_eq!(status.alive[..players], reference.alive(), "{}", reference.game.state());
    let Some((rewards, ending)) = reference.end() else {
        assert_eq!((status.stage, status.winner, status.ending), (Stage::Ongoing, None, None));
        assert!(status.rewards.iter().all(|&reward| reward == 0.0));
        met.survived += usize::from(reference.alive().contains(&false));
        return;
    };
    let stage = if ending == 3 { Stage::Truncated } else { Stage::Terminated };
    assert_eq!((status.stage, status.ending), (stage, Some(ending as u8)));
    let winner = rewards.iter().position(|&reward| reward > 0.0);
    assert_eq!(status.winner.map(usize::from), winner);
    if over_before {
        assert!(status.rewards.iter().all(|&reward| reward == 0.0), "paid twice");
    } else {
        assert_eq!(status.rewards[..players], rewards, "{}", reference.game.state());
        met.endings[ending] += 1;
    }
}

/// Compares planes, values on squares, timers and tokens of all players, in two formats.
fn see<const SIDE: usize>(
    batch: &mut Batch<KungFu<SIDE>>,
    references: &[Reference],
    met: &mut Met,
) {
    let (spec, games) = (batch.spec().clone(), batch.games());
    let (layout, rows) = (&spec.observation, spec.mask_rows());
    let (values, numbers) = (layout.values(), layout.scalars);
    let mut floats = vec![9.0; games * rows * values];
    let mut scalars = vec![9.0; games * rows * numbers];
    let out = ObservationRows {
        values: ValueRows::Float(Rows::new(&mut floats, rows * values)),
        scalars: Rows::new(&mut scalars, rows * numbers),
    };
    batch.observe(None, out).expect("buffers fit");
    let mut planes = vec![9; games * rows * layout.packed_bytes()];
    let out = ObservationRows {
        values: ValueRows::Packed(Rows::new(&mut planes, rows * layout.packed_bytes())),
        scalars: Rows::new(&mut scalars, rows * numbers),
    };
    batch.observe(None, out).expect("buffers fit");
    for (row, (floats, (planes, scalars))) in floats
        .chunks_exact(values)
        .zip(planes.chunks_exact(layout.packed_bytes()).zip(scalars.chunks_exact(numbers)))
        .enumerate()
    {
        let (reference, seat) = (&references[row / rows], row % rows);
        let expected = reference.view(seat).concat().concat();
        assert_eq!(floats, expected, "player {seat}: {}", reference.game.state());
        let tokens = reference.tokens(seat).concat();
        assert_eq!(scalars[..tokens.len()], tokens, "player {seat}: {}", reference.game.state());
        let mut unfolded = vec![0.0; values];
        layout.unpack(planes, scalars, &mut unfolded);
        let channels = layout.channels.len();
        for (place, (&found, &expected)) in unfolded.iter().zip(&expected).enumerate() {
            let channel = place % channels;
            let fraction = channel < 16 * reference.seats.len() && channel % 16 > 12;
            assert_eq!(found, if fraction { 0.0 } else { expected });
        }
        met.flying += usize::from(tokens.as_chunks::<6>().0.iter().any(|one| one[2] != one[3]));
    }
}

/// Checks that all mask formats agree with the lists, and that one player's observation agrees with
/// that in the output for all players.
fn check_forms<const SIDE: usize>(batch: &mut Batch<KungFu<SIDE>>) {
    let (spec, games) = (batch.spec().clone(), batch.games());
    let rows = spec.mask_rows();
    let [bytes, actions, most] = [spec.mask_bytes(), spec.actions, spec.max_legal];
    let mut bits = vec![9; games * rows * bytes];
    let mut bools = vec![true; games * rows * actions];
    let (mut counts, mut indices) = (vec![9; games * rows], vec![9; games * rows * most]);
    let mut show =
        |mask| batch.write_outputs(Outputs { mask, ..Outputs::none() }).expect("buffers fit");
    show(MaskRows::Packed(Rows::new(&mut bits, rows * bytes)));
    show(MaskRows::Bool(Rows::new(&mut bools, rows * actions)));
    show(MaskRows::Sparse {
        counts: Rows::new(&mut counts, rows),
        indices: Rows::new(&mut indices, rows * most),
    });
    for row in 0..games * rows {
        let legal = batch.legal(row / rows, row % rows);
        let (bits, bools) = (&bits[row * bytes..][..bytes], &bools[row * actions..][..actions]);
        for action in 0..actions {
            let allowed = legal.contains(action);
            assert_eq!(
                (bools[action], bits[action / 8] >> (action % 8) & 1 != 0),
                (allowed, allowed)
            );
        }
        if !legal.is_all() {
            let (count, indices) = (counts[row] as usize, &indices[row * most..][..most]);
            let mut ids: Vec<usize> = legal.iter().collect();
            ids.sort_unstable();
            assert!(ids.into_iter().eq(indices[..count].iter().map(|&action| action as usize)));
            assert!(indices[count..].iter().all(|&action| action == -1));
        }
    }
    let layout = &spec.observation;
    let [planes, numbers] = [layout.packed_bytes(), layout.scalars];
    let mut see = |player: Option<usize>, views: usize| {
        let mut seen = (vec![0; games * views * planes], vec![0.0; games * views * numbers]);
        let out = ObservationRows {
            values: ValueRows::Packed(Rows::new(&mut seen.0, views * planes)),
            scalars: Rows::new(&mut seen.1, views * numbers),
        };
        batch.observe(player, out).expect("buffers fit");
        seen
    };
    let all = see(None, rows);
    for seat in 0..rows {
        let one = see(Some(seat), 1);
        for game in 0..games {
            let row = game * rows + seat;
            assert_eq!(one.0[game * planes..][..planes], all.0[row * planes..][..planes]);
            assert_eq!(one.1[game * numbers..][..numbers], all.1[row * numbers..][..numbers]);
        }
    }
}
