//! Batches as people need them: copies, positions and moves as text, and external players.

use std::ops::Range;

use crate::batch::any::{AnyBatch, DescribedBatch};
use crate::batch::error::StepError;
use crate::batch::players::{MoveRequest, Player, PlayerGames, ask, sample_action};
use crate::batch::rollout::{Rollout, count};
use crate::batch::stop::Stop;
use crate::batch::{Batch, Shared, Slot, expect};
use crate::captions::{ActionPlace, Caption};
use crate::game::{Action, ArraySpec, Describe, Stage};
use crate::legal::Legal;
use crate::legal_and_status::legal_and_status;
use crate::random::Stream;

impl<G: Describe> DescribedBatch for Batch<G> {
    fn duplicate(&self) -> Result<Box<dyn DescribedBatch>, StepError> {
        let mut batch = self.with_games(self.slots.len())?;
        batch.slots.copy_from_slice(&self.slots);
        batch.lists.copy_from_slice(&self.lists);
        batch.final_planes.copy_from_slice(&self.final_planes);
        batch.final_scalars.copy_from_slice(&self.final_scalars);
        Ok(Box::new(batch))
    }

    fn gather(&self, games: &[usize]) -> Result<Box<dyn DescribedBatch>, StepError> {
        self.check_games(games)?;
        let mut batch = self.with_games(games.len())?;
        // How often each game was copied before.
        let mut copies = vec![0; self.slots.len()];
        for (slot, &game) in batch.slots.iter_mut().zip(games) {
            *slot = self.slots[game];
            if copies[game] > 0 {
                slot.stream = slot.stream.branch(copies[game]);
            }
            copies[game] += 1;
        }
        batch.refresh();
        Ok(Box::new(batch))
    }

    fn scatter(&mut self, games: &[usize], from: &dyn AnyBatch) -> Result<(), StepError> {
        self.check_games(games)?;
        let from = self.same_kind(from)?;
        expect("games", from.slots.len(), games.len())?;
        for (&place, from) in games.iter().zip(&from.slots) {
            let slot = &mut self.slots[place];
            *slot = Slot { stream: slot.stream, ..*from };
        }
        self.refresh();
        Ok(())
    }

    fn reset_to(&mut self, mask: Option<&[bool]>, positions: &[&str]) -> Result<(), StepError> {
        let expected = self.slots.len();
        expect("mask values", expected, mask.map_or(expected, <[bool]>::len))?;
        expect("positions", expected, positions.len())?;
        let positions = self.parse(positions)?;
        for (index, (slot, game)) in self.slots.iter_mut().zip(positions).enumerate() {
            if mask.is_none_or(|mask| mask[index]) {
                *slot = Slot::new(game, slot.stream);
            }
        }
        self.refresh();
        Ok(())
    }

    fn set_starts(&mut self, starts: &[&str]) -> Result<(), StepError> {
        let starts = self.parse(starts)?;
        let Shared { rules, spec, .. } = &self.shared;
        let mut lists = vec![0; spec.mask_rows() * spec.list_len()];
        for (index, game) in starts.iter().enumerate() {
            let status = legal_and_status(rules, spec, game, &mut lists);
            if status.stage != Stage::Ongoing {
                let why = status.ending.map_or("", |ending| spec.endings[ending as usize]);
                let message = format!("the game is already over in this position: {why}");
                return Err(StepError::Position { index, message });
            }
        }
        self.shared.starts = starts;
        Ok(())
    }

    fn texts(&self) -> Vec<String> {
        self.slots.iter().map(|slot| slot.game.text()).collect()
    }

    fn channel_names(&self) -> Vec<Caption> {
        G::channel_names(&self.shared.rules)
    }

    fn action_planes(&self) -> Vec<Caption> {
        G::action_planes(&self.shared.rules)
    }

    fn action_place(&self, action: i32) -> Option<ActionPlace> {
        let action = u32::try_from(action).ok()?;
        let known = (action as usize) < self.shared.spec.actions;
        known.then(|| G::action_place(&self.shared.rules, Action(action)))?
    }

