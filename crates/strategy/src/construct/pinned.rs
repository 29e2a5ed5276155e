//! Unsatisfiable by evaluation: every symbol is pinned to one value, and something true of those values is denied.
//!
//! A pin is an equation with one solution: the symbol is wrapped into operations that lose nothing (adding a constant,
//! negating, appending, …), and the result must be what the chosen model makes of it. A function is pinned at the
//! points where it was applied. With the pins only the chosen model is left for a term, and the evaluator has computed
//! what the term is there; so denying it contradicts the pins. This needs no law and works for every theory.

use super::claim;
use super::grow::{FUNCTIONS, Grove};
use super::stage::{Code, Growth};
use crate::{Draft, Expect, Expected, Ground, Rng};
use semantics::eval::Evaluator;
use semantics::value::Value;
use semantics::value::show::value_text;
use smtlib::SortId;

/// Operators that are injective in each argument while the others are constants of the same sort.
const INJECTIVE: &[&[u8]] = &[
    b"bvadd", b"bvsub", b"bvxor", b"bvxnor", b"bvnot", b"bvneg", b"+", b"-", b"xor", b"not", b"str.++",
    b"seq.++", b"fp.neg", b"ff.add",
];
/// Most operations around a symbol.
const WRAPPED: usize = 3;
/// Claims that are drawn until one can be denied.
const DRAWN: usize = 8;
/// Longer values are not written out.
const VALUE_LENGTH: usize = 160;

/// Why such a formula is unsatisfiable.
const BECAUSE: &str = "every symbol is pinned to one value, and something true of those values is denied";

/// Pins the symbols of a claim and denies it; `None` if nothing can be denied.
pub fn draft(grove: &Grove<'_>, evaluator: &mut Evaluator<'_>, rng: &mut Rng) -> Option<Draft> {
    let drawn = (0..DRAWN).find_map(|_| claim::draw(grove, rng));
    let claim = drawn?;
    let denial = claim::denial(grove, claim)?;
    let mut asserted = pins(grove, evaluator, claim::uses(grove, claim), rng)?;
    let at = rng.below(asserted.len() + 1);
    asserted.insert(at, denial);
    Some(unsat(grove, &asserted, BECAUSE))
}

/// A script of these assertions that is unsatisfiable.
pub fn unsat(grove: &Grove<'_>, asserted: &[Vec<u8>], because: &str) -> Draft {
    let mut script = grove.stage.preamble.clone().into_bytes();
    for text in asserted {
        script.extend_from_slice(b"(assert ");
        script.extend_from_slice(text);
        script.extend_from_slice(b")\n");
    }
    script.extend_from_slice(b"(check-sat)\n");
    let expect = Expect { answer: Expected::Unsat, ground: Ground::Argument(because.to_owned()) };
    let rule = format!("stage `{}`: {because}", grove.stage.name);
    Draft::of(script).rules([rule]).expecting(vec![Some(expect)])
}

/// Equations that leave one value for each of these symbols; `None` if one cannot be written.
pub fn pins(
    grove: &Grove<'_>,
    evaluator: &mut Evaluator<'_>,
    uses: u64,
    rng: &mut Rng,
) -> Option<Vec<Vec<u8>>> {
    let mut found = vec![];
    for (n, item) in grove.items.iter().take(grove.stage.constants.len()).enumerate() {
        if uses >> n & 1 == 1 {
            found.push(pin(grove, evaluator, item.text.clone(), item.sort, item.values[0].clone()?, rng)?);
        }
    }
    if uses & FUNCTIONS != 0 {
        let points = grove.worlds[0].points(grove.stage)?;
        found.extend(points.into_iter().map(String::into_bytes));
    }
    Some(found)
}

/// An equation that has only this value of the symbol as its solution.
fn pin(
    grove: &Grove<'_>,
    evaluator: &mut Evaluator<'_>,
    mut text: Vec<u8>,
    sort: SortId,
    mut value: Value,
    rng: &mut Rng,
) -> Option<Vec<u8>> {
    for _ in 0..rng.below(WRAPPED + 1) {
        if let Some((wrapped, new)) = wrap(grove, evaluator, &text, sort, &value, rng) {
            (text, value) = (wrapped, new);
        }
    }
    let value = claim::is_writable(&value).then(|| value_text(&grove.stage.pool, sort, &value))?;
    if value.len() > VALUE_LENGTH {
        return None;
    }
    let mut out = b"(= ".to_vec();
    out.extend_from_slice(&text);
    out.push(b' ');
    out.extend_from_slice(value.as_bytes());
    out.push(b')');
    Some(out)
}

/// One more operation around a term, and its value.
fn wrap(
    grove: &Grove<'_>,
    evaluator: &mut Evaluator<'_>,
    text: &[u8],
    sort: SortId,
    value: &Value,
    rng: &mut Rng,
) -> Option<(Vec<u8>, Value)> {
    let (_, families) = grove.stage.growths.iter().find(|(result, _)| *result == sort)?;
    let fits =
        |growth: &&Growth| INJECTIVE.contains(&&*growth.head) && growth.args.iter().all(|arg| *arg == sort);
    let growths: Vec<&Growth> = families.iter().flatten().filter(fits).collect();
    let growth = rng.pick(&growths)?;
    let Code::Operation(operation) = growth.code else { return None };
    let at = rng.below(growth.args.len());
    let mut out = vec![b'('];
    out.extend_from_slice(&growth.head);
    let mut args = vec![];
    for n in 0..growth.args.len() {
        out.push(b' ');
        if n == at {
            out.extend_from_slice(text);
            args.push(value.clone());
        } else {
            let literal = rng.pick(grove.stage.literals(sort))?;
            out.extend_from_slice(literal.text.as_bytes());
            args.push(literal.value.clone());
        }
    }
    out.push(b')');
    let value = evaluator.apply_alone(operation, sort, &args).ok()?;
    Some((out, value))
}
