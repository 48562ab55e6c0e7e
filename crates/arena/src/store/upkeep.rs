//! What the server asks the database on its own: which clocks run out, how many unfinished games
//! somebody has, and which games are old.

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use super::{Store, execute, row, rows};
use crate::guest::GuestId;

/// A time during which the server was not running, in milliseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Downtime {
    pub(crate) stopped: u64,
    pub(crate) resumed: u64,
}

/// Returns the times since `latest` during which the server was not running.
pub(super) fn downtimes(connection: &Connection, latest: u64) -> rusqlite::Result<Vec<Downtime>> {
    let sql = "SELECT stopped, resumed FROM downtimes WHERE resumed > ?1 ORDER BY resumed";
    let rows: Vec<(i64, i64)> = rows(connection, sql, [latest as i64])?;
    let downtime =
        |(stopped, resumed)| Downtime { stopped: stopped as u64, resumed: resumed as u64 };
    Ok(rows.into_iter().map(downtime).collect())
}

/// Games deleted per transaction, so that moves do not wait for long.
const DELETED_AT_ONCE: usize = 50;
/// Pages returned to the file system at once, for the same reason.
const PAGES_AT_ONCE: u32 = 64;

pub(super) const DUE: &str = "SELECT id FROM games WHERE deadline <= ?1 ORDER BY deadline LIMIT ?2";
pub(super) const SET_DEADLINE: &str =
    "UPDATE games SET deadline = ?2 WHERE id = ?1 AND deadline IS NOT ?2";
pub(super) const UNFINISHED: &str = "
    SELECT (SELECT count(*) FROM games WHERE over = 0 AND creator = ?1),
    (SELECT count(*) FROM games WHERE over = 0 AND origin = ?2)";
pub(super) const IDLE: &str =
    "SELECT id FROM games WHERE over = ?1 AND day < ?2 ORDER BY day LIMIT ?3";
/// What deletes a game.
pub(super) const DELETE: [&str; 4] = [
    "DELETE FROM entries WHERE game = ?1",
    "DELETE FROM seats WHERE game = ?1",
    "DELETE FROM swings WHERE game = ?1",
    "DELETE FROM games WHERE id = ?1",
];

impl Store {
    /// Returns the games whose clocks run out before `time`, first ones first, at most `most`.
    pub(crate) async fn due(&self, time: u64, most: usize) -> rusqlite::Result<Vec<String>> {
        self.run(move |connection| {
            let ids: Vec<(String,)> = rows(connection, DUE, [time as i64, most as i64])?;
            Ok(ids.into_iter().map(|(id,)| id).collect())
        })
        .await
    }

    /// Sets when a game's running clock runs out.
    pub(crate) async fn set_deadline(
        &self,
        id: String,
        deadline: Option<u64>,
    ) -> rusqlite::Result<()> {
        self.write(None, move |connection| {
            execute(connection, SET_DEADLINE, params![id, deadline.map(|deadline| deadline as i64)])
        })
        .await
    }

    /// Returns the number of unfinished games of a guest, and those created from the
    /// address with this hash.
    pub(crate) async fn unfinished(
        &self,
        creator: GuestId,
        address_hash: Option<i64>,
    ) -> rusqlite::Result<(usize, usize)> {
        self.run(move |connection| {
            let counts: Option<(i64, i64)> =
                row(connection, UNFINISHED, params![creator.0, address_hash])?;
            let (own, near) = counts.unwrap_or_default();
            Ok((own as usize, near as usize))
        })
        .await
    }

    /// Returns a hash of an address, by which games created from it are counted. It is salted with
    /// random bytes of this database.
    pub(crate) async fn address_hash(&self, address: std::net::IpAddr) -> rusqlite::Result<i64> {
        self.run(move |connection| {
            let salt: Option<(Vec<u8>,)> = row(connection, "SELECT salt FROM salt", [])?;
            let salt = salt.map(|(salt,)| salt).unwrap_or_default();
            let digest = Sha256::new().chain_update(salt).chain_update(address.to_string());
            let digest: [u8; 32] = digest.finalize().into();
            Ok(digest[..8].iter().fold(0, |number: i64, byte| number << 8 | i64::from(*byte)))
        })
        .await
    }

    /// Returns some games that nothing has happened in since before `day`, oldest first: finished
    /// ones if `over`, otherwise unfinished ones.
    pub(crate) async fn idle(&self, over: bool, day: u64) -> rusqlite::Result<Vec<String>> {
        self.run(move |connection| {
            let most = DELETED_AT_ONCE as i64;
            let ids: Vec<(String,)> = rows(connection, IDLE, params![over, day as i64, most])?;
            Ok(ids.into_iter().map(|(id,)| id).collect())
        })
        .await
    }

    /// Deletes games, and returns their pages to the file system.
    pub(crate) async fn delete(&self, ids: Vec<String>) -> rusqlite::Result<()> {
        self.write(None, move |connection| {
            let transaction = connection.transaction()?;
            for id in &ids {
                for sql in DELETE {
                    execute(&transaction, sql, [id])?;
                }
            }
            transaction.commit()
        })
        .await?;
        while self.shrink().await? > 0 {}
        Ok(())
    }

    /// Returns some free pages to the file system. Returns how many are left: none if that is not
    /// possible. Other writes can come between two calls.
    async fn shrink(&self) -> rusqlite::Result<i64> {
        let sql = "PRAGMA freelist_count";
        let free = self.ask(move |disk| row::<(i64,)>(&disk.connection, sql, []));
        let before = free.await?.map_or(0, |(count,)| count);
        let shrunk = self.write(None, |connection| {
            let sql = format!("PRAGMA incremental_vacuum({PAGES_AT_ONCE})");
            let mut vacuum = connection.prepare_cached(&sql)?;
            // It returns a row for each page.
            let mut pages = vacuum.query([])?;
            while pages.next()?.is_some() {}
            Ok(())
        });
        shrunk.await?;
        let left = self.ask(move |disk| row::<(i64,)>(&disk.connection, sql, []));
        let left = left.await?.map_or(0, |(count,)| count);
        Ok(if left < before { left } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seating::Setup;
    use crate::store::{NewGame, Progress, Record};

    #[tokio::test]
    async fn the_file_shrinks_in_small_steps() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("arena.db")).expect("a new file");
        let setup = Setup::of_file("chess", &[], |_| None);
        let new = Some(NewGame { creator: GuestId(7), setup, address_hash: None });
        let progress = Progress { over: false, deadline: None, now: 1 };
        let entries = (0..10_000).map(|number| (number, "x".repeat(200))).collect();
        let record = Record { id: "abcdefghjkmn".to_owned(), new, progress, entries };
        store.put(record).await.expect("SQL");
        let deleted = store.write(None, |connection| {
            DELETE.into_iter().try_for_each(|sql| execute(connection, sql, ["abcdefghjkmn"]))
        });
        deleted.await.expect("SQL");
        let mut size = store.size().await.expect("SQL");
        let (mut steps, mut left) = (0, 1);
        while left > 0 {
            left = store.shrink().await.expect("SQL");
            let now = store.size().await.expect("SQL");
            assert!(now < size && size - now <= i64::from(PAGES_AT_ONCE) + 1, "{size}, {now}");
            (size, steps) = (now, steps + 1);
        }
        assert!(steps > 3, "{steps} steps");
    }
}
