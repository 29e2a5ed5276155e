//! Profiles: how each solver is started, queried, limited and read. Data, not code.
//!
//! One TOML file per solver, embedded; a folder of files with the same names overrides them, and adds new ones. A
//! profile says nothing about a particular release or option set (that is a target) and nothing here runs
//! anything. Message patterns are plain substrings and are only searched in error messages, standard error
//! and stray lines: never in a model, a core or an echo, and never to find an answer.

use crate::error::{Error, Result};
use crate::outline::contains;
use crate::version::Version;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// How to use one solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub name: String,
    #[serde(default)]
    pub version: VersionQuery,
    #[serde(default)]
    pub options: Options,
    #[serde(default)]
    pub file: FileMode,
    #[serde(default)]
    pub session: SessionMode,
    #[serde(default)]
    pub messages: Messages,
    /// Options that the maintainers do not support.
    #[serde(default)]
    pub avoid: Vec<Avoid>,
    #[serde(default)]
    pub supports: Supports,
    /// Symbols that have another name in some releases.
    #[serde(default)]
    pub dialects: Vec<Dialect>,
    /// How what others say is said to it.
    #[serde(default)]
    pub translations: Vec<Translation>,
    /// Relations that it does not know, by their axioms.
    #[serde(default)]
    pub relations: Vec<SpecialRelation>,
    /// How it prints values in models.
    #[serde(default)]
    pub models: Models,
    /// Which options and commands of a script may be sent; see `permit`.
    #[serde(default)]
    pub scripts: Scripts,
    /// How it checks its own answers, and how it complains.
    #[serde(default)]
    pub self_check: SelfCheck,
    /// The proofs that it prints.
    #[serde(default)]
    pub proofs: Vec<Proofs>,
}

/// How a name or a term of another dialect is said to a solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Translation {
    /// A name, or a term with `?x` for its arguments.
    pub from: String,
    pub to: String,
    /// Not to be exchanged back in models.
    #[serde(default)]
    pub one_way: bool,
    /// The sorts of the arguments with which the row is verified, in the words of `from`: `?x Int; ?y Int`.
    pub with: String,
    /// The term that is verified, where `from` is a name of an operator.
    pub term: Option<String>,
}

/// A relation with an index that another solver knows by itself.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecialRelation {
    pub name: String,
    /// With `{f}` for the function that stands for it and `{S}` for its sort.
    pub axioms: Vec<String>,
}

/// Arguments with which a solver checks its own answers, and parts of the messages with which it complains.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfCheck {
    #[serde(default)]
    pub args: Vec<String>,
    #[serde(default)]
    pub model: Vec<String>,
    #[serde(default)]
    pub core: Vec<String>,
    #[serde(default)]
    pub proof: Vec<String>,
}

/// One format of proofs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proofs {
    /// The name by which checkers ask for it.
    pub format: String,
    pub args: Vec<String>,
}

/// How values in models are printed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    /// Irrational numbers are printed as rounded decimals, and exact ones never are.
    #[serde(default)]
    pub rounds: bool,
    /// The releases that spell characters as C does (`\x41`), as a range.
    pub c_escapes: Option<String>,
}

impl Models {
    /// Whether a release spells characters as C does.
    pub fn has_c_escapes(&self, version: Option<&Version>) -> bool {
        let range = self.c_escapes.as_deref().and_then(crate::version::VersionRange::parse);
        version.zip(range).is_some_and(|(version, range)| range.accepts(version))
    }
}

/// Which options and commands of a script could make a solver open a file or start a program. Names of options are
/// written in lower case with underscores.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scripts {
    /// Words in the name of an option that indicate a file, a channel or a program.
    #[serde(default)]
    pub file_words: Vec<String>,
    /// Further such options, by name or by the part of it after a dot.
    #[serde(default)]
    pub file_options: Vec<String>,
    /// Options that have such a word in their name and only print on standard output.
    #[serde(default)]
    pub harmless: Vec<String>,
    #[serde(default)]
    pub file_commands: Vec<String>,
    /// Values besides Booleans and numbers.
    #[serde(default)]
    pub modes: Vec<String>,
}

/// Releases that use other names for standard symbols.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialect {
    /// A range as in a SPEC.
    pub versions: String,
    /// From the standard's name to theirs.
    pub rename: std::collections::BTreeMap<String, String>,
}

