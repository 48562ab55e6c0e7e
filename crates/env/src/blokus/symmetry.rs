//! Ways to turn a game into another one that is worth the same: more data from the same play.

use fourfold_blokus::{Placement, Variant};

use super::Rules;
use super::ids::Turn;
use crate::game::Action;
use crate::options::View;

/// A way to lay a game on the board anew, with other colours: what is legal, and who wins, goes with it.
///
/// With the view of the colour that places (`View::Own`) turning the whole board changes nothing that is
/// seen, so that only transposing shows there.
///
/// ```
/// use fourfold_env::blokus::{Rules, Symmetry};
/// let names: Vec<&str> = Symmetry::all(&Rules::DUO).iter().map(Symmetry::name).collect();
/// assert_eq!(names, ["identity", "transpose", "half turn", "half turn and transpose"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry {
    name: &'static str,
    /// What happens to the board as it is.
    board: Turn,
    /// What happens to the board as a colour sees it.
    seen: Turn,
    /// By how many each colour moves on.
    colors: usize,
    variant: Variant,
    view: View,
}

impl Symmetry {
    /// All symmetries of a game, that which changes nothing first: quarter turns by which each colour
    /// becomes the next one, or for two colours the half turn that swaps them, and transposing. A colour
    /// that three players share can be no other one.
    pub fn all<const COLORS: usize>(rules: &Rules<COLORS>) -> Vec<Symmetry> {
        let variant = rules.variant();
        let shared = (0..COLORS).any(|color| variant.owner(color).is_none());
        // A turn to the right is three to the left.
        let turned = |name, quarters: usize, transposed: Turn, colors| Symmetry {
            name,
            board: transposed.then(Turn::quarters(4 - quarters)),
            seen: match rules.view {
                View::Own => transposed,
                View::Absolute => transposed.then(Turn::quarters(4 - quarters)),
            },
            colors,
            variant,
            view: rules.view,
        };
        let identity = turned("identity", 0, Turn::NONE, 0);
        match COLORS {
            _ if shared => vec![identity],
            4 => vec![
                identity,
                turned("quarter turn", 1, Turn::NONE, 1),
                turned("half turn", 2, Turn::NONE, 2),
                turned("three-quarter turn", 3, Turn::NONE, 3),
            ],
            _ => vec![
                identity,
                turned("transpose", 0, Turn::TRANSPOSED, 0),
                turned("half turn", 2, Turn::NONE, 1),
                turned("half turn and transpose", 2, Turn::TRANSPOSED, 1),
            ],
        }
    }

    /// The name: `half turn`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What a colour becomes.
    pub const fn color(&self, color: usize) -> usize {
        (color + self.colors) % self.variant.colors()
    }

    /// Whose place a player takes.
    pub fn player(&self, player: usize) -> usize {
        let mut colors = 0..self.variant.colors();
        let own = colors.find(|&color| self.variant.owner(color) == Some(player)).unwrap_or(player);
        self.variant.owner(self.color(own)).unwrap_or(player)
    }

    /// Where a cell of the board goes, as it is.
    pub fn cell(&self, cell: (usize, usize)) -> (usize, usize) {
        self.board.cell(self.variant.size(), cell)
    }

    /// What an action becomes.
    pub fn action(&self, Action(id): Action) -> Action {
        Action(self.seen.id(self.variant.size(), id))
    }

    /// What all actions become, by their ids.
    pub fn actions(&self) -> Vec<u32> {
        let count = Placement::count(self.variant.size()) as u32;
        (0..=count).map(|id| self.action(Action(id)).0).collect()
    }

    /// Where the cells of an observation go, by their numbers row by row.
    pub fn squares(&self) -> Vec<usize> {
        let size = self.variant.size();
        let turned = |cell: usize| self.seen.cell(size, (cell / size, cell % size));
        (0..size * size).map(turned).map(|(row, column)| row * size + column).collect()
    }

    /// What the colours of an observation become, in the order in which it shows them.
    pub fn shown_colors(&self) -> Vec<usize> {
        let moved = |color| match self.view {
            View::Own => color,
            View::Absolute => self.color(color),
        };
        (0..self.variant.colors()).map(moved).collect()
    }

    /// What the channels of an observation become.
    pub fn channels(&self) -> Vec<usize> {
        let colors = self.shown_colors();
        let count = colors.len();
        let frontiers = colors.iter().map(|color| count + color);
        colors.iter().copied().chain(frontiers).chain([2 * count, 2 * count + 1]).collect()
    }
}
