//! Every operation on every value of tiny formats, against the definition of correct rounding.
//!
//! The definition here is by enumeration: list all numbers of the format as exact fractions, find the two neighbours
//! of the exact result, and select the one that the rounding mode requires. It shares no code with the implementation,
//! which never enumerates and never divides fractions.

#![allow(clippy::unwrap_used)]

use std::cmp::Ordering;

use semantics::value::bitvec::BitVec;
use semantics::value::float::{Float, Format, MinMax, RoundingMode};
use semantics::value::int::Int;
use semantics::value::rational::Rat;

use RoundingMode::{NearestAway, NearestEven, TowardNegative, TowardPositive, TowardZero};

const FORMATS: [(u32, u32); 6] = [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (3, 4)];

/// A fraction with a positive denominator, not reduced.
#[derive(Clone, Copy, Debug)]
struct Frac {
    n: i128,
    d: i128,
}

impl Frac {
    fn new(n: i128, d: i128) -> Frac {
        if d < 0 { Frac { n: -n, d: -d } } else { Frac { n, d } }
    }
    fn cmp(self, o: Frac) -> Ordering {
        (self.n * o.d).cmp(&(o.n * self.d))
    }
    fn add(self, o: Frac) -> Frac {
        Frac::new(self.n * o.d + o.n * self.d, self.d * o.d)
    }
    fn mul(self, o: Frac) -> Frac {
        Frac::new(self.n * o.n, self.d * o.d)
    }
    fn abs(self) -> Frac {
        Frac::new(self.n.abs(), self.d)
    }
    fn neg(self) -> Frac {
        Frac::new(-self.n, self.d)
    }
    fn floor(self) -> i128 {
        self.n.div_euclid(self.d)
    }
    /// The integer that the mode selects, by comparing with both neighbours.
    fn to_integer(self, mode: RoundingMode) -> i128 {
        let low = self.floor();
        if self.n == low * self.d {
            return low;
        }
        let middle = self.cmp(Frac::new(2 * low + 1, 2));
        let even = if low % 2 == 0 { low } else { low + 1 };
        let away = if self.n < 0 { low } else { low + 1 };
        match (mode, middle) {
            (TowardNegative, _) => low,
            (TowardPositive, _) => low + 1,
            (TowardZero, _) => low + low + 1 - away,
            (_, Ordering::Less) => low,
            (_, Ordering::Greater) => low + 1,
            (NearestEven, _) => even,
            (NearestAway, _) => away,
        }
    }
}

fn power(e: i128) -> Frac {
    if e >= 0 { Frac::new(1 << e, 1) } else { Frac::new(1, 1 << -e) }
}

#[derive(Clone, Copy, Debug)]
enum Value {
    NaN,
    Inf(bool),
    /// With the sign, for the zeros.
    Num(bool, Frac),
}

/// All values of a format by their bit patterns.
struct Table {
    format: Format,
    eb: u32,
    sb: u32,
    /// Magnitudes by bit pattern, then the power of two after the greatest, in place of infinity.
    magnitudes: Vec<Frac>,
}

impl Table {
    fn new((eb, sb): (u32, u32)) -> Table {
        let format = Format::new(eb, sb).unwrap();
        let (bias, fraction) = ((1i128 << (eb - 1)) - 1, 1i128 << (sb - 1));
        let infinity = ((1i128 << eb) - 1) * fraction;
        let magnitudes: Vec<Frac> = (0..=infinity)
            .map(|pattern| match (pattern / fraction, pattern % fraction) {
                (0, m) => Frac::new(m, fraction).mul(power(1 - bias)),
                (e, m) => Frac::new(m + fraction, fraction).mul(power(e - bias)),
            })
            .collect();
        assert!(magnitudes.windows(2).all(|w| w[0].cmp(w[1]).is_lt()), "patterns grow with magnitude");
        Table { format, eb, sb, magnitudes }
    }

