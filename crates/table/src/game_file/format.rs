//! The formats of game files, and recognizing them.

use std::fmt;
use std::path::Path;

use fourfold_blokus::Variant;
use fourfold_common::join;
use thiserror::Error;

use crate::{GAMES, kung_fu};

/// A format of game files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FileFormat {
    /// Games of chess.
    Pgn,
    /// Games of four-player chess, as chess.com writes them.
    Pgn4,
    /// A game of Blokus.
    Sgf,
    /// A replay of kung fu chess as JSON.
    KungFuJson,
    /// A replay of kung fu chess in the binary format.
    KungFuBinary,
    /// Positions of chess, one on each line, as FEN or EPD.
    Fen,
    /// Positions of four-player chess, one on each line.
    Fen4,
    /// Positions of Blokus, one on each line.
    BlokusPositions,
    /// A game in the format of a game that only [`GAMES`] knows.
    Other,
}

/// How many bytes of a file are inspected to recognize its format.
pub const HEAD: usize = 1 << 16;

/// Tags that only games of four-player chess have.
const PGN4_TAGS: [&str; 6] = ["StartFen4", "RuleVariants", "Red", "Blue", "Yellow", "Green"];

impl FileFormat {
    /// Every format that [`FileFormat::recognize`] knows by itself.
    pub const ALL: [FileFormat; 8] = [
        FileFormat::Pgn,
        FileFormat::Pgn4,
        FileFormat::Sgf,
        FileFormat::KungFuJson,
        FileFormat::KungFuBinary,
        FileFormat::Fen,
        FileFormat::Fen4,
        FileFormat::BlokusPositions,
    ];

    /// Returns the name of the format, such as `PGN`.
    pub const fn name(self) -> &'static str {
        match self {
            FileFormat::Pgn => "PGN",
            FileFormat::Pgn4 => "PGN4",
            FileFormat::Sgf => "Blokus SGF",
            FileFormat::KungFuJson => "kung fu chess replay (JSON)",
            FileFormat::KungFuBinary => "kung fu chess replay (binary)",
            FileFormat::Fen => "FEN",
            FileFormat::Fen4 => "FEN4",
            FileFormat::BlokusPositions => "Blokus position",
            FileFormat::Other => "game",
        }
    }

    /// Returns the format that files with an extension usually have.
    fn of_extension(extension: &str) -> Option<FileFormat> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "pgn" => FileFormat::Pgn,
            "pgn4" => FileFormat::Pgn4,
            "sgf" | "blksgf" => FileFormat::Sgf,
            "fen" | "epd" => FileFormat::Fen,
            "fen4" => FileFormat::Fen4,
            _ => return None,
        })
    }

    /// Recognizes the format of a file by its first bytes, of which [`HEAD`] are enough. If they
    /// fit several formats or none, the extension of `path` decides.
    ///
    /// ```
    /// use fourfold_table::game_file::FileFormat;
    ///
    /// let of = |text: &str| FileFormat::recognize(text.as_bytes(), None);
    /// assert_eq!(of("1. e4 e5 *"), Ok(FileFormat::Pgn));
    /// assert_eq!(of("1. h2-h4 .. b7-d7"), Ok(FileFormat::Pgn4));
    /// assert_eq!(of("(;GM[Blokus Duo];B[e10])"), Ok(FileFormat::Sgf));
    /// assert_eq!(of("8/8/8/4k3/8/8/8/4K3 w - - 0 1"), Ok(FileFormat::Fen));
    /// assert!(of("Dear Sir or Madam").is_err());
    /// ```
    ///
    /// # Errors
    /// Returns an error that lists the formats if it is none of them.
    pub fn recognize(head: &[u8], path: Option<&Path>) -> Result<FileFormat, UnknownFormat> {
        if head.starts_with(&kung_fu::MAGIC) {
            return Ok(FileFormat::KungFuBinary);
        }
        let hint = path.and_then(Path::extension).and_then(|extension| extension.to_str());
        let hint = hint.and_then(FileFormat::of_extension);
        let binary = head.contains(&0) || head.starts_with(b"\x1f\x8b");
        let text = String::from_utf8_lossy(head);
        let text = trim_start(&text);
        if binary || text.is_empty() {
            return Err(UnknownFormat::of(head, text));
        }
        match FileFormat::of_text(text) {
            // A game without tags looks alike in both, if nobody was eliminated.
            Some(FileFormat::Pgn) if hint == Some(FileFormat::Pgn4) => Ok(FileFormat::Pgn4),
            // Text before the first game.
            Some(FileFormat::Fen) if hint == Some(FileFormat::Pgn) && text.starts_with('#') => {
                Ok(FileFormat::Pgn)
            }
            Some(format) => Ok(format),
            None if GAMES.iter().any(|game| game.is_file(text)) => Ok(FileFormat::Other),
            None => hint.ok_or_else(|| UnknownFormat::of(head, text)),
        }
    }

    fn of_text(text: &str) -> Option<FileFormat> {
        if is_sgf(text) {
            return Some(FileFormat::Sgf);
        }
        if is_json_object(text) {
            return Some(FileFormat::KungFuJson);
        }
        if is_pgn4(text) {
            return Some(FileFormat::Pgn4);
        }
        if is_position_list(text) {
            let line = first_line(text);
            return Some(match line.as_bytes() {
                [b'R' | b'B' | b'Y' | b'G', b'-', ..] => FileFormat::Fen4,
                _ if is_blokus_position(line) => FileFormat::BlokusPositions,
                _ => FileFormat::Fen,
            });
        }
        is_pgn(text).then_some(FileFormat::Pgn)
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the text without a byte order mark and white space before it.
pub(crate) fn trim_start(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim_start()
}

/// Returns the first line that is not empty and not a comment of a list of positions.
fn first_line(text: &str) -> &str {
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default()
}

fn first_word(text: &str) -> &str {
    text.split_ascii_whitespace().next().unwrap_or_default()
}

/// Returns whether a text is a list of positions of any game. The first word of a FEN has a slash,
/// and no other format has comments that begin with `#`.
pub(crate) fn is_position_list(text: &str) -> bool {
    let line = first_line(text);
    let word = first_word(line);
    let is_fen = word.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && word.contains('/')
        && !word.contains(['-', '.', ':']);
    let is_fen4 = line.starts_with(['R', 'B', 'Y', 'G']) && line[1..].starts_with('-');
    let comment = text.starts_with('#') && !line.starts_with('[');
    comment || is_fen || is_fen4 || is_blokus_position(line)
}

/// Returns whether a line begins with the name of a variant of Blokus.
fn is_blokus_position(line: &str) -> bool {
    Variant::from_name(first_word(line)).is_some()
}

/// Returns whether a text is a game of Blokus.
pub(crate) fn is_sgf(text: &str) -> bool {
    // Other text may precede the game.
    text.strip_prefix('(')
        .is_some_and(|rest| rest.trim_start().starts_with([';', '(']) || rest.contains("(;"))
}

/// Returns whether a text begins an object of JSON with a key. Any other `{` begins a comment in PGN.
fn is_json_object(text: &str) -> bool {
    let key = text.strip_prefix('{').and_then(|rest| rest.trim_start().strip_prefix('"'));
    let after = key.and_then(|key| key.split_once('"'));
    after.is_some_and(|(_, after)| after.trim_start().starts_with(':'))
}

/// Returns whether a text has games of four-player chess: by its tags or, without tags, by the
/// dots between the players' moves.
pub(crate) fn is_pgn4(text: &str) -> bool {
    let tags = text.lines().map(str::trim_start).filter_map(|line| line.strip_prefix('['));
    let mut tagged = false;
    for tag in tags {
        let name = tag.trim_start().split([' ', '\t', '"']).next().unwrap_or_default();
        let value = tag.split('"').nth(1).unwrap_or_default().to_ascii_lowercase();
        let four = name == "Variant" && ["ffa", "teams"].iter().any(|mode| value.starts_with(mode));
        if four || PGN4_TAGS.contains(&name) {
            return true;
        }
        tagged |= ["White", "Black"].contains(&name);
    }
    let starts_with_move =
        text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '[');
    !tagged && starts_with_move && text.split_ascii_whitespace().any(|word| word == "..")
}

