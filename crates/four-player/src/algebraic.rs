//! Long algebraic notation, as PGN4 has it: `h2-h3`, `Qg1xQn8+`, `h7-h8=D`, `O-O`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use fourfold_board::Square;

use crate::pieces::cell;
use crate::position::corner;
use crate::{
    BOARD, Bitboard, MateTiming, Mode, Move, MoveKind, ParseMoveError, Player, Players, Position,
    Role, Wing,
};

impl Position {
    /// Formats a legal move for people: the letter of the piece (none for a pawn), the two squares
    /// separated by `-`, or by `x` and the letter of the captured piece, and the promotion. Then
    /// follows a `+` for each living opponent whose king has a new attacker of any color, and a `#`
    /// for each player who is eliminated at once: by the capture of the king or, with
    /// [`MateTiming::Immediate`], by checkmate. (For a player who is eliminated when their turn
    /// comes, PGN4 has a `#` in that player's place.)
    ///
    /// As on chess.com, a one-point queen is written as `Q`; only the promotion itself is written
    /// as `=D`.
    ///
    /// ```
    /// use fourfold_four_player::{StartPosition, Position, Rules};
    ///
    /// let mut position = Position::start(StartPosition::Classic, Rules::TEAMS);
    /// for text in ["h2h3", "b8c8", "g13g12", "m7l7"] {
    ///     position.play(position.parse_move(text)?)?;
    /// }
    /// assert_eq!(position.notation(position.parse_move("g1n8")?), "Qg1xQn8+");
    /// assert_eq!(position.notation(position.parse_move("j1i3")?), "Nj1-i3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn notation(&self, mv: Move) -> String {
        let mut text = match (mv.kind(), self.piece_at(mv.from())) {
            (MoveKind::Castling, _) => match self.wing(mv) {
                Wing::Short => "O-O".to_owned(),
                Wing::Long => "O-O-O".to_owned(),
            },
            (MoveKind::Normal | MoveKind::DoubleStep | MoveKind::EnPassant, piece) => {
                let sign = if self.is_capture(mv) { "x" } else { "-" };
                let victim = self.piece_at(mv.to());
                format!(
                    "{}{}{sign}{}{}",
                    piece.map_or("", |piece| letter(piece.role)),
                    BOARD.name(mv.from()),
                    victim.map_or("", |piece| letter(piece.role)),
                    BOARD.name(mv.to()),
                )
            }
        };
        if let Some(role) = mv.promotion() {
            text.push('=');
            text.push(role.letter());
        }
        let (checked, out) = self.checks_and_eliminations(mv);
        text.extend(core::iter::repeat_n('+', checked.len()));
        text.extend(core::iter::repeat_n('#', out.len()));
        text
    }

    /// Parses a legal move as written by [`Position::notation`]. Trailing `+` and `#`, piece
    /// letters, `-` and, where there is no choice, `=D` may be omitted. A piece letter that is
    /// given must be correct.
    ///
    /// ```
    /// use fourfold_four_player::{StartPosition, Position, Rules};
    ///
    /// let position = Position::start(StartPosition::Modern, Rules::default());
    /// assert_eq!(position.parse_notation("Nj1-i3")?, position.parse_move("j1i3")?);
    /// assert_eq!(position.parse_notation("h2-h3+")?, position.parse_move("h2h3")?);
    /// assert_eq!(
    ///     position.parse_notation("Bj1-i3").unwrap_err().to_string(),
    ///     "'Bj1-i3' expects a bishop on j1, but there is a knight"
    /// );
    /// # Ok::<(), fourfold_four_player::ParseMoveError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a move, does not match exactly one legal move, or
    /// contradicts the position.
    pub fn parse_notation(&self, text: &str) -> Result<Move, ParseMoveError> {
        let bare = text.trim_end_matches(['+', '#']);
        let legal = self.legal_moves();
        let illegal = || ParseMoveError::Illegal { text: text.to_owned() };
        if let Some(wing) = castling(bare) {
            let castles = |mv: &&Move| mv.kind() == MoveKind::Castling && self.wing(**mv) == wing;
            return legal.iter().find(castles).copied().ok_or_else(illegal);
        }
        let written = ParsedMove::parse(bare)
            .ok_or_else(|| ParseMoveError::MalformedNotation { text: text.to_owned() })?;
        let own = self.piece_at(written.from).filter(|piece| piece.owner == Some(self.turn()));
        agrees(text, written.role, written.from, own.map(|piece| piece.role))?;
        let fitting = legal.iter().filter(|mv| {
            let promotion = mv.promotion().filter(|_| written.promotion.is_some());
            mv.from() == written.from && mv.to() == written.to && fits(written.promotion, promotion)
        });
        let found: Vec<Move> = fitting.copied().collect();
        match found[..] {
            [mv] if written.is_capture && !self.is_capture(mv) => {
                Err(ParseMoveError::CapturesNothing { text: text.to_owned() })
            }
            [mv] => {
                let victim = self.piece_at(mv.to()).map(|piece| piece.role);
                let captured_pawn = (mv.kind() == MoveKind::EnPassant).then_some(Role::Pawn);
                agrees(text, written.victim, mv.to(), victim.or(captured_pawn))?;
                Ok(mv)
            }
            [] => Err(illegal()),
            [..] => Err(ParseMoveError::Ambiguous {
                text: text.to_owned(),
                candidates: found.iter().map(|&mv| self.notation(mv)).collect(),
            }),
        }
    }

    /// Returns the wing of a castling move.
    fn wing(&self, mv: Move) -> Wing {
        let toward = usize::from(mv.to().index() > mv.from().index());
        let short = corner(self.turn(), cell(mv.from()), Wing::Short);
        if short == Some(toward) { Wing::Short } else { Wing::Long }
    }

    /// Returns the players whose kings have new attackers after a move, and the players whom it
    /// eliminates at once.
    pub(crate) fn checks_and_eliminations(&self, mv: Move) -> (Players, Players) {
        let us = self.turn();
        if !self.alive().contains(us) {
            return (Players::NONE, Players::NONE);
        }
        let mut after = *self;
        after.advance(mv);
        // A piece on the target square gave check before, but not this one.
        let old = |player| self.checkers(player) - Bitboard::of(mv.to());
        let new = |&player: &Player| (after.checkers(player) - old(player)).any();
        let checked: Players = after.opponents(us).iter().filter(new).collect();
        let rules = self.rules();
        if rules.mode == Mode::FreeForAll && rules.mate_timing == MateTiming::Immediate {
            after.eliminate_mated(us);
        }
        (checked, Players::from_bits(self.alive().bits() & !after.alive().bits()))
    }
}

