//! Factors integer polynomials into irreducible ones.
//!
//! Values need this because an algebraic number is represented by its minimal polynomial and the rank of the root.
//! With that, equality is structural, degrees do not grow when a computation returns to an earlier number (`√2·√2`,
//! `(a+b)-b`), and a rational result is recognised. The method is Zassenhaus's: factor modulo one prime (distinct
//! degrees, then Cantor and Zassenhaus's splitting with fixed instead of random trial elements, so that runs are
//! reproducible), lift the factors to a power of the prime beyond every possible coefficient, and try products of
//! them.
//!
//! In: a polynomial. Out: its irreducible factors, or [`TooHard`] if there are too many combinations. A returned
//! factor is always right: each was divided out exactly, and all smaller combinations had been tried.

use super::int::Int;
use super::polynomial::Poly;
use crate::budget::Exhausted;
use dashu_base::ExtendedGcd;
use thiserror::Error;

/// Why an exact computation was given up: its cost is known and above the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TooHard {
    /// The polynomial of the result would have this degree.
    #[error("an algebraic number of degree {0} is beyond what is computed exactly")]
    Degree(usize),
    /// Coefficients would need about this many bits.
    #[error("algebraic numbers with coefficients of {0} bits are beyond what is computed exactly")]
    Bits(u64),
    /// Separating roots takes too long: they are too close together.
    #[error("roots are too close together to be separated")]
    Close,
    /// Too many combinations of modular factors.
    #[error("a polynomial splits into too many modular factors to recombine")]
    Factors,
}

impl From<Exhausted> for TooHard {
    fn from(_: Exhausted) -> TooHard {
        TooHard::Close
    }
}

/// Primes just below 2^31, so that a product of residues fits 64 bits.
const PRIMES: [u64; 6] = [2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549];

/// Maximum number of combinations of modular factors that are tried.
const MAX_COMBINATIONS: usize = 1 << 15;

/// The distinct irreducible factors of positive degree, primitive, with positive leading
/// coefficient, sorted by degree (then in the order they were found).
pub fn factor(p: &Poly) -> Result<Vec<Poly>, TooHard> {
    let mut f = p.square_free();
    let mut found = Vec::new();
    if f.degree() > 0 && f.coefficients()[0].is_zero() {
        found.push(Poly::new(vec![Int::ZERO, Int::ONE]));
        f = Poly::new(f.coefficients()[1..].to_vec());
    }
    match f.degree() {
        0 => {}
        1 => found.push(f),
        2 if no_rational_roots(&f) => found.push(f),
        _ => found.extend(zassenhaus(&f)?),
    }
    found.sort_by_key(Poly::degree);
    Ok(found)
}

fn no_rational_roots(quadratic: &Poly) -> bool {
    let [c, b, a] = quadratic.coefficients() else {
        return false;
    };
    let discriminant = &(b * b) - &(&(a * c) * &Int::from(4));
    discriminant.exact_root(2).is_none()
}

fn zassenhaus(f: &Poly) -> Result<Vec<Poly>, TooHard> {
    let mut best: Option<(Field, Vec<Residues>)> = None;
    for prime in PRIMES {
        let field = Field(prime);
        if !field.keeps(f) {
            continue;
        }
        let Some(factors) = field.split(&field.reduce(f)) else {
            continue;
        };
        if factors.len() == 1 {
            return Ok(vec![f.clone()]);
        }
        if best.as_ref().is_none_or(|(_, b)| factors.len() < b.len()) {
            best = Some((field, factors));
        }
        // A second prime often gives fewer factors; a third rarely helps.
        if prime == PRIMES[2] {
            break;
        }
    }
    let (field, factors) = best.ok_or(TooHard::Factors)?;
    let (lifted, modulus) = lift(f, &field, &factors);
    recombine(f, lifted, &modulus)
}

