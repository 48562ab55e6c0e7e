//! Arbitrary arrangements of pieces and their validation.

use alloc::vec;
use alloc::vec::Vec;

use fourfold_board::Square;
use fourfold_common::{ensure, join};
use thiserror::Error;

use crate::lines::walk;
use crate::pieces::{cell, is_on_board};
use crate::play::MAX_COUNTER;
use crate::position::corner;
use crate::{Army, BOARD, Bitboard, Ending, Mode, Piece, Player, Players, Position, Role, Rules};

/// The most pieces that an army can have: as many as it starts with.
pub const MAX_PIECES: usize = 16;

/// A start position. They differ only in the squares of kings and queens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StartPosition {
    /// Every king faces a queen, and the board is symmetric under quarter turns. The default.
    Modern,
    /// Modern with king and queen swapped for Blue and Green.
    Classic,
    /// Modern with king and queen swapped for Yellow and Green.
    By,
    /// Modern with king and queen swapped for Yellow.
    Byg,
    /// Modern with king and queen swapped for Red and Blue.
    Rg,
}

impl StartPosition {
    /// All five start positions.
    pub const ALL: [StartPosition; 5] = [
        StartPosition::Modern,
        StartPosition::Classic,
        StartPosition::By,
        StartPosition::Byg,
        StartPosition::Rg,
    ];

    /// Returns the name: `modern`.
    pub const fn name(self) -> &'static str {
        ["modern", "classic", "by", "byg", "rg"][self as usize]
    }

    /// Returns the start position with this name.
    pub fn from_name(name: &str) -> Option<StartPosition> {
        StartPosition::ALL.into_iter().find(|start| start.name() == name)
    }

    /// Returns the squares of the kings, by player.
    const fn kings(self) -> [&'static str; 4] {
        match self {
            StartPosition::Modern => ["h1", "a7", "g14", "n8"],
            StartPosition::Classic => ["h1", "a8", "g14", "n7"],
            StartPosition::By => ["h1", "a7", "h14", "n7"],
            StartPosition::Byg => ["h1", "a7", "h14", "n8"],
            StartPosition::Rg => ["g1", "a8", "g14", "n8"],
        }
    }
}

/// A wing on which a king can castle, named by the distance between king and rook.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wing {
    /// The rook is three squares from the king.
    Short,
    /// The rook is four squares from the king.
    Long,
}

impl Wing {
    /// Both wings.
    pub const ALL: [Wing; 2] = [Wing::Short, Wing::Long];
}

/// An arbitrary arrangement of pieces, with the other fields of a FEN4.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pieces: Vec<Option<Piece>>,
    /// The player to move.
    pub turn: Player,
    /// The players who have been eliminated.
    pub eliminated: Players,
    /// The players who have resigned; they must be in `eliminated`, too.
    pub resigned: Players,
    /// The players who have run out of time; they must be in `eliminated`, too.
    pub flagged: Players,
    castling: [Players; 2],
    /// The points, by player.
    pub points: [u16; 4],
    /// Plies since the last capture or pawn move.
    pub clock: u16,
    /// The en passant square of each player. The pawn that skipped it is one step ahead.
    pub en_passant: [Option<Square>; 4],
}

impl Setup {
    /// Returns an empty board with Red to move and all players alive.
    pub fn empty() -> Setup {
        Setup {
            pieces: vec![None; 256],
            turn: Player::Red,
            eliminated: Players::NONE,
            resigned: Players::NONE,
            flagged: Players::NONE,
            castling: [Players::NONE; 2],
            points: [0; 4],
            clock: 0,
            en_passant: [None; 4],
        }
    }

    /// Returns one of the start positions.
    pub fn start(start: StartPosition) -> Setup {
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        let mut setup = Setup::empty();
        for (player, king) in Player::ALL.into_iter().zip(start.kings()) {
            let army = Army::of(player);
            let pieces = [Rook, Knight, Bishop, Queen, Queen, Bishop, Knight, Rook];
            for (square, role) in army.back_line.iter().zip(pieces) {
                let role = if BOARD.name(square) == king { King } else { role };
                setup.put(square, Some(Piece::new(player, role)));
            }
            for square in army.home_line {
                setup.put(square, Some(Piece::new(player, Pawn)));
            }
        }
        setup.castling = [Players::ALL; 2];
        setup
    }

