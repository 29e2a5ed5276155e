//! The outline of a script: its commands, and the few facts that decide how it can be run.
//!
//! In: the bytes of a script. Out: where its commands are, how many check-sats it has, how deep it pushes, which
//! options it sets. Terms are not parsed. A text that is not a sequence of complete commands still has an outline
//! (of its readable part) and is marked, so that it can be sent to a solver as it is, once, in a process of its own.

use crate::sexp::{self, Command};
use smtlib::logic::Features;

/// What a script consists of.
#[derive(Clone, Debug)]
pub struct Outline<'a> {
    pub script: &'a [u8],
    /// Up to and without `(exit)`.
    pub commands: Vec<Command<'a>>,
    /// Where the script ends: behind `(exit)`, if it has one.
    pub end: usize,
    /// Something is not a complete command.
    pub malformed: bool,
    pub checks: usize,
    /// The logic it sets, if any.
    pub logic: Option<&'a [u8]>,
    /// Scopes left open at the end.
    pub depth: u32,
    /// It pops more than it pushed.
    pub underflow: bool,
}

impl<'a> Outline<'a> {
    pub fn of(script: &'a [u8]) -> Outline<'a> {
        let (mut commands, malformed) = match sexp::commands(script) {
            Ok(commands) => (commands, false),
            Err(at) => (sexp::commands(&script[..at]).unwrap_or_default(), true),
        };
        // With an argument it is an error, after which some solvers go on.
        let exit = commands.iter().position(|c| c.name == b"exit" && argument(c).is_none());
        let malformed = malformed && exit.is_none();
        let end = exit.map_or(script.len(), |at| commands[at].range.end);
        commands.truncate(exit.unwrap_or(commands.len()));
        let mut outline = Outline {
            script,
            commands: vec![],
            end,
            malformed,
            checks: 0,
            logic: None,
            depth: 0,
            underflow: false,
        };
        for command in &commands {
            outline.note(command);
        }
        outline.commands = commands;
        outline
    }

    fn note(&mut self, command: &Command<'a>) {
        match command.name {
            b"set-logic" => self.logic = argument(command),
            b"push" => self.depth = self.depth.saturating_add(levels(command)),
            b"pop" => match self.depth.checked_sub(levels(command)) {
                Some(depth) => self.depth = depth,
                None => self.underflow = true,
            },
            b"reset" => self.depth = 0,
            _ if is_check(command) => self.checks += 1,
            _ => {}
        }
    }

    /// Whether a command of that name occurs.
    pub fn has(&self, name: &[u8]) -> bool {
        self.commands.iter().any(|c| c.name == name)
    }

    /// Whether it says that models are not wanted, and asks for none. A solver may run other code then.
    pub fn wants_no_models(&self) -> bool {
        let off = |c: &Command<'_>| {
            c.name == b"set-option"
                && option_name(c) == Some(b"produce-models")
                && sexp::elements(c.text).nth(2) == Some(b"false")
        };
        self.commands.iter().any(off) && !self.has(b"get-model") && !self.has(b"get-value")
    }

    /// The options it sets, in order, without the colon.
    pub fn options(&self) -> impl Iterator<Item = &'a [u8]> {
        self.commands.iter().filter(|c| c.name == b"set-option").filter_map(|c| option_name(c))
    }

    /// Whether it uses floating point, as far as its symbols show.
    pub fn mentions_floating_point(&self) -> bool {
        [&b"FloatingPoint"[..], b"(fp.", b"Float32", b"Float64", b"to_fp", b"RoundingMode"]
            .iter()
            .any(|word| contains(self.script, word))
    }

    /// The first theory that its sorts belong to and that is not among these. Only sorts that are written out are seen,
    /// so a script may need more than this says, and never less.
    pub fn beyond(&self, theories: &[String]) -> Option<&'static str> {
        let has = |theory: &str| theories.iter().any(|own| own == theory);
        let words =
            |text: &[u8], words: &[&str]| words.iter().any(|word| occurrences(text, word.as_bytes()) > 0);
        let text = self.commands.iter().map(|command| command.text);
        let texts: Vec<&[u8]> =
            text.filter(|text| text.starts_with(b"(declare") || text.starts_with(b"(define")).collect();
        SORTS
            .iter()
            .filter(|(theory, _)| !has(theory))
            .find(|(_, sorts)| texts.iter().any(|text| words(text, sorts)))
            .map(|(theory, _)| *theory)
    }

    /// Whether its logic has nonlinear integers.
    pub fn is_nonlinear_integer(&self) -> bool {
        let Some(Ok(logic)) = self.logic.map(std::str::from_utf8) else { return false };
        let allowed = Features::of_logic(Some(logic));
        // A logic that allows everything says nothing about the script.
        allowed.has(Features::NONLINEAR.with(Features::INTS)) && !allowed.has(Features::OTHER)
    }
}

/// The sorts that show which theory a script needs. cvc5's `Set` is left out: z3 reads the same name as an array.
const SORTS: &[(&str, &[&str])] = &[
    ("Ints", &["Int"]),
    ("Reals", &["Real"]),
    ("FixedSizeBitVectors", &["BitVec"]),
    ("FloatingPoint", &["FloatingPoint", "RoundingMode", "Float16", "Float32", "Float64", "Float128"]),
    ("Strings", &["String", "RegLan"]),
    ("ArraysEx", &["Array"]),
    ("Datatypes", &["declare-datatypes", "declare-datatype"]),
    ("Seq", &["Seq"]),
    ("Bag", &["Bag"]),
    ("FiniteSet", &["FiniteSet"]),
    ("FiniteField", &["FiniteField"]),
];

