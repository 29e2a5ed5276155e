//! Inverts integer and real arithmetic.
//!
//! Sums and products are inverted exactly where that is possible. For a comparison, the other side, its neighbours and
//! one value farther away are proposed.

use super::{Ask, Tools};
use crate::value::Value;
use crate::value::bitvec::BitVec;
use crate::value::int::Int;
use crate::value::rational::Rat;
use crate::value::real::Real;

pub(super) fn argument(name: &str, ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    if let (Some(relation), [a, b], Value::Bool(truth)) = (relation(name), ask.args, ask.target) {
        let other = if ask.at == 0 { b } else { a };
        // For the second argument the relation is reversed.
        let below = (relation.below == (ask.at == 0)) == *truth;
        let strict = relation.strict == *truth;
        return beside(other, below, strict, tools);
    }
    match (ask.args.first(), ask.target) {
        (Some(Value::Int(_)), Value::Int(target)) => integer(name, ask, target),
        (_, Value::Real(target)) => real(name, ask, target),
        (Some(Value::Real(Real::Rat(now))), Value::Int(target)) if name == "real_to_int" => {
            let fraction = now - &Rat::from(now.floor());
            vec![rational(&Rat::from(target) + &fraction), rational(Rat::from(target))]
        }
        (Some(Value::Int(now)), Value::Bool(truth)) if name == "int_divisible" => {
            if *truth {
                vec![Value::Int(Int::ZERO)]
            } else {
                vec![Value::Int(now + &Int::ONE)]
            }
        }
        (Some(Value::Int(_)), Value::BitVec(bits)) if name == "int_to_bv" => {
            let n = bits.ubv_to_int();
            let wrap = Int::two_to(bits.width() as usize);
            vec![Value::Int(n.clone()), Value::Int(&n - &wrap), Value::Int(&n + &wrap)]
        }
        _ => vec![],
    }
}

struct Relation {
    /// Whether the first argument must be below the second.
    below: bool,
    strict: bool,
}

fn relation(name: &str) -> Option<Relation> {
    let (below, strict) = match name {
        "int_le" | "real_le" => (true, false),
        "int_lt" | "real_lt" => (true, true),
        "int_ge" | "real_ge" => (false, false),
        "int_gt" | "real_gt" => (false, true),
        _ => return None,
    };
    Some(Relation { below, strict })
}

/// Numbers below or above another.
fn beside(other: &Value, below: bool, strict: bool, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    let far = 2 + tools.chance.below(30) as i64;
    let fine = 1i64 << (1 + tools.chance.below(16));
    let strict_steps = [(1, 1), (far, 1), (1, fine)];
    let steps = if strict { strict_steps } else { [(0, 1), (1, 1), (far, 1)] };
    let sign = if below { -1 } else { 1 };
    let mut found = vec![];
    for (n, d) in steps {
        match other {
            Value::Int(other) if d == 1 => found.push(Value::Int(other + &Int::from(sign * n))),
            Value::Real(Real::Rat(other)) => found.push(rational(other + &Rat::ratio(sign * n, d))),
            Value::Real(other) => {
                found.extend(other.add(&Rat::ratio(sign * n, d).into()).ok().map(Value::Real))
            }
            _ => {}
        }
    }
    found
}

fn rational(r: Rat) -> Value {
    Value::Real(r.into())
}

fn ints(args: &[Value]) -> Option<Vec<&Int>> {
    args.iter().map(|arg| if let Value::Int(n) = arg { Some(n) } else { None }).collect()
}

