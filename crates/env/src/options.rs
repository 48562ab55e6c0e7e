//! What may be chosen when a batch is made, whatever the game.

/// How a batch behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// What an illegal action does; without it, what is usual by the game's rules.
    pub illegal: Option<Illegal>,
    /// When a finished game starts again.
    pub autoreset: Autoreset,
    /// How many threads step the games; results do not depend on it.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { illegal: None, autoreset: Autoreset::SameStep, threads: 1 }
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

impl Illegal {
    /// All of them.
    pub const ALL: [Illegal; 3] = [Illegal::Error, Illegal::Lose, Illegal::Ignore];

    /// The name: `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Illegal::Error => "error",
            Illegal::Lose => "lose",
            Illegal::Ignore => "ignore",
        }
    }
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

/// Whose eyes ids and observations are made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The player's own.
    Own,
    /// The first seat's, for everybody.
    Absolute,
}

impl View {
    /// Both, by their names.
    pub(crate) const NAMED: [(&'static str, View); 2] =
        [("own", View::Own), ("absolute", View::Absolute)];

    /// The name: `own`.
    pub const fn name(self) -> &'static str {
        match self {
            View::Own => "own",
            View::Absolute => "absolute",
        }
    }
}
