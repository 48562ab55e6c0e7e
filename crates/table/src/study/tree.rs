//! Trees of moves as flat lists, read from PGN or a FEN and written as PGN.

use std::time::Duration;

use fourfold_chess::pgn::{
    Commands, Evaluation, Game, GameResult, Line, MAX_NESTING, Node, Reader, Score, Shape,
    ShapeColor,
};
use fourfold_chess::{BOARD, Move, Position, Variant};
use fourfold_common::ensure;
use serde::{Deserialize, Serialize};

use super::{LARGEST_TREE, StudyError, position};
use crate::files::tag_value;
use crate::{PlayError, ReadError, Seat};

/// Tags whose values are derived from the tree.
const DERIVED: [&str; 4] = ["Result", "FEN", "SetUp", "Variant"];

/// A game with its variations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tree {
    /// The start position as a FEN.
    pub start: String,
    /// The names and values of the PGN tags.
    #[serde(default)]
    pub tags: Vec<(String, String)>,
    /// Comments before the first move.
    #[serde(default)]
    pub comments: Vec<String>,
    /// The commands in these comments. Derived from them, and ignored in input.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub commands: Option<MoveCommands>,
    /// The moves, each of them later in the list than its parent. The first child of a move
    /// continues its line; the others begin variations.
    pub nodes: Vec<TreeNode>,
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[serde(default)]
    pub result: String,
}

/// A move in a tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TreeNode {
    /// The index of the parent in [`Tree::nodes`]. `None` for a first move.
    pub after: Option<usize>,
    /// The move in UCI.
    pub code: String,
    /// The move in SAN. Like `number` and `seat` it is derived from `code` and optional in input.
    #[serde(default)]
    pub text: String,
    /// The move number.
    #[serde(default)]
    pub number: u32,
    /// The seat that plays it.
    #[serde(default)]
    pub seat: Option<Seat>,
    /// Numeric annotation glyphs: 1 is `!`, 2 is `?`, and so on.
    #[serde(default)]
    pub nags: Vec<u8>,
    /// Comments before the move, if it begins a variation.
    #[serde(default)]
    pub before: Vec<String>,
    /// The commands in these comments. Derived from them, and ignored in input.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub before_commands: Option<MoveCommands>,
    /// Comments after the move.
    #[serde(default)]
    pub comments: Vec<String>,
    /// The commands in these comments. Derived from them, and ignored in input.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub commands: Option<MoveCommands>,
}

/// A tree that was read from a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct ReadTree {
    /// The tree.
    #[serde(flatten)]
    pub tree: Tree,
    /// The games of the text, by their players and results; empty for a FEN. At most
    /// [`MOST_TITLES`] are listed: those from `first`, which include the game.
    pub games: Vec<String>,
    /// The index of the first listed game, a multiple of [`MOST_TITLES`].
    pub first: usize,
    /// The index of the tree among the games.
    pub game: usize,
    /// The number of further games in the text.
    pub more: usize,
    /// What could not be read of the game, with lines and columns.
    pub problems: Vec<String>,
}

/// The maximum number of games of a text that are listed.
pub const MOST_TITLES: usize = 500;

/// What the commands in comments say: clocks, evaluations, arrows and circles.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct MoveCommands {
    /// The comments without the commands.
    pub comments: Vec<String>,
    /// The time left after the move, as `1:05:23`.
    pub clock: Option<String>,
    /// The time that the move took, as `0:00:07`.
    pub elapsed: Option<String>,
    /// The evaluation after the move: `+0.31`, `-1.20` or `#-3`.
    pub evaluation: Option<String>,
    /// Arrows, and circles if `from` and `to` are the same.
    pub shapes: Vec<ColoredShape>,
}

/// An arrow or a circle on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct ColoredShape {
    /// `green`, `red`, `yellow` or `blue`.
    pub color: &'static str,
    /// The square where the arrow begins.
    pub from: String,
    /// The square where the arrow ends.
    pub to: String,
}

