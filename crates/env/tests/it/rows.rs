//! Games in rows against batches: the same actions must give the same outputs and the same bytes.

use fourfold_common::SplitMix64;
use fourfold_env::{
    AnyRowGames, Autoreset, DescribedBatch, Illegal, MaskRows, MaskView, ObservationRows, Options,
    Outputs, RowOutputs, Rows, Seeds, Spec, StepError, ValueRows, make, row_games, sample_masks,
};
use fourfold_oracle::harness::quick_or_full;

use super::batches::{batch, legal, names, states};
use super::step_outputs::StepOutputs;

const GAMES: usize = 7;
const SEEDS: [u64; GAMES] = [3, 1, 4, 1, 5, 9, 2];

/// Rows of bytes, aligned as rows must be, and the outputs that belong to them.
struct Kept {
    rows: Vec<u64>,
    steps: Vec<i32>,
    outputs: StepOutputs,
}

impl Kept {
    fn new(games: &dyn AnyRowGames, batch: &dyn DescribedBatch) -> Kept {
        Kept {
            rows: vec![0; GAMES * games.row_bytes() / 8],
            steps: vec![-1; GAMES],
            outputs: StepOutputs::of(batch),
        }
    }

    fn parts(&mut self) -> (&mut [u8], RowOutputs<'_>) {
        let steps = Rows::new(&mut self.steps, 1);
        let outputs = self.outputs.outputs().1;
        (bytemuck::cast_slice_mut(&mut self.rows), RowOutputs { steps, outputs })
    }

    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.rows)
    }

    /// Returns the states as a batch writes them.
    fn states(&self, games: &dyn AnyRowGames, batch: &dyn DescribedBatch) -> Vec<u8> {
        let mut states = vec![0; GAMES * batch.state_bytes()];
        games.write_states(self.bytes(), &mut states).expect("the buffer fits");
        states
    }
}

/// Returns a batch of games at their start, and the same games in rows.
fn started(name: &str) -> (Box<dyn DescribedBatch>, Box<dyn AnyRowGames>, Kept) {
    let mut batch = batch(name, GAMES, Options::default());
    batch.reseed(Seeds::Each(&SEEDS)).expect("a seed each");
    batch.reset(None);
    let games = row_games(&*batch).expect("a known game");
    let mut kept = Kept::new(&*games, &*batch);
    let (rows, out) = kept.parts();
    games.start(&SEEDS, rows, out).expect("the buffers fit");
    (batch, games, kept)
}

/// Chooses actions, most of them legal.
fn choose(legal: &[Vec<i32>], spec: &Spec, random: &mut SplitMix64) -> Vec<i32> {
    let choose = |row: &Vec<i32>| match random.next() % 16 {
        0 => random.next() as i32 % spec.actions as i32,
        1 => [-1, i32::MIN, i32::MAX, spec.actions as i32][random.next() as usize % 4],
        _ => row[random.next() as usize % row.len()],
    };
    legal.iter().map(choose).collect()
}

