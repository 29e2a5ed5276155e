//! Terms: hash-consed nodes in one arena per script.
//!
//! A `Pool` owns everything that a script's terms refer to: symbols, sorts, declarations and nodes. A node is a kind,
//! a sort and a slice of arguments; equal nodes are one `TermId`. Terms are typed by construction: a node can only be
//! made together with its sort. Bound variables are kept by name and `let` as written, so printing reproduces the
//! source. Dropping a pool drops a few vectors, however deep its terms are.

use crate::sort::{Sort, SortDeclId, SortId};
use crate::span::Span;
use crate::symbol::{Symbol, Symbols};
use crate::theory::OpId;
use hashbrown::{HashMap, HashTable};
use rustc_hash::{FxBuildHasher, FxHasher};
use std::hash::{Hash, Hasher};

/// An interned term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// A declared or defined function, constructor, selector or `:named` term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeclId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lit {
    Numeral,
    Decimal,
    Hex,
    Binary,
    /// The symbol holds the text between the quotes, as written.
    String,
    /// `(_ bv13 8)`: the symbol holds the digits.
    BvDecimal,
    /// `(_ char #x41)` (z3): the symbol holds the hexadecimal literal.
    Char,
    /// `#f3m7` (cvc5) or `(as ff3 (_ FiniteField 7))`: the symbol holds the value in decimal.
    Field,
    /// `(as @a0 U)`: a value of a declared sort that has no other name.
    Abstract,
    /// An irrational algebraic number as solvers print it in models: `(root-obj …)` (z3) or
    /// `(_ real_algebraic_number …)` (cvc5). The symbol holds all of it as written.
    Algebraic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    Forall,
    Exists,
    Lambda,
    /// Hilbert's choice, `(choice ((x S)) body)`; cvc5 calls it `witness`.
    Choice,
    /// `(set.comprehension ((x S)) guard term)` (cvc5).
    Comprehension,
}

impl Quantifier {
    pub fn name(self) -> &'static str {
        match self {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
            Quantifier::Lambda => "lambda",
            Quantifier::Choice => "choice",
            Quantifier::Comprehension => "set.comprehension",
        }
    }
}

/// Which spelling of an operator the source used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    Canonical,
    /// The n-th name in the row's list of aliases.
    Alias(u8),
    /// A conversion that the source left out (an Int where a Real is expected); it is printed as its argument.
    Implicit,
}

/// The list of indices of an indexed operator, interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IndicesId(pub u32);

