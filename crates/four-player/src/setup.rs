//! Any arrangement of men, and whether it can be played from.

use std::fmt;

use fourfold_board::Square;

use crate::lines::walk;
use crate::men::cell;
use crate::play::MAX_NUMBER;
use crate::position::corner;
use crate::{Army, BOARD, Bitboard, Kind, Man, Mode, Player, Players, Position, Rules};

/// No army has more men than it starts with.
pub const MAX_MEN: usize = 16;

/// Where kings and queens stand at the start; the rest is the same everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opening {
    /// Every king faces a queen: turning the board by a quarter gives the same. The default.
    Modern,
    /// Modern with the kings and queens of Blue and Green exchanged.
    Classic,
    /// Modern with those of Yellow and Green exchanged.
    By,
    /// Modern with those of Yellow exchanged.
    Byg,
    /// Modern with those of Red and Blue exchanged.
    Rg,
}

impl Opening {
    /// All five.
    pub const ALL: [Opening; 5] =
        [Opening::Modern, Opening::Classic, Opening::By, Opening::Byg, Opening::Rg];

    /// The name: `modern`.
    pub const fn name(self) -> &'static str {
        match self {
            Opening::Modern => "modern",
            Opening::Classic => "classic",
            Opening::By => "by",
            Opening::Byg => "byg",
            Opening::Rg => "rg",
        }
    }

    /// The opening with a name.
    pub fn from_name(name: &str) -> Option<Opening> {
        Opening::ALL.into_iter().find(|opening| opening.name() == name)
    }

    /// The kings' squares, by player.
    const fn kings(self) -> [&'static str; 4] {
        match self {
            Opening::Modern => ["h1", "a7", "g14", "n8"],
            Opening::Classic => ["h1", "a8", "g14", "n7"],
            Opening::By => ["h1", "a7", "h14", "n7"],
            Opening::Byg => ["h1", "a7", "h14", "n8"],
            Opening::Rg => ["g1", "a8", "g14", "n8"],
        }
    }
}

/// A wing on which a king castles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wing {
    /// The rook is three squares away.
    Short,
    /// The rook is four squares away.
    Long,
}

impl Wing {
    /// Both.
    pub const ALL: [Wing; 2] = [Wing::Short, Wing::Long];
}

/// Any arrangement of men, with all else that a FEN4 says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    men: Vec<Option<Man>>,
    /// Whose turn it is.
    pub turn: Player,
    /// Who no longer lives.
    pub dead: Players,
    /// Who has resigned; they are dead too.
    pub resigned: Players,
    /// Whose time ran out; they are dead too.
    pub flagged: Players,
    castling: [Players; 2],
    /// The points, by player.
    pub points: [u16; 4],
    /// Plies since a pawn moved or a man was taken.
    pub clock: u16,
    /// The squares that pawns have skipped, by owner; the pawn stands one step ahead.
    pub offers: [Option<Square>; 4],
}

impl Setup {
    /// An empty board, Red to move, everybody alive.
    pub fn empty() -> Setup {
        Setup {
            men: vec![None; 256],
            turn: Player::Red,
            dead: Players::NONE,
            resigned: Players::NONE,
            flagged: Players::NONE,
            castling: [Players::NONE; 2],
            points: [0; 4],
            clock: 0,
            offers: [None; 4],
        }
    }

    /// The start of a game.
    pub fn start(opening: Opening) -> Setup {
        use Kind::{Bishop, King, Knight, Pawn, Queen, Rook};
        let mut setup = Setup::empty();
        for (player, king) in Player::ALL.into_iter().zip(opening.kings()) {
            let army = Army::of(player);
            let pieces = [Rook, Knight, Bishop, Queen, Queen, Bishop, Knight, Rook];
            for (square, kind) in army.back_line.iter().zip(pieces) {
                let kind = if BOARD.name(square) == king { King } else { kind };
                setup.put(square, Some(Man::new(player, kind)));
            }
            for square in army.home_line {
                setup.put(square, Some(Man::new(player, Pawn)));
            }
        }
        setup.castling = [Players::ALL; 2];
        setup
    }

