//! HTTP requests of the study board. The page holds the tree; the server keeps no state.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, Query, Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use fourfold_bots::Budget;
use fourfold_table::study::{self, Arrangement, StudyError, Tree};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::Instant;

use crate::Limits;
use crate::evaluation::{MOST_LINES, outlook};
use crate::files;
use crate::http::Spoken;
use crate::hub::Hub;
use crate::limits::{Allowances, ConnectionLimiter, Full};
use crate::metrics::Excess;
use crate::protocol;
use crate::requests::{Refusal, hear};
use crate::room::in_words;
use crate::thinking::StopOnDrop;
use crate::viewer::Input;

/// The maximum number of requests that may wait for an answer.
const DOORS: usize = 64;

/// The queues of requests. At most one quick request and one analysis job run at the same time, so
/// that games stay responsive.
pub(crate) struct AnalysisQueue {
    often: Allowances,
    doors: Semaphore,
    answering: Semaphore,
    thoughts: Arc<ConnectionLimiter<IpAddr>>,
    thinking: Arc<Semaphore>,
    most_nodes: u64,
    /// Held while a batch of environments is stepped.
    pub(crate) stepping: Arc<Semaphore>,
}

impl AnalysisQueue {
    pub(crate) fn new(limits: &Limits) -> AnalysisQueue {
        AnalysisQueue {
            often: Allowances::new(limits.requests_per_second),
            doors: Semaphore::new(DOORS),
            answering: Semaphore::new(1),
            thoughts: ConnectionLimiter::new(
                limits.analysis_jobs,
                limits.analysis_jobs_per_address,
            ),
            thinking: Arc::new(Semaphore::new(1)),
            most_nodes: limits.analysis_nodes,
            stepping: Arc::new(Semaphore::new(1)),
        }
    }

    /// Checks the rate limit of an address.
    ///
    /// # Errors
    /// Fails if the address sends too many requests.
    pub(crate) fn admit(&self, hub: &Hub, address: IpAddr) -> Result<(), Refusal> {
        if self.often.spend(address, Instant::now()) {
            return Ok(());
        }
        hub.counts.note_excess(Excess::Messages);
        Err(Refusal::busy("too many requests: wait a moment"))
    }

    /// Answers a request that needs no analysis. Requests are answered one after the other.
    ///
    /// # Errors
    /// Fails if too many requests are waiting, or if `reply` fails.
    pub(crate) async fn answer(
        &self,
        reply: impl FnOnce() -> Result<Map<String, Value>, String> + Send + 'static,
    ) -> Result<Map<String, Value>, Refusal> {
        let crowded = |_| Refusal::busy("too many requests at once: try again");
        let _door = self.doors.try_acquire().map_err(crowded)?;
        // The semaphore is never closed.
        let _turn = self.answering.acquire().await;
        let answer = tokio::task::spawn_blocking(reply).await;
        Ok(answer.map_err(|_| "the request could not be answered".to_owned())??)
    }

    /// Returns the number of analysis jobs, including the one that is running.
    pub(crate) fn thoughts(&self) -> u64 {
        self.thoughts.len() as u64
    }
}

/// A request from the study page.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub(crate) enum Question {
    /// Requests the explanations of all facts.
    Facts,
    /// Requests the position after moves from a start.
    Look {
        start: String,
        #[serde(default)]
        moves: Vec<String>,
    },
    /// Requests how the facts change along a line.
    Series {
        start: String,
        #[serde(default)]
        moves: Vec<String>,
    },
    /// Requests an engine evaluation.
    Think(Thought),
    /// Parses a FEN or a PGN.
    Read { text: String },
    /// Writes a tree as PGN.
    Write(Tree),
    /// Builds a position from pieces placed in the editor.
    Arrange(Arrangement),
    /// Opens a game of the arena.
    Open { game: String },
    /// Opens a file of any game for replay.
    Replay { text: String },
    /// Requests the boards of a file from ply `from` on.
    Positions { text: String, from: usize },
    /// Requests the frames of a real-time game.
    Film(Film),
}

/// The frames of a real-time game, from a file (`text`) or of the arena (`game`), starting with
/// frame `from`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct Film {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    from: usize,
}

/// An analysis job.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct Thought {
    start: String,
    #[serde(default)]
    moves: Vec<String>,
    /// The maximum number of search nodes; capped by the server's limit.
    #[serde(default)]
    nodes: Option<u64>,
    /// The number of lines to return.
    #[serde(default)]
    lines: Option<usize>,
}

