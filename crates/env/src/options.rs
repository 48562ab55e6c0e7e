//! What may be chosen when a batch is made, whatever the game.

/// How a batch behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// What an illegal action does.
    pub illegal: Illegal,
    /// When a finished game starts again.
    pub autoreset: Autoreset,
    /// How many threads step the games; results do not depend on it.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { illegal: Illegal::Error, autoreset: Autoreset::SameStep, threads: 1 }
    }
}

/// What an illegal action does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// The whole step is refused, and nothing changes.
    Error,
    /// Whoever chose it loses the game.
    Lose,
    /// That game stays as it is.
    Ignore,
}

/// When a finished game starts again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Autoreset {
    /// In the step that ends it: flags and rewards speak of the game that ended, the rest of the new
    /// one; the last observation comes apart.
    SameStep,
    /// In the step after, whose action is not looked at.
    NextStep,
    /// Not at all.
    Off,
}
