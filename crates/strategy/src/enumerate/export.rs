//! Makes a grammar from the theory tables.
//!
//! In: a few sorts, as text. Out: a grammar and its class file, in the format that [`super::grammar`] reads: one rule
//! per sort, one alternative per operator of the tables whose arguments and result are among the sorts. A new row in a
//! table is part of the next export. An operator that only some solvers accept is left out unless all named solvers
//! accept it. Extensions of the standard are left out unless the caller asks for them. Must never write an ill-typed
//! alternative: every rank is resolved by the type checker's own matcher.

use crate::mutant::fit;
use smtlib::parser::parse_sort;
use smtlib::printer::sort_text;
use smtlib::term::Index;
use smtlib::theory::{self, Assoc, OpId, Row};
use smtlib::{Pool, Script, Sort, SortId};
use std::collections::BTreeMap;

/// What to export.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Sorts as SMT-LIB writes them; Bool is always among them.
    pub sorts: Vec<String>,
    /// Only operators that all of these solvers accept. If no solver is named, all operators.
    pub solvers: Vec<String>,
    /// Include operators that are not in the standard.
    pub extensions: bool,
}

/// A grammar and the classes beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    pub grammar: String,
    pub classes: String,
}

/// Maximum number of instances of an indexed operator per rank; with all of them the other operators would hardly
/// occur.
const INSTANCES: usize = 3;

/// Makes the grammar. The error says what is wrong with a sort.
pub fn export(name: &str, wanted: &Wanted) -> Result<Exported, String> {
    let mut script = Script::parse(b"").map_err(|error| error.to_string())?;
    let mut sorts = vec![SortId::BOOL];
    for text in &wanted.sorts {
        let sort = parse_sort(&mut script, text.as_bytes()).map_err(|error| format!("`{text}`: {error}"))?;
        if !sorts.contains(&sort) {
            sorts.push(sort);
        }
    }
    let names: Vec<String> = sorts.iter().map(|&sort| slug(&sort_text(&script.pool, sort))).collect();
    let mut rules: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (number, row) in theory::rows().iter().enumerate() {
        if is_wanted(row, wanted) {
            let mut rows = Rows { pool: &mut script.pool, sorts: &sorts, names: &names, rules: &mut rules };
            rows.add(OpId(number as u16), row);
        }
    }
    Ok(write(name, &script.pool, &sorts, &names, &rules))
}

fn is_wanted(row: &Row, wanted: &Wanted) -> bool {
    let taken = |solver: &String| row.by.as_ref().is_none_or(|by| by.contains(&solver.as_str()));
    fit::is_writable(row) && (wanted.extensions || row.since.is_some()) && wanted.solvers.iter().all(taken)
}

/// A rule's name: the letters and digits of its sort.
fn slug(sort: &str) -> String {
    let words: Vec<String> = sort
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("_") + "_term"
}

struct Rows<'a> {
    pool: &'a mut Pool,
    sorts: &'a [SortId],
    names: &'a [String],
    rules: &'a mut BTreeMap<usize, Vec<String>>,
}

