//! Batches of games on GPUs, and their memory.

mod batch;
mod dlpack;
mod memory;

pub(crate) use batch::{CudaBatch, CudaBuffers};
pub(crate) use dlpack::Tensor;
pub(crate) use memory::{Device, DeviceBuffer};
