//! Chess: fourfold, cozy-chess and shakmaty.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::rc::Rc;

use fourfold_board::Square;
use fourfold_chess::{
    self as ours, Bitboard, Color, Move, MoveKind, MoveList, MoveSink, Role, random_walk,
};
use fourfold_common::SplitMix64;
use fourfold_env::chess::labels::{self, LABELS};
use shakmaty::Position as _;

use crate::contest::{Contest, Contestant, Effort, pick};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The maximum length of random games, which would not end with bare kings without draw rules.
const MAX_PLIES: u32 = 200;

/// The operations that are measured for each chess crate.
trait Engine: Clone + 'static {
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
    /// Calls `mark` with the label of every move of the list.
    fn labels(&self, list: &Self::List, mark: impl FnMut(u16));
    /// Fills the list and calls `mark` with the label of every move, in one pass where the crate
    /// allows it.
    fn list_and_mark(&self, list: &mut Self::List, mark: impl FnMut(u16)) -> usize {
        let count = self.list(list);
        self.labels(list, mark);
        count
    }
}

impl Engine for ours::Position {
    const NAME: &'static str = "fourfold";
    type List = MoveList;

    fn from_fen(fen: &str) -> Self {
        ours::Position::from_fen(fen).expect("a FEN")
    }

    fn bulk(&self, depth: u32) -> u64 {
        ours::perft(self, depth)
    }

    fn full(&self, depth: u32) -> u64 {
        ours::perft_by_playing(self, depth)
    }

    fn list(&self, list: &mut MoveList) -> usize {
        self.legal_moves_into(list);
        list.len()
    }

    fn play(&mut self, list: &MoveList, index: usize) {
        self.play_unchecked(list[index]);
    }

