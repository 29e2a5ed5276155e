//! A seed prepared for fusion: its text with the places where something can change.
//!
//! In: a prepared seed. Out: a `Part`, or the reason why the seed cannot be fused. A part has the bytes of the seed's
//! declarations and of its asserted terms, with marks in order of place: where a name ends (a suffix there renames
//! it), where a numeral is a Real (it may need `.0`), and where a free variable occurs (an inversion may replace it).
//!
//! Renaming works on the text: every name that the seed declares *or binds* gets the suffix wherever it occurs.
//! Renaming all of them, injectively, preserves every reference and all shadowing, and then no binder of one seed can
//! capture a name of the other. Seeds that use one word both for a symbol of their own and for a symbol of a theory
//! are refused. The soundness filters are in this file too: see `Part::free` and `Refusal`.

use super::sorts::{Shape, fusable};
use crate::Prepared;
use crate::mutant::places::{solvers, sort_takers};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::model::{Model, Notation};
use smtlib::lexer::{Lexer, TokenKind};
use smtlib::printer::term_text;
use smtlib::script::Command;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{DeclId, Kind, Lit, Pool, Quantifier, Role, Spelling, TermId};
use smtlib::theory::{Arith, Row};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Texts of values, by the names of constants.
type Values = FxHashMap<Box<[u8]>, Box<[u8]>>;

/// A seed prepared for fusion.
pub struct Part {
    pub prepared: Arc<Prepared>,
    /// The commands that declare and define, in order.
    pub declarations: Vec<Piece>,
    /// The asserted terms, in order.
    pub assertions: Vec<Piece>,
    pub marks: Vec<Mark>,
    pub variables: Vec<Variable>,
    /// Under-specified operators that a model of the seed may interpret freely, sorted. Two seeds that share one may
    /// need different interpretations, so both may be satisfiable while their conjunction is not.
    pub free: Vec<&'static str>,
    /// Whether it has recursive definitions. They are constraints even where they are not used.
    pub recursive: bool,
    /// The solvers that accept all of it. Two seeds without a common solver may even use one word with two meanings.
    pub takers: u8,
    pub logic: Option<String>,
    /// The largest n of the names that have a part `$n`.
    pub largest: u32,
    /// The values of its constants in a model of our own, if there is one; looked for when it is first wanted.
    values: OnceLock<Values>,
}

/// A piece of a seed's text.
pub struct Piece {
    pub bytes: Range<usize>,
    /// The marks in it.
    pub marks: Range<usize>,
}

/// A constant of the seed that occurs in its assertions.
pub struct Variable {
    pub name: Box<[u8]>,
    pub shape: Shape,
    /// Equal for equal shapes among the parts of one `Fusion`. Only whether two are equal may influence a choice.
    pub(super) kind: u32,
    /// Its occurrences, as numbers of marks.
    pub occurrences: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub start: u32,
    pub end: u32,
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A free occurrence of the variable with this number.
    Occurrence(u32),
    /// The end of a name.
    Name,
    /// The end of a numeral that is a Real.
    Numeral,
}

/// Why a seed cannot be fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("it must have exactly one check-sat")]
    Checks,
    #[error("it is incremental or optimises")]
    Incremental,
    #[error("it has a command with an unknown meaning")]
    Command,
    #[error("it uses a theory whose symbols two formulas necessarily share")]
    Shared,
    #[error("it redefines a symbol of a theory")]
    Words,
    #[error("a definition refers to a named term")]
    Named,
    #[error("it is too long")]
    Long,
    #[error("the numbers in its names are too large")]
    Numbered,
}

/// Longer seeds make cases that solvers cannot finish in time.
const LONGEST: usize = 1 << 17;

/// Commands that do not influence the answer.
const WITHOUT_EFFECT: &[&[u8]] = &[
    b"get-model",
    b"get-info",
    b"get-option",
    b"get-assignment",
    b"get-unsat-core",
    b"get-unsat-assumptions",
    b"get-proof",
    b"get-assertions",
    b"echo",
];

