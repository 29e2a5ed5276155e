//! Fusion functions: what they are, how their files are read, and how one becomes text.
//!
//! In: text in yinyang's format (`#begin … #end` blocks, see `fusion/arithmetic.txt` for what falsum adds to it).
//! Out: `Function`s: sorts with parameters, the definition of z, and the two inversions, as small trees. A function
//! is matched against the sorts of two variables and then written with names in place of x, y, z and constants.
//! A block that cannot be used is refused with its line and a reason; the others of the file are kept, because
//! users bring files that contain such blocks. It must never guess what a malformed block means.

use super::logic::Features;
use super::sorts::Shape;
use crate::Rng;
use rustc_hash::FxHashSet;
use smtlib::sexp::{Forest, Sexp, View};
use std::fmt::Write as _;

/// One fusion function with its inversions.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Why the inversions hold, as the file says.
    pub about: String,
    /// The inversions hold for all values; partial ones are used only where they are asserted too.
    pub trust: Trust,
    /// The line of its `#begin`.
    pub line: usize,
    pub(super) sorts: [Expr; 3],
    pub(super) constants: Vec<Constant>,
    /// Fresh symbols: name, argument sorts, result sort.
    pub(super) fresh: Vec<Fresh>,
    pub(super) datatypes: Vec<Expr>,
    /// f(x, y), the inversion for x, the inversion for y.
    pub(super) terms: [Expr; 3],
    params: usize,
    widths: usize,
    features: Features,
}

impl Trust {
    /// Whether fusions may rely on the inversions without asserting them.
    pub fn relied_on(self) -> bool {
        matches!(self, Trust::Total | Trust::Tested)
    }
}

/// What is known about the inversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// They hold for all values: the file vouches, and `verify` proves it.
    Total,
    /// They fail somewhere.
    Partial,
    /// No value that was tried refutes them; nobody has proved them.
    Tested,
    /// Nobody has said; a caller who wants to use it as total must check it first.
    Unchecked,
}

#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub sort: Expr,
    pub draw: Draw,
    pub name: String,
}

/// Which values a random constant may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    Any,
    Nonzero,
    Odd,
    /// The inverse, modulo the width, of another constant.
    InverseOf(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Fresh {
    pub name: String,
    pub args: Vec<Expr>,
    pub result: Expr,
}

/// A sort or a term with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expr {
    Text(Box<[u8]>),
    List(Vec<Expr>),
    /// x, y or z.
    Role(usize),
    Constant(usize),
    /// A name that the block declares; it is made fresh.
    Local(Box<[u8]>),
    Param(usize),
    Width(usize),
    /// A sum, difference or product of widths and numerals.
    Number(Op, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Add,
    Sub,
    Mul,
}

/// A block that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct Refused {
    pub line: usize,
    pub why: String,
}

/// What a file holds.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    pub functions: Vec<Function>,
    pub refused: Vec<Refused>,
}

macro_rules! embedded {
    ($($file:literal),* $(,)?) => { &[$(($file, include_str!(concat!("../../fusion/", $file)))),*] };
}

/// The files inside the program.
pub const FILES: &[(&str, &str)] = embedded![
    "arithmetic.txt",
    "booleans.txt",
    "bitvectors.txt",
    "floats.txt",
    "strings.txt",
    "containers.txt",
];

impl Functions {
    /// The functions inside the program; a test stands behind every block.
    pub fn embedded() -> Functions {
        let mut all = Functions::default();
        for (_, text) in FILES {
            let mut read = Functions::read(text);
            for function in &mut read.functions {
                if function.trust == Trust::Unchecked {
                    function.trust = Trust::Total;
                }
            }
            all.functions.append(&mut read.functions);
            all.refused.append(&mut read.refused);
        }
        all
    }

