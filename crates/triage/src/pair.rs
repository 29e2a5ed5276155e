//! Pairs: two scripts that differ in a few terms, reduced in step.
//!
//! A formula to which a solver says `unknown` although it decides a weaker or stronger one is a finding about both
//! (Janus). Reducing one alone loses the relation. So the two are joined into one script in which a constant chooses:
//! where they differ there is `(ite falsum-pair A B)`. The reducer works on that script as on any other, and every
//! candidate is split again before a solver runs. A candidate that uses the constant in any other way cannot be split
//! and is rejected. In: two scripts, or a joined one. Out: a joined one, or two scripts. It must never send a joined
//! script to a solver.

use crate::reduce::edit::Edit;
use crate::reduce::snapshot::Snapshot;
use smtlib::script::Command;
use smtlib::term::Kind;

/// The constant that chooses.
const CHOICE: &[u8] = b"falsum-pair";

#[derive(Debug, thiserror::Error)]
pub enum PairError {
    #[error("one of the two scripts is not well-typed or does not print back as itself")]
    Script,
    #[error("the two scripts differ in more than their assertions (command {0})")]
    Shape(usize),
    #[error("the two scripts are the same")]
    Same,
}

/// Joins two scripts into one.
pub fn join(first: &[u8], second: &[u8]) -> Result<Vec<u8>, PairError> {
    let a = Snapshot::read(first).ok_or(PairError::Script)?;
    let b = Snapshot::read(second).ok_or(PairError::Script)?;
    let count = a.script.commands.len();
    if count != b.script.commands.len() {
        return Err(PairError::Shape(count.min(b.script.commands.len()) + 1));
    }
    let mut edits = vec![];
    for n in 0..count {
        if a.text[a.command_range(n)] == b.text[b.command_range(n)] {
            continue;
        }
        let tops = (top(&a, n), top(&b, n));
        let asserted = |s: &Snapshot| matches!(s.script.commands[n], Command::Assert(_));
        match tops {
            (Some(x), Some(y)) if asserted(&a) && asserted(&b) => differences(&a, x, &b, y, &mut edits),
            _ => return Err(PairError::Shape(n + 1)),
        }
    }
    if edits.is_empty() {
        return Err(PairError::Same);
    }
    let is_setting = |command: &Command| {
        matches!(command, Command::SetLogic(_) | Command::SetOption(..) | Command::SetInfo(..))
    };
    let first = a.script.commands.iter().position(|command| !is_setting(command)).unwrap_or(0);
    let at = a.command_range(first).start;
    edits.push(Edit::replace(at..at, [b"(declare-const ", CHOICE, b" Bool)\n"].concat()));
    Ok(Edit::apply(&a.text, &edits.iter().collect::<Vec<_>>()))
}

/// The term of a command.
fn top(snapshot: &Snapshot, command: usize) -> Option<usize> {
    snapshot.places.iter().position(|place| place.command as usize == command)
}

/// The smallest places that differ, each as a choice between the two.
fn differences(a: &Snapshot, x: usize, b: &Snapshot, y: usize, edits: &mut Vec<Edit>) {
    let mut pending = vec![(x, y)];
    while let Some((x, y)) = pending.pop() {
        if a.bytes(x) == b.bytes(y) {
            continue;
        }
        let (inside, there) = (a.children(x), b.children(y));
        let head = |s: &Snapshot, at: usize| {
            let place = s.places[at];
            s.text[place.head_start as usize..place.head_end as usize].to_vec()
        };
        let same_sorts = || {
            let sort = |s: &Snapshot, at: usize| smtlib::printer::sort_text(s.pool(), s.sort(at));
            inside.iter().zip(&there).all(|(&x, &y)| sort(a, x) == sort(b, y))
        };
        let plain = matches!(a.kind(x), Kind::Op { .. } | Kind::Fun { .. });
        let alike = plain && inside.len() == there.len() && !inside.is_empty() && head(a, x) == head(b, y);
        if alike && same_sorts() {
            pending.extend(inside.into_iter().zip(there));
        } else {
            let choice = [b"(ite ", CHOICE, b" ", a.bytes(x), b" ", b.bytes(y), b")"].concat();
            edits.push(Edit::replace(a.range(x), choice));
        }
    }
}

