//! Signatures: when two findings are one bug.
//!
//! A crash is where it happened: the assertion's file and line, the innermost functions of the stack, or the message
//! without what changes from run to run. Anything else is its kind, its culprit, the theories, the options, and the shape of the reduced formula up
//! to its leaves. The *coarse* signature needs no reduction: it lets a flood of one bug cost one reduction. It is
//! not an identity: two findings with one coarse signature are only assumed to be the same until one is reduced.

use crate::bisect::Bisection;
use oracle::{Finding, Kind};
use smtlib::script::Command;
use smtlib::term::{Kind as Node, TermId};
use smtlib::{Pool, Script};
use std::collections::BTreeSet;

/// Where a crash happened, as far as its message tells; the same for every run of the same bug.
pub fn crash_site(message: &str, signal: Option<i32>) -> String {
    let lines = || message.lines().map(str::trim).filter(|line| !line.is_empty());
    if let Some(place) = lines().find(|line| is_place(line)) {
        return place.to_owned();
    }
    if let Some(site) = lines().find_map(solver::file_and_line) {
        return site;
    }
    let text = lines().next().map(normalised).unwrap_or_default();
    match (text.is_empty(), signal) {
        (true, Some(signal)) => format!("signal {signal}"),
        (true, None) => "crash".into(),
        (false, _) => text,
    }
}

/// Whether a site is the functions in which it happened.
pub(crate) fn is_place(site: &str) -> bool {
    site.starts_with(solver::PLACE)
}

/// A message without addresses, numbers and quoted names.
fn normalised(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = after_quoted(&out, rest) {
            out.push('#');
            rest = after;
        } else if let Some(hex) = rest.strip_prefix("0x") {
            out.push('#');
            rest = hex.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        } else if c.is_ascii_digit() {
            out.push('#');
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out.truncate(out.char_indices().nth(160).map_or(out.len(), |(at, _)| at));
    out
}

/// What follows a quoted name, if one begins here. An apostrophe inside a word begins nothing.
fn after_quoted<'a>(before: &str, rest: &'a str) -> Option<&'a str> {
    let open = rest.chars().next().filter(|c| "'`\"".contains(*c))?;
    let close = if open == '`' { &['`', '\''][..] } else { std::slice::from_ref(&open) };
    let (_, after) = rest[1..].split_once(close)?;
    let in_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    (!in_word(before.chars().last()) && !in_word(after.chars().next())).then_some(after)
}

/// The name of a bug.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature(String);

impl Signature {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A short, stable identifier.
    pub fn id(&self) -> String {
        format!("b-{}", &blake3::hash(self.0.as_bytes()).to_hex()[..8])
    }
}

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Without reduction: the crash site if there is one, otherwise the kind, the culprit and the operators that occur. A
/// signal alone is no site: two releases that die of it need have nothing in common.
pub fn coarse(finding: &Finding, script: &Script) -> Signature {
    if let Some(signature) = of_place(finding) {
        return signature;
    }
    let site = (finding.kind == Kind::Crash).then(|| site_of(finding));
    let operators: BTreeSet<String> =
        all_terms(script).filter_map(|term| operator(&script.pool, term)).collect();
    let operators = operators.into_iter().collect::<Vec<_>>().join(" ");
    let who = match &site {
        Some(site) => format!("({site}) {}", finding.culprits.join("+")),
        None => solvers_of(finding),
    };
    Signature(format!("{} {who} {operators}", finding.kind.word()))
}

/// Of a reduced finding, with the releases that brought and fixed it where they are known. A crash whose place is
/// known is that place; of one that left only a signal no more is known than what triggers it.
/// `options` are those of the culprit's command line that it needs.
pub fn exact(
    finding: &Finding,
    reduced: &Script,
    options: &[String],
    releases: Option<&Bisection>,
) -> Signature {
    if let Some(signature) = of_place(finding) {
        return signature;
    }
    let site = (finding.kind == Kind::Crash).then(|| site_of(finding));
    let theories: BTreeSet<&str> = all_terms(reduced)
        .filter_map(|term| match reduced.pool.kind(term) {
            Node::Op { op, .. } => Some(op.row().theory),
            _ => None,
        })
        .collect();
    let theories: Vec<&str> = theories.into_iter().collect();
    let mut shapes: Vec<String> = reduced.assertions().map(|term| skeleton(&reduced.pool, term)).collect();
    shapes.sort();
    let options = [triggering_options(reduced), options.to_vec()].concat();
    Signature(format!(
        "{}{} {} [{}] {{{}}} {}{}",
        finding.kind.word(),
        site.map_or_else(String::new, |site| format!(" ({site})")),
        solvers_of(finding),
        theories.join(" "),
        options.join(" "),
        shapes.join(" "),
        releases.and_then(span).unwrap_or_default(),
    ))
}

