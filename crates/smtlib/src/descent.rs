//! Recursive definitions that plainly end.
//!
//! In: a recursively defined function. Out: whether every call in its body has a smaller argument than the call that it
//! belongs to, in one and the same parameter. Then the definition has exactly one solution, by recursion over a
//! well-founded order, whatever else it says: a model may rely on it. "No" means only that it is not plain.
//!
//! Two orders are known. A value of a datatype is larger than its fields: a call may have a field of the parameter, as
//! the variable of a `match` or by a selector, where it is certain that the value has that field (a selector of another
//! constructor has any value). An integer is larger than one below it as long as there is a least one: a call may have
//! the parameter less a positive literal where a comparison with a literal bounds the parameter from below, and likewise
//! upwards. What is certain at a call is what `ite`, `and`, `or`, `=>` and `match` around it say: where that does not
//! hold, the value of the call has no influence.
//!
//! Everything else is refused: functions that are defined together, calls below a `let` or a quantifier, a function as
//! the index of an operator or without all its arguments, a variable that hides another, and bodies that are too large
//! to look at every path.

use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::{DeclId, Index, IndicesId, Kind, Lit, Pool, Role, TermId};

/// Paths that are looked at in one body.
const MOST_PATHS: usize = 2_000;

/// What is certain at a place of the body.
#[derive(Clone, Debug, PartialEq)]
enum Guard {
    /// The term has this truth value.
    Holds(TermId, bool),
    /// The variable is a field of the value of another one.
    Field { var: Symbol, of: Symbol },
}

/// A call in the body: its arguments, and what is certain there.
struct Call {
    args: Vec<TermId>,
    guards: Vec<Guard>,
}

/// Whether a function that is defined by itself plainly ends.
pub fn ends(pool: &Pool, decl: DeclId) -> bool {
    let Role::Defined { vars, body, .. } = pool.decl(decl).role else { return false };
    let vars = pool.binder_list(vars);
    let mut reader = Reader { pool, decl, vars, calls: vec![], paths: 0 };
    let hidden = |n: usize| vars[..n].iter().any(|(name, _)| *name == vars[n].0);
    if (0..vars.len()).any(hidden) || reader.read(body).is_none() {
        return false;
    }
    let calls = reader.calls;
    // All calls go the same way: downwards here and upwards there may go round for ever.
    let ways = [Way::Down, Way::Up];
    let mut orders = (0..vars.len()).flat_map(|n| ways.map(|way| (n, way)));
    orders.any(|(n, way)| calls.iter().all(|call| is_smaller(pool, vars[n], call, n, way)))
}

/// Which way integers go; parts of a datatype have only one.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Down,
    Up,
}

struct Reader<'p> {
    pool: &'p Pool,
    decl: DeclId,
    vars: &'p [(Symbol, SortId)],
    calls: Vec<Call>,
    paths: usize,
}

