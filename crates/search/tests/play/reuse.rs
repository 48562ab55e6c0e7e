//! The subtree of a position is reused when the position is reached.

use fourfold_env::chess::{Chess, Rules};
use fourfold_env::{Action, Describe, Game};
use fourfold_search::{ActionStats, AnySearch, Logits, Options, Search, SearchError, Uniform};

use super::{Hashed, random_position};

fn search(options: Options) -> Search<Chess> {
    Search::new(Rules::FIDE, 1, options).expect("options")
}

/// Returns the state after an action.
fn after(state: &Chess, action: Action) -> Chess {
    let mut next = *state;
    next.apply(&Rules::FIDE, &[action]);
    next
}

fn most_visited(tried: &[ActionStats]) -> ActionStats {
    *tried.iter().max_by_key(|one| one.visits).expect("there are moves")
}

#[test]
fn subtree_is_reused_after_a_move() {
    for keep_states in [false, true] {
        let state = random_position::<Chess>(&Rules::FIDE, 30, 3);
        let options = Options { keep_states, ..Options::new(400) };
        let mut search = search(options);
        search.run(|_| &state, &Hashed).expect("numbers");
        assert_eq!(search.visits(0), 401);
        let best = most_visited(&search.root_actions(0, 0));
        // `advance` is not called.
        let next = after(&state, best.action);
        search.run(|_| &next, &Hashed).expect("numbers");
        assert_eq!(search.visits(0), best.visits + 400);
        let tried: u32 = search.root_actions(0, 0).iter().map(|one| one.visits).sum();
        assert_eq!(tried + 1, search.visits(0));
    }
}

#[test]
fn advance_keeps_the_subtree() {
    let state = random_position::<Chess>(&Rules::FIDE, 30, 3);
    let mut search = search(Options::new(400));
    search.run(|_| &state, &Hashed).expect("numbers");
    let one = most_visited(&search.root_actions(0, 0));
    search.advance(&[one.action.0 as i32]).expect("a legal action");
    assert_eq!(search.visits(0), one.visits);
    let two = most_visited(&search.root_actions(0, 0));
    search.advance(&[two.action.0 as i32]).expect("a legal action");
    assert_eq!(search.visits(0), two.visits);
    let next = after(&after(&state, one.action), two.action);
    search.run(|_| &next, &Hashed).expect("numbers");
    assert_eq!(search.visits(0), two.visits + 400);
}

#[test]
fn other_positions_start_with_an_empty_tree() {
    let state = random_position::<Chess>(&Rules::FIDE, 30, 3);
    let other = random_position::<Chess>(&Rules::FIDE, 31, 4);
    let mut search = search(Options::new(100));
    search.run(|_| &state, &Hashed).expect("numbers");
    search.run(|_| &other, &Hashed).expect("numbers");
    assert_eq!(search.visits(0), 101);
    // Searching the same position again adds to its tree.
    search.run(|_| &other, &Hashed).expect("numbers");
    assert_eq!(search.visits(0), 201);
}

#[test]
fn position_changes_during_a_search_are_detected() {
    let state = random_position::<Chess>(&Rules::FIDE, 30, 3);
    let other = random_position::<Chess>(&Rules::FIDE, 31, 4);
    let mut search = search(Options::new(20));
    let zeros = vec![0.0; 4672];
    for _ in 0..10 {
        assert_eq!(search.leaves(|_| &state), Ok(1));
        search.backup(Logits::Dense(&zeros), &[0.0; 2]).expect("numbers");
    }
    let mut calls = 0;
    while search.leaves(|_| &other).expect("no leaf waits") > 0 {
        search.backup(Logits::Dense(&zeros), &[0.0; 2]).expect("numbers");
        calls += 1;
    }
    assert_eq!((calls, search.visits(0)), (21, 21));
}

#[test]
fn trees_do_not_exceed_max_nodes() {
    let options = Options { max_nodes: 250, ..Options::new(200) };
    let mut search = search(options);
    let mut state = Chess::start(&Rules::FIDE);
    for _ in 0..30 {
        search.run(|_| &state, &Uniform::default()).expect("numbers");
        assert!(search.memory().nodes <= 250 && search.visits(0) > 200);
        state = after(&state, most_visited(&search.root_actions(0, 0)).action);
    }
}

#[test]
fn a_finished_game_has_no_leaves() {
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let state = Chess::parse(&Rules::FIDE, mate).expect("a position");
    let mut search = search(Options::new(10));
    assert_eq!(search.leaves(|_| &state), Ok(0));
    assert!(search.root_actions(0, 0).is_empty() && search.line(0, 5).is_empty());
    let mut actions = [7];
    search.actions(1.0, &mut actions).expect("it was looked at");
    assert_eq!(actions, [0]);
}

#[test]
fn errors_are_reported_and_change_nothing() {
    let state = Chess::start(&Rules::FIDE);
    let mut search = search(Options::new(10));
    let zeros = vec![0.0; 4672];
    let backup = |search: &mut Search<Chess>, logits: &[f32], values: &[f32]| {
        search.backup(Logits::Dense(logits), values).map_err(|error| error.to_string())
    };
    let no_leaf = "no leaves are awaiting evaluation: call leaves first";
    assert_eq!(backup(&mut search, &zeros, &[0.0; 2]), Err(no_leaf.to_owned()));
    assert_eq!(search.actions(1.0, &mut [0]), Err(SearchError::NotSearched { game: 0 }));
    assert_eq!(search.leaves(|_| &state), Ok(1));
    assert_eq!(search.leaves(|_| &state), Err(SearchError::LeavesPending { leaves: 1 }));
    let short = "expected 4672 logits, got 3";
    assert_eq!(backup(&mut search, &[0.0; 3], &[0.0; 2]), Err(short.to_owned()));
    let nan = "the values of leaf 0 are not all finite";
    assert_eq!(backup(&mut search, &zeros, &[0.0, f32::NAN]), Err(nan.to_owned()));
    let none = vec![f32::NEG_INFINITY; 4672];
    let nan = "the logits of leaf 0 are not all finite";
    assert_eq!(backup(&mut search, &none, &[0.0; 2]), Err(nan.to_owned()));
    assert_eq!(backup(&mut search, &zeros, &[0.0; 2]), Ok(()));
    assert_eq!(search.advance(&[0]), Err(SearchError::Illegal { game: 0, action: 0 }));
    assert!(search.actions(-1.0, &mut [0]).is_err());
    for options in [
        Options::new(0),
        Options { discount: 1.5, ..Options::new(9) },
        Options { pb_c_init: f32::NAN, ..Options::new(9) },
        Options { max_nodes: 9, ..Options::new(9) },
        Options { leaves_per_game: 0, ..Options::new(9) },
    ] {
        assert!(Search::<Chess>::new(Rules::FIDE, 1, options).is_err(), "{options:?}");
    }
}
