//! Threads with connections of their own: two that read, and one that moves the write-ahead log into
//! the file. SQLite lets them work while the store's thread writes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use rusqlite::Connection;

use crate::hub::lock;

/// A query, run on one of the threads.
pub(super) type Read = Box<dyn FnOnce(&mut Connection) + Send>;

/// A slow query delays others only if there are this many of them.
const THREADS: usize = 2;

/// The write-ahead log is moved into the file when it is larger than this, in bytes.
const LONGEST_LOG: u64 = 4 << 20;
/// How often its size is looked at.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(1);

/// A handle to the threads, which end when it is dropped.
pub(super) struct Readers {
    pub(super) work: mpsc::Sender<Read>,
    _checkpoints: mpsc::Sender<()>,
}

/// Starts the threads.
///
/// # Errors
/// Fails if the file cannot be opened.
pub(super) fn start(path: &Path) -> rusqlite::Result<Readers> {
    let (work, queue) = mpsc::channel::<Read>();
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..THREADS {
        // Not opened as read-only: whichever connection closes last tidies up.
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(super::format::PATIENCE)?;
        connection.pragma_update(None, "query_only", true)?;
        let queue = queue.clone();
        std::thread::spawn(move || {
            loop {
                let work = lock(&queue).recv();
                let Ok(work) = work else { return };
                work(&mut connection);
            }
        });
    }
    let connection = Connection::open(path)?;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let (_checkpoints, closed) = mpsc::channel();
    std::thread::spawn(move || move_log(&connection, &log.into(), &closed));
    Ok(Readers { work, _checkpoints })
}

/// Moves the write-ahead log into the file from time to time. That waits for the disk, which would
/// delay moves on the thread that writes.
fn move_log(connection: &Connection, log: &PathBuf, closed: &Receiver<()>) {
    while closed.recv_timeout(CHECKPOINT_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        let size = std::fs::metadata(log).map_or(0, |log| log.len());
        // After it was moved, the next write starts it anew and shortens it.
        if size < LONGEST_LOG {
            continue;
        }
        let moved = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        if let Err(error) = moved {
            tracing::warn!(%error, "cannot move the write-ahead log into the database");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::guest::{Guest, GuestId};
    use crate::store::Store;

    #[tokio::test]
    async fn slow_queries_do_not_delay_writes() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("arena.db")).expect("a new file");
        let (release, blocked) = std::sync::mpsc::channel::<()>();
        let slow = store.clone();
        let slow = tokio::spawn(async move {
            let query = slow.run(move |connection| {
                let transaction = connection.transaction()?;
                let sql = "SELECT count(*) FROM guests";
                let count: i64 = transaction.query_row(sql, [], |row| row.get(0))?;
                let _ = blocked.recv();
                Ok(count)
            });
            query.await
        });
        let ada = Guest { id: GuestId(7), name: "Ada".to_owned() };
        store.put_guest([1; 32], ada.clone()).await.expect("nothing is in the way");
        // Another query sees it at once.
        assert_eq!(store.guest([1; 32]).await.expect("SQL"), Some(ada));
        drop(release);
        slow.await.expect("no panic").expect("SQL");
    }

    #[tokio::test]
    async fn queries_cannot_write() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("arena.db")).expect("a new file");
        let written = store.run(|connection| connection.execute("UPDATE alive SET at = 1", []));
        assert!(written.await.is_err());
    }
}
