//! A reference implementation of ids and observations, based on the text output of the rules
//! oracle: slow, and shares no code with the environment.

use fourfold_oracle::kung_fu::Game;

pub(crate) type Place = (i64, i64);

/// A game on the oracle, with the options of the environment.
#[derive(Clone)]
pub(crate) struct Reference {
    pub(crate) game: Game,
    pub(crate) side: i64,
    /// The numbers of the players in the rules.
    pub(crate) seats: Vec<i64>,
    turns: bool,
    interval: i64,
    rest: i64,
    limits: [i64; 3],
    max_ticks: i64,
}

/// A piece in the oracle's text.
struct Piece {
    kind: char,
    player: i64,
    at: Place,
    to: Place,
    /// Start and arrival tick, if it is moving.
    flight: Option<(i64, i64)>,
    until: Option<i64>,
}

impl Reference {
    /// Creates a game with options of an environment; `pieces` replaces the standard armies.
    pub(crate) fn new(side: i64, given: &[(&str, &str)], pieces: Option<&str>) -> Reference {
        let text = |name: &str| given.iter().find(|(option, _)| *option == name).map(|pair| pair.1);
        let fast = text("speed") == Some("lightning");
        let usual = if fast { [6, 60, 900, 1350, 2700] } else { [30, 300, 3600, 5400, 10800] };
        let number = |name: &str, usual: i64| {
            text(name).map_or(usual, |text| text.parse().expect("a number"))
        };
        let names = ["ticks_per_square", "rest", "no_move", "no_capture", "no_draw_before"];
        let [tps, rest, limits @ ..]: [i64; 5] =
            std::array::from_fn(|index| number(names[index], usual[index]));
        let seats = text("seats").unwrap_or(if side == 8 { "12" } else { "1234" });
        let mut words = format!(
            "{side}x{side} players={seats} ticks-per-square={tps} rest={rest} no-move={} no-capture={} \
             no-draw-before={}",
            limits[0], limits[1], limits[2]
        );
        if text("teams") == Some("on") {
            words.push_str(" teams");
        }
        if text("eliminated") == Some("freeze") {
            words.push_str(" freeze");
        }
        let game = match pieces {
            None => Game::new(&words),
            Some(pieces) => Game::with_pieces(&words, pieces),
        };
        Reference {
            game: game.expect("a game"),
            side,
            seats: seats
                .chars()
                .map(|digit| i64::from(digit.to_digit(10).expect("a digit")))
                .collect(),
            turns: text("view") != Some("absolute"),
            interval: number("interval", 3),
            rest,
            limits,
            max_ticks: number("max_ticks", 36_000),
        }
    }

    /// Returns the squares, row by row as a player sees them.
    fn squares(&self, seat: usize) -> Vec<Place> {
        let exists = |&(row, column): &Place| {
            let outer = |line: i64| !(2..=9).contains(&line);
            self.side == 8 || !(outer(row) && outer(column))
        };
        let side = self.side;
        let mut all: Vec<Place> =
            (0..side * side).map(|n| (n / side, n % side)).filter(exists).collect();
        all.sort_by_key(|&place| self.seen(seat, place));
        all
    }

    /// Returns where a player sees a place.
    pub(crate) fn seen(&self, seat: usize, (mut row, mut column): Place) -> Place {
        let turns = if self.turns { self.seats[seat] - 1 } else { 0 };
        for _ in 0..turns {
            (row, column) = if self.side == 8 { (7 - row, column) } else { (11 - column, row) };
        }
        (row, column)
    }

    /// Returns the legal action ids of a player in ascending order; the last one is waiting.
    pub(crate) fn legal(&self, seat: usize) -> Vec<usize> {
        let orders = self.game.legal_orders(self.seats[seat]);
        let mut ids: Vec<usize> = orders.iter().map(|order| self.id(seat, order)).collect();
        ids.push(self.squares(seat).len().pow(2));
        ids.sort();
        ids
    }

