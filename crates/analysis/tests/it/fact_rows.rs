//! Facts as rows of name and text, in the format of the page.

use fourfold_oracle::analysis::{Facts, SideFacts};
use fourfold_oracle::harness::or_none;

/// Returns all facts with their names on the page.
pub(crate) fn rows(facts: &Facts) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for (color, side) in [("white", &facts.white), ("black", &facts.black)] {
        for (fact, list) in lists(side) {
            rows.push((format!("{color} {fact}"), or_none(list)));
        }
        rows.push((format!("{color} see"), pairs(&side.see)));
        rows.push((format!("{color} mobility"), pairs(&side.mobility)));
        rows.push((format!("{color} material"), side.material.to_string()));
        rows.push((format!("{color} king_ring"), side.king_ring.to_string()));
        let sliders: Vec<String> = side.x_rays.iter().map(|(at, _)| at.clone()).collect();
        rows.push((format!("{color} x_rays"), or_none(&sliders)));
        for (at, x_rays) in &side.x_rays {
            rows.push((format!("{color} x_rays own {at}"), or_none(&x_rays.own)));
            rows.push((format!("{color} x_rays enemy {at}"), or_none(&x_rays.enemy)));
            rows.push((format!("{color} x_rays any {at}"), or_none(&x_rays.any)));
        }
    }
    for (at, contact) in &facts.attack_map {
        rows.push((format!("attackers {at}"), or_none(&contact.attackers)));
        rows.push((format!("defenders {at}"), or_none(&contact.defenders)));
    }
    rows
}

/// Returns the facts about a color that are lists of squares, and the forks.
pub(crate) fn lists(side: &SideFacts) -> [(&'static str, &[String]); 16] {
    [
        ("pieces", &side.pieces),
        ("attacked", &side.attacked),
        ("hanging", &side.hanging),
        ("pinned", &side.pinned),
        ("pinned_pawns", &side.pinned_pawns),
        ("skewered", &side.skewered),
        ("developed", &side.developed),
        ("pawns.all", &side.pawns.all),
        ("pawns.doubled", &side.pawns.doubled),
        ("pawns.isolated", &side.pawns.isolated),
        ("pawns.backward", &side.pawns.backward),
        ("pawns.backward_blocked", &side.pawns.backward_blocked),
        ("pawns.passed", &side.pawns.passed),
        ("outposts", &side.outposts),
        ("en_prise", &side.en_prise),
        ("forks", &side.forks),
    ]
}

fn pairs(rows: &[(String, impl ToString)]) -> String {
    let pair = |(name, value): &(String, _)| format!("{name}={}", ToString::to_string(value));
    or_none(&rows.iter().map(pair).collect::<Vec<_>>())
}
