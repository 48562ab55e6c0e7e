//! Kernels against games in rows on the CPU: every output of every step, and the rows, must be the same.

use bytemuck::Pod;
use fourfold_common::SplitMix64;
use fourfold_cuda::{
    AnyRowGames, Buffer, Format, GivenMasks, Mask, Observation, Outputs, RowCall, RowOutputs,
    make_rows,
};
use fourfold_env::{
    AnyRowGames as HostRowGames, Autoreset, DescribedBatch, Illegal, MaskRows, MaskView,
    ObservationRows, Options, Outputs as HostOutputs, RowOutputs as HostRowOutputs, Rows, Spec,
    ValueRows, make, row_games, sample_masks,
};
use fourfold_kernels::{Address, ReportArrays};
use fourfold_oracle::harness::quick_or_full;
use half::f16;

use super::{cases, num_games, tested_device};

/// Returns how many legal actions sparse masks list: fewer than there often are.
fn slots(spec: &Spec) -> usize {
    spec.max_legal.min(5)
}

/// Values behind each array on the device, which must not change.
const GUARD: usize = 32;

/// An array on both sides.
struct Pair<T> {
    device: Buffer,
    host: Vec<T>,
}

impl<T: Copy + PartialEq> Pair<T> {
    fn new(length: usize, poison: T) -> Pair<T>
    where
        T: Pod,
    {
        let device = tested_device().upload(&vec![poison; length + GUARD]).expect("enough memory");
        Pair { device, host: vec![poison; length] }
    }

    fn address<A>(&self) -> Address<A> {
        Address::new(self.number())
    }

    fn number(&self) -> u64 {
        if self.host.is_empty() { 0 } else { self.device.address() }
    }
}

impl Pair<bool> {
    fn flags(length: usize) -> Pair<bool> {
        let device = tested_device().upload(&vec![7u8; length + GUARD]).expect("enough memory");
        Pair { device, host: vec![false; length] }
    }

    fn assert_equal(&self, what: &str) {
        let mut found = vec![9u8; self.host.len() + GUARD];
        self.device.read(0, &mut found).expect("the device can be read");
        let behind = found.split_off(self.host.len());
        assert_eq!(behind, [7; GUARD], "{what}: behind the array");
        assert!(found.iter().zip(&self.host).all(|(&one, &two)| one == u8::from(two)), "{what}");
    }
}

fn assert_same<T: Pod + PartialEq + std::fmt::Debug>(pair: &Pair<T>, what: &str) {
    let mut found = vec![T::zeroed(); pair.host.len() + GUARD];
    pair.device.read(0, &mut found).expect("the device can be read");
    let behind = found.split_off(pair.host.len());
    assert!(behind.iter().all(|&value| value == behind[GUARD - 1]), "{what}: behind the array");
    let differ = (0..found.len()).find(|&index| found[index] != pair.host[index]);
    let differ = differ.map(|index| (index, found[index], pair.host[index]));
    assert_eq!(differ, None, "{what}: an index, what the kernels wrote there, and the CPU");
}

/// All arrays of a step, in one of four combinations of formats.
struct Arrays {
    form: usize,
    f32s: [Pair<f32>; 3],
    i32s: [Pair<i32>; 6],
    flags: [Pair<bool>; 5],
    packed: Pair<u8>,
    bools: Pair<bool>,
    bytes: Pair<u8>,
    halves: Pair<u16>,
    floats: Pair<f32>,
}

const FORMS: usize = 4;

impl Arrays {
    fn new(spec: &Spec, games: usize, form: usize) -> Arrays {
        let (players, rows) = (spec.players, games * spec.mask_rows());
        let layout = &spec.observation;
        let only = |wanted: usize, length: usize| if form == wanted { rows * length } else { 0 };
        let bytes = only(0, layout.packed_bytes()) + only(2, layout.values());
        Arrays {
            form,
            f32s: [games * players, games * players, rows * layout.scalars]
                .map(|length| Pair::new(length, 9.0)),
            i32s: [games, games, games, games, only(2, 1), only(2, slots(spec))]
                .map(|length| Pair::new(length, 99)),
            flags: [games * players, games * players, games, games, games].map(Pair::flags),
            packed: Pair::new(only(0, spec.mask_bytes()), 0x55),
            bools: Pair::flags(only(1, spec.actions)),
            bytes: Pair::new(bytes, 0x55),
            halves: Pair::new(only(3, layout.values()), 0x55),
            floats: Pair::new(only(1, layout.values()), 5.0),
        }
    }