    /// Returns the action id of an order in text form.
    pub(crate) fn id(&self, seat: usize, order: &str) -> usize {
        let squares = self.squares(seat);
        let (name, to) = order.split_once("->").expect("an order");
        let from = self.pieces().into_iter().find(|(other, _)| other == name).expect("a piece");
        let number = |place: Place| squares.iter().position(|&other| other == place);
        let (from, to) =
            (number(from.1.at).expect("a square"), number(place(to)).expect("a square"));
        from * squares.len() + to
    }

    /// Plays a step and returns whose orders were refused.
    pub(crate) fn step(&mut self, actions: &[i32]) -> Vec<bool> {
        let pieces = self.pieces();
        let mut refused = Vec::new();
        for (seat, &action) in actions.iter().enumerate() {
            let squares = self.squares(seat);
            let (from, to) = (action as usize / squares.len(), action as usize % squares.len());
            if from == squares.len() {
                refused.push(false);
                continue;
            }
            let stands = |piece: &Piece| piece.at == squares[from] && piece.flight.is_none();
            let found = pieces.iter().find(|(_, piece)| piece.kind != '-' && stands(piece));
            let (name, _) = found.expect("somebody stands there");
            let (row, column) = squares[to];
            refused.push(self.game.order(self.seats[seat], name, row, column).is_err());
        }
        for _ in 0..self.interval {
            self.game.tick();
        }
        refused
    }

    /// Returns the pieces with their names; captured pieces have the kind `-`.
    fn pieces(&self) -> Vec<(String, Piece)> {
        let state = self.game.state();
        state.split("; ").skip(1).map(read).collect()
    }

    /// Returns a number from the first part of the text.
    fn number(&self, name: &str) -> i64 {
        let state = self.game.state();
        let word = state.split(' ').find_map(|word| word.strip_prefix(name)).expect("a word");
        word.trim_end_matches(';').parse().expect("a number")
    }

    /// Returns whether each player is still in the game.
    pub(crate) fn alive(&self) -> Vec<bool> {
        let state = self.game.state();
        let out =
            state.split(' ').find_map(|word| word.strip_prefix("eliminated=")).expect("a word");
        self.seats.iter().map(|seat| !out.contains(&seat.to_string())).collect()
    }

    /// Returns the rewards and the ending code, if the game is over.
    pub(crate) fn end(&self) -> Option<(Vec<f32>, usize)> {
        let nobody = !self.alive().contains(&true);
        match self.game.result().as_deref() {
            Some("draw") => Some((vec![0.0; self.seats.len()], if nobody { 1 } else { 2 })),
            Some(winners) => {
                let has_won = |seat: &i64| winners.contains(&seat.to_string());
                let pay = |seat: &i64| if has_won(seat) { 1.0 } else { -1.0 };
                Some((self.seats.iter().map(pay).collect(), 0))
            }
            None if self.game.now() >= self.max_ticks => Some((vec![0.0; self.seats.len()], 3)),
            None => None,
        }
    }

    /// Returns the index of an owner relative to a player, who comes first.
    fn relative(&self, seat: usize, owner: i64) -> usize {
        let players = self.seats.len();
        let owner = self.seats.iter().position(|&other| other == owner).expect("a seat");
        if self.turns { (owner + players - seat) % players } else { owner }
    }

    /// Returns the tokens that a player sees.
    pub(crate) fn tokens(&self, seat: usize) -> Vec<[f32; 6]> {
        let squares = self.squares(seat);
        let number =
            |place: Place| squares.iter().position(|&other| other == place).unwrap() as f32;
        let now = self.game.now();
        let mut armies = vec![Vec::new(); self.seats.len()];
        for (name, piece) in self.pieces() {
            let owner = i64::from(name.chars().nth(2).unwrap().to_digit(10).unwrap());
            let relative = self.relative(seat, owner);
            armies[relative].push(match kind(piece.kind) {
                None => [0.0; 6],
                Some(kind) => [
                    (kind + 1) as f32,
                    relative as f32,
                    number(piece.at),
                    number(piece.to),
                    piece.flight.map_or(0, |(start, _)| now - start) as f32,
                    piece.until.map_or(0, |until| until - now) as f32,
                ],
            });
        }
        armies.iter_mut().for_each(|army| army.resize(16, [0.0; 6]));
        armies.concat()
    }

