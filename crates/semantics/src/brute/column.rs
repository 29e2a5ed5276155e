//! A conjunct as a straight-line program over columns of assignments.
//!
//! There is one instruction per node, arguments first; each has a column for its results and one for poison. All
//! assignments of a block share the cost of dispatching an instruction.

use super::call::{Answer, Calls};
use super::graph::{Graph, Node, NodeId, Prim, VarId};
use super::native;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Maximum number of assignments in a block.
pub(super) const LANES: usize = 256;

enum Source {
    Const(u64),
    Var(VarId),
    Apply(Prim, Box<[u32]>),
}

pub(super) struct Program {
    code: Vec<Source>,
    /// Whether the instruction can be poisoned at all.
    fallible: Vec<bool>,
    /// The number of assignments in a block.
    lanes: usize,
    /// The columns, one after the other.
    columns: Vec<u64>,
    poison: Vec<bool>,
}

/// Assigned variables: their columns.
pub(super) type Columns = HashMap<VarId, usize, FxBuildHasher>;

impl Program {
    pub fn compile(graph: &Graph, root: NodeId) -> Program {
        let order = graph.below(root);
        let mut places: HashMap<NodeId, u32, FxBuildHasher> = HashMap::default();
        let mut code = vec![];
        let mut fallible: Vec<bool> = vec![];
        for id in order {
            let (source, can_fail) = match graph.node(id) {
                Node::Const(value) => (Source::Const(value), false),
                Node::Var(var) => (Source::Var(var), false),
                Node::Apply(prim, args) => {
                    let args: Box<[u32]> = args.iter().map(|arg| places[arg]).collect();
                    let inherits = args.iter().any(|&arg| fallible[arg as usize]);
                    (Source::Apply(prim, args), inherits || may_fail(prim))
                }
            };
            places.insert(id, code.len() as u32);
            code.push(source);
            fallible.push(can_fail);
        }
        Program { code, fallible, lanes: 0, columns: vec![], poison: vec![] }
    }

    /// Makes columns for blocks of at most so many assignments.
    pub fn make_columns(&mut self, lanes: usize) {
        let size = self.code.len() * lanes;
        (self.lanes, self.columns, self.poison) = (lanes, vec![0; size], vec![false; size]);
        for (source, column) in self.code.iter().zip(self.columns.chunks_mut(lanes)) {
            if let Source::Const(value) = source {
                column.fill(*value);
            }
        }
    }

    /// The number of instructions.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// The number of instructions that the evaluator computes.
    pub fn calls(&self) -> usize {
        let is_call = |source: &&Source| matches!(source, Source::Apply(Prim::Call(_) | Prim::IsOpen(_), _));
        self.code.iter().filter(is_call).count()
    }

    /// Runs a block of `lanes` assignments. Returns the results and the poison of the last instruction.
    pub fn run(
        &mut self,
        calls: &mut Calls<'_>,
        assigned: &Columns,
        block: &[Vec<u64>],
        lanes: usize,
    ) -> (&[u64], &[bool]) {
        for at in 0..self.code.len() {
            let (before, rest) = self.columns.split_at_mut(at * self.lanes);
            let (poison_before, poison_rest) = self.poison.split_at_mut(at * self.lanes);
            let (out, poison) = (&mut rest[..lanes], &mut poison_rest[..lanes]);
            match &self.code[at] {
                Source::Const(_) => {}
                Source::Var(var) => out.copy_from_slice(&block[assigned[var]][..lanes]),
                Source::Apply(prim, args) => {
                    let step = Step { prim: *prim, args, before, poison_before, width: self.lanes, lanes };
                    if self.fallible[at] {
                        step.inherit(poison);
                    }
                    step.run(calls, out, poison);
                }
            }
        }
        let last = (self.code.len() - 1) * self.lanes;
        (&self.columns[last..last + lanes], &self.poison[last..last + lanes])
    }
}

