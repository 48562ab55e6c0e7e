//! Moves as people write them: `h2-h3`, `Qg1xQn8+`, `h7-h8=D`, `O-O`.

use fourfold_board::Square;

use crate::men::cell;
use crate::position::corner;
use crate::{
    BOARD, Kind, MateTiming, Mode, Move, ParseMoveError, Player, Players, Position, Way, Wing,
};

impl Position {
    /// A legal move as people write it: the kind of the man (none for a pawn), both squares with `-`
    /// between them, or `x` and the kind of the man that is taken, and what a pawn becomes. A `+`
    /// follows for each living opponent whose king has a new attacker, whoever's it is, and a `#` for
    /// each who is out at once: the king taken or, where the rules have it so, mated at once. (A
    /// player who is out when the turn comes has a `#` of their own in PGN4.)
    ///
    /// As on chess.com a one-point queen is written as a `Q`; only the pawn that becomes one has `=D`.
    ///
    /// ```
    /// use fourfold_four_player::{Opening, Position, Rules};
    ///
    /// let mut position = Position::start(Opening::Classic, Rules::TEAMS);
    /// for text in ["h2h3", "b8c8", "g13g12", "m7l7"] {
    ///     position.play(position.parse_move(text)?)?;
    /// }
    /// assert_eq!(position.notation(position.parse_move("g1n8")?), "Qg1xQn8+");
    /// assert_eq!(position.notation(position.parse_move("j1i3")?), "Nj1-i3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn notation(&self, mv: Move) -> String {
        let mut text = match (mv.way(), self.man_at(mv.from())) {
            (Way::Castling, _) => match self.wing(mv) {
                Wing::Short => "O-O".to_owned(),
                Wing::Long => "O-O-O".to_owned(),
            },
            (Way::Plain | Way::DoubleStep | Way::EnPassant, man) => {
                let sign = if self.takes(mv) { "x" } else { "-" };
                let victim = self.man_at(mv.to());
                format!(
                    "{}{}{sign}{}{}",
                    man.map_or("", |man| letter(man.kind)),
                    BOARD.name(mv.from()),
                    victim.map_or("", |man| letter(man.kind)),
                    BOARD.name(mv.to()),
                )
            }
        };
        if let Some(kind) = mv.promotion() {
            text.push('=');
            text.push(kind.letter());
        }
        let (checked, out) = self.struck(mv);
        text.extend(std::iter::repeat_n('+', checked.len()));
        text.extend(std::iter::repeat_n('#', out.len()));
        text
    }

    /// The legal move that a text means, as [`Position::notation`] writes it. Signs at the end, the
    /// letters of the men, `-` and, where there is no choice, `=D` may be left out; a letter that is
    /// there must be right.
    ///
    /// ```
    /// use fourfold_four_player::{Opening, Position, Rules};
    ///
    /// let position = Position::start(Opening::Modern, Rules::default());
    /// assert_eq!(position.parse_notation("Nj1-i3")?, position.parse_move("j1i3")?);
    /// assert_eq!(position.parse_notation("h2-h3+")?, position.parse_move("h2h3")?);
    /// assert_eq!(
    ///     position.parse_notation("Bj1-i3").unwrap_err().to_string(),
    ///     "'Bj1-i3' needs a bishop on j1, which holds a knight"
    /// );
    /// # Ok::<(), fourfold_four_player::ParseMoveError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is no move, not one legal move, or says something wrong about it.
    pub fn parse_notation(&self, text: &str) -> Result<Move, ParseMoveError> {
        let bare = text.trim_end_matches(['+', '#']);
        let legal = self.legal_moves();
        let illegal = || ParseMoveError::Illegal { text: text.to_owned() };
        if let Some(wing) = castling(bare) {
            let castles = |mv: &&Move| mv.way() == Way::Castling && self.wing(**mv) == wing;
            return legal.iter().find(castles).copied().ok_or_else(illegal);
        }
        let written = Written::read(bare)
            .ok_or_else(|| ParseMoveError::MalformedNotation { text: text.to_owned() })?;
        let own = self.man_at(written.from).filter(|man| man.owner == Some(self.turn()));
        agrees(text, written.kind, written.from, own.map(|man| man.kind))?;
        let fitting = legal.iter().filter(|mv| {
            let promotion = mv.promotion().filter(|_| written.promotion.is_some());
            mv.from() == written.from && mv.to() == written.to && fits(written.promotion, promotion)
        });
        let found: Vec<Move> = fitting.copied().collect();
        match found[..] {
            [mv] if written.takes && !self.takes(mv) => {
                Err(ParseMoveError::TakesNothing { text: text.to_owned() })
            }
            [mv] => {
                let victim = self.man_at(mv.to()).map(|man| man.kind);
                let passed = (mv.way() == Way::EnPassant).then_some(Kind::Pawn);
                agrees(text, written.victim, mv.to(), victim.or(passed))?;
                Ok(mv)
            }
            [] => Err(illegal()),
            [..] => Err(ParseMoveError::Ambiguous {
                text: text.to_owned(),
                candidates: found.iter().map(|&mv| self.notation(mv)).collect(),
            }),
        }
    }

    /// Whether a legal move takes a man.
    fn takes(&self, mv: Move) -> bool {
        mv.way() == Way::EnPassant || self.man_at(mv.to()).is_some()
    }

    /// On which wing a castling move castles.
    fn wing(&self, mv: Move) -> Wing {
        let toward = usize::from(mv.to().index() > mv.from().index());
        let short = corner(self.turn(), cell(mv.from()), Wing::Short);
        if short == Some(toward) { Wing::Short } else { Wing::Long }
    }

    /// Whose kings a move gives new attackers, and who is out by it at once.
    pub(crate) fn struck(&self, mv: Move) -> (Players, Players) {
        let us = self.turn();
        if !self.alive().contains(us) {
            return (Players::NONE, Players::NONE);
        }
        let mut after = *self;
        after.advance(mv);
        let new = |&player: &Player| (after.checkers(player) - self.checkers(player)).any();
        let checked: Players = after.opponents(us).iter().filter(new).collect();
        let rules = self.rules();
        if rules.mode == Mode::FreeForAll && rules.mate_timing == MateTiming::Immediate {
            after.mate_at_once(us);
        }
        (checked, Players::from_bits(self.alive().bits() & !after.alive().bits()))
    }
}

