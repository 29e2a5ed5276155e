//! The places of a seed: for every printed occurrence, what is in scope there and whether it may be changed.
//!
//! In: a prepared seed. Out: `Places`, computed once per seed. Scope decides whether a mutant is well-typed: a
//! variable may be used only under its binder, a declared symbol only after its declaration and before the `pop` that
//! ends it, and no name may change its meaning because another declaration shadows it. An occurrence is frozen where a
//! change could violate a rule that types do not express: inside patterns, in assumptions and queries, under a
//! constant array (solvers require a value there), around a `:named` term.

use super::logic::Logic;
use crate::Prepared;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::script::{Command, DefineForm};
use smtlib::sort::{Sort, SortDeclId};
use smtlib::symbol::Symbol;
use smtlib::term::{AttrValue, DeclId, IndicesId, Kind, Role, Spelling};
use smtlib::{Pool, SortId, TermId};

/// Solvers as bits, so that sets of them are numbers.
pub mod solvers {
    pub const Z3: u8 = 1;
    pub const CVC5: u8 = 2;
    pub const BOTH: u8 = Z3 | CVC5;

    /// The bits for a row's `:by`.
    pub fn of(by: Option<&[&str]>) -> u8 {
        let Some(by) = by else { return BOTH };
        let bit = |name: &str, bit: u8| if by.contains(&name) { bit } else { 0 };
        bit("z3", Z3) | bit("cvc5", CVC5)
    }
}

/// The commands in which a symbol may be used: after the first, before the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    pub from: u32,
    pub until: u32,
}

impl Life {
    pub const ALWAYS: Life = Life { from: 0, until: u32::MAX };

    pub fn meet(self, other: Life) -> Life {
        Life { from: self.from.max(other.from), until: self.until.min(other.until) }
    }

    /// Whether a term of this command may use it. `from` is one more than the declaring command.
    pub fn covers(self, command: u32) -> bool {
        self.from <= command && command < self.until
    }
}

/// The variables in scope at a place, innermost first.
pub type Env = Box<[(Symbol, SortId)]>;

/// What is known about the places of one seed.
pub struct Places {
    pub logic: Logic,
    /// Where each `set-logic` has its name.
    pub logic_names: Vec<(u32, u32)>,
    /// The solvers that accept every operator and sort of the seed.
    pub takers: u8,
    /// The theories whose operators the seed uses.
    pub theories: Vec<&'static str>,
    pub envs: Vec<Env>,
    /// Per occurrence: its environment.
    pub env: Vec<u32>,
    /// Per occurrence: it may not be changed.
    pub frozen: Vec<bool>,
    /// Per occurrence: it or something in it may not be removed.
    pub holds: Vec<bool>,
    decls: Vec<Life>,
    sorts: Vec<Life>,
    /// Names that the script declares or binds. They do not mean the operators of the same name.
    taken: FxHashSet<Box<[u8]>>,
    /// Names that are both bound and declared, so that moving a term could change its meaning.
    pub ambiguous: FxHashSet<Symbol>,
    /// Whether nothing at all may be changed, because the script changes the meaning of its numerals in the middle.
    pub hopeless: bool,
}

impl Places {
    pub fn of(prepared: &Prepared) -> Places {
        let script = &prepared.script;
        let pool = &script.pool;
        let names: Vec<_> = script
            .commands
            .iter()
            .filter_map(|c| if let Command::SetLogic(name) = c { Some(pool.name(*name)) } else { None })
            .collect();
        let logic = Logic::of(names.first().map(|name| name.as_ref()));
        let hopeless = names.iter().any(|n| Logic::of(Some(n)).real_numerals() != logic.real_numerals())
            || (logic.real_numerals() && script.commands.contains(&Command::Reset));
        let mut places = Places {
            logic,
            logic_names: logic_names(prepared),
            takers: solvers::BOTH,
            theories: vec![],
            envs: vec![Box::new([])],
            env: vec![],
            frozen: vec![],
            holds: vec![],
            decls: vec![Life { from: u32::MAX, until: 0 }; pool.decls.len()],
            sorts: vec![Life { from: u32::MAX, until: 0 }; pool.sort_decls.len()],
            taken: FxHashSet::default(),
            ambiguous: FxHashSet::default(),
            hopeless,
        };
        places.lives(prepared);
        places.operators(prepared);
        places.environments(prepared);
        places.freeze(prepared);
        places
    }

    pub fn decl_life(&self, decl: DeclId) -> Life {
        self.decls[decl.0 as usize]
    }

