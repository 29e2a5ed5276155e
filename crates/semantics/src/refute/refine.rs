//! Lemmas of the theories that exclude an assignment.
//!
//! In: the assignment that the propositional solver found. First the atoms that it needs are collected. Then
//! congruence closure, datatypes and linear arithmetic check them; each contradiction gives the clause "not all of
//! these", which is valid. If there is none, lemmas are added whose case splits the next assignment must decide: is
//! this integer at most 3 or at least 4, is x below, equal to or above y. Terms are also rewritten with the known
//! values of their arguments, so that the evaluator can evaluate them, and products get the tangents at their current
//! values.

use super::arith::{Arith, Verdict, value_of};
use super::congruence::{Classes, Conflict, Truth};
use super::engine::Engine;
use super::polynomial::{Monomial, is_integer};
use super::skeleton::relevant;
use super::{Reason, Status, build};
use crate::value::rational::Rat;
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
use smtlib::sort::{Sort, SortId};
use smtlib::term::{Kind, Pool, TermId};
use std::collections::BTreeMap;

/// Maximum number of conflicts from one assignment.
const CONFLICTS: usize = 6;
/// Maximum number of case splits in total.
const SPLITS: usize = 400;

type Model = BTreeMap<Monomial, Rat>;
type Pairs = Vec<(TermId, TermId)>;

