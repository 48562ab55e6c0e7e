//! A position as it is studied, a game as a graph, and men as a hand arranges them.

use fourfold_chess::{BOARD, Bitboard, Color, Fault, Piece, Role, Setup, at};
use fourfold_study::{Analysis, Facts};
use serde::{Deserialize, Serialize};

use super::facts::AttackMap;
use super::overlays::{Overlay, overlays};
use super::{LONGEST_LINE, StudyError, position};
use crate::{ChessTable, Choice, Man, Played, Scene, Seat, Table};

/// All that is shown of a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Look {
    /// The position.
    pub fen: String,
    /// What to draw.
    #[serde(flatten)]
    pub scene: Scene,
    /// The moves that lead there.
    pub moves: Vec<Played>,
    /// The moves that may be played.
    pub choices: Vec<Choice>,
    /// What can be said about it.
    pub facts: Vec<Overlay>,
    /// Who attacks and who defends each man.
    pub attack_map: serde_json::Value,
}

/// The position after moves from a start, each as UCI or SAN.
///
/// # Errors
/// If the start is no position, a move is not legal, or there are too many.
pub fn look(start: &str, moves: &[String]) -> Result<Look, StudyError> {
    let table = through(start, moves)?;
    let position = table.current();
    let scene = table.scene();
    let choices = scene.acting.iter().flat_map(|&seat| table.choices(seat)).collect();
    Ok(Look {
        fen: position.fen(),
        scene,
        moves: table.played().to_vec(),
        choices,
        facts: overlays(&position, table.analysis()),
        // Names and squares are text, and text keys make an object.
        attack_map: serde_json::to_value(AttackMap(&position)).unwrap_or_default(),
    })
}

fn through(start: &str, moves: &[String]) -> Result<ChessTable, StudyError> {
    if moves.len() > LONGEST_LINE {
        return Err(StudyError::TooLong { most: LONGEST_LINE });
    }
    Ok(ChessTable::through(position(start)?, moves)?)
}

/// Something that is counted in every position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Series {
    /// Its name for programs.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// One line, or one for each side.
    pub lines: Vec<SeriesLine>,
}

/// A number for every position of a game, the start first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct SeriesLine {
    /// What it counts.
    pub name: &'static str,
    /// The numbers.
    pub values: Vec<i32>,
}

/// How a game went: material and mobility as White's lead, hanging men and men en prise for each side.
///
/// # Errors
/// As [`look`].
pub fn series(start: &str, moves: &[String]) -> Result<Vec<Series>, StudyError> {
    let table = through(start, moves)?;
    let wanted = Facts { exchanges: true, ..Facts::ONE_PASS };
    let analyses: Vec<Analysis> =
        table.record().positions().map(|position| Analysis::with(&position, wanted)).collect();
    let line = |name, value: &dyn Fn(&Analysis) -> i32| SeriesLine {
        name,
        values: analyses.iter().map(value).collect(),
    };
    let lead = |count: fn(&fourfold_study::SideFacts) -> u32| {
        let lead = move |analysis: &Analysis| {
            let [white, black] = Color::ALL.map(|color| count(analysis.of_color(color)) as i32);
            white - black
        };
        vec![line("white's lead", &lead)]
    };
    let sides = |set: fn(&fourfold_study::SideFacts) -> Bitboard| {
        let side = |color: Color| {
            line(color.name(), &move |analysis| set(analysis.of_color(color)).len() as i32)
        };
        Color::ALL.map(side).to_vec()
    };
    let all = [
        ("material", "Material", lead(|side| side.material)),
        ("mobility", "Mobility", lead(|side| side.mobility)),
        ("hanging", "Hanging", sides(|side| side.hanging)),
        ("en_prise", "En prise", sides(|side| side.en_prise)),
    ];
    Ok(all.into_iter().map(|(id, name, lines)| Series { id, name, lines }).collect())
}

/// Men as a hand has put them on the board.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Arrangement {
    /// Where they stand.
    pub men: Vec<Standing>,
    /// Whose turn it is.
    pub turn: Seat,
    /// The rights to castle that are wished for, as in a FEN: `KQkq`.
    #[serde(default)]
    pub castling: String,
}

/// A man on a square.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Standing {
    /// Where it stands.
    pub square: String,
    /// What it is, by its letter.
    pub piece: char,
    /// Whose it is.
    pub seat: Seat,
}

/// What an arrangement comes to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Arranged {
    /// As a FEN, whether or not it can be played from.
    pub fen: String,
    /// All that is wrong with it; nothing if it can be played from.
    pub faults: Vec<String>,
    /// The squares that are to blame.
    pub squares: Vec<String>,
    /// The rights to castle that the men allow, of which those that were wished for are in the FEN.
    pub castling: String,
    /// The men, as they are drawn.
    pub men: Vec<Man>,
}

/// Tries an arrangement.
///
/// # Errors
/// If it names a square, a man or a seat that chess does not have.
pub fn arrange(arrangement: &Arrangement) -> Result<Arranged, StudyError> {
    let Arrangement { men, turn, castling } = arrangement;
    let none = |text: String| StudyError::NoMan { text };
    let side = |seat: Seat| {
        Color::ALL.get(seat.index()).copied().ok_or_else(|| none(format!("seat {seat}")))
    };
    let mut setup = Setup { turn: side(*turn)?, ..Setup::empty() };
    for Standing { square, piece, seat } in men {
        let man = || none(format!("{piece}{square}"));
        let place = BOARD.parse(square).map_err(|_| man())?;
        let role = Role::from_letter(*piece).ok_or_else(man)?;
        setup.board.put(place, Piece { color: side(*seat)?, role });
    }
    let mut allowed = String::new();
    for (letter, rook, king, color) in RIGHTS {
        let stands = |square, role| setup.board.piece_at(at(square)) == Some(Piece { color, role });
        if stands(rook, Role::Rook) && stands(king, Role::King) {
            allowed.push(letter);
            if castling.contains(letter) {
                setup.castling |= Bitboard::of(at(rook));
            }
        }
    }
    let faults = setup.validate().err().map(|error| error.faults).unwrap_or_default();
    let blamed = faults.iter().map(|fault| blame(&setup, *fault));
    let blamed = blamed.fold(Bitboard::EMPTY, |all, set| all | set);
    let men = setup.board.men().map(|(square, man)| {
        Man::new(BOARD.name(square), man.role.letter(), Seat::new(man.color as u8))
    });
    Ok(Arranged {
        fen: setup.fen(),
        faults: faults.iter().map(ToString::to_string).collect(),
        squares: super::squares(blamed),
        castling: allowed,
        men: men.collect(),
    })
}

/// Rights to castle: the letter, and where rook and king of a side must stand for it.
const RIGHTS: [(char, &str, &str, Color); 4] = [
    ('K', "h1", "e1", Color::White),
    ('Q', "a1", "e1", Color::White),
    ('k', "h8", "e8", Color::Black),
    ('q', "a8", "e8", Color::Black),
];

/// The men that are to blame for a fault, as far as some are.
fn blame(setup: &Setup, fault: Fault) -> Bitboard {
    match fault {
        Fault::PawnOnEndRank(square) => Bitboard::of(square),
        Fault::SeveralKings(color) | Fault::WaitingSideInCheck(color) => {
            setup.board.pieces(color, Role::King)
        }
        Fault::TooManyPawns(color) => setup.board.pieces(color, Role::Pawn),
        _ => Bitboard::EMPTY,
    }
}
