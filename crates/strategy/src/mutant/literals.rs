//! Boundary values: for each sort the few values that solvers most often handle wrongly.
//!
//! Zero, one, minus one, the least and the greatest word, every kind of float, the empty string and unusual strings,
//! the empty collection. Their text has the same meaning in every logic that has the sort: a Real is written with its
//! decimal point, a negative number as an application.

use crate::mutant::places::{Life, Places};
use smtlib::printer::sort_text;
use smtlib::symbol::write_name;
use smtlib::{Pool, Sort, SortId};

/// How deep values of values are built.
const DEPTH: usize = 3;

/// A value as text, with the commands that may mention it.
#[derive(Clone, Debug)]
pub struct Literal {
    pub text: Box<[u8]>,
    pub life: Life,
}

/// The values of a sort that are worth trying; none if no value of the sort can be written.
pub fn literals(pool: &Pool, places: &Places, sort: SortId) -> Vec<Literal> {
    let life = places.sort_life(pool, sort);
    let texts = texts(pool, places, sort, DEPTH);
    texts.into_iter().map(|text| Literal { text: text.into_bytes().into(), life }).collect()
}

fn texts(pool: &Pool, places: &Places, sort: SortId, depth: usize) -> Vec<String> {
    let listed = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let empty = |name: &str| format!("(as {name} {})", sort_text(pool, sort));
    let inner = |element: SortId| if depth > 0 { texts(pool, places, element, depth - 1) } else { vec![] };
    match pool.sort(sort) {
        Sort::Bool => listed(&["true", "false"]),
        Sort::Int if places.logic.real_numerals() => vec![],
        Sort::Int => {
            let writable = |text: &str| places.logic.has_minus() || !text.starts_with('(');
            listed(INTS).into_iter().filter(|text| writable(text)).collect()
        }
        Sort::Real => listed(REALS),
        Sort::String => strings(),
        Sort::RegLan => listed(LANGUAGES),
        Sort::RoundingMode => listed(&["RNE", "RNA", "RTP", "RTN", "RTZ"]),
        Sort::BitVec(width) => words(*width as usize),
        Sort::Float { eb, sb } => floats(*eb as usize, *sb as usize),
        Sort::Seq(element) => collection(&empty("seq.empty"), "seq.unit", &inner(*element)),
        // z3 uses the array sort for sets; only cvc5's own operators show which one is meant.
        Sort::Set(element) if places.theories.contains(&"Sets") => {
            collection(&empty("set.empty"), "set.singleton", &inner(*element))
        }
        Sort::FiniteSet(_) => vec![empty("set.empty")],
        Sort::Bag(element) => {
            let mut found = vec![empty("bag.empty")];
            found.extend(inner(*element).iter().take(3).map(|value| format!("(bag {value} 2)")));
            found
        }
        Sort::Field(_) => ["ff0", "ff1", "ff2", "ff-1"].iter().map(|value| empty(value)).collect(),
        Sort::Nullable(element) => collection(&empty("nullable.null"), "nullable.some", &inner(*element)),
        Sort::Tuple(sorts) => tuple(&sorts.iter().map(|&sort| inner(sort)).collect::<Vec<_>>()),
        Sort::Char => listed(&["(_ Char 0)", "(_ Char 65)", "(_ Char 196607)"]),
        Sort::Declared(_, args) => constructors(pool, places, sort, !args.is_empty()),
        _ => vec![],
    }
}

const INTS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "10",
    "(- 1)",
    "(- 2)",
    "255",
    "2147483647",
    "(- 2147483648)",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
];

const REALS: &[&str] = &[
    "0.0",
    "1.0",
    "2.0",
    "0.5",
    "(- 1.0)",
    "(- 0.5)",
    "(/ 1.0 3.0)",
    "0.000001",
    "1000000.0",
    "(- 9223372036854775808.0)",
];

const LANGUAGES: &[&str] = &[
    "re.none",
    "re.all",
    "re.allchar",
    "(str.to_re \"\")",
    "(str.to_re \"a\")",
    "(re.range \"a\" \"z\")",
    "(re.range \"b\" \"a\")",
    "(re.* re.allchar)",
];

