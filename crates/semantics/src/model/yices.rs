//! Converts Yices's own notation for models to the usual one.
//!
//! It prints `(= x 3)` for a constant and `(= f @fun_1)` with a table for a function or an array:
//!
//! ```text
//! (function @fun_1 (type (Array Int Int)) (= (@fun_1 3) 4) (default 5))
//! ```
//!
//! Tables become `store`s over a constant array, or `ite`s over the parameters, depending on the sort that the script
//! gives the symbol. Irrational numbers are printed as rounded decimals (exact values never are): those symbols are
//! opaque. In the standard's notation, which Yices prints on request, exact integers of sort Real end in `.0`, and a
//! rounded number has six digits. The result is text for the ordinary parser.

use super::outline::bare;
use hashbrown::HashMap;
use smtlib::parser::Parser;
use smtlib::printer::sort_text;
use smtlib::sexp::{Forest, Sexp, View};
use smtlib::sort::{Sort, SortId};
use smtlib::symbol::write_name;
use smtlib::term::{DeclId, Role};

/// Tables may share tables, so the size of the expanded text is limited.
const TEXT_LIMIT: usize = 16 << 20;
const DEPTH: usize = 64;

pub(super) struct Translated {
    pub text: Vec<u8>,
    /// Declared functions whose value is not exact.
    pub opaque: Vec<(DeclId, String)>,
    pub notes: Vec<String>,
}

/// Whether the items are in this notation.
pub(super) fn is_yices(forest: &Forest<'_>, items: &[Sexp]) -> bool {
    !items.is_empty()
        && items.iter().all(|&item| forest.is_call(item, b"=") || forest.is_call(item, b"function"))
}

pub(super) fn translate(parser: &mut Parser<'_>, forest: &Forest<'_>, items: &[Sexp]) -> Translated {
    let mut tables = HashMap::new();
    for &item in items {
        if let [head, name, rest @ ..] = forest.list(item)
            && forest.atom(*head) == Some(b"function")
            && let Some(name) = forest.atom(*name)
        {
            tables.insert(name, rest);
        }
    }
    let mut out = Translated { text: b"(\n".to_vec(), opaque: vec![], notes: vec![] };
    for &item in items.iter().filter(|&&item| forest.is_call(item, b"=")) {
        let &[_, name, value] = forest.list(item) else { continue };
        let Some(decl) = forest.atom(name).and_then(|name| declared(parser, bare(name))) else {
            out.notes.push(format!("skipped {}", String::from_utf8_lossy(forest.text(item))));
            continue;
        };
        let mut writer = Writer { parser, forest, tables: &tables, out: vec![] };
        match writer.define(decl, value) {
            Ok(()) => out.text.extend(writer.out),
            Err(why) => out.opaque.push((decl, why)),
        }
    }
    out.text.extend(b")");
    out
}

fn declared(parser: &mut Parser<'_>, name: &[u8]) -> Option<DeclId> {
    let symbol = parser.pool.symbols.find(name)?;
    let decls = parser.functions_named(symbol);
    decls.into_iter().rev().find(|&decl| matches!(parser.pool.decl(decl).role, Role::Declared))
}

struct Writer<'w, 'a, 's> {
    parser: &'w mut Parser<'a>,
    forest: &'w Forest<'s>,
    tables: &'w HashMap<&'w [u8], &'w [Sexp]>,
    out: Vec<u8>,
}

type Written = Result<(), String>;

/// A table as it is printed: points with their values, and the value everywhere else.
struct Entries {
    points: Vec<(Vec<Sexp>, Sexp)>,
    default: Sexp,
}

