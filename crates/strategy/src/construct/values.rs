//! Values to choose models from: boundary values, and structures made of them.
//!
//! In: a sort. Out: texts of values, the most extreme first. Where `regrow` has boundary values they are used; arrays,
//! datatypes, sequences, sets and bags are made of values of their parts, nested to a small depth. Every text is a
//! closed term that both the script and its model may contain.

use crate::Rng;
use crate::mutant::literals::literals;
use crate::mutant::places::Places;
use smtlib::printer::sort_text;
use smtlib::symbol::write_name;
use smtlib::term::DeclId;
use smtlib::{Pool, Sort, SortId};

/// How deep values are nested.
pub const DEPTH: usize = 4;
/// How many values of a structured sort are made.
const MADE: usize = 16;

pub fn texts(pool: &mut Pool, places: &Places, sort: SortId, depth: usize, rng: &mut Rng) -> Vec<String> {
    if depth == 0 {
        return vec![];
    }
    match pool.sort(sort).clone() {
        Sort::Array(index, element) => {
            let keys = texts(pool, places, index, depth - 1, rng);
            let values = texts(pool, places, element, depth - 1, rng);
            (0..MADE).filter_map(|n| array(pool, sort, &keys, &values, n % 4, rng)).collect()
        }
        Sort::Seq(element) => {
            let elements = texts(pool, places, element, depth - 1, rng);
            joined(pool, sort, "seq", ["seq.unit", "seq.++"], &elements, rng)
        }
        Sort::Set(element) | Sort::FiniteSet(element) => {
            let elements = texts(pool, places, element, depth - 1, rng);
            joined(pool, sort, "set", ["set.singleton", "set.union"], &elements, rng)
        }
        Sort::Bag(element) => {
            let elements = texts(pool, places, element, depth - 1, rng);
            bags(pool, sort, &elements, rng)
        }
        Sort::Declared(..) => datatype(pool, places, sort, depth, rng),
        Sort::BitVec(width) if width <= 4 => {
            (0..1u32 << width).map(|n| format!("#b{n:0width$b}", width = width as usize)).collect()
        }
        _ => edges(pool, places, sort),
    }
}

fn edges(pool: &Pool, places: &Places, sort: SortId) -> Vec<String> {
    let texts = literals(pool, places, sort).into_iter();
    texts.map(|literal| String::from_utf8_lossy(&literal.text).into_owned()).collect()
}

/// A constant array with this many stores.
fn array(
    pool: &Pool,
    sort: SortId,
    keys: &[String],
    values: &[String],
    stores: usize,
    rng: &mut Rng,
) -> Option<String> {
    // cvc5 takes only a value for all elements of a constant array. The application that a negative number is counts as
    // none, nor does a union, and neither do constructors of them.
    let made = ["(-", "(/", "(seq.++", "(set.union", "(bag.union"];
    let literal = |text: &&String| !made.iter().any(|head| text.contains(head));
    let literals: Vec<&String> = values.iter().filter(literal).collect();
    let mut text = format!("((as const {}) {})", sort_text(pool, sort), rng.pick(&literals)?);
    for _ in 0..stores {
        text = format!("(store {text} {} {})", rng.pick(keys)?, rng.pick(values)?);
    }
    Some(text)
}

/// Collections of zero, one and several elements.
fn joined(
    pool: &Pool,
    sort: SortId,
    theory: &str,
    [unit, join]: [&str; 2],
    elements: &[String],
    rng: &mut Rng,
) -> Vec<String> {
    let mut found = vec![format!("(as {theory}.empty {})", sort_text(pool, sort))];
    found.extend(elements.iter().take(4).map(|element| format!("({unit} {element})")));
    for n in 0..MADE {
        let units: Option<Vec<String>> =
            (0..2 + n % 3).map(|_| Some(format!("({unit} {})", rng.pick(elements)?))).collect();
        found.extend(units.map(|units| format!("({join} {})", units.join(" "))));
    }
    found
}

/// Bags of no, one and two elements, each several times.
fn bags(pool: &Pool, sort: SortId, elements: &[String], rng: &mut Rng) -> Vec<String> {
    let mut found = vec![format!("(as bag.empty {})", sort_text(pool, sort))];
    let one = |rng: &mut Rng| Some(format!("(bag {} {})", rng.pick(elements)?, 1 + rng.below(3)));
    for n in 0..MADE {
        let bag = match n % 2 {
            0 => one(rng),
            _ => one(rng).zip(one(rng)).map(|(left, right)| format!("(bag.union_disjoint {left} {right})")),
        };
        found.extend(bag);
    }
    found
}

/// A constructor of a sort, with the sorts of its fields there.
pub struct Built {
    pub name: String,
    pub decl: DeclId,
    pub selectors: Box<[DeclId]>,
    pub fields: Vec<SortId>,
}

/// The constructors of a datatype, with the sort's own arguments for parameters.
pub fn constructors(pool: &mut Pool, sort: SortId) -> Vec<Built> {
    let Some((datatype, args)) = pool.datatype(sort) else { return vec![] };
    let (datatype, args) = (datatype.clone(), args.to_vec());
    let mut found = vec![];
    for constructor in &datatype.constructors {
        let params = pool.decl(constructor.decl).params.clone();
        let fields =
            params.iter().map(|&field| pool.substitute_sort(field, &datatype.params, &args)).collect();
        let mut name = vec![];
        write_name(&mut name, pool.bytes(pool.decl(constructor.decl).name));
        let name = String::from_utf8_lossy(&name).into_owned();
        found.push(Built { name, decl: constructor.decl, selectors: constructor.selectors.clone(), fields });
    }
    found
}

/// Each constructor several times, over values of its fields.
fn datatype(pool: &mut Pool, places: &Places, sort: SortId, depth: usize, rng: &mut Rng) -> Vec<String> {
    let is_parametric = pool.datatype(sort).is_some_and(|(_, args)| !args.is_empty());
    let mut found = vec![];
    for Built { name, fields, .. } in constructors(pool, sort) {
        // A constructor without fields does not show which sort of a parametric datatype it makes.
        if fields.is_empty() {
            found.push(if is_parametric { format!("(as {name} {})", sort_text(pool, sort)) } else { name });
            continue;
        }
        let fields: Vec<Vec<String>> =
            fields.iter().map(|&field| texts(pool, places, field, depth - 1, rng)).collect();
        for _ in 0..MADE / 2 {
            let args: Option<Vec<&str>> = fields.iter().map(|f| rng.pick(f).map(String::as_str)).collect();
            found.extend(args.map(|args| format!("({name} {})", args.join(" "))));
        }
    }
    found
}
