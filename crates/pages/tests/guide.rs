//! The game of docs/guide/adding-a-game.md: its rules and its environment compile, its conformance
//! test passes, and the search finds a win. `./test guide` follows the rest of the guide.

#![allow(unreachable_pub, dead_code, reason = "the code is that of library crates")]

// The code of the guide belongs to the crate `env`.
use fourfold_env::*;

mod fourfold_hexapawn {
    include!(concat!(env!("OUT_DIR"), "/rules.rs"));
}

mod hexapawn {
    use crate::fourfold_hexapawn;

    include!(concat!(env!("OUT_DIR"), "/environment.rs"));
}

#[test]
fn search_finds_the_only_winning_move() -> Result<(), Box<dyn std::error::Error>> {
    use fourfold_search::{AnySearch, Options as SearchOptions, Search, Uniform};
    use hexapawn::{Hexapawn, Rules};

    let mut batch = Batch::<Hexapawn>::new(Rules, 1, Options::default());
    batch.reset_to(None, &["ppp/P../.PP b"])?;
    let mut search = Search::<Hexapawn>::new(Rules, 1, SearchOptions::new(500))?;
    search.run(|game| batch.state(game), &Uniform::default())?;
    let mut actions = [0];
    search.actions(0.0, &mut actions)?;
    assert_eq!(batch.write_actions(&actions)?, ["b3a2"]);
    Ok(())
}
