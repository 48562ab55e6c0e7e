//! One game and its players, as plain data: who may do what, and what follows.
//!
//! A room is told the time and touches neither network nor disk. Whatever changes it is an [`Entry`];
//! the same entries in the same order make the same room, which is how games come back.

use fourfold_table::{Declaration, DeclareError, PlayError, Seat, Table};
use serde::{Deserialize, Serialize};

use crate::clock::{Clock, TimeControl};
use crate::guest::GuestId;
use crate::protocol::{self, Command, Glance, Personal, Place, Public};

/// How a game begins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) game: String,
    pub(crate) clock: Option<TimeControl>,
    pub(crate) players: Vec<Player>,
}

/// Who has a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Player {
    /// Nobody yet.
    Open,
    /// A person.
    Guest { guest: GuestId, name: String },
    /// A bot of this level.
    Bot { level: String, name: String },
}

/// Something that happened in a room, when it did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) at: u64,
    pub(crate) act: Act,
}

/// What can happen in a room.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Act {
    Sit {
        seat: Seat,
        guest: GuestId,
        name: String,
    },
    Move {
        seat: Seat,
        text: String,
    },
    Declare(Declaration),
    Offer(Seat),
    Decline,
    Takeback {
        plies: usize,
    },
    /// Seats want another game; the last of them has made it begin.
    Rematch {
        seats: Vec<Seat>,
        next: Option<String>,
    },
    Rename {
        guest: GuestId,
        name: String,
    },
    /// The server was away since then; the clocks stood still.
    Resume {
        stopped: u64,
    },
}

/// One game and its players.
pub(crate) struct Room {
    id: String,
    setup: Setup,
    table: Box<dyn Table>,
    players: Vec<Player>,
    clock: Option<Clock>,
    /// The clocks' times after each number of moves.
    times: Vec<Vec<u64>>,
    draw: Option<Seat>,
    rematch: Vec<Seat>,
    next: Option<String>,
}

impl Room {
    /// A new game.
    ///
    /// # Errors
    /// If there is no such game, or it has another number of seats.
    pub(crate) fn new(id: String, setup: Setup) -> Result<Room, String> {
        let table = fourfold_table::make(&setup.game).map_err(|error| error.to_string())?;
        let seats = table.seats().len();
        if setup.players.len() != seats {
            return Err(format!("{} has {seats} seats, not {}", setup.game, setup.players.len()));
        }
        let clock = setup.clock.map(|control| Clock::new(control, seats));
        let times = clock.iter().map(|clock| clock.times().to_vec()).collect();
        let players = setup.players.clone();
        let (draw, rematch, next) = (None, Vec::new(), None);
        Ok(Room { id, setup, table, players, clock, times, draw, rematch, next })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn table(&self) -> &dyn Table {
        &*self.table
    }

    pub(crate) fn is_over(&self) -> bool {
        self.table.outcome().is_some()
    }

    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// When somebody's time is up, and whose.
    pub(crate) fn deadline(&self) -> Option<(Seat, u64)> {
        self.clock.as_ref().and_then(Clock::deadline)
    }

    /// Lets nobody's time run any more.
    pub(crate) fn stop_clock(&mut self, now: u64) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
    }

    /// The bot that is to move, by its level.
    pub(crate) fn bot_to_move(&self) -> Option<(Seat, &str)> {
        self.table.acting().into_iter().find_map(|seat| match &self.players[seat.index()] {
            Player::Bot { level, .. } => Some((seat, level.as_str())),
            Player::Open | Player::Guest { .. } => None,
        })
    }

    /// The setup of another game in which everybody has moved on by one seat, if all want it once
    /// these seats do.
    pub(crate) fn rematch_with(&self, seats: &[Seat]) -> Option<Setup> {
        let all = (0..self.players.len()).map(|seat| Seat::new(seat as u8));
        let agreed =
            all.into_iter().all(|seat| self.rematch.contains(&seat) || seats.contains(&seat));
        let mut players = self.players.clone();
        players.rotate_right(1);
        agreed.then(|| Setup { players, ..self.setup.clone() })
    }

