//! Exporting a database file to text, and importing it again: one JSON object per line, so that it
//! can be read by other programs. A text is imported by versions with the same database format; they
//! migrate files, not texts.

use std::io::{BufRead, Write};
use std::path::Path;

use fourfold_table::{ensure, quote_short};
use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, OpenFlags, Transaction, params_from_iter};
use serde_json::{Map, Number, Value, json};

use super::format::{APPLICATION, FORMAT, PATIENCE, open};
use super::{StoreError, StoreErrorKind};

/// All tables, each after those that it refers to, and whether a new file already has rows.
const TABLES: [(&str, bool); 9] = [
    ("guests", false),
    ("games", false),
    ("entries", false),
    ("seats", false),
    ("ratings", false),
    ("swings", false),
    ("alive", true),
    ("downtimes", true),
    ("salt", true),
];

/// Why a database cannot be exported or imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The database cannot be used.
    #[error("{0}")]
    Store(StoreError),
    /// A query failed.
    #[error("the database cannot be read or written: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The text cannot be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The database was written by another version.
    #[error("the database has format {found}, expected {FORMAT}: start the arena with it once")]
    Format {
        /// Its format.
        found: i64,
    },
    /// The database to import into is not empty.
    #[error("the database already has {games} games and {guests} guests: import into a new file")]
    NotEmpty {
        /// Its games.
        games: i64,
        /// Its guests.
        guests: i64,
    },
    /// A line of the text is wrong.
    #[error("line {line}: {why}")]
    Line {
        /// The number of the line, starting at 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

/// Writes everything in a database file as JSON lines. The server may be running. Returns the
/// number of games.
///
/// # Errors
/// Fails if the file cannot be read or is not a database of the arena, or if writing fails.
pub fn export(path: &Path, out: &mut dyn Write) -> Result<usize, DataError> {
    let in_file = |error| DataError::Store(StoreError { path: path.display().to_string(), error });
    // SQLite needs to write beside the file to share it with a running server.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags);
    let mut connection = connection.map_err(|error| in_file(error.into()))?;
    connection.busy_timeout(PATIENCE)?;
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let application = number("application_id").map_err(|error| in_file(error.into()))?;
    ensure!(application == APPLICATION, in_file(StoreErrorKind::Foreign));
    let found = number("user_version")?;
    ensure!(found == FORMAT, DataError::Format { found });
    connection.pragma_update(None, "query_only", true)?;
    // One transaction sees one moment.
    let transaction = connection.transaction()?;
    writeln!(out, "{}", json!({"fourfold": "arena", "format": FORMAT}))?;
    let (mut lines, mut games) = (0, 0);
    for (table, _) in TABLES {
        let mut rows = transaction.prepare(&format!("SELECT * FROM {table}"))?;
        let columns: Vec<String> = rows.column_names().map(str::to_owned).collect();
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let value = |(at, name): (usize, &String)| Ok((name.clone(), to_json(row.get(at)?)));
            let values: rusqlite::Result<Map<String, Value>> =
                columns.iter().enumerate().map(value).collect();
            writeln!(out, "{}", json!({"table": table, "row": values?}))?;
            lines += 1;
            games += usize::from(table == "games");
        }
    }
    writeln!(out, "{}", json!({ "rows": lines }))?;
    out.flush()?;
    Ok(games)
}

/// Reads what [`export`] has written into a new database file. The server must not be running.
/// Returns the number of games.
///
/// # Errors
/// Fails if the file has games, or if the text is damaged or incomplete; nothing is imported then.
pub fn import(path: &Path, text: &mut dyn BufRead) -> Result<usize, DataError> {
    let opened = open(path, PATIENCE)
        .map_err(|error| DataError::Store(StoreError { path: path.display().to_string(), error }));
    let (mut connection, _lock) = opened?;
    let count = |table| {
        let sql = format!("SELECT count(*) FROM {table}");
        connection.query_row(&sql, [], |row| row.get::<_, i64>(0))
    };
    let (games, guests) = (count("games")?, count("guests")?);
    ensure!(games + guests == 0, DataError::NotEmpty { games, guests });
    let transaction = connection.transaction()?;
    for (table, _) in TABLES.iter().filter(|(_, has_rows)| *has_rows) {
        transaction.execute(&format!("DELETE FROM {table}"), [])?;
    }
    let games = read_rows(&transaction, text)?;
    transaction.execute_batch(
        "INSERT INTO alive SELECT 0 WHERE NOT EXISTS (SELECT * FROM alive);
         INSERT INTO salt SELECT randomblob(16) WHERE NOT EXISTS (SELECT * FROM salt);",
    )?;
    transaction.commit()?;
    Ok(games)
}

