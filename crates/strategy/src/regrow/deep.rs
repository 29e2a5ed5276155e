//! The deep chain of `regrow`: every change is made to the last mutant, so that terms grow into each other.
//!
//! This is Algorithm 5 of Winterer's thesis (φ ← φ_mutant): a later change may fall into an earlier one, and the terms
//! that earlier changes made are written elsewhere again. After some sixty changes a formula of five terms is a tree of
//! depth twenty. The other shape, in `mod.rs`, changes the seed in many places and stays flat.
//!
//! The mutant is a tree over the seed's bytes and never parsed: a node is a part of the seed with some of its holes
//! filled, an application, or a written value. Nodes are shared and never change; a change copies the path to it. Each
//! node knows its length and how many of its places may be changed, so that a random place is found without a search
//! and a change that would make the script longer than [`CAP`] is not made.
//!
//! Well-typed because: a place inside a copied term is offered only if no binder lies between it and the root of the
//! copy, so that the same variables are in scope as at the hole where the copy was written; and a node is written at
//! another hole only if every copy in it fits there.

use super::ground::{Ground, Hole};
use super::grow::{Grower, GrowthWay, is_bent};
use super::harvest::Harvest;
use super::{Weights, short};
use crate::mutant::logic::Reach;
use crate::mutant::places::Life;
use crate::mutant::splice::{Edit, splice};
use crate::{Prepared, Rng};
use rustc_hash::FxHashMap;
use smtlib::SortId;
use std::rc::Rc;

/// A mutant is at most this much longer than its seed, in bytes.
pub const CAP: usize = 12 << 10;
/// Attempts per change.
const TRIES: usize = 16;
/// How often an argument is a term that an earlier change made.
const OWN: (usize, usize) = (1, 3);
/// How often the replaced term becomes an argument of what replaces it, as in Figure 5.3.
const KEPT: (usize, usize) = (1, 2);

/// How often a change that makes the mutant shorter is made: a chain should grow, and most places are deep inside it.
const SHRINKING: (usize, usize) = (1, 8);

/// A term of the mutant, or all of it.
struct Node {
    what: What,
    len: usize,
    /// How many places in it may be changed, itself included.
    places: usize,
}

enum What {
    /// A part of the seed's text.
    Copy(Copied),
    Apply {
        head: Box<[u8]>,
        /// Arguments; a fixed one is a number that keeps the term linear.
        args: Vec<(Rc<Node>, SortId, bool)>,
    },
    Text {
        text: Box<[u8]>,
        /// Where it may be written; `None`: only here, since it uses a constant that was declared for it.
        life: Option<Life>,
    },
}

/// A part of the seed's text with some of its holes filled.
struct Copied {
    start: u32,
    end: u32,
    /// The donor that was copied; `None` for the whole seed.
    donor: Option<u32>,
    /// The holes in it that may be filled.
    holes: Rc<[u32]>,
    /// In order of place; none is inside another.
    filled: Vec<(u32, Rc<Node>)>,
}

/// One chain of changes.
pub struct Deep<'a> {
    prepared: &'a Prepared,
    ground: &'a Ground,
    grower: Grower<'a>,
    root: Rc<Node>,
    /// Terms that changes have made, by sort.
    grown: FxHashMap<SortId, Vec<Rc<Node>>>,
    inner: FxHashMap<u32, Rc<[u32]>>,
    declares: Vec<(u32, Vec<u8>)>,
    reach: Reach,
}

/// What a change did.
pub struct DeepChange {
    pub rule: String,
    /// The seed of the bank that a term came from.
    pub from: Option<u32>,
}

