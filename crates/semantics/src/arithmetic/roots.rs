//! The numbers at which a body with one numeric variable must be evaluated.
//!
//! If a body mentions `x` only through comparisons of polynomials in `x`, its truth depends only on the signs of
//! their differences. Between two neighbouring roots of all these differences no sign changes, nor beyond the
//! outermost ones. So the roots, one number between each two neighbours and one beyond each end represent all reals.
//!
//! For an integer variable, remainders and quotients by constants may occur too. Let `M` be the least common multiple
//! of the divisors. Among the integers of one residue modulo `M` each remainder is a constant and each quotient a
//! polynomial; the polynomials for all remainders are collected. So within each interval between roots the first `M`
//! integers represent all others; around every root, `M` integers on both sides are returned.
//!
//! Additional numbers are allowed, because the body is evaluated at each. Hence branches of `ite` need no guards: all
//! their polynomials are collected. A term that does not mention `x` is a coefficient and must be rational. Anything
//! else (another theory, a division by `x`, a quantifier over `x`) is refused.

use super::Reason;
use super::formula::Step;
use super::read::Outside;
use crate::budget::Budget;
use crate::value::Value;
use crate::value::algebraic::Alg;
use crate::value::factor::TooHard;
use crate::value::int::Int;
use crate::value::rational::Rat;
use crate::value::real::Real;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{Index, Kind, Lit, Pool, Role, TermId};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Coefficients, constant first, without zeros at the end.
type Polynomial = Vec<Rat>;

/// Names bound inside: the variable and `let`s, with all polynomials they may be; empty for Booleans.
type Scope = HashMap<Symbol, Vec<Option<Vec<Polynomial>>>, FxBuildHasher>;

const MAX_DEGREE: usize = 24;
const MAX_POLYNOMIALS: usize = 128;
const MAX_PERIOD: u64 = 1024;
const MAX_DEPTH: u32 = 200;

struct Collector<'c, 'o> {
    pool: &'c Pool,
    outside: Outside<'o>,
    budget: &'c Budget,
    whole: bool,
    bound: Scope,
    found: BTreeSet<Polynomial>,
    period: Int,
    depth: u32,
}

/// Values of a variable that represent all values: the body cannot distinguish the others from them.
pub(crate) fn samples(
    pool: &Pool,
    var: (Symbol, SortId),
    body: TermId,
    outside: Outside<'_>,
    budget: &Budget,
) -> Result<Vec<Value>, Reason> {
    let whole = var.1 == SortId::INT;
    let mut collector = Collector {
        pool,
        outside,
        budget,
        whole,
        bound: HashMap::default(),
        found: BTreeSet::new(),
        period: Int::ONE,
        depth: 0,
    };
    collector.bound.insert(var.0, vec![Some(vec![vec![Rat::ZERO, Rat::ONE]])]);
    collector.truth(body)?;
    let mut roots = vec![];
    for polynomial in &collector.found {
        roots.extend(real_roots(polynomial, budget)?);
    }
    let roots = in_order(roots, budget)?;
    if !whole {
        return Ok(around(&roots)?.into_iter().map(Value::Real).collect());
    }
    let period = collector.period.to_u64().filter(|&p| p <= MAX_PERIOD).ok_or(Reason::TooManyPoints)?;
    budget.spend(period.saturating_mul(2 * roots.len() as u64 + 1))?;
    Ok(integers_around(&roots, period)?.into_iter().map(Value::Int).collect())
}

fn real_roots(polynomial: &[Rat], budget: &Budget) -> Step<Vec<Real>> {
    let mut roots = vec![];
    for index in 1..=polynomial.len() {
        budget.spend(50 * (polynomial.len() * polynomial.len()) as u64)?;
        match exact(Alg::root(polynomial, index))? {
            Some(root) => roots.push(root),
            None => break,
        }
    }
    Ok(roots)
}

