//! Random actions: the order of legal actions, the formula of `sample`, and `sample_logits`.

use fourfold_common::SplitMix64;
use fourfold_env::{AnyBatch, Autoreset, MaskRows, Options, Outputs, Rows, StepError, Stream};
use fourfold_oracle::harness::quick_or_full;

use super::batches::{batch, legal, names, play};

const DISABLED: Options = Options { autoreset: Autoreset::Disabled, illegal: None, threads: 1 };

/// Returns the counts and the padded rows of the sparse mask.
fn sparse(batch: &mut dyn AnyBatch) -> (Vec<i32>, Vec<Vec<i32>>) {
    let (rows, most) = (batch.spec().mask_rows(), batch.spec().max_legal);
    let mut counts = vec![-9; batch.games() * rows];
    let mut indices = vec![-9; batch.games() * rows * most];
    let mask = MaskRows::Sparse {
        counts: Rows::new(&mut counts, rows),
        indices: Rows::new(&mut indices, rows * most),
    };
    batch.write_outputs(Outputs { mask, ..Outputs::none() }).expect("the buffers fit");
    (counts, indices.chunks_exact(most).map(<[i32]>::to_vec).collect())
}

/// Returns what `sample` documents: the action at index ⌊u · count⌋ of the legal actions in
/// ascending order, where u is the next number of the game's stream.
fn expected(legal: &[Vec<i32>], rows: usize, streams: &mut [Stream]) -> Vec<i32> {
    let draw = |(row, ids): (usize, &Vec<i32>)| {
        // A fraction with 64 bits, multiplied exactly.
        let bits = u128::from(streams[row / rows].next());
        ids[((bits * ids.len() as u128) / (1 << 64)) as usize]
    };
    legal.iter().enumerate().map(draw).collect()
}

#[test]
fn sparse_masks_are_in_ascending_order() {
    for name in names() {
        let mut batch = batch(name, 6, DISABLED);
        batch.reset(Some(1));
        let most = batch.spec().max_legal;
        for _ in 0..12 {
            let (counts, rows) = sparse(&mut *batch);
            for ((count, row), ids) in counts.into_iter().zip(rows).zip(legal(&mut *batch)) {
                // In a finished game all actions are legal, and the first ones are listed.
                let listed = &ids[..ids.len().min(most)];
                assert_eq!(count as usize, listed.len(), "{name}");
                assert_eq!(&row[..listed.len()], listed, "{name}");
                assert!(row[listed.len()..].iter().all(|&id| id == -1), "{name}");
            }
            play(&mut *batch, 11);
        }
    }
}

#[test]
fn sampled_actions_follow_the_documented_formula() {
    for name in names() {
        let mut batch = batch(name, 5, DISABLED);
        batch.reset(Some(2));
        let rows = batch.spec().mask_rows();
        let mut own: Vec<Stream> = (0..5).map(|game| Stream::new(2, game)).collect();
        let mut actions = vec![0; 5 * rows];
        let (mut finished, mut step) = (0, 0);
        // Until all games have been over for a while.
        while finished < 3 {
            let legal = legal(&mut *batch);
            let mut streams: Vec<Stream> = (0..5).map(|game| Stream::new(step, game)).collect();
            batch.sample(Some(step), &mut actions).expect("one action for each row");
            assert_eq!(actions, expected(&legal, rows, &mut streams), "{name}");
            batch.sample(None, &mut actions).expect("one action for each row");
            assert_eq!(actions, expected(&legal, rows, &mut own), "{name}");
            batch.step(&actions, Outputs::none()).expect("sampled actions are legal");
            let all = batch.spec().actions;
            finished += usize::from(legal.iter().all(|ids| ids.len() == all));
            step += 1;
        }
        let error = batch.sample(None, &mut actions[1..]).unwrap_err().to_string();
        assert_eq!(error, format!("expected {} actions, got {}", 5 * rows, 5 * rows - 1));
    }
}

/// Returns logits between −3 and 3 for all actions of all rows.
fn random_logits(batch: &dyn AnyBatch, rng: &mut SplitMix64) -> Vec<f32> {
    let count = batch.games() * batch.spec().mask_rows() * batch.spec().actions;
    (0..count).map(|_| (rng.next() >> 40) as f32 / (1 << 24) as f32 * 6.0 - 3.0).collect()
}

#[test]
fn temperature_0_takes_the_largest_legal_logit() {
    let mut rng = SplitMix64::new(3);
    for name in names() {
        let mut batch = batch(name, 4, DISABLED);
        batch.reset(Some(3));
        let actions = batch.spec().actions;
        for step in 0..12 {
            let logits = random_logits(&*batch, &mut rng);
            let best = legal(&mut *batch).into_iter().zip(logits.chunks_exact(actions));
            let best: Vec<i32> = best
                .map(|(ids, logits)| {
                    let by_logit =
                        |a: &i32, b: &i32| logits[*a as usize].total_cmp(&logits[*b as usize]);
                    ids.into_iter().max_by(by_logit).expect("a legal action")
                })
                .collect();
            let mut found = vec![0; best.len()];
            batch.sample_logits(&logits, 0.0, Some(step), &mut found).expect("lengths fit");
            assert_eq!(found, best, "{name}");
            play(&mut *batch, 9);
        }
    }
}

