//! Translates a script for a target: old releases use older names for some standard symbols, one solver's name of an
//! operator is another's, and a target may decide with a tactic.
//!
//! Only whole symbols outside strings, quoted symbols and comments are replaced, and only those that the profile
//! lists for the release. They are reserved, so they have only one meaning in a script. A target with a tactic gets
//! `(check-sat-using …)` in place of every plain check-sat; a check-sat with assumptions has no such form and stays. A
//! tactic that does not decide answers `unknown`, so every answer has the meaning that it had.

use crate::outline::Outline;
use crate::target::Target;
use crate::version::VersionRange;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The script as the target is told it.
pub fn translate<'s>(target: &Target, script: &'s [u8]) -> Cow<'s, [u8]> {
    let renamed = renamed(target, script);
    match (target.tactic(), &target.profile.options.using) {
        (Some(tactic), Some(using)) => {
            Cow::Owned(decided_by(&renamed, using.replace("{tactic}", tactic).as_bytes()))
        }
        _ => renamed,
    }
}

/// The script with another command in place of every plain check-sat.
fn decided_by(script: &[u8], command: &[u8]) -> Vec<u8> {
    let outline = Outline::of(script);
    let (mut out, mut copied) = (vec![], 0);
    for check in outline.commands.iter().filter(|own| own.name == b"check-sat" && !outline.malformed) {
        out.extend_from_slice(&script[copied..check.range.start]);
        out.extend_from_slice(command);
        copied = check.range.end;
    }
    out.extend_from_slice(&script[copied..]);
    out
}

/// The script with the names of the target's release.
fn renamed<'s>(target: &Target, script: &'s [u8]) -> Cow<'s, [u8]> {
    let Some(version) = &target.version else { return Cow::Borrowed(script) };
    let speaks = |versions: &str| VersionRange::parse(versions).is_some_and(|range| range.accepts(version));
    match target.profile.dialects.iter().find(|dialect| speaks(&dialect.versions)) {
        Some(dialect) => rename(script, &dialect.rename),
        None => Cow::Borrowed(script),
    }
}

fn rename<'s>(script: &'s [u8], names: &BTreeMap<String, String>) -> Cow<'s, [u8]> {
    let mut out: Vec<u8> = vec![];
    let mut copied = 0;
    let mut at = 0;
    while at < script.len() {
        let end = token_end(script, at);
        let word = std::str::from_utf8(&script[at..end]).ok();
        if let Some(other) = word.and_then(|word| names.get(word)) {
            out.extend_from_slice(&script[copied..at]);
            out.extend_from_slice(other.as_bytes());
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return Cow::Borrowed(script);
    }
    out.extend_from_slice(&script[copied..]);
    Cow::Owned(out)
}

/// Where the token, string, quoted symbol, comment or single separator that begins here ends.
fn token_end(script: &[u8], at: usize) -> usize {
    let until =
        |stop: u8| script[at + 1..].iter().position(|&b| b == stop).map_or(script.len(), |n| at + n + 2);
    let separates = |b: u8| b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b';' | b'"' | b'|');
    match script[at] {
        b'"' => until(b'"'),
        b'|' => until(b'|'),
        b';' => until(b'\n'),
        byte if separates(byte) => at + 1,
        _ => script[at..].iter().position(|&b| separates(b)).map_or(script.len(), |n| at + n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tactic_decides_every_plain_check_sat_and_nothing_else() {
        let script = b"(assert p) ; (check-sat)\n( check-sat )(echo \"(check-sat)\")(check-sat-assuming (p))(check-sat)(exit)";
        let wanted = b"(assert p) ; (check-sat)\n(check-sat-using smt)(echo \"(check-sat)\")(check-sat-assuming (p))(check-sat-using smt)(exit)";
        assert_eq!(decided_by(script, b"(check-sat-using smt)"), wanted);
        assert_eq!(decided_by(b"(check-sat)(assert", b"x"), b"(check-sat)(assert", "not a script");
        let target = |solver: &str| Target {
            name: solver.into(),
            profile: crate::profile::Profiles::embedded().get(solver),
            command: vec![],
            args: vec!["a=1".into(), "check-sat-using=(then simplify smt)".into()],
            version: None,
            hash: String::new(),
            path: solver.into(),
        };
        let z3 = target("z3");
        assert_eq!(translate(&z3, b"(check-sat)").as_ref(), b"(check-sat-using (then simplify smt))");
        assert_eq!(z3.words().collect::<Vec<_>>(), ["a=1"]);
        let cvc5 = target("cvc5");
        assert_eq!(translate(&cvc5, b"(check-sat)").as_ref(), b"(check-sat)");
        assert_eq!(cvc5.words().count(), 2, "a solver without tactics is told so and complains");
    }

    /// Our printer writes `(@ f x)`. z3 has functions as values since 5.0, as arrays; older releases keep their own names.
    #[test]
    fn a_function_that_is_a_value_is_applied_in_the_words_of_the_solver() {
        let told = |solver: &str, version: &str, script: &[u8]| {
            let profile = crate::profile::Profiles::embedded().get(solver);
            let version = crate::version::Version::parse(version);
            let (command, args) = (vec![], vec![]);
            let target = Target {
                name: solver.into(),
                profile,
                command,
                args,
                version,
                hash: String::new(),
                path: solver.into(),
            };
            String::from_utf8(translate(&target, script).into_owned()).unwrap()
        };
        let script = br#"(assert (= (@ f (@ g 1)) |@| @1 "@" (str.to_re "a")))"#;
        let selected = r#"(assert (= (select f (select g 1)) |@| @1 "@" (str.to_re "a")))"#;
        assert_eq!(told("z3", "5.4.0", script), selected);
        assert_eq!(told("z3", "5.0.0", script), selected);
        assert_eq!(told("z3", "4.8.6", script), r#"(assert (= (@ f (@ g 1)) |@| @1 "@" (str.to.re "a")))"#);
        assert_eq!(told("cvc5", "1.4.2", script).as_bytes(), script);
    }

    #[test]
    fn only_whole_symbols_are_replaced() {
        let names = BTreeMap::from([("str.to_re".to_owned(), "str.to.re".to_owned())]);
        let script = br#"(assert (f (str.to_re "str.to_re ""x") |str.to_re| str.to_reX)) ; str.to_re"#;
        let wanted = br#"(assert (f (str.to.re "str.to_re ""x") |str.to_re| str.to_reX)) ; str.to_re"#;
        assert_eq!(rename(script, &names).as_ref(), wanted);
        assert!(matches!(rename(b"(assert p)", &names), Cow::Borrowed(_)));
    }
}
