//! The meaning of names at a position in the script.
//!
//! There is one entry per symbol, indexed by it: the bound variable that shadows everything else, the functions
//! declared under that name (several, if ranks differ), the theory operators, and the sort. `push` and `pop` keep a
//! trail of changes, so the cost of leaving a scope is proportional to its declarations.

use crate::sort::{SortDeclId, SortId};
use crate::symbol::Symbol;
use crate::term::{DeclId, Pool};
use crate::theory::{self, Overloads};

/// The meaning of a sort name.
#[derive(Clone, Debug)]
pub enum SortMeaning {
    Declared(SortDeclId),
    /// `define-sort`: the parameters and the sort that contains them.
    Alias(Box<[Symbol]>, SortId),
    Param,
}

/// A bound variable.
#[derive(Clone, Copy)]
pub struct Variable {
    pub sort: SortId,
    /// Whether it is bound by `let`: then it has a value, so a term that uses it is not open.
    pub is_value: bool,
}

#[derive(Clone, Default)]
pub struct Entry {
    /// The variable that is visible.
    pub var: Option<Variable>,
    /// Newest last.
    pub decls: Vec<DeclId>,
    pub sort: Option<SortMeaning>,
    pub operators: Option<&'static Overloads>,
    known: bool,
}

enum Undo {
    Decl(Symbol),
    Sort(Symbol, Option<SortMeaning>),
}

#[derive(Default)]
pub struct Scope {
    entries: Vec<Entry>,
    trail: Vec<Undo>,
    levels: Vec<usize>,
    bound: Vec<(Symbol, Option<Variable>)>,
    /// Declarations and sort declarations with smaller numbers are from before a `reset-assertions`.
    replaceable: (u32, u32),
    /// Whether the script has ever declared a sort parameter (SMT-LIB 2.7).
    pub has_sort_params: bool,
    /// `(set-option :global-declarations true)`: declarations survive `pop`.
    pub global: bool,
}

impl Scope {
    #[inline]
    pub fn entry(&mut self, pool: &Pool, symbol: Symbol) -> &mut Entry {
        let at = symbol.0 as usize;
        if at >= self.entries.len() {
            self.entries.resize_with((at + 1).max(pool.symbols.len()), Entry::default);
        }
        let entry = &mut self.entries[at];
        if !entry.known {
            entry.known = true;
            entry.operators = theory::lookup(pool.bytes(symbol));
        }
        entry
    }

    /// The functions declared under a name, newest last.
    pub fn decls(&self, symbol: Symbol) -> &[DeclId] {
        self.entries.get(symbol.0 as usize).map_or(&[], |entry| &entry.decls)
    }

    /// All names that have a meaning from the script, in the order of first occurrence.
    pub fn names(&self) -> impl Iterator<Item = Symbol> + '_ {
        let in_use = |entry: &Entry| entry.var.is_some() || !entry.decls.is_empty();
        self.entries.iter().enumerate().filter(move |(_, e)| in_use(e)).map(|(n, _)| Symbol(n as u32))
    }

    // Variables.

    pub fn mark(&self) -> usize {
        self.bound.len()
    }

    /// Binds a variable that ranges over its sort.
    pub fn bind(&mut self, pool: &Pool, symbol: Symbol, sort: SortId) {
        self.bind_variable(pool, symbol, Variable { sort, is_value: false });
    }

    /// Binds a variable that has a value.
    pub fn bind_value(&mut self, pool: &Pool, symbol: Symbol, sort: SortId) {
        self.bind_variable(pool, symbol, Variable { sort, is_value: true });
    }

    fn bind_variable(&mut self, pool: &Pool, symbol: Symbol, variable: Variable) {
        let shadowed = self.entry(pool, symbol).var.replace(variable);
        self.bound.push((symbol, shadowed));
    }

    /// Unbinds everything bound since the mark.
    pub fn unbind(&mut self, mark: usize) {
        while self.bound.len() > mark {
            if let Some((symbol, shadowed)) = self.bound.pop() {
                self.entries[symbol.0 as usize].var = shadowed;
            }
        }
    }

    // Declarations.

    pub fn declare(&mut self, pool: &Pool, symbol: Symbol, decl: DeclId) {
        self.entry(pool, symbol).decls.push(decl);
        self.trail.push(Undo::Decl(symbol));
    }

    pub fn declare_sort(&mut self, pool: &Pool, symbol: Symbol, meaning: SortMeaning) {
        let previous = self.entry(pool, symbol).sort.replace(meaning);
        self.trail.push(Undo::Sort(symbol, previous));
    }

    /// A point to return to with `rewind`.
    pub fn checkpoint(&self) -> usize {
        self.trail.len()
    }

    pub fn rewind(&mut self, checkpoint: usize) {
        while self.trail.len() > checkpoint {
            match self.trail.pop() {
                Some(Undo::Decl(symbol)) => {
                    self.entries[symbol.0 as usize].decls.pop();
                }
                Some(Undo::Sort(symbol, previous)) => self.entries[symbol.0 as usize].sort = previous,
                None => return,
            }
        }
    }

    pub fn push(&mut self, levels: u32) {
        for _ in 0..levels {
            self.levels.push(self.trail.len());
        }
    }

    /// The number of open levels.
    pub fn open(&self) -> usize {
        self.levels.len()
    }

    pub fn pop(&mut self, levels: u32) {
        for _ in 0..levels {
            if let Some(mark) = self.levels.pop()
                && !self.global
            {
                self.rewind(mark);
            }
        }
    }

    /// `reset`: removes all declarations.
    pub fn reset(&mut self) {
        self.levels.clear();
        self.rewind(0);
        self.global = false;
    }

    /// `reset-assertions`: the standard removes declarations unless they are global, but solvers keep those of the
    /// first level. Scripts of both kinds are accepted: the declarations stay and can be made again.
    pub fn reset_assertions(&mut self, pool: &Pool) {
        let first = self.levels.first().copied();
        self.levels.clear();
        if !self.global {
            self.rewind(first.unwrap_or(self.trail.len()));
            self.replaceable = (pool.decls.len() as u32, pool.sort_decls.len() as u32);
        }
    }

    /// Whether a declaration may be made again.
    pub fn can_replace(&self, decl: DeclId) -> bool {
        decl.0 < self.replaceable.0
    }

    /// Whether a sort may be declared again.
    pub fn can_replace_sort(&self, decl: SortDeclId) -> bool {
        decl.0 < self.replaceable.1
    }
}
