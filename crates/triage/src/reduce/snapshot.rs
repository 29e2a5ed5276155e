//! One state of the reduction: the text, its parse, and where every term is in it.
//!
//! Every candidate becomes a snapshot before a solver runs on it, so nothing that is ill-typed or leaves the standard
//! ever reaches a solver. `Dialect` records where the input itself deviates from the standard: a reduction may keep
//! those deviations but must not add any. Removing unused declarations is part of making a snapshot, so it costs no
//! check.

use super::edit::Edit;
use super::lets::Lets;
use smtlib::printer::{Format, Occurrence, Printed, print, print_mapped};
use smtlib::script::Command;
use smtlib::sort::{Sort, SortDeclId, SortId};
use smtlib::symbol::Symbol;
use smtlib::term::{DeclId, Index, Kind, Role, Spelling, TermId};
use smtlib::theory::OpId;
use smtlib::{Pool, Script};
use std::collections::{BTreeMap, BTreeSet};

/// A text that parses, with the place of each term.
pub struct Snapshot {
    pub text: Vec<u8>,
    pub script: Script,
    /// In printing order: a parent before its arguments.
    pub places: Vec<Occurrence>,
    /// How deep each place is below its command.
    pub depths: Vec<u32>,
}

/// The deviations from the standard in the input.
#[derive(Default)]
pub struct Dialect {
    extensions: BTreeSet<OpId>,
    implicit: bool,
    short: bool,
}

impl Dialect {
    pub fn of(script: &Script) -> Dialect {
        let mut dialect = Dialect::default();
        for_each_operator(script, |op, spelling, count| {
            if op.row().since.is_none() {
                dialect.extensions.insert(op);
            }
            dialect.implicit |= spelling == Spelling::Implicit;
            dialect.short |= count < op.row().args.len();
        });
        dialect
    }

    /// Whether a script has no other deviations.
    pub fn allows(&self, script: &Script) -> bool {
        let mut allowed = true;
        for_each_operator(script, |op, spelling, count| {
            allowed &= op.row().since.is_some() || self.extensions.contains(&op);
            allowed &= self.implicit || spelling != Spelling::Implicit;
            allowed &= self.short || count >= op.row().args.len();
        });
        allowed
    }
}

fn for_each_operator(script: &Script, mut look: impl FnMut(OpId, Spelling, usize)) {
    for term in (0..script.pool.len() as u32).map(TermId) {
        if let Kind::Op { op, spelling, .. } = script.pool.kind(term) {
            look(op, spelling, script.pool.args(term).len());
        }
    }
}

impl Snapshot {
    /// Parses a text and prints it in the one layout that edits rely on; `None` if it is not well-typed.
    pub fn read(text: &[u8]) -> Option<Snapshot> {
        let script = Script::parse(text).ok()?;
        let printed = print_mapped(&script, Format::Faithful);
        // Most edits keep the layout.
        if printed.bytes == text {
            Some(Snapshot::of(script, printed))
        } else {
            Snapshot::laid_out(&printed.bytes)
        }
    }

    /// The same without comments, `set-info`, `exit`, annotations without meaning and old operator names.
    pub fn read_canonical(text: &[u8]) -> Option<Snapshot> {
        let script = Script::parse(text).ok()?;
        Snapshot::laid_out(&print(&script, Format::Canonical))
    }

    /// From a text that the printer made.
    fn laid_out(text: &[u8]) -> Option<Snapshot> {
        let script = Script::parse(text).ok()?;
        let printed = print_mapped(&script, Format::Faithful);
        (printed.bytes == text).then(|| Snapshot::of(script, printed))
    }

    fn of(script: Script, printed: Printed) -> Snapshot {
        let mut depths = Vec::with_capacity(printed.occurrences.len());
        for place in &printed.occurrences {
            depths.push(if place.parent == u32::MAX { 0 } else { depths[place.parent as usize] + 1 });
        }
        Snapshot { text: printed.bytes, script, places: printed.occurrences, depths }
    }

    pub fn pool(&self) -> &Pool {
        &self.script.pool
    }

    pub fn kind(&self, place: usize) -> Kind {
        self.pool().kind(self.places[place].term)
    }

    pub fn sort(&self, place: usize) -> SortId {
        self.pool().sort_of(self.places[place].term)
    }

    pub fn bytes(&self, place: usize) -> &[u8] {
        &self.text[self.range(place)]
    }

    pub fn range(&self, place: usize) -> std::ops::Range<usize> {
        self.places[place].start as usize..self.places[place].end as usize
    }

    /// The places of the arguments, in order.
    pub fn children(&self, place: usize) -> Vec<usize> {
        let mut children = vec![];
        let mut at = place + 1;
        while at < self.places.len() && self.places[at].parent != u32::MAX {
            if self.places[at].parent as usize == place {
                children.push(at);
            } else if self.places[at].start >= self.places[place].end {
                break;
            }
            at = self.after(at);
        }
        children
    }

