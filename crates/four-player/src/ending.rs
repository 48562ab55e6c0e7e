//! Eliminations, withdrawals, and the end of the game.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use fourfold_common::ensure;
use thiserror::Error;

use crate::{IllegalMoveError, MateTiming, Mode, Move, Player, Players, Position, Role, Winner};

/// The reason why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Ending {
    /// Free-for-all: fewer than two players are alive.
    LastSurvivor,
    /// Teams: a king was captured.
    KingCaptured,
    /// Teams: the player to move is in check and has no legal move.
    Checkmate,
    /// Teams: the player to move is not in check and has no legal move. The game is a draw.
    Stalemate,
    /// Teams: a player resigned.
    Resigned,
    /// Teams: a player ran out of time.
    Flagged,
    /// A draw: every living player has only a king.
    BareKings,
    /// A draw: the position has been repeated too often.
    Repetition,
    /// A draw: too many plies without a capture or a pawn move.
    QuietPlies,
    /// A draw agreed on by the players.
    Agreement,
}

impl Ending {
    /// All endings, in the order of their discriminants.
    pub const ALL: [Ending; 10] = [
        Ending::LastSurvivor,
        Ending::KingCaptured,
        Ending::Checkmate,
        Ending::Stalemate,
        Ending::Resigned,
        Ending::Flagged,
        Ending::BareKings,
        Ending::Repetition,
        Ending::QuietPlies,
        Ending::Agreement,
    ];

