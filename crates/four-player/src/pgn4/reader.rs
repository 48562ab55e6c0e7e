//! Plays the moves of a PGN4 as they are read.

use std::cell::Cell;
use std::rc::Rc;

use fourfold_movetext::{Format, Location, OpenLine, Recovery, Tags, tag};

use super::elimination::{eliminations, skipped_players};
use super::lenient::{Candidates, ImpliedStart};
use super::{Elimination, Game, GameError, GameResult, Line, Ply, tags};
use crate::{Ending, History, Player, Players, Position, WithdrawalReason};

/// Reads games one after another, leniently: the moves before an error are kept, and the error is
/// one of the [problems](fourfold_movetext::Reader::problems) of the game. A game is reported as an
/// error only if its start position is unknown or there is nothing to keep.
///
/// A game that does not name its start position begins from the classic one if its `Site` is
/// chess.com, which has named others since 2020, and otherwise from the modern one. If its moves
/// cannot be played from there, it begins from the first of the others from which they can, which is
/// reported as a problem.
///
/// `Reader::strict` creates a reader that reports a game with an error, with its location, instead of
/// the game.
///
/// ```
/// use fourfold_four_player::StartPosition;
/// use fourfold_four_player::pgn4::Reader;
///
/// // From the modern start position, Blue's queen is on a8.
/// let text = "1. h2-h3 .. b8-c8 .. k13-k12 .. m4-l4\n2. h3-h4 .. Qa7-b8 .. k12-k11 .. l4-k4";
/// let mut reader = Reader::new(text.as_bytes());
/// let game = reader.next().expect("a game")?;
/// assert_eq!((game.setup(), game.plies().count()), (Some(StartPosition::Classic), 8));
/// let problem = reader.problems()[0].to_string();
/// assert!(problem.starts_with("line 2, column 13: 'Qa7-b8' is legal only from"), "{problem}");
/// let mut strict = Reader::strict(text.as_bytes());
/// assert!(strict.next().expect("a game").is_err());
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
    pub(super) history: History,
    pub(super) candidates: Candidates,
    /// The number of variations that are open.
    depth: usize,
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
    /// The start position that the moves imply, which all states of a game share.
    implied: Rc<Cell<Option<ImpliedStart>>>,
}

impl State {
    pub(super) fn start(position: Position) -> State {
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
        let (skipped_players, implied) = (Vec::new(), Rc::default());
        State { position, eliminations, skipped_players, just_eliminated, implied }
    }

    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// Makes this a state of the game that another one belongs to, whose start is now known.
    pub(super) fn share(&mut self, other: &State, start: ImpliedStart) {
        self.implied = Rc::clone(&other.implied);
        self.implied.set(Some(start));
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
        let State { position, eliminations, skipped_players, just_eliminated, .. } = self;
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

    const LENIENT: bool = true;

    type Game = Game;
    type State = State;
    type Move = Ply;
    type Result = GameResult;
    type Error = GameError;

    fn start(tags: &Tags) -> Result<(Pgn4, State), (GameError, Location)> {
        let position = tags::start(tags, Position::from_fen4)?;
        Ok((Pgn4::new(&position, Candidates::default()), State::start(position)))
    }

    fn lenient_start(tags: &Tags) -> Result<(Pgn4, State), (GameError, Location)> {
        let position = tags::start(tags, Position::from_fen4_lenient)?;
        let candidates = match tags.start_tag("StartFen4") {
            Some(_) => Candidates::default(),
            None => Candidates::other_than(tags::unnamed_start(tags)),
        };
        Ok((Pgn4::new(&position, candidates), State::start(position)))
    }

    fn result(text: &str) -> Option<GameResult> {
        GameResult::from_text(text)
    }

    fn word(&mut self, word: &str, line: &mut OpenLine<Pgn4>) -> Result<(), GameError> {
        self.add(word, line)?;
        if !self.in_variation() {
            self.candidates.record(word);
        }
        Ok(())
    }

    fn recover(
        &mut self,
        word: &str,
        error: GameError,
        line: &mut OpenLine<Pgn4>,
    ) -> Recovery<Pgn4> {
        self.recover_word(word, error, line)
    }

    fn open_variation(&mut self) {
        self.history.pop();
        self.depth += 1;
    }

    fn close_variation(&mut self, variation: &Line, after: &State) {
        variation.moves.iter().for_each(|_| self.history.pop());
        self.history.push(&after.position);
        self.depth -= 1;
    }

    fn game(tags: Tags, start: State, line: Line, result: Option<GameResult>) -> Game {
        let tags = tags.others;
        let tagged = || tag(&tags, "Result").and_then(GameResult::from_text);
        // `*` only marks the end of the moves; the `Result` tag may say more.
        let written = result.filter(|&result| result != GameResult::Open);
        let result = written.or_else(tagged).unwrap_or(GameResult::Open);
        let (start, line) = match start.implied.get() {
            Some(implied) => implied.apply(start.position, line),
            None => (start.position, line),
        };
        Game { tags, start, line, result }
    }
}

impl Pgn4 {
    fn new(start: &Position, candidates: Candidates) -> Pgn4 {
        Pgn4 { history: History::new(start), candidates, depth: 0 }
    }