    /// What stands on a square.
    pub fn man_at(&self, square: Square) -> Option<Man> {
        self.men.get(square.index()).copied().flatten()
    }

    /// Puts a man on a square, or clears it. Squares that the board lacks are left alone.
    pub fn put(&mut self, square: Square, man: Option<Man>) {
        if square.index() < 256 && BOARD.exists().contains(square) {
            self.men[square.index()] = man;
        }
    }

    /// All men and their squares.
    pub fn men(&self) -> impl Iterator<Item = (Square, Man)> + '_ {
        BOARD.exists().iter().filter_map(|square| Some((square, self.man_at(square)?)))
    }

    /// Who may still castle on a wing.
    pub const fn castling(&self, wing: Wing) -> Players {
        self.castling[wing as usize]
    }

    /// Who may still castle on a wing, to be changed.
    pub const fn castling_mut(&mut self, wing: Wing) -> &mut Players {
        &mut self.castling[wing as usize]
    }

    /// The position that this setup is, under some rules. A player to move who has no legal move is
    /// out at once, as in play.
    ///
    /// # Errors
    /// If it is none: the error names every fault.
    pub fn validate(&self, rules: Rules) -> Result<Position, InvalidSetup> {
        let mut faults = Vec::new();
        for player in Player::ALL {
            self.check_army(player, &rules, &mut faults);
            self.check_rights(player, &mut faults);
        }
        self.check_players(&rules, &mut faults);
        if self.clock > MAX_NUMBER {
            faults.push(Fault::Clock(self.clock));
        }
        if !faults.is_empty() {
            return Err(InvalidSetup { faults });
        }
        let mut position = Position::trust(self, rules);
        match rules.mode {
            Mode::FreeForAll => position.end_if_one_lives(),
            Mode::Teams if !self.dead.is_empty() => position.end_lost(),
            Mode::Teams => {}
        }
        if !position.movers().contains(position.turn()) {
            position.pass_turn();
        }
        position.settle();
        Ok(position)
    }

    fn army(&self, player: Player) -> Bitboard {
        let own = self.men().filter(|(_, man)| man.owner == Some(player));
        own.map(|(square, _)| square).collect()
    }

    fn kings(&self, player: Player) -> Vec<Square> {
        let king = Man::new(player, Kind::King);
        self.men().filter(|&(_, man)| man == king).map(|(square, _)| square).collect()
    }

    fn check_army(&self, player: Player, rules: &Rules, faults: &mut Vec<Fault>) {
        match self.kings(player).len() {
            0 if self.dead.contains(player) => {}
            0 => faults.push(Fault::NoKing(player)),
            1 => {}
            _ => faults.push(Fault::SeveralKings(player)),
        }
        if self.army(player).len() > MAX_MEN {
            faults.push(Fault::TooManyMen(player));
        }
        let army = Army::of(player);
        let far = match rules.mode {
            Mode::FreeForAll => army.promotion_free,
            Mode::Teams => army.promotion_teams,
        };
        for square in self.army(player) & (army.back_line | far) {
            if self.man_at(square) == Some(Man::new(player, Kind::Pawn)) {
                faults.push(Fault::Pawn(player, square));
            }
        }
        if self.points[player as usize] > MAX_NUMBER {
            faults.push(Fault::Points(player, self.points[player as usize]));
        }
    }

    fn check_rights(&self, player: Player, faults: &mut Vec<Fault>) {
        let army = Army::of(player);
        let alive = !self.dead.contains(player);
        for wing in Wing::ALL {
            if !self.castling(wing).contains(player) {
                continue;
            }
            let king = self.kings(player).first().copied().map_or(255, cell);
            let fits = corner(player, king, wing).is_some_and(|corner| {
                self.man_at(army.corners[corner]) == Some(Man::new(player, Kind::Rook))
            });
            if !alive || !fits {
                faults.push(Fault::Castling(player, wing));
            }
        }
        if let Some(skipped) = self.offers[player as usize] {
            let pawn = Square::new(walk(cell(skipped), army.forward, 1) as usize);
            let fits = army.third_line.contains(skipped)
                && self.man_at(pawn) == Some(Man::new(player, Kind::Pawn));
            if !alive || !fits {
                faults.push(Fault::Offer(player, skipped));
            }
        }
    }

    fn check_players(&self, rules: &Rules, faults: &mut Vec<Fault>) {
        if self.dead == Players::ALL {
            faults.push(Fault::NobodyLives);
        }
        let left = self.resigned.or(self.flagged);
        for player in Player::ALL {
            let both = self.resigned.and(self.flagged).contains(player);
            if left.contains(player) && (!self.dead.contains(player) || both) {
                faults.push(Fault::Left(player));
            }
        }
        if self.dead.contains(self.turn) {
            let walks =
                rules.walking_king && left.contains(self.turn) && !self.kings(self.turn).is_empty();
            if !walks {
                faults.push(Fault::DeadTurn(self.turn));
            }
        }
        let red = self.dead.contains(Player::Red) || self.dead.contains(Player::Yellow);
        let blue = self.dead.contains(Player::Blue) || self.dead.contains(Player::Green);
        if rules.mode == Mode::Teams && red && blue {
            faults.push(Fault::BothTeamsDead);
        }
    }
}

