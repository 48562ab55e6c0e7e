//! Four-player chess: free-for-all and teams on the cross-shaped board.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

mod arrays;
mod captions;
pub mod labels;
mod lanes;
pub mod legacy_tables;
mod planes;
mod rules;

/// The former name of [`legacy_tables`].
#[deprecated(note = "renamed to `legacy_tables`")]
pub mod tables {
    pub use super::legacy_tables::*;
}

pub use crate::options::View;
pub(crate) use rules::OPTIONS;
pub use rules::{Actions, ENDINGS, Reward, Rules};

use bytemuck::{Pod, Zeroable};
use fourfold_common::cpu::{self, Cpu};
use fourfold_four_player::{
    Bitboard, MAX_MOVES, Mode, Move, MoveKind, Piece, Player, Players, Position, Role, Setup,
    Square, StartPosition, Wing,
};

use crate::captions::{ActionPlace, Caption};
use crate::game::{Action, ArraySpec, Describe, Game, MAX_PLAYERS, PlayerSet, Spec, Stage, Status};
use crate::history::History;
use crate::legal::ActionSink;
use crate::options::Illegal;
use crate::rewards;

/// Words of the history: up to 200 positions since the last capture or pawn move, the default limit
/// of quiet plies, and their number.
const HISTORY_WORDS: usize = 201;
/// Points that correspond to a reward of 1: the value of a king.
const POINTS_SCALE: f32 = 20.0;

/// A game of four-player chess with the history that repetition, rewards and the legacy arrays
/// need.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct FourPlayer {
    position: Position,
    /// The squares of pieces that have moved. In a game that starts from a given position, these
    /// include pieces that are not on a start square, and kings and rooks that may not castle.
    moved: Bitboard,
    history: History<HISTORY_WORDS>,
    /// The points before the latest step.
    points_before: [u16; 4],
    steps: u32,
    /// The step of the latest capture, counted from 1; 0 if there was none.
    last_capture: u32,
}

impl FourPlayer {
    /// Creates a game that starts from a position.
    pub fn from_position(position: Position) -> FourPlayer {
        let mut game = FourPlayer {
            position,
            steps: 0,
            last_capture: 0,
            points_before: position.points(),
            moved: moved(&position),
            history: History::NONE,
        };
        game.history.push(position.key());
        game
    }

    /// Returns the position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a legal move.
    #[inline(always)]
    fn play(&mut self, mv: Move) {
        let FourPlayer { position, history, .. } = self;
        self.steps += 1;
        self.points_before = position.points();
        if position.is_capture(mv) {
            self.last_capture = self.steps;
        }
        position.play_with(mv, |after| occurrences(history, after));
        self.remember();
        self.mark_moved(mv);
    }

    /// Adds the position to the history.
    #[inline(always)]
    fn remember(&mut self) {
        if self.position.clock() == 0 {
            self.history.clear();
        }
        self.history.push(self.position.key());
    }

    /// Notes which pieces a move has moved.
    #[inline(always)]
    fn mark_moved(&mut self, mv: Move) {
        self.moved.insert(mv.to());
        if mv.kind() == MoveKind::Castling {
            let rook = mv.from().index().midpoint(mv.to().index());
            self.moved.insert(Square::new(rook));
        }
        self.moved &= self.position.occupied();
    }

    /// Returns the rewards of the latest step.
    #[inline(always)]
    fn rewards(&self, rules: &Rules) -> [f32; MAX_PLAYERS] {
        match (rules.reward, self.position.ending()) {
            (Reward::Points, _) => {
                let now = self.position.points();
                core::array::from_fn(|player| {
                    (f32::from(now[player]) - f32::from(self.points_before[player])) / POINTS_SCALE
                })
            }
            (Reward::Rank | Reward::Win | Reward::Team, None) => [0.0; MAX_PLAYERS],
            (Reward::Rank, Some(_)) => rewards::ranks(&self.position.points()),
            (Reward::Win, Some(_)) => win(self.position.winners()),
            (Reward::Team, Some(_)) => team(self.position.winners()),
        }
    }
}

/// Returns how often a position has occurred, including this time.
#[inline(always)]
fn occurrences(history: &History<HISTORY_WORDS>, position: &Position) -> usize {
    match position.clock() {
        0 => 1,
        _ => 1 + history.count(position.key(), position.alive().len()),
    }
}

fn win(winners: Players) -> [f32; MAX_PLAYERS] {
    let sharing = if winners.is_empty() { Players::ALL } else { winners };
    rewards::split_win(4, |player| sharing.contains(Player::ALL[player]))
}

fn team(winners: Players) -> [f32; MAX_PLAYERS] {
    if winners.is_empty() {
        return [0.0; MAX_PLAYERS];
    }
    Player::ALL.map(|player| if winners.contains(player) { 1.0 } else { -1.0 })
}

impl Game for FourPlayer {
    type Rules = Rules;

    const NAME: &'static str = "four_player";
    const VERSION: u32 = 2;

    fn spec(rules: &Rules) -> Spec {
        Spec {
            players: 4,
            actions: rules.labels(Player::Red).count(),
            max_legal: MAX_MOVES,
            simultaneous: false,
            observation: planes::layout(),
            endings: &ENDINGS,
        }
    }

    fn illegal(rules: &Rules) -> Illegal {
        rules.illegal
    }

    fn start(rules: &Rules) -> FourPlayer {
        FourPlayer::from_position(Position::start(rules.opening, rules.play))
    }