    fn infinity(&self) -> usize {
        self.magnitudes.len() - 1
    }

    fn patterns(&self) -> std::ops::Range<u64> {
        0..1 << (self.eb + self.sb)
    }

    fn sign_bit(&self) -> u64 {
        1 << (self.eb + self.sb - 1)
    }

    fn value(&self, pattern: u64) -> Value {
        let (negative, rest) = (pattern & self.sign_bit() != 0, (pattern & !self.sign_bit()) as usize);
        match rest.cmp(&self.infinity()) {
            Ordering::Greater => Value::NaN,
            Ordering::Equal => Value::Inf(negative),
            Ordering::Less => {
                let m = self.magnitudes[rest];
                Value::Num(negative, if negative { m.neg() } else { m })
            }
        }
    }

    fn float(&self, pattern: u64) -> Float {
        Float::from_bits(self.format, &BitVec::from_u64(self.format.width(), pattern).unwrap()).unwrap()
    }

    fn signed(&self, negative: bool, pattern: usize) -> Option<u64> {
        Some(pattern as u64 | if negative { self.sign_bit() } else { 0 })
    }

    fn zero(&self, negative: bool) -> Option<u64> {
        self.signed(negative, 0)
    }

    fn inf(&self, negative: bool) -> Option<u64> {
        self.signed(negative, self.infinity())
    }

    /// The pattern of the correctly rounded result, given how its magnitude compares with any fraction.
    fn round_by(&self, mode: RoundingMode, negative: bool, cmp: impl Fn(Frac) -> Ordering) -> Option<u64> {
        let not_above = self.magnitudes.partition_point(|m| cmp(*m).is_ge());
        let low = not_above - 1;
        let up = match (mode, negative) {
            (TowardPositive, false) | (TowardNegative, true) => true,
            (TowardPositive, true) | (TowardNegative, false) | (TowardZero, _) => false,
            (NearestEven | NearestAway, _) if low == self.infinity() => true,
            (NearestEven | NearestAway, _) => {
                let sum = self.magnitudes[low].add(self.magnitudes[low + 1]);
                match cmp(Frac::new(sum.n, 2 * sum.d)) {
                    Ordering::Less => false,
                    Ordering::Greater => true,
                    Ordering::Equal => mode == NearestAway || low % 2 == 1,
                }
            }
        };
        if low == self.infinity() {
            return self.signed(negative, if up { low } else { low - 1 });
        }
        let exact = cmp(self.magnitudes[low]).is_eq();
        self.signed(negative, if up && !exact { low + 1 } else { low })
    }

    /// A nonzero fraction, or a zero of the given sign.
    fn round(&self, mode: RoundingMode, value: Frac, zero_sign: bool) -> Option<u64> {
        if value.n == 0 {
            return self.zero(zero_sign);
        }
        self.round_by(mode, value.n < 0, |m| value.abs().cmp(m))
    }

    #[track_caller]
    fn same(&self, what: &str, mode: RoundingMode, args: &[u64], got: &Float, want: Option<u64>) {
        let bits = got.to_ieee_bv().map(|b| b.to_u64().unwrap());
        assert_eq!(got.is_nan(), bits.is_none());
        assert_eq!(got.format(), self.format);
        assert_eq!(bits, want, "{what} {mode} of {args:?} at ({}, {}): {got}", self.eb, self.sb);
    }
}

/// The expected sum; NaN is `None`.
fn add(t: &Table, mode: RoundingMode, a: Value, b: Value) -> Option<u64> {
    match (a, b) {
        (Value::NaN, _) | (_, Value::NaN) => None,
        (Value::Inf(s), Value::Inf(u)) if s != u => None,
        (Value::Inf(s), _) | (_, Value::Inf(s)) => t.inf(s),
        (Value::Num(s, x), Value::Num(u, y)) => {
            let both_zero_alike = x.n == 0 && y.n == 0 && s == u;
            t.round(mode, x.add(y), if both_zero_alike { s } else { mode == TowardNegative })
        }
    }
}

