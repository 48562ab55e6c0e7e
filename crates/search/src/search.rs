//! The search of many games at once.

use fourfold_env::{Action, Game, MAX_PLAYERS, Outputs, Pool, Shown, Spec, apply_to, show};

use crate::error::SearchError;
use crate::evaluate::{Evaluate, Leaf};
use crate::options::Options;
use crate::seeker::{Seeker, Shared, Tried};
use crate::tree;

/// Trees of many games of one kind.
pub struct Search<G: Game> {
    shared: Shared<G>,
    seekers: Vec<Seeker<G>>,
    /// For each game how many leaves wait in those before it; at the end how many wait in all.
    firsts: Vec<usize>,
    pool: Pool,
}

/// Logits of leaves, one row for each of those who act in a leaf.
#[derive(Clone, Copy, Debug)]
pub enum Logits<'a> {
    /// One for each action that the game has.
    Dense(&'a [f32]),
    /// One for each place in a list of legal actions, as long as the spec's `max_legal`.
    Listed(&'a [f32]),
}

/// What trees take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// Nodes of all trees.
    pub nodes: usize,
    /// Their edges.
    pub edges: usize,
    /// Edges of nodes that were walked through.
    pub tried_edges: usize,
    /// Bytes that nodes and edges fill.
    pub used: usize,
    /// Bytes that are set aside, for states and leaves too.
    pub bytes: usize,
    /// Bytes of one node without its edges.
    pub node_bytes: usize,
    /// Bytes of one edge.
    pub edge_bytes: usize,
    /// Bytes that an edge takes in addition where its node was walked through.
    pub tried_bytes: usize,
}

impl<G: Game> Search<G> {
    /// Trees for so many games, all of them empty.
    ///
    /// # Errors
    /// If an option is out of its range.
    pub fn new(rules: G::Rules, games: usize, options: Options) -> Result<Search<G>, SearchError> {
        let spec = G::spec(&rules);
        options.check(&spec)?;
        let shared = Shared { rules, spec, options };
        let seekers = (0..games).map(|game| Seeker::new(&shared, game)).collect();
        let pool = Pool::new(options.threads);
        Ok(Search { shared, seekers, firsts: vec![0; games + 1], pool })
    }

    /// What the games are played by.
    pub const fn rules(&self) -> &G::Rules {
        &self.shared.rules
    }

    /// The sizes of the game.
    pub const fn spec(&self) -> &Spec {
        &self.shared.spec
    }

    /// What was chosen when the search was made.
    pub const fn options(&self) -> &Options {
        &self.shared.options
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.seekers.len()
    }