/// Hensel's lemma, one power of the prime at a time, for all factors at once.
fn lift(f: &Poly, field: &Field, factors: &[Residues]) -> (Vec<Poly>, Int) {
    let sum = f.coefficients().iter().fold(Int::ZERO, |s, c| &s + &c.abs());
    // Mignotte's bound times the leading coefficient, doubled for signs.
    let bits = f.degree() as u64 + sum.bit_len() + f.lead().bit_len() + 2;
    let prime = Int::from(field.0);
    let mut last = prime.clone();
    while last.bit_len() <= bits {
        last = &last * &prime;
    }
    let target = monic(f, &last);
    let cofactors: Vec<Residues> = (0..factors.len()).map(|i| field.cofactor_inverse(factors, i)).collect();
    let mut lifted: Vec<Poly> = factors.iter().map(from_residues).collect();
    let mut modulus = prime.clone();
    while modulus < last {
        let next = &modulus * &prime;
        let product = lifted.iter().fold(Poly::new(vec![Int::ONE]), |p, g| modulo(&p.mul(g), &next));
        let error = modulo(&target.add(&product.neg()), &next);
        let quotients = error.coefficients().iter().map(|c| c.div(&modulus));
        let error = field.reduce(&Poly::new(quotients.flatten().collect()));
        for ((g, base), inverse) in lifted.iter_mut().zip(factors).zip(&cofactors) {
            let step = from_residues(&field.rem(&field.mul(&error, inverse), base));
            *g = g.add(&step.mul(&Poly::new(vec![modulus.clone()])));
        }
        modulus = next;
    }
    (lifted, last)
}

/// `f` divided by its leading coefficient, modulo `m`.
fn monic(f: &Poly, m: &Int) -> Poly {
    let (_, inverse, _) = f.lead().to_ibig().gcd_ext(m.to_ibig());
    modulo(&f.mul(&Poly::new(vec![Int::from(inverse)])), m)
}

fn modulo(p: &Poly, m: &Int) -> Poly {
    Poly::new(p.coefficients().iter().filter_map(|c| c.modulo(m)).collect())
}

/// The representative of smallest absolute value.
fn centred(c: &Int, m: &Int) -> Int {
    match c.modulo(m) {
        Some(r) if &(&r + &r) > m => &r - m,
        Some(r) => r,
        None => unreachable!("the modulus is a power of a prime"),
    }
}

/// Tries products of lifted factors, fewest first; the remainder at the end is irreducible.
fn recombine(f: &Poly, mut lifted: Vec<Poly>, m: &Int) -> Result<Vec<Poly>, TooHard> {
    let mut rest = f.clone();
    let mut found = Vec::new();
    let mut tried = 0;
    let mut size = 1;
    while 2 * size <= lifted.len() {
        let mut chosen: Vec<usize> = (0..size).collect();
        let hit = loop {
            tried += 1;
            if tried > MAX_COMBINATIONS {
                return Err(TooHard::Factors);
            }
            if let Some((g, quotient)) = try_product(&rest, &lifted, &chosen, m) {
                found.push(g);
                rest = quotient;
                break true;
            }
            if !next_combination(&mut chosen, lifted.len()) {
                break false;
            }
        };
        if hit {
            for i in chosen.iter().rev() {
                lifted.remove(*i);
            }
        } else {
            size += 1;
        }
    }
    if rest.degree() > 0 {
        found.push(rest.primitive());
    }
    Ok(found)
}

fn try_product(rest: &Poly, lifted: &[Poly], chosen: &[usize], m: &Int) -> Option<(Poly, Poly)> {
    let lead = rest.lead();
    let constant = chosen.iter().fold(lead.clone(), |c, i| centred(&(&c * &lifted[*i].coefficients()[0]), m));
    // The constant of a true factor divides that of the polynomial; this avoids most trial divisions.
    if !(&lead * &rest.coefficients()[0]).divisible_by(&constant)? {
        return None;
    }
    let product = chosen.iter().fold(Poly::new(vec![lead]), |p, i| modulo(&p.mul(&lifted[*i]), m));
    let centred = product.coefficients().iter().map(|c| centred(c, m));
    let g = Poly::new(centred.collect()).primitive();
    let quotient = rest.divide_exactly(&g)?;
    Some((g, quotient))
}

/// The next subset of the same size in lexicographic order.
fn next_combination(chosen: &mut [usize], n: usize) -> bool {
    let k = chosen.len();
    let Some(i) = (0..k).rev().find(|i| chosen[*i] < n - k + i) else {
        return false;
    };
    chosen[i] += 1;
    for j in i + 1..k {
        chosen[j] = chosen[j - 1] + 1;
    }
    true
}

/// A polynomial over the field with `p` elements, constant first, last coefficient not zero.
type Residues = Vec<u64>;

fn from_residues(r: &Residues) -> Poly {
    Poly::new(r.iter().map(|c| Int::from(*c)).collect())
}

/// Arithmetic modulo a prime below 2^31.
struct Field(u64);

