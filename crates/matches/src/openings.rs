//! Openings from a file.

use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use fourfold_common::quote_short;
use fourfold_table::{ChessTable, Table};

/// A position to start from, by default the usual one, and moves to play from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Opening {
    start: Option<String>,
    moves: Vec<String>,
}

impl Opening {
    /// Sets up a table with the opening.
    pub(crate) fn table(&self, game: &str) -> anyhow::Result<Box<dyn Table>> {
        let mut table = usual_start(game)?;
        if let Some(start) = &self.start {
            table.set(start)?;
        }
        for code in &self.moves {
            table.play(code)?;
        }
        if let Some(outcome) = table.outcome() {
            return Err(anyhow!("the game is already over: {}", outcome.text));
        }
        Ok(table)
    }
}

/// Reads a file with one opening per line: a position, moves from the usual start, or a position, the
/// word `moves` and moves. Empty lines and lines that begin with `#` are ignored.
pub(crate) fn read(path: &Path, game: &str) -> anyhow::Result<Vec<Opening>> {
    let name = path.display();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read '{name}'"))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            let opening = parse(line, game).with_context(|| format!("{name}:{number}"))?;
            openings.push(opening);
        }
    }
    ensure!(!openings.is_empty(), "'{name}' has no openings");
    Ok(openings)
}

fn parse(line: &str, game: &str) -> anyhow::Result<Opening> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut parts = words.splitn(2, |&word| word == "moves");
    let first = parts.next().unwrap_or_default();
    let (start, moves) = match (is_position(first), parts.next()) {
        (true, moves) => (Some(first), moves.unwrap_or_default()),
        (false, Some(moves)) if matches!(first, [] | ["startpos"]) => (None, moves),
        (false, Some(_)) => {
            let text = first.join(" ");
            return Err(anyhow!(
                "expected a position before 'moves', got '{}'",
                quote_short(&text)
            ));
        }
        (false, None) => (None, first),
    };
    let start = start.map(|words| position(words, game)).transpose()?;
    let moves = moves.iter().map(|word| without_number(word)).filter(|word| !word.is_empty());
    let opening = Opening { start, moves: moves.map(str::to_owned).collect() };
    // A mistake in the file is found before any game is played.
    opening.table(game)?;
    Ok(opening)
}

/// Returns whether words are a position rather than moves. FENs and FEN4s have slashes, and positions of
/// Blokus begin with the name of a variant, which is not followed by a cell.
fn is_position(words: &[&str]) -> bool {
    let has_slash = words.iter().any(|word| word.contains('/'));
    has_slash || words.get(1).is_some_and(|word| word.len() == 1)
}

/// Returns a position as the game writes it.
fn position(words: &[&str], game: &str) -> anyhow::Result<String> {
    let text = words.join(" ");
    let mut table = usual_start(game)?;
    let Err(error) = table.set(&text) else { return Ok(text) };
    // An EPD has no move counters, but may have operations.
    let [board, turn, castling, en_passant, ..] = words[..] else { return Err(error.into()) };
    let fen = format!("{board} {turn} {castling} {en_passant} 0 1");
    match table.set(&fen) {
        Ok(()) => Ok(fen),
        Err(_) => Err(error.into()),
    }
}

fn usual_start(game: &str) -> anyhow::Result<Box<dyn Table>> {
    if game == "chess960" {
        let table = ChessTable::chess960(518).context("unknown start position")?;
        return Ok(Box::new(table));
    }
    Ok(fourfold_table::make(game)?)
}

/// Returns a word without the number of a move: nothing for `1.`, and `e4` for `1.e4`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(game: &str, text: &str) -> anyhow::Result<Vec<String>> {
        let folder = std::env::temp_dir().join(format!("fourfold-openings-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{game}-{}.txt", text.len()));
        std::fs::write(&path, text)?;
        let openings = read(&path, game)?;
        openings.iter().map(|opening| Ok(opening.table(game)?.position())).collect()
    }

    #[test]
    fn lines_are_positions_and_moves() {
        let text = "\u{feff}# three ways to the same position\r\n1. e4 c5\r\n\r\ne2e4 c7c5\n1.e4 1...c5\nstartpos moves e4 c5\n\
            rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 moves c7c5\n\
            rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3; id \"a b\";\n";
        let found = positions("chess", text).expect("openings");
        let [first, .., last] = &found[..] else { panic!("{found:?}") };
        assert_eq!(found.len(), 6);
        assert!(found[..5].iter().all(|position| position == first), "{found:?}");
        assert!(last.ends_with("/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"), "{last}");
    }

    #[test]
    fn every_turn_based_game_has_openings() {
        for game in fourfold_bots::games().filter(|game| !game.starts_with("kung-fu")) {
            let mut table = usual_start(game).expect("a game");
            for _ in 0..3 {
                let seat = table.acting()[0];
                let code = table.choices(seat)[0].code.clone();
                table.play_as(seat, &code).expect("a legal move");
            }
            let codes: Vec<String> =
                table.played().iter().map(|played| played.code.clone()).collect();
            let codes = codes.join(" ");
            let (start, after) = (table.start(), table.position());
            let text = format!("{after}\n{codes}\n{start} moves {codes}\n");
            let found = positions(game, &text).expect(game);
            assert_eq!(found[1..], [&after[..], &after], "{game}");
            assert_eq!(found[0], after, "{game}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        for (game, line, error) in [
            ("chess", "e2e5", "a pawn does not move from e2 to e5"),
            ("chess", "8/8/8/8/8/8/8/8 w - - 0 1", "king"),
            ("chess", "nonsense moves e2e4", "expected a position before 'moves', got 'nonsense'"),
            ("chess", "f3 e5 g4 Qh4#", "the game is already over"),
            ("four-player", "R-0/", "FEN4"),
            ("blokus-duo", "classic 1 ", "expected"),
            ("blokus-duo", "a1", "the first piece must cover the start square e10"),
        ] {
            let text = format!("# a comment\n{line}\n");
            let said = format!("{:#}", positions(game, &text).expect_err(line));
            assert!(said.contains(".txt:2: ") && said.contains(error), "{line}: {said}");
        }
        let said = positions("chess", "# nothing\n").unwrap_err().to_string();
        assert!(said.ends_with("has no openings"), "{said}");
        let said = read(Path::new("/nowhere"), "chess").unwrap_err().to_string();
        assert_eq!(said, "cannot read '/nowhere'");
    }
}
