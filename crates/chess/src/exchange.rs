//! What a capture wins when both sides go on taking on its square.

use std::ops::ControlFlow;

use fourfold_board::Square;

use crate::{Move, MoveKind, Position, Role};

impl Position {
    /// What a legal move wins or loses, in pawns, if from then on both sides play only legal
    /// captures on its target square and stop when they like.
    ///
    /// ```
    /// use fourfold_chess::Position;
    /// // The rook takes a pawn that a pawn defends.
    /// let position = Position::from_fen("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1")?;
    /// assert_eq!(position.exchange(position.parse_uci("d1d5")?), 1 - 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exchange(&self, mv: Move) -> i32 {
        // Nobody can win more than a queen and a promotion at once.
        const MOST: i32 = 100;
        self.exchange_within(mv, -MOST, MOST)
    }

    /// The value of [`Position::exchange`] as far as it lies between two bounds.
    fn exchange_within(&self, mv: Move, low: i32, high: i32) -> i32 {
        let taken = self.captured(mv).map_or(0, Role::value);
        let promoted = mv.promotion().map_or(0, |role| role.value() - Role::Pawn.value());
        let gain = taken + promoted;
        // The enemy may stop, so a reply is worth at least nothing.
        let after = self.after(mv);
        let mut best = 0;
        let (reply_low, reply_high) = (gain - high, gain - low);
        for reply in after.captures_on(mv.target()) {
            if best >= reply_high {
                break;
            }
            best = best.max(after.exchange_within(reply, reply_low.max(best), reply_high));
        }
        gain - best
    }

    /// The legal captures on a square, the cheapest man first.
    fn captures_on(&self, square: Square) -> Vec<Move> {
        let mut captures = Vec::new();
        self.for_each_legal(|mv| {
            if mv.to() == square && mv.kind() != MoveKind::Castling {
                captures.push(mv);
            }
            ControlFlow::Continue(())
        });
        captures.sort_by_key(|mv| mv.role());
        captures
    }
}
