//! A rotated or mirrored game plays out the same way.

use fourfold_common::SplitMix64;

use super::implementations::{Engine, Implementation, Oracle, split_square};
use super::random_games::{below, give, some_order, some_pieces};

#[test]
fn a_quarter_turn_changes_nothing() {
    for words in [
        "12x12 ticks-per-square=4 rest=9",
        "12x12 ticks-per-square=3 rest=5 teams freeze",
        "12x12 lightning freeze",
    ] {
        changes_nothing::<Oracle>(Symmetry::QuarterTurn, words);
        changes_nothing::<Engine>(Symmetry::QuarterTurn, words);
    }
}

#[test]
fn a_mirror_changes_nothing() {
    for words in ["8x8 ticks-per-square=4 rest=9", "8x8 lightning", "8x8 ticks-per-square=5 rest=0"]
    {
        changes_nothing::<Oracle>(Symmetry::Mirror, words);
        changes_nothing::<Engine>(Symmetry::Mirror, words);
    }
}

/// Plays games in parallel with their images.
fn changes_nothing<T: Implementation>(symmetry: Symmetry, words: &str) {
    let mut rng = SplitMix64::new(11);
    let mut captures = 0;
    for number in 0..16 {
        // If several capturers started at once, the named one may differ, because their ids do.
        let orders = if number % 2 == 0 { Orders::OneATick } else { Orders::Many };
        let pieces = some_pieces::<T>(words, &mut rng);
        let mut game = T::create(words, Some(&pieces)).expect(words);
        let mut image = T::create(words, Some(&symmetry.text(&pieces))).expect(words);
        for _ in 0..300 {
            let most = match orders {
                Orders::OneATick => 2,
                Orders::Many => 4,
            };
            for _ in 0..below(&mut rng, most) {
                let player = 1 + below(&mut rng, 4) as i64;
                if let Some(order) = some_order(&game, player, &mut rng) {
                    give(&mut game, player, &order);
                    give(&mut image, symmetry.player(player), &symmetry.text(&order));
                }
            }
            let events = game.tick();
            captures += events.iter().filter(|event| event.contains(" captured by ")).count();
            let mut expected: Vec<String> =
                events.iter().map(|event| orders.blur(&symmetry.text(event))).collect();
            let mut got: Vec<String> =
                image.tick().iter().map(|event| orders.blur(event)).collect();
            expected.sort();
            got.sort();
            assert_eq!(got, expected, "{words}: {}", game.state());
        }
        assert_eq!(sorted(&image.state()), sorted(&symmetry.text(&game.state())), "{words}");
    }
    assert!(captures > 50, "only {captures} captures");
}

#[derive(Clone, Copy)]
enum Orders {
    OneATick,
    Many,
}

impl Orders {
    /// Removes the capturer's name where it may differ.
    fn blur(self, event: &str) -> String {
        match (self, event.split_once(" captured by ")) {
            (Orders::Many, Some((victim, capturer))) if capturer != "nobody" => {
                format!("{victim} taken")
            }
            _ => event.to_string(),
        }
    }
}

#[derive(Clone, Copy)]
enum Symmetry {
    /// The 12×12 board rotated clockwise: East becomes South.
    QuarterTurn,
    /// The 8×8 board flipped upside down.
    Mirror,
}

impl Symmetry {
    fn square(self, (row, col): (i64, i64)) -> (i64, i64) {
        match self {
            Symmetry::QuarterTurn => (col, 11 - row),
            Symmetry::Mirror => (7 - row, col),
        }
    }

    fn player(self, player: i64) -> i64 {
        match self {
            Symmetry::QuarterTurn => player % 4 + 1,
            // Players who do not take part are left as they are.
            Symmetry::Mirror if player > 2 => player,
            Symmetry::Mirror => 3 - player,
        }
    }

    /// Returns the image of pieces, an order, an event or a state.
    fn text(self, text: &str) -> String {
        text.split("; ")
            .map(|part| part.split(' ').map(|word| self.word(word)).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
            .join("; ")
    }

    /// Returns the image of a word, which may contain pieces, squares or players.
    fn word(self, word: &str) -> String {
        for middle in ["->", ">"] {
            if let Some((left, right)) = word.split_once(middle) {
                return format!("{}{middle}{}", self.word(left), self.word(right));
            }
        }
        for key in ["eliminated=", "result="] {
            if let Some(value) = word.strip_prefix(key) {
                return format!("{key}{}", self.players(value));
            }
        }
        if let Some((row, col)) = split_square(word) {
            let (row, col) = self.square((row, col));
            return format!("{row},{col}");
        }
        if let [role, player, row, col] = word.split(':').collect::<Vec<_>>()[..] {
            let number = |text: &str| text.parse().expect("a number in a piece's name");
            let (row, col) = self.square((number(row), number(col)));
            return format!("{role}:{}:{row}:{col}", self.player(number(player)));
        }
        self.players(word)
    }

    /// Returns the image of players like `13` or `1+3`; other words are returned unchanged.
    fn players(self, word: &str) -> String {
        let mut players: Vec<i64> = Vec::new();
        for letter in word.chars().filter(|&letter| letter != '+') {
            match letter.to_digit(10) {
                Some(digit) => players.push(self.player(digit.into())),
                None => return word.to_string(),
            }
        }
        players.sort();
        let between = if word.contains('+') { "+" } else { "" };
        players.iter().map(i64::to_string).collect::<Vec<_>>().join(between)
    }
}

/// Splits a state into its parts and sorts them.
fn sorted(state: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = state.split("; ").collect();
    parts.sort();
    parts
}

#[test]
fn four_quarter_turns_and_two_mirrors_are_the_identity() {
    let text =
        "t9 order=8 capture=0 closed=no eliminated=13 result=1+3; R:3:9:2 R 9,2>2,2 start=11 moved";
    let turned = Symmetry::QuarterTurn.text(text);
    assert_eq!(
        turned,
        "t9 order=8 capture=0 closed=no eliminated=24 result=2+4; R:4:2:2 R 2,2>2,9 start=11 moved"
    );
    let back = (0..3).fold(turned, |text, _| Symmetry::QuarterTurn.text(&text));
    assert_eq!(back, text);
    let order = "P:1:6:4->5,4";
    assert_eq!(Symmetry::Mirror.text(order), "P:2:1:4->2,4");
    assert_eq!(Symmetry::Mirror.text(&Symmetry::Mirror.text(order)), order);
}
