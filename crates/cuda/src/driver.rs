//! The CUDA driver: devices, memory, modules and launches.
//!
//! Everything runs on the default stream, in order, together with the work of PyTorch and others who
//! use that stream.
#![allow(unsafe_code, reason = "calls of the CUDA driver")]

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use cudarc::driver::{DriverError, result, sys};
use fourfold_kernels::{Grid, Kernel};

use crate::error::CudaError;
use crate::modules::module;

/// The stack of a thread. Rules call a few functions with large local variables.
const STACK_BYTES: usize = 16 * 1024;

/// A GPU, with the modules that were loaded so far.
pub struct Gpu {
    /// Its index among the GPUs of this machine.
    pub(crate) index: usize,
    device: sys::CUdevice,
    context: sys::CUcontext,
    pub(crate) multiprocessors: usize,
    /// The compute capability, such as 90 for 9.0.
    architecture: u32,
    functions: Mutex<HashMap<(&'static str, &'static str), Function>>,
    modules: Mutex<HashMap<&'static str, Module>>,
}

#[derive(Clone, Copy)]
struct Function(sys::CUfunction);

#[derive(Clone, Copy)]
struct Module(sys::CUmodule);

// SAFETY: handles of the driver may be used from any thread.
unsafe impl Send for Gpu {}
// SAFETY: as above; the maps are locked.
unsafe impl Sync for Gpu {}
// SAFETY: as above.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Send for Module {}

/// Turns an error of the driver into one that says which call it was.
fn failed(call: &'static str) -> impl Fn(DriverError) -> CudaError {
    move |error| {
        let text = error.error_string().ok().and_then(|text| text.to_str().ok());
        CudaError::Driver {
            call,
            message: text.map_or_else(|| format!("{error:?}"), str::to_owned),
        }
    }
}