    fn mask(&self) -> Mask {
        match self.form {
            0 => Mask::Packed(self.packed.number()),
            1 => Mask::Bool(self.bools.number()),
            2 => Mask::Sparse { counts: self.i32s[4].number(), indices: self.i32s[5].number() },
            _ => Mask::None,
        }
    }

    fn observation(&self) -> Observation {
        let (format, values) = match self.form {
            0 => (Format::Packed, self.bytes.number()),
            1 => (Format::F32, self.floats.number()),
            2 => (Format::U8, self.bytes.number()),
            _ => (Format::F16, self.halves.number()),
        };
        Observation { format, values, scalars: self.f32s[2].number() }
    }

    fn device(&self, spec: &Spec) -> RowOutputs {
        let [rewards, scores, _] = &self.f32s;
        let [current_player, winner, ending, steps, ..] = &self.i32s;
        let [alive, refused, terminated, truncated, valid] = &self.flags;
        let refused = if spec.simultaneous { refused.address() } else { Address::NONE };
        let report = ReportArrays {
            rewards: rewards.address(),
            scores: scores.address(),
            alive: alive.address(),
            order_refused: refused,
            terminated: terminated.address(),
            truncated: truncated.address(),
            winner: winner.address(),
            ending: ending.address(),
            move_valid: valid.address(),
            current_player: current_player.address(),
        };
        let outputs = Outputs { report, mask: self.mask(), observation: self.observation() };
        RowOutputs { outputs, steps: steps.number(), slots: slots(spec) }
    }

    fn host(&mut self, spec: &Spec) -> HostRowOutputs<'_> {
        let (players, masks, layout) = (spec.players, spec.mask_rows(), &spec.observation);
        let [rewards, scores, scalars] = &mut self.f32s;
        let [current_player, winner, ending, steps, counts, indices] = &mut self.i32s;
        let [alive, refused, terminated, truncated, valid] = &mut self.flags;
        let mask = match self.form {
            0 => MaskRows::Packed(Rows::new(&mut self.packed.host, masks * spec.mask_bytes())),
            1 => MaskRows::Bool(Rows::new(&mut self.bools.host, masks * spec.actions)),
            2 => MaskRows::Sparse {
                counts: Rows::new(&mut counts.host, masks),
                indices: Rows::new(&mut indices.host, masks * slots(spec)),
            },
            _ => MaskRows::None,
        };
        let values = match self.form {
            0 => ValueRows::Packed(Rows::new(&mut self.bytes.host, masks * layout.packed_bytes())),
            1 => ValueRows::Float(Rows::new(&mut self.floats.host, masks * layout.values())),
            2 => ValueRows::Bytes(Rows::new(&mut self.bytes.host, masks * layout.values())),
            _ => ValueRows::Half(Rows::new(
                bytemuck::cast_slice_mut::<u16, f16>(&mut self.halves.host),
                masks * layout.values(),
            )),
        };
        let scalars = if layout.scalars == 0 {
            Rows::none()
        } else {
            Rows::new(&mut scalars.host, masks * layout.scalars)
        };
        let outputs = HostOutputs {
            mask,
            observation: ObservationRows { values, scalars },
            rewards: Rows::new(&mut rewards.host, players),
            scores: Rows::new(&mut scores.host, players),
            alive: Rows::new(&mut alive.host, players),
            terminated: Rows::new(&mut terminated.host, 1),
            truncated: Rows::new(&mut truncated.host, 1),
            current_player: Rows::new(&mut current_player.host, 1),
            winner: Rows::new(&mut winner.host, 1),
            ending: Rows::new(&mut ending.host, 1),
            move_valid: Rows::new(&mut valid.host, 1),
            order_refused: if spec.simultaneous {
                Rows::new(&mut refused.host, players)
            } else {
                Rows::none()
            },
        };
        HostRowOutputs { steps: Rows::new(&mut steps.host, 1), outputs }
    }

    /// Returns the masks of the CPU, to read them.
    fn view(&self) -> MaskView<'_> {
        match self.form {
            0 => MaskView::Packed(&self.packed.host),
            1 => MaskView::Bytes(bytemuck::cast_slice(&self.bools.host)),
            2 => MaskView::Sparse { counts: &self.i32s[4].host, indices: &self.i32s[5].host },
            _ => MaskView::None,
        }
    }

    fn assert_equal(&self, spec: &Spec, what: &str) {
        let names = ["rewards", "scores", "scalars"];
        for (pair, name) in self.f32s.iter().zip(names) {
            assert_same(pair, &format!("{what}, {name}"));
        }
        let names = ["current_player", "winner", "ending", "steps", "num_legal", "legal_actions"];
        for (pair, name) in self.i32s.iter().zip(names) {
            assert_same(pair, &format!("{what}, {name}"));
        }
        let names = ["alive", "order_refused", "terminated", "truncated", "move_valid"];
        for (pair, name) in self.flags.iter().zip(names) {
            if name != "order_refused" || spec.simultaneous {
                pair.assert_equal(&format!("{what}, {name}"));
            }
        }
        assert_same(&self.packed, &format!("{what}, packed mask"));
        self.bools.assert_equal(&format!("{what}, mask"));
        assert_same(&self.bytes, &format!("{what}, observation"));
        assert_same(&self.halves, &format!("{what}, observation"));
        assert_same(&self.floats, &format!("{what}, observation"));
    }
}

