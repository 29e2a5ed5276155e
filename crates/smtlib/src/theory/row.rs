//! The rows of theory tables, and the parser of table files.
//!
//! A row is `(HEAD ARGUMENT* RESULT ATTRIBUTE*)`, under `(par (A B) …)` if it has sort parameters. Sorts are
//! patterns: numeric variables and sort parameters are bound by matching arguments, and the result is computed
//! from them. Attributes:
//!
//! | attribute | meaning |
//! |---|---|
//! | `:left-assoc` `:right-assoc` `:chainable` `:pairwise` | as in SMT-LIB; the row shows the binary rank |
//! | `:nary` | any number of arguments of the last argument sort |
//! | `:min N` | the least number of arguments solvers accept |
//! | `:guard C` | a condition on numbers; `(fun $f A… R)` requires that index `$f` is a function of that rank |
//! | `:since V` | the version of the standard; absent for extensions |
//! | `:by (…)` | which solvers accept it; absent means all that have the theory |
//! | `:overrides (…)` | solvers that use this operator instead of a function that a script declares under this name |
//! | `:alias (…)` | other names for the same row |
//! | `:eval NAME` | the evaluation function |
//! | `:under "…"` | where the operator is under-specified |
//! | `:divergent` | solvers fill in its open points differently, so a vote about it proves nothing |
//! | `:disputed "…"` | releases disagree about what it means; the text says where |
//! | `:arith KIND` | `product`, `quotient` or `comparison`: decides whether an application is linear |
//! | `:constant N` | solvers require a constant as argument N |
//! | `:shared` | its meaning depends on the whole script, so two scripts with it cannot be joined |
//! | `:qualified` | must be written `(as name Sort)` |
//! | `:no-mutate` | never produced by mutators and generators |
//!
//! A file begins with `(theory NAME ATTRIBUTE*)`. Its attributes hold for all rows: `:shared` as above, `:logic (…)` for
//! what the name of a logic must allow (the words of `Features::named`; absent if no name of a logic stands for the
//! theory), and `:standard-only` if a logic with these features has only the rows of the standard.

use super::Tables;
use crate::logic::Features;
use crate::sexp::{Forest, Sexp, View};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Assoc {
    /// Exactly the arguments in the row.
    Fixed,
    Left,
    Right,
    Chainable,
    Pairwise,
    /// Any number of arguments of the last argument sort.
    Nary,
}

/// What an arithmetic operator does, as far as linearity depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arith {
    /// Linear if at most one argument is not a number.
    Product,
    /// Linear, and nowhere under-specified, if every divisor is a number other than zero.
    Quotient,
    Comparison,
}

/// What holds for all rows of a file.
#[derive(Clone, Copy, Debug)]
struct Header {
    theory: &'static str,
    logic: Option<Features>,
    standard_only: bool,
    shared: bool,
}

/// A number in a sort pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Num {
    Const(u64),
    Var(u8),
    Add(Box<Num>, Box<Num>),
    Sub(Box<Num>, Box<Num>),
    Mul(Box<Num>, Box<Num>),
}

/// A condition on the numbers of a row, or on a function index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    Eq(Num, Num),
    Lt(Num, Num),
    Le(Num, Num),
    And(Vec<Cond>),
    Or(Vec<Cond>),
    Not(Box<Cond>),
    /// The index with this number is a function that takes these sorts; the last one is its result.
    Fun(u8, Vec<Pat>),
}

