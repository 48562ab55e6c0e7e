//! Random streams: where seeds come from, and which operations keep or change the streams.

use fourfold_env::{DescribedBatch, Options, Seeds, StepError};

use super::batches::{batch, names, play, states, streams};

/// Returns the actions of each game in the following steps.
fn games(batch: &mut dyn DescribedBatch, steps: usize) -> Vec<Vec<i32>> {
    let rows = batch.spec().mask_rows();
    let mut games = vec![Vec::new(); batch.games()];
    for _ in 0..steps {
        let actions = play(batch, 1);
        for (game, actions) in games.iter_mut().zip(actions.chunks_exact(rows)) {
            game.extend(actions);
        }
    }
    games
}

#[test]
fn new_batches_play_different_games() {
    for name in names() {
        let [one, other] = [0, 1].map(|_| games(&mut *batch(name, 8, Options::default()), 10));
        assert!(one.iter().zip(&other).all(|(one, other)| one != other), "{name}");
        assert!(one.windows(2).all(|pair| pair[0] != pair[1]), "{name}");
    }
}

#[test]
fn seeded_games_do_not_depend_on_threads() {
    for name in names() {
        let [one, other] = [1, 3].map(|threads| {
            let mut batch = batch(name, 200, Options { threads, ..Options::default() });
            batch.reset(Some(5));
            let games = games(&mut *batch, 25);
            (games, states(&*batch), streams(&*batch))
        });
        assert!(one == other, "{name}");
    }
}

#[test]
fn batches_can_share_a_seed() {
    for name in names() {
        let mut large = batch(name, 9, Options::default());
        large.reset(Some(6));
        let all = games(&mut *large, 30);
        let mut small = batch(name, 4, Options::default());
        small.reseed(Seeds::Shared { seed: 6, first_game: 3 }).expect("any number of games");
        small.reset(None);
        assert_eq!(games(&mut *small, 30), all[3..7], "{name}");
        assert_eq!(streams(&*small), streams(&*large)[3..7], "{name}");
    }
}

#[test]
fn every_game_can_have_a_seed() {
    for name in names() {
        let mut each = batch(name, 3, Options::default());
        let error = each.reseed(Seeds::Each(&[7, 9])).unwrap_err();
        assert_eq!(error, StepError::Length { what: "seeds", expected: 3, found: 2 });
        each.reseed(Seeds::Each(&[7, 9, 7])).expect("a seed for each game");
        let found = games(&mut *each, 20);
        let single = [7, 9, 7].map(|seed| {
            let mut single = batch(name, 1, Options::default());
            single.reset(Some(seed));
            games(&mut *single, 20).remove(0)
        });
        assert_eq!(found, single, "{name}");
        assert_ne!(found[0], found[1], "{name}");
    }
}

#[test]
fn reseeding_changes_only_the_streams() {
    for name in names() {
        let mut batch = batch(name, 3, Options::default());
        play(&mut *batch, 12);
        let before = states(&*batch);
        batch.reseed(8.into()).expect("any number of games");
        assert!(states(&*batch) == before, "{name}");
        let first = games(&mut *batch, 10);
        batch.load_states(&[0, 1, 2], &before).expect("the states are valid");
        batch.reseed(8.into()).expect("any number of games");
        assert_eq!(games(&mut *batch, 10), first, "{name}");
    }
}

#[test]
fn gathered_copies_have_equal_states_and_different_streams() {
    for name in names() {
        let mut source = batch(name, 2, Options::default());
        play(&mut *source, 15);
        let mut copies = source.gather(&[0, 0, 0]).expect("the game exists");
        let size = source.state_bytes();
        let expected = states(&*source)[..size].repeat(3);
        assert!(states(&*copies) == expected, "{name}");
        let (found, own) = (streams(&*copies), streams(&*source));
        assert_eq!(found[0], own[0], "{name}: the first copy keeps its stream");
        assert!(found[1] != found[0] && found[2] != found[0] && found[1] != found[2], "{name}");
        let (played, continued) = (games(&mut *copies, 12), games(&mut *source, 12));
        assert_eq!(played[0], continued[0], "{name}");
        assert!(played[1] != played[0] && played[2] != played[0] && played[1] != played[2]);
        let error = source.gather(&[0, 2]).err().expect("there is no game 2");
        assert_eq!(error, StepError::NoGame { game: 2, games: 2 });
    }
}

#[test]
fn scattered_and_loaded_games_keep_the_streams_of_their_rows() {
    for name in names() {
        let [mut source, mut target] = [2, 5].map(|games| batch(name, games, Options::default()));
        play(&mut *source, 9);
        play(&mut *target, 4);
        let (before, others) = (streams(&*target), states(&*target));
        target.scatter(&[3, 1], &*source).expect("the same game and rules");
        assert_eq!(streams(&*target), before, "{name}");
        let (size, given, found) = (source.state_bytes(), states(&*source), states(&*target));
        let row = |states: &[u8], row: usize| states[row * size..][..size].to_vec();
        assert!(row(&found, 3) == row(&given, 0) && row(&found, 1) == row(&given, 1), "{name}");
        for game in [0, 2, 4] {
            assert!(row(&found, game) == row(&others, game), "{name}");
        }
        target.load_states(&[0, 4], &given).expect("the states are valid");
        assert_eq!(streams(&*target), before, "{name}");
        target.reset_where(&[true, false, true, false, false]).expect("one value for each game");
        assert_eq!(streams(&*target), before, "{name}: the standard start draws nothing");
        play(&mut *target, 5);
    }
}
