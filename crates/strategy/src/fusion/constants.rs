//! Random constants for fusion functions.
//!
//! In: a sort as text, which values are allowed, the unit's random numbers. Out: a literal. Boundary values (0, ±1,
//! powers of two, all ones, the empty string) are as likely as all others together.

use super::functions::Draw;
use crate::Rng;
use dashu_int::UBig;

/// Writes a constant of the sort; `None` for sorts without literals. `earlier` are the constants drawn before.
pub(super) fn draw(sort: &[u8], draw: Draw, earlier: &[Vec<u8>], rng: &mut Rng) -> Option<Vec<u8>> {
    match sort {
        b"Int" => Some(int(draw, rng)),
        b"Real" => Some(real(draw, rng)),
        b"Bool" => Some(if rng.chance(1, 2) { b"true".to_vec() } else { b"false".to_vec() }),
        b"String" => Some(string(rng)),
        _ => {
            let width = sort.strip_prefix(b"(_ BitVec ")?.strip_suffix(b")")?;
            let width: usize = std::str::from_utf8(width).ok()?.parse().ok()?;
            Some(bitvec(width, draw, earlier, rng)?)
        }
    }
}

fn signed(text: String, negative: bool) -> Vec<u8> {
    if negative { format!("(- {text})").into_bytes() } else { text.into_bytes() }
}

fn int(draw: Draw, rng: &mut Rng) -> Vec<u8> {
    let value = match rng.below(8) {
        0 => 0,
        1 | 2 => 1,
        3 => 2,
        4 => 1 << rng.below(63),
        5 => (1u64 << rng.below(63)) - 1,
        _ => rng.below(1001) as u64,
    };
    let value = if value == 0 && draw != Draw::Any { 1 } else { value };
    signed(value.to_string(), value != 0 && rng.chance(1, 2))
}

fn real(draw: Draw, rng: &mut Rng) -> Vec<u8> {
    let text = match rng.below(6) {
        0 => "0.0".to_owned(),
        1 => "1.0".to_owned(),
        2 => "0.5".to_owned(),
        3 => format!("{}.0", 1u64 << rng.below(40)),
        _ => format!("{}.{:03}", rng.below(1000), rng.below(1000)),
    };
    let zero = !text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    match (zero, draw) {
        (true, Draw::Any) => text.into_bytes(),
        (true, _) => b"3.0".to_vec(),
        (false, _) => signed(text, rng.chance(1, 2)),
    }
}

const TEXTS: &[&str] =
    &["\"\"", "\"a\"", "\"0\"", "\"ab\"", "\"\\u{0}\"", "\"\\u{2ffff}\"", "\" \"", "\"-1\""];

fn string(rng: &mut Rng) -> Vec<u8> {
    if rng.chance(1, 2) {
        return TEXTS[rng.below(TEXTS.len())].into();
    }
    let length = rng.below(12);
    let mut text = vec![b'"'];
    text.extend((0..length).map(|_| b"abcdefgh0123"[rng.below(12)]));
    text.push(b'"');
    text
}

fn bitvec(width: usize, draw: Draw, earlier: &[Vec<u8>], rng: &mut Rng) -> Option<Vec<u8>> {
    if width == 0 {
        return None;
    }
    let modulus = UBig::ONE << width;
    let value = match draw {
        Draw::InverseOf(other) => inverse(&read(earlier.get(other)?)?, &modulus, width),
        _ => {
            let value = match rng.below(6) {
                0 => UBig::ZERO,
                1 => UBig::ONE,
                2 => modulus.clone() - UBig::ONE,
                3 => UBig::ONE << (width - 1),
                4 => UBig::ONE << rng.below(width),
                _ => random(width, rng),
            };
            match draw {
                Draw::Odd => value | UBig::ONE,
                Draw::Nonzero if value == UBig::ZERO => UBig::ONE,
                _ => value,
            }
        }
    };
    Some(format!("(_ bv{value} {width})").into_bytes())
}

fn random(width: usize, rng: &mut Rng) -> UBig {
    let mut value = UBig::ZERO;
    for _ in 0..width.div_ceil(64) {
        value = (value << 64) | UBig::from(rng.bits());
    }
    value & ((UBig::ONE << width) - UBig::ONE)
}

/// The number in `(_ bvN w)`.
fn read(literal: &[u8]) -> Option<UBig> {
    let text = std::str::from_utf8(literal).ok()?.strip_prefix("(_ bv")?;
    UBig::from_str_radix(text.split(' ').next()?, 10).ok()
}

/// Newton's iteration: each step doubles the number of correct bits.
fn inverse(odd: &UBig, modulus: &UBig, width: usize) -> UBig {
    let mut inverse = UBig::ONE;
    let mut right = 1;
    while right < width {
        let product = (odd * &inverse) % modulus;
        inverse = (&inverse * (modulus + UBig::from(2u8) - product)) % modulus;
        right *= 2;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CampaignKey;

    #[test]
    fn an_odd_constant_times_its_inverse_is_one() {
        let mut rng = Rng::of(&CampaignKey("k".into()), "constants", 0);
        for width in [1, 2, 3, 8, 31, 64, 65, 200] {
            for _ in 0..50 {
                let odd = bitvec(width, Draw::Odd, &[], &mut rng).unwrap();
                let inverse =
                    bitvec(width, Draw::InverseOf(0), std::slice::from_ref(&odd), &mut rng).unwrap();
                let product = read(&odd).unwrap() * read(&inverse).unwrap();
                assert_eq!(product % (UBig::ONE << width), UBig::ONE, "width {width}");
            }
        }
    }

    #[test]
    fn nonzero_constants_are_not_zero() {
        let mut rng = Rng::of(&CampaignKey("k".into()), "constants", 1);
        let zero = |text: &[u8]| !text.iter().any(|byte| (b'1'..=b'9').contains(byte));
        for _ in 0..500 {
            assert!(!zero(&int(Draw::Nonzero, &mut rng)));
            assert!(!zero(&real(Draw::Nonzero, &mut rng)));
        }
    }
}
