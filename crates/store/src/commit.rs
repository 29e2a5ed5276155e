//! Finished work: what a batch contains, and how it becomes rows and counters in one transaction.
//!
//! A batch consists of whole units. A unit that is already done is ignored with everything in it, so a batch may be
//! committed again after an error or a crash. All counters are computed here, from the cases, so they cannot disagree
//! with them.

use crate::error::{Error, Result};
use crate::event::Event;
use crate::state::{Scope, State};
use crate::status::Summary;
use crate::store::{Record, Totals};
use rusqlite::{CachedStatement, Connection};
use solver::{Answer, Ended, Reply, SessionKind};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A word from a small vocabulary.
pub type Word = Cow<'static, str>;

/// Work that was finished since the last commit.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub units: Vec<UnitDone>,
    /// Time spent hunting since the last commit; pauses excluded.
    pub active: Duration,
    /// Other counters of the campaign as a whole.
    pub counts: Vec<(Word, u64)>,
    /// Events to emit once the rest is stored.
    pub events: Vec<Event>,
}

/// A unit of a strategy that is done: all its cases, or none and why.
#[derive(Clone, Debug, Default)]
pub struct UnitDone {
    pub strategy: Word,
    pub unit: u64,
    pub cases: Vec<CaseDone>,
    /// Whether the strategy had no case for it.
    pub skipped: bool,
}

/// A case that was judged.
#[derive(Clone, Debug)]
pub struct CaseDone {
    pub step: u64,
    pub hash: CaseHash,
    /// `fine`, `inconclusive`, `flaky`, `invalid`, `our-bug`, or the kind of the worst finding.
    pub verdict: Word,
    /// Whether a certificate backs every answer or every accusation.
    pub certified: bool,
    /// Whether a solver gave a definite answer to every check-sat.
    pub answered: bool,
    /// The theories that it uses.
    pub theories: Vec<Word>,
    /// The targets that are accused.
    pub culprits: Vec<String>,
    pub tests: Vec<Test>,
}

/// A case run on a target: the part of a reply that counters need.
#[derive(Clone, Debug)]
pub struct Test {
    pub target: Arc<str>,
    /// One per check-sat that was answered.
    pub answers: Vec<Answer>,
    /// How the run ended, in one word.
    pub ended: Word,
    /// Whether it ran into a limit before it answered.
    pub timeout: bool,
    /// Whether it neither answered nor ran into a limit nor crashed.
    pub error: bool,
    /// Whether it left processes running that had to be ended, or that could not be.
    pub leak: bool,
    pub session: SessionKind,
    pub micros: u64,
}

impl Test {
    pub fn of(reply: &Reply) -> Test {
        let answers: Vec<Answer> = reply.checks.iter().filter_map(|check| check.answer).collect();
        let (limit, crash) = (reply.ended.is_limit(), matches!(reply.ended, Ended::Crash { .. }));
        Test {
            target: reply.target.as_str().into(),
            timeout: answers.is_empty() && limit,
            error: answers.is_empty() && !limit && !crash,
            leak: !reply.leak.is_none(),
            answers,
            ended: reply.ended.word().into(),
            session: reply.session,
            micros: reply.wall.as_micros() as u64,
        }
    }
}

/// The first half of the BLAKE3 hash of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseHash(pub [u8; 16]);

impl CaseHash {
    pub fn of(script: &[u8]) -> CaseHash {
        let mut half = [0; 16];
        half.copy_from_slice(&blake3::hash(script).as_bytes()[..16]);
        CaseHash(half)
    }
}