/// The result of checking an assignment.
enum Found {
    /// Atoms that cannot all have their current truth, with the schema and its reason.
    Conflicts(Vec<(&'static str, String, Conflict)>),
    /// No contradiction; the splits and lemmas to add next.
    Open(Box<Questions>),
}

/// What the next assignment should decide.
struct Questions {
    /// Numbers that may be equal.
    splits: Vec<(TermId, TermId)>,
    /// Other terms that may be equal.
    pairs: Vec<(TermId, TermId)>,
    /// Integers with a fraction as value.
    branches: Vec<(TermId, Rat)>,
    /// Applications with values for some arguments.
    written: Vec<(TermId, Vec<TermId>)>,
    /// Products with a wrong value.
    products: Vec<(TermId, TermId, Rat, Rat)>,
    /// Words that are equal by congruence, with the reasons.
    words: Vec<(TermId, TermId, Conflict)>,
}

impl Engine<'_> {
    /// Adds lemmas that exclude the last assignment; returns whether there were any.
    pub fn refine(&mut self) -> Result<bool, Reason> {
        self.evaluate()?;
        let atoms = self.needed();
        if self.skolemise(&atoms)? {
            return Ok(true);
        }
        if self.trichotomy(&atoms)? {
            return Ok(true);
        }
        match self.examine(&atoms)? {
            Found::Conflicts(conflicts) => {
                let mut new = false;
                for (schema, why, conflict) in conflicts {
                    let clause = self.clause(&conflict);
                    new |= self.state(schema, why, clause, Status::Valid, 0)?;
                }
                Ok(new)
            }
            Found::Open(questions) => self.ask(*questions, &atoms),
        }
    }

    fn ask(&mut self, questions: Questions, atoms: &[Truth]) -> Result<bool, Reason> {
        let Questions { splits, pairs, branches, written, products, words } = questions;
        if self.write_out(written)? || self.equate_words(words)? || self.regular(atoms)? {
            return Ok(true);
        }
        if self.splits > SPLITS {
            return Ok(false);
        }
        if self.branch(branches)? || self.split(splits)? || self.tangents(products)? {
            return Ok(true);
        }
        self.pair_up(pairs)
    }

    /// Makes atoms of equations, so that they get a truth value.
    fn pair_up(&mut self, pairs: Vec<(TermId, TermId)>) -> Result<bool, Reason> {
        let before = self.terms.len();
        for (a, b) in pairs {
            let equation = build::equal(&mut self.script.pool, a, b);
            let generation = self.generation[&a].max(self.generation[&b]);
            self.register(equation, generation)?;
            self.splits += 1;
        }
        self.feed();
        Ok(self.terms.len() > before)
    }

    fn equate_words(&mut self, words: Vec<(TermId, TermId, Conflict)>) -> Result<bool, Reason> {
        let mut new = false;
        for (a, b, mut reasons) in words {
            let equation = build::equal(&mut self.script.pool, a, b);
            reasons.push((equation, false));
            let clause = self.clause(&reasons);
            let why = "equal terms can replace each other, and closed terms have their values";
            new |= self.state("equality", why, clause, Status::Valid, 0)?;
        }
        Ok(new)
    }

    /// The atoms that the assignment needs, with their truth.
    fn needed(&self) -> Vec<Truth> {
        let premises = self.premises.iter().map(|premise| premise.plain);
        let roots =
            premises.chain(self.lemmas.iter().map(|lemma| lemma.term)).chain(self.flags.iter().copied());
        let mut atoms = relevant(&self.script.pool, roots, |term| self.truth(term));
        for &flag in &self.flags {
            atoms.push((flag, self.truth(flag)));
        }
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// `(=> (and what is true) (or what is false))`.
    fn clause(&mut self, conflict: &Conflict) -> TermId {
        let pool = &mut self.script.pool;
        let premises: Vec<TermId> =
            conflict.iter().filter(|(_, truth)| *truth).map(|&(atom, _)| atom).collect();
        let conclusions: Vec<TermId> =
            conflict.iter().filter(|(_, truth)| !truth).map(|&(atom, _)| atom).collect();
        let premise = build::and(pool, &premises);
        let conclusion = build::or(pool, &conclusions);
        match (premises.is_empty(), conclusions.is_empty()) {
            (true, _) => conclusion,
            (false, true) => build::not(pool, premise),
            (false, false) => build::implies(pool, premise, conclusion),
        }
    }

    fn examine(&self, atoms: &[Truth]) -> Result<Found, Reason> {
        let pool = &self.script.pool;
        let classes = Classes::new(pool, &self.terms, atoms, &self.values, self.budget)?;
        let conflicts = classes.conflicts(atoms);
        if !conflicts.is_empty() {
            let why = "equal terms can replace each other, and closed terms have their values";
            let named = conflicts.into_iter().take(CONFLICTS).map(|c| ("equality", why.to_owned(), c));
            return Ok(Found::Conflicts(named.collect()));
        }
        if let Some(conflict) = self.cycle(&classes)? {
            let why = "no value of a datatype is a part of itself".to_owned();
            return Ok(Found::Conflicts(vec![("datatype.acyclic", why, conflict)]));
        }
        let arith = Arith { pool, values: &self.values, budget: self.budget };
        match arith.check(atoms, &classes)? {
            Verdict::Conflict(conflict, factors) => {
                let why = if factors.is_empty() {
                    "no integers, or no numbers at all, satisfy it".to_owned()
                } else {
                    format!("the inequalities, multiplied by {factors}, add up to a contradiction")
                };
                Ok(Found::Conflicts(vec![("linear", why, conflict)]))
            }
            Verdict::Solved(model) => {
                let (splits, pairs) = self.possible_equalities(&classes, &model)?;
                Ok(Found::Open(Box::new(Questions {
                    splits,
                    pairs,
                    branches: self.fractions(&model),
                    written: self.with_values(&classes)?,
                    products: self.wrong_products(&model),
                    words: self.equal_words(&classes),
                })))
            }
        }
    }

    /// False equations between numbers: one side is smaller.
    fn trichotomy(&mut self, atoms: &[Truth]) -> Result<bool, Reason> {
        let mut new = false;
        for &(atom, truth) in atoms {
            if truth || build::operator(&self.script.pool, atom) != Some("core_eq") {
                continue;
            }
            let args = self.script.pool.args(atom);
            new |= self.compare(args[0], args[1])?;
        }
        Ok(new)
    }

    /// Of two numbers one is smaller or they are equal.
    fn compare(&mut self, a: TermId, b: TermId) -> Result<bool, Reason> {
        let pool = &mut self.script.pool;
        if !matches!(pool.sort_of(a), SortId::INT | SortId::REAL) {
            return Ok(false);
        }
        let equal = build::equal(pool, a, b);
        let below = build::op(pool, "<", &[a.min(b), a.max(b)]);
        let above = build::op(pool, "<", &[a.max(b), a.min(b)]);
        let (Some(below), Some(above)) = (below, above) else { return Ok(false) };
        let lemma = build::or(pool, &[equal, below, above]);
        self.state("trichotomy", "of two numbers one is smaller or they are equal", lemma, Status::Valid, 1)
    }

    /// Integers that have a fraction as value in the rational solution.
    fn fractions(&self, model: &Model) -> Vec<(TermId, Rat)> {
        let pool = &self.script.pool;
        let fraction = |(monomial, value): (&Monomial, &Rat)| match monomial[..] {
            [leaf] if is_integer(pool, monomial) && !value.is_int() => Some((leaf, value.clone())),
            _ => None,
        };
        model.iter().filter_map(fraction).take(1).collect()
    }

    fn branch(&mut self, branches: Vec<(TermId, Rat)>) -> Result<bool, Reason> {
        let mut new = false;
        for (term, value) in branches {
            let pool = &mut self.script.pool;
            let floor = Rat::from(value.floor());
            let (Some(low), Some(high)) = (
                build::number(pool, &floor, SortId::INT),
                build::number(pool, &(&floor + &Rat::ONE), SortId::INT),
            ) else {
                continue;
            };
            let below = build::op(pool, "<=", &[term, low]);
            let above = build::op(pool, "<=", &[high, term]);
            let (Some(below), Some(above)) = (below, above) else { continue };
            let lemma = build::or(pool, &[below, above]);
            self.splits += 1;
            new |= self.state("integer", "there is no integer in between", lemma, Status::Valid, 1)?;
        }
        Ok(new)
    }

    /// Pairs at one position of one function that are not known to be equal: numbers with equal values, and terms of
    /// other sorts whose equality is constrained.
    fn possible_equalities(&self, classes: &Classes<'_>, model: &Model) -> Result<(Pairs, Pairs), Reason> {
        let pool = &self.script.pool;
        let mut places: BTreeMap<(String, usize), Vec<TermId>> = BTreeMap::new();
        for &term in &self.terms {
            self.budget.spend(1)?;
            let head = match pool.kind(term) {
                Kind::Fun { decl, .. } => format!("{}", decl.0),
                Kind::Op { op, .. } => match build::meaning(op) {
                    name if name.starts_with("int_")
                        || name.starts_with("real_")
                        || name.starts_with("core_") =>
                    {
                        continue;
                    }
                    "array_store" => "array_select".to_owned(),
                    name => name.to_owned(),
                },
                _ => continue,
            };
            for (n, &arg) in pool.args(term).iter().enumerate() {
                if is_number(pool, arg) || (shares(&head, n) && has_theory(pool, pool.sort_of(arg))) {
                    let list = places.entry((head.clone(), n)).or_default();
                    if !list.contains(&arg) {
                        list.push(arg);
                    }
                }
            }
        }
        let (mut numbers, mut others) = (vec![], vec![]);
        for list in places.values() {
            let values: Vec<Option<Rat>> = list
                .iter()
                .map(|&term| is_number(pool, term).then(|| value_of(pool, &self.values, model, term)))
                .collect();
            for (n, &a) in list.iter().enumerate() {
                for (m, &b) in list.iter().enumerate().skip(n + 1) {
                    self.budget.spend(1)?;
                    let both_known = self.values.contains_key(&a) && self.values.contains_key(&b);
                    if pool.sort_of(a) != pool.sort_of(b)
                        || both_known
                        || classes.same(a, b)
                        || values[n] != values[m]
                    {
                        continue;
                    }
                    if values[n].is_some() { numbers.push((a, b)) } else { others.push((a, b)) }
                }
            }
        }
        numbers.truncate(8);
        others.truncate(24);
        Ok((numbers, others))
    }

    fn split(&mut self, pairs: Vec<(TermId, TermId)>) -> Result<bool, Reason> {
        let mut new = false;
        for (a, b) in pairs {
            new |= self.compare(a, b)?;
        }
        self.splits += usize::from(new);
        Ok(new)
    }

    /// Applications some of whose arguments are equal to closed terms, with those substituted.
    fn with_values(&self, classes: &Classes<'_>) -> Result<Vec<(TermId, Vec<TermId>)>, Reason> {
        let pool = &self.script.pool;
        let mut written = vec![];
        let mut seen: HashSet<(TermId, Vec<TermId>), FxBuildHasher> = HashSet::default();
        for &term in &self.terms {
            self.budget.spend(1)?;
            let usable = match pool.kind(term) {
                Kind::Op { op, .. } => !matches!(
                    build::meaning(op),
                    "core_eq"
                        | "core_and"
                        | "core_or"
                        | "core_not"
                        | "core_implies"
                        | "core_xor"
                        | "core_ite"
                        | "int_add"
                        | "int_sub"
                        | "int_neg"
                        | "real_add"
                        | "real_sub"
                        | "real_neg"
                        | "int_le"
                        | "int_lt"
                        | "real_le"
                        | "real_lt"
                        | "int_to_real"
                ),
                Kind::Tester { .. } | Kind::Updater { .. } => true,
                Kind::Fun { decl, .. } => {
                    matches!(
                        pool.decl(decl).role,
                        smtlib::term::Role::Selector { .. } | smtlib::term::Role::Defined { .. }
                    )
                }
                _ => false,
            };
            if !usable || self.values.contains_key(&term) || self.generation[&term] > 6 {
                continue;
            }
            let args: Vec<TermId> =
                pool.args(term)
                    .iter()
                    .map(|&arg| {
                        if self.values.contains_key(&arg) { arg } else { classes.valued(arg).unwrap_or(arg) }
                    })
                    .collect();
            if args != pool.args(term) && seen.insert((term, args.clone())) {
                written.push((term, args));
            }
        }
        Ok(written)
    }

    fn write_out(&mut self, written: Vec<(TermId, Vec<TermId>)>) -> Result<bool, Reason> {
        let before = self.terms.len();
        for (term, args) in written {
            let (kind, sort) = (self.script.pool.kind(term), self.script.pool.sort_of(term));
            let copy = self.script.pool.term(kind, sort, &args);
            let generation = self.generation[&term] + 1;
            self.register(copy, generation)?;
        }
        self.feed();
        Ok(self.terms.len() > before)
    }

    /// Products whose value is not the product of the values.
    fn wrong_products(&self, model: &Model) -> Vec<(TermId, TermId, Rat, Rat)> {
        let mut wrong = vec![];
        for (monomial, value) in model {
            let &[a, b] = &monomial[..] else { continue };
            let zero = Rat::ZERO;
            let x = model.get(&vec![a]).unwrap_or(&zero);
            let y = model.get(&vec![b]).unwrap_or(&zero);
            if &(x * y) != value && x.bit_len() < 64 && y.bit_len() < 64 {
                wrong.push((a, b, x.clone(), y.clone()));
            }
        }
        wrong.truncate(2);
        wrong
    }

    /// The planes that touch the surface `x * y` at a point: the surface is above them on two sides and below on the
    /// others.
    fn tangents(&mut self, products: Vec<(TermId, TermId, Rat, Rat)>) -> Result<bool, Reason> {
        let mut new = false;
        for (a, b, x, y) in products {
            self.splits += 1;
            if self.script.pool.sort_of(a) != self.script.pool.sort_of(b) {
                continue;
            }
            for (factor, value) in [(a, &x), (b, &y)] {
                let sort = self.script.pool.sort_of(factor);
                if let Some(number) = build::number(&mut self.script.pool, value, sort)
                    && (sort == SortId::REAL || value.is_int())
                {
                    new |= self.compare(factor, number)?;
                }
            }
            for lemma in self.tangent(a, b, &x, &y).into_iter().flatten() {
                let why = "a product lies on one side of its tangent plane";
                new |= self.state_valid("tangent", why, lemma, 2)?;
            }
        }
        Ok(new)
    }

    fn tangent(&mut self, a: TermId, b: TermId, x: &Rat, y: &Rat) -> Option<Vec<TermId>> {
        let pool = &mut self.script.pool;
        let sort = pool.sort_of(a);
        let (x, y) = if sort == SortId::INT {
            (Rat::from(x.floor()), Rat::from(y.floor()))
        } else {
            (x.clone(), y.clone())
        };
        let product = build::op(pool, "*", &[a, b])?;
        let (at_x, at_y) = (build::number(pool, &x, sort)?, build::number(pool, &y, sort)?);
        let corner = build::number(pool, &(&x * &y), sort)?;
        let slopes = [build::op(pool, "*", &[at_y, a])?, build::op(pool, "*", &[at_x, b])?];
        let sum = build::op(pool, "+", &slopes)?;
        let plane = build::op(pool, "-", &[sum, corner])?;
        let above = build::op(pool, "<=", &[plane, product])?;
        if a == b {
            let mut lemmas = vec![above];
            if sort == SortId::INT {
                lemmas.push(self.secant(a, &x, product)?);
            }
            return Some(lemmas);
        }
        let below = build::op(pool, "<=", &[product, plane])?;
        let [a_low, a_high] = [build::op(pool, "<=", &[a, at_x])?, build::op(pool, "<=", &[at_x, a])?];
        let [b_low, b_high] = [build::op(pool, "<=", &[b, at_y])?, build::op(pool, "<=", &[at_y, b])?];
        let mut lemmas = vec![];
        for (p, q, side) in
            [(a_low, b_low, above), (a_high, b_high, above), (a_low, b_high, below), (a_high, b_low, below)]
        {
            let both = build::and(pool, &[p, q]);
            lemmas.push(build::implies(pool, both, side));
        }
        Some(lemmas)
    }

    /// An integer's square is above the line through two neighbouring squares.
    fn secant(&mut self, a: TermId, x: &Rat, product: TermId) -> Option<TermId> {
        let pool = &mut self.script.pool;
        let next = x + &Rat::ONE;
        let slope = build::number(pool, &(x + &next), SortId::INT)?;
        let corner = build::number(pool, &(x * &next), SortId::INT)?;
        let line = build::op(pool, "*", &[slope, a])?;
        let line = build::op(pool, "-", &[line, corner])?;
        build::op(pool, "<=", &[line, product])
    }

    /// Memberships of one string in closed regular languages that have no common string.
    fn regular(&mut self, atoms: &[Truth]) -> Result<bool, Reason> {
        let mut by_string: BTreeMap<TermId, Vec<(Truth, TermId)>> = BTreeMap::new();
        for &(atom, truth) in atoms {
            let pool = &self.script.pool;
            if build::operator(pool, atom) == Some("str_in_re") && !self.values.contains_key(&atom) {
                let args = pool.args(atom);
                if self.is_known_closed(args[1]) && matches!(pool.sort(pool.sort_of(args[1])), Sort::RegLan) {
                    by_string.entry(args[0]).or_default().push(((atom, truth), args[1]));
                }
            }
        }
        let mut new = false;
        for memberships in by_string.into_values() {
            for n in 0..memberships.len() {
                for m in n..memberships.len() {
                    let pair = [memberships[n], memberships[m]];
                    new |= self.disjoint(if n == m { &pair[..1] } else { &pair })?;
                }
            }
            if memberships.len() > 2 {
                new |= self.disjoint(&memberships)?;
            }
        }
        Ok(new)
    }

    fn disjoint(&mut self, memberships: &[(Truth, TermId)]) -> Result<bool, Reason> {
        let pool = &mut self.script.pool;
        let mut whole: Option<TermId> = None;
        for &((_, truth), language) in memberships {
            let part = if truth { Some(language) } else { build::op(pool, "re.comp", &[language]) };
            let Some(part) = part else { return Ok(false) };
            whole = match whole {
                None => Some(part),
                Some(whole) => build::op(pool, "re.inter", &[whole, part]),
            };
        }
        let (Some(whole), Some(none)) = (whole, build::op(pool, "re.none", &[])) else { return Ok(false) };
        let empty = build::equal(pool, whole, none);
        if !self.axioms.insert(empty) || self.truth_of(empty)? != Some(true) {
            return Ok(false);
        }
        let conflict: Conflict = memberships.iter().map(|&(truth, _)| truth).collect();
        let clause = self.clause(&conflict);
        let why = "no string is in all these languages and outside those";
        self.state("re.disjoint", why, clause, Status::Valid, 0)
    }
}

fn is_number(pool: &Pool, term: TermId) -> bool {
    matches!(pool.sort_of(term), SortId::INT | SortId::REAL)
}

/// Whether a position of a function distinguishes terms by equality alone: an index, an element, any argument of a
/// function of the script (whose head is a number).
fn shares(head: &str, place: usize) -> bool {
    match head {
        "array_select" => place == 1,
        "set_member" | "set_singleton" | "set_insert" | "bag_count" | "bag_make" | "seq_unit" => place == 0,
        _ => head.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

/// Whether equality of terms of this sort has more properties than that it is an equivalence.
fn has_theory(pool: &Pool, sort: SortId) -> bool {
    match pool.sort(sort) {
        Sort::Bool | Sort::RegLan | Sort::Fun(_) | Sort::Param(_) => false,
        Sort::Declared(..) => pool.datatype(sort).is_some(),
        _ => true,
    }
}
