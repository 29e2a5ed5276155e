//! `skeleton`: keep a formula's Boolean skeleton and approximate its literals.
//!
//! Idea. In conjunctive normal form every literal has a known effect on the formula: a weaker literal makes the
//! formula weaker, a stronger one stronger. So a satisfiable seed is over-approximated and an unsatisfiable one
//! under-approximated, literal by literal, and the answer must stay the same. The mutants stress the theory solvers,
//! with a skeleton that the solver has already handled.
//! From: Yao, Huang, Tang, Shi, Wu, Zhang, "Skeletal Approximation Enumeration for SMT Solver Testing" (ESEC/FSE 2021).
//! Expectation: as `weaken`: the relation between the formula and the one before it, and the seed's claims.
//! Sound because: the normal form (`cnf.rs`) has the answers of the seed; predicate symbols are transformed by rules
//! (`rules.txt`) that are tested like those of `weaken`, in the other direction under a negation; an injected snippet
//! is joined by `or` to weaken and by `and` to strengthen (the other way round under a negation), whatever it says.
//! Cost: the normal form and the typing of the rules, once per seed; then splices.
//! Differs from the paper: all sorts that have a predicate, corrected rules, `let`s, scripts with several check-sats;
//! the seed's status, or the target's answer, decides the direction, and each round continues from the last mutant.

pub mod cnf;
pub mod snippet;

use crate::mutant::PerSeed;
use crate::mutant::logic::Reach;
use crate::weaken::chain::Chain;
use crate::weaken::formula::{Formula, Node};
use crate::weaken::ground::Ground;
use crate::weaken::heads;
use crate::weaken::rules::{RuleError, Rules};
use crate::weaken::step::{Change, Effect, Stepper, push_short};
use crate::{AimBy, Bank, Dialogue, Draft, Facts, Prepared, Rng, Settings, Skip, Source, Strategy};
use semantics::eval::{self, Evaluator};
use semantics::model::Model;
use semantics::value::Value;
use smtlib::printer::{Format, print_mapped};
use smtlib::{Script, SortId};
use snippet::Snippets;
use std::sync::{Arc, LazyLock};

/// Number of rounds of a chain.
const ROUNDS: u32 = 10;
/// Maximum number of literals that change in one round.
const LITERALS: u32 = 4;

/// The text of the rules that come with the strategy.
pub const RULES: &str = include_str!("rules.txt");

static EMBEDDED: LazyLock<Result<Arc<Rules>, RuleError>> = LazyLock::new(|| Rules::read(RULES).map(Arc::new));

/// The settings of `skeleton`.
#[derive(Clone, Debug)]
pub struct Config {
    pub rounds: u32,
    /// Maximum number of literals that change in one round.
    pub literals: u32,
    pub rules: Arc<Rules>,
    /// Whether predicate symbols are transformed.
    pub transforms: bool,
    /// Whether snippets are injected.
    pub injects: bool,
    /// Whether a round goes on from the last mutant.
    pub incremental: bool,
    /// Whether seeds that say nothing are left out.
    pub filters: bool,
    pub aim_by: Option<AimBy>,
}

pub const STRATEGY: Strategy = Strategy {
    name: "skeleton",
    about: "approximate the literals below a formula's Boolean skeleton",
    source: include_str!("mod.rs"),
    begin: |bank, settings| Ok(Box::new(Skeleton::new(bank, Config::of(settings)?))),
};

impl Config {
    pub fn of(settings: &Settings) -> Result<Config, Skip> {
        let rules = match &settings.rules {
            Some(text) => Rules::read(text).map(Arc::new),
            None => EMBEDDED.clone(),
        };
        Ok(Config {
            rounds: settings.steps.unwrap_or(ROUNDS).max(1),
            literals: settings.literals.unwrap_or(LITERALS).max(1),
            rules: rules
                .map_err(|error| error.to_string())
                .and_then(|rules| rules.restricted(&settings.rule_set))
                .map_err(Skip::Setting)?,
            transforms: !settings.inject_only,
            injects: !settings.transform_only,
            incremental: !settings.fresh_rounds,
            filters: !settings.all_seeds,
            aim_by: settings.aim_by,
        })
    }
}

