//! What the writer keeps in memory: words, counters and cursors, always equal to the database.
//!
//! A batch changes a copy; the copy replaces the original once the database has it. So a failed commit changes nothing.
//! A checksum over all three is written with every commit: a flipped bit in a counter or a cursor is noticed on the
//! next start, where SQLite itself would not notice it.

use crate::cursor::Ranges;
use crate::database;
use crate::error::{Error, Result};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

/// What a counter counts for: the campaign, a strategy, a target or a theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    Campaign = 0,
    Strategy = 1,
    Target = 2,
    Theory = 3,
}

type Code = i64;
/// Scope, name, counter, value.
pub(crate) type NamedCounters = Vec<(i64, String, String, u64)>;
/// Strategy, lane, units.
pub(crate) type NamedCursors = Vec<(String, u64, String)>;
/// Counters by name.
pub(crate) type Counters = BTreeMap<Arc<str>, u64>;
/// The number of words is limited; beyond the limit every new word is counted as this one.
const OTHER: &str = "other";
const MOST_WORDS: usize = 20_000;
const LONGEST_WORD: usize = 200;

#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    codes: HashMap<Arc<str>, Code>,
    words: Vec<Arc<str>>,
    /// How many of them the database has.
    saved: usize,
}

impl Words {
    pub fn code(&mut self, word: &str) -> Code {
        if let Some(&code) = self.codes.get(word) {
            return code;
        }
        if word.len() > LONGEST_WORD || (self.words.len() >= MOST_WORDS && word != OTHER) {
            return self.code(OTHER);
        }
        let code = self.words.len() as Code;
        let word: Arc<str> = word.into();
        self.words.push(word.clone());
        self.codes.insert(word, code);
        code
    }

    pub fn find(&self, word: &str) -> Option<Code> {
        self.codes.get(word).copied()
    }

    pub fn word(&self, code: Code) -> Result<&Arc<str>> {
        let word = usize::try_from(code).ok().and_then(|code| self.words.get(code));
        word.ok_or_else(|| Error::damaged(Path::new(database::NAME), format!("no word has code {code}")))
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub words: Words,
    counters: BTreeMap<(i64, Code, Code), u64>,
    changed_counters: BTreeSet<(i64, Code, Code)>,
    cursors: BTreeMap<(Code, u64), Ranges>,
    changed_cursors: BTreeSet<(Code, u64)>,
}

impl State {
    pub fn add(&mut self, scope: Scope, name: &str, counter: &str, by: u64) {
        if by > 0 {
            let key = (scope as i64, self.words.code(name), self.words.code(counter));
            *self.counters.entry(key).or_default() += by;
            self.changed_counters.insert(key);
        }
    }

    pub fn counter(&self, scope: Scope, name: &str, counter: &str) -> u64 {
        let key = self.words.find(name).zip(self.words.find(counter));
        key.and_then(|(name, counter)| self.counters.get(&(scope as i64, name, counter)))
            .copied()
            .unwrap_or(0)
    }

    /// All counters of a scope, by name and counter.
    pub fn counters(&self, scope: Scope) -> Result<BTreeMap<Arc<str>, Counters>> {
        let mut all: BTreeMap<Arc<str>, Counters> = BTreeMap::new();
        for (&(_, name, counter), &value) in self.counters.iter().filter(|((s, _, _), _)| *s == scope as i64)
        {
            let (name, counter) = (self.words.word(name)?.clone(), self.words.word(counter)?.clone());
            all.entry(name).or_default().insert(counter, value);
        }
        Ok(all)
    }

    /// Marks a unit as done; returns whether it was not done before.
    pub fn done(&mut self, strategy: &str, unit: u64, lanes: u64) -> bool {
        let key = (self.words.code(strategy), unit % lanes);
        let news = self.cursors.entry(key).or_default().insert(unit / lanes);
        if news {
            self.changed_cursors.insert(key);
        }
        news
    }

    /// The units of one lane of a strategy that are done, as numbers within the lane.
    pub fn cursor(&self, strategy: &str, lane: u64) -> Ranges {
        let key = self.words.find(strategy).map(|code| (code, lane));
        key.and_then(|key| self.cursors.get(&key)).cloned().unwrap_or_default()
    }

    /// All counters (scope, name, counter, value) and cursors (strategy, lane, units), in order.
    pub fn named(&self) -> Result<(NamedCounters, NamedCursors)> {
        let word = |code: &Code| -> Result<String> { Ok(self.words.word(*code)?.to_string()) };
        let counters = self
            .counters
            .iter()
            .map(|((scope, name, counter), value)| Ok((*scope, word(name)?, word(counter)?, *value)));
        let cursors = self
            .cursors
            .iter()
            .map(|((strategy, lane), done)| Ok((word(strategy)?, *lane, done.to_string())));
        let (mut counters, mut cursors) =
            (counters.collect::<Result<NamedCounters>>()?, cursors.collect::<Result<NamedCursors>>()?);
        counters.sort();
        cursors.sort();
        Ok((counters, cursors))
    }

