//! The options of solvers that a hunt may vary: a table per solver, checked against each release.
//!
//! In: a target. Out: its choices, each with name, values, level and meaning. The tables are data (`options/NAME.txt`);
//! which rows a release has is asked of the release itself at first use and kept in the home, so that an option that
//! came or went with a release is used only where it exists. So are tactics, which a release lists by name: those of the
//! table decide by themselves or end in `smt`, since one that only simplifies answers `unknown`. A user's file in yinyang's format is read here too.
//! Options that the profile tells fuzzers to avoid, by name and value, are never choices: no solver is accused for an option
//! that changes what formulas mean or is not supported.

use crate::home::Home;
use crate::permit;
use crate::profile::Profile;
use crate::scratch::Scratch;
use crate::session::by_hand;
use crate::target::Target;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Who should set an option, in the words of its project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptionLevel {
    Regular,
    Expert,
}

/// An option and the values that are worth trying.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionChoice {
    pub name: String,
    pub values: Vec<String>,
    pub level: OptionLevel,
    pub about: String,
}

/// The tables, by solver.
const TABLES: &[(&str, &str)] =
    &[("z3", include_str!("../options/z3.txt")), ("cvc5", include_str!("../options/cvc5.txt"))];

/// The table of a solver; empty if there is none. `(then_simplify_smt)` is one value with blanks.
pub fn table(solver: &str) -> Vec<OptionChoice> {
    let text = TABLES.iter().find(|(name, _)| *name == solver).map_or("", |(_, text)| text);
    text.lines().filter_map(row).collect()
}

fn row(line: &str) -> Option<OptionChoice> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let name = words.first().filter(|word| !word.starts_with(';'))?;
    let at = words.iter().position(|word| matches!(*word, "regular" | "expert"))?;
    let level = if words[at] == "regular" { OptionLevel::Regular } else { OptionLevel::Expert };
    let value = |word: &&str| if word.starts_with('(') { word.replace('_', " ") } else { (*word).to_owned() };
    let values = words[1..at].iter().map(value).collect();
    Some(OptionChoice { name: (*name).to_owned(), values, level, about: words[at + 1..].join(" ") })
}

/// An option as an argument of a solver.
pub fn argument(solver: &str, name: &str, value: &str) -> String {
    match (solver, value) {
        ("z3", _) => format!("{name}={value}"),
        (_, "true") => format!("--{name}"),
        (_, "false") => format!("--no-{name}"),
        _ => format!("--{name}={value}"),
    }
}

/// The choices of a target up to a level: those of its table that its release has, without the values that it has anyway.
pub fn choices(home: &Home, target: &Target, most: OptionLevel) -> Vec<OptionChoice> {
    let table = table(&target.profile.name);
    if table.is_empty() {
        return table;
    }
    let known = known_options(home, target, &table);
    let mut found = vec![];
    let allowed = table.into_iter().filter(|choice| choice.level <= most);
    for mut choice in allowed.map(|choice| permitted(&target.profile, choice)) {
        let Some(own) = known.options.iter().find(|own| own.name == choice.name) else { continue };
        choice.values.retain(|value| *value != own.value);
        if is_whole(&choice.name) {
            choice
                .values
                .retain(|value| tactics(value).all(|name| known.tactics.iter().any(|own| own == name)));
        }
        if !choice.values.is_empty() {
            found.push(choice);
        }
    }
    found
}

/// The options that choose a whole strategy: for all of z3, and for the check-sats of a script.
const DEFAULT_TACTIC: &str = "tactic.default_tactic";
const CHECK_SAT_USING: &str = "check-sat-using";

/// Whether an option chooses a whole strategy.
pub fn is_whole(name: &str) -> bool {
    [DEFAULT_TACTIC, CHECK_SAT_USING].contains(&name)
}

/// Words of tactics that are no names of tactics.
const COMBINATORS: [&str; 3] = ["then", "and-then", "or-else"];

/// The tactics that an expression names.
fn tactics(value: &str) -> impl Iterator<Item = &str> {
    let words = value.split(['(', ')', ' ']).filter(|word| !word.is_empty());
    words.filter(|word| !COMBINATORS.contains(word))
}

