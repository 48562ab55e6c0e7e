//! FEN4: a position as one line of text.
//!
//! The format is `turn-dead-castleK-castleQ-points-clock[-{extra}]-board`. Each list has four
//! values in turn order. The parser is strict, and the output is canonical. There is also a lenient
//! parser for what other programs write.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use fourfold_board::Square;
use fourfold_common::{ensure, quote_short};
use thiserror::Error;

use crate::lines::walk;
use crate::pieces::cell;
use crate::{
    Army, BOARD, InvalidSetupError, Piece, Player, Players, Position, Role, Rules, Setup, Wing,
};

impl Position {
    /// Parses a position. A player to move who has no legal move is eliminated at once, as in play.
    ///
    /// # Errors
    /// Returns an error that describes the fault and where it is.
    pub fn from_fen4(text: &str, rules: Rules) -> Result<Position, ParseFen4Error> {
        Setup::from_fen4(text)?.validate(rules).map_err(ParseFen4Error::Invalid)
    }

    /// Parses a position as other programs may write it: as [`Position::from_fen4`] does if that
    /// succeeds, otherwise as [`Setup::from_fen4_lenient`].
    ///
    /// ```
    /// use fourfold_four_player::{Position, Rules};
    ///
    /// // The pawn that skipped h3 has been captured since.
    /// let text = "Y-0,0,0,0-0,0,0,0-0,0,0,0-0,1,0,0-0-{'enPassant':('h3:h4','','','')}-
    ///     6,yK,7/14/14/14/14/14/13,gK/bK,13/14/14/7,bR,6/14/14/6,rK,7";
    /// assert!(Position::from_fen4(text, Rules::default()).is_err());
    /// let position = Position::from_fen4_lenient(text, Rules::default())?;
    /// assert!(position.en_passant_squares().is_empty());
    /// # Ok::<(), fourfold_four_player::ParseFen4Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error that describes the fault and where it is.
    pub fn from_fen4_lenient(text: &str, rules: Rules) -> Result<Position, ParseFen4Error> {
        Position::from_fen4(text, rules).or_else(|_| {
            let setup = Setup::from_fen4_lenient(text)?;
            setup.validate(rules).map_err(ParseFen4Error::Invalid)
        })
    }

    /// Formats the position as a FEN4.
    pub fn fen4(&self) -> String {
        self.setup().fen4()
    }
}

impl Setup {
    /// Parses a FEN4 without checking that the position can be played; see [`Setup::validate`].
    ///
    /// # Errors
    /// Returns an error that describes the fault and where it is.
    pub fn from_fen4(text: &str) -> Result<Setup, ParseFen4Error> {
        read(text.trim(), Style::Strict)
    }

    /// Parses a FEN4 as other programs may write it, without checking that the position can be
    /// played. Unlike in [`Setup::from_fen4`], there may be white space anywhere, letters of either
    /// case, leading zeros, and entries `gameOver` among the extra ones. Castling rights and en
    /// passant squares that the pieces do not allow are dropped, players who have withdrawn count as
    /// eliminated, and the pieces of eliminated players need not be marked.
    ///
    /// # Errors
    /// Returns an error that describes the fault and where it is.
    pub fn from_fen4_lenient(text: &str) -> Result<Setup, ParseFen4Error> {
        let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let mut setup = read(&text, Style::Lenient)?;
        setup.drop_stale_rights();
        Ok(setup)
    }

    /// Formats the arrangement as a FEN4.
    pub fn fen4(&self) -> String {
        let bits = |players: Players| {
            list(Player::ALL.map(|player| u8::from(players.contains(player)).to_string()))
        };
        format!(
            "{}-{}-{}-{}-{}-{}-{}{}",
            self.turn.letter(),
            bits(self.eliminated),
            bits(self.castling(Wing::Short)),
            bits(self.castling(Wing::Long)),
            list(self.points.map(|points| points.to_string())),
            self.clock,
            self.extra(),
            self.board()
        )
    }

