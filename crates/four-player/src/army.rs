//! The four armies as data: everything that differs between the players.

use fourfold_board::{Direction, Square};

use crate::{BOARD, Bitboard, Player};

/// The directions and squares that depend on where an army starts.
#[derive(Clone, Copy, Debug)]
pub struct Army {
    /// The direction in which its pawns move.
    pub forward: Direction,
    /// The directions in which its pawns capture: left and right from the player's view.
    pub captures: [Direction; 2],
    /// The line on which the king and the other non-pawns start.
    pub back_line: Bitboard,
    /// The line on which its pawns start.
    pub home_line: Bitboard,
    /// The line that a pawn skips with its double step.
    pub(crate) third_line: Bitboard,
    /// The squares where pawns promote in free-for-all: the owner's 8th line and everything beyond.
    pub promotion_free: Bitboard,
    /// The squares where pawns promote in teams: the owner's 11th line and everything beyond.
    pub promotion_teams: Bitboard,
    /// The corners of the back line, lower index first.
    pub corners: [Square; 2],
    /// The two middle squares of the back line, lower index first. The king starts on one of them.
    pub middle: [Square; 2],
}

impl Army {
    /// Returns the army of a player.
    #[inline(always)]
    pub const fn of(player: Player) -> &'static Army {
        &ARMIES[player as usize]
    }
}

impl Player {
    /// Rotates a square of the board to this player's view, in which the player's army starts at
    /// the bottom, as Red's does.
    ///
    /// ```
    /// use fourfold_four_player::{BOARD, Player, at};
    /// // Blue's left corner is at the top left of the board.
    /// assert_eq!(BOARD.name(Player::Blue.to_view(at("a11"))), "d1");
    /// assert_eq!(Player::Blue.from_view(at("d1")), at("a11"));
    /// ```
    ///
    /// # Panics
    /// Panics if the board has no such square.
    pub const fn to_view(self, square: Square) -> Square {
        rotate(square, self as usize)
    }

    /// Rotates a square of this player's view back to the board, the inverse of
    /// [`Player::to_view`].
    ///
    /// # Panics
    /// Panics if the board has no such square.
    pub const fn from_view(self, square: Square) -> Square {
        rotate(square, (4 - self as usize) % 4)
    }
}

/// Rotates a square counterclockwise by a number of quarter turns.
const fn rotate(square: Square, quarters: usize) -> Square {
    let (mut file, mut rank) = (square.index() % 16, square.index() / 16);
    let mut turn = 0;
    while turn < quarters {
        (file, rank) = (13 - rank, file);
        turn += 1;
    }
    Square::new(16 * rank + file)
}

/// The armies, indexed by player.
pub(crate) static ARMIES: [Army; 4] = [army(0), army(1), army(2), army(3)];

/// Creates the army on a side of the board, counted clockwise from the bottom.
pub(crate) const fn army(side: usize) -> Army {
    let forward = Direction::ALL[2 * side];
    let back_line = line(side, 0, 1);
    let (corners, middle) = corners_and_middle(back_line);
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

/// Returns the squares at distances `first..end` from a side.
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
        if BOARD.squares().contains(square) && first <= distance && distance < end {
            set = set.with(square);
        }
        index += 1;
    }
    set
}

/// Returns the outer and the middle squares of a back line.
const fn corners_and_middle(back_line: Bitboard) -> ([Square; 2], [Square; 2]) {
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
    fn armies_start_where_the_rules_say() {
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
    fn every_player_views_their_army_as_red_does() {
        let red = Army::of(Player::Red);
        for player in Player::ALL {
            let army = Army::of(player);
            let seen = |set: Bitboard| set.iter().map(|square| player.to_view(square)).collect();
            assert_eq!(red.back_line, seen(army.back_line));
            assert_eq!(red.third_line, seen(army.third_line));
            assert_eq!(red.promotion_free, seen(army.promotion_free));
            assert_eq!(red.promotion_teams, seen(army.promotion_teams));
            for square in BOARD.squares() {
                assert_eq!(player.from_view(player.to_view(square)), square);
                let ahead = BOARD.step(square, army.forward).map(|ahead| player.to_view(ahead));
                assert_eq!(ahead, BOARD.step(player.to_view(square), Direction::North));
            }
        }
    }
}
