//! Prints terms, with an explicit stack.
//!
//! Pending output is a stack of steps: beginning a term writes its head and pushes the rest. A step is a few words and
//! is copied, so terms of any depth need no allocation. If occurrences are recorded, each is recorded when it begins,
//! and a separate step sets its end.

use super::{Format, Occurrence, Printer};
use crate::sort::{Sort, SortId};
use crate::symbol::{Symbol, write_name};
use crate::term::{
    Attr, AttrValue, BindersId, CasesId, DeclId, Index, IndicesId, Kind, Lit, Quantifier, Spelling, TermId,
};

/// Pending output, in reverse order.
#[derive(Clone, Copy)]
pub(super) enum Step {
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
        case: (CasesId, u32),
    },
}

impl Printer<'_> {
    pub(super) fn term(&mut self, term: TermId) {
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

    /// Records an occurrence and returns its number.
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

    /// Records the bytes of a head, if occurrences are recorded.
    fn end_head(&mut self, occurrence: u32, head_start: u32) {
        if occurrence != u32::MAX {
            let head_end = self.out.bytes.len() as u32;
            let occurrence = &mut self.out.occurrences[occurrence as usize];
            (occurrence.head_start, occurrence.head_end) = (head_start, head_end);
        }
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
                self.end_head(this, head_start);
                if !args.is_empty() {
                    self.steps.push(Step::Text(")"));
                    self.push_args(args, this);
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

    /// Pushes ` arg` for each argument, in reverse order.
    fn push_args(&mut self, args: &[TermId], parent: u32) {
        for (n, &term) in args.iter().enumerate().rev() {
            self.steps.push(Step::Term { term, parent, argument: n as u32 });
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
        self.end_head(this, head_start);
        self.text(" ");
        self.sorted_vars(binders);
        self.steps.push(Step::Text(")"));
        self.push_args(args, this);
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

    fn pattern(&mut self, cases: CasesId, n: u32) {
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
