//! Values worth trying, per sort: the literals of the script, their neighbours, and the ends of the range.
//!
//! Simple values come first, because most formulas that have a model have a simple one. Collections, arrays and
//! datatypes are made of the first few candidates of their parts, to a small depth.

use crate::eval::{Evaluator, extremes};
use crate::value::Value;
use crate::value::bitvec::BitVec;
use crate::value::float::{Float, Format};
use crate::value::int::Int;
use crate::value::rational::Rat;
use crate::value::real::Real;
use crate::value::regex::RegexPool;
use crate::value::text::Text;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::{Sort, SortId};
use smtlib::term::{DeclId, Kind, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of candidates of one sort.
const MOST: usize = 48;
/// Maximum nesting of sorts.
const MAX_DEPTH: u32 = 4;
/// Sorts with at most this many values are listed.
const FEW: u64 = 16;

/// Candidates by sort, each list made at its first use.
#[derive(Default)]
pub(super) struct Candidates {
    known: HashMap<SortId, Arc<[Value]>, FxBuildHasher>,
}

impl Candidates {
    pub fn of(&mut self, eval: &mut Evaluator<'_>, sort: SortId) -> Arc<[Value]> {
        self.at_depth(eval, sort, 0)
    }

    fn at_depth(&mut self, eval: &mut Evaluator<'_>, sort: SortId, depth: u32) -> Arc<[Value]> {
        if let Some(known) = self.known.get(&sort) {
            return known.clone();
        }
        let mut found: Vec<Value> = vec![];
        if eval.size(sort).is_some_and(|size| size <= FEW)
            && let Some(members) = eval.members(sort)
        {
            found.extend(members.iter().cloned());
        } else {
            found.extend(eval.default_value(sort));
            if depth < MAX_DEPTH {
                let made = self.made(eval, sort, depth);
                found.extend(made);
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|value| seen.insert(value.clone()));
        found.truncate(MOST);
        let found: Arc<[Value]> = found.into();
        // Lists made at a greater depth, as parts of others, have fewer candidates.
        if depth == 0 {
            self.known.insert(sort, found.clone());
        }
        found
    }

    fn made(&mut self, eval: &mut Evaluator<'_>, sort: SortId, depth: u32) -> Vec<Value> {
        let pool = eval.pool();
        match pool.sort(sort).clone() {
            Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Float { .. } => numbers(eval, sort),
            Sort::String => words(eval),
            Sort::Field(_) => {
                eval.members(sort).map_or(vec![], |all| all.iter().take(MOST).cloned().collect())
            }
            Sort::Char => [0x41, 0x61, 0x30].map(Value::Char).into(),
            Sort::Seq(element) => {
                let lists = lists(&self.at_depth(eval, element, depth + 1));
                lists.into_iter().map(Value::seq).collect()
            }
            Sort::Set(element) | Sort::FiniteSet(element) => {
                let lists = lists(&self.at_depth(eval, element, depth + 1));
                let set = |list: Vec<Value>| eval.set_value(sort, list.into_iter().collect());
                lists.into_iter().filter_map(set).collect()
            }
            Sort::Bag(element) => {
                let lists = lists(&self.at_depth(eval, element, depth + 1));
                lists.into_iter().map(bag).collect()
            }
            Sort::Nullable(element) => {
                let inner = self.at_depth(eval, element, depth + 1);
                inner.iter().take(8).map(|v| Value::some(v.clone())).collect()
            }
            Sort::Tuple(sorts) => {
                let rows = self.rows(eval, &sorts, depth);
                rows.into_iter().map(Value::tuple).collect()
            }
            Sort::Array(index, element) => self.maps(eval, sort, &[index], element, depth),
            Sort::MultiArray(sorts) | Sort::Fun(sorts) => match sorts.split_last() {
                Some((element, index)) => self.maps(eval, sort, index, *element, depth),
                None => vec![],
            },
            Sort::Declared(..) => self.declared(eval, sort, depth),
            Sort::Bool | Sort::RoundingMode | Sort::RegLan | Sort::Param(_) => vec![],
        }
    }

    /// Lists of one candidate for each sort: all the first ones, then others at one or two positions.
    fn rows(&mut self, eval: &mut Evaluator<'_>, sorts: &[SortId], depth: u32) -> Vec<Vec<Value>> {
        let columns: Vec<Arc<[Value]>> = sorts.iter().map(|&s| self.at_depth(eval, s, depth + 1)).collect();
        if columns.iter().any(|column| column.is_empty()) {
            return vec![];
        }
        let first: Vec<Value> = columns.iter().map(|column| column[0].clone()).collect();
        let mut rows = vec![first.clone()];
        for k in 1..6 {
            for (n, column) in columns.iter().enumerate() {
                if let Some(value) = column.get(k) {
                    let mut row = first.clone();
                    row[n] = value.clone();
                    rows.push(row);
                }
            }
            rows.push(columns.iter().map(|column| column[k % column.len()].clone()).collect());
        }
        rows
    }

    fn maps(
        &mut self,
        eval: &mut Evaluator<'_>,
        sort: SortId,
        index: &[SortId],
        element: SortId,
        depth: u32,
    ) -> Vec<Value> {
        let elements = self.at_depth(eval, element, depth + 1);
        let keys = self.rows(eval, index, depth);
        let Some(index) = eval.index_of(sort) else { return vec![] };
        let mut found: Vec<Value> = vec![];
        for base in elements.iter().take(6) {
            found.push(eval.map(index.clone(), base.clone(), BTreeMap::new()));
        }
        for key in keys.into_iter().take(4) {
            let key = if let [only] = &key[..] { only.clone() } else { Value::tuple(key) };
            if let [base, other, ..] = &elements[..] {
                let table = BTreeMap::from([(key, other.clone())]);
                found.push(eval.map(index.clone(), base.clone(), table));
            }
        }
        found
    }

    fn declared(&mut self, eval: &mut Evaluator<'_>, sort: SortId, depth: u32) -> Vec<Value> {
        let Some((datatype, _)) = eval.pool().datatype(sort) else {
            return eval.members(sort).map_or(vec![], |all| all.to_vec());
        };
        let constructors: Vec<DeclId> = datatype.constructors.iter().map(|c| c.decl).collect();
        let mut found = vec![];
        for constructor in constructors {
            let Some(fields) = eval.field_sorts(constructor, sort) else { continue };
            let rows = self.rows(eval, &fields, depth);
            found.push(rows.into_iter().map(|row| Value::datatype(constructor, row)).collect::<Vec<_>>());
        }
        interleaved(found)
    }
}

/// The first of each, then the second of each, and so on.
fn interleaved(lists: Vec<Vec<Value>>) -> Vec<Value> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest).flat_map(|n| lists.iter().filter_map(move |list| list.get(n).cloned())).collect()
}

