//! External players receive the games correctly, and their answers are played.

use std::sync::Mutex;

use fourfold_env::kung_fu::Twelve;
use fourfold_env::{
    AnyBatch, Describe, DescribedBatch, MoveRequest, Options, Outputs, Player, Rollout, StepError,
    make,
};

const TURNS: [&str; 4] = ["chess", "four_player", "blokus", "blokus_duo"];

fn batch(game: &str, games: usize, threads: usize) -> Box<dyn DescribedBatch> {
    make(game, &[], games, Options { threads, ..Options::default() }).expect("it can be made")
}

/// Replays the game it receives and plays a random legal move.
struct Reader {
    game: &'static str,
    told: Mutex<Vec<(String, usize, u64)>>,
}

impl Reader {
    fn new(game: &'static str) -> Reader {
        Reader { game, told: Mutex::default() }
    }
}

impl Player for Reader {
    fn choose(&self, asked: &MoveRequest<'_>) -> Result<Option<String>, String> {
        let told = (asked.start.to_owned(), asked.moves.len(), asked.seed);
        self.told.lock().expect("nobody panics").push(told);
        let mut batch = batch(self.game, 1, 1);
        let text = |error: StepError| error.to_string();
        batch.reset_to(None, &[asked.start]).map_err(text)?;
        for code in asked.moves {
            let actions = batch.read_actions(&[code]).map_err(text)?;
            batch.step(&actions, Outputs::none()).map_err(text)?;
        }
        let mut actions = [0];
        batch.sample(Some(asked.seed), &mut actions).unwrap();
        Ok(batch.write_actions(&actions).map_err(text)?.pop())
    }
}

/// Always gives the same answer.
struct Says(Result<Option<&'static str>, &'static str>);

impl Player for Says {
    fn choose(&self, _: &MoveRequest<'_>) -> Result<Option<String>, String> {
        self.0.map(|text| text.map(str::to_owned)).map_err(str::to_owned)
    }
}

fn all<'a>(batch: &dyn AnyBatch, player: &'a dyn Player) -> Vec<Option<&'a dyn Player>> {
    vec![Some(player); batch.spec().players]
}

#[test]
fn ask_returns_legal_actions() {
    for game in TURNS {
        let mut batch = batch(game, 5, 2);
        let mut actions = [0; 5];
        for step in 0..12 {
            let reader = Reader::new(game);
            batch.ask(&reader, Some(step), None, &mut actions).expect("everybody has a move");
            let mut told = reader.told.into_inner().expect("nobody panics");
            let mut texts: Vec<String> = told.iter().map(|told| told.0.clone()).collect();
            let mut expected = batch.texts();
            texts.sort();
            expected.sort();
            assert_eq!(texts, expected, "{game}: the current positions");
            told.sort_by_key(|told| told.2);
            told.dedup_by_key(|told| told.2);
            assert_eq!(told.len(), 5, "{game}: each game has its own seed");
            batch.step(&actions, Outputs::none()).expect("an answer is a legal action");
        }
    }
}

#[test]
fn players_receive_all_moves() {
    for game in TURNS {
        let mut batch = batch(game, 1, 1);
        let start = batch.texts().remove(0);
        let reader = Reader::new(game);
        let players: Vec<Option<&dyn Player>> =
            (0..batch.spec().players).map(|seat| (seat == 1).then_some(&reader as _)).collect();
        let played = batch.play_games(&players, 0..1, 3).expect("it is played");
        let told = reader.told.into_inner().expect("nobody panics");
        assert!(!told.is_empty() && told.len() < played.steps as usize, "{game}");
        assert!(told.iter().all(|told| told.0 == start), "{game}: from the start");
        assert!(told.is_sorted_by(|one, next| one.1 < next.1), "{game}: with more moves each time");
        assert_eq!(told[0].1, 1, "{game}: the first player has moved");
    }
}

#[test]
fn contests_do_not_depend_on_the_number_of_threads() {
    let contest = |threads: usize| {
        let mut batch = batch("blokus_duo", 1, threads);
        let reader = Reader::new("blokus_duo");
        batch.play_games(&[Some(&reader), None], 0..9, 4).expect("it is played")
    };
    let one: Rollout = contest(1);
    assert_eq!(one.games, 9);
    assert_eq!(one, contest(2));
    assert_eq!(one, contest(5));
}

