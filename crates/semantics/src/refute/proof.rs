//! Checks a propositional refutation by unit propagation alone.
//!
//! In: clauses, and the clauses that a solver learned from them, in order. Out: whether each learned clause follows
//! from those before it by *reverse unit propagation* (assume it false, propagate, reach a conflict), and whether the
//! empty clause follows at the end. That is sound because unit propagation only draws consequences: if assuming the
//! negation of a clause leads to a conflict, the clause is implied. This file intentionally shares no code with `sat`;
//! it is slow and short.

use super::sat::Lit;
use crate::budget::{Budget, Exhausted};

/// Whether the empty clause follows from the clauses, as the learned ones show.
pub(super) fn check(clauses: &[Vec<Lit>], learned: &[Vec<Lit>], budget: &Budget) -> Result<bool, Exhausted> {
    let mut known: Vec<&[Lit]> = clauses.iter().map(Vec::as_slice).collect();
    for clause in learned {
        if !follows(&known, clause, budget)? {
            return Ok(false);
        }
        known.push(clause);
    }
    follows(&known, &[], budget)
}

/// Whether propagation from the negation of a clause reaches a conflict.
fn follows(known: &[&[Lit]], clause: &[Lit], budget: &Budget) -> Result<bool, Exhausted> {
    let vars = known.iter().flat_map(|c| c.iter()).chain(clause).map(|l| l.var() + 1).max().unwrap_or(0);
    let mut truth: Vec<Option<bool>> = vec![None; vars as usize];
    for lit in clause {
        truth[lit.var() as usize] = Some(!lit.is_positive());
    }
    loop {
        let mut changed = false;
        budget.spend(1 + known.len() as u64 / 4)?;
        for clause in known {
            let mut open = None;
            let mut count = 0;
            let mut satisfied = false;
            for lit in *clause {
                match truth[lit.var() as usize] {
                    // A literal may occur twice.
                    None if open == Some(*lit) => {}
                    None => (open, count) = (Some(*lit), count + 1),
                    Some(value) => satisfied |= value == lit.is_positive(),
                }
            }
            match (satisfied, count, open) {
                (true, ..) | (false, 2.., _) => {}
                (false, 1, Some(lit)) => {
                    truth[lit.var() as usize] = Some(lit.is_positive());
                    changed = true;
                }
                (false, ..) => return Ok(true),
            }
        }
        if !changed {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(n: i32) -> Lit {
        Lit::new(n.unsigned_abs() - 1, n > 0)
    }

    fn clauses(list: &[&[i32]]) -> Vec<Vec<Lit>> {
        list.iter().map(|c| c.iter().map(|&n| lit(n)).collect()).collect()
    }

    #[test]
    fn a_learned_clause_that_does_not_follow_is_refused() {
        let budget = Budget::new(1 << 20, 0);
        let given = clauses(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]]);
        assert!(check(&given, &clauses(&[&[1]]), &budget).unwrap());
        assert!(!check(&given, &[], &budget).unwrap(), "the clause in between is needed");
        assert!(check(&clauses(&[&[1, 1], &[-1]]), &[], &budget).unwrap(), "a literal that occurs twice");
        let fewer = clauses(&[&[1, 2], &[1, -2], &[-1, 2]]);
        assert!(!check(&fewer, &clauses(&[&[-1]]), &budget).unwrap());
        assert!(!check(&fewer, &clauses(&[&[]]), &budget).unwrap());
    }
}
