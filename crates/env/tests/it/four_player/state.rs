//! The guarantees of a batch (threads, saving, gathering, autoreset), and the legacy arrays.

use fourfold_common::SplitMix64;
use fourfold_env::four_player::Rules;
use fourfold_env::{
    AnyBatch, Autoreset, Batch, DescribedBatch, LoadError, Options, Outputs, StepError,
};

use super::{CASTLING, FourPlayer, LATE, batch, rules};
use crate::step_outputs::StepOutputs;

fn resetting(rules: Rules, games: usize, threads: usize) -> Batch<FourPlayer> {
    Batch::new(rules, games, Options { threads, ..Options::default() })
}

#[test]
fn outputs_do_not_depend_on_threads_or_batch_size() {
    const GAMES: usize = 200;
    let run = |threads, games| {
        let mut batch = resetting(rules(&[("mode", "teams"), ("max_steps", "90")]), games, threads);
        batch.reset(Some(5));
        let mut told = StepOutputs::of(&batch);
        (0..150).map(|_| (told.step(&mut batch), told.clone())).collect::<Vec<_>>()
    };
    let one = run(1, GAMES);
    assert!(one.iter().map(|(ended, _)| ended).sum::<usize>() >= GAMES, "too few games ended");
    assert!(one == run(2, GAMES));
    for (few, many) in run(1, 3).iter().zip(&one) {
        assert_eq!(few.1.planes, many.1.planes[..3 * 31 * 28]);
        assert_eq!(few.1.actions, many.1.actions[..3]);
        assert_eq!(few.1.rewards, many.1.rewards[..12]);
    }
}

#[test]
fn a_loaded_batch_continues_like_the_saved_one() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        let options = Options { autoreset, ..Options::default() };
        let rules = rules(&[("max_steps", "200"), ("quiet", "30")]);
        let mut batch = Batch::<FourPlayer>::new(rules, 24, options);
        let mut told = StepOutputs::of(&batch);
        for _ in 0..170 {
            told.step(&mut batch);
        }
        let mut loaded = Batch::<FourPlayer>::new(rules, 24, options);
        loaded.load(&batch.save()).unwrap();
        let (mut shown, mut again) = (told.clone(), told.clone());
        batch.write_outputs(shown.outputs().1).unwrap();
        loaded.write_outputs(again.outputs().1).unwrap();
        assert!(shown == again);
        for _ in 0..60 {
            assert_eq!(told.step(&mut batch), again.step(&mut loaded));
            assert!(told == again);
        }
    }
}