/// Returns the letter of a role in a move.
const fn letter(role: Role) -> &'static str {
    match role {
        Role::Pawn => "",
        Role::Knight => "N",
        Role::Bishop => "B",
        Role::Rook => "R",
        Role::Queen | Role::OnePointQueen => "Q",
        Role::King => "K",
    }
}

/// Checks that a written role, if any, is that of the piece on a square.
fn agrees(
    text: &str,
    written: Option<Role>,
    square: Square,
    found: Option<Role>,
) -> Result<(), ParseMoveError> {
    match written {
        Some(expected) if !fits(written, found) => {
            Err(ParseMoveError::WrongRole { text: text.to_owned(), expected, square, found })
        }
        Some(_) | None => Ok(()),
    }
}

/// Returns whether a written role matches the actual one. A one-point queen may be written as a
/// queen.
fn fits(written: Option<Role>, found: Option<Role>) -> bool {
    written == found || (written, found) == (Some(Role::Queen), Some(Role::OnePointQueen))
}

fn castling(text: &str) -> Option<Wing> {
    match text {
        "O-O" | "0-0" | "o-o" => Some(Wing::Short),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(Wing::Long),
        _ => None,
    }
}

/// The parts of a written move, without trailing `+` and `#`.
struct ParsedMove {
    role: Option<Role>,
    from: Square,
    is_capture: bool,
    victim: Option<Role>,
    to: Square,
    promotion: Option<Role>,
}

impl ParsedMove {
    fn parse(text: &str) -> Option<ParsedMove> {
        let (role, rest) = split_role(text);
        let (from, rest) = split_square(rest)?;
        let (is_capture, rest) = match rest.strip_prefix('x') {
            Some(rest) => (true, rest),
            None => (false, rest.strip_prefix('-').unwrap_or(rest)),
        };
        let (victim, rest) = if is_capture { split_role(rest) } else { (None, rest) };
        let (to, rest) = split_square(rest)?;
        let promotion = match rest.strip_prefix('=').unwrap_or(rest) {
            "" if rest.is_empty() => None,
            last => Some(Role::from_letter(last.to_ascii_uppercase().parse().ok()?)?),
        };
        Some(ParsedMove { role, from, is_capture, victim, to, promotion })
    }
}

/// Splits off the role letter at the start of a text, if there is one.
fn split_role(text: &str) -> (Option<Role>, &str) {
    let mut letters = text.chars();
    match letters.next().and_then(Role::from_letter) {
        Some(role) => (Some(role), letters.as_str()),
        None => (None, text),
    }
}

/// Splits off the square name at the start of a text.
fn split_square(text: &str) -> Option<(Square, &str)> {
    let end = text.char_indices().skip(1).find(|(_, letter)| !letter.is_ascii_digit());
    let (name, rest) = text.split_at(end.map_or(text.len(), |(offset, _)| offset));
    Some((BOARD.parse(name).ok()?, rest))
}
