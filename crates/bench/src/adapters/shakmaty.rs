//! The crate shakmaty.

use std::hint::black_box;

use fourfold_chess::{Color, Role};
use fourfold_env::chess::labels;
use shakmaty::Position as _;

use super::Engine;

impl Engine for shakmaty::Chess {
    const NAME: &'static str = "shakmaty";
    type List = shakmaty::MoveList;

    fn from_fen(fen: &str) -> Self {
        let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
        fen.into_position(shakmaty::CastlingMode::Standard).expect("a position")
    }

    fn bulk(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let below = |&mv| {
            let mut child = self.clone();
            child.play_unchecked(mv);
            child.bulk(depth - 1)
        };
        moves.iter().map(below).sum()
    }

    fn full(&self, depth: u32) -> u64 {
        let below = |&mv| {
            let mut child = self.clone();
            child.play_unchecked(mv);
            if depth == 1 {
                black_box(&child);
                1
            } else {
                child.full(depth - 1)
            }
        };
        self.legal_moves().iter().map(below).sum()
    }

    fn list(&self, list: &mut shakmaty::MoveList) -> usize {
        *list = self.legal_moves();
        list.len()
    }

    fn play(&mut self, list: &shakmaty::MoveList, index: usize) {
        self.play_unchecked(list[index]);
    }

    fn list_and_mark(&self, list: &mut shakmaty::MoveList, mut mark: impl FnMut(u16)) -> usize {
        let count = self.list(list);
        let flip = labels::view(match self.turn() {
            shakmaty::Color::White => Color::White,
            shakmaty::Color::Black => Color::Black,
        });
        for mv in list {
            let from = mv.from().map_or(0, usize::from);
            let to = match mv.castling_side() {
                Some(side) => usize::from(side.king_to(self.turn())),
                None => usize::from(mv.to()),
            };
            let role = match mv.promotion() {
                Some(shakmaty::Role::Rook) => Some(Role::Rook),
                Some(shakmaty::Role::Bishop) => Some(Role::Bishop),
                Some(shakmaty::Role::Knight) => Some(Role::Knight),
                _ => None,
            };
            mark(match role {
                Some(role) => labels::underpromotion(from ^ flip, to ^ flip, role),
                None => labels::plain(from ^ flip, to ^ flip),
            });
        }
        count
    }
}
