//! The evaluation of a network by its definition, compared with the fast one on positions from play.

use fourfold_env::{
    AnyBatch, DescribedBatch, ObservationRows, Options, Outputs, Rows, ValueRows, make,
};

use crate::random_model::{Files, GAMES_AND_OPTIONS};

/// Numbers for each cell of a board.
struct Cells {
    height: usize,
    width: usize,
    channels: usize,
    numbers: Vec<f64>,
}

impl Cells {
    /// Returns a number, or 0 outside of the board.
    fn at(&self, row: isize, column: isize, channel: usize) -> f64 {
        let inside = |at: isize, size: usize| (0..size as isize).contains(&at);
        match inside(row, self.height) && inside(column, self.width) {
            true => {
                self.numbers
                    [(row as usize * self.width + column as usize) * self.channels + channel]
            }
            false => 0.0,
        }
    }

    fn relu(mut self) -> Cells {
        self.numbers.iter_mut().for_each(|number| *number = number.max(0.0));
        self
    }
}

impl Files {
    fn tensor(&self, name: &str) -> (&[usize], &[f32]) {
        let (shape, numbers) = &self.tensors[name];
        (shape, numbers)
    }

    fn convolve(&self, name: &str, from: &Cells) -> Cells {
        let (shape, weights) = self.tensor(&format!("{name}.weight"));
        let (_, bias) = self.tensor(&format!("{name}.bias"));
        let (inputs, outputs) = (shape[2], shape[3]);
        let mut numbers = Vec::new();
        for row in 0..from.height as isize {
            for column in 0..from.width as isize {
                for (output, bias) in bias.iter().enumerate() {
                    let mut sum = f64::from(*bias);
                    for tap in 0..9 {
                        for input in 0..inputs {
                            let (down, right) = (tap as isize / 3 - 1, tap as isize % 3 - 1);
                            let weight = weights[(tap * inputs + input) * outputs + output];
                            sum += from.at(row + down, column + right, input) * f64::from(weight);
                        }
                    }
                    numbers.push(sum);
                }
            }
        }
        Cells { channels: outputs, numbers, ..*from }
    }

    fn dense(&self, name: &str, from: &[f64]) -> Vec<f64> {
        let (shape, weights) = self.tensor(&format!("{name}.weight"));
        let (_, bias) = self.tensor(&format!("{name}.bias"));
        let output = |(output, &bias): (usize, &f32)| {
            let products = from.iter().enumerate();
            let sum: f64 = products
                .map(|(input, number)| number * f64::from(weights[input * shape[1] + output]))
                .sum();
            sum + f64::from(bias)
        };
        bias.iter().enumerate().map(output).collect()
    }

    /// Returns the logits of all actions, and the values.
    fn evaluate(&self, cells: &Cells, scalars: &[f32]) -> (Vec<f64>, Vec<f64>) {
        let mut h = self.convolve("stem", cells);
        if self.tensors.contains_key("stem.scalars") {
            let (shape, weights) = self.tensor("stem.scalars");
            for (index, number) in h.numbers.iter_mut().enumerate() {
                let channel = index % h.channels;
                for (scalar, value) in scalars.iter().enumerate() {
                    *number += f64::from(weights[scalar * shape[1] + channel] * value);
                }
            }
        }
        h = h.relu();
        for block in 0..2 {
            let inner = self.convolve(&format!("blocks.{block}.0"), &h).relu();
            let mut next = self.convolve(&format!("blocks.{block}.1"), &inner);
            next.numbers.iter_mut().zip(&h.numbers).for_each(|(next, h)| *next += h);
            h = next.relu();
        }
        let p = self.convolve("policy.conv", &h).relu();
        let mut logits = Vec::new();
        let mut mean = vec![0.0; p.channels];
        for cell in p.numbers.chunks_exact(p.channels) {
            logits.extend(self.dense("policy.out", cell));
            mean.iter_mut().zip(cell).for_each(|(mean, number)| *mean += number);
        }
        let count = (p.height * p.width) as f64;
        mean.iter_mut().for_each(|mean| *mean /= count);
        logits.extend(self.dense("policy.extra", &mean));
        let cells = h.numbers.chunks_exact(h.channels);
        let value: Vec<f64> =
            cells.flat_map(|cell| self.dense("value.conv", cell)).map(|v| v.max(0.0)).collect();
        let hidden: Vec<f64> =
            self.dense("value.hidden", &value).into_iter().map(|v| v.max(0.0)).collect();
        let values = self.dense("value.out", &hidden).into_iter().map(f64::tanh).collect();
        (self.index.iter().map(|&index| logits[usize::from(index)]).collect(), values)
    }

