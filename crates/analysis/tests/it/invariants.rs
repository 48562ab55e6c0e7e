//! Invariants that hold for the facts of every position.

use std::collections::{BTreeMap, BTreeSet};

use fourfold_oracle::analysis::{Contact, Facts, SideFacts};
use fourfold_oracle::chess::{self, Variant};

use super::compare::{Implementation, Oracle};
use super::engine::Engine;
use super::fact_rows::lists;
use super::positions::for_positions;
use super::symmetry::by_rank;

#[test]
fn oracle_keeps_the_invariants() {
    keeps_the_invariants::<Oracle>(400);
}

#[test]
fn engine_keeps_the_invariants() {
    keeps_the_invariants::<Engine>(400);
}

#[test]
fn oracle_finds_the_forks_that_playing_shows() {
    finds_the_forks_that_playing_shows::<Oracle>(60);
}

/// Checks every invariant on positions of every kind, and that each kind of fact occurs.
fn keeps_the_invariants<T: Implementation>(count: usize) {
    let mut seen: BTreeMap<&'static str, usize> = BTreeMap::new();
    for_positions(count, 21, |fen, variant| {
        let facts = T::analyze(fen, variant).expect("a good position");
        let at = format!("{variant:?} {fen}");
        let view = View::of(fen, variant, &facts);
        for (invariant, holds) in view.invariants() {
            assert!(holds, "{invariant}: {at}");
        }
        if let Some(passed) = &view.passed
            && fen.split(' ').nth(3) == Some("-")
        {
            let there = T::analyze(passed, variant).expect("a position after a null move");
            assert_eq!(facts, there, "a null move changes no fact: {at}");
        }
        for side in [&facts.white, &facts.black] {
            for (fact, squares) in lists(side) {
                *seen.entry(fact).or_default() += usize::from(!squares.is_empty());
            }
        }
    });
    for (fact, times) in seen {
        assert!(times >= 10, "{fact} came up in {times} of {count} positions");
    }
}

/// Recomputes the forks from the facts of the positions after each move.
fn finds_the_forks_that_playing_shows<T: Implementation>(count: usize) {
    let mut forks = 0;
    for_positions(count, 22, |fen, variant| {
        let facts = T::analyze(fen, variant).expect("a good position");
        let view = View::of(fen, variant, &facts);
        let mut shown = Vec::new();
        for uci in &view.moves[view.turn] {
            let played = chess::play(fen, uci, variant).expect("a legal move");
            let after = T::analyze(&played, variant).expect("a position from play");
            let after = View::of(&played, variant, &after);
            if after.forked_by(&view.landing(uci)) >= 2 {
                shown.push(uci.clone());
            }
        }
        assert_eq!(view.sides[view.turn].forks, shown, "{variant:?} {fen}");
        forks += shown.len();
    });
    assert!(forks > count / 2, "only {forks} forks in {count} positions");
}

/// The facts about a position, together with what the rules of chess say about it.
struct View<'a> {
    pieces: BTreeMap<String, char>,
    /// The facts about White and Black.
    sides: [&'a SideFacts; 2],
    map: BTreeMap<&'a str, &'a Contact>,
    /// 0 if White is to move, else 1.
    turn: usize,
    /// The FEN after a null move, unless the side to move is in check.
    passed: Option<String>,
    /// The legal moves of White and Black, as if each were to move.
    moves: [Vec<String>; 2],
}

