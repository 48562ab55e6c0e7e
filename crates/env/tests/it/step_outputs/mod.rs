//! All outputs of a step as plain vectors.

use fourfold_env::{
    AnyBatch, Batch, Describe, MaskRows, ObservationRows, Outputs, Rows, ValueRows,
};

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct StepOutputs {
    /// Per game: bytes of masks, bytes of planes, number of scalars, number of players.
    widths: [usize; 4],
    pub(crate) mask: Vec<u8>,
    pub(crate) planes: Vec<u8>,
    pub(crate) scalars: Vec<f32>,
    pub(crate) rewards: Vec<f32>,
    pub(crate) scores: Vec<f32>,
    pub(crate) alive: Vec<bool>,
    pub(crate) terminated: Vec<bool>,
    pub(crate) truncated: Vec<bool>,
    pub(crate) current_player: Vec<i32>,
    pub(crate) winner: Vec<i32>,
    pub(crate) ending: Vec<i32>,
    pub(crate) move_valid: Vec<bool>,
    pub(crate) order_refused: Vec<bool>,
    pub(crate) actions: Vec<i32>,
}

impl StepOutputs {
    /// Allocates buffers for the outputs of a batch.
    pub(crate) fn of(batch: &(impl AnyBatch + ?Sized)) -> StepOutputs {
        let (games, spec) = (batch.games(), batch.spec());
        let (layout, rows) = (&spec.observation, spec.mask_rows());
        let widths @ [mask, planes, scalars, players] = [
            rows * spec.mask_bytes(),
            rows * layout.packed_bytes(),
            rows * layout.scalars,
            spec.players,
        ];
        StepOutputs {
            widths,
            mask: vec![0; games * mask],
            planes: vec![0; games * planes],
            scalars: vec![0.0; games * scalars],
            rewards: vec![0.0; games * players],
            scores: vec![0.0; games * players],
            alive: vec![false; games * players],
            terminated: vec![false; games],
            truncated: vec![false; games],
            current_player: vec![0; games],
            winner: vec![0; games],
            ending: vec![0; games],
            move_valid: vec![false; games],
            order_refused: vec![false; games * players],
            actions: vec![0; games * rows],
        }
    }

    pub(crate) fn outputs(&mut self) -> (&mut Vec<i32>, Outputs<'_>) {
        let [mask, planes, scalars, players] = self.widths;
        let outputs = Outputs {
            mask: MaskRows::Packed(Rows::new(&mut self.mask, mask)),
            observation: ObservationRows {
                values: ValueRows::Packed(Rows::new(&mut self.planes, planes)),
                scalars: Rows::new(&mut self.scalars, scalars),
            },
            rewards: Rows::new(&mut self.rewards, players),
            scores: Rows::new(&mut self.scores, players),
            alive: Rows::new(&mut self.alive, players),
            terminated: Rows::new(&mut self.terminated, 1),
            truncated: Rows::new(&mut self.truncated, 1),
            current_player: Rows::new(&mut self.current_player, 1),
            winner: Rows::new(&mut self.winner, 1),
            ending: Rows::new(&mut self.ending, 1),
            move_valid: Rows::new(&mut self.move_valid, 1),
            order_refused: Rows::new(&mut self.order_refused, players),
        };
        (&mut self.actions, outputs)
    }

    /// Plays a random action in every game and returns the number of games that ended.
    pub(crate) fn step<G: Describe>(&mut self, batch: &mut Batch<G>) -> usize {
        batch.sample(None, &mut self.actions).unwrap();
        let (actions, outputs) = self.outputs();
        let actions = actions.clone();
        batch.step(&actions, outputs).expect("sampled actions are legal")
    }
}