impl Reader<'_> {
    /// Collects the calls of a body; `None` if something is not plain.
    fn read(&mut self, body: TermId) -> Option<()> {
        let mut waiting: Vec<(TermId, Vec<Guard>)> = vec![(body, vec![])];
        while let Some((term, guards)) = waiting.pop() {
            self.paths += 1;
            if self.paths > MOST_PATHS {
                return None;
            }
            if !self.has_call(term)? {
                continue;
            }
            let args = self.pool.args(term);
            match self.pool.kind(term) {
                Kind::Let(_) | Kind::Quant(..) => return None,
                Kind::Match(cases) => {
                    waiting.push((args[0], guards.clone()));
                    for (n, case) in self.pool.case_list(cases).iter().enumerate() {
                        let mut inner = guards.clone();
                        for &(var, _) in &case.vars {
                            if self.is_known(var, &guards) {
                                return None;
                            }
                            if let (Some(_), Kind::Var(of)) = (case.constructor, self.pool.kind(args[0])) {
                                inner.push(Guard::Field { var, of });
                            }
                        }
                        waiting.push((args[n + 1], inner));
                    }
                    continue;
                }
                Kind::Fun { decl, .. } if decl == self.decl => {
                    if args.len() != self.vars.len() {
                        return None;
                    }
                    self.calls.push(Call { args: args.to_vec(), guards: guards.clone() });
                }
                _ => {}
            }
            for (n, &arg) in args.iter().enumerate() {
                let mut inner = guards.clone();
                inner.extend(self.guards_of(term, n)?);
                waiting.push((arg, inner));
            }
        }
        Some(())
    }

    /// What an operator says about the others of its arguments where the n-th one matters.
    fn guards_of(&self, term: TermId, n: usize) -> Option<Vec<Guard>> {
        let Kind::Op { op, .. } = self.pool.kind(term) else { return Some(vec![]) };
        let args = self.pool.args(term);
        let others = |truth: bool, among: &[TermId]| -> Option<Vec<Guard>> {
            let mut found = vec![];
            for (m, &other) in among.iter().enumerate() {
                // What depends on a call itself is no guard.
                if m != n && !self.has_call(other)? {
                    found.push(Guard::Holds(other, truth));
                }
            }
            Some(found)
        };
        match (op.row().name, n) {
            ("ite", 1) => others(true, &args[..1]),
            ("ite", 2) => others(false, &args[..1]),
            ("and", _) => others(true, args),
            ("or", _) => others(false, args),
            ("=>", n) if n + 1 == args.len() => others(true, &args[..n]),
            _ => Some(vec![]),
        }
    }

    /// Whether a term calls the function; `None` if it mentions it in another way.
    fn has_call(&self, term: TermId) -> Option<bool> {
        let mut found = false;
        for part in self.pool.subterms(term) {
            match self.pool.kind(part) {
                Kind::Fun { decl, .. } => found |= decl == self.decl,
                Kind::Op { indices, .. } if self.is_index(indices) => return None,
                _ => {}
            }
        }
        Some(found)
    }

    /// Whether the function is among the indices of an operator.
    fn is_index(&self, indices: IndicesId) -> bool {
        self.pool.index_list(indices).iter().any(|&index| names(self.pool, index, self.decl))
    }

    fn is_known(&self, name: Symbol, guards: &[Guard]) -> bool {
        self.vars.iter().any(|(own, _)| *own == name)
            || guards.iter().any(|guard| matches!(guard, Guard::Field { var, .. } if *var == name))
    }
}

/// Whether an index is a function, or is written with its name.
pub(crate) fn names(pool: &Pool, index: Index, decl: DeclId) -> bool {
    let name = pool.bytes(pool.decl(decl).name);
    match index {
        Index::Fun(own) => own == decl,
        Index::Text(text) => pool.bytes(text).windows(name.len().max(1)).any(|part| part == name),
        _ => false,
    }
}

/// Whether a call has a smaller argument for a parameter.
fn is_smaller(pool: &Pool, (name, sort): (Symbol, SortId), call: &Call, n: usize, way: Way) -> bool {
    let arg = call.args[n];
    if sort == SortId::INT {
        let Some(by) = shift(pool, name, arg) else { return false };
        let goes = if way == Way::Down { by < 0 } else { by > 0 };
        return goes && call.guards.iter().any(|guard| bounds(pool, name, guard, way == Way::Down));
    }
    let Some((datatype, _)) = pool.datatype(sort) else { return false };
    !datatype.coinductive && is_field(pool, name, arg, &call.guards)
}

/// Whether a term is a field of the value of a variable, or of a field of it.
fn is_field(pool: &Pool, name: Symbol, term: TermId, guards: &[Guard]) -> bool {
    match pool.kind(term) {
        Kind::Var(var) => is_part(var, name, guards),
        Kind::Fun { decl, .. } => {
            let Role::Selector { constructor, .. } = pool.decl(decl).role else { return false };
            let Kind::Var(var) = pool.kind(pool.args(term)[0]) else { return false };
            (var == name || is_part(var, name, guards)) && is_made_by(pool, var, constructor, guards)
        }
        _ => false,
    }
}

/// Whether a variable is bound to a field of another one, or to a field of such a field.
fn is_part(mut var: Symbol, name: Symbol, guards: &[Guard]) -> bool {
    for _ in 0..=guards.len() {
        let of = guards.iter().find_map(|guard| match guard {
            Guard::Field { var: own, of } if *own == var => Some(*of),
            _ => None,
        });
        match of {
            Some(of) if of == name => return true,
            Some(of) => var = of,
            None => return false,
        }
    }
    false
}

/// Whether it is certain that the value of a variable is made by a constructor.
fn is_made_by(pool: &Pool, var: Symbol, constructor: DeclId, guards: &[Guard]) -> bool {
    let Role::Constructor { datatype, .. } = pool.decl(constructor).role else { return false };
    let Some(datatype) = &pool.sort_decl(datatype).datatype else { return false };
    let excluded = |other: DeclId| guards.iter().any(|guard| says(pool, var, other, guard) == Some(false));
    guards.iter().any(|guard| says(pool, var, constructor, guard) == Some(true))
        || datatype.constructors.iter().all(|own| own.decl == constructor || excluded(own.decl))
}

