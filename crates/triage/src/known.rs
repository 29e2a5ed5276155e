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

    /// The signature of a bug that was noticed in the same functions. Corruption shows at any place, and one that is noticed
    /// where another was is the same all the same: whether a pointer looks wild is chance.
    pub fn noticed_at(&self, symptom: &Symptom) -> Option<String> {
        let place = |symptom: &Symptom| match &symptom.sign {
            Sign::Dies(site) if site.is_stack() => Some(site.name.clone()),
            _ => None,
        };
        let new = place(symptom)?;
        let same = |bug: &&Arc<KnownBug>| {
            place(&bug.symptom).as_ref() == Some(&new)
                && release(bug.symptom.culprit.as_ref()) == release(symptom.culprit.as_ref())
        };
        let bugs = self.bugs.read().unwrap_or_else(PoisonError::into_inner);
        bugs.iter().find(same).map(|bug| bug.signature.clone())
    }

    /// Whether a hit looks like one of them: symptom, culprit and core operator.
    pub fn explain(&self, symptom: &Symptom, script: &[u8]) -> bool {
        self.resembling(symptom).iter().any(|bug| bug.operator.occurs_in(script))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::Site;
    use strategy::Role;

    fn died(place: &str, corruption: bool, culprit: &str) -> Symptom {
        let sign = Sign::Dies(Site { name: place.into(), signal: Some(11), corruption });
        let kind = oracle::FindingKind::Crash;
        Symptom { kind, culprit: Some(culprit.into()), role: Role::Formula, check: 0, sign }
    }

    #[test]
    fn a_wild_pointer_where_a_bug_was_noticed_before_is_that_bug() {
        let known = KnownBugs::default();
        let place = format!("{}enode::mk, from mk_enode", solver::PLACE);
        let operator = CoreOperator::of(b"(declare-const a Int)(assert (= (div a 2) 0))(check-sat)").unwrap();
        let (symptom, signature) = (died(&place, false, "z3@4.8.6"), "crash z3 there".to_owned());
        known.add(KnownBug { symptom, operator, signature: signature.clone(), span: None });
        assert_eq!(known.noticed_at(&died(&place, true, "z3@4.8.6 smt.mbqi=false")), Some(signature));
        assert_eq!(known.noticed_at(&died(&place, true, "z3@4.8.9")), None);
        let elsewhere = format!("{}sat::solver", solver::PLACE);
        assert_eq!(known.noticed_at(&died(&elsewhere, true, "z3@4.8.6")), None);
        assert_eq!(known.noticed_at(&died("free(): invalid pointer", true, "z3@4.8.6")), None);
    }
}
