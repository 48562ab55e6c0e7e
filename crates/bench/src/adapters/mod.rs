//! Adapters: the chess crates behind one trait, so that every workload runs the same code on each.

mod cozy_chess;
mod fourfold;
mod shakmaty;

/// The operations that are measured for each chess crate.
pub(crate) trait Engine: Clone + 'static {
    const NAME: &'static str;
    /// A reusable move list.
    type List: Default;
    fn from_fen(fen: &str) -> Self;
    fn bulk(&self, depth: u32) -> u64;
    fn full(&self, depth: u32) -> u64;
    /// Fills the list with the legal moves and returns their number.
    fn list(&self, list: &mut Self::List) -> usize;
    /// Plays the move at `index` in the list.
    fn play(&mut self, list: &Self::List, index: usize);
    /// Fills the list, calls `mark` with the label of every move, in one pass where the crate allows
    /// it, and returns the number of moves.
    fn list_and_mark(&self, list: &mut Self::List, mark: impl FnMut(u16)) -> usize;
}
