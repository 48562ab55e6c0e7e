//! Measures how many positions a network evaluates in a second on one thread, alone and in a search of the first move.
//!
//! `cargo run --release -p fourfold-learned --example speed -- BLOCKS CHANNELS`

use std::time::{Duration, Instant};

use fourfold_bots::{Budget, Situation};
use fourfold_env::{Options, make};

#[path = "../tests/it/random_model.rs"]
#[allow(dead_code, reason = "a part is only for tests")]
mod random_model;

use random_model::{Files, GAMES_AND_OPTIONS};

const TIME: Duration = Duration::from_secs(2);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sizes = std::env::args().skip(1).map(|size| size.parse());
    let sizes = sizes.collect::<Result<Vec<usize>, _>>()?;
    let &[blocks, channels] = &sizes[..] else {
        return Err("expected the numbers of blocks and channels".into());
    };
    for (game, options) in GAMES_AND_OPTIONS {
        let model = Files::new(game, (blocks, channels), 1).model();
        let batch = make(game, options, 64, Options::default())?;
        // Without a search, in kung fu chess two evaluations for each game.
        let each = if batch.spec().simultaneous { 128.0 } else { 64.0 };
        let alone = rate(|| {
            model.evaluate(&*batch)?;
            Ok(each)
        })?;
        let start = batch.texts().swap_remove(0);
        let mut bot = model.bot(1);
        let search = rate(|| {
            let situation = Situation { start: &start, moves: &[] };
            Ok(bot.think(&situation, Budget::nodes(64))?.nodes as f64)
        })?;
        println!("{game}: {alone:.0} evaluations/s, {search:.0} positions/s in a search");
    }
    Ok(())
}

/// Repeats some work, and returns how much of it is done in a second.
fn rate(
    mut work: impl FnMut() -> Result<f64, Box<dyn std::error::Error>>,
) -> Result<f64, Box<dyn std::error::Error>> {
    let (began, mut done) = (Instant::now(), 0.0);
    while began.elapsed() < TIME {
        done += work()?;
    }
    Ok(done / began.elapsed().as_secs_f64())
}
