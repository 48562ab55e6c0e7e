//! A batch of games in the memory of a device.
#![allow(unsafe_code, reason = "launches of kernels with addresses of this batch")]

use fourfold_env::{
    AnyBatch as _, Autoreset, Batch as HostBatch, Describe, DescribedBatch, DeviceGame, Illegal,
    Options, PlainStatus, Seeds, Softmax, Spec, Status, StepError, Stream, entropy,
};
use fourfold_kernels::launch::{Begin, Check, Restart, Show};
use fourfold_kernels::{
    Address, Grid, Memory, NO_ILLEGAL_ACTION, ReportArrays, Sample, SampleLogits, Sizes, sources,
};

use crate::device::{Buffer, Device};
use crate::error::CudaError;
use crate::launcher::Launcher;
use crate::outputs::{Mask, Observation, Outputs};

/// A batch of games of one type on a device. Operations are methods of [`AnyBatch`].
pub struct Batch<G: DeviceGame + Describe> {
    device: Device,
    /// A batch without games, for what people need.
    host: HostBatch<G>,
    memory: Memory<G>,
    buffers: Buffers,
}

/// The buffers whose addresses are in [`Memory`].
struct Buffers {
    games: Buffer,
    streams: Buffer,
    statuses: Buffer,
    ended: Buffer,
    starts: Buffer,
    sources: Buffer,
    first_illegal: Buffer,
    final_planes: Buffer,
    final_scalars: Buffer,
    /// Never read by the host.
    _others: [Buffer; 5],
}

/// What can be done with a batch, whatever its game.
pub trait AnyBatch: Send + Sync {
    /// Returns a batch without games and with the same rules and options, which describes them.
    fn host(&self) -> &dyn DescribedBatch;

    /// Returns the device.
    fn device(&self) -> &Device;

    /// Returns the number of games.
    fn games(&self) -> usize;

    /// Sets the positions that games start from, as text; without any, games start as usual.
    ///
    /// # Errors
    /// Returns an error if a text is not a position, or the game is over in it.
    fn set_starts(&mut self, starts: &[&str]) -> Result<(), CudaError>;

    /// Restarts all games, or those whose byte at the address `chosen` is not 0.
    ///
    /// # Errors
    /// Returns an error if a kernel could not be launched.
    ///
    /// # Safety
    /// The address must be 0, or have a byte for each game.
    unsafe fn reset(&mut self, chosen: u64) -> Result<(), CudaError>;

