//! Grows an expression at a hole: at random, or from a given specification.
//!
//! The result is well-typed by construction: donors fit the hole, productions are typed by the tables, literals have
//! their sort, slots of a template are filled by sort. No written text is parsed.

use super::Weights;
use super::ground::{Ground, Hole};
use super::harvest::{Harvest, Portable};
use crate::mutant::logic::Reach;
use crate::mutant::places::is_zero;
use crate::{Prepared, Rng};
use smtlib::SortId;

/// How deep fresh applications nest.
const DEPTH: usize = 2;
const TRIES: usize = 8;

/// Whether a text at a hole makes a linear script nonlinear.
pub(super) fn is_bent(ground: &Ground, hole: &Hole, text: &[u8]) -> bool {
    let plain_number = text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    hole.scaled && (!plain_number || is_zero(text) || ground.places.logic.is_difference())
}

/// An expression, before it is put anywhere.
pub(super) struct Grown {
    pub text: Vec<u8>,
    pub declares: Vec<u8>,
    pub reach: Reach,
    pub from: Option<u32>,
}

/// A replaced hole.
#[derive(Clone, Debug)]
pub struct Planted {
    pub hole: u32,
    pub text: Vec<u8>,
    /// Declarations of fresh constants, to be inserted before the hole's command.
    pub declares: Vec<u8>,
    pub reach: Reach,
    /// The seed of the bank that a template came from.
    pub from: Option<u32>,
    /// The way it was grown, for people.
    pub how: &'static str,
}

/// The specification of an expression to grow.
#[derive(Clone, Debug)]
pub enum Spec<'s> {
    /// A term of the seed, by its text.
    Term(&'s str),
    /// A boundary value of the required sort, by its text.
    Value(&'s str),
    /// An operator, as it is written, applied to these.
    Apply(&'s str, Vec<Spec<'s>>),
}

/// Grows expressions in one seed.
pub struct Grower<'a> {
    pub prepared: &'a Prepared,
    pub ground: &'a Ground,
    pub harvest: &'a Harvest,
    out: Vec<u8>,
    declares: Vec<u8>,
    from: Option<u32>,
    /// How many fresh constants there are.
    serial: u32,
}

