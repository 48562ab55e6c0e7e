//! The games with perft: their trees, and their lines in files of counts.

use anyhow::anyhow;
use fourfold_blokus as blokus;
use fourfold_chess::{self as chess, FenField, Variant};
use fourfold_four_player::{self as four_player, Rules, StartPosition};

use crate::perft::{self, Arguments};

/// The position of any game, as the root of a tree.
pub(crate) type Tree = Box<dyn Position>;

/// A position whose continuations can be counted.
pub(crate) trait Position: Send + Sync {
    /// Returns the positions after each legal move, with the notation of the move.
    fn children(&self) -> Vec<(String, Tree)>;

    /// Returns the number of move sequences of exactly this length.
    fn perft(&self, depth: u32) -> u64 {
        match depth.checked_sub(1) {
            Some(rest) => self.children().iter().map(|(_, child)| child.perft(rest)).sum(),
            None => 1,
        }
    }
}

/// A game with perft.
pub(crate) struct Game {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// The options of `perft` that belong to this game.
    pub(crate) options: &'static [&'static str],
    /// Makes the root of a tree from the options of `perft`.
    pub(crate) root: fn(&Arguments) -> anyhow::Result<Tree>,
    /// What its lines in files of counts look like, for error messages.
    pub(crate) line_form: &'static str,
    /// Returns whether a line of such a file belongs to this game.
    pub(crate) recognizes: fn(&str) -> bool,
    /// Reads the fields of a line, which are separated by semicolons. Returns `None` if they do not
    /// have the right form.
    pub(crate) read_line: fn(&[&str]) -> Option<Line>,
}

/// A position with its perft counts.
pub(crate) struct Line {
    pub(crate) title: String,
    pub(crate) root: anyhow::Result<Tree>,
    /// Pairs of depth and number of nodes.
    pub(crate) counts: Vec<(u32, u64)>,
}

/// Every game with perft. This is the only list of these games. A line that no game recognizes is
/// one of the first game.
pub(crate) static GAMES: &[Game] = &[
    Game {
        name: "chess",
        options: &["--chess960"],
        root: |options| chess_root(options.fen.as_deref(), options.chess960),
        line_form: "'FEN;depth;nodes' or 'FEN ;D1 nodes ;D2 nodes …'",
        recognizes: |_| false,
        read_line: chess_line,
    },
    Game {
        name: "four-player",
        options: &["--setup", "--mode", "--rules"],
        root: |options| {
            let words = options.rules.as_deref().unwrap_or("off");
            let mode = options.mode.as_deref().unwrap_or_default();
            let setup = options.setup.as_deref().unwrap_or(perft::SETUPS[0]);
            four_player_root(options.fen.as_deref(), setup, &format!("{words} {mode}"))
        },
        line_form: "'FEN4 ; rules ; D1 nodes ; D2 nodes …'",
        // A FEN4 begins with the player to move.
        recognizes: |line| line.starts_with(['R', 'B', 'Y', 'G']) && line[1..].starts_with('-'),
        read_line: |fields| {
            let [fen4, words, counts @ ..] = fields else { return None };
            let (title, counts) = (format!("{fen4} ({words})"), read_counts(counts)?);
            Some(Line { title, counts, root: four_player_root(Some(fen4), "", words) })
        },
    },
    blokus_game("blokus", |options| blokus_root(options.fen.as_deref().unwrap_or("classic"))),
    blokus_game("blokus-duo", |options| blokus_root(options.fen.as_deref().unwrap_or("duo"))),
];

const fn blokus_game(name: &'static str, root: fn(&Arguments) -> anyhow::Result<Tree>) -> Game {
    Game {
        name,
        options: &[],
        root,
        line_form: "'VARIANT ; D1 nodes …' or 'POSITION ; D1 nodes …'",
        recognizes: |line| {
            let name = line.split([' ', ';']).next().unwrap_or_default();
            blokus::Variant::from_name(name).is_some()
        },
        read_line: |fields| position_line(fields, blokus_root),
    }
}

impl Position for chess::Position {
    fn children(&self) -> Vec<(String, Tree)> {
        let child = |&mv: &chess::Move| (mv.uci(self.variant()), Box::new(self.after(mv)) as Tree);
        self.legal_moves().iter().map(child).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        chess::perft(self, depth)
    }
}

