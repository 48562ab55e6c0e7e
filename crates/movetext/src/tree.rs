//! The moves of a game with annotations, comments and variations.

use fourfold_common::ensure;

use crate::{ErrorKind, Format, Location};

/// The maximum nesting depth of variations; real files stay far below it.
pub const MAX_NESTING: usize = 100;

/// A sequence of moves: the game itself or a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves in order.
    pub moves: Vec<Node<M>>,
}

impl<M> Line<M> {
    /// Creates a line without comments and moves.
    pub const fn new() -> Line<M> {
        Line { comments: Vec::new(), moves: Vec::new() }
    }
}

impl<M> Default for Line<M> {
    fn default() -> Line<M> {
        Line::new()
    }
}

/// A move in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node<M> {
    /// The move.
    pub mv: M,
    /// Numeric annotation glyphs (NAGs): 1 is `!`, 2 is `?`, and so on.
    pub nags: Vec<u8>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// Alternatives to this move.
    pub variations: Vec<Line<M>>,
}

impl<M> Node<M> {
    /// Creates a move without annotations, comments or variations.
    pub const fn new(mv: M) -> Node<M> {
        Node { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

/// A line that is being read, with the states before and after its last move.
pub struct OpenLine<F: Format> {
    line: Line<F::Move>,
    before: F::State,
    after: F::State,
    opened: Location,
}

impl<F: Format> OpenLine<F> {
    fn new(start: F::State, opened: Location) -> OpenLine<F> {
        OpenLine { line: Line::new(), before: start.clone(), after: start, opened }
    }

    /// Returns the current state.
    pub fn state(&self) -> &F::State {
        &self.after
    }

    /// Returns the current state, for changes that are not moves.
    pub fn state_mut(&mut self) -> &mut F::State {
        &mut self.after
    }

    /// Adds a move; `play` applies it to the state.
    pub fn add(&mut self, mv: F::Move, play: impl FnOnce(&mut F::State)) {
        self.before.clone_from(&self.after);
        play(&mut self.after);
        self.line.moves.push(Node::new(mv));
    }
}

/// The moves read so far, and the variations that are still open.
pub(crate) struct Tree<F: Format> {
    format: F,
    current: OpenLine<F>,
    outer: Vec<OpenLine<F>>,
}

impl<F: Format> Tree<F> {
    pub(crate) fn new(format: F, start: F::State) -> Tree<F> {
        Tree { format, current: OpenLine::new(start, Location::default()), outer: Vec::new() }
    }

    pub(crate) fn in_variation(&self) -> bool {
        !self.outer.is_empty()
    }

    /// Adds a word: a move with its number before it and annotation signs after it, or only parts
    /// of that.
    pub(crate) fn word(&mut self, word: &str) -> Result<(), ErrorKind<F>> {
        let text = F::strip_number(word);
        let bare = text.trim_end_matches(['!', '?']);
        self.format.word(bare, &mut self.current).map_err(ErrorKind::Game)?;
        match &text[bare.len()..] {
            "" => Ok(()),
            "!" => self.nag(1),
            "?" => self.nag(2),
            "!?" => self.nag(5),
            "?!" => self.nag(6),
            signs if signs.starts_with("!!") => self.nag(3),
            signs if signs.starts_with("??") => self.nag(4),
            signs => Err(ErrorKind::Nag(signs.to_owned())),
        }
    }

    pub(crate) fn nag(&mut self, nag: u8) -> Result<(), ErrorKind<F>> {
        let last = self.current.line.moves.last_mut().ok_or(ErrorKind::NothingToAnnotate)?;
        last.nags.push(nag);
        Ok(())
    }

    pub(crate) fn comment(&mut self, text: String) {
        let line = &mut self.current.line;
        let comments = match line.moves.last_mut() {
            Some(node) => &mut node.comments,
            None => &mut line.comments,
        };
        comments.extend(Some(text).filter(|text| !text.is_empty()));
    }

    pub(crate) fn open(&mut self, location: Location) -> Result<(), ErrorKind<F>> {
        ensure!(!self.current.line.moves.is_empty(), ErrorKind::NothingToAnnotate);
        ensure!(self.outer.len() < MAX_NESTING, ErrorKind::TooDeep);
        let inner = OpenLine::new(self.current.before.clone(), location);
        self.outer.push(std::mem::replace(&mut self.current, inner));
        self.format.open_variation();
        Ok(())
    }

    pub(crate) fn close(&mut self) -> Result<(), ErrorKind<F>> {
        let outer = self.outer.pop().ok_or(ErrorKind::UnopenedVariation)?;
        let OpenLine { line, .. } = std::mem::replace(&mut self.current, outer);
        self.format.close_variation(&line, &self.current.after);
        // A variation is only opened after a move, so there is one that it belongs to.
        if let Some(node) = self.current.line.moves.last_mut() {
            node.variations.push(line);
        }
        Ok(())
    }

    /// Returns the line of the game, or where a variation was opened that is not closed.
    pub(crate) fn finish(self) -> Result<Line<F::Move>, Location> {
        if self.in_variation() { Err(self.current.opened) } else { Ok(self.current.line) }
    }
}