fn negated(v: Value) -> Value {
    match v {
        Value::NaN => Value::NaN,
        Value::Inf(s) => Value::Inf(!s),
        Value::Num(s, x) => Value::Num(!s, x.neg()),
    }
}

fn mul(t: &Table, mode: RoundingMode, a: Value, b: Value) -> Option<u64> {
    match (a, b) {
        (Value::NaN, _) | (_, Value::NaN) => None,
        (Value::Inf(s), Value::Inf(u)) => t.inf(s != u),
        (Value::Inf(s), Value::Num(u, x)) | (Value::Num(u, x), Value::Inf(s)) => {
            if x.n == 0 {
                None
            } else {
                t.inf(s != u)
            }
        }
        (Value::Num(s, x), Value::Num(u, y)) => t.round(mode, x.mul(y), s != u),
    }
}

fn div(t: &Table, mode: RoundingMode, a: Value, b: Value) -> Option<u64> {
    match (a, b) {
        (Value::NaN, _) | (_, Value::NaN) | (Value::Inf(_), Value::Inf(_)) => None,
        (Value::Inf(s), Value::Num(u, _)) => t.inf(s != u),
        (Value::Num(s, _), Value::Inf(u)) => t.zero(s != u),
        (Value::Num(_, x), Value::Num(_, y)) if x.n == 0 && y.n == 0 => None,
        (Value::Num(s, _), Value::Num(u, y)) if y.n == 0 => t.inf(s != u),
        (Value::Num(s, x), Value::Num(u, y)) => t.round(mode, x.mul(Frac::new(y.d, y.n)), s != u),
    }
}

fn rem(t: &Table, a: Value, b: Value) -> Option<u64> {
    match (a, b) {
        (Value::NaN, _) | (_, Value::NaN) | (Value::Inf(_), _) => None,
        (Value::Num(s, x), Value::Inf(_)) => t.round(TowardZero, x, s),
        (Value::Num(_, _), Value::Num(_, y)) if y.n == 0 => None,
        (Value::Num(s, x), Value::Num(_, y)) => {
            let n = x.mul(Frac::new(y.d, y.n)).to_integer(NearestEven);
            let exact = x.add(y.mul(Frac::new(-n, 1)));
            let (down, up) = (t.round(TowardNegative, exact, s), t.round(TowardPositive, exact, s));
            assert_eq!(down, up, "the remainder is representable");
            down
        }
    }
}

fn fma(t: &Table, mode: RoundingMode, a: Value, b: Value, c: Value) -> Option<u64> {
    let product = match (a, b) {
        (Value::NaN, _) | (_, Value::NaN) => Value::NaN,
        (Value::Inf(s), Value::Inf(u)) => Value::Inf(s != u),
        (Value::Inf(s), Value::Num(u, x)) | (Value::Num(u, x), Value::Inf(s)) => {
            if x.n == 0 {
                Value::NaN
            } else {
                Value::Inf(s != u)
            }
        }
        (Value::Num(s, x), Value::Num(u, y)) => Value::Num(s != u, x.mul(y)),
    };
    add(t, mode, product, c)
}

fn sqrt(t: &Table, mode: RoundingMode, a: Value) -> Option<u64> {
    match a {
        Value::NaN | Value::Inf(true) => None,
        Value::Inf(false) => t.inf(false),
        Value::Num(s, x) if x.n == 0 => t.zero(s),
        Value::Num(true, _) => None,
        Value::Num(false, x) => t.round_by(mode, false, |m| x.cmp(m.mul(m))),
    }
}

fn integral(t: &Table, mode: RoundingMode, a: Value) -> Option<u64> {
    match a {
        Value::NaN => None,
        Value::Inf(s) => t.inf(s),
        Value::Num(s, x) => t.round(mode, Frac::new(x.to_integer(mode), 1), s),
    }
}