    /// The commands in which a sort may be mentioned.
    pub fn sort_life(&self, pool: &Pool, sort: SortId) -> Life {
        let all = |sorts: &[SortId]| {
            sorts.iter().fold(Life::ALWAYS, |life, &sort| life.meet(self.sort_life(pool, sort)))
        };
        match pool.sort(sort) {
            Sort::Array(index, element) => all(&[*index, *element]),
            Sort::Seq(s) | Sort::Set(s) | Sort::FiniteSet(s) | Sort::Bag(s) | Sort::Nullable(s) => all(&[*s]),
            Sort::MultiArray(sorts) | Sort::Tuple(sorts) | Sort::Fun(sorts) => all(sorts),
            Sort::Declared(decl, sorts) => self.sorts[decl.0 as usize].meet(all(sorts)),
            // Only the datatype that declares a parameter may mention it.
            Sort::Param(_) => Life { from: u32::MAX, until: 0 },
            _ => Life::ALWAYS,
        }
    }

    /// Whether the script redefines this name.
    pub fn is_taken(&self, name: &[u8]) -> bool {
        self.taken.contains(name)
    }

    pub fn env_of(&self, occurrence: usize) -> &Env {
        &self.envs[self.env[occurrence] as usize]
    }

    // When declarations live.

    fn lives(&mut self, prepared: &Prepared) {
        let mut walk = Lives { levels: vec![], open: vec![], global: false };
        for (n, command) in prepared.script.commands.iter().enumerate() {
            let n = n as u32;
            match command {
                Command::Push(levels) => walk.push(*levels),
                Command::Pop(levels) => walk.pop(self, *levels, n),
                Command::Reset => walk.end_all(self, n, true),
                Command::ResetAssertions => walk.end_all(self, n, false),
                Command::SetOption(key, value)
                    if prepared.script.pool.bytes(*key) == b":global-declarations" =>
                {
                    walk.global = prepared.script.pool.bytes(*value) == b"true";
                }
                _ => self.declare(prepared, command, n, &mut walk),
            }
        }
    }

    fn declare(&mut self, prepared: &Prepared, command: &Command, n: u32, walk: &mut Lives) {
        let pool = &prepared.script.pool;
        match command {
            Command::DeclareSort(sort) => self.begin_sort(*sort, n, walk),
            Command::DefineSort { name, .. } => {
                self.taken.insert(pool.bytes(*name).into());
            }
            Command::DeclareDatatypes { sorts, .. } => {
                for &sort in sorts {
                    self.begin_sort(sort, n, walk);
                    let datatype = pool.sort_decl(sort).datatype.iter();
                    for constructor in datatype.flat_map(|d| &d.constructors) {
                        self.begin(pool, constructor.decl, n + 1, walk);
                        constructor.selectors.iter().for_each(|&s| self.begin(pool, s, n + 1, walk));
                    }
                }
            }
            Command::DeclareFun { decl, .. } => self.begin(pool, *decl, n + 1, walk),
            // A recursive function may be used in its own body.
            Command::DefineFun { decl, form: DefineForm::Rec } => self.begin(pool, *decl, n, walk),
            Command::DefineFun { decl, .. } => self.begin(pool, *decl, n + 1, walk),
            Command::DefineFunsRec(decls) => decls.iter().for_each(|&d| self.begin(pool, d, n, walk)),
            Command::Assert(term) => {
                for name in named(pool, *term) {
                    self.begin(pool, name, n + 1, walk);
                }
            }
            _ => {}
        }
    }

    fn begin(&mut self, pool: &Pool, decl: DeclId, from: u32, walk: &mut Lives) {
        self.decls[decl.0 as usize] = Life { from, until: u32::MAX };
        self.taken.insert(pool.bytes(pool.decl(decl).name).into());
        walk.open.push(Living::Decl(decl));
    }

    fn begin_sort(&mut self, sort: SortDeclId, n: u32, walk: &mut Lives) {
        self.sorts[sort.0 as usize] = Life { from: n, until: u32::MAX };
        walk.open.push(Living::Sort(sort));
    }

    // What the seed uses.

    fn operators(&mut self, prepared: &Prepared) {
        let pool = &prepared.script.pool;
        let mut seen = vec![false; pool.len()];
        for occurrence in &prepared.printed.occurrences {
            if std::mem::replace(&mut seen[occurrence.term.0 as usize], true) {
                continue;
            }
            self.takers &= sort_takers(pool, pool.sort_of(occurrence.term));
            if let Kind::Op { op, .. } = pool.kind(occurrence.term) {
                let row = op.row();
                let takers = solvers::of(row.by.as_deref());
                // A row that no current solver accepts says nothing about the others.
                if takers != 0 {
                    self.takers &= takers;
                }
                if !self.theories.contains(&row.theory) {
                    self.theories.push(row.theory);
                }
            }
        }
        if self.takers == 0 {
            self.takers = solvers::BOTH;
        }
    }

