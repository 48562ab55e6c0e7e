//! Standard algebraic notation.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use fourfold_board::Square;

use crate::{BOARD, Move, MoveKind, ParseMoveError, Position, Role, Wing};

const EXPECTED: &str = "a move like 'e4', 'Nbd7', 'exd5', 'e8=Q' or 'O-O'";

impl Position {
    /// Returns a legal move in standard algebraic notation, with as little of the origin as is
    /// unambiguous, and `+` or `#` for check or checkmate.
    pub fn san(&self, mv: Move) -> String {
        let mut text = match mv.castling() {
            Some(Wing::King) => "O-O".to_owned(),
            Some(Wing::Queen) => "O-O-O".to_owned(),
            None => self.san_without_castling(mv),
        };
        let after = self.after(mv);
        if after.is_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn san_without_castling(&self, mv: Move) -> String {
        let from = BOARD.name(mv.from());
        let captures = self.captured(mv).is_some();
        let mut text = String::new();
        match mv.role() {
            Role::Pawn if captures => text += &from[..1],
            Role::Pawn => {}
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                text.push(mv.role().letter());
                text += self.origin(mv, &from);
            }
        }
        if captures {
            text.push('x');
        }
        text += &BOARD.name(mv.to());
        if let Some(role) = mv.promotion() {
            text.push('=');
            text.push(role.letter());
        }
        text
    }

    /// Returns as much of the origin as distinguishes the move from those of other pieces with the
    /// same role and target.
    fn origin<'a>(&self, mv: Move, from: &'a str) -> &'a str {
        let like = |other: &Move| {
            other.role() == mv.role()
                && other.to() == mv.to()
                && other.from() != mv.from()
                && other.kind() == MoveKind::Normal
        };
        let legal = self.legal_moves();
        let rivals: Vec<Square> = legal.iter().copied().filter(like).map(Move::from).collect();
        let shares =
            |part: fn(Square) -> usize| rivals.iter().any(|&rival| part(rival) == part(mv.from()));
        if rivals.is_empty() {
            ""
        } else if !shares(|square| BOARD.file(square)) {
            &from[..1]
        } else if !shares(|square| BOARD.rank(square)) {
            &from[1..]
        } else {
            from
        }
    }

    /// Parses a legal move in standard algebraic notation. Also accepts more of the origin than
    /// necessary, signs for check, checkmate and `!`/`?`, a missing `x` or `=`, and castling with
    /// zeros.
    ///
    /// # Errors
    /// Returns an error if the text is not a move, the move is not legal, or several legal moves
    /// match.
    pub fn parse_san(&self, text: &str) -> Result<Move, ParseMoveError> {
        let wanted =
            ParsedSan::parse(text).ok_or_else(|| ParseMoveError::malformed(text, EXPECTED))?;
        let legal = self.legal_moves();
        let found: Vec<Move> = legal.iter().copied().filter(|&mv| wanted.fits(mv)).collect();
        match found[..] {
            [mv] => Ok(mv),
            [] => Err(ParseMoveError::Illegal { text: text.to_owned(), fen: self.fen() }),
            [..] => Err(ParseMoveError::Ambiguous {
                text: text.to_owned(),
                candidates: found.into_iter().map(|mv| self.san(mv)).collect(),
            }),
        }
    }
}

/// A move in SAN, before it is matched with the legal moves.
enum ParsedSan {
    Castling(Wing),
    Piece {
        role: Role,
        file: Option<usize>,
        rank: Option<usize>,
        to: Square,
        promotion: Option<Role>,
    },
}

impl ParsedSan {
    fn parse(text: &str) -> Option<ParsedSan> {
        let text = text.trim_end_matches(['!', '?']).trim_end_matches(['+', '#']);
        match text {
            "O-O" | "0-0" => return Some(ParsedSan::Castling(Wing::King)),
            "O-O-O" | "0-0-0" => return Some(ParsedSan::Castling(Wing::Queen)),
            _ => {}
        }
        if !text.is_ascii() {
            return None;
        }
        let (role, rest) = match text.chars().next().and_then(Role::from_letter) {
            Some(role) => (role, &text[1..]),
            None => (Role::Pawn, text),
        };
        let (rest, promotion) = match rest.chars().last().and_then(Role::from_letter) {
            Some(Role::Pawn | Role::King) => return None,
            Some(role) => (rest[..rest.len() - 1].trim_end_matches('='), Some(role)),
            None => (rest, None),
        };
        if promotion.is_some() && role != Role::Pawn {
            return None;
        }
        let (origin, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let to = BOARD.parse(to).ok()?;
        let captures = origin.ends_with('x');
        let origin = origin.strip_suffix(['x', '-']).unwrap_or(origin).as_bytes();
        let (file, rank) = match *origin {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank)),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file), Some(rank)),
            _ => return None,
        };
        let mut file = file.map(|file| (file - b'a') as usize);
        let rank = rank.map(|rank| (rank - b'1') as usize);
        // Without a file of origin, a pawn moves straight ahead.
        if role == Role::Pawn && file.is_none() {
            if captures {
                return None;
            }
            file = Some(BOARD.file(to));
        }
        Some(ParsedSan::Piece { role, file, rank, to, promotion })
    }

    fn fits(&self, mv: Move) -> bool {
        match *self {
            ParsedSan::Castling(wing) => mv.castling() == Some(wing),
            ParsedSan::Piece { role, file, rank, to, promotion } => {
                mv.role() == role
                    && mv.to() == to
                    && mv.kind() != MoveKind::Castling
                    && mv.promotion() == promotion
                    && file.is_none_or(|file| BOARD.file(mv.from()) == file)
                    && rank.is_none_or(|rank| BOARD.rank(mv.from()) == rank)
            }
        }
    }
}
