//! A conformance test for any implementation of [`Game`](crate::Game) and [`Describe`].

use crate::batch::Batch;
use crate::batch::any::{AnyBatch, DescribedBatch};
use crate::batch::outputs::{ObservationRows, Outputs, Rows, ValueRows};
use crate::game::{Action, Describe, MAX_PLAYERS, Stage, Status};
use crate::options::{Autoreset, Illegal, Options};

const GAMES: usize = 16;

/// Plays random games and checks the invariants that every environment must keep: masks, endings,
/// rewards, observations, positions and actions as text, states as bytes, and autoreset.
///
/// # Panics
/// Panics if an invariant is violated; the message says which.
pub fn conformance<G: Describe + std::fmt::Debug>(rules: &G::Rules, seed: u64) {
    let options = Options { autoreset: Autoreset::Disabled, ..Options::default() };
    let mut batch = Batch::<G>::new(rules.clone(), GAMES, options);
    let spec = batch.spec().clone();
    batch.reset(Some(seed));
    let mut actions = vec![0; GAMES * spec.mask_rows()];
    let mut pays_on_the_way = false;
    for step in 0.. {
        if (0..GAMES).all(|game| batch.status(game).stage != Stage::Ongoing) {
            break;
        }
        assert!(step < 1_000_000, "games do not end within 1,000,000 steps");
        for game in 0..GAMES {
            check_masks(&batch, game);
        }
        if step % 16 == 0 {
            check_saving(&batch);
            check_observations(&mut batch);
            check_texts(&batch);
        }
        batch.sample(None, &mut actions).expect("there is room for all actions");
        let before: Vec<G> = batch.states().copied().collect();
        let over: Vec<bool> =
            (0..GAMES).map(|game| batch.status(game).stage != Stage::Ongoing).collect();
        batch.step(&actions, Outputs::none()).expect("sampled actions are legal");
        for (game, state) in batch.states().enumerate() {
            assert!(!over[game] || *state == before[game], "a finished game changed");
            let Status { stage, rewards, .. } = *batch.status(game);
            pays_on_the_way |= stage == Stage::Ongoing && rewards != [0.0; MAX_PLAYERS];
        }
    }
    for game in 0..GAMES {
        let status = batch.status(game);
        assert!(status.ending.is_some_and(|ending| (ending as usize) < spec.endings.len()));
        let sum: f32 = status.rewards[..spec.players].iter().sum();
        let cut_off = status.stage == Stage::Truncated;
        assert!(!cut_off || sum == 0.0 || pays_on_the_way, "a truncated game has rewards");
    }
    check_saving(&batch);
    check_autoreset::<G>(rules, seed);
    check_illegal::<G>(rules, seed);
}

fn check_masks<G: Describe>(batch: &Batch<G>, game: usize) {
    let spec = batch.spec();
    let over = batch.status(game).stage != Stage::Ongoing;
    for row in 0..spec.mask_rows() {
        let legal = batch.legal(game, row);
        let count = legal.count();
        assert!(count > 0, "a mask is empty");
        assert_eq!(over, legal.is_all(), "all actions are legal exactly in finished games");
        assert!(legal.iter().all(|action| action < spec.actions), "an action is out of range");
        assert!(over || count <= spec.max_legal, "{count} legal actions, more than max_legal");
        let mut listed: Vec<usize> = legal.iter().collect();
        listed.sort_unstable();
        listed.dedup();
        assert_eq!(listed.len(), count, "a legal action is listed twice");
    }
}

/// Checks that saved and copied batches equal the original and continue like it.
fn check_saving<G: Describe + std::fmt::Debug>(batch: &Batch<G>) {
    let mut loaded = Batch::<G>::new(batch.rules().clone(), batch.games(), batch.options());
    loaded.load(&batch.save()).expect("a saved batch can be loaded");
    assert_eq!(loaded.save(), batch.save(), "a loaded batch is saved differently");
    assert!(loaded.states().eq(batch.states()), "a loaded state differs from the saved one");
    for game in 0..batch.games() {
        assert_eq!(loaded.status(game), batch.status(game));
        for row in 0..batch.spec().mask_rows() {
            assert!(loaded.legal(game, row).iter().eq(batch.legal(game, row).iter()));
        }
    }
    let mut copy = batch.duplicate().expect("there is memory for a copy");
    let mut actions = [0, 1].map(|_| vec![0; GAMES * batch.spec().mask_rows()]);
    for (batch, actions) in
        [&mut loaded as &mut dyn AnyBatch, &mut *copy].into_iter().zip(&mut actions)
    {
        batch.sample(None, actions).expect("there is room for all actions");
        batch.step(actions, Outputs::none()).expect("sampled actions are legal");
    }
    assert_eq!(actions[0], actions[1], "a copy draws other actions");
    assert_eq!(copy.save(), loaded.save(), "a copy continues differently");
}

