//! Random ground terms of a row: sorts for its patterns, boundary values for its arguments, sometimes a small term
//! instead of a value.

use smtlib::theory::row::{Cond, IndexVar};
use smtlib::theory::{Assoc, Num, Pat, Row};

#[derive(Clone, Debug, PartialEq)]
pub enum S {
    Bool,
    Int,
    Real,
    Str,
    Re,
    Rm,
    Char,
    Bv(u64),
    Fp(u64, u64),
    Array(Vec<S>),
    Seq(Box<S>),
    Set(Box<S>),
    FiniteSet(Box<S>),
    Bag(Box<S>),
    Nullable(Box<S>),
    Field(u64),
    Tuple(Vec<S>),
    Fun(Vec<S>),
    /// The datatype of [`PRELUDE`].
    Tree,
}

/// What terms of datatypes need.
pub const PRELUDE: &str = "(declare-datatypes ((Tree 0)) (((leaf) (single (item Int)) (node (left Tree) (mark Bool) (right Tree)))))\n";

impl S {
    pub fn text(&self) -> String {
        let list = |head: &str, sorts: &[S]| {
            let sorts: Vec<String> = sorts.iter().map(S::text).collect();
            format!("({head} {})", sorts.join(" "))
        };
        let one = |head: &str, sort: &S| list(head, std::slice::from_ref(sort));
        match self {
            S::Bool => "Bool".into(),
            S::Int => "Int".into(),
            S::Real => "Real".into(),
            S::Str => "String".into(),
            S::Re => "RegLan".into(),
            S::Rm => "RoundingMode".into(),
            S::Char => "Unicode".into(),
            S::Bv(w) => format!("(_ BitVec {w})"),
            S::Fp(e, s) => format!("(_ FloatingPoint {e} {s})"),
            S::Array(sorts) => list("Array", sorts),
            S::Seq(s) => one("Seq", s),
            S::Set(s) => one("Set", s),
            S::FiniteSet(s) => one("FiniteSet", s),
            S::Bag(s) => one("Bag", s),
            S::Nullable(s) => one("Nullable", s),
            S::Field(p) => format!("(_ FiniteField {p})"),
            S::Tuple(sorts) if sorts.is_empty() => "UnitTuple".into(),
            S::Tuple(sorts) => list("Tuple", sorts),
            S::Fun(sorts) => list("->", sorts),
            S::Tree => "Tree".into(),
        }
    }
}

pub struct Maker {
    state: u64,
    z3: bool,
    nums: [u64; 8],
    sorts: Vec<S>,
    field: u64,
    tuple: S,
    /// Numbers stay small, where a value's size grows with them.
    small: bool,
    /// The selector of an update.
    selector: &'static str,
}

impl Maker {
    pub fn new(key: u64, z3: bool) -> Maker {
        let state = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
        Maker {
            state,
            z3,
            nums: [0; 8],
            sorts: vec![],
            field: 7,
            tuple: S::Tuple(vec![]),
            small: false,
            selector: "",
        }
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        let n = self.below(from.len() as u64);
        from[n as usize].clone()
    }

    /// A term of the row, or nothing if it is of a kind that is not made here.
    pub fn term(&mut self, row: &Row) -> Option<String> {
        self.bind(row);
        let head = self.head(row)?;
        let mut count = row.args.len();
        if row.assoc != Assoc::Fixed {
            count = row.min.max(row.args.len()) + self.below(3) as usize;
        }
        if row.indices.last() == Some(&IndexVar::Rest) && row.name.starts_with("pb") {
            count = head.split_whitespace().count().saturating_sub(3).max(1);
        }
        let mut args = vec![];
        for n in 0..count {
            let sort = self.sort(row.arg_pattern(n, count))?;
            args.push(self.value(&sort, 0)?);
        }
        let term = if args.is_empty() { head } else { format!("({head} {})", args.join(" ")) };
        match self.sort(&row.result)? {
            S::Re => {
                let word = self.value(&S::Str, 0)?;
                Some(format!("(str.in_re {word} {term})"))
            }
            S::Fun(_) => None,
            _ => Some(term),
        }
    }

