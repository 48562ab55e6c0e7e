//! What the threads of a GPU do with a game, one after another: together, it must be what a step does.

use std::collections::BTreeMap;

use fourfold_common::SplitMix64;
use fourfold_common::cpu::Simt;
use fourfold_env::blokus::{self, Classic, Duo};
use fourfold_env::chess::{self, Chess};
use fourfold_env::four_player::{self, FourPlayer};
use fourfold_env::kung_fu::{self, Eight, Twelve};
use fourfold_env::{Action, ActionSink, Describe, DeviceGame, Game as _, Spec, Stage, Status};
use fourfold_oracle::harness::quick_or_full;

/// Collects actions in the order in which they come.
struct Collect(Vec<u32>);

impl ActionSink for Collect {
    fn push(&mut self, action: u32) {
        self.0.push(action);
    }
}

fn first_player<G: DeviceGame>(game: &G) -> usize {
    game.acting().only().unwrap_or(0)
}

/// Returns the sorted actions of each row by the ordinary generator.
fn legal<G: DeviceGame>(game: &G, rules: &G::Rules, spec: &Spec) -> Vec<Vec<u32>> {
    let first = if spec.simultaneous { 0 } else { first_player(game) };
    let rows = first..first + spec.mask_rows();
    rows.map(|player| {
        let mut found = Collect(Vec::new());
        game.legal(Simt::ALONE, rules, player, &mut found);
        found.0.sort_unstable();
        found.0
    })
    .collect()
}

/// Returns the same, found by all lanes.
fn legal_of_lanes<G: DeviceGame>(game: &G, rules: &G::Rules, spec: &Spec) -> Vec<Vec<u32>> {
    let first = if spec.simultaneous { 0 } else { first_player(game) };
    let rows = first..first + spec.mask_rows();
    rows.map(|player| {
        let mut found = Collect(Vec::new());
        for lane in 0..G::LANES {
            game.legal_part(Simt::ALONE, rules, player, lane, &mut found);
        }
        found.0.sort_unstable();
        found.0
    })
    .collect()
}

fn may_move(rows: &[Vec<u32>]) -> bool {
    rows.iter().any(|row| !row.is_empty())
}

/// Returns the status by the facts of all lanes.
fn status_of_lanes<G: DeviceGame>(game: &G, rules: &G::Rules, rows: &[Vec<u32>]) -> Status {
    let facts = (0..G::LANES).map(|lane| game.facts_part(Simt::ALONE, rules, lane));
    game.status_with(rules, may_move(rows), facts.fold(0, |all, facts| all | facts))
}

fn observe<G: DeviceGame>(game: &G, rules: &G::Rules, spec: &Spec, player: usize) {
    assert!(!G::ACTIONS_FILL_WORDS || spec.actions.is_multiple_of(32), "{}", spec.actions);
    let (bytes, numbers) = (spec.observation.packed_bytes(), spec.observation.scalars);
    let (mut expected, mut scalars) = (vec![0x55; bytes], vec![5.0; numbers]);
    game.observe(rules, player, &mut expected, &mut scalars);
    let (mut found, mut found_scalars) = match G::ADDS_TO_OBSERVATIONS {
        true => (vec![0; bytes.div_ceil(4)], vec![0.0; numbers]),
        false => (vec![0xaaaa_aaaa; bytes.div_ceil(4)], vec![7.0; numbers]),
    };
    for part in 0..G::PARTS {
        let add_bits = |word: &mut u32, bits: u32| *word |= bits;
        game.observe_part(rules, player, part, &mut found, &mut found_scalars, add_bits);
    }
    assert_eq!(bytemuck::cast_slice::<u32, u8>(&found)[..bytes], expected, "player {player}");
    assert_eq!(found_scalars, scalars, "player {player}");
    let mut painted = BTreeMap::new();
    G::paint(rules, &scalars, |square, channel, value| {
        painted.insert((square, channel), value.to_bits());
    });
    for parts in [1, 8, G::PARTS] {
        let mut painted_in_parts = BTreeMap::new();
        for part in 0..parts {
            G::paint_part(rules, &scalars, part, parts, |square, channel, value| {
                let earlier = painted_in_parts.insert((square, channel), value.to_bits());
                assert_eq!(earlier, None, "two parts set channel {channel} of square {square}");
            });
        }
        assert_eq!(painted_in_parts, painted, "player {player} in {parts} parts");
    }
}

