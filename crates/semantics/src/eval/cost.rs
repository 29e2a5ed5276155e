//! The cost of operations on values, in steps and bytes of a budget.
//!
//! A step of the machine covers an operation on small values. Operations on large values cost more, and the cost is
//! charged before anything is computed: products and quotients of long numbers grow faster than their length, and a
//! fraction in lowest terms needs a greatest common divisor, which takes quadratic time. New values are charged for
//! their bytes. The costs are rough. It matters only that they are the same on every machine and never far below the
//! real time, so that a budget of steps ends any work in about the same time.
//!
//! Almost all values are small, and that is checked by looking once at each argument.

use super::{Evaluator, Outcome, Unknown};
use crate::value::Value;
use crate::value::enclosed::Enclosed;
use crate::value::int::Int;
use crate::value::order::take_visits;
use crate::value::real::Real;
use crate::value::regex::RegexPool;

/// Maximum number of bits of a computed number; literals of a script may be longer.
pub(super) const MAX_BITS: u64 = 1 << 20;

/// Numbers of at most this many words, and strings of eight times as many characters, have no extra cost.
const SMALL: u64 = 8;

/// The cost of an operation on an algebraic number, per word of its polynomial; on an enclosure, per operation in it.
const OF_ROOT: u64 = 200;
const OF_ENCLOSURE: u64 = 200;

/// Whether operations on the value cost more than one step.
#[inline]
fn is_large(value: &Value) -> bool {
    match value {
        Value::Real(Real::Alg(_)) => true,
        Value::Int(Int::Big(_)) | Value::Real(_) | Value::Field(_) => words(value) > SMALL,
        Value::BitVec(bits) => u64::from(bits.width()) > SMALL * 64,
        Value::Float(float) => u64::from(float.format().width()) > SMALL * 64,
        Value::String(text) => text.len() as u64 > SMALL * 8,
        Value::Enclosed(_) => true,
        _ => false,
    }
}

/// The number of words of a number.
fn words(value: &Value) -> u64 {
    match value {
        Value::Int(n) => n.words(),
        Value::Real(r) => r.words(),
        Value::Field(pair) => pair.0.words() + pair.1.words(),
        Value::BitVec(bits) => u64::from(bits.width() / 64),
        Value::Float(float) => u64::from(float.format().width() / 64),
        _ => 0,
    }
}

/// The cost of products, quotients and radix conversions of numbers of this many words.
pub(super) fn of_product(words: u64) -> u64 {
    words.saturating_mul(words.isqrt()) / 8
}

/// The cost of reducing a fraction of this many words to lowest terms.
fn of_fraction(words: u64) -> u64 {
    words.saturating_mul(words) / 32
}

fn of_arguments(args: &[Value]) -> u64 {
    let (mut numbers, mut fractions, mut characters, mut irrational) = (0, 0, 0, 0);
    for arg in args {
        match arg {
            Value::Real(Real::Rat(_)) => fractions += words(arg),
            Value::String(text) => characters += text.len() as u64,
            Value::Real(Real::Alg(a)) => irrational += a.words().saturating_mul(OF_ROOT),
            Value::Enclosed(e) => irrational += u64::from(e.weight()) * OF_ENCLOSURE,
            _ => numbers += words(arg),
        }
    }
    let fractions = if fractions > SMALL { of_fraction(fractions) } else { 0 };
    of_product(numbers).saturating_add(fractions).saturating_add(characters / 16).saturating_add(irrational)
}

impl Evaluator<'_> {
    /// Charges for an operation on these values, before it is done.
    #[inline]
    pub(super) fn pay_for(&self, args: &[Value]) -> Result<(), Unknown> {
        if args.iter().any(is_large) { Ok(self.budget.spend(of_arguments(args))?) } else { Ok(()) }
    }

    /// Charges for computing an enclosure of a new value, even if it is one of a small number.
    pub(super) fn pay_for_enclosing(&self, value: &Enclosed) -> Result<(), Unknown> {
        Ok(self.budget.spend(u64::from(value.weight()) * OF_ENCLOSURE)?)
    }

    /// Charges for a value that has been made.
    #[inline]
    pub(super) fn made(&self, outcome: Outcome) -> Outcome {
        let bytes = outcome.as_ref().map_or(0, Value::own_bytes);
        if bytes > 0 {
            self.pay_bytes(bytes)?;
        }
        outcome
    }

    /// Charges for memory, for the time to fill it, and for the comparisons that containers have made.
    pub(super) fn pay_bytes(&self, bytes: u64) -> Result<(), Unknown> {
        self.budget.reserve(bytes)?;
        Ok(self.budget.spend(bytes / 64 + take_visits())?)
    }

    /// Asks a question about regular languages and charges for its steps.
    pub(super) fn ask_regex<T, E>(
        &mut self,
        question: impl FnOnce(&mut RegexPool) -> Result<T, E>,
    ) -> Result<T, Unknown> {
        self.regex.allow(self.limits.regex_steps.min(self.budget.steps_left()));
        let answer = question(&mut self.regex);
        self.budget.spend(self.regex.spent())?;
        answer.map_err(|_| Unknown::Regex)
    }
}

/// Checks the size of a number that is about to be computed.
pub(super) fn check_bits(bits: u64) -> Result<(), Unknown> {
    if bits > MAX_BITS { Err(Unknown::TooLarge) } else { Ok(()) }
}
