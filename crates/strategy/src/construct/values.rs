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
use smtlib::{Pool, Sort, SortId};

/// How deep values are nested.
pub const DEPTH: usize = 4;
/// How many values of a structured sort are made.
const MADE: usize = 16;

pub fn texts(pool: &Pool, places: &Places, sort: SortId, depth: usize, rng: &mut Rng) -> Vec<String> {
    if depth == 0 {
        return vec![];
    }
    let parts = |part: SortId, rng: &mut Rng| texts(pool, places, part, depth - 1, rng);
    match pool.sort(sort).clone() {
        Sort::Array(index, element) => {
            let (keys, values) = (parts(index, rng), parts(element, rng));
            (0..MADE).filter_map(|n| array(pool, sort, &keys, &values, n % 4, rng)).collect()
        }
        Sort::Seq(element) => joined(pool, sort, "seq", ["seq.unit", "seq.++"], &parts(element, rng), rng),
        Sort::Set(element) | Sort::FiniteSet(element) => {
            joined(pool, sort, "set", ["set.singleton", "set.union"], &parts(element, rng), rng)
        }
        Sort::Declared(_, args) if args.is_empty() => datatype(pool, places, sort, depth, rng),
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
    let mut text = format!("((as const {}) {})", sort_text(pool, sort), rng.pick(values)?);
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

/// Each constructor several times, over values of its fields.
fn datatype(pool: &Pool, places: &Places, sort: SortId, depth: usize, rng: &mut Rng) -> Vec<String> {
    let Some((datatype, _)) = pool.datatype(sort) else { return vec![] };
    let mut found = vec![];
    for constructor in &datatype.constructors {
        let decl = pool.decl(constructor.decl);
        let mut name = vec![];
        write_name(&mut name, pool.bytes(decl.name));
        let name = String::from_utf8_lossy(&name).into_owned();
        if decl.params.is_empty() {
            found.push(name);
            continue;
        }
        let fields: Vec<Vec<String>> =
            decl.params.iter().map(|&field| texts(pool, places, field, depth - 1, rng)).collect();
        for _ in 0..MADE / 2 {
            let args: Option<Vec<&str>> = fields.iter().map(|f| rng.pick(f).map(String::as_str)).collect();
            found.extend(args.map(|args| format!("({name} {})", args.join(" "))));
        }
    }
    found
}
