//! Prints terms, sorts, commands and scripts.
//!
//! There are two modes. *Faithful* prints what was read: spelling of literals and old operator names, the comment
//! lines at the head, unknown commands; only blanks, the bars of plain names and sort abbreviations change.
//! *Canonical* is stable, for hashing and comparing: operators have their canonical names; comments, `set-info` and
//! annotations without meaning are left out.
//!
//! Printing is iterative, so terms of any depth can be printed. `print_mapped` records the position of each occurrence
//! of a term in the printed bytes, so that mutators can make a mutant by splicing bytes instead of building terms.
//!
//! This file has the entry points, the script as a whole, and sorts; `printer/commands.rs` and `printer/terms.rs` have
//! what their names say.

mod commands;
mod terms;

use crate::script::{Command, Script};
use crate::sort::{Sort, SortId};
use crate::symbol::{Symbol, write_name};
use crate::term::{Pool, TermId};
use terms::Step;

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
    /// Bytes of its operator or name; empty if it has none.
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
    /// The start of each printed command; it ends before the line end in front of the next.
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

    fn spaced(&mut self, text: Symbol) {
        if !self.pool.bytes(text).is_empty() {
            self.text(" ");
            self.raw(text);
        }
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

    /// Sorts are shallow: the parser limits their nesting.
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
}
