//! Every operator on every pair of bit-vectors of widths 1 to 4, against its definition over integers.
//!
//! The definitions below use numbers (floor, truncation, powers of two), never bits, so that they share nothing with
//! the implementation.

#![allow(clippy::unwrap_used)]

use semantics::value::bitvec::BitVec;

struct Pair {
    w: u32,
    a: i128,
    b: i128,
}

impl Pair {
    fn size(&self) -> i128 {
        1 << self.w
    }
    fn signed(&self, n: i128) -> i128 {
        if n >= self.size() / 2 { n - self.size() } else { n }
    }
    fn fits(&self, n: i128) -> bool {
        -self.size() / 2 <= n && n < self.size() / 2
    }
    fn bitwise(&self, table: [i128; 4]) -> i128 {
        (0..self.w)
            .map(|i| {
                let (x, y) = ((self.a >> i) % 2, (self.b >> i) % 2);
                table[(2 * x + y) as usize] << i
            })
            .sum()
    }
}

fn bv(width: u32, value: i128) -> BitVec {
    let modulus = 1i128 << width;
    BitVec::from_u64(width, value.rem_euclid(modulus) as u64).unwrap()
}

fn for_all_pairs(check: impl Fn(Pair, BitVec, BitVec)) {
    for w in 1..=4u32 {
        for a in 0..1i128 << w {
            for b in 0..1i128 << w {
                check(Pair { w, a, b }, bv(w, a), bv(w, b));
            }
        }
    }
}

#[track_caller]
fn same(what: &str, p: &Pair, got: BitVec, want: i128) {
    assert_eq!(got, bv(p.w, want), "{what} width {} on {} and {}", p.w, p.a, p.b);
}

#[test]
fn bitwise_operators_follow_their_truth_tables() {
    for_all_pairs(|p, a, b| {
        same("and", &p, a.and(&b), p.bitwise([0, 0, 0, 1]));
        same("or", &p, a.or(&b), p.bitwise([0, 1, 1, 1]));
        same("xor", &p, a.xor(&b), p.bitwise([0, 1, 1, 0]));
        same("nand", &p, a.nand(&b), p.bitwise([1, 1, 1, 0]));
        same("nor", &p, a.nor(&b), p.bitwise([1, 0, 0, 0]));
        same("xnor", &p, a.xnor(&b), p.bitwise([1, 0, 0, 1]));
        same("not", &p, a.not(), p.bitwise([1, 1, 0, 0]));
    });
}

#[test]
fn arithmetic_is_integer_arithmetic_modulo_a_power_of_two() {
    for_all_pairs(|p, a, b| {
        same("add", &p, a.add(&b), p.a + p.b);
        same("sub", &p, a.sub(&b), p.a - p.b);
        same("mul", &p, a.mul(&b), p.a * p.b);
        same("neg", &p, a.neg(), -p.a);
        same("inc", &p, a.inc(), p.a + 1);
        same("dec", &p, a.dec(), p.a - 1);
    });
}

#[test]
fn division_truncates_and_is_total_at_zero() {
    for_all_pairs(|p, a, b| {
        let (s, t) = (p.signed(p.a), p.signed(p.b));
        let zero = p.b == 0;
        same("udiv", &p, a.udiv(&b), if zero { -1 } else { p.a / p.b });
        same("urem", &p, a.urem(&b), if zero { p.a } else { p.a % p.b });
        let both = a.udiv_urem(&b);
        assert_eq!(both, (a.udiv(&b), a.urem(&b)));
        let by_zero = if s < 0 { 1 } else { -1 };
        same("sdiv", &p, a.sdiv(&b), if zero { by_zero } else { s / t });
        same("srem", &p, a.srem(&b), if zero { s } else { s % t });
        let floor_mod = if zero { s } else { s - t * (s as f64 / t as f64).floor() as i128 };
        same("smod", &p, a.smod(&b), floor_mod);
    });
}