impl IndicesId {
    pub const NONE: IndicesId = IndicesId(0);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Index {
    /// A numeral that fits 64 bits.
    Num(u64),
    /// Anything else, as written.
    Text(Symbol),
    /// A function of the script, such as the `f` of `(_ map f)`.
    Fun(DeclId),
    /// An operator of a theory, such as the `and` of `(_ map and)`.
    Op(OpId),
}

/// A list of variables with their sorts, interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BindersId(pub u32);

/// The attributes of one `!`, interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttrsId(pub u32);

/// The patterns of one `match`, interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CasesId(pub u32);

/// The kind of a node. Its arguments are stored separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Lit(Lit, Symbol),
    /// A variable bound by a quantifier, a `let`, a `match` or a function definition.
    Var(Symbol),
    /// An operator of a theory. The flag says that the source wrote `(as name Sort)`.
    Op {
        op: OpId,
        spelling: Spelling,
        indices: IndicesId,
        qualified: bool,
    },
    /// A function of the script. The flag says that the source wrote `(as name Sort)`.
    Fun {
        decl: DeclId,
        qualified: bool,
    },
    /// `(_ is c)`; the flag says that the source wrote `is-c`.
    Tester {
        constructor: DeclId,
        dashed: bool,
    },
    /// `(_ update s)`.
    Updater {
        selector: DeclId,
    },
    /// Arguments: the values, then the body.
    Let(BindersId),
    /// Arguments: the body (a comprehension: the guard, then the term).
    Quant(Quantifier, BindersId),
    /// Arguments: the scrutinee, then one body per case.
    Match(CasesId),
    /// Arguments: the term, then the terms of all `:pattern` attributes in order.
    Annot(AttrsId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttrValue {
    None,
    /// `:named`: the name that the term gets.
    Name(DeclId),
    /// `:pattern` and `:no-pattern`: how many of the node's arguments belong to it; the flag says whether they were
    /// written between parentheses.
    Terms(u32, bool),
    /// Anything else, as written.
    Text(Symbol),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attr {
    /// With the colon.
    pub key: Symbol,
    pub value: AttrValue,
}

/// The pattern of a `match` case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// `None` for a variable that matches everything.
    pub constructor: Option<DeclId>,
    /// The variables it binds with their sorts.
    pub vars: Box<[(Symbol, SortId)]>,
}

/// A function of the script.
#[derive(Clone, Debug)]
pub struct Decl {
    pub name: Symbol,
    /// Sort parameters, for members of parametric datatypes.
    pub sort_params: Box<[Symbol]>,
    pub params: Box<[SortId]>,
    pub result: SortId,
    pub role: Role,
    pub span: Span,
    /// Whether it exists in one model only: no term of the script and no other model can refer to it.
    pub of_model: bool,
}

#[derive(Clone, Debug)]
pub enum Role {
    Declared,
    /// `define-fun` and related commands: the parameters' names and the body. The body of a recursive function is set
    /// after its declaration.
    Defined {
        vars: BindersId,
        body: TermId,
        recursive: bool,
    },
    /// A `:named` term.
    Named(TermId),
    Constructor {
        datatype: SortDeclId,
        index: u32,
    },
    Selector {
        datatype: SortDeclId,
        constructor: DeclId,
        field: u32,
    },
}

/// A sort symbol of the script.
#[derive(Clone, Debug)]
pub struct SortDecl {
    pub name: Symbol,
    pub arity: u32,
    pub datatype: Option<Datatype>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Datatype {
    pub params: Box<[Symbol]>,
    pub constructors: Vec<Constructor>,
    /// cvc5's `declare-codatatypes`: values may be infinite.
    pub coinductive: bool,
}

#[derive(Clone, Debug)]
pub struct Constructor {
    pub decl: DeclId,
    pub selectors: Box<[DeclId]>,
}

#[derive(Clone, Copy)]
struct Node {
    kind: Kind,
    sort: SortId,
    first: u32,
    count: u32,
}

/// The size of a sort with abbreviations expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SortSize {
    pub parts: u32,
    pub depth: u32,
}

impl SortSize {
    fn or(self, other: SortSize) -> SortSize {
        SortSize { parts: self.parts.max(other.parts), depth: self.depth.max(other.depth) }
    }
}

/// Everything the terms of one script refer to.
#[derive(Clone)]
pub struct Pool {
    pub symbols: Symbols,
    sorts: Vec<Sort>,
    sort_ids: HashMap<Sort, SortId, FxBuildHasher>,
    sort_sizes: Vec<SortSize>,
    largest_sort: SortSize,
    /// Whether z3's finite sets occur: then `set.singleton` and similar operators mean those, not cvc5's sets.
    finite_sets: bool,
    pub sort_decls: Vec<SortDecl>,
    pub decls: Vec<Decl>,
    nodes: Vec<Node>,
    args: Vec<TermId>,
    table: HashTable<u32>,
    indices: Interned<Box<[Index]>>,
    binders: Interned<Box<[(Symbol, SortId)]>>,
    attrs: Interned<Box<[Attr]>>,
    cases: Interned<Box<[Case]>>,
}

/// Lists that are stored once and identified by a number.
#[derive(Clone)]
struct Interned<T> {
    items: Vec<T>,
    ids: HashMap<T, u32, FxBuildHasher>,
}

impl<T: Clone + Eq + Hash> Interned<T> {
    fn new() -> Interned<T> {
        Interned { items: vec![], ids: HashMap::default() }
    }

    fn intern(&mut self, item: T) -> u32 {
        if let Some(&id) = self.ids.get(&item) {
            return id;
        }
        let id = self.items.len() as u32;
        self.items.push(item.clone());
        self.ids.insert(item, id);
        id
    }
}

impl Default for Pool {
    fn default() -> Pool {
        Pool::new()
    }
}

impl Pool {
    pub fn new() -> Pool {
        Pool::for_source(0)
    }

    /// A pool with the capacity that a source of this many bytes usually needs: in real files a node every ten bytes
    /// and a new name every twenty. It grows if that is too little. For long files less is allocated, because they
    /// repeat themselves more.
    pub fn for_source(bytes: usize) -> Pool {
        let bytes = bytes.min(1 << 16);
        let mut pool = Pool {
            symbols: Symbols::with_capacity(bytes / 20, bytes / 4),
            sorts: vec![],
            sort_ids: HashMap::default(),
            sort_sizes: vec![],
            largest_sort: SortSize::default(),
            finite_sets: false,
            sort_decls: vec![],
            decls: vec![],
            nodes: Vec::with_capacity(bytes / 10),
            args: Vec::with_capacity(bytes / 8),
            table: HashTable::with_capacity(bytes / 10),
            indices: Interned::new(),
            binders: Interned::new(),
            attrs: Interned::new(),
            cases: Interned::new(),
        };
        for sort in [Sort::Bool, Sort::Int, Sort::Real, Sort::String, Sort::RegLan, Sort::RoundingMode] {
            pool.sort_id(sort);
        }
        pool.indices(Box::new([]));
        pool
    }

    // Names.

    pub fn symbol(&mut self, text: &[u8]) -> Symbol {
        self.symbols.intern(text).0
    }

    pub fn bytes(&self, symbol: Symbol) -> &[u8] {
        self.symbols.bytes(symbol)
    }

    /// A symbol's text for messages and look-ups. Names are UTF-8; other texts are converted with replacement
    /// characters.
    pub fn name(&self, symbol: Symbol) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.symbols.bytes(symbol))
    }