impl Field {
    fn trim(mut a: Residues) -> Residues {
        while a.last() == Some(&0) {
            a.pop();
        }
        a
    }

    fn reduce(&self, p: &Poly) -> Residues {
        let m = Int::from(self.0);
        let residue = |c: &Int| c.modulo(&m).and_then(|r| r.to_u64()).unwrap_or(0);
        Field::trim(p.coefficients().iter().map(residue).collect())
    }

    /// Whether the degree is preserved by reduction and no two factors coincide.
    fn keeps(&self, f: &Poly) -> bool {
        let r = self.reduce(f);
        r.len() == f.degree() + 1 && self.gcd(&r, &self.derivative(&r)).len() == 1
    }

    fn derivative(&self, a: &Residues) -> Residues {
        let terms = a.iter().enumerate().skip(1);
        Field::trim(terms.map(|(i, c)| c * (i as u64) % self.0).collect())
    }

    fn power(&self, mut base: u64, mut exp: u64) -> u64 {
        let mut result = 1;
        while exp > 0 {
            if exp & 1 == 1 {
                result = result * base % self.0;
            }
            base = base * base % self.0;
            exp >>= 1;
        }
        result
    }

    fn monic(&self, a: &Residues) -> Residues {
        let inverse = self.power(a.last().copied().unwrap_or(1), self.0 - 2);
        a.iter().map(|c| c * inverse % self.0).collect()
    }

    fn sub(&self, a: &Residues, b: &Residues) -> Residues {
        let at = |v: &Residues, i: usize| v.get(i).copied().unwrap_or(0);
        let n = a.len().max(b.len());
        let diff = (0..n).map(|i| (at(a, i) + self.0 - at(b, i)) % self.0);
        Field::trim(diff.collect())
    }

