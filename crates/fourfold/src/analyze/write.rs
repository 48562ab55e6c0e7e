//! Output of facts as JSON lines, as comma-separated values, and as a board.

use std::fmt::Write;

use fourfold_analysis::{Analysis, attack_map};
use fourfold_chess::{BOARD, Bitboard, Color, Position};
use fourfold_common::join;
use fourfold_draw::Shape;
use fourfold_table::study::{
    ATTACK_MAP, FactSelection, ItemLocation, Report, Value, squares, value,
};
use serde::Serialize;

use crate::board::{self, Board};

/// A position, and where it was found.
pub(crate) type Located = (Position, ItemLocation);

/// Returns a position as a line of JSON. A position of a game begins with the number of the game and
/// the number of plies played.
pub(crate) fn json_line((position, at): &Located, chosen: &FactSelection) -> String {
    #[derive(Serialize)]
    struct InGame<'a> {
        game: u64,
        ply: u32,
        #[serde(flatten)]
        report: Report<'a>,
    }
    let report = Report { position, chosen };
    let text = match *at {
        ItemLocation::Game(game, ply) => serde_json::to_string(&InGame { game, ply, report }),
        _ => serde_json::to_string(&report),
    };
    // Serializing a report cannot fail.
    text.unwrap_or_default()
}

/// Returns the header line with the names of the columns. Positions of games have their game and ply
/// in the first columns.
pub(super) fn csv_head(chosen: &FactSelection, of_games: bool) -> String {
    let start = Position::start();
    let place = if of_games { &["game", "ply", "fen"][..] } else { &["fen"] };
    let mut columns: Vec<String> = place.iter().map(|&name| name.to_owned()).collect();
    columns.extend(columns_of(&start, chosen).into_iter().map(|(name, _)| name));
    columns.join(",")
}

/// Returns a position as a line of comma-separated values. Lists are separated by spaces.
pub(super) fn csv_line((position, at): &Located, chosen: &FactSelection) -> String {
    let mut fields = match *at {
        ItemLocation::Game(game, ply) => vec![game.to_string(), ply.to_string()],
        _ => Vec::new(),
    };
    fields.push(position.fen());
    fields.extend(columns_of(position, chosen).into_iter().map(|(_, text)| text));
    fields.join(",")
}

/// Returns the facts as columns with their names. Each fact about pawns has its own column.
fn columns_of(position: &Position, chosen: &FactSelection) -> Vec<(String, String)> {
    let analysis = chosen.analyze(position);
    let mut columns = Vec::new();
    for color in Color::ALL {
        for name in chosen.of_sides() {
            let column = format!("{}_{name}", color.name());
            let text = match value(name, position, analysis.side(color), color) {
                Value::Lists(lists) if name == "pawns" => {
                    let kind =
                        |(kind, list): (_, Vec<_>)| (format!("{column}_{kind}"), list.join(" "));
                    columns.extend(lists.into_iter().map(kind));
                    continue;
                }
                Value::List(list) => list.join(" "),
                Value::Number(number) => number.to_string(),
                Value::Lists(lists) => {
                    join(lists.iter().map(|(name, list)| format!("{name}:{}", list.join("+"))), " ")
                }
                Value::Numbers(numbers) => {
                    join(numbers.iter().map(|(name, number)| format!("{name}:{number}")), " ")
                }
            };
            columns.push((column, text));
        }
    }
    if chosen.has(ATTACK_MAP) {
        let text = attack_map(position).map(|(square, _, attackers, defenders)| {
            let (attackers, defenders) = (squares(attackers), squares(defenders));
            format!("{}:{}/{}", BOARD.name(square), attackers.join("+"), defenders.join("+"))
        });
        columns.push((ATTACK_MAP.to_owned(), join(text, " ")));
    }
    columns
}

/// Returns a board with marks, followed by a table of both sides.
pub(super) fn board((position, _): &Located, chosen: &FactSelection) -> String {
    let analysis = chosen.analyze(position);
    let mut text = format!("{}\n\n", position.fen());
    let shape = Shape::of(&BOARD);
    let mut board = Board::new(&shape);
    for name in shape.rows.iter().flatten().flatten() {
        let Ok(square) = BOARD.parse(name) else { continue };
        let Some(piece) = position.board().piece_at(square) else { continue };
        board.put(name, piece.letter(), piece.color.name());
        board.mark(name, ' ', mark(&analysis, Bitboard::of(square)));
    }
    text.push_str(board.text(board::has_colors()).trim_end());
    text.push_str("      ! hanging  * en prise  + pinned  ~ skewered\n\n");
    let rows: Vec<[String; 3]> = rows(position, &analysis, chosen);
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    for [name, white, black] in &rows {
        let row = format!("  {name:first$}  {white:second$}  {black}");
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text
}

/// Returns the mark for the most urgent fact about the piece on a square.
fn mark(analysis: &Analysis, piece: Bitboard) -> char {
    let is = |set: fn(&fourfold_analysis::SideFacts) -> Bitboard| {
        Color::ALL.into_iter().any(|color| set(analysis.side(color)).intersects(piece))
    };
    match () {
        () if is(|side| side.en_prise) => '*',
        () if is(|side| side.hanging) => '!',
        () if is(|side| side.pinned | side.pinned_pawns) => '+',
        () if is(|side| side.skewered) => '~',
        () => ' ',
    }
}

/// Returns a row for each fact: its name, and its value for White and Black.
fn rows(position: &Position, analysis: &Analysis, chosen: &FactSelection) -> Vec<[String; 3]> {
    let mut rows = vec![["".to_owned(), "white".to_owned(), "black".to_owned()]];
    for name in chosen.of_sides().filter(|&name| name != "pieces") {
        let [white, black] =
            Color::ALL.map(|color| value(name, position, analysis.side(color), color));
        match (white, black) {
            (Value::Lists(white), Value::Lists(black)) if name == "pawns" => {
                for ((kind, white), (_, black)) in white.into_iter().zip(black) {
                    rows.push([format!("pawns {kind}"), counted(&white), counted(&black)]);
                }
            }
            (white, black) => rows.push([name.replace('_', " "), cell(white), cell(black)]),
        }
    }
    rows
}

fn cell(value: Value) -> String {
    match value {
        Value::List(list) => counted(&list),
        Value::Number(number) => number.to_string(),
        Value::Lists(lists) => {
            let parts = lists.iter().filter(|(_, list)| !list.is_empty());
            join(parts.map(|(name, list)| format!("{name}: {}", list.join(" "))), "; ")
        }
        Value::Numbers(numbers) => {
            join(numbers.iter().map(|(name, number)| format!("{name} {number}")), ", ")
        }
    }
}

/// Formats the length of a list and its items.
fn counted(list: &[String]) -> String {
    if list.is_empty() { "-".to_owned() } else { format!("{} ({})", list.len(), list.join(" ")) }
}
