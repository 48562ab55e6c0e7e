//! Rewards, endings, options.

use fourfold_env::four_player::{ENDINGS, Reward, Rules};
use fourfold_env::{AnyBatch, DescribedBatch, Illegal, Options, Outputs, Stage, conformance, make};
use fourfold_four_player::{Mode, Points, StartPosition};

use super::{FourPlayer, batch, rules};
use crate::step_outputs::StepOutputs;

#[test]
fn four_player_chess_passes_conformance() {
    for (seed, options) in [
        &[][..],
        &[("mode", "teams")],
        &[("preset", "legacy"), ("actions", "flat"), ("reward", "rank")],
        &[("mode", "teams"), ("setup", "classic"), ("reward", "win"), ("view", "absolute")],
        &[("mate_timing", "immediate"), ("quiet", "20"), ("max_steps", "150")],
        &[("king_capture", "forbid"), ("repetition", "2"), ("quiet", "0"), ("winner", "survivor")],
    ]
    .into_iter()
    .enumerate()
    {
        conformance::<FourPlayer>(&rules(options), seed as u64);
    }
}

#[test]
fn rewards_add_up_to_the_points() {
    for options in [&[][..], &[("preset", "legacy")], &[("mate_timing", "immediate")]] {
        let mut batch = batch(rules(options), 24);
        let mut told = StepOutputs::of(&batch);
        let mut sums = [[0.0; 4]; 24];
        for _ in 0..500 {
            told.step(&mut batch);
            for (game, sums) in sums.iter_mut().enumerate() {
                for (player, sum) in sums.iter_mut().enumerate() {
                    *sum += told.rewards[4 * game + player];
                    let score = told.scores[4 * game + player];
                    assert!((20.0 * *sum - score).abs() < 0.01, "{} for {score}", 20.0 * *sum);
                }
            }
        }
        assert!(sums.as_flattened().iter().any(|&sum| sum >= 1.0), "nobody got 20 points");
        assert!(told.terminated.iter().zip(&told.truncated).all(|(a, b)| a | b));
    }
}

/// Plays moves from a position and returns the outputs of the last one.
fn play(rules: Rules, fen4: &str, moves: &[&str]) -> StepOutputs {
    let mut batch = batch(rules, 1);
    let mut told = StepOutputs::of(&batch);
    if !fen4.is_empty() {
        batch.reset_to(None, &[fen4]).unwrap();
    }
    for text in moves {
        let actions = batch.read_actions(&[text]).unwrap();
        batch.step(&actions, told.outputs().1).unwrap();
    }
    told
}

fn ending(told: &StepOutputs) -> &'static str {
    ENDINGS[told.ending[0] as usize]
}

/// Red captures Blue's king, the last one other than its own.
const LAST_KING: &str =
    "R-0,0,1,1-0,0,0,0-0,0,0,0-10,30,30,0-0-14/14/14/14/rR,13/14/14/bK,13/14/14/14/14/14/7,rK,6";
/// Red captures Blue's king in a team game.
const TEAM_KING: &str = "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,7/14/14/14/rR,13/14/13,gK/bK,13/\
    14/14/14/14/14/7,rK,6";