/// The rules that come with the strategy.
pub fn embedded() -> Result<Arc<Rules>, RuleError> {
    EMBEDDED.clone()
}

/// The strategy after `begin`.
pub struct Skeleton {
    config: Config,
    known: PerSeed<Option<Normal>>,
}

/// A seed in normal form.
struct Normal {
    prepared: Prepared,
    ground: Ground,
    snippets: Snippets,
    /// Every assertion is true or false whatever the symbols mean.
    is_constant: bool,
}

impl Normal {
    fn of(prepared: &Prepared, rules: &Rules) -> Option<Normal> {
        let script = Script::parse(&cnf::of(prepared)?).ok()?;
        let printed = print_mapped(&script, Format::Faithful);
        let prepared = Prepared::new(prepared.seed.clone(), script, printed);
        let ground = Ground::of(&prepared, rules);
        let snippets = Snippets::of(&prepared.script.pool, &ground);
        let is_constant = is_constant(&prepared.script);
        Some(Normal { prepared, ground, snippets, is_constant })
    }
}

/// Whether a simplifier would leave nothing of a script.
fn is_constant(script: &Script) -> bool {
    let model = Model::default();
    let limits = eval::EvalLimits { steps: 2_000, ..eval::EvalLimits::default() };
    let mut evaluator = Evaluator::with_limits(&script.pool, &model, limits);
    script.assertions().all(|term| matches!(evaluator.eval_open(term), Ok(Value::Bool(_))))
}

impl Skeleton {
    pub fn new(bank: &Bank, config: Config) -> Skeleton {
        Skeleton { config, known: PerSeed::new(bank) }
    }
}

impl Source for Skeleton {
    fn unit_len(&self) -> u64 {
        u64::from(self.config.rounds)
    }

    fn unit(&self, _: u64, mut rng: Rng) -> Result<Box<dyn Dialogue + '_>, Skip> {
        let (prepared, normal) =
            self.known.draw(&mut rng, |prepared| Normal::of(prepared, &self.config.rules))?;
        let nothing = |why| Err(Skip::NothingToDo { seed: prepared.seed.id, why });
        let Some(normal) = normal else { return nothing("it has no normal form") };
        if normal.ground.checks == 0 || normal.ground.formula.nodes.is_empty() {
            return nothing("it has no check-sat");
        }
        if self.config.filters && normal.is_constant {
            return nothing("its assertions are constant");
        }
        let chain = Chain::new(&normal.prepared, &normal.ground, self.config.aim_by, &mut rng);
        if chain.lacks_claim() {
            return nothing("no source claims its answer");
        }
        Ok(Box::new(Unit {
            config: &self.config,
            normal,
            chain,
            stepper: Stepper::new(&normal.prepared, &normal.ground, &self.config.rules),
            rng,
        }))
    }
}

/// The rounds on one seed.
struct Unit<'a> {
    config: &'a Config,
    normal: &'a Normal,
    chain: Chain<'a>,
    stepper: Stepper<'a>,
    rng: Rng,
}

impl Dialogue for Unit<'_> {
    fn next(&mut self, last: Option<&Facts>) -> Option<Draft> {
        let goes_on = last.is_none_or(|facts| self.chain.hear(facts));
        if !goes_on || self.chain.len() as u32 >= self.config.rounds {
            return None;
        }
        if let Some(opening) = self.chain.opening() {
            return Some(opening);
        }
        if !self.config.incremental {
            self.chain.begin_again();
        }
        let mut round = Round {
            config: self.config,
            normal: self.normal,
            stepper: &mut self.stepper,
            rng: &mut self.rng,
        };
        self.chain.advance(|formula, aim| round.changes(formula, aim))
    }
}

struct Round<'u, 'a> {
    config: &'a Config,
    normal: &'a Normal,
    stepper: &'u mut Stepper<'a>,
    rng: &'u mut Rng,
}

impl Round<'_, '_> {
    fn changes(&mut self, formula: &mut Formula, aim: Effect) -> Vec<Change> {
        let wanted = 1 + self.rng.below(self.config.literals as usize);
        let mut changes = vec![];
        for _ in 0..8 * wanted {
            if changes.len() < wanted
                && let Some(change) = self.change(formula, aim)
            {
                changes.push(change);
            }
        }
        changes
    }

