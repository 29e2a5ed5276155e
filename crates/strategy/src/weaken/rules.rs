//! The rules of `rules.txt` as data.
//!
//! In: the text of a rule file (its own head describes the language). Out: rules whose variables are numbered slots
//! and whose sides are small trees. Names of operators are checked against the theory tables here. Sorts are checked
//! only when a rule is used on a seed, because a rule may be well-typed for some sorts of its sort variable and not
//! for others.

use super::heads;
use crate::RuleUse;
use smtlib::SortId;
use smtlib::sexp::{Forest, Sexp, View};
use smtlib::term::Quantifier;
use std::sync::{Arc, LazyLock};

/// All rules of a file.
#[derive(Debug)]
pub struct Rules {
    pub rules: Vec<Rule>,
}

impl Rules {
    /// One rule alone.
    pub fn only(&self, name: &str) -> Option<Rules> {
        Some(Rules { rules: vec![self.rules.iter().find(|rule| rule.name == name)?.clone()] })
    }

    /// The rules of these names, and of the sections of these names; all of them without any name.
    pub fn restricted(self: Arc<Rules>, names: &[String]) -> Result<Arc<Rules>, String> {
        if names.is_empty() {
            return Ok(self);
        }
        let has = |rule: &Rule, name: &str| {
            rule.name == name || rule.name.split_once('/').is_some_and(|(section, _)| section == name)
        };
        if let Some(name) = names.iter().find(|name| !self.rules.iter().any(|rule| has(rule, name))) {
            return Err(format!("no rule and no section is called `{name}`"));
        }
        let rules = self.rules.iter().filter(|rule| names.iter().any(|name| has(rule, name)));
        Ok(Arc::new(Rules { rules: rules.cloned().collect() }))
    }

    /// What a recipe says about the use of a rule.
    pub fn used(&self, rule: u32, forward: bool) -> RuleUse {
        RuleUse { rule: self.rules[rule as usize].name.clone(), forward }
    }
}

#[derive(Clone, Debug)]
pub struct Rule {
    /// Section and name, such as `core/table-and-or`.
    pub name: String,
    pub strong: Term,
    pub weak: Term,
    /// Whether both sides mean the same.
    pub equivalent: bool,
    pub vars: Arc<[Var]>,
    pub sorts: Arc<[SortVar]>,
    /// The condition on literals, and the one variable in it.
    pub condition: Option<(Term, usize)>,
    /// How many applications and literals the larger side has.
    pub applications: usize,
}

