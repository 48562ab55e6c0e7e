//! Launches of the kernels that batches and rows have in common.
#![allow(unsafe_code, reason = "launches of kernels with addresses")]

use fourfold_env::{DeviceGame, Spec};
use fourfold_kernels::launch::{WriteBoolMasks, WritePackedMasks, WriteSparseMasks};
use fourfold_kernels::{
    Address, BlockLayout, Finish, Grid, Kernel, MaskOutputs, Memory, ReportArrays, Shape,
    ValueFormat, WriteObservations, shown_scalars,
};
use half::{bf16, f16};

use crate::device::{Buffer, Device};
use crate::error::CudaError;
use crate::outputs::{Format, Mask, Observation};

/// The most threads that write the mask of one row with one byte per action.
const BOOL_THREADS: usize = 64;
/// Threads that write the sparse mask of one row.
const SPARSE_THREADS: usize = 64;

/// What all launches for some games have in common.
pub(crate) struct Launcher<'a, G, const ROWS: bool> {
    pub(crate) device: &'a Device,
    /// The name of the module that has the kernels.
    pub(crate) module: &'static str,
    /// The stream of the GPU; 0 is the default one.
    pub(crate) stream: u64,
    pub(crate) memory: Memory<G, ROWS>,
    pub(crate) spec: &'a Spec,
    /// Where the values of observations come from, by [`fourfold_kernels::sources`].
    pub(crate) sources: Address<u32>,
}

impl<G: DeviceGame, const ROWS: bool> Launcher<'_, G, ROWS> {
    /// # Safety
    /// As for [`Device::launch_on`].
    pub(crate) unsafe fn launch<K: Kernel>(&self, kernel: &K, grid: Grid) -> Result<(), CudaError> {
        // SAFETY: the caller promises it.
        unsafe { self.device.launch_on(self.stream, self.module, kernel, grid) }
    }

    /// Finds the legal actions and the status of all games, and writes the masks.
    pub(crate) unsafe fn finish(
        &self,
        report: ReportArrays,
        mask: Mask,
        refresh: bool,
    ) -> Result<(), CudaError> {
        let sizes = &self.memory.sizes;
        let games_per_block =
            Finish::<G, ROWS>::games_per_block(sizes, self.device.multiprocessors());
        let rows_per_block = games_per_block * sizes.rows as usize;
        let masks = match mask {
            Mask::Packed(out) if MaskOutputs::fits::<G>(rows_per_block, self.spec.mask_bytes()) => {
                MaskOutputs { packed: Address::new(out), ..MaskOutputs::NONE }
            }
            Mask::Bool(out) if MaskOutputs::fits::<G>(rows_per_block, self.spec.actions) => {
                MaskOutputs { bools: Address::new(out), ..MaskOutputs::NONE }
            }
            _ => MaskOutputs::NONE,
        };
        let kernel = Finish {
            memory: self.memory,
            report,
            masks,
            layout: BlockLayout::new(sizes, games_per_block),
            refresh: refresh.into(),
        };
        let grid = Grid {
            blocks: (self.memory.sizes.games as usize).div_ceil(games_per_block),
            threads: Finish::<G, ROWS>::threads(sizes, games_per_block),
            shared_words: Finish::<G, ROWS>::shared_words(sizes, games_per_block),
        };
        // SAFETY: the caller promises it.
        unsafe {
            self.launch(&kernel, grid)?;
            if masks.writes() { Ok(()) } else { self.write_masks(mask) }
        }
    }

    pub(crate) unsafe fn write_masks(&self, mask: Mask) -> Result<(), CudaError> {
        let (memory, sizes) = (self.memory, &self.memory.sizes);
        let (rows, actions) = (sizes.all_rows(), sizes.actions as usize);
        // SAFETY: the caller promises it.
        unsafe {
            match mask {
                Mask::None => Ok(()),
                Mask::Packed(out) => {
                    let kernel = WritePackedMasks { memory, out: Address::new(out) };
                    let words = (rows * actions.div_ceil(8)).div_ceil(4);
                    self.launch(&kernel, Grid::of(words))
                }
                Mask::Bool(out) => {
                    let kernel = WriteBoolMasks { memory, out: Address::new(out) };
                    let threads = actions.div_ceil(16).next_multiple_of(32).min(BOOL_THREADS);
                    let grid = Grid { blocks: rows, threads, shared_words: 0 };
                    self.launch(&kernel, grid)
                }
                Mask::Sparse { counts, indices } => {
                    let (counts, indices) = (Address::new(counts), Address::new(indices));
                    let kernel = WriteSparseMasks { memory, counts, indices };
                    let threads = SPARSE_THREADS;
                    let grid = Grid { blocks: rows, threads, shared_words: threads };
                    self.launch(&kernel, grid)
                }
            }
        }
    }

    /// Writes observations of games, or of rows that are stored.
    pub(crate) unsafe fn write_observations(
        &self,
        player: Option<usize>,
        stored: Option<(&Buffer, usize)>,
        out: Observation,
    ) -> Result<(), CudaError> {
        // SAFETY: the caller promises it.
        unsafe {
            match out.format {
                Format::Packed | Format::U8 => self.observe_as::<u8>(player, stored, out),
                Format::F16 => self.observe_as::<f16>(player, stored, out),
                Format::Bf16 => self.observe_as::<bf16>(player, stored, out),
                Format::F32 => self.observe_as::<f32>(player, stored, out),
            }
        }
    }

    unsafe fn observe_as<T: ValueFormat>(
        &self,
        player: Option<usize>,
        stored: Option<(&Buffer, usize)>,
        out: Observation,
    ) -> Result<(), CudaError> {
        if out.values == 0 && out.scalars == 0 {
            return Ok(());
        }
        let (layout, sizes) = (&self.spec.observation, &self.memory.sizes);
        let rows = match (stored, player) {
            (Some((_, rows)), _) => rows,
            (None, Some(_)) => self.memory.sizes.games as usize,
            (None, None) => sizes.all_rows(),
        };
        let shown = shown_scalars(layout);
        let per_block = WriteObservations::<G, T, ROWS>::rows_per_block(
            sizes,
            shown.len(),
            rows,
            self.device.multiprocessors(),
        );
        let kernel = WriteObservations::<G, T, ROWS> {
            memory: self.memory,
            shape: Shape {
                rows: rows as u32,
                rows_per_block: per_block as u32,
                parts_at_once: (WriteObservations::<G, T, ROWS>::THREADS / per_block) as u32,
                values: layout.values() as u32,
                channels: layout.channels.len() as u32,
                packed: (out.format == Format::Packed).into(),
                first_shown: shown.start as u32,
                shown: shown.len() as u32,
            },
            player: player.map_or(-1, |player| player as i32),
            stored: stored.is_some().into(),
            sources: self.sources,
            stored_rows: stored.map_or(Address::NONE, |(rows, _)| rows.of()),
            values: Address::new(out.values),
            scalars: Address::new(out.scalars),
        };
        let grid = Grid {
            blocks: rows.div_ceil(per_block),
            threads: WriteObservations::<G, T, ROWS>::THREADS,
            shared_words: per_block
                * WriteObservations::<G, T, ROWS>::row_words(sizes, shown.len()),
        };
        // SAFETY: the caller promises it for the outputs; the rest is this batch's.
        unsafe { self.launch(&kernel, grid) }
    }
}
