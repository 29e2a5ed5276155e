//! Inverts operations on bit-vectors.
//!
//! Sums, differences, exclusive ors and rotations are inverted exactly, products by odd factors too. If several values
//! are possible, those that change the fewest bits are proposed.

use super::{Ask, number};
use crate::value::Value;
use crate::value::bitvec::BitVec;

pub(super) fn argument(name: &str, indices: &[u64], ask: &Ask<'_>) -> Vec<Value> {
    let Some(Value::BitVec(now)) = ask.args.get(ask.at) else { return vec![] };
    if let Value::Bool(truth) = ask.target {
        return compared(name, ask, *truth);
    }
    if let Value::Int(n) = ask.target {
        return number::to_bits(now.width(), n);
    }
    let Value::BitVec(target) = ask.target else { return vec![] };
    let words: Option<Vec<&BitVec>> =
        ask.args.iter().map(|arg| if let Value::BitVec(b) = arg { Some(b) } else { None }).collect();
    let Some(words) = words else { return vec![] };
    let found = inverse(name, indices, &words, ask.at, now, target);
    found.into_iter().filter(|found| found.width() == now.width()).map(Value::BitVec).collect()
}

/// The argument on the right side of a comparison.
fn compared(name: &str, ask: &Ask<'_>, truth: bool) -> Vec<Value> {
    let [Value::BitVec(a), Value::BitVec(b)] = ask.args else { return vec![] };
    let other = if ask.at == 0 { b } else { a };
    let (below, strict, signed) = match name {
        "bv_ult" => (true, true, false),
        "bv_ule" => (true, false, false),
        "bv_ugt" => (false, true, false),
        "bv_uge" => (false, false, false),
        "bv_slt" => (true, true, true),
        "bv_sle" => (true, false, true),
        "bv_sgt" => (false, true, true),
        "bv_sge" => (false, false, true),
        _ => return vec![],
    };
    let below = (below == (ask.at == 0)) == truth;
    let strict = strict == truth;
    let width = other.width();
    let (least, most) = if signed {
        (BitVec::min_signed(width), BitVec::max_signed(width))
    } else {
        (BitVec::zero(width), BitVec::ones(width))
    };
    let end = if below { least } else { most };
    let next = if below { other.dec() } else { other.inc() };
    let mut found: Vec<BitVec> = if strict { vec![next] } else { vec![other.clone(), next] };
    found.extend(end);
    found.into_iter().map(Value::BitVec).collect()
}

