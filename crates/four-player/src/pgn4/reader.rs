//! Plays the moves of a PGN4 as they are read.

use fourfold_movetext::{Format, Location, OpenLine, Tags, tag};

use super::elimination::{eliminations, skipped_players};
use super::{Elimination, Game, GameError, GameResult, Line, Ply, tags};
use crate::{Ending, History, Player, Players, Position, WithdrawalReason};

/// An iterator over the games of a stream. A game with an error is reported with the location of
/// the error and skipped; the next game follows. (An unclosed comment swallows everything after
/// it.)
///
/// ```
/// use fourfold_four_player::pgn4::Reader;
///
/// let text = "1. h2-h3 .. b7-b9\n\n[Variant \"FFA\"]\n\n1. h2-h4";
/// let mut reader = Reader::new(text.as_bytes());
/// let error = reader.next().expect("a game").unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 13: 'b7-b9' is not legal here");
/// assert_eq!(reader.next().expect("a game")?.plies().count(), 1);
/// # Ok::<(), fourfold_four_player::pgn4::Pgn4Error>(())
/// ```
pub type Reader<R> = fourfold_movetext::Reader<R, Pgn4>;

/// An error in a game, with its location.
pub type Pgn4Error = fourfold_movetext::Error<Pgn4>;

/// The kinds of errors in a game.
pub type Pgn4ErrorKind = fourfold_movetext::ErrorKind<Pgn4>;

/// The format of PGN4.
#[derive(Debug)]
pub struct Pgn4 {
    /// The history of the current line, from the start of the game.
    history: History,
}

/// A position, and how players were eliminated before it.
#[derive(Clone, Debug)]
pub struct State {
    position: Position,
    eliminations: [Option<Elimination>; 4],
    /// The players whose turns were just skipped, except those whose `#` or `S` has already been
    /// read.
    skipped_players: Vec<Player>,
    /// Those of them who were eliminated by the last ply, when their turn came.
    just_eliminated: Players,
}

impl State {
    fn start(position: Position) -> State {
        let eliminations = Player::ALL.map(|player| {
            if position.alive().contains(player) {
                None
            } else if position.resigned().contains(player) {
                Some(Elimination::Withdrew(WithdrawalReason::Resign))
            } else if position.flagged().contains(player) {
                Some(Elimination::Withdrew(WithdrawalReason::Flag))
            } else {
                Some(Elimination::Unknown)
            }
        });
        let just_eliminated = Players::NONE;
        State { position, eliminations, skipped_players: Vec::new(), just_eliminated }
    }

    fn require_in_progress(&self, word: &str) -> Result<(), GameError> {
        match self.position.ending() {
            Some(ending) => Err(GameError::AfterEnd { word: word.to_owned(), ending }),
            None => Ok(()),
        }
    }

    /// Handles the `#` or `S` of an eliminated player, who must be one of those just skipped. It is
    /// matched first with a player eliminated by the last ply, then with those skipped before that
    /// player, who were eliminated earlier.
    fn elimination_sign(&mut self, word: &str) -> Result<(), GameError> {
        let State { position, eliminations, skipped_players, just_eliminated } = self;
        let agrees = |&player: &Player| match eliminations[player as usize] {
            Some(Elimination::Mated | Elimination::KingCaptured) => word == "#",
            Some(Elimination::Stalemated) => word == "S",
            Some(Elimination::Unknown) => true,
            Some(Elimination::Withdrew(_)) | None => false,
        };
        let first = skipped_players.iter().position(|&player| just_eliminated.contains(player));
        let matching = first.filter(|&index| agrees(&skipped_players[index])).or_else(|| {
            skipped_players[..first.unwrap_or(skipped_players.len())].iter().position(agrees)
        });
        if let Some(index) = matching {
            skipped_players.remove(index);
            return Ok(());
        }
        // In teams, a stalemated player remains the player to move.
        if word == "S" && position.ending() == Some(Ending::Stalemate) {
            return Ok(());
        }
        let player = first.map_or(position.turn(), |index| skipped_players[index]);
        let elimination = eliminations[player as usize];
        Err(GameError::WrongElimination { word: word.to_owned(), player, elimination })
    }
}