    /// Returns the piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces.get(square.index()).copied().flatten()
    }

    /// Puts a piece on a square, or clears the square. Does nothing if the board has no such
    /// square.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        if is_on_board(square) {
            self.pieces[square.index()] = piece;
        }
    }

    /// Iterates over all pieces with their squares.
    pub fn iter_pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        BOARD.squares().iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// Returns the players who still have the right to castle on a wing.
    pub const fn castling(&self, wing: Wing) -> Players {
        self.castling[wing as usize]
    }

    /// Returns a mutable reference to the players who still have the right to castle on a wing.
    pub const fn castling_mut(&mut self, wing: Wing) -> &mut Players {
        &mut self.castling[wing as usize]
    }

    /// Converts the setup to a position with these rules. A player to move who has no legal move is
    /// eliminated at once, as in play.
    ///
    /// # Errors
    /// Returns an error that lists all faults if the setup is not valid.
    pub fn validate(&self, rules: Rules) -> Result<Position, InvalidSetupError> {
        let mut faults = Vec::new();
        for player in Player::ALL {
            self.check_army(player, &rules, &mut faults);
            self.check_rights(player, &mut faults);
        }
        self.check_players(&rules, &mut faults);
        if self.clock > MAX_COUNTER {
            faults.push(Fault::Clock(self.clock));
        }
        ensure!(faults.is_empty(), InvalidSetupError { faults });
        let mut position = Position::from_validated(self, rules);
        match rules.mode {
            // The survivor already has the points for that.
            Mode::FreeForAll if position.alive().len() < 2 => {
                position.state.end(Ending::LastSurvivor);
            }
            Mode::FreeForAll => {}
            Mode::Teams if !self.eliminated.is_empty() => position.end_with_eliminated_team(),
            Mode::Teams => {}
        }
        if !position.movers().contains(position.turn()) {
            position.pass_turn();
        }
        position.eliminate_stuck();
        Ok(position)
    }

    fn army(&self, player: Player) -> Bitboard {
        let own = self.iter_pieces().filter(|(_, piece)| piece.owner == Some(player));
        own.map(|(square, _)| square).collect()
    }

    fn kings(&self, player: Player) -> Vec<Square> {
        let king = Piece::new(player, Role::King);
        self.iter_pieces().filter(|&(_, piece)| piece == king).map(|(square, _)| square).collect()
    }

    fn check_army(&self, player: Player, rules: &Rules, faults: &mut Vec<Fault>) {
        match self.kings(player).len() {
            0 if self.eliminated.contains(player) => {}
            0 => faults.push(Fault::NoKing(player)),
            1 => {}
            _ => faults.push(Fault::SeveralKings(player)),
        }
        if self.army(player).len() > MAX_PIECES {
            faults.push(Fault::TooManyPieces(player));
        }
        let army = Army::of(player);
        let far = match rules.mode {
            Mode::FreeForAll => army.promotion_free,
            Mode::Teams => army.promotion_teams,
        };
        for square in self.army(player) & (army.back_line | far) {
            if self.piece_at(square) == Some(Piece::new(player, Role::Pawn)) {
                faults.push(Fault::Pawn(player, square));
            }
        }
        if self.points[player as usize] > MAX_COUNTER {
            faults.push(Fault::Points(player, self.points[player as usize]));
        }
    }

    fn check_rights(&self, player: Player, faults: &mut Vec<Fault>) {
        for wing in Wing::ALL {
            if !self.castling(wing).contains(player) {
                continue;
            }
            if !self.may_castle(player, wing) {
                faults.push(Fault::Castling(player, wing));
            }
        }
        if let Some(skipped) = self.en_passant[player as usize]
            && !self.has_skipped(player, skipped)
        {
            faults.push(Fault::EnPassant(player, skipped));
        }
    }

    /// Returns whether a player who is alive has a king and a rook on their squares for castling.
    fn may_castle(&self, player: Player, wing: Wing) -> bool {
        let king = self.kings(player).first().copied().map_or(255, cell);
        let corner = corner(player, king, wing);
        !self.eliminated.contains(player)
            && corner.map(|corner| self.piece_at(Army::of(player).corners[corner]))
                == Some(Some(Piece::new(player, Role::Rook)))
    }

    /// Returns whether a player who is alive has a pawn that can have just skipped a square.
    fn has_skipped(&self, player: Player, skipped: Square) -> bool {
        let army = Army::of(player);
        let pawn = Square::new(walk(cell(skipped), army.forward, 1) as usize);
        !self.eliminated.contains(player)
            && is_on_board(skipped)
            && army.third_line.contains(skipped)
            && self.piece_at(pawn) == Some(Piece::new(player, Role::Pawn))
    }

    /// Removes castling rights and en passant squares that the pieces do not allow, such as the en
    /// passant square of a pawn that has been captured. Some programs keep them.
    pub(crate) fn drop_stale_rights(&mut self) {
        for player in Player::ALL {
            for wing in Wing::ALL {
                if !self.may_castle(player, wing) {
                    *self.castling_mut(wing) = self.castling(wing).without(player);
                }
            }
            let skipped = self.en_passant[player as usize];
            self.en_passant[player as usize] =
                skipped.filter(|&skipped| self.has_skipped(player, skipped));
        }
    }

    fn check_players(&self, rules: &Rules, faults: &mut Vec<Fault>) {
        if self.eliminated == Players::ALL {
            faults.push(Fault::AllEliminated);
        }
        let withdrawn = self.resigned.or(self.flagged);
        for player in Player::ALL {
            let both = self.resigned.and(self.flagged).contains(player);
            if withdrawn.contains(player) && (!self.eliminated.contains(player) || both) {
                faults.push(Fault::Withdrawal(player));
            }
        }
        if self.eliminated.contains(self.turn) {
            let walks = rules.walking_king
                && withdrawn.contains(self.turn)
                && !self.kings(self.turn).is_empty();
            if !walks {
                faults.push(Fault::EliminatedTurn(self.turn));
            }
        }
        let has_lost = |team: Player| {
            self.eliminated.contains(team) || self.eliminated.contains(team.opposite())
        };
        if rules.mode == Mode::Teams && has_lost(Player::Red) && has_lost(Player::Blue) {
            faults.push(Fault::BothTeamsEliminated);
        }
    }
}

