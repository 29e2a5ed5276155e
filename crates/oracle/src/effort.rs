//! How much work the judgement of a case may do, and what it looks for.
//!
//! A hunt judges thousands of cases per second and spends about as much on each as one solver run; a suspicion is
//! judged again with every check that there is. `check` spends seconds.

use crate::pace::Pace;
use semantics::{Budget, eval};

#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// For evaluating one model.
    pub eval: eval::EvalLimits,
    /// Work for deciding one small space by enumeration; 0: not at all.
    pub enumeration: u64,
    /// Steps for deciding linear arithmetic by elimination, for looking for a model of our own, and for a refutation.
    pub arithmetic: u64,
    pub finder: u64,
    pub refutation: u64,
    /// Decide small spaces even if the solvers agree.
    pub enumerate_always: bool,
    /// Look for answers that a newer release no longer gives.
    pub regressions: bool,
    /// What is called slow; `None`: time is not looked at.
    pub pace: Option<Pace>,
    /// Look for scripts that are refused although the standard allows them.
    pub rejections: bool,
    /// Also run each check-sat of an incremental script alone.
    pub alone: bool,
    /// Solve unsat cores again.
    pub cores: bool,
    /// Ask targets once more with the arguments that make them check their own answers.
    pub self_checks: bool,
    /// Ask solvers that refuse a script in their own words.
    pub dialects: bool,
    /// Have proofs checked, where there is a checker.
    pub proofs: bool,
}

/// Whether our own searches found something, where they were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    pub finder: Option<bool>,
    pub refutation: Option<bool>,
}

/// Work for one enumeration: about half a second, and a few milliseconds.
const ENUMERATION: u64 = 1 << 28;
const QUICK_ENUMERATION: u64 = 1 << 21;

/// Memory limit of one procedure.
const MEMORY: u64 = 64 << 20;

impl Effort {
    /// All checks.
    pub fn thorough() -> Effort {
        Effort {
            eval: eval::EvalLimits::default(),
            enumeration: ENUMERATION,
            arithmetic: 2_000_000,
            finder: 2_000_000,
            refutation: 4_000_000,
            enumerate_always: true,
            regressions: true,
            pace: Some(Pace::USUAL),
            rejections: true,
            alone: true,
            cores: true,
            self_checks: false,
            dialects: true,
            proofs: true,
        }
    }

    /// A first look at one of thousands of cases. What it leaves undecided accuses no solver.
    pub fn hurried() -> Effort {
        Effort {
            eval: eval::EvalLimits {
                steps: 20_000,
                instances: 256,
                trials: 20,
                regex_steps: 20_000,
                ..eval::EvalLimits::DEFAULT
            },
            enumeration: QUICK_ENUMERATION,
            arithmetic: 20_000,
            finder: 10_000,
            refutation: 80_000,
            enumerate_always: false,
            regressions: false,
            pace: None,
            rejections: false,
            dialects: false,
            proofs: false,
            ..Effort::thorough()
        }
    }

    /// A closer look at a share of these cases, which solvers get more time for too: some tens of milliseconds for
    /// each procedure.
    pub fn patient() -> Effort {
        Effort {
            eval: eval::EvalLimits {
                steps: 200_000,
                instances: 1 << 12,
                trials: 60,
                regex_steps: 100_000,
                ..eval::EvalLimits::DEFAULT
            },
            enumeration: ENUMERATION / 32,
            arithmetic: 100_000,
            finder: 100_000,
            refutation: 200_000,
            enumerate_always: false,
            ..Effort::thorough()
        }
    }

    /// A second look at what seems to be a finding of a campaign: about a second for each procedure.
    pub fn confirming() -> Effort {
        let eval = eval::EvalLimits { steps: 4_000_000, instances: 1 << 14, ..eval::EvalLimits::DEFAULT };
        Effort { eval, ..Effort::thorough() }
    }

    /// A close look at one of thousands of cases: models are evaluated in full, small spaces are decided within
    /// milliseconds.
    pub fn quick() -> Effort {
        Effort { eval: eval::EvalLimits::default(), ..Effort::hurried() }
    }

    /// What an enumeration spends on one small formula: as `quick`, with more for what no model certifies.
    pub fn certifying() -> Effort {
        Effort { arithmetic: 500_000, finder: 500_000, refutation: 1_200_000, ..Effort::quick() }
    }

    /// A budget of steps with the memory that goes with it.
    pub(crate) fn budget(&self, steps: u64) -> Budget {
        Budget::new(steps, MEMORY)
    }

    /// With options that the user did not choose, a target may be slow, undecided or refuse a script, and that is no bug.
    pub fn with_options(self, varied: bool) -> Effort {
        match varied {
            true => Effort { regressions: false, rejections: false, pace: None, self_checks: false, ..self },
            false => self,
        }
    }

    /// With less for searches that found nothing in so many similar cases before: half as much for each, down to an eighth.
    pub fn after_failures(self, finder: u32, refutation: u32) -> Effort {
        let less = |steps: u64, failures: u32| steps >> failures.min(3);
        Effort { finder: less(self.finder, finder), refutation: less(self.refutation, refutation), ..self }
    }

    /// Only the script itself: no further questions.
    pub fn as_asked(self) -> Effort {
        Effort { alone: false, cores: false, self_checks: false, dialects: false, proofs: false, ..self }
    }
}
