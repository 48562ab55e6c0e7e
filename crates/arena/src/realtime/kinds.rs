//! The real-time games on offer, and the choices for each.

use fourfold_kung_fu::{Board, Game, Rules};
use fourfold_table::{SeatInfo, kung_fu};
use serde_json::{Value, json};

/// A real-time game.
pub(crate) struct Kind {
    pub(crate) id: &'static str,
    name: &'static str,
    /// The name of its environment.
    pub(crate) env: &'static str,
    /// The word for its board in the rules.
    board: &'static str,
    choices: &'static [Choice],
}

/// A choice to be made when creating a game.
struct Choice {
    name: &'static str,
    /// The options: each one's name, and its words in the rules.
    options: &'static [(&'static str, &'static str)],
}

const SPEED: Choice =
    Choice { name: "Speed", options: &[("Standard", "standard"), ("Lightning", "lightning")] };
const PLAYERS: Choice = Choice {
    name: "Players",
    options: &[("Four", ""), ("Teams", "teams"), ("Three", "players=123"), ("Two", "players=24")],
};

/// All real-time games, in the order in which they are offered.
pub(crate) static KINDS: [Kind; 2] = [
    Kind { id: "kung-fu", name: "Kung fu chess", env: "kung_fu", board: "8x8", choices: &[SPEED] },
    Kind {
        id: "kung-fu-12x12",
        name: "Kung fu chess for four",
        env: "kung_fu_4p",
        board: "12x12",
        choices: &[PLAYERS, SPEED],
    },
];

/// Returns the real-time game with this id.
pub(crate) fn find(id: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.id == id)
}

/// Returns the real-time game that is played on a board.
pub(crate) fn for_board(board: Board) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.rules("").is_ok_and(|rules| rules.board == board))
}

impl Kind {
    /// Parses the rules that a guest asked for; the board is implied.
    ///
    /// # Errors
    /// Returns a message for the guest if the rules are invalid.
    pub(crate) fn rules(&self, words: &str) -> Result<Rules, String> {
        let words = format!("{} {words}", self.board);
        let rules = Rules::parse(&words).map_err(|error| error.to_string())?;
        if !rules.bots.is_empty() {
            return Err("bots are seated with 'opponent' and 'fill', not with the rules".to_owned());
        }
        Game::new(rules).map_err(|error| error.to_string())?;
        Ok(rules)
    }

    /// Returns the words and the name of the choices that give these rules, or `None` for custom
    /// rules.
    pub(crate) fn pool(&self, rules: &str) -> Option<(String, String)> {
        let mut pools = vec![(String::new(), self.name.to_owned())];
        for choice in self.choices {
            let extended = pools.iter().flat_map(|(words, name)| {
                choice.options.iter().map(move |(option, more)| {
                    let words = format!("{words} {more}").trim().to_owned();
                    (words, format!("{name}, {}", option.to_lowercase()))
                })
            });
            pools = extended.collect();
        }
        let same = |words: &str| self.rules(words).is_ok_and(|known| known.to_string() == rules);
        let (words, name) = pools.into_iter().find(|(words, _)| same(words))?;
        // The ids of pools in the database have the former word.
        Some((words.replace("players=", "seats="), name))
    }

    /// Returns the description of the game that is sent to pages.
    pub(crate) fn description(&self, bots: &[Value]) -> Value {
        let places = self.rules("").map(|rules| kung_fu::seats(&rules)).unwrap_or_default();
        let seats: Vec<&str> = places.iter().map(|place: &SeatInfo| place.name).collect();
        let choices = self.choices.iter().map(|choice| {
            let option = |&(name, rules): &(&str, &str)| json!({"name": name, "rules": rules});
            let options: Vec<Value> = choice.options.iter().map(option).collect();
            json!({"name": choice.name, "options": options})
        });
        let choices: Vec<Value> = choices.collect();
        let (id, name) = (self.id, self.name);
        json!({"id": id, "name": name, "seats": seats, "bots": bots, "realtime": true, "choices": choices})
    }
}