    /// What a guest's command means here.
    ///
    /// # Errors
    /// If the guest may not do that now; in words for the guest.
    pub(crate) fn decide(
        &self,
        guest: GuestId,
        name: &str,
        command: &Command,
    ) -> Result<Act, String> {
        if let Command::Sit { seat } = *command {
            return self.decide_to_sit(guest, name, seat);
        }
        let mine = self.seats_of(guest);
        let Some(&first) = mine.first() else {
            return Err("you are watching: only players can do that".to_owned());
        };
        if let Some(open) = self.players.iter().position(|player| *player == Player::Open) {
            return Err(format!("nobody has taken the seat of {} yet", self.table.seats()[open]));
        }
        let acting = self.table.acting().into_iter().find(|seat| mine.contains(seat));
        let speaker = acting.unwrap_or(first);
        match command {
            Command::Move { text, ply } => self.decide_to_move(speaker, text, *ply),
            Command::Resign => Ok(Act::Declare(Declaration::Resign(speaker))),
            Command::Claim => Ok(Act::Declare(Declaration::Claim(speaker))),
            Command::Draw => self.decide_to_draw(&mine, speaker),
            Command::Decline => match self.draw {
                Some(offering) if !mine.contains(&offering) => Ok(Act::Decline),
                _ => Err("nobody has offered you a draw".to_owned()),
            },
            Command::Takeback => self.decide_to_take_back(&mine),
            Command::Rematch => self.decide_on_rematch(mine),
            Command::Sit { .. }
            | Command::Create { .. }
            | Command::Watch { .. }
            | Command::Leave
            | Command::Sync
            | Command::Look { .. }
            | Command::Name { .. } => Err("that is not done in a game".to_owned()),
        }
    }

    fn decide_to_sit(&self, guest: GuestId, name: &str, seat: Seat) -> Result<Act, String> {
        let Some(player) = self.players.get(seat.index()) else {
            return Err(format!("there is no seat {seat}"));
        };
        if *player != Player::Open {
            return Err(format!("the seat of {} is taken", self.table.seats()[seat.index()]));
        }
        if !self.seats_of(guest).is_empty() {
            return Err("you have a seat already".to_owned());
        }
        if let Some(outcome) = self.table.outcome() {
            return Err(format!("the game is over: {}", outcome.text));
        }
        Ok(Act::Sit { seat, guest, name: name.to_owned() })
    }

    fn decide_to_move(&self, seat: Seat, text: &str, ply: usize) -> Result<Act, String> {
        if ply != self.table.ply() && self.table.outcome().is_none() {
            return Err("the position has changed in the meantime".to_owned());
        }
        Ok(Act::Move { seat, text: text.to_owned() })
    }

    fn decide_to_draw(&self, mine: &[Seat], speaker: Seat) -> Result<Act, String> {
        if let Some(outcome) = self.table.outcome() {
            return Err(format!("the game is over: {}", outcome.text));
        }
        if self.draw.is_some_and(|offering| !mine.contains(&offering))
            || mine.len() == self.players.len()
        {
            return Ok(Act::Declare(Declaration::Draw));
        }
        if self.draw.is_some() {
            return Err("your offer stands already".to_owned());
        }
        let bot = self.players.iter().find_map(|player| match player {
            Player::Bot { name, .. } => Some(name),
            Player::Open | Player::Guest { .. } => None,
        });
        match bot {
            Some(name) => Err(format!("{name} would rather play on")),
            None => Ok(Act::Offer(speaker)),
        }
    }

    fn decide_to_take_back(&self, mine: &[Seat]) -> Result<Act, String> {
        if let Some(outcome) = self.table.outcome() {
            return Err(format!("the game is over: {}", outcome.text));
        }
        match self.plies_to_take_back(mine) {
            Some(plies) => Ok(Act::Takeback { plies }),
            None if !self.is_among_bots(mine) => {
                Err("moves are taken back against bots and at one board only".to_owned())
            }
            None => Err("there is no move of yours to take back".to_owned()),
        }
    }

    fn decide_on_rematch(&self, mine: Vec<Seat>) -> Result<Act, String> {
        if !self.is_over() {
            return Err("the game is not over yet".to_owned());
        }
        if self.next.is_some() || mine.iter().all(|seat| self.rematch.contains(seat)) {
            return Err("you have asked for another game already".to_owned());
        }
        let bots = self.seats_where(|player| matches!(player, Player::Bot { .. }));
        Ok(Act::Rematch { seats: [mine, bots].concat(), next: None })
    }

