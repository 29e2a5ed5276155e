//! Which part of a script may be sent to a solver: nothing that names a file or a program.
//!
//! Scripts come from strangers, and solvers do what a script says: `(set-option :regular-output-channel "F")` with
//! `(echo …)` writes any line into any file, in z3, cvc5 and yices alike; z3's tactics take the names of log files as
//! parameters. So every script is checked here before it is sent, for every caller and in every kind of session.
//!
//! In: a script and the profile of the solver. Out: the script without the options that could name a file, a
//! description of what was removed, or why the whole script is refused. An option passes if its value is a Boolean, a
//! number or a mode word that the profile lists, and if its name does not suggest that it names a file. A command that
//! opens files changes what the script means, so it cannot be removed: the script is refused. Nothing is sent that stands
//! behind `(exit)`, since it was not checked and a solver may go on.
//!
//! This is safe although solvers use their own parsers: where parsers are known to differ (a backslash before a quote
//! or a bar, a lone carriage return, text that is not a command), a script is refused if it mentions such a command or
//! option anywhere but in a command that was parsed here. It must never let anything pass that it has not parsed.
//! Options that falsum adds itself are added later and are not checked here.

use crate::outline::{self, Outline};
use crate::profile::{Profile, Profiles, Scripts};
use crate::sexp::{self, Command};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

static TRUST: AtomicBool = AtomicBool::new(false);
static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// From now on scripts are sent to solvers unchanged: the user has said that they are trusted.
pub fn trust_options() {
    TRUST.store(true, Ordering::SeqCst);
}

/// The callback that reports what is removed, once per option and command.
pub fn on_left_out(listener: fn(&str)) {
    let _ = LISTENER.set(listener);
}

/// A script as it may be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permitted<'s> {
    pub script: Cow<'s, [u8]>,
    /// Descriptions of the options that were removed.
    pub left_out: Vec<String>,
    /// Why it may not be sent at all.
    pub refused: Option<String>,
}

/// Removes what could name a file from a script.
pub fn permit<'s>(profile: &Profile, script: &'s [u8]) -> Permitted<'s> {
    outlined(profile, &Outline::of(script))
}

/// As [`permit`], for a script whose outline is known.
pub(crate) fn outlined<'s>(profile: &Profile, outline: &Outline<'s>) -> Permitted<'s> {
    let mut permitted = Permitted { script: Cow::Borrowed(outline.script), left_out: vec![], refused: None };
    if TRUST.load(Ordering::SeqCst) {
        return permitted;
    }
    if sexp::skip_blank(outline.script, outline.end) < outline.script.len() {
        permitted.script = Cow::Borrowed(&outline.script[..outline.end]);
    }
    let rules = Rules::of(profile);
    let mut dropped = vec![];
    for command in &outline.commands {
        match rules.judge(command) {
            Judgement::Passes => {}
            Judgement::LeftOut(why) => {
                permitted.left_out.push(why);
                dropped.push(command);
            }
            Judgement::Refused(why) => permitted.refused = permitted.refused.or(Some(why)),
        }
    }
    if permitted.refused.is_none() && rules.hides_something(outline) {
        let why = "it can be read in two ways, and in one of them it sets options or opens files";
        permitted.refused = Some(why.to_owned());
    }
    permitted.left_out.iter().chain(&permitted.refused).for_each(|what| tell(what));
    if !dropped.is_empty() {
        permitted.script = Cow::Owned(without(&permitted.script, &dropped));
    }
    permitted
}

/// Whether an option of any solver could name a file, by its name; never if the user trusts options.
pub fn could_name_file(name: &str) -> bool {
    !TRUST.load(Ordering::SeqCst) && Rules::of(&Profile::named("generic")).names_file(name.as_bytes())
}

/// Reports each message once per run of the program.
fn tell(what: &str) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let Some(listener) = LISTENER.get() else { return };
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if told.len() < MOST_TOLD && told.insert(what.to_owned()) {
        listener(what);
    }
}

/// The maximal number of different messages: a stranger's script chooses the names.
const MOST_TOLD: usize = 50;

