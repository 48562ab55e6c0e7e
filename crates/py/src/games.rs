//! What Python needs from a game besides its environment: pictures and bots. This is the only list
//! of games in this crate; a game that is not in it has no pictures and no bots, but everything else
//! works.

use std::any::Any;

use fourfold_bots::Rules;
use fourfold_chess::Variant;
use fourfold_draw::Picture;
use fourfold_env::blokus::Blokus;
use fourfold_env::chess::Chess;
use fourfold_env::four_player::FourPlayer;
use fourfold_env::kung_fu::KungFu;
use fourfold_env::{AnyBatch, Batch, Describe};
use fourfold_kung_fu as kung_fu;
use fourfold_table::{BlokusTable, ChessTable, FourPlayerTable, Table as _};
use pyo3::PyResult;
use pyo3::exceptions::{PyIndexError, PyValueError};

use crate::pictures::{self, PictureOptions};

/// The rules that bots play by in a batch.
#[derive(Clone, Copy)]
pub(crate) enum BotRules {
    /// A turn-based game.
    Turns(Rules),
    /// Kung fu chess, with `interval` ticks per step and a function that returns a batch's game.
    RealTime { interval: u64, speed: kung_fu::Timing, game: fn(&dyn Any) -> Option<&kung_fu::Game> },
}

/// A game that can be drawn and that bots can play.
trait Adapter: Describe {
    /// The options of the environment that has all levels of bots.
    const ALL_LEVELS: &'static [(&'static str, &'static str)] = &[];

    fn picture(&self, options: PictureOptions<'_>) -> PyResult<Picture>;

    fn bot_rules(rules: &Self::Rules) -> BotRules;
}

impl Adapter for Chess {
    fn picture(&self, options: PictureOptions<'_>) -> PyResult<Picture> {
        pictures::of_scene(&ChessTable::from_position(*self.position()).scene(), options)
    }

    fn bot_rules(_: &Self::Rules) -> BotRules {
        BotRules::Turns(Rules::Chess(Variant::Standard))
    }
}

impl Adapter for FourPlayer {
    const ALL_LEVELS: &'static [(&'static str, &'static str)] = &[("mode", "teams")];

    fn picture(&self, options: PictureOptions<'_>) -> PyResult<Picture> {
        pictures::of_scene(&FourPlayerTable::from_position(*self.position()).scene(), options)
    }

    fn bot_rules(rules: &Self::Rules) -> BotRules {
        BotRules::Turns(Rules::FourPlayer(rules.play))
    }
}

impl<const COLORS: usize> Adapter for Blokus<COLORS> {
    fn picture(&self, options: PictureOptions<'_>) -> PyResult<Picture> {
        pictures::of_scene(&BlokusTable::from_position(*self.position()).scene(), options)
    }

    fn bot_rules(rules: &Self::Rules) -> BotRules {
        BotRules::Turns(Rules::Blokus(rules.variant()))
    }
}

impl<const SIDE: usize> Adapter for KungFu<SIDE> {
    fn picture(&self, options: PictureOptions<'_>) -> PyResult<Picture> {
        pictures::of_kung_fu(self.game(), options)
    }

    fn bot_rules(rules: &Self::Rules) -> BotRules {
        BotRules::RealTime {
            interval: rules.interval.into(),
            speed: rules.play().speed,
            game: |state| state.downcast_ref::<KungFu<SIDE>>().map(|state| state.game()),
        }
    }
}

/// The functions of an [`Adapter`], which return `None` for batches of other games.
struct Entry {
    name: &'static str,
    all_levels: &'static [(&'static str, &'static str)],
    picture: fn(&dyn AnyBatch, usize, PictureOptions<'_>) -> Option<PyResult<Picture>>,
    bot_rules: fn(&dyn AnyBatch) -> Option<BotRules>,
}

static GAMES: [Entry; 6] = [
    entry::<Chess>(),
    entry::<FourPlayer>(),
    entry::<Blokus<4>>(),
    entry::<Blokus<2>>(),
    entry::<KungFu<8>>(),
    entry::<KungFu<12>>(),
];

const fn entry<G: Adapter>() -> Entry {
    fn of<G: Describe>(batch: &dyn AnyBatch) -> Option<&Batch<G>> {
        batch.as_any().downcast_ref()
    }
    Entry {
        name: G::NAME,
        all_levels: G::ALL_LEVELS,
        picture: |batch, game, options| {
            let state = of::<G>(batch)?.states().nth(game);
            let error = || PyIndexError::new_err(format!("game {game} is out of range"));
            Some(state.ok_or_else(error).and_then(|state| state.picture(options)))
        },
        bot_rules: |batch| of::<G>(batch).map(|batch| G::bot_rules(batch.rules())),
    }
}

/// Draws a game of a batch.
pub(crate) fn picture(
    batch: &dyn AnyBatch,
    game: usize,
    options: PictureOptions<'_>,
) -> PyResult<Picture> {
    let found = GAMES.iter().find_map(|entry| (entry.picture)(batch, game, options));
    found.unwrap_or_else(|| {
        Err(PyValueError::new_err(format!("there are no pictures of {}", batch.id())))
    })
}

/// Returns the rules that bots play by in a batch.
pub(crate) fn bot_rules(batch: &dyn AnyBatch) -> PyResult<BotRules> {
    let found = GAMES.iter().find_map(|entry| (entry.bot_rules)(batch));
    found.ok_or_else(|| PyValueError::new_err(format!("there are no bots for {}", batch.id())))
}

/// Returns the options of the environment of a game that has all levels of bots.
pub(crate) fn all_levels(game: &str) -> &'static [(&'static str, &'static str)] {
    GAMES.iter().find(|entry| entry.name == game).map_or(&[], |entry| entry.all_levels)
}
