//! Terms collected from the whole bank, to be written into other seeds.
//!
//! This is the data-driven variant of the thesis (section 5.6): a seed can then get constants and shapes that it never
//! had. A collected term is a template: its free variables, bound elsewhere or declared, are slots that the target
//! fills with its own terms or with fresh constants. Terms that contain binders are left out, because a binder could
//! capture the term in a slot. Terms with functions, datatypes or sorts of their script are left out too.

use crate::mutant::fit::{self, is_writable};
use crate::mutant::logic::{Logic, Reach};
use crate::mutant::places::{Number, Places, solvers, sort_takers};
use crate::{Bank, Prepared};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::logic::Features;
use smtlib::printer::{Occurrence, write_sort};
use smtlib::term::{Kind, Lit, Spelling};
use smtlib::theory::OpId;
use smtlib::{Pool, Sort, SortId, TermId};

/// Longer terms are not collected.
const LENGTH: u32 = 160;
/// Maximum number of terms of one sort.
const PER_SORT: usize = 8_000;

/// A sort by its text, the same in every script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Portable(u32);

/// A harvested term.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its text without the slots.
    pub text: Box<[u8]>,
    /// Where slots are in the text, and which variable each is.
    pub slots: Box<[(u32, u16)]>,
    /// The sorts of its variables.
    pub vars: Box<[Portable]>,
    pub rows: Box<[OpId]>,
    pub takers: u8,
    /// What a logic must support for its sorts.
    pub needs: Features,
    /// Whether it contains a product or quotient of variables.
    pub nonlinear: bool,
    /// Which seed of the bank it came from.
    pub seed: u32,
}

/// The texts and variable sorts of the templates so far, to keep each template once.
type Seen = FxHashSet<(Box<[u8]>, Box<[Portable]>)>;

/// All harvested terms.
#[derive(Default)]
pub struct Harvest {
    pub templates: Vec<Template>,
    by_sort: FxHashMap<Portable, Vec<u32>>,
    ids: FxHashMap<Box<[u8]>, Portable>,
    texts: Vec<Box<[u8]>>,
}

impl Harvest {
    /// Harvests a bank, in its order.
    pub fn of(bank: &Bank) -> Harvest {
        let mut harvest = Harvest::default();
        let mut seen = Seen::default();
        for (n, prepared) in bank.seeds().iter().enumerate() {
            harvest.reap(prepared, n as u32, &mut seen);
        }
        harvest
    }

    /// The sort of this text, if any harvested term mentions it.
    pub fn sort(&self, text: &[u8]) -> Option<Portable> {
        self.ids.get(text).copied()
    }

    pub fn sort_text(&self, sort: Portable) -> &[u8] {
        &self.texts[sort.0 as usize]
    }

    /// The terms of a sort.
    pub fn of_sort(&self, sort: Portable) -> &[u32] {
        self.by_sort.get(&sort).map_or(&[], Vec::as_slice)
    }

    fn intern(&mut self, pool: &Pool, sort: SortId) -> Portable {
        let mut text = vec![];
        write_sort(&mut text, pool, sort);
        if let Some(&known) = self.ids.get(&text[..]) {
            return known;
        }
        let id = Portable(self.texts.len() as u32);
        self.texts.push(text.clone().into());
        self.ids.insert(text.into(), id);
        id
    }

    fn reap(&mut self, prepared: &Prepared, seed: u32, seen: &mut Seen) {
        let pool = &prepared.script.pool;
        let places = Places::of(prepared);
        let occurrences = &prepared.printed.occurrences;
        let mut done = vec![false; pool.len()];
        for (n, root) in occurrences.iter().enumerate() {
            let fresh = !std::mem::replace(&mut done[root.term.0 as usize], true);
            if !fresh || root.end - root.start > LENGTH || pool.args(root.term).is_empty() || places.hopeless
            {
                continue;
            }
            let end = occurrences[n..]
                .iter()
                .position(|o| o.start >= root.end)
                .map_or(occurrences.len(), |m| n + m);
            let Some(template) = self.template(prepared, &places, &occurrences[n..end], seed) else {
                continue;
            };
            let sort = self.intern(pool, pool.sort_of(root.term));
            let list = self.by_sort.entry(sort).or_default();
            if list.len() < PER_SORT && seen.insert((template.text.clone(), template.vars.clone())) {
                list.push(self.templates.len() as u32);
                self.templates.push(template);
            }
        }
    }

