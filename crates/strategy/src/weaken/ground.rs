//! The material of a seed for the rules: its terms as a flat list, the rules that can be typed here, and terms for
//! variables that a match leaves open.
//!
//! An *instance* is a rule in one direction with its sort variables bound to sorts of the seed. The side to write is
//! typed here by the theory tables, once, so that applying an instance needs no types. Everything is computed at the
//! first use of a seed.

use super::formula::{Binders, Formula};
use super::heads;
use super::rules::{Head, IndexTerm, Rule, Rules, Shape, SortExpr, Term, VarKind};
use crate::Prepared;
use crate::mutant::donors::{Donor, donors, prefix};
use crate::mutant::fit::{self, Admission};
use crate::mutant::literals::{Literal, literals};
use crate::mutant::logic::Reach;
use crate::mutant::places::{Life, Number, Places, is_zero};
use crate::mutant::splice::{Edit, splice};
use rustc_hash::FxHashMap;
use semantics::eval::Evaluator;
use semantics::model::Model;
use semantics::value::Value;
use smtlib::logic::Features;
use smtlib::printer::sort_text;
use smtlib::symbol::write_name;
use smtlib::term::{DeclId, Index, Kind, Role};
use smtlib::{Pool, Script, Sort, SortId};

/// Longer terms are not chosen for a variable: a mutant should stay readable.
const LENGTH: u32 = 200;

/// A rule in one direction, typed for one choice of sorts.
#[derive(Debug)]
pub struct Instance {
    pub rule: u32,
    pub forward: bool,
    /// The sorts that the sort variables are bound to.
    pub sorts: Box<[SortId]>,
    /// The sort of each application and literal of the side to write.
    pub typed: Box<[SortId]>,
    pub reach: Reach,
    /// The literals that satisfy the condition, among those of the variable's sort.
    pub allowed: Option<Box<[u16]>>,
}

/// A unary function that a rule may apply.
pub struct Function {
    pub head: Box<[u8]>,
    pub result: SortId,
    pub op: u16,
    pub life: Life,
}

pub struct Ground {
    pub formula: Formula,
    pub binders: Vec<Binders>,
    pub places: Places,
    pub instances: Vec<Instance>,
    /// Instances by the operator that they match.
    pub by_op: FxHashMap<u16, Vec<u32>>,
    /// Instances that match any term of a sort.
    pub by_sort: FxHashMap<SortId, Vec<u32>>,
    pub donors: Vec<Donor>,
    pub donors_of: FxHashMap<SortId, Vec<u32>>,
    pub literals: FxHashMap<SortId, Vec<Literal>>,
    pub functions: FxHashMap<SortId, Vec<Function>>,
    pub sort_texts: FxHashMap<SortId, Box<[u8]>>,
    pub widened: [Option<String>; 3],
    /// A prefix that no name of the script has.
    pub prefix: String,
    /// Number of check-sats whose assertions are known.
    pub checks: usize,
}

impl Ground {
    /// Scripts of the logic HORN must keep their shape, so no rule applies to them.
    pub fn of(prepared: &Prepared, rules: &Rules) -> Ground {
        let places = Places::of(prepared);
        let (formula, binders) = Formula::of(prepared, &places);
        let mut pool = prepared.script.pool.clone();
        let sorts = sorts(&pool, &places, &formula);
        let text = |&sort: &SortId| (sort, sort_text(&pool, sort).into_bytes().into_boxed_slice());
        let mut ground = Ground {
            sort_texts: sorts.iter().map(text).collect(),
            literals: sorts.iter().map(|&sort| (sort, literals(&pool, &places, sort))).collect(),
            functions: functions(&pool, &places),
            instances: vec![],
            by_op: FxHashMap::default(),
            by_sort: FxHashMap::default(),
            donors: vec![],
            donors_of: FxHashMap::default(),
            widened: [Reach::Inside, Reach::Nonlinear, Reach::All].map(|reach| places.logic.widened(reach)),
            prefix: prefix(&pool),
            checks: prepared.script.understood_checks(),
            formula,
            binders,
            places,
        };
        ground.collect_donors(prepared);
        let horn = prepared.script.logic_name().is_some_and(|name| name == "HORN");
        if !is_relative(prepared) && !horn {
            ground.collect_instances(rules, &mut pool, &sorts);
        }
        ground
    }

