//! Batches of games in the memory of an NVIDIA GPU, with the same results as
//! [`fourfold_env::Batch`]. Nothing but the driver needs to be installed.
//!
//! A [`Batch`] runs the kernels of `fourfold-kernels` on a [`Device`]. [`Device::Cpu`] runs them
//! on the CPU, one thread after another: slow, but the same code, so that tests need no GPU.

mod batch;
mod device;
mod driver;
mod error;
mod launcher;
mod make;
mod modules;
mod outputs;
mod rows;

pub use batch::{AnyBatch, Batch};
pub use device::{Buffer, Device};
pub use error::CudaError;
pub use fourfold_kernels::{Address, ReportArrays};
pub use make::{make, make_rows};
pub use modules::compiled_architectures;
pub use outputs::{Format, Mask, Observation, Outputs};
pub use rows::{AnyRowGames, GivenMasks, RowCall, RowGames, RowOutputs};