impl Gpu {
    /// Returns a device. All batches of a process share it.
    pub(crate) fn open(index: usize) -> Result<Arc<Gpu>, CudaError> {
        static OPEN: Mutex<Vec<(usize, Weak<Gpu>)>> = Mutex::new(Vec::new());
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(_, gpu)| gpu.strong_count() > 0);
        let found = open.iter().find(|(other, _)| *other == index);
        if let Some(gpu) = found.and_then(|(_, gpu)| gpu.upgrade()) {
            return Ok(gpu);
        }
        let gpu = Arc::new(Gpu::new(index)?);
        open.push((index, Arc::downgrade(&gpu)));
        Ok(gpu)
    }

    fn new(index: usize) -> Result<Gpu, CudaError> {
        // SAFETY: only looks for the library.
        if !unsafe { sys::is_culib_present() } {
            return Err(CudaError::NoDriver);
        }
        let none = |_| CudaError::NoDevice { index, count: 0 };
        result::init().map_err(none)?;
        let count = result::device::get_count().map_err(none)? as usize;
        if index >= count {
            return Err(CudaError::NoDevice { index, count });
        }
        let device = result::device::get(index as i32).map_err(failed("cuDeviceGet"))?;
        let attribute = |attribute| {
            // SAFETY: the device exists.
            unsafe { result::device::get_attribute(device, attribute) }
                .map_err(failed("cuDeviceGetAttribute"))
        };
        use sys::CUdevice_attribute as Attribute;
        let multiprocessors = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let major = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        // SAFETY: the primary context is the one that PyTorch and JAX use. It is released on drop.
        let context = unsafe { result::primary_ctx::retain(device) }
            .map_err(failed("cuDevicePrimaryCtxRetain"))?;
        let gpu = Gpu {
            index,
            device,
            context,
            multiprocessors: multiprocessors as usize,
            architecture: (10 * major + minor) as u32,
            functions: Mutex::default(),
            modules: Mutex::default(),
        };
        gpu.enter()?;
        let limit = sys::CUlimit::CU_LIMIT_STACK_SIZE;
        let now = result::ctx::get_limit(limit).map_err(failed("cuCtxGetLimit"))?;
        if now < STACK_BYTES {
            result::ctx::set_limit(limit, STACK_BYTES).map_err(failed("cuCtxSetLimit"))?;
        }
        Ok(gpu)
    }

    /// Makes the device the current one of this thread.
    fn enter(&self) -> Result<(), CudaError> {
        // SAFETY: the context lives as long as this object.
        unsafe { result::ctx::set_current(self.context) }.map_err(failed("cuCtxSetCurrent"))
    }

    pub(crate) fn alloc(&self, bytes: usize) -> Result<u64, CudaError> {
        self.enter()?;
        // SAFETY: the memory is set before it is used.
        match unsafe { result::malloc_sync(bytes) } {
            Ok(address) => {
                // SAFETY: the memory was just allocated.
                unsafe { result::memset_d8_async(address, 0, bytes, result::stream::null()) }
                    .map_err(failed("cuMemsetD8Async"))?;
                Ok(address)
            }
            Err(error) if error.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                let (free, total) = result::mem_get_info().unwrap_or((0, 0));
                Err(CudaError::OutOfMemory { requested: bytes, free, total })
            }
            Err(error) => Err(failed("cuMemAlloc")(error)),
        }
    }

    pub(crate) fn free(&self, address: u64) {
        if self.enter().is_ok() {
            // An error cannot be reported here; the context may already be gone.
            // SAFETY: the address came from `alloc`, and is freed once.
            let _ = unsafe { result::free_sync(address) };
        }
    }

    pub(crate) fn write(&self, address: u64, bytes: &[u8]) -> Result<(), CudaError> {
        self.enter()?;
        // SAFETY: the caller has checked the length.
        unsafe { result::memcpy_htod_sync(address, bytes) }.map_err(failed("cuMemcpyHtoD"))
    }

    pub(crate) fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), CudaError> {
        self.enter()?;
        // SAFETY: the caller has checked the length.
        unsafe { result::memcpy_dtoh_sync(bytes, address) }.map_err(failed("cuMemcpyDtoH"))
    }

    /// Waits for a stream; 0 is the default one.
    ///
    /// # Safety
    /// The stream must exist.
    pub(crate) unsafe fn synchronize(&self, stream: u64) -> Result<(), CudaError> {
        self.enter()?;
        // SAFETY: the caller promises it.
        unsafe { result::stream::synchronize(stream as sys::CUstream) }
            .map_err(failed("cuStreamSynchronize"))
    }

    /// Copies memory of the device on a stream.
    ///
    /// # Safety
    /// Both addresses must have so many bytes, and the stream must exist.
    pub(crate) unsafe fn copy(
        &self,
        stream: u64,
        from: u64,
        to: u64,
        bytes: usize,
    ) -> Result<(), CudaError> {
        self.enter()?;
        // SAFETY: the caller promises it.
        unsafe { result::memcpy_dtod_async(to, from, bytes, stream as sys::CUstream) }
            .map_err(failed("cuMemcpyDtoDAsync"))
    }

    /// Returns the index of the GPU that has this memory.
    ///
    /// # Safety
    /// There must be a driver, and the address must be one of CUDA.
    pub(crate) unsafe fn index_of(address: u64) -> Result<usize, CudaError> {
        let mut index = 0i32;
        let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
        // SAFETY: the attribute is an integer; the caller promises the rest.
        unsafe { sys::cuPointerGetAttribute((&raw mut index).cast(), attribute, address) }
            .result()
            .map_err(failed("cuPointerGetAttribute"))?;
        Ok(index.max(0) as usize)
    }

    /// Launches a kernel.
    ///
    /// # Safety
    /// As for `Device::launch`.
    pub(crate) unsafe fn launch<K: Kernel>(
        &self,
        stream: u64,
        game: &'static str,
        kernel: &K,
        grid: Grid,
    ) -> Result<(), CudaError> {
        self.enter()?;
        let function = self.function(game, K::NAME)?;
        let mut arguments = *kernel;
        let mut parameters = [(&raw mut arguments).cast::<c_void>()];
        let (blocks, threads) = ((grid.blocks as u32, 1, 1), (grid.threads as u32, 1, 1));
        let bytes = 4 * grid.shared_words as u32;
        let stream = stream as sys::CUstream;
        // SAFETY: the function has one parameter of this type; the caller promises the rest.
        unsafe {
            result::launch_kernel(function.0, blocks, threads, bytes, stream, &mut parameters)
        }
        .map_err(failed("cuLaunchKernel"))
    }

    fn function(&self, game: &'static str, name: &'static str) -> Result<Function, CudaError> {
        let mut functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(function) = functions.get(&(game, name)) {
            return Ok(*function);
        }
        let module = self.module(game)?;
        let text = CString::new(name).unwrap_or_default();
        // SAFETY: the module is loaded.
        let function = unsafe { result::module::get_function(module.0, text) }
            .map_err(failed("cuModuleGetFunction"))?;
        let attribute =
            sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function exists.
        unsafe { result::function::set_function_attribute(function, attribute, 96 * 1024) }
            .map_err(failed("cuFuncSetAttribute"))?;
        functions.insert((game, name), Function(function));
        Ok(Function(function))
    }

    fn module(&self, game: &'static str) -> Result<Module, CudaError> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = modules.get(game) {
            return Ok(*module);
        }
        let image = module(game, self.architecture);
        // SAFETY: the image is a binary, or a text that ends with a zero byte.
        let module = unsafe { result::module::load_data(image.as_ptr().cast()) }
            .map_err(failed("cuModuleLoadData"))?;
        modules.insert(game, Module(module));
        Ok(Module(module))
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: retained in `new`.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}