    /// The bytes of a formula under a logic that has what it reaches for.
    pub fn write(&self, formula: &Formula, reach: Reach) -> Vec<u8> {
        let Some(logic) = &self.widened[reach as usize] else { return formula.bytes.clone() };
        let renamed = |&(start, end): &(u32, u32)| Edit { start, end, text: logic.as_bytes() };
        let mut edits: Vec<Edit<'_>> = formula.logics.iter().map(renamed).collect();
        splice(&formula.bytes, &mut edits)
    }

    /// Collects terms without binders that may be used for variables of a rule.
    fn collect_donors(&mut self, prepared: &Prepared) {
        for (donor, sort) in donors(prepared, &self.places) {
            let node = &self.formula.nodes[donor.occurrence as usize];
            let inner = donor.occurrence as usize..(donor.occurrence + node.size) as usize;
            let binds = self.formula.nodes[inner].iter().any(|node| heads::binds(node.op));
            if !binds && node.len <= LENGTH {
                self.donors_of.entry(sort).or_default().push(self.donors.len() as u32);
                self.donors.push(donor);
            }
        }
    }

    fn collect_instances(&mut self, rules: &Rules, pool: &mut Pool, sorts: &[SortId]) {
        for (number, rule) in rules.rules.iter().enumerate() {
            for choice in choices(pool, rule, sorts) {
                for forward in [true, false].into_iter().filter(|&forward| rule.works(forward)) {
                    let typed = Typing::of(pool, &self.places, rule, &choice, sorts).side(rule, forward);
                    let Some((typed, reach)) = typed else { continue };
                    let Some(allowed) = self.allowed(pool, rule, &choice) else { continue };
                    let instance = Instance {
                        rule: number as u32,
                        forward,
                        sorts: choice.clone(),
                        typed,
                        reach,
                        allowed,
                    };
                    self.add(rule, instance);
                }
            }
        }
    }

    fn add(&mut self, rule: &Rule, instance: Instance) {
        let at = self.instances.len() as u32;
        let key = match rule.sides(instance.forward).0 {
            Term::App { head: Head::Op { op, .. }, .. } => Ok(*op),
            Term::App { head: Head::Function(_), .. } => Ok(heads::FUNCTION),
            Term::App { head: Head::Constructor(_), .. } => Ok(heads::CONSTRUCTOR),
            Term::App { head: Head::Tester(_), .. } => Ok(heads::TESTER),
            Term::Bind { quantifier, .. } | Term::All { quantifier, .. } => {
                Ok(if quantifier.name() == "forall" { heads::FORALL } else { heads::EXISTS })
            }
            Term::Var(slot) => Err(sort_of(rule.vars[*slot].sort, &instance.sorts).unwrap_or(SortId::BOOL)),
            Term::Value { .. } | Term::At { .. } => Err(SortId::BOOL),
        };
        match key {
            Ok(op) => self.by_op.entry(op).or_default().push(at),
            Err(sort) => self.by_sort.entry(sort).or_default().push(at),
        }
        self.instances.push(instance);
    }

