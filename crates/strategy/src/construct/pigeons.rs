//! More different values than a sort has: the pigeonhole principle over finite sorts.
//!
//! In: a table of finite sorts with all their values. Out: formulas that ask for one value too many (unsatisfiable),
//! or for all values at once (satisfiable, with a model). If the disequalities are written pair by pair, every
//! assertion is needed: without it the two terms of that pair share a value and the others have one each. So the only
//! unsat core is the set of all assertions, and it is known.

use crate::{Draft, Expect, Expected, Ground, Rng};

/// A finite sort.
struct Holes {
    /// Declarations that the sort needs.
    declares: &'static str,
    sort: &'static str,
    values: &'static [&'static str],
}

const COLORS: &str = "(declare-datatypes ((Color 0)) (((red) (green) (blue))))\n";
const SWITCHES: &str = "(declare-datatypes ((Switch 0)) (((off) (on (high Bool)))))\n";

const SORTS: &[Holes] = &[
    Holes { declares: "", sort: "Bool", values: &["true", "false"] },
    Holes { declares: "", sort: "(_ BitVec 1)", values: &["#b0", "#b1"] },
    Holes { declares: "", sort: "(_ BitVec 2)", values: &["#b00", "#b01", "#b10", "#b11"] },
    Holes { declares: "", sort: "RoundingMode", values: &["RNE", "RNA", "RTP", "RTN", "RTZ"] },
    Holes { declares: COLORS, sort: "Color", values: &["red", "green", "blue"] },
    Holes { declares: SWITCHES, sort: "Switch", values: &["off", "(on true)", "(on false)"] },
    Holes {
        declares: "",
        sort: "(Array Bool Bool)",
        values: &[
            "((as const (Array Bool Bool)) true)",
            "((as const (Array Bool Bool)) false)",
            "(store ((as const (Array Bool Bool)) false) true true)",
            "(store ((as const (Array Bool Bool)) false) false true)",
        ],
    },
    Holes {
        declares: "",
        sort: "(Array (_ BitVec 1) (_ BitVec 1))",
        values: &[
            "((as const (Array (_ BitVec 1) (_ BitVec 1))) #b0)",
            "((as const (Array (_ BitVec 1) (_ BitVec 1))) #b1)",
            "(store ((as const (Array (_ BitVec 1) (_ BitVec 1))) #b0) #b1 #b1)",
            "(store ((as const (Array (_ BitVec 1) (_ BitVec 1))) #b0) #b0 #b1)",
        ],
    },
    Holes {
        declares: "",
        sort: "(Set Bool)",
        values: &[
            "(as set.empty (Set Bool))",
            "(set.singleton true)",
            "(set.singleton false)",
            "(set.union (set.singleton true) (set.singleton false))",
        ],
    },
    Holes {
        declares: "(declare-datatypes ((Wrapped 0)) (((wrap (mode RoundingMode)))))\n",
        sort: "Wrapped",
        values: &["(wrap RNE)", "(wrap RNA)", "(wrap RTP)", "(wrap RTN)", "(wrap RTZ)"],
    },
    Holes {
        declares: "(declare-datatypes ((Maybe 1)) ((par (X) ((nothing) (just (it X))))))\n",
        sort: "(Maybe RoundingMode)",
        values: &[
            "(as nothing (Maybe RoundingMode))",
            "(just RNE)",
            "(just RNA)",
            "(just RTP)",
            "(just RTN)",
            "(just RTZ)",
        ],
    },
    Holes {
        declares: "(declare-datatypes ((Signed 0)) (((signed (sign Bool) (color (_ BitVec 1))))))\n",
        sort: "Signed",
        values: &["(signed true #b0)", "(signed true #b1)", "(signed false #b0)", "(signed false #b1)"],
    },
    Holes {
        declares: "",
        sort: "(FiniteSet Bool)",
        values: &[
            "(as set.empty (FiniteSet Bool))",
            "(set.singleton true)",
            "(set.singleton false)",
            "(set.union (set.singleton true) (set.singleton false))",
        ],
    },
    Holes {
        declares: "",
        sort: "(_ FiniteField 3)",
        values: &["(as ff0 (_ FiniteField 3))", "(as ff1 (_ FiniteField 3))", "(as ff-1 (_ FiniteField 3))"],
    },
];

/// How a formula requires different values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// One assertion for each pair of terms, with names.
    Pairs,
    /// One `distinct`.
    Distinct,
    /// One `distinct` of quantified variables.
    Exists,
    /// A term that differs from every value, with names.
    Outside,
    /// One function value too many.
    Injection,
    /// As many terms as there are values: satisfiable.
    Exactly,
}