fn for_all_pairs(mut check: impl FnMut(&Table, u64, u64)) {
    for table in FORMATS.map(Table::new) {
        for a in table.patterns() {
            for b in table.patterns() {
                check(&table, a, b);
            }
        }
    }
}

#[test]
fn sums_and_differences_are_correctly_rounded() {
    for_all_pairs(|t, a, b| {
        let (x, y, u, v) = (t.float(a), t.float(b), t.value(a), t.value(b));
        for mode in RoundingMode::ALL {
            t.same("add", mode, &[a, b], &x.add(mode, &y), add(t, mode, u, v));
            t.same("sub", mode, &[a, b], &x.sub(mode, &y), add(t, mode, u, negated(v)));
        }
    });
}

#[test]
fn products_and_quotients_are_correctly_rounded() {
    for_all_pairs(|t, a, b| {
        let (x, y, u, v) = (t.float(a), t.float(b), t.value(a), t.value(b));
        for mode in RoundingMode::ALL {
            t.same("mul", mode, &[a, b], &x.mul(mode, &y), mul(t, mode, u, v));
            t.same("div", mode, &[a, b], &x.div(mode, &y), div(t, mode, u, v));
        }
    });
}

#[test]
fn remainders_are_exact_and_zero_keeps_the_sign_of_the_dividend() {
    for_all_pairs(|t, a, b| {
        let want = rem(t, t.value(a), t.value(b));
        t.same("rem", NearestEven, &[a, b], &t.float(a).rem(&t.float(b)), want);
    });
}

#[test]
fn fused_multiply_add_rounds_once() {
    for ((eb, sb), stride) in [((2, 2), 1), ((2, 3), 1), ((3, 2), 1), ((3, 3), 3), ((3, 4), 101)] {
        let t = Table::new((eb, sb));
        let size = t.patterns().end;
        for triple in (0..size * size * size).step_by(stride) {
            let args = [triple / size / size, triple / size % size, triple % size];
            let [x, y, z] = args.map(|p| t.float(p));
            let [u, v, w] = args.map(|p| t.value(p));
            for mode in RoundingMode::ALL {
                t.same("fma", mode, &args, &x.fma(mode, &y, &z), fma(&t, mode, u, v, w));
            }
        }
    }
}

#[test]
fn roots_and_integral_parts_are_correctly_rounded() {
    for t in FORMATS.into_iter().chain([(2, 6), (3, 7), (4, 4), (4, 6)]).map(Table::new) {
        for a in t.patterns() {
            let (x, u) = (t.float(a), t.value(a));
            for mode in RoundingMode::ALL {
                t.same("sqrt", mode, &[a], &x.sqrt(mode), sqrt(&t, mode, u));
                t.same("roundToIntegral", mode, &[a], &x.round_to_integral(mode), integral(&t, mode, u));
            }
        }
    }
}

#[test]
fn comparisons_order_the_reals_and_leave_nan_out() {
    for_all_pairs(|t, a, b| {
        let (x, y) = (t.float(a), t.float(b));
        let order = match (t.value(a), t.value(b)) {
            (Value::NaN, _) | (_, Value::NaN) => None,
            (Value::Inf(s), Value::Inf(u)) => Some(u.cmp(&s)),
            (Value::Inf(s), _) => Some(if s { Ordering::Less } else { Ordering::Greater }),
            (_, Value::Inf(s)) => Some(if s { Ordering::Greater } else { Ordering::Less }),
            (Value::Num(_, u), Value::Num(_, v)) => Some(u.cmp(v)),
        };
        assert_eq!(x.compare(&y), order, "{x} {y}");
        assert_eq!(x.fp_eq(&y), order == Some(Ordering::Equal));
        assert_eq!(x.fp_lt(&y), order == Some(Ordering::Less));
        assert_eq!(x.fp_gt(&y), order == Some(Ordering::Greater));
        assert_eq!(x.fp_leq(&y), x.fp_lt(&y) || x.fp_eq(&y));
        assert_eq!(x.fp_geq(&y), x.fp_gt(&y) || x.fp_eq(&y));
        let one_nan = |p| matches!(t.value(p), Value::NaN);
        assert_eq!(x == y, a == b || (one_nan(a) && one_nan(b)), "= is structural: {x} {y}");
    });
}

