//! Scripts that solvers, or releases of one solver, interpret differently.
//!
//! A contradiction on such a script may come from different readings of the input and not from a wrong answer. Each
//! reason here was seen in practice: string escapes changed between the 2.5 and 2.6 standards, `0^0` between z3
//! releases, and the meaning of operators outside the standard depends on the solver. A raw character outside ASCII is
//! one character to some solvers and several bytes to others; there a model that holds in both readings settles the
//! question. The theory tables and the solver profiles list these operators and options. A name may be a reserved word to
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

pub const OUTSIDE_ASCII: &str =
    "a string literal has characters outside ASCII, which releases read differently";

/// The script with every raw character outside ASCII written as an escape, once for each way to read it: as the
/// characters that UTF-8 means, and as bytes. None if something else than a literal has such a character.
pub fn readings(script: &Script) -> Vec<Script> {
    let text = smtlib::printer::print(script, Format::Faithful);
    let escape = |number: u32| format!("\\u{{{number:x}}}");
    let keep = |ascii: bool, number: u32| match char::from_u32(number).filter(|_| ascii) {
        Some(c) => c.to_string(),
        None => escape(number),
    };
    let bytes: String = text.iter().map(|&byte| keep(byte.is_ascii(), byte.into())).collect();
    let whole = String::from_utf8_lossy(&text);
    let characters: String = whole.chars().map(|c| keep(c.is_ascii(), c.into())).collect();
    let read = |text: &String| Script::parse(text.as_bytes()).ok();
    [characters, bytes].iter().map(read).collect::<Option<_>>().unwrap_or_default()
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
    families.map(|family| Ambiguity { why, whom: Readers::Family(family) }).collect()
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
        return Some(Ambiguity { why: OUTSIDE_ASCII, whom: Readers::All });
    }
    let odd = !escape::is_standard(body) || has_old_escape(body) || escape::has_malformed_escape(body);
    if odd {
        let why = "a string literal has escapes that releases read differently";
        return Some(Ambiguity { why, whom: Readers::All });
    }
    let why = "old releases read string escapes differently";
    body.contains(&b'\\').then_some(Ambiguity { why, whom: Readers::Z3Before(Z3_STANDARD_ESCAPES) })
}

fn of_term(pool: &Pool, term: TermId) -> Option<Ambiguity> {
    match pool.kind(term) {
        Kind::Lit(Lit::String, text) => of_string(pool.bytes(text)),
        Kind::Op { op, .. } => op.row().disputed.map(|why| Ambiguity { why, whom: Readers::All }),
        Kind::Lit(Lit::Char, _) => {
            let why = "old releases read characters differently";
            Some(Ambiguity { why, whom: Readers::Z3Before(Z3_STANDARD_ESCAPES) })
        }
        _ => None,
    }
}

/// Names that some solvers interpret differently.
fn of_names(pool: &Pool) -> Vec<Ambiguity> {
    let mut found = vec![];
    if names(pool).any(is_word_of_the_language) {
        let why = "a name in bars is a reserved word, which some solvers read as that word";
        found.push(Ambiguity { why, whom: Readers::All });
    }
    for solvers in pool.decls.iter().map(|decl| overriding(pool.bytes(decl.name))) {
        if !solvers.is_empty() {
            let why = "the script declares a function under the name of an operator that overrides it";
            found.push(Ambiguity { why, whom: Readers::Solvers(solvers) });
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
