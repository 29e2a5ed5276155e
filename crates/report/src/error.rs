//! What can go wrong while a report is made.

use thiserror::Error;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error("the report cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("line {line} of the list of known issues: {why}")]
    Known { line: usize, why: &'static str },
}
