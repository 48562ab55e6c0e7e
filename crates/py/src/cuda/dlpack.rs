//! Passes arrays to and from other packages by [DLPack], without copying them.
//!
//! [DLPack]: https://dmlc.github.io/dlpack/latest/c_api.html
#![allow(unsafe_code, reason = "the structures are shared with C by raw pointers")]

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use fourfold_cuda::Buffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;

/// Capsules have this name until they are consumed.
const NAME: &std::ffi::CStr = c"dltensor";
const USED: &std::ffi::CStr = c"used_dltensor";

/// A signed integer, in the codes of DLPack.
const INTEGER: u8 = 0;
/// A floating-point number.
const FLOAT: u8 = 2;

// The layouts below are fixed by the specification.

/// A device.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DLDevice {
    kind: i32,
    index: i32,
}

impl DLDevice {
    pub(super) const CPU: DLDevice = DLDevice { kind: 1, index: 0 };

    pub(super) const fn cuda(index: i32) -> DLDevice {
        DLDevice { kind: 2, index }
    }

    pub(super) const fn numbers(self) -> (i32, i32) {
        (self.kind, self.index)
    }
}

#[repr(C)]
struct DLTensor {
    data: *mut c_void,
    device: DLDevice,
    dimensions: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct DLManagedTensor {
    tensor: DLTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut DLManagedTensor)>,
}

/// The data owned by an exported tensor.
struct Parts {
    _memory: Arc<Buffer>,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

/// Offset in bytes, shape, strides, and code and number of bits of an element.
pub(super) type Layout = (usize, Vec<i64>, Vec<i64>, (u8, u8));

/// Returns a capsule of an array in the memory of a device. The memory lives until the consumer
/// calls the deleter, or the capsule is freed unused.
pub(super) fn export<'py>(
    py: Python<'py>,
    memory: &Arc<Buffer>,
    device: DLDevice,
    (offset, shape, strides, (code, bits)): Layout,
) -> PyResult<Bound<'py, PyAny>> {
    let data = (memory.address() + offset as u64) as *mut c_void;
    let mut parts = Box::new(Parts { _memory: Arc::clone(memory), shape, strides });
    let tensor = DLTensor {
        data,
        device,
        dimensions: parts.shape.len() as i32,
        code,
        bits,
        lanes: 1,
        shape: parts.shape.as_mut_ptr(),
        strides: parts.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let context = Box::into_raw(parts).cast();
    let managed = Box::into_raw(Box::new(DLManagedTensor { tensor, context, deleter: Some(free) }));
    // SAFETY: the name is static, and the destructor frees what the capsule points to.
    unsafe {
        let capsule = ffi::PyCapsule_New(managed.cast(), NAME.as_ptr(), Some(free_unused));
        if capsule.is_null() {
            free(managed);
        }
        Bound::from_owned_ptr_or_err(py, capsule)
    }
}

/// # Safety
/// `managed` must have been made by [`export`], and must not be used afterward.
unsafe extern "C" fn free(managed: *mut DLManagedTensor) {
    // SAFETY: guaranteed by the caller; `context` is a boxed `Parts`.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.context.cast::<Parts>()));
    }
}

/// Frees the tensor of a capsule that nobody has consumed.
///
/// # Safety
/// `capsule` must have been made by [`export`].
unsafe extern "C" fn free_unused(capsule: *mut ffi::PyObject) {
    // SAFETY: a capsule that was consumed has another name.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) == 1 {
            free(ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast());
        }
    }
}

/// An array of another package, which keeps it until this object is dropped.
#[pyclass(module = "fourfold._core", frozen)]
pub(crate) struct Tensor {
    managed: NonNull<DLManagedTensor>,
}

// SAFETY: it is only read, and DLPack allows its deleter to be called by any thread.
unsafe impl Send for Tensor {}
// SAFETY: as above.
unsafe impl Sync for Tensor {}