    /// Lets something happen. What was taken back or declared before is judged by the table.
    ///
    /// # Errors
    /// If the rules do not allow it, in their own words; nothing has changed then.
    pub(crate) fn act(&mut self, entry: &Entry) -> Result<(), String> {
        let Entry { at, act } = entry;
        match act {
            Act::Sit { seat, guest, name } => {
                let player = Player::Guest { guest: *guest, name: name.clone() };
                let place = self.players.get_mut(seat.index()).ok_or("there is no such seat")?;
                *place = player;
            }
            Act::Move { seat, text } => {
                self.table.play_as(*seat, text).map_err(in_words)?;
                // An offer stands until somebody else moves.
                self.draw = self.draw.filter(|offering| offering == seat);
                let next = self.table.acting().first().copied();
                if let Some(clock) = &mut self.clock {
                    clock.moved(*seat, next, *at);
                    self.times.truncate(self.table.ply());
                    self.times.push(clock.times().to_vec());
                }
            }
            Act::Declare(declaration) => {
                self.table.declare(*declaration).map_err(declared_in_words)?;
                self.draw = None;
                let next = self.table.acting().first().copied();
                if let Some(clock) = &mut self.clock {
                    clock.run(next, *at);
                }
            }
            Act::Offer(seat) => self.draw = Some(*seat),
            Act::Decline => self.draw = None,
            Act::Takeback { plies } => {
                let ply = self.table.ply().checked_sub(*plies).ok_or("there is no such move")?;
                self.table.jump(ply).map_err(|error| error.to_string())?;
                self.draw = None;
                // Before the first move nobody's time runs.
                let next = self.table.acting().first().copied().filter(|_| ply > 0);
                if let (Some(clock), Some(times)) = (&mut self.clock, self.times.get(ply)) {
                    clock.restore(times, next, *at);
                }
            }
            Act::Rematch { seats, next } => {
                self.rematch.extend(seats);
                self.rematch.sort_unstable();
                self.rematch.dedup();
                self.next.clone_from(next);
            }
            Act::Rename { guest, name } => {
                for player in &mut self.players {
                    match player {
                        Player::Guest { guest: other, name: old } if other == guest => {
                            old.clone_from(name);
                        }
                        Player::Open | Player::Guest { .. } | Player::Bot { .. } => {}
                    }
                }
            }
            Act::Resume { stopped } => {
                if let Some(clock) = &mut self.clock {
                    clock.resume(*stopped, *at);
                }
            }
        }
        Ok(())
    }

    /// The seats of a guest.
    pub(crate) fn seats_of(&self, guest: GuestId) -> Vec<Seat> {
        self.seats_where(
            |player| matches!(player, Player::Guest { guest: other, .. } if *other == guest),
        )
    }

    /// Whether a guest has a seat here under another name.
    pub(crate) fn would_rename(&self, guest: GuestId, name: &str) -> bool {
        self.players.iter().any(|player| {
            matches!(player, Player::Guest { guest: other, name: old } if *other == guest && old != name)
        })
    }

    fn seats_where(&self, wanted: impl Fn(&Player) -> bool) -> Vec<Seat> {
        let seats = self.players.iter().enumerate().filter(|(_, player)| wanted(player));
        seats.map(|(seat, _)| Seat::new(seat as u8)).collect()
    }

    /// Whether nobody else is a person.
    fn is_among_bots(&self, mine: &[Seat]) -> bool {
        self.players.iter().enumerate().all(|(seat, player)| {
            mine.contains(&Seat::new(seat as u8)) || matches!(player, Player::Bot { .. })
        })
    }

    /// How many plies lead back to the latest decision of these seats.
    fn plies_to_take_back(&self, mine: &[Seat]) -> Option<usize> {
        if mine.is_empty() || self.is_over() || !self.is_among_bots(mine) {
            return None;
        }
        let played = self.table.played().iter().rev();
        Some(1 + played.enumerate().find(|(_, played)| mine.contains(&played.seat))?.0)
    }