/// ` since RELEASE, fixed in RELEASE`; `None` if no release is bad.
fn span(releases: &Bisection) -> Option<String> {
    let first = releases.first_bad.as_ref()?;
    Some(match &releases.fixed_in {
        Some(fixed) => format!(" since {first}, fixed in {fixed}"),
        None => format!(" since {first}, not fixed"),
    })
}

/// Whether a site says nothing about where it happened.
pub(crate) fn is_placeless(site: &str) -> bool {
    site == "crash" || site.starts_with("signal ")
}

/// The name of a crash whose place is known, which needs no reduction to be its last.
fn of_place(finding: &Finding) -> Option<Signature> {
    let site = (finding.kind == Kind::Crash).then(|| site_of(finding)).filter(|site| !is_placeless(site))?;
    Some(Signature(format!("crash {} {site}", solvers_of(finding))))
}

/// The solvers accused, without their releases: which releases are bad is `bisect`'s to say.
fn solvers_of(finding: &Finding) -> String {
    let names: BTreeSet<&str> = finding.culprits.iter().map(|name| base_name(name)).collect();
    names.into_iter().collect::<Vec<_>>().join("+")
}

fn base_name(target: &str) -> &str {
    target.split(['@', ' ']).next().unwrap_or(target)
}

fn site_of(finding: &Finding) -> String {
    let Some(evidence) = finding.evidence.first() else { return "crash".into() };
    // The oracle writes the signal before the message.
    let mut words = evidence.detail.splitn(3, ' ');
    match (words.next(), words.next().and_then(|word| word.parse().ok())) {
        (Some("signal"), Some(signal)) => crash_site(words.next().unwrap_or_default(), Some(signal)),
        _ => crash_site(&evidence.detail, None),
    }
}

/// Options that survived reduction, but for those that only ask for more output.
fn triggering_options(script: &Script) -> Vec<String> {
    const OUTPUT: [&[u8]; 4] =
        [b":produce-models", b":produce-unsat-cores", b":print-success", b":produce-proofs"];
    let mut options = vec![];
    for command in &script.commands {
        match command {
            Command::SetOption(key, value) if !OUTPUT.contains(&script.pool.bytes(*key)) => {
                options.push(format!("{} {}", script.pool.name(*key), script.pool.name(*value)));
            }
            Command::CheckSatUsing(tactic) => options.push(script.pool.name(*tactic).into_owned()),
            Command::Push(_) => options.push("push".into()),
            Command::CheckSatAssuming(_) => options.push("assuming".into()),
            _ => {}
        }
    }
    options.sort();
    options.dedup();
    options
}

fn all_terms(script: &Script) -> impl Iterator<Item = TermId> + '_ {
    (0..script.pool.len() as u32).map(TermId)
}

/// The name of a compound term's operator; `None` for leaves.
fn operator(pool: &Pool, term: TermId) -> Option<String> {
    if pool.args(term).is_empty() {
        return None;
    }
    Some(match pool.kind(term) {
        Node::Op { op, .. } => op.row().name.to_owned(),
        Node::Fun { .. } => "f".into(),
        Node::Tester { .. } => "is".into(),
        Node::Updater { .. } => "update".into(),
        Node::Let(_) => "let".into(),
        Node::Quant(quantifier, _) => quantifier.name().into(),
        Node::Match(_) => "match".into(),
        Node::Annot(_) => "!".into(),
        Node::Lit(..) | Node::Var(_) => return None,
    })
}

/// A term's operators with every leaf written `_`, repeated equal arguments written once and those of equality and the
/// connectives in order. Reduced terms are shallow; whatever is deeper than this is cut.
fn skeleton(pool: &Pool, term: TermId) -> String {
    skeleton_to(pool, term, 40)
}