/// The script with blanks in place of some commands, so that the lines of the others keep their numbers.
fn without(script: &[u8], dropped: &[&Command<'_>]) -> Vec<u8> {
    let mut bytes = script.to_vec();
    for command in dropped {
        bytes[command.range.clone()].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    }
    bytes
}

enum Judgement {
    Passes,
    LeftOut(String),
    Refused(String),
}

/// The lists that apply to one solver: those for every solver and its own; all lists if the solver is unknown.
struct Rules<'p> {
    lists: Vec<&'p Scripts>,
}

impl<'p> Rules<'p> {
    fn of(profile: &'p Profile) -> Rules<'p> {
        static EMBEDDED: OnceLock<Profiles> = OnceLock::new();
        let is_common = |p: &Profile| p.name == "generic";
        let all = EMBEDDED.get_or_init(Profiles::embedded).iter().map(|p| &**p);
        let others = all.filter(|p| is_common(profile) || is_common(p)).map(|p| &p.scripts);
        Rules { lists: others.chain([&profile.scripts]).collect() }
    }

    fn judge(&self, command: &Command<'_>) -> Judgement {
        let name = bare(command.name);
        if name == b"set-option" {
            return self.judge_option(command);
        }
        let listed = self.lists.iter().any(|l| contains(&l.file_commands, name));
        if listed || (!outline::is_standard(name) && self.parameters_name_files(command)) {
            let name = shown(name);
            return Judgement::Refused(format!("it has the command `{name}` with access to files"));
        }
        Judgement::Passes
    }

    fn judge_option(&self, command: &Command<'_>) -> Judgement {
        let mut parts = sexp::elements(command.text).skip(1);
        let (name, value, more) = (parts.next(), parts.next(), parts.next());
        let name = name.and_then(|n| n.strip_prefix(b":"));
        let plain = |n: &&[u8]| n.iter().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(b));
        match (name.filter(plain), value, more) {
            (Some(name), Some(value), None) if !self.names_file(name) && self.is_plain_value(value) => {
                Judgement::Passes
            }
            (name, ..) => {
                let name = name.map_or_else(|| "?".to_owned(), shown);
                Judgement::LeftOut(format!("the option :{name} is left out, since it could name a file"))
            }
        }
    }

    /// Whether the name of an option suggests that it is about files, channels or programs.
    fn names_file(&self, name: &[u8]) -> bool {
        let name = String::from_utf8_lossy(name).to_lowercase().replace('-', "_");
        let own = |list: &[String]| {
            list.iter().any(|l| *l == name || name.strip_suffix(l.as_str()).is_some_and(|n| n.ends_with('.')))
        };
        if self.lists.iter().any(|l| own(&l.harmless)) {
            return false;
        }
        let has_word = |l: &&Scripts| name.split(['.', '_']).any(|w| l.file_words.iter().any(|f| f == w));
        self.lists.iter().any(|l| own(&l.file_options)) || self.lists.iter().any(has_word)
    }

    fn is_plain_value(&self, value: &[u8]) -> bool {
        let number = value.strip_prefix(b"-").unwrap_or(value);
        let is_number = number.first().is_some_and(u8::is_ascii_digit)
            && number.iter().all(|b| b.is_ascii_digit() || *b == b'.');
        matches!(value, b"true" | b"false")
            || is_number
            || self.lists.iter().any(|l| contains(&l.modes, value))
    }

    /// Whether a command outside the standard has a parameter that names a file: `(check-sat-using (using-params sat
    /// :drat.file F))`, or takes a string as an argument, as commands that open files do.
    fn parameters_name_files(&self, command: &Command<'_>) -> bool {
        let printed = matches!(bare(command.name), b"simplify" | b"eval" | b"display");
        if !printed && sexp::elements(command.text).any(|e| e.first() == Some(&b'"')) {
            return true;
        }
        let mut tokens = sexp::tokens(command.text).peekable();
        while let Some(token) = tokens.next() {
            let Some(name) = token.strip_prefix(b":") else { continue };
            let value = tokens.peek().copied().unwrap_or_default();
            let path = value.first() == Some(&b'"') || value.contains(&b'/');
            if self.names_file(name) || (path && !matches!(name, b"named" | b"id" | b"pattern")) {
                return true;
            }
        }
        false
    }