/// All that is wrong with a [`Setup`], not just the first thing.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct InvalidSetup {
    /// What is wrong; never empty.
    pub faults: Vec<Fault>,
}

impl fmt::Display for InvalidSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidSetup {}

/// One thing that is wrong with a [`Setup`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// A living player has no king.
    NoKing(Player),
    /// A player has more than one king.
    SeveralKings(Player),
    /// A player has more than 16 men.
    TooManyMen(Player),
    /// A pawn stands behind its home line, or where it would have promoted.
    Pawn(Player, Square),
    /// Points out of range.
    Points(Player, u16),
    /// The clock is out of range.
    Clock(u16),
    /// A right to castle that the player cannot have.
    Castling(Player, Wing),
    /// No pawn of that player can have skipped this square.
    Offer(Player, Square),
    /// Nobody lives.
    NobodyLives,
    /// A player has resigned or run out of time but lives, or did both.
    Left(Player),
    /// A dead player is to move.
    DeadTurn(Player),
    /// Both teams have a dead player.
    BothTeamsDead,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::NoKing(player) => write!(f, "{player} lives but has no king"),
            Fault::SeveralKings(player) => write!(f, "{player} has more than one king"),
            Fault::TooManyMen(player) => write!(f, "{player} has more than {MAX_MEN} men"),
            Fault::Pawn(player, square) => {
                write!(f, "a pawn of {player} cannot stand on {}", BOARD.name(square))
            }
            Fault::Points(player, points) => {
                write!(f, "{player}'s {points} points are more than {MAX_NUMBER}")
            }
            Fault::Clock(clock) => write!(f, "the clock {clock} is more than {MAX_NUMBER}"),
            Fault::Castling(player, Wing::Short) => {
                write!(f, "{player} cannot castle short: king or rook is not at home")
            }
            Fault::Castling(player, Wing::Long) => {
                write!(f, "{player} cannot castle long: king or rook is not at home")
            }
            Fault::Offer(player, square) => {
                write!(f, "no pawn of {player} has just skipped {}", BOARD.name(square))
            }
            Fault::NobodyLives => f.write_str("all players are dead"),
            Fault::Left(player) => {
                write!(f, "{player} has left the game and must be dead, for one reason")
            }
            Fault::DeadTurn(player) => write!(f, "it is the turn of {player}, who is dead"),
            Fault::BothTeamsDead => f.write_str("both teams have a dead player"),
        }
    }
}
