//! Forsyth–Edwards Notation: a strict parser, and a writer.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use core::str::FromStr;

use fourfold_board::Square;
use fourfold_common::cpu::{self, Cpu, Work};
use fourfold_common::quote_short;
use thiserror::Error;

use crate::play::MAX_CLOCK;
use crate::{
    BOARD, Bitboard, Board, Color, Fault, InvalidSetupError, Piece, Position, Role, Setup, Variant,
    Wing, zobrist,
};

/// An upper bound on the length of a FEN: 32 pieces, the empty squares between them, and the other
/// fields.
const LONGEST: usize = 96;

impl Position {
    /// Parses a FEN of standard chess.
    ///
    /// ```
    /// use fourfold_chess::Position;
    /// let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    /// assert_eq!(Position::from_fen(fen)?.fen(), fen);
    ///
    /// let error = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 x - - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "invalid FEN: turn: expected 'w' or 'b', got 'x'");
    /// # Ok::<(), fourfold_chess::ParseFenError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error that names the field if the text is not a FEN or the position is not legal.
    pub fn from_fen(fen: &str) -> Result<Position, ParseFenError> {
        Position::from_fen_in(fen, Variant::Standard)
    }

    /// Parses a FEN of either variant. In Chess960, castling rights may be written as in X-FEN
    /// (`KQkq`) or with the files of the rooks (`HAha`).
    ///
    /// # Errors
    /// Returns an error that names the field if the text is not a FEN or the position is not legal.
    pub fn from_fen_in(fen: &str, variant: Variant) -> Result<Position, ParseFenError> {
        struct Read<'a>(&'a str, Variant);

        impl Work for Read<'_> {
            type Output = Result<Position, ParseFenError>;

            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> Result<Position, ParseFenError> {
                let (setup, key) = read(self.0, self.1)?;
                match setup.faults(cpu) {
                    faults if faults.is_empty() => Ok(Position::from_validated(&setup, key)),
                    faults => Err(invalid(faults)),
                }
            }
        }

        cpu::dispatch(Read(fen, variant)).map_err(|error| error.quoting(fen))
    }

    /// Returns the position as a FEN. In Chess960, castling rights are written as in X-FEN: by
    /// wing, or by file if another rook is farther out.
    pub fn fen(&self) -> String {
        self.setup().fen()
    }
}

impl Setup {
    /// Parses a FEN without checking that the position is legal.
    ///
    /// # Errors
    /// Returns an error that names the field if the text is not a FEN.
    pub fn from_fen_in(fen: &str, variant: Variant) -> Result<Setup, ParseFenError> {
        read(fen, variant).map(|(setup, _)| setup).map_err(|error| error.quoting(fen))
    }

    /// Returns the setup as a FEN.
    pub fn fen(&self) -> String {
        let mut fen = String::with_capacity(LONGEST);
        write_placement(&self.board, &mut fen);
        fen.push_str(match self.turn {
            Color::White => " w ",
            Color::Black => " b ",
        });
        self.write_castling(&mut fen);
        fen.push(' ');
        match self.en_passant {
            Some(square) => fen.push_str(&BOARD.name(square)),
            None => fen.push('-'),
        }
        // Writing to a string cannot fail.
        let _ = write!(fen, " {} {}", self.halfmoves, self.fullmoves);
        fen
    }

    /// Writes the castling field: White's rights before Black's, kingside before queenside.
    fn write_castling(&self, text: &mut String) {
        if self.castling.is_empty() {
            text.push('-');
        }
        for color in Color::ALL {
            let rooks = self.castling & self.board.color(color);
            let mut rooks: Vec<Square> = rooks.iter().collect();
            rooks.reverse();
            for rook in rooks {
                let by_wing = Wing::ALL
                    .into_iter()
                    .find(|&wing| self.outermost_rook(color, wing) == Some(rook));
                let letter = match by_wing {
                    Some(Wing::King) => 'K',
                    Some(Wing::Queen) => 'Q',
                    None => (b'A' + BOARD.file(rook) as u8) as char,
                };
                text.push(match color {
                    Color::White => letter,
                    Color::Black => letter.to_ascii_lowercase(),
                });
            }
        }
    }
}

