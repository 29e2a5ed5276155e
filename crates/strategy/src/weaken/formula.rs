//! A script during a chain of changes: its bytes, and its terms as one flat list in the order of the text.
//!
//! A term's subterms follow it directly, so a subterm is a slice of the list and a range of the bytes. Replacing one
//! splices both; nothing is parsed or printed again, however long the chain of changes. Nodes have their sort, their
//! scope and their operator; their context is found by walking down from the root.

use super::heads;
use super::parity::{Parity, variance};
use crate::Prepared;
use crate::mutant::places::Places;
use rustc_hash::FxHashSet;
use smtlib::SortId;
use smtlib::script::{Command, DefineForm};
use smtlib::term::{AttrValue, DeclId, Kind, Quantifier, Role};

/// An occurrence of a term.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub start: u32,
    pub len: u32,
    /// Where its operator or name is, from `start`.
    pub head: u32,
    pub head_len: u32,
    /// How many nodes it and its subterms have.
    pub size: u32,
    pub sort: SortId,
    pub command: u32,
    /// Its environment among those of the seed's places.
    pub env: u32,
    /// A quantifier: its list of variables.
    pub binders: u32,
    pub op: u16,
    /// Whether it must not change.
    pub fixed: bool,
    /// Whether everything inside it has unknown parity.
    pub opaque: bool,
}

impl Node {
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }

    pub fn head_range(&self) -> std::ops::Range<usize> {
        let head = (self.start + self.head) as usize;
        head..head + self.head_len as usize
    }
}

/// The variables of a quantifier: names as written, and sorts.
pub type Binders = Box<[(Box<[u8]>, SortId)]>;

#[derive(Clone, Debug, Default)]
pub struct Formula {
    pub bytes: Vec<u8>,
    pub nodes: Vec<Node>,
    /// Where the names of logics are.
    pub logics: Vec<(u32, u32)>,
}

impl Formula {
    /// A seed, and the variables of its quantifiers.
    pub fn of(prepared: &Prepared, places: &Places) -> (Formula, Vec<Binders>) {
        let printed = &prepared.printed;
        let pool = &prepared.script.pool;
        let referenced = referenced_names(prepared);
        let mut binders = vec![];
        let mut nodes: Vec<Node> = Vec::with_capacity(printed.occurrences.len());
        for (n, occurrence) in printed.occurrences.iter().enumerate() {
            let kind = pool.kind(occurrence.term);
            let has_args = !pool.args(occurrence.term).is_empty();
            let mut node = Node {
                start: occurrence.start,
                len: occurrence.end - occurrence.start,
                head: occurrence.head_start - occurrence.start,
                head_len: occurrence.head_end - occurrence.head_start,
                size: 1,
                sort: pool.sort_of(occurrence.term),
                command: occurrence.command,
                env: places.env[n],
                binders: 0,
                op: head(pool, kind, has_args),
                fixed: places.frozen[n] || places.holds[n],
                opaque: false,
            };
            match kind {
                Kind::Quant(_, vars) => {
                    node.binders = binders.len() as u32;
                    binders.push(written(pool, pool.binder_list(vars)));
                }
                Kind::Annot(attrs) => {
                    let is_used = |value: &AttrValue| matches!(value, AttrValue::Name(decl) if referenced.contains(decl));
                    node.opaque = pool.attr_list(attrs).iter().any(|attr| is_used(&attr.value));
                    node.fixed = true;
                }
                _ => {}
            }
            let command = &prepared.script.commands[occurrence.command as usize];
            node.fixed |= !is_changeable(command);
            node.opaque |= occurrence.parent == u32::MAX && !matches!(command, Command::Assert(_));
            nodes.push(node);
        }
        for n in (0..nodes.len()).rev() {
            if let Some(parent) = nodes.get(printed.occurrences[n].parent as usize).map(|parent| parent.size)
            {
                nodes[printed.occurrences[n].parent as usize].size = parent + nodes[n].size;
            }
        }
        (Formula { bytes: printed.bytes.clone(), nodes, logics: places.logic_names.clone() }, binders)
    }

    /// Becomes a copy of another formula and reuses its own memory.
    pub fn copy_from(&mut self, other: &Formula) {
        self.bytes.clone_from(&other.bytes);
        self.nodes.clone_from(&other.nodes);
        self.logics.clone_from(&other.logics);
    }

    pub fn text(&self, node: u32) -> &[u8] {
        &self.bytes[self.nodes[node as usize].range()]
    }

    pub fn head(&self, node: u32) -> &[u8] {
        &self.bytes[self.nodes[node as usize].head_range()]
    }

