//! The format of the database file: tables, migrations, and the check that a file is ours.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use fourfold_table::ensure;
use rusqlite::{Connection, params};

use super::{DAY, StoreErrorKind, execute, history, load, log_unread, rows};
use crate::journal::to_text;

/// The latest database format that this program knows.
pub(super) const FORMAT: i64 = 4;
/// The SQLite application id, which marks a file as ours: `FOUR`.
pub(super) const APPLICATION: i64 = 0x464f_5552;

pub(super) const TABLES: &str = "
    CREATE TABLE guests (
        secret BLOB PRIMARY KEY, -- only its hash
        id INTEGER NOT NULL UNIQUE,
        name TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE games (
        id TEXT PRIMARY KEY,
        creator INTEGER NOT NULL,
        setup TEXT NOT NULL,
        timed INTEGER NOT NULL,
        over INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX running ON games (id) WHERE over = 0 AND timed = 1;
    CREATE TABLE entries (
        game TEXT NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        entry TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;
    CREATE TABLE alive (at INTEGER NOT NULL); -- one row: when the server was last known to run
    INSERT INTO alive VALUES (0);
";

/// What format 4 adds to format 3. Timed games are due at once, until they are loaded and their
/// deadline is known.
pub(super) const FORMAT_4: &str = "
    ALTER TABLE games ADD COLUMN players TEXT; -- if they are not those of the setup anymore
    ALTER TABLE games ADD COLUMN deadline INTEGER; -- when the running clock runs out
    ALTER TABLE games ADD COLUMN day INTEGER NOT NULL DEFAULT 0; -- of the latest change, since 1970
    ALTER TABLE games ADD COLUMN origin INTEGER; -- hash of the creator's address, until it is over
    UPDATE games SET deadline = 0 WHERE over = 0 AND timed = 1;
    UPDATE games SET day = unixepoch() / 86400;
    DROP INDEX running;
    ALTER TABLE games DROP COLUMN timed;
    CREATE INDEX due ON games (deadline) WHERE deadline IS NOT NULL;
    CREATE INDEX unfinished ON games (creator) WHERE over = 0;
    CREATE INDEX origins ON games (origin) WHERE over = 0;
    CREATE INDEX idle ON games (over, day);
    CREATE TABLE downtimes (stopped INTEGER NOT NULL, resumed INTEGER NOT NULL);
    CREATE TABLE salt (salt BLOB NOT NULL); -- one row, for hashes of addresses
    INSERT INTO salt VALUES (randomblob(16));
";

/// How long a server that is shutting down may still hold the file.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

/// Opens a database file that is ours, or creates it, and records that the server was down until
/// now. The returned lock keeps other servers out.
pub(super) fn open(path: &Path, patience: Duration) -> Result<(Connection, File), StoreErrorKind> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(StoreErrorKind::Folder)?;
    }
    let lock = lock_file(path, patience)?;
    let connection = Connection::open(path)?;
    prepare(&connection, patience)?;
    note_start(&connection)?;
    Ok((connection, lock))
}

/// Takes the lock beside a database file: two servers with one file would each miss what the other
/// writes. SQLite's own exclusive lock would keep this server's readers out, too.
fn lock_file(path: &Path, patience: Duration) -> Result<File, StoreErrorKind> {
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let file = File::options().create(true).append(true).open(name);
    let file = file.map_err(StoreErrorKind::Lock)?;
    let until = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Err(StoreErrorKind::InUse),
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
                tracing::warn!(%error, "cannot lock the database: start only one server with it");
                return Ok(file);
            }
            Err(TryLockError::Error(error)) => return Err(StoreErrorKind::Lock(error)),
        }
    }
}

