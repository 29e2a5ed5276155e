//! Random formulas over small sorts, as text; the same number always gives the same formula.
//!
//! A world is a set of declarations; formulas combine them with operators whose meaning is undisputed, so that two
//! solvers and two of our own decision procedures can be compared.

use testkit::SplitMix;

/// Numbers from a seed.
pub struct Dice(SplitMix);

impl Dice {
    pub fn roll(&mut self, below: usize) -> usize {
        self.0.below(below as u64) as usize
    }

    fn pick<'t, T: ?Sized>(&mut self, items: &[&'t T]) -> &'t T {
        items[self.roll(items.len())]
    }
}

/// The kind of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum World {
    /// Booleans and words of 1 and 2 bits, with functions and arrays over them.
    Tiny,
    /// Words of 3 and 4 bits.
    Words,
    /// Floats of 5 bits and rounding modes.
    Floats,
    /// Arrays indexed by floats, rounding modes, Booleans and an enumeration.
    Arrays,
    /// Functions over words, floats, rounding modes.
    Functions,
    /// An enumeration, a record and an optional word.
    Datatypes,
    /// Integers between bounds.
    Integers,
    /// Quantifiers over small sorts.
    Quantifiers,
}

pub const WORLDS: [World; 8] = [
    World::Tiny,
    World::Words,
    World::Floats,
    World::Arrays,
    World::Functions,
    World::Datatypes,
    World::Integers,
    World::Quantifiers,
];

const F: &str = "(_ FloatingPoint 2 3)";

impl World {
    /// Sorts with the constants that the world has of them.
    fn constants(self) -> &'static [(&'static str, &'static [&'static str])] {
        match self {
            World::Tiny => &[("Bool", &["p", "q"]), ("B1", &["u", "v"]), ("B2", &["w"]), ("A", &["a", "b"])],
            World::Words => &[("Bool", &["p"]), ("B3", &["u", "v"]), ("B4", &["w", "x"])],
            World::Floats => &[("Bool", &["p"]), ("F", &["x", "y", "z"]), ("R", &["r", "s"]), ("B3", &["u"])],
            World::Arrays => &[
                ("Bool", &["p"]),
                ("F", &["x", "y"]),
                ("R", &["r", "s"]),
                ("C", &["c"]),
                ("FB", &["a", "b"]),
                ("RB", &["d", "e"]),
                ("BR", &["g"]),
                ("CF", &["h"]),
                ("B2", &["w"]),
            ],
            World::Functions => {
                &[("Bool", &["p"]), ("F", &["x"]), ("R", &["r", "s"]), ("B2", &["w", "v"]), ("B3", &["u"])]
            }
            World::Datatypes => {
                &[("Bool", &["p"]), ("C", &["c", "d"]), ("P", &["m", "n"]), ("O", &["o"]), ("B2", &["w"])]
            }
            World::Integers => &[("Bool", &["p"]), ("Int", &["i", "j", "k"]), ("B3", &["u"])],
            World::Quantifiers => &[("Bool", &["p"]), ("B2", &["w", "v"]), ("R", &["r"]), ("A", &["a"])],
        }
    }

    /// Functions: name, parameter sorts, result.
    fn functions(self) -> &'static [(&'static str, &'static [&'static str], &'static str)] {
        match self {
            World::Tiny => &[("f", &["B1"], "B1"), ("g", &["Bool"], "B2")],
            World::Functions => &[
                ("f", &["B3"], "B2"),
                ("g", &["R", "Bool"], "B2"),
                ("h", &["F"], "Bool"),
                ("k", &["B2"], "R"),
                ("l", &["B2", "B2"], "B2"),
            ],
            World::Quantifiers => &[("f", &["B2"], "B2"), ("g", &["R"], "Bool")],
            _ => &[],
        }
    }
}

