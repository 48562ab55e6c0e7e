//! Invariants that hold on every tick of every game.

use std::collections::BTreeMap;

use fourfold_common::SplitMix64;
use fourfold_oracle::harness::field;

use super::implementations::{Engine, Implementation, Oracle, split_square};
use super::random_games::{RULES, below, give, pick, some_order, some_pieces};

#[test]
fn oracle_keeps_the_invariants() {
    keeps_the_invariants::<Oracle>(96, 600);
}

#[test]
fn engine_keeps_the_invariants() {
    keeps_the_invariants::<Engine>(96, 600);
}

/// Plays games and checks every tick. Everything that can happen must occur in these games.
fn keeps_the_invariants<T: Implementation>(games: usize, ticks: usize) {
    let mut rng = SplitMix64::new(7);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..games {
        let words = RULES[number % RULES.len()];
        let pieces = some_pieces::<T>(words, &mut rng);
        let mut game = T::create(words, Some(&pieces)).expect(words);
        let mut invariants = Invariants { words, eliminated_since: BTreeMap::new() };
        // Some games are slow, so that they end by the draw timers.
        let pace = [1, 2, 8, 40][number / RULES.len() % 4];
        for _ in 0..ticks {
            let orders = if below(&mut rng, pace) == 0 { below(&mut rng, 3) } else { 0 };
            for _ in 0..orders {
                let player = 1 + below(&mut rng, 4) as i64;
                if let Some(order) = some_order(&game, player, &mut rng) {
                    give(&mut game, player, &order);
                }
            }
            if below(&mut rng, pace) == 0 {
                try_anything(&mut game, &mut rng);
            }
            let mut events = Vec::new();
            if below(&mut rng, 300) == 0 {
                events.extend(game.resign(1 + below(&mut rng, 4) as i64).unwrap_or_default());
                invariants.check(&game);
            }
            events.extend(game.tick());
            invariants.check(&game);
            note(&events, &game, &mut seen);
            if ParsedState::of(&game.state()).result != "none" {
                break;
            }
        }
    }
    for what in EXPECTED_EVENTS {
        assert!(seen.contains_key(what), "no '{what}' in {games} games, but {seen:?}");
    }
}

const EXPECTED_EVENTS: [&str; 10] = [
    " arrives ",
    " becomes Q",
    " rested",
    " captured by nobody",
    " captured by R",
    " captured by P",
    " removed",
    " game over winner ",
    " draw",
    " castling",
];

fn note(events: &[String], game: &impl Implementation, seen: &mut BTreeMap<&'static str, usize>) {
    let state = game.state();
    for what in EXPECTED_EVENTS {
        let times = events.iter().filter(|event| event.contains(what)).count();
        let times = times + usize::from(what == " castling" && state.contains(what));
        if times > 0 {
            *seen.entry(what).or_default() += times;
        }
    }
}

/// Gives an arbitrary order. It must be accepted if and only if it is listed, and a rejected order
/// must change nothing.
fn try_anything(game: &mut impl Implementation, rng: &mut SplitMix64) {
    let before = game.state();
    let view = ParsedState::of(&before);
    let Some(piece) = pick(rng, &view.pieces) else { return };
    let player = below(rng, 6) as i64;
    let player = if rng.next().is_multiple_of(2) { player } else { piece.player };
    let (row, col) = (below(rng, 15) as i64 - 1, below(rng, 15) as i64 - 1);
    let order = format!("{}->{row},{col}", piece.id);
    let listed = game.legal_orders(player).contains(&order);
    let answer = game.order(player, piece.id, row, col);
    assert_eq!(answer.is_ok(), listed, "{player} {order} {answer:?} in {before}");
    if answer.is_err() {
        assert_eq!(game.state(), before, "{player} {order}");
    }
}

/// A parsed state.
struct ParsedState<'a> {
    now: i64,
    eliminated: &'a str,
    result: &'a str,
    pieces: Vec<ParsedPiece<'a>>,
}

