//! The C interface through which XLA calls custom functions (`xla/ffi/api/c_api.h`, versions 0.1 to
//! 0.3), and nothing else: checks what XLA passes, and gives it to safe functions as slices.
#![allow(unsafe_code, reason = "the structures are shared with C by raw pointers")]

use std::any::Any;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

use half::f16;
use pyo3::prelude::*;

/// The versions of the interface in which everything that is used here is the same.
const VERSIONS: [(c_int, c_int); 3] = [(0, 1), (0, 2), (0, 3)];

/// A function that XLA may call: reads the arguments, and fills the results.
pub(super) type Function = fn(Call<'_>) -> Result<(), String>;

/// Declares functions that XLA can call by their address.
macro_rules! handlers {
    ($($name:ident: $function:expr,)+) => {
        $(extern "C" fn $name(frame: *mut ffi::CallFrame) -> *mut c_void {
            ffi::handle(frame, $function)
        })+

        /// Returns the functions that are called by XLA, as capsules by name.
        pub(in crate::jax) fn all(py: Python<'_>) -> PyResult<Vec<(&'static str, Py<PyAny>)>> {
            Ok(vec![$((stringify!($name), ffi::capsule(py, $name)?),)+])
        }
    };
}
pub(super) use handlers;

/// Returns a function as the capsule that `jax.ffi.register_ffi_target` takes.
pub(super) fn capsule(
    py: Python<'_>,
    function: extern "C" fn(*mut CallFrame) -> *mut c_void,
) -> PyResult<Py<PyAny>> {
    // SAFETY: the pointer of the capsule is that of a function, which is never freed.
    unsafe {
        let made = pyo3::ffi::PyCapsule_New(function as *mut c_void, ptr::null(), None);
        Ok(Bound::from_owned_ptr_or_err(py, made)?.unbind())
    }
}

/// Answers a call of XLA.
pub(super) fn handle(frame: *mut CallFrame, function: Function) -> *mut c_void {
    // SAFETY: XLA passes a frame that is valid during the call.
    let frame = unsafe { &mut *frame };
    if let Some(error) = frame.answer_metadata() {
        return error;
    }
    if frame.stage != EXECUTE {
        return ptr::null_mut();
    }
    // SAFETY: as above, also for everything that the frame points to.
    let call = unsafe { Call::new(frame) };
    let outcome = catch_unwind(AssertUnwindSafe(|| function(call?)));
    match outcome.unwrap_or_else(|panic| Err(panic_message(&*panic))) {
        Ok(()) => ptr::null_mut(),
        Err(message) => frame.error(&message),
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    format!("expected states and masks as fourfold.jax returned them ({text})")
}

/// A call of XLA. Results may share their memory with arguments, so all arguments must be read
/// before the first result is written; the types make sure of it.
pub(super) struct Call<'a> {
    api: &'a Api,
    context: *mut c_void,
    arguments: Vec<&'a Buffer>,
    results: Vec<&'a Buffer>,
    attributes: Vec<(&'a str, Attribute<'a>)>,
}

enum Attribute<'a> {
    Text(&'a str),
    Number(i64),
}

impl<'a> Call<'a> {
    /// # Safety
    /// Everything that the frame points to must be valid for `'a`.
    unsafe fn new(frame: &CallFrame) -> Result<Call<'a>, String> {
        // SAFETY: the caller guarantees it; XLA gives the lengths.
        unsafe {
            let buffers = |list: &List| -> Result<Vec<&'a Buffer>, String> {
                let types = view(list.types, list.size)?;
                if types.iter().any(|&kind| kind != BUFFER) {
                    return Err("expected all arguments and results to be arrays".to_owned());
                }
                let found = view(list.values.cast::<*const Buffer>(), list.size)?;
                Ok(found.iter().map(|&buffer| &*buffer).collect())
            };
            let attributes = &frame.attributes;
            let names = view(attributes.names, attributes.size)?;
            let types = view(attributes.types, attributes.size)?;
            let values = view(attributes.values, attributes.size)?;
            let mut read = Vec::new();
            for ((&name, &kind), &value) in names.iter().zip(types).zip(values) {
                let value = match kind {
                    STRING => Attribute::Text(text(&*value.cast::<Span>())?),
                    SCALAR => match &*value.cast::<Scalar>() {
                        Scalar { dtype: S64, value } => Attribute::Number(*value.cast::<i64>()),
                        Scalar { dtype: S32, value } => {
                            Attribute::Number((*value.cast::<i32>()).into())
                        }
                        _ => continue,
                    },
                    _ => continue,
                };
                read.push((text(&*name)?, value));
            }
            Ok(Call {
                api: &*frame.api,
                context: frame.context,
                arguments: buffers(&frame.arguments)?,
                results: buffers(&frame.results)?,
                attributes: read,
            })
        }
    }

    pub(super) fn text(&self, name: &str) -> Result<&'a str, String> {
        match self.attributes.iter().find(|(found, _)| *found == name) {
            Some(&(_, Attribute::Text(text))) => Ok(text),
            _ => Err(format!("expected the attribute '{name}' to be a string")),
        }
    }

    pub(super) fn number(&self, name: &str) -> Result<i64, String> {
        match self.attributes.iter().find(|(found, _)| *found == name) {
            Some(&(_, Attribute::Number(number))) => Ok(number),
            _ => Err(format!("expected the attribute '{name}' to be an integer")),
        }
    }

    /// Returns the values of an argument; `name` is for messages.
    pub(super) fn argument<T: Value>(&self, index: usize, name: &str) -> Result<&[T], String> {
        let buffer = self.arguments.get(index).ok_or_else(|| format!("expected {name}"))?;
        let (data, count) = buffer.check::<T>(name)?;
        // SAFETY: XLA does not change arguments during a call, and `&self` keeps results from being
        // written.
        Ok(unsafe { slice::from_raw_parts(data, count) })
    }

    /// Copies an argument to a result of the same size, unless they share their memory.
    pub(super) fn copy(&mut self, argument: usize, result: usize) -> Result<(), String> {
        let (Some(from), Some(to)) = (self.arguments.get(argument), self.results.get(result))
        else {
            return Err("expected an argument for each result that is changed".to_owned());
        };
        let ((from, count), (to, room)) = (from.check::<u8>("states")?, to.check::<u8>("states")?);
        if count != room {
            return Err(format!("expected a result of {count} bytes, got one of {room}"));
        }
        if from != to {
            // SAFETY: both have this many bytes, and nothing else refers to the result.
            unsafe { ptr::copy(from, to, count) };
        }
        Ok(())
    }

    /// Gives up the arguments, and returns the results.
    pub(super) fn into_results(self) -> Results<'a> {
        Results { buffers: self.results.into_iter() }
    }
}

