//! Which facts are asked for, and each of them as text.

use std::str::FromStr;

use fourfold_chess::{BOARD, Bitboard, Color, Position};
use fourfold_study::{Analysis, Blockers, Facts, SideFacts, mobility, x_rays};

/// The facts that are asked for, by name and in the order of [`NAMES`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Chosen(Vec<&'static str>);

/// All facts; the first [`USUAL`] are those that nobody has to ask for.
const NAMES: [&str; 17] = [
    "pieces",
    "attacked",
    "hanging",
    "pinned",
    "pinned_pawns",
    "skewered",
    "developed",
    "pawns",
    "outposts",
    "en_prise",
    "forks",
    "material",
    "mobility",
    "king_ring",
    "see",
    "x_rays",
    ATTACK_MAP,
];
const USUAL: usize = 11;
/// The one fact that is not one side's.
pub(crate) const ATTACK_MAP: &str = "attack_map";

impl Default for Chosen {
    fn default() -> Chosen {
        Chosen(NAMES[..USUAL].to_vec())
    }
}

impl FromStr for Chosen {
    type Err = String;

    fn from_str(text: &str) -> Result<Chosen, String> {
        let asked: Vec<&str> = text.split(',').map(str::trim).collect();
        if let Some(unknown) = asked.iter().find(|name| !NAMES.contains(name)) {
            let unknown = unknown.escape_debug();
            return Err(format!("'{unknown}' is no fact; known are {}", NAMES.join(", ")));
        }
        Ok(Chosen(NAMES.into_iter().filter(|name| asked.contains(name)).collect()))
    }
}

/// A fact of one side.
pub(crate) enum Value {
    /// Squares or moves.
    List(Vec<String>),
    Number(u32),
    /// Lists by name.
    Lists(Vec<(String, Vec<String>)>),
    /// Numbers by name.
    Numbers(Vec<(String, i32)>),
}

impl Chosen {
    /// The facts of single sides.
    pub(crate) fn of_sides(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.iter().copied().filter(|&name| name != ATTACK_MAP)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(&name)
    }

    /// The analysis that these facts need.
    pub(crate) fn analyse(&self, position: &Position) -> Analysis {
        let exchanges = self.has("en_prise") || self.has("see");
        Analysis::with(position, Facts { forks: self.has("forks"), exchanges })
    }
}

/// One fact of one side.
pub(crate) fn value(name: &str, position: &Position, facts: &SideFacts, color: Color) -> Value {
    let list = |set: Bitboard| Value::List(squares(set));
    let named = |name: &str, set: Bitboard| (name.to_owned(), squares(set));
    match name {
        "attacked" => list(facts.attacked),
        "hanging" => list(facts.hanging),
        "pinned" => list(facts.pinned),
        "pinned_pawns" => list(facts.pinned_pawns),
        "skewered" => list(facts.skewered),
        "developed" => list(facts.developed),
        "outposts" => list(facts.outposts),
        "en_prise" => list(facts.en_prise),
        "material" => Value::Number(facts.material),
        "mobility" => Value::Numbers(
            mobility(position)
                .filter(|(_, man, _)| man.color == color)
                .map(|(square, _, count)| (BOARD.name(square), count as i32))
                .collect(),
        ),
        "king_ring" => Value::Number(facts.king_ring),
        "pawns" => Value::Lists(vec![
            named("all", facts.pawns.all),
            named("doubled", facts.pawns.doubled),
            named("isolated", facts.pawns.isolated),
            named("backward", facts.pawns.backward),
            named("backward_held", facts.pawns.backward_held),
            named("passed", facts.pawns.passed),
        ]),
        "forks" => {
            let mut forks: Vec<String> =
                facts.forks.iter().map(|mv| mv.uci(position.variant())).collect();
            forks.sort();
            Value::List(forks)
        }
        "see" => {
            let mut captures: Vec<(String, i32)> = facts
                .captures
                .iter()
                .map(|(mv, value)| (mv.uci(position.variant()), *value))
                .collect();
            captures.sort();
            Value::Numbers(captures)
        }
        "x_rays" => Value::Lists(
            x_rays(position, Blockers::Any)
                .filter(|ray| ray.man.color == color)
                .map(|ray| (BOARD.name(ray.square), squares(ray.gained)))
                .collect(),
        ),
        _ => list(facts.pieces),
    }
}

pub(crate) fn squares(set: Bitboard) -> Vec<String> {
    set.iter().map(|square| BOARD.name(square)).collect()
}