    fn bind(&mut self, row: &Row) {
        let grows = ["power", "range", "loop", "^", "pow2", "piand"];
        self.small = grows.iter().any(|end| row.name.ends_with(end));
        let is_float = row.theory == "FloatingPoint";
        for n in 0..8 {
            self.nums[n] = if is_float {
                self.pick(&[2, 3, 4, 5, 8, 11, 15, 24])
            } else {
                match self.below(4) {
                    0 => self.below(9),
                    1 => 1 + self.below(4),
                    2 => self.pick(&[1, 3, 4, 8, 16, 32, 33, 64, 65, 70]),
                    _ => 1 + self.below(9),
                }
            };
        }
        let choices = if row.name.starts_with("seq") && self.z3 {
            vec![S::Int, S::Bool, S::Bv(2), S::Seq(Box::new(S::Int))]
        } else {
            vec![S::Int, S::Bool, S::Bv(2), S::Str, S::Real, S::Bv(8)]
        };
        // Where a position is given by an index, an integer must not be used for a real.
        let choices: Vec<S> = if row.name.contains("tuple") || row.name.contains("join") {
            choices.into_iter().filter(|sort| *sort != S::Real).collect()
        } else {
            choices
        };
        self.sorts = (0..8).map(|_| self.pick(&choices)).collect();
        if row.theory == "FiniteSets" || row.name == "bag.fold" || row.name == "set.fold" {
            self.sorts = vec![S::Int; 8];
        }
        if row.name == "map" {
            self.sorts = vec![S::Bool; 8];
        }
        if row.theory == "Datatypes" && matches!(row.name, "is" | "update" | "update-field") {
            let (selector, sort) = self.pick(&[("item", S::Int), ("left", S::Tree), ("mark", S::Bool)]);
            self.selector = selector;
            self.sorts[0] = S::Tree;
            self.sorts[1] = sort;
        }
        if let Some(guard) = &row.guard {
            self.obey(guard);
        }
        self.field = self.pick(&[2, 3, 7, 13, 31, 101, 65537]);
        let columns = 1 + self.below(3);
        self.tuple = S::Tuple((0..columns).map(|_| self.pick(&[S::Int, S::Bool])).collect());
    }

    /// Numbers that a guard fixes.
    fn obey(&mut self, guard: &Cond) {
        match guard {
            Cond::Eq(Num::Var(n), Num::Const(value)) => self.nums[*n as usize] = *value,
            Cond::And(all) => all.iter().for_each(|one| self.obey(one)),
            _ => {}
        }
    }

    fn head(&mut self, row: &Row) -> Option<String> {
        let mut name = row.name.to_owned();
        if !row.indices.is_empty() {
            let mut indices = vec![];
            for index in &row.indices {
                match index {
                    // The standard requires this one in hexadecimal.
                    IndexVar::Num(n) if row.name == "char" => {
                        self.nums[*n as usize] = self.below(0x30000);
                        indices.push(format!("#x{:x}", self.nums[*n as usize]));
                    }
                    IndexVar::Num(n) => indices.push(self.nums[*n as usize].to_string()),
                    IndexVar::Sym(_) if row.name == "map" => {
                        let f = match row.args.len() {
                            1 => "not",
                            2 => self.pick(&["and", "or", "xor", "=>"]),
                            _ => "(ite (Bool Bool Bool) Bool)",
                        };
                        indices.push(f.to_owned());
                    }
                    IndexVar::Sym(_) if row.name == "is" => {
                        indices.push(self.pick(&["leaf", "single", "node"]).to_owned());
                    }
                    IndexVar::Sym(_) if row.name.starts_with("update") => {
                        indices.push(self.selector.to_owned());
                    }
                    IndexVar::Sym(_) => return None,
                    IndexVar::Rest => {
                        let columns = match &self.tuple {
                            S::Tuple(sorts) if !row.name.starts_with("pb") => sorts.len() as u64,
                            _ => 3,
                        };
                        for _ in 0..1 + self.below(3) {
                            indices.push(self.below(columns).to_string());
                        }
                    }
                }
            }
            name = format!("(_ {name} {})", indices.join(" "));
        }
        if row.qualified {
            name = format!("(as {name} {})", self.sort(&row.result)?.text());
        }
        Some(name)
    }

    fn number(&self, number: &Num) -> Option<u64> {
        Some(match number {
            Num::Const(n) => *n,
            Num::Var(n) => self.nums[*n as usize],
            Num::Add(a, b) => self.number(a)?.checked_add(self.number(b)?)?,
            Num::Sub(a, b) => self.number(a)?.checked_sub(self.number(b)?)?,
            Num::Mul(a, b) => self.number(a)?.checked_mul(self.number(b)?)?,
        })
    }

