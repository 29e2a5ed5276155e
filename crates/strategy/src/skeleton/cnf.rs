//! Conjunctive normal form by Tseitin's transformation: a script whose assertions are clauses.
//!
//! In: a seed. Out: its text with every assertion replaced by clauses over its atoms and fresh constants, one constant
//! per connective, so that the text grows by a constant factor. The script has the same answers: the clauses define
//! the new constants, and every model of one script gives a model of the other.
//!
//! Atoms are the formulas that are not connectives: comparisons, applications, quantifiers. They are copied unchanged,
//! except for variables of a `let` around them. Such a `let` disappears with the connectives, and its variables are
//! replaced: a value that is a formula becomes a literal, any other value a defined constant. A script that mentions a
//! `:named` term is refused; other names are dropped, because a clause may occur twice and would define its name
//! twice.

use crate::Prepared;
use crate::mutant::donors::prefix;
use crate::mutant::places::bound_by;
use rustc_hash::FxHashMap;
use smtlib::printer::sort_text;
use smtlib::script::Command;
use smtlib::term::{Kind, Role};
use smtlib::{Pool, SortId};

/// Formulas that are nested deeper are treated as atoms.
const DEPTH: usize = 200;
/// Longer scripts are refused.
const BYTES: usize = 200_000;

/// The script in conjunctive normal form; `None` if there is none.
pub fn of(prepared: &Prepared) -> Option<Vec<u8>> {
    let printed = &prepared.printed;
    let pool = &prepared.script.pool;
    let mentions_name = printed.occurrences.iter().any(|occurrence| match pool.kind(occurrence.term) {
        Kind::Fun { decl, .. } => matches!(pool.decl(decl).role, Role::Named(_)),
        _ => false,
    });
    if mentions_name || printed.bytes.len() > BYTES {
        return None;
    }
    let mut encoder = Encoder::new(prepared);
    let head = printed.commands.first().map_or(0, |&start| start as usize);
    let mut out = printed.bytes[..head].to_vec();
    let mut root = 0;
    for (n, command) in prepared.script.commands.iter().enumerate() {
        let start = printed.commands[n] as usize;
        let end = printed.commands.get(n + 1).map_or(printed.bytes.len(), |&next| next as usize);
        while root < printed.occurrences.len() && (printed.occurrences[root].command as usize) < n {
            root += 1;
        }
        match command {
            Command::Assert(_) => encoder.assertion(root, &mut out),
            _ => out.extend_from_slice(&printed.bytes[start..end]),
        }
    }
    Some(out)
}

/// An atom or a fresh constant, with its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Literal {
    atom: Atom,
    negative: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Atom {
    /// An occurrence of a term.
    Term(u32),
    /// A fresh constant.
    Fresh(u32),
    True,
}

impl Literal {
    fn new(atom: Atom) -> Literal {
        Literal { atom, negative: false }
    }

    fn not(self) -> Literal {
        Literal { negative: !self.negative, ..self }
    }
}

struct Encoder<'a> {
    prepared: &'a Prepared,
    pool: &'a Pool,
    children: Vec<Vec<u32>>,
    prefix: String,
    fresh: u32,
    /// The replacement for the n-th variable of a removed `let`.
    values: FxHashMap<(u32, u32), Literal>,
    /// Declarations and definitions of the current assertion.
    declared: Vec<u8>,
    clauses: Vec<Vec<Literal>>,
}