    pub(super) fn in_variation(&self) -> bool {
        self.depth > 0
    }

    /// Reads a word and adds its plies to a line.
    pub(super) fn add(&mut self, word: &str, line: &mut OpenLine<Pgn4>) -> Result<(), GameError> {
        for (ply, after) in Pgn4::read(word, line.state_mut(), &mut self.history)? {
            line.add(ply, |state| *state = after);
        }
        Ok(())
    }

    /// Reads a move number, or what a player's place holds. Returns the plies, with the state after
    /// each. Without plies, the word may change the state nevertheless.
    ///
    /// If there is an error, nothing has changed.
    pub(super) fn read(
        word: &str,
        state: &mut State,
        history: &mut History,
    ) -> Result<Vec<(Ply, State)>, GameError> {
        match word {
            _ if word.bytes().all(|digit| digit.is_ascii_digit()) => Ok(Vec::new()),
            "#" | "S" => state.elimination_sign(word).map(|()| Vec::new()),
            "D" => Ok(vec![play(Ply::Draw, word, state, history)?]),
            _ => match parse_withdrawal(word, state.position.turn()) {
                Some((player, how)) => {
                    Ok(vec![play(Ply::Withdraw(player, how), word, state, history)?])
                }
                None => read_move(word, state, history),
            },
        }
    }

    /// Plays a ply and adds it to a line.
    pub(super) fn play(
        &mut self,
        ply: Ply,
        word: &str,
        line: &mut OpenLine<Pgn4>,
    ) -> Result<(), GameError> {
        let (ply, after) = play(ply, word, line.state(), &mut self.history)?;
        line.add(ply, |state| *state = after);
        Ok(())
    }
}

/// Plays a move. After a king move there may be the letter of the player's withdrawal.
fn read_move(
    word: &str,
    state: &State,
    history: &mut History,
) -> Result<Vec<(Ply, State)>, GameError> {
    state.require_in_progress(word)?;
    let king = word.strip_prefix('K').and(word.strip_suffix(['R', 'T']));
    let mv = state.position.parse_notation(king.unwrap_or(word)).map_err(GameError::Move)?;
    let mut plies = vec![play(Ply::Move(mv), word, state, history)?];
    let player = state.position.turn();
    if king.is_some() && state.position.alive().contains(player) {
        let how =
            if word.ends_with('R') { WithdrawalReason::Resign } else { WithdrawalReason::Flag };
        let withdrawal = play(Ply::Withdraw(player, how), word, &plies[0].1, history);
        plies.push(withdrawal.inspect_err(|_| history.pop())?);
    }
    Ok(plies)
}

/// Plays a ply, and returns it with the state after it. A move must be legal.
fn play(
    ply: Ply,
    word: &str,
    state: &State,
    history: &mut History,
) -> Result<(Ply, State), GameError> {
    state.require_in_progress(word)?;
    let mut after = state.clone();
    ply.play(&mut after.position, history)
        .map_err(|error| GameError::Ply { word: word.to_owned(), error })?;
    after.just_eliminated = Players::NONE;
    for eliminated in eliminations(&state.position, ply, &after.position) {
        let player = eliminated.player;
        after.eliminations[player as usize] = Some(eliminated.elimination);
        if eliminated.on_turn {
            after.just_eliminated = after.just_eliminated.with(player);
        }
    }
    after.skipped_players = skipped_players(&state.position, ply, &after.position);
    Ok((ply, after))
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
