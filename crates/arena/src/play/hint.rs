//! Hints for guests who play against bots or on one screen.

use serde_json::json;

use crate::bot_jobs::{BotJob, Thinking, time_to_think};
use crate::game::{Answer, RunningGame};
use crate::protocol::{self, Object};
use crate::room::Room;

/// The hint for the current position.
#[derive(Default)]
pub(super) enum Hint {
    #[default]
    Unasked,
    /// Being computed, as the answer to a command of this connection.
    Asked { connection: u64, number: u64, thinking: Thinking },
    /// The code of the suggested move, in case a guest asks again.
    Known(String),
}

impl RunningGame<Room> {
    /// Returns the hint if it is known, or else starts computing it.
    pub(super) fn give_hint(
        &mut self,
        connection: u64,
        number: u64,
    ) -> Result<Option<Object>, String> {
        match &self.state.hint {
            Hint::Known(code) => return self.shown_hint(code).map(Some),
            Hint::Asked { .. } => return Err("a hint is being computed".to_owned()),
            Hint::Unasked => {}
        }
        let table = self.room.table();
        let strongest = fourfold_bots::levels(table.game()).last();
        let thinker = strongest.map(|level| BotJob::new(table, level, &self.state.seed_text));
        let thinker = thinker.ok_or("this game has no hints")?;
        let left = table.acting().first().and_then(|&seat| self.time_left(seat));
        let (hub, owner) = (self.hub.clone(), self.journal.creator());
        let thinking = Thinking::from_iter([thinker.think(hub, owner, time_to_think(left))]);
        self.state.hint = Hint::Asked { connection, number, thinking };
        Ok(None)
    }

    /// Returns a hint in the form in which it is sent.
    fn shown_hint(&self, code: &str) -> Answer {
        let table = self.room.table();
        let choices = table.acting().into_iter().flat_map(|seat| table.choices(seat));
        let hint = choices.into_iter().find(|choice| choice.code == code);
        let hint = hint.ok_or("the hint is not a legal move here")?;
        Ok(protocol::object(&json!({ "hint": hint })))
    }

    /// Sends a hint that has been computed.
    pub(super) fn take_hint(&mut self, code: Option<String>) {
        let hint = code.map_or(Hint::Unasked, Hint::Known);
        let Hint::Asked { connection, number, .. } = std::mem::replace(&mut self.state.hint, hint)
        else {
            return;
        };
        let answer = match &self.state.hint {
            Hint::Known(code) => self.shown_hint(code),
            Hint::Unasked | Hint::Asked { .. } => Err("no hint found".to_owned()),
        };
        self.answer(connection, number, answer);
    }

    /// Stops computing a hint for a connection that is gone.
    pub(super) fn cancel_hint_of_absent(&mut self) {
        if let Hint::Asked { connection, .. } = self.state.hint
            && self.viewers.iter().all(|viewer| viewer.connection != connection)
        {
            self.state.hint = Hint::Unasked;
        }
    }

    /// Discards the hint when the position changes.
    pub(super) fn forget_hint(&mut self) {
        let hint = std::mem::take(&mut self.state.hint);
        if let Hint::Asked { connection, number, .. } = hint {
            let why = "the position has changed in the meantime".to_owned();
            self.answer(connection, number, Err(why));
        }
    }
}
