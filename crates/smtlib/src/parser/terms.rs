//! Terms, with an explicit stack.
//!
//! A frame is a construct that has been opened and not yet closed; finished terms wait on a value stack. Reading
//! an atom or closing an application gives a value, and a value may move the frame below it on (the next binding
//! of a `let`, the end of a quantifier), which may give another value, until more text is needed.

use super::Parser;
use super::apply::Head;
use crate::error::{Error, ErrorKind};
use crate::lexer::{Token, TokenKind};
use crate::sort::{Sort, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{
    Attr, AttrValue, BindersId, Case, Decl, DeclId, Index, IndicesId, Kind, Lit, Quantifier, Role, TermId,
};

/// An opened construct. `base` is the height of the value stack when it was opened.
pub(super) enum Frame {
    App {
        head: Head,
        head_span: Span,
        base: usize,
        open: Span,
    },
    /// Reading the values of a `let`.
    LetValues {
        names: Vec<(Symbol, Span)>,
        base: usize,
        open: Span,
    },
    LetBody {
        binders: BindersId,
        mark: usize,
        base: usize,
        open: Span,
    },
    Quant {
        quantifier: Quantifier,
        binders: BindersId,
        mark: usize,
        base: usize,
        open: Span,
    },
    /// `!`: `pattern` counts the terms of the pattern that is being read.
    Annot {
        attrs: Vec<Attr>,
        pattern: Option<(Symbol, u32)>,
        base: usize,
        open: Span,
    },
    /// Reading what is matched.
    Match {
        base: usize,
        open: Span,
    },
    /// Reading the body of the last case.
    MatchBody {
        cases: Vec<Case>,
        sort: SortId,
        mark: usize,
        base: usize,
        open: Span,
    },
}

impl Frame {
    /// Where the construct begins.
    pub(super) fn open(&self) -> Span {
        match self {
            Frame::App { open, .. }
            | Frame::LetValues { open, .. }
            | Frame::LetBody { open, .. }
            | Frame::Quant { open, .. }
            | Frame::Annot { open, .. }
            | Frame::Match { open, .. }
            | Frame::MatchBody { open, .. } => *open,
        }
    }
}

/// Variables with their sorts, and where their names stand.
type Variables = (Vec<(Symbol, SortId)>, Vec<(Symbol, Span)>);

impl Parser<'_> {
    /// Reads one term.
    pub(crate) fn term(&mut self) -> Result<TermId, Error> {
        self.term_with_span().map(|(term, _)| term)
    }

    pub(super) fn term_with_span(&mut self) -> Result<(TermId, Span), Error> {
        let floor = self.frames.len();
        loop {
            let token = self.next()?;
            let has_value = match token.kind {
                TokenKind::Open => self.open(token.span)?,
                TokenKind::Close => self.close(token, floor)?,
                TokenKind::End => return Err(self.unexpected(token, "a term")),
                _ => {
                    self.atom(token)?;
                    true
                }
            };
            if has_value && let Some(value) = self.settle(floor)? {
                return Ok(value);
            }
        }
    }

    fn push_frame(&mut self, frame: Frame, open: Span) -> Result<(), Error> {
        if self.frames.len() >= self.limits.depth {
            return Err(ErrorKind::TooDeep { limit: self.limits.depth }.at(open));
        }
        self.frames.push(frame);
        Ok(())
    }

    pub(super) fn give(&mut self, term: TermId, span: Span) {
        self.values.push((term, span));
    }

    /// After a value: lets the frames below react. Gives the term back once no frame of ours is left.
    fn settle(&mut self, floor: usize) -> Result<Option<(TermId, Span)>, Error> {
        loop {
            if self.frames.len() == floor {
                return Ok(self.values.pop());
            }
            let more = match self.frames.last_mut() {
                Some(Frame::App { .. }) | None => return Ok(None),
                Some(Frame::Annot { pattern: Some((_, count)), .. }) => {
                    *count += 1;
                    return Ok(None);
                }
                Some(Frame::LetValues { .. }) => self.next_binding()?,
                Some(Frame::LetBody { .. }) => self.end_let()?,
                Some(Frame::Quant { .. }) => self.end_quantifier()?,
                Some(Frame::Annot { .. }) => self.attributes()?,
                Some(Frame::Match { .. }) => self.first_case()?,
                Some(Frame::MatchBody { .. }) => self.next_case()?,
            };
            if !more {
                return Ok(None);
            }
        }
    }

    // Atoms.

    fn atom(&mut self, token: Token) -> Result<(), Error> {
        let literal = match token.kind {
            TokenKind::Symbol | TokenKind::Quoted => {
                let name = self.name(token)?;
                let term = self.apply(Head::Name(name), token.span, &[], token.span)?;
                self.give(term, token.span);
                return Ok(());
            }
            TokenKind::Numeral => Lit::Numeral,
            TokenKind::Decimal => Lit::Decimal,
            TokenKind::Hex => Lit::Hex,
            TokenKind::Binary => Lit::Binary,
            TokenKind::String => Lit::String,
            TokenKind::Field => return self.field_literal(token),
            TokenKind::Keyword => {
                let error = ErrorKind::BadTermStart { found: self.show(token) }.at(token.span);
                return Err(error.hint("attributes stand inside an annotation: (! term :named a)"));
            }
            _ => return Err(ErrorKind::BadTermStart { found: self.show(token) }.at(token.span)),
        };
        let term = self.literal(literal, token)?;
        self.give(term, token.span);
        Ok(())
    }

    fn literal(&mut self, literal: Lit, token: Token) -> Result<TermId, Error> {
        let text = self.text(token);
        let (text, sort) = match literal {
            Lit::Numeral if self.numerals_are_real => (text, SortId::REAL),
            Lit::Numeral => (text, SortId::INT),
            Lit::Decimal => (text, SortId::REAL),
            Lit::Hex => (text, self.literal_width(token, (text.len() - 2) * 4)?),
            Lit::Binary => (text, self.literal_width(token, text.len() - 2)?),
            _ => (&text[1..text.len() - 1], SortId::STRING),
        };
        if literal != Lit::String {
            self.check_digits(text.len(), token.span)?;
        }
        let symbol = match literal {
            Lit::String if self.legacy_strings => self.standard_spelling(text),
            _ => self.pool.symbol(text),
        };
        Ok(self.pool.term(Kind::Lit(literal, symbol), sort, &[]))
    }

    /// A string in the old spelling, respelled.
    fn standard_spelling(&mut self, text: &[u8]) -> Symbol {
        let mut literal = String::new();
        match crate::value::text::Text::parse_legacy(text).write_literal(&mut literal) {
            Ok(()) => self.pool.symbol(&literal.as_bytes()[1..literal.len() - 1]),
            Err(_) => unreachable!("writing to a String does not fail"),
        }
    }

    pub(super) fn check_digits(&self, found: usize, span: Span) -> Result<(), Error> {
        let limit = self.limits.digits;
        if found <= limit {
            return Ok(());
        }
        let first = Span::new(span.start as usize, span.start as usize + 1);
        Err(ErrorKind::TooManyDigits { found, limit }.at(first))
    }

    fn literal_width(&mut self, token: Token, width: usize) -> Result<SortId, Error> {
        if width > self.limits.width as usize {
            let kind = ErrorKind::TooWide { found: width.to_string(), limit: self.limits.width };
            return Err(kind.at(Span::new(token.span.start as usize, token.span.start as usize + 1)));
        }
        Ok(self.pool.bitvec(width as u32))
    }

    /// `#f3m7`: value and order.
    fn field_literal(&mut self, token: Token) -> Result<(), Error> {
        let text = &self.text(token)[2..];
        self.check_digits(text.len(), token.span)?;
        let Some(m) = text.iter().position(|&byte| byte == b'm').filter(|&m| m > 0 && m + 1 < text.len())
        else {
            return Err(ErrorKind::BadHash.at(token.span));
        };
        let order = self.pool.symbol(&text[m + 1..]);
        let sort = self.pool.sort_id(Sort::Field(order));
        let value = self.pool.symbol(&text[..m]);
        let term = self.pool.term(Kind::Lit(Lit::Field, value), sort, &[]);
        self.give(term, token.span);
        Ok(())
    }

    // Opening.

    /// After `(`: opens a frame, or reads an identifier such as `(_ bv3 8)` to its end. Tells which.
    fn open(&mut self, open: Span) -> Result<bool, Error> {
        let token = self.next()?;
        let base = self.values.len();
        match token.kind {
            TokenKind::Symbol => match self.text(token) {
                b"let" => self.open_let(open),
                b"forall" => self.open_quantifier(Quantifier::Forall, open),
                b"exists" => self.open_quantifier(Quantifier::Exists, open),
                b"lambda" if self.is_binder(b"lambda")? => self.open_quantifier(Quantifier::Lambda, open),
                b"choice" | b"witness" if self.is_binder(self.text(token))? => {
                    self.open_quantifier(Quantifier::Choice, open)
                }
                b"set.comprehension" => self.open_quantifier(Quantifier::Comprehension, open),
                b"!" => self
                    .push_frame(Frame::Annot { attrs: vec![], pattern: None, base, open }, open)
                    .map(|()| false),
                b"root-obj" => self.root_object(open),
                b"match" => self.push_frame(Frame::Match { base, open }, open).map(|()| false),
                b"_" if self.is_algebraic()? => self.algebraic_number(open),
                b"_" if self.is_explicit_application()? => {
                    let frame = Frame::App { head: Head::Term, head_span: token.span, base, open };
                    self.push_frame(frame, open).map(|()| false)
                }
                b"_" => self.identifier_term(open, Self::indexed_identifier),
                b"as" => self.identifier_term(open, Self::qualified_identifier),
                _ => self.open_application(token, open),
            },
            TokenKind::Quoted => self.open_application(token, open),
            TokenKind::Open => self.open_compound_head(open, token.span),
            TokenKind::Close => Err(ErrorKind::EmptyTerm.at(open.to(token.span))),
            TokenKind::End => Err(ErrorKind::UnclosedParenthesis.at(open)),
            _ => {
                let error = ErrorKind::BadTermStart { found: self.show(token) }.at(token.span);
                Err(error.hint("after `(` comes the name of a function"))
            }
        }
    }

    /// Whether `lambda` or `choice` is the binder here: a list of variables follows, and the script has not
    /// declared a function of that name (the 2.6 standard does not reserve these words, and real files use them).
    fn is_binder(&mut self, word: &[u8]) -> Result<bool, Error> {
        let name = self.pool.symbol(word);
        let entry = self.scope.entry(&self.pool, name);
        let free = entry.var.is_none() && entry.decls.is_empty();
        Ok(free && self.peek()?.kind == TokenKind::Open)
    }

    /// After `(_`: whether SMT-LIB 2.7's application `(_ f x)` follows. Its `f` is a variable, a function of the
    /// script or a term; an operator's name would make it an indexed identifier.
    fn is_explicit_application(&mut self) -> Result<bool, Error> {
        let token = self.peek()?;
        match token.kind {
            TokenKind::Open => Ok(true),
            TokenKind::Symbol | TokenKind::Quoted => {
                let Some(name) = self.pool.symbols.find(self.text(token)) else { return Ok(false) };
                let entry = self.scope.entry(&self.pool, name);
                let declared = entry.var.is_some() || !entry.decls.is_empty();
                Ok(declared && entry.operators.is_none())
            }
            _ => Ok(false),
        }
    }

    fn open_application(&mut self, token: Token, open: Span) -> Result<bool, Error> {
        let head = Head::Name(self.name(token)?);
        let base = self.values.len();
        self.push_frame(Frame::App { head, head_span: token.span, base, open }, open)?;
        Ok(false)
    }

    /// `((_ f 1) …)`, `((as f S) …)`, or a function that is itself a term.
    fn open_compound_head(&mut self, open: Span, inner: Span) -> Result<bool, Error> {
        let token = self.next()?;
        let base = self.values.len();
        let head = match (token.kind, self.text(token)) {
            (TokenKind::Symbol, b"_") => self.indexed_identifier(inner)?,
            (TokenKind::Symbol, b"as") => self.qualified_identifier(inner)?,
            _ => {
                // A term in head position: it is read next, and then applied to the rest.
                self.push_frame(Frame::App { head: Head::Term, head_span: inner, base, open }, open)?;
                self.peeked = None;
                self.lexer.seek(inner.start as usize);
                return Ok(false);
            }
        };
        let head_span = Span::new(inner.start as usize, self.lexer.offset());
        self.push_frame(Frame::App { head, head_span, base, open }, open)?;
        Ok(false)
    }

    fn identifier_term(
        &mut self,
        open: Span,
        read: fn(&mut Self, Span) -> Result<Head, Error>,
    ) -> Result<bool, Error> {
        let head = read(self, open)?;
        let span = Span::new(open.start as usize, self.lexer.offset());
        let term = self.apply(head, span, &[], span)?;
        self.give(term, span);
        Ok(true)
    }

    /// After `(_`: name and indices, through the closing parenthesis.
    fn indexed_identifier(&mut self, open: Span) -> Result<Head, Error> {
        let (name, _) = self.expect_name("the name of an indexed operator")?;
        let mut indices = vec![];
        loop {
            let token = self.peek()?;
            match token.kind {
                TokenKind::Close => break,
                TokenKind::Numeral => {
                    self.next()?;
                    let text = self.text(token);
                    self.check_digits(text.len(), token.span)?;
                    let number = super::parse_u64(text).map(Index::Num);
                    indices.push(number.unwrap_or_else(|| Index::Text(self.pool.symbol(text))));
                }
                TokenKind::Symbol | TokenKind::Quoted => {
                    self.next()?;
                    indices.push(Index::Text(self.name(token)?));
                }
                TokenKind::Hex | TokenKind::Open => {
                    let (text, _) = self.raw()?;
                    indices.push(Index::Text(self.pool.symbol(text)));
                }
                TokenKind::End => return Err(ErrorKind::UnclosedParenthesis.at(open)),
                _ => {
                    let name = self.owned_name(name);
                    return Err(
                        ErrorKind::BadIndex { name, expected: "a numeral or a symbol" }.at(token.span)
                    );
                }
            }
        }
        self.next()?;
        let indices = self.pool.indices(indices.into());
        Ok(Head::Indexed(name, indices))
    }

    /// After `(as`: identifier and sort, through the closing parenthesis.
    fn qualified_identifier(&mut self, open: Span) -> Result<Head, Error> {
        let token = self.next()?;
        let (name, indices) = match token.kind {
            TokenKind::Symbol | TokenKind::Quoted => (self.name(token)?, IndicesId::NONE),
            TokenKind::Open => {
                self.expect(TokenKind::Symbol, "`_`")?;
                match self.indexed_identifier(open)? {
                    Head::Indexed(name, indices) => (name, indices),
                    _ => unreachable!("an indexed identifier is indexed"),
                }
            }
            _ => return Err(self.unexpected(token, "an identifier")),
        };
        let sort = self.sort()?;
        self.expect(TokenKind::Close, "`)`")?;
        Ok(Head::Qualified(name, indices, sort))
    }

    // Closing.

    fn close(&mut self, token: Token, floor: usize) -> Result<bool, Error> {
        if self.frames.len() == floor {
            return Err(self.unexpected(token, "a term"));
        }
        match self.frames.pop() {
            Some(Frame::App { head, head_span, base, open }) => {
                let span = open.to(token.span);
                // The arguments stay where they are while the application is made of them.
                let values = std::mem::take(&mut self.values);
                let term = self.apply(head, head_span, &values[base..], span);
                self.values = values;
                self.values.truncate(base);
                self.give(term?, span);
                Ok(true)
            }
            Some(Frame::Annot { mut attrs, pattern: Some((key, count)), base, open }) => {
                attrs.push(Attr { key, value: AttrValue::Terms(count, true) });
                self.frames.push(Frame::Annot { attrs, pattern: None, base, open });
                self.attributes()
            }
            _ => Err(self.unexpected(token, "a term")),
        }
    }

    // Let.

    fn open_let(&mut self, open: Span) -> Result<bool, Error> {
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
    fn next_binding(&mut self) -> Result<bool, Error> {
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

    fn check_distinct(&mut self, names: &[(Symbol, Span)]) -> Result<(), Error> {
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

    fn end_let(&mut self) -> Result<bool, Error> {
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

    // Quantifiers.

    fn open_quantifier(&mut self, quantifier: Quantifier, open: Span) -> Result<bool, Error> {
        // Unlike those of a definition, the variables of a quantifier may repeat: the later one counts.
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
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Close => break,
                TokenKind::Open => {
                    let (name, span) = self.expect_name("the name of a variable")?;
                    let sort = self.sort()?;
                    self.expect(TokenKind::Close, "`)` after the sort of a variable")?;
                    names.push((name, span));
                    vars.push((name, sort));
                }
                _ => return Err(self.unexpected(token, "a variable such as (x Int)")),
            }
        }
        Ok((vars, names))
    }

    fn end_quantifier(&mut self) -> Result<bool, Error> {
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

    /// A lambda is a function; where an array is wanted, `fits` lets it stand for one, as z3 does.
    fn lambda_sort(&mut self, vars: &[(Symbol, SortId)], body: SortId) -> SortId {
        let sorts: Box<[SortId]> = vars.iter().map(|&(_, sort)| sort).chain([body]).collect();
        self.pool.sort_id(Sort::Fun(sorts))
    }

    // Annotations.

    /// After the term of `!`, or after a pattern: reads attributes until a pattern's terms are needed or it ends.
    fn attributes(&mut self) -> Result<bool, Error> {
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Keyword => {
                    if self.attribute(token)? {
                        return Ok(false);
                    }
                }
                TokenKind::Close => return self.end_annotation(token),
                _ => return Err(self.unexpected(token, "an attribute such as :named")),
            }
        }
    }

    /// Reads one attribute; tells whether the terms of a pattern must be read first.
    fn attribute(&mut self, token: Token) -> Result<bool, Error> {
        let text = self.text(token);
        let key = self.pool.symbol(text);
        let value = match text {
            b":pattern" | b":no-pattern" if self.peek()?.kind == TokenKind::Open => {
                if text == b":pattern" {
                    self.next()?;
                    if let Some(Frame::Annot { pattern, .. }) = self.frames.last_mut() {
                        *pattern = Some((key, 0));
                    }
                    return Ok(true);
                }
                let (text, _) = self.raw()?;
                AttrValue::Text(self.pool.symbol(text))
            }
            b":named" => AttrValue::Name(self.named()?),
            _ => match self.peek()?.kind {
                TokenKind::Keyword | TokenKind::Close => AttrValue::None,
                _ => {
                    let (text, _) = self.raw()?;
                    AttrValue::Text(self.pool.symbol(text))
                }
            },
        };
        if let Some(Frame::Annot { attrs, .. }) = self.frames.last_mut() {
            attrs.push(Attr { key, value });
        }
        Ok(false)
    }

    fn named(&mut self) -> Result<DeclId, Error> {
        let token = self.next()?;
        if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
            return Err(ErrorKind::BadName.at(token.span));
        }
        let name = self.name(token)?;
        self.check_new(name, token.span)?;
        let Some(&Frame::Annot { base, .. }) = self.frames.last() else {
            unreachable!("names are given inside annotations")
        };
        let term = self.values[base].0;
        if let Some(var) = self.open_variable(term) {
            return Err(ErrorKind::OpenNamedTerm { name: self.owned_name(var) }.at(token.span));
        }
        let decl = self.pool.add_decl(Decl {
            name,
            sort_params: [].into(),
            params: [].into(),
            result: self.pool.sort_of(term),
            role: Role::Named(term),
            span: token.span,
        });
        self.scope.declare(&self.pool, name, decl);
        Ok(decl)
    }

    /// A free variable of the term that stands for no value; one bound by `let` does.
    fn open_variable(&mut self, term: TermId) -> Option<Symbol> {
        if self.scope.mark() == 0 {
            return None;
        }
        let free = self.free.of(&self.pool, term);
        let Parser { scope, pool, .. } = self;
        free.iter().copied().find(|&var| scope.entry(pool, var).var.is_none_or(|var| !var.is_value))
    }

    /// Whether a `let` whose values are being read binds this name, but only for its body.
    pub(super) fn is_bound_by_an_open_let(&self, name: Symbol) -> bool {
        self.frames.iter().any(|frame| match frame {
            Frame::LetValues { names, .. } => names.iter().any(|&(bound, _)| bound == name),
            _ => false,
        })
    }

    fn end_annotation(&mut self, close: Token) -> Result<bool, Error> {
        let Some(Frame::Annot { attrs, base, open, .. }) = self.frames.pop() else {
            unreachable!("only annotations end here")
        };
        if attrs.is_empty() {
            return Err(ErrorKind::EmptyAnnotation.at(open.to(close.span)));
        }
        let args: Vec<TermId> = self.values.drain(base..).map(|(term, _)| term).collect();
        let sort = self.pool.sort_of(args[0]);
        let attrs = self.pool.attrs(attrs.into());
        let term = self.pool.term(Kind::Annot(attrs), sort, &args);
        self.give(term, open.to(close.span));
        Ok(true)
    }

    // Match.

    fn first_case(&mut self) -> Result<bool, Error> {
        let Some(Frame::Match { base, open }) = self.frames.pop() else {
            unreachable!("only a match begins its cases")
        };
        let (scrutinee, span) = self.values[base];
        let sort = self.pool.sort_of(scrutinee);
        if self.pool.datatype(sort).is_none() {
            return Err(ErrorKind::MatchSort { found: self.show_sort(sort) }.at(span));
        }
        self.expect(TokenKind::Open, "the cases of `match`")?;
        let token = self.next()?;
        if token.kind == TokenKind::Close {
            return Err(ErrorKind::EmptyMatch.at(open.to(token.span)));
        }
        if token.kind != TokenKind::Open {
            return Err(self.unexpected(token, "a case such as (nil 0)"));
        }
        let mark = self.scope.mark();
        let case = self.pattern(sort)?;
        self.frames.push(Frame::MatchBody { cases: vec![case], sort, mark, base, open });
        Ok(false)
    }

    fn next_case(&mut self) -> Result<bool, Error> {
        let close = self.expect(TokenKind::Close, "`)` after the body of a case")?;
        let Some(Frame::MatchBody { mut cases, sort, mark, base, open }) = self.frames.pop() else {
            unreachable!("only a match has cases")
        };
        self.scope.unbind(mark);
        let (first, other) = (self.values[base + 1], self.values[self.values.len() - 1]);
        let (first_sort, other_sort) = (self.pool.sort_of(first.0), self.pool.sort_of(other.0));
        if first_sort != other_sort {
            let (first, other_text) = (self.show_sort(first_sort), self.show_sort(other_sort));
            return Err(ErrorKind::CaseSorts { first, other: other_text }.at(other.1));
        }
        let token = self.next()?;
        match token.kind {
            TokenKind::Open => {
                cases.push(self.pattern(sort)?);
                self.frames.push(Frame::MatchBody { cases, sort, mark, base, open });
                Ok(false)
            }
            TokenKind::Close => {
                self.expect(TokenKind::Close, "`)` after the cases of `match`")?;
                self.end_match(cases, sort, base, open.to(close.span))
            }
            _ => Err(self.unexpected(token, "another case or `)`")),
        }
    }

    fn end_match(&mut self, cases: Vec<Case>, sort: SortId, base: usize, span: Span) -> Result<bool, Error> {
        let covers_all = cases.iter().any(|case| case.constructor.is_none());
        if let Some((datatype, _)) = self.pool.datatype(sort).filter(|_| !covers_all) {
            let missing = datatype
                .constructors
                .iter()
                .find(|c| !cases.iter().any(|case| case.constructor == Some(c.decl)));
            if let Some(missing) = missing {
                let name = self.owned_name(self.pool.decl(missing.decl).name);
                return Err(ErrorKind::MatchNotExhaustive { name }.at(span));
            }
        }
        let args: Vec<TermId> = self.values.drain(base..).map(|(term, _)| term).collect();
        let result = self.pool.sort_of(args[1]);
        let cases = self.pool.cases(cases.into());
        let term = self.pool.term(Kind::Match(cases), result, &args);
        self.give(term, span);
        Ok(true)
    }

    /// The pattern of a case; binds its variables.
    fn pattern(&mut self, sort: SortId) -> Result<Case, Error> {
        let token = self.next()?;
        if matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
            let name = if self.text(token) == b"_" { self.pool.symbol(b"_") } else { self.name(token)? };
            if let Some(constructor) = self.constructor_named(name, sort) {
                return self.constructor_pattern(constructor, sort, &[], token.span);
            }
            self.scope.bind(&self.pool, name, sort);
            return Ok(Case { constructor: None, vars: [(name, sort)].into() });
        }
        if token.kind != TokenKind::Open {
            return Err(self.unexpected(token, "a pattern"));
        }
        let (name, span) = self.expect_name("the name of a constructor")?;
        let mut vars = vec![];
        while self.peek()?.kind != TokenKind::Close {
            let token = self.next()?;
            if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
                return Err(self.unexpected(token, "a variable"));
            }
            let wild = self.text(token) == b"_";
            vars.push((if wild { self.pool.symbol(b"_") } else { self.name(token)? }, token.span));
        }
        self.next()?;
        let Some(constructor) = self.constructor_named(name, sort) else {
            let kind = ErrorKind::NotAConstructor { name: self.owned_name(name), sort: self.show_sort(sort) };
            return Err(kind.at(span));
        };
        self.constructor_pattern(constructor, sort, &vars, span)
    }

    /// The constructor of this name among those of a datatype.
    pub(super) fn constructor_named(&self, name: Symbol, sort: SortId) -> Option<DeclId> {
        let (datatype, _) = self.pool.datatype(sort)?;
        datatype.constructors.iter().map(|c| c.decl).find(|&decl| self.pool.decl(decl).name == name)
    }

    fn constructor_pattern(
        &mut self,
        constructor: DeclId,
        sort: SortId,
        names: &[(Symbol, Span)],
        span: Span,
    ) -> Result<Case, Error> {
        let decl = self.pool.decl(constructor).clone();
        if decl.params.len() != names.len() {
            let name = self.owned_name(decl.name);
            let kind = ErrorKind::PatternArity { name, expected: decl.params.len(), found: names.len() };
            return Err(kind.at(span));
        }
        let wild = self.pool.symbol(b"_");
        let named: Vec<_> = names.iter().copied().filter(|&(name, _)| name != wild).collect();
        self.check_distinct(&named)?;
        let sort_args = self.pool.datatype(sort).map(|(_, args)| args.to_vec()).unwrap_or_default();
        let mut vars = vec![];
        for (&(name, _), &param) in names.iter().zip(&decl.params) {
            let field = self.pool.substitute_sort(param, &decl.sort_params, &sort_args);
            vars.push((name, field));
            self.scope.bind(&self.pool, name, field);
        }
        Ok(Case { constructor: Some(constructor), vars: vars.into() })
    }
}
