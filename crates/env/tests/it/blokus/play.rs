//! Rewards, endings, options.

use fourfold_env::blokus::{Blokus, Classic, Duo, ENDINGS, Reward, Rules, View};
use fourfold_env::{
    AnyBatch, Batch, Describe, DescribedBatch, Game, Illegal, MAX_PLAYERS, Options, Outputs, Stage,
    conformance, make,
};
use fourfold_oracle::blokus as oracle;

use super::{FOUR, Look, TWO, batch, for_batches, four, play_out, seen, two};
use crate::step_outputs::StepOutputs;

#[test]
fn blokus_passes_conformance() {
    for (seed, options) in FOUR.into_iter().enumerate() {
        conformance::<Classic>(&four(options), seed as u64);
    }
    for (seed, options) in TWO.into_iter().enumerate() {
        conformance::<Duo>(&two(options), seed as u64);
    }
    let rank = four(&[("reward", "rank"), ("view", "absolute"), ("size", "1")]);
    conformance::<Classic>(&rank, 1);
    conformance::<Duo>(&two(&[("reward", "difference"), ("size", "22")]), 1);
    conformance::<Classic>(&four(&[("reward", "points"), ("players", "3")]), 2);
    conformance::<Duo>(&two(&[("reward", "points")]), 3);
}

/// Returns the expected rewards, from the oracle's points.
fn paid(reward: Reward, points: &[i32]) -> Vec<f64> {
    let count = points.len();
    let most = points.iter().max();
    let best = points.iter().filter(|&own| Some(own) == most).count();
    let mut sorted = points.to_vec();
    sorted.sort();
    let pay = |own: i32| match reward {
        Reward::Win => f64::from(u8::from(Some(&own) == most)) / best as f64,
        Reward::Difference => {
            let others = (points.iter().sum::<i32>() - own) as f64 / (count - 1) as f64;
            f64::from(own) - others
        }
        Reward::Rank => {
            let places = (0..count).filter(|&place| sorted[place] == own);
            let places: Vec<f64> = places.map(|place| place as f64 / (count - 1) as f64).collect();
            places.iter().sum::<f64>() / places.len() as f64
        }
        Reward::Points => unreachable!("paid on the way"),
    };
    points.iter().map(|&own| pay(own)).collect()
}

/// Compares scores, `alive`, turns and rewards with the oracle.
struct Standing {
    ended: usize,
    shared: usize,
}

impl Look for Standing {
    fn look<const COLORS: usize>(&mut self, batch: &mut Batch<Blokus<COLORS>>) {
        let players = batch.spec().players;
        for (game, state) in batch.states().enumerate() {
            let text = state.text();
            let report = oracle::report(&text).expect("a position");
            let status = batch.status(game);
            let scores: Vec<f32> = report.players.iter().map(|&points| points as f32).collect();
            assert_eq!(status.scores[..players], scores, "{text}");
            assert_eq!(state.acting().only(), Some(report.player_to_move.unwrap_or(0)), "{text}");
            let letters: Vec<char> = if COLORS == 4 { "byrg" } else { "po" }.chars().collect();
            for player in 0..players {
                let places = |color: usize| match (players, COLORS) {
                    (2, 4) => color % 2 == player,
                    (3, _) => color == player || color == 3,
                    _ => color == player,
                };
                let out = |color: usize| report.eliminated.contains(letters[color]);
                let lives = (0..COLORS).any(|color| places(color) && !out(color));
                assert_eq!(status.alive[player], lives, "player {player} in {text}");
            }
            if report.player_to_move.is_some() {
                assert_eq!((status.stage, status.winner), (Stage::Ongoing, None));
                assert_eq!(status.rewards, [0.0; MAX_PLAYERS]);
                continue;
            }
            assert_eq!((status.stage, status.ending), (Stage::Terminated, Some(0)));
            let alone = report.winners.len() == 1;
            assert_eq!(status.winner.map(usize::from), alone.then(|| report.winners[0]));
            self.ended += 1;
            self.shared += usize::from(!alone);
        }
    }
}

#[test]
fn scores_turns_and_winners_match_the_oracle() {
    let mut standing = Standing { ended: 0, shared: 0 };
    for_batches(View::Own, 2, &mut standing);
    play_out(batch(four(&[("size", "5")]), 24), 7, &mut standing);
    assert!(standing.ended > 40 && standing.shared > 0, "{} {}", standing.ended, standing.shared);
}

