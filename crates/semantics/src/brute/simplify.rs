//! Before the search: splits conjunctions, replaces variables that are defined by an equation, and finds the bounds of
//! integers.
//!
//! Fixing a variable to a value is the same kind of step, and is done here too.
//!
//! Every step keeps the set of solutions, up to variables that are computed from the others afterwards.

use super::call::Calls;
use super::graph::{Graph, Node, NodeId, Prim, VarId};
use super::lower::Problem;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::{Sort, SortId};

/// Maximum number of equations used; each costs a pass over the conjuncts.
const ROUNDS: usize = 400;
/// Replacing stops when the graph has grown by this factor.
const GROWTH: usize = 4;

/// A problem without the variables that are determined by others.
pub(super) struct Simplified {
    /// None of them is a conjunction; an empty list is true.
    pub conjuncts: Vec<NodeId>,
    /// Replaced variables, in the order of replacement: a value does not contain any earlier replaced variable.
    pub defined: Vec<(VarId, NodeId)>,
    pub is_false: bool,
}

pub(super) fn simplify(problem: &mut Problem<'_>, given: &[NodeId]) -> Simplified {
    let graph = &mut problem.graph;
    let most = graph.len() * GROWTH + 10_000;
    let mut conjuncts = vec![];
    for &conjunct in given {
        flatten(graph, conjunct, &mut conjuncts);
    }
    conjuncts.sort_unstable();
    conjuncts.dedup();
    let mut defined = vec![];
    for _ in 0..ROUNDS {
        if graph.len() > most {
            break;
        }
        let Some((at, var, value)) = find_definition(graph, &conjuncts) else { break };
        conjuncts.remove(at);
        conjuncts = replace_all(graph, &mut problem.calls, &conjuncts, var, value);
        defined.push((var, value));
    }
    let is_false = conjuncts.iter().any(|&conjunct| graph.constant(conjunct) == Some(0));
    conjuncts.retain(|&conjunct| graph.constant(conjunct).is_none());
    Simplified { conjuncts, defined, is_false }
}

/// The conjuncts with a variable fixed to a value.
pub(super) fn fixed(problem: &mut Problem<'_>, conjuncts: &[NodeId], var: VarId, code: u64) -> Vec<NodeId> {
    let to = problem.graph.constant_node(code, problem.vars[var.0 as usize].sort);
    replace_all(&mut problem.graph, &mut problem.calls, conjuncts, var, to)
}

fn replace_all(
    graph: &mut Graph,
    calls: &mut Calls<'_>,
    conjuncts: &[NodeId],
    from: VarId,
    to: NodeId,
) -> Vec<NodeId> {
    let (changed, mut replaced): (Vec<NodeId>, Vec<NodeId>) =
        conjuncts.iter().partition(|&&conjunct| graph.may_mention(conjunct, from));
    let new = replacements(graph, calls, &changed, from, to);
    // Conjuncts that are not changed are flat already.
    for root in changed {
        flatten(graph, new[root.0 as usize], &mut replaced);
    }
    replaced.sort_unstable();
    replaced.dedup();
    replaced
}

/// The conjuncts of a node.
fn flatten(graph: &mut Graph, node: NodeId, out: &mut Vec<NodeId>) {
    match graph.node(node) {
        Node::Const(code) if code != 0 => {}
        Node::Apply(Prim::And, args) => {
            for n in 0..args.len() {
                flatten(graph, graph.args(node)[n], out);
            }
        }
        Node::Apply(Prim::Not, &[inner]) => match graph.node(inner) {
            Node::Apply(Prim::Or, parts) => {
                for n in 0..parts.len() {
                    let negated = graph.not(graph.args(inner)[n]);
                    flatten(graph, negated, out);
                }
            }
            _ => out.push(node),
        },
        _ => out.push(node),
    }
}

/// A conjunct that defines a variable.
fn find_definition(graph: &mut Graph, conjuncts: &[NodeId]) -> Option<(usize, VarId, NodeId)> {
    for (n, &conjunct) in conjuncts.iter().enumerate() {
        match graph.node(conjunct) {
            Node::Var(var) => return Some((n, var, graph.truth(true))),
            Node::Apply(Prim::Not, args) => match graph.node(args[0]) {
                Node::Var(var) => return Some((n, var, graph.truth(false))),
                // Two truth values that differ.
                Node::Apply(Prim::Eq, sides) if graph.sort(sides[0]) == SortId::BOOL => {
                    if let Some((var, value)) = oriented(graph, sides[0], sides[1]) {
                        return Some((n, var, graph.not(value)));
                    }
                }
                _ => {}
            },
            Node::Apply(Prim::Eq, sides) => {
                if let Some((var, value)) = oriented(graph, sides[0], sides[1]) {
                    return Some((n, var, value));
                }
            }
            _ => {}
        }
    }
    None
}