    /// Returns the inputs of the network of the first game of a batch, for each player who acts.
    fn inputs(&self, batch: &mut dyn AnyBatch) -> Vec<(Cells, Vec<f32>)> {
        let spec = batch.spec().clone();
        let (layout, rows) = (&spec.observation, spec.mask_rows());
        let (mut values, mut scalars) =
            (vec![0.0; layout.values() * rows], vec![0.0; layout.scalars * rows]);
        let mut out = Outputs::none();
        out.observation = ObservationRows {
            values: ValueRows::Float(Rows::new(&mut values, layout.values() * rows)),
            scalars: match layout.scalars {
                0 => Rows::none(),
                count => Rows::new(&mut scalars, count * rows),
            },
        };
        batch.write_outputs(out).expect("an observation");
        let channels = self.planes.len() + 1;
        let row = |row: usize| {
            let cells = values.chunks_exact(layout.values()).nth(row).expect("a row");
            let cell = |cell: &[f32]| {
                let planes: Vec<f64> =
                    self.planes.iter().map(|&plane| cell[plane].into()).collect();
                planes.into_iter().chain([1.0])
            };
            let numbers = cells.chunks_exact(layout.channels.len()).flat_map(cell).collect();
            let scalars = scalars.get(row * layout.scalars..).unwrap_or_default();
            let scalars = scalars.iter().take(layout.scalar_array_len()).copied().collect();
            (Cells { height: layout.height, width: layout.width, channels, numbers }, scalars)
        };
        (0..rows).map(row).collect()
    }
}

#[test]
fn fast_and_slow_evaluations_agree() {
    for (game, options) in GAMES_AND_OPTIONS {
        // Not a multiple of the outputs that are computed together.
        let files = Files::new(game, (2, 9), 5);
        let model = files.model();
        let mut batch: Box<dyn DescribedBatch> =
            make(game, options, 1, Options::default()).expect("an environment");
        batch.reset(Some(3));
        let spec = batch.spec().clone();
        let mut actions = vec![0; spec.mask_rows()];
        let mut compared = 0;
        for step in 0..40 {
            if step % 8 == 0 {
                let found = model.evaluate(&*batch).expect("an evaluation");
                let inputs = files.inputs(&mut *batch);
                let slow: Vec<(Vec<f64>, Vec<f64>)> =
                    inputs.iter().map(|(cells, scalars)| files.evaluate(cells, scalars)).collect();
                for ((logits, _), fast) in slow.iter().zip(found.logits.chunks_exact(spec.actions))
                {
                    let legal = logits.iter().zip(fast).filter(|(_, fast)| fast.is_finite());
                    for (slow, &fast) in legal {
                        assert!((slow - f64::from(fast)).abs() < 1e-4, "{game}: {slow}, {fast}");
                        compared += 1;
                    }
                }
                let mut player = vec![0; 1];
                let mut out = Outputs::none();
                out.current_player = Rows::new(&mut player, 1);
                batch.write_outputs(out).expect("a player");
                let acting = player[0].max(0) as usize;
                for (index, &fast) in found.values.iter().enumerate() {
                    let slow = match (spec.simultaneous, spec.players) {
                        (true, _) => slow[index].1[0],
                        (false, 2) if index == acting => slow[0].1[0],
                        (false, 2) => -slow[0].1[0],
                        (false, players) => slow[0].1[(index + players - acting) % players],
                    };
                    assert!((slow - f64::from(fast)).abs() < 1e-5, "{game}: {slow}, {fast}");
                }
            }
            batch.sample(None, &mut actions).expect("actions");
            batch.step(&actions, Outputs::none()).expect("a step");
        }
        assert!(compared > 50, "{game}: {compared}");
    }
}
