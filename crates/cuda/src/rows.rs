//! Games that the caller keeps as rows of bytes in the memory of a device, as
//! [`fourfold_env::AnyRowGames`] has them on the CPU.
#![allow(unsafe_code, reason = "launches of kernels with addresses of the caller")]

use fourfold_env::{AnyBatch as _, Batch as HostBatch, Describe, DeviceGame, Options, Spec};
use fourfold_kernels::launch::Begin;
use fourfold_kernels::rows::{CheckRows, MaskArrays, Start};
use fourfold_kernels::{Address, Grid, Memory, NO_ILLEGAL_ACTION, SampleMasks, Sizes, sources};

use crate::device::{Buffer, Device};
use crate::error::CudaError;
use crate::launcher::Launcher;
use crate::outputs::{Mask, Observation, Outputs};

/// Games of one kind, with rules and options but without states.
pub struct RowGames<G: DeviceGame + Describe> {
    device: Device,
    module: &'static str,
    /// A batch without games, for the rules and options.
    host: HostBatch<G>,
    rules: [u32; 8],
    default_start: Buffer,
    starts: Buffer,
    sources: Buffer,
    first_illegal: Buffer,
}

/// Where a call runs, and how many games it has.
pub struct RowCall<'a> {
    /// The stream of the GPU; 0 is the default one.
    pub stream: u64,
    /// The number of games.
    pub games: usize,
    /// Allocates memory that lives until all kernels of the call have run.
    pub scratch: &'a mut dyn FnMut(usize) -> Result<u64, CudaError>,
}

/// Where a call writes its outputs.
#[derive(Clone, Copy, Debug)]
pub struct RowOutputs {
    /// Everything except the numbers of steps.
    pub outputs: Outputs,
    /// The number of steps of each game.
    pub steps: u64,
    /// The number of slots of a sparse mask.
    pub slots: usize,
}

/// Masks that an earlier call wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GivenMasks {
    /// Their format and addresses.
    pub mask: Mask,
    /// The number of slots of a sparse mask.
    pub slots: usize,
}

/// What can be done with games in rows, whatever the game. Addresses are those of the device.
pub trait AnyRowGames: Send + Sync {
    /// Returns the sizes of the game.
    fn spec(&self) -> &Spec;

    /// Returns the size of a row in bytes.
    fn row_bytes(&self) -> usize;

    /// Starts a game in each row, with seeds of two halves each, the higher one first.
    ///
    /// # Errors
    /// Returns an error if a kernel could not be launched.
    ///
    /// # Safety
    /// The addresses must have room for all games, and be aligned: rows to 8 bytes, masks and values to 16.
    unsafe fn start(
        &self,
        call: RowCall<'_>,
        seeds: u64,
        rows: u64,
        out: &RowOutputs,
    ) -> Result<(), CudaError>;

    /// Plays an action in each game, in place.
    ///
    /// # Errors
    /// Returns an error if a kernel could not be launched.
    ///
    /// # Safety
    /// As for [`AnyRowGames::start`]. The given masks may be those of the outputs.
    unsafe fn step(
        &self,
        call: RowCall<'_>,
        rows: u64,
        masks: GivenMasks,
        actions: u64,
        out: &RowOutputs,
    ) -> Result<(), CudaError>;

    /// Fills the outputs from the rows, without a step.
    ///
    /// # Errors
    /// Returns an error if a kernel could not be launched.
    ///
    /// # Safety
    /// As for [`AnyRowGames::start`].
    unsafe fn show(&self, call: RowCall<'_>, rows: u64, out: &RowOutputs) -> Result<(), CudaError>;

    /// Writes the observations of a player, or as a step does.
    ///
    /// # Errors
    /// Returns an error if a kernel could not be launched.
    ///
    /// # Safety
    /// As for [`AnyRowGames::start`].
    unsafe fn observe(
        &self,
        call: RowCall<'_>,
        rows: u64,
        player: Option<usize>,
        out: Observation,
    ) -> Result<(), CudaError>;

    /// Draws a legal action by each mask, with random bits of two halves each, the higher one first.
    ///
    /// # Errors
    /// Returns an error if a kernel could not be launched.
    ///
    /// # Safety
    /// As for [`AnyRowGames::start`].
    unsafe fn sample(
        &self,
        call: RowCall<'_>,
        masks: GivenMasks,
        bits: u64,
        out: u64,
    ) -> Result<(), CudaError>;
}

impl<G: DeviceGame + Describe> RowGames<G> {
    /// Creates games with these rules; `module` is the name of their kernels.
    ///
    /// # Errors
    /// Returns an error if a text is not a position, or the device does not have enough memory.
    pub(crate) fn new(
        device: Device,
        module: &'static str,
        rules: G::Rules,
        options: Options,
        starts: &[&str],
    ) -> Result<RowGames<G>, CudaError> {
        let numbers = G::rules_to_numbers(&rules);
        let default_start = device.upload(&[G::start(&rules)])?;
        let mut host = HostBatch::<G>::new(rules, 0, options);
        fourfold_env::DescribedBatch::set_starts(&mut host, starts)?;
        Ok(RowGames {
            starts: device.upload(host.starts())?,
            sources: device.upload(&sources(&host.spec().observation))?,
            first_illegal: device.upload(&[NO_ILLEGAL_ACTION])?,
            default_start,
            rules: numbers,
            host,
            module,
            device,
        })
    }

