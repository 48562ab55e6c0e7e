//! The database file: guests, games, and everything that happened in them.
//!
//! One thread owns the connection; callers send it work and wait for the answer.

mod disk;
mod history;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use fourfold_table::ensure;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Params, Row, params};
use tokio::sync::{oneshot, watch};

use disk::Disk;
pub(crate) use disk::PendingFile;

use crate::guest::{Guest, GuestId};
use crate::journal::to_text;
use crate::seating::Setup;

/// The latest database format that this program knows.
const FORMAT: i64 = 3;
/// The SQLite application id, which marks a file as ours: `FOUR`.
const APPLICATION: i64 = 0x464f_5552;

const TABLES: &str = "
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

type Work = Box<dyn FnOnce(&mut Disk) + Send>;

/// A handle to the database, for any thread.
#[derive(Clone)]
pub(crate) struct Store {
    work: mpsc::Sender<Work>,
    shared: Arc<Shared>,
}

/// State shared by the thread and all handles.
struct Shared {
    on_disk: AtomicBool,
    last_alive: AtomicU64,
    errors: AtomicU64,
    storage_error: watch::Sender<Option<&'static str>>,
}

/// A stored game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StoredGame {
    pub(crate) id: String,
    pub(crate) creator: GuestId,
    pub(crate) setup: Setup,
    /// The entries as JSON. Each kind of room has its own type of entry.
    pub(crate) entries: Vec<String>,
}

impl StoredGame {
    /// Parses the entries.
    ///
    /// # Errors
    /// Fails if they were written by another kind of room.
    pub(crate) fn entries<T: serde::de::DeserializeOwned>(&self) -> Result<Vec<T>, String> {
        let entries = self.entries.iter().map(|text| serde_json::from_str(text));
        entries.collect::<Result<_, _>>().map_err(|error| format!("invalid journal entry: {error}"))
    }
}

impl Store {
    /// Opens a database file, or creates it. The file is locked against other processes.
    ///
    /// # Errors
    /// Fails if the file cannot be opened or written, is in use, belongs to another program, or has
    /// a newer format.
    pub(crate) fn open(path: &Path) -> Result<Store, StoreError> {
        let in_file = |error| StoreError { path: path.display().to_string(), error };
        let connection = open(path, PATIENCE).map_err(in_file)?;
        Store::start(connection, true, None).map_err(in_file)
    }

    /// Creates a database in memory, which is lost when the program ends. If there is a `file`,
    /// everything is saved there as soon as it can be used, including what was in memory.
    ///
    /// # Errors
    /// Fails if there is not enough memory.
    pub(crate) fn in_memory(file: Option<PendingFile>) -> Result<Store, StoreError> {
        let connection = Connection::open_in_memory().map_err(StoreErrorKind::from);
        let store = connection.and_then(|connection| {
            prepare(&connection, PATIENCE)?;
            Store::start(connection, false, file)
        });
        store.map_err(|error| StoreError { path: "in memory".to_owned(), error })
    }

    /// Starts the thread. A database in memory may wait for a file.
    fn start(
        connection: Connection,
        on_disk: bool,
        awaited: Option<PendingFile>,
    ) -> Result<Store, StoreErrorKind> {
        let shared = Arc::new(Shared {
            on_disk: AtomicBool::new(on_disk),
            last_alive: AtomicU64::new(last_alive(&connection)?),
            errors: AtomicU64::new(0),
            storage_error: watch::Sender::new(awaited.as_ref().map(|file| file.storage_error)),
        });
        let (work, queue) = mpsc::channel::<Work>();
        let mut disk = Disk::new(connection, awaited, shared.clone());
        // The thread ends when the last `Store` is dropped.
        std::thread::spawn(move || disk.work_loop(&queue));
        Ok(Store { work, shared })
    }

    /// Whether the data outlives the program.
    pub(crate) fn is_on_disk(&self) -> bool {
        self.shared.on_disk.load(Ordering::Relaxed)
    }

    /// Returns when the server was last known to be alive, before this start.
    pub(crate) fn last_alive(&self) -> u64 {
        self.shared.last_alive.load(Ordering::Relaxed)
    }

    /// Returns how many times the disk has failed.
    pub(crate) fn errors(&self) -> u64 {
        self.shared.errors.load(Ordering::Relaxed)
    }

