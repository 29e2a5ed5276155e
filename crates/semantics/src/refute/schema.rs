//! Lemma schemas: a table of valid formulas with variables, and how they are matched and instantiated.
//!
//! The table is the text file `lemmas/lemmas.smt`; its head describes the format. A schema is matched against ground
//! terms as they are written (not modulo equality). Each match is built as a typed term; an ill-sorted match gives no
//! instance. All claims are in the table, and a test asks real solvers about each row.

use super::build;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sexp::{Forest, Sexp, View};
use smtlib::sort::{Sort, SortId};
use smtlib::term::{Kind, Lit, Pool, Quantifier, TermId};
use std::sync::LazyLock;

/// One row of the table.
pub struct Schema {
    pub name: &'static str,
    /// One sentence that says why every instance is true.
    pub why: &'static str,
    pub(super) triggers: Vec<Pattern>,
    pub(super) body: Pattern,
    pub(super) variables: usize,
}

pub(super) enum Pattern {
    Variable(usize),
    Number(u64),
    Text(&'static str),
    /// A variable of a quantifier of the schema itself.
    Bound(&'static str),
    Apply {
        name: &'static str,
        /// What operators of this name mean, each once: a trigger matches all of them.
        meanings: Vec<&'static str>,
        indices: Vec<u64>,
        args: Vec<Pattern>,
    },
    /// Any term of a class of sorts.
    Class(&'static str, usize),
    /// Binds a variable to the matched term.
    Is(usize, Box<Pattern>),
    Quantified {
        all: bool,
        binders: Vec<(&'static str, SortOf)>,
        body: Box<Pattern>,
    },
}

impl Pattern {
    fn apply(name: &'static str, indices: Vec<u64>, args: Vec<Pattern>) -> Pattern {
        let mut meanings: Vec<&'static str> =
            build::rows_named(name).iter().map(|&op| build::meaning(op)).collect();
        meanings.sort_unstable();
        meanings.dedup();
        Pattern::Apply { name, meanings, indices, args }
    }
}

/// The sort of a bound variable.
pub(super) enum SortOf {
    Same(Pattern),
    Index(usize),
    Element(usize),
}

/// The terms that the variables of a schema are bound to.
pub(super) type Binding = Vec<Option<TermId>>;

static TABLE: LazyLock<Vec<Schema>> = LazyLock::new(|| {
    read(include_str!("../../lemmas/lemmas.smt"))
        .unwrap_or_else(|error| unreachable!("the table is tested: {error}"))
});

/// All schemas, in the order of the table.
pub fn schemas() -> &'static [Schema] {
    &TABLE
}

// Reading the table.

struct Reader<'f> {
    forest: &'f Forest<'static>,
    variables: Vec<&'static str>,
    bound: Vec<&'static str>,
}

type Read<T> = Result<T, String>;

fn read(text: &'static str) -> Read<Vec<Schema>> {
    let forest = Forest::read(text.as_bytes()).map_err(|error| error.to_string())?;
    forest.roots().iter().map(|&row| schema(&forest, row)).collect()
}

fn schema(forest: &Forest<'static>, row: Sexp) -> Read<Schema> {
    let mut reader = Reader { forest, variables: vec![], bound: vec![] };
    let &[_, name, why, triggers, body] = forest.list(row) else { return Err("a row has four parts".into()) };
    let name = reader.word(name)?;
    let why = reader.word(why)?.trim_matches('"');
    let triggers = forest.list(triggers).to_vec();
    let triggers = triggers.into_iter().map(|t| reader.pattern(t)).collect::<Read<Vec<_>>>()?;
    let known = reader.variables.len();
    let body = reader.pattern(body)?;
    if reader.variables.len() > known {
        return Err(format!("{name}: no trigger binds {}", reader.variables[known]));
    }
    Ok(Schema { name, why, triggers, body, variables: known })
}

impl Reader<'_> {
    fn word(&self, sexp: Sexp) -> Read<&'static str> {
        if let View::List(_) = self.forest.view(sexp) {
            return Err("a word is expected".into());
        }
        let bytes = self.forest.text(sexp);
        std::str::from_utf8(bytes).map_err(|error| error.to_string())
    }

    fn variable(&mut self, word: &'static str) -> usize {
        self.variables.iter().position(|&v| v == word).unwrap_or_else(|| {
            self.variables.push(word);
            self.variables.len() - 1
        })
    }