/// A sort by its short name.
pub fn sort_text(short: &str) -> String {
    match short {
        "B1" => "(_ BitVec 1)".into(),
        "B2" => "(_ BitVec 2)".into(),
        "B3" => "(_ BitVec 3)".into(),
        "B4" => "(_ BitVec 4)".into(),
        "F" => F.into(),
        "R" => "RoundingMode".into(),
        "A" => "(Array (_ BitVec 1) Bool)".into(),
        "FB" => format!("(Array {F} Bool)"),
        "RB" => "(Array RoundingMode (_ BitVec 2))".into(),
        "BR" => "(Array Bool RoundingMode)".into(),
        "CF" => format!("(Array C {F})"),
        other => other.into(),
    }
}

struct Maker<'d> {
    dice: &'d mut Dice,
    world: World,
    /// Bound variables in scope with their sorts.
    bound: Vec<(String, &'static str)>,
}

/// The whole script; `check-sat` at its end.
pub fn script(world: World, seed: u64, depth: usize) -> String {
    let mut dice = Dice(SplitMix(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ world as u64));
    let asserts = 1 + dice.roll(4);
    let mut maker = Maker { dice: &mut dice, world, bound: vec![] };
    let mut out = String::from("(set-logic ALL)\n");
    if world == World::Datatypes || world == World::Arrays {
        out.push_str("(declare-datatypes ((C 0)) (((c0) (c1) (c2))))\n");
    }
    if world == World::Datatypes {
        out.push_str("(declare-datatypes ((P 0)) (((mk (one Bool) (two (_ BitVec 2))))))\n");
        out.push_str(
            "(declare-datatypes ((O 0)) (((none) (some (it (_ BitVec 2))) (both (pc C) (pp Bool)))))\n",
        );
    }
    for (sort, names) in world.constants() {
        for name in *names {
            out.push_str(&format!("(declare-const {name} {})\n", sort_text(sort)));
        }
    }
    for (name, params, result) in world.functions() {
        let params: Vec<String> = params.iter().map(|sort| sort_text(sort)).collect();
        out.push_str(&format!("(declare-fun {name} ({}) {})\n", params.join(" "), sort_text(result)));
    }
    if world == World::Integers {
        for name in ["i", "j", "k"] {
            let (low, size) = (maker.dice.roll(7) as i64 - 4, maker.dice.roll(7) as i64);
            out.push_str(&format!("(assert (<= {} {name} {}))\n", int(low), int(low + size)));
        }
    }
    for _ in 0..asserts {
        let term = maker.term("Bool", depth);
        out.push_str(&format!("(assert {term})\n"));
    }
    out.push_str("(check-sat)\n");
    out
}

fn int(n: i64) -> String {
    if n < 0 { format!("(- {})", -n) } else { n.to_string() }
}

