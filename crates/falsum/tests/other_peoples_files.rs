//! Campaign folders, configurations and file names of other users are data: each test is an attack.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{fake_z3, falsum_in};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs a command that must end with this code; returns everything it prints.
#[track_caller]
fn ends(folder: &Path, args: &[&str], code: i32) -> String {
    let output = falsum_in(folder, args);
    assert_eq!(output.status.code(), Some(code), "{args:?} {}", said(&output));
    said(&output)
}

/// A program that creates a file called `owned` when it is started.
fn trap(folder: &Path) -> PathBuf {
    let path = folder.join("trap");
    let owned = folder.join("owned");
    std::fs::write(&path, format!("#!/bin/sh\ntouch '{}'\necho sat\n", owned.display())).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

fn seeds() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV").display().to_string()
}

/// A small campaign with findings, in `out`.
fn campaign(folder: &Path, extra: &[&str]) {
    let liar = format!("liar={} --instant unsat", fake_z3(folder).display());
    let seeds = seeds();
    let mut args = vec!["hunt", &seeds, "--strategy", "seeds,opswap", "--schedule", "fixed", "--no-reduce"];
    args.extend(["-s", &liar, "--key", "liar", "--cases", "40", "-j", "2", "-q", "--out", "out"]);
    args.extend(extra);
    ends(folder, &args, 10);
}

/// The names in `out/findings`.
fn findings(folder: &Path) -> Vec<String> {
    let all = std::fs::read_dir(folder.join("out/findings")).unwrap();
    all.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from} is not in {text}");
    std::fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn replay_runs_no_program_that_a_campaign_recorded_and_shows_it_instead() {
    let folder = tempfile::tempdir().unwrap();
    campaign(folder.path(), &[]);
    let trap = trap(folder.path()).display().to_string();
    let owned = folder.path().join("owned");
    let toml = folder.path().join("out/campaign.toml");
    let id = findings(folder.path()).remove(0);
    let seeds = seeds();
    // As a name it is what `-s` would take; as a command it is what was recorded.
    let original = std::fs::read_to_string(&toml).unwrap();
    for name in ["liar".to_owned(), trap.clone(), format!("x={trap} \\u001b[2J"), "z3@5.4.0".into()] {
        std::fs::write(&toml, &original).unwrap();
        edit(&toml, "name = \"liar\"", &format!("name = \"{name}\""));
        let z3 = folder.path().join("z3").display().to_string();
        edit(&toml, &format!("\"{z3}\""), &format!("\"{trap}\""));
        // Outside the sandbox, which would hide that it was started.
        let said = ends(folder.path(), &["replay", &id, &seeds, "--out", "out", "--sandbox", "off"], 2);
        assert!(!owned.exists(), "{name} was started");
        assert!(said.contains(&format!("{trap} --instant unsat")) && said.contains(" -s "), "{said}");
        assert!(!said.contains('\u{1b}'), "{said:?}");
    }
    let liar = format!("liar={} --instant unsat", fake_z3(folder.path()).display());
    ends(folder.path(), &["replay", &id, &seeds, "--out", "out", "-s", &liar], 10);
    let mut more = vec!["hunt", &seeds, "--strategy", "seeds,opswap", "--schedule", "fixed", "--no-reduce"];
    more.extend(["-s", &liar, "--key", "liar", "--cases", "20", "-q", "--out", "out", "--resume"]);
    more.extend(["--sandbox", "off"]);
    let resumed = falsum_in(folder.path(), &more);
    assert!(matches!(resumed.status.code(), Some(0 | 10)), "{}", self::said(&resumed));
    ends(folder.path(), &["status", "out"], 0);
    ends(folder.path(), &["report", "out"], 0);
    assert!(!owned.exists(), "something that was recorded was started");
    ends(folder.path(), &["replay", &id, &seeds, "--out", "out", "-s", &trap, "--sandbox", "off"], 0);
    assert!(owned.exists(), "what the user names is started");
}