impl MoveCommands {
    /// Returns the commands in comments, or `None` if there are none.
    fn of(comments: &[String]) -> Option<MoveCommands> {
        if !comments.iter().any(|comment| comment.contains("[%")) {
            return None;
        }
        let all: Vec<Commands> = comments.iter().map(|comment| Commands::parse(comment)).collect();
        let shape = |shape: &Shape| ColoredShape {
            color: match shape.color {
                ShapeColor::Green => "green",
                ShapeColor::Red => "red",
                ShapeColor::Yellow => "yellow",
                ShapeColor::Blue => "blue",
            },
            from: BOARD.name(shape.from),
            to: BOARD.name(shape.to),
        };
        let texts = all.iter().map(|commands| commands.text.clone());
        Some(MoveCommands {
            comments: texts.filter(|text| !text.is_empty()).collect(),
            clock: all.iter().find_map(|commands| commands.clock).map(time),
            elapsed: all.iter().find_map(|commands| commands.elapsed).map(time),
            evaluation: all.iter().find_map(|commands| commands.evaluation).map(evaluation),
            shapes: all.iter().flat_map(|commands| &commands.shapes).map(shape).collect(),
        })
    }
}

fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn evaluation(evaluation: Evaluation) -> String {
    match evaluation.score {
        Score::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
        Score::Mate(moves) => format!("#{moves}"),
    }
}

/// Reads a FEN or the first game of a PGN, both leniently: a FEN may lack its last fields, and the
/// moves of a game before an error are kept.
///
/// # Errors
/// Returns an error if the text is neither, or if the tree is too large.
pub fn read(text: &str) -> Result<ReadTree, StudyError> {
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.contains('/') && GameResult::from_text(first).is_none() {
        return read_fen(text);
    }
    read_game(text, 0)
}

/// Reads a FEN, which may lack its last fields.
///
/// # Errors
/// Returns what is wrong with the FEN.
pub fn read_fen(text: &str) -> Result<ReadTree, StudyError> {
    let start = Position::from_fen_lenient(text, Variant::Standard)?;
    let (games, problems) = (Vec::new(), Vec::new());
    Ok(ReadTree { tree: flat(&Game::new(start))?, games, first: 0, game: 0, more: 0, problems })
}

/// Like [`read`], for the game with this index of a PGN.
///
/// # Errors
/// Returns an error if there is no such game, if it cannot be read, or if the tree is too large.
pub fn read_game(text: &str, index: usize) -> Result<ReadTree, StudyError> {
    let mut games = Reader::new(text.as_bytes());
    let first = index - index % MOST_TITLES;
    let (mut found, mut titles, mut count) = (None, Vec::new(), 0);
    while let Some(game) = games.next() {
        if count >= first && titles.len() < MOST_TITLES {
            titles.push(game.as_ref().map_or_else(|_| "invalid game".to_owned(), title));
        }
        if count == index {
            let problems = games.problems().iter().map(ToString::to_string).collect();
            found = Some((game, problems));
        }
        count += 1;
    }
    let (game, problems) = found.ok_or(ReadError::NoGame)?;
    let tree = flat(&game.map_err(ReadError::from)?)?;
    Ok(ReadTree { tree, games: titles, first, game: index, more: count - 1, problems })
}

/// Returns the players of a game, its date and its result.
fn title(game: &Game) -> String {
    let tag = |name| game.tag(name).filter(|value| !matches!(*value, "" | "?" | "????.??.??"));
    let player = |name| tag(name).unwrap_or("?");
    let date = tag("Date").map(|date| format!(", {date}")).unwrap_or_default();
    format!("{} – {}{date}, {}", player("White"), player("Black"), game.result.text())
}

/// Writes a tree as PGN.
///
/// # Errors
/// Returns an error if a move is not legal, if a tag's name is malformed, or if the list is not a
/// tree, is too large or is nested too deeply.
pub fn write(tree: &Tree) -> Result<String, StudyError> {
    let mut game = Game::new(position(&tree.start)?);
    for (name, value) in tree.tags.iter().filter(|(name, _)| !DERIVED.contains(&name.as_str())) {
        game.set_tag(name, &tag_value(name, value, &[])?);
    }
    let children = Children::of(tree)?;
    game.line = children.line(&children.next[tree.nodes.len()], game.start, 0)?;
    game.line.comments.splice(0..0, tree.comments.iter().cloned());
    game.set_result(GameResult::from_text(&tree.result).unwrap_or(GameResult::Open));
    Ok(game.to_string())
}