#[test]
fn rows_are_stepped_like_batches() {
    let resets = [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled];
    for (name, autoreset) in names().flat_map(|name| resets.map(|autoreset| (name, autoreset))) {
        for illegal in [Illegal::Lose, Illegal::Ignore] {
            let options = Options { illegal: Some(illegal), autoreset, threads: 1 };
            let mut batch = batch(name, GAMES, options);
            batch.reseed(Seeds::Each(&SEEDS)).expect("a seed each");
            batch.reset(None);
            let games = row_games(&*batch).expect("a known game");
            let mut expected = StepOutputs::of(&*batch);
            batch.write_outputs(expected.outputs().1).expect("the buffers fit");
            let mut kept = Kept::new(&*games, &*batch);
            let (rows, out) = kept.parts();
            games.start(&SEEDS, rows, out).expect("the buffers fit");
            assert!(kept.outputs == expected && kept.steps == [0; GAMES], "{name}");
            let mut random = SplitMix64::new(7);
            let mut steps = vec![0; GAMES];
            for step in 0..quick_or_full(150, 2_000) {
                let what = format!("{name}, {autoreset:?}, {illegal:?}, step {step}");
                let spec = batch.spec().clone();
                let actions = choose(&legal(&mut *batch), &spec, &mut random);
                let view = MaskView::Packed(&kept.outputs.mask);
                let flags = games.are_legal(kept.bytes(), view, &actions).expect("they fit");
                let over: Vec<bool> = expected
                    .terminated
                    .iter()
                    .zip(&expected.truncated)
                    .map(|(a, b)| a | b)
                    .collect();
                batch.step(&actions, expected.outputs().1).expect("the buffers fit");
                let (rows, out) = kept.parts();
                games.step(rows, &actions, &flags, out).expect("the buffers fit");
                assert!(kept.outputs == expected, "{what}");
                assert!(kept.states(&*games, &*batch) == states(&*batch), "{what}");
                for game in 0..GAMES {
                    let ended = expected.terminated[game] || expected.truncated[game];
                    let is_new = match autoreset {
                        Autoreset::SameStep => ended,
                        Autoreset::NextStep => over[game],
                        Autoreset::Disabled => false,
                    };
                    let counts = autoreset == Autoreset::SameStep || !over[game];
                    steps[game] = if is_new { 0 } else { steps[game] + i32::from(counts) };
                }
                assert_eq!(kept.steps, steps, "{what}");
                // Everything follows from the bytes, except what describes the latest action.
                if autoreset != Autoreset::SameStep {
                    let mut shown = Kept::new(&*games, &*batch);
                    shown.rows.copy_from_slice(&kept.rows);
                    let (rows, out) = shown.parts();
                    games.show(rows, out).expect("the buffers fit");
                    shown.outputs.move_valid.copy_from_slice(&expected.move_valid);
                    assert!(shown.outputs == expected, "{what}");
                }
            }
        }
    }
}

/// Returns outputs with only a packed mask, of this many bytes for each game.
fn packed_mask(mask: &mut [u8], bytes: usize) -> RowOutputs<'_> {
    let mask = MaskRows::Packed(Rows::new(mask, bytes));
    RowOutputs { outputs: Outputs { mask, ..Outputs::none() }, ..RowOutputs::default() }
}

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    for name in names() {
        let results = [1, 3].map(|threads| {
            let options = Options { threads, ..Options::default() };
            let batch = batch(name, 0, options);
            let (games, spec) = (row_games(&*batch).expect("a known game"), batch.spec());
            let count = 300;
            let mut rows = vec![0u64; count * games.row_bytes() / 8];
            let rows: &mut [u8] = bytemuck::cast_slice_mut(&mut rows);
            let (bytes, views) = (spec.mask_rows() * spec.mask_bytes(), spec.mask_rows());
            let mut mask = vec![0; count * bytes];
            let seeds: Vec<u64> = (0..count as u64).collect();
            games.start(&seeds, rows, packed_mask(&mut mask, bytes)).expect("the buffers fit");
            for step in 0..20 {
                let mut random = SplitMix64::new(step);
                let bits: Vec<u64> = (0..count * views).map(|_| random.next()).collect();
                let mut actions = vec![-1; count * views];
                sample_masks(spec, MaskView::Packed(&mask), &bits, &mut actions).expect("they fit");
                let flags = games.are_legal(rows, MaskView::Packed(&mask), &actions);
                let flags = flags.expect("they fit");
                assert!(flags.iter().all(|&legal| legal), "{name}");
                games
                    .step(rows, &actions, &flags, packed_mask(&mut mask, bytes))
                    .expect("the buffers fit");
            }
            (rows.to_vec(), mask)
        });
        assert!(results[0] == results[1], "{name}");
    }
}

