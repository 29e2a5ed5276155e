//! Catches a panic of our own and returns its message: only the current case is lost.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of the work, or the message of its panic.
pub fn caught<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        text.unwrap_or("a panic without a message").to_owned()
    })
}