/// The same for arrays in the memory of a GPU, whose addresses are all that is known of them.
impl Call<'_> {
    /// Returns the address of an argument, and the number of its values.
    pub(super) fn argument_address<T: Value>(
        &self,
        index: usize,
        name: &str,
    ) -> Result<(u64, usize), String> {
        let buffer = self.arguments.get(index).ok_or_else(|| format!("expected {name}"))?;
        buffer.check::<T>(name).map(|(data, count)| (data as u64, count))
    }

    /// Returns the address of a result, and the number of its values.
    pub(super) fn result_address<T: Value>(
        &self,
        index: usize,
        name: &str,
    ) -> Result<(u64, usize), String> {
        let buffer = self.results.get(index);
        let buffer = buffer.ok_or_else(|| format!("expected a result for {name}"))?;
        buffer.check::<T>(name).map(|(data, count)| (data as u64, count))
    }

    /// Returns the number of results.
    pub(super) fn num_results(&self) -> usize {
        self.results.len()
    }

    /// Returns the stream on which XLA runs the call.
    pub(super) fn stream(&self) -> Result<u64, String> {
        let mut given = StreamArguments {
            size: size_of::<StreamArguments>(),
            extension: ptr::null_mut(),
            context: self.context,
            stream: ptr::null_mut(),
        };
        // SAFETY: XLA passes a valid interface and context.
        let error = unsafe { (self.api.get_stream)(&raw mut given) };
        self.check_error(error, "XLA has no stream for this call")?;
        Ok(given.stream as u64)
    }

    /// Allocates memory on the device of the call.
    pub(super) fn allocate(&self, size: usize) -> Result<u64, String> {
        let mut given = AllocateArguments {
            struct_size: size_of::<AllocateArguments>(),
            extension: ptr::null_mut(),
            context: self.context,
            size,
            alignment: 16,
            data: ptr::null_mut(),
        };
        // SAFETY: XLA passes a valid interface and context.
        let error = unsafe { (self.api.allocate)(&raw mut given) };
        self.check_error(error, &format!("XLA could not allocate {size} bytes"))?;
        Ok(given.data as u64)
    }

    /// Frees memory of [`Call::allocate`]. XLA uses it again only behind what is in the stream.
    pub(super) fn free(&self, address: u64, size: usize) {
        let mut given = FreeArguments {
            struct_size: size_of::<FreeArguments>(),
            extension: ptr::null_mut(),
            context: self.context,
            size,
            data: address as *mut c_void,
        };
        // SAFETY: XLA passes a valid interface and context, and allocated this memory.
        let error = unsafe { (self.api.free)(&raw mut given) };
        let _ = self.check_error(error, "XLA could not free memory");
    }

    fn check_error(&self, error: *mut c_void, message: &str) -> Result<(), String> {
        if error.is_null() {
            return Ok(());
        }
        let mut given = DestroyArguments {
            size: size_of::<DestroyArguments>(),
            extension: ptr::null_mut(),
            error,
        };
        // SAFETY: XLA returned this error, and nothing else refers to it.
        unsafe { (self.api.destroy_error)(&raw mut given) };
        Err(message.to_owned())
    }
}

