//! What the commands for game files share: opening a file, choosing games, and progress.

use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::{Context, bail};
use fourfold_table::Played;
use fourfold_table::game_file::{FileGame, GameReader};
use indicatif::ProgressBar;

use crate::progress;

/// The games of a file that a user asked for.
pub(crate) struct Games {
    reader: GameReader,
    /// The number of the only game to read.
    only: Option<u64>,
    read: u64,
    bar: ProgressBar,
}

impl Games {
    /// Opens a file, or standard input for `-`. If `only` is given, all other games are skipped.
    pub(crate) fn open(path: &Path, only: Option<u64>, strict: bool) -> anyhow::Result<Games> {
        let reader = if path == Path::new("-") {
            GameReader::new(Box::new(io::stdin()), None).context("cannot read standard input")?
        } else {
            GameReader::open(path).with_context(|| format!("cannot read {}", path.display()))?
        };
        let reader = if strict { reader.strict() } else { reader };
        // A progress bar would get in the way of output on the same terminal.
        let bar = match reader.bytes() {
            Some(bytes) if !io::stdout().is_terminal() => progress::bytes(bytes),
            _ => ProgressBar::hidden(),
        };
        Ok(Games { reader, only, read: 0, bar })
    }

    pub(crate) fn reader(&self) -> &GameReader {
        &self.reader
    }

    /// Returns the progress bar, so that messages can be printed above it.
    pub(crate) fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    /// Returns the next game. An error is one that ends the file.
    pub(crate) fn next(&mut self) -> anyhow::Result<Option<FileGame>> {
        loop {
            if self.only.is_some_and(|number| self.read >= number) {
                return Ok(None);
            }
            let game = self.reader.next().transpose()?;
            self.bar.set_position(self.reader.bytes_read());
            match (game, self.only) {
                (Some(game), only) => {
                    self.read += 1;
                    if only.is_none_or(|number| number == game.number) {
                        return Ok(Some(game));
                    }
                }
                (None, Some(_)) if self.read == 0 => bail!("the file has no games"),
                (None, Some(number)) => {
                    bail!("expected a game from 1 to {}, got {number}", self.read)
                }
                (None, None) => return Ok(None),
            }
        }
    }
}

/// Returns moves as text in lines of at most `width` characters: `1. e4 e5 2. Nf3`.
pub(crate) fn movetext(moves: &[Played], width: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    let mut last = None;
    for played in moves {
        let numbered = match last {
            Some(number) if number == played.number => played.text.clone(),
            None if played.seat.index() > 0 => format!("{}... {}", played.number, played.text),
            _ => format!("{}. {}", played.number, played.text),
        };
        last = Some(played.number);
        let length = numbered.chars().count();
        if column > 0 && column + 1 + length > width {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&numbered);
        column += length;
    }
    text
}
