//! Does a solver say `unknown` because it hardly supports a feature?
//!
//! Solvers read more of the standard than they reason about. A formula with such a feature is `unknown` whatever else it
//! says, and a report of it tells the developers nothing: Winterer's thesis filters these out by hand. Here the solver
//! itself is asked. For each operator of the script the *probe* is the operator alone, applied twice to new constants, and
//! both equal: satisfiable by the same values twice, and decided by every solver that supports the operator at all. (One application
//! that equals a new constant would be simplified away.) A solver that says `unknown` to a probe is not accused of saying it to
//! more.
//!
//! In: a solver and a script. Out: the operator that it hardly supports, if there is one. Each probe is put to a solver
//! once per run of the program.

use crate::reduce::snapshot::Snapshot;
use smtlib::SortId;
use smtlib::printer::{command_text, sort_text};
use smtlib::script::Command;
use smtlib::term::Kind;
use solver::{Answer, Pool, Query, QueryLimits, SessionKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How new constants are called.
const NAME: &str = "falsum-probe-";

/// How long a probe may take; one that takes longer says nothing.
const LIMIT: Duration = Duration::from_secs(2);

/// What solvers said to probes, by target and probe.
#[derive(Default)]
pub struct Features(Mutex<BTreeMap<(String, Vec<u8>), bool>>);

/// An operator and the script that shows whether it is supported.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Probe {
    pub operator: String,
    pub script: Vec<u8>,
}

impl Features {
    /// The first operator of a script that a solver says `unknown` to by itself.
    pub fn lacking(&self, pool: &Pool, script: &[u8]) -> Option<String> {
        let all = probes(script);
        all.into_iter().find(|probe| self.is_unknown(pool, &probe.script)).map(|probe| probe.operator)
    }

    fn is_unknown(&self, pool: &Pool, probe: &[u8]) -> bool {
        let key = (pool.target().name.clone(), probe.to_vec());
        if let Some(&known) = self.known().get(&key) {
            return known;
        }
        let limits = QueryLimits { cpu: Some(LIMIT), ..QueryLimits::wall(LIMIT * 4) };
        let reply = pool.ask(&Query::new(probe).limits(limits), SessionKind::Fresh);
        let unknown = reply.answer() == Some(Answer::Unknown);
        self.known().insert(key, unknown);
        unknown
    }

    fn known(&self) -> std::sync::MutexGuard<'_, BTreeMap<(String, Vec<u8>), bool>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The probes of a script, one per operator and sorts of its arguments.
pub fn probes(script: &[u8]) -> Vec<Probe> {
    let Some(snapshot) = Snapshot::read(script) else { return vec![] };
    let sorts = declarations(&snapshot);
    let all: BTreeSet<Probe> =
        (0..snapshot.places.len()).filter_map(|at| probe(&snapshot, at, &sorts)).collect();
    all.into_iter().collect()
}

/// The sorts that the script declares.
fn declarations(snapshot: &Snapshot) -> Vec<u8> {
    let mut out = b"(set-logic ALL)\n".to_vec();
    for command in &snapshot.script.commands {
        let declares = matches!(
            command,
            Command::DeclareSort(_) | Command::DefineSort { .. } | Command::DeclareDatatypes { .. }
        );
        if declares {
            out.extend(command_text(snapshot.pool(), command));
            out.push(b'\n');
        }
    }
    out
}

fn probe(snapshot: &Snapshot, at: usize, sorts: &[u8]) -> Option<Probe> {
    let Kind::Op { op, .. } = snapshot.kind(at) else { return None };
    if op.row().theory == "Core" || snapshot.children(at).is_empty() {
        return None;
    }
    let place = snapshot.places[at];
    let head = &snapshot.text[place.head_start as usize..place.head_end as usize];
    let mut script = sorts.to_vec();
    let (one, two) = (applied(snapshot, at, head, &mut script), applied(snapshot, at, head, &mut script));
    script.extend([b"(assert (= ".as_slice(), &one, b" ", &two, b"))\n(check-sat)\n"].concat());
    smtlib::Script::parse(&script).ok()?;
    Some(Probe { operator: String::from_utf8_lossy(head).into_owned(), script })
}

/// The operator applied to constants that the script gets for it; a language as a word's being in it.
fn applied(snapshot: &Snapshot, at: usize, head: &[u8], script: &mut Vec<u8>) -> Vec<u8> {
    let mut term = [b"(", head].concat();
    for child in snapshot.children(at) {
        term.push(b' ');
        // No solver has constants over languages.
        if snapshot.sort(child) == SortId::REGLAN {
            term.extend_from_slice(b"(re.+ (str.to_re \"ab\"))");
        } else {
            term.extend(constant(snapshot, snapshot.sort(child), script));
        }
    }
    term.push(b')');
    if snapshot.sort(at) == SortId::REGLAN {
        let word = constant(snapshot, SortId::STRING, script);
        return [b"(str.in_re ".as_slice(), &word, b" ", &term, b")"].concat();
    }
    term
}

/// Declares a new constant of a sort.
fn constant(snapshot: &Snapshot, sort: SortId, script: &mut Vec<u8>) -> Vec<u8> {
    let name = format!("{NAME}{}", script.len());
    let sort = sort_text(snapshot.pool(), sort);
    script.extend_from_slice(format!("(declare-const {name} {sort})\n").as_bytes());
    name.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operator_is_probed_once_with_new_constants() {
        let text = b"(declare-const x Int)(declare-const s String)\
            (assert (and (= (* x x x) 3) (> (* x x x) (str.len s))))(check-sat)";
        let all = probes(text);
        let names: Vec<&str> = all.iter().map(|probe| probe.operator.as_str()).collect();
        assert_eq!(names, ["*", ">", "str.len"]);
        for probe in &all {
            assert!(smtlib::Script::parse(&probe.script).is_ok(), "{}", probe.operator);
        }
        let product = String::from_utf8_lossy(&all[0].script).into_owned();
        assert_eq!(product.matches("declare-const").count(), 6, "{product}");
    }

    #[test]
    fn sorts_of_the_script_are_declared_and_languages_are_written_out() {
        let text =
            b"(declare-sort U 0)(declare-const a (Array U Int))(declare-const u U)(declare-const s String)\
            (assert (= (select a u) 1))(assert (str.in_re s (re.+ (str.to_re \"a\"))))(check-sat)";
        let names: Vec<String> = probes(text).into_iter().map(|probe| probe.operator).collect();
        assert_eq!(names, ["re.+", "select", "str.in_re", "str.to_re"]);
    }
}