#[test]
fn replay_runs_an_installed_release_by_its_name() {
    machine::solvers();
    let folder = tempfile::tempdir().unwrap();
    let liar = format!("liar={} --instant unsat", fake_z3(folder.path()).display());
    campaign(folder.path(), &[]);
    let id = findings(folder.path()).remove(0);
    let toml = folder.path().join("out/campaign.toml");
    let z3 = folder.path().join("z3").display().to_string();
    edit(&toml, "name = \"liar\"", "name = \"z3@5.4.0\"");
    // With options it is not only a release.
    ends(folder.path(), &["replay", &id, &seeds(), "--out", "out"], 2);
    let text = std::fs::read_to_string(&toml).unwrap();
    let begin = text.find(&format!("\"{z3}\"")).unwrap();
    let end = begin + text[begin..].find(']').unwrap();
    std::fs::write(&toml, format!("{}\"{z3}\"{}", &text[..begin], &text[end..])).unwrap();
    let said = ends(folder.path(), &["replay", &id, &seeds(), "--out", "out"], 0);
    assert!(said.contains("z3@5.4.0") && said.contains("another build"), "{said}");
    ends(folder.path(), &["replay", &id, &seeds(), "--out", "out", "-s", &liar], 10);
}

#[test]
fn a_configuration_that_names_a_program_starts_it_only_with_permission() {
    let folder = tempfile::tempdir().unwrap();
    let home = tempfile::tempdir().unwrap();
    let falsum = |args: &[&str], code: i32| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_falsum"));
        let output = command.args(args).current_dir(folder.path()).env("FALSUM_HOME", home.path()).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?} {}", said(&output));
        said(&output)
    };
    trap(folder.path());
    let owned = folder.path().join("owned");
    let file = folder.path().join("falsum.toml");
    let script = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n";
    std::fs::write(folder.path().join("a.smt2"), script).unwrap();
    std::fs::write(&file, "[check]\nsolver = [\"./trap\"]\n").unwrap();
    let refused = falsum(&["check", "a.smt2", "--sandbox", "off"], 2);
    assert!(refused.contains("./trap") && refused.contains("falsum allow"), "{refused}");
    assert!(!owned.exists(), "it was started before it was allowed");
    // Other commands are not affected, and flags on the command line win.
    falsum(&["parse", "a.smt2"], 0);
    falsum(&["doctor", "--help"], 0);
    let own = testkit::fake_solver().display().to_string();
    falsum(&["check", "a.smt2", "--sandbox", "off", "-s", &own], 0);
    assert!(!owned.exists(), "the user named another solver");
    assert!(falsum(&["allow"], 0).contains("check.solver = [\"./trap\"]"));
    assert!(!owned.exists(), "allowing is not using");
    let used = falsum(&["check", "a.smt2", "--sandbox", "off"], 0);
    assert!(owned.exists() && used.contains("with your permission"), "{used}");
    // Another text needs a new permission, and so does the same text at another path.
    std::fs::remove_file(&owned).unwrap();
    std::fs::write(&file, "[check]\nsolver = [\"./trap\", \"./trap x\"]\n").unwrap();
    falsum(&["check", "a.smt2", "--sandbox", "off"], 2);
    let clone = folder.path().join("clone");
    std::fs::create_dir(&clone).unwrap();
    std::fs::write(clone.join("falsum.toml"), "[check]\nsolver = [\"./trap\"]\n").unwrap();
    let mut there = std::process::Command::new(env!("CARGO_BIN_EXE_falsum"));
    there
        .args(["check", "../a.smt2", "--sandbox", "off"])
        .current_dir(&clone)
        .env("FALSUM_HOME", home.path());
    assert_eq!(there.output().unwrap().status.code(), Some(2));
    assert!(!owned.exists());
}

