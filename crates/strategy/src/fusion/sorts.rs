//! The shape of a sort, as fusion needs it.
//!
//! In: a sort of a seed. Out: a small tree of names in which the names that the seed declares are marked. Shapes of
//! two seeds can be compared, and written with suffixes that make the declared names different.

use smtlib::lexer::{Lexer, TokenKind};
use smtlib::sort::{Sort, SortId};
use smtlib::term::Pool;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Atom { text: Box<[u8]>, declared: bool },
    List(Vec<Shape>),
}

impl Shape {
    /// The shape of a sort.
    pub fn of(pool: &Pool, sort: SortId) -> Shape {
        let text = smtlib::printer::sort_text(pool, sort);
        let declared = |name: &[u8]| pool.sort_decls.iter().any(|decl| pool.bytes(decl.name) == name);
        Shape::parse(text.as_bytes(), declared)
    }

    /// The shape of a sort that no seed declares, from its text.
    pub fn read(text: &str) -> Shape {
        Shape::read_bytes(text.as_bytes())
    }

    pub(super) fn read_bytes(text: &[u8]) -> Shape {
        Shape::parse(text, |_| false)
    }

    fn parse(text: &[u8], is_declared: impl Fn(&[u8]) -> bool) -> Shape {
        let mut lexer = Lexer::new(text);
        let mut open: Vec<Vec<Shape>> = vec![vec![]];
        while let Ok(token) = lexer.next_token() {
            match token.kind {
                TokenKind::End => break,
                TokenKind::Open => open.push(vec![]),
                TokenKind::Close => {
                    if let (Some(list), Some(outer)) = (open.pop(), open.last_mut()) {
                        outer.push(Shape::List(list));
                    }
                }
                _ => {
                    let text: Box<[u8]> = lexer.text(token).into();
                    let declared =
                        matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) && is_declared(&text);
                    if let Some(list) = open.last_mut() {
                        list.push(Shape::Atom { text, declared });
                    }
                }
            }
        }
        open.pop().and_then(|mut list| list.pop()).unwrap_or(Shape::List(vec![]))
    }

    /// The sort as text.
    pub fn to_text(&self) -> String {
        let mut out = vec![];
        self.write(&mut out, b"");
        String::from_utf8_lossy(&out).into_owned()
    }

    /// Whether it mentions a sort that the seed declares.
    pub fn declared(&self) -> bool {
        match self {
            Shape::Atom { declared, .. } => *declared,
            Shape::List(list) => list.iter().any(Shape::declared),
        }
    }

    /// Writes the sort, with a suffix on declared names.
    pub fn write(&self, out: &mut Vec<u8>, suffix: &[u8]) {
        match self {
            Shape::Atom { text, declared: true } => write_suffixed(out, text, suffix),
            Shape::Atom { text, .. } => out.extend_from_slice(text),
            Shape::List(list) => {
                out.push(b'(');
                for (n, item) in list.iter().enumerate() {
                    if n > 0 {
                        out.push(b' ');
                    }
                    item.write(out, suffix);
                }
                out.push(b')');
            }
        }
    }
}

/// Writes a name with a suffix so that it reads back as one symbol.
pub fn write_suffixed(out: &mut Vec<u8>, name: &[u8], suffix: &[u8]) {
    if smtlib::symbol::needs_bars(name) {
        out.push(b'|');
        out.extend_from_slice(name);
        out.extend_from_slice(suffix);
        out.push(b'|');
    } else {
        out.extend_from_slice(name);
        out.extend_from_slice(suffix);
    }
}

/// Whether variables of a sort can be fused. No solver allows languages or functions as fields or elements.
pub fn fusable(pool: &Pool, sort: SortId) -> bool {
    match pool.sort(sort) {
        Sort::RegLan | Sort::Fun(_) | Sort::MultiArray(_) | Sort::Param(_) | Sort::Char => false,
        Sort::Array(index, element) => fusable(pool, *index) && fusable(pool, *element),
        Sort::Seq(item)
        | Sort::Set(item)
        | Sort::FiniteSet(item)
        | Sort::Bag(item)
        | Sort::Nullable(item) => fusable(pool, *item),
        Sort::Tuple(items) | Sort::Declared(_, items) => items.iter().all(|&item| fusable(pool, item)),
        _ => true,
    }
}