    /// Reads a file. A function without a word about its inversions is `Unchecked`.
    pub fn read(text: &str) -> Functions {
        let mut all = Functions::default();
        let mut block: Option<(usize, Trust, String)> = None;
        for (number, line) in text.lines().enumerate() {
            let word = line.trim();
            if let Some(rest) = word.strip_prefix("#begin") {
                let trust = match rest.trim() {
                    "partial" => Trust::Partial,
                    "total" => Trust::Total,
                    _ => Trust::Unchecked,
                };
                block = Some((number + 1, trust, String::new()));
            } else if word.starts_with("#end") {
                let Some((line, trust, body)) = block.take() else { continue };
                match Function::read(line, trust, &body) {
                    Ok(function) => all.functions.push(function),
                    Err(why) => all.refused.push(Refused { line, why }),
                }
            } else if let Some((_, _, body)) = &mut block {
                let _ = writeln!(body, "{line}");
            }
        }
        if let Some((line, _, _)) = block {
            all.refused.push(Refused { line, why: "this #begin has no #end".into() });
        }
        all
    }
}

/// What a block has declared so far.
#[derive(Default)]
struct Reader {
    sorts: [Option<Expr>; 3],
    constants: Vec<Constant>,
    fresh: Vec<Fresh>,
    datatypes: Vec<Expr>,
    locals: Vec<Box<[u8]>>,
    params: Vec<Box<[u8]>>,
    widths: Vec<Box<[u8]>>,
    equations: Vec<(usize, Expr)>,
}

const ROLES: [&[u8]; 3] = [b"x", b"y", b"z"];

impl Function {
    fn read(line: usize, trust: Trust, body: &str) -> Result<Function, String> {
        let comment = body.lines().find_map(|line| line.trim().strip_prefix(';')).unwrap_or("").trim();
        let (name, about) = comment.split_once(':').unwrap_or(("", comment));
        let forest = Forest::read(body.as_bytes()).map_err(|error| error.to_string())?;
        let mut reader = Reader::default();
        reader.find_locals(&forest);
        for &root in forest.roots() {
            reader.command(&forest, root)?;
        }
        let [Some(x), Some(y), Some(z)] = reader.sorts else {
            return Err("x, y and z must be declared".into());
        };
        let [(2, fusion), (0, for_x), (1, for_y)] = <[_; 3]>::try_from(reader.equations)
            .map_err(|found| format!("there must be three asserts, not {}", found.len()))?
        else {
            return Err("the asserts must define z, then x, then y".into());
        };
        let sorts = [x, y, z];
        let mut bound = (vec![false; reader.params.len()], vec![false; reader.widths.len()]);
        sorts[..2].iter().for_each(|sort| sort.bind(&mut bound));
        if bound.0.len() > MOST || bound.1.len() > MOST {
            return Err(format!("at most {MOST} sort parameters and {MOST} widths are possible"));
        }
        if bound.0.contains(&false) || bound.1.contains(&false) {
            return Err("a sort parameter or width does not occur in the sorts of x and y".into());
        }
        if fusion.mentions_role(2) {
            return Err("the definition of z must not mention z".into());
        }
        Ok(Function {
            name: if name.is_empty() { format!("line-{line}") } else { name.trim().to_owned() },
            about: about.trim().to_owned(),
            trust,
            line,
            sorts,
            constants: reader.constants,
            fresh: reader.fresh,
            datatypes: reader.datatypes,
            terms: [fusion, for_x, for_y],
            params: reader.params.len(),
            widths: reader.widths.len(),
            features: Features::default(),
        }
        .with_features())
    }

    /// Whether it can fuse variables of these sorts, and how its parameters are bound then.
    pub(super) fn matches<'s>(&self, x: &'s Shape, y: &'s Shape) -> Option<Bindings<'s>> {
        let mut bindings = Bindings::default();
        let fits = bindings.unify(&self.sorts[0], x, 0) && bindings.unify(&self.sorts[1], y, 1);
        (fits && self.writable(&bindings)).then_some(bindings)
    }

    /// What a logic must have for it.
    pub(super) fn features(&self) -> Features {
        self.features
    }