/// What a guard says about whether the value of a variable is made by a constructor.
fn says(pool: &Pool, var: Symbol, constructor: DeclId, guard: &Guard) -> Option<bool> {
    let is_var = |term: TermId| pool.kind(term) == Kind::Var(var);
    let mut all = vec![];
    flatten(pool, guard, &mut all);
    all.into_iter().find_map(|(term, truth)| {
        let args = pool.args(term);
        match pool.kind(term) {
            Kind::Tester { constructor: own, .. } if own == constructor && is_var(args[0]) => Some(truth),
            Kind::Op { op, .. } if op.row().name == "=" && args.len() == 2 => {
                let is_own = |term: TermId| {
                    matches!(pool.kind(term), Kind::Fun { decl, .. } if decl == constructor)
                        && pool.args(term).is_empty()
                };
                let equal = (is_var(args[0]) && is_own(args[1])) || (is_var(args[1]) && is_own(args[0]));
                equal.then_some(truth)
            }
            _ => None,
        }
    })
}

/// The parts of a guard, each with its truth value: `not`, true conjunctions, false disjunctions.
fn flatten(pool: &Pool, guard: &Guard, found: &mut Vec<(TermId, bool)>) {
    let Guard::Holds(term, truth) = *guard else { return };
    let mut waiting = vec![(term, truth)];
    while let Some((term, truth)) = waiting.pop() {
        let args = pool.args(term);
        match pool.kind(term) {
            Kind::Op { op, .. } => match (op.row().name, truth) {
                ("not", _) => waiting.push((args[0], !truth)),
                ("and", true) | ("or", false) => waiting.extend(args.iter().map(|&arg| (arg, truth))),
                _ => found.push((term, truth)),
            },
            _ => found.push((term, truth)),
        }
    }
}

/// By how much a term is more than a variable, if that is a literal number.
fn shift(pool: &Pool, name: Symbol, term: TermId) -> Option<i64> {
    let Kind::Op { op, .. } = pool.kind(term) else { return None };
    let &[a, b] = pool.args(term) else { return None };
    let is_var = |term: TermId| pool.kind(term) == Kind::Var(name);
    match op.row().name {
        "-" if is_var(a) => integer(pool, b)?.checked_neg(),
        "+" if is_var(a) => integer(pool, b),
        "+" if is_var(b) => integer(pool, a),
        _ => None,
    }
}

