//! The argument of `--solver`: an installed release, a command line, or either with a name in front.
//!
//! In: one argument. Out: a [`Spec`], which says nothing about whether the solver exists. Command lines are split on
//! blanks with quotes respected and never passed to a shell, so that `$(…)`, `;` and `*` have no special meaning.

use crate::catalogue;
use crate::error::{Error, Result};
use crate::version::VersionRange;
use std::fmt;

/// The end of the name of a release that was built to count its code.
pub const COVERAGE: &str = "+coverage";

/// A solver as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The name given with `name=`.
    pub name: Option<String>,
    /// Where the program comes from.
    pub program: Program,
    /// Further arguments.
    pub args: Vec<String>,
}

/// The first word of a SPEC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A solver of the catalogue, at some release; found among the installed ones, then on PATH.
    /// `+coverage` at the end asks for one that was built to count its code.
    Release { solver: String, want: VersionRange, versioned: bool, coverage: bool },
    /// A path, or a name to look for on PATH; with the solver that it is, if the user says so (`z3:./build/solver`).
    Path { path: String, family: Option<String> },
}

impl Spec {
    /// Reads one SPEC.
    pub fn parse(text: &str) -> Result<Spec> {
        let bad = |why: &str| Error::BadSpec { spec: text.to_owned(), why: why.to_owned() };
        let (name, rest) = split_name(text);
        let mut words = split_words(rest).map_err(|why| bad(&why))?;
        if words.is_empty() {
            return Err(bad("it is empty"));
        }
        let first = words.remove(0);
        let program = read_program(&first).map_err(|why| bad(&why))?;
        Ok(Spec { name: name.map(str::to_owned), program, args: words })
    }

    /// Reads several SPECs separated by `;`, as yinyang and similar tools write them.
    pub fn parse_list(text: &str) -> Result<Vec<Spec>> {
        text.split(';').filter(|part| !part.trim().is_empty()).map(Spec::parse).collect()
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}=")?;
        }
        match &self.program {
            Program::Release { solver, want, versioned, coverage } => {
                let want = if *versioned { format!("@{want}") } else { String::new() };
                write!(f, "{solver}{want}{}", if *coverage { COVERAGE } else { "" })?;
            }
            Program::Path { path, family } => {
                let family = family.as_ref().map(|family| format!("{family}:")).unwrap_or_default();
                f.write_str(&quote(&format!("{family}{path}")))?;
            }
        }
        self.args.iter().try_for_each(|arg| write!(f, " {}", quote(arg)))
    }
}

/// `name=rest`, if the part before the first `=` looks like a name rather than part of a path or an option.
fn split_name(text: &str) -> (Option<&str>, &str) {
    let trimmed = text.trim_start();
    let Some((name, rest)) = trimmed.split_once('=') else { return (None, text) };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'@' | b'+' | b':');
    let is_name =
        !name.is_empty() && name.bytes().all(plain) && !name.starts_with('-') && !rest.trim().is_empty();
    if is_name { (Some(name), rest) } else { (None, text) }
}

fn read_program(word: &str) -> Result<Program, String> {
    if let Some((family, path)) = word.split_once(':')
        && let Some(family) = catalogue::canonical_name(family)
        && !path.is_empty()
    {
        return Ok(Program::Path { path: path.to_owned(), family: Some(family.to_owned()) });
    }
    if word.contains('/') {
        return Ok(Program::Path { path: word.to_owned(), family: None });
    }
    let (whole, coverage) = (word, word.ends_with(COVERAGE));
    let word = word.strip_suffix(COVERAGE).unwrap_or(word);
    let (solver, version) = match word.split_once('@') {
        Some((solver, version)) => (solver, Some(version)),
        None => (word, None),
    };
    let Some(solver) = catalogue::canonical_name(solver) else {
        return match version {
            Some(_) => Err(format!("`{solver}` is not a solver with installable releases")),
            None => Ok(Program::Path { path: whole.to_owned(), family: None }),
        };
    };
    let want = match version {
        None => VersionRange::Newest,
        Some(text) => {
            VersionRange::parse(text).ok_or_else(|| format!("`{text}` is neither a release nor a range"))?
        }
    };
    Ok(Program::Release { solver: solver.to_owned(), want, versioned: version.is_some(), coverage })
}