    // Sorts.

    pub fn sort_id(&mut self, sort: Sort) -> SortId {
        if let Some(&id) = self.sort_ids.get(&sort) {
            return id;
        }
        let id = SortId(self.sorts.len() as u32);
        self.finite_sets |= matches!(sort, Sort::FiniteSet(_));
        let size = self.sort_size(&sort);
        self.sort_sizes.push(size);
        self.largest_sort = self.largest_sort.or(size);
        self.sorts.push(sort.clone());
        self.sort_ids.insert(sort, id);
        id
    }

    fn sort_size(&self, sort: &Sort) -> SortSize {
        let mut size = SortSize { parts: 1, depth: 1 };
        for part in sort.parts() {
            let part = self.sort_sizes[part.0 as usize];
            size.parts = size.parts.saturating_add(part.parts);
            size.depth = size.depth.max(part.depth + 1);
        }
        size
    }

    /// The maximum number of parts and the maximum depth of any sort with abbreviations expanded. Nested abbreviations
    /// can make a sort of few bytes arbitrarily large, and nested operators can make one arbitrarily deep.
    pub fn largest_sort(&self) -> SortSize {
        self.largest_sort
    }

    /// The id of an existing sort.
    pub fn find_sort(&self, sort: &Sort) -> Option<SortId> {
        self.sort_ids.get(sort).copied()
    }

