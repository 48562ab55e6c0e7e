//! Questions about a study: the page holds its tree, and the server keeps nothing.
//!
//! They come by plain HTTP and not over the socket, whose messages are small and few: a game in PGN is neither.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use fourfold_table::study::{self, Arrangement, StudyError, Tree};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::{Semaphore, oneshot};

use crate::http::{Spoken, is_own_page};
use crate::hub::Hub;
use crate::protocol::{self, VERSION};
use crate::room::in_words;
use crate::viewer::Input;

/// The largest question, in bytes.
pub(crate) const LARGEST_QUESTION: usize = 1024 * 1024;

/// Questions that are thought about at once: games must not wait for them.
static THINKERS: Semaphore = Semaphore::const_new(1);
/// Questions that may wait for that.
static DOORS: Semaphore = Semaphore::const_new(64);

/// What a page asks for.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub(crate) enum Question {
    /// What each fact means.
    Facts,
    /// The position after moves from a start.
    Look {
        start: String,
        #[serde(default)]
        moves: Vec<String>,
    },
    /// How the facts go through a line.
    Series {
        start: String,
        #[serde(default)]
        moves: Vec<String>,
    },
    /// A FEN or a PGN.
    Read { text: String },
    /// A tree as PGN.
    Write(Tree),
    /// Men that a hand has put on the board.
    Arrange(Arrangement),
    /// A game of the arena.
    Open { game: String },
}

/// Answers a question with `ok` or `no`, as over the socket.
pub(crate) async fn ask(
    State(hub): State<Arc<Hub>>,
    Query(spoken): Query<Spoken>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    if !is_own_page(&headers) {
        return (StatusCode::FORBIDDEN, "questions are for this server's own pages\n")
            .into_response();
    }
    let (status, answer) = match body {
        Err(_) => {
            let why = format!("a question has at most {LARGEST_QUESTION} bytes");
            (StatusCode::PAYLOAD_TOO_LARGE, Err(why))
        }
        Ok(_) if !spoken.is_current() => {
            let why = format!("the page is of another version than {VERSION}: load it again");
            (StatusCode::OK, Err(why))
        }
        Ok(body) => (StatusCode::OK, answer(&hub, &body).await),
    };
    hub.counts.commands.fetch_add(1, Ordering::Relaxed);
    let text = match answer {
        Ok(mut with) => {
            with.insert("t".to_owned(), json!("ok"));
            Value::Object(with).to_string()
        }
        Err(why) => {
            hub.counts.refused.fetch_add(1, Ordering::Relaxed);
            json!({"t": "no", "why": why}).to_string()
        }
    };
    (status, [(CONTENT_TYPE, "application/json")], text).into_response()
}

async fn answer(hub: &Arc<Hub>, body: &[u8]) -> Result<Map<String, Value>, String> {
    let question: Question =
        serde_json::from_slice(body).map_err(|error| format!("no question: {error}"))?;
    let question = match question {
        Question::Open { game } => Question::Read { text: record(hub, &game).await? },
        question => question,
    };
    let _door = DOORS.try_acquire().map_err(|_| "too many ask at once: try again".to_owned())?;
    // It is never closed.
    let _thinker = THINKERS.acquire().await;
    let thought = tokio::task::spawn_blocking(move || think(&question)).await;
    thought.map_err(|_| "the question could not be answered".to_owned())?
}

/// The PGN of a game of chess.
async fn record(hub: &Arc<Hub>, game: &str) -> Result<String, String> {
    let (answer, file) = oneshot::channel();
    hub.send(game, Input::Export(answer)).await?;
    let (name, text) = file.await.map_err(|_| "the server is going down".to_owned())?;
    match name.ends_with(".pgn") {
        true => Ok(text),
        false => Err("only games of chess can be studied".to_owned()),
    }
}

/// Answers what needs nobody else.
fn think(question: &Question) -> Result<Map<String, Value>, String> {
    let words = |error| match error {
        StudyError::Move(error) => in_words(error),
        error => error.to_string(),
    };
    let answer = match question {
        Question::Facts => protocol::object(&json!({ "facts": study::FACTS })),
        Question::Look { start, moves } => {
            protocol::object(&study::look(start, moves).map_err(words)?)
        }
        Question::Series { start, moves } => {
            let series = study::series(start, moves).map_err(words)?;
            protocol::object(&json!({ "series": series }))
        }
        Question::Read { text } => {
            let (tree, more) = study::read(text).map_err(words)?;
            protocol::object(&Found { tree, more })
        }
        Question::Write(tree) => {
            protocol::object(&json!({ "text": study::write(tree).map_err(words)? }))
        }
        Question::Arrange(men) => protocol::object(&study::arrange(men).map_err(words)?),
        Question::Open { .. } => return Err("a game is read before it is studied".to_owned()),
    };
    Ok(answer)
}

/// What was in a text.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    tree: Tree,
    /// How many more games there are.
    more: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::tests::examples;

    #[test]
    fn the_page_shows_questions_that_are_answered_as_it_says() {
        let keys =
            |object: &Map<String, Value>| -> Vec<String> { object.keys().cloned().collect() };
        let blocks = examples();
        let mut compared = 0;
        for pair in blocks.windows(2) {
            let [(kind, question), (next, answer)] = pair else { continue };
            if *kind != "question" {
                continue;
            }
            let question: Question = serde_json::from_str(question).expect("a question");
            if *next != "answer" {
                continue;
            }
            let shown: Map<String, Value> = serde_json::from_str(answer).expect("an answer");
            let mut real = think(&question).expect("it has an answer");
            real.insert("t".to_owned(), json!("ok"));
            assert_eq!(keys(&shown), keys(&real), "{answer}");
            compared += 1;
        }
        assert!(compared >= 6, "{compared} answers were compared");
    }
}