impl<'a> Grower<'a> {
    pub fn new(prepared: &'a Prepared, ground: &'a Ground, harvest: &'a Harvest) -> Grower<'a> {
        Grower { prepared, ground, harvest, out: vec![], declares: vec![], from: None, serial: 0 }
    }

    /// A new expression for a hole; `None` if all attempts failed.
    pub fn plant(&mut self, number: u32, weights: &Weights, rng: &mut Rng) -> Option<Planted> {
        let hole = self.ground.holes[number as usize];
        for _ in 0..TRIES {
            self.clear();
            let way = weights.pick(rng);
            let Some(reach) = self.in_way(&hole, way, rng) else { continue };
            let old = &self.prepared.printed.bytes[hole.start as usize..hole.end as usize];
            if self.out != old {
                return Some(self.finish(number, &hole, reach, way.how()));
            }
        }
        None
    }

    fn in_way(&mut self, hole: &Hole, way: GrowthWay, rng: &mut Rng) -> Option<Reach> {
        match way {
            GrowthWay::Apply => self.apply(hole, hole.sort, DEPTH, rng),
            GrowthWay::Swap => self.donor(hole, hole.sort, rng),
            GrowthWay::Value => self.literal(hole, hole.sort, rng),
            GrowthWay::Harvest => self.template(hole, hole.sort, rng),
            GrowthWay::Driven => self.driven(hole, rng),
        }
    }

    /// An expression that is made in this way, for a hole that need not be one of the seed's.
    pub(super) fn grow(&mut self, hole: &Hole, way: GrowthWay, rng: &mut Rng) -> Option<Grown> {
        self.clear();
        let reach = self.in_way(hole, way, rng)?;
        let (text, declares) = (std::mem::take(&mut self.out), std::mem::take(&mut self.declares));
        Some(Grown { text, declares, reach, from: self.from })
    }

    /// A number that keeps an application linear, and how far outside the logic it is.
    pub(super) fn factor_text(
        &mut self,
        hole: &Hole,
        times: bool,
        rng: &mut Rng,
    ) -> Option<(Vec<u8>, Reach)> {
        self.clear();
        let reach = self.factor(hole, hole.sort, times, rng)?;
        Some((std::mem::take(&mut self.out), reach))
    }

    /// A specified expression for a hole, if it is well-typed there.
    pub fn plant_spec(&mut self, number: u32, spec: &Spec<'_>) -> Option<Planted> {
        let hole = self.ground.holes[number as usize];
        self.clear();
        let reach = self.spec(&hole, hole.sort, spec)?;
        Some(self.finish(number, &hole, reach, "as specified"))
    }

    fn clear(&mut self) {
        self.out.clear();
        self.declares.clear();
        self.from = None;
    }

    fn finish(&mut self, number: u32, hole: &Hole, reach: Reach, how: &'static str) -> Planted {
        let bent = is_bent(self.ground, hole, &self.out);
        let reach = if bent { reach.max(Reach::Nonlinear) } else { reach };
        Planted {
            hole: number,
            text: std::mem::take(&mut self.out),
            declares: std::mem::take(&mut self.declares),
            reach,
            from: self.from,
            how,
        }
    }

    // Random growth.

    fn apply(&mut self, hole: &Hole, sort: SortId, depth: usize, rng: &mut Rng) -> Option<Reach> {
        let ground = self.ground;
        let production = rng.pick(ground.productions.get(&sort)?)?;
        let mark = self.out.len();
        let mut reach = production.reach;
        if production.args.is_empty() {
            self.out.extend_from_slice(&production.head);
            return Some(reach);
        }
        self.out.push(b'(');
        self.out.extend_from_slice(&production.head);
        for (n, &sort) in production.args.iter().enumerate() {
            self.out.push(b' ');
            let arg = match production.numbers[n] {
                true => self.factor(hole, sort, *production.head == *b"*", rng),
                false => self.argument(hole, sort, depth - 1, rng),
            };
            match arg {
                Some(further) => reach = reach.max(further),
                None => {
                    self.out.truncate(mark);
                    return None;
                }
            }
        }
        self.out.push(b')');
        Some(reach)
    }

    /// A number that keeps an application linear; a zero divisor does not.
    fn factor(&mut self, hole: &Hole, sort: SortId, times: bool, rng: &mut Rng) -> Option<Reach> {
        let mark = self.out.len();
        let reach = self.literal(hole, sort, rng)?;
        let linear = times || !is_zero(&self.out[mark..]);
        Some(if linear { reach } else { reach.max(Reach::Nonlinear) })
    }

    fn argument(&mut self, hole: &Hole, sort: SortId, depth: usize, rng: &mut Rng) -> Option<Reach> {
        let roll = rng.below(8);
        if roll == 0 && depth > 0 {
            if let Some(reach) = self.apply(hole, sort, depth, rng) {
                return Some(reach);
            }
        } else if roll == 1
            && let Some(reach) = self.literal(hole, sort, rng)
        {
            return Some(reach);
        }
        match self.donor(hole, sort, rng) {
            Some(reach) => Some(reach),
            None => self.literal(hole, sort, rng),
        }
    }

    fn donor(&mut self, hole: &Hole, sort: SortId, rng: &mut Rng) -> Option<Reach> {
        let ground = self.ground;
        let donors = ground.by_sort.get(&sort)?;
        for _ in 0..TRIES {
            let donor = &ground.donors[*rng.pick(donors)? as usize];
            if ground.fits(donor, hole) {
                self.copy(donor.start, donor.end);
                return Some(Reach::Inside);
            }
        }
        None
    }

    fn copy(&mut self, start: u32, end: u32) {
        self.out.extend_from_slice(&self.prepared.printed.bytes[start as usize..end as usize]);
    }

    fn literal(&mut self, hole: &Hole, sort: SortId, rng: &mut Rng) -> Option<Reach> {
        let literal = rng.pick(self.ground.literals.get(&sort)?)?;
        literal.life.covers(hole.command).then(|| {
            self.out.extend_from_slice(&literal.text);
            Reach::Inside
        })
    }

    /// An operator over terms of other seeds (section 5.6 of the thesis).
    fn driven(&mut self, hole: &Hole, rng: &mut Rng) -> Option<Reach> {
        let ground = self.ground;
        let production = rng.pick(ground.productions.get(&hole.sort)?).filter(|p| !p.args.is_empty())?;
        let mut reach = production.reach;
        self.out.push(b'(');
        self.out.extend_from_slice(&production.head);
        for (n, &sort) in production.args.iter().enumerate() {
            self.out.push(b' ');
            let arg = match production.numbers[n] {
                true => self.factor(hole, sort, *production.head == *b"*", rng)?,
                false => match self.template(hole, sort, rng) {
                    Some(reach) => reach,
                    None => self.donor(hole, sort, rng).or_else(|| self.literal(hole, sort, rng))?,
                },
            };
            reach = reach.max(arg);
        }
        self.out.push(b')');
        Some(reach)
    }

    fn template(&mut self, hole: &Hole, sort: SortId, rng: &mut Rng) -> Option<Reach> {
        let (ground, harvest) = (self.ground, self.harvest);
        let portable = ground.sorts.iter().find(|(known, _)| *known == sort)?;
        let number = *rng.pick(harvest.of_sort(harvest.sort(&portable.1)?))?;
        let template = &harvest.templates[number as usize];
        let reach = template.reach(&ground.places.logic, &ground.admitted)?;
        if template.takers & ground.places.takers != ground.places.takers {
            return None;
        }
        let fillers: Vec<Vec<u8>> =
            template.vars.iter().map(|&var| self.filler(hole, var, rng)).collect::<Option<_>>()?;
        let mut at = 0;
        for &(place, var) in &template.slots {
            self.out.extend_from_slice(&template.text[at..place as usize]);
            self.out.extend_from_slice(&fillers[var as usize]);
            at = place as usize;
        }
        self.out.extend_from_slice(&template.text[at..]);
        self.from = Some(template.seed);
        Some(reach)
    }

    /// The replacement of a template's variable: usually a variable or term of the script, sometimes a fresh constant.
    fn filler(&mut self, hole: &Hole, var: Portable, rng: &mut Rng) -> Option<Vec<u8>> {
        let (ground, harvest) = (self.ground, self.harvest);
        let text = harvest.sort_text(var);
        let here = ground.sorts.iter().find(|(_, known)| **known == *text).map(|(sort, _)| *sort);
        if let Some(sort) = here.filter(|_| !rng.chance(1, 4)) {
            let outer = std::mem::take(&mut self.out);
            let found = self.donor(hole, sort, rng);
            let filler = std::mem::replace(&mut self.out, outer);
            if found.is_some() {
                return Some(filler);
            }
        }
        // cvc5 has no variables of language sorts.
        if text == b"RegLan" {
            return None;
        }
        self.serial += 1;
        let name = format!("{}{}", ground.prefix, self.serial);
        self.declares.extend_from_slice(format!("(declare-const {name} ").as_bytes());
        self.declares.extend_from_slice(text);
        self.declares.extend_from_slice(b")\n");
        Some(name.into_bytes())
    }

    // Growth from a specification.

    fn spec(&mut self, hole: &Hole, sort: SortId, spec: &Spec<'_>) -> Option<Reach> {
        let ground = self.ground;
        match spec {
            Spec::Term(text) => {
                let bytes = &self.prepared.printed.bytes;
                let found =
                    ground.by_sort.get(&sort)?.iter().map(|&n| &ground.donors[n as usize]).find(|donor| {
                        bytes[donor.start as usize..donor.end as usize] == *text.as_bytes()
                            && ground.fits(donor, hole)
                    })?;
                self.copy(found.start, found.end);
                Some(Reach::Inside)
            }
            Spec::Value(text) => {
                let mut literals = ground.literals.get(&sort)?.iter();
                let literal = literals.find(|literal| *literal.text == *text.as_bytes())?;
                self.out.extend_from_slice(&literal.text);
                Some(Reach::Inside)
            }
            Spec::Apply(head, args) => {
                let productions = ground.productions.get(&sort)?.iter();
                let mut named =
                    productions.filter(|p| *p.head == *head.as_bytes() && p.args.len() == args.len());
                named.find_map(|production| {
                    let mark = self.out.len();
                    let open: &[u8] = if args.is_empty() { b"" } else { b"(" };
                    self.out.extend_from_slice(open);
                    self.out.extend_from_slice(&production.head);
                    let mut reach = production.reach;
                    for (arg, &sort) in args.iter().zip(&production.args) {
                        self.out.push(b' ');
                        match self.spec(hole, sort, arg) {
                            Some(further) => reach = reach.max(further),
                            None => {
                                self.out.truncate(mark);
                                return None;
                            }
                        }
                    }
                    self.out.extend_from_slice(if args.is_empty() { b"" } else { b")" });
                    Some(reach)
                })
            }
        }
    }
}

/// The ways to fill a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrowthWay {
    Apply,
    Swap,
    Value,
    Harvest,
    Driven,
}

