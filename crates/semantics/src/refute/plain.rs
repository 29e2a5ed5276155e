//! Terms in plain form: closed, without `let`, annotations, `match` and definitions, every operator with the number of
//! arguments in its row.
//!
//! In: a term of the script. Out: an equivalent term that consists only of constants, applications and quantifiers.
//! `let` variables are replaced by their values, functions defined by `define-fun` are expanded, `match` becomes
//! tests, `(< a b c)` becomes two comparisons, `distinct` becomes its pairs, `(> a b)` is `(< b a)`, and equations
//! have the older term first, so that equal things are equal terms. Recursive functions stay: their definition,
//! applied to arguments, is a lemma (see `instances`).
//!
//! Bound variables are renamed by the nesting depth of their quantifier. Then two nested quantifiers never bind the
//! same name, so no replacement can be captured; the terms that later replace a bound variable are closed.

use super::{Reason, build};
use crate::budget::Budget;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{BindersId, CasesId, DeclId, Kind, Pool, Quantifier, Role, TermId};
use smtlib::theory::Assoc;

/// Maximum nesting of terms; the walk is recursive.
const DEPTH: usize = 800;

type Memory = HashMap<TermId, TermId, FxBuildHasher>;

pub(super) struct Plain<'a> {
    pool: &'a mut Pool,
    budget: &'a Budget,
    bound: HashMap<Symbol, Vec<TermId>, FxBuildHasher>,
    memory: Vec<Memory>,
    level: u32,
    depth: usize,
}

type Made = Result<TermId, Reason>;

/// The plain form of a closed term.
pub(super) fn plain(pool: &mut Pool, budget: &Budget, term: TermId) -> Made {
    plain_under(pool, budget, term, &[])
}

/// The plain form of a term with plain closed terms for its variables.
pub(super) fn plain_under(
    pool: &mut Pool,
    budget: &Budget,
    term: TermId,
    values: &[(Symbol, TermId)],
) -> Made {
    let bound = values.iter().map(|&(name, value)| (name, vec![value])).collect();
    // Names that are bound inside begin after those of the given term, which is plain or without quantifiers.
    Plain { pool, budget, bound, memory: vec![Memory::default()], level: 0, depth: 0 }.term(term)
}

