//! Where a batch writes its outputs: addresses in the memory of its device.

use fourfold_kernels::ReportArrays;

/// The outputs of a step. Only those with an address are written.
#[derive(Clone, Copy, Debug)]
pub struct Outputs {
    /// Everything except masks and observations.
    pub report: ReportArrays,
    /// The masks.
    pub mask: Mask,
    /// The observations.
    pub observation: Observation,
}

impl Outputs {
    /// Nothing.
    pub const NONE: Outputs =
        Outputs { report: ReportArrays::NONE, mask: Mask::None, observation: Observation::NONE };
}

/// The format of masks, and where they go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mask {
    /// Not wanted.
    None,
    /// One bit per action.
    Packed(u64),
    /// One byte per action. The address must be a multiple of 16, and up to 15 bytes behind the last
    /// row may be written.
    Bool(u64),
    /// The number of legal actions and their ids.
    Sparse {
        /// The numbers.
        counts: u64,
        /// The ids.
        indices: u64,
    },
}

/// The format of observations, and where they go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The format of the values.
    pub format: Format,
    /// The values; 0 if they are not wanted. The address must be a multiple of 16.
    pub values: u64,
    /// The scalars; 0 if they are not wanted.
    pub scalars: u64,
}

impl Observation {
    /// Nothing.
    pub const NONE: Observation = Observation { format: Format::Packed, values: 0, scalars: 0 };
}

/// The format of the values of observations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Bit planes.
    Packed,
    /// One byte per square and channel.
    U8,
    /// One `f16` per square and channel.
    F16,
    /// One `bf16` per square and channel.
    Bf16,
    /// One `f32` per square and channel.
    F32,
}