    fn with_features(mut self) -> Function {
        let mut found = Features::default();
        let fresh = self.fresh.iter().flat_map(|fresh| fresh.args.iter().chain([&fresh.result]));
        for expr in self.sorts.iter().chain(&self.terms).chain(fresh) {
            found = expr.features(found);
        }
        // Arrays that x and y have are of their seeds' logic; a new one is over whatever sorts x and y have.
        if !self.mentions(b"Array") && found.has(Features::ARRAYS) {
            found = found.with(Features::ANY_ARRAYS);
        }
        if !self.datatypes.is_empty() {
            found = found.with(Features::DATATYPES);
        }
        if self.fresh.iter().any(|fresh| !fresh.args.is_empty()) {
            found = found.with(Features::FUNCTIONS);
        }
        self.features = found;
        self
    }

    /// How many sort parameters and how many widths it has.
    pub(super) fn parameters(&self) -> (usize, usize) {
        (self.params, self.widths)
    }

    /// Whether a word occurs in the sorts of x and y.
    pub(super) fn mentions(&self, word: &[u8]) -> bool {
        let mut words = FxHashSet::default();
        self.sorts[..2].iter().for_each(|sort| sort.words(&mut words));
        words.contains(word)
    }

    /// A constructor without arguments of its datatypes, if there is one.
    pub(super) fn empty_constructor(&self, names: &Names<'_>) -> Option<Vec<u8>> {
        fn find(expr: &Expr) -> Option<&Expr> {
            match expr {
                Expr::List(items) => match items.as_slice() {
                    [only @ Expr::Local(_)] => Some(only),
                    many => many.iter().find_map(find),
                },
                _ => None,
            }
        }
        let mut out = vec![];
        self.datatypes.iter().find_map(find)?.write(&mut out, names);
        Some(out)
    }

    /// Every word that it takes from a theory.
    pub(super) fn words(&self, into: &mut FxHashSet<Box<[u8]>>) {
        for expr in self.sorts.iter().chain(&self.terms) {
            expr.words(into);
        }
    }

    /// Widths that are computed must be small and positive.
    fn writable(&self, bindings: &Bindings<'_>) -> bool {
        let sorts = self.sorts.iter().chain(self.fresh.iter().map(|fresh| &fresh.result));
        self.widths == 0 || sorts.clone().all(|sort| sort.sizes_are_fine(bindings))
    }
}

impl Reader {
    /// Names of datatypes, constructors and selectors may be used before their declaration is read.
    fn find_locals(&mut self, forest: &Forest<'_>) {
        for &root in forest.roots() {
            let list = forest.list(root);
            if !forest.is_call(root, b"declare-datatypes") || list.len() != 3 {
                continue;
            }
            for &sort in forest.list(list[1]) {
                self.local(forest, forest.list(sort).first());
            }
            for &constructors in forest.list(list[2]) {
                for &constructor in forest.list(constructors) {
                    let parts = forest.list(constructor);
                    self.local(forest, parts.first());
                    for &field in parts.iter().skip(1) {
                        self.local(forest, forest.list(field).first());
                    }
                }
            }
        }
    }

    fn local(&mut self, forest: &Forest<'_>, name: Option<&Sexp>) {
        if let Some(name) = name.and_then(|&name| forest.atom(name)) {
            self.locals.push(name.into());
        }
    }

    fn command(&mut self, forest: &Forest<'_>, root: Sexp) -> Result<(), String> {
        let list = forest.list(root);
        let head = list.first().and_then(|&head| forest.atom(head)).unwrap_or_default();
        match (head, list) {
            (b"declare-const", [_, name, sort, draw @ ..]) => self.declare(forest, *name, &[], *sort, draw),
            (b"declare-fun", [_, name, args, sort]) => {
                self.declare(forest, *name, forest.list(*args), *sort, &[])
            }
            (b"declare-datatypes", [_, _, _]) => {
                let datatype = self.expr(forest, root, true)?;
                self.datatypes.push(datatype);
                Ok(())
            }
            (b"assert", [_, equation]) => self.equation(forest, *equation),
            _ => Err(format!("cannot use `{}`", String::from_utf8_lossy(forest.text(root)))),
        }
    }