/// Words of the sort and term syntax that are in no theory table.
const SYNTAX: &[&[u8]] = &[
    b"Bool",
    b"Int",
    b"Real",
    b"String",
    b"RegLan",
    b"RoundingMode",
    b"BitVec",
    b"FloatingPoint",
    b"Array",
    b"Seq",
    b"Set",
    b"FiniteSet",
    b"Bag",
    b"Tuple",
    b"UnitTuple",
    b"Nullable",
    b"FiniteField",
    b"Unicode",
    b"is",
    b"update",
    b"char",
    b"lambda",
    b"choice",
    b"set.comprehension",
];

impl Part {
    pub fn new(prepared: &Arc<Prepared>, words: &FxHashSet<Box<[u8]>>) -> Result<Part, Refusal> {
        let script = &prepared.script;
        if prepared.printed.bytes.len() > LONGEST {
            return Err(Refusal::Long);
        }
        let check = only_check(&script.commands)?;
        let used = Used::of(&script.pool, &script.commands[..check])?;
        let names = used.names(&script.pool, &script.commands[..check], words)?;
        let mut part = Part {
            prepared: Arc::clone(prepared),
            declarations: vec![],
            assertions: vec![],
            marks: vec![],
            variables: vec![],
            free: used.free,
            recursive: used.recursive,
            takers: if used.takers == 0 { solvers::BOTH } else { used.takers },
            logic: script.logic_name().map(Cow::into_owned),
            largest: largest_number(&script.pool)?,
            values: OnceLock::new(),
        };
        part.mark_names(check, &names)?;
        part.mark_terms(check);
        part.marks.sort_by_key(|mark| (mark.start, mark.end, mark.what != What::Name));
        part.number_occurrences();
        part.place_marks();
        Ok(part)
    }

    /// The value of a constant in a model of the seed that our evaluator has confirmed; a pure function of the seed.
    pub(super) fn value(&self, variable: &Variable) -> Option<&[u8]> {
        let values = self.values.get_or_init(|| values(&self.prepared).unwrap_or_default());
        values.get(&variable.name).map(|value| &**value)
    }

    fn pool(&self) -> &Pool {
        &self.prepared.script.pool
    }