impl GrowthWay {
    /// The words for users.
    pub const ALL: [(&'static str, GrowthWay); 5] = [
        ("operator", GrowthWay::Apply),
        ("exchange", GrowthWay::Swap),
        ("value", GrowthWay::Value),
        ("database", GrowthWay::Harvest),
        ("data-driven", GrowthWay::Driven),
    ];

    pub(super) fn how(self) -> &'static str {
        match self {
            GrowthWay::Apply => "a fresh application",
            GrowthWay::Swap => "another term of the script",
            GrowthWay::Value => "a boundary value",
            GrowthWay::Harvest => "a term of another seed",
            GrowthWay::Driven => "a fresh application to terms of other seeds",
        }
    }
}

impl Weights {
    pub(super) fn pick(&self, rng: &mut Rng) -> GrowthWay {
        let ways = [
            (GrowthWay::Apply, self.apply),
            (GrowthWay::Swap, self.swap),
            (GrowthWay::Value, self.value),
            (GrowthWay::Harvest, self.harvest),
            (GrowthWay::Driven, self.driven),
        ];
        let total: usize = ways.iter().map(|(_, weight)| *weight as usize).sum();
        let mut at = rng.below(total.max(1));
        for (way, weight) in ways {
            if at < weight as usize {
                return way;
            }
            at -= weight as usize;
        }
        GrowthWay::Apply
    }
}
