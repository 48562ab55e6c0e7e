//! `docs/environments/four_player.md` matches the code.

use fourfold_board::KNIGHT_LEAPS;
use fourfold_env::four_player::labels::{FLAT, Labels, PLANES, TEAM_PLANES, UNDERPROMOTIONS};
use fourfold_env::four_player::{ENDINGS, FourPlayer, Rules};
use fourfold_env::{AnyBatch, Batch, Channel, Describe, DescribedBatch, Options, Outputs};
use fourfold_four_player::{BOARD, Player, Position, Role, StartPosition};

use super::{Page, names, words};

const PAGE: Page = Page(include_str!("../../../../../docs/environments/four_player.md"));

#[test]
fn documented_sizes() {
    let layout = PAGE.check_sizes::<FourPlayer>(&Rules::FREE_FOR_ALL);
    let actions = format!("in teams {}; with `actions=\"flat\"` {FLAT}", 160 * TEAM_PLANES);
    assert!(PAGE.row("actions")[1].ends_with(&actions));
    for (index, channel) in layout.channels.iter().enumerate() {
        let scalar = matches!(channel, Channel::Scalar(_));
        assert_eq!(scalar, index >= 31, "channel {index}");
    }
}

#[test]
fn documented_options() {
    let rows = PAGE.0.lines().filter(|line| line.starts_with("| `"));
    let section = PAGE.0.split_once("## Options").expect("options").1;
    let section = section.split_once("##").expect("an end").0;
    let named: Vec<&str> = rows
        .filter(|line| section.contains(*line))
        .map(|line| line.split('`').nth(1).expect("a name"))
        .collect();
    let error = Rules::from_options(&[("x", "y")]).unwrap_err().to_string();
    let known = error.split_once("one of ").expect("a list").1;
    assert_eq!(named.len(), known.split(", ").count());
    for option in known.split(", ") {
        assert!(named.contains(&option), "{option} is not on the page");
        // The first value is the default, and all values named are accepted.
        let row = PAGE.row(&format!("`{option}`"))[1];
        let first = row.split(['`', ',', ':', ' ']).find(|text| !text.is_empty()).expect("a value");
        if option != "reward" {
            assert_eq!(Rules::from_options(&[(option, first)]).unwrap(), Rules::FREE_FOR_ALL);
        }
    }
    let setups: Vec<&str> = PAGE.row("`setup`")[1].split('`').skip(1).step_by(2).collect();
    assert_eq!(setups, StartPosition::ALL.map(StartPosition::name));
    assert!(PAGE.row("`max_steps`")[1].starts_with(&Rules::FREE_FOR_ALL.max_steps.to_string()));
}

#[test]
fn documented_planes() {
    let leaps = PAGE.row("104–111")[1].split_once(": ").expect("a list").1.replace('−', "-");
    for ((files, ranks), text) in KNIGHT_LEAPS.iter().zip(leaps.split(' ')) {
        assert_eq!(text, format!("({files:+},{ranks:+})"));
    }
    let promotions = PAGE.row("112–120")[1];
    for (index, kind) in UNDERPROMOTIONS.into_iter().enumerate() {
        let first = PLANES + 3 * index;
        assert!(promotions.contains(&format!("{} ({first}–{})", kind.name(), first + 2)));
    }
    assert_eq!(UNDERPROMOTIONS, [Role::Knight, Role::Bishop, Role::Rook]);
    let start = Position::start(StartPosition::Modern, Rules::FREE_FOR_ALL.play);
    let mv = start.parse_move("d2d4").expect("a legal move");
    let label = Rules::FREE_FOR_ALL.labels(Player::Red).encode(Player::Red, mv);
    assert!(PAGE.0.contains(&format!("d2d4 is {label}, and so is Blue's b11d11")));
    let label = Labels::Flat.encode(Player::Red, mv);
    assert!(PAGE.0.contains(&format!("d2d4 is {label}. These ids")));
}

#[test]
fn documented_arrays() {
    for array in FourPlayer::arrays(&Rules::LEGACY) {
        let shape: Vec<String> = array.shape.iter().map(usize::to_string).collect();
        assert_eq!(PAGE.row(&format!("`{}`", array.name))[1], format!("({})", shape.join(", ")));
    }
}