    // Variables.

    fn environments(&mut self, prepared: &Prepared) {
        let pool = &prepared.script.pool;
        let mut roots = FxHashMap::default();
        // One environment per binding occurrence and argument group.
        let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for occurrence in &prepared.printed.occurrences {
            let env = if occurrence.parent == u32::MAX {
                let root = roots.entry(occurrence.command).or_insert(0usize);
                let nth = std::mem::replace(root, *root + 1);
                self.parameters(prepared, occurrence.command, nth)
            } else {
                let parent = &prepared.printed.occurrences[occurrence.parent as usize];
                let outer = self.env[occurrence.parent as usize];
                match bound_by(pool, parent.term, occurrence.argument) {
                    None => outer,
                    Some((group, vars)) => *known
                        .entry((occurrence.parent, group))
                        .or_insert_with(|| self.extend(pool, outer, vars)),
                }
            };
            self.env.push(env);
        }
        let bound: Vec<Symbol> = self.envs.iter().flat_map(|env| env.iter().map(|&(name, _)| name)).collect();
        let declared: FxHashSet<Symbol> = pool.decls.iter().map(|decl| decl.name).collect();
        for name in bound {
            self.taken.insert(pool.bytes(name).into());
            if declared.contains(&name) {
                self.ambiguous.insert(name);
            }
        }
    }

    fn parameters(&mut self, prepared: &Prepared, command: u32, nth: usize) -> u32 {
        let pool = &prepared.script.pool;
        let decl = match &prepared.script.commands[command as usize] {
            Command::DefineFun { decl, .. } => *decl,
            Command::DefineFunsRec(decls) if nth < decls.len() => decls[nth],
            _ => return 0,
        };
        match pool.decl(decl).role {
            Role::Defined { vars, .. } => self.extend(pool, 0, pool.binder_list(vars)),
            _ => 0,
        }
    }

    fn extend(&mut self, pool: &Pool, outer: u32, vars: &[(Symbol, SortId)]) -> u32 {
        let named = vars.iter().rev().copied().filter(|&(name, _)| pool.bytes(name) != b"_");
        let mut env: Vec<(Symbol, SortId)> = named.collect();
        for &(name, sort) in self.envs[outer as usize].iter() {
            if !env.iter().any(|&(inner, _)| inner == name) {
                env.push((name, sort));
            }
        }
        self.envs.push(env.into());
        self.envs.len() as u32 - 1
    }

    // What must stay.

    fn freeze(&mut self, prepared: &Prepared) {
        let pool = &prepared.script.pool;
        let occurrences = &prepared.printed.occurrences;
        self.holds = vec![false; occurrences.len()];
        for occurrence in occurrences {
            let frozen = if occurrence.parent == u32::MAX {
                self.hopeless
                    || matches!(
                        prepared.script.commands[occurrence.command as usize],
                        Command::CheckSatAssuming(_) | Command::GetValue(_)
                    )
            } else {
                let parent = &occurrences[occurrence.parent as usize];
                self.frozen[occurrence.parent as usize] || freezes(pool, parent.term, occurrence.argument)
            };
            self.frozen.push(frozen);
        }
        for n in (0..occurrences.len()).rev() {
            if let Kind::Annot(attrs) = pool.kind(occurrences[n].term)
                && pool.attr_list(attrs).iter().any(|attr| matches!(attr.value, AttrValue::Name(_)))
            {
                self.holds[n] = true;
            }
            if self.holds[n] && occurrences[n].parent != u32::MAX {
                self.holds[occurrences[n].parent as usize] = true;
            }
        }
    }
}

enum Living {
    Decl(DeclId),
    Sort(SortDeclId),
}

/// The declarations in force while walking over the commands.
struct Lives {
    levels: Vec<usize>,
    open: Vec<Living>,
    global: bool,
}

impl Lives {
    fn push(&mut self, levels: u32) {
        for _ in 0..levels {
            self.levels.push(self.open.len());
        }
    }

    fn pop(&mut self, places: &mut Places, levels: u32, command: u32) {
        for _ in 0..levels {
            let mark = self.levels.pop().unwrap_or(0);
            if !self.global {
                self.end(places, mark, command);
            }
        }
    }