fn may_fail(prim: Prim) -> bool {
    matches!(
        prim,
        Prim::Call(_) | Prim::IsOpen(_) | Prim::IntAdd | Prim::IntSub | Prim::IntMul | Prim::IntNeg
    )
}

/// The execution of one instruction.
struct Step<'s> {
    prim: Prim,
    args: &'s [u32],
    before: &'s [u64],
    poison_before: &'s [bool],
    /// The width of a column, and what is used of it.
    width: usize,
    lanes: usize,
}

impl Step<'_> {
    fn arg(&self, n: usize) -> &[u64] {
        &self.before[self.args[n] as usize * self.width..][..self.lanes]
    }

    fn arg_poison(&self, n: usize) -> &[bool] {
        &self.poison_before[self.args[n] as usize * self.width..][..self.lanes]
    }

    /// The poison of the arguments that affects the result: a branch that is not taken has no effect, and neither has
    /// a part of a junction if another part decides it.
    fn inherit(&self, poison: &mut [bool]) {
        match self.prim {
            Prim::Ite => {
                let (condition, [c, t, e]) = (self.arg(0), [0, 1, 2].map(|n| self.arg_poison(n)));
                for (n, slot) in poison.iter_mut().enumerate() {
                    *slot = c[n] || if condition[n] != 0 { t[n] } else { e[n] };
                }
            }
            Prim::And | Prim::Or => {
                let decisive = u64::from(self.prim == Prim::Or);
                for (n, slot) in poison.iter_mut().enumerate() {
                    let parts = 0..self.args.len();
                    let mut any = false;
                    let mut decided = false;
                    for part in parts {
                        let bad = self.arg_poison(part)[n];
                        any |= bad;
                        decided |= !bad && self.arg(part)[n] == decisive;
                    }
                    *slot = any && !decided;
                }
            }
            _ => {
                poison.fill(false);
                for part in 0..self.args.len() {
                    for (slot, &bad) in poison.iter_mut().zip(self.arg_poison(part)) {
                        *slot |= bad;
                    }
                }
            }
        }
    }

    fn run(&self, calls: &mut Calls<'_>, out: &mut [u64], poison: &mut [bool]) {
        if let Prim::Call(id) | Prim::IsOpen(id) = self.prim {
            let mut codes = vec![0; self.args.len()];
            for n in 0..self.lanes {
                if poison[n] {
                    out[n] = 0;
                    continue;
                }
                for (part, code) in codes.iter_mut().enumerate() {
                    *code = self.arg(part)[n];
                }
                (out[n], poison[n]) = match (calls.ask(id, &codes), self.prim) {
                    (Answer::Code(code), Prim::Call(_)) => (code, false),
                    (Answer::Code(_), _) => (0, false),
                    (Answer::Open, Prim::IsOpen(_)) => (1, false),
                    _ => (0, true),
                };
            }
            return;
        }
        let buffer: [&[u64]; 3];
        let list: Vec<&[u64]>;
        let args: &[&[u64]] = match self.args.len() {
            count @ 1..=3 => {
                buffer = [self.arg(0), self.arg(1.min(count - 1)), self.arg(2.min(count - 1))];
                &buffer[..count]
            }
            count => {
                list = (0..count).map(|n| self.arg(n)).collect();
                &list
            }
        };
        if !native::run(self.prim, args, out, poison) {
            poison.fill(true);
        }
        if matches!(self.prim, Prim::And | Prim::Or) {
            self.settle(out, poison);
        }
    }

    /// Sets the result of a junction that is decided despite poison: the poisoned part could have any value.
    fn settle(&self, out: &mut [u64], poison: &[bool]) {
        let any = (0..self.args.len()).any(|part| self.arg_poison(part).contains(&true));
        if !any {
            return;
        }
        let decisive = u64::from(self.prim == Prim::Or);
        for (n, slot) in out.iter_mut().enumerate() {
            let bad = (0..self.args.len()).any(|part| self.arg_poison(part)[n]);
            if bad && !poison[n] {
                *slot = decisive;
            }
        }
    }
}