fn strings() -> Vec<String> {
    let mut found: Vec<String> = [
        "\"\"",
        "\"a\"",
        "\"b\"",
        "\"ab\"",
        "\"0\"",
        "\"01\"",
        "\"-1\"",
        "\"\"\"\"",
        "\" \"",
        "\"\\u{0}\"",
        "\"\\u{41}\"",
        "\"\\u{2ffff}\"",
        "\"\\u{d800}\"",
        "\"\\\\x41\"",
        "\"\\u{\"",
        "\"2147483648\"",
    ]
    .iter()
    .map(|&text| text.to_owned())
    .collect();
    found.push(format!("\"{}\"", "ab".repeat(40)));
    found
}

/// Zero, one, all ones, the least and the greatest signed number, alternating bits.
fn words(width: usize) -> Vec<String> {
    if width > 256 {
        return vec![
            format!("(_ bv0 {width})"),
            format!("(_ bv1 {width})"),
            format!("(bvnot (_ bv0 {width}))"),
            format!("(bvneg (_ bv2 {width}))"),
        ];
    }
    let bits = |bit: &dyn Fn(usize) -> bool| -> String {
        (0..width).map(|n| if bit(n) { '1' } else { '0' }).collect()
    };
    let last = width - 1;
    let mut found = vec![
        bits(&|_| false),
        bits(&|n| n == last),
        bits(&|_| true),
        bits(&|n| n == 0),
        bits(&|n| n > 0),
        bits(&|n| n % 2 == 1),
        bits(&|n| n + 1 == last),
    ];
    found.sort();
    found.dedup();
    found.iter().map(|bits| format!("#b{bits}")).collect()
}

fn floats(eb: usize, sb: usize) -> Vec<String> {
    let special = ["NaN", "+zero", "-zero", "+oo", "-oo"].iter().map(|name| format!("(_ {name} {eb} {sb})"));
    let mut found: Vec<String> = special.collect();
    let same = |bit: char, count: usize| -> String { std::iter::repeat_n(bit, count).collect() };
    let fraction = sb - 1;
    let ended = |first: char, count: usize, last: char| format!("{}{last}", same(first, count - 1));
    let exponents = [
        (same('0', eb), ended('0', fraction, '1')),
        (same('0', eb), same('1', fraction)),
        (ended('0', eb, '1'), same('0', fraction)),
        (ended('1', eb, '0'), same('1', fraction)),
        (format!("0{}", same('1', eb - 1)), same('0', fraction)),
        (format!("0{}", same('1', eb - 1)), ended('0', fraction, '1')),
    ];
    for (exponent, fraction) in &exponents {
        found.extend(["0", "1"].map(|sign| format!("(fp #b{sign} #b{exponent} #b{fraction})")));
    }
    found
}

fn collection(empty: &str, unit: &str, elements: &[String]) -> Vec<String> {
    let units = elements.iter().take(3).map(|element| format!("({unit} {element})"));
    [empty.to_owned()].into_iter().chain(units).collect()
}

fn tuple(parts: &[Vec<String>]) -> Vec<String> {
    if parts.is_empty() {
        return vec!["tuple.unit".to_owned()];
    }
    let pick = |n: usize| -> Option<Vec<&str>> {
        parts.iter().map(|part| part.get(n % part.len().max(1)).map(String::as_str)).collect()
    };
    (0..3).filter_map(pick).map(|values| format!("(tuple {})", values.join(" "))).collect()
}

/// The constructors without fields.
fn constructors(pool: &Pool, places: &Places, sort: SortId, parametric: bool) -> Vec<String> {
    let Some((datatype, _)) = pool.datatype(sort) else { return vec![] };
    let plain = datatype.constructors.iter().map(|c| pool.decl(c.decl)).filter(|decl| decl.params.is_empty());
    plain
        .filter(|decl| !places.ambiguous.contains(&decl.name))
        .map(|decl| {
            let mut name = vec![];
            write_name(&mut name, pool.bytes(decl.name));
            let name = String::from_utf8_lossy(&name).into_owned();
            if parametric { format!("(as {name} {})", sort_text(pool, sort)) } else { name }
        })
        .collect()
}
