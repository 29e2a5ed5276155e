//! One unit of work: make the cases, ask, judge, confirm.
//!
//! Runs on any worker and depends only on the unit, so results do not depend on who does it. Most cases go through
//! scoped sessions under a short limit; a fixed share is asked in reset and fresh ones, and a fixed share gets the
//! full limit. Whatever looks wrong is asked again in fresh processes before it becomes a finding. A panic of our
//! own is caught here, kept with its case, and the campaign goes on.

use super::schedule::Unit;
use super::turns;
use super::{SessionMix, Setup};
use crate::caught::caught;
use oracle::{Config, Finding, Verdict, question};
use smtlib::Script;
use solver::{Kind, Limits};
use std::time::Duration;
use strategy::{Case, Rng};
use triage::{Confirmed, Inquiry, Plan, Repetitions, Statement, bears_on, confirm, inquire, session};

/// The first, short limit, at which solvers give up by themselves: wrong answers come fast, and timeouts eat the clock.
const FIRST_LIMIT: Duration = Duration::from_millis(10);

/// Processor time after which we end a solver that does not give up: about the cost of a new process beyond the limit.
const STUBBORN_LIMIT: Duration = Duration::from_millis(25);

/// The second limit, of processor time too, for a share of the cases.
const SECOND_LIMIT: Duration = Duration::from_millis(150);

/// On a busy machine processor time passes slowly; nobody waits longer than this for it.
const BUSY: u32 = 16;

/// One case in this many gets the second limit.
const PATIENT_SHARE: usize = 32;

/// One case in this many gets the full limit and is put to everybody.
const THOROUGH_SHARE: usize = 256;

/// Of this many cases one is asked in fresh processes and two in reset sessions, where cases are mixed.
const MIX: usize = 64;

/// What came of one case.
pub struct Done {
    pub case: Case,
    pub verdict: Judged,
    pub tests: Vec<Test>,
}

/// One case put to one target.
pub struct Test {
    pub target: String,
    pub answer: Option<&'static str>,
    pub ended: &'static str,
    pub wall: Duration,
    pub kind: Kind,
}

pub enum Judged {
    Fine {
        certified: bool,
    },
    Inconclusive(String),
    /// Confirmed in fresh processes.
    Findings {
        findings: Vec<Finding>,
        statements: Vec<Statement>,
        /// The case itself does not show it, but this one does: the script of a session, or one check-sat alone.
        shown_by: Option<Case>,
    },
    /// Seen in a session or in some runs only.
    Flaky(Apart),
    /// The case does not type-check: the strategy's mistake.
    Invalid(String),
    /// We panicked.
    OurBug(String),
}

/// A suspicion that is kept apart: nobody is accused.
pub struct Apart {
    /// How often, or where only, it shows.
    pub how: String,
    pub suspected: Vec<Finding>,
    pub statements: Vec<Statement>,
    /// What the session had been sent, if a session showed it.
    pub session: Option<Vec<u8>>,
}

/// Does one unit.
pub fn work(setup: &Setup, unit: Unit) -> Vec<Done> {
    let strategy = &setup.strategies[unit.strategy];
    let cases = match caught(|| strategy.propose(&setup.bank, &setup.key, unit.unit)) {
        Ok(Ok(cases)) => cases,
        Ok(Err(_skip)) => vec![],
        Err(said) => {
            return vec![Done::our_bug(Case::placeholder(strategy.name(), &setup.key, unit.unit), said)];
        }
    };
    let Some(turns) = &setup.turns else {
        return cases.into_iter().map(|case| judge(setup, case)).collect();
    };
    if !turns.has_one(&cases, unit.unit) {
        return vec![];
    }
    let mut done: Vec<Done> = vec![];
    for case in cases {
        done.push(judge(setup, case));
        if turns::is_hopeless(&done) {
            break;
        }
    }
    turns.note(&done);
    done
}

fn judge(setup: &Setup, case: Case) -> Done {
    match caught(|| judge_case(setup, &case)) {
        Ok((verdict, tests)) => Done { case, verdict, tests },
        Err(said) => Done::our_bug(case, said),
    }
}

impl Done {
    /// We panicked.
    pub fn our_bug(case: Case, said: String) -> Done {
        Done { case, verdict: Judged::OurBug(said), tests: vec![] }
    }

    /// A failure of ours on this case, to be kept.
    pub fn panic(&self, message: &str) -> store::NewPanic {
        store::NewPanic {
            place: format!("strategy {}", self.case.recipe.strategy),
            message: message.to_owned(),
            backtrace: String::new(),
            script: Some(self.case.script.clone()),
            recipe: self.case.recipe.clone(),
        }
    }
}

