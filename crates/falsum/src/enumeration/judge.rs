//! One enumerated formula: asked of everybody, judged, certified where that is cheap.
//!
//! Everybody is asked, because the guarantee says how many formulas everybody answers. A sat answer is certified by
//! its model; what is left is tried exhaustively within a few milliseconds, which also catches what all solvers get
//! wrong together. Whatever looks wrong is asked again in fresh processes before it is a finding. A panic of our own
//! is caught and kept with its formula.

use super::Scope;
use crate::caught::caught;
use crate::hunt::work::{Done, Judged, Test, confirmed};
use crate::hunt::{SessionMix, Setup};
use oracle::{Config, Verdict};
use smtlib::Script;
use solver::{Answer, Kind};
use strategy::{Case, Rng};
use triage::{Inquiry, Plan, Statement, inquire};

/// Work for deciding one formula by trying everything: a few milliseconds.
const WORK: u64 = 1 << 21;

/// What one formula adds to the guarantee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How many solvers answered, and how many there are.
    answered: usize,
    asked: usize,
    certified: bool,
    inconclusive: bool,
    invalid: bool,
}

impl Share {
    pub fn add_to(self, counts: &mut [u64; Scope::COUNTS.len()]) {
        let answered = match self.answered {
            0 => Scope::BY_NONE,
            1 if self.asked > 1 => Scope::BY_ONE,
            n if n == self.asked => Scope::BY_ALL,
            _ => Scope::BY_SOME,
        };
        counts[answered] += 1;
        counts[Scope::FORMULAS] += 1;
        counts[Scope::CERTIFIED] += u64::from(self.certified);
        counts[Scope::INCONCLUSIVE] += u64::from(self.inconclusive);
        counts[Scope::INVALID] += u64::from(self.invalid);
    }
}

/// Asks and judges.
pub fn judge(setup: &Setup, case: Case) -> (Done, Share) {
    match caught(|| judge_case(setup, &case)) {
        Ok((verdict, tests, share)) => (Done { case, verdict, tests }, share),
        Err(said) => (Done::our_bug(case, said), Share::default()),
    }
}

fn judge_case(setup: &Setup, case: &Case) -> (Judged, Vec<Test>, Share) {
    let script = match Script::parse(&case.script) {
        Ok(script) => script,
        Err(error) => {
            let share = Share { invalid: true, ..Share::default() };
            return (Judged::Invalid(error.render("formula", &case.script)), vec![], share);
        }
    };
    let plan = plan(setup, case);
    let inquiry = inquire(&setup.panel, &case.script, script.clone(), case.expectation.clone(), &plan);
    let asked = setup.panel.all().count();
    let mut share = Share { asked, ..answered(&inquiry.statements, script.checks()) };
    let tests = inquiry.statements.iter().map(Test::of).collect();
    let judged = match &inquiry.verdict {
        Verdict::Findings(_) => suspected(setup, case, &script, &plan, inquiry),
        Verdict::Inconclusive(why) => Judged::Inconclusive(why.clone()),
        Verdict::Fine { certified: true } => Judged::Fine { certified: true },
        Verdict::Fine { certified: false } => match exact(&script, &inquiry.statements) {
            Exact::Agrees => Judged::Fine { certified: true },
            Exact::Silent => Judged::Fine { certified: false },
            Exact::Contradicts => suspected(setup, case, &script, &plan, inquiry),
        },
    };
    share.certified = match &judged {
        Judged::Fine { certified } => *certified,
        Judged::Findings { findings, .. } => findings.iter().any(|finding| finding.truth.is_some()),
        _ => false,
    };
    share.inconclusive = matches!(judged, Judged::Inconclusive(_) | Judged::Flaky(..));
    (judged, tests, share)
}

/// How this formula is asked: a pure function of the campaign key and its place.
fn plan(setup: &Setup, case: &Case) -> Plan {
    let number = case.recipe.unit.wrapping_mul(1 << 16).wrapping_add(case.recipe.step);
    let kind = match setup.session {
        SessionMix::Fresh => Kind::Fresh,
        SessionMix::Reset => Kind::Reset,
        SessionMix::Scoped => Kind::Scoped,
        SessionMix::Mixed => match Rng::of(&setup.key, "asking enumerate", number).below(40) {
            0 => Kind::Fresh,
            1 => Kind::Reset,
            _ => Kind::Scoped,
        },
    };
    Plan {
        kind,
        limits: setup.limits.clone(),
        soft: None,
        primary: 0,
        ask_all: true,
        flatten: true,
        cores: false,
        judge: Config { enumerate_always: false, regressions: false, only: None },
        cancel: Some(setup.cancel.clone()),
    }
}

/// How many solvers gave a definite answer to every check-sat.
fn answered(statements: &[Statement], checks: usize) -> Share {
    let definite = |answer| matches!(answer, Some(Answer::Sat | Answer::Unsat));
    let answered = statements
        .iter()
        .filter(|s| s.flattened.is_none())
        .filter(|s| s.reply.checks.len() == checks && s.reply.checks.iter().all(|c| definite(c.answer)))
        .count();
    Share { answered, ..Share::default() }
}

/// What trying everything says about answers that no model certifies.
enum Exact {
    /// Every check-sat that has an answer is decided, and so it is.
    Agrees,
    /// Some check-sat is beyond it.
    Silent,
    Contradicts,
}

fn exact(script: &Script, statements: &[Statement]) -> Exact {
    let mut script = script.clone();
    let mut silent = false;
    for check in 0..script.checks() {
        let said = |answer| {
            let says = |s: &Statement| s.reply.checks.get(check).and_then(|c| c.answer) == Some(answer);
            statements.iter().any(|s| s.flattened.is_none() && says(s))
        };
        match oracle::decide(&mut script, check, WORK) {
            None => silent = true,
            Some(fact) if fact.satisfiable && said(Answer::Unsat) => return Exact::Contradicts,
            Some(fact) if !fact.satisfiable && said(Answer::Sat) => return Exact::Contradicts,
            Some(_) => {}
        }
    }
    if silent { Exact::Silent } else { Exact::Agrees }
}

/// Repeats a suspicion in fresh processes, with everything looked at.
fn suspected(setup: &Setup, case: &Case, script: &Script, plan: &Plan, suspicion: Inquiry) -> Judged {
    let judge = Config { enumerate_always: true, regressions: false, only: None };
    confirmed(setup, case, script, &Plan { judge, ..plan.clone() }, suspicion)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_counts_once_as_answered_by_all_some_one_or_none() {
        let of = |answered, asked| {
            let mut counts = [0; Scope::COUNTS.len()];
            Share { answered, asked, certified: answered > 0, ..Share::default() }.add_to(&mut counts);
            let at = [Scope::BY_ALL, Scope::BY_SOME, Scope::BY_ONE, Scope::BY_NONE].map(|n| counts[n]);
            assert_eq!((at.iter().sum::<u64>(), counts[Scope::FORMULAS]), (1, 1));
            at.iter().position(|&n| n == 1).expect("one of them")
        };
        assert_eq!([of(2, 2), of(1, 1), of(2, 3), of(1, 2), of(0, 2)], [0, 0, 1, 2, 3]);
    }
}
