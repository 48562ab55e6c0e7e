//! Writes random games as PGN to standard output, one in a thousand of them with an error, for
//! testing readers on large files. Reports how many moves are not after an error:
//! `cargo run --release -p fourfold-chess --example random_pgn -- 1000000 > games.pgn`

use std::io::{self, BufWriter, Write};

use fourfold_chess::pgn::{Game, GameResult, Node};
use fourfold_chess::{Ending, History, Position};
use fourfold_common::SplitMix64;

/// Games that have not ended after this many plies are left unfinished.
const PLIES: usize = 80;

fn main() -> io::Result<()> {
    let count = match std::env::args().nth(1).unwrap_or_else(|| "1000".to_owned()).parse::<u64>() {
        Ok(count) => count,
        Err(error) => {
            eprintln!("expected a number of games: {error}");
            std::process::exit(2);
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut moves = 0;
    for number in 1..=count {
        let game = random_game(number);
        let mut text = game.to_string();
        moves += game.line.moves.len();
        if number % 1000 == 0 {
            // `X` is not a piece letter, so the move cannot be parsed. It precedes the last move of
            // White.
            moves -= 2 - game.line.moves.len() % 2;
            let middle = text.rfind('.').map_or(0, |dot| dot + 2);
            text.insert_str(middle, "Xa1 ");
        }
        writeln!(out, "{text}")?;
    }
    out.flush()?;
    eprintln!("{count} games, {moves} moves that are not after an error");
    Ok(())
}

fn random_game(number: u64) -> Game {
    let mut position = Position::start();
    let mut game = Game::new(position);
    game.set_tag("Round", &number.to_string());
    let mut history = History::new(&position);
    let mut rng = SplitMix64::new(number);
    for _ in 0..PLIES {
        if let Some(ending) = history.ending(&position) {
            game.set_result(match ending {
                Ending::Checkmate { winner } => GameResult::Won(winner),
                _ => GameResult::Drawn,
            });
            break;
        }
        let moves = position.legal_moves();
        let mv = moves[(rng.next() % moves.len() as u64) as usize];
        game.line.moves.push(Node::new(mv));
        position.play_unchecked(mv);
        history.push(&position);
    }
    game
}
