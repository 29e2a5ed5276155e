//! Machine operations on columns of codes: one loop per operation, so that all assignments of a block share its cost.
//!
//! Arguments are columns of equal length; the result is written to another column. Operations that may fail (integers
//! that overflow) mark that in the poison column. Calls of the evaluator are elsewhere.

use super::graph::Prim;

/// Runs an operation. `false` if it is not a machine operation.
pub(super) fn run(prim: Prim, args: &[&[u64]], out: &mut [u64], poison: &mut [bool]) -> bool {
    match args {
        [a] => unary(prim, a, out, poison),
        [a, b] => binary(prim, a, b, out, poison),
        [condition, then, otherwise] if prim == Prim::Ite => {
            for (n, slot) in out.iter_mut().enumerate() {
                *slot = if condition[n] != 0 { then[n] } else { otherwise[n] };
            }
            true
        }
        _ => several(prim, args, out),
    }
}

/// The result for one assignment, if it is a machine operation that does not fail.
pub(super) fn once(prim: Prim, codes: &[u64]) -> Option<u64> {
    let mut out = [0];
    let mut poison = [false];
    let columns: Vec<[u64; 1]> = codes.iter().map(|&code| [code]).collect();
    let args: Vec<&[u64]> = columns.iter().map(|column| &column[..]).collect();
    (run(prim, &args, &mut out, &mut poison) && !poison[0]).then_some(out[0])
}

fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// A word of some width as a signed number.
fn signed(word: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width);
    ((word << shift) as i64) >> shift
}

fn unary(prim: Prim, a: &[u64], out: &mut [u64], poison: &mut [bool]) -> bool {
    macro_rules! lanes {
        (|$x:ident| $result:expr) => {{
            for (slot, &$x) in out.iter_mut().zip(a) {
                *slot = $result;
            }
            true
        }};
    }
    match prim {
        Prim::Not => lanes!(|x| x ^ 1),
        Prim::And | Prim::Or => lanes!(|x| x),
        Prim::BvNot(width) => {
            let mask = mask(width);
            lanes!(|x| !x & mask)
        }
        Prim::BvNeg(width) => {
            let mask = mask(width);
            lanes!(|x| x.wrapping_neg() & mask)
        }
        Prim::Extract(from, count) => {
            let mask = mask(count);
            lanes!(|x| (x >> from) & mask)
        }
        Prim::SignExtend(from, to) => {
            let mask = mask(to);
            lanes!(|x| (signed(x, from) as u64) & mask)
        }
        Prim::IntNeg => {
            for (n, slot) in out.iter_mut().enumerate() {
                let (value, over) = (a[n] as i64).overflowing_neg();
                *slot = value as u64;
                poison[n] |= over;
            }
            true
        }
        _ => false,
    }
}

fn binary(prim: Prim, a: &[u64], b: &[u64], out: &mut [u64], poison: &mut [bool]) -> bool {
    macro_rules! lanes {
        (|$x:ident, $y:ident| $result:expr) => {{
            for (slot, (&$x, &$y)) in out.iter_mut().zip(a.iter().zip(b)) {
                *slot = $result;
            }
            true
        }};
    }
    macro_rules! checked {
        ($operation:ident) => {{
            for (n, slot) in out.iter_mut().enumerate() {
                let (value, over) = (a[n] as i64).$operation(b[n] as i64);
                *slot = value as u64;
                poison[n] |= over;
            }
            true
        }};
    }
    match prim {
        Prim::And | Prim::BvAnd => lanes!(|x, y| x & y),
        Prim::Or | Prim::BvOr => lanes!(|x, y| x | y),
        Prim::Xor | Prim::BvXor => lanes!(|x, y| x ^ y),
        Prim::Eq => lanes!(|x, y| u64::from(x == y)),
        Prim::BvAdd(width) => {
            let mask = mask(width);
            lanes!(|x, y| x.wrapping_add(y) & mask)
        }
        Prim::BvSub(width) => {
            let mask = mask(width);
            lanes!(|x, y| x.wrapping_sub(y) & mask)
        }
        Prim::BvMul(width) => {
            let mask = mask(width);
            lanes!(|x, y| x.wrapping_mul(y) & mask)
        }
        // Division by zero gives all ones, as the standard says.
        Prim::BvUdiv(width) => lanes!(|x, y| x.checked_div(y).unwrap_or(mask(width))),
        Prim::BvUrem(_) => lanes!(|x, y| x.checked_rem(y).unwrap_or(x)),
        Prim::BvShl(width) => {
            let mask = mask(width);
            lanes!(|x, y| if y >= u64::from(width) { 0 } else { (x << y) & mask })
        }
        Prim::BvLshr(width) => lanes!(|x, y| if y >= u64::from(width) { 0 } else { x >> y }),
        Prim::BvAshr(width) => {
            let mask = mask(width);
            let last = u64::from(width) - 1;
            lanes!(|x, y| ((signed(x, width) >> y.min(last)) as u64) & mask)
        }
        Prim::BvUlt => lanes!(|x, y| u64::from(x < y)),
        Prim::BvUle => lanes!(|x, y| u64::from(x <= y)),
        Prim::BvSlt(width) => lanes!(|x, y| u64::from(signed(x, width) < signed(y, width))),
        Prim::BvSle(width) => lanes!(|x, y| u64::from(signed(x, width) <= signed(y, width))),
        Prim::Concat(low) => lanes!(|x, y| (x << low) | y),
        Prim::IntAdd => checked!(overflowing_add),
        Prim::IntSub => checked!(overflowing_sub),
        Prim::IntMul => checked!(overflowing_mul),
        Prim::IntLe => lanes!(|x, y| u64::from(x as i64 <= y as i64)),
        Prim::IntLt => lanes!(|x, y| u64::from((x as i64) < y as i64)),
        _ => false,
    }
}

