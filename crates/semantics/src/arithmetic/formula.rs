//! Formulas of linear arithmetic in negation normal form, each stored once.
//!
//! Truth values, literals of Boolean variables, atoms, conjunctions, disjunctions and quantifiers. There is no
//! negation: `negate` pushes it to the leaves. Equal formulas are one number, so the cost of substitution and negation
//! depends on the size of the graph, not of the tree. Constructors simplify as far as they can locally: nested
//! conjunctions are flattened, bounds on the same sum are merged (`bounds.rs`), quantifiers are dropped or restricted
//! to the parts that mention their variables. Correctness only requires that every constructor returns a formula
//! equivalent to the one that its name describes.
//!
//! Every node that is made costs steps of the budget. Variables of a script are bound by one binder, of which
//! simplification may leave several versions; quotients are bound wherever they are used, also inside each other.
//! Nothing here moves a formula into a binder of a variable that occurs free in it.

use super::Reason;
use super::bounds::Bound;
use super::linear::{Linear, Var};
use crate::budget::Budget;
use crate::value::int::Int;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

pub(super) type Step<T> = Result<T, Reason>;

/// An interned formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct F(pub(super) u32);

pub const FALSE: F = F(0);
pub const TRUE: F = F(1);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    Bool,
    Int,
    Real,
}

/// How a term relates to zero. Divisors are at least 2, and occur only with integer terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    AtMost,
    Below,
    Equal,
    Different,
    Divisible(Int),
    Indivisible(Int),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    pub relation: Relation,
    pub term: Linear,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    Exists,
    Forall,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    Truth(bool),
    Literal(Var, bool),
    Atom(Atom),
    And(Box<[F]>),
    Or(Box<[F]>),
    Quantified(Quantifier, Box<[Var]>, F),
}

struct Entry {
    node: Rc<Node>,
    /// The free variables, sorted.
    vars: Rc<[Var]>,
    /// Nodes of the tree, at most `u32::MAX`.
    size: u32,
    depth: u16,
    quantified: bool,
    bound: Option<Bound>,
}

/// Maximum nesting of formulas, which limits the use of the stack.
const MAX_DEPTH: u16 = 1000;

/// A variable of a problem.
pub struct Variable {
    pub sort: Sort,
    pub name: String,
    /// Whether it is a quotient or similar: wherever it is bound, its definition allows exactly one value.
    pub defined: bool,
}

/// All formulas of one problem.
pub struct Formulas<'b> {
    pub budget: &'b Budget,
    pub variables: Vec<Variable>,
    entries: Vec<Entry>,
    ids: HashMap<Rc<Node>, F, FxBuildHasher>,
    negations: HashMap<F, F, FxBuildHasher>,
    keys: HashMap<Linear, u32, FxBuildHasher>,
    pub(super) key_terms: Vec<Linear>,
}

