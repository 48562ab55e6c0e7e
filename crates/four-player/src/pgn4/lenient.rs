//! What a lenient reader accepts: other spellings of moves, and games that do not say where they
//! start.

use fourfold_movetext::{OpenLine, Recovery};

use super::reader::State;
use super::{GameError, Line, Node, Pgn4, Ply};
use crate::{BOARD, History, Move, MoveKind, ParseMoveError, Position, Role, Rules, StartPosition};

/// The start position that the moves of a game imply.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImpliedStart {
    start: StartPosition,
    /// The plies of the main line that were read before this was known.
    plies: usize,
}

/// What is known about the start of a game that does not name it.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// The start positions that have not been tried.
    starts: Vec<StartPosition>,
    /// The words of the main line, as long as there are such start positions.
    words: Vec<String>,
}

impl Candidates {
    /// Returns the start positions other than the one that is tried first.
    pub(super) fn other_than(first: StartPosition) -> Candidates {
        let starts = StartPosition::ALL.into_iter().filter(|&start| start != first);
        Candidates { starts: starts.collect(), words: Vec::new() }
    }

    /// Records a word of the main line.
    pub(super) fn record(&mut self, word: &str) {
        if !self.starts.is_empty() {
            self.words.push(word.to_owned());
        }
    }

    /// Returns the first start position from which all words so far and one more can be played, with
    /// the state before that word. Every start position is tried once.
    fn next(&mut self, word: &str, rules: Rules) -> Option<(ImpliedStart, State, History)> {
        while !self.starts.is_empty() {
            let start = self.starts.remove(0);
            let position = Position::start(start, rules);
            let mut state = State::start(position);
            let mut history = History::new(&position);
            let mut plies = 0;
            let replayed = self.words.iter().all(|word| {
                let Ok(read) = Pgn4::read(word, &mut state, &mut history) else { return false };
                plies += read.len();
                if let Some((_, after)) = read.into_iter().last() {
                    state = after;
                }
                true
            });
            if replayed && Pgn4::read(word, &mut state.clone(), &mut history.clone()).is_ok() {
                return Some((ImpliedStart { start, plies }, state, history));
            }
        }
        self.words = Vec::new();
        None
    }
}

impl Pgn4 {
    /// Reads a word that is not a move or a sign as PGN4 has it.
    pub(super) fn recover_word(
        &mut self,
        word: &str,
        error: GameError,
        line: &mut OpenLine<Pgn4>,
    ) -> Recovery<Pgn4> {
        let is_move = matches!(
            error,
            GameError::Move(
                ParseMoveError::Illegal { .. }
                    | ParseMoveError::WrongRole { .. }
                    | ParseMoveError::CapturesNothing { .. }
            )
        );
        if is_move
            && !self.in_variation()
            && let Some(start) = self.assume_start(word, line)
        {
            return Recovery::Assume(GameError::AssumedStart { word: word.to_owned(), start });
        }
        let position = line.state().position();
        if position.ending().is_none()
            && let Some(mv) = parse(&position, word)
            && self.play(Ply::Move(mv), word, line).is_ok()
        {
            if !self.in_variation() {
                self.candidates.record(position.notation(mv).trim_end_matches(['+', '#']));
            }
            return Recovery::Read;
        }
        if is_move || matches!(error, GameError::AfterEnd { .. } | GameError::Ply { .. }) {
            Recovery::Stop(error)
        } else {
            Recovery::Skip(error)
        }
    }

    /// Goes on from another start position, if the game does not name its own and all its moves so
    /// far can be played from that one.
    fn assume_start(&mut self, word: &str, line: &mut OpenLine<Pgn4>) -> Option<StartPosition> {
        let rules = line.state().position().rules();
        let (implied, mut state, history) = self.candidates.next(word, rules)?;
        state.share(line.state(), implied);
        *line.state_mut() = state;
        self.history = history;
        self.add(word, line).ok()?;
        self.candidates.record(word);
        Some(implied.start)
    }
}

impl ImpliedStart {
    /// Returns the start position, and the line of a game with the moves played from there.
    pub(super) fn apply(self, assumed: Position, mut line: Line) -> (Position, Line) {
        let start = Position::start(self.start, assumed.rules());
        let read = line.moves.len().min(self.plies);
        let kept = translate(&mut line.moves[..read], assumed, start);
        if kept < read {
            line.moves.truncate(kept);
        }
        (start, line)
    }
}

/// Translates plies that were read from one position to another. They have the same squares, except
/// for castling. Returns how many can be played there.
fn translate(nodes: &mut [Node], mut from: Position, mut to: Position) -> usize {
    for (index, node) in nodes.iter_mut().enumerate() {
        for variation in &mut node.variations {
            let kept = translate(&mut variation.moves, from, to);
            variation.moves.truncate(kept);
        }
        node.variations.retain(|variation| *variation != Line::default());
        let ply = match node.mv {
            Ply::Move(mv) if mv.kind() == MoveKind::Castling => {
                to.parse_notation(&from.notation(mv)).map(Ply::Move)
            }
            Ply::Move(mv) => to.parse_move(&mv.to_string()).map(Ply::Move),
            ply => Ok(ply),
        };
        let Ok(ply) = ply else { return index };
        let played = [(&mut from, node.mv), (&mut to, ply)].into_iter().all(|(position, ply)| {
            let mut history = History::new(position);
            ply.play(position, &mut history).is_ok()
        });
        if !played {
            return index;
        }
        node.mv = ply;
    }
    nodes.len()
}

/// Parses a legal move by its squares, whatever the pieces are called: `Ng1-f3`, `g1:f3`, `♘g1f3`.
/// The promotion counts only if there is a choice.
fn parse(position: &Position, word: &str) -> Option<Move> {
    // The longest move is `Qg10xQn11=Q++`.
    if word.len() > 40 {
        return None;
    }
    let text = word.trim_end_matches(['+', '#', '!', '?', ',', ';', '=']);
    let plain: String = text.replace(['–', '—', '−'], "-").replace(['×', ':'], "x");
    let castling = plain.replace('0', "O").to_ascii_uppercase();
    if castling.starts_with("O-O") {
        return position.parse_notation(&castling).ok();
    }
    let (from, rest) = square_after(&plain)?;
    let (to, rest) = square_after(rest)?;
    let role = rest.trim_matches(['=', '(', ')', '/']).chars().next();
    let role = role.and_then(|letter| Role::from_letter(letter.to_ascii_uppercase()));
    let legal = position.legal_moves();
    let fitting: Vec<Move> =
        legal.iter().copied().filter(|mv| mv.from() == from && mv.to() == to).collect();
    match fitting[..] {
        [mv] => Some(mv),
        _ => fitting.into_iter().find(|mv| mv.promotion().is_some() && mv.promotion() == role),
    }
}

/// Finds the next square in a text, after at most one piece and one sign. Returns the rest after it.
fn square_after(text: &str) -> Option<(fourfold_board::Square, &str)> {
    let skipped = text.char_indices().take(3).map(|(index, _)| &text[index..]);
    skipped.into_iter().find_map(|text| {
        let digits = text.get(1..)?;
        let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
        let (name, rest) = text.split_at(1 + end);
        Some((BOARD.parse(name).ok()?, rest))
    })
}