fn inverse(
    name: &str,
    indices: &[u64],
    words: &[&BitVec],
    at: usize,
    now: &BitVec,
    target: &BitVec,
) -> Vec<BitVec> {
    let fold = |start: BitVec, f: fn(&BitVec, &BitVec) -> BitVec| {
        words.iter().enumerate().filter(|(n, _)| *n != at).fold(start, |sum, (_, word)| f(&sum, word))
    };
    let other = || words[1 - at.min(1)];
    match (name, words.len()) {
        ("bv_not", _) => vec![target.not()],
        ("bv_neg", _) => vec![target.neg()],
        ("bv_add", _) => vec![fold(target.clone(), BitVec::sub)],
        ("bv_sub", 2) if at == 0 => vec![target.add(words[1])],
        ("bv_sub", 2) => vec![words[0].sub(target)],
        ("bv_xor", _) => vec![fold(target.clone(), BitVec::xor)],
        ("bv_xnor", 2) => vec![target.not().xor(other())],
        ("bv_and", 2) => {
            // Bits that the other side masks may have any value.
            let free = other().not();
            vec![target.clone(), target.or(&free.and(now)), target.or(&free)]
        }
        ("bv_or", 2) => vec![target.clone(), target.and(&other().not().or(now)), target.and(&other().not())],
        ("bv_mul", _) => {
            let Some(one) = BitVec::one(target.width()) else { return vec![] };
            product(&fold(one, BitVec::mul), target)
        }
        ("bv_udiv", 2) if at == 0 => {
            let low = target.mul(words[1]);
            vec![low.add(&words[1].dec()), low]
        }
        ("bv_udiv", 2) => vec![words[0].udiv(target)],
        ("bv_urem", 2) if at == 0 => vec![target.clone(), words[0].sub(&words[0].urem(words[1])).add(target)],
        ("bv_urem", 2) => vec![words[0].sub(target), target.inc()],
        ("bv_sdiv", 2) if at == 0 => vec![target.mul(words[1])],
        ("bv_sdiv", 2) => vec![words[0].sdiv(target)],
        ("bv_srem" | "bv_smod", 2) if at == 0 => vec![target.clone()],
        ("bv_shl", 2) if at == 0 => vec![target.lshr(words[1])],
        ("bv_lshr" | "bv_ashr", 2) if at == 0 => vec![target.shl(words[1])],
        ("bv_shl" | "bv_lshr" | "bv_ashr", 2) => shifts(name, words[0], target),
        ("bv_rotate_left", 1) => vec![target.rotate_right(indices.first().copied().unwrap_or(0))],
        ("bv_rotate_right", 1) => vec![target.rotate_left(indices.first().copied().unwrap_or(0))],
        ("bv_zero_extend" | "bv_sign_extend" | "bv_repeat", 1) => {
            target.extract(now.width() - 1, 0).into_iter().collect()
        }
        ("bv_concat", _) => {
            let below: u32 = words[at + 1..].iter().map(|word| word.width()).sum();
            target.extract(below + now.width() - 1, below).into_iter().collect()
        }
        ("bv_extract", 1) => extracted(indices, now, target).into_iter().collect(),
        ("bv_comp", 2) if target.is_zero() => vec![other().inc(), other().not()],
        ("bv_comp", 2) => vec![other().clone()],
        _ => vec![],
    }
}

/// The factor whose product with `rest` is the target: exact if `rest` is odd, else by division.
pub(in super::super) fn product(rest: &BitVec, target: &BitVec) -> Vec<BitVec> {
    if rest.is_zero() {
        return vec![target.clone()];
    }
    // Common trailing zeros are shifted out; the bits shifted in at the top may have any value.
    let zeros = (0..rest.width()).take_while(|&n| !rest.bit(n)).count() as u32;
    if zeros > 0 {
        let mut found = product(&rest.lshr_by(zeros), &target.lshr_by(zeros));
        found.push(target.udiv(rest));
        return found;
    }
    // Newton's iteration doubles the number of correct bits.
    let Some(two) = BitVec::one(rest.width()).map(|one| one.add(&one)) else { return vec![] };
    let mut inverse = rest.clone();
    let mut right = 3;
    while right < rest.width() {
        inverse = inverse.mul(&two.sub(&rest.mul(&inverse)));
        right *= 2;
    }
    vec![target.mul(&inverse), target.udiv(rest)]
}

/// The possible shift amounts.
fn shifts(name: &str, word: &BitVec, target: &BitVec) -> Vec<BitVec> {
    let width = word.width();
    let amounts = (0..=width.min(128)).filter_map(|n| BitVec::from_u64(width, u64::from(n)));
    let shifted = |amount: &BitVec| match name {
        "bv_shl" => word.shl(amount),
        "bv_lshr" => word.lshr(amount),
        _ => word.ashr(amount),
    };
    amounts.filter(|amount| shifted(amount) == *target).take(2).collect()
}

/// A word with some of its bits replaced.
fn extracted(indices: &[u64], now: &BitVec, target: &BitVec) -> Option<BitVec> {
    let &[high, low] = indices else { return None };
    let (high, low) = (u32::try_from(high).ok()?, u32::try_from(low).ok()?);
    let mut word = target.clone();
    if low > 0 {
        word = word.concat(&now.extract(low - 1, 0)?)?;
    }
    if high + 1 < now.width() {
        word = now.extract(now.width() - 1, high + 1)?.concat(&word)?;
    }
    Some(word)
}
