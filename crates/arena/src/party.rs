//! The players of a game: seats are taken by guests, given to bots, and rotated in a rematch.

use fourfold_table::{Seat, SeatInfo, quote_short};
use serde::{Deserialize, Serialize};

use crate::clock::TimeControl;
use crate::guest::{Guest, GuestId, anywhere};
use crate::protocol::{self, Command, Opponent};
use crate::rating::DisplayedRating;
use crate::realtime;

/// How a game is set up.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) game: String,
    pub(crate) clock: Option<TimeControl>,
    /// The rules of a real-time game, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<String>,
    pub(crate) players: Vec<Player>,
    /// Whether the lobby lists the game. Unlisted games can only be found by their link.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) listed: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Setup {
    /// Creates the setup that a guest asked for.
    ///
    /// # Errors
    /// Returns a message for the guest if there is no such game, seat, bot level, time control or
    /// rule.
    pub(crate) fn wished(
        guest: &Guest,
        game: &str,
        opponent: &Opponent,
        seat: Option<Seat>,
        clock: Option<TimeControl>,
        rules: &Option<String>,
    ) -> Result<Setup, String> {
        let turns = fourfold_table::GAMES.iter().find(|info| info.id == game);
        let words = rules.as_deref().unwrap_or_default();
        let (seats, rules) = match (turns, realtime::find(game)) {
            (Some(info), _) if words.trim().is_empty() => (info.seats.len(), None),
            (Some(_), _) => return Err(format!("{game} has no rule options")),
            (None, Some(_)) if clock.is_some() => {
                return Err("real-time games have no clocks".to_owned());
            }
            (None, Some(_)) if *opponent == Opponent::Myself => {
                return Err(
                    "real-time games cannot be played on one screen: play a friend or a bot"
                        .to_owned(),
                );
            }
            (None, Some(kind)) => {
                let rules = kind.rules(words)?;
                (rules.seats.len(), Some(rules.to_string()))
            }
            (None, None) => return Err(format!("there is no game '{}'", quote_short(game))),
        };
        if let Some(clock) = clock {
            clock.check()?;
        }
        let place = match seat {
            Some(seat) => seat.index(),
            None => anywhere(seats),
        };
        if place >= seats {
            return Err(format!("{game} has no seat {place}"));
        }
        let me = || Player::Guest { guest: guest.id, name: guest.name.clone() };
        let other = match opponent {
            Opponent::Friend => Player::Open,
            Opponent::Myself => me(),
            Opponent::Bot(level) => Player::bot(game, level)?,
        };
        let mut players = vec![other; seats];
        players[place] = me();
        Ok(Setup { game: game.to_owned(), clock, rules, players, listed: false })
    }
}

impl Setup {
    /// Creates the setup of a game that was read from a file. The players are known only by `name`.
    pub(crate) fn of_file(
        game: &str,
        seats: &[SeatInfo],
        name: impl Fn(usize) -> Option<String>,
    ) -> Setup {
        let player = |(seat, place): (usize, &SeatInfo)| {
            let mut letters = place.name.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            let usual = || first.into_iter().chain(letters).collect();
            let name = name(seat).filter(|name| !matches!(name.trim(), "" | "?"));
            Player::Guest { guest: GuestId(-1), name: name.unwrap_or_else(usual) }
        };
        let players = seats.iter().enumerate().map(player).collect();
        Setup { game: game.to_owned(), clock: None, rules: None, players, listed: false }
    }
}

/// The occupant of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Player {
    /// Nobody yet.
    Open,
    /// A human player.
    Guest { guest: GuestId, name: String },
    /// A bot of this level.
    Bot { level: String, name: String },
}

impl Player {
    /// Returns a bot of the given level.
    ///
    /// # Errors
    /// Returns a message for the guest if the game has no such level.
    pub(crate) fn bot(game: &str, level: &str) -> Result<Player, String> {
        let found = fourfold_bots::levels(game).iter().find(|known| known.id == level);
        let found = found.ok_or_else(|| format!("{game} has no bot '{}'", quote_short(level)))?;
        Ok(Player::Bot { level: found.id.to_owned(), name: found.name.to_owned() })
    }

