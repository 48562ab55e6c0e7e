//! Compares the search with a textbook implementation: recursive, with nodes that own their states
//! and children.

use fourfold_env::blokus::{self, Classic, Duo};
use fourfold_env::chess::{self, Chess};
use fourfold_env::four_player::{self, FourPlayer};
use fourfold_env::kung_fu::{self, Eight, Twelve};
use fourfold_env::{Action, Describe, Spec, Stage, legal_and_status};
use fourfold_search::{AnySearch, Evaluate, FirstPlayUrgency, Options, Search, Uniform};

use super::{Hashed, number, random_position, stream_of};

/// The evaluation of a position in both searches: logits for its actions and values for its
/// players.
type EvaluateState<G> = fn(&G, &[Vec<u32>], usize) -> (Vec<Vec<f64>>, Vec<f64>);

fn uniform<G: Describe>(_: &G, lists: &[Vec<u32>], players: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    (lists.iter().map(|list| vec![0.0; list.len()]).collect(), vec![0.0; players])
}

fn hashed<G: Describe>(state: &G, lists: &[Vec<u32>], players: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut stream = stream_of(state);
    let logits =
        lists.iter().map(|list| list.iter().map(|_| f64::from(number(&mut stream))).collect());
    let logits = logits.collect();
    (logits, (0..players).map(|_| f64::from(number(&mut stream))).collect())
}

struct Arm {
    action: u32,
    prior: f64,
    visits: u32,
    sum: f64,
}

struct Node<G> {
    state: G,
    rewards: Vec<f64>,
    is_over: bool,
    visits: u32,
    sums: Vec<f64>,
    /// The arms of each acting player, or empty if the node has not been evaluated.
    arms: Vec<Vec<Arm>>,
    /// The children, with the arms that lead to them.
    children: Vec<(Vec<usize>, Node<G>)>,
}

struct Reference<'a, G: Describe> {
    rules: &'a G::Rules,
    spec: Spec,
    options: Options,
    evaluate: EvaluateState<G>,
}

