//! The values of a sort: their number, the members if there are few, and a default value.
//!
//! In: a sort. Out: its size if the sort is finite and not enormous; its members, each once and in a fixed order, if
//! there are at most `MAX_MEMBERS`; a default value for every sort for which we can write one. A declared sort is as
//! large as the model says, and of unknown size if the model does not say.
//!
//! `(Set T)` is a sort of finite sets in cvc5 and of maps to `Bool` in z3. Values are compared by their representation
//! in many places, so all values of one script and its model must have one representation: the one that its operators
//! produce. If operators of both kinds occur, no members are listed.

use super::Evaluator;
use crate::value::Value;
use crate::value::bitvec::BitVec;
use crate::value::float::{Float, Format, RoundingMode};
use crate::value::int::Int;
use crate::value::real::Real;
use crate::value::regex::Regex;
use crate::value::text::{MAX_CHAR, Text};
use smtlib::Pool;
use smtlib::sort::{Sort, SortId};
use smtlib::symbol::Symbol;
use smtlib::term::{DeclId, Kind, Quantifier, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of members that are listed.
pub(crate) const MAX_MEMBERS: u64 = 1 << 16;
/// The approximate size of a member.
const MEMBER_BYTES: u64 = 64;
/// Maximum depth of a default value of a datatype.
const MAX_DEFAULT_DEPTH: u32 = 100;

impl Evaluator<'_> {
    /// The number of values of a sort, if it is finite, known and fits.
    pub(crate) fn size(&mut self, sort: SortId) -> Option<u64> {
        if let Some(&size) = self.sizes.get(&sort) {
            return size;
        }
        // A datatype that contains itself, found while its size is computed, is infinite.
        self.sizes.insert(sort, None);
        let size = self.compute_size(sort);
        self.sizes.insert(sort, size);
        size
    }

    fn compute_size(&mut self, sort: SortId) -> Option<u64> {
        match self.pool.sort(sort).clone() {
            Sort::Bool => Some(2),
            Sort::RoundingMode => Some(5),
            Sort::Char => Some(u64::from(MAX_CHAR) + 1),
            Sort::BitVec(width) => (width < 64).then(|| 1 << width),
            Sort::Float { eb, sb } => (eb + sb < 62).then(|| ((1u64 << eb) - 1) * (1u64 << (sb - 1)) * 2 + 3),
            Sort::Field(order) => Int::parse(self.pool.bytes(order))?.to_u64(),
            Sort::Tuple(sorts) => self.product(&sorts),
            Sort::Nullable(inner) => self.size(inner)?.checked_add(1),
            Sort::Set(element) | Sort::FiniteSet(element) => power(2, self.size(element)?),
            Sort::Array(index, element) => self.count_maps(&[index], element),
            Sort::MultiArray(sorts) | Sort::Fun(sorts) => {
                let (element, index) = sorts.split_last()?;
                self.count_maps(index, *element)
            }
            Sort::Declared(..) => self.declared_size(sort),
            Sort::Int | Sort::Real | Sort::String | Sort::RegLan | Sort::Seq(_) | Sort::Bag(_) => None,
            Sort::Param(_) => None,
        }
    }

    fn product(&mut self, sorts: &[SortId]) -> Option<u64> {
        sorts.iter().try_fold(1u64, |product, &sort| product.checked_mul(self.size(sort)?))
    }

    fn count_maps(&mut self, index: &[SortId], element: SortId) -> Option<u64> {
        let elements = self.size(element)?;
        if elements == 1 {
            return Some(1);
        }
        power(elements, self.product(index)?)
    }

    fn declared_size(&mut self, sort: SortId) -> Option<u64> {
        let Some((datatype, _)) = self.pool.datatype(sort) else {
            return self.model.universe.get(&sort).map(|elements| elements.len() as u64);
        };
        let constructors: Vec<DeclId> = datatype.constructors.iter().map(|c| c.decl).collect();
        let mut total = 0u64;
        for constructor in constructors {
            let fields = self.field_sorts(constructor, sort)?;
            total = total.checked_add(self.product(&fields)?)?;
        }
        Some(total)
    }

    /// The sorts of a constructor's fields in one instance of its datatype.
    pub(crate) fn field_sorts(&self, constructor: DeclId, sort: SortId) -> Option<Vec<SortId>> {
        let decl = self.pool.decl(constructor);
        let to: &[SortId] = match self.pool.sort(sort) {
            Sort::Declared(_, args) => args,
            _ => &[],
        };
        decl.params.iter().map(|&param| self.pool.instance(param, &decl.sort_params, to)).collect()
    }

    /// The representation of `(Set T)` here.
    pub(crate) fn set_form(&mut self) -> SetForm {
        let pool = self.pool;
        *self.set_form.get_or_insert_with(|| set_form(pool))
    }

    /// A value of `(Set element)`, in the representation that is used here.
    fn set(&mut self, element: SortId, members: BTreeSet<Value>) -> Option<Value> {
        match self.set_form() {
            SetForm::Sets => Some(Value::set(members)),
            SetForm::Maps => Some(Value::Array(self.set_as_array(&members, [element].into()))),
            SetForm::Unclear => None,
        }
    }

    /// A value of a sort of sets, with these members.
    pub(crate) fn set_value(&mut self, sort: SortId, members: BTreeSet<Value>) -> Option<Value> {
        match *self.pool.sort(sort) {
            Sort::FiniteSet(_) => Some(Value::set(members)),
            Sort::Set(element) => self.set(element, members),
            _ => None,
        }
    }

    /// All values of a sort, if they are few.
    pub(crate) fn members(&mut self, sort: SortId) -> Option<Arc<[Value]>> {
        if let Some(known) = self.domains.get(&sort) {
            return known.clone();
        }
        let few = self.size(sort).filter(|&size| size <= MAX_MEMBERS);
        if let Some(size) = few
            && (self.pay_bytes(size * MEMBER_BYTES).is_err()
                || self.whole.reserve(size * MEMBER_BYTES).is_err())
        {
            return None;
        }
        let members = few.and_then(|_| self.list(sort));
        let members: Option<Arc<[Value]>> = members.map(Into::into);
        self.domains.insert(sort, members.clone());
        members
    }

    fn list(&mut self, sort: SortId) -> Option<Vec<Value>> {
        match self.pool.sort(sort).clone() {
            Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Sort::RoundingMode => Some(RoundingMode::ALL.into_iter().map(Value::RoundingMode).collect()),
            Sort::BitVec(width) => {
                (0..1u64 << width).map(|n| BitVec::from_u64(width, n).map(Value::BitVec)).collect()
            }
            Sort::Float { eb, sb } => list_floats(Format::new(eb, sb)?),
            Sort::Field(order) => {
                let order = Int::parse(self.pool.bytes(order))?;
                let count = order.to_u64()?;
                Some((0..count).map(|n| Value::Field(Arc::new((Int::from(n), order.clone())))).collect())
            }
            Sort::Tuple(sorts) => Some(self.combinations(&sorts)?.into_iter().map(Value::tuple).collect()),
            Sort::Nullable(inner) => {
                let some = self.members(inner)?;
                let some = some.iter().map(|v| Value::some(v.clone()));
                Some([Value::Nullable(None)].into_iter().chain(some).collect())
            }
            Sort::FiniteSet(element) => {
                let elements = self.members(element)?;
                Some((0..1u64 << elements.len()).map(|mask| Value::set(subset(&elements, mask))).collect())
            }
            Sort::Set(element) => {
                let elements = self.members(element)?;
                (0..1u64 << elements.len()).map(|mask| self.set(element, subset(&elements, mask))).collect()
            }
            Sort::Array(index, element) => self.list_maps(&[index], element),
            Sort::MultiArray(sorts) | Sort::Fun(sorts) => {
                let (element, index) = sorts.split_last()?;
                self.list_maps(index, *element)
            }
            Sort::Declared(..) => self.list_declared(sort),
            _ => None,
        }
    }

    fn list_declared(&mut self, sort: SortId) -> Option<Vec<Value>> {
        let Some((datatype, _)) = self.pool.datatype(sort) else {
            let elements = self.model.universe.get(&sort)?;
            return elements.iter().map(|&term| self.abstract_value(term)).collect();
        };
        let constructors: Vec<DeclId> = datatype.constructors.iter().map(|c| c.decl).collect();
        let mut all = vec![];
        for constructor in constructors {
            let fields = self.field_sorts(constructor, sort)?;
            all.extend(
                self.combinations(&fields)?.into_iter().map(|args| Value::datatype(constructor, args)),
            );
        }
        Some(all)
    }

    fn abstract_value(&self, term: TermId) -> Option<Value> {
        match self.pool.kind(term) {
            Kind::Lit(smtlib::term::Lit::Abstract, name) => {
                Some(Value::Abstract { sort: self.pool.sort_of(term), name })
            }
            _ => None,
        }
    }

    /// Every list of values of these sorts.
    fn combinations(&mut self, sorts: &[SortId]) -> Option<Vec<Vec<Value>>> {
        let mut lists: Vec<Vec<Value>> = vec![vec![]];
        for &sort in sorts {
            let members = self.members(sort)?;
            lists = lists
                .iter()
                .flat_map(|list| {
                    members.iter().map(move |value| list.iter().chain([value]).cloned().collect())
                })
                .collect();
        }
        Some(lists)
    }

    /// All indices of a map with these index sorts, if there are few.
    pub(super) fn keys(&mut self, index: &[SortId]) -> Option<Arc<[Value]>> {
        if let [only] = index {
            return self.members(*only);
        }
        self.product(index).filter(|&size| size <= MAX_MEMBERS)?;
        let keys = self.combinations(index)?;
        Some(keys.into_iter().map(Value::tuple).collect())
    }

    /// The number of indices of a map, if it is finite.
    pub(super) fn count_keys(&mut self, index: &[SortId]) -> Option<u64> {
        self.product(index)
    }

    fn list_maps(&mut self, index: &[SortId], element: SortId) -> Option<Vec<Value>> {
        let keys = self.keys(index)?;
        let elements = self.members(element)?;
        let count = power(elements.len() as u64, keys.len() as u64).filter(|&n| n <= MAX_MEMBERS)?;
        let index: Arc<[SortId]> = index.into();
        let mut all = Vec::with_capacity(count as usize);
        for number in 0..count {
            let mut rest = number;
            let mut table = BTreeMap::new();
            for key in keys.iter() {
                table.insert(key.clone(), elements[(rest % elements.len() as u64) as usize].clone());
                rest /= elements.len() as u64;
            }
            let base = elements.first()?.clone();
            all.push(self.map(index.clone(), base, table));
        }
        Some(all)
    }

    /// Some value of the sort.
    pub(crate) fn default_value(&mut self, sort: SortId) -> Option<Value> {
        self.default_at(sort, 0)
    }

    fn default_at(&mut self, sort: SortId, depth: u32) -> Option<Value> {
        if depth > MAX_DEFAULT_DEPTH {
            return None;
        }
        Some(match self.pool.sort(sort).clone() {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(Int::ZERO),
            Sort::Real => Value::Real(Real::ZERO),
            Sort::String => Value::String(Text::default()),
            Sort::RegLan => Value::RegLan(Regex::none()),
            Sort::RoundingMode => Value::RoundingMode(RoundingMode::NearestEven),
            Sort::BitVec(width) => Value::BitVec(BitVec::zero(width)?),
            Sort::Float { eb, sb } => Value::Float(Format::new(eb, sb)?.zero(false)),
            Sort::Seq(_) => Value::seq([]),
            Sort::FiniteSet(_) => Value::set(BTreeSet::new()),
            Sort::Set(element) => self.set(element, BTreeSet::new())?,
            Sort::Bag(_) => Value::bag(BTreeMap::new()),
            Sort::Field(order) => Value::Field(Arc::new((Int::ZERO, Int::parse(self.pool.bytes(order))?))),
            Sort::Nullable(_) => Value::Nullable(None),
            Sort::Char => Value::Char(0x41),
            Sort::Tuple(sorts) => {
                let parts: Option<Vec<Value>> =
                    sorts.iter().map(|&s| self.default_at(s, depth + 1)).collect();
                Value::tuple(parts?)
            }
            Sort::Array(_, element) => {
                let base = self.default_at(element, depth + 1)?;
                let index = self.index_of(sort)?;
                self.map(index, base, BTreeMap::new())
            }
            Sort::MultiArray(sorts) | Sort::Fun(sorts) => {
                let base = self.default_at(*sorts.last()?, depth + 1)?;
                let index = self.index_of(sort)?;
                self.map(index, base, BTreeMap::new())
            }
            Sort::Declared(..) => self.default_declared(sort, depth)?,
            Sort::Param(_) => return None,
        })
    }

    fn default_declared(&mut self, sort: SortId, depth: u32) -> Option<Value> {
        let Some((datatype, _)) = self.pool.datatype(sort) else {
            if let Some(&first) = self.model.universe.get(&sort).and_then(|elements| elements.first()) {
                return self.abstract_value(first);
            }
            return Some(Value::Abstract { sort, name: Symbol(u32::MAX) });
        };
        let mut constructors: Vec<DeclId> = datatype.constructors.iter().map(|c| c.decl).collect();
        // A constructor that needs no value of a datatype comes first, because then the recursion ends.
        constructors.sort_by_key(|&c| {
            let nested = |&p: &SortId| matches!(self.pool.sort(p), Sort::Declared(..) | Sort::Param(_));
            self.pool.decl(c).params.iter().filter(|p| nested(p)).count()
        });
        for constructor in constructors {
            let Some(fields) = self.field_sorts(constructor, sort) else { continue };
            let args: Option<Vec<Value>> =
                fields.iter().map(|&field| self.default_at(field, depth + 1)).collect();
            if let Some(args) = args {
                return Some(Value::datatype(constructor, args));
            }
        }
        None
    }

    /// The index sorts of an array or function sort.
    pub(crate) fn index_of(&mut self, sort: SortId) -> Option<Arc<[SortId]>> {
        if let Some(known) = self.index_sorts.get(&sort) {
            return Some(known.clone());
        }
        let index: Arc<[SortId]> = match self.pool.sort(sort) {
            Sort::Array(index, _) => Arc::new([*index]),
            Sort::Set(element) | Sort::FiniteSet(element) => Arc::new([*element]),
            Sort::MultiArray(sorts) | Sort::Fun(sorts) => sorts[..sorts.len() - 1].into(),
            _ => return None,
        };
        self.index_sorts.insert(sort, index.clone());
        Some(index)
    }
}