/// Memory that lives until the end of a call.
struct Scratch(Vec<Buffer>);

impl Scratch {
    fn call<T>(&mut self, games: usize, work: impl FnOnce(RowCall<'_>) -> T) -> T {
        let mut scratch = |bytes| {
            // What an earlier call left there must not matter.
            let buffer = tested_device().upload(&vec![0xa5u8; bytes])?;
            let address = buffer.address();
            self.0.push(buffer);
            Ok(address)
        };
        work(RowCall { stream: 0, games, scratch: &mut scratch })
    }
}

struct Sides {
    batch: Box<dyn DescribedBatch>,
    host: Box<dyn HostRowGames>,
    device: Box<dyn AnyRowGames>,
}

/// Compares the rows without values that only save time.
fn assert_same_rows(sides: &Sides, rows: &Pair<u64>, what: &str) {
    let mut found = rows.host.clone();
    rows.device.read(0, &mut found).expect("the device can be read");
    let stored = |rows: &[u64]| {
        let rows: &[u8] = bytemuck::cast_slice(rows);
        let (size, each) = (sides.batch.state_bytes(), sides.host.row_bytes());
        let mut states = vec![0; rows.len() / each * size];
        sides.host.write_states(rows, &mut states).expect("the states fit");
        let tails = rows.chunks_exact(each).flat_map(|row| &row[size..]);
        (states, tails.copied().collect::<Vec<u8>>())
    };
    let (found, expected) = (stored(&found), stored(&rows.host));
    assert!(found.1 == expected.1, "{what}, tails of rows");
    assert!(found.0 == expected.0, "{what}, rows");
}

#[test]
fn rows_are_stepped_like_on_the_cpu() {
    let games = num_games();
    for (number, (name, given, starts)) in cases().enumerate() {
        for form in 0..FORMS {
            let autoreset = Autoreset::ALL[(number + form) % 3];
            let illegal = [Illegal::Lose, Illegal::Ignore][(number + form / 2) % 2];
            let options = Options { illegal: Some(illegal), autoreset, threads: 1 };
            let mut batch = make(name, given, 0, options).expect("a game");
            batch.set_starts(starts).expect("positions");
            let host = row_games(&*batch).expect("a known game");
            let device =
                make_rows(tested_device(), name, given, options, starts).expect("a known game");
            assert_eq!(host.row_bytes(), device.row_bytes());
            let sides = Sides { batch, host, device };
            run(
                &sides,
                games,
                form,
                &format!("{name} {given:?}, {autoreset:?}, {illegal:?}, {form}"),
            );
        }
    }
}

fn run(sides: &Sides, games: usize, form: usize, what: &str) {
    let spec = sides.host.spec();
    let mut random = SplitMix64::new(form as u64);
    let mut scratch = Scratch(Vec::new());
    let mut arrays = Arrays::new(spec, games, form);
    let mut rows = Pair::new(games * sides.host.row_bytes() / 8, 0u64);
    let seeds: Vec<u64> = (0..games).map(|_| random.next()).collect();
    let halves = |numbers: &[u64]| -> Vec<[u32; 2]> {
        numbers.iter().map(|&number| [(number >> 32) as u32, number as u32]).collect()
    };
    let given = tested_device().upload(&halves(&seeds)).expect("enough memory");
    // SAFETY: all buffers have room for all games.
    unsafe {
        let out = arrays.device(spec);
        let start =
            |call: RowCall<'_>| sides.device.start(call, given.address(), rows.number(), &out);
        scratch.call(games, start).expect("it runs");
    }
    let bytes = bytemuck::cast_slice_mut(&mut rows.host);
    sides.host.start(&seeds, bytes, arrays.host(spec)).expect("the buffers fit");
    arrays.assert_equal(spec, &format!("{what}, start"));
    assert_same_rows(sides, &rows, &format!("{what}, start"));
    for step in 0..quick_or_full(24, 300) {
        let what = format!("{what}, step {step}");
        let count = games * spec.mask_rows();
        let mut actions = vec![0; count];
        let bits: Vec<u64> = (0..count).map(|_| random.next()).collect();
        if form < 3 {
            sample_masks(spec, arrays.view(), &bits, &mut actions).expect("they fit");
            let drawn = tested_device().upload(&vec![-7i32; count]).expect("enough memory");
            let given = tested_device().upload(&halves(&bits)).expect("enough memory");
            let masks = GivenMasks { mask: arrays.mask(), slots: slots(spec) };
            // SAFETY: all buffers have room for all games.
            unsafe {
                let sample = |call: RowCall<'_>| {
                    sides.device.sample(call, masks, given.address(), drawn.address())
                };
                scratch.call(games, sample).expect("it runs");
            }
            let mut found = vec![0i32; count];
            drawn.read(0, &mut found).expect("the device can be read");
            assert_eq!(found, actions, "{what}, sampled actions");
        } else {
            actions.iter_mut().zip(&bits).for_each(|(action, bits)| {
                *action = (bits % spec.actions as u64) as i32;
            });
        }
        for action in &mut actions {
            match random.next() % 24 {
                0 => *action = (random.next() % spec.actions as u64) as i32,
                1 => *action = [-1, i32::MAX, spec.actions as i32][random.next() as usize % 3],
                _ => {}
            }
        }
        let given = tested_device().upload(&actions).expect("enough memory");
        let masks = GivenMasks { mask: arrays.mask(), slots: slots(spec) };
        // SAFETY: all buffers have room for all games.
        unsafe {
            let out = arrays.device(spec);
            let step = |call: RowCall<'_>| {
                sides.device.step(call, rows.number(), masks, given.address(), &out)
            };
            scratch.call(games, step).expect("it runs");
        }
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut rows.host);
        let legal = sides.host.are_legal(bytes, arrays.view(), &actions).expect("they fit");
        sides.host.step(bytes, &actions, &legal, arrays.host(spec)).expect("the buffers fit");
        arrays.assert_equal(spec, &what);
        assert_same_rows(sides, &rows, &what);
        if step % 8 == 7 {
            show_and_observe(sides, games, form, &mut rows, &what);
        }
        scratch.0.clear();
    }
}

