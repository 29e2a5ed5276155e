//! Counts derivations by size, exactly.
//!
//! In: the [`TreePlan`] of a grammar and a size. Out: one row of exact integers per rule and per
//! product of rules, the numbers that FEAT's random access divides by.
//!
//! The recurrence is one loop ([`fill`]) over any number system. Convolving big integers directly
//! costs (number of sizes)² products of thousands of bits; for formula number 10^1700 that is
//! seconds to minutes. Instead the loop runs first in floating point with a wide exponent ([`Scaled`]), which
//! estimates how large every number will be. Then it runs once per 56-bit prime in machine words ([`Residues`]), where
//! a whole convolution accumulates in 128 bits with a single reduction at its end. The exact numbers are rebuilt by
//! mixed-radix Chinese remaindering, each with only as many primes as its size requires. Cost: sizes² × rows × (bits /
//! 55) machine multiplications.

use dashu_int::UBig;

use super::tree::TreePlan;

/// A number system in which counts can be computed.
pub trait Numbers {
    /// A number.
    type Number: Copy;
    /// Zero.
    const ZERO: Self::Number;
    /// From a machine integer.
    fn small(&self, value: u64) -> Self::Number;
    /// `sum + scale × value`.
    fn add_scaled(&self, sum: Self::Number, scale: u64, value: Self::Number) -> Self::Number;
    /// `Σ left[i] × right[n-1-i]` for slices of equal length n.
    fn convolve(&self, left: &[Self::Number], right: &[Self::Number]) -> Self::Number;
    /// `convolve` of a slice with itself.
    fn square(&self, row: &[Self::Number]) -> Self::Number {
        self.convolve(row, row)
    }
}

/// Rows of counts for sizes 0 to `upto`.
pub fn fill<N: Numbers>(plan: &TreePlan, numbers: &N, upto: usize) -> Vec<Vec<N::Number>> {
    let mut rows = vec![vec![N::ZERO; upto + 1]; plan.rows()];
    for size in 0..=upto {
        for (row, sum) in plan.sums.iter().enumerate() {
            let mut total = numbers.small(if size == 0 { sum.terminals } else { 0 });
            for term in sum.terms.iter().filter(|_| size > 0) {
                total = match term.series {
                    Some(series) => numbers.add_scaled(total, term.scale, rows[series][size - 1]),
                    None if size == 1 => numbers.add_scaled(total, term.scale, numbers.small(1)),
                    None => total,
                };
            }
            rows[row][size] = total;
        }
        for (place, &(left, right)) in plan.products.iter().enumerate() {
            let (from, spare) = (plan.least[left], plan.least[right]);
            if from.saturating_add(spare) <= size {
                let sum = match left == right {
                    true => numbers.square(&rows[left][from..=size - from]),
                    false => {
                        numbers.convolve(&rows[left][from..=size - spare], &rows[right][spare..=size - from])
                    }
                };
                rows[plan.sums.len() + place][size] = sum;
            }
        }
    }
    rows
}

/// Whether a count is above zero.
pub struct Possible;

impl Numbers for Possible {
    type Number = bool;
    const ZERO: bool = false;
    fn small(&self, value: u64) -> bool {
        value > 0
    }
    fn add_scaled(&self, sum: bool, scale: u64, value: bool) -> bool {
        sum || (scale > 0 && value)
    }
    fn convolve(&self, left: &[bool], right: &[bool]) -> bool {
        left.iter().zip(right.iter().rev()).any(|(a, b)| *a && *b)
    }
}

/// A float with a wide exponent: `mantissa × 2^exponent`, mantissa in [1, 2) or 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaled {
    mantissa: f64,
    exponent: i64,
}

impl Scaled {
    /// Zero.
    pub const ZERO: Scaled = Scaled { mantissa: 0.0, exponent: i64::MIN / 4 };