fn skeleton_to(pool: &Pool, term: TermId, depth: usize) -> String {
    let Some(operator) = operator(pool, term) else { return "_".into() };
    if depth == 0 {
        return "…".into();
    }
    let mut args: Vec<String> =
        pool.args(term).iter().map(|&arg| skeleton_to(pool, arg, depth - 1)).collect();
    if matches!(operator.as_str(), "=" | "distinct" | "and" | "or" | "xor") {
        args.sort();
    }
    args.dedup();
    format!("({operator} {})", args.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(kind: Kind, detail: &str) -> Finding {
        let evidence = vec![oracle::Evidence::new(oracle::EvidenceKind::Exit, "z3@4.8.9", detail)];
        Finding { kind, culprits: vec!["z3@4.8.9".into()], evidence, check: 0, truth: None }
    }

    #[test]
    fn a_crash_is_known_by_its_file_and_line_wherever_it_was_built() {
        let a =
            crash_site("Fatal failure within f() at /home/a/cvc5/src/theory/x.cpp:17\nCheck failed", None);
        let b = crash_site("Fatal failure within f() at ../src/theory/x.cpp:17", Some(6));
        assert_eq!((a.as_str(), b.as_str()), ("x.cpp:17", "x.cpp:17"));
    }

    #[test]
    fn a_crash_without_a_site_is_known_by_its_message_without_numbers() {
        assert_eq!(crash_site("bad index 17 at 0x7ffe12", None), crash_site("bad index 4 at 0xdead", None));
        assert_eq!(crash_site("no sort 'U'", None), crash_site("no sort 'V'", None));
        assert_ne!(crash_site("it doesn't end", None), crash_site("it doesn't begin", None));
        assert_eq!(crash_site("", Some(11)), "signal 11");
    }

    #[test]
    fn formulas_of_one_shape_have_one_signature_and_others_do_not() {
        let sign = |text: &str| {
            let script = Script::parse(text.as_bytes()).unwrap();
            exact(&finding(Kind::RefutationUnsound, ""), &script, &[], None)
        };
        let a = sign("(declare-const a Int)(assert (= (mod a 2) 0))(check-sat)");
        let b = sign("(declare-const x Int)(assert (= (mod 7 x) x))(check-sat)");
        let c = sign("(declare-const x Int)(assert (= (div 7 x) x))(check-sat)");
        let d = sign("(declare-const x Int)(assert (= x (mod x 7)))(check-sat)");
        assert_eq!(a, b);
        assert_eq!(a, d);
        assert_ne!(a, c);
        assert_eq!(a.id(), b.id());
    }

    #[test]
    fn bugs_that_different_releases_fixed_are_different() {
        let script = Script::parse(b"(assert (not true))(check-sat)").unwrap();
        let by = |fixed: Option<&str>| {
            let mut releases = Bisection::of(vec![]);
            releases.first_bad = Some("z3@4.8.5".into());
            releases.fixed_in = fixed.map(str::to_owned);
            exact(&finding(Kind::InvalidModel, ""), &script, &[], Some(&releases))
        };
        assert_ne!(by(Some("z3@4.8.8")), by(Some("z3@4.8.9")));
        assert_ne!(by(Some("z3@4.8.8")), by(None));
        assert_eq!(by(None), by(None));
    }

    #[test]
    fn a_crash_is_its_place_and_without_one_its_trigger() {
        let sign = |detail: &str, text: &str| {
            exact(&finding(Kind::Crash, detail), &Script::parse(text.as_bytes()).unwrap(), &[], None)
        };
        let (a, b) = ("(assert (not true))(check-sat)", "(assert (xor true false))(check-sat)");
        assert_eq!(sign("at x.cpp:3", a), sign("at x.cpp:3", b));
        assert_ne!(sign("", a), sign("", b));
        assert_ne!(sign("signal 11", a), sign("signal 11", b));
        assert_eq!(sign("signal 6 bad index 4", a), sign("signal 6 bad index 5", b));
    }

    #[test]
    fn releases_of_one_solver_share_a_signature() {
        let script = Script::parse(b"(assert false)(check-sat)").unwrap();
        let mut other = finding(Kind::Crash, "x.cpp:1");
        other.culprits = vec!["z3@4.8.5".into()];
        assert_eq!(coarse(&other, &script), coarse(&finding(Kind::Crash, "x.cpp:1"), &script));
    }

    #[test]
    fn a_signal_alone_does_not_make_two_crashes_one() {
        let sign = |release: &str, text: &[u8]| {
            let crash = Finding { culprits: vec![release.into()], ..finding(Kind::Crash, "signal 11") };
            coarse(&crash, &Script::parse(text).unwrap())
        };
        let (a, b) = (b"(assert (not true))(check-sat)", b"(assert (or true))(check-sat)");
        assert_eq!(sign("z3@4.8.6", a), sign("z3@4.8.6", a));
        assert_ne!(sign("z3@4.8.6", a), sign("z3@5.4.0", a));
        assert_ne!(sign("z3@4.8.6", a), sign("z3@4.8.6", b));
    }
}
