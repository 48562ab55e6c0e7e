//! Kernels against the ordinary batch: every output of every step must be the same. The kernels run on the
//! CPU, or on a GPU if `FOURFOLD_CUDA` is set to the index of one, with `FOURFOLD_GAMES` games at a time.
#![allow(unsafe_code, reason = "outputs are passed as addresses")]

mod rows;

use std::fmt::Debug;
use std::sync::OnceLock;

use bytemuck::Pod;
use fourfold_common::SplitMix64;
use fourfold_cuda::{
    AnyBatch, Buffer, CudaError, Device, Format, Mask, Observation, Outputs, make,
};
use fourfold_env::{
    Autoreset, DescribedBatch, Illegal, MaskRows, ObservationRows, Options, Outputs as HostOutputs,
    Rows, Seeds, Spec, StepError, ValueRows,
};
use fourfold_kernels::ReportArrays;
use fourfold_oracle::harness::quick_or_full;
use half::f16;

/// Returns the device to test, and the number of games to test it with.
fn tested() -> &'static (Device, usize) {
    static TESTED: OnceLock<(Device, usize)> = OnceLock::new();
    TESTED.get_or_init(|| match std::env::var("FOURFOLD_CUDA") {
        Ok(index) => {
            let index = index.parse().expect("the index of a GPU");
            let games = std::env::var("FOURFOLD_GAMES").unwrap_or("1000".into());
            (Device::cuda(index).expect("a GPU"), games.parse().expect("a number of games"))
        }
        Err(_) => (Device::Cpu, 13),
    })
}

fn tested_device() -> &'static Device {
    &tested().0
}

fn num_games() -> usize {
    tested().1
}

/// A game, its options, and positions to start from.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