/// The results of a call, in the order in which they were declared.
pub(super) struct Results<'a> {
    buffers: std::vec::IntoIter<&'a Buffer>,
}

impl<'a> Results<'a> {
    /// Returns the memory of the next result; `name` is for messages.
    pub(super) fn next<T: Value>(&mut self, name: &str) -> Result<&'a mut [T], String> {
        let buffer = self.buffers.next().ok_or_else(|| format!("expected a result for {name}"))?;
        let (data, count) = buffer.check::<T>(name)?;
        // SAFETY: each result is taken once, and the arguments have been given up. XLA's memory may
        // contain anything, but is only written.
        Ok(unsafe { slice::from_raw_parts_mut(data, count) })
    }

    pub(super) fn end(mut self) -> Result<(), String> {
        if self.buffers.next().is_some() { Err("got too many results".to_owned()) } else { Ok(()) }
    }
}

/// A type of values in arrays.
pub(super) trait Value {
    const TYPE: c_int;
    const NAME: &'static str;
}

macro_rules! values {
    ($($value:ty: $number:literal, $name:literal;)+) => {
        $(impl Value for $value {
            const TYPE: c_int = $number;
            const NAME: &'static str = $name;
        })+
    };
}

values! {
    bool: 1, "bool";
    i32: 4, "int32";
    u8: 6, "uint8";
    u32: 8, "uint32";
    f16: 10, "float16";
    f32: 11, "float32";
}

const S32: c_int = 4;
const S64: c_int = 5;

impl Buffer {
    /// Returns the address and the number of values, which must be of this type.
    fn check<T: Value>(&self, name: &str) -> Result<(*mut T, usize), String> {
        // Booleans may be read as bytes.
        if self.dtype != T::TYPE && !(T::TYPE == u8::TYPE && self.dtype == bool::TYPE) {
            return Err(format!("expected {name} to be {}, got type {}", T::NAME, self.dtype));
        }
        // SAFETY: XLA gives the length.
        let dims = unsafe { view(self.dims, self.rank) }?;
        let count = dims.iter().map(|&dim| usize::try_from(dim).unwrap_or(0)).product();
        let data =
            if count == 0 { ptr::NonNull::dangling().as_ptr() } else { self.data.cast::<T>() };
        if data.is_null() || !data.is_aligned() {
            return Err(format!("expected {name} to be aligned to {} bytes", align_of::<T>()));
        }
        Ok((data, count))
    }
}

/// # Safety
/// If `size` is not 0, there must be that many values at `data`.
unsafe fn view<'a, T>(data: *const T, size: i64) -> Result<&'a [T], String> {
    let size = usize::try_from(size).map_err(|_| format!("expected a length, got {size}"))?;
    if size == 0 || data.is_null() {
        return Ok(&[]);
    }
    // SAFETY: the caller guarantees it.
    Ok(unsafe { slice::from_raw_parts(data, size) })
}

/// # Safety
/// The text must be valid for `'a`.
unsafe fn text<'a>(span: &Span) -> Result<&'a str, String> {
    // SAFETY: the caller guarantees it.
    let bytes = unsafe { view(span.data.cast::<u8>(), span.size as i64) }?;
    str::from_utf8(bytes).map_err(|_| "expected attributes in UTF-8".to_owned())
}

