//! Chess with the actions and observation planes of AlphaZero.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

mod captions;
pub mod dialects;
pub mod labels;
mod lockstep;
mod rules;

pub use crate::options::View;
pub(crate) use rules::OPTIONS;
pub use rules::{ENDINGS, Rules, StepLimit};

use core::ops::ControlFlow;

use bytemuck::{Pod, Zeroable};
use fourfold_chess::{
    Bitboard, Board, Color, MAX_MOVES, Move, MoveKind, MoveSink, Position, Role, Square,
};
use fourfold_common::cpu::{self, Cpu};

use crate::captions::{ActionPlace, Caption};
use crate::game::{Action, ArraySpec, Describe, Game, MAX_PLAYERS, PlayerSet, Spec, Stage, Status};
use crate::history::History;
use crate::layout::{Channel, Layout};
use crate::legal::ActionSink;
use dialects::Dialect;
use labels::LABELS;

/// Number of boards in an observation, including the current one.
const HISTORY: usize = 8;
/// Words of the history: up to 152 positions since the last capture or pawn move, because the
/// longest limit in the laws of chess is 150 plies, and their number.
const HISTORY_WORDS: usize = 153;
/// Planes per board in an observation.
const BOARD_PLANES: usize = 14;
const PLANES: usize = HISTORY * BOARD_PLANES + 5;
/// Scale of the step count in observations, as in AlphaZero and Pgx; independent of the step limit.
const STEPS_SCALE: f32 = 512.0;

/// A game of chess with the history that observations and repetition need.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Chess {
    position: Position,
    /// Ring buffer of the latest boards.
    boards: [Board; HISTORY],
    history: History<HISTORY_WORDS>,
    steps: u32,
    /// Whether each of the boards occurred more than once, as bits.
    repeated: u8,
    /// The index of the current board in the ring buffer.
    present: u8,
    /// How often the current position has occurred.
    occurrences: u8,
    padding: u8,
}

impl Chess {
    /// Creates a game that starts from a position.
    pub fn from_position(position: Position) -> Chess {
        let mut game = Chess {
            position,
            boards: [Board::EMPTY; HISTORY],
            history: History::NONE,
            steps: 0,
            repeated: 0,
            present: 0,
            occurrences: 1,
            padding: 0,
        };
        game.remember();
        game
    }

    /// Returns the position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a legal move.
    #[inline(always)]
    fn play(&mut self, mv: Move) {
        self.position.play_unchecked(mv);
        self.steps += 1;
        if self.position.halfmoves() == 0 {
            self.history.clear();
        }
        self.remember();
    }

    /// Adds the current position to the history.
    #[inline(always)]
    fn remember(&mut self) {
        let key = self.position.key();
        self.occurrences = 1 + self.history.count(key, 2) as u8;
        self.history.push(key);

        self.present = (self.present + 1) % HISTORY as u8;
        let present = self.present as usize;
        self.boards[present] = *self.position.board();
        self.repeated &= !(1 << present);
        if self.occurrences > 1 {
            // Earlier occurrences count as repeated too, as in Pgx.
            for (ago, earlier) in self.history.latest_first().take(HISTORY).enumerate() {
                let place = (present + HISTORY - ago) % HISTORY;
                self.repeated |= u8::from(earlier == key) << place;
            }
        }
    }
}

impl Game for Chess {
    type Rules = Rules;

    const NAME: &'static str = "chess";
    const VERSION: u32 = 2;

    fn spec(_: &Rules) -> Spec {
        let plane = |channel| match channel {
            113 => Channel::Scalar(0),
            118 => Channel::Scalar(1),
            114.. => Channel::Plane(channel - 1),
            _ => Channel::Plane(channel),
        };
        Spec {
            players: 2,
            actions: LABELS,
            max_legal: MAX_MOVES,
            simultaneous: false,
            observation: Layout {
                scalar_array: None,
                height: 8,
                width: 8,
                channels: (0..119).map(plane).collect(),
                planes: PLANES,
                scalars: 2,
            },
            endings: &ENDINGS,
        }
    }