/// Splits on blanks. `'…'` and `"…"` group; a backslash takes the next character literally outside `'…'`.
pub fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('"') | None, '\\') => match chars.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err("a backslash ends it".into()),
            },
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".into());
    }
    words.extend(word);
    Ok(words)
}

/// The inverse of [`split_words`] for one word: quoted only if it must be.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./:@+,%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(text: &str) -> (String, String, Vec<String>, Option<String>) {
        let spec = Spec::parse(text).unwrap();
        match spec.program {
            Program::Release { solver, want, .. } => (solver, want.to_string(), spec.args, spec.name),
            Program::Path { path, .. } => panic!("{text} became the path {path}"),
        }
    }

    fn program(path: &str) -> Program {
        Program::Path { path: path.to_owned(), family: None }
    }

    #[test]
    fn a_family_in_front_of_a_path_says_which_solver_it_is() {
        let spec = Spec::parse("mine=z3:./build/solver a=b").unwrap();
        let path = "./build/solver".to_owned();
        assert_eq!(spec.program, Program::Path { path, family: Some("z3".into()) });
        assert_eq!(
            (spec.name.as_deref(), spec.to_string().as_str()),
            (Some("mine"), "mine=z3:./build/solver a=b")
        );
        assert_eq!(Spec::parse("nosolver:./x").unwrap().program, program("nosolver:./x"));
    }

    #[test]
    fn releases_ranges_names_and_options_are_distinguished() {
        assert_eq!(release("z3"), ("z3".into(), "newest".into(), vec![], None));
        assert_eq!(release("z3@4.8.6").1, "4.8.6");
        assert_eq!(release("z3@4.8.5..4.12").1, "4.8.5..4.12");
        let named = release("old=z3@4.8.6 model_validate=true");
        assert_eq!(named.3.as_deref(), Some("old"));
        assert_eq!(named.2, ["model_validate=true"]);
        assert_eq!(release("z3 model_validate=true").3, None);
        assert_eq!(release("yices-smt2").0, "yices");
        let counting = Spec::parse("z3@5.4.0+coverage").unwrap();
        assert!(matches!(&counting.program, Program::Release { coverage: true, .. }));
        assert_eq!(counting.to_string(), "z3@5.4.0+coverage");
        assert_eq!(Spec::parse("mine+coverage").unwrap().program, program("mine+coverage"));
    }

    #[test]
    fn a_command_line_is_split_without_a_shell() {
        let spec = Spec::parse(r#""/opt/my solver/z3" 'a b' $(rm) "x\"y" *.smt2"#).unwrap();
        assert_eq!(spec.program, program("/opt/my solver/z3"));
        assert_eq!(spec.args, ["a b", "$(rm)", "x\"y", "*.smt2"]);
        let path = Spec::parse("/tmp/a=b/z3 x=1").unwrap();
        assert_eq!((path.name, path.program), (None, program("/tmp/a=b/z3")));
        assert_eq!(Spec::parse("mysolver").unwrap().program, program("mysolver"));
    }

    #[test]
    fn an_invalid_spec_is_refused_with_a_hint() {
        for bad in ["", "  ", "z3@", "z3@x", "'open", "frob@1.0", "z3@4 6\\"] {
            let error = Spec::parse(bad).unwrap_err();
            assert!(error.hint().is_some(), "{bad:?}: {error}");
        }
    }

    #[test]
    fn printing_a_spec_reads_back_as_the_same_spec() {
        for text in ["z3", "a=z3@4.8.6 x=1", "cvc5@1.2..1.4 -q", "/bin/x 'a b' 'it'\\''s' ''"] {
            let spec = Spec::parse(text).unwrap();
            assert_eq!(Spec::parse(&spec.to_string()).unwrap(), spec, "{text}");
        }
    }

    #[test]
    fn a_list_in_the_peers_format_splits_on_semicolons() {
        let list = Spec::parse_list("z3 model_validate=true;cvc5 -q -i").unwrap();
        assert_eq!(list.len(), 2);
        assert_eq!(list[1].args, ["-q", "-i"]);
    }
}
