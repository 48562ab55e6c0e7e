//! Results depend only on the seed.

use fourfold_env::chess::{Chess, Rules};
use fourfold_env::kung_fu::{self, Eight};
use fourfold_env::{Action, Describe};
use fourfold_search::{ActionStats, AnySearch, Logits, Noise, Options, Playouts, Search};

use super::{Hashed, number, random_position, stream_of};

const NOISES: [Noise; 3] =
    [Noise::None, Noise::Dirichlet { alpha: 0.3, fraction: 0.25 }, Noise::GUMBEL];

/// Returns the statistics of a search, and the actions that it chooses.
fn searched<G: Describe>(
    rules: &G::Rules,
    states: &[G],
    options: Options,
    how: impl Fn(&mut Search<G>, &[G]),
) -> (Vec<ActionStats>, Vec<i32>) {
    let spec = G::spec(rules);
    let mut search = Search::<G>::new(rules.clone(), states.len(), options).expect("options");
    how(&mut search, states);
    let mut actions = vec![0; states.len() * spec.mask_rows()];
    search.actions(1.0, &mut actions).expect("it was searched");
    let rows = (0..states.len()).flat_map(|game| (0..spec.mask_rows()).map(move |row| (game, row)));
    (rows.flat_map(|(game, row)| search.root_actions(game, row)).collect(), actions)
}

fn by_hash<G: Describe>(search: &mut Search<G>, states: &[G]) {
    search.run(|game| &states[game], &Hashed).expect("numbers");
}

#[test]
fn results_do_not_depend_on_threads() {
    let states: Vec<Chess> = (0..23).map(|seed| random_position(&Rules::FIDE, 30, seed)).collect();
    for noise in NOISES {
        let options = Options { noise, leaves_per_game: 3, seed: 9, ..Options::new(60) };
        let one = searched(&Rules::FIDE, &states, options, by_hash);
        for threads in [2, 5] {
            let other = searched(&Rules::FIDE, &states, Options { threads, ..options }, by_hash);
            assert!(one == other, "{noise:?} on {threads} threads");
        }
        // Playouts use random numbers of their own.
        let by_play = |search: &mut Search<Chess>, states: &[Chess]| {
            search.run(|game| &states[game], &Playouts::default()).expect("numbers");
        };
        let options = Options { simulations: 4, ..options };
        let one = searched(&Rules::FIDE, &states[..6], options, by_play);
        let other =
            searched(&Rules::FIDE, &states[..6], Options { threads: 3, ..options }, by_play);
        assert!(one == other, "{noise:?} with playouts");
    }
}

#[test]
fn games_are_searched_independently() {
    let states: Vec<Chess> = (0..4).map(|seed| random_position(&Rules::FIDE, 30, seed)).collect();
    for noise in NOISES {
        let options = Options { noise, seed: 0, ..Options::new(60) };
        let all = searched(&Rules::FIDE, &states, options, by_hash);
        let alone = searched(&Rules::FIDE, &states[..1], options, by_hash);
        assert!(all.0.starts_with(&alone.0), "{noise:?}");
    }
}

#[test]
fn seeds_matter_with_noise() {
    let states = [random_position::<Chess>(&Rules::FIDE, 30, 1)];
    for noise in NOISES {
        let with = |seed| {
            let options = Options { noise, seed, ..Options::new(60) };
            searched(&Rules::FIDE, &states, options, by_hash).0
        };
        assert_eq!(with(1), with(1));
        assert_eq!(with(1) == with(2), noise == Noise::None, "{noise:?}");
    }
}

/// Dirichlet noise changes the prior of every action, so two searches practically never agree.
#[test]
fn unseeded_searches_differ() {
    let states = [random_position::<Chess>(&Rules::FIDE, 30, 1)];
    let noise = Noise::Dirichlet { alpha: 0.3, fraction: 0.25 };
    let searched = |options| searched(&Rules::FIDE, &states, options, by_hash).0;
    let options = Options { noise, ..Options::new(60) };
    assert_eq!(searched(options), searched(options));
    assert_ne!(searched(options), searched(Options { noise, ..Options::new(60) }));
}

/// Runs a search by evaluating its leaves outside of it.
fn by_hand<G: Describe>(search: &mut Search<G>, states: &[G], listed: bool) {
    let spec = search.spec().clone();
    let width = if listed { spec.max_legal } else { spec.actions };
    while search.leaves(|game| &states[game]).expect("no leaf waits") > 0 {
        let (mut logits, mut values) = (Vec::new(), Vec::new());
        for mut leaf in search.pending_leaves().cloned() {
            let mut stream = stream_of(leaf.state());
            for (actions, _) in leaf.rows() {
                // Logits of illegal actions are ignored.
                let mut row = vec![f32::NAN; width];
                for (place, &action) in actions.iter().enumerate() {
                    row[if listed { place } else { action as usize }] = number(&mut stream);
                }
                logits.extend(row);
            }
            values.extend((0..spec.players).map(|_| number(&mut stream)));
        }
        let logits = if listed { Logits::Listed(&logits) } else { Logits::Dense(&logits) };
        search.backup(logits, &values).expect("numbers");
    }
}

#[test]
fn external_evaluation_gives_the_same_search() {
    let chess: Vec<Chess> = (0..3).map(|seed| random_position(&Rules::FIDE, 40, seed)).collect();
    let given = [("speed", "lightning"), ("interval", "15")];
    let rules = kung_fu::Rules::<8>::from_options(&given).expect("options");
    let kung_fu: Vec<Eight> = (0..3).map(|seed| random_position(&rules, 5, seed)).collect();
    for noise in NOISES {
        for leaves_per_game in [1, 4] {
            let options = Options { noise, leaves_per_game, seed: 0, ..Options::new(50) };
            for listed in [false, true] {
                let one = searched(&Rules::FIDE, &chess, options, by_hash);
                let other = searched(&Rules::FIDE, &chess, options, |search, states| {
                    by_hand(search, states, listed)
                });
                assert!(one == other, "chess, {noise:?}, {leaves_per_game} leaves");
                let one = searched(&rules, &kung_fu, options, by_hash);
                let other = searched(&rules, &kung_fu, options, |search, states| {
                    by_hand(search, states, listed)
                });
                assert!(one == other, "kung fu, {noise:?}, {leaves_per_game} leaves");
            }
        }
    }
}

#[test]
fn only_legal_actions_are_played() {
    let states: Vec<Chess> = (0..8).map(|seed| random_position(&Rules::FIDE, 80, seed)).collect();
    for noise in NOISES {
        for temperature in [0.0, 0.1, 1.0, 50.0] {
            let options = Options { noise, seed: 0, ..Options::new(40) };
            let mut search = Search::<Chess>::new(Rules::FIDE, 8, options).expect("options");
            by_hash(&mut search, &states);
            let mut actions = [0; 8];
            search.actions(temperature, &mut actions).expect("it was searched");
            for (game, &action) in actions.iter().enumerate() {
                let tried = search.root_actions(game, 0);
                let action = Action(action.cast_unsigned());
                let one = tried.iter().find(|one| one.action == action).expect("a legal action");
                assert!(one.visits > 0, "{noise:?} at {temperature}");
            }
            // The new root has not been searched itself.
            search.advance(&actions).expect("legal actions");
            search.actions(temperature, &mut actions).expect("it was searched");
            search.advance(&actions).expect("legal actions");
        }
    }
}