impl<'a> Deep<'a> {
    pub fn new(prepared: &'a Prepared, ground: &'a Ground, harvest: &'a Harvest) -> Deep<'a> {
        let all: Rc<[u32]> = (0..ground.holes.len() as u32).collect();
        let whole = Copied {
            start: 0,
            end: prepared.printed.bytes.len() as u32,
            donor: None,
            holes: all,
            filled: vec![],
        };
        Deep {
            root: Rc::new(copied(whole, ground)),
            grower: Grower::new(prepared, ground, harvest),
            prepared,
            ground,
            grown: FxHashMap::default(),
            inner: FxHashMap::default(),
            declares: vec![],
            reach: Reach::Inside,
        }
    }

    /// One change; `None` if no attempt succeeds.
    pub fn step(
        &mut self,
        weights: &Weights,
        allows: impl Fn(Reach) -> bool,
        rng: &mut Rng,
    ) -> Option<DeepChange> {
        for _ in 0..TRIES {
            // The whole script is no place.
            let place = rng.below((self.root.places - 1).max(1));
            let (hole, kept) = self.find(place)?;
            let old = self.text(&kept);
            let Some(made) = self.make(&hole, &kept, weights.pick(rng), rng) else { continue };
            let is_longer =
                self.root.len + made.node.len > self.prepared.printed.bytes.len() + old.len() + CAP;
            let (new, reach) = (self.text(&made.node), self.reach_of(&made, &hole));
            let shrinks = new.len() < old.len() && !rng.chance(SHRINKING.0, SHRINKING.1);
            if is_longer || shrinks || new == old || !allows(reach) {
                continue;
            }
            self.root = self.replaced(&self.root, place, &made.node)?;
            self.reach = self.reach.max(reach);
            if made.declares.is_empty() {
                self.grown.entry(hole.sort).or_default().push(Rc::clone(&made.node));
            } else {
                self.declares.push((hole.command, made.declares));
            }
            let rule = format!(
                "command {}: `{}` becomes `{}` ({})",
                hole.command + 1,
                short(&old),
                short(&new),
                made.how
            );
            return Some(DeepChange { rule, from: made.from });
        }
        None
    }

    /// The bytes of the mutant.
    pub fn write(&self) -> Vec<u8> {
        let What::Copy(seed) = &self.root.what else { return vec![] };
        let texts: Vec<(u32, Vec<u8>)> =
            seed.filled.iter().map(|(hole, node)| (*hole, self.text(node))).collect();
        let mut edits: Vec<Edit<'_>> = vec![];
        for (hole, text) in &texts {
            let hole = self.ground.holes[*hole as usize];
            edits.push(Edit { start: hole.start, end: hole.end, text });
        }
        for (command, text) in &self.declares {
            let at = self.prepared.printed.commands[*command as usize];
            edits.push(Edit { start: at, end: at, text });
        }
        if let Some(logic) = &self.ground.widened[self.reach as usize] {
            let renamed = |&(start, end): &(u32, u32)| Edit { start, end, text: logic.as_bytes() };
            edits.extend(self.ground.places.logic_names.iter().map(renamed));
        }
        splice(&self.prepared.printed.bytes, &mut edits)
    }

    /// How far outside the logic a term is at a hole.
    fn reach_of(&self, made: &Made, hole: &Hole) -> Reach {
        match is_bent(self.ground, hole, &self.text(&made.node)) {
            true => made.reach.max(Reach::Nonlinear),
            false => made.reach,
        }
    }

    // Places.

    /// The hole at a place of the mutant, and the term that is there.
    fn find(&mut self, place: usize) -> Option<(Hole, Rc<Node>)> {
        let (hole, found) = self.search(place)?;
        let node = match found {
            Found::Node(node) => node,
            Found::Seed(number) => self.seed_term(number),
        };
        Some((hole, node))
    }

    /// The seed's own term at a hole.
    fn seed_term(&mut self, number: u32) -> Rc<Node> {
        let ground = self.ground;
        let hole = ground.holes[number as usize];
        let is_it = |&n: &u32| {
            let donor = &ground.donors[n as usize];
            (donor.start, donor.end) == (hole.start, hole.end)
        };
        let donor = ground.by_sort.get(&hole.sort).and_then(|list| list.iter().copied().find(is_it));
        let holes = donor.map_or_else(|| Rc::from([]), |number| self.holes_in(number));
        Rc::new(copied(Copied { start: hole.start, end: hole.end, donor, holes, filled: vec![] }, ground))
    }

    fn search(&self, place: usize) -> Option<(Hole, Found)> {
        let What::Copy(seed) = &self.root.what else { return None };
        let (number, rest) = locate(seed, self.ground, place)?;
        let hole = self.ground.holes[number as usize];
        match rest {
            None => Some((hole, Found::Seed(number))),
            Some((node, place)) => self.find_in(node, place, hole),
        }
    }

    /// The same in a term that stands at a hole.
    fn find_in(&self, node: &Rc<Node>, place: usize, hole: Hole) -> Option<(Hole, Found)> {
        if place == 0 {
            return Some((hole, Found::Node(Rc::clone(node))));
        }
        let mut place = place - 1;
        match &node.what {
            What::Text { .. } => None,
            What::Apply { args, .. } => {
                for (arg, sort, fixed) in args {
                    let count = if *fixed { 0 } else { arg.places };
                    if place < count {
                        return self.find_in(arg, place, Hole { sort: *sort, ..hole });
                    }
                    place -= count;
                }
                None
            }
            What::Copy(copied) => {
                let (number, rest) = locate(copied, self.ground, place)?;
                let inner = self.ground.holes[number as usize];
                let here = Hole { sort: inner.sort, scaled: hole.scaled || inner.scaled, ..hole };
                match rest {
                    None => Some((here, Found::Seed(number))),
                    Some((node, place)) => self.find_in(node, place, here),
                }
            }
        }
    }

    /// A node with what is at a place replaced.
    fn replaced(&self, node: &Rc<Node>, place: usize, by: &Rc<Node>) -> Option<Rc<Node>> {
        let is_root = Rc::ptr_eq(node, &self.root);
        if place == 0 && !is_root {
            return Some(Rc::clone(by));
        }
        let mut place = if is_root { place } else { place - 1 };
        match &node.what {
            What::Text { .. } => None,
            What::Apply { head, args } => {
                let mut args = args.clone();
                for (arg, _, fixed) in &mut args {
                    let count = if *fixed { 0 } else { arg.places };
                    if place < count {
                        *arg = self.replaced(arg, place, by)?;
                        return Some(Rc::new(applied(head.clone(), args)));
                    }
                    place -= count;
                }
                None
            }
            What::Copy(old) => {
                let (number, rest) = locate(old, self.ground, place)?;
                let node = match rest {
                    None => Rc::clone(by),
                    Some((node, place)) => self.replaced(node, place, by)?,
                };
                Some(Rc::new(copied(old.with(number, node, self.ground), self.ground)))
            }
        }
    }

    // New terms.

    fn make(&mut self, hole: &Hole, old: &Rc<Node>, way: GrowthWay, rng: &mut Rng) -> Option<Made> {
        match way {
            GrowthWay::Apply => {
                let (node, reach) = self.apply(hole, old, rng)?;
                Some(Made { node, reach, declares: vec![], from: None, how: "a fresh application" })
            }
            GrowthWay::Swap => {
                let node = self.term(hole, rng)?;
                let how = "another term of the script";
                Some(Made { node, reach: Reach::Inside, declares: vec![], from: None, how })
            }
            GrowthWay::Value | GrowthWay::Harvest | GrowthWay::Driven => {
                let grown = self.grower.grow(hole, way, rng)?;
                // A template may use any symbol of the script that is in scope here.
                let life = if way == GrowthWay::Value { self.life_of(hole.sort) } else { None };
                let node = Rc::new(text(grown.text, life));
                let (declares, from) = (grown.declares, grown.from);
                Some(Made { node, reach: grown.reach, declares, from, how: way.how() })
            }
        }
    }

    /// An operator over the replaced term, terms of the script, of earlier changes, and values.
    fn apply(&mut self, hole: &Hole, old: &Rc<Node>, rng: &mut Rng) -> Option<(Rc<Node>, Reach)> {
        let ground = self.ground;
        let production = rng.pick(ground.productions.get(&hole.sort)?)?;
        let mut reach = production.reach;
        if production.args.is_empty() {
            return Some((Rc::new(text(production.head.to_vec(), self.life_of(hole.sort))), reach));
        }
        let mut args = vec![];
        let mut kept = rng.chance(KEPT.0, KEPT.1).then_some(old);
        for (&sort, &number) in production.args.iter().zip(&production.numbers) {
            let here = Hole { sort, ..*hole };
            let arg = if number {
                let factor = self.grower.factor_text(&here, *production.head == *b"*", rng)?;
                reach = reach.max(factor.1);
                Rc::new(text(factor.0, None))
            } else if let Some(old) = kept.take_if(|_| sort == hole.sort) {
                Rc::clone(old)
            } else if rng.chance(1, 8) {
                self.value(&here, rng).or_else(|| self.term(&here, rng))?
            } else {
                self.term(&here, rng).or_else(|| self.value(&here, rng))?
            };
            args.push((arg, sort, number));
        }
        Some((Rc::new(applied(production.head.clone(), args)), reach))
    }

    fn value(&mut self, hole: &Hole, rng: &mut Rng) -> Option<Rc<Node>> {
        let grown = self.grower.grow(hole, GrowthWay::Value, rng)?;
        Some(Rc::new(text(grown.text, self.life_of(hole.sort))))
    }

    /// Where values of a sort may be written; `None` if that is not known.
    fn life_of(&self, sort: SortId) -> Option<Life> {
        self.ground.literals.get(&sort)?.first().map(|literal| literal.life)
    }

    /// A term of an earlier change, or of the seed.
    fn term(&mut self, hole: &Hole, rng: &mut Rng) -> Option<Rc<Node>> {
        if rng.chance(OWN.0, OWN.1)
            && let Some(own) = self.grown.get(&hole.sort).and_then(|list| rng.pick(list))
            && self.fits(own, hole)
        {
            return Some(Rc::clone(own));
        }
        let ground = self.ground;
        let donors = ground.by_sort.get(&hole.sort)?;
        for _ in 0..TRIES {
            let number = *rng.pick(donors)?;
            let donor = &ground.donors[number as usize];
            if ground.fits(donor, hole) {
                let (start, end, holes) = (donor.start, donor.end, self.holes_in(number));
                let part = Copied { start, end, donor: Some(number), holes, filled: vec![] };
                return Some(Rc::new(copied(part, ground)));
            }
        }
        None
    }

    /// The holes inside a donor that have the same variables in scope as its root.
    fn holes_in(&mut self, number: u32) -> Rc<[u32]> {
        let ground = self.ground;
        let found = self.inner.entry(number).or_insert_with(|| {
            let donor = &ground.donors[number as usize];
            let env = ground.places.env[donor.occurrence as usize];
            let first = ground.holes.partition_point(|hole| hole.start < donor.start);
            let inside = |n: &usize| ground.holes[*n].end <= donor.end;
            let last = (first..ground.holes.len()).take_while(|n| ground.holes[*n].start < donor.end);
            let own = |n: &usize| {
                let hole = &ground.holes[*n];
                hole.env == env && (hole.start, hole.end) != (donor.start, donor.end)
            };
            last.filter(inside).filter(own).map(|n| n as u32).collect()
        });
        Rc::clone(found)
    }

    /// Whether a term means the same at a hole as where it was made.
    fn fits(&self, node: &Node, hole: &Hole) -> bool {
        match &node.what {
            What::Text { life, .. } => life.is_some_and(|life| life.covers(hole.command)),
            What::Apply { args, .. } => args.iter().all(|(arg, _, fixed)| *fixed || self.fits(arg, hole)),
            What::Copy(copied) => {
                let donor = copied.donor.map(|number| &self.ground.donors[number as usize]);
                donor.is_some_and(|donor| self.ground.fits(donor, hole))
                    && copied.filled.iter().all(|(_, node)| self.fits(node, hole))
            }
        }
    }

    // Text.

    fn text(&self, node: &Node) -> Vec<u8> {
        let mut out = Vec::with_capacity(node.len);
        self.print(node, &mut out);
        out
    }

    fn print(&self, node: &Node, out: &mut Vec<u8>) {
        match &node.what {
            What::Text { text, .. } => out.extend_from_slice(text),
            What::Apply { head, args } => {
                out.push(b'(');
                out.extend_from_slice(head);
                for (arg, ..) in args {
                    out.push(b' ');
                    self.print(arg, out);
                }
                out.push(b')');
            }
            What::Copy(copied) => {
                let bytes = &self.prepared.printed.bytes;
                let mut at = copied.start;
                for (number, node) in &copied.filled {
                    let hole = self.ground.holes[*number as usize];
                    out.extend_from_slice(&bytes[at as usize..hole.start as usize]);
                    self.print(node, out);
                    at = hole.end;
                }
                out.extend_from_slice(&bytes[at as usize..copied.end as usize]);
            }
        }
    }
}

/// What is at a place.
enum Found {
    Node(Rc<Node>),
    /// The seed's own term at this hole.
    Seed(u32),
}

/// A term that was made for a hole.
struct Made {
    node: Rc<Node>,
    reach: Reach,
    declares: Vec<u8>,
    from: Option<u32>,
    how: &'static str,
}

impl Copied {
    /// With one more hole filled; what was inside it is gone.
    fn with(&self, number: u32, node: Rc<Node>, ground: &Ground) -> Copied {
        let hole = ground.holes[number as usize];
        let outside = |(other, _): &&(u32, Rc<Node>)| {
            let other = ground.holes[*other as usize];
            other.end <= hole.start || hole.end <= other.start
        };
        let mut filled: Vec<(u32, Rc<Node>)> = self.filled.iter().filter(outside).cloned().collect();
        let at = filled.partition_point(|(other, _)| ground.holes[*other as usize].start < hole.start);
        filled.insert(at, (number, node));
        Copied { filled, holes: Rc::clone(&self.holes), ..*self }
    }