    fn extra(&self) -> String {
        let mut entries = Vec::new();
        if self.en_passant != [None; 4] {
            let squares = Player::ALL.map(|player| match self.en_passant[player as usize] {
                Some(skipped) => {
                    let pawn = walk(cell(skipped), Army::of(player).forward, 1);
                    let pawn = Square::new(pawn as usize);
                    format!("'{}:{}'", BOARD.name(skipped), BOARD.name(pawn))
                }
                None => "''".to_owned(),
            });
            entries.push(format!("'enPassant':({})", list(squares)));
        }
        for (name, players) in [("resigned", self.resigned), ("flagged", self.flagged)] {
            if !players.is_empty() {
                let words = Player::ALL.map(|player| players.contains(player).to_string());
                entries.push(format!("'{name}':({})", list(words)));
            }
        }
        if entries.is_empty() { String::new() } else { format!("{{{}}}-", entries.join(",")) }
    }

    fn board(&self) -> String {
        let ranks: Vec<String> = (0..14).rev().map(|rank| self.rank(rank)).collect();
        ranks.join("/")
    }

    fn rank(&self, rank: i32) -> String {
        let mut cells = Vec::new();
        let mut empty = 0;
        for file in 0..14 {
            let piece = BOARD.square(file, rank).and_then(|square| self.piece_at(square));
            match piece {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        cells.push(core::mem::take(&mut empty).to_string());
                    }
                    cells.push(self.format_piece(piece));
                }
            }
        }
        if empty > 0 {
            cells.push(empty.to_string());
        }
        cells.join(",")
    }

    fn format_piece(&self, piece: Piece) -> String {
        let role = piece.role.letter();
        match piece.owner {
            None => format!("d{role}"),
            Some(owner) => {
                let dead = if self.eliminated.contains(owner) { "d" } else { "" };
                format!("{dead}{}{role}", owner.letter().to_ascii_lowercase())
            }
        }
    }
}

/// Which deviations a parser accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Strict,
    Lenient,
}

fn read(text: &str, style: Style) -> Result<Setup, ParseFen4Error> {
    // The board field never contains a hyphen.
    let (head, board) = text.rsplit_once('-').ok_or(ParseFen4Error::FieldCount { found: 1 })?;
    let (head, extra) = match head.split_once("-{") {
        Some((head, extra)) => (head, Some(extra)),
        None => (head, None),
    };
    let parts: Vec<&str> = head.split('-').collect();
    let [turn, dead, short, long, points, clock] = parts[..] else {
        return Err(ParseFen4Error::FieldCount { found: parts.len() + 1 });
    };
    let mut setup = Setup::empty();
    let letter = turn
        .parse()
        .ok()
        .filter(|letter: &char| style == Style::Lenient || letter.is_ascii_uppercase());
    let player = letter.and_then(Player::from_letter);
    setup.turn = player.ok_or_else(|| invalid("turn", turn, "one of R, B, Y, G"))?;
    setup.eliminated = flags("eliminated players", dead)?;
    *setup.castling_mut(Wing::Short) = flags("short castling", short)?;
    *setup.castling_mut(Wing::Long) = flags("long castling", long)?;
    for (points, text) in setup.points.iter_mut().zip(four("points", points)?) {
        *points = number("points", text, style)?;
    }
    setup.clock = number("clock", clock, style)?;
    if let Some(extra) = extra {
        read_extra(&mut setup, extra, style)?;
    }
    read_board(&mut setup, board, style)?;
    Ok(setup)
}

fn list(values: [String; 4]) -> String {
    values.join(",")
}

fn invalid(part: &'static str, text: &str, expected: &'static str) -> ParseFen4Error {
    ParseFen4Error::Field { part, text: text.to_owned(), expected }
}

/// Splits a list into its four values.
fn four<'a>(part: &'static str, text: &'a str) -> Result<[&'a str; 4], ParseFen4Error> {
    let values: Vec<&str> = text.split(',').collect();
    values.try_into().map_err(|_| invalid(part, text, "four values separated by commas"))
}

