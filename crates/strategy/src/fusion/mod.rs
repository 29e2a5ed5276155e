//! `fusion`: make one formula of two whose answers are known, so that its answer is known too.
//!
//! Idea. Two formulas next to each other are as easy as each alone. Fusion connects a variable x of one to a variable
//! y of the other by a fresh z = f(x, y), and writes some occurrences of x as the inversion of f, applied to y and z.
//! Now the solver must reason through f, but the answer has not changed. No second solver is needed to know it.
//! From: Winterer, Zhang, Su, "Validating SMT Solvers via Semantic Fusion" (PLDI 2020), and chapter 3 of Winterer's
//! thesis, whose propositions are cited below; `concat_only` is its baseline ConcatFuzz.
//!
//! Expectation, and why it is right. Let φ₁ and φ₂ be the seeds, after every name that φ₂ declares or binds has been
//! made different from all names of φ₁, so that they share nothing but the theories; R replaces some free occurrences
//! of x by r_x(x, y, z) and of y by r_y(x, y, z). A function is *total* if z = f(x, y) implies r_x = x and r_y = y for
//! all values and whatever under-specified operators mean.
//! - sat ∧ sat is sat (Proposition 3.2.1): models M₁ and M₂ united, with z := f(x, y), satisfy R(φ₁) ∧ R(φ₂), because
//!   every replaced occurrence has its old value. A total function always gives it back. A partial one (the published
//!   x·y, Figure 3.2) is used only where models of both seeds are known, our evaluator has confirmed them, and it finds
//!   that both inversions hold at their values of x and y. The union must be a model: where both seeds
//!   use an operator that is under-specified (division by 0, fp.to_ubv of NaN, …), M₁ and M₂ may need different
//!   interpretations of it. Such pairs are joined by ∨ instead, which needs only one of the models.
//! - unsat ∨ unsat is unsat (Proposition 3.2.2): where z = f(x, y) is asserted, R(φᵢ) is equivalent to φᵢ. With a total
//!   function that equation is enough. With a partial one (the published x·y, which does not invert at 0) it is not:
//!   x = r_x and y = r_y are asserted too, as Figure 3.4 does, and then the argument needs no property of f at all.
//! - sat ∨ unsat is sat, sat ∧ unsat is unsat (Proposition 3.2.3), by the same arguments; for the first, the value of the
//!   unsatisfiable seed's variable may be anything. Here only one seed's status is relied on. An unsat seed with recursive definitions is not used for ∨: its
//!   definitions hold outside the disjunction and may themselves be what is contradictory.
//!
//! Constraints are added to satisfiable fusions too, sometimes: z := f(x, y) satisfies them.
//! Several pairs are independent of each other: every inversion equals its variable, so any mixture of them does.
//! The ground is an argument, not a claim, only if each status that is relied on has a better ground than one party's
//! claim (an argument by construction, or two solvers that agree), and if every function of a user's file is more than
//! just tested.
//!
//! Seeds: one check-sat, no push or pop, a known status without conflict, no theory with symbols that two formulas
//! must share (a heap, an order, a universe); a pair that some solver accepts. See `part`. Options and informative
//! commands are dropped.
//! Functions: text files under `fusion/`, in yinyang's format; `verify` proves that they are total.
//! Cost: one pass over the text of both seeds.
//! Differs from the paper: all theories; sorts that differ; renaming of everything, bound names too; only occurrences
//! outside patterns are replaced; the logic is joined; functions 3 and 7 have variants that are guarded at 0 (see the
//! files); functions are weighed, the published ones most, and `--like yinyang` draws only those.

mod blocks;
mod constants;
mod expr;
pub mod functions;
pub mod fuse;
pub mod logic;
pub mod part;
pub mod sorts;
pub mod verify;

pub use functions::{Function, Functions, Trust};
pub use fuse::{Connective, Constraints, FusionPlan, Triplet};
pub use part::{Part, Variable};

use crate::{Bank, Draft, Expect, Expected, Ground, Plain, Prepared, Propose, Rng, Settings, Skip, Strategy};
use corpus::{Seed, Status, StatusSource};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The settings of `fusion`.
#[derive(Clone, Debug)]
pub struct Config {
    /// Combine the formulas and fuse nothing.
    pub concat_only: bool,
    /// Maximum number of pairs of variables.
    pub pairs: usize,
    pub modes: Vec<Mode>,
    pub weights: FunctionWeights,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            concat_only: false,
            pairs: 3,
            modes: Mode::ALL.to_vec(),
            weights: FunctionWeights::default(),
        }
    }
}