    fn sort(&mut self, pattern: &Pat) -> Option<S> {
        let boxed = |s: S| Box::new(s);
        Some(match pattern {
            Pat::Bool => S::Bool,
            Pat::Int => S::Int,
            Pat::Real => S::Real,
            Pat::String => S::Str,
            Pat::RegLan => S::Re,
            Pat::RoundingMode => S::Rm,
            Pat::Char => S::Char,
            Pat::BitVec(width) => S::Bv(self.number(width).filter(|&w| w > 0 && w < 200)?),
            // Beyond the exponents of binary128 solvers take too long to print a real number.
            Pat::Float(e, s) => S::Fp(self.number(e).filter(|&e| e <= 15)?, self.number(s)?),
            Pat::Array(i, e) => S::Array(vec![self.sort(i)?, self.sort(e)?]),
            Pat::MultiArray(sorts) => S::Array(sorts.iter().map(|s| self.sort(s)).collect::<Option<_>>()?),
            Pat::Seq(s) => S::Seq(boxed(self.sort(s)?)),
            Pat::Set(s) => S::Set(boxed(self.sort(s)?)),
            Pat::FiniteSet(s) => S::FiniteSet(boxed(self.sort(s)?)),
            Pat::Bag(s) => S::Bag(boxed(self.sort(s)?)),
            Pat::Nullable(s) => S::Nullable(boxed(self.sort(s)?)),
            Pat::Field(_) => S::Field(self.field),
            Pat::Tuple(sorts) => S::Tuple(sorts.iter().map(|s| self.sort(s)).collect::<Option<_>>()?),
            Pat::AnyTuple => self.tuple.clone(),
            Pat::Fun(sorts) => S::Fun(sorts.iter().map(|s| self.sort(s)).collect::<Option<_>>()?),
            Pat::Var(n) => self.sorts[*n as usize].clone(),
        })
    }

    /// A value, or a small term of the sort.
    pub fn value(&mut self, sort: &S, depth: u32) -> Option<String> {
        let operators: &[&str] = match sort {
            S::Bool => &["and", "or", "xor", "=>", "=", "distinct"],
            S::Int if !self.small => &["+", "-", "*"],
            S::Real => &["+", "-", "*"],
            S::Bv(_) => &["bvadd", "bvand", "bvxor", "bvmul"],
            S::Fp(..) => &["fp.min", "fp.max"],
            S::Str => &["str.++"],
            S::Field(_) => &["ff.add", "ff.mul"],
            _ => &[],
        };
        let often = if *sort == S::Bool { 2 } else { 5 };
        if operators.is_empty() || depth > 1 || self.below(often) > 0 {
            return self.plain(sort, depth);
        }
        let operator = self.pick(operators);
        let (a, b) = (self.value(sort, depth + 1)?, self.value(sort, depth + 1)?);
        Some(format!("({operator} {a} {b})"))
    }

    /// A value.
    fn plain(&mut self, sort: &S, depth: u32) -> Option<String> {
        Some(match sort {
            S::Bool => self.pick(&["true", "false"]).to_owned(),
            S::Int => self.int(),
            S::Real => self.real(),
            S::Str => self.string(),
            S::Re => self.regex(depth)?,
            S::Rm => self.pick(&["RNE", "RNA", "RTP", "RTN", "RTZ"]).to_owned(),
            S::Char => format!("(_ Char {})", self.pick(&[0, 48, 57, 65, 97, 98, 0x1f600, 196_607])),
            S::Bv(width) => self.bits(*width),
            S::Fp(e, s) => self.float(*e, *s),
            S::Field(order) => format!("(as ff{} (_ FiniteField {order}))", self.below(*order)),
            S::Array(sorts) => self.array(sorts, sort, depth)?,
            S::Set(element) if self.z3 => self.array(&[(**element).clone(), S::Bool], sort, depth)?,
            S::Seq(element) => self.joined(element, "seq.empty", "seq.unit", "seq.++", sort, depth)?,
            S::Set(element) => {
                self.joined(element, "set.empty", "set.singleton", "set.union", sort, depth)?
            }
            S::FiniteSet(_) => self.finite_set(depth),
            S::Bag(element) => self.bag(element, sort, depth)?,
            S::Nullable(_) if self.below(3) == 0 => format!("(as nullable.null {})", sort.text()),
            S::Nullable(inner) => format!("(nullable.some {})", self.value(inner, depth + 1)?),
            S::Tuple(sorts) if sorts.is_empty() => "tuple.unit".to_owned(),
            S::Tuple(sorts) => {
                let parts: Option<Vec<String>> = sorts.iter().map(|s| self.value(s, depth + 1)).collect();
                format!("(tuple {})", parts?.join(" "))
            }
            S::Fun(sorts) => self.lambda(sorts, depth)?,
            S::Tree => self.tree(depth),
        })
    }

