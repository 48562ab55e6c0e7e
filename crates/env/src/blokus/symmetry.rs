//! Symmetries of the game, for data augmentation.

use alloc::vec;
use alloc::vec::Vec;

use fourfold_blokus::{Color, Placement, Player, Variant};

use super::Rules;
use super::ids::Transform;
use crate::game::Action;
use crate::options::View;

/// A symmetry of the game: a transformation of the board and the colors that preserves legality and
/// results.
///
/// With `View::Own`, rotating the whole board does not change observations, so only transposing has
/// an effect there.
///
/// ```
/// use fourfold_env::blokus::{Rules, Symmetry};
/// let names: Vec<&str> = Symmetry::all(&Rules::DUO).iter().map(Symmetry::name).collect();
/// assert_eq!(names, ["identity", "transpose", "half turn", "half turn and transpose"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry {
    name: &'static str,
    /// The transformation of the board.
    board: Transform,
    /// The transformation of the board as a color sees it.
    seen: Transform,
    /// The number added to each color, modulo the number of colors.
    colors: usize,
    variant: Variant,
    view: View,
}

impl Symmetry {
    /// Returns all symmetries of a game, the identity first. Four colors have the quarter turns,
    /// each of which maps every color to another one. Two colors have the half turn that swaps
    /// them, the transposition, and both combined. If three players share a color, it cannot be
    /// mapped to another color, and there is only the identity.
    pub fn all<const COLORS: usize>(rules: &Rules<COLORS>) -> Vec<Symmetry> {
        let variant = rules.variant();
        let shared = variant.colors().any(|color| variant.owner(color).is_none());
        // A quarter turn clockwise is three quarter turns counterclockwise.
        let turned = |name, quarters: usize, transposed: Transform, colors| Symmetry {
            name,
            board: transposed.then(Transform::quarters(4 - quarters)),
            seen: match rules.view {
                View::Own => transposed,
                View::Absolute => transposed.then(Transform::quarters(4 - quarters)),
            },
            colors,
            variant,
            view: rules.view,
        };
        let identity = turned("identity", 0, Transform::NONE, 0);
        match COLORS {
            _ if shared => vec![identity],
            4 => vec![
                identity,
                turned("quarter turn", 1, Transform::NONE, 1),
                turned("half turn", 2, Transform::NONE, 2),
                turned("three-quarter turn", 3, Transform::NONE, 3),
            ],
            _ => vec![
                identity,
                turned("transpose", 0, Transform::TRANSPOSED, 0),
                turned("half turn", 2, Transform::NONE, 1),
                turned("half turn and transpose", 2, Transform::TRANSPOSED, 1),
            ],
        }
    }

    /// Returns the name, for example `half turn`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Maps a color.
    pub fn color(&self, color: Color) -> Color {
        Color::ALL[(color.index() + self.colors) % self.variant.colors().len()]
    }

    /// Maps a player.
    pub fn player(&self, player: Player) -> Player {
        let own = self.variant.colors().find(|&color| self.variant.owner(color) == Some(player));
        own.and_then(|own| self.variant.owner(self.color(own))).unwrap_or(player)
    }

    /// Maps a cell of the board (not rotated to a viewer).
    pub fn cell(&self, cell: (usize, usize)) -> (usize, usize) {
        self.board.cell(self.variant.size(), cell)
    }

    /// Maps an action.
    pub fn action(&self, Action(id): Action) -> Action {
        Action(self.seen.id(self.variant.size(), id))
    }

    /// Returns the image of every action, by id.
    pub fn actions(&self) -> Vec<u32> {
        let count = Placement::count(self.variant.size()) as u32;
        (0..=count).map(|id| self.action(Action(id)).0).collect()
    }

    /// Returns the image of every cell of an observation, as row-by-row indices.
    pub fn squares(&self) -> Vec<usize> {
        let size = self.variant.size();
        let turned = |cell: usize| self.seen.cell(size, (cell / size, cell % size));
        (0..size * size).map(turned).map(|(row, column)| row * size + column).collect()
    }

    /// Returns the image of every color of an observation, in the order in which it shows them.
    pub fn shown_colors(&self) -> Vec<Color> {
        let moved = |color| match self.view {
            View::Own => color,
            View::Absolute => self.color(color),
        };
        self.variant.colors().map(moved).collect()
    }

    /// Returns the image of every channel of an observation.
    pub fn channels(&self) -> Vec<usize> {
        let colors = self.shown_colors();
        let count = colors.len();
        let cells = colors.iter().map(|color| color.index());
        let frontiers = cells.clone().map(|color| count + color);
        cells.chain(frontiers).chain([2 * count, 2 * count + 1]).collect()
    }
}