    /// Subscribes to the reason why games are not saved, as a message for users; `None` while they
    /// are.
    pub(crate) fn storage_error(&self) -> watch::Receiver<Option<&'static str>> {
        self.shared.storage_error.subscribe()
    }

    /// Runs a read.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> rusqlite::Result<T> {
        self.ask(move |disk| work(&mut disk.connection)).await
    }

    /// Runs a write. `name` identifies a write that the caller will retry if it fails.
    async fn write(
        &self,
        name: Option<String>,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<()> + Send + 'static,
    ) -> rusqlite::Result<()> {
        self.ask(move |disk| {
            let result = work(&mut disk.connection);
            disk.note(name, &result);
            result
        })
        .await
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Disk) -> rusqlite::Result<T> + Send + 'static,
    ) -> rusqlite::Result<T> {
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(move |disk| {
            // Nobody is waiting anymore if the server is shutting down.
            let _ = answer.send(work(disk));
        });
        let gone = || rusqlite::Error::InvalidQuery;
        self.work.send(work).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    /// Waits until all work so far is done.
    pub(crate) async fn flush(&self) {
        let _ = self.run(|_| Ok(())).await;
    }

    /// Returns the stored guest with this hashed secret, if any.
    pub(crate) async fn guest(&self, secret: [u8; 32]) -> rusqlite::Result<Option<Guest>> {
        self.run(move |connection| {
            let guest = row(connection, "SELECT id, name FROM guests WHERE secret = ?1", [secret])?;
            Ok(guest.map(|(id, name)| Guest { id: GuestId(id), name }))
        })
        .await
    }

    /// Saves a guest and their current name, by the hash of the secret.
    pub(crate) async fn put_guest(&self, secret: [u8; 32], guest: Guest) -> rusqlite::Result<()> {
        self.write(None, move |connection| {
            execute(
                connection,
                "INSERT INTO guests (secret, id, name) VALUES (?1, ?2, ?3)
                 ON CONFLICT (secret) DO UPDATE SET name = excluded.name",
                params![secret, guest.id.0, guest.name],
            )
        })
        .await
    }

    /// Saves the new entries of a game, and the game itself if it is new.
    pub(crate) async fn put(&self, record: Record) -> rusqlite::Result<()> {
        self.write(Some(record.id.clone()), move |connection| {
            let Record { id, creator, setup, over, entries } = record;
            let text = to_text(&setup);
            let transaction = connection.transaction()?;
            execute(
                &transaction,
                "INSERT INTO games (id, creator, setup, timed, over) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (id) DO UPDATE SET over = excluded.over",
                params![id, creator.0, text, setup.clock.is_some(), over],
            )?;
            if entries.iter().all(|(number, _)| *number == 0) {
                history::note_creation(&transaction, &id, &setup, None)?;
            }
            history::note_sitting(&transaction, &id, entries.iter().map(|(_, entry)| &**entry))?;
            for (number, entry) in entries {
                execute(
                    &transaction,
                    "INSERT INTO entries (game, number, entry) VALUES (?1, ?2, ?3)",
                    params![id, number as i64, entry],
                )?;
            }
            transaction.commit()
        })
        .await
    }

    /// Records that the server is alive.
    pub(crate) async fn mark_alive(&self, now: u64) -> rusqlite::Result<()> {
        self.write(Some("alive".to_owned()), move |connection| {
            execute(connection, "UPDATE alive SET at = ?1", [now as i64])
        })
        .await
    }

    /// Loads a game.
    pub(crate) async fn game(&self, id: String) -> rusqlite::Result<Option<StoredGame>> {
        self.run(move |connection| load(connection, &id)).await
    }

    /// Loads the unfinished games with clocks, skipping those that cannot be read.
    pub(crate) async fn timed(&self) -> rusqlite::Result<Vec<StoredGame>> {
        self.run(|connection| {
            let sql = "SELECT id FROM games WHERE over = 0 AND timed = 1";
            let ids: Vec<(String,)> = rows(connection, sql, [])?;
            let load = |(id,): &(String,)| {
                let stored = load(connection, id);
                stored.inspect_err(|error| log_unread(id, error)).ok().flatten()
            };
            Ok(ids.iter().filter_map(load).collect())
        })
        .await
    }
}

/// The part of a game that is not saved yet.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) id: String,
    pub(crate) creator: GuestId,
    pub(crate) setup: Setup,
    pub(crate) over: bool,
    pub(crate) entries: Vec<(u64, String)>,
}

fn log_unread(game: &str, error: &rusqlite::Error) {
    tracing::error!(%error, game, "cannot load a game");
}

fn load(connection: &Connection, id: &str) -> rusqlite::Result<Option<StoredGame>> {
    let game = row(connection, "SELECT creator, setup FROM games WHERE id = ?1", [id])?;
    let Some((creator, setup)) = game else { return Ok(None) };
    let (creator, setup): (i64, String) = (creator, setup);
    let sql = "SELECT entry FROM entries WHERE game = ?1 ORDER BY number";
    let entries: Vec<(String,)> = rows(connection, sql, [id])?;
    let entries = entries.into_iter().map(|(entry,)| entry).collect();
    let (id, creator, setup) = (id.to_owned(), GuestId(creator), from_text(&setup)?);
    Ok(Some(StoredGame { id, creator, setup, entries }))
}

fn from_text<T: serde::de::DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
    })
}