    fn start(_: &Rules) -> Chess {
        Chess::from_position(Position::start())
    }

    fn is_valid(&self, _: &Rules) -> bool {
        let Chess { position, boards, history, present, occurrences, padding, .. } = self;
        let present = *present as usize;
        let key = position.key();
        let earlier = || history.latest_first().skip(1).filter(|&other| other == key).count();
        position.is_valid()
            && present < HISTORY
            && boards.iter().all(Board::is_consistent)
            && boards[present] == *position.board()
            && history.is_valid(key)
            // The oldest position may have left a full history.
            && (1..=2).any(|more| usize::from(*occurrences) == earlier() + more)
            && *padding == 0
    }

    #[inline(always)]
    fn prefetch(&self) {
        cpu::prefetch(core::slice::from_ref(&self.position));
        cpu::prefetch(&self.boards);
        self.history.prefetch();
    }

    #[inline(always)]
    fn acting(&self) -> PlayerSet {
        PlayerSet::one(self.position.turn() as usize)
    }

    #[inline(always)]
    fn legal<C: Cpu>(&self, cpu: C, rules: &Rules, _: usize, sink: &mut impl ActionSink) {
        let flip = match rules.view {
            View::Own => labels::view(self.position.turn()),
            View::Absolute => labels::view(Color::White),
        };
        self.position.generate_inline(cpu, &mut LabelSink { sink, flip });
    }

    #[inline(always)]
    fn apply(&mut self, rules: &Rules, actions: &[Action]) {
        let Some(&action) = actions.first() else { return };
        if let Some(mv) = labels::decode(&self.position, self.label(rules, action)) {
            self.play(mv);
        }
    }

    #[inline(always)]
    fn status(&self, rules: &Rules, may_move: bool) -> Status {
        let position = &self.position;
        if !may_move {
            if position.is_check() {
                let winner = !position.turn();
                let mut rewards = [0.0; MAX_PLAYERS];
                rewards[winner as usize] = 1.0;
                rewards[position.turn() as usize] = -1.0;
                return Status {
                    stage: Stage::Terminated,
                    rewards,
                    winner: Some(winner as u8),
                    ending: Some(rules::code(fourfold_chess::Ending::Checkmate { winner })),
                    ..Status::ONGOING
                };
            }
            return draw(Stage::Terminated, rules::code(fourfold_chess::Ending::Stalemate));
        }
        if let Some(ending) = rules.draw(position, self.occurrences as usize) {
            return draw(Stage::Terminated, rules::code(ending));
        }
        if self.steps >= rules.max_steps {
            let stage = match rules.step_limit {
                StepLimit::Truncates => Stage::Truncated,
                StepLimit::Terminates => Stage::Terminated,
            };
            return draw(stage, rules::STEP_LIMIT);
        }
        Status::ONGOING
    }

    #[inline]
    fn observe(&self, rules: &Rules, player: usize, planes: &mut [u8], scalars: &mut [f32]) {
        let me = match (rules.view, player) {
            (View::Own, 1) => Color::Black,
            (View::Own | View::Absolute, _) => Color::White,
        };
        let (planes, _) = planes.as_chunks_mut::<8>();
        let (boards, rest) = planes.split_at_mut(HISTORY * BOARD_PLANES);
        for (ago, out) in boards.as_chunks_mut::<BOARD_PLANES>().0.iter_mut().enumerate() {
            let place = (self.present as usize + HISTORY - ago) % HISTORY;
            *out = board_planes(&self.boards[place], me, self.repeated >> place & 1 != 0);
        }
        rest.iter_mut()
            .zip(self.facts(rules, player, me))
            .for_each(|(out, fact)| *out = whole(fact));
        scalars.copy_from_slice(&self.numbers());
    }