#[test]
fn shifts_and_rotations_move_places() {
    for_all_pairs(|p, a, b| {
        let power = 1i128 << p.b;
        same("shl", &p, a.shl(&b), p.a * power);
        same("lshr", &p, a.lshr(&b), p.a / power);
        same("ashr", &p, a.ashr(&b), p.signed(p.a).div_euclid(power));
        // Rotating is multiplying by a power of two modulo 2^w - 1, all ones being a fixed point.
        let (ring, turns) = (p.size() - 1, p.b % p.w as i128);
        let left = if p.a == ring { ring } else { p.a * (1 << turns) % ring };
        let right = if p.a == ring { ring } else { p.a * (1 << (p.w as i128 - turns)) % ring };
        same("ext_rotate_left", &p, a.ext_rotate_left(&b), left);
        same("ext_rotate_right", &p, a.ext_rotate_right(&b), right);
        same("rotate_left", &p, a.rotate_left(p.b as u64), left);
        same("rotate_right", &p, a.rotate_right(p.b as u64), right);
    });
}

#[test]
fn comparisons_order_numbers() {
    for_all_pairs(|p, a, b| {
        let (s, t) = (p.signed(p.a), p.signed(p.b));
        assert_eq!((a.ult(&b), a.ule(&b)), (p.a < p.b, p.a <= p.b));
        assert_eq!((a.ugt(&b), a.uge(&b)), (p.a > p.b, p.a >= p.b));
        assert_eq!((a.slt(&b), a.sle(&b)), (s < t, s <= t), "{s} {t} at {}", p.w);
        assert_eq!((a.sgt(&b), a.sge(&b)), (s > t, s >= t));
        assert_eq!(a.comp(&b), bv(1, (p.a == p.b) as i128));
        assert_eq!((a.ultbv(&b), a.sltbv(&b)), (bv(1, (p.a < p.b) as i128), bv(1, (s < t) as i128)));
        assert_eq!(a.cmp(&b), p.a.cmp(&p.b));
    });
}

#[test]
fn overflow_means_the_exact_result_does_not_fit() {
    for_all_pairs(|p, a, b| {
        let (s, t) = (p.signed(p.a), p.signed(p.b));
        let context = format!("width {} on {} and {}", p.w, p.a, p.b);
        assert_eq!(a.nego(), !p.fits(-s), "nego {context}");
        assert_eq!(a.uaddo(&b), p.a + p.b >= p.size(), "uaddo {context}");
        assert_eq!(a.saddo(&b), !p.fits(s + t), "saddo {context}");
        assert_eq!(a.umulo(&b), p.a * p.b >= p.size(), "umulo {context}");
        assert_eq!(a.smulo(&b), !p.fits(s * t), "smulo {context}");
        assert_eq!(a.usubo(&b), p.a - p.b < 0, "usubo {context}");
        assert_eq!(a.ssubo(&b), !p.fits(s - t), "ssubo {context}");
        assert_eq!(a.sdivo(&b), t != 0 && !p.fits(s / t), "sdivo {context}");
        assert_eq!(a.umul_noovfl(&b), p.a * p.b < p.size(), "umul_noovfl {context}");
        assert_eq!(a.smul_noovfl(&b), s * t < p.size() / 2, "smul_noovfl {context}");
        assert_eq!(a.smul_noudfl(&b), s * t >= -p.size() / 2, "smul_noudfl {context}");
    });
}