/// All formats of masks agree on which actions are legal, and on which are drawn.
#[test]
fn masks_of_every_format_say_the_same() {
    for name in names() {
        let (mut batch, games, mut kept) = started(name);
        let spec = batch.spec().clone();
        let mut random = SplitMix64::new(5);
        for _ in 0..40 {
            let listed = legal(&mut *batch);
            let bools: Vec<u8> = listed
                .iter()
                .flat_map(|row| (0..spec.actions as i32).map(|id| u8::from(row.contains(&id))))
                .collect();
            let counts: Vec<i32> = listed.iter().map(|row| row.len() as i32).collect();
            let padded = |slots: usize| -> Vec<i32> {
                let rows = listed
                    .iter()
                    .flat_map(|row| (0..slots).map(|slot| row.get(slot).copied().unwrap_or(-1)));
                rows.collect()
            };
            let (all, few) = (padded(spec.max_legal), padded(4));
            let complete = [
                MaskView::Packed(&kept.outputs.mask),
                MaskView::Bytes(&bools),
                MaskView::Sparse { counts: &counts, indices: &all },
            ];
            let others = [MaskView::None, MaskView::Sparse { counts: &counts, indices: &few }];
            let actions = choose(&listed, &spec, &mut random);
            let expected: Vec<bool> =
                listed.iter().zip(&actions).map(|(row, action)| row.contains(action)).collect();
            for view in complete.into_iter().chain(others) {
                let found = games.are_legal(kept.bytes(), view, &actions).expect("they fit");
                assert_eq!(found, expected, "{name}");
            }
            let bits: Vec<u64> = (0..listed.len()).map(|_| random.next()).collect();
            let drawn = complete.map(|view| {
                let mut drawn = vec![-1; listed.len()];
                sample_masks(&spec, view, &bits, &mut drawn).expect("they fit");
                drawn
            });
            let nth = |(row, &bits): (&Vec<i32>, &u64)| {
                row[((u128::from(bits) * row.len() as u128) >> 64) as usize]
            };
            let expected: Vec<i32> = listed.iter().zip(&bits).map(nth).collect();
            assert!(drawn.iter().all(|drawn| *drawn == expected), "{name}");
            let mut drawn = vec![-1; listed.len()];
            sample_masks(&spec, others[1], &bits, &mut drawn).expect("they fit");
            let is_listed = |(row, id): (&Vec<i32>, &i32)| row.iter().take(4).any(|one| one == id);
            assert!(listed.iter().zip(&drawn).all(is_listed), "{name}");
            batch.step(&expected, Outputs::none()).expect("the actions are legal");
            let flags = vec![true; expected.len()];
            let (rows, out) = kept.parts();
            games.step(rows, &expected, &flags, out).expect("the buffers fit");
        }
    }
}

#[test]
fn fewer_slots_than_legal_actions_list_the_first_of_them() {
    let batch = batch("blokus", 0, Options::default());
    let games = row_games(&*batch).expect("a known game");
    let mut rows = vec![0u64; games.row_bytes() / 8];
    let (mut counts, mut indices) = ([0], [0; 5]);
    let out = RowOutputs {
        outputs: Outputs {
            mask: MaskRows::Sparse {
                counts: Rows::new(&mut counts, 1),
                indices: Rows::new(&mut indices, 5),
            },
            ..Outputs::none()
        },
        ..RowOutputs::default()
    };
    games.start(&[1], bytemuck::cast_slice_mut(&mut rows), out).expect("the buffers fit");
    let mut listed = super::batches::batch("blokus", 1, Options::default());
    assert_eq!((counts[0], &indices[..]), (58, &legal(&mut *listed)[0][..5]));
}

