//! How the threads of a GPU share the work on a game.

use fourfold_board::{Direction, KNIGHT_LEAPS};
use fourfold_common::cpu::Cpu;
use fourfold_four_player::{
    LANES, LaneSink, Move, Player, Position, Role, SQUARES, Square, Targets,
};

use super::labels::{
    FARTHEST, FIRST_LEAP, Labels, PLANES, TEAM_PLANES, UNDERPROMOTIONS, dense_index,
    from_dense_index,
};
use super::rules::{Actions, Reward, Rules};
use super::{FourPlayer, View, occurrences, planes};
use crate::device::DeviceGame;
use crate::game::Action;
use crate::legal::ActionSink;

impl DeviceGame for FourPlayer {
    const LANES: usize = LANES;
    const ACTIONS_FILL_WORDS: bool = true;
    const SETTLES: bool = true;
    const PARTS: usize = planes::PARTS;

    fn rules_to_numbers(rules: &Rules) -> [u32; 8] {
        let Rules { reward, actions, view, max_steps, .. } = *rules;
        [reward as u32, actions as u32, view as u32, max_steps, 0, 0, 0, 0]
    }

    #[inline(always)]
    fn rules_from_numbers(&self, numbers: &[u32; 8]) -> Rules {
        let [reward, actions, view, max_steps, ..] = *numbers;
        Rules {
            play: self.position().rules(),
            reward: match reward {
                0 => Reward::Points,
                1 => Reward::Rank,
                2 => Reward::Win,
                _ => Reward::Team,
            },
            actions: if actions == 0 { Actions::Planes } else { Actions::Flat },
            view: View::from_number(view),
            max_steps,
            // Start positions and the effect of illegal actions are options of the batch.
            ..Rules::FREE_FOR_ALL
        }
    }

    #[inline(always)]
    fn begin(&mut self, rules: &Rules, actions: &[Action]) {
        let Some(&Action(label)) = actions.first() else { return };
        let labels = rules.labels(self.position.turn());
        let Some(mv) = decode_legal(labels, &self.position, label) else { return };
        self.steps += 1;
        self.points_before = self.position.points();
        if self.position.is_capture(mv) {
            self.last_capture = self.steps;
        }
        self.position.begin(mv);
        self.mark_moved(mv);
    }

    #[inline(always)]
    fn legal_part<C: Cpu>(
        &self,
        cpu: C,
        rules: &Rules,
        _: usize,
        lane: usize,
        sink: &mut impl ActionSink,
    ) {
        let turn = self.position.turn();
        let labels = rules.labels(turn);
        self.position.moves_of_lane(cpu, lane, &mut LabelSink { sink, labels, turn });
    }

    #[inline(always)]
    fn settle(&mut self, _: &Rules, may_move: bool) -> bool {
        if self.position.eliminate_if_stuck(may_move) {
            return true;
        }
        if self.position.ending().is_none() {
            let history = &self.history;
            self.position.end_if_drawn(|position| occurrences(history, position));
        }
        self.remember();
        false
    }

    #[inline(always)]
    fn observe_part(
        &self,
        rules: &Rules,
        player: usize,
        part: usize,
        planes: &mut [u32],
        scalars: &mut [f32],
        _: impl Fn(&mut u32, u32),
    ) {
        let viewer = match rules.view {
            View::Own => Player::ALL[player % 4],
            View::Absolute => Player::Red,
        };
        planes::write_part(&self.position, viewer, part, planes, scalars);
    }
}

/// Passes moves on as labels.
struct LabelSink<'a, S> {
    sink: &'a mut S,
    labels: Labels,
    turn: Player,
}