    pub(crate) const fn is_bot(&self) -> bool {
        matches!(self, Player::Bot { .. })
    }
}

/// Something that happens to the seats of a game, whatever its rules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Seating {
    Sit {
        seat: Seat,
        guest: GuestId,
        name: String,
    },
    /// A bot takes an open seat.
    Fill {
        seat: Seat,
        level: String,
        name: String,
    },
    /// These seats want a rematch. `next` is the id of the new game once all of them do.
    Rematch {
        seats: Vec<Seat>,
        next: Option<String>,
    },
    Rename {
        guest: GuestId,
        name: String,
    },
}

/// The players of a game.
pub(crate) struct Party {
    setup: Setup,
    /// The seats' names.
    names: Vec<&'static str>,
    players: Vec<Player>,
    rematch: Vec<Seat>,
    next: Option<String>,
    /// The players' ratings in the game's pool, by seat; empty if unknown.
    standings: Vec<DisplayedRating>,
}

impl Party {
    /// Creates the players of a new game whose seats have these names.
    ///
    /// # Errors
    /// Fails if the setup has a different number of seats.
    pub(crate) fn new(setup: Setup, names: Vec<&'static str>) -> Result<Party, String> {
        let (wanted, seats) = (setup.players.len(), names.len());
        if wanted != seats {
            return Err(format!("{} has {seats} seats, got {wanted} players", setup.game));
        }
        let players = setup.players.clone();
        Ok(Party { setup, names, players, rematch: Vec::new(), next: None, standings: Vec::new() })
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(crate) fn players(&self) -> &[Player] {
        &self.players
    }

    /// Returns the occupant of a seat, or `None` if there is no such seat.
    pub(crate) fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.get(seat.index())
    }

    pub(crate) fn rematch(&self) -> &[Seat] {
        &self.rematch
    }

    pub(crate) fn next(&self) -> Option<&str> {
        self.next.as_deref()
    }

    /// Returns the players' ratings by seat; empty if unknown.
    pub(crate) fn standings(&self) -> &[DisplayedRating] {
        &self.standings
    }

    /// Sets the players' ratings.
    pub(crate) fn know(&mut self, standings: Vec<DisplayedRating>) {
        self.standings = standings;
    }

