//! A stage: the sorts and symbols that formulas are grown over.
//!
//! In: a script with a logic and declarations. Out: its values by sort (text and meaning), and all operators and
//! functions by result sort. All of that is computed once, so growing needs no parser. Nothing here depends on the key
//! of a campaign: the values of a stage are a function of its text.

use super::grow::has_one_form;
use super::values::{self, Built};
use crate::bank::{Bank, Prepared};
use crate::mutant::fit::Admission;
use crate::mutant::logic::Reach;
use crate::mutant::places::Places;
use crate::regrow::productions::productions;
use crate::{CampaignKey, Rng};
use corpus::{Origin, Seed};
use rustc_hash::FxHashMap;
use semantics::eval::{EvalLimits, Evaluator, Operation};
use semantics::model::Model;
use semantics::value::Value;
use smtlib::printer::sort_text;
use smtlib::symbol::{Symbol, write_name};
use smtlib::{Command, Pool, Script, Sort, SortId, theory};
use std::time::Duration;

/// Limits for the evaluation of one application. Formulas that need more are not worth making.
pub const LIMITS: EvalLimits = EvalLimits {
    steps: 20_000,
    bytes: 1 << 16,
    regex_steps: 5_000,
    wall: Duration::MAX,
    ..EvalLimits::DEFAULT
};

/// A value as it is written, with its meaning.
#[derive(Clone, Debug)]
pub struct Literal {
    pub text: String,
    pub value: Value,
    /// A positive number without a sign: what linear logics multiply and divide by.
    pub is_factor: bool,
}

/// A declared function. A constant has no parameters.
#[derive(Clone, Debug)]
pub struct Declared {
    pub name: String,
    pub params: Box<[SortId]>,
    pub result: SortId,
}

/// The meaning of an application.
#[derive(Clone, Copy, Debug)]
pub enum Code {
    /// Defined by the theories.
    Operation(Operation),
    /// The function of the stage with this number; its meaning is in the model.
    Function(usize),
}

/// An operator or function that can be applied.
#[derive(Clone, Debug)]
pub struct Growth {
    pub head: Box<[u8]>,
    pub args: Box<[SortId]>,
    /// The arguments that must be literals, to keep a script linear.
    pub factors: Box<[bool]>,
    pub code: Code,
}

/// The sorts and symbols that a formula is grown over.
pub struct Stage {
    pub name: String,
    /// Logic and declarations.
    pub preamble: String,
    pub pool: Pool,
    /// An empty model: the values of symbols are kept separately.
    pub nothing: Model,
    pub constants: Vec<Declared>,
    pub functions: Vec<Declared>,
    pub values: FxHashMap<SortId, Vec<Literal>>,
    /// By result sort. The instances of one operator with different sorts are in one list.
    pub growths: Vec<(SortId, Vec<Vec<Growth>>)>,
}

impl Stage {
    /// Reads one stage. All operators that are grown must be accepted by `solvers`. `None` if the script cannot be
    /// used.
    pub fn read(name: &str, solvers: u8, text: &str) -> Option<Stage> {
        let seed = Seed::new(name.to_owned(), Origin::Embedded, text.as_bytes().to_vec().into()).ok()?;
        let (bank, _) = Bank::new([seed]);
        let prepared = bank.seeds().first()?;
        let places = Places::of(prepared);
        let mut script = prepared.script.clone();
        let (constants, functions) = declared(&script);
        let sorts = sorts(&mut script.pool, &constants, &functions);
        let mut growths = operators(&mut script.pool, &places, &sorts, Admission { solvers });
        structures(&mut script.pool, &sorts, &mut growths);
        for (n, function) in functions.iter().enumerate() {
            let head = function.name.as_bytes().into();
            push(
                &mut growths,
                function.result,
                vec![growth(head, function.params.clone(), Code::Function(n))],
            );
        }
        let values = literals(prepared, &places, &mut script, &sorts);
        let pool = script.pool.clone();
        growths.retain(|(_, list)| !list.is_empty());
        let keeps = |line: &&str| !line.starts_with("(assert") && !line.starts_with(';') && !line.is_empty();
        let preamble = text.lines().filter(keeps).fold(String::new(), |all, line| all + line + "\n");
        let nothing = Model::default();
        let name = name.to_owned();
        Some(Stage { name, preamble, pool, nothing, constants, functions, values, growths })
    }

    pub fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::with_limits(&self.pool, &self.nothing, LIMITS)
    }

    /// The values of a sort. Every sort of a stage has at least one.
    pub fn literals(&self, sort: SortId) -> &[Literal] {
        self.values.get(&sort).map_or(&[], Vec::as_slice)
    }
}

fn name_text(pool: &Pool, name: Symbol) -> String {
    let mut text = vec![];
    write_name(&mut text, pool.bytes(name));
    String::from_utf8_lossy(&text).into_owned()
}

/// The constants and the functions of a script.
fn declared(script: &Script) -> (Vec<Declared>, Vec<Declared>) {
    let pool = &script.pool;
    let of = |command: &Command| match command {
        Command::DeclareFun { decl, .. } => {
            let decl = pool.decl(*decl);
            let name = name_text(pool, decl.name);
            Some(Declared { name, params: decl.params.clone(), result: decl.result })
        }
        _ => None,
    };
    script.commands.iter().filter_map(of).partition(|declared| declared.params.is_empty())
}

