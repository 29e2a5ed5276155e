//! Removes quantifiers: turns a formula into an equivalent one without quantifiers.
//!
//! Quantifiers are removed innermost first; `forall` is the negation of `exists` of the negation. A block of
//! existential variables first moves into disjunctions, then leaves out conjuncts without its variables and is split
//! into groups of conjuncts that share no variable. The result is a conjunction. The cheapest variable is removed
//! first: Booleans by both values, a variable that occurs only in plain bounds by pairing them (`shadow`), others by
//! cases (`points.rs`). After every step the formula is simplified, and a case that is true ends the disjunction.
//!
//! **Pairing bounds.** Let the conjuncts with `x` be bounds `a*x >= l` and `b*x <= u` with `a, b > 0`. There is a
//! value for `x` if and only if there is one for every pair of a lower and an upper bound, because the largest lower
//! end is one of them. For reals a pair is possible if `a*u - b*l >= 0` (greater, if one of them is strict). For
//! integers that is exact if `a` or `b` is 1, and if `a*u - b*l` is a constant of at least `(a-1)*(b-1)` the pair is
//! always possible (the dark shadow of the omega test). Other pairs are left to the cases.

use super::Reason;
use super::formula::{Atom, F, FALSE, Formulas, Node, Quantifier, Relation, Sort, Step, TRUE};
use super::linear::{Linear, Var};
use crate::value::int::Int;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::fmt;

/// One variable that was removed, as text for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    pub variable: String,
    pub method: Method,
    pub cases: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    BothTruthValues,
    PairsOfBounds,
    /// Loos and Weispfenning's virtual substitution.
    TestPoints,
    /// Cooper's method.
    Residues,
}

impl fmt::Display for Removal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.method {
            Method::BothTruthValues => "truth values",
            Method::PairsOfBounds => "pairs of bounds",
            Method::TestPoints => "test points (virtual substitution)",
            Method::Residues => "test points (Cooper)",
        };
        write!(f, "{}: {} {how}", self.variable, self.cases)
    }
}

/// Maximum number of removals that are recorded.
const MAX_REMOVALS: usize = 64;

pub(super) struct Eliminator<'f, 'b> {
    pub formulas: &'f mut Formulas<'b>,
    pub removals: Vec<Removal>,
    done: HashMap<F, F, FxBuildHasher>,
}

impl<'f, 'b> Eliminator<'f, 'b> {
    pub fn new(formulas: &'f mut Formulas<'b>) -> Eliminator<'f, 'b> {
        Eliminator { formulas, removals: vec![], done: HashMap::default() }
    }

    /// An equivalent formula without quantifiers.
    pub fn all(&mut self, f: F) -> Step<F> {
        if !self.formulas.is_quantified(f) {
            return Ok(f);
        }
        if let Some(&known) = self.done.get(&f) {
            return Ok(known);
        }
        let node = self.formulas.node(f);
        let result = match &*node {
            Node::And(parts) | Node::Or(parts) => {
                let conjunction = matches!(*node, Node::And(_));
                self.junction(parts, conjunction)?
            }
            Node::Quantified(quantifier, vars, body) => {
                let body = self.all(*body)?;
                self.block(*quantifier, vars, body)?
            }
            _ => f,
        };
        self.done.insert(f, result);
        Ok(result)
    }

    /// Parts without quantifiers and small parts come first, because they may already decide it.
    fn junction(&mut self, parts: &[F], conjunction: bool) -> Step<F> {
        let decisive = if conjunction { FALSE } else { TRUE };
        let mut order = parts.to_vec();
        order.sort_by_key(|&part| (self.formulas.is_quantified(part), self.formulas.size(part)));
        let mut done = vec![];
        for part in order {
            let part = self.all(part)?;
            if part == decisive {
                return Ok(decisive);
            }
            done.push(part);
        }
        let whole = if conjunction { self.formulas.and(done)? } else { self.formulas.or(done)? };
        self.formulas.simplify(whole)
    }

    fn block(&mut self, quantifier: Quantifier, vars: &[Var], body: F) -> Step<F> {
        match quantifier {
            Quantifier::Exists => self.exists(vars, body),
            Quantifier::Forall => {
                let denied = self.formulas.negate(body)?;
                let counterexample = self.exists(vars, denied)?;
                self.formulas.negate(counterexample)
            }
        }
    }

    /// `exists vars. f` for a formula without quantifiers.
    pub fn exists(&mut self, vars: &[Var], f: F) -> Step<F> {
        let f = self.formulas.simplify(f)?;
        let narrowed = self.formulas.quantify(Quantifier::Exists, vars, f)?;
        self.narrowed(narrowed)
    }

