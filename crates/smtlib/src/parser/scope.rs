//! What names mean at a place in the script.
//!
//! One entry per symbol, indexed by it: the bound variable that shadows everything, the functions declared under
//! that name (several, if ranks differ), the theory operators, and the sort. `push` and `pop` keep a trail of
//! what to undo, so leaving a scope costs what was declared in it.

use crate::sort::{SortDeclId, SortId};
use crate::symbol::Symbol;
use crate::term::{DeclId, Pool};
use crate::theory::{self, Overloads};

/// What a sort name means.
#[derive(Clone, Debug)]
pub enum SortMeaning {
    Declared(SortDeclId),
    /// `define-sort`: parameters and the sort they stand in.
    Alias(Box<[Symbol]>, SortId),
    Param,
}

/// A bound variable.
#[derive(Clone, Copy)]
pub struct Variable {
    pub sort: SortId,
    /// Bound by `let`: it stands for a value, so a term that uses it is not open.
    pub is_value: bool,
}

#[derive(Clone, Default)]
pub struct Entry {
    /// The variable in force.
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

    /// Every name that means something that the script said, in the order in which they first occurred.
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

    /// Binds a variable that stands for a value.
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

    /// A place to come back to with `rewind`.
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

    /// How many levels are open.
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

    /// `reset`: nothing is declared any more.
    pub fn reset(&mut self) {
        self.levels.clear();
        self.rewind(0);
        self.global = false;
    }

    /// `reset-assertions`: the standard forgets declarations unless they are global, solvers keep those of the
    /// first level. Scripts of both kinds are read: what stays can be declared again.
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