#[test]
fn rewards_match_their_definition() {
    fn check<const COLORS: usize>(rules: Rules<COLORS>) {
        let mut batch = Batch::<Blokus<COLORS>>::new(rules, 16, Options::default());
        let (mut told, players) = (StepOutputs::of(&batch), batch.spec().players);
        let mut ended = 0;
        while ended < 16 {
            let texts = batch.texts();
            told.step(&mut batch);
            for (game, before) in texts.iter().enumerate() {
                let rewards = &told.rewards[game * players..][..players];
                if !told.terminated[game] {
                    assert!(rewards.iter().all(|&reward| reward == 0.0));
                    continue;
                }
                ended += 1;
                // The oracle plays the last placement again to reach the end.
                let mut last = super::batch(rules, 1);
                last.reset_to(None, &[before]).unwrap();
                let mv = last.write_actions(&[told.actions[game]]).unwrap();
                let over = oracle::play(before, &mv[0]).unwrap();
                let report = oracle::report(&over).unwrap();
                for (reward, pay) in rewards.iter().zip(paid(rules.reward, &report.players)) {
                    assert!((f64::from(*reward) - pay).abs() < 1e-5, "{rewards:?} in {over}");
                }
            }
        }
    }
    for reward in ["win", "difference", "rank"] {
        check(four(&[("reward", reward), ("size", "8")]));
        check(four(&[("reward", reward), ("players", "3")]));
        check(four(&[("reward", reward), ("players", "2")]));
        check(two(&[("reward", reward), ("size", "6")]));
    }
}

/// Each step pays the points that the oracle's score increases by.
#[test]
fn points_reward_pays_each_placement() {
    fn check<const COLORS: usize>(rules: Rules<COLORS>) {
        let mut batch = Batch::<Blokus<COLORS>>::new(rules, 4, Options::default());
        let (mut told, players) = (StepOutputs::of(&batch), batch.spec().players);
        let mut ended = 0;
        while ended < 8 {
            let texts = batch.texts();
            told.step(&mut batch);
            for (game, before) in texts.iter().enumerate() {
                ended += usize::from(told.terminated[game]);
                let mut last = super::batch(rules, 1);
                last.reset_to(None, &[before]).unwrap();
                let mv = last.write_actions(&[told.actions[game]]).unwrap();
                let after = oracle::report(&oracle::play(before, &mv[0]).unwrap()).unwrap();
                let before = oracle::report(before).unwrap();
                for player in 0..players {
                    let made = after.players[player] - before.players[player];
                    let paid = told.rewards[game * players + player];
                    assert!((paid * 20.0 - made as f32).abs() < 1e-4, "{paid} for {made}");
                }
            }
        }
    }
    check(four(&[("reward", "points"), ("size", "8")]));
    check(four(&[("reward", "points"), ("players", "3")]));
    check(four(&[("reward", "points"), ("players", "2")]));
    check(two(&[("reward", "points"), ("size", "6")]));
}

#[test]
fn ties_share_ranks_and_wins() {
    assert_eq!(paid(Reward::Rank, &[3, 5, 3, 1]), [0.5, 1.0, 0.5, 0.0]);
    // One cell: the first color places a piece, the others cannot, and the three of them are tied.
    for (reward, rewards) in [
        ("win", [1.0, 0.0, 0.0, 0.0]),
        ("rank", [1.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]),
        ("difference", [1.0, -1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0]),
    ] {
        let mut batch = batch(four(&[("size", "1"), ("reward", reward)]), 1);
        let mut told = StepOutputs::of(&batch);
        batch.step(&[0], told.outputs().1).unwrap();
        for (found, expected) in told.rewards.iter().zip(rewards) {
            assert!((found - expected).abs() < 1e-6, "{reward}: {:?}", told.rewards);
        }
        assert_eq!((told.winner[0], &told.scores[..]), (0, &[-88.0, -89.0, -89.0, -89.0][..]));
        assert_eq!(
            (told.alive, ENDINGS[told.ending[0] as usize]),
            (vec![false; 4], "no placement left")
        );
        assert!(told.mask == [0b11] && told.current_player == [0]);
    }
}

