//! Commands.
//!
//! Every command of SMT-LIB 2.6 and 2.7 that declares names or contains terms is parsed completely. All others are
//! kept as text, so a script with a solver-specific command can still be parsed and printed.

use super::Parser;
use super::scope::SortMeaning;
use crate::error::{Error, ErrorKind};
use crate::lexer::TokenKind;
use crate::logic::Features;
use crate::script::{Command, DefineForm, Script};
use crate::sort::{Sort, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{Decl, DeclId, Role, SortDecl, TermId};

/// Maximum number of open levels.
const MOST_LEVELS: usize = 1_000_000;

impl Parser<'_> {
    pub(super) fn script(&mut self) -> Result<Script, Error> {
        let head = self.lexer.head().to_vec();
        let mut commands = vec![];
        let mut spans = vec![];
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::End => break,
                TokenKind::Open => {
                    commands.push(self.command(token.span)?);
                    spans.push(Span::new(token.span.start as usize, self.lexer.offset()));
                }
                TokenKind::Close => return Err(ErrorKind::UnexpectedClose.at(token.span)),
                _ => return Err(ErrorKind::NotACommand { found: self.show(token) }.at(token.span)),
            }
        }
        let pool = std::mem::take(&mut self.pool);
        Ok(Script { pool, commands, spans, head, logic: self.logic })
    }

    fn command(&mut self, open: Span) -> Result<Command, Error> {
        self.command = open;
        let token = self.next()?;
        if token.kind == TokenKind::End {
            return Err(ErrorKind::UnclosedParenthesis.at(open));
        }
        if token.kind != TokenKind::Symbol {
            return Err(ErrorKind::NoCommandName { found: self.show(token) }.at(token.span));
        }
        let command = match self.text(token) {
            b"set-logic" => self.set_logic()?,
            b"set-info" => return self.keyed(open, Command::SetInfo),
            b"set-option" => return self.keyed(open, Command::SetOption),
            b"declare-sort" => self.declare_sort()?,
            b"define-sort" => self.define_sort()?,
            b"declare-datatypes" => self.declare_datatypes(open, false)?,
            b"declare-codatatypes" => self.declare_datatypes(open, true)?,
            b"declare-datatype" => self.declare_datatype(open, false)?,
            b"declare-codatatype" => self.declare_datatype(open, true)?,
            b"declare-sort-parameter" => self.declare_sort_parameter()?,
            b"declare-fun" => self.declare_fun()?,
            b"declare-const" => self.declare_const()?,
            b"define-fun" => self.define_fun(DefineForm::Fun)?,
            b"define-fun-rec" => self.define_fun(DefineForm::Rec)?,
            b"define-const" => self.define_const()?,
            b"define-funs-rec" => self.define_funs_rec()?,
            b"assert" => Command::Assert(self.bool_term("an asserted term")?),
            b"assert-soft" => {
                let term = self.bool_term("an asserted term")?;
                return Ok(Command::AssertSoft(term, self.rest_symbol(open)?));
            }
            b"minimize" => {
                let term = self.term()?;
                return Ok(Command::Minimize(term, self.rest_symbol(open)?));
            }
            b"maximize" => {
                let term = self.term()?;
                return Ok(Command::Maximize(term, self.rest_symbol(open)?));
            }
            b"check-sat" if self.peek()?.kind == TokenKind::Close => Command::CheckSat,
            // z3 accepts assumptions here, too.
            b"check-sat" => Command::CheckSatAssuming(self.bool_terms()?.into()),
            b"check-sat-assuming" => {
                self.expect(TokenKind::Open, "a list of assumptions")?;
                let assumptions = self.bool_terms()?;
                self.next()?;
                Command::CheckSatAssuming(assumptions.into())
            }
            b"check-sat-using" => return Ok(Command::CheckSatUsing(self.rest_symbol(open)?)),
            b"get-value" => Command::GetValue(self.term_list()?.into()),
            b"push" => Command::Push(self.levels()?),
            b"pop" => self.pop()?,
            b"reset" => {
                self.scope.reset();
                self.numerals_are_real = false;
                Command::Reset
            }
            b"reset-assertions" => {
                self.scope.reset_assertions(&self.pool);
                Command::ResetAssertions
            }
            b"exit" => Command::Exit,
            other => {
                let name = self.pool.symbol(other);
                return Ok(Command::Other { name, rest: self.rest_symbol(open)? });
            }
        };
        if let Command::Push(levels) = command {
            if levels as usize + self.scope.open() > MOST_LEVELS {
                return Err(ErrorKind::TooLarge { what: "the number of levels" }.at(open));
            }
            self.scope.push(levels);
        }
        self.end_command(open)?;
        Ok(command)
    }

    fn end_command(&mut self, open: Span) -> Result<(), Error> {
        let token = self.next()?;
        match token.kind {
            TokenKind::Close => Ok(()),
            TokenKind::End => Err(ErrorKind::UnclosedParenthesis.at(open)),
            _ => Err(self.unexpected(token, "`)` at the end of the command")),
        }
    }

    /// The rest of the command as text; consumes the closing parenthesis.
    fn rest_symbol(&mut self, open: Span) -> Result<Symbol, Error> {
        let rest = self.rest_of_list(open)?;
        Ok(self.pool.symbol(rest))
    }

    fn keyed(&mut self, open: Span, make: fn(Symbol, Symbol) -> Command) -> Result<Command, Error> {
        let key = self.expect(TokenKind::Keyword, "a keyword such as :status")?;
        let key = self.pool.symbol(self.lexer.text(key));
        let value = self.rest_symbol(open)?;
        if self.pool.bytes(key) == b":global-declarations" {
            self.scope.global = self.pool.bytes(value) == b"true";
        }
        Ok(make(key, value))
    }

    fn set_logic(&mut self) -> Result<Command, Error> {
        let (logic, _) = self.expect_name("the name of a logic")?;
        self.logic.get_or_insert(logic);
        self.numerals_are_real = Features::of_logic(Some(&self.pool.name(logic))).numerals_are_real();
        Ok(Command::SetLogic(logic))
    }

    // Sorts.

    fn declare_sort(&mut self) -> Result<Command, Error> {
        let (name, span) = self.expect_name("the name of a sort")?;
        self.check_new_sort(name, span)?;
        let arity = match self.peek()?.kind {
            TokenKind::Close => 0,
            _ => self.expect_small("the arity of a sort")?,
        };
        Ok(Command::DeclareSort(self.add_sort(name, arity, span)))
    }

    pub(super) fn add_sort(&mut self, name: Symbol, arity: u32, span: Span) -> crate::sort::SortDeclId {
        self.pool.sort_decls.push(SortDecl { name, arity, datatype: None, span });
        let decl = crate::sort::SortDeclId(self.pool.sort_decls.len() as u32 - 1);
        self.scope.declare_sort(&self.pool, name, SortMeaning::Declared(decl));
        decl
    }

    pub(super) fn check_new_sort(&mut self, name: Symbol, span: Span) -> Result<(), Error> {
        let shown = self.owned_name(name);
        let builtin = ["Bool", "Int", "Real", "String", "RegLan", "RoundingMode", "Array"];
        if builtin.contains(&shown.as_str()) {
            return Err(ErrorKind::TheorySymbol { name: shown }.at(span));
        }
        let meaning = self.scope.entry(&self.pool, name).sort.clone();
        let previous = match &meaning {
            Some(SortMeaning::Declared(decl)) if self.scope.can_replace_sort(*decl) => None,
            Some(SortMeaning::Declared(decl)) => Some(self.pool.sort_decl(*decl).span),
            Some(_) => Some(span),
            None => None,
        };
        match previous {
            Some(previous) => {
                Err(ErrorKind::DeclaredTwice { name: shown }.at(span).related(previous, "first declared"))
            }
            None => Ok(()),
        }
    }

    /// SMT-LIB 2.7: a sort parameter, which can be any sort in the declarations that follow.
    fn declare_sort_parameter(&mut self) -> Result<Command, Error> {
        let (name, span) = self.expect_name("the name of a sort parameter")?;
        self.check_new_sort(name, span)?;
        self.scope.has_sort_params = true;
        self.scope.declare_sort(&self.pool, name, SortMeaning::Param);
        let mut text = vec![];
        crate::symbol::write_name(&mut text, self.pool.bytes(name));
        let rest = self.pool.symbol(&text);
        Ok(Command::Other { name: self.pool.symbol(b"declare-sort-parameter"), rest })
    }

    fn define_sort(&mut self) -> Result<Command, Error> {
        let (name, span) = self.expect_name("the name of a sort")?;
        self.check_new_sort(name, span)?;
        self.expect(TokenKind::Open, "the parameters of the sort")?;
        let params = self.sort_params()?;
        let checkpoint = self.scope.checkpoint();
        for &param in &params {
            self.scope.declare_sort(&self.pool, param, SortMeaning::Param);
        }
        let sort = self.sort();
        self.scope.rewind(checkpoint);
        let (sort, params): (SortId, Box<[Symbol]>) = (sort?, params.into());
        self.scope.declare_sort(&self.pool, name, SortMeaning::Alias(params.clone(), sort));
        Ok(Command::DefineSort { name, params, sort })
    }

    // Functions.

    /// A name can be declared again only with another rank, which the caller cannot know yet. Users usually declare
    /// the same constant twice in one scope by mistake.
    pub(super) fn check_new(&mut self, name: Symbol, span: Span) -> Result<(), Error> {
        let entry = self.scope.entry(&self.pool, name);
        let Some(&previous) = entry.decls.last() else { return Ok(()) };
        let replaceable = self.scope.can_replace(previous);
        let previous = self.pool.decl(previous);
        if !previous.params.is_empty() || replaceable {
            return Ok(());
        }
        let name = self.owned_name(name);
        Err(ErrorKind::DeclaredTwice { name }.at(span).related(previous.span, "first declared"))
    }

    fn check_theory_symbol(&mut self, name: Symbol, span: Span) -> Result<(), Error> {
        if !matches!(
            self.pool.bytes(name),
            b"true" | b"false" | b"not" | b"and" | b"or" | b"=" | b"ite" | b"=>" | b"distinct" | b"xor"
        ) {
            return Ok(());
        }
        Err(ErrorKind::TheorySymbol { name: self.owned_name(name) }.at(span))
    }

    pub(super) fn add_function(
        &mut self,
        name: Symbol,
        params: Box<[SortId]>,
        result: SortId,
        role: Role,
        span: Span,
    ) -> Result<DeclId, Error> {
        self.check_theory_symbol(name, span)?;
        let sort_params = self.sort_params_of(&params, result);
        let scope = &self.scope;
        let same_rank = scope.decls(name).iter().copied().find(|&decl| {
            let declared = self.pool.decl(decl);
            declared.params == params && declared.sort_params == sort_params && !scope.can_replace(decl)
        });
        if let Some(previous) = same_rank {
            let previous = self.pool.decl(previous).span;
            let name = self.owned_name(name);
            return Err(ErrorKind::DeclaredTwice { name }.at(span).related(previous, "first declared"));
        }
        let decl =
            self.pool.add_decl(Decl { name, sort_params, params, result, role, span, of_model: false });
        self.scope.declare(&self.pool, name, decl);
        Ok(decl)
    }

    /// The sort parameters (of SMT-LIB 2.7) that a rank mentions, in order of first occurrence.
    fn sort_params_of(&self, params: &[SortId], result: SortId) -> Box<[Symbol]> {
        let mut found = vec![];
        if !self.scope.has_sort_params {
            return found.into();
        }
        let mut stack: Vec<SortId> = params.iter().copied().chain([result]).rev().collect();
        while let Some(sort) = stack.pop() {
            match self.pool.sort(sort) {
                Sort::Param(name) if !found.contains(name) => found.push(*name),
                compound => stack.extend(compound.parts().iter().rev()),
            }
        }
        found.into()
    }

    fn declare_fun(&mut self) -> Result<Command, Error> {
        let (name, span) = self.expect_name("the name of a function")?;
        self.expect(TokenKind::Open, "the parameter sorts, such as (Int Bool) or ()")?;
        let mut params = vec![];
        while self.peek()?.kind != TokenKind::Close {
            params.push(self.sort()?);
        }
        self.next()?;
        let result = self.sort()?;
        let decl = self.add_function(name, params.into(), result, Role::Declared, span)?;
        Ok(Command::DeclareFun { decl, constant: false })
    }

    fn declare_const(&mut self) -> Result<Command, Error> {
        let (name, span) = self.expect_name("the name of a constant")?;
        let result = self.sort()?;
        let decl = self.add_function(name, [].into(), result, Role::Declared, span)?;
        Ok(Command::DeclareFun { decl, constant: true })
    }

    fn define_const(&mut self) -> Result<Command, Error> {
        let (name, span) = self.expect_name("the name of a constant")?;
        let result = self.sort()?;
        let body = self.body(name, result)?;
        let vars = self.pool.binders([].into());
        let role = Role::Defined { vars, body, recursive: false };
        let decl = self.add_function(name, [].into(), result, role, span)?;
        Ok(Command::DefineFun { decl, form: DefineForm::Const })
    }

    fn define_fun(&mut self, form: DefineForm) -> Result<Command, Error> {
        let (name, span) = self.expect_name("the name of a function")?;
        let vars = self.sorted_vars()?;
        let result = self.sort()?;
        let params: Box<[SortId]> = vars.iter().map(|&(_, sort)| sort).collect();
        if form == DefineForm::Rec {
            let decl = self.add_function(name, params, result, Role::Declared, span)?;
            self.recursive_body(decl, &vars)?;
            return Ok(Command::DefineFun { decl, form });
        }
        let body = self.body_with(name, &vars, result)?;
        let vars = self.pool.binders(vars.into());
        let decl =
            self.add_function(name, params, result, Role::Defined { vars, body, recursive: false }, span)?;
        Ok(Command::DefineFun { decl, form })
    }

    pub(super) fn body_with(
        &mut self,
        name: Symbol,
        vars: &[(Symbol, SortId)],
        result: SortId,
    ) -> Result<TermId, Error> {
        let mark = self.scope.mark();
        for &(var, sort) in vars {
            self.scope.bind(&self.pool, var, sort);
        }
        let body = self.body(name, result);
        self.scope.unbind(mark);
        body
    }

    fn body(&mut self, name: Symbol, result: SortId) -> Result<TermId, Error> {
        let (body, span) = self.term_with_span()?;
        self.coerce(body, result).ok_or_else(|| {
            let (expected, found) = (self.show_sort(result), self.show_sort(self.pool.sort_of(body)));
            ErrorKind::BodySort { name: self.owned_name(name), expected, found }.at(span)
        })
    }

    fn recursive_body(&mut self, decl: DeclId, vars: &[(Symbol, SortId)]) -> Result<(), Error> {
        let (name, result) = (self.pool.decl(decl).name, self.pool.decl(decl).result);
        let body = self.body_with(name, vars, result)?;
        let vars = self.pool.binders(vars.into());
        self.pool.decls[decl.0 as usize].role = Role::Defined { vars, body, recursive: true };
        Ok(())
    }

    /// `(define-funs-rec ((f ((x Int)) Int) …) (body …))`.
    fn define_funs_rec(&mut self) -> Result<Command, Error> {
        self.expect(TokenKind::Open, "the declarations of the functions")?;
        let mut functions = vec![];
        self.each_list("a declaration such as (f ((x Int)) Int)", |parser, _| {
            let (name, span) = parser.expect_name("the name of a function")?;
            let vars = parser.sorted_vars()?;
            let result = parser.sort()?;
            parser.expect(TokenKind::Close, "`)` after the declaration")?;
            let params = vars.iter().map(|&(_, sort)| sort).collect();
            functions.push((parser.add_function(name, params, result, Role::Declared, span)?, vars));
            Ok(())
        })?;
        self.expect(TokenKind::Open, "the bodies of the functions")?;
        let mut bodies = 0;
        while self.peek()?.kind != TokenKind::Close {
            let Some((decl, vars)) = functions.get(bodies) else { break };
            let (decl, vars) = (*decl, vars.clone());
            self.recursive_body(decl, &vars)?;
            bodies += 1;
        }
        let next = self.peek()?;
        if bodies != functions.len() || next.kind != TokenKind::Close {
            let missing = functions.get(bodies).map(|&(decl, _)| self.pool.decl(decl).span);
            let bodies = if missing.is_some() { bodies } else { bodies + 1 };
            let kind = ErrorKind::FunctionCount { names: functions.len(), bodies };
            return Err(kind.at(missing.unwrap_or(next.span)));
        }
        self.next()?;
        Ok(Command::DefineFunsRec(functions.into_iter().map(|(decl, _)| decl).collect()))
    }

    // Terms in commands.

    fn bool_term(&mut self, what: &'static str) -> Result<TermId, Error> {
        let (term, span) = self.term_with_span()?;
        let sort = self.pool.sort_of(term);
        if sort != SortId::BOOL {
            let found = self.show_sort(sort);
            return Err(ErrorKind::WrongSort { what, expected: "Bool".into(), found }.at(span));
        }
        Ok(term)
    }

    /// Terms up to a closing parenthesis, which is not consumed.
    fn bool_terms(&mut self) -> Result<Vec<TermId>, Error> {
        let mut terms = vec![];
        while self.peek()?.kind != TokenKind::Close {
            terms.push(self.bool_term("an assumption")?);
        }
        Ok(terms)
    }

    fn term_list(&mut self) -> Result<Vec<TermId>, Error> {
        self.expect(TokenKind::Open, "a list of terms")?;
        let mut terms = vec![];
        while self.peek()?.kind != TokenKind::Close {
            terms.push(self.term()?);
        }
        self.next()?;
        Ok(terms)
    }

    fn levels(&mut self) -> Result<u32, Error> {
        match self.peek()?.kind {
            TokenKind::Close => Ok(1),
            _ => {
                let at = self.peek()?.span;
                let levels = self.expect_small("the number of levels")?;
                if levels as usize > MOST_LEVELS {
                    return Err(ErrorKind::TooLarge { what: "the number of levels" }.at(at));
                }
                Ok(levels)
            }
        }
    }

    fn pop(&mut self) -> Result<Command, Error> {
        let at = self.peek()?.span;
        let levels = self.levels()?;
        if levels as usize > self.scope.open() {
            return Err(ErrorKind::PopTooFar { found: levels as usize, open: self.scope.open() }.at(at));
        }
        self.scope.pop(levels);
        Ok(Command::Pop(levels))
    }

    /// Puts a script's declarations in scope again, as they are before command number `end`, so that more text can be
    /// parsed.
    pub(super) fn adopt(&mut self, script: &Script, end: usize) {
        self.logic = script.logic;
        if let Some(logic) = script.logic {
            self.numerals_are_real = Features::of_logic(Some(&self.pool.name(logic))).numerals_are_real();
        }
        for command in script.commands.iter().take(end) {
            self.adopt_command(command);
        }
    }

    fn adopt_command(&mut self, command: &Command) {
        match command {
            Command::DeclareSort(decl) => self.adopt_sort(*decl),
            Command::DefineSort { name, params, sort } => {
                self.scope.declare_sort(&self.pool, *name, SortMeaning::Alias(params.clone(), *sort));
            }
            Command::DeclareDatatypes { sorts, .. } => {
                for &sort in sorts {
                    self.adopt_sort(sort);
                    self.adopt_members(sort);
                }
            }
            Command::DeclareFun { decl, .. } | Command::DefineFun { decl, .. } => self.adopt_decl(*decl),
            Command::DefineFunsRec(decls) => decls.iter().for_each(|&decl| self.adopt_decl(decl)),
            Command::Assert(term) => self.adopt_names(*term),
            Command::Push(levels) => self.scope.push(*levels),
            Command::Pop(levels) => self.scope.pop(*levels),
            Command::Reset => self.scope.reset(),
            Command::ResetAssertions => self.scope.reset_assertions(&self.pool),
            Command::Other { name, rest } if self.pool.bytes(*name) == b"declare-sort-parameter" => {
                let text = self.pool.bytes(*rest);
                let bare =
                    text.strip_prefix(b"|").and_then(|t| t.strip_suffix(b"|")).unwrap_or(text).to_vec();
                let param = self.pool.symbol(&bare);
                self.scope.has_sort_params = true;
                self.scope.declare_sort(&self.pool, param, SortMeaning::Param);
            }
            Command::SetOption(key, value) if self.pool.bytes(*key) == b":global-declarations" => {
                self.scope.global = self.pool.bytes(*value) == b"true";
            }
            _ => {}
        }
    }

    fn adopt_sort(&mut self, decl: crate::sort::SortDeclId) {
        let name = self.pool.sort_decl(decl).name;
        self.scope.declare_sort(&self.pool, name, SortMeaning::Declared(decl));
    }

    fn adopt_members(&mut self, sort: crate::sort::SortDeclId) {
        let Some(datatype) = self.pool.sort_decl(sort).datatype.clone() else { return };
        for constructor in datatype.constructors {
            self.adopt_decl(constructor.decl);
            constructor.selectors.iter().for_each(|&selector| self.adopt_decl(selector));
        }
    }

    fn adopt_decl(&mut self, decl: DeclId) {
        let name = self.pool.decl(decl).name;
        self.scope.declare(&self.pool, name, decl);
    }

    /// Declares the `:named` terms anywhere in an assertion.
    fn adopt_names(&mut self, term: TermId) {
        for term in self.pool.subterms(term) {
            if let crate::term::Kind::Annot(attrs) = self.pool.kind(term) {
                let names: Vec<DeclId> = self
                    .pool
                    .attr_list(attrs)
                    .iter()
                    .filter_map(|attr| match attr.value {
                        crate::term::AttrValue::Name(decl) => Some(decl),
                        _ => None,
                    })
                    .collect();
                names.into_iter().for_each(|decl| self.adopt_decl(decl));
            }
        }
    }
}

/// Whether a name is the name of a command; used to detect that the previous command is not closed.
pub(super) fn is_command(name: &[u8]) -> bool {
    matches!(
        name,
        b"assert" | b"check-sat" | b"check-sat-assuming" | b"exit" | b"push" | b"pop" | b"reset" | b"echo"
    ) || [&b"declare-"[..], b"define-fun", b"define-sort", b"get-", b"set-info", b"set-option", b"set-logic"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}
