//! Tree search with a uniform evaluator, so that only the tree and the game are measured.

use fourfold_env::blokus::{self, Classic, Duo};
use fourfold_env::chess::{self, Chess};
use fourfold_env::four_player::{self, FourPlayer};
use fourfold_env::kung_fu::{self, Eight, Twelve};
use fourfold_env::{AnyBatch, Batch, Describe, Options as Play, Outputs};
use fourfold_search::{AnySearch, Memory, Options, Search, Uniform};

use crate::comparison::{Candidate, Comparison, WorkloadSize};

/// Calls a generic function with the default rules of each game.
macro_rules! every_game {
    ($function:ident($($argument:expr)?)) => {
        [
            $function::<Chess>(chess::Rules::FIDE $(, $argument)?),
            $function::<FourPlayer>(four_player::Rules::FREE_FOR_ALL $(, $argument)?),
            $function::<Duo>(blokus::Rules::DUO $(, $argument)?),
            $function::<Classic>(blokus::Rules::CLASSIC $(, $argument)?),
            $function::<Eight>(kung_fu::Rules::<8>::default() $(, $argument)?),
            $function::<Twelve>(kung_fu::Rules::<12>::default() $(, $argument)?),
        ]
    };
}

/// Returns all search workloads: each game with states replayed from the root, and with states
/// kept.
pub(super) fn comparisons(size: WorkloadSize) -> Vec<Comparison> {
    every_game!(comparison(size)).into()
}

/// Prints the memory that a node takes in each game.
pub(crate) fn print_sizes() {
    println!("\nsearch: average bytes per node with its edges, by component (states not kept)");
    every_game!(print());
}

const SIMULATIONS: u32 = 200;
/// The number of random steps before the search.
const STEPS: usize = 16;

/// Creates positions by random play, and a search for them.
fn setup<G: Describe>(rules: &G::Rules, games: usize, keep_states: bool) -> (Batch<G>, Search<G>) {
    let mut batch = Batch::<G>::new(rules.clone(), games, Play::default());
    batch.reset(Some(0));
    let mut actions = vec![0; games * batch.spec().mask_rows()];
    for _ in 0..STEPS {
        batch.sample(None, &mut actions).expect("one action per row");
        batch.step(&actions, Outputs::none()).expect("sampled actions are legal");
    }
    let options = Options { keep_states, seed: 0, ..Options::new(SIMULATIONS) };
    (batch, Search::new(rules.clone(), games, options).expect("default options"))
}

fn comparison<G: Describe>(rules: G::Rules, size: WorkloadSize) -> Comparison {
    let games = if size == WorkloadSize::Quick { 2 } else { 64 };
    let by = |name, keep_states| {
        // Created in the first run, because most comparisons are never run.
        let (rules, mut made) = (rules.clone(), None);
        Candidate::new(name, move || {
            let (batch, search) =
                made.get_or_insert_with(|| setup::<G>(&rules, games, keep_states));
            search.clear();
            search.run(|game| batch.state(game), &Uniform::default()).expect("finite values");
            u64::from(SIMULATIONS) * games as u64
        })
    };
    Comparison::new(
        format!("search {}, {games} games", G::NAME),
        "simulations",
        vec![by("states replayed", false), by("states kept", true)],
    )
}

fn print<G: Describe>(rules: G::Rules) {
    let (batch, mut search) = setup::<G>(&rules, 16, false);
    search.run(|game| batch.state(game), &Uniform::default()).expect("finite values");
    let memory = search.memory();
    let [edges, visited, used] = [memory.edges, memory.visited_edges, memory.used]
        .map(|count| count as f64 / memory.nodes as f64);
    let Memory { node_bytes, edge_bytes, visited_edge_bytes, .. } = memory;
    println!(
        "  {:<12} {used:>7.0} = {node_bytes} + {edges:.1} edges × {edge_bytes} + {visited:.1} visited × {visited_edge_bytes}; state: {} bytes",
        G::NAME,
        size_of::<G>(),
    );
}
