//! What strategies that search have learnt, epoch by epoch.
//!
//! Answers and processor time depend on the machine, so what a strategy learnt from cannot be measured again: it is
//! kept, one file per strategy and epoch, before the strategy goes on. A resumed campaign teaches the same again.

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

    /// Keeps the outcomes of an epoch.
    pub fn keep_epoch(&mut self, strategy: &str, epoch: u64, outcomes: &[Outcome]) -> Result<()> {
        self.files.make_folder(&self.dir.join(EPOCHS))?;
        self.files.replace(&self.epoch_file(strategy, epoch), json(outcomes).as_bytes(), 0o644)
    }

    /// All epochs of a strategy that were kept, without a gap.
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