/// A sort pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pat {
    Bool,
    Int,
    Real,
    String,
    RegLan,
    RoundingMode,
    Char,
    BitVec(Num),
    Float(Num, Num),
    Array(Box<Pat>, Box<Pat>),
    MultiArray(Vec<Pat>),
    Seq(Box<Pat>),
    Set(Box<Pat>),
    FiniteSet(Box<Pat>),
    Bag(Box<Pat>),
    Nullable(Box<Pat>),
    Field(u8),
    Tuple(Vec<Pat>),
    /// `(Tuple *)`: any tuple.
    AnyTuple,
    Fun(Vec<Pat>),
    /// A sort parameter of the row.
    Var(u8),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexVar {
    /// A numeral, bound to this numeric variable.
    Num(u8),
    /// A symbol, such as the `$f` of `(_ map $f)`.
    Sym(u8),
    /// `*`: any number of further numerals.
    Rest,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub name: &'static str,
    /// The theory's name, as given in its file.
    pub theory: &'static str,
    /// The number of sort parameters.
    pub params: u8,
    pub indices: Vec<IndexVar>,
    pub args: Vec<Pat>,
    pub result: Pat,
    pub assoc: Assoc,
    /// The minimum number of arguments.
    pub min: usize,
    pub guard: Option<Cond>,
    pub since: Option<&'static str>,
    /// `None`: every solver that has the theory.
    pub by: Option<Vec<&'static str>>,
    /// Solvers in which it overrides a function that a script declares under its name.
    pub overrides: Vec<&'static str>,
    pub aliases: Vec<&'static str>,
    pub eval: Option<&'static str>,
    pub under: Option<&'static str>,
    /// Solvers fill in the open points differently.
    pub divergent: bool,
    /// Where releases disagree about its meaning.
    pub disputed: Option<&'static str>,
    pub arith: Option<Arith>,
    /// The argument that must be a constant for solvers.
    pub constant: Option<u32>,
    /// Its meaning depends on the whole script.
    pub shared: bool,
    /// What a logic must allow for operators of the theory; `None` if no name of a logic stands for it.
    pub logic: Option<Features>,
    /// Whether a logic that allows the theory has this row too; otherwise only `ALL` has it.
    pub in_logics: bool,
    pub qualified: bool,
    pub mutable: bool,
}

impl Row {
    /// Whether the row has no argument and is written without parentheses.
    pub fn is_constant(&self) -> bool {
        self.args.is_empty()
    }

    /// Whether it accepts this number of arguments.
    pub fn takes(&self, count: usize) -> bool {
        match self.assoc {
            Assoc::Fixed => count == self.args.len(),
            _ => count >= self.min,
        }
    }

    /// Whether it is an operator on integers or reals.
    pub fn is_arithmetic(&self) -> bool {
        self.logic.is_some_and(|logic| logic.has(Features::DIFFERENCES))
    }

    /// The pattern of the n-th of `count` arguments.
    pub fn arg_pattern(&self, n: usize, count: usize) -> &Pat {
        let last = self.args.len() - 1;
        match self.assoc {
            Assoc::Right if n + 1 == count => &self.args[last],
            Assoc::Right => &self.args[0],
            _ => &self.args[n.min(last)],
        }
    }
}

/// A mistake in a table file.
#[derive(Debug)]
pub struct TableError {
    pub file: String,
    pub line: usize,
    pub what: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

impl std::error::Error for TableError {}

/// Reads all table files.
pub fn read_all(files: &'static [(&'static str, &'static str)]) -> Result<Tables, TableError> {
    let mut rows = vec![];
    for (file, text) in files {
        read_file(file, text, &mut rows)?;
    }
    Ok(Tables::new(rows))
}

fn read_file(file: &str, text: &'static str, rows: &mut Vec<Row>) -> Result<(), TableError> {
    let place = |offset: usize, what: String| TableError {
        file: file.to_owned(),
        line: crate::span::position(text.as_bytes(), offset).line,
        what,
    };
    let forest = Forest::read(text.as_bytes()).map_err(|e| place(e.span.start as usize, e.to_string()))?;
    let mut header = None;
    for &root in forest.roots() {
        let at = forest.span(root).start as usize;
        if forest.is_call(root, b"theory") {
            header = Some(read_header(&forest, text, root).map_err(|what| place(at, what))?);
            continue;
        }
        let header = header.ok_or_else(|| place(at, "the file must begin with (theory NAME …)".into()))?;
        let mut reader = RowReader { forest: &forest, text, params: vec![], nums: vec![], syms: vec![] };
        rows.push(reader.row(root, header).map_err(|what| place(at, what))?);
    }
    Ok(())
}

fn static_atom(forest: &Forest<'static>, text: &'static str, sexp: Sexp) -> Option<&'static str> {
    forest.atom(sexp)?;
    Some(&text[forest.span(sexp).range()])
}

