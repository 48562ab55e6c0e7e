//! The search as a whole: it finds mates, plays better than a random player in every game, and its
//! results depend only on its seed.

mod determinism;
mod mates;
mod reference;
mod reuse;
mod strength;

use fourfold_env::{Action, Describe, MAX_PLAYERS, Spec, Stage, Stream, legal_and_status};
use fourfold_search::{Evaluate, Leaf};

/// An evaluator whose logits and values look random but depend only on the position.
struct Hashed;

impl<G: Describe> Evaluate<G> for Hashed {
    type Memory = ();

    fn evaluate(&self, _: &G::Rules, spec: &Spec, (): &mut (), leaves: &mut [Leaf<G>]) {
        for leaf in leaves {
            let mut stream = stream_of(leaf.state());
            for (_, logits) in leaf.rows() {
                logits.fill_with(|| number(&mut stream));
            }
            leaf.values()[..spec.players].fill_with(|| number(&mut stream));
        }
    }
}

/// Returns a random stream that depends only on the position.
fn stream_of<G: Describe>(state: &G) -> Stream {
    let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    Stream::new(state.text().bytes().fold(0xcbf2_9ce4_8422_2325, add), 0)
}

/// Returns a number from −1 to 1.
fn number(stream: &mut Stream) -> f32 {
    (stream.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
}

/// Returns a position after some random steps, stopping before the game is over.
fn random_position<G: Describe>(rules: &G::Rules, steps: usize, seed: u64) -> G {
    let spec = G::spec(rules);
    let mut lists = vec![0; spec.mask_rows() * spec.list_len()];
    let mut stream = Stream::new(seed, 0);
    let mut state = G::start(rules);
    for _ in 0..steps {
        legal_and_status(rules, &spec, &state, &mut lists);
        let mut next = state;
        let actions = random_actions(&spec, &lists, &mut stream);
        next.apply(rules, &actions[..spec.mask_rows()]);
        if legal_and_status(rules, &spec, &next, &mut lists).stage != Stage::Ongoing {
            break;
        }
        state = next;
    }
    state
}

/// Draws a random legal action for each row.
fn random_actions(spec: &Spec, lists: &[u32], stream: &mut Stream) -> [Action; MAX_PLAYERS] {
    let mut actions = [Action(0); MAX_PLAYERS];
    for (list, action) in lists.chunks_exact(spec.list_len()).zip(&mut actions) {
        *action = Action(list[1 + stream.below(list[0] as usize)]);
    }
    actions
}
