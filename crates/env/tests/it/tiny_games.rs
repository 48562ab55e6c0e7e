//! Games whose observations have no planes, no scalars, or neither.

use std::fmt;

use bytemuck::{Pod, Zeroable};
use fourfold_common::cpu::Cpu;
use fourfold_env::{
    Action, ActionSink, AnyBatch, Batch, Channel, Describe, Game, Layout, MAX_PLAYERS, MaskRows,
    ObservationRows, Options, Outputs, PlayerSet, Rows, Spec, Stage, Status, ValueRows,
    conformance,
};
use half::f16;

/// The number of counters at the start.
const COUNTERS: u32 = 11;

/// Players take one to three counters in turn. The player who takes the last one wins.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
struct Counters {
    left: u32,
    turn: u32,
}

/// Observed as a row of squares with one counter each, as a number, or not at all.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(transparent)]
struct Nim<const PLANES: usize, const SCALARS: usize>(Counters);

#[derive(Clone)]
struct Rules;

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no options")
    }
}

impl<const PLANES: usize, const SCALARS: usize> Game for Nim<PLANES, SCALARS> {
    type Rules = Rules;
    const NAME: &'static str = "nim";
    const VERSION: u32 = 1;

    fn spec(_: &Rules) -> Spec {
        let planes = (0..PLANES).map(Channel::Plane);
        let observation = Layout {
            height: 1,
            width: COUNTERS as usize,
            channels: planes.chain((0..SCALARS).map(Channel::Scalar)).collect(),
            planes: PLANES,
            scalars: SCALARS,
            scalar_array: None,
        };
        let endings = &["no counters left"];
        Spec { players: 2, actions: 3, max_legal: 3, simultaneous: false, observation, endings }
    }

    fn start(_: &Rules) -> Self {
        Nim(Counters { left: COUNTERS, turn: 0 })
    }

    fn is_valid(&self, _: &Rules) -> bool {
        self.0.left <= COUNTERS && self.0.turn < 2
    }

    fn acting(&self) -> PlayerSet {
        PlayerSet::one(self.0.turn as usize)
    }

    fn legal<C: Cpu>(&self, _: C, _: &Rules, _: usize, list: &mut impl ActionSink) {
        (0..self.0.left.min(3)).for_each(|action| list.push(action));
    }

    fn apply(&mut self, _: &Rules, actions: &[Action]) {
        self.0 = Counters { left: self.0.left - actions[0].0 - 1, turn: 1 - self.0.turn };
    }

    fn status(&self, _: &Rules, _: bool) -> Status {
        if self.0.left > 0 {
            return Status::ONGOING;
        }
        let winner = 1 - self.0.turn as usize;
        let mut rewards = [0.0; MAX_PLAYERS];
        (rewards[winner], rewards[1 - winner]) = (1.0, -1.0);
        let winner = Some(winner as u8);
        Status { stage: Stage::Terminated, rewards, winner, ending: Some(0), ..Status::ONGOING }
    }

    fn observe(&self, _: &Rules, _: usize, planes: &mut [u8], scalars: &mut [f32]) {
        let bits = ((1_u32 << self.0.left) - 1).to_le_bytes();
        planes.chunks_exact_mut(2).for_each(|plane| plane.copy_from_slice(&bits[..2]));
        scalars.fill(self.0.left as f32);
    }

    fn absolute(_: &Rules, _: usize, action: Action) -> Action {
        action
    }

    fn relative(_: &Rules, _: usize, action: Action) -> Action {
        action
    }
}

impl<const PLANES: usize, const SCALARS: usize> Describe for Nim<PLANES, SCALARS> {
    fn parse(rules: &Rules, text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<u32>> = text.split(' ').map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[left, turn]) if Self(Counters { left, turn }).is_valid(rules) => {
                Ok(Nim(Counters { left, turn }))
            }
            _ => Err(format!("expected the counters and the player, got '{text}'")),
        }
    }

    fn text(&self) -> String {
        format!("{} {}", self.0.left, self.0.turn)
    }

    fn write_action(&self, _: &Rules, _: usize, action: Action) -> Option<String> {
        (action.0 < self.0.left).then(|| (action.0 + 1).to_string())
    }

    fn read_action(&self, _: &Rules, _: usize, text: &str) -> Result<Action, String> {
        let taken = text.parse().ok().filter(|taken| (1..=self.0.left.min(3)).contains(taken));
        taken.map(|taken| Action(taken - 1)).ok_or_else(|| format!("'{text}' is not legal"))
    }
}

#[derive(Clone, Copy, Debug)]
enum Format {
    None,
    Packed,
    Bytes,
    Half,
    Float,
}

const FORMATS: [Format; 5] =
    [Format::None, Format::Packed, Format::Bytes, Format::Half, Format::Float];