    /// Approximates one literal.
    fn change(&mut self, formula: &mut Formula, aim: Effect) -> Option<Change> {
        let literal = literal(formula, self.rng)?;
        let transform = self.config.transforms && (!self.config.injects || self.rng.chance(1, 2));
        if !transform {
            return self.inject(formula, literal, aim);
        }
        // A rule may also match the negation.
        let atom = if self.rng.chance(3, 4) { atom_of(formula, literal) } else { literal };
        let ground = &self.normal.ground;
        let instances = ground.by_op.get(&formula.nodes[atom as usize].op).map_or(&[][..], Vec::as_slice);
        self.stepper.step_at(formula, atom, instances, aim, self.rng)
    }

    /// Joins a snippet to a literal.
    fn inject(&mut self, formula: &mut Formula, literal: u32, aim: Effect) -> Option<Change> {
        let here = formula.nodes[literal as usize];
        let snippet = self.normal.snippets.write(&self.normal.ground, &here, self.rng)?;
        let connective: &[u8] = if aim == Effect::Weaker { b"or" } else { b"and" };
        let mut bytes = vec![];
        for part in [b"(", connective, b" ", formula.text(literal), b" ", &snippet, b")"] {
            bytes.extend_from_slice(part);
        }
        let mut text =
            format!("injected by {}, command {}: `", String::from_utf8_lossy(connective), here.command + 1);
        push_short(&mut text, &snippet);
        text.push_str("` beside `");
        push_short(&mut text, formula.text(literal));
        text.push('`');
        let nodes = joined(formula, literal, connective, &bytes, snippet.len());
        let mut ancestors = vec![];
        formula.ancestors(literal, &mut ancestors);
        formula.replace(literal, &ancestors, &bytes, &nodes);
        Some(Change { rule: u32::MAX, forward: true, effect: aim, reach: Reach::Inside, text })
    }
}

/// The nodes of a literal and a snippet under a connective; the snippet is one node.
fn joined(formula: &Formula, literal: u32, connective: &[u8], bytes: &[u8], snippet: usize) -> Vec<Node> {
    let here = formula.nodes[literal as usize];
    let op = heads::named(&String::from_utf8_lossy(connective)).map_or(heads::OTHER, |(_, op)| op);
    let plain = Node { binders: 0, opaque: false, fixed: false, sort: SortId::BOOL, ..here };
    let inner = 2 + connective.len() as u32;
    let len = bytes.len() as u32;
    let mut nodes =
        vec![Node { start: 0, len, head: 1, head_len: inner - 2, size: here.size + 2, op, ..plain }];
    let copied = &formula.nodes[literal as usize..(literal + here.size) as usize];
    nodes.extend(copied.iter().map(|node| Node { start: node.start - here.start + inner, ..*node }));
    let start = len - 1 - snippet as u32;
    nodes.push(Node { start, len: snippet as u32, head: 0, head_len: 0, size: 1, op: heads::OTHER, ..plain });
    nodes
}

/// A random literal: an assertion, or a disjunct of one.
fn literal(formula: &Formula, rng: &mut Rng) -> Option<u32> {
    let or = heads::named("or").map(|(_, op)| op);
    for _ in 0..8 {
        let node = rng.below(formula.nodes.len()) as u32;
        let mut root = 0;
        while root + formula.nodes[root as usize].size <= node {
            root += formula.nodes[root as usize].size;
        }
        let mut found = root;
        if Some(formula.nodes[root as usize].op) == or {
            let children: Vec<u32> = formula.children(root).collect();
            found = *rng.pick(&children)?;
        }
        let here = &formula.nodes[found as usize];
        if !here.fixed && !formula.nodes[root as usize].opaque && here.sort == SortId::BOOL {
            return Some(found);
        }
    }
    None
}

/// The atom of a literal.
fn atom_of(formula: &Formula, literal: u32) -> u32 {
    let not = heads::named("not").map(|(_, op)| op);
    if Some(formula.nodes[literal as usize].op) == not { literal + 1 } else { literal }
}
