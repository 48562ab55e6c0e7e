//! Exports columns through the [Arrow C data interface] and its PyCapsules, without copying them.
//!
//! Implements only what our columns need: no nulls, dictionaries or metadata, and no import. The
//! Arrow crates do the same but take minutes to compile.
//!
//! [Arrow C data interface]: https://arrow.apache.org/docs/format/CDataInterface.html
#![allow(unsafe_code, reason = "the structures are shared with C by raw pointers")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::arrow::Array;

/// The batches of a stream. Each is a struct array with its rows, or the error that ends the
/// stream.
pub(super) type Batches = Box<dyn Iterator<Item = Result<Arc<Array>, String>> + Send>;

/// Returns the names and types of `columns` as the capsule that `__arrow_c_schema__` returns.
pub(super) fn schema_capsule<'py>(
    py: Python<'py>,
    columns: &Array,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, ArrowSchema::new("", columns), c"arrow_schema")
}

/// Returns batches as the capsule that `__arrow_c_stream__` returns. `schema` has their columns.
pub(super) fn stream_capsule(
    py: Python<'_>,
    schema: Arc<Array>,
    batches: Batches,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, ArrowArrayStream::new(schema, batches), c"arrow_array_stream")
}

/// `EINVAL`, which is 22 on Linux, macOS and Windows.
const INVALID: c_int = 22;

// The layouts below are fixed by the specification.

#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArrayStream {
    get_schema: unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int,
    get_next: unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int,
    get_last_error: unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// The data owned by an [`ArrowSchema`].
struct SchemaParts {
    name: CString,
    children: Vec<*mut ArrowSchema>,
}

/// The data owned by an [`ArrowArray`]. A consumer may keep a child and release its parent, so each
/// holds its own reference to the array.
struct ArrayParts {
    _array: Arc<Array>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
}

/// The data owned by an [`ArrowArrayStream`].
struct StreamParts {
    schema: Arc<Array>,
    batches: Batches,
    error: Option<CString>,
}

impl ArrowSchema {
    fn new(name: &str, array: &Array) -> ArrowSchema {
        let child = |name, array| Box::into_raw(Box::new(ArrowSchema::new(name, array)));
        let children = array.children.iter().map(|(name, array)| child(name, array)).collect();
        let mut parts = Box::new(SchemaParts { name: without_nul(name), children });
        ArrowSchema {
            format: array.format.as_ptr(),
            name: parts.name.as_ptr(),
            metadata: ptr::null(),
            flags: 0,
            n_children: parts.children.len() as i64,
            children: parts.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(parts).cast(),
        }
    }
}

impl ArrowArray {
    fn new(array: &Arc<Array>) -> ArrowArray {
        // A null pointer in place of the validity buffer means that no value is null.
        let starts = array.buffers.iter().map(|buffer| buffer.start());
        let buffers = std::iter::once(ptr::null()).chain(starts).collect();
        let child = |array| Box::into_raw(Box::new(ArrowArray::new(array)));
        let children = array.children.iter().map(|(_, array)| child(array)).collect();
        let mut parts = Box::new(ArrayParts { _array: Arc::clone(array), buffers, children });
        ArrowArray {
            length: array.len as i64,
            n_buffers: parts.buffers.len() as i64,
            n_children: parts.children.len() as i64,
            buffers: parts.buffers.as_mut_ptr(),
            children: parts.children.as_mut_ptr(),
            release: Some(release_array),
            private_data: Box::into_raw(parts).cast(),
            ..ArrowArray::end()
        }
    }

    /// Returns a released array, which marks the end of a stream.
    const fn end() -> ArrowArray {
        ArrowArray {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }
}

impl ArrowArrayStream {
    fn new(schema: Arc<Array>, batches: Batches) -> ArrowArrayStream {
        let parts = Box::new(StreamParts { schema, batches, error: None });
        ArrowArrayStream {
            get_schema,
            get_next,
            get_last_error,
            release: Some(release_stream),
            private_data: Box::into_raw(parts).cast(),
        }
    }
}

// A consumer moves a structure by copying it and clearing `release` in the original.

macro_rules! release_on_drop {
    ($($structure:ty),+) => {$(
        impl Drop for $structure {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: this crate made the structure, and it has not been released because
                    // `release` is set.
                    unsafe { release(self) }
                }
            }
        }
    )+};
}

release_on_drop!(ArrowSchema, ArrowArray, ArrowArrayStream);

// SAFETY: it owns the data it points to, which is `Send`.
unsafe impl Send for ArrowSchema {}
// SAFETY: it owns the data it points to, and `StreamParts` is `Send`.
unsafe impl Send for ArrowArrayStream {}

/// # Safety
/// `schema` must have been made by [`ArrowSchema::new`] and must not have been released.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: guaranteed by the caller; `private_data` is a boxed `SchemaParts`.
    let parts = unsafe { Box::from_raw((*schema).private_data.cast::<SchemaParts>()) };
    for child in parts.children {
        // SAFETY: children are boxed, and dropping one that was moved away does nothing.
        drop(unsafe { Box::from_raw(child) });
    }
    // SAFETY: as above.
    unsafe { (*schema).release = None };
}

/// # Safety
/// `array` must have been made by [`ArrowArray::new`] and must not have been released.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: guaranteed by the caller; `private_data` is a boxed `ArrayParts`.
    let parts = unsafe { Box::from_raw((*array).private_data.cast::<ArrayParts>()) };
    for child in parts.children {
        // SAFETY: children are boxed, and dropping one that was moved away does nothing.
        drop(unsafe { Box::from_raw(child) });
    }
    // SAFETY: as above.
    unsafe { (*array).release = None };
}

/// # Safety
/// `stream` must have been made by [`ArrowArrayStream::new`] and must not have been released.
unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: guaranteed by the caller; `private_data` is a boxed `StreamParts`.
    drop(unsafe { Box::from_raw((*stream).private_data.cast::<StreamParts>()) });
    // SAFETY: as above.
    unsafe { (*stream).release = None };
}

/// # Safety
/// `stream` must have been made by [`ArrowArrayStream::new`] and must not have been released. `out`
/// must be valid for writes.
unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: guaranteed by the caller.
    let parts = unsafe { &*(*stream).private_data.cast::<StreamParts>() };
    // SAFETY: guaranteed by the caller.
    unsafe { out.write(ArrowSchema::new("", &parts.schema)) };
    0
}

/// # Safety
/// `stream` must have been made by [`ArrowArrayStream::new`] and must not have been released. No
/// other thread may use it during the call. `out` must be valid for writes.
unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: guaranteed by the caller.
    let parts = unsafe { &mut *(*stream).private_data.cast::<StreamParts>() };
    // A panic must not reach C, where it would abort the process.
    let next = catch_unwind(AssertUnwindSafe(|| parts.batches.next()))
        .unwrap_or_else(|_| Some(Err("internal error: could not create a batch".to_owned())));
    let array = match next {
        Some(Ok(batch)) => ArrowArray::new(&batch),
        None => ArrowArray::end(),
        Some(Err(error)) => {
            parts.error = Some(without_nul(&error));
            return INVALID;
        }
    };
    // SAFETY: guaranteed by the caller.
    unsafe { out.write(array) };
    0
}

/// # Safety
/// `stream` must have been made by [`ArrowArrayStream::new`] and must not have been released.
unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    let parts = unsafe { &*(*stream).private_data.cast::<StreamParts>() };
    parts.error.as_ref().map_or(ptr::null(), |error| error.as_ptr())
}

/// Returns a C string with NUL bytes replaced by spaces.
fn without_nul(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}