/// Short lists of candidates, shortest first.
fn lists(elements: &[Value]) -> Vec<Vec<Value>> {
    let some = &elements[..elements.len().min(6)];
    let mut found: Vec<Vec<Value>> = vec![vec![]];
    found.extend(elements.iter().take(10).map(|a| vec![a.clone()]));
    for a in some.iter().take(4) {
        found.extend(some.iter().take(4).map(|b| vec![a.clone(), b.clone()]));
    }
    for n in 3..=some.len() {
        found.push(some[..n].to_vec());
    }
    found
}

fn bag(list: Vec<Value>) -> Value {
    let mut counts: BTreeMap<Value, Int> = BTreeMap::new();
    for value in list {
        let count = counts.entry(value).or_insert(Int::ZERO);
        *count = &*count + &Int::ONE;
    }
    Value::bag(counts)
}

fn numbers(eval: &mut Evaluator<'_>, sort: SortId) -> Vec<Value> {
    let literals = eval.literals(sort);
    let mut found = literals.clone();
    let ends = extremes(eval.pool().sort(sort));
    found.splice(0..0, ends.iter().take(2).cloned());
    found.extend(literals.iter().flat_map(neighbours));
    found.extend(ends);
    found.extend(middles(&literals));
    found.extend(more(eval.pool().sort(sort)));
    found
}

/// The values next to a number.
pub(super) fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Int(n) => vec![Value::Int(n + &Int::ONE), Value::Int(n - &Int::ONE), Value::Int(-n)],
        Value::Real(Real::Rat(r)) => {
            let (one, half) = (Rat::ONE, Rat::ratio(1, 2));
            [r + &one, r - &one, r + &half, -r].map(|r| Value::Real(r.into())).into()
        }
        Value::BitVec(b) => [b.inc(), b.dec(), b.not(), b.neg()].map(Value::BitVec).into(),
        Value::Float(f) => [next_float(f, true), next_float(f, false), Some(f.neg())]
            .into_iter()
            .flatten()
            .map(Value::Float)
            .collect(),
        _ => vec![],
    }
}

/// The float above or below one, if there is one.
pub(super) fn next_float(float: &Float, up: bool) -> Option<Float> {
    let format = float.format();
    if float.is_nan() {
        return None;
    }
    if float.is_zero() {
        return Some(format.least(!up));
    }
    let bits = float.to_ieee_bv()?;
    let away = float.is_negative() != up;
    if away && float.is_infinite() {
        return None;
    }
    Float::from_bits(format, &if away { bits.inc() } else { bits.dec() })
}

