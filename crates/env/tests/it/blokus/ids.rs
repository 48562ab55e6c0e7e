//! Placement ids, their masks, and the grid format.

use std::collections::{BTreeSet, HashSet};

use fourfold_blokus::Placement;
use fourfold_env::blokus::ids::{from_grid, grid_len, max_legal};
use fourfold_env::blokus::{Blokus, Classic, Duo, Rules, View};
use fourfold_env::{
    Action, AnyBatch, Batch, Describe, DescribedBatch, Game, MaskRows, Outputs, Rows, Stage,
};
use fourfold_oracle::blokus as oracle;

use super::reference::Reference;
use super::{FOUR, Look, TWO, batch, for_batches, four, play_out, seen, two};

#[path = "../../../../blokus/tests/reference_generators/mod.rs"]
#[allow(dead_code, reason = "the tests of other crates use the rest")]
mod reference_generators;

/// Compares masks with the oracle on every `every`-th call.
struct Masks {
    view: View,
    every: usize,
    looks: usize,
    compared: usize,
}

impl Look for Masks {
    fn look<const COLORS: usize>(&mut self, batch: &mut Batch<Blokus<COLORS>>) {
        self.looks += 1;
        if !self.looks.is_multiple_of(self.every) {
            return;
        }
        let spec = batch.spec().clone();
        for (game, text) in batch.texts().iter().enumerate() {
            let moves = oracle::moves(text).expect("a position");
            if batch.status(game).stage != Stage::Ongoing {
                assert!(moves.is_empty() && batch.legal(game, 0).is_all(), "{text}");
                continue;
            }
            let reference = Reference::new(text, self.view == View::Own);
            let color = reference.turn(text);
            let expected: BTreeSet<usize> =
                moves.iter().map(|mv| reference.id(color, mv) as usize).collect();
            let legal = batch.legal(game, 0);
            let found: BTreeSet<usize> = legal.iter().collect();
            assert_eq!(found, expected, "{text}");
            assert_eq!(legal.count(), expected.len(), "an id is listed twice in {text}");
            assert!(!legal.contains(spec.actions - 1), "a pass in {text}");
            self.compared += 1;
        }
        check_forms(batch);
    }
}

/// Checks that all mask formats agree.
fn check_forms<const COLORS: usize>(batch: &mut Batch<Blokus<COLORS>>) {
    let (games, spec) = (batch.games(), batch.spec().clone());
    let (bytes, most) = (spec.mask_bytes(), spec.max_legal);
    let mut bits = vec![9; games * bytes];
    let mut bools = vec![true; games * spec.actions];
    let (mut counts, mut indices) = (vec![0; games], vec![0; games * most]);
    let mut show =
        |mask| batch.write_outputs(Outputs { mask, ..Outputs::none() }).expect("buffers fit");
    show(MaskRows::Packed(Rows::new(&mut bits, bytes)));
    show(MaskRows::Bool(Rows::new(&mut bools, spec.actions)));
    let counted = Rows::new(&mut counts, 1);
    show(MaskRows::Sparse { counts: counted, indices: Rows::new(&mut indices, most) });
    for game in 0..games {
        let over = batch.status(game).stage != Stage::Ongoing;
        let bits = &bits[game * bytes..][..bytes];
        let bools = &bools[game * spec.actions..][..spec.actions];
        let set = |id: &usize| bits[id / 8] >> (id % 8) & 1 != 0;
        let legal: BTreeSet<usize> = batch.legal(game, 0).iter().collect();
        assert!((0..8 * bytes).filter(set).eq(legal.iter().copied()));
        assert!((0..spec.actions).filter(|&id| bools[id]).eq(legal.iter().copied()));
        let listed = &indices[game * most..][..counts[game] as usize];
        let listed: BTreeSet<usize> = listed.iter().map(|&id| id as usize).collect();
        assert!(if over { listed.len() == most } else { listed == legal });
    }
}

#[test]
fn masks_match_the_oracle() {
    let mut masks = Masks { view: View::Own, every: 3, looks: 0, compared: 0 };
    for_batches(View::Own, 3, &mut masks);
    assert!(masks.compared > 300, "{}", masks.compared);
}

#[test]
fn absolute_masks_match_the_oracle() {
    let mut masks = Masks { view: View::Absolute, every: 5, looks: 0, compared: 0 };
    for_batches(View::Absolute, 2, &mut masks);
    assert!(masks.compared > 100, "{}", masks.compared);
}

/// Compares with the naive generator in many more positions, converting each placement separately.
struct Naive {
    compared: usize,
}

impl Look for Naive {
    fn look<const COLORS: usize>(&mut self, batch: &mut Batch<Blokus<COLORS>>) {
        let rules = *batch.rules();
        let size = rules.variant().size();
        for (game, state) in batch.states().enumerate() {
            let Some(color) = state.position().turn() else { continue };
            let turn = rules.transform(color);
            let placements = reference_generators::legal_of(
                state.position(),
                color,
                reference_generators::naive,
            );
            let expected: BTreeSet<usize> = placements
                .iter()
                .map(|&placement| turn.placement(size, placement).expect("on the board").id(size))
                .collect();
            let found: BTreeSet<usize> = batch.legal(game, 0).iter().collect();
            assert_eq!(found, expected, "{}", state.position());
            self.compared += 1;
            // `is_legal` agrees with the list.
            if game == 0 {
                let all = (0..Placement::count(size)).filter_map(|id| Placement::from_id(size, id));
                let legal: Vec<Placement> =
                    all.filter(|&placement| state.position().is_legal(placement)).collect();
                assert_eq!(legal, placements, "{}", state.position());
            }
        }
    }
}

