//! Facts by name: selecting them, and their values as text and as JSON.

use std::ops::Range;
use std::str::FromStr;

use fourfold_analysis::{Analysis, Blockers, FactGroups, SideFacts, attack_map, mobility, x_rays};
use fourfold_chess::{BOARD, Bitboard, Color, Position};
use fourfold_common::quote_short;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use thiserror::Error;

/// The selected facts, in the order of [`FACT_NAMES`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactSelection {
    names: Vec<&'static str>,
    /// The groups of facts to compute for them.
    groups: FactGroups,
}

/// The names of all facts. Those up to `forks` are selected by default.
pub const FACT_NAMES: [&str; 17] = [
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
/// The only fact that does not belong to one side.
pub const ATTACK_MAP: &str = "attack_map";

impl Default for FactSelection {
    fn default() -> FactSelection {
        FactSelection::of(FACT_NAMES[..USUAL].to_vec())
    }
}

/// The error for a name that no fact has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown fact '{}': expected one of {}", quote_short(.name), FACT_NAMES.join(", "))]
pub struct UnknownFact {
    /// The unknown name.
    pub name: String,
}

/// Parses a comma-separated list of names.
impl FromStr for FactSelection {
    type Err = UnknownFact;

    fn from_str(text: &str) -> Result<FactSelection, UnknownFact> {
        let asked: Vec<&str> = text.split(',').map(str::trim).collect();
        if let Some(unknown) = asked.iter().find(|name| !FACT_NAMES.contains(name)) {
            return Err(UnknownFact { name: (*unknown).to_owned() });
        }
        Ok(FactSelection::of(FACT_NAMES.into_iter().filter(|name| asked.contains(name)).collect()))
    }
}

/// The value of a fact for one side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Squares or moves.
    List(Vec<String>),
    /// A number.
    Number(u32),
    /// Lists by name.
    #[serde(serialize_with = "object")]
    Lists(Vec<(String, Vec<String>)>),
    /// Numbers by name.
    #[serde(serialize_with = "object")]
    Numbers(Vec<(String, i32)>),
}

/// Serializes entries as an object, in order.
fn object<S: Serializer>(
    entries: &[(String, impl Serialize)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(name, entry)| (name, entry)))
}

impl FactSelection {
    /// Selects all facts.
    pub fn all() -> FactSelection {
        FactSelection::of(FACT_NAMES.to_vec())
    }

    fn of(names: Vec<&'static str>) -> FactSelection {
        let any = |wanted: &[&str]| wanted.iter().any(|fact| names.contains(fact));
        let groups = FactGroups {
            counts: any(&["material", "mobility", "king_ring"]),
            forks: any(&["forks"]),
            exchanges: any(&["en_prise", "see"]),
        };
        FactSelection { names, groups }
    }

    /// Returns the selected facts that belong to one side.
    pub fn of_sides(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.names.iter().copied().filter(|&name| name != ATTACK_MAP)
    }

    /// Returns whether a fact is selected.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    /// Computes the groups of facts that the selected facts need.
    pub fn analyze(&self, position: &Position) -> Analysis {
        Analysis::with(position, self.groups)
    }
}

/// The names of the [`sets`]: the facts that are a single set, then the sets of pawns.
pub const SETS: [&str; 15] = [
    "pieces",
    "attacked",
    "hanging",
    "pinned",
    "pinned_pawns",
    "skewered",
    "developed",
    "outposts",
    "en_prise",
    "all",
    "doubled",
    "isolated",
    "backward",
    "backward_blocked",
    "passed",
];
const PAWN_SETS: Range<usize> = 9..15;

/// Returns all facts about a side that are sets of squares. [`sets_of`] returns the indices of a
/// fact.
#[inline]
pub const fn sets(facts: &SideFacts) -> [Bitboard; SETS.len()] {
    let pawns = &facts.pawns;
    [
        facts.pieces,
        facts.attacked,
        facts.hanging,
        facts.pinned,
        facts.pinned_pawns,
        facts.skewered,
        facts.developed,
        facts.outposts,
        facts.en_prise,
        pawns.all,
        pawns.doubled,
        pawns.isolated,
        pawns.backward,
        pawns.backward_blocked,
        pawns.passed,
    ]
}

