//! States as bytes: they survive being written and loaded, and damaged ones do no harm.

use fourfold_common::SplitMix64;
use fourfold_env::{Autoreset, LoadError, Options, Seeds, StepError};
use fourfold_oracle::harness::quick_or_full;

use super::batches::{batch, legal, names, observe, play, states};

const RESETS: [Autoreset; 3] = [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled];

#[test]
fn loaded_states_are_equal_and_play_identically() {
    for (name, autoreset) in names().flat_map(|name| RESETS.map(|autoreset| (name, autoreset))) {
        let options = Options { autoreset, ..Options::default() };
        let mut from = batch(name, 9, options);
        from.reset(Some(1));
        play(&mut *from, 70);
        let order = [4, 0, 8, 2, 6, 1, 3, 7, 5];
        let size = from.state_bytes();
        let mut bytes = vec![0; 9 * size];
        from.write_states(&order, &mut bytes).expect("the buffer fits");
        let mut to = batch(name, 9, options);
        play(&mut *to, 3);
        to.load_states(&[0, 1, 2, 3, 4, 5, 6, 7, 8], &bytes).expect("the states are valid");
        assert_eq!(states(&*to), bytes, "{name}");
        from.reseed(Seeds::Each(&[10, 11, 12, 13, 14, 15, 16, 17, 18])).expect("a seed each");
        to.reseed(Seeds::Each(&order.map(|game| 10 + game as u64))).expect("a seed each");
        let rows = from.spec().mask_rows();
        for step in 0..50 {
            let (ours, theirs) = (play(&mut *from, 1), play(&mut *to, 1));
            from.write_states(&order, &mut bytes).expect("the buffer fits");
            assert!(states(&*to) == bytes, "{name}, step {step}");
            for (row, game) in order.into_iter().enumerate() {
                assert_eq!(theirs[row * rows..][..rows], ours[game * rows..][..rows], "{name}");
            }
        }
    }
}

#[test]
fn some_states_are_loaded_and_the_others_stay() {
    for name in names() {
        let [mut from, mut to] = [1, 2].map(|seed| {
            let mut batch = batch(name, 3, Options::default());
            batch.reset(Some(seed));
            play(&mut *batch, 10);
            batch
        });
        let (size, before) = (from.state_bytes(), states(&*to));
        let mut bytes = vec![0; size];
        from.write_states(&[2], &mut bytes).expect("the buffer fits");
        to.load_states(&[1], &bytes).expect("the state is valid");
        let expected = [&before[..size], &bytes, &before[2 * size..]].concat();
        assert!(states(&*to) == expected, "{name}");

        let error = to.load_states(&[3], &bytes).unwrap_err();
        assert_eq!(error, StepError::NoGame { game: 3, games: 3 });
        let error = to.load_states(&[0], &bytes[1..]).unwrap_err().to_string();
        assert_eq!(error, format!("expected {size} bytes, got {}", size - 1));
        let error = from.write_states(&[0, 3], &mut bytes).unwrap_err();
        assert_eq!(error, StepError::NoGame { game: 3, games: 3 });
        let error = from.write_states(&[0, 1], &mut bytes).unwrap_err().to_string();
        assert_eq!(error, format!("expected {} bytes, got {size}", 2 * size));
        assert!(states(&*to) == expected, "{name}");
        play(&mut *from, 1);
    }
}

#[test]
fn damaged_states_are_rejected_or_playable() {
    let mut rng = SplitMix64::new(1);
    for name in names() {
        let mut source = batch(name, 3, Options::default());
        let mut target = batch(name, 3, Options::default());
        source.reset(Some(3));
        let size = source.state_bytes();
        let (mut rejected, mut accepted) = (0, 0);
        for round in 0..quick_or_full(400, 10_000) {
            play(&mut *source, 1 + rng.next() as usize % 4);
            let mut damaged = states(&*source);
            let row = rng.next() as usize % 3;
            let state = &mut damaged[row * size..][..size];
            match round % 6 {
                0 => state.fill_with(|| rng.next() as u8),
                1 => {
                    // A word of extreme or random bits.
                    let start = rng.next() as usize % (size / 8) * 8;
                    let word = [0, u64::MAX, u64::MAX - 1, 1, 1 << 63, rng.next()];
                    let word = word[rng.next() as usize % word.len()].to_le_bytes();
                    state[start..start + 8].copy_from_slice(&word);
                }
                // Counters and the status, of which most values are valid.
                2 => state[size - 1 - rng.next() as usize % 64] ^= 1 << (rng.next() % 8),
                _ => {
                    for _ in 0..1 + rng.next() % 3 {
                        state[rng.next() as usize % size] ^= 1 << (rng.next() % 8);
                    }
                }
            }
            let before = target.save();
            match target.load_states(&[0, 1, 2], &damaged) {
                Err(error) => {
                    let StepError::Load(LoadError::State { row: found, kind }) = error else {
                        panic!("{name}: {error}");
                    };
                    assert_eq!(found, row);
                    assert!(kind.starts_with(&target.id()), "{kind}");
                    assert!(target.save() == before, "{name}: a rejected load changes the batch");
                    rejected += 1;
                }
                Ok(()) => {
                    assert!(target.texts().iter().all(|text| !text.is_empty()));
                    for _ in 0..3 {
                        play(&mut *target, 10);
                        assert!(legal(&mut *target).iter().all(|ids| !ids.is_empty()), "{name}");
                        let (values, scalars) = observe(&mut *target);
                        let mut numbers = values.into_iter().chain(scalars);
                        assert!(numbers.all(f32::is_finite), "{name}");
                    }
                    accepted += 1;
                }
            }
        }
        assert!(rejected > 100 && accepted > 3, "{name}: {rejected} rejected, {accepted} accepted");
    }
}

#[test]
fn batches_saved_by_version_1_are_rejected() {
    for name in names() {
        let mut batch = batch(name, 2, Options::default());
        let before = batch.save();
        let kind = format!("{name}-v1 with whatever rules it had");
        let mut old = (kind.len() as u64).to_le_bytes().to_vec();
        old.extend(kind.bytes());
        old.extend([7; 5000]);
        let error = batch.load(&old).unwrap_err();
        let (expected, found) = (batch.id(), format!("{name}-v1"));
        assert_eq!(error, LoadError::Version { expected, found });
        assert!(error.to_string().contains(&format!("{name}-v1")), "{error}");
        assert!(batch.save() == before, "{name}");
    }
}
