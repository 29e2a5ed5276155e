//! One change of a chain: a place, a rule that can be applied there, and the new text.
//!
//! A place is drawn at random; its parity determines the direction in which a rule must be applied so that the whole
//! formula becomes weaker (or stronger). Where parity is unknown only equivalences apply. If no rule can be applied,
//! another place is drawn.

use super::formula::{Binders, Formula};
use super::ground::{Ground, Instance};
use super::matching::{Matcher, Slots};
use super::parity::Parity;
use super::rules::Rules;
use super::writing::{Draft, Writer};
use crate::mutant::logic::Reach;
use crate::{Prepared, Rng};
use smtlib::SortId;

/// The effect of a change on the whole formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Weaker,
    Stronger,
    Same,
}

/// A change that was made.
pub struct Change {
    pub rule: u32,
    /// From left to right.
    pub forward: bool,
    pub effect: Effect,
    pub reach: Reach,
    /// Which rule was applied where, as text for people.
    pub text: String,
}

const PLACES: usize = 48;
const RULES: usize = 12;
/// Formulas that have grown larger than this are not changed further.
const BYTES: usize = 4 << 20;

/// Makes changes to the formulas of one seed.
pub struct Stepper<'a> {
    pub prepared: &'a Prepared,
    pub ground: &'a Ground,
    pub rules: &'a Rules,
    made: Vec<Binders>,
    fresh: u32,
    slots: Slots,
    out: Draft,
    ancestors: Vec<u32>,
}

