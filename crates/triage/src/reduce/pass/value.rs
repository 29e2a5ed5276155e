//! Simple values of a sort, as text, simplest first.

use smtlib::printer::write_sort;
use smtlib::sort::{Sort, SortId};
use smtlib::symbol::write_name;
use smtlib::{Pool, Script};

/// The values to try in place of a term of this sort; empty if the sort has no simple value in the standard.
pub fn simple(pool: &Pool, sort: SortId) -> Vec<Vec<u8>> {
    let words = |words: &[&str]| words.iter().map(|word| word.as_bytes().to_vec()).collect();
    match pool.sort(sort) {
        Sort::Bool => words(&["true", "false"]),
        Sort::Int => words(&["0", "1"]),
        Sort::Real => words(&["0.0", "1.0"]),
        Sort::String => words(&["\"\"", "\"a\""]),
        Sort::RegLan => words(&["re.none", "re.all"]),
        Sort::RoundingMode => words(&["RNE", "RTZ"]),
        Sort::BitVec(width) => vec![bitvec(*width, false), bitvec(*width, true)],
        Sort::Float { eb, sb } => {
            ["+zero", "NaN"].iter().map(|name| format!("(_ {name} {eb} {sb})").into_bytes()).collect()
        }
        Sort::Seq(_) => vec![qualified(pool, "seq.empty", sort)],
        Sort::Set(_) => vec![qualified(pool, "set.empty", sort)],
        Sort::Bag(_) => vec![qualified(pool, "bag.empty", sort)],
        Sort::Declared(..) => constructors(pool, sort),
        _ => vec![],
    }
}

/// 0 or 1 in the shortest spelling.
pub fn bitvec(width: u32, one: bool) -> Vec<u8> {
    let last = if one { '1' } else { '0' };
    let zeros = |count: u32| "0".repeat(count as usize);
    let text = match width {
        w if w % 4 == 0 && w <= 32 => format!("#x{}{last}", zeros(w / 4 - 1)),
        w if w <= 9 => format!("#b{}{last}", zeros(w.saturating_sub(1))),
        w => format!("(_ bv{last} {w})"),
    };
    text.into_bytes()
}

fn qualified(pool: &Pool, name: &str, sort: SortId) -> Vec<u8> {
    let mut text = format!("(as {name} ").into_bytes();
    write_sort(&mut text, pool, sort);
    text.push(b')');
    text
}

/// The constructors without fields.
fn constructors(pool: &Pool, sort: SortId) -> Vec<Vec<u8>> {
    let Some((datatype, args)) = pool.datatype(sort) else { return vec![] };
    let plain = datatype.constructors.iter().filter(|constructor| constructor.selectors.is_empty());
    plain
        .take(2)
        .map(|constructor| {
            let mut name = vec![];
            write_name(&mut name, pool.bytes(pool.decl(constructor.decl).name));
            if args.is_empty() {
                return name;
            }
            let mut text = b"(as ".to_vec();
            text.extend(name);
            text.push(b' ');
            write_sort(&mut text, pool, sort);
            text.push(b')');
            text
        })
        .collect()
}

/// The declared constants of a sort, in order.
pub fn constants(script: &Script, sort: SortId) -> impl Iterator<Item = Vec<u8>> + '_ {
    script.commands.iter().filter_map(move |command| {
        let smtlib::Command::DeclareFun { decl, .. } = command else { return None };
        let decl = script.pool.decl(*decl);
        (decl.params.is_empty() && decl.result == sort).then(|| {
            let mut name = vec![];
            write_name(&mut name, script.pool.bytes(decl.name));
            name
        })
    })
}