#[test]
fn extraction_and_concatenation_preserve_the_digits() {
    for_all_pairs(|p, a, b| {
        let joined = a.concat(&b).unwrap();
        assert_eq!(joined, bv(2 * p.w, p.a * p.size() + p.b));
        for high in 0..2 * p.w {
            for low in 0..=high {
                let want = ((p.a * p.size() + p.b) >> low) % (1 << (high - low + 1));
                assert_eq!(joined.extract(high, low).unwrap(), bv(high - low + 1, want));
            }
        }
        assert_eq!(joined.extract(2 * p.w, 0), None);
        assert_eq!(a.zero_extend(3).unwrap(), bv(p.w + 3, p.a));
        assert_eq!(a.sign_extend(3).unwrap(), bv(p.w + 3, p.signed(p.a)));
        assert_eq!(a.repeat(3).unwrap(), bv(3 * p.w, p.a * (1 + p.size() + p.size() * p.size())));
        assert_eq!(a.repeat(0), None);
    });
}

#[test]
fn reductions_and_single_bits_count_the_ones() {
    for_all_pairs(|p, a, b| {
        assert_eq!(a.redor(), bv(1, (p.a != 0) as i128));
        assert_eq!(a.redand(), bv(1, (p.a == p.size() - 1) as i128));
        assert_eq!(a.redxor(), bv(1, (p.a.count_ones() % 2) as i128));
        for i in 0..6 {
            assert_eq!(a.bit(i), (p.a >> i) % 2 == 1);
        }
        assert_eq!(*BitVec::from_bool(true).ite(&a, &b), a);
        assert_eq!(*BitVec::from_bool(false).ite(&a, &b), b);
        assert_eq!(a.to_i64(), Some(p.signed(p.a) as i64));
        assert_eq!(a.is_min_signed(), p.signed(p.a) == -p.size() / 2);
    });
}

#[test]
fn zero_width_and_absurd_width_do_not_exist() {
    assert_eq!(BitVec::zero(0), None);
    assert_eq!(BitVec::from_ubig(BitVec::MAX_WIDTH + 1, 1u8.into()), None);
    assert_eq!(BitVec::parse("#b"), None);
    let widest = BitVec::ones(BitVec::MAX_WIDTH).unwrap();
    assert_eq!(widest.concat(&BitVec::from_bool(true)), None);
    assert_eq!(widest.repeat(u32::MAX), None);
    assert_eq!(widest.sign_extend(1), None);
}

#[test]
fn constants_are_what_their_names_say() {
    for w in [1, 2, 7, 63, 64, 65, 128, 200] {
        let (least, greatest) = (BitVec::min_signed(w).unwrap(), BitVec::max_signed(w).unwrap());
        assert!(least.is_min_signed() && !greatest.is_min_signed());
        assert_eq!(greatest.inc(), least);
        assert!(BitVec::ones(w).unwrap().is_ones());
        assert!(BitVec::ones(w).unwrap().inc().is_zero());
    }
}

#[test]
fn literals_are_read_and_written_in_three_spellings() {
    assert_eq!(BitVec::parse("#b0101"), Some(bv(4, 5)));
    assert_eq!(BitVec::parse("#x1F"), Some(bv(8, 31)));
    assert_eq!(BitVec::parse_decimal("bv13", 4), Some(bv(4, 13)));
    assert_eq!(BitVec::parse_decimal("bv16", 4), Some(bv(4, 0)));
    for bad in ["#b012", "#x", "#xg", "b01", "#", "", "#b+1", "#x-1", "#b1_0", "#bé"] {
        assert_eq!(BitVec::parse(bad), None, "{bad}");
    }
    for bad in ["bv", "bv-1", "bv1x", "13", "bv+1", "bv1_0"] {
        assert_eq!(BitVec::parse_decimal(bad, 8), None, "{bad}");
    }
    let five = bv(8, 5);
    assert_eq!(five.to_string(), "#b00000101");
    assert_eq!(five.to_hexadecimal().unwrap(), "#x05");
    assert_eq!(five.to_decimal(), "(_ bv5 8)");
    assert_eq!(bv(7, 5).to_hexadecimal(), None);
}

#[test]
#[should_panic(expected = "not a well-sorted term")]
fn unequal_widths_are_never_combined() {
    let _ = bv(3, 1).add(&bv(4, 1));
}
