//! Distributing work over several threads.

/// Splits work into at most `threads` parts, processes them in parallel, and returns the results in
/// order. A panic in a part is propagated to the caller.
///
/// ```
/// use fourfold_table::study::parallel_map;
/// let sums = parallel_map(2, &[1, 2, 3, 4], |part: &[i32]| part.iter().sum::<i32>());
/// assert_eq!(sums, [3, 7]);
/// ```
pub fn parallel_map<T: Sync, R: Send>(
    threads: usize,
    work: &[T],
    on: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let part = work.len().div_ceil(threads.max(1)).max(1);
    if work.len() <= part {
        return work.chunks(part).map(on).collect();
    }
    let on = &on;
    std::thread::scope(|scope| {
        let parts: Vec<_> = work.chunks(part).map(|part| scope.spawn(move || on(part))).collect();
        let results = parts.into_iter().map(|part| part.join());
        results
            .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
