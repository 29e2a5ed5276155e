//! A parsed script: its commands in order over one pool of terms.
//!
//! Commands that falsum does not know are kept as opaque text and printed unchanged; so are attribute values, option
//! values and the comment lines at the head of the file.

use crate::error::Error;
use crate::limits::ReadLimits;
use crate::sort::{SortDeclId, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{DeclId, Kind, Pool, Role, TermId};
use std::collections::BTreeSet;

/// A whole script.
#[derive(Clone)]
pub struct Script {
    pub pool: Pool,
    pub commands: Vec<Command>,
    /// The position of each command in the source.
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

/// Whether a command that is kept as text has no influence on any answer.
fn is_idle(name: &[u8]) -> bool {
    const IDLE: [&[u8]; 9] = [
        b"echo",
        b"simplify",
        b"eval",
        b"display",
        b"help",
        b"apply",
        b"labels",
        b"declare-sort-parameter",
        b"declare-pool",
    ];
    name.starts_with(b"get-") || IDLE.contains(&name)
}

impl Command {
    /// Whether the command declares or defines a name.
    pub fn is_declaration(&self) -> bool {
        matches!(
            self,
            Command::DeclareSort(_)
                | Command::DefineSort { .. }
                | Command::DeclareDatatypes { .. }
                | Command::DeclareFun { .. }
                | Command::DefineFun { .. }
                | Command::DefineFunsRec(_)
        )
    }

    /// Whether the command asks for a sat/unsat answer.
    pub fn is_check(&self) -> bool {
        matches!(self, Command::CheckSat | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_))
    }
}

impl Script {
    /// Parses and type-checks a script.
    pub fn parse(source: &[u8]) -> Result<Script, Error> {
        Script::parse_with(source, ReadLimits::default())
    }

    pub fn parse_with(source: &[u8], limits: ReadLimits) -> Result<Script, Error> {
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

    /// The number of check-sats before the first command with an unknown effect: it may assert something, as cvc5's
    /// `block-model` and z3's `include` do.
    pub fn understood_checks(&self) -> usize {
        let strange = |command: &Command| matches!(command, Command::Other { name, .. } if !is_idle(self.pool.bytes(*name)));
        self.commands
            .iter()
            .take_while(|command| !strange(command))
            .filter(|command| command.is_check())
            .count()
    }

    /// Whether there is a function, constant or sort that a model interprets.
    pub fn declares_something(&self) -> bool {
        self.commands
            .iter()
            .any(|command| matches!(command, Command::DeclareFun { .. } | Command::DeclareSort(_)))
    }

    /// Whether a function is defined recursively.
    pub fn is_recursive(&self) -> bool {
        self.recursive().next().is_some()
    }

    /// Whether a function that is defined recursively may not exist, or not be the only one: `(define-fun-rec f ((x Int))
    /// Int (+ 1 (f x)))` makes everything unsatisfiable. Definitions that plainly end are no problem.
    pub fn may_lack_functions(&self) -> bool {
        self.recursive().any(|group| match group {
            [one] => !crate::descent::ends(&self.pool, *one),
            _ => true,
        })
    }

    /// The functions that use themselves or each other in their definitions, group by group.
    fn recursive(&self) -> impl Iterator<Item = &[DeclId]> {
        let groups = self.commands.iter().filter_map(|command| match command {
            Command::DefineFun { decl, form: DefineForm::Rec } => Some(std::slice::from_ref(decl)),
            Command::DefineFunsRec(decls) => Some(&decls[..]),
            _ => None,
        });
        groups.filter(|group| self.uses_itself(group))
    }

    fn uses_itself(&self, group: &[DeclId]) -> bool {
        let mut waiting: Vec<TermId> = vec![];
        for decl in group {
            if let Role::Defined { body, .. } = self.pool.decl(*decl).role {
                waiting.push(body);
            }
        }
        let mut seen = BTreeSet::new();
        while let Some(term) = waiting.pop() {
            let uses = match self.pool.kind(term) {
                Kind::Fun { decl, .. } => group.contains(&decl),
                Kind::Op { indices, .. } => {
                    let names =
                        |&index| group.iter().any(|&decl| crate::descent::names(&self.pool, index, decl));
                    self.pool.index_list(indices).iter().any(names)
                }
                _ => false,
            };
            if uses {
                return true;
            }
            waiting.extend(self.pool.args(term).iter().filter(|arg| seen.insert(**arg)));
        }
        false
    }

    /// The assertions at the given check (counted from 0): the asserted terms with the numbers of their commands, then
    /// the assumptions of the check itself.
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

    /// The number of answers that a solver must give.
    pub fn checks(&self) -> usize {
        self.commands.iter().filter(|command| command.is_check()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Script {
        Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn checks_after_an_unknown_command_are_not_understood() {
        let understood = |text| script(text).understood_checks();
        assert_eq!(understood("(check-sat)(get-model)(echo \"x\")(check-sat)"), 2);
        assert_eq!(understood("(check-sat)(block-model :values)(check-sat)"), 1);
        assert_eq!(understood("(include \"x\")(check-sat)"), 0);
    }

    #[test]
    fn a_function_is_recursive_if_its_definition_uses_it_or_one_that_is_defined_with_it() {
        assert!(script("(define-fun-rec f ((x Int)) Int (+ 1 (f x)))").is_recursive());
        assert!(!script("(define-fun-rec f ((x Int)) Int (+ 1 x))(assert (= 1 (f 0)))").is_recursive());
        let both = "(define-funs-rec ((f ((x Bool)) Bool) (g ((x Bool)) Bool)) ((g x) (not x)))";
        assert!(script(both).is_recursive());
        assert!(!script("(define-fun f ((x Int)) Int x)(define-fun g () Int (f 1))").is_recursive());
    }
}
