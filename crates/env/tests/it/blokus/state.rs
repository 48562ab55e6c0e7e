//! The guarantees of a batch (threads, saving, gathering, autoreset), and the raw state as arrays.

use fourfold_common::SplitMix64;
use fourfold_env::blokus::{Blokus, Classic, Duo, Rules};
use fourfold_env::{
    AnyBatch, Autoreset, Batch, DescribedBatch, LoadError, ObservationRows, Options, Rows,
    StepError, ValueRows,
};
use fourfold_oracle::blokus as oracle;

use super::reference::Reference;
use super::{four, two};
use crate::step_outputs::StepOutputs;

fn resetting<const COLORS: usize>(
    rules: Rules<COLORS>,
    games: usize,
    threads: usize,
) -> Batch<Blokus<COLORS>> {
    Batch::new(rules, games, Options { threads, ..Options::default() })
}

#[test]
fn outputs_do_not_depend_on_threads_or_batch_size() {
    const GAMES: usize = 150;
    let run = |threads, games| {
        let mut batch = resetting(two(&[]), games, threads);
        batch.reset(Some(5));
        let mut told = StepOutputs::of(&batch);
        (0..60).map(|_| (told.step(&mut batch), told.clone())).collect::<Vec<_>>()
    };
    let one = run(1, GAMES);
    assert!(one.iter().map(|(ended, _)| ended).sum::<usize>() >= GAMES, "too few games ended");
    assert!(one == run(2, GAMES));
    for (few, many) in run(1, 3).iter().zip(&one) {
        assert_eq!(few.1.planes, many.1.planes[..3 * 6 * 28]);
        assert_eq!(few.1.actions, many.1.actions[..3]);
        assert_eq!(few.1.rewards, many.1.rewards[..6]);
    }
}

#[test]
fn a_loaded_batch_continues_like_the_saved_one() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        let options = Options { autoreset, ..Options::default() };
        let rules = four(&[("players", "3")]);
        let mut batch = Batch::<Classic>::new(rules, 12, options);
        let mut told = StepOutputs::of(&batch);
        for _ in 0..50 {
            told.step(&mut batch);
        }
        let mut loaded = Batch::<Classic>::new(rules, 12, options);
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
    let mut batch = resetting(two(&[("size", "9")]), 3, 1);
    let mut told = StepOutputs::of(&batch);
    for _ in 0..9 {
        told.step(&mut batch);
    }
    let saved = batch.save();
    let mut rng = SplitMix64::new(1);
    for _ in 0..3000 {
        let mut damaged = saved.clone();
        match rng.next() % 3 {
            0 => damaged.truncate((rng.next() % saved.len() as u64) as usize),
            1 => damaged.push(0),
            _ => {
                let place = (rng.next() % saved.len() as u64) as usize;
                damaged[place] ^= 1 << (rng.next() % 8);
            }
        }
        if batch.load(&damaged).is_err() {
            assert_eq!(batch.save(), saved);
        } else {
            told.step(&mut batch);
        }
        batch.load(&saved).unwrap();
    }
    let other = resetting(two(&[("size", "10")]), 3, 1);
    let error = batch.load(&other.save()).unwrap_err();
    assert!(matches!(error, LoadError::Other { .. }), "{error}");
    assert!(matches!(batch.scatter(&[0, 1, 2], &other), Err(StepError::OtherKind { .. })));
}

#[test]
fn games_are_gathered_and_scattered() {
    let mut batch = resetting(Rules::CLASSIC, 5, 1);
    batch.reset(Some(8));
    let mut told = StepOutputs::of(&batch);
    for _ in 0..40 {
        told.step(&mut batch);
    }
    let texts = batch.texts();
    let gathered = batch.gather(&[4, 1, 1]).unwrap();
    assert_eq!(gathered.texts(), [&texts[4], &texts[1], &texts[1]].map(String::clone));
    batch.scatter(&[0, 2, 3], &*gathered).unwrap();
    assert_eq!(batch.texts()[..4], [&texts[4], &texts[1], &texts[1], &texts[1]].map(String::clone));
}

#[test]
fn same_step_autoreset_keeps_the_final_observation() {
    let mut batch = resetting(four(&[("size", "1")]), 1, 1);
    let start = batch.texts();
    let mut told = StepOutputs::of(&batch);
    assert_eq!((told.step(&mut batch), told.terminated[0]), (1, true));
    assert_eq!(batch.texts(), start);
    let (mut planes, mut left) = (vec![9; 10], vec![9.0; 84]);
    let rows = ObservationRows {
        values: ValueRows::Packed(Rows::new(&mut planes, 10)),
        scalars: Rows::new(&mut left, 84),
    };
    batch.final_observations(rows).unwrap();
    // The cell is on the board, no color has a frontier or a free cell, and the start square
    // remains.
    assert_eq!(planes, [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!((left[0], left[21], left.iter().sum::<f32>()), (0.0, 1.0, 83.0));
    assert_eq!(told.planes, [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
}

#[test]
fn rollouts_do_not_depend_on_threads() {
    let rollout = |threads| resetting(Rules::DUO, 1, threads).rollout(0..60, 4);
    let one = rollout(1);
    assert_eq!(one, rollout(2));
    assert_eq!((one.games, one.endings[0]), (60, 60));
    assert!(one.wins[0] > 0 && one.wins[1] > 0 && one.wins[2..] == [0, 0], "{one:?}");
}

fn array<const COLORS: usize>(batch: &Batch<Blokus<COLORS>>, name: &str) -> Vec<i32> {
    let spec = batch.arrays().iter().find(|array| array.name == name).expect("an array");
    let mut out = vec![99; batch.games() * spec.shape.iter().product::<usize>()];
    batch.array(name, &mut out).unwrap();
    out
}

#[test]
fn arrays_match_the_state() {
    fn check<const COLORS: usize>(mut batch: Batch<Blokus<COLORS>>) {
        let mut told = StepOutputs::of(&batch);
        for _ in 0..30 {
            told.step(&mut batch);
            let text = &batch.texts()[0];
            let reference = Reference::new(text, true);
            let report = oracle::report(text).expect("a position");
            let number = |color: Option<usize>| color.map_or(-1, |color| color as i32);
            let board = reference.board(text).concat().into_iter().map(number).collect::<Vec<_>>();
            assert_eq!(array(&batch, "board"), board, "{text}");
            assert_eq!(array(&batch, "color"), [reference.turn(text) as i32]);
            assert_eq!(array(&batch, "color_scores"), report.advanced);
            let left = array(&batch, "pieces_left");
            for (color, left) in left.chunks_exact(21).enumerate() {
                let names = oracle::left(text, &reference.letters[color].to_string()).unwrap();
                let found = (0..21).filter(|&piece| left[piece] == 1);
                assert!(
                    found.map(|piece| reference.names[piece]).eq(names.iter().map(String::as_str))
                );
            }
        }
    }
    check::<4>(resetting(four(&[("players", "2")]), 1, 1));
    check::<2>(resetting(two(&[("size", "11")]), 1, 1));
    let error = resetting(Rules::DUO, 1, 1).array("men", &mut [0]).unwrap_err().to_string();
    assert!(error.ends_with("expected one of board, color, pieces_left, color_scores"), "{error}");
    let over = Options { autoreset: Autoreset::Disabled, ..Options::default() };
    let mut over = Batch::<Duo>::new(two(&[("size", "1")]), 1, over);
    StepOutputs::of(&over).step(&mut over);
    assert_eq!((array(&over, "color"), array(&over, "board")), (vec![-1], vec![0]));
}
