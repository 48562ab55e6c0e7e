//! HTTP requests of the study board. The page holds the tree; the server keeps no state.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use fourfold_bots::Budget;
use fourfold_table::ensure;
use fourfold_table::study::{self, EditedPosition, StudyError, Tree};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::Limits;
use crate::bot_pool::{StopOnDrop, run_apart};
use crate::evaluation::{DeepAnalysts, MOST_LINES, evaluate};
use crate::files;
use crate::hub::Hub;
use crate::limits::{ConnectionLimiter, LimitReached, TokenBuckets};
use crate::metrics::Excess;
use crate::protocol::{self, Object};
use crate::requests::{PageRequest, Refusal};
use crate::room::play_message;
use crate::viewer::Input;

/// The maximum number of requests that may wait for an answer.
const MAX_WAITING: usize = 64;

/// The queues of requests. At most one quick request, one analysis job and one deep analysis job run at
/// the same time, so that games stay responsive.
pub(crate) struct AnalysisQueue {
    rate: TokenBuckets<IpAddr>,
    waiting: Semaphore,
    answering: Semaphore,
    jobs: Arc<ConnectionLimiter<IpAddr>>,
    running: Arc<Semaphore>,
    /// Deep jobs take up to a minute, so they do not block the others. A page that repeats such a
    /// job, to go on, waits behind the jobs that came meanwhile.
    running_deep: Arc<Semaphore>,
    deep_analysts: Arc<Mutex<DeepAnalysts>>,
    quick_nodes: u64,
    most_nodes: u64,
    /// Held while a batch of environments is stepped.
    pub(crate) stepping: Arc<Semaphore>,
}

impl AnalysisQueue {
    pub(crate) fn new(limits: &Limits) -> AnalysisQueue {
        AnalysisQueue {
            rate: TokenBuckets::new(limits.requests_per_second),
            waiting: Semaphore::new(MAX_WAITING),
            answering: Semaphore::new(1),
            jobs: ConnectionLimiter::new(limits.analysis_jobs, limits.analysis_jobs_per_address),
            running: Arc::new(Semaphore::new(1)),
            running_deep: Arc::new(Semaphore::new(1)),
            deep_analysts: Arc::default(),
            quick_nodes: limits.analysis_nodes,
            most_nodes: limits.deep_analysis_nodes,
            stepping: Arc::new(Semaphore::new(1)),
        }
    }

    /// Checks the rate limit of an address.
    ///
    /// # Errors
    /// Fails if the address sends too many requests.
    pub(crate) fn admit(&self, hub: &Hub, address: IpAddr) -> Result<(), Refusal> {
        if self.rate.spend(address, Instant::now()) {
            return Ok(());
        }
        hub.metrics.note_excess(Excess::MESSAGES);
        Err(Refusal::busy("too many requests: wait a moment"))
    }

    /// Answers a request that needs no analysis. Requests are answered one after the other.
    ///
    /// # Errors
    /// Fails if too many requests are waiting, or if `reply` fails.
    pub(crate) async fn answer(
        &self,
        reply: impl FnOnce() -> Result<Object, String> + Send + 'static,
    ) -> Result<Object, Refusal> {
        let busy = |_| Refusal::busy("too many requests at once: try again");
        let _waiting = self.waiting.try_acquire().map_err(busy)?;
        // The semaphore is never closed.
        let _turn = self.answering.acquire().await;
        let answer = tokio::task::spawn_blocking(reply).await;
        Ok(answer.map_err(|_| "the request could not be answered".to_owned())??)
    }

    /// Returns the number of analysis jobs, including the one that is running.
    pub(crate) fn jobs(&self) -> u64 {
        self.jobs.len() as u64
    }
}

