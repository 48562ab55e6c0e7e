//! How a position of a study stands, by looking ahead: a score, and the best lines.

use fourfold_bots::{Budget, Score, Situation, analyst};
use fourfold_table::{ChessTable, Outcome, Played, Seat, Table};
use serde::Serialize;

/// The most lines that are told.
pub(crate) const MOST_LINES: usize = 5;
/// A line is told so far: what comes later is hardly more than a guess.
const LONGEST_LINE: usize = 12;
const WHITE: Seat = Seat::new(0);

/// How a position stands, as White sees it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Outlook {
    score: Told,
    /// What part of the win is White's, in thousandths.
    share: u16,
    /// How many moves ahead all was looked at, and how many positions in all.
    depth: u32,
    nodes: u64,
    /// The best first; none where the game is over.
    lines: Vec<Ahead>,
}

/// A score as White sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Told {
    /// Hundredths of a pawn.
    Points(i32),
    /// White mates in so many moves, or if negative is mated; 0 if that has happened.
    Mate(i32),
}

/// A line that may follow.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Ahead {
    score: Told,
    share: u16,
    moves: Vec<Played>,
}

/// Looks ahead in a game. The same budget gives the same answer, unless it is stopped.
///
/// # Errors
/// If nobody can look ahead in it; in words for the guest.
pub(crate) fn outlook(table: &ChessTable, budget: Budget<'_>) -> Result<Outlook, String> {
    if let Some(outcome) = table.outcome() {
        return Ok(at_the_end(&outcome));
    }
    let mut bot = analyst(table.variant_id()).ok_or("nobody can look ahead in that")?;
    let (start, moves) = table.situation();
    let thought = bot.think(&Situation { start: &start, moves: &moves }, budget);
    let thought = thought.map_err(|error| error.to_string())?;
    let white = table.acting().contains(&WHITE);
    let lines = thought.lines.iter().filter_map(|line| {
        let score = if white { line.score } else { line.score.turned() };
        let moves = written(table, &line.codes);
        Some(Ahead { score: told(score)?, share: score.share(), moves })
    });
    let lines: Vec<Ahead> = lines.collect();
    let (score, share) =
        lines.first().map_or((Told::Points(0), 500), |best| (best.score, best.share));
    Ok(Outlook { score, share, depth: thought.depth, nodes: thought.nodes, lines })
}

/// How a game stands that is over.
fn at_the_end(outcome: &Outcome) -> Outlook {
    let (score, share) = match &outcome.winners[..] {
        [] => (Told::Points(0), 500),
        [WHITE, ..] => (Told::Mate(0), 1000),
        _ => (Told::Mate(0), 0),
    };
    Outlook { score, share, depth: 0, nodes: 0, lines: Vec::new() }
}

/// A score of chess, where nobody counts in shares.
fn told(score: Score) -> Option<Told> {
    match score {
        Score::Points(points) => Some(Told::Points(points)),
        Score::Mate(moves) => Some(Told::Mate(moves)),
        Score::Share(_) => None,
    }
}

/// The moves of a line as people write them.
fn written(table: &ChessTable, codes: &[String]) -> Vec<Played> {
    let mut ahead = table.fork();
    let legal = codes.iter().take(LONGEST_LINE).take_while(|code| ahead.play(code).is_ok());
    let count = legal.count();
    let played = ahead.played();
    played[played.len().saturating_sub(count)..].to_vec()
}
