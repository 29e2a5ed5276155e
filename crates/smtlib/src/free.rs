//! Free variables of terms; each term is visited once.
//!
//! In: a pool and a term. Out: the names that it uses and does not bind, sorted. Results are cached, so the cost for
//! many terms of one pool is proportional to their distinct subterms. It is iterative, like all code that walks terms.

use crate::symbol::Symbol;
use crate::term::{Kind, Pool, TermId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

/// Free variables by term. An instance must be used with one pool only.
#[derive(Default)]
pub struct FreeVariables {
    known: HashMap<TermId, Rc<[Symbol]>, FxBuildHasher>,
}

impl FreeVariables {
    /// The free variables of a term, in the order of their numbers.
    pub fn of(&mut self, pool: &Pool, term: TermId) -> Rc<[Symbol]> {
        let mut stack = vec![(term, false)];
        while let Some((term, ready)) = stack.pop() {
            if ready {
                let free = self.combine(pool, term);
                self.known.insert(term, free);
            } else if !self.known.contains_key(&term) {
                stack.push((term, true));
                stack.extend(pool.args(term).iter().map(|&arg| (arg, false)));
            }
        }
        self.known.get(&term).cloned().unwrap_or_default()
    }

    /// The free variables of a term whose arguments are known.
    fn combine(&self, pool: &Pool, term: TermId) -> Rc<[Symbol]> {
        let args = pool.args(term);
        let none: &[Symbol] = &[];
        let of = |n: usize| self.known.get(&args[n]).map_or(none, |free| free);
        let without = |n: usize, bound: &[(Symbol, crate::sort::SortId)]| -> Vec<Symbol> {
            of(n).iter().copied().filter(|name| !bound.iter().any(|(b, _)| b == name)).collect()
        };
        let mut free: Vec<Symbol> = match pool.kind(term) {
            Kind::Var(name) => vec![name],
            Kind::Let(binders) => {
                let bound = pool.binder_list(binders);
                let values = (0..bound.len()).flat_map(of).copied();
                values.chain(without(args.len() - 1, bound)).collect()
            }
            Kind::Quant(_, binders) => {
                let bound = pool.binder_list(binders);
                (0..args.len()).flat_map(|n| without(n, bound)).collect()
            }
            Kind::Match(cases) => {
                let bodies = pool.case_list(cases).iter().enumerate();
                let bodies = bodies.flat_map(|(n, case)| without(n + 1, &case.vars));
                of(0).iter().copied().chain(bodies).collect()
            }
            _ if args.len() == 1 => return self.known.get(&args[0]).cloned().unwrap_or_default(),
            _ => (0..args.len()).flat_map(of).copied().collect(),
        };
        free.sort_unstable();
        free.dedup();
        free.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Script;

    #[test]
    fn binders_bind_only_what_is_below_them() {
        let source = "(declare-const p Bool)
            (assert (forall ((x Int)) (let ((y x) (x 1)) (exists ((z Int)) (and p (= x y z))))))";
        let script = Script::parse(source.as_bytes()).unwrap();
        let root = script.assertions().next().unwrap();
        let mut free = FreeVariables::default();
        assert!(free.of(&script.pool, root).is_empty());
        let body = script.pool.args(root)[0];
        let names: Vec<_> = free.of(&script.pool, body).iter().map(|&s| script.pool.name(s)).collect();
        assert_eq!(names, ["x"]);
    }
}
