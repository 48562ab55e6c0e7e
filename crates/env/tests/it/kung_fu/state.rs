//! The guarantees of a batch (threads, saving, autoreset), and the raw state as arrays.

use fourfold_common::SplitMix64;
use fourfold_env::kung_fu::{Eight, KungFu, Rules, Twelve};
use fourfold_env::{
    AnyBatch, Autoreset, Batch, DescribedBatch, ObservationRows, Options, Rows, StepError,
    ValueRows,
};

use super::{batch, eight, twelve};
use crate::step_outputs::StepOutputs;

fn resetting<const SIDE: usize>(
    rules: Rules<SIDE>,
    games: usize,
    threads: usize,
) -> Batch<KungFu<SIDE>> {
    Batch::new(rules, games, Options { threads, ..Options::default() })
}

const SHORT: [(&str, &str); 3] = [("ticks_per_square", "2"), ("rest", "4"), ("max_ticks", "150")];

#[test]
fn outputs_do_not_depend_on_threads_or_batch_size() {
    const GAMES: usize = 150;
    let run = |threads, games| {
        let mut batch = resetting(twelve(&SHORT), games, threads);
        batch.reset(Some(5));
        let mut told = StepOutputs::of(&batch);
        (0..60).map(|_| (told.step(&mut batch), told.clone())).collect::<Vec<_>>()
    };
    let one = run(1, GAMES);
    assert!(one.iter().map(|(ended, _)| ended).sum::<usize>() >= GAMES, "too few games ended");
    assert!(one == run(2, GAMES));
    for (few, many) in run(1, 3).iter().zip(&one) {
        assert_eq!(few.1.planes, many.1.planes[..few.1.planes.len()]);
        assert_eq!(few.1.scalars, many.1.scalars[..few.1.scalars.len()]);
        assert_eq!(few.1.mask, many.1.mask[..few.1.mask.len()]);
        assert_eq!(few.1.actions, many.1.actions[..3 * 4]);
        assert_eq!(few.1.rewards, many.1.rewards[..3 * 4]);
    }
}

#[test]
fn rollouts_do_not_depend_on_threads() {
    let rollout = |threads| resetting(eight(&SHORT), 1, threads).rollout(0..60, 4);
    let one = rollout(1);
    assert_eq!(one, rollout(2));
    assert_eq!((one.games, one.endings.iter().sum::<u64>()), (60, 60));
    assert!(one.wins[0] > 0 && one.wins[1] > 0 && one.truncated > 0, "{one:?}");
}

#[test]
fn batches_saved_with_former_words_are_of_version_1() {
    let rules = twelve(&[("seats", "134"), ("ticks_per_square", "3")]);
    let batch = Batch::<Twelve>::new(rules, 2, Options::default());
    let bytes = batch.save();
    let (length, rest) = bytes.split_first_chunk::<8>().unwrap();
    let (text, rest) = rest.split_at(u64::from_le_bytes(*length) as usize);
    let text = std::str::from_utf8(text).unwrap();
    let former = text.replace("ticks-per-square=", "tps=").replace("players=", "seats=");
    let former = former.replace("kung_fu_4p-v2", "kung_fu_4p-v1");
    assert!(former.contains(" tps=3 ") && former.contains(" seats=134,"), "{former}");
    let mut bytes = (former.len() as u64).to_le_bytes().to_vec();
    bytes.extend(former.bytes());
    bytes.extend(rest);
    let mut loaded = Batch::<Twelve>::new(rules, 2, Options::default());
    let before = loaded.save();
    let error = loaded.load(&bytes).unwrap_err().to_string();
    assert!(error.starts_with("the batch was saved by kung_fu_4p-v1"), "{error}");
    assert_eq!(loaded.save(), before);
}

#[test]
fn a_loaded_batch_continues_like_the_saved_one() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        let options = Options { autoreset, ..Options::default() };
        let rules = twelve(&[&SHORT[..], &[("seats", "134"), ("eliminated", "freeze")]].concat());
        let mut batch = Batch::<Twelve>::new(rules, 12, options);
        let mut told = StepOutputs::of(&batch);
        for _ in 0..55 {
            told.step(&mut batch);
        }
        let mut loaded = Batch::<Twelve>::new(rules, 12, options);
        loaded.load(&batch.save()).unwrap();
        let (mut shown, mut again) = (told.clone(), told.clone());
        batch.write_outputs(shown.outputs().1).unwrap();
        loaded.write_outputs(again.outputs().1).unwrap();
        assert!(shown == again);
        for _ in 0..40 {
            assert_eq!(told.step(&mut batch), again.step(&mut loaded));
            assert!(told == again);
        }
    }
}

#[test]
fn damaged_bytes_are_refused_and_change_nothing() {
    let mut batch = resetting(eight(&SHORT), 3, 1);
    let mut told = StepOutputs::of(&batch);
    for _ in 0..9 {
        told.step(&mut batch);
    }
    let saved = batch.save();
    let mut rng = SplitMix64::new(1);
    let mut refused = 0;
    for _ in 0..2000 {
        let mut damaged = saved.clone();
        match rng.next() % 3 {
            0 => damaged.truncate((rng.next() % saved.len() as u64) as usize),
            1 => damaged.push(0),
            _ => {
                let place = (rng.next() % saved.len() as u64) as usize;
                damaged[place] ^= 1 << (rng.next() % 8);
            }
        }
        let before = batch.save();
        match batch.load(&damaged) {
            Err(_) => {
                assert_eq!(batch.save(), before);
                refused += 1;
            }
            // The bytes are a different valid state: it can be played.
            Ok(()) => assert!(told.step(&mut batch) <= 3),
        }
    }
    assert!(refused > 1300, "only {refused} were refused");
    batch.load(&saved).unwrap();
    let error = resetting(eight(&[]), 3, 1).load(&saved).unwrap_err().to_string();
    assert!(error.starts_with("expected a batch of kung_fu-v2 with 8x8"), "{error}");
}

