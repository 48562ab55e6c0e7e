//! The functions that XLA calls for arrays in the memory of a GPU, and the same with arrays in the memory of the CPU, where
//! kernels run one thread after another: slow, but the same code, so that tests need no GPU.
#![allow(unsafe_code, reason = "kernels get the addresses of XLA's arrays")]

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use fourfold_cuda::{
    Address, AnyRowGames, CudaError, Device, Format, GivenMasks, Mask as MaskAddress, Observation,
    Outputs, ReportArrays, RowCall, RowOutputs, make_rows,
};
use half::f16;
use pyo3::prelude::*;

use super::config::{Config, Mask, Observation as ObservationFormat, Parsed};
use super::ffi::{self, Call, Value};

/// The functions for GPUs.
pub(super) mod cuda {
    use super::*;

    ffi::handlers! {
        fourfold_init: |call| on_gpu(call, init),
        fourfold_step: |call| on_gpu(call, step),
        fourfold_show: |call| on_gpu(call, show),
        fourfold_observe: |call| on_gpu(call, observe),
        fourfold_sample: |call| on_gpu(call, sample),
        fourfold_array: |call| on_gpu(call, array),
    }
}

/// The same functions on the CPU.
pub(super) mod emulated {
    use super::*;

    ffi::handlers! {
        fourfold_emulated_init: |call| init(DeviceCall::new(call, Device::Cpu, 0)?),
        fourfold_emulated_step: |call| step(DeviceCall::new(call, Device::Cpu, 0)?),
        fourfold_emulated_show: |call| show(DeviceCall::new(call, Device::Cpu, 0)?),
        fourfold_emulated_observe: |call| observe(DeviceCall::new(call, Device::Cpu, 0)?),
        fourfold_emulated_sample: |call| sample(DeviceCall::new(call, Device::Cpu, 0)?),
        fourfold_emulated_array: |call| array(DeviceCall::new(call, Device::Cpu, 0)?),
    }
}

/// Runs a function on the GPU that has the arrays of a call.
fn on_gpu(
    call: Call<'_>,
    function: fn(DeviceCall<'_>) -> Result<(), String>,
) -> Result<(), String> {
    // The bytes or masks of states, or the seeds of new games.
    let first = call.argument_address::<u8>(0, "states");
    let first = first.or_else(|_| call.argument_address::<i32>(0, "num_legal"));
    let (address, count) = first.or_else(|_| call.argument_address::<u32>(0, "seeds"))?;
    if count == 0 {
        // An empty array has no address.
        return Ok(());
    }
    let stream = call.stream()?;
    // SAFETY: XLA has initialized the driver.
    let device = unsafe { Device::of_address(address) }.map_err(|error| error.to_string())?;
    function(DeviceCall::new(call, device, stream)?)
}

/// A call with its device and its games.
struct DeviceCall<'a> {
    call: Call<'a>,
    device: Device,
    stream: u64,
    config: Arc<Config>,
    games: Arc<dyn AnyRowGames>,
    /// Memory of XLA that is freed after the launches.
    allocated: Vec<(u64, usize)>,
    /// Memory of the CPU in its place, aligned as on a GPU.
    emulated: Vec<Vec<u128>>,
}

