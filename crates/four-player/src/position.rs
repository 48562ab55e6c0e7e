//! A position that four-player chess can be played from.

use std::fmt;

use fourfold_board::Square;

use crate::lines::walk;
use crate::men::{Men, cell, decoded, only};
use crate::{
    Army, BOARD, Bitboard, Ending, Kind, Man, Mode, Opening, Player, Players, Rules, Setup, Wing,
    zobrist,
};

/// No square.
pub(crate) const NONE: u8 = 255;

/// A position that the rules can be played from: plain data, cheap to copy.
///
/// Only [`Setup::validate`] makes one, so each living player has one king, and rights and offers fit
/// the board. A player to move who has no legal move is out already: see [`Position::play`].
///
/// ```
/// use fourfold_four_player::{Opening, Position, Rules};
///
/// let mut position = Position::start(Opening::Modern, Rules::default());
/// assert_eq!(position.legal_moves().len(), 20);
/// position.play(position.parse_move("h2h4")?)?;
/// assert_eq!(position.turn().name(), "blue");
/// assert!(position.fen4().starts_with("B-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-{'enPassant':('h3:h4',"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(crate) men: Men,
    pub(crate) state: State,
    rules: Rules,
}

/// All but the men: small, so that a move can keep it whole for its undoing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    pub(crate) key: u64,
    pub(crate) points: [u16; 4],
    /// Quiet plies.
    pub(crate) clock: u16,
    /// Where the kings stand, dead ones too.
    pub(crate) kings: [u8; 4],
    /// The squares that pawns have skipped, by owner.
    pub(crate) offers: [u8; 4],
    /// Two bits for each player: the rooks in the corners of lower and of higher index.
    pub(crate) castling: u8,
    pub(crate) turn: Player,
    pub(crate) alive: Players,
    pub(crate) resigned: Players,
    pub(crate) flagged: Players,
    pub(crate) ending: Option<Ending>,
}

impl Position {
    /// The start of a game.
    pub fn start(opening: Opening, rules: Rules) -> Position {
        Setup::start(opening).validate(rules).expect("the openings are valid")
    }

    /// For a setup that was found valid; nobody is asked yet whether they can move.
    pub(crate) fn trust(setup: &Setup, rules: Rules) -> Position {
        let mut men = Men::NONE;
        for (square, man) in setup.men() {
            men.put(cell(square), crate::men::encoded(man));
        }
        let king = |player| {
            let king = men.of(player) & men.kind(Kind::King);
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
            offers: setup.offers.map(|offer| offer.map_or(NONE, cell)),
            castling,
            turn: setup.turn,
            alive: Players::from_bits(!setup.dead.bits()),
            resigned: setup.resigned,
            flagged: setup.flagged,
            ending: None,
        };
        state.key = men.iter().fold(0, |key, (square, man)| {
            key ^ zobrist::man(crate::men::encoded(man), cell(square))
        });
        state.key ^= zobrist::castling(castling) ^ zobrist::turn(state.turn);
        state.key ^= zobrist::alive(state.alive);
        state.key ^= state.offers.iter().fold(0, |key, &offer| key ^ zobrist::offer(offer));
        Position { men, state, rules }
    }