    /// Returns the name as used in messages: `last survivor`.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::LastSurvivor => "last survivor",
            Ending::KingCaptured => "king captured",
            Ending::Checkmate => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::Resigned => "resigned",
            Ending::Flagged => "flagged",
            Ending::BareKings => "bare kings",
            Ending::Repetition => "repetition",
            Ending::QuietPlies => "quiet plies",
            Ending::Agreement => "agreement",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Position {
    /// Eliminates the other players who are mated right after the move, in turn order.
    #[cold]
    #[inline(never)]
    pub(crate) fn eliminate_mated(&mut self, us: Player) {
        let mut player = us.next();
        while player != us {
            if self.ending().is_none() && self.is_check(player) {
                let turn = self.turn();
                self.set_turn(player);
                let may_move = self.has_legal_move();
                self.set_turn(turn);
                if !may_move {
                    self.eliminate(player);
                    self.score(us, u16::from(self.rules().points.mate));
                    self.end_if_last_survivor();
                }
            }
            player = player.next();
        }
        if !self.movers().contains(self.turn()) {
            self.pass_turn();
        }
    }

    /// Eliminates players who have no legal move, until one has a move or the game is over.
    #[cold]
    pub(crate) fn eliminate_stuck(&mut self) {
        while self.ending().is_none() && !self.may_be_stuck() && !self.has_legal_move() {
            self.eliminate_player_to_move();
        }
    }

    /// Does what [`Position::play_with`] does about a next player who has no legal move, one player at a
    /// time. Returns true if it eliminated a player and the game goes on: then it must be called again for
    /// the next player.
    pub fn eliminate_if_stuck(&mut self, may_move: bool) -> bool {
        if may_move || self.ending().is_some() || self.may_be_stuck() {
            return false;
        }
        self.eliminate_player_to_move();
        self.ending().is_none()
    }

    /// Returns whether the player to move stays in the game without a legal move.
    pub(crate) fn may_be_stuck(&self) -> bool {
        self.alive().contains(self.turn())
            && self.rules().mode == Mode::FreeForAll
            && self.rules().mate_timing == MateTiming::Off
    }

    /// Eliminates the player to move, who has no legal move, and passes the turn.
    #[cold]
    #[inline(never)]
    pub(crate) fn eliminate_player_to_move(&mut self) {
        let player = self.turn();
        if self.alive().contains(player) {
            match self.rules().mode {
                Mode::FreeForAll => self.eliminate_on_turn(player),
                Mode::Teams if self.is_check(player) => {
                    self.eliminate(player);
                    self.state.end(Ending::Checkmate);
                }
                Mode::Teams => {
                    self.state.end(Ending::Stalemate);
                    return;
                }
            }
        }
        self.pass_turn();
    }

    /// Eliminates a player who has no legal move, in free-for-all.
    fn eliminate_on_turn(&mut self, player: Player) {
        let points = self.rules().points;
        if self.is_check(player) {
            let checking: Players = Player::ALL
                .into_iter()
                .filter(|&other| self.checkers(player).intersects(self.army(other)))
                .collect();
            // Of the checking players, the one who moved last gets the points: search backward from
            // the mated player.
            let back = [3, 2, 1].map(|steps| Player::from_index(player as u8 + steps));
            if let Some(mating_player) = back.into_iter().find(|&other| checking.contains(other)) {
                self.score(mating_player, u16::from(points.mate));
            }
        } else {
            self.score(player, u16::from(points.stalemate));
        }
        self.eliminate(player);
        self.end_if_last_survivor();
    }

    /// Ends a free-for-all in which only one player is left, who may get points for that.
    pub(crate) fn end_if_last_survivor(&mut self) {
        if self.rules().mode == Mode::FreeForAll && self.alive().len() < 2 {
            self.state.end(Ending::LastSurvivor);
            if self.rules().award_kings {
                self.award_kings();
            }
        }
    }

    /// Gives the last survivor the points of the kings that players who withdrew have left behind.
    #[cold]
    #[inline(never)]
    fn award_kings(&mut self) {
        let points = self.value(Role::King) * self.walkers().len() as u16;
        for survivor in self.alive().iter() {
            self.score(survivor, points);
        }
    }

    /// Ends a teams game in which a player is already eliminated. The first such player in turn
    /// order determines how it ended.
    pub(crate) fn end_with_eliminated_team(&mut self) {
        let dead = Player::ALL.into_iter().find(|&player| !self.alive().contains(player));
        let Some(player) = dead else { return };
        self.state.end(if self.state.resigned.contains(player) {
            Ending::Resigned
        } else if self.state.flagged.contains(player) {
            Ending::Flagged
        } else if self.king(player).is_some() {
            Ending::Checkmate
        } else {
            Ending::KingCaptured
        });
    }

    /// Ends the game if it is drawn. `occurrences` returns how often the position has occurred in the
    /// game, including this time.
    #[inline(always)]
    pub fn end_if_drawn(&mut self, occurrences: impl FnOnce(&Position) -> usize) {
        let rules = self.rules();
        let ending = if rules.bare_kings && self.has_bare_kings() {
            Ending::BareKings
        } else if rules.repetitions > 0 && occurrences(self) >= usize::from(rules.repetitions) {
            Ending::Repetition
        } else if rules.quiet_plies > 0 && self.clock() >= rules.quiet_plies {
            Ending::QuietPlies
        } else {
            return;
        };
        self.draw(ending);
    }

    /// Ends the game as a draw and gives points to all living players.
    fn draw(&mut self, ending: Ending) {
        for player in self.alive().iter() {
            self.score(player, u16::from(self.rules().points.draw));
        }
        self.state.end(ending);
    }

    /// Ends the game as an agreed draw. Does nothing if the game is already over.
    pub fn agree_on_draw(&mut self) {
        if self.ending().is_none() {
            self.draw(Ending::Agreement);
        }
    }

    /// Withdraws a living player from the game. The player's pieces turn gray, and the king can
    /// still be captured for points. In teams, the player's team loses.
    ///
    /// # Errors
    /// Returns an error, and leaves the position unchanged, if the player is already eliminated or
    /// the game is over.
    pub fn withdraw(&mut self, player: Player, how: WithdrawalReason) -> Result<(), WithdrawError> {
        let over = self.ending().is_some();
        ensure!(!over && self.alive().contains(player), WithdrawError { player, over });
        match how {
            WithdrawalReason::Resign => self.state.resigned = self.state.resigned.with(player),
            WithdrawalReason::Flag => self.state.flagged = self.state.flagged.with(player),
        }
        self.eliminate(player);
        match self.rules().mode {
            Mode::FreeForAll => self.end_if_last_survivor(),
            Mode::Teams => {
                self.state.end(match how {
                    WithdrawalReason::Resign => Ending::Resigned,
                    WithdrawalReason::Flag => Ending::Flagged,
                });
            }
        }
        if self.turn() == player || !self.movers().contains(self.turn()) {
            self.pass_turn();
        }
        self.eliminate_stuck();
        if self.ending().is_none() && self.rules().bare_kings && self.has_bare_kings() {
            self.draw(Ending::BareKings);
        }
        Ok(())
    }

    /// Returns the players who have withdrawn and whose kings are still on the board.
    fn walkers(&self) -> Players {
        let withdrawn = self.state.resigned.or(self.state.flagged);
        withdrawn.iter().filter(|&player| self.king(player).is_some()).collect()
    }

    /// Returns the players who get turns: the living players and, under the walking king rule,
    /// those who have withdrawn but still have a king.
    #[inline(always)]
    pub(crate) fn movers(&self) -> Players {
        if self.rules().walking_king && self.ending().is_none() {
            self.alive().or(self.walkers())
        } else {
            self.alive()
        }
    }

    /// Returns why the game is over, or `None` if it is still in progress.
    #[inline(always)]
    pub fn ending(&self) -> Option<Ending> {
        self.state.ending()
    }

    /// Returns the winners. In teams these are two players, or nobody in a draw; in free-for-all,
    /// all players who share first place. Empty while the game is in progress.
    pub fn winners(&self) -> Players {
        if self.ending().is_none() {
            return Players::NONE;
        }
        match (self.rules().mode, self.rules().winner) {
            (Mode::Teams, _) => {
                let teams = [Player::Red, Player::Blue];
                let lost = |team: Player| {
                    let members = Players::one(team).with(team.opposite());
                    self.alive().and(members) != members
                };
                let winners = teams.into_iter().filter(|&team| !lost(team) && lost(team.next()));
                winners.flat_map(|team| [team, team.opposite()]).collect()
            }
            (Mode::FreeForAll, Winner::Survivors) => self.alive(),
            (Mode::FreeForAll, Winner::MostPoints) => {
                let most = self.points().into_iter().max();
                let best = |player: &Player| Some(self.points()[*player as usize]) == most;
                Player::ALL.into_iter().filter(best).collect()
            }
        }
    }
}

/// How a player withdraws from a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WithdrawalReason {
    /// By resigning.
    Resign,
    /// By running out of time.
    Flag,
}

