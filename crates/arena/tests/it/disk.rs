//! A disk that cannot be written: play continues in memory, everybody is notified, and nothing is
//! lost once it works again.

use std::time::Duration;

use fourfold_arena::Limits;
use serde_json::{Value, json};

use crate::client::{ADA, BOB, Page, fast_limits, get, number, server, until};

fn fast_retry() -> Limits {
    Limits { retry: Duration::from_millis(20), ..fast_limits() }
}

/// Returns the next notice that a page receives.
async fn notice(page: &mut Page) -> Value {
    loop {
        let message = page.receive().await.expect("the server goes on");
        if message["t"] == "notice" {
            return message["text"].clone();
        }
    }
}

#[tokio::test]
async fn games_continue_in_memory_without_a_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    // A folder cannot be opened as a database.
    let server = server(Some(folder.path().to_owned()), fast_limits()).await;
    let error = server.storage_error().expect("it cannot be opened").to_string();
    assert!(error.contains("cannot be used"), "{error}");
    let mut ada = Page::open(&server, ADA).await;
    let expected = "games are not being saved: the database cannot be opened. You can keep playing, but games are lost if the server stops";
    assert_eq!(notice(&mut ada).await, expected);
    let game = ada.create(json!("self"), 0).await;
    ada.watch(&game).await;
    assert_eq!(ada.state["stored"], json!(false));
    ada.play("e2e4").await.expect("play goes on");
    let (head, health) = get(&server, "/healthz").await;
    assert!(head.starts_with("HTTP/1.1 200"), "a restart would lose the games: {head}");
    assert_eq!(health, "ok, but games are not being saved: the database cannot be opened\n");
    assert_eq!(number(&server, "fourfold_store_up").await, Some(0.0));
    server.stop().await;
}

#[tokio::test]
async fn games_in_memory_are_saved_once_the_disk_works() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    // An earlier server has left a game with a running clock.
    let clock = json!({"initial": 600_000, "increment": 0});
    let earlier = server(Some(path.clone()), fast_retry()).await;
    let mut bob = Page::open(&earlier, BOB).await;
    let old = bob.create_of("chess", json!("self"), 0, clock).await;
    bob.watch(&old).await;
    bob.play("d2d4").await.expect("legal");
    earlier.stop().await;
    // SQLite cleans up a moment later; then the write-ahead log is gone.
    until(async || !folder.path().join("arena.db-wal").exists()).await;
    let aside = folder.path().join("aside.db");
    std::fs::rename(&path, &aside).expect("the file is nobody's");
    std::fs::create_dir(&path).expect("a folder in its place");

    let first = server(Some(path.clone()), fast_retry()).await;
    assert!(first.storage_error().is_some());
    let mut ada = Page::open(&first, ADA).await;
    ada.ask(json!({"t": "name", "name": "Ada"})).await.expect("a name");
    let turns = ada.create(json!("self"), 0).await;
    let rules = json!({"t": "create", "game": "kung-fu", "opponent": "friend", "seat": 0});
    let live = ada.ask(rules).await.expect("a game")["game"].as_str().expect("an id").to_owned();
    ada.watch(&turns).await;
    ada.play("e2e4").await.expect("play goes on");
    assert_eq!(ada.state["stored"], json!(false));

    std::fs::remove_dir(&path).expect("it is empty");
    std::fs::rename(&aside, &path).expect("the file is back");
    while notice(&mut ada).await != Value::Null {}
    ada.play("e7e5").await.expect("play goes on");
    ada.wait(|state| state["stored"] == json!(true)).await;
    let (_, health) = get(&first, "/healthz").await;
    assert_eq!(health, "ok\n");
    first.stop().await;

    let second = server(Some(path), fast_retry()).await;
    assert!(second.storage_error().is_none());
    let mut ada = Page::open(&second, ADA).await;
    assert_eq!(ada.hello["name"], "Ada");
    ada.watch(&turns).await;
    assert_eq!(ada.moves(), ["e2e4", "e7e5"]);
    assert_eq!(ada.state["you"], json!([0, 1]));
    ada.watch(&live).await;
    assert_eq!(ada.state["you"], json!([0]));
    let mut bob = Page::open(&second, BOB).await;
    bob.watch(&old).await;
    assert_eq!(bob.moves(), ["d2d4"]);
    second.stop().await;
}

