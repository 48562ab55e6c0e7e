//! The database file: guests, games, and all that happened in them.
//!
//! One thread owns the connection; whoever wants something sends it work and waits for the answer.

use std::fmt;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::oneshot;

use crate::guest::{Guest, GuestId};
use crate::room::{Entry, Setup};

/// The newest form of the tables that this program knows.
const FORMAT: i64 = 1;

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
        over INTEGER NOT NULL DEFAULT 0,
        marked INTEGER NOT NULL -- when the game was known to run
    ) WITHOUT ROWID;
    CREATE INDEX running ON games (id) WHERE over = 0;
    CREATE TABLE entries (
        game TEXT NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        entry TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;
";

type Work = Box<dyn FnOnce(&mut Connection) + Send>;

/// The database, from any thread.
#[derive(Clone)]
pub(crate) struct Store {
    work: mpsc::Sender<Work>,
    on_disk: bool,
}

/// A game as it was kept.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) creator: GuestId,
    pub(crate) setup: Setup,
    pub(crate) marked: u64,
    pub(crate) entries: Vec<Entry>,
}

impl Store {
    /// Opens a database file, and makes it if there is none.
    ///
    /// # Errors
    /// If it cannot be opened or written, or is another program's or a newer one's.
    pub(crate) fn open(path: &Path) -> Result<Store, StoreError> {
        let in_file = |error| StoreError { path: path.display().to_string(), error };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| in_file(format!("cannot make the folder: {error}")))?;
        }
        let connection = Connection::open(path).map_err(|error| in_file(error.to_string()))?;
        prepare(&connection).map_err(|error| in_file(error.to_string()))?;
        Ok(Store::start(connection, true))
    }

    /// A database that is gone when the program ends.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(crate) fn in_memory() -> Result<Store, StoreError> {
        let failed = |error: PrepareError| StoreError {
            path: "in memory".to_owned(),
            error: error.to_string(),
        };
        let connection =
            Connection::open_in_memory().map_err(|error| failed(PrepareError::Sqlite(error)))?;
        prepare(&connection).map_err(failed)?;
        Ok(Store::start(connection, false))
    }

    fn start(mut connection: Connection, on_disk: bool) -> Store {
        let (work, queue) = mpsc::channel::<Work>();
        // It ends when the last store is dropped.
        std::thread::spawn(move || {
            while let Ok(work) = queue.recv() {
                work(&mut connection);
            }
        });
        Store { work, on_disk }
    }

    /// Whether what is kept outlives the program.
    pub(crate) fn is_on_disk(&self) -> bool {
        self.on_disk
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> rusqlite::Result<T> {
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(move |connection| {
            // Nobody waits any more if the server goes down.
            let _ = answer.send(work(connection));
        });
        let gone = || rusqlite::Error::InvalidQuery;
        self.work.send(work).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    /// Waits until all work so far is done.
    pub(crate) async fn flush(&self) {
        let _ = self.run(|_| Ok(())).await;
    }

    /// The guest with this secret, by its hash.
    pub(crate) async fn guest(&self, secret: [u8; 32]) -> rusqlite::Result<Option<Guest>> {
        self.run(move |connection| {
            connection
                .prepare_cached("SELECT id, name FROM guests WHERE secret = ?1")?
                .query_row([secret], |row| {
                    Ok(Guest { id: GuestId(row.get(0)?), name: row.get(1)? })
                })
                .optional()
        })
        .await
    }

    /// Keeps a guest, or a guest's new name.
    pub(crate) async fn put_guest(&self, secret: [u8; 32], guest: Guest) -> rusqlite::Result<()> {
        self.run(move |connection| {
            connection.execute(
                "INSERT INTO guests (secret, id, name) VALUES (?1, ?2, ?3)
                 ON CONFLICT (secret) DO UPDATE SET name = excluded.name",
                params![secret, guest.id.0, guest.name],
            )?;
            Ok(())
        })
        .await
    }

    /// Keeps what happened in a game since it was kept last, and the game itself if it is new.
    pub(crate) async fn put(&self, record: Record) -> rusqlite::Result<()> {
        self.run(move |connection| {
            let Record { id, creator, setup, over, now, entries } = record;
            let text = to_text(&setup);
            let transaction = connection.transaction()?;
            transaction
                .prepare_cached(
                    "INSERT INTO games (id, creator, setup, timed, over, marked)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                     ON CONFLICT (id) DO UPDATE SET over = excluded.over, marked = excluded.marked",
                )?
                .execute(params![id, creator.0, text, setup.clock.is_some(), over, now as i64])?;
            for (number, entry) in entries {
                transaction
                    .prepare_cached(
                        "INSERT INTO entries (game, number, entry) VALUES (?1, ?2, ?3)",
                    )?
                    .execute(params![id, number as i64, to_text(&entry)])?;
            }
            transaction.commit()
        })
        .await
    }

    /// Notes that all games with clocks still run.
    pub(crate) async fn mark(&self, now: u64) -> rusqlite::Result<()> {
        self.run(move |connection| {
            connection
                .prepare_cached("UPDATE games SET marked = ?1 WHERE over = 0 AND timed = 1")?
                .execute([now as i64])?;
            Ok(())
        })
        .await
    }

    /// A game.
    pub(crate) async fn game(&self, id: String) -> rusqlite::Result<Option<Kept>> {
        self.run(move |connection| load(connection, &id)).await
    }

    /// All games that are not over.
    pub(crate) async fn running(&self) -> rusqlite::Result<Vec<Kept>> {
        self.run(|connection| {
            let ids: Vec<String> = connection
                .prepare("SELECT id FROM games WHERE over = 0")?
                .query_map([], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            let games: Result<Vec<Option<Kept>>, _> =
                ids.iter().map(|id| load(connection, id)).collect();
            Ok(games?.into_iter().flatten().collect())
        })
        .await
    }
}

/// What is new about a game.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) id: String,
    pub(crate) creator: GuestId,
    pub(crate) setup: Setup,
    pub(crate) over: bool,
    pub(crate) now: u64,
    pub(crate) entries: Vec<(u64, Entry)>,
}

fn load(connection: &Connection, id: &str) -> rusqlite::Result<Option<Kept>> {
    let game = connection
        .prepare_cached("SELECT creator, setup, marked FROM games WHERE id = ?1")?
        .query_row([id], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?))
        })
        .optional()?;
    let Some((creator, setup, marked)) = game else { return Ok(None) };
    let entries: Vec<String> = connection
        .prepare_cached("SELECT entry FROM entries WHERE game = ?1 ORDER BY number")?
        .query_map([id], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let entries: Result<Vec<Entry>, _> = entries.iter().map(|text| from_text(text)).collect();
    Ok(Some(Kept {
        id: id.to_owned(),
        creator: GuestId(creator),
        setup: from_text(&setup)?,
        marked: marked as u64,
        entries: entries?,
    }))
}