/// Values between the numbers in a script.
fn middles(literals: &[Value]) -> Vec<Value> {
    let mut found = vec![];
    for pair in literals.windows(2).take(8) {
        match (&pair[0], &pair[1]) {
            (Value::Int(a), Value::Int(b)) => found.extend([a + b, a - b].map(Value::Int)),
            (Value::Real(Real::Rat(a)), Value::Real(Real::Rat(b))) => {
                found.extend([a.midpoint(b), a + b].map(|r| Value::Real(r.into())));
            }
            _ => {}
        }
    }
    found
}

/// More numbers of a sort, if simpler ones are not enough.
fn more(sort: &Sort) -> Vec<Value> {
    match *sort {
        Sort::Int => [3, 4, 5, 7, 8, 10, 16, -3, 100, 255, 256].map(|n| Value::Int(Int::from(n))).into(),
        Sort::Real => [(3, 1), (1, 3), (-2, 1), (3, 2), (4, 1), (10, 1), (1, 10)]
            .map(|(n, d)| Value::Real(Rat::ratio(n, d).into()))
            .into(),
        Sort::BitVec(width) => {
            let small = [2, 3, 4, 5, 7, 8].into_iter().filter_map(|n| BitVec::from_u64(width, n));
            let powers = (0..width).step_by(width.div_ceil(8) as usize);
            let powers = powers.filter_map(|n| Some(BitVec::one(width)?.shl_by(n)));
            small.chain(powers).map(Value::BitVec).collect()
        }
        Sort::Float { eb, sb } => Format::new(eb, sb).map_or(vec![], floats),
        _ => vec![],
    }
}

fn floats(format: Format) -> Vec<Value> {
    let least = format.least(false);
    let greatest = format.greatest(false);
    let one = format.from_int(crate::value::float::RoundingMode::NearestEven, &Int::ONE);
    let mut found = vec![least.neg(), greatest.neg()];
    found.extend(next_float(&one, true));
    found.extend(next_float(&one, false));
    found.extend(next_float(&greatest, false));
    found.extend(next_float(&least, true));
    found.into_iter().map(Value::Float).collect()
}

/// The strings of a script, their characters, members of its regular expressions and short words.
fn words(eval: &mut Evaluator<'_>) -> Vec<Value> {
    let literals = eval.literals(SortId::STRING);
    let mut letters: Vec<u32> = vec![];
    for literal in &literals {
        if let Value::String(text) = literal {
            let new = text.codes().iter().filter(|code| !letters.contains(code));
            let new: Vec<u32> = new.copied().take(8).collect();
            letters.extend(new);
        }
    }
    letters.truncate(12);
    for letter in ['a', 'b', '0', '1'] {
        if !letters.contains(&u32::from(letter)) {
            letters.push(u32::from(letter));
        }
    }
    let word = |codes: Vec<u32>| Text::try_from_codes(codes).map(Value::String);
    let mut found = literals.clone();
    found.extend(letters.iter().filter_map(|&letter| word(vec![letter])));
    found.extend(members(eval));
    for &a in letters.iter().take(3) {
        found.extend(letters.iter().take(3).filter_map(|&b| word(vec![a, b])));
    }
    for pair in literals.iter().take(6).collect::<Vec<_>>().windows(2) {
        if let (Value::String(a), Value::String(b)) = (pair[0], pair[1]) {
            found.extend(word(a.codes().iter().chain(b.codes()).copied().collect()));
        }
    }
    found
}

/// A few members of each regular expression without variables in the script.
fn members(eval: &mut Evaluator<'_>) -> Vec<Value> {
    let pool = eval.pool();
    let mut tested: Vec<TermId> = vec![];
    for term in (0..pool.len() as u32).map(TermId) {
        if let Kind::Op { op, .. } = pool.kind(term)
            && op.row().eval == Some("str_in_re")
            && let [_, language] = pool.args(term)
            && !tested.contains(language)
        {
            tested.push(*language);
        }
    }
    let mut found = vec![];
    let mut regexes = RegexPool::with_limit(20_000);
    for term in tested.into_iter().take(8) {
        let Ok(Value::RegLan(regex)) = eval.counted(|eval| eval.try_term(term, &[])).0 else { continue };
        found.extend(some_members(&mut regexes, &regex, 6).into_iter().map(Value::String));
    }
    found
}

/// The first members of a regular language.
pub(super) fn some_members(
    regexes: &mut RegexPool,
    regex: &crate::value::regex::Regex,
    most: usize,
) -> Vec<Text> {
    let Ok(alphabet) = regexes.alphabet(regex) else { return vec![] };
    let alphabet = &alphabet[..alphabet.len().min(6)];
    let mut found = regexes.members(regex, alphabet, 6, most).unwrap_or_default();
    found.extend(regexes.sample(regex).ok().flatten());
    found
}