/// The value of a literal, which may be negated.
fn integer(pool: &Pool, term: TermId) -> Option<i64> {
    match pool.kind(term) {
        Kind::Lit(Lit::Numeral, text) if pool.sort_of(term) == SortId::INT => pool.name(text).parse().ok(),
        Kind::Op { op, .. } if op.row().name == "-" => match pool.args(term) {
            &[one] if matches!(pool.kind(one), Kind::Lit(..)) => integer(pool, one)?.checked_neg(),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a guard compares a variable with a literal so that it is bounded from below, or else from above.
fn bounds(pool: &Pool, name: Symbol, guard: &Guard, below: bool) -> bool {
    let mut all = vec![];
    flatten(pool, guard, &mut all);
    all.into_iter().any(|(term, truth)| {
        let Kind::Op { op, .. } = pool.kind(term) else { return false };
        let &[a, b] = pool.args(term) else { return false };
        let is_var = |term: TermId| pool.kind(term) == Kind::Var(name);
        let left = match (is_var(a), is_var(b)) {
            (true, false) if integer(pool, b).is_some() => true,
            (false, true) if integer(pool, a).is_some() => false,
            _ => return false,
        };
        // Whether the comparison, as it holds, says that the variable is the larger side.
        match op.row().name {
            ">" | ">=" => (left == truth) == below,
            "<" | "<=" => (left != truth) == below,
            "=" => truth,
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::script::Script;

    fn plain(text: &str) -> bool {
        !Script::parse(text.as_bytes()).unwrap().may_lack_functions()
    }

    const LIST: &str = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))";

    #[test]
    fn a_function_of_smaller_integers_ends() {
        for body in [
            "(ite (> n 0) (* n (f (- n 1))) 1)",
            "(ite (<= n 0) 1 (+ (f (- n 1)) (f (- n 2))))",
            "(ite (not (< 5 n)) 0 (f (+ n (- 1))))",
            "(ite (and (>= n 0) (distinct n 7)) (f (- n 1)) 0)",
            "(ite (or (< n 0) (= n 3)) 0 (f (+ (- 2) n)))",
            "(ite (< n 100) (f (+ n 1)) n)",
            "(ite (= n 4) (f (- n 1)) n)",
        ] {
            assert!(plain(&format!("(define-fun-rec f ((n Int)) Int {body})(check-sat)")), "{body}");
        }
        let test = "(define-fun-rec f ((n Int) (k Int)) Bool (or (= n k) (and (> n 0) (f (- n 1) (* 2 k)))))";
        assert!(plain(test));
    }

    #[test]
    fn what_may_go_on_for_ever_is_refused() {
        for body in [
            "(+ 1 (f n))",
            "(f (- n 1))",
            "(ite (= n 0) 1 (f (- n 1)))",
            "(ite (> n 0) (f (+ n 1)) 1)",
            "(ite (< n 0) (f (- n 1)) 1)",
            "(ite (> n 0) 1 (f (- n 1)))",
            "(ite (> n 0) (f (- n 0)) 1)",
            "(ite (> n 0) (f (- n n)) 1)",
            "(ite (> n 0) (f (- 1 n)) 1)",
            "(ite (> (f (- n 1)) 0) 1 2)",
            "(ite (> n (f 1)) (f (- n 1)) 1)",
            "(ite (> n 0) (let ((m n)) (f (- n 1))) 1)",
            "(ite (> n 0) (let ((n 9)) (f (- n 1))) 1)",
            "(ite (=> true (> n 0)) (f (- n 1)) 1)",
            "(ite (> n 0) (f (f (- n 1))) 1)",
            "(ite (and (> n 0) (< n 9)) (+ (f (- n 1)) (f (+ n 1))) 0)",
            "(ite (= n 4) (f (+ n 1)) (ite (= n 5) (f (- n 1)) 0))",
        ] {
            assert!(!plain(&format!("(define-fun-rec f ((n Int)) Int {body})(check-sat)")), "{body}");
        }
        let swapped = "(define-fun-rec f ((n Int) (m Int)) Int (ite (> n 0) (f m (- n 1)) 0))";
        assert!(!plain(swapped), "no one parameter is smaller");
        let real = "(define-fun-rec f ((x Real)) Real (ite (> x 0.0) (f (- x 1.0)) 0.0))";
        assert!(!plain(real));
        let both = "(define-funs-rec ((f ((n Int)) Int) (g ((n Int)) Int)) ((ite (> n 0) (g (- n 1)) 0) (ite (> n 0) (f (- n 1)) 0)))";
        assert!(!plain(both), "functions that are defined together");
        let map = "(define-fun-rec f ((n Int)) Int (select ((_ map f) ((as const (Array Int Int)) n)) 0))";
        assert!(!plain(map), "a function as an index");
    }

    #[test]
    fn a_function_of_fields_ends_where_the_fields_are_there() {
        for body in [
            "(ite ((_ is cons) l) (+ 1 (f (tail l))) 0)",
            "(ite ((_ is nil) l) 0 (+ 1 (f (tail l))))",
            "(ite (= l nil) 0 (+ 1 (f (tail l))))",
            "(match l ((nil 0) ((cons h t) (+ 1 (f t)))))",
            "(match l ((nil 0) ((cons h t) (match t ((nil 1) ((cons g s) (f s)))))))",
        ] {
            assert!(plain(&format!("{LIST}(define-fun-rec f ((l L)) Int {body})(check-sat)")), "{body}");
        }
        for body in [
            "(+ 1 (f (tail l)))",
            "(ite ((_ is nil) l) (f (tail l)) 0)",
            "(ite ((_ is cons) l) (f l) 0)",
            "(ite ((_ is cons) l) (f (cons 1 l)) 0)",
            "(ite ((_ is cons) l) (f (tail (tail l))) 0)",
            "(ite (= l (cons 1 nil)) 0 (f (tail l)))",
            "(match l ((nil 0) (x (f x))))",
            "(match l ((nil 0) ((cons h l) (f l))))",
        ] {
            assert!(!plain(&format!("{LIST}(define-fun-rec f ((l L)) Int {body})(check-sat)")), "{body}");
        }
    }
}
