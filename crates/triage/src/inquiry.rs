//! Running solvers on a case.
//!
//! Targets run first, beginning with the primary one; a sat answer whose model our evaluator confirms settles the case,
//! and then no other solver is run unless the plan wants every answer. References are run only for what remains. Then
//! the oracle applies its rungs and says which further questions would help; they are run, and the oracle judges again,
//! until it needs no further answers.

use crate::confirm::Rate;
use crate::feature::Features;
use crate::known::KnownBugs;
use oracle::{
    Accusation, Ask, Effort, Heard, Hearing, Pace, ProofChecked, Searched, Verdict, Whom, question,
};
use smtlib::Script;
use solver::session::Fresh;
use solver::{Answer, Checker, Extras, Pool, Query, QueryLimits, Reply, SessionKind, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use strategy::{At, Case, Facts};

/// After this many confirmed accusations of one kind, the next is repeated less often: a flood of one bug must not take
/// the machine from the others, and a solver with random behaviour does not reach this number.
const ENOUGH: u32 = 2;

/// The solvers of a campaign or a check.
pub struct Panel {
    pub targets: Vec<Arc<Pool>>,
    /// Second opinions.
    pub references: Vec<Arc<Pool>>,
    /// The same solvers with other options for the targets; the second opinions are shared.
    pub variants: Vec<Panel>,
    /// The variants that were used last, the latest at the end.
    recent: Mutex<Vec<usize>>,
    /// How many variants keep processes, and how many each of their pools keeps.
    few: usize,
    /// How often an accusation (its kind and culprit) was confirmed in all repetitions.
    familiar: Mutex<BTreeMap<String, u32>>,
    /// Accusations that did not show every time.
    flaky: Mutex<BTreeSet<String>>,
    /// What solvers hardly support.
    pub features: Features,
    /// The bugs that were triaged.
    pub known: KnownBugs,
    /// Proof checkers that the user has.
    pub checkers: Vec<Checker>,
}

impl Panel {
    /// A panel whose pools keep at most `idle` processes each.
    pub fn new(targets: Vec<Target>, references: Vec<Target>, idle: usize) -> Panel {
        let pool = |target| Arc::new(Pool::new(target, idle));
        let targets = targets.into_iter().map(pool).collect();
        Panel::of_pools(targets, references.into_iter().map(pool).collect(), idle.div_ceil(2))
    }

    fn of_pools(targets: Vec<Arc<Pool>>, references: Vec<Arc<Pool>>, few: usize) -> Panel {
        Panel {
            targets,
            references,
            variants: vec![],
            recent: Mutex::default(),
            few,
            familiar: Mutex::default(),
            flaky: Mutex::default(),
            features: Features::default(),
            known: KnownBugs::default(),
            checkers: vec![],
        }
    }

    /// The same with variants: each has further arguments for every target. A target without any is shared.
    pub fn with_variants(mut self, sets: &[Vec<Vec<String>>]) -> Panel {
        let varied = |pool: &Arc<Pool>, args: &Vec<String>| match args.is_empty() {
            true => Arc::clone(pool),
            false => Arc::new(Pool::new(pool.target().with_args(args), self.few)),
        };
        let variant = |set: &Vec<Vec<String>>| {
            let targets = self.targets.iter().zip(set).map(|(pool, args)| varied(pool, args)).collect();
            Panel::of_pools(targets, self.references.clone(), self.few)
        };
        self.variants = sets.iter().map(variant).collect();
        self
    }

    /// The variant of this number, or the panel itself. Cases with the same options follow each other, so only the variants
    /// used last keep processes.
    pub fn variant(&self, number: Option<usize>) -> &Panel {
        let Some((number, variant)) = number.and_then(|number| Some((number, self.variants.get(number)?)))
        else {
            return self;
        };
        let gone = {
            let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
            recent.retain(|&used| used != number);
            recent.push(number);
            (recent.len() > self.few.max(1)).then(|| recent.remove(0))
        };
        if let Some(gone) = gone.and_then(|gone| self.variants.get(gone)) {
            gone.targets.iter().filter(|pool| !self.owns(pool)).for_each(|pool| pool.clear());
        }
        variant
    }

    /// Whether a pool of a variant is one of ours, because that target has no other options there.
    fn owns(&self, pool: &Arc<Pool>) -> bool {
        self.targets.iter().any(|own| Arc::ptr_eq(own, pool))
    }

    /// The panel or variant that has a target of this name.
    pub fn owning(&self, name: Option<&str>) -> &Panel {
        let has = |panel: &&Panel| panel.all().any(|pool| Some(pool.target().name.as_str()) == name);
        std::iter::once(self).chain(&self.variants).find(has).unwrap_or(self)
    }

    /// The same with proof checkers.
    pub fn with_checkers(mut self, checkers: Vec<Checker>) -> Panel {
        self.checkers = checkers;
        self
    }

    /// Whether accusations like this one have been confirmed often enough to need fewer repetitions.
    pub fn is_familiar(&self, accusation: &str) -> bool {
        if self.is_flaky(accusation) {
            return false;
        }
        let familiar = self.familiar.lock().unwrap_or_else(PoisonError::into_inner);
        familiar.get(accusation).is_some_and(|&count| count >= ENOUGH)
    }

    /// Whether an accusation like this one once did not show in every run.
    pub fn is_flaky(&self, accusation: &str) -> bool {
        self.flaky.lock().unwrap_or_else(PoisonError::into_inner).contains(accusation)
    }

    /// Records that an accusation did not show in every run: accusations of this kind get all repetitions from now on.
    pub fn was_flaky(&self, accusation: String) {
        self.flaky.lock().unwrap_or_else(PoisonError::into_inner).insert(accusation);
    }

    /// Records that an accusation was confirmed in all repetitions.
    pub fn was_steady(&self, accusation: String) {
        *self.familiar.lock().unwrap_or_else(PoisonError::into_inner).entry(accusation).or_default() += 1;
    }

    /// All solvers, targets first.
    pub fn all(&self) -> impl Iterator<Item = &Pool> {
        self.targets.iter().chain(&self.references).map(|pool| &**pool)
    }

    /// Targets that have been disabled, each with the reason.
    pub fn disabled(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all().filter_map(|pool| Some((pool.target().name.as_str(), pool.disabled()?)))
    }

    /// Whether there is no target left to test.
    pub fn is_exhausted(&self) -> bool {
        self.targets.iter().all(|pool| pool.disabled().is_some())
    }

    pub fn find(&self, name: &str) -> Option<&Pool> {
        self.all().find(|pool| pool.target().name == name)
    }
}

/// How to run a case.
#[derive(Clone)]
pub struct Plan {
    pub session: SessionKind,
    pub limits: QueryLimits,
    /// How long a solver may try one check-sat in a live process before it gives up by itself.
    pub soft: Option<Duration>,
    /// The target that runs first.
    pub primary: usize,
    /// Targets that are not run, by name, if another one is left.
    pub resting: Vec<Arc<str>>,
    /// Run every target and reference, even if the answer is settled.
    pub ask_all: bool,
    pub effort: Effort,
    /// The variant of the panel that is asked, if not the panel itself.
    pub options: Option<usize>,
    pub cancel: Option<run::Cancel>,
}

impl Plan {
    /// What a user expects of `falsum check`: fresh processes, all solvers, all checks.
    pub fn thorough(limits: QueryLimits) -> Plan {
        // A short limit shows only the beginning of slowness; what it shows is measured before any solver is accused.
        let pace = Some(Pace::within(limits.wall));
        Plan {
            session: SessionKind::Fresh,
            limits,
            soft: None,
            primary: 0,
            resting: vec![],
            ask_all: true,
            effort: Effort { pace, ..Effort::thorough() },
            options: None,
            cancel: None,
        }
    }

    /// The same, with only the questions that the script itself asks.
    pub fn as_asked(mut self) -> Plan {
        self.effort = self.effort.as_asked();
        self
    }

    fn query<'q>(&self, script: &'q [u8], core: bool) -> Query<'q> {
        let want = Extras { model: true, core, proof: false, reason: false };
        let mut query = Query::new(script).limits(self.limits.clone()).want(want);
        query.soft = self.soft;
        query.locate = true;
        query.cancel = self.cancel.clone();
        query
    }
}

