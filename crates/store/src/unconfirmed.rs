//! Suspicions that accuse nobody: what shows only sometimes, or only in a session that cannot be replayed.
//!
//! One folder below `flaky/` for each formula and suspicion, with the formula, the session's text and what was said,
//! so that a person can look at it again. The first few hundred are kept; the rest is a line in the event stream.
//! Nothing here is a finding, and nothing here is counted as one.

use crate::bug::json;
use crate::error::Result;
use crate::folder;
use crate::store::Store;
use solver::Reply;
use std::path::PathBuf;

/// What is kept of one.
#[derive(Clone, Debug)]
pub struct NewUnconfirmed {
    pub script: Vec<u8>,
    /// Everything the process had been sent.
    pub session: Option<Vec<u8>>,
    pub replies: Vec<Reply>,
    /// What was suspected, and how it came to be in doubt.
    pub about: serde_json::Value,
}

/// Where they are.
pub(crate) const UNCONFIRMED: &str = "flaky";

/// More than a person looks at.
const MOST: usize = 300;

impl Store {
    /// Keeps an unconfirmed suspicion; says where, unless there are enough.
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
