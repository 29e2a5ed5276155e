//! The outcomes from which strategies have learnt, epoch by epoch.
//!
//! Answers and processor time depend on the machine, so the outcomes from which a strategy learnt cannot be measured
//! again: they are stored, one file per strategy and epoch, before the strategy continues. A resumed campaign replays
//! them.

use crate::bug::json;
use crate::error::{Error, Result};
use crate::store::Store;
use std::path::PathBuf;
use strategy::Outcome;

const EPOCHS: &str = "epochs";

impl Store {
    fn epoch_file(&self, strategy: &str, epoch: u64) -> PathBuf {
        self.dir.join(EPOCHS).join(format!("{strategy}-{epoch:06}.json"))
    }

    /// Stores the outcomes of an epoch.
    pub fn keep_epoch(&mut self, strategy: &str, epoch: u64, outcomes: &[Outcome]) -> Result<()> {
        self.files.make_folder(&self.dir.join(EPOCHS))?;
        self.files.replace(&self.epoch_file(strategy, epoch), json(outcomes).as_bytes(), 0o644)
    }

    /// All stored epochs of a strategy, without a gap.
    pub fn epochs(&self, strategy: &str) -> Result<Vec<Vec<Outcome>>> {
        let mut all = vec![];
        loop {
            let path = self.epoch_file(strategy, all.len() as u64);
            match std::fs::read(&path) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(all),
                Err(error) => return Err(Error::io(&path, error)),
                Ok(text) => {
                    all.push(serde_json::from_slice(&text).map_err(|error| Error::damaged(&path, error))?);
                }
            }
        }
    }
}