    /// The arguments of a node.
    pub fn children(&self, node: u32) -> Children<'_> {
        let end = node + self.nodes[node as usize].size;
        Children { nodes: &self.nodes, at: node + 1, end }
    }

    /// The terms around a node, outermost first, and its parity.
    pub fn ancestors(&self, node: u32, found: &mut Vec<u32>) -> Parity {
        found.clear();
        let mut at = 0;
        while at + self.nodes[at as usize].size <= node {
            at += self.nodes[at as usize].size;
        }
        let mut parity = Parity::Positive;
        while at != node {
            let here = &self.nodes[at as usize];
            found.push(at);
            let (mut child, mut n) = (at + 1, 0);
            while child + self.nodes[child as usize].size <= node {
                child += self.nodes[child as usize].size;
                n += 1;
            }
            if here.opaque || parity == Parity::Unknown {
                parity = Parity::Unknown;
            } else {
                // The number of arguments matters only for operators that treat the last one differently.
                let last = child + self.nodes[child as usize].size == at + here.size;
                parity = parity.under(variance(here.op, n, if last { n + 1 } else { n + 2 }));
            }
            at = child;
        }
        if self.nodes[at as usize].opaque && found.is_empty() { Parity::Unknown } else { parity }
    }

    /// Replaces a node by a term, whose nodes begin at byte 0.
    pub fn replace(&mut self, node: u32, ancestors: &[u32], bytes: &[u8], nodes: &[Node]) {
        let old = self.nodes[node as usize];
        let (grown, more) =
            (bytes.len() as i64 - i64::from(old.len), nodes.len() as i64 - i64::from(old.size));
        let moved = |place: u32| (i64::from(place) + grown) as u32;
        self.bytes.splice(old.range(), bytes.iter().copied());
        for &ancestor in ancestors {
            let ancestor = &mut self.nodes[ancestor as usize];
            ancestor.len = moved(ancestor.len);
            ancestor.size = (i64::from(ancestor.size) + more) as u32;
        }
        let after = (node + old.size) as usize;
        self.nodes[after..].iter_mut().for_each(|later| later.start = moved(later.start));
        // What stands in the place of a definition's body is used where the body was used.
        let placed = nodes.iter().enumerate().map(|(n, new)| Node {
            start: new.start + old.start,
            opaque: new.opaque || (n == 0 && old.opaque),
            ..*new
        });
        self.nodes.splice(node as usize..after, placed);
        for (start, end) in &mut self.logics {
            if *start > old.start {
                (*start, *end) = (moved(*start), moved(*end));
            }
        }
    }
}

pub struct Children<'f> {
    nodes: &'f [Node],
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let at = self.at;
        (at < self.end).then(|| {
            self.at += self.nodes[at as usize].size;
            at
        })
    }
}

fn written(pool: &smtlib::Pool, vars: &[(smtlib::symbol::Symbol, SortId)]) -> Binders {
    let name = |symbol| {
        let mut name = vec![];
        smtlib::symbol::write_name(&mut name, pool.bytes(symbol));
        name.into_boxed_slice()
    };
    vars.iter().map(|&(symbol, sort)| (name(symbol), sort)).collect()
}

/// The `:named` terms that the script mentions elsewhere.
fn referenced_names(prepared: &Prepared) -> FxHashSet<DeclId> {
    let pool = &prepared.script.pool;
    let mut found = FxHashSet::default();
    for occurrence in &prepared.printed.occurrences {
        if let Kind::Fun { decl, .. } = pool.kind(occurrence.term)
            && matches!(pool.decl(decl).role, Role::Named(_))
        {
            found.insert(decl);
        }
    }
    found
}

/// Whether terms of a command may change. A recursive body may not: a change could make the recursion infinite.
fn is_changeable(command: &Command) -> bool {
    matches!(
        command,
        Command::Assert(_) | Command::DefineFun { form: DefineForm::Fun | DefineForm::Const, .. }
    )
}

fn head(pool: &smtlib::Pool, kind: Kind, has_args: bool) -> u16 {
    match kind {
        Kind::Lit(..) => heads::LITERAL,
        Kind::Var(_) => heads::VARIABLE,
        Kind::Op { qualified: true, .. } => heads::OTHER,
        Kind::Op { op, .. } => heads::of(op),
        Kind::Fun { decl, qualified } => match pool.decl(decl).role {
            Role::Constructor { .. } if has_args && !qualified && pool.decl(decl).sort_params.is_empty() => {
                heads::CONSTRUCTOR
            }
            _ => heads::FUNCTION,
        },
        Kind::Tester { .. } => heads::TESTER,
        Kind::Updater { .. } => heads::OTHER,
        Kind::Let(_) => heads::LET,
        Kind::Quant(Quantifier::Forall, _) => heads::FORALL,
        Kind::Quant(Quantifier::Exists, _) => heads::EXISTS,
        Kind::Quant(..) => heads::BINDER,
        Kind::Match(_) => heads::MATCH,
        Kind::Annot(_) => heads::ANNOTATION,
    }
}
