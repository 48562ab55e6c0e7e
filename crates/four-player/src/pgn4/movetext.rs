//! Plays the moves of a game as they are read.

use super::elimination::{eliminations, passed_over};
use super::error::Pgn4ErrorKind;
use super::lexer::Place;
use super::reader::Problem;
use super::{Elimination, Line, Node, Ply};
use crate::{Ending, History, Player, Players, Position, Withdrawal};

/// The maximum depth of nested variations, far above that of real files.
pub const MAX_NESTING: usize = 100;

/// The moves read so far, with the variations that are still open.
pub(super) struct Movetext {
    current: Frame,
    outer: Vec<Frame>,
    /// The history of the current line, from the start of the game.
    history: History,
}

/// A line with the states before and after its last ply, and the place where it was opened.
struct Frame {
    line: Line,
    before: Moment,
    after: Moment,
    opened: Place,
}

impl Frame {
    fn new(start: Moment, opened: Place) -> Frame {
        Frame { line: Line::default(), before: start.clone(), after: start, opened }
    }
}

/// A position, and how players were eliminated before it.
#[derive(Clone)]
struct Moment {
    position: Position,
    fates: [Option<Elimination>; 4],
    /// The players whose turns were just skipped, except those whose `#` or `S` has already been
    /// read.
    passed_over: Vec<Player>,
    /// Those of them who were eliminated by the last ply, when their turn came.
    fallen: Players,
}

impl Moment {
    fn start(position: Position) -> Moment {
        let fates = Player::ALL.map(|player| {
            let left = |how| Some(Elimination::Withdrew(how));
            match () {
                () if position.alive().contains(player) => None,
                () if position.resigned().contains(player) => left(Withdrawal::Resign),
                () if position.flagged().contains(player) => left(Withdrawal::Flag),
                () => Some(Elimination::Unknown),
            }
        });
        Moment { position, fates, passed_over: Vec::new(), fallen: Players::NONE }
    }
}

impl Movetext {
    pub(super) fn new(start: Position) -> Movetext {
        Movetext {
            current: Frame::new(Moment::start(start), Place::default()),
            outer: Vec::new(),
            history: History::new(&start),
        }
    }

    pub(super) fn in_variation(&self) -> bool {
        !self.outer.is_empty()
    }

    /// Handles a word: a move number, or what a player's place holds, with an optional `!` or `?`
    /// annotation.
    pub(super) fn word(&mut self, word: &str) -> Result<(), Pgn4ErrorKind> {
        let bare = word.trim_end_matches(['!', '?']);
        let number = bare.bytes().all(|digit| digit.is_ascii_digit());
        match bare {
            _ if number => {}
            "#" | "S" => self.out(bare)?,
            "D" => self.draw(bare)?,
            _ => match leaving(bare, self.current.after.position.turn()) {
                Some((player, how)) => self.leave(bare, player, how)?,
                None => self.moved(bare)?,
            },
        }
        match &word[bare.len()..] {
            "" => Ok(()),
            "!" => self.nag(1),
            "?" => self.nag(2),
            "!?" => self.nag(5),
            "?!" => self.nag(6),
            signs if signs.starts_with("!!") => self.nag(3),
            signs if signs.starts_with("??") => self.nag(4),
            signs => Err(Pgn4ErrorKind::Nag(signs.to_owned())),
        }
    }

    /// Plays a move. After a king move there may be the letter of the player's withdrawal.
    fn moved(&mut self, word: &str) -> Result<(), Pgn4ErrorKind> {
        let position = self.current.after.position;
        self.goes_on(word)?;
        let king = word.strip_prefix('K').and(word.strip_suffix(['R', 'T']));
        let mv = position.parse_notation(king.unwrap_or(word)).map_err(Pgn4ErrorKind::Move)?;
        self.play(word, Ply::Move(mv))?;
        let player = position.turn();
        if king.is_some() && position.alive().contains(player) {
            let how = if word.ends_with('R') { Withdrawal::Resign } else { Withdrawal::Flag };
            self.leave(word, player, how)?;
        }
        Ok(())
    }

    fn draw(&mut self, word: &str) -> Result<(), Pgn4ErrorKind> {
        self.goes_on(word)?;
        self.play(word, Ply::Draw)
    }

    fn leave(&mut self, word: &str, player: Player, how: Withdrawal) -> Result<(), Pgn4ErrorKind> {
        self.goes_on(word)?;
        self.play(word, Ply::Withdraw(player, how))
    }

    fn goes_on(&self, word: &str) -> Result<(), Pgn4ErrorKind> {
        match self.current.after.position.ending() {
            Some(ending) => Err(Pgn4ErrorKind::AfterEnd { word: word.to_owned(), ending }),
            None => Ok(()),
        }
    }

