//! What a seed offers to regrow with: terms to move, places to change, and what is admitted in it.
//!
//! A *donor* is a term of the seed that may be written elsewhere in it. It carries the variables that must be in scope
//! there and the commands in which its symbols exist. A *hole* is an occurrence that may be replaced by anything of
//! its sort. Both are found in one pass over the seed's terms, arguments before the terms that use them.

use super::literals::{Literal, literals};
use super::productions::{Production, productions};
use super::signatures::Signatures;
use crate::Prepared;
use crate::mutant::fit::Policy;
use crate::mutant::logic::{Reach, Widening};
use crate::mutant::places::{Env, Life, Places, bound_by, is_number};
use rustc_hash::FxHashMap;
use smtlib::script::{Command, DefineForm};
use smtlib::symbol::Symbol;
use smtlib::term::{Kind, Lit, Spelling};
use smtlib::{Pool, Sort, SortId, TermId, theory};

/// Donors with more free variables than this are not moved: nobody would find a place for them.
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
    /// A number written out.
    pub number: bool,
    /// A variable or a constant.
    pub leaf: bool,
}

/// An occurrence that may be replaced.
#[derive(Clone, Copy, Debug)]
pub struct Hole {
    pub start: u32,
    pub end: u32,
    pub command: u32,
    pub env: u32,
    pub sort: SortId,
    /// In a linear logic: only a number keeps the script linear here.
    pub scaled: bool,
}

/// What one seed offers.
pub struct Ground {
    pub places: Places,
    pub holes: Vec<Hole>,
    pub donors: Vec<Donor>,
    pub by_sort: FxHashMap<SortId, Vec<u32>>,
    pub literals: FxHashMap<SortId, Vec<Literal>>,
    pub productions: FxHashMap<SortId, Vec<Production>>,
    /// Per row of the tables: whether it may be written here, and how far outside the logic that is.
    pub admitted: Vec<Option<Reach>>,
    /// The sorts of terms here, with their text.
    pub sorts: Vec<(SortId, Box<[u8]>)>,
    /// No name of the script begins so.
    pub prefix: String,
    pub widened: [Option<String>; 3],
}

impl Ground {
    pub fn of(
        prepared: &Prepared,
        policy: Policy,
        widening: Widening,
        signatures: Option<&Signatures>,
    ) -> Ground {
        let places = Places::of(prepared);
        let mut pool = prepared.script.pool.clone();
        let facts = Facts::of(&pool, &places);
        let admitted = admitted(&places, policy, widening);
        let donors = donors(prepared, &facts);
        let mut by_sort: FxHashMap<SortId, Vec<u32>> = FxHashMap::default();
        for (n, (_, sort)) in donors.iter().enumerate() {
            by_sort.entry(*sort).or_default().push(n as u32);
        }
        let available = available(&pool, &places, &by_sort);
        let mut values: FxHashMap<SortId, Vec<Literal>> = FxHashMap::default();
        for &sort in &available {
            values.insert(sort, literals(&pool, &places, sort));
        }
        let mut productions = productions(&mut pool, &places, &available, &admitted);
        if let Some(signatures) = signatures {
            values.clear();
            for (sort, list) in &mut productions {
                list.retain(|production| signatures.admit(&pool, production, *sort));
            }
        }
        let holes = holes(prepared, &places, |sort| {
            productions.get(&sort).is_some_and(|list| !list.is_empty())
                || values.get(&sort).is_some_and(|list| !list.is_empty())
                || by_sort.get(&sort).is_some_and(|list| list.len() > 1)
        });
        let sorts = available.iter().map(|&sort| {
            let mut text = vec![];
            smtlib::printer::write_sort(&mut text, &pool, sort);
            (sort, text.into())
        });
        let always = widening == Widening::Always && places.logic.allows_all();
        let least = if always { Reach::All } else { Reach::Inside };
        let reaches = [Reach::Inside, Reach::Nonlinear, Reach::All];
        Ground {
            sorts: sorts.collect(),
            widened: reaches.map(|reach| places.logic.widened(reach.max(least))),
            prefix: prefix(&pool),
            places,
            holes,
            donors: donors.into_iter().map(|(donor, _)| donor).collect(),
            by_sort,
            literals: values,
            productions,
            admitted,
        }
    }

    pub fn env(&self, hole: &Hole) -> &Env {
        &self.places.envs[hole.env as usize]
    }