/// How often each kind of function is drawn, where it fits.
#[derive(Clone, Copy, Debug)]
pub struct FunctionWeights {
    /// Those of Figure 3.5.
    pub published: usize,
    /// Ours for particular sorts.
    pub own: usize,
    /// Those that fit variables of any sort: pairs, lists, arrays, choices. They say little about the sorts they wrap.
    pub wrapper: usize,
    /// One pair of variables in this many is drawn without regard to sorts.
    pub any_sorts: usize,
}

impl Default for FunctionWeights {
    fn default() -> FunctionWeights {
        FunctionWeights { published: 12, own: 4, wrapper: 1, any_sorts: 4 }
    }
}

impl FunctionWeights {
    /// The published functions alone, for two variables of one sort.
    pub const PUBLISHED: FunctionWeights =
        FunctionWeights { published: 1, own: 0, wrapper: 0, any_sorts: usize::MAX };

    /// For functions of a user's file.
    pub const EVEN: FunctionWeights = FunctionWeights { published: 1, own: 1, wrapper: 1, any_sorts: 4 };

    fn of(&self, function: &Function) -> usize {
        match () {
            () if function.is_published() => self.published,
            () if function.is_wrapper() => self.wrapper,
            () => self.own,
        }
    }
}

/// Number of values on which a user's function is tested if there is no proof.
const VALUES: u64 = 100;

/// Which proposition a fusion follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Sat,
    Unsat,
    MixedSat,
    MixedUnsat,
}

impl Mode {
    pub const ALL: [Mode; 4] = [Mode::Sat, Mode::Unsat, Mode::MixedSat, Mode::MixedUnsat];

    /// The statuses of the seeds; the one that is relied on comes first.
    fn seeds(self) -> [Status; 2] {
        match self {
            Mode::Sat => [Status::Sat, Status::Sat],
            Mode::Unsat => [Status::Unsat, Status::Unsat],
            Mode::MixedSat => [Status::Sat, Status::Unsat],
            Mode::MixedUnsat => [Status::Unsat, Status::Sat],
        }
    }

    pub fn expected(self) -> Expected {
        match self {
            Mode::Sat | Mode::MixedSat => Expected::Sat,
            Mode::Unsat | Mode::MixedUnsat => Expected::Unsat,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Mode::Sat => "sat fusion",
            Mode::Unsat => "unsat fusion",
            Mode::MixedSat => "mixed sat fusion",
            Mode::MixedUnsat => "mixed unsat fusion",
        }
    }
}

pub const STRATEGY: Strategy = Strategy {
    name: "fusion",
    about: "two seeds of known status fused through invertible functions; the answer follows",
    source: include_str!("mod.rs"),
    begin: |bank, settings| {
        let fusion = Fusion::of(settings)?;
        let index = Index::of(&fusion, bank);
        Ok(Box::new(Plain(Fusing { fusion, index })))
    },
};

/// Fuses two parts. Holds everything that fusion needs except the seeds.
pub struct Fusion {
    pub config: Config,
    functions: Vec<Arc<Function>>,
    /// Words that functions use from theories. Seeds that give them another meaning are refused.
    words: FxHashSet<Box<[u8]>>,
    kinds: Mutex<FxHashMap<sorts::Shape, u32>>,
    fitting: RwLock<FxHashMap<Asked, Arc<[Fit]>>>,
}

/// The strategy after `begin`: a fusion and the seeds it draws from.
pub struct Fusing {
    pub fusion: Fusion,
    index: Index,
}

impl Fusing {
    pub fn new(fusion: Fusion, bank: &Bank) -> Fusing {
        let index = Index::of(&fusion, bank);
        Fusing { fusion, index }
    }
}

/// The sorts of two variables.
type Asked = (u32, u32);

/// The number of a function, and whether the first seed's variable has role y.
type Fit = (u16, bool);

/// The fusable seeds of one bank.
#[derive(Default)]
struct Index {
    sat: Group,
    unsat: Group,
}

