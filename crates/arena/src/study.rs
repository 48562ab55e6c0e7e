//! Questions about a study: the page holds its tree, and the server keeps nothing.

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
use crate::allowance::{Allowances, Crowd, Full};
use crate::files;
use crate::http::Spoken;
use crate::hub::Hub;
use crate::metrics::Excess;
use crate::outlook::{MOST_LINES, outlook};
use crate::protocol;
use crate::questions::{Refusal, hear};
use crate::room::in_words;
use crate::thinking::StopOnDrop;
use crate::viewer::Input;

/// Questions that may wait to be answered.
const DOORS: usize = 64;

/// Where questions wait. Two are dealt with at once, one that is answered from what is known and one that
/// needs thought: games must not wait for more.
pub(crate) struct Desk {
    often: Allowances,
    doors: Semaphore,
    answering: Semaphore,
    thoughts: Arc<Crowd<IpAddr>>,
    thinking: Arc<Semaphore>,
    most_nodes: u64,
    /// Held while a batch of environments is stepped.
    pub(crate) stepping: Arc<Semaphore>,
}

impl Desk {
    pub(crate) fn new(limits: &Limits) -> Desk {
        Desk {
            often: Allowances::new(limits.questions_per_second),
            doors: Semaphore::new(DOORS),
            answering: Semaphore::new(1),
            thoughts: Crowd::new(limits.thoughts, limits.thoughts_per_address),
            thinking: Arc::new(Semaphore::new(1)),
            most_nodes: limits.thought_nodes,
            stepping: Arc::new(Semaphore::new(1)),
        }
    }

    /// Whether an address may ask once more.
    ///
    /// # Errors
    /// If it asks too much.
    pub(crate) fn admit(&self, hub: &Hub, address: IpAddr) -> Result<(), Refusal> {
        if self.often.spend(address, Instant::now()) {
            return Ok(());
        }
        hub.counts.note_excess(Excess::Messages);
        Err(Refusal::busy("you ask too much: wait a moment"))
    }

    /// Answers what needs no thought, one question after the other.
    ///
    /// # Errors
    /// If too many wait, or the answer is none.
    pub(crate) async fn answer(
        &self,
        reply: impl FnOnce() -> Result<Map<String, Value>, String> + Send + 'static,
    ) -> Result<Map<String, Value>, Refusal> {
        let crowded = |_| Refusal::busy("too many ask at once: try again");
        let _door = self.doors.try_acquire().map_err(crowded)?;
        // It is never closed.
        let _turn = self.answering.acquire().await;
        let answer = tokio::task::spawn_blocking(reply).await;
        Ok(answer.map_err(|_| "the question could not be answered".to_owned())??)
    }

    /// How many questions wait for thought, with the one that has it.
    pub(crate) fn thoughts(&self) -> u64 {
        self.thoughts.len() as u64
    }
}

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
    /// How the position after moves stands, by looking ahead.
    Think(Thought),
    /// A FEN or a PGN.
    Read { text: String },
    /// A tree as PGN.
    Write(Tree),
    /// Men that a hand has put on the board.
    Arrange(Arrangement),
    /// A game of the arena.
    Open { game: String },
    /// A file of any game, to be looked at.
    Replay { text: String },
    /// The boards of a file after `from` moves and more.
    Positions { text: String, from: usize },
    /// How a game without turns went, from a frame on: one of a file, or of the arena.
    Film(Film),
}

/// A game without turns, of a file or of the arena.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct Film {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    from: usize,
}

/// What is to be thought about, and how much.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct Thought {
    start: String,
    #[serde(default)]
    moves: Vec<String>,
    /// How many positions may be looked at; never more than the server allows.
    #[serde(default)]
    nodes: Option<u64>,
    /// How many lines are to be told.
    #[serde(default)]
    lines: Option<usize>,
}

/// Answers a question.
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

/// Thinks about a position, as long as somebody waits for it.
async fn think(
    desk: &Desk,
    address: IpAddr,
    thought: Thought,
) -> Result<Map<String, Value>, Refusal> {
    let inside = desk.thoughts.enter(address).map_err(|full| match full {
        Full::All => Refusal::busy("too many want to think at once: try again"),
        Full::Own => Refusal::busy("too much is thought about for your address: try again"),
    })?;
    // Whoever has turned to another position is gone: then this is dropped where it waits, or else the
    // flag is set, and the thread ends with what it holds.
    let turn = desk.thinking.clone().acquire_owned().await;
    let stop = StopOnDrop::default();
    let flag = Arc::clone(&stop.0);
    let most = desk.most_nodes;
    let work = tokio::task::spawn_blocking(move || {
        let _held = (turn, inside);
        let nodes = thought.nodes.unwrap_or(most).min(most);
        look_ahead(&thought, Budget::nodes(nodes).until(&flag))
    });
    Ok(work.await.map_err(|_| "the thought broke off".to_owned())??)
}

fn look_ahead(thought: &Thought, budget: Budget<'_>) -> Result<Map<String, Value>, String> {
    let lines = thought.lines.unwrap_or(1);
    if !(1..=MOST_LINES).contains(&lines) {
        return Err(format!("1 to {MOST_LINES} lines can be told, not {lines}"));
    }
    let table = study::through(&thought.start, &thought.moves).map_err(in_reason)?;
    Ok(protocol::object(&outlook(&table, Budget { lines, ..budget })?))
}

/// The file of a game, if its name ends like this.
async fn record(hub: &Arc<Hub>, game: &str, ending: &str) -> Result<String, String> {
    let (answer, file) = oneshot::channel();
    hub.send(game, Input::Export(answer)).await?;
    let (name, text) = file.await.map_err(|_| "the server is going down".to_owned())?;
    match name.ends_with(ending) {
        true => Ok(text),
        false if ending == ".pgn" => Err("only games of chess can be studied".to_owned()),
        false => Err("only games without turns have a film".to_owned()),
    }
}

/// Why a study has no answer, for somebody who has the position before them.
fn in_reason(error: StudyError) -> String {
    match error {
        StudyError::Move(error) => in_words(error),
        error => error.to_string(),
    }
}

/// Answers what needs nobody else.
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
        Question::Film(_) => return Err("a film is of a 'game' or of a 'text'".to_owned()),
        Question::Open { .. } | Question::Think(_) => {
            return Err("others are asked for that".to_owned());
        }
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
    use crate::forms::blocks;
    use crate::questions::assert_told;

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
