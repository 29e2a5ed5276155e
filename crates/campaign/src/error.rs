//! Errors that end a campaign early.

/// An error of a campaign.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The campaign folder.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The machine: threads, signals, pipes.
    #[error("{what}: {why}")]
    Machine { what: &'static str, why: std::io::Error },
    /// Processes cannot be run.
    #[error(transparent)]
    Run(#[from] run::Error),
    /// A release of a grid cannot be run.
    #[error("{target} cannot be run: {why}")]
    Unavailable { target: String, why: String },
    /// A strategy cannot begin with these seeds and settings.
    #[error("strategy {strategy}: {why}")]
    Strategy { strategy: &'static str, why: strategy::Skip },
    /// A grammar cannot be enumerated.
    #[error("{grammar}: {why}")]
    Grammar { grammar: String, why: String },
    /// The folder was closed before the last event was written.
    #[error("the campaign folder is closed")]
    Closed,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn machine(what: &'static str) -> impl FnOnce(std::io::Error) -> Error {
        move |why| Error::Machine { what, why }
    }
}
