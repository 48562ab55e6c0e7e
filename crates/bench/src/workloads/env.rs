//! Batched environments: only fourfold's, because the others are Python packages, which
//! `benchmarks/peers.py` measures.

use fourfold_env::chess::{self, Chess};
use fourfold_env::four_player::{self, FourPlayer};
use fourfold_env::{
    AnyBatch, Batch, Describe, MaskRows, ObservationRows, Options, Outputs, Rows, ValueRows,
};

use crate::comparison::{Candidate, Comparison, WorkloadSize};

/// Returns all environment workloads.
pub(super) fn comparisons(size: WorkloadSize) -> Vec<Comparison> {
    let (games, steps) = if size == WorkloadSize::Quick { (64, 20) } else { (4096, 50) };
    let chess = |name, form| stepping::<Chess>(name, chess::Rules::FIDE, games, steps, form);
    let four = |name, actions, form| {
        let rules = four_player::Rules { actions, ..four_player::Rules::FREE_FOR_ALL };
        stepping::<FourPlayer>(name, rules, games, steps, form)
    };
    let (planes, flat) = (four_player::Actions::Planes, four_player::Actions::Flat);
    // Few enough games to fit in the CPU caches.
    let few = four_player::Rules::FREE_FOR_ALL;
    let few = stepping::<FourPlayer>(
        "packed mask",
        few,
        32,
        steps * games as u64 / 32,
        (Mask::Packed, Observation::None),
    );
    vec![
        Comparison::new("four-player environment, 32 games", "steps", vec![few]),
        Comparison::new(
            format!("chess environment, {games} games"),
            "steps",
            vec![
                chess("packed mask", (Mask::Packed, Observation::None)),
                chess("packed mask and planes", (Mask::Packed, Observation::Packed)),
                chess("packed mask and floats", (Mask::Packed, Observation::Floats)),
            ],
        ),
        Comparison::new(
            format!("four-player environment, {games} games"),
            "steps",
            vec![
                four("packed mask", planes, (Mask::Packed, Observation::None)),
                four("no mask", planes, (Mask::None, Observation::None)),
                four("sparse mask", planes, (Mask::Sparse, Observation::None)),
                four("bool mask", planes, (Mask::Bool, Observation::None)),
                four("packed flat mask", flat, (Mask::Packed, Observation::None)),
                four("packed mask and planes", planes, (Mask::Packed, Observation::Packed)),
            ],
        ),
    ]
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mask {
    None,
    Packed,
    Bool,
    Sparse,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Observation {
    None,
    Packed,
    Floats,
}

fn stepping<G: Describe>(
    name: &'static str,
    rules: G::Rules,
    games: usize,
    steps: u64,
    (mask_form, form): (Mask, Observation),
) -> Candidate {
    let mut batch = Batch::<G>::new(rules, games, Options::default());
    let spec = batch.spec().clone();
    let layout = &spec.observation;
    let (plane_bytes, values) = (layout.packed_bytes(), layout.values());
    let sized = |wanted: bool, size: usize| if wanted { games * size } else { 0 };
    let mut actions = vec![0; games];
    let mut mask = vec![0; sized(mask_form == Mask::Packed, spec.mask_bytes())];
    let mut bools = vec![false; sized(mask_form == Mask::Bool, spec.actions)];
    let mut counts = vec![0; games];
    let mut indices = vec![0; sized(mask_form == Mask::Sparse, spec.max_legal)];
    let mut rewards = vec![0.0; games * spec.players];
    let mut terminated = vec![false; games];
    let mut planes = vec![0; sized(form == Observation::Packed, plane_bytes)];
    let mut scalars = vec![0.0; games * layout.scalars];
    let mut floats = vec![0.0; sized(form == Observation::Floats, values)];
    Candidate::new(name, move || {
        for _ in 0..steps {
            batch.sample(None, &mut actions).expect("one action per row");
            let mut out = Outputs::none();
            out.mask = match mask_form {
                Mask::None => MaskRows::None,
                Mask::Packed => MaskRows::Packed(Rows::new(&mut mask, spec.mask_bytes())),
                Mask::Bool => MaskRows::Bool(Rows::new(&mut bools, spec.actions)),
                Mask::Sparse => MaskRows::Sparse {
                    counts: Rows::new(&mut counts, 1),
                    indices: Rows::new(&mut indices, spec.max_legal),
                },
            };
            out.rewards = Rows::new(&mut rewards, spec.players);
            out.terminated = Rows::new(&mut terminated, 1);
            out.observation = match form {
                Observation::None => ObservationRows::default(),
                Observation::Packed => ObservationRows {
                    values: ValueRows::Packed(Rows::new(&mut planes, plane_bytes)),
                    scalars: Rows::new(&mut scalars, spec.observation.scalars),
                },
                Observation::Floats => ObservationRows {
                    values: ValueRows::Float(Rows::new(&mut floats, values)),
                    scalars: Rows::none(),
                },
            };
            batch.step(&actions, out).expect("sampled actions are legal");
        }
        steps * games as u64
    })
}
