//! Scripts that try to make a solver write files, with real solvers: what `permit` removes, and what the sandbox
//! would have stopped.
//!
//! Each attack is first shown to work when the script is given to the solver unchanged, so that a test that finds no
//! file is meaningful.
#![allow(clippy::unwrap_used, reason = "a test")]

mod home;

use home::{release, target};
use solver::permit::permit;
use solver::{Answer, Ended, Extras, Pool, Profile, Query, QueryLimits, SessionKind, Target};
use std::path::Path;
use std::time::Duration;

/// A formula that is sat, after a command that names the file `@`.
fn scripts(attack: &str, file: &Path) -> Vec<u8> {
    let attack = attack.replace('@', &file.to_string_lossy());
    format!("{attack}\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n").into_bytes()
}

/// Attacks on z3 and cvc5 for which options are removed and the rest is still answered.
const BY_OPTION: [(&str, &str); 11] = [
    ("z3@5.4.0", "(set-option :regular-output-channel \"@\")(echo \"owned\")"),
    ("z3@5.4.0", "(|set-option| :regular-output-channel \"@\")(echo \"owned\")"),
    ("z3@5.4.0", "(set-option :diagnostic-output-channel \"@\")(set-option :verbose 10)(assert)"),
    (
        "z3@5.4.0",
        "(set-option :solver.proof.log |@|)(set-option :sat.smt true)(set-option :tactic.default_tactic smt)",
    ),
    ("z3@5.4.0", "(set-option :trace_file_name |@|)(set-option :trace true)"),
    ("z3@5.4.0", "(exit 1)(set-option :regular-output-channel \"@\")(echo \"owned\")"),
    ("z3@4.8.9", "(set-option :regular-output-channel \"@\")(echo \"owned\")"),
    ("cvc5@1.4.2", "(set-option :regular-output-channel \"@\")(echo \"owned\")"),
    ("cvc5@1.4.2", "(set-option :diagnostic-output-channel \"@\")"),
    ("cvc5@1.4.2", "(set-option :out \"@\")"),
    ("yices@2.6.5", "(set-option :regular-output-channel \"@\")(set-logic QF_LIA)(echo \"owned\")"),
];

/// Attacks that are refused as a whole.
const BY_COMMAND: [(&str, &str); 3] = [
    ("z3@5.4.0", "(declare-const p Bool)(assert p)(check-sat-using (using-params sat :drat.file |@|))"),
    (
        "z3@5.4.0",
        "(declare-const |a\\|b| Int)(set-option :regular-output-channel \"@\")(echo \"x\")(declare-const |c| Int) ; |",
    ),
    ("z3@5.4.0", ")(set-option :regular-output-channel \"@\")(echo \"x\")"),
];

fn query(script: &[u8]) -> Query<'_> {
    Query::new(script).limits(QueryLimits::wall(Duration::from_secs(20)))
}

/// Gives a script to a solver without any check; returns whether the file exists afterwards.
fn as_it_is(target: &Target, script: &[u8], file: &Path, confined: bool) -> bool {
    let input = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(input.path(), script).unwrap();
    let (program, args) = target.command.split_first().unwrap();
    let spec = run::Spec::new(program).args(args).args(&target.profile.file.args);
    let spec = if confined { solver::confine::confined(spec) } else { spec };
    run::once(&spec, run::Input::Argument(input.path())).unwrap();
    let written = file.exists();
    let _ = std::fs::remove_file(file);
    written
}

#[test]
fn the_attacks_work_on_solvers_that_get_them_and_the_sandbox_stops_them() {
    for (spec, attack) in BY_OPTION.iter().chain(&BY_COMMAND) {
        let (target, folder) = (target(spec), tempfile::tempdir().unwrap());
        let file = folder.path().join("victim");
        let script = scripts(attack, &file);
        assert!(as_it_is(&target, &script, &file, false), "{spec}: {attack} does not work");
        if run::held().files {
            assert!(!as_it_is(&target, &script, &file, true), "{spec}: {attack} gets through the sandbox");
        }
    }
}

#[test]
fn options_that_name_a_file_are_removed_and_the_rest_is_answered_in_every_kind() {
    for (spec, attack) in BY_OPTION {
        for kind in [SessionKind::Fresh, SessionKind::Reset, SessionKind::Scoped] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("victim");
            let script = scripts(attack, &file);
            for want in [Extras::default(), Extras { model: true, ..Extras::default() }] {
                let reply = Pool::new(target(spec), 1).ask(&query(&script).want(want), kind);
                assert!(!file.exists(), "{spec} {kind:?}: {attack}");
                assert!(!reply.left_out.is_empty(), "{spec} {kind:?}: {attack}");
                assert!(!String::from_utf8_lossy(&reply.history.bytes().unwrap()).contains("victim"));
                if !attack.contains("(assert)") && !attack.contains("(exit") {
                    assert_eq!(reply.answer(), Some(Answer::Sat), "{spec} {kind:?}: {attack}");
                }
            }
        }
    }
}

