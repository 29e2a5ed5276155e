//! Random formulas of arithmetic with quantifiers, as text; the same number always gives the same formula.
//!
//! The operators are those on which all solvers agree; divisors are nonzero constants.

#![allow(dead_code, reason = "a part of the tests; each file uses some of it")]

use testkit::SplitMix;

/// The kind of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum World {
    /// Linear over the reals, any nesting of quantifiers.
    Reals,
    /// Linear over the integers, with remainders and quotients.
    Integers,
    /// Both, with conversions.
    Mixed,
    /// No quantifiers over numbers, and constants between bounds: small domains.
    Bounded,
    /// Quantified integers between bounds.
    Ranges,
    /// Polynomials in one quantified real variable at a time.
    RealPolynomials,
    /// Polynomials and remainders in one quantified integer variable at a time.
    IntegerPolynomials,
}

pub const WORLDS: [World; 7] = [
    World::Reals,
    World::Integers,
    World::Mixed,
    World::Bounded,
    World::Ranges,
    World::RealPolynomials,
    World::IntegerPolynomials,
];

pub const LOGIC: &str = "(set-logic ALL)\n";

struct Maker {
    random: SplitMix,
    world: World,
    /// Variables and constants in scope with their sorts.
    scope: Vec<(String, &'static str)>,
    /// Names made so far.
    names: usize,
    quantifiers: usize,
}

/// A script with one check.
pub fn script(world: World, seed: u64) -> String {
    let mut maker = Maker {
        random: SplitMix(seed.wrapping_mul(0x9e37_79b9).wrapping_add(world as u64)),
        world,
        scope: vec![],
        names: 0,
        quantifiers: 0,
    };
    maker.script()
}

impl Maker {
    fn roll(&mut self, below: usize) -> usize {
        self.random.below(below as u64) as usize
    }

    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        items[self.roll(items.len())]
    }

    fn is_polynomial(&self) -> bool {
        matches!(self.world, World::RealPolynomials | World::IntegerPolynomials)
    }