impl Plain<'_> {
    fn term(&mut self, term: TermId) -> Made {
        if let Some(&known) = self.memory.last().and_then(|memory| memory.get(&term)) {
            return Ok(known);
        }
        self.budget.spend(1)?;
        if self.depth > DEPTH {
            return Err(Reason::Unsupported("deep nesting"));
        }
        self.depth += 1;
        let made = self.dispatch(term);
        self.depth -= 1;
        let made = made?;
        if let Some(memory) = self.memory.last_mut() {
            memory.insert(term, made);
        }
        Ok(made)
    }

    fn args(&mut self, term: TermId) -> Result<Vec<TermId>, Reason> {
        self.pool.args(term).to_vec().into_iter().map(|arg| self.term(arg)).collect()
    }

    fn dispatch(&mut self, term: TermId) -> Made {
        let sort = self.pool.sort_of(term);
        match self.pool.kind(term) {
            Kind::Lit(..) => Ok(term),
            Kind::Var(name) => match self.bound.get(&name).and_then(|values| values.last()) {
                Some(&value) => Ok(value),
                None => Ok(term),
            },
            Kind::Annot(_) => self.term(self.pool.args(term)[0]),
            Kind::Let(binders) => self.binding(term, binders),
            Kind::Quant(quantifier, binders) => self.quantifier(term, quantifier, binders),
            Kind::Match(cases) => self.matching(term, cases),
            Kind::Fun { decl, qualified } => self.function(term, decl, qualified),
            Kind::Tester { constructor, .. } => {
                let args = self.args(term)?;
                Ok(self.pool.term(Kind::Tester { constructor, dashed: false }, sort, &args))
            }
            kind @ Kind::Updater { .. } => {
                let args = self.args(term)?;
                Ok(self.pool.term(kind, sort, &args))
            }
            Kind::Op { op, indices, .. } => {
                let args = self.args(term)?;
                match op.row().assoc {
                    Assoc::Fixed | Assoc::Nary => {}
                    assoc => return self.unrolled(op, assoc, args, sort),
                }
                Ok(build::canonical(self.pool, op, indices, &args, sort))
            }
        }
    }

    /// An operator that accepts any number of arguments, reduced to the number that its meaning has.
    fn unrolled(&mut self, op: smtlib::theory::OpId, assoc: Assoc, args: Vec<TermId>, sort: SortId) -> Made {
        let none = smtlib::term::IndicesId::NONE;
        let name = build::meaning(op);
        let keeps_all =
            matches!(name, "core_and" | "core_or" | "int_add" | "int_sub" | "real_add" | "real_sub");
        if keeps_all && args.len() != 1 {
            return Ok(build::canonical(self.pool, op, none, &args, sort));
        }
        if args.len() == 1
            && matches!(assoc, Assoc::Left | Assoc::Right)
            && !matches!(name, "bv_xnor" | "int_sub" | "real_sub")
        {
            return Ok(args[0]);
        }
        match assoc {
            Assoc::Left => {
                let mut parts = args.into_iter();
                let Some(mut whole) = parts.next() else { return Err(Reason::Unsupported("no arguments")) };
                for part in parts {
                    whole = self.binary(op, whole, part)?;
                }
                Ok(whole)
            }
            Assoc::Right => {
                let mut parts = args.into_iter().rev();
                let Some(mut whole) = parts.next() else { return Err(Reason::Unsupported("no arguments")) };
                for part in parts {
                    whole = self.binary(op, part, whole)?;
                }
                Ok(whole)
            }
            Assoc::Chainable => {
                let pairs: Vec<(TermId, TermId)> = args.windows(2).map(|w| (w[0], w[1])).collect();
                let parts: Result<Vec<_>, Reason> =
                    pairs.into_iter().map(|(a, b)| self.comparison(op, a, b)).collect();
                Ok(build::and(self.pool, &parts?))
            }
            Assoc::Pairwise => {
                let mut parts = vec![];
                for (n, &a) in args.iter().enumerate() {
                    for &b in &args[n + 1..] {
                        self.budget.spend(1)?;
                        let same = build::equal(self.pool, a, b);
                        parts.push(build::not(self.pool, same));
                    }
                }
                Ok(build::and(self.pool, &parts))
            }
            Assoc::Fixed | Assoc::Nary => Ok(build::canonical(self.pool, op, none, &args, sort)),
        }
    }

    fn binary(&mut self, op: smtlib::theory::OpId, a: TermId, b: TermId) -> Made {
        build::op(self.pool, op.row().name, &[a, b])
            .ok_or(Reason::Unsupported("an operator with many arguments"))
    }

    fn comparison(&mut self, op: smtlib::theory::OpId, a: TermId, b: TermId) -> Made {
        let made = match build::meaning(op) {
            "core_eq" => Some(build::equal(self.pool, a, b)),
            "int_gt" | "real_gt" => build::op(self.pool, "<", &[b, a]),
            "int_ge" | "real_ge" => build::op(self.pool, "<=", &[b, a]),
            _ => build::op(self.pool, op.row().name, &[a, b]),
        };
        made.ok_or(Reason::Unsupported("a comparison of many arguments"))
    }

    fn scope(&mut self, values: Vec<(Symbol, TermId)>, body: TermId) -> Made {
        for &(name, value) in &values {
            self.bound.entry(name).or_default().push(value);
        }
        self.memory.push(Memory::default());
        let made = self.term(body);
        self.memory.pop();
        for (name, _) in values {
            if let Some(stack) = self.bound.get_mut(&name) {
                stack.pop();
            }
        }
        made
    }

    fn binding(&mut self, term: TermId, binders: BindersId) -> Made {
        let args = self.pool.args(term).to_vec();
        let Some((&body, values)) = args.split_last() else {
            return Err(Reason::Unsupported("an empty let"));
        };
        let names: Vec<Symbol> = self.pool.binder_list(binders).iter().map(|&(name, _)| name).collect();
        let mut bound = vec![];
        for (name, &value) in names.into_iter().zip(values) {
            bound.push((name, self.term(value)?));
        }
        self.scope(bound, body)
    }

    fn quantifier(&mut self, term: TermId, quantifier: Quantifier, binders: BindersId) -> Made {
        self.level += 1;
        let vars = self.pool.binder_list(binders).to_vec();
        let mut renamed = vec![];
        let mut values = vec![];
        for (name, sort) in vars {
            let stem = self.pool.name(name).split('!').next().unwrap_or("x").to_owned();
            let taken = renamed.len();
            let mut fresh = self.pool.symbol(format!("{stem}!{}", self.level).as_bytes());
            if renamed.iter().any(|&(other, _)| other == fresh) {
                fresh = self.pool.symbol(format!("{stem}!{}.{taken}", self.level).as_bytes());
            }
            renamed.push((fresh, sort));
            values.push((name, self.pool.term(Kind::Var(fresh), sort, &[])));
        }
        let sort = self.pool.sort_of(term);
        let parts: Result<Vec<TermId>, Reason> =
            self.pool.args(term).to_vec().into_iter().map(|part| self.scope(values.clone(), part)).collect();
        self.level -= 1;
        let binders = self.pool.binders(renamed.into());
        Ok(self.pool.term(Kind::Quant(quantifier, binders), sort, &parts?))
    }

    fn function(&mut self, term: TermId, decl: DeclId, qualified: bool) -> Made {
        let args = self.args(term)?;
        let sort = self.pool.sort_of(term);
        match self.pool.decl(decl).role {
            Role::Named(named) => self.outside(vec![], named),
            Role::Defined { vars, body, recursive: false }
                if args.len() == self.pool.binder_list(vars).len() =>
            {
                let names = self.pool.binder_list(vars).iter().map(|&(name, _)| name);
                self.outside(names.zip(args).collect(), body)
            }
            _ => Ok(self.pool.term(Kind::Fun { decl, qualified }, sort, &args)),
        }
    }

    /// A term from another place: no variable of this place is in scope there.
    fn outside(&mut self, values: Vec<(Symbol, TermId)>, body: TermId) -> Made {
        let around = std::mem::take(&mut self.bound);
        let made = self.scope(values, body);
        self.bound = around;
        made
    }

    /// `match`: the first case whose constructor matches.
    fn matching(&mut self, term: TermId, cases: CasesId) -> Made {
        let args = self.pool.args(term).to_vec();
        let scrutinee = self.term(args[0])?;
        let cases = self.pool.case_list(cases).to_vec();
        let mut whole: Option<TermId> = None;
        for (case, &body) in cases.iter().zip(&args[1..]).rev() {
            let values = self.pattern_values(case, scrutinee)?;
            let body = self.scope(values, body)?;
            whole = Some(match (whole, case.constructor) {
                (None, _) | (_, None) => body,
                (Some(rest), Some(constructor)) => {
                    let tester = Kind::Tester { constructor, dashed: false };
                    let test = self.pool.term(tester, SortId::BOOL, &[scrutinee]);
                    build::op(self.pool, "ite", &[test, body, rest]).ok_or(Reason::Unsupported("match"))?
                }
            });
        }
        whole.ok_or(Reason::Unsupported("an empty match"))
    }

    fn pattern_values(
        &mut self,
        case: &smtlib::term::Case,
        scrutinee: TermId,
    ) -> Result<Vec<(Symbol, TermId)>, Reason> {
        let Some(constructor) = case.constructor else {
            return Ok(case.vars.iter().map(|&(name, _)| (name, scrutinee)).collect());
        };
        let Some((datatype, _)) = self.pool.datatype(self.pool.sort_of(scrutinee)) else {
            return Err(Reason::Unsupported("match"));
        };
        let found = datatype.constructors.iter().find(|c| c.decl == constructor);
        let selectors = found.map(|c| c.selectors.to_vec()).ok_or(Reason::Unsupported("match"))?;
        let fields = case.vars.iter().zip(selectors);
        Ok(fields.map(|(&(name, sort), s)| (name, build::call(self.pool, s, sort, &[scrutinee]))).collect())
    }
}
