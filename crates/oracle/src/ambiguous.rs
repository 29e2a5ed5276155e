//! Scripts that solvers, or releases of one solver, interpret differently.
//!
//! A contradiction on such a script may come from different readings of the input and not from a wrong answer. Each
//! reason here was seen in practice: string escapes changed between the 2.5 and 2.6 standards, `0^0` between z3
//! releases, and the meaning of operators outside the standard depends on the solver. A raw character outside ASCII is
//! one character to some solvers and several bytes to others. Literals can be written out in every reading
//! (`readings`), and what holds in all of them settles the question. The theory tables and the solver profiles list these operators and options. A name may be a reserved word to
//! some solvers: z3 reads `|!|` as `!`, and its own `sin` overrides one that a script declares (also in the tables).

use smtlib::printer::Format;
use smtlib::script::Command;
use smtlib::term::{Kind, Lit};
use smtlib::{Pool, Script, TermId, escape};
use solver::profile::{Profile, Profiles};
use std::sync::Arc;

/// Why an answer of a certain solver cannot be compared with the truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    pub why: &'static str,
    pub whom: Readers,
    /// Only how literals are read differs, and `readings` has every way.
    pub literal: bool,
}

impl Ambiguity {
    fn new(why: &'static str, whom: Readers) -> Ambiguity {
        Ambiguity { why, whom, literal: false }
    }
}

/// The solvers that may interpret a script differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readers {
    All,
    /// The releases of z3 before this one.
    Z3Before((u32, u32, u32)),
    Solvers(&'static [&'static str]),
    /// The solvers with this profile, and unknown solvers.
    Family(String),
}

impl Ambiguity {
    /// Whether it applies to this solver.
    pub fn concerns(&self, solver: &str, version: Option<(u32, u32, u32)>) -> bool {
        match &self.whom {
            Readers::All => true,
            Readers::Z3Before(before) => solver == "z3" && version.is_none_or(|version| version < *before),
            Readers::Solvers(names) => names.contains(&solver),
            Readers::Family(name) => solver == name || solver == "generic",
        }
    }
}

/// The z3 release from which string literals have the standard's escapes.
const Z3_STANDARD_ESCAPES: (u32, u32, u32) = (4, 8, 10);

/// Whether a vote about the script may come from different interpretations of what the standard leaves open. A
/// certificate takes into account whether it depends on such a point; a vote does not.
pub fn is_divergent(script: &Script) -> bool {
    let pool = &script.pool;
    (0..pool.len() as u32).map(smtlib::TermId).any(|term| match pool.kind(term) {
        Kind::Op { op, .. } => op.row().divergent,
        _ => false,
    })
}

/// A backslash that begins no standard escape is a plain character today and began an escape before.
fn has_old_escape(body: &[u8]) -> bool {
    body.windows(2).any(|pair| pair[0] == b'\\' && pair[1] != b'u') || body.ends_with(b"\\")
}

/// Raw bytes outside ASCII and nothing else that is read differently.
fn is_raw(body: &[u8]) -> bool {
    let ascii: Vec<u8> = body.iter().copied().filter(u8::is_ascii).collect();
    ascii.len() < body.len() && smtlib::escape::is_standard(&ascii) && !has_old_escape(&ascii)
}

/// A way to read the body of a string literal.
type Reading = fn(&[u8]) -> Vec<u32>;

/// The ways in which solvers have read literals besides the standard's: raw bytes instead of UTF-8, C escapes with and
/// without `\u{…}` and with byte characters, and no escapes at all.
const READINGS: [Reading; 5] = [
    |body| escape::parse(&raw_bytes(body)),
    escape::parse_legacy,
    |body| escape::parse_legacy(body).into_iter().map(|code| code & 0xFF).collect(),
    |body| escape::parse_legacy(&without_unicode_escapes(body)),
    |body| body.iter().copied().map(u32::from).collect(),
];

/// Every byte outside ASCII as the escape of a character of its own.
fn raw_bytes(body: &[u8]) -> Vec<u8> {
    let each = |&byte: &u8| match byte.is_ascii() {
        true => vec![byte],
        false => format!("\\u{{{byte:x}}}").into_bytes(),
    };
    body.iter().flat_map(each).collect()
}

/// `\u` as a plain `u`, which is what C escapes make of it.
fn without_unicode_escapes(body: &[u8]) -> Vec<u8> {
    let mut out = vec![];
    let mut rest = body;
    while let Some((&first, after)) = rest.split_first() {
        rest = match (first, after.first()) {
            (b'\\', Some(b'u')) => after,
            (b'\\', Some(&next)) => {
                out.extend([first, next]);
                &after[1..]
            }
            _ => {
                out.push(first);
                after
            }
        };
    }
    out
}

/// The script once for each other way to read its string literals; each is written with standard escapes.
pub fn readings(script: &Script) -> Vec<Script> {
    let text = smtlib::printer::print(script, Format::Faithful);
    let mut known = vec![read_as(&text, escape::parse)];
    for reading in READINGS {
        let read = read_as(&text, reading);
        if !known.contains(&read) {
            known.push(read);
        }
    }
    known[1..].iter().map(|text| Script::parse(text).ok()).collect::<Option<_>>().unwrap_or_default()
}

