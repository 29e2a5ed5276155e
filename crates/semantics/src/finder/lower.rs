//! Translates terms to the graph: `let`s and definitions are expanded, small quantifiers too.
//!
//! Equations that define a constant (`define`) are used first: every occurrence of the constant is replaced by its
//! value. That preserves satisfiability, because the equation itself becomes trivial, and it removes most symbols of a
//! typical formula.
//!
//! The recursion is as deep as the term, up to a limit. Beyond the limit, and for graphs that grow too large, the
//! finder gives up with a reason.

use super::define::{Definitions, Meaning, definitions, named_by, siblings};
use super::graph::{Graph, Node, NodeId, Opaque, Var, VarId};
use crate::eval::{Evaluator, Operation};
use crate::value::Value;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use smtlib::free::FreeVariables;
use smtlib::sort::{Sort, SortId};
use smtlib::symbol::Symbol;
use smtlib::term::{BindersId, DeclId, Index, IndicesId, Kind, Pool, Quantifier, Role, TermId};
use smtlib::theory::{Assoc, OpId};

const MAX_DEPTH: u32 = 400;
const MAX_NODES: usize = 30_000;
/// Maximum number of instances of an expanded quantifier.
const MAX_INSTANCES: usize = 64;
/// Maximum number of arguments of a `distinct` that is expanded to pairs.
const MAX_DISTINCT: usize = 12;

/// Why a script has no graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

type Lowered<T> = Result<T, TooLarge>;

pub(super) fn lower(eval: &mut Evaluator<'_>, terms: &[TermId]) -> Lowered<Graph> {
    let pool = eval.pool();
    let conjuncts = conjuncts(pool, terms);
    let definitions = definitions(pool, &conjuncts);
    let mut lowering = Lowering {
        pool,
        eval,
        graph: Graph::default(),
        definitions,
        scopes: vec![HashMap::default()],
        memory: vec![HashMap::default()],
        free: FreeVariables::default(),
        depth: 0,
    };
    let mut roots = vec![];
    for (term, truth) in conjuncts {
        let node = lowering.term(term)?;
        roots.push(if truth { node } else { lowering.graph.not(node) });
    }
    let mut defined: Vec<DeclId> = lowering.definitions.keys().copied().collect();
    defined.sort_unstable();
    for decl in defined {
        let node = lowering.constant(decl, pool.decl(decl).result)?;
        lowering.graph.defined.push((decl, node));
    }
    let mut graph = lowering.graph;
    graph.conjuncts = flattened(&mut graph, roots);
    Ok(graph)
}

/// The parts of the asserted terms, each with the truth value it must have.
fn conjuncts(pool: &Pool, terms: &[TermId]) -> Vec<(TermId, bool)> {
    let mut found = vec![];
    let mut waiting: Vec<(TermId, bool)> = terms.iter().rev().map(|&term| (term, true)).collect();
    let mut seen = HashSet::new();
    while let Some((term, truth)) = waiting.pop() {
        if !seen.insert((term, truth)) {
            continue;
        }
        let args = pool.args(term);
        match (pool.kind(term), truth) {
            (Kind::Annot(_), _) => waiting.push((args[0], truth)),
            (Kind::Op { op, .. }, _) => match (op.row().eval, truth) {
                (Some("core_and"), true) | (Some("core_or"), false) => {
                    waiting.extend(args.iter().rev().map(|&arg| (arg, truth)));
                }
                (Some("core_not"), _) => waiting.push((args[0], !truth)),
                (Some("core_implies"), false) => {
                    waiting.push((args[args.len() - 1], false));
                    waiting.extend(args[..args.len() - 1].iter().map(|&arg| (arg, true)));
                }
                _ => found.push((term, truth)),
            },
            _ => found.push((term, truth)),
        }
    }
    found
}

/// Splits conjunctions.
fn flattened(graph: &mut Graph, roots: Vec<NodeId>) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = vec![];
    let mut waiting: Vec<NodeId> = roots.into_iter().rev().collect();
    let mut seen = HashSet::new();
    while let Some(id) = waiting.pop() {
        if !seen.insert(id) {
            continue;
        }
        match graph.node(id).clone() {
            Node::Const(Value::Bool(true)) => {}
            Node::And(parts) => waiting.extend(parts.iter().rev()),
            Node::Not(inner) => match graph.node(inner).clone() {
                Node::Or(parts) => {
                    for part in parts.iter().rev() {
                        let negated = graph.not(*part);
                        waiting.push(negated);
                    }
                }
                _ => found.push(id),
            },
            _ => found.push(id),
        }
    }
    found
}

type Scope = HashMap<Symbol, NodeId, FxBuildHasher>;

