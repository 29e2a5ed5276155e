//! Every `let` of a snapshot: where each of its variables is used, and which of them are needed at all.
//!
//! Real scripts nest ten thousand lets in one assertion, so all of them are found in one walk, and whatever nobody needs
//! is removed in one edit, with the variables that only unneeded ones mention. A variable is needed if it is used
//! outside the values of all variables, or in the value of one that is needed.

use super::edit::Edit;
use super::snapshot::Snapshot;
use smtlib::symbol::Symbol;
use smtlib::term::Kind;
use std::collections::HashMap;

/// One `let`.
pub struct Let {
    pub at: usize,
    pub body: usize,
    pub vars: Vec<Var>,
}

/// One variable of a `let`.
#[derive(Default)]
pub struct Var {
    /// The place of its value.
    pub value: usize,
    /// Where the body mentions it.
    pub uses: Vec<usize>,
}

/// A variable: which `let`, and which of its variables.
type Id = (usize, usize);

pub struct Lets {
    pub all: Vec<Let>,
    /// In whose value each place is, innermost.
    owners: Vec<Option<Id>>,
}

/// A part of the script in which names have another meaning.
struct Scope {
    /// The first place behind it.
    end: usize,
    names: Vec<Symbol>,
}

struct Walk<'s> {
    snapshot: &'s Snapshot,
    lets: Lets,
    /// The number of the `let` at a place.
    numbers: HashMap<usize, usize>,
    scopes: Vec<Scope>,
    /// What each name means here, innermost last; `None` if it is not a variable of a `let`.
    meanings: HashMap<Symbol, Vec<Option<Id>>>,
}

impl Walk<'_> {
    fn visit(&mut self, at: usize) {
        while self.scopes.last().is_some_and(|scope| scope.end <= at) {
            self.leave();
        }
        let parent = self.snapshot.places[at].parent as usize;
        let owner = match self.snapshot.places.get(parent) {
            Some(_) => self.enter(parent, at).or(self.lets.owners[parent]),
            None => None,
        };
        self.lets.owners.push(owner);
        match self.snapshot.kind(at) {
            Kind::Let(binders) => {
                let count = self.snapshot.pool().binder_list(binders).len();
                let vars = std::iter::repeat_with(Var::default).take(count).collect();
                self.numbers.insert(at, self.lets.all.len());
                self.lets.all.push(Let { at, body: at, vars });
            }
            Kind::Var(name) => {
                if let Some(&Some((n, nth))) = self.meanings.get(&name).and_then(|all| all.last()) {
                    self.lets.all[n].vars[nth].uses.push(at);
                }
            }
            _ => {}
        }
    }

    /// Begins the part of its parent that is at a place; returns the variable whose value it is.
    fn enter(&mut self, parent: usize, at: usize) -> Option<Id> {
        let argument = self.snapshot.places[at].argument as usize;
        let pool = self.snapshot.pool();
        match self.snapshot.kind(parent) {
            Kind::Let(binders) => {
                let (vars, n) = (pool.binder_list(binders), self.numbers[&parent]);
                if argument < vars.len() {
                    self.lets.all[n].vars[argument].value = at;
                    return Some((n, argument));
                }
                self.lets.all[n].body = at;
                let meant = vars.iter().enumerate().map(|(nth, &(name, _))| (name, Some((n, nth))));
                self.begin(at, meant);
            }
            Kind::Quant(_, binders) => {
                self.begin(at, pool.binder_list(binders).iter().map(|&(name, _)| (name, None)));
            }
            Kind::Match(cases) if argument > 0 => {
                self.begin(
                    at,
                    pool.case_list(cases)[argument - 1].vars.iter().map(|&(name, _)| (name, None)),
                );
            }
            _ => {}
        }
        None
    }

    fn begin(&mut self, at: usize, meant: impl Iterator<Item = (Symbol, Option<Id>)>) {
        let mut names = vec![];
        for (name, meaning) in meant {
            self.meanings.entry(name).or_default().push(meaning);
            names.push(name);
        }
        self.scopes.push(Scope { end: self.snapshot.after(at), names });
    }

    fn leave(&mut self) {
        for name in self.scopes.pop().map(|scope| scope.names).unwrap_or_default() {
            self.meanings.entry(name).or_default().pop();
        }
    }
}

impl Lets {
    pub fn of(snapshot: &Snapshot) -> Lets {
        let lets = Lets { all: vec![], owners: Vec::with_capacity(snapshot.places.len()) };
        let (numbers, meanings) = (HashMap::new(), HashMap::new());
        let mut walk = Walk { snapshot, lets, numbers, scopes: vec![], meanings };
        (0..snapshot.places.len()).for_each(|at| walk.visit(at));
        walk.lets
    }