    /// Finds the commands and the names in the printed text.
    fn mark_names(&mut self, check: usize, names: &FxHashSet<Symbol>) -> Result<(), Refusal> {
        let prepared = Arc::clone(&self.prepared);
        let script = &prepared.script;
        let named: FxHashSet<Symbol> = named_terms(&script.pool).collect();
        let mut lexer = Lexer::new(&prepared.printed.bytes);
        let (mut depth, mut command, mut start) = (0usize, 0usize, 0u32);
        let mut first_word = false;
        while command < check {
            let Ok(token) = lexer.next_token() else { return Err(Refusal::Command) };
            let declares = declares(&script.commands[command]);
            let is_command = std::mem::replace(&mut first_word, depth == 0);
            match token.kind {
                TokenKind::End => break,
                TokenKind::Open => {
                    if depth == 0 {
                        start = token.span.start;
                    }
                    depth += 1;
                }
                TokenKind::Close => {
                    depth -= 1;
                    if depth == 0 {
                        if declares {
                            self.declarations.push(Piece::new(start, token.span.end));
                        }
                        command += 1;
                    }
                }
                TokenKind::Symbol | TokenKind::Quoted if !is_command => {
                    let Some(symbol) = own_name(&script.pool, lexer.text(token), names) else { continue };
                    if declares && named.contains(&symbol) {
                        return Err(Refusal::Named);
                    }
                    let at = token.span.end - u32::from(token.kind == TokenKind::Quoted);
                    self.marks.push(Mark { start: at, end: at, what: What::Name });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Finds asserted terms, free variables and numerals among the recorded occurrences.
    fn mark_terms(&mut self, check: usize) {
        let prepared = Arc::clone(&self.prepared);
        let pool = &prepared.script.pool;
        let commands = &prepared.script.commands;
        let all = &prepared.printed.occurrences;
        let mut numbers: FxHashMap<DeclId, u32> = FxHashMap::default();
        // Whether an occurrence is inside a pattern, where it must not change.
        let mut frozen: Vec<bool> = Vec::with_capacity(all.len());
        for occurrence in all {
            let command = occurrence.command as usize;
            let parent = all.get(occurrence.parent as usize);
            let in_pattern = parent.is_some_and(|parent| {
                frozen[occurrence.parent as usize]
                    || (occurrence.argument > 0 && matches!(pool.kind(parent.term), Kind::Annot(_)))
            });
            frozen.push(in_pattern);
            if command >= check {
                break;
            }
            if is_real_numeral(pool, occurrence.term, parent.map(|p| p.term), occurrence.argument) {
                let what = What::Numeral;
                self.marks.push(Mark { start: occurrence.end, end: occurrence.end, what });
            }
            if !matches!(commands[command], Command::Assert(_)) {
                continue;
            }
            if occurrence.parent == u32::MAX {
                self.assertions.push(Piece::new(occurrence.start, occurrence.end));
            }
            if let Some(decl) = variable(pool, occurrence.term).filter(|_| !in_pattern) {
                let number = *numbers.entry(decl).or_insert_with(|| self.variable(decl));
                let what = What::Occurrence(number);
                self.marks.push(Mark { start: occurrence.start, end: occurrence.end, what });
            }
        }
    }

    fn variable(&mut self, decl: DeclId) -> u32 {
        let pool = self.pool();
        let decl = pool.decl(decl);
        let (name, shape) = (pool.bytes(decl.name).into(), Shape::of(pool, decl.result));
        self.variables.push(Variable { name, shape, kind: 0, occurrences: vec![] });
        self.variables.len() as u32 - 1
    }

    fn number_occurrences(&mut self) {
        for (n, mark) in self.marks.iter().enumerate() {
            if let What::Occurrence(variable) = mark.what {
                self.variables[variable as usize].occurrences.push(n as u32);
            }
        }
    }

    /// Finds the marks that lie in each piece.
    fn place_marks(&mut self) {
        for piece in self.declarations.iter_mut().chain(&mut self.assertions) {
            let from = self.marks.partition_point(|mark| (mark.start as usize) < piece.bytes.start);
            let to = self.marks.partition_point(|mark| mark.start as usize <= piece.bytes.end);
            piece.marks = from..to;
        }
    }
}

/// The constants of a seed with their values in a model.
fn values(prepared: &Prepared) -> Option<Values> {
    let text = prepared.model_without_zeros().or_else(|| prepared.model().cloned())?;
    let mut script = prepared.script.clone();
    let check = script.commands.iter().position(Command::is_check)?;
    let model = Model::parse_at(&mut script, check, text.as_bytes(), Notation::default()).ok()?;
    let constants = model.functions.iter().filter(|(_, definition)| definition.vars.is_empty());
    let named = constants.map(|(decl, definition)| {
        let name = script.pool.bytes(script.pool.decl(*decl).name);
        (name.into(), term_text(&script.pool, definition.body).into_bytes().into())
    });
    Some(named.collect())
}

impl Piece {
    fn new(start: u32, end: u32) -> Piece {
        Piece { bytes: start as usize..end as usize, marks: 0..0 }
    }
}

/// The number of the only check. Refuses commands that fusion cannot express.
fn only_check(commands: &[Command]) -> Result<usize, Refusal> {
    let mut check = None;
    for (n, command) in commands.iter().enumerate() {
        match command {
            Command::CheckSat | Command::CheckSatUsing(_) if check.is_none() => check = Some(n),
            Command::CheckSat | Command::CheckSatUsing(_) | Command::CheckSatAssuming(_) => {
                return Err(Refusal::Checks);
            }
            Command::Push(_)
            | Command::Pop(_)
            | Command::Reset
            | Command::ResetAssertions
            | Command::AssertSoft(..)
            | Command::Minimize(..)
            | Command::Maximize(..) => return Err(Refusal::Incremental),
            _ => {}
        }
    }
    check.ok_or(Refusal::Checks)
}

fn declares(command: &Command) -> bool {
    matches!(
        command,
        Command::DeclareSort(_)
            | Command::DeclareDatatypes { .. }
            | Command::DeclareFun { .. }
            | Command::DefineFun { .. }
            | Command::DefineFunsRec(_)
    )
}

/// What the seed's terms use.
struct Used {
    free: Vec<&'static str>,
    operators: FxHashSet<&'static str>,
    recursive: bool,
    takers: u8,
}

impl Used {
    fn of(pool: &Pool, commands: &[Command]) -> Result<Used, Refusal> {
        let operators = FxHashSet::default();
        let mut used = Used { free: vec![], operators, recursive: false, takers: solvers::BOTH };
        for command in commands {
            match command {
                Command::Other { name, .. } if !WITHOUT_EFFECT.contains(&pool.bytes(*name)) => {
                    return Err(Refusal::Command);
                }
                Command::DefineFunsRec(_) => used.recursive = true,
                Command::DefineFun { decl, .. } => {
                    used.recursive |= matches!(pool.decl(*decl).role, Role::Defined { recursive: true, .. });
                }
                _ => {}
            }
        }
        // Terms after the check are included too. That refuses some seeds without need, but never accepts a wrong one.
        for n in 0..pool.len() as u32 {
            used.term(pool, TermId(n))?;
        }
        used.free.sort_unstable();
        used.free.dedup();
        Ok(used)
    }

    fn term(&mut self, pool: &Pool, term: TermId) -> Result<(), Refusal> {
        self.takers &= sort_takers(pool, pool.sort_of(term));
        match pool.kind(term) {
            Kind::Op { op, spelling, .. } => {
                let row = op.row();
                // All formulas share its interpretation, so two seeds cannot be separated.
                if row.shared {
                    return Err(Refusal::Shared);
                }
                if row.under.is_some() && !never_under_specified(pool, row, term) {
                    self.free.push(row.name);
                }
                self.takers &= solvers::of(row.by.as_deref());
                self.operators.insert(row.name);
                if let Spelling::Alias(n) = spelling {
                    self.operators.insert(row.aliases[n as usize]);
                }
            }
            Kind::Quant(Quantifier::Choice, _) => self.free.push("choice"),
            // Values that occur only in models.
            Kind::Lit(Lit::Abstract | Lit::Algebraic, _) => return Err(Refusal::Command),
            _ => {}
        }
        Ok(())
    }

    /// Every name the seed declares or binds.
    fn names(
        &self,
        pool: &Pool,
        commands: &[Command],
        words: &FxHashSet<Box<[u8]>>,
    ) -> Result<FxHashSet<Symbol>, Refusal> {
        let mut names = FxHashSet::default();
        names.extend(pool.decls.iter().map(|decl| decl.name));
        names.extend(pool.sort_decls.iter().map(|decl| decl.name));
        names.extend(commands.iter().filter_map(|command| match command {
            Command::DefineSort { name, .. } => Some(*name),
            _ => None,
        }));
        for decl in &pool.decls {
            if let Role::Defined { vars, .. } = decl.role {
                names.extend(pool.binder_list(vars).iter().map(|&(name, _)| name));
            }
            names.extend(decl.sort_params.iter().copied());
        }
        for n in 0..pool.len() as u32 {
            match pool.kind(TermId(n)) {
                Kind::Let(vars) | Kind::Quant(_, vars) => {
                    names.extend(pool.binder_list(vars).iter().map(|&(name, _)| name));
                }
                Kind::Match(cases) => {
                    let vars = pool.case_list(cases).iter().flat_map(|case| case.vars.iter());
                    names.extend(vars.map(|&(name, _)| name));
                }
                _ => {}
            }
        }
        names.retain(|&name| pool.bytes(name) != b"_");
        let clash = |&name: &Symbol| self.clashes(pool.bytes(name), words);
        if names.iter().any(clash) { Err(Refusal::Words) } else { Ok(names) }
    }

    /// Whether a name of the seed is also a word that the seed or a fusion function uses with another meaning.
    fn clashes(&self, name: &[u8], words: &FxHashSet<Box<[u8]>>) -> bool {
        let number_after =
            |prefix: &[u8]| name.strip_prefix(prefix).is_some_and(|n| n.iter().all(u8::is_ascii_digit));
        std::str::from_utf8(name).is_ok_and(|name| self.operators.contains(name))
            || SYNTAX.contains(&name)
            || words.contains(name)
            || smtlib::symbol::is_reserved(name)
            || (name.len() > 2 && (number_after(b"bv") || number_after(b"ff")))
    }
}

/// Division by a literal other than 0 has the same meaning in every model.
fn never_under_specified(pool: &Pool, row: &Row, term: TermId) -> bool {
    let nonzero = |&arg: &TermId| {
        let arg = match pool.kind(arg) {
            Kind::Op { spelling: Spelling::Implicit, .. } => pool.args(arg)[0],
            _ => arg,
        };
        match pool.kind(arg) {
            Kind::Lit(Lit::Numeral | Lit::Decimal, text) => {
                pool.bytes(text).iter().any(|byte| (b'1'..=b'9').contains(byte))
            }
            _ => false,
        }
    };
    row.arith == Some(Arith::Quotient) && pool.args(term)[1..].iter().all(nonzero)
}

/// The constant that a term consists of, if its sort can be fused.
fn variable(pool: &Pool, term: TermId) -> Option<DeclId> {
    let Kind::Fun { decl, .. } = pool.kind(term) else { return None };
    let found = pool.decl(decl);
    let constant = found.params.is_empty() && matches!(found.role, Role::Declared);
    (constant && pool.args(term).is_empty() && fusable(pool, found.result)).then_some(decl)
}

/// Whether a numeral is a Real because of the logic or because of an implicit conversion.
fn is_real_numeral(pool: &Pool, term: TermId, parent: Option<TermId>, argument: u32) -> bool {
    if !matches!(pool.kind(term), Kind::Lit(Lit::Numeral, _)) {
        return false;
    }
    let converted = || {
        let arg = parent.and_then(|parent| pool.args(parent).get(argument as usize).copied());
        arg.is_some_and(|arg| matches!(pool.kind(arg), Kind::Op { spelling: Spelling::Implicit, .. }))
    };
    pool.sort_of(term) == SortId::REAL || converted()
}

fn named_terms(pool: &Pool) -> impl Iterator<Item = Symbol> + '_ {
    pool.decls.iter().filter(|decl| matches!(decl.role, Role::Named(_))).map(|decl| decl.name)
}

/// The symbol of the seed that a word names; `is-c` belongs to the constructor c.
fn own_name(pool: &Pool, text: &[u8], names: &FxHashSet<Symbol>) -> Option<Symbol> {
    let find = |text: &[u8]| pool.symbols.find(text).filter(|symbol| names.contains(symbol));
    find(text).or_else(|| {
        let symbol = find(text.strip_prefix(b"is-")?)?;
        let constructor =
            |decl: &&smtlib::term::Decl| decl.name == symbol && matches!(decl.role, Role::Constructor { .. });
        pool.decls.iter().find(constructor).map(|_| symbol)
    })
}

/// The largest number after a `$` in any name or text of the seed.
fn largest_number(pool: &Pool) -> Result<u32, Refusal> {
    let mut largest = 0;
    for n in 0..pool.symbols.len() as u32 {
        for piece in pool.bytes(Symbol(n)).split(|&byte| byte == b'$').skip(1) {
            let digits = piece.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 6 {
                return Err(Refusal::Numbered);
            }
            let number = piece[..digits].iter().fold(0, |n, &digit| n * 10 + u32::from(digit - b'0'));
            largest = largest.max(number);
        }
    }
    Ok(largest)
}