    /// The game as everybody sees it; `here` says which guests are connected.
    pub(crate) fn public<'a>(
        &'a self,
        now: u64,
        stored: bool,
        here: impl Fn(GuestId) -> bool,
    ) -> Public<'a> {
        let scene = self.table.scene();
        let players = self.players.iter().map(|player| match player {
            Player::Open => protocol::Player::Open,
            Player::Guest { guest, name } => protocol::Player::Guest { name, here: here(*guest) },
            Player::Bot { name, .. } => protocol::Player::Bot { name, here: true },
        });
        let seats = scene.seats.iter().map(|place| Place { name: place.name, edge: place.edge });
        Public {
            id: &self.id,
            game: scene.game,
            seats: seats.collect(),
            board: scene.board,
            players: players.collect(),
            men: scene.men,
            trays: scene.trays,
            last_move: scene.last_move,
            check: scene.check,
            acting: scene.acting,
            claim: scene.claim,
            outcome: scene.outcome,
            moves: self.table.played(),
            clock: self.clock.as_ref().map(|clock| clock.face(now)),
            draw: self.draw,
            rematch: self.rematch.clone(),
            next: self.next.as_deref(),
            stored,
        }
    }

    /// What a guest sees beside that.
    pub(crate) fn personal(&self, guest: GuestId) -> Personal {
        let you = self.seats_of(guest);
        let waiting = self.players.contains(&Player::Open);
        let choices = match waiting {
            true => Vec::new(),
            false => you.iter().flat_map(|&seat| self.table.choices(seat)).collect(),
        };
        let takeback = self.plies_to_take_back(&you).is_some();
        Personal { you, choices, takeback }
    }

    /// The board after some of its moves.
    ///
    /// # Errors
    /// If there are fewer.
    pub(crate) fn glance(&self, ply: usize) -> Result<Glance, String> {
        if ply > self.table.ply() {
            return Err(format!("there are {} moves, not {ply}", self.table.ply()));
        }
        let mut table = self.table.fork();
        table.jump(ply).map_err(|error| error.to_string())?;
        let scene = table.scene();
        Ok(Glance {
            men: scene.men,
            trays: scene.trays,
            last_move: scene.last_move,
            check: scene.check,
        })
    }

    /// What to call the game's file.
    pub(crate) fn file_name(&self) -> String {
        let game = fourfold_table::GAMES.iter().find(|game| game.id == self.setup.game);
        let extension = game.map_or("txt", |game| game.extension);
        format!("{}-{}.{extension}", self.setup.game, self.id)
    }

    /// The game as a file.
    pub(crate) fn export(&self) -> String {
        let mut table = self.table.fork();
        for (seat, player) in self.table.seats().iter().zip(&self.players) {
            if let Player::Guest { name, .. } | Player::Bot { name, .. } = player {
                let mut letters = seat.chars();
                let first = letters.next().map(|letter| letter.to_ascii_uppercase());
                let tag: String = first.into_iter().chain(letters).collect();
                // A game whose file knows no such tag does without.
                let _ = table.set_tag(&tag, name);
            }
        }
        table.export()
    }
}

/// Why a move is refused, for somebody who has the position before them.
fn in_words(error: PlayError) -> String {
    match error {
        PlayError::Illegal { text, reason: None, .. } => {
            let text: String = text.chars().take(20).collect();
            format!("'{text}' is not a legal move here")
        }
        other => other.to_string(),
    }
}