/// All sorts of a stage: those of its symbols, their parts, and those that come with a theory.
fn sorts(pool: &mut Pool, constants: &[Declared], functions: &[Declared]) -> Vec<SortId> {
    let mut sorts = vec![SortId::BOOL];
    for symbol in constants.iter().chain(functions) {
        sorts.extend(symbol.params.iter().chain([&symbol.result]));
    }
    let mut at = 0;
    while let Some(&sort) = sorts.get(at) {
        let mut parts = pool.sort(sort).parts();
        match pool.sort(sort) {
            Sort::String => parts.extend([SortId::REGLAN, SortId::INT]),
            Sort::Seq(_) | Sort::Bag(_) | Sort::Set(_) | Sort::FiniteSet(_) => parts.push(SortId::INT),
            Sort::Float { .. } => parts.push(SortId::ROUNDING_MODE),
            _ => {}
        }
        parts.extend(values::constructors(pool, sort).into_iter().flat_map(|built| built.fields));
        for part in parts {
            if !sorts.contains(&part) {
                sorts.push(part);
            }
        }
        at += 1;
    }
    sorts.sort_unstable();
    sorts.dedup();
    sorts
}

type Growths = Vec<(SortId, Vec<Vec<Growth>>)>;

fn growth(head: Box<[u8]>, args: Box<[SortId]>, code: Code) -> Growth {
    let factors = vec![false; args.len()].into();
    Growth { head, args, factors, code }
}

fn push(growths: &mut Growths, result: SortId, family: Vec<Growth>) {
    match growths.iter_mut().find(|(sort, _)| *sort == result) {
        Some((_, families)) => families.push(family),
        None => growths.push((result, vec![family])),
    }
}

/// The operators of the tables that the logic allows and the solvers accept.
fn operators(pool: &mut Pool, places: &Places, sorts: &[SortId], policy: Admission) -> Growths {
    // A term without an exact value cannot be asserted.
    let is_exact = |row: &theory::Row| row.theory != "Transcendentals";
    let inside = |row: &theory::Row| {
        policy.admits(places, row).filter(|reach| *reach == Reach::Inside && is_exact(row))
    };
    let admitted: Vec<Option<Reach>> = theory::rows().iter().map(inside).collect();
    let found = productions(pool, places, sorts, &admitted);
    let mut growths: Growths = vec![];
    for &sort in sorts {
        let mut families: Vec<(theory::OpId, Vec<Growth>)> = vec![];
        for production in found.get(&sort).into_iter().flatten() {
            if production.reach != Reach::Inside || production.args.is_empty() {
                continue;
            }
            // Regular languages are built and tested for members, but not compared: solvers do not support that.
            if production.args.contains(&SortId::REGLAN)
                && matches!(production.op.row().name, "=" | "distinct" | "ite")
            {
                continue;
            }
            let indices = pool.indices(production.indices.clone());
            let growth = Growth {
                head: production.head.clone(),
                args: production.args.clone(),
                factors: production.numbers.clone(),
                code: Code::Operation(Operation::Operator(production.op, indices)),
            };
            match families.iter_mut().find(|(op, _)| *op == production.op) {
                Some((_, family)) => family.push(growth),
                None => families.push((production.op, vec![growth])),
            }
        }
        growths.push((sort, families.into_iter().map(|(_, family)| family).collect()));
    }
    growths
}

/// Constructors, selectors and testers of the datatypes.
fn structures(pool: &mut Pool, sorts: &[SortId], growths: &mut Growths) {
    for &sort in sorts {
        for Built { name, decl, selectors, fields } in values::constructors(pool, sort) {
            let code = |operation| Code::Operation(operation);
            let tester = format!("(_ is {name})").into_bytes();
            let is = growth(tester.into(), [sort].into(), code(Operation::Tester(decl)));
            push(growths, SortId::BOOL, vec![is]);
            for (&selector, &field) in selectors.iter().zip(&fields) {
                let head = name_text(pool, pool.decl(selector).name).into_bytes().into();
                let select = growth(head, [sort].into(), code(Operation::Structure(selector)));
                push(growths, field, vec![select]);
            }
            if !fields.is_empty() {
                let head = name.into_bytes().into();
                push(growths, sort, vec![growth(head, fields.into(), code(Operation::Structure(decl)))]);
            }
        }
    }
}

/// The values of every sort, each once.
fn literals(
    prepared: &Prepared,
    places: &Places,
    script: &mut Script,
    sorts: &[SortId],
) -> FxHashMap<SortId, Vec<Literal>> {
    let mut rng = Rng::of(&CampaignKey(prepared.seed.name.clone()), "values", 0);
    let mut read = vec![];
    for &sort in sorts {
        for text in values::texts(&mut script.pool, places, sort, values::DEPTH, &mut rng) {
            if let Ok(term) = smtlib::parser::parse_term(script, text.as_bytes()) {
                debug_assert_eq!(
                    script.pool.sort_of(term),
                    sort,
                    "{text}: {}",
                    sort_text(&script.pool, sort)
                );
                read.push((sort, text, term));
            }
        }
    }
    let nothing = Model::default();
    let mut evaluator = Evaluator::with_limits(&script.pool, &nothing, LIMITS);
    let mut found: FxHashMap<SortId, Vec<Literal>> = FxHashMap::default();
    for (sort, text, term) in read {
        let Some(value) = evaluator.eval_open(term).ok().filter(has_one_form) else { continue };
        let known = found.entry(sort).or_default();
        if !known.iter().any(|literal| literal.value == value) {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let is_factor = digits && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
            known.push(Literal { text, value, is_factor });
        }
    }
    found
}
