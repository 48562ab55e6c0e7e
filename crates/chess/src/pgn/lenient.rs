//! Moves as people and other programs write them.

use fourfold_board::Square;
use fourfold_movetext::{OpenLine, Recovery};

use super::GameResult;
use super::reader::{GameError, Pgn};
use crate::{BOARD, Move, Position, Role};

/// Returns whether a word is a null move.
pub(super) fn is_null_move(word: &str) -> bool {
    matches!(word, "--" | "Z0" | "0000" | "@@@@")
}

/// Reads a word that is not SAN: a null move, a move in another notation, an annotation, or nothing
/// that belongs to a game.
pub(super) fn recover(word: &str, error: GameError, line: &mut OpenLine<Pgn>) -> Recovery<Pgn> {
    // A number before Black's move, or before a null move: `1…e5`, `1--`.
    let unnumbered = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let numbered = unnumbered.starts_with('…') || is_null_move(unnumbered);
    let word = if numbered { unnumbered } else { word };
    let text = word.trim_start_matches(['.', '…']);
    if is_null_move(text) {
        if line.state().is_check() {
            return Recovery::Stop(GameError::NullMoveInCheck(text.to_owned()));
        }
        line.add(Move::NULL, |position| position.play_recorded(Move::NULL));
        return Recovery::Read;
    }
    if let Some(nag) = annotation(text) {
        return Recovery::Nag(nag);
    }
    if matches!(text, "" | "e.p" | "ep" | "ep." | "+" | "++" | "#" | "ch" | "ch." | "mate") {
        return Recovery::Read;
    }
    let (text, result) = split_result(text);
    let text = without_signs(text);
    if let Some(mv) = parse(line.state(), text) {
        line.add(mv, |position| position.play_unchecked(mv));
    } else if !text.is_empty() || result.is_none() {
        return recover_parts(word, error, line);
    }
    result.map_or(Recovery::Read, Recovery::Ended)
}

/// Reads a word in which several moves and numbers are joined, or to which signs are attached that
/// belong to no notation: `1e4`, `e52.Nf3`, `Nf3,`. Such signs are reported.
fn recover_parts(word: &str, error: GameError, line: &mut OpenLine<Pgn>) -> Recovery<Pgn> {
    const DOTS: [char; 2] = ['.', '…'];
    const SIGNS: [char; 20] = [
        ',', ';', ':', '!', '?', '"', '\'', '`', '~', '^', '&', '|', '_', '\\', '<', '>', ']', '}',
        '%', '@',
    ];
    let mut read = false;
    let parts = word.split_inclusive(DOTS).flat_map(|part| part.split(SIGNS));
    for part in parts {
        let (text, result) = split_result(part);
        let text = without_signs(text);
        let unnumbered = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if !unnumbered.is_empty() {
            let next_number = || before_number(unnumbered).filter(|_| part.ends_with(DOTS));
            let position = line.state();
            let found = parse(position, text)
                .or_else(|| parse(position, unnumbered))
                .or_else(|| parse(position, next_number()?));
            let Some(mv) = found else {
                let is_move = read || looks_like_move(text);
                return if is_move { Recovery::Stop(error) } else { Recovery::Skip(error) };
            };
            line.add(mv, |position| position.play_unchecked(mv));
            read = true;
        }
        if let Some(result) = result {
            return Recovery::Ended(result);
        }
    }
    match read {
        false => Recovery::Skip(error),
        true if word.contains(SIGNS) => Recovery::Assume(error),
        true => Recovery::Read,
    }
}

/// Returns the move before a number that follows it without a space, as in `e52.`.
fn before_number(text: &str) -> Option<&str> {
    let rank = text.rfind(|letter: char| !letter.is_ascii_digit())? + 1;
    text.get(..rank + 1)
}

/// Returns the annotation glyph for a sign or an abbreviation that is a word of its own.
fn annotation(text: &str) -> Option<u8> {
    Some(match text {
        "□" => 7,
        "=" | "(=)" => 10,
        "∞" => 13,
        "+=" | "+/=" | "⩲" => 14,
        "=+" | "=/+" | "⩱" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" => 17,
        "+-" => 18,
        "-+" => 19,
        "N" | "TN" => 146,
        "D" => 220,
        _ => return None,
    })
}