#[test]
fn same_step_autoreset_keeps_all_final_observations() {
    let mut batch = resetting(eight(&[("max_ticks", "6")]), 1, 1);
    let start = batch.texts();
    let mut told = StepOutputs::of(&batch);
    assert_eq!(told.step(&mut batch), 0);
    let mut slow = super::batch(*batch.rules(), 1);
    slow.load(&batch.save()).unwrap();
    assert_eq!((told.step(&mut batch), told.truncated[0]), (1, true));
    assert_eq!(batch.texts(), start);
    let mut last = StepOutputs::of(&slow);
    slow.step(&told.actions, last.outputs().1).unwrap();
    let layout = &batch.spec().observation;
    let (planes, numbers) = (2 * layout.packed_bytes(), 2 * layout.scalars);
    let (mut kept, mut scalars) = (vec![0; planes], vec![0.0; numbers]);
    let rows = ObservationRows {
        values: ValueRows::Packed(Rows::new(&mut kept, planes)),
        scalars: Rows::new(&mut scalars, numbers),
    };
    batch.final_observations(rows).unwrap();
    assert!(kept == last.planes && scalars == last.scalars && kept != told.planes);
    let values = 2 * layout.values();
    let (mut kept, mut seen) = (vec![0.0; values], vec![0.0; values]);
    for (floats, batch, is_final) in [(&mut kept, &mut batch, true), (&mut seen, &mut slow, false)]
    {
        let rows = ObservationRows {
            values: ValueRows::Float(Rows::new(floats, values)),
            scalars: Rows::new(&mut scalars, numbers),
        };
        if is_final { batch.final_observations(rows) } else { batch.observe(None, rows) }.unwrap();
    }
    assert!(kept == seen && kept.iter().any(|&value| value > 0.0 && value < 1.0));
}

#[test]
fn gathered_games_continue() {
    let mut batch = resetting(eight(&SHORT), 6, 1);
    let mut told = StepOutputs::of(&batch);
    for _ in 0..10 {
        told.step(&mut batch);
    }
    let texts = batch.texts();
    let gathered = batch.gather(&[4, 1]).unwrap();
    assert_eq!(gathered.texts(), [&texts[4], &texts[1]].map(String::clone));
    batch.scatter(&[0, 2], &*gathered).unwrap();
    assert_eq!(batch.texts()[..3], [&texts[4], &texts[1], &texts[1]].map(String::clone));
    assert!(matches!(batch.gather(&[6]), Err(StepError::NoGame { game: 6, games: 6 })));
}

#[test]
fn arrays_match_the_board() {
    let mut batch: Batch<Eight> = batch(eight(&[]), 1);
    let read = |batch: &Batch<Eight>, name: &str, size: usize| {
        let mut out = vec![9; size];
        batch.array(name, &mut out).unwrap();
        out
    };
    // Codes 0 to 5: bishop, king, knight, pawn, queen, rook.
    assert_eq!(read(&batch, "kinds", 64)[..8], [5, 2, 0, 4, 1, 0, 2, 5]);
    assert_eq!(read(&batch, "owners", 64)[48..], [1; 16]);
    let order = batch.read_actions(&["wait", "P:2:1:0->2,0"]).unwrap();
    batch.step(&order, fourfold_env::Outputs::none()).unwrap();
    assert_eq!(read(&batch, "kinds", 64)[8..10], [-1, 3]);
    assert_eq!(read(&batch, "tick", 1), [3]);
    assert_eq!(
        (read(&batch, "last_order", 1), read(&batch, "last_capture", 1)),
        (vec![0], vec![0])
    );
}

#[test]
fn full_states_as_text_are_accepted_as_positions() {
    let mut batch = resetting(twelve(&SHORT), 3, 1);
    let mut told = StepOutputs::of(&batch);
    for _ in 0..12 {
        told.step(&mut batch);
    }
    let texts = batch.texts();
    assert!(texts.iter().any(|text| text.contains(" start=")), "something flies");
    let positions: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut again = resetting(twelve(&SHORT), 3, 1);
    again.reset_to(None, &positions).unwrap();
    assert_eq!(again.texts(), texts);
    let views = |batch: &mut Batch<Twelve>| {
        let layout = batch.spec().observation.clone();
        let (width, scalars) = (4 * layout.values(), 4 * layout.scalars);
        let (mut values, mut numbers) = (vec![0.0f32; 3 * width], vec![0.0; 3 * scalars]);
        let rows = ObservationRows {
            values: ValueRows::Float(Rows::new(&mut values, width)),
            scalars: Rows::new(&mut numbers, scalars),
        };
        batch.observe(None, rows).unwrap();
        (values, numbers)
    };
    assert!(views(&mut again) == views(&mut batch));
    let damaged = texts[0].replace(" order=", " orders=");
    let why = again.reset_to(None, &[damaged.as_str(); 3]).unwrap_err().to_string();
    assert!(why.contains("damaged: invalid number"), "{why}");
}
