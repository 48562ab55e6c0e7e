//! What the server does on its own: loads games before their clocks run out, and deletes old ones.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use crate::hub::Hub;
use crate::store::DAY;

/// How long before its clock runs out a game is loaded, in milliseconds.
const LEAD: u64 = 2000;
/// Games loaded per second, so that those who play do not notice.
const LOADED_AT_ONCE: usize = 50;
/// When a game that cannot be loaded is tried again, in milliseconds.
const RETRY: u64 = 3600 * 1000;
/// How often old games are looked for.
const EXPIRY_INTERVAL: Duration = Duration::from_secs(600);

/// Loads games before their clocks run out, until the server shuts down.
pub(crate) async fn wake_timed_games(hub: Arc<Hub>) {
    let mut every_second = interval(Duration::from_secs(1));
    every_second.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = hub.stopped() => return,
            _ = every_second.tick() => {}
        }
        let due = match hub.store.due(hub.now() + LEAD, LOADED_AT_ONCE).await {
            Ok(due) => due,
            Err(error) => {
                tracing::error!(%error, "cannot find the games whose clocks run out");
                continue;
            }
        };
        for id in due {
            if hub.is_loaded(&id).await {
                continue;
            }
            if hub.is_full().await {
                // Their clocks have run out by the time there is room.
                break;
            }
            if let Err(error) = hub.wake(&id).await {
                tracing::error!(game = id, error, "cannot load a game whose clock runs out");
                let later = hub.now() + RETRY;
                // If that fails, too, it is tried again at once.
                let _ = hub.store.set_deadline(id, Some(later)).await;
            }
        }
    }
}

/// Deletes old games, until the server shuts down.
pub(crate) async fn expire_games(hub: Arc<Hub>) {
    let mut again = interval(EXPIRY_INTERVAL);
    loop {
        tokio::select! {
            () = hub.stopped() => return,
            _ = again.tick() => {}
        }
        let (unfinished, finished) = (hub.limits.keep_unfinished, hub.limits.keep_finished);
        for (over, days) in [(false, unfinished), (true, finished)] {
            let Some(days) = days else { continue };
            match expire(&hub, over, days).await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, over, "deleted old games"),
                Err(error) => tracing::error!(%error, "cannot delete old games"),
            }
        }
    }
}

/// Deletes the games in which nothing has happened for this many days. Returns how many.
async fn expire(hub: &Hub, over: bool, days: u32) -> rusqlite::Result<usize> {
    let day = (hub.now() / DAY).saturating_sub(u64::from(days));
    let mut count = 0;
    loop {
        let deleted = hub.delete(hub.store.idle(over, day).await?).await?;
        // If all of them are in memory, somebody is watching old games.
        if deleted == 0 {
            return Ok(count);
        }
        count += deleted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guest::GuestId;
    use crate::seating::Setup;
    use crate::store::{NewGame, Progress, Record, Store};
    use crate::tests::hub_of;

    async fn put(store: &Store, id: &str, over: bool, now: u64) {
        let setup = Setup::of_file("chess", &[], |_| None);
        let new = Some(NewGame { creator: GuestId(7), setup, address_hash: None });
        let progress = Progress { over, deadline: None, now };
        // Enough for several pages of the file.
        let entries = (0..200).map(|number| (number, "x".repeat(100))).collect();
        let record = Record { id: id.to_owned(), new, progress, entries };
        store.put(record).await.expect("SQL");
    }

    #[tokio::test]
    async fn old_games_are_deleted_and_the_file_shrinks() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("arena.db")).expect("a new file");
        let (hub, _stop) = hub_of(store.clone());
        let (recent, old) = (hub.now() - 5 * DAY, hub.now() - 50 * DAY);
        // More than are deleted at once.
        for number in 0..120 {
            put(&store, &format!("old{number:09}"), false, old).await;
        }
        put(&store, "recentaaaaaa", false, recent).await;
        put(&store, "finishedaaaa", true, old).await;
        let before = store.size().await.expect("SQL");
        assert_eq!(expire(&hub, false, 10).await.expect("SQL"), 120);
        let after = store.size().await.expect("SQL");
        assert!(after * 5 < before, "{before} pages, then {after}");
        assert!(store.game("old000000000".to_owned()).await.expect("SQL").is_none());
        assert!(store.game("recentaaaaaa".to_owned()).await.expect("SQL").is_some());
        assert!(store.game("finishedaaaa".to_owned()).await.expect("SQL").is_some());
        assert_eq!(expire(&hub, true, 10).await.expect("SQL"), 1);
    }

    #[tokio::test]
    async fn games_in_memory_are_not_deleted() {
        let (hub, _stop) = hub_of(Store::in_memory(None).expect("memory"));
        let guest = hub.keep_guest([1; 32]).await;
        let opponent = crate::protocol::Opponent::Myself;
        let setup = Setup::requested(&guest, "chess", &opponent, None, None, &None);
        let id = hub.open(setup.expect("a game"), guest.id, None).await.expect("room");
        assert_eq!(hub.delete(vec![id.clone()]).await.expect("SQL"), 0);
        assert!(hub.store.game(id).await.expect("SQL").is_some());
    }
}
