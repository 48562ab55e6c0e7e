//! Kung fu chess: all players act in every step, which lasts a number of ticks.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

mod arrays;
mod captions;
mod lanes;
mod parts;
mod rules;
mod squares;
mod view;

pub use crate::options::View;
pub use rules::Rules;
pub(crate) use rules::{FOUR_PLAYER_OPTIONS, OPTIONS};
pub use view::FEATURES;

use bytemuck::{Pod, Zeroable};
use fourfold_common::cpu::Cpu;
use fourfold_kung_fu::{self as kung_fu, Cell, NoEvents, Outcome, PlacedPiece, Player};

use crate::captions::{ActionPlace, Caption};
use crate::game::{Action, ArraySpec, Describe, Game, MAX_PLAYERS, PlayerSet, Spec, Stage, Status};
use crate::legal::ActionSink;
use squares::{ARMY, BoardView};

/// The notation of the action that gives no order.
const WAIT: &str = "wait";
/// Reasons why games end, by ending code.
pub const ENDINGS: [&str; 4] = ["last king standing", "no king left", "timer draw", "tick limit"];
const LAST_KING: u8 = 0;
const NO_KING: u8 = 1;
const TIMER: u8 = 2;
const TICK_LIMIT: u8 = 3;

/// A game of kung fu chess on a board of this side length, 8 or 12.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct KungFu<const SIDE: usize>(State);

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
struct State {
    game: kung_fu::Game,
    /// The players whose orders were refused in the latest step, as bits.
    refused: u8,
    padding: [u8; 7],
}

/// 8×8, two players.
pub type Eight = KungFu<8>;
/// 12×12, two to four players.
pub type Twelve = KungFu<12>;

impl<const SIDE: usize> KungFu<SIDE> {
    const SQUARES: usize = SIDE * SIDE - if SIDE == 12 { 16 } else { 0 };
    /// The action that gives no order.
    const WAIT: u32 = (Self::SQUARES * Self::SQUARES) as u32;

    const fn new(game: kung_fu::Game) -> KungFu<SIDE> {
        KungFu(State { game, refused: 0, padding: [0; 7] })
    }

    /// Creates a game that starts from `game`.
    fn from_game(game: kung_fu::Game) -> Result<KungFu<SIDE>, String> {
        Self::check_armies(&game)?;
        Ok(Self::new(game))
    }

    /// Checks that no player has more pieces than there are tokens.
    fn check_armies(game: &kung_fu::Game) -> Result<(), String> {
        for player in game.rules().players.iter() {
            let count = game.pieces().filter(|piece| piece.player() == player).count();
            if count > ARMY {
                return Err(format!("player {player} has {count} pieces, expected at most {ARMY}"));
            }
        }
        Ok(())
    }

    /// Returns the underlying game.
    pub const fn game(&self) -> &kung_fu::Game {
        &self.0.game
    }

    /// Returns the board as a player sees it.
    #[inline(always)]
    fn board_view(rules: &Rules<SIDE>, index: usize) -> &'static BoardView {
        squares::view::<SIDE>(rules.turn(index))
    }

    /// Returns the origin and target of an action, or `None` for waiting.
    #[inline(always)]
    fn cells(rules: &Rules<SIDE>, index: usize, Action(id): Action) -> Option<(Cell, Cell)> {
        let board_view = Self::board_view(rules, index);
        let id = id as usize;
        let (from, to) = (id / Self::SQUARES, id % Self::SQUARES);
        (from < Self::SQUARES).then(|| (board_view.cell(from), board_view.cell(to)))
    }

    /// Returns the action id of an order.
    #[inline(always)]
    fn id(board_view: &BoardView, from: Cell, to: Cell) -> u32 {
        board_view.square(from) * Self::SQUARES as u32 + board_view.square(to)
    }

    /// Converts an action id from one view to another.
    fn convert(from: &BoardView, to: &BoardView, Action(id): Action) -> Action {
        if id >= Self::WAIT {
            return Action(id);
        }
        let (start, end) = (id as usize / Self::SQUARES, id as usize % Self::SQUARES);
        Action(Self::id(to, from.cell(start), from.cell(end)))
    }

    /// Gives a player's order and returns whether it was refused.
    #[inline(always)]
    fn order(&mut self, rules: &Rules<SIDE>, index: usize, action: Action) -> bool {
        let Some((from, to)) = Self::cells(rules, index, action) else { return false };
        let Some(piece) = self.0.game.piece_at(from) else { return true };
        let to = (i32::from(to.row()), i32::from(to.column()));
        self.0.game.order(rules.player(index), piece, to).is_err()
    }
}

