//! The players of a game: seats are taken by guests, given to bots, and rotated in a rematch.

use fourfold_bots::Level;
use fourfold_kung_fu::Rules;
use fourfold_table::{GameInfo, Seat, SeatInfo, capitalize, ensure, quote_short};
use serde::{Deserialize, Deserializer, Serialize};

use crate::clock::TimeControl;
use crate::guest::{Guest, GuestId, random_index};
use crate::protocol::{self, Command, Opponent};
use crate::rating::DisplayedRating;
use crate::realtime;

/// Refuses a command of a guest without a seat.
pub(crate) const WATCHING: &str = "you are watching: only players can do that";

/// How a game is set up.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) game: String,
    pub(crate) clock: Option<TimeControl>,
    /// The rules of a real-time game, as text.
    #[serde(default, deserialize_with = "current_rules", skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<String>,
    pub(crate) players: Vec<Player>,
    /// Whether the lobby lists the game. Unlisted games can only be found by their link.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) listed: bool,
    /// Whether the players chose not to be rated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) casual: bool,
    /// The start position, in the game's own notation, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<String>,
}

/// Reads the rules of a real-time game; rules in former words are written in current ones.
fn current_rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let words = Option::<String>::deserialize(deserializer)?;
    // Invalid rules are refused when the game is opened.
    Ok(words.map(|words| Rules::parse(&words).map_or(words, |rules| rules.to_string())))
}

impl Setup {
    /// Creates the setup that a guest asked for.
    ///
    /// # Errors
    /// Returns a message for the guest if there is no such game, seat, bot level, time control or
    /// rule.
    pub(crate) fn requested(
        guest: &Guest,
        game: &str,
        opponent: &Opponent,
        seat: Option<Seat>,
        clock: Option<TimeControl>,
        rules: &Option<String>,
    ) -> Result<Setup, String> {
        let turns = GameInfo::of(game);
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
                (rules.players.len(), Some(rules.to_string()))
            }
            (None, None) => return Err(format!("there is no game '{}'", quote_short(game))),
        };
        if let Some(clock) = clock {
            clock.check()?;
        }
        let place = match seat {
            Some(seat) => seat.index(),
            None => random_index(seats),
        };
        ensure!(place < seats, "{game} has no seat {place}");
        let me = || Player::Guest { guest: guest.id, name: guest.name.clone() };
        let other = match opponent {
            Opponent::Friend => Player::Open,
            Opponent::Myself => me(),
            Opponent::Bot(level) => Player::bot(game, level)?,
        };
        let mut players = vec![other; seats];
        players[place] = me();
        let game = game.to_owned();
        Ok(Setup { game, clock, rules, players, listed: false, casual: false, start: None })
    }

    /// Returns the setup of a game that begins with a position. It is unrated.
    ///
    /// # Errors
    /// Returns a message for the guest if the game cannot be played from there.
    pub(crate) fn starting_at(self, start: Option<String>) -> Result<Setup, String> {
        let Some(start) = start else { return Ok(self) };
        ensure!(self.game == "chess", "only chess can start from a position");
        let mut table = fourfold_table::make(&self.game).map_err(|error| error.to_string())?;
        table.set(&start).map_err(|error| error.to_string())?;
        if let Some(outcome) = table.outcome() {
            return Err(format!("the game is already over in this position: {}", outcome.text));
        }
        Ok(Setup { start: Some(start), casual: true, ..self })
    }

    /// Creates the setup of a game that was read from a file. The players are known only by `name`.
    pub(crate) fn of_file(
        game: &str,
        seats: &[SeatInfo],
        name: impl Fn(usize) -> Option<String>,
    ) -> Setup {
        let player = |(seat, place): (usize, &SeatInfo)| {
            let name = name(seat).filter(|name| !matches!(name.trim(), "" | "?"));
            let name = name.unwrap_or_else(|| capitalize(place.name));
            Player::Guest { guest: GuestId(-1), name }
        };
        let players = seats.iter().enumerate().map(player).collect();
        let game = game.to_owned();
        Setup { game, clock: None, rules: None, players, listed: false, casual: false, start: None }
    }
}

/// Finds a level of the bots of a game.
///
/// # Errors
/// Returns a message for the guest if there is no such level.
fn find_level(game: &str, id: &str) -> Result<&'static Level, String> {
    let found = fourfold_learned::find(game, id);
    found.ok_or_else(|| format!("{game} has no bot '{}'", quote_short(id)))
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
        let found = find_level(game, level)?;
        Ok(Player::Bot { level: found.id.to_owned(), name: found.name.to_owned() })
    }

    /// Returns the guest, if the player is one.
    pub(crate) fn guest(&self) -> Option<GuestId> {
        if let Player::Guest { guest, .. } = self { Some(*guest) } else { None }
    }

    /// Returns the level, if the player is a bot.
    pub(crate) fn level(&self) -> Option<&str> {
        if let Player::Bot { level, .. } = self { Some(level) } else { None }
    }

    pub(crate) const fn is_bot(&self) -> bool {
        matches!(self, Player::Bot { .. })
    }
}

