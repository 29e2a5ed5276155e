//! The generators of Table 5.1 of Dewey's dissertation, by name.
//!
//! Each is a stage and a way to make formulas over it: around a model (`sat`), by denying what the pinned model makes
//! true (`unsat`), or at random with nothing expected (`syntactic`). Few bits are 3, and floats of 2 and 3; many bits are
//! 8 to 64, and the usual two formats. At few bits the oracle decides a syntactic formula by enumeration; at many bits
//! only another solver can contradict. The dissertation has no unsatisfiable floats because its generator was too slow
//! for them; here they are two more rows.

use super::claim::{self, Claim};
use super::grow::Grove;
use crate::{Draft, Rng};
use semantics::eval::Evaluator;
use smtlib::SortId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Sat,
    Unsat,
    Syntactic,
}

#[derive(Clone, Copy, Debug)]
pub struct Generator {
    pub name: &'static str,
    pub stage: &'static str,
    pub way: Way,
}

const fn row(name: &'static str, stage: &'static str, way: Way) -> Generator {
    Generator { name, stage, way }
}

pub const GENERATORS: &[Generator] = &[
    row("bv_few_sat", "bits-three", Way::Sat),
    row("bv_few_unsat", "bits-three", Way::Unsat),
    row("bv_few_syntactic", "bits-three", Way::Syntactic),
    row("bv_many_sat", "bits-many", Way::Sat),
    row("bv_many_unsat", "bits-many", Way::Unsat),
    row("bv_many_syntactic", "bits-many", Way::Syntactic),
    row("fp_few_sat", "float-five", Way::Sat),
    row("fp_few_syntactic", "float-five", Way::Syntactic),
    row("fp_many_sat", "float-single", Way::Sat),
    row("fp_many_syntactic", "float-single", Way::Syntactic),
    row("fp_few_unsat", "float-five", Way::Unsat),
    row("fp_many_unsat", "float-single", Way::Unsat),
];

/// Assertions that are well-typed and nothing else.
pub fn syntactic(grove: &Grove<'_>, rng: &mut Rng) -> Option<Draft> {
    let stage = grove.stage;
    let mut script = stage.preamble.clone().into_bytes();
    let mut count = 0;
    for _ in 0..2 + rng.below(5) {
        let Some(text) = assertion(grove, rng) else { continue };
        script.extend_from_slice(b"(assert ");
        script.extend_from_slice(&text);
        script.extend_from_slice(b")\n");
        count += 1;
    }
    script.extend_from_slice(b"(check-sat)\n");
    let rule = format!("stage `{}`: {count} assertions at random", stage.name);
    (count > 0).then(|| Draft::of(script).rules([rule]))
}

/// A Bool, or a comparison of two terms, true or not.
fn assertion(grove: &Grove<'_>, rng: &mut Rng) -> Option<Vec<u8>> {
    let n = rng.below(grove.items.len()).max(rng.below(grove.items.len()));
    let item = grove.items.get(n)?;
    let claim = if item.sort == SortId::BOOL {
        Claim::Truth(n)
    } else {
        let other = grove.some(item.sort, rng).filter(|other| *other != n)?;
        if rng.chance(1, 2) { Claim::Same(n, other) } else { Claim::Different(n, other) }
    };
    if rng.chance(1, 2) { claim::text(grove, claim) } else { claim::denial(grove, claim) }
}

/// A formula of one generator over terms that have grown on its stage.
pub fn draft(way: Way, grove: &Grove<'_>, evaluator: &mut Evaluator<'_>, rng: &mut Rng) -> Option<Draft> {
    match way {
        Way::Sat => super::satisfiable(grove, rng),
        Way::Unsat => super::pinned::draft(grove, evaluator, rng),
        Way::Syntactic => syntactic(grove, rng),
    }
}