    fn arrays(&self) -> &'static [ArraySpec] {
        G::arrays(&self.shared.rules)
    }

    fn array(&self, name: &str, out: &mut [i32]) -> Result<(), StepError> {
        write_array(&self.shared.rules, self.slots.iter().map(|slot| slot.game), name, out)
    }

    fn write_actions(&self, actions: &[i32]) -> Result<Vec<String>, StepError> {
        self.check_length("actions", actions.len())?;
        let Shared { rules, spec, .. } = &self.shared;
        let write = |(row, &action): (usize, &i32)| {
            let (game, player) = (row / spec.mask_rows(), row % spec.mask_rows());
            let slot = &self.slots[game];
            let id = u32::try_from(action).ok().filter(|&id| (id as usize) < spec.actions);
            let text = id.and_then(|id| slot.game.write_action(rules, player, Action(id)));
            text.ok_or_else(|| self.illegal(row, action))
        };
        actions.iter().enumerate().map(write).collect()
    }

    fn read_actions(&self, texts: &[&str]) -> Result<Vec<i32>, StepError> {
        self.check_length("moves", texts.len())?;
        let rows = self.shared.spec.mask_rows();
        let read = |(row, text): (usize, &&str)| {
            let (game, player) = (row / rows, row % rows);
            let error = |message| StepError::Move { game, message };
            let state = &self.slots[game].game;
            let action = state.read_action(&self.shared.rules, player, text).map_err(error)?;
            Ok(action.0 as i32)
        };
        texts.iter().enumerate().map(read).collect()
    }

    fn ask(
        &mut self,
        player: &dyn Player,
        seed: Option<u64>,
        mask: Option<&[bool]>,
        out: &mut [i32],
    ) -> Result<(), StepError> {
        self.check_length("actions", out.len())?;
        self.check_length("mask values", mask.map_or(out.len(), <[bool]>::len))?;
        let Batch { shared: Shared { rules, spec, .. }, slots, lists, pool, .. } = self;
        let rows = spec.mask_rows();
        let asked = |index: usize| mask.is_none_or(|mask| mask[index]);
        let draw = |index: usize| match seed {
            Some(seed) => Stream::new(seed, index as u64),
            None if asked(index) => Stream::new(slots[index / rows].stream.next(), 0),
            None => Stream::new(0, 0),
        };
        // Drawn in order, because all players of a game share its stream.
        let streams: Vec<Stream> = (0..out.len()).map(draw).collect();
        let mut answers = vec![Ok(-1); out.len()];
        pool.each(&mut answers, |index, answer| {
            if !asked(index) {
                return;
            }
            let Slot { game, status, .. } = &slots[index / rows];
            if status.stage != Stage::Ongoing {
                *answer = Ok(0);
                return;
            }
            let list = &lists[index * spec.list_len()..][..spec.list_len()];
            let legal = Legal::new(list, spec.actions);
            let acting = game.acting().only().unwrap_or(index % rows);
            let mut stream = streams[index];
            if !status.alive[acting] {
                *answer = Ok(sample_action(legal, &mut stream).0 as i32);
                return;
            }
            let (start, seed) = (game.text(), stream.next());
            let request = MoveRequest { start: &start, moves: &[], player: acting, game, seed };
            *answer = ask(player, &request, rules, game, legal).map(|Action(id)| id as i32);
        });
        for (row, (answer, out)) in answers.into_iter().zip(out).enumerate() {
            let game = (row / rows) as u64;
            *out = answer.map_err(|message| StepError::NoMove { game, message })?;
        }
        Ok(())
    }

    fn play_games_with_stop(
        &mut self,
        players: &[Option<&dyn Player>],
        games: Range<u64>,
        seed: u64,
        stop: Stop<'_>,
    ) -> Result<Rollout, StepError> {
        expect("players", self.shared.spec.players, players.len())?;
        let parts = self.pool.parts(count(&games));
        let contest = PlayerGames { shared: &self.shared, players, games, seed, stop };
        let played = self.pool.execute(contest, parts);
        if stop() {
            return Err(StepError::Stopped);
        }
        played.map_err(|(game, message)| StepError::NoMove { game, message })
    }
}

/// Writes one of the arrays of each game, see [`DescribedBatch::array`].
pub(crate) fn write_array<G: Describe>(
    rules: &G::Rules,
    games: impl ExactSizeIterator<Item = G>,
    name: &str,
    out: &mut [i32],
) -> Result<(), StepError> {
    let arrays = G::arrays(rules);
    let index = arrays.iter().position(|array| array.name == name);
    let index = index.ok_or_else(|| StepError::Array { name: name.to_owned(), arrays })?;
    let size = arrays[index].shape.iter().product::<usize>();
    if out.len() != size * games.len() {
        return Err(StepError::Buffer { games: games.len() });
    }
    for (game, out) in games.zip(out.chunks_exact_mut(size)) {
        game.array(rules, index, out);
    }
    Ok(())
}
