//! Terms of a seed that may be written elsewhere in it.
//!
//! A *donor* has the variables that must be in scope where it is written and the range of commands in which its
//! symbols exist. Donors are found in one pass over the seed's terms, arguments before the terms that use them. A term
//! with a name that the script both binds and declares is not moved, because it could mean something else elsewhere.

use crate::Prepared;
use crate::mutant::places::{Env, Life, Places, bound_by, is_number};
use smtlib::symbol::Symbol;
use smtlib::term::{Kind, Lit, Spelling};
use smtlib::{Pool, SortId, TermId};

/// Donors with more free variables than this are not moved: there would hardly be a place for them.
const FREE: usize = 16;
/// Donors longer than this are not moved: a mutant should stay readable.
const LENGTH: u32 = 600;

/// A term that may be written elsewhere.
#[derive(Clone, Debug)]
pub struct Donor {
    pub start: u32,
    pub end: u32,
    /// The bound variables that must be in scope.
    pub free: Box<[(Symbol, SortId)]>,
    pub life: Life,
    /// Whether it is a literal number.
    pub number: bool,
    /// Whether it is a variable or a constant.
    pub leaf: bool,
    /// The occurrence that is copied.
    pub occurrence: u32,
}

impl Donor {
    /// Whether it may be written where these variables are in scope, in this command.
    pub fn fits(&self, env: &Env, command: u32) -> bool {
        self.life.covers(command) && self.free.iter().all(|var| env.contains(var))
    }
}

/// A prefix for fresh names that no name of the script has.
pub fn prefix(pool: &Pool) -> String {
    let mut prefix = "fresh".to_owned();
    while (0..pool.symbols.len()).any(|n| pool.bytes(Symbol(n as u32)).starts_with(prefix.as_bytes())) {
        prefix.push('!');
    }
    prefix
}

/// What is known about every term of a pool.
struct Facts {
    free: Vec<Box<[(Symbol, SortId)]>>,
    life: Vec<Life>,
    /// Whether it may be written elsewhere.
    movable: Vec<bool>,
}

impl Facts {
    fn of(pool: &Pool, places: &Places) -> Facts {
        let count = pool.len();
        let mut facts = Facts {
            free: Vec::with_capacity(count),
            life: Vec::with_capacity(count),
            movable: Vec::with_capacity(count),
        };
        for n in 0..count {
            facts.add(pool, places, TermId(n as u32));
        }
        facts
    }

    fn add(&mut self, pool: &Pool, places: &Places, term: TermId) {
        let kind = pool.kind(term);
        let mut free: Vec<(Symbol, SortId)> = vec![];
        let mut life = places.sort_life(pool, pool.sort_of(term));
        let mut movable = is_movable(pool, places, kind);
        if let Kind::Var(name) = kind {
            free.push((name, pool.sort_of(term)));
        }
        if let Kind::Fun { decl, .. }
        | Kind::Tester { constructor: decl, .. }
        | Kind::Updater { selector: decl } = kind
        {
            life = life.meet(places.decl_life(decl));
        }
        for (n, &arg) in pool.args(term).iter().enumerate() {
            let arg = arg.0 as usize;
            life = life.meet(self.life[arg]);
            movable &= self.movable[arg];
            let bound = bound_by(pool, term, n as u32).map_or(&[][..], |(_, vars)| vars);
            for &(_, sort) in bound {
                life = life.meet(places.sort_life(pool, sort));
            }
            for var in &self.free[arg] {
                if !bound.iter().any(|(name, _)| *name == var.0) && !free.contains(var) {
                    free.push(*var);
                }
            }
            if free.len() > FREE {
                movable = false;
                free.truncate(FREE);
            }
        }
        self.free.push(free.into());
        self.life.push(life);
        self.movable.push(movable);
    }
}

fn is_movable(pool: &Pool, places: &Places, kind: Kind) -> bool {
    match kind {
        Kind::Lit(lit, _) => !matches!(lit, Lit::Abstract | Lit::Algebraic),
        Kind::Op { op, spelling, .. } => {
            spelling == Spelling::Implicit || !places.is_taken(op.row().name.as_bytes())
        }
        Kind::Fun { decl, .. } => !places.ambiguous.contains(&pool.decl(decl).name),
        // A copy would define the name a second time, and a pattern belongs to its quantifier.
        Kind::Annot(_) => false,
        _ => true,
    }
}

/// Every term of the seed that may be moved, once, in the order of its first occurrence.
pub fn donors(prepared: &Prepared, places: &Places) -> Vec<(Donor, SortId)> {
    let pool = &prepared.script.pool;
    let facts = Facts::of(pool, places);
    let mut seen = vec![false; pool.len()];
    let mut donors = vec![];
    for (n, occurrence) in prepared.printed.occurrences.iter().enumerate() {
        let term = occurrence.term;
        let at = term.0 as usize;
        if std::mem::replace(&mut seen[at], true)
            || !facts.movable[at]
            || occurrence.end - occurrence.start > LENGTH
            || facts.life[at].from >= facts.life[at].until
        {
            continue;
        }
        let donor = Donor {
            start: occurrence.start,
            end: occurrence.end,
            free: facts.free[at].clone(),
            life: facts.life[at],
            number: is_number(pool, term),
            leaf: matches!(pool.kind(term), Kind::Var(_) | Kind::Fun { .. }) && pool.args(term).is_empty(),
            occurrence: n as u32,
        };
        donors.push((donor, pool.sort_of(term)));
    }
    donors
}