    fn absolute(rules: &Rules, player: usize, action: Action) -> Action {
        // With the absolute view, ids are already in the first player's view.
        if rules.view == View::Own && player == Color::Black as usize {
            Action(u32::from(labels::flipped(action.0 as u16)))
        } else {
            action
        }
    }

    fn relative(rules: &Rules, player: usize, action: Action) -> Action {
        // Flipping the board is its own inverse.
        Chess::absolute(rules, player, action)
    }
}

impl Describe for Chess {
    fn parse(_: &Rules, text: &str) -> Result<Chess, String> {
        match Position::from_fen(text) {
            Ok(position) => Ok(Chess::from_position(position)),
            Err(error) => Err(error.to_string()),
        }
    }

    fn text(&self) -> String {
        self.position.fen()
    }

    fn write_action(&self, rules: &Rules, _: usize, action: Action) -> Option<String> {
        let mv = labels::decode(&self.position, self.label(rules, action))?;
        Some(mv.uci(self.position.variant()))
    }

    fn read_action(&self, rules: &Rules, _: usize, text: &str) -> Result<Action, String> {
        let position = &self.position;
        let mv = position
            .parse_uci(text)
            .or_else(|_| position.parse_san(text))
            .map_err(|error| error.to_string())?;
        let label = labels::encode(position.turn(), mv);
        // The conversion is its own inverse.
        Ok(Action(u32::from(self.label(rules, Action(u32::from(label))))))
    }

    fn channel_names(_: &Rules) -> Vec<Caption> {
        captions::channels()
    }

    fn action_planes(_: &Rules) -> Vec<Caption> {
        captions::planes()
    }

    fn action_place(_: &Rules, action: Action) -> Option<ActionPlace> {
        captions::place(action)
    }

    fn arrays(_: &Rules) -> &'static [ArraySpec] {
        &ARRAYS
    }

    fn array(&self, _: &Rules, index: usize, out: &mut [i32]) {
        let position = &self.position;
        match ARRAYS[index].name {
            "boards" => {
                out.fill(0);
                for (square, piece) in position.board().iter_pieces() {
                    let code = piece.role as i32 + 1;
                    // Row 0 is rank 8.
                    out[square.index() ^ 56] = match piece.color {
                        Color::White => code,
                        Color::Black => -code,
                    };
                }
            }
            "current_players" => {
                out[0] = match position.turn() {
                    Color::White => 1,
                    Color::Black => -1,
                };
            }
            "castling_rights" => {
                for (out, corner) in out.iter_mut().zip(rules::CASTLING_CORNERS) {
                    *out = i32::from(position.castling().contains(corner));
                }
            }
            "en_passant_target" => {
                let target = position.en_passant().map(|square| (square.index() ^ 56) as i32);
                out[0] = target.map_or(-1, |square| square / 8);
                out[1] = target.map_or(-1, |square| square % 8);
            }
            _ => out[0] = self.steps as i32,
        }
    }
}

impl Chess {
    /// Converts between an action id in the view of the rules and a label of the side to move, in
    /// either direction.
    #[inline(always)]
    fn label(&self, rules: &Rules, action: Action) -> u16 {
        match (rules.view, self.position.turn()) {
            (View::Absolute, Color::Black) => labels::flipped(action.0 as u16),
            (View::Absolute, Color::White) | (View::Own, _) => action.0 as u16,
        }
    }

    /// Converts an action to another package's id. Returns `None` if it does not denote a move
    /// here.
    pub fn to_dialect(&self, rules: &Rules, dialect: Dialect, action: Action) -> Option<u16> {
        if action.0 as usize >= LABELS {
            return None;
        }
        dialect.encode(&self.position, self.label(rules, action))
    }

