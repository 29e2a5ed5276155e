//! One unit of work: make the cases, run the solvers, judge, confirm.
//!
//! Runs on any worker and depends only on the unit and the outcomes that its dialogue receives, so results do not
//! depend on the worker. A suspicion is run again in fresh processes before it becomes a finding; if only a session
//! shows it, the input of that session is searched for the trigger. A panic of our own is caught here and stored with
//! its case, and the campaign continues.

use crate::assignment::{Assignment, Begun};
use crate::caught::caught;
use crate::clock::Clock;
use crate::learned::Tilt;
use crate::schedule::Unit;
use crate::spending::Work;
use crate::turns::{self, Failures, Silences};
use oracle::{Accusation, FindingKind, Searched, Verdict};
use smtlib::Parsed;
use solver::{Answer, Ended, Query, QueryLimits, Reply, SessionKind};
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};
use std::time::Instant;
use store::{CaseDone, CaseHash, NewPanic, NewUnconfirmed, Test};
use strategy::{At, Case, Dialogue, Draft, Facts, Outcome, Question, Recipe, Role, Trace};
use triage::{
    Confirmed, Inquiry, Panel, Plan, Rate, Repetitions, bearing, confirm_accusations, confirm_suspicion,
    inquire, session,
};

/// The result of one case.
pub struct Done {
    pub recipe: Recipe,
    /// The formula's text.
    pub script: Arc<[u8]>,
    pub verdict: Judged,
    /// The first inquiry about the case, target by target.
    pub tests: Vec<Test>,
    pub facts: Facts,
    /// Processor seconds by target.
    pub cpu: Vec<(String, f64)>,
    /// Seconds of the worker: asking, judging and confirming.
    pub seconds: f64,
    /// How many solvers gave a definite answer to every check-sat of the formula.
    pub answered: usize,
    /// The answer to every check-sat is certain, whichever solvers answered.
    pub certain: bool,
    /// The theories that the formula uses.
    pub theories: BTreeSet<&'static str>,
    /// What an instrumented target did.
    pub trace: Option<Trace>,
    /// Whether our own searches found something.
    pub searched: Searched,
}

pub enum Judged {
    Fine {
        certified: bool,
    },
    Inconclusive(String),
    /// Confirmed in fresh processes. The verdict has every accusation, each with its own culprit.
    Findings(Box<Inquiry>),
    /// Shown only in a session, or only in some runs.
    Unconfirmed(Box<Unconfirmed>),
    /// The case does not type-check: a bug of the strategy.
    Invalid(String),
    /// We panicked, or our own arguments contradict each other.
    OurBug(String),
}

/// A suspicion that accuses no solver.
pub struct Unconfirmed {
    /// How often it shows, or in which session only.
    pub how: String,
    /// In how many fresh runs it showed, if it did in some.
    pub rate: Option<Rate>,
    pub suspected: Vec<Accusation>,
    pub replies: Vec<Reply>,
    /// The input of the session, if a session showed it.
    pub session: Option<Vec<u8>>,
}

/// What came of a unit.
#[derive(Default)]
pub struct Worked {
    pub done: Vec<Done>,
    /// Time ran out: there are cases that were not begun, or whose answers were dropped.
    pub cut: bool,
}

/// Does one unit, as far as there is time.
pub fn work(assignment: &Assignment, unit: Unit, clock: &Clock) -> Worked {
    if clock.is_over() {
        return Worked { done: vec![], cut: true };
    }
    let begun = &assignment.strategies[unit.strategy];
    let source = begun.source.read().unwrap_or_else(PoisonError::into_inner);
    let stamp = begun.stamp(&assignment.key, unit.unit);
    match caught(|| source.unit(unit.unit, stamp.rng())) {
        Ok(Ok(dialogue)) => talk(assignment, begun, unit, dialogue, clock),
        Ok(Err(_skip)) => Worked::default(),
        Err(said) => {
            let done = Done::our_bug(stamp.recipe(&Draft::default(), 0), Arc::default(), said);
            Worked { done: vec![done], cut: false }
        }
    }
}