    /// The literals that a rule's condition allows; `None` if there are none.
    fn allowed(&self, pool: &Pool, rule: &Rule, sorts: &[SortId]) -> Option<Option<Box<[u16]>>> {
        let Some((condition, slot)) = &rule.condition else { return Some(None) };
        let literals = self.literals.get(&sort_of(rule.vars[*slot].sort, sorts)?)?;
        let holds = |literal: &Literal| {
            let mut text = b"(assert ".to_vec();
            write_plain(&mut text, pool, condition, sorts, &literal.text);
            text.push(b')');
            is_true(&text)
        };
        let found: Vec<u16> =
            (0..literals.len()).filter(|&n| holds(&literals[n])).map(|n| n as u16).collect();
        (!found.is_empty()).then(|| Some(found.into()))
    }
}

/// Whether the script mentions the universe of sets. The universe depends on the sets that occur, so any change could
/// change it.
fn is_relative(prepared: &Prepared) -> bool {
    let pool = &prepared.script.pool;
    prepared.printed.occurrences.iter().any(|occurrence| match pool.kind(occurrence.term) {
        Kind::Op { op, .. } => matches!(op.row().name, "set.universe" | "set.complement"),
        _ => false,
    })
}

/// Evaluates the single assertion of a text without free symbols.
fn is_true(text: &[u8]) -> bool {
    let Ok(script) = Script::parse(text) else { return false };
    let model = Model::default();
    let mut evaluator = Evaluator::new(&script.pool, &model);
    script.assertions().all(|term| matches!(evaluator.eval_open(term), Ok(Value::Bool(true))))
}

/// Writes a condition with a literal for its variable.
fn write_plain(out: &mut Vec<u8>, pool: &Pool, term: &Term, sorts: &[SortId], literal: &[u8]) {
    match term {
        Term::Var(_) => out.extend_from_slice(literal),
        Term::Value { text, sort, .. } => match sort_of(*sort, sorts) {
            Some(sort) => out.extend_from_slice(&value_text(pool, text, sort)),
            None => out.extend_from_slice(text.as_bytes()),
        },
        Term::App { head: Head::Op { name, .. }, args, .. } => {
            let open = if args.is_empty() { "" } else { "(" };
            out.extend_from_slice(open.as_bytes());
            out.extend_from_slice(name.as_bytes());
            for arg in args {
                out.push(b' ');
                write_plain(out, pool, &arg.term, sorts, literal);
            }
            out.extend_from_slice(if args.is_empty() { b"" } else { b")" });
        }
        _ => {}
    }
}

/// A literal of the rule file as it is written for a sort.
pub fn value_text(pool: &Pool, text: &str, sort: SortId) -> Vec<u8> {
    let written = match pool.sort(sort) {
        Sort::Real if !text.contains('.') => format!("{text}.0"),
        Sort::BitVec(width) => format!("(_ bv{text} {width})"),
        Sort::Float { eb, sb } => format!("(_ {text} {eb} {sb})"),
        Sort::Seq(_) => format!("(as seq.{text} {})", sort_text(pool, sort)),
        Sort::Set(_) => format!("(as set.{text} {})", sort_text(pool, sort)),
        _ => text.to_owned(),
    };
    written.into_bytes()
}

/// The sort that an expression denotes; `None` for any.
pub fn sort_of(sort: SortExpr, sorts: &[SortId]) -> Option<SortId> {
    match sort {
        SortExpr::Fixed(sort) => Some(sort),
        SortExpr::Var(n) => Some(sorts[n]),
        SortExpr::Any => None,
    }
}

/// The sorts of terms in the seed, and those of lengths, languages and rounding modes that come with them.
fn sorts(pool: &Pool, places: &Places, formula: &Formula) -> Vec<SortId> {
    let mut sorts: Vec<SortId> = formula.nodes.iter().map(|node| node.sort).collect();
    sorts.push(SortId::BOOL);
    sorts.sort_unstable();
    sorts.dedup();
    let has = |found: fn(&Sort) -> bool| sorts.iter().any(|&sort| found(pool.sort(sort)));
    let counted = has(|sort| matches!(sort, Sort::String | Sort::Seq(_) | Sort::Set(_)));
    let (strings, floats) = (sorts.contains(&SortId::STRING), has(|sort| matches!(sort, Sort::Float { .. })));
    if counted && !places.logic.real_numerals() {
        sorts.push(SortId::INT);
    }
    if strings {
        sorts.push(SortId::REGLAN);
    }
    if floats {
        sorts.push(SortId::ROUNDING_MODE);
    }
    sorts.retain(|&sort| !matches!(pool.sort(sort), Sort::Fun(_) | Sort::Param(_)));
    sorts.sort_unstable();
    sorts.dedup();
    sorts
}

