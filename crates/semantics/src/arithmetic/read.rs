//! Reads terms of a script as formulas of linear arithmetic.
//!
//! In: a Boolean term. Out: the formula and its negation. Connectives, `ite`, `let`, definitions, equality and
//! comparisons are decomposed; numbers are read by `number.rs`. The remaining leaves are constants of the script,
//! which are free variables or have their value in a model. Anything else (a function, another theory, a product of
//! variables, a division whose divisor may be zero) is refused with the reason, so that no term is read with less than
//! its full meaning.

use super::Reason;
use super::formula::{FALSE, Formulas, Quantifier, Relation, Sort, Step, TRUE};
use super::linear::Var;
use super::number::{Both, Number};
use crate::value::Value;
use crate::value::int::Int;
use crate::value::rational::Rat;
use crate::value::real::Real;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{DeclId, Index, Kind, Lit, Pool, Role, TermId};

/// Maximum nesting of terms.
const MAX_DEPTH: u32 = 800;

/// The value of a term whose variables are all bound outside the part that is read.
pub(crate) type Outside<'o> = &'o mut dyn FnMut(TermId) -> Option<Value>;

#[derive(Clone, Debug)]
enum Meaning {
    Truth(Both),
    Number(Number),
}

pub(super) struct Reader<'r, 'b, 'o> {
    pub formulas: &'r mut Formulas<'b>,
    pool: &'r Pool,
    /// Values of constants; without it they are free.
    outside: Option<Outside<'o>>,
    /// Free constants with their variables.
    pub constants: Vec<(DeclId, Var)>,
    bound: HashMap<Symbol, Vec<Meaning>, FxBuildHasher>,
    /// The terms that have been read in each scope.
    memory: Vec<HashMap<TermId, Meaning, FxBuildHasher>>,
    depth: u32,
}

impl<'r, 'b, 'o> Reader<'r, 'b, 'o> {
    pub fn new(formulas: &'r mut Formulas<'b>, pool: &'r Pool, outside: Option<Outside<'o>>) -> Self {
        let memory = vec![HashMap::default()];
        Reader { formulas, pool, outside, constants: vec![], bound: HashMap::default(), memory, depth: 0 }
    }

    /// A Boolean term.
    pub fn truth(&mut self, term: TermId) -> Step<Both> {
        match self.read(term)? {
            Meaning::Truth(both) => Ok(both),
            Meaning::Number(_) => Err(self.refuse(term)),
        }
    }

    fn number(&mut self, term: TermId) -> Step<Number> {
        match self.read(term)? {
            Meaning::Number(number) => Ok(number),
            Meaning::Truth(_) => Err(self.refuse(term)),
        }
    }

    fn numbers(&mut self, terms: &[TermId]) -> Step<Vec<Number>> {
        terms.iter().map(|&term| self.number(term)).collect()
    }

    fn refuse(&self, term: TermId) -> Reason {
        let name = match self.pool.kind(term) {
            Kind::Op { op, .. } => op.row().name.to_owned(),
            Kind::Fun { decl, .. } => self.pool.name(self.pool.decl(decl).name).into_owned(),
            _ => smtlib::printer::sort_text(self.pool, self.pool.sort_of(term)),
        };
        Reason::Unsupported(format!("`{name}`"))
    }

    fn read(&mut self, term: TermId) -> Step<Meaning> {
        self.formulas.budget.spend(1)?;
        if let Some(known) = self.memory.last().and_then(|scope| scope.get(&term)) {
            return Ok(known.clone());
        }
        if self.depth >= MAX_DEPTH {
            return Err(Reason::TooDeep);
        }
        self.depth += 1;
        let meaning = self.read_new(term)?;
        self.depth -= 1;
        if let Some(scope) = self.memory.last_mut() {
            scope.insert(term, meaning.clone());
        }
        Ok(meaning)
    }