impl Position for four_player::Position {
    fn children(&self) -> Vec<(String, Tree)> {
        let child = |&mv: &four_player::Move| (mv.to_string(), Box::new(self.after(mv)) as Tree);
        self.legal_moves().iter().map(child).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        four_player::perft(self, depth)
    }
}

impl Position for blokus::Position {
    fn children(&self) -> Vec<(String, Tree)> {
        let size = self.variant().size();
        let child = |&placement: &blokus::Placement| {
            (placement.to_text(size), Box::new(self.after(placement)) as Tree)
        };
        self.legal_moves().iter().map(child).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        blokus::perft(self, depth)
    }
}

fn chess_root(fen: Option<&str>, chess960: bool) -> anyhow::Result<Tree> {
    let variant = if chess960 { Variant::Chess960 } else { Variant::Standard };
    Ok(Box::new(match fen {
        Some(fen) => chess::Position::from_fen_in(fen, variant)?,
        None => chess::Setup { variant, ..chess::Setup::start() }.validate()?,
    }))
}

/// Makes a position of standard chess or, if its castling rights require it, of Chess960.
fn chess_of_either_kind(fen: &str) -> anyhow::Result<Tree> {
    let position = chess::Position::from_fen(fen).or_else(|error| match error.field {
        FenField::Castling => {
            // File letters are used only in Chess960, so report its error.
            let rights = fen.split(' ').nth(2).unwrap_or_default();
            let by_file = rights.chars().any(|letter| !"KQkq".contains(letter));
            chess::Position::from_fen_in(fen, Variant::Chess960)
                .map_err(|other| if by_file { other } else { error })
        }
        _ => Err(error),
    })?;
    Ok(Box::new(position))
}

fn chess_line(fields: &[&str]) -> Option<Line> {
    let (fen, fields) = fields.split_first()?;
    let fields: Vec<&str> = fields.iter().copied().filter(|field| !field.is_empty()).collect();
    let counts = match fields[..] {
        [depth, nodes] if !depth.starts_with('D') => vec![read_count(depth, nodes)?],
        _ => read_counts(&fields)?,
    };
    Some(Line { title: (*fen).to_owned(), counts, root: chess_of_either_kind(fen) })
}

/// Makes a position of four-player chess. The draw rules are switched off, so that they do not cut
/// the tree.
fn four_player_root(fen4: Option<&str>, setup: &str, words: &str) -> anyhow::Result<Tree> {
    let rules = Rules { repetitions: 0, quiet_plies: 0, bare_kings: false, ..Rules::parse(words)? };
    let position = match fen4 {
        Some(fen4) => four_player::Position::from_fen4(fen4, rules)?,
        None => {
            let opening = StartPosition::from_name(setup);
            let opening = opening.ok_or_else(|| anyhow!("unknown setup '{setup}'"))?;
            four_player::Position::start(opening, rules)
        }
    };
    Ok(Box::new(position))
}

/// Makes a Blokus position from the name of a variant or from a position.
fn blokus_root(text: &str) -> anyhow::Result<Tree> {
    Ok(Box::new(match blokus::Variant::from_name(text) {
        Some(variant) => blokus::Position::start(variant),
        None => blokus::Position::parse(text)?,
    }))
}

/// Reads a line with a position and counts.
fn position_line(fields: &[&str], root: fn(&str) -> anyhow::Result<Tree>) -> Option<Line> {
    let (position, counts) = fields.split_first()?;
    let (title, counts) = ((*position).to_owned(), read_counts(counts)?);
    Some(Line { title, counts, root: root(position) })
}

/// Parses counts such as `D1 20`.
fn read_counts(fields: &[&str]) -> Option<Vec<(u32, u64)>> {
    let read = |field: &&str| {
        let (depth, nodes) = field.strip_prefix('D')?.split_once(' ')?;
        read_count(depth, nodes)
    };
    fields.iter().map(read).collect()
}

fn read_count(depth: &str, nodes: &str) -> Option<(u32, u64)> {
    let depth = depth.trim().parse().ok().filter(|&depth| depth <= perft::MAX_DEPTH)?;
    Some((depth, nodes.trim().parse().ok()?))
}