/// Seeds of one status, and the same by logic.
#[derive(Default)]
struct Group {
    parts: Vec<Arc<Part>>,
    logics: FxHashMap<Box<str>, Vec<u32>>,
}

impl Default for Fusion {
    fn default() -> Fusion {
        Fusion::new(Config::default(), Functions::embedded().functions)
    }
}

impl Fusion {
    /// A fusion with these functions. Unchecked functions count as partial.
    pub fn new(config: Config, functions: Vec<Function>) -> Fusion {
        let mut words = FxHashSet::default();
        functions.iter().for_each(|function| function.words(&mut words));
        let functions = functions.into_iter().map(Arc::new).collect();
        let (kinds, fitting) = (Mutex::default(), RwLock::default());
        Fusion { config, functions, words, kinds, fitting }
    }

    /// With the functions of the settings. Functions without a proof are tested on values.
    fn of(settings: &Settings) -> Result<Fusion, Skip> {
        let weights = match (&settings.functions, settings.published) {
            (Some(_), _) => FunctionWeights::EVEN,
            (None, true) => FunctionWeights::PUBLISHED,
            (None, false) => FunctionWeights::default(),
        };
        let config = Config { concat_only: settings.concat_only, weights, ..Config::default() };
        let Some(text) = &settings.functions else {
            return Ok(Fusion::new(config, Functions::embedded().functions));
        };
        let mut functions = Functions::read(text).functions;
        if functions.is_empty() {
            return Err(Skip::Setting("there is no usable fusion function".into()));
        }
        verify::test_unchecked(&mut functions, VALUES);
        Ok(Fusion::new(config, functions))
    }

    pub fn functions(&self) -> &[Arc<Function>] {
        &self.functions
    }

    /// The part of a seed, or the reason why it cannot be fused.
    pub fn part(&self, prepared: &Arc<Prepared>) -> Result<Part, part::Refusal> {
        let mut part = Part::new(prepared, &self.words)?;
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        for variable in &mut part.variables {
            let next = kinds.len() as u32;
            variable.kind = *kinds.entry(variable.shape.clone()).or_insert(next);
        }
        Ok(part)
    }

    /// The functions that fit two variables, in the order of the files. They are computed once per pair of sorts.
    fn fitting(&self, first: &Variable, second: &Variable) -> Arc<[Fit]> {
        let asked = (first.kind, second.kind);
        if let Some(known) = self.fitting.read().unwrap_or_else(PoisonError::into_inner).get(&asked) {
            return Arc::clone(known);
        }
        let shapes = [&first.shape, &second.shape];
        let mut found = vec![];
        for (n, function) in self.functions.iter().enumerate() {
            for swapped in [false, true] {
                let (x, y) = if swapped { (1, 0) } else { (0, 1) };
                if function.matches(shapes[x], shapes[y]).is_some() {
                    found.push((n as u16, swapped));
                }
            }
        }
        let found: Arc<[Fit]> = found.into();
        self.fitting.write().unwrap_or_else(PoisonError::into_inner).insert(asked, Arc::clone(&found));
        found
    }

    /// Why no function connects two parts, for people.
    pub fn why_nothing_fits(&self, parts: [&Arc<Part>; 2], mode: Mode) -> String {
        let [first, second] = parts;
        let pairs = || first.variables.iter().flat_map(|x| second.variables.iter().map(move |y| (x, y)));
        let mut fitting: Vec<u16> = pairs()
            .flat_map(|(x, y)| self.fitting(x, y).iter().map(|fit| fit.0).collect::<Vec<_>>())
            .collect();
        fitting.sort_unstable();
        fitting.dedup();
        let functions = fitting.iter().map(|&n| &self.functions[n as usize]);
        let partial: Vec<&str> =
            functions.filter(|function| !function.trust.relied_on()).map(|f| &*f.name).collect();
        match () {
            () if fitting.is_empty() => "no function fits the sorts of their variables".into(),
            () if mode.expected() == Expected::Sat && partial.len() == fitting.len() => format!(
                "left out, because they do not invert everywhere and no models of the seeds show that they do there: {}",
                partial.join(", ")
            ),
            () => "they cannot be fused in this mode".into(),
        }
    }