/// Parses four values that say which players are in a set.
fn players(
    part: &'static str,
    text: &str,
    [no, yes]: [&str; 2],
    expected: &'static str,
) -> Result<Players, ParseFen4Error> {
    let mut players = Players::NONE;
    for (player, value) in Player::ALL.into_iter().zip(four(part, text)?) {
        if value == yes {
            players = players.with(player);
        } else if value != no {
            return Err(invalid(part, value, expected));
        }
    }
    Ok(players)
}

fn flags(part: &'static str, text: &str) -> Result<Players, ParseFen4Error> {
    players(part, text, ["0", "1"], "0 or 1")
}

/// Parses a number without a sign and, if strict, without leading zeros.
fn number(part: &'static str, text: &str, style: Style) -> Result<u16, ParseFen4Error> {
    let plain = text.bytes().all(|digit| digit.is_ascii_digit())
        && (style == Style::Lenient || text == "0" || !text.starts_with('0'));
    let value = text.parse().ok().filter(|_| plain);
    value.ok_or_else(|| invalid(part, text, "a number from 0 to 9999"))
}

/// Parses `'enPassant':('h3:h4','','',''),'resigned':(true,false,false,false)}`.
fn read_extra(setup: &mut Setup, text: &str, style: Style) -> Result<(), ParseFen4Error> {
    let broken = || invalid("extra", text, "text like {'enPassant':('h3:h4','','','')}");
    let mut rest = text.strip_suffix('}').ok_or_else(broken)?;
    let mut seen: Vec<&str> = Vec::new();
    while !rest.is_empty() {
        // Says how the game ended.
        if style == Style::Lenient
            && let Some(after) = rest.strip_prefix("'gameOver':'")
        {
            let (_, after) = after.split_once('\'').ok_or_else(broken)?;
            rest = after.strip_prefix(',').unwrap_or(after);
            continue;
        }
        let (name, after) =
            rest.strip_prefix('\'').and_then(|rest| rest.split_once("':(")).ok_or_else(broken)?;
        let (values, after) = after.split_once(')').ok_or_else(broken)?;
        ensure!(!seen.contains(&name), invalid("extra", name, "a name that is not given twice"));
        seen.push(name);
        match name {
            "enPassant" => read_en_passant(setup, values)?,
            "resigned" => setup.resigned = words(values)?,
            "flagged" => setup.flagged = words(values)?,
            _ => return Err(invalid("extra", name, "one of enPassant, resigned, flagged")),
        }
        rest = match after.strip_prefix(',') {
            Some("") => return Err(broken()),
            Some(more) => more,
            None if after.is_empty() => after,
            None => return Err(broken()),
        };
    }
    if style == Style::Lenient {
        setup.eliminated = setup.eliminated.or(setup.resigned).or(setup.flagged);
    }
    Ok(())
}

fn words(text: &str) -> Result<Players, ParseFen4Error> {
    players("extra", text, ["false", "true"], "true or false")
}

fn read_en_passant(setup: &mut Setup, text: &str) -> Result<(), ParseFen4Error> {
    for (player, value) in Player::ALL.into_iter().zip(four("en passant", text)?) {
        let broken = || invalid("en passant", value, "text like 'h3:h4' (skipped square and pawn)");
        let value = value.strip_prefix('\'').and_then(|value| value.strip_suffix('\''));
        let value = value.ok_or_else(broken)?;
        if value.is_empty() {
            continue;
        }
        let (skipped, pawn) = value.split_once(':').ok_or_else(broken)?;
        let skipped = BOARD.parse(skipped).map_err(|_| broken())?;
        let pawn = BOARD.parse(pawn).map_err(|_| broken())?;
        if BOARD.step(skipped, Army::of(player).forward) != Some(pawn) {
            let expected = "a skipped square and the square of the pawn in front of it";
            return Err(invalid("en passant", value, expected));
        }
        setup.en_passant[player as usize] = Some(skipped);
    }
    Ok(())
}

fn read_board(setup: &mut Setup, text: &str, style: Style) -> Result<(), ParseFen4Error> {
    let ranks: Vec<&str> = text.split('/').collect();
    ensure!(ranks.len() == 14, ParseFen4Error::Ranks { found: ranks.len() });
    for (rank, text) in (0..14).rev().zip(ranks) {
        read_rank(setup, rank, text, style)?;
    }
    Ok(())
}