    /// Replaces sort parameters, if every resulting sort already exists.
    pub fn instance(&self, sort: SortId, from: &[Symbol], to: &[SortId]) -> Option<SortId> {
        if from.is_empty() {
            return Some(sort);
        }
        let one = |s: SortId| self.instance(s, from, to);
        let list = |sorts: &[SortId]| -> Option<Box<[SortId]>> { sorts.iter().map(|&s| one(s)).collect() };
        let replaced = match self.sort(sort) {
            Sort::Param(name) => {
                return from.iter().position(|p| p == name).map_or(Some(sort), |i| to.get(i).copied());
            }
            Sort::Array(index, element) => Sort::Array(one(*index)?, one(*element)?),
            Sort::Seq(s) => Sort::Seq(one(*s)?),
            Sort::Set(s) => Sort::Set(one(*s)?),
            Sort::FiniteSet(s) => Sort::FiniteSet(one(*s)?),
            Sort::Bag(s) => Sort::Bag(one(*s)?),
            Sort::Nullable(s) => Sort::Nullable(one(*s)?),
            Sort::MultiArray(sorts) => Sort::MultiArray(list(sorts)?),
            Sort::Tuple(sorts) => Sort::Tuple(list(sorts)?),
            Sort::Fun(sorts) => Sort::Fun(list(sorts)?),
            Sort::Declared(decl, sorts) => Sort::Declared(*decl, list(sorts)?),
            _ => return Some(sort),
        };
        self.find_sort(&replaced)
    }

    pub fn sort(&self, id: SortId) -> &Sort {
        &self.sorts[id.0 as usize]
    }

    pub fn has_finite_sets(&self) -> bool {
        self.finite_sets
    }

    pub fn bitvec(&mut self, width: u32) -> SortId {
        self.sort_id(Sort::BitVec(width))
    }

    pub fn sort_decl(&self, id: SortDeclId) -> &SortDecl {
        &self.sort_decls[id.0 as usize]
    }

    /// The datatype of a sort, if it is one.
    pub fn datatype(&self, sort: SortId) -> Option<(&Datatype, &[SortId])> {
        match self.sort(sort) {
            Sort::Declared(decl, args) => Some((self.sort_decl(*decl).datatype.as_ref()?, args)),
            _ => None,
        }
    }

    /// Replaces sort parameters.
    pub fn substitute_sort(&mut self, sort: SortId, from: &[Symbol], to: &[SortId]) -> SortId {
        if from.is_empty() {
            return sort;
        }
        let list = |pool: &mut Pool, sorts: &[SortId]| -> Box<[SortId]> {
            sorts.iter().map(|&s| pool.substitute_sort(s, from, to)).collect()
        };
        let replaced = match self.sort(sort).clone() {
            Sort::Param(name) => return from.iter().position(|&p| p == name).map_or(sort, |i| to[i]),
            Sort::Array(index, element) => {
                let pair = list(self, &[index, element]);
                Sort::Array(pair[0], pair[1])
            }
            Sort::Seq(s) => Sort::Seq(self.substitute_sort(s, from, to)),
            Sort::Set(s) => Sort::Set(self.substitute_sort(s, from, to)),
            Sort::FiniteSet(s) => Sort::FiniteSet(self.substitute_sort(s, from, to)),
            Sort::Bag(s) => Sort::Bag(self.substitute_sort(s, from, to)),
            Sort::Nullable(s) => Sort::Nullable(self.substitute_sort(s, from, to)),
            Sort::MultiArray(sorts) => Sort::MultiArray(list(self, &sorts)),
            Sort::Tuple(sorts) => Sort::Tuple(list(self, &sorts)),
            Sort::Fun(sorts) => Sort::Fun(list(self, &sorts)),
            Sort::Declared(decl, sorts) => Sort::Declared(decl, list(self, &sorts)),
            _ => return sort,
        };
        self.sort_id(replaced)
    }

    // Declarations.

    pub fn add_decl(&mut self, decl: Decl) -> DeclId {
        self.decls.push(decl);
        DeclId(self.decls.len() as u32 - 1)
    }

    pub fn decl(&self, id: DeclId) -> &Decl {
        &self.decls[id.0 as usize]
    }

    // Lists.

    pub fn indices(&mut self, indices: Box<[Index]>) -> IndicesId {
        IndicesId(self.indices.intern(indices))
    }

    pub fn index_list(&self, id: IndicesId) -> &[Index] {
        &self.indices.items[id.0 as usize]
    }

