//! Short benchmarks: steps a batch of environments to measure how fast it is.

use std::num::NonZero;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fourfold_env::{MaskRows, ObservationRows, Options, Outputs, Rows, ValueRows};
use fourfold_table::ensure;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;

use super::environment::Environment;
use crate::bot_pool::run_apart;
use crate::protocol::{self, Object};
use crate::requests::Refusal;

/// The maximum batch size.
const MOST_GAMES: usize = 1024;
/// How long a batch is stepped; a step that has begun is completed.
const TIME: Duration = Duration::from_millis(250);

/// A benchmark request.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct BatchRequest {
    /// The id of the game type.
    game: String,
    /// The batch size.
    games: usize,
    /// Whether masks and observations are written too, in packed form.
    #[serde(default)]
    observe: bool,
}

/// Steps a batch on its own thread, unless another batch is running.
pub(super) async fn step(
    stepping: &Arc<Semaphore>,
    request: BatchRequest,
) -> Result<Object, Refusal> {
    let busy = |_| Refusal::busy("another batch is running: try again");
    let turn = stepping.clone().try_acquire_owned().map_err(busy)?;
    let work = move || {
        let _held = turn;
        run(&request)
    };
    Ok(run_apart("batch", work).await??)
}

/// Steps a batch with random legal actions for a short time.
pub(super) fn run(request: &BatchRequest) -> Result<Object, String> {
    let &BatchRequest { ref game, games, observe } = request;
    ensure!((1..=MOST_GAMES).contains(&games), "expected 1 to {MOST_GAMES} games, got {games}");
    // Leave half of the processor to games.
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).div_ceil(2);
    let mut batch =
        Environment::of(game)?.make(games, Options { threads, ..Options::default() })?;
    let (spec, rows) = (batch.spec().clone(), batch.spec().mask_rows());
    let layout = &spec.observation;
    let sizes = [rows * spec.mask_bytes(), rows * layout.packed_bytes()]
        .map(|size| usize::from(observe) * size);
    let numbers = usize::from(observe) * rows * layout.scalars;
    let (mut mask, mut planes) = (vec![0; games * sizes[0]], vec![0; games * sizes[1]]);
    let mut scalars = vec![0.0; games * numbers];
    let mut actions = vec![0; games * rows];
    let (mut steps, mut ended) = (0, 0);
    let start = Instant::now();
    while start.elapsed() < TIME {
        batch.sample(None, &mut actions).map_err(|error| error.to_string())?;
        let out = Outputs {
            mask: MaskRows::Packed(Rows::new(&mut mask, sizes[0])),
            observation: ObservationRows {
                values: ValueRows::Packed(Rows::new(&mut planes, sizes[1])),
                scalars: Rows::new(&mut scalars, numbers),
            },
            ..Outputs::none()
        };
        ended += batch.step(&actions, out).map_err(|error| error.to_string())?;
        steps += games;
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(protocol::object(&json!({
        "games": games, "observe": observe, "threads": threads, "steps": steps, "ended": ended,
        "seconds": seconds, "per_second": steps as f64 / seconds,
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn batches_run_at_a_low_priority() {
        let stepping = Arc::new(Semaphore::new(1));
        let again_and_again = async {
            loop {
                let request = BatchRequest { game: "chess".to_owned(), games: 2, observe: false };
                step(&stepping, request).await.expect("nobody else does");
            }
        };
        tokio::select! {
            () = again_and_again => {}
            nice = crate::bot_pool::tests::priority_of("batch") => assert!(nice >= 15, "{nice}"),
        }
    }

    #[tokio::test]
    async fn only_one_batch_runs_at_a_time() {
        let stepping = Arc::new(Semaphore::new(1));
        let request = BatchRequest { game: "chess".to_owned(), games: 2, observe: false };
        let held = stepping.clone().acquire_owned().await;
        let refusal = step(&stepping, request.clone()).await.unwrap_err();
        assert!(refusal.retry && refusal.why.contains("another batch"), "{refusal:?}");
        drop(held);
        let result = step(&stepping, request).await.expect("nobody else does");
        assert!(result["steps"].as_u64().is_some_and(|steps| steps > 0 && steps % 2 == 0));
        assert_eq!(stepping.available_permits(), 1, "the next one may");
    }
}
