//! Terms that bind variables: `let`, the quantifiers, and constructs with the same syntax.
//!
//! The values of a `let` are read before any of its names is bound, its body after all of them are. The variables of a
//! quantifier are bound as soon as their list is read. They are unbound at the end of the construct.

use super::Parser;
use super::terms::Frame;
use crate::error::{Error, ErrorKind};
use crate::lexer::TokenKind;
use crate::sort::{Sort, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{Kind, Quantifier, TermId};

/// Variables with their sorts, and the positions of their names.
type Variables = (Vec<(Symbol, SortId)>, Vec<(Symbol, Span)>);

impl Parser<'_> {
    // Let.

    pub(super) fn open_let(&mut self, open: Span) -> Result<bool, Error> {
        self.expect(TokenKind::Open, "the bindings of `let`")?;
        let token = self.next()?;
        if token.kind == TokenKind::Close {
            return Err(ErrorKind::EmptyLet.at(open.to(token.span)));
        }
        if token.kind != TokenKind::Open {
            return Err(self.unexpected(token, "a binding such as (x 1)"));
        }
        let name = self.expect_name("the name of a variable")?;
        let base = self.values.len();
        self.push_frame(Frame::LetValues { names: vec![name], base, open }, open)?;
        Ok(false)
    }

    /// After the value of a binding: either the next binding begins, or the body.
    pub(super) fn next_binding(&mut self) -> Result<bool, Error> {
        self.expect(TokenKind::Close, "`)` after the value of a binding")?;
        let token = self.next()?;
        match token.kind {
            TokenKind::Open => {
                let name = self.expect_name("the name of a variable")?;
                let Some(Frame::LetValues { names, .. }) = self.frames.last_mut() else {
                    unreachable!("only a let reads bindings")
                };
                names.push(name);
            }
            TokenKind::Close => self.begin_let_body()?,
            _ => return Err(self.unexpected(token, "another binding or `)`")),
        }
        Ok(false)
    }

    fn begin_let_body(&mut self) -> Result<(), Error> {
        let Some(Frame::LetValues { names, base, open }) = self.frames.pop() else {
            unreachable!("only a let begins its body")
        };
        self.check_distinct(&names)?;
        let mark = self.scope.mark();
        let vars: Box<[(Symbol, SortId)]> = names
            .iter()
            .zip(&self.values[base..])
            .map(|(&(name, _), &(value, _))| (name, self.pool.sort_of(value)))
            .collect();
        for &(name, sort) in &vars {
            self.scope.bind_value(&self.pool, name, sort);
        }
        let binders = self.pool.binders(vars);
        self.frames.push(Frame::LetBody { binders, mark, base, open });
        Ok(())
    }

    pub(super) fn check_distinct(&mut self, names: &[(Symbol, Span)]) -> Result<(), Error> {
        let mut sorted: Vec<_> = names.to_vec();
        sorted.sort_by_key(|&(name, span)| (name, span.start));
        for pair in sorted.windows(2) {
            if pair[0].0 == pair[1].0 {
                let kind = ErrorKind::BoundTwice { name: self.owned_name(pair[0].0) };
                return Err(kind.at(pair[1].1).related(pair[0].1, "first bound"));
            }
        }
        Ok(())
    }

    pub(super) fn end_let(&mut self) -> Result<bool, Error> {
        let close = self.expect(TokenKind::Close, "`)` after the body of `let`")?;
        let Some(Frame::LetBody { binders, mark, base, open }) = self.frames.pop() else {
            unreachable!("only a let ends here")
        };
        self.scope.unbind(mark);
        let args: Vec<TermId> = self.values.drain(base..).map(|(term, _)| term).collect();
        let sort = args.last().map_or(SortId::BOOL, |&body| self.pool.sort_of(body));
        let term = self.pool.term(Kind::Let(binders), sort, &args);
        self.give(term, open.to(close.span));
        Ok(true)
    }

    /// Whether a `let` whose values are being read binds this name, which is visible only in its body.
    pub(super) fn is_bound_by_an_open_let(&self, name: Symbol) -> bool {
        self.frames.iter().any(|frame| match frame {
            Frame::LetValues { names, .. } => names.iter().any(|&(bound, _)| bound == name),
            _ => false,
        })
    }

    // Quantifiers.

    pub(super) fn open_quantifier(&mut self, quantifier: Quantifier, open: Span) -> Result<bool, Error> {
        // Unlike those of a definition, the variables of a quantifier may repeat: the last one is used.
        let (vars, _) = self.variables()?;
        if vars.is_empty() {
            let span = Span::new(open.start as usize, self.lexer.offset());
            return Err(ErrorKind::EmptyBinder { binder: quantifier.name() }.at(span));
        }
        let mark = self.scope.mark();
        for &(name, sort) in &vars {
            self.scope.bind(&self.pool, name, sort);
        }
        let binders = self.pool.binders(vars.into());
        let base = self.values.len();
        self.push_frame(Frame::Quant { quantifier, binders, mark, base, open }, open)?;
        Ok(false)
    }

    /// `((x Int) (y Bool))`, each name once.
    pub(super) fn sorted_vars(&mut self) -> Result<Vec<(Symbol, SortId)>, Error> {
        let (vars, names) = self.variables()?;
        self.check_distinct(&names)?;
        Ok(vars)
    }

    fn variables(&mut self) -> Result<Variables, Error> {
        self.expect(TokenKind::Open, "a list of variables such as ((x Int))")?;
        let mut names = vec![];
        let mut vars = vec![];
        self.each_list("a variable such as (x Int)", |parser, _| {
            let (name, span) = parser.expect_name("the name of a variable")?;
            let sort = parser.sort()?;
            parser.expect(TokenKind::Close, "`)` after the sort of a variable")?;
            names.push((name, span));
            vars.push((name, sort));
            Ok(())
        })?;
        Ok((vars, names))
    }

    pub(super) fn end_quantifier(&mut self) -> Result<bool, Error> {
        let Some(Frame::Quant { quantifier, binders, mark, base, open }) = self.frames.last() else {
            unreachable!("only a quantifier ends here")
        };
        let (quantifier, binders, mark, base, open) = (*quantifier, *binders, *mark, *base, *open);
        if quantifier == Quantifier::Comprehension && self.values.len() == base + 1 {
            return Ok(false);
        }
        let close = self.expect(TokenKind::Close, "`)` after the body")?;
        self.frames.pop();
        self.scope.unbind(mark);
        let body = self.values[base];
        let body_sort = self.pool.sort_of(body.0);
        if quantifier != Quantifier::Lambda && body_sort != SortId::BOOL {
            let found = self.show_sort(body_sort);
            let kind =
                ErrorKind::WrongSort { what: "the body of a quantifier", expected: "Bool".into(), found };
            return Err(kind.at(body.1));
        }
        let vars = self.pool.binder_list(binders).to_vec();
        let sort = match quantifier {
            Quantifier::Forall | Quantifier::Exists => SortId::BOOL,
            Quantifier::Lambda => self.lambda_sort(&vars, body_sort),
            Quantifier::Choice => vars[0].1,
            Quantifier::Comprehension => {
                let element = self.pool.sort_of(self.values[base + 1].0);
                self.pool.sort_id(Sort::Set(element))
            }
        };
        let args: Vec<TermId> = self.values.drain(base..).map(|(term, _)| term).collect();
        let term = self.pool.term(Kind::Quant(quantifier, binders), sort, &args);
        self.give(term, open.to(close.span));
        Ok(true)
    }

    /// A lambda is a function; where an array is expected, `fits` accepts it, as z3 does.
    fn lambda_sort(&mut self, vars: &[(Symbol, SortId)], body: SortId) -> SortId {
        let sorts: Box<[SortId]> = vars.iter().map(|&(_, sort)| sort).chain([body]).collect();
        self.pool.sort_id(Sort::Fun(sorts))
    }
}