/// Every environment, with options that cover every branch of the kernels and rules.
const CASES: [Case; 20] = [
    ("chess", &[], &[]),
    ("chess", &[("preset", "pgx"), ("view", "absolute")], &[]),
    ("chess", &[("preset", "legacy"), ("max_steps", "9")], &[]),
    ("chess", &[("claim", "off"), ("max_steps", "20")], &["8/P6k/8/8/8/8/6Kp/8 w - - 0 1"]),
    ("chess", &[], &["8/P6k/8/8/8/8/6Kp/8 b - - 0 1", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"]),
    ("four_player", &[], &[]),
    ("four_player", &[("mode", "teams"), ("view", "absolute")], &[]),
    ("four_player", &[("actions", "flat"), ("reward", "rank"), ("max_steps", "30")], &[]),
    ("four_player", &[("preset", "legacy"), ("setup", "classic"), ("reward", "win")], &[]),
    ("blokus", &[], &[]),
    ("blokus", &[("size", "9"), ("reward", "rank")], &[]),
    ("blokus", &[("players", "3"), ("view", "absolute"), ("reward", "points")], &[]),
    ("blokus", &[("players", "2"), ("free_starts", "on"), ("reward", "difference")], &[]),
    ("blokus_duo", &[], &[]),
    ("blokus_duo", &[("size", "5"), ("view", "absolute")], &[]),
    ("blokus", &[("size", "1")], &[]),
    ("kung_fu", &[("interval", "20")], &[]),
    ("kung_fu", &[("speed", "lightning"), ("view", "absolute"), ("max_ticks", "300")], &[]),
    ("kung_fu_4p", &[("interval", "15")], &[]),
    ("kung_fu_4p", &[("seats", "134"), ("teams", "off"), ("eliminated", "freeze")], &[]),
];

/// Returns the cases to test; only those of one game if `FOURFOLD_GAME` is set.
fn cases() -> impl Iterator<Item = Case> {
    let only = std::env::var("FOURFOLD_GAME").ok();
    CASES.into_iter().filter(move |case| only.as_ref().is_none_or(|only| only == case.0))
}

/// A buffer of the device and the memory that the ordinary batch writes to.
struct Pair<T> {
    device: Buffer,
    host: Vec<T>,
}

impl<T: Pod + PartialEq + Debug> Pair<T> {
    fn new(length: usize, poison: T) -> Pair<T> {
        let device = tested_device().upload(&vec![poison; length]).expect("enough memory");
        Pair { device, host: vec![poison; length] }
    }

    fn assert_equal(&self, what: &str) {
        let mut found = self.host.clone();
        self.device.read(0, &mut found).expect("the CPU can always be read");
        let differ = (0..found.len()).find(|&index| found[index] != self.host[index]);
        let differ = differ.map(|index| (index, found[index], self.host[index]));
        assert_eq!(differ, None, "{what}: an index, what the kernels wrote there, and the batch");
    }
}

/// All outputs of a step, in one format of masks and observations each.
struct Arrays {
    form: usize,
    f32s: [Pair<f32>; 3],
    i32s: [Pair<i32>; 5],
    flags: [Pair<u8>; 5],
    mask: Pair<u8>,
    bytes: Pair<u8>,
    halves: Pair<u16>,
    floats: Pair<f32>,
}

/// The number of combinations of formats that [`Arrays`] has.
const FORMS: usize = 4;

impl Arrays {
    fn new(spec: &Spec, form: usize) -> Arrays {
        let (players, rows) = (spec.players, num_games() * spec.mask_rows());
        let layout = &spec.observation;
        let wide = |wanted: usize| if form == wanted { rows * layout.values() } else { 0 };
        let mask = match form {
            0 => rows * spec.mask_bytes(),
            1 => rows * spec.actions,
            _ => 0,
        };
        let indices = if form == 2 { rows * spec.max_legal } else { 0 };
        let bytes = if form == 0 { rows * layout.packed_bytes() } else { wide(1) };
        Arrays {
            form,
            f32s: [num_games() * players, num_games() * players, rows * layout.scalars]
                .map(|length| Pair::new(length, 9.0)),
            i32s: [
                num_games(),
                num_games(),
                num_games(),
                if form == 2 { rows } else { 0 },
                indices,
            ]
            .map(|length| Pair::new(length, 99)),
            flags: [
                num_games() * players,
                num_games() * players,
                num_games(),
                num_games(),
                num_games(),
            ]
            .map(|length| Pair::new(length, 7)),
            mask: Pair::new(mask, 9),
            bytes: Pair::new(bytes, 9),
            halves: Pair::new(wide(2), 9),
            floats: Pair::new(wide(3), 9.0),
        }
    }

    fn device(&self) -> Outputs {
        let [rewards, scores, scalars] = &self.f32s;
        let [winner, ending, current_player, counts, indices] = &self.i32s;
        let [alive, order_refused, terminated, truncated, move_valid] = &self.flags;
        let address = |buffer: &Buffer| buffer.address();
        let (format, values) = match self.form {
            0 => (Format::Packed, &self.bytes.device),
            1 => (Format::U8, &self.bytes.device),
            2 => (Format::F16, &self.halves.device),
            _ => (Format::F32, &self.floats.device),
        };
        Outputs {
            report: ReportArrays {
                rewards: rewards.device.of(),
                scores: scores.device.of(),
                alive: alive.device.of(),
                order_refused: order_refused.device.of(),
                terminated: terminated.device.of(),
                truncated: truncated.device.of(),
                winner: winner.device.of(),
                ending: ending.device.of(),
                move_valid: move_valid.device.of(),
                current_player: current_player.device.of(),
            },
            mask: match self.form {
                0 => Mask::Packed(address(&self.mask.device)),
                1 => Mask::Bool(address(&self.mask.device)),
                2 => Mask::Sparse {
                    counts: address(&counts.device),
                    indices: address(&indices.device),
                },
                _ => Mask::None,
            },
            observation: Observation {
                format,
                values: address(values),
                scalars: address(&scalars.device),
            },
        }
    }

    /// Calls `write` with the memory of the ordinary batch, then compares.
    fn compare(&mut self, spec: &Spec, what: &str, write: impl FnOnce(HostOutputs<'_>)) {
        let (players, views, layout) = (spec.players, spec.mask_rows(), &spec.observation);
        let mut bools = vec![false; if self.form == 1 { self.mask.host.len() } else { 0 }];
        let mut halves = vec![f16::ZERO; self.halves.host.len()];
        let mut flags = self.flags.each_ref().map(|pair| vec![false; pair.host.len()]);
        let Arrays { form, f32s, i32s, mask, bytes, floats, .. } = self;
        let [rewards, scores, scalars] = f32s.each_mut().map(|pair| &mut pair.host[..]);
        let [winner, ending, current_player, counts, indices] =
            i32s.each_mut().map(|pair| &mut pair.host[..]);
        let [alive, order_refused, terminated, truncated, move_valid] =
            flags.each_mut().map(|flags| &mut flags[..]);
        let values = views * layout.values();
        write(HostOutputs {
            mask: match form {
                0 => MaskRows::Packed(Rows::new(&mut mask.host, views * spec.mask_bytes())),
                1 => MaskRows::Bool(Rows::new(&mut bools, views * spec.actions)),
                2 => MaskRows::Sparse {
                    counts: Rows::new(counts, views),
                    indices: Rows::new(indices, views * spec.max_legal),
                },
                _ => MaskRows::None,
            },
            observation: ObservationRows {
                values: match form {
                    0 => {
                        ValueRows::Packed(Rows::new(&mut bytes.host, views * layout.packed_bytes()))
                    }
                    1 => ValueRows::Bytes(Rows::new(&mut bytes.host, values)),
                    2 => ValueRows::Half(Rows::new(&mut halves, values)),
                    _ => ValueRows::Float(Rows::new(&mut floats.host, values)),
                },
                scalars: Rows::new(scalars, views * layout.scalars),
            },
            rewards: Rows::new(rewards, players),
            scores: Rows::new(scores, players),
            alive: Rows::new(alive, players),
            terminated: Rows::new(terminated, 1),
            truncated: Rows::new(truncated, 1),
            current_player: Rows::new(current_player, 1),
            winner: Rows::new(winner, 1),
            ending: Rows::new(ending, 1),
            move_valid: Rows::new(move_valid, 1),
            order_refused: Rows::new(order_refused, players),
        });
        if self.form == 1 {
            self.mask.host = bools.into_iter().map(u8::from).collect();
        }
        self.halves.host = halves.into_iter().map(f16::to_bits).collect();
        for (pair, flags) in self.flags.iter_mut().zip(flags) {
            pair.host = flags.into_iter().map(u8::from).collect();
        }
        let names = ["rewards", "scores", "scalars"];
        names
            .iter()
            .zip(&self.f32s)
            .for_each(|(name, it)| it.assert_equal(&format!("{what} {name}")));
        let names = ["winner", "ending", "current_player", "counts", "indices"];
        names
            .iter()
            .zip(&self.i32s)
            .for_each(|(name, it)| it.assert_equal(&format!("{what} {name}")));
        let names = ["alive", "order_refused", "terminated", "truncated", "move_valid"];
        names
            .iter()
            .zip(&self.flags)
            .for_each(|(name, it)| it.assert_equal(&format!("{what} {name}")));
        self.mask.assert_equal(&format!("{what} mask"));
        self.bytes.assert_equal(&format!("{what} bytes"));
        self.halves.assert_equal(&format!("{what} halves"));
        self.floats.assert_equal(&format!("{what} floats"));
    }
}

/// The same games on both back ends.
struct Twins {
    device: Box<dyn AnyBatch>,
    host: Box<dyn DescribedBatch>,
    actions: Buffer,
    what: String,
}

impl Twins {
    fn new((name, given, starts): Case, options: Options, seed: u64) -> Twins {
        let mut device = make(tested_device(), name, given, num_games(), options).expect(name);
        let mut host = fourfold_env::make(name, given, num_games(), options).expect(name);
        if !starts.is_empty() {
            device.set_starts(starts).expect("valid positions");
            host.set_starts(starts).expect("valid positions");
        }
        let seeds = Seeds::Shared { seed, first_game: 5 };
        device.reseed(seeds).expect("one seed");
        host.reseed(seeds).expect("one seed");
        // SAFETY: there is no address.
        unsafe { device.reset(0).expect("it can be reset") };
        host.reset(None);
        let rows = num_games() * host.spec().mask_rows();
        let actions = tested_device().alloc(4 * rows).expect("enough memory");
        Twins { device, host, actions, what: format!("{name} {given:?} {options:?}") }
    }

    /// Draws actions on both, which must be the same, and returns them.
    fn sample(&mut self, seed: Option<u64>) -> Vec<i32> {
        let mut expected = vec![0; num_games() * self.host.spec().mask_rows()];
        self.host.sample(seed, &mut expected).expect("the buffer fits");
        // SAFETY: the buffer has room for all actions.
        unsafe { self.device.sample(seed, self.actions.address()).expect("a kernel") };
        let mut found = expected.clone();
        self.actions.read(0, &mut found).expect("the CPU can always be read");
        assert_eq!(found, expected, "{}: sample", self.what);
        expected
    }

    /// Draws actions by random logits on both, which must be the same.
    fn sample_logits(&mut self, seed: Option<u64>, temperature: f32, random: &mut SplitMix64) {
        let spec = self.host.spec();
        let rows = num_games() * spec.mask_rows();
        // From −8 to 8 and unusual ones, or the same ones for several actions.
        let unusual = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, -0.0, 1e-45];
        let few = random.next().is_multiple_of(2);
        let logits: Vec<f32> = (0..rows * spec.actions)
            .map(|_| match random.next() {
                bits if few => unusual[bits as usize % unusual.len()],
                bits if bits.is_multiple_of(50) => unusual[(bits >> 32) as usize % unusual.len()],
                bits => (bits >> 40) as f32 / (1 << 20) as f32 - 8.0,
            })
            .collect();
        let mut expected = vec![0; rows];
        self.host.sample_logits(&logits, temperature, seed, &mut expected).expect("they fit");
        let buffer = tested_device().upload(&logits).expect("enough memory");
        let (from, to) = (buffer.address(), self.actions.address());
        // SAFETY: there are logits and room for all actions.
        unsafe { self.device.sample_logits(from, temperature, seed, to).expect("a kernel") };
        let mut found = expected.clone();
        self.actions.read(0, &mut found).expect("the CPU can always be read");
        assert_eq!(found, expected, "{}: sample_logits", self.what);
    }

    /// Plays actions on both and compares all outputs.
    fn step(&mut self, actions: &[i32], form: usize) {
        let spec = self.host.spec().clone();
        let mut arrays = Arrays::new(&spec, form);
        self.actions.write(0, actions).expect("they fit");
        // SAFETY: the arrays have room for all games.
        unsafe {
            self.device.step(self.actions.address(), &arrays.device()).expect("a kernel");
        }
        self.device.synchronize().expect("legal actions");
        arrays.compare(&spec, &self.what, |out| {
            self.host.step(actions, out).expect("legal actions");
        });
        assert_eq!(self.device.ended_games().expect("no error"), self.host.ended_games());
        self.compare_final_observations(&spec);
        let copy = self.device.to_host().expect("no error");
        assert!(copy.save() == self.host.save(), "{}: saved games differ", self.what);
    }

    fn compare_final_observations(&mut self, spec: &Spec) {
        let games = self.host.ended_games();
        let (views, layout) = (spec.mask_rows(), &spec.observation);
        if games.is_empty() || self.host.options().autoreset != Autoreset::SameStep {
            return;
        }
        let mut values = Pair::new(games.len() * views * layout.values(), 9.0);
        let mut scalars = Pair::new(games.len() * views * layout.scalars, 9.0);
        let out = Observation {
            format: Format::F32,
            values: values.device.address(),
            scalars: scalars.device.address(),
        };
        // SAFETY: the buffers have room for these games.
        unsafe { self.device.final_observations(&games, out).expect("a kernel") };
        let rows = ObservationRows {
            values: ValueRows::Float(Rows::new(&mut values.host, views * layout.values())),
            scalars: Rows::new(&mut scalars.host, views * layout.scalars),
        };
        self.host.final_observations(rows).expect("the buffers fit");
        values.assert_equal(&format!("{} final observation", self.what));
        scalars.assert_equal(&format!("{} final scalars", self.what));
    }

    fn show(&mut self, form: usize) {
        let spec = self.host.spec().clone();
        let mut arrays = Arrays::new(&spec, form);
        // SAFETY: the arrays have room for all games.
        unsafe { self.device.write_outputs(&arrays.device()).expect("a kernel") };
        let what = format!("{} shown", self.what);
        arrays.compare(&spec, &what, |out| self.host.write_outputs(out).expect("they fit"));
    }
}

const AUTORESETS: [Autoreset; 3] = Autoreset::ALL;

#[test]
fn every_game_and_option_equals_the_ordinary_batch() {
    let steps = quick_or_full(60, 2000);
    for (index, case) in cases().enumerate() {
        let autoreset = AUTORESETS[index % 3];
        let options = Options { autoreset, illegal: None, threads: 1 };
        let mut twins = Twins::new(case, options, index as u64);
        twins.show(index % FORMS);
        for step in 0..steps {
            let actions = twins.sample((step % 7 == 0).then_some(step));
            twins.step(&actions, (index + step as usize) % FORMS);
        }
        twins.show((index + 1) % FORMS);
    }
}

#[test]
fn logits_draw_the_same_actions() {
    let mut random = SplitMix64::new(6);
    for (index, case) in cases().enumerate() {
        let options = Options { autoreset: AUTORESETS[index % 3], illegal: None, threads: 1 };
        let mut twins = Twins::new(case, options, 7);
        for step in 0..quick_or_full(12, 200) {
            let temperature =
                [1.0, 0.3, 5.0, 0.0, f32::MIN_POSITIVE, f32::MAX][step as usize / 2 % 6];
            // Logits of many actions take long to make, so only every third step has them.
            if step % 3 == 0 {
                twins.sample_logits(None, temperature, &mut random);
                twins.sample_logits(Some(step), temperature / 2.0, &mut random);
            }
            let actions = twins.sample(None);
            twins.step(&actions, 0);
        }
        // SAFETY: nothing is read or written.
        let refused = unsafe { twins.device.sample_logits(0, -1.0, None, 0) };
        assert!(matches!(refused, Err(CudaError::Step(StepError::Temperature { .. }))));
    }
}

#[test]
fn illegal_actions_lose_or_are_ignored() {
    let mut random = SplitMix64::new(1);
    for (index, case) in cases().enumerate() {
        for illegal in [Illegal::Lose, Illegal::Ignore] {
            let autoreset = AUTORESETS[(index + 1) % 3];
            let options = Options { autoreset, illegal: Some(illegal), threads: 1 };
            let mut twins = Twins::new(case, options, 1);
            for step in 0..quick_or_full(20, 300) {
                let mut actions = twins.sample(None);
                for action in &mut actions {
                    if random.next().is_multiple_of(5) {
                        *action = (random.next() % 40_000) as i32 - 3;
                    }
                }
                twins.step(&actions, (index + step as usize) % FORMS);
            }
        }
    }
}

#[test]
fn finished_games_start_again_as_they_should() {
    // Short games, so that many of them end.
    let short: [Case; 3] = [
        ("chess", &[("max_steps", "3")], &["8/P6k/8/8/8/8/6Kp/8 w - - 0 1"]),
        ("blokus_duo", &[("size", "3")], &[]),
        ("kung_fu", &[("max_ticks", "9")], &[]),
    ];
    for case in short {
        for autoreset in AUTORESETS {
            let options = Options { autoreset, illegal: None, threads: 1 };
            let mut twins = Twins::new(case, options, 3);
            for step in 0..25 {
                let actions = twins.sample(None);
                twins.step(&actions, step % FORMS);
            }
        }
    }
}

#[test]
fn an_illegal_action_is_an_error_and_changes_nothing() {
    for case in cases().step_by(5) {
        let options = Options::default();
        let mut twins = Twins::new(case, options, 2);
        let mut actions = twins.sample(None);
        let rows = twins.host.spec().mask_rows();
        actions[7 * rows] = -5;
        actions[9 * rows] = 1 << 20;
        let before = twins.device.to_host().expect("no error").save();
        twins.actions.write(0, &actions).expect("they fit");
        let outputs = Outputs::NONE;
        // SAFETY: the actions are those of all games.
        unsafe { twins.device.step(twins.actions.address(), &outputs).expect("a kernel") };
        let expected =
            twins.host.step(&actions, HostOutputs::none()).expect_err("an illegal action");
        let found = twins.device.synchronize().expect_err("an illegal action");
        assert_eq!(found, CudaError::Step(expected));
        assert!(twins.device.to_host().expect("no error").save() == before);
        // The error was reported, and the games go on.
        let actions = twins.sample(None);
        twins.step(&actions, 0);
    }
}

#[test]
fn players_see_the_same_from_every_side() {
    for case in cases() {
        let mut twins = Twins::new(case, Options::default(), 4);
        for _ in 0..8 {
            let actions = twins.sample(None);
            twins.step(&actions, 3);
        }
        let spec = twins.host.spec().clone();
        let layout = &spec.observation;
        for player in 0..spec.players {
            let mut pair = Pair::new(num_games() * layout.values(), 9.0f32);
            let (format, values) = (Format::F32, pair.device.address());
            let out = Observation { format, values, scalars: 0 };
            // SAFETY: the buffer has room for all games.
            unsafe { twins.device.observe(Some(player), out).expect("a kernel") };
            let values = ValueRows::Float(Rows::new(&mut pair.host, layout.values()));
            let rows = ObservationRows { values, ..ObservationRows::default() };
            twins.host.observe(Some(player), rows).expect("the buffer fits");
            pair.assert_equal(&format!("{} player {player}", twins.what));
        }
        let none = Observation::NONE;
        // SAFETY: there is no address.
        let refused = unsafe { twins.device.observe(Some(9), none) };
        assert!(matches!(refused, Err(CudaError::Step(StepError::Player { player: 9, .. }))));
    }
}

#[test]
fn games_move_between_the_back_ends() {
    for case in cases() {
        let mut twins = Twins::new(case, Options::default(), 5);
        for _ in 0..10 {
            let actions = twins.sample(None);
            twins.step(&actions, 0);
        }
        let few = twins.device.games_to_host(&[4, 1]).expect("no error");
        assert!(few.save() == twins.host.gather(&[4, 1]).expect("they exist").save());
        assert!(twins.device.games_to_host(&[num_games()]).is_err());
        let mut other = Twins::new(case, Options::default(), 6);
        other.device.load_host(&*twins.host).expect("the same kind");
        other.host = twins.host.duplicate().expect("enough memory");
        let actions = other.sample(None);
        other.step(&actions, 3);
    }
}