/// Checks that the file is ours before changing anything, then creates or migrates the tables.
pub(super) fn prepare(connection: &Connection, patience: Duration) -> Result<(), StoreErrorKind> {
    connection.busy_timeout(patience)?;
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    ensure!(tables == 0 || number("application_id")? == APPLICATION, StoreErrorKind::Foreign);
    let format = number("user_version")?;
    ensure!(format <= FORMAT, StoreErrorKind::Newer(format));
    if tables == 0 {
        // Only an empty file, or one that is rewritten, can change this.
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // In pages: another thread does this earlier (see `readers`), unless it cannot keep up.
    connection.pragma_update(None, "wal_autocheckpoint", 16_000)?;
    connection.pragma_update(None, "journal_size_limit", 1 << 20)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    if tables == 0 {
        connection.execute_batch(&format!(
            "BEGIN EXCLUSIVE; {TABLES} {} {} {FORMAT_4}
             PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; COMMIT;",
            history::FORMAT_2,
            history::FORMAT_3
        ))?;
    } else {
        history::migrate(connection, format)?;
        if format < 4 {
            migrate_to_4(connection)?;
        }
    }
    // Find out now whether the file can be written. Without the index, which older files do not have
    // and older versions do not mind, deleting a game reads all seats.
    connection.execute_batch(
        "BEGIN EXCLUSIVE; UPDATE alive SET at = at;
         CREATE INDEX IF NOT EXISTS game_seats ON seats (game); COMMIT;",
    )?;
    Ok(())
}

/// Migrates from format 3: finds out who took which seats, and lets the file shrink.
fn migrate_to_4(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!("BEGIN EXCLUSIVE; {FORMAT_4}"))?;
    let ids: Vec<(String,)> = rows(
        connection,
        "SELECT DISTINCT game FROM entries
         WHERE entry LIKE '%\"sit\"%' OR entry LIKE '%\"fill\"%'",
        [],
    )?;
    for (id,) in ids {
        let stored = load(connection, &id).inspect_err(|error| log_unread(&id, error));
        let Ok(Some(stored)) = stored else { continue };
        let mut players = stored.setup.players;
        let entries = stored.entries.iter().map(String::as_str);
        if history::seat_players(&mut players, entries) {
            let sql = "UPDATE games SET players = ?2 WHERE id = ?1";
            execute(connection, sql, params![id, to_text(&players)])?;
        }
    }
    connection.execute_batch("PRAGMA user_version = 4; COMMIT;")?;
    let rewritten = connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL; VACUUM;");
    if let Err(error) = rewritten {
        tracing::warn!(%error, "cannot rewrite the database: deleted games will not shrink it");
    }
    Ok(())
}

/// Returns when the server was last known to be alive.
pub(super) fn last_alive(connection: &Connection) -> rusqlite::Result<u64> {
    let at: i64 = connection.query_row("SELECT at FROM alive", [], |row| row.get(0))?;
    Ok(at as u64)
}

/// Deletes the downtimes that no unfinished game needs: those that ended before the day of its
/// latest change.
const PRUNE_DOWNTIMES: &str = "DELETE FROM downtimes WHERE NOT EXISTS
    (SELECT 1 FROM games WHERE over = 0 AND day <= downtimes.resumed / ?1)";

/// Records that the server was down until now. Clocks stood still meanwhile.
fn note_start(connection: &Connection) -> rusqlite::Result<()> {
    let stopped = last_alive(connection)? as i64;
    let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let resumed = (unix.as_millis() as i64).max(stopped);
    let transaction = connection.unchecked_transaction()?;
    if stopped > 0 {
        execute(&transaction, "INSERT INTO downtimes VALUES (?1, ?2)", [stopped, resumed])?;
        let sql = "UPDATE games SET deadline = deadline + ?1 WHERE deadline > 0";
        execute(&transaction, sql, [resumed - stopped])?;
    }
    execute(&transaction, PRUNE_DOWNTIMES, [DAY as i64])?;
    execute(&transaction, "UPDATE alive SET at = ?1", [resumed])?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn downtimes_are_kept_as_long_as_an_unfinished_game_needs_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("arena.db");
        let start = || open(&path, PATIENCE).expect("a database").0;
        let days = |connection: &Connection| -> Vec<i64> {
            let sql = "SELECT resumed / ?1 FROM downtimes ORDER BY resumed";
            let days: Vec<(i64,)> = rows(connection, sql, [DAY as i64]).expect("SQL");
            days.into_iter().map(|(day,)| day).collect()
        };
        let connection = start();
        let games = "INSERT INTO games (id, creator, setup, over, day) VALUES
            ('overaaaaaaaa', 7, '', 1, 10), ('openaaaaaaaa', 7, '', 0, 20)";
        connection.execute(games, []).expect("games");
        for day in [15, 19, 20, 30] {
            let resumed = day * DAY as i64 + 5;
            let sql = "INSERT INTO downtimes VALUES (?1, ?2)";
            connection.execute(sql, [resumed - 5, resumed]).expect("a downtime");
        }
        drop(connection);
        let connection = start();
        assert_eq!(days(&connection)[..2], [20, 30]);
        assert_eq!(days(&connection).len(), 3, "and the latest");
        connection.execute("UPDATE games SET over = 1", []).expect("they end");
        drop(connection);
        assert!(days(&start()).is_empty());
    }
}