    fn labels(&self, list: &MoveList, mut mark: impl FnMut(u16)) {
        list.iter().for_each(|&mv| mark(labels::encode(self.turn(), mv)));
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

    fn labels(&self, list: &CozyList, mut mark: impl FnMut(u16)) {
        let view = CozyView::new(self);
        list.iter().for_each(|&mv| mark(view.label(mv)));
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

    fn labels(&self, list: &shakmaty::MoveList, mut mark: impl FnMut(u16)) {
        let flip = labels::view(match self.turn() {
            shakmaty::Color::White => Color::White,
            shakmaty::Color::Black => Color::Black,
        });
        for mv in list {
            let from = mv.from().map_or(0, usize::from);
            let to = mv.to();
            let to = match mv.castling_side() {
                Some(side) => usize::from(side.king_to(self.turn())),
                None => usize::from(to),
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
    }
}

/// Returns all chess workloads.
pub(crate) fn contests(effort: Effort) -> Vec<Contest> {
    let less = |depth: u32| if effort == Effort::Quick { depth - 2 } else { depth };
    let plies = if effort == Effort::Quick { 10_000 } else { 500_000 };
    let mut contests = Vec::new();
    for (name, fen, depth) in [("start", START, 6), ("kiwipete", KIWIPETE, 5)] {
        let bulk = format!("chess perft bulk {name} {}", less(depth));
        contests.push(everybody(bulk, "nodes", fen, less(depth), Counting::Bulk));
        let full = format!("chess perft full {name} {}", less(depth - 1));
        contests.push(everybody(full, "nodes", fen, less(depth - 1), Counting::Full));
    }
    let fens = Rc::new(positions(if effort == Effort::Quick { 100 } else { 2000 }));
    contests.push(Contest {
        name: "chess legal moves".to_owned(),
        unit: "moves",
        contestants: vec![
            generation::<ours::Position>(&fens),
            generation::<cozy_chess::Board>(&fens),
            generation::<shakmaty::Chess>(&fens),
        ],
    });
    contests.push(Contest {
        name: "chess play every move".to_owned(),
        unit: "moves",
        contestants: vec![
            playing::<ours::Position>(&fens),
            playing::<cozy_chess::Board>(&fens),
            playing::<shakmaty::Chess>(&fens),
        ],
    });
    contests.push(Contest {
        name: "chess random games".to_owned(),
        unit: "steps",
        contestants: vec![
            random_games::<ours::Position>(plies),
            random_games::<cozy_chess::Board>(plies),
            random_games::<shakmaty::Chess>(plies),
        ],
    });
    contests.push(Contest {
        name: "chess random games with mask".to_owned(),
        unit: "steps",
        contestants: vec![
            masked_games::<ours::Position>(plies, Clearing::All),
            masked_games::<cozy_chess::Board>(plies, Clearing::All),
            masked_games::<shakmaty::Chess>(plies, Clearing::All),
        ],
    });
    contests.push(Contest {
        name: "chess random games with mask, cleared where set".to_owned(),
        unit: "steps",
        contestants: vec![
            masked_games::<ours::Position>(plies, Clearing::Marked),
            masked_games::<cozy_chess::Board>(plies, Clearing::Marked),
            masked_games::<shakmaty::Chess>(plies, Clearing::Marked),
        ],
    });
    contests
}

#[derive(Clone, Copy)]
enum Counting {
    Bulk,
    Full,
}

fn everybody(name: String, unit: &'static str, fen: &str, depth: u32, how: Counting) -> Contest {
    fn contestant<E: Engine>(fen: &str, depth: u32, how: Counting) -> Contestant {
        let root = E::from_fen(fen);
        Contestant::new(E::NAME, move || match how {
            Counting::Bulk => black_box(&root).bulk(depth),
            Counting::Full => black_box(&root).full(depth),
        })
    }
    Contest {
        name,
        unit,
        contestants: vec![
            contestant::<ours::Position>(fen, depth, how),
            contestant::<cozy_chess::Board>(fen, depth, how),
            contestant::<shakmaty::Chess>(fen, depth, how),
        ],
    }
}

/// Returns FENs from all phases of random games.
fn positions(count: usize) -> Vec<String> {
    let walks = (0..).flat_map(|seed| {
        random_walk(ours::Position::start(), seed).take(120).skip(seed as usize % 11).step_by(11)
    });
    walks
        .filter(|position| position.has_legal_move())
        .map(|position| position.fen())
        .take(count)
        .collect()
}

fn generation<E: Engine>(fens: &Rc<Vec<String>>) -> Contestant {
    let positions: Vec<E> = fens.iter().map(|fen| E::from_fen(fen)).collect();
    let mut list = E::List::default();
    Contestant::new(E::NAME, move || {
        let mut moves = 0;
        for _ in 0..20 {
            moves += positions.iter().map(|position| position.list(&mut list) as u64).sum::<u64>();
        }
        moves
    })
}

fn playing<E: Engine>(fens: &Rc<Vec<String>>) -> Contestant {
    let listed = |position: E| {
        let mut list = E::List::default();
        let count = position.list(&mut list);
        (position, list, count)
    };
    let positions: Vec<(E, E::List, usize)> =
        fens.iter().map(|fen| listed(E::from_fen(fen))).collect();
    Contestant::new(E::NAME, move || {
        let mut moves = 0;
        for _ in 0..20 {
            for (position, list, count) in &positions {
                for index in 0..*count {
                    let mut child = position.clone();
                    child.play(list, index);
                    black_box(&child);
                }
                moves += *count as u64;
            }
        }
        moves
    })
}

fn random_games<E: Engine>(steps: u64) -> Contestant {
    let start = E::from_fen(START);
    let mut list = E::List::default();
    Contestant::new(E::NAME, move || {
        let mut keys = SplitMix64::new(1);
        let (mut position, mut plies) = (start.clone(), 0);
        for _ in 0..steps {
            let count = position.list(&mut list);
            if count == 0 || plies == MAX_PLIES {
                (position, plies) = (start.clone(), 0);
                continue;
            }
            position.play(&list, pick(&mut keys, count));
            plies += 1;
        }
        black_box(&position);
        steps
    })
}

/// How the mask of the previous step is cleared.
#[derive(Clone, Copy)]
enum Clearing {
    /// Clears all 4672 bytes.
    All,
    /// Clears only the bytes that were set.
    Marked,
}

fn masked_games<E: Engine>(steps: u64, clearing: Clearing) -> Contestant {
    let start = E::from_fen(START);
    let mut list = E::List::default();
    let mut mask = Box::new([0u8; LABELS]);
    let mut marked: Vec<u16> = Vec::with_capacity(ours::MAX_MOVES);
    Contestant::new(E::NAME, move || {
        let mut keys = SplitMix64::new(1);
        let (mut position, mut plies) = (start.clone(), 0);
        for _ in 0..steps {
            let count = match clearing {
                Clearing::All => {
                    mask.fill(0);
                    position.list_and_mark(&mut list, |label| mask[label as usize] = 1)
                }
                Clearing::Marked => {
                    marked.iter().for_each(|&label| mask[label as usize] = 0);
                    marked.clear();
                    position.list_and_mark(&mut list, |label| {
                        mask[label as usize] = 1;
                        marked.push(label);
                    })
                }
            };
            black_box(&mask);
            if count == 0 || plies == MAX_PLIES {
                (position, plies) = (start.clone(), 0);
                continue;
            }
            position.play(&list, pick(&mut keys, count));
            plies += 1;
        }
        steps
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that all crates do the same work: the same moves, with the same labels.
    #[test]
    fn all_crates_mark_the_same_labels() {
        fn marked<E: Engine>(fen: &str) -> Vec<u16> {
            let (position, mut list) = (E::from_fen(fen), E::List::default());
            let mut marked = Vec::new();
            let count = position.list_and_mark(&mut list, |label| marked.push(label));
            assert_eq!((count, position.list(&mut list)), (marked.len(), marked.len()), "{fen}");
            marked.sort();
            marked
        }
        for fen in positions(500).iter().map(String::as_str).chain([START, KIWIPETE]) {
            let ours = marked::<ours::Position>(fen);
            assert_eq!(ours, marked::<cozy_chess::Board>(fen), "{fen}");
            assert_eq!(ours, marked::<shakmaty::Chess>(fen), "{fen}");
        }
    }

    #[test]
    fn every_contest_runs() {
        for contest in contests(Effort::Quick) {
            contest.run(1);
        }
    }
}