#[test]
fn documented_endings() {
    PAGE.check_endings(&ENDINGS);
    PAGE.check_version::<FourPlayer>();
}

#[test]
fn documented_channel_names() {
    let channels = FourPlayer::channel_names(&Rules::FREE_FOR_ALL);
    let men = words(PAGE.row("7·i + 0 … 6")[1]);
    for seat in 0..4 {
        assert_eq!(names(&channels, 7 * seat..7 * seat + 7), men);
    }
    let rows = [28, 29, 30, 47].map(|channel: usize| PAGE.row(&channel.to_string())[1]);
    assert_eq!([28, 29, 30, 47].map(|channel: usize| channels[channel].name.as_str()), rows);
    let groups =
        |range: std::ops::Range<usize>| channels[range].iter().map(|caption| &caption.group);
    for (row, range) in [("31 + 2·i, 32 + 2·i", 31..39), ("39 … 42", 39..43), ("43 … 46", 43..47)]
    {
        assert!(groups(range).all(|group| words(PAGE.row(row)[1])[0].starts_with(group.as_str())));
    }
    let seats = names(&channels, 39..43);
    assert_eq!(seats, ["own", "next", "opposite", "previous"]);
    for seat in &seats[1..] {
        assert!(PAGE.0.contains(seat), "the page does not mention the {seat} player");
    }
}

#[test]
fn documented_action_plane_names() {
    let rules = Rules::from_options(&[("mode", "teams")]).expect("a mode");
    let planes = FourPlayer::action_planes(&rules);
    let directions = PAGE.row("0–103")[1].split_once("directions ").expect("a list").1;
    for (way, direction) in directions.split(' ').take(8).enumerate() {
        let all: Vec<String> = (1..=13).map(|far| format!("{direction} {far}")).collect();
        assert_eq!(names(&planes, 13 * way..13 * way + 13), all);
    }
    let leaps = PAGE.row("104–111")[1].split_once(": ").expect("a list").1;
    assert_eq!(names(&planes, 104..112), leaps.split(' ').collect::<Vec<_>>());
    assert!(PAGE.row("112–120")[1].ends_with("straight, capturing left, capturing right"));
    for (index, plane) in planes[112..].iter().enumerate() {
        let way = ["straight", "capturing left", "capturing right"][index % 3];
        assert_eq!(plane.name, format!("{}, {way}", UNDERPROMOTIONS[index / 3].name()));
    }
    assert!(
        FourPlayer::action_planes(&Rules::from_options(&[("actions", "flat")]).unwrap()).is_empty()
    );
}

#[test]
fn documented_state() {
    let mut batch = Batch::<FourPlayer>::new(Rules::FREE_FOR_ALL, 1, Options::default());
    let actions = batch.read_actions(&["d2d4"]).expect("a legal move");
    batch.step(&actions, Outputs::none()).expect("a legal action");
    let mut state = vec![0; batch.state_bytes()];
    batch.write_states(&[0], &mut state).expect("the buffer fits");
    let position = batch.state(0).position();
    let square = |text: &str| BOARD.parse(text).expect("a square").index() as u8;
    assert_eq!(square("d2"), 16 + 3);
    let kings = Player::ALL.map(|player| position.king(player).expect("a king").index() as u8);
    let squares = [kings, [square("d3"), 255, 255, 255]].concat();
    PAGE.check_field("four kings", &state, &squares);
    PAGE.check_field("castling rights", &state, &[255, 1, 15, 0, 0, 255]);
    PAGE.check_field("Zobrist key |", &state, &position.key().to_le_bytes());
    PAGE.check_field("plies without", &state, &[0, 0]);
    PAGE.check_field("| steps", &state, &[1, 0, 0, 0, 0, 0, 0, 0]);
    let mut moved = [0; 32];
    moved[square("d4") as usize / 8] = 1 << (square("d4") % 8);
    PAGE.check_field("have moved", &state, &moved);
    assert_eq!(state[416 + square("d4") as usize], Role::Pawn as u8, "Red's pawn");
}
