//! A command exactly as a report prints it, and what it prints.
//!
//! A report shows a file and a command line that a person types in the folder of that file. So the command is run once
//! as it stands: by a shell, in a folder that has only that file, with nothing set by a session. Options that a session
//! had on, and requests for a model or a core, must therefore be in the file.
//!
//! In: a target, a script, and what must be requested. Out: the ways to print it, the plainest first, and the output of
//! each. An installed release is printed by the name of its program, any other program by its absolute path.

use super::fresh::{arguments, push_line, read_run};
use super::{Extras, QueryLimits, is_overridden, option_commands};
use crate::answer::Reply;
use crate::catalogue::PackageKind;
use crate::confine::confined;
use crate::dialect;
use crate::home::Release;
use crate::outline::{Outline, is_check};
use crate::permit;
use crate::profile::InputBy;
use crate::scratch;
use crate::target::Target;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The name of the file in every printed command.
pub const FILE: &str = "bug.smt2";

/// A command line and the file that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// For a shell.
    pub line: String,
    pub file: Vec<u8>,
    /// The folder with the program, where the line has only the program's name.
    search: Option<PathBuf>,
}

/// What a printed command did.
#[derive(Clone, Debug)]
pub struct Ran {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub exit: run::Exit,
    pub reply: Reply,
}