    /// Returns the sizes of a call.
    fn sizes(&self, games: usize, slots: Option<usize>) -> Sizes {
        let sizes = Sizes::new(self.host.spec(), games, self.host.options());
        Sizes { max_legal: slots.map_or(sizes.max_legal, |slots| slots as u32), ..sizes }
    }

    /// Prepares the launches of a call that changes rows.
    fn launcher(
        &self,
        call: RowCall<'_>,
        rows: u64,
        out: Option<&RowOutputs>,
    ) -> Result<Launcher<'_, G, true>, CudaError> {
        let slots = out.map(|out| out.slots).filter(|&slots| slots > 0);
        let sizes = self.sizes(call.games, slots);
        let count = sizes.all_rows();
        // Only calls that change rows need memory.
        let mut scratch = |bytes| if out.is_some() { (call.scratch)(bytes) } else { Ok(0) };
        let memory = Memory {
            sizes,
            num_starts: self.host.starts().len() as u32,
            rules: self.rules,
            games: Address::new(rows),
            streams: Address::NONE,
            statuses: Address::NONE,
            ended: Address::new(scratch(call.games)?),
            masks: Address::new(scratch(4 * count * sizes.mask_words as usize)?),
            counts: Address::new(scratch(4 * count)?),
            group_counts: Address::NONE,
            starts: self.starts.of(),
            default_start: self.default_start.of(),
            first_illegal: self.first_illegal.of(),
            progress: Address::new(scratch(call.games)?),
            final_planes: Address::new(out.map_or(0, |out| out.steps)),
            final_scalars: Address::NONE,
        };
        Ok(Launcher {
            device: &self.device,
            module: self.module,
            stream: call.stream,
            memory,
            spec: self.host.spec(),
            sources: self.sources.of(),
        })
    }
}

impl<G: DeviceGame + Describe> AnyRowGames for RowGames<G> {
    fn spec(&self) -> &Spec {
        self.host.spec()
    }

    fn row_bytes(&self) -> usize {
        Memory::<G, true>::ROW_BYTES
    }

    unsafe fn start(
        &self,
        call: RowCall<'_>,
        seeds: u64,
        rows: u64,
        out: &RowOutputs,
    ) -> Result<(), CudaError> {
        let games = call.games;
        let launcher = self.launcher(call, rows, Some(out))?;
        let kernel = Start { memory: launcher.memory, seeds: Address::new(seeds) };
        // SAFETY: the caller promises it.
        unsafe {
            launcher.launch(&kernel, Grid::of(games))?;
            launcher.finish(out.outputs.report, out.outputs.mask, true)?;
            launcher.write_observations(None, None, out.outputs.observation)
        }
    }

    unsafe fn step(
        &self,
        call: RowCall<'_>,
        rows: u64,
        masks: GivenMasks,
        actions: u64,
        out: &RowOutputs,
    ) -> Result<(), CudaError> {
        let games = call.games;
        let launcher = self.launcher(call, rows, Some(out))?;
        let (memory, actions) = (launcher.memory, Address::new(actions));
        let spread = self.device.spread(games);
        // SAFETY: the caller promises it.
        unsafe {
            let check = CheckRows { memory, actions, masks: masks.arrays() };
            launcher.launch(&check, Grid::of(games))?;
            launcher.launch(&Begin { memory, actions, spread }, Grid::of(games << spread))?;
            launcher.finish(out.outputs.report, out.outputs.mask, false)?;
            launcher.write_observations(None, None, out.outputs.observation)
        }
    }

    unsafe fn show(&self, call: RowCall<'_>, rows: u64, out: &RowOutputs) -> Result<(), CudaError> {
        let launcher = self.launcher(call, rows, Some(out))?;
        // SAFETY: the caller promises it.
        unsafe {
            launcher.finish(out.outputs.report, out.outputs.mask, true)?;
            launcher.write_observations(None, None, out.outputs.observation)
        }
    }

    unsafe fn observe(
        &self,
        call: RowCall<'_>,
        rows: u64,
        player: Option<usize>,
        out: Observation,
    ) -> Result<(), CudaError> {
        let launcher = self.launcher(call, rows, None)?;
        // SAFETY: the caller promises it.
        unsafe { launcher.write_observations(player, None, out) }
    }

    unsafe fn sample(
        &self,
        call: RowCall<'_>,
        masks: GivenMasks,
        bits: u64,
        out: u64,
    ) -> Result<(), CudaError> {
        let kernel = SampleMasks {
            sizes: self.sizes(call.games, None),
            masks: masks.arrays(),
            bits: Address::new(bits),
            out: Address::new(out),
        };
        // SAFETY: the caller promises it.
        unsafe { self.device.launch_on(call.stream, self.module, &kernel, kernel.grid()) }
    }
}

impl GivenMasks {
    fn arrays(self) -> MaskArrays {
        let none = MaskArrays {
            format: MaskArrays::NONE,
            slots: self.slots as u32,
            bytes: Address::NONE,
            counts: Address::NONE,
            indices: Address::NONE,
        };
        match self.mask {
            Mask::None => none,
            Mask::Packed(bytes) => {
                MaskArrays { format: MaskArrays::PACKED, bytes: Address::new(bytes), ..none }
            }
            Mask::Bool(bytes) => {
                MaskArrays { format: MaskArrays::BOOL, bytes: Address::new(bytes), ..none }
            }
            Mask::Sparse { counts, indices } => MaskArrays {
                format: MaskArrays::SPARSE,
                counts: Address::new(counts),
                indices: Address::new(indices),
                ..none
            },
        }
    }
}