struct Lowering<'a, 'p> {
    pool: &'p Pool,
    eval: &'a mut Evaluator<'p>,
    graph: Graph,
    definitions: Definitions,
    /// The meaning of variables, innermost scope last; each scope holds all visible variables.
    scopes: Vec<Scope>,
    /// Nodes of closed terms in the first entry, of terms with variables in the entry of their scope.
    memory: Vec<HashMap<TermId, NodeId, FxBuildHasher>>,
    free: FreeVariables,
    depth: u32,
}

impl Lowering<'_, '_> {
    fn term(&mut self, term: TermId) -> Lowered<NodeId> {
        let is_closed = self.free.of(self.pool, term).is_empty();
        let level = if is_closed { 0 } else { self.memory.len() - 1 };
        if let Some(&known) = self.memory[level].get(&term) {
            return Ok(known);
        }
        if self.depth >= MAX_DEPTH || self.graph.len() >= MAX_NODES {
            return Err(TooLarge);
        }
        self.depth += 1;
        let node = self.lower(term);
        self.depth -= 1;
        let node = node?;
        self.memory[level].insert(term, node);
        Ok(node)
    }

    fn lower(&mut self, term: TermId) -> Lowered<NodeId> {
        let (pool, sort) = (self.pool, self.pool.sort_of(term));
        let args = pool.args(term);
        match pool.kind(term) {
            Kind::Lit(..) => Ok(self.literal(term)),
            Kind::Var(name) => match self.scope().get(&name) {
                Some(&node) => Ok(node),
                None => self.opaque(term),
            },
            Kind::Annot(_) => self.term(args[0]),
            Kind::Op { op, indices, .. } => {
                let indexed = pool.index_list(indices);
                if indexed.iter().any(|index| matches!(index, Index::Fun(_) | Index::Text(_))) {
                    return self.opaque(term);
                }
                let nodes = self.terms(args)?;
                Ok(self.operator(op, Operation::Operator(op, indices), sort, nodes))
            }
            Kind::Fun { decl, .. } => self.function(term, decl, args, sort),
            Kind::Tester { constructor, .. } => {
                let nodes = self.terms(args)?;
                Ok(self.apply(Operation::Tester(constructor), sort, nodes))
            }
            Kind::Updater { selector } => {
                let nodes = self.terms(args)?;
                Ok(self.apply(Operation::Updater(selector), sort, nodes))
            }
            Kind::Let(binders) => {
                let (values, body) = (&args[..args.len() - 1], args[args.len() - 1]);
                let nodes = self.terms(values)?;
                let names: Vec<Symbol> = pool.binder_list(binders).iter().map(|&(name, _)| name).collect();
                self.within(&names, &nodes, body, false)
            }
            Kind::Quant(quantifier, binders) => self.quantifier(term, quantifier, binders, args),
            Kind::Match(_) => self.opaque(term),
        }
    }

    fn scope(&self) -> &Scope {
        &self.scopes[self.scopes.len() - 1]
    }

    fn terms(&mut self, terms: &[TermId]) -> Lowered<Vec<NodeId>> {
        terms.iter().map(|&term| self.term(term)).collect()
    }

    /// A body with its variables given. Nothing else is visible in the body of a definition.
    fn within(&mut self, names: &[Symbol], nodes: &[NodeId], body: TermId, fresh: bool) -> Lowered<NodeId> {
        let mut scope = if fresh { Scope::default() } else { self.scope().clone() };
        scope.extend(names.iter().copied().zip(nodes.iter().copied()));
        self.scopes.push(scope);
        self.memory.push(HashMap::default());
        let node = self.term(body);
        self.memory.pop();
        self.scopes.pop();
        node
    }

    fn literal(&mut self, term: TermId) -> NodeId {
        let sort = self.pool.sort_of(term);
        match self.eval.counted(|eval| eval.try_term(term, &[])).0 {
            Ok(value) => self.graph.add(Node::Const(value), sort),
            Err(_) => self.plain_opaque(term),
        }
    }

    fn plain_opaque(&mut self, term: TermId) -> NodeId {
        let opaque = Opaque { term, bound: vec![], symbols: vec![], functions: vec![] };
        self.graph.add(Node::Opaque(opaque.into()), self.pool.sort_of(term))
    }

