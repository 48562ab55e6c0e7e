//! Former names, for one release.

use crate::error::OutOfMemory;
use crate::pictures::ActionPlace;

/// The former name of [`ActionPlace`].
#[deprecated(note = "renamed to `ActionPlace`")]
pub type Place = ActionPlace;

/// The former name of [`OutOfMemory`].
#[deprecated(note = "renamed to `OutOfMemory`")]
pub type NoMemory = OutOfMemory;