    fn mul(&self, a: &Residues, b: &Residues) -> Residues {
        if a.is_empty() || b.is_empty() {
            return Vec::new();
        }
        let mut out = vec![0u64; a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                out[i + j] = (out[i + j] + x * y) % self.0;
            }
        }
        Field::trim(out)
    }

    fn div_rem(&self, a: &Residues, b: &Residues) -> (Residues, Residues) {
        let inverse = self.power(b.last().copied().unwrap_or(1), self.0 - 2);
        let mut r = a.clone();
        let mut q = vec![0; (a.len() + 1).saturating_sub(b.len())];
        while r.len() >= b.len() {
            let shift = r.len() - b.len();
            let factor = r.last().copied().unwrap_or(0) * inverse % self.0;
            for (i, c) in b.iter().enumerate() {
                r[shift + i] = (r[shift + i] + (self.0 - factor) * c) % self.0;
            }
            q[shift] = factor;
            r = Field::trim(r);
        }
        (Field::trim(q), r)
    }

    fn rem(&self, a: &Residues, b: &Residues) -> Residues {
        self.div_rem(a, b).1
    }

    fn gcd(&self, a: &Residues, b: &Residues) -> Residues {
        let (mut a, mut b) = (a.clone(), b.clone());
        while !b.is_empty() {
            let r = self.rem(&a, &b);
            (a, b) = (b, r);
        }
        self.monic(&a)
    }

    /// The inverse of the product of all factors but number `i`, modulo factor `i`.
    fn cofactor_inverse(&self, factors: &[Residues], i: usize) -> Residues {
        let m = &factors[i];
        let others = factors.iter().enumerate().filter(|(j, _)| *j != i);
        let product = others.fold(vec![1], |p, (_, g)| self.rem(&self.mul(&p, g), m));
        // Extended Euclid, keeping the coefficient of `product` only.
        let (mut a, mut b) = (m.clone(), product);
        let (mut s, mut t): (Residues, Residues) = (Vec::new(), vec![1]);
        while !b.is_empty() {
            let (q, r) = self.div_rem(&a, &b);
            let next = self.sub(&s, &self.mul(&q, &t));
            (a, b, s, t) = (b, r, t, next);
        }
        let unit = self.power(a[0], self.0 - 2);
        self.rem(&self.mul(&s, &vec![unit]), m)
    }

    fn power_mod(&self, base: &Residues, mut exp: u64, m: &Residues) -> Residues {
        let mut result = vec![1];
        let mut base = self.rem(base, m);
        while exp > 0 {
            if exp & 1 == 1 {
                result = self.rem(&self.mul(&result, &base), m);
            }
            base = self.rem(&self.mul(&base, &base), m);
            exp >>= 1;
        }
        result
    }

    /// The monic irreducible factors of a square-free polynomial.
    fn split(&self, f: &Residues) -> Option<Vec<Residues>> {
        let x = vec![0, 1];
        let mut rest = self.monic(f);
        let mut frobenius = x.clone();
        let mut found = Vec::new();
        let mut degree = 1;
        while 2 * degree < rest.len() {
            frobenius = self.power_mod(&frobenius, self.0, &rest);
            let g = self.gcd(&rest, &self.sub(&frobenius, &x));
            if g.len() > 1 {
                rest = self.div_rem(&rest, &g).0;
                frobenius = self.rem(&frobenius, &rest);
                found.extend(self.split_equal(g, degree)?);
            }
            degree += 1;
        }
        if rest.len() > 1 {
            found.push(rest);
        }
        Some(found)
    }

    /// Splits a product of irreducibles of one degree; `None` if the fixed trials are not enough.
    fn split_equal(&self, f: Residues, degree: usize) -> Option<Vec<Residues>> {
        let mut done = Vec::new();
        let mut todo = vec![f];
        for trial in 0..400 {
            let mut next = Vec::new();
            for g in todo {
                if g.len() == degree + 1 {
                    done.push(g);
                    continue;
                }
                let h = self.gcd(&g, &self.quadratic_character(&g, degree, trial));
                if h.len() == 1 || h.len() == g.len() {
                    next.push(g);
                } else {
                    next.push(self.div_rem(&g, &h).0);
                    next.push(h);
                }
            }
            if next.is_empty() {
                return Some(done);
            }
            todo = next;
        }
        None
    }

    /// `a^((p^d - 1)/2) - 1` modulo `g`, for `a = x + trial`: zero modulo about half the factors.
    fn quadratic_character(&self, g: &Residues, degree: usize, trial: u64) -> Residues {
        let a = vec![trial, 1];
        let mut norm = self.rem(&a, g);
        let mut conjugate = norm.clone();
        for _ in 1..degree {
            conjugate = self.power_mod(&conjugate, self.0, g);
            norm = self.rem(&self.mul(&norm, &conjugate), g);
        }
        let power = self.power_mod(&norm, (self.0 - 1) / 2, g);
        self.sub(&power, &vec![1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_primes_holds_primes() {
        for p in PRIMES {
            assert!(p < 1 << 31);
            assert!((2..=46341).all(|d| p % d != 0), "{p}");
        }
    }

    fn poly(c: &[i64]) -> Poly {
        Poly::new(c.iter().map(|c| Int::from(*c)).collect())
    }

    #[test]
    fn products_are_split_into_their_factors() {
        let parts = [
            poly(&[-2, 0, 1]),
            poly(&[1, -10, 0, 3]),
            poly(&[1, 0, -10, 0, 1]),
            poly(&[7, 1]),
            poly(&[-5, 6]),
            poly(&[1, 1, 1, 1, 1]),
            poly(&[-3, 0, 0, 0, 0, 2]),
            poly(&[0, 1]),
        ];
        for mask in 1u32..256 {
            let chosen: Vec<&Poly> = (0..8).filter(|i| mask >> i & 1 == 1).map(|i| &parts[i]).collect();
            let product = chosen.iter().fold(poly(&[if mask % 3 == 0 { -6 } else { 1 }]), |p, q| p.mul(q));
            let mut found = factor(&product).unwrap();
            assert_eq!(found.len(), chosen.len(), "{product:?}");
            for part in chosen {
                let at = found.iter().position(|f| f == part);
                found.swap_remove(at.unwrap_or_else(|| panic!("{part:?} in {found:?}")));
            }
        }
    }

    #[test]
    fn repeated_factors_are_returned_once() {
        let p = poly(&[-2, 0, 1]).mul(&poly(&[-2, 0, 1])).mul(&poly(&[1, 3]));
        assert_eq!(factor(&p).unwrap(), [poly(&[1, 3]), poly(&[-2, 0, 1])]);
        assert_eq!(factor(&poly(&[12])).unwrap(), []);
    }

    #[test]
    fn irreducible_polynomials_that_split_modulo_every_prime_are_not_split() {
        // The minimal polynomial of √2+√3+√5: quadratics modulo every prime.
        let p = poly(&[576, 0, -960, 0, 352, 0, -40, 0, 1]);
        assert_eq!(factor(&p).unwrap(), [p]);
    }
}
