//! A player's observation and legal actions, with everything needed to draw them.

use fourfold_env::{
    Autoreset, Caption, DescribedBatch, MaskRows, ObservationRows, Options, Outputs, Rows,
    StepError, ValueRows,
};
use fourfold_table::ensure;
use serde_json::{Value, json};

use super::environment::Environment;
use crate::protocol::{self, Object};

/// The maximum number of moves from the start.
const MOST_MOVES: usize = 2000;
/// The maximum number of random steps per request.
const MOST_RANDOM: usize = 200;

/// How to reach the position.
pub(super) struct Path {
    pub(super) start: Option<String>,
    pub(super) moves: Vec<String>,
    pub(super) random: usize,
    pub(super) seed: u64,
}

impl Path {
    /// Starts at a position and plays moves from there.
    pub(super) fn from_moves(start: String, moves: Vec<String>) -> Path {
        Path { start: Some(start), moves, random: 0, seed: 0 }
    }
}

/// Returns a player's observation and legal actions at the end of a path.
///
/// # Errors
/// Returns a message for the guest if the position or a move is invalid, or if the path is too
/// long.
pub(super) fn inspect(
    environment: &Environment,
    path: Path,
    seat: Option<usize>,
) -> Result<Object, String> {
    let Path { start, mut moves, random, seed } = path;
    ensure!(
        moves.len() + random <= MOST_MOVES,
        "at most {MOST_MOVES} moves are accepted: start from a later position"
    );
    ensure!(random <= MOST_RANDOM, "expected at most {MOST_RANDOM} random steps, got {random}");
    let mut batch =
        environment.make(1, Options { autoreset: Autoreset::Disabled, ..Options::default() })?;
    let spec = batch.spec().clone();
    let seat_wanted = match seat {
        Some(seat) if !spec.simultaneous => {
            let why = format!("'seat' is accepted only if all players act at once, got {seat}");
            return Err(why);
        }
        Some(seat) if seat >= spec.players => {
            return Err(format!("expected a seat below {}, got {seat}", spec.players));
        }
        seat => seat.unwrap_or(0),
    };
    batch.reset(Some(seed));
    if let Some(start) = start.as_deref() {
        batch.reset_to(None, &[start.trim()]).map_err(step_message)?;
    }
    for (index, text) in moves.iter().enumerate() {
        if let (Some(ending), _) = status(&mut *batch) {
            return Err(format!("the game is over after {index} moves: {ending}"));
        }
        let texts: Vec<&str> = match spec.simultaneous {
            true => text.split(' ').collect(),
            false => vec![text],
        };
        let actions = batch.read_actions(&texts).map_err(step_message)?;
        batch.step(&actions, Outputs::none()).map_err(step_message)?;
    }
    let mut latest = Vec::new();
    let mut actions = vec![0; spec.mask_rows()];
    for _ in 0..random {
        if status(&mut *batch).0.is_some() {
            break;
        }
        batch.sample(None, &mut actions).map_err(step_message)?;
        latest = batch.write_actions(&actions).map_err(step_message)?;
        moves.push(latest.join(" "));
        batch.step(&actions, Outputs::none()).map_err(step_message)?;
    }
    let (ending, player) = status(&mut *batch);
    let seat = player.unwrap_or(seat_wanted);
    let position = batch.texts().remove(0);
    let mut view = environment.scene(&position)?;
    let squares = squares(&*batch, seat, &view["board"]["rows"]);
    let (channels, extra_array) = observed(&mut *batch, seat)?;
    let legal = if ending.is_some() { Vec::new() } else { legal(&mut *batch, seat) };
    let (layout, count) = (&spec.observation, legal.len());
    view.extend(protocol::object(&json!({
        "game": environment.kind, "id": batch.id(),
        "python": python(environment, (start.as_deref(), &moves), &spec, seat),
        "position": position, "start": start, "moves": moves, "latest": latest,
        "seat": seat, "ending": ending, "simultaneous": spec.simultaneous,
        "shape": [layout.height, layout.width, layout.channels.len()],
        "channels": channels, "extra_array": extra_array, "squares": squares,
        "actions": spec.actions, "mask_count": if ending.is_some() { spec.actions } else { count },
        "planes": captions(&batch.action_planes()), "legal": legal,
    })));
    Ok(view)
}

/// Returns the ending, if the game is over, and the player to move, if players take turns.
fn status(batch: &mut dyn DescribedBatch) -> (Option<&'static str>, Option<usize>) {
    let (mut ending, mut player) = ([-1], [-1]);
    let out = Outputs {
        ending: Rows::new(&mut ending, 1),
        current_player: Rows::new(&mut player, 1),
        ..Outputs::none()
    };
    // This cannot fail: the buffers have one row, and the batch has one game.
    let _ = batch.write_outputs(out);
    let ending = usize::try_from(ending[0]).ok();
    let ending = ending.and_then(|ending| batch.endings().get(ending).copied());
    (ending, usize::try_from(player[0]).ok())
}

