//! Blokus for the tree search: candidates are the placements with the highest merit, and leaves are
//! evaluated by playouts.

use fourfold_blokus::{Placement, PlacementList, Position};
use fourfold_common::{SplitMix64, cpu};

use super::Game;
use super::handicap::Handicap;
use super::merit::Eyes;
use super::playout::{Lists, Playout};
use crate::chooser::Game as _;
use crate::tree::{self, Shares};

/// A game of Blokus as the tree search sees it.
pub(super) struct Mind {
    game: Game,
    sight: Handicap,
    list: PlacementList,
    lists: Lists,
    keys: SplitMix64,
}

impl Mind {
    pub(super) fn new(game: Game, sight: Handicap, seed: u64) -> Mind {
        let (list, lists) = (PlacementList::default(), Lists::default());
        Mind { game, sight, list, lists, keys: SplitMix64::new(seed) }
    }
}

impl tree::Game for Mind {
    type Position = Position;
    type Move = Placement;

    const CURIOSITY: f64 = 0.5;
    const UNTRIED: f64 = 0.05;

    fn turn(&self, position: &Position) -> Option<usize> {
        position.player_to_move()
    }

    fn moves(&mut self, position: &Position, ranked: &mut Vec<(i32, Placement)>) {
        let Some(color) = position.turn() else { return };
        position.legal_moves_into(&mut self.list);
        let eyes = Eyes::new(position, color);
        let seen = self.list.iter().filter(|&&placement| self.sight.sees(position, placement));
        ranked.extend(seen.map(|&placement| (eyes.merit(placement), placement)));
        if ranked.is_empty() {
            // If everything is overlooked, consider all placements.
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

    /// Evaluates a position by one playout.
    fn shares(&mut self, position: &Position) -> Shares {
        cpu::dispatch(Playout {
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