#[test]
fn observations_and_arrays_are_those_of_a_batch() {
    for name in names() {
        let (mut batch, games, kept) = started(name);
        let spec = batch.spec().clone();
        let (layout, players) = (&spec.observation, spec.players);
        for player in (0..players).map(Some).chain([None]) {
            let views = if player.is_some() { 1 } else { spec.mask_rows() };
            let [mut ours, mut theirs] = [
                vec![2.0; GAMES * views * layout.values()],
                vec![3.0; GAMES * views * layout.values()],
            ];
            let out = |values| ObservationRows {
                values: ValueRows::Float(Rows::new(values, views * layout.values())),
                ..ObservationRows::default()
            };
            games.observe(kept.bytes(), player, out(&mut ours)).expect("the buffers fit");
            batch.observe(player, out(&mut theirs)).expect("the buffers fit");
            assert!(ours == theirs, "{name}, player {player:?}");
        }
        let error = games.observe(kept.bytes(), Some(players), ObservationRows::default());
        assert_eq!(error, Err(StepError::Player { player: players, players }));
        for array in batch.arrays() {
            let size = GAMES * array.shape.iter().product::<usize>();
            let [mut ours, mut theirs] = [vec![-7; size], vec![-8; size]];
            games.array(kept.bytes(), array.name, &mut ours).expect("the buffer fits");
            batch.array(array.name, &mut theirs).expect("the buffer fits");
            assert_eq!(ours, theirs, "{name}, {}", array.name);
        }
        assert!(games.array(kept.bytes(), "nothing", &mut []).is_err());
    }
}

#[test]
fn start_positions_are_drawn_from_the_seed() {
    let mut batch = make("chess", &[], 0, Options::default()).expect("a game");
    batch
        .set_starts(&["8/8/8/8/8/1k6/7q/2K5 b - - 0 1", "8/8/8/8/8/k7/7q/1K6 b - - 0 1"])
        .expect("positions");
    let games = row_games(&*batch).expect("a known game");
    let start = |seed: u64| {
        let mut rows = vec![0u64; games.row_bytes() / 8];
        let rows: &mut [u8] = bytemuck::cast_slice_mut(&mut rows);
        games.start(&[seed], rows, RowOutputs::default()).expect("the buffers fit");
        rows[..batch.state_bytes()].to_vec()
    };
    let starts: Vec<Vec<u8>> = (0..20).map(start).collect();
    assert!(starts.iter().any(|other| *other != starts[0]));
    assert!((0..20).map(start).eq(starts.clone()));
}

#[test]
fn wrong_lengths_are_errors() {
    let batch = batch("chess", 0, Options::default());
    let games = row_games(&*batch).expect("a known game");
    let size = games.row_bytes();
    let mut rows = vec![0u64; 2 * size / 8];
    let rows: &mut [u8] = bytemuck::cast_slice_mut(&mut rows);
    let text = |result: Result<(), StepError>| result.unwrap_err().to_string();
    let out = RowOutputs::default;
    assert_eq!(text(games.start(&[1], rows, out())), "expected 2 seeds, got 1");
    assert_eq!(
        text(games.start(&[1], &mut rows[..size + 8], out())),
        format!("expected {size} bytes of states, got {}", size + 8)
    );
    games.start(&[1, 2], rows, out()).expect("they fit");
    assert_eq!(text(games.step(rows, &[1], &[true], out())), "expected 2 actions, got 1");
    assert_eq!(
        text(games.step(rows, &[1, 1], &[true], out())),
        "expected 2 flags of legal actions, got 1"
    );
    let mut steps = [0];
    let short = RowOutputs { steps: Rows::new(&mut steps, 1), ..out() };
    assert_eq!(games.show(rows, short), Err(StepError::Buffer { games: 2 }));
    let error = games.are_legal(rows, MaskView::Packed(&[0; 584]), &[1, 1]).unwrap_err();
    assert_eq!(error.to_string(), "expected 1168 bytes of masks, got 584");
    let mut drawn = [0];
    let spec = games.spec();
    assert!(sample_masks(spec, MaskView::None, &[1], &mut drawn).is_err());
    let error = sample_masks(spec, MaskView::Packed(&[0; 584]), &[], &mut drawn).unwrap_err();
    assert_eq!(error.to_string(), "expected 1 random numbers, got 0");
}
