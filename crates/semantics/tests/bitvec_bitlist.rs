//! Random bit-vectors of widths 5 to 200 against schoolbook arithmetic on lists of bits.
//!
//! The lists have only a full adder, a comparison and shifting by list operations: slow, obvious, and with nothing in
//! common with words or big integers. Widths around 64 and 128 occur more often.

#![allow(clippy::unwrap_used)]

use dashu_int::{IBig, UBig};
use semantics::value::bitvec::BitVec;
use semantics::value::int::Int;
use testkit::SplitMix as Rng;

/// Least significant first.
type List = Vec<bool>;

fn random_list(rng: &mut Rng, width: usize) -> List {
    match rng.below(8) {
        0 => vec![false; width],
        1 => vec![true; width],
        2 => (0..width).map(|i| i == width - 1).collect(),
        3 => (0..width).map(|i| i != width - 1).collect(),
        4 => {
            let small = rng.below(2 * width as u64);
            (0..width).map(|i| i < 64 && (small >> i) & 1 == 1).collect()
        }
        5 => {
            let cut = rng.below(width as u64) as usize;
            (0..width).map(|i| i >= cut).collect()
        }
        _ => (0..width).map(|_| rng.next() & 1 == 1).collect(),
    }
}

fn width(rng: &mut Rng) -> usize {
    match rng.below(3) {
        0 => [63, 64, 65, 66, 127, 128, 129, 130][rng.below(8) as usize],
        _ => 5 + rng.below(196) as usize,
    }
}

fn text(list: &[bool]) -> String {
    list.iter().rev().map(|b| if *b { '1' } else { '0' }).collect()
}

fn bv(list: &[bool]) -> BitVec {
    BitVec::parse(&format!("#b{}", text(list))).unwrap()
}

#[track_caller]
fn same(what: &str, a: &[bool], b: &[bool], got: BitVec, want: &[bool]) {
    assert_eq!(got.to_binary(), format!("#b{}", text(want)), "{what} on {} and {}", text(a), text(b));
    assert_eq!(got, bv(want), "{what}: equal text, unequal values");
}

fn add_carry(a: &[bool], b: &[bool], mut carry: bool) -> (List, bool) {
    let sum = a
        .iter()
        .zip(b)
        .map(|(&x, &y)| {
            let out = x ^ y ^ carry;
            carry = (x & y) | (carry & (x | y));
            out
        })
        .collect();
    (sum, carry)
}

fn not(a: &[bool]) -> List {
    a.iter().map(|b| !b).collect()
}

fn add(a: &[bool], b: &[bool]) -> List {
    add_carry(a, b, false).0
}

fn sub(a: &[bool], b: &[bool]) -> List {
    add_carry(a, &not(b), true).0
}

fn neg(a: &[bool]) -> List {
    sub(&vec![false; a.len()], a)
}

fn less(a: &[bool], b: &[bool]) -> bool {
    a.iter().rev().cmp(b.iter().rev()).is_lt()
}

fn shifted(a: &[bool], by: usize) -> List {
    let mut list = vec![false; by.min(a.len())];
    list.extend(&a[..a.len() - by.min(a.len())]);
    list
}

fn mul(a: &[bool], b: &[bool]) -> List {
    let rows = (0..a.len()).filter(|i| b[*i]).map(|i| shifted(a, i));
    rows.fold(vec![false; a.len()], |sum, row| add(&sum, &row))
}

fn divide(a: &[bool], b: &[bool]) -> (List, List) {
    let n = a.len();
    if b.iter().all(|x| !x) {
        return (vec![true; n], a.to_vec());
    }
    // One extra bit, because the partial remainder may need it before the subtraction.
    let divisor = extended(b, 1, false);
    let (mut quotient, mut rest) = (vec![false; n], vec![false; n + 1]);
    for i in (0..n).rev() {
        rest = shifted(&rest, 1);
        rest[0] = a[i];
        if !less(&rest, &divisor) {
            rest = sub(&rest, &divisor);
            quotient[i] = true;
        }
    }
    rest.pop();
    (quotient, rest)
}

fn extended(a: &[bool], extra: usize, with: bool) -> List {
    a.iter().copied().chain(std::iter::repeat_n(with, extra)).collect()
}

fn top(a: &[bool]) -> bool {
    a[a.len() - 1]
}

fn abs(a: &[bool]) -> List {
    if top(a) { neg(a) } else { a.to_vec() }
}

fn for_random_pairs(key: u64, rounds: usize, check: impl Fn(&mut Rng, &List, &List, BitVec, BitVec)) {
    let mut rng = Rng(key);
    for _ in 0..rounds {
        let w = width(&mut rng);
        let a = random_list(&mut rng, w);
        let b = if rng.below(16) == 0 { a.clone() } else { random_list(&mut rng, w) };
        let (x, y) = (bv(&a), bv(&b));
        check(&mut rng, &a, &b, x, y);
    }
}

