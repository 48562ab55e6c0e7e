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

    /// Adds an annotation to the last move, if there is one.
    pub fn annotate(&mut self, nag: u8) {
        if let Some(node) = self.line.moves.last_mut() {
            node.nags.push(nag);
        }
    }
}

/// What a lenient reader does with a word that is not a move in the standard's notation.
pub enum Recovery<F: Format> {
    /// The word has been read.
    Read,
    /// The word has been read, but only under an assumption, which is reported.
    Assume(F::Error),
    /// The word annotates the last move.
    Nag(u8),
    /// The word has been read, and the result of the game was attached to it.
    Ended(F::Result),
    /// The word is not a move. It is skipped and reported.
    Skip(F::Error),
    /// The word is a move that cannot be played. The rest of its line is skipped.
    Stop(F::Error),
}

/// The moves read so far, and the variations that are still open.
pub(crate) struct Tree<F: Format> {
    format: F,
    current: OpenLine<F>,
    outer: Vec<OpenLine<F>>,
    skipping: Option<Skipping>,
}

/// A part of a game that is skipped.
struct Skipping {
    /// How many parentheses are open in it.
    depth: usize,
    /// Whether it is a variation nested too deeply, which ends with its own parenthesis. Otherwise
    /// it is the rest of a line.
    nested: bool,
}

impl<F: Format> Tree<F> {
    pub(crate) fn new(format: F, start: F::State) -> Tree<F> {
        let current = OpenLine::new(start, Location::default());
        Tree { format, current, outer: Vec::new(), skipping: None }
    }

    /// Returns whether the game has moves, and everything up to here belongs to its main line.
    pub(crate) fn may_end(&self) -> bool {
        !self.in_variation() && !self.current.line.moves.is_empty()
    }

    pub(crate) fn in_variation(&self) -> bool {
        !self.outer.is_empty() || self.skipping.as_ref().is_some_and(|skipping| skipping.depth > 0)
    }

    /// Returns whether the next word is skipped.
    pub(crate) fn is_skipping(&self) -> bool {
        self.skipping.is_some()
    }

    /// Skips the rest of the current line.
    pub(crate) fn skip_line(&mut self) {
        self.skipping = Some(Skipping { depth: 0, nested: false });
    }

    /// Skips a variation that has just been opened.
    pub(crate) fn skip_variation(&mut self) {
        self.skipping = Some(Skipping { depth: 1, nested: true });
    }

    /// Adds a word: a move with its number before it and annotation signs after it, or only parts
    /// of that.
    pub(crate) fn word(&mut self, word: &str) -> Result<(), ErrorKind<F>> {
        let text = F::strip_number(word);
        let bare = text.trim_end_matches(['!', '?']);
        self.format.word(bare, &mut self.current).map_err(ErrorKind::Game)?;
        let signs = &text[bare.len()..];
        if signs.is_empty() { Ok(()) } else { self.signs(signs) }
    }

    /// Reads a word for which [`Tree::word`] returned an error, leniently.
    pub(crate) fn recover(&mut self, word: &str, error: F::Error) -> Recovery<F> {
        let bare = F::strip_number(word).trim_end_matches(['!', '?']);
        self.format.recover(bare, error, &mut self.current)
    }

    /// Adds the annotation signs at the end of a word.
    pub(crate) fn signs(&mut self, signs: &str) -> Result<(), ErrorKind<F>> {
        match signs {
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
        if self.is_skipping() {
            return;
        }
        let line = &mut self.current.line;
        let comments = match line.moves.last_mut() {
            Some(node) => &mut node.comments,
            None => &mut line.comments,
        };
        comments.extend(Some(text).filter(|text| !text.is_empty()));
    }

    pub(crate) fn open(&mut self, location: Location) -> Result<(), ErrorKind<F>> {
        if let Some(skipping) = &mut self.skipping {
            skipping.depth += 1;
            return Ok(());
        }
        ensure!(!self.current.line.moves.is_empty(), ErrorKind::NothingToAnnotate);
        ensure!(self.outer.len() < MAX_NESTING, ErrorKind::TooDeep);
        let inner = OpenLine::new(self.current.before.clone(), location);
        self.outer.push(std::mem::replace(&mut self.current, inner));
        self.format.open_variation();
        Ok(())
    }

    pub(crate) fn close(&mut self) -> Result<(), ErrorKind<F>> {
        if let Some(skipping) = self.skipping.as_mut().filter(|skipping| skipping.depth > 0) {
            skipping.depth -= 1;
            if skipping.nested && skipping.depth == 0 {
                self.skipping = None;
            }
            return Ok(());
        }
        let outer = self.outer.pop().ok_or(ErrorKind::UnopenedVariation)?;
        let OpenLine { line, .. } = std::mem::replace(&mut self.current, outer);
        self.format.close_variation(&line, &self.current.after);
        // Nothing is left of a variation whose first move could not be played.
        let kept = !line.moves.is_empty() || !self.is_skipping();
        self.skipping = None;
        // A variation is only opened after a move, so there is one that it belongs to.
        if kept && let Some(node) = self.current.line.moves.last_mut() {
            node.variations.push(line);
        }
        Ok(())
    }

    /// Returns where the current variation was opened, if there is one.
    pub(crate) fn opened(&self) -> Option<Location> {
        (!self.outer.is_empty()).then_some(self.current.opened)
    }

    /// Closes all variations and returns the line of the game.
    pub(crate) fn finish(mut self) -> Line<F::Move> {
        while !self.outer.is_empty() {
            self.skipping = self.skipping.filter(|skipping| skipping.depth == 0);
            // Cannot fail, because a variation is open.
            let _ = self.close();
        }
        self.current.line
    }
}