/// Returns the rows of a query, as tuples of their columns.
fn rows<T>(connection: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<Vec<T>>
where
    T: for<'a> TryFrom<&'a Row<'a>, Error = rusqlite::Error>,
{
    connection.prepare_cached(sql)?.query_map(params, |row| T::try_from(row))?.collect()
}

/// Returns the only row of a query, if there is one.
fn row<T>(connection: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<Option<T>>
where
    T: for<'a> TryFrom<&'a Row<'a>, Error = rusqlite::Error>,
{
    connection.prepare_cached(sql)?.query_row(params, |row| T::try_from(row)).optional()
}

/// Runs a statement without a result.
fn execute(connection: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute(params).map(drop)
}

/// Opens a database file that is ours, or creates it.
fn open(path: &Path, patience: Duration) -> Result<Connection, StoreErrorKind> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(StoreErrorKind::Folder)?;
    }
    let connection = Connection::open(path)?;
    prepare(&connection, patience)?;
    Ok(connection)
}

/// Returns when the server was last known to be alive.
fn last_alive(connection: &Connection) -> rusqlite::Result<u64> {
    let at: i64 = connection.query_row("SELECT at FROM alive", [], |row| row.get(0))?;
    Ok(at as u64)
}

/// How long a server that is shutting down may still hold the file.
const PATIENCE: Duration = Duration::from_secs(3);

/// Checks that the file is ours before changing anything, then creates or migrates the tables.
fn prepare(connection: &Connection, patience: Duration) -> Result<(), StoreErrorKind> {
    connection.busy_timeout(patience)?;
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    ensure!(tables == 0 || number("application_id")? == APPLICATION, StoreErrorKind::Foreign);
    let format = number("user_version")?;
    ensure!(format <= FORMAT, StoreErrorKind::Newer(format));
    // Two servers with one file would each miss what the other writes.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    if tables == 0 {
        connection.execute_batch(&format!(
            "BEGIN EXCLUSIVE; {TABLES} {} {}
             PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; COMMIT;",
            history::FORMAT_2,
            history::FORMAT_3
        ))?;
    } else {
        history::migrate(connection, format)?;
    }
    // Take the lock, and find out now whether the file can be written.
    connection.execute_batch("BEGIN EXCLUSIVE; UPDATE alive SET at = at; COMMIT;")?;
    Ok(())
}

#[derive(Debug, thiserror::Error)]
enum StoreErrorKind {
    #[error("cannot create its folder: {0}")]
    Folder(std::io::Error),
    #[error("another Fourfold has it open: stop that server or choose another file")]
    InUse,
    #[error("{0}")]
    Sqlite(rusqlite::Error),
    #[error("it belongs to another program")]
    Foreign,
    #[error("it has format {0}, this program supports up to {max}: update Fourfold", max = FORMAT)]
    Newer(i64),
}

impl From<rusqlite::Error> for StoreErrorKind {
    fn from(error: rusqlite::Error) -> StoreErrorKind {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreErrorKind::InUse,
            _ => StoreErrorKind::Sqlite(error),
        }
    }
}

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the database {path} cannot be used: {error}")]
pub struct StoreError {
    path: String,
    error: StoreErrorKind,
}

impl StoreError {
    /// Returns a short reason for players, without file names.
    pub(crate) fn user_message(&self) -> &'static str {
        disk::user_message(&self.error)
    }

    /// Whether another server has the file open.
    pub fn is_in_use(&self) -> bool {
        matches!(self.error, StoreErrorKind::InUse)
    }
}

#[cfg(test)]
impl Store {
    /// Makes the disk refuse all writes, or accept them again.
    pub(crate) async fn set_read_only(&self, read_only: bool) {
        let set =
            self.run(move |connection| connection.pragma_update(None, "query_only", read_only));
        set.await.expect("SQLite can do that");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_is_locked_and_must_be_ours() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.db");
        let store = Store::open(&path).expect("a new file");
        let error = Store::open(&path).err().expect("it is in use");
        assert!(error.is_in_use() && error.to_string().contains("another Fourfold"), "{error}");
        drop(store);

        let foreign = folder.path().join("b.db");
        let other = Connection::open(&foreign).expect("a new file");
        other.execute_batch("CREATE TABLE x (y); PRAGMA user_version = 1").expect("SQL");
        drop(other);
        let before = std::fs::read(&foreign).expect("a file");
        let error = Store::open(&foreign).err().expect("not ours").to_string();
        assert!(error.ends_with("it belongs to another program"), "{error}");
        assert_eq!(std::fs::read(&foreign).expect("a file"), before);

        let newer = folder.path().join("c.db");
        drop(Store::open(&newer).expect("a new file"));
        let change = || {
            let file = Connection::open(&newer)?;
            file.pragma_update(None, "user_version", 9)
        };
        // The thread releases the file shortly after the store is dropped.
        while change().is_err() {
            std::thread::sleep(Duration::from_millis(10));
        }
        let error = Store::open(&newer).err().expect("too new").to_string();
        assert!(error.contains("has format 9, this program supports up to 3"), "{error}");
        std::fs::write(&newer, "no database at all, but long enough to look at").expect("a file");
        assert!(Store::open(&newer).is_err());
    }
}
