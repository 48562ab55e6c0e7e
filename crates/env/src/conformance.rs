//! A conformance test for any implementation of [`Game`].

use crate::any::AnyBatch;
use crate::batch::Batch;
use crate::game::{Game, MAX_PLAYERS, Stage, Status};
use crate::options::{Autoreset, Options};
use crate::outputs::Outputs;

/// Plays random games and checks the invariants that every environment must keep: masks, endings,
/// rewards, and saving and loading.
///
/// # Panics
/// Panics if an invariant is violated; the message says which.
pub fn conformance<G: Game + PartialEq + std::fmt::Debug>(rules: &G::Rules, seed: u64) {
    const GAMES: usize = 16;
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
            check_saving(&batch, rules, options);
        }
        batch.sample(None, &mut actions);
        let before: Vec<G> = batch.states().cloned().collect();
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
}

fn check_masks<G: Game>(batch: &Batch<G>, game: usize) {
    let spec = batch.spec();
    let over = batch.status(game).stage != Stage::Ongoing;
    for row in 0..spec.mask_rows() {
        let legal = batch.legal(game, row);
        let count = legal.count();
        assert!(count > 0, "a mask is empty");
        assert_eq!(over, legal.is_all(), "all actions are legal exactly in finished games");
        assert!(legal.iter().all(|action| action < spec.actions), "an action is out of range");
        assert!(over || count <= spec.max_legal, "{count} legal actions, more than max_legal");
    }
}

fn check_saving<G: Game + PartialEq + std::fmt::Debug>(
    batch: &Batch<G>,
    rules: &G::Rules,
    options: Options,
) {
    let mut loaded = Batch::<G>::new(rules.clone(), batch.games(), options);
    loaded.load(&batch.save()).expect("a saved batch can be loaded");
    assert!(loaded.states().eq(batch.states()), "a loaded state differs from the saved one");
    for game in 0..batch.games() {
        assert_eq!(loaded.status(game), batch.status(game));
        for row in 0..batch.spec().mask_rows() {
            assert!(loaded.legal(game, row).iter().eq(batch.legal(game, row).iter()));
        }
    }
}
