//! Reads games in PGN from standard input and prints what was read, for measuring the reader on large
//! files (`--strict` reads strictly):
//! `cargo run --release -p fourfold-chess --example random_pgn -- 1000000 |
//! cargo run --release -p fourfold-chess --example read_pgn`

use std::io;

use fourfold_chess::pgn::Reader;

fn main() -> io::Result<()> {
    let mut reader = match std::env::args().nth(1).as_deref() {
        None => Reader::new(io::stdin().lock()),
        Some("--strict") => Reader::strict(io::stdin().lock()),
        Some(other) => {
            eprintln!("unknown argument '{other}': expected --strict");
            std::process::exit(2);
        }
    };
    let (mut games, mut moves, mut damaged, mut errors) = (0_u64, 0, 0_u64, 0_u64);
    while let Some(game) = reader.next() {
        match game {
            Ok(game) => {
                games += 1;
                moves += game.line.moves.len();
                damaged += u64::from(!reader.problems().is_empty());
            }
            Err(error) => {
                errors += 1;
                eprintln!("{error}");
            }
        }
    }
    println!("{games} games, {moves} moves, {damaged} games with problems, {errors} unreadable");
    println!("peak memory: {}", peak_memory()?);
    Ok(())
}

/// Returns the peak memory of this process, on Linux.
fn peak_memory() -> io::Result<String> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(line.unwrap_or("unknown").trim().to_owned())
}
