//! A whole ply, and what follows from it: who is out, who gets points, when the game is over.

use std::fmt;

use crate::{Kind, MateTiming, Mode, Move, Player, Players, Position, Winner};

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Ending {
    /// Free-for-all: fewer than two players live.
    LastSurvivor,
    /// Teams: a king was taken.
    KingCaptured,
    /// Teams: a player to move is in check and has no legal move.
    Checkmate,
    /// Teams: a player to move has no legal move and is not in check: a draw.
    Stalemate,
    /// Teams: a player has resigned.
    Resigned,
    /// Teams: a player's time ran out.
    Flagged,
    /// A draw: every living player has only a king.
    BareKings,
    /// A draw: the position has occurred too often.
    Repetition,
    /// A draw: too many plies without a capture or a pawn move.
    QuietPlies,
    /// A draw that the players agreed on.
    Agreement,
}

impl Ending {
    /// All of them, in the order of their numbers.
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

    /// The name: `last survivor`.
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
    /// Plays a ply, with all that follows from it: points, deaths, the next turn, draws. Repetition
    /// needs a [`History`]: see [`History::play`].
    ///
    /// # Errors
    /// If the move is not legal here; the position is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove { mv: mv.to_string(), fen4: self.fen4() });
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a ply whose move is legal here.
    ///
    /// Another move leaves a wrong position behind, never undefined behaviour.
    #[inline(always)]
    pub fn play_unchecked(&mut self, mv: Move) {
        self.play_with(mv, |_| 0);
    }

    /// Plays a ply whose move is legal here; `occurrences` tells how often a position has now
    /// occurred in the game.
    #[inline(always)]
    pub fn play_with(&mut self, mv: Move, occurrences: impl FnOnce(&Position) -> usize) {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        let us = self.turn();
        let alive = self.alive().contains(us);
        let free_for_all = self.rules().mode == Mode::FreeForAll;
        let queen = self
            .man_at(mv.from())
            .is_some_and(|man| matches!(man.kind, Kind::Queen | Kind::Promoted));
        let undo = self.advance(mv);
        if free_for_all && alive {
            let checked = self.checked_by(us);
            if checked.len() >= 2 {
                let mut before = *self;
                before.unmake(undo);
                self.reward_checks(us, checked, before.checked_by(us), queen);
            }
            if self.rules().mate_timing == MateTiming::Immediate {
                self.mate_at_once(us);
            }
        }
        if !self.has_legal_move() {
            self.settle();
        }
        if self.ending().is_none() {
            self.test_draws(occurrences);
        }
    }

    /// The position after a ply whose move is legal here.
    pub fn after(&self, mv: Move) -> Position {
        let mut after = *self;
        after.play_unchecked(mv);
        after
    }

    /// Points for kings that a move checks and its player did not check before.
    #[cold]
    fn reward_checks(&mut self, us: Player, now: Players, before: Players, queen: bool) {
        let new = Players::from_bits(now.bits() & !before.bits());
        let points = &self.rules().points;
        let column = usize::from(!queen);
        let reward = match new.len() {
            0 | 1 => 0,
            2 => points.double_check[column],
            _ => points.triple_check[column],
        };
        self.score(us, u16::from(reward));
    }

    /// Others who are mated die right after the move, in the order of their turns.
    pub(crate) fn mate_at_once(&mut self, us: Player) {
        let mut player = us.next();
        while player != us {
            if self.ending().is_none() && self.in_check(player) {
                let mut asked = *self;
                asked.give_turn(player);
                if !asked.has_legal_move() {
                    self.kill(player);
                    self.score(us, u16::from(self.rules().points.mate));
                    self.end_if_one_lives();
                }
            }
            player = player.next();
        }
        if !self.movers().contains(self.turn()) {
            self.pass_turn();
        }
    }

    /// Lets players who cannot move die, until one can or the game is over.
    #[cold]
    pub(crate) fn settle(&mut self) {
        while self.ending().is_none() {
            let player = self.turn();
            let alive = self.alive().contains(player);
            let off = alive
                && self.rules().mode == Mode::FreeForAll
                && self.rules().mate_timing == MateTiming::Off;
            if off || self.has_legal_move() {
                return;
            }
            if alive {
                match self.rules().mode {
                    Mode::FreeForAll => self.eliminate(player),
                    Mode::Teams if self.in_check(player) => {
                        self.kill(player);
                        self.state.ending = Some(Ending::Checkmate);
                    }
                    Mode::Teams => {
                        self.state.ending = Some(Ending::Stalemate);
                        return;
                    }
                }
            }
            self.pass_turn();
        }
    }

    /// The player on turn is out for want of a move.
    fn eliminate(&mut self, player: Player) {
        let points = self.rules().points;
        if self.in_check(player) {
            let checking: Players = Player::ALL
                .into_iter()
                .filter(|&other| self.checkers(player).meets(self.army(other)))
                .collect();
            // Who moved last among them comes first on the way back from the mated player.
            let back = [3, 2, 1].map(|steps| Player::from_index(player as u8 + steps));
            if let Some(mater) = back.into_iter().find(|&other| checking.contains(other)) {
                self.score(mater, u16::from(points.mate));
            }
        } else {
            self.score(player, u16::from(points.stalemate));
        }
        self.kill(player);
        self.end_if_one_lives();
    }