    fn sorts(&self) -> &'static [&'static str] {
        match self.world {
            World::Reals | World::RealPolynomials => &["Real"],
            World::Mixed => &["Real", "Int"],
            _ => &["Int"],
        }
    }

    fn script(&mut self) -> String {
        let mut text = LOGIC.to_owned();
        let count = if self.is_polynomial() { self.roll(2) } else { self.roll(4) };
        for n in 0..count {
            let sort = self.pick(self.sorts());
            let name = format!("c{n}");
            if self.is_polynomial() {
                let value = self.number(sort);
                text += &format!("(define-fun {name} () {sort} {value})\n");
            } else {
                text += &format!("(declare-const {name} {sort})\n");
            }
            if self.world == World::Bounded {
                text += &format!("(assert (and (<= (- 3) {name}) (<= {name} 4)))\n");
            }
            self.scope.push((name, sort));
        }
        if self.roll(3) == 0 && !self.is_polynomial() {
            text += "(declare-const p Bool)\n";
            self.scope.push(("p".into(), "Bool"));
        }
        let asserted = 1 + self.roll(2);
        for _ in 0..asserted {
            let formula = self.formula(4);
            text += &format!("(assert {formula})\n");
        }
        text + "(check-sat)\n"
    }

    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 || (self.roll(6) == 0 && !self.scope.is_empty()) {
            return self.atom();
        }
        let below = depth - 1;
        match self.roll(10) {
            0 | 1 => format!("(and {} {})", self.formula(below), self.formula(below)),
            2 | 3 => format!("(or {} {})", self.formula(below), self.formula(below)),
            4 => format!("(not {})", self.formula(below)),
            5 => format!("(=> {} {})", self.formula(below), self.formula(below)),
            6 if self.roll(3) == 0 => {
                let operator = self.pick(&["=", "xor", "distinct"]);
                format!("({operator} {} {})", self.formula(below), self.formula(below))
            }
            7 if self.roll(3) == 0 => {
                let condition = self.atom();
                format!("(ite {condition} {} {})", self.formula(below), self.formula(below))
            }
            _ => self.quantified(depth),
        }
    }

    fn quantified(&mut self, depth: usize) -> String {
        if self.quantifiers >= 4
            || (self.is_polynomial() && self.scope.iter().any(|(name, _)| name.starts_with('x')))
        {
            return self.atom();
        }
        self.quantifiers += 1;
        let kind = self.pick(&["forall", "exists"]);
        let count = if self.is_polynomial() { 1 } else { 1 + self.roll(2) };
        let mark = self.scope.len();
        let mut binders = String::new();
        for _ in 0..count {
            let sort = if self.world == World::Bounded { "Bool" } else { self.pick(self.sorts()) };
            self.names += 1;
            let name = format!("x{}", self.names);
            binders += &format!("({name} {sort})");
            self.scope.push((name, sort));
        }
        let mut body = self.formula(depth - 1);
        if self.world == World::Ranges {
            let bounds: Vec<String> = self.scope[mark..]
                .iter()
                .map(|(name, _)| format!("(<= (- 2) {name}) (<= {name} 3)"))
                .collect();
            let bounds = bounds.join(" ");
            body = match kind {
                "forall" => format!("(=> (and {bounds}) {body})"),
                _ => format!("(and {bounds} {body})"),
            };
        }
        self.scope.truncate(mark);
        format!("({kind} ({binders}) {body})")
    }

    fn atom(&mut self) -> String {
        let booleans: Vec<String> =
            self.scope.iter().filter(|(_, sort)| *sort == "Bool").map(|(name, _)| name.clone()).collect();
        if !booleans.is_empty() && self.roll(4) == 0 {
            return booleans[self.roll(booleans.len())].clone();
        }
        let sort = self.pick(self.sorts());
        if self.world == World::Mixed && self.roll(8) == 0 {
            return format!("(is_int {})", self.term("Real", 1));
        }
        let relation = self.pick(&["<=", "<", ">=", ">", "=", "distinct", "<="]);
        let (left, right) = (self.term(sort, 2), self.term(sort, 1));
        format!("({relation} {left} {right})")
    }

    fn number(&mut self, sort: &str) -> String {
        let n = self.roll(13) as i64 - 6;
        let point = if sort == "Real" { ".0" } else { "" };
        let text = match (sort, self.roll(5)) {
            ("Real", 0) => format!("(/ {}.0 {}.0)", n.abs(), 2 + self.roll(3)),
            _ => format!("{}{point}", n.abs()),
        };
        if n < 0 { format!("(- {text})") } else { text }
    }

    fn symbol(&mut self, sort: &str) -> Option<String> {
        let known: Vec<String> =
            self.scope.iter().filter(|(_, other)| *other == sort).map(|(name, _)| name.clone()).collect();
        if known.is_empty() { None } else { Some(known[self.roll(known.len())].clone()) }
    }

    fn term(&mut self, sort: &'static str, depth: usize) -> String {
        let Some(symbol) = self.symbol(sort) else { return self.number(sort) };
        if depth == 0 {
            return if self.roll(4) == 0 { self.number(sort) } else { symbol };
        }
        let below = depth - 1;
        match self.roll(16) {
            0..=3 => format!("(+ {} {})", self.term(sort, below), self.term(sort, below)),
            4 | 5 => format!("(- {} {})", self.term(sort, below), self.term(sort, below)),
            6..=8 => format!("(* {} {})", self.number(sort), self.term(sort, below)),
            9 => {
                let condition = self.atom();
                format!("(ite {condition} {} {})", self.term(sort, below), self.term(sort, below))
            }
            10 if sort == "Int" => format!("(mod {} {})", self.term(sort, below), self.divisor()),
            11 if sort == "Int" => format!("(div {} {})", self.term(sort, below), self.divisor()),
            12 if sort == "Int" => format!("(abs {})", self.term(sort, below)),
            10 if self.world == World::Mixed => format!("(to_real {})", self.term("Int", below)),
            13 if self.world == World::Mixed && sort == "Int" => {
                format!("(to_int {})", self.term("Real", below))
            }
            13 if sort == "Int" => {
                format!("(let ((l {})) (+ l {}))", self.term(sort, below), self.term(sort, below))
            }
            14 | 15 if self.is_polynomial() => {
                format!("(* {} {})", self.term(sort, below), self.term(sort, below))
            }
            _ => symbol,
        }
    }

    fn divisor(&mut self) -> String {
        let n = 2 + self.roll(3);
        if self.roll(5) == 0 { format!("(- {n})") } else { n.to_string() }
    }
}
