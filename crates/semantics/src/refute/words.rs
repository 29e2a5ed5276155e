//! Words as bits: lemmas that relate the bits of a bit-vector operation to those of its arguments.
//!
//! Bit i of a word t is the atom `(= ((_ extract i i) t) #b1)`. For each application of an operator, one lemma relates
//! the bits of the result to those of the arguments, so propositional search decides the rest. No lemma needs a helper
//! symbol: the carry into a bit of a sum is the exclusive or of the three bits there, and the partial products of a
//! multiplication are products with the low bits of a factor, which are ordinary words. So each lemma is valid by
//! itself.
//!
//! The other theories do not see bits as ground terms (there would be too many). They do see words, so an equation of
//! words gets lemmas about the bits too, and equalities that congruence finds between words are added as clauses.

use super::congruence::{Classes, Conflict};
use super::engine::Engine;
use super::{Reason, build};
use crate::value::Value;
use smtlib::sort::{Sort, SortId};
use smtlib::term::{Index, Kind, Lit, TermId};

/// Maximum width of a word whose bits are used, whose product is multiplied out, and whose division and shift are
/// expanded.
const WIDTH: u32 = 128;
const PRODUCT: u32 = 16;
const DIVISION: u32 = 8;
const SHIFT: u32 = 64;
/// Maximum number of bits in total.
const BITS: usize = 12_000;