fn integer(name: &str, ask: &Ask<'_>, target: &Int) -> Vec<Value> {
    let Some(args) = ints(ask.args) else { return vec![] };
    let at = ask.at;
    let others = || args.iter().enumerate().filter(move |(n, _)| *n != at).map(|(_, n)| *n);
    let found: Vec<Int> = match (name, &args[..]) {
        ("int_add", _) => vec![others().fold(target.clone(), |sum, n| &sum - n)],
        ("int_sub", _) if at == 0 => vec![others().fold(target.clone(), |sum, n| &sum + n)],
        ("int_sub", [first, ..]) => {
            let rest = args.iter().enumerate().skip(1).filter(|(n, _)| *n != at);
            vec![rest.fold(*first - target, |sum, (_, n)| &sum - n)]
        }
        ("int_neg", _) => vec![-target],
        ("int_abs", _) => vec![target.clone(), -target],
        ("int_id", _) => vec![target.clone()],
        ("int_mul", _) => factors(target, others().fold(Int::ONE, |product, n| &product * n), args.len()),
        ("int_div" | "int_div_total", [_, d]) if at == 0 => {
            let low = target * *d;
            vec![low.clone(), &(&low + &d.abs()) - &Int::ONE]
        }
        ("int_div" | "int_div_total", [n, _]) => n.div(target).into_iter().collect(),
        ("int_mod" | "int_mod_total" | "int_rem", [n, d]) if at == 0 => {
            let base = n.div(d).map_or(Int::ZERO, |q| &q * *d);
            vec![&base + target, target.clone()]
        }
        ("int_mod" | "int_mod_total" | "int_rem", [n, _]) => {
            let d = *n - target;
            vec![d, target + &Int::ONE]
        }
        ("int_pow", [_, e]) if at == 0 => e
            .to_u32()
            .and_then(|e| target.exact_root(e.max(1)))
            .into_iter()
            .flat_map(|root| [root.clone(), -&root])
            .collect(),
        ("int_pow2", _) => vec![target.log2()],
        ("int_log2", _) => {
            target.to_u32().filter(|&n| n < 4096).map(|n| Int::two_to(n as usize)).into_iter().collect()
        }
        _ => vec![],
    };
    found.into_iter().map(Value::Int).collect()
}

/// The factors whose product with `rest` is the target. Both may be the same variable; then roots are proposed too.
fn factors(target: &Int, rest: Int, count: usize) -> Vec<Int> {
    let mut found = vec![];
    match target.div_mod(&rest) {
        Some((quotient, remainder)) => {
            if !remainder.is_zero() {
                found.push(&quotient + &Int::ONE);
            }
            found.insert(0, quotient);
        }
        None if target.is_zero() => {}
        None => found.extend([target.clone(), Int::ONE]),
    }
    if let Some(root) = target.abs().exact_root(count as u32) {
        found.extend([root.clone(), -&root]);
    }
    found
}

fn real(name: &str, ask: &Ask<'_>, target: &Real) -> Vec<Value> {
    if name == "int_to_real" {
        let Ok(floor) = target.floor() else { return vec![] };
        return vec![Value::Int(&floor + &Int::ONE), Value::Int(floor)];
    }
    let args: Option<Vec<&Real>> =
        ask.args.iter().map(|arg| if let Value::Real(r) = arg { Some(r) } else { None }).collect();
    let Some(args) = args else { return vec![] };
    inverse_real(name, ask.at, &args, target).unwrap_or_default().into_iter().map(Value::Real).collect()
}

fn inverse_real(name: &str, at: usize, args: &[&Real], target: &Real) -> Option<Vec<Real>> {
    let others = || args.iter().enumerate().filter(move |(n, _)| *n != at).map(|(_, r)| *r);
    Some(match (name, args) {
        ("real_add", _) => vec![others().try_fold(target.clone(), |sum, r| sum.sub(r)).ok()?],
        ("real_sub", _) if at == 0 => vec![others().try_fold(target.clone(), |sum, r| sum.add(r)).ok()?],
        ("real_sub", [first, ..]) => {
            let rest = args.iter().enumerate().skip(1).filter(|(n, _)| *n != at);
            let start = first.sub(target).ok()?;
            vec![rest.map(|(_, r)| *r).try_fold(start, |sum, r| sum.sub(r)).ok()?]
        }
        ("real_neg", _) => vec![target.neg()],
        ("real_abs", _) => vec![target.clone(), target.neg()],
        ("real_id", _) => vec![target.clone()],
        ("real_mul", _) => {
            let rest = others().try_fold(Real::ONE, |product, r| product.mul(r)).ok()?;
            let mut found: Vec<Real> = target.div(&rest).ok()?.into_iter().collect();
            if target.signum() > 0 {
                let root = target.nth_root(args.len() as u32).ok().flatten();
                found.extend(root.iter().flat_map(|root| [root.clone(), root.neg()]));
            }
            if rest.is_zero() && !target.is_zero() {
                found.extend([target.clone(), Real::ONE]);
            }
            found
        }
        ("real_div" | "real_div_total", [_, d]) if at == 0 => vec![target.mul(d).ok()?],
        ("real_div" | "real_div_total", [n, _]) => n.div(target).ok()?.into_iter().collect(),
        ("real_sqrt", _) => vec![target.mul(target).ok()?],
        _ => vec![],
    })
}

/// An integer as a word of the right width.
pub(super) fn to_bits(width: u32, n: &Int) -> Vec<Value> {
    BitVec::from_int(width, n).map(Value::BitVec).into_iter().collect()
}
