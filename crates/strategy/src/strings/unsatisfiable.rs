//! Unsatisfiable formulas: an equivalence with one side denied, made harder step by step.
//!
//! *Equivalent formula*: ¬LEFT ∧ RIGHT, where what exists on the right is a free variable. If both directions hold,
//! LEFT ∧ ¬∃ RIGHT too.
//! *Larger core*: a variable that both sides share gets a new name on the right, and an equality from the table ties the
//! two names together (variable replacement); or a constant on the right becomes a variable that an equality gives that
//! value (constant replacement). Either way the equality is needed for the contradiction.
//! *Noise*: the same for a variable that only the right side has, or that is bound there; the equality is not needed.
//! All of these can be stacked.
//!
//! The core. Denial, right side, equalities and their conditions are named assertions. Without the denial or the right
//! side the rest is satisfiable; without an equality the new variable is free; without its condition the equality no
//! longer gives the value. So all of them but the noise are the only minimal core. This argument has exceptions, and
//! where it could fail no core is promised: for pairs of rows that the table calls `redundant`, if two equalities have
//! conditions (one could follow from the other), and for reversed formulas with a condition.
//! Under a universal quantifier the equality becomes a premise. The formula means the same only if every value has such
//! a term: rows that reach only some values are not used there.

use super::tables::{Equality, Equivalence, Family, Reach, Tables, Variable, sort_of_constant};
use super::tree::Tree;
use crate::{Draft, Expect, Expected, Ground, Rng};

/// A way to change a formula once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A variable of both sides.
    Variable {
        name: String,
        row: usize,
    },
    Constant {
        text: String,
        row: usize,
    },
    /// A variable of the right side only.
    Noise {
        name: String,
        row: usize,
    },
    /// A variable that the right side binds.
    Bound {
        name: String,
        row: usize,
    },
}

impl Change {
    pub fn is_noise(&self) -> bool {
        matches!(self, Change::Noise { .. } | Change::Bound { .. })
    }
}

/// A change before its name is copied.
#[derive(Clone, Copy)]
struct Place<'f> {
    kind: Kind,
    name: &'f str,
    row: usize,
}

#[derive(Clone, Copy)]
enum Kind {
    Variable,
    Constant,
    Noise,
    Bound,
}

impl Place<'_> {
    fn change(self) -> Change {
        let Place { kind, name, row } = self;
        let name = name.to_owned();
        match kind {
            Kind::Variable => Change::Variable { name, row },
            Kind::Constant => Change::Constant { text: name, row },
            Kind::Noise => Change::Noise { name, row },
            Kind::Bound => Change::Bound { name, row },
        }
    }
}

/// A named assertion.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    tree: Tree,
    /// Whether the contradiction needs it.
    needed: bool,
}

/// A variable that may be replaced, and whether a condition stands in its chain already.
#[derive(Clone, Debug)]
struct Open {
    variable: Variable,
    conditioned: bool,
}

#[derive(Clone, Debug)]
pub struct Formula<'t> {
    tables: &'t Tables,
    row: &'t Equivalence,
    declared: Vec<Variable>,
    /// Denial, right side, and whatever was added.
    parts: Vec<Part>,
    shared: Vec<Open>,
    inner: Vec<Open>,
    changes: Vec<String>,
    /// Whether the needed parts are the only minimal core.
    unique: bool,
    /// Whether a needed equality has a condition.
    is_conditional: bool,
    is_reversed: bool,
    fresh: usize,
}

