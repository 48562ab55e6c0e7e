//! Moves as people and other programs write them.

use fourfold_board::Square;
use fourfold_movetext::{OpenLine, Recovery};

use super::GameResult;
use super::reader::{GameError, Pgn};
use crate::{BOARD, Move, Position, Role};

/// The bytes of the longest move: `Ng1-f3`, or `exf8=Q` with figurines of three bytes.
const MAX_MOVE: usize = 16;

/// Signs that are skipped before a move.
const LEADING: [char; 6] = ['+', '-', '=', '#', '/', '*'];

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
    if matches!(text.trim_end_matches(['+', '#', '.']), "" | "e.p" | "ep" | "ch" | "mate") {
        return Recovery::Read;
    }
    if let Some(result) = result(text) {
        return Recovery::Ended(result);
    }
    let (text, result) = split_result(text);
    let (text, signs) = text.split_at(without_signs(text).len());
    if let Some(mv) = parse(line.state(), text) {
        line.add(mv, |position| position.play_unchecked(mv));
        annotation(signs).into_iter().for_each(|nag| line.annotate(nag));
    } else if !text.is_empty() || result.is_none() {
        return recover_parts(word, error, line);
    }
    result.map_or(Recovery::Read, Recovery::Ended)
}

/// Reads a word in which several moves and numbers are joined, or to which signs or letters are
/// attached that belong to no notation: `1e4`, `e52.Nf3`, `Nf3,`, `Nf3TN`. These are reported, unless
/// they are known.
fn recover_parts(word: &str, error: GameError, line: &mut OpenLine<Pgn>) -> Recovery<Pgn> {
    const DOTS: [char; 2] = ['.', '…'];
    const SIGNS: [char; 20] = [
        ',', ';', ':', '!', '?', '"', '\'', '`', '~', '^', '&', '|', '_', '\\', '<', '>', ']', '}',
        '%', '@',
    ];
    let (mut read, mut assumed) = (false, word.contains(SIGNS));
    let parts = word.split_inclusive(DOTS).flat_map(|part| part.split(SIGNS));
    for part in parts {
        let (text, result) = split_result(part);
        let bare = without_signs(text);
        let text = bare.trim_start_matches(LEADING);
        assumed |= text.len() < bare.len();
        let mut rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        while !rest.is_empty() {
            let next_number = || before_number(rest).filter(|_| part.ends_with(DOTS));
            let position = line.state();
            let whole = parse(position, if read { rest } else { text })
                .or_else(|| parse(position, rest))
                .or_else(|| parse(position, next_number()?));
            let Some((mv, after)) = whole.map(|mv| (mv, "")).or_else(|| first_move(position, rest))
            else {
                let is_move = read || looks_like_move(word);
                return if is_move { Recovery::Stop(error) } else { Recovery::Skip(error) };
            };
            // The end of `Qh4e1` is not another move.
            let is_next = after.starts_with(['K', 'Q', 'R', 'B', 'N', 'O'])
                || rest[..rest.len() - after.len()].ends_with(['+', '#']);
            rest = after.trim_start_matches(LEADING);
            if looks_like_move(rest) && !is_next {
                return Recovery::Stop(error);
            }
            line.add(mv, |position| position.play_unchecked(mv));
            read = true;
            let nag = annotation(after).or_else(|| annotation(rest));
            if let Some(nag) = nag {
                line.annotate(nag);
            }
            if nag.is_some() || matches!(rest, "ch" | "mate") {
                break;
            }
            if !rest.is_empty() && !looks_like_move(rest) {
                assumed = true;
                break;
            }
        }
        if let Some(result) = result {
            return Recovery::Ended(result);
        }
    }
    match read {
        false => Recovery::Skip(error),
        true if assumed => Recovery::Assume(error),
        true => Recovery::Read,
    }
}

/// Returns the longest move with which a text begins, and what follows it.
fn first_move<'a>(position: &Position, text: &'a str) -> Option<(Move, &'a str)> {
    let ends = text.char_indices().skip(2).take(MAX_MOVE).map(|(end, _)| end);
    let (mv, end) = ends.filter_map(|end| Some((parse(position, &text[..end])?, end))).last()?;
    // A capture of which the square is missing.
    let after = &text[end..];
    (!after.starts_with(['x', ':', '×'])).then_some((mv, after))
}

/// Returns the move before a number that follows it without a space, as in `e52.`.
fn before_number(text: &str) -> Option<&str> {
    let rank = text.rfind(|letter: char| !letter.is_ascii_digit())? + 1;
    text.get(..rank + 1)
}

/// Returns the annotation glyph for a sign or an abbreviation that is a word of its own.
fn annotation(text: &str) -> Option<u8> {
    Some(match text {
        "‼" => 3,
        "⁉" => 5,
        "⁈" => 6,
        "□" => 7,
        "=" | "(=)" => 10,
        "∞" => 13,
        "+=" | "+/=" | "⩲" => 14,
        "=+" | "=/+" | "⩱" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" => 17,
        "+-" | "+−" | "+–" => 18,
        "-+" | "−+" | "–+" => 19,
        "↑" => 36,
        "→" => 40,
        "⇆" => 132,
        "N" | "TN" => 146,
        "D" => 220,
        _ => return None,
    })
}

/// Parses a result with dashes of other scripts, colons, or halves as one character.
fn result(text: &str) -> Option<GameResult> {
    // The longest is `1/2-1/2`; dashes and halves take up to three bytes.
    let text = Some(text).filter(|text| text.len() <= 16)?;
    GameResult::from_text(&text.replace(['–', '—', '‐', '−', ':'], "-").replace('½', "1/2"))
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
    const SIGNS: [char; 23] = [
        '+', '#', '=', '-', '/', '!', '?', ',', '.', '±', '∓', '⩲', '⩱', '∞', '−', '–', '□', '‼',
        '⁉', '⁈', '↑', '→', '⇆',
    ];
    let text = text.trim_end_matches(SIGNS);
    let text = text.strip_suffix("e.p").or_else(|| text.strip_suffix("ep")).unwrap_or(text);
    text.trim_end_matches(SIGNS)
}

/// Parses a move in SAN with figurines, with another spelling of castling or of a promotion, or with
/// the square of origin, as in UCI.
fn parse(position: &Position, text: &str) -> Option<Move> {
    if text.len() > MAX_MOVE {
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
                && text.bytes().any(|byte| matches!(byte, b'1'..=b'8' | b'x'))
            && text.bytes().all(|byte| matches!(byte, b'B' | b'K' | b'N' | b'Q' | b'R' | b'a'..=b'h' | b'1'..=b'8' | b'x' | b'-'))
}