    /// The position as plain data, to look at or to change.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty();
        self.men().for_each(|(square, man)| setup.put(square, Some(man)));
        setup.turn = self.turn();
        setup.dead = Players::from_bits(!self.alive().bits());
        setup.resigned = self.state.resigned;
        setup.flagged = self.state.flagged;
        setup.points = self.state.points;
        setup.clock = self.state.clock;
        setup.offers = Player::ALL.map(|player| self.offer(player).map(|(skipped, _)| skipped));
        for wing in Wing::ALL {
            let having = Player::ALL.into_iter().filter(|&player| self.may_castle(player, wing));
            *setup.castling_mut(wing) = having.collect();
        }
        setup
    }

    /// The rules that are played.
    #[inline(always)]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whose turn it is.
    #[inline(always)]
    pub const fn turn(&self) -> Player {
        self.state.turn
    }

    /// Who lives.
    #[inline(always)]
    pub const fn alive(&self) -> Players {
        self.state.alive
    }

    /// Who has resigned.
    pub const fn resigned(&self) -> Players {
        self.state.resigned
    }

    /// Whose time ran out.
    pub const fn flagged(&self) -> Players {
        self.state.flagged
    }

    /// The points, by player.
    #[inline(always)]
    pub const fn points(&self) -> [u16; 4] {
        self.state.points
    }

    /// Plies since a pawn moved or a man was taken.
    #[inline(always)]
    pub const fn clock(&self) -> u16 {
        self.state.clock
    }

    /// The Zobrist key: equal for positions that count as the same in the rule on repetition.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.state.key
    }

    /// What stands on a square.
    pub fn man_at(&self, square: Square) -> Option<Man> {
        decoded(self.men.at(cell(square)))
    }

    /// All men and their squares, in the order of the squares.
    pub fn men(&self) -> impl Iterator<Item = (Square, Man)> + '_ {
        self.men.iter()
    }

    /// A player's men, grey ones included.
    #[inline]
    pub fn army(&self, player: Player) -> Bitboard {
        self.men.of(player)
    }

    /// A player's men of a kind.
    pub fn pieces(&self, player: Player, kind: Kind) -> Bitboard {
        self.men.of(player) & self.men.kind(kind)
    }

    /// All men.
    pub fn occupied(&self) -> Bitboard {
        self.men.occupied()
    }

    /// The men of dead players, and of nobody.
    pub fn grey(&self) -> Bitboard {
        let dead = Player::ALL.into_iter().filter(|&player| !self.alive().contains(player));
        dead.fold(self.men.of_nobody(), |set, player| set | self.army(player))
    }

    /// The square of a player's king, while there is one.
    pub fn king(&self, player: Player) -> Option<Square> {
        match self.state.kings[player as usize] {
            NONE => None,
            king => Some(Square::new(king as usize)),
        }
    }

    /// Whether a player may still castle on a wing.
    pub fn may_castle(&self, player: Player, wing: Wing) -> bool {
        let corner = corner(player, self.state.kings[player as usize], wing);
        let rights = self.state.castling >> (2 * player as u8) & 3;
        corner.is_some_and(|corner| rights >> corner & 1 != 0)
    }

    /// A player's offer: the square that a pawn has skipped, and the pawn's.
    pub fn offer(&self, player: Player) -> Option<(Square, Square)> {
        match self.state.offers[player as usize] {
            NONE => None,
            skipped => {
                let pawn = walk(skipped, Army::of(player).forward, 1);
                Some((Square::new(skipped as usize), Square::new(pawn as usize)))
            }
        }
    }

    /// The living players whose men are a danger to a player's.
    #[inline(always)]
    pub fn opponents(&self, player: Player) -> Players {
        match self.rules.mode {
            Mode::FreeForAll => self.alive().without(player),
            Mode::Teams => self.alive().without(player).without(player.opposite()),
        }
    }

    /// Whether a square is attacked by a man of one of some players; dead ones attack nothing.
    pub fn is_attacked(&self, square: Square, by: Players) -> bool {
        BOARD.exists().contains(square)
            && self.men.attacked(cell(square), &self.men.attackers(by.and(self.alive())))
    }

    /// The men of some players that attack a square; dead ones attack nothing.
    pub fn attackers(&self, square: Square, by: Players) -> Bitboard {
        if !BOARD.exists().contains(square) {
            return Bitboard::EMPTY;
        }
        self.men.attackers_of(cell(square), &self.men.attackers(by.and(self.alive())))
    }

    /// Whether a living player's king is attacked.
    #[inline]
    pub fn in_check(&self, player: Player) -> bool {
        let king = self.state.kings[player as usize];
        let foes = self.men.attackers(self.opponents(player));
        self.alive().contains(player) && self.men.attacked(king, &foes)
    }

    /// The men that give check to a living player.
    pub fn checkers(&self, player: Player) -> Bitboard {
        if !self.alive().contains(player) {
            return Bitboard::EMPTY;
        }
        let foes = self.men.attackers(self.opponents(player));
        self.men.attackers_of(self.state.kings[player as usize], &foes)
    }

    /// The living opponents whose kings a player's men attack.
    #[inline(always)]
    pub fn checked_by(&self, player: Player) -> Players {
        let own = self.men.attackers(Players::one(player));
        let opponents = self.opponents(player);
        let mut checked = Players::NONE;
        for other in Player::ALL {
            let king = self.state.kings[other as usize];
            if opponents.contains(other) && self.men.attacked(king, &own) {
                checked = checked.with(other);
            }
        }
        checked
    }

    /// Whether all living players have only their kings.
    pub(crate) fn has_bare_kings(&self) -> bool {
        self.alive()
            .iter()
            .all(|player| self.army(player) == only(self.state.kings[player as usize]))
    }
}

/// Which corner of the back line a player castles with on a wing: the rook is three squares from the
/// king on the short one, four on the long one. None if the king is on no home square.
pub(crate) fn corner(player: Player, king: u8, wing: Wing) -> Option<usize> {
    let middle = Army::of(player).middle.map(cell);
    let short = match () {
        () if king == middle[0] => 0,
        () if king == middle[1] => 1,
        () => return None,
    };
    Some(match wing {
        Wing::Short => short,
        Wing::Long => 1 - short,
    })
}

/// Writes the FEN4.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen4())
    }
}
