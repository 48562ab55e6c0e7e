//! Ctrl-C during long calls.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;

/// The time between two checks for signals.
const INTERVAL: Duration = Duration::from_millis(20);

/// A call whose duration is unknown runs on the calling thread for this long, and then
/// starts over or continues in [`interruptible`].
pub(crate) const SHORT_CALL: Duration = Duration::from_millis(10);

/// Does work without the GIL. If a signal handler raises an exception meanwhile, as that of Ctrl-C
/// does, the flag is set, the result of the work is dropped, and the exception is returned.
///
/// Starting a thread takes tens of microseconds, so this is for work that may take much longer.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    if !is_main_thread(py)? {
        return Ok(py.detach(|| work(&stop)));
    }
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let stop = &stop;
            let worker = std::thread::Builder::new().spawn_scoped(scope, move || {
                // Dropped at the end, also after a panic.
                let _sender = sender;
                work(stop)
            })?;
            let mut checked = Ok(());
            while receiver.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if checked.is_ok() {
                    checked = Python::attach(|py| py.check_signals());
                    stop.store(checked.is_err(), Ordering::Relaxed);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            checked.map(|()| result)
        })
    })
}

/// Returns whether this is the thread that runs Python's signal handlers.
fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    threading.call_method0("get_ident")?.eq(main)
}