    /// Returns the observation of a player by row, column and channel.
    pub(crate) fn view(&self, seat: usize) -> Vec<Vec<Vec<f32>>> {
        let (side, players) = (self.side as usize, self.seats.len());
        let mut out = vec![vec![vec![0.0; 16 * players + 4]; side]; side];
        let mut set = |place: Place, channel: usize, value: f32| {
            let (row, column) = self.seen(seat, place);
            out[row as usize][column as usize][channel] = value;
        };
        let (now, pieces) = (self.game.now(), self.pieces());
        let starts: Vec<i64> =
            pieces.iter().filter_map(|(_, piece)| piece.flight).map(|flight| flight.0).collect();
        for (_, piece) in &pieces {
            let Some(kind) = kind(piece.kind) else { continue };
            let first = 16 * self.relative(seat, piece.player);
            let Some((start, arrive)) = piece.flight else {
                set(piece.at, first + kind, 1.0);
                let left = piece.until.map_or(0, |until| until - now);
                set(
                    piece.at,
                    first + 14,
                    if left > 0 { left as f32 / self.rest as f32 } else { 0.0 },
                );
                continue;
            };
            set(self.nearest(piece, now - start, arrive - start), first + 6 + kind, 1.0);
            set(piece.to, first + 12, 1.0);
            set(piece.to, first + 13, (now - start) as f32 / (arrive - start) as f32);
            let earlier = starts.iter().filter(|&&other| other < start).count();
            set(piece.to, first + 15, 1.0 - earlier as f32 / starts.len() as f32);
        }
        self.squares(seat).into_iter().for_each(|place| set(place, 16 * players, 1.0));
        let waited = [now - self.number("order="), now - self.number("capture="), now];
        for (timer, (ticks, limit)) in waited.into_iter().zip(self.limits).enumerate() {
            let value = if ticks >= limit { 1.0 } else { ticks as f32 / limit as f32 };
            for place in 0..self.side * self.side {
                set((place / self.side, place % self.side), 16 * players + 1 + timer, value);
            }
        }
        out
    }

    /// Returns the place nearest to a moving piece; on a tie, the one closer to its origin.
    fn nearest(&self, piece: &Piece, since: i64, total: i64) -> Place {
        let (at, to) = (piece.at, piece.to);
        let now = (at.0 * total + (to.0 - at.0) * since, at.1 * total + (to.1 - at.1) * since);
        let square = |(down, right): Place| down * down + right * right;
        let places = (0..self.side * self.side).map(|n| (n / self.side, n % self.side));
        let far = |place: &Place| {
            let away = square((place.0 * total - now.0, place.1 * total - now.1));
            (away, square((place.0 - at.0, place.1 - at.1)))
        };
        places.min_by_key(far).expect("a place")
    }
}

fn kind(letter: char) -> Option<usize> {
    "PNBRQK".find(letter)
}

fn place(text: &str) -> Place {
    let (row, column) = text.split_once(',').expect("a row and a column");
    (row.parse().expect("a row"), column.parse().expect("a column"))
}

/// Parses a piece such as `R:3:9:2 R 9,2>2,2 start=11 arrive=221`.
fn read(text: &str) -> (String, Piece) {
    let words: Vec<&str> = text.split(' ').collect();
    let player = words[0].split(':').nth(1).expect("a player").parse().expect("a number");
    let number = |name: &str| {
        let word = words.iter().find_map(|word| word.strip_prefix(name));
        word.map(|word| word.parse::<i64>().expect("a tick"))
    };
    let letter = words[1].chars().next().expect("a letter");
    let (kind, at, to) = match words[2].split_once('>') {
        _ if words[2] == "gone" => ('-', (-1, -1), (-1, -1)),
        Some((at, to)) => (letter, place(at), place(to)),
        None => (letter, place(words[2]), place(words[2])),
    };
    let flight = number("start=").zip(number("arrive="));
    (words[0].to_owned(), Piece { kind, player, at, to, flight, until: number("until=") })
}