#[test]
fn wide_arithmetic_matches_the_schoolbook() {
    for_random_pairs(1, 1500, |_, a, b, x, y| {
        same("add", a, b, x.add(&y), &add(a, b));
        same("sub", a, b, x.sub(&y), &sub(a, b));
        same("neg", a, b, x.neg(), &neg(a));
        same("mul", a, b, x.mul(&y), &mul(a, b));
        let (q, r) = divide(a, b);
        same("udiv", a, b, x.udiv(&y), &q);
        same("urem", a, b, x.urem(&y), &r);
        assert_eq!(x.udiv_urem(&y), (bv(&q), bv(&r)));
    });
}

#[test]
fn wide_signed_division_matches_the_case_split_of_the_standard() {
    for_random_pairs(2, 1500, |_, a, b, x, y| {
        let (q, r) = divide(&abs(a), &abs(b));
        same("sdiv", a, b, x.sdiv(&y), &if top(a) == top(b) { q } else { neg(&q) });
        same("srem", a, b, x.srem(&y), &if top(a) { neg(&r) } else { r.clone() });
        let modulo = match (top(a), top(b)) {
            _ if r.iter().all(|b| !b) => r,
            (false, false) => r,
            (true, false) => add(&neg(&r), b),
            (false, true) => add(&r, b),
            (true, true) => neg(&r),
        };
        same("smod", a, b, x.smod(&y), &modulo);
    });
}

#[test]
fn wide_bitwise_operators_match_bit_by_bit() {
    for_random_pairs(3, 1500, |_, a, b, x, y| {
        let each = |f: fn(bool, bool) -> bool| a.iter().zip(b).map(|(x, y)| f(*x, *y)).collect::<List>();
        same("and", a, b, x.and(&y), &each(|x, y| x & y));
        same("or", a, b, x.or(&y), &each(|x, y| x | y));
        same("xor", a, b, x.xor(&y), &each(|x, y| x ^ y));
        same("nand", a, b, x.nand(&y), &each(|x, y| !(x & y)));
        same("nor", a, b, x.nor(&y), &each(|x, y| !(x | y)));
        same("xnor", a, b, x.xnor(&y), &each(|x, y| x == y));
        same("not", a, b, x.not(), &not(a));
        same("comp", a, b, x.comp(&y), &[a == b]);
        same("redor", a, b, x.redor(), &[a.contains(&true)]);
        same("redand", a, b, x.redand(), &[!a.contains(&false)]);
        same("redxor", a, b, x.redxor(), &[a.iter().filter(|b| **b).count() % 2 == 1]);
    });
}

#[test]
fn wide_shifts_and_rotations_match_list_operations() {
    for_random_pairs(4, 2000, |rng, a, b, x, y| {
        let n = a.len();
        let places = b
            .iter()
            .enumerate()
            .filter(|(_, bit)| **bit)
            .fold(0usize, |sum, (i, _)| if i < 12 { sum + (1 << i) } else { usize::MAX / 2 });
        let right = |fill: bool| extended(&a[places.min(n)..], places.min(n), fill);
        same("shl", a, b, x.shl(&y), &shifted(a, places));
        same("lshr", a, b, x.lshr(&y), &right(false));
        same("ashr", a, b, x.ashr(&y), &right(top(a)));
        let turns = rng.below(3 * n as u64);
        let mut rotated = a.clone();
        rotated.rotate_right(turns as usize % n);
        same("rotate_left", a, b, x.rotate_left(turns), &rotated);
        let amount = BitVec::from_u64(n as u32, turns).unwrap();
        if amount.to_u64() == Some(turns) {
            same("ext_rotate_left", a, b, x.ext_rotate_left(&amount), &rotated);
        }
        assert_eq!(x.rotate_left(turns).rotate_right(turns), x);
        assert_eq!(x.ext_rotate_left(&y).ext_rotate_right(&y), x);
    });
}

#[test]
fn wide_extractions_and_concatenations_match_list_operations() {
    for_random_pairs(5, 1500, |rng, a, b, x, y| {
        let joined: List = b.iter().chain(a.iter()).copied().collect();
        same("concat", a, b, x.concat(&y).unwrap(), &joined);
        let low = rng.below(joined.len() as u64) as usize;
        let high = low + rng.below((joined.len() - low) as u64) as usize;
        let cut = x.concat(&y).unwrap().extract(high as u32, low as u32).unwrap();
        same("extract", a, b, cut, &joined[low..=high]);
        let extra = rng.below(80);
        let (zeros, signs) = (extended(a, extra as usize, false), extended(a, extra as usize, top(a)));
        same("zero_extend", a, b, x.zero_extend(extra as u32).unwrap(), &zeros);
        same("sign_extend", a, b, x.sign_extend(extra as u32).unwrap(), &signs);
        let times = 1 + rng.below(9) as usize;
        same("repeat", a, b, x.repeat(times as u32).unwrap(), &a.repeat(times));
    });
}