/// The folder of a disk that is nearly full, in the process that runs on it.
#[cfg(target_os = "linux")]
const SMALL_DISK: &str = "FOURFOLD_SMALL_DISK";
/// Set if files, and not the disk, are limited in size.
#[cfg(target_os = "linux")]
const SMALL_FILES: &str = "FOURFOLD_SMALL_FILES";

/// Runs this test again in a process that can write only little: on a small disk of its own or,
/// where mounting is not allowed, with a limit on the size of files.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn play_continues_on_a_full_disk() {
    const NAME: &str = "disk::play_continues_on_a_full_disk";
    const MOUNT: &str = "mount -t tmpfs -o size=2m tmpfs \"$0\" || exit 77; exec \"$@\"";
    // The signal would end the process.
    const LIMIT: &str = "trap '' XFSZ; ulimit -f 1000; exec \"$@\"";
    if let Some(folder) = std::env::var_os(SMALL_DISK) {
        return fill_disk(std::path::Path::new(&folder)).await;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = std::env::current_exe().expect("a program");
    let run = |command: &mut std::process::Command| {
        command.arg(folder.path()).arg(&program).args(["--exact", NAME, "--nocapture"]);
        command.env(SMALL_DISK, folder.path()).output()
    };
    let mounted = run(std::process::Command::new("unshare").args(["-Urm", "sh", "-c", MOUNT]));
    let done = match mounted {
        // 77 is ours; 1 comes from `unshare` itself, before anything else runs.
        Ok(done) if done.status.success() || !done.stdout.is_empty() => done,
        other => {
            eprintln!("no small disk can be mounted, so the size of files is limited: {other:?}");
            let mut limited = std::process::Command::new("sh");
            run(limited.args(["-c", LIMIT]).env(SMALL_FILES, "1")).expect("a shell")
        }
    };
    let text = String::from_utf8_lossy(&done.stdout);
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && text.contains("1 passed"), "{text}\n{errors}");
}

/// Plays until the disk is full, and after that.
#[cfg(target_os = "linux")]
async fn fill_disk(folder: &std::path::Path) {
    use std::io::Write;

    let limits = Limits { games_per_guest: 100_000, ..fast_retry() };
    let path = folder.join("arena.db");
    let first = server(Some(path.clone()), limits).await;
    assert!(first.storage_error().is_none());
    let mut ada = Page::open(&first, ADA).await;
    let game = ada.create(json!("self"), 0).await;
    ada.watch(&game).await;
    ada.play("e2e4").await.expect("legal");
    assert_eq!(ada.state["stored"], json!(true));

    let small_files = std::env::var_os(SMALL_FILES).is_some();
    let filler = folder.join("filler");
    let why = if small_files { "disk error" } else { "the disk is full" };
    if !small_files {
        let mut file = std::fs::File::create(&filler).expect("a file");
        let full = loop {
            if let Err(error) = file.write_all(&[0; 512]) {
                break error;
            }
        };
        assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
    }
    // Whatever is written next does not fit anymore, or soon.
    let mut created = 0;
    while get(&first, "/healthz").await.1 == "ok\n" {
        ada.create(json!("self"), 0).await;
        created += 1;
        assert!(created < 5_000, "the disk is never full");
    }
    let (head, health) = get(&first, "/healthz").await;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert_eq!(health, format!("ok, but games are not being saved: {why}\n"));
    assert!(notice(&mut ada).await.as_str().is_some_and(|notice| notice.contains(why)));
    ada.play("e7e5").await.expect("play goes on");
    assert_eq!(ada.moves(), ["e2e4", "e7e5"]);
    if small_files {
        return first.stop().await;
    }
    ada.wait(|state| state["stored"] == json!(false)).await;

    std::fs::remove_file(&filler).expect("it is there");
    ada.wait(|state| state["stored"] == json!(true)).await;
    ada.play("g1f3").await.expect("play goes on");
    first.stop().await;
    let second = server(Some(path), limits).await;
    let mut ada = Page::open(&second, ADA).await;
    ada.watch(&game).await;
    assert_eq!(ada.moves(), ["e2e4", "e7e5", "g1f3"], "nothing is lost");
    second.stop().await;
}
