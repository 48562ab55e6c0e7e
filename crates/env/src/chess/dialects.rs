//! Action ids of other packages.

use fourfold_chess::{Move, Position, Role};

use super::labels::{self, CASTLING_LONG, CASTLING_SHORT, PLANE, PLANES};

/// The move encoding of another package.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// OpenSpiel: castling has its own ids, 4672 (queenside) and 4673 (kingside).
    OpenSpiel,
    /// PettingZoo's `chess_v6`: a different order of planes.
    PettingZoo,
    /// Leela's 1858 moves: castling is the king capturing its rook, and promotion to a knight is
    /// the default.
    Leela,
}

impl Dialect {
    /// Returns the dialect with this name: `open_spiel`, `pettingzoo` or `leela`.
    pub fn from_name(name: &str) -> Option<Dialect> {
        match name {
            "open_spiel" => Some(Dialect::OpenSpiel),
            "pettingzoo" => Some(Dialect::PettingZoo),
            "leela" => Some(Dialect::Leela),
            _ => None,
        }
    }

    /// Returns this dialect's id of the move that a label denotes in a position.
    pub fn encode(self, position: &Position, label: u16) -> Option<u16> {
        let mv = labels::decode(position, label)?;
        match self {
            Dialect::OpenSpiel => Some(match label {
                CASTLING_LONG if labels::is_castling(position, label) => 4672,
                CASTLING_SHORT if labels::is_castling(position, label) => 4673,
                label => label,
            }),
            Dialect::PettingZoo => Some(petting_zoo(label)),
            Dialect::Leela => leela(position, mv),
        }
    }

    /// Returns the label that this dialect's id denotes in a position, or `None` if it is not a
    /// legal move there.
    pub fn decode(self, position: &Position, id: u16) -> Option<u16> {
        let legal = position.legal_moves();
        let labels = legal.iter().map(|&mv| labels::encode(position.turn(), mv));
        labels.into_iter().find(|&label| self.encode(position, label) == Some(id))
    }
}

/// Converts a label to PettingZoo's planes: 56 queen moves by distance and direction, 8 knight
/// moves, 9 underpromotions.
fn petting_zoo(label: u16) -> u16 {
    let (from, plane) = (label as usize / PLANES, label as usize % PLANES);
    let labels::Plane { files, ranks, underpromotion } = PLANE[plane];
    let other = match underpromotion {
        Some(role) => {
            let piece = match role {
                Role::Knight => 0,
                Role::Bishop => 1,
                Role::Rook | Role::Pawn | Role::Queen | Role::King => 2,
            };
            64 + 3 * (files + 1) + piece
        }
        None if plane >= 65 => {
            // Ordered by files, then ranks, from −2 to 2.
            let before = |&&(f, r): &&(i32, i32)| (f, r) < (files, ranks);
            56 + fourfold_board::KNIGHT_LEAPS.iter().filter(before).count() as i32
        }
        None => {
            let distance = files.abs().max(ranks.abs());
            let place = 3 * (files.signum() + 1) + ranks.signum() + 1;
            // The center of the 3×3 grid is not a direction.
            (distance - 1) * 8 + if place > 4 { place - 1 } else { place }
        }
    };
    (from * PLANES) as u16 + other as u16
}

/// Returns Leela's id: all queen and knight moves by origin and target from a1 to h8, then
/// promotions to queen, rook and bishop by origin and target file.
fn leela(position: &Position, mv: Move) -> Option<u16> {
    let flip = labels::view(position.turn());
    // Castling is the king capturing its rook.
    let (from, to) = (mv.from().index() ^ flip, mv.to().index() ^ flip);
    if let Some(piece) = [Role::Queen, Role::Rook, Role::Bishop]
        .iter()
        .position(|&role| mv.promotion() == Some(role))
    {
        let files = |from: usize| {
            let neighbors = [from.wrapping_sub(1), from, from + 1];
            neighbors.into_iter().filter(|&to| to < 8)
        };
        let directions = (0..8).flat_map(|from| files(from).map(move |to| (from, to)));
        let direction =
            directions.into_iter().position(|direction| direction == (from % 8, to % 8))?;
        return Some((1792 + 3 * direction + piece) as u16);
    }
    let exists = |from: usize, to: usize| labels::plain(from, to) != u16::MAX;
    if !exists(from, to) {
        return None;
    }
    let before = (0..64)
        .flat_map(|origin| (0..64).map(move |target| (origin, target)))
        .take_while(|&pair| pair != (from, to))
        .filter(|&(origin, target)| exists(origin, target))
        .count();
    Some(before as u16)
}