/// Flattens a game of the PGN reader, whose moves are legal or null moves.
fn flat(game: &Game) -> Result<Tree, StudyError> {
    let mut nodes = Vec::new();
    flatten(&game.line.moves, game.start, None, &mut nodes)?;
    let tags = game.tags.iter().filter(|(name, _)| !DERIVED.contains(&name.as_str()));
    Ok(Tree {
        start: game.start.fen(),
        tags: tags.map(|(name, value)| (standard_name(name), value.clone())).collect(),
        comments: game.line.comments.clone(),
        commands: MoveCommands::of(&game.line.comments),
        nodes,
        result: game.result.text().to_owned(),
    })
}

/// Replaces what the standard does not allow in the name of a tag, so that the tree can be written.
fn standard_name(name: &str) -> String {
    let is_standard = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.chars().map(|letter| if is_standard(letter) { letter } else { '_' }).collect()
}

/// Appends a line that follows the move `after`. The recursion is bounded, because the reader
/// allows variations to nest only [`MAX_NESTING`] deep.
fn flatten(
    line: &[Node],
    start: Position,
    after: Option<usize>,
    nodes: &mut Vec<TreeNode>,
) -> Result<(), StudyError> {
    let (mut position, mut after) = (start, after);
    for Node { mv, nags, comments, variations } in line {
        ensure!(nodes.len() < LARGEST_TREE, StudyError::TooLong(LARGEST_TREE));
        let own = nodes.len();
        nodes.push(TreeNode {
            after,
            code: position.uci_recorded(*mv),
            text: position.san_recorded(*mv),
            number: position.fullmoves().into(),
            seat: Some(Seat::new(position.turn() as u8)),
            nags: nags.clone(),
            before: Vec::new(),
            before_commands: None,
            comments: comments.clone(),
            commands: MoveCommands::of(comments),
        });
        for variation in variations {
            let first = nodes.len();
            flatten(&variation.moves, position, after, nodes)?;
            if let Some(first) = nodes.get_mut(first) {
                first.before.clone_from(&variation.comments);
                first.before_commands = MoveCommands::of(&variation.comments);
            }
        }
        position.play_recorded(*mv);
        after = Some(own);
    }
    Ok(())
}

/// A tree with the children of each move.
struct Children<'a> {
    nodes: &'a [TreeNode],
    /// The children of each move, in order. The last entry has the first moves of the tree.
    next: Vec<Vec<usize>>,
}

impl Children<'_> {
    fn of(tree: &Tree) -> Result<Children<'_>, StudyError> {
        let nodes = &tree.nodes[..];
        ensure!(nodes.len() <= LARGEST_TREE, StudyError::TooLong(LARGEST_TREE));
        let mut next = vec![Vec::new(); nodes.len() + 1];
        for (index, node) in nodes.iter().enumerate() {
            match node.after {
                Some(after) if after >= index => return Err(StudyError::NoSuchMove(after)),
                after => next[after.unwrap_or(nodes.len())].push(index),
            }
        }
        Ok(Children { nodes, next })
    }

    /// Returns the line that begins with the first of these moves; the others begin variations.
    fn line<'a>(
        &'a self,
        mut moves: &'a [usize],
        mut position: Position,
        depth: usize,
    ) -> Result<Line, StudyError> {
        ensure!(depth <= MAX_NESTING, StudyError::TooDeep(MAX_NESTING));
        let mut line = Line::default();
        if let Some(&first) = moves.first() {
            line.comments.clone_from(&self.nodes[first].before);
        }
        while let [main, others @ ..] = moves {
            let mut node = self.node(*main, &position)?;
            for other in others {
                let variation = self.line(std::slice::from_ref(other), position, depth + 1)?;
                node.variations.push(variation);
            }
            position.play_recorded(node.mv);
            line.moves.push(node);
            moves = &self.next[*main];
        }
        Ok(line)
    }

    fn node(&self, index: usize, position: &Position) -> Result<Node, StudyError> {
        let TreeNode { code, nags, comments, .. } = &self.nodes[index];
        if code == "0000" && !position.is_check() {
            let (nags, comments) = (nags.clone(), comments.clone());
            return Ok(Node { nags, comments, ..Node::new(Move::NULL) });
        }
        let mv = position.parse_uci(code).map_err(|_| {
            let reason = position.uci_refusal(code).map(|refusal| refusal.to_string());
            PlayError::Illegal { text: code.clone(), position: position.fen(), reason }
        })?;
        Ok(Node { nags: nags.clone(), comments: comments.clone(), ..Node::new(mv) })
    }
}
