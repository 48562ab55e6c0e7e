//! The tensors of a network: `model.safetensors`.

use std::collections::BTreeMap;

use fourfold_common::{ensure, quote_short};
use half::f16;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use crate::error::ModelError;

/// The tensors that no layer has taken yet.
pub(crate) struct Tensors<'a> {
    left: BTreeMap<String, TensorView<'a>>,
}

impl<'a> Tensors<'a> {
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Tensors<'a>, ModelError> {
        let file = SafeTensors::deserialize(bytes).map_err(ModelError::weights)?;
        Ok(Tensors { left: file.tensors().into_iter().collect() })
    }

    /// Returns whether there is a tensor.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.left.contains_key(name)
    }

    /// Returns the last dimension of a tensor, or an error if it is not in the range.
    pub(crate) fn width(&self, name: &str, most: usize) -> Result<usize, ModelError> {
        let width = self.left.get(name).and_then(|view| view.shape().last().copied());
        let width = width.ok_or_else(|| missing(name))?;
        match (1..=most).contains(&width) {
            true => Ok(width),
            false => Err(ModelError::weights(format!(
                "expected {name} to have from 1 to {most} columns, got {width}"
            ))),
        }
    }

    /// Takes a tensor of float16 numbers.
    pub(crate) fn floats(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let data = self.take(name, Dtype::F16, shape)?;
        let (numbers, _) = data.as_chunks();
        let numbers: Vec<f32> =
            numbers.iter().map(|&bytes| f16::from_le_bytes(bytes).to_f32()).collect();
        match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(numbers),
            false => Err(ModelError::weights(format!("{name} has numbers that are not finite"))),
        }
    }

    /// Takes a tensor of uint16 numbers below a bound.
    pub(crate) fn indices(
        &mut self,
        name: &str,
        count: usize,
        bound: usize,
    ) -> Result<Vec<u16>, ModelError> {
        let data = self.take(name, Dtype::U16, &[count])?;
        let (numbers, _) = data.as_chunks();
        let numbers: Vec<u16> = numbers.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect();
        match numbers.iter().find(|&&index| usize::from(index) >= bound) {
            None => Ok(numbers),
            Some(index) => Err(ModelError::weights(format!(
                "expected numbers below {bound} in {name}, got {index}"
            ))),
        }
    }

    /// Checks that all tensors have been taken.
    pub(crate) fn check_empty(&self) -> Result<(), ModelError> {
        match self.left.keys().next() {
            None => Ok(()),
            Some(name) => {
                Err(ModelError::weights(format!("unknown tensor '{}'", quote_short(name))))
            }
        }
    }

    fn take(&mut self, name: &str, dtype: Dtype, shape: &[usize]) -> Result<&'a [u8], ModelError> {
        let view = self.left.remove(name).ok_or_else(|| missing(name))?;
        let check = || -> Result<(), String> {
            let found = view.dtype();
            ensure!(found == dtype, "expected {name} to have type {dtype:?}, got {found:?}");
            let found = view.shape();
            ensure!(found == shape, "expected {name} to have shape {shape:?}, got {found:?}");
            Ok(())
        };
        check().map_err(ModelError::weights)?;
        Ok(view.data())
    }
}

fn missing(name: &str) -> ModelError {
    ModelError::weights(format!("there is no tensor {name}"))
}