/// The same argument with one step of its tactic less, in every way: for the smallest strategy that shows a bug.
pub fn simpler(argument: &str) -> Vec<String> {
    let Some((name, value)) = argument.split_once('=').filter(|(name, _)| is_whole(name)) else {
        return vec![];
    };
    let text = value.as_bytes();
    let steps: Vec<&str> =
        crate::sexp::elements(text).map(|step| std::str::from_utf8(step).unwrap_or("")).collect();
    let [head, steps @ ..] = &steps[..] else { return vec![] };
    if !value.starts_with('(') || !COMBINATORS.contains(head) || steps.iter().any(|step| step.is_empty()) {
        return vec![];
    }
    let without = |n: usize| {
        let rest: Vec<&str> =
            steps.iter().enumerate().filter(|(i, _)| *i != n).map(|(_, step)| *step).collect();
        match rest[..] {
            [] => None,
            [one] => Some(format!("{name}={one}")),
            _ => Some(format!("{name}=({head} {})", rest.join(" "))),
        }
    };
    (0..steps.len()).filter_map(without).collect()
}

/// Without the values that fuzzers should avoid.
fn permitted(profile: &Profile, mut choice: OptionChoice) -> OptionChoice {
    choice.values.retain(|value| profile.avoided(&argument(&profile.name, &choice.name, value)).is_none());
    choice
}

/// What a release was asked about, and which of it it has.
#[derive(Serialize, Deserialize)]
struct Harvest {
    hash: String,
    asked: Vec<String>,
    known: Known,
}

/// What a release has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    #[serde(default)]
    tactics: Vec<String>,
    options: Vec<KnownOption>,
}

/// An option that a release has, and its usual value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KnownOption {
    name: String,
    value: String,
}

/// The options of a table that a release has: asked once, then kept in the home.
fn known_options(home: &Home, target: &Target, table: &[OptionChoice]) -> Known {
    let mut asked: Vec<String> = table.iter().map(|choice| choice.name.clone()).collect();
    asked.dedup();
    let file = cache(home, target);
    let kept = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
    if let Some(kept) = kept.and_then(|text| toml::from_str::<Harvest>(&text).ok())
        && kept.hash == target.hash
        && kept.asked == asked
    {
        return kept.known;
    }
    let known = harvest(target, &asked);
    let harvest = Harvest { hash: target.hash.clone(), asked, known: known.clone() };
    if let (Some(file), false, Ok(text)) = (file, known.options.is_empty(), toml::to_string(&harvest)) {
        // If the home cannot be written, the release is asked again next time.
        let folder = file.parent().map(std::fs::create_dir_all);
        let draft = file.with_extension(std::process::id().to_string());
        if folder.is_some_and(|made| made.is_ok()) && std::fs::write(&draft, text).is_ok() {
            let _ = std::fs::rename(&draft, &file);
        }
    }
    known
}

fn cache(home: &Home, target: &Target) -> Option<PathBuf> {
    let name: String = target.hash.chars().filter(char::is_ascii_alphanumeric).take(16).collect();
    let file = format!("{}-{name}.toml", target.profile.name);
    (!name.is_empty()).then(|| home.root().join("options").join(file))
}

/// A release that takes longer is not varied in this run.
const LIMIT: Duration = Duration::from_secs(3);

/// Asks a release which options it has.
fn harvest(target: &Target, names: &[String]) -> Known {
    let plain = Target { args: vec![], ..target.clone() };
    if target.profile.name != "z3" {
        return Known { tactics: vec![], options: by_get_option(&plain, names) };
    }
    let mut options = z3_parameters(&plain, names);
    // A program that lists no options may hang: it is not asked again.
    let tactics = if options.is_empty() { vec![] } else { z3_tactics(&plain) };
    if !tactics.is_empty() {
        options.push(KnownOption { name: CHECK_SAT_USING.into(), value: String::new() });
    }
    Known { tactics, options }
}

/// z3 lists its tactics, one in a line: `- simplify apply simplification rules.`
fn z3_tactics(target: &Target) -> Vec<String> {
    let mut words = target.command.iter();
    let (Some(program), Ok(file)) = (words.next(), Scratch::write(b"(help-tactic)\n")) else { return vec![] };
    let limits = run::Limits { wall: Some(LIMIT), ..run::Limits::default() };
    let spec = run::Spec::new(program).args(words).args(["-smt2"]).limits(limits);
    let outcome = run::once(&crate::confine::confined(spec), run::Input::Argument(file.path()));
    let Ok(outcome) = outcome else { return vec![] };
    listed_tactics(&String::from_utf8_lossy(&outcome.stdout.bytes()))
}

fn listed_tactics(text: &str) -> Vec<String> {
    let builtin = text.lines().skip_while(|line| !line.starts_with("builtin tactics:")).skip(1);
    let tactics = builtin.take_while(|line| !line.starts_with("builtin probes:"));
    let names = tactics.filter_map(|line| line.strip_prefix("- ")?.split_whitespace().next());
    names.map(str::to_owned).collect()
}

