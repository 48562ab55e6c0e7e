//! The facts of a position, and which of them are wanted.

use fourfold_board::cpu::{self, Cpu, Work};
use fourfold_chess::{Bitboard, Color, Move, Position};

use crate::{look, moves, pawns};

/// All facts of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    sides: [SideFacts; 2],
}

/// Groups of facts, by what they cost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Facts {
    /// Material, mobility, and attacks around kings.
    pub counts: bool,
    /// Legal moves that attack two men at once.
    pub forks: bool,
    /// What captures win, and men that lose material by them.
    pub exchanges: bool,
}

impl Facts {
    /// What one pass over the men gives: everything but forks and exchanges.
    pub const ONE_PASS: Facts = Facts { counts: true, forks: false, exchanges: false };
    /// Everything.
    pub const ALL: Facts = Facts { counts: true, forks: true, exchanges: true };
}

/// What is true of one side's men. Attackers are enemy men that attack a square, defenders own ones;
/// pinned men and kings count among them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideFacts {
    /// All men.
    pub pieces: Bitboard,
    /// Men with an attacker.
    pub attacked: Bitboard,
    /// Men with more attackers than defenders.
    pub hanging: Bitboard,
    /// Pieces that stand alone between the own king and an enemy slider.
    pub pinned: Bitboard,
    /// Pawns that do.
    pub pinned_pawns: Bitboard,
    /// Pieces attacked along a line on which an own man stands behind them that is worth no more; or
    /// the king before any own man.
    pub skewered: Bitboard,
    /// Knights and bishops off the first rank.
    pub developed: Bitboard,
    /// Knights and bishops on the fourth to sixth rank, defended by a pawn, where no enemy pawn can come
    /// to attack them.
    pub outposts: Bitboard,
    /// The pawns.
    pub pawns: PawnFacts,
    /// Values of all men in pawns, without the king.
    pub material: u32,
    /// Squares that all men attack and no own man holds, counted for each man.
    pub mobility: u32,
    /// Attacks of enemy men on the king's square and those around it, counted for each man and square.
    pub king_ring: u32,
    /// Every legal capture with what it wins, in pawns; for the side that is not to move, as if the
    /// other one had passed.
    pub captures: Vec<(Move, i32)>,
    /// Men that the enemy can win material by taking.
    pub en_prise: Bitboard,
    /// Legal moves after which the moved man attacks two or more enemy men that are kings, worth more
    /// than it, or undefended; for the side that is not to move, as if the other one had passed.
    pub forks: Vec<Move>,
}

/// How one side's pawns stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PawnFacts {
    /// All of them.
    pub all: Bitboard,
    /// More than one on the file.
    pub doubled: Bitboard,
    /// No own pawn on a neighbouring file.
    pub isolated: Bitboard,
    /// Not isolated, and every own pawn on the neighbouring files stands ahead.
    pub backward: Bitboard,
    /// Backward, and an enemy pawn holds or attacks the square ahead.
    pub backward_held: Bitboard,
    /// No enemy pawn ahead on its own or a neighbouring file.
    pub passed: Bitboard,
}

impl Analysis {
    /// Everything about a position.
    pub fn of(position: &Position) -> Analysis {
        Analysis::with(position, Facts::ALL)
    }

    /// What is wanted; all else is empty.
    pub fn with(position: &Position, facts: Facts) -> Analysis {
        struct Analyse<'a>(&'a Position, Facts);

        impl Work for Analyse<'_> {
            type Output = Analysis;

            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> Analysis {
                Analysis::with_on(cpu, self.0, self.1)
            }
        }

        cpu::enter(Analyse(position, facts))
    }

    /// The same, inside of work that has entered its CPU.
    #[inline(always)]
    pub fn with_on<C: Cpu>(cpu: C, position: &Position, facts: Facts) -> Analysis {
        let mut analysis = Analysis { sides: [SideFacts::default(), SideFacts::default()] };
        let seen = if facts.counts {
            look::over::<C, true>(cpu, position, &mut analysis.sides)
        } else {
            look::over::<C, false>(cpu, position, &mut analysis.sides)
        };
        for color in Color::ALL {
            pawns::judge(position.board(), color, &mut analysis.sides[color as usize]);
        }
        if facts.forks || facts.exchanges {
            let turn = position.turn();
            let passed = if seen.check { None } else { position.passed() };
            for (position, color) in [(Some(*position), turn), (passed, !turn)] {
                let Some(position) = position else { continue };
                let own = &mut analysis.sides[color as usize];
                let en_prise = moves::judge(cpu, &position, &seen, facts, own);
                analysis.sides[!color as usize].en_prise = en_prise;
            }
        }
        analysis
    }

    /// One side's facts.
    pub const fn of_color(&self, color: Color) -> &SideFacts {
        &self.sides[color as usize]
    }
}