#[derive(Debug)]
pub struct Var {
    pub name: String,
    pub kind: VarKind,
    pub sort: SortExpr,
    /// Any number of terms.
    pub many: bool,
    /// Only a literal may be chosen for it.
    pub literal: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarKind {
    Term,
    Function,
    Constructor,
    Predicate,
    Numeral,
    Bound,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortExpr {
    Fixed(SortId),
    Var(usize),
    Any,
}

#[derive(Debug)]
pub struct SortVar {
    pub name: String,
    pub shape: Shape,
}

/// The sorts that a sort variable may be bound to; numbers are other sort variables.
#[derive(Debug, PartialEq, Eq)]
pub enum Shape {
    OneOf(Vec<SortId>),
    BitVec,
    Float,
    Datatype,
    Any,
    Array(usize, usize),
    Seq(usize),
    Set(usize),
    /// A part of another one.
    Part,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    Var(usize),
    /// A literal; `id` counts the applications and literals of its side.
    Value {
        text: String,
        sort: SortExpr,
        id: usize,
    },
    App {
        head: Head,
        args: Vec<Arg>,
        id: usize,
    },
    /// A quantifier over a fresh variable.
    Bind {
        quantifier: Quantifier,
        var: usize,
        body: Box<Term>,
    },
    /// A quantifier over the place of a predicate.
    All {
        quantifier: Quantifier,
        predicate: usize,
    },
    /// A predicate with a term at its place.
    At {
        predicate: usize,
        term: usize,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    pub term: Term,
    /// Repeated for each of the terms that are bound to its variables with dots.
    pub many: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    Op { name: &'static str, op: u16, indices: Vec<IndexTerm> },
    Function(usize),
    Constructor(usize),
    Tester(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexTerm {
    Num(u64),
    Numeral(usize),
    Count(usize),
}

/// What is wrong with a rule file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rules, line {line}: {why}")]
pub struct RuleError {
    pub line: usize,
    pub why: String,
}

/// The text of the rules that come with the strategy.
pub const TEXT: &str = include_str!("rules.txt");

static EMBEDDED: LazyLock<Result<Arc<Rules>, RuleError>> = LazyLock::new(|| Rules::read(TEXT).map(Arc::new));

impl Rules {
    /// The rules that come with the strategy.
    pub fn embedded() -> Result<Arc<Rules>, RuleError> {
        EMBEDDED.clone()
    }

    pub fn read(text: &str) -> Result<Rules, RuleError> {
        let forest =
            Forest::read(text.as_bytes()).map_err(|error| RuleError { line: 1, why: error.to_string() })?;
        let mut reader = Reader { text, forest: &forest, section: Section::default(), ids: 0 };
        let mut rules: Vec<Rule> = vec![];
        for &root in forest.roots() {
            if forest.is_call(root, b"section") {
                reader.section = reader.section(root)?;
            } else if forest.is_call(root, b"rule") {
                let rule = reader.rule(root)?;
                if rules.iter().any(|other| other.name == rule.name) {
                    return Err(reader.error(root, format!("`{}` is defined twice", rule.name)));
                }
                rules.push(rule);
            } else {
                return Err(reader.error(root, "expected (section …) or (rule …)"));
            }
        }
        Ok(Rules { rules })
    }
}

#[derive(Clone, Default)]
struct Section {
    name: String,
    vars: Arc<[Var]>,
    sorts: Arc<[SortVar]>,
}

struct Reader<'a> {
    text: &'a str,
    forest: &'a Forest<'a>,
    section: Section,
    ids: usize,
}

impl Reader<'_> {
    fn error(&self, at: Sexp, why: impl Into<String>) -> RuleError {
        let start = self.forest.span(at).start as usize;
        let line = 1 + self.text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count();
        RuleError { line, why: why.into() }
    }

    fn word(&self, at: Sexp) -> Result<&str, RuleError> {
        let atom = self.forest.atom(at).ok_or_else(|| self.error(at, "expected a word"))?;
        std::str::from_utf8(atom).map_err(|_| self.error(at, "not UTF-8"))
    }

    // Sections.

    fn section(&self, at: Sexp) -> Result<Section, RuleError> {
        let [_, name, declarations @ ..] = self.forest.list(at) else {
            return Err(self.error(at, "expected (section NAME …)"));
        };
        let mut sorts: Vec<SortVar> = vec![];
        let mut vars = vec![];
        for &declaration in declarations {
            match self.forest.list(declaration) {
                [keyword, name, shapes @ ..] if self.forest.atom(*keyword) == Some(b"for") => {
                    let name = self.word(*name)?.to_owned();
                    let shape = self.shape(declaration, shapes, &mut sorts)?;
                    sorts.push(SortVar { name, shape });
                }
                parts => vars.push(self.var(declaration, parts, &sorts)?),
            }
        }
        Ok(Section { name: self.word(*name)?.to_owned(), vars: vars.into(), sorts: sorts.into() })
    }

    fn shape(&self, at: Sexp, shapes: &[Sexp], sorts: &mut Vec<SortVar>) -> Result<Shape, RuleError> {
        let mut part = |at: Sexp| -> Result<usize, RuleError> {
            sorts.push(SortVar { name: self.word(at)?.to_owned(), shape: Shape::Part });
            Ok(sorts.len() - 1)
        };
        if let [only] = shapes {
            match self.forest.view(*only) {
                View::List(&[head, index, element]) if self.word(head)? == "Array" => {
                    return Ok(Shape::Array(part(index)?, part(element)?));
                }
                View::List(&[head, element]) => match self.word(head)? {
                    "Seq" => return Ok(Shape::Seq(part(element)?)),
                    "Set" => return Ok(Shape::Set(part(element)?)),
                    _ => return Err(self.error(at, "unknown kind of sort")),
                },
                View::List(_) => return Err(self.error(at, "unknown kind of sort")),
                View::Atom(b"BitVec") => return Ok(Shape::BitVec),
                View::Atom(b"Float") => return Ok(Shape::Float),
                View::Atom(b"Datatype") => return Ok(Shape::Datatype),
                View::Atom(b"any") => return Ok(Shape::Any),
                View::Atom(_) => {}
            }
        }
        let named = |&sort: &Sexp| {
            fixed_sort(self.word(sort)?).ok_or_else(|| self.error(sort, "no sort of this name"))
        };
        shapes.iter().map(named).collect::<Result<_, _>>().map(Shape::OneOf)
    }

    fn var(&self, at: Sexp, parts: &[Sexp], sorts: &[SortVar]) -> Result<Var, RuleError> {
        let words: Vec<&str> = parts.iter().map(|&part| self.word(part)).collect::<Result<_, _>>()?;
        let (kind, sort, literal) = match words[..] {
            [_, "predicate"] => (VarKind::Predicate, "any", false),
            [_, "numeral"] => (VarKind::Numeral, "any", true),
            [_, "function", sort] => (VarKind::Function, sort, false),
            [_, "constructor", sort] => (VarKind::Constructor, sort, false),
            [_, "bound", sort] => (VarKind::Bound, sort, false),
            [_, sort] => (VarKind::Term, sort, false),
            [_, sort, "literal"] => (VarKind::Term, sort, true),
            _ => return Err(self.error(at, "expected (VARIABLE SORT)")),
        };
        let sort = self.sort(at, sort, sorts)?;
        let (name, many) = match words[0].strip_suffix("...") {
            Some(stem) => (stem, true),
            None => (words[0], false),
        };
        Ok(Var { name: name.to_owned(), kind, sort, many, literal })
    }

    fn sort(&self, at: Sexp, name: &str, sorts: &[SortVar]) -> Result<SortExpr, RuleError> {
        if name == "any" {
            return Ok(SortExpr::Any);
        }
        let var = sorts.iter().position(|sort| sort.name == name).map(SortExpr::Var);
        var.or_else(|| fixed_sort(name).map(SortExpr::Fixed))
            .ok_or_else(|| self.error(at, "no sort of this name"))
    }

    // Rules.

    fn rule(&mut self, at: Sexp) -> Result<Rule, RuleError> {
        let forest = self.forest;
        let (name, strong, arrow, weak, condition) = match *forest.list(at) {
            [_, name, strong, arrow, weak] => (name, strong, arrow, weak, None),
            [_, name, strong, arrow, weak, keyword, condition] if self.word(keyword)? == ":if" => {
                (name, strong, arrow, weak, Some(condition))
            }
            _ => return Err(self.error(at, "expected (rule NAME STRONG => WEAK)")),
        };
        let equivalent = match self.word(arrow)? {
            "=>" => false,
            "<=>" => true,
            _ => return Err(self.error(arrow, "expected => or <=>")),
        };
        let name = format!("{}/{}", self.section.name, self.word(name)?);
        let (strong, first) = self.side(strong)?;
        let (weak, second) = self.side(weak)?;
        let condition = condition.map(|at| self.condition(at)).transpose()?;
        let Section { vars, sorts, .. } = self.section.clone();
        Ok(Rule { name, strong, weak, equivalent, vars, sorts, condition, applications: first.max(second) })
    }

    fn side(&mut self, at: Sexp) -> Result<(Term, usize), RuleError> {
        self.ids = 0;
        let term = self.term(at)?;
        Ok((term, self.ids))
    }

    fn condition(&mut self, at: Sexp) -> Result<(Term, usize), RuleError> {
        let (term, _) = self.side(at)?;
        let mut used = vec![];
        term.variables(&mut used);
        used.dedup();
        match used[..] {
            [var] => Ok((term, var)),
            _ => Err(self.error(at, "a condition must contain exactly one variable")),
        }
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.section.vars.iter().position(|var| var.name == name)
    }

    fn term(&mut self, at: Sexp) -> Result<Term, RuleError> {
        match self.forest.view(at) {
            View::Atom(_) => self.atom(at),
            View::List(_) => self.application(at),
        }
    }

    fn id(&mut self) -> usize {
        self.ids += 1;
        self.ids - 1
    }

    fn atom(&mut self, at: Sexp) -> Result<Term, RuleError> {
        let word = self.word(at)?.to_owned();
        if let Some(slot) = self.slot(&word) {
            return Ok(Term::Var(slot));
        }
        let first = word.as_bytes().first().copied().unwrap_or(0);
        let sort = match first {
            b'"' => SortId::STRING,
            b'0'..=b'9' if word.contains('.') => SortId::REAL,
            b'0'..=b'9' => SortId::INT,
            _ => {
                let (name, op) =
                    heads::named(&word).ok_or_else(|| self.error(at, format!("what is `{word}`?")))?;
                return Ok(Term::App {
                    head: Head::Op { name, op, indices: vec![] },
                    args: vec![],
                    id: self.id(),
                });
            }
        };
        Ok(Term::Value { text: word, sort: SortExpr::Fixed(sort), id: self.id() })
    }

    fn application(&mut self, at: Sexp) -> Result<Term, RuleError> {
        let forest = self.forest;
        let items = forest.list(at);
        let [head, rest @ ..] = items else { return Err(self.error(at, "an empty list")) };
        if let (Some(word), [first, second]) = (forest.atom(*head), rest) {
            let quantifier = match word {
                b"forall" => Some(Quantifier::Forall),
                b"exists" => Some(Quantifier::Exists),
                _ => None,
            };
            if let Some(quantifier) = quantifier {
                return self.quantified(quantifier, *first, *second);
            }
            if word == b"as" {
                let sort = self.sort(at, self.word(*second)?, &self.section.sorts)?;
                let text = self.word(*first)?.to_owned();
                return Ok(Term::Value { text, sort, id: self.id() });
            }
        }
        if let (Some(slot), [term]) = (forest.atom(*head).and_then(|word| self.slot(str(word))), rest)
            && self.section.vars[slot].kind == VarKind::Predicate
        {
            let term = self.slot(self.word(*term)?).ok_or_else(|| self.error(at, "expected a variable"))?;
            return Ok(Term::At { predicate: slot, term });
        }
        let id = self.id();
        let head = self.head(*head)?;
        let mut args: Vec<Arg> = vec![];
        for &item in rest {
            match forest.atom(item) {
                Some(b"...") => match args.last_mut() {
                    Some(last) => last.many = true,
                    None => return Err(self.error(item, "nothing to repeat")),
                },
                Some(word) if word.ends_with(b"...") => {
                    let name = str(&word[..word.len() - 3]);
                    let slot =
                        self.slot(name).ok_or_else(|| self.error(item, format!("no variable `{name}`")))?;
                    args.push(Arg { term: Term::Var(slot), many: true });
                }
                _ => args.push(Arg { term: self.term(item)?, many: false }),
            }
        }
        Ok(Term::App { head, args, id })
    }

    fn quantified(&mut self, quantifier: Quantifier, var: Sexp, body: Sexp) -> Result<Term, RuleError> {
        let named = self.forest.atom(body).and_then(|word| self.slot(str(word)));
        if let Some(predicate) = named.filter(|&slot| self.section.vars[slot].kind == VarKind::Predicate) {
            return Ok(Term::All { quantifier, predicate });
        }
        let slot = self.slot(self.word(var)?).filter(|&slot| self.section.vars[slot].kind == VarKind::Bound);
        let var = slot.ok_or_else(|| self.error(var, "expected a bound variable"))?;
        Ok(Term::Bind { quantifier, var, body: Box::new(self.term(body)?) })
    }

    fn head(&mut self, at: Sexp) -> Result<Head, RuleError> {
        let forest = self.forest;
        match forest.view(at) {
            View::Atom(_) => {
                let word = self.word(at)?;
                if let Some(slot) = self.slot(word) {
                    return match self.section.vars[slot].kind {
                        VarKind::Function => Ok(Head::Function(slot)),
                        VarKind::Constructor => Ok(Head::Constructor(slot)),
                        _ => Err(self.error(at, "not a function")),
                    };
                }
                let (name, op) =
                    heads::named(word).ok_or_else(|| self.error(at, format!("no operator `{word}`")))?;
                Ok(Head::Op { name, op, indices: vec![] })
            }
            View::List([underscore, name, indices @ ..]) if forest.atom(*underscore) == Some(b"_") => {
                let word = self.word(*name)?;
                if let ("is", [constructor]) = (word, indices) {
                    let slot = self.slot(self.word(*constructor)?);
                    return slot.map(Head::Tester).ok_or_else(|| self.error(at, "no such constructor"));
                }
                let (name, op) =
                    heads::named(word).ok_or_else(|| self.error(at, format!("no operator `{word}`")))?;
                let indices = indices.iter().map(|&index| self.index(index)).collect::<Result<_, _>>()?;
                Ok(Head::Op { name, op, indices })
            }
            View::List(_) => Err(self.error(at, "expected an operator")),
        }
    }

    fn index(&self, at: Sexp) -> Result<IndexTerm, RuleError> {
        if let [word, var] = self.forest.list(at)
            && self.forest.atom(*word) == Some(b"count")
        {
            let slot = self.slot(self.word(*var)?);
            return slot.map(IndexTerm::Count).ok_or_else(|| self.error(at, "no such variable"));
        }
        let word = self.word(at)?;
        let number = word.parse().ok().map(IndexTerm::Num);
        number
            .or_else(|| self.slot(word).map(IndexTerm::Numeral))
            .ok_or_else(|| self.error(at, "expected a number"))
    }
}

fn str(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or("")
}

fn fixed_sort(name: &str) -> Option<SortId> {
    Some(match name {
        "Bool" => SortId::BOOL,
        "Int" => SortId::INT,
        "Real" => SortId::REAL,
        "String" => SortId::STRING,
        "RegLan" => SortId::REGLAN,
        "RoundingMode" => SortId::ROUNDING_MODE,
        _ => return None,
    })
}

impl Term {
    /// The slots that occur, in order, with repetitions.
    pub fn variables(&self, found: &mut Vec<usize>) {
        match self {
            Term::Var(slot) => found.push(*slot),
            Term::Value { .. } => {}
            Term::App { head, args, .. } => {
                match head {
                    Head::Op { indices, .. } => {
                        found.extend(indices.iter().filter_map(|index| match index {
                            IndexTerm::Num(_) => None,
                            IndexTerm::Numeral(slot) | IndexTerm::Count(slot) => Some(*slot),
                        }))
                    }
                    Head::Function(slot) | Head::Constructor(slot) | Head::Tester(slot) => found.push(*slot),
                }
                args.iter().for_each(|arg| arg.term.variables(found));
            }
            Term::Bind { var, body, .. } => {
                found.push(*var);
                body.variables(found);
            }
            Term::All { predicate, .. } => found.push(*predicate),
            Term::At { predicate, term } => found.extend([*predicate, *term]),
        }
    }

    /// Whether a formula can be matched against it: a count cannot be matched.
    fn is_pattern(&self) -> bool {
        match self {
            Term::App { head: Head::Op { indices, .. }, args, .. } => {
                !indices.iter().any(|index| matches!(index, IndexTerm::Count(_)))
                    && args.iter().all(|arg| arg.term.is_pattern())
            }
            Term::App { args, .. } => args.iter().all(|arg| arg.term.is_pattern()),
            Term::Bind { body, .. } => body.is_pattern(),
            Term::Var(_) | Term::Value { .. } | Term::All { .. } | Term::At { .. } => true,
        }
    }
}

impl Rule {
    /// The side to match and the side to write; forward weakens.
    pub fn sides(&self, forward: bool) -> (&Term, &Term) {
        if forward { (&self.strong, &self.weak) } else { (&self.weak, &self.strong) }
    }

    /// Whether it can be used in this direction: a variable that cannot be chosen must be bound by the match.
    pub fn works(&self, forward: bool) -> bool {
        let (from, to) = self.sides(forward);
        let (mut bound, mut needed) = (vec![], vec![]);
        from.variables(&mut bound);
        to.variables(&mut needed);
        let chosen = |slot: &usize| {
            let var = &self.vars[*slot];
            !var.many && !matches!(var.kind, VarKind::Constructor | VarKind::Predicate)
        };
        from.is_pattern() && needed.iter().all(|slot| bound.contains(slot) || chosen(slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_rules_are_read_and_each_works_in_at_least_one_direction() {
        let rules = Rules::embedded().unwrap();
        assert!(rules.rules.len() > 300, "{}", rules.rules.len());
        for rule in &rules.rules {
            assert!(rule.works(true) || rule.works(false), "{}", rule.name);
        }
    }

    #[test]
    fn a_mistake_is_reported_with_its_line() {
        let error = |text: &str| Rules::read(text).unwrap_err().to_string();
        assert_eq!(error("(section s (x Int))\n(rule a (foo x) => x)"), "rules, line 2: no operator `foo`");
        assert_eq!(error("(section s (x Itn))"), "rules, line 1: no sort of this name");
        assert_eq!(error("(section s (x Int))\n\n(rule a x = x)"), "rules, line 3: expected => or <=>");
        assert_eq!(
            error("(section s (x Int))(rule a x => x)(rule a x => x)"),
            "rules, line 1: `s/a` is defined twice"
        );
    }
}