/// The error returned when a [`Setup`] is not valid. It lists all faults, not just the first.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", join(.faults, "; "))]
#[non_exhaustive]
pub struct InvalidSetupError {
    /// The faults; never empty.
    pub faults: Vec<Fault>,
}

/// A fault of a [`Setup`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// A living player has no king.
    #[error("{0} is alive but has no king")]
    NoKing(Player),
    /// A player has more than one king.
    #[error("{0} has more than one king")]
    SeveralKings(Player),
    /// A player has more than 16 pieces.
    #[error("{0} has more than {max} pieces", max = MAX_PIECES)]
    TooManyPieces(Player),
    /// A pawn is behind its home line, or on a square where it would have promoted.
    #[error("a pawn of {0} cannot stand on {square}", square = BOARD.name(*.1))]
    Pawn(Player, Square),
    /// A player's points are out of range.
    #[error("expected at most {max} points for {0}, got {1}", max = MAX_COUNTER)]
    Points(Player, u16),
    /// The clock is out of range.
    #[error("expected a clock of at most {max}, got {0}", max = MAX_COUNTER)]
    Clock(u16),
    /// A castling right that the player cannot have.
    #[error(
        "{0} cannot castle {wing}: the king or the rook is not on its start square",
        wing = if *.1 == Wing::Short { "short" } else { "long" }
    )]
    Castling(Player, Wing),
    /// An en passant square that no pawn of the player can have skipped.
    #[error("no pawn of {0} has just skipped {square}", square = BOARD.name(*.1))]
    EnPassant(Player, Square),
    /// All players have been eliminated.
    #[error("all players are eliminated")]
    AllEliminated,
    /// A player has resigned or run out of time but is alive, or has done both.
    #[error(
        "{0} has withdrawn and must be marked as dead, with exactly one of resigned and flagged"
    )]
    Withdrawal(Player),
    /// The player to move has been eliminated.
    #[error("{0} is to move but is eliminated")]
    EliminatedTurn(Player),
    /// Both teams have an eliminated player.
    #[error("both teams have an eliminated player")]
    BothTeamsEliminated,
}