/// Everything that was run and what follows from it.
#[derive(Debug)]
pub struct Inquiry {
    pub verdict: Verdict,
    /// The case with the questions that were added to it.
    pub case: Case,
    pub heard: Vec<Heard>,
    pub facts: Facts,
    /// Suspicions that accuse no solver, each with both sides as evidence.
    pub unconfirmed: Vec<Accusation>,
    /// Whether the answer to every check-sat is certain, whatever was said.
    pub certain: bool,
    /// Of each finding of the verdict, in how many fresh runs it showed; none if it was not repeated.
    pub rates: Vec<Rate>,
    /// Whether our own searches found something.
    pub searched: Searched,
}

impl Inquiry {
    /// The same replies with another verdict.
    pub(crate) fn clone_as(&self, verdict: Verdict) -> Inquiry {
        let (case, heard, facts) = (self.case.clone(), self.heard.clone(), self.facts.clone());
        let Inquiry { certain, searched, .. } = *self;
        Inquiry { verdict, case, heard, facts, unconfirmed: vec![], certain, rates: vec![], searched }
    }

    /// In how many fresh runs this finding showed.
    pub fn rate(&self, accusation: &Accusation) -> Option<Rate> {
        let at = self.verdict.findings().iter().position(|finding| finding == accusation)?;
        self.rates.get(at).copied()
    }
}