/// Why a declaration is refused, likewise.
fn declared_in_words(error: DeclareError) -> String {
    match error {
        DeclareError::NothingToClaim { .. } => "there is no draw to claim now".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourfold_board::Keys;
    use serde_json::Value;

    const ADA: GuestId = GuestId(1);
    const BOB: GuestId = GuestId(2);
    const EVE: GuestId = GuestId(3);

    fn guest(guest: GuestId) -> Player {
        Player::Guest { guest, name: format!("{}", guest.0) }
    }

    fn bot() -> Player {
        Player::Bot { level: "random".to_owned(), name: "Random".to_owned() }
    }

    fn setup(players: [Player; 2]) -> Setup {
        let clock = Some(TimeControl { initial: 60_000, increment: 1_000 });
        Setup { game: "chess".to_owned(), clock, players: players.to_vec() }
    }

    fn room(players: [Player; 2]) -> Room {
        Room::new("x".to_owned(), setup(players)).expect("chess has two seats")
    }

    /// Everything that pages see of a room.
    fn seen(room: &Room) -> Value {
        let public = protocol::object(&room.public(1_000_000, true, |_| true));
        let personal = [ADA, BOB, EVE].map(|guest| protocol::object(&room.personal(guest)));
        serde_json::json!([public, personal])
    }

    /// A command that makes sense more often than not.
    fn some_command(room: &Room, keys: &mut Keys) -> Command {
        let ply = room.table.ply();
        match keys.next() % 16 {
            0 => Command::Draw,
            1 => Command::Decline,
            2 => Command::Takeback,
            3 => Command::Rematch,
            4 => Command::Sit { seat: Seat::new((keys.next() % 3) as u8) },
            5 if keys.next().is_multiple_of(8) => Command::Resign,
            6 => Command::Claim,
            7 => Command::Move { text: "e2e4".to_owned(), ply: 0 },
            _ => {
                let seat = room.table.acting().first().copied();
                let choices = seat.map_or_else(Vec::new, |seat| room.table.choices(seat));
                let text = match choices.len() {
                    0 => "nothing".to_owned(),
                    count => choices[keys.next() as usize % count].code.clone(),
                };
                Command::Move { text, ply }
            }
        }
    }

    #[test]
    fn the_same_entries_make_the_same_room_and_a_refusal_changes_nothing() {
        let games = [
            [guest(ADA), guest(BOB)],
            [guest(ADA), guest(ADA)],
            [bot(), guest(BOB)],
            [guest(ADA), Player::Open],
        ];
        let mut happened = 0;
        let mut refused = 0;
        for (number, players) in games.into_iter().cycle().take(40).enumerate() {
            let mut keys = Keys::new(number as u64);
            let mut first = room(players.clone());
            let mut entries = Vec::new();
            for step in 0..150 {
                let at = 1_000 * step;
                let who = [ADA, BOB, EVE][(keys.next() % 3) as usize];
                let before = seen(&first);
                let command = some_command(&first, &mut keys);
                let entry = first.decide(who, "Name", &command).map(|act| Entry { at, act });
                match entry.and_then(|entry| first.act(&entry).map(|()| entry)) {
                    Ok(entry) => {
                        happened += 1;
                        entries.push(serde_json::to_string(&entry).expect("plain data"));
                    }
                    Err(_) => {
                        refused += 1;
                        assert_eq!(seen(&first), before, "{command:?} was refused");
                    }
                }
            }
            let mut again = room(players);
            for entry in &entries {
                let entry: Entry = serde_json::from_str(entry).expect("as it was written");
                again.act(&entry).expect("as it happened");
            }
            assert_eq!(seen(&again), seen(&first));
        }
        assert!(happened > 500 && refused > 500, "{happened} {refused}");
    }

    #[test]
    fn only_the_owner_of_a_seat_moves_for_it() {
        let room = room([guest(ADA), guest(BOB)]);
        let command = Command::Move { text: "e2e4".to_owned(), ply: 0 };
        assert!(room.decide(ADA, "", &command).is_ok());
        assert!(room.decide(EVE, "", &command).is_err());
        // Black's owner speaks for Black, whose turn it is not.
        let act = room.decide(BOB, "", &command).expect("a player");
        assert!(matches!(act, Act::Move { seat, .. } if seat == Seat::new(1)));
    }

    #[test]
    fn a_takeback_gives_the_time_back_and_earns_nothing() {
        let mut room = room([guest(ADA), guest(ADA)]);
        let mut at = 0;
        let mut act = |room: &mut Room, act: Act| {
            at += 1_000;
            room.act(&Entry { at, act }).expect("allowed");
            at
        };
        let play = |seat, text: &str| Act::Move { seat: Seat::new(seat), text: text.to_owned() };
        act(&mut room, play(0, "e4"));
        let before = act(&mut room, play(1, "e5"));
        let left =
            |room: &Room, now| serde_json::to_value(room.clock().unwrap().face(now)).unwrap();
        let earlier = left(&room, before);
        let mut now = before;
        for _ in 0..20 {
            act(&mut room, play(0, "Nf3"));
            now = act(&mut room, Act::Takeback { plies: 1 });
        }
        assert_eq!(left(&room, now)["left"], earlier["left"]);
        now = act(&mut room, Act::Takeback { plies: 2 });
        assert_eq!(left(&room, now + 9_000)["left"], serde_json::json!([60_000, 60_000]));
    }

    #[test]
    fn an_offer_stands_while_the_other_thinks() {
        let mut room = room([guest(ADA), guest(BOB)]);
        let play = |seat, text: &str| Act::Move { seat: Seat::new(seat), text: text.to_owned() };
        let mut act = |act| room.act(&Entry { at: 0, act }).map(|()| room.draw);
        let white = Some(Seat::new(0));
        assert_eq!(act(Act::Offer(Seat::new(0))), Ok(white));
        assert_eq!(act(play(0, "e4")), Ok(white));
        assert_eq!(act(play(1, "e5")), Ok(None));
    }

    #[test]
    fn the_file_names_the_players() {
        let export = room([guest(ADA), bot()]).export();
        assert!(export.contains("[White \"1\"]"), "{export}");
        assert!(export.contains("[Black \"Random\"]"), "{export}");
    }
}
