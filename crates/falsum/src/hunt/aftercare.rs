//! What happens to a bug after it was found: reduced, seen again, bisected and named, beside the hunt.
//!
//! One thread takes one new bug at a time and gives it a bounded time, so a flood of bugs cannot take the machine from
//! the hunt; when the hunt is over, others lend a hand. The reduced form is put to everybody once more, so that a
//! report argues about the formula that it shows; then to the installed releases of the culprit, since (introduced,
//! fixed) is part of a bug's identity. What it learns goes back to the dispatcher, which alone writes. Two bugs whose
//! reduced forms have one signature become one; a hit that a treated bug explains (see `triage::mask`) is not reduced
//! at all.

use super::Setup;
use super::ledger::output;
use crate::caught::caught;
use solver::{Home, Limits, Profiles, Target};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};
use store::{FindingId, Reduction, ReleaseRow, View};
use triage::goal::{Goal, Pinned};
use triage::reduce::{Options, Reduced, Stats, reduce};
use triage::signature::exact;
use triage::{Bisection, Heart, Symptom};

/// The most time that one bug gets, and of that what its releases get.
const PATIENCE: Duration = Duration::from_secs(30);
const FOR_RELEASES: Duration = Duration::from_secs(15);

/// With how many solver seeds the reduced form is tried.
const SEEDS: u64 = 5;

/// A finding to look after.
#[derive(Clone)]
pub struct Patient {
    pub id: FindingId,
    pub finding: oracle::Finding,
    pub script: Vec<u8>,
}

impl Patient {
    /// A finding that was kept, as it was found.
    pub fn read(view: &View, id: &FindingId) -> anyhow::Result<Patient> {
        let meta = view.meta(id)?;
        let script = view.file(id, "formula.smt2")?;
        let finding = oracle::Finding {
            kind: meta.kind,
            culprits: meta.culprits,
            evidence: meta.evidence,
            check: meta.check,
            truth: meta.truth,
        };
        Ok(Patient { id: id.clone(), finding, script })
    }
}

/// What was learnt.
pub struct Discharged {
    pub id: FindingId,
    pub reduced: Vec<u8>,
    pub stats: Stats,
    pub signature: String,
    /// What was seen on the reduced form; `None` if it could not be seen once more.
    pub seen: Option<Reduction>,
    pub releases: Option<Bisection>,
    /// Whether time ran out before nothing more could be taken away.
    pub cut_short: bool,
}

/// What came of a patient.
pub enum Outcome {
    New(Box<Discharged>),
    /// A hit of a bug that was treated before.
    Known {
        id: FindingId,
        signature: String,
    },
    /// We panicked, which costs this patient and no other.
    OurBug {
        patient: Patient,
        said: String,
    },
}

pub struct Aftercare {
    patients: Sender<Patient>,
    discharged: Receiver<Option<Outcome>>,
    waiting: usize,
    ward: Arc<Ward>,
}

impl Aftercare {
    pub fn begin(setup: &Arc<Setup>) -> std::io::Result<Aftercare> {
        let (patients, arrivals) = channel();
        let (exits, discharged) = channel();
        let (arrivals, exits, known) = (Mutex::new(arrivals), exits, RwLock::default());
        let ward = Arc::new(Ward { setup: Arc::clone(setup), arrivals, exits, known });
        let aftercare = Aftercare { patients, discharged, waiting: 0, ward };
        aftercare.lend_a_hand()?;
        Ok(aftercare)
    }

    /// One more thread that looks at patients.
    pub fn lend_a_hand(&self) -> std::io::Result<()> {
        let ward = Arc::clone(&self.ward);
        let hand = std::thread::Builder::new().name("aftercare".into()).stack_size(super::STACK);
        hand.spawn(move || ward.serve()).map(|_| ())
    }

    pub fn admit(&mut self, patient: Patient) {
        if self.patients.send(patient).is_ok() {
            self.waiting += 1;
        }
    }

    /// How many wait for a look, or are being looked at.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    pub fn is_idle(&self) -> bool {
        self.waiting == 0
    }

    /// One result, if there is one within the time.
    pub fn next(&mut self, wait: Duration) -> Option<Outcome> {
        let result = self.discharged.recv_timeout(wait).ok()?;
        self.waiting -= 1;
        result
    }
}