/// Runs one case on the panel.
pub fn inquire(panel: &Panel, case: &Case, plan: &Plan) -> Inquiry {
    let mut asking = Asking::new(panel, case, plan);
    asking.targets();
    asking.references();
    asking.self_checks();
    asking.proofs();
    asking.climb();
    asking.end()
}

/// How long a solver may take on which no accusation rests: what it says is only shown beside the evidence.
const BYSTANDERS: Duration = Duration::from_millis(500);

/// Runs one case on the solvers on which these accusations rest: the accused ones and those that gave evidence; with
/// `ask_all` then on the others, under a short limit. `None` if that does not show one of them again, or only as a vote;
/// then all solvers are to be run under the full limit.
pub fn inquire_about(panel: &Panel, case: &Case, plan: &Plan, suspected: &[Accusation]) -> Option<Inquiry> {
    let concerns = |pool: &Pool| {
        let name = pool.target().name.as_str();
        suspected.iter().any(|a| a.accuses(name) || a.evidence.iter().any(|evidence| evidence.by == name))
    };
    let mut asking = Asking::new(panel, case, plan);
    for (n, pool) in panel.all().enumerate().filter(|(_, pool)| concerns(pool)) {
        asking.ask_all_questions(pool, n < panel.targets.len());
    }
    let short = QueryLimits { wall: plan.limits.wall.min(BYSTANDERS), ..plan.limits.clone() };
    let short = Plan { limits: short, ..plan.clone() };
    if plan.ask_all {
        let mut beside = Asking { plan: &short, ..asking };
        for (n, pool) in panel.all().enumerate().filter(|(_, pool)| !concerns(pool)) {
            beside.ask_all_questions(pool, n < panel.targets.len());
        }
        asking = Asking { plan, ..beside };
    }
    asking.climb();
    let again = |found: &Accusation| {
        !found.is_only_a_vote()
            && suspected.iter().any(|a| a.kind == found.kind && a.culprit == found.culprit)
    };
    let inquiry = asking.end();
    inquiry.verdict.findings().iter().any(again).then_some(inquiry)
}

struct Asking<'a> {
    panel: &'a Panel,
    plan: &'a Plan,
    case: &'a Case,
    hearing: Hearing,
}

