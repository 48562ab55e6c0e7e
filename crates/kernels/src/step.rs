//! What a step does with one game, before and after its legal actions are found.

use fourfold_env::{
    Action, Autoreset, DeviceGame, Game, Illegal, MAX_PLAYERS, PlainStatus, Stage, Status, Stream,
};

use crate::{Sizes, copy};

/// What all games of a batch share.
pub struct Shared<'a, G: Game> {
    /// The rules of the games.
    pub rules: &'a G::Rules,
    /// The sizes and options of the batch.
    pub sizes: &'a Sizes,
    /// The positions that games start from; if empty, `default_start`.
    pub starts: &'a [G],
    /// The game's standard start.
    pub default_start: &'a G,
}

/// What belongs to one game.
pub struct GameMemory<'a, G> {
    /// The state.
    pub game: &'a mut G,
    /// The random stream.
    pub stream: &'a mut Stream,
    /// The status.
    pub status: &'a mut PlainStatus,
    /// Whether the game ended in the latest step.
    pub ended: &'a mut u8,
}

/// What a step has done with a game before its legal actions are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress(pub u8);

impl Progress {
    /// There is no such game, or an illegal action was found in the batch, so nothing is changed.
    pub const NOTHING: Progress = Progress(0);
    /// The game was changed from outside, not by a step.
    pub const REFRESHED: Progress = Progress(1);
    /// The actions were played.
    pub const PLAYED: Progress = Progress(2);
    /// The game was over, and has started again.
    pub const RESTARTED: Progress = Progress(3);
    /// The game was over, and remains so.
    pub const KEPT: Progress = Progress(4);
    /// An action was illegal and ignored.
    pub const IGNORED: Progress = Progress(5);
    /// A player lost by an illegal action. The index of the player is added.
    const FORFEITED: Progress = Progress(8);

    /// Returns whether the position may have changed, so that the legal actions must be found.
    #[inline(always)]
    pub(crate) const fn has_moved(self) -> bool {
        matches!(self, Progress::REFRESHED | Progress::PLAYED | Progress::RESTARTED)
    }

    /// Returns whether the game was in progress when the step began.
    #[inline(always)]
    pub(crate) const fn was_ongoing(self) -> bool {
        !matches!(self, Progress::RESTARTED | Progress::KEPT | Progress::REFRESHED)
    }

    /// Returns whether the actions were legal, or there was no game to play them in.
    #[inline(always)]
    pub(crate) const fn is_valid(self) -> bool {
        self.0 < Progress::IGNORED.0
    }

    /// Returns the player who lost by an illegal action.
    #[inline(always)]
    const fn loser(self) -> Option<usize> {
        (self.0 as usize).checked_sub(Progress::FORFEITED.0 as usize)
    }
}

/// A row of each array that a step reports. Arrays that are not wanted have empty rows.
#[derive(Default)]
pub struct Report<'a> {
    /// The reward of each player.
    pub rewards: &'a mut [f32],
    /// The score of each player.
    pub scores: &'a mut [f32],
    /// Whether each player is in the game.
    pub alive: &'a mut [u8],
    /// In simultaneous games: whether each player's action was refused.
    pub order_refused: &'a mut [u8],
    /// Whether the game ended by the rules.
    pub terminated: &'a mut [u8],
    /// Whether the game was stopped.
    pub truncated: &'a mut [u8],
    /// The winner, or −1.
    pub winner: &'a mut [i32],
    /// The ending, or −1.
    pub ending: &'a mut [i32],
    /// Whether the actions were legal.
    pub move_valid: &'a mut [u8],
    /// The player to move; −1 in simultaneous games.
    pub current_player: &'a mut [i32],
}

impl Report<'_> {
    #[inline(always)]
    pub(crate) fn write<G: Game>(&mut self, sizes: &Sizes, game: &G, status: &Status, valid: bool) {
        set(self.rewards, &status.rewards);
        set(self.scores, &status.scores);
        set(self.alive, &status.alive.map(u8::from));
        set(self.order_refused, &status.refused.map(u8::from));
        set(self.terminated, &[u8::from(status.stage == Stage::Terminated)]);
        set(self.truncated, &[u8::from(status.stage == Stage::Truncated)]);
        set(self.winner, &[status.winner.map_or(-1, i32::from)]);
        set(self.ending, &[status.ending.map_or(-1, i32::from)]);
        set(self.move_valid, &[u8::from(valid)]);
        self.write_player(sizes, game);
    }

    #[inline(always)]
    pub(crate) fn write_player<G: Game>(&mut self, sizes: &Sizes, game: &G) {
        set(self.current_player, &[if sizes.simultaneous != 0 { -1 } else { player(game) as i32 }]);
    }
}