    fn declare(
        &mut self,
        forest: &Forest<'_>,
        name: Sexp,
        args: &[Sexp],
        sort: Sexp,
        draw: &[Sexp],
    ) -> Result<(), String> {
        let name = forest.atom(name).ok_or("a name was expected")?;
        let result = self.expr(forest, sort, true)?;
        if let Some(role) = ROLES.iter().position(|&role| role == name) {
            self.sorts[role] = Some(result);
        } else if args.is_empty() && is_constant(name) {
            let draw = self.draw(forest, draw)?;
            let name = String::from_utf8_lossy(name).into_owned();
            self.constants.push(Constant { sort: result, draw, name });
        } else {
            let args = args.iter().map(|&arg| self.expr(forest, arg, true)).collect::<Result<_, _>>()?;
            self.locals.push(name.into());
            self.fresh.push(Fresh { name: String::from_utf8_lossy(name).into_owned(), args, result });
        }
        Ok(())
    }

    fn draw(&self, forest: &Forest<'_>, words: &[Sexp]) -> Result<Draw, String> {
        let words: Vec<&[u8]> = words.iter().map(|&word| forest.text(word)).collect();
        match words.as_slice() {
            [] => Ok(Draw::Any),
            [b":nonzero"] => Ok(Draw::Nonzero),
            [b":odd"] => Ok(Draw::Odd),
            [b":inverse", other] => self
                .constants
                .iter()
                .position(|constant| constant.name.as_bytes() == *other && constant.draw == Draw::Odd)
                .map(Draw::InverseOf)
                .ok_or_else(|| "only an :odd constant that is declared before has an inverse".into()),
            _ => Err("a constant may be :nonzero, :odd or :inverse of another".into()),
        }
    }

    /// `(= v term)` for v one of x, y and z.
    fn equation(&mut self, forest: &Forest<'_>, equation: Sexp) -> Result<(), String> {
        let [equals, variable, term] = forest.list(equation) else {
            return Err("an assert must be (= variable term)".into());
        };
        let role = ROLES.iter().position(|&role| forest.atom(*variable) == Some(role));
        match (forest.atom(*equals), role) {
            (Some(b"="), Some(role)) => {
                let term = self.expr(forest, *term, false)?;
                self.equations.push((role, term));
                Ok(())
            }
            _ => Err("an assert must be (= variable term)".into()),
        }
    }

    fn expr(&mut self, forest: &Forest<'_>, sexp: Sexp, sort: bool) -> Result<Expr, String> {
        match forest.view(sexp) {
            View::Atom(text) => Ok(self.atom(text, sort)),
            View::List(list) => {
                let indexed = list.first().is_some_and(|&head| forest.atom(head) == Some(b"_"));
                let items = list.iter().enumerate().map(|(n, &item)| {
                    if indexed && n >= 2 { self.number(forest, item) } else { self.expr(forest, item, sort) }
                });
                Ok(Expr::List(items.collect::<Result<_, _>>()?))
            }
        }
    }

    fn atom(&mut self, text: &[u8], sort: bool) -> Expr {
        if let Some(role) = ROLES.iter().position(|&role| role == text).filter(|_| !sort) {
            return Expr::Role(role);
        }
        if let Some(n) = self.constants.iter().position(|constant| constant.name.as_bytes() == text) {
            return Expr::Constant(n);
        }
        if self.locals.iter().any(|local| &**local == text) {
            return Expr::Local(text.into());
        }
        match text {
            [b'A'..=b'Z'] => Expr::Param(position(&mut self.params, text)),
            _ => Expr::Text(text.into()),
        }
    }

    /// An index: a numeral, a width, an expression over them, or a name such as the `cons` of `(_ is cons)`.
    fn number(&mut self, forest: &Forest<'_>, sexp: Sexp) -> Result<Expr, String> {
        match forest.view(sexp) {
            View::Atom([letter @ b'a'..=b'z']) => Ok(Expr::Width(position(&mut self.widths, &[*letter]))),
            View::Atom(text) if self.locals.iter().any(|local| &**local == text) => {
                Ok(Expr::Local(text.into()))
            }
            View::Atom(text) => Ok(Expr::Text(text.into())),
            View::List([op, a, b]) => {
                let op = match forest.atom(*op) {
                    Some(b"+") => Op::Add,
                    Some(b"-") => Op::Sub,
                    Some(b"*") => Op::Mul,
                    _ => return Err("indices are made of + - * over two operands".into()),
                };
                let (a, b) = (self.number(forest, *a)?, self.number(forest, *b)?);
                Ok(Expr::Number(op, Box::new(a), Box::new(b)))
            }
            View::List(_) => Err("indices are made of + - * over two operands".into()),
        }
    }
}