const WAYS: &[Way] =
    &[Way::Pairs, Way::Distinct, Way::Exists, Way::Outside, Way::Injection, Way::Exactly, Way::Exactly];

pub fn draft(rng: &mut Rng) -> Draft {
    let holes = &SORTS[rng.below(SORTS.len())];
    match WAYS[rng.below(WAYS.len())] {
        Way::Pairs => pairs(holes, rng),
        Way::Distinct => distinct(holes),
        Way::Exists => exists(holes),
        Way::Outside => outside(holes, rng),
        Way::Injection => injection(holes, rng),
        Way::Exactly => exactly(holes, rng),
    }
}

fn terms(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("x{n}")).collect()
}

/// Logic, declarations and this many constants.
fn preamble(holes: &Holes, terms: &[String]) -> String {
    let mut text = format!("(set-logic ALL)\n{}", holes.declares);
    for term in terms {
        text.push_str(&format!("(declare-const {term} {})\n", holes.sort));
    }
    text
}

fn because(holes: &Holes) -> String {
    format!("`{}` has {} values", holes.sort, holes.values.len())
}

/// Shuffles in place.
fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for n in (1..items.len()).rev() {
        items.swap(n, rng.below(n + 1));
    }
}

fn finish(mut script: String, rule: String, answer: Expected, ground: Ground) -> Draft {
    script.push_str("(check-sat)\n");
    Draft::of(script.into_bytes()).rules([rule]).expecting(vec![Some(Expect { answer, ground })])
}

fn unsat(script: String, holes: &Holes) -> Draft {
    finish(script, because(holes), Expected::Unsat, Ground::Argument(because(holes)))
}

/// Asserts all of these with names; the core contains all of them.
fn all_needed(mut script: String, holes: &Holes, mut asserted: Vec<String>, rng: &mut Rng) -> Draft {
    shuffle(&mut asserted, rng);
    let mut names = vec![];
    for (n, text) in asserted.iter().enumerate() {
        names.push(format!("assertion{n}"));
        script.push_str(&format!("(assert (! {text} :named assertion{n}))\n"));
    }
    let because = format!("{}, and every assertion is needed", because(holes));
    finish(script, because.clone(), Expected::Unsat, Ground::Core { names, because })
}

fn pairs(holes: &Holes, rng: &mut Rng) -> Draft {
    let terms = terms(holes.values.len() + 1);
    let mut asserted = vec![];
    for (n, a) in terms.iter().enumerate() {
        for b in &terms[..n] {
            asserted.push(format!("(not (= {a} {b}))"));
        }
    }
    all_needed(preamble(holes, &terms), holes, asserted, rng)
}

fn outside(holes: &Holes, rng: &mut Rng) -> Draft {
    let terms = terms(1);
    let asserted = holes.values.iter().map(|value| format!("(distinct x0 {value})")).collect();
    all_needed(preamble(holes, &terms), holes, asserted, rng)
}

fn distinct(holes: &Holes) -> Draft {
    let terms = terms(holes.values.len() + 1);
    unsat(format!("{}(assert (distinct {}))\n", preamble(holes, &terms), terms.join(" ")), holes)
}

fn exists(holes: &Holes) -> Draft {
    let terms = terms(holes.values.len() + 1);
    let bound: String = terms.iter().map(|term| format!("({term} {})", holes.sort)).collect();
    let distinct = terms.join(" ");
    unsat(format!("{}(assert (exists ({bound}) (distinct {distinct})))\n", preamble(holes, &[])), holes)
}

/// A function that gives different values to the integers from 0 on, one more than there are values.
fn injection(holes: &Holes, rng: &mut Rng) -> Draft {
    let mut images: Vec<String> = (0..=holes.values.len()).map(|n| format!("(f {n})")).collect();
    shuffle(&mut images, rng);
    let declare = format!("(declare-fun f (Int) {})\n", holes.sort);
    unsat(format!("{}{declare}(assert (distinct {}))\n", preamble(holes, &[]), images.join(" ")), holes)
}

fn exactly(holes: &Holes, rng: &mut Rng) -> Draft {
    let terms = terms(holes.values.len());
    let mut values = holes.values.to_vec();
    shuffle(&mut values, rng);
    let mut model = String::from("(\n");
    for (term, value) in terms.iter().zip(&values) {
        model.push_str(&format!("(define-fun {term} () {} {value})\n", holes.sort));
    }
    model.push(')');
    let script = format!("{}(assert (distinct {}))\n", preamble(holes, &terms), terms.join(" "));
    finish(script, format!("all: {}", because(holes)), Expected::Sat, Ground::Model(model))
}