/// The keys of all positions of a game so far, for detecting repetition.
///
/// ```
/// use fourfold_four_player::{Ending, History, StartPosition, Position, Rules};
///
/// let mut position = Position::start(StartPosition::Modern, Rules::default());
/// let mut history = History::new(&position);
/// for text in ["j1i3", "a5c6", "e14f12", "n10l9", "i3j1", "c6a5", "f12e14", "l9n10"].repeat(2) {
///     let mv = position.parse_move(text)?;
///     history.play(&mut position, mv)?;
/// }
/// assert_eq!(position.ending(), Some(Ending::Repetition));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    keys: Vec<u64>,
}

impl History {
    /// Creates the history of a game that starts with this position.
    pub fn new(start: &Position) -> History {
        History { keys: vec![start.key()] }
    }

    /// Plays a ply and checks for repetition.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the move is not legal.
    pub fn play(&mut self, position: &mut Position, mv: Move) -> Result<(), IllegalMoveError> {
        position.require_legal(mv)?;
        position.play_with(mv, |after| {
            // Captures and pawn moves are irreversible, so only positions since the last one can be
            // repeated.
            let recent = self.keys.iter().rev().take(after.clock() as usize);
            1 + recent.filter(|&&key| key == after.key()).count()
        });
        self.keys.push(position.key());
        Ok(())
    }

    /// Adds a position that was not reached by a move, such as after a withdrawal.
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Removes the latest position. The start position is never removed.
    pub fn pop(&mut self) {
        if self.keys.len() > 1 {
            self.keys.pop();
        }
    }
}

/// The error returned when a player cannot withdraw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "{}",
    if *.over { "the game is over".to_owned() } else { format!("{player} is already eliminated") }
)]
#[non_exhaustive]
pub struct WithdrawError {
    /// The player.
    pub player: Player,
    /// Whether the game is over; otherwise the player is already eliminated.
    pub over: bool,
}