    fn new(value: f64, exponent: i64) -> Scaled {
        if value == 0.0 {
            return Scaled::ZERO;
        }
        let bits = value.to_bits();
        let shift = ((bits >> 52) & 0x7ff) as i64 - 1023;
        let mantissa = f64::from_bits((bits & !(0x7ff << 52)) | (1023 << 52));
        Scaled { mantissa, exponent: exponent + shift }
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(self, other: Scaled) -> Scaled {
        let (high, low) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let gap = high.exponent - low.exponent;
        let tail = if gap > 100 { 0.0 } else { low.mantissa * exp2_negative(gap) };
        Scaled::new(high.mantissa + tail, high.exponent)
    }

    /// A number of bits that is certain to hold the exact value (0 for zero). One bit of slack covers the rounding of
    /// all sums and products before it.
    #[must_use]
    pub fn bits(self) -> usize {
        if self.mantissa == 0.0 { 0 } else { usize::try_from(self.exponent + 2).unwrap_or(0) }
    }

    /// Whether the exact value is certain to exceed an integer of this many bits.
    #[must_use]
    pub fn surely_exceeds(self, bits: usize) -> bool {
        self.mantissa != 0.0 && self.exponent > bits as i64
    }
}

/// `2^-gap` for a gap of at most 1000.
fn exp2_negative(gap: i64) -> f64 {
    f64::from_bits(((1023 - gap) as u64) << 52)
}

/// Floating-point estimates of all counts.
pub struct Estimate;

impl Numbers for Estimate {
    type Number = Scaled;
    const ZERO: Scaled = Scaled::ZERO;
    fn small(&self, value: u64) -> Scaled {
        Scaled::new(value as f64, 0)
    }
    fn add_scaled(&self, sum: Scaled, scale: u64, value: Scaled) -> Scaled {
        if value.mantissa == 0.0 || scale == 0 {
            return sum;
        }
        sum.plus(Scaled::new(value.mantissa * scale as f64, value.exponent))
    }
    fn convolve(&self, left: &[Scaled], right: &[Scaled]) -> Scaled {
        let pairs = || left.iter().zip(right.iter().rev());
        let Some(top) = pairs().map(|(a, b)| a.exponent + b.exponent).max() else { return Scaled::ZERO };
        let mut sum = 0.0;
        for (a, b) in pairs() {
            let gap = top - a.exponent - b.exponent;
            if gap < 80 {
                sum += a.mantissa * b.mantissa * exp2_negative(gap);
            }
        }
        Scaled::new(sum, top)
    }
}

/// Counts modulo one prime below 2^56, so that 2^16 products fit 128 bits unreduced.
pub struct Residues(pub u64);

impl Residues {
    fn reduce(&self, value: u128) -> u64 {
        (value % u128::from(self.0)) as u64
    }
}

impl Numbers for Residues {
    type Number = u64;
    const ZERO: u64 = 0;
    fn small(&self, value: u64) -> u64 {
        value % self.0
    }
    fn add_scaled(&self, sum: u64, scale: u64, value: u64) -> u64 {
        self.reduce(u128::from(scale) * u128::from(value) + u128::from(sum))
    }
    fn convolve(&self, left: &[u64], right: &[u64]) -> u64 {
        let mut total = 0;
        for (lefts, rights) in left.chunks(UNREDUCED).zip(right.rchunks(UNREDUCED)) {
            total = (total + self.reduce(products(lefts, rights))) % self.0;
        }
        total
    }
    fn square(&self, row: &[u64]) -> u64 {
        let half = row.len() / 2;
        let twice = 2 * self.convolve(&row[..half], &row[row.len() - half..]);
        match row.len() % 2 {
            0 => twice % self.0,
            _ => self.add_scaled(twice % self.0, row[half], row[half]),
        }
    }
}

/// How many products of residues are certain to fit in 128 bits together.
const UNREDUCED: usize = 1 << 15;

/// `Σ left[i] × right[n-1-i]` without reduction, in two sums, so that one carry chain need not wait for the other.
fn products(left: &[u64], right: &[u64]) -> u128 {
    let times = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let (mut even, mut odd) = (0u128, 0u128);
    let (lefts, rights) = (left.chunks_exact(2), right.rchunks_exact(2));
    let (last_left, last_right) = (lefts.remainder(), rights.remainder());
    for (a, b) in lefts.zip(rights) {
        even = even.wrapping_add(times(a[0], b[1]));
        odd = odd.wrapping_add(times(a[1], b[0]));
    }
    for (&a, &b) in last_left.iter().zip(last_right) {
        even = even.wrapping_add(times(a, b));
    }
    even + odd
}

/// Exact rows for sizes 0 to `upto`.
#[must_use]
pub fn exact(plan: &TreePlan, upto: usize) -> Vec<Vec<UBig>> {
    let estimates = fill(plan, &Estimate, upto);
    let bits = estimates.iter().flatten().map(|e| e.bits()).max().unwrap_or(0);
    let basis = Basis::with_bits(bits);
    let residues: Vec<Vec<Vec<u64>>> =
        basis.primes.iter().map(|&prime| fill(plan, &Residues(prime), upto)).collect();
    let mut digits = Vec::with_capacity(basis.primes.len());
    let rebuild = |(row, estimates): (usize, &Vec<Scaled>)| -> Vec<UBig> {
        let sizes = estimates.iter().enumerate();
        sizes
            .map(|(size, estimate)| {
                let residue = |prime: usize| residues[prime][row][size];
                basis.rebuild(residue, Basis::length(estimate.bits()), &mut digits)
            })
            .collect()
    };
    estimates.iter().enumerate().map(rebuild).collect()
}

/// Primes between 2^55 and 2^56, and the tables that mixed-radix conversion needs.
struct Basis {
    primes: Vec<u64>,
    /// `weights[j][i]` = product of the first i primes, modulo prime j (i ≤ j).
    weights: Vec<Vec<u64>>,
    /// Inverse of the product of the first j primes modulo prime j.
    inverses: Vec<u64>,
}

impl Basis {
    /// How many primes hold a number of this many bits.
    fn length(bits: usize) -> usize {
        bits.div_ceil(55)
    }