#[pymethods]
impl Tensor {
    /// Consumes a capsule that `__dlpack__` has returned.
    #[new]
    fn new(capsule: &Bound<'_, PyAny>) -> PyResult<Tensor> {
        // SAFETY: a capsule of this name points to a `DLManagedTensor`. Whoever renames it owns that.
        unsafe {
            if ffi::PyCapsule_IsValid(capsule.as_ptr(), NAME.as_ptr()) != 1 {
                return Err(PyTypeError::new_err("expected a DLPack capsule that is not used yet"));
            }
            let pointer = ffi::PyCapsule_GetPointer(capsule.as_ptr(), NAME.as_ptr());
            let managed = NonNull::new(pointer.cast::<DLManagedTensor>())
                .ok_or_else(|| PyTypeError::new_err("the DLPack capsule is empty"))?;
            if ffi::PyCapsule_SetName(capsule.as_ptr(), USED.as_ptr()) != 0 {
                return Err(PyErr::fetch(capsule.py()));
            }
            Ok(Tensor { managed })
        }
    }
}

impl Tensor {
    /// Returns the address of actions: `count` signed 32-bit integers.
    ///
    /// # Errors
    /// As for [`Tensor::address`].
    pub(super) fn integers(&self, device: DLDevice, count: usize) -> PyResult<u64> {
        self.address("actions", device, count, (INTEGER, "int32"))
    }

    /// Returns the address of logits: `count` 32-bit floats.
    ///
    /// # Errors
    /// As for [`Tensor::address`].
    pub(super) fn floats(&self, device: DLDevice, count: usize) -> PyResult<u64> {
        self.address("logits", device, count, (FLOAT, "float32"))
    }

    /// Returns the address of `count` values of 32 bits, whose type has a code and a name.
    ///
    /// # Errors
    /// Returns an error if the array is on another device, has another type or size, or is not
    /// contiguous.
    fn address(
        &self,
        what: &str,
        device: DLDevice,
        count: usize,
        (wanted_code, name): (u8, &str),
    ) -> PyResult<u64> {
        // SAFETY: the producer keeps the structure until the deleter is called.
        let tensor = unsafe { &self.managed.as_ref().tensor };
        if tensor.device != device {
            let ((kind, index), (wanted, wanted_index)) =
                (tensor.device.numbers(), device.numbers());
            return Err(PyValueError::new_err(format!(
                "expected {what} on the DLPack device ({wanted}, {wanted_index}), got ({kind}, {index})"
            )));
        }
        let (code, bits, lanes) = (tensor.code, tensor.bits, tensor.lanes);
        if (code, bits, lanes) != (wanted_code, 32, 1) {
            return Err(PyTypeError::new_err(format!(
                "expected {what} to be {name}, got the DLPack type code {code} with {bits} bits"
            )));
        }
        let dimensions = tensor.dimensions.max(0) as usize;
        let shape = slice(tensor.shape, dimensions);
        let found: i64 = shape.iter().product();
        if found != count as i64 {
            return Err(PyValueError::new_err(format!("expected {count} {what}, got {found}")));
        }
        if !tensor.strides.is_null() && !is_contiguous(shape, slice(tensor.strides, dimensions)) {
            return Err(PyValueError::new_err(format!(
                "expected {what} to be contiguous in memory"
            )));
        }
        let address = tensor.data as u64 + tensor.byte_offset;
        if !address.is_multiple_of(4) {
            return Err(PyValueError::new_err(format!("expected {what} to be aligned in memory")));
        }
        Ok(address)
    }
}

impl Drop for Tensor {
    fn drop(&mut self) {
        // SAFETY: the deleter is called once, by the owner.
        unsafe {
            if let Some(deleter) = self.managed.as_ref().deleter {
                deleter(self.managed.as_ptr());
            }
        }
    }
}

/// Returns the numbers at a pointer of a tensor.
fn slice<'a>(pointer: *const i64, count: usize) -> &'a [i64] {
    let pointer = if count == 0 { ptr::dangling() } else { pointer };
    // SAFETY: a tensor has a size and a stride for each of its dimensions.
    unsafe { std::slice::from_raw_parts(pointer, count) }
}

fn is_contiguous(shape: &[i64], strides: &[i64]) -> bool {
    let mut expected = 1;
    for (&count, &stride) in shape.iter().zip(strides).rev() {
        if count > 1 && stride != expected {
            return false;
        }
        expected *= count;
    }
    true
}