impl<'a> DeviceCall<'a> {
    fn new(call: Call<'a>, device: Device, stream: u64) -> Result<DeviceCall<'a>, String> {
        let text = call.text("config")?;
        Ok(DeviceCall {
            config: Config::get(text)?,
            games: games_on(&device, text)?,
            call,
            device,
            stream,
            allocated: Vec::new(),
            emulated: Vec::new(),
        })
    }

    /// Runs a function of the games, which gets where to run.
    fn run(
        &mut self,
        games: usize,
        work: impl FnOnce(&dyn AnyRowGames, RowCall<'_>) -> Result<(), CudaError>,
    ) -> Result<(), String> {
        let DeviceCall { call, device, stream, games: kernels, allocated, emulated, .. } = self;
        let mut failure = None;
        let mut scratch = |bytes: usize| match device {
            Device::Cpu => {
                emulated.push(vec![0; bytes.div_ceil(16) + 1]);
                Ok(emulated.last().map_or(0, |memory| memory.as_ptr() as u64))
            }
            Device::Cuda(_) => {
                // Kernels may write up to 15 bytes behind the last row of a mask.
                let bytes = bytes.next_multiple_of(256).max(256);
                let found = call.allocate(bytes);
                let found = found.map_err(|message| failure = Some(message));
                let address = found.map_err(|()| CudaError::OutOfMemory {
                    requested: bytes,
                    free: 0,
                    total: 0,
                })?;
                allocated.push((address, bytes));
                Ok(address)
            }
        };
        let row_call = RowCall { stream: *stream, games, scratch: &mut scratch };
        let outcome = work(&**kernels, row_call).map_err(|error| error.to_string());
        outcome.map_err(|message| failure.unwrap_or(message))
    }

    /// Copies the first argument to the first result, unless they share their memory. Returns the address of the result,
    /// and the number of games.
    fn copied_rows(&self) -> Result<(u64, usize), String> {
        let (from, count) = self.call.argument_address::<u8>(0, "states")?;
        let (to, room) = self.call.result_address::<u8>(0, "states")?;
        if count != room {
            return Err(format!("expected a result of {count} bytes, got one of {room}"));
        }
        if from != to {
            // SAFETY: both have this many bytes.
            let copied = unsafe { self.device.copy(self.stream, from, to, count) };
            copied.map_err(|error| error.to_string())?;
        }
        Ok((to, self.num_games(count)?))
    }

    fn num_games(&self, bytes: usize) -> Result<usize, String> {
        let each = self.games.row_bytes();
        if bytes.is_multiple_of(each) {
            Ok(bytes / each)
        } else {
            Err(format!("expected states of {each} bytes each, got {bytes} bytes"))
        }
    }

    /// Returns the masks among the arguments, from an index on, how many arguments they are, and the number of masks.
    fn masks(&self, first: usize) -> Result<(GivenMasks, usize, usize), String> {
        let (call, spec) = (&self.call, self.games.spec());
        let name = "legal_action_mask";
        Ok(match self.config.mask {
            Mask::None => (GivenMasks { mask: MaskAddress::None, slots: 0 }, 0, 0),
            Mask::Packed => {
                let (bytes, count) = call.argument_address::<u8>(first, name)?;
                let mask = MaskAddress::Packed(bytes);
                (GivenMasks { mask, slots: 0 }, 1, count / spec.mask_bytes())
            }
            Mask::Bool => {
                let (bytes, count) = call.argument_address::<bool>(first, name)?;
                (GivenMasks { mask: MaskAddress::Bool(bytes), slots: 0 }, 1, count / spec.actions)
            }
            Mask::Sparse => {
                let (counts, count) = call.argument_address::<i32>(first, "num_legal")?;
                let (indices, all) = call.argument_address::<i32>(first + 1, "legal_actions")?;
                let slots = all.checked_div(count).unwrap_or(0);
                (GivenMasks { mask: MaskAddress::Sparse { counts, indices }, slots }, 2, count)
            }
        })
    }

    /// Returns where the outputs of a state go, after its bytes.
    fn outputs(&self, games: usize) -> Result<RowOutputs, String> {
        let spec = self.games.spec();
        let mut next = Next { call: &self.call, index: 1 };
        let (players, rows) = (games * spec.players, games * spec.mask_rows());
        let mut report = ReportArrays {
            rewards: next.array::<f32, _>(players, "rewards")?,
            scores: next.array::<f32, _>(players, "scores")?,
            alive: next.array::<bool, _>(players, "alive")?,
            terminated: next.array::<bool, _>(games, "terminated")?,
            truncated: next.array::<bool, _>(games, "truncated")?,
            current_player: next.array::<i32, _>(games, "current_player")?,
            winner: next.array::<i32, _>(games, "winner")?,
            ending: next.array::<i32, _>(games, "ending")?,
            move_valid: next.array::<bool, _>(games, "move_valid")?,
            order_refused: Address::NONE,
        };
        if spec.simultaneous {
            report.order_refused = next.array::<bool, _>(players, "order_refused")?;
        }
        let steps = next.take::<i32>(games, "_step_count")?;
        let mut slots = 0;
        let mask = match self.config.mask {
            Mask::None => MaskAddress::None,
            Mask::Packed => {
                let bytes = rows * spec.mask_bytes();
                MaskAddress::Packed(next.take::<u8>(bytes, "legal_action_mask")?)
            }
            Mask::Bool => {
                MaskAddress::Bool(next.take::<bool>(rows * spec.actions, "legal_action_mask")?)
            }
            Mask::Sparse => {
                let counts = next.take::<i32>(rows, "num_legal")?;
                let (indices, all) =
                    self.call.result_address::<i32>(next.index, "legal_actions")?;
                next.index += 1;
                slots = all.checked_div(rows).unwrap_or(0);
                MaskAddress::Sparse { counts, indices }
            }
        };
        let observation = self.observation(&mut next, rows)?;
        next.end()?;
        Ok(RowOutputs { outputs: Outputs { report, mask, observation }, steps, slots })
    }

    /// Returns where observations go.
    fn observation(&self, next: &mut Next<'_, '_>, rows: usize) -> Result<Observation, String> {
        let layout = &self.games.spec().observation;
        let (values, packed) = (rows * layout.values(), rows * layout.packed_bytes());
        let name = "observation";
        let (format, values) = match self.config.observation {
            ObservationFormat::None => return Ok(Observation::NONE),
            ObservationFormat::Packed => (Format::Packed, next.take::<u8>(packed, name)?),
            ObservationFormat::Bytes => (Format::U8, next.take::<u8>(values, name)?),
            ObservationFormat::Half => (Format::F16, next.take::<f16>(values, name)?),
            ObservationFormat::Float => (Format::F32, next.take::<f32>(values, name)?),
        };
        let scalars = if self.config.has_scalars() {
            next.take::<f32>(rows * layout.scalars, "scalars")?
        } else {
            0
        };
        Ok(Observation { format, values, scalars })
    }
}

impl Drop for DeviceCall<'_> {
    fn drop(&mut self) {
        for &(address, bytes) in &self.allocated {
            self.call.free(address, bytes);
        }
    }
}

/// Takes results one after another.
struct Next<'c, 'a> {
    call: &'c Call<'a>,
    index: usize,
}

impl Next<'_, '_> {
    /// Returns the address of the next result, which must have so many values.
    fn take<T: Value>(&mut self, expected: usize, name: &str) -> Result<u64, String> {
        let (address, count) = self.call.result_address::<T>(self.index, name)?;
        self.index += 1;
        if count == expected {
            Ok(address)
        } else {
            Err(format!("expected {expected} values of {name}, got {count}"))
        }
    }