impl Format for Pgn4 {
    const MULTILINE_TAGS: bool = true;
    const DOTS_SEPARATE: bool = true;
    const START_TAGS: &'static [&'static str] = &["Variant", "StartFen4", "Rules"];

    type Game = Game;
    type State = State;
    type Move = Ply;
    type Result = GameResult;
    type Error = GameError;

    fn start(tags: &Tags) -> Result<(Pgn4, State), (GameError, Location)> {
        let position = tags::start(tags)?;
        Ok((Pgn4 { history: History::new(&position) }, State::start(position)))
    }

    fn result(text: &str) -> Option<GameResult> {
        GameResult::from_text(text)
    }

    /// Reads a move number, or what a player's place holds.
    fn word(&mut self, word: &str, line: &mut OpenLine<Pgn4>) -> Result<(), GameError> {
        match word {
            _ if word.bytes().all(|digit| digit.is_ascii_digit()) => Ok(()),
            "#" | "S" => line.state_mut().elimination_sign(word),
            "D" => self.play(word, Ply::Draw, line),
            _ => match parse_withdrawal(word, line.state().position.turn()) {
                Some((player, how)) => self.play(word, Ply::Withdraw(player, how), line),
                None => self.play_move(word, line),
            },
        }
    }

    fn open_variation(&mut self) {
        self.history.pop();
    }

    fn close_variation(&mut self, variation: &Line, after: &State) {
        variation.moves.iter().for_each(|_| self.history.pop());
        self.history.push(&after.position);
    }

    fn game(tags: Tags, start: State, line: Line, result: Option<GameResult>) -> Game {
        let tags = tags.others;
        let tagged = || tag(&tags, "Result").and_then(GameResult::from_text);
        // `*` only marks the end of the moves; the `Result` tag may say more.
        let written = result.filter(|&result| result != GameResult::Open);
        let result = written.or_else(tagged).unwrap_or(GameResult::Open);
        Game { tags, start: start.position, line, result }
    }
}

impl Pgn4 {
    /// Plays a move. After a king move there may be the letter of the player's withdrawal.
    fn play_move(&mut self, word: &str, line: &mut OpenLine<Pgn4>) -> Result<(), GameError> {
        let position = line.state().position;
        line.state().require_in_progress(word)?;
        let king = word.strip_prefix('K').and(word.strip_suffix(['R', 'T']));
        let mv = position.parse_notation(king.unwrap_or(word)).map_err(GameError::Move)?;
        self.play(word, Ply::Move(mv), line)?;
        let player = position.turn();
        if king.is_some() && position.alive().contains(player) {
            let how =
                if word.ends_with('R') { WithdrawalReason::Resign } else { WithdrawalReason::Flag };
            self.play(word, Ply::Withdraw(player, how), line)?;
        }
        Ok(())
    }

    /// Plays a ply. A move must be legal.
    fn play(&mut self, word: &str, ply: Ply, line: &mut OpenLine<Pgn4>) -> Result<(), GameError> {
        line.state().require_in_progress(word)?;
        let before = line.state().position;
        let mut after = before;
        ply.play(&mut after, &mut self.history)
            .map_err(|error| GameError::Ply { word: word.to_owned(), error })?;
        line.add(ply, |state| {
            state.just_eliminated = Players::NONE;
            for eliminated in eliminations(&before, ply, &after) {
                let player = eliminated.player;
                state.eliminations[player as usize] = Some(eliminated.elimination);
                if eliminated.on_turn {
                    state.just_eliminated = state.just_eliminated.with(player);
                }
            }
            state.skipped_players = skipped_players(&before, ply, &after);
            state.position = after;
        });
        Ok(())
    }
}

/// Parses a withdrawal: `R` or `T` for the player to move, or with another player's letter before
/// it. A `#` or `S` after it means that the king has no legal step left.
fn parse_withdrawal(word: &str, turn: Player) -> Option<(Player, WithdrawalReason)> {
    let letter = word.chars().next().filter(char::is_ascii_lowercase);
    let (player, rest) = match letter.and_then(Player::from_letter) {
        Some(player) => (player, &word[1..]),
        None => (turn, word),
    };
    match rest {
        "R" | "R#" | "RS" => Some((player, WithdrawalReason::Resign)),
        "T" | "T#" | "TS" => Some((player, WithdrawalReason::Flag)),
        _ => None,
    }
}