/// The two scripts of a joined one; `None` if they are the same, or the constant is used in any other way than to
/// choose.
pub fn split(joined: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let halves = (half(joined, 1)?, half(joined, 2)?);
    (halves.0 != halves.1).then_some(halves)
}

fn half(joined: &[u8], branch: usize) -> Option<Vec<u8>> {
    let mut snapshot = Snapshot::read(joined)?;
    loop {
        let (mut edits, mut next) = (vec![], 0);
        for at in 0..snapshot.places.len() {
            if at >= next
                && let Some(chosen) = chosen(&snapshot, at, branch)
            {
                next = snapshot.after(at);
                edits.push(Edit::replace(snapshot.range(at), snapshot.bytes(chosen)));
            }
        }
        if edits.is_empty() {
            break;
        }
        snapshot = Snapshot::read(&Edit::apply(&snapshot.text, &edits.iter().collect::<Vec<_>>()))?;
    }
    let declares = |command: &Command| match command {
        Command::DeclareFun { decl, .. } => snapshot.pool().bytes(snapshot.pool().decl(*decl).name) == CHOICE,
        _ => false,
    };
    let Some(n) = snapshot.script.commands.iter().position(declares) else { return Some(snapshot.text) };
    let rest = Edit::apply(&snapshot.text, &[&Edit::delete(snapshot.command_range(n))]);
    smtlib::Script::parse(&rest).is_ok().then_some(rest)
}

/// The branch of a choice.
fn chosen(snapshot: &Snapshot, at: usize, branch: usize) -> Option<usize> {
    let Kind::Op { op, .. } = snapshot.kind(at) else { return None };
    let children = snapshot.children(at);
    (op.row().name == "ite" && snapshot.bytes(*children.first()?) == CHOICE).then(|| children[branch])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::{Options, reduce};

    const A: &[u8] = b"(set-logic ALL)\n(declare-const x Int)\n(declare-const p Bool)\n\
        (assert (and p (> (* x x x) (+ x 2))))\n(assert (= (mod x 7) 3))\n(check-sat)\n";
    const B: &[u8] = b"(set-logic ALL)\n(declare-const x Int)\n(declare-const p Bool)\n\
        (assert (and p (>= (* x x x) (+ x 2))))\n(assert (= (mod x 7) 3))\n(check-sat)\n";

    #[test]
    fn a_joined_script_splits_into_the_same_two() {
        let joined = join(A, B).unwrap();
        assert!(String::from_utf8_lossy(&joined).contains("(and p (ite falsum-pair (> "));
        let (a, b) = split(&joined).unwrap();
        assert_eq!((a.as_slice(), b.as_slice()), (A, B));
    }

    #[test]
    fn scripts_that_are_not_a_pair_are_refused() {
        assert!(matches!(join(A, A), Err(PairError::Same)));
        assert!(matches!(join(A, b"(check-sat)"), Err(PairError::Shape(2))));
        let other = String::from_utf8_lossy(A).replace("declare-const p Bool", "declare-const q Bool");
        assert!(join(A, other.replace(" p ", " q ").as_bytes()).is_err());
    }

    #[test]
    fn a_pair_is_reduced_in_step() {
        let joined = join(A, B).unwrap();
        let has = |text: &[u8], part: &str| String::from_utf8_lossy(text).contains(part);
        let check = |text: &[u8]| {
            split(text).is_some_and(|(a, b)| has(&a, "(> ") && has(&b, "(>= ") && has(&a, "(check-sat)"))
        };
        let reduced = reduce(&joined, &check, &Options::default()).unwrap();
        let (a, b) = split(&reduced.text).unwrap();
        assert_eq!(String::from_utf8_lossy(&a), "(assert (> 0 0))\n(check-sat)\n");
        assert_eq!(String::from_utf8_lossy(&b), "(assert (>= 0 0))\n(check-sat)\n");
    }
}