/// Takes draft after draft and passes the outcome of the last one to a dialogue that uses it.
fn talk<'s>(
    assignment: &Assignment,
    begun: &Begun,
    Unit { strategy, unit, epoch }: Unit,
    mut dialogue: Box<dyn Dialogue + 's>,
    clock: &Clock,
) -> Worked {
    let stamp = begun.stamp(&assignment.key, unit);
    let listens = dialogue.listens();
    // A measurement is wanted even if no solver answers.
    let turns = assignment.turns.as_ref().filter(|_| !begun.measures());
    let tilt = assignment.tilts.of(epoch).filter(|_| !begun.measures());
    let (mut done, mut told): (Vec<Done>, Vec<Facts>) = (vec![], vec![]);
    let (mut cut, mut step) = (false, 0);
    let (mut silences, mut failures) = (Silences::default(), Failures::default());
    loop {
        if clock.is_closing() {
            cut = true;
            break;
        }
        let next = caught(|| dialogue.next(told.last()));
        let draft = match next {
            Ok(Some(draft)) => draft,
            Ok(None) => break,
            Err(said) => {
                let recipe = stamp.recipe(&Draft::default(), step);
                done.push(Done::our_bug(recipe, Arc::default(), said));
                break;
            }
        };
        if let Some(turns) = turns.filter(|_| done.is_empty())
            && !turns.has_one(&draft.seeds, unit)
        {
            return Worked::default();
        }
        if let Some(tilt) = tilt.as_ref().filter(|_| done.is_empty())
            && let Some(formula) = draft.questions.first()
            && !tilt.has_turn(strategy, &formula.script, &draft.seeds, unit)
        {
            return Worked::default();
        }
        let recipe = Recipe { told: told.clone(), ..stamp.recipe(&draft, step) };
        // What is measured is measured as it is written.
        let recipe = match begun.measures() {
            true => recipe,
            false => assignment.policy.asking(assignment, &draft, recipe),
        };
        step += 1;
        if !draft.questions.first().is_none_or(|first| assignment.focus.admits_text(&first.script)) {
            if listens {
                told.push(Facts::default());
            }
            continue;
        }
        let resting = if turns.is_some() { silences.resting(recipe.step) } else { vec![] };
        let asked = Asked { tilt: tilt.as_deref(), resting, failures };
        let judged = judge(assignment, draft, recipe, asked);
        if turns.is_some() {
            silences.note(&judged.tests);
            failures.note(judged.searched);
        }
        if assignment.cancel.is_raised() {
            // Solvers were ended: what they did not say says nothing.
            cut = true;
            break;
        }
        done.push(judged);
        if listens {
            told.extend(done.last().map(|done| done.facts.clone()));
        }
        if turns.is_some() && turns::ends_early(&done) {
            break;
        }
    }
    if let Some(turns) = turns {
        turns.note(&done);
    }
    Worked { done, cut }
}

/// What earlier cases say about how a case is run.
#[derive(Default)]
pub struct Asked<'t> {
    pub tilt: Option<&'t Tilt>,
    /// Targets that are left out.
    pub resting: Vec<Arc<str>>,
    /// What our own searches failed at.
    pub failures: Failures,
}

/// Runs and judges one case.
pub fn judge(assignment: &Assignment, draft: Draft, recipe: Recipe, asked: Asked<'_>) -> Done {
    let begun = Instant::now();
    let script: Arc<[u8]> = draft.questions.first().map_or(&[][..], |question| &question.script).into();
    let case = match Case::new(draft, recipe) {
        Ok(case) => case,
        Err(invalid) => {
            let done = Done::our_bug(invalid.recipe, script, String::new());
            return Done { verdict: Judged::Invalid(invalid.why), ..done };
        }
    };
    let of_seed = |id| assignment.bank.find(id).and_then(|seed| seed.model().cloned());
    let hints = case.recipe.seeds.iter().filter_map(of_seed).collect();
    let case = Case { hints, ..case };
    let changed = case.recipe.named || !case.recipe.requests.is_nothing();
    let script = if changed { case.formula().script.text().into() } else { script };
    match caught(|| judge_case(assignment, &case, asked)) {
        Ok(done) => Done { script, seconds: begun.elapsed().as_secs_f64(), ..done },
        Err(said) => Done::our_bug(case.recipe, script, said),
    }
}