#[test]
fn logits_are_sampled_like_softmax() {
    let mut rng = SplitMix64::new(4);
    for (name, temperature) in names().flat_map(|name| [(name, 0.5), (name, 2.0)]) {
        let games = 16;
        let mut batch = batch(name, games, Options::default());
        let (rows, actions) = (batch.spec().mask_rows(), batch.spec().actions);
        // All games have the same position and logits.
        let one = &random_logits(&*batch, &mut rng)[..rows * actions];
        let logits = one.repeat(games);
        let mut counts = vec![0_u32; rows * actions];
        let rounds = quick_or_full(400, 4000);
        let mut found = vec![0; games * rows];
        for seed in 0..rounds {
            batch.sample_logits(&logits, temperature, Some(seed), &mut found).expect("lengths fit");
            for (index, &id) in found.iter().enumerate() {
                counts[index % rows * actions + id as usize] += 1;
            }
        }
        let draws = rounds as f64 * games as f64;
        for (row, ids) in legal(&mut *batch).into_iter().take(rows).enumerate() {
            let (counts, logits) = (&counts[row * actions..], &one[row * actions..]);
            let weight = |id: i32| f64::from(logits[id as usize] / temperature).exp();
            let sum: f64 = ids.iter().map(|&id| weight(id)).sum();
            let total: u32 = ids.iter().map(|&id| counts[id as usize]).sum();
            assert_eq!(f64::from(total), draws, "{name}: only legal actions are drawn");
            for id in ids {
                let share = weight(id) / sum;
                let sigma = (draws * share * (1.0 - share)).sqrt();
                let off = (f64::from(counts[id as usize]) - draws * share).abs();
                // The normal approximation needs a few expected draws.
                let slack = if draws * share < 10.0 { 2.0 } else { 0.0 };
                assert!(off <= 4.0 * sigma + slack, "{name}: off by {off}, sigma is {sigma}");
            }
        }
    }
}

#[test]
fn unusual_logits_do_no_harm() {
    let values = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 0.0, -0.0, 1e-45];
    let mut rng = SplitMix64::new(5);
    for name in names() {
        let mut batch = batch(name, 3, DISABLED);
        batch.reset(Some(5));
        let (rows, actions) = (batch.spec().mask_rows(), batch.spec().actions);
        let mut found = vec![0; 3 * rows];
        for step in 0..40 {
            let legal = legal(&mut *batch);
            // One value everywhere, then all of them mixed.
            let value = values.get(step % 10);
            let logits: Vec<f32> = (0..3 * rows * actions)
                .map(|_| *value.unwrap_or(&values[rng.next() as usize % values.len()]))
                .collect();
            for temperature in [0.0, f32::MIN_POSITIVE, 1.0, f32::MAX] {
                batch.sample_logits(&logits, temperature, None, &mut found).expect("lengths fit");
                assert!(found.iter().zip(&legal).all(|(id, ids)| ids.contains(id)), "{name}");
                if value.is_some() {
                    continue;
                }
                // Infinitely more likely than the rest.
                for (row, (id, ids)) in found.iter().zip(&legal).enumerate() {
                    let logit = |id: &i32| logits[row * actions + *id as usize];
                    if ids.iter().any(|id| logit(id) == f32::INFINITY) {
                        assert_eq!(logit(id), f32::INFINITY, "{name}");
                    }
                }
            }
            play(&mut *batch, 2);
        }
    }
}

#[test]
fn equal_logits_of_all_kinds_are_drawn_uniformly() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0] {
        for temperature in [0.0, 1.0] {
            let mut batch = batch("chess", 1, Options::default());
            let logits = vec![value; batch.spec().actions];
            let mut drawn = std::collections::BTreeSet::new();
            for seed in 0..400 {
                let mut found = [0];
                batch
                    .sample_logits(&logits, temperature, Some(seed), &mut found)
                    .expect("lengths fit");
                drawn.insert(found[0]);
            }
            assert!(drawn.into_iter().eq(legal(&mut *batch).remove(0)), "{value}");
        }
    }
}

#[test]
fn sample_logits_checks_its_arguments() {
    let mut batch = batch("chess", 2, Options::default());
    let (logits, mut found) = (vec![0.0; 2 * 4672], [0; 2]);
    for temperature in [-1.0, f32::NAN, f32::INFINITY] {
        let error = batch.sample_logits(&logits, temperature, None, &mut found).unwrap_err();
        assert!(matches!(error, StepError::Temperature { .. }), "{error}");
        assert!(error.to_string().contains(&temperature.to_string()), "{error}");
    }
    let error = batch.sample_logits(&logits[1..], 1.0, None, &mut found).unwrap_err();
    assert_eq!(error.to_string(), "expected 9344 logits, got 9343");
    let error = batch.sample_logits(&logits, 1.0, None, &mut found[1..]).unwrap_err();
    assert_eq!(error.to_string(), "expected 2 actions, got 1");
}

#[test]
fn sample_logits_advances_each_stream_by_one_number_per_row() {
    for name in names() {
        let mut batch = batch(name, 3, Options::default());
        batch.reset(Some(6));
        let rows = batch.spec().mask_rows();
        let logits = vec![0.0; 3 * rows * batch.spec().actions];
        let mut actions = vec![0; 3 * rows];
        batch.sample_logits(&logits, 1.0, None, &mut actions).expect("lengths fit");
        let mut streams: Vec<Stream> = (0..3).map(|game| Stream::new(6, game)).collect();
        let legal = legal(&mut *batch);
        expected(&legal, rows, &mut streams);
        batch.sample(None, &mut actions).expect("one action for each row");
        assert_eq!(actions, expected(&legal, rows, &mut streams), "{name}");
    }
}
