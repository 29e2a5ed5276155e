//! `falsum.toml`: default flags of a project.
//!
//! A table per command (`[hunt]`, `[corpus.import]`), a key per long flag; the file can contain nothing else, so the
//! flags' own definitions are the only documentation needed. A flag on the command line wins over the file, in any
//! spelling: the argument parser decides what was typed. The whole file is checked for every command, and a mistake is
//! reported with its line; only the commands that help to repair it (`init`, `doctor`, help) run with a broken file.
//! Flags that could affect the user's machine need the user's permission (`allowance.rs`). The file is looked for in the
//! current folder and above it, up to the root of the repository; relative paths in it are relative to its own folder.

use crate::allowance;
use crate::exit::Failure;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use smtlib::shown;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

pub const FILE: &str = "falsum.toml";

/// Commands that run even with a broken file; the last one is how falsum starts old cvc5 releases.
const UNIMPRESSED: [&str; 7] = ["init", "allow", "doctor", "help", "completions", "man", "cvc5-driver"];

/// The file in the current folder, or in the nearest folder above it that has one. The root of a repository is the last.
pub fn find() -> Option<PathBuf> {
    if Path::new(FILE).exists() {
        return Some(FILE.into());
    }
    let here = std::env::current_dir().ok()?;
    for folder in here.ancestors() {
        let file = folder.join(FILE);
        if folder != here && file.exists() {
            return Some(file);
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}

/// A command line and what the file added to it.
#[derive(Debug)]
pub struct Expanded {
    pub args: Vec<OsString>,
    pub added: Vec<OsString>,
}

/// The command line with the file's flags added after the command's name.
pub fn expand(args: Vec<OsString>, file: &Path, cli: &Command) -> Result<Expanded, Failure> {
    let plain = |args| Ok(Expanded { args, added: vec![] });
    let Some(at) = word_after(&args, 0) else { return plain(args) };
    let text = match allowance::read(file) {
        Ok(Some(text)) => text,
        Ok(None) => return plain(args),
        Err(_) if is_unimpressed(&args, at) => return plain(args),
        Err(failure) => return Err(failure),
    };
    let page = Page { text: &text, file };
    match page.flags(&args, at, cli).and_then(|flags| page.permitted(flags)) {
        Err(_) if is_unimpressed(&args, at) => plain(args),
        Err(failure) => Err(failure),
        Ok(Flags { after, added, .. }) => {
            let mut all = args;
            all.splice(after + 1..after + 1, added.iter().cloned());
            Ok(Expanded { args: all, added })
        }
    }
}

/// The flags in a file that need the user's permission, for any command.
pub fn acting(text: &str, file: &Path, cli: &Command) -> Result<Vec<String>, Failure> {
    let page = Page { text, file };
    let whole = page.table()?;
    let mut built = cli.clone();
    built.build();
    page.check(&whole, &built, "")?;
    Ok(page.acting_in(&whole, &built, ""))
}

/// What a file adds to a command line.
struct Flags {
    /// After which argument the flags are inserted.
    after: usize,
    added: Vec<OsString>,
    /// Flags that need the user's permission, each with the reason.
    acting: Vec<String>,
}

/// If the command line is wrong, names the flags that came from the file: the user did not type them.
#[allow(clippy::print_stderr, reason = "the binary prints to the user here")]
pub fn tell(added: &[OsString]) {
    if !added.is_empty() {
        let flags: Vec<_> = added.iter().map(shown::word).collect();
        eprintln!("\nnote: {FILE} adds {}", flags.join(" "));
    }
}

/// The position of the first argument after `from` that is not a flag. Of the global flags only `--color` has a value.
fn word_after(args: &[OsString], from: usize) -> Option<usize> {
    let is_word = |n: &usize| !args[*n].to_string_lossy().starts_with('-') && args[*n - 1] != "--color";
    (from + 1..args.len()).find(is_word)
}

fn is_unimpressed(args: &[OsString], at: usize) -> bool {
    let asks = |arg: &OsString| arg == "--help" || arg == "-h" || arg == "--version" || arg == "-V";
    UNIMPRESSED.iter().any(|name| args[at] == *name) || args.iter().any(asks)
}

/// The file as it is read.
struct Page<'a> {
    text: &'a str,
    file: &'a Path,
}

impl Page<'_> {
    /// The flags for a command line, and after which argument they are inserted.
    fn flags(&self, args: &[OsString], mut at: usize, cli: &Command) -> Result<Flags, Failure> {
        let whole = self.table()?;
        let mut built = cli.clone();
        built.build();
        self.check(&whole, &built, "")?;
        let (mut command, mut table) = (&built, &whole);
        let typed = cli.clone().ignore_errors(true).try_get_matches_from(args).ok();
        let mut typed = typed.as_ref();
        loop {
            let name = args[at].to_string_lossy();
            let (Some(inner), Some(Value::Table(flags))) =
                (command.find_subcommand(&*name), table.get(&*name))
            else {
                return Ok(Flags { after: at, added: vec![], acting: vec![] });
            };
            (command, table) = (inner, flags);
            typed = typed.and_then(|found| found.subcommand_matches(&name));
            match word_after(args, at).filter(|_| command.has_subcommands()) {
                Some(next) => at = next,
                None => break,
            }
        }
        let (mut added, mut acting) = (vec![], vec![]);
        for (key, value) in table {
            if !is_typed(command, typed, key) {
                self.add(&mut added, command, key, value)?;
                acting.extend(self.acting(command, key, value));
            }
        }
        Ok(Flags { after: at, added, acting })
    }

    fn table(&self) -> Result<Table, Failure> {
        self.text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map(|span| 1 + self.text[..span.start].matches('\n').count());
            self.mistake(line, error.message()).hint("falsum init --force writes a good one")
        })
    }

    /// Refuses flags that lack the user's permission; those that have it are printed.
    #[allow(clippy::print_stderr, reason = "the user should know what a file starts")]
    fn permitted(&self, flags: Flags) -> Result<Flags, Failure> {
        let lines = flags.acting.join("\n  ");
        if flags.acting.is_empty() {
            return Ok(flags);
        }
        if !allowance::is_given(self.file, self.text) {
            let message = format!("{} needs your permission for:\n  {lines}", shown::path(self.file));
            let hint = "if you trust it, run falsum allow; or type the flag, which wins over the file";
            return Err(Failure::usage(message).hint(hint));
        }
        eprintln!("note: {} is used with your permission:\n  {lines}", shown::path(self.file));
        Ok(flags)
    }

    fn acting_in(&self, table: &Table, command: &Command, path: &str) -> Vec<String> {
        let each = table.iter().flat_map(|(key, value)| match (value, command.find_subcommand(key)) {
            (Value::Table(inner), Some(command)) => self.acting_in(inner, command, &format!("{path}{key}.")),
            _ => self.acting(command, key, value).map(|line| format!("{path}{line}")).into_iter().collect(),
        });
        each.collect()
    }

    /// The flag with the reason why it needs the user's permission, if it does.
    fn acting(&self, command: &Command, key: &str, value: &Value) -> Option<String> {
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let why = allowance::acts(command, key, value, folder)?;
        Some(format!("{key} = {}   ({why})", shown::text(&value.to_string())))
    }

    /// Every table must be a command, every key one of its flags.
    fn check(&self, table: &Table, command: &Command, path: &str) -> Result<(), Failure> {
        for (key, value) in table {
            let whole = format!("{path}{key}");
            match (value, command.find_subcommand(key)) {
                (Value::Table(inner), Some(command)) => self.check(inner, command, &format!("{whole}."))?,
                (Value::Table(_), None) => {
                    let names: Vec<&str> = known(command);
                    return Err(self
                        .mistake(
                            self.line_of(&format!("[{whole}")),
                            &format!("there is no command `{whole}`"),
                        )
                        .hint(format!("tables are named as commands: {}", names.join(", "))));
                }
                (_, _) if path.is_empty() => {
                    let what = format!("`{key}` is outside the table of a command");
                    return Err(self
                        .mistake(self.line_of(key), &what)
                        .hint(format!("write [hunt] above `{key}`")));
                }
                (_, _) if !has_flag(command, key) => {
                    let name = path.trim_end_matches('.').replace('.', " ");
                    let what = format!("`{name}` has no flag `--{key}`");
                    return Err(self.mistake(self.line_of(key), &what).hint(format!("falsum {name} --help")));
                }
                (_, _) => {}
            }
        }
        Ok(())
    }

    fn add(
        &self,
        added: &mut Vec<OsString>,
        command: &Command,
        key: &str,
        value: &Value,
    ) -> Result<(), Failure> {
        match value {
            Value::Boolean(true) => added.push(format!("--{key}").into()),
            Value::Boolean(false) => {}
            Value::String(text) => added.push(format!("--{key}={}", self.placed(command, key, text)).into()),
            Value::Integer(number) => added.push(format!("--{key}={number}").into()),
            Value::Float(number) => added.push(format!("--{key}={number}").into()),
            Value::Array(values) => {
                values.iter().try_for_each(|value| self.add(added, command, key, value))?;
            }
            Value::Table(_) | Value::Datetime(_) => {
                let what = format!("`{key}` needs a text, a number, true, false or a list");
                return Err(self.mistake(self.line_of(key), &what));
            }
        }
        Ok(())
    }

    /// A value whose path is relative to the folder of the file.
    fn placed(&self, command: &Command, key: &str, text: &str) -> String {
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let arg = command.get_arguments().find(|arg| arg.get_long() == Some(key));
        let names = arg.and_then(clap::Arg::get_value_names).unwrap_or_default();
        let placed = |path: &str| folder.join(path.trim_start_matches("./")).to_string_lossy().into_owned();
        match names.first().map(clap::builder::Str::as_str) {
            _ if folder.as_os_str().is_empty() => text.to_owned(),
            Some("FILE" | "DIR" | "PATH" | "FOLDER") if Path::new(text).is_relative() => placed(text),
            Some("SPEC") => match solver::Spec::parse(text).map(|spec| spec.program) {
                Ok(solver::spec::Program::Path { path, .. }) if Path::new(&path).is_relative() => {
                    text.replacen(path.as_str(), &placed(&path), 1)
                }
                _ => text.to_owned(),
            },
            _ => text.to_owned(),
        }
    }

    fn mistake(&self, line: Option<usize>, what: &str) -> Failure {
        let at = line.map_or(String::new(), |line| format!(":{line}"));
        Failure::usage(format!("{}{at}: {}", shown::path(self.file), shown::text(what)))
    }

    /// The line that begins so, if there is exactly one.
    fn line_of(&self, begin: &str) -> Option<usize> {
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
        let begins = |line: &str| line.trim_start().strip_prefix(begin).is_some_and(ends);
        let mut lines = self.text.lines().enumerate().filter(|(_, line)| begins(line));
        lines.next().filter(|_| lines.next().is_none()).map(|(n, _)| n + 1)
    }
}

