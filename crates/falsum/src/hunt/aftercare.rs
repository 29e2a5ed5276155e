//! What happens to a bug after it was found: reduced and named, beside the hunt.
//!
//! One thread takes one new bug at a time and gives it a bounded time, so a flood of bugs cannot take the machine
//! from the hunt. What it learns goes back to the dispatcher, which alone writes. Two bugs whose reduced forms have
//! one signature become one.

use super::Setup;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use store::FindingId;
use triage::goal::{Goal, Pinned};
use triage::reduce::{Options, Stats, reduce};
use triage::signature::exact;

/// The most time that one bug gets.
const PATIENCE: Duration = Duration::from_secs(30);

/// A finding to look after.
pub struct Patient {
    pub id: FindingId,
    pub finding: oracle::Finding,
    pub script: Vec<u8>,
}

/// What was learnt.
pub struct Discharged {
    pub id: FindingId,
    pub reduced: Vec<u8>,
    pub stats: Stats,
    pub signature: String,
}

pub struct Aftercare {
    patients: Option<Sender<Patient>>,
    discharged: Receiver<Option<Discharged>>,
    waiting: usize,
}

impl Aftercare {
    pub fn begin(setup: &Arc<Setup>) -> std::io::Result<Aftercare> {
        let (patients, arrivals) = channel::<Patient>();
        let (exits, discharged) = channel();
        let setup = Arc::clone(setup);
        let worker = std::thread::Builder::new().name("aftercare".into()).stack_size(super::STACK);
        worker.spawn(move || {
            for patient in arrivals {
                if exits.send(treat(&setup, &patient)).is_err() {
                    return;
                }
            }
        })?;
        Ok(Aftercare { patients: Some(patients), discharged, waiting: 0 })
    }

    pub fn admit(&mut self, patient: Patient) {
        if let Some(patients) = &self.patients
            && patients.send(patient).is_ok()
        {
            self.waiting += 1;
        }
    }

    pub fn is_idle(&self) -> bool {
        self.waiting == 0
    }

    /// One result, if there is one within the time.
    pub fn next(&mut self, wait: Duration) -> Option<Discharged> {
        let result = self.discharged.recv_timeout(wait).ok()?;
        self.waiting -= 1;
        result
    }
}

fn treat(setup: &Setup, patient: &Patient) -> Option<Discharged> {
    let goal = Goal::of_kind(patient.finding.kind);
    let cancel = Some(setup.cancel.clone());
    let pinned =
        Pinned::observe(&setup.panel, goal, &patient.script, &setup.limits, cancel).ok()?.fresh_only();
    let began = Instant::now();
    let stop = || began.elapsed() > PATIENCE || setup.cancel.is_raised();
    let options = Options { workers: 1, stop: &stop, improved: &|_| {} };
    let reduced = reduce(&patient.script, &pinned, &options).ok()?;
    let script = smtlib::Script::parse(&reduced.text).ok()?;
    let signature = exact(&patient.finding, &script).to_string();
    Some(Discharged { id: patient.id.clone(), reduced: reduced.text, stats: reduced.stats, signature })
}
