//! Batches of games on GPUs, and their memory.

mod batch;
mod dlpack;
mod memory;

pub(crate) use batch::{CudaBatch, CudaBuffers};
pub(crate) use dlpack::Tensor;
pub(crate) use memory::{Device, DeviceBuffer};
use pyo3::prelude::*;

/// Returns the architectures for which the GPU kernels are already compiled, such as 90 for compute capability
/// 9.0; the driver compiles them for others on their first use.
#[pyfunction]
pub(crate) fn cuda_architectures() -> Vec<u32> {
    fourfold_cuda::compiled_architectures()
}
