//! Open points: applications whose value is defined neither by the standard nor by the model.
//!
//! A point is an operator (or a symbol that the model leaves out) together with argument values. Its value is a free
//! choice, but it is one choice: the same operator on the same arguments has the same value everywhere. As long as no
//! value is chosen the point is unknown. If the model contains the solver's own function for such an operator, that
//! function has priority, because then the model does define the value.

use super::{Cx, Evaluator, Filling, Outcome, Unknown};
use crate::value::Value;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::term::{DeclId, IndicesId};
use smtlib::theory::OpId;

/// The number of an open point in its evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointId(pub u32);

/// Which function is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// An under-specified operator, by the name of its evaluation.
    Operator(&'static str, IndicesId),
    /// A row without evaluation that is open everywhere, such as z3's `div0`.
    Row(OpId, IndicesId),
    /// A selector on a value of another constructor, and the sort of that value where the selector's own sort does not
    /// say it.
    Selector(DeclId, Option<SortId>),
    /// A function that the model leaves out.
    Missing(DeclId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    pub family: Family,
    pub args: Box<[Value]>,
    /// The sort of its value.
    pub sort: SortId,
}

#[derive(Default)]
pub(super) struct Points {
    ids: HashMap<Point, PointId, FxBuildHasher>,
    all: Vec<Entry>,
    /// The current choices of a search, oldest first.
    pub trail: Vec<PointId>,
}

struct Entry {
    point: Point,
    chosen: Option<Value>,
    /// The only values it may have, if they are few.
    only: Option<Vec<Value>>,
}

impl Points {
    fn id(&mut self, point: Point, only: Option<Vec<Value>>) -> PointId {
        if let Some(&id) = self.ids.get(&point) {
            return id;
        }
        let id = PointId(self.all.len() as u32);
        self.ids.insert(point.clone(), id);
        self.all.push(Entry { point, chosen: None, only });
        id
    }

    pub fn get(&self, id: PointId) -> &Point {
        &self.all[id.0 as usize].point
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn only(&self, id: PointId) -> Option<&[Value]> {
        self.all[id.0 as usize].only.as_deref()
    }

    pub fn choose(&mut self, id: PointId, value: Value) {
        self.all[id.0 as usize].chosen = Some(value);
        self.trail.push(id);
    }

    pub fn has_missing(&self) -> bool {
        self.all.iter().any(|entry| matches!(entry.point.family, Family::Missing(_)))
    }

    /// Undoes the choices made since the trail was this long.
    pub fn undo(&mut self, mark: usize) {
        for id in self.trail.drain(mark..) {
            self.all[id.0 as usize].chosen = None;
        }
    }

    pub fn forget_choices(&mut self) {
        self.trail.clear();
        for entry in &mut self.all {
            entry.chosen = None;
        }
    }

    /// All current choices.
    pub fn chosen(&self) -> impl Iterator<Item = (&Point, &Value)> {
        self.all.iter().filter_map(|entry| Some((&entry.point, entry.chosen.as_ref()?)))
    }
}

/// The names under which solvers show their choices.
const NAMES: &[(&str, &[&str])] = &[
    ("int_div", &["div0"]),
    ("int_mod", &["mod0"]),
    ("int_rem", &["rem0"]),
    ("real_div", &["/0"]),
    ("int_pow", &["^0", "power0"]),
    ("real_pow", &["^0", "power0"]),
    ("bv_udiv", &["bvudiv0"]),
    ("bv_urem", &["bvurem0"]),
    ("bv_sdiv", &["bvsdiv0"]),
    ("bv_srem", &["bvsrem0"]),
    ("bv_smod", &["bvsmod0"]),
    ("fp_min", &["fp.min_unspecified"]),
    ("fp_max", &["fp.max_unspecified"]),
    ("fp_to_ubv", &["fp.to_ubv_unspecified"]),
    ("fp_to_sbv", &["fp.to_sbv_unspecified"]),
    ("fp_to_real", &["fp.to_real_unspecified"]),
    ("fp_to_ieee_bv", &["fp.to_ieee_bv_unspecified"]),
    ("seq_nth", &["seq.nth_u"]),
    ("str_nth", &["seq.nth_u"]),
];

impl Evaluator<'_> {
    /// The value of an open point: from the model, as chosen, or unknown.
    pub(super) fn open(
        &mut self,
        family: Family,
        args: &[Value],
        sort: SortId,
        only: Option<Vec<Value>>,
    ) -> Outcome {
        let missing = matches!(family, Family::Missing(_));
        let fill = match self.filling {
            Filling::All => true,
            Filling::Missing | Filling::ChosenAndMissing => missing,
            Filling::None | Filling::Chosen | Filling::Free => false,
        };
        if args.iter().any(Value::is_generic) {
            // A function that the model leaves out becomes a constant function, so the arguments do not matter.
            let whole = if fill && missing { self.default_value(sort) } else { None };
            return whole.ok_or(Unknown::Generic);
        }
        if matches!(self.filling, Filling::All | Filling::Chosen | Filling::ChosenAndMissing)
            && let Some(outcome) = self.told_by_model(family, args, sort)
        {
            return outcome;
        }
        let id = self.points.id(Point { family, args: args.into(), sort }, only);
        let entry = &self.points.all[id.0 as usize];
        if let Some(value) = &entry.chosen {
            return Ok(value.clone());
        }
        if !fill {
            return Err(Unknown::Open(id));
        }
        match entry.only.as_ref().and_then(|only| only.first()) {
            Some(first) => Ok(first.clone()),
            None => self.default_value(sort).ok_or(Unknown::NoValue(sort)),
        }
    }

    /// The value of a point at which not every choice is possible: as chosen, or unknown, never a default.
    pub(super) fn constrained(&mut self, family: Family, args: &[Value], sort: SortId) -> Outcome {
        let id = self.points.id(Point { family, args: args.into(), sort }, None);
        self.points.all[id.0 as usize].chosen.clone().ok_or(Unknown::Open(id))
    }

    /// The value of the solver's own function for a family.
    fn told_by_model(&mut self, family: Family, args: &[Value], sort: SortId) -> Option<Outcome> {
        if self.model.under.is_empty() {
            return None;
        }
        let model = self.model;
        let plain;
        let names: &[&str] = match family {
            Family::Operator(eval, _) => NAMES.iter().find(|(name, _)| *name == eval)?.1,
            Family::Row(op, _) => {
                plain = [op.row().name];
                &plain
            }
            Family::Selector(..) | Family::Missing(_) => return None,
        };
        let found = model.under.iter().find(|(name, definition)| {
            names.contains(&name.as_str())
                && definition.vars.len() <= args.len()
                && self.pool.sort_of(definition.body) == sort
                && definition.vars.iter().zip(args).all(|(&(_, sort), arg)| self.may_have(arg, sort))
        })?;
        let args: Vec<Outcome> = args[..found.1.vars.len()].iter().cloned().map(Ok).collect();
        Some(self.nested(|eval| eval.call_definition(&found.1, args, None)))
    }

    /// Whether a value can be of a sort; this distinguishes the instances of one helper function.
    fn may_have(&self, value: &Value, sort: SortId) -> bool {
        use smtlib::sort::Sort;
        match (value, self.pool.sort(sort)) {
            (Value::BitVec(b), Sort::BitVec(width)) => b.width() == *width,
            (Value::BitVec(_), _) | (_, Sort::BitVec(_)) => false,
            (Value::Float(f), Sort::Float { eb, sb }) => f.format().eb() == *eb && f.format().sb() == *sb,
            (Value::Int(_), Sort::Int) => true,
            (Value::Int(_), _) | (_, Sort::Int) => false,
            (Value::RoundingMode(_), Sort::RoundingMode) => true,
            (Value::RoundingMode(_), _) | (_, Sort::RoundingMode) => false,
            _ => true,
        }
    }
}

impl Cx<'_, '_> {
    /// The operator is open at these arguments.
    pub fn open(&mut self, args: &[Value]) -> Outcome {
        self.open_among(args, None)
    }

    /// The operator is open at these arguments, but its value is one of these.
    pub fn open_among(&mut self, args: &[Value], only: Option<Vec<Value>>) -> Outcome {
        let name = self.op.row().eval.unwrap_or(self.op.row().name);
        self.eval.open(Family::Operator(name, self.indices), args, self.sort, only)
    }
}
