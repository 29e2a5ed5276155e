//! Each check-sat of an incremental script, run as a script of its own.
//!
//! The same assertions without push, pop and earlier checks must have the same answer, so a solver can be compared
//! with itself. In: an incremental formula. Out: one question per check-sat, for every target, and for references only
//! where nothing is certain yet. The relation `SameAnswer` propagates facts between the two.

use crate::hearing::{Ask, Hearing, Whom};
use crate::ladder::Step;
use crate::question;
use smtlib::Parsed;
use strategy::{At, Question, Relation, Role};

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    if !hearing.effort.alone || !question::is_incremental(hearing.script(0)) || hearing.heard().is_empty() {
        return vec![];
    }
    let of_formula = |at: &At| at.question == 0;
    let checks: Vec<At> = hearing.considered().into_iter().filter(of_formula).collect();
    let mut steps = vec![];
    for at in checks {
        if hearing.has_role(&Role::OneCheck(at.check)) {
            continue;
        }
        let text = question::flatten(hearing.script(0), at.check);
        let Some(script) = text.and_then(|text| Parsed::read(text).ok()) else { continue };
        let question = Question { role: Role::OneCheck(at.check), script, expects: vec![] };
        let whom = if hearing.truth(at).is_some() { Whom::Targets } else { Whom::All };
        let relation = move |question| Relation::SameAnswer(at, At { question, check: 0 });
        steps.push(Step::Ask(Ask { question, whom, relation: Some(Box::new(relation)) }));
    }
    steps
}
