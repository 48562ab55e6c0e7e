//! The observations of games that ended, in batches that restart them in the same step.

use fourfold_env::{AnyBatch, Autoreset, ObservationRows, Options, Outputs, Rows, ValueRows};
use half::f16;

use super::batches::{batch, names};

/// Observations in every format.
#[derive(PartialEq, Debug, Default)]
struct Observations {
    packed: Vec<u8>,
    bytes: Vec<u8>,
    halves: Vec<f16>,
    floats: Vec<f32>,
    scalars: Vec<f32>,
}

/// Calls `write` once for each format, with room for a number of games.
fn in_every_format(
    batch: &mut dyn AnyBatch,
    games: usize,
    mut write: impl FnMut(&mut dyn AnyBatch, ObservationRows<'_>),
) -> Observations {
    let (layout, rows) = (batch.spec().observation.clone(), batch.spec().mask_rows());
    let [packed, values, numbers] =
        [layout.packed_bytes(), layout.values(), layout.scalars].map(|width| rows * width);
    let mut found = Observations {
        packed: vec![9; games * packed],
        bytes: vec![9; games * values],
        halves: vec![f16::NAN; games * values],
        floats: vec![f32::NAN; games * values],
        scalars: vec![f32::NAN; games * numbers],
    };
    let scalars = &mut found.scalars;
    for values in [
        ValueRows::Packed(Rows::new(&mut found.packed, packed)),
        ValueRows::Bytes(Rows::new(&mut found.bytes, values)),
        ValueRows::Half(Rows::new(&mut found.halves, values)),
        ValueRows::Float(Rows::new(&mut found.floats, values)),
    ] {
        scalars.fill(f32::NAN);
        write(batch, ObservationRows { values, scalars: Rows::new(scalars, numbers) });
    }
    found
}

/// Keeps the rows of some games out of all games of a batch.
fn select<T: Copy>(values: &[T], all: usize, games: &[usize]) -> Vec<T> {
    let width = values.len() / all;
    games.iter().flat_map(|&game| values[game * width..][..width].to_vec()).collect()
}

#[test]
fn final_observations_equal_those_of_games_that_do_not_restart() {
    for (name, threads) in names().flat_map(|name| [(name, 1), (name, 2)]) {
        let games = if threads == 1 { 10 } else { 140 };
        let [mut restarting, mut stopping] =
            [Autoreset::SameStep, Autoreset::Disabled].map(|autoreset| {
                let options = Options { autoreset, threads, ..Options::default() };
                let mut batch = batch(name, games, options);
                batch.reset(Some(7));
                batch
            });
        let mut actions = vec![0; games * restarting.spec().mask_rows()];
        let mut seen = 0;
        while seen < 3 * games / 2 {
            restarting.sample(None, &mut actions).expect("one action for each row");
            let count = restarting.step(&actions, Outputs::none()).expect("legal actions");
            stopping.step(&actions, Outputs::none()).expect("legal actions");
            let ended = restarting.ended_games();
            assert_eq!((ended.len(), &ended), (count, &stopping.ended_games()), "{name}");
            assert!(ended.is_sorted());
            seen += count;
            if count == 0 {
                continue;
            }
            let found = in_every_format(&mut *restarting, count, |batch, out| {
                batch.final_observations(out).expect("the buffers fit");
            });
            let all = in_every_format(&mut *stopping, games, |batch, out| {
                batch.observe(None, out).expect("the buffers fit");
            });
            let expected = Observations {
                packed: select(&all.packed, games, &ended),
                bytes: select(&all.bytes, games, &ended),
                halves: select(&all.halves, games, &ended),
                floats: select(&all.floats, games, &ended),
                scalars: select(&all.scalars, games, &ended),
            };
            assert!(found == expected, "{name}");
            let mask: Vec<bool> = (0..games).map(|game| ended.contains(&game)).collect();
            stopping.reset_where(&mask).expect("one value for each game");
        }
    }
}

#[test]
fn buffers_have_one_row_for_each_game_that_ended() {
    let mut batch = batch("chess", 2, Options::default());
    batch
        .reset_to(None, &["7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "7k/8/8/8/8/8/8/K5R1 w - - 0 1"])
        .expect("positions");
    let actions = batch.read_actions(&["f7g7", "a1a2"]).expect("legal moves");
    assert_eq!(batch.step(&actions, Outputs::none()), Ok(1));
    let width = batch.spec().observation.values();
    for rows in [1, 2] {
        let mut floats = vec![0.0; rows * width];
        let values = ValueRows::Float(Rows::new(&mut floats, width));
        let result = batch.final_observations(ObservationRows { values, scalars: Rows::none() });
        assert_eq!(result.is_ok(), rows == 1);
    }
}