/// The commands that are visible to users.
fn known(command: &Command) -> Vec<&str> {
    command.get_subcommands().filter(|one| !one.is_hide_set()).map(Command::get_name).collect()
}

fn has_flag(command: &Command, key: &str) -> bool {
    key != "help" && key != "version" && command.get_arguments().any(|arg| arg.get_long() == Some(key))
}

/// Whether a flag was typed, long, short or combined with others.
fn is_typed(command: &Command, typed: Option<&ArgMatches>, key: &str) -> bool {
    let arg = command.get_arguments().find(|arg| arg.get_long() == Some(key));
    let (Some(arg), Some(typed)) = (arg, typed) else { return false };
    typed.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn read(text: &str, args: &[&str]) -> Result<Vec<String>, String> {
        let page = Page { text, file: FILE.as_ref() };
        let args: Vec<OsString> = args.iter().map(Into::into).collect();
        let at = word_after(&args, 0).unwrap();
        match page.flags(&args, at, &crate::Cli::command()) {
            Ok(flags) => Ok(flags.added.into_iter().map(|arg| arg.into_string().unwrap()).collect()),
            Err(failure) => Err(failure.message),
        }
    }

    #[test]
    fn the_file_adds_flags_and_the_user_wins_in_every_spelling() {
        let text = "[hunt]\nkey = \"night\"\nsolver = [\"z3\", \"cvc5\"]\nquiet = true\njobs = 3\n";
        let all = ["--jobs=3", "--key=night", "--quiet", "--solver=z3", "--solver=cvc5"];
        assert_eq!(read(text, &["falsum", "hunt", "seeds"]).unwrap(), all);
        assert_eq!(read(text, &["falsum", "--color", "never", "hunt"]).unwrap(), all);
        assert_eq!(
            read(text, &["falsum", "hunt", "--key", "mine"]).unwrap(),
            [all[0], all[2], all[3], all[4]]
        );
        assert_eq!(read(text, &["falsum", "hunt", "-qj4", "-s", "yices"]).unwrap(), ["--key=night"]);
        assert!(read(text, &["falsum", "check", "a"]).unwrap().is_empty());
        let nested = "[corpus.import]\nname = \"mine\"\n";
        assert_eq!(read(nested, &["falsum", "corpus", "import", "x"]).unwrap(), ["--name=mine"]);
        assert!(read(nested, &["falsum", "corpus", "list"]).unwrap().is_empty());
    }

    #[test]
    fn a_mistake_anywhere_is_reported_with_its_line() {
        let told = |text| read(text, &["falsum", "check", "a"]).unwrap_err();
        assert_eq!(told("[check]\n\n[hnut]\n"), "falsum.toml:3: there is no command `hnut`");
        assert_eq!(told("quiet = true\n"), "falsum.toml:1: `quiet` is outside the table of a command");
        assert_eq!(told("[hunt]\nfoo = 1\n"), "falsum.toml:2: `hunt` has no flag `--foo`");
        assert!(told("[hunt]\nkey = \n").starts_with("falsum.toml:2: "));
    }

    /// Whatever the file says, the outcome is flags or a message, and what acts is asked for. Run for longer by
    /// `fuzz/run`.
    #[test]
    fn fuzzed_files_give_flags_or_a_message() {
        let texts = [
            "[hunt]\nkey = \"night\"\nsolver = [\"z3\", \"cvc5\"]\nquiet = true\njobs = 3\n",
            "[corpus.import]\nname = \"mine\"\n",
            "[check]\nsolver = \"x=/bin/sh -c id\"\nsandbox = \"off\"\ntimeout = \"5s\"\n",
            "[hunt]\nout = \"../../x\"\nfor = 10\nseeds = [\"/etc\"]\ntrust-options = true\n",
        ];
        let words = [
            "[hunt]\n",
            "[check]\n",
            "solver",
            "out",
            "=",
            "\"/bin/sh\"",
            "[",
            "]",
            "{",
            "}",
            "\n",
            "'",
            "true",
            "1979-05-27",
        ];
        let fuzz = testkit::Fuzz {
            name: "config",
            seeds: texts.iter().map(|text| text.as_bytes().to_vec()).collect(),
            dictionary: &words,
            most: std::time::Duration::from_secs(10),
        };
        fuzz.run(|input| {
            let text = String::from_utf8_lossy(input);
            let short =
                |said: String| said.chars().filter(|c| !c.is_ascii_digit()).take(50).collect::<String>();
            let added = read(&text, &["falsum", "hunt", "seeds"]).map(|added| added.len()).map_err(short);
            let acting = acting(&text, FILE.as_ref(), &crate::Cli::command());
            let acting = acting.map(|all| all.len()).map_err(|failure| short(failure.message));
            format!("{added:?} {acting:?}")
        });
    }
}