    /// The first place that is not inside this one.
    pub fn after(&self, place: usize) -> usize {
        let end = self.places[place].end;
        let command = self.places[place].command;
        let rest = &self.places[place + 1..];
        place + 1 + rest.partition_point(|other| other.command == command && other.start < end)
    }

    /// Whether a place is a whole term of its command.
    pub fn is_top(&self, place: usize) -> bool {
        self.places[place].parent == u32::MAX
    }

    /// Whether a place is the body of a `let`.
    pub fn is_body(&self, place: usize) -> bool {
        let Occurrence { parent, argument, .. } = self.places[place];
        let within = (!self.is_top(place)).then(|| self.kind(parent as usize));
        matches!(within, Some(Kind::Let(binders)) if argument as usize == self.pool().binder_list(binders).len())
    }

    /// How deep each place is if a `let` and its body are one level: scripts nest thousands of lets in each other.
    pub fn levels(&self) -> Vec<u32> {
        let mut levels: Vec<u32> = Vec::with_capacity(self.places.len());
        for (at, place) in self.places.iter().enumerate() {
            let above = levels.get(place.parent as usize);
            levels.push(above.map_or(0, |&level| if self.is_body(at) { level } else { level + 1 }));
        }
        levels
    }

    pub fn is_leaf(&self, place: usize) -> bool {
        self.pool().args(self.places[place].term).is_empty()
    }

    /// How many term nodes and commands there are.
    pub fn nodes(&self) -> usize {
        self.places.len() + self.script.commands.len()
    }

    /// The bytes of a command with its line end.
    pub fn command_range(&self, command: usize) -> std::ops::Range<usize> {
        let span = self.script.spans[command].range();
        let end = if self.text.get(span.end) == Some(&b'\n') { span.end + 1 } else { span.end };
        span.start..end
    }

    /// The places of free uses of a variable inside a place.
    pub fn uses(&self, name: Symbol, within: usize) -> Vec<usize> {
        (within..self.after(within))
            .filter(|&at| self.kind(at) == Kind::Var(name) && !self.is_shadowed(at, name, within))
            .collect()
    }

    fn is_shadowed(&self, use_at: usize, name: Symbol, within: usize) -> bool {
        let (mut at, mut from) = (self.places[use_at].parent as usize, self.places[use_at].argument as usize);
        while at >= within && at < self.places.len() && use_at != within {
            let binds = match self.kind(at) {
                Kind::Let(binders) => {
                    let vars = self.pool().binder_list(binders);
                    from == vars.len() && vars.iter().any(|&(var, _)| var == name)
                }
                Kind::Quant(_, binders) => {
                    self.pool().binder_list(binders).iter().any(|&(var, _)| var == name)
                }
                Kind::Match(cases) if from > 0 => {
                    self.pool().case_list(cases)[from - 1].vars.iter().any(|&(var, _)| var == name)
                }
                _ => false,
            };
            if binds {
                return true;
            }
            from = self.places[at].argument as usize;
            at = self.places[at].parent as usize;
        }
        false
    }

    /// The places where a function of the script is applied, or mentioned if it is a constant.
    pub fn uses_of(&self, decl: DeclId) -> Vec<usize> {
        let is_use = |&at: &usize| matches!(self.kind(at), Kind::Fun { decl: d, .. } if d == decl);
        (0..self.places.len()).filter(is_use).collect()
    }

    /// The same without unused declarations, definitions and bindings.
    pub fn without_unused(self) -> Option<Snapshot> {
        let mut now = self;
        loop {
            let mut edits = now.unused_commands();
            edits.extend(Lets::of(&now).tidy(&now));
            if edits.is_empty() {
                return Some(now);
            }
            now = Snapshot::read(&Edit::apply_all(&now.text, &edits))?;
        }
    }

    /// Deletions of every unused declaration and definition.
    pub fn unused_commands(&self) -> Vec<Edit> {
        let mut used = Used::new(self);
        let mut unused = vec![];
        for (n, command) in self.script.commands.iter().enumerate().rev() {
            if used.needs(command) { used.add_command(n, command) } else { unused.push(n) }
        }
        unused.into_iter().rev().map(|n| Edit::delete(self.command_range(n))).collect()
    }
}

/// The names used by the commands visited so far (last first).
struct Used<'a> {
    snapshot: &'a Snapshot,
    /// The places of each command.
    by_command: BTreeMap<u32, Vec<usize>>,
    decls: BTreeSet<DeclId>,
    sorts: BTreeSet<SortDeclId>,
    names: BTreeSet<Vec<u8>>,
}