    fn operator(&mut self, op: OpId, operation: Operation, sort: SortId, nodes: Vec<NodeId>) -> NodeId {
        let graph = &mut self.graph;
        let pairs = |nodes: &[NodeId]| -> Vec<(NodeId, NodeId)> {
            nodes.windows(2).map(|pair| (pair[0], pair[1])).collect()
        };
        match (op.row().eval.unwrap_or(""), &nodes[..]) {
            ("core_and", _) => graph.and(nodes),
            ("core_or", _) => graph.or(nodes),
            ("core_not", &[a]) => graph.not(a),
            ("core_implies", _) => {
                let mut parts = nodes;
                for part in parts.iter_mut().rev().skip(1) {
                    *part = graph.not(*part);
                }
                graph.or(parts)
            }
            ("core_ite", &[a, b, c]) => graph.ite(a, b, c),
            ("core_xor", &[a, b]) => {
                let same = graph.equal(a, b);
                graph.not(same)
            }
            ("core_eq", _) => {
                let parts = pairs(&nodes).into_iter().map(|(a, b)| self.equal(a, b)).collect();
                self.graph.and(parts)
            }
            ("core_distinct", _) if nodes.len() <= MAX_DISTINCT => {
                let mut parts = vec![];
                for (n, &a) in nodes.iter().enumerate() {
                    for &b in &nodes[n + 1..] {
                        let same = self.equal(a, b);
                        parts.push(self.graph.not(same));
                    }
                }
                self.graph.and(parts)
            }
            _ if op.row().assoc == Assoc::Chainable && nodes.len() > 2 => {
                let parts = pairs(&nodes);
                let parts = parts.into_iter().map(|(a, b)| self.apply(operation, sort, vec![a, b])).collect();
                self.graph.and(parts)
            }
            _ => self.apply(operation, sort, nodes),
        }
    }

    fn equal(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (left, right) = (self.graph.constant(a).cloned(), self.graph.constant(b).cloned());
        if let (Some(left), Some(right)) = (left, right)
            && let (Ok(truth), _) = self.eval.counted(|eval| eval.same(&left, &right))
        {
            return self.graph.truth(truth);
        }
        self.graph.equal(a, b)
    }

    /// An operation; on constants it is computed at once.
    fn apply(&mut self, operation: Operation, sort: SortId, nodes: Vec<NodeId>) -> NodeId {
        let constants: Option<Vec<Value>> =
            nodes.iter().map(|&node| self.graph.constant(node).cloned()).collect();
        if let Some(args) = constants
            && let (Ok(value), _) = self.eval.counted(|eval| eval.try_operation(operation, sort, &args))
        {
            return self.graph.add(Node::Const(value), sort);
        }
        self.graph.add(Node::Apply(operation, nodes.into()), sort)
    }

    fn function(&mut self, term: TermId, decl: DeclId, args: &[TermId], sort: SortId) -> Lowered<NodeId> {
        let declared = self.pool.decl(decl);
        if args.len() < declared.params.len() {
            return self.opaque(term);
        }
        match declared.role {
            Role::Declared if args.is_empty() => self.constant(decl, sort),
            Role::Declared => {
                let nodes = self.terms(args)?;
                let var = self.var(decl);
                Ok(self.graph.add(Node::Call(var, nodes.into()), sort))
            }
            Role::Constructor { .. } | Role::Selector { .. } => {
                let nodes = self.terms(args)?;
                Ok(self.apply(Operation::Structure(decl), sort, nodes))
            }
            Role::Named(term) if self.free.of(self.pool, term).is_empty() => self.term(term),
            Role::Defined { vars, body, recursive: false } => {
                let nodes = self.terms(args)?;
                let names: Vec<Symbol> = self.pool.binder_list(vars).iter().map(|&(name, _)| name).collect();
                self.within(&names, &nodes, body, true)
            }
            _ => self.opaque(term),
        }
    }

    fn constant(&mut self, decl: DeclId, sort: SortId) -> Lowered<NodeId> {
        match self.definitions.get(&decl).cloned() {
            Some(Meaning::Truth(truth)) => Ok(self.graph.truth(truth)),
            Some(Meaning::Solved { other, undo }) => {
                let mut node = self.term(other)?;
                for (term, at) in undo {
                    node = self.undone(term, at, node)?;
                }
                Ok(node)
            }
            None => {
                let var = self.var(decl);
                Ok(self.graph.add(Node::Symbol(var), sort))
            }
        }
    }

    /// The argument of an operation, if the result of the operation is this node.
    fn undone(&mut self, term: TermId, at: usize, node: NodeId) -> Lowered<NodeId> {
        let Kind::Op { op, .. } = self.pool.kind(term) else { return Err(TooLarge) };
        let name = op.row().eval.unwrap_or("");
        let mut others = self.terms(&siblings(self.pool, term, at))?;
        let (mut node, inverse) = match name {
            "int_neg" | "real_neg" | "bv_neg" | "bv_not" => return self.by_name(name, vec![node]),
            "int_sub" | "real_sub" | "bv_sub" if at > 0 => {
                let first = others.remove(0);
                (self.by_name(name, vec![first, node])?, name)
            }
            "int_sub" => (node, "int_add"),
            "real_sub" => (node, "real_add"),
            "bv_sub" => (node, "bv_add"),
            "int_add" => (node, "int_sub"),
            "real_add" => (node, "real_sub"),
            "bv_add" => (node, "bv_sub"),
            "real_mul" => (node, "real_div"),
            _ => (node, name),
        };
        for other in others {
            node = self.by_name(inverse, vec![node, other])?;
        }
        Ok(node)
    }