#[inline(always)]
fn set<T: Copy>(row: &mut [T], values: &[T]) {
    row.iter_mut().zip(values).for_each(|(to, from)| *to = *from);
}

/// Returns the acting player of a game in which players take turns.
#[inline(always)]
pub(crate) fn player<G: Game>(game: &G) -> usize {
    game.acting().only().unwrap_or(0)
}

/// Plays the actions of a game, or starts it again. `first_illegal` returns the row of its first illegal
/// action; if these are errors, there is none.
#[inline(always)]
pub fn begin<G: DeviceGame>(
    shared: &Shared<'_, G>,
    memory: &mut GameMemory<'_, G>,
    actions: &[i32],
    first_illegal: impl FnOnce() -> Option<usize>,
) -> Progress {
    let Shared { rules, sizes, .. } = *shared;
    // All loads of the game wait for memory together instead of one after another.
    memory.game.prefetch();
    if memory.status.unpack().stage != Stage::Ongoing {
        if sizes.autoreset() == Autoreset::Disabled {
            return Progress::KEPT;
        }
        restart(shared, memory);
        return Progress::RESTARTED;
    }
    if let Some(row) = first_illegal() {
        let loser = if sizes.simultaneous != 0 { row } else { player(memory.game) };
        return match sizes.illegal() {
            Illegal::Lose => Progress(Progress::FORFEITED.0 + loser as u8),
            Illegal::Error | Illegal::Ignore => Progress::IGNORED,
        };
    }
    let chosen: [Action; MAX_PLAYERS] =
        core::array::from_fn(|index| Action(actions.get(index).map_or(0, |&action| action as u32)));
    memory.game.begin(rules, &chosen[..actions.len().min(MAX_PLAYERS)]);
    Progress::PLAYED
}

/// Starts a new game. The legal actions and the status must be recomputed.
#[inline(always)]
pub fn restart<G: Game>(shared: &Shared<'_, G>, memory: &mut GameMemory<'_, G>) {
    let start = shared.starts.get(draw_start(shared, memory)).unwrap_or(shared.default_start);
    copy(start, memory.game);
    *memory.status = Status::ONGOING.to_plain();
}

/// Draws the index of a start position; 0 if there is only the standard start.
#[inline(always)]
pub(crate) fn draw_start<G: Game>(shared: &Shared<'_, G>, memory: &mut GameMemory<'_, G>) -> usize {
    match shared.starts.len() {
        0 => 0,
        count => memory.stream.below(count),
    }
}

/// Returns the status that a step reports, given the one that was computed from the position.
#[inline(always)]
pub(crate) fn reported(
    sizes: &Sizes,
    before: &Status,
    computed: Status,
    progress: Progress,
) -> Status {
    match progress {
        Progress::PLAYED | Progress::RESTARTED => computed,
        Progress::REFRESHED if before.stage != Stage::Ongoing => *before,
        // No step was made, so the results of the latest one are kept.
        Progress::REFRESHED if computed.stage == Stage::Ongoing => {
            Status { rewards: before.rewards, refused: before.refused, ..computed }
        }
        Progress::REFRESHED => computed,
        _ => match progress.loser() {
            Some(loser) => forfeit(sizes, before, loser),
            None => without_rewards(before),
        },
    }
}

/// Returns the status of a game in which nothing happened.
fn without_rewards(status: &Status) -> Status {
    Status { rewards: [0.0; MAX_PLAYERS], refused: [false; MAX_PLAYERS], ..*status }
}

/// Returns the status after an illegal action by `loser`; the other players share the win.
fn forfeit(sizes: &Sizes, status: &Status, loser: usize) -> Status {
    let players = sizes.players as usize;
    let mut rewards = [0.0; MAX_PLAYERS];
    for (player, reward) in rewards.iter_mut().enumerate().take(players) {
        *reward = if player == loser { -1.0 } else { 1.0 / (players - 1) as f32 };
    }
    let winner = if players == 2 { Some(1 - loser as u8) } else { None };
    let ending = Some(sizes.endings as u8);
    Status { stage: Stage::Terminated, rewards, winner, ending, ..*status }
}
