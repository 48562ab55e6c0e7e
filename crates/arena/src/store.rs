//! The database file: guests, games, and everything that happened in them.
//!
//! One thread owns the connection that writes; callers send it work and wait for the answer. Queries
//! run on threads with connections of their own, so that they never delay a write.

mod disk;
mod export;
mod format;
mod history;
mod readers;
mod upkeep;

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, OnceLock};

use rusqlite::{Connection, ErrorCode, OptionalExtension, Params, Row, Transaction, params};
use tokio::sync::{oneshot, watch};

use disk::Disk;
pub(crate) use disk::PendingFile;
pub use export::{DataError, export, import};
use format::{FORMAT, PATIENCE, last_alive, open, prepare};
use readers::{Read, Readers};
pub(crate) use upkeep::Downtime;
use upkeep::downtimes;

use crate::guest::{Guest, GuestId};
use crate::journal::to_text;
use crate::seating::Setup;

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
    /// The threads that read, once there is a file. A database in memory has only one connection.
    readers: OnceLock<Readers>,
}

impl Shared {
    /// Starts the reading threads. Without them, the thread that writes answers queries.
    fn start_readers(&self, path: &Path) {
        match readers::start(path) {
            Ok(readers) => drop(self.readers.set(readers)),
            Err(error) => tracing::warn!(%error, "cannot open the database a second time"),
        }
    }
}

/// A stored game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StoredGame {
    pub(crate) id: String,
    pub(crate) creator: GuestId,
    pub(crate) setup: Setup,
    /// The entries as JSON. Each kind of room has its own type of entry.
    pub(crate) entries: Vec<String>,
    /// When the server was not running, since the latest entry.
    pub(crate) downtimes: Vec<Downtime>,
}

impl StoredGame {
    /// Creates a game without entries.
    pub(crate) fn new(id: String, creator: GuestId, setup: Setup) -> StoredGame {
        StoredGame { id, creator, setup, entries: Vec::new(), downtimes: Vec::new() }
    }

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
        let (connection, lock) = open(path, PATIENCE).map_err(in_file)?;
        let store = Store::start(connection, true, None, Some(lock)).map_err(in_file)?;
        store.shared.start_readers(path);
        Ok(store)
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
            Store::start(connection, false, file, None)
        });
        store.map_err(|error| StoreError { path: "in memory".to_owned(), error })
    }

    /// Starts the thread. A database in memory may wait for a file.
    fn start(
        connection: Connection,
        on_disk: bool,
        awaited: Option<PendingFile>,
        lock: Option<File>,
    ) -> Result<Store, StoreErrorKind> {
        let shared = Arc::new(Shared {
            on_disk: AtomicBool::new(on_disk),
            last_alive: AtomicU64::new(last_alive(&connection)?),
            errors: AtomicU64::new(0),
            storage_error: watch::Sender::new(awaited.as_ref().map(|file| file.storage_error)),
            readers: OnceLock::new(),
        });
        let (work, queue) = mpsc::channel::<Work>();
        let mut disk = Disk::new(connection, lock, awaited, shared.clone());
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

    /// Runs a query. It sees everything that was written before.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> rusqlite::Result<T> {
        let Some(readers) = self.shared.readers.get() else {
            return self.ask(move |disk| work(&mut disk.connection)).await;
        };
        let (answer, answered) = oneshot::channel();
        let work: Read = Box::new(move |connection| drop(answer.send(work(connection))));
        readers.work.send(work).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
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
        self.work.send(work).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    /// Waits until all work so far is done.
    pub(crate) async fn flush(&self) {
        let _ = self.ask(|_| Ok(())).await;
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
            let transaction = connection.transaction()?;
            put(&transaction, record)?;
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

    /// Whether a game is stored.
    pub(crate) async fn has_game(&self, id: String) -> rusqlite::Result<bool> {
        self.run(move |connection| {
            let found: Option<(i64,)> = row(connection, "SELECT 1 FROM games WHERE id = ?1", [id])?;
            Ok(found.is_some())
        })
        .await
    }

    /// Loads a game.
    pub(crate) async fn game(&self, id: String) -> rusqlite::Result<Option<StoredGame>> {
        self.run(move |connection| {
            let Some(mut stored) = load(connection, &id)? else { return Ok(None) };
            if let Some(latest) = stored.entries.last() {
                // An unreadable entry is reported when the game is restored.
                stored.downtimes = downtimes(connection, history::time_of(latest).unwrap_or(0))?;
            }
            Ok(Some(stored))
        })
        .await
    }
}

/// The part of a game that is not saved yet.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) id: String,
    /// The game itself, if it is new.
    pub(crate) new: Option<NewGame>,
    pub(crate) progress: Progress,
    pub(crate) entries: Vec<(u64, String)>,
}

