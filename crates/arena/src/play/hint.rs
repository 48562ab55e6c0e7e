//! Hints: what a strong player would do, for those who play against bots or alone.

use serde_json::{Map, Value, json};

use super::Play;
use crate::protocol;
use crate::thinking::{Thinker, Thinking, time_to_think};

/// What a strong player would do in this position.
pub(super) enum Hint {
    Unasked,
    /// On its way to a connection, as the answer to a command.
    Asked {
        connection: u64,
        number: u64,
        thinking: Thinking,
    },
    /// The code of the move, for whoever asks again.
    Known(String),
}

impl Play {
    /// Answers with what a strong player would do, or lets one think about it.
    pub(super) fn give_hint(
        &mut self,
        connection: u64,
        number: u64,
    ) -> Result<Option<Map<String, Value>>, String> {
        match &self.hint {
            Hint::Known(code) => return self.shown_hint(code).map(Some),
            Hint::Asked { .. } => return Err("a hint is on its way".to_owned()),
            Hint::Unasked => {}
        }
        let table = self.room.table();
        let strongest = fourfold_bots::levels(table.game()).last();
        let thinker = strongest.and_then(|level| Thinker::new(table, level, &self.luck));
        let thinker = thinker.ok_or("nobody can give hints in this game")?;
        let left = table.acting().first().and_then(|&seat| self.time_left(seat));
        let thinking = Thinking::start(thinker.think(time_to_think(left)));
        self.hint = Hint::Asked { connection, number, thinking };
        Ok(None)
    }

    /// A hint as it is answered.
    fn shown_hint(&self, code: &str) -> Result<Map<String, Value>, String> {
        let table = self.room.table();
        let choices = table.acting().into_iter().flat_map(|seat| table.choices(seat));
        let hint = choices.into_iter().find(|choice| choice.code == code);
        let hint = hint.ok_or("the hint is no move of this position")?;
        Ok(protocol::object(&json!({ "hint": hint })))
    }

    /// Answers with a hint that has been thought out.
    pub(super) fn take_hint(&mut self, code: Option<String>) {
        let hint = code.map_or(Hint::Unasked, Hint::Known);
        let Hint::Asked { connection, number, .. } = std::mem::replace(&mut self.hint, hint) else {
            return;
        };
        let answer = match &self.hint {
            Hint::Known(code) => self.shown_hint(code),
            Hint::Unasked | Hint::Asked { .. } => Err("there is no hint".to_owned()),
        };
        match answer {
            Ok(with) => self.answer(connection, protocol::ok(number, with)),
            Err(why) => self.refuse(connection, number, &why),
        }
    }

    /// Forgets the hint for a position that has been left.
    pub(super) fn forget_hint(&mut self) {
        let hint = std::mem::replace(&mut self.hint, Hint::Unasked);
        if let Hint::Asked { connection, number, .. } = hint {
            self.refuse(connection, number, "the position has changed in the meantime");
        }
    }
}