/// Splits off a result that is attached to a move, as in `Bc4*`.
fn split_result(text: &str) -> (&str, Option<GameResult>) {
    ["*", "1-0", "0-1", "1/2-1/2", "1/2"]
        .into_iter()
        .find_map(|end| Some((text.strip_suffix(end)?, GameResult::from_text(end))))
        .unwrap_or((text, None))
}

/// Removes the signs after a move: check, captures en passant, and evaluations as in `Nf3+=`.
fn without_signs(text: &str) -> &str {
    const SIGNS: [char; 14] =
        ['+', '#', '=', '-', '/', '!', '?', ',', '.', '±', '∓', '⩲', '⩱', '∞'];
    let text = text.trim_end_matches(SIGNS);
    let text = text.strip_suffix("e.p").or_else(|| text.strip_suffix("ep")).unwrap_or(text);
    text.trim_end_matches(SIGNS)
}

/// Parses a move in SAN with figurines, with another spelling of castling or of a promotion, or with
/// the square of origin, as in UCI.
fn parse(position: &Position, text: &str) -> Option<Move> {
    // The longest move is `Ng1-f3`, or `exf8=Q` with figurines of three bytes.
    if text.len() > 16 {
        return None;
    }
    let mut text: String =
        text.chars().map(letter).filter(|letter| !"()".contains(*letter)).collect();
    if text.chars().all(|letter| matches!(letter, 'O' | '0' | 'o' | '-')) {
        text = match text.chars().filter(|&letter| letter != '-').count() {
            2 => "O-O".to_owned(),
            3 => "O-O-O".to_owned(),
            _ => return None,
        };
    }
    // The role of a promotion follows a rank.
    let bytes = text.as_bytes();
    if let [.., rank, role] = *bytes
        && matches!(rank, b'1' | b'8' | b'=' | b'/')
        && let Some(role) = Role::from_letter(role.to_ascii_uppercase() as char)
    {
        text.truncate(text.len() - 1);
        text.truncate(text.trim_end_matches(['=', '/']).len());
        text.push(role.letter());
    }
    position.parse_san(&text).ok().or_else(|| parse_squares(position, &text))
}

/// Replaces figurines and dashes of other scripts.
fn letter(letter: char) -> char {
    match letter {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '♙' | '♟' => 'P',
        '–' | '—' | '‐' | '−' => '-',
        '×' | ':' => 'x',
        _ => letter,
    }
}

/// Parses a move with the squares of origin and target, whichever piece moves: `g1f3`, `Ng1xf3`,
/// `e7e8Q`. Castling is the king's move to its target or to the rook.
fn parse_squares(position: &Position, text: &str) -> Option<Move> {
    let role = text.chars().next().and_then(Role::from_letter);
    let squares = if role.is_some() { &text[1..] } else { text };
    let (from, rest) = square(squares)?;
    let (to, rest) = square(rest.strip_prefix(['-', 'x']).unwrap_or(rest))?;
    let promotion = match rest {
        "" => None,
        _ => Some(rest.parse::<char>().ok().and_then(Role::from_letter)?),
    };
    let fits = |mv: &&Move| {
        mv.from() == from
            && mv.promotion() == promotion
            && role.is_none_or(|role| role == mv.role())
    };
    let legal = position.legal_moves();
    let fitting = || legal.iter().filter(fits);
    let is_move = |mv: &&Move| mv.castling().is_none() && mv.to() == to;
    let is_castling = |mv: &&Move| mv.castling().is_some() && mv.to() == to;
    let found = fitting().find(is_move).or_else(|| fitting().find(is_castling));
    found.or_else(|| fitting().find(|mv| mv.target() == to)).copied()
}

/// Parses a square and returns the rest of the text.
fn square(text: &str) -> Option<(Square, &str)> {
    let (name, rest) = text.split_at_checked(2)?;
    Some((BOARD.parse(name).ok()?, rest))
}

/// Returns whether a word that could not be read was meant as a move: it contains something like a
/// square, or is castling or the beginning of a move.
fn looks_like_move(text: &str) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'0'..=b'9']);
    text.as_bytes().windows(2).any(is_square)
        || ["O-O", "0-0", "o-o"].iter().any(|castling| text.starts_with(castling))
        || text.starts_with(['K', 'Q', 'R', 'B', 'N'])
            && text.bytes().all(|byte| matches!(byte, b'B' | b'K' | b'N' | b'Q' | b'R' | b'a'..=b'h' | b'1'..=b'8' | b'x' | b'-'))
}