#[test]
fn rewards_match_their_definition() {
    let with = |reward| Rules { reward, ..Rules::FREE_FOR_ALL };
    let third = 1.0 / 3.0;
    let expected = [
        (Reward::Points, [1.0, 0.0, 0.0, 0.0]),
        (Reward::Rank, [third, third, third, -1.0]),
        (Reward::Win, [third, third, third, 0.0]),
    ];
    for (reward, rewards) in expected {
        let told = play(with(reward), LAST_KING, &["a10a7"]);
        assert_eq!(told.rewards, rewards);
        assert_eq!((told.terminated[0], ending(&told)), (true, "last survivor"));
        assert_eq!((told.winner[0], &told.scores[..]), (-1, &[30.0, 30.0, 30.0, 0.0][..]));
        assert_eq!(told.alive, [true, false, false, false]);
        let quiet = play(with(reward), LAST_KING, &["h1h2"]);
        assert_eq!((&quiet.rewards[..], quiet.ending[0]), (&[0.0; 4][..], -1));
    }
    let survivor = rules(&[("winner", "survivor"), ("reward", "win")]);
    let told = play(survivor, LAST_KING, &["a10a7"]);
    assert_eq!((&told.rewards[..], told.winner[0]), (&[1.0, 0.0, 0.0, 0.0][..], 0));
    for (reward, win) in [(Reward::Team, [1.0, -1.0]), (Reward::Win, [0.5, 0.0])] {
        let teams = Rules { reward, ..Rules::TEAMS };
        let told = play(teams, TEAM_KING, &["a10a7"]);
        assert_eq!(told.rewards, [win[0], win[1], win[0], win[1]]);
        assert_eq!((told.winner[0], ending(&told)), (0, "king captured"));
    }
}

const KNIGHTS: [&str; 8] = ["j1i3", "a5c6", "e14f12", "n10l9", "i3j1", "c6a5", "f12e14", "l9n10"];

#[test]
fn rewards_of_draws() {
    let quiet = play(rules(&[("quiet", "3")]), "", &KNIGHTS[..3]);
    assert_eq!((ending(&quiet), &quiet.rewards[..]), ("quiet plies", &[0.5; 4][..]));
    let twice = KNIGHTS.repeat(2);
    let repeated = play(Rules::FREE_FOR_ALL, "", &twice);
    assert_eq!((ending(&repeated), &repeated.scores[..]), ("repetition", &[10.0; 4][..]));
    let before = play(Rules::FREE_FOR_ALL, "", &twice[..15]);
    assert_eq!(before.ending[0], -1);
    let teams = play(rules(&[("mode", "teams"), ("reward", "win")]), "", &twice);
    assert_eq!((ending(&teams), &teams.rewards[..]), ("repetition", &[0.25; 4][..]));
    assert_eq!((teams.winner[0], &teams.scores[..]), (-1, &[0.0; 4][..]));
    let teams = play(Rules::TEAMS, "", &twice);
    assert_eq!(teams.rewards, [0.0; 4]);
    let often = play(rules(&[("repetition", "0")]), "", &KNIGHTS.repeat(20));
    assert_eq!(often.ending[0], -1);
}

#[test]
fn games_are_truncated_at_the_step_limit() {
    let told = play(rules(&[("max_steps", "2"), ("reward", "rank")]), "", &KNIGHTS[..2]);
    assert_eq!((told.truncated[0], told.terminated[0]), (true, false));
    assert_eq!((ending(&told), &told.rewards[..]), ("step limit", &[0.0; 4][..]));
    assert!(told.mask.iter().all(|&byte| byte == 0xff));
}

#[test]
fn legacy_preset_ignores_illegal_actions() {
    let mut batch = fourfold_env::Batch::<FourPlayer>::new(Rules::LEGACY, 2, Options::default());
    assert_eq!(batch.options().illegal, Some(Illegal::Ignore));
    let mut told = StepOutputs::of(&batch);
    let before = batch.save();
    batch.step(&[0, -7], told.outputs().1).unwrap();
    assert_eq!((&told.move_valid[..], &told.rewards[..]), (&[false; 2][..], &[0.0; 8][..]));
    assert_eq!(batch.save(), before);
    let strict = Options { illegal: Some(Illegal::Lose), ..Options::default() };
    let mut batch = fourfold_env::Batch::<FourPlayer>::new(Rules::LEGACY, 1, strict);
    batch.step(&[0], told.outputs().1).unwrap_err();
    let mut told = StepOutputs::of(&batch);
    batch.step(&[0], told.outputs().1).unwrap();
    let third = 1.0 / 3.0;
    assert_eq!(told.rewards, [-1.0, third, third, third]);
    let ending = batch.endings()[told.ending[0] as usize];
    assert_eq!((ending, told.winner[0]), ("illegal action", -1));
}