/// How to find the version.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionQuery {
    #[serde(default)]
    pub args: Vec<String>,
    /// The text in front of the number; without it the first number of the output counts.
    #[serde(default)]
    pub before: String,
    /// Arguments that print how it was built, where that says more than the version.
    #[serde(default)]
    pub build: Vec<String>,
}

/// Options, as commands for the script (those that start with `(`) or as arguments.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    pub model: Option<String>,
    pub core: Option<String>,
    pub proof: Option<String>,
    /// Unsat assumptions, where it has them.
    pub assumptions: Option<String>,
    /// Truth values of named terms (`get-assignment`), where it has them.
    pub assignment: Option<String>,
    /// Interpolants (`get-interpolant`), where it has them.
    pub interpolant: Option<String>,
    /// A command that decides with a tactic, with `{tactic}`, in place of `(check-sat)`.
    pub using: Option<String>,
    /// With `{seed}`.
    #[serde(default)]
    pub seed: Vec<String>,
    /// A limit of the solver's own for the whole run, with `{seconds}` or `{milliseconds}`.
    #[serde(default)]
    pub time: Vec<String>,
    /// A limit per check-sat that makes it answer `unknown`.
    #[serde(default)]
    pub time_soft: Vec<String>,
    /// With `{megabytes}`.
    #[serde(default)]
    pub memory: Vec<String>,
    /// A command that limits the next check-sat of a session, with `{milliseconds}`.
    pub query_time: Option<String>,
}

/// How a fresh process gets its script.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileMode {
    #[serde(default)]
    pub args: Vec<String>,
    /// Arguments without which whole theories are rejected.
    #[serde(default)]
    pub extra: Vec<String>,
    /// Arguments for scripts that mention certain words.
    #[serde(default)]
    pub when: Vec<When>,
    /// Arguments for scripts with more than one check-sat.
    #[serde(default)]
    pub multi_check: Vec<String>,
    #[serde(default)]
    pub input: InputBy,
}

/// Arguments without which a solver refuses scripts that mention a word. Such scripts go to a process of their own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// One of these is enough.
    pub mentions: Vec<String>,
    pub args: Vec<String>,
    /// The releases that know the arguments, as a range; all without it.
    pub versions: Option<String>,
}

impl When {
    /// Whether a release needs the arguments for a script.
    pub fn applies(&self, script: &[u8], version: Option<&Version>) -> bool {
        let range = self.versions.as_deref().and_then(crate::version::VersionRange::parse);
        let known = match (range, version) {
            (Some(range), Some(version)) => range.accepts(version),
            (Some(_), None) => false,
            (None, _) => true,
        };
        known && self.mentions.iter().any(|word| contains(script, word.as_bytes()))
    }
}

/// What a build of a solver may lack, known by what it says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lacks {
    /// Scripts that mention one of these need it.
    pub mentions: Vec<String>,
    /// What the solver says if it lacks it.
    pub message: String,
    pub why: String,
}

impl Lacks {
    /// Whether a script needs it.
    pub fn is_needed(&self, script: &[u8]) -> bool {
        self.mentions.iter().any(|word| contains(script, word.as_bytes()))
    }
}

/// File name as the last argument, or bytes on standard input.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum InputBy {
    #[default]
    Argument,
    Stdin,
}

/// How a long-lived process is used.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionMode {
    #[serde(default)]
    pub args: Vec<String>,
    /// Which kinds work: "reset", "scoped".
    #[serde(default)]
    pub kinds: Vec<SessionKind>,
    /// Whether `(echo "x")` prints the quotes.
    #[serde(default)]
    pub echo_quotes: bool,
    /// A process is replaced after this many queries; 0 means never.
    #[serde(default)]
    pub recycle: u32,
    /// The first error makes the process unusable.
    #[serde(default)]
    pub fatal_errors: bool,
    /// Nothing may be declared before a logic is set.
    #[serde(default)]
    pub needs_logic: bool,
    /// A scoped process serves one logic only.
    #[serde(default)]
    pub scoped_per_logic: bool,
    /// Commands at the start of a scoped process.
    #[serde(default)]
    pub preamble_scoped: String,
    /// Commands of a case that a scoped session omits.
    #[serde(default)]
    pub drop_scoped: Vec<String>,
    /// The status of a case would be compared with the answer to the next one.
    #[serde(default)]
    pub drop_status: bool,
    /// Releases in which some commands are not undone by a pop.
    #[serde(default)]
    pub not_scoped: Vec<Quirk>,
    /// A command that changes nothing and makes the solver create its tables, and the response to it: sent to a process
    /// before it is copied.
    pub prime: Option<String>,
    #[serde(default)]
    pub primed: String,
    /// An empty case that a scoped process is sent before it is copied.
    #[serde(default)]
    pub warm_scoped: String,
    /// Theories that a long-lived process handles badly.
    #[serde(default)]
    pub fresh_theories: Vec<String>,
}