    fn tree(&mut self, depth: u32) -> String {
        match self.below(if depth > 2 { 2 } else { 4 }) {
            0 => "leaf".to_owned(),
            1 => format!("(single {})", self.int()),
            _ => {
                let (left, right) = (self.tree(depth + 1), self.tree(depth + 1));
                format!("(node {left} {} {right})", self.pick(&["true", "false"]))
            }
        }
    }

    fn signed(&mut self, negative: bool, text: String) -> String {
        if negative { format!("(- {text})") } else { text }
    }

    fn int(&mut self) -> String {
        let negative = self.below(2) == 0;
        let kinds = if self.small { 3 } else { 5 };
        let n = match self.below(kinds) {
            0 => self.below(2).to_string(),
            1 | 2 => self.below(6).to_string(),
            3 => self.pick(&["127", "128", "255", "256", "65535", "196607", "196608", "97"]).to_owned(),
            _ => self
                .pick(&[
                    "2147483648",
                    "9223372036854775807",
                    "9223372036854775808",
                    "18446744073709551616",
                    "10000000000000000000000",
                ])
                .to_owned(),
        };
        self.signed(negative && n != "0", n)
    }

    fn real(&mut self) -> String {
        let negative = self.below(2) == 0;
        let r = match self.below(4) {
            0 => format!("{}.0", self.below(4)),
            1 => self.pick(&["0.5", "1.5", "0.25", "2.5", "0.1", "1000000000000.125"]).to_owned(),
            2 => format!("(/ {}.0 {}.0)", 1 + self.below(9), 1 + self.below(9)),
            _ => format!("{}.{}", self.below(300), self.below(1000)),
        };
        self.signed(negative && r != "0.0", r)
    }

    fn string(&mut self) -> String {
        let length = self.pick(&[0, 1, 1, 2, 3, 5]);
        let letters = [
            "a",
            "b",
            "a",
            "b",
            "0",
            "1",
            "9",
            "-",
            "Z",
            "z",
            "\"\"",
            "\\u{0}",
            "\\u{2ffff}",
            "\\u{1f600}",
            "\\",
            "u",
            " ",
        ];
        let few = self.below(3) > 0;
        let text: String =
            (0..length).map(|_| if few { self.pick(&letters[..4]) } else { self.pick(&letters) }).collect();
        format!("\"{text}\"")
    }

    fn regex(&mut self, depth: u32) -> Option<String> {
        if depth > 2 || self.below(3) == 0 {
            return Some(match self.below(6) {
                0 => self.pick(&["re.none", "re.all", "re.allchar"]).to_owned(),
                1 => self
                    .pick(&["(re.range \"a\" \"b\")", "(re.range \"b\" \"a\")", "(re.range \"0\" \"9\")"])
                    .to_owned(),
                _ => format!("(str.to_re {})", self.string()),
            });
        }
        let a = self.regex(depth + 1)?;
        let b = self.regex(depth + 1)?;
        Some(match self.below(8) {
            0 => format!("(re.* {a})"),
            1 => format!("(re.+ {a})"),
            2 => format!("(re.opt {a})"),
            3 => format!("(re.comp {a})"),
            4 => format!("(re.++ {a} {b})"),
            5 => format!("(re.union {a} {b})"),
            6 => format!("(re.inter {a} {b})"),
            _ => format!("(re.diff {a} {b})"),
        })
    }

    fn bits(&mut self, width: u64) -> String {
        let kind = self.below(7);
        let bits: String = (0..width)
            .map(|n| match kind {
                0 => '0',
                1 => '1',
                2 => {
                    if n == 0 {
                        '1'
                    } else {
                        '0'
                    }
                }
                3 => {
                    if n == 0 {
                        '0'
                    } else {
                        '1'
                    }
                }
                4 => {
                    if n + 1 == width {
                        '1'
                    } else {
                        '0'
                    }
                }
                5 if n + 3 < width => '0',
                _ => {
                    if self.below(2) == 0 {
                        '0'
                    } else {
                        '1'
                    }
                }
            })
            .collect();
        format!("#b{bits}")
    }

