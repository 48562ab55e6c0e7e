//! Trees of moves as flat lists, read from PGN or a FEN and written as PGN.

use fourfold_chess::Position;
use fourfold_chess::pgn::{Game, GameResult, Line, MAX_NESTING, Node, Reader};
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
    /// Comments after the move.
    #[serde(default)]
    pub comments: Vec<String>,
}

/// Reads a FEN or the first game of a PGN. Returns the tree and the number of further games. A FEN
/// may lack its last fields.
///
/// # Errors
/// Returns an error if the text is neither, or if the tree is too large.
pub fn read(text: &str) -> Result<(Tree, usize), StudyError> {
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.contains('/') && GameResult::from_text(first).is_none() {
        let start = position(&completed(text))?;
        return Ok((flat(&Game::new(start))?, 0));
    }
    let mut games = Reader::new(text.as_bytes());
    let game = games.next().ok_or(ReadError::NoGame)?.map_err(ReadError::from)?;
    Ok((flat(&game)?, games.count()))
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

/// Returns a FEN with single spaces and with defaults for missing fields at its end.
fn completed(text: &str) -> String {
    const USUAL: [&str; 6] = ["", "w", "-", "-", "0", "1"];
    let given: Vec<&str> = text.split_whitespace().collect();
    let missing = USUAL.iter().skip(given.len()).copied();
    given.iter().copied().chain(missing).collect::<Vec<_>>().join(" ")
}

/// Flattens a game of the PGN reader, whose moves are legal.
fn flat(game: &Game) -> Result<Tree, StudyError> {
    let mut nodes = Vec::new();
    flatten(&game.line.moves, game.start, None, &mut nodes)?;
    let tags = game.tags.iter().filter(|(name, _)| !DERIVED.contains(&name.as_str()));
    Ok(Tree {
        start: game.start.fen(),
        tags: tags.cloned().collect(),
        comments: game.line.comments.clone(),
        nodes,
        result: game.result.text().to_owned(),
    })
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
            code: mv.uci(position.variant()),
            text: position.san(*mv),
            number: position.fullmoves().into(),
            seat: Some(Seat::new(position.turn() as u8)),
            nags: nags.clone(),
            before: Vec::new(),
            comments: comments.clone(),
        });
        for variation in variations {
            let first = nodes.len();
            flatten(&variation.moves, position, after, nodes)?;
            if let Some(first) = nodes.get_mut(first) {
                first.before.clone_from(&variation.comments);
            }
        }
        position.play_unchecked(*mv);
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
            position.play_unchecked(node.mv);
            line.moves.push(node);
            moves = &self.next[*main];
        }
        Ok(line)
    }

    fn node(&self, index: usize, position: &Position) -> Result<Node, StudyError> {
        let TreeNode { code, nags, comments, .. } = &self.nodes[index];
        let mv = position.parse_uci(code).map_err(|_| {
            let reason = position.uci_refusal(code).map(|refusal| refusal.to_string());
            PlayError::Illegal { text: code.clone(), position: position.fen(), reason }
        })?;
        Ok(Node { nags: nags.clone(), comments: comments.clone(), ..Node::new(mv) })
    }
}
