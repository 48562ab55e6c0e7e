//! The four-player environment: labels, masks, observations, rewards, endings, and the guarantees
//! of a batch.

mod labels;
mod observation;
mod play;
mod rotation;
mod state;

use fourfold_env::four_player::{FourPlayer, Rules};
use fourfold_env::{AnyBatch, Autoreset, Batch, DescribedBatch, Options, Outputs};
use fourfold_four_player::{Position, StartPosition};

fn rules(options: &[(&str, &str)]) -> Rules {
    Rules::from_options(options).expect("options of the game")
}

/// Returns a batch without autoreset.
fn batch(rules: Rules, games: usize) -> Batch<FourPlayer> {
    let options = Options { autoreset: Autoreset::Disabled, ..Options::default() };
    Batch::new(rules, games, options)
}

/// Plays batches randomly in all setups and both modes, with additional options, and calls `check`
/// from time to time.
fn for_batches(
    options: &[(&str, &str)],
    steps: usize,
    mut check: impl FnMut(&mut Batch<FourPlayer>),
) {
    for (index, opening) in StartPosition::ALL.into_iter().enumerate() {
        for mode in ["ffa", "teams"] {
            let mut given = vec![("mode", mode), ("setup", opening.name())];
            given.extend(options);
            let mut batch = batch(rules(&given), 8);
            batch.reset(Some(index as u64));
            let starts: &[&str] = if mode == "ffa" { &LATE } else { &LATE_TEAMS };
            let late: Vec<&str> = starts.iter().cycle().copied().take(8).collect();
            let mask: Vec<bool> = (0..8).map(|game| game >= 5).collect();
            batch.reset_to(Some(&mask), &late).expect("positions");
            let mut actions = [0; 8];
            for step in 0..steps {
                if step % 3 == 0 {
                    check(&mut batch);
                }
                batch.sample(None, &mut actions).expect("one action per row");
                batch.step(&actions, Outputs::none()).expect("sampled actions are legal");
            }
        }
    }
}

/// Returns the positions of games in progress.
fn positions(batch: &Batch<FourPlayer>) -> impl Iterator<Item = (usize, Position)> {
    let positions = batch.states().map(|state| *state.position()).enumerate();
    positions.filter(|(_, position)| position.ending().is_none())
}

/// All players may castle on both sides.
const CASTLING: &str = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,2,yK,3,yR,3/14/14/bR,12,gR/14/14/13,gK/\
    bK,13/14/14/bR,12,gR/14/14/3,rR,3,rK,2,rR,3";
/// Pawns about to promote, an eliminated player and gray pieces, and a possible en passant capture.
const LATE: [&str; 3] = [
    "R-0,0,0,1-0,0,0,0-0,0,0,0-12,7,0,30-5-6,yK,7/14/14/14/3,dR,10/14/8,yP,5/bK,3,rP,9/13,dgK/\
     6,bP,6,dgR/14/14/14/7,rK,6",
    "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('','c6:d6','','')}-6,yK,7/14/14/14/14/14/\
     13,gK/bK,13/3,bP,10/1,rP,12/14/14/14/7,rK,6",
    CASTLING,
];
/// Pawns about to promote, with and without capturing.
const LATE_TEAMS: [&str; 2] = [
    "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,7/14/14/3,bN,1,gN,8/4,rP,9/14/9,bP,4/bK,13/\
     4,gP,8,gK/8,yP,5/14/14/14/7,rK,6",
    CASTLING,
];
