//! Devices and their memory.

use std::sync::Arc;

use fourfold_cuda::Buffer;
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use super::dlpack::{self, DLDevice};
use crate::errors::ToPython;

/// A GPU, or the CPU in its place.
#[pyclass(module = "fourfold._core", frozen)]
pub(crate) struct Device {
    pub(super) inner: fourfold_cuda::Device,
    place: DLDevice,
}

#[pymethods]
impl Device {
    /// Opens the GPU with this index; without one, the CPU that emulates a GPU.
    #[new]
    #[pyo3(signature = (index))]
    fn new(py: Python<'_>, index: Option<i32>) -> PyResult<Device> {
        let Some(index) = index else {
            return Ok(Device { inner: fourfold_cuda::Device::Cpu, place: DLDevice::CPU });
        };
        let opened = py.detach(|| fourfold_cuda::Device::cuda(index.max(0) as usize));
        Ok(Device { inner: opened.map_err(ToPython::to_python)?, place: DLDevice::cuda(index) })
    }

    /// The type and index of the device, as DLPack has them.
    #[getter]
    fn dlpack_device(&self) -> (i32, i32) {
        self.place.numbers()
    }

    /// Allocates memory, filled with zeros.
    fn alloc(&self, py: Python<'_>, bytes: usize) -> PyResult<DeviceBuffer> {
        let memory = py.detach(|| self.inner.alloc(bytes)).map_err(ToPython::to_python)?;
        Ok(DeviceBuffer { memory: Arc::new(memory), place: self.place, bytes })
    }

    /// Waits for everything on the default stream.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner.synchronize()).map_err(ToPython::to_python)
    }
}

/// Memory of a device, freed when neither this object nor an array exported by DLPack uses it.
#[pyclass(module = "fourfold._core", frozen)]
pub(crate) struct DeviceBuffer {
    pub(super) memory: Arc<Buffer>,
    pub(super) place: DLDevice,
    pub(super) bytes: usize,
}

impl DeviceBuffer {
    /// Returns an error unless the buffer has this range of bytes.
    fn check(&self, offset: usize, length: usize) -> PyResult<()> {
        match offset.checked_add(length) {
            Some(end) if end <= self.bytes => Ok(()),
            _ => Err(PyIndexError::new_err(format!(
                "{length} bytes at {offset} are not in a buffer of {} bytes",
                self.bytes
            ))),
        }
    }
}

#[pymethods]
impl DeviceBuffer {
    /// The address in the memory of the device.
    #[getter]
    fn pointer(&self) -> u64 {
        self.memory.address()
    }

    /// The size in bytes.
    #[getter]
    const fn nbytes(&self) -> usize {
        self.bytes
    }

    /// The type and index of the device, as DLPack has them.
    #[getter]
    fn dlpack_device(&self) -> (i32, i32) {
        self.place.numbers()
    }

    /// Whether arrays exported by DLPack use the memory.
    #[getter]
    fn exported(&self) -> bool {
        Arc::strong_count(&self.memory) > 1
    }

    /// Copies bytes to the host, after all kernels have run.
    fn read(
        &self,
        py: Python<'_>,
        offset: usize,
        mut out: PyReadwriteArray1<'_, u8>,
    ) -> PyResult<()> {
        let out = out.as_slice_mut()?;
        self.check(offset, out.len())?;
        py.detach(|| self.memory.read(offset, out)).map_err(ToPython::to_python)
    }

    /// Copies bytes from the host.
    fn write(
        &self,
        py: Python<'_>,
        offset: usize,
        values: PyReadonlyArray1<'_, u8>,
    ) -> PyResult<()> {
        let values = values.as_slice()?;
        self.check(offset, values.len())?;
        py.detach(|| self.memory.write(offset, values)).map_err(ToPython::to_python)
    }

    /// Returns an array in this memory as the capsule that `__dlpack__` returns. Strides count
    /// elements; `kind` is the code and the number of bits of an element.
    fn dlpack<'py>(
        &self,
        py: Python<'py>,
        offset: usize,
        shape: Vec<i64>,
        strides: Vec<i64>,
        kind: (u8, u8),
    ) -> PyResult<Bound<'py, PyAny>> {
        let last = shape.iter().zip(&strides).map(|(count, stride)| (count - 1) * stride);
        let elements = if shape.contains(&0) { 0 } else { 1 + last.sum::<i64>() };
        self.check(offset, elements as usize * usize::from(kind.1 / 8))?;
        dlpack::export(py, &self.memory, self.place, (offset, shape, strides, kind))
    }
}
