//! Unpacking packed observations, of any number of rows, on all threads.

use crate::batch::pool::{Pool, SplitWork};
use crate::batch::scratch::{Scratch, TakenScratch};
use crate::layout::Layout;

/// Below this many rows per part, handing the part to another thread costs more than it saves.
const MIN_ROWS_PER_PART: usize = 64;

/// Unpacks observations to floats, channels last. `scalars` are those that channels show, without
/// the separate array, so channels of [`Channel::Numbers`](crate::Channel::Numbers) are 0.
///
/// # Panics
/// Panics if the slices do not have the same number of rows.
pub(crate) fn unpack(
    layout: &Layout,
    pool: &mut Pool,
    planes: &[u8],
    scalars: &[f32],
    out: &mut [f32],
) {
    let rows = out.len().checked_div(layout.values()).unwrap_or(0);
    let shown = layout.scalars - layout.scalar_array_len();
    assert_eq!(planes.len(), rows * layout.packed_bytes(), "bytes of planes");
    assert_eq!(scalars.len(), rows * shown, "scalars");
    let parts = pool.parts(rows / MIN_ROWS_PER_PART);
    pool.execute(Unpack { layout, rows, planes, scalars, out }, parts);
}

struct Unpack<'a> {
    layout: &'a Layout,
    rows: usize,
    planes: &'a [u8],
    scalars: &'a [f32],
    out: &'a mut [f32],
}

impl SplitWork for Unpack<'_> {
    type Output = ();

    fn split_off(&mut self, parts: usize, first: usize) -> Self {
        let layout = self.layout;
        let at = self.rows * first / parts;
        let shown = layout.scalars - layout.scalar_array_len();
        let rows = std::mem::replace(&mut self.rows, at) - at;
        Unpack {
            layout,
            rows,
            planes: self.planes.split_off(at * layout.packed_bytes()..).unwrap_or_default(),
            scalars: self.scalars.split_off(at * shown..).unwrap_or_default(),
            out: self.out.split_off_mut(at * layout.values()..).unwrap_or_default(),
        }
    }

    fn run(self) {
        let Unpack { layout, rows, planes, scalars, out } = self;
        let (bytes, array) = (layout.packed_bytes(), layout.scalar_array_len());
        let (shown, values) = (layout.scalars - array, layout.values());
        let TakenScratch(scratch) = &mut Scratch::take(layout);
        scratch.scalars.fill(0.0);
        for row in 0..rows {
            scratch.scalars[array..].copy_from_slice(&scalars[row * shown..][..shown]);
            layout.unpack_streaming(
                &planes[row * bytes..][..bytes],
                &scratch.scalars,
                &mut scratch.values,
                |_: &mut [f32]| {},
                &mut out[row * values..][..values],
            );
        }
    }

    fn join((): (), (): ()) {}
}
