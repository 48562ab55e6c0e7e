//! A playable position of four-player chess.

use core::fmt;

use bytemuck::{Pod, Zeroable};
use fourfold_board::Square;
use fourfold_common::cpu;

use crate::lines::walk;
use crate::pieces::{Pieces, cell, decode, is_on_board};
use crate::rules::PlainRules;
use crate::{
    Army, Bitboard, Ending, Mode, Move, MoveKind, Piece, Player, Players, Role, Rules, Setup,
    StartPosition, Wing, zobrist,
};

/// The index that stands for no square.
pub(crate) const NONE: u8 = 255;

/// A playable position: plain data, cheap to copy.
///
/// Only [`Setup::validate`] creates one, so every living player has exactly one king, and castling
/// rights and en passant squares match the board. A player to move who has no legal move has
/// already been eliminated; see [`Position::play`].
///
/// ```
/// use fourfold_four_player::{StartPosition, Position, Rules};
///
/// let mut position = Position::start(StartPosition::Modern, Rules::default());
/// assert_eq!(position.legal_moves().len(), 20);
/// position.play(position.parse_move("h2h4")?)?;
/// assert_eq!(position.turn().name(), "blue");
/// assert!(position.fen4().starts_with("B-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-{'enPassant':('h3:h4',"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The bytes of a position are stable, so it can be stored and copied as such. Bytes from elsewhere
/// must be checked with [`Position::is_valid`]; without that, methods may panic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Position {
    pub(crate) pieces: Pieces,
    pub(crate) state: State,
    rules: PlainRules,
}

/// Everything except the pieces: small enough that making a move can save all of it for unmaking.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct State {
    pub(crate) key: u64,
    pub(crate) points: [u16; 4],
    /// Plies since the last capture or pawn move.
    pub(crate) clock: u16,
    /// The square of each player's king, including eliminated players, or `NONE` if it was
    /// captured.
    pub(crate) kings: [u8; 4],
    /// The en passant square of each player, or `NONE`.
    pub(crate) en_passant: [u8; 4],
    /// Two bits for each player: castling with the rook in the corner of lower index, then of
    /// higher index.
    pub(crate) castling: u8,
    /// A [`Player`].
    turn: u8,
    pub(crate) alive: Players,
    pub(crate) resigned: Players,
    pub(crate) flagged: Players,
    /// An [`Ending`], or `NONE` while the game is in progress.
    ending: u8,
}

impl State {
    #[inline(always)]
    pub(crate) const fn turn(&self) -> Player {
        Player::from_index(self.turn)
    }

    #[inline(always)]
    pub(crate) const fn set_turn(&mut self, player: Player) {
        self.turn = player as u8;
    }

    #[inline(always)]
    pub(crate) fn ending(&self) -> Option<Ending> {
        Ending::ALL.get(self.ending as usize).copied()
    }

    pub(crate) const fn end(&mut self, ending: Ending) {
        self.ending = ending as u8;
    }

    /// Returns the square and owner of the pawn that a move captures en passant.
    #[inline(always)]
    pub(crate) fn en_passant_victim(&self, mv: Move) -> Option<(u8, Player)> {
        if mv.kind() != MoveKind::EnPassant {
            return None;
        }
        // The en passant square determines the owner.
        let owner = self.en_passant.iter().position(|&skipped| skipped == mv.to)?;
        let owner = Player::from_index(owner as u8);
        Some((walk(mv.to, Army::of(owner).forward, 1), owner))
    }
}

impl Position {
    /// Returns one of the start positions.
    pub fn start(start: StartPosition, rules: Rules) -> Position {
        Setup::start(start).validate(rules).expect("the start positions are valid")
    }

    /// Converts a setup that is known to be valid. Does not check whether the player to move has a
    /// legal move.
    pub(crate) fn from_validated(setup: &Setup, rules: Rules) -> Position {
        let mut pieces = Pieces::NONE;
        for (square, piece) in setup.iter_pieces() {
            pieces.put(cell(square), crate::pieces::encode(piece));
        }
        let king = |player| {
            let king = pieces.of(player) & pieces.role(Role::King);
            king.first().map_or(NONE, cell)
        };
        let mut castling = 0;
        for player in Player::ALL {
            for wing in Wing::ALL {
                if setup.castling(wing).contains(player) {
                    let corner = corner(player, king(player), wing).unwrap_or(0);
                    castling |= 1 << (2 * player as u8 + corner as u8);
                }
            }
        }
        let mut state = State {
            key: 0,
            points: setup.points,
            clock: setup.clock,
            kings: Player::ALL.map(king),
            en_passant: setup.en_passant.map(|square| square.map_or(NONE, cell)),
            castling,
            turn: setup.turn as u8,
            alive: Players::from_bits(!setup.eliminated.bits()),
            resigned: setup.resigned,
            flagged: setup.flagged,
            ending: NONE,
        };
        state.key = pieces.iter().fold(0, |key, (square, piece)| {
            key ^ zobrist::piece(crate::pieces::encode(piece), cell(square))
        });
        state.key ^= zobrist::castling(castling) ^ zobrist::turn(setup.turn);
        state.key ^= zobrist::alive(state.alive);
        state.key ^=
            state.en_passant.iter().fold(0, |key, &square| key ^ zobrist::en_passant(square));
        Position { pieces, state, rules: PlainRules::new(rules) }
    }