#[test]
fn illegal_action_options() {
    let options = Options { illegal: Some(Illegal::Lose), ..Options::default() };
    let mut batch = Batch::<Classic>::new(four(&[("players", "3")]), 1, options);
    let mut told = StepOutputs::of(&batch);
    batch.step(&[1], told.outputs().1).unwrap();
    assert_eq!(told.rewards, [-1.0, 0.5, 0.5]);
    assert_eq!(batch.endings()[told.ending[0] as usize], "illegal action");
    let options = Options { illegal: Some(Illegal::Ignore), ..Options::default() };
    let mut batch = Batch::<Duo>::new(Rules::DUO, 1, options);
    let before = batch.save();
    let mut told = StepOutputs::of(&batch);
    batch.step(&[0], told.outputs().1).unwrap();
    assert_eq!((told.move_valid[0], batch.save()), (false, before));
}

#[test]
fn options_are_parsed_and_validated() {
    let words = [
        (four(&[]).to_string(), "classic, reward win, view own"),
        (
            four(&[("players", "3"), ("reward", "rank")]).to_string(),
            "classic-3, reward rank, view own",
        ),
        (
            four(&[("players", "2"), ("view", "absolute")]).to_string(),
            "classic-2, reward win, view absolute",
        ),
        (
            four(&[("size", "10"), ("free_starts", "on")]).to_string(),
            "four-10+free, reward win, view own",
        ),
        (two(&[("reward", "difference")]).to_string(), "duo, reward difference, view own"),
        (two(&[("size", "5")]).to_string(), "two-5, reward win, view own"),
        (two(&[("starts", "corners")]).to_string(), "two-14, reward win, view own"),
    ];
    for (found, expected) in words {
        assert_eq!(found, expected);
    }
    for (name, options, message) in [
        ("blokus", &[("size", "23")][..], "invalid size '23': expected a number from 1 to 22"),
        ("blokus", &[("players", "5")], "invalid players '5': expected a number from 2 to 4"),
        (
            "blokus",
            &[("players", "2"), ("size", "14")],
            "invalid players '2': allowed only on boards of size 20, others have 4 players",
        ),
        (
            "blokus",
            &[("reward", "money")],
            "invalid reward 'money': expected one of win, difference, rank, points",
        ),
        (
            "blokus_duo",
            &[("starts", "inner"), ("size", "13")],
            "invalid starts 'inner': allowed only on boards of size 14, on others colors start in \
             the corners",
        ),
        (
            "blokus_duo",
            &[("players", "2")],
            "unknown option 'players' of blokus_duo: expected one of size, starts, free_starts, \
             reward, view",
        ),
        (
            "blokus_duo",
            &[("free_starts", "maybe")],
            "invalid free_starts 'maybe': expected one of off, on",
        ),
    ] {
        let error = make(name, options, 1, Options::default()).err().expect("an error");
        assert_eq!(error.to_string(), message);
    }
    for (name, id) in [("blokus", "blokus-v2"), ("blokus_duo", "blokus_duo-v2")] {
        assert_eq!(make(name, &[], 1, Options::default()).unwrap().id(), id);
    }
    assert!(Rules::<2>::new(Rules::CLASSIC.variant()).is_none());
    assert_eq!(Rules::<4>::new(Rules::CLASSIC.variant()), Some(Rules::CLASSIC));
    assert_eq!(seen(Rules::DUO, View::Absolute).view, View::Absolute);
}

#[test]
fn start_positions_are_validated() {
    let mut batch = batch(two(&[("size", "5")]), 2);
    let (going_on, over) = ("two-5 o pp3/1p3/5/5/5 -", "two-5 - p4/5/5/5/5 -");
    batch.set_starts(&[going_on]).unwrap();
    batch.reset(Some(1));
    assert_eq!(batch.texts(), [going_on; 2]);
    let error = batch.set_starts(&[going_on, "duo p 14/14 -"]).unwrap_err().to_string();
    assert!(error.starts_with("position 1: "), "{error}");
    let error = batch.set_starts(&[&Classic::start(&Rules::CLASSIC).text()]).unwrap_err();
    assert_eq!(error.to_string(), "position 0: expected a position of two-5, got one of classic");
    assert!(batch.set_starts(&[over]).is_err());
    let mut one = super::batch(four(&[("size", "1")]), 1);
    let error = one.set_starts(&["four-1 - b -"]).unwrap_err().to_string();
    assert_eq!(error, "position 0: the game is already over in this position: no placement left");
    one.reset_to(None, &["four-1 - b -"]).unwrap();
    assert_eq!(one.status(0).stage, Stage::Terminated);
    one.step(&[0], Outputs::none()).unwrap();
    assert_eq!(one.texts(), ["four-1 - b -"]);
}
