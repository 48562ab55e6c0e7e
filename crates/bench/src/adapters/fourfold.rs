//! Fourfold's chess.

use std::ops::ControlFlow;

use fourfold_board::Square;
use fourfold_chess::{
    Bitboard, Color, Move, MoveKind, MoveList, MoveSink, Position, Role, perft, perft_by_playing,
};
use fourfold_env::chess::labels;

use super::Engine;

impl Engine for Position {
    const NAME: &'static str = "fourfold";
    type List = MoveList;

    fn from_fen(fen: &str) -> Self {
        Position::from_fen(fen).expect("a FEN")
    }

    fn bulk(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn full(&self, depth: u32) -> u64 {
        perft_by_playing(self, depth)
    }

    fn list(&self, list: &mut MoveList) -> usize {
        self.legal_moves_into(list);
        list.len()
    }

    fn play(&mut self, list: &MoveList, index: usize) {
        self.play_unchecked(list[index]);
    }

    fn list_and_mark(&self, list: &mut MoveList, mark: impl FnMut(u16)) -> usize {
        list.clear();
        self.generate(&mut Marking { color: self.turn(), list, mark });
        list.len()
    }
}

/// A sink that collects moves and marks their labels.
struct Marking<'a, F> {
    color: Color,
    list: &'a mut MoveList,
    mark: F,
}

impl<F: FnMut(u16)> MoveSink for Marking<'_, F> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) -> ControlFlow<()> {
        for to in to {
            let flip = labels::view(self.color);
            (self.mark)(labels::plain(from.index() ^ flip, to.index() ^ flip));
            self.list.push(Move::new(role, from, to, MoveKind::Normal));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, step: i32, to: Bitboard, kind: MoveKind) -> ControlFlow<()> {
        for to in to {
            let from = Square::new((to.index() as i32 - step) as usize);
            self.single(Move::new(Role::Pawn, from, to, kind))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) -> ControlFlow<()> {
        (self.mark)(labels::encode(self.color, mv));
        self.list.push(mv);
        ControlFlow::Continue(())
    }
}