/// Names of counters. Those with a dot are followed by a word.
pub(crate) mod counter {
    pub const UNITS: &str = "units";
    pub const SKIPPED: &str = "skipped";
    pub const CASES: &str = "cases";
    pub const TESTS: &str = "tests";
    /// Cases whose answers or accusations a certificate backs.
    pub const CERTIFIED: &str = "certified";
    /// Cases that a solver answered, and those of them that are certified.
    pub const ANSWERED: &str = "answered";
    pub const ANSWERED_CERTIFIED: &str = "answered.certified";
    /// Tests without an answer that ran into a limit of time or memory.
    pub const TIMEOUTS: &str = "timeouts";
    /// Tests without an answer that ended otherwise: the target did not accept the case.
    pub const ERRORS: &str = "errors";
    /// Tests after which the target had left processes running.
    pub const LEAKS: &str = "leaks";
    /// Cases in which a target is accused.
    pub const FINDINGS: &str = "findings";
    pub const MICROS: &str = "micros";
    pub const ACTIVE: &str = "active.micros";
    pub const VERDICT: &str = "verdict.";
    pub const ANSWER: &str = "answer.";
    pub const ENDED: &str = "ended.";
    pub const SESSION: &str = "session.";
}
/// The name under which the campaign's own counters are stored.
pub(crate) const ALL: &str = "all";
const FINE: &str = "fine";
const INCONCLUSIVE: &str = "inconclusive";
/// One of these two, when a limit influenced it.
const LIMITED: &str = "limited";

/// The counters of a campaign, including units that are not committed yet. The same function counts for the database,
/// so the screen, the summary, `status` and reports cannot disagree.
#[derive(Clone, Debug, Default)]
pub struct Counters(State);

impl Counters {
    pub(crate) fn of(state: State) -> Counters {
        Counters(state)
    }

    pub fn count(&mut self, unit: &UnitDone) {
        tally(&mut self.0, unit);
    }

    /// Time spent hunting.
    pub fn active(&mut self, time: Duration) {
        self.0.add(Scope::Campaign, ALL, counter::ACTIVE, time.as_micros() as u64);
    }

    pub fn summary(&self, totals: &Totals) -> Summary {
        Summary::of(&self.0, totals).unwrap_or_default()
    }
}

/// Applies a batch to a state and to an open transaction.
pub(crate) fn apply(
    db: &Connection,
    state: &mut State,
    batch: &Batch,
    lanes: u64,
    record: Record,
) -> Result<()> {
    let mut rows = Rows::prepare(db)?;
    for unit in &batch.units {
        if state.done(&unit.strategy, unit.unit, lanes) {
            tally(state, unit);
            rows.put(state, unit, record)?;
        }
    }
    state.add(Scope::Campaign, ALL, counter::ACTIVE, batch.active.as_micros() as u64);
    for (name, by) in &batch.counts {
        state.add(Scope::Campaign, ALL, name, *by);
    }
    state.save(db)
}

fn tally(state: &mut State, unit: &UnitDone) {
    let by = &*unit.strategy;
    state.add(Scope::Strategy, by, counter::UNITS, 1);
    state.add(Scope::Strategy, by, counter::SKIPPED, unit.skipped.into());
    state.add(Scope::Strategy, by, counter::CASES, unit.cases.len() as u64);
    state.add(Scope::Campaign, ALL, counter::CASES, unit.cases.len() as u64);
    for case in &unit.cases {
        prefixed(state, Scope::Strategy, by, counter::VERDICT, &case.verdict);
        prefixed(state, Scope::Campaign, ALL, counter::VERDICT, &case.verdict);
        state.add(Scope::Strategy, by, counter::CERTIFIED, case.certified.into());
        state.add(Scope::Strategy, by, counter::TESTS, case.tests.len() as u64);
        state.add(Scope::Campaign, ALL, counter::TESTS, case.tests.len() as u64);
        tally_theories(state, case);
        for culprit in &case.culprits {
            state.add(Scope::Target, culprit, counter::FINDINGS, 1);
        }
        for test in &case.tests {
            for (scope, name) in [(Scope::Strategy, by), (Scope::Target, &*test.target)] {
                state.add(scope, name, counter::TIMEOUTS, test.timeout.into());
                state.add(scope, name, counter::ERRORS, test.error.into());
                state.add(scope, name, counter::LEAKS, test.leak.into());
                state.add(scope, name, counter::MICROS, test.micros);
            }
            state.add(Scope::Target, &test.target, counter::TESTS, 1);
            prefixed(state, Scope::Target, &test.target, counter::ENDED, &test.ended);
            prefixed(state, Scope::Target, &test.target, counter::SESSION, test.session.name());
            for answer in &test.answers {
                prefixed(state, Scope::Target, &test.target, counter::ANSWER, answer.word());
            }
        }
    }
}

