//! The facts about a position, and which of them to compute.

use fourfold_chess::{Bitboard, Color, Move, Position};
use fourfold_common::cpu::{self, Cpu, Work};

use crate::scan::scan;
use crate::{moves, pawns};

/// The analysis of a position: the facts about both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    sides: [SideFacts; 2],
}

/// Which groups of facts to compute. Each group has its own cost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FactGroups {
    /// Material, mobility and attacks on the king ring.
    pub counts: bool,
    /// Legal moves that attack two pieces at once.
    pub forks: bool,
    /// The static exchange values of captures, and pieces en prise.
    pub exchanges: bool,
}

impl FactGroups {
    /// Everything that one pass over the pieces yields: all facts except forks and exchanges.
    pub const ONE_PASS: FactGroups = FactGroups { counts: true, forks: false, exchanges: false };
    /// All facts.
    pub const ALL: FactGroups = FactGroups { counts: true, forks: true, exchanges: true };
}

/// The facts about one side's pieces. The attackers of a piece are the enemy pieces that attack its
/// square, its defenders are the pieces of its own side that do. Pinned pieces and kings count.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideFacts {
    /// All pieces, including pawns and the king.
    pub pieces: Bitboard,
    /// Pieces with at least one attacker. Includes a king in check.
    pub attacked: Bitboard,
    /// Pieces with more attackers than defenders.
    pub hanging: Bitboard,
    /// Pieces other than pawns that are the only piece between their king and an enemy slider.
    pub pinned: Bitboard,
    /// Pawns that are the only piece between their king and an enemy slider.
    pub pinned_pawns: Bitboard,
    /// Pieces other than pawns that a slider attacks along a line with another piece of their own
    /// side behind them. The piece in front is the king, or is worth at least as much as the one
    /// behind.
    pub skewered: Bitboard,
    /// Knights and bishops that are not on their own first rank.
    pub developed: Bitboard,
    /// Knights and bishops on their fourth to sixth rank that are defended by a pawn and that no
    /// enemy pawn can ever attack by advancing.
    pub outposts: Bitboard,
    /// The pawn structure.
    pub pawns: PawnFacts,
    /// The total value of all pieces in pawns, without the king.
    pub material: u32,
    /// The number of attacked squares not occupied by the same side, summed over all pieces.
    pub mobility: u32,
    /// The number of enemy attacks on the king's square and the squares around it. Every pair of
    /// attacking piece and attacked square counts.
    pub king_ring: u32,
    /// Every legal capture with its static exchange value in pawns. For the side that is not to
    /// move, these are the captures after a null move; there are none if the side to move is in
    /// check.
    pub captures: Vec<(Move, i32)>,
    /// Pieces that the enemy wins material by capturing.
    pub en_prise: Bitboard,
    /// Legal moves after which the moved piece attacks two or more enemy pieces, each of which is a
    /// king, worth more than the moved piece, or undefended. For the side that is not to move,
    /// these are moves after a null move, as in [`SideFacts::captures`].
    pub forks: Vec<Move>,
}

/// The pawn structure of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PawnFacts {
    /// All pawns.
    pub all: Bitboard,
    /// Pawns that share their file with another pawn of their side.
    pub doubled: Bitboard,
    /// Pawns without a pawn of their side on a neighboring file.
    pub isolated: Bitboard,
    /// Pawns that are not isolated, but whose side's pawns on the neighboring files are all further
    /// ahead.
    pub backward: Bitboard,
    /// Backward pawns with an enemy pawn occupying or attacking the square in front of them.
    pub backward_blocked: Bitboard,
    /// Pawns with no enemy pawn ahead of them on their own file or a neighboring one.
    pub passed: Bitboard,
}

impl Analysis {
    /// Computes all facts about a position.
    pub fn of(position: &Position) -> Analysis {
        Analysis::with(position, FactGroups::ALL)
    }

    /// Computes the given groups of facts. The fields of other groups stay empty or zero.
    pub fn with(position: &Position, facts: FactGroups) -> Analysis {
        struct Analyze<'a>(&'a Position, FactGroups);

        impl Work for Analyze<'_> {
            type Output = Analysis;

            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> Analysis {
                Analysis::compute(cpu, self.0, self.1)
            }
        }

        cpu::dispatch(Analyze(position, facts))
    }

    #[inline(always)]
    fn compute<C: Cpu>(cpu: C, position: &Position, facts: FactGroups) -> Analysis {
        let mut analysis = Analysis { sides: [SideFacts::default(), SideFacts::default()] };
        let scanned = if facts.counts {
            scan::<C, true>(cpu, position, &mut analysis.sides)
        } else {
            scan::<C, false>(cpu, position, &mut analysis.sides)
        };
        for color in Color::ALL {
            pawns::collect(position.board(), color, &mut analysis.sides[color as usize]);
        }
        if facts.forks || facts.exchanges {
            let turn = position.turn();
            let after_null_move = if scanned.check { None } else { position.after_null_move() };
            for (position, color) in [(Some(*position), turn), (after_null_move, !turn)] {
                let Some(position) = position else { continue };
                let own = &mut analysis.sides[color as usize];
                let en_prise = moves::collect(cpu, &position, &scanned, facts, own);
                analysis.sides[!color as usize].en_prise = en_prise;
            }
        }
        analysis
    }

    /// Returns the facts about one side.
    pub const fn side(&self, color: Color) -> &SideFacts {
        &self.sides[color as usize]
    }
}
