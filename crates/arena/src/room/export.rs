//! Writing a game as a file.

use fourfold_table::{GameInfo, capitalize};

use super::Room;
use crate::game::GameRoom;
use crate::seating::Player;

/// The game whose file format has tags and comments of its own.
const CHESS: &str = "chess";

impl Room {
    /// Returns the name of the game's file and its content.
    pub(super) fn to_file(&self) -> (String, String) {
        let game = self.table.game();
        let extension = GameInfo::of(game).map_or("txt", |info| info.extension);
        let mut table = self.table.fork();
        let mut set = |name: &str, value: &str| {
            // Formats without such a tag omit it.
            let _ = table.set_tag(name, value);
        };
        if game == CHESS {
            for (name, value) in self.roster() {
                set(name, &value);
            }
        }
        for (seat, player) in self.table.seats().iter().zip(&self.seats.players) {
            if let Player::Guest { name, .. } | Player::Bot { name, .. } = player {
                set(&capitalize(seat), name);
            }
        }
        if game == CHESS {
            let ratings = self.table.seats().iter().zip(self.ratings());
            for (seat, rating) in ratings {
                set(&format!("{}Elo", capitalize(seat)), &rating.points().to_string());
            }
        }
        let text = table.export_annotated(&self.clock_comments(), self.termination());
        (format!("{game}-{}.{extension}", self.seats.id), text)
    }

    /// Returns the tags that say which game this is.
    fn roster(&self) -> Vec<(&'static str, String)> {
        let people = self.seats.players.iter().all(|player| !player.is_bot());
        let kind = if self.is_rated() { "Rated" } else { "Casual" };
        let opponent = if people { "game" } else { "game against a bot" };
        let control = self.seats.setup.clock.map(|clock| clock.tag());
        vec![
            ("Event", format!("{kind} {opponent}")),
            ("Site", "Fourfold".to_owned()),
            ("Date", self.started.map_or("????.??.??".to_owned(), date)),
            ("Round", "-".to_owned()),
            ("White", "?".to_owned()),
            ("Black", "?".to_owned()),
            ("TimeControl", control.unwrap_or_else(|| "-".to_owned())),
        ]
    }

    /// Returns a comment for each move with the time left on the clock of the player who made it.
    fn clock_comments(&self) -> Vec<String> {
        let moves = self.table.played().iter().zip(self.times.iter().skip(1));
        let left = moves.map(|(played, times)| times.get(played.seat.index()).copied());
        left.map(|left| format!("[%clk {}]", clock_text(left.unwrap_or(0)))).collect()
    }

    /// Returns why the game is over if the game itself does not say so, or that it is not over.
    fn termination(&self) -> &'static str {
        match self.outcome() {
            _ if self.aborted => "abandoned",
            Some(_) => "normal",
            None => "unterminated",
        }
    }
}

/// Formats the time on a clock as PGN does: `0:05:03`, or `0:00:12.3` below a minute.
fn clock_text(left: u64) -> String {
    let seconds = left / 1000;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let tenths = left % 1000 / 100;
    match seconds < 60 && tenths > 0 {
        true => format!("{hours}:{minutes:02}:{rest:02}.{tenths}"),
        false => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// Returns the date in UTC, `YYYY.MM.DD`, of a time in milliseconds since 1970.
fn date(time: u64) -> String {
    // Years begin in March here, so that a leap day is the last day of its year, and eras of 400
    // years have the same number of days.
    let days = time / 86_400_000 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}.{month:02}.{day:02}", era * 400 + year + later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let days = [(0, "1970.01.01"), (58, "1970.02.28"), (59, "1970.03.01"), (789, "1972.02.29")];
        let later = [(11_016, "2000.02.29"), (11_017, "2000.03.01"), (20_775, "2026.11.18")];
        for (day, text) in days.into_iter().chain(later) {
            assert_eq!(date(day * 86_400_000), text);
            assert_eq!(date(day * 86_400_000 + 86_399_999), text);
        }
        // Every day follows the day before, by a calendar written in the simplest way.
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for number in 0..60_000 {
            assert_eq!(date(number * 86_400_000), format!("{year:04}.{month:02}.{day:02}"));
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + u32::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > length {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }

    #[test]
    fn clocks_have_hours_and_tenths() {
        let shown = [(303_000, "0:05:03"), (7_322_999, "2:02:02"), (12_345, "0:00:12.3")];
        for (left, text) in shown.into_iter().chain([(0, "0:00:00"), (59_000, "0:00:59")]) {
            assert_eq!(clock_text(left), text);
        }
    }
}