#[test]
fn options_are_parsed_and_validated() {
    let all = rules(&[
        ("preset", "legacy"),
        ("mode", "teams"),
        ("setup", "byg"),
        ("points", "standard"),
        ("king_capture", "forbid"),
        ("mate_timing", "immediate"),
        ("winner", "survivor"),
        ("repetition", "5"),
        ("quiet", "9999"),
        ("bare_kings", "off"),
        ("award_kings", "on"),
        ("actions", "flat"),
        ("view", "absolute"),
        ("max_steps", "7"),
    ]);
    assert_eq!(
        all.to_string(),
        "teams forbid-king-capture immediate survivor award-kings repetition=5 quiet=9999 \
         no-bare-kings, \
         byg setup, reward team, actions flat, view absolute, truncated after 7 steps"
    );
    assert_eq!((all.opening, all.play.mode), (StartPosition::Byg, Mode::Teams));
    assert_eq!(rules(&[("preset", "legacy")]), Rules::LEGACY);
    assert_eq!(rules(&[("preset", "seed"), ("points", "seed")]), Rules::LEGACY);
    assert_eq!(Rules::LEGACY.play.points, Points::LEGACY);
    assert_eq!(rules(&[("mode", "teams")]), Rules::TEAMS);
    let parts = [("mate_timing", "immediate"), ("award_kings", "on")];
    assert_eq!(rules(&[("preset", "chess.com")]), rules(&parts));
    for (option, value, message) in [
        ("setup", "old", "invalid setup 'old': expected one of modern, classic, by, byg, rg"),
        ("reward", "team", "invalid reward 'team': allowed only in teams"),
        ("quiet", "10000", "invalid quiet '10000': expected a number from 0 to 9999"),
        ("max_steps", "0", "invalid max_steps '0': expected a number from 1 to 4294967295"),
        ("bare_kings", "maybe", "invalid bare_kings 'maybe': expected one of on, off"),
        ("mate_timing", "off", "invalid mate_timing 'off': expected one of on_turn, immediate"),
    ] {
        let error = Rules::from_options(&[(option, value)]).unwrap_err().to_string();
        assert_eq!(error, message);
    }
    let error = Rules::from_options(&[("mode", "teams"), ("reward", "rank")]).unwrap_err();
    let expected = "invalid reward 'rank': allowed only in free-for-all";
    assert!(error.to_string().starts_with(expected), "{error}");
    let error = make("four_player", &[("claim", "off")], 1, Options::default()).err().unwrap();
    let expected = "unknown option 'claim' of four_player: expected one of preset, mode";
    assert!(error.to_string().starts_with(expected), "{error}");
    assert_eq!(make("four_player", &[], 1, Options::default()).unwrap().id(), "four_player-v2");
}

#[test]
fn finished_positions_are_rejected_as_starts() {
    let mut batch = batch(Rules::FREE_FOR_ALL, 2);
    let over = LAST_KING.replace("R-0,0,1,1", "R-0,1,1,1").replace("bK", "dbK");
    let error = batch.set_starts(&[LAST_KING, &over]).unwrap_err().to_string();
    assert_eq!(error, "position 1: the game is already over in this position: last survivor");
    batch.set_starts(&[LAST_KING]).unwrap();
    batch.reset(Some(1));
    assert_eq!(batch.texts(), [LAST_KING; 2]);
    batch.reset_to(None, &[LAST_KING, &over]).unwrap();
    assert_eq!(batch.status(1).stage, Stage::Terminated);
    assert_eq!(batch.status(1).winner, None);
    let error = batch.reset_to(None, &["x", "y"]).unwrap_err().to_string();
    assert!(error.starts_with("position 0: "), "{error}");
    batch.step(&[0, 0], Outputs::none()).unwrap_err();
}