/// z3 prints its parameters by module.
fn z3_parameters(target: &Target, names: &[String]) -> Vec<KnownOption> {
    let mut words = target.command.iter();
    let Some(program) = words.next() else { return vec![] };
    let limits = run::Limits { wall: Some(LIMIT), ..run::Limits::default() };
    let spec = run::Spec::new(program).args(words).args(["-p"]).limits(limits);
    let Ok(outcome) = run::once(&crate::confine::confined(spec), run::Input::Nothing) else { return vec![] };
    let text = String::from_utf8_lossy(&outcome.stdout.bytes()).into_owned();
    parameters(&text).into_iter().filter(|known| names.contains(&known.name)).collect()
}

/// The full names in what `z3 -p` prints, with their usual values: `relevancy (unsigned int) (default: 2)`.
fn parameters(text: &str) -> Vec<KnownOption> {
    let mut module = String::new();
    let mut found = vec![];
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("[module] ") {
            module = format!("{}.", rest.split([',', ' ']).next().unwrap_or(rest));
        } else if let Some(name) = line.strip_prefix("    ").and_then(|line| line.split_whitespace().next()) {
            let value =
                line.split_once("(default: ").map_or("", |(_, rest)| rest.trim_end().trim_end_matches(')'));
            found.push(KnownOption { name: format!("{module}{name}"), value: value.to_owned() });
        }
    }
    found
}

/// Others say the value of an option, or `unsupported`: all are asked in one process.
fn by_get_option(target: &Target, names: &[String]) -> Vec<KnownOption> {
    let asked: String =
        names.iter().map(|name| format!("(echo \"{MARK}\")\n(get-option :{name})\n")).collect();
    let (Some((program, own)), Ok(file)) = (target.command.split_first(), Scratch::write(asked.as_bytes()))
    else {
        return vec![];
    };
    let (args, _) = by_hand(target, asked.as_bytes());
    let limits = run::Limits { wall: Some(LIMIT), ..run::Limits::default() };
    let spec = run::Spec::new(program).args(own).args(args).limits(limits);
    let outcome = run::once(&crate::confine::confined(spec), run::Input::Argument(file.path()));
    let Ok(outcome) = outcome else { return vec![] };
    let text = String::from_utf8_lossy(&outcome.stdout.bytes()).into_owned();
    let said = text.split(MARK).skip(1).map(|part| part.trim_matches(['"', '\n', ' ']));
    let has = |said: &str| !said.is_empty() && !said.starts_with("unsupported") && !said.contains("(error");
    let known = names.iter().zip(said).filter(|(_, said)| has(said));
    known.map(|(name, said)| KnownOption { name: name.clone(), value: said.to_owned() }).collect()
}

/// Separates the replies.
const MARK: &str = "falsum-option";

/// A file of options in yinyang's format: blocks of a solver's keyword and options with types or values, split by `###`.
pub fn read_file(text: &str) -> Result<Vec<(String, Vec<OptionChoice>)>, String> {
    let mut blocks = vec![];
    for (n, block) in text.split("###").enumerate() {
        let mut lines =
            block.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let Some(keyword) = lines.next() else { continue };
        let choices: Vec<OptionChoice> = lines.map(of_line).collect::<Result<_, _>>()?;
        if choices.is_empty() {
            return Err(format!("block {} (`{keyword}`) has no option", n + 1));
        }
        blocks.push((keyword.to_owned(), choices));
    }
    if blocks.is_empty() { Err("there is no block of options".into()) } else { Ok(blocks) }
}