/// `check-sat` and its relatives: everything that is answered by sat, unsat or unknown.
pub fn is_check(command: &Command<'_>) -> bool {
    matches!(command.name, b"check-sat" | b"check-sat-assuming" | b"check-sat-using")
}

/// The name of the option that a set-option sets, without the colon.
pub fn option_name<'a>(command: &Command<'a>) -> Option<&'a [u8]> {
    argument(command)?.strip_prefix(b":")
}

/// The first argument.
pub fn argument<'a>(command: &Command<'a>) -> Option<&'a [u8]> {
    sexp::elements(command.text).nth(1)
}

/// How many scopes a push or pop means.
pub fn levels(command: &Command<'_>) -> u32 {
    let number = argument(command).map(|a| String::from_utf8_lossy(a).parse());
    match number {
        None => 1,
        Some(Ok(n)) => n,
        Some(Err(_)) => u32::MAX,
    }
}

/// Whether a text has a word anywhere.
pub(crate) fn contains(text: &[u8], word: &[u8]) -> bool {
    let Some((&first, _)) = word.split_first() else { return true };
    let mut at = 0;
    while let Some(n) = text.get(at..).and_then(|t| t.iter().position(|&b| b == first)) {
        if text[at + n..].starts_with(word) {
            return true;
        }
        at += n + 1;
    }
    false
}

/// How often a word occurs in a text as a whole symbol, also in strings and comments.
pub(crate) fn occurrences(text: &[u8], word: &[u8]) -> usize {
    let inside = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b));
    let (mut count, mut at) = (0, 0);
    while let Some(n) = text[at..].windows(word.len()).position(|w| w == word) {
        let (start, end) = (at + n, at + n + word.len());
        let alone = !inside(start.checked_sub(1).and_then(|b| text.get(b))) && !inside(text.get(end));
        count += usize::from(alone);
        at = end;
    }
    count
}

/// Commands of the standard, and those that every solver silently accepts: none of them is ever `unsupported` in a way
/// that changes the question.
pub fn is_standard(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 33] = [
        b"assert",
        b"check-sat",
        b"check-sat-assuming",
        b"declare-const",
        b"declare-datatype",
        b"declare-datatypes",
        b"declare-fun",
        b"declare-sort",
        b"declare-sort-parameter",
        b"define-const",
        b"define-fun",
        b"define-fun-rec",
        b"define-funs-rec",
        b"define-sort",
        b"echo",
        b"exit",
        b"get-assertions",
        b"get-assignment",
        b"get-info",
        b"get-model",
        b"get-option",
        b"get-proof",
        b"get-unsat-assumptions",
        b"get-unsat-core",
        b"get-value",
        b"pop",
        b"push",
        b"reset",
        b"reset-assertions",
        b"set-info",
        b"set-logic",
        b"set-option",
        b"define-enumeration-sort",
    ];
    NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_counts_check_sats_and_scopes_up_to_the_exit() {
        let outline = Outline::of(
            b"(set-logic QF_LIA)(push 2)(check-sat)(pop)(check-sat-assuming (a))(exit)(check-sat)(pop 9)",
        );
        assert_eq!((outline.checks, outline.depth, outline.underflow), (2, 1, false));
        assert_eq!(outline.logic, Some(&b"QF_LIA"[..]));
        assert_eq!(outline.commands.len(), 5);
        assert!(Outline::of(b"(push 1)(pop 2)").underflow);
    }

    #[test]
    fn a_malformed_script_keeps_its_readable_part() {
        let outline = Outline::of(b"(check-sat)(assert");
        assert!(outline.malformed);
        assert_eq!(outline.checks, 1);
        assert!(!Outline::of(b"(check-sat)(exit)(assert").malformed);
    }

    #[test]
    fn the_sorts_of_a_script_show_a_theory_that_a_solver_lacks() {
        let has = ["Core", "Ints", "Strings"].map(str::to_owned);
        let beyond = |script: &str| Outline::of(script.as_bytes()).beyond(&has);
        assert_eq!(beyond("(declare-const s (Seq Int))(check-sat)"), Some("Seq"));
        assert_eq!(beyond("(declare-fun f (Int) (_ FiniteField 3))(check-sat)"), Some("FiniteField"));
        assert_eq!(beyond("; a Seq\n(declare-const x Int)(assert (= x 1))(check-sat)"), None);
        assert_eq!(beyond("(declare-const Sequence Int)(check-sat)"), None);
    }

    #[test]
    fn words_are_found_wherever_they_occur() {
        assert!(Outline::of(b"(declare-const x Float32)").mentions_floating_point());
        assert!(!Outline::of(b"(declare-const x (_ BitVec 8))").mentions_floating_point());
        let nonlinear =
            |logic: &str| Outline::of(format!("(set-logic {logic})").as_bytes()).is_nonlinear_integer();
        assert!(["QF_UFNIA", "NIA", "QF_ANIRA"].into_iter().all(nonlinear));
        assert!(!["ALL", "QF_NRA", "QF_LIA", "QF_SLIA", "FANIAX"].into_iter().any(nonlinear));
    }
}
