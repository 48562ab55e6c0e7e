//! Batches of every environment, for tests that do not depend on the game.

use fourfold_env::{
    AnyBatch, DescribedBatch, GAMES, MaskRows, ObservationRows, Options, Outputs, Rows, ValueRows,
    make,
};

/// Returns the names of all environments.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|entry| entry.name)
}

/// Creates a batch with limits that keep random games short.
pub(crate) fn batch(name: &str, games: usize, options: Options) -> Box<dyn DescribedBatch> {
    let given: &[(&str, &str)] = match name {
        "chess" => &[("max_steps", "120")],
        "four_player" => &[("max_steps", "150")],
        "kung_fu" | "kung_fu_4p" => &[("speed", "lightning"), ("max_ticks", "300")],
        _ => &[],
    };
    make(name, given, games, options).expect("the options are valid")
}

/// Plays random actions, drawn from the streams of the games, and returns the last of them.
pub(crate) fn play(batch: &mut dyn AnyBatch, steps: usize) -> Vec<i32> {
    let mut actions = vec![0; batch.games() * batch.spec().mask_rows()];
    for _ in 0..steps {
        batch.sample(None, &mut actions).expect("one action for each row");
        batch.step(&actions, Outputs::none()).expect("sampled actions are legal");
    }
    actions
}

/// Returns the states of all games as bytes.
pub(crate) fn states(batch: &dyn AnyBatch) -> Vec<u8> {
    let games: Vec<usize> = (0..batch.games()).collect();
    let mut states = vec![0; games.len() * batch.state_bytes()];
    batch.write_states(&games, &mut states).expect("the buffer fits");
    states
}

/// Returns the bytes of the random stream of each game, which are at the end of a saved batch.
pub(crate) fn streams(batch: &dyn AnyBatch) -> Vec<Vec<u8>> {
    let saved = batch.save();
    let (_, streams) = saved.split_at(saved.len() - 24 * batch.games());
    streams.chunks_exact(24).map(<[u8]>::to_vec).collect()
}

/// Returns the legal actions of each row in ascending order, from the mask of `bool`.
pub(crate) fn legal(batch: &mut dyn AnyBatch) -> Vec<Vec<i32>> {
    let (rows, actions) = (batch.spec().mask_rows(), batch.spec().actions);
    let mut mask = vec![false; batch.games() * rows * actions];
    let out = MaskRows::Bool(Rows::new(&mut mask, rows * actions));
    batch.write_outputs(Outputs { mask: out, ..Outputs::none() }).expect("the buffer fits");
    let ids = |mask: &[bool]| (0..).zip(mask).filter_map(|(id, &is)| is.then_some(id)).collect();
    mask.chunks_exact(actions).map(ids).collect()
}

/// Returns the observations of all games as floats, and the scalars.
pub(crate) fn observe(batch: &mut dyn AnyBatch) -> (Vec<f32>, Vec<f32>) {
    let (layout, rows) = (batch.spec().observation.clone(), batch.spec().mask_rows());
    let (width, numbers) = (rows * layout.values(), rows * layout.scalars);
    let mut values = vec![f32::NAN; batch.games() * width];
    let mut scalars = vec![f32::NAN; batch.games() * numbers];
    let out = ObservationRows {
        values: ValueRows::Float(Rows::new(&mut values, width)),
        scalars: Rows::new(&mut scalars, numbers),
    };
    batch.observe(None, out).expect("the buffers fit");
    (values, scalars)
}