    /// Walks down the trees of all games, which stand where `state` says, until there are leaves to
    /// evaluate; returns how many. With none left the search is done, and the next call begins another
    /// one, which goes on from what is known already.
    ///
    /// # Errors
    /// If leaves wait.
    pub fn leaves<'a>(
        &mut self,
        state: impl Fn(usize) -> &'a G + Sync,
    ) -> Result<usize, SearchError> {
        self.none_wait()?;
        let shared = &self.shared;
        self.pool.each(&mut self.seekers, |game, seeker| {
            seeker.begin(shared, state(game));
            seeker.gather(shared);
        });
        let mut sum = 0;
        for (seeker, first) in self.seekers.iter().zip(&mut self.firsts) {
            *first = sum;
            sum += seeker.waiting().len();
        }
        self.firsts[self.seekers.len()] = sum;
        if sum == 0 {
            self.seekers.iter_mut().for_each(Seeker::end);
        }
        Ok(sum)
    }

    /// The search of one game.
    #[cfg(test)]
    pub(crate) fn seeker(&self, game: usize) -> &Seeker<G> {
        &self.seekers[game]
    }

    /// How many leaves wait for their values.
    fn wait_count(&self) -> usize {
        self.firsts.last().copied().unwrap_or(0)
    }

    fn none_wait(&self) -> Result<(), SearchError> {
        match self.wait_count() {
            0 => Ok(()),
            leaves => Err(SearchError::LeavesWait { leaves }),
        }
    }

    /// The leaves that wait for their values, game by game.
    pub fn waiting(&self) -> impl Iterator<Item = &Leaf<G>> {
        self.seekers.iter().flat_map(Seeker::waiting)
    }

    /// Shows the leaves that wait as a batch shows its games: masks, observations and acting players.
    ///
    /// # Errors
    /// If a buffer does not have a row for each leaf.
    pub fn show(&mut self, out: Outputs<'_>) -> Result<(), SearchError> {
        let expected = self.wait_count();
        if !out.fit(expected) {
            return Err(SearchError::Length { what: "rows for leaves", expected, found: 0 });
        }
        let leaves = self.seekers.iter().flat_map(Seeker::waiting);
        let shown: Vec<Shown<'_, G>> =
            leaves.map(|leaf| Shown { game: &leaf.state, lists: &leaf.lists }).collect();
        let Shared { rules, spec, .. } = &self.shared;
        show(rules, spec, &mut self.pool, &shown, out);
        Ok(())
    }

    /// Takes over logits and values of the leaves that wait, in their order. Logits of actions that are
    /// not legal are not looked at; values are what each player gets from the leaf on.
    ///
    /// # Errors
    /// If no leaf waits, there are too many or too few numbers, or some are none. Then the leaves wait on.
    pub fn backup(&mut self, logits: Logits<'_>, values: &[f32]) -> Result<(), SearchError> {
        let Shared { spec, .. } = &self.shared;
        let (leaves, rows, players) = (self.wait_count(), spec.mask_rows(), spec.players);
        if leaves == 0 {
            return Err(SearchError::NoLeaves);
        }
        let (width, numbers) = match logits {
            Logits::Dense(numbers) => (spec.actions, numbers),
            Logits::Listed(numbers) => (spec.max_legal, numbers),
        };
        let lengths = [
            ("logits", leaves * rows * width, numbers.len()),
            ("values", leaves * players, values.len()),
        ];
        for (what, expected, found) in lengths {
            if expected != found {
                return Err(SearchError::Length { what, expected, found });
            }
        }
        let firsts = &self.firsts;
        self.pool.each(&mut self.seekers, |game, seeker| {
            for (index, leaf) in seeker.waiting_mut().iter_mut().enumerate() {
                let place = firsts[game] + index;
                leaf.values[..players].copy_from_slice(&values[place * players..][..players]);
                let given = numbers[place * rows * width..].chunks_exact(width);
                for ((actions, out), given) in leaf.rows().zip(given) {
                    match logits {
                        Logits::Dense(_) => {
                            for (out, &action) in out.iter_mut().zip(actions) {
                                *out = given[action as usize];
                            }
                        }
                        Logits::Listed(_) => out.copy_from_slice(&given[..actions.len()]),
                    }
                }
            }
        });
        let faults = self.seekers.iter().zip(&self.firsts);
        let fault = faults.into_iter().find_map(|(seeker, first)| {
            seeker.check().map(|(index, what)| SearchError::NotFinite { what, leaf: first + index })
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        let shared = &self.shared;
        self.pool.each(&mut self.seekers, |_, seeker| seeker.absorb(shared));
        self.firsts.fill(0);
        Ok(())
    }

    /// Searches all games, which stand where `state` says, with an evaluator at hand.
    ///
    /// # Errors
    /// If leaves wait, or the evaluator says what are no numbers.
    pub fn run<'a, E: Evaluate<G>>(
        &mut self,
        state: impl Fn(usize) -> &'a G + Sync,
        evaluator: &E,
    ) -> Result<(), SearchError> {
        self.run_until(state, evaluator, || false)
    }

    /// As [`Search::run`], but ends early when `stop` says so; it is asked between leaves.
    ///
    /// # Errors
    /// As for [`Search::run`].
    pub fn run_until<'a, E: Evaluate<G>>(
        &mut self,
        state: impl Fn(usize) -> &'a G + Sync,
        evaluator: &E,
        stop: impl Fn() -> bool + Sync,
    ) -> Result<(), SearchError> {
        self.none_wait()?;
        let shared = &self.shared;
        let fault = std::sync::Mutex::new(None);
        self.pool.each(&mut self.seekers, |game, seeker| {
            let mut memory = E::Memory::default();
            seeker.begin(shared, state(game));
            while !stop() {
                seeker.gather(shared);
                let leaves = seeker.waiting_mut();
                if leaves.is_empty() {
                    break;
                }
                evaluator.evaluate(&shared.rules, &shared.spec, &mut memory, leaves);
                if let Some((leaf, what)) = seeker.check() {
                    let mut fault = fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    *fault = Some(SearchError::NotFinite { what, leaf });
                    seeker.forget();
                    break;
                }
                seeker.absorb(shared);
            }
            seeker.end();
        });
        match fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// The actions of a game's root, with what was seen of them: those of the acting player, or of the
    /// player of a row where all act. None where the game is over.
    pub fn tried(&self, game: usize, row: usize) -> Vec<Tried> {
        self.seekers.get(game).map_or_else(Vec::new, |seeker| seeker.tried(&self.shared, row))
    }

    /// How often a game's root was visited, its evaluation included.
    pub fn visits(&self, game: usize) -> u32 {
        let seeker = self.seekers.get(game).filter(|seeker| seeker.root().is_some());
        seeker.map_or(0, |seeker| seeker.tree().node(tree::ROOT).visits)
    }

    /// What each player gets from a game's root on, as far as the search can tell.
    pub fn values(&self, game: usize) -> [f32; MAX_PLAYERS] {
        self.seekers.get(game).map_or([0.0; MAX_PLAYERS], Seeker::values)
    }

    /// Chooses an action for each of those who act in each game: by visits, the most visited at
    /// temperature 0. With Gumbel noise it is the one that was left of the halving, at any temperature.
    /// Where a game is over it is 0.
    ///
    /// # Errors
    /// If there is no room for them, a game was not searched, or the temperature is no number from 0 up.
    pub fn actions(&mut self, temperature: f32, out: &mut [i32]) -> Result<(), SearchError> {
        let rows = self.shared.spec.mask_rows();
        let (expected, found) = (self.seekers.len() * rows, out.len());
        if expected != found {
            return Err(SearchError::Length { what: "places for actions", expected, found });
        }
        if !(0.0..=f32::MAX).contains(&temperature) {
            let (value, range) = (f64::from(temperature), (0.0, f64::from(f32::MAX)));
            return Err(SearchError::Option { what: "temperature", value, range });
        }
        if let Some(game) = self.seekers.iter().position(|seeker| seeker.root().is_none()) {
            return Err(SearchError::NotSearched { game });
        }
        for (seeker, out) in self.seekers.iter_mut().zip(out.chunks_exact_mut(rows)) {
            let actions = seeker.act(&self.shared, temperature).unwrap_or([Action(0); MAX_PLAYERS]);
            for (out, Action(action)) in out.iter_mut().zip(actions) {
                *out = action as i32;
            }
        }
        Ok(())
    }

    /// Goes on in each game to what these actions lead to, and keeps what is known of it. Needed only
    /// where several steps are made between two searches: one step is found without.
    ///
    /// # Errors
    /// If leaves wait, the number of actions differs, or one is not legal; then nothing changes.
    pub fn advance(&mut self, actions: &[i32]) -> Result<(), SearchError> {
        self.none_wait()?;
        let rows = self.shared.spec.mask_rows();
        let (expected, found) = (self.seekers.len() * rows, actions.len());
        if expected != found {
            return Err(SearchError::Length { what: "actions", expected, found });
        }
        let ids: Vec<Action> = actions.iter().map(|&id| Action(id.cast_unsigned())).collect();
        for (game, (seeker, ids)) in self.seekers.iter().zip(ids.chunks_exact(rows)).enumerate() {
            if let Some(row) = seeker.illegal(ids) {
                let action = i64::from(actions[game * rows + row]);
                return Err(SearchError::Illegal { game, action });
            }
        }
        let shared = &self.shared;
        self.pool.each(&mut self.seekers, |game, seeker| {
            seeker.advance(shared, &ids[game * rows..][..rows]);
        });
        Ok(())
    }

    /// Forgets all trees, and leaves that wait.
    pub fn forget(&mut self) {
        self.seekers.iter_mut().for_each(Seeker::forget);
        self.firsts.fill(0);
    }

    /// The line of most visits of a game, at most so many steps long, as people write it; where all act,
    /// the players' actions of a step stand in one text.
    pub fn line(&self, game: usize, longest: usize) -> Vec<String> {
        let Some(seeker) = self.seekers.get(game) else { return Vec::new() };
        let Some(mut state) = seeker.root().cloned() else { return Vec::new() };
        let Shared { rules, spec, .. } = &self.shared;
        let mut texts = Vec::new();
        for actions in seeker.line(spec.mask_rows(), longest) {
            let actions = &actions[..spec.mask_rows()];
            let write = |(seat, &action)| state.write_action(rules, seat, action);
            let written: Vec<String> = actions.iter().enumerate().filter_map(write).collect();
            texts.push(written.join(" "));
            apply_to(rules, &mut state, actions);
        }
        texts
    }

    /// What the trees take.
    pub fn memory(&self) -> Memory {
        let [node_bytes, edge_bytes, tried_bytes] = tree::sizes(self.shared.spec.players);
        let mut memory = Memory { node_bytes, edge_bytes, tried_bytes, ..Memory::default() };
        for seeker in &self.seekers {
            let [nodes, edges, tried] = seeker.tree().counts();
            memory.nodes += nodes;
            memory.edges += edges;
            memory.tried_edges += tried;
            memory.bytes += seeker.tree().bytes() + seeker.state_bytes();
        }
        memory.used = memory.nodes * node_bytes
            + memory.edges * edge_bytes
            + memory.tried_edges * tried_bytes;
        memory
    }
}
