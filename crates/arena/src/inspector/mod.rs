//! The environment inspector: shows the environments of the `env` crate for a position or for a
//! game of the arena, and steps them on request. The page holds the start position and the moves;
//! the server keeps no state.

mod batch;
mod sight;
mod world;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Query, Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::sync::oneshot;

use crate::http::Spoken;
use crate::hub::Hub;
use crate::requests::{Refusal, hear};
use crate::viewer::{Course, Input};
use batch::Load;
use sight::{Path, see};
use world::World;

/// A request from the inspector page.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
enum Question {
    /// Requests what a player sees after these moves and a number of random steps.
    Sense {
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
    Batch(Load),
}

/// Handles a request.
pub(crate) async fn ask(
    State(hub): State<Arc<Hub>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Query(spoken): Query<Spoken>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let reply = async |question: Question| answer(&hub, question).await;
    hear(&hub, address.ip(), &spoken, &headers, request, reply).await
}

async fn answer(hub: &Arc<Hub>, question: Question) -> Result<Map<String, Value>, Refusal> {
    match question {
        Question::Sense { game, position, moves, random, seed, seat } => {
            let path = Path { start: position, moves, random, seed };
            hub.desk.answer(move || see(&World::of(&game)?, path, seat)).await
        }
        Question::Follow { game, seat } => {
            let (answer, course) = oneshot::channel();
            hub.send(&game, Input::Course(answer)).await?;
            let course = course.await.map_err(|_| "the server is shutting down".to_owned())?;
            hub.desk.answer(move || follow(course, seat)).await
        }
        Question::Batch(load) => batch::step(&hub.desk.stepping, load).await,
    }
}

/// Returns what a player sees in a game of the arena.
fn follow(course: Course, seat: Option<usize>) -> Result<Map<String, Value>, String> {
    match course {
        Course::Turns { kind, start, moves } => {
            see(&World::of(kind)?.without_limits(), Path::along(start, moves), seat)
        }
        Course::RealTime(game) => {
            see(&World::of_rules(*game.rules())?, Path::along(game.to_string(), Vec::new()), seat)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::blocks;
    use crate::requests::assert_told;

    #[test]
    fn the_page_shows_questions_that_are_answered_as_it_says() {
        let mut compared = 0;
        for pair in blocks().windows(2) {
            let [("asked", questions), (next, answers)] = pair else { continue };
            let question = Question::deserialize(&questions[0]).expect("a question");
            let answer = match question {
                Question::Sense { game, position, moves, random, seed, seat } => {
                    let path = Path { start: position, moves, random, seed };
                    see(&World::of(&game).expect("a game"), path, seat)
                }
                Question::Batch(load) => batch::run(&load),
                Question::Follow { .. } => continue,
            };
            assert_eq!(*next, "told", "{}", questions[0]);
            assert_told(&questions[0], &answers[0], answer.expect("it has an answer"));
            compared += 1;
        }
        assert!(compared >= 3, "{compared} answers were compared");
    }
}