/// Inserts all rows of a text. Returns the number of games.
fn read_rows(transaction: &Transaction<'_>, text: &mut dyn BufRead) -> Result<usize, DataError> {
    let (mut lines, mut games, mut ended) = (0, 0, false);
    for (index, read) in text.lines().enumerate() {
        let wrong = |why: String| DataError::Line { line: index + 1, why };
        let line: Value = serde_json::from_str(&read?)
            .map_err(|error| wrong(format!("it is not JSON: {error}")))?;
        if index == 0 {
            let ours = line["fourfold"] == "arena";
            ensure!(ours, wrong("expected the first line of an export of the arena".to_owned()));
            let why = || {
                wrong(format!(
                    "expected format {FORMAT}, got {}: import it with the version that exported \
                     it, then start this version with the file",
                    line["format"]
                ))
            };
            ensure!(line["format"] == FORMAT, why());
            continue;
        }
        ensure!(!ended, wrong("expected nothing after the last line of an export".to_owned()));
        if let Some(rows) = line.get("rows") {
            ensure!(*rows == lines, wrong(format!("expected {rows} rows, got {lines}")));
            ended = true;
            continue;
        }
        let (Some(table), Some(Value::Object(row))) = (line["table"].as_str(), line.get("row"))
        else {
            return Err(wrong("expected an object with 'table' and 'row'".to_owned()));
        };
        insert(transaction, table, row).map_err(wrong)?;
        lines += 1;
        games += usize::from(table == "games");
    }
    let why = || "the text ends too early: its last line has the number of rows".to_owned();
    ensure!(ended, DataError::Line { line: lines + 2, why: why() });
    Ok(games)
}

fn insert(
    transaction: &Transaction<'_>,
    table: &str,
    row: &Map<String, Value>,
) -> Result<(), String> {
    let known = TABLES.iter().any(|(known, _)| *known == table);
    ensure!(known, format!("there is no table '{}'", quote_short(table)));
    let columns = transaction.prepare_cached(&format!("SELECT * FROM {table}"));
    let columns = columns.map_err(|error| error.to_string())?;
    let columns: Vec<String> = columns.column_names().map(str::to_owned).collect();
    if let Some(other) = row.keys().find(|name| !columns.contains(name)) {
        return Err(format!("the table {table} has no column '{}'", quote_short(other)));
    }
    let names: Vec<&str> = row.keys().map(String::as_str).collect();
    let values = row.values().map(from_json).collect::<Result<Vec<SqlValue>, String>>()?;
    let marks = vec!["?"; names.len()].join(", ");
    let sql = format!("INSERT INTO {table} ({}) VALUES ({marks})", names.join(", "));
    let insert = transaction.prepare_cached(&sql);
    let inserted = insert.and_then(|mut insert| insert.execute(params_from_iter(values)));
    inserted.map(drop).map_err(|error| format!("the row cannot be added: {error}"))
}

/// Converts a value of a column. Bytes become an object with hexadecimal digits.
fn to_json(value: SqlValue) -> Value {
    match value {
        SqlValue::Null => Value::Null,
        SqlValue::Integer(number) => json!(number),
        SqlValue::Real(number) => Number::from_f64(number).map_or(Value::Null, Value::Number),
        SqlValue::Text(text) => Value::String(text),
        SqlValue::Blob(bytes) => {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "hex": digits })
        }
    }
}

