//! Reads a game from the nodes of its main line.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use fourfold_common::{ensure, quote_short};

use super::nodes::Node;
use super::properties::{Property, color, expected_colors, property};
use super::{Game, MoveError, START, SgfError, Step, Withdrawal, WithdrawalReason};
use crate::cell_set::CellSet;
use crate::{Color, GameState, Placement, Position, Variant};

impl Game {
    pub(super) fn from_nodes(nodes: &[Node]) -> Result<Game, SgfError> {
        let (head, _) = nodes.split_first().ok_or(SgfError::NoGame)?;
        let name = value(head, "GM").ok_or(SgfError::NoVariant)?;
        let variant = super::variant(name)
            .ok_or_else(|| SgfError::UnknownVariant { name: name.to_owned() })?;
        let mut game = Game::new(start(head, variant)?);
        for (name, values) in head {
            let is_read = name == "GM" || name == START || of_board(variant, name)?.is_some();
            if !is_read {
                game.tags.extend(values.iter().map(|value| (name.clone(), value.clone())));
            }
        }
        let mut state = GameState::new(game.start);
        for node in nodes {
            game.read_node(node, &mut state)?;
        }
        let empty = game.placements.is_empty() && game.start == Position::start(variant);
        match nodes.iter().flatten().find(|(name, values)| empty && is_move(variant, name, values))
        {
            Some((name, _)) => Err(SgfError::UnknownProperty { name: name.clone(), variant }),
            None => Ok(game),
        }
    }

    fn read_node(&mut self, node: &Node, state: &mut GameState) -> Result<(), SgfError> {
        let variant = self.start.variant();
        self.read_setup(node, state)?;
        for (name, values) in node {
            let Some(Property::Move(color)) = of_board(variant, name)? else { continue };
            let after = self.placements.len();
            let at = |error| SgfError::Move { number: after + 1, error };
            // Old files have the cells of a piece as separate values.
            let cells = lowercase(&values.join(","));
            // An empty value is a pass.
            if cells.is_empty() {
                let reason = value(node, "C").and_then(WithdrawalReason::from_comment);
                if let Some(reason) = reason {
                    let withdrawal = Withdrawal { after, color, reason };
                    Step::Withdraw(withdrawal).apply(state);
                    self.withdrawals.push(withdrawal);
                }
                continue;
            }
            if state.turn() != Some(color) {
                let turn = state.turn().map(|color| variant.color_name(color));
                return Err(at(MoveError::Turn { color: variant.color_name(color), turn }));
            }
            let placement = state.position().parse_move(&cells);
            let placement = placement.map_err(|error| at(MoveError::Placement(error)))?;
            Step::Place(placement).apply(state);
            self.placements.push(placement);
        }
        Ok(())
    }