/// Returns the indices of a fact in the [`sets`]: several for `pawns`, none for facts that are not
/// sets.
pub fn sets_of(name: &str) -> Range<usize> {
    if name == "pawns" {
        return PAWN_SETS;
    }
    let place = SETS[..PAWN_SETS.start].iter().position(|&set| set == name);
    place.map_or(0..0, |place| place..place + 1)
}

/// Returns the moves that fork, in UCI and sorted.
pub fn forks(position: &Position, facts: &SideFacts) -> Vec<String> {
    let mut forks: Vec<String> = facts.forks.iter().map(|mv| mv.uci(position.variant())).collect();
    forks.sort();
    forks
}

/// Returns the captures in UCI, sorted, each with its static exchange value.
pub fn captures(position: &Position, facts: &SideFacts) -> Vec<(String, i32)> {
    let captures = facts.captures.iter();
    let mut captures: Vec<(String, i32)> =
        captures.map(|(mv, value)| (mv.uci(position.variant()), *value)).collect();
    captures.sort();
    captures
}

/// Returns the value of a fact for one side, or an empty list if the name is unknown.
pub fn value(name: &str, position: &Position, facts: &SideFacts, color: Color) -> Value {
    let sets = sets(facts);
    let places = sets_of(name);
    match places.len() {
        0 => {}
        1 => return Value::List(squares(sets[places.start])),
        _ => {
            let named = places.map(|place| (SETS[place].to_owned(), squares(sets[place])));
            return Value::Lists(named.collect());
        }
    }
    match name {
        "material" => Value::Number(facts.material),
        "mobility" => Value::Numbers(
            mobility(position)
                .filter(|(_, piece, _)| piece.color == color)
                .map(|(square, _, count)| (BOARD.name(square), count as i32))
                .collect(),
        ),
        "king_ring" => Value::Number(facts.king_ring),
        "forks" => Value::List(forks(position, facts)),
        "see" => Value::Numbers(captures(position, facts)),
        "x_rays" => Value::Lists(
            x_rays(position, Blockers::Any)
                .filter(|ray| ray.piece.color == color)
                .map(|ray| (BOARD.name(ray.square), squares(ray.gained)))
                .collect(),
        ),
        _ => Value::List(Vec::new()),
    }
}

/// Returns the names of the squares in a set, in square order.
pub fn squares(set: Bitboard) -> Vec<String> {
    set.iter().map(|square| BOARD.name(square)).collect()
}

/// The selected facts about a position, for serialization as JSON:
/// `{"fen":…,"white":{…},"black":{…}}`.
///
/// ```
/// use fourfold_chess::Position;
/// use fourfold_table::study::Report;
///
/// let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
/// let report = Report { position: &position, chosen: &"material,hanging".parse()? };
/// assert_eq!(serde_json::to_string(&report)?, "{\"fen\":\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\",\
///     \"white\":{\"hanging\":[],\"material\":1},\"black\":{\"hanging\":[],\"material\":0}}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The position.
    pub position: &'a Position,
    /// The selected facts.
    pub chosen: &'a FactSelection,
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Report { position, chosen } = *self;
        let analysis = chosen.analyze(position);
        let mut report = serializer.serialize_map(None)?;
        report.serialize_entry("fen", &position.fen())?;
        for color in Color::ALL {
            let facts = analysis.side(color);
            report.serialize_entry(color.name(), &Side { position, chosen, facts, color })?;
        }
        if chosen.has(ATTACK_MAP) {
            report.serialize_entry(ATTACK_MAP, &AttackMap(position))?;
        }
        report.end()
    }
}

/// The selected facts about one side.
struct Side<'a> {
    position: &'a Position,
    chosen: &'a FactSelection,
    facts: &'a SideFacts,
    color: Color,
}

impl Serialize for Side<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = |name| value(name, self.position, self.facts, self.color);
        serializer.collect_map(self.chosen.of_sides().map(|name| (name, value(name))))
    }
}

/// The attackers and defenders of each piece, for serialization as JSON.
#[derive(Clone, Copy, Debug)]
pub struct AttackMap<'a>(pub &'a Position);

impl Serialize for AttackMap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Around {
            attackers: Vec<String>,
            defenders: Vec<String>,
        }
        serializer.collect_map(attack_map(self.0).map(|(square, _, attackers, defenders)| {
            let (attackers, defenders) = (squares(attackers), squares(defenders));
            (BOARD.name(square), Around { attackers, defenders })
        }))
    }
}
