//! Our own refutation: lemmas, each valid by itself, that rule out every assignment (`semantics::refute`). It certifies
//! `unsat` and refutes `sat`.
//!
//! Tried once per check-sat without a certificate: first where a target says `unsat` (`confirm`), and, after the finder
//! found no model, where all say `sat` (`oppose`). The evidence lists the lemmas, shortest first: a reader can check each
//! with a solver and then check the propositional rest.

use crate::certify::Certificate;
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Evidence, EvidenceKind};
use semantics::refute::{refute, refute_at_any_length};
use solver::Answer;
use strategy::At;

/// Where a solver says `unsat`.
pub fn confirm(hearing: &mut Hearing) -> Vec<Step> {
    let said = |at: &At, hearing: &Hearing| hearing.has_answer(*at, Answer::Unsat);
    let wanted: Vec<At> = hearing.uncertified().into_iter().filter(|at| said(at, hearing)).collect();
    wanted.into_iter().filter_map(|at| look(hearing, at)).collect()
}

/// Whatever is said.
pub fn oppose(hearing: &mut Hearing) -> Vec<Step> {
    hearing.uncertified().into_iter().filter_map(|at| look(hearing, at)).collect()
}

fn look(hearing: &mut Hearing, at: At) -> Option<Step> {
    if !hearing.tries(at, "refutation") {
        return None;
    }
    let budget = hearing.effort.budget(hearing.effort.refutation);
    // Making it short takes a sixth of the time, and only an accusation is read.
    let refute = if hearing.has_answer(at, Answer::Sat) { refute } else { refute_at_any_length };
    let script = hearing.script_mut(at.question);
    let refutation = refute(script, at.check, &budget).ok();
    hearing.searched.refutation = Some(refutation.is_some());
    let (refutation, script) = (refutation?, hearing.script_mut(at.question));
    let detail = refutation.text(script).trim_end().to_owned();
    let evidence = Evidence::new(EvidenceKind::Refutation, "falsum", detail);
    Some(Step::Fact(at, Certificate::new(false, evidence)))
}