/// A parsed piece of a state.
struct ParsedPiece<'a> {
    id: &'a str,
    player: i64,
    role: &'a str,
    place: Location,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Location {
    Gone,
    At((i64, i64)),
    Between { from: (i64, i64), to: (i64, i64), start: i64, arrival: i64 },
}

impl ParsedState<'_> {
    fn of(state: &str) -> ParsedState<'_> {
        let (head, pieces) = state.split_once("; ").expect("pieces behind the head");
        ParsedState {
            now: head.split(' ').next().and_then(|word| word[1..].parse().ok()).expect(head),
            eliminated: field(head, "eliminated").expect(head),
            result: field(head, "result").expect(head),
            pieces: pieces.split("; ").map(|text| ParsedPiece::of(text).expect(text)).collect(),
        }
    }

    fn standing(&self) -> impl Iterator<Item = (&ParsedPiece<'_>, (i64, i64))> {
        self.pieces.iter().filter_map(|piece| match piece.place {
            Location::At(square) => Some((piece, square)),
            Location::Gone | Location::Between { .. } => None,
        })
    }
}

impl ParsedPiece<'_> {
    fn of(text: &str) -> Option<ParsedPiece<'_>> {
        let mut words = text.split(' ');
        let (id, role, place) = (words.next()?, words.next()?, words.next()?);
        let place = match place.split_once('>') {
            None if place == "gone" => Location::Gone,
            None => Location::At(split_square(place)?),
            Some((from, to)) => Location::Between {
                from: split_square(from)?,
                to: split_square(to)?,
                start: field(text, "start")?.parse().ok()?,
                arrival: field(text, "arrive")?.parse().ok()?,
            },
        };
        Some(ParsedPiece { id, player: id.split(':').nth(1)?.parse().ok()?, role, place })
    }
}

/// The invariants, and what they remember from earlier ticks.
struct Invariants<'a> {
    words: &'a str,
    /// The tick on which each player was first seen without a king.
    eliminated_since: BTreeMap<i64, i64>,
}

impl Invariants<'_> {
    fn check(&mut self, game: &impl Implementation) {
        let state = game.state();
        let view = ParsedState::of(&state);
        for (name, holds) in [
            ("no two pieces stand on one square", no_two_stand_on_one_square(&view)),
            ("no two own pieces go to one square", self.no_two_own_go_to_one_square(&view)),
            ("nothing crosses a cut corner", self.nothing_crosses_a_cut_corner(&view)),
            ("nobody without a king acts", self.nobody_without_a_king_acts(&view, game)),
            ("an eliminated army leaves the board", self.eliminated_armies_leave(&view)),
            ("a winner has a king", a_winner_has_a_king(&view)),
            ("a moving piece has started and will arrive", moving_pieces_will_arrive(&view)),
        ] {
            assert!(holds, "{name}: {} {state}", self.words);
        }
    }

    fn side(&self, player: i64) -> i64 {
        if self.words.contains("teams") { player % 2 } else { player }
    }

    /// No two pieces of one side may stand on or be moving to the same square.
    fn no_two_own_go_to_one_square(&self, view: &ParsedState<'_>) -> bool {
        let goes_to = |piece: &ParsedPiece<'_>| match piece.place {
            Location::Gone => None,
            Location::At(square) => Some((square, self.side(piece.player))),
            Location::Between { to, .. } => Some((to, self.side(piece.player))),
        };
        all_different(view.pieces.iter().filter_map(goes_to).collect())
    }

    fn nothing_crosses_a_cut_corner(&self, view: &ParsedState<'_>) -> bool {
        let size = if self.words.contains("12x12") { 12 } else { 8 };
        let is_on_board = |row: i64, col: i64| {
            let is_outer = |line: i64| size == 12 && !(2..10).contains(&line);
            let is_within = |line: i64| (0..size).contains(&line);
            is_within(row) && is_within(col) && !(is_outer(row) && is_outer(col))
        };
        view.pieces.iter().all(|piece| match piece.place {
            Location::Gone => true,
            Location::At((row, col)) => is_on_board(row, col),
            Location::Between { to, .. } if piece.role == "N" => is_on_board(to.0, to.1),
            Location::Between { from, to, .. } => {
                let (rows, cols) = (to.0 - from.0, to.1 - from.1);
                (0..=rows.abs().max(cols.abs())).all(|step| {
                    is_on_board(from.0 + rows.signum() * step, from.1 + cols.signum() * step)
                })
            }
        })
    }

    fn nobody_without_a_king_acts(
        &mut self,
        view: &ParsedState<'_>,
        game: &impl Implementation,
    ) -> bool {
        let mut holds = true;
        for player in 1..=4 {
            let has_king = view.pieces.iter().any(|piece| {
                piece.player == player && piece.role == "K" && piece.place != Location::Gone
            });
            if has_king {
                holds &= !view.eliminated.contains(&player.to_string());
                continue;
            }
            let since = *self.eliminated_since.entry(player).or_insert(view.now);
            holds &= game.legal_orders(player).is_empty();
            holds &=
                view.pieces.iter().filter(|piece| piece.player == player).all(|piece| match piece
                    .place
                {
                    Location::Gone | Location::At(_) => true,
                    Location::Between { start, .. } => start <= since + 1,
                });
        }
        holds
    }

    fn eliminated_armies_leave(&self, view: &ParsedState<'_>) -> bool {
        let stay = self.words.contains("freeze") || view.result != "none";
        stay || view.pieces.iter().all(|piece| {
            piece.place == Location::Gone || !view.eliminated.contains(&piece.player.to_string())
        })
    }
}