/// A limitation of some releases.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quirk {
    /// A range, as after the `@` of a SPEC.
    pub versions: String,
    /// The commands concerned.
    pub commands: Vec<String>,
    pub why: String,
}

impl Quirk {
    /// Whether a release has it.
    pub fn affects(&self, version: Option<&Version>) -> bool {
        let range = crate::version::VersionRange::parse(&self.versions);
        version.zip(range).is_some_and(|(version, range)| range.accepts(version))
    }
}

/// The kinds of session.
#[derive(Clone, Copy, Debug, Deserialize, serde::Serialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
#[derive(Default)]
pub enum SessionKind {
    /// One process per case.
    #[default]
    Fresh,
    /// One copy of a warm process per case.
    Forked,
    /// One process, `(reset)` between cases.
    Reset,
    /// One process, each case between `(push 1)` and `(pop 1)`.
    Scoped,
}

impl SessionKind {
    /// Whether the process has answered, or may have answered, other cases before.
    pub fn is_live(self) -> bool {
        matches!(self, SessionKind::Reset | SessionKind::Scoped)
    }

    pub fn name(self) -> &'static str {
        match self {
            SessionKind::Fresh => "fresh",
            SessionKind::Forked => "forked",
            SessionKind::Reset => "reset",
            SessionKind::Scoped => "scoped",
        }
    }
}

/// Substrings of messages, by what they mean.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Messages {
    #[serde(default)]
    pub assertion: Vec<String>,
    #[serde(default)]
    pub crash: Vec<String>,
    #[serde(default)]
    pub memory: Vec<String>,
    #[serde(default)]
    pub time: Vec<String>,
    /// Complaints about the command line.
    #[serde(default)]
    pub usage: Vec<String>,
    #[serde(default)]
    pub unsupported: Vec<String>,
    /// Prefixes of the names of functions that all parts of a solver use: a crash there is attributed to the caller.
    #[serde(default)]
    pub plumbing: Vec<String>,
    /// Messages of an abort that only mean a missing feature.
    #[serde(default)]
    pub lacking: Vec<String>,
    /// Errors that do not concern the script.
    #[serde(default)]
    pub ignored: Vec<String>,
    /// The solver itself says that its model is wrong.
    #[serde(default)]
    pub invalid_model: Vec<String>,
    /// Errors that answer a get-model or get-unsat-core in the wrong mode.
    #[serde(default)]
    pub harmless: Vec<String>,
}

/// Options to avoid, and why.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Avoid {
    pub options: Vec<String>,
    pub why: String,
    /// Formulas mean something else with it, so that answers cannot be compared.
    #[serde(default)]
    pub changes_meaning: bool,
}

/// What a solver supports; empty means everything.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Supports {
    #[serde(default)]
    pub theories: Vec<String>,
    #[serde(default)]
    pub logics: Vec<String>,
    /// Operators of a supported theory that it lacks.
    #[serde(default)]
    pub not_operators: Vec<String>,
    /// What some builds lack.
    #[serde(default)]
    pub lacks: Vec<Lacks>,
}

include!(concat!(env!("OUT_DIR"), "/embedded_profiles.rs"));

static PROFILES: LazyLock<Vec<Arc<Profile>>> = LazyLock::new(|| {
    let parse = |(name, text): &(&str, &str)| match Profile::parse(text) {
        Ok(profile) => Arc::new(profile),
        Err(error) => unreachable!("the embedded profile {name} is tested to parse: {error}"),
    };
    EMBEDDED.iter().map(parse).collect()
});

