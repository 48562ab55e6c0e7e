//! Sinks that receive the legal placements.

use alloc::vec::Vec;

use crate::Placement;

/// Receives legal placements row by row, so that a sink that only counts them or sets bits does not
/// have to look at each one.
pub trait PlacementSink {
    /// Receives the placements of an orientation whose top row is `row`. Each bit that is set in
    /// `columns` is the leftmost column of one of them.
    fn row(&mut self, orientation: usize, row: usize, columns: u32);
}

/// A sink that calls a function with each placement.
pub struct Each<F>(pub F);

impl<F: FnMut(Placement)> PlacementSink for Each<F> {
    #[inline(always)]
    fn row(&mut self, orientation: usize, row: usize, mut columns: u32) {
        while columns != 0 {
            let column = columns.trailing_zeros() as u8;
            (self.0)(Placement { orientation: orientation as u8, row: row as u8, column });
            columns &= columns - 1;
        }
    }
}

/// A sink that counts the placements.
#[derive(Default, Debug)]
pub struct Count(pub u64);

impl PlacementSink for Count {
    #[inline(always)]
    fn row(&mut self, _: usize, _: usize, columns: u32) {
        self.0 += u64::from(columns.count_ones());
    }
}

/// A reusable list of placements that is fast to fill.
///
/// ```
/// use fourfold_blokus::{PlacementList, Position, Variant};
/// let mut list = PlacementList::default();
/// Position::start(Variant::DUO).legal_moves_into(&mut list);
/// assert_eq!(list.len(), 414);
/// ```
#[derive(Clone, Default, Debug)]
pub struct PlacementList {
    /// The first `len` entries are the placements; the others are stale.
    places: Vec<Placement>,
    len: usize,
}

/// An upper bound on the placements in one row.
const MAX_COLUMNS: usize = 32;

impl PlacementList {
    /// Removes all placements.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    #[cold]
    fn grow(&mut self) {
        let none = Placement { orientation: 0, row: 0, column: 0 };
        self.places.resize(2 * self.places.len() + 16 * MAX_COLUMNS, none);
    }
}

impl PlacementSink for PlacementList {
    #[inline(always)]
    fn row(&mut self, orientation: usize, row: usize, columns: u32) {
        if self.places.len() < self.len + MAX_COLUMNS {
            self.grow();
        }
        let Some(room) = self.places[self.len..].first_chunk_mut::<MAX_COLUMNS>() else { return };
        let (orientation, row) = (orientation as u8, row as u8);
        let at =
            |columns: u32| Placement { orientation, row, column: columns.trailing_zeros() as u8 };
        // Most rows have one or two placements, so write two without checking how many there are.
        let mut rest = columns;
        room[0] = at(rest);
        rest &= rest.wrapping_sub(1);
        room[1] = at(rest);
        rest &= rest.wrapping_sub(1);
        let mut next = 2;
        while rest != 0 {
            room[next % MAX_COLUMNS] = at(rest);
            rest &= rest - 1;
            next += 1;
        }
        self.len += columns.count_ones() as usize;
    }
}

impl core::ops::Deref for PlacementList {
    type Target = [Placement];

    #[inline]
    fn deref(&self) -> &[Placement] {
        &self.places[..self.len]
    }
}

/// A list of legal placements, grouped by orientation and row, that is fast to fill and to sample
/// from.
#[derive(Clone, Default, Debug)]
pub struct PlacementRows {
    rows: Vec<PlacementRow>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct PlacementRow {
    columns: u32,
    orientation: u8,
    row: u8,
}

impl PlacementRows {
    /// Removes all placements.
    #[inline]
    pub fn clear(&mut self) {
        self.rows.clear();
        self.len = 0;
    }

    /// Returns the number of placements.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no placements.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the placement at index `nth`, in the order in which they were added.
    #[inline]
    pub fn nth(&self, mut nth: usize) -> Option<Placement> {
        for &PlacementRow { mut columns, orientation, row } in &self.rows {
            let count = columns.count_ones() as usize;
            if nth < count {
                (0..nth).for_each(|_| columns &= columns - 1);
                let column = columns.trailing_zeros() as u8;
                return Some(Placement { orientation, row, column });
            }
            nth -= count;
        }
        None
    }
}

impl PlacementSink for PlacementRows {
    #[inline(always)]
    fn row(&mut self, orientation: usize, row: usize, columns: u32) {
        let (orientation, row) = (orientation as u8, row as u8);
        self.rows.push(PlacementRow { columns, orientation, row });
        self.len += columns.count_ones() as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Variant, random_walk};

    #[test]
    fn all_sinks_collect_the_same_placements() {
        for position in random_walk(Position::start(Variant::CLASSIC), 1) {
            let Some(color) = position.turn() else { break };
            let mut single = Vec::new();
            position.generate(color, &mut Each(|placement| single.push(placement)));
            let mut list = PlacementList::default();
            position.legal_moves_into(&mut list);
            assert_eq!(*list, *single);
            let mut rows = PlacementRows::default();
            position.generate(color, &mut rows);
            assert_eq!(rows.len(), single.len());
            assert!((0..rows.len()).map(|nth| rows.nth(nth)).eq(single.iter().copied().map(Some)));
            assert_eq!(rows.nth(rows.len()), None);
            assert_eq!(position.count_legal(), single.len());
        }
    }
}