/// Declared functions of one argument, selectors and testers, by argument sort.
fn functions(pool: &Pool, places: &Places) -> FxHashMap<SortId, Vec<Function>> {
    let mut found: FxHashMap<SortId, Vec<Function>> = FxHashMap::default();
    let comparable =
        |sort: SortId| sort != SortId::REGLAN && !matches!(pool.sort(sort), Sort::Fun(_) | Sort::Param(_));
    for (n, decl) in pool.decls.iter().enumerate() {
        let life = places.decl_life(DeclId(n as u32));
        if !decl.sort_params.is_empty() || places.ambiguous.contains(&decl.name) {
            continue;
        }
        let mut head = vec![];
        write_name(&mut head, pool.bytes(decl.name));
        if let Role::Constructor { .. } = decl.role {
            let tester = [b"(_ is ", &*head, b")"].concat().into_boxed_slice();
            let function = Function { head: tester, result: SortId::BOOL, op: heads::TESTER, life };
            found.entry(decl.result).or_default().push(function);
        }
        if let [only] = *decl.params
            && comparable(decl.result)
            && !matches!(decl.role, Role::Named(_))
        {
            let op = match decl.role {
                Role::Constructor { .. } => heads::CONSTRUCTOR,
                _ => heads::FUNCTION,
            };
            found.entry(only).or_default().push(Function {
                head: head.into(),
                result: decl.result,
                op,
                life,
            });
        }
    }
    found
}

/// The possible sorts for the sort variables of a rule. All follow from the one that is not a part.
fn choices(pool: &Pool, rule: &Rule, sorts: &[SortId]) -> Vec<Box<[SortId]>> {
    let blank = vec![SortId::BOOL; rule.sorts.len()];
    let Some(main) = rule.sorts.iter().position(|var| var.shape != Shape::Part) else {
        return vec![blank.into()];
    };
    let bound = |&sort: &SortId| {
        let mut choice = blank.clone();
        choice[main] = sort;
        match (&rule.sorts[main].shape, pool.sort(sort)) {
            (Shape::OneOf(list), _) if list.contains(&sort) => {}
            (Shape::BitVec, Sort::BitVec(_)) | (Shape::Float, Sort::Float { .. }) => {}
            (Shape::Datatype, Sort::Declared(..)) if pool.datatype(sort).is_some() => {}
            (Shape::Any, _) if sort != SortId::REGLAN => {}
            (Shape::Array(index, element), Sort::Array(i, e)) => {
                (choice[*index], choice[*element]) = (*i, *e)
            }
            (Shape::Seq(element), Sort::Seq(e)) | (Shape::Set(element), Sort::Set(e)) => {
                choice[*element] = *e
            }
            _ => return None,
        }
        Some(choice.into_boxed_slice())
    };
    sorts.iter().filter_map(bound).collect()
}

/// Types one side of a rule.
struct Typing<'a> {
    pool: &'a mut Pool,
    places: &'a Places,
    rule: &'a Rule,
    choice: &'a [SortId],
    /// The sorts that the seed has.
    known: &'a [SortId],
    typed: Vec<SortId>,
    reach: Reach,
}

