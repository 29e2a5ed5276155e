//! Scripts that solvers, or releases of one solver, read differently.
//!
//! A contradiction on such a script is a matter of reading, not of solving. Each reason here was met in practice:
//! string escapes changed between the 2.5 and 2.6 standards, `0^0` between z3 releases, and operators outside the
//! standard mean what their solver says. A raw character outside ASCII is one character to some and its bytes to others;
//! there a model that holds in both readings settles the matter.

use smtlib::Script;
use smtlib::printer::Format;
use smtlib::script::Command;
use smtlib::term::{Kind, Lit};

/// Why an answer of a certain solver cannot be compared with the truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    pub why: &'static str,
    /// The z3 releases it concerns are those before this one; `None`: every solver.
    pub z3_before: Option<(u32, u32, u32)>,
}

impl Ambiguity {
    /// Whether it concerns this solver.
    pub fn concerns(&self, solver: &str, version: Option<(u32, u32, u32)>) -> bool {
        match self.z3_before {
            None => true,
            Some(before) => solver == "z3" && version.is_none_or(|version| version < before),
        }
    }
}

/// The z3 release from which string literals have the standard's escapes.
const Z3_STANDARD_ESCAPES: (u32, u32, u32) = (4, 8, 10);

/// Operators whose under-specified points solvers fill differently. A certificate knows whether it depends on such a
/// point; a vote does not.
const DIVERGENT: &[&str] = &[
    "fp.min",
    "fp.max",
    "fp.to_ubv",
    "fp.to_sbv",
    "fp.to_real",
    "fp.to_ieee_bv",
    "seq.nth",
    "int.pow2",
    "int.log2",
    "set.choose",
    "bag.choose",
    "array-ext",
    "default",
];

/// Whether a vote about the script may be a difference in filling in what the standard leaves open.
pub fn is_divergent(script: &Script) -> bool {
    let pool = &script.pool;
    (0..pool.len() as u32).map(smtlib::TermId).any(|term| match pool.kind(term) {
        Kind::Op { op, .. } => DIVERGENT.contains(&op.row().name),
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

/// Options with which a formula or an answer means something else: division by zero, the characters, arrays that are
/// not what they hold, operators that nobody interprets, check-sats that walk from optimum to optimum.
fn is_meaning(key: &[u8], value: &[u8]) -> bool {
    let options: [&[u8]; 7] = [
        b":smt.bv.enable_int2bv",
        b":rewriter.hi_div0",
        b":hi_div0",
        b":encoding",
        b":unicode",
        b":smt.array.extensional",
        b":strings-alpha-card",
    ];
    let with_value = [(&b":opt.priority"[..], &b"pareto"[..]), (b":smt.string_solver", b"none")];
    options.contains(&key) || with_value.contains(&(key, value))
}

/// Everything ambiguous about a script.
pub fn ambiguities(script: &Script) -> Vec<Ambiguity> {
    let pool = &script.pool;
    let mut found = vec![];
    let mut add = |why, z3_before| {
        let ambiguity = Ambiguity { why, z3_before };
        if !found.contains(&ambiguity) {
            found.push(ambiguity);
        }
    };
    let sets = |command: &Command| matches!(command, Command::SetOption(key, value) if is_meaning(pool.bytes(*key), pool.bytes(*value)));
    if script.commands.iter().any(sets) {
        add("an option changes what formulas mean", None);
    }
    for term in (0..pool.len() as u32).map(smtlib::TermId) {
        match pool.kind(term) {
            Kind::Lit(Lit::String, text) => {
                let body = pool.bytes(text);
                if is_raw(body) {
                    add(OUTSIDE_ASCII, None);
                } else if !smtlib::escape::is_standard(body) || has_old_escape(body) {
                    add("a string literal has escapes that releases read differently", None);
                } else if body.contains(&b'\\') {
                    add("old releases read string escapes differently", Some(Z3_STANDARD_ESCAPES));
                }
            }
            Kind::Op { op, .. } if matches!(op.row().name, "^" | "**") => {
                add("releases disagree about powers such as 0^0", None);
            }
            Kind::Lit(Lit::Char, _) => {
                add("old releases read characters differently", Some(Z3_STANDARD_ESCAPES))
            }
            _ => {}
        }
    }
    found
}
