//! What an agent sees: environments of `env`, shown for a position or for a game of the arena, and stepped
//! on demand. The page holds a start and moves from there; the server keeps nothing.

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
use crate::questions::{Refusal, hear};
use crate::viewer::{Course, Input};
use batch::Load;
use sight::{Path, see};
use world::World;

/// What a page asks for.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
enum Question {
    /// What a player sees after moves from a position, and after random ones.
    Sense {
        /// The id of a kind of game.
        game: String,
        /// Where to begin; without it, where games do.
        #[serde(default)]
        position: Option<String>,
        /// What was played from there: where all act, the orders of all with a space between.
        #[serde(default)]
        moves: Vec<String>,
        /// How many random steps follow.
        #[serde(default)]
        random: usize,
        /// What these are drawn from.
        #[serde(default)]
        seed: u64,
        /// Whose eyes, where all act at once.
        #[serde(default)]
        seat: Option<usize>,
    },
    /// What a player of a game of the arena sees.
    Follow {
        game: String,
        #[serde(default)]
        seat: Option<usize>,
    },
    /// How fast many games are stepped.
    Batch(Load),
}

/// Answers a question.
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
            let course = course.await.map_err(|_| "the server is going down".to_owned())?;
            hub.desk.answer(move || follow(course, seat)).await
        }
        Question::Batch(load) => batch::step(&hub.desk.stepping, load).await,
    }
}

/// What a player of a game of the arena sees.
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
    use crate::questions::assert_told;

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