fn judge_case(assignment: &Assignment, case: &Case, Asked { tilt, resting, failures }: Asked<'_>) -> Done {
    let mut plan = assignment.policy.plan(assignment, &case.recipe, tilt);
    if !plan.ask_all {
        plan.resting = resting;
        plan.effort = failures.leave(plan.effort);
    }
    let mut inquiry = inquire(assignment.panel.variant(plan.options), case, &plan);
    if plan.options.is_some() && !inquiry.verdict.findings().is_empty() {
        // What the usual options show too is no matter of options.
        let usual = Plan { options: None, ..plan.clone() };
        let again = inquire(&assignment.panel, case, &usual);
        if worst(&again) == worst(&inquiry) {
            (plan, inquiry) = (usual, again);
        } else if inquiry.verdict.findings().iter().all(|accusation| accusation.kind.is_incompleteness()) {
            // Options may cost answers.
            inquiry.verdict = Verdict::Inconclusive("with these options it is undecided".into());
        }
    }
    let replies = || inquiry.heard.iter().map(|heard| &heard.reply);
    let tests = replies().map(Test::of).collect();
    let cpu = replies().map(|reply| (reply.target.clone(), reply.cpu.as_secs_f64())).collect();
    let searched = inquiry.searched;
    let (facts, answered, certain) = (inquiry.facts.clone(), answered(&inquiry), inquiry.certain);
    let verdict = match &inquiry.verdict {
        Verdict::Fine { .. } | Verdict::Inconclusive(_) if !inquiry.unconfirmed.is_empty() => {
            complained(inquiry)
        }
        Verdict::Fine { certified } => Judged::Fine { certified: *certified },
        Verdict::Inconclusive(why) => Judged::Inconclusive(why.clone()),
        Verdict::OurBug(why) => Judged::OurBug(why.clone()),
        Verdict::Findings(all) if !assignment.focus.wants_any(all) => {
            Judged::Inconclusive("a finding of a kind that is not looked for".into())
        }
        Verdict::Findings(_) => {
            let again = || confirmed(assignment, case, &plan, inquiry);
            assignment.spending.during(Work::Confirming, again)
        }
    };
    Done {
        recipe: case.recipe.clone(),
        script: Arc::default(),
        verdict,
        tests,
        facts,
        cpu,
        seconds: 0.0,
        answered,
        certain,
        theories: oracle::rank::theories_of(case.formula().script.script()),
        trace: trace(assignment, case),
        searched,
    }
}

/// The kind of the worst finding.
fn worst(inquiry: &Inquiry) -> Option<FindingKind> {
    inquiry.verdict.findings().first().map(|accusation| accusation.kind)
}

/// Has an instrumented target count its blocks, in a run of its own.
fn trace(assignment: &Assignment, case: &Case) -> Option<Trace> {
    let covered = assignment.covered.as_ref()?;
    let limits = assignment.limits.clone();
    let limits = QueryLimits { cpu: limits.cpu.or(Some(limits.wall)), ..limits };
    Some(Trace::of(covered.hits(case.formula().script.text(), &limits)))
}

/// A target's own check of its answer complains, and nothing of ours confirms it.
fn complained(inquiry: Inquiry) -> Judged {
    Judged::Unconfirmed(Box::new(Unconfirmed {
        how: "the solver's own check of its answer complains, and falsum does not confirm it".into(),
        rate: None,
        suspected: inquiry.unconfirmed,
        replies: inquiry.heard.into_iter().map(|heard| heard.reply).collect(),
        session: None,
    }))
}

/// How many solvers gave a definite answer to every check-sat of the formula.
fn answered(inquiry: &Inquiry) -> usize {
    let checks = inquiry.case.formula().script.checks();
    let definite = |answer| matches!(answer, Some(Answer::Sat | Answer::Unsat));
    let whole = |reply: &Reply| reply.question == 0 && (0..checks).all(|n| definite(reply.answer_to(n)));
    inquiry.heard.iter().filter(|heard| whole(&heard.reply)).count()
}

/// Measures what looks slow, while the ration lasts. What is not slow, or was not measured, is judged by its answers.
fn measured(assignment: &Assignment, plan: &Plan, suspicion: Inquiry) -> Judged {
    let facts = suspicion.facts.clone();
    let longest = triage::slow::longest(&plan.limits);
    if let Some(_share) = assignment.ration.take(longest, &assignment.focus)
        && let Confirmed::Yes(inquiry) =
            triage::confirm::measured(assignment.panel.variant(plan.options), plan, suspicion)
    {
        return Judged::Findings(Box::new(inquiry));
    }
    let first = At { question: 0, check: 0 };
    Judged::Fine { certified: facts.truth(first).is_some() }
}