    fn with_bits(bits: usize) -> Basis {
        let odd = (0u64..).map(|step| (1 << 56) - 1 - 2 * step);
        let primes: Vec<u64> = odd.filter(|&n| is_prime(n)).take(Basis::length(bits).max(1)).collect();
        let mut basis = Basis { weights: Vec::new(), inverses: Vec::new(), primes };
        for (place, &prime) in basis.primes.iter().enumerate() {
            let mut weights = vec![1];
            for &earlier in &basis.primes[..place] {
                weights.push(times(weights[weights.len() - 1], earlier, prime));
            }
            basis.inverses.push(power(weights[place], prime - 2, prime));
            basis.weights.push(weights);
        }
        basis
    }

    /// The number below the product of the first `length` primes that has these residues.
    fn rebuild(&self, residue: impl Fn(usize) -> u64, length: usize, digits: &mut Vec<u64>) -> UBig {
        digits.clear();
        for place in 0..length {
            let prime = self.primes[place];
            let weighted = digits.iter().zip(&self.weights[place]);
            let known =
                weighted.fold(0u128, |sum, (&digit, &weight)| sum + u128::from(digit) * u128::from(weight));
            let known = (known % u128::from(prime)) as u64;
            let missing = (residue(place) + prime - known) % prime;
            digits.push(times(missing, self.inverses[place], prime));
        }
        self.horner(digits)
    }

    /// `d0 + p0 × (d1 + p1 × (d2 + …))`, in machine words.
    fn horner(&self, digits: &[u64]) -> UBig {
        let mut words: Vec<u64> = Vec::with_capacity(digits.len() + 1);
        for (digit, &prime) in digits.iter().zip(&self.primes).rev() {
            let mut carry = u128::from(*digit);
            for word in &mut words {
                carry += u128::from(*word) * u128::from(prime);
                *word = carry as u64;
                carry >>= 64;
            }
            if carry > 0 {
                words.push(carry as u64);
            }
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        UBig::from_le_bytes(&bytes)
    }
}

fn times(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

fn power(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base, modulus);
        }
        base = times(base, base, modulus);
        exponent >>= 1;
    }
    result
}

/// Miller-Rabin with the bases that decide every odd number below 2^64 (above 37).
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if BASES.iter().any(|base| n.is_multiple_of(*base)) {
        return false;
    }
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let mut x = power(base, (n - 1) >> twos, n);
        x == 1
            || (0..twos).any(|_| {
                let minus_one = x == n - 1;
                x = times(x, x, n);
                minus_one
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::{Layout, Tree, catalog};

    /// The recurrence in big integers, term by term.
    fn directly(plan: &TreePlan, upto: usize) -> Vec<Vec<UBig>> {
        let mut rows = vec![vec![UBig::ZERO; upto + 1]; plan.rows()];
        for size in 0..=upto {
            for (row, sum) in plan.sums.iter().enumerate() {
                let mut total = UBig::from(if size == 0 { sum.terminals } else { 0 });
                for term in sum.terms.iter().filter(|_| size > 0) {
                    total += match term.series {
                        Some(series) => &rows[series][size - 1] * UBig::from(term.scale),
                        None => UBig::from(if size == 1 { term.scale } else { 0 }),
                    };
                }
                rows[row][size] = total;
            }
            for (place, &(left, right)) in plan.products.iter().enumerate() {
                let sum = (0..=size).map(|i| &rows[left][i] * &rows[right][size - i]).sum();
                rows[plan.sums.len() + place][size] = sum;
            }
        }
        rows
    }

    #[test]
    fn remaindering_gives_the_same_counts_as_big_integers() {
        for embedded in catalog::EMBEDDED {
            let tree = Tree::compile(&embedded.grammar(Some(3)).unwrap(), Layout::Lines).unwrap();
            assert_eq!(exact(&tree.plan, 90), directly(&tree.plan, 90), "{}", embedded.name);
        }
    }

    #[test]
    fn estimates_bound_the_exact_counts_closely() {
        use dashu_int::ops::BitTest;
        let tree = Tree::compile(&catalog::EMBEDDED[0].grammar(None).unwrap(), Layout::Lines).unwrap();
        let estimates = fill(&tree.plan, &Estimate, 120);
        for (row, counts) in exact(&tree.plan, 120).iter().enumerate() {
            for (size, count) in counts.iter().enumerate() {
                let (bits, bound) = (count.bit_len(), estimates[row][size].bits());
                assert!(bits <= bound && bound <= bits + 1, "row {row} size {size}: {bits} {bound}");
            }
        }
    }

    #[test]
    fn primes_are_distinguished_from_composites() {
        let small = (41u64..2000).step_by(2).filter(|n| n % 3 != 0);
        for n in small {
            let divisor = (3..n).take_while(|d| d * d <= n).any(|d| n % d == 0);
            assert_eq!(is_prime(n), !divisor, "{n}");
        }
        assert!(is_prime((1 << 56) - 5));
        assert!(!is_prime((1 << 56) - 1));
    }
}