    /// Restarts the random streams of all games.
    ///
    /// # Errors
    /// Returns an error if the number of seeds is wrong.
    fn reseed(&mut self, seeds: Seeds<'_>) -> Result<(), CudaError>;

    /// Plays the actions at an address. If one is not legal, nothing changes, and a later call
    /// returns an error.
    ///
    /// # Errors
    /// Returns an error if a kernel could not be launched.
    ///
    /// # Safety
    /// The addresses must have room for all games.
    unsafe fn step(&mut self, actions: u64, out: &Outputs) -> Result<(), CudaError>;

    /// Writes the outputs of the current states.
    ///
    /// # Errors
    /// Returns an error if a kernel could not be launched.
    ///
    /// # Safety
    /// The addresses must have room for all games.
    unsafe fn write_outputs(&mut self, out: &Outputs) -> Result<(), CudaError>;

    /// Writes the observations of a player, or as a step does.
    ///
    /// # Errors
    /// Returns an error if a kernel could not be launched.
    ///
    /// # Safety
    /// The addresses must have room for all games.
    unsafe fn observe(&mut self, player: Option<usize>, out: Observation) -> Result<(), CudaError>;

    /// Draws a random legal action for each game.
    ///
    /// # Errors
    /// Returns an error if a kernel could not be launched.
    ///
    /// # Safety
    /// The address must have room for all actions.
    unsafe fn sample(&mut self, seed: Option<u64>, out: u64) -> Result<(), CudaError>;

    /// Draws a legal action for each game by the logits of all actions at an address.
    ///
    /// # Errors
    /// Returns an error if the temperature is negative or not finite, or a kernel could not be launched.
    ///
    /// # Safety
    /// There must be a logit for each action of each row, and room for all actions.
    unsafe fn sample_logits(
        &mut self,
        logits: u64,
        temperature: f32,
        seed: Option<u64>,
        out: u64,
    ) -> Result<(), CudaError>;

    /// Waits for all kernels.
    ///
    /// # Errors
    /// Returns an error if an action of an earlier step was not legal, or a kernel failed.
    fn synchronize(&mut self) -> Result<(), CudaError>;

    /// Returns the games that ended in the latest step.
    ///
    /// # Errors
    /// As for [`AnyBatch::synchronize`].
    fn ended_games(&mut self) -> Result<Vec<usize>, CudaError>;

    /// Writes the final observations of games that ended in the latest step and have restarted.
    ///
    /// # Errors
    /// Returns an error if a kernel could not be launched.
    ///
    /// # Safety
    /// The addresses must have room for the observations of these games.
    unsafe fn final_observations(
        &mut self,
        games: &[usize],
        out: Observation,
    ) -> Result<(), CudaError>;

    /// Copies games to a batch on the CPU, with their random streams.
    ///
    /// # Errors
    /// Returns an error if a kernel failed.
    fn to_host(&mut self) -> Result<Box<dyn DescribedBatch>, CudaError>;

    /// Copies the games with these indices to a batch on the CPU, with their random streams.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or a kernel failed.
    fn games_to_host(&mut self, games: &[usize]) -> Result<Box<dyn DescribedBatch>, CudaError>;

    /// Copies all games from a batch on the CPU with the same rules and size.
    ///
    /// # Errors
    /// Returns an error if the other batch is of another kind.
    fn load_host(&mut self, other: &dyn DescribedBatch) -> Result<(), CudaError>;
}

impl<G: DeviceGame + Describe> Batch<G> {
    /// Creates a batch of games at their start, seeded by the operating system.
    ///
    /// # Errors
    /// Returns an error if the device does not have enough memory.
    pub fn new(
        device: Device,
        rules: G::Rules,
        games: usize,
        options: Options,
    ) -> Result<Batch<G>, CudaError> {
        let numbers = G::rules_to_numbers(&rules);
        let start = G::start(&rules);
        let host = HostBatch::<G>::new(rules, 0, options);
        let spec = host.spec();
        let sizes = Sizes::new(spec, games, host.options());
        let rows = sizes.all_rows();
        let kept = if options.autoreset == Autoreset::SameStep { rows } else { 0 };
        let masks = device.alloc(4 * rows * sizes.mask_words as usize)?;
        let counts = device.alloc(4 * rows)?;
        let group_counts = device.alloc(2 * rows * sizes.group_stride() as usize)?;
        let default_start = device.upload(&[start])?;
        let progress = device.alloc(games)?;
        let buffers = Buffers {
            games: device.alloc(size_of::<G>() * games)?,
            streams: device.alloc(size_of::<Stream>() * games)?,
            statuses: device.upload(&vec![Status::ONGOING.to_plain(); games])?,
            ended: device.alloc(games)?,
            starts: device.alloc(0)?,
            sources: device.upload(&sources(&spec.observation))?,
            first_illegal: device.upload(&[NO_ILLEGAL_ACTION])?,
            final_planes: device.alloc(4 * kept * sizes.plane_words())?,
            final_scalars: device.alloc(4 * kept * sizes.scalars as usize)?,
            _others: [masks, counts, group_counts, default_start, progress],
        };
        let [masks, counts, group_counts, default_start, progress] = &buffers._others;
        let memory = Memory {
            sizes,
            num_starts: 0,
            rules: numbers,
            games: buffers.games.of(),
            streams: buffers.streams.of(),
            statuses: buffers.statuses.of(),
            ended: buffers.ended.of(),
            masks: masks.of(),
            counts: counts.of(),
            group_counts: group_counts.of(),
            starts: buffers.starts.of(),
            default_start: default_start.of(),
            first_illegal: buffers.first_illegal.of(),
            progress: progress.of(),
            final_planes: buffers.final_planes.of(),
            final_scalars: buffers.final_scalars.of(),
        };
        let mut batch = Batch { device, host, memory, buffers };
        batch.reseed(entropy().into())?;
        // SAFETY: there is no address.
        unsafe { batch.reset(0)? };
        Ok(batch)
    }

    fn spec(&self) -> &Spec {
        self.host.spec()
    }

    /// Recomputes the legal actions and the status of all games.
    fn refresh(&mut self) -> Result<(), CudaError> {
        // SAFETY: all addresses are those of this batch.
        unsafe { self.launcher().finish(ReportArrays::NONE, Mask::None, true) }
    }