/// `c`, `c1`, `c2`, …
fn is_constant(name: &[u8]) -> bool {
    name.split_first().is_some_and(|(&c, digits)| c == b'c' && digits.iter().all(u8::is_ascii_digit))
}

fn position(names: &mut Vec<Box<[u8]>>, name: &[u8]) -> usize {
    names.iter().position(|known| &**known == name).unwrap_or_else(|| {
        names.push(name.into());
        names.len() - 1
    })
}

/// What a function's sort parameters and widths stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings<'s> {
    /// The sort, and whether it is of the variable in role x (0) or y (1).
    params: [Option<(&'s Shape, usize)>; MOST],
    widths: [Option<&'s [u8]>; MOST],
}

/// How many sort parameters and how many widths a function may have.
const MOST: usize = 4;

impl<'s> Bindings<'s> {
    /// Bindings without a seed to take them from.
    pub(super) fn fixed(params: &'s [Shape], widths: &[&'s str]) -> Bindings<'s> {
        let mut bindings = Bindings::default();
        for (slot, shape) in bindings.params.iter_mut().zip(params) {
            *slot = Some((shape, 0));
        }
        for (slot, width) in bindings.widths.iter_mut().zip(widths) {
            *slot = Some(width.as_bytes());
        }
        bindings
    }

    fn unify(&mut self, pattern: &Expr, shape: &'s Shape, role: usize) -> bool {
        match (pattern, shape) {
            (Expr::Param(n), _) => match self.params[*n] {
                None => {
                    self.params[*n] = Some((shape, role));
                    true
                }
                // Sorts that the two seeds declare are different even if their names agree.
                Some((known, of)) => known == shape && (of == role || !shape.declared()),
            },
            (Expr::Width(n), Shape::Atom { text, .. }) => match self.widths[*n] {
                None => {
                    self.widths[*n] = Some(text);
                    true
                }
                Some(known) => known == &**text,
            },
            (Expr::Text(expected), Shape::Atom { text, declared: false }) => expected == text,
            (Expr::List(patterns), Shape::List(shapes)) => {
                patterns.len() == shapes.len()
                    && patterns.iter().zip(shapes).all(|(pattern, shape)| self.unify(pattern, shape, role))
            }
            _ => false,
        }
    }

    fn number(&self, expr: &Expr) -> Option<u64> {
        match expr {
            Expr::Text(text) => std::str::from_utf8(text).ok()?.parse().ok(),
            Expr::Width(n) => std::str::from_utf8(self.widths[*n]?).ok()?.parse().ok(),
            Expr::Number(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match op {
                    Op::Add => a.checked_add(b),
                    Op::Sub => a.checked_sub(b),
                    Op::Mul => a.checked_mul(b),
                }
            }
            _ => None,
        }
    }
}

/// The widest bit-vector that a fusion may make.
const WIDEST: u64 = 4096;

impl Expr {
    fn bind(&self, bound: &mut (Vec<bool>, Vec<bool>)) {
        match self {
            Expr::Param(n) => bound.0[*n] = true,
            Expr::Width(n) => bound.1[*n] = true,
            Expr::List(items) => items.iter().for_each(|item| item.bind(bound)),
            _ => {}
        }
    }

    pub(super) fn mentions_role(&self, role: usize) -> bool {
        match self {
            Expr::Role(n) => *n == role,
            Expr::List(items) => items.iter().any(|item| item.mentions_role(role)),
            _ => false,
        }
    }

    fn mentions_variables(&self) -> bool {
        (0..3).any(|role| self.mentions_role(role))
    }