fn read_header(forest: &Forest<'static>, text: &'static str, root: Sexp) -> Read<Header> {
    let word = |sexp: Sexp| static_atom(forest, text, sexp).ok_or("expected a word");
    let items = forest.list(root);
    let theory = word(*items.get(1).ok_or("a theory needs a name")?)?;
    let mut header = Header { theory, logic: None, standard_only: false, shared: false };
    let mut rest = items[2..].iter();
    while let Some(&key) = rest.next() {
        match word(key)? {
            ":standard-only" => header.standard_only = true,
            ":shared" => header.shared = true,
            ":since" => _ = rest.next(),
            ":logic" => {
                let names = forest.list(*rest.next().ok_or(":logic needs a list")?);
                let feature = |&name: &Sexp| {
                    let name = word(name)?;
                    Features::named(name).ok_or_else(|| format!("unknown feature of logics {name}"))
                };
                let features = names.iter().map(feature).collect::<Read<Vec<_>>>()?;
                header.logic = Some(features.into_iter().fold(Features::default(), Features::with));
            }
            other => return Err(format!("unknown attribute {other} of a theory")),
        }
    }
    Ok(header)
}

struct RowReader<'f> {
    forest: &'f Forest<'static>,
    text: &'static str,
    params: Vec<&'static str>,
    nums: Vec<&'static str>,
    syms: Vec<&'static str>,
}

type Read<T> = Result<T, String>;

