//! Options of a batch that do not depend on the game.

/// How a batch behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// What an illegal action does; `None` selects the default of the game's rules.
    pub illegal: Option<Illegal>,
    /// When a finished game starts again.
    pub autoreset: Autoreset,
    /// The number of threads that step the games; results do not depend on it.
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
    /// The whole step fails, and nothing changes.
    Error,
    /// The player who chose it loses the game.
    Lose,
    /// That game is left unchanged.
    Ignore,
}

impl Illegal {
    /// All variants.
    pub const ALL: [Illegal; 3] = [Illegal::Error, Illegal::Lose, Illegal::Ignore];

    /// Returns the name, for example `error`.
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
    /// In the step that ends it. Flags and rewards describe the finished game, everything else the
    /// new one; the final observation is available separately.
    SameStep,
    /// In the next step, whose action is ignored.
    NextStep,
    /// Never.
    Disabled,
}

impl Autoreset {
    /// All variants.
    pub const ALL: [Autoreset; 3] = [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled];
}

/// The view in which action ids and observations are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Each player has its own view.
    Own,
    /// All players have the first player's view.
    Absolute,
}

impl View {
    /// Both variants by name.
    pub(crate) const NAMED: [(&'static str, View); 2] =
        [("own", View::Own), ("absolute", View::Absolute)];

    /// Returns the view with the index `number` among the variants.
    #[inline(always)]
    pub(crate) const fn from_number(number: u32) -> View {
        if number == 0 { View::Own } else { View::Absolute }
    }

    /// Returns the name, for example `own`.
    pub const fn name(self) -> &'static str {
        View::NAMED[self as usize].0
    }
}