    /// Plays a ply. A move must be legal.
    fn play(&mut self, word: &str, ply: Ply) -> Result<(), Pgn4ErrorKind> {
        let frame = &mut self.current;
        let before = frame.after.position;
        let mut after = before;
        ply.play(&mut after, &mut self.history)
            .map_err(|error| Pgn4ErrorKind::Ply { word: word.to_owned(), error })?;
        frame.before = frame.after.clone();
        frame.after.fallen = Players::NONE;
        for fall in eliminations(&before, ply, &after) {
            frame.after.fates[fall.player as usize] = Some(fall.elimination);
            if fall.on_turn {
                frame.after.fallen = frame.after.fallen.with(fall.player);
            }
        }
        frame.after.passed_over = passed_over(&before, ply, &after);
        frame.after.position = after;
        frame.line.plies.push(Node::new(ply));
        Ok(())
    }

    /// Handles the `#` or `S` of an eliminated player, who must be one of those just skipped. It is
    /// matched first with a player eliminated by the last ply, then with those skipped before that
    /// player, who were eliminated earlier.
    fn out(&mut self, word: &str) -> Result<(), Pgn4ErrorKind> {
        let Moment { position, fates, passed_over, fallen } = &mut self.current.after;
        let fate = |player: Player| fates[player as usize];
        let agrees = |&player: &Player| match fate(player) {
            Some(Elimination::Mated | Elimination::KingCaptured) => word == "#",
            Some(Elimination::Stalemated) => word == "S",
            Some(Elimination::Unknown) => true,
            Some(Elimination::Withdrew(_)) | None => false,
        };
        let first = passed_over.iter().position(|&player| fallen.contains(player));
        let meant = first
            .filter(|&index| agrees(&passed_over[index]))
            .or_else(|| passed_over[..first.unwrap_or(passed_over.len())].iter().position(agrees));
        if let Some(index) = meant {
            passed_over.remove(index);
            return Ok(());
        }
        // In teams, a stalemated player remains the player to move.
        if word == "S" && position.ending() == Some(Ending::Stalemate) {
            return Ok(());
        }
        let player = first.map_or(position.turn(), |index| passed_over[index]);
        Err(Pgn4ErrorKind::Out { word: word.to_owned(), player, fate: fate(player) })
    }

    pub(super) fn nag(&mut self, nag: u8) -> Result<(), Pgn4ErrorKind> {
        let last = self.current.line.plies.last_mut().ok_or(Pgn4ErrorKind::NothingToAnnotate)?;
        last.nags.push(nag);
        Ok(())
    }

    pub(super) fn comment(&mut self, text: String) {
        let line = &mut self.current.line;
        let comments = match line.plies.last_mut() {
            Some(node) => &mut node.comments,
            None => &mut line.comments,
        };
        comments.extend(Some(text).filter(|text| !text.is_empty()));
    }

    pub(super) fn open(&mut self, place: Place) -> Result<(), Pgn4ErrorKind> {
        if self.current.line.plies.is_empty() {
            return Err(Pgn4ErrorKind::NothingToAnnotate);
        }
        if self.outer.len() == MAX_NESTING {
            return Err(Pgn4ErrorKind::TooDeep);
        }
        let inner = Frame::new(self.current.before.clone(), place);
        self.outer.push(std::mem::replace(&mut self.current, inner));
        self.history.pop();
        Ok(())
    }

    pub(super) fn close(&mut self) -> Result<(), Pgn4ErrorKind> {
        let outer = self.outer.pop().ok_or(Pgn4ErrorKind::UnopenedVariation)?;
        let inner = std::mem::replace(&mut self.current, outer);
        inner.line.plies.iter().for_each(|_| self.history.pop());
        self.history.push(&self.current.after.position);
        // A variation was open, so there is a ply that it belongs to.
        if let Some(node) = self.current.line.plies.last_mut() {
            node.variations.push(inner.line);
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Line, Problem> {
        if self.outer.is_empty() {
            Ok(self.current.line)
        } else {
            Err(Problem(Pgn4ErrorKind::UnclosedVariation, Some(self.current.opened)))
        }
    }
}

/// Parses a withdrawal: `R` or `T` for the player to move, or with another player's letter before
/// it. A `#` or `S` after it means that the king has no legal step left.
fn leaving(word: &str, turn: Player) -> Option<(Player, Withdrawal)> {
    let letter = word.chars().next().filter(char::is_ascii_lowercase);
    let (player, rest) = match letter.and_then(Player::from_letter) {
        Some(player) => (player, &word[1..]),
        None => (turn, word),
    };
    match rest {
        "R" | "R#" | "RS" => Some((player, Withdrawal::Resign)),
        "T" | "T#" | "TS" => Some((player, Withdrawal::Flag)),
        _ => None,
    }
}
