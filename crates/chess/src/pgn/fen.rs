//! Reads FENs as people and other programs write them.

use fourfold_common::quote_short;

use crate::{
    BOARD, Bitboard, Color, Fault, FenField, ParseFenError, Position, Role, Setup, Square, Variant,
};

/// The largest halfmove clock and move number.
const MAX_CLOCK: &str = "9999";

/// The fields that follow the board if they are missing.
const DEFAULTS: [&str; 6] = ["", "w", "-", "-", "0", "1"];

impl Position {
    /// Parses a FEN leniently. Whatever [`Position::from_fen_in`] accepts is read alike; in addition:
    ///
    /// - Fields at the end may be missing. The defaults are `w - - 0 1`.
    /// - There may be any white space between and around the fields.
    /// - Castling rights may be in any order, and written as in X-FEN (`KQkq`) or Shredder-FEN
    ///   (`HAha`) in both variants. In [`Variant::Standard`], a position with rights that exist only
    ///   in Chess960 is read as one of Chess960. Rights without a king and a rook that fit are
    ///   dropped.
    /// - The side to move may be a capital letter or a word (`black`), and a move number of 0 is
    ///   read as 1.
    /// - An en passant square that no pawn has just stepped over is dropped.
    /// - A `~` after a promoted piece, as in Crazyhouse, is ignored.
    /// - A halfmove clock or move number above 9999 is read as 9999.
    ///
    /// ```
    /// use fourfold_chess::{Position, Variant};
    ///
    /// let read = |text| Position::from_fen_lenient(text, Variant::Standard);
    /// assert_eq!(read(" 4k3/8/8/8/8/8/8/4K2R  w  K ")?.fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// assert_eq!(read("4k3/8/8/8/8/8/8/4K2R w H -")?.fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// assert_eq!(read("4k3/8/8/8/8/8/8/1K3R2 w F - 0 1")?.variant(), Variant::Chess960);
    /// assert_eq!(read("4k3/8/8/8/8/8/8/7R w").unwrap_err().to_string(),
    ///     "invalid FEN: board: White has no king, in '4k3/8/8/8/8/8/8/7R'");
    /// # Ok::<(), fourfold_chess::ParseFenError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error that names and quotes the field if the text is not a FEN or the position is
    /// not legal.
    pub fn from_fen_lenient(text: &str, variant: Variant) -> Result<Position, ParseFenError> {
        Position::from_fen_in(text, variant).or_else(|_| read(text, variant))
    }
}

fn read(text: &str, variant: Variant) -> Result<Position, ParseFenError> {
    let given: Vec<&str> = text.split_whitespace().collect();
    if given.is_empty() || given.len() > DEFAULTS.len() {
        let expected = "expected 1 to 6 fields (board, turn, castling, en passant, halfmove clock, \
                        move number)";
        let message = format!("{expected}, got {} in '{}'", given.len(), quote_short(text));
        return Err(ParseFenError { field: FenField::Count, message });
    }
    let mut fields = DEFAULTS;
    fields[..given.len()].copy_from_slice(&given);
    parse(fields, variant)
}

/// Parses the six fields of a FEN. The strict parser reads the board, the clocks and the move
/// number.
fn parse(fields: [&str; 6], variant: Variant) -> Result<Position, ParseFenError> {
    let [board, turn, castling, en_passant, halfmoves, fullmoves] = fields;
    let turn = match turn {
        "W" | "white" | "White" => "w",
        "B" | "black" | "Black" => "b",
        _ => turn,
    };
    let halfmoves = if halfmoves == "-" { "0" } else { clamped(halfmoves) };
    let fullmoves = match clamped(fullmoves) {
        "0" | "-" => "1",
        number => number,
    };
    let board = board.replace('~', "");
    let plain = format!("{board} {turn} - - {halfmoves} {fullmoves}");
    let mut setup = Setup::from_fen_in(&plain, variant)?;
    if !matches!(en_passant, "-" | "–") {
        let square = BOARD.parse(en_passant).map_err(|_| ParseFenError {
            field: FenField::EnPassant,
            message: format!("expected '-' or a square, got '{}'", quote_short(en_passant)),
        })?;
        let passed = Setup { en_passant: Some(square), ..setup };
        if passed.validate().is_ok() {
            setup = passed;
        }
    }
    add_castling(&mut setup, castling)?;
    setup.validate().map_err(|error| {
        // The strict parser knows the field of each fault.
        let error = ParseFenError { field: FenField::Board, message: error.to_string() };
        Position::from_fen_in(&setup.fen(), setup.variant).err().unwrap_or(error)
    })
}

/// Adds the castling rights of a field, except those without a king and a rook that fit.
fn add_castling(setup: &mut Setup, field: &str) -> Result<(), ParseFenError> {
    for letter in field.chars().filter(|letter| !matches!(letter, '-' | '–')) {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let king = setup.board.pieces(color, Role::King).first();
        let home = |square: &Square| BOARD.rank(*square) == color.back_rank();
        let rooks = setup.board.pieces(color, Role::Rook);
        let mut rooks = rooks.iter().filter(home);
        let rook = match letter.to_ascii_lowercase() {
            'k' => rooks.last().filter(|&rook| Some(rook) > king),
            'q' => rooks.next().filter(|&rook| Some(rook) < king),
            file @ 'a'..='h' => rooks.find(|&rook| BOARD.file(rook) == (file as u8 - b'a').into()),
            _ => {
                let expected = "expected '-' or letters of 'KQkq' and of files, such as 'HAha'";
                let message = format!("{expected}, got '{}'", quote_short(field));
                return Err(ParseFenError { field: FenField::Castling, message });
            }
        };
        let Some(rook) = rook.filter(|&rook| !setup.castling.contains(rook)) else { continue };
        let mut with = *setup;
        with.castling |= Bitboard::of(rook);
        if is_valid(&with) {
            *setup = with;
            continue;
        }
        with.variant = Variant::Chess960;
        if is_valid(&with) {
            *setup = with;
        }
    }
    Ok(())
}

/// Returns whether the castling rights of a setup are valid, whatever else is wrong.
fn is_valid(setup: &Setup) -> bool {
    let faults = setup.validate().err().map(|error| error.faults).unwrap_or_default();
    !faults.iter().any(|fault| matches!(fault, Fault::Castling(_)))
}

/// Returns a number without leading zeros and at most the maximum of a clock.
fn clamped(number: &str) -> &str {
    let significant = number.trim_start_matches('0');
    let digits = significant.bytes().all(|byte| byte.is_ascii_digit());
    match significant.len() {
        0 if !number.is_empty() => "0",
        5.. if digits => MAX_CLOCK,
        _ => significant,
    }
}