    fn launcher(&self) -> Launcher<'_, G, false> {
        Launcher {
            device: &self.device,
            module: G::NAME,
            stream: 0,
            memory: self.memory,
            spec: self.spec(),
            sources: self.buffers.sources.of(),
        }
    }
}

impl<G: DeviceGame + Describe> AnyBatch for Batch<G> {
    fn host(&self) -> &dyn DescribedBatch {
        &self.host
    }

    fn device(&self) -> &Device {
        &self.device
    }

    fn games(&self) -> usize {
        self.memory.sizes.games as usize
    }

    fn set_starts(&mut self, starts: &[&str]) -> Result<(), CudaError> {
        self.host.set_starts(starts)?;
        self.buffers.starts = self.device.upload(self.host.starts())?;
        self.memory.starts = self.buffers.starts.of();
        self.memory.num_starts = starts.len() as u32;
        Ok(())
    }

    unsafe fn reset(&mut self, chosen: u64) -> Result<(), CudaError> {
        let kernel = Restart { memory: self.memory, chosen: Address::new(chosen) };
        // SAFETY: the caller promises it.
        unsafe { self.device.launch(G::NAME, &kernel, Grid::of(self.games()))? };
        self.refresh()
    }

    fn reseed(&mut self, seeds: Seeds<'_>) -> Result<(), CudaError> {
        if let Seeds::Each(seeds) = seeds
            && seeds.len() != self.games()
        {
            let (what, expected, found) = ("seeds", self.games(), seeds.len());
            return Err(StepError::Length { what, expected, found }.into());
        }
        let streams: Vec<Stream> = (0..self.games()).map(|game| seeds.stream(game)).collect();
        self.buffers.streams.write(0, &streams)
    }

    unsafe fn step(&mut self, actions: u64, out: &Outputs) -> Result<(), CudaError> {
        let (memory, actions) = (self.memory, Address::new(actions));
        let games = self.games();
        let spread = self.device.spread(games);
        // SAFETY: the caller promises it.
        unsafe {
            if memory.sizes.illegal() == Illegal::Error {
                let grid = Grid::of(memory.sizes.all_rows());
                self.device.launch(G::NAME, &Check { memory, actions }, grid)?;
            }
            let begin = Begin { memory, actions, spread };
            self.device.launch(G::NAME, &begin, Grid::of(games << spread))?;
            let launcher = self.launcher();
            launcher.finish(out.report, out.mask, false)?;
            launcher.write_observations(None, None, out.observation)
        }
    }

    unsafe fn write_outputs(&mut self, out: &Outputs) -> Result<(), CudaError> {
        let show = Show { memory: self.memory, report: out.report };
        // SAFETY: the caller promises it.
        unsafe {
            self.device.launch(G::NAME, &show, Grid::of(self.games()))?;
            let launcher = self.launcher();
            launcher.write_masks(out.mask)?;
            launcher.write_observations(None, None, out.observation)
        }
    }

    unsafe fn observe(&mut self, player: Option<usize>, out: Observation) -> Result<(), CudaError> {
        let players = self.spec().players;
        if let Some(player) = player.filter(|&player| player >= players) {
            return Err(StepError::Player { player, players }.into());
        }
        // SAFETY: the caller promises it.
        unsafe { self.launcher().write_observations(player, None, out) }
    }

    unsafe fn sample(&mut self, seed: Option<u64>, out: u64) -> Result<(), CudaError> {
        let kernel = Sample {
            memory: self.memory,
            seed: seed.unwrap_or(0),
            seeded: seed.is_some().into(),
            out: Address::new(out),
        };
        // SAFETY: the caller promises it.
        unsafe { self.device.launch(G::NAME, &kernel, Grid::of(self.games())) }
    }

    unsafe fn sample_logits(
        &mut self,
        logits: u64,
        temperature: f32,
        seed: Option<u64>,
        out: u64,
    ) -> Result<(), CudaError> {
        let inverse = Softmax::inverse(temperature)
            .ok_or_else(|| StepError::Temperature { temperature: temperature.to_string() })?;
        let kernel = SampleLogits {
            memory: self.memory,
            logits: Address::new(logits),
            inverse,
            seed: seed.unwrap_or(0),
            seeded: seed.is_some().into(),
            out: Address::new(out),
        };
        let grid = SampleLogits::<G>::grid(&self.memory.sizes);
        // SAFETY: the caller promises it.
        unsafe { self.device.launch(G::NAME, &kernel, grid) }
    }

