//! What observations look like, and how packed ones are unfolded.

use half::f16;

/// The shape of an observation and what its channels are.
///
/// A game writes planes of bits, one after another, each row by row from the top, `ceil(width / 8)`
/// bytes a row, bit 0 first; and scalars, each of which stands for a plane of one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// What each channel shows, in order.
    pub channels: Vec<Channel>,
    /// How many planes of bits there are.
    pub planes: usize,
    /// How many scalars there are.
    pub scalars: usize,
}

/// What a channel shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channel {
    /// A plane of bits, by its index.
    Plane(usize),
    /// One value on every square, by its index among the scalars.
    Scalar(usize),
}

impl Layout {
    /// Bytes in a packed plane.
    pub const fn plane_bytes(&self) -> usize {
        self.height * self.width.div_ceil(8)
    }

    /// Bytes in all packed planes.
    pub const fn packed_bytes(&self) -> usize {
        self.planes * self.plane_bytes()
    }

    /// Values in an unfolded observation.
    pub fn values(&self) -> usize {
        self.height * self.width * self.channels.len()
    }

    /// Unfolds planes and scalars to one value for each square and channel, channels last.
    pub fn unfold<T: Value>(&self, planes: &[u8], scalars: &[f32], out: &mut [T]) {
        let channels = self.channels.len();
        let row_bytes = self.width.div_ceil(8);
        let planes = planes.chunks_exact(self.plane_bytes());
        let planes: &[&[u8]] = &collect::<256>(planes)[..self.planes];
        // Most planes are all of one value: they make a pattern that every square starts from.
        let mut pattern = [T::ZERO; 256];
        let mut mixed = [0u16; 256];
        let mut mixed_count = 0;
        for (index, channel) in self.channels.iter().enumerate() {
            match *channel {
                Channel::Scalar(scalar) => pattern[index] = T::from_scalar(scalars[scalar]),
                Channel::Plane(plane) => {
                    if self.is_full(planes[plane]) {
                        pattern[index] = T::ONE;
                    } else if planes[plane].iter().any(|&byte| byte != 0) {
                        mixed[mixed_count] = index as u16;
                        mixed_count += 1;
                    }
                }
            }
        }
        for square in out.chunks_exact_mut(channels) {
            square.copy_from_slice(&pattern[..channels]);
        }
        for &channel in &mixed[..mixed_count] {
            let Channel::Plane(plane) = self.channels[channel as usize] else { continue };
            for (index, &byte) in planes[plane].iter().enumerate() {
                let (row, first) = (index / row_bytes, index % row_bytes * 8);
                let mut rest = byte;
                while rest != 0 {
                    let column = first + rest.trailing_zeros() as usize;
                    out[(row * self.width + column) * channels + channel as usize] = T::ONE;
                    rest &= rest - 1;
                }
            }
        }
    }

    fn is_full(&self, plane: &[u8]) -> bool {
        let last = match self.width % 8 {
            0 => 0xff,
            bits => (1u8 << bits) - 1,
        };
        plane.chunks_exact(self.width.div_ceil(8)).all(|row| {
            row.split_last()
                .is_some_and(|(end, full)| *end == last && full.iter().all(|&byte| byte == 0xff))
        })
    }
}

/// The first `N` items of an iterator, without an allocation.
fn collect<'a, const N: usize>(items: impl Iterator<Item = &'a [u8]>) -> [&'a [u8]; N] {
    let mut all: [&[u8]; N] = [&[]; N];
    for (place, item) in all.iter_mut().zip(items) {
        *place = item;
    }
    all
}

/// A number type that observations can be unfolded to.
pub trait Value: Copy {
    /// No.
    const ZERO: Self;
    /// Yes.
    const ONE: Self;

    /// What stands for a scalar.
    fn from_scalar(scalar: f32) -> Self;
}

impl Value for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;

    fn from_scalar(scalar: f32) -> f32 {
        scalar
    }
}

impl Value for f16 {
    const ZERO: f16 = f16::ZERO;
    const ONE: f16 = f16::ONE;

    fn from_scalar(scalar: f32) -> f16 {
        f16::from_f32(scalar)
    }
}

/// Whole numbers cannot hold the scalars: their channels are 0, and the scalars come beside.
impl Value for u8 {
    const ZERO: u8 = 0;
    const ONE: u8 = 1;

    fn from_scalar(_: f32) -> u8 {
        0
    }
}
