//! Facts as overlays on a board: their definitions, and the squares and arrows that show them.

use fourfold_analysis::{Analysis, SideFacts};
use fourfold_board::{Direction, Square};
use fourfold_chess::attacks::king_attacks;
use fourfold_chess::{BOARD, Bitboard, Color, Position};
use serde::Serialize;

use super::facts::{ATTACK_MAP, Value, squares, value};

/// A fact that can be shown as an overlay on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Fact {
    /// Its name in a [`Report`](super::Report). The pawn facts have ids such as `pawns.doubled`.
    pub id: &'static str,
    /// Its display name.
    pub name: &'static str,
    /// Its definition, in a sentence.
    pub about: &'static str,
}

/// The facts, in display order.
pub const FACTS: [Fact; 20] = [
    fact(
        "material",
        "Material",
        "Total value of all pieces in pawns: knight and bishop 3, rook 5, queen 9.",
    ),
    fact("attacked", "Attacked", "Pieces attacked by an enemy piece."),
    fact(
        "hanging",
        "Hanging",
        "Pieces with more attackers than defenders, regardless of their values.",
    ),
    fact(
        "en_prise",
        "En prise",
        "Pieces the opponent can capture to win material, after all recaptures.",
    ),
    fact(
        "pinned",
        "Pinned",
        "Pieces that alone shield their king from an enemy bishop, rook or queen.",
    ),
    fact(
        "pinned_pawns",
        "Pinned pawns",
        "Pawns that alone shield their king from an enemy bishop, rook or queen.",
    ),
    fact(
        "skewered",
        "Skewered",
        "Pieces attacked along a line, with a piece of the same or lower value behind them.",
    ),
    fact(
        "forks",
        "Forks",
        "Moves that attack two pieces at once, each more valuable, undefended or the king.",
    ),
    fact(
        "see",
        "Captures",
        "Every capture with the material it wins, in pawns, after the best recaptures.",
    ),
    fact(
        ATTACK_MAP,
        "Attackers and defenders",
        "Attackers and defenders of the piece under the pointer.",
    ),
    fact(
        "x_rays",
        "X-rays",
        "Squares a bishop, rook or queen would also attack without the first piece in its way.",
    ),
    fact(
        "mobility",
        "Mobility",
        "For each piece, the number of attacked squares its own side does not occupy.",
    ),
    fact("king_ring", "King ring", "Enemy attacks on the king's square and the squares around it."),
    fact("developed", "Developed", "Knights and bishops that have left their first rank."),
    fact(
        "outposts",
        "Outposts",
        "Knights and bishops far up the board, defended by a pawn, where no enemy pawn can ever attack them.",
    ),
    fact(
        "pawns.doubled",
        "Doubled pawns",
        "Pawns that share their file with another pawn of their color.",
    ),
    fact(
        "pawns.isolated",
        "Isolated pawns",
        "Pawns with no pawn of their color on the adjacent files.",
    ),
    fact(
        "pawns.backward",
        "Backward pawns",
        "Pawns whose neighbors on the adjacent files have all advanced further.",
    ),
    fact(
        "pawns.backward_blocked",
        "Backward and blocked",
        "Backward pawns that an enemy pawn keeps from advancing.",
    ),
    fact(
        "pawns.passed",
        "Passed pawns",
        "Pawns with no enemy pawn ahead on their own file or the adjacent files.",
    ),
];

const fn fact(id: &'static str, name: &'static str, about: &'static str) -> Fact {
    Fact { id, name, about }
}

/// The overlay of a fact about a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Overlay {
    /// The id of the [`Fact`].
    pub id: &'static str,
    /// The marks for White and for Black. Empty for the attack map, which does not belong to one
    /// side.
    pub sides: Vec<Marks>,
}

/// How to show a fact for one side.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Marks {
    /// The number to show next to the fact.
    pub count: u32,
    /// The marked pieces.
    pub squares: Vec<MarkedSquare>,
    /// Other squares to highlight, occupied or not.
    pub area: Vec<String>,
    /// Moves or lines, drawn as arrows.
    pub arrows: Vec<Arrow>,
}

/// A marked piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct MarkedSquare {
    /// The name of its square.
    pub square: String,
    /// A number to show on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
}

/// An arrow from one square to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Arrow {
    /// The name of the square where it begins.
    pub from: String,
    /// The name of the square that it points to.
    pub to: String,
    /// A number to show on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
}