/// Buffers for one of the formats.
#[derive(Default)]
struct Buffers {
    bytes: Vec<u8>,
    halves: Vec<f16>,
    floats: Vec<f32>,
    scalars: Vec<f32>,
}

impl Buffers {
    fn rows(&mut self, format: Format, layout: &Layout, games: usize) -> ObservationRows<'_> {
        let (packed, values) = (layout.packed_bytes(), layout.values());
        *self = Buffers::default();
        self.scalars = vec![f32::NAN; games * layout.scalars];
        let scalars = Rows::new(&mut self.scalars, layout.scalars);
        let values = match format {
            Format::None => ValueRows::None,
            Format::Packed => {
                self.bytes = vec![9; games * packed];
                ValueRows::Packed(Rows::new(&mut self.bytes, packed))
            }
            Format::Bytes => {
                self.bytes = vec![9; games * values];
                ValueRows::Bytes(Rows::new(&mut self.bytes, values))
            }
            Format::Half => {
                self.halves = vec![f16::NAN; games * values];
                ValueRows::Half(Rows::new(&mut self.halves, values))
            }
            Format::Float => {
                self.floats = vec![f32::NAN; games * values];
                ValueRows::Float(Rows::new(&mut self.floats, values))
            }
        };
        ObservationRows { values, scalars }
    }

    /// Checks the observations of games with these numbers of counters.
    fn check(&self, format: Format, layout: &Layout, left: &[u32]) {
        let (planes, numbers) = (layout.planes, layout.scalars);
        if !matches!(format, Format::None) {
            let expected = left.iter().flat_map(|&left| vec![left as f32; numbers]);
            assert!(expected.eq(self.scalars.iter().copied()), "{format:?}");
        }
        let mut floats = Vec::new();
        for &left in left {
            for square in 0..COUNTERS {
                floats.extend(vec![f32::from(u8::from(square < left)); planes]);
                floats.extend(vec![left as f32; numbers]);
            }
        }
        match format {
            Format::None => {}
            Format::Packed => {
                let plane = |left: u32| ((1_u32 << left) - 1).to_le_bytes()[..2].repeat(planes);
                assert_eq!(
                    self.bytes,
                    left.iter().flat_map(|&left| plane(left)).collect::<Vec<_>>()
                );
            }
            Format::Bytes => {
                // Scalars are not shown as bytes.
                let channels = planes + numbers;
                let shown = |(index, &value): (usize, &f32)| {
                    if index % channels < planes { value as u8 } else { 0 }
                };
                assert!(floats.iter().enumerate().map(shown).eq(self.bytes.iter().copied()));
            }
            Format::Half => {
                assert!(self.halves.iter().copied().map(f32::from).eq(floats));
            }
            Format::Float => assert_eq!(self.floats, floats),
        }
    }
}

fn check<const PLANES: usize, const SCALARS: usize>() {
    conformance::<Nim<PLANES, SCALARS>>(&Rules, 1);
    for (threads, format) in
        [1, 3].into_iter().flat_map(|threads| FORMATS.map(|format| (threads, format)))
    {
        let games = 64 * threads + 3;
        let options = Options { threads, ..Options::default() };
        let mut batch = Batch::<Nim<PLANES, SCALARS>>::new(Rules, games, options);
        let layout = batch.spec().observation.clone();
        let mut actions = vec![0; games];
        let mut buffers = Buffers::default();
        let mut mask = vec![0; games];
        for _ in 0..20 {
            batch.sample(None, &mut actions).expect("one action for each game");
            let out = Outputs {
                observation: buffers.rows(format, &layout, games),
                mask: MaskRows::Packed(Rows::new(&mut mask, 1)),
                ..Outputs::none()
            };
            let ended = batch.step(&actions, out).expect("sampled actions are legal");
            let left: Vec<u32> = batch.states().map(|state| state.0.left).collect();
            buffers.check(format, &layout, &left);
            assert!(mask.iter().zip(&left).all(|(&mask, &left)| mask == (1 << left.min(3)) - 1));
            let out = buffers.rows(format, &layout, ended);
            batch.final_observations(out).expect("the buffers fit");
            buffers.check(format, &layout, &vec![0; ended]);
            let out = buffers.rows(format, &layout, games);
            batch.observe(Some(1), out).expect("the buffers fit");
            buffers.check(format, &layout, &left);
        }
    }
}

#[test]
fn observations_need_no_planes() {
    check::<0, 1>();
    check::<0, 3>();
}

#[test]
fn observations_need_no_scalars() {
    check::<1, 0>();
    check::<2, 0>();
}

#[test]
fn observations_may_be_empty() {
    check::<0, 0>();
}

#[test]
fn many_planes_and_scalars_are_possible() {
    check::<300, 400>();
}

#[test]
#[should_panic(expected = "not a multiple of the width")]
fn rows_of_width_0_hold_nothing() {
    Rows::new(&mut [0], 0);
}
