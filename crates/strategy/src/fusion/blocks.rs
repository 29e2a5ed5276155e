//! Reads files of fusion functions, in yinyang's format with falsum's additions.
//!
//! In: text with `#begin … #end` blocks (`fusion/arithmetic.txt` says what a block may contain). Out: functions, and
//! the blocks that are refused, each with its line and a reason. A bad block does not affect the others, because users
//! bring files that contain such blocks. It must never guess what a malformed block means.

use super::expr::{Expr, MOST, Op};
use super::functions::{Constant, Draw, Fresh, Function, Functions, Refused, Trust};
use smtlib::logic::Features;
use smtlib::sexp::{Forest, Sexp, View};
use std::fmt::Write as _;

impl Functions {
    /// Reads a file. A function whose block says nothing about its inversions is `Unchecked`.
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

/// The declarations of a block so far.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_file_of_a_yinyang_user_only_the_broken_block_is_refused() {
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