impl<'a> View<'a> {
    fn of(fen: &str, variant: Variant, facts: &'a Facts) -> View<'a> {
        let fields: Vec<&str> = fen.split(' ').collect();
        let turn = usize::from(fields[1] == "b");
        let check = chess::facts(fen, &[], variant).expect("a good FEN").contains(&"check".into());
        let other = if turn == 0 { "b" } else { "w" };
        let passed = format!("{} {other} {} - {} {}", fields[0], fields[2], fields[4], fields[5]);
        let passed = (!check).then_some(passed);
        let here = chess::moves(fen, variant).expect("a good FEN");
        let there = match &passed {
            Some(passed) => chess::moves(passed, variant).expect("nobody is in check"),
            None => Vec::new(),
        };
        View {
            pieces: pieces_of(fields[0]),
            sides: [&facts.white, &facts.black],
            map: facts.attack_map.iter().map(|(at, contact)| (at.as_str(), contact)).collect(),
            turn,
            passed,
            moves: if turn == 0 { [here, there] } else { [there, here] },
        }
    }

    fn invariants(&self) -> Vec<(&'static str, bool)> {
        let both =
            |invariant: fn(&View<'a>, usize) -> bool| invariant(self, 0) && invariant(self, 1);
        vec![
            ("lists are sorted, without repetition", both(View::lists_are_sorted)),
            ("lists contain only the side's pieces", both(View::lists_hold_own_pieces)),
            ("some facts are parts of others", both(View::parts_are_parts)),
            ("the attack map covers all pieces", self.map_is_of_all_pieces()),
            ("attacked and hanging are counts of the map", both(View::counts_follow_the_map)),
            ("a pinned piece stays on its line", both(View::pinned_pieces_stay_on_their_line)),
            (
                "unpinned pieces can move wherever they attack",
                both(View::free_pieces_move_where_they_attack),
            ),
            ("pins are x-rays of kings", both(View::pins_are_x_rays_of_kings)),
            ("x-rays of any are those of both", both(View::x_rays_add_up)),
            ("captures have bounds", both(View::captures_have_bounds)),
            ("captures that win show what is en prise", both(View::what_wins_is_en_prise)),
            ("forks are legal moves", both(View::forks_are_legal)),
            ("attacks near a king are in its ring", both(View::attacks_show_in_the_ring)),
            ("material is the sum of values", both(View::material_is_the_sum)),
        ]
    }

    fn lists_are_sorted(&self, side: usize) -> bool {
        let lists = lists(self.sides[side]);
        let sorted = |squares: &[String]| squares.is_sorted_by(|a, b| by_rank(a) < by_rank(b));
        let moves = self.sides[side].see.iter().map(|(uci, _)| uci);
        lists.iter().filter(|(fact, _)| *fact != "forks").all(|(_, squares)| sorted(squares))
            && self.sides[side].forks.is_sorted_by(|a, b| a < b)
            && moves.is_sorted_by(|a, b| a < b)
    }

    fn lists_hold_own_pieces(&self, side: usize) -> bool {
        let own =
            |square: &String| self.pieces.get(square).is_some_and(|piece| color(*piece) == side);
        lists(self.sides[side])
            .iter()
            .all(|(_, squares)| squares.iter().all(|at| own(&at[..2].to_string())))
            && self.sides[side].pieces.len()
                == self.pieces.values().filter(|piece| color(**piece) == side).count()
            && self.sides[side].mobility.iter().map(|(at, _)| at).eq(&self.sides[side].pieces)
    }

    fn parts_are_parts(&self, side: usize) -> bool {
        let facts = self.sides[side];
        let pawns = &facts.pawns;
        let part = |part: &[String], whole: &[String]| part.iter().all(|at| whole.contains(at));
        let apart = |a: &[String], b: &[String]| a.iter().all(|at| !b.contains(at));
        part(&facts.hanging, &facts.attacked)
            && part(&facts.outposts, &facts.developed)
            && part(&facts.skewered, &facts.attacked)
            && part(&facts.en_prise, &self.attacked_or_passing(side))
            && part(&facts.pinned_pawns, &pawns.all)
            && apart(&facts.pinned, &pawns.all)
            && apart(&facts.skewered, &pawns.all)
            && part(&pawns.doubled, &pawns.all)
            && part(&pawns.isolated, &pawns.all)
            && part(&pawns.passed, &pawns.all)
            && part(&pawns.backward, &pawns.all)
            && part(&pawns.backward_blocked, &pawns.backward)
            && apart(&pawns.backward, &pawns.isolated)
    }

    fn map_is_of_all_pieces(&self) -> bool {
        let of = |side: usize| self.sides[side].pieces.iter().map(String::as_str);
        let all: BTreeSet<&str> = of(0).chain(of(1)).collect();
        self.map.keys().copied().collect::<BTreeSet<_>>() == all
    }

    fn counts_follow_the_map(&self, side: usize) -> bool {
        let facts = self.sides[side];
        facts.pieces.iter().all(|at| {
            let contact = self.map[at.as_str()];
            let (attackers, defenders) = (contact.attackers.len(), contact.defenders.len());
            facts.attacked.contains(at) == (attackers > 0)
                && facts.hanging.contains(at) == (attackers > defenders)
        })
    }

    fn pinned_pieces_stay_on_their_line(&self, side: usize) -> bool {
        let king = self.king(side);
        let facts = self.sides[side];
        let pinned = |from: &str| {
            facts.pinned.iter().chain(&facts.pinned_pawns).any(|square| square == from)
        };
        let mut moves = self.moves[side].iter().filter(|uci| pinned(&uci[..2]));
        moves.all(|uci| on_one_line(&king, &uci[..2], &uci[2..4]))
    }

    /// If nobody is in check, a knight, bishop, rook or queen that is not pinned can move to every
    /// square that its mobility counts.
    fn free_pieces_move_where_they_attack(&self, side: usize) -> bool {
        let facts = self.sides[side];
        self.passed.is_none()
            || facts.mobility.iter().all(|(at, count)| {
                let is_piece = !"PpKk".contains(self.pieces[at]);
                let moves = self.moves[side].iter().filter(|uci| uci.starts_with(at)).count();
                !is_piece || facts.pinned.contains(at) || moves == *count
            })
    }

    fn pins_are_x_rays_of_kings(&self, side: usize) -> bool {
        let king = self.king(side);
        let facts = self.sides[side];
        let sliders = &self.sides[1 - side].x_rays;
        let pinning = sliders.iter().filter(|(_, x_rays)| x_rays.enemy.contains(&king)).count();
        facts.pinned.len() + facts.pinned_pawns.len() == pinning
    }

    fn x_rays_add_up(&self, side: usize) -> bool {
        self.sides[side].x_rays.iter().all(|(_, x_rays)| {
            let mut all = [x_rays.own.clone(), x_rays.enemy.clone()].concat();
            all.sort_by_key(|square| by_rank(square));
            all == x_rays.any
        })
    }

    /// A capture wins at most what it captures, and loses at most the capturing piece. On the first
    /// and last rank, a recapturing pawn may also promote to a queen.
    fn captures_have_bounds(&self, side: usize) -> bool {
        self.sides[side].see.iter().all(|(uci, wins)| {
            let taken = value(self.pieces.get(&uci[2..4]).copied().unwrap_or('p'));
            let promoted = uci.chars().nth(4).map_or(0, |letter| value(letter) - 1);
            let moved = self.pieces[&uci[..2]];
            let most = taken + promoted;
            let crowned = if "18".contains(&uci[3..4]) { value('q') - value('p') } else { 0 };
            // A king captures only undefended pieces, so there is no recapture.
            let is_king = moved.eq_ignore_ascii_case(&'k');
            let least = if is_king { most } else { taken - value(moved) - crowned };
            (least..=most).contains(wins)
        })
    }

    fn what_wins_is_en_prise(&self, side: usize) -> bool {
        let captures = self.sides[1 - side].see.iter().filter(|(_, wins)| *wins > 0);
        let victims: BTreeSet<String> = captures.map(|(uci, _)| self.victim(uci)).collect();
        victims == self.sides[side].en_prise.iter().cloned().collect()
            && self.moves[1 - side].iter().filter(|uci| self.is_capture(uci)).eq(self.sides
                [1 - side]
                .see
                .iter()
                .map(|(uci, _)| uci))
    }

    fn forks_are_legal(&self, side: usize) -> bool {
        self.sides[side].forks.iter().all(|uci| self.moves[side].contains(uci))
    }

    fn attacks_show_in_the_ring(&self, side: usize) -> bool {
        let facts = self.sides[side];
        let king = self.king(side);
        let attacks = |at: &String| self.map[at.as_str()].attackers.len();
        let on_ring = facts.pieces.iter().filter(|at| is_near(at, &king));
        let in_check = side == self.turn && self.passed.is_none();
        (attacks(&king) > 0) == in_check && facts.king_ring >= on_ring.map(attacks).sum()
    }

    fn material_is_the_sum(&self, side: usize) -> bool {
        let own = self.pieces.values().filter(|piece| color(**piece) == side);
        self.sides[side].material == own.map(|piece| value(*piece)).sum::<i32>()
    }

    fn king(&self, side: usize) -> String {
        let letter = ['K', 'k'][side];
        let mut pieces = self.pieces.iter();
        pieces.find(|(_, piece)| **piece == letter).expect("a king").0.clone()
    }

    fn is_capture(&self, uci: &str) -> bool {
        let mover = self.pieces[&uci[..2]];
        match self.pieces.get(&uci[2..4]) {
            Some(piece) => color(*piece) != color(mover),
            None => mover.eq_ignore_ascii_case(&'p') && uci[..1] != uci[2..3],
        }
    }

    fn victim(&self, uci: &str) -> String {
        match self.pieces.get(&uci[2..4]) {
            Some(_) => uci[2..4].to_string(),
            None => format!("{}{}", &uci[2..3], &uci[1..2]),
        }
    }

    /// The attacked pieces, plus pawns that can be captured en passant, which need not be attacked.
    fn attacked_or_passing(&self, side: usize) -> Vec<String> {
        let captures = self.moves[1 - side].iter().filter(|uci| self.is_capture(uci));
        let passing = captures.filter(|uci| !self.pieces.contains_key(&uci[2..4]));
        let attacked = self.sides[side].attacked.iter().cloned();
        attacked.chain(passing.map(|uci| self.victim(uci))).collect()
    }

    /// Returns the destination of the moved piece; in castling, of the king.
    fn landing(&self, uci: &str) -> String {
        let (from, to) = (&uci[..2], &uci[2..4]);
        let takes_own =
            self.pieces.get(to).is_some_and(|piece| color(*piece) == color(self.pieces[from]));
        match (takes_own, from < to) {
            (false, _) => to.to_string(),
            (true, true) => format!("g{}", &from[1..]),
            (true, false) => format!("c{}", &from[1..]),
        }
    }

    /// Counts the fork targets that the piece on that square attacks.
    fn forked_by(&self, at: &String) -> usize {
        let moved = self.pieces[at];
        let counts = |target: &&str| {
            let (piece, contact) = (self.pieces[*target], self.map[*target]);
            let is_king = piece.eq_ignore_ascii_case(&'k');
            let is_more = value(piece) > value(moved) && !moved.eq_ignore_ascii_case(&'k');
            contact.attackers.contains(at) && (is_king || is_more || contact.defenders.is_empty())
        };
        self.map.keys().copied().filter(counts).count()
    }
}

fn pieces_of(board: &str) -> BTreeMap<String, char> {
    let mut pieces = BTreeMap::new();
    for (row, rank) in board.split('/').zip((1..=8).rev()) {
        let mut file = b'a';
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as u8,
                None => {
                    pieces.insert(format!("{}{rank}", char::from(file)), letter);
                    file += 1;
                }
            }
        }
    }
    pieces
}