/// A case counts for every theory that it uses, and once for all of them together.
fn tally_theories(state: &mut State, case: &CaseDone) {
    for theory in case.theories.iter().map(|theory| &**theory).chain([ALL]) {
        state.add(Scope::Theory, theory, counter::CASES, 1);
        state.add(Scope::Theory, theory, counter::ANSWERED, case.answered.into());
        let both = case.answered && case.certified;
        state.add(Scope::Theory, theory, counter::ANSWERED_CERTIFIED, both.into());
    }
}

fn prefixed(state: &mut State, scope: Scope, name: &str, prefix: &str, word: &str) {
    let mut whole = String::with_capacity(prefix.len() + word.len());
    whole.push_str(prefix);
    whole.push_str(word);
    state.add(scope, name, &whole, 1);
}

struct Rows<'db> {
    case: CachedStatement<'db>,
    answer: CachedStatement<'db>,
}

impl<'db> Rows<'db> {
    fn prepare(db: &'db Connection) -> Result<Rows<'db>> {
        Ok(Rows {
            case: db.prepare_cached("INSERT OR IGNORE INTO cases VALUES (?1, ?2, ?3, ?4, ?5)")?,
            answer: db
                .prepare_cached("INSERT OR IGNORE INTO answers VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?,
        })
    }

    fn put(&mut self, state: &mut State, unit: &UnitDone, record: Record) -> Result<()> {
        let strategy = state.words.code(&unit.strategy);
        for case in &unit.cases {
            let interesting = ![FINE, INCONCLUSIVE, LIMITED].iter().any(|dull| case.verdict == *dull);
            if interesting || record >= Record::Cases {
                let verdict = state.words.code(&case.verdict);
                self.case.execute((strategy, unit.unit as i64, case.step as i64, case.hash.0, verdict))?;
            }
            if interesting || record >= Record::All {
                self.put_answers(state, strategy, unit.unit, case)?;
            }
        }
        Ok(())
    }

    fn put_answers(&mut self, state: &mut State, strategy: i64, unit: u64, case: &CaseDone) -> Result<()> {
        for test in &case.tests {
            self.answer.execute((
                strategy,
                unit as i64,
                case.step as i64,
                state.words.code(&test.target),
                test.answers.iter().map(|answer| answer.word()).collect::<Vec<_>>().join(" "),
                state.words.code(&test.ended),
                state.words.code(test.session.name()),
                test.micros as i64,
            ))?;
        }
        Ok(())
    }
}

/// Copies the rows of one database into another whose words have other codes; returns how many could be read.
pub(crate) fn copy_rows(
    from: &Connection,
    words: &State,
    to: &Connection,
    state: &mut State,
) -> Result<Copied> {
    copy_rows_of(from, words, to, state, &|_| true)
}

/// The same; a row of a unit that is not permitted is taken for damage. Of two rows of one case the first counts by the
/// order of their words; two scripts of one case are two campaigns.
pub(crate) fn copy_rows_of(
    from: &Connection,
    words: &State,
    to: &Connection,
    state: &mut State,
    permits: &dyn Fn(u64) -> bool,
) -> Result<Copied> {
    let mut rows = Rows::prepare(to)?;
    let mut copied = Copied::default();
    let mut cases = from.prepare("SELECT strategy, unit, step, hash, verdict FROM cases")?;
    let mut cases = cases.query([])?;
    let broken = each(&mut cases, &mut |row| {
        let unit: i64 = row.get(1)?;
        if !permits(unit as u64) {
            return Err(Error::damaged(Path::new("falsum.db"), "a unit of another shard"));
        }
        let strategy = state.words.code(words.words.word(row.get(0)?)?);
        let verdict = state.words.code(words.words.word(row.get(4)?)?);
        let case = (strategy, unit, row.get(2)?, row.get(3)?, verdict);
        if rows.case.execute(case.clone())? == 0 {
            settle_case(to, state, &case)?;
        }
        copied.cases += 1;
        Ok(())
    })?;
    copied.broken |= broken;
    let columns = "strategy, unit, step, target, answer, ended, session, micros";
    let mut answers = from.prepare(&format!("SELECT {columns} FROM answers"))?;
    let mut answers = answers.query([])?;
    copied.broken |= each(&mut answers, &mut |row| {
        let mut code = |column| -> Result<i64> { Ok(state.words.code(words.words.word(row.get(column)?)?)) };
        let (strategy, target, ended, session) = (code(0)?, code(3)?, code(5)?, code(6)?);
        let (unit, step, micros): (i64, i64, i64) = (row.get(1)?, row.get(2)?, row.get(7)?);
        let answer: String = row.get(4)?;
        let answer = (strategy, unit, step, target, answer, ended, session, micros);
        if rows.answer.execute(answer.clone())? == 0 {
            settle_answer(to, state, answer)?;
        }
        Ok(())
    })?;
    Ok(copied)
}

/// Strategy, unit, step, hash, verdict.
type CaseColumns = (i64, i64, i64, Vec<u8>, i64);

/// A case that is there already.
fn settle_case(to: &Connection, state: &State, case: &CaseColumns) -> Result<()> {
    let (strategy, unit, step, hash, verdict) = case;
    let mut known =
        to.prepare_cached("SELECT hash, verdict FROM cases WHERE strategy = ?1 AND unit = ?2 AND step = ?3")?;
    let known: (Vec<u8>, i64) =
        known.query_row((strategy, unit, step), |row| Ok((row.get(0)?, row.get(1)?)))?;
    if known.0 != *hash {
        let strategy = state.words.word(*strategy)?;
        return Err(Error::Merge(format!(
            "step {step} of unit {unit} of {strategy} has two different scripts"
        )));
    }
    if state.words.word(*verdict)? < state.words.word(known.1)? {
        let mut put = to.prepare_cached("INSERT OR REPLACE INTO cases VALUES (?1, ?2, ?3, ?4, ?5)")?;
        put.execute(case.clone())?;
    }
    Ok(())
}

/// Strategy, unit, step, target, answer, ended, session, microseconds.
type AnswerColumns = (i64, i64, i64, i64, String, i64, i64, i64);

/// An answer that is there already.
fn settle_answer(to: &Connection, state: &State, new: AnswerColumns) -> Result<()> {
    let mut known = to.prepare_cached(
        "SELECT answer, ended, session, micros FROM answers
         WHERE strategy = ?1 AND unit = ?2 AND step = ?3 AND target = ?4",
    )?;
    let known: (String, i64, i64, i64) = known.query_row((new.0, new.1, new.2, new.3), |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    })?;
    let key = |answer: &str, ended: i64, session: i64, micros: i64| -> Result<_> {
        Ok((answer.to_owned(), state.words.word(ended)?.clone(), state.words.word(session)?.clone(), micros))
    };
    if key(&new.4, new.5, new.6, new.7)? < key(&known.0, known.1, known.2, known.3)? {
        let mut put =
            to.prepare_cached("INSERT OR REPLACE INTO answers VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
        put.execute(new)?;
    }
    Ok(())
}

/// What could be copied, and whether reading broke off.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Copied {
    pub cases: u64,
    pub broken: bool,
}

/// Visits rows. An invalid row is skipped, and reading ends where it fails; returns whether either happened.
fn each(
    rows: &mut rusqlite::Rows<'_>,
    visit: &mut dyn FnMut(&rusqlite::Row<'_>) -> Result<()>,
) -> Result<bool> {
    let mut broken = false;
    loop {
        let row = match rows.next() {
            Ok(None) => return Ok(broken),
            Ok(Some(row)) => row,
            Err(_) => return Ok(true),
        };
        match visit(row) {
            Ok(()) => {}
            Err(Error::Damaged { .. }) => broken = true,
            Err(error) => return Err(error),
        }
    }
}