impl Profile {
    /// Reads a profile.
    pub fn parse(text: &str) -> Result<Profile, String> {
        toml::from_str(text).map_err(|e| e.to_string())
    }

    /// The embedded profile of a solver of the catalogue or of a program name; `generic` if there is none.
    pub fn named(name: &str) -> Arc<Profile> {
        Profiles::embedded().get(name)
    }

    /// Whether the solver supports a session of that kind.
    pub fn has(&self, kind: SessionKind) -> bool {
        !kind.is_live() || self.session.kinds.contains(&kind)
    }

    /// The version in the output of the version query. If no prefix is known, only a word of at least two numbers on
    /// the first line counts: an error message has numbers too.
    pub fn read_version(&self, output: &str) -> Option<Version> {
        let number = |text: &str| -> Option<String> {
            let start = text.find(|c: char| c.is_ascii_digit())?;
            let number = text[start..].chars().take_while(|c| c.is_ascii_digit() || *c == '.');
            Some(number.collect::<String>().trim_end_matches('.').to_owned())
        };
        let before = self.version.before.as_str();
        if !before.is_empty() {
            return Version::parse(&number(&output[output.find(before)? + before.len()..])?);
        }
        let is_version =
            |word: &&str| word.trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit());
        let words = output.trim_start().lines().next()?.split([' ', '-', ',', '(', ')']).filter(is_version);
        words
            .filter_map(number)
            .find(|number| number.contains('.'))
            .and_then(|number| Version::parse(&number))
    }

    /// Starts a command once to learn its version.
    pub fn version_of(&self, command: &[OsString]) -> Option<Version> {
        self.version_in(&self.says_of_itself(command))
    }

    /// The version in what a command said about itself.
    fn version_in(&self, said: &[String]) -> Option<Version> {
        said.iter().find_map(|text| self.read_version(text))
    }

    /// What a command prints when it is asked for its version.
    fn says_of_itself(&self, command: &[OsString]) -> Vec<String> {
        self.version_output(command).unwrap_or_default()
    }

    fn version_output(&self, command: &[OsString]) -> Option<Vec<String>> {
        let (program, args) = command.split_first()?;
        let spec = run::Spec::new(program).args(args).args(&self.version.args).wall(VERSION_LIMIT);
        let outcome = run::once(&crate::confine::confined(spec), run::Input::Nothing).ok()?;
        let refused = outcome.exit != run::Exit::Code(0) && self.version.before.is_empty();
        let said = [outcome.stdout.text(), outcome.stderr.text()];
        (!refused).then(|| said.iter().map(|text| text.to_string()).collect())
    }

    /// Why an option should be avoided, if it should: `name`, `name=value` and `--name` are compared with the list.
    pub fn avoided(&self, option: &str) -> Option<&Avoid> {
        let plain = option.trim_start_matches('-');
        let name = plain.split('=').next().unwrap_or(plain);
        let hit = |listed: &String| {
            let listed = listed.trim_start_matches('-');
            listed == plain || listed == name
        };
        self.avoid.iter().find(|avoid| avoid.options.iter().any(hit))
    }
}

/// How long a program may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(5);

/// A set of profiles: the embedded ones, possibly overridden.
#[derive(Clone, Debug)]
pub struct Profiles {
    all: Vec<Arc<Profile>>,
}

impl Profiles {
    pub fn embedded() -> Profiles {
        Profiles { all: PROFILES.clone() }
    }

