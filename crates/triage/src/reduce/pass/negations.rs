//! Negations moved inwards, where the result is not longer: `(not (exists V B))` to `(forall V (not B))`, `(not (=>
//! (and A B) C))`
//! to `(and A B (not C))`, `(not (< a b))` to `(>= a b)`, `(not (= p q))` to `(xor p q)`,
//! `(not (= b #b0))` to `(= b #b1)`.
//!
//! These keep the meaning, which other passes need not do, so the check nearly always holds. Afterwards the passes that
//! drop parts can drop parts of the negated term.

use crate::reduce::edit::Edit;
use crate::reduce::snapshot::Snapshot;
use smtlib::term::{Kind, Quantifier};

/// Relations of which each is the negation of the other, between two arguments.
const OPPOSITES: [(&str, &str); 7] = [
    ("distinct", "="),
    ("<", ">="),
    (">", "<="),
    ("bvult", "bvuge"),
    ("bvugt", "bvule"),
    ("bvslt", "bvsge"),
    ("bvsgt", "bvsle"),
];

/// Every negation of a term that can be written without it, or with it further inside.
pub fn inwards(snapshot: &Snapshot) -> Vec<Edit> {
    (0..snapshot.places.len()).filter_map(|at| inside(snapshot, at)).collect()
}

fn name(snapshot: &Snapshot, at: usize) -> &'static str {
    match snapshot.kind(at) {
        Kind::Op { op, .. } => op.row().name,
        _ => "",
    }
}

fn inside(snapshot: &Snapshot, at: usize) -> Option<Edit> {
    if name(snapshot, at) != "not" {
        return None;
    }
    let negated = *snapshot.children(at).first()?;
    let parts = snapshot.children(negated);
    let text = match (snapshot.kind(negated), name(snapshot, negated)) {
        (Kind::Quant(quantifier @ (Quantifier::Forall | Quantifier::Exists), _), _) => {
            let other: &[u8] = if quantifier == Quantifier::Forall { b"(exists" } else { b"(forall" };
            let body = snapshot.range(*parts.first()?);
            let binders = snapshot.range(negated).start + other.len()..body.start;
            [other, &snapshot.text[binders], b"(not ", &snapshot.text[body], b"))"].concat()
        }
        (_, "=>") => {
            let (&last, premises) = parts.split_last()?;
            let mut text = b"(and ".to_vec();
            for &premise in premises {
                text.extend(conjuncts(snapshot, premise));
                text.push(b' ');
            }
            text.extend(negation(snapshot, last));
            text.push(b')');
            text
        }
        (_, "=") if is_bit(snapshot, &parts) => {
            let flipped = |at: usize| match snapshot.bytes(at) {
                b"#b0" => b"#b1",
                b"#b1" => b"#b0",
                other => other,
            };
            let (left, right) = (flipped(parts[0]), snapshot.bytes(parts[1]));
            let right = if left == snapshot.bytes(parts[0]) { flipped(parts[1]) } else { right };
            [b"(= ", left, b" ", right, b")"].concat()
        }
        (_, relation) if parts.len() == 2 => {
            // For truth values, `xor` is the shortest way to write "different".
            let opposite = match snapshot.sort(parts[0]) == smtlib::SortId::BOOL && relation == "=" {
                true => "xor",
                false => opposite(relation)?,
            };
            let arguments = snapshot.range(parts[0]).start..snapshot.range(negated).end;
            [b"(", opposite.as_bytes(), b" ", &snapshot.text[arguments]].concat()
        }
        _ => return None,
    };
    Some(Edit::replace(snapshot.range(at), text))
}

/// Whether two terms are one bit each, one of them written out.
fn is_bit(snapshot: &Snapshot, parts: &[usize]) -> bool {
    parts.len() == 2 && parts.iter().any(|&part| matches!(snapshot.bytes(part), b"#b0" | b"#b1"))
}

fn opposite(relation: &str) -> Option<&'static str> {
    OPPOSITES.iter().find_map(|&(a, b)| match relation {
        _ if relation == a => Some(b),
        _ if relation == b => Some(a),
        _ => None,
    })
}

/// The conjuncts of a term without the `and` around them; the term itself if it is not a conjunction.
fn conjuncts(snapshot: &Snapshot, at: usize) -> &[u8] {
    let parts = snapshot.children(at);
    match (name(snapshot, at), parts.first(), parts.last()) {
        ("and", Some(&first), Some(&last)) => {
            &snapshot.text[snapshot.range(first).start..snapshot.range(last).end]
        }
        _ => snapshot.bytes(at),
    }
}

fn negation(snapshot: &Snapshot, at: usize) -> Vec<u8> {
    match (name(snapshot, at), snapshot.children(at).first()) {
        ("not", Some(&inner)) => snapshot.bytes(inner).to_vec(),
        _ => [b"(not ", snapshot.bytes(at), b")"].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_move_inwards() {
        for (from, to) in [
            ("(not (exists ((a Int)) (= a 0)))", "(forall ((a Int)) (not (= a 0)))"),
            ("(not (forall ((a Int)) p))", "(exists ((a Int)) (not p))"),
            ("(not (=> (and p q) (not r)))", "(and p q r)"),
            ("(not (=> p q r))", "(and p q (not r))"),
            ("(not (<= x 0))", "(> x 0)"),
            ("(not (distinct x 0))", "(= x 0)"),
            ("(not (= p q))", "(xor p q)"),
            ("(not (= #b1 (bvnot b)))", "(= #b0 (bvnot b))"),
            ("(not (= b #b0))", "(= b #b1)"),
        ] {
            let declared = "(declare-const p Bool)\n(declare-const q Bool)\n(declare-const r Bool)\n\
                (declare-const x Int)\n(declare-const b (_ BitVec 1))\n";
            let script = |term: &str| format!("{declared}(assert {term})\n(check-sat)\n").into_bytes();
            let snapshot = Snapshot::read(&script(from)).unwrap();
            let edits = inwards(&snapshot);
            let result = Edit::apply(&snapshot.text, &[&edits[0]]);
            assert_eq!(String::from_utf8_lossy(&result), String::from_utf8_lossy(&script(to)));
        }
    }
}