fn color(piece: char) -> usize {
    usize::from(piece.is_ascii_lowercase())
}

fn value(piece: char) -> i32 {
    match piece.to_ascii_lowercase() {
        'p' => 1,
        'n' | 'b' => 3,
        'r' => 5,
        'q' => 9,
        _ => 0,
    }
}

fn place(square: &str) -> (i32, i32) {
    let square = square.as_bytes();
    (i32::from(square[0]), i32::from(square[1]))
}

fn is_near(a: &str, b: &str) -> bool {
    let ((file_a, rank_a), (file_b, rank_b)) = (place(a), place(b));
    (file_a - file_b).abs() <= 1 && (rank_a - rank_b).abs() <= 1
}

fn on_one_line(a: &str, b: &str, c: &str) -> bool {
    let ((file_a, rank_a), (file_b, rank_b), (file_c, rank_c)) = (place(a), place(b), place(c));
    (file_b - file_a) * (rank_c - rank_a) == (file_c - file_a) * (rank_b - rank_a)
}

#[test]
fn a_broken_invariant_is_detected() {
    // White's pawn on e4 is hanging, the one on d2 is attacked next to the king, and nothing is
    // pinned.
    let fen = "4k3/4r3/2p5/3p2b1/p3P3/8/3PR3/3QK2R w K - 0 1";
    let good = Oracle::analyze(fen, Variant::Standard).expect("a good position");
    let broken = |facts: &Facts| {
        let view = View::of(fen, Variant::Standard, facts);
        view.invariants()
            .into_iter()
            .filter(|(_, holds)| !holds)
            .map(|(invariant, _)| invariant)
            .collect::<Vec<_>>()
    };
    assert_eq!(broken(&good), [""; 0]);
    type Change = fn(&mut SideFacts);
    let changes: [(&str, Change); 14] = [
        ("lists are sorted, without repetition", |white| white.pieces.reverse()),
        ("lists contain only the side's pieces", |white| white.outposts.push("e8".into())),
        ("some facts are parts of others", |white| white.outposts = vec!["e1".into()]),
        ("the attack map covers all pieces", |white| white.pieces.truncate(3)),
        ("attacked and hanging are counts of the map", |white| white.hanging = Vec::new()),
        ("a pinned piece stays on its line", |white| white.pinned = vec!["d1".into()]),
        ("unpinned pieces can move wherever they attack", |white| white.mobility[0].1 += 1),
        ("pins are x-rays of kings", |white| white.pinned = vec!["e2".into()]),
        ("x-rays of any are those of both", |white| white.x_rays[0].1.any = Vec::new()),
        ("captures have bounds", |white| white.see[0].1 = 20),
        ("captures that win show what is en prise", |white| white.en_prise = vec!["e1".into()]),
        ("forks are legal moves", |white| white.forks = vec!["e1e8".into()]),
        ("attacks near a king are in its ring", |white| white.king_ring = 0),
        ("material is the sum of values", |white| white.material += 1),
    ];
    for (invariant, change) in changes {
        let mut facts = good.clone();
        change(&mut facts.white);
        assert!(broken(&facts).contains(&invariant), "{invariant} holds: {:?}", broken(&facts));
    }
}