    /// Returns whether the bytes of this value form a position that a game can reach. This is true
    /// for every position that was not made from bytes.
    pub fn is_valid(&self) -> bool {
        let rules = self.rules();
        if self.rules != PlainRules::new(rules) || self.state.turn > 3 || !self.players_fit() {
            return false;
        }
        let setup = self.setup();
        // Everything that is derived is computed again and compared.
        match self.ending() {
            None => setup.validate(rules) == Ok(*self),
            Some(ending) => {
                let mut rebuilt = Position::from_validated(&setup, rules);
                rebuilt.state.end(ending);
                rebuilt == *self
            }
        }
    }

    /// Returns whether all sets of players are sets of four players.
    fn players_fit(&self) -> bool {
        let State { alive, resigned, flagged, .. } = self.state;
        [alive, resigned, flagged].iter().all(|set| *set == set.and(Players::ALL))
    }

    /// Returns the position as a setup, which can be inspected and edited.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty();
        self.iter_pieces().for_each(|(square, piece)| setup.put(square, Some(piece)));
        setup.turn = self.turn();
        setup.eliminated = Players::from_bits(!self.alive().bits());
        setup.resigned = self.state.resigned;
        setup.flagged = self.state.flagged;
        setup.points = self.state.points;
        setup.clock = self.state.clock;
        setup.en_passant =
            Player::ALL.map(|player| self.en_passant(player).map(|(skipped, _)| skipped));
        for wing in Wing::ALL {
            let having =
                Player::ALL.into_iter().filter(|&player| self.has_castling_right(player, wing));
            *setup.castling_mut(wing) = having.collect();
        }
        setup
    }

    /// Returns the rules of the game.
    #[inline(always)]
    pub const fn rules(&self) -> Rules {
        self.rules.get()
    }

    /// Returns the points for capturing a piece of a living player.
    #[inline(always)]
    pub(crate) const fn value(&self, role: Role) -> u16 {
        self.rules.value(role)
    }

    /// Returns the player to move.
    #[inline(always)]
    pub const fn turn(&self) -> Player {
        self.state.turn()
    }

    /// Returns the players who have not been eliminated.
    #[inline(always)]
    pub const fn alive(&self) -> Players {
        self.state.alive
    }

    /// Returns the players who have resigned.
    pub const fn resigned(&self) -> Players {
        self.state.resigned
    }

    /// Returns the players who have run out of time.
    pub const fn flagged(&self) -> Players {
        self.state.flagged
    }

    /// Returns the points, by player.
    #[inline(always)]
    pub const fn points(&self) -> [u16; 4] {
        self.state.points
    }

    /// Returns the points of a player.
    #[inline(always)]
    pub const fn points_of(&self, player: Player) -> u16 {
        self.state.points[player as usize]
    }

    /// Returns the number of plies since the last capture or pawn move.
    #[inline(always)]
    pub const fn clock(&self) -> u16 {
        self.state.clock
    }

    /// Returns the Zobrist key. Positions that count as equal for repetition have equal keys.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.state.key
    }

    /// Returns the piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        if square.index() < 256 { decode(self.pieces.at(cell(square))) } else { None }
    }

    /// Iterates over all pieces with their squares, in square order.
    pub fn iter_pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.pieces.iter()
    }

    /// Returns a player's pieces, including gray ones.
    #[inline]
    pub fn army(&self, player: Player) -> Bitboard {
        self.pieces.of(player)
    }

    /// Returns a player's pieces of a role, including gray ones.
    pub fn pieces(&self, player: Player, role: Role) -> Bitboard {
        self.pieces.of(player) & self.pieces.role(role)
    }

    /// Returns all occupied squares.
    pub fn occupied(&self) -> Bitboard {
        self.pieces.occupied()
    }

    /// Returns the gray pieces: those of eliminated players and those without an owner.
    pub fn dead_pieces(&self) -> Bitboard {
        let dead = Player::ALL.into_iter().filter(|&player| !self.alive().contains(player));
        dead.fold(self.pieces.unowned(), |set, player| set | self.army(player))
    }

    /// Returns the square of a player's king, or `None` if it has been captured.
    pub fn king(&self, player: Player) -> Option<Square> {
        match self.state.kings[player as usize] {
            NONE => None,
            king => Some(Square::new(king as usize)),
        }
    }

    /// Returns whether a player still has the right to castle on a wing.
    pub fn has_castling_right(&self, player: Player, wing: Wing) -> bool {
        let corner = corner(player, self.state.kings[player as usize], wing);
        let rights = self.state.castling >> (2 * player as u8) & 3;
        corner.is_some_and(|corner| rights >> corner & 1 != 0)
    }

    /// Returns a player's en passant square and the square of the pawn that skipped it.
    pub fn en_passant(&self, player: Player) -> Option<(Square, Square)> {
        match self.state.en_passant[player as usize] {
            NONE => None,
            skipped => {
                let pawn = walk(skipped, Army::of(player).forward, 1);
                Some((Square::new(skipped as usize), Square::new(pawn as usize)))
            }
        }
    }

    /// Returns the en passant squares of all players.
    pub fn en_passant_squares(&self) -> Bitboard {
        let mut words = [0; 4];
        for player in 0..4 {
            let square = self.state.en_passant[player];
            for (word, index) in words.iter_mut().zip(0..) {
                let is_here = square != NONE && index == square >> 6;
                *word |= u64::from(is_here) << (square & 63);
            }
        }
        Bitboard::from_words(words)
    }

    /// Returns whether a legal move is a capture.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        mv.kind() == MoveKind::EnPassant || self.piece_at(mv.to()).is_some()
    }

    /// Returns the living opponents of a player.
    #[inline(always)]
    pub fn opponents(&self, player: Player) -> Players {
        match self.rules().mode {
            Mode::FreeForAll => self.alive().without(player),
            Mode::Teams => self.alive().without(player).without(player.opposite()),
        }
    }

    /// Returns whether any player in `by` attacks a square. Eliminated players attack nothing.
    pub fn is_attacked(&self, square: Square, by: Players) -> bool {
        is_on_board(square)
            && self.pieces.attacked(cell(square), &self.pieces.attackers(by.and(self.alive())))
    }

    /// Returns the pieces of the players in `by` that attack a square. Eliminated players attack
    /// nothing.
    pub fn attackers(&self, square: Square, by: Players) -> Bitboard {
        if !is_on_board(square) {
            return Bitboard::EMPTY;
        }
        self.pieces.attackers_of(cell(square), &self.pieces.attackers(by.and(self.alive())))
    }

    /// Returns whether a player is alive and in check.
    #[inline]
    pub fn is_check(&self, player: Player) -> bool {
        let king = self.state.kings[player as usize];
        let attackers = self.pieces.attackers(self.opponents(player));
        self.alive().contains(player) && self.pieces.attacked(king, &attackers)
    }

    /// Returns the pieces that give check to a player; empty if the player has been eliminated.
    pub fn checkers(&self, player: Player) -> Bitboard {
        if !self.alive().contains(player) {
            return Bitboard::EMPTY;
        }
        let attackers = self.pieces.attackers(self.opponents(player));
        self.pieces.attackers_of(self.state.kings[player as usize], &attackers)
    }

    /// Returns the living opponents whose kings are attacked by a player.
    #[inline(always)]
    pub fn checked_by(&self, player: Player) -> Players {
        if cpu::IS_GPU {
            return self.checked_in_lockstep(player);
        }
        let own = self.pieces.attackers(Players::one(player));
        let opponents = self.opponents(player);
        let mut checked = Players::NONE;
        for other in Player::ALL {
            let king = self.state.kings[other as usize];
            if opponents.contains(other) && self.pieces.attacked(king, &own) {
                checked = checked.with(other);
            }
        }
        checked
    }

    /// Returns whether every living player has only a king.
    pub(crate) fn has_bare_kings(&self) -> bool {
        let kings = self.pieces.role(Role::King);
        self.alive().iter().all(|player| (self.army(player) - kings).is_empty())
    }
}

/// Returns the index of the back-line corner whose rook castles with the king on a wing: the rook
/// is three squares from the king on the short wing, four on the long one. Returns `None` if the
/// king is not on one of the middle squares.
pub(crate) fn corner(player: Player, king: u8, wing: Wing) -> Option<usize> {
    let short = Army::of(player).middle.iter().position(|&middle| cell(middle) == king)?;
    Some(match wing {
        Wing::Short => short,
        Wing::Long => 1 - short,
    })
}

/// Formats the position as a FEN4.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen4())
    }
}