impl<G: Describe> Reference<'_, G> {
    fn node(&self, state: G) -> Node<G> {
        let mut lists = vec![0; self.spec.mask_rows() * self.spec.list_len()];
        let status = legal_and_status(self.rules, &self.spec, &state, &mut lists);
        Node {
            state,
            rewards: status.rewards.map(f64::from).to_vec(),
            is_over: status.stage != Stage::Ongoing,
            visits: 0,
            sums: vec![0.0; self.spec.players],
            arms: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Evaluates a node and returns its values.
    fn expand(&self, node: &mut Node<G>) -> Vec<f64> {
        let mut lists = vec![0; self.spec.mask_rows() * self.spec.list_len()];
        legal_and_status(self.rules, &self.spec, &node.state, &mut lists);
        let lists: Vec<Vec<u32>> = lists
            .chunks_exact(self.spec.list_len())
            .map(|list| list[1..1 + list[0] as usize].to_vec())
            .collect();
        let (logits, values) = (self.evaluate)(&node.state, &lists, self.spec.players);
        for (list, logits) in lists.iter().zip(logits) {
            let sum: f64 = logits.iter().map(|logit| logit.exp()).sum();
            let arm = |(&action, logit): (&u32, f64)| Arm {
                action,
                // The search stores priors as `f32`.
                prior: f64::from((logit.exp() / sum) as f32),
                visits: 0,
                sum: 0.0,
            };
            node.arms.push(list.iter().zip(logits).map(arm).collect());
        }
        values
    }

    /// Runs one simulation and returns the players' returns from this node on.
    fn simulate(&self, node: &mut Node<G>) -> Vec<f64> {
        let found = if node.is_over {
            vec![0.0; self.spec.players]
        } else if node.arms.is_empty() {
            self.expand(node)
        } else {
            let path: Vec<usize> = (0..node.arms.len()).map(|row| self.select(node, row)).collect();
            if !node.children.iter().any(|(key, _)| *key == path) {
                let actions: Vec<Action> = path
                    .iter()
                    .zip(&node.arms)
                    .map(|(&arm, arms)| Action(arms[arm].action))
                    .collect();
                let mut state = node.state;
                state.apply(self.rules, &actions);
                node.children.push((path.clone(), self.node(state)));
            }
            let mut children = node.children.iter_mut();
            let (_, child) = children.find(|(key, _)| *key == path).expect("it was made");
            let below = self.simulate(child);
            let discount = f64::from(self.options.discount);
            let found: Vec<f64> = below
                .iter()
                .zip(&child.rewards)
                .map(|(below, own)| own + discount * below)
                .collect();
            for (row, &arm) in path.iter().enumerate() {
                let player = self.player(node, row);
                let arm = &mut node.arms[row][arm];
                arm.visits += 1;
                arm.sum += found[player];
            }
            found
        };
        node.visits += 1;
        node.sums.iter_mut().zip(&found).for_each(|(sum, found)| *sum += found);
        found
    }

    fn player(&self, node: &Node<G>, row: usize) -> usize {
        if self.spec.simultaneous { row } else { node.state.acting().only().expect("turns") }
    }

    fn select(&self, node: &Node<G>, row: usize) -> usize {
        let Options { pb_c_init, pb_c_base, first_play_urgency: untried, .. } = self.options;
        let (pb_c_init, pb_c_base) = (f64::from(pb_c_init), f64::from(pb_c_base));
        let all = f64::from(node.visits);
        let mean = node.sums[self.player(node, row)] / all;
        let arms = &node.arms[row];
        let tried: f64 = arms.iter().filter(|arm| arm.visits > 0).map(|arm| arm.prior).sum();
        let untried = match untried {
            FirstPlayUrgency::Value(value) => f64::from(value),
            FirstPlayUrgency::Parent { reduction } => mean - f64::from(reduction) * tried.sqrt(),
        };
        let score = |arm: &Arm| {
            let visits = f64::from(arm.visits);
            let value = if arm.visits == 0 { untried } else { arm.sum / visits };
            let weight = pb_c_init + ((all + pb_c_base + 1.0) / pb_c_base).ln();
            value + weight * all.sqrt() * arm.prior / (1.0 + visits)
        };
        let mut best = 0;
        for index in 1..arms.len() {
            if score(&arms[index]) > score(&arms[best]) {
                best = index;
            }
        }
        best
    }
}

fn compare<G: Describe>(
    rules: &G::Rules,
    state: G,
    options: Options,
    evaluator: &impl Evaluate<G>,
    evaluate: EvaluateState<G>,
) {
    let spec = G::spec(rules);
    let mut search = Search::<G>::new(rules.clone(), 1, options).expect("options");
    search.run(|_| &state, evaluator).expect("numbers");
    let reference = Reference { rules, spec, options, evaluate };
    let mut root = reference.node(state);
    for _ in 0..=options.simulations {
        reference.simulate(&mut root);
    }
    assert_eq!(search.visits(0), root.visits);
    for (row, arms) in root.arms.iter().enumerate() {
        let tried = search.root_actions(0, row);
        let ours: Vec<(u32, u32)> = tried.iter().map(|one| (one.action.0, one.visits)).collect();
        let theirs: Vec<(u32, u32)> = arms.iter().map(|arm| (arm.action, arm.visits)).collect();
        assert_eq!(ours, theirs, "{} row {row} in {}", G::NAME, root.state.text());
        for (one, arm) in tried.iter().zip(arms) {
            let mean = arm.sum / f64::from(arm.visits.max(1));
            assert!((f64::from(one.value) - mean).abs() < 1e-5, "{} and {mean}", one.value);
        }
    }
    for (ours, theirs) in search.values(0).iter().zip(&root.sums) {
        let theirs = theirs / f64::from(root.visits);
        assert!((f64::from(*ours) - theirs).abs() < 1e-5, "{ours} and {theirs}");
    }
}

fn compare_all<G: Describe>(rules: G::Rules, walks: &[usize]) {
    for (seed, &steps) in walks.iter().enumerate() {
        let state = random_position::<G>(&rules, steps, seed as u64);
        for options in [
            Options::new(300),
            Options {
                first_play_urgency: FirstPlayUrgency::Parent { reduction: 0.3 },
                discount: 0.97,
                keep_states: true,
                ..Options::new(200)
            },
            Options {
                first_play_urgency: FirstPlayUrgency::Value(-0.5),
                pb_c_init: 2.5,
                pb_c_base: 50.0,
                ..Options::new(200)
            },
        ] {
            compare(&rules, state, options, &Hashed, hashed);
            compare(&rules, state, options, &Uniform::default(), uniform);
        }
    }
}

#[test]
fn search_matches_the_reference() {
    // The recursive textbook search overflows the stack of a test thread in an unoptimized build.
    let deep = std::thread::Builder::new().stack_size(64 << 20).spawn(compare_games);
    deep.expect("a thread").join().expect("no difference");
}

fn compare_games() {
    compare_all::<Chess>(chess::Rules::FIDE, &[0, 20, 60, 150]);
    compare_all::<FourPlayer>(four_player::Rules::FREE_FOR_ALL, &[0, 80, 200]);
    compare_all::<FourPlayer>(four_player::Rules::TEAMS, &[100]);
    compare_all::<Duo>(blokus::Rules::DUO, &[10, 24, 30]);
    compare_all::<Classic>(blokus::Rules::CLASSIC, &[40, 60]);
    let given = [("speed", "lightning"), ("interval", "15")];
    let eight = kung_fu::Rules::<8>::from_options(&given).expect("options");
    compare_all::<Eight>(eight, &[0, 10, 30]);
    let twelve = kung_fu::Rules::<12>::from_options(&given).expect("options");
    compare_all::<Twelve>(twelve, &[20]);
}