fn from_json(value: &Value) -> Result<SqlValue, String> {
    let wrong = || format!("a column cannot have the value {}", quote_short(&value.to_string()));
    match value {
        Value::Null => Ok(SqlValue::Null),
        Value::String(text) => Ok(SqlValue::Text(text.clone())),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Ok(SqlValue::Integer(number)),
            (None, Some(number)) => Ok(SqlValue::Real(number)),
            (None, None) => Err(wrong()),
        },
        Value::Object(bytes) => {
            let digits = bytes.get("hex").and_then(Value::as_str).map(str::as_bytes);
            let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
            let pairs = digits
                .filter(|digits| digits.len().is_multiple_of(2))
                .map(|digits| digits.chunks(2));
            let bytes = pairs.and_then(|pairs| pairs.map(byte).collect::<Option<Vec<u8>>>());
            bytes.map(SqlValue::Blob).ok_or_else(wrong)
        }
        Value::Bool(_) | Value::Array(_) => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guest::{Guest, GuestId};
    use crate::seating::Setup;
    use crate::store::{NewGame, Progress, Record, Store};

    const GAME: &str = "abcdefghjkmn";

    async fn filled(path: &Path) -> Store {
        let store = Store::open(path).expect("a new file");
        let ada = Guest { id: GuestId(7), name: "Ada \u{1f642}".to_owned() };
        store.put_guest([9; 32], ada).await.expect("SQL");
        let setup = Setup::of_file("chess", &[], |_| None);
        let new = Some(NewGame { creator: GuestId(7), setup, address_hash: Some(-3) });
        let progress = Progress { over: false, deadline: Some(5), now: 1 };
        let entries = vec![(0, "one".to_owned()), (1, "two".to_owned())];
        let record = Record { id: GAME.to_owned(), new, progress, entries };
        store.put(record).await.expect("SQL");
        store
    }

    fn exported(path: &Path) -> String {
        let mut text = Vec::new();
        assert_eq!(export(path, &mut text).expect("a database"), 1);
        String::from_utf8(text).expect("text")
    }

    #[tokio::test]
    async fn exports_can_be_imported() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (folder.path().join("a.db"), folder.path().join("b.db"));
        // The server keeps running.
        let store = filled(&first).await;
        let text = exported(&first);
        assert_eq!(import(&second, &mut text.as_bytes()).expect("an export"), 1);
        assert_eq!(exported(&second), text, "nothing is lost");
        let copy = Store::open(&second).expect("a database");
        assert_eq!(copy.guest([9; 32]).await.expect("SQL").map(|guest| guest.id), Some(GuestId(7)));
        let game = copy.game(GAME.to_owned()).await.expect("SQL").expect("a game");
        assert_eq!(game.entries, ["one", "two"]);
        let again = import(&first, &mut text.as_bytes()).expect_err("it is in use");
        assert!(again.to_string().contains("another Fourfold has it open"), "{again}");
        drop(store);
    }

    #[tokio::test]
    async fn damaged_exports_are_refused_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        drop(filled(&folder.path().join("a.db")).await);
        let text = exported(&folder.path().join("a.db"));
        let path = folder.path().join("b.db");
        let refusal = |text: &str| {
            let error = import(&path, &mut text.as_bytes()).expect_err("it is damaged");
            error.to_string()
        };
        assert_eq!(
            refusal(""),
            "line 2: the text ends too early: its last line has the number of rows"
        );
        assert!(refusal("hello").starts_with("line 1: it is not JSON: "));
        assert_eq!(refusal("{}"), "line 1: expected the first line of an export of the arena");
        let newer = text.replacen(&format!("\"format\":{FORMAT}"), "\"format\":99", 1);
        let why = format!("line 1: expected format {FORMAT}, got 99: import it with the version");
        assert!(refusal(&newer).starts_with(&why), "{}", refusal(&newer));
        let foreign = text.replacen("\"entries\"", "\"sqlite_schema\"", 1);
        assert!(refusal(&foreign).ends_with("there is no table 'sqlite_schema'"));
        let column = text.replacen("\"creator\"", "\"x) --\"", 1);
        assert!(refusal(&column).ends_with("the table games has no column 'x) --'"));
        let orphan = text.replacen(GAME, "nobodyaaaaaa", 1);
        assert!(refusal(&orphan).contains("FOREIGN KEY"), "{}", refusal(&orphan));
        let array = text.replacen("\"over\":0", "\"over\":[0]", 1);
        assert!(refusal(&array).ends_with("a column cannot have the value [0]"));
        let odd = text.replacen("\"hex\":\"09", "\"hex\":\"9", 1);
        assert!(refusal(&odd).contains("a column cannot have the value"));
        // Cut off anywhere, it is incomplete.
        for (end, _) in text.char_indices().step_by(97) {
            assert!(import(&path, &mut &text.as_bytes()[..end]).is_err(), "cut at {end}");
        }
        assert_eq!(import(&path, &mut text.as_bytes()).expect("nothing was left behind"), 1);
        assert!(refusal(&text).starts_with("the database already has 1 games and 1 guests"));
    }

    #[test]
    fn only_databases_of_the_arena_are_exported() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = export(&folder.path().join("none.db"), &mut Vec::new());
        let missing = missing.expect_err("there is no such file").to_string();
        assert!(missing.contains("none.db cannot be used"), "{missing}");
        assert!(!folder.path().join("none.db").exists(), "it is not created");
        let path = folder.path().join("other.db");
        let other = Connection::open(&path).expect("a new file");
        other.execute_batch("CREATE TABLE x (y)").expect("SQL");
        let foreign = export(&path, &mut Vec::new()).expect_err("not ours").to_string();
        assert!(foreign.ends_with("it belongs to another program"), "{foreign}");
    }
}