/// Each root once, in ascending order.
fn in_order(roots: Vec<Real>, budget: &Budget) -> Step<Vec<Real>> {
    let mut sorted: Vec<Real> = vec![];
    for root in roots {
        let (mut low, mut high, mut is_new) = (0, sorted.len(), true);
        while low < high && is_new {
            budget.spend(50)?;
            let middle = (low + high) / 2;
            match exact(sorted[middle].compare(&root))? {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => is_new = false,
                Ordering::Greater => high = middle,
            }
        }
        if is_new {
            sorted.insert(low, root);
        }
    }
    Ok(sorted)
}

/// If two roots cannot be distinguished in time, this counts as too many points.
fn exact<T>(result: Result<T, TooHard>) -> Step<T> {
    result.map_err(|_| Reason::TooManyPoints)
}

/// The roots, a number between each two neighbours, and one beyond each end.
fn around(roots: &[Real]) -> Step<Vec<Real>> {
    let (Some(least), Some(greatest)) = (roots.first(), roots.last()) else { return Ok(vec![Real::ZERO]) };
    let (below, above) = (exact(least.floor())?, exact(greatest.floor())?);
    let mut all = vec![Real::from(&below - &Int::ONE), Real::from(&above + &Int::from(2))];
    for pair in roots.windows(2) {
        all.push(Real::Rat(between(&pair[0], &pair[1])?));
    }
    all.extend_from_slice(roots);
    Ok(all)
}

/// A rational between two different numbers.
fn between(a: &Real, b: &Real) -> Step<Rat> {
    let mut bits = 4;
    loop {
        let (a, b) = (exact(a.enclose(bits))?, exact(b.enclose(bits))?);
        if a.hi() < b.lo() {
            return Ok(a.hi().midpoint(b.lo()));
        }
        bits *= 2;
    }
}

fn integers_around(roots: &[Real], period: u64) -> Step<Vec<Int>> {
    let mut all: BTreeSet<Int> = (0..period).map(Int::from).collect();
    for root in roots {
        let floor = exact(root.floor())?;
        for step in 0..=period {
            all.insert(&floor - &Int::from(step));
            all.insert(&(&floor + &Int::ONE) + &Int::from(step));
        }
    }
    Ok(all.into_iter().collect())
}

fn trimmed(mut polynomial: Polynomial) -> Polynomial {
    while polynomial.last().is_some_and(Rat::is_zero) {
        polynomial.pop();
    }
    polynomial
}

fn sum(a: &[Rat], b: &[Rat], sign: &Rat) -> Polynomial {
    let at = |p: &[Rat], n: usize| p.get(n).cloned().unwrap_or(Rat::ZERO);
    trimmed((0..a.len().max(b.len())).map(|n| &at(a, n) + &(sign * &at(b, n))).collect())
}

fn product(a: &[Rat], b: &[Rat]) -> Polynomial {
    let mut result = vec![Rat::ZERO; (a.len() + b.len()).saturating_sub(1)];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            result[i + j] = &result[i + j] + &(x * y);
        }
    }
    trimmed(result)
}

fn constant(value: &Rat) -> Polynomial {
    trimmed(vec![value.clone()])
}

fn to_constant(polynomial: &[Rat]) -> Option<Rat> {
    match polynomial {
        [] => Some(Rat::ZERO),
        [only] => Some(only.clone()),
        _ => None,
    }
}

impl Collector<'_, '_> {
    fn refuse<T>(&self) -> Step<T> {
        Err(Reason::NotLinear)
    }

    fn is_inside(&self, term: TermId) -> Step<bool> {
        let parts = self.pool.subterms(term);
        self.budget.spend(parts.len() as u64)?;
        let inside = |name: &Symbol| self.bound.get(name).is_some_and(|meanings| !meanings.is_empty());
        Ok(parts.iter().any(|&part| matches!(self.pool.kind(part), Kind::Var(name) if inside(&name))))
    }