    fn float(&mut self, eb: u64, sb: u64) -> String {
        let special = ["+oo", "-oo", "+zero", "-zero", "NaN"];
        if self.below(4) == 0 {
            return format!("(_ {} {eb} {sb})", self.pick(&special));
        }
        let mut bits = self.bits(eb + sb)[2..].to_owned();
        if self.below(3) == 0 {
            // Near one, where the most interesting cases are.
            let middle = format!("{}0{}", &bits[..1], "1".repeat(eb as usize - 1));
            bits = format!("{middle}{}", &bits[eb as usize + 1..]);
        }
        let (sign, rest) = bits.split_at(1);
        let (exponent, fraction) = rest.split_at(eb as usize);
        format!("(fp #b{sign} #b{exponent} #b{fraction})")
    }

    fn array(&mut self, sorts: &[S], sort: &S, depth: u32) -> Option<String> {
        let (element, index) = sorts.split_last()?;
        let few = self.below(2) == 0 && sorts.len() == 2 && depth == 0;
        if self.z3 && matches!(sort, S::Array(_)) && (few || sorts.len() > 2) {
            return self.lambda(sorts, depth);
        }
        let default = match element {
            // cvc5 requires a literal here, and does not accept a sign or a fraction.
            S::Int if !self.z3 => self.below(6).to_string(),
            S::Real if !self.z3 => format!("{}.0", self.below(4)),
            _ => self.plain(element, 9)?,
        };
        let mut array = format!("((as const {}) {default})", sort.text());
        for _ in 0..self.below(4) {
            let keys: Option<Vec<String>> = index.iter().map(|s| self.value(s, depth + 1)).collect();
            array = format!("(store {array} {} {})", keys?.join(" "), self.value(element, depth + 1)?);
        }
        Some(array)
    }

    fn joined(
        &mut self,
        element: &S,
        empty: &str,
        unit: &str,
        join: &str,
        sort: &S,
        depth: u32,
    ) -> Option<String> {
        let count = if depth > 1 { self.below(2) } else { self.pick(&[0, 1, 2, 2, 3]) };
        let mut parts = vec![];
        for _ in 0..count {
            parts.push(format!("({unit} {})", self.value(element, depth + 1)?));
        }
        Some(match parts.len() {
            0 => format!("(as {empty} {})", sort.text()),
            1 => parts.remove(0),
            _ => format!("({join} {})", parts.join(" ")),
        })
    }

    fn finite_set(&mut self, depth: u32) -> String {
        let (low, high) = (self.below(5), self.below(7));
        let range = format!("(set.range {low} {high})");
        if depth > 1 {
            return range;
        }
        let other = self.finite_set(depth + 1);
        match self.below(4) {
            0 => format!("(set.union {range} {other})"),
            1 => format!("(set.difference {range} {other})"),
            2 => "(as set.empty (FiniteSet Int))".to_owned(),
            _ => range,
        }
    }

    fn bag(&mut self, element: &S, sort: &S, depth: u32) -> Option<String> {
        let count = self.below(4);
        let mut bag = format!("(as bag.empty {})", sort.text());
        for n in 0..count {
            let times = self.pick(&["1", "2", "3", "0", "(- 1)"]);
            let one = format!("(bag {} {times})", self.value(element, depth + 1)?);
            bag = if n == 0 { one } else { format!("(bag.union_disjoint {bag} {one})") };
        }
        Some(bag)
    }

    fn lambda(&mut self, sorts: &[S], depth: u32) -> Option<String> {
        let (result, params) = sorts.split_last()?;
        let vars: Vec<String> =
            params.iter().enumerate().map(|(n, s)| format!("(x{n} {})", s.text())).collect();
        let same: Vec<usize> = (0..params.len()).filter(|&n| params[n] == *result).collect();
        let last = params.len() - 1;
        let body = match (result, self.below(3)) {
            (S::Int, 0 | 1) if same.len() == params.len() && same.len() > 1 => {
                format!("({} x0 x{last})", self.pick(&["+", "-", "*"]))
            }
            (S::Int, 0 | 1) if !same.is_empty() => format!("(+ x{} 1)", same[0]),
            (S::Bool, 0 | 1) if params[last] == S::Int => {
                format!("({} x{last} {})", self.pick(&["<", ">=", "="]), self.below(4))
            }
            (S::Bool, 0 | 1) if params.len() == 2 && params[0] == params[1] => "(= x0 x1)".to_owned(),
            (_, 0 | 1) if !same.is_empty() => format!("x{}", same[same.len() - 1]),
            _ => self.value(result, depth + 1)?,
        };
        Some(format!("(lambda ({}) {body})", vars.join(" ")))
    }
}