/// Returns the channels with their values, and the additional array.
fn observed(batch: &mut dyn DescribedBatch, seat: usize) -> Result<(Vec<Value>, Value), String> {
    let layout = batch.spec().observation.clone();
    let (mut values, mut scalars) = (vec![0.0; layout.values()], vec![0.0; layout.scalars]);
    let rows = ObservationRows {
        values: ValueRows::Float(Rows::new(&mut values, layout.values())),
        scalars: Rows::new(&mut scalars, layout.scalars),
    };
    batch.observe(Some(seat), rows).map_err(step_message)?;
    let count = layout.channels.len();
    let channel = |(index, Caption { group, name }): (usize, Caption)| {
        let plane: Vec<f32> = values.iter().skip(index).step_by(count).copied().collect();
        let values = match plane.first() {
            // Send channels that are constant, as most are, as a single number.
            Some(first) if plane.iter().all(|value| value == first) => number(*first),
            _ => json!(plane.iter().map(|&value| number(value)).collect::<Vec<Value>>()),
        };
        json!({"group": group, "name": name, "values": values})
    };
    let channels = batch.channel_names().into_iter().enumerate().map(channel).collect();
    let extra_array = layout.scalar_array.map(|array| {
        let values: Vec<Value> =
            scalars[..layout.scalar_array_len()].iter().map(|&value| number(value)).collect();
        json!({"name": array.name, "shape": array.shape, "values": values})
    });
    Ok((channels, json!(extra_array)))
}

/// Formats a number with as few digits as identify it.
fn number(value: f32) -> Value {
    match value.to_string().parse::<f64>() {
        Ok(whole) if whole.fract() == 0.0 => json!(whole as i64),
        Ok(short) => json!(short),
        Err(_) => json!(value),
    }
}

/// Returns the legal actions of a seat: their plane and square, the cells involved, and their text.
fn legal(batch: &mut dyn DescribedBatch, seat: usize) -> Vec<Value> {
    let (rows, actions) = (batch.spec().mask_rows(), batch.spec().actions);
    let width = batch.spec().observation.width;
    let mut mask = vec![false; rows * actions];
    let out = MaskRows::Bool(Rows::new(&mut mask, rows * actions));
    // This cannot fail: the buffer has one row, and the batch has one game.
    let _ = batch.write_outputs(Outputs { mask: out, ..Outputs::none() });
    let batch = &*batch;
    let row = if batch.spec().simultaneous { seat } else { 0 };
    let mine = mask.chunks_exact(actions).nth(row).unwrap_or_default();
    let ids = (0i32..).zip(mine).filter_map(|(id, &is)| is.then_some(id));
    let legal_action = |id: i32| {
        // In simultaneous games, the last action is to wait, which is always legal.
        let mut ids = vec![actions as i32 - 1; rows];
        ids[row] = id;
        let text = batch.write_actions(&ids).ok().and_then(|texts| texts.into_iter().nth(row));
        match batch.action_place(id) {
            Some(place) => {
                let cells: Vec<usize> =
                    place.cells.iter().map(|(row, column)| row * width + column).collect();
                let square = place.row * width + place.column;
                json!({"id": id, "plane": place.plane, "square": square, "cells": cells, "text": text})
            }
            None => json!({"id": id, "plane": null, "square": null, "cells": [], "text": text}),
        }
    };
    ids.map(legal_action).collect()
}

/// Returns the names of the squares, row by row as a seat sees them; null where there is no square.
fn squares(batch: &dyn DescribedBatch, seat: usize, board: &Value) -> Vec<Value> {
    let (layout, rows) = (&batch.spec().observation, batch.spec().mask_rows());
    let row = if batch.spec().simultaneous { seat } else { 0 };
    let mut squares = vec![Value::Null; layout.height * layout.width];
    for id in 0..batch.spec().actions as i32 {
        let Some(place) = batch.action_place(id) else { continue };
        let square = &mut squares[place.row * layout.width + place.column];
        if !square.is_null() {
            continue;
        }
        // The board is given from the first seat's view, so convert to that.
        let mut ids = vec![id; rows];
        batch.absolute(&mut ids);
        if let Some(place) = batch.action_place(ids[row]) {
            *square = board[place.row][place.column].clone();
        }
    }
    squares
}

fn captions(captions: &[Caption]) -> Vec<Value> {
    captions.iter().map(|Caption { group, name }| json!({"group": group, "name": name})).collect()
}

/// Returns the Python code that produces the same arrays.
fn python(
    environment: &Environment,
    (start, moves): (Option<&str>, &[String]),
    spec: &fourfold_env::Spec,
    seat: usize,
) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let mut lines = vec![
        "import fourfold".to_owned(),
        String::new(),
        format!(
            "env = fourfold.make(\"{}\", autoreset=\"disabled\"{})",
            environment.env,
            environment.in_python()
        ),
        match start {
            Some(start) => format!("state = env.reset(positions=[{}])", quoted(start.trim())),
            None => "state = env.reset()".to_owned(),
        },
    ];
    if !moves.is_empty() {
        let all: Vec<String> = moves.iter().map(|text| quoted(text)).collect();
        let all: Vec<String> = all.chunks(8).map(|line| line.join(", ")).collect();
        let given = if spec.simultaneous { "move.split()" } else { "[move]" };
        lines.push(format!("for move in [{}]:", all.join(",\n             ")));
        lines.push(format!("    state = env.step(env.actions({given}))"));
    }
    let at = if spec.simultaneous { format!("[0, {seat}]") } else { "[0]".to_owned() };
    let layout = &spec.observation;
    let shape = tuple(&[layout.height, layout.width, layout.channels.len()]);
    lines.push(format!("planes = state.observation{at}  # {shape}"));
    lines.push(format!("mask = state.legal_action_mask{at}  # ({},)", spec.actions));
    if let Some(array) = layout.scalar_array {
        lines.push(format!("{0} = state.{0}{at}  # {1}", array.name, tuple(array.shape)));
    }
    lines.join("\n") + "\n"
}

/// Formats sizes as a Python tuple.
fn tuple(sizes: &[usize]) -> String {
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    format!("({})", sizes.join(", "))
}

/// Returns the message of an error without the index of the game, as there is only one.
fn step_message(error: StepError) -> String {
    match error {
        StepError::Position { message, .. } | StepError::Move { message, .. } => message,
        error => error.to_string(),
    }
}