/// Something that happens at the seats of a game, whatever its rules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeatEvent {
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
    /// A seat offers a draw, or accepts the one that was offered.
    Offer(Seat),
    Decline,
}

impl SeatEvent {
    /// Whether a seat has a new occupant.
    pub(crate) fn fills_seat(&self) -> bool {
        matches!(self, SeatEvent::Sit { .. } | SeatEvent::Fill { .. })
    }
}

/// The seats that have to agree to a draw, and the reason if they never will.
pub(crate) struct DrawVote {
    pub(crate) seats: Vec<Seat>,
    pub(crate) refusal: Option<String>,
}

/// The players of a game.
pub(crate) struct Seats {
    /// The id of the game.
    pub(crate) id: String,
    pub(crate) setup: Setup,
    /// The seats' names.
    names: Vec<&'static str>,
    pub(crate) players: Vec<Player>,
    /// The seats that want a draw, starting with the one that offered it.
    pub(crate) draw: Vec<Seat>,
    /// The seats that want a rematch, and the id of the next game once all of them do.
    pub(crate) rematch: Vec<Seat>,
    pub(crate) next: Option<String>,
    /// The players' ratings in the game's pool, by seat; empty if unknown.
    pub(crate) ratings: Vec<DisplayedRating>,
}

impl Seats {
    /// Creates the players of a new game whose seats have these names.
    ///
    /// # Errors
    /// Fails if the setup has a different number of seats.
    pub(crate) fn new(id: String, setup: Setup, names: Vec<&'static str>) -> Result<Seats, String> {
        let (players, seats) = (setup.players.clone(), names.len());
        let (game, count) = (&setup.game, players.len());
        ensure!(count == seats, "{game} has {seats} seats, got {count} players");
        let (draw, rematch, next, ratings) = (Vec::new(), Vec::new(), None, Vec::new());
        Ok(Seats { id, setup, names, players, draw, rematch, next, ratings })
    }

