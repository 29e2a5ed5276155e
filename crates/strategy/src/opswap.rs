//! `opswap`: replace an operator by another of conforming type.
//!
//! Idea. A solver bug often hides behind one operator: `(= (* a b) 1)` is handled, `(>= (* a b) 1)` is not. Swapping
//! operators keeps the script well-typed and moves it one step through the solver's case analysis.
//! From: Winterer, Zhang, Su, "On the Unusual Effectiveness of Type-Aware Operator Mutation Testing" (OOPSLA 2020).
//! Expectation: none (any answer may be right), so verdicts rest on models, references and certificates.
//! Sound because: f₂ replaces f₁ : A₁→B₁ only if f₂ : A₂→B₂ with A₁ <: A₂ and B₂ <: B₁, where Int <: Real. Both are
//! looked up in the theory tables with the actual argument sorts. An Int may replace a Real only under a comparison,
//! whose own sort cannot change with it; so the choices at one place stay well-typed whatever is chosen elsewhere.
//! Cost: a table look-up per distinct application of a seed, once; then per mutant one copy of the seed's bytes.
//! Differs from the paper: every theory, constants too, real quantifier swaps, indexed operators with their indices
//! or with valid ones, testers and functions of one rank.

use crate::classes::Classes;
use crate::mutant::fit::{self, Admission};
use crate::mutant::logic::{Reach, Widening};
use crate::mutant::places::{Number, Places, is_number, written_sort};
use crate::mutant::splice::{Edit, splice};
use crate::mutant::{Chain, PerSeed};
use crate::{Bank, Draft, Plain, Prepared, Propose, Rng, Settings, Skip, Strategy};
use rustc_hash::FxHashMap;
use smtlib::printer::Occurrence;
use smtlib::term::{DeclId, Index, Kind, Quantifier, Role, Spelling};
use smtlib::{Pool, SortId, TermId};
use std::borrow::Cow;

/// The settings of `opswap`.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many swaps a chain has.
    pub steps: u32,
    /// A case is made after this many swaps.
    pub every: u32,
    /// Which operators may be written.
    pub policy: Admission,
    pub widening: Widening,
    /// Classes to use instead of those that follow from the tables.
    pub classes: Option<Classes>,
    /// Whether declared functions of one rank, and testers of one datatype, are swapped too.
    pub functions: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            steps: 10,
            every: 1,
            policy: Admission::default(),
            widening: Widening::default(),
            classes: None,
            functions: true,
        }
    }
}

/// What may be written instead of a head.
#[derive(Clone, Debug)]
pub struct Choice {
    pub text: Box<[u8]>,
    pub reach: Reach,
    /// Which choices may follow this one; `None` means all others.
    next: Option<Box<[u16]>>,
}

/// An operator occurrence that can be swapped. Choice 0 is the operator of the seed.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub start: u32,
    pub end: u32,
    pub command: u32,
    class: u32,
}

/// Everything that can be swapped in one seed.
pub struct Swaps {
    pub sites: Vec<Site>,
    classes: Vec<Vec<Choice>>,
    logic_names: Vec<(u32, u32)>,
    widened: [Option<String>; 3],
}

impl Swaps {
    pub fn choices(&self, site: usize) -> &[Choice] {
        &self.classes[self.sites[site].class as usize]
    }

    /// The script with these choices made, as (site, choice) with rising sites.
    pub fn write(&self, prepared: &Prepared, chosen: &[(u32, u16)]) -> Vec<u8> {
        let mut reach = Reach::Inside;
        let mut edits: Vec<Edit<'_>> = Vec::with_capacity(chosen.len() + 1);
        for &(site, choice) in chosen {
            let choice = &self.choices(site as usize)[choice as usize];
            let site = self.sites[site as usize];
            reach = reach.max(choice.reach);
            edits.push(Edit { start: site.start, end: site.end, text: &choice.text });
        }
        if let Some(logic) = &self.widened[reach as usize] {
            let renamed = |&(start, end): &(u32, u32)| Edit { start, end, text: logic.as_bytes() };
            edits.extend(self.logic_names.iter().map(renamed));
        }
        splice(&prepared.printed.bytes, &mut edits)
    }