fn judge_case(setup: &Setup, case: &Case) -> (Judged, Vec<Test>) {
    let script = match Script::parse(&case.script) {
        Ok(script) => script,
        Err(error) => return (Judged::Invalid(error.render("case", &case.script)), vec![]),
    };
    let plan = plan(setup, case);
    let inquiry = inquire(&setup.panel, &case.script, script.clone(), case.expectation.clone(), &plan);
    let tests = inquiry.statements.iter().map(Test::of).collect();
    let judged = match inquiry.verdict {
        Verdict::Fine { certified } => Judged::Fine { certified },
        Verdict::Inconclusive(ref why) => Judged::Inconclusive(why.clone()),
        Verdict::Findings(_) => confirmed(setup, case, &script, &plan, inquiry),
    };
    (judged, tests)
}

/// How this case is asked: a pure function of the campaign key and the case.
fn plan(setup: &Setup, case: &Case) -> Plan {
    let number = case.recipe.unit.wrapping_mul(1 << 16).wrapping_add(case.recipe.step);
    let mut rng = Rng::of(&setup.key, &format!("asking {}", case.recipe.strategy), number);
    let kind = match setup.session {
        SessionMix::Fresh => Kind::Fresh,
        SessionMix::Reset => Kind::Reset,
        SessionMix::Scoped => Kind::Scoped,
        SessionMix::Mixed => match rng.below(MIX) {
            0 => Kind::Fresh,
            1 | 2 => Kind::Reset,
            _ => Kind::Scoped,
        },
    };
    let thorough = rng.chance(1, THOROUGH_SHARE);
    let patient = rng.chance(1, PATIENT_SHARE);
    let limits = match (thorough, patient) {
        (true, _) => setup.limits.clone(),
        (_, true) => within(setup, SECOND_LIMIT),
        _ => within(setup, STUBBORN_LIMIT),
    };
    Plan {
        kind,
        limits,
        soft: (!thorough && !patient).then_some(FIRST_LIMIT),
        primary: rng.below(setup.panel.targets.len()),
        ask_all: thorough,
        flatten: true,
        cores: true,
        judge: Config { enumerate_always: false, regressions: false, only: None },
        cancel: Some(setup.cancel.clone()),
    }
}

/// The campaign's limits with less processor time.
fn within(setup: &Setup, cpu: Duration) -> Limits {
    let wall = setup.limits.wall.min(cpu * BUSY);
    Limits { wall, cpu: Some(setup.limits.cpu.map_or(cpu, |most| most.min(cpu))), ..setup.limits.clone() }
}

/// Repeats a suspicion in fresh processes under the full limit.
pub fn confirmed(setup: &Setup, case: &Case, script: &Script, plan: &Plan, suspicion: Inquiry) -> Judged {
    let full = Plan { limits: setup.limits.clone(), soft: None, cores: true, ..plan.clone() };
    let repetitions = Repetitions::default();
    match confirm(&setup.panel, &case.script, script, &case.expectation, &full, repetitions) {
        Confirmed::Yes(Inquiry { verdict, statements }) => {
            found(setup, case, script, verdict.findings(), statements)
        }
        Confirmed::Flaky { shown, runs, inquiry } => Judged::Flaky(Apart {
            how: match shown == runs {
                true => format!("{shown} of {runs} fresh runs, the others ran into a limit"),
                false => format!("{shown} of {runs} fresh runs"),
            },
            suspected: inquiry.verdict.findings().to_vec(),
            statements: inquiry.statements,
            session: None,
        }),
        Confirmed::No(_) => of_a_session(setup, case, &full, suspicion),
    }
}

/// Findings of a case. If only one check-sat of an incremental case, asked alone, shows the worst, that is the script
/// to keep.
fn found(
    setup: &Setup,
    case: &Case,
    script: &Script,
    findings: &[Finding],
    statements: Vec<Statement>,
) -> Judged {
    let flat = |worst: &Finding| {
        let mut bearing = statements.iter().filter(|statement| bears_on(worst, statement)).peekable();
        let only_flat = bearing.peek().is_some() && bearing.all(|statement| statement.flattened.is_some());
        if only_flat { question::flatten(script, worst.check) } else { None }
    };
    let Some((worst, text)) = findings.first().and_then(|worst| Some((worst, flat(worst)?))) else {
        let shown_by = findings.first().and_then(|worst| with_questions(setup, case, worst, &statements));
        return Judged::Findings { findings: findings.to_vec(), statements, shown_by };
    };
    let mut shown_by = Case { script: text, ..case.clone() };
    shown_by.expectation.checks = vec![case.expectation.of(worst.check)];
    shown_by.recipe.rules.push(format!("{FLAT_RULE}, number {}", worst.check + 1));
    let asked = statements.into_iter().filter(|statement| statement.flattened == Some(worst.check));
    let alone = |statement: Statement| {
        let models = statement.models.into_iter().skip(worst.check).take(1).collect();
        Statement { flattened: None, models, ..statement }
    };
    Judged::Findings {
        findings: vec![Finding { check: 0, ..worst.clone() }],
        statements: asked.map(alone).collect(),
        shown_by: Some(shown_by),
    }
}