impl<'a> Encoder<'a> {
    fn new(prepared: &'a Prepared) -> Encoder<'a> {
        let occurrences = &prepared.printed.occurrences;
        let mut children = vec![vec![]; occurrences.len()];
        for (n, occurrence) in occurrences.iter().enumerate() {
            if let Some(list) = children.get_mut(occurrence.parent as usize) {
                list.push(n as u32);
            }
        }
        Encoder {
            prepared,
            pool: &prepared.script.pool,
            children,
            prefix: prefix(&prepared.script.pool),
            fresh: 0,
            values: FxHashMap::default(),
            declared: vec![],
            clauses: vec![],
        }
    }

    fn assertion(&mut self, root: usize, out: &mut Vec<u8>) {
        self.top(root as u32, 0);
        out.append(&mut self.declared);
        for clause in std::mem::take(&mut self.clauses) {
            out.extend_from_slice(b"(assert ");
            match clause[..] {
                [] => out.extend_from_slice(b"false"),
                [only] => self.write(only, out),
                _ => {
                    out.extend_from_slice(b"(or");
                    for literal in clause {
                        out.push(b' ');
                        self.write(literal, out);
                    }
                    out.push(b')');
                }
            }
            out.extend_from_slice(b")\n");
        }
    }

    /// A formula that is asserted: its conjuncts become separate clauses.
    fn top(&mut self, node: u32, depth: usize) {
        let node = self.bare(node, depth);
        let args = self.children[node as usize].clone();
        match self.connective(node) {
            Some("and") if depth < DEPTH => args.iter().for_each(|&arg| self.top(arg, depth + 1)),
            Some("or") => {
                let clause = args.iter().map(|&arg| self.literal(arg, depth + 1)).collect();
                self.clause(clause);
            }
            Some("=>") => {
                let mut clause: Vec<Literal> =
                    args.iter().map(|&arg| self.literal(arg, depth + 1).not()).collect();
                if let Some(last) = clause.last_mut() {
                    *last = last.not();
                }
                self.clause(clause);
            }
            _ => {
                let literal = self.literal(node, depth);
                self.clause(vec![literal]);
            }
        }
    }

    fn clause(&mut self, mut clause: Vec<Literal>) {
        let truth = Literal::new(Atom::True);
        if !clause.contains(&truth) {
            clause.retain(|literal| *literal != truth.not());
            self.clauses.push(clause);
        }
    }

    /// The term below annotations and below `let`s, whose values become constants here.
    fn bare(&mut self, mut node: u32, depth: usize) -> u32 {
        loop {
            let children = &self.children[node as usize];
            match self.pool.kind(self.term(node)) {
                Kind::Annot(_) => node = children[0],
                Kind::Let(binders) if self.can_go(node) => {
                    let sorts: Vec<SortId> =
                        self.pool.binder_list(binders).iter().map(|&(_, sort)| sort).collect();
                    let children = children.clone();
                    for (n, &sort) in sorts.iter().enumerate() {
                        let value = self.constant(children[n], sort, depth);
                        self.values.insert((node, n as u32), value);
                    }
                    node = children[sorts.len()];
                }
                _ => return node,
            }
        }
    }

    /// Whether constants can replace the variables of a `let`. No solver has constants of language sorts.
    fn can_go(&self, node: u32) -> bool {
        let Kind::Let(binders) = self.pool.kind(self.term(node)) else { return false };
        let named =
            |sort: SortId| sort != SortId::REGLAN && !matches!(self.pool.sort(sort), smtlib::Sort::Fun(_));
        self.pool.binder_list(binders).iter().all(|&(_, sort)| named(sort))
    }

    /// A fresh constant for the value of a `let`.
    fn constant(&mut self, node: u32, sort: SortId, depth: usize) -> Literal {
        if sort == SortId::BOOL {
            let value = self.literal(node, depth + 1);
            let name = self.declare();
            self.clause(vec![name.not(), value]);
            self.clause(vec![name, value.not()]);
            return name;
        }
        let mut value = vec![];
        self.copy(node, &mut value);
        self.fresh += 1;
        let head = format!("(define-fun {}{} () {} ", self.prefix, self.fresh, sort_text(self.pool, sort));
        for part in [head.as_bytes(), &value, b")\n"] {
            self.declared.extend_from_slice(part);
        }
        Literal::new(Atom::Fresh(self.fresh))
    }

    fn declare(&mut self) -> Literal {
        self.fresh += 1;
        self.declared
            .extend_from_slice(format!("(declare-const {}{} Bool)\n", self.prefix, self.fresh).as_bytes());
        Literal::new(Atom::Fresh(self.fresh))
    }

    fn term(&self, node: u32) -> smtlib::TermId {
        self.prepared.printed.occurrences[node as usize].term
    }

    /// The name of a connective over formulas.
    fn connective(&self, node: u32) -> Option<&'static str> {
        let Kind::Op { op, .. } = self.pool.kind(self.term(node)) else { return None };
        let args = self.pool.args(self.term(node));
        let formulas = args.iter().all(|&arg| self.pool.sort_of(arg) == SortId::BOOL);
        let name = op.row().name;
        let known = match name {
            "not" | "and" | "or" | "=>" => true,
            "xor" | "=" | "distinct" => args.len() == 2,
            "ite" => args.len() == 3,
            "true" | "false" => true,
            _ => false,
        };
        (known && formulas).then_some(name)
    }

