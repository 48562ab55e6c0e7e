//! The engine, behind the same interface as the oracle.

use fourfold_analysis::{Analysis, Blockers, attack_map, mobility, x_rays};
use fourfold_chess::{BOARD, Bitboard, Color, Move, Position};
use fourfold_oracle::analysis::{Contact, Facts, PawnFacts, SideFacts, XRays};
use fourfold_oracle::chess::Variant;

use super::compare::Implementation;

pub(crate) struct Engine;

impl Implementation for Engine {
    fn analyze(fen: &str, variant: Variant) -> Result<Facts, String> {
        let position = match variant {
            Variant::Standard => Position::from_fen(fen),
            Variant::Chess960 => Position::from_fen_in(fen, fourfold_chess::Variant::Chess960),
        };
        let position = position.map_err(|error| error.to_string())?;
        let analysis = Analysis::of(&position);
        let contact = |(square, _, attackers, defenders)| {
            let contact = Contact { attackers: names(attackers), defenders: names(defenders) };
            (BOARD.name(square), contact)
        };
        Ok(Facts {
            white: side(&position, &analysis, Color::White),
            black: side(&position, &analysis, Color::Black),
            attack_map: attack_map(&position).map(contact).collect(),
        })
    }
}

fn names(set: Bitboard) -> Vec<String> {
    set.iter().map(|square| BOARD.name(square)).collect()
}

fn side(position: &Position, analysis: &Analysis, color: Color) -> SideFacts {
    let facts = analysis.side(color);
    let uci = |mv: &Move| mv.uci(position.variant());
    let mut forks: Vec<String> = facts.forks.iter().map(uci).collect();
    forks.sort();
    let mut see: Vec<(String, i32)> =
        facts.captures.iter().map(|(mv, value)| (uci(mv), *value)).collect();
    see.sort();
    let single: Vec<(String, usize)> = mobility(position)
        .filter(|(_, piece, _)| piece.color == color)
        .map(|(square, _, squares)| (BOARD.name(square), squares))
        .collect();
    let sum: usize = single.iter().map(|(_, squares)| squares).sum();
    assert_eq!(facts.mobility as usize, sum, "the sum of all pieces' mobility");
    let pawns = facts.pawns;
    SideFacts {
        pieces: names(facts.pieces),
        attacked: names(facts.attacked),
        hanging: names(facts.hanging),
        pinned: names(facts.pinned),
        pinned_pawns: names(facts.pinned_pawns),
        skewered: names(facts.skewered),
        developed: names(facts.developed),
        pawns: PawnFacts {
            all: names(pawns.all),
            doubled: names(pawns.doubled),
            isolated: names(pawns.isolated),
            backward: names(pawns.backward),
            backward_blocked: names(pawns.backward_blocked),
            passed: names(pawns.passed),
        },
        outposts: names(facts.outposts),
        en_prise: names(facts.en_prise),
        forks,
        see,
        mobility: single,
        material: facts.material as i32,
        king_ring: facts.king_ring as usize,
        x_rays: rays(position, color),
    }
}

fn rays(position: &Position, color: Color) -> Vec<(String, XRays)> {
    let gained = |blockers| {
        let own = x_rays(position, blockers).filter(move |ray| ray.piece.color == color);
        own.map(|ray| (BOARD.name(ray.square), names(ray.gained)))
    };
    let all = gained(Blockers::Own).zip(gained(Blockers::Enemy)).zip(gained(Blockers::Any));
    all.map(|(((square, own), (_, enemy)), (_, any))| (square, XRays { own, enemy, any })).collect()
}
