//! Satisfiable formulas: one operation in isolation, with constants from the edges, and with terms for its arguments.
//!
//! *Operation*: `(= (op s t …) res)` of variables; every operation is total, so some values satisfy it.
//! *Constant assignment*: the operation is executed on all combinations of boundary constants; then every choice of
//! variables is replaced by the constants of that execution. The other variables have their values in the model.
//! *Term synthesis*: (1) arguments are single applications of operations to constants, (2) the whole is evaluated,
//! (3) the result is another such application of the same value, (4) constants become variables, the same variable for
//! the same constant. The list has every combination of operations; the constants come in an order that reaches all of
//! them in the end. In every second round some of the constants stay.
//! *Deep synthesis* does the same with terms of any depth up to a bound.

use super::reference::Reference;
use super::tables::{Family, Operation, Tables};
use super::tree::Tree;
use crate::{Draft, Expect, Expected, Ground, Rng};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::eval::Evaluator;
use semantics::value::Value;
use smtlib::SortId;

/// Choices of constants that are tried for one combination of operations.
const TRIES: u64 = 48;
/// The distance from one choice of constants to the next: a prime, so that all choices are reached.
const STRIDE: u64 = 1_000_003;
/// How far ahead the next attempt of a round is.
const AHEAD: u64 = 7_368_787;

/// One execution of an operation and the places that are constants. Bit n is parameter n; the last is the result.
#[derive(Clone, Debug)]
struct Assignment {
    operation: u16,
    args: Vec<u16>,
    fixed: u16,
}

/// An operation, one for each of its arguments, and one for its result.
#[derive(Clone, Debug)]
struct Shape {
    operation: u16,
    args: Vec<u16>,
    result: u16,
}

/// A term of constants and operations.
#[derive(Clone, Debug)]
enum Node {
    Constant(u16),
    Apply(u16, Vec<Node>),
}

pub struct Satisfiable {
    /// Operations of the family, by their place in the tables.
    operations: Vec<u16>,
    assignments: Vec<Assignment>,
    shapes: Vec<Shape>,
    /// For each operation: the constants for which it has a value of this text.
    images: Vec<FxHashMap<String, Vec<Vec<u16>>>>,
    /// The constants of each sort.
    pools: FxHashMap<SortId, Vec<u16>>,
    /// The sorts of each operation's parameters.
    parameters: Vec<Vec<SortId>>,
    /// The operations that give each sort.
    giving: FxHashMap<SortId, Vec<u16>>,
}

impl Satisfiable {
    /// Prepares the lists of a family; that of the paper uses only its own constants.
    pub fn new(tables: &Tables, reference: &Reference, family: Family) -> Satisfiable {
        let known = |of: Family| family == Family::More || of == Family::Paper;
        let mut pools: FxHashMap<SortId, Vec<u16>> = FxHashMap::default();
        for (n, literal) in reference.constants.iter().enumerate() {
            if known(tables.constants[n].family) {
                pools.entry(literal.sort).or_default().push(n as u16);
            }
        }
        let sort = |text: &str| reference.constants.iter().find(|l| reference.sort_text(l.sort) == text);
        let parameters: Vec<Vec<SortId>> = tables
            .operations
            .iter()
            .map(|row| row.parameters.iter().filter_map(|(_, s)| Some(sort(s)?.sort)).collect())
            .collect();
        let usable: Vec<u16> = (0..tables.operations.len() as u16)
            .filter(|&n| known(tables.operations[n as usize].family))
            .filter(|&n| parameters[n as usize].len() == tables.operations[n as usize].parameters.len())
            .collect();
        let mut giving: FxHashMap<SortId, Vec<u16>> = FxHashMap::default();
        for &n in &usable {
            giving.entry(reference.operations[n as usize].result).or_default().push(n);
        }
        let own = |n: &u16| tables.operations[*n as usize].family == family;
        let operations = usable.iter().copied().filter(own).collect();
        let mut made = Satisfiable {
            operations,
            assignments: vec![],
            shapes: vec![],
            images: vec![FxHashMap::default(); tables.operations.len()],
            pools,
            parameters,
            giving,
        };
        made.execute(reference, &usable);
        made.combine(tables, reference, &usable, family);
        made
    }