    fn pattern(&mut self, sexp: Sexp) -> Read<Pattern> {
        if let View::Atom(_) = self.forest.view(sexp) {
            let word = self.word(sexp)?;
            return Ok(match word.as_bytes()[0] {
                b'?' => Pattern::Variable(self.variable(word)),
                b'"' => Pattern::Text(word.trim_matches('"')),
                b'0'..=b'9' => Pattern::Number(word.parse().map_err(|_| "a number is too large")?),
                _ if self.bound.contains(&word) => Pattern::Bound(word),
                _ => Pattern::apply(word, vec![], vec![]),
            });
        }
        let list = self.forest.list(sexp).to_vec();
        let (&head, rest) = list.split_first().ok_or("an empty list")?;
        let mut indices = vec![];
        let name = match self.forest.view(head) {
            View::Atom(_) => self.word(head)?,
            View::List(&[_, name, ref numbers @ ..]) => {
                for &number in numbers {
                    indices.push(self.word(number)?.parse().map_err(|_| "an index is a number")?);
                }
                self.word(name)?
            }
            View::List(_) => return Err("an empty head".into()),
        };
        match name {
            "forall" | "exists" => self.quantified(name == "forall", rest),
            ":is" => {
                let word = self.word(rest[0])?;
                Ok(Pattern::Is(self.variable(word), Box::new(self.pattern(rest[1])?)))
            }
            _ if name.starts_with(':') => {
                let word = self.word(rest[0])?;
                Ok(Pattern::Class(name, self.variable(word)))
            }
            _ => {
                let args = rest.iter().map(|&arg| self.pattern(arg)).collect::<Read<_>>()?;
                Ok(Pattern::apply(name, indices, args))
            }
        }
    }

    fn quantified(&mut self, all: bool, rest: &[Sexp]) -> Read<Pattern> {
        let &[list, body] = rest else { return Err("a quantifier has binders and a body".into()) };
        let before = self.bound.len();
        let mut binders = vec![];
        for &binder in self.forest.list(list).to_vec().iter() {
            let &[name, sort] = self.forest.list(binder) else { return Err("a binder is a pair".into()) };
            let &[kind, of] = self.forest.list(sort) else {
                return Err("a sort is that of something".into());
            };
            let name = self.word(name)?;
            let sort = match self.word(kind)? {
                "sort" => SortOf::Same(self.pattern(of)?),
                "index" => SortOf::Index(self.variable(self.word(of)?)),
                "element" => SortOf::Element(self.variable(self.word(of)?)),
                other => return Err(format!("unknown sort {other}")),
            };
            binders.push((name, sort));
            self.bound.push(name);
        }
        let body = Box::new(self.pattern(body)?);
        self.bound.truncate(before);
        Ok(Pattern::Quantified { all, binders, body })
    }
}

// Matching.

/// Ground terms, indexed by the meaning of their operator and by class of sort.
#[derive(Default)]
pub(super) struct Ground {
    by_meaning: HashMap<&'static str, Vec<TermId>, FxBuildHasher>,
    by_class: HashMap<&'static str, Vec<TermId>, FxBuildHasher>,
}

impl Ground {
    pub fn add(&mut self, pool: &Pool, term: TermId) {
        if let Some(meaning) = build::operator(pool, term) {
            self.by_meaning.entry(meaning).or_default().push(term);
        }
        if let Some(class) = class(pool, pool.sort_of(term)) {
            self.by_class.entry(class).or_default().push(term);
        }
    }

    /// The terms that a pattern may match.
    pub fn candidates(&self, pattern: &Pattern) -> Vec<TermId> {
        match pattern {
            Pattern::Class(name, _) => self.by_class.get(name).cloned().unwrap_or_default(),
            Pattern::Is(_, inner) => self.candidates(inner),
            Pattern::Apply { meanings, .. } => meanings
                .iter()
                .filter_map(|meaning| self.by_meaning.get(meaning))
                .flatten()
                .copied()
                .collect(),
            _ => vec![],
        }
    }
}

fn class(pool: &Pool, sort: SortId) -> Option<&'static str> {
    Some(match pool.sort(sort) {
        Sort::String | Sort::Seq(_) => ":seq",
        Sort::Set(_) | Sort::FiniteSet(_) => ":set",
        Sort::Bag(_) => ":bag",
        Sort::Array(..) => ":array",
        Sort::Int => ":int",
        Sort::Tuple(_) => ":tuple",
        Sort::Nullable(_) => ":nullable",
        Sort::Float { .. } => ":float",
        _ => return None,
    })
}

