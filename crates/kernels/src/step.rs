//! One step of one game.

use fourfold_common::cpu::{Cpu as _, Simt};
use fourfold_env::{
    Action, Autoreset, Game, Illegal, MAX_PLAYERS, PlainStatus, Stage, Status, Stream,
};

use crate::{Masks, Sizes, copy};

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
    /// The legal actions, to be written.
    pub masks: Masks<'a>,
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

/// Plays the actions of a game and reports the results. `first_illegal` is the row of its first illegal
/// action; if these are errors, there is none. `observe` is called before a finished game starts again
/// in the same step.
#[inline(always)]
pub fn step<G: Game>(
    shared: &Shared<'_, G>,
    memory: &mut GameMemory<'_, G>,
    actions: &[i32],
    first_illegal: Option<usize>,
    report: &mut Report<'_>,
    observe: impl FnOnce(&G),
) {
    let Shared { rules, sizes, .. } = *shared;
    let group = Simt::here();
    let mut status = memory.status.unpack();
    let was_ongoing = status.stage == Stage::Ongoing;
    // The status of a game that does not change.
    let mut kept = None;
    if !was_ongoing {
        if sizes.autoreset() == Autoreset::Disabled {
            kept = Some(without_rewards(&status));
        } else {
            restart(shared, memory);
        }
    } else if let Some(row) = first_illegal {
        let loser = if sizes.simultaneous != 0 { row } else { player(memory.game) };
        kept = Some(match sizes.illegal() {
            Illegal::Lose => forfeit(sizes, &status, loser),
            Illegal::Error | Illegal::Ignore => without_rewards(&status),
        });
    } else {
        let chosen = actions_of(actions);
        memory.game.apply(rules, &chosen[..actions.len().min(MAX_PLAYERS)]);
    }
    // All threads of a warp generate moves at the same time, whatever they did before.
    group.converge();
    let computed = legal_and_status(group, shared, memory);
    group.converge();
    status = kept.unwrap_or(computed);
    let reported = status;
    let is_over = status.stage != Stage::Ongoing;
    *memory.ended = u8::from(was_ongoing && is_over);
    if was_ongoing && is_over && sizes.autoreset() == Autoreset::SameStep {
        observe(memory.game);
        restart(shared, memory);
        memory.masks.clear();
        status = legal_and_status(Simt::here(), shared, memory);
    } else if is_over && (was_ongoing || sizes.autoreset() == Autoreset::Disabled) {
        memory.masks.allow_all();
    }
    *memory.status = status.to_plain();
    let valid = !was_ongoing || first_illegal.is_none();
    report.write(sizes, memory.game, &reported, valid);
}

#[inline(always)]
fn actions_of(actions: &[i32]) -> [Action; MAX_PLAYERS] {
    core::array::from_fn(|index| Action(actions.get(index).map_or(0, |&action| action as u32)))
}

/// Recomputes the legal actions and the status of a game that was changed from outside.
#[inline(always)]
pub fn refresh<G: Game>(shared: &Shared<'_, G>, memory: &mut GameMemory<'_, G>) {
    let mut status = memory.status.unpack();
    *memory.ended = 0;
    if status.stage == Stage::Ongoing {
        let Status { rewards, refused, .. } = status;
        status = legal_and_status(Simt::here(), shared, memory);
        if status.stage == Stage::Ongoing {
            // No step was made, so the results of the latest one are kept.
            (status.rewards, status.refused) = (rewards, refused);
        }
    }
    if status.stage != Stage::Ongoing {
        memory.masks.allow_all();
    }
    *memory.status = status.to_plain();
}

/// Starts a new game. The legal actions and the status must be recomputed.
#[inline(always)]
pub fn restart<G: Game>(shared: &Shared<'_, G>, memory: &mut GameMemory<'_, G>) {
    let start = match shared.starts.len() {
        0 => shared.default_start,
        count => &shared.starts[memory.stream.below(count)],
    };
    copy(start, memory.game);
    *memory.status = Status::ONGOING.to_plain();
}

/// Computes the legal actions and the status of a game whose masks are empty. Not inlined, because it is
/// large and several kernels need it.
#[inline(never)]
fn legal_and_status<G: Game>(
    group: Simt,
    shared: &Shared<'_, G>,
    memory: &mut GameMemory<'_, G>,
) -> Status {
    let Shared { rules, sizes, .. } = *shared;
    let first = if sizes.simultaneous != 0 { 0 } else { player(memory.game) };
    let mut may_move = false;
    for row in 0..sizes.rows as usize {
        let mut sink = memory.masks.sink(row);
        memory.game.legal(group, rules, first + row, &mut sink);
        may_move |= sink.count > 0;
        memory.masks.set_count(row, sink.count);
    }
    memory.game.status(rules, may_move)
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