/// Handles a request.
pub(crate) async fn ask(
    State(hub): State<Arc<Hub>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Query(spoken): Query<Spoken>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let address = address.ip();
    let reply = async |question: Question| answer(&hub, address, question).await;
    hear(&hub, address, &spoken, &headers, request, reply).await
}

async fn answer(
    hub: &Arc<Hub>,
    address: IpAddr,
    question: Question,
) -> Result<Map<String, Value>, Refusal> {
    let question = match question {
        Question::Open { game } => Question::Read { text: record(hub, &game, ".pgn").await? },
        Question::Film(Film { text: None, game: Some(game), from }) => {
            let text = Some(record(hub, &game, ".json").await?);
            Question::Film(Film { text, game: None, from })
        }
        Question::Think(thought) => return think(&hub.desk, address, thought).await,
        question => question,
    };
    hub.desk.answer(move || reply(&question)).await
}

/// Evaluates a position, for as long as the client waits for it.
async fn think(
    desk: &AnalysisQueue,
    address: IpAddr,
    thought: Thought,
) -> Result<Map<String, Value>, Refusal> {
    let inside = desk.thoughts.enter(address).map_err(|full| match full {
        Full::All => Refusal::busy("the analysis queue is full: try again"),
        Full::Own => Refusal::busy("too many analysis jobs from your address: try again"),
    })?;
    // If the client goes away, this future is dropped: either while it waits here, or later, which
    // sets the flag, and the thread stops and releases what it holds.
    let turn = desk.thinking.clone().acquire_owned().await;
    let stop = StopOnDrop::default();
    let flag = Arc::clone(&stop.0);
    let most = desk.most_nodes;
    let work = tokio::task::spawn_blocking(move || {
        let _held = (turn, inside);
        let nodes = thought.nodes.unwrap_or(most).min(most);
        look_ahead(&thought, Budget::nodes(nodes).until(&flag))
    });
    Ok(work.await.map_err(|_| "the analysis failed".to_owned())??)
}

fn look_ahead(thought: &Thought, budget: Budget<'_>) -> Result<Map<String, Value>, String> {
    let lines = thought.lines.unwrap_or(1);
    if !(1..=MOST_LINES).contains(&lines) {
        return Err(format!("expected 1 to {MOST_LINES} lines, got {lines}"));
    }
    let table = study::through(&thought.start, &thought.moves).map_err(in_reason)?;
    Ok(protocol::object(&outlook(&table, Budget { lines, ..budget })?))
}

/// Returns the exported file of a game if its name ends with `ending`.
async fn record(hub: &Arc<Hub>, game: &str, ending: &str) -> Result<String, String> {
    let (answer, file) = oneshot::channel();
    hub.send(game, Input::Export(answer)).await?;
    let (name, text) = file.await.map_err(|_| "the server is shutting down".to_owned())?;
    match name.ends_with(ending) {
        true => Ok(text),
        false if ending == ".pgn" => Err("only chess games can be studied".to_owned()),
        false => Err("only real-time games have replay frames".to_owned()),
    }
}

/// Says why a request fails, to somebody who is looking at the position.
fn in_reason(error: StudyError) -> String {
    match error {
        StudyError::Move(error) => in_words(error),
        error => error.to_string(),
    }
}

/// Answers a request that needs neither the hub nor analysis.
fn reply(question: &Question) -> Result<Map<String, Value>, String> {
    let words = in_reason;
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
        Question::Replay { text } => files::open(text)?,
        Question::Positions { text, from } => files::positions(text, *from)?,
        Question::Film(Film { text: Some(text), from, .. }) => files::film(text, *from)?,
        Question::Film(_) => return Err("expected a 'game' or a 'text'".to_owned()),
        Question::Open { .. } | Question::Think(_) => {
            return Err("this request is handled elsewhere".to_owned());
        }
    };
    Ok(answer)
}

/// The result of parsing a text.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    tree: Tree,
    /// The number of further games in the text.
    more: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::blocks;
    use crate::requests::assert_told;

    #[test]
    fn the_page_shows_questions_that_are_answered_as_it_says() {
        let blocks = blocks();
        let mut compared = 0;
        for pair in blocks.windows(2) {
            let [("question", questions), (next, answers)] = pair else { continue };
            let question = Question::deserialize(&questions[0]).expect("a question");
            if *next != "answer" {
                continue;
            }
            let answer = match question {
                Question::Think(thought) => look_ahead(&thought, Budget::nodes(1000)),
                question => reply(&question),
            };
            assert_told(&questions[0], &answers[0], answer.expect("it has an answer"));
            compared += 1;
        }
        assert!(compared >= 6, "{compared} answers were compared");
    }
}
