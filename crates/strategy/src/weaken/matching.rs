//! Matches a side of a rule against a term and binds the rule's variables.
//!
//! In: an instance, a formula and a node. Out: slots, one per variable of the rule. All occurrences of a variable must
//! match the same text. Where dots leave a choice (which conjunct is dropped), it is made at random.

use super::formula::Formula;
use super::ground::{Ground, Instance, sort_of};
use super::heads;
use super::rules::{Arg, Head, IndexTerm, Rule, Term, VarKind};
use crate::Rng;
use smtlib::SortId;
use smtlib::term::Quantifier;

/// The value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Free,
    /// A term of the formula.
    Node(u32),
    /// Terms of the formula, in `Slots::lists`.
    List,
    /// The node whose head is the function, the constructor or the tester.
    Head(u32),
    /// A chosen function of the ground, by sort and number.
    Function(SortId, u32),
    /// A term of the seed.
    Donor(u32),
    /// A literal of the ground, by sort and number.
    Literal(SortId, u32),
    Number(u64),
    /// A bound variable that the formula already has: the only variable of this quantifier.
    Bound(u32),
    /// A fresh name.
    Fresh(u32),
    /// The body of this quantifier, with its variables.
    Body(u32),
    /// This formula, with the place of this subterm.
    Place(u32, u32),
}

/// The slots of a match. They are reused, so that matching allocates nothing.
#[derive(Default)]
pub struct Slots {
    pub slots: Vec<Slot>,
    pub lists: Vec<Vec<u32>>,
    children: Vec<u32>,
}

pub struct Matcher<'a> {
    pub ground: &'a Ground,
    pub rule: &'a Rule,
    pub instance: &'a Instance,
    pub formula: &'a Formula,
    pub binders: &'a dyn Fn(u32) -> &'a [(Box<[u8]>, SortId)],
    pub slots: &'a mut Slots,
    pub rng: &'a mut Rng,
}

