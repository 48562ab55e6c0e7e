//! The environment inspector: shows the environments of the `env` crate for a position or for a
//! game of the arena, and steps them on request. The page holds the start position and the moves;
//! the server keeps no state.

mod batch;
mod environment;
mod observation;

use std::net::IpAddr;
use std::sync::Arc;

use serde::Deserialize;

use crate::hub::Hub;
use crate::protocol::Object;
use crate::requests::{PageRequest, Refusal};
use crate::viewer::{GameRecord, Input};
use batch::BatchRequest;
use environment::Environment;
use observation::{Path, inspect};

/// A request from the inspector page.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub(crate) enum InspectorRequest {
    /// Requests what a player sees after these moves and a number of random steps.
    Inspect {
        /// The id of the game type.
        game: String,
        /// The start position; by default, the game's initial position.
        #[serde(default)]
        position: Option<String>,
        /// The moves from there. In simultaneous games, each is the orders of all players,
        /// separated by spaces.
        #[serde(default)]
        moves: Vec<String>,
        /// The number of random steps that follow.
        #[serde(default)]
        random: usize,
        /// The seed of the random steps.
        #[serde(default)]
        seed: u64,
        /// The observing seat, in simultaneous games.
        #[serde(default)]
        seat: Option<usize>,
    },
    /// Requests what a player sees in a game of the arena.
    Follow {
        game: String,
        #[serde(default)]
        seat: Option<usize>,
    },
    /// Requests a benchmark.
    Batch(BatchRequest),
}

impl PageRequest for InspectorRequest {
    async fn answer(self, hub: &Arc<Hub>, _address: IpAddr) -> Result<Object, Refusal> {
        match self {
            InspectorRequest::Inspect { game, position, moves, random, seed, seat } => {
                let path = Path { start: position, moves, random, seed };
                hub.analysis.answer(move || inspect(&Environment::of(&game)?, path, seat)).await
            }
            InspectorRequest::Follow { game, seat } => {
                let record = hub.ask(&game, Input::Record).await?;
                let record = record.ok_or_else(|| "the server is shutting down".to_owned())?;
                hub.analysis.answer(move || follow(record, seat)).await
            }
            InspectorRequest::Batch(request) => batch::step(&hub.analysis.stepping, request).await,
        }
    }
}

/// Returns what a player sees in a game of the arena.
fn follow(record: GameRecord, seat: Option<usize>) -> Result<Object, String> {
    match record {
        GameRecord::Turns { kind, start, moves } => {
            inspect(&Environment::of(kind)?.without_limits(), Path::from_moves(start, moves), seat)
        }
        GameRecord::RealTime(game) => inspect(
            &Environment::of_rules(game.rules())?,
            Path::from_moves(game.to_string(), Vec::new()),
            seat,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_shape::blocks;
    use crate::requests::assert_documented;

    #[test]
    fn documented_requests_get_the_documented_answers() {
        let mut compared = 0;
        for pair in blocks().windows(2) {
            let [("inspector-request", requests), (next, answers)] = pair else { continue };
            let request = InspectorRequest::deserialize(&requests[0]).expect("a request");
            let answer = match request {
                InspectorRequest::Inspect { game, position, moves, random, seed, seat } => {
                    let path = Path { start: position, moves, random, seed };
                    inspect(&Environment::of(&game).expect("a game"), path, seat)
                }
                InspectorRequest::Batch(batch_request) => batch::run(&batch_request),
                InspectorRequest::Follow { .. } => continue,
            };
            assert_eq!(*next, "inspector-response", "{}", requests[0]);
            assert_documented(&requests[0], &answers[0], answer.expect("it has an answer"));
            compared += 1;
        }
        assert!(compared >= 3, "{compared} answers were compared");
    }
}
