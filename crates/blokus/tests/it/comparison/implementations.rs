//! A common text interface to oracle and engine.

use fourfold_blokus::{Color, ParseMoveError, Placement, Player, Position, Refusal, Variant};
use fourfold_oracle::blokus::{self, Report};

use crate::properties::reference_generators;

/// The queries that the rules page and the test data need, with text input and output.
pub(crate) trait Implementation {
    /// Returns the start position of a variant.
    fn start(&self, variant: &str) -> Result<String, String>;
    /// Returns all legal placements of the color to move, in any order; none if the game is over.
    fn moves(&self, position: &str) -> Result<Vec<String>, String>;
    /// Returns all placements that a color could make if it were to move, in any order.
    fn moves_of(&self, position: &str, color: &str) -> Result<Vec<String>, String>;
    /// Returns the position after a legal placement.
    fn play(&self, position: &str, mv: &str) -> Result<String, String>;
    /// Returns the name of the rule that a placement breaks, or `None` if it is legal.
    fn refusal(&self, position: &str, mv: &str) -> Result<Option<String>, String>;
    /// Returns the status of a game after these placements on the empty board.
    fn game(&self, variant: &str, moves: &[&str]) -> Result<Report, String>;
    /// Returns the status of the game in a position.
    fn report(&self, position: &str) -> Result<Report, String>;
    /// Returns the cells of which a color's next piece must cover at least one, in any order.
    fn frontier(&self, position: &str, color: &str) -> Result<Vec<String>, String>;
    /// Returns the names of the pieces that a color has left, in table order.
    fn left(&self, position: &str, color: &str) -> Result<Vec<String>, String>;
    /// Returns the number of sequences of `depth` placements.
    fn perft(&self, position: &str, depth: u32) -> Result<u64, String>;
}

/// The slow reference implementation.
pub(crate) struct Oracle;

impl Implementation for Oracle {
    fn start(&self, variant: &str) -> Result<String, String> {
        blokus::start(variant).map_err(|error| error.to_string())
    }

    fn moves(&self, position: &str) -> Result<Vec<String>, String> {
        blokus::moves(position).map_err(|error| error.to_string())
    }

    fn moves_of(&self, position: &str, color: &str) -> Result<Vec<String>, String> {
        blokus::moves_of(position, color).map_err(|error| error.to_string())
    }

    fn play(&self, position: &str, mv: &str) -> Result<String, String> {
        blokus::play(position, mv).map_err(|error| error.to_string())
    }

    fn refusal(&self, position: &str, mv: &str) -> Result<Option<String>, String> {
        blokus::refusal(position, mv).map_err(|error| error.to_string())
    }

    fn game(&self, variant: &str, moves: &[&str]) -> Result<Report, String> {
        blokus::game(variant, moves).map_err(|error| error.to_string())
    }

    fn report(&self, position: &str) -> Result<Report, String> {
        blokus::report(position).map_err(|error| error.to_string())
    }

    fn frontier(&self, position: &str, color: &str) -> Result<Vec<String>, String> {
        blokus::frontier(position, color).map_err(|error| error.to_string())
    }

    fn left(&self, position: &str, color: &str) -> Result<Vec<String>, String> {
        blokus::left(position, color).map_err(|error| error.to_string())
    }

    fn perft(&self, position: &str, depth: u32) -> Result<u64, String> {
        blokus::perft(position, depth).map_err(|error| error.to_string())
    }
}

/// The engine, behind the same text interface.
pub(crate) struct Engine;

impl Engine {
    pub(crate) fn position(text: &str) -> Result<Position, String> {
        Position::parse(text).map_err(|error| error.to_string())
    }

    fn color(position: &Position, letter: &str) -> Result<Color, String> {
        let color = letter.chars().next().and_then(|letter| position.variant().color(letter));
        color.filter(|_| letter.len() == 1).ok_or_else(|| format!("no color '{letter}'"))
    }

    /// Returns the placements of a color as text, after checking that all generators agree.
    pub(crate) fn placements(position: &Position, color: Color) -> Vec<String> {
        let placements = position.legal_moves_of(color);
        for (name, generate) in reference_generators::GENERATORS {
            let other = reference_generators::legal_of(position, color, generate);
            assert_eq!(placements, other, "{name}, color {color:?} in {position}");
        }
        assert_eq!(position.has_legal_move(color), !placements.is_empty(), "{position}");
        let size = position.variant().size();
        placements.into_iter().map(|placement| placement.to_text(size)).collect()
    }

