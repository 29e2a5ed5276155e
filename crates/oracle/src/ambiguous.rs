//! Scripts that solvers, or releases of one solver, read differently.
//!
//! A contradiction on such a script is a matter of reading, not of solving. Each reason here was met in practice:
//! string escapes changed between the 2.5 and 2.6 standards, `0^0` between z3 releases, and operators outside the
//! standard mean what their solver says.

use smtlib::Script;
use smtlib::term::{Kind, Lit};
use smtlib::value::text::Text;

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
    for term in (0..pool.len() as u32).map(smtlib::TermId) {
        match pool.kind(term) {
            Kind::Lit(Lit::String, text) => {
                let body = pool.bytes(text);
                if !Text::is_standard(body) || has_old_escape(body) {
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