    fn read_new(&mut self, term: TermId) -> Step<Meaning> {
        let args = self.pool.args(term);
        match self.pool.kind(term) {
            Kind::Lit(lit, text) => self.literal(term, lit, text),
            Kind::Var(name) => match self.bound.get(&name).and_then(|meanings| meanings.last()) {
                Some(meaning) => Ok(meaning.clone()),
                None => self.ask(term),
            },
            Kind::Annot(_) => self.read(args[0]),
            Kind::Let(_) => self.lets(term),
            Kind::Quant(quantifier, binders) => {
                let quantifier = match quantifier {
                    smtlib::term::Quantifier::Exists => Quantifier::Exists,
                    smtlib::term::Quantifier::Forall => Quantifier::Forall,
                    other => return Err(Reason::Unsupported(format!("`{}`", other.name()))),
                };
                self.block(quantifier, self.pool.binder_list(binders), args[0]).map(Meaning::Truth)
            }
            Kind::Fun { decl, .. } => self.function(term, decl, args),
            Kind::Op { op, .. } => {
                let row = op.row();
                match row.eval {
                    Some(name) if row.args.len() == 1 && args.len() == 1 && is_reduced(name) => {
                        self.read(args[0])
                    }
                    Some(name) => self.operator(term, name, args),
                    None => self.ask(term),
                }
            }
            _ => self.ask(term),
        }
    }

    // Leaves.

    fn literal(&mut self, term: TermId, lit: Lit, text: Symbol) -> Step<Meaning> {
        let sort = self.number_sort(term)?;
        match lit {
            Lit::Numeral | Lit::Decimal => {
                let value = Rat::parse(self.pool.bytes(text)).ok_or_else(|| self.refuse(term))?;
                Ok(Meaning::Number(Number::constant(&value, sort)))
            }
            _ => self.ask(term),
        }
    }

    fn number_sort(&self, term: TermId) -> Step<Sort> {
        sort_of(self.pool.sort_of(term)).ok_or_else(|| self.refuse(term))
    }

    /// The value of a term from outside, as a constant.
    fn ask(&mut self, term: TermId) -> Step<Meaning> {
        let inside = self.mentions_bound(term)?;
        let Some(outside) = self.outside.as_mut().filter(|_| !inside) else { return Err(self.refuse(term)) };
        match outside(term) {
            Some(Value::Bool(value)) => Ok(Meaning::Truth(fixed(value))),
            Some(Value::Int(value)) => Ok(Meaning::Number(Number::constant(&Rat::from(value), Sort::Int))),
            Some(Value::Real(Real::Rat(value))) => Ok(Meaning::Number(Number::constant(&value, Sort::Real))),
            _ => Err(self.refuse(term)),
        }
    }