    /// Executes every operation on all constants.
    fn execute(&mut self, reference: &Reference, usable: &[u16]) {
        let mut evaluator = reference.evaluator();
        let mut seen = FxHashSet::default();
        for &operation in usable {
            let (sorts, result) = (
                self.parameters[operation as usize].clone(),
                reference.operations[operation as usize].result,
            );
            let total: u64 = sorts.iter().map(|sort| self.pools[sort].len() as u64).product();
            for number in 0..total {
                let args = self.decode(&sorts, number);
                let values: Vec<Value> =
                    args.iter().map(|&n| reference.constants[n as usize].value.clone()).collect();
                let Some(value) = reference.apply(&mut evaluator, operation as usize, &values) else {
                    continue;
                };
                let text = reference.text(result, &value);
                self.images[operation as usize].entry(text.clone()).or_default().push(args.clone());
                if self.operations.contains(&operation) {
                    self.assign(operation, &args, &text, &mut seen);
                }
            }
        }
    }

    /// All choices of places that are constants, each formula once.
    fn assign(
        &mut self,
        operation: u16,
        args: &[u16],
        result: &str,
        seen: &mut FxHashSet<(u16, u16, Vec<u16>, String)>,
    ) {
        for fixed in 1..1u16 << (args.len() + 1) {
            let is_fixed = |n: usize| fixed >> n & 1 == 1;
            let shown: Vec<u16> =
                args.iter().enumerate().filter(|(n, _)| is_fixed(*n)).map(|(_, &arg)| arg).collect();
            let result = if is_fixed(args.len()) { result } else { "" };
            if seen.insert((operation, fixed, shown, result.to_owned())) {
                self.assignments.push(Assignment { operation, args: args.to_vec(), fixed });
            }
        }
    }

    /// All combinations of operations with at least one of the family.
    fn combine(&mut self, tables: &Tables, reference: &Reference, usable: &[u16], family: Family) {
        let none = vec![];
        let giving = |sort: &SortId| self.giving.get(sort).unwrap_or(&none);
        let mut shapes = vec![];
        for &operation in usable {
            let mut places: Vec<&Vec<u16>> = self.parameters[operation as usize].iter().map(giving).collect();
            places.push(giving(&reference.operations[operation as usize].result));
            let total: usize = places.iter().map(|place| place.len()).product();
            for mut number in 0..total {
                let mut chosen: Vec<u16> = Vec::with_capacity(places.len());
                for place in &places {
                    chosen.push(place[number % place.len()]);
                    number /= place.len();
                }
                let own = |n: &u16| tables.operations[*n as usize].family == family;
                if chosen.iter().chain([&operation]).any(own) {
                    let result = chosen.pop().unwrap_or(operation);
                    shapes.push(Shape { operation, args: chosen, result });
                }
            }
        }
        self.shapes = shapes;
    }

    /// The constants of these sorts with this number.
    fn decode(&self, sorts: &[SortId], mut number: u64) -> Vec<u16> {
        let mut found = Vec::with_capacity(sorts.len());
        for sort in sorts {
            let pool = &self.pools[sort];
            found.push(pool[(number % pool.len() as u64) as usize]);
            number /= pool.len() as u64;
        }
        found
    }

    pub fn operation_count(&self) -> u64 {
        self.operations.len() as u64
    }

    pub fn assignment_count(&self) -> u64 {
        self.assignments.len() as u64
    }

    /// How many combinations of operations there are; some have no constants that fit.
    pub fn shape_count(&self) -> u64 {
        self.shapes.len() as u64
    }
}

/// What a formula is written with.
pub struct Desk<'k> {
    pub tables: &'k Tables,
    pub reference: &'k Reference,
    pub evaluator: Evaluator<'k>,
}