/// All ways in which a pattern matches a term, given the existing bindings.
pub(super) fn matches(pool: &Pool, pattern: &Pattern, term: TermId, binding: &Binding) -> Vec<Binding> {
    let bind = |variable: usize| -> Vec<Binding> {
        match binding[variable] {
            Some(known) if known == term => vec![binding.clone()],
            Some(_) => vec![],
            None => {
                let mut more = binding.clone();
                more[variable] = Some(term);
                vec![more]
            }
        }
    };
    match pattern {
        Pattern::Variable(variable) => bind(*variable),
        Pattern::Class(name, variable) if class(pool, pool.sort_of(term)) == Some(name) => bind(*variable),
        Pattern::Is(variable, inner) => {
            let inside = matches(pool, inner, term, binding);
            let named = |mut found: Binding| match found[*variable] {
                Some(known) if known != term => None,
                _ => {
                    found[*variable] = Some(term);
                    Some(found)
                }
            };
            inside.into_iter().filter_map(named).collect()
        }
        Pattern::Number(number) => match pool.kind(term) {
            Kind::Lit(Lit::Numeral | Lit::Decimal, text)
                if crate::value::rational::Rat::parse(pool.bytes(text))
                    == Some(crate::value::rational::Rat::from(*number as i64)) =>
            {
                vec![binding.clone()]
            }
            _ => vec![],
        },
        Pattern::Apply { meanings, args, .. } => {
            let Some(meaning) = build::operator(pool, term) else { return vec![] };
            let given = pool.args(term);
            if !meanings.contains(&meaning) || given.len() != args.len() {
                return vec![];
            }
            let mut found = all_match(pool, args, given, binding);
            if meaning == "core_eq" {
                let turned: Vec<TermId> = given.iter().rev().copied().collect();
                found.extend(all_match(pool, args, &turned, binding));
            }
            found
        }
        _ => vec![],
    }
}

fn all_match(pool: &Pool, patterns: &[Pattern], terms: &[TermId], binding: &Binding) -> Vec<Binding> {
    let mut found = vec![binding.clone()];
    for (pattern, &term) in patterns.iter().zip(terms) {
        found = found.iter().flat_map(|binding| matches(pool, pattern, term, binding)).collect();
    }
    found
}

// Building.

/// The instance of a pattern, if it is well-sorted.
pub(super) fn instantiate(pool: &mut Pool, pattern: &Pattern, binding: &Binding) -> Option<TermId> {
    Builder { pool, binding, bound: vec![] }.build(pattern, SortId::INT)
}

struct Builder<'a> {
    pool: &'a mut Pool,
    binding: &'a Binding,
    bound: Vec<(&'static str, TermId)>,
}

