//! External players that see a game as text. They can be asked for a move in every game of a batch,
//! or play whole games.

use std::any::Any;
use std::ops::Range;

use fourfold_common::cpu::{self, Cpu, Work};

use crate::batch::Shared;
use crate::batch::pool;
use crate::batch::rollout::{Rollout, split_off};
use crate::batch::stop::Stop;
use crate::game::{Action, Describe, MAX_PLAYERS, Stage};
use crate::legal::Legal;
use crate::legal_and_status::legal_and_status_with;
use crate::random::Stream;

/// A player, such as a bot, that receives a game as text and answers with a move in the game's
/// notation. Several threads may call it at the same time.
pub trait Player: Sync {
    /// Chooses a move. `None` plays a random legal action instead.
    ///
    /// # Errors
    /// Returns a message that says why the player cannot continue.
    fn choose(&self, request: &MoveRequest<'_>) -> Result<Option<String>, String>;
}

/// What a player receives when asked for a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// The start position in the game's notation.
    pub start: &'a str,
    /// The moves played since `start`. Empty in simultaneous games and in
    /// [`DescribedBatch::ask`](crate::DescribedBatch::ask), where `start` is the current position.
    pub moves: &'a [String],
    /// The index of the player to choose for.
    pub player: usize,
    /// The game state, for players that know its type and can downcast it.
    pub game: &'a dyn Any,
    /// Seed for the player's own randomness; different in every game and every step.
    pub seed: u64,
}

/// Asks a player for its action in a game.
pub(crate) fn ask<G: Describe>(
    player: &dyn Player,
    request: &MoveRequest<'_>,
    rules: &G::Rules,
    game: &G,
    legal: Legal<'_>,
) -> Result<Action, String> {
    match player.choose(request)? {
        Some(text) => game.read_action(rules, request.player, &text),
        None => Ok(sample_action(legal, &mut Stream::new(request.seed, 0))),
    }
}

/// Draws one of the legal actions uniformly.
#[inline(always)]
pub(crate) fn sample_action(legal: Legal<'_>, stream: &mut Stream) -> Action {
    Action(legal.nth(stream.below(legal.count())) as u32)
}

/// Random steps are so short that asking after each of them would cost time.
const STEPS_BETWEEN_STOPS: u64 = 32;

/// Games to play between players, each with its own random stream.
pub(crate) struct PlayerGames<'a, G: Describe> {
    pub(crate) shared: &'a Shared<G>,
    /// One entry per player; `None` plays random actions.
    pub(crate) players: &'a [Option<&'a dyn Player>],
    /// The indices of the games, which select their streams.
    pub(crate) games: Range<u64>,
    pub(crate) seed: u64,
    pub(crate) stop: Stop<'a>,
}

impl<G: Describe> pool::SplitWork for PlayerGames<'_, G> {
    /// On error, the first game in which a player failed to choose a move, and why.
    type Output = Result<Rollout, (u64, String)>;

    fn split_off(&mut self, parts: usize, first: usize) -> Self {
        PlayerGames { games: split_off(&mut self.games, parts, first), ..*self }
    }

    fn run(self) -> Self::Output {
        cpu::dispatch(self)
    }

    fn join(one: Self::Output, other: Self::Output) -> Self::Output {
        match (one, other) {
            (Ok(one), Ok(other)) => Ok(one.merge(other)),
            (Err(one), Err(other)) => Err(if one.0 <= other.0 { one } else { other }),
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
        }
    }
}

impl<G: Describe> Work for PlayerGames<'_, G> {
    type Output = Result<Rollout, (u64, String)>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Self::Output {
        let spec = &self.shared.spec;
        let mut rollout = Rollout::empty(spec);
        let mut lists = vec![0; spec.mask_rows() * spec.list_len()];
        for index in self.games.clone() {
            let stream = Stream::new(self.seed, index);
            self.play(cpu, stream, &mut lists, &mut rollout).map_err(|why| (index, why))?;
        }
        Ok(rollout)
    }
}

impl<G: Describe> PlayerGames<'_, G> {
    /// Plays one game and adds its result to `rollout`.
    #[inline(always)]
    fn play<C: Cpu>(
        &self,
        cpu: C,
        mut stream: Stream,
        lists: &mut [u32],
        rollout: &mut Rollout,
    ) -> Result<(), String> {
        let Shared { rules, spec, .. } = self.shared;
        let mut game = self.shared.start(&mut stream);
        // Random actions need no record of the game, which takes longer than playing it.
        let recorded = self.players.iter().any(Option::is_some);
        let text = |game: &G| if recorded { game.text() } else { String::new() };
        let (mut start, mut moves) = (text(&game), Vec::new());
        let mut status = legal_and_status_with(cpu, rules, spec, &game, lists);
        while status.stage == Stage::Ongoing {
            if rollout.steps.is_multiple_of(STEPS_BETWEEN_STOPS) && (self.stop)() {
                return Err("stopped".to_owned());
            }
            let mut actions = [Action(0); MAX_PLAYERS];
            for (row, list) in lists.chunks_exact(spec.list_len()).enumerate() {
                let legal = Legal::new(list, spec.actions);
                let acting = game.acting().only().unwrap_or(row);
                actions[row] = match self.players[acting] {
                    Some(player) if status.alive[acting] => {
                        let (moves, seed) = (&moves[..], stream.next());
                        let request =
                            MoveRequest { start: &start, moves, player: acting, game: &game, seed };
                        ask(player, &request, rules, &game, legal)?
                    }
                    _ => sample_action(legal, &mut stream),
                };
            }
            if recorded && !spec.simultaneous {
                let text = game.write_action(rules, 0, actions[0]);
                moves.push(text.ok_or("a legal action has no move notation")?);
            }
            game.apply(rules, &actions[..spec.mask_rows()]);
            status = legal_and_status_with(cpu, rules, spec, &game, lists);
            rollout.steps += 1;
            if spec.simultaneous {
                start = text(&game);
            }
        }
        rollout.add(&status);
        Ok(())
    }
}