/// Where patients are treated.
struct Ward {
    setup: Arc<Setup>,
    arrivals: Mutex<Receiver<Patient>>,
    exits: Sender<Option<Outcome>>,
    /// The bugs that were treated, so that a flood of one of them costs one reduction.
    known: RwLock<Vec<Arc<Case>>>,
}

/// A bug that was treated.
struct Case {
    kind: oracle::Kind,
    culprits: Vec<String>,
    heart: Heart,
    signature: String,
    /// (introduced, fixed), where releases were asked.
    span: Option<(Option<String>, Option<String>)>,
}

fn span(releases: &Bisection) -> (Option<String>, Option<String>) {
    (releases.first_bad.clone(), releases.fixed_in.clone())
}

impl Ward {
    fn serve(&self) {
        loop {
            let next = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(patient) = next else { return };
            let treated = caught(|| self.treat(patient.clone()));
            let outcome = treated.unwrap_or_else(|said| Some(Outcome::OurBug { patient, said }));
            if self.exits.send(outcome).is_err() {
                return;
            }
        }
    }

    fn treat(&self, mut patient: Patient) -> Option<Outcome> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        for case in &known {
            let same = case.kind == patient.finding.kind && case.culprits == patient.finding.culprits;
            let Some(masked) = case.heart.mask(&patient.script).filter(|_| same) else { continue };
            if self.observe(&patient, &masked).is_some() {
                // Something else is wrong too: that is the one to look at.
                patient.script = masked;
            } else if self.setup.cancel.is_raised() {
                return None;
            } else if self.has_span(&patient, case) {
                return Some(Outcome::Known { id: patient.id, signature: case.signature.clone() });
            }
        }
        let learnt = self.reduce(&patient)?;
        // What could still be smaller has no heart yet: something that is not needed may be innermost.
        if let Some(heart) = Heart::of(&learnt.reduced).filter(|_| !learnt.cut_short) {
            let case = Case {
                kind: patient.finding.kind,
                culprits: patient.finding.culprits,
                heart,
                signature: learnt.signature.clone(),
                span: learnt.releases.as_ref().map(span),
            };
            self.known.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(case));
        }
        Some(Outcome::New(Box::new(learnt)))
    }

    fn observe(&self, patient: &Patient, script: &[u8]) -> Option<Pinned<'_>> {
        let goal = Goal::of_kind(patient.finding.kind);
        let cancel = Some(self.setup.cancel.clone());
        let pinned = Pinned::observe(&self.setup.panel, goal, script, &self.setup.limits, cancel).ok()?;
        let same = pinned.kind() == Some(patient.finding.kind)
            && patient.finding.culprits.iter().any(|name| name == pinned.culprit());
        same.then(|| pinned.fresh_only())
    }

    /// Whether the same releases show it, as far as releases were asked: two bugs may share a heart.
    fn has_span(&self, patient: &Patient, case: &Case) -> bool {
        let Some(known) = &case.span else { return true };
        let Some(pinned) = self.observe(patient, &patient.script) else { return false };
        let Ok(script) = smtlib::Script::parse(&patient.script) else { return false };
        let Some(symptom) = pinned.symptom(&patient.finding) else { return false };
        over_releases(pinned.accused(), &patient.script, &script, &symptom, pinned.limits())
            .is_some_and(|releases| span(&releases) == *known)
    }

    fn reduce(&self, patient: &Patient) -> Option<Discharged> {
        let pinned = self.observe(patient, &patient.script)?.without_needless_options(&patient.script);
        let began = Instant::now();
        let stop = || began.elapsed() > PATIENCE || self.setup.cancel.is_raised();
        let options = Options { workers: 1, stop: &stop, improved: &|_| {} };
        let reduced = reduce(&patient.script, &pinned, &options).ok()?;
        let script = smtlib::Script::parse(&reduced.text).ok()?;
        // What the whole script needed, the small one may not.
        let pinned = pinned.without_needless_options(&reduced.text);
        let looked = look_again(&pinned, &reduced.text, &script);
        let releases = looked.as_ref().and_then(|(_, symptom)| {
            over_releases(pinned.accused(), &reduced.text, &script, symptom, pinned.limits())
        });
        Some(discharge(patient, reduced, &script, looked.map(|(seen, _)| seen), releases))
    }
}