fn write_placement(board: &Board, text: &mut String) {
    let mut letters = [0_u8; 64];
    for color in Color::ALL {
        for role in Role::ALL {
            let letter = Piece { color, role }.letter() as u8;
            for square in board.pieces(color, role) {
                letters[square.index()] = letter;
            }
        }
    }
    for (rank, files) in letters.chunks(8).enumerate().rev() {
        let mut empty = 0;
        for &letter in files {
            if letter == 0 {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push((b'0' + empty) as char);
            }
            empty = 0;
            text.push(letter as char);
        }
        if empty > 0 {
            text.push((b'0' + empty) as char);
        }
        if rank > 0 {
            text.push('/');
        }
    }
}

/// Parses a FEN into a setup and the Zobrist key of its pieces.
#[inline(always)]
fn read(fen: &str, variant: Variant) -> Result<(Setup, u64), ParseFenError> {
    let (placement, length) = parse_board(fen.as_bytes());
    let Some([turn, castling, en_passant, halfmoves, fullmoves]) = fields(fen, length) else {
        return Err(FenField::Count.error(format!(
            "expected 6 fields separated by single spaces (board, turn, castling, en passant, \
             halfmove clock, move number), got {} in '{}'",
            fen.split(' ').count(),
            quote_short(fen)
        )));
    };
    let Some((board, key)) = placement else {
        return Err(FenField::Board.error(board_fault(&fen[..length])));
    };
    let mut setup = Setup { board, variant, ..Setup::empty() };
    setup.turn = match turn {
        "w" => Color::White,
        "b" => Color::Black,
        _ => {
            let message = format!("expected 'w' or 'b', got '{}'", quote_short(turn));
            return Err(FenField::Turn.error(message));
        }
    };
    setup.castling = parse_castling(castling, &setup)?;
    setup.en_passant = match en_passant {
        "-" => None,
        name => Some(BOARD.parse(name).map_err(|_| {
            FenField::EnPassant
                .error(format!("expected '-' or a square, got '{}'", quote_short(name)))
        })?),
    };
    setup.halfmoves = parse_clock(halfmoves, 0, FenField::Halfmoves)?;
    setup.fullmoves = parse_clock(fullmoves, 1, FenField::Fullmoves)?;
    Ok((setup, key))
}

/// Returns the five fields after the board field, which ends at byte `first`, or `None` if there
/// are not exactly five.
#[inline(always)]
fn fields(fen: &str, first: usize) -> Option<[&str; 5]> {
    let mut rest = fen.get(first + 1..);
    let mut next = || {
        let text = rest?;
        let space = text.bytes().position(|byte| byte == b' ');
        rest = space.map(|space| &text[space + 1..]);
        Some(&text[..space.unwrap_or(text.len())])
    };
    let five = [next()?, next()?, next()?, next()?, next()?];
    rest.is_none().then_some(five)
}

/// What a character of the board field does: which set the current square is added to, and how many
/// squares the character advances. After the sets of the twelve pieces come those of slashes, of
/// digits and of invalid characters.
#[derive(Clone, Copy)]
struct Symbol {
    set: u8,
    width: u8,
}

const SLASHES: usize = 12;
const DIGITS: usize = 13;
const INVALID: usize = 14;
static LETTERS: [Symbol; 256] = letters();

const fn letters() -> [Symbol; 256] {
    const PIECES: [u8; 12] = *b"PNBRQKpnbrqk";
    let mut letters = [Symbol { set: INVALID as u8, width: 0 }; 256];
    let mut index = 0;
    while index < PIECES.len() {
        letters[PIECES[index] as usize] = Symbol { set: index as u8, width: 1 };
        index += 1;
    }
    let mut empty = 1;
    while empty <= 8 {
        letters[b'0' as usize + empty] = Symbol { set: DIGITS as u8, width: empty as u8 };
        empty += 1;
    }
    letters[b'/' as usize] = Symbol { set: SLASHES as u8, width: 0 };
    letters
}

