//! Writes a side of a rule with the values of its variables: bytes and nodes together.
//!
//! Variables that the match left open are chosen here: a term of the script that is in scope at this place, or a
//! literal. A choice is made once and used for all occurrences of the variable. Writing fails if there is no
//! candidate.

use super::formula::{Binders, Formula, Node};
use super::ground::{Ground, Instance, sort_of, value_text};
use super::heads;
use super::matching::{Slot, Slots};
use super::rules::{Arg, Head, IndexTerm, Rule, Term};
use crate::{Prepared, Rng};
use smtlib::SortId;

/// Operators that return their argument if they have only one.
pub const FOLDED: &[&str] = &[
    "and",
    "or",
    "xor",
    "+",
    "*",
    "str.++",
    "seq.++",
    "re.++",
    "re.union",
    "re.inter",
    "set.union",
    "set.inter",
];
const TRIES: usize = 8;

/// The written text and nodes, from byte 0.
#[derive(Default)]
pub struct Draft {
    pub bytes: Vec<u8>,
    pub nodes: Vec<Node>,
}

pub struct Writer<'a> {
    pub prepared: &'a Prepared,
    pub ground: &'a Ground,
    pub rule: &'a Rule,
    pub instance: &'a Instance,
    pub formula: &'a Formula,
    /// The quantifiers that rules have made, after those of the seed.
    pub made: &'a mut Vec<Binders>,
    pub fresh: &'a mut u32,
    pub slots: &'a mut Slots,
    pub out: &'a mut Draft,
    pub rng: &'a mut Rng,
    /// The term that is replaced.
    pub at: Node,
}