#[test]
fn wide_comparisons_match_list_comparison() {
    for_random_pairs(6, 2000, |_, a, b, x, y| {
        // Adding 2^(w-1) maps the signed order onto the unsigned one.
        let bias = |l: &[bool]| -> List { (0..l.len()).map(|i| l[i] ^ (i == l.len() - 1)).collect() };
        let (s, t) = (bias(a), bias(b));
        assert_eq!((x.ult(&y), x.ule(&y)), (less(a, b), !less(b, a)), "{x} {y}");
        assert_eq!((x.ugt(&y), x.uge(&y)), (less(b, a), !less(a, b)), "{x} {y}");
        assert_eq!((x.slt(&y), x.sle(&y)), (less(&s, &t), !less(&t, &s)), "{x} {y}");
        assert_eq!((x.sgt(&y), x.sge(&y)), (less(&t, &s), !less(&s, &t)), "{x} {y}");
    });
}

/// Whether a double-width result equals the sign extension of its low half.
fn fits_signed(wide: &[bool], w: usize) -> bool {
    wide[w - 1..].iter().all(|b| *b == wide[w - 1])
}

#[test]
fn wide_overflow_shows_in_double_width_arithmetic() {
    for_random_pairs(7, 800, |_, a, b, x, y| {
        let w = a.len();
        let (ua, ub) = (extended(a, w, false), extended(b, w, false));
        let (sa, sb) = (extended(a, w, top(a)), extended(b, w, top(b)));
        let high = |l: List| l[w..].contains(&true);
        assert_eq!(x.uaddo(&y), high(add(&ua, &ub)), "uaddo {x} {y}");
        assert_eq!(x.umulo(&y), high(mul(&ua, &ub)), "umulo {x} {y}");
        assert_eq!(x.usubo(&y), less(a, b), "usubo {x} {y}");
        assert_eq!(x.saddo(&y), !fits_signed(&add(&sa, &sb), w), "saddo {x} {y}");
        assert_eq!(x.ssubo(&y), !fits_signed(&sub(&sa, &sb), w), "ssubo {x} {y}");
        let product = mul(&sa, &sb);
        let fits = fits_signed(&product, w);
        assert_eq!(x.smulo(&y), !fits, "smulo {x} {y}");
        assert_eq!(x.smul_noovfl(&y), fits || top(&product), "smul_noovfl {x} {y}");
        assert_eq!(x.smul_noudfl(&y), fits || !top(&product), "smul_noudfl {x} {y}");
        assert_eq!(x.nego(), !fits_signed(&neg(&sa), w), "nego {x}");
        let quotient_overflows = top(a) && top(b) && top(&divide(&abs(a), &abs(b)).0);
        assert_eq!(x.sdivo(&y), quotient_overflows, "sdivo {x} {y}");
    });
}

#[test]
fn conversions_to_integers_and_text_can_be_reversed() {
    for_random_pairs(8, 1500, |rng, a, _, x, _| {
        let w = x.width();
        let unsigned: UBig = a.iter().rev().fold(UBig::ZERO, |n, b| n * 2u8 + u8::from(*b));
        let signed = IBig::from(unsigned.clone()) - if top(a) { IBig::ONE << w as usize } else { IBig::ZERO };
        assert_eq!(x.to_unsigned(), unsigned);
        assert_eq!(x.to_signed(), signed);
        assert_eq!(x.to_u64(), u64::try_from(&unsigned).ok());
        assert_eq!(x.to_i64(), i64::try_from(&signed).ok());
        let laps = IBig::from(rng.below(9) as i64 - 4) << w as usize;
        assert_eq!(BitVec::from_ibig(w, &(&signed + &laps)).unwrap(), x);
        assert_eq!(BitVec::from_int(w, &Int::from(&signed + &laps)).unwrap(), x);
        assert_eq!(x.ubv_to_int(), Int::from(unsigned.clone()));
        assert_eq!(x.sbv_to_int(), Int::from(signed));
        assert_eq!(BitVec::parse_decimal(&format!("bv{unsigned}"), w).unwrap(), x);
        assert_eq!(x.to_decimal(), format!("(_ bv{unsigned} {w})"));
        if let Some(hex) = x.to_hexadecimal() {
            assert_eq!(BitVec::parse(&hex).unwrap(), x);
            assert_eq!(BitVec::parse(&hex.to_uppercase().replace("#X", "#x")).unwrap(), x);
        }
        assert_eq!(x.is_zero(), unsigned.is_zero());
        assert_eq!(x.top_bit(), top(a));
    });
}