/// The letter of a kind in a move.
const fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "",
        Kind::Knight => "N",
        Kind::Bishop => "B",
        Kind::Rook => "R",
        Kind::Queen | Kind::Promoted => "Q",
        Kind::King => "K",
    }
}

/// Whether a kind that is written, if one is, is that of the man on a square.
fn agrees(
    text: &str,
    written: Option<Kind>,
    square: Square,
    found: Option<Kind>,
) -> Result<(), ParseMoveError> {
    match written {
        Some(said) if !fits(written, found) => {
            Err(ParseMoveError::Disagrees { text: text.to_owned(), said, square, found })
        }
        Some(_) | None => Ok(()),
    }
}

/// Whether a written kind means what is there. A one-point queen may be written as a queen.
fn fits(written: Option<Kind>, found: Option<Kind>) -> bool {
    written == found || (written, found) == (Some(Kind::Queen), Some(Kind::Promoted))
}

fn castling(text: &str) -> Option<Wing> {
    match text {
        "O-O" | "0-0" | "o-o" => Some(Wing::Short),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(Wing::Long),
        _ => None,
    }
}

/// A move as it is written, without the signs at the end.
struct Written {
    kind: Option<Kind>,
    from: Square,
    takes: bool,
    victim: Option<Kind>,
    to: Square,
    promotion: Option<Kind>,
}

impl Written {
    fn read(text: &str) -> Option<Written> {
        let (kind, rest) = kind(text);
        let (from, rest) = square(rest)?;
        let (takes, rest) = match rest.strip_prefix('x') {
            Some(rest) => (true, rest),
            None => (false, rest.strip_prefix('-').unwrap_or(rest)),
        };
        let (victim, rest) = if takes { self::kind(rest) } else { (None, rest) };
        let (to, rest) = square(rest)?;
        let promotion = match rest.strip_prefix('=').unwrap_or(rest) {
            "" if rest.is_empty() => None,
            last => Some(self::kind(&last.to_ascii_uppercase()).0.filter(|_| last.len() == 1)?),
        };
        Some(Written { kind, from, takes, victim, to, promotion })
    }
}

/// The kind with the letter at the start of a text, if there is one, and the rest.
fn kind(text: &str) -> (Option<Kind>, &str) {
    let mut letters = text.chars();
    match letters.next().and_then(Kind::from_letter) {
        Some(kind) => (Some(kind), letters.as_str()),
        None => (None, text),
    }
}

/// The square at the start of a text, and the rest.
fn square(text: &str) -> Option<(Square, &str)> {
    let end = text.char_indices().skip(1).find(|(_, letter)| !letter.is_ascii_digit());
    let (name, rest) = text.split_at(end.map_or(text.len(), |(place, _)| place));
    Some((BOARD.parse(name).ok()?, rest))
}
