//! Plain S-expressions over bytes: for solver output, models and any other text that is not a typed script.
//!
//! Parsing is iterative. Each node is a span with its children in one flat arena, so dropping a deep tree means
//! dropping two vectors. The parser accepts what solvers really print: strings with doubled quotes, quoted symbols,
//! and cvc5's `<poly, (l, u)>` inside algebraic numbers (characters that no SMT-LIB token has are read as parts of
//! atoms).

use crate::error::{Error, ErrorKind};
use crate::span::Span;

/// A node of a `Forest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sexp(u32);

#[derive(Clone, Copy, Debug)]
struct Node {
    span: Span,
    /// Children in `Forest::children`; `None` for an atom.
    children: Option<(u32, u32)>,
}

/// All top-level S-expressions of one text.
#[derive(Clone, Debug)]
pub struct Forest<'a> {
    source: &'a [u8],
    nodes: Vec<Node>,
    children: Vec<Sexp>,
    roots: Vec<Sexp>,
}

/// A node as a value for matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View<'f> {
    Atom(&'f [u8]),
    List(&'f [Sexp]),
}

impl<'a> Forest<'a> {
    /// Reads every S-expression of the text; an unfinished one is an error.
    pub fn read(source: &'a [u8]) -> Result<Forest<'a>, Error> {
        let mut forest = Forest { source, nodes: vec![], children: vec![], roots: vec![] };
        let end = forest.read_complete()?;
        match end {
            None => Ok(forest),
            Some(open) => Err(ErrorKind::UnclosedParenthesis.at(Span::new(open, open + 1))),
        }
    }

    /// Reads the complete expressions and returns the start of the first unfinished one, if there is one.
    pub fn read_prefix(source: &'a [u8]) -> Result<(Forest<'a>, Option<usize>), Error> {
        let mut forest = Forest { source, nodes: vec![], children: vec![], roots: vec![] };
        let rest = forest.read_complete()?;
        Ok((forest, rest))
    }

    fn read_complete(&mut self) -> Result<Option<usize>, Error> {
        let mut open: Vec<(usize, usize)> = vec![];
        let mut pending: Vec<Sexp> = vec![];
        let mut at = 0;
        loop {
            at = skip_blanks(self.source, at);
            let Some(&byte) = self.source.get(at) else { break };
            match byte {
                b'(' => {
                    open.push((at, pending.len()));
                    at += 1;
                }
                b')' => {
                    let Some((start, base)) = open.pop() else {
                        return Err(ErrorKind::UnexpectedClose.at(Span::new(at, at + 1)));
                    };
                    at += 1;
                    let first = self.children.len() as u32;
                    self.children.extend(pending.drain(base..));
                    let range = (first, self.children.len() as u32);
                    let node = self.push(Span::new(start, at), Some(range));
                    self.finish(node, &open, &mut pending);
                }
                _ => {
                    let Some(end) = atom_end(self.source, at) else { return Ok(Some(at)) };
                    let node = self.push(Span::new(at, end), None);
                    self.finish(node, &open, &mut pending);
                    at = end;
                }
            }
        }
        Ok(open.first().map(|&(start, _)| start))
    }

    fn push(&mut self, span: Span, children: Option<(u32, u32)>) -> Sexp {
        self.nodes.push(Node { span, children });
        Sexp(self.nodes.len() as u32 - 1)
    }

    fn finish(&mut self, node: Sexp, open: &[(usize, usize)], pending: &mut Vec<Sexp>) {
        if open.is_empty() { self.roots.push(node) } else { pending.push(node) }
    }

    pub fn roots(&self) -> &[Sexp] {
        &self.roots
    }

    /// Every atom, in the order of the text.
    pub fn atoms(&self) -> impl Iterator<Item = &[u8]> {
        self.nodes.iter().filter(|node| node.children.is_none()).map(|node| &self.source[node.span.range()])
    }

    pub fn view(&self, sexp: Sexp) -> View<'_> {
        let node = self.nodes[sexp.0 as usize];
        match node.children {
            Some((from, to)) => View::List(&self.children[from as usize..to as usize]),
            None => View::Atom(&self.source[node.span.range()]),
        }
    }

    /// The children of a list; nothing for an atom.
    pub fn list(&self, sexp: Sexp) -> &[Sexp] {
        match self.view(sexp) {
            View::List(list) => list,
            View::Atom(_) => &[],
        }
    }

    /// The text of an atom; nothing for a list.
    pub fn atom(&self, sexp: Sexp) -> Option<&[u8]> {
        match self.view(sexp) {
            View::Atom(text) => Some(text),
            View::List(_) => None,
        }
    }

    /// Whether the node is a list whose first child is this atom.
    pub fn is_call(&self, sexp: Sexp, name: &[u8]) -> bool {
        self.list(sexp).first().is_some_and(|&head| self.atom(head) == Some(name))
    }

    pub fn span(&self, sexp: Sexp) -> Span {
        self.nodes[sexp.0 as usize].span
    }

    /// The source text of a node, exactly.
    pub fn text(&self, sexp: Sexp) -> &'a [u8] {
        &self.source[self.span(sexp).range()]
    }
}

fn skip_blanks(source: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = source.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0c => at += 1,
            b';' => at += source[at..].iter().position(|&b| b == b'\n').unwrap_or(source.len() - at),
            _ => break,
        }
    }
    at
}

/// The end of the atom that begins here; `None` if a string or a quoted symbol is not closed.
fn atom_end(source: &[u8], start: usize) -> Option<usize> {
    match source[start] {
        b'"' => string_end(source, start),
        b'|' => source[start + 1..].iter().position(|&byte| byte == b'|').map(|n| start + n + 2),
        _ => {
            let stop =
                |&byte: &u8| matches!(byte, b'(' | b')' | b';' | b' ' | b'\t' | b'\r' | b'\n' | b'"' | 0x0c);
            Some(source[start + 1..].iter().position(stop).map_or(source.len(), |n| start + 1 + n))
        }
    }
}

fn string_end(source: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += source[at..].iter().position(|&byte| byte == b'"')? + 1;
        if source.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_nested_lists_strings_and_bars() {
        let forest = Forest::read(b"(model (define-fun |a b| () String \"x\"\"y\")) sat").unwrap();
        assert_eq!(forest.roots().len(), 2);
        assert!(forest.is_call(forest.roots()[0], b"model"));
        let define = forest.list(forest.roots()[0])[1];
        assert_eq!(forest.atom(forest.list(define)[1]), Some(&b"|a b|"[..]));
        assert_eq!(forest.atom(forest.list(define)[4]), Some(&b"\"x\"\"y\""[..]));
    }

    #[test]
    fn an_unfinished_expression_is_distinguished_from_a_finished_one() {
        let (forest, rest) = Forest::read_prefix(b"sat (model (x").unwrap();
        assert_eq!(forest.roots().len(), 1);
        assert_eq!(rest, Some(4));
        assert!(Forest::read(b"(a").is_err());
        assert!(Forest::read(b"a)").is_err());
    }

    #[test]
    fn a_million_nested_parentheses_are_read_without_overflow_and_in_linear_time() {
        let mut deep = vec![b'('; 1_000_000];
        deep.extend(vec![b')'; 1_000_000]);
        assert_eq!(Forest::read(&deep).unwrap().roots().len(), 1);
    }
}
