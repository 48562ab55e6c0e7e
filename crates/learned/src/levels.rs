//! The level `learned`: the weights that come with the program.

use std::sync::LazyLock;

use fourfold_bots::{Bot, Level};

use crate::model::Model;

/// The id of the level.
pub const LEARNED: &str = "learned";

/// The files of a model that comes with the program.
struct Files {
    /// The id of the game in `fourfold-table`.
    game: &'static str,
    json: &'static [u8],
    weights: &'static [u8],
    /// The number of positions that the level evaluates for a move, in less than a second.
    nodes: u64,
    /// The rating of the level on the scale of the other bots, from matches against them.
    rating: u32,
}

/// Returns the files in a folder of `models`.
macro_rules! files {
    ($game:literal, $nodes:literal, $rating:literal) => {
        Files {
            game: $game,
            json: include_bytes!(concat!("../models/", $game, "/model.json")),
            weights: include_bytes!(concat!("../models/", $game, "/model.safetensors")),
            nodes: $nodes,
            rating: $rating,
        }
    };
}

/// The games with weights, such as `files!("chess", 200, 1500)`. In kung fu chess, a decision must take less than 50
/// milliseconds, after which the arena stops it.
static FILES: &[Files] = &[files!("blokus-duo", 128, 2240), files!("kung-fu", 16, 1570)];

/// The shipped models, with the levels of their games. Weights are parsed when they are first used.
static SHIPPED: LazyLock<Vec<Shipped>> = LazyLock::new(|| FILES.iter().map(Shipped::new).collect());

struct Shipped {
    game: &'static str,
    levels: Vec<Level>,
    model: LazyLock<Option<Model>, Box<dyn FnOnce() -> Option<Model> + Send>>,
}

impl Shipped {
    fn new(&Files { game, json, weights, nodes, rating }: &Files) -> Shipped {
        let mut levels = fourfold_bots::levels(game).to_vec();
        let about = "trained only by playing itself";
        levels.push(Level::new(LEARNED, "Learned", about, rating, nodes));
        // A test loads every model.
        let model = LazyLock::new(Box::new(move || Model::new(json, weights).ok()) as Box<_>);
        Shipped { game, levels, model }
    }
}

/// Returns the levels of a game: those of `fourfold-bots`, weakest first, and then `learned` if the game has weights.
pub fn levels(game: &str) -> &'static [Level] {
    match SHIPPED.iter().find(|shipped| shipped.game == game) {
        Some(shipped) => &shipped.levels,
        None => fourfold_bots::levels(game),
    }
}

/// Returns a level of a game.
pub fn find(game: &str, id: &str) -> Option<&'static Level> {
    levels(game).iter().find(|level| level.id == id)
}

/// Returns the model that comes with the program, if there is one for this game.
pub fn shipped(game: &str) -> Option<&'static Model> {
    SHIPPED.iter().find(|shipped| shipped.game == game)?.model.as_ref()
}

/// Creates a bot of a level, or returns `None` if the game does not have that level. See [`fourfold_bots::make`].
pub fn make(game: &str, level: &str, seed: u64) -> Option<Box<dyn Bot>> {
    match level == LEARNED {
        true => Some(shipped(game)?.bot(seed)),
        false => fourfold_bots::make(game, level, seed),
    }
}

#[cfg(test)]
mod tests {
    use crate::random_model;

    use super::*;

    #[test]
    fn games_with_weights_have_the_level() {
        for (environment, options) in random_model::GAMES_AND_OPTIONS {
            let files = random_model::Files::new(environment, (1, 4), 1);
            let (json, weights) = (files.json.clone().into_bytes(), files.weights());
            let game = environment.replace('_', "-").leak();
            let (json, weights) = (json.leak(), weights.leak());
            let shipped = Shipped::new(&Files { game, json, weights, nodes: 7, rating: 1234 });
            let (level, others) = shipped.levels.split_last().expect("levels");
            assert_eq!(others, fourfold_bots::levels(game), "{game}");
            assert!(!others.is_empty(), "{game}");
            assert_eq!((level.id, level.nodes, level.rating), (LEARNED, 7, 1234));
            let model = shipped.model.as_ref().expect("a model");
            let batch =
                fourfold_env::make(environment, options, 1, fourfold_env::Options::default());
            assert!(model.can_play(&*batch.expect("an environment")), "{game}");
        }
    }

    #[test]
    fn shipped_models_load_and_are_small() {
        for Files { game, json, weights, nodes, .. } in FILES {
            let model = Model::new(json, weights).expect(game);
            assert_eq!(model.game(), *game);
            assert!(weights.len() <= 2 << 20, "{game}: {} bytes", weights.len());
            assert_eq!(find(game, LEARNED).map(|level| level.nodes), Some(*nodes));
            assert!(!fourfold_bots::levels(game).is_empty(), "{game}");
        }
    }

    #[test]
    fn games_without_weights_have_the_other_levels() {
        assert_eq!(levels("blokus-3"), fourfold_bots::levels("blokus-3"));
        assert!(levels("checkers").is_empty());
        assert!(make("blokus-3", LEARNED, 1).is_none());
        assert!(make("chess", "greedy", 1).is_some());
    }
}