#[test]
fn contest_without_players_equals_rollout() {
    for game in TURNS.into_iter().chain(["kung_fu"]) {
        let mut batch = batch(game, 1, 1);
        let nobody = vec![None; batch.spec().players];
        assert_eq!(batch.play_games(&nobody, 0..6, 8), Ok(batch.rollout(0..6, 8)), "{game}");
    }
}

/// Always waits, and counts how often it was asked for each player.
struct Waits(Mutex<[u32; 4]>);

impl Player for Waits {
    fn choose(&self, asked: &MoveRequest<'_>) -> Result<Option<String>, String> {
        let game = asked.game.downcast_ref::<Twelve>().ok_or("another game")?;
        let player = game.game().rules().players.iter().nth(asked.player);
        let player = player.ok_or("no such seat")?;
        assert!(game.game().alive().contains(player), "eliminated players are not asked");
        assert!(asked.moves.is_empty() && asked.start == game.text());
        self.0.lock().expect("nobody panics")[asked.player] += 1;
        Ok(Some("wait".to_owned()))
    }
}

#[test]
fn simultaneous_games_ask_every_player() {
    let mut batch = batch("kung_fu_4p", 2, 2);
    let waits = Waits(Mutex::default());
    let mut actions = [0; 8];
    let mask = [true, false, true, true, false, false, false, true];
    batch.ask(&waits, Some(1), Some(&mask), &mut actions).expect("waiting is legal");
    let wait = 128 * 128;
    assert_eq!(actions, [wait, -1, wait, wait, -1, -1, -1, wait]);
    assert_eq!(*waits.0.lock().unwrap(), [1, 0, 1, 2]);
    // A player who only waits eventually loses to random play, and is not asked after that.
    let waits = Waits(Mutex::default());
    let played =
        batch.play_games(&[Some(&waits), None, None, None], 0..2, 3).expect("it is played");
    let asked = waits.0.lock().unwrap()[0];
    assert!(asked > 100 && u64::from(asked) < played.steps, "{asked} of {}", played.steps);
}

#[test]
fn no_answer_plays_a_random_action() {
    let mut batch = batch("chess", 40, 1);
    let mut actions = [0; 40];
    batch.ask(&Says(Ok(None)), Some(1), None, &mut actions).expect("chance always has a move");
    let first = actions[0];
    assert!(actions.iter().any(|&action| action != first));
    batch.step(&actions, Outputs::none()).expect("they are legal");
}

#[test]
fn ask_respects_the_mask() {
    let mut batch = batch("chess", 3, 1);
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let texts = batch.texts();
    batch.reset_to(None, &[&texts[0], mated, &texts[2]]).expect("they are positions");
    let mut actions = [7; 3];
    let says = Says(Ok(Some("e2e4")));
    batch.ask(&says, Some(0), Some(&[true, true, false]), &mut actions).expect("it is legal");
    assert_eq!(actions, [2426, 0, -1]);
}

#[test]
fn player_errors_name_the_game() {
    let refused = |error: StepError| error.to_string();
    let mut games = batch("chess", 4, 2);
    let mut actions = [0; 4];
    let says = Says(Err("the engine is gone"));
    let error = games.ask(&says, Some(0), Some(&[false, false, true, true]), &mut actions);
    assert_eq!(
        error.map_err(refused),
        Err("game 2: the player failed to choose a move: the engine is gone".to_owned())
    );
    for threads in [1, 4] {
        let mut games = batch("chess", 1, threads);
        let players = all(&*games, &says);
        let error = games.play_games(&players, 0..9, 0).map_err(refused);
        assert_eq!(
            error,
            Err("game 0: the player failed to choose a move: the engine is gone".to_owned())
        );
    }
    let error = games.ask(&Says(Ok(Some("e2e5"))), Some(0), None, &mut actions).map_err(refused);
    assert!(error.is_err_and(|message| message.contains("game 0") && message.contains("e2")));
    let error = games.play_games(&[None; 3], 0..1, 0).map_err(refused);
    assert_eq!(error, Err("expected 2 players, got 3".to_owned()));
    let error = games.ask(&says, Some(0), Some(&[true]), &mut actions).map_err(refused);
    assert_eq!(error, Err("expected 4 mask values, got 1".to_owned()));
}
