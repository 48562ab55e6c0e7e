//! Writes games as PGN4.

use std::fmt::{self, Write};

use super::elimination::{EliminatedPlayer, eliminations};
use super::tags::{follows_from_start, of_start};
use super::{Elimination, Game, GameResult, Line, Node, Ply};
use crate::{Ending, MoveKind, Player, Position, Role, Withdrawal};

/// Formats the game as chess.com does: the tags, an empty line, and each round on its own line.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in of_start(self) {
            write_tag(f, name, &value)?;
        }
        let tagged = self.tag("Result").and_then(GameResult::from_text);
        let agrees = self.result == tagged.unwrap_or(GameResult::Open);
        let written = self.result.text(["Red", "Blue", "Yellow", "Green"]);
        // Points cannot be written after the moves, and a `*` there has no meaning, so both go into
        // the tag.
        let retag = match self.result {
            GameResult::Points(_) | GameResult::Open if !agrees => Some(written.clone()),
            _ => None,
        };
        for (name, value) in &self.tags {
            let retagged = name == "Result" && retag.is_some();
            if !follows_from_start(name) && !retagged {
                write_tag(f, name, value)?;
            }
        }
        if let Some(result) = &retag {
            write_tag(f, "Result", result)?;
        }
        f.write_char('\n')?;
        let mut text = Text { out: f, fresh: true };
        let rounds = Rounds { number: 0, last: None };
        write_line(&mut text, &self.line, self.start, rounds, Level::Game)?;
        if !agrees && retag.is_none() {
            text.word(&written)?;
        } else if self.line == Line::default() {
            // Otherwise, the tags of the next game would be read as part of this one.
            text.word("*")?;
        }
        f.write_char('\n')
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{value}\"]")
}

/// Whether a line is the main line, where each round starts a new line of text, or a variation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Game,
    Variation,
}

/// The current round, and the last player who has a place in it.
#[derive(Clone, Copy)]
struct Rounds {
    number: u32,
    last: Option<Player>,
}

impl Rounds {
    /// Starts a player's place, in this round or in the next.
    fn place(&mut self, text: &mut Text<'_, '_>, player: Player, level: Level) -> fmt::Result {
        let goes_on = self.last.is_some_and(|last| last < player);
        self.last = Some(player);
        if goes_on {
            return text.word("..");
        }
        self.number += 1;
        if level == Level::Game {
            text.end_line()?;
        }
        text.word(&format!("{}.", self.number))
    }
}

fn write_line(
    text: &mut Text<'_, '_>,
    line: &Line,
    start: Position,
    mut rounds: Rounds,
    level: Level,
) -> fmt::Result {
    let mut position = start;
    // A king move that is written in one word with the withdrawal that follows.
    let mut walked = None;
    write_comments(text, &line.comments)?;
    for (index, Node { ply, nags, comments, variations }) in line.plies.iter().enumerate() {
        let mut after = position;
        play(&mut after, *ply);
        let falls = eliminations(&position, *ply, &after);
        let before = rounds;
        match (*ply, walked.take()) {
            (Ply::Withdraw(_, how), Some(walk)) => text.word(&format!("{walk}{}", letter(how)))?,
            (Ply::Withdraw(player, how), None) if player == position.turn() => {
                rounds.place(text, player, level)?;
                text.word(letter(how))?;
            }
            (Ply::Withdraw(player, how), None) => {
                let colour = player.letter().to_ascii_lowercase();
                text.word("..")?;
                text.word(&format!("{colour}{}", letter(how)))?;
            }
            (Ply::Draw, _) => {
                text.word("..")?;
                text.word("D")?;
            }
            (Ply::Move(mv), _) => {
                rounds.place(text, position.turn(), level)?;
                let notation = position.notation(mv);
                let next = line.plies.get(index + 1).map(|node| node.ply);
                if goes_with(&position, &line.plies[index], next, &falls) {
                    walked = Some(notation);
                } else {
                    text.word(&notation)?;
                }
            }
        }
        for nag in nags {
            text.word(&format!("${nag}"))?;
        }
        write_comments(text, comments)?;
        for variation in variations {
            text.word("(")?;
            write_line(text, variation, position, before, Level::Variation)?;
            text.word(")")?;
        }
        for fall in falls.iter().filter(|fall| fall.on_turn) {
            rounds.place(text, fall.player, level)?;
            text.word(if fall.elimination == Elimination::Stalemated { "S" } else { "#" })?;
        }
        if after.ending() == Some(Ending::Stalemate) && position.ending().is_none() {
            rounds.place(text, after.turn(), level)?;
            text.word("S")?;
        }
        position = after;
    }
    Ok(())
}

/// Returns whether a king move is written in one word with its player's withdrawal, which comes
/// next.
fn goes_with(
    position: &Position,
    node: &Node,
    next: Option<Ply>,
    falls: &[EliminatedPlayer],
) -> bool {
    let Ply::Move(mv) = node.ply else { return false };
    let bare = node.nags.is_empty() && node.comments.is_empty() && node.variations.is_empty();
    let king = position.piece_at(mv.from()).is_some_and(|man| man.role == Role::King);
    let player = position.turn();
    let leaves = matches!(next, Some(Ply::Withdraw(leaver, _)) if leaver == player);
    let signs = position.notation(mv).ends_with(['+', '#']);
    bare && king && mv.kind() != MoveKind::Castling && leaves && !signs && falls.is_empty()
}

/// Repetition is not tracked: it affects only the points, which are not written here.
fn play(position: &mut Position, ply: Ply) {
    // Illegal plies are written, too, although they cannot be read back.
    match ply {
        Ply::Move(mv) => drop(position.play(mv)),
        Ply::Withdraw(player, how) => drop(position.withdraw(player, how)),
        Ply::Draw => position.agree_on_draw(),
    }
}

const fn letter(how: Withdrawal) -> &'static str {
    match how {
        Withdrawal::Resign => "R",
        Withdrawal::Flag => "T",
    }
}

fn write_comments(text: &mut Text<'_, '_>, comments: &[String]) -> fmt::Result {
    for comment in comments {
        if comment.contains('}') {
            // Only a comment that extends to the end of the line can contain a brace.
            for line in comment.lines() {
                text.word(&format!("; {line}"))?;
                text.end_line()?;
            }
        } else {
            let words = comment.split_whitespace().collect::<Vec<_>>().join(" ");
            text.word(&format!("{{ {words} }}"))?;
        }
    }
    Ok(())
}

/// Writes words separated by single spaces.
struct Text<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    /// Whether the line is still empty.
    fresh: bool,
}

impl Text<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        if !std::mem::take(&mut self.fresh) {
            self.out.write_char(' ')?;
        }
        self.out.write_str(word)
    }

    fn end_line(&mut self) -> fmt::Result {
        if !std::mem::replace(&mut self.fresh, true) {
            self.out.write_char('\n')?;
        }
        Ok(())
    }
}