impl<const SIDE: usize> Game for KungFu<SIDE> {
    type Rules = Rules<SIDE>;

    const NAME: &'static str = if SIDE == 8 { "kung_fu" } else { "kung_fu_4p" };
    const VERSION: u32 = 2;

    fn spec(rules: &Rules<SIDE>) -> Spec {
        let board = rules.play().board;
        Spec {
            players: rules.players(),
            actions: Self::WAIT as usize + 1,
            max_legal: squares::max_legal(board),
            simultaneous: true,
            observation: view::layout(board, rules.players()),
            endings: &ENDINGS,
        }
    }

    fn start(rules: &Rules<SIDE>) -> KungFu<SIDE> {
        let game = kung_fu::Game::new(*rules.play()).expect("rules are validated when created");
        Self::new(game)
    }

    fn is_valid(&self, rules: &Rules<SIDE>) -> bool {
        let State { game, refused, padding } = &self.0;
        game.rules() == *rules.play()
            && game.is_valid()
            && Self::check_armies(game).is_ok()
            && *refused < 1 << rules.players()
            && *padding == [0; 7]
    }

    fn to_stored(&self) -> Self {
        KungFu(State { game: self.0.game.without_predictions(), ..self.0 })
    }

    #[inline(always)]
    fn acting(&self) -> PlayerSet {
        let (players, alive) = (self.0.game.rules().players, self.0.game.alive());
        let bit = |(index, player): (usize, Player)| u8::from(alive.contains(player)) << index;
        PlayerSet::from_bits(players.iter().enumerate().map(bit).sum())
    }

    #[inline(always)]
    fn legal<C: Cpu>(&self, _: C, rules: &Rules<SIDE>, index: usize, sink: &mut impl ActionSink) {
        let board_view = Self::board_view(rules, index);
        self.0.game.for_each_order(rules.player(index), |_, from, to| {
            sink.push(Self::id(board_view, from, to));
        });
        sink.push(Self::WAIT);
    }

    #[inline(always)]
    fn apply(&mut self, rules: &Rules<SIDE>, actions: &[Action]) {
        self.0.refused = 0;
        for (index, &action) in actions.iter().enumerate() {
            self.0.refused |= u8::from(self.order(rules, index, action)) << index;
        }
        self.0.game.advance_to(self.0.game.now() + u64::from(rules.interval), &mut NoEvents);
    }

    #[inline(always)]
    fn status(&self, rules: &Rules<SIDE>, _: bool) -> Status {
        let alive = self.0.game.alive();
        let mut status = Status {
            alive: core::array::from_fn(|index| alive.contains(rules.player(index))),
            refused: core::array::from_fn(|index| self.0.refused >> index & 1 != 0),
            ..Status::ONGOING
        };
        match self.0.game.outcome() {
            Some(Outcome::Win(winners)) => {
                let has_won = |index: usize| winners.contains(rules.player(index));
                status.stage = Stage::Terminated;
                status.ending = Some(LAST_KING);
                for (index, reward) in status.rewards[..rules.players()].iter_mut().enumerate() {
                    *reward = if has_won(index) { 1.0 } else { -1.0 };
                }
                status.winner = (0..MAX_PLAYERS as u8).find(|&index| has_won(index.into()));
            }
            Some(Outcome::Draw) => {
                status.stage = Stage::Terminated;
                status.ending = Some(if alive.is_empty() { NO_KING } else { TIMER });
            }
            None if self.0.game.now() >= u64::from(rules.max_ticks) => {
                status.stage = Stage::Truncated;
                status.ending = Some(TICK_LIMIT);
            }
            None => {}
        }
        status
    }

