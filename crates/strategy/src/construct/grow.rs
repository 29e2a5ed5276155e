//! Growing terms whose values are known in several worlds.
//!
//! Terms grow from the leaves. An operator or function is drawn, its arguments are existing terms or boundary values,
//! and its value is computed at once, in the chosen world and in the others. A term without a value in the chosen
//! world (a point that the standard leaves open, or a limit of the evaluator) is dropped, and so is one whose value has
//! several forms, such as an array over a large finite sort: claims compare values by their form. So every term that is
//! kept has a meaning that all solvers must agree on. No text is parsed on the way.

use super::stage::{Code, Growth, Literal, Stage};
use super::world::World;
use crate::Rng;
use semantics::eval::Evaluator;
use semantics::value::Value;
use semantics::value::compound::NOT_PLAIN;
use smtlib::SortId;

/// The chosen world, and others that measure how tight a claim is.
pub const WORLDS: usize = 6;
/// Longer terms are not used further.
const LENGTH: usize = 240;

/// The bit that says that a term depends on functions.
pub const FUNCTIONS: u64 = 1 << 63;

/// Whether two values of this form are different if their forms are. Regular languages are not compared.
pub fn has_one_form(value: &Value) -> bool {
    matches!(value, Value::RegLan(_)) || value.marks() & NOT_PLAIN == 0
}

/// A term with its value in every world.
pub struct Item {
    pub text: Vec<u8>,
    pub sort: SortId,
    /// Bit n: it depends on constant n.
    pub uses: u64,
    /// The first is the value in the chosen world. A value that cannot be computed is missing.
    pub values: [Option<Value>; WORLDS],
    /// An application, not a symbol.
    pub grown: bool,
}

/// Terms over one stage, in several worlds.
pub struct Grove<'s> {
    pub stage: &'s Stage,
    pub worlds: [World; WORLDS],
    pub items: Vec<Item>,
    /// The worlds differ in one constant only and have the functions of the first.
    is_fan: bool,
}

/// An argument: an existing term, or a value.
#[derive(Clone, Copy)]
enum Arg<'s> {
    Item(usize),
    Value(&'s Literal),
}

impl<'s> Grove<'s> {
    /// The constants of a stage.
    pub fn plant(stage: &'s Stage, rng: &mut Rng) -> Grove<'s> {
        Grove::of(stage, std::array::from_fn(|_| World::choose(stage, rng)), false)
    }

    /// Worlds that differ in one constant: from the second on it has each of its values.
    pub fn fan(stage: &'s Stage, constant: usize, count: usize, rng: &mut Rng) -> Grove<'s> {
        let first = World::choose(stage, rng);
        let world =
            |n: usize| if (1..=count).contains(&n) { first.with(constant, n - 1) } else { first.clone() };
        Grove::of(stage, std::array::from_fn(world), true)
    }

    fn of(stage: &'s Stage, worlds: [World; WORLDS], is_fan: bool) -> Grove<'s> {
        let constant = |(n, constant): (usize, &super::stage::Declared)| Item {
            text: constant.name.as_bytes().to_vec(),
            sort: constant.result,
            uses: 1 << n.min(62),
            values: std::array::from_fn(|w| worlds[w].constant(stage, n).cloned()),
            grown: false,
        };
        let items = stage.constants.iter().enumerate().map(constant).collect();
        Grove { stage, worlds, items, is_fan }
    }

    /// Grows a term of any sort, and returns its number if that worked.
    pub fn grow(&mut self, evaluator: &mut Evaluator<'_>, rng: &mut Rng) -> Option<usize> {
        let (sort, families) = rng.pick(&self.stage.growths)?;
        self.apply(evaluator, *sort, families, rng)
    }

    /// Grows a term of this sort.
    pub fn grow_sort(&mut self, evaluator: &mut Evaluator<'_>, sort: SortId, rng: &mut Rng) -> Option<usize> {
        let (_, families) = self.stage.growths.iter().find(|(result, _)| *result == sort)?;
        self.apply(evaluator, sort, families, rng)
    }

    /// The number of a random term of this sort; later terms are likelier.
    pub fn some(&self, sort: SortId, rng: &mut Rng) -> Option<usize> {
        let count = self.items.iter().filter(|item| item.sort == sort).count();
        if count == 0 {
            return None;
        }
        let nth = rng.below(count).max(rng.below(count));
        self.items.iter().enumerate().filter(|(_, item)| item.sort == sort).nth(nth).map(|(n, _)| n)
    }

    fn apply(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        sort: SortId,
        families: &'s [Vec<Growth>],
        rng: &mut Rng,
    ) -> Option<usize> {
        let family = rng.pick(families)?;
        let growth = rng.pick(family)?;
        let mut args = Vec::with_capacity(growth.args.len());
        for (&sort, &factor) in growth.args.iter().zip(&growth.factors) {
            args.push(self.argument(sort, factor, rng)?);
        }
        let uses_a_term = args.iter().any(|arg| matches!(arg, Arg::Item(_)));
        let text = self.text(growth, &args);
        if !uses_a_term || text.len() > LENGTH {
            return None;
        }
        let mut values: [Option<Value>; WORLDS] = std::array::from_fn(|_| None);
        for (world, slot) in values.iter_mut().enumerate() {
            *slot = self.value(evaluator, sort, growth, &args, world, rng);
            if world == 0 && slot.is_none() {
                return None;
            }
        }
        let called = if matches!(growth.code, Code::Function(_)) { FUNCTIONS } else { 0 };
        let used = |arg: &Arg<'_>| if let Arg::Item(n) = arg { self.items[*n].uses } else { 0 };
        let uses = args.iter().map(used).fold(called, |all, one| all | one);
        self.items.push(Item { text, sort, uses, values, grown: true });
        Some(self.items.len() - 1)
    }

    fn argument(&self, sort: SortId, factor: bool, rng: &mut Rng) -> Option<Arg<'s>> {
        let literals = self.stage.literals(sort);
        if factor {
            let start = rng.below(literals.len().max(1));
            let mut from_there = literals[start..].iter().chain(&literals[..start]);
            return from_there.find(|literal| literal.is_factor).map(Arg::Value);
        }
        if !rng.chance(1, 5)
            && let Some(item) = self.some(sort, rng)
        {
            return Some(Arg::Item(item));
        }
        rng.pick(literals).map(Arg::Value)
    }

    fn text(&self, growth: &Growth, args: &[Arg<'_>]) -> Vec<u8> {
        let mut text = vec![b'('];
        text.extend_from_slice(&growth.head);
        for arg in args {
            text.push(b' ');
            text.extend_from_slice(match arg {
                Arg::Item(n) => &self.items[*n].text,
                Arg::Value(literal) => literal.text.as_bytes(),
            });
        }
        text.push(b')');
        text
    }

    fn value(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        sort: SortId,
        growth: &Growth,
        args: &[Arg<'_>],
        world: usize,
        rng: &mut Rng,
    ) -> Option<Value> {
        let of = |arg: &Arg<'_>| match arg {
            Arg::Item(n) => self.items[*n].values[world].clone(),
            Arg::Value(literal) => Some(literal.value.clone()),
        };
        let args: Vec<Value> = args.iter().map(of).collect::<Option<_>>()?;
        match growth.code {
            Code::Operation(operation) => {
                evaluator.apply_alone(operation, sort, &args).ok().filter(has_one_form)
            }
            Code::Function(number) => {
                let world = if self.is_fan { 0 } else { world };
                self.worlds[world].apply(self.stage, number, &args, rng)
            }
        }
    }
}