    pub(crate) fn end_if_one_lives(&mut self) {
        if self.rules().mode == Mode::FreeForAll && self.alive().len() < 2 {
            self.state.ending = Some(Ending::LastSurvivor);
        }
    }

    /// Ends a game of teams in which a player is dead already: the first one tells how.
    pub(crate) fn end_lost(&mut self) {
        let dead = Player::ALL.into_iter().find(|&player| !self.alive().contains(player));
        self.state.ending = dead.map(|player| match () {
            () if self.state.resigned.contains(player) => Ending::Resigned,
            () if self.state.flagged.contains(player) => Ending::Flagged,
            () if self.king(player).is_some() => Ending::Checkmate,
            () => Ending::KingCaptured,
        });
    }

    #[inline(always)]
    fn test_draws(&mut self, occurrences: impl FnOnce(&Position) -> usize) {
        let rules = *self.rules();
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

    /// Ends the game as a draw: points for all who live.
    fn draw(&mut self, ending: Ending) {
        for player in self.alive().iter() {
            self.score(player, u16::from(self.rules().points.draw));
        }
        self.state.ending = Some(ending);
    }

    /// Ends the game as a draw that all have agreed on; nothing happens if it is over.
    pub fn agree_on_draw(&mut self) {
        if self.ending().is_none() {
            self.draw(Ending::Agreement);
        }
    }

    /// A living player leaves the game: the men turn grey, and the king stays as a prey. In teams the
    /// game is lost.
    ///
    /// # Errors
    /// If the player does not live, or the game is over; the position is then unchanged.
    pub fn leave(&mut self, player: Player, how: Leave) -> Result<(), CannotLeave> {
        if self.ending().is_some() || !self.alive().contains(player) {
            return Err(CannotLeave { player, over: self.ending().is_some() });
        }
        match how {
            Leave::Resign => self.state.resigned = self.state.resigned.with(player),
            Leave::Flag => self.state.flagged = self.state.flagged.with(player),
        }
        self.kill(player);
        match self.rules().mode {
            Mode::FreeForAll => self.end_if_one_lives(),
            Mode::Teams => {
                self.state.ending = Some(match how {
                    Leave::Resign => Ending::Resigned,
                    Leave::Flag => Ending::Flagged,
                });
            }
        }
        if self.turn() == player || !self.movers().contains(self.turn()) {
            self.pass_turn();
        }
        self.settle();
        if self.ending().is_none() && self.rules().bare_kings && self.has_bare_kings() {
            self.draw(Ending::BareKings);
        }
        Ok(())
    }

    /// Players who have left and whose kings are still there.
    fn walkers(&self) -> Players {
        let left = self.state.resigned.or(self.state.flagged);
        left.iter().filter(|&player| self.king(player).is_some()).collect()
    }

    /// Who has turns: the living, and while the game goes on those whose kings walk.
    #[inline(always)]
    pub(crate) fn movers(&self) -> Players {
        if self.rules().walking_king && self.ending().is_none() {
            self.alive().or(self.walkers())
        } else {
            self.alive()
        }
    }

    /// Why the game is over, if it is.
    #[inline(always)]
    pub const fn ending(&self) -> Option<Ending> {
        self.state.ending
    }

    /// Who has won: in teams two players or, in a draw, nobody; in free-for-all all who share the
    /// victory. Nobody while the game goes on.
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

/// How a player leaves a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leave {
    /// By giving up.
    Resign,
    /// By running out of time.
    Flag,
}

/// The positions of a game so far, by their keys: what repetition asks for.
///
/// ```
/// use fourfold_four_player::{Ending, History, Opening, Position, Rules};
///
/// let mut position = Position::start(Opening::Modern, Rules::default());
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
    /// The history of a game that starts here.
    pub fn new(start: &Position) -> History {
        History { keys: vec![start.key()] }
    }

    /// Plays a ply of the game, repetition included.
    ///
    /// # Errors
    /// If the move is not legal; nothing is then changed.
    pub fn play(&mut self, position: &mut Position, mv: Move) -> Result<(), IllegalMove> {
        if !position.is_legal(mv) {
            return Err(IllegalMove { mv: mv.to_string(), fen4: position.fen4() });
        }
        position.play_with(mv, |after| {
            // Captures and pawn moves cannot be taken back, so older positions are other ones.
            let recent = self.keys.iter().rev().take(after.clock() as usize);
            1 + recent.filter(|&&key| key == after.key()).count()
        });
        self.keys.push(position.key());
        Ok(())
    }

    /// Adds a position that came about without a move: a player has left.
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Forgets the latest position; the start stays.
    pub fn pop(&mut self) {
        if self.keys.len() > 1 {
            self.keys.pop();
        }
    }
}

/// A move that is not legal where it was to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct IllegalMove {
    /// The move.
    pub mv: String,
    /// The position.
    pub fen4: String,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not legal in {}", self.mv, self.fen4)
    }
}

impl std::error::Error for IllegalMove {}

/// A player who cannot leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CannotLeave {
    /// The player.
    pub player: Player,
    /// Whether the game is over.
    pub over: bool,
}

impl fmt::Display for CannotLeave {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.over {
            f.write_str("the game is over")
        } else {
            write!(f, "{} is out of the game already", self.player)
        }
    }
}

impl std::error::Error for CannotLeave {}