    /// What was changed, as text for people.
    pub fn rule(&self, site: u32, from: u16, to: u16) -> String {
        let choices = self.choices(site as usize);
        let (old, new) = (&choices[from as usize].text, &choices[to as usize].text);
        let command = self.sites[site as usize].command + 1;
        format!(
            "command {command}: `{}` becomes `{}`",
            String::from_utf8_lossy(old),
            String::from_utf8_lossy(new)
        )
    }
}

pub const STRATEGY: Strategy = Strategy {
    name: "opswap",
    about: "replace operators by others of conforming type",
    source: include_str!("opswap.rs"),
    begin: |bank, settings| Ok(Box::new(Plain(Opswap::new(bank, Config::of(settings)?)))),
};

impl Config {
    fn of(settings: &Settings) -> Result<Config, Skip> {
        let usual = Config::default();
        let classes = settings.classes.as_deref().map(Classes::read).transpose();
        Ok(Config {
            steps: settings.steps.unwrap_or(usual.steps),
            every: settings.every.unwrap_or(usual.every),
            classes: classes.map_err(|error| Skip::Setting(error.to_string()))?,
            ..usual
        })
    }
}

/// The strategy after `begin`.
pub struct Opswap {
    config: Config,
    known: PerSeed<Swaps>,
}

impl Opswap {
    pub fn new(bank: &Bank, config: Config) -> Opswap {
        Opswap { config, known: PerSeed::new(bank) }
    }

    /// What can be swapped in a seed.
    pub fn swaps(&self, prepared: &Prepared) -> Swaps {
        Finder::new(&self.config, prepared).find()
    }
}

impl Propose for Opswap {
    fn unit_len(&self) -> u64 {
        self.chain().cases()
    }

    fn propose(&self, _: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let (prepared, swaps) = self.known.draw(rng, |prepared| self.swaps(prepared))?;
        if swaps.sites.is_empty() {
            return Err(Skip::NothingToDo {
                seed: prepared.seed.id,
                why: "no operator has another of its type",
            });
        }
        let chain = self.chain();
        let mut chosen: Vec<(u32, u16)> = vec![];
        let mut rules: Vec<String> = vec![];
        let mut drafts = Vec::with_capacity(chain.cases() as usize);
        for step in chain.steps() {
            let Some(rule) = self.step(swaps, &mut chosen, rng) else { break };
            rules.push(rule);
            if chain.has_case_after(step) && !chosen.is_empty() {
                let draft = Draft::of(swaps.write(prepared, &chosen));
                drafts.push(draft.seeds([prepared.seed.id]).rules(rules.iter().cloned()));
            }
        }
        Ok(drafts)
    }
}

impl Opswap {
    fn chain(&self) -> Chain {
        Chain::new(self.config.steps, self.config.every)
    }

    /// Makes one more swap, but never one that restores the seed.
    fn step(&self, swaps: &Swaps, chosen: &mut Vec<(u32, u16)>, rng: &mut Rng) -> Option<String> {
        for _ in 0..16 {
            let site = rng.below(swaps.sites.len()) as u32;
            let at = chosen.binary_search_by_key(&site, |&(site, _)| site);
            let current = at.map_or(0, |at| chosen[at].1);
            let choices = swaps.choices(site as usize);
            let next = match &choices[current as usize].next {
                Some(next) => match rng.pick(next) {
                    Some(&next) => next,
                    None => continue,
                },
                None => {
                    let other = rng.below(choices.len() - 1) as u16;
                    if other >= current { other + 1 } else { other }
                }
            };
            match at {
                Ok(_) if next == 0 && chosen.len() == 1 => continue,
                Ok(at) if next == 0 => drop(chosen.remove(at)),
                Ok(at) => chosen[at].1 = next,
                Err(at) => chosen.insert(at, (site, next)),
            }
            return Some(swaps.rule(site, current, next));
        }
        None
    }
}

/// Applications that have the same choices.
#[derive(PartialEq, Eq, Hash)]
struct Shape {
    head: Box<[u8]>,
    args: Box<[SortId]>,
    result: SortId,
    /// Whether an Int may be written where the sort is Real.
    loose: bool,
    /// Which arguments are literals, where that matters.
    numbers: Box<[Number]>,
    /// In a linear logic: a constant such as `(/ 1 3)` that must stay constant because a product around it may need
    /// it.
    coefficient: bool,
}

