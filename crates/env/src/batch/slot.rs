//! One game with everything that a step needs.

use fourfold_common::cpu::Cpu;

use crate::batch::Shared;
use crate::batch::write_outputs::views;
use crate::game::{Action, Game, MAX_PLAYERS, Spec, Stage, Status};
use crate::legal::allow_all;
use crate::legal_and_status::legal_and_status_with;
use crate::options::{Autoreset, Illegal};
use crate::random::Stream;

/// A game of a batch.
#[derive(Clone, Copy)]
pub(crate) struct Slot<G> {
    pub(crate) game: G,
    pub(crate) stream: Stream,
    pub(crate) status: Status,
    /// Whether a game in this slot ended in the latest step.
    pub(crate) ended: bool,
}

impl<G: Game> Slot<G> {
    pub(crate) fn new(game: G, stream: Stream) -> Slot<G> {
        Slot { game, stream, status: Status::ONGOING, ended: false }
    }

    /// Starts a new game. The caller must recompute the legal actions and the status.
    pub(crate) fn restart(&mut self, shared: &Shared<G>) {
        self.game = shared.start(&mut self.stream);
        self.status = Status::ONGOING;
    }

    #[inline(always)]
    pub(crate) fn as_mut(&mut self) -> SlotMut<'_, G> {
        let Slot { game, stream, status, ended } = self;
        SlotMut { game, stream, status, ended }
    }
}

/// A game to step, wherever it is kept.
pub(crate) struct SlotMut<'a, G> {
    pub(crate) game: &'a mut G,
    pub(crate) stream: &'a mut Stream,
    pub(crate) status: &'a mut Status,
    pub(crate) ended: &'a mut bool,
}

impl<G: Game> SlotMut<'_, G> {
    /// Steps the game. `lists` receives its legal actions. `offender` returns the first player whose
    /// action is illegal, given the lists as they were; `store` keeps the final observation of a game
    /// that restarts. Returns the status to report and whether all actions were legal.
    #[inline(always)]
    pub(crate) fn step<C: Cpu>(
        self,
        cpu: C,
        shared: &Shared<G>,
        lists: &mut [u32],
        actions: &[i32],
        offender: impl FnOnce(&[u32]) -> Option<usize>,
        store: impl FnOnce(&G),
    ) -> (Status, bool) {
        let Shared { rules, spec, options, .. } = shared;
        *self.ended = false;
        if self.status.stage != Stage::Ongoing {
            match options.autoreset {
                Autoreset::Disabled => {
                    self.status.rewards = [0.0; MAX_PLAYERS];
                    self.status.refused = [false; MAX_PLAYERS];
                    return (*self.status, true);
                }
                Autoreset::NextStep | Autoreset::SameStep => {
                    *self.game = shared.start(self.stream);
                    *self.status = legal_and_status_with(cpu, rules, spec, self.game, lists);
                    return (*self.status, true);
                }
            }
        }
        let mut valid = true;
        match (offender(lists), options.illegal) {
            (None, _) => {
                let mut chosen = [Action(0); MAX_PLAYERS];
                for (chosen, &action) in chosen.iter_mut().zip(actions) {
                    *chosen = Action(action as u32);
                }
                self.game.apply(rules, &chosen[..actions.len()]);
                *self.status = legal_and_status_with(cpu, rules, spec, self.game, lists);
            }
            (Some(row), Some(Illegal::Lose)) => {
                let player = if spec.simultaneous { row } else { views(spec, self.game).start };
                *self.status = forfeit(spec, self.status, player);
                valid = false;
            }
            (Some(_), Some(Illegal::Error | Illegal::Ignore) | None) => {
                self.status.rewards = [0.0; MAX_PLAYERS];
                self.status.refused = [false; MAX_PLAYERS];
                valid = false;
            }
        }
        let reported = *self.status;
        if reported.stage != Stage::Ongoing {
            *self.ended = true;
            if options.autoreset == Autoreset::SameStep {
                store(self.game);
                *self.game = shared.start(self.stream);
                *self.status = legal_and_status_with(cpu, rules, spec, self.game, lists);
            } else {
                allow_all_actions(lists, spec);
            }
        }
        (reported, valid)
    }

    /// Recomputes the legal actions and the status of a game that was changed from outside.
    #[inline(always)]
    pub(crate) fn refresh<C: Cpu>(self, cpu: C, shared: &Shared<G>, lists: &mut [u32]) -> Status {
        let Shared { rules, spec, .. } = shared;
        *self.ended = false;
        if self.status.stage == Stage::Ongoing {
            let Status { rewards, refused, .. } = *self.status;
            *self.status = legal_and_status_with(cpu, rules, spec, self.game, lists);
            if self.status.stage == Stage::Ongoing {
                // No step was made, so the results of the latest one are kept.
                (self.status.rewards, self.status.refused) = (rewards, refused);
            }
        }
        if self.status.stage != Stage::Ongoing {
            allow_all_actions(lists, spec);
        }
        *self.status
    }
}

/// Marks all actions of a finished game as legal, so that masks are never empty.
pub(crate) fn allow_all_actions(lists: &mut [u32], spec: &Spec) {
    lists.chunks_exact_mut(spec.list_len()).for_each(allow_all);
}

/// Returns the status after an illegal action by `loser`; the other players share the win.
fn forfeit(spec: &Spec, status: &Status, loser: usize) -> Status {
    let others = (spec.players - 1) as f32;
    let mut rewards = [0.0; MAX_PLAYERS];
    for (player, reward) in rewards[..spec.players].iter_mut().enumerate() {
        *reward = if player == loser { -1.0 } else { 1.0 / others };
    }
    let winner = if spec.players == 2 { Some(1 - loser as u8) } else { None };
    let ending = Some(spec.endings.len() as u8);
    Status { stage: Stage::Terminated, rewards, winner, ending, ..*status }
}
