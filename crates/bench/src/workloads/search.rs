//! Tree search with a uniform evaluator, so that only the tree and the game are measured.

use fourfold_env::blokus::{self, Classic, Duo};
use fourfold_env::chess::{self, Chess};
use fourfold_env::four_player::{self, FourPlayer};
use fourfold_env::kung_fu::{self, Eight, Twelve};
use fourfold_env::{AnyBatch, Batch, Game, Options as Play, Outputs};
use fourfold_search::{AnySearch, Memory, Options, Search, Uniform};

use crate::comparison::{Candidate, Comparison, WorkloadSize};

/// Returns all search workloads: each game with states replayed from the root, and with states
/// kept.
pub(super) fn comparisons(size: WorkloadSize) -> Vec<Comparison> {
    vec![
        comparison::<Chess>(chess::Rules::FIDE, size),
        comparison::<FourPlayer>(four_player::Rules::FREE_FOR_ALL, size),
        comparison::<Duo>(blokus::Rules::DUO, size),
        comparison::<Classic>(blokus::Rules::CLASSIC, size),
        comparison::<Eight>(kung_fu::Rules::<8>::default(), size),
        comparison::<Twelve>(kung_fu::Rules::<12>::default(), size),
    ]
}

/// Prints the memory that a node takes in each game.
pub(crate) fn print_sizes() {
    println!("\nsearch: average bytes per node with its edges, by component (states not kept)");
    print::<Chess>(chess::Rules::FIDE);
    print::<FourPlayer>(four_player::Rules::FREE_FOR_ALL);
    print::<Duo>(blokus::Rules::DUO);
    print::<Classic>(blokus::Rules::CLASSIC);
    print::<Eight>(kung_fu::Rules::<8>::default());
    print::<Twelve>(kung_fu::Rules::<12>::default());
}

const SIMULATIONS: u32 = 200;
/// The number of random steps before the search.
const STEPS: usize = 16;

/// Creates positions by random play, and a search for them.
fn setup<G: Game>(rules: &G::Rules, games: usize, keep_states: bool) -> (Batch<G>, Search<G>) {
    let mut batch = Batch::<G>::new(rules.clone(), games, Play::default());
    let mut actions = vec![0; games * batch.spec().mask_rows()];
    for _ in 0..STEPS {
        batch.sample(None, &mut actions);
        batch.step(&actions, Outputs::none()).expect("sampled actions are legal");
    }
    let options = Options { keep_states, ..Options::new(SIMULATIONS) };
    (batch, Search::new(rules.clone(), games, options).expect("default options"))
}

fn comparison<G: Game>(rules: G::Rules, size: WorkloadSize) -> Comparison {
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

fn print<G: Game>(rules: G::Rules) {
    let (batch, mut search) = setup::<G>(&rules, 16, false);
    search.run(|game| batch.state(game), &Uniform::default()).expect("finite values");
    let Memory {
        nodes,
        edges,
        visited_edges: tried_edges,
        used,
        node_bytes,
        edge_bytes,
        visited_edge_bytes: tried_bytes,
        ..
    } = search.memory();
    let [edges, tried] = [edges, tried_edges].map(|count| count as f64 / nodes as f64);
    println!(
        "  {:<12} {:>7.0} = {node_bytes} + {edges:.1} edges × {edge_bytes} + {tried:.1} visited × {tried_bytes}; state: {} bytes",
        G::NAME,
        used as f64 / nodes as f64,
        size_of::<G>(),
    );
}
