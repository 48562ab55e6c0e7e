//! Games of four-player chess from files and back.

use fourfold_four_player::{Leave, Player, Position, Rules};

use super::{FourPlayerTable, Step, seat, view};
use crate::{Declaration, ReadError, Table};

/// Tags whose values follow from the game.
pub(super) const DERIVED: [&str; 5] =
    ["Result", "Termination", "StartFen4", "Variant", "RuleVariants"];

/// What the file says about the game.
pub(super) fn tags(table: &FourPlayerTable) -> Vec<(String, String)> {
    let mut tags = table.tags.clone();
    tags.push(("StartFen4".to_owned(), table.start()));
    tags
}

/// The game as a file: its tags, a line each, then its steps.
pub(super) fn write(table: &FourPlayerTable) -> String {
    let tag = |(name, value): (String, String)| format!("{name} {value}\n");
    let mut out: String = tags(table).into_iter().map(tag).collect();
    out.push('\n');
    let step = |step: &Step| match step {
        Step::Move(mv) => mv.to_string(),
        Step::Leave(player, Leave::Resign) => format!("R-{}", player.letter()),
        Step::Leave(player, Leave::Flag) => format!("T-{}", player.letter()),
        Step::Draw => "D".to_owned(),
    };
    let steps: Vec<String> = table.steps[..table.at].iter().map(step).collect();
    out + &steps.join(" ") + "\n"
}

/// The one game of a file.
pub(super) fn read(text: &str, rules: Rules) -> Result<FourPlayerTable, ReadError> {
    let (head, body) = text.split_once("\n\n").ok_or(ReadError::NoGame)?;
    let tags = head.lines().filter_map(|line| line.split_once(' '));
    let mut tags: Vec<(String, String)> =
        tags.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let start = tags.iter().position(|(name, _)| name == "StartFen4").ok_or(ReadError::NoGame)?;
    let start = Position::from_fen4(&tags.remove(start).1, rules)
        .map_err(|error| ReadError::Position { reason: error.to_string() })?;
    let mut table = FourPlayerTable::from_position(start);
    table.tags = tags;
    for word in body.split_whitespace() {
        read_step(&mut table, word).map_err(|reason| ReadError::Game {
            line: 1,
            column: 1,
            reason,
        })?;
    }
    Ok(table)
}

fn read_step(table: &mut FourPlayerTable, word: &str) -> Result<(), String> {
    let player = |letter: &str| letter.parse().ok().and_then(Player::from_letter);
    let declaration = match word.split_once('-') {
        Some(("R", letter)) => player(letter).map(|player| Declaration::Resign(seat(player))),
        Some(("T", letter)) => player(letter).map(|player| Declaration::Flag(seat(player))),
        _ if word == "D" => Some(Declaration::Draw),
        _ => None,
    };
    match declaration {
        Some(declaration) => table.declare(declaration).map_err(|error| error.to_string()),
        None => {
            let mv = view::parse(&table.current(), word).map_err(|error| error.to_string())?;
            table.play_move(mv).map_err(|error| error.to_string())
        }
    }
}