    fn end_all(&mut self, places: &mut Places, command: u32, even_global: bool) {
        self.levels.clear();
        if even_global || !self.global {
            self.end(places, 0, command);
        }
        if even_global {
            self.global = false;
        }
    }

    fn end(&mut self, places: &mut Places, mark: usize, command: u32) {
        for living in self.open.drain(mark.min(self.open.len())..) {
            match living {
                Living::Decl(decl) => places.decls[decl.0 as usize].until = command,
                Living::Sort(sort) => places.sorts[sort.0 as usize].until = command,
            }
        }
    }
}

fn logic_names(prepared: &Prepared) -> Vec<(u32, u32)> {
    let printed = &prepared.printed;
    let mut names = vec![];
    for (n, command) in prepared.script.commands.iter().enumerate() {
        if let Command::SetLogic(_) = command {
            let end = printed.commands.get(n + 1).map_or(printed.bytes.len() as u32, |&next| next);
            // `(set-logic NAME)` and a line end.
            names.push((printed.commands[n] + 11, end - 2));
        }
    }
    names
}

/// The `:named` terms inside a term.
fn named(pool: &Pool, root: TermId) -> Vec<DeclId> {
    let mut names = vec![];
    for term in pool.subterms(root) {
        if let Kind::Annot(attrs) = pool.kind(term) {
            names.extend(pool.attr_list(attrs).iter().filter_map(|attr| match attr.value {
                AttrValue::Name(decl) => Some(decl),
                _ => None,
            }));
        }
    }
    names
}

/// The variables that a term binds around its n-th argument, and which group of arguments shares them.
pub fn bound_by(pool: &Pool, term: TermId, argument: u32) -> Option<(u32, &[(Symbol, SortId)])> {
    match pool.kind(term) {
        Kind::Let(binders) => {
            let vars = pool.binder_list(binders);
            (argument as usize == vars.len()).then_some((argument, vars))
        }
        Kind::Quant(_, binders) => Some((0, pool.binder_list(binders))),
        Kind::Match(cases) if argument > 0 => {
            Some((argument, &pool.case_list(cases)[argument as usize - 1].vars))
        }
        _ => None,
    }
}

/// Whether this argument must not change.
fn freezes(pool: &Pool, parent: TermId, argument: u32) -> bool {
    match pool.kind(parent) {
        // The terms of patterns.
        Kind::Annot(_) => argument > 0,
        Kind::Op { op, .. } => op.row().constant == Some(argument),
        _ => false,
    }
}

/// The solvers that handle this sort by default. cvc5 needs an option for unusual float formats.
pub fn sort_takers(pool: &Pool, sort: SortId) -> u8 {
    match pool.sort(sort) {
        Sort::Float { eb, sb } if !matches!((eb, sb), (8, 24) | (11, 53)) => solvers::Z3,
        Sort::Array(index, element) => sort_takers(pool, *index) & sort_takers(pool, *element),
        Sort::MultiArray(_) | Sort::FiniteSet(_) | Sort::Char => solvers::Z3,
        Sort::Bag(_) | Sort::Tuple(_) | Sort::Nullable(_) => solvers::CVC5,
        Sort::Seq(s) | Sort::Set(s) => sort_takers(pool, *s),
        _ => solvers::BOTH,
    }
}

/// The sort that an argument was written with, before an implicit promotion.
pub fn written_sort(pool: &Pool, term: TermId) -> SortId {
    match pool.kind(term) {
        Kind::Op { spelling: Spelling::Implicit, .. } => pool.sort_of(pool.args(term)[0]),
        _ => pool.sort_of(term),
    }
}

/// Whether an argument is a literal number. Linear logics allow multiplication by those and division by nonzero ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    Not,
    Zero,
    Other,
}

impl Number {
    pub fn of(pool: &Pool, term: TermId) -> Number {
        match pool.kind(term) {
            Kind::Lit(_, text) if is_zero(pool.bytes(text)) => Number::Zero,
            _ if is_number(pool, term) => Number::Other,
            _ => Number::Not,
        }
    }
}

/// Whether a numeral or a decimal is zero.
pub fn is_zero(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b'0' | b'.'))
}

/// Whether a term is a literal number, perhaps negated.
pub fn is_number(pool: &Pool, term: TermId) -> bool {
    match pool.kind(term) {
        Kind::Lit(..) => true,
        Kind::Op { op, indices: IndicesId::NONE, .. } => {
            matches!(op.row().name, "-" | "/" | "to_real")
                && pool.args(term).iter().all(|&arg| is_number(pool, arg))
        }
        _ => false,
    }
}