/// Checks that observations do not depend on what was in the buffers, and fit the layout.
fn check_observations<G: Describe>(batch: &mut Batch<G>) {
    let spec = batch.spec().clone();
    let layout = &spec.observation;
    for player in (0..spec.players).map(Some).chain([None]) {
        let views = if player.is_some() { 1 } else { spec.mask_rows() };
        let mut written = [0, 1].map(|filler| {
            let mut planes = vec![filler * 0xff; GAMES * views * layout.packed_bytes()];
            let mut scalars = vec![f32::from(filler); GAMES * views * layout.scalars];
            let out = ObservationRows {
                values: ValueRows::Packed(Rows::new(&mut planes, views * layout.packed_bytes())),
                scalars: Rows::new(&mut scalars, views * layout.scalars),
            };
            batch.observe(player, out).expect("the player exists");
            (planes, scalars)
        });
        let [(planes, scalars), other] = &mut written;
        assert_eq!((&*planes, &*scalars), (&other.0, &other.1), "observations keep old values");
        assert!(scalars.iter().all(|scalar| scalar.is_finite()), "a scalar is not finite");
        let used = match layout.width % 8 {
            0 => 0xff,
            bits => (1 << bits) - 1,
        };
        let rows = layout.width.div_ceil(8);
        let ends = planes.iter().skip(rows - 1).step_by(rows);
        assert!(ends.into_iter().all(|end| end & !used == 0), "a plane is wider than the board");

        let mut values = vec![f32::NAN; GAMES * views * layout.values()];
        let out = ObservationRows {
            values: ValueRows::Float(Rows::new(&mut values, views * layout.values())),
            scalars: Rows::none(),
        };
        batch.observe(player, out).expect("the player exists");
        assert!(values.iter().all(|value| value.is_finite()), "a value is missing");
    }
}

/// Checks that positions and legal actions survive being written and read.
fn check_texts<G: Describe + std::fmt::Debug>(batch: &Batch<G>) {
    let (rules, spec) = (batch.rules(), batch.spec());
    for (index, game) in batch.states().enumerate() {
        let text = game.text();
        let read = G::parse(rules, &text).expect("a position that was written can be read");
        assert_eq!(read.text(), text, "a position changes when it is read and written");
        if batch.status(index).stage != Stage::Ongoing {
            continue;
        }
        for row in 0..spec.mask_rows() {
            for id in batch.legal(index, row).iter() {
                let action = Action(id as u32);
                let text =
                    game.write_action(rules, row, action).expect("legal actions have a text");
                assert_eq!(game.read_action(rules, row, &text), Ok(action), "{text}");
                let viewpoint = if spec.simultaneous { row } else { game.viewpoint() };
                let absolute = G::absolute(rules, viewpoint, action);
                assert_eq!(G::relative(rules, viewpoint, absolute), action, "{text}");
            }
        }
    }
}

/// Checks that finished games restart when the option says so.
fn check_autoreset<G: Describe + std::fmt::Debug>(rules: &G::Rules, seed: u64) {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep] {
        let options = Options { autoreset, ..Options::default() };
        let mut batch = Batch::<G>::new(rules.clone(), GAMES, options);
        batch.reset(Some(seed));
        let start = *batch.state(0);
        let mut actions = vec![0; GAMES * batch.spec().mask_rows()];
        let mut restarts = 0;
        let mut over = vec![false; GAMES];
        while restarts < GAMES {
            batch.sample(None, &mut actions).expect("there is room for all actions");
            let ended = batch.step(&actions, Outputs::none()).expect("sampled actions are legal");
            let games = batch.ended_games();
            assert_eq!(games.len(), ended, "the number of ended games differs");
            let restarted: Vec<usize> = match autoreset {
                Autoreset::SameStep => games.clone(),
                _ => (0..GAMES).filter(|&game| over[game]).collect(),
            };
            for &game in &restarted {
                assert_eq!(*batch.state(game), start, "a game does not restart at the start");
                assert_eq!(batch.status(game).stage, Stage::Ongoing, "a new game is over");
            }
            restarts += restarted.len();
            over = (0..GAMES).map(|game| batch.status(game).stage != Stage::Ongoing).collect();
        }
    }
}

/// Checks that an illegal action loses the game if the option says so.
fn check_illegal<G: Describe>(rules: &G::Rules, seed: u64) {
    let options = Options {
        autoreset: Autoreset::Disabled,
        illegal: Some(Illegal::Lose),
        ..Options::default()
    };
    let mut batch = Batch::<G>::new(rules.clone(), 1, options);
    batch.reset(Some(seed));
    let ended = batch.step(&vec![-1; batch.spec().mask_rows()], Outputs::none());
    assert_eq!(ended, Ok(1), "an illegal action does not end the game");
    let ending = batch.status(0).ending.map(|ending| batch.endings()[ending as usize]);
    assert_eq!(ending, Some("illegal action"));
}