/// Repeats a suspicion in fresh processes under the full limit.
fn confirmed(assignment: &Assignment, case: &Case, plan: &Plan, suspicion: Inquiry) -> Judged {
    if suspicion.verdict.findings().iter().all(|accusation| accusation.kind.is_slowness()) {
        return measured(assignment, plan, suspicion);
    }
    let full = assignment.policy.suspicion(assignment, plan);
    let (panel, known) = (assignment.panel.variant(plan.options), &assignment.panel.known);
    match confirm_suspicion(panel, known, &suspicion, case, &full, Repetitions::default()) {
        Confirmed::Yes(inquiry) => Judged::Findings(Box::new(with_models(assignment, inquiry))),
        Confirmed::Flaky { rate, inquiry } => Judged::Unconfirmed(Box::new(Unconfirmed {
            how: rate.to_string(),
            rate: Some(rate),
            suspected: inquiry.verdict.findings().to_vec(),
            replies: inquiry.heard.into_iter().map(|heard| heard.reply).collect(),
            session: None,
        })),
        // What only a limit, or a feature that is missing, made look incomplete.
        Confirmed::No(Inquiry { verdict: Verdict::Inconclusive(why), .. })
            if suspicion.verdict.findings().iter().all(|accusation| !accusation.kind.is_soundness()) =>
        {
            Judged::Inconclusive(why)
        }
        Confirmed::No(_) => of_a_session(assignment, case, &full, suspicion),
    }
}

/// A crash may be caused by a command that we added and the script does not have. Then the script with that command is
/// what another person can run, and the case gets it as one more question.
fn with_models(assignment: &Assignment, mut inquiry: Inquiry) -> Inquiry {
    let Verdict::Findings(mut all) = inquiry.verdict else { return inquiry };
    for accusation in all.iter_mut().filter(|accusation| accusation.kind == FindingKind::Crash) {
        let Some(heard) = bearing(accusation, &inquiry.heard).next() else { continue };
        let script = &inquiry.case.questions[heard.reply.question].script;
        let mut query = Query::new(script.text()).limits(assignment.limits.clone());
        query.cancel = Some(assignment.cancel.clone());
        let panel = assignment.panel.owning(Some(heard.name()));
        let Some(pool) = panel.find(heard.name()) else { continue };
        if matches!(pool.ask(&query, SessionKind::Fresh).ended, Ended::Crash { .. }) {
            continue;
        }
        let sent = heard.reply.history.bytes().and_then(|sent| Parsed::read(sent).ok());
        let Some(script) = sent else { continue };
        let question = inquiry.case.questions.len();
        let mut again = heard.clone();
        again.reply.question = question;
        accusation.at = At { question, ..accusation.at };
        inquiry.case.questions.push(Question { role: Role::WithModels, script, expects: vec![] });
        inquiry.heard.push(again);
    }
    Inquiry { verdict: Verdict::Findings(all), ..inquiry }
}

/// A fresh process does not show it. If a session did, the input of the session may be the trigger.
fn of_a_session(assignment: &Assignment, case: &Case, plan: &Plan, suspicion: Inquiry) -> Judged {
    let suspected = suspicion.verdict.findings().to_vec();
    let panel = assignment.panel.variant(plan.options);
    retire(panel, &suspicion);
    let recover =
        |a: &Accusation| session::recover(panel, a, &suspicion, plan).map(|recovered| (a.clone(), recovered));
    if let Some((accusation, recovered)) = suspected.iter().find_map(recover) {
        let role = Role::Session { before: recovered.before };
        let question = Question { role, script: recovered.script, expects: vec![] };
        let of_session = Case { questions: vec![question], relations: vec![], ..case.clone() };
        let mut as_asked = plan.clone().as_asked();
        // A core has to be solved again to be judged.
        as_asked.effort.cores = accusation.kind == FindingKind::InvalidCore;
        let suspected = [accusation];
        let again = confirm_accusations(panel, &suspected, &of_session, &as_asked, Repetitions::default());
        if let Confirmed::Yes(mut inquiry) = again {
            // The formula is stored together with the session that it needs.
            inquiry.case.questions.push(case.formula().clone());
            return Judged::Findings(Box::new(inquiry));
        }
    }
    let accused =
        |reply: &&Reply| reply.session.is_live() && suspected.iter().any(|a| a.accuses(&reply.target));
    let replies: Vec<Reply> = suspicion.heard.into_iter().map(|heard| heard.reply).collect();
    let session = replies.iter().find(accused).and_then(|reply| reply.history.bytes());
    let how = match session {
        Some(_) => format!("only in a {} session, and not when the session is replayed", plan.session.name()),
        None => "not reproduced".to_owned(),
    };
    Judged::Unconfirmed(Box::new(Unconfirmed { how, rate: None, suspected, replies, session }))
}