impl Writer<'_, '_, '_> {
    fn define(&mut self, decl: DeclId, value: Sexp) -> Written {
        let declared = self.parser.pool.decl(decl).clone();
        self.out.extend(b"(define-fun ");
        write_name(&mut self.out, self.parser.pool.bytes(declared.name));
        self.out.extend(b" (");
        for (n, &sort) in declared.params.iter().enumerate() {
            let sort = sort_text(&self.parser.pool, sort);
            self.out.extend(format!("(x!{n} {sort})").bytes());
        }
        self.out.extend(format!(") {} ", sort_text(&self.parser.pool, declared.result)).bytes());
        if declared.params.is_empty() {
            self.value(value, declared.result, 0)?;
        } else {
            let table = self.table(value).ok_or("its value is not a table")?.to_vec();
            self.cases(&table, &declared.params, declared.result)?;
        }
        self.out.extend(b")\n");
        Ok(())
    }

    fn table(&self, value: Sexp) -> Option<&[Sexp]> {
        self.tables.get(self.forest.atom(value)?).copied()
    }

    /// The table of a function as nested `ite`s over `x!0`, `x!1`, ….
    fn cases(&mut self, table: &[Sexp], params: &[SortId], result: SortId) -> Written {
        let Entries { points, default } = self.entries(table)?;
        for (point, value) in &points {
            if point.len() != params.len() {
                return Err("its table has another number of columns".to_owned());
            }
            self.out.extend(b"(ite (and true");
            for (n, (&argument, &sort)) in point.iter().zip(params).enumerate() {
                self.out.extend(format!(" (= x!{n} ").bytes());
                self.value(argument, sort, 0)?;
                self.out.extend(b")");
            }
            self.out.extend(b") ");
            self.value(*value, result, 0)?;
            self.out.extend(b" ");
        }
        self.value(default, result, 0)?;
        self.out.extend(std::iter::repeat_n(b')', points.len()));
        Ok(())
    }

    /// `(= (f 1 2) 3) … (default 4)`.
    fn entries(&self, table: &[Sexp]) -> Result<Entries, String> {
        let mut points = vec![];
        let mut default = None;
        for &row in table {
            match *self.forest.list(row) {
                [head, value] if self.forest.atom(head) == Some(b"default") => default = Some(value),
                [head, point, value] if self.forest.atom(head) == Some(b"=") => {
                    let point = self.forest.list(point).get(1..).unwrap_or(&[]).to_vec();
                    points.push((point, value));
                }
                _ if self.forest.is_call(row, b"type") => {}
                _ => return Err("its table has an unknown row".to_owned()),
            }
        }
        let default = default.ok_or("its table has no default")?;
        Ok(Entries { points, default })
    }

    fn value(&mut self, value: Sexp, sort: SortId, depth: usize) -> Written {
        if self.out.len() > TEXT_LIMIT || depth > DEPTH {
            return Err("its tables are too large after expansion".to_owned());
        }
        let text = self.forest.text(value);
        if sort == SortId::REAL && is_rounded(self.forest, value) {
            return Err(format!("{} is rounded", String::from_utf8_lossy(text)));
        }
        match self.parser.pool.sort(sort).clone() {
            Sort::Array(index, element) => {
                let table = self.table(value).ok_or("the value of an array is not a table")?.to_vec();
                self.array(&table, sort, index, element, depth)
            }
            Sort::Declared(decl, _) if self.parser.pool.sort_decl(decl).datatype.is_none() => {
                let name = format!("@{}", String::from_utf8_lossy(bare(text)).trim_start_matches('@'));
                self.out.extend(b"(as ");
                write_name(&mut self.out, name.as_bytes());
                self.out.extend(format!(" {})", sort_text(&self.parser.pool, sort)).bytes());
                Ok(())
            }
            _ => {
                self.out.extend_from_slice(text);
                Ok(())
            }
        }
    }

    fn array(
        &mut self,
        table: &[Sexp],
        sort: SortId,
        index: SortId,
        element: SortId,
        depth: usize,
    ) -> Written {
        let Entries { points, default } = self.entries(table)?;
        self.out.extend(b"(store ".repeat(points.len()));
        self.out.extend(format!("((as const {}) ", sort_text(&self.parser.pool, sort)).bytes());
        self.value(default, element, depth + 1)?;
        self.out.extend(b")");
        for (point, value) in points {
            let [point] = point[..] else { return Err("an array has several indices".to_owned()) };
            self.out.extend(b" ");
            self.value(point, index, depth + 1)?;
            self.out.extend(b" ");
            self.value(value, element, depth + 1)?;
            self.out.extend(b")");
        }
        Ok(())
    }
}

/// Exact numbers are integers and fractions; a decimal point means a rounded number.
fn is_rounded(forest: &Forest<'_>, value: Sexp) -> bool {
    match forest.view(value) {
        View::Atom(text) => text.contains(&b'.'),
        View::List(list) => list.iter().any(|&part| is_rounded(forest, part)),
    }
}

/// A rounded number in a body in the standard's notation.
pub(super) fn rounded<'f>(forest: &'f Forest<'_>, body: Sexp) -> Option<&'f [u8]> {
    let mut waiting = vec![body];
    while let Some(sexp) = waiting.pop() {
        match forest.view(sexp) {
            View::Atom(text) if is_rounded_decimal(text) => return Some(text),
            View::Atom(_) => {}
            View::List(list) => waiting.extend(list),
        }
    }
    None
}

fn is_rounded_decimal(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let Some(point) = digits.iter().position(|&byte| byte == b'.') else { return false };
    let (whole, part) = (&digits[..point], &digits[point + 1..]);
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    is_number(whole) && is_number(part) && (part != b"0" || digits.len() < text.len())
}
