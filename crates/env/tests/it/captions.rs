//! Names of channels and positions of actions on the planes, checked against observations.

use fourfold_env::{AnyBatch, Autoreset, ObservationRows, Options, Outputs, Rows, ValueRows, make};

/// An environment: its name, its options and the channels to check.
type Case = (&'static str, &'static [(&'static str, &'static str)], std::ops::Range<usize>);

/// The environments. The channels are those of the acting player's pieces: one of them is set on
/// every square that an action leaves. For Blokus it is the channel of the free cells, which is set
/// on every cell that a placement covers.
const GAMES: [Case; 8] = [
    ("chess", &[], 0..6),
    ("four_player", &[], 0..7),
    ("four_player", &[("mode", "teams")], 0..7),
    ("blokus", &[], 8..9),
    ("blokus_duo", &[], 4..5),
    ("kung_fu", &[], 0..6),
    ("kung_fu_4p", &[], 0..6),
    ("kung_fu_4p", &[("seats", "134")], 0..6),
];

fn observed(batch: &mut dyn AnyBatch) -> Vec<f32> {
    let spec = batch.spec();
    let (values, scalars) =
        (spec.observation.values() * spec.mask_rows(), spec.observation.scalars * spec.mask_rows());
    let (mut out, mut numbers) = (vec![0.0; values], vec![0.0; scalars]);
    let rows = ObservationRows {
        values: ValueRows::Float(Rows::new(&mut out, values)),
        scalars: Rows::new(&mut numbers, scalars),
    };
    batch.observe(None, rows).expect("it fits");
    out
}

/// Returns the legal actions of each mask row.
fn legal(batch: &mut dyn AnyBatch) -> Vec<Vec<i32>> {
    let (rows, actions) = (batch.spec().mask_rows(), batch.spec().actions);
    let mut mask = vec![false; rows * actions];
    let mask_rows = fourfold_env::MaskRows::Bool(Rows::new(&mut mask, rows * actions));
    batch.write_outputs(Outputs { mask: mask_rows, ..Outputs::none() }).expect("it fits");
    let of_row = |mask: &[bool]| (0..).zip(mask).filter_map(|(id, &is)| is.then_some(id)).collect();
    mask.chunks_exact(actions).map(of_row).collect()
}

#[test]
fn channel_and_plane_names_are_unique() {
    for (name, options, _) in GAMES {
        let batch = make(name, options, 1, Options::default()).expect("an environment");
        let channels = batch.channel_names();
        assert_eq!(channels.len(), batch.spec().observation.channels.len(), "{name}");
        for captions in [channels, batch.action_planes()] {
            assert!(!captions.is_empty(), "{name}");
            for (index, caption) in captions.iter().enumerate() {
                assert!(!captions[..index].contains(caption), "{name}: {caption:?} is repeated");
            }
        }
    }
}

#[test]
fn actions_start_on_own_pieces_or_cover_free_cells() {
    for (name, options, channels) in GAMES {
        let apart = Options { autoreset: Autoreset::Disabled, ..Options::default() };
        let mut batch = make(name, options, 1, apart).expect("an environment");
        batch.reset(Some(7));
        let (rows, planes) = (batch.spec().mask_rows(), batch.action_planes().len());
        let layout = batch.spec().observation.clone();
        let mut seen = 0;
        for _ in 0..60 {
            let values = observed(&mut *batch);
            let legal = legal(&mut *batch);
            if legal[0].len() == batch.spec().actions {
                break;
            }
            for (view, actions) in values.chunks_exact(layout.values()).zip(&legal) {
                let mut places = Vec::new();
                for &action in actions {
                    let Some(place) = batch.action_place(action) else { continue };
                    assert!(place.plane < planes, "{name}: {place:?}");
                    places.push((place.plane, place.row, place.column));
                    let covers = name.starts_with("blokus");
                    let checked = if covers { &place.cells[..] } else { &place.cells[..1] };
                    for &(row, column) in checked {
                        let square = (row * layout.width + column) * layout.channels.len();
                        let there = &view[square..][channels.clone()];
                        assert!(there.contains(&1.0), "{name}: {place:?}");
                    }
                    for (row, column) in place.cells {
                        assert!(row < layout.height && column < layout.width, "{name}");
                    }
                    seen += 1;
                }
                places.sort_unstable();
                assert!(places.windows(2).all(|two| two[0] != two[1]), "{name}: shared place");
                assert!(actions.len() - places.len() <= 1, "{name}: actions without a place");
            }
            let mut actions = vec![0; rows];
            batch.sample(None, &mut actions).expect("one action per row");
            batch.step(&actions, Outputs::none()).expect("legal");
        }
        assert!(seen > 300, "{name}: {seen} actions");
    }
}

#[test]
fn invalid_action_ids_have_no_place() {
    for (name, options, _) in GAMES {
        let batch = make(name, options, 1, Options::default()).expect("an environment");
        let actions = batch.spec().actions as i32;
        assert!(
            [-1, i32::MIN, actions, i32::MAX].iter().all(|&id| batch.action_place(id).is_none())
        );
        for id in 0..actions {
            if let Some(place) = batch.action_place(id) {
                let layout = &batch.spec().observation;
                assert!(place.row < layout.height && place.column < layout.width, "{name} {id}");
            }
        }
    }
}
