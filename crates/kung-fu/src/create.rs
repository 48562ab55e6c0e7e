//! Games begin here: armies at their places, or any pieces that somebody has listed.

use std::fmt;

use fourfold_board::shown;

use crate::game::NOBODY;
use crate::piece::{Piece, Status};
use crate::side::{Cell, Side};
use crate::{Board, Game, Kind, MAX_PIECES, PieceId, Players, Rules, UnknownRule};

/// A piece that stands somewhere when a game begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Man {
    /// What it is.
    pub kind: Kind,
    /// Whose it is, from 1 to 4.
    pub player: u8,
    /// Its row, from the top.
    pub row: u8,
    /// Its column, from the left.
    pub column: u8,
    /// Whether it may no longer castle.
    pub moved: bool,
}

impl Man {
    /// Reads `K:1:7:4`, or `K:1:7:4+moved`.
    ///
    /// # Errors
    /// If it is nothing of the kind.
    pub fn parse(text: &str) -> Result<Man, CreateError> {
        let fault = || CreateError::NotAPiece(text.to_owned());
        let (name, moved) = match text.strip_suffix("+moved") {
            Some(name) => (name, true),
            None => (text, false),
        };
        let mut parts = name.split(':');
        let mut part = || parts.next().ok_or_else(fault);
        let kind = part()?;
        let number = |text: &str| {
            let number: u8 = text.parse().map_err(|_| fault())?;
            if number.to_string() == text { Ok(number) } else { Err(fault()) }
        };
        let (player, row, column) = (number(part()?)?, number(part()?)?, number(part()?)?);
        let mut letters = kind.chars();
        match (letters.next().and_then(Kind::from_letter), letters.next(), parts.next()) {
            (Some(kind), None, None) => Ok(Man { kind, player, row, column, moved }),
            _ => Err(fault()),
        }
    }

    /// The name that the piece keeps: `K:1:7:4`.
    pub fn name(&self) -> String {
        format!("{}:{}:{}:{}", self.kind.letter(), self.player, self.row, self.column)
    }
}

/// Writes what [`Man::parse`] reads.
impl fmt::Display for Man {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())?;
        f.write_str(if self.moved { "+moved" } else { "" })
    }
}

impl Game {
    /// A game with full armies.
    ///
    /// # Errors
    /// If so many players cannot sit at the board, or all would be on one side.
    pub fn create(rules: Rules) -> Result<Game, CreateError> {
        Game::with_men(rules, &armies(&rules))
    }

    /// A game that begins with certain pieces.
    ///
    /// # Errors
    /// If seats or pieces do not fit.
    pub fn with_men(rules: Rules, men: &[Man]) -> Result<Game, CreateError> {
        check_seats(&rules)?;
        if men.len() > MAX_PIECES {
            return Err(CreateError::TooMany(men.len()));
        }
        let mut sorted: Vec<(String, Man)> = men.iter().map(|man| (man.name(), *man)).collect();
        sorted.sort_by(|one, other| one.0.cmp(&other.0));
        let mut game = Game::empty(rules);
        for (name, man) in sorted {
            if !rules.seats.contains(man.player) {
                return Err(CreateError::NoSeat(name));
            }
            let cell = Cell::on(rules.board, i32::from(man.row), i32::from(man.column));
            let cell = cell.ok_or_else(|| CreateError::OffBoard(name.clone()))?;
            if game.standing[cell.0 as usize] != NOBODY {
                return Err(CreateError::Occupied(name));
            }
            game.add(Piece {
                kind: man.kind,
                player: man.player,
                born: (man.kind, cell),
                at: cell,
                moved: man.moved,
                status: Status::Standing,
            });
        }
        for player in rules.seats.iter() {
            let king = |piece: &&Piece| piece.player == player && piece.kind == Kind::King;
            let kings = game.pieces().filter(king).count();
            if kings != 1 {
                return Err(CreateError::Kings { player, kings });
            }
        }
        game.look_ahead();
        Ok(game)
    }

    /// A game from words for the rules and, if not empty, a list of pieces. Without `seats=` those who
    /// have a king are seated.
    ///
    /// ```
    /// use fourfold_kung_fu::Game;
    /// let game = Game::parse("lightning", "K:1:7:4 R:1:7:7+moved K:2:0:4")?;
    /// assert_eq!(game.pieces().count(), 3);
    /// # Ok::<(), fourfold_kung_fu::CreateError>(())
    /// ```
    ///
    /// # Errors
    /// If a word is unknown, or seats or pieces do not fit.
    pub fn parse(words: &str, men: &str) -> Result<Game, CreateError> {
        let (rules, seats) = Rules::parse_seats(words).map_err(CreateError::Rule)?;
        if men.trim().is_empty() {
            return Game::create(Rules { seats: seats.unwrap_or(rules.board.seats()), ..rules });
        }
        let men = men.split_whitespace().map(Man::parse).collect::<Result<Vec<Man>, _>>()?;
        let kings = men.iter().filter(|man| man.kind == Kind::King);
        let with_kings = kings.fold(Players::NONE, |players, man| players.with(man.player));
        Game::with_men(Rules { seats: seats.unwrap_or(with_kings), ..rules }, &men)
    }

