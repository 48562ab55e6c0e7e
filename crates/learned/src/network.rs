//! The network: a residual tower of convolutions with a policy and a value head, as docs/training.md describes it.

use fourfold_common::cpu;

use crate::description::{Description, MAX_CHANNELS};
use crate::error::ModelError;
use crate::kernel::{Multiply, Weights};
use crate::tensors::Tensors;

/// The most logits of a cell, and the most numbers of the value head.
const MAX_OUTPUTS: usize = 4096;

/// A network with its weights.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    grid: Grid,
    stem: Weights,
    /// The weights of the scalars, by scalar and channel.
    scalars: Vec<f32>,
    blocks: Vec<[Weights; 2]>,
    policy: Weights,
    logits: Weights,
    extra: Option<Weights>,
    /// For each action, the index of its logit.
    index: Vec<u16>,
    value: Weights,
    hidden: Weights,
    out: Weights,
}

/// Where the cells of a board are in arrays with a border of zeros, and in arrays without one.
#[derive(Clone, Debug)]
struct Grid {
    /// The number of cells with the border.
    padded: usize,
    /// For each cell, its index with the border, that of the first of the nine cells around it, and that without the
    /// border.
    inner: Vec<usize>,
    corner: Vec<usize>,
    plain: Vec<usize>,
    /// The distances of the nine cells from the first one.
    taps: [usize; 9],
}

impl Grid {
    fn new(height: usize, width: usize) -> Grid {
        let row = width + 2;
        let corner = |cell: usize| cell / width * row + cell % width;
        let cells = 0..height * width;
        Grid {
            padded: (height + 2) * row,
            inner: cells.clone().map(|cell| corner(cell) + row + 1).collect(),
            corner: cells.clone().map(corner).collect(),
            plain: cells.collect(),
            taps: std::array::from_fn(|tap| tap / 3 * row + tap % 3),
        }
    }
}

/// The arrays of an evaluation by one network.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    /// The inputs by cell and plane; the last plane is that of ones.
    pub(crate) planes: Vec<f32>,
    pub(crate) scalars: Vec<f32>,
    /// The logits of cells, and then those without one.
    logits: Vec<f32>,
    /// The values, from the view of the player who acts.
    pub(crate) values: Vec<f32>,
    /// Arrays with a border, which stays 0.
    input: Vec<f32>,
    tower: [Vec<f32>; 3],
    shift: Vec<f32>,
    mean: Vec<f32>,
    heads: [Vec<f32>; 2],
}