    #[inline(always)]
    fn observe(&self, rules: &Rules<SIDE>, index: usize, planes: &mut [u8], scalars: &mut [f32]) {
        view::write(&self.0.game, rules, index, planes, scalars);
    }

    #[inline(always)]
    fn paint(rules: &Rules<SIDE>, scalars: &[f32], set: impl FnMut(usize, usize, f32)) {
        view::paint(rules, scalars, set);
    }

    fn absolute(rules: &Rules<SIDE>, index: usize, action: Action) -> Action {
        let first = squares::view::<SIDE>(0);
        Self::convert(Self::board_view(rules, index), first, action)
    }

    fn relative(rules: &Rules<SIDE>, index: usize, action: Action) -> Action {
        let first = squares::view::<SIDE>(0);
        Self::convert(first, Self::board_view(rules, index), action)
    }
}

impl<const SIDE: usize> Describe for KungFu<SIDE> {
    fn parse(rules: &Rules<SIDE>, text: &str) -> Result<KungFu<SIDE>, String> {
        // A full state begins with its tick (`t…`), a list of pieces with a capital letter.
        if text.starts_with('t') {
            let game =
                kung_fu::Game::from_text(*rules.play(), text).map_err(|error| error.to_string())?;
            return Self::from_game(game);
        }
        let pieces = text
            .split_whitespace()
            .map(PlacedPiece::parse)
            .collect::<Result<Vec<PlacedPiece>, _>>();
        let game = pieces.and_then(|pieces| kung_fu::Game::with_pieces(*rules.play(), &pieces));
        Self::from_game(game.map_err(|error| error.to_string())?)
    }

    fn text(&self) -> String {
        self.0.game.to_string()
    }

    fn write_action(&self, rules: &Rules<SIDE>, index: usize, action: Action) -> Option<String> {
        let Some((from, to)) = Self::cells(rules, index, action) else {
            return Some(WAIT.to_owned());
        };
        let piece = self.0.game.piece_at(from)?;
        let owner = self.0.game.piece(piece)?.player();
        let order = format!("{}->{},{}", self.0.game.name(piece), to.row(), to.column());
        (owner == rules.player(index)).then_some(order)
    }

    fn read_action(&self, rules: &Rules<SIDE>, index: usize, text: &str) -> Result<Action, String> {
        if text == WAIT {
            return Ok(Action(Self::WAIT));
        }
        let shown = fourfold_common::quote_short(text);
        let fault = || format!("expected an order like 'P:1:6:4->5,4' or '{WAIT}', got '{shown}'");
        let (name, square) = text.split_once("->").ok_or_else(fault)?;
        let (row, column) = square.split_once(',').ok_or_else(fault)?;
        let (row, column) = row.parse().ok().zip(column.parse().ok()).ok_or_else(fault)?;
        let piece = self.0.game.piece_named(name);
        let id = piece
            .ok_or_else(|| format!("unknown piece '{}'", fourfold_common::quote_short(name)))?;
        if let Some(refusal) = self.0.game.refusal(rules.player(index), id, (row, column)) {
            return Err(format!("illegal order '{shown}': {refusal}"));
        }
        let from = self.0.game.piece(id).map(kung_fu::Piece::at);
        let ends = from.zip(Cell::on(rules.play().board, row, column));
        let (from, to) = ends.ok_or_else(fault)?;
        Ok(Action(Self::id(Self::board_view(rules, index), from, to)))
    }

    fn channel_names(rules: &Rules<SIDE>) -> Vec<Caption> {
        captions::channels(rules.players())
    }

    fn action_planes(rules: &Rules<SIDE>) -> Vec<Caption> {
        captions::planes(rules.play().board)
    }

    fn action_place(rules: &Rules<SIDE>, action: Action) -> Option<ActionPlace> {
        captions::place(rules.play().board, action)
    }

    fn arrays(rules: &Rules<SIDE>) -> &'static [ArraySpec] {
        arrays::arrays(rules.play().board)
    }

    fn array(&self, _: &Rules<SIDE>, index: usize, out: &mut [i32]) {
        arrays::write(&self.0.game, index, out);
    }
}
