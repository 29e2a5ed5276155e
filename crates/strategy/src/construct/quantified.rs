//! Quantified formulas whose truth follows from how they are made.
//!
//! A bound variable takes the name of a constant, so nothing has to be substituted. In a *fan* the worlds differ only in
//! that constant, which takes every value of its finite sort: a claim that holds in all of them is asserted under ∀, one
//! that holds in some under ∃, and one that fails in some under ¬∀. Over infinite sorts ∃ has its witness in the chosen
//! model; the case brings the formula without the quantifier, which the model satisfies, and a relation between the two.
//! Unsatisfiable: what a fan shows is denied while all other symbols are pinned; or an instance of a quantified
//! assertion is denied, with `let` putting any term in the place of the variable.

use super::claim::{self, Claim};
use super::grow::Grove;
use super::pinned;
use super::stage::Stage;
use crate::{At, Draft, Expect, Expected, Ground, Relation, Rng, Role};
use semantics::eval::Evaluator;
use smtlib::printer::sort_text;
use smtlib::{Sort, SortId};

/// Attempts to grow a term, for one formula.
const ATTEMPTS: usize = 16;
/// Claims that are drawn for one formula.
const DRAWN: usize = 10;

pub fn draft(stage: &Stage, evaluator: &mut Evaluator<'_>, rng: &mut Rng) -> Option<Draft> {
    match rng.below(5) {
        0 => witness(stage, evaluator, rng),
        1 => instance(stage, evaluator, rng),
        2 => denied(stage, evaluator, rng),
        _ => fan(stage, evaluator, rng),
    }
}

/// How many values a sort has, if they are few and a stage has all of them.
pub fn finite(stage: &Stage, sort: SortId) -> Option<usize> {
    let count = match stage.pool.sort(sort) {
        Sort::Bool => 2,
        Sort::RoundingMode => 5,
        Sort::BitVec(width @ 1..=2) => 1 << width,
        _ => {
            let (datatype, _) = stage.pool.datatype(sort)?;
            let plain = |c: &smtlib::term::Constructor| stage.pool.decl(c.decl).params.is_empty();
            datatype.constructors.iter().all(plain).then_some(datatype.constructors.len())?
        }
    };
    (count < super::grow::WORLDS && stage.literals(sort).len() == count).then_some(count)
}

/// Grows terms in worlds that differ in one constant of a finite sort; says which.
fn grown_fan<'s>(
    stage: &'s Stage,
    evaluator: &mut Evaluator<'_>,
    rng: &mut Rng,
) -> Option<(Grove<'s>, usize, usize)> {
    let finite = |n: &usize| finite(stage, stage.constants[*n].result).is_some();
    let fit: Vec<usize> = (0..stage.constants.len()).filter(finite).collect();
    let constant = *rng.pick(&fit)?;
    let count = self::finite(stage, stage.constants[constant].result)?;
    let mut grove = Grove::fan(stage, constant, count, rng);
    for _ in 0..ATTEMPTS {
        grove.grow(evaluator, rng);
    }
    Some((grove, constant, count))
}

/// A claim under a quantifier over the name of a constant.
fn bound(stage: &Stage, quantifier: &str, constant: usize, body: &[u8]) -> Vec<u8> {
    let declared = &stage.constants[constant];
    let sort = sort_text(&stage.pool, declared.result);
    let mut out = format!("({quantifier} (({} {sort})) ", declared.name).into_bytes();
    out.extend_from_slice(body);
    out.push(b')');
    out
}

fn not(body: &[u8]) -> Vec<u8> {
    [b"(not ", body, b")"].concat()
}

/// What the fan says about a claim, as a quantified assertion that is true.
fn quantified(
    grove: &Grove<'_>,
    claim: Claim,
    constant: usize,
    count: usize,
    rng: &mut Rng,
) -> Option<Vec<u8>> {
    if claim::uses(grove, claim) >> constant & 1 == 0 || !claim::is_defined(grove, claim, count) {
        return None;
    }
    let text = claim::text(grove, claim)?;
    let true_in = (1..=count).filter(|&world| claim::holds(grove, claim, world)).count();
    let stage = grove.stage;
    Some(if true_in == count {
        bound(stage, "forall", constant, &text)
    } else if true_in == 0 || rng.chance(1, 2) {
        not(&bound(stage, "forall", constant, &text))
    } else {
        bound(stage, "exists", constant, &text)
    })
}

fn fan(stage: &Stage, evaluator: &mut Evaluator<'_>, rng: &mut Rng) -> Option<Draft> {
    let (grove, constant, count) = grown_fan(stage, evaluator, rng)?;
    let mut asserted: Vec<Vec<u8>> = vec![];
    for _ in 0..DRAWN {
        let text = claim::draw(&grove, rng).and_then(|claim| quantified(&grove, claim, constant, count, rng));
        asserted.extend(text.filter(|text| !asserted.contains(text)));
        if asserted.len() > 1 {
            break;
        }
    }
    if asserted.is_empty() {
        return None;
    }
    asserted.extend(claim::assert(&grove, rng.below(2), rng).texts);
    let script = script(stage, &asserted);
    let expect = Expect { answer: Expected::Sat, ground: Ground::Model(grove.worlds[0].text(stage)) };
    let rule = format!("stage `{}`: quantified over all {count} values", stage.name);
    Some(Draft::of(script).rules([rule]).expecting(vec![Some(expect)]))
}

