//! Prints commands: one line each, without the line end.
//!
//! Commands that the parser only keeps as text are printed unchanged; datatypes that were declared in the old syntax
//! are printed in the standard one.

use super::Printer;
use crate::script::{Command, DefineForm};
use crate::sort::SortDeclId;
use crate::symbol::Symbol;
use crate::term::{BindersId, Decl, DeclId, Role, TermId};

impl Printer<'_> {
    pub(super) fn command(&mut self, command: &Command) {
        match command {
            Command::SetLogic(logic) => {
                self.text("(set-logic ");
                self.name(*logic);
            }
            Command::SetInfo(key, value) => self.keyed("(set-info ", *key, *value),
            Command::SetOption(key, value) => self.keyed("(set-option ", *key, *value),
            Command::DeclareSort(decl) => {
                self.text("(declare-sort ");
                self.name(self.pool.sort_decl(*decl).name);
                self.text(" ");
                self.number(u64::from(self.pool.sort_decl(*decl).arity));
            }
            Command::DefineSort { name, params, sort } => {
                self.text("(define-sort ");
                self.name(*name);
                self.text(" (");
                self.names(params);
                self.text(") ");
                self.sort(*sort);
            }
            Command::DeclareDatatypes { sorts, single } => self.datatypes(sorts, *single),
            Command::DeclareFun { decl, constant } => self.declare_fun(self.pool.decl(*decl), *constant),
            Command::DefineFun { decl, form } => self.define_fun(*decl, *form),
            Command::DefineFunsRec(decls) => self.define_funs_rec(decls),
            Command::Assert(term) => self.one_term("(assert ", *term),
            Command::AssertSoft(term, rest) => self.objective("(assert-soft ", *term, *rest),
            Command::Minimize(term, rest) => self.objective("(minimize ", *term, *rest),
            Command::Maximize(term, rest) => self.objective("(maximize ", *term, *rest),
            Command::CheckSat => self.text("(check-sat"),
            Command::CheckSatAssuming(terms) => self.terms("(check-sat-assuming (", terms),
            Command::CheckSatUsing(tactic) => {
                self.text("(check-sat-using ");
                self.raw(*tactic);
            }
            Command::GetValue(terms) => self.terms("(get-value (", terms),
            Command::Push(levels) => self.levels("(push ", *levels),
            Command::Pop(levels) => self.levels("(pop ", *levels),
            Command::Reset => self.text("(reset"),
            Command::ResetAssertions => self.text("(reset-assertions"),
            Command::Exit => self.text("(exit"),
            Command::Other { name, rest } => {
                self.text("(");
                self.raw(*name);
                self.spaced(*rest);
            }
        }
        self.text(")");
    }

    fn keyed(&mut self, open: &str, key: Symbol, value: Symbol) {
        self.text(open);
        self.raw(key);
        self.spaced(value);
    }

    fn levels(&mut self, open: &str, levels: u32) {
        self.text(open);
        self.number(u64::from(levels));
    }

    fn one_term(&mut self, open: &str, term: TermId) {
        self.text(open);
        self.term(term);
    }

    fn objective(&mut self, open: &str, term: TermId, rest: Symbol) {
        self.one_term(open, term);
        self.spaced(rest);
    }

    fn terms(&mut self, open: &str, terms: &[TermId]) {
        self.text(open);
        for (n, &term) in terms.iter().enumerate() {
            if n > 0 {
                self.text(" ");
            }
            self.term(term);
        }
        self.text(")");
    }

    fn names(&mut self, names: &[Symbol]) {
        for (n, &name) in names.iter().enumerate() {
            if n > 0 {
                self.text(" ");
            }
            self.name(name);
        }
    }

    fn declare_fun(&mut self, decl: &Decl, constant: bool) {
        self.text(if constant { "(declare-const " } else { "(declare-fun " });
        self.name(decl.name);
        if !constant {
            self.text(" (");
            self.sorts(&decl.params);
            self.text(")");
        }
        self.text(" ");
        self.sort(decl.result);
    }

    fn define_fun(&mut self, decl: DeclId, form: DefineForm) {
        let decl = self.pool.decl(decl);
        let Role::Defined { vars, body, .. } = decl.role else { return };
        self.text(match form {
            DefineForm::Fun => "(define-fun ",
            DefineForm::Const => "(define-const ",
            DefineForm::Rec => "(define-fun-rec ",
        });
        self.name(decl.name);
        self.text(" ");
        if form != DefineForm::Const {
            self.sorted_vars(vars);
            self.text(" ");
        }
        self.sort(decl.result);
        self.text(" ");
        self.term(body);
    }

    fn define_funs_rec(&mut self, decls: &[DeclId]) {
        self.text("(define-funs-rec (");
        for (n, &decl) in decls.iter().enumerate() {
            let decl = self.pool.decl(decl);
            let Role::Defined { vars, .. } = decl.role else { continue };
            self.text(if n > 0 { " (" } else { "(" });
            self.name(decl.name);
            self.text(" ");
            self.sorted_vars(vars);
            self.text(" ");
            self.sort(decl.result);
            self.text(")");
        }
        self.text(") (");
        for (n, &decl) in decls.iter().enumerate() {
            let Role::Defined { body, .. } = self.pool.decl(decl).role else { continue };
            if n > 0 {
                self.text(" ");
            }
            self.term(body);
        }
        self.text(")");
    }

    pub(super) fn sorted_vars(&mut self, vars: BindersId) {
        self.text("(");
        for (n, &(name, sort)) in self.pool.binder_list(vars).iter().enumerate() {
            self.text(if n > 0 { " (" } else { "(" });
            self.name(name);
            self.text(" ");
            self.sort(sort);
            self.text(")");
        }
        self.text(")");
    }

    fn datatypes(&mut self, sorts: &[SortDeclId], single: bool) {
        let co =
            sorts.iter().any(|&s| self.pool.sort_decl(s).datatype.as_ref().is_some_and(|d| d.coinductive));
        let plain = if single { "(declare-datatype " } else { "(declare-datatypes (" };
        let dual = if single { "(declare-codatatype " } else { "(declare-codatatypes (" };
        self.text(if co { dual } else { plain });
        for (n, &sort) in sorts.iter().enumerate() {
            let decl = self.pool.sort_decl(sort);
            if single {
                self.name(decl.name);
                self.text(" ");
                continue;
            }
            self.text(if n > 0 { " (" } else { "(" });
            self.name(decl.name);
            self.text(" ");
            self.number(u64::from(decl.arity));
            self.text(")");
        }
        if !single {
            self.text(") (");
        }
        for (n, &sort) in sorts.iter().enumerate() {
            if n > 0 {
                self.text(" ");
            }
            self.constructors(sort);
        }
        if !single {
            self.text(")");
        }
    }

    fn constructors(&mut self, sort: SortDeclId) {
        let Some(datatype) = &self.pool.sort_decl(sort).datatype else { return };
        if !datatype.params.is_empty() {
            self.text("(par (");
            self.names(&datatype.params);
            self.text(") ");
        }
        self.text("(");
        for (n, constructor) in datatype.constructors.iter().enumerate() {
            self.text(if n > 0 { " (" } else { "(" });
            let decl = self.pool.decl(constructor.decl);
            self.name(decl.name);
            for (&selector, &field) in constructor.selectors.iter().zip(&decl.params) {
                self.text(" (");
                self.name(self.pool.decl(selector).name);
                self.text(" ");
                self.sort(field);
                self.text(")");
            }
            self.text(")");
        }
        self.text(if datatype.params.is_empty() { ")" } else { "))" });
    }
}