/// A request from the study page.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub(crate) enum StudyRequest {
    /// Requests the explanations of all facts.
    Facts,
    /// Requests the position after moves from a start.
    Position(Path),
    /// Requests how the facts change along a line.
    Series(Path),
    /// Requests an engine evaluation.
    Analyze(AnalysisJob),
    /// Parses a FEN or a PGN, of which `game` is the index of a game. With `fen`, the text is
    /// meant as a FEN.
    Read {
        text: String,
        #[serde(default)]
        game: usize,
        #[serde(default)]
        fen: bool,
    },
    /// Writes a tree as PGN.
    Write(Tree),
    /// Checks a position that was set up in the editor.
    CheckPosition(EditedPosition),
    /// Opens a game of the arena.
    Open { game: String },
    /// Opens a file of any game for replay.
    Replay { text: String },
    /// Requests the boards of a file from ply `from` on.
    Positions { text: String, from: usize },
    /// Requests the frames of a real-time game, from a file (`text`) or of the arena (`game`),
    /// starting with frame `from`.
    Frames {
        text: Option<String>,
        game: Option<String>,
        #[serde(default)]
        from: usize,
    },
}

/// A position: a start, and the moves from there.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct Path {
    start: String,
    #[serde(default)]
    moves: Vec<String>,
}

/// An analysis job.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct AnalysisJob {
    start: String,
    #[serde(default)]
    moves: Vec<String>,
    /// The maximum number of search nodes; capped by the server's limit.
    nodes: Option<u64>,
    /// The number of lines to return.
    lines: Option<usize>,
}

impl PageRequest for StudyRequest {
    async fn answer(self, hub: &Arc<Hub>, address: IpAddr) -> Result<Object, Refusal> {
        let request = match self {
            StudyRequest::Open { game } => {
                let text = record(hub, &game, ".pgn").await?;
                StudyRequest::Read { text, game: 0, fen: false }
            }
            StudyRequest::Frames { text: None, game: Some(game), from } => {
                let text = Some(record(hub, &game, ".json").await?);
                StudyRequest::Frames { text, game: None, from }
            }
            StudyRequest::Analyze(job) => return analyze(&hub.analysis, address, job).await,
            request => request,
        };
        hub.analysis.answer(move || reply(&request)).await
    }
}

/// Evaluates a position, for as long as the client waits for it.
async fn analyze(
    analysis: &AnalysisQueue,
    address: IpAddr,
    job: AnalysisJob,
) -> Result<Object, Refusal> {
    let permit = analysis.jobs.acquire(address).map_err(|full| match full {
        LimitReached::All => Refusal::busy("the analysis queue is full: try again"),
        LimitReached::Own => Refusal::busy("too many analysis jobs from your address: try again"),
    })?;
    // If the client goes away, this future is dropped: either while it waits here, or later, which
    // sets the flag, and the thread stops and releases what it holds.
    let nodes = job.nodes.unwrap_or(analysis.quick_nodes).min(analysis.most_nodes);
    let deep = nodes > analysis.quick_nodes;
    let running = if deep { &analysis.running_deep } else { &analysis.running };
    let turn = Arc::clone(running).acquire_owned().await;
    let stop = StopOnDrop::default();
    let flag = Arc::clone(&stop.0);
    let analysts = deep.then(|| analysis.deep_analysts.clone());
    let work = move || {
        let _held = (turn, permit);
        look_ahead(&job, Budget::nodes(nodes).with_stop(&flag), analysts.as_deref())
    };
    Ok(run_apart("analysis", work).await??)
}

fn look_ahead(
    job: &AnalysisJob,
    budget: Budget<'_>,
    deep: Option<&Mutex<DeepAnalysts>>,
) -> Result<Object, String> {
    let lines = job.lines.unwrap_or(1);
    ensure!((1..=MOST_LINES).contains(&lines), "expected 1 to {MOST_LINES} lines, got {lines}");
    let mut table = study::through(&job.start, &job.moves).map_err(study_message)?;
    // The engine does not know null moves, so its game starts after the last one.
    if let Some(last) = job.moves.iter().rposition(|code| code == "0000") {
        let before = study::through(&job.start, &job.moves[..=last]).map_err(study_message)?;
        table = study::through(&before.current().fen(), &job.moves[last + 1..])
            .map_err(study_message)?;
    }
    Ok(protocol::object(&evaluate(&table, Budget { lines, ..budget }, deep)?))
}