impl Printed {
    /// The ways to show a script to a target, the plainest first. `want` is requested after one check-sat. None if the
    /// script may not be sent to a solver.
    pub fn ways(target: &Target, script: &[u8], want: Extras, check: usize) -> Vec<Printed> {
        // An old release reads old names, and so does the person who runs it.
        let script = dialect::translate(target, script);
        let permitted = permit::permit(&target.profile, &script);
        if permitted.refused.is_some() {
            return vec![];
        }
        let outline = Outline::of(&permitted.script);
        let plain = with_requests(&outline, &[], want, check);
        let models = Extras { model: !want.core, ..want };
        let heads = option_commands(&target.profile, models);
        let set = with_requests(&outline, &heads, want, check);
        let asked = with_requests(&outline, &heads, models, check);
        let (few, all) = (target.words().collect(), arguments(target, &outline));
        let mut ways: Vec<Printed> = vec![];
        for (words, file) in [(&few, &plain), (&few, &set), (&all, &plain), (&all, &set), (&all, &asked)] {
            let way = Printed::new(target, words, file.clone());
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        ways
    }

    fn new(target: &Target, words: &[&str], file: Vec<u8>) -> Printed {
        let search = release_of(target).and(target.path.parent()).map(Path::to_owned);
        let program = match (&search, target.path.file_name()) {
            (Some(_), Some(name)) => smtlib::shown::word(name),
            _ => smtlib::shown::word(&target.path),
        };
        let file_word = match target.profile.file.input {
            InputBy::Argument => FILE.to_owned(),
            InputBy::Stdin => format!("< {FILE}"),
        };
        let words = words.iter().map(smtlib::shown::word);
        let line: Vec<String> = std::iter::once(program).chain(words).chain([file_word]).collect();
        Printed { line: line.join(" "), file, search }
    }

    /// Runs it as printed. `None` if the machine does not let us.
    pub fn run(&self, target: &Target, limits: &QueryLimits, cancel: Option<&run::Cancel>) -> Option<Ran> {
        let folder = Folder::with(&self.file).ok()?;
        let line = format!("exec {}", self.line);
        let mut spec =
            confined(run::Spec::new("/bin/sh").args(["-c", line.as_str()])).limits(limits.for_run());
        spec.cwd = Some(folder.0.clone());
        spec.cancel = cancel.cloned();
        if let Some(search) = &self.search {
            spec = spec.env("PATH", before_path(search));
        }
        let outcome = run::once(&spec, run::Input::Nothing).ok()?;
        let reply = read_run(&target.profile, &self.file, &outcome);
        let (stdout, stderr) = (outcome.stdout.bytes().into_owned(), outcome.stderr.bytes().into_owned());
        Some(Ran { stdout, stderr, exit: outcome.exit, reply })
    }
}

/// The installed release that a target is, if it is one.
fn release_of(target: &Target) -> Option<Release> {
    Release::open(target.path.parent()?).ok().filter(|release| release.program() == target.path)
}

/// How a target was installed: the words for `pip install`, and whether it is a library that falsum hosts, because the
/// wheel has no program. `None` for a program that falsum did not install.
pub fn installed_as(target: &Target) -> Option<(String, bool)> {
    let release = release_of(target)?;
    let package = release.record.origin.strip_prefix("pip ").unwrap_or(&release.record.origin);
    Some((package.to_owned(), release.record.kind != PackageKind::Executable))
}

/// What the program prints about its build; empty for a hosted library, which has no program to ask.
pub fn build_of(target: &Target) -> String {
    if installed_as(target).is_some_and(|(_, hosted)| hosted) {
        return String::new();
    }
    let asked = match target.profile.version.build.is_empty() {
        true => &target.profile.version.args,
        false => &target.profile.version.build,
    };
    let Some((program, args)) = target.command.split_first() else { return String::new() };
    let spec = run::Spec::new(program).args(args).args(asked).wall(std::time::Duration::from_secs(10));
    let said = run::once(&confined(spec), run::Input::Nothing);
    said.map_or_else(|_| String::new(), |outcome| outcome.stdout.text().trim().to_owned())
}

fn before_path(folder: &Path) -> OsString {
    let mut path = folder.as_os_str().to_owned();
    if let Some(rest) = std::env::var_os("PATH") {
        path.push(":");
        path.push(rest);
    }
    path
}

/// The script with options in front and requests after one check-sat. Without either it is unchanged.
fn with_requests(outline: &Outline<'_>, heads: &[&str], want: Extras, check: usize) -> Vec<u8> {
    let requests: Vec<&str> = [(want.model, "(get-model)"), (want.core, "(get-unsat-core)")]
        .into_iter()
        .filter_map(|(wanted, request)| wanted.then_some(request))
        .collect();
    if outline.malformed || (heads.is_empty() && requests.is_empty()) {
        return outline.script.to_vec();
    }
    let mut text = Vec::with_capacity(outline.script.len() + 128);
    heads.iter().for_each(|head| push_line(&mut text, head.as_bytes()));
    let mut checks = 0;
    let mut commands = outline.commands.iter().filter(|command| !is_overridden(command, heads)).peekable();
    while let Some(command) = commands.next() {
        push_line(&mut text, command.text);
        if is_check(command) {
            let next = commands.peek().map(|next| next.text.trim_ascii());
            let missing = |request: &&&str| next != Some(request.as_bytes());
            if checks == check {
                requests.iter().filter(missing).for_each(|request| push_line(&mut text, request.as_bytes()));
            }
            checks += 1;
        }
    }
    text
}

/// A folder with one file, removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn with(file: &[u8]) -> std::io::Result<Folder> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = scratch::folder()?.join(format!("printed-{number}"));
        std::fs::create_dir(&path)?;
        let folder = Folder(path);
        std::fs::write(folder.0.join(FILE), file)?;
        Ok(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    fn target(solver: &str, args: &[&str]) -> Target {
        Target {
            name: format!("./dev/{solver}"),
            profile: Profiles::embedded().get(solver),
            command: vec![],
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            version: None,
            hash: String::new(),
            path: format!("/no where/{solver}").into(),
        }
    }

    const SCRIPT: &[u8] = b"(set-logic QF_LIA)\n(assert true)\n(check-sat)\n(check-sat)\n(exit)\n";

    #[test]
    fn the_plainest_way_is_the_script_itself_with_the_users_own_options() {
        let ways = Printed::ways(&target("cvc5", &["--decision=internal"]), SCRIPT, Extras::default(), 0);
        assert_eq!(ways[0].line, "'/no where/cvc5' --decision=internal bug.smt2");
        assert_eq!(ways[0].file, SCRIPT);
        let last = ways.last().unwrap();
        assert!(
            last.line.contains("--incremental") && last.line.contains("--decision=internal"),
            "{}",
            last.line
        );
        assert!(last.file.starts_with(b"(set-option :produce-models true)"));
    }

    #[test]
    fn a_model_is_requested_once_and_the_option_for_it_is_in_the_file() {
        let want = Extras { model: true, ..Extras::default() };
        let ways = Printed::ways(&target("cvc5", &[]), SCRIPT, want, 1);
        let text = String::from_utf8(ways[1].file.clone()).unwrap();
        assert_eq!(
            text,
            "(set-option :produce-models true)\n(set-logic QF_LIA)\n(assert true)\n(check-sat)\n(check-sat)\n(get-model)\n"
        );
        let again = Printed::ways(&target("cvc5", &[]), text.as_bytes(), want, 1);
        assert_eq!(String::from_utf8(again[0].file.clone()).unwrap().matches("(get-model)").count(), 1);
    }

    #[test]
    fn a_file_for_an_old_release_has_the_names_of_that_release() {
        let old = Target { version: crate::version::Version::parse("4.8.6"), ..target("z3", &[]) };
        let script = b"(assert (str.in_re \"a\" re.allchar))\n(check-sat)\n";
        let ways = Printed::ways(&old, script, Extras::default(), 0);
        assert!(String::from_utf8_lossy(&ways[0].file).contains("str.in.re"), "{ways:?}");
    }

    #[test]
    fn a_script_that_names_files_is_not_printed() {
        let script = b"(include \"/etc/passwd\")(check-sat)";
        assert_eq!(Printed::ways(&target("z3", &[]), script, Extras::default(), 0), vec![]);
    }
}
