//! Matrix products, the only part of an evaluation that takes time.
//!
//! Products are added one by one in a fixed order and not fused with their sums, so every CPU gives the same bits.

use fourfold_common::cpu::{Cpu, Work};

/// The number of outputs that are computed together.
const OUTPUTS: usize = 16;
/// The number of rows that are computed together. With 16 outputs, the sums fill 12 of the 16 registers of AVX2.
const ROWS: usize = 6;

/// A matrix for each of some taps: a convolution has nine, the cells around the one whose outputs it computes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Weights {
    pub(crate) taps: usize,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// For each group of outputs: a row of weights for each tap and input. The last group is padded with zeros.
    groups: Vec<[f32; OUTPUTS]>,
    bias: Vec<f32>,
}

impl Weights {
    /// Takes weights by tap, input and output.
    pub(crate) fn new(taps: usize, inputs: usize, weights: &[f32], bias: Vec<f32>) -> Weights {
        let outputs = bias.len();
        let mut groups = Vec::with_capacity(outputs.div_ceil(OUTPUTS) * taps * inputs);
        for first in (0..outputs).step_by(OUTPUTS) {
            let count = OUTPUTS.min(outputs - first);
            groups.extend(weights.chunks_exact(outputs).map(|row| {
                let mut group = [0.0; OUTPUTS];
                group[..count].copy_from_slice(&row[first..first + count]);
                group
            }));
        }
        Weights { taps, inputs, outputs, groups, bias }
    }
}

/// The multiplication of rows of inputs by weights.
pub(crate) struct Multiply<'a> {
    pub(crate) weights: &'a Weights,
    pub(crate) from: &'a [f32],
    /// For each row, where its inputs begin in `from`, in multiples of the number of inputs. The inputs of the taps
    /// follow at these distances.
    pub(crate) rows: &'a [usize],
    pub(crate) taps: &'a [usize],
    /// Where the outputs of each row begin in `to`, in multiples of the number of outputs.
    pub(crate) places: &'a [usize],
    /// What is added to the outputs of all rows, besides the bias; may be empty.
    pub(crate) shift: &'a [f32],
    /// What is added to each output, at the same place as in `to`.
    pub(crate) residual: Option<&'a [f32]>,
    /// Whether negative outputs are replaced by 0.
    pub(crate) relu: bool,
    pub(crate) to: &'a mut [f32],
}

impl Work for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Multiply { weights, from, rows, taps, places, shift, residual, relu, to } = self;
        let &Weights { inputs, outputs, ref groups, ref bias, .. } = weights;
        let size = weights.taps * inputs;
        for (group, first) in groups.chunks_exact(size).zip((0..outputs).step_by(OUTPUTS)) {
            let count = OUTPUTS.min(outputs - first);
            let mut offset = [0.0; OUTPUTS];
            offset[..count].copy_from_slice(&bias[first..first + count]);
            for (offset, shift) in offset.iter_mut().zip(shift.get(first..).unwrap_or_default()) {
                *offset += shift;
            }
            for (rows, places) in rows.chunks(ROWS).zip(places.chunks(ROWS)) {
                // The last rows are computed several times if there are too few.
                let begins = std::array::from_fn(|row| rows[row.min(rows.len() - 1)]);
                let sums = multiply(group, from, begins, taps, inputs);
                for (sums, &place) in sums.iter().zip(places) {
                    let start = place * outputs + first;
                    let own = residual.and_then(|residual| residual.get(start..start + count));
                    for (index, to) in to[start..start + count].iter_mut().enumerate() {
                        let residual = own.map_or(0.0, |own| own[index]);
                        let sum = sums[index] + offset[index] + residual;
                        *to = if relu { sum.max(0.0) } else { sum };
                    }
                }
            }
        }
    }
}

/// Computes a group of outputs of some rows.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "only loops over indices keep the sums in registers")]
fn multiply(
    group: &[[f32; OUTPUTS]],
    from: &[f32],
    begins: [usize; ROWS],
    taps: &[usize],
    inputs: usize,
) -> [[f32; OUTPUTS]; ROWS] {
    let mut sums = [[0.0; OUTPUTS]; ROWS];
    for (weights, tap) in group.chunks_exact(inputs).zip(taps) {
        let cells: [&[f32]; ROWS] =
            std::array::from_fn(|row| &from[(begins[row] + tap) * inputs..][..inputs]);
        for (input, weights) in weights[..inputs].iter().enumerate() {
            for row in 0..ROWS {
                let value = cells[row][input];
                for output in 0..OUTPUTS {
                    sums[row][output] += value * weights[output];
                }
            }
        }
    }
    sums
}