impl<'t> Formula<'t> {
    /// ¬LEFT ∧ RIGHT.
    pub fn new(tables: &'t Tables, row: &'t Equivalence) -> Formula<'t> {
        let part = |name: &str, tree: Tree| Part { name: name.to_owned(), tree, needed: true };
        let open = |variable: &Variable| Open { variable: variable.clone(), conditioned: false };
        Formula {
            tables,
            row,
            declared: row.shared.iter().chain(&row.inner).cloned().collect(),
            parts: vec![part("a0", Tree::app("not", [row.left.clone()])), part("a1", row.right.clone())],
            shared: row.shared.iter().map(open).collect(),
            inner: row.inner.iter().map(open).collect(),
            changes: vec![],
            unique: true,
            is_conditional: false,
            is_reversed: false,
            fresh: 0,
        }
    }

    /// LEFT ∧ ¬∃ RIGHT, for an equivalence.
    pub fn reversed(tables: &'t Tables, row: &'t Equivalence) -> Formula<'t> {
        let mut formula = Formula::new(tables, row);
        let bound = Tree::List(row.inner.iter().map(|(name, sort)| binding(name, sort)).collect());
        let right = match row.inner.is_empty() {
            true => row.right.clone(),
            false => Tree::app("exists", [bound, row.right.clone()]),
        };
        formula.parts[0].tree = row.left.clone();
        formula.parts[1].tree = Tree::app("not", [right]);
        formula.declared = row.shared.clone();
        formula.inner = vec![];
        formula.is_reversed = true;
        formula
    }

    /// All changes that one step could make with the equalities of these families.
    pub fn changes(&self, more: bool) -> Vec<Change> {
        self.places(more).into_iter().map(Place::change).collect()
    }

    /// The same, without a name being copied: stacked changes use one of a hundred.
    fn places(&self, more: bool) -> Vec<Place<'_>> {
        let right = &self.parts[1].tree;
        let words = right.words();
        let bound = bound(right);
        let mut found = vec![];
        for (row, equality) in self.tables.equalities.iter().enumerate() {
            if !more && equality.family == Family::More {
                continue;
            }
            let place = |kind: Kind, name| Place { kind, name, row };
            if !equality.is_of_variable() {
                let value = equality.value.as_str();
                if words.contains(&value) && sort_of_constant(value).is_some() {
                    found.push(place(Kind::Constant, value));
                }
                continue;
            }
            let sort = &equality.variables[0].1;
            let fits = |open: &&Open| {
                open.variable.1 == *sort && !(open.conditioned && equality.condition.is_some())
            };
            // A variable that the right side does not mention cannot be replaced there.
            let occurs = |open: &&Open| right.mentions(&open.variable.0);
            let shared = self.shared.iter().filter(fits).filter(occurs);
            found.extend(shared.map(|open| place(Kind::Variable, &open.variable.0)));
            let inner = self.inner.iter().filter(fits);
            found.extend(inner.map(|open| place(Kind::Noise, &open.variable.0)));
            let total = equality.reach == Reach::All || (equality.reach == Reach::Natural && sort == "Int");
            let bound = bound.iter().filter(|(_, own)| total && own.is(sort));
            found.extend(bound.map(|(name, _)| place(Kind::Bound, name)));
        }
        found
    }

    pub fn change(&mut self, change: &Change) {
        let (Change::Variable { row, .. }
        | Change::Constant { row, .. }
        | Change::Noise { row, .. }
        | Change::Bound { row, .. }) = change;
        let tables = self.tables;
        let row = &tables.equalities[*row];
        let redundant = |(equivalence, equality): &(String, String)| {
            *equivalence == self.row.name && *equality == row.name
        };
        let conditional = row.condition.is_some() && !change.is_noise();
        let unique = !tables.redundant.iter().any(redundant)
            && !(conditional && (self.is_conditional || self.is_reversed));
        self.unique &= unique;
        self.is_conditional |= conditional;
        self.fresh += 1;
        match change {
            Change::Variable { name, .. } => self.rename(name, row, true),
            Change::Noise { name, .. } => self.rename(name, row, false),
            Change::Constant { text, .. } => self.constant(text, row),
            Change::Bound { name, .. } => self.bound(name, row),
        }
    }

    /// A name that no formula has.
    fn new_name(&self, stem: &str) -> String {
        format!("{stem}_{}", self.fresh)
    }

    /// The term and the condition of an equality, with new names for its variables but for those given.
    fn instance(&self, row: &Equality, given: &[(String, Tree)]) -> (Tree, Option<Tree>, Vec<Variable>) {
        let mut names = given.to_vec();
        let mut fresh = vec![];
        for (name, sort) in &row.variables {
            if !names.iter().any(|(known, _)| known == name) {
                let new = self.new_name(&format!("{name}_of"));
                names.push((name.clone(), Tree::word(&new)));
                fresh.push((new, sort.clone()));
            }
        }
        (row.term.renamed(&names), row.condition.as_ref().map(|tree| tree.renamed(&names)), fresh)
    }

    fn rename(&mut self, name: &str, row: &Equality, needed: bool) {
        let new = self.new_name(&format!("{name}_fresh"));
        let given = [(row.variables[0].0.clone(), Tree::word(name))];
        let (term, condition, fresh) = self.instance(row, &given);
        self.parts[1].tree.replace(name, &Tree::word(&new));
        self.tie(term, &new, condition, needed);
        let sort = row.variables[0].1.clone();
        for open in self.shared.iter_mut().chain(&mut self.inner).filter(|open| open.variable.0 == name) {
            open.variable.0.clone_from(&new);
            open.conditioned |= row.condition.is_some();
        }
        self.declared.push((new, sort));
        self.declared.extend(fresh);
        self.changes.push(format!("{} for {name}", row.name));
    }

    fn constant(&mut self, text: &str, row: &Equality) {
        let new = self.new_name("z_fresh");
        let (term, condition, fresh) = self.instance(row, &[]);
        self.parts[1].tree.replace(text, &Tree::word(&new));
        let sort = sort_of_constant(text).unwrap_or("Bool").to_owned();
        let variable = (new.clone(), sort);
        self.shared.push(Open { variable: variable.clone(), conditioned: condition.is_some() });
        self.tie(term, &new, condition, true);
        self.declared.push(variable);
        self.declared.extend(fresh);
        self.changes.push(format!("{} for {text}", row.name));
    }

    fn tie(&mut self, term: Tree, name: &str, condition: Option<Tree>, needed: bool) {
        let equality = Tree::app("=", [term, Tree::word(name)]);
        self.parts.push(Part { name: format!("tie{}", self.fresh), tree: equality, needed });
        if let Some(tree) = condition {
            self.parts.push(Part { name: format!("when{}", self.fresh), tree, needed });
        }
    }

    fn bound(&mut self, name: &str, row: &Equality) {
        let new = self.new_name(&format!("{name}_fresh"));
        let given = [(row.variables[0].0.clone(), Tree::word(name))];
        let (term, condition, fresh) = self.instance(row, &given);
        let mut added = vec![(new.clone(), row.variables[0].1.clone())];
        added.extend(fresh);
        let under = Under { name, new: &new, added: &added, term: &term, condition: condition.as_ref() };
        self.parts[1].tree = under.put(&self.parts[1].tree);
        self.changes.push(format!("{} for the bound {name}", row.name));
    }

    /// The formula as a draft; with `patterns`, quantifiers keep those of the table.
    pub fn draft(&self, patterns: bool) -> Draft {
        let mut script = String::with_capacity(512);
        script.push_str(if self.has_sequences() { "(set-logic ALL)\n" } else { self.logic() });
        let mut put = |words: &[&str]| words.iter().for_each(|word| script.push_str(word));
        for (name, sort) in &self.declared {
            put(&["(declare-fun ", name, " () ", sort, ")\n"]);
        }
        for part in &self.parts {
            script.push_str("(assert (! ");
            part.tree.write_terms(&mut script, patterns);
            for word in [" :named ", part.name.as_str(), "))\n"] {
                script.push_str(word);
            }
        }
        script.push_str("(check-sat)\n");
        let because = format!("the two sides of {} are equivalent, and one is denied", self.row.name);
        let names: Vec<String> =
            self.parts.iter().filter(|part| part.needed).map(|part| part.name.clone()).collect();
        let ground = if self.unique { Ground::Core { names, because } } else { Ground::Argument(because) };
        let expect = Expect { answer: Expected::Unsat, ground };
        let mut rules =
            vec![format!("{} denied{}", self.row.name, if patterns { ", with patterns" } else { "" })];
        rules.extend(self.changes.iter().cloned());
        Draft::of(script.into_bytes()).rules(rules).expecting(vec![Some(expect)])
    }

    fn has_sequences(&self) -> bool {
        self.declared.iter().any(|(_, sort)| sort.starts_with("(Seq"))
    }

    fn logic(&self) -> &'static str {
        let quantified =
            self.parts.iter().any(|part| part.tree.mentions("forall") || part.tree.mentions("exists"));
        if quantified { "(set-logic ALL)\n" } else { "(set-logic QF_SLIA)\n" }
    }

    /// Whether some part has a quantifier with a pattern.
    pub fn has_patterns(&self) -> bool {
        self.parts.iter().any(|part| part.tree.mentions(":pattern"))
    }

    /// A random change of those that are possible.
    pub fn change_somehow(&mut self, more: bool, rng: &mut Rng) -> bool {
        let Some(change) = rng.pick(&self.places(more)).map(|place| place.change()) else { return false };
        self.change(&change);
        true
    }
}