fn read_rank(setup: &mut Setup, rank: i32, text: &str, style: Style) -> Result<(), ParseFen4Error> {
    let cells = |found| ParseFen4Error::Cells { rank: rank + 1, found };
    let mut file = 0;
    for text in text.split(',') {
        let invalid =
            |expected| ParseFen4Error::Cell { rank: rank + 1, text: text.to_owned(), expected };
        let square = BOARD.square(file, rank);
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            let run = number("board", text, style).ok().filter(|run| (1..=14).contains(run));
            file += i32::from(run.ok_or_else(|| invalid("a run of 1 to 14 empty cells"))?);
        } else if text == "x" || style == Style::Lenient && text == "X" {
            let cut_off = square.is_none() && file < 14;
            ensure!(cut_off, invalid("a piece or a number ('x' stands only in cut corners)"));
            file += 1;
        } else {
            let (piece, dead) =
                parse_piece(text, style).ok_or_else(|| invalid("a piece like rP, dbR or dR"))?;
            let square = square.ok_or_else(|| invalid("no piece outside the board"))?;
            let wrong = if dead {
                "a piece not marked as dead, because its player is alive"
            } else {
                "a piece marked as dead (prefix d), because its player is eliminated"
            };
            let agrees = |owner| {
                let eliminated = setup.eliminated.contains(owner);
                eliminated == dead || eliminated && style == Style::Lenient
            };
            ensure!(piece.owner.is_none_or(agrees), invalid(wrong));
            setup.put(square, Some(piece));
            file += 1;
        }
        ensure!(file <= 14, cells(file));
    }
    if file == 14 { Ok(()) } else { Err(cells(file)) }
}

/// Parses a piece, and whether it is marked as dead.
fn parse_piece(text: &str, style: Style) -> Option<(Piece, bool)> {
    let mut letters: Vec<char> = text.chars().collect();
    if style == Style::Lenient {
        let (role, owner) = letters.split_last_mut()?;
        role.make_ascii_uppercase();
        owner.iter_mut().for_each(char::make_ascii_lowercase);
    }
    let player = |letter: char| Player::from_letter(letter).filter(|_| letter.is_ascii_lowercase());
    match letters[..] {
        ['d', role] => Some((Piece { owner: None, role: Role::from_letter(role)? }, true)),
        ['d', owner, role] => Some((Piece::new(player(owner)?, Role::from_letter(role)?), true)),
        [owner, role] => Some((Piece::new(player(owner)?, Role::from_letter(role)?), false)),
        _ => None,
    }
}

/// The error returned when a string is not a valid FEN4.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ParseFen4Error {
    /// The number of fields is wrong.
    #[error(
        "expected a FEN4 with 7 fields separated by hyphens, and optionally {{extra}} before the \
         board, got {found}"
    )]
    FieldCount {
        /// The number of fields found.
        found: usize,
    },
    /// A field other than the board is invalid.
    #[error("{part}: expected {expected}, got '{}'", quote_short(.text))]
    Field {
        /// The name of the field.
        part: &'static str,
        /// The text of the field, or of one of its values.
        text: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The board does not have 14 ranks.
    #[error("expected 14 ranks, got {found}")]
    Ranks {
        /// The number of ranks found.
        found: usize,
    },
    /// A rank does not have 14 cells.
    #[error("expected 14 cells in rank {rank}, got {found}")]
    Cells {
        /// The rank, counted from 1.
        rank: i32,
        /// The number of cells found; counting stops when a rank is too long.
        found: i32,
    },
    /// A cell is invalid.
    #[error("rank {rank}: expected {expected}, got '{}'", quote_short(.text))]
    Cell {
        /// The rank of the cell, counted from 1.
        rank: i32,
        /// The text of the cell.
        text: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The text is well formed, but the position cannot be played.
    #[error("{0}")]
    Invalid(InvalidSetupError),
}