impl Network {
    /// Takes the weights of a network whose description has been checked. `actions` is the number of actions of the game.
    pub(crate) fn new(
        description: &Description,
        mut tensors: Tensors<'_>,
        actions: usize,
    ) -> Result<Network, ModelError> {
        let &Description { height, width, scalars, blocks, channels, value_outputs, .. } =
            description;
        let cells = height * width;
        let tensors = &mut tensors;
        let convolution = |tensors: &mut Tensors<'_>, name: &str, inputs: usize| {
            layer(tensors, name, &[3, 3, inputs, channels])
        };
        let stem = convolution(tensors, "stem", description.planes.len() + 1)?;
        let scalars = match scalars {
            0 => Vec::new(),
            count => tensors.floats("stem.scalars", &[count, channels])?,
        };
        let blocks = (0..blocks).map(|block| {
            Ok([
                convolution(tensors, &format!("blocks.{block}.0"), channels)?,
                convolution(tensors, &format!("blocks.{block}.1"), channels)?,
            ])
        });
        let blocks = blocks.collect::<Result<Vec<_>, ModelError>>()?;
        let policy = convolution(tensors, "policy.conv", channels)?;
        let count = tensors.width("policy.out.weight", MAX_OUTPUTS)?;
        let logits = layer(tensors, "policy.out", &[channels, count])?;
        let extra = match tensors.has("policy.extra.weight") {
            false => None,
            true => {
                let count = tensors.width("policy.extra.weight", MAX_OUTPUTS)?;
                Some(layer(tensors, "policy.extra", &[channels, count])?)
            }
        };
        let bound = cells * logits.outputs + extra.as_ref().map_or(0, |extra| extra.outputs);
        let index = tensors.indices("policy.index", actions, bound)?;
        let count = tensors.width("value.conv.weight", MAX_CHANNELS)?;
        let value = layer(tensors, "value.conv", &[channels, count])?;
        let count = tensors.width("value.hidden.weight", MAX_OUTPUTS)?;
        let hidden = layer(tensors, "value.hidden", &[cells * value.outputs, count])?;
        let out = layer(tensors, "value.out", &[count, value_outputs])?;
        tensors.check_empty()?;
        let grid = Grid::new(height, width);
        Ok(Network {
            grid,
            stem,
            scalars,
            blocks,
            policy,
            logits,
            extra,
            index,
            value,
            hidden,
            out,
        })
    }

    /// Makes the arrays of an evaluation.
    pub(crate) fn scratch(&self) -> Scratch {
        let zeros = |count: usize| vec![0.0; count];
        let (cells, channels) = (self.grid.inner.len(), self.stem.outputs);
        let extra = self.extra.as_ref().map_or(0, |extra| extra.outputs);
        Scratch {
            planes: zeros(cells * self.stem.inputs),
            scalars: zeros(self.scalars.len() / channels),
            logits: zeros(cells * self.logits.outputs + extra),
            values: zeros(self.out.outputs),
            input: zeros(self.grid.padded * self.stem.inputs),
            tower: std::array::from_fn(|_| zeros(self.grid.padded * channels)),
            shift: zeros(channels),
            mean: zeros(channels),
            heads: [zeros(cells * self.value.outputs), zeros(self.hidden.outputs)],
        }
    }

    /// Evaluates a position whose inputs are in `scratch`.
    ///
    /// # Errors
    /// Returns an error if outputs are not finite.
    pub(crate) fn evaluate(&self, scratch: &mut Scratch) -> Result<(), ModelError> {
        let Grid { inner, corner, plain, taps, .. } = &self.grid;
        let Scratch { planes, scalars, logits, values, input, tower, shift, mean, heads } = scratch;
        let channels = self.stem.outputs;
        for (cell, &place) in planes.chunks_exact(self.stem.inputs).zip(inner) {
            input[place * self.stem.inputs..][..self.stem.inputs].copy_from_slice(cell);
        }
        shift.fill(0.0);
        for (weights, scalar) in self.scalars.chunks_exact(channels).zip(&*scalars) {
            shift.iter_mut().zip(weights).for_each(|(shift, weight)| *shift += scalar * weight);
        }
        let [h, middle, next] = tower;
        let (rows, places, relu) = (&corner[..], &inner[..], true);
        let convolve = |weights: &Weights,
                        from: &[f32],
                        shift: &[f32],
                        residual: Option<&[f32]>,
                        to: &mut [f32]| {
            cpu::dispatch(Multiply {
                weights,
                from,
                rows,
                taps,
                places,
                shift,
                residual,
                relu,
                to,
            });
        };
        convolve(&self.stem, input, shift, None, h);
        for [one, two] in &self.blocks {
            convolve(one, h, &[], None, middle);
            convolve(two, middle, &[], Some(h), next);
            std::mem::swap(h, next);
        }
        convolve(&self.policy, h, &[], None, next);
        let (from_cells, extra_logits) = logits.split_at_mut(plain.len() * self.logits.outputs);
        multiply(&self.logits, next, (inner, plain), false, from_cells);
        if let Some(extra) = &self.extra {
            mean.fill(0.0);
            for &place in inner {
                let cell = &next[place * channels..][..channels];
                mean.iter_mut().zip(cell).for_each(|(mean, value)| *mean += value);
            }
            mean.iter_mut().for_each(|mean| *mean /= inner.len() as f32);
            multiply(extra, mean, (&[0], &[0]), false, extra_logits);
        }
        let [value, hidden] = heads;
        multiply(&self.value, h, (inner, plain), true, value);
        multiply(&self.hidden, value, (&[0], &[0]), true, hidden);
        multiply(&self.out, hidden, (&[0], &[0]), false, values);
        let is_finite = logits.iter().chain(&*values).all(|output| output.is_finite());
        // In double precision, which hides differences between mathematical libraries.
        values.iter_mut().for_each(|value| *value = f64::from(*value).tanh() as f32);
        if is_finite { Ok(()) } else { Err(ModelError::NotFinite) }
    }

    /// Returns the logit of each action, after an evaluation.
    pub(crate) fn logits<'a>(&'a self, scratch: &'a Scratch) -> impl Iterator<Item = f32> + 'a {
        self.index.iter().map(|&index| scratch.logits[usize::from(index)])
    }
}

/// Takes the weights and the bias of a layer.
fn layer(tensors: &mut Tensors<'_>, name: &str, shape: &[usize]) -> Result<Weights, ModelError> {
    let &[ref taps @ .., inputs, outputs] = shape else {
        return Err(ModelError::weights(format!("{name} is not a matrix")));
    };
    let weights = tensors.floats(&format!("{name}.weight"), shape)?;
    let bias = tensors.floats(&format!("{name}.bias"), &[outputs])?;
    Ok(Weights::new(taps.iter().product(), inputs, &weights, bias))
}

/// Multiplies some cells by a matrix.
fn multiply(
    weights: &Weights,
    from: &[f32],
    (rows, places): (&[usize], &[usize]),
    relu: bool,
    to: &mut [f32],
) {
    let (taps, shift, residual) = (&[0], &[], None);
    cpu::dispatch(Multiply { weights, from, rows, taps, places, shift, residual, relu, to });
}