    fn synchronize(&mut self) -> Result<(), CudaError> {
        let mut found = [0u64];
        self.buffers.first_illegal.read(0, &mut found)?;
        if found[0] == NO_ILLEGAL_ACTION {
            return Ok(());
        }
        self.buffers.first_illegal.write(0, &[NO_ILLEGAL_ACTION])?;
        Err(self.illegal((found[0] >> 32) as usize, found[0] as u32 as i32)?.into())
    }

    fn ended_games(&mut self) -> Result<Vec<usize>, CudaError> {
        self.synchronize()?;
        let mut ended = vec![0u8; self.games()];
        self.buffers.ended.read(0, &mut ended)?;
        Ok((0..ended.len()).filter(|&game| ended[game] != 0).collect())
    }

    unsafe fn final_observations(
        &mut self,
        games: &[usize],
        out: Observation,
    ) -> Result<(), CudaError> {
        let views = self.memory.sizes.rows as usize;
        let all = games.iter().flat_map(|game| (0..views).map(move |view| game * views + view));
        let rows: Vec<u32> = all.map(|row| row as u32).collect();
        let buffer = self.device.upload(&rows)?;
        // SAFETY: the caller promises it. The buffer lives until the kernel has run.
        unsafe { self.launcher().write_observations(None, Some((&buffer, rows.len())), out)? };
        self.device.synchronize()
    }

    fn to_host(&mut self) -> Result<Box<dyn DescribedBatch>, CudaError> {
        let games = self.games();
        let mut states = vec![G::start(self.host.rules()); games];
        let mut statuses = vec![Status::ONGOING.to_plain(); games];
        let mut streams = vec![Stream::new(0, 0); games];
        self.buffers.games.read(0, &mut states)?;
        self.buffers.statuses.read(0, &mut statuses)?;
        self.buffers.streams.read(0, &mut streams)?;
        let parts = (0..games).map(|game| (states[game], statuses[game], streams[game]));
        Ok(Box::new(self.host.with_game_parts(parts)?))
    }

    fn games_to_host(&mut self, games: &[usize]) -> Result<Box<dyn DescribedBatch>, CudaError> {
        let mut parts = Vec::with_capacity(games.len());
        for &game in games {
            if game >= self.games() {
                return Err(StepError::NoGame { game, games: self.games() }.into());
            }
            let mut state = [G::start(self.host.rules())];
            let mut status = [Status::ONGOING.to_plain()];
            let mut stream = [Stream::new(0, 0)];
            self.buffers.games.read(game, &mut state)?;
            self.buffers.statuses.read(game, &mut status)?;
            self.buffers.streams.read(game, &mut stream)?;
            parts.push((state[0], status[0], stream[0]));
        }
        Ok(Box::new(self.host.with_game_parts(parts.into_iter())?))
    }

    fn load_host(&mut self, other: &dyn DescribedBatch) -> Result<(), CudaError> {
        let other = self.host.same_kind(other)?;
        let parts: Vec<(G, PlainStatus, Stream)> = other.game_parts().collect();
        if parts.len() != self.games() {
            let (expected, found) = (self.games(), parts.len());
            return Err(StepError::Length { what: "games", expected, found }.into());
        }
        self.buffers.games.write(0, &parts.iter().map(|part| part.0).collect::<Vec<_>>())?;
        self.buffers.statuses.write(0, &parts.iter().map(|part| part.1).collect::<Vec<_>>())?;
        self.buffers.streams.write(0, &parts.iter().map(|part| part.2).collect::<Vec<_>>())?;
        self.refresh()
    }
}

impl<G: DeviceGame + Describe> Batch<G> {
    /// Returns the error for the illegal action with this index.
    fn illegal(&self, index: usize, action: i32) -> Result<StepError, CudaError> {
        let Sizes { rows, actions, .. } = self.memory.sizes;
        let (game, row) = (index / rows as usize, index % rows as usize);
        let mut states = [G::start(self.host.rules())];
        self.buffers.games.read(game, &mut states)?;
        let player = (rows > 1).then_some(row);
        let text = states[0].text();
        Ok(StepError::Illegal { game, player, action, actions: actions as usize, text })
    }
}