fn to_text(data: &impl serde::Serialize) -> String {
    serde_json::to_string(data).expect("our own data has text keys")
}

fn from_text<T: serde::de::DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
    })
}

fn prepare(connection: &Connection) -> Result<(), PrepareError> {
    connection.busy_timeout(Duration::from_secs(2))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let format: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match format {
        0 => {
            let tables: i64 =
                connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            if tables > 0 {
                return Err(PrepareError::Foreign);
            }
            connection.execute_batch(&format!(
                "BEGIN; {TABLES} PRAGMA user_version = {FORMAT}; COMMIT;"
            ))?;
        }
        FORMAT => {
            // Shows at once whether the file can be written.
            connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK;")?;
        }
        newer => return Err(PrepareError::Newer(newer)),
    }
    Ok(())
}

enum PrepareError {
    Sqlite(rusqlite::Error),
    Foreign,
    Newer(i64),
}

impl From<rusqlite::Error> for PrepareError {
    fn from(error: rusqlite::Error) -> PrepareError {
        PrepareError::Sqlite(error)
    }
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrepareError::Sqlite(error) => error.fmt(f),
            PrepareError::Foreign => write!(f, "the file is a database of another program"),
            PrepareError::Newer(format) => {
                write!(f, "the file has format {format}, this program knows {FORMAT}: update it")
            }
        }
    }
}

/// Why a database cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoreError {
    path: String,
    error: String,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the database {} cannot be used: {}", self.path, self.error)
    }
}

impl std::error::Error for StoreError {}