    /// Whether a donor means the same at a hole as where it came from: its symbols exist, its variables are in scope.
    pub fn fits(&self, donor: &Donor, hole: &Hole) -> bool {
        let env = self.env(hole);
        donor.life.covers(hole.command) && donor.free.iter().all(|var| env.contains(var))
    }
}

fn admitted(places: &Places, policy: Policy, widening: Widening) -> Vec<Option<Reach>> {
    let allowed = |reach: &Reach| widening != Widening::Never || *reach == Reach::Inside;
    theory::rows().iter().map(|row| policy.admits(places, row).filter(allowed)).collect()
}

/// A beginning for fresh names that no name of the script has.
fn prefix(pool: &Pool) -> String {
    let mut prefix = "fresh".to_owned();
    while (0..pool.symbols.len()).any(|n| pool.bytes(Symbol(n as u32)).starts_with(prefix.as_bytes())) {
        prefix.push('!');
    }
    prefix
}

/// The sorts that terms here can have: those of donors, and the ones whose values come with them.
fn available(pool: &Pool, places: &Places, by_sort: &FxHashMap<SortId, Vec<u32>>) -> Vec<SortId> {
    let mut sorts: Vec<SortId> = by_sort.keys().copied().collect();
    let counted = |sort: &SortId| {
        matches!(pool.sort(*sort), Sort::String | Sort::Seq(_) | Sort::Bag(_) | Sort::FiniteSet(_))
    };
    sorts.push(SortId::BOOL);
    if sorts.iter().any(counted) && !places.logic.real_numerals() {
        sorts.push(SortId::INT);
    }
    if sorts.contains(&SortId::STRING) {
        sorts.push(SortId::REGLAN);
    }
    if sorts.iter().any(|&sort| matches!(pool.sort(sort), Sort::Float { .. })) {
        sorts.push(SortId::ROUNDING_MODE);
    }
    sorts.retain(|&sort| !matches!(pool.sort(sort), Sort::Fun(_) | Sort::Param(_)));
    sorts.sort_unstable();
    sorts.dedup();
    sorts
}

/// What is known about every term of a pool.
struct Facts {
    free: Vec<Box<[(Symbol, SortId)]>>,
    life: Vec<Life>,
    /// May be written elsewhere.
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
        // A name would be given twice, and a pattern belongs to its quantifier.
        Kind::Annot(_) => false,
        _ => true,
    }
}

/// Every term of the seed that may be moved, once, in the order of its first occurrence.
fn donors(prepared: &Prepared, facts: &Facts) -> Vec<(Donor, SortId)> {
    let pool = &prepared.script.pool;
    let mut seen = vec![false; pool.len()];
    let mut donors = vec![];
    for occurrence in &prepared.printed.occurrences {
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
        };
        donors.push((donor, pool.sort_of(term)));
    }
    donors
}

fn holes(prepared: &Prepared, places: &Places, has_growth: impl Fn(SortId) -> bool) -> Vec<Hole> {
    let pool = &prepared.script.pool;
    let occurrences = &prepared.printed.occurrences;
    let linear = places.logic.is_linear();
    let difference = places.logic.is_difference();
    let mut scaled: Vec<bool> = vec![];
    let mut holes = vec![];
    for (n, occurrence) in occurrences.iter().enumerate() {
        let sort = pool.sort_of(occurrence.term);
        let numeric = sort == SortId::INT || sort == SortId::REAL;
        let under = occurrences.get(occurrence.parent as usize).is_some_and(|parent| {
            scaled[occurrence.parent as usize]
                || matches!(operator(pool, parent.term), "*" | "/" | "div" | "mod")
        });
        scaled.push(linear && numeric && (under || difference));
        // What grows in a recursive body may recurse for ever.
        let recursive = matches!(
            prepared.script.commands[occurrence.command as usize],
            Command::DefineFun { form: DefineForm::Rec, .. } | Command::DefineFunsRec(_)
        );
        let fixed = places.frozen[n] || places.holds[n] || recursive;
        if fixed || matches!(pool.kind(occurrence.term), Kind::Annot(_)) || !has_growth(sort) {
            continue;
        }
        holes.push(Hole {
            start: occurrence.start,
            end: occurrence.end,
            command: occurrence.command,
            env: places.env[n],
            sort,
            scaled: scaled[n],
        });
    }
    holes
}

fn operator(pool: &Pool, term: TermId) -> &'static str {
    match pool.kind(term) {
        Kind::Op { op, .. } => op.row().name,
        _ => "",
    }
}