impl Maker<'_> {
    fn pick<'t>(&mut self, items: &[&'t str]) -> &'t str {
        self.dice.pick(items)
    }

    fn term(&mut self, sort: &'static str, depth: usize) -> String {
        if depth == 0 || self.dice.roll(7) == 0 {
            return self.leaf(sort, depth);
        }
        if self.dice.roll(9) == 0 {
            let (c, a, b) =
                (self.term("Bool", depth - 1), self.term(sort, depth - 1), self.term(sort, depth - 1));
            return format!("(ite {c} {a} {b})");
        }
        if self.dice.roll(4) == 0
            && let Some(call) = self.call(sort, depth - 1)
        {
            return call;
        }
        match sort {
            "Bool" => self.truth(depth - 1),
            "B1" => self.word(1, sort, depth - 1),
            "B2" => self.word(2, sort, depth - 1),
            "B3" => self.word(3, sort, depth - 1),
            "B4" => self.word(4, sort, depth - 1),
            "F" => self.float(depth - 1),
            "A" => self.array("A", "B1", "Bool", depth - 1),
            "FB" => self.array("FB", "F", "Bool", depth - 1),
            "RB" => self.array("RB", "R", "B2", depth - 1),
            "BR" => self.array("BR", "Bool", "R", depth - 1),
            "CF" => self.array("CF", "C", "F", depth - 1),
            "P" => {
                let (a, b) = (self.term("Bool", depth - 1), self.term("B2", depth - 1));
                format!("(mk {a} {b})")
            }
            "O" => match self.dice.roll(3) {
                0 => format!("(some {})", self.term("B2", depth - 1)),
                1 => format!("(both {} {})", self.term("C", depth - 1), self.term("Bool", depth - 1)),
                _ => "none".into(),
            },
            "Int" => self.integer(depth - 1),
            _ => self.leaf(sort, depth),
        }
    }

    /// The constants of a sort, bound variables first.
    fn leaf(&mut self, sort: &'static str, depth: usize) -> String {
        let bound: Vec<String> =
            self.bound.iter().filter(|(_, s)| *s == sort).map(|(name, _)| name.clone()).collect();
        if !bound.is_empty() && self.dice.roll(2) == 0 {
            return bound[self.dice.roll(bound.len())].clone();
        }
        let names: &[&str] =
            self.world.constants().iter().find(|(s, _)| *s == sort).map_or(&[], |(_, names)| names);
        if !names.is_empty() && self.dice.roll(4) != 0 {
            return self.pick(names).to_owned();
        }
        match sort {
            "Bool" => self.pick(&["true", "false"]).into(),
            "B1" => self.pick(&["#b0", "#b1"]).into(),
            "B2" => self.pick(&["#b00", "#b01", "#b10", "#b11"]).into(),
            "B3" => self.pick(&["#b000", "#b001", "#b100", "#b111", "#b101"]).into(),
            "B4" => self.pick(&["#x0", "#x1", "#x8", "#xf", "#x5"]).into(),
            "F" => self.float_literal(),
            "R" => self.pick(&["RNE", "RNA", "RTP", "RTN", "RTZ"]).into(),
            "C" => self.pick(&["c0", "c1", "c2"]).into(),
            "P" => "(mk true #b10)".into(),
            "O" => self.pick(&["none", "(some #b01)", "(both c1 true)"]).into(),
            "Int" => int(self.dice.roll(9) as i64 - 4),
            _ => self.constant_array(sort, depth),
        }
    }

    fn float_literal(&mut self) -> String {
        match self.dice.roll(6) {
            0 => "(_ NaN 2 3)".into(),
            1 => self.pick(&["(_ +oo 2 3)", "(_ -oo 2 3)"]).into(),
            2 => self.pick(&["(_ +zero 2 3)", "(_ -zero 2 3)"]).into(),
            _ => {
                let (s, e, m) =
                    (self.dice.roll(2), self.pick(&["00", "01", "10"]), self.pick(&["00", "01", "11"]));
                format!("(fp #b{s} #b{e} #b{m})")
            }
        }
    }

    fn constant_array(&mut self, sort: &'static str, depth: usize) -> String {
        let element = match sort {
            "RB" => "B2",
            "BR" => "R",
            "CF" => "F",
            _ => "Bool",
        };
        let _ = depth;
        // Some solvers require a value for a constant array.
        let value = match element {
            "B2" => self.pick(&["#b00", "#b11"]).to_owned(),
            "R" => self.pick(&["RNE", "RTZ"]).to_owned(),
            "F" => self.float_literal(),
            _ => self.pick(&["true", "false"]).to_owned(),
        };
        format!("((as const {}) {value})", sort_text(sort))
    }

    fn call(&mut self, sort: &'static str, depth: usize) -> Option<String> {
        let functions: Vec<_> =
            self.world.functions().iter().filter(|(_, _, result)| *result == sort).collect();
        if functions.is_empty() {
            return None;
        }
        let (name, params, _) = functions[self.dice.roll(functions.len())];
        let args: Vec<String> = params.iter().map(|param| self.term(param, depth)).collect();
        Some(format!("({name} {})", args.join(" ")))
    }

    /// A sort of the world.
    fn some_sort(&mut self) -> &'static str {
        let sorts: Vec<&'static str> = self.world.constants().iter().map(|(sort, _)| *sort).collect();
        sorts[self.dice.roll(sorts.len())]
    }

    fn truth(&mut self, depth: usize) -> String {
        if self.world == World::Quantifiers && self.dice.roll(4) == 0 {
            return self.quantified(depth);
        }
        match self.dice.roll(10) {
            0 => format!("(not {})", self.term("Bool", depth)),
            1 => {
                let op = self.pick(&["and", "or", "xor", "=>", "="]);
                format!("({op} {} {})", self.term("Bool", depth), self.term("Bool", depth))
            }
            2 => format!(
                "({} {} {} {})",
                self.pick(&["and", "or"]),
                self.term("Bool", depth),
                self.term("Bool", depth),
                self.term("Bool", depth)
            ),
            3 => {
                let sort = self.some_sort();
                format!("(distinct {} {})", self.term(sort, depth), self.term(sort, depth))
            }
            4 => self.special(depth),
            5 => self.special(depth),
            _ => {
                let sort = self.some_sort();
                if sort == "Bool" || self.dice.roll(3) == 0 {
                    return self.special(depth);
                }
                format!("(= {} {})", self.term(sort, depth), self.term(sort, depth))
            }
        }
    }

    fn quantified(&mut self, depth: usize) -> String {
        let binder = self.pick(&["forall", "exists"]);
        let sort: &'static str = ["B2", "R", "Bool"][self.dice.roll(3)];
        let name = format!("z{}", self.bound.len());
        self.bound.push((name.clone(), sort));
        let body = self.term("Bool", depth);
        self.bound.pop();
        format!("({binder} (({name} {})) {body})", sort_text(sort))
    }

    /// A predicate of the world's own.
    fn special(&mut self, depth: usize) -> String {
        match self.world {
            World::Tiny | World::Words | World::Quantifiers => {
                let sort = match self.world {
                    World::Tiny | World::Quantifiers => "B2",
                    _ => ["B3", "B4"][self.dice.roll(2)],
                };
                if sort == "B2" && self.dice.roll(3) == 0 {
                    return format!("(select {} {})", self.term("A", depth), self.word_of_one(depth));
                }
                let op = self.pick(&["bvult", "bvule", "bvslt", "bvsge", "bvugt"]);
                format!("({op} {} {})", self.term(sort, depth), self.term(sort, depth))
            }
            World::Floats => match self.dice.roll(3) {
                0 => {
                    let op = self.pick(&[
                        "fp.isNaN",
                        "fp.isZero",
                        "fp.isNegative",
                        "fp.isSubnormal",
                        "fp.isInfinite",
                    ]);
                    format!("({op} {})", self.term("F", depth))
                }
                _ => {
                    let op = self.pick(&["fp.lt", "fp.leq", "fp.eq", "fp.gt"]);
                    format!("({op} {} {})", self.term("F", depth), self.term("F", depth))
                }
            },
            World::Arrays => match self.dice.roll(3) {
                0 => format!("(select {} {})", self.term("FB", depth), self.term("F", depth)),
                1 => format!("(bvult (select {} {}) w)", self.term("RB", depth), self.term("R", depth)),
                _ => format!("(fp.lt (select {} {}) x)", self.term("CF", depth), self.term("C", depth)),
            },
            World::Functions => format!("(h {})", self.term("F", depth)),
            World::Datatypes => match self.dice.roll(4) {
                0 => format!("((_ is some) {})", self.term("O", depth)),
                1 => format!("(one {})", self.term("P", depth)),
                2 => format!("(pp {})", self.term("O", depth)),
                _ => format!("(bvult (it {}) (two {}))", self.term("O", depth), self.term("P", depth)),
            },
            World::Integers => {
                let op = self.pick(&["<", "<=", ">", ">=", "="]);
                format!("({op} {} {})", self.term("Int", depth), self.term("Int", depth))
            }
        }
    }

    fn word_of_one(&mut self, depth: usize) -> String {
        match self.world {
            World::Tiny => self.term("B1", depth),
            _ => format!("((_ extract 0 0) {})", self.term("B2", depth)),
        }
    }

    fn word(&mut self, width: usize, sort: &'static str, depth: usize) -> String {
        match self.dice.roll(8) {
            0 => {
                let op = self.pick(&["bvnot", "bvneg"]);
                format!("({op} {})", self.term(sort, depth))
            }
            1 if width == 2 && self.world == World::Arrays => {
                format!("(select {} {})", self.term("RB", depth), self.term("R", depth))
            }
            2 if width == 2 && self.world == World::Datatypes => match self.dice.roll(2) {
                0 => format!("(it {})", self.term("O", depth)),
                _ => format!("(two {})", self.term("P", depth)),
            },
            3 if width == 4 => {
                format!("(concat {} ((_ extract 2 2) {}))", self.term("B3", depth), self.term("B3", depth))
            }
            4 if width == 3 && self.world == World::Floats => {
                // Only where the value is in range, so that nothing is under-specified.
                let op = self.pick(&["fp.to_ubv", "fp.to_sbv"]);
                let (r, x) = (self.term("R", depth), self.term("F", depth));
                format!("(ite (fp.eq {x} (_ +zero 2 3)) ((_ {op} 3) {r} {x}) #b101)")
            }
            5 if width == 4 => format!("((_ sign_extend 1) {})", self.term("B3", depth)),
            _ => {
                let op = self.pick(&[
                    "bvadd", "bvmul", "bvsub", "bvand", "bvor", "bvxor", "bvudiv", "bvurem", "bvshl",
                    "bvlshr", "bvashr", "bvsdiv", "bvsrem", "bvsmod", "bvxnor", "bvnand",
                ]);
                format!("({op} {} {})", self.term(sort, depth), self.term(sort, depth))
            }
        }
    }

    fn float(&mut self, depth: usize) -> String {
        match self.dice.roll(8) {
            0 => format!("({} {})", self.pick(&["fp.neg", "fp.abs"]), self.term("F", depth)),
            1 => format!("(fp.sqrt {} {})", self.term("R", depth), self.term("F", depth)),
            2 => format!("(fp.roundToIntegral {} {})", self.term("R", depth), self.term("F", depth)),
            3 => format!("(fp.rem {} {})", self.term("F", depth), self.term("F", depth)),
            4 if self.world == World::Arrays => {
                format!("(select {} {})", self.term("CF", depth), self.term("C", depth))
            }
            5 if self.world == World::Floats => {
                let signed = self.pick(&["to_fp", "to_fp_unsigned"]);
                format!("((_ {signed} 2 3) {} {})", self.term("R", depth), self.term("B3", depth))
            }
            6 => format!(
                "(fp.fma {} {} {} {})",
                self.term("R", depth),
                self.term("F", depth),
                self.term("F", depth),
                self.term("F", depth)
            ),
            _ => {
                let op = self.pick(&["fp.add", "fp.sub", "fp.mul", "fp.div"]);
                format!(
                    "({op} {} {} {})",
                    self.term("R", depth),
                    self.term("F", depth),
                    self.term("F", depth)
                )
            }
        }
    }

    fn array(
        &mut self,
        sort: &'static str,
        index: &'static str,
        element: &'static str,
        depth: usize,
    ) -> String {
        let index = if self.world == World::Quantifiers && index == "B1" {
            self.word_of_one(depth)
        } else {
            self.term(index, depth)
        };
        format!("(store {} {index} {})", self.term(sort, depth), self.term(element, depth))
    }

    fn integer(&mut self, depth: usize) -> String {
        match self.dice.roll(6) {
            0 => format!("(- {})", self.term("Int", depth)),
            1 => format!("(* {} {})", self.term("Int", depth), self.term("Int", depth)),
            2 => {
                let op = self.pick(&["div", "mod"]);
                format!("({op} {} {})", self.term("Int", depth), int([-3, 2, 3, 5][self.dice.roll(4)]))
            }
            3 => format!("(abs {})", self.term("Int", depth)),
            _ => {
                let op = self.pick(&["+", "-"]);
                format!("({op} {} {})", self.term("Int", depth), self.term("Int", depth))
            }
        }
    }
}