/// Returns whether a text may be PGN: it begins with a tag, a comment, an escaped line, a move
/// number, a move or a result.
pub(crate) fn is_pgn(text: &str) -> bool {
    let word = first_word(text);
    let is_move = || {
        let squares = |letter: char| "abcdefgh12345678".contains(letter);
        let others = |letter: char| "KQRBNPOx0-=+#!?*/.".contains(letter);
        let both = word.contains(|letter: char| "abcdefghO0".contains(letter))
            && word.contains(|letter: char| letter.is_ascii_digit() || letter == 'O');
        both && word.chars().all(|letter| squares(letter) || others(letter))
    };
    let is_number = || {
        let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        rest.len() < word.len() && (rest.is_empty() || rest.starts_with('.'))
    };
    let result = ["*", "1-0", "0-1", "1/2-1/2", "1/2"].contains(&word);
    // Other text may precede the first game.
    let tagged = || text.contains("\n[Event \"");
    text.starts_with(['[', '{', ';', '%']) || result || is_number() || is_move() || tagged()
}

/// The error for a file in none of the formats.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{problem}: expected {}", accepted())]
#[non_exhaustive]
pub struct UnknownFormat {
    /// What the file is instead, in words.
    pub problem: &'static str,
}

impl UnknownFormat {
    pub(crate) fn of(head: &[u8], text: &str) -> UnknownFormat {
        let problem = match () {
            () if head.starts_with(b"\x1f\x8b") => {
                "the file is compressed with gzip (decompress it first)"
            }
            () if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") => {
                "the file is UTF-16 text (convert it to UTF-8 first)"
            }
            () if head.contains(&0) => "unknown binary file",
            () if text.is_empty() => "the file is empty",
            () => "unknown file format",
        };
        UnknownFormat { problem }
    }
}

/// Lists the formats, for error messages.
fn accepted() -> String {
    join(FileFormat::ALL.map(FileFormat::name), ", ")
}
