//! Putting a case to solvers.
//!
//! Targets are asked first, beginning with the primary one; a sat answer whose model our evaluator confirms settles
//! the case, and then nobody else is asked unless the plan wants everybody's answer. References are asked only for
//! what remains. An incremental script is also asked flattened, check by check, so that a solver can be compared
//! with itself; an unsat core is solved again.

use oracle::{Config, Finding, Judge, ModelCheck, Opinion, Verdict, question};
use smtlib::Script;
use smtlib::sexp::{Forest, View};
use solver::{Answer, Kind, Limits, Pool, Query, Reply, Target, Want};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use strategy::Expectation;

/// After this many steady accusations of one kind, the next is repeated less often: a flood of one bug must not take
/// the machine from the others, and a solver that rolls dice never comes so far.
const ENOUGH: u32 = 6;

/// The solvers of a campaign or a check.
pub struct Panel {
    pub targets: Vec<Pool>,
    /// Second opinions.
    pub references: Vec<Pool>,
    /// How often an accusation (its kind and culprits) was confirmed with all repetitions.
    familiar: Mutex<BTreeMap<String, u32>>,
}

impl Panel {
    /// A panel whose pools keep at most `idle` processes each.
    pub fn new(targets: Vec<Target>, references: Vec<Target>, idle: usize) -> Panel {
        let pools = |all: Vec<Target>| all.into_iter().map(|target| Pool::new(target, idle)).collect();
        Panel { targets: pools(targets), references: pools(references), familiar: Mutex::default() }
    }

    /// Whether accusations like this one have been steady often enough to be believed sooner.
    pub fn is_familiar(&self, accusation: &str) -> bool {
        let familiar = self.familiar.lock().unwrap_or_else(PoisonError::into_inner);
        familiar.get(accusation).is_some_and(|&count| count >= ENOUGH)
    }

    /// An accusation was steady in all repetitions.
    pub fn was_steady(&self, accusation: String) {
        *self.familiar.lock().unwrap_or_else(PoisonError::into_inner).entry(accusation).or_default() += 1;
    }

    /// Everybody, targets first.
    pub fn all(&self) -> impl Iterator<Item = &Pool> {
        self.targets.iter().chain(&self.references)
    }

    /// Targets that are asked no more, each with its reason.
    pub fn disabled(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all().filter_map(|pool| Some((pool.target().name.as_str(), pool.disabled()?)))
    }

    /// Whether there is nobody left to test.
    pub fn is_exhausted(&self) -> bool {
        self.targets.iter().all(|pool| pool.disabled().is_some())
    }

    pub fn find(&self, name: &str) -> Option<&Pool> {
        self.all().find(|pool| pool.target().name == name)
    }
}

/// How to ask.
#[derive(Clone)]
pub struct Plan {
    pub kind: Kind,
    pub limits: Limits,
    /// How long a solver may try one check-sat in a live process before it gives up by itself.
    pub soft: Option<std::time::Duration>,
    /// The target asked first.
    pub primary: usize,
    /// Ask every target and reference, whatever is settled.
    pub ask_all: bool,
    /// Ask incremental scripts flattened too.
    pub flatten: bool,
    /// Solve unsat cores again.
    pub cores: bool,
    pub judge: Config,
    pub cancel: Option<run::Cancel>,
}

impl Plan {
    /// What a person expects of `falsum check`: fresh processes, everybody asked, everything looked at.
    pub fn thorough(limits: Limits) -> Plan {
        Plan {
            kind: Kind::Fresh,
            limits,
            soft: None,
            primary: 0,
            ask_all: true,
            flatten: true,
            cores: true,
            judge: Config { enumerate_always: true, regressions: true, only: None },
            cancel: None,
        }
    }
}

/// One reply and what it was a reply to.
pub struct Statement {
    pub target: String,
    pub reply: Reply,
    /// For a flattened question, which check-sat it was.
    pub flattened: Option<usize>,
    /// Whether the target is under test, not a second opinion.
    pub under_test: bool,
    /// What our evaluator says about its model, per check-sat of the case.
    pub models: Vec<Option<ModelCheck>>,
}

/// Everything that was asked and what follows from it.
pub struct Inquiry {
    pub verdict: Verdict,
    pub statements: Vec<Statement>,
}

/// Puts one case to the panel.
pub fn inquire(panel: &Panel, text: &[u8], script: Script, expectation: Expectation, plan: &Plan) -> Inquiry {
    let judge = Judge::new(script, expectation, plan.judge);
    let judge = if plan.soft.is_some() { judge.hurried() } else { judge };
    let mut asking = Asking { panel, plan, judge, statements: vec![] };
    asking.targets(text);
    asking.references(text);
    if plan.flatten && question::is_incremental(asking.judge.script()) {
        asking.flattened();
    }
    let mut verdict = asking.judge.verdict();
    if plan.cores {
        let findings = asking.cores();
        if !findings.is_empty() {
            let mut all = verdict.findings().to_vec();
            all.extend(findings);
            all.sort_by_key(|finding| oracle::severity(finding.kind));
            verdict = Verdict::Findings(all);
        }
    }
    Inquiry { verdict, statements: asking.statements }
}

