//! The axioms of datatypes, for the ground terms of a formula.
//!
//! For an application of a constructor: its selectors return the arguments, its tester holds and no other does. For
//! any other term of a datatype: exactly one tester holds, and if it is that of a constructor, the term is that
//! constructor applied to its fields. Updating a field replaces it if the value has it and does nothing otherwise. No
//! value of an inductive datatype is a part of itself. A selector of a value that lacks the field is left open.

use super::congruence::{Classes, Conflict};
use super::engine::Engine;
use super::{Reason, build};
use smtlib::sort::SortId;
use smtlib::term::{Constructor, Kind, Role, TermId};

/// Datatypes with more constructors get no axioms.
const CONSTRUCTORS: usize = 16;

impl Engine<'_> {
    /// States the axioms for all terms of at most the given generation.
    pub fn datatype_axioms(&mut self, depth: u32) -> Result<(), Reason> {
        for n in 0..self.terms.len() {
            let term = self.terms[n];
            let generation = self.generation[&term];
            if generation > depth || self.axioms.contains(&term) {
                continue;
            }
            let sort = self.script.pool.sort_of(term);
            let Some((datatype, _)) = self.script.pool.datatype(sort) else { continue };
            let constructors = datatype.constructors.clone();
            if constructors.len() > CONSTRUCTORS {
                continue;
            }
            self.axioms.insert(term);
            match self.made_by(term) {
                Some(own) => self.made(term, own, &constructors, generation + 1)?,
                None => self.unmade(term, &constructors, generation + 1)?,
            }
            if let Kind::Updater { .. } = self.script.pool.kind(term) {
                self.updated(term, &constructors, generation + 1)?;
            }
        }
        Ok(())
    }

    /// The constructor that a term applies.
    fn made_by(&self, term: TermId) -> Option<smtlib::term::DeclId> {
        match self.script.pool.kind(term) {
            Kind::Fun { decl, .. } => {
                matches!(self.script.pool.decl(decl).role, Role::Constructor { .. }).then_some(decl)
            }
            _ => None,
        }
    }

    fn test(&mut self, constructor: &Constructor, term: TermId) -> TermId {
        let kind = Kind::Tester { constructor: constructor.decl, dashed: false };
        self.script.pool.term(kind, SortId::BOOL, &[term])
    }

    /// The fields of a term that has a constructor's form.
    fn fields(&mut self, constructor: &Constructor, term: TermId) -> Vec<TermId> {
        let sort = self.script.pool.sort_of(term);
        let args = self.script.pool.datatype(sort).map(|(_, args)| args.to_vec()).unwrap_or_default();
        let mut fields = vec![];
        for &selector in &constructor.selectors {
            let decl = self.script.pool.decl(selector).clone();
            let result = self.script.pool.substitute_sort(decl.result, &decl.sort_params, &args);
            fields.push(build::call(&mut self.script.pool, selector, result, &[term]));
        }
        fields
    }

    /// A constructor applied.
    fn make(&mut self, constructor: &Constructor, args: &[TermId], sort: SortId) -> TermId {
        let parametric = !self.script.pool.decl(constructor.decl).sort_params.is_empty();
        let kind = Kind::Fun { decl: constructor.decl, qualified: parametric && args.is_empty() };
        self.script.pool.term(kind, sort, args)
    }

    fn made(
        &mut self,
        term: TermId,
        own: smtlib::term::DeclId,
        constructors: &[Constructor],
        generation: u32,
    ) -> Result<(), Reason> {
        let args = self.script.pool.args(term).to_vec();
        let mut tests = vec![];
        for constructor in constructors {
            let test = self.test(constructor, term);
            if constructor.decl != own {
                tests.push(build::not(&mut self.script.pool, test));
                continue;
            }
            tests.push(test);
            for (field, &arg) in self.fields(constructor, term).into_iter().zip(&args) {
                let equation = build::equal(&mut self.script.pool, field, arg);
                self.state_valid(
                    "datatype.field",
                    "a selector gives what the constructor took",
                    equation,
                    generation,
                )?;
            }
        }
        let lemma = build::and(&mut self.script.pool, &tests);
        self.state_valid("datatype.test", "constructors make different values", lemma, generation)?;
        Ok(())
    }

    fn unmade(&mut self, term: TermId, constructors: &[Constructor], generation: u32) -> Result<(), Reason> {
        let sort = self.script.pool.sort_of(term);
        let mut tests = vec![];
        for constructor in constructors {
            let test = self.test(constructor, term);
            tests.push(test);
            let fields = self.fields(constructor, term);
            let made = self.make(constructor, &fields, sort);
            let equation = build::equal(&mut self.script.pool, term, made);
            let lemma = build::op(&mut self.script.pool, "=", &[test, equation]);
            let why = "a value with a constructor's form is made of its fields";
            if let Some(lemma) = lemma {
                self.state_valid("datatype.form", why, lemma, generation)?;
            }
        }
        let some = build::or(&mut self.script.pool, &tests);
        self.state_valid("datatype.exhaustive", "every value is made by a constructor", some, generation)?;
        for (n, &a) in tests.iter().enumerate() {
            for &b in &tests[n + 1..] {
                let both = build::and(&mut self.script.pool, &[a, b]);
                let lemma = build::not(&mut self.script.pool, both);
                self.state_valid(
                    "datatype.exclusive",
                    "no value is made by two constructors",
                    lemma,
                    generation,
                )?;
            }
        }
        Ok(())
    }

    fn updated(&mut self, term: TermId, constructors: &[Constructor], generation: u32) -> Result<(), Reason> {
        let Kind::Updater { selector } = self.script.pool.kind(term) else { return Ok(()) };
        let &[whole, value] = self.script.pool.args(term) else { return Ok(()) };
        let sort = self.script.pool.sort_of(term);
        for constructor in constructors {
            let test = self.test(constructor, whole);
            let place = constructor.selectors.iter().position(|&s| s == selector);
            let result = match place {
                None => whole,
                Some(place) => {
                    let mut fields = self.fields(constructor, whole);
                    fields[place] = value;
                    self.make(constructor, &fields, sort)
                }
            };
            let equation = build::equal(&mut self.script.pool, term, result);
            let lemma = build::implies(&mut self.script.pool, test, equation);
            self.state_valid(
                "datatype.update",
                "an update replaces a field that the value has",
                lemma,
                generation,
            )?;
        }
        Ok(())
    }

    /// Terms of which each is a part of the next, and the last a part of the first.
    pub fn cycle(&self, classes: &Classes<'_>) -> Result<Option<Conflict>, Reason> {
        let pool = &self.script.pool;
        let inductive = |sort| pool.datatype(sort).is_some_and(|(datatype, _)| !datatype.coinductive);
        let whole: Vec<TermId> = self
            .terms
            .iter()
            .copied()
            .filter(|&t| self.made_by(t).is_some() && !pool.args(t).is_empty() && inductive(pool.sort_of(t)))
            .collect();
        for &start in &whole {
            // Breadth-first, recording through which argument each constructor was reached.
            let mut reached: Vec<(TermId, Option<(usize, TermId)>)> = vec![(start, None)];
            let mut next = 0;
            while next < reached.len() {
                let (term, _) = reached[next];
                for &arg in pool.args(term) {
                    self.budget.spend(1)?;
                    if !inductive(pool.sort_of(arg)) {
                        continue;
                    }
                    if classes.same(arg, start) {
                        return Ok(Some(self.around(classes, &reached, next, arg, start)));
                    }
                    let further = whole.iter().find(|&&t| classes.same(t, arg));
                    if let Some(&further) = further
                        && reached.iter().all(|&(t, _)| t != further)
                    {
                        reached.push((further, Some((next, arg))));
                    }
                }
                next += 1;
            }
        }
        Ok(None)
    }

    /// The equalities that close a cycle of constructors.
    fn around(
        &self,
        classes: &Classes<'_>,
        reached: &[(TermId, Option<(usize, TermId)>)],
        last: usize,
        arg: TermId,
        start: TermId,
    ) -> Conflict {
        let mut conflict = classes.explain(arg, start);
        let mut at = last;
        while let (term, Some((before, through))) = reached[at] {
            conflict.extend(classes.explain(through, term));
            at = before;
        }
        conflict.sort_unstable();
        conflict.dedup();
        conflict
    }
}