/// Plays random games from the start or the given positions, both ways.
fn compare<G: DeviceGame + Describe>(rules: G::Rules, starts: &[&str], seed: u64) {
    let spec = G::spec(&rules);
    let rules_on_device = G::start(&rules).rules_from_numbers(&G::rules_to_numbers(&rules));
    let mut random = SplitMix64::new(seed);
    let mut steps = 0;
    while steps < quick_or_full(2_000, 50_000) {
        let mut game = match starts {
            [] => G::start(&rules),
            _ => {
                let text = starts[random.next() as usize % starts.len()];
                G::parse(&rules, text).expect("a valid position")
            }
        };
        let mut rows = legal(&game, &rules, &spec);
        while game.status(&rules, may_move(&rows)).stage == Stage::Ongoing {
            assert_eq!(legal_of_lanes(&game, &rules_on_device, &spec), rows, "{}", game.text());
            let player = random.next() as usize % spec.players;
            observe(&game, &rules_on_device, &spec, player);
            let choose = |row: &Vec<u32>, random: &mut SplitMix64| {
                Action(row[random.next() as usize % row.len()])
            };
            let actions: Vec<Action> = rows.iter().map(|row| choose(row, &mut random)).collect();
            let (before, mut other) = (game.text(), game);
            game.apply(&rules, &actions);
            other.begin(&rules_on_device, &actions);
            let mut found;
            loop {
                found = legal_of_lanes(&other, &rules_on_device, &spec);
                if !other.settle(&rules_on_device, may_move(&found)) {
                    break;
                }
            }
            let what = format!("{actions:?} in {before}");
            let [one, two] = [game, other].map(|game| game.to_stored());
            assert!(bytemuck::bytes_of(&one) == bytemuck::bytes_of(&two), "{what}");
            rows = legal(&game, &rules, &spec);
            let status = game.status(&rules, may_move(&rows));
            // All actions are allowed in a finished game.
            if status.stage == Stage::Ongoing {
                assert_eq!(found, rows, "{what}");
            }
            assert_eq!(status_of_lanes(&other, &rules_on_device, &found), status, "{what}");
            // Values that only save time may differ, and must not matter.
            game = other;
            steps += 1;
        }
    }
}

#[test]
fn lanes_of_chess() {
    let rules = |given| chess::Rules::from_options(given).expect("valid options");
    compare::<Chess>(rules(&[]), &[], 1);
    compare::<Chess>(rules(&[("preset", "pgx"), ("view", "absolute")]), &[], 2);
    let endgames = [
        "8/P6k/8/8/8/8/6Kp/8 b - - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
    ];
    compare::<Chess>(rules(&[("max_steps", "40")]), &endgames, 3);
}

#[test]
fn lanes_of_four_player_chess() {
    let rules = |given| four_player::Rules::from_options(given).expect("valid options");
    compare::<FourPlayer>(rules(&[]), &[], 1);
    compare::<FourPlayer>(rules(&[("mode", "teams"), ("view", "absolute")]), &[], 2);
    compare::<FourPlayer>(rules(&[("preset", "legacy"), ("actions", "flat")]), &[], 3);
    compare::<FourPlayer>(rules(&[("mate_timing", "immediate"), ("reward", "rank")]), &[], 4);
    compare::<FourPlayer>(rules(&[("king_capture", "forbid"), ("quiet", "60")]), &[], 5);
    // Few pieces: eliminations, promotions, repetitions and bare kings.
    let few = [
        "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,7/14/14/14/2,rR,11/14/bK,12,gK/14/14/14/8,bQ,5/3,rP,10/\
         14/7,rK,6",
        "B-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,3,yK,2,yR,3/14/14/bR,bP,10,gP,gR/14/14/4,yP,9/\
         bK,rP,11,gK/14/14/bR,11,gP,gR/14/5,rP,1,gP,6/3,rR,2,rK,3,rR,3",
        "Y-0,1,0,0-0,0,0,0-0,0,0,0-0,0,0,0-190-6,yK,7/14/14/14/14/14/13,gK/dbK,13/14/14/14/14/14/\
         7,rK,6",
        "G-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-7-6,yK,3,gB,3/14/14/14/14/14/3,bP,9,gK/bK,rP,3,rP,8/\
         14/14/14/14/14/3,yQ,3,rK,6",
    ];
    compare::<FourPlayer>(rules(&[("max_steps", "200")]), &few, 6);
    compare::<FourPlayer>(rules(&[("mate_timing", "immediate"), ("repetition", "2")]), &few, 7);
    let teams = [
        few[0],
        few[1],
        "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,3,gB,3/14/14/14/3,rP,3,rP,4,gP,1/14/9,bP,3,gK/bK,13/14/\
         4,yP,4,gP,4/14/14/14/3,yQ,3,rK,6",
    ];
    compare::<FourPlayer>(rules(&[("mode", "teams"), ("actions", "flat")]), &teams, 8);
    compare::<FourPlayer>(rules(&[("mode", "teams"), ("repetition", "2")]), &teams, 9);
}

