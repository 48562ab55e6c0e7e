//! Why something could not be done on a GPU.

use fourfold_env::{MakeError, StepError};
use thiserror::Error;

/// Why something could not be done on a GPU.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum CudaError {
    /// The driver is not installed.
    #[error(
        "no CUDA driver: libcuda.so.1 was not found; install the NVIDIA driver, or use device=\"cpu\""
    )]
    NoDriver,
    /// There is no such device.
    #[error("no CUDA device {index}: the driver has {count}")]
    NoDevice {
        /// The index of the device.
        index: usize,
        /// The number of devices.
        count: usize,
    },
    /// The device does not have enough memory.
    #[error(
        "out of memory on the GPU: {:.2} GB requested, {:.2} of {:.2} GB free",
        gb(*requested), gb(*free), gb(*total)
    )]
    OutOfMemory {
        /// Bytes requested.
        requested: usize,
        /// Bytes that were free.
        free: usize,
        /// Bytes of the device.
        total: usize,
    },
    /// The driver refused a call.
    #[error("{call} failed: {message}")]
    Driver {
        /// The call.
        call: &'static str,
        /// What the driver says.
        message: String,
    },
    /// An action of an earlier step is not legal. No game has changed since.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The environment could not be made.
    #[error(transparent)]
    Make(#[from] MakeError),
}

fn gb(bytes: usize) -> f64 {
    bytes as f64 / 1e9
}