    /// Applies the setup properties of a node to the start position. After the first move there can
    /// be none, apart from `PL` with the color that is to move anyway.
    fn read_setup(&mut self, node: &Node, state: &mut GameState) -> Result<(), SgfError> {
        let variant = self.start.variant();
        let is_setup = |property| {
            matches!(property, Ok(Some(Property::Add(_) | Property::Remove | Property::Turn)))
        };
        if !node.iter().any(|(name, _)| is_setup(property(variant, name))) {
            return Ok(());
        }
        let wrong = |reason: String| SgfError::Start { reason };
        let began = !self.placements.is_empty() || !self.withdrawals.is_empty();
        let mut pieces: Vec<(Color, Placement)> = Vec::new();
        for color in variant.colors() {
            pieces.extend(self.start.placements(color).into_iter().map(|piece| (color, piece)));
        }
        let (mut changed, mut turn) = (false, None);
        for (name, values) in node {
            match of_board(variant, name)? {
                Some(Property::Add(_) | Property::Remove) if began => {
                    return Err(SgfError::LateSetup { name: name.to_owned() });
                }
                Some(Property::Add(color)) => {
                    changed = true;
                    for cells in values {
                        let piece = parse_piece(variant, cells).map_err(wrong)?;
                        let taken = pieces.iter().find_map(|(_, other)| {
                            other.cells().find(|&cell| piece.cells().any(|own| own == cell))
                        });
                        if let Some((row, column)) = taken {
                            let cell = crate::cell_name(variant.size(), row, column);
                            return Err(wrong(format!("{name}: {cell} is occupied")));
                        }
                        ensure!(
                            pieces.len() < 4 * crate::PIECES,
                            wrong(format!("{name}: too many pieces"))
                        );
                        pieces.push((color, piece));
                    }
                }
                Some(Property::Remove) => {
                    changed = true;
                    for cells in values {
                        let piece = parse_piece(variant, cells).map_err(wrong)?;
                        let known = pieces.iter().position(|&(_, other)| other == piece);
                        let missing =
                            || wrong(format!("AE: there is no piece on '{}'", quote_short(cells)));
                        pieces.remove(known.ok_or_else(missing)?);
                    }
                }
                Some(Property::Turn) => {
                    let text = values.join(",");
                    let expected = expected_colors(variant);
                    turn = Some(color(variant, &text).ok_or_else(|| {
                        wrong(format!(
                            "PL: expected one of {expected}, got '{}'",
                            quote_short(&text)
                        ))
                    })?);
                }
                Some(Property::Move(_)) | None => {}
            }
        }
        if let Some(turn) = turn.filter(|_| began) {
            ensure!(state.turn() == Some(turn), SgfError::LateSetup { name: "PL".to_owned() });
            return Ok(());
        }
        if changed {
            self.start = arrange(variant, &pieces).map_err(wrong)?;
        }
        if let Some(turn) = turn {
            self.start = self.start.with_turn(turn).ok_or_else(|| {
                wrong(format!("PL: {} cannot place a piece", variant.color_name(turn)))
            })?;
        }
        if changed || turn.is_some() {
            *state = GameState::new(self.start);
        }
        Ok(())
    }
}

/// Returns the first value of a property.
fn value<'a>(node: &'a Node, name: &str) -> Option<&'a str> {
    let (_, values) = node.iter().find(|(property, _)| property == name)?;
    values.first().map(String::as_str)
}

/// Returns what a property says about the board, or an error if it belongs to a color of another
/// variant.
fn of_board(variant: Variant, name: &str) -> Result<Option<Property>, SgfError> {
    property(variant, name).map_err(|()| SgfError::ColorProperty { name: name.to_owned(), variant })
}

/// Returns whether an unknown property looks like a move. Those that SGF defines may have cells, too,
/// such as marks.
fn is_move(variant: Variant, name: &str, values: &[String]) -> bool {
    const WITH_CELLS: [&str; 12] =
        ["AR", "C", "CR", "DD", "LB", "LN", "MA", "N", "SL", "SQ", "TR", "VW"];
    matches!(property(variant, name), Ok(None))
        && !WITH_CELLS.contains(&name)
        && Placement::parse(variant.size(), &lowercase(&values.join(","))).is_ok()
}

/// Cells are not case-sensitive.
fn lowercase(cells: &str) -> String {
    cells.chars().filter(|letter| !letter.is_whitespace()).collect::<String>().to_ascii_lowercase()
}

fn parse_piece(variant: Variant, cells: &str) -> Result<Placement, String> {
    Placement::parse(variant.size(), &lowercase(cells)).map_err(|error| error.to_string())
}

/// Returns the start position given by the first node.
fn start(head: &Node, variant: Variant) -> Result<Position, SgfError> {
    let Some(text) = value(head, START) else {
        return Ok(Position::start(variant));
    };
    let wrong = |reason: String| SgfError::Start { reason };
    let position = Position::parse(text).map_err(|error| wrong(error.to_string()))?;
    match position.variant() {
        found if found == variant => Ok(position),
        found => Err(wrong(format!("expected a position of variant {variant}, got {found}"))),
    }
}

/// Returns the position with these pieces. The first color that can place a piece is to move.
fn arrange(variant: Variant, pieces: &[(Color, Placement)]) -> Result<Position, String> {
    let mut sets = vec![CellSet::EMPTY; variant.colors().len()];
    for (color, piece) in pieces {
        piece.cells().for_each(|(row, column)| sets[color.index()].insert(row, column));
    }
    let position = Position::of_sets(variant, &sets).map_err(|error| error.to_string())?;
    // Pieces of one color that touch have cells of another piece.
    let kept = pieces.iter().all(|(color, piece)| position.placements(*color).contains(piece));
    if kept { Ok(position) } else { Err("pieces of one color touch at an edge".to_owned()) }
}
