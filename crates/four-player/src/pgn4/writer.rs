//! Writes games as PGN4.

use std::fmt;

use fourfold_movetext::{Format, Writer};

use super::elimination::{EliminatedPlayer, eliminations};
use super::tags::start_tags;
use super::{Elimination, Game, GameResult, Line, Node, Pgn4, Ply};
use crate::{Ending, MoveKind, Player, Position, Role, WithdrawalReason};

/// Formats the game as chess.com does: the tags, an empty line, and each round on its own line.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Lines are not wrapped: each one is a round.
        let mut text = Writer::new(f, usize::MAX);
        for (name, value) in start_tags(self) {
            text.tag(name, &value)?;
        }
        let tagged = self.tag("Result").and_then(GameResult::from_text);
        let agrees = self.result == tagged.unwrap_or(GameResult::Open);
        let written = self.result.text(["Red", "Blue", "Yellow", "Green"]);
        // Points cannot be written after the moves, and a `*` there has no meaning, so both go into
        // the tag.
        let result_tag = match self.result {
            GameResult::Points(_) | GameResult::Open if !agrees => Some(written.clone()),
            _ => None,
        };
        for (name, value) in &self.tags {
            let retagged = name == "Result" && result_tag.is_some();
            if !Pgn4::START_TAGS.contains(&name.as_str()) && !retagged {
                text.tag(name, value)?;
            }
        }
        if let Some(result) = &result_tag {
            text.tag("Result", result)?;
        }
        text.newline()?;
        let rounds = Rounds { number: 0, last: None, in_variation: false };
        write_line(&mut text, &self.line, self.start, rounds)?;
        if !agrees && result_tag.is_none() {
            text.word(&written)?;
        } else if self.line == Line::default() {
            // Otherwise, the tags of the next game would be read as part of this one.
            text.word("*")?;
        }
        text.newline()
    }
}

/// The current round, and the last player who has a place in it.
#[derive(Clone, Copy)]
struct Rounds {
    number: u32,
    last: Option<Player>,
    /// In the main line, each round starts a new line of text.
    in_variation: bool,
}

impl Rounds {
    /// Starts a player's place, in this round or in the next.
    fn start_slot(&mut self, text: &mut Writer<'_, '_>, player: Player) -> fmt::Result {
        let same_round = self.last.is_some_and(|last| last < player);
        self.last = Some(player);
        if same_round {
            return text.word("..");
        }
        self.number += 1;
        if !self.in_variation {
            text.end_line()?;
        }
        text.word(&format!("{}.", self.number))
    }
}

fn write_line(
    text: &mut Writer<'_, '_>,
    line: &Line,
    mut position: Position,
    mut rounds: Rounds,
) -> fmt::Result {
    // A king move that is written in one word with the withdrawal that follows.
    let mut king_move = None;
    text.comments(&line.comments)?;
    for (index, node) in line.moves.iter().enumerate() {
        let mut after = position;
        play(&mut after, node.mv);
        let eliminated = eliminations(&position, node.mv, &after);
        let in_variation = Rounds { in_variation: true, ..rounds };
        match (node.mv, king_move.take()) {
            (Ply::Withdraw(_, how), Some(king_move)) => {
                text.word(&format!("{king_move}{}", letter(how)))?;
            }
            (Ply::Withdraw(player, how), None) if player == position.turn() => {
                rounds.start_slot(text, player)?;
                text.word(letter(how))?;
            }
            (Ply::Withdraw(player, how), None) => {
                let color = player.letter().to_ascii_lowercase();
                text.word("..")?;
                text.word(&format!("{color}{}", letter(how)))?;
            }
            (Ply::Draw, _) => {
                text.word("..")?;
                text.word("D")?;
            }
            (Ply::Move(mv), _) => {
                rounds.start_slot(text, position.turn())?;
                let notation = position.notation(mv);
                let next = line.moves.get(index + 1).map(|node| node.mv);
                if joins_withdrawal(&position, node, next, &eliminated) {
                    king_move = Some(notation);
                } else {
                    text.word(&notation)?;
                }
            }
        }
        text.annotations(node, |text, variation| {
            write_line(text, variation, position, in_variation)
        })?;
        for eliminated in eliminated.iter().filter(|eliminated| eliminated.on_turn) {
            rounds.start_slot(text, eliminated.player)?;
            text.word(if eliminated.elimination == Elimination::Stalemated { "S" } else { "#" })?;
        }
        if after.ending() == Some(Ending::Stalemate) && position.ending().is_none() {
            rounds.start_slot(text, after.turn())?;
            text.word("S")?;
        }
        position = after;
    }
    Ok(())
}

/// Returns whether a king move is written in one word with its player's withdrawal, which comes
/// next.
fn joins_withdrawal(
    position: &Position,
    node: &Node,
    next: Option<Ply>,
    eliminated: &[EliminatedPlayer],
) -> bool {
    let Ply::Move(mv) = node.mv else { return false };
    let bare = node.nags.is_empty() && node.comments.is_empty() && node.variations.is_empty();
    let king = position.piece_at(mv.from()).is_some_and(|piece| piece.role == Role::King);
    let player = position.turn();
    let withdraws = matches!(next, Some(Ply::Withdraw(other, _)) if other == player);
    let signs = position.notation(mv).ends_with(['+', '#']);
    bare && king && mv.kind() != MoveKind::Castling && withdraws && !signs && eliminated.is_empty()
}

/// Repetition is not tracked: it affects only the points, which are not written here.
fn play(position: &mut Position, ply: Ply) {
    // Illegal plies are written too, although they cannot be read back.
    match ply {
        Ply::Move(mv) => drop(position.play(mv)),
        Ply::Withdraw(player, how) => drop(position.withdraw(player, how)),
        Ply::Draw => position.agree_on_draw(),
    }
}

const fn letter(how: WithdrawalReason) -> &'static str {
    match how {
        WithdrawalReason::Resign => "R",
        WithdrawalReason::Flag => "T",
    }
}