fn several(prim: Prim, args: &[&[u64]], out: &mut [u64]) -> bool {
    let and = match prim {
        Prim::And => true,
        Prim::Or => false,
        _ => return false,
    };
    out.fill(u64::from(and));
    for arg in args {
        for (slot, &x) in out.iter_mut().zip(*arg) {
            *slot = if and { *slot & x } else { *slot | x };
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::bitvec::BitVec;

    /// A machine operation and the exact one it must agree with.
    type Pair = (Prim, fn(&BitVec, &BitVec) -> BitVec);

    #[test]
    fn machine_words_agree_with_exact_bit_vectors_at_every_small_width() {
        for width in 1..=5u8 {
            let pairs: [Pair; 10] = [
                (Prim::BvAnd, BitVec::and),
                (Prim::BvOr, BitVec::or),
                (Prim::BvXor, BitVec::xor),
                (Prim::BvAdd(width), BitVec::add),
                (Prim::BvSub(width), BitVec::sub),
                (Prim::BvMul(width), BitVec::mul),
                (Prim::BvUdiv(width), BitVec::udiv),
                (Prim::BvUrem(width), BitVec::urem),
                (Prim::BvShl(width), BitVec::shl),
                (Prim::BvLshr(width), BitVec::lshr),
            ];
            for x in 0..1u64 << width {
                for y in 0..1u64 << width {
                    let word = |n| BitVec::from_u64(u32::from(width), n).unwrap();
                    let (a, b) = (word(x), word(y));
                    for (prim, exact) in pairs {
                        assert_eq!(once(prim, &[x, y]), exact(&a, &b).to_u64(), "{prim:?} {x} {y}");
                    }
                    assert_eq!(once(Prim::BvAshr(width), &[x, y]), a.ashr(&b).to_u64());
                    assert_eq!(once(Prim::BvUlt, &[x, y]), Some(u64::from(a.ult(&b))));
                    assert_eq!(once(Prim::BvUle, &[x, y]), Some(u64::from(a.ule(&b))));
                    assert_eq!(once(Prim::BvSlt(width), &[x, y]), Some(u64::from(a.slt(&b))));
                    assert_eq!(once(Prim::BvSle(width), &[x, y]), Some(u64::from(a.sle(&b))));
                    assert_eq!(once(Prim::Concat(width), &[x, y]), a.concat(&b).unwrap().to_u64());
                }
                let a = BitVec::from_u64(u32::from(width), x).unwrap();
                assert_eq!(once(Prim::BvNot(width), &[x]), a.not().to_u64());
                assert_eq!(once(Prim::BvNeg(width), &[x]), a.neg().to_u64());
                let extended = a.sign_extend(3).unwrap().to_u64();
                assert_eq!(once(Prim::SignExtend(width, width + 3), &[x]), extended);
                for low in 0..width {
                    let part = a.extract(u32::from(width) - 1, u32::from(low)).unwrap();
                    assert_eq!(once(Prim::Extract(low, width - low), &[x]), part.to_u64());
                }
            }
        }
    }

    #[test]
    fn words_of_64_bits_keep_all_their_bits() {
        let most = u64::MAX;
        assert_eq!(once(Prim::BvAdd(64), &[most, 1]), Some(0));
        assert_eq!(once(Prim::BvSlt(64), &[most, 0]), Some(1));
        assert_eq!(once(Prim::BvAshr(64), &[most, 63]), Some(most));
        assert_eq!(once(Prim::BvShl(64), &[1, 63]), Some(1 << 63));
        assert_eq!(once(Prim::BvNot(64), &[0]), Some(most));
    }

    #[test]
    fn integers_that_overflow_have_no_value() {
        assert_eq!(once(Prim::IntAdd, &[i64::MAX as u64, 1]), None);
        assert_eq!(once(Prim::IntMul, &[i64::MIN as u64, -1i64 as u64]), None);
        assert_eq!(once(Prim::IntSub, &[1, 3]), Some(-2i64 as u64));
    }
}
