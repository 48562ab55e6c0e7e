//! The moves that lanes find are those of the ordinary generator, in random arrangements of pieces.

use std::collections::BTreeSet;

use fourfold_board::{Direction, KNIGHT_LEAPS};
use fourfold_common::SplitMix64;
use fourfold_common::cpu::PORTABLE;
use fourfold_four_player::{
    Army, BOARD, LANES, LaneSink, Mode, Piece, Player, Players, Position, Role, Rules, Setup,
    Square, StartPosition, Targets, Wing, random_walk,
};
use fourfold_oracle::harness::quick_or_full;

/// Collects the moves, with whether there is a choice of promotion.
#[derive(Default)]
struct Collect {
    found: BTreeSet<(Square, Square, bool)>,
    count: usize,
}

impl Collect {
    fn add(&mut self, from: Square, step: (i32, i32), promotes: bool) {
        let to = BOARD.leap(from, step).expect("moves stay on the board");
        self.found.insert((from, to, promotes));
        self.count += 1;
    }
}

impl LaneSink for Collect {
    fn piece(&mut self, from: Square, targets: Targets, promotes: bool) {
        for (half, bits) in [targets.low, targets.high].into_iter().enumerate() {
            for bit in (0..64).filter(|bit| bits >> bit & 1 != 0) {
                match bit {
                    ..52 => self.single(from, 4 * half as u32 + bit / 13, bit % 13 + 1, promotes),
                    _ => self.add(from, KNIGHT_LEAPS[bit as usize - 52], promotes),
                }
            }
        }
    }

    fn single(&mut self, from: Square, direction: u32, distance: u32, promotes: bool) {
        let (files, ranks) = Direction::ALL[direction as usize].step();
        self.add(from, (files * distance as i32, ranks * distance as i32), promotes);
    }
}

fn compare(position: &Position) {
    let mut lanes = Collect::default();
    for lane in 0..LANES {
        position.moves_of_lane(PORTABLE, lane, &mut lanes);
    }
    let moves = position.legal_moves();
    let teams = position.rules().mode == Mode::Teams;
    let expected: BTreeSet<_> =
        moves.iter().map(|mv| (mv.from(), mv.to(), teams && mv.promotion().is_some())).collect();
    assert_eq!(lanes.found, expected, "{position}");
    assert_eq!(lanes.count, expected.len(), "a move comes twice in {position}");
    for &mv in &moves {
        let underpromotion = mv.promotion().filter(|_| teams);
        assert_eq!(position.legal_move(mv.from(), mv.to(), underpromotion), mv, "{position}");
    }
}

const RULES: [&str; 5] = ["", "teams", "forbid-king-capture", "teams forbid-king-capture", "off"];

#[test]
fn lanes_find_the_moves_of_games() {
    for game in 0..quick_or_full(50, 500) as usize {
        let rules = Rules::parse(RULES[game % 5]).expect("words of rules");
        let start = Position::start(StartPosition::ALL[game / 5 % 5], rules);
        random_walk(start, 1 + game as u64).take(600).for_each(|position| compare(&position));
    }
}

#[test]
fn lanes_find_the_moves_of_random_arrangements() {
    let mut random = SplitMix64::new(1);
    let (mut valid, mut en_passant, mut walking) = (0, 0, 0);
    for index in 0..quick_or_full(20_000, 1_000_000) as usize {
        let walks = index % 7 == 6;
        let words = if walks { "walking-king" } else { RULES[index % 5] };
        let rules = Rules::parse(words).expect("words of rules");
        let setup = random_setup(&mut random, &rules, walks);
        let Ok(position) = setup.validate(rules) else { continue };
        valid += 1;
        walking += usize::from(!position.alive().contains(position.turn()));
        en_passant += usize::from(
            position.legal_moves().iter().any(|mv| format!("{mv:?}").ends_with("EnPassant")),
        );
        compare(&position);
    }
    let enough = quick_or_full(100, 5_000) as usize;
    assert!(valid > 20 * enough, "{valid} valid");
    assert!(en_passant > enough && walking > enough, "{en_passant} en passant, {walking} walking");
}

fn random_setup(random: &mut SplitMix64, rules: &Rules, walks: bool) -> Setup {
    let mut below = |bound: usize| (random.next() % bound as u64) as usize;
    let squares: Vec<Square> = BOARD.squares().iter().collect();
    let mut setup = Setup::empty();
    setup.turn = Player::ALL[below(4)];
    // Kings in the middle see more checks and pins.
    for player in Player::ALL {
        let square = squares[if below(2) == 0 { below(160) } else { 50 + below(60) }];
        setup.put(square, Some(Piece::new(player, Role::King)));
    }
    for player in Player::ALL {
        let army = Army::of(player);
        let far = match rules.mode {
            Mode::FreeForAll => army.promotion_free,
            Mode::Teams => army.promotion_teams,
        };
        for _ in 0..below(16) {
            let (square, role) = (squares[below(160)], Role::ALL[below(7)]);
            let is_pawn = role == Role::Pawn;
            let fits = !is_pawn || !(army.back_line | far).contains(square);
            if role != Role::King && fits && setup.piece_at(square).is_none() {
                setup.put(square, Some(Piece::new(player, role)));
            }
        }
        // A double step next to pawns of the others.
        if below(2) == 0 {
            let home = army.home_line.iter().nth(below(8)).expect("eight squares");
            let skipped = BOARD.step(home, army.forward).expect("the board goes on");
            let pawn = BOARD.step(skipped, army.forward).expect("the board goes on");
            let is_king = |square| setup.piece_at(square).is_some_and(|it| it.role == Role::King);
            if !is_king(pawn) {
                setup.put(pawn, Some(Piece::new(player, Role::Pawn)));
                setup.en_passant[player as usize] = Some(skipped);
            }
        }
    }
    // A pawn that may capture one of them.
    if let Some(skipped) = setup.en_passant[below(4)] {
        let from = BOARD.step(skipped, Army::of(setup.turn).captures[below(2)].opposite());
        if let Some(from) = from.filter(|&from| setup.piece_at(from).is_none()) {
            setup.put(from, Some(Piece::new(setup.turn, Role::Pawn)));
        }
    }
    if below(3) == 0 {
        let mut neutral = Piece::new(Player::Red, Role::ALL[below(5)]);
        neutral.owner = None;
        let square = squares[below(160)];
        if setup.piece_at(square).is_none() {
            setup.put(square, Some(neutral));
        }
    }
    if rules.mode == Mode::FreeForAll && (walks || below(4) == 0) {
        let gone = Player::ALL[below(4)];
        setup.eliminated = Players::one(gone);
        setup.en_passant[gone as usize] = None;
        if walks {
            setup.resigned = setup.eliminated;
            setup.turn = gone;
        }
    }
    for wing in Wing::ALL {
        *setup.castling_mut(wing) = Players::NONE;
    }
    setup
}