    /// Fuses two parts; the mode implies their statuses. `None` if the mode would not be sound for them.
    pub fn plan(&self, parts: [&Arc<Part>; 2], mode: Mode, rng: &mut Rng) -> Option<FusionPlan> {
        let [first, second] = parts;
        if first.takers & second.takers == 0 {
            return None;
        }
        let connective = match mode {
            Mode::Sat if !share(&first.free, &second.free) => Connective::And,
            Mode::Sat if first.recursive || second.recursive => return None,
            Mode::MixedSat if first.recursive || second.recursive => return None,
            Mode::Sat | Mode::MixedSat | Mode::Unsat => Connective::Or,
            Mode::MixedUnsat => Connective::And,
        };
        let mut triplets = vec![];
        if !self.config.concat_only {
            let pairs = 1 + rng.below(self.config.pairs.max(1));
            // There may be no function for a pair; a few more draws find a pair that has one.
            for _ in 0..pairs * 3 {
                if triplets.len() < pairs {
                    triplets.extend(self.triplet(first, second, mode, rng));
                }
            }
            choose_occurrences(&mut triplets, [first, second], rng);
        }
        let partial = is_partial(&triplets);
        let constraints = match mode {
            _ if triplets.is_empty() => Constraints::None,
            Mode::Sat | Mode::MixedSat => match rng.below(8) {
                0 => Constraints::All,
                1 => Constraints::Definition,
                _ => Constraints::None,
            },
            Mode::Unsat | Mode::MixedUnsat if partial || rng.chance(1, 2) => Constraints::All,
            Mode::Unsat | Mode::MixedUnsat => Constraints::Definition,
        };
        let (first, second) = (Arc::clone(first), Arc::clone(second));
        Some(FusionPlan { first, second, connective, triplets, constraints })
    }

    /// A random pair of variables with a random function that fits them.
    fn triplet(&self, first: &Part, second: &Part, mode: Mode, rng: &mut Rng) -> Option<Triplet> {
        let variables = self.pick_variables([first, second], rng)?;
        let [one, other] = [&first.variables[variables[0]], &second.variables[variables[1]]];
        let fitting = self.fitting(one, other);
        let &(n, swapped) = self.pick_function(&fitting, rng)?;
        let function = Arc::clone(&self.functions[n as usize]);
        let shapes = [&one.shape, &other.shape];
        let constants = function.draw_constants(shapes, swapped, rng)?;
        let triplet = Triplet { function, variables, swapped, constants, replaced: [vec![], vec![]] };
        let needs_values = mode.expected() == Expected::Sat && !triplet.function.trust.relied_on();
        (!needs_values || inverts_at_models(&triplet, [first, second], mode, rng)).then_some(triplet)
    }

    /// A pair of variables. Pairs of one sort are drawn more often, where there are any: most functions, the published ones
    /// among them, are for two variables of one sort.
    fn pick_variables(&self, parts: [&Part; 2], rng: &mut Rng) -> Option<[usize; 2]> {
        let [first, second] = parts;
        if !rng.chance(1, self.config.weights.any_sorts) {
            let has = |part: &Part, kind: u32| part.variables.iter().any(|variable| variable.kind == kind);
            let of = |part: &Part, fits: &dyn Fn(u32) -> bool| -> Vec<usize> {
                (0..part.variables.len()).filter(|&n| fits(part.variables[n].kind)).collect()
            };
            if let Some(&one) = rng.pick(&of(first, &|kind| has(second, kind))) {
                let kind = first.variables[one].kind;
                return Some([one, *rng.pick(&of(second, &|other| other == kind))?]);
            }
        }
        Some([pick_variable(first, rng)?, pick_variable(second, rng)?])
    }

    fn pick_function<'f>(&self, fitting: &'f [Fit], rng: &mut Rng) -> Option<&'f Fit> {
        let weight = |fit: &Fit| self.config.weights.of(&self.functions[fit.0 as usize]);
        let total: usize = fitting.iter().map(weight).sum();
        let mut at = (total > 0).then(|| rng.below(total))?;
        fitting.iter().find(|fit| {
            let weight = weight(fit);
            let found = at < weight;
            at = at.saturating_sub(weight);
            found
        })
    }
}