#[test]
fn damaged_bytes_are_refused_and_change_nothing() {
    let mut batch = resetting(Rules::FREE_FOR_ALL, 3, 1);
    batch.reset_to(None, &LATE).unwrap();
    let mut told = StepOutputs::of(&batch);
    for _ in 0..20 {
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
    let teams = resetting(Rules::TEAMS, 3, 1);
    let error = batch.load(&teams.save()).unwrap_err();
    assert!(matches!(error, LoadError::Other { .. }), "{error}");
    assert!(matches!(batch.scatter(&[0, 1, 2], &teams), Err(StepError::OtherKind { .. })));
}

#[test]
fn games_are_gathered_and_scattered() {
    let mut batch = resetting(Rules::FREE_FOR_ALL, 5, 1);
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
    let rules = rules(&[("max_steps", "2")]);
    let mut batch = resetting(rules, 1, 1);
    let start = batch.texts();
    let mut told = StepOutputs::of(&batch);
    assert_eq!((told.step(&mut batch), told.current_player[0]), (0, 1));
    assert_eq!((told.step(&mut batch), told.current_player[0]), (1, 0));
    assert_eq!((told.truncated[0], batch.texts()), (true, start));
    let mut last = StepOutputs::of(&batch);
    let rows = fourfold_env::ObservationRows {
        values: fourfold_env::ValueRows::Packed(fourfold_env::Rows::new(&mut last.planes, 31 * 28)),
        scalars: fourfold_env::Rows::new(&mut last.scalars, 17),
    };
    batch.final_observations(rows).unwrap();
    // The last position is seen by Yellow, who would have moved next; its pawns are where Red sees
    // its own.
    assert_eq!(last.planes[12 * 2..13 * 2], told.planes[12 * 2..13 * 2]);
    assert!(last.planes != told.planes);
}

#[test]
fn rollouts_do_not_depend_on_threads() {
    let rollout = |threads| resetting(Rules::TEAMS, 1, threads).rollout(0..60, 4);
    let one = rollout(1);
    assert_eq!(one, rollout(2));
    assert_eq!((one.games, one.endings.iter().sum::<u64>()), (60, 60));
    assert_eq!((one.wins[2], one.wins[3]), (0, 0));
    assert!(one.wins[0] + one.wins[1] > 0, "{one:?}");
}

fn array(batch: &Batch<FourPlayer>, name: &str) -> Vec<i32> {
    let spec = batch.arrays().iter().find(|array| array.name == name).expect("an array");
    let mut out = vec![99; batch.games() * spec.shape.iter().product::<usize>()];
    batch.array(name, &mut out).unwrap();
    out
}

#[test]
fn legacy_arrays() {
    let mut batch = batch(Rules::LEGACY, 1);
    for text in ["h2h4", "a10c9", "g13g11"] {
        let actions = batch.read_actions(&[text]).unwrap();
        batch.step(&actions, Outputs::none()).unwrap();
    }
    let board = array(&batch, "board");
    let cell = |row: usize, column: usize| board[(row * 14 + column) * 4..][..4].to_vec();
    assert_eq!(cell(0, 0), [0, -1, 0, 0]);
    assert_eq!(cell(13, 7), [6, 0, 0, 1]);
    assert_eq!(cell(10, 7), [1, 0, 1, 1]);
    assert_eq!(cell(12, 7), [0, -1, 0, 1]);
    assert_eq!(cell(5, 2), [2, 1, 1, 1]);
    assert_eq!(cell(0, 7), [5, 2, 0, 1]);
    assert_eq!(array(&batch, "current_player"), [3]);
    assert_eq!(array(&batch, "player_scores"), [0; 4]);
    assert_eq!(array(&batch, "player_active"), [1; 4]);
    assert_eq!(array(&batch, "move_count"), [3]);
    let offers = [[11, 7, 10, 7], [-1; 4], [2, 6, 3, 6], [-1; 4]];
    assert_eq!(array(&batch, "en_passant"), offers.as_flattened());
    assert_eq!(array(&batch, "king_positions"), [13, 7, 7, 0, 0, 6, 6, 13]);
    assert_eq!(array(&batch, "castling_rights"), [1; 8]);
    assert_eq!(array(&batch, "last_capture_move"), [0]);
    assert_eq!(array(&batch, "promoted_pieces"), [0; 196]);
}

#[test]
fn legacy_arrays_after_captures_promotions_castling_and_eliminations() {
    let mut batch = batch(Rules::FREE_FOR_ALL, 2);
    batch.reset_to(None, &[LATE[0], CASTLING]).unwrap();
    let actions = batch.read_actions(&["e7e8d", "h1j1"]).unwrap();
    batch.step(&actions, Outputs::none()).unwrap();
    let board = array(&batch, "board");
    let cell = |game: usize, row: usize, column: usize| {
        board[((game * 14 + row) * 14 + column) * 4..][..4].to_vec()
    };
    assert_eq!(cell(0, 6, 4), [5, 0, 1, 1]);
    assert_eq!(array(&batch, "promoted_pieces")[6 * 14 + 4], 1);
    // Gray pieces: one that was Green's, and one of nobody.
    assert_eq!(cell(0, 9, 13)[..2], [4, 3]);
    assert_eq!(cell(0, 4, 3)[..2], [4, -1]);
    assert_eq!(array(&batch, "player_active")[..4], [1, 1, 1, 0]);
    assert_eq!(array(&batch, "king_positions")[6..8], [8, 13]);
    // The king and one rook have castled; the other rook has not moved, and Blue may still castle.
    assert_eq!((cell(1, 13, 9), cell(1, 13, 8)), (vec![6, 0, 1, 1], vec![4, 0, 1, 1]));
    assert_eq!((cell(1, 13, 3)[2], cell(1, 7, 0)[2], cell(1, 3, 0)[2]), (0, 0, 0));
    assert_eq!(array(&batch, "castling_rights")[8..], [0, 0, 1, 1, 1, 1, 1, 1]);
    batch.reset_to(None, &[LATE[1], CASTLING]).unwrap();
    let actions = batch.read_actions(&["b5c6", "d1d14"]).unwrap();
    batch.step(&actions, Outputs::none()).unwrap();
    assert_eq!(array(&batch, "last_capture_move"), [1, 1]);
    assert_eq!(array(&batch, "player_scores")[..8], [1, 0, 0, 0, 5, 0, 0, 0]);
}

#[test]
fn state_size_is_bounded() {
    assert!(size_of::<FourPlayer>() <= 3072, "{}", size_of::<FourPlayer>());
}