    fn features(&self, found: Features) -> Features {
        match self {
            Expr::Text(text) => found.with(match &**text {
                b"Int" => Features::INTS,
                b"Real" => Features::REALS,
                b"BitVec" => Features::BITVECTORS,
                b"FloatingPoint" | b"RoundingMode" => Features::FLOATS,
                b"Array" | b"store" | b"select" => Features::ARRAYS,
                b"String" => Features::STRINGS.with(Features::INTS),
                b"Seq" | b"seq.unit" | b"Set" => Features::OTHER,
                _ => Features::default(),
            }),
            Expr::List(items) => {
                let variables = items.iter().skip(1).filter(|item| item.mentions_variables()).count();
                let nonlinear = match items.first() {
                    Some(Expr::Text(op)) if &**op == b"*" => variables > 1,
                    Some(Expr::Text(op)) if [&b"div"[..], b"/", b"mod"].contains(&&**op) => {
                        items.iter().skip(2).any(Expr::mentions_variables)
                    }
                    _ => false,
                };
                let found = if nonlinear { found.with(Features::NONLINEAR) } else { found };
                items.iter().fold(found, |found, item| item.features(found))
            }
            _ => found,
        }
    }

    fn words(&self, into: &mut FxHashSet<Box<[u8]>>) {
        match self {
            Expr::Text(text) => {
                into.insert(text.clone());
            }
            Expr::List(items) => items.iter().for_each(|item| item.words(into)),
            _ => {}
        }
    }

    fn sizes_are_fine(&self, bindings: &Bindings<'_>) -> bool {
        match self {
            Expr::Number(..) => bindings.number(self).is_some_and(|size| (1..=WIDEST).contains(&size)),
            Expr::List(items) => items.iter().all(|item| item.sizes_are_fine(bindings)),
            _ => true,
        }
    }

    /// Writes the sort or term.
    pub(super) fn write(&self, out: &mut Vec<u8>, names: &Names<'_>) {
        match self {
            Expr::Text(text) => out.extend_from_slice(text),
            Expr::Role(role) => out.extend_from_slice(names.roles[*role]),
            Expr::Constant(n) => out.extend_from_slice(&names.constants[*n]),
            Expr::Local(name) => {
                out.extend_from_slice(name);
                out.extend_from_slice(names.local);
            }
            Expr::Param(n) => {
                if let Some((shape, role)) = names.bindings.params[*n] {
                    shape.write(out, names.suffixes[role]);
                }
            }
            Expr::Width(n) => out.extend_from_slice(names.bindings.widths[*n].unwrap_or_default()),
            Expr::Number(..) => {
                let number = names.bindings.number(self).unwrap_or_default();
                out.extend_from_slice(number.to_string().as_bytes());
            }
            Expr::List(items) => {
                out.push(b'(');
                for (n, item) in items.iter().enumerate() {
                    if n > 0 {
                        out.push(b' ');
                    }
                    item.write(out, names);
                }
                out.push(b')');
            }
        }
    }
}