    /// Whether a solver that parses the text differently could find a command in it that was not checked.
    fn hides_something(&self, outline: &Outline<'_>) -> bool {
        if !outline.malformed && is_unambiguous(outline.script) {
            return false;
        }
        let words = self.lists.iter().flat_map(|l| &l.file_commands).map(|c| c.as_bytes());
        let mut words = words.chain([&b"set-option"[..]]);
        let heads = |word: &[u8]| outline.commands.iter().filter(|c| bare(c.name) == word).count();
        words.any(|word| outline::occurrences(outline.script, word) > heads(word))
            || keywords(outline.script).any(|name| self.names_file(name))
    }
}

/// Everything that could be a keyword, without its colon, at any position.
fn keywords(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || b"._-".contains(b);
    let colons = text.iter().enumerate().filter(|(_, b)| **b == b':').map(|(at, _)| at + 1);
    colons.map(move |at| &text[at..at + text[at..].iter().take_while(|b| is_name(b)).count()])
}

fn contains(list: &[String], word: &[u8]) -> bool {
    list.iter().any(|l| l.as_bytes() == word)
}

/// A symbol without its bars: `(|set-option| …)` is a command for some solvers.
fn bare(symbol: &[u8]) -> &[u8] {
    symbol.strip_prefix(b"|").and_then(|s| s.strip_suffix(b"|")).unwrap_or(symbol)
}

/// Whether all solvers' parsers agree with ours about where strings, symbols and comments end.
fn is_unambiguous(script: &[u8]) -> bool {
    let differs = |pair: &[u8]| match pair {
        b"\\\"" | b"\\|" => true,
        [b'\r', next] => *next != b'\n',
        _ => false,
    };
    !script.windows(2).any(differs) && !script.contains(&0)
}

