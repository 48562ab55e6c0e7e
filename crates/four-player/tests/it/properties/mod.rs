//! Properties that must hold for any input. The tests check them on random inputs; the fuzz
//! targets in `fuzz/` check them without a bound.

use std::io::Cursor;

use fourfold_common::SplitMix64;
use fourfold_four_player::pgn4::{Ply, Reader};
use fourfold_four_player::{
    History, Mode, Move, Player, Position, Rules, StartPosition, WithdrawalReason, perft,
};

const MODES: [Rules; 2] = [Rules::FREE_FOR_ALL, Rules::TEAMS];

/// Returns one of several sets of rules: both modes, and every option that affects the notations.
pub(crate) fn rules(number: u8) -> Rules {
    let words = [
        "",
        "teams",
        "immediate",
        "immediate walking-king",
        "walking-king legacy-points survivor",
        "forbid-king-capture",
        "teams forbid-king-capture quiet=30",
        "repetition=2 no-bare-kings",
    ];
    Rules::parse(words[usize::from(number) % words.len()]).expect("words of ours")
}

/// Returns the plies of a random game with the position before each one, and the final position.
/// Occasionally a player withdraws, on their turn or not.
pub(crate) fn game(start: Position, plies: u8, seed: u64) -> (Vec<(Position, Ply)>, Position) {
    let mut rng = SplitMix64::new(seed);
    let mut position = start;
    let mut history = History::new(&start);
    let mut played = Vec::new();
    for _ in 0..plies {
        let Some(ply) = ply(&position, &mut rng) else { break };
        played.push((position, ply));
        ply.play(&mut position, &mut history).expect("a legal ply");
    }
    (played, position)
}

/// Returns a random ply, or `None` if the game is over.
pub(crate) fn ply(position: &Position, rng: &mut SplitMix64) -> Option<Ply> {
    let list = position.legal_moves();
    let index = rng.next().checked_rem(list.len() as u64)?;
    let mv = Ply::Move(list[index as usize]);
    let player = Player::ALL[(rng.next() % 4) as usize];
    let how = if rng.next().is_multiple_of(2) {
        WithdrawalReason::Resign
    } else {
        WithdrawalReason::Flag
    };
    match rng.next() % 60 {
        0 if position.alive().contains(player) => Some(Ply::Withdraw(player, how)),
        1 if position.alive().contains(position.turn()) => {
            Some(Ply::Withdraw(position.turn(), how))
        }
        2 if rng.next().is_multiple_of(8) => Some(Ply::Draw),
        _ => Some(mv),
    }
}

/// Returns a position from random play.
pub(crate) fn position(number: u8, plies: u8, seed: u64) -> Position {
    let opening = StartPosition::ALL[(seed % 5) as usize];
    game(Position::start(opening, rules(number)), plies, seed).1
}

/// A string that parses as a FEN4 is a playable position, which is unchanged after formatting and
/// parsing it again. The lenient parser agrees with the strict one.
pub(crate) fn fen4(text: &str) {
    for rules in MODES {
        let rules = Rules { walking_king: text.len().is_multiple_of(2), ..rules };
        let lenient = Position::from_fen4_lenient(text, rules);
        let strict = Position::from_fen4(text, rules);
        assert!(strict.is_err() || strict == lenient, "{text}");
        let Ok(position) = lenient else { continue };
        let written = position.fen4();
        let again = Position::from_fen4(&written, rules);
        assert_eq!(again.as_ref(), Ok(&position), "{text}\n{written}");
        assert!(perft(&position, 1) <= fourfold_four_player::MAX_MOVES as u64);
        for &mv in position.legal_moves().iter().take(40) {
            is_read_back(&position, mv);
            let _ = position.after(mv).fen4();
        }
    }
}

/// A string that parses as a move, in either notation, reads back after writing.
pub(crate) fn moves(position: &Position, text: &str) {
    for read in [position.parse_move(text), position.parse_notation(text)] {
        match read {
            Ok(mv) => is_read_back(position, mv),
            Err(error) => assert!(is_message(&error), "{error}"),
        }
    }
}

/// Both notations of a legal move parse to that move and no other.
pub(crate) fn is_read_back(position: &Position, mv: Move) {
    assert!(position.is_legal(mv));
    assert_eq!(position.parse_move(&mv.to_string()), Ok(mv), "{position}");
    let notation = position.notation(mv);
    assert_eq!(position.parse_notation(&notation), Ok(mv), "{notation} in {position}");
    if position.rules().mode == Mode::FreeForAll || mv.promotion().is_none() {
        let bare = notation.split('=').next().expect("a text").trim_end_matches(['+', '#']);
        assert_eq!(position.parse_notation(bare), Ok(mv), "{bare} in {position}");
    }
}

/// Games that are read, strictly or not, are unchanged after writing and reading them in the same
/// way: names of tags that only the lenient reader accepts are written as they are. The lenient
/// reader agrees with the strict one where that finds no error.
pub(crate) fn pgn4(bytes: &[u8]) {
    let strict: Vec<_> = Reader::strict(Cursor::new(bytes)).collect();
    let mut reader = Reader::new(Cursor::new(bytes));
    let mut lenient = Vec::new();
    while let Some(game) = reader.next() {
        lenient.push((game, reader.take_problems().len()));
    }
    if strict.iter().all(Result::is_ok) {
        assert_eq!(strict.len(), lenient.len());
        for (strict, (game, problems)) in strict.iter().zip(&lenient) {
            assert_eq!(strict.as_ref().ok(), game.as_ref().ok());
            assert_eq!(*problems, 0);
        }
    }
    let strict = strict.into_iter().flatten().map(|game| (game, true));
    let lenient = lenient.into_iter().filter_map(|(game, _)| Some((game.ok()?, false)));
    for (game, is_strict) in strict.chain(lenient) {
        let written = game.to_string();
        let text = written.as_bytes();
        let mut again = if is_strict { Reader::strict(text) } else { Reader::new(text) };
        let read =
            again.next().expect("a game").unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(read, game, "\n{written}");
        assert_eq!(read.to_string(), written);
        assert!(again.take_problems().is_empty(), "\n{written}");
        assert!(again.next().is_none(), "one game became two\n{written}");
        assert_eq!(game.positions().count(), game.plies().count() + 1, "\n{written}");
    }
}

/// Whether an error is one line that can be shown to a person, whatever was parsed.
fn is_message(error: &impl std::fmt::Display) -> bool {
    let text = error.to_string();
    let readable = !text.contains(char::is_control) && !text.ends_with('.');
    (10..=300).contains(&text.chars().count()) && readable
}