#[test]
fn scripts_with_commands_that_open_files_are_not_sent() {
    for (spec, attack) in BY_COMMAND {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("victim");
        let script = scripts(attack, &file);
        let mut unknown = target(spec);
        unknown.profile = Profile::named("generic");
        for target in [target(spec), unknown] {
            let reply = Pool::new(target, 1).ask(&query(&script), SessionKind::Scoped);
            assert!(matches!(reply.ended, Ended::Unsupported(_)), "{attack}: {:?}", reply.ended);
            assert!(!file.exists() && reply.answer().is_none(), "{attack}");
        }
    }
}

/// Whether an option with a safe value still reaches the solver.
fn passes(solver: &str, option: &str, value: &str) -> bool {
    let script = format!("(set-option :{option} {value})");
    permit(&Profile::named(solver), script.as_bytes()).left_out.is_empty()
}

/// `module.name`, its description: z3's own list of options.
fn options_of_z3(spec: &str) -> Vec<(String, String)> {
    let outcome =
        run::once(&run::Spec::new(release(spec).program()).arg("-pd"), run::Input::Nothing).unwrap();
    let text = outcome.stdout.text();
    let (mut module, mut found) = (String::new(), vec![]);
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("[module] ") {
            module = format!("{}.", rest.split([',', ' ']).next().unwrap());
        } else if let Some((name, about)) = line.trim().split_once(" (") {
            found.push((format!("{module}{name}"), about.to_owned()));
        }
    }
    found
}

#[test]
fn options_that_z3_itself_describes_as_files_are_removed_whatever_their_value() {
    for spec in ["z3@5.4.0", "z3@4.8.9"] {
        let options = options_of_z3(spec);
        assert!(options.len() > 300, "{spec} lists {}", options.len());
        let mut files = 0;
        for (name, about) in &options {
            let is_text = about.starts_with("symbol") || about.starts_with("string");
            // A switch may write files as well: under names of its own, in the current folder.
            let words = if is_text { &["file", "path", "directory", "dump"][..] } else { &["files"] };
            let says_file = *name != "fp.datalog.use_map_names"
                && about.split(|c: char| !c.is_alphabetic()).any(|w| words.contains(&w));
            files += usize::from(says_file);
            for value in ["true", "5", "smt"] {
                assert!(!(says_file && passes("z3", name, value)), "{spec}: {name} {value}: {about}");
            }
            assert!(!is_text || !passes("z3", name, "|/tmp/x|"), "{name}");
        }
        assert!(files >= 4, "{spec}: {files}");
        let passing = options.iter().filter(|(_, about)| about.starts_with("bool"));
        let (all, kept) = passing
            .fold((0, 0), |(all, kept), (name, _)| (all + 1, kept + usize::from(passes("z3", name, "true"))));
        assert!(kept * 100 > all * 93, "seeds need options: {kept} of {all} Boolean ones pass");
    }
}

#[test]
fn options_that_cvc5_takes_as_text_are_removed_and_its_modes_pass() {
    let list = "import sys\nsys.path.insert(0, sys.argv[1])\nimport cvc5\ns = cvc5.Solver()\nfor n in s.getOptionNames():\n    \
                i = s.getOptionInfo(n)\n    t = i['type']\n    if t == 'mode':\n        for m in i['modes']: print('mode', n, m)\n    \
                else: print('text' if t in (str, None) else 'value', n, '-')\n";
    let release = release("cvc5@1.1.2");
    let module = release.folder.join("module");
    let spec =
        run::Spec::new(release.record.python.clone().unwrap()).args(["-I", "-S", "-c", list]).arg(module);
    let text = run::once(&spec, run::Input::Nothing).unwrap().stdout.text();
    // These choose a language, a logic or a number, or are switches; a word that is not a mode does not pass.
    let no_files = [
        "force-logic",
        "input-language",
        "lang",
        "output-lang",
        "output-language",
        "quiet",
        "rweight",
        "verbose",
    ];
    let mut seen = [0; 2];
    for line in text.lines() {
        let [kind, name, mode] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        match kind {
            "mode" if passes("cvc5", name, "true") => {
                seen[0] += 1;
                assert!(passes("cvc5", name, mode), "{line}");
            }
            "text" if !no_files.contains(&name) => {
                seen[1] += 1;
                assert!(["true", "5", "all"].iter().all(|v| !passes("cvc5", name, v)), "{line}");
            }
            "text" => assert!(!passes("cvc5", name, "\"f\""), "{line}"),
            _ => {}
        }
    }
    assert!(seen[0] > 100 && seen[1] >= 8, "{seen:?}");
}

