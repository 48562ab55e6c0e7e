//! Where a batch lives: a GPU, or the CPU in its place.
#![allow(unsafe_code, reason = "memory by address, shared with kernels")]

use std::sync::Arc;

use bytemuck::Pod;
use fourfold_kernels::{Address, Grid, Kernel};

use crate::driver::Gpu;
use crate::error::CudaError;

/// A device that runs kernels.
#[derive(Clone)]
pub enum Device {
    /// The CPU, which runs the threads of kernels one after another.
    Cpu,
    /// A GPU.
    Cuda(Arc<Gpu>),
}

impl Device {
    /// Returns a GPU by its index.
    ///
    /// # Errors
    /// Returns an error if there is no driver or no such device.
    pub fn cuda(index: usize) -> Result<Device, CudaError> {
        Ok(Device::Cuda(Gpu::open(index)?))
    }

    /// Returns the index of the GPU, or `None` for the CPU.
    pub fn index(&self) -> Option<usize> {
        match self {
            Device::Cpu => None,
            Device::Cuda(gpu) => Some(gpu.index),
        }
    }

    /// Allocates memory, filled with zeros.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub fn alloc(&self, bytes: usize) -> Result<Buffer, CudaError> {
        // Kernels may write up to 15 bytes behind the last row of a mask.
        let bytes = bytes.next_multiple_of(256).max(256);
        let place = match self {
            Device::Cpu => Storage::Cpu(vec![[0; 32]; bytes / 256].into_boxed_slice()),
            Device::Cuda(gpu) => Storage::Cuda { address: gpu.alloc(bytes)?, gpu: gpu.clone() },
        };
        Ok(Buffer { storage: place, bytes })
    }

    /// Allocates memory for values and copies them there.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub fn upload<T: Pod>(&self, values: &[T]) -> Result<Buffer, CudaError> {
        let buffer = self.alloc(size_of_val(values))?;
        buffer.write(0, values)?;
        Ok(buffer)
    }

    /// Runs a kernel.
    ///
    /// # Safety
    /// The addresses in its arguments must be those of buffers that are large enough and live until
    /// the kernel has run.
    pub(crate) unsafe fn launch<K: Kernel>(
        &self,
        module: &'static str,
        kernel: &K,
        grid: Grid,
    ) -> Result<(), CudaError> {
        // SAFETY: the caller promises it.
        unsafe { self.launch_on(0, module, kernel, grid) }
    }

    /// Runs a kernel on a stream of the GPU; 0 is the default one.
    ///
    /// # Safety
    /// As for [`Device::launch`]. The stream must be one of this device.
    pub(crate) unsafe fn launch_on<K: Kernel>(
        &self,
        stream: u64,
        module: &'static str,
        kernel: &K,
        grid: Grid,
    ) -> Result<(), CudaError> {
        if grid.blocks == 0 {
            return Ok(());
        }
        match self {
            Device::Cpu => {
                // Aligned as on a GPU.
                let mut shared = vec![0u128; grid.shared_words.div_ceil(4)];
                let shared = &mut bytemuck::cast_slice_mut(&mut shared)[..grid.shared_words];
                // SAFETY: the caller promises it.
                unsafe { kernel.run_on_cpu(grid.blocks, grid.threads, shared) };
                Ok(())
            }
            // SAFETY: the caller promises it.
            Device::Cuda(gpu) => unsafe { gpu.launch(stream, module, kernel, grid) },
        }
    }

    /// Returns the number of multiprocessors.
    pub(crate) fn multiprocessors(&self) -> usize {
        match self {
            Device::Cpu => 1,
            Device::Cuda(gpu) => gpu.multiprocessors,
        }
    }

    /// Returns the exponent of two of the number of threads for each game where only one of them works: small
    /// batches are spread over all warps that run at the same time.
    pub(crate) fn spread(&self, games: usize) -> u32 {
        // Measured on an H200: beyond this number for each multiprocessor, more warps do not help.
        const WARPS: usize = 32;
        let threads = self.multiprocessors() * WARPS * 32;
        (threads / games.max(1)).clamp(1, 32).ilog2()
    }

    /// Waits until all kernels have run.
    ///
    /// # Errors
    /// Returns an error if a kernel failed.
    pub fn synchronize(&self) -> Result<(), CudaError> {
        match self {
            Device::Cpu => Ok(()),
            // SAFETY: the default stream always exists.
            Device::Cuda(gpu) => unsafe { gpu.synchronize(0) },
        }
    }
}

/// Memory and streams of others.
impl Device {
    /// Returns the GPU that has the memory at an address.
    ///
    /// # Errors
    /// Returns an error if the driver does not know the address.
    ///
    /// # Safety
    /// There must be a driver that was initialized.
    pub unsafe fn of_address(address: u64) -> Result<Device, CudaError> {
        // SAFETY: the caller promises it.
        Device::cuda(unsafe { Gpu::index_of(address)? })
    }