/// Returns the exported file of a game if its name ends with `ending`.
async fn record(hub: &Arc<Hub>, game: &str, ending: &str) -> Result<String, String> {
    let file = hub.ask(game, Input::Export).await?;
    let (name, text) = file.ok_or("the server is shutting down")?;
    match name.ends_with(ending) {
        true => Ok(text),
        false if ending == ".pgn" => Err("only chess games can be studied".to_owned()),
        false => Err("only real-time games have replay frames".to_owned()),
    }
}

/// Formats the reason why a request fails, for a guest who already sees the position.
fn study_message(error: StudyError) -> String {
    if let StudyError::Move(error) = error { play_message(error) } else { error.to_string() }
}

/// Answers a request that needs neither the hub nor analysis.
fn reply(request: &StudyRequest) -> Result<Object, String> {
    let words = study_message;
    let answer = match request {
        StudyRequest::Facts => protocol::object(&json!({ "facts": study::FACTS })),
        StudyRequest::Position(Path { start, moves }) => {
            protocol::object(&study::position_after(start, moves).map_err(words)?)
        }
        StudyRequest::Series(Path { start, moves }) => {
            let series = study::series(start, moves).map_err(words)?;
            protocol::object(&json!({ "series": series }))
        }
        StudyRequest::Read { text, game, fen } => {
            let read = match (fen, game) {
                (true, _) => study::read_fen(text),
                (false, 0) => study::read(text),
                (false, game) => study::read_game(text, *game),
            };
            protocol::object(&read.map_err(words)?)
        }
        StudyRequest::Write(tree) => {
            protocol::object(&json!({ "text": study::write(tree).map_err(words)? }))
        }
        StudyRequest::CheckPosition(edited) => {
            protocol::object(&study::check_position(edited).map_err(words)?)
        }
        StudyRequest::Replay { text } => files::open(text)?,
        StudyRequest::Positions { text, from } => files::positions(text, *from)?,
        StudyRequest::Frames { text: Some(text), from, .. } => files::frames(text, *from)?,
        StudyRequest::Frames { .. } => return Err("expected a 'game' or a 'text'".to_owned()),
        StudyRequest::Open { .. } | StudyRequest::Analyze(_) => {
            return Err("this request is handled elsewhere".to_owned());
        }
    };
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_os = "linux")]
    use crate::bot_pool::tests::priority_of;
    use crate::json_shape::blocks;
    use crate::requests::assert_documented;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn analysis_runs_at_a_low_priority() {
        let analysis = AnalysisQueue::new(&Limits::default());
        let job = AnalysisJob {
            start: fourfold_table::make("chess").expect("a game").start(),
            moves: Vec::new(),
            nodes: Some(u64::MAX),
            lines: None,
        };
        let address = std::net::Ipv4Addr::LOCALHOST.into();
        tokio::select! {
            answer = analyze(&analysis, address, job) => panic!("it takes long: {answer:?}"),
            nice = priority_of("analysis") => assert!(nice >= 15, "{nice}"),
        }
    }

    #[test]
    fn documented_requests_get_the_documented_answers() {
        let blocks = blocks();
        let mut compared = 0;
        for pair in blocks.windows(2) {
            let [("study-request", requests), (next, answers)] = pair else { continue };
            let request = StudyRequest::deserialize(&requests[0]).expect("a request");
            if *next != "study-response" {
                continue;
            }
            let answer = match request {
                StudyRequest::Analyze(job) => look_ahead(&job, Budget::nodes(1000), None),
                request => reply(&request),
            };
            assert_documented(&requests[0], &answers[0], answer.expect("it has an answer"));
            compared += 1;
        }
        assert!(compared >= 6, "{compared} answers were compared");
    }
}