#[test]
fn masks_match_the_naive_generator() {
    let mut naive = Naive { compared: 0 };
    for_batches(View::Own, 4, &mut naive);
    assert!(naive.compared > 1000, "{}", naive.compared);
}

#[test]
fn ids_turn_to_the_first_color_and_back() {
    fn check<const COLORS: usize>(rules: Rules<COLORS>) {
        let start = Blokus::<COLORS>::start(&rules).text();
        let reference = Reference::new(&start, true);
        let placements = reference.placements();
        let absolute = seen(rules, View::Absolute);
        let pass = placements.ids.len() as u32;
        assert_eq!(Blokus::spec(&rules).actions, pass as usize + 1);
        for color in 0..COLORS {
            let mut all = HashSet::new();
            for (cells, &id) in &placements.ids {
                let mut turned: Vec<_> =
                    cells.iter().map(|&cell| reference.seen(color, cell)).collect();
                turned.sort();
                let here = Action(placements.ids[&turned]);
                assert_eq!(Blokus::relative(&rules, color, Action(id)), here);
                assert_eq!(Blokus::absolute(&rules, color, here), Action(id));
                assert_eq!(Blokus::absolute(&absolute, color, here), here);
                assert!(all.insert(here));
            }
            assert_eq!(Blokus::absolute(&rules, color, Action(pass)), Action(pass));
        }
    }
    FOUR.into_iter().for_each(|options| check(four(options)));
    TWO.into_iter().for_each(|options| check(two(options)));
    check(four(&[("size", "1")]));
    check(two(&[("size", "22")]));
}

#[test]
fn grid_format_round_trips() {
    for size in [1, 2, 5, 14, 20, 22] {
        let start = format!("two-{size} p {} -", vec![size.to_string(); size].join("/"));
        let placements = Reference::new(&start, true).placements();
        let mut places = HashSet::new();
        for (id, &(number, row, column)) in placements.boxes.iter().enumerate() {
            let place = ((number * size + row) * size + column) as u32;
            assert_eq!(from_grid(size, place), Some(id as u32));
            places.insert(place);
        }
        let all = grid_len(size) as u32;
        assert_eq!(all as usize, 91 * size * size);
        let outside = (0..all + 100).filter(|place| !places.contains(place));
        assert!(outside.map(|place| from_grid(size, place)).all(|id| id.is_none()));
    }
}

#[test]
fn ids_can_be_played_and_formatted() {
    // The first color's first moves cover the start square; the other colors see the same ids.
    let mut batch = batch(four(&[]), 1);
    let mut first: Vec<usize> = batch.legal(0, 0).iter().collect();
    first.sort();
    assert_eq!((first.len(), first[0]), (58, 0));
    for color in 0..4 {
        let mut legal: Vec<usize> = batch.legal(0, 0).iter().collect();
        legal.sort();
        assert_eq!(legal, first, "color {color}");
        let corners = ["a20", "t20", "t1", "a1"];
        assert_eq!(batch.write_actions(&[0]).unwrap(), [corners[color]]);
        assert_eq!(batch.read_actions(&[corners[color]]).unwrap(), [0]);
        batch.step(&[0], Outputs::none()).unwrap();
    }
    let pass = batch.spec().actions as i32 - 1;
    assert!(batch.write_actions(&[pass]).is_err());
    let error = batch.step(&[pass], Outputs::none()).unwrap_err().to_string();
    assert!(error.starts_with("action 30433 of game 0 is not legal in classic b b18y/"), "{error}");
}

#[test]
fn both_views_play_the_same_games() {
    struct Follow(usize);
    impl Look for Follow {
        fn look<const COLORS: usize>(&mut self, own: &mut Batch<Blokus<COLORS>>) {
            let mut other = batch(seen(*own.rules(), View::Absolute), own.games());
            let texts = own.texts();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            other.reset_to(None, &texts).unwrap();
            let mut actions = vec![0; own.games()];
            own.sample(Some(self.0 as u64), &mut actions).unwrap();
            if (0..own.games()).any(|game| own.status(game).stage != Stage::Ongoing) {
                return;
            }
            let mut turned = actions.clone();
            own.absolute(&mut turned);
            let moves = own.write_actions(&actions).unwrap();
            assert_eq!(other.write_actions(&turned).unwrap(), moves);
            let mut back = turned.clone();
            own.relative(&mut back);
            assert_eq!(back, actions);
            other.step(&turned, Outputs::none()).unwrap();
            for (game, after) in other.texts().iter().enumerate() {
                assert_eq!(*after, oracle::play(texts[game], &moves[game]).unwrap());
            }
            self.0 += 1;
        }
    }
    let mut follow = Follow(0);
    play_out(batch(four(&[("players", "3")]), 2), 1, &mut follow);
    play_out(batch(four(&[("players", "2")]), 2), 2, &mut follow);
    play_out(batch(two(&[]), 2), 3, &mut follow);
    assert!(follow.0 > 80, "{}", follow.0);
}

#[test]
fn legal_actions_do_not_exceed_max_legal() {
    for (rules, size) in [(Classic::spec(&Rules::CLASSIC), 20), (Duo::spec(&Rules::DUO), 14)] {
        assert_eq!((rules.max_legal, max_legal(size)), (3510, 3510));
    }
    assert_eq!(Classic::spec(&four(&[("size", "1")])).max_legal, 1);
}