    /// The template of a term, given its occurrences, root first.
    fn template(
        &mut self,
        prepared: &Prepared,
        places: &Places,
        occurrences: &[Occurrence],
        seed: u32,
    ) -> Option<Template> {
        let pool = &prepared.script.pool;
        let bytes = &prepared.printed.bytes;
        let mut parts = Parts { takers: solvers::BOTH, at: occurrences[0].start, ..Parts::default() };
        for occurrence in occurrences {
            let term = occurrence.term;
            let sort = pool.sort_of(term);
            if !is_portable(pool, sort) {
                return None;
            }
            parts.takers &= sort_takers(pool, sort);
            parts.needs = parts.needs.with(match pool.kind(term) {
                Kind::Lit(Lit::Binary | Lit::Hex | Lit::BvDecimal, _) => Features::BITS,
                _ => Features::of_sort(pool, sort),
            });
            let leaf = pool.args(term).is_empty();
            match pool.kind(term) {
                Kind::Lit(Lit::Abstract | Lit::Algebraic, _) => return None,
                // A numeral of a logic without integers is a Real, and must be written as one elsewhere.
                Kind::Lit(Lit::Numeral, _) if sort == SortId::REAL => {
                    parts.copy(bytes, occurrence.end);
                    parts.text.extend_from_slice(b".0");
                }
                Kind::Lit(..) => {}
                Kind::Var(_) | Kind::Fun { qualified: false, .. } if leaf => {
                    let var = match parts.vars.iter().position(|&(known, _)| known == term) {
                        Some(var) => var,
                        None => {
                            parts.vars.push((term, self.intern(pool, sort)));
                            parts.vars.len() - 1
                        }
                    };
                    parts.copy(bytes, occurrence.start);
                    parts.slots.push((parts.text.len() as u32, var as u16));
                    parts.at = occurrence.end;
                }
                Kind::Op { op, .. } => parts.operator(pool, places, term, op)?,
                _ => return None,
            }
        }
        parts.copy(bytes, occurrences[0].end);
        Some(Template {
            text: parts.text.into(),
            slots: parts.slots.into(),
            vars: parts.vars.into_iter().map(|(_, sort)| sort).collect(),
            rows: parts.rows.into(),
            takers: parts.takers,
            needs: parts.needs,
            nonlinear: parts.nonlinear,
            seed,
        })
    }
}

#[derive(Default)]
struct Parts {
    text: Vec<u8>,
    slots: Vec<(u32, u16)>,
    vars: Vec<(TermId, Portable)>,
    rows: Vec<OpId>,
    takers: u8,
    needs: Features,
    nonlinear: bool,
    /// How far the seed's text has been copied.
    at: u32,
}

impl Parts {
    fn copy(&mut self, bytes: &[u8], until: u32) {
        self.text.extend_from_slice(&bytes[self.at as usize..until as usize]);
        self.at = until;
    }

    fn operator(&mut self, pool: &Pool, places: &Places, term: TermId, op: OpId) -> Option<()> {
        let row = op.row();
        if !is_writable(row) || places.is_taken(row.name.as_bytes()) {
            return None;
        }
        if matches!(pool.kind(term), Kind::Op { spelling: Spelling::Alias(_), .. }) {
            return None;
        }
        let args = pool.args(term);
        let numbers: Vec<Number> = args.iter().map(|&arg| Number::of(pool, arg)).collect();
        self.nonlinear |= !fit::is_linear(row, &numbers);
        self.takers &= solvers::of(row.by.as_deref());
        if !self.rows.contains(&op) {
            self.rows.push(op);
        }
        Some(())
    }
}

fn is_portable(pool: &Pool, sort: SortId) -> bool {
    match pool.sort(sort) {
        Sort::Declared(..) | Sort::Param(_) | Sort::Fun(_) => false,
        Sort::Array(index, element) => is_portable(pool, *index) && is_portable(pool, *element),
        Sort::Seq(s) | Sort::Set(s) | Sort::FiniteSet(s) | Sort::Bag(s) | Sort::Nullable(s) => {
            is_portable(pool, *s)
        }
        Sort::MultiArray(sorts) | Sort::Tuple(sorts) => sorts.iter().all(|&sort| is_portable(pool, sort)),
        _ => true,
    }
}

impl Template {
    /// How far outside a seed's logic the template is; `None` if it cannot be used there.
    pub fn reach(&self, logic: &Logic, admitted: &[Option<Reach>]) -> Option<Reach> {
        let mut reach = logic.reach_features(self.needs)?;
        for op in &self.rows {
            reach = reach.max(admitted[op.0 as usize]?);
            let arithmetic = op.row().is_arithmetic();
            if logic.is_difference() && arithmetic {
                reach = reach.max(Reach::Nonlinear);
            }
        }
        if self.nonlinear && logic.is_linear() {
            reach = reach.max(Reach::Nonlinear);
        }
        Some(reach)
    }
}