impl<'a> Typing<'a> {
    fn of(
        pool: &'a mut Pool,
        places: &'a Places,
        rule: &'a Rule,
        choice: &'a [SortId],
        known: &'a [SortId],
    ) -> Typing<'a> {
        let typed = vec![SortId::BOOL; rule.applications];
        Typing { pool, places, rule, choice, known, typed, reach: Reach::Inside }
    }

    /// The sorts of the side to write, and how far outside the logic it is; `None` if the rule cannot be used here.
    fn side(mut self, rule: &Rule, forward: bool) -> Option<(Box<[SortId]>, Reach)> {
        let (from, to) = rule.sides(forward);
        let mut bound = vec![];
        from.variables(&mut bound);
        for &slot in &bound {
            let sort = sort_of(rule.vars[slot].sort, self.choice);
            if sort.is_some_and(|sort| !self.known.contains(&sort)) {
                return None;
            }
        }
        let quantified = matches!(from, Term::Bind { .. } | Term::All { .. });
        self.term(to, quantified)?;
        Some((self.typed.into(), self.reach))
    }

    /// The sort of a term; `Some(None)` if it depends on a choice that is made later.
    fn term(&mut self, term: &Term, quantified: bool) -> Option<Option<SortId>> {
        match term {
            Term::Var(slot) => Some(sort_of(self.rule.vars[*slot].sort, self.choice)),
            Term::Value { sort, id, .. } => {
                let sort = sort_of(*sort, self.choice)?;
                self.typed[*id] = sort;
                Some(Some(sort))
            }
            Term::App { head, args, id } => {
                let mut sorts = vec![];
                for arg in args {
                    let sort = self.term(&arg.term, quantified)?;
                    sorts.push(sort);
                    if arg.many {
                        sorts.push(sort);
                    }
                }
                let sort = self.application(head, args, &sorts)?;
                self.typed[*id] = sort.unwrap_or(SortId::BOOL);
                Some(sort)
            }
            Term::Bind { body, .. } => {
                self.quantifier(quantified)?;
                self.term(body, quantified)
            }
            Term::All { .. } => {
                self.quantifier(quantified)?;
                Some(Some(SortId::BOOL))
            }
            Term::At { .. } => Some(Some(SortId::BOOL)),
        }
    }

    fn quantifier(&mut self, already: bool) -> Option<()> {
        if !already {
            self.reach = self.reach.max(self.places.logic.reach_features(Features::QUANTIFIERS)?);
        }
        Some(())
    }

    fn application(
        &mut self,
        head: &Head,
        args: &[super::rules::Arg],
        sorts: &[Option<SortId>],
    ) -> Option<Option<SortId>> {
        let Head::Op { name, indices, .. } = head else {
            return Some(matches!(head, Head::Tester(_)).then_some(SortId::BOOL));
        };
        let index = |index: &IndexTerm| match index {
            IndexTerm::Num(number) => Index::Num(*number),
            IndexTerm::Numeral(_) | IndexTerm::Count(_) => Index::Num(2),
        };
        let indices: Vec<Index> = indices.iter().map(index).collect();
        // Two terms of one sort that is not known yet.
        let sorts: Vec<SortId> = sorts.iter().map(|sort| sort.unwrap_or(SortId::BOOL)).collect();
        let (op, sort) = fit::resolve(self.pool, name, &indices, &sorts)?;
        let reach = Admission::default().admits(self.places, op.row())?;
        let numbers: Vec<Number> = args.iter().map(|arg| self.number(&arg.term)).collect();
        let linear = fit::linear_reach(&self.places.logic, op.row(), &numbers);
        self.reach = self.reach.max(reach).max(linear);
        Some(Some(sort))
    }

    fn number(&self, term: &Term) -> Number {
        match term {
            Term::Value { text, .. } if is_zero(text.as_bytes()) => Number::Zero,
            Term::Value { .. } => Number::Other,
            Term::Var(slot) => {
                let var = &self.rule.vars[*slot];
                let literal = var.literal && var.kind == VarKind::Term;
                if literal { Number::Other } else { Number::Not }
            }
            _ => Number::Not,
        }
    }
}