/// Returns the pieces and their Zobrist key if the board field is valid, and the length of the
/// field. For speed, nothing branches on what a character stands for.
#[inline(always)]
fn parse_board(fen: &[u8]) -> (Option<(Board, u64)>, usize) {
    /// The first squares of all ranks except the one that is written first.
    const RANK_STARTS: u64 = 0x0101_0101_0101_0100;
    // `index` counts squares in the order in which they are written, from a8.
    let mut sets = [0_u64; 16];
    let (mut index, mut key, mut length) = (0_usize, 0, 0);
    for &byte in fen {
        if byte == b' ' {
            break;
        }
        let Symbol { set, width } = LETTERS[usize::from(byte)];
        let set = usize::from(set & 15);
        sets[set] |= 1 << (index & 63);
        key ^= zobrist::piece_by_index(set, index ^ 56);
        index += usize::from(width);
        length += 1;
    }
    let pieces = sets[..SLASHES].iter().fold(0, |pieces, set| pieces | set);
    // There must be a digit where a run of empty squares begins in a rank, and only there.
    let runs = !pieces & !(!pieces << 1 & !(RANK_STARTS | 1));
    let count = pieces.count_ones() + sets[DIGITS].count_ones() + RANK_STARTS.count_ones();
    if index != 64
        || sets[SLASHES] != RANK_STARTS
        || sets[DIGITS] != runs
        || sets[INVALID] != 0
        || length != count as usize
    {
        return (None, length);
    }
    let mut board = Board::EMPTY;
    for (pieces, color) in sets.chunks(6).zip(Color::ALL) {
        for (&set, role) in pieces.iter().zip(Role::ALL) {
            // FEN starts with rank 8, bitboards with rank 1, and a rank is a byte.
            board.add(color, role, Bitboard::from_words([set.swap_bytes()]));
        }
    }
    (Some((board, key)), length)
}

/// Describes why the board field is invalid.
fn board_fault(field: &str) -> String {
    let ranks = field.split('/').count();
    if ranks != 8 {
        return format!("expected 8 ranks separated by '/', got {ranks}");
    }
    for (text, rank) in field.split('/').zip((1..=8).rev()) {
        let (mut files, mut after_digit) = (0, false);
        for letter in text.chars() {
            let empty = letter.to_digit(10).unwrap_or(0) as usize;
            if Piece::from_letter(letter).is_some() {
                files += 1;
            } else if (1..=8).contains(&empty) && !after_digit {
                files += empty;
            } else {
                let expected = if (1..=8).contains(&empty) {
                    "a piece after a number"
                } else {
                    "a piece or a number from 1 to 8"
                };
                let letter = letter.escape_default();
                return format!("expected {expected} in rank {rank}, got '{letter}'");
            }
            after_digit = empty > 0;
        }
        if files != 8 {
            return format!("expected 8 squares in rank {rank}, got {files}");
        }
    }
    "invalid board".to_owned()
}

#[inline(always)]
fn parse_castling(field: &str, setup: &Setup) -> Result<Bitboard, ParseFenError> {
    let error = |expected: &str| {
        let message = format!("expected {expected}, got '{}'", quote_short(field));
        Err(FenField::Castling.error(message))
    };
    if field == "-" {
        return Ok(Bitboard::EMPTY);
    }
    if field.is_empty() || field.len() > 4 {
        return error("'-' or one to four rights");
    }
    if setup.variant == Variant::Standard {
        let mut expected = "KQkq".chars();
        if !field.chars().all(|letter| expected.any(|right| right == letter)) {
            return error("'-' or letters of 'KQkq' in that order");
        }
    }
    let mut rooks = Bitboard::EMPTY;
    for letter in field.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = match letter.to_ascii_uppercase() {
            'K' => setup.outermost_rook(color, Wing::King),
            'Q' => setup.outermost_rook(color, Wing::Queen),
            file @ 'A'..='H' => {
                Some(Square::new(color.back_rank() * 8 + (file as u8 - b'A') as usize))
            }
            _ => return error("'-' or letters of 'KQkq' and of files, such as 'HAha'"),
        };
        let rook = rook.filter(|&rook| setup.board.pieces(color, Role::Rook).contains(rook));
        let Some(rook) = rook else {
            return Err(FenField::Castling.error(format!(
                "no king and rook for the right '{letter}' in '{}'",
                quote_short(field)
            )));
        };
        if rooks.contains(rook) {
            return error("each right only once");
        }
        rooks |= Bitboard::of(rook);
    }
    Ok(rooks)
}