    /// Returns the occupant of a seat, or `None` if there is no such seat.
    pub(crate) fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.get(seat.index())
    }

    /// Returns the name of the first open seat.
    pub(crate) fn open_seat(&self) -> Option<&'static str> {
        let open = self.players.iter().position(|player| *player == Player::Open)?;
        self.names.get(open).copied()
    }

    /// Returns the seats of a guest.
    pub(crate) fn seats_of(&self, guest: GuestId) -> Vec<Seat> {
        self.seats_where(|player| player.guest() == Some(guest))
    }

    pub(crate) fn seats_where(&self, wanted: impl Fn(&Player) -> bool) -> Vec<Seat> {
        let seats = self.players.iter().enumerate().filter(|(_, player)| wanted(player));
        seats.map(|(seat, _)| Seat::new(seat as u8)).collect()
    }

    /// Whether all seats other than `mine` belong to bots.
    pub(crate) fn is_among_bots(&self, mine: &[Seat]) -> bool {
        self.seats_where(|player| !player.is_bot()).iter().all(|seat| mine.contains(seat))
    }

    /// Whether a guest waits for other people, and none has come yet.
    pub(crate) fn is_one_waiting(&self) -> bool {
        let mut guests = self.players.iter().filter_map(Player::guest);
        self.open_seat().is_some() && guests.next().is_some() && guests.next().is_none()
    }

    /// Whether one guest has all seats.
    pub(crate) fn is_on_one_screen(&self) -> bool {
        self.players.windows(2).all(|pair| pair[0].guest() == pair[1].guest())
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
        let agreed = |seat: &Seat| self.rematch.contains(seat) || seats.contains(seat);
        let agreed = self.seats_where(|_| true).iter().all(agreed);
        let mut players = self.players.clone();
        players.rotate_right(1);
        agreed.then(|| Setup { players, ..self.setup.clone() })
    }

    /// Applies an event.
    ///
    /// # Errors
    /// Fails if there is no such seat.
    pub(crate) fn apply(&mut self, event: &SeatEvent) -> Result<(), String> {
        match event {
            SeatEvent::Sit { seat, guest, name } => {
                self.seat(*seat, Player::Guest { guest: *guest, name: name.clone() })?;
            }
            SeatEvent::Fill { seat, level, name } => {
                self.seat(*seat, Player::Bot { level: level.clone(), name: name.clone() })?;
            }
            SeatEvent::Rematch { seats, next } => {
                self.rematch.extend(seats);
                self.rematch.sort_unstable();
                self.rematch.dedup();
                self.next.clone_from(next);
            }
            SeatEvent::Rename { guest, name } => {
                for player in &mut self.players {
                    if let Player::Guest { guest: other, name: old } = player
                        && other == guest
                    {
                        old.clone_from(name);
                    }
                }
            }
            SeatEvent::Offer(seat) => self.draw.push(*seat),
            SeatEvent::Decline => self.draw.clear(),
        }
        Ok(())
    }

    /// Assigns a seat.
    fn seat(&mut self, seat: Seat, player: Player) -> Result<(), String> {
        *self.players.get_mut(seat.index()).ok_or("there is no such seat")? = player;
        Ok(())
    }

    /// Turns a guest's command into an event if it does not depend on the rules. `over` is the
    /// outcome of a finished game, as text. Returns `None` for a draw if all seats of `vote` agree.
    ///
    /// # Errors
    /// Returns a message for the guest if the command is not allowed now.
    pub(crate) fn decide(
        &self,
        guest: GuestId,
        name: &str,
        command: &Command,
        over: Option<&str>,
        vote: &DrawVote,
    ) -> Result<Option<SeatEvent>, String> {
        let mine = self.seats_of(guest);
        match command {
            Command::Name { name } => Ok(Some(SeatEvent::Rename { guest, name: name.clone() })),
            Command::Sit { seat } => {
                self.check_open(*seat, over)?;
                ensure!(mine.is_empty(), "you already have a seat");
                Ok(Some(SeatEvent::Sit { seat: *seat, guest, name: name.to_owned() }))
            }
            _ if mine.is_empty() => Err(WATCHING.to_owned()),
            Command::Fill { seat, bot } => {
                self.check_open(*seat, over)?;
                let level = find_level(&self.setup.game, bot)?;
                let (level, name) = (level.id.to_owned(), level.name.to_owned());
                Ok(Some(SeatEvent::Fill { seat: *seat, level, name }))
            }
            // The room decides.
            Command::Abort => Ok(None),
            _ if self.open_seat().is_some() => {
                let open = self.open_seat().unwrap_or_default();
                Err(format!("waiting for a player to take {open}'s seat"))
            }
            Command::Rematch => self.decide_on_rematch(mine, over).map(Some),
            Command::Draw => self.decide_on_draw(&mine, over, vote),
            Command::Decline => {
                let asked = vote.seats.iter().any(|seat| mine.contains(seat));
                let agreed = mine.iter().any(|seat| self.draw.contains(seat));
                let offered = asked && !agreed && !self.draw.is_empty();
                ensure!(offered, "nobody has offered you a draw");
                Ok(Some(SeatEvent::Decline))
            }
            _ => Ok(None),
        }
    }

    /// Checks that a seat exists and is open, and that the game is not over.
    fn check_open(&self, seat: Seat, over: Option<&str>) -> Result<(), String> {
        match self.players.get(seat.index()) {
            None => Err(format!("there is no seat {seat}")),
            Some(Player::Open) => check_not_over(over),
            Some(_) => Err(format!("{}'s seat is taken", self.names[seat.index()])),
        }
    }

    /// A draw is agreed once all players who are still in the game want it.
    fn decide_on_draw(
        &self,
        mine: &[Seat],
        over: Option<&str>,
        vote: &DrawVote,
    ) -> Result<Option<SeatEvent>, String> {
        check_not_over(over)?;
        let own = vote.seats.iter().find(|seat| mine.contains(seat));
        let own = own.ok_or("you have been eliminated")?;
        if let Some(refusal) = &vote.refusal {
            return Err(refusal.clone());
        }
        if vote.seats.iter().all(|seat| self.draw.contains(seat) || mine.contains(seat)) {
            return Ok(None);
        }
        match self.draw.iter().position(|seat| mine.contains(seat)) {
            Some(0) => Err("you have already offered a draw".to_owned()),
            Some(_) => Err("you have already accepted the draw".to_owned()),
            None => Ok(Some(SeatEvent::Offer(*own))),
        }
    }

    fn decide_on_rematch(&self, mine: Vec<Seat>, over: Option<&str>) -> Result<SeatEvent, String> {
        ensure!(over.is_some(), "the game is not over yet");
        let offered = self.next.is_some() || mine.iter().all(|seat| self.rematch.contains(seat));
        ensure!(!offered, "you have already offered a rematch");
        let bots = self.seats_where(Player::is_bot);
        Ok(SeatEvent::Rematch { seats: [mine, bots].concat(), next: None })
    }

    /// Returns the players as sent to pages. `connected` says which guests are connected.
    pub(crate) fn to_protocol(
        &self,
        connected: impl Fn(GuestId) -> bool,
    ) -> Vec<protocol::Player<'_>> {
        let players = self.players.iter().map(|player| match player {
            Player::Open => protocol::Player::Open,
            Player::Guest { guest, name } => {
                protocol::Player::Guest { name, connected: connected(*guest) }
            }
            Player::Bot { name, .. } => protocol::Player::Bot { name, connected: true },
        });
        players.collect()
    }
}

/// Fails if the game is over, with the outcome as the reason.
pub(crate) fn check_not_over(over: Option<&str>) -> Result<(), String> {
    over.map_or(Ok(()), |text| Err(format!("the game is over: {text}")))
}
