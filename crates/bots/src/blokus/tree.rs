//! What Blokus tells the tree: the placements that look best, and games played on from its leaves.

use fourfold_blokus::{Placement, PlacementList, Position};
use fourfold_board::{Keys, cpu};

use super::Game;
use super::merit::Eyes;
use super::playout::{Lists, Playout};
use super::sight::Sight;
use crate::chooser::Game as _;
use crate::tree::{self, Shares};

/// A player's thoughts of a game.
pub(super) struct Mind {
    game: Game,
    sight: Sight,
    list: PlacementList,
    lists: Lists,
    keys: Keys,
}

impl Mind {
    pub(super) fn new(game: Game, sight: Sight, seed: u64) -> Mind {
        let (list, lists) = (PlacementList::default(), Lists::default());
        Mind { game, sight, list, lists, keys: Keys::new(seed) }
    }
}

impl tree::Game for Mind {
    type Position = Position;
    type Move = Placement;

    const CURIOSITY: f64 = 0.5;
    const UNTRIED: f64 = 0.05;

    fn turn(&self, position: &Position) -> Option<usize> {
        position.mover()
    }

    fn moves(&mut self, position: &Position, ranked: &mut Vec<(i32, Placement)>) {
        let Some(color) = position.turn() else { return };
        position.legal_into(&mut self.list);
        let eyes = Eyes::new(position, color);
        let seen = self.list.iter().filter(|&&placement| self.sight.sees(position, placement));
        ranked.extend(seen.map(|&placement| (eyes.merit(placement), placement)));
        if ranked.is_empty() {
            // Who sees nothing looks again.
            ranked.extend(self.list.iter().map(|&placement| (eyes.merit(placement), placement)));
        }
        let rank = |&(merit, placement): &(i32, Placement)| (-merit, placement);
        let most = self.sight.candidates;
        if ranked.len() > most {
            ranked.select_nth_unstable_by_key(most - 1, rank);
            ranked.truncate(most);
        }
        ranked.sort_unstable_by_key(rank);
    }

    fn play(&mut self, position: &mut Position, placement: Placement) {
        position.play_unchecked(placement);
    }

    /// How a game that is played on comes out.
    fn shares(&mut self, position: &Position) -> Shares {
        cpu::enter(Playout {
            position: *position,
            horizon: self.sight.horizon,
            lists: &mut self.lists,
            keys: &mut self.keys,
        })
    }

    fn code(&self, placement: Placement) -> String {
        self.game.code(placement)
    }
}