/// What never changes about a game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NewGame {
    pub(crate) creator: GuestId,
    pub(crate) setup: Setup,
    /// A hash of the address from which the game was created: see [`Store::address_hash`].
    pub(crate) address_hash: Option<i64>,
}

/// What the database looks games up by.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Progress {
    pub(crate) over: bool,
    /// When the running clock runs out.
    pub(crate) deadline: Option<u64>,
    /// The present, in milliseconds since 1970.
    pub(crate) now: u64,
}

/// Milliseconds per day.
pub(crate) const DAY: u64 = 24 * 3600 * 1000;

fn put(transaction: &Transaction<'_>, record: Record) -> rusqlite::Result<()> {
    let Record { id, new, progress: Progress { over, deadline, now }, entries } = record;
    let (deadline, day) = (deadline.map(|deadline| deadline as i64), (now / DAY) as i64);
    if let Some(NewGame { creator, setup, address_hash }) = new {
        execute(
            transaction,
            "INSERT INTO games (id, creator, setup, over, deadline, day, origin)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![id, creator.0, to_text(&setup), over, deadline, day, address_hash],
        )?;
        history::note_creation(transaction, &id, &setup, None)?;
    } else {
        // Most moves of games without clocks change nothing here.
        execute(
            transaction,
            "UPDATE games SET over = ?2, deadline = ?3, day = ?4, origin = iif(?2, NULL, origin)
             WHERE id = ?1 AND (over <> ?2 OR deadline IS NOT ?3 OR day <> ?4)",
            params![id, over, deadline, day],
        )?;
    }
    history::note_sitting(transaction, &id, entries.iter().map(|(_, entry)| &**entry))?;
    for (number, entry) in entries {
        execute(
            transaction,
            "INSERT INTO entries (game, number, entry) VALUES (?1, ?2, ?3)",
            params![id, number as i64, entry],
        )?;
    }
    Ok(())
}

/// The error of a request to a thread that has ended.
fn gone() -> rusqlite::Error {
    rusqlite::Error::InvalidQuery
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
    let entries: Vec<String> = entries.into_iter().map(|(entry,)| entry).collect();
    let (id, creator, setup) = (id.to_owned(), GuestId(creator), from_text(&setup)?);
    Ok(Some(StoredGame { entries, ..StoredGame::new(id, creator, setup) }))
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

#[derive(Debug, thiserror::Error)]
enum StoreErrorKind {
    #[error("cannot create its folder: {0}")]
    Folder(std::io::Error),
    #[error("cannot lock it: {0}")]
    Lock(std::io::Error),
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
    /// Returns the size of the database in pages.
    pub(crate) async fn size(&self) -> rusqlite::Result<i64> {
        self.ask(|disk| disk.connection.pragma_query_value(None, "page_count", |row| row.get(0)))
            .await
    }

    /// Makes the disk refuse all writes, or accept them again.
    pub(crate) async fn set_read_only(&self, read_only: bool) {
        let set =
            self.ask(move |disk| disk.connection.pragma_update(None, "query_only", read_only));
        set.await.expect("SQLite can do that");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
        assert!(error.contains("has format 9, this program supports up to 4"), "{error}");
        std::fs::write(&newer, "no database at all, but long enough to look at").expect("a file");
        assert!(Store::open(&newer).is_err());
    }
}