#[test]
fn min_and_max_leave_only_the_opposite_zeros_open() {
    for_all_pairs(|t, a, b| {
        let (x, y) = (t.float(a), t.float(b));
        let open = (a ^ b) == t.sign_bit() && (a | b) == t.sign_bit();
        let (least, most) = match (t.value(a), t.value(b)) {
            (Value::NaN, _) => (y.clone(), y.clone()),
            (_, Value::NaN) => (x.clone(), x.clone()),
            _ if x.fp_lt(&y) => (x.clone(), y.clone()),
            _ => (y.clone(), x.clone()),
        };
        assert_eq!(x.fp_min(&y), if open { MinMax::EitherZero } else { MinMax::Is(least) });
        assert_eq!(x.fp_max(&y), if open { MinMax::EitherZero } else { MinMax::Is(most) });
    });
}

#[test]
fn classes_fields_and_text_follow_the_bit_pattern() {
    for t in FORMATS.map(Table::new) {
        for a in t.patterns() {
            let x = t.float(a);
            let (magnitude, first_normal) = ((a & !t.sign_bit()) as usize, 1usize << (t.sb - 1));
            let nan = magnitude > t.infinity();
            assert_eq!(x.is_nan(), nan);
            assert_eq!(x.is_infinite(), magnitude == t.infinity());
            assert_eq!(x.is_zero(), magnitude == 0);
            assert_eq!(x.is_subnormal(), magnitude > 0 && magnitude < first_normal);
            assert_eq!(x.is_normal(), magnitude >= first_normal && magnitude < t.infinity());
            assert_eq!(x.is_negative(), !nan && a & t.sign_bit() != 0);
            assert_eq!(x.is_positive(), !nan && a & t.sign_bit() == 0);
            t.same("identity", NearestEven, &[a], &x, (!nan).then_some(a));
            t.same("abs", NearestEven, &[a], &x.abs(), (!nan).then_some(a & !t.sign_bit()));
            t.same("neg", NearestEven, &[a], &x.neg(), (!nan).then_some(a ^ t.sign_bit()));
            let bits = BitVec::from_u64(t.eb + t.sb, a).unwrap();
            let exponent = bits.extract(t.eb + t.sb - 2, t.sb - 1).unwrap();
            let (sign, fraction) = (BitVec::from_bool(bits.top_bit()), bits.extract(t.sb - 2, 0).unwrap());
            assert_eq!(Float::from_fields(&sign, &exponent, &fraction), Some(x.clone()));
            if x.is_normal() || x.is_subnormal() {
                assert_eq!(x.to_string(), format!("(fp {sign} {exponent} {fraction})"));
            }
        }
    }
    let f = Format::SINGLE;
    let text = [f.nan(), f.infinity(true), f.zero(false)].map(|x| x.to_string());
    assert_eq!(text, ["(_ NaN 8 24)", "(_ -oo 8 24)", "(_ +zero 8 24)"]);
}