impl<'b> Formulas<'b> {
    pub fn new(budget: &'b Budget) -> Formulas<'b> {
        let mut formulas = Formulas {
            budget,
            variables: vec![],
            entries: vec![],
            ids: HashMap::default(),
            negations: HashMap::default(),
            keys: HashMap::default(),
            key_terms: vec![],
        };
        for value in [false, true] {
            let node = Rc::new(Node::Truth(value));
            formulas.push(Entry {
                node,
                vars: Rc::new([]),
                size: 1,
                depth: 1,
                quantified: false,
                bound: None,
            });
        }
        formulas
    }

    pub fn new_variable(&mut self, sort: Sort, name: String) -> Var {
        self.variables.push(Variable { sort, name, defined: false });
        Var(self.variables.len() as u32 - 1)
    }

    /// A variable for a number that is fixed by a definition.
    pub fn defined_variable(&mut self, sort: Sort, kind: &str) -> Var {
        let name = format!("{kind}!{}", self.variables.len());
        self.variables.push(Variable { sort, name, defined: true });
        Var(self.variables.len() as u32 - 1)
    }

    pub fn sort(&self, x: Var) -> Sort {
        self.variables[x.0 as usize].sort
    }

    pub fn node(&self, f: F) -> Rc<Node> {
        self.entries[f.0 as usize].node.clone()
    }

    pub fn vars(&self, f: F) -> Rc<[Var]> {
        self.entries[f.0 as usize].vars.clone()
    }

    pub fn mentions(&self, f: F, x: Var) -> bool {
        self.entries[f.0 as usize].vars.binary_search(&x).is_ok()
    }

    pub fn size(&self, f: F) -> u32 {
        self.entries[f.0 as usize].size
    }

    pub fn is_quantified(&self, f: F) -> bool {
        self.entries[f.0 as usize].quantified
    }

    pub(super) fn bound(&self, f: F) -> Option<&Bound> {
        self.entries[f.0 as usize].bound.as_ref()
    }

    pub fn is_leaf(&self, f: F) -> bool {
        matches!(*self.entries[f.0 as usize].node, Node::Truth(_) | Node::Literal(..) | Node::Atom(_))
    }

    /// Whether all variables of a term are integers.
    pub fn is_whole(&self, term: &Linear) -> bool {
        term.terms().iter().all(|(x, _)| self.sort(*x) == Sort::Int)
    }

    /// The number of a sum of variables without constant, used as the key of its bounds.
    pub(super) fn key(&mut self, term: Linear) -> u32 {
        let next = self.key_terms.len() as u32;
        let id = *self.keys.entry(term.clone()).or_insert(next);
        if id == next {
            self.key_terms.push(term);
        }
        id
    }

    fn push(&mut self, entry: Entry) -> F {
        let id = F(self.entries.len() as u32);
        self.ids.insert(entry.node.clone(), id);
        self.entries.push(entry);
        id
    }

    fn intern(&mut self, node: Node) -> Step<F> {
        if let Some(&id) = self.ids.get(&node) {
            return Ok(id);
        }
        let parts: &[F] = match &node {
            Node::And(parts) | Node::Or(parts) => parts,
            Node::Quantified(_, _, body) => std::slice::from_ref(body),
            _ => &[],
        };
        let depth = 1 + parts.iter().map(|&part| self.entries[part.0 as usize].depth).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(Reason::TooDeep);
        }
        let size = parts.iter().fold(1u32, |sum, &part| sum.saturating_add(self.size(part)));
        let quantified =
            matches!(node, Node::Quantified(..)) || parts.iter().any(|&part| self.is_quantified(part));
        let vars = self.free_vars(&node);
        self.budget.spend(2 + vars.len() as u64)?;
        self.budget.reserve(160 + 8 * (vars.len() + parts.len()) as u64)?;
        let bound = match &node {
            Node::Atom(atom) => self.bound_of(atom),
            _ => None,
        };
        Ok(self.push(Entry { node: Rc::new(node), vars, size, depth, quantified, bound }))
    }

    fn free_vars(&self, node: &Node) -> Rc<[Var]> {
        match node {
            Node::Truth(_) => Rc::new([]),
            Node::Literal(x, _) => Rc::new([*x]),
            Node::Atom(atom) => atom.term.terms().iter().map(|(x, _)| *x).collect(),
            Node::And(parts) | Node::Or(parts) => self.union(parts),
            Node::Quantified(_, bound, body) => {
                self.vars(*body).iter().filter(|x| !bound.contains(x)).copied().collect()
            }
        }
    }

    fn union(&self, parts: &[F]) -> Rc<[Var]> {
        let mut all: Vec<Var> = vec![];
        for &part in parts {
            let vars = &self.entries[part.0 as usize].vars;
            if vars.iter().any(|x| all.binary_search(x).is_err()) {
                all.extend_from_slice(vars);
                all.sort_unstable();
                all.dedup();
            }
        }
        all.into()
    }

    // Constructors.

    pub fn truth(&self, value: bool) -> F {
        if value { TRUE } else { FALSE }
    }

    pub fn literal(&mut self, x: Var, value: bool) -> Step<F> {
        self.intern(Node::Literal(x, value))
    }

    /// An atom in lowest terms. Over integers, strict bounds become weak ones and are tightened.
    pub fn atom(&mut self, relation: Relation, term: Linear) -> Step<F> {
        self.budget.spend(1 + term.terms().len() as u64)?;
        if let Some(c) = term.to_constant() {
            return Ok(self.truth(holds(&relation, c)));
        }
        let whole = self.is_whole(&term);
        match relation {
            Relation::Divisible(d) => self.divisible(d, &term, true),
            Relation::Indivisible(d) => self.divisible(d, &term, false),
            Relation::AtMost | Relation::Below if whole => {
                let term = if relation == Relation::Below { term.plus(&Int::ONE) } else { term };
                let g = term.content();
                let most = (-term.rest()).div(&g).unwrap_or(Int::ZERO);
                let sum = term.with_rest(Int::ZERO).divided(&g);
                self.intern(Node::Atom(Atom { relation: Relation::AtMost, term: sum.with_rest(-most) }))
            }
            Relation::AtMost | Relation::Below => {
                let g = term.content().gcd(term.rest());
                self.intern(Node::Atom(Atom { relation, term: term.divided(&g) }))
            }
            Relation::Equal | Relation::Different => {
                let mut g = term.content();
                if !whole {
                    g = g.gcd(term.rest());
                } else if term.rest().modulo(&g) != Some(Int::ZERO) {
                    return Ok(self.truth(relation == Relation::Different));
                }
                let term = term.divided(&g);
                let term = if term.leads_negative() { term.negated() } else { term };
                self.intern(Node::Atom(Atom { relation, term }))
            }
        }
    }