fn binding(name: &str, sort: &str) -> Tree {
    // A sort is one word here: nothing is ever replaced in it.
    Tree::List(vec![Tree::word(name), Tree::word(sort)])
}

/// The variables that universal quantifiers bind, with their sorts.
fn bound(tree: &Tree) -> Vec<(&str, &Tree)> {
    let mut found = vec![];
    collect_bound(tree, &mut found);
    found
}

fn collect_bound<'t>(tree: &'t Tree, found: &mut Vec<(&'t str, &'t Tree)>) {
    if let (Some("forall"), Some(variables)) = (tree.head(), tree.parts().get(1)) {
        for variable in variables.parts() {
            if let [Tree::Word(name), sort] = variable.parts() {
                found.push((name, sort));
            }
        }
    }
    tree.parts().iter().for_each(|part| collect_bound(part, found));
}

/// A premise to put under the quantifier that binds a variable.
struct Under<'f> {
    name: &'f str,
    new: &'f str,
    added: &'f [Variable],
    term: &'f Tree,
    condition: Option<&'f Tree>,
}

impl Under<'_> {
    fn put(&self, tree: &Tree) -> Tree {
        let binds = |variables: &Tree| {
            variables.parts().iter().any(|v| v.parts().first().and_then(Tree::as_word) == Some(self.name))
        };
        match tree.parts() {
            [head, variables, body] if head.as_word() == Some("forall") && binds(variables) => {
                let mut bindings = variables.parts().to_vec();
                bindings.extend(self.added.iter().map(|(name, sort)| binding(name, sort)));
                Tree::app("forall", [Tree::List(bindings), self.body(body)])
            }
            [] => tree.clone(),
            parts => Tree::List(parts.iter().map(|part| self.put(part)).collect()),
        }
    }

    /// `(! BODY :pattern (TERMS))` with the premise before the body and the equality's term among the patterns.
    fn body(&self, body: &Tree) -> Tree {
        let (inner, patterns) = match body.parts() {
            [head, inner, _, patterns] if head.as_word() == Some("!") => (inner, Some(patterns)),
            _ => (body, None),
        };
        let new = Tree::word(self.new);
        let mut premises = vec![Tree::app("=", [self.term.clone(), new.clone()])];
        premises.extend(self.condition.cloned());
        let premise = if premises.len() == 1 { premises.remove(0) } else { Tree::app("and", premises) };
        let implied = Tree::app("=>", [premise, inner.replaced(self.name, &new)]);
        let Some(patterns) = patterns else { return implied };
        let mut terms: Vec<Tree> =
            patterns.parts().iter().map(|pattern| pattern.replaced(self.name, &new)).collect();
        terms.push(self.term.clone());
        Tree::app("!", [implied, Tree::word(":pattern"), Tree::List(terms)])
    }
}
