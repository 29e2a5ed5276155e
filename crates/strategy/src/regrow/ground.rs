//! The material of a seed for `regrow`: terms to move, places to change, and the operators that are allowed.
//!
//! Donors (`mutant::donors`) are terms of the seed that may be written elsewhere in it. A *hole* is an occurrence that
//! may be replaced by anything of its sort.

use super::productions::{Production, productions};
use super::signatures::Signatures;
use crate::Prepared;
use crate::mutant::donors::{Donor, donors, prefix};
use crate::mutant::fit::Admission;
use crate::mutant::literals::{Literal, literals};
use crate::mutant::logic::{Reach, Widening};
use crate::mutant::places::{Env, Places};
use rustc_hash::FxHashMap;
use smtlib::script::{Command, DefineForm};
use smtlib::term::Kind;
use smtlib::{Pool, Sort, SortId, TermId, theory};

/// An occurrence that may be replaced.
#[derive(Clone, Copy, Debug)]
pub struct Hole {
    pub start: u32,
    pub end: u32,
    pub command: u32,
    pub env: u32,
    pub sort: SortId,
    /// In a linear logic: only a number may be written here.
    pub scaled: bool,
}

/// The material of one seed.
pub struct Ground {
    pub places: Places,
    pub holes: Vec<Hole>,
    pub donors: Vec<Donor>,
    pub by_sort: FxHashMap<SortId, Vec<u32>>,
    pub literals: FxHashMap<SortId, Vec<Literal>>,
    pub productions: FxHashMap<SortId, Vec<Production>>,
    /// Per row of the tables: whether it may be written here, and how far outside the logic it is.
    pub admitted: Vec<Option<Reach>>,
    /// The sorts of terms here, with their text.
    pub sorts: Vec<(SortId, Box<[u8]>)>,
    /// A prefix that no name of the script has.
    pub prefix: String,
    pub widened: [Option<String>; 3],
}

impl Ground {
    pub fn of(
        prepared: &Prepared,
        policy: Admission,
        widening: Widening,
        signatures: Option<&Signatures>,
    ) -> Ground {
        let places = Places::of(prepared);
        let mut pool = prepared.script.pool.clone();
        let admitted = admitted(&places, policy, widening);
        let donors = donors(prepared, &places);
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
        donor.fits(self.env(hole), hole.command)
    }
}

fn admitted(places: &Places, policy: Admission, widening: Widening) -> Vec<Option<Reach>> {
    let allowed = |reach: &Reach| widening != Widening::Never || *reach == Reach::Inside;
    theory::rows().iter().map(|row| policy.admits(places, row).filter(allowed)).collect()
}

/// The sorts that terms here can have: those of donors, and those whose values come with them.
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
        // A term written into a recursive body may make the recursion infinite.
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