/// Compares what does not change the rows.
fn show_and_observe(sides: &Sides, games: usize, form: usize, rows: &mut Pair<u64>, what: &str) {
    let spec = sides.host.spec();
    let mut scratch = Scratch(Vec::new());
    let mut shown = Arrays::new(spec, games, form);
    // SAFETY: all buffers have room for all games.
    unsafe {
        let out = shown.device(spec);
        let show = |call: RowCall<'_>| sides.device.show(call, rows.number(), &out);
        scratch.call(games, show).expect("it runs");
    }
    let bytes = bytemuck::cast_slice_mut(&mut rows.host);
    sides.host.show(bytes, shown.host(spec)).expect("the buffers fit");
    shown.assert_equal(spec, &format!("{what}, shown"));
    assert_same_rows(sides, rows, &format!("{what}, shown"));
    let layout = &spec.observation;
    for player in 0..spec.players {
        let mut floats = Pair::new(games * layout.values(), 5.0f32);
        let out = Observation { format: Format::F32, values: floats.number(), scalars: 0 };
        // SAFETY: the buffer has room for all games.
        unsafe {
            let observe =
                |call: RowCall<'_>| sides.device.observe(call, rows.number(), Some(player), out);
            scratch.call(games, observe).expect("it runs");
        }
        let values = ValueRows::Float(Rows::new(&mut floats.host, layout.values()));
        let out = ObservationRows { values, scalars: Rows::none() };
        let bytes: &[u8] = bytemuck::cast_slice(&rows.host);
        sides.host.observe(bytes, Some(player), out).expect("the buffer fits");
        assert_same(&floats, &format!("{what}, observed by {player}"));
    }
}
