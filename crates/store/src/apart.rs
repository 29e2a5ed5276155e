//! Suspicions that accuse nobody: what shows only sometimes, or only in a session that cannot be replayed.
//!
//! One folder below `flaky/` for each formula and suspicion, with the formula, the session's text and what was said,
//! so that a person can look at it again. The first few hundred are kept; the rest is a line in the event stream.
//! Nothing here is a finding, and nothing here is counted as one.

use crate::bug::json;
use crate::error::Result;
use crate::finding::Output;
use crate::folder;
use crate::store::Store;
use std::path::PathBuf;

/// What is kept of one.
#[derive(Clone, Debug)]
pub struct NewApart {
    pub script: Vec<u8>,
    /// Everything the process had been sent.
    pub session: Option<Vec<u8>>,
    pub outputs: Vec<Output>,
    /// What was suspected, and how it came to be in doubt.
    pub about: serde_json::Value,
}

/// Where they are.
pub(crate) const APART: &str = "flaky";

/// More than a person looks at.
const MOST: usize = 300;

impl Store {
    /// Keeps a suspicion apart; tells where, unless there are enough.
    pub fn set_apart(&mut self, new: &NewApart) -> Result<Option<PathBuf>> {
        let all = self.dir.join(APART);
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
        for (n, output) in new.outputs.iter().enumerate() {
            contents.push((format!("{n}.out"), output.stdout.clone()));
        }
        folder::place(&self.files, &all.join(format!(".new-{name}")), &last, &contents)?;
        Ok(Some(last))
    }
}
