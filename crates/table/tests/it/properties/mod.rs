//! What must hold for any text, which the tests and the fuzz targets check.

use std::io::Cursor;
use std::path::Path;

use fourfold_table::game_file::{FileGame, GameReader, Target};

/// Uses everything of a game, so that a panic anywhere would be seen.
fn use_all(game: &FileGame) {
    let _ = (game.tags().len(), game.players().len(), game.plies(), game.result(), game.outcome());
    if let Some(table) = game.table() {
        let _ = (table.scene(), table.position(), table.export());
    }
    let converted = Target::ALL.iter().filter(|&&target| game.convert(target).is_ok()).count();
    let readable = game.game().is_some();
    assert_eq!(converted > 0, readable, "{:?}", game.problems);
    assert!(readable || !game.problems.is_empty());
}

/// Any bytes are refused, or are a file whose games can be used, whatever the name of the file.
pub(crate) fn game_file(bytes: &[u8]) {
    for name in ["file", "a.pgn", "a.fen"] {
        for strict in [false, true] {
            let stream = Box::new(Cursor::new(bytes.to_vec()));
            let Ok(reader) = GameReader::new(stream, Some(Path::new(name))) else { continue };
            let reader = if strict { reader.strict() } else { reader };
            reader.for_each(|game| use_all(&game.expect("memory can be read")));
        }
    }
}
