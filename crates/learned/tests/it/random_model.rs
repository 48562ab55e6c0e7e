//! Models with random weights, as the files that training writes.

use std::collections::BTreeMap;
use std::path::Path;

use fourfold_common::SplitMix64;
use fourfold_env::{GAMES, Options, make};
use fourfold_learned::Model;
use half::f16;
use safetensors::tensor::{Dtype, TensorView, serialize};

/// The games that training knows, with the options of their environments.
pub(crate) const GAMES_AND_OPTIONS: [(&str, &[(&str, &str)]); 4] = [
    ("chess", &[]),
    ("four_player", &[("reward", "rank")]),
    ("blokus_duo", &[]),
    ("kung_fu", &[("speed", "lightning"), ("interval", "6")]),
];

/// A model as its files hold it.
pub(crate) struct Files {
    pub(crate) planes: Vec<usize>,
    /// The values are numbers of float16.
    pub(crate) tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
    pub(crate) index: Vec<u16>,
    pub(crate) json: String,
}

impl Files {
    /// Makes a network of this size: its numbers of blocks and channels.
    pub(crate) fn new(game: &str, (blocks, channels): (usize, usize), seed: u64) -> Files {
        let (_, options) =
            GAMES_AND_OPTIONS.into_iter().find(|(name, _)| *name == game).expect("a game");
        let batch = make(game, options, 1, Options::default()).expect("an environment");
        let spec = batch.spec();
        let layout = &spec.observation;
        let mut rng = SplitMix64::new(seed);
        let cells = layout.height * layout.width;
        let planes: Vec<usize> =
            (0..layout.channels.len()).filter(|plane| plane % 3 != 1).collect();
        let scalars = layout.scalar_array_len();
        let outputs = if spec.players == 2 { 1 } else { spec.players };
        // Enough for all actions to have logits of their own.
        let (each, extra) = ((spec.actions - 1) / cells + 1, 3);
        let mut tensors = BTreeMap::new();
        let mut add = |name: &str, shape: &[usize]| {
            let inputs: usize = shape[..shape.len() - 1].iter().product();
            let scale = if shape.len() == 1 { 0.1 } else { 1.5 / (inputs as f32).sqrt() };
            let mut number = || {
                let unit = (rng.next() >> 40) as f32 / (1 << 24) as f32;
                f16::from_f32(scale * (2.0 * unit - 1.0)).to_f32()
            };
            let numbers = (0..shape.iter().product()).map(|_| number()).collect();
            tensors.insert(name.to_owned(), (shape.to_vec(), numbers));
        };
        let mut layer = |name: &str, shape: &[usize]| {
            add(&format!("{name}.weight"), shape);
            add(&format!("{name}.bias"), &shape[shape.len() - 1..]);
        };
        layer("stem", &[3, 3, planes.len() + 1, channels]);
        for block in 0..blocks {
            layer(&format!("blocks.{block}.0"), &[3, 3, channels, channels]);
            layer(&format!("blocks.{block}.1"), &[3, 3, channels, channels]);
        }
        layer("policy.conv", &[3, 3, channels, channels]);
        layer("policy.out", &[channels, each]);
        layer("policy.extra", &[channels, extra]);
        layer("value.conv", &[channels, 5]);
        layer("value.hidden", &[5 * cells, 20]);
        layer("value.out", &[20, outputs]);
        if scalars > 0 {
            add("stem.scalars", &[scalars, channels]);
        }
        let logits = (cells * each + extra) as u64;
        let index = (0..spec.actions as u64).map(|id| (id * 7919 % logits) as u16).collect();
        let version = GAMES.iter().find(|entry| entry.name == game).expect("a game").version;
        let options: BTreeMap<&str, &str> = options.iter().copied().collect();
        let json = serde_json::json!({
            "format": 1, "game": game, "environment_version": format!("v{version}"), "options": options,
            "height": layout.height, "width": layout.width, "planes": planes, "scalars": scalars,
            "blocks": blocks, "channels": channels, "value_outputs": outputs, "about": {"seed": 1},
        });
        Files { planes, tensors, index, json: json.to_string() }
    }

    /// Returns `model.safetensors`.
    pub(crate) fn weights(&self) -> Vec<u8> {
        let bytes = |numbers: &Vec<f32>| -> Vec<u8> {
            numbers.iter().flat_map(|&number| f16::from_f32(number).to_le_bytes()).collect()
        };
        let tensors = self.tensors.iter();
        let mut data: Vec<(String, Dtype, Vec<usize>, Vec<u8>)> = tensors
            .map(|(name, (shape, numbers))| {
                (name.clone(), Dtype::F16, shape.clone(), bytes(numbers))
            })
            .collect();
        let index = self.index.iter().flat_map(|index| index.to_le_bytes()).collect();
        data.push(("policy.index".to_owned(), Dtype::U16, vec![self.index.len()], index));
        let views = data.iter().map(|(name, dtype, shape, bytes)| {
            let view = TensorView::new(*dtype, shape.clone(), bytes);
            (name.as_str(), view.expect("a tensor"))
        });
        serialize(views, None).expect("a file")
    }

    /// Writes both files to a folder.
    pub(crate) fn write(&self, folder: &Path) {
        std::fs::write(folder.join("model.json"), &self.json).expect("a file");
        std::fs::write(folder.join("model.safetensors"), self.weights()).expect("a file");
    }

    pub(crate) fn model(&self) -> Model {
        Model::new(self.json.as_bytes(), &self.weights()).expect("a model")
    }
}