    /// For each variable of each `let`, whether it is needed.
    fn needed(&self) -> Vec<Vec<bool>> {
        let mut needed: Vec<Vec<bool>> = self.all.iter().map(|each| vec![false; each.vars.len()]).collect();
        let mut mentioned: HashMap<Option<Id>, Vec<Id>> = HashMap::new();
        for (n, each) in self.all.iter().enumerate() {
            for (nth, var) in each.vars.iter().enumerate() {
                for &at in &var.uses {
                    mentioned.entry(self.owners[at]).or_default().push((n, nth));
                }
            }
        }
        let mut left = mentioned.remove(&None).unwrap_or_default();
        while let Some((n, nth)) = left.pop() {
            if !std::mem::replace(&mut needed[n][nth], true) {
                left.extend(mentioned.remove(&Some((n, nth))).unwrap_or_default());
            }
        }
        needed
    }

    /// The removal of every variable that is not needed.
    pub fn tidy(&self, snapshot: &Snapshot) -> Option<Edit> {
        let needed = self.needed();
        let mut edit = Edit::default();
        for (each, needed) in self.all.iter().zip(&needed) {
            edit.splices.extend(each.without(snapshot, |nth| !needed[nth]).splices);
        }
        (!edit.splices.is_empty()).then_some(edit)
    }
}

impl Let {
    /// The removal of some of the variables, and of the `let` itself with the last of them.
    fn without(&self, snapshot: &Snapshot, gone: impl Fn(usize) -> bool) -> Edit {
        let (whole, body) = (snapshot.range(self.at), snapshot.range(self.body));
        let Some(last) = (0..self.vars.len()).rev().find(|&nth| !gone(nth)) else {
            return Edit::delete(whole.start..body.start).and(body.end..whole.end, vec![]);
        };
        // As printed: `(let ((a 1) (b 2)) body)`.
        let end = |nth: usize| snapshot.range(self.vars[nth].value).end + 1;
        let start = |nth: usize| if nth == 0 { whole.start + b"(let (".len() } else { end(nth - 1) + 1 };
        let with_blank =
            |nth: usize| if nth < last { start(nth)..start(nth + 1) } else { end(nth - 1)..end(nth) };
        let all = (0..self.vars.len()).filter(|&nth| gone(nth));
        all.fold(Edit::default(), |edit, nth| edit.and(with_blank(nth), vec![]))
    }

    /// Some of the variables replaced by their values; `None` if it is none of them.
    pub fn inline(&self, snapshot: &Snapshot, which: impl Fn(usize, &Var) -> bool) -> Option<Edit> {
        let mut edit = self.without(snapshot, |nth| which(nth, &self.vars[nth]));
        if edit.splices.is_empty() {
            return None;
        }
        for (_, var) in self.vars.iter().enumerate().filter(|&(nth, var)| which(nth, var)) {
            let value = snapshot.bytes(var.value);
            edit = var.uses.iter().fold(edit, |edit, &at| edit.and(snapshot.range(at), value));
        }
        Some(edit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(term: &str) -> Vec<u8> {
        format!("(declare-const x Int)\n(assert {term})\n(check-sat)\n").into_bytes()
    }

    fn tidied(term: &str) -> String {
        let snapshot = Snapshot::read(&script(term)).unwrap();
        let edits = Vec::from_iter(Lets::of(&snapshot).tidy(&snapshot));
        String::from_utf8(Edit::apply_all(&snapshot.text, &edits)).unwrap()
    }

    #[test]
    fn variables_that_nobody_needs_go_with_all_that_only_they_mention() {
        for (from, to) in [
            ("(let ((a 1) (b 2)) (= x b))", "(let ((b 2)) (= x b))"),
            ("(let ((a 1) (b 2)) (= x a))", "(let ((a 1)) (= x a))"),
            ("(let ((a 1) (b 2) (c 3) (d 4)) (= x b))", "(let ((b 2)) (= x b))"),
            ("(let ((a 1)) (let ((b (+ a 1))) (let ((c (+ b a))) (= x 0))))", "(= x 0)"),
            ("(let ((a 1)) (let ((b (let ((c a)) (+ c a)))) (= x a)))", "(let ((a 1)) (= x a))"),
            ("(let ((a 1)) (let ((a 2)) (= x a)))", "(let ((a 2)) (= x a))"),
            ("(let ((a 1)) (let ((a (+ a 1))) (= x a)))", "(let ((a 1)) (let ((a (+ a 1))) (= x a)))"),
            ("(let ((a 1)) (exists ((a Int)) (= x a)))", "(exists ((a Int)) (= x a))"),
            ("(and (let ((a 1)) (= x a)) (let ((a 2)) (= x 0)))", "(and (let ((a 1)) (= x a)) (= x 0))"),
        ] {
            assert_eq!(tidied(from), String::from_utf8(script(to)).unwrap());
        }
    }

    #[test]
    fn a_variable_is_replaced_by_its_value_everywhere() {
        let snapshot = Snapshot::read(&script("(let ((a (+ x 1)) (b 2)) (= a b (let ((a 3)) a)))")).unwrap();
        let lets = Lets::of(&snapshot);
        let edit = lets.all[0].inline(&snapshot, |nth, _| nth == 0).unwrap();
        let text = Edit::apply_all(&snapshot.text, &[edit]);
        assert_eq!(text, script("(let ((b 2)) (= (+ x 1) b (let ((a 3)) a)))"));
    }
}
