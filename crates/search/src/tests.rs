//! Tests of the invariants of search trees, which need private fields.

use std::sync::atomic::{AtomicU32, Ordering};

use fourfold_env::blokus::{self, Duo};
use fourfold_env::chess::{self, Chess};
use fourfold_env::four_player::{self, FourPlayer};
use fourfold_env::kung_fu::{self, Twelve};
use fourfold_env::{self as env, Action, AnyBatch, Batch, Describe, Spec, Stream};
use fourfold_tree::{NodeState, ROOT, Tree};

use crate::any::{AnySearch, Evaluator};
use crate::error::SearchError;
use crate::evaluate::{Evaluate, Leaf, Playouts};
use crate::options::{Noise, Options};
use crate::search::{Logits, Search};

/// An evaluator that returns random logits and values.
struct RandomEvaluator;

impl<G: Describe> Evaluate<G> for RandomEvaluator {
    type Memory = ();

    fn evaluate(&self, _: &G::Rules, spec: &Spec, (): &mut (), leaves: &mut [Leaf<G>]) {
        for leaf in leaves {
            let mut stream = Stream::new(leaf.random(), 0);
            let mut number = move || (stream.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
            leaf.values()[..spec.players].fill_with(&mut number);
            leaf.rows().for_each(|(_, logits)| logits.fill_with(&mut number));
        }
    }
}

/// Checks every node of a subtree. Returns the number of nodes, and appends a description of them
/// to `text`.
fn check_subtree(
    tree: &Tree<Action, f32>,
    spec: &Spec,
    node: usize,
    most: f64,
    text: &mut String,
) -> usize {
    let about = tree.node(node);
    assert_eq!(about.pending, 0);
    assert!(about.visits > 0 && about.state != NodeState::Unexpanded);
    for &sum in tree.values(node) {
        let mean = sum / f64::from(about.visits);
        assert!(mean.abs() <= most, "the mean {mean} is out of range");
    }
    let children: Vec<usize> = tree.children(node).collect();
    let below: u32 = children.iter().map(|&child| tree.node(child).visits).sum();
    match about.state {
        NodeState::Terminal => assert!(children.is_empty()),
        NodeState::Expanded | NodeState::Unexpanded => assert_eq!(about.visits, below + 1),
    }
    *text += &format!("{} {:?} {:?}", about.visits, about.state, tree.values(node));
    for row in 0..spec.mask_rows() {
        let row = tree.row(node, row);
        let priors: f32 = row.edges.iter().map(|edge| edge.prior).sum();
        assert!(
            about.state == NodeState::Terminal || (priors - 1.0).abs() < 1e-4,
            "the priors sum to {priors}"
        );
        assert!(row.stats.iter().all(|stat| stat.pending == 0));
        let visits: u32 = row.stats.iter().map(|stat| stat.visits).sum();
        assert_eq!(visits, below);
        for (index, edge) in row.edges.iter().enumerate() {
            let stat = row.stat(index);
            *text += &format!(" {}:{}:{}:{}", edge.action.0, edge.prior, stat.visits, stat.value);
        }
    }
    text.push('\n');
    let all = children.iter().map(|&child| check_subtree(tree, spec, child, most, text));
    1 + all.sum::<usize>()
}

/// Plays a game with a search and checks all of its trees.
fn check<G: Describe>(rules: G::Rules, most: f64, moves: usize) {
    let noises = [Noise::None, Noise::Dirichlet { alpha: 0.3, fraction: 0.25 }, Noise::GUMBEL];
    for (noise, (leaves_per_game, keep_states)) in
        noises.into_iter().zip([(1, false), (4, true), (7, false)])
    {
        let options = Options { noise, leaves_per_game, keep_states, seed: 0, ..Options::new(80) };
        let mut search = Search::<G>::new(rules.clone(), 1, options).expect("options");
        let spec = search.spec().clone();
        let rows = spec.mask_rows();
        let mut state = G::start(&rules);
        for _ in 0..moves {
            search.run(|_| &state, &RandomEvaluator).expect("numbers");
            let tree = search.game_search(0).tree();
            if tree.node(ROOT).state == NodeState::Terminal {
                break;
            }
            assert_eq!(
                check_subtree(tree, &spec, ROOT, most, &mut String::new()),
                tree.counts()[0]
            );
            for row in 0..rows {
                let weights: f32 = search.root_actions(0, row).iter().map(|one| one.weight).sum();
                assert!((weights - 1.0).abs() < 1e-4, "the policy sums to {weights}");
            }
            let mut actions = vec![0; rows];
            search.actions(1.0, &mut actions).expect("it was searched");
            let ids: Vec<_> = actions.iter().map(|&id| Action(id as u32)).collect();
            state.apply(&rules, &ids);
            // The subtree below these actions must become the new tree unchanged.
            let child = tree_child(&search, &ids);
            search.advance(&actions).expect("legal actions");
            if let Some((count, text)) = child {
                let (tree, mut found) = (search.game_search(0).tree(), String::new());
                assert_eq!(check_subtree(tree, &spec, ROOT, most, &mut found), count);
                assert!(text == found, "the tree has changed");
            }
        }
    }
}

/// Returns the size and description of the subtree below some actions, if it exists.
fn tree_child<G: Describe>(search: &Search<G>, ids: &[Action]) -> Option<(usize, String)> {
    let game_search = search.game_search(0);
    let child = game_search.child_by(ids)?;
    let mut text = String::new();
    let count = check_subtree(game_search.tree(), search.spec(), child, f64::INFINITY, &mut text);
    Some((count, text))
}

#[test]
fn tree_invariants_hold() {
    check::<Chess>(chess::Rules::FIDE, 1.0, 12);
    // This game also pays rewards before its end, so there is no bound on the mean.
    check::<FourPlayer>(four_player::Rules::FREE_FOR_ALL, f64::INFINITY, 12);
    check::<Duo>(blokus::Rules::DUO, 1.0, 30);
    let given = [("speed", "lightning"), ("interval", "15")];
    let rules = kung_fu::Rules::<12>::from_options(&given).expect("options");
    check::<Twelve>(rules, 1.0, 12);
}

/// Two games of chess that differ.
fn batch_of_chess() -> Batch<Chess> {
    let mut batch = Batch::<Chess>::new(chess::Rules::FIDE, 2, env::Options::default());
    batch.reset(Some(1));
    let mut actions = [0; 2];
    batch.sample(None, &mut actions).expect("two actions");
    batch.step(&actions, env::Outputs::none()).expect("legal actions");
    batch
}

#[test]
fn stopped_calls_for_leaves_continue() {
    let batch = batch_of_chess();
    for noise in [Noise::None, Noise::GUMBEL] {
        let options = Options { noise, leaves_per_game: 4, ..Options::new(60) };
        let new = || Search::<Chess>::new(chess::Rules::FIDE, 2, options).expect("options");
        let (mut search, mut stopped) = (new(), new());
        let mut stops = 0;
        loop {
            let count = AnySearch::leaves(&mut search, &batch).expect("no pending leaves");
            // Every call gets a little further.
            let mut found = Err(SearchError::Stopped);
            for most in 0.. {
                let asked = AtomicU32::new(0);
                let stop = || asked.fetch_add(1, Ordering::Relaxed) >= most;
                found = AnySearch::leaves_with_stop(&mut stopped, &batch, &stop);
                if found != Err(SearchError::Stopped) {
                    break;
                }
                stops += 1;
            }
            assert_eq!(found, Ok(count));
            if count == 0 {
                break;
            }
            assert_eq!(search.leaf_games(), stopped.leaf_games());
            for search in [&mut search, &mut stopped] {
                let logits = vec![0.0; count * search.spec().actions];
                search.backup(Logits::Dense(&logits), &vec![0.0; count * 2]).expect("numbers");
            }
        }
        assert!(stops > 60);
        for game in 0..2 {
            assert_eq!(search.root_actions(game, 0), stopped.root_actions(game, 0));
        }
    }
}

#[test]
fn a_stopped_run_leaves_no_trees() {
    let batch = batch_of_chess();
    let new = || Search::<Chess>::new(chess::Rules::FIDE, 2, Options::new(5)).expect("options");
    let mut search = new();
    let asked = AtomicU32::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 100;
    let evaluator = Evaluator::Playouts(Playouts { count: u32::MAX, ..Playouts::default() });
    let ran = AnySearch::run_with_stop(&mut search, &batch, evaluator, &stop);
    assert_eq!(ran, Err(SearchError::Stopped));
    assert_eq!(search.memory().nodes, 0);
    assert_eq!(search.require_searched(), Err(SearchError::NotSearched { game: 0 }));
    let evaluator = Evaluator::Playouts(Playouts::default());
    AnySearch::run(&mut search, &batch, evaluator).expect("numbers");
    assert_eq!(search.visits(0), 6);
}