/// `name`, `name bool`, `name true`, `name int`, `name 7`, `name 1-10`.
fn of_line(line: &str) -> Result<OptionChoice, String> {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default().trim_start_matches('-').trim_start_matches(':').to_owned();
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if !is_plain || permit::could_name_file(&name) {
        return Err(format!("`{name}` could name a file"));
    }
    let mut values: Vec<String> = vec![];
    for word in words {
        match (word, word.split_once('-').map(|(low, high)| (low.parse::<i64>(), high.parse::<i64>()))) {
            ("bool", _) => values.extend(["true".into(), "false".into()]),
            ("int", _) => values.extend(["0", "1", "2", "10", "1000"].map(str::to_owned)),
            (_, Some((Ok(low), Ok(high)))) if low <= high => {
                let middle = low + (high - low) / 2;
                values.extend([low, middle, high].map(|number| number.to_string()));
            }
            (word, _) if word == "true" || word == "false" || word.parse::<f64>().is_ok() => {
                values.push(word.to_owned());
            }
            _ => {
                return Err(format!(
                    "`{word}` is neither bool, int, true, false, a number nor a range (`{line}`)"
                ));
            }
        }
    }
    if values.is_empty() {
        values = vec!["true".into(), "false".into()];
    }
    values.sort();
    values.dedup();
    Ok(OptionChoice { name, values, level: OptionLevel::Expert, about: String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    #[test]
    fn every_row_of_a_table_is_read_and_none_is_one_to_avoid() {
        for (solver, text) in TABLES {
            let rows = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with(';')).count();
            let table = table(solver);
            assert_eq!(table.len(), rows, "{solver}");
            let profile = Profiles::embedded().get(solver);
            for choice in table {
                assert!(!choice.values.is_empty() && !choice.about.is_empty(), "{choice:?}");
                assert_eq!(permitted(&profile, choice.clone()), choice, "the profile says to avoid it");
            }
        }
        let tactics = table("z3").into_iter().filter(|choice| choice.name == "tactic.default_tactic");
        assert!(
            tactics.flat_map(|choice| choice.values).any(|value| value == "(then simplify solve-eqs smt)")
        );
    }

    #[test]
    fn every_tactic_decides_or_ends_in_the_main_engine() {
        let whole = table("z3").into_iter().filter(|choice| is_whole(&choice.name));
        for value in whole.flat_map(|choice| choice.values) {
            assert_eq!(tactics(&value).last(), Some("smt"), "{value}");
        }
    }

    #[test]
    fn the_tactics_of_a_release_are_read_from_its_own_list() {
        let text = "\"combinators:\n- (and-then <tactic>+) executes\nbuiltin tactics:\n- simplify apply rules.\n    som (bool) x\n- smt main.\nbuiltin probes:\n- size x.\n";
        assert_eq!(listed_tactics(text), ["simplify", "smt"]);
        assert_eq!(listed_tactics("unsupported\n"), Vec::<String>::new());
        assert_eq!(
            tactics("(or-else (then simplify qfnra-nlsat) smt)").collect::<Vec<_>>(),
            ["simplify", "qfnra-nlsat", "smt"]
        );
    }

    #[test]
    fn a_tactic_has_simpler_ones_and_an_option_has_none() {
        let all = simpler("check-sat-using=(then simplify (or-else nnf skip) smt)");
        assert_eq!(
            all,
            [
                "check-sat-using=(then (or-else nnf skip) smt)",
                "check-sat-using=(then simplify smt)",
                "check-sat-using=(then simplify (or-else nnf skip))"
            ]
        );
        assert_eq!(simpler("check-sat-using=(then simplify smt)")[0], "check-sat-using=smt");
        assert_eq!(simpler("check-sat-using=smt"), Vec::<String>::new());
        assert_eq!(simpler("smt.relevancy=0"), Vec::<String>::new());
    }

    #[test]
    fn options_are_written_as_each_solver_takes_them() {
        assert_eq!(argument("z3", "smt.relevancy", "0"), "smt.relevancy=0");
        assert_eq!(argument("cvc5", "nl-cov", "true"), "--nl-cov");
        assert_eq!(argument("cvc5", "nl-cov", "false"), "--no-nl-cov");
        assert_eq!(argument("cvc5", "nl-ext", "none"), "--nl-ext=none");
    }

    #[test]
    fn parameters_of_z3_have_the_name_of_their_module() {
        let text = "Global parameters\n    auto_config (bool) (default: true)\n\n[module] smt, description: x\n    arith.solver (unsigned int)\n";
        let known = parameters(text);
        let read: Vec<(&str, &str)> =
            known.iter().map(|own| (own.name.as_str(), own.value.as_str())).collect();
        assert_eq!(read, [("auto_config", "true"), ("smt.arith.solver", "")]);
    }

    #[test]
    fn a_file_of_options_in_the_peers_format_is_read() {
        let text = "z3\nsmt.relevancy 0-2\nrewriter.som\n###\ncvc4\n--nl-ext bool\nseed int\n";
        let blocks = read_file(text).unwrap();
        assert_eq!(blocks[0].0, "z3");
        assert_eq!(blocks[0].1[0].values, ["0", "1", "2"]);
        assert_eq!(blocks[0].1[1].values, ["false", "true"]);
        assert_eq!((blocks[1].1[0].name.as_str(), blocks[1].1[1].values.len()), ("nl-ext", 5));
        assert!(read_file("z3\nsmt.relevancy many\n").is_err());
        assert!(read_file("").is_err());
        for named in [
            "solver.proof.log=/tmp/x",
            "regular-output-channel",
            "--out=/tmp/x",
            "trace",
            "a|b",
            "axioms2files",
        ] {
            assert!(read_file(&format!("z3\n{named}\n")).is_err(), "{named}");
        }
    }
}
