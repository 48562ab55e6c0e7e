//! Searches against random players.

use fourfold_env::blokus::{self, Classic, Duo};
use fourfold_env::chess::{self, Chess};
use fourfold_env::four_player::{self, FourPlayer};
use fourfold_env::kung_fu::{self, Eight, Twelve};
use fourfold_env::{Action, Describe, MAX_PLAYERS, Stage, Stream, legal_and_status};
use fourfold_search::{AnySearch, Evaluate, Noise, Options, Playouts, Search, Uniform};

use super::{random_actions, random_position};

/// Plays games in which one player searches and the others play at random, beginning after some
/// random steps. Each player in turn searches from the same position. Returns the mean reward of
/// the searching player, and that of the others.
fn play<G: Describe>(
    rules: &G::Rules,
    options: Options,
    evaluator: &impl Evaluate<G>,
    games: usize,
    from: usize,
) -> (f32, f32) {
    let spec = G::spec(rules);
    let (rows, players) = (spec.mask_rows(), spec.players);
    let mut lists = vec![0; rows * spec.list_len()];
    let mut sums = [0.0; 2];
    for game in 0..games {
        let me = game % players;
        let mut stream = Stream::new(77, game as u64);
        let options = Options { seed: game as u64, ..options };
        let mut search = Search::<G>::new(rules.clone(), 1, options).expect("options");
        let mut state = random_position::<G>(rules, from, (game / players) as u64);
        let mut got = [0.0; MAX_PLAYERS];
        let mut status = legal_and_status(rules, &spec, &state, &mut lists);
        while status.stage == Stage::Ongoing {
            let mut actions = random_actions(&spec, &lists, &mut stream);
            if spec.simultaneous || state.acting().only() == Some(me) {
                search.run(|_| &state, evaluator).expect("numbers");
                let mut chosen = [0; MAX_PLAYERS];
                search.actions(0.0, &mut chosen[..rows]).expect("it was searched");
                let row = if spec.simultaneous { me } else { 0 };
                actions[row] = Action(chosen[row].cast_unsigned());
            }
            state.apply(rules, &actions[..rows]);
            status = legal_and_status(rules, &spec, &state, &mut lists);
            got.iter_mut().zip(status.rewards).for_each(|(got, reward)| *got += reward);
        }
        sums[0] += got[me];
        sums[1] += (got[..players].iter().sum::<f32>() - got[me]) / (players - 1) as f32;
    }
    (sums[0] / games as f32, sums[1] / games as f32)
}

const NOTHING: Uniform = Uniform { value: 0.0 };

/// With noise, ties between actions are not always won by the first one.
fn noisy(simulations: u32) -> Options {
    Options { noise: Noise::GUMBEL, ..Options::new(simulations) }
}

#[test]
fn search_beats_random_at_chess() {
    let (mine, others) = play::<Chess>(&chess::Rules::FIDE, Options::new(60), &NOTHING, 20, 0);
    assert!(mine > others + 0.4, "{mine} against {others}");
}

#[test]
fn search_scores_more_points_in_four_player_chess() {
    let rules = four_player::Rules::FREE_FOR_ALL;
    let (mine, others) = play::<FourPlayer>(&rules, Options::new(80), &NOTHING, 8, 0);
    assert!(mine > 3.0 * others, "{mine} against {others}");
}

/// Only the end of the game pays a reward, so the games begin near it. The players share one win.
#[test]
fn search_beats_random_in_blokus_endgames() {
    let half = Uniform { value: 0.5 };
    let (mine, others) = play::<Duo>(&blokus::Rules::DUO, noisy(100), &half, 120, 20);
    assert!(mine > others + 0.1, "duo: {mine} against {others}");
    let quarter = Uniform { value: 0.25 };
    let (mine, others) = play::<Classic>(&blokus::Rules::CLASSIC, noisy(200), &quarter, 80, 50);
    assert!(mine > others + 0.05, "classic: {mine} against {others}");
}

/// Whole games, in which points are paid as they are made.
#[test]
fn search_scores_more_points_in_blokus() {
    let points = [("reward", "points")];
    let duo = blokus::Rules::<2>::from_options(&points).expect("options");
    let (mine, others) = play::<Duo>(&duo, noisy(200), &NOTHING, 12, 0);
    assert!(mine > others + 0.5, "duo: {mine} against {others}");
    let classic = blokus::Rules::<4>::from_options(&points).expect("options");
    let (mine, others) = play::<Classic>(&classic, noisy(200), &NOTHING, 12, 0);
    assert!(mine > others + 0.5, "classic: {mine} against {others}");
}

#[test]
fn search_with_playouts_beats_random_at_blokus() {
    let playouts = Playouts::default();
    let (mine, others) = play::<Duo>(&blokus::Rules::DUO, noisy(16), &playouts, 8, 0);
    assert!(mine > others + 0.3, "duo: {mine} against {others}");
    let (mine, others) = play::<Classic>(&blokus::Rules::CLASSIC, noisy(16), &playouts, 8, 0);
    assert!(mine > others + 0.1, "classic: {mine} against {others}");
}

/// Uses steps of half a second, so that a few of them are enough to see pieces arrive.
#[test]
fn search_beats_random_at_kung_fu_chess() {
    let given = [("speed", "lightning"), ("interval", "15")];
    let eight = kung_fu::Rules::<8>::from_options(&given).expect("options");
    let (mine, others) = play::<Eight>(&eight, Options::new(100), &NOTHING, 20, 0);
    assert!(mine > others + 0.5, "8×8: {mine} against {others}");
    let twelve = kung_fu::Rules::<12>::from_options(&given).expect("options");
    let (mine, others) = play::<Twelve>(&twelve, Options::new(100), &NOTHING, 12, 0);
    assert!(mine > others + 0.2, "12×12: {mine} against {others}");
}