    /// Copies memory on a stream.
    ///
    /// # Errors
    /// Returns an error if the copy failed.
    ///
    /// # Safety
    /// Both addresses must have so many bytes, which do not overlap, and the stream must be one of this device.
    pub unsafe fn copy(
        &self,
        stream: u64,
        from: u64,
        to: u64,
        bytes: usize,
    ) -> Result<(), CudaError> {
        // SAFETY: the caller promises it.
        unsafe {
            match self {
                Device::Cpu => {
                    (to as *mut u8).copy_from_nonoverlapping(from as *const u8, bytes);
                    Ok(())
                }
                Device::Cuda(gpu) => gpu.copy(stream, from, to, bytes),
            }
        }
    }

    /// Waits for a stream, and copies memory to the host.
    ///
    /// # Errors
    /// Returns an error if the copy, or a kernel before it, failed.
    ///
    /// # Safety
    /// The address must have so many bytes, and the stream must be one of this device.
    pub unsafe fn read(
        &self,
        stream: u64,
        address: u64,
        bytes: &mut [u8],
    ) -> Result<(), CudaError> {
        // SAFETY: the caller promises it.
        unsafe {
            match self {
                Device::Cpu => {
                    let from = address as *const u8;
                    bytes.as_mut_ptr().copy_from_nonoverlapping(from, bytes.len());
                    Ok(())
                }
                Device::Cuda(gpu) => {
                    gpu.synchronize(stream)?;
                    gpu.read(address, bytes)
                }
            }
        }
    }

    /// Copies memory from the host.
    ///
    /// # Errors
    /// Returns an error if the copy failed.
    ///
    /// # Safety
    /// The address must have so many bytes, which nothing uses at the same time.
    pub unsafe fn write(&self, address: u64, bytes: &[u8]) -> Result<(), CudaError> {
        match self {
            Device::Cpu => {
                // SAFETY: the caller promises it.
                unsafe {
                    (address as *mut u8).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
                }
                Ok(())
            }
            Device::Cuda(gpu) => gpu.write(address, bytes),
        }
    }
}

/// Memory of a device, freed when dropped.
pub struct Buffer {
    storage: Storage,
    bytes: usize,
}

enum Storage {
    Cpu(Box<[[u64; 32]]>),
    Cuda { address: u64, gpu: Arc<Gpu> },
}

impl Buffer {
    /// Returns the address in the memory of the device.
    pub fn address(&self) -> u64 {
        match &self.storage {
            Storage::Cpu(memory) => memory.as_ptr() as u64,
            Storage::Cuda { address, .. } => *address,
        }
    }

    /// Returns the address as that of values of a type.
    pub fn of<T>(&self) -> Address<T> {
        Address::new(self.address())
    }

    /// Returns the size in bytes.
    pub const fn len(&self) -> usize {
        self.bytes
    }

    /// Returns whether the size is 0.
    pub const fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Copies values into the buffer, from the value with index `first` on.
    ///
    /// # Errors
    /// Returns an error if the copy failed.
    ///
    /// # Panics
    /// Panics if they do not fit.
    pub fn write<T: Pod>(&self, first: usize, values: &[T]) -> Result<(), CudaError> {
        let (start, bytes) = (first * size_of::<T>(), bytemuck::cast_slice(values));
        assert!(start + bytes.len() <= self.bytes, "the values fit into the buffer");
        match &self.storage {
            Storage::Cpu(memory) => {
                let to = memory.as_ptr().cast::<u8>().cast_mut();
                // SAFETY: the bytes fit, and on this device nothing runs at the same time.
                unsafe { to.add(start).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
                Ok(())
            }
            Storage::Cuda { address, gpu } => gpu.write(address + start as u64, bytes),
        }
    }

    /// Copies values out of the buffer, from the value with index `first` on.
    ///
    /// # Errors
    /// Returns an error if the copy, or a kernel before it, failed.
    ///
    /// # Panics
    /// Panics if the buffer does not have so many.
    pub fn read<T: Pod>(&self, first: usize, values: &mut [T]) -> Result<(), CudaError> {
        let start = first * size_of::<T>();
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(values);
        assert!(start + bytes.len() <= self.bytes, "the buffer has these values");
        match &self.storage {
            Storage::Cpu(memory) => {
                let from = memory.as_ptr().cast::<u8>();
                // SAFETY: the buffer has these bytes, and nothing runs at the same time.
                unsafe {
                    bytes.as_mut_ptr().copy_from_nonoverlapping(from.add(start), bytes.len())
                };
                Ok(())
            }
            Storage::Cuda { address, gpu } => gpu.read(address + start as u64, bytes),
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Storage::Cuda { address, gpu } = &self.storage {
            gpu.free(*address);
        }
    }
}