#[test]
fn what_bitwuzla_takes_as_text_is_left_out_and_its_modes_pass() {
    let list = "import sys\nsys.path.insert(0, sys.argv[1])\nfrom bitwuzla import *\no = Options()\nfor p in Option:\n    \
                i = OptionInfo(o, p)\n    for m in (i.modes() or []) if callable(i.modes) else (i.modes or []): print('mode', i.lng() if callable(i.lng) else i.lng, m)\n    \
                if 'STRING' in str(i.kind() if callable(i.kind) else i.kind): print('text', i.lng() if callable(i.lng) else i.lng, '-')\n";
    let release = release("bitwuzla@0.9.1");
    let module = release.folder.join("module");
    let spec =
        run::Spec::new(release.record.python.clone().unwrap()).args(["-I", "-S", "-c", list]).arg(module);
    let text = run::once(&spec, run::Input::Nothing).unwrap().stdout.text();
    let mut seen = [0; 2];
    for line in text.lines() {
        let [kind, name, mode] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        if kind == "mode" {
            seen[0] += 1;
            assert!(passes("bitwuzla", name, mode), "{line}");
        } else {
            seen[1] += 1;
            assert!(
                ["true", "5", "cadical", "|/tmp/x|"].iter().all(|v| !passes("bitwuzla", name, v)),
                "{line}"
            );
        }
    }
    assert!(seen[0] >= 10 && seen[1] >= 2, "{seen:?}");
}

#[test]
fn the_modes_that_yices_lists_pass_and_the_name_of_a_file_does_not() {
    let mut seen = 0;
    for help in ["--help", "--ef-help"] {
        let spec = run::Spec::new(release("yices@2.6.5").program()).arg(help);
        let text = run::once(&spec, run::Input::Nothing).unwrap().stdout.text();
        for line in text.lines() {
            let Some((option, rest)) = line.trim().split_once('=') else { continue };
            let Some(words) = rest.split_once("(can be ").and_then(|(_, words)| words.split_once(')')) else {
                continue;
            };
            let option = format!("yices-{}", option.trim_start_matches('-'));
            for word in words.0.split([',', ' ']).filter(|word| !word.is_empty() && *word != "or") {
                seen += 1;
                assert!(passes("yices", &option, word), "{option} {word}");
            }
            assert!(
                !passes("yices", &option, "|/tmp/x|") && !passes("yices", &option, "\"/tmp/x\""),
                "{option}"
            );
        }
    }
    assert!(seen >= 10, "{seen}");
    assert!(!passes("yices", "dimacs", "all"));
}

#[test]
fn every_profile_says_which_mode_words_pass_and_none_of_them_is_a_path() {
    for profile in solver::Profiles::embedded().iter() {
        for mode in &profile.scripts.modes {
            assert!(!mode.contains(['/', '.', '\\', '~', '$', '|']), "{}: {mode}", profile.name);
        }
    }
}

/// Processor seconds of a solver for a few hundred small queries in a session, and for some fresh processes. Wall time
/// would measure what else the machine does.
fn cost(solver: &str, args: &[&str], confined: bool) -> (f64, f64) {
    let program = release(solver).program();
    let wrap = |spec: run::Spec| if confined { solver::confine::confined(spec) } else { spec };
    let mut session = run::Interactive::start(&wrap(run::Spec::new(&program).args(args))).unwrap();
    let request = b"(push 1)(declare-const x Int)(assert (> (* x x) 50))(check-sat)(pop 1)(echo \"done\")\n";
    session.ask(request, run::until_line("done"));
    let before = session.cpu();
    (0..300).for_each(|_| drop(session.ask(request, run::until_line("done"))));
    let asked = session.cpu() - before;
    session.kill();
    let spec = wrap(run::Spec::new(&program).args(args));
    let fresh: std::time::Duration =
        (0..15).map(|_| run::once(&spec, run::Input::Bytes(request)).unwrap().cpu).sum();
    (asked.as_secs_f64(), fresh.as_secs_f64())
}

#[test]
#[ignore = "measures time: for a quiet machine"]
fn the_sandbox_costs_less_than_five_per_cent_in_sessions() {
    let solvers = [
        ("z3@5.4.0", &["-in", "-smt2"][..]),
        ("cvc5@1.4.2", &["--lang=smt2", "--incremental", "--force-logic=ALL"]),
    ];
    for (solver, args) in solvers {
        let (mut with, mut without) = ((f64::MAX, f64::MAX), (f64::MAX, f64::MAX));
        for _ in 0..12 {
            let (a, b) = (cost(solver, args, true), cost(solver, args, false));
            with = (with.0.min(a.0), with.1.min(a.1));
            without = (without.0.min(b.0), without.1.min(b.1));
        }
        let ratios = (with.0 / without.0, with.1 / without.1);
        let said = format!("{solver}: sessions {:.3}, fresh processes {:.3}", ratios.0, ratios.1);
        assert!(ratios.0 < 1.05, "{said}");
        testkit::tell(&said);
    }
}
