//! Chess: ours, cozy-chess and shakmaty.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::rc::Rc;

use fourfold_board::{Keys, Square};
use fourfold_chess::{
    self as ours, Bitboard, Color, Move, MoveKind, MoveList, MoveSink, Role, random_walk,
};
use shakmaty::Position as _;

use crate::contest::{Contest, Contestant, Effort};
use crate::labels::{LABELS, Labels};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Random games are cut here: without draw rules bare kings wander for ever.
const MAX_PLIES: u32 = 200;

/// What a crate of chess rules is asked to do.
trait Engine: Clone + 'static {
    const NAME: &'static str;
    /// A list of moves, used again and again.
    type List: Default;
    fn from_fen(fen: &str) -> Self;
    fn bulk(&self, depth: u32) -> u64;
    fn full(&self, depth: u32) -> u64;
    /// Fills the list with the legal moves and says how many there are.
    fn list(&self, list: &mut Self::List) -> usize;
    /// Plays a move of the list.
    fn play(&mut self, list: &Self::List, index: usize);
    /// Calls `mark` with the label of every move of the list.
    fn labels(&self, list: &Self::List, labels: &Labels, mark: impl FnMut(u16));
    /// Fills the list and a mask that is all zero, and notes which bytes it has set.
    fn list_and_mark(
        &self,
        list: &mut Self::List,
        labels: &Labels,
        mask: &mut [u8; LABELS],
        marked: &mut Vec<u16>,
    ) -> usize {
        let count = self.list(list);
        self.labels(list, labels, |label| {
            mask[label as usize] = 1;
            marked.push(label);
        });
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

    fn labels(&self, list: &MoveList, labels: &Labels, mut mark: impl FnMut(u16)) {
        list.iter().for_each(|&mv| mark(labels.of(self.turn(), mv)));
    }

    /// Generates straight into list and mask.
    fn list_and_mark(
        &self,
        list: &mut MoveList,
        labels: &Labels,
        mask: &mut [u8; LABELS],
        marked: &mut Vec<u16>,
    ) -> usize {
        list.clear();
        marked.reserve(ours::MAX_MOVES);
        let color = self.turn();
        let mut sink = Marking { color, labels, list, mask, marked };
        self.generate(&mut sink);
        list.len()
    }
}

/// A sink that lists moves and marks their labels.
struct Marking<'a> {
    color: Color,
    labels: &'a Labels,
    list: &'a mut MoveList,
    mask: &'a mut [u8; LABELS],
    marked: &'a mut Vec<u16>,
}

impl Marking<'_> {
    #[inline(always)]
    fn mark(&mut self, mv: Move, label: u16) -> ControlFlow<()> {
        self.mask[label as usize] = 1;
        self.marked.push(label);
        self.list.push(mv);
        ControlFlow::Continue(())
    }
}

impl MoveSink for Marking<'_> {
    #[inline(always)]
    fn man(&mut self, role: Role, from: Square, to: Bitboard) -> ControlFlow<()> {
        for to in to {
            let label = self.labels.plain(self.color, from.index(), to.index());
            self.mark(Move::new(role, from, to, MoveKind::Normal), label)?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, step: i32, to: Bitboard, kind: MoveKind) -> ControlFlow<()> {
        for to in to {
            let from = Square::new((to.index() as i32 - step) as usize);
            let mv = Move::new(Role::Pawn, from, to, kind);
            self.mark(mv, self.labels.of(self.color, mv))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) -> ControlFlow<()> {
        self.mark(mv, self.labels.of(self.color, mv))
    }
}

/// The bundles of cozy-chess, unpacked.
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

    fn labels(&self, list: &CozyList, labels: &Labels, mut mark: impl FnMut(u16)) {
        use cozy_chess::{Color as Their, Piece};
        let color = match self.side_to_move() {
            Their::White => Color::White,
            Their::Black => Color::Black,
        };
        let own_rooks = self.colored_pieces(self.side_to_move(), Piece::Rook);
        for mv in list {
            let (from, mut to) = (mv.from as usize, mv.to as usize);
            let role = match mv.promotion {
                Some(Piece::Rook) => Some(Role::Rook),
                Some(Piece::Bishop) => Some(Role::Bishop),
                Some(Piece::Knight) => Some(Role::Knight),
                _ => None,
            };
            // Castling is the king taking its rook here.
            if own_rooks.has(mv.to) {
                to = if to > from { from + 2 } else { from - 2 };
            }
            mark(match role {
                Some(role) => labels.underpromotion(color, from, to, role),
                None => labels.plain(color, from, to),
            });
        }
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

    fn labels(&self, list: &shakmaty::MoveList, labels: &Labels, mut mark: impl FnMut(u16)) {
        let color = match self.turn() {
            shakmaty::Color::White => Color::White,
            shakmaty::Color::Black => Color::Black,
        };
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
                Some(role) => labels.underpromotion(color, from, to, role),
                None => labels.plain(color, from, to),
            });
        }
    }
}

/// All chess workloads.
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
            masked_games::<ours::Position>("fourfold", plies, Clearing::Marked),
            masked_games::<ours::Position>("fourfold, all cleared", plies, Clearing::All),
            masked_games::<cozy_chess::Board>("cozy-chess", plies, Clearing::All),
            masked_games::<cozy_chess::Board>("cozy-chess, our clearing", plies, Clearing::Marked),
            masked_games::<shakmaty::Chess>("shakmaty", plies, Clearing::All),
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

/// Positions from all phases of random games.
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
        let mut keys = Keys::new(1);
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

/// How the mask of the step before is wiped out.
#[derive(Clone, Copy)]
enum Clearing {
    /// All 4672 bytes.
    All,
    /// Only those that were set.
    Marked,
}

fn masked_games<E: Engine>(name: &'static str, steps: u64, clearing: Clearing) -> Contestant {
    let start = E::from_fen(START);
    let mut list = E::List::default();
    let labels = Labels::new();
    let mut mask = Box::new([0u8; LABELS]);
    let mut marked: Vec<u16> = Vec::new();
    Contestant::new(name, move || {
        let mut keys = Keys::new(1);
        let (mut position, mut plies) = (start.clone(), 0);
        for _ in 0..steps {
            match clearing {
                Clearing::All => mask.fill(0),
                Clearing::Marked => marked.iter().for_each(|&label| mask[label as usize] = 0),
            }
            marked.clear();
            let count = position.list_and_mark(&mut list, &labels, &mut mask, &mut marked);
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

/// A random index below `count`.
fn pick(keys: &mut Keys, count: usize) -> usize {
    ((u128::from(keys.next()) * count as u128) >> 64) as usize
}
