//! A parsed script: its commands in order over one pool of terms.
//!
//! Commands that falsum does not understand survive as opaque text and print back unchanged; so do attribute
//! values, option values and the comment lines at the head of the file.

use crate::error::Error;
use crate::limits::Limits;
use crate::sort::{SortDeclId, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{DeclId, Pool, TermId};

/// A whole script.
#[derive(Clone)]
pub struct Script {
    pub pool: Pool,
    pub commands: Vec<Command>,
    /// Where each command stood in the source.
    pub spans: Vec<Span>,
    /// Comment lines before the first command, as written.
    pub head: Vec<u8>,
    /// The logic of the first `set-logic`.
    pub logic: Option<Symbol>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    SetLogic(Symbol),
    /// Key with its colon, value as written (empty if there is none).
    SetInfo(Symbol, Symbol),
    SetOption(Symbol, Symbol),
    DeclareSort(SortDeclId),
    DefineSort {
        name: Symbol,
        params: Box<[Symbol]>,
        sort: SortId,
    },
    /// `declare-datatype` if the flag is set, else `declare-datatypes`.
    DeclareDatatypes {
        sorts: Box<[SortDeclId]>,
        single: bool,
    },
    /// `declare-const` if the flag is set, else `declare-fun`.
    DeclareFun {
        decl: DeclId,
        constant: bool,
    },
    /// `define-fun`, `define-const` or `define-fun-rec`.
    DefineFun {
        decl: DeclId,
        form: DefineForm,
    },
    DefineFunsRec(Box<[DeclId]>),
    Assert(TermId),
    /// `assert-soft` with its attributes as written.
    AssertSoft(TermId, Symbol),
    Minimize(TermId, Symbol),
    Maximize(TermId, Symbol),
    CheckSat,
    /// `check-sat-assuming`.
    CheckSatAssuming(Box<[TermId]>),
    /// `check-sat-using` with its tactic as written.
    CheckSatUsing(Symbol),
    GetValue(Box<[TermId]>),
    Push(u32),
    Pop(u32),
    Reset,
    ResetAssertions,
    Exit,
    /// Any other command: its name and the rest as written.
    Other {
        name: Symbol,
        rest: Symbol,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefineForm {
    Fun,
    Const,
    Rec,
}

impl Command {
    /// Whether the command asks for a sat/unsat answer.
    pub fn is_check(&self) -> bool {
        matches!(self, Command::CheckSat | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_))
    }
}

impl Script {
    /// Parses and type-checks a script.
    pub fn parse(source: &[u8]) -> Result<Script, Error> {
        Script::parse_with(source, Limits::default())
    }

    pub fn parse_with(source: &[u8], limits: Limits) -> Result<Script, Error> {
        crate::parser::parse(source, limits)
    }

    /// The logic's name, if the script sets one.
    pub fn logic_name(&self) -> Option<std::borrow::Cow<'_, str>> {
        self.logic.map(|logic| self.pool.name(logic))
    }

    /// The asserted terms, in order, whatever scope they are in.
    pub fn assertions(&self) -> impl Iterator<Item = TermId> + '_ {
        self.commands.iter().filter_map(|command| match command {
            Command::Assert(term) => Some(*term),
            _ => None,
        })
    }

    /// The values of every `(set-info :status …)`, in order.
    pub fn statuses(&self) -> impl Iterator<Item = &[u8]> + '_ {
        self.commands.iter().filter_map(|command| match command {
            Command::SetInfo(key, value) if self.pool.bytes(*key) == b":status" => {
                Some(self.pool.bytes(*value))
            }
            _ => None,
        })
    }

    /// What holds at the given check (counted from 0): the asserted terms with the numbers of their commands,
    /// then the assumptions of the check itself.
    pub fn in_force(&self, check: usize) -> Vec<(usize, TermId)> {
        let mut stack: Vec<(usize, TermId)> = vec![];
        let mut levels: Vec<usize> = vec![];
        let mut seen = 0;
        for (n, command) in self.commands.iter().enumerate() {
            match command {
                Command::Assert(term) => stack.push((n, *term)),
                Command::Push(count) => levels.extend(std::iter::repeat_n(stack.len(), *count as usize)),
                Command::Pop(count) => {
                    for _ in 0..*count {
                        stack.truncate(levels.pop().unwrap_or(0));
                    }
                }
                Command::Reset | Command::ResetAssertions => {
                    stack.clear();
                    levels.clear();
                }
                _ if command.is_check() => {
                    if seen == check {
                        if let Command::CheckSatAssuming(terms) = command {
                            stack.extend(terms.iter().map(|&term| (n, term)));
                        }
                        return stack;
                    }
                    seen += 1;
                }
                _ => {}
            }
        }
        stack
    }

    /// How many answers a solver owes.
    pub fn checks(&self) -> usize {
        self.commands.iter().filter(|command| command.is_check()).count()
    }
}