#[test]
fn releases_and_plain_flags_in_a_configuration_need_no_permission_and_programs_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::os::unix::fs::symlink("/tmp", path.join("link")).unwrap();
    let asks = |text: &str| {
        std::fs::write(path.join("falsum.toml"), text).unwrap();
        let output = falsum_in(path, &["reduce", "no-such-file.smt2"]);
        assert_eq!(output.status.code(), Some(2));
        said(&output).contains("falsum allow")
    };
    for plain in [
        "solver = [\"z3\", \"old=cvc5@1.4.2\"]\nreference = \"z3@4.8.5..4.12\"\ntimeout = \"5s\"\njobs = 2",
        "out = \"reduced/x.smt2\"\njson = true\nmatch-out = \"un$(x)sat\"",
    ] {
        assert!(!asks(&format!("[reduce]\n{plain}\n")), "{plain}");
    }
    for acting in [
        "solver = \"./z3\"",
        "solver = \"frob\"",
        "solver = \"z3 -log:x\"",
        "reference = [\"z3\", \"x=/bin/sh -c x\"]",
        "script = \"true\"",
        "cross-check = \"true\"",
        "out = \"/tmp/x\"",
        "out = \"a/../../x\"",
        "out = \"link/x\"",
    ] {
        assert!(asks(&format!("[reduce]\n{acting}\n")), "{acting}");
    }
    let asks_of = |command: &str, args: &[&str], line: &str| {
        std::fs::write(path.join("falsum.toml"), format!("[{command}]\n{line}\n")).unwrap();
        let words: Vec<&str> = command.split('.').chain(args.iter().copied()).collect();
        said(&falsum_in(path, &words)).contains("falsum allow")
    };
    // Programs and options under other names than `solver`: each was started, or given to a solver, once.
    for (command, args, line) in [
        ("check", &["no-such-file.smt2"][..], "checker = \"carcara=trap\""),
        ("check", &["no-such-file.smt2"], "checker = \"ethos=./trap\""),
        ("hunt", &["no-such-file.smt2"], "options = \"options.txt\""),
        ("triage", &["no-such-folder"], "options = \"options.txt\""),
        ("cluster.slurm", &["--shards", "1", "--dry-run", "--", "--cases", "1"], "program = \"./trap\""),
        (
            "cluster.slurm",
            &["--shards", "1", "--dry-run", "--", "--cases", "1"],
            "sbatch = [\"--wrap=trap\"]",
        ),
        ("bisect", &["no-such-file.smt2"], "build = \"trap\""),
        ("janus", &["z3", "no-such-folder"], "completeness-regressions = \"trap\""),
    ] {
        assert!(asks_of(command, args, line), "{command}: {line}");
    }
    assert!(!asks_of("hunt", &["no-such-file.smt2"], "options = \"regular\""));
    // A pipe is not a regular file: reading it would wait forever.
    std::fs::remove_file(path.join("falsum.toml")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(path.join("falsum.toml")).status().unwrap();
    assert!(pipe.success());
    assert!(ends(path, &["parse", "x.smt2"], 2).contains("falsum.toml is not a file"));
}

/// `meta.json` changed by an attacker who knows how its checksum is made.
fn resealed(text: &str, from: &str, to: &str) -> String {
    let text = text.replace(from, to);
    let compact = |line: &str| {
        let line = line.trim_start();
        if line.starts_with('"') { line.replacen("\": ", "\":", 1) } else { line.to_owned() }
    };
    let seal = |line: &&str| line.starts_with("  \"seal\"");
    let old = text.lines().find(seal).unwrap();
    let open: String = text.replace(old, "  \"seal\": \"\"").lines().map(compact).collect();
    let hash = blake3::hash(open.as_bytes()).to_hex().to_string();
    text.replace(old, &format!("  \"seal\": \"{hash}\""))
}