    /// Whether a term mentions a variable that is bound inside the part that is read.
    fn mentions_bound(&self, term: TermId) -> Step<bool> {
        if self.outside.is_none() {
            return Ok(true);
        }
        for part in self.pool.subterms(term) {
            self.formulas.budget.spend(1)?;
            if let Kind::Var(name) = self.pool.kind(part)
                && self.bound.get(&name).is_some_and(|meanings| !meanings.is_empty())
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn function(&mut self, term: TermId, decl: DeclId, args: &[TermId]) -> Step<Meaning> {
        let declared = self.pool.decl(decl);
        match declared.role {
            Role::Named(named) => self.read(named),
            Role::Defined { vars, body, recursive: false } => {
                let args = args.iter().map(|&arg| self.read(arg)).collect::<Step<Vec<_>>>()?;
                let vars = self.pool.binder_list(vars);
                // Only the parameters are visible in the body.
                let around = std::mem::take(&mut self.bound);
                let outcome = self.within(vars.iter().map(|(name, _)| *name).zip(args).collect(), body);
                self.bound = around;
                outcome
            }
            Role::Declared if args.is_empty() && self.outside.is_none() => self.constant(term, decl),
            _ => self.ask(term),
        }
    }

    fn constant(&mut self, term: TermId, decl: DeclId) -> Step<Meaning> {
        let sort = self.number_sort(term)?;
        let known = self.constants.iter().find(|(known, _)| *known == decl).map(|(_, x)| *x);
        let x = known.unwrap_or_else(|| {
            let name = self.pool.name(self.pool.decl(decl).name).into_owned();
            let x = self.formulas.new_variable(sort, name);
            self.constants.push((decl, x));
            x
        });
        self.variable(x, sort)
    }

    fn variable(&mut self, x: Var, sort: Sort) -> Step<Meaning> {
        if sort != Sort::Bool {
            return Ok(Meaning::Number(Number::variable(x, sort)));
        }
        let both = Both { yes: self.formulas.literal(x, true)?, no: self.formulas.literal(x, false)? };
        Ok(Meaning::Truth(both))
    }

    // Binders.

    /// Reads a term with names bound.
    fn within(&mut self, meanings: Vec<(Symbol, Meaning)>, body: TermId) -> Step<Meaning> {
        let names: Vec<Symbol> = meanings.iter().map(|(name, _)| *name).collect();
        for (name, meaning) in meanings {
            self.bound.entry(name).or_default().push(meaning);
        }
        self.memory.push(HashMap::default());
        let outcome = self.read(body);
        self.memory.pop();
        for name in names {
            if let Some(meanings) = self.bound.get_mut(&name) {
                meanings.pop();
            }
        }
        outcome
    }

    /// A chain of `let`s of any length.
    fn lets(&mut self, term: TermId) -> Step<Meaning> {
        let mut body = term;
        let mut names = vec![];
        while let Kind::Let(binders) = self.pool.kind(body) {
            let vars = self.pool.binder_list(binders);
            let args = self.pool.args(body);
            let values = args[..vars.len()].iter().map(|&arg| self.read(arg)).collect::<Step<Vec<_>>>()?;
            for ((name, _), value) in vars.iter().zip(values) {
                self.bound.entry(*name).or_default().push(value);
                names.push(*name);
            }
            self.memory.push(HashMap::default());
            body = args[vars.len()];
            if names.len() > 100_000 {
                return Err(Reason::TooDeep);
            }
            // The scopes of a chain end together, so one per `let` is kept until then.
        }
        let outcome = self.read(body);
        for name in names.iter().rev() {
            if let Some(meanings) = self.bound.get_mut(name) {
                meanings.pop();
            }
        }
        let mut at = term;
        while let Kind::Let(_) = self.pool.kind(at) {
            self.memory.pop();
            at = self.pool.args(at)[self.pool.args(at).len() - 1];
        }
        outcome
    }

    /// Variables quantified over a body.
    pub fn block(&mut self, quantifier: Quantifier, vars: &[(Symbol, SortId)], body: TermId) -> Step<Both> {
        let mut fresh = vec![];
        let mut meanings = vec![];
        for &(name, sort) in vars {
            let Some(sort) = sort_of(sort) else {
                return Err(Reason::Unsupported(smtlib::printer::sort_text(self.pool, sort)));
            };
            let x = self.formulas.new_variable(sort, self.pool.name(name).into_owned());
            fresh.push(x);
            meanings.push((name, self.variable(x, sort)?));
        }
        let Meaning::Truth(body) = self.within(meanings, body)? else { return Err(self.refuse(body)) };
        let dual = match quantifier {
            Quantifier::Exists => Quantifier::Forall,
            Quantifier::Forall => Quantifier::Exists,
        };
        Ok(Both {
            yes: self.formulas.quantify(quantifier, &fresh, body.yes)?,
            no: self.formulas.quantify(dual, &fresh, body.no)?,
        })
    }

    // Operators.

    fn operator(&mut self, term: TermId, name: &str, args: &[TermId]) -> Step<Meaning> {
        match name {
            "core_true" => Ok(Meaning::Truth(fixed(true))),
            "core_false" => Ok(Meaning::Truth(fixed(false))),
            "core_not" => self.truth(args[0]).map(|both| Meaning::Truth(opposite(both))),
            "core_and" => self.connective(args, true),
            "core_or" => self.connective(args, false),
            "core_implies" => self.implies(args),
            "core_xor" => self.exclusive(args),
            "core_eq" => self.equal(args),
            "core_distinct" => self.distinct(args),
            "core_ite" => self.ite(args),
            "int_le" | "real_le" => self.chain(args, &Relation::AtMost, false),
            "int_lt" | "real_lt" => self.chain(args, &Relation::Below, false),
            "int_ge" | "real_ge" => self.chain(args, &Relation::AtMost, true),
            "int_gt" | "real_gt" => self.chain(args, &Relation::Below, true),
            "int_is_int" => Ok(Meaning::Truth(fixed(true))),
            "int_divisible" => self.divisible(term, args),
            "real_is_int" => {
                let number = self.number(args[0])?;
                self.formulas.is_integer(&number).map(Meaning::Truth)
            }
            _ => match self.arithmetic(name, args)? {
                Some(number) => Ok(Meaning::Number(number)),
                None => self.ask(term),
            },
        }
    }

    fn arithmetic(&mut self, name: &str, args: &[TermId]) -> Step<Option<Number>> {
        let fold: fn(&mut Formulas<'b>, &Number, &Number) -> Step<Number> = match name {
            "int_add" | "real_add" => |f, a, b| f.add(a, b),
            "int_sub" | "real_sub" => |f, a, b| f.subtract(a, b),
            "int_mul" | "real_mul" => |f, a, b| f.multiply(a, b),
            "real_div" | "real_div_total" => |f, a, b| f.divide(a, b),
            "int_div" | "int_div_total" => |f, a, b| quotient(f, a, b),
            "int_mod" | "int_mod_total" => |f, a, b| remainder(f, a, b),
            "int_rem" => |f, a, b| signed_remainder(f, a, b),
            _ => return self.unary(name, args),
        };
        let numbers = self.numbers(args)?;
        let Some((first, rest)) = numbers.split_first() else { return Ok(None) };
        let mut sum = first.clone();
        for next in rest {
            sum = fold(self.formulas, &sum, next)?;
        }
        Ok(Some(sum))
    }

    fn unary(&mut self, name: &str, args: &[TermId]) -> Step<Option<Number>> {
        let known =
            ["int_neg", "real_neg", "int_abs", "real_abs", "int_to_real", "real_to_int", "real_id", "int_id"];
        if !known.contains(&name) {
            return Ok(None);
        }
        let number = self.number(args[0])?;
        Ok(Some(match name {
            "int_neg" | "real_neg" => self.formulas.scale(&number, &-Rat::ONE)?,
            "int_abs" | "real_abs" => self.formulas.absolute(&number)?,
            "int_to_real" => Number { sort: Sort::Real, ..number },
            "real_to_int" => self.formulas.floor(&number, &Rat::ONE)?,
            _ => number,
        }))
    }

    fn divisible(&mut self, term: TermId, args: &[TermId]) -> Step<Meaning> {
        let Kind::Op { indices, .. } = self.pool.kind(term) else { return Err(self.refuse(term)) };
        let Some(Index::Num(n)) = self.pool.index_list(indices).first() else {
            return Err(self.refuse(term));
        };
        let number = self.number(args[0])?;
        match n {
            0 => Err(self.refuse(term)),
            1 => Ok(Meaning::Truth(fixed(true))),
            n => self.formulas.relate(&number, &Relation::Divisible(Int::from(*n))).map(Meaning::Truth),
        }
    }

    fn connective(&mut self, args: &[TermId], conjunction: bool) -> Step<Meaning> {
        let parts = args.iter().map(|&arg| self.truth(arg)).collect::<Step<Vec<_>>>()?;
        self.junction(parts, conjunction).map(Meaning::Truth)
    }

    fn junction(&mut self, parts: Vec<Both>, conjunction: bool) -> Step<Both> {
        let yes: Vec<_> = parts.iter().map(|both| both.yes).collect();
        let no: Vec<_> = parts.iter().map(|both| both.no).collect();
        Ok(match conjunction {
            true => Both { yes: self.formulas.and(yes)?, no: self.formulas.or(no)? },
            false => Both { yes: self.formulas.or(yes)?, no: self.formulas.and(no)? },
        })
    }

    fn implies(&mut self, args: &[TermId]) -> Step<Meaning> {
        let mut parts = args.iter().map(|&arg| self.truth(arg)).collect::<Step<Vec<_>>>()?;
        let last = parts.len() - 1;
        for part in &mut parts[..last] {
            *part = opposite(*part);
        }
        self.junction(parts, false).map(Meaning::Truth)
    }

    /// Whether two formulas differ.
    fn differ(&mut self, a: Both, b: Both) -> Step<Both> {
        let pairs = [(a.yes, b.no), (a.no, b.yes), (a.yes, b.yes), (a.no, b.no)];
        let [p, q, r, s] = pairs.map(|(x, y)| self.formulas.and(vec![x, y]));
        Ok(Both { yes: self.formulas.or(vec![p?, q?])?, no: self.formulas.or(vec![r?, s?])? })
    }

    fn exclusive(&mut self, args: &[TermId]) -> Step<Meaning> {
        let mut sum = fixed(false);
        for &arg in args {
            let next = self.truth(arg)?;
            sum = self.differ(sum, next)?;
        }
        Ok(Meaning::Truth(sum))
    }

    fn same(&mut self, a: &Meaning, b: &Meaning) -> Step<Both> {
        match (a, b) {
            (Meaning::Truth(a), Meaning::Truth(b)) => Ok(opposite(self.differ(*a, *b)?)),
            (Meaning::Number(a), Meaning::Number(b)) => self.formulas.compare(a, &Relation::Equal, b),
            _ => Err(Reason::Unsupported("`=`".into())),
        }
    }

    fn equal(&mut self, args: &[TermId]) -> Step<Meaning> {
        let meanings = args.iter().map(|&arg| self.read(arg)).collect::<Step<Vec<_>>>()?;
        let parts =
            meanings.windows(2).map(|pair| self.same(&pair[0], &pair[1])).collect::<Step<Vec<_>>>()?;
        self.junction(parts, true).map(Meaning::Truth)
    }

    fn distinct(&mut self, args: &[TermId]) -> Step<Meaning> {
        let meanings = args.iter().map(|&arg| self.read(arg)).collect::<Step<Vec<_>>>()?;
        let mut parts = vec![];
        for (n, a) in meanings.iter().enumerate() {
            for b in &meanings[n + 1..] {
                parts.push(opposite(self.same(a, b)?));
            }
        }
        self.junction(parts, true).map(Meaning::Truth)
    }

    fn chain(&mut self, args: &[TermId], relation: &Relation, reversed: bool) -> Step<Meaning> {
        let numbers = self.numbers(args)?;
        let mut parts = vec![];
        for pair in numbers.windows(2) {
            let (a, b) = if reversed { (&pair[1], &pair[0]) } else { (&pair[0], &pair[1]) };
            parts.push(self.formulas.compare(a, relation, b)?);
        }
        self.junction(parts, true).map(Meaning::Truth)
    }

    fn ite(&mut self, args: &[TermId]) -> Step<Meaning> {
        let condition = self.truth(args[0])?;
        if condition.yes == TRUE || condition.yes == FALSE {
            return self.read(args[if condition.yes == TRUE { 1 } else { 2 }]);
        }
        match (self.read(args[1])?, self.read(args[2])?) {
            (Meaning::Number(a), Meaning::Number(b)) => {
                self.formulas.choose(condition, &a, &b).map(Meaning::Number)
            }
            (Meaning::Truth(a), Meaning::Truth(b)) => {
                let mut choose = |x, y| {
                    let first = self.formulas.and(vec![condition.yes, x])?;
                    let second = self.formulas.and(vec![condition.no, y])?;
                    self.formulas.or(vec![first, second])
                };
                Ok(Meaning::Truth(Both { yes: choose(a.yes, b.yes)?, no: choose(a.no, b.no)? }))
            }
            _ => Err(Reason::Unsupported("`ite`".into())),
        }
    }
}

/// Whether an operator with one argument is the identity because its row is defined for two.
fn is_reduced(name: &str) -> bool {
    matches!(name, "core_and" | "core_or" | "core_xor" | "int_add" | "int_mul" | "real_add" | "real_mul")
}

fn fixed(value: bool) -> Both {
    if value { Both { yes: TRUE, no: FALSE } } else { Both { yes: FALSE, no: TRUE } }
}

fn opposite(both: Both) -> Both {
    Both { yes: both.no, no: both.yes }
}

fn sort_of(sort: SortId) -> Option<Sort> {
    match sort {
        SortId::BOOL => Some(Sort::Bool),
        SortId::INT => Some(Sort::Int),
        SortId::REAL => Some(Sort::Real),
        _ => None,
    }
}

/// A divisor: one nonzero constant.
fn divisor(b: &Number) -> Step<Rat> {
    match b.to_constant() {
        Some(zero) if zero.is_zero() => Err(Reason::UnderSpecified),
        Some(k) => Ok(k),
        None => Err(Reason::NotLinear),
    }
}

/// Euclidean division: `a div -k` is `-(a div k)`.
fn quotient(formulas: &mut Formulas<'_>, a: &Number, b: &Number) -> Step<Number> {
    let k = divisor(b)?;
    let floor = formulas.floor(a, &k.abs())?;
    if k.is_negative() { formulas.scale(&floor, &-Rat::ONE) } else { Ok(floor) }
}

fn remainder(formulas: &mut Formulas<'_>, a: &Number, b: &Number) -> Step<Number> {
    let k = divisor(b)?.abs();
    let floor = formulas.floor(a, &k)?;
    let whole = formulas.scale(&floor, &k)?;
    formulas.subtract(a, &whole)
}

/// z3's `rem`: the remainder with the sign of the divisor.
fn signed_remainder(formulas: &mut Formulas<'_>, a: &Number, b: &Number) -> Step<Number> {
    let rest = remainder(formulas, a, b)?;
    if divisor(b)?.is_negative() { formulas.scale(&rest, &-Rat::ONE) } else { Ok(rest) }
}