    /// Removes quantifiers that have been moved inwards as far as possible.
    fn narrowed(&mut self, f: F) -> Step<F> {
        if !self.formulas.is_quantified(f) {
            return Ok(f);
        }
        let node = self.formulas.node(f);
        match &*node {
            Node::And(parts) | Node::Or(parts) => {
                let conjunction = matches!(*node, Node::And(_));
                let mut order = parts.to_vec();
                order.sort_by_key(|&part| self.formulas.size(part));
                let decisive = if conjunction { FALSE } else { TRUE };
                let mut done = vec![];
                for part in order {
                    let part = self.narrowed(part)?;
                    if part == decisive {
                        return Ok(decisive);
                    }
                    done.push(part);
                }
                if conjunction { self.formulas.and(done) } else { self.formulas.or(done) }
            }
            Node::Quantified(_, vars, body) => self.conjunction(vars, *body),
            _ => Ok(f),
        }
    }

    /// `exists vars. f` where f is a leaf or a conjunction of which every part mentions a variable.
    fn conjunction(&mut self, vars: &[Var], f: F) -> Step<F> {
        if let Some(groups) = self.groups(vars, f)? {
            let mut done = vec![];
            for group in groups {
                let group = self.exists(vars, group)?;
                if group == FALSE {
                    return Ok(FALSE);
                }
                done.push(group);
            }
            return self.formulas.and(done);
        }
        let (x, _) = self.cheapest(vars, f)?;
        let left: Vec<Var> = vars.iter().copied().filter(|y| *y != x).collect();
        let mut pieces = vec![];
        for piece in self.remove(x, f)? {
            let piece = self.exists(&left, piece)?;
            if piece == TRUE {
                return Ok(TRUE);
            }
            pieces.push(piece);
        }
        let all = self.formulas.or(pieces)?;
        self.formulas.simplify(all)
    }

    /// Groups of conjuncts that share variables of the block; `None` if there is only one group.
    fn groups(&mut self, vars: &[Var], f: F) -> Step<Option<Vec<F>>> {
        let node = self.formulas.node(f);
        let Node::And(parts) = &*node else { return Ok(None) };
        let mut groups: Vec<(Vec<Var>, Vec<F>)> = vec![];
        for &part in parts {
            let mut own: Vec<Var> =
                vars.iter().copied().filter(|x| self.formulas.mentions(part, *x)).collect();
            let mut members = vec![part];
            groups.retain_mut(|(theirs, parts)| {
                let joined = theirs.iter().any(|x| own.contains(x));
                if joined {
                    own.append(theirs);
                    members.append(parts);
                }
                !joined
            });
            groups.push((own, members));
        }
        self.formulas.budget.spend((parts.len() * groups.len()) as u64)?;
        if groups.len() < 2 {
            return Ok(None);
        }
        groups.into_iter().map(|(_, members)| self.formulas.and(members)).collect::<Step<Vec<F>>>().map(Some)
    }

    /// The variable with the fewest cases. Real variables come before integers that share a term with them.
    pub fn cheapest(&mut self, vars: &[Var], f: F) -> Step<(Var, u64)> {
        let mut best: Option<(u64, u64, Var)> = None;
        let any_real = vars.iter().any(|x| self.formulas.sort(*x) == Sort::Real);
        for &x in vars {
            if any_real && self.formulas.sort(x) == Sort::Int && self.is_mixed(f, x)? {
                continue;
            }
            let occurrences = self.formulas.atoms_with(f, x)?.len() as u64;
            let cost = if self.shadow_size(x, f).is_some() { 1 } else { self.formulas.estimate(f, x)? };
            if best.is_none_or(|known| (cost, occurrences, x) < known) {
                best = Some((cost, occurrences, x));
            }
        }
        best.map(|(cost, _, x)| (x, cost)).ok_or(Reason::Mixed)
    }

    fn is_mixed(&self, f: F, x: Var) -> Step<bool> {
        let leaves = self.formulas.atoms_with(f, x)?;
        Ok(leaves.iter().any(|&leaf| match &*self.formulas.node(leaf) {
            Node::Atom(atom) => !self.formulas.is_whole(&atom.term),
            _ => false,
        }))
    }

