//! Engine evaluation of a study position: a score and the best lines.

use std::collections::HashMap;
use std::sync::Mutex;

use fourfold_bots::{Bot, Budget, Score, Situation, analyst, deep_analyst};
use fourfold_table::{ChessTable, Outcome, Played, Seat, Table};
use serde::Serialize;

use crate::hub::lock;

/// The maximum number of lines per evaluation.
pub(crate) const MOST_LINES: usize = 5;
/// The table of a deep search, in bytes.
const DEEP_BYTES: usize = 64 << 20;
/// The maximum number of moves in a line; later moves are too unreliable to show.
const LONGEST_LINE: usize = 12;
const WHITE: Seat = Seat::new(0);

/// The bots of deep searches by variant, with what they remember. They can be used for all positions.
pub(crate) type DeepAnalysts = HashMap<&'static str, Box<dyn Bot>>;

/// An evaluation from White's point of view.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Evaluation {
    score: WhiteScore,
    /// White's winning chances, in thousandths.
    winning_chances: u16,
    /// The depth that was searched completely, and the nodes searched in total.
    depth: u32,
    nodes: u64,
    /// Best first; empty if the game is over.
    lines: Vec<Line>,
}

/// A score from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum WhiteScore {
    Centipawns(i32),
    /// White mates in this many moves, or is mated if negative; 0 if the game already ended in
    /// mate.
    Mate(i32),
}

/// A principal variation.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Line {
    score: WhiteScore,
    winning_chances: u16,
    moves: Vec<Played>,
}

/// Evaluates the current position. The same game and budget give the same result, unless the search
/// is stopped, or is one of the `deep` ones, which go deeper each time.
///
/// # Errors
/// Returns a message for the guest if no engine can evaluate this variant.
pub(crate) fn evaluate(
    table: &ChessTable,
    budget: Budget<'_>,
    deep: Option<&Mutex<DeepAnalysts>>,
) -> Result<Evaluation, String> {
    if let Some(outcome) = table.outcome() {
        return Ok(finished(&outcome));
    }
    let variant = table.variant_id();
    let bot = match deep {
        Some(deep) => lock(deep).remove(variant).or_else(|| deep_analyst(variant, DEEP_BYTES)),
        None => analyst(variant),
    };
    let mut bot = bot.ok_or("this variant cannot be analyzed")?;
    let (start, moves) = table.situation();
    let thought = bot.think(&Situation { start: &start, moves: &moves }, budget);
    if let Some(deep) = deep {
        lock(deep).insert(variant, bot);
    }
    let thought = thought.map_err(|error| error.to_string())?;
    let white = table.acting().contains(&WHITE);
    let lines = thought.lines.iter().filter_map(|line| {
        let score = if white { line.score } else { line.score.flipped() };
        let moves = play_line(table, &line.codes);
        Some(Line { score: white_score(score)?, winning_chances: score.winning_chances(), moves })
    });
    let lines: Vec<Line> = lines.collect();
    let (score, winning_chances) = lines
        .first()
        .map_or((WhiteScore::Centipawns(0), 500), |best| (best.score, best.winning_chances));
    Ok(Evaluation { score, winning_chances, depth: thought.depth, nodes: thought.nodes, lines })
}

/// Returns the evaluation of a finished game.
fn finished(outcome: &Outcome) -> Evaluation {
    let (score, winning_chances) = match &outcome.winners[..] {
        [] => (WhiteScore::Centipawns(0), 500),
        [WHITE, ..] => (WhiteScore::Mate(0), 1000),
        _ => (WhiteScore::Mate(0), 0),
    };
    Evaluation { score, winning_chances, depth: 0, nodes: 0, lines: Vec::new() }
}

/// Converts a score. Chess engines do not return shares.
fn white_score(score: Score) -> Option<WhiteScore> {
    match score {
        Score::Points(points) => Some(WhiteScore::Centipawns(points)),
        Score::Mate(moves) => Some(WhiteScore::Mate(moves)),
        Score::WinningChances(_) => None,
    }
}

/// Plays a line on a copy of the table and returns its moves, with their notation.
fn play_line(table: &ChessTable, codes: &[String]) -> Vec<Played> {
    let mut ahead = table.fork();
    let legal = codes.iter().take(LONGEST_LINE).take_while(|code| ahead.play(code).is_ok());
    let count = legal.count();
    let played = ahead.played();
    played[played.len().saturating_sub(count)..].to_vec()
}