impl Matcher<'_> {
    /// Whether the side to match matches this term.
    pub fn matches(mut self, node: u32) -> bool {
        let vars = self.rule.vars.len();
        self.slots.slots.clear();
        self.slots.slots.resize(vars, Slot::Free);
        self.slots.lists.iter_mut().for_each(Vec::clear);
        self.slots.lists.resize_with(vars.max(self.slots.lists.len()), Vec::new);
        let rule = self.rule;
        self.term(rule.sides(self.instance.forward).0, node) && self.condition_holds()
    }

    fn term(&mut self, term: &Term, node: u32) -> bool {
        let here = &self.formula.nodes[node as usize];
        match term {
            Term::Var(slot) => self.variable(*slot, node),
            Term::Value { text, id: _, sort } => {
                let sort = sort_of(*sort, &self.instance.sorts);
                here.op == heads::LITERAL
                    && self.formula.text(node) == text.as_bytes()
                    && sort == Some(here.sort)
            }
            Term::App { head, args, .. } => self.head(head, node) && self.arguments(args, node),
            Term::Bind { quantifier, var, body } => self.bind(*quantifier, *var, body, node),
            Term::All { quantifier, predicate } => {
                self.slots.slots[*predicate] = Slot::Body(node);
                here.op == op_of(*quantifier)
            }
            Term::At { predicate, .. } => {
                let place = self.place(node);
                self.slots.slots[*predicate] = place.map_or(Slot::Free, |place| Slot::Place(node, place));
                place.is_some()
            }
        }
    }

    fn variable(&mut self, slot: usize, node: u32) -> bool {
        let var = &self.rule.vars[slot];
        let here = &self.formula.nodes[node as usize];
        if sort_of(var.sort, &self.instance.sorts).is_some_and(|sort| sort != here.sort) {
            return false;
        }
        if var.kind == VarKind::Bound {
            let Slot::Bound(quantifier) = self.slots.slots[slot] else { return false };
            let name = &(self.binders)(self.formula.nodes[quantifier as usize].binders)[0].0;
            return here.op == heads::VARIABLE && *self.formula.text(node) == **name;
        }
        if var.many {
            self.slots.slots[slot] = Slot::List;
            self.slots.lists[slot].push(node);
            return true;
        }
        match self.slots.slots[slot] {
            Slot::Free => {
                self.slots.slots[slot] = Slot::Node(node);
                true
            }
            Slot::Node(other) => self.formula.text(other) == self.formula.text(node),
            _ => false,
        }
    }

    fn head(&mut self, head: &Head, node: u32) -> bool {
        let op = self.formula.nodes[node as usize].op;
        match head {
            Head::Op { op: wanted, indices, .. } => op == *wanted && self.indices(indices, node),
            Head::Function(slot) => {
                matches!(op, heads::FUNCTION | heads::CONSTRUCTOR | heads::TESTER)
                    && self.formula.nodes[node as usize].size > 1
                    && self.same_head(*slot, node)
            }
            Head::Constructor(slot) => op == heads::CONSTRUCTOR && self.same_head(*slot, node),
            // The constructor of a tester cannot be determined from here.
            Head::Tester(_) => false,
        }
    }

    fn same_head(&mut self, slot: usize, node: u32) -> bool {
        match self.slots.slots[slot] {
            Slot::Head(other) => self.formula.head(other) == self.formula.head(node),
            _ => {
                self.slots.slots[slot] = Slot::Head(node);
                true
            }
        }
    }

    /// Whether the indices of an operator match a pattern. A numeral matches only if it is 1 or more.
    fn indices(&mut self, indices: &[IndexTerm], node: u32) -> bool {
        let head = self.formula.head(node);
        if indices.is_empty() {
            return head.first() != Some(&b'(');
        }
        let Some(inner) = head.strip_prefix(b"(_ ").and_then(|head| head.strip_suffix(b")")) else {
            return false;
        };
        let mut words = inner.split(|&byte| byte == b' ').skip(1);
        for index in indices {
            let word = words.next().and_then(|word| std::str::from_utf8(word).ok());
            let Some(number) = word.and_then(|word| word.parse::<u64>().ok()) else { return false };
            match *index {
                IndexTerm::Num(wanted) if wanted == number => {}
                IndexTerm::Numeral(slot) if number >= 1 => self.slots.slots[slot] = Slot::Number(number),
                _ => return false,
            }
        }
        words.next().is_none()
    }

    fn arguments(&mut self, args: &[Arg], node: u32) -> bool {
        let base = self.slots.children.len();
        let children = self.formula.children(node);
        self.slots.children.extend(children);
        let count = self.slots.children.len() - base;
        let matched = self.distribute(args, base, count);
        self.slots.children.truncate(base);
        matched
    }

    /// Distributes the children among the arguments; those with dots take the rest.
    fn distribute(&mut self, args: &[Arg], base: usize, count: usize) -> bool {
        let mut dotted = args.iter().filter(|arg| arg.many).count();
        let Some(mut spare) = count.checked_sub(args.len() - dotted) else { return false };
        if dotted == 0 && spare > 0 {
            return false;
        }
        let mut at = base;
        for arg in args {
            let taken = match (arg.many, dotted) {
                (false, _) => 1,
                (true, 1) => spare,
                (true, _) => self.rng.below(spare + 1),
            };
            if arg.many {
                (spare, dotted) = (spare - taken, dotted - 1);
                self.begin_lists(&arg.term);
            }
            for n in at..at + taken {
                let child = self.slots.children[n];
                if !self.term(&arg.term, child) {
                    return false;
                }
            }
            at += taken;
        }
        true
    }

    /// Dots may match no terms at all.
    fn begin_lists(&mut self, term: &Term) {
        if let Term::Var(slot) = term {
            self.slots.slots[*slot] = Slot::List;
        }
    }

    /// Matches a quantifier over one variable that occurs only where the rule says.
    fn bind(&mut self, quantifier: Quantifier, var: usize, body: &Term, node: u32) -> bool {
        let here = &self.formula.nodes[node as usize];
        let [(name, sort)] = (self.binders)(here.binders) else { return false };
        if here.op != op_of(quantifier)
            || sort_of(self.rule.vars[var].sort, &self.instance.sorts) != Some(*sort)
        {
            return false;
        }
        self.slots.slots[var] = Slot::Bound(node);
        if !self.term(body, node + 1) {
            return false;
        }
        // The quantifier is removed, so no remaining term may use its variable or be under a further binder.
        self.slots.slots.iter().all(|slot| match slot {
            Slot::Node(node) => {
                let size = self.formula.nodes[*node as usize].size;
                (*node..*node + size).all(|inner| {
                    let op = self.formula.nodes[inner as usize].op;
                    !(heads::binds(op) || op == heads::VARIABLE && *self.formula.text(inner) == **name)
                })
            }
            _ => true,
        })
    }

    /// A subterm that may be abstracted: there is no binder and no language above it.
    fn place(&mut self, root: u32) -> Option<u32> {
        let nodes = &self.formula.nodes;
        let size = nodes[root as usize].size;
        for _ in 0..4 {
            let place = root + self.rng.below(size as usize) as u32;
            let here = &nodes[place as usize];
            let mut at = root;
            let mut open = place != root && !here.fixed && self.is_abstractable(place);
            while open && at != place {
                open = !heads::binds(nodes[at as usize].op) && nodes[at as usize].sort != SortId::REGLAN;
                open &= nodes[at as usize].op != heads::ANNOTATION;
                at = self.formula.children(at).find(|&child| child + nodes[child as usize].size > place)?;
            }
            if open {
                return Some(place);
            }
        }
        None
    }

    /// Whether a variable may replace it. In a linear logic a number is not replaced, because it may be a coefficient.
    fn is_abstractable(&self, place: u32) -> bool {
        let here = &self.formula.nodes[place as usize];
        let inner = &self.formula.nodes[place as usize..(place + here.size) as usize];
        let numeric = here.sort == SortId::INT || here.sort == SortId::REAL;
        let is_number = !inner.iter().any(|node| matches!(node.op, heads::VARIABLE | heads::FUNCTION));
        here.sort != SortId::REGLAN
            && self.ground.sort_texts.contains_key(&here.sort)
            && !(numeric && is_number && self.ground.places.logic.is_linear())
    }

    /// A literal that is already in the formula must satisfy the condition too.
    fn condition_holds(&self) -> bool {
        let (Some((_, slot)), Some(allowed)) = (&self.rule.condition, &self.instance.allowed) else {
            return true;
        };
        let Slot::Node(node) = self.slots.slots[*slot] else { return true };
        let text = self.formula.text(node);
        let literals = self.ground.literals.get(&self.formula.nodes[node as usize].sort);
        literals.is_some_and(|list| allowed.iter().any(|&n| *list[n as usize].text == *text))
    }
}

fn op_of(quantifier: Quantifier) -> u16 {
    match quantifier {
        Quantifier::Forall => heads::FORALL,
        _ => heads::EXISTS,
    }
}