    /// The holes that are not inside a filled one, with what fills them.
    fn open<'n>(&'n self, ground: &'n Ground) -> impl Iterator<Item = (u32, Option<&'n Rc<Node>>)> {
        let mut filled = self.filled.iter().peekable();
        let mut until = 0;
        self.holes.iter().filter_map(move |&number| {
            let hole = &ground.holes[number as usize];
            if let Some((_, node)) = filled.next_if(|(other, _)| *other == number) {
                until = hole.end;
                return Some((number, Some(node)));
            }
            (hole.start >= until).then_some((number, None))
        })
    }
}

/// A hole, and where in the term that fills it.
type PlaceInHole<'n> = (u32, Option<(&'n Rc<Node>, usize)>);

/// Finds a place among the holes of a copy.
fn locate<'n>(copied: &'n Copied, ground: &'n Ground, mut place: usize) -> Option<PlaceInHole<'n>> {
    for (number, node) in copied.open(ground) {
        let count = node.map_or(1, |node| node.places);
        if place < count {
            return Some((number, node.map(|node| (node, place))));
        }
        place -= count;
    }
    None
}

fn copied(copied: Copied, ground: &Ground) -> Node {
    let gone = |(number, node): &(u32, Rc<Node>)| {
        let hole = ground.holes[*number as usize];
        (node.len, (hole.end - hole.start) as usize)
    };
    let (new, old) = copied.filled.iter().map(gone).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let len = (copied.end - copied.start) as usize + new - old;
    let inside: usize = copied.open(ground).map(|(_, node)| node.map_or(1, |node| node.places)).sum();
    Node { len, places: inside + 1, what: What::Copy(copied) }
}

fn applied(head: Box<[u8]>, args: Vec<(Rc<Node>, SortId, bool)>) -> Node {
    let len = 2 + head.len() + args.iter().map(|(arg, ..)| arg.len + 1).sum::<usize>();
    let places = 1 + args.iter().filter(|(.., fixed)| !fixed).map(|(arg, ..)| arg.places).sum::<usize>();
    Node { what: What::Apply { head, args }, len, places }
}

fn text(text: Vec<u8>, life: Option<Life>) -> Node {
    Node { len: text.len(), places: 1, what: What::Text { text: text.into(), life } }
}
