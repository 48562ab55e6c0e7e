//! Distances on the boards of chess and four-player chess.

use fourfold_board::{Geometry, Square};

/// Returns how many king moves apart two squares are, as if the board had no gaps.
pub(crate) const fn distance<const N: usize, const W: usize>(
    board: &Geometry<N, W>,
    from: Square,
    to: Square,
) -> i32 {
    let files = board.file(from).abs_diff(board.file(to));
    let ranks = board.rank(from).abs_diff(board.rank(to));
    if files > ranks { files as i32 } else { ranks as i32 }
}
