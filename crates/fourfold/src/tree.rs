//! Game trees for perft.

use anyhow::anyhow;
use fourfold_blokus as blokus;
use fourfold_chess::{self as chess, FenField, Variant};
use fourfold_four_player::{self as four_player, Opening, Rules};

/// The position of any game, as the root of a tree.
pub(crate) enum Tree {
    Chess(chess::Position),
    FourPlayer(Box<four_player::Position>),
    Blokus(Box<blokus::Position>),
}

impl Tree {
    /// Returns the positions after each legal move, sorted by the notation of the move.
    pub(crate) fn children(&self) -> Vec<(String, Tree)> {
        let mut children: Vec<(String, Tree)> = match self {
            Tree::Chess(position) => {
                let moves = position.legal_moves();
                let child = |&mv: &chess::Move| {
                    (mv.uci(position.variant()), Tree::Chess(position.after(mv)))
                };
                moves.iter().map(child).collect()
            }
            Tree::FourPlayer(position) => {
                let moves = position.legal_moves();
                let child = |&mv: &four_player::Move| {
                    (mv.to_string(), Tree::FourPlayer(Box::new(position.after(mv))))
                };
                moves.iter().map(child).collect()
            }
            Tree::Blokus(position) => {
                let size = position.variant().size();
                let child = |placement: blokus::Placement| {
                    (placement.to_text(size), Tree::Blokus(Box::new(position.after(placement))))
                };
                position.legal_moves().into_iter().map(child).collect()
            }
        };
        children.sort_by(|(one, _), (other, _)| one.cmp(other));
        children
    }

    /// Returns the number of move sequences of exactly this length.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        match self {
            Tree::Chess(position) => chess::perft(position, depth),
            Tree::FourPlayer(position) => four_player::perft(position, depth),
            Tree::Blokus(position) => blokus::perft(position, depth),
        }
    }

    /// Makes a chess position.
    pub(crate) fn chess(fen: Option<&str>, chess960: bool) -> anyhow::Result<Tree> {
        let variant = if chess960 { Variant::Chess960 } else { Variant::Standard };
        Ok(Tree::Chess(match fen {
            Some(fen) => chess::Position::from_fen_in(fen, variant)?,
            None => chess::Setup { variant, ..chess::Setup::start() }.validate()?,
        }))
    }

    /// Makes a chess position of standard chess or, if its castling rights require it, of Chess960.
    pub(crate) fn chess_of_either_kind(fen: &str) -> anyhow::Result<Tree> {
        let position = chess::Position::from_fen(fen).or_else(|error| match error.field {
            FenField::Castling => {
                // File letters are used only in Chess960, so report its error.
                let rights = fen.split(' ').nth(2).unwrap_or_default();
                let by_file = rights.chars().any(|letter| !"KQkq".contains(letter));
                chess::Position::from_fen_in(fen, Variant::Chess960)
                    .map_err(|other| if by_file { other } else { error })
            }
            _ => Err(error),
        })?;
        Ok(Tree::Chess(position))
    }

    /// Makes a position of four-player chess. The draw rules are switched off, so that they do not
    /// cut the tree.
    pub(crate) fn four_player(
        fen4: Option<&str>,
        setup: &str,
        words: &str,
    ) -> anyhow::Result<Tree> {
        let rules =
            Rules { repetitions: 0, quiet_plies: 0, bare_kings: false, ..Rules::parse(words)? };
        let position = match fen4 {
            Some(fen4) => four_player::Position::from_fen4(fen4, rules)?,
            None => {
                let opening = Opening::from_name(setup);
                let opening = opening.ok_or_else(|| anyhow!("unknown setup '{setup}'"))?;
                four_player::Position::start(opening, rules)
            }
        };
        Ok(Tree::FourPlayer(Box::new(position)))
    }

    /// Makes a Blokus position from the name of a variant or from a position.
    pub(crate) fn blokus(text: &str) -> anyhow::Result<Tree> {
        let position = match blokus::Variant::from_name(text) {
            Some(variant) => blokus::Position::start(variant),
            None => blokus::Position::parse(text)?,
        };
        Ok(Tree::Blokus(Box::new(position)))
    }
}
