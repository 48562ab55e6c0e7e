//! The engine, behind the same text interface.

use fourfold_kung_fu::{Event, Game, PieceId};

use super::implementation::Implementation;

#[derive(Clone)]
pub(crate) struct Engine(pub(crate) Game);

/// An index that no player and no piece has.
const NOBODY: u8 = 255;

impl Engine {
    fn texts(&self, events: &[Event]) -> Vec<String> {
        events.iter().map(|event| self.0.text(event)).collect()
    }
}

fn player(number: i64) -> u8 {
    u8::try_from(number).unwrap_or(NOBODY)
}

fn line(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

impl Implementation for Engine {
    fn create(words: &str, pieces: Option<&str>) -> Result<Engine, String> {
        if pieces.is_some_and(|pieces| pieces.trim().is_empty()) {
            return Err("no pieces".to_owned());
        }
        let game = Game::parse(words, pieces.unwrap_or_default());
        game.map(Engine).map_err(|error| error.to_string())
    }

    fn now(&self) -> i64 {
        self.0.now() as i64
    }

    fn order(&mut self, by: i64, piece: &str, row: i64, col: i64) -> Result<(), String> {
        let piece = self.0.piece_named(piece).unwrap_or(PieceId(NOBODY));
        let answer = self.0.order(player(by), piece, (line(row), line(col)));
        answer.map_err(|refusal| refusal.name().to_owned())
    }

    fn resign(&mut self, by: i64) -> Result<Vec<String>, String> {
        let mut events = Vec::new();
        match self.0.resign(player(by), &mut events) {
            Ok(()) => Ok(self.texts(&events)),
            Err(refusal) => Err(refusal.name().to_owned()),
        }
    }

    fn agree_draw(&mut self, players: &[i64]) -> Result<Vec<String>, String> {
        let players: Vec<u8> = players.iter().map(|&number| player(number)).collect();
        let mut events = Vec::new();
        match self.0.agree_on_draw(&players, &mut events) {
            Ok(()) => Ok(self.texts(&events)),
            Err(refusal) => Err(refusal.name().to_owned()),
        }
    }

    fn tick(&mut self) -> Vec<String> {
        let mut events = Vec::new();
        self.0.tick(&mut events);
        self.texts(&events)
    }

    fn legal_orders(&self, by: i64) -> Vec<String> {
        let mut orders = Vec::new();
        self.0.legal_orders_into(player(by), &mut orders);
        let text = |order: &fourfold_kung_fu::Order| {
            format!("{}->{},{}", self.0.name(order.piece), order.to.row(), order.to.column())
        };
        let mut texts: Vec<String> = orders.iter().map(text).collect();
        texts.sort();
        texts
    }

    fn state(&self) -> String {
        self.0.to_string()
    }
}
