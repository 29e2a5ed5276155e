//! Text from terms, sorts, commands and scripts.
//!
//! Two modes. *Faithful* gives back what was read: spelling of literals and old operator names, the comment lines
//! at the head, commands we do not know; only blanks, the bars of plain names and sort abbreviations change.
//! *Canonical* is stable, for hashing and comparing: operators have their canonical names, comments, `set-info`
//! and annotations without meaning are left out.
//!
//! Printing is iterative, so the deepest term prints. `Map` can record where each occurrence of a term lies in
//! the printed bytes: mutators then make a mutant by splicing bytes instead of building terms.

use crate::script::{Command, DefineForm, Script};
use crate::sort::{Sort, SortDeclId, SortId};
use crate::symbol::{Symbol, write_name};
use crate::term::{
    Attr, AttrValue, BindersId, Decl, DeclId, Index, IndicesId, Kind, Lit, Pool, Quantifier, Role, Spelling,
    TermId,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Faithful,
    Canonical,
}

/// An occurrence of a term in printed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    pub term: TermId,
    /// Bytes of the whole occurrence.
    pub start: u32,
    pub end: u32,
    /// Bytes of its operator or name; empty where it has none of its own.
    pub head_start: u32,
    pub head_end: u32,
    /// The occurrence this one is an argument of (`u32::MAX` at the top), and which argument.
    pub parent: u32,
    pub argument: u32,
    /// The command it belongs to.
    pub command: u32,
}

/// Printed text with the places of all term occurrences, in printing order (a parent before its arguments).
#[derive(Clone, Debug, Default)]
pub struct Printed {
    pub bytes: Vec<u8>,
    pub occurrences: Vec<Occurrence>,
    /// Where each printed command begins; it ends before the line end in front of the next.
    pub commands: Vec<u32>,
}

/// The script as text.
pub fn print(script: &Script, format: Format) -> Vec<u8> {
    let mut printer = Printer::new(&script.pool, format, false);
    printer.script(script);
    printer.out.bytes
}

/// The script as text, with the place of every term.
pub fn print_mapped(script: &Script, format: Format) -> Printed {
    let mut printer = Printer::new(&script.pool, format, true);
    printer.script(script);
    printer.out
}

pub fn term_text(pool: &Pool, term: TermId) -> String {
    let mut printer = Printer::new(pool, Format::Faithful, false);
    printer.term(term);
    String::from_utf8_lossy(&printer.out.bytes).into_owned()
}

/// Appends a term to a text.
pub fn write_term(out: &mut Vec<u8>, pool: &Pool, term: TermId) {
    let mut printer = Printer::new(pool, Format::Faithful, false);
    std::mem::swap(&mut printer.out.bytes, out);
    printer.term(term);
    std::mem::swap(&mut printer.out.bytes, out);
}

/// Appends a sort to a text.
pub fn write_sort(out: &mut Vec<u8>, pool: &Pool, sort: SortId) {
    let mut printer = Printer::new(pool, Format::Faithful, false);
    std::mem::swap(&mut printer.out.bytes, out);
    printer.sort(sort);
    std::mem::swap(&mut printer.out.bytes, out);
}

pub fn sort_text(pool: &Pool, sort: SortId) -> String {
    let mut printer = Printer::new(pool, Format::Faithful, false);
    printer.sort(sort);
    String::from_utf8_lossy(&printer.out.bytes).into_owned()
}

/// One command as text, without a line end.
pub fn command_text(pool: &Pool, command: &Command) -> Vec<u8> {
    let mut printer = Printer::new(pool, Format::Faithful, false);
    printer.command(command);
    printer.out.bytes
}

struct Printer<'p> {
    pool: &'p Pool,
    format: Format,
    mapped: bool,
    out: Printed,
    steps: Vec<Step>,
    command: u32,
}

