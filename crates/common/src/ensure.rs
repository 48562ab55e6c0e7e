//! Checks that return an error.

/// Returns an error from the function unless a condition holds. Like `anyhow::ensure!`, but for any
/// error type.
///
/// The error is a value that converts into the error type of the function, or a message that is
/// formatted if the error type is made from a `String`.
///
/// ```
/// use fourfold_common::ensure;
///
/// fn half(number: u32) -> Result<u32, String> {
///     ensure!(number.is_multiple_of(2), "expected an even number, got {number}");
///     Ok(number / 2)
/// }
///
/// assert_eq!(half(6), Ok(3));
/// assert_eq!(half(7), Err("expected an even number, got 7".to_owned()));
/// ```
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $message:literal $($arguments:tt)*) => {
        $crate::ensure!($condition, format!($message $($arguments)*))
    };
    ($condition:expr, $error:expr $(,)?) => {
        if !$condition {
            return Err($error.into());
        }
    };
}