/// An equation as a variable and its value, if the variable does not occur in the value. If the value cannot be
/// computed, everything that uses the variable is poisoned, so no wrong verdict follows.
fn oriented(graph: &Graph, a: NodeId, b: NodeId) -> Option<(VarId, NodeId)> {
    for (var, value) in [(a, b), (b, a)] {
        if let Node::Var(var) = graph.node(var)
            && !(graph.may_mention(value, var) && graph.vars(value).contains(&var))
        {
            return Some((var, value));
        }
    }
    None
}

/// What the nodes below the roots are with a variable replaced, by their numbers; other nodes stay as they are.
fn replacements(
    graph: &mut Graph,
    calls: &mut Calls<'_>,
    roots: &[NodeId],
    from: VarId,
    to: NodeId,
) -> Vec<NodeId> {
    let mut new: Vec<NodeId> = (0..graph.len() as u32).map(NodeId).collect();
    let mut args = vec![];
    for id in graph.below_mentioning(roots, from) {
        new[id.0 as usize] = match graph.node(id) {
            Node::Var(var) if var == from => to,
            Node::Apply(prim, old) => {
                args.clear();
                args.extend(old.iter().map(|arg| new[arg.0 as usize]));
                if args == old { id } else { rebuilt(graph, calls, prim, &args, id) }
            }
            _ => id,
        };
    }
    new
}

/// A node with other arguments; calls are folded like all other nodes.
fn rebuilt(graph: &mut Graph, calls: &mut Calls<'_>, prim: Prim, args: &[NodeId], old: NodeId) -> NodeId {
    use super::call::Answer;
    let sort = graph.sort(old);
    let (Prim::Call(id) | Prim::IsOpen(id)) = prim else { return graph.apply(prim, args, sort) };
    if let Some(codes) = graph.constants(args) {
        match (calls.ask(id, &codes), prim) {
            (Answer::Code(code), Prim::Call(_)) => return graph.constant_node(code, sort),
            (Answer::Code(_), _) => return graph.truth(false),
            (Answer::Open, Prim::IsOpen(_)) => return graph.truth(true),
            _ => {}
        }
    }
    graph.apply(prim, args, sort)
}

/// The least and the greatest value of integer variables, where conjuncts bound them.
pub(super) fn bounds(
    problem: &Problem<'_>,
    conjuncts: &[NodeId],
) -> HashMap<VarId, (Option<i64>, Option<i64>), FxBuildHasher> {
    let graph = &problem.graph;
    let mut bounds: HashMap<VarId, (Option<i64>, Option<i64>), FxBuildHasher> = HashMap::default();
    // Bounds are propagated from variable to variable.
    for _ in 0..8 {
        let before = bounds.clone();
        for &conjunct in conjuncts {
            let Node::Apply(prim @ (Prim::IntLe | Prim::IntLt), args) = graph.node(conjunct) else {
                continue;
            };
            let gap = i64::from(prim == Prim::IntLt);
            let low = range(graph, &bounds, args[0]).0;
            let high = range(graph, &bounds, args[1]).1;
            if let (Node::Var(var), Some(high)) = (graph.node(args[0]), high) {
                let entry = bounds.entry(var).or_default();
                let high = high.saturating_sub(gap);
                entry.1 = Some(entry.1.map_or(high, |known| known.min(high)));
            }
            if let (Node::Var(var), Some(low)) = (graph.node(args[1]), low) {
                let entry = bounds.entry(var).or_default();
                let low = low.saturating_add(gap);
                entry.0 = Some(entry.0.map_or(low, |known| known.max(low)));
            }
        }
        if before == bounds {
            break;
        }
    }
    bounds
}

type Range = (Option<i64>, Option<i64>);

fn range(graph: &Graph, bounds: &HashMap<VarId, Range, FxBuildHasher>, node: NodeId) -> Range {
    match graph.node(node) {
        Node::Const(code) => (Some(code as i64), Some(code as i64)),
        Node::Var(var) => bounds.get(&var).copied().unwrap_or_default(),
        _ => (None, None),
    }
}

/// Whether a sort is declared and not a datatype.
pub(super) fn declared(problem: &Problem<'_>, sort: SortId) -> Option<smtlib::sort::SortDeclId> {
    let pool = problem.calls.pool();
    match pool.sort(sort) {
        Sort::Declared(decl, args) if args.is_empty() && pool.datatype(sort).is_none() => Some(*decl),
        _ => None,
    }
}