#[test]
fn a_report_refuses_to_read_files_outside_the_folder_of_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    campaign(folder.path(), &[]);
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "the user's own words").unwrap();
    let formats = ["text", "markdown", "html", "json", "junit", "sarif"];
    let reports = || -> String {
        let page =
            |format: &&str| ends(folder.path(), &["report", "out", "--format", format, "--out", "-"], 0);
        formats.iter().map(page).collect()
    };
    for id in findings(folder.path()) {
        let path = folder.path().join("out/findings").join(id).join("meta.json");
        let text = std::fs::read_to_string(&path).unwrap();
        let from = "\"stdout\": \"outputs/liar.out\"";
        assert!(text.contains(from), "{text}");
        // Writing it again with its checksum and without a change gives what falsum itself wrote.
        assert_eq!(resealed(&text, from, from), text);
        std::fs::write(&path, resealed(&text, from, &format!("\"stdout\": \"{}\"", secret.display())))
            .unwrap();
    }
    let all = reports();
    assert!(!all.contains("own words"), "a file of the user is in the report");
    assert!(all.contains("is not the name of a file in a finding"), "{all}");
    ends(folder.path(), &["report", "out", "--format", "issues"], 0);
    let replay = ["replay", &findings(folder.path())[0], "--out", "out"];
    assert!(ends(folder.path(), &replay, 2).contains("is not the name of a file"));
}

#[test]
fn a_record_of_a_command_that_was_not_run_here_is_not_shown_as_ours() {
    let folder = tempfile::tempdir().unwrap();
    campaign(folder.path(), &[]);
    let page = || {
        let html = ends(folder.path(), &["report", "out", "--format", "html", "--out", "-"], 0);
        ends(folder.path(), &["report", "out", "--format", "issues", "--out", "drafts"], 0);
        let mut drafts = String::new();
        let mut open = vec![folder.path().join("drafts")];
        while let Some(path) = open.pop() {
            match std::fs::read_dir(&path) {
                Ok(all) => open.extend(all.map(|entry| entry.unwrap().path())),
                Err(_) => drafts += &std::fs::read_to_string(&path).unwrap(),
            }
        }
        std::fs::remove_dir_all(folder.path().join("drafts")).unwrap();
        (html, drafts)
    };
    let all = findings(folder.path());
    let record = |id: &String| folder.path().join("out/findings").join(id).join("shown.json");
    let own: Vec<PathBuf> = all.iter().map(record).filter(|path| path.exists()).collect();
    assert!(!own.is_empty(), "the hunt runs the command of its bugs");
    let (html, drafts) = page();
    assert!(html.contains("Try it") && drafts.contains("Observed"), "{drafts}");
    let text = std::fs::read_to_string(&own[0]).unwrap();
    let formula = own[0].with_file_name("bug.smt2");
    let script = std::fs::read(&formula).unwrap();
    // Another command, no mark at all, and another formula under the same record.
    let other = text.replacen("\"command\": \"", "\"command\": \"touch owned; ", 1);
    let unmarked: String = other.lines().filter(|line| !line.contains("\"mark\"")).collect();
    for (record, script) in
        [(&other, &script[..]), (&unmarked, &script), (&text, b"(check-sat) ; touch owned")]
    {
        own.iter().for_each(|path| std::fs::write(path, record).unwrap());
        own.iter().for_each(|path| std::fs::write(path.with_file_name("bug.smt2"), script).unwrap());
        let (html, drafts) = page();
        assert!(!html.contains("touch owned") && !drafts.contains("touch owned"), "{drafts}");
        assert!(!html.contains("Try it") && drafts.contains("has not been run"), "{drafts}");
    }
}

