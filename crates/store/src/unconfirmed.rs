//! Suspicions that accuse no solver: they show only sometimes, or only in a session that cannot be replayed.
//!
//! One folder below `flaky/` for each formula and suspicion, with the formula, the session's input and the output, so
//! that a person can examine it. The first few hundred are stored; the others are a line in the event stream. None of
//! them is a finding or counted as one.

use crate::bug::json;
use crate::error::Result;
use crate::folder;
use crate::store::Store;
use solver::Reply;
use std::path::PathBuf;

/// What is stored of one.
#[derive(Clone, Debug)]
pub struct NewUnconfirmed {
    pub script: Vec<u8>,
    /// Everything that was sent to the process.
    pub session: Option<Vec<u8>>,
    pub replies: Vec<Reply>,
    /// What was suspected, and why it is in doubt.
    pub about: serde_json::Value,
}

/// The folder.
pub(crate) const UNCONFIRMED: &str = "flaky";

/// The maximal number of stored suspicions.
const MOST: usize = 300;

impl Store {
    /// Stores an unconfirmed suspicion; returns its path, unless there are enough.
    pub fn keep_unconfirmed(&mut self, new: &NewUnconfirmed) -> Result<Option<PathBuf>> {
        let all = self.dir.join(UNCONFIRMED);
        self.files.make_folder(&all)?;
        let name = format!("f-{}", &blake3::hash(&new.script).to_hex()[..16]);
        let last = all.join(&name);
        let kept = std::fs::read_dir(&all).map_or(0, Iterator::count);
        if last.exists() || kept >= MOST {
            return Ok(None);
        }
        let mut contents = vec![
            ("formula.smt2".to_owned(), new.script.clone()),
            ("about.json".to_owned(), json(&new.about).into_bytes()),
        ];
        contents.extend(new.session.clone().map(|session| ("session.smt2".to_owned(), session)));
        for (n, reply) in new.replies.iter().enumerate() {
            contents.push((format!("{n}.out"), reply.stdout()));
        }
        folder::place(&self.files, &all.join(format!(".new-{name}")), &last, &contents)?;
        Ok(Some(last))
    }
}
