//! Relations propagate facts.
//!
//! If two check-sats have the same answer, a fact about one is a fact about the other. If sat of A implies sat of
//! B, a model of A makes B satisfiable, and a refutation of B refutes A. The evidence keeps its kind and names the
//! relation. A relation is an argument of the strategy (or of ours), checked like its rules.

use crate::certify::Certificate;
use crate::hearing::Hearing;
use crate::ladder::Step;
use strategy::{At, Relation};

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    for relation in hearing.relations() {
        match *relation {
            Relation::SameAnswer(a, b) => {
                steps.extend(carry(hearing, a, b, &[true, false]));
                steps.extend(carry(hearing, b, a, &[true, false]));
            }
            Relation::SatImplies(a, b) => {
                steps.extend(carry(hearing, a, b, &[true]));
                steps.extend(carry(hearing, b, a, &[false]));
            }
            Relation::ShouldDecide(..) => {}
        }
    }
    steps
}

/// A fact about one check-sat, if it holds for another too.
fn carry(hearing: &Hearing, from: At, to: At, truths: &[bool]) -> Option<Step> {
    let fact = hearing.truth(from).filter(|fact| truths.contains(&fact.satisfiable))?;
    if hearing.truth(to).is_some_and(|known| known.satisfiable == fact.satisfiable) {
        return None;
    }
    let mut evidence = fact.evidence.clone();
    if from.question != to.question {
        evidence.detail = format!("{}; {}", hearing.name_of(from, to), evidence.detail);
    }
    Some(Step::Fact(to, Certificate { evidence, ..fact.clone() }))
}