/// Returns all overlays of a position, in the order of [`FACTS`].
///
/// ```
/// use fourfold_chess::Position;
/// use fourfold_analysis::Analysis;
/// use fourfold_table::study::overlays;
///
/// let position = Position::from_fen("4k3/8/2p5/3p4/4P3/8/8/3RK3 w - - 0 1")?;
/// let overlays = overlays(&position, &Analysis::of(&position));
/// let hanging = overlays.iter().find(|overlay| overlay.id == "hanging").expect("it is a fact");
/// assert_eq!(hanging.sides[0].squares[0].square, "e4");
/// # Ok::<(), fourfold_chess::ParseFenError>(())
/// ```
pub fn overlays(position: &Position, analysis: &Analysis) -> Vec<Overlay> {
    let side = |id, color| marks(id, position, analysis.side(color), color);
    let sides = |id| match id {
        ATTACK_MAP => Vec::new(),
        _ => Color::ALL.map(|color| side(id, color)).to_vec(),
    };
    FACTS.iter().map(|fact| Overlay { id: fact.id, sides: sides(fact.id) }).collect()
}

fn marks(id: &str, position: &Position, facts: &SideFacts, color: Color) -> Marks {
    let (name, part) = id.split_once('.').unwrap_or((id, ""));
    match value(name, position, facts, color) {
        Value::List(moves) if name == "forks" => arrows(moves.iter().map(|code| (code, None))),
        Value::List(list) => pieces(&list),
        Value::Number(count) if name == "king_ring" => {
            let king = position.king(color);
            let area = squares(king_attacks(king) | Bitboard::of(king));
            let squares = vec![marked(&BOARD.name(king), Some(count as i32))];
            Marks { count, squares, area, arrows: Vec::new() }
        }
        Value::Number(count) => Marks { count, ..Marks::default() },
        Value::Lists(lists) if name == "x_rays" => x_rays(&lists),
        Value::Lists(lists) => lists
            .iter()
            .find(|(kind, _)| kind == part)
            .map(|(_, list)| pieces(list))
            .unwrap_or_default(),
        Value::Numbers(captures) if name == "see" => {
            arrows(captures.iter().map(|(code, value)| (code, Some(*value))))
        }
        Value::Numbers(numbers) => Marks {
            count: numbers.iter().map(|(_, number)| number.unsigned_abs()).sum(),
            squares: numbers.iter().map(|(square, number)| marked(square, Some(*number))).collect(),
            ..Marks::default()
        },
    }
}

fn marked(square: &str, value: Option<i32>) -> MarkedSquare {
    MarkedSquare { square: square.to_owned(), value }
}

fn pieces(list: &[String]) -> Marks {
    let squares = list.iter().map(|square| marked(square, None)).collect();
    Marks { count: list.len() as u32, squares, ..Marks::default() }
}

/// Returns an arrow for each move in UCI. Moves between the same squares, which are promotions to
/// different roles, share an arrow with the highest value.
fn arrows<'a>(moves: impl Iterator<Item = (&'a String, Option<i32>)>) -> Marks {
    let mut marks = Marks::default();
    for (code, value) in moves {
        marks.count += 1;
        let (from, to) = (&code[..2], &code[2..4]);
        match marks.arrows.iter_mut().find(|other| other.from == from && other.to == to) {
            Some(other) => other.value = other.value.max(value),
            None => marks.arrows.push(Arrow { from: from.to_owned(), to: to.to_owned(), value }),
        }
    }
    marks
}

/// Marks the sliders that have x-rays, each with an arrow to the last square on each line.
fn x_rays(lists: &[(String, Vec<String>)]) -> Marks {
    let mut marks = Marks::default();
    for (from, gained) in lists.iter().filter(|(_, gained)| !gained.is_empty()) {
        marks.count += 1;
        marks.squares.push(marked(from, None));
        let gained: Vec<Square> = gained.iter().filter_map(|name| BOARD.parse(name).ok()).collect();
        let Ok(origin) = BOARD.parse(from) else { continue };
        let mut ends: Vec<(Option<Direction>, usize, Square)> = Vec::new();
        for square in gained {
            let direction = BOARD.direction(origin, square);
            let distance = BOARD.between(origin, square).len();
            match ends.iter_mut().find(|end| end.0 == direction) {
                Some(end) if end.1 < distance => (end.1, end.2) = (distance, square),
                Some(_) => {}
                None => ends.push((direction, distance, square)),
            }
        }
        let arrow = |end: Square| Arrow { from: from.clone(), to: BOARD.name(end), value: None };
        marks.arrows.extend(ends.into_iter().map(|(_, _, end)| arrow(end)));
    }
    marks
}