impl<'a> Asking<'a> {
    fn new(panel: &'a Panel, case: &'a Case, plan: &'a Plan) -> Asking<'a> {
        Asking { panel, plan, case, hearing: Hearing::new(case, plan.effort) }
    }

    /// Applies the rungs and runs the questions that they ask for, until they ask for none.
    fn climb(&mut self) {
        loop {
            let asks = self.hearing.climb();
            if asks.is_empty() {
                return;
            }
            asks.iter().for_each(|ask| self.put(ask));
        }
    }

    fn end(self) -> Inquiry {
        let (verdict, facts) = (self.hearing.verdict(), self.hearing.facts());
        let unconfirmed = self.hearing.unconfirmed().to_vec();
        let (certain, searched) = (self.hearing.is_settled(), self.hearing.searched());
        let (questions, relations, heard) = self.hearing.into_parts();
        let case = Case { questions, relations, ..self.case.clone() };
        Inquiry { verdict, case, heard, facts, unconfirmed, certain, rates: vec![], searched }
    }

    fn targets(&mut self) {
        let count = self.panel.targets.len();
        let rests = |pool: &Arc<Pool>| self.plan.resting.iter().any(|name| **name == *pool.target().name);
        let all_rest = self.panel.targets.iter().all(rests);
        for n in 0..count {
            let pool = &self.panel.targets[(self.plan.primary + n) % count];
            if !all_rest && rests(pool) {
                continue;
            }
            self.ask_all_questions(pool, true);
            if !self.plan.ask_all && self.hearing.is_settled() && !self.hearing.is_suspicious() {
                return;
            }
        }
    }

    fn references(&mut self) {
        for pool in &self.panel.references {
            // A target that gave up on what is certain by now may still be outdone by an older release.
            let needed = self.plan.ask_all
                || !self.hearing.is_settled()
                || self.hearing.may_be_outdone_by(pool.target());
            if needed {
                self.ask_all_questions(pool, false);
            }
        }
    }

    fn ask_all_questions(&mut self, pool: &Pool, under_test: bool) {
        for (number, question) in self.case.questions.iter().enumerate() {
            self.ask(pool, number, question.script.text(), under_test);
        }
    }

    fn ask(&mut self, pool: &Pool, number: usize, text: &[u8], under_test: bool) {
        if pool.disabled().is_some() {
            return;
        }
        let core = self.plan.effort.cores && number == 0 && has_names(self.hearing.script(0));
        let reply = pool.ask(&self.plan.query(text, core), self.plan.session);
        self.hearing.hear(pool.target(), Reply { question: number, ..reply }, under_test);
    }

    /// Asks the targets once more about the formula, with the arguments that make them check their own answers.
    fn self_checks(&mut self) {
        if !self.plan.effort.self_checks {
            return;
        }
        for pool in self.panel.targets.iter().filter(|pool| pool.disabled().is_none()) {
            let Some(target) = pool.target().checking_itself() else { continue };
            let script = self.case.formula().script.text();
            let core = has_names(self.hearing.script(0));
            let reply = Fresh::new(target).ask(&self.plan.query(script, core));
            self.hearing.hear_self_check(pool.target(), &Reply { question: 0, ..reply });
        }
    }

    /// Has the proofs of all targets that say `unsat` checked, where there is a checker for a format of theirs.
    fn proofs(&mut self) {
        if !self.plan.effort.proofs || self.hearing.script(0).checks() != 1 {
            return;
        }
        let at = At { question: 0, check: 0 };
        for checker in &self.panel.checkers {
            for pool in &self.panel.targets {
                let name = &pool.target().name;
                let says = |heard: &&Heard| heard.name() == name && heard.reply.question == 0;
                let heard = self.hearing.heard().iter().find(says);
                let unsat = heard.is_some_and(|heard| heard.answer(0) == Some(Answer::Unsat));
                let Some(target) = pool.target().proving(&checker.profile.format).filter(|_| unsat) else {
                    continue;
                };
                let script = self.case.formula().script.text();
                let mut query = self.plan.query(script, false);
                query.want = Extras { model: false, proof: true, ..query.want };
                let reply = Fresh::new(target).ask(&query);
                let Some(proof) = reply.checks.first().and_then(|check| check.proof.as_deref()) else {
                    continue;
                };
                let verdict = checker.check(script, proof, &self.plan.limits);
                let (checker, format) = (checker.profile.name.clone(), checker.profile.format.clone());
                let target = name.clone();
                self.hearing.hear_proof(ProofChecked { target, at, checker, format, verdict });
            }
        }
    }

    /// Runs a question that the oracle wants answered.
    fn put(&mut self, ask: &Ask) {
        let number = self.hearing.add(ask);
        let certain = At { question: number, check: 0 };
        for (n, pool) in self.panel.all().enumerate() {
            let under_test = n < self.panel.targets.len();
            let wanted = match &ask.whom {
                Whom::All => true,
                Whom::Targets => under_test || self.plan.ask_all,
                Whom::Solver(name) => pool.target().profile.name == *name,
                Whom::AllBut(name) => pool.target().name != *name && self.hearing.truth(certain).is_none(),
            };
            if wanted {
                self.ask(pool, number, ask.question.script.text(), under_test);
            }
        }
    }
}

/// Whether any assertion has a name, so that a core is meaningful.
fn has_names(script: &Script) -> bool {
    script.assertions().any(|term| !question::names_of(script, term).is_empty())
}