/// What stands for the holes of a function.
pub(super) struct Names<'s> {
    pub roles: [&'s [u8]; 3],
    pub constants: &'s [Vec<u8>],
    /// What makes the block's own names fresh.
    pub local: &'s [u8],
    pub bindings: &'s Bindings<'s>,
    /// What makes the declared sorts of x's and of y's seed different.
    pub suffixes: [&'s [u8]; 2],
}

impl Function {
    /// Declares the datatypes, z and the other fresh symbols, one command per line.
    pub(super) fn write_declarations(&self, out: &mut Vec<u8>, names: &Names<'_>) {
        for datatype in &self.datatypes {
            datatype.write(out, names);
            out.push(b'\n');
        }
        out.extend_from_slice(b"(declare-fun ");
        out.extend_from_slice(names.roles[2]);
        out.extend_from_slice(b" () ");
        self.sorts[2].write(out, names);
        out.extend_from_slice(b")\n");
        for fresh in &self.fresh {
            out.extend_from_slice(b"(declare-fun ");
            out.extend_from_slice(fresh.name.as_bytes());
            out.extend_from_slice(names.local);
            out.extend_from_slice(b" (");
            for (n, arg) in fresh.args.iter().enumerate() {
                if n > 0 {
                    out.push(b' ');
                }
                arg.write(out, names);
            }
            out.extend_from_slice(b") ");
            fresh.result.write(out, names);
            out.extend_from_slice(b")\n");
        }
    }

    /// Random constants for variables of these sorts; `None` if one has a sort without literals.
    pub(super) fn draw_constants(
        &self,
        shapes: [&Shape; 2],
        swapped: bool,
        rng: &mut Rng,
    ) -> Option<Vec<Vec<u8>>> {
        if self.constants.is_empty() {
            return Some(vec![]);
        }
        let (x, y) = if swapped { (1, 0) } else { (0, 1) };
        let bindings = self.matches(shapes[x], shapes[y])?;
        let mut drawn = vec![];
        for constant in &self.constants {
            let mut sort = vec![];
            let roles: [&[u8]; 3] = [b"x", b"y", b"z"];
            let names =
                Names { roles, constants: &[], local: b"", bindings: &bindings, suffixes: [b"", b""] };
            constant.sort.write(&mut sort, &names);
            let value = super::constants::draw(&sort, constant.draw, &drawn, rng)?;
            drawn.push(value);
        }
        Some(drawn)
    }

    /// Asserts that the variable in a role is what the function says: z its definition, x and y their inversions.
    pub(super) fn write_constraint(&self, out: &mut Vec<u8>, names: &Names<'_>, role: usize) {
        out.extend_from_slice(b"(assert (= ");
        out.extend_from_slice(names.roles[role]);
        out.push(b' ');
        self.term_of(role).write(out, names);
        out.extend_from_slice(b"))\n");
    }

    /// The inversion for x (0) or y (1), or the definition of z (2).
    pub(super) fn term_of(&self, role: usize) -> &Expr {
        &self.terms[(role + 1) % 3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_block_is_read_and_named_once() {
        let all = Functions::embedded();
        assert_eq!(all.refused, []);
        let mut names: Vec<&str> = all.functions.iter().map(|function| &*function.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(count >= 50, "{count}");
        assert!(all.functions.iter().all(|function| !function.about.is_empty()));
    }

    #[test]
    fn a_file_as_yinyang_users_have_it_is_read_and_its_broken_block_is_refused_alone() {
        let text = "; Int\n#begin\n(declare-const x Int)(declare-const y Int)\n(declare-const z Int)\
            (declare-const c Int)\n(assert (= z (+ (+ x y) c)))\n(assert (= x (- (- z y) c)))\n\
            (assert (= y (- (- z x) c)))\n#end\n#begin\n(declare-const x Real)\n(declare-const y Real)\n\
            (declare-const z Real)\n(declare-const c Real)\n(assert (= z (+ x c) y))\n\
            (assert (= x (- (- z c) y)))\n(assert (= y (- (- z c) x)))\n#end\n";
        let read = Functions::read(text);
        assert_eq!(read.functions.len(), 1);
        assert_eq!(read.functions[0].trust, Trust::Unchecked);
        assert_eq!(read.refused.len(), 1);
        assert_eq!(read.refused[0].line, 9);
        assert!(read.refused[0].why.contains("(= variable term)"));
    }

    #[test]
    fn malformed_blocks_say_what_is_wrong() {
        let why = |body: &str| Functions::read(&format!("#begin\n{body}\n#end")).refused[0].why.clone();
        assert!(why("(declare-const x Int)").contains("x, y and z"));
        assert!(why("(declare-const x Int").contains("parenthes"));
        assert!(why("(push 1)").contains("cannot use"));
        let declared = "(declare-const x Int)(declare-const y Int)(declare-const z Int)";
        assert!(why(declared).contains("three asserts"));
        let wrong_order = "(assert (= x z))(assert (= z x))(assert (= y z))";
        assert!(why(&format!("{declared}{wrong_order}")).contains("define z, then x"));
        assert!(Functions::read("#begin\n").refused[0].why.contains("#end"));
    }
}