    /// The embedded profiles with those in a folder on top.
    pub fn with_folder(folder: &Path) -> Result<Profiles> {
        let mut profiles = Profiles::embedded();
        let entries = std::fs::read_dir(folder).map_err(Error::io("cannot read", folder))?;
        let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|p| p.extension().is_some_and(|e| e == "toml")) {
            let text = std::fs::read_to_string(&path).map_err(Error::io("cannot read", &path))?;
            let profile = Profile::parse(&text).map_err(|detail| Error::Malformed { path, detail })?;
            profiles.all.retain(|p| p.name != profile.name);
            profiles.all.push(Arc::new(profile));
        }
        Ok(profiles)
    }

    /// By solver name or program name; `generic` if nothing fits.
    pub fn get(&self, name: &str) -> Arc<Profile> {
        let solver = crate::catalogue::canonical_name(name).unwrap_or(name);
        let wanted = crate::catalogue::get(solver).and_then(|e| e.profile.as_deref()).unwrap_or(solver);
        let find = |name: &str| self.all.iter().find(|p| p.name == name).cloned();
        match find(wanted).or_else(|| find("generic")) {
            Some(profile) => profile,
            None => unreachable!("the generic profile is embedded and cannot be removed, only replaced"),
        }
    }

    /// The profile of a program whose file name says nothing, by what it prints about its version.
    pub fn recognise(&self, command: &[OsString]) -> Arc<Profile> {
        self.recognise_with_version(command).0
    }

    /// The same, and the version. A program that said nothing is not asked a second time: it may hang.
    pub(crate) fn recognise_with_version(&self, command: &[OsString]) -> (Arc<Profile>, Option<Version>) {
        let generic = self.get("generic");
        let said = generic.says_of_itself(command);
        let fits = |profile: &&Arc<Profile>| {
            let before = &profile.version.before;
            !before.is_empty() && said.iter().any(|text| text.contains(before.as_str()))
        };
        let Some(profile) = self.all.iter().find(fits).cloned() else {
            let version = generic.version_in(&said);
            return (generic, version);
        };
        let version = match profile.version.args == generic.version.args {
            true => profile.version_in(&said),
            false => profile.version_of(command),
        };
        (profile, version)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<Profile>> {
        self.all.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_profile_parses_under_its_own_name() {
        for (name, text) in EMBEDDED {
            let profile = Profile::parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(profile.name, *name);
            assert!(!profile.messages.crash.is_empty(), "{name} knows no crash");
            let ranges =
                profile.session.not_scoped.iter().map(|q| crate::version::VersionRange::parse(&q.versions));
            assert!(ranges.into_iter().all(|r| r.is_some()), "{name} has an unreadable range");
        }
    }

    #[test]
    fn versions_are_read_from_what_the_solvers_print() {
        let cases = [
            ("z3", "Z3 version 4.8.12 - 64 bit\n", "4.8.12"),
            ("cvc5", "This is cvc5 version 1.4.2 [falsum driver]\n", "1.4.2"),
            ("cvc4", "This is CVC4 version 1.8\ncompiled with GCC version 12.2.0\n", "1.8"),
            ("yices", "Yices 2.6.5\nCopyright SRI International.\nLinked with GMP 6.2.1\n", "2.6.5"),
            ("bitwuzla", "0.9.1\n", "0.9.1"),
        ];
        for (solver, output, version) in cases {
            let read = Profile::named(solver).read_version(output).unwrap();
            assert_eq!(read.to_string(), version, "{solver}");
        }
        assert!(Profile::named("z3").read_version("command not found").is_none());
        let generic = Profile::named("generic");
        let read = |text: &str| generic.read_version(text).map(|version| version.to_string());
        assert_eq!(read("mysolver-2.10.1 (build 7)").as_deref(), Some("2.10.1"));
        assert_eq!(read("Solver v0.3").as_deref(), Some("0.3"));
        assert_eq!(read("a.c:4:75: runtime error: 1 + 2"), None);
        assert_eq!(read("line 17: unknown option"), None);
    }

    #[test]
    fn off_limits_options_are_recognised_with_their_reason() {
        let z3 = Profile::named("z3");
        assert!(z3.avoided("rewriter.flat=false").unwrap().why.contains("z3#5076"));
        assert!(z3.avoided("smt.arith.solver=4").is_some());
        assert!(z3.avoided("smt.arith.solver=2").is_none());
    }

    #[test]
    fn a_folder_overrides_and_adds_profiles() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("z3.toml"), "name = \"z3\"\n[session]\nrecycle = 7\n").unwrap();
        std::fs::write(folder.path().join("mine.toml"), "name = \"mine\"\n").unwrap();
        let profiles = Profiles::with_folder(folder.path()).unwrap();
        assert_eq!(profiles.get("z3").session.recycle, 7);
        assert_eq!(profiles.get("mine").name, "mine");
        assert_eq!(profiles.get("unknown").name, "generic");
        std::fs::write(folder.path().join("bad.toml"), "nome = 1").unwrap();
        assert!(matches!(Profiles::with_folder(folder.path()), Err(Error::Malformed { .. })));
    }
}