    /// A literal that is true if and only if the formula is.
    fn literal(&mut self, node: u32, depth: usize) -> Literal {
        if depth > DEPTH {
            return Literal::new(Atom::Term(node));
        }
        let node = self.bare(node, depth);
        if let Some(value) = self.value(node) {
            return value;
        }
        let Some(name) = self.connective(node) else { return Literal::new(Atom::Term(node)) };
        let args: Vec<u32> = self.children[node as usize].clone();
        let literals: Vec<Literal> = args.iter().map(|&arg| self.literal(arg, depth + 1)).collect();
        match (name, &literals[..]) {
            ("true", _) => Literal::new(Atom::True),
            ("false", _) => Literal::new(Atom::True).not(),
            ("not", [only]) => only.not(),
            ("and", _) => self.conjunction(&literals),
            ("or", _) => self.conjunction(&negated(&literals)).not(),
            ("=>", [premises @ .., conclusion]) => {
                let parts: Vec<Literal> = premises.iter().copied().chain([conclusion.not()]).collect();
                self.conjunction(&parts).not()
            }
            ("=", &[a, b]) => self.exclusive(a, b).not(),
            ("xor" | "distinct", &[a, b]) => self.exclusive(a, b),
            ("ite", &[c, a, b]) => self.choice(c, a, b),
            _ => Literal::new(Atom::Term(node)),
        }
    }

    fn conjunction(&mut self, literals: &[Literal]) -> Literal {
        let whole = self.declare();
        for &literal in literals {
            self.clause(vec![whole.not(), literal]);
        }
        self.clause([whole].into_iter().chain(negated(literals)).collect());
        whole
    }

    fn exclusive(&mut self, a: Literal, b: Literal) -> Literal {
        let whole = self.declare();
        for clause in
            [[whole.not(), a, b], [whole.not(), a.not(), b.not()], [whole, a.not(), b], [whole, a, b.not()]]
        {
            self.clause(clause.to_vec());
        }
        whole
    }

    fn choice(&mut self, c: Literal, a: Literal, b: Literal) -> Literal {
        let whole = self.declare();
        for clause in
            [[whole.not(), c.not(), a], [whole.not(), c, b], [whole, c.not(), a.not()], [whole, c, b.not()]]
        {
            self.clause(clause.to_vec());
        }
        whole
    }

    // Text.

    /// The replacement of a variable, if its `let` was removed.
    fn value(&self, node: u32) -> Option<Literal> {
        let Kind::Var(name) = self.pool.kind(self.term(node)) else { return None };
        let occurrences = &self.prepared.printed.occurrences;
        let mut at = &occurrences[node as usize];
        while let Some(parent) = occurrences.get(at.parent as usize) {
            let bound = bound_by(self.pool, parent.term, at.argument);
            if let Some(n) = bound.and_then(|(_, vars)| vars.iter().rposition(|&(var, _)| var == name)) {
                return self.values.get(&(at.parent, n as u32)).copied();
            }
            at = parent;
        }
        None
    }

    fn write(&self, literal: Literal, out: &mut Vec<u8>) {
        let negative = literal.negative && literal.atom != Atom::True;
        if negative {
            out.extend_from_slice(b"(not ");
        }
        match literal.atom {
            Atom::Term(node) => self.copy(node, out),
            Atom::Fresh(n) => out.extend_from_slice(format!("{}{n}", self.prefix).as_bytes()),
            Atom::True => out.extend_from_slice(if literal.negative { b"false" } else { b"true" }),
        }
        if negative {
            out.push(b')');
        }
    }

    /// A term as it is written, with constants for variables of removed `let`s.
    fn copy(&self, node: u32, out: &mut Vec<u8>) {
        let printed = &self.prepared.printed;
        let whole = printed.occurrences[node as usize];
        let mut at = whole.start;
        for (n, occurrence) in printed.occurrences.iter().enumerate().skip(node as usize) {
            if occurrence.start >= whole.end {
                break;
            }
            if let Some(value) = self.value(n as u32) {
                out.extend_from_slice(&printed.bytes[at as usize..occurrence.start as usize]);
                self.write(value, out);
                at = occurrence.end;
            }
        }
        out.extend_from_slice(&printed.bytes[at as usize..whole.end as usize]);
    }
}

fn negated(literals: &[Literal]) -> Vec<Literal> {
    literals.iter().map(|literal| literal.not()).collect()
}