/// Whether a partial function inverts at the values that models of the seeds give to the two variables. The variable of a
/// seed that is not relied on may have any value.
fn inverts_at_models(triplet: &Triplet, parts: [&Part; 2], mode: Mode, rng: &mut Rng) -> bool {
    let [x, y] = if triplet.swapped { [1, 0] } else { [0, 1] };
    let variable = |seed: usize| &parts[seed].variables[triplet.variables[seed]];
    let Some(bindings) = triplet.function.matches(&variable(x).shape, &variable(y).shape) else {
        return false;
    };
    let mut value = |seed: usize| match parts[seed].value(variable(seed)) {
        Some(value) => Some(value.to_vec()),
        None if mode == Mode::MixedSat && parts[seed].prepared.seed.status() == Status::Unsat => {
            verify::value(&variable(seed).shape, rng)
        }
        None => None,
    };
    let (Some(x), Some(y)) = (value(x), value(y)) else { return false };
    verify::inverts_at(&triplet.function, &bindings, &triplet.constants, [&x, &y])
}

impl Index {
    fn of(fusion: &Fusion, bank: &Bank) -> Index {
        let mut index = Index::default();
        for prepared in bank.seeds() {
            let group = match prepared.seed.status() {
                Status::Sat => &mut index.sat,
                Status::Unsat => &mut index.unsat,
                Status::Unknown => continue,
            };
            if let Ok(part) = fusion.part(prepared) {
                group.add(part);
            }
        }
        index
    }
}

impl Group {
    fn add(&mut self, part: Part) {
        let logic = part.logic.as_deref().unwrap_or_default().into();
        self.logics.entry(logic).or_default().push(self.parts.len() as u32);
        self.parts.push(Arc::new(part));
    }

    fn pick(&self, rng: &mut Rng) -> Option<&Arc<Part>> {
        rng.pick(&self.parts)
    }

    /// Usually a seed of the same logic as the other. Sometimes any seed, because solvers often have bugs in
    /// combinations of theories.
    fn pick_like(&self, other: &Part, rng: &mut Rng) -> Option<&Arc<Part>> {
        if rng.chance(1, 4) {
            return self.pick(rng);
        }
        let logic = other.logic.as_deref().unwrap_or_default();
        match self.logics.get(logic).and_then(|alike| rng.pick(alike)) {
            Some(&n) => self.parts.get(n as usize),
            None => self.pick(rng),
        }
    }
}

fn share(a: &[&str], b: &[&str]) -> bool {
    a.iter().any(|name| b.contains(name))
}

fn pick_variable(part: &Part, rng: &mut Rng) -> Option<usize> {
    (!part.variables.is_empty()).then(|| rng.below(part.variables.len()))
}

/// Replaces each occurrence with probability 1/2, but at least one of the pair. An occurrence belongs to one triplet
/// only.
fn choose_occurrences(triplets: &mut [Triplet], parts: [&Arc<Part>; 2], rng: &mut Rng) {
    let mut taken = parts.map(|part| vec![false; part.marks.len()]);
    for triplet in triplets {
        for seed in 0..2 {
            let occurrences = &parts[seed].variables[triplet.variables[seed]].occurrences;
            let sure = if seed == 0 { rng.pick(occurrences).copied() } else { None };
            for &mark in occurrences {
                let wanted = Some(mark) == sure || rng.chance(1, 2);
                if wanted && !std::mem::replace(&mut taken[seed][mark as usize], true) {
                    triplet.replaced[seed].push(mark);
                }
            }
        }
    }
}

/// Whether a status is only one party's claim.
fn is_mere_word(seed: &Seed) -> bool {
    !seed.checks.iter().flat_map(|check| &check.claims).any(|claim| match &claim.source {
        StatusSource::Construction(_) => true,
        StatusSource::SolverConfirmed(solvers) => solvers.len() > 1,
        _ => false,
    })
}

/// Whether a function does not invert everywhere.
fn is_partial(triplets: &[Triplet]) -> bool {
    triplets.iter().any(|triplet| !triplet.function.trust.relied_on())
}

impl FusionPlan {
    fn is_partial(&self) -> bool {
        is_partial(&self.triplets)
    }

