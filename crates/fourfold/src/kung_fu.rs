//! Test cases of kung fu chess: short games with all their events.

use fourfold_kung_fu::{Event, EventKind, Game, PieceId, Player};

/// A game to play, with its expected events.
#[derive(Default)]
pub(crate) struct KungFu {
    rules: String,
    pieces: String,
    /// Tick, player, piece, row, column.
    orders: Vec<(u64, Player, String, i32, i32)>,
    until: u64,
    /// The expected answers and events, in any order within a tick. Ends of rests and returns of
    /// rooks are not listed.
    expected: Vec<String>,
}

impl KungFu {
    /// Plays the game. Returns the number of answers and events, or how they differ from the
    /// expected ones.
    pub(crate) fn verdict(&self) -> Result<usize, String> {
        let mut game = Game::parse(&self.rules, &self.pieces).map_err(|error| error.to_string())?;
        let mut happened = Vec::new();
        for &(tick, player, ref piece, row, column) in &self.orders {
            let mut events = Vec::new();
            game.advance_to(tick, &mut events);
            happened.extend(event_texts(&game, &events));
            if game.now() != tick {
                return Err(format!(
                    "cannot give the order of tick {tick}: the game is at tick {}",
                    game.now()
                ));
            }
            let id = game.piece_named(piece).unwrap_or(PieceId(u8::MAX));
            let answer = match game.order(player, id, (row, column)) {
                Ok(()) => "accepted",
                Err(_) => "refused",
            };
            happened.push(format!("t{tick} {piece}->{row},{column} {answer}"));
        }
        let mut events = Vec::new();
        game.advance_to(self.until, &mut events);
        happened.extend(event_texts(&game, &events));
        let (mut got, mut expected) = (happened.clone(), self.expected.clone());
        got.sort();
        expected.sort();
        if got == expected {
            return Ok(got.len());
        }
        Err(format!("expected {}; got {}", self.expected.join(", "), happened.join(", ")))
    }
}

/// Returns the text of the events that cases list.
fn event_texts(game: &Game, events: &[Event]) -> Vec<String> {
    let is_listed = |event: &&Event| {
        !matches!(event.kind, EventKind::Rested { .. } | EventKind::Returns { .. })
    };
    events.iter().filter(is_listed).map(|event| game.text(event)).collect()
}

/// Reads a case from its keys and values.
pub(crate) fn from_lines(lines: &[(&str, &str)]) -> Result<KungFu, String> {
    let mut case = KungFu::default();
    for &(key, value) in lines {
        match key {
            "note" => {}
            "rules" => case.rules = value.to_owned(),
            "pieces" => case.pieces = value.to_owned(),
            "until" => {
                case.until =
                    value.parse().map_err(|_| format!("until: expected a tick, got '{value}'"))?
            }
            "expect" => case.expected.push(value.to_owned()),
            "order" => {
                let fault =
                    || format!("order: expected an order like 't0 1 P:1:6:4->5,4', got '{value}'");
                case.orders.push(order(value).ok_or_else(fault)?);
            }
            _ => {
                return Err(format!(
                    "unknown key '{key}': expected one of note, rules, pieces, order, until, expect"
                ));
            }
        }
    }
    Ok(case)
}

fn order(text: &str) -> Option<(u64, Player, String, i32, i32)> {
    let words: Vec<&str> = text.split(' ').collect();
    let &[tick, player, what] = &words[..] else { return None };
    let (piece, square) = what.split_once("->")?;
    let (row, column) = square.split_once(',')?;
    let tick = tick.strip_prefix('t')?.parse().ok()?;
    let (row, column) = (row.parse().ok()?, column.parse().ok()?);
    Some((tick, Player::from_number(player.parse().ok()?)?, piece.to_owned(), row, column))
}
