//! The four armies as data: all that differs between them. No rule asks for a colour.

use fourfold_board::{Direction, Square};

use crate::{BOARD, Bitboard, Player};

/// What an army is told by where it starts.
#[derive(Clone, Copy, Debug)]
pub struct Army {
    /// Where its pawns go.
    pub forward: Direction,
    /// Where its pawns take, left and right as their player sees it.
    pub captures: [Direction; 2],
    /// The line on which king and pieces start.
    pub back_line: Bitboard,
    /// The line on which its pawns start.
    pub home_line: Bitboard,
    /// Where single steps land that may become double ones.
    pub(crate) third_line: Bitboard,
    /// Where pawns promote in free-for-all, and all beyond: the owner's 8th line and on.
    pub promotion_free: Bitboard,
    /// Where pawns promote in teams, and all beyond: the owner's 11th line and on.
    pub promotion_teams: Bitboard,
    /// The corners of the back line, from the lower index.
    pub corners: [Square; 2],
    /// The middle squares of the back line, from the lower index: one holds the king at the start.
    pub middle: [Square; 2],
}

impl Army {
    /// A player's.
    #[inline(always)]
    pub const fn of(player: Player) -> &'static Army {
        &ARMIES[player as usize]
    }
}

impl Player {
    /// A square as this player sees the board, the own home at the bottom: Red's name for the square
    /// that lies there for Red.
    ///
    /// ```
    /// use fourfold_four_player::{BOARD, Player, at};
    /// // Blue's own left corner lies at the top left of Red's board.
    /// assert_eq!(BOARD.name(Player::Blue.sees(at("a11"))), "d1");
    /// assert_eq!(Player::Blue.points_at(at("d1")), at("a11"));
    /// ```
    pub const fn sees(self, square: Square) -> Square {
        turned(square, self as usize)
    }

    /// The square that lies there for this player: the inverse of [`Player::sees`].
    pub const fn points_at(self, square: Square) -> Square {
        turned(square, (4 - self as usize) % 4)
    }
}

/// A square on a board turned by some quarters, against the clock.
const fn turned(square: Square, quarters: usize) -> Square {
    let (mut file, mut rank) = (square.index() % 16, square.index() / 16);
    let mut turn = 0;
    while turn < quarters {
        (file, rank) = (13 - rank, file);
        turn += 1;
    }
    Square::new(16 * rank + file)
}

/// By player.
pub(crate) static ARMIES: [Army; 4] = [army(0), army(1), army(2), army(3)];

/// The army at a side of the board, counted clockwise from the bottom.
pub(crate) const fn army(side: usize) -> Army {
    let forward = Direction::ALL[2 * side];
    let back_line = line(side, 0, 1);
    let (corners, middle) = places(back_line);
    Army {
        forward,
        captures: [Direction::ALL[(2 * side + 7) % 8], Direction::ALL[(2 * side + 1) % 8]],
        back_line,
        home_line: line(side, 1, 2),
        third_line: line(side, 2, 3),
        promotion_free: line(side, 7, 14),
        promotion_teams: line(side, 10, 14),
        corners,
        middle,
    }
}

/// The squares at these distances from a side: from the first, before the last.
const fn line(side: usize, first: usize, end: usize) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut index = 0;
    while index < 256 {
        let (file, rank) = (index % 16, index / 16);
        let distance = match side {
            0 => rank,
            1 => file,
            2 => 13usize.wrapping_sub(rank),
            _ => 13usize.wrapping_sub(file),
        };
        let square = Square::new(index);
        if BOARD.exists().contains(square) && first <= distance && distance < end {
            set = set.with(square);
        }
        index += 1;
    }
    set
}

/// The outer and the middle squares of a back line.
const fn places(back_line: Bitboard) -> ([Square; 2], [Square; 2]) {
    let mut rest = back_line;
    let mut squares = [Square::new(0); 8];
    let mut index = 0;
    while let Some(square) = rest.pop() {
        squares[index] = square;
        index += 1;
    }
    ([squares[0], squares[7]], [squares[3], squares[4]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armies_stand_where_the_rules_say() {
        let names = |squares: [Square; 2]| squares.map(|square| BOARD.name(square)).join(" ");
        let corners = ["d1 k1", "a4 a11", "d14 k14", "n4 n11"];
        let middle = ["g1 h1", "a7 a8", "g14 h14", "n7 n8"];
        for player in Player::ALL {
            let army = Army::of(player);
            assert_eq!(names(army.corners), corners[player as usize]);
            assert_eq!(names(army.middle), middle[player as usize]);
            assert_eq!(army.home_line.len(), 8);
        }
        let steps = Player::ALL.map(|player| Army::of(player).forward.step());
        assert_eq!(steps, [(0, 1), (1, 0), (0, -1), (-1, 0)]);
        assert!(Army::of(Player::Blue).promotion_free.contains(crate::at("h3")));
        assert!(!Army::of(Player::Blue).promotion_free.contains(crate::at("g3")));
        assert!(Army::of(Player::Green).promotion_teams.contains(crate::at("d4")));
        assert!(!Army::of(Player::Green).promotion_teams.contains(crate::at("e4")));
    }

    #[test]
    fn everybody_sees_the_own_army_as_red_does() {
        let red = Army::of(Player::Red);
        for player in Player::ALL {
            let army = Army::of(player);
            let seen = |set: Bitboard| set.iter().map(|square| player.sees(square)).collect();
            assert_eq!(red.back_line, seen(army.back_line));
            assert_eq!(red.third_line, seen(army.third_line));
            assert_eq!(red.promotion_free, seen(army.promotion_free));
            assert_eq!(red.promotion_teams, seen(army.promotion_teams));
            for square in BOARD.exists() {
                assert_eq!(player.points_at(player.sees(square)), square);
                let ahead = BOARD.step(square, army.forward).map(|ahead| player.sees(ahead));
                assert_eq!(ahead, BOARD.step(player.sees(square), Direction::North));
            }
        }
    }
}