/// Ends the live processes whose earlier cases made them go wrong; the next case gets a process without them.
fn retire(panel: &Panel, suspicion: &Inquiry) {
    let accused = |name: &str| suspicion.verdict.findings().iter().any(|a| a.accuses(name));
    for heard in suspicion.heard.iter().filter(|heard| heard.reply.session.is_live()) {
        if let Some(pool) = panel.find(heard.name()).filter(|_| accused(heard.name())) {
            pool.retire(&heard.reply.history);
        }
    }
}

impl Judged {
    /// Whether something was found, confirmed or not.
    pub fn is_finding(&self) -> bool {
        matches!(self, Judged::Findings(_) | Judged::Unconfirmed(_) | Judged::OurBug(_))
    }

    fn word(&self, limited: bool) -> &'static str {
        match self {
            // A limit makes a verdict depend on the load of the machine, so it is marked.
            Judged::Fine { .. } | Judged::Inconclusive(_) if limited => "limited",
            Judged::Fine { .. } => "fine",
            Judged::Inconclusive(_) => "inconclusive",
            Judged::Findings(inquiry) => inquiry.verdict.word(),
            Judged::Unconfirmed(_) => "flaky",
            Judged::Invalid(_) => "invalid",
            Judged::OurBug(_) => "our-bug",
        }
    }
}

impl Done {
    /// Falsum itself failed.
    pub(crate) fn our_bug(recipe: Recipe, script: Arc<[u8]>, said: String) -> Done {
        let (tests, facts, cpu) = (vec![], Facts::default(), vec![]);
        let (answered, certain) = (0, false);
        Done {
            recipe,
            script,
            verdict: Judged::OurBug(said),
            tests,
            facts,
            cpu,
            seconds: 0.0,
            answered,
            certain,
            theories: BTreeSet::new(),
            trace: None,
            searched: Searched::default(),
        }
    }

    /// Whether any solver answered anything.
    pub fn has_answer(&self) -> bool {
        self.tests.iter().any(|test| !test.answers.is_empty())
    }

    pub fn is_certified(&self) -> bool {
        match &self.verdict {
            Judged::Fine { certified } => *certified,
            Judged::Findings(inquiry) => inquiry.verdict.is_certified(),
            Judged::Inconclusive(_) | Judged::Unconfirmed(_) => self.certain,
            Judged::Invalid(_) | Judged::OurBug(_) => false,
        }
    }

    /// The record for counters and the database.
    pub fn record(&self) -> CaseDone {
        let limited = self.tests.iter().any(|test| matches!(&*test.ended, "wall" | "cpu" | "memory"));
        let accused = match &self.verdict {
            Judged::Findings(inquiry) => inquiry.verdict.findings(),
            _ => &[],
        };
        let mut culprits: Vec<String> = accused.iter().filter_map(|a| a.culprit.clone()).collect();
        culprits.sort();
        culprits.dedup();
        CaseDone {
            step: self.recipe.step,
            hash: CaseHash::of(&self.script),
            verdict: self.verdict.word(limited).into(),
            certified: self.is_certified(),
            answered: self.answered > 0,
            theories: self.theories.iter().map(|&theory| theory.into()).collect(),
            culprits,
            tests: self.tests.clone(),
        }
    }

    /// The outcome that a strategy that learns receives.
    pub fn outcome(&self) -> Outcome {
        Outcome {
            unit: self.recipe.unit,
            step: self.recipe.step,
            facts: self.facts.clone(),
            finding: matches!(self.verdict, Judged::Findings(_)),
            cpu: self.cpu.clone(),
            script: String::from_utf8_lossy(&self.script).into_owned(),
            trace: self.trace.clone(),
        }
    }

    /// A failure of ours on this case, to be stored.
    pub fn panic(&self, message: &str) -> NewPanic {
        NewPanic {
            place: format!("strategy {}", self.recipe.strategy),
            message: message.to_owned(),
            backtrace: String::new(),
            script: Some(self.script.to_vec()),
            recipe: self.recipe.clone(),
        }
    }