#[test]
fn lanes_of_blokus() {
    let classic = |given| blokus::Rules::<4>::from_options(given).expect("valid options");
    let duo = |given| blokus::Rules::<2>::from_options(given).expect("valid options");
    compare::<Classic>(classic(&[]), &[], 1);
    compare::<Classic>(classic(&[("size", "9"), ("reward", "rank")]), &[], 2);
    compare::<Classic>(classic(&[("players", "3"), ("view", "absolute")]), &[], 3);
    compare::<Classic>(classic(&[("players", "2"), ("free_starts", "on")]), &[], 4);
    compare::<Classic>(classic(&[("size", "22"), ("reward", "points")]), &[], 5);
    compare::<Duo>(duo(&[]), &[], 6);
    compare::<Duo>(duo(&[("size", "5"), ("view", "absolute")]), &[], 7);
    compare::<Duo>(duo(&[("starts", "corners"), ("reward", "difference")]), &[], 8);
}

#[test]
fn lanes_of_kung_fu_chess() {
    let eight = |given| kung_fu::Rules::<8>::from_options(given).expect("valid options");
    let twelve = |given| kung_fu::Rules::<12>::from_options(given).expect("valid options");
    compare::<Eight>(eight(&[]), &[], 1);
    compare::<Eight>(eight(&[("speed", "lightning"), ("view", "absolute")]), &[], 2);
    compare::<Eight>(eight(&[("interval", "20")]), &[], 3);
    compare::<Twelve>(twelve(&[("interval", "15")]), &[], 4);
    compare::<Twelve>(twelve(&[("seats", "134"), ("eliminated", "freeze")]), &[], 5);
    compare::<Twelve>(twelve(&[("teams", "on"), ("view", "absolute")]), &[], 6);
    // Castling, pawns that cannot move or are about to be promoted, and many pieces of one role.
    let eights = [
        "K:1:7:4 R:1:7:0 R:1:7:7 P:1:0:3 P:1:1:6 P:1:6:2 K:2:0:4 R:2:0:0 R:2:0:7 P:2:7:1 P:2:6:6",
        "K:1:4:4 Q:1:7:0 Q:1:7:1 Q:1:7:2 Q:1:7:3 K:2:0:0 N:2:3:3 N:2:3:5 B:2:5:5 B:2:5:6 P:2:1:1",
    ];
    let twelves = [
        "K:1:6:11 R:1:2:11 R:1:9:11 P:1:5:2 P:1:3:10 K:2:11:5 R:2:11:2 R:2:11:9 P:2:2:4 P:2:10:3 \
         K:3:6:0 R:3:2:0 R:3:9:0 P:3:4:9 P:3:4:1 K:4:0:6 R:4:0:2 R:4:0:9 P:4:9:4 P:4:1:3",
        "K:1:6:11 B:1:0:2 B:1:2:0 B:1:11:9 N:1:9:1 Q:1:1:2 K:2:11:5 N:2:2:11 Q:2:0:9 P:2:0:3 \
         K:3:5:5 P:3:5:11 P:3:3:10 K:4:0:6 Q:4:9:0 Q:4:9:11 Q:4:6:6 P:4:11:4",
    ];
    compare::<Eight>(eight(&[("interval", "9"), ("max_ticks", "400")]), &eights, 7);
    compare::<Twelve>(twelve(&[("interval", "9"), ("max_ticks", "400")]), &twelves, 8);
    let teams = [("teams", "on"), ("ticks_per_square", "1000"), ("interval", "700")];
    compare::<Twelve>(twelve(&teams), &twelves, 9);
    let fast = [("ticks_per_square", "1"), ("rest", "0"), ("interval", "1"), ("view", "absolute")];
    compare::<Eight>(eight(&fast), &eights, 10);
}

#[test]
fn the_last_of_two_pieces_with_the_same_target_is_shown() {
    let rules = kung_fu::Rules::<8>::from_options(&[]).expect("valid options");
    // Cannot happen by the rules, but can be loaded.
    let text = "t50 order=41 capture=0 closed=no eliminated=none result=none; \
                K:1:7:4 K 7,4; K:2:0:4 K 0,4; R:1:4:0 R 4,0>4,4 start=42 arrive=162 moved; \
                R:1:4:7 R 4,7>4,4 start=20 arrive=110 moved";
    let game = Eight::parse(&rules, text).expect("a valid state");
    for player in 0..2 {
        observe(&game, &rules, &Eight::spec(&rules), player);
    }
}