/// What is still to be printed, last first.
#[derive(Clone, Copy)]
enum Step {
    Term {
        term: TermId,
        parent: u32,
        argument: u32,
    },
    /// Ends an occurrence.
    End(u32),
    Text(&'static str),
    Name(Symbol),
    /// The attributes of an annotation from the n-th on; `arg` is its next pattern term.
    Attrs {
        annot: TermId,
        n: u32,
        arg: u32,
        occurrence: u32,
    },
    Pattern {
        case: (crate::term::CasesId, u32),
    },
}

impl<'p> Printer<'p> {
    fn new(pool: &'p Pool, format: Format, mapped: bool) -> Printer<'p> {
        Printer { pool, format, mapped, out: Printed::default(), steps: vec![], command: 0 }
    }

    fn text(&mut self, text: &str) {
        self.out.bytes.extend_from_slice(text.as_bytes());
    }

    fn raw(&mut self, symbol: Symbol) {
        self.out.bytes.extend_from_slice(self.pool.bytes(symbol));
    }

    fn name(&mut self, symbol: Symbol) {
        write_name(&mut self.out.bytes, self.pool.bytes(symbol));
    }

    fn number(&mut self, number: u64) {
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.out.bytes.extend_from_slice(&digits[at..]);
    }

    // Script.

    fn script(&mut self, script: &Script) {
        if self.format == Format::Faithful {
            self.out.bytes.extend_from_slice(script.head.trim_ascii_end());
            if !self.out.bytes.is_empty() {
                self.text("\n");
            }
        }
        for (n, command) in script.commands.iter().enumerate() {
            if self.format == Format::Canonical && self.is_noise(command) {
                continue;
            }
            self.command = n as u32;
            if self.mapped {
                self.out.commands.push(self.out.bytes.len() as u32);
            }
            self.command(command);
            self.text("\n");
        }
    }

    fn is_noise(&self, command: &Command) -> bool {
        matches!(command, Command::SetInfo(..) | Command::Exit)
    }

    fn command(&mut self, command: &Command) {
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

    fn spaced(&mut self, text: Symbol) {
        if !self.pool.bytes(text).is_empty() {
            self.text(" ");
            self.raw(text);
        }
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

    fn sorted_vars(&mut self, vars: BindersId) {
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

    // Sorts.

    fn sorts(&mut self, sorts: &[SortId]) {
        for (n, &sort) in sorts.iter().enumerate() {
            if n > 0 {
                self.text(" ");
            }
            self.sort(sort);
        }
    }

    fn sort_list(&mut self, open: &str, sorts: &[SortId]) {
        self.text(open);
        for &sort in sorts {
            self.text(" ");
            self.sort(sort);
        }
        self.text(")");
    }

    /// Sorts are shallow: the reader bounds their nesting.
    fn sort(&mut self, sort: SortId) {
        let pool = self.pool;
        match pool.sort(sort) {
            Sort::Bool => self.text("Bool"),
            Sort::Int => self.text("Int"),
            Sort::Real => self.text("Real"),
            Sort::String => self.text("String"),
            Sort::RegLan => self.text("RegLan"),
            Sort::RoundingMode => self.text("RoundingMode"),
            Sort::Char => self.text("Unicode"),
            Sort::BitVec(width) => {
                self.text("(_ BitVec ");
                self.number(u64::from(*width));
                self.text(")");
            }
            Sort::Float { eb, sb } => {
                self.text("(_ FloatingPoint ");
                self.number(u64::from(*eb));
                self.text(" ");
                self.number(u64::from(*sb));
                self.text(")");
            }
            Sort::Array(index, element) => self.sort_list("(Array", &[*index, *element]),
            Sort::MultiArray(sorts) => self.sort_list("(Array", sorts),
            Sort::Seq(element) => self.sort_list("(Seq", &[*element]),
            Sort::Set(element) => self.sort_list("(Set", &[*element]),
            Sort::FiniteSet(element) => self.sort_list("(FiniteSet", &[*element]),
            Sort::Bag(element) => self.sort_list("(Bag", &[*element]),
            Sort::Nullable(element) => self.sort_list("(Nullable", &[*element]),
            Sort::Tuple(sorts) if sorts.is_empty() => self.text("UnitTuple"),
            Sort::Tuple(sorts) => self.sort_list("(Tuple", sorts),
            Sort::Fun(sorts) => self.sort_list("(->", sorts),
            Sort::Field(order) => {
                self.text("(_ FiniteField ");
                self.raw(*order);
                self.text(")");
            }
            Sort::Declared(decl, args) if args.is_empty() => self.name(pool.sort_decl(*decl).name),
            Sort::Declared(decl, args) => {
                self.text("(");
                self.name(pool.sort_decl(*decl).name);
                self.sort_list("", args);
            }
            Sort::Param(name) => self.name(*name),
        }
    }

    // Terms.

    fn term(&mut self, term: TermId) {
        let floor = self.steps.len();
        self.steps.push(Step::Term { term, parent: u32::MAX, argument: 0 });
        while self.steps.len() > floor {
            match self.steps.pop() {
                Some(Step::Term { term, parent, argument }) => self.begin_term(term, parent, argument),
                Some(Step::End(occurrence)) => {
                    self.out.occurrences[occurrence as usize].end = self.out.bytes.len() as u32;
                }
                Some(Step::Text(text)) => self.text(text),
                Some(Step::Name(name)) => self.name(name),
                Some(Step::Attrs { annot, n, arg, occurrence }) => self.attrs(annot, n, arg, occurrence),
                Some(Step::Pattern { case: (cases, n) }) => self.pattern(cases, n),
                None => return,
            }
        }
    }

    /// Records an occurrence; gives its number.
    fn occurrence(&mut self, term: TermId, parent: u32, argument: u32) -> u32 {
        let start = self.out.bytes.len() as u32;
        let command = self.command;
        let entry = Occurrence {
            term,
            start,
            end: start,
            head_start: start,
            head_end: start,
            parent,
            argument,
            command,
        };
        self.out.occurrences.push(entry);
        self.out.occurrences.len() as u32 - 1
    }

    fn begin_term(&mut self, term: TermId, parent: u32, argument: u32) {
        let pool = self.pool;
        let kind = pool.kind(term);
        let args = pool.args(term);
        if let Kind::Op { spelling: Spelling::Implicit, .. } = kind {
            self.steps.push(Step::Term { term: args[0], parent, argument });
            return;
        }
        let mut this = u32::MAX;
        if self.mapped {
            this = self.occurrence(term, parent, argument);
            self.steps.push(Step::End(this));
        }
        match kind {
            Kind::Lit(lit, text) => self.literal(lit, text, pool.sort_of(term)),
            Kind::Var(name) => self.name(name),
            Kind::Op { .. } | Kind::Fun { .. } | Kind::Tester { .. } | Kind::Updater { .. } => {
                if !args.is_empty() {
                    self.text("(");
                }
                let head_start = self.out.bytes.len() as u32;
                self.head(kind, pool.sort_of(term));
                if this != u32::MAX {
                    let head_end = self.out.bytes.len() as u32;
                    let occurrence = &mut self.out.occurrences[this as usize];
                    (occurrence.head_start, occurrence.head_end) = (head_start, head_end);
                }
                if !args.is_empty() {
                    self.steps.push(Step::Text(")"));
                    self.push_args(args, this, 0);
                }
            }
            Kind::Let(binders) => self.begin_let(binders, args, this),
            Kind::Quant(quantifier, binders) => self.begin_quantifier(quantifier, binders, args, this),
            Kind::Match(cases) => {
                self.text("(match ");
                self.steps.push(Step::Text("))"));
                for n in (1..args.len()).rev() {
                    self.steps.push(Step::Text(")"));
                    self.steps.push(Step::Term { term: args[n], parent: this, argument: n as u32 });
                    self.steps.push(Step::Pattern { case: (cases, n as u32 - 1) });
                }
                self.steps.push(Step::Text(" ("));
                self.steps.push(Step::Term { term: args[0], parent: this, argument: 0 });
            }
            Kind::Annot(attrs) => {
                if self.format == Format::Canonical && !self.has_meaning(pool.attr_list(attrs)) {
                    self.steps.push(Step::Term { term: args[0], parent: this, argument: 0 });
                    return;
                }
                self.text("(! ");
                self.steps.push(Step::Attrs { annot: term, n: 0, arg: 1, occurrence: this });
                self.steps.push(Step::Term { term: args[0], parent: this, argument: 0 });
            }
        }
    }

    fn has_meaning(&self, attrs: &[Attr]) -> bool {
        attrs.iter().any(|attr| matches!(attr.value, AttrValue::Name(_) | AttrValue::Terms(..)))
    }

    /// Pushes ` arg` for each argument, last first.
    fn push_args(&mut self, args: &[TermId], parent: u32, first: u32) {
        for (n, &term) in args.iter().enumerate().rev() {
            self.steps.push(Step::Term { term, parent, argument: first + n as u32 });
            self.steps.push(Step::Text(" "));
        }
    }

    fn begin_let(&mut self, binders: BindersId, args: &[TermId], this: u32) {
        let vars = self.pool.binder_list(binders);
        self.text("(let (");
        self.steps.push(Step::Text(")"));
        self.steps.push(Step::Term { term: args[vars.len()], parent: this, argument: vars.len() as u32 });
        self.steps.push(Step::Text(") "));
        for (n, &(name, _)) in vars.iter().enumerate().rev() {
            self.steps.push(Step::Text(")"));
            self.steps.push(Step::Term { term: args[n], parent: this, argument: n as u32 });
            self.steps.push(Step::Text(" "));
            self.steps.push(Step::Name(name));
            self.steps.push(Step::Text(if n > 0 { " (" } else { "(" }));
        }
    }

    fn begin_quantifier(&mut self, quantifier: Quantifier, binders: BindersId, args: &[TermId], this: u32) {
        self.text("(");
        let head_start = self.out.bytes.len() as u32;
        self.text(quantifier.name());
        if this != u32::MAX {
            let head_end = self.out.bytes.len() as u32;
            let occurrence = &mut self.out.occurrences[this as usize];
            (occurrence.head_start, occurrence.head_end) = (head_start, head_end);
        }
        self.text(" ");
        self.sorted_vars(binders);
        self.steps.push(Step::Text(")"));
        self.push_args(args, this, 0);
    }

    fn attrs(&mut self, annot: TermId, n: u32, arg: u32, occurrence: u32) {
        let Kind::Annot(attrs) = self.pool.kind(annot) else { return };
        let Some(attr) = self.pool.attr_list(attrs).get(n as usize) else {
            return self.text(")");
        };
        self.text(" ");
        self.raw(attr.key);
        let mut next = arg;
        match attr.value {
            AttrValue::None => {}
            AttrValue::Name(decl) => {
                self.text(" ");
                self.name(self.pool.decl(decl).name);
            }
            AttrValue::Text(text) => self.spaced(text),
            AttrValue::Terms(count, _) => next += count,
        }
        self.steps.push(Step::Attrs { annot, n: n + 1, arg: next, occurrence });
        if let AttrValue::Terms(count, _) = attr.value {
            self.text(" (");
            self.steps.push(Step::Text(")"));
            let args = &self.pool.args(annot)[arg as usize..(arg + count) as usize];
            for (m, &term) in args.iter().enumerate().rev() {
                self.steps.push(Step::Term { term, parent: occurrence, argument: arg + m as u32 });
                if m > 0 {
                    self.steps.push(Step::Text(" "));
                }
            }
        }
    }

    fn pattern(&mut self, cases: crate::term::CasesId, n: u32) {
        let case = &self.pool.case_list(cases)[n as usize];
        self.text(if n > 0 { " (" } else { "(" });
        match case.constructor {
            None => self.pattern_var(case.vars[0].0),
            Some(decl) if case.vars.is_empty() => self.name(self.pool.decl(decl).name),
            Some(decl) => {
                self.text("(");
                self.name(self.pool.decl(decl).name);
                for &(name, _) in &case.vars {
                    self.text(" ");
                    self.pattern_var(name);
                }
                self.text(")");
            }
        }
        self.text(" ");
    }

    fn pattern_var(&mut self, name: Symbol) {
        if self.pool.bytes(name) == b"_" { self.text("_") } else { self.name(name) }
    }

    fn literal(&mut self, lit: Lit, text: Symbol, sort: SortId) {
        match lit {
            Lit::Numeral | Lit::Decimal | Lit::Hex | Lit::Binary | Lit::Algebraic => self.raw(text),
            Lit::String => {
                self.text("\"");
                self.raw(text);
                self.text("\"");
            }
            Lit::BvDecimal => {
                self.text("(_ bv");
                self.raw(text);
                self.text(" ");
                if let Sort::BitVec(width) = self.pool.sort(sort) {
                    self.number(u64::from(*width));
                }
                self.text(")");
            }
            Lit::Char => {
                self.text("(_ char ");
                self.raw(text);
                self.text(")");
            }
            Lit::Field => {
                self.text("(as ff");
                self.raw(text);
                self.text(" ");
                self.sort(sort);
                self.text(")");
            }
            Lit::Abstract => {
                self.text("(as ");
                self.name(text);
                self.text(" ");
                self.sort(sort);
                self.text(")");
            }
        }
    }

    fn head(&mut self, kind: Kind, sort: SortId) {
        let pool = self.pool;
        match kind {
            Kind::Op { op, spelling, indices, qualified } => {
                let row = op.row();
                let name = match (spelling, self.format) {
                    (Spelling::Alias(n), Format::Faithful) => row.aliases[n as usize],
                    _ => row.name,
                };
                if qualified {
                    self.text("(as ");
                }
                if indices == IndicesId::NONE {
                    self.text(name);
                } else {
                    self.indexed(name, indices);
                }
                if qualified {
                    self.qualifier(sort);
                }
            }
            Kind::Fun { decl, qualified } => {
                if qualified {
                    self.text("(as ");
                }
                self.name(pool.decl(decl).name);
                if qualified {
                    self.qualifier(sort);
                }
            }
            Kind::Tester { constructor, dashed: true } if self.format == Format::Faithful => {
                let mut name = b"is-".to_vec();
                name.extend_from_slice(pool.bytes(pool.decl(constructor).name));
                write_name(&mut self.out.bytes, &name);
            }
            Kind::Tester { constructor, .. } => self.indexed_by_name("(_ is ", constructor),
            Kind::Updater { selector } => self.indexed_by_name("(_ update ", selector),
            _ => {}
        }
    }

    fn qualifier(&mut self, sort: SortId) {
        self.text(" ");
        self.sort(sort);
        self.text(")");
    }

    fn indexed(&mut self, name: &str, indices: IndicesId) {
        self.text("(_ ");
        self.text(name);
        for &index in self.pool.index_list(indices) {
            self.text(" ");
            match index {
                Index::Num(number) => self.number(number),
                Index::Text(text) => self.index_text(text),
                Index::Fun(decl) => self.name(self.pool.decl(decl).name),
                Index::Op(op) => self.text(op.row().name),
            }
        }
        self.text(")");
    }

    fn index_text(&mut self, text: Symbol) {
        match self.pool.bytes(text).first() {
            Some(b'(' | b'#' | b'0'..=b'9') => self.raw(text),
            _ => self.name(text),
        }
    }

    fn indexed_by_name(&mut self, open: &str, decl: DeclId) {
        self.text(open);
        self.name(self.pool.decl(decl).name);
        self.text(")");
    }
}