    fn is_valid(&self, rules: &Rules) -> bool {
        let FourPlayer { position, moved, history, steps, last_capture, .. } = *self;
        position.rules() == rules.play
            && position.is_valid()
            && moved == moved & position.occupied()
            && history.is_valid(position.key())
            && last_capture <= steps
    }

    #[inline(always)]
    fn prefetch(&self) {
        cpu::prefetch(core::slice::from_ref(&self.position));
        cpu::prefetch(core::slice::from_ref(&self.moved));
        self.history.prefetch();
    }

    #[inline(always)]
    fn acting(&self) -> PlayerSet {
        PlayerSet::one(self.position.turn() as usize)
    }

    #[inline(always)]
    fn legal<C: Cpu>(&self, _: C, rules: &Rules, _: usize, sink: &mut impl ActionSink) {
        rules.labels(self.position.turn()).generate(&self.position, sink);
    }

    #[inline(always)]
    fn apply(&mut self, rules: &Rules, actions: &[Action]) {
        let Some(&Action(label)) = actions.first() else { return };
        let labels = rules.labels(self.position.turn());
        if let Some(mv) = labels.decode(&self.position, label) {
            self.play(mv);
        }
    }

    #[inline(always)]
    fn status(&self, rules: &Rules, _: bool) -> Status {
        let alive = self.position.alive();
        let mut status = Status {
            rewards: self.rewards(rules),
            scores: self.position.points().map(f32::from),
            alive: Player::ALL.map(|player| alive.contains(player)),
            ..Status::ONGOING
        };
        if let Some(ending) = self.position.ending() {
            status.stage = Stage::Terminated;
            status.ending = Some(ending as u8);
            status.winner = winner(rules.play.mode, self.position.winners());
        } else if self.steps >= rules.max_steps {
            status.stage = Stage::Truncated;
            status.ending = Some(rules::STEP_LIMIT);
        }
        status
    }

    #[inline(always)]
    fn observe(&self, rules: &Rules, player: usize, planes: &mut [u8], scalars: &mut [f32]) {
        let viewer = match rules.view {
            View::Own => Player::ALL[player % 4],
            View::Absolute => Player::Red,
        };
        planes::write(&self.position, viewer, planes, scalars);
    }

    fn absolute(rules: &Rules, player: usize, action: Action) -> Action {
        convert(rules, action, Player::ALL[player % 4], Player::Red)
    }

    fn relative(rules: &Rules, player: usize, action: Action) -> Action {
        convert(rules, action, Player::Red, Player::ALL[player % 4])
    }
}

impl Describe for FourPlayer {
    fn parse(rules: &Rules, text: &str) -> Result<FourPlayer, String> {
        match Position::from_fen4(text, rules.play) {
            Ok(position) => Ok(FourPlayer::from_position(position)),
            Err(error) => Err(error.to_string()),
        }
    }

    fn text(&self) -> String {
        self.position.fen4()
    }

    fn write_action(&self, rules: &Rules, _: usize, Action(label): Action) -> Option<String> {
        let labels = rules.labels(self.position.turn());
        Some(labels.decode(&self.position, label)?.to_string())
    }

    fn read_action(&self, rules: &Rules, _: usize, text: &str) -> Result<Action, String> {
        let turn = self.position.turn();
        let mv = self.position.parse_move(text).map_err(|error| error.to_string())?;
        Ok(Action(rules.labels(turn).encode(turn, mv)))
    }

    fn channel_names(_: &Rules) -> Vec<Caption> {
        captions::channels()
    }

    fn action_planes(rules: &Rules) -> Vec<Caption> {
        captions::planes(rules)
    }

    fn action_place(rules: &Rules, action: Action) -> Option<ActionPlace> {
        captions::place(rules, action)
    }

    fn arrays(_: &Rules) -> &'static [ArraySpec] {
        &arrays::ARRAYS
    }

    fn array(&self, _: &Rules, index: usize, out: &mut [i32]) {
        arrays::write(self, index, out);
    }
}

/// Converts an action id from one player's view to another's.
fn convert(rules: &Rules, Action(label): Action, from: Player, to: Player) -> Action {
    match rules.view {
        View::Own => Action(rules.labels(from).rotated(label, from, to)),
        View::Absolute => Action(label),
    }
}

/// Returns the sole winner, or the first player of the winning team.
fn winner(mode: Mode, winners: Players) -> Option<u8> {
    match (mode, winners.len()) {
        (Mode::FreeForAll, 1) | (Mode::Teams, 1..) => {
            winners.iter().next().map(|player| player as u8)
        }
        (Mode::FreeForAll | Mode::Teams, _) => None,
    }
}

/// Returns the squares of pieces that have moved, as far as a position shows.
fn moved(position: &Position) -> Bitboard {
    let starts = StartPosition::ALL.map(Setup::start);
    let stays = |&(square, piece): &(Square, Piece)| {
        let Some(owner) = piece.owner else { return false };
        let may_castle = |wing| position.has_castling_right(owner, wing);
        let at_home = starts.iter().any(|start| start.piece_at(square) == Some(piece));
        let has_right = match piece.role {
            Role::King => Wing::ALL.into_iter().any(may_castle),
            Role::Rook => position.king(owner).is_some_and(|king| {
                let (files, ranks) = labels::difference(king, square);
                may_castle(if (files + ranks).abs() == 3 { Wing::Short } else { Wing::Long })
            }),
            Role::Pawn | Role::Knight | Role::Bishop | Role::Queen | Role::OnePointQueen => true,
        };
        at_home && has_right
    };
    position.iter_pieces().filter(|piece| !stays(piece)).map(|(square, _)| square).collect()
}