impl Builder<'_> {
    fn variable(&self, n: usize) -> Option<TermId> {
        self.binding.get(n).copied().flatten()
    }

    /// Builds a pattern; a number has the given sort.
    fn build(&mut self, pattern: &Pattern, numbers: SortId) -> Option<TermId> {
        match pattern {
            Pattern::Variable(n) => self.variable(*n),
            Pattern::Number(n) => Some(build::numeral(self.pool, *n, numbers)),
            Pattern::Text(text) => {
                let symbol = self.pool.symbol(text.as_bytes());
                Some(self.pool.term(Kind::Lit(Lit::String, symbol), SortId::STRING, &[]))
            }
            Pattern::Bound(name) => self.bound.iter().rev().find(|(n, _)| n == name).map(|&(_, t)| t),
            Pattern::Apply { name, indices, args, .. } => self.application(name, indices, args, numbers),
            Pattern::Quantified { all, binders, body } => self.quantified(*all, binders, body),
            Pattern::Class(..) | Pattern::Is(..) => None,
        }
    }

    fn application(
        &mut self,
        name: &str,
        indices: &[u64],
        args: &[Pattern],
        numbers: SortId,
    ) -> Option<TermId> {
        if let Some(special) = self.special(name, args) {
            return special;
        }
        // Numbers, also below a sign or an `ite`, have the sort of the other arguments.
        let takes_numbers = |p: &Pattern| is_number(p);
        let mut sort = if matches!(name, "-" | "+" | "*" | "ite") { numbers } else { SortId::INT };
        let mut built: Vec<Option<TermId>> = vec![];
        for arg in args {
            if takes_numbers(arg) {
                built.push(None);
                continue;
            }
            let term = self.build(arg, sort)?;
            if self.pool.sort_of(term) == SortId::REAL {
                sort = SortId::REAL;
            }
            built.push(Some(term));
        }
        let mut terms = vec![];
        for (arg, done) in args.iter().zip(built) {
            terms.push(match done {
                Some(term) => term,
                None => self.build(arg, sort)?,
            });
        }
        if !indices.is_empty() {
            return build::indexed(self.pool, name, indices, &terms);
        }
        build::op(self.pool, name, &terms)
    }

    /// Special names that are not operators but refer to the sort of their argument.
    fn special(&mut self, name: &str, args: &[Pattern]) -> Option<Option<TermId>> {
        Some(match name {
            "empty" => self.build(&args[0], SortId::INT).and_then(|of| {
                let sort = self.pool.sort_of(of);
                build::empty(self.pool, sort)
            }),
            "null" => self.build(&args[0], SortId::INT).and_then(|of| {
                let sort = self.pool.sort_of(of);
                build::qualified(self.pool, "nullable.null", &[], sort)
            }),
            "apply" => {
                let function = self.build(&args[0], SortId::INT);
                let arg = self.build(&args[1], SortId::INT);
                function.zip(arg).and_then(|(f, x)| {
                    build::op(self.pool, "select", &[f, x]).or_else(|| build::op(self.pool, "@", &[f, x]))
                })
            }
            "two-to-width" => self
                .width(&args[0])
                .filter(|w| *w < 63)
                .map(|w| build::numeral(self.pool, 1 << w, SortId::INT)),
            "to-word" => {
                let width = self.width(&args[0]);
                let number = self.build(&args[1], SortId::INT);
                width.zip(number).and_then(|(w, n)| build::indexed(self.pool, "int_to_bv", &[w], &[n]))
            }
            _ => return None,
        })
    }

    fn width(&mut self, pattern: &Pattern) -> Option<u64> {
        let term = self.build(pattern, SortId::INT)?;
        match self.pool.sort(self.pool.sort_of(term)) {
            Sort::BitVec(width) => Some(u64::from(*width)),
            _ => None,
        }
    }

    fn quantified(
        &mut self,
        all: bool,
        binders: &[(&'static str, SortOf)],
        body: &Pattern,
    ) -> Option<TermId> {
        let before = self.bound.len();
        let mut list = vec![];
        for (name, sort) in binders {
            let sort = match sort {
                SortOf::Same(pattern) => {
                    let term = self.build(pattern, SortId::INT)?;
                    self.pool.sort_of(term)
                }
                SortOf::Index(n) => match self.pool.sort(self.pool.sort_of(self.variable(*n)?)) {
                    Sort::Array(index, _) => *index,
                    Sort::Set(element) => *element,
                    _ => return None,
                },
                SortOf::Element(n) => match self.pool.sort(self.pool.sort_of(self.variable(*n)?)) {
                    Sort::Set(e) | Sort::FiniteSet(e) | Sort::Bag(e) | Sort::Seq(e) => *e,
                    _ => return None,
                },
            };
            let symbol = self.pool.symbol(name.as_bytes());
            list.push((symbol, sort));
            let var = self.pool.term(Kind::Var(symbol), sort, &[]);
            self.bound.push((name, var));
        }
        let body = self.build(body, SortId::INT);
        self.bound.truncate(before);
        let binders = self.pool.binders(list.into());
        let quantifier = if all { Quantifier::Forall } else { Quantifier::Exists };
        Some(self.pool.term(Kind::Quant(quantifier, binders), SortId::BOOL, &[body?]))
    }
}

fn is_number(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Number(_) => true,
        Pattern::Apply { name: "-" | "+", args, .. } => args.iter().all(is_number),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_no_name_occurs_twice() {
        let table = read(include_str!("../../lemmas/lemmas.smt")).unwrap();
        let mut names: Vec<&str> = table.iter().map(|schema| schema.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        assert!(table.iter().all(|schema| !schema.why.is_empty()));
    }

    #[test]
    fn every_operator_of_the_table_exists() {
        fn visit(pattern: &Pattern) {
            match pattern {
                Pattern::Apply { name, args, .. } => {
                    let special = ["empty", "null", "apply", "two-to-width", "to-word"].contains(name);
                    assert!(special || !build::rows_named(name).is_empty(), "{name}");
                    args.iter().for_each(visit);
                }
                Pattern::Quantified { body, .. } | Pattern::Is(_, body) => visit(body),
                _ => {}
            }
        }
        for schema in schemas() {
            visit(&schema.body);
            schema.triggers.iter().for_each(visit);
        }
    }
}