    /// Converts another package's id to an action. Returns `None` if it is not a legal move.
    pub fn from_dialect(&self, rules: &Rules, dialect: Dialect, id: u16) -> Option<Action> {
        let label = dialect.decode(&self.position, id)?;
        Some(Action(u32::from(self.label(rules, Action(u32::from(label))))))
    }

    /// Returns the facts that are shown by a plane each: the color, and the castling rights of `me` and the
    /// opponent.
    #[inline(always)]
    fn facts(&self, rules: &Rules, player: usize, me: Color) -> [bool; 5] {
        let castles = |color: Color, file: usize| {
            self.position.castling().contains(Square::new(color.back_rank() * 8 + file))
        };
        [
            self.viewer(rules, player) == Color::Black,
            castles(me, 0),
            castles(me, 7),
            castles(!me, 0),
            castles(!me, 7),
        ]
    }

    /// Returns the scalars of an observation.
    #[inline(always)]
    fn numbers(&self) -> [f32; 2] {
        [self.steps as f32 / STEPS_SCALE, f32::from(self.position.halfmoves()) / 100.0]
    }

    /// Returns the color that the color plane shows. With the absolute view, this is the side to
    /// move.
    #[inline(always)]
    fn viewer(&self, rules: &Rules, player: usize) -> Color {
        match rules.view {
            View::Own if player == 1 => Color::Black,
            View::Own => Color::White,
            View::Absolute => self.position.turn(),
        }
    }
}

/// The arrays of the legacy interface.
static ARRAYS: [ArraySpec; 5] = [
    ArraySpec { name: "boards", shape: &[8, 8] },
    ArraySpec { name: "current_players", shape: &[] },
    ArraySpec { name: "castling_rights", shape: &[4] },
    ArraySpec { name: "en_passant_target", shape: &[2] },
    ArraySpec { name: "step_counts", shape: &[] },
];

fn draw(stage: Stage, ending: u8) -> Status {
    Status { stage, ending: Some(ending), ..Status::ONGOING }
}

/// Returns the planes of one board as `me` sees it.
#[inline(always)]
fn board_planes(board: &Board, me: Color, repeated: bool) -> [[u8; 8]; BOARD_PLANES] {
    let mut planes = [[0; 8]; BOARD_PLANES];
    for (color, planes) in [me, !me].into_iter().zip(planes.chunks_exact_mut(6)) {
        for (role, plane) in Role::ALL.into_iter().zip(planes) {
            let [word] = board.pieces(color, role).words();
            // The first row is the viewer's eighth rank.
            *plane = match me {
                Color::White => word.to_be_bytes(),
                Color::Black => word.to_le_bytes(),
            };
        }
    }
    planes[12] = whole(!repeated);
    planes[13] = whole(repeated);
    planes
}

/// Returns a plane with the same value on every square.
#[inline(always)]
const fn whole(yes: bool) -> [u8; 8] {
    [if yes { 0xff } else { 0 }; 8]
}

/// Passes moves on as labels, in the view in which square indices are XORed with `flip`.
struct LabelSink<'a, S> {
    sink: &'a mut S,
    flip: usize,
}

impl<S: ActionSink> LabelSink<'_, S> {
    #[inline(always)]
    fn add(&mut self, label: u16) -> ControlFlow<()> {
        self.sink.push(u32::from(label));
        ControlFlow::Continue(())
    }
}

impl<S: ActionSink> MoveSink for LabelSink<'_, S> {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, to: Bitboard) -> ControlFlow<()> {
        let from = from.index() ^ self.flip;
        for to in to {
            self.add(labels::plain(from, to.index() ^ self.flip))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, step: i32, to: Bitboard, kind: MoveKind) -> ControlFlow<()> {
        for to in to {
            let from = (to.index() as i32 - step) as usize ^ self.flip;
            let to = to.index() ^ self.flip;
            self.add(labels::between(from, to, kind))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) -> ControlFlow<()> {
        self.add(labels::plain(mv.from().index() ^ self.flip, mv.target().index() ^ self.flip))
    }
}