fn no_two_stand_on_one_square(view: &ParsedState<'_>) -> bool {
    all_different(view.standing().map(|(_, square)| square).collect())
}

fn a_winner_has_a_king(view: &ParsedState<'_>) -> bool {
    let winners: Vec<&str> = view.result.split('+').collect();
    matches!(view.result, "none" | "draw")
        || winners.into_iter().any(|winner| !view.eliminated.contains(winner))
}

fn moving_pieces_will_arrive(view: &ParsedState<'_>) -> bool {
    view.pieces.iter().all(|piece| match piece.place {
        Location::Gone | Location::At(_) => true,
        Location::Between { start, arrival, .. } => start <= view.now + 1 && view.now < arrival,
    })
}

fn all_different<A: Ord>(mut items: Vec<A>) -> bool {
    items.sort();
    items.windows(2).all(|pair| pair[0] != pair[1])
}

#[test]
fn a_broken_invariant_is_detected() {
    let head = "t9 order=8 capture=0 closed=no eliminated=none result=none; ";
    let invariants = Invariants { words: "12x12", eliminated_since: BTreeMap::new() };
    let state = format!("{head}K:1:6:11 K 6,11; R:1:9:11 R 6,11 moved");
    assert!(!no_two_stand_on_one_square(&ParsedState::of(&state)));
    let state = format!("{head}K:1:6:11 K 6,11; R:1:9:11 R 9,11>6,11 start=5 arrive=95 moved");
    assert!(!invariants.no_two_own_go_to_one_square(&ParsedState::of(&state)));
    let state = format!("{head}B:3:2:0 B 2,0>0,2 start=5 arrive=65 moved");
    assert!(!invariants.nothing_crosses_a_cut_corner(&ParsedState::of(&state)));
    let state = state.replace("eliminated=none", "eliminated=3");
    assert!(!invariants.eliminated_armies_leave(&ParsedState::of(&state)));
    assert!(!moving_pieces_will_arrive(&ParsedState::of(&state.replace("t9 ", "t65 "))));
    assert!(!a_winner_has_a_king(&ParsedState::of(&state.replace("result=none", "result=3"))));
}
