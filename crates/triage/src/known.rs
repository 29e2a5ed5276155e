//! The bugs that were triaged in this campaign, so that a further hit of one costs little.
//!
//! In: what triage learnt about a bug: its symptom, its core operator, its signature. Out: whether a new hit looks like
//! one of them: the same kind, the same culprit, the same place of a crash where there is one, and a formula with the core
//! operator. Such a hit is confirmed once and not repeated (`confirm.rs`). Whether it really is that bug is decided by
//! triage, which masks the operator and looks whether the solver is still wrong (`mask.rs`).

use crate::mask::CoreOperator;
use crate::symptom::{Sign, Symptom};
use std::sync::{Arc, PoisonError, RwLock};

/// A triaged bug.
#[derive(Debug)]
pub struct KnownBug {
    pub symptom: Symptom,
    pub operator: CoreOperator,
    pub signature: String,
    /// (introduced, fixed), where releases were tested.
    pub span: Option<(Option<String>, Option<String>)>,
}

impl KnownBug {
    /// Whether a hit can be one of this bug, as far as its symptom says.
    pub fn resembles(&self, symptom: &Symptom) -> bool {
        let same_place = match (&self.symptom.sign, &symptom.sign) {
            // Corruption shows at any place.
            (Sign::Dies(known), Sign::Dies(new)) if known.corruption => new.is_memory_fault(),
            (Sign::Dies(known), Sign::Dies(new)) => (&known.name, known.signal) == (&new.name, new.signal),
            _ => true,
        };
        self.symptom.kind == symptom.kind
            && release(self.symptom.culprit.as_ref()) == release(symptom.culprit.as_ref())
            && same_place
    }
}

/// The release of a target, without its options: a bug that shows in the usual mode is the same in every mode.
fn release(culprit: Option<&String>) -> Option<&str> {
    culprit.map(|name| name.split(' ').next().unwrap_or(name))
}

/// All of them, in the order in which they were triaged.
#[derive(Debug, Default)]
pub struct KnownBugs {
    bugs: RwLock<Vec<Arc<KnownBug>>>,
}

impl KnownBugs {
    pub fn add(&self, mut bug: KnownBug) {
        if bug.symptom.is_corruption() {
            bug.operator = bug.operator.with_kin();
        }
        self.bugs.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(bug));
    }

    /// Those that a hit with this symptom may be one of.
    pub fn resembling(&self, symptom: &Symptom) -> Vec<Arc<KnownBug>> {
        let bugs = self.bugs.read().unwrap_or_else(PoisonError::into_inner);
        bugs.iter().filter(|bug| bug.resembles(symptom)).cloned().collect()
    }

    /// Whether a hit looks like one of them: symptom, culprit and core operator.
    pub fn explain(&self, symptom: &Symptom, script: &[u8]) -> bool {
        self.resembling(symptom).iter().any(|bug| bug.operator.occurs_in(script))
    }
}