/// A crash may come of a question that we asked and the script does not. Then the script with the question is what
/// somebody else can run.
fn with_questions(setup: &Setup, case: &Case, worst: &Finding, statements: &[Statement]) -> Option<Case> {
    let statement = statements.iter().find(|s| worst.kind == oracle::Kind::Crash && bears_on(worst, s))?;
    let mut query = solver::Query::new(&case.script).limits(setup.limits.clone());
    query.cancel = Some(setup.cancel.clone());
    let plain = setup.panel.find(&statement.target)?.ask(&query, Kind::Fresh);
    if matches!(plain.ended, solver::Ended::Crash { .. }) {
        return None;
    }
    let mut shown_by = Case { script: statement.reply.history.bytes()?, ..case.clone() };
    shown_by.recipe.rules.push(MODEL_RULE.to_owned());
    Some(shown_by)
}

/// A fresh process does not show it. If a session did, what the session was sent may be the trigger.
fn of_a_session(setup: &Setup, case: &Case, plan: &Plan, suspicion: Inquiry) -> Judged {
    let suspected = suspicion.verdict.findings().to_vec();
    let recovered = suspected
        .iter()
        .find_map(|finding| session::recover(&setup.panel, finding, &suspicion.statements, plan));
    if let Some(recovered) = recovered {
        let last = recovered.script.checks().checked_sub(1);
        let plan = Plan { judge: Config { only: last, ..plan.judge }, cores: false, ..plan.clone() };
        let any = strategy::Expectation::any();
        let repetitions = Repetitions::default();
        let again = confirm(&setup.panel, &recovered.text, &recovered.script, &any, &plan, repetitions);
        if let Confirmed::Yes(Inquiry { verdict, statements }) = again {
            let mut shown_by = Case { script: recovered.text, expectation: any, ..case.clone() };
            shown_by.recipe.rules.push(format!("{SESSION_RULE}, after {} earlier cases", recovered.before));
            let findings = verdict.findings().to_vec();
            return Judged::Findings { findings, statements, shown_by: Some(shown_by) };
        }
    }
    let accused = |statement: &&Statement| {
        statement.reply.kind != Kind::Fresh
            && suspected.iter().any(|finding| finding.culprits.contains(&statement.target))
    };
    let sent = suspicion.statements.iter().find(accused).and_then(|s| s.reply.history.bytes());
    let how = match sent {
        Some(_) => format!("only in a {} session, and not when that is replayed", plan.kind.name()),
        None => "not shown again".to_owned(),
    };
    Judged::Flaky(Apart { how, suspected, statements: suspicion.statements, session: sent })
}

/// How the recipe of a case says that its script is a session's text and not the strategy's own.
pub const SESSION_RULE: &str = "asked in a session";

/// How the recipe of a case says that its script is the strategy's with `get-model` after its check-sats.
pub const MODEL_RULE: &str = "asked for models too";

/// How the recipe of a case says that its script is one check-sat of the strategy's.
pub const FLAT_RULE: &str = "one check-sat alone";

impl Judged {
    /// Whether something was found, confirmed or not.
    pub fn is_finding(&self) -> bool {
        matches!(self, Judged::Findings { .. } | Judged::Flaky(..) | Judged::OurBug(_))
    }
}

impl Test {
    pub fn of(statement: &Statement) -> Test {
        Test {
            target: statement.target.clone(),
            answer: statement.reply.answer().map(solver::Answer::word),
            ended: statement.reply.ended.word(),
            wall: statement.reply.wall,
            kind: statement.reply.kind,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strategy::{Bank, CampaignKey, Skip, Strategy};

    /// Fails at every even unit.
    struct Clumsy;

    impl Strategy for Clumsy {
        fn name(&self) -> &'static str {
            "clumsy"
        }

        fn about(&self) -> &'static str {
            "panics"
        }

        fn propose(&self, _: &Bank, _: &CampaignKey, unit: u64) -> Result<Vec<Case>, Skip> {
            assert!(!unit.is_multiple_of(2), "unit {unit} is even");
            Err(Skip::NoSeed("nothing"))
        }
    }

    #[test]
    fn a_panic_of_a_strategy_is_kept_as_our_bug_and_the_next_unit_is_done() {
        let setup = Setup {
            bank: Bank::new(vec![]).0,
            strategies: vec![Box::new(Clumsy)],
            key: CampaignKey("k".into()),
            panel: triage::Panel::new(vec![], vec![], 0),
            limits: Limits::default(),
            session: SessionMix::Fresh,
            cancel: run::Cancel::new().unwrap(),
            turns: None,
        };
        let done = work(&setup, Unit { strategy: 0, unit: 4, epoch: 0 });
        assert!(matches!(&done[0].verdict, Judged::OurBug(message) if message == "unit 4 is even"));
        assert!(work(&setup, Unit { strategy: 0, unit: 5, epoch: 0 }).is_empty());
        let mut tally = crate::hunt::tally::Tally::default();
        tally.count(&done[0]);
        assert_eq!(tally.our_bugs, 1, "so the hunt ends with the code for our own bugs");
    }
}