/// The logic of a stage with quantifiers in it.
fn preamble(stage: &Stage) -> String {
    let mut lines = stage.preamble.lines();
    let logic = lines.next().unwrap_or("");
    let logic = if logic.starts_with("(set-logic") { "(set-logic ALL)" } else { logic };
    std::iter::once(logic).chain(lines).map(|line| format!("{line}\n")).collect()
}

fn script(stage: &Stage, asserted: &[Vec<u8>]) -> Vec<u8> {
    let mut script = preamble(stage).into_bytes();
    for text in asserted {
        script.extend_from_slice(b"(assert ");
        script.extend_from_slice(text);
        script.extend_from_slice(b")\n");
    }
    script.extend_from_slice(b"(check-sat)\n");
    script
}

/// ∃ with its witness: the same claims without the quantifier come with the model.
fn witness(stage: &Stage, evaluator: &mut Evaluator<'_>, rng: &mut Rng) -> Option<Draft> {
    let mut grove = Grove::plant(stage, rng);
    for _ in 0..ATTEMPTS {
        grove.grow(evaluator, rng);
    }
    let asserted = claim::assert(&grove, 2 + rng.below(2), rng).texts;
    if asserted.is_empty() {
        return None;
    }
    let all = if asserted.len() == 1 {
        asserted[0].clone()
    } else {
        let mut all = b"(and".to_vec();
        asserted.iter().for_each(|text| all.extend([b" ", text.as_slice()].concat()));
        all.push(b')');
        all
    };
    let constant = rng.below(stage.constants.len().max(1));
    stage.constants.get(constant)?;
    let closed = bound(stage, "exists", constant, &all);
    let because = format!("`{}` has a witness in the chosen model", stage.constants[constant].name);
    let rule = format!("stage `{}`: {because}", stage.name);
    let expect = |ground| Some(Expect { answer: Expected::Sat, ground });
    let mut draft =
        Draft::of(script(stage, &[closed])).rules([rule]).expecting(vec![expect(Ground::Argument(because))]);
    let open = draft.ask(Role::Before, script(stage, &asserted));
    draft.questions[open].expects = vec![expect(Ground::Model(grove.worlds[0].text(stage)))];
    let at = |question| At { question, check: 0 };
    draft.relations.push(Relation::SatImplies(at(open), at(0)));
    Some(draft)
}

/// ∀ of a claim, and the denial of one of its instances.
fn instance(stage: &Stage, evaluator: &mut Evaluator<'_>, rng: &mut Rng) -> Option<Draft> {
    let mut grove = Grove::plant(stage, rng);
    for _ in 0..ATTEMPTS {
        grove.grow(evaluator, rng);
    }
    let claim = (0..DRAWN).find_map(|_| claim::draw(&grove, rng).filter(|c| claim::uses(&grove, *c) != 0))?;
    let uses = claim::uses(&grove, claim);
    let used: Vec<usize> = (0..stage.constants.len()).filter(|n| uses >> n & 1 == 1).collect();
    let constant = *rng.pick(&used)?;
    let body = claim::text(&grove, claim)?;
    let term = grove.some(stage.constants[constant].result, rng)?;
    let mut denied = format!("(let (({} ", stage.constants[constant].name).into_bytes();
    denied.extend_from_slice(&grove.items[term].text);
    denied.extend_from_slice(b")) ");
    denied.extend_from_slice(&body);
    denied.push(b')');
    let mut asserted = vec![bound(stage, "forall", constant, &body), not(&denied)];
    if rng.chance(1, 2) {
        asserted.swap(0, 1);
    }
    Some(unsat(stage, &asserted, "an instance of a quantified assertion is denied"))
}

/// What a fan shows, denied, while all other symbols are pinned.
fn denied(stage: &Stage, evaluator: &mut Evaluator<'_>, rng: &mut Rng) -> Option<Draft> {
    let (grove, constant, count) = grown_fan(stage, evaluator, rng)?;
    for _ in 0..DRAWN {
        let Some(claim) = claim::draw(&grove, rng) else { continue };
        let Some(text) = quantified(&grove, claim, constant, count, rng) else { continue };
        let uses = claim::uses(&grove, claim) & !(1 << constant);
        let mut asserted = pinned::pins(&grove, evaluator, uses, rng)?;
        asserted.push(not(&text));
        return Some(unsat(
            stage,
            &asserted,
            "what holds for the values of a finite sort is denied, all else pinned",
        ));
    }
    None
}

fn unsat(stage: &Stage, asserted: &[Vec<u8>], because: &str) -> Draft {
    let expect = Expect { answer: Expected::Unsat, ground: Ground::Argument(because.to_owned()) };
    let rule = format!("stage `{}`: {because}", stage.name);
    Draft::of(script(stage, asserted)).rules([rule]).expecting(vec![Some(expect)])
}