fn shown(name: &[u8]) -> String {
    let text = String::from_utf8_lossy(name);
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<'s>(solver: &str, script: &'s str) -> Permitted<'s> {
        permit(&Profile::named(solver), script.as_bytes())
    }

    #[test]
    fn options_that_choose_a_behaviour_pass_unchanged() {
        for (solver, script) in [
            (
                "z3",
                "(set-option :produce-models true)(set-option :smt.arith.solver 2)(set-option :smt.phase_selection 5)",
            ),
            ("z3", "(set-option :tactic.default_tactic smt)(set-option :smt.string_solver z3str3)"),
            (
                "z3",
                "(set-option :model.compact false)(set-option :smt.random_seed 7)(set-option :dump_models true)",
            ),
            (
                "cvc5",
                "(set-option :bv-solver bitblast-internal)(set-option :dump-models true)(set-option :verbosity -1)",
            ),
            (
                "cvc5",
                "(set-option :nl-ext-tplanes true)(set-option :finite-model-find true)(set-option :rweight 0.5)",
            ),
            (
                "frob",
                "(set-option :bv-solver bitblast)(set-option :sat.phase caching)(set-option :print-success false)",
            ),
            (
                "z3",
                "(check-sat-using (then (using-params simplify :arith_lhs true) smt))(assert-soft p :id a/b :weight 0.5)",
            ),
            (
                "z3",
                "(set-info :source |\nhttp://include.load/set-option \\ \n|)(echo \"set-option\")(simplify \"a/b\")",
            ),
        ] {
            let permitted = of(solver, script);
            assert_eq!(permitted.refused, None, "{script}");
            assert_eq!((permitted.left_out.len(), &*permitted.script), (0, script.as_bytes()), "{script}");
        }
    }

    #[test]
    fn options_that_could_name_a_file_are_left_out_and_lines_keep_their_numbers() {
        for option in [
            ":regular-output-channel \"f\"",
            ":diagnostic-output-channel |f|",
            ":REGULAR_OUTPUT_CHANNEL true",
            ":out \"f\"",
            ":out 5",
            ":in \"f\"",
            ":dump-to-file true",
            ":solver.proof.log f.log",
            ":solver.smtlib2_log f",
            ":trace true",
            ":trace-file-name f",
            ":opt.solution_prefix smt",
            ":solver.axioms2files true",
            ":SOLVER.AXIOMS2FILES true",
            ":solver.axioms2files 1",
            ":Solver.SMTLIB2-Log f",
            ":dump-to \"f\"",
            "|:regular-output-channel| \"f\"",
            ":|regular-output-channel| \"f\"",
            ":sat.drat.file f",
            ":frobnicate \"f\"",
            ":frobnicate unheard-of",
            ":frobnicate (a)",
            ":frobnicate",
            ":frobnicate true \"f\"",
            "|:out| \"f\"",
            ":|out| \"f\"",
        ] {
            for solver in ["z3", "cvc5", "frob"] {
                let script = format!("(set-option {option})\n(check-sat)");
                let permitted = of(solver, &script);
                assert_eq!(permitted.left_out.len(), 1, "{solver}: {option}");
                let rest = String::from_utf8_lossy(&permitted.script).into_owned();
                assert_eq!((rest.trim(), rest.lines().count()), ("(check-sat)", 2), "{solver}: {option}");
            }
        }
        let quoted = of("z3", "(|set-option| :regular-output-channel \"f\")(check-sat)");
        assert_eq!(quoted.left_out.len(), 1);
    }

    #[test]
    fn nothing_behind_the_exit_is_sent_and_an_exit_with_an_argument_does_not_hide_what_follows() {
        let owned = "(set-option :regular-output-channel \"f\")(echo \"owned\")";
        for solver in ["z3", "cvc5", "frob"] {
            let script = format!("(check-sat)\n(exit) ; done\n{owned}");
            assert_eq!(&*of(solver, &script).script, b"(check-sat)\n(exit)");
            assert_eq!(&*of(solver, "(check-sat)(exit) ; done\n").script, b"(check-sat)(exit) ; done\n");
            let script = format!("(set-option :out \"f\")(check-sat)(exit))({owned}");
            assert_eq!(of(solver, &script).script.trim_ascii(), b"(check-sat)(exit)");
            for exit in ["(exit 1)", "(exit \"\")", "(exit (exit))", "(exit |x|)", "(|exit| 1)"] {
                let script = format!("(check-sat){exit}{owned}");
                assert_eq!(of(solver, &script).left_out.len(), 1, "{solver}: {exit}");
            }
        }
    }

    #[test]
    fn commands_that_open_files_refuse_the_script() {
        for script in [
            "(get-proof-graph)",
            "(push 1)(get-proof-graph)(pop 1)",
            "(|get-proof-graph|)",
            "(include \"f\")",
            "(|include| \"f\")",
            "(load \"f\")",
            "(frobnicate \"f\")",
            "(declare-oracle-fun f (Int) Int prog)",
            "(check-sat-using (using-params sat :drat.file f))",
            "(apply (using-params smt :some_param |/tmp/f|))",
            "(set-simplifier (using-params simplify :x \"f\"))",
        ] {
            assert!(of("z3", script).refused.is_some(), "{script}");
        }
    }

    #[test]
    fn a_script_that_two_parsers_read_differently_hides_nothing() {
        let hidden = "(set-option :regular-output-channel \"f\")";
        for script in [
            format!("(declare-const |a\\|b| Int){hidden}(declare-const |c| Int) ; |"),
            format!("(echo \"\\\"){hidden}(echo \"\\\")"),
            format!("(check-sat) ; x\r{hidden}\n(check-sat)"),
            format!(") {hidden}"),
            format!("x {hidden} (echo \"y\")"),
            "(check-sat (include \"f\")".to_owned(),
            ") (check-sat-using (using-params sat :drat.file f))".to_owned(),
        ] {
            assert!(of("z3", &script).refused.is_some(), "{script:?}");
        }
        assert_eq!(of("z3", "(assert p)\r\n; a colon: reload\r\n(check-sat").refused, None);
    }
}