    fn divisible(&mut self, d: Int, term: &Linear, positive: bool) -> Step<F> {
        debug_assert!(self.is_whole(term), "only integers are divisible");
        let term = term.modulo(&d);
        let g = term.content().gcd(&d);
        // Without variables the content is zero and g is d: either d divides the constant or it does not.
        if term.rest().modulo(&g) != Some(Int::ZERO) {
            return Ok(self.truth(!positive));
        }
        let d = d.div(&g).unwrap_or(Int::ONE);
        if d.is_one() {
            return Ok(self.truth(positive));
        }
        let relation = if positive { Relation::Divisible(d) } else { Relation::Indivisible(d) };
        self.intern(Node::Atom(Atom { relation, term: term.divided(&g) }))
    }

    pub fn and(&mut self, parts: Vec<F>) -> Step<F> {
        self.junction(parts, true)
    }

    pub fn or(&mut self, parts: Vec<F>) -> Step<F> {
        self.junction(parts, false)
    }

    /// A conjunction or, by the same rules with all truth values exchanged, a disjunction.
    fn junction(&mut self, parts: Vec<F>, conjunction: bool) -> Step<F> {
        let (neutral, decisive) = if conjunction { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut all: Vec<F> = Vec::with_capacity(parts.len());
        for part in parts {
            match &*self.entries[part.0 as usize].node {
                Node::And(inner) if conjunction => all.extend_from_slice(inner),
                Node::Or(inner) if !conjunction => all.extend_from_slice(inner),
                _ if part == neutral => {}
                _ => all.push(part),
            }
        }
        self.budget.spend(1 + all.len() as u64)?;
        all.sort_unstable();
        all.dedup();
        if all.contains(&decisive) {
            return Ok(decisive);
        }
        if !self.merge_bounds(&mut all, conjunction)? || self.has_complements(&all)? {
            return Ok(decisive);
        }
        match all[..] {
            [] => Ok(neutral),
            [only] => Ok(only),
            _ if conjunction => self.intern(Node::And(all.into())),
            _ => self.intern(Node::Or(all.into())),
        }
    }

    /// Whether a leaf occurs together with its negation. Bounds have been compared already.
    fn has_complements(&mut self, all: &[F]) -> Step<bool> {
        for &part in all {
            let other = match &*self.node(part) {
                Node::Literal(x, value) => self.literal(*x, !value)?,
                Node::Atom(Atom { relation: Relation::Divisible(_), .. }) => self.negate(part)?,
                _ => continue,
            };
            if all.binary_search(&other).is_ok() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A quantified formula, with the quantifier restricted: `exists` moves into disjunctions and leaves out conjuncts
    /// without its variables.
    pub fn quantify(&mut self, quantifier: Quantifier, vars: &[Var], body: F) -> Step<F> {
        let mut vars: Vec<Var> = vars.iter().copied().filter(|x| self.mentions(body, *x)).collect();
        if vars.is_empty() {
            return Ok(body);
        }
        let exists = quantifier == Quantifier::Exists;
        match &*self.node(body) {
            Node::Quantified(inner, more, body) if *inner == quantifier => {
                vars.extend_from_slice(more);
                self.quantify(quantifier, &vars, *body)
            }
            Node::Or(parts) if exists => {
                let parts = parts.iter().map(|&part| self.quantify(quantifier, &vars, part));
                let parts = parts.collect::<Step<_>>()?;
                self.or(parts)
            }
            Node::And(parts) if !exists => {
                let parts = parts.iter().map(|&part| self.quantify(quantifier, &vars, part));
                let parts = parts.collect::<Step<_>>()?;
                self.and(parts)
            }
            Node::And(parts) | Node::Or(parts) => {
                let touched = |part: &F| vars.iter().any(|x| self.mentions(*part, *x));
                let (inside, mut outside): (Vec<F>, Vec<F>) = parts.iter().copied().partition(touched);
                let inside = self.junction(inside, exists)?;
                if outside.is_empty() {
                    return self.bind(quantifier, vars, inside);
                }
                outside.push(self.quantify(quantifier, &vars, inside)?);
                self.junction(outside, exists)
            }
            _ => self.bind(quantifier, vars, body),
        }
    }

    fn bind(&mut self, quantifier: Quantifier, mut vars: Vec<Var>, body: F) -> Step<F> {
        vars.retain(|x| self.mentions(body, *x));
        vars.sort_unstable();
        vars.dedup();
        if vars.is_empty() { Ok(body) } else { self.intern(Node::Quantified(quantifier, vars.into(), body)) }
    }

    pub fn negate(&mut self, f: F) -> Step<F> {
        if let Some(&known) = self.negations.get(&f) {
            return Ok(known);
        }
        let negated = match &*self.node(f) {
            Node::Truth(value) => self.truth(!value),
            Node::Literal(x, value) => self.literal(*x, !value)?,
            Node::Atom(atom) => self.negate_atom(atom)?,
            Node::And(parts) => {
                let parts = parts.iter().map(|&part| self.negate(part)).collect::<Step<_>>()?;
                self.or(parts)?
            }
            Node::Or(parts) => {
                let parts = parts.iter().map(|&part| self.negate(part)).collect::<Step<_>>()?;
                self.and(parts)?
            }
            Node::Quantified(quantifier, vars, body) => {
                let body = self.negate(*body)?;
                let dual = match quantifier {
                    Quantifier::Exists => Quantifier::Forall,
                    Quantifier::Forall => Quantifier::Exists,
                };
                self.quantify(dual, vars, body)?
            }
        };
        self.negations.insert(f, negated);
        Ok(negated)
    }

    fn negate_atom(&mut self, atom: &Atom) -> Step<F> {
        let (relation, term) = match &atom.relation {
            Relation::AtMost => (Relation::Below, atom.term.negated()),
            Relation::Below => (Relation::AtMost, atom.term.negated()),
            Relation::Equal => (Relation::Different, atom.term.clone()),
            Relation::Different => (Relation::Equal, atom.term.clone()),
            Relation::Divisible(d) => (Relation::Indivisible(d.clone()), atom.term.clone()),
            Relation::Indivisible(d) => (Relation::Divisible(d.clone()), atom.term.clone()),
        };
        self.atom(relation, term)
    }

    /// Replaces the leaves that mention a variable, in a formula without quantifiers.
    pub fn replace(&mut self, f: F, x: Var, leaf: &mut dyn FnMut(&mut Self, &Node) -> Step<F>) -> Step<F> {
        let mut done = HashMap::default();
        self.replace_in(f, x, leaf, &mut done)
    }

    fn replace_in(
        &mut self,
        f: F,
        x: Var,
        leaf: &mut dyn FnMut(&mut Self, &Node) -> Step<F>,
        done: &mut HashMap<F, F, FxBuildHasher>,
    ) -> Step<F> {
        if !self.mentions(f, x) {
            return Ok(f);
        }
        if let Some(&known) = done.get(&f) {
            return Ok(known);
        }
        self.budget.spend(1)?;
        let node = self.node(f);
        let replaced = match &*node {
            Node::And(parts) | Node::Or(parts) => {
                let conjunction = matches!(*node, Node::And(_));
                let decisive = if conjunction { FALSE } else { TRUE };
                let mut new = Vec::with_capacity(parts.len());
                for &part in parts {
                    let part = self.replace_in(part, x, leaf, done)?;
                    new.push(part);
                    if part == decisive {
                        break;
                    }
                }
                self.junction(new, conjunction)?
            }
            Node::Quantified(..) => {
                return Err(Reason::Unsupported("a quantifier inside an elimination".into()));
            }
            other => leaf(self, other)?,
        };
        done.insert(f, replaced);
        Ok(replaced)
    }

    /// The distinct atoms that mention a variable, in a formula without quantifiers.
    pub fn atoms_with(&self, f: F, x: Var) -> Step<Vec<F>> {
        let mut found = vec![];
        let mut seen = hashbrown::HashSet::<F, FxBuildHasher>::default();
        let mut waiting = vec![f];
        while let Some(f) = waiting.pop() {
            self.budget.spend(1)?;
            if !self.mentions(f, x) || !seen.insert(f) {
                continue;
            }
            match &*self.entries[f.0 as usize].node {
                Node::And(parts) | Node::Or(parts) => waiting.extend_from_slice(parts),
                Node::Quantified(_, _, body) => waiting.push(*body),
                _ => found.push(f),
            }
        }
        found.sort_unstable();
        Ok(found)
    }
}

/// Whether a number has this relation to zero.
pub fn holds(relation: &Relation, c: &Int) -> bool {
    match relation {
        Relation::AtMost => c.signum() <= 0,
        Relation::Below => c.signum() < 0,
        Relation::Equal => c.is_zero(),
        Relation::Different => !c.is_zero(),
        Relation::Divisible(d) => c.modulo(d) == Some(Int::ZERO),
        Relation::Indivisible(d) => c.modulo(d) != Some(Int::ZERO),
    }
}
