//! The result of a game, as in its `Result` tag.

use crate::{Mode, Player, Position};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// Free-for-all: the final points, by player.
    Points([u16; 4]),
    /// Red and Yellow won.
    RedYellow,
    /// Blue and Green won.
    BlueGreen,
    /// Neither team won.
    Drawn,
    /// The game is in progress, or the result is unknown.
    Open,
}

impl GameResult {
    /// Returns the result of a game that has reached a position.
    pub fn of(position: &Position) -> GameResult {
        let winners = position.winners();
        match position.rules().mode {
            _ if position.ending().is_none() => GameResult::Open,
            Mode::FreeForAll => GameResult::Points(position.points()),
            Mode::Teams if winners.contains(Player::Red) => GameResult::RedYellow,
            Mode::Teams if winners.contains(Player::Blue) => GameResult::BlueGreen,
            Mode::Teams => GameResult::Drawn,
        }
    }

    /// Formats the result: `Ann: 52 - Ben: 20 - Cid: 97 - Dot: 10` with the players' names, or
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    ///
    /// ```
    /// use fourfold_four_player::pgn4::GameResult;
    /// let result = GameResult::Points([52, 20, 97, 10]);
    /// let text = result.text(["Ann", "Ben", "E-M - pire", "Dot"]);
    /// assert_eq!(text, "Ann: 52 - Ben: 20 - E-M - pire: 97 - Dot: 10");
    /// assert_eq!(GameResult::from_text(&text), Some(result));
    /// ```
    pub fn text(self, names: [&str; 4]) -> String {
        match self {
            GameResult::Points(points) => {
                let each =
                    names.iter().zip(points).map(|(name, points)| format!("{name}: {points}"));
                each.collect::<Vec<_>>().join(" - ")
            }
            GameResult::RedYellow => "1-0".to_owned(),
            GameResult::BlueGreen => "0-1".to_owned(),
            GameResult::Drawn => "1/2-1/2".to_owned(),
            GameResult::Open => "*".to_owned(),
        }
    }

    /// Parses a result as PGN4 text; `1/2` is accepted too.
    pub fn from_text(text: &str) -> Option<GameResult> {
        match text.trim() {
            "1-0" => Some(GameResult::RedYellow),
            "0-1" => Some(GameResult::BlueGreen),
            "1/2-1/2" | "1/2" => Some(GameResult::Drawn),
            "*" => Some(GameResult::Open),
            text => points(text).map(GameResult::Points),
        }
    }
}

/// Parses points like `Ann: 52 - Ben: 20 - Cid: 97 - Dot: 10`.
fn points(text: &str) -> Option<[u16; 4]> {
    let mut points = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once(": ") {
        let end = after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len());
        let (number, after) = after.split_at(end);
        if after.is_empty() || after.starts_with(" - ") {
            points.push(number.parse().ok()?);
        }
        rest = after;
    }
    points.try_into().ok().filter(|_| rest.is_empty())
}