    /// The same as the address of values of a type.
    fn array<T: Value, A>(&mut self, expected: usize, name: &str) -> Result<Address<A>, String> {
        self.take::<T>(expected, name).map(Address::new)
    }

    fn end(&self) -> Result<(), String> {
        let (expected, found) = (self.index, self.call.num_results());
        if expected == found {
            Ok(())
        } else {
            Err(format!("expected {expected} results, got {found}"))
        }
    }
}

/// The games in use, by their options and the index of their GPU.
type Made = RwLock<HashMap<(String, Option<usize>), Arc<dyn AnyRowGames>>>;

/// Returns the games with these options on a device.
fn games_on(device: &Device, text: &str) -> Result<Arc<dyn AnyRowGames>, String> {
    static MADE: LazyLock<Made> = LazyLock::new(RwLock::default);
    let key = (text.to_owned(), device.index());
    let made = MADE.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    if let Some(games) = made {
        return Ok(games);
    }
    let Parsed { game, own, options, starts, .. } = Parsed::new(text)?;
    let games = make_rows(device, game, &own, options, &starts);
    let games: Arc<dyn AnyRowGames> = games.map_err(|error| error.to_string())?.into();
    let mut made = MADE.write().unwrap_or_else(PoisonError::into_inner);
    Ok(made.entry(key).or_insert(games).clone())
}

fn init(mut device: DeviceCall<'_>) -> Result<(), String> {
    let (seeds, halves) = device.call.argument_address::<u32>(0, "seeds")?;
    let (rows, bytes) = device.call.result_address::<u8>(0, "states")?;
    let games = device.num_games(bytes)?;
    if halves != 2 * games {
        return Err(format!("expected {} halves of seeds, got {halves}", 2 * games));
    }
    let out = device.outputs(games)?;
    // SAFETY: XLA's arrays have room for all games, as was checked.
    device.run(games, |kernels, call| unsafe { kernels.start(call, seeds, rows, &out) })
}

fn step(mut device: DeviceCall<'_>) -> Result<(), String> {
    let (masks, parts, count) = device.masks(1)?;
    let (actions, given) = device.call.argument_address::<i32>(1 + parts, "actions")?;
    let (rows, games) = device.copied_rows()?;
    let expected = games * device.games.spec().mask_rows();
    if given != expected || parts > 0 && count != expected {
        return Err(format!("expected {expected} masks and actions, got {count} and {given}"));
    }
    let out = device.outputs(games)?;
    // SAFETY: XLA's arrays have room for all games, as was checked.
    device.run(games, |kernels, call| unsafe { kernels.step(call, rows, masks, actions, &out) })
}

fn show(mut device: DeviceCall<'_>) -> Result<(), String> {
    let (rows, games) = device.copied_rows()?;
    let out = device.outputs(games)?;
    // SAFETY: XLA's arrays have room for all games, as was checked.
    device.run(games, |kernels, call| unsafe { kernels.show(call, rows, &out) })
}

fn observe(mut device: DeviceCall<'_>) -> Result<(), String> {
    let player = usize::try_from(device.call.number("player")?).ok();
    let (rows, bytes) = device.call.argument_address::<u8>(0, "states")?;
    let games = device.num_games(bytes)?;
    let spec = device.games.spec();
    if let Some(player) = player.filter(|&player| player >= spec.players) {
        return Err(format!("expected a player from 0 to {}, got {player}", spec.players - 1));
    }
    let views = if player.is_some() { 1 } else { spec.mask_rows() };
    let mut next = Next { call: &device.call, index: 0 };
    let out = device.observation(&mut next, games * views)?;
    next.end()?;
    // SAFETY: XLA's arrays have room for all games, as was checked.
    device.run(games, |kernels, call| unsafe { kernels.observe(call, rows, player, out) })
}

fn sample(mut device: DeviceCall<'_>) -> Result<(), String> {
    let (masks, parts, count) = device.masks(0)?;
    let (bits, halves) = device.call.argument_address::<u32>(parts, "random numbers")?;
    let (out, room) = device.call.result_address::<i32>(0, "actions")?;
    let views = device.games.spec().mask_rows();
    if parts == 0 || halves != 2 * count || room != count || !count.is_multiple_of(views) {
        return Err(format!("expected {count} actions, got {room} and {halves} halves of numbers"));
    }
    // SAFETY: XLA's arrays have room for all games, as was checked.
    device.run(count / views, |kernels, call| unsafe { kernels.sample(call, masks, bits, out) })
}

/// Reads an array that exposes the state, which the CPU does.
fn array(device: DeviceCall<'_>) -> Result<(), String> {
    let name = device.call.text("name")?;
    let (rows, bytes) = device.call.argument_address::<u8>(0, "states")?;
    let (out, count) = device.call.result_address::<i32>(0, name)?;
    let (mut states, mut values) = (vec![0; bytes], vec![0i32; count]);
    // SAFETY: XLA's arrays have this many values, and the call waits for its stream.
    unsafe {
        let read = device.device.read(device.stream, rows, &mut states);
        read.map_err(|error| error.to_string())?;
        let written = device.config.games.array(&states, name, &mut values);
        written.map_err(|error| error.to_string())?;
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
        device.device.write(out, &bytes).map_err(|error| error.to_string())
    }
}
