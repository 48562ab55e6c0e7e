//! Batched environments: ours alone here; the peers are Python packages and stand in
//! `python -m fourfold.bench`.

use fourfold_env::chess::{Chess, Rules};
use fourfold_env::{AnyBatch, Batch, MaskRows, ObservationRows, Options, Outputs, Rows};

use crate::contest::{Contest, Contestant, Effort};

/// All environment workloads.
pub(crate) fn contests(effort: Effort) -> Vec<Contest> {
    let (games, steps) = if effort == Effort::Quick { (64, 20) } else { (4096, 50) };
    vec![Contest {
        name: format!("chess environment, {games} games"),
        unit: "steps",
        contestants: vec![
            stepping("packed mask", games, steps, Observation::None),
            stepping("packed mask and planes", games, steps, Observation::Packed),
            stepping("packed mask and floats", games, steps, Observation::Floats),
        ],
    }]
}

#[derive(Clone, Copy)]
enum Observation {
    None,
    Packed,
    Floats,
}

fn stepping(name: &'static str, games: usize, steps: u64, form: Observation) -> Contestant {
    let mut batch = Batch::<Chess>::new(Rules::FIDE, games, Options::default());
    let spec = batch.spec().clone();
    let layout = &spec.observation;
    let (plane_bytes, values) = (layout.packed_bytes(), layout.values());
    let mut actions = vec![0; games];
    let mut mask = vec![0; games * spec.mask_bytes()];
    let mut rewards = vec![0.0; games * 2];
    let mut terminated = vec![false; games];
    let mut planes = vec![0; games * plane_bytes];
    let mut scalars = vec![0.0; games * layout.scalars];
    let mut floats = match form {
        Observation::Floats => vec![0.0; games * values],
        Observation::None | Observation::Packed => Vec::new(),
    };
    Contestant::new(name, move || {
        for _ in 0..steps {
            batch.sample(None, &mut actions);
            let mut out = Outputs::none();
            out.mask = MaskRows::Packed(Rows::new(&mut mask, spec.mask_bytes()));
            out.rewards = Rows::new(&mut rewards, 2);
            out.terminated = Rows::new(&mut terminated, 1);
            out.observation = match form {
                Observation::None => ObservationRows::None,
                Observation::Packed => ObservationRows::Packed {
                    planes: Rows::new(&mut planes, plane_bytes),
                    scalars: Rows::new(&mut scalars, 2),
                },
                Observation::Floats => ObservationRows::Float(Rows::new(&mut floats, values)),
            };
            batch.step(&actions, out).expect("sampled actions are legal");
        }
        steps * games as u64
    })
}