    /// A suspicion on this case, to be stored.
    pub fn unconfirmed(&self, suspicion: &Unconfirmed) -> NewUnconfirmed {
        let kind = suspicion.suspected.first().map_or("", |accusation| accusation.kind.word());
        let culprits: Vec<&String> = suspicion.suspected.iter().flat_map(|a| a.culprits()).collect();
        NewUnconfirmed {
            script: self.script.to_vec(),
            session: suspicion.session.clone(),
            replies: suspicion.replies.iter().filter(|reply| reply.question == 0).cloned().collect(),
            about: serde_json::json!({
                "kind": kind, "suspected": culprits, "how": suspicion.how, "rate": suspicion.rate, "recipe": self.recipe,
                "findings": suspicion.suspected,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::{Mix, Policy};
    use crate::interrupt::Interrupts;
    use solver::QueryLimits;
    use std::sync::RwLock;
    use strategy::{Bank, CampaignKey, Plain, Propose, Rng, Settings, Skip, Source, Strategy};

    /// Fails at every even unit.
    struct Clumsy;

    impl Propose for Clumsy {
        fn propose(&self, unit: u64, _: &mut Rng) -> Result<Vec<Draft>, Skip> {
            assert!(!unit.is_multiple_of(2), "unit {unit} is even");
            Err(Skip::NoSeed("nothing"))
        }
    }

    static CLUMSY: Strategy = Strategy {
        name: "clumsy",
        about: "panics",
        source: "",
        begin: |_, _| Ok(Box::new(Plain(Clumsy)) as Box<dyn Source>),
    };

    /// Makes two cases, the second only if it received the outcome of the first.
    struct Listening;

    impl Source for Listening {
        fn unit(&self, _: u64, _: Rng) -> Result<Box<dyn Dialogue + '_>, Skip> {
            struct Two(usize);
            impl Dialogue for Two {
                fn next(&mut self, last: Option<&Facts>) -> Option<Draft> {
                    self.0 += 1;
                    let goes_on = self.0 == 1 || (self.0 == 2 && last.is_some());
                    goes_on.then(|| Draft::of(b"(check-sat)".to_vec()))
                }
            }
            Ok(Box::new(Two(0)))
        }
    }

    static LISTENING: Strategy = Strategy {
        name: "listening",
        about: "listens",
        source: "",
        begin: |_, _| Ok(Box::new(Listening) as Box<dyn Source>),
    };

    fn assignment(strategy: &'static Strategy) -> Assignment {
        let source = (strategy.begin)(&Bank::default(), &Settings::default()).unwrap();
        let begun = Begun { strategy, settings: Settings::default(), source: RwLock::new(source) };
        Assignment {
            bank: Bank::default(),
            strategies: vec![begun],
            key: CampaignKey("k".into()),
            panel: triage::Panel::new(vec![], vec![], 0),
            limits: QueryLimits::default(),
            policy: Policy::enumerate(Mix::Fresh),
            cancel: run::Cancel::new().unwrap(),
            turns: None,
            focus: crate::Focus::default(),
            tilts: crate::learned::Tilts::default(),
            covered: None,
            ration: crate::ration::Ration::default(),
            spending: crate::spending::Spending::default(),
        }
    }

    /// A unit done without a limit of time.
    fn all(assignment: &Assignment, unit: u64) -> Vec<Done> {
        let clock = Clock::begin(None, &Interrupts::default(), &assignment.cancel).unwrap();
        work(assignment, Unit { strategy: 0, unit, epoch: 0 }, &clock).done
    }

    #[test]
    fn a_unit_is_not_begun_when_time_is_over_and_is_not_recorded_then() {
        let assignment = assignment(&LISTENING);
        let clock = Clock::begin(Some(std::time::Duration::ZERO), &Interrupts::default(), &assignment.cancel)
            .unwrap();
        let worked = work(&assignment, Unit { strategy: 0, unit: 0, epoch: 0 }, &clock);
        assert!(worked.cut && worked.done.is_empty());
    }

    #[test]
    fn a_panic_of_a_strategy_is_stored_as_our_bug_and_the_next_unit_is_done() {
        let assignment = assignment(&CLUMSY);
        let done = all(&assignment, 4);
        assert!(matches!(&done[0].verdict, Judged::OurBug(message) if message == "unit 4 is even"));
        assert_eq!(done[0].record().verdict, "our-bug", "so the hunt ends with the code for our own bugs");
        assert!(all(&assignment, 5).is_empty());
    }

    #[test]
    fn a_dialogue_receives_the_outcome_of_its_last_case_and_the_recipe_records_it() {
        let done = all(&assignment(&LISTENING), 0);
        let told: Vec<usize> = done.iter().map(|done| done.recipe.told.len()).collect();
        assert_eq!(told, [0, 1]);
        assert_eq!((done[0].recipe.step, done[1].recipe.step), (0, 1));
    }
}