/// The text with every string literal read in a certain way. Quoted symbols and comments are no literals.
fn read_as(text: &[u8], reading: Reading) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    let until = |from: usize, end: u8| {
        text[from..].iter().position(|&byte| byte == end).map_or(text.len(), |n| from + n + 1)
    };
    while at < text.len() {
        let end = match text[at] {
            b'|' => until(at + 1, b'|'),
            b';' => until(at + 1, b'\n'),
            b'"' => {
                let mut end = until(at + 1, b'"');
                while text.get(end) == Some(&b'"') {
                    end = until(end + 1, b'"');
                }
                let body = text[at + 1..end].strip_suffix(b"\"").unwrap_or_default();
                let mut literal = String::new();
                if escape::write_literal(&reading(body), &mut literal).is_ok() {
                    out.extend_from_slice(literal.as_bytes());
                }
                at = end;
                continue;
            }
            _ => at + 1,
        };
        out.extend_from_slice(&text[at..end]);
        at = end;
    }
    out
}

/// The solvers for which an option that the script sets changes what formulas or answers mean, by their profiles.
fn of_options(script: &Script) -> Vec<Ambiguity> {
    let pool = &script.pool;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let options: Vec<String> = (script.commands.iter())
        .filter_map(|command| match command {
            Command::SetOption(key, value) => {
                Some((pool.bytes(*key).strip_prefix(b":")?, pool.bytes(*value)))
            }
            _ => None,
        })
        .map(|(key, value)| format!("{}={}", text(key), text(value)))
        .collect();
    if options.is_empty() {
        return vec![];
    }
    let profiles = Profiles::embedded();
    let changes = |profile: &&Arc<Profile>| {
        let avoided = options.iter().filter_map(|option| profile.avoided(option));
        avoided.into_iter().any(|avoid| avoid.changes_meaning)
    };
    let why = "an option changes what formulas mean";
    let families = profiles.iter().filter(changes).map(|profile| profile.name.clone());
    families.map(|family| Ambiguity::new(why, Readers::Family(family))).collect()
}

/// The names that a script declares or binds: functions, sorts and bound variables.
fn names(pool: &Pool) -> impl Iterator<Item = &[u8]> {
    let functions = pool.decls.iter().map(|decl| decl.name);
    let sorts = pool.sort_decls.iter().map(|decl| decl.name);
    let variables = (0..pool.len() as u32).filter_map(|term| match pool.kind(TermId(term)) {
        Kind::Var(name) => Some(name),
        _ => None,
    });
    functions.chain(sorts).chain(variables).map(|name| pool.bytes(name))
}

/// Whether a name must be written in bars because it is a reserved word; `lambda` became one with version 2.7.
fn is_word_of_the_language(name: &[u8]) -> bool {
    smtlib::symbol::is_reserved(name) || name == b"lambda"
}

/// The solvers whose built-in operator of a name overrides a declaration in the script.
fn overriding(name: &[u8]) -> &'static [&'static str] {
    let rows = smtlib::theory::lookup(name).into_iter().flatten();
    rows.map(|(op, _)| &op.row().overrides[..]).find(|solvers| !solvers.is_empty()).unwrap_or_default()
}

fn of_string(body: &[u8]) -> Option<Ambiguity> {
    if is_raw(body) {
        let why = "a string literal has characters outside ASCII, which releases read differently";
        return Some(Ambiguity { why, whom: Readers::All, literal: true });
    }
    let why = "a string literal has escapes that releases read differently";
    if !escape::is_standard(body) || escape::has_malformed_escape(body) {
        return Some(Ambiguity::new(why, Readers::All));
    }
    if has_old_escape(body) {
        return Some(Ambiguity { why, whom: Readers::All, literal: true });
    }
    let why = "old releases read string escapes differently";
    let whom = Readers::Z3Before(Z3_STANDARD_ESCAPES);
    body.contains(&b'\\').then_some(Ambiguity { why, whom, literal: true })
}

fn of_term(pool: &Pool, term: TermId) -> Option<Ambiguity> {
    match pool.kind(term) {
        Kind::Lit(Lit::String, text) => of_string(pool.bytes(text)),
        Kind::Op { op, .. } => op.row().disputed.map(|why| Ambiguity::new(why, Readers::All)),
        Kind::Lit(Lit::Char, _) => {
            let why = "old releases read characters differently";
            Some(Ambiguity::new(why, Readers::Z3Before(Z3_STANDARD_ESCAPES)))
        }
        _ => None,
    }
}

/// Names that some solvers interpret differently.
fn of_names(pool: &Pool) -> Vec<Ambiguity> {
    let mut found = vec![];
    if names(pool).any(is_word_of_the_language) {
        let why = "a name in bars is a reserved word, which some solvers read as that word";
        found.push(Ambiguity::new(why, Readers::All));
    }
    for solvers in pool.decls.iter().map(|decl| overriding(pool.bytes(decl.name))) {
        if !solvers.is_empty() {
            let why = "the script declares a function under the name of an operator that overrides it";
            found.push(Ambiguity::new(why, Readers::Solvers(solvers)));
        }
    }
    found
}

/// All ambiguities of a script.
pub fn ambiguities(script: &Script) -> Vec<Ambiguity> {
    let pool = &script.pool;
    let terms = (0..pool.len() as u32).filter_map(|term| of_term(pool, TermId(term)));
    let mut found = vec![];
    for ambiguity in of_options(script).into_iter().chain(of_names(pool)).chain(terms) {
        if !found.contains(&ambiguity) {
            found.push(ambiguity);
        }
    }
    found
}