#[inline(always)]
fn parse_clock(text: &str, least: u16, field: FenField) -> Result<u16, ParseFenError> {
    let malformed = text.starts_with('+') || text.len() > 1 && text.starts_with('0');
    match text.parse() {
        // No sign, no leading zero.
        Ok(clock) if !malformed && (least..=MAX_CLOCK).contains(&clock) => Ok(clock),
        _ => Err(field.error(format!(
            "expected a number from {least} to {MAX_CLOCK}, got '{}'",
            quote_short(text)
        ))),
    }
}

/// Creates the error for a setup that is not a legal position.
#[cold]
fn invalid(faults: Vec<Fault>) -> ParseFenError {
    let field = faults.first().map_or(FenField::Board, |fault| field_of(*fault));
    ParseFenError { field, message: InvalidSetupError { faults }.to_string() }
}

/// Returns the field that a fault belongs to.
fn field_of(fault: Fault) -> FenField {
    match fault {
        Fault::NoKing(_)
        | Fault::SeveralKings(_)
        | Fault::TooManyPawns(_)
        | Fault::TooManyPromoted(_)
        | Fault::PawnOnEndRank(_)
        | Fault::TooManyCheckers => FenField::Board,
        Fault::OpponentInCheck(_) => FenField::Turn,
        Fault::Castling(_) => FenField::Castling,
        Fault::EnPassant(_) => FenField::EnPassant,
        Fault::Halfmoves(_) => FenField::Halfmoves,
        Fault::Fullmoves(_) => FenField::Fullmoves,
    }
}

/// A field of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FenField {
    /// Not a field: the number of fields is wrong.
    Count,
    /// The piece placement.
    Board,
    /// The side to move.
    Turn,
    /// The castling rights.
    Castling,
    /// The en passant square.
    EnPassant,
    /// The halfmove clock.
    Halfmoves,
    /// The move number.
    Fullmoves,
}

impl FenField {
    fn error(self, message: String) -> ParseFenError {
        ParseFenError { field: self, message }
    }

    /// Returns the name of the field in error messages.
    pub const fn name(self) -> &'static str {
        match self {
            FenField::Count => "fields",
            FenField::Board => "board",
            FenField::Turn => "turn",
            FenField::Castling => "castling",
            FenField::EnPassant => "en passant",
            FenField::Halfmoves => "halfmove clock",
            FenField::Fullmoves => "move number",
        }
    }
}

/// The error returned when a string is not the FEN of a legal position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("invalid FEN: {}: {message}", .field.name())]
#[non_exhaustive]
pub struct ParseFenError {
    /// The field that is wrong.
    pub field: FenField,
    /// What is wrong with it.
    pub message: String,
}

impl ParseFenError {
    /// Adds the text of the field to a message that does not quote it.
    #[cold]
    fn quoting(mut self, fen: &str) -> ParseFenError {
        let index = match self.field {
            FenField::Count => return self,
            FenField::Board => 0,
            FenField::Turn => 1,
            FenField::Castling => 2,
            FenField::EnPassant => 3,
            FenField::Halfmoves => 4,
            FenField::Fullmoves => 5,
        };
        let field = fen.split(' ').nth(index).unwrap_or_default();
        let quoted = format!("'{}'", quote_short(field));
        if !self.message.contains(&quoted) {
            self.message = format!("{}, in {quoted}", self.message);
        }
        self
    }
}

/// Parses a FEN of standard chess.
impl FromStr for Position {
    type Err = ParseFenError;

    fn from_str(fen: &str) -> Result<Position, ParseFenError> {
        Position::from_fen(fen)
    }
}