struct Asking<'a> {
    panel: &'a Panel,
    plan: &'a Plan,
    judge: Judge,
    statements: Vec<Statement>,
}

impl Asking<'_> {
    fn query<'q>(&self, script: &'q [u8], core: bool) -> Query<'q> {
        let mut query = Query::new(script).limits(self.plan.limits.clone()).want(Want {
            model: true,
            core,
            proof: false,
            reason: false,
        });
        query.soft = self.plan.soft;
        query.locate = true;
        query.cancel = self.plan.cancel.clone();
        query
    }

    fn targets(&mut self, text: &[u8]) {
        let count = self.panel.targets.len();
        for n in 0..count {
            let pool = &self.panel.targets[(self.plan.primary + n) % count];
            self.ask(pool, text, true);
            if !self.plan.ask_all && self.judge.is_settled() && !self.judge.is_suspicious() {
                return;
            }
        }
    }

    fn references(&mut self, text: &[u8]) {
        for pool in &self.panel.references {
            if !self.plan.ask_all && self.judge.is_settled() {
                return;
            }
            self.ask(pool, text, false);
        }
    }

    fn ask(&mut self, pool: &Pool, text: &[u8], under_test: bool) {
        if pool.disabled().is_some() {
            return;
        }
        let wants_core = self.plan.cores && has_names(self.judge.script());
        let reply = pool.ask(&self.query(text, wants_core), self.plan.kind);
        let target = pool.target();
        let opinion = Opinion { target, reply: &reply, first_check: 0, flattened: false, under_test };
        let models = self.judge.hear(&opinion);
        self.statements.push(Statement {
            target: pool.target().name.clone(),
            reply,
            flattened: None,
            under_test,
            models,
        });
    }

    /// Asks each check-sat as a plain script. Every target is asked; references only if the check is not settled.
    fn flattened(&mut self) {
        for check in self.judge.considered() {
            let Some(text) = question::flatten(self.judge.script(), check) else { continue };
            for (n, pool) in self.panel.all().enumerate() {
                let under_test = n < self.panel.targets.len();
                if pool.disabled().is_some() {
                    continue;
                }
                if !under_test && !self.plan.ask_all && self.judge.truth(check).is_some() {
                    continue;
                }
                let reply = pool.ask(&self.query(&text, false), self.plan.kind);
                let models = self.judge.hear(&Opinion {
                    target: pool.target(),
                    reply: &reply,
                    first_check: check,
                    flattened: true,
                    under_test,
                });
                let target = pool.target().name.clone();
                self.statements.push(Statement { target, reply, flattened: Some(check), under_test, models });
            }
        }
    }

    /// Puts every unsat core to the others: a core that has a model is no core.
    fn cores(&mut self) -> Vec<Finding> {
        let mut findings = vec![];
        let script = self.judge.script();
        for statement in self.statements.iter().filter(|s| s.flattened.is_none() && s.under_test) {
            for (check, said) in statement.reply.checks.iter().enumerate() {
                let (Some(Answer::Unsat), Some(core)) = (said.answer, &said.core) else { continue };
                let text = core_names(core).and_then(|names| question::core_only(script, check, &names));
                let Some(text) = text else { continue };
                for pool in self.panel.all().filter(|pool| pool.target().name != statement.target) {
                    let reply = pool.ask(&self.query(&text, false), self.plan.kind);
                    let Some(model) = reply.checks.first().and_then(|check| check.model.as_ref()) else {
                        continue;
                    };
                    let found =
                        self.judge.core_finding(check, &statement.target, pool.target(), model, &text);
                    if let Some(finding) = found {
                        findings.push(finding);
                        break;
                    }
                }
            }
        }
        findings
    }
}

/// Whether any assertion has a name, so that a core means something.
fn has_names(script: &Script) -> bool {
    script.assertions().any(|term| !question::names_of(script, term).is_empty())
}

/// The names in a printed core, without bars; `None` if it is no list.
pub(crate) fn core_names(core: &[u8]) -> Option<Vec<Vec<u8>>> {
    let forest = Forest::read(core).ok()?;
    let View::List(names) = forest.view(*forest.roots().first()?) else { return None };
    let name = |&name: &_| {
        let text = forest.text(name);
        text.strip_prefix(b"|").and_then(|t| t.strip_suffix(b"|")).unwrap_or(text).to_vec()
    };
    Some(names.iter().map(name).collect())
}
