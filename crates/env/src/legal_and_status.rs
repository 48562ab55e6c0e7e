//! The legal actions and the status of a game, inside or outside of a batch.

use fourfold_common::cpu::{self, Cpu, Work};

use crate::game::{Action, Game, Spec, Status};
use crate::legal::LegalList;

/// Computes the legal actions and the status of a game.
#[inline]
pub(crate) fn legal_and_status_with<G: Game, C: Cpu>(
    cpu: C,
    rules: &G::Rules,
    spec: &Spec,
    game: &G,
    lists: &mut [u32],
) -> Status {
    // Not inlined: move generation is large and needed in several places.
    cpu.dispatch(LegalAndStatus { rules, spec, game, lists })
}

/// Computes the legal actions and the status of a game outside a batch. The lists follow one
/// another, each [`Spec::list_len`] long: the number of actions, then the actions.
pub fn legal_and_status<G: Game>(
    rules: &G::Rules,
    spec: &Spec,
    game: &G,
    lists: &mut [u32],
) -> Status {
    cpu::dispatch(LegalAndStatus { rules, spec, game, lists })
}

/// Plays actions in a game outside a batch, one for each acting player.
// Not inlined: playing a move is a lot of code, and most callers spend their time elsewhere.
#[inline(never)]
pub fn apply_to<G: Game>(rules: &G::Rules, game: &mut G, actions: &[Action]) {
    game.apply(rules, actions);
}

struct LegalAndStatus<'a, G: Game> {
    rules: &'a G::Rules,
    spec: &'a Spec,
    game: &'a G,
    lists: &'a mut [u32],
}

impl<G: Game> Work for LegalAndStatus<'_, G> {
    type Output = Status;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Status {
        let LegalAndStatus { rules, spec, game, lists } = self;
        let first = if spec.simultaneous { None } else { game.acting().only() };
        let mut may_move = false;
        // The only place that generates moves, so that the code is inlined only once.
        for (player, list) in (first.unwrap_or(0)..).zip(lists.chunks_exact_mut(spec.list_len())) {
            let mut list = LegalList::new(list);
            game.legal(cpu, rules, player, &mut list);
            may_move |= list.close() > 0;
        }
        game.status(rules, may_move)
    }
}
