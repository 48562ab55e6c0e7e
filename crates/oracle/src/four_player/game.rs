//! Whole games: how they end, and who wins.

use super::Report;
use super::fen4;
use super::moves::Move;
use super::play::Withdrawal;
use super::player::Player;
use super::position::Position;
use super::rules::{Mode, Rules, Winner};
use crate::Error;
use crate::board::Role;
use crate::error::{bail, ensure};
use crate::text::kebab_case;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    LastSurvivor,
    KingCaptured,
    Checkmate,
    Stalemate,
    Resigned,
    Flagged,
    BareKings,
    Repetition,
    QuietPlies,
}

impl Position {
    /// How the game has ended, as far as a settled position shows it: draws by rule do not appear
    /// here.
    pub(super) fn ending(&self, rules: &Rules) -> Option<Ending> {
        match rules.mode {
            Mode::FreeForAll => (self.alive.len() < 2).then_some(Ending::LastSurvivor),
            Mode::Teams => self.teams_ending(rules),
        }
    }

    /// The first eliminated player determines how the team lost.
    fn teams_ending(&self, rules: &Rules) -> Option<Ending> {
        let Some(dead) = Player::ALL.into_iter().find(|player| !self.is_alive(*player)) else {
            let stuck = self.legal_moves(self.turn, rules).is_empty();
            return stuck.then_some(Ending::Stalemate);
        };
        Some(if self.resigned.contains(&dead) {
            Ending::Resigned
        } else if self.flagged.contains(&dead) {
            Ending::Flagged
        } else if self.board.king(dead).is_none() {
            Ending::KingCaptured
        } else {
            Ending::Checkmate
        })
    }

    /// Returns the legal moves of the player to move; none if the game is over.
    pub(super) fn moves(&self, rules: &Rules) -> Vec<Move> {
        match self.ending(rules) {
            Some(_) => Vec::new(),
            None => self.legal_moves(self.turn, rules),
        }
    }

    fn has_bare_kings(&self) -> bool {
        let bare =
            |player: &Player| self.board.pieces_of(*player).all(|(_, role)| role == Role::King);
        self.alive.iter().all(bare)
    }
}

/// A game in progress.
pub(super) struct Game<'a> {
    rules: &'a Rules,
    pub(super) current: Position,
    /// All positions before the current one.
    earlier: Vec<Position>,
    ending: Option<Ending>,
}

impl<'a> Game<'a> {
    /// Starts a game from a position, which is settled first.
    pub(super) fn new(mut start: Position, rules: &'a Rules) -> Game<'a> {
        let was_over = start.ending(rules).is_some();
        start.settle(rules);
        if !was_over {
            start.award_kings(rules);
        }
        let ending = start.ending(rules);
        Game { rules, current: start, earlier: Vec::new(), ending }
    }

    pub(super) fn play(&mut self, text: &str) -> Result<(), Error> {
        self.require_not_over(text)?;
        let moves = self.current.moves(self.rules);
        let mv = moves.iter().find(|mv| mv.to_string() == text).ok_or_else(|| {
            format!("move '{text}' is not legal in {}", fen4::write(&self.current))
        })?;
        self.advance(self.current.play(mv, self.rules));
        if self.ending.is_none() {
            self.ending = self.bare_kings().or(self.repetition()).or(self.quiet_plies());
            self.award_draw_points();
        }
        Ok(())
    }

    pub(super) fn withdraw(&mut self, player: Player, how: Withdrawal) -> Result<(), Error> {
        self.require_not_over(&format!("{how:?}"))?;
        ensure!(self.current.is_alive(player), "{player:?} is already eliminated");
        self.advance(self.current.withdraw(player, how, self.rules));
        if self.ending.is_none() {
            self.ending = self.bare_kings();
            self.award_draw_points();
        }
        Ok(())
    }

    fn require_not_over(&self, ply: &str) -> Result<(), Error> {
        match self.ending {
            Some(ending) => {
                let (ending, fen4) = (kebab_case(ending), fen4::write(&self.current));
                bail!("'{ply}' comes after the end ({ending}) in {fen4}")
            }
            None => Ok(()),
        }
    }

    fn advance(&mut self, next: Position) {
        self.ending = next.ending(self.rules);
        self.earlier.push(std::mem::replace(&mut self.current, next));
    }

    fn bare_kings(&self) -> Option<Ending> {
        let bare = self.rules.bare_kings && self.current.has_bare_kings();
        bare.then_some(Ending::BareKings)
    }

    fn repetition(&self) -> Option<Ending> {
        let limit = self.rules.repetition as usize;
        let earlier = self.earlier.iter().filter(|earlier| self.current.repeats(earlier)).count();
        (limit > 0 && earlier + 1 >= limit).then_some(Ending::Repetition)
    }

    fn quiet_plies(&self) -> Option<Ending> {
        let limit = self.rules.quiet;
        (limit > 0 && self.current.clock >= limit).then_some(Ending::QuietPlies)
    }

    /// Awards the points of a draw to every living player, if the game has just been drawn.
    fn award_draw_points(&mut self) {
        if self.ending.is_some() && self.rules.mode == Mode::FreeForAll {
            for player in self.current.alive.clone() {
                self.current.add_points(player, self.rules.points.draw);
            }
        }
    }

    pub(super) fn report(&self) -> Report {
        let in_check = |player: &Player| {
            self.current.is_alive(*player) && self.current.is_check(*player, self.rules)
        };
        let winners = self.ending.map(|ending| self.winners(ending)).unwrap_or_default();
        Report {
            fen4: fen4::write(&self.current),
            ending: self.ending.map(kebab_case),
            winners: letters(winners),
            in_check: letters(Player::ALL.into_iter().filter(in_check).collect()),
        }
    }

    fn winners(&self, ending: Ending) -> Vec<Player> {
        let mut winners = Player::ALL.to_vec();
        match (self.rules.mode, self.rules.winner) {
            (Mode::Teams, _) => winners.retain(|player| self.has_won_as_team(*player, ending)),
            (Mode::FreeForAll, Winner::Survivor) => {
                winners.retain(|player| self.current.is_alive(*player));
            }
            (Mode::FreeForAll, Winner::Points) => {
                let points = self.current.points;
                let most = points.iter().max();
                winners.retain(|player| Some(&points[*player as usize]) == most);
            }
        }
        winners
    }

    /// A team wins when a player of the other team is eliminated; a draw has no winners.
    fn has_won_as_team(&self, player: Player, ending: Ending) -> bool {
        use Ending::{BareKings, QuietPlies, Repetition, Stalemate};
        let drawn = matches!(ending, Stalemate | BareKings | Repetition | QuietPlies);
        !drawn && self.current.is_alive(player) && self.current.is_alive(player.opposite())
    }
}

fn letters(players: Vec<Player>) -> String {
    players.into_iter().map(Player::letter).collect()
}
