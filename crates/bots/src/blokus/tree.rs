//! Blokus for the tree search: candidates are the placements with the highest merit, and leaves are
//! evaluated by playouts.

use fourfold_blokus::{Placement, PlacementList, Player, Position};
use fourfold_common::{SplitMix64, cpu};

use super::Game;
use super::handicap::Handicap;
use super::merit::PlacementRater;
use super::playout::{Lists, Playout};
use crate::level_bot::Game as _;
use crate::tree::{self, WinningChances};

/// A game of Blokus as the tree search sees it.
pub(super) struct SearchGame {
    game: Game,
    handicap: Handicap,
    list: PlacementList,
    lists: Lists,
    rng: SplitMix64,
}

impl SearchGame {
    pub(super) fn new(game: Game, handicap: Handicap) -> SearchGame {
        let (list, lists) = (PlacementList::default(), Lists::default());
        SearchGame { game, handicap, list, lists, rng: SplitMix64::new(handicap.seed) }
    }
}

impl tree::Game for SearchGame {
    type Position = Position;
    type Move = Placement;

    const EXPLORATION: f64 = 0.5;
    const FPU_REDUCTION: f64 = 0.05;

    fn turn(&self, position: &Position) -> Option<usize> {
        position.player_to_move().map(Player::index)
    }

    fn moves(&mut self, position: &Position, ranked: &mut Vec<(i32, Placement)>) {
        let Some(color) = position.turn() else { return };
        position.legal_moves_into(&mut self.list);
        let rater = PlacementRater::new(position, color);
        let seen = self.list.iter().filter(|&&placement| self.handicap.sees(position, placement));
        ranked.extend(seen.map(|&placement| (rater.merit(placement), placement)));
        if ranked.is_empty() {
            // If everything is overlooked, consider all placements.
            ranked.extend(self.list.iter().map(|&placement| (rater.merit(placement), placement)));
        }
        let rank = |&(merit, placement): &(i32, Placement)| (-merit, placement);
        let most = self.handicap.candidates;
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
    fn winning_chances(&mut self, position: &Position) -> WinningChances {
        cpu::dispatch(Playout {
            position: *position,
            horizon: self.handicap.horizon,
            lists: &mut self.lists,
            rng: &mut self.rng,
        })
    }

    fn code(&self, placement: Placement) -> String {
        self.game.code(placement)
    }
}