    /// The operation with this evaluation on nodes of one sort.
    fn by_name(&mut self, name: &str, nodes: Vec<NodeId>) -> Lowered<NodeId> {
        let fits = |row: &smtlib::theory::Row| row.eval == Some(name) && row.args.len() == nodes.len();
        let number = smtlib::theory::rows().iter().position(fits).ok_or(TooLarge)?;
        let operation = Operation::Operator(OpId(number as u16), IndicesId::NONE);
        Ok(self.apply(operation, self.graph.sort(nodes[0]), nodes))
    }

    fn var(&mut self, decl: DeclId) -> VarId {
        if let Some(&known) = self.graph.var_ids.get(&decl) {
            return known;
        }
        let declared = self.pool.decl(decl);
        let id = VarId(self.graph.vars.len() as u32);
        self.graph.vars.push(Var { decl, params: declared.params.clone().into(), sort: declared.result });
        self.graph.var_ids.insert(decl, id);
        id
    }

    fn quantifier(
        &mut self,
        term: TermId,
        quantifier: Quantifier,
        binders: BindersId,
        args: &[TermId],
    ) -> Lowered<NodeId> {
        let vars = self.pool.binder_list(binders);
        let is_universal = match quantifier {
            Quantifier::Forall => true,
            Quantifier::Exists => false,
            _ => return self.opaque(term),
        };
        let mut rows: Vec<Vec<NodeId>> = vec![vec![]];
        for &(_, sort) in vars {
            let few = self.eval.size(sort).filter(|&n| n as usize * rows.len() <= MAX_INSTANCES);
            let Some(members) = few.and_then(|_| self.eval.members(sort)) else { return self.opaque(term) };
            let members: Vec<NodeId> =
                members.iter().map(|value| self.graph.add(Node::Const(value.clone()), sort)).collect();
            rows = rows
                .iter()
                .flat_map(|row| members.iter().map(move |&m| row.iter().copied().chain([m]).collect()))
                .collect();
        }
        let names: Vec<Symbol> = vars.iter().map(|&(name, _)| name).collect();
        let mut parts = vec![];
        for row in rows {
            parts.push(self.within(&names, &row, args[0], false)?);
        }
        Ok(if is_universal { self.graph.and(parts) } else { self.graph.or(parts) })
    }

    /// The term as one opaque node, with everything it depends on.
    fn opaque(&mut self, term: TermId) -> Lowered<NodeId> {
        let mut bound = vec![];
        for &name in self.free.of(self.pool, term).iter() {
            if let Some(&node) = self.scope().get(&name) {
                bound.push((name, node));
            }
        }
        let (mut symbols, mut functions) = (vec![], vec![]);
        for decl in declared_in(self.pool, term) {
            if self.pool.decl(decl).params.is_empty() {
                symbols.push((decl, self.constant(decl, self.pool.decl(decl).result)?));
            } else {
                functions.push(self.var(decl));
            }
        }
        let opaque = Opaque { term, bound, symbols, functions };
        Ok(self.graph.add(Node::Opaque(opaque.into()), self.pool.sort_of(term)))
    }
}

/// The declared functions that a term mentions, through definitions.
fn declared_in(pool: &Pool, term: TermId) -> Vec<DeclId> {
    let (mut seen, mut found) = (HashSet::new(), vec![]);
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        for decl in named_by(pool, term) {
            match pool.decl(decl).role {
                Role::Declared => found.push(decl),
                Role::Defined { body, .. } | Role::Named(body) => waiting.push(body),
                _ => {}
            }
        }
        waiting.extend(pool.args(term));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a quantifier of the script ranges over a declared sort, or over a sort that contains one.
pub(super) fn quantifies_over_declared(pool: &Pool, terms: &[TermId]) -> bool {
    let (mut seen, mut waiting) = (HashSet::new(), terms.to_vec());
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Kind::Quant(_, binders) = pool.kind(term)
            && pool.binder_list(binders).iter().any(|&(_, sort)| is_made_of_declared(pool, sort))
        {
            return true;
        }
        for decl in named_by(pool, term) {
            if let Role::Defined { body, .. } | Role::Named(body) = pool.decl(decl).role {
                waiting.push(body);
            }
        }
        waiting.extend(pool.args(term));
    }
    false
}

fn is_made_of_declared(pool: &Pool, sort: SortId) -> bool {
    let own = matches!(pool.sort(sort), Sort::Declared(..)) && pool.datatype(sort).is_none();
    own || pool.sort(sort).parts().into_iter().any(|part| is_made_of_declared(pool, part))
}