impl Engine<'_> {
    fn width(&self, term: TermId) -> Option<u32> {
        match self.script.pool.sort(self.script.pool.sort_of(term)) {
            Sort::BitVec(width) if *width <= WIDTH => Some(*width),
            _ => None,
        }
    }

    fn truth_value(&self, term: TermId) -> Option<bool> {
        match build::operator(&self.script.pool, term) {
            Some("core_true") => Some(true),
            Some("core_false") => Some(false),
            _ => None,
        }
    }

    fn constant(&mut self, value: bool) -> TermId {
        self.script.pool.bool_literal(value)
    }

    /// A bit of a word as a Boolean term.
    fn bit(&mut self, word: TermId, place: u32) -> TermId {
        if let Some(Value::BitVec(value)) = self.values.get(&word) {
            let bit = value.bit(place);
            return self.constant(bit);
        }
        let pool = &mut self.script.pool;
        let (symbol, sort) = (pool.symbol(b"#b1"), pool.bitvec(1));
        let one = pool.term(Kind::Lit(Lit::Binary, symbol), sort, &[]);
        if pool.sort_of(word) == sort {
            return build::equal(pool, word, one);
        }
        let place = u64::from(place);
        let cut = build::indexed(pool, "extract", &[place, place], &[word]).unwrap_or(word);
        let bit = build::equal(pool, one, cut);
        self.bits.insert(bit);
        bit
    }

    fn bits_of(&mut self, word: TermId) -> Vec<TermId> {
        (0..self.width(word).unwrap_or(0)).map(|place| self.bit(word, place)).collect()
    }

    fn both(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.truth_value(a), self.truth_value(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) | (_, Some(false)) => self.constant(false),
            _ => build::and(&mut self.script.pool, &[a, b]),
        }
    }

    fn negated(&mut self, a: TermId) -> TermId {
        build::not(&mut self.script.pool, a)
    }

    fn either(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.negated(a), self.negated(b));
        let none = self.both(a, b);
        self.negated(none)
    }

    fn same(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.truth_value(a), self.truth_value(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => self.negated(b),
            (_, Some(false)) => self.negated(a),
            _ => build::equal(&mut self.script.pool, a, b),
        }
    }

    fn differ(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.same(a, b);
        self.negated(same)
    }

    /// `a + b = sum`, bit by bit.
    fn adder(&mut self, a: &[TermId], b: &[TermId], sum: &[TermId], parts: &mut Vec<TermId>) {
        let mut carry = self.constant(false);
        for place in 0..sum.len() {
            let odd = self.differ(a[place], b[place]);
            let total = self.differ(odd, carry);
            parts.push(self.same(sum[place], total));
            // The carry into this bit, expressed by the existing bits.
            let seen = self.differ(odd, sum[place]);
            let (pair, one) = (self.both(a[place], b[place]), self.either(a[place], b[place]));
            let passed = self.both(one, seen);
            carry = self.either(pair, passed);
        }
    }

    /// Whether one word is below another as an unsigned number, or equal if `or_equal` is set.
    fn below(&mut self, a: &[TermId], b: &[TermId], or_equal: bool) -> TermId {
        let mut below = self.constant(or_equal);
        for place in 0..a.len() {
            let smaller = self.negated(a[place]);
            let smaller = self.both(smaller, b[place]);
            let same = self.same(a[place], b[place]);
            let rest = self.both(same, below);
            below = self.either(smaller, rest);
        }
        below
    }

    /// Adds the lemmas for operators on words, for terms of at most the given generation.
    pub fn word_axioms(&mut self, depth: u32) -> Result<(), Reason> {
        for n in 0..self.terms.len() {
            let term = self.terms[n];
            let generation = self.generation[&term];
            if generation > depth || self.bits.len() > BITS || !self.worded.insert(term) {
                continue;
            }
            let args = self.script.pool.args(term).to_vec();
            let words = args.iter().any(|&arg| self.width(arg).is_some()) || self.width(term).is_some();
            if !words || self.values.contains_key(&term) {
                continue;
            }
            self.budget.spend(50)?;
            let parts = self.word_lemma(term, &args, generation)?;
            if let Some(parts) = parts.filter(|parts| !parts.is_empty()) {
                let lemma = build::and(&mut self.script.pool, &parts);
                self.state_valid("bits", "the operator on words, bit by bit", lemma, generation + 1)?;
            }
        }
        Ok(())
    }

    fn indices(&self, term: TermId) -> Vec<u32> {
        let Kind::Op { indices, .. } = self.script.pool.kind(term) else { return vec![] };
        let number = |index: &Index| match index {
            Index::Num(n) => u32::try_from(*n).ok(),
            _ => None,
        };
        self.script.pool.index_list(indices).iter().filter_map(number).collect()
    }

    fn word_lemma(
        &mut self,
        term: TermId,
        args: &[TermId],
        generation: u32,
    ) -> Result<Option<Vec<TermId>>, Reason> {
        let Some(name) = build::operator(&self.script.pool, term) else { return Ok(None) };
        let own = self.bits_of(term);
        let given: Vec<Vec<TermId>> = args.iter().map(|&arg| self.bits_of(arg)).collect();
        self.budget.spend(own.len() as u64 * 4)?;
        let width = own.len();
        let mut parts = vec![];
        match (name, &given[..]) {
            ("core_eq" | "bv_comp", [a, b]) if !a.is_empty() => {
                let mut all = self.constant(true);
                for (&x, &y) in a.iter().zip(b) {
                    let same = self.same(x, y);
                    all = self.both(all, same);
                }
                let whole = if name == "core_eq" { term } else { own[0] };
                parts.push(self.same(whole, all));
            }
            ("core_ite", [_, a, b]) if width > 0 => {
                for place in 0..width {
                    let (x, y) = (self.same(own[place], a[place]), self.same(own[place], b[place]));
                    let choice = build::op(&mut self.script.pool, "ite", &[args[0], x, y]);
                    parts.extend(choice);
                }
            }
            ("bv_not", [a]) => {
                for place in 0..width {
                    parts.push(self.differ(own[place], a[place]));
                }
            }
            ("bv_and" | "bv_or" | "bv_xor" | "bv_nand" | "bv_nor" | "bv_xnor", [a, b]) => {
                for place in 0..width {
                    let bit = match name {
                        "bv_and" | "bv_nand" => self.both(a[place], b[place]),
                        "bv_or" | "bv_nor" => self.either(a[place], b[place]),
                        _ => self.differ(a[place], b[place]),
                    };
                    let turned = matches!(name, "bv_nand" | "bv_nor" | "bv_xnor");
                    parts.push(if turned {
                        self.differ(own[place], bit)
                    } else {
                        self.same(own[place], bit)
                    });
                }
            }
            ("bv_add", [a, b]) => self.adder(a, b, &own, &mut parts),
            ("bv_sub", [a, b]) => self.adder(b, &own, a, &mut parts),
            ("bv_neg", [a]) => {
                let zero = vec![self.constant(false); width];
                self.adder(a, &own, &zero, &mut parts);
            }
            ("bv_to_nat", [a]) if a.len() as u32 <= PRODUCT => parts.extend(self.number_of(term, a)),
            ("bv_mul", [a, b]) => return self.product(args, a, b, &own),
            ("bv_udiv" | "bv_urem", [a, _]) if a.len() as u32 <= DIVISION => {
                self.division(args[0], args[1], generation)?;
            }
            ("bv_shl" | "bv_lshr" | "bv_ashr", [a, b]) if self.amount(b).is_some() => {
                let amount = self.amount(b).unwrap_or_default();
                self.shift_by(name, a, amount, &own, &mut parts);
            }
            ("bv_shl" | "bv_lshr" | "bv_ashr", [a, b]) if width as u32 <= SHIFT => {
                self.shift(name, a, b, &own, &mut parts);
            }
            (
                "bv_ult" | "bv_ule" | "bv_ugt" | "bv_uge" | "bv_slt" | "bv_sle" | "bv_sgt" | "bv_sge",
                [a, b],
            ) => {
                let (mut a, mut b) = (a.clone(), b.clone());
                if name.starts_with("bv_s")
                    && let (Some(x), Some(y)) = (a.pop(), b.pop())
                {
                    a.push(self.negated(x));
                    b.push(self.negated(y));
                }
                if name.contains("_ug") || name.contains("_sg") {
                    std::mem::swap(&mut a, &mut b);
                }
                let below = self.below(&a, &b, name.ends_with('e'));
                parts.push(self.same(term, below));
            }
            _ => self.moved(term, name, &given, &own, &mut parts),
        }
        Ok(Some(parts))
    }

    /// The number that a word denotes: each set bit adds a power of two.
    fn number_of(&mut self, term: TermId, bits: &[TermId]) -> Option<TermId> {
        let zero = build::numeral(&mut self.script.pool, 0, SortId::INT);
        let mut addends = vec![zero];
        for (place, &bit) in bits.iter().enumerate() {
            let power = build::numeral(&mut self.script.pool, 1 << place, SortId::INT);
            addends.push(build::op(&mut self.script.pool, "ite", &[bit, power, zero])?);
        }
        let sum = build::op(&mut self.script.pool, "+", &addends)?;
        Some(build::equal(&mut self.script.pool, term, sum))
    }

    /// Operators that only move bits.
    fn moved(
        &mut self,
        term: TermId,
        name: &str,
        given: &[Vec<TermId>],
        own: &[TermId],
        parts: &mut Vec<TermId>,
    ) {
        let indices = self.indices(term);
        let width = own.len();
        let sources: Option<Vec<TermId>> = match (name, given, &indices[..]) {
            ("bv_concat", [a, b], _) if !a.is_empty() && !b.is_empty() => {
                Some(b.iter().chain(a).copied().collect())
            }
            ("bv_extract", [a], &[high, low]) if !a.is_empty() => {
                Some(a[low as usize..=high as usize].to_vec())
            }
            ("bv_zero_extend", [a], _) if !a.is_empty() => {
                let mut all = a.clone();
                all.resize(width, self.script.pool.bool_literal(false));
                Some(all)
            }
            ("bv_sign_extend", [a], _) if !a.is_empty() => {
                let mut all = a.clone();
                all.resize(width, a[a.len() - 1]);
                Some(all)
            }
            ("bv_rotate_left", [a], &[by]) if !a.is_empty() => {
                Some((0..width).map(|n| a[(n + width - by as usize % width) % width]).collect())
            }
            ("bv_rotate_right", [a], &[by]) if !a.is_empty() => {
                Some((0..width).map(|n| a[(n + by as usize % width) % width]).collect())
            }
            ("bv_repeat", [a], _) if !a.is_empty() => Some((0..width).map(|n| a[n % a.len()]).collect()),
            _ => None,
        };
        for (source, &bit) in sources.into_iter().flatten().zip(own) {
            parts.push(self.same(bit, source));
        }
    }

    /// A product as the sum of its partial products with the low bits of the second factor.
    fn product(
        &mut self,
        args: &[TermId],
        a: &[TermId],
        b: &[TermId],
        own: &[TermId],
    ) -> Result<Option<Vec<TermId>>, Reason> {
        let width = own.len();
        let known =
            |engine: &Self, bits: &[TermId]| bits.iter().all(|&bit| engine.truth_value(bit).is_some());
        if known(self, a) && !known(self, b) {
            return self.product(&[args[1], args[0]], b, a, own);
        }
        if width as u32 > PRODUCT && !known(self, b) {
            // Too many partial products; that a product of odd words is odd is cheap to say.
            let odd = self.both(a[0], b[0]);
            return Ok(Some(vec![self.same(own[0], odd)]));
        }
        let no = self.constant(false);
        let mut parts = vec![];
        let mut so_far = vec![no; width];
        for place in 0..width {
            if self.truth_value(b[place]) == Some(false) && place + 1 < width {
                continue;
            }
            self.budget.spend(width as u64 * 6)?;
            let mut addend = vec![no; width];
            for (k, entry) in addend.iter_mut().enumerate().skip(place) {
                *entry = self.both(b[place], a[k - place]);
            }
            let sum = if place + 1 == width { own.to_vec() } else { self.partial(args, place, width) };
            if sum.len() != width {
                return Ok(None);
            }
            self.adder(&so_far, &addend, &sum, &mut parts);
            so_far = sum;
        }
        Ok(Some(parts))
    }

    /// The bits of the first factor times the low bits of the second.
    fn partial(&mut self, args: &[TermId], place: usize, width: usize) -> Vec<TermId> {
        let pool = &mut self.script.pool;
        let low = build::indexed(pool, "extract", &[place as u64, 0], &[args[1]]);
        let padded =
            low.and_then(|low| build::indexed(pool, "zero_extend", &[(width - place - 1) as u64], &[low]));
        match padded.and_then(|padded| build::op(pool, "bvmul", &[args[0], padded])) {
            Some(product) => self.bits_of(product),
            None => vec![],
        }
    }

    /// Quotient and remainder, in twice the width so that nothing overflows.
    fn division(&mut self, a: TermId, b: TermId, generation: u32) -> Result<(), Reason> {
        let Some(width) = self.width(a) else { return Ok(()) };
        let pool = &mut self.script.pool;
        let wide =
            |pool: &mut smtlib::Pool, t| build::indexed(pool, "zero_extend", &[u64::from(width)], &[t]);
        let made = (|| {
            let quotient = build::op(pool, "bvudiv", &[a, b])?;
            let rest = build::op(pool, "bvurem", &[a, b])?;
            let (zero, ones) = (word(pool, width, b'0'), word(pool, width, b'1'));
            let (wide_quotient, wide_b) = (wide(pool, quotient)?, wide(pool, b)?);
            let product = build::op(pool, "bvmul", &[wide_quotient, wide_b])?;
            let wide_rest = wide(pool, rest)?;
            let sum = build::op(pool, "bvadd", &[product, wide_rest])?;
            let wide_a = wide(pool, a)?;
            let exact = build::equal(pool, wide_a, sum);
            let small = build::op(pool, "bvult", &[rest, b])?;
            let by_zero = build::equal(pool, b, zero);
            let (all_ones, unchanged) = (build::equal(pool, quotient, ones), build::equal(pool, rest, a));
            let (open, closed) =
                (build::and(pool, &[all_ones, unchanged]), build::and(pool, &[exact, small]));
            build::op(pool, "ite", &[by_zero, open, closed])
        })();
        if let Some(lemma) = made {
            let why = "the quotient times the divisor and the remainder make the dividend";
            self.state_valid("bits.division", why, lemma, generation + 1)?;
        }
        Ok(())
    }

    /// The number that bits make if all are known; a large one is as good as any beyond the width.
    fn amount(&self, bits: &[TermId]) -> Option<usize> {
        if bits.is_empty() {
            return None;
        }
        let mut amount = 0usize;
        for (place, &bit) in bits.iter().enumerate() {
            if self.truth_value(bit)? {
                amount |= if place < 16 { 1 << place } else { 1 << 16 };
            }
        }
        Some(amount)
    }

    /// A shift by a known amount moves bits.
    fn shift_by(&mut self, name: &str, a: &[TermId], amount: usize, own: &[TermId], parts: &mut Vec<TermId>) {
        let filler = if name == "bv_ashr" { a[own.len() - 1] } else { self.constant(false) };
        for (place, &bit) in own.iter().enumerate() {
            let from = if name == "bv_shl" { place.checked_sub(amount) } else { Some(place + amount) };
            let source = from.and_then(|n| a.get(n).copied()).unwrap_or(filler);
            parts.push(self.same(bit, source));
        }
    }

    /// A shift by each possible amount.
    fn shift(&mut self, name: &str, a: &[TermId], b: &[TermId], own: &[TermId], parts: &mut Vec<TermId>) {
        let width = own.len();
        let filler = if name == "bv_ashr" { a[width - 1] } else { self.constant(false) };
        let mut beyond = self.constant(true);
        for amount in 0..width {
            let mut is_it = self.constant(true);
            for (place, &bit) in b.iter().enumerate() {
                let wanted = place < 32 && amount >> place & 1 == 1;
                let fits = if wanted { bit } else { self.negated(bit) };
                is_it = self.both(is_it, fits);
            }
            let other = self.negated(is_it);
            beyond = self.both(beyond, other);
            for (place, &bit) in own.iter().enumerate() {
                let from = if name == "bv_shl" { place.checked_sub(amount) } else { Some(place + amount) };
                let source = from.and_then(|n| a.get(n).copied()).unwrap_or(filler);
                let same = self.same(bit, source);
                parts.push(self.either(other, same));
            }
        }
        let inside = self.negated(beyond);
        for &bit in own {
            let same = self.same(bit, filler);
            parts.push(self.either(inside, same));
        }
    }

    /// Equalities between words that congruence finds and no atom states: their bits must be equal too.
    pub fn equal_words(&self, classes: &Classes<'_>) -> Vec<(TermId, TermId, Conflict)> {
        let mut found = vec![];
        for group in classes.groups() {
            if self.width(group[0]).is_none() {
                continue;
            }
            let anchor = classes.valued(group[0]).unwrap_or(group[0]);
            for &member in group.iter().filter(|&&member| member != anchor) {
                let reasons = classes.explain(anchor, member);
                let is_stated = |&(atom, truth): &(TermId, bool)| {
                    truth && self.script.pool.args(atom) == [anchor.min(member), anchor.max(member)]
                };
                if !(reasons.len() == 1 && is_stated(&reasons[0])) {
                    found.push((anchor, member, reasons));
                }
            }
        }
        found
    }
}

/// A word of one repeated bit.
fn word(pool: &mut smtlib::Pool, width: u32, bit: u8) -> TermId {
    let text = format!("#b{}", (bit as char).to_string().repeat(width as usize));
    let (symbol, sort) = (pool.symbol(text.as_bytes()), pool.bitvec(width));
    pool.term(Kind::Lit(Lit::Binary, symbol), sort, &[])
}

/// The values of a sort, if there are so few that each can be named.
pub(super) fn few_values(pool: &mut smtlib::Pool, sort: SortId) -> Option<Vec<TermId>> {
    match *pool.sort(sort) {
        Sort::RoundingMode => {
            ["RNE", "RNA", "RTP", "RTN", "RTZ"].iter().map(|name| build::op(pool, name, &[])).collect()
        }
        _ => None,
    }
}