    /// Returns the name of the first open seat.
    pub(crate) fn open_seat(&self) -> Option<&'static str> {
        let open = self.players.iter().position(|player| *player == Player::Open)?;
        self.names.get(open).copied()
    }

    /// Returns the seats of a guest.
    pub(crate) fn seats_of(&self, guest: GuestId) -> Vec<Seat> {
        self.seats_where(
            |player| matches!(player, Player::Guest { guest: other, .. } if *other == guest),
        )
    }

    pub(crate) fn seats_where(&self, wanted: impl Fn(&Player) -> bool) -> Vec<Seat> {
        let seats = self.players.iter().enumerate().filter(|(_, player)| wanted(player));
        seats.map(|(seat, _)| Seat::new(seat as u8)).collect()
    }

    /// Whether all seats other than `mine` belong to bots.
    pub(crate) fn is_among_bots(&self, mine: &[Seat]) -> bool {
        self.players
            .iter()
            .enumerate()
            .all(|(seat, player)| mine.contains(&Seat::new(seat as u8)) || player.is_bot())
    }

    /// Whether a guest has a seat here under a different name.
    pub(crate) fn would_rename(&self, guest: GuestId, name: &str) -> bool {
        self.players.iter().any(|player| {
            matches!(player, Player::Guest { guest: other, name: old } if *other == guest && old != name)
        })
    }

    /// Returns the setup of a rematch, in which everybody moves on by one seat, if all players want
    /// one once these seats do.
    pub(crate) fn rematch_with(&self, seats: &[Seat]) -> Option<Setup> {
        let all = (0..self.players.len()).map(|seat| Seat::new(seat as u8));
        let agreed =
            all.into_iter().all(|seat| self.rematch.contains(&seat) || seats.contains(&seat));
        let mut players = self.players.clone();
        players.rotate_right(1);
        agreed.then(|| Setup { players, ..self.setup.clone() })
    }

    /// Applies an event.
    ///
    /// # Errors
    /// Fails if there is no such seat.
    pub(crate) fn act(&mut self, act: &Seating) -> Result<(), String> {
        match act {
            Seating::Sit { seat, guest, name } => {
                self.seat(*seat, Player::Guest { guest: *guest, name: name.clone() })?;
            }
            Seating::Fill { seat, level, name } => {
                self.seat(*seat, Player::Bot { level: level.clone(), name: name.clone() })?;
            }
            Seating::Rematch { seats, next } => {
                self.rematch.extend(seats);
                self.rematch.sort_unstable();
                self.rematch.dedup();
                self.next.clone_from(next);
            }
            Seating::Rename { guest, name } => {
                for player in &mut self.players {
                    match player {
                        Player::Guest { guest: other, name: old } if other == guest => {
                            old.clone_from(name);
                        }
                        Player::Open | Player::Guest { .. } | Player::Bot { .. } => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// Assigns a seat.
    fn seat(&mut self, seat: Seat, player: Player) -> Result<(), String> {
        *self.players.get_mut(seat.index()).ok_or("there is no such seat")? = player;
        Ok(())
    }

    /// Turns a guest's command into an event if it is about seats. `over` is the outcome of a
    /// finished game, as text.
    ///
    /// # Errors
    /// Returns a message for the guest if the command is not allowed now.
    pub(crate) fn decide(
        &self,
        guest: GuestId,
        name: &str,
        command: &Command,
        over: Option<&str>,
    ) -> Result<Option<Seating>, String> {
        let mine = self.seats_of(guest);
        match command {
            Command::Sit { seat } => {
                self.check_open(*seat, over)?;
                if !mine.is_empty() {
                    return Err("you already have a seat".to_owned());
                }
                Ok(Some(Seating::Sit { seat: *seat, guest, name: name.to_owned() }))
            }
            _ if mine.is_empty() => Err("you are watching: only players can do that".to_owned()),
            Command::Fill { seat, bot } => {
                self.check_open(*seat, over)?;
                match Player::bot(&self.setup.game, bot)? {
                    Player::Bot { level, name } => {
                        Ok(Some(Seating::Fill { seat: *seat, level, name }))
                    }
                    Player::Open | Player::Guest { .. } => Err("not a bot".to_owned()),
                }
            }
            _ if self.open_seat().is_some() => {
                let open = self.open_seat().unwrap_or_default();
                Err(format!("waiting for a player to take {open}'s seat"))
            }
            Command::Rematch => self.decide_on_rematch(mine, over).map(Some),
            _ => Ok(None),
        }
    }

    /// Checks that a seat exists and is open, and that the game is not over.
    fn check_open(&self, seat: Seat, over: Option<&str>) -> Result<(), String> {
        match self.players.get(seat.index()) {
            None => Err(format!("there is no seat {seat}")),
            Some(Player::Open) => {
                over.map_or(Ok(()), |text| Err(format!("the game is over: {text}")))
            }
            Some(_) => Err(format!("{}'s seat is taken", self.names[seat.index()])),
        }
    }

    fn decide_on_rematch(&self, mine: Vec<Seat>, over: Option<&str>) -> Result<Seating, String> {
        if over.is_none() {
            return Err("the game is not over yet".to_owned());
        }
        if self.next.is_some() || mine.iter().all(|seat| self.rematch.contains(seat)) {
            return Err("you have already offered a rematch".to_owned());
        }
        let bots = self.seats_where(Player::is_bot);
        Ok(Seating::Rematch { seats: [mine, bots].concat(), next: None })
    }

    /// Returns the players as sent to pages. `here` says which guests are connected.
    pub(crate) fn shown(&self, here: impl Fn(GuestId) -> bool) -> Vec<protocol::Player<'_>> {
        let players = self.players.iter().map(|player| match player {
            Player::Open => protocol::Player::Open,
            Player::Guest { guest, name } => protocol::Player::Guest { name, here: here(*guest) },
            Player::Bot { name, .. } => protocol::Player::Bot { name, here: true },
        });
        players.collect()
    }
}
