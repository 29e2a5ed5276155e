//! `falsum strategy verify` for rules of implication: those of `weaken` and `skeleton`, or a file of the user.
//!
//! Each rule is tried in our evaluator on values of every sort that it speaks of, and put to every solver as a script
//! that is unsatisfiable exactly if the rule holds. A `sat` refutes the rule only if our evaluator confirms the model:
//! solvers have bugs too, and what one of them says wrongly is told as a note. A rule is proved if some solver proves
//! each of its instances, and proved twice if two do.

use crate::panel::SolverArgs;
use oracle::{Given, ModelCheck, check_model, notation};
use serde::Serialize;
use smtlib::Script;
use solver::{Answer, Extras, Query, SessionKind};
use strategy::weaken::rules::{Rule, Rules};
use strategy::weaken::verify::{Trial, obligations, try_rule};
use triage::Panel;

/// What is known about one rule after checking.
#[derive(Serialize)]
pub struct RuleReport {
    pub rule: String,
    pub values: u64,
    /// How often the premise held, or the sides of an equivalence did.
    pub met: u64,
    pub undecided: u64,
    /// How many instances solvers were asked about, and how many of them one and two or more proved.
    pub instances: usize,
    pub proved: usize,
    pub proved_twice: usize,
    pub wrong: bool,
    /// Answers of solvers against the rule that do not count, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What shows that it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<String>,
}

/// What came of asking one solver about one instance.
enum Said {
    Proved,
    Refuted(String),
    Doubtful(String),
    Nothing,
}

/// Checks the rules whose names contain a word.
pub fn check(
    rules: &Rules,
    only: Option<&str>,
    values: u64,
    panel: Option<&Panel>,
    solvers: &SolverArgs,
    mut each: impl FnMut(&RuleReport),
) -> Vec<RuleReport> {
    let wanted = rules.rules.iter().filter(|rule| only.is_none_or(|word| rule.name.contains(word)));
    let check = |rule: &Rule| {
        let report = one(rule, values, panel, solvers);
        each(&report);
        report
    };
    wanted.map(check).collect()
}

fn one(rule: &Rule, values: u64, panel: Option<&Panel>, solvers: &SolverArgs) -> RuleReport {
    let Trial { tried, met, undecided, refuted, ill_typed } = try_rule(rule, values);
    let mut report = RuleReport {
        rule: rule.name.clone(),
        values: tried,
        met,
        undecided,
        instances: 0,
        proved: 0,
        proved_twice: 0,
        wrong: refuted.is_some() || ill_typed.is_some() || met == 0,
        notes: vec![],
        counterexample: refuted.or(ill_typed),
    };
    let Some(panel) = panel.filter(|_| !report.wrong) else { return report };
    for script in obligations(rule) {
        report.instances += 1;
        let mut proofs = 0;
        for pool in panel.all() {
            match ask(pool, &script, solvers) {
                Said::Proved => proofs += 1,
                Said::Refuted(model) => {
                    report.wrong = true;
                    report.counterexample = Some(format!("{}{model}", String::from_utf8_lossy(&script)));
                }
                Said::Doubtful(why) => report.notes.push(format!("{}: {why}", pool.target().name)),
                Said::Nothing => {}
            }
        }
        report.proved += usize::from(proofs > 0);
        report.proved_twice += usize::from(proofs > 1);
    }
    report
}

fn ask(pool: &solver::Pool, script: &[u8], solvers: &SolverArgs) -> Said {
    let want = Extras { model: true, ..Extras::default() };
    let query = Query::new(script).limits(solvers.limits()).want(want);
    let reply = pool.ask(&query, SessionKind::Fresh);
    match reply.answer() {
        Some(Answer::Unsat) => Said::Proved,
        Some(Answer::Sat) => {
            let model = reply.checks.last().and_then(|check| check.model.as_deref());
            let (Some(model), Ok(mut parsed)) = (model, Script::parse(script)) else {
                return Said::Doubtful("says sat without a model that can be read".into());
            };
            match check_model(&mut parsed, 0, model, notation(pool.target())) {
                ModelCheck::Confirmed { given: Given::Nothing, .. } => {
                    Said::Refuted(String::from_utf8_lossy(model).into_owned())
                }
                ModelCheck::Refuted { detail } => {
                    Said::Doubtful(format!("says sat with a model that does not hold: {detail}"))
                }
                ModelCheck::Confirmed { .. } => {
                    Said::Doubtful("says sat by filling in what the standard leaves open".into())
                }
                ModelCheck::Undecided(why) => Said::Doubtful(format!("says sat, not decided here: {why}")),
            }
        }
        _ => Said::Nothing,
    }
}

impl RuleReport {
    /// Whether every instance that solvers were asked about is proved.
    pub fn is_proved(&self) -> bool {
        self.instances > 0 && self.proved == self.instances
    }

    pub fn line(&self) -> String {
        let verdict = if self.wrong { "WRONG" } else { "ok" };
        let proved = match self.instances {
            0 => String::new(),
            n => format!("proved {} of {n}, {} by two solvers", self.proved, self.proved_twice),
        };
        let values = format!("{} values, {} met", self.values, self.met);
        format!("{verdict:<6}{:<32} {values:<26} {proved}", self.rule).trim_end().to_owned()
    }
}