    pub fn binders(&mut self, vars: Box<[(Symbol, SortId)]>) -> BindersId {
        BindersId(self.binders.intern(vars))
    }

    pub fn binder_list(&self, id: BindersId) -> &[(Symbol, SortId)] {
        &self.binders.items[id.0 as usize]
    }

    pub fn attrs(&mut self, attrs: Box<[Attr]>) -> AttrsId {
        AttrsId(self.attrs.intern(attrs))
    }

    pub fn attr_list(&self, id: AttrsId) -> &[Attr] {
        &self.attrs.items[id.0 as usize]
    }

    pub fn cases(&mut self, cases: Box<[Case]>) -> CasesId {
        CasesId(self.cases.intern(cases))
    }

    pub fn case_list(&self, id: CasesId) -> &[Case] {
        &self.cases.items[id.0 as usize]
    }

    // Terms.

    /// The term with this kind, sort and arguments. The caller is responsible for the sort.
    pub fn term(&mut self, kind: Kind, sort: SortId, args: &[TermId]) -> TermId {
        let Pool { nodes, args: all, table, .. } = self;
        let hash = hash_node(&kind, sort, args);
        let same = |&id: &u32| {
            let node = &nodes[id as usize];
            node.kind == kind && node.sort == sort && slice(all, node) == args
        };
        if let Some(&id) = table.find(hash, same) {
            return TermId(id);
        }
        let id = nodes.len() as u32;
        let first = all.len() as u32;
        all.extend_from_slice(args);
        nodes.push(Node { kind, sort, first, count: args.len() as u32 });
        table.insert_unique(hash, id, |&id| {
            let node = &nodes[id as usize];
            hash_node(&node.kind, node.sort, slice(all, node))
        });
        TermId(id)
    }

    pub fn kind(&self, term: TermId) -> Kind {
        self.nodes[term.0 as usize].kind
    }

    pub fn sort_of(&self, term: TermId) -> SortId {
        self.nodes[term.0 as usize].sort
    }

    pub fn args(&self, term: TermId) -> &[TermId] {
        slice(&self.args, &self.nodes[term.0 as usize])
    }

    /// The number of distinct terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Every distinct subterm, each once, arguments before the terms that use them.
    pub fn subterms(&self, root: TermId) -> Vec<TermId> {
        let mut seen = vec![false; root.0 as usize + 1];
        let mut order = vec![];
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !std::mem::replace(&mut seen[term.0 as usize], true) {
                order.push(term);
                stack.extend_from_slice(self.args(term));
            }
        }
        // A node is made after its arguments, so its number is larger than theirs.
        order.sort_unstable();
        order
    }

    /// The number of nodes that a term has when it is written, where shared parts stand as often as they are used; the
    /// largest number if there are more.
    pub fn written_nodes(&self, root: TermId) -> u64 {
        let order = self.subterms(root);
        let mut nodes: Vec<u64> = Vec::with_capacity(order.len());
        for &term in &order {
            let of = |arg: &TermId| order.binary_search(arg).map_or(0, |at| nodes[at]);
            let below = self.args(term).iter().map(of).fold(0, u64::saturating_add);
            nodes.push(below.saturating_add(1));
        }
        nodes.last().copied().unwrap_or(0)
    }

    pub fn bool_literal(&mut self, value: bool) -> TermId {
        let op = crate::theory::constant(if value { "true" } else { "false" });
        let kind = Kind::Op { op, spelling: Spelling::Canonical, indices: IndicesId::NONE, qualified: false };
        self.term(kind, SortId::BOOL, &[])
    }
}

fn slice<'a>(args: &'a [TermId], node: &Node) -> &'a [TermId] {
    &args[node.first as usize..(node.first + node.count) as usize]
}

fn hash_node(kind: &Kind, sort: SortId, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    kind.hash(&mut hasher);
    hasher.write_u32(sort.0);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    hasher.finish()
}
