//! Commands in comments: clocks, evaluations, arrows and circles, as lichess and chess.com write them.

use std::time::Duration;

use crate::{BOARD, Square};

/// The commands in the comments of a move, such as `{ [%clk 0:05:23] [%eval -0.3,20] }`.
///
/// ```
/// use fourfold_chess::pgn::{Commands, Score};
/// use std::time::Duration;
///
/// let commands = Commands::parse("[%clk 1:05:23.4] a plan [%eval #-3,20] [%cal Gd2d4][%csl Rd5]");
/// assert_eq!(commands.clock, Some(Duration::from_millis(3_923_400)));
/// assert_eq!(commands.evaluation.map(|found| (found.score, found.depth)), Some((Score::Mate(-3), Some(20))));
/// assert_eq!(commands.shapes.len(), 2);
/// assert_eq!(commands.text, "a plan");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Commands {
    /// `%clk`: the time that the player has left after the move.
    pub clock: Option<Duration>,
    /// `%emt`: the time that the move took.
    pub elapsed: Option<Duration>,
    /// `%eval`: the evaluation of the position after the move, from White's side.
    pub evaluation: Option<Evaluation>,
    /// `%cal` and `%csl`: arrows and circles on the board.
    pub shapes: Vec<Shape>,
    /// The comment without these commands.
    pub text: String,
}

/// An evaluation of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Evaluation {
    /// The score from White's side.
    pub score: Score,
    /// The depth of the search.
    pub depth: Option<u32>,
}

/// The score of a position from White's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// White is ahead by this many hundredths of a pawn.
    Centipawns(i32),
    /// White mates in this many moves, or Black if it is negative.
    Mate(i32),
}

/// An arrow, or a circle if `from` and `to` are the same square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Shape {
    /// The color.
    pub color: ShapeColor,
    /// Where the arrow begins.
    pub from: Square,
    /// Where the arrow ends.
    pub to: Square,
}

/// The color of an arrow or a circle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeColor {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

impl Commands {
    /// Parses the commands in a comment. Those that are malformed or unknown remain in the text.
    pub fn parse(comment: &str) -> Commands {
        let mut commands = Commands::default();
        let mut text = String::new();
        let mut rest = comment;
        while let Some((before, after)) = rest.split_once("[%") {
            text += before;
            // Without a closing bracket here there is none later, so nothing is searched twice.
            let Some((command, following)) = after.split_once(']') else {
                rest = &rest[before.len()..];
                break;
            };
            if commands.read(command).is_none() {
                text += &format!("[%{command}]");
            }
            rest = following;
        }
        text += rest;
        commands.text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        commands
    }

    fn read(&mut self, command: &str) -> Option<()> {
        let (name, value) = command.split_once(char::is_whitespace)?;
        let value = value.trim();
        match name {
            "clk" => self.clock = Some(parse_time(value)?),
            "emt" => self.elapsed = Some(parse_time(value)?),
            "eval" => self.evaluation = Some(parse_evaluation(value)?),
            "cal" | "csl" => {
                let squares = if name == "cal" { 2 } else { 1 };
                let shapes = value.split(',').map(|text| parse_shape(text.trim(), squares));
                self.shapes.extend(shapes.collect::<Option<Vec<Shape>>>()?);
            }
            _ => return None,
        }
        Some(())
    }
}

/// Parses `1:05:23.4`, `5:23` or `23`.
fn parse_time(text: &str) -> Option<Duration> {
    let mut seconds = 0_u64;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let parts: Vec<&str> = whole.split(':').collect();
    if parts.len() > 3 {
        return None;
    }
    for part in parts {
        if part.starts_with('+') {
            return None;
        }
        let number: u64 = part.parse::<u32>().ok()?.into();
        seconds = seconds * 60 + number;
    }
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let milliseconds = format!("{fraction:0<3}")[..3].parse().ok()?;
    Some(Duration::from_secs(seconds) + Duration::from_millis(milliseconds))
}

/// Parses `-0.31`, `#3` or either with a depth, as in `0.2,18`.
fn parse_evaluation(text: &str) -> Option<Evaluation> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score.trim(), Some(depth.trim().parse().ok()?)),
        None => (text, None),
    };
    let score = match score.strip_prefix('#') {
        Some(moves) => Score::Mate(moves.parse().ok()?),
        None => {
            let pawns: f64 = score.parse().ok().filter(|pawns: &f64| pawns.abs() < 1e6)?;
            Score::Centipawns((pawns * 100.0).round() as i32)
        }
    };
    Some(Evaluation { score, depth })
}

/// Parses `Gd2d4` or `Rd5`.
fn parse_shape(text: &str, squares: usize) -> Option<Shape> {
    let color = match text.get(..1)? {
        "G" => ShapeColor::Green,
        "R" => ShapeColor::Red,
        "Y" => ShapeColor::Yellow,
        "B" => ShapeColor::Blue,
        _ => return None,
    };
    let from = BOARD.parse(text.get(1..3)?).ok()?;
    let to = if squares == 1 { from } else { BOARD.parse(text.get(3..5)?).ok()? };
    (text.len() == 1 + 2 * squares).then_some(Shape { color, from, to })
}