impl<S: ActionSink> LaneSink for LabelSink<'_, S> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Targets, promotes: bool) {
        match self.labels {
            Labels::Planes { planes, viewer } => {
                let first = (dense_index(viewer, from) * planes) as u32;
                let Targets { low, high } = targets.rotated(viewer as u32);
                if low != 0 {
                    self.sink.push_bits(first, low);
                }
                if high != 0 {
                    self.sink.push_bits(first + SECOND_HALF, high);
                }
                if promotes {
                    let own = targets.rotated(self.turn as u32);
                    // Straight, left and right.
                    let right = own.low >> FARTHEST & 1;
                    let left = own.high >> (3 * FARTHEST) & 1;
                    self.promotions(first, own.low & 1 | left << 1 | right << 2);
                }
            }
            Labels::Flat => {
                let Targets { mut low, mut high } = targets;
                while low | high != 0 {
                    let plane = if low != 0 {
                        let bit = low.trailing_zeros();
                        low &= low - 1;
                        bit
                    } else {
                        let bit = high.trailing_zeros();
                        high &= high - 1;
                        SECOND_HALF + bit
                    };
                    self.flat(from, after_plane(from, plane as usize, 0), promotes);
                }
            }
        }
    }

    #[inline(always)]
    fn single(&mut self, from: Square, direction: u32, distance: u32, promotes: bool) {
        match self.labels {
            Labels::Planes { planes, viewer } => {
                let first = (dense_index(viewer, from) * planes) as u32;
                let plane = direction.wrapping_sub(2 * viewer as u32) % 8 * FARTHEST as u32;
                self.sink.push(first + plane + distance - 1);
                if promotes {
                    let is_left = direction == (2 * self.turn as u32 + 7) % 8;
                    self.promotions(first, if is_left { 0b010 } else { 0b100 });
                }
            }
            Labels::Flat => {
                let plane = FARTHEST * direction as usize + distance as usize - 1;
                self.flat(from, after_plane(from, plane, 0), promotes);
            }
        }
    }
}

impl<S: ActionSink> LabelSink<'_, S> {
    /// Adds the underpromotions of a pawn in some directions: straight, left and right.
    #[inline(always)]
    fn promotions(&mut self, first: u32, directions: u64) {
        self.sink.push_bits(first + PLANES as u32, directions * 0b1_001_001);
    }

    /// Adds the flat labels of a move.
    #[inline(always)]
    fn flat(&mut self, from: Square, to: Square, promotes: bool) {
        let (from, to) = (dense_index(Player::Red, from), dense_index(Player::Red, to));
        let label = ((from * SQUARES + to) * 4) as u32;
        self.sink.push_run(label, if promotes { 4 } else { 1 });
    }
}

/// The plane of the first direction in the second half of [`Targets`].
const SECOND_HALF: u32 = 4 * FARTHEST as u32;

/// The difference of cell indices by step in each direction, then by leap.
static STRIDES: [u8; 16] = {
    let mut table = [0; 16];
    let mut index = 0;
    while index < 8 {
        let (files, ranks) = Direction::ALL[index].step();
        table[index] = (files + 16 * ranks) as u8;
        let (files, ranks) = KNIGHT_LEAPS[index];
        table[8 + index] = (files + 16 * ranks) as u8;
        index += 1;
    }
    table
};

/// Returns the square that a plane leads to, for a viewer so many seats after Red; not for
/// underpromotions.
#[inline(always)]
fn after_plane(from: Square, plane: usize, seats: usize) -> Square {
    let (first, index, distance) = match plane.checked_sub(FIRST_LEAP) {
        Some(leap) => (8, leap, 1),
        None => (0, plane / FARTHEST, plane % FARTHEST + 1),
    };
    let stride = STRIDES[first + (index + 2 * seats) % 8];
    Square::new((from.index() as u8).wrapping_add(stride.wrapping_mul(distance as u8)) as usize)
}

/// Returns the move of a label, which must be legal. Unlike [`Labels::decode`], it does not search for it.
#[inline(always)]
fn decode_legal(labels: Labels, position: &Position, label: u32) -> Option<Move> {
    let (from, to, underpromotion) = match labels {
        Labels::Planes { planes, viewer } => {
            // Divisions by constants are multiplications.
            let (from, plane) = if planes == PLANES {
                (label / PLANES as u32, label % PLANES as u32)
            } else {
                (label / TEAM_PLANES as u32, label % TEAM_PLANES as u32)
            };
            let from = from_dense_index(viewer, from as usize)?;
            match (plane as usize).checked_sub(PLANES) {
                None => (from, after_plane(from, plane as usize, viewer as usize), None),
                Some(choice) => {
                    // Straight, left and right, as the player to move sees it.
                    let direction = match choice % 3 {
                        0 => 0,
                        1 => 7,
                        _ => 1,
                    };
                    let turn = position.turn() as usize;
                    let to = after_plane(from, direction * FARTHEST, turn);
                    (from, to, UNDERPROMOTIONS.get(choice / 3).copied())
                }
            }
        }
        Labels::Flat => {
            let label = label as usize;
            let from = from_dense_index(Player::Red, label / 4 / SQUARES)?;
            let to = from_dense_index(Player::Red, label / 4 % SQUARES)?;
            (from, to, Some(Role::PROMOTIONS[label % 4]))
        }
    };
    Some(position.legal_move(from, to, underpromotion))
}
