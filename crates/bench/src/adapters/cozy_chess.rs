//! The crate cozy-chess.

use std::hint::black_box;

use fourfold_chess::{Color, Role};
use fourfold_env::chess::labels;

use super::Engine;

/// The moves of cozy-chess, expanded from its per-piece bundles.
type CozyList = Vec<cozy_chess::Move>;

impl Engine for cozy_chess::Board {
    const NAME: &'static str = "cozy-chess";
    type List = CozyList;

    fn from_fen(fen: &str) -> Self {
        fen.parse().expect("a FEN")
    }

    fn bulk(&self, depth: u32) -> u64 {
        let mut nodes = 0;
        if depth == 1 {
            self.generate_moves(|moves| {
                nodes += moves.len() as u64;
                false
            });
            return nodes;
        }
        self.generate_moves(|moves| {
            for mv in moves {
                let mut child = self.clone();
                child.play_unchecked(mv);
                nodes += child.bulk(depth - 1);
            }
            false
        });
        nodes
    }

    fn full(&self, depth: u32) -> u64 {
        let mut nodes = 0;
        self.generate_moves(|moves| {
            for mv in moves {
                let mut child = self.clone();
                child.play_unchecked(mv);
                nodes += if depth == 1 {
                    black_box(&child);
                    1
                } else {
                    child.full(depth - 1)
                };
            }
            false
        });
        nodes
    }

    fn list(&self, list: &mut CozyList) -> usize {
        list.clear();
        self.generate_moves(|moves| {
            list.extend(moves);
            false
        });
        list.len()
    }

    fn play(&mut self, list: &CozyList, index: usize) {
        self.play_unchecked(list[index]);
    }

    fn list_and_mark(&self, list: &mut CozyList, mut mark: impl FnMut(u16)) -> usize {
        let view = CozyView::new(self);
        list.clear();
        self.generate_moves(|moves| {
            for mv in moves {
                mark(view.label(mv));
                list.push(mv);
            }
            false
        });
        list.len()
    }
}

/// The parts of a position that the labels of cozy-chess's moves depend on.
struct CozyView {
    color: Color,
    own_rooks: cozy_chess::BitBoard,
}

impl CozyView {
    fn new(board: &cozy_chess::Board) -> CozyView {
        let turn = board.side_to_move();
        let color = match turn {
            cozy_chess::Color::White => Color::White,
            cozy_chess::Color::Black => Color::Black,
        };
        CozyView { color, own_rooks: board.colored_pieces(turn, cozy_chess::Piece::Rook) }
    }

    #[inline(always)]
    fn label(&self, mv: cozy_chess::Move) -> u16 {
        use cozy_chess::Piece;
        let flip = labels::view(self.color);
        let (from, mut to) = (mv.from as usize, mv.to as usize);
        // cozy-chess encodes castling as the king capturing its own rook.
        if self.own_rooks.has(mv.to) {
            to = if to > from { from + 2 } else { from - 2 };
        }
        let role = match mv.promotion {
            None | Some(Piece::Queen) => return labels::plain(from ^ flip, to ^ flip),
            Some(Piece::Rook) => Role::Rook,
            Some(Piece::Bishop) => Role::Bishop,
            Some(Piece::Knight | Piece::Pawn | Piece::King) => Role::Knight,
        };
        labels::underpromotion(from ^ flip, to ^ flip, role)
    }
}