/// What everybody says about a reduced form, with the evidence for it, and what to look for in other releases.
/// `None` if it could not be seen once more.
pub fn look_again(pinned: &Pinned<'_>, text: &[u8], script: &smtlib::Script) -> Option<(Reduction, Symptom)> {
    let (finding, statements) = pinned.examine(text)?;
    let symptom = pinned.symptom(&finding)?;
    // We ask for models even where the script does not; a report shows what its file gives.
    let shows_models = finding.kind == oracle::Kind::InvalidModel;
    let said =
        |statement: &triage::Statement| if shows_models { output(statement) } else { plain(statement) };
    let mut seen = Reduction::of(&finding, &statements.iter().map(said).collect::<Vec<_>>());
    seen.options.clone_from(&pinned.accused().args);
    seen.seeds = over_seeds(pinned.accused(), text, script, &symptom, pinned.limits());
    Some((seen, symptom))
}

/// What a statement says without the models that only we asked for.
fn plain(statement: &triage::Statement) -> store::Output {
    let words = statement.reply.checks.iter().filter_map(|check| check.answer);
    let mut stdout: Vec<u8> = words.flat_map(|answer| [answer.word().as_bytes(), b"\n"].concat()).collect();
    stdout.extend_from_slice(&statement.reply.stray);
    store::Output { stdout, ..output(statement) }
}

/// Everything that was learnt about a patient.
pub fn discharge(
    patient: &Patient,
    reduced: Reduced,
    script: &smtlib::Script,
    mut seen: Option<Reduction>,
    releases: Option<Bisection>,
) -> Discharged {
    if let (Some(seen), Some(releases)) = (&mut seen, &releases) {
        seen.monotone = releases.monotone;
        seen.releases = releases.releases.iter().map(release_row).collect();
    }
    let options = seen.as_ref().map_or(&[][..], |seen| &seen.options);
    // A crash is named by where the reduced form crashes.
    let evidence =
        seen.as_ref().filter(|_| patient.finding.kind == oracle::Kind::Crash).map(|seen| &seen.evidence);
    let evidence = evidence.unwrap_or(&patient.finding.evidence).clone();
    let finding = oracle::Finding { evidence, ..patient.finding.clone() };
    let signature = exact(&finding, script, options, releases.as_ref()).to_string();
    let (id, stats, cut_short) = (patient.id.clone(), reduced.stats, reduced.interrupted);
    Discharged { id, reduced: reduced.text, stats, signature, seen, releases, cut_short }
}

fn release_row(row: &triage::bisect::Row) -> ReleaseRow {
    ReleaseRow { release: row.release.clone(), answer: row.answer.clone(), bad: row.bad }
}

/// The installed releases of the culprit's solver, called as the culprit was.
pub fn releases_of(culprit: &Target) -> Vec<Target> {
    let Ok(home) = Home::from_env() else { return vec![] };
    let profiles = Profiles::embedded();
    let called = |release: &solver::Release| Target {
        args: culprit.args.clone(),
        ..Target::of_release(&profiles, release)
    };
    home.releases_of(&culprit.profile.name).iter().map(called).collect()
}

/// Asks the installed releases while there is time; those that were not asked are not in the result.
fn over_releases(
    culprit: &Target,
    text: &[u8],
    script: &smtlib::Script,
    symptom: &Symptom,
    limits: &Limits,
) -> Option<Bisection> {
    let began = Instant::now();
    let mut releases = releases_of(culprit);
    releases.sort_by(|a, b| a.version.cmp(&b.version));
    let asked = releases.iter().take_while(|_| began.elapsed() < FOR_RELEASES);
    let rows: Vec<_> =
        asked.map(|target| triage::bisect::ask(target, text, script, symptom, limits)).collect();
    // Half of the releases would make the rest look innocent.
    (!rows.is_empty() && rows.len() == releases.len()).then(|| Bisection::of(rows))
}

/// With how many solver seeds the culprit shows it.
fn over_seeds(
    culprit: &Target,
    text: &[u8],
    script: &smtlib::Script,
    symptom: &Symptom,
    limits: &Limits,
) -> (u64, u64) {
    let shows = |seed: &u64| {
        let (target, commands) = culprit.with_seed(*seed);
        let seeded = [commands.join("\n").as_bytes(), b"\n", text].concat();
        triage::bisect::ask(&target, &seeded, script, symptom, limits).bad
    };
    ((1..=SEEDS).filter(shows).count() as u64, SEEDS)
}