impl CallFrame {
    /// Answers the question which version of the interface this is, which XLA asks on registration.
    /// Returns `None` if it was not asked, and otherwise what to return.
    fn answer_metadata(&mut self) -> Option<*mut c_void> {
        let extension = self.extension.cast::<MetadataExtension>();
        // SAFETY: XLA passes valid extensions or none.
        unsafe {
            if extension.is_null() || (*extension).kind != METADATA {
                return None;
            }
            let metadata = &mut *(*extension).metadata;
            // Before version 0.2, there is no interface to ask for its version.
            let newest = VERSIONS[VERSIONS.len() - 1];
            let running = match self.api.as_ref() {
                Some(api) => (api.version.major, api.version.minor),
                None => VERSIONS[0],
            };
            let version = if VERSIONS.contains(&running) { running } else { newest };
            (metadata.version.major, metadata.version.minor) = version;
            metadata.traits = 0;
        }
        Some(ptr::null_mut())
    }

    /// Makes an error that XLA raises in Python.
    fn error(&self, message: &str) -> *mut c_void {
        let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
        let mut arguments = ErrorArguments {
            size: size_of::<ErrorArguments>(),
            extension: ptr::null_mut(),
            message: text.as_ptr(),
            code: INVALID_ARGUMENT,
        };
        // SAFETY: XLA passes a valid interface, and copies the message.
        unsafe { ((*self.api).create_error)(&raw mut arguments) }
    }
}

// The layouts below are fixed by the header. Fields that are not used are there for their size.

const METADATA: c_int = 1;
const EXECUTE: c_int = 3;
const BUFFER: c_int = 1;
const SCALAR: c_int = 3;
const STRING: c_int = 4;
const INVALID_ARGUMENT: c_int = 3;

/// What XLA passes in a call.
#[repr(C)]
pub(super) struct CallFrame {
    size: usize,
    extension: *mut c_void,
    api: *const Api,
    context: *mut c_void,
    stage: c_int,
    arguments: List,
    results: List,
    attributes: Attributes,
}

#[repr(C)]
struct List {
    struct_size: usize,
    extension: *mut c_void,
    size: i64,
    types: *const c_int,
    values: *const *const c_void,
}

#[repr(C)]
struct Attributes {
    struct_size: usize,
    extension: *mut c_void,
    size: i64,
    types: *const c_int,
    names: *const *const Span,
    values: *const *const c_void,
}

#[repr(C)]
struct Buffer {
    size: usize,
    extension: *mut c_void,
    dtype: c_int,
    data: *mut c_void,
    rank: i64,
    dims: *const i64,
}

#[repr(C)]
struct Span {
    data: *const c_char,
    size: usize,
}

#[repr(C)]
struct Scalar {
    dtype: c_int,
    value: *const c_void,
}

#[repr(C)]
struct Version {
    size: usize,
    extension: *mut c_void,
    major: c_int,
    minor: c_int,
}

#[repr(C)]
struct Metadata {
    size: usize,
    version: Version,
    traits: u32,
}

#[repr(C)]
struct MetadataExtension {
    size: usize,
    kind: c_int,
    next: *mut c_void,
    metadata: *mut Metadata,
}

#[repr(C)]
struct ErrorArguments {
    size: usize,
    extension: *mut c_void,
    message: *const c_char,
    code: c_int,
}

#[repr(C)]
struct DestroyArguments {
    size: usize,
    extension: *mut c_void,
    error: *mut c_void,
}

#[repr(C)]
struct StreamArguments {
    size: usize,
    extension: *mut c_void,
    context: *mut c_void,
    stream: *mut c_void,
}

#[repr(C)]
struct AllocateArguments {
    struct_size: usize,
    extension: *mut c_void,
    context: *mut c_void,
    size: usize,
    alignment: usize,
    data: *mut c_void,
}

#[repr(C)]
struct FreeArguments {
    struct_size: usize,
    extension: *mut c_void,
    context: *mut c_void,
    size: usize,
    data: *mut c_void,
}

/// A function of XLA that is not used.
type Unused = *const c_void;

/// The functions that XLA offers, up to the last one that is used.
#[repr(C)]
struct Api {
    size: usize,
    extension: *mut c_void,
    version: Version,
    internal: *const c_void,
    create_error: unsafe extern "C" fn(*mut ErrorArguments) -> *mut c_void,
    get_message: Unused,
    destroy_error: unsafe extern "C" fn(*mut DestroyArguments),
    register_handler: Unused,
    get_stream: unsafe extern "C" fn(*mut StreamArguments) -> *mut c_void,
    register_type: Unused,
    get_context: Unused,
    set_state: Unused,
    get_state: Unused,
    allocate: unsafe extern "C" fn(*mut AllocateArguments) -> *mut c_void,
    free: unsafe extern "C" fn(*mut FreeArguments) -> *mut c_void,
}