    pub(crate) fn reported(position: &Position) -> Report {
        let variant = position.variant();
        let colors = variant.colors();
        Report {
            position: position.to_string(),
            basic: colors.clone().map(|color| position.basic_score(color)).collect(),
            advanced: colors.clone().map(|color| position.advanced_score(color)).collect(),
            players: position.player_scores(),
            winners: position.winners().into_iter().map(Player::index).collect(),
            eliminated: colors
                .filter(|&color| position.is_eliminated(color))
                .map(|color| variant.letter(color))
                .collect(),
            player_to_move: position.player_to_move().map(Player::index),
        }
    }
}

impl Implementation for Engine {
    fn start(&self, variant: &str) -> Result<String, String> {
        let variant = Variant::from_name(variant).ok_or("no such variant")?;
        Ok(Position::start(variant).to_string())
    }

    fn moves(&self, position: &str) -> Result<Vec<String>, String> {
        let position = Engine::position(position)?;
        Ok(position.turn().map_or(Vec::new(), |color| Engine::placements(&position, color)))
    }

    fn moves_of(&self, position: &str, color: &str) -> Result<Vec<String>, String> {
        let position = Engine::position(position)?;
        Ok(Engine::placements(&position, Engine::color(&position, color)?))
    }

    fn play(&self, position: &str, mv: &str) -> Result<String, String> {
        let mut position = Engine::position(position)?;
        let placement = position.parse_move(mv).map_err(|error| error.to_string())?;
        position.play(placement).map_err(|error| error.to_string())?;
        reference_generators::assert_consistent(&position);
        Ok(position.to_string())
    }

    fn refusal(&self, position: &str, mv: &str) -> Result<Option<String>, String> {
        let position = Engine::position(position)?;
        match position.parse_move(mv) {
            Ok(_) => Ok(None),
            Err(ParseMoveError::NoPiece { .. }) => Ok(Some("not-a-piece".to_owned())),
            Err(ParseMoveError::OffBoard { .. }) => Ok(Some("off-board".to_owned())),
            Err(ParseMoveError::Illegal { refusal, .. }) => Ok(Some(match refusal {
                Refusal::AlreadyPlaced(_) => "already-placed".to_owned(),
                Refusal::Occupied { cell } => format!("occupied:{cell}"),
                Refusal::OwnEdge { cell } => format!("own-edge:{cell}"),
                Refusal::NoCorner => "no-corner".to_owned(),
                Refusal::NotOnStart { starts } => format!("not-on-start:{starts}"),
                Refusal::GameOver => "game-over".to_owned(),
                other => return Err(format!("a new refusal: {other}")),
            })),
            Err(error) => Err(error.to_string()),
        }
    }

    fn game(&self, variant: &str, moves: &[&str]) -> Result<Report, String> {
        let variant = Variant::from_name(variant).ok_or("no such variant")?;
        let mut position = Position::start(variant);
        for mv in moves {
            let placement = position.parse_move(mv).map_err(|error| error.to_string())?;
            position.play(placement).map_err(|error| error.to_string())?;
        }
        Ok(Engine::reported(&position))
    }

    fn report(&self, position: &str) -> Result<Report, String> {
        Ok(Engine::reported(&Engine::position(position)?))
    }

    fn frontier(&self, position: &str, color: &str) -> Result<Vec<String>, String> {
        let position = Engine::position(position)?;
        let size = position.variant().size();
        let cells = position.frontier(Engine::color(&position, color)?).cells();
        let name =
            |(row, column)| Placement::new(size, 0, row, column).map(|cell| cell.to_text(size));
        Ok(cells.filter_map(name).collect())
    }

    fn left(&self, position: &str, color: &str) -> Result<Vec<String>, String> {
        let position = Engine::position(position)?;
        let color = Engine::color(&position, color)?;
        Ok(position.remaining(color).map(|piece| piece.name().to_owned()).collect())
    }

    fn perft(&self, position: &str, depth: u32) -> Result<u64, String> {
        Ok(fourfold_blokus::perft(&Engine::position(position)?, depth))
    }
}