impl<'a> Used<'a> {
    fn new(snapshot: &'a Snapshot) -> Used<'a> {
        let mut by_command: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (at, place) in snapshot.places.iter().enumerate() {
            by_command.entry(place.command).or_default().push(at);
        }
        Used { snapshot, by_command, decls: BTreeSet::new(), sorts: BTreeSet::new(), names: BTreeSet::new() }
    }

    fn uses_decl(&self, decl: DeclId) -> bool {
        let pool = self.snapshot.pool();
        self.decls.contains(&decl) || self.names.contains(pool.bytes(pool.decl(decl).name))
    }

    fn uses_sort(&self, sort: SortDeclId) -> bool {
        let pool = self.snapshot.pool();
        self.sorts.contains(&sort) || self.names.contains(pool.bytes(pool.sort_decl(sort).name))
    }

    fn needs(&self, command: &Command) -> bool {
        let pool = self.snapshot.pool();
        match command {
            Command::DeclareFun { decl, .. } | Command::DefineFun { decl, .. } => self.uses_decl(*decl),
            Command::DefineFunsRec(decls) => decls.iter().any(|&decl| self.uses_decl(decl)),
            Command::DeclareSort(sort) => self.uses_sort(*sort),
            // Abbreviations are expanded by the printer.
            Command::DefineSort { name, .. } => self.names.contains(pool.bytes(*name)),
            Command::DeclareDatatypes { sorts, .. } => sorts.iter().any(|&sort| {
                self.uses_sort(sort) || self.members(sort).into_iter().any(|decl| self.uses_decl(decl))
            }),
            _ => true,
        }
    }

    fn members(&self, sort: SortDeclId) -> Vec<DeclId> {
        let Some(datatype) = &self.snapshot.pool().sort_decl(sort).datatype else { return vec![] };
        let each = datatype.constructors.iter();
        each.flat_map(|c| std::iter::once(c.decl).chain(c.selectors.iter().copied())).collect()
    }

    fn add_command(&mut self, n: usize, command: &Command) {
        let snapshot = self.snapshot;
        let pool = snapshot.pool();
        for at in self.by_command.get(&(n as u32)).cloned().unwrap_or_default() {
            self.add_place(at);
        }
        match command {
            Command::DeclareFun { decl, .. } | Command::DefineFun { decl, .. } => self.add_rank(*decl),
            Command::DefineFunsRec(decls) => decls.iter().for_each(|&decl| self.add_rank(decl)),
            Command::DefineSort { sort, .. } => self.add_sort(*sort),
            Command::DeclareDatatypes { sorts, .. } => {
                for &sort in sorts {
                    self.members(sort).into_iter().for_each(|decl| self.add_rank(decl));
                }
            }
            Command::Other { rest, .. } => self.add_text(pool.bytes(*rest)),
            Command::AssertSoft(_, rest) | Command::Minimize(_, rest) | Command::Maximize(_, rest) => {
                self.add_text(pool.bytes(*rest));
            }
            _ => {}
        }
    }

    fn add_rank(&mut self, decl: DeclId) {
        let decl = self.snapshot.pool().decl(decl).clone();
        decl.params.iter().for_each(|&sort| self.add_sort(sort));
        self.add_sort(decl.result);
        if let Role::Defined { vars, .. } = decl.role {
            self.add_binders(vars);
        }
    }

    fn add_binders(&mut self, binders: smtlib::term::BindersId) {
        for &(_, sort) in self.snapshot.pool().binder_list(binders) {
            self.add_sort(sort);
        }
    }

    fn add_place(&mut self, at: usize) {
        let snapshot = self.snapshot;
        let pool = snapshot.pool();
        self.add_sort(snapshot.sort(at));
        match snapshot.kind(at) {
            Kind::Fun { decl, .. } => {
                self.decls.insert(decl);
            }
            Kind::Tester { constructor: decl, .. } | Kind::Updater { selector: decl } => {
                self.decls.insert(decl);
            }
            Kind::Op { indices, .. } => {
                for index in pool.index_list(indices) {
                    match index {
                        Index::Fun(decl) => {
                            self.decls.insert(*decl);
                        }
                        Index::Text(text) => self.add_text(pool.bytes(*text)),
                        _ => {}
                    }
                }
            }
            Kind::Quant(_, binders) => self.add_binders(binders),
            Kind::Match(cases) => {
                for case in pool.case_list(cases) {
                    self.decls.extend(case.constructor);
                }
            }
            _ => {}
        }
    }

    fn add_sort(&mut self, sort: SortId) {
        match self.snapshot.pool().sort(sort) {
            Sort::Array(index, element) => [*index, *element].into_iter().for_each(|s| self.add_sort(s)),
            Sort::Seq(s) | Sort::Set(s) | Sort::FiniteSet(s) | Sort::Bag(s) | Sort::Nullable(s) => {
                self.add_sort(*s);
            }
            Sort::MultiArray(sorts) | Sort::Tuple(sorts) | Sort::Fun(sorts) => {
                sorts.iter().for_each(|&s| self.add_sort(s));
            }
            Sort::Declared(decl, sorts) => {
                self.sorts.insert(*decl);
                sorts.iter().for_each(|&s| self.add_sort(s));
            }
            _ => {}
        }
    }

    /// Text that we do not parse uses every name in it.
    fn add_text(&mut self, text: &[u8]) {
        let Ok(forest) = smtlib::sexp::Forest::read(text) else { return };
        for atom in forest.atoms() {
            let bare = atom.strip_prefix(b"|").and_then(|a| a.strip_suffix(b"|")).unwrap_or(atom);
            self.names.insert(bare.to_vec());
        }
    }
}
