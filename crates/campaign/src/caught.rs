//! A panic of our own, caught and turned into words: it costs the case at hand and nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the work gives, or what it said when it panicked.
pub fn caught<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        text.unwrap_or("a panic without a message").to_owned()
    })
}