impl RowReader<'_> {
    fn word(&self, sexp: Sexp) -> Read<&'static str> {
        static_atom(self.forest, self.text, sexp).ok_or_else(|| "expected a word".into())
    }

    fn row(&mut self, root: Sexp, header: Header) -> Read<Row> {
        let mut items = self.forest.list(root);
        if self.forest.is_call(root, b"par") {
            let [_, params, inner] = items else { return Err("par needs parameters and a row".into()) };
            self.params = self.forest.list(*params).iter().map(|&p| self.word(p)).collect::<Read<_>>()?;
            items = self.forest.list(*inner);
        }
        let (&head, rest) = items.split_first().ok_or("empty row")?;
        let (name, indices) = self.head(head)?;
        let is_keyword = |&s: &Sexp| self.forest.atom(s).is_some_and(|a| a.starts_with(b":"));
        let sorts_end = rest.iter().position(is_keyword).unwrap_or(rest.len());
        let (sorts, attrs) = rest.split_at(sorts_end);
        let mut args = sorts.iter().map(|&s| self.pattern(s)).collect::<Read<Vec<_>>>()?;
        let result = args.pop().ok_or("a row needs a result sort")?;
        let mut row = Row {
            name,
            theory: header.theory,
            params: self.params.len() as u8,
            indices,
            min: args.len(),
            args,
            result,
            assoc: Assoc::Fixed,
            guard: None,
            since: None,
            by: None,
            overrides: vec![],
            aliases: vec![],
            eval: None,
            under: None,
            divergent: false,
            disputed: None,
            arith: None,
            constant: None,
            shared: header.shared,
            logic: header.logic,
            in_logics: false,
            qualified: false,
            mutable: true,
        };
        self.attributes(attrs, &mut row)?;
        row.in_logics = row.since.is_some() || !header.standard_only;
        Ok(row)
    }

    fn head(&mut self, head: Sexp) -> Read<(&'static str, Vec<IndexVar>)> {
        if let View::Atom(_) = self.forest.view(head) {
            return Ok((self.word(head)?, vec![]));
        }
        let [_, name, indices @ ..] = self.forest.list(head) else { return Err("bad head".into()) };
        let name = self.word(*name)?;
        let mut vars = vec![];
        for &index in indices {
            let word = self.word(index)?;
            vars.push(match word {
                "*" => IndexVar::Rest,
                _ if word.starts_with('$') => {
                    self.syms.push(word);
                    IndexVar::Sym(self.syms.len() as u8 - 1)
                }
                _ => IndexVar::Num(self.num_var(word)),
            });
        }
        Ok((name, vars))
    }

    fn num_var(&mut self, word: &'static str) -> u8 {
        let found = self.nums.iter().position(|&n| n == word);
        found.unwrap_or_else(|| {
            self.nums.push(word);
            self.nums.len() - 1
        }) as u8
    }

    fn attributes(&mut self, attrs: &[Sexp], row: &mut Row) -> Read<()> {
        let mut at = 0;
        while at < attrs.len() {
            let key = self.word(attrs[at])?;
            at += 1;
            match key {
                ":left-assoc" => row.assoc = Assoc::Left,
                ":right-assoc" => row.assoc = Assoc::Right,
                ":chainable" => row.assoc = Assoc::Chainable,
                ":pairwise" => row.assoc = Assoc::Pairwise,
                ":nary" => row.assoc = Assoc::Nary,
                ":qualified" => row.qualified = true,
                ":no-mutate" => row.mutable = false,
                ":divergent" => row.divergent = true,
                ":shared" => row.shared = true,
                _ => {
                    let value = *attrs.get(at).ok_or_else(|| format!("{key} needs a value"))?;
                    at += 1;
                    self.attribute(key, value, row)?;
                }
            }
        }
        Ok(())
    }

    fn attribute(&mut self, key: &str, value: Sexp, row: &mut Row) -> Read<()> {
        let words = |reader: &Self, list: Sexp| -> Read<Vec<&'static str>> {
            reader.forest.list(list).iter().map(|&w| reader.word(w)).collect()
        };
        match key {
            ":min" => row.min = self.word(value)?.parse().map_err(|_| ":min needs a number")?,
            ":guard" => row.guard = Some(self.condition(value)?),
            ":since" => row.since = Some(self.word(value)?),
            ":by" => row.by = Some(words(self, value)?),
            ":overrides" => row.overrides = words(self, value)?,
            ":alias" => row.aliases = words(self, value)?,
            ":eval" => row.eval = Some(self.word(value)?),
            ":under" => row.under = Some(self.word(value)?.trim_matches('"')),
            ":disputed" => row.disputed = Some(self.word(value)?.trim_matches('"')),
            ":constant" => {
                row.constant = Some(self.word(value)?.parse().map_err(|_| ":constant needs a number")?)
            }
            ":arith" => {
                row.arith = Some(match self.word(value)? {
                    "product" => Arith::Product,
                    "quotient" => Arith::Quotient,
                    "comparison" => Arith::Comparison,
                    other => return Err(format!("unknown kind of arithmetic {other}")),
                })
            }
            _ => return Err(format!("unknown attribute {key}")),
        }
        Ok(())
    }

    fn condition(&mut self, sexp: Sexp) -> Read<Cond> {
        let list = self.forest.list(sexp).to_vec();
        let (&head, rest) = list.split_first().ok_or("a condition is a list")?;
        let name = self.word(head)?;
        if name == "fun" {
            let index = self.word(rest[0])?;
            let index = self.syms.iter().position(|&s| s == index).ok_or("fun needs a symbol index")?;
            let sorts = rest[1..].iter().map(|&s| self.pattern(s)).collect::<Read<_>>()?;
            return Ok(Cond::Fun(index as u8, sorts));
        }
        if let "and" | "or" | "not" = name {
            let mut parts = rest.iter().map(|&c| self.condition(c)).collect::<Read<Vec<_>>>()?;
            return match name {
                "and" => Ok(Cond::And(parts)),
                "or" => Ok(Cond::Or(parts)),
                _ => Ok(Cond::Not(Box::new(parts.pop().ok_or("not needs a condition")?))),
            };
        }
        let [a, b] = rest else { return Err(format!("{name} needs two numbers")) };
        let (a, b) = (self.number(*a)?, self.number(*b)?);
        match name {
            "=" => Ok(Cond::Eq(a, b)),
            "<" => Ok(Cond::Lt(a, b)),
            "<=" => Ok(Cond::Le(a, b)),
            ">" => Ok(Cond::Lt(b, a)),
            ">=" => Ok(Cond::Le(b, a)),
            _ => Err(format!("unknown condition {name}")),
        }
    }

    fn number(&mut self, sexp: Sexp) -> Read<Num> {
        if let View::List(_) = self.forest.view(sexp) {
            let list = self.forest.list(sexp).to_vec();
            let [op, a, b] = list[..] else { return Err("a number expression has two operands".into()) };
            let (a, b) = (Box::new(self.number(a)?), Box::new(self.number(b)?));
            return match self.word(op)? {
                "+" => Ok(Num::Add(a, b)),
                "-" => Ok(Num::Sub(a, b)),
                "*" => Ok(Num::Mul(a, b)),
                other => Err(format!("unknown number operator {other}")),
            };
        }
        let word = self.word(sexp)?;
        match word.parse() {
            Ok(value) => Ok(Num::Const(value)),
            Err(_) => Ok(Num::Var(self.num_var(word))),
        }
    }

    fn pattern(&mut self, sexp: Sexp) -> Read<Pat> {
        if let View::Atom(_) = self.forest.view(sexp) {
            return self.plain_pattern(sexp);
        }
        let list = self.forest.list(sexp).to_vec();
        let name = self.word(*list.first().ok_or("empty sort")?)?;
        if name == "_" {
            return match (self.word(list[1])?, &list[2..]) {
                ("BitVec", &[width]) => Ok(Pat::BitVec(self.number(width)?)),
                ("FloatingPoint", &[eb, sb]) => Ok(Pat::Float(self.number(eb)?, self.number(sb)?)),
                ("FiniteField", &[order]) => {
                    let word = self.word(order)?;
                    Ok(Pat::Field(self.num_var(word)))
                }
                (other, _) => Err(format!("unknown indexed sort {other}")),
            };
        }
        if name == "Tuple" && list.len() == 2 && self.word(list[1]) == Ok("*") {
            return Ok(Pat::AnyTuple);
        }
        let mut parts = list[1..].iter().map(|&s| self.pattern(s)).collect::<Read<Vec<_>>>()?;
        let one = |parts: &mut Vec<Pat>| -> Read<Box<Pat>> {
            if parts.len() != 1 {
                return Err(format!("{name} takes one sort"));
            }
            Ok(Box::new(parts.remove(0)))
        };
        Ok(match name {
            "Array" if parts.len() == 2 => {
                let element = Box::new(parts.remove(1));
                Pat::Array(Box::new(parts.remove(0)), element)
            }
            "Array" => Pat::MultiArray(parts),
            "Seq" => Pat::Seq(one(&mut parts)?),
            "Set" => Pat::Set(one(&mut parts)?),
            "FiniteSet" => Pat::FiniteSet(one(&mut parts)?),
            "Bag" => Pat::Bag(one(&mut parts)?),
            "Nullable" => Pat::Nullable(one(&mut parts)?),
            "Relation" => Pat::Set(Box::new(Pat::Tuple(parts))),
            "Table" => Pat::Bag(Box::new(Pat::Tuple(parts))),
            "Tuple" => Pat::Tuple(parts),
            "->" => Pat::Fun(parts),
            _ => return Err(format!("unknown sort {name}")),
        })
    }

    fn plain_pattern(&self, sexp: Sexp) -> Read<Pat> {
        let word = self.word(sexp)?;
        if let Some(param) = self.params.iter().position(|&p| p == word) {
            return Ok(Pat::Var(param as u8));
        }
        Ok(match word {
            "Bool" => Pat::Bool,
            "Int" => Pat::Int,
            "Real" => Pat::Real,
            "String" => Pat::String,
            "RegLan" => Pat::RegLan,
            "RoundingMode" => Pat::RoundingMode,
            "Unicode" | "Char" => Pat::Char,
            "UnitTuple" => Pat::Tuple(vec![]),
            _ => return Err(format!("unknown sort {word}")),
        })
    }
}