    /// The pieces of a game in which nothing has happened yet.
    pub(crate) fn men(&self) -> impl Iterator<Item = Man> + '_ {
        self.pieces().map(|piece| {
            let (kind, cell) = piece.born;
            let (row, column) = (cell.row(), cell.column());
            Man { kind, player: piece.player, row, column, moved: piece.moved }
        })
    }

    pub(crate) fn add(&mut self, piece: Piece) {
        let id = PieceId(self.count);
        self.pieces[id.0 as usize] = piece;
        self.count += 1;
        if !matches!(piece.status, Status::Moving { .. } | Status::Gone) {
            self.standing[piece.at.0 as usize] = id.0;
        }
    }
}

/// The full armies of all who are seated.
fn armies(rules: &Rules) -> Vec<Man> {
    let mut men = Vec::new();
    for player in rules.seats.iter() {
        let side = Side::of(rules.board, player);
        for (place, kind) in (side.ends[0]..).zip(side.pieces) {
            for (line, kind) in [(side.back, kind), (side.pawns, Kind::Pawn)] {
                let cell = line.cell(place);
                let (row, column) = (cell.row(), cell.column());
                men.push(Man { kind, player, row, column, moved: false });
            }
        }
    }
    men
}

pub(crate) fn check_seats(rules: &Rules) -> Result<(), CreateError> {
    let fit = match rules.board {
        Board::Eight => rules.seats == Players::TWO,
        Board::Twelve => rules.seats.len() >= 2,
    };
    if !fit {
        return Err(CreateError::Seats { board: rules.board, seats: rules.seats });
    }
    let team = rules.seats.iter().next().map_or(Players::NONE, |first| rules.team(first));
    if rules.seats.without(team).is_empty() {
        return Err(CreateError::OneTeam(rules.seats));
    }
    if !rules.bots.without(rules.seats).is_empty() {
        return Err(CreateError::Bots(rules.bots.without(rules.seats)));
    }
    Ok(())
}

/// Why a game cannot begin.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CreateError {
    /// A word is no rule.
    Rule(UnknownRule),
    /// The board has other seats.
    Seats {
        /// The board.
        board: Board,
        /// Who was to sit there.
        seats: Players,
    },
    /// Everybody would be in one team.
    OneTeam(Players),
    /// Bots who are not seated.
    Bots(Players),
    /// A text is no piece.
    NotAPiece(String),
    /// There are more pieces than four armies have.
    TooMany(usize),
    /// A piece belongs to nobody who is seated.
    NoSeat(String),
    /// A piece stands off the board or in a cut corner.
    OffBoard(String),
    /// A piece stands where another one does.
    Occupied(String),
    /// A player has another number of kings than one.
    Kings {
        /// The player.
        player: u8,
        /// How many.
        kings: usize,
    },
}

impl fmt::Display for CreateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CreateError::Rule(error) => write!(f, "{error}"),
            CreateError::Seats { board: Board::Eight, seats } => {
                write!(f, "the 8x8 board has exactly the seats 1 and 2, not {}", Listed(*seats))
            }
            CreateError::Seats { board: Board::Twelve, seats } => write!(
                f,
                "on the 12x12 board two, three or four of the seats 1 to 4 are taken, not {}",
                Listed(*seats)
            ),
            CreateError::OneTeam(seats) => write!(
                f,
                "players {} are all in one team: 1 and 3 play against 2 and 4",
                Listed(*seats)
            ),
            CreateError::Bots(bots) => {
                write!(f, "nobody sits at {}, so no bot does", Listed(*bots))
            }
            CreateError::NotAPiece(text) => {
                write!(f, "'{}' is no piece like K:1:7:4 (kind, player, row, column)", shown(text))
            }
            CreateError::TooMany(count) => {
                write!(f, "{count} pieces are more than the {MAX_PIECES} of four armies")
            }
            CreateError::NoSeat(name) => {
                write!(f, "{} belongs to a player who is not seated", shown(name))
            }
            CreateError::OffBoard(name) => write!(f, "{} stands off the board", shown(name)),
            CreateError::Occupied(name) => {
                write!(f, "{} stands where another piece stands", shown(name))
            }
            CreateError::Kings { player, kings } => {
                write!(f, "player {player} has {kings} kings and needs exactly one")
            }
        }
    }
}

impl std::error::Error for CreateError {}

/// Players for a person to read.
struct Listed(Players);

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("none") } else { f.write_str(&self.0.joined(", ")) }
    }
}
