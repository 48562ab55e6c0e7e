//! The state of the store's thread: the connection, and what to do while the disk fails.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, params_from_iter};

use super::format::{last_alive, open};
use super::{Shared, StoreErrorKind, Work};

/// A file that could not be used yet.
pub(crate) struct PendingFile {
    file: PathBuf,
    /// Why not, as a message for users.
    pub(super) storage_error: &'static str,
    /// How long to wait between attempts.
    retry: Duration,
}

impl PendingFile {
    /// Creates a file that is retried until it can be used.
    pub(crate) fn new(file: PathBuf, error: &super::StoreError, retry: Duration) -> PendingFile {
        PendingFile { file, storage_error: error.user_message(), retry }
    }
}

/// The connection and its state.
pub(super) struct Disk {
    pub(super) connection: Connection,
    /// The lock of the file, released after the connection is closed.
    lock: Option<File>,
    /// The file that will replace the database in memory.
    awaited: Option<PendingFile>,
    next_try: Instant,
    /// The names of failed writes, which their callers will retry.
    unwritten: BTreeSet<String>,
    shared: Arc<Shared>,
}

impl Disk {
    pub(super) fn new(
        connection: Connection,
        lock: Option<File>,
        awaited: Option<PendingFile>,
        shared: Arc<Shared>,
    ) -> Disk {
        let next_try = Instant::now();
        Disk { connection, lock, awaited, next_try, unwritten: BTreeSet::new(), shared }
    }

    /// Runs all work until every store is dropped.
    pub(super) fn work_loop(&mut self, queue: &Receiver<Work>) {
        loop {
            let retry = self.awaited.as_ref().map_or(Duration::from_secs(3600), |file| file.retry);
            match queue.recv_timeout(retry) {
                Ok(work) => work(self),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if Instant::now() >= self.next_try {
                self.try_file();
                self.next_try = Instant::now() + retry;
            }
        }
    }

    /// Moves to the file if it can be used now.
    fn try_file(&mut self) {
        let Some(PendingFile { file, .. }) = &self.awaited else { return };
        let moved = open(file, Duration::ZERO).and_then(|(mut connection, lock)| {
            let alive = last_alive(&connection)?;
            copy(&self.connection, &mut connection)?;
            Ok((connection, lock, alive))
        });
        match moved {
            Ok((connection, lock, alive)) => {
                (self.connection, self.lock) = (connection, Some(lock));
                self.shared.start_readers(file);
                self.awaited = None;
                self.shared.last_alive.store(alive, Ordering::Relaxed);
                self.shared.on_disk.store(true, Ordering::Relaxed);
                self.publish(None);
            }
            Err(error) => {
                self.shared.errors.fetch_add(1, Ordering::Relaxed);
                self.publish(Some(user_message(&error)));
            }
        }
    }

    /// Records the result of a write. A failed write with a name will be retried by its caller.
    pub(super) fn note(&mut self, name: Option<String>, result: &rusqlite::Result<()>) {
        if let Err(error) = result {
            self.shared.errors.fetch_add(1, Ordering::Relaxed);
            self.unwritten.extend(name);
            self.publish(Some(sqlite_message(error)));
        } else if let Some(name) = name {
            self.unwritten.remove(&name);
            if self.unwritten.is_empty() && self.awaited.is_none() {
                self.publish(None);
            }
        }
    }

    /// Publishes the state of the disk if it has changed.
    fn publish(&self, storage_error: Option<&'static str>) {
        self.shared.storage_error.send_if_modified(|published| {
            if *published == storage_error {
                return false;
            }
            match storage_error {
                Some(why) => {
                    tracing::error!(why, "games are not being saved: play continues in memory")
                }
                None => tracing::info!("games are being saved again"),
            }
            *published = storage_error;
            true
        });
    }
}

/// Copies the rows that the file does not have yet. Finished games are marked as unsettled, because
/// the file may have other ratings for their players.
fn copy(from: &Connection, to: &mut Connection) -> rusqlite::Result<()> {
    const TABLES: [&str; 4] = ["guests", "games", "entries", "seats"];
    let transaction = to.transaction()?;
    for table in TABLES {
        let mut rows = from.prepare(&format!("SELECT * FROM {table}"))?;
        let columns: Vec<String> = rows.column_names().map(str::to_owned).collect();
        let (names, marks) = (columns.join(", "), vec!["?"; columns.len()].join(", "));
        let insert = format!("INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})");
        let mut insert = transaction.prepare(&insert)?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let value = |(at, name): (usize, &String)| match name.as_str() {
                "ending" => Ok(Value::Null),
                _ => row.get(at),
            };
            let values: Vec<Value> =
                columns.iter().enumerate().map(value).collect::<Result<_, _>>()?;
            insert.execute(params_from_iter(values))?;
        }
    }
    transaction.commit()
}

/// Returns a short reason why nothing can be saved.
pub(super) fn user_message(error: &StoreErrorKind) -> &'static str {
    match error {
        StoreErrorKind::Sqlite(error) => sqlite_message(error),
        StoreErrorKind::InUse => IN_USE,
        StoreErrorKind::Folder(error) | StoreErrorKind::Lock(error)
            if error.kind() == std::io::ErrorKind::StorageFull =>
        {
            FULL
        }
        StoreErrorKind::Lock(_) => "the database cannot be locked",
        StoreErrorKind::Folder(_) => "the database's folder cannot be created",
        StoreErrorKind::Foreign => "the database belongs to another program",
        StoreErrorKind::Newer(_) => "the database has a newer format",
    }
}

const FULL: &str = "the disk is full";
const IN_USE: &str = "another program is using the database";

fn sqlite_message(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => FULL,
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => "the disk is read-only",
        Some(ErrorCode::CannotOpen) => "the database cannot be opened",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => IN_USE,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => "the database is damaged",
        _ => "disk error",
    }
}