    /// Collects the differences on whose signs a Boolean term depends.
    fn truth(&mut self, term: TermId) -> Step<()> {
        self.budget.spend(1)?;
        if !self.is_inside(term)? {
            return Ok(());
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Reason::TooDeep);
        }
        let args = self.pool.args(term);
        match self.pool.kind(term) {
            // A Boolean `let`: its differences were collected when it was bound.
            Kind::Var(_) => {}
            Kind::Annot(_) => self.truth(args[0])?,
            Kind::Let(binders) => {
                let names = self.bind_let(self.pool.binder_list(binders), args)?;
                self.truth(args[args.len() - 1])?;
                self.unbind(&names);
            }
            Kind::Fun { decl, .. } => match self.pool.decl(decl).role {
                Role::Named(named) => self.truth(named)?,
                Role::Defined { vars, body, recursive: false } => {
                    let around = self.bind_call(self.pool.binder_list(vars), args)?;
                    self.truth(body)?;
                    self.bound = around;
                }
                _ => return self.refuse(),
            },
            Kind::Op { op, indices, .. } => match op.row().eval {
                Some("core_not" | "core_and" | "core_or" | "core_implies" | "core_xor") => {
                    for &arg in args {
                        self.truth(arg)?;
                    }
                }
                Some("core_ite" | "core_eq" | "core_distinct")
                    if self.pool.sort_of(args[args.len() - 1]) == SortId::BOOL =>
                {
                    for &arg in args {
                        self.truth(arg)?;
                    }
                }
                Some(
                    "core_eq" | "core_distinct" | "int_le" | "int_lt" | "int_ge" | "int_gt" | "real_le"
                    | "real_lt" | "real_ge" | "real_gt",
                ) => {
                    self.comparison(args)?;
                }
                Some("int_divisible") if self.whole => {
                    let Some(Index::Num(n @ 1..)) = self.pool.index_list(indices).first() else {
                        return self.refuse();
                    };
                    self.remainder(args[0], &Int::from(*n))?;
                }
                _ => return self.refuse(),
            },
            _ => return self.refuse(),
        }
        self.depth -= 1;
        Ok(())
    }

    fn comparison(&mut self, args: &[TermId]) -> Step<()> {
        let numbers = args.iter().map(|&arg| self.number(arg)).collect::<Step<Vec<_>>>()?;
        for (n, a) in numbers.iter().enumerate() {
            for b in &numbers[n + 1..] {
                for (p, q) in a.iter().flat_map(|p| b.iter().map(move |q| (p, q))) {
                    self.budget.spend((p.len() + q.len()) as u64)?;
                    let difference = sum(p, q, &-Rat::ONE);
                    if difference.len() > 1 {
                        self.found.insert(difference);
                    }
                    if self.found.len() > MAX_POLYNOMIALS {
                        return Err(Reason::TooManyPoints);
                    }
                }
            }
        }
        Ok(())
    }

    // Binders.

    fn meaning(&mut self, value: TermId) -> Step<Option<Vec<Polynomial>>> {
        if self.pool.sort_of(value) == SortId::BOOL {
            self.truth(value)?;
            return Ok(None);
        }
        self.number(value).map(Some)
    }

    fn bind_let(&mut self, vars: &[(Symbol, SortId)], args: &[TermId]) -> Step<Vec<Symbol>> {
        let mut names = vec![];
        let meanings = args[..vars.len()].iter().map(|&arg| self.meaning(arg)).collect::<Step<Vec<_>>>()?;
        for (&(name, _), meaning) in vars.iter().zip(meanings) {
            self.bound.entry(name).or_default().push(meaning);
            names.push(name);
        }
        Ok(names)
    }

    fn unbind(&mut self, names: &[Symbol]) {
        for name in names {
            if let Some(meanings) = self.bound.get_mut(name) {
                meanings.pop();
            }
        }
    }

    /// Binds the parameters, and only them; returns the previous bindings.
    fn bind_call(&mut self, vars: &[(Symbol, SortId)], args: &[TermId]) -> Step<Scope> {
        let meanings = args.iter().map(|&arg| self.meaning(arg)).collect::<Step<Vec<_>>>()?;
        let around = std::mem::take(&mut self.bound);
        for (&(name, _), meaning) in vars.iter().zip(meanings) {
            self.bound.entry(name).or_default().push(meaning);
        }
        Ok(around)
    }

    // Numbers.

    /// All polynomials that a numeric term may be.
    fn number(&mut self, term: TermId) -> Step<Vec<Polynomial>> {
        self.budget.spend(1)?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Reason::TooDeep);
        }
        let mut all = if self.is_inside(term)? { self.inside(term)? } else { vec![self.coefficient(term)?] };
        self.depth -= 1;
        all.sort();
        all.dedup();
        if all.len() > MAX_POLYNOMIALS || all.iter().any(|p| p.len() > MAX_DEGREE + 1) {
            return Err(Reason::TooManyPoints);
        }
        Ok(all)
    }

    fn coefficient(&mut self, term: TermId) -> Step<Polynomial> {
        if let Kind::Lit(Lit::Numeral | Lit::Decimal, text) = self.pool.kind(term)
            && let Some(value) = Rat::parse(self.pool.bytes(text))
        {
            return Ok(constant(&value));
        }
        match (self.outside)(term) {
            Some(Value::Int(value)) => Ok(constant(&Rat::from(value))),
            Some(Value::Real(Real::Rat(value))) => Ok(constant(&value)),
            _ => self.refuse(),
        }
    }

    fn inside(&mut self, term: TermId) -> Step<Vec<Polynomial>> {
        let args = self.pool.args(term);
        match self.pool.kind(term) {
            Kind::Var(name) => match self.bound.get(&name).and_then(|meanings| meanings.last()) {
                Some(Some(all)) => Ok(all.clone()),
                _ => self.refuse(),
            },
            Kind::Annot(_) => self.number(args[0]),
            Kind::Let(binders) => {
                let names = self.bind_let(self.pool.binder_list(binders), args)?;
                let all = self.number(args[args.len() - 1])?;
                self.unbind(&names);
                Ok(all)
            }
            Kind::Fun { decl, .. } => match self.pool.decl(decl).role {
                Role::Named(named) => self.number(named),
                Role::Defined { vars, body, recursive: false } => {
                    let around = self.bind_call(self.pool.binder_list(vars), args)?;
                    let all = self.number(body)?;
                    self.bound = around;
                    Ok(all)
                }
                _ => self.refuse(),
            },
            Kind::Op { op, .. } => self.operator(op.row().eval.unwrap_or(""), args),
            _ => self.refuse(),
        }
    }

    fn operator(&mut self, name: &str, args: &[TermId]) -> Step<Vec<Polynomial>> {
        let minus = -Rat::ONE;
        match name {
            "core_ite" => {
                self.truth(args[0])?;
                let mut all = self.number(args[1])?;
                all.extend(self.number(args[2])?);
                Ok(all)
            }
            "int_neg" | "real_neg" => self.each(args[0], |p| product(p, &[-Rat::ONE])),
            "int_to_real" | "real_id" | "int_id" => self.number(args[0]),
            "int_abs" | "real_abs" => {
                let mut all = self.number(args[0])?;
                self.found.extend(all.iter().filter(|p| p.len() > 1).cloned());
                let opposite: Vec<Polynomial> =
                    all.iter().map(|p| product(p, std::slice::from_ref(&minus))).collect();
                all.extend(opposite);
                Ok(all)
            }
            "int_add" | "real_add" => self.fold(args, |p, q| Some(sum(p, q, &Rat::ONE))),
            "int_sub" | "real_sub" => self.fold(args, |p, q| Some(sum(p, q, &-Rat::ONE))),
            "int_mul" | "real_mul" => self.fold(args, |p, q| Some(product(p, q))),
            "real_div" => self.fold(args, |p, q| Some(product(p, &[to_constant(q)?.recip()?]))),
            "int_pow" | "real_pow" => self.fold(args, power),
            "int_mod" => {
                let divisor = self.divisor(args)?;
                self.remainder(args[0], &divisor)?;
                let most = divisor.to_u64().filter(|&k| k <= MAX_PERIOD).ok_or(Reason::TooManyPoints)?;
                Ok((0..most).map(|r| constant(&Rat::from(Int::from(r)))).collect())
            }
            "int_div" => self.quotients(args),
            _ => self.refuse(),
        }
    }

    fn each(&mut self, arg: TermId, change: impl Fn(&[Rat]) -> Polynomial) -> Step<Vec<Polynomial>> {
        Ok(self.number(arg)?.iter().map(|p| change(p)).collect())
    }

    fn fold(
        &mut self,
        args: &[TermId],
        operate: impl Fn(&[Rat], &[Rat]) -> Option<Polynomial>,
    ) -> Step<Vec<Polynomial>> {
        let mut all = self.number(args[0])?;
        for &arg in &args[1..] {
            let next = self.number(arg)?;
            if all.len() * next.len() > MAX_POLYNOMIALS {
                return Err(Reason::TooManyPoints);
            }
            let mut results = vec![];
            for (p, q) in all.iter().flat_map(|p| next.iter().map(move |q| (p, q))) {
                self.budget.spend((1 + p.len() * q.len()) as u64)?;
                let result = operate(p, q).filter(|r| r.len() <= MAX_DEGREE + 1);
                results.push(result.ok_or(Reason::NotLinear)?);
            }
            all = results;
        }
        Ok(all)
    }

    /// The magnitude of a divisor that is a constant other than zero.
    fn divisor(&mut self, args: &[TermId]) -> Step<Int> {
        let &[_, divisor] = args else { return self.refuse() };
        match &self.number(divisor)?[..] {
            [only] => match to_constant(only).and_then(|k| k.to_int()) {
                Some(k) if !k.is_zero() => Ok(k.abs()),
                _ => Err(Reason::UnderSpecified),
            },
            _ => self.refuse(),
        }
    }

    /// Records a remainder of a polynomial with integer coefficients.
    fn remainder(&mut self, term: TermId, divisor: &Int) -> Step<Vec<Polynomial>> {
        let all = self.number(term)?;
        if !self.whole || all.iter().any(|p| !p.iter().all(Rat::is_int)) {
            return self.refuse();
        }
        self.period = &self.period * &divisor.div(&self.period.gcd(divisor)).unwrap_or(Int::ONE);
        Ok(all)
    }

    fn quotients(&mut self, args: &[TermId]) -> Step<Vec<Polynomial>> {
        let divisor = self.divisor(args)?;
        let all = self.remainder(args[0], &divisor)?;
        let most = divisor.to_u64().filter(|&k| k.saturating_mul(all.len() as u64) <= MAX_POLYNOMIALS as u64);
        let most = most.ok_or(Reason::TooManyPoints)?;
        let factor = Rat::from(divisor).recip().ok_or(Reason::UnderSpecified)?;
        let mut results = vec![];
        for p in &all {
            for r in 0..most {
                let quotient = product(
                    &sum(p, &constant(&Rat::from(Int::from(r))), &-Rat::ONE),
                    std::slice::from_ref(&factor),
                );
                // If the divisor was negative, the quotient has the opposite sign.
                results.push(product(&quotient, &[-Rat::ONE]));
                results.push(quotient);
            }
        }
        Ok(results)
    }
}

/// A power with a constant exponent that is a positive integer.
fn power(base: &[Rat], exponent: &[Rat]) -> Option<Polynomial> {
    let exponent =
        to_constant(exponent)?.to_int()?.to_u64().filter(|&e| (1..=MAX_DEGREE as u64).contains(&e))?;
    let mut result = constant(&Rat::ONE);
    for _ in 0..exponent {
        if result.len() > MAX_DEGREE + 1 {
            return None;
        }
        result = product(&result, base);
    }
    Some(result)
}