fn power(base: u64, exponent: u64) -> Option<u64> {
    base.checked_pow(u32::try_from(exponent).ok()?)
}

fn subset(elements: &[Value], mask: u64) -> BTreeSet<Value> {
    let chosen = elements.iter().enumerate().filter(|(n, _)| mask >> n & 1 == 1).map(|(_, v)| v.clone());
    chosen.collect()
}

/// The representation of `(Set T)` in a script and its model.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetForm {
    Sets,
    Maps,
    /// Operators of both kinds occur.
    Unclear,
}

pub(crate) fn set_form(pool: &Pool) -> SetForm {
    let (mut sets, mut maps) = (false, false);
    for term in (0..pool.len() as u32).map(TermId) {
        match pool.kind(term) {
            Kind::Op { op, .. } => {
                sets |= op.row().theory == "Sets";
                maps |= op.row().theory == "Z3Sets";
            }
            // Only z3 represents a set by its membership function.
            Kind::Quant(Quantifier::Lambda, _) => {
                maps |= matches!(pool.sort(pool.sort_of(term)), Sort::Set(_))
            }
            _ => {}
        }
    }
    match (sets, maps) {
        (true, true) => SetForm::Unclear,
        (false, true) => SetForm::Maps,
        _ => SetForm::Sets,
    }
}

/// NaN once, then every other pattern.
fn list_floats(format: Format) -> Option<Vec<Value>> {
    let mut all = vec![Value::Float(format.nan())];
    for bits in 0..1u64 << format.width() {
        let float = Float::from_bits(format, &BitVec::from_u64(format.width(), bits)?)?;
        if !float.is_nan() {
            all.push(Value::Float(float));
        }
    }
    Some(all)
}