#[test]
fn conversions_to_integers_round_first_and_check_the_range_afterwards() {
    for t in FORMATS.map(Table::new) {
        for a in t.patterns() {
            for (mode, width) in RoundingMode::ALL.into_iter().flat_map(|m| (1..=6u32).map(move |w| (m, w))) {
                let integer = match t.value(a) {
                    Value::Num(_, x) => Some(x.to_integer(mode)),
                    _ => None,
                };
                let size = 1i128 << width;
                let bits = |n: i128| BitVec::from_u64(width, n.rem_euclid(size) as u64).unwrap();
                let unsigned = integer.filter(|n| (0..size).contains(n)).map(bits);
                let signed = integer.filter(|n| (-size / 2..size / 2).contains(n)).map(bits);
                let x = t.float(a);
                assert_eq!(x.to_ubv(mode, width), unsigned, "to_ubv {mode} {width} {x}");
                assert_eq!(x.to_sbv(mode, width), signed, "to_sbv {mode} {width} {x}");
            }
        }
    }
}

#[test]
fn conversions_from_integers_are_correctly_rounded() {
    for t in FORMATS.map(Table::new) {
        for width in 1..=7u32 {
            for n in 0..1i128 << width {
                let bits = BitVec::from_u64(width, n as u64).unwrap();
                let signed = if n >= 1 << (width - 1) { n - (1 << width) } else { n };
                for mode in RoundingMode::ALL {
                    let (u, s) = (Frac::new(n, 1), Frac::new(signed, 1));
                    let args = [n as u64];
                    t.same(
                        "unsigned",
                        mode,
                        &args,
                        &t.format.from_unsigned(mode, &bits),
                        t.round(mode, u, false),
                    );
                    let want = t.round(mode, s, false);
                    t.same("signed", mode, &args, &t.format.from_signed(mode, &bits), want);
                    let int = Int::from(signed as i64);
                    t.same("int", mode, &args, &t.format.from_int(mode, &int), want);
                }
            }
        }
    }
}

#[test]
fn conversions_from_reals_are_correctly_rounded_and_conversions_to_reals_are_exact() {
    for t in FORMATS.map(Table::new) {
        for (n, d) in (-70..=70i64).flat_map(|n| (1..=36i64).map(move |d| (n, d))) {
            for mode in RoundingMode::ALL {
                let want = t.round(mode, Frac::new(n as i128, d as i128), false);
                let got = t.format.from_real(mode, &Rat::ratio(n, d));
                t.same("real", mode, &[n as u64, d as u64], &got, want);
                let scaled = t.format.from_scaled_real(mode, &Rat::ratio(n, d * 4), 2);
                t.same("scaled real", mode, &[n as u64, d as u64], &scaled, want);
            }
        }
        for a in t.patterns() {
            let want = match t.value(a) {
                Value::Num(_, x) => Some(Rat::ratio(x.n as i64, x.d as i64)),
                _ => None,
            };
            assert_eq!(t.float(a).to_real().ok(), want);
        }
    }
}

#[test]
fn conversions_between_formats_are_correctly_rounded() {
    let tables: Vec<Table> = FORMATS.into_iter().chain([(4, 3), (2, 7), (5, 2)]).map(Table::new).collect();
    for (from, to) in tables.iter().flat_map(|f| tables.iter().map(move |t| (f, t))) {
        for a in from.patterns() {
            for mode in RoundingMode::ALL {
                let want = match from.value(a) {
                    Value::NaN => None,
                    Value::Inf(s) => to.inf(s),
                    Value::Num(s, x) => to.round(mode, x, s),
                };
                to.same("to_fp", mode, &[a], &from.float(a).to_format(mode, to.format), want);
            }
        }
    }
}

#[test]
fn formats_have_bounds_and_modes_have_two_names() {
    assert_eq!(Format::new(1, 5), None);
    assert_eq!(Format::new(5, 1), None);
    assert_eq!(Format::new(Format::MAX_EB + 1, 5), None);
    assert_eq!(Format::new(5, 11), Some(Format::HALF));
    for mode in RoundingMode::ALL {
        assert_eq!(RoundingMode::parse(&mode.to_string()), Some(mode));
        assert_eq!(RoundingMode::parse(mode.long()), Some(mode));
    }
    assert_eq!(RoundingMode::parse("RNZ"), None);
}