impl<'a> Stepper<'a> {
    pub fn new(prepared: &'a Prepared, ground: &'a Ground, rules: &'a Rules) -> Stepper<'a> {
        Stepper {
            prepared,
            ground,
            rules,
            made: vec![],
            fresh: 0,
            slots: Slots::default(),
            out: Draft::default(),
            ancestors: vec![],
        }
    }

    /// Makes the formula weaker or stronger; the change may also be an equivalence.
    pub fn step(&mut self, formula: &mut Formula, aim: Effect, rng: &mut Rng) -> Option<Change> {
        if formula.nodes.is_empty() || formula.bytes.len() > BYTES {
            return None;
        }
        for _ in 0..PLACES {
            let node = rng.below(formula.nodes.len()) as u32;
            let here = &formula.nodes[node as usize];
            if here.fixed {
                continue;
            }
            let by_op = self.ground.by_op.get(&here.op).map_or(&[][..], Vec::as_slice);
            let by_sort = self.ground.by_sort.get(&here.sort).map_or(&[][..], Vec::as_slice);
            let instances = if by_op.is_empty() || rng.chance(1, 4) { by_sort } else { by_op };
            if let Some(change) = self.step_at(formula, node, instances, aim, rng) {
                return Some(change);
            }
        }
        None
    }

    /// Tries some of these instances at a node.
    pub fn step_at(
        &mut self,
        formula: &mut Formula,
        node: u32,
        instances: &[u32],
        aim: Effect,
        rng: &mut Rng,
    ) -> Option<Change> {
        if instances.is_empty() {
            return None;
        }
        let parity = formula.ancestors(node, &mut self.ancestors);
        for _ in 0..RULES {
            let Some(&number) = rng.pick(instances) else { break };
            let instance = &self.ground.instances[number as usize];
            let Some(effect) = self.effect(instance, parity).filter(|&effect| suits(effect, aim)) else {
                continue;
            };
            if self.prepare(formula, node, instance, rng) {
                return Some(self.commit(formula, node, instance, effect));
            }
        }
        None
    }

    /// Applies a rule, by name, to the first node that it matches from here on; for examples.
    pub fn apply(
        &mut self,
        formula: &mut Formula,
        rule: &str,
        forward: bool,
        from: u32,
        rng: &mut Rng,
    ) -> Option<Change> {
        let nodes = from..formula.nodes.len() as u32;
        nodes.into_iter().find_map(|node| self.apply_at(formula, rule, forward, node, rng))
    }

    /// Applies a rule, by name, to one node.
    pub fn apply_at(
        &mut self,
        formula: &mut Formula,
        rule: &str,
        forward: bool,
        node: u32,
        rng: &mut Rng,
    ) -> Option<Change> {
        for instance in &self.ground.instances {
            let named = self.rules.rules[instance.rule as usize].name == rule && instance.forward == forward;
            if !named || formula.nodes[node as usize].fixed {
                continue;
            }
            let parity = formula.ancestors(node, &mut self.ancestors);
            let Some(effect) = self.effect(instance, parity) else { continue };
            if self.prepare(formula, node, instance, rng) {
                return Some(self.commit(formula, node, instance, effect));
            }
        }
        None
    }

    /// The effect of an instance on the whole formula at a place of this parity; `None` if it may not be applied.
    fn effect(&self, instance: &Instance, parity: Parity) -> Option<Effect> {
        if self.rules.rules[instance.rule as usize].equivalent {
            return Some(Effect::Same);
        }
        match (parity, instance.forward) {
            (Parity::Unknown, _) => None,
            (Parity::Positive, true) | (Parity::Negative, false) => Some(Effect::Weaker),
            (Parity::Positive, false) | (Parity::Negative, true) => Some(Effect::Stronger),
        }
    }

    /// Matches a rule and writes the replacement of the node; false if the rule does not apply.
    fn prepare(&mut self, formula: &Formula, node: u32, instance: &Instance, rng: &mut Rng) -> bool {
        let rule = &self.rules.rules[instance.rule as usize];
        let (ground, made) = (self.ground, &self.made);
        let binders = |n: u32| -> &[(Box<[u8]>, SortId)] {
            let n = n as usize;
            ground.binders.get(n).or_else(|| made.get(n - ground.binders.len())).map_or(&[], |list| list)
        };
        let slots = &mut self.slots;
        let matcher = Matcher { ground, rule, instance, formula, binders: &binders, slots, rng };
        if !matcher.matches(node) {
            return false;
        }
        let written = Writer {
            prepared: self.prepared,
            ground,
            rule,
            instance,
            formula,
            made: &mut self.made,
            fresh: &mut self.fresh,
            slots: &mut self.slots,
            out: &mut self.out,
            rng,
            at: formula.nodes[node as usize],
        }
        .write();
        written.is_some() && self.out.bytes != formula.text(node)
    }

    fn commit(&mut self, formula: &mut Formula, node: u32, instance: &Instance, effect: Effect) -> Change {
        let rule = &self.rules.rules[instance.rule as usize];
        let mut text = String::with_capacity(160);
        text.push_str(&rule.name);
        text.push_str(match (rule.equivalent, instance.forward) {
            (_, true) => ", command ",
            (_, false) => " from right to left, command ",
        });
        push_number(&mut text, formula.nodes[node as usize].command + 1);
        text.push_str(": `");
        push_short(&mut text, formula.text(node));
        text.push_str("` becomes `");
        push_short(&mut text, &self.out.bytes);
        text.push('`');
        formula.replace(node, &self.ancestors, &self.out.bytes, &self.out.nodes);
        Change { rule: instance.rule, forward: instance.forward, effect, reach: instance.reach, text }
    }
}

/// Whether a change may be part of a chain with this aim.
fn suits(effect: Effect, aim: Effect) -> bool {
    effect == aim || effect == Effect::Same
}

fn push_number(out: &mut String, number: u32) {
    use std::fmt::Write as _;
    let _ = write!(out, "{number}");
}

/// Appends the beginning of a text, enough to recognise it.
pub fn push_short(out: &mut String, text: &[u8]) {
    const SHOWN: usize = 60;
    if text.len() <= SHOWN {
        out.push_str(&String::from_utf8_lossy(text));
    } else {
        out.push_str(&String::from_utf8_lossy(&text[..SHOWN]));
        out.push('…');
    }
}
