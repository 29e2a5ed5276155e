//! Cases on which falsum itself failed: our bugs, stored separately from those of solvers.
//!
//! One folder for each place and message, with the first case that caused it; the others are counted.

use crate::bug::json;
use crate::error::{Error, Result};
use crate::event::{Event, now_ms};
use crate::folder;
use crate::inside::is_id;
use crate::store::Store;
use rusqlite::OptionalExtension;
use serde::Serialize;
use std::fmt;
use std::path::Path;
use strategy::Recipe;

/// `p-` and 16 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PanicId(pub String);

impl PanicId {
    /// The id in a column of the database. It names a folder, so it is checked.
    pub(crate) fn stored(text: String) -> Result<PanicId> {
        if is_id(&text, "p-") {
            return Ok(PanicId(text));
        }
        Err(Error::damaged(Path::new("falsum.db"), format!("{text:?} is not the id of a panic")))
    }
}

impl fmt::Display for PanicId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A failure of ours.
#[derive(Clone, Debug, Default)]
pub struct NewPanic {
    /// Where: `strategy fusion`, `oracle`, …
    pub place: String,
    pub message: String,
    pub backtrace: String,
    /// The case, if there was one.
    pub script: Option<Vec<u8>>,
    pub recipe: Recipe,
}

impl Store {
    /// Stores a failure of our own.
    pub fn add_panic(&mut self, new: &NewPanic) -> Result<PanicId> {
        self.journal.flush(&self.files)?;
        let mut hash = blake3::Hasher::new();
        hash.update(&(new.place.len() as u64).to_le_bytes());
        hash.update(new.place.as_bytes()).update(new.message.as_bytes());
        let id = PanicId(format!("p-{}", &hash.finalize().to_hex()[..16]));
        let known =
            self.db.query_row("SELECT 1 FROM panics WHERE id = ?1", [&id.0], |_| Ok(())).optional()?;
        if known.is_none() {
            self.write_panic(&id, new)?;
        }
        let tx = self.begin()?;
        tx.execute(
            "INSERT INTO panics VALUES (?1, ?2, ?3, 1, ?4, ?4)
             ON CONFLICT (id) DO UPDATE SET count = count + 1, last = excluded.last",
            (&id.0, &new.place, &new.message, now_ms() as i64),
        )?;
        self.end(tx)?;
        if known.is_none() {
            let (id, place, message) = (id.0.clone(), new.place.clone(), new.message.clone());
            self.journal.say(Event::Panic { id, place, message });
            let _ = self.journal.flush(&self.files);
        }
        Ok(id)
    }

    fn write_panic(&self, id: &PanicId, new: &NewPanic) -> Result<()> {
        let meta = serde_json::json!({
            "id": id.0, "place": new.place, "message": new.message, "recipe": new.recipe,
            "falsum": env!("CARGO_PKG_VERSION"), "found": now_ms(),
        });
        let mut contents = vec![
            ("meta.json".to_owned(), json(&meta).into_bytes()),
            ("backtrace.txt".to_owned(), new.backtrace.clone().into_bytes()),
        ];
        contents.extend(new.script.clone().map(|script| ("formula.smt2".to_owned(), script)));
        let all = self.dir.join("panics");
        self.files.make_folder(&all)?;
        folder::place(&self.files, &all.join(format!(".new-{id}")), &all.join(&id.0), &contents)
    }
}