#[test]
fn a_report_is_not_written_through_links_of_the_campaign_folder() {
    let folder = tempfile::tempdir().unwrap();
    campaign(folder.path(), &[]);
    let precious = folder.path().join("precious");
    std::fs::write(&precious, "precious").unwrap();
    let link = |name: &str| {
        let path = folder.path().join("out").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&precious, &path).unwrap();
        path
    };
    let page = link("report.html");
    assert!(ends(folder.path(), &["report", "out", "--format", "html"], 2).contains("it is a link"));
    std::fs::remove_file(page).unwrap();
    let index = link("issues/INDEX.md");
    assert!(ends(folder.path(), &["report", "out", "--format", "issues"], 2).contains("is a link"));
    ends(folder.path(), &["report", "out", "--format", "issues", "--out", "drafts"], 0);
    std::fs::remove_file(index).unwrap();
    ends(folder.path(), &["report", "out", "--format", "issues"], 0);
    // A folder of drafts, which has folders in it.
    let drafts = std::fs::read_dir(folder.path().join("out/issues")).unwrap();
    let solver =
        drafts.map(|entry| entry.unwrap().path()).find(|path| path.is_dir()).expect("drafts of a solver");
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::remove_dir_all(&solver).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &solver).unwrap();
    assert!(ends(folder.path(), &["report", "out", "--format", "issues"], 2).contains("is a link"));
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious");
}

#[test]
fn file_names_cannot_control_the_terminal_or_fake_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}\nerror: fake.smt2";
    let seeds = folder.path().join("seeds");
    std::fs::create_dir(&seeds).unwrap();
    std::fs::write(seeds.join(name), "(assert").unwrap();
    std::fs::write(seeds.join("good.smt2"), "(declare-const x Int)(assert (> x 0))(check-sat)").unwrap();
    let named = format!("seeds/{name}");
    let missing = format!("{named}.gone");
    let commands: [&[&str]; 12] = [
        &["parse", &named],
        &["parse", "--check", "seeds"],
        &["parse", &missing],
        &["check", &named, "-s", "/bin/true"],
        &["check", &missing, "-s", "/bin/true"],
        &["check", "seeds/good.smt2", "-s", &missing],
        &["reduce", &missing, "--", "/bin/true"],
        &["hunt", "seeds", "--cases", "3", "-s", "/bin/false", "--out", &missing, "--strategy", "seeds"],
        &["status", &missing],
        &["report", &missing],
        &["merge", &missing, "--out", "x"],
        &["corpus", "stats", "seeds"],
    ];
    for args in commands {
        let all = said(&falsum_in(folder.path(), args));
        assert!(!all.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{args:?} {all:?}");
        assert!(!all.lines().any(|line| line.starts_with("error: fake")), "{args:?} {all}");
        assert!(!all.contains("bug in falsum"), "{args:?} {all}");
    }
}

#[test]
fn printed_commands_can_be_pasted_whatever_folders_and_programs_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("it's $(touch owned) `touch owned`; touch owned #\n");
    std::fs::create_dir(&odd).unwrap();
    let liar = solver::spec::quote(&fake_z3(&odd).display().to_string()) + " --instant unsat";
    let seeds = seeds();
    let mut args = vec!["hunt", &seeds, "--strategy", "seeds,opswap", "--schedule", "fixed", "--no-reduce"];
    args.extend(["-s", &liar, "--key", "liar", "--cases", "40", "--out", "o $(touch owned)\n'"]);
    let said = ends(folder.path(), &args, 10);
    let printed: Vec<&str> = said.lines().filter_map(|line| line.trim().strip_prefix("falsum ")).collect();
    assert!(printed.len() >= 3, "{said}");
    for (begin, code) in [("check ", 10), ("report ", 0)] {
        let line = printed.iter().find(|line| line.starts_with(begin)).unwrap();
        let line = format!("'{}' {line}", env!("CARGO_BIN_EXE_falsum"));
        let mut shell = std::process::Command::new("bash");
        shell.args(["-c", &line]).current_dir(folder.path()).env("FALSUM_HOME", machine::home());
        let pasted = shell.output().unwrap();
        assert_eq!(pasted.status.code(), Some(code), "{line}\n{}", self::said(&pasted));
    }
    assert!(!folder.path().join("owned").exists(), "{printed:?}");
}