    /// The answer of the fused script, and why.
    pub fn expect(&self, mode: Mode) -> Expect {
        let [one, other] = [&self.first.prepared.seed, &self.second.prepared.seed];
        let relied: Vec<&Seed> = match mode {
            Mode::Sat | Mode::Unsat => vec![one, other],
            Mode::MixedSat | Mode::MixedUnsat => {
                let [wanted, _] = mode.seeds();
                [one, other].into_iter().filter(|seed| seed.status() == wanted).collect()
            }
        };
        let functions: Vec<&str> = self.triplets.iter().map(|triplet| &*triplet.function.name).collect();
        let statuses = match mode {
            Mode::Sat => "both seeds are sat",
            Mode::Unsat => "both seeds are unsat",
            Mode::MixedSat => "one seed is sat",
            Mode::MixedUnsat => "one seed is unsat",
        };
        let step = match (mode.expected(), self.constraints) {
            _ if functions.is_empty() => "nothing is shared between them",
            (Expected::Sat, _) if self.is_partial() => {
                "a model is theirs with z := f(x, y), where every inversion equals the variable it replaces, which was \
                 checked at models of the seeds where f does not invert everywhere"
            }
            (Expected::Sat, _) => {
                "a model is theirs with z := f(x, y), where every inversion equals the variable it replaces"
            }
            (_, Constraints::All) => {
                "asserted equations make every inversion equal to the variable it replaces"
            }
            _ => "z = f(x, y) is asserted, which makes every inversion equal to the variable it replaces",
        };
        let tested = self.triplets.iter().any(|triplet| triplet.function.trust == Trust::Tested);
        let names: Vec<String> = relied.iter().map(|seed| format!("`{}`", seed.name)).collect();
        let because = format!(
            "{}: {statuses} ({}) and disjoint after renaming; {step}{}{}{}",
            mode.name(),
            names.join(", "),
            if functions.is_empty() { "" } else { "; f: " },
            functions.join(", "),
            if tested { " (tested on values, not proved)" } else { "" },
        );
        let claimed = tested || relied.iter().any(|seed| is_mere_word(seed));
        let ground = if claimed { Ground::Claim(because) } else { Ground::Argument(because) };
        Expect { answer: mode.expected(), ground }
    }

    /// What was changed, as text for people.
    fn rules(&self, mode: Mode) -> Vec<String> {
        let mut rules =
            vec![format!("{} by {:?}, constraints {:?}", mode.name(), self.connective, self.constraints)];
        for triplet in &self.triplets {
            let name = |seed: usize| {
                let part = if seed == 0 { &self.first } else { &self.second };
                String::from_utf8_lossy(&part.variables[triplet.variables[seed]].name).into_owned()
            };
            rules.push(format!(
                "{}{} {} × {}, {} + {} occurrences",
                triplet.function.name,
                if triplet.swapped { " swapped" } else { "" },
                name(0),
                name(1),
                triplet.replaced[0].len(),
                triplet.replaced[1].len(),
            ));
        }
        rules
    }
}

impl Propose for Fusing {
    fn propose(&self, _: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let Fusing { fusion, index } = self;
        let group = |status| if status == Status::Sat { &index.sat } else { &index.unsat };
        let possible: Vec<Mode> = fusion
            .config
            .modes
            .iter()
            .copied()
            .filter(|mode| mode.seeds().iter().all(|&status| !group(status).parts.is_empty()))
            .collect();
        for _ in 0..8 {
            let &mode = rng
                .pick(&possible)
                .ok_or(Skip::NoSeed("no two seeds have known statuses and can be fused"))?;
            let [relied, other] = mode.seeds();
            let (Some(one), swap) = (group(relied).pick(rng), rng.chance(1, 2)) else { continue };
            let Some(two) = group(other).pick_like(one, rng) else { continue };
            let parts = if swap { [two, one] } else { [one, two] };
            let Some(plan) = fusion.plan(parts, mode, rng) else { continue };
            if plan.triplets.is_empty() && !fusion.config.concat_only {
                continue;
            }
            let Some(script) = plan.write() else { continue };
            let seeds = parts.map(|part| part.prepared.seed.id);
            let draft = Draft::of(script).seeds(seeds).rules(plan.rules(mode));
            return Ok(vec![draft.expecting(vec![Some(plan.expect(mode))])]);
        }
        Err(Skip::NoSeed("no pair that was drawn can be fused"))
    }
}