impl Desk<'_> {
    fn row(&self, operation: u16) -> &Operation {
        &self.tables.operations[operation as usize]
    }

    fn value(&self, constant: u16) -> &Value {
        &self.reference.constants[constant as usize].value
    }

    fn text(&self, constant: u16) -> &str {
        &self.reference.constants[constant as usize].text
    }

    fn evaluate(&mut self, node: &Node) -> Option<Value> {
        match node {
            Node::Constant(n) => Some(self.value(*n).clone()),
            Node::Apply(operation, args) => {
                let values: Vec<Value> = args.iter().map(|arg| self.evaluate(arg)).collect::<Option<_>>()?;
                self.reference.apply(&mut self.evaluator, *operation as usize, &values)
            }
        }
    }

    /// Writes a node, with names for some constants.
    fn write(&self, node: &Node, names: &[(u16, String)]) -> Tree {
        match node {
            Node::Constant(n) => {
                let name = names.iter().find(|(constant, _)| constant == n);
                Tree::word(name.map_or(self.text(*n), |(_, name)| name))
            }
            Node::Apply(operation, args) => {
                let row = self.row(*operation);
                let given: Vec<(String, Tree)> = row
                    .parameters
                    .iter()
                    .zip(args)
                    .map(|((name, _), arg)| (name.clone(), self.write(arg, names)))
                    .collect();
                row.term.renamed(&given)
            }
        }
    }

    /// The script of an equation, with its model.
    fn finish(&self, equation: &Tree, variables: &[(String, String, String)], rule: String) -> Draft {
        let mut script = format!("(set-logic {})\n", logic(equation, variables));
        let mut model = String::from("(\n");
        for (name, sort, value) in variables {
            script.push_str(&format!("(declare-fun {name} () {sort})\n"));
            model.push_str(&format!("(define-fun {name} () {sort} {value})\n"));
        }
        script.push_str("(assert ");
        equation.write(&mut script);
        script.push_str(")\n(check-sat)\n");
        model.push(')');
        let ground = match self.reference.is_changed {
            true => Ground::Claim("the reference semantics of the user says so".to_owned()),
            false => Ground::Model(model),
        };
        let expect = Expect { answer: Expected::Sat, ground };
        Draft::of(script.into_bytes()).rules([rule]).expecting(vec![Some(expect)])
    }
}

/// Strings and integers alone have a logic of their own.
pub fn logic(equation: &Tree, variables: &[(String, String, String)]) -> &'static str {
    let sequences =
        variables.iter().any(|(_, sort, _)| sort.contains("Seq")) || equation.text().contains("seq.");
    if sequences { "ALL" } else { "QF_SLIA" }
}

impl Satisfiable {
    /// An operation of variables. Its model is its execution on the first constants.
    pub fn operation(&self, desk: &mut Desk<'_>, index: u64) -> Option<Draft> {
        let operation = *self.operations.get(index as usize)?;
        let args = self.decode(&self.parameters[operation as usize], 0);
        self.assigned(desk, &Assignment { operation, args, fixed: 0 }, "operation")
    }

    pub fn assignment(&self, desk: &mut Desk<'_>, index: u64) -> Option<Draft> {
        self.assigned(desk, self.assignments.get(index as usize)?, "constant assignment")
    }

    fn assigned(&self, desk: &mut Desk<'_>, assignment: &Assignment, category: &str) -> Option<Draft> {
        let Assignment { operation, args, fixed } = assignment;
        let row = desk.row(*operation).clone();
        let values: Vec<Value> = args.iter().map(|&n| desk.value(n).clone()).collect();
        let value = desk.reference.apply(&mut desk.evaluator, *operation as usize, &values)?;
        let result = desk.reference.text(desk.reference.operations[*operation as usize].result, &value);
        let mut variables = vec![];
        let mut given = vec![];
        for (n, (name, sort)) in row.parameters.iter().enumerate() {
            let text = desk.text(args[n]).to_owned();
            if fixed >> n & 1 == 1 {
                given.push((name.clone(), Tree::Word(text)));
            } else {
                variables.push((name.clone(), sort.clone(), text));
            }
        }
        let right = if fixed >> args.len() & 1 == 1 {
            Tree::Word(result)
        } else {
            variables.push(("res".to_owned(), row.result.clone(), result));
            Tree::word("res")
        };
        let equation = Tree::app("=", [row.term.renamed(&given), right]);
        Some(desk.finish(&equation, &variables, format!("{category} of {}", row.name)))
    }

    /// A combination of operations; `round` counts how often the list has been gone through.
    pub fn synthesis(&self, desk: &mut Desk<'_>, index: u64, round: u64) -> Option<Draft> {
        let shape = self.shapes.get(index as usize)?;
        let sorts: Vec<SortId> =
            shape.args.iter().flat_map(|&arg| self.parameters[arg as usize].iter().copied()).collect();
        let total: u64 = sorts.iter().map(|sort| self.pools[sort].len() as u64).product();
        let begin = index.wrapping_mul(0x9E37_79B9_7F4A_7C15) % total;
        for attempt in 0..TRIES {
            // The first attempts of all rounds together reach every choice.
            let step = round.wrapping_add(attempt.wrapping_mul(AHEAD));
            let number = (u128::from(begin) + u128::from(step) * u128::from(STRIDE)) % u128::from(total);
            let mut leaves = self.decode(&sorts, number as u64).into_iter();
            let mut apply = |operation: u16| {
                let count = self.parameters[operation as usize].len();
                Node::Apply(operation, leaves.by_ref().take(count).map(Node::Constant).collect())
            };
            let left = Node::Apply(shape.operation, shape.args.iter().map(|&arg| apply(arg)).collect());
            let Some(value) = desk.evaluate(&left) else { continue };
            let text =
                desk.reference.text(desk.reference.operations[shape.operation as usize].result, &value);
            let Some(choices) = self.images[shape.result as usize].get(&text) else { continue };
            let chosen = &choices[(number as usize ^ step as usize) % choices.len()];
            let right = Node::Apply(shape.result, chosen.iter().map(|&n| Node::Constant(n)).collect());
            let keep = if round.is_multiple_of(2) {
                0
            } else {
                (step ^ index).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32
            };
            let name = &desk.row(shape.operation).name;
            let rule = format!("term synthesis for {name}, round {round}");
            return Some(equation(desk, &left, &right, keep, rule));
        }
        None
    }