    /// Formulas whose disjunction is equivalent to `exists x. f`.
    pub fn remove(&mut self, x: Var, f: F) -> Step<Vec<F>> {
        if self.formulas.sort(x) == Sort::Bool {
            self.note(x, Method::BothTruthValues, 2);
            return [true, false].into_iter().map(|value| self.formulas.with_truth(f, x, value)).collect();
        }
        if let Some(shadow) = self.shadow(x, f)? {
            self.note(x, Method::PairsOfBounds, 1);
            return Ok(vec![shadow]);
        }
        let cases = self.formulas.cases(f, x)?;
        let whole = self.formulas.sort(x) == Sort::Int;
        self.note(x, if whole { Method::Residues } else { Method::TestPoints }, cases.len());
        let mut pieces = vec![];
        for (point, part) in cases {
            let piece = self.formulas.at_point(part, x, &point)?;
            if piece == TRUE {
                return Ok(vec![TRUE]);
            }
            if piece != FALSE && !pieces.contains(&piece) {
                pieces.push(piece);
            }
        }
        Ok(pieces)
    }

    fn note(&mut self, x: Var, method: Method, cases: usize) {
        if self.removals.len() < MAX_REMOVALS {
            let variable = self.formulas.variables[x.0 as usize].name.clone();
            self.removals.push(Removal { variable, method, cases });
        }
    }

    // Pairs of bounds.

    /// The lower and upper bounds on a variable, if it occurs only in conjuncts that are bounds, and the other
    /// conjuncts.
    fn plain_bounds(&self, x: Var, f: F) -> Option<(Vec<Atom>, Vec<Atom>, Vec<F>)> {
        let node = self.formulas.node(f);
        let parts: &[F] = match &*node {
            Node::And(parts) => parts,
            _ => std::slice::from_ref(&f),
        };
        let (mut lower, mut upper, mut others) = (vec![], vec![], vec![]);
        for &part in parts {
            if !self.formulas.mentions(part, x) {
                others.push(part);
                continue;
            }
            match &*self.formulas.node(part) {
                Node::Atom(atom) if matches!(atom.relation, Relation::AtMost | Relation::Below) => {
                    let a = atom.term.coefficient(x)?;
                    if a.is_negative() { lower.push(atom.clone()) } else { upper.push(atom.clone()) }
                }
                _ => return None,
            }
        }
        Some((lower, upper, others))
    }

    /// The number of pairs, if pairing is exact and does not increase the number of bounds much.
    fn shadow_size(&self, x: Var, f: F) -> Option<usize> {
        let (lower, upper, _) = self.plain_bounds(x, f)?;
        let pairs = lower.len() * upper.len();
        if pairs > lower.len() + upper.len() + 4 {
            return None;
        }
        let whole = self.formulas.sort(x) == Sort::Int;
        let exact = |low: &Atom, high: &Atom| !whole || self.pair(x, low, high).is_some();
        lower.iter().all(|low| upper.iter().all(|high| exact(low, high))).then_some(pairs)
    }

    fn shadow(&mut self, x: Var, f: F) -> Step<Option<F>> {
        if self.shadow_size(x, f).is_none() {
            return Ok(None);
        }
        let Some((lower, upper, mut parts)) = self.plain_bounds(x, f) else { return Ok(None) };
        for low in &lower {
            for high in &upper {
                let Some((relation, term)) = self.pair(x, low, high) else { return Ok(None) };
                parts.push(self.formulas.atom(relation, term)?);
            }
        }
        self.formulas.and(parts).map(Some)
    }

    /// The consequence of a lower and an upper bound: `-a*x + l <= 0` and `b*x + u <= 0` give `b*l + a*u <= 0`.
    fn pair(&self, x: Var, low: &Atom, high: &Atom) -> Option<(Relation, Linear)> {
        let a = low.term.coefficient(x)?.abs();
        let b = high.term.coefficient(x)?.clone();
        let term = low.term.without(x).combine(&b, &high.term.without(x), &a);
        if self.formulas.sort(x) == Sort::Int {
            if !self.formulas.is_whole(&low.term) || !self.formulas.is_whole(&high.term) {
                return None;
            }
            if !a.is_one() && !b.is_one() {
                let slack = -term.to_constant()?.clone();
                let enough = &(&a - &Int::ONE) * &(&b - &Int::ONE);
                return (slack >= enough).then(|| (Relation::AtMost, Linear::constant(Int::ZERO)));
            }
        }
        let strict = low.relation == Relation::Below || high.relation == Relation::Below;
        Some((if strict { Relation::Below } else { Relation::AtMost }, term))
    }
}

impl Formulas<'_> {
    /// The formula with a truth value for a Boolean variable.
    pub(super) fn with_truth(&mut self, f: F, x: Var, value: bool) -> Step<F> {
        self.replace(f, x, &mut |formulas, leaf| match leaf {
            Node::Literal(_, positive) => Ok(formulas.truth(*positive == value)),
            _ => Err(Reason::Unsupported("a number in place of a Boolean".into())),
        })
    }
}