impl Rows<'_> {
    /// Adds every instance of a row over the sorts.
    fn add(&mut self, op: OpId, row: &Row) {
        let count = match row.assoc {
            Assoc::Fixed => row.args.len(),
            _ => row.args.len().max(2),
        };
        if !row.takes(count) {
            return;
        }
        let mut args = vec![SortId::BOOL; count];
        self.fill(op, row, &mut args, 0);
    }

    fn fill(&mut self, op: OpId, row: &Row, args: &mut Vec<SortId>, n: usize) {
        if n < args.len() {
            for &sort in self.sorts {
                if fit::could_be(self.pool, row.arg_pattern(n, args.len()), sort) {
                    args[n] = sort;
                    self.fill(op, row, args, n + 1);
                }
            }
            return;
        }
        let hints: Vec<u64> = args.iter().flat_map(|&sort| fit::numbers_of(self.pool, sort)).collect();
        let mut instances = 0;
        for indices in self.indices(row, &hints) {
            if instances < INSTANCES && self.instance(op, row, &indices, args) {
                instances += 1;
            }
        }
    }

    fn indices(&self, row: &Row, hints: &[u64]) -> Vec<Vec<Index>> {
        let mut numbers: Vec<u64> = [1, 0, 2].into_iter().chain(hints.iter().copied()).collect();
        for &sort in self.sorts {
            numbers.extend(fit::numbers_of(self.pool, sort));
        }
        let mut seen = std::collections::BTreeSet::new();
        numbers.retain(|number| seen.insert(*number));
        let one = |number: &u64| Index::Num(*number);
        match row.indices.len() {
            0 => vec![vec![]],
            1 => numbers.iter().map(|n| vec![one(n)]).collect(),
            2 => numbers.iter().flat_map(|m| numbers.iter().map(|n| vec![one(m), one(n)])).collect(),
            _ => vec![],
        }
    }

    fn instance(&mut self, op: OpId, row: &Row, indices: &[Index], args: &[SortId]) -> bool {
        let Some((found, result)) = fit::resolve(self.pool, row.name, indices, args) else { return false };
        let Some(place) = self.sorts.iter().position(|&sort| sort == result) else { return false };
        let Some(head) = fit::head_text(row.name, indices).filter(|_| found == op) else { return false };
        let head = String::from_utf8_lossy(&head).replace('\\', "\\\\").replace('\'', "\\'");
        let mut text = if args.is_empty() { format!("'{head}'") } else { format!("'({head}'") };
        for arg in args {
            let at = self.sorts.iter().position(|sort| sort == arg).unwrap_or(0);
            text += &format!(" {}", self.names[at]);
        }
        if !args.is_empty() {
            text += " ')'";
        }
        let alternatives = self.rules.entry(place).or_default();
        if !alternatives.contains(&text) {
            alternatives.push(text);
        }
        true
    }
}

/// Two literals of a sort, where it has any.
fn constants(pool: &Pool, sort: SortId) -> Vec<String> {
    let texts = |all: &[&str]| all.iter().map(|&text| text.to_owned()).collect();
    match *pool.sort(sort) {
        Sort::Int => texts(&["0", "1"]),
        Sort::Real => texts(&["0.0", "1.0"]),
        Sort::String => texts(&["\"\"", "\"a\""]),
        Sort::BitVec(width) => {
            vec![format!("#b{}", "0".repeat(width as usize)), format!("#b{}", "1".repeat(width as usize))]
        }
        Sort::Float { eb, sb } => vec![format!("(_ +zero {eb} {sb})"), format!("(_ NaN {eb} {sb})")],
        _ => vec![],
    }
}

/// Whether solvers accept variables of this sort.
fn has_variables(pool: &Pool, sort: SortId) -> bool {
    *pool.sort(sort) != Sort::RegLan
}

fn write(
    name: &str,
    pool: &Pool,
    sorts: &[SortId],
    names: &[String],
    rules: &BTreeMap<usize, Vec<String>>,
) -> Exported {
    let (mut variables, mut literals) = (BTreeMap::new(), BTreeMap::new());
    let mut grammar = format!("// Made from the theory tables.\ngrammar {name};\n");
    for (at, &sort) in sorts.iter().enumerate() {
        let class = names[at].trim_end_matches("_term").to_ascii_uppercase();
        let mut alternatives = vec![];
        let constants = constants(pool, sort);
        if !constants.is_empty() {
            alternatives.push(format!("{class}_CONST"));
            literals.insert(format!("{class}_CONST"), constants);
        }
        if has_variables(pool, sort) {
            alternatives.push(format!("{class}_VAR"));
            variables
                .insert(format!("{class}_VAR"), format!("(declare-const {{}} {})", sort_text(pool, sort)));
        }
        alternatives.extend(rules.get(&at).into_iter().flatten().cloned());
        let indent = " ".repeat(names[at].len());
        grammar += &format!("{}: {};\n", names[at], alternatives.join(&format!("\n{indent}| ")));
    }
    grammar += "decl_csts: declarations;\nassert_stmt: '(assert' bool_term ')';\ncheck_sat: '(check-sat)';\n";
    grammar += "start: decl_csts assert_stmt check_sat;\n";
    let classes = serde_json::json!({ "variables": variables, "constants": literals });
    Exported { grammar, classes: format!("{classes:#}\n") }
}