    /// A random equation of terms up to this depth.
    pub fn deep(&self, desk: &mut Desk<'_>, depth: u32, rng: &mut Rng) -> Option<Draft> {
        let operation = *rng.pick(&self.operations)?;
        let left = self.term(operation, depth.max(2), rng)?;
        let value = desk.evaluate(&left)?;
        let sort = desk.reference.operations[operation as usize].result;
        let text = desk.reference.text(sort, &value);
        let right = self.equal(desk, sort, &text, depth, rng)?;
        let rule = format!("term synthesis for {}, depth {depth}", desk.row(operation).name);
        Some(equation(desk, &left, &right, rng.bits() & rng.bits(), rule))
    }

    /// An application of this operation.
    fn term(&self, operation: u16, depth: u32, rng: &mut Rng) -> Option<Node> {
        let mut args = vec![];
        for sort in &self.parameters[operation as usize] {
            let inner = if depth > 1 && rng.chance(2, 3) { self.giving.get(sort) } else { None };
            args.push(match inner.and_then(|giving| rng.pick(giving)) {
                Some(&inner) => self.term(inner, depth - 1, rng)?,
                None => Node::Constant(*rng.pick(&self.pools[sort])?),
            });
        }
        Some(Node::Apply(operation, args))
    }

    /// A term of this value: a deep one if one is met, else one application.
    fn equal(
        &self,
        desk: &mut Desk<'_>,
        sort: SortId,
        text: &str,
        depth: u32,
        rng: &mut Rng,
    ) -> Option<Node> {
        let giving = self.giving.get(&sort)?;
        for _ in 0..6 {
            let operation = *rng.pick(giving)?;
            let node = self.term(operation, depth, rng)?;
            if desk.evaluate(&node).is_some_and(|value| desk.reference.text(sort, &value) == text) {
                return Some(node);
            }
        }
        let start = rng.below(giving.len());
        let operations = giving[start..].iter().chain(&giving[..start]);
        let mut fitting = operations.filter_map(|&n| Some((n, self.images[n as usize].get(text)?)));
        let (operation, choices) = fitting.next()?;
        let args = rng.pick(choices)?.iter().map(|&n| Node::Constant(n)).collect();
        Some(Node::Apply(operation, args))
    }
}

/// The equation of two terms, its constants replaced by variables but for those whose bit says that they stay.
fn equation(desk: &Desk<'_>, left: &Node, right: &Node, keep: u64, rule: String) -> Draft {
    let mut constants: Vec<u16> = vec![];
    collect(left, &mut constants);
    collect(right, &mut constants);
    let all_stay = (0..constants.len()).all(|n| keep >> (n % 64) & 1 == 1);
    let keep = if all_stay { 0 } else { keep };
    let mut names = vec![];
    let mut variables = vec![];
    for (n, &constant) in constants.iter().enumerate() {
        if keep >> (n % 64) & 1 == 1 {
            continue;
        }
        let sort = desk.reference.sort_text(desk.reference.constants[constant as usize].sort);
        let short = match sort.as_str() {
            "String" => "str",
            "Int" => "int",
            "Bool" => "bool",
            _ => "seq",
        };
        let name = format!("tmp_{short}{}", names.len());
        variables.push((name.clone(), sort, desk.text(constant).to_owned()));
        names.push((constant, name));
    }
    let tree = Tree::app("=", [desk.write(left, &names), desk.write(right, &names)]);
    desk.finish(&tree, &variables, rule)
}

fn collect(node: &Node, found: &mut Vec<u16>) {
    match node {
        Node::Constant(n) if !found.contains(n) => found.push(*n),
        Node::Constant(_) => {}
        Node::Apply(_, args) => args.iter().for_each(|arg| collect(arg, found)),
    }
}