    /// Forgets all counters and cursors.
    pub fn clear(&mut self) {
        self.counters.clear();
        self.changed_counters.clear();
        self.cursors.clear();
        self.changed_cursors.clear();
    }

    /// Adds counters, and units to cursors.
    pub fn absorb_named(&mut self, counters: &NamedCounters, cursors: &NamedCursors) -> Result<()> {
        for (scope, name, counter, value) in counters {
            let key = (*scope, self.words.code(name), self.words.code(counter));
            let sum = self.counters.entry(key).or_default();
            *sum = sum.saturating_add(*value);
            self.changed_counters.insert(key);
        }
        for (strategy, lane, done) in cursors {
            let done: Ranges = done.parse().map_err(|why| Error::damaged(Path::new(database::NAME), why))?;
            let key = (self.words.code(strategy), *lane);
            self.cursors.entry(key).or_default().extend(&done);
            self.changed_cursors.insert(key);
        }
        Ok(())
    }

    /// Writes what changed since the last save. Afterwards everything counts as saved.
    pub fn save(&mut self, db: &Connection) -> Result<()> {
        let mut word = db.prepare_cached("INSERT INTO words VALUES (?1, ?2)")?;
        for code in self.words.saved..self.words.words.len() {
            word.execute((code as i64, &*self.words.words[code]))?;
        }
        let mut counter = db.prepare_cached("INSERT OR REPLACE INTO counters VALUES (?1, ?2, ?3, ?4)")?;
        for key in std::mem::take(&mut self.changed_counters) {
            counter.execute((key.0, key.1, key.2, self.counters[&key] as i64))?;
        }
        let mut cursor = db.prepare_cached("INSERT OR REPLACE INTO cursors VALUES (?1, ?2, ?3)")?;
        for key in std::mem::take(&mut self.changed_cursors) {
            cursor.execute((key.0, key.1 as i64, self.cursors[&key].to_string()))?;
        }
        self.words.saved = self.words.words.len();
        database::set_meta(db, "seal", &self.seal())
    }

    /// A copy to be saved into another database than the one it came from.
    pub fn unsaved(mut self) -> State {
        self.words.saved = 0;
        self.changed_counters = self.counters.keys().copied().collect();
        self.changed_cursors = self.cursors.keys().copied().collect();
        self
    }

    /// Reads it back, without checking the checksum.
    pub fn load(db: &Connection) -> Result<State> {
        let mut state = State::default();
        let mut rows = db.prepare("SELECT code, word FROM words ORDER BY code")?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let (code, word): (i64, String) = (row.get(0)?, row.get(1)?);
            if code != state.words.words.len() as i64 {
                return Err(Error::damaged(Path::new(database::NAME), "the codes of words have a gap"));
            }
            let word: Arc<str> = word.into();
            state.words.words.push(word.clone());
            state.words.codes.insert(word, code);
        }
        state.words.saved = state.words.words.len();
        let mut rows = db.prepare("SELECT scope, name, counter, value FROM counters")?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let key = (row.get(0)?, row.get(1)?, row.get(2)?);
            state.counters.insert(key, row.get::<_, i64>(3)? as u64);
        }
        let mut rows = db.prepare("SELECT strategy, lane, done FROM cursors")?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let done: String = row.get(2)?;
            let done = done.parse().map_err(|why| Error::damaged(Path::new(database::NAME), why))?;
            state.cursors.insert((row.get(0)?, row.get::<_, i64>(1)? as u64), done);
        }
        Ok(state)
    }

    /// Reads it back and checks the checksum.
    pub fn load_sealed(db: &Connection) -> Result<State> {
        let state = State::load(db)?;
        match database::meta(db, "seal")? {
            Some(seal) if seal == state.seal() => Ok(state),
            _ => Err(Error::damaged(
                Path::new(database::NAME),
                "counters or cursors do not match their checksum",
            )),
        }
    }

    fn seal(&self) -> String {
        let mut hash = blake3::Hasher::new();
        for word in &self.words.words {
            hash.update(&(word.len() as u64).to_le_bytes()).update(word.as_bytes());
        }
        for ((scope, name, counter), value) in &self.counters {
            for number in [*scope as u64, *name as u64, *counter as u64, *value] {
                hash.update(&number.to_le_bytes());
            }
        }
        for ((strategy, lane), done) in &self.cursors {
            hash.update(&strategy.to_le_bytes()).update(&lane.to_le_bytes());
            hash.update(done.to_string().as_bytes()).update(b";");
        }
        hash.finalize().to_hex().to_string()
    }
}