struct Finder<'a> {
    config: &'a Config,
    prepared: &'a Prepared,
    places: Places,
    /// A copy, because looking up ranks may add sorts.
    pool: Pool,
    known: FxHashMap<Shape, Option<u32>>,
    /// Functions of the script by rank, and the classes made of them.
    ranks: FxHashMap<(Box<[SortId]>, SortId), Vec<DeclId>>,
    functions: FxHashMap<Vec<Vec<u8>>, u32>,
    classes: Vec<Vec<Choice>>,
}

impl<'a> Finder<'a> {
    fn new(config: &'a Config, prepared: &'a Prepared) -> Finder<'a> {
        Finder {
            config,
            prepared,
            places: Places::of(prepared),
            pool: prepared.script.pool.clone(),
            known: FxHashMap::default(),
            ranks: FxHashMap::default(),
            functions: FxHashMap::default(),
            classes: vec![],
        }
    }

    fn find(mut self) -> Swaps {
        let mut sites = vec![];
        for (n, occurrence) in self.prepared.printed.occurrences.iter().enumerate() {
            if self.places.frozen[n] || occurrence.head_start == occurrence.head_end {
                continue;
            }
            if let Some(class) = self.class_of(occurrence) {
                let Occurrence { head_start: start, head_end: end, command, .. } = *occurrence;
                sites.push(Site { start, end, command, class });
            }
        }
        sites.sort_by_key(|site| site.start);
        let logic = &self.places.logic;
        let always = self.config.widening == Widening::Always && logic.allows_all();
        let least = if always { Reach::All } else { Reach::Inside };
        let widened =
            [Reach::Inside, Reach::Nonlinear, Reach::All].map(|reach| logic.widened(reach.max(least)));
        Swaps { sites, classes: self.classes, logic_names: self.places.logic_names, widened }
    }

    fn class_of(&mut self, occurrence: &Occurrence) -> Option<u32> {
        match self.pool.kind(occurrence.term) {
            Kind::Op { op, indices, qualified: false, .. } => {
                let indices = self.pool.index_list(indices).to_vec();
                self.operator(occurrence, op.row().name, &indices)
            }
            Kind::Quant(Quantifier::Forall | Quantifier::Exists, _) => self.quantifier(occurrence),
            Kind::Fun { .. } | Kind::Tester { .. }
                if self.config.functions && self.config.classes.is_none() =>
            {
                self.function(occurrence)
            }
            _ => None,
        }
    }

    fn head(&self, occurrence: &Occurrence) -> &'a [u8] {
        &self.prepared.printed.bytes[occurrence.head_start as usize..occurrence.head_end as usize]
    }

    fn add(&mut self, shape: Shape, choices: Vec<Choice>) -> Option<u32> {
        let class = (choices.len() > 1).then(|| {
            self.classes.push(choices);
            self.classes.len() as u32 - 1
        });
        self.known.insert(shape, class);
        class
    }

    fn plain_shape(&self, occurrence: &Occurrence) -> Shape {
        let (args, result) = (Box::new([]), self.pool.sort_of(occurrence.term));
        Shape {
            head: self.head(occurrence).into(),
            args,
            result,
            loose: false,
            numbers: Box::new([]),
            coefficient: false,
        }
    }

    fn quantifier(&mut self, occurrence: &Occurrence) -> Option<u32> {
        let shape = self.plain_shape(occurrence);
        if let Some(&class) = self.known.get(&shape) {
            return class;
        }
        let (old, new) = if &*shape.head == b"forall" { ("forall", "exists") } else { ("exists", "forall") };
        let allowed = self.config.classes.as_ref().is_none_or(|c| c.successors(old, 1).contains(&new));
        let choice = |text: &str| Choice { text: text.as_bytes().into(), reach: Reach::Inside, next: None };
        self.add(shape, if allowed { vec![choice(old), choice(new)] } else { vec![] })
    }

    /// A function of the script or a tester: others that take and give the same sorts.
    fn function(&mut self, occurrence: &Occurrence) -> Option<u32> {
        let others = match self.pool.kind(occurrence.term) {
            Kind::Fun { decl, qualified: false } if !self.pool.args(occurrence.term).is_empty() => {
                self.same_rank(decl, occurrence)?
            }
            Kind::Tester { constructor, dashed: false } => {
                let Role::Constructor { datatype, .. } = self.pool.decl(constructor).role else {
                    return None;
                };
                let constructors = &self.pool.sort_decl(datatype).datatype.as_ref()?.constructors;
                let name = |decl: DeclId| written_name(self.pool.bytes(self.pool.decl(decl).name));
                constructors.iter().map(|c| [b"(_ is ", &*name(c.decl), b")"].concat()).collect()
            }
            _ => return None,
        };
        let head = self.head(occurrence);
        let texts: Vec<Vec<u8>> =
            [head.to_vec()].into_iter().chain(others.into_iter().filter(|text| text != head)).collect();
        if texts.len() < 2 {
            return None;
        }
        if let Some(&class) = self.functions.get(&texts) {
            return Some(class);
        }
        let choice = |text: &Vec<u8>| Choice { text: text[..].into(), reach: Reach::Inside, next: None };
        self.classes.push(texts.iter().map(choice).collect());
        let class = self.classes.len() as u32 - 1;
        self.functions.insert(texts, class);
        Some(class)
    }

    /// The names of the first few functions in scope that have the rank of this one.
    fn same_rank(&mut self, decl: DeclId, occurrence: &Occurrence) -> Option<Vec<Vec<u8>>> {
        let mine = self.pool.decl(decl);
        if !mine.sort_params.is_empty() || self.pool.sort_of(occurrence.term) != mine.result {
            return None;
        }
        if self.ranks.is_empty() {
            for (n, other) in self.pool.decls.iter().enumerate() {
                if other.sort_params.is_empty() && !matches!(other.role, Role::Named(_)) {
                    let rank = (other.params.clone(), other.result);
                    self.ranks.entry(rank).or_default().push(DeclId(n as u32));
                }
            }
        }
        let usable = |other: &&DeclId| {
            let name = self.pool.decl(**other).name;
            self.places.decl_life(**other).covers(occurrence.command)
                && !self.places.ambiguous.contains(&name)
        };
        let same = self.ranks.get(&(mine.params.clone(), mine.result))?;
        let name = |other: &DeclId| written_name(self.pool.bytes(self.pool.decl(*other).name)).into_owned();
        Some(same.iter().filter(usable).take(8).map(name).collect())
    }

    fn operator(&mut self, occurrence: &Occurrence, name: &str, indices: &[Index]) -> Option<u32> {
        let args: Vec<TermId> = self.pool.args(occurrence.term).to_vec();
        let sorts: Box<[SortId]> = args.iter().map(|&arg| written_sort(&self.pool, arg)).collect();
        let result = self.pool.sort_of(occurrence.term);
        let numbers = match self.places.logic.is_linear() {
            true => args.iter().map(|&arg| Number::of(&self.pool, arg)).collect(),
            false => Box::from([]),
        };
        let loose = result == SortId::REAL && self.under_comparison(occurrence);
        let coefficient = self.is_coefficient(occurrence);
        let head = self.head(occurrence).into();
        let shape = Shape { head, args: sorts, result, loose, numbers, coefficient };
        if let Some(&class) = self.known.get(&shape) {
            return class;
        }
        let choices = match &self.config.classes {
            None => self.by_tables(&shape, name, indices),
            Some(classes) => self.by_classes(&shape, classes, name, indices),
        };
        self.add(shape, choices)
    }

    /// Whether a constant is inside a product or inside a term that may become one.
    fn is_coefficient(&self, occurrence: &Occurrence) -> bool {
        let parent = self.prepared.printed.occurrences.get(occurrence.parent as usize);
        self.places.logic.is_linear()
            && is_number(&self.pool, occurrence.term)
            && parent.is_some_and(|parent| {
                let sort = self.pool.sort_of(parent.term);
                let numeric = sort == SortId::INT || sort == SortId::REAL;
                numeric && matches!(self.pool.kind(parent.term), Kind::Op { .. })
            })
    }

    fn under_comparison(&self, occurrence: &Occurrence) -> bool {
        let Some(parent) = self.prepared.printed.occurrences.get(occurrence.parent as usize) else {
            return false;
        };
        let Kind::Op { op, spelling, .. } = self.pool.kind(parent.term) else { return false };
        let compares = matches!(op.row().name, "=" | "distinct" | "<" | "<=" | ">" | ">=");
        compares && spelling != Spelling::Implicit
    }

    fn by_tables(&mut self, shape: &Shape, name: &str, indices: &[Index]) -> Vec<Choice> {
        let mut choices = vec![Choice { text: shape.head.clone(), reach: Reach::Inside, next: None }];
        for candidate in fit::names() {
            self.offer(shape, candidate.text, &candidate.rows, name, indices, &mut choices);
        }
        choices
    }

    /// Adds the ways in which a name fits a shape.
    fn offer(
        &mut self,
        shape: &Shape,
        name: &str,
        rows: &[&'static smtlib::theory::Row],
        old: &str,
        indices: &[Index],
        choices: &mut Vec<Choice>,
    ) {
        let count = shape.args.len();
        let fits = |pool: &Pool, row: &smtlib::theory::Row| {
            row.takes(count)
                && (0..count).all(|n| fit::could_be(pool, row.arg_pattern(n, count), shape.args[n]))
                && (fit::could_be(pool, &row.result, shape.result) || shape.loose)
        };
        let Some(row) = rows.iter().find(|row| fits(&self.pool, row)) else { return };
        let mut hints: Vec<u64> =
            shape.args.iter().flat_map(|&arg| fit::numbers_of(&self.pool, arg)).collect();
        hints.extend(fit::numbers_of(&self.pool, shape.result));
        let mut offered = 0;
        for list in fit::index_choices(row, indices, &hints) {
            if name == old && list == indices {
                continue;
            }
            if let Some(reach) = self.fits(shape, name, &list)
                && let Some(text) = fit::head_text(name, &list)
            {
                choices.push(Choice { text: text.into(), reach, next: None });
                offered += 1;
                if offered == 4 {
                    return;
                }
            }
        }
    }

    /// Whether a name may be written in place of the shape, and how far outside the logic it is.
    fn fits(&mut self, shape: &Shape, name: &str, indices: &[Index]) -> Option<Reach> {
        let (op, sort) = fit::resolve(&mut self.pool, name, indices, &shape.args)?;
        if sort != shape.result && !(shape.loose && sort == SortId::INT) {
            return None;
        }
        let reach = self.config.policy.admits(&self.places, op.row())?;
        let reach = reach.max(fit::linear_reach(&self.places.logic, op.row(), &shape.numbers));
        let reach = if shape.coefficient { reach.max(Reach::Nonlinear) } else { reach };
        (self.config.widening != Widening::Never || reach == Reach::Inside).then_some(reach)
    }

    /// Everything that can be reached from the seed's operator by the user's classes, with the steps between.
    fn by_classes(&mut self, shape: &Shape, classes: &Classes, name: &str, indices: &[Index]) -> Vec<Choice> {
        let count = shape.args.len();
        let mut names: Vec<String> = vec![name.to_owned()];
        let mut choices = vec![Choice { text: shape.head.clone(), reach: Reach::Inside, next: None }];
        let mut at = 0;
        while at < names.len() {
            let mut next: Vec<u16> = vec![];
            let from = names[at].clone();
            for to in classes.successors(&from, count) {
                if let Some(known) = names.iter().position(|name| name == to) {
                    next.push(known as u16);
                    continue;
                }
                let kept = if smtlib::theory::lookup(to.as_bytes()).is_some() { indices } else { &[] };
                if let Some(reach) = self.fits(shape, to, kept)
                    && let Some(text) = fit::head_text(to, kept)
                {
                    next.push(names.len() as u16);
                    names.push(to.to_owned());
                    choices.push(Choice { text: text.into(), reach, next: None });
                }
            }
            choices[at].next = Some(next.into());
            at += 1;
        }
        choices
    }
}

fn written_name(name: &[u8]) -> Cow<'_, [u8]> {
    if smtlib::symbol::needs_bars(name) {
        let mut text = vec![];
        smtlib::symbol::write_name(&mut text, name);
        return Cow::Owned(text);
    }
    Cow::Borrowed(name)
}