impl Writer<'_> {
    pub fn write(mut self) -> Option<()> {
        self.out.bytes.clear();
        self.out.nodes.clear();
        let rule = self.rule;
        self.term(rule.sides(self.instance.forward).1, 0)
    }

    fn push(&mut self, text: &[u8]) {
        self.out.bytes.extend_from_slice(text);
    }

    fn begin(&mut self, op: u16, sort: SortId) -> usize {
        let start = self.out.bytes.len() as u32;
        let node = Node {
            start,
            len: 0,
            head: 0,
            head_len: 0,
            size: 1,
            sort,
            op,
            binders: 0,
            opaque: false,
            fixed: false,
            ..self.at
        };
        self.out.nodes.push(node);
        self.out.nodes.len() - 1
    }

    fn end(&mut self, node: usize) {
        let (bytes, nodes) = (self.out.bytes.len() as u32, self.out.nodes.len());
        let node_ref = &mut self.out.nodes[node];
        node_ref.len = bytes - node_ref.start;
        node_ref.size = (nodes - node) as u32;
    }

    fn head(&mut self, node: usize, text: &[u8]) {
        let start = self.out.nodes[node].start;
        self.out.nodes[node].head = self.out.bytes.len() as u32 - start;
        self.out.nodes[node].head_len = text.len() as u32;
        self.push(text);
    }

    fn leaf(&mut self, op: u16, sort: SortId, text: &[u8]) {
        let node = self.begin(op, sort);
        self.push(text);
        self.end(node);
    }

    /// Copies a term. A donor comes from another place of the seed and gets the scope of this place.
    fn copy(&mut self, from: &Formula, node: u32, moved: bool) {
        let source = from.nodes[node as usize];
        let base = self.out.bytes.len() as u32;
        self.out.bytes.extend_from_slice(&from.bytes[source.range()]);
        for inner in &from.nodes[node as usize..(node + source.size) as usize] {
            let mut copied = Node { start: inner.start - source.start + base, ..*inner };
            if moved {
                (copied.env, copied.command) = (self.at.env, self.at.command);
            }
            self.out.nodes.push(copied);
        }
    }

    fn term(&mut self, term: &Term, nth: usize) -> Option<()> {
        match term {
            Term::Var(slot) => self.variable(*slot, nth),
            Term::Value { text, sort, id: _ } => {
                let sort = sort_of(*sort, &self.instance.sorts)?;
                let text = value_text(&self.prepared.script.pool, text, sort);
                self.leaf(heads::LITERAL, sort, &text);
                Some(())
            }
            Term::App { head, args, id } => self.application(head, args, *id, nth),
            Term::Bind { quantifier, var, body } => {
                *self.fresh += 1;
                self.slots.slots[*var] = Slot::Fresh(*self.fresh);
                let name = format!("{}{}", self.ground.prefix, self.fresh);
                let sort = sort_of(self.rule.vars[*var].sort, &self.instance.sorts)?;
                let node = self.quantifier(quantifier.name(), &name, sort)?;
                self.term(body, nth)?;
                self.push(b")");
                self.end(node);
                Some(())
            }
            Term::All { quantifier, predicate } => self.quantified(quantifier.name(), *predicate),
            Term::At { predicate, .. } => self.instantiated(*predicate),
        }
    }

    fn application(&mut self, head: &Head, args: &[Arg], id: usize, nth: usize) -> Option<()> {
        let count: usize =
            args.iter().map(|arg| if arg.many { self.repetitions(&arg.term) } else { 1 }).sum();
        if args.iter().any(|arg| arg.many) && count < 2 {
            let folds = matches!(head, Head::Op { name, .. } if FOLDED.contains(name)) && count == 1;
            let only = args.iter().find(|arg| !arg.many || self.repetitions(&arg.term) == 1)?;
            return if folds { self.term(&only.term, 0) } else { None };
        }
        let (op, mut sort) = (self.op(head), self.instance.typed[id]);
        if let Head::Function(slot) = head {
            sort = self.function_result(*slot)?;
        }
        let node = self.begin(op, sort);
        if count > 0 {
            self.push(b"(");
        }
        self.write_head(node, head)?;
        for arg in args {
            let times = if arg.many { self.repetitions(&arg.term) } else { 1 };
            for n in 0..times {
                self.push(b" ");
                self.term(&arg.term, if arg.many { n } else { nth })?;
            }
        }
        if count > 0 {
            self.push(b")");
        }
        self.end(node);
        Some(())
    }

    /// How often a term with dots is repeated; its lists must be equally long.
    fn repetitions(&self, term: &Term) -> usize {
        let mut used = vec![];
        term.variables(&mut used);
        let lists = used.iter().filter(|&&slot| self.slots.slots[slot] == Slot::List);
        lists.map(|&slot| self.slots.lists[slot].len()).min().unwrap_or(0)
    }

    fn op(&self, head: &Head) -> u16 {
        match head {
            Head::Op { op, .. } => *op,
            Head::Function(slot) => match self.slots.slots[*slot] {
                Slot::Head(node) => self.formula.nodes[node as usize].op,
                Slot::Function(sort, n) => self.ground.functions[&sort][n as usize].op,
                _ => heads::FUNCTION,
            },
            Head::Constructor(_) => heads::CONSTRUCTOR,
            Head::Tester(_) => heads::TESTER,
        }
    }

    /// The result sort of a function, which is chosen if the match left it open.
    fn function_result(&mut self, slot: usize) -> Option<SortId> {
        if let Slot::Head(node) = self.slots.slots[slot] {
            return Some(self.formula.nodes[node as usize].sort);
        }
        let sort = sort_of(self.rule.vars[slot].sort, &self.instance.sorts)?;
        let functions = self.ground.functions.get(&sort)?;
        if self.slots.slots[slot] == Slot::Free {
            let n = self.rng.below(functions.len());
            if !functions[n].life.covers(self.at.command) {
                return None;
            }
            self.slots.slots[slot] = Slot::Function(sort, n as u32);
        }
        match self.slots.slots[slot] {
            Slot::Function(_, n) => Some(functions[n as usize].result),
            _ => None,
        }
    }

    fn write_head(&mut self, node: usize, head: &Head) -> Option<()> {
        let (ground, formula) = (self.ground, self.formula);
        match head {
            Head::Op { name, indices, .. } if indices.is_empty() => self.head(node, name.as_bytes()),
            Head::Op { name, indices, .. } => {
                let mut text = format!("(_ {name}");
                for index in indices {
                    let number = match *index {
                        IndexTerm::Num(number) => number,
                        IndexTerm::Count(slot) => self.slots.lists[slot].len() as u64,
                        IndexTerm::Numeral(slot) => self.numeral(slot)?,
                    };
                    text.push_str(&format!(" {number}"));
                }
                text.push(')');
                self.head(node, text.as_bytes());
            }
            Head::Function(slot) | Head::Constructor(slot) => match self.slots.slots[*slot] {
                Slot::Head(source) => self.head(node, formula.head(source)),
                Slot::Function(sort, n) => self.head(node, &ground.functions.get(&sort)?[n as usize].head),
                _ => return None,
            },
            Head::Tester(slot) => {
                let Slot::Head(source) = self.slots.slots[*slot] else { return None };
                let text = [b"(_ is ", formula.head(source), b")"].concat();
                self.head(node, &text);
            }
        }
        Some(())
    }

    fn numeral(&mut self, slot: usize) -> Option<u64> {
        if self.slots.slots[slot] == Slot::Free {
            self.slots.slots[slot] = Slot::Number(1 + self.rng.below(5) as u64);
        }
        match self.slots.slots[slot] {
            Slot::Number(number) => Some(number),
            _ => None,
        }
    }

    // Variables.

    fn variable(&mut self, slot: usize, nth: usize) -> Option<()> {
        let (formula, ground) = (self.formula, self.ground);
        if self.slots.slots[slot] == Slot::Free {
            let sort = sort_of(self.rule.vars[slot].sort, &self.instance.sorts)?;
            let literal = self.rule.vars[slot].literal;
            let limited = self.rule.condition.as_ref().is_some_and(|(_, limited)| *limited == slot);
            self.slots.slots[slot] = self.choose(sort, literal, limited)?;
        }
        match self.slots.slots[slot] {
            Slot::Node(node) => self.copy(formula, node, false),
            Slot::List => {
                let node = *self.slots.lists[slot].get(nth)?;
                self.copy(formula, node, false);
            }
            Slot::Donor(n) => self.copy(&ground.formula, ground.donors[n as usize].occurrence, true),
            Slot::Literal(sort, n) => {
                self.leaf(heads::LITERAL, sort, &ground.literals.get(&sort)?[n as usize].text);
            }
            Slot::Fresh(n) => {
                let sort = sort_of(self.rule.vars[slot].sort, &self.instance.sorts)?;
                self.leaf(heads::VARIABLE, sort, format!("{}{n}", ground.prefix).as_bytes());
            }
            _ => return None,
        }
        Some(())
    }

    /// A term or literal of a sort: usually a term in scope.
    fn choose(&mut self, sort: SortId, literal: bool, limited: bool) -> Option<Slot> {
        let ground = self.ground;
        if !literal && !self.rng.chance(1, 4) {
            let env = &ground.places.envs[self.at.env as usize];
            let donors = ground.donors_of.get(&sort).map_or(&[][..], Vec::as_slice);
            for _ in 0..TRIES {
                let Some(&n) = self.rng.pick(donors) else { break };
                if ground.donors[n as usize].fits(env, self.at.command) {
                    return Some(Slot::Donor(n));
                }
            }
        }
        let literals = ground.literals.get(&sort)?;
        let n = match self.instance.allowed.as_ref().filter(|_| limited) {
            Some(allowed) => u32::from(*self.rng.pick(allowed)?),
            None if literals.is_empty() => return None,
            None => self.rng.below(literals.len()) as u32,
        };
        literals[n as usize].life.covers(self.at.command).then_some(Slot::Literal(sort, n))
    }

    // Predicates.

    fn quantifier(&mut self, name: &str, var: &str, sort: SortId) -> Option<usize> {
        let op = if name == "forall" { heads::FORALL } else { heads::EXISTS };
        let node = self.begin(op, SortId::BOOL);
        self.push(b"(");
        self.head(node, name.as_bytes());
        self.push(b" ((");
        self.push(var.as_bytes());
        self.push(b" ");
        let ground = self.ground;
        self.push(ground.sort_texts.get(&sort)?);
        self.push(b")) ");
        self.out.nodes[node].binders = (ground.binders.len() + self.made.len()) as u32;
        self.made.push(Box::new([(var.as_bytes().into(), sort)]));
        Some(node)
    }

    fn quantified(&mut self, name: &str, predicate: usize) -> Option<()> {
        match self.slots.slots[predicate] {
            Slot::Body(quantifier) => {
                let source = self.formula.nodes[quantifier as usize];
                let op = if name == "forall" { heads::FORALL } else { heads::EXISTS };
                let node = self.begin(op, SortId::BOOL);
                self.out.nodes[node].binders = source.binders;
                self.push(b"(");
                self.head(node, name.as_bytes());
                let formula = self.formula;
                let body = formula.nodes[quantifier as usize + 1];
                self.push(&formula.bytes[source.head_range().end..body.start as usize]);
                self.copy(formula, quantifier + 1, false);
                self.push(b")");
                self.end(node);
                Some(())
            }
            Slot::Place(root, place) => {
                *self.fresh += 1;
                let var = format!("{}{}", self.ground.prefix, self.fresh);
                let node = self.quantifier(name, &var, self.formula.nodes[place as usize].sort)?;
                self.copy_around(root, place, &var);
                self.push(b")");
                self.end(node);
                Some(())
            }
            _ => None,
        }
    }

    /// Copies a term with a variable in place of a subterm.
    fn copy_around(&mut self, root: u32, place: u32, var: &str) {
        let formula = self.formula;
        let (source, hole) = (formula.nodes[root as usize], formula.nodes[place as usize]);
        let base = self.out.bytes.len() as u32;
        self.push(&formula.bytes[source.start as usize..hole.start as usize]);
        self.push(var.as_bytes());
        self.push(&formula.bytes[(hole.start + hole.len) as usize..source.range().end]);
        let moved = |bytes: u32| bytes + var.len() as u32 - hole.len;
        for n in root..root + source.size {
            let mut inner = formula.nodes[n as usize];
            if n > place && n < place + hole.size {
                continue;
            }
            if n >= place + hole.size {
                inner.start = moved(inner.start);
            } else if n < place && n + inner.size > place {
                inner.len = moved(inner.len);
                inner.size -= hole.size - 1;
            } else if n == place {
                inner = Node {
                    op: heads::VARIABLE,
                    len: var.len() as u32,
                    head: 0,
                    head_len: 0,
                    size: 1,
                    ..hole
                };
            }
            inner.start = inner.start - source.start + base;
            self.out.nodes.push(inner);
        }
    }

    /// The body of a quantifier with terms for its variables, written as a `let` because that never captures.
    fn instantiated(&mut self, predicate: usize) -> Option<()> {
        let Slot::Body(quantifier) = self.slots.slots[predicate] else { return None };
        let formula = self.formula;
        let (source, body) = (formula.nodes[quantifier as usize], quantifier + 1);
        if formula.nodes[body as usize].op == heads::ANNOTATION {
            return None;
        }
        let known = self.ground.binders.len();
        let vars: Binders = match self.ground.binders.get(source.binders as usize) {
            Some(vars) => vars.clone(),
            None => self.made.get(source.binders as usize - known)?.clone(),
        };
        let node = self.begin(heads::LET, SortId::BOOL);
        self.push(b"(let (");
        for (n, (name, sort)) in vars.iter().enumerate() {
            self.push(if n > 0 { b" (" } else { b"(" });
            self.push(name);
            self.push(b" ");
            match self.choose(*sort, false, false)? {
                Slot::Donor(n) => {
                    let ground = self.ground;
                    self.copy(&ground.formula, ground.donors[n as usize].occurrence, true);
                }
                Slot::Literal(sort, n) => {
                    let ground = self.ground;
                    self.leaf(heads::LITERAL, sort, &ground.literals.get(&sort)?[n as usize].text);
                }
                _ => return None,
            }
            self.push(b")");
        }
        self.push(b") ");
        self.copy(formula, body, false);
        self.push(b")");
        self.end(node);
        Some(())
    }
}
