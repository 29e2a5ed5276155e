//! Every format, on a small campaign made here, compared with golden files; `FALSUM_BLESS=1` rewrites them.
//!
//! The campaign has a proved bug whose symbols attack the page, a crash, a known bug and a bug that only a vote
//! supports.

#![allow(clippy::unwrap_used, reason = "tests")]

use oracle::{Evidence, EvidenceKind, FindingKind};
use report::{Due, Known, Options, Report};
use smtlib::Parsed;
use solver::{Answer, Check, Ended, Reply, SessionKind};
use std::path::Path;
use std::time::Duration;
use store::{
    Batch, BugUpdate, Campaign, CaseDone, CaseHash, Demonstration, FindingId, Invocation, NewFinding,
    Reduction, ReleaseRow, Store, TargetRecord, Test, UnitDone,
};
use strategy::{At, Case, Recipe};

const HOSTILE: &str = "(declare-const |<script>alert(1)</script>| Int)\n; ``` ]]> \u{1b}[31m\n(assert (> |<script>alert(1)</script>| 0))\n(check-sat)\n";

fn reply(target: &str, answer: &str, ended: Ended) -> Reply {
    let answer = Answer::from_word(answer.as_bytes());
    let checks = vec![Check { answer, ..Check::default() }];
    Reply { target: target.into(), checks, ended, wall: Duration::from_micros(1500), ..Reply::default() }
}

fn finding(
    kind: FindingKind,
    script: &str,
    evidence: Evidence,
    truth: Option<bool>,
    said: [&str; 2],
) -> NewFinding {
    let crash = Ended::Crash { signal: Some(11), message: String::new(), wrapped: false };
    let ended = if kind == FindingKind::Crash { crash } else { Ended::ByItself };
    let argv = |program: &str| vec![program.into(), "-smt2".into(), "{file}".into()];
    let call = |target: &str, program| Invocation {
        target: target.into(),
        argv: argv(program),
        stdin: false,
        seconds: 5,
    };
    let mut case = Case::of_script(Parsed::read(script.as_bytes()).unwrap());
    case.recipe =
        Recipe { strategy: "opswap".into(), key: "k".into(), unit: 7, step: 2, ..Recipe::default() };
    NewFinding {
        accusation: oracle::Accusation {
            kind,
            culprit: Some("z3@4.8.9".into()),
            evidence: vec![evidence],
            at: At { question: 0, check: 0 },
            truth,
        },
        symptom: None,
        rate: None,
        case,
        replies: vec![reply("cvc5@1.4.2", said[1], Ended::ByItself), reply("z3@4.8.9", said[0], ended)],
        signature: format!("{} z3 {}", kind.word(), script.len()),
        commands: vec![call("z3@4.8.9", "/opt/z3"), call("cvc5@1.4.2", "/opt/cvc5")],
        follow_up: vec![],
    }
}

/// The record of a command that was run on a file.
fn show(store: &mut Store, id: &FindingId, file: &str, shows: bool, said: (&str, &str)) {
    let shown = Demonstration {
        shows,
        command: "z3 bug.smt2".into(),
        stdout: said.0.into(),
        exit: said.1.into(),
        package: "z3-solver==4.8.9.0".into(),
        system: "Some Linux 1, linux x86_64".into(),
        build: "Z3 version 4.8.9 - 64 bit".into(),
        subterms: if file.contains("model") { vec![("(> |a b| 0)".into(), "false".into())] } else { vec![] },
        ..Demonstration::default()
    };
    store.attach(id, Demonstration::FORMULA, file.as_bytes()).unwrap();
    store.attach(id, Demonstration::FILE, &shown.bytes(file.as_bytes())).unwrap();
}

fn campaign(dir: &Path) {
    let record = |name: &str, version: &str| TargetRecord {
        name: name.into(),
        version: version.into(),
        hash: "00".into(),
        command: vec!["/opt/solver".into()],
    };
    let campaign = Campaign {
        targets: vec![record("z3@4.8.9", "4.8.9"), record("cvc5@1.4.2", "1.4.2")],
        ..Campaign::new("k", vec!["opswap".into()], "s")
    };
    let mut store = Store::create(dir, &campaign).unwrap();
    let test = |target: &str, answer: Answer| Test {
        target: target.to_owned().into(),
        answers: vec![answer],
        ended: "ended".into(),
        timeout: false,
        error: false,
        leak: false,
        session: SessionKind::Fresh,
        micros: 1000,
    };
    let case = CaseDone {
        step: 0,
        hash: CaseHash::of(b"x"),
        verdict: "refutation-unsound".into(),
        certified: true,
        answered: true,
        theories: vec!["Strings".into(), "Ints".into()],
        culprits: vec!["z3@4.8.9".into()],
        tests: vec![test("z3@4.8.9", Answer::Unsat), test("cvc5@1.4.2", Answer::Sat)],
    };
    let unit = UnitDone { strategy: "opswap".into(), unit: 7, cases: vec![case], skipped: false };
    store.commit(&Batch { units: vec![unit], active: Duration::from_secs(2), ..Batch::default() }).unwrap();
    let model =
        Evidence::new(EvidenceKind::Model, "cvc5@1.4.2", "|<script>alert(1)</script>| = 1; all asserts true");
    let worst = store
        .add_finding(&finding(FindingKind::RefutationUnsound, HOSTILE, model, Some(true), ["unsat", "sat"]))
        .unwrap();
    let news = BugUpdate {
        first_bad: Some("z3@4.8.5".into()),
        last_bad: Some("z3@4.8.10".into()),
        ..BugUpdate::default()
    };
    store.update_bug(&worst.bug, &news).unwrap();
    show(&mut store, &worst.id, HOSTILE, true, ("unsat\n", "exit code 0"));
    fixed_one(&mut store);
    let exit = Evidence::new(EvidenceKind::Exit, "z3@4.8.9", "signal 11");
    let crash = store
        .add_finding(&finding(FindingKind::Crash, "(check-sat) ; long\n", exit, None, ["", "sat"]))
        .unwrap();
    store.attach(&crash.id, "reduced.smt2", b"(check-sat)\n").unwrap();
    show(&mut store, &crash.id, "(check-sat)\n", true, ("", "signal 11"));
    let refuted = Evidence::new(EvidenceKind::RefutedModel, "falsum", "(> x 0) is false under x = 0");
    let known = store
        .add_finding(&finding(
            FindingKind::InvalidModel,
            "(check-sat) ; a known one\n",
            refuted,
            Some(true),
            ["sat", "sat"],
        ))
        .unwrap();
    let file = "(set-option :produce-models true)\n(check-sat)\n(get-model)\n";
    show(&mut store, &known.id, file, true, ("sat\n()\n", "exit code 0"));
    let vote = Evidence::new(EvidenceKind::Majority, "falsum", "only a vote: 1 to 1");
    store
        .add_finding(&finding(
            FindingKind::Inconsistent,
            "(check-sat) ; vote\n",
            vote,
            None,
            ["unsat", "sat"],
        ))
        .unwrap();
    store.finish().unwrap();
}

/// A bug that a newer release has fixed, with the answers to its reduced form.
fn fixed_one(store: &mut Store) {
    let tried = Evidence::new(EvidenceKind::Enumeration, "falsum", "every assignment was tried");
    let new = finding(
        FindingKind::SolutionUnsound,
        "(check-sat) ; to be reduced\n",
        tried,
        Some(false),
        ["sat", "unsat"],
    );
    let added = store.add_finding(&new).unwrap();
    store.attach(&added.id, "reduced.smt2", b"(assert false)\n(check-sat)\n").unwrap();
    let seen = Evidence::new(EvidenceKind::Enumeration, "falsum", "there is nothing to assign");
    let again = oracle::Accusation { evidence: vec![seen], ..new.accusation };
    let mut seen = Reduction::of(
        &again,
        &[reply("cvc5@1.4.2", "unsat", Ended::ByItself), reply("z3@4.8.9", "sat", Ended::ByItself)],
    );
    seen.seeds = (4, 5);
    let row = |release: &str, bad| ReleaseRow { release: release.into(), answer: "sat".into(), bad };
    seen.releases = vec![row("z3@4.8.9", true), row("z3@4.8.10", false)];
    store.attach(&added.id, Reduction::FILE, &seen.bytes()).unwrap();
    show(store, &added.id, "(assert false)\n(check-sat)\n", true, ("sat\n", "exit code 0"));
    let news = BugUpdate {
        reduced_in: Some(added.id),
        first_bad: Some("z3@4.8.9".into()),
        last_bad: Some("z3@4.8.9".into()),
        fixed_in: Some("z3@4.8.10".into()),
        ..BugUpdate::default()
    };
    store.update_bug(&added.bug, &news).unwrap();
}

/// The campaign's report, with everything that depends on the clock and the machine replaced.
fn sample(quota: usize) -> Report {
    let dir = tempfile::tempdir().unwrap();
    campaign(dir.path());
    let known = Known::parse("invalid-model z3 => z3#1234").unwrap();
    let view = Store::read(dir.path()).unwrap();
    let mut report = Report::read(&view, &Options { quota, known, only: None }).unwrap();
    assert_eq!(report.problems.len(), 0);
    report.started = "2026-11-15T10:00:00Z".into();
    report.machine = "linux x86_64".into();
    for bug in &mut report.bugs {
        bug.first = "2026-11-15T10:00:01Z".into();
    }
    report
}

fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("FALSUM_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{name} differs from its golden file; it is now:\n{text}");
}

#[test]
fn every_format_matches_its_golden_file() {
    let report = sample(3);
    golden("report.txt", &report::text(&report));
    golden("report.md", &report::markdown(&report));
    golden("report.json", &report::json(&report).unwrap());
    golden("report.xml", &report::junit(&report));
    golden("report.sarif", &report::sarif(&report).unwrap());
    golden("report.html", &report::html(&report));
    golden("INDEX.md", &report::issues(&report)["INDEX.md"]);
}

#[test]
fn bugs_are_ranked_worst_first_and_limited_by_a_quota_and_the_list_of_known_issues() {
    let due = |quota| sample(quota).bugs.iter().map(|bug| (bug.kind, bug.due)).collect::<Vec<_>>();
    let fixed = (FindingKind::SolutionUnsound, Due::Fixed);
    let rest = [(FindingKind::Inconsistent, Due::Unproven), (FindingKind::InvalidModel, Due::Known)];
    assert_eq!(
        due(3),
        [&[(FindingKind::RefutationUnsound, Due::Now), fixed, (FindingKind::Crash, Due::Now)], &rest[..]]
            .concat()
    );
    assert_eq!(
        due(1),
        [&[(FindingKind::RefutationUnsound, Due::Now), fixed, (FindingKind::Crash, Due::Later)], &rest[..]]
            .concat()
    );
}

#[test]
fn only_proved_and_unknown_bugs_get_a_draft() {
    let files = report::issues(&sample(1));
    let drafts = files.keys().filter(|name| name.starts_with("z3/") && name.ends_with(".md")).count();
    assert_eq!((drafts, files.len()), (3, 7), "{:?}", files.keys());
}

#[test]
fn statements_about_a_reduced_formula_were_observed_on_it() {
    let report = sample(3);
    let bug = report.bugs.iter().find(|bug| bug.kind == FindingKind::SolutionUnsound).unwrap();
    assert!(bug.seen && bug.reduced && bug.formula == "(assert false)\n(check-sat)\n");
    assert_eq!(bug.evidence[0].detail, "there is nothing to assign");
    let draft = report::draft(&report, bug);
    assert!(!draft.contains("before reduction"), "{draft}");
    assert!(
        draft.contains("reproduced with 4 of 5")
            && draft.contains("fixed in z3\\@4.8.10 (2 releases tested)"),
        "{draft}"
    );
}

#[test]
fn the_formula_of_a_draft_is_the_file_that_its_command_was_run_on() {
    let report = sample(3);
    let bug = report.bugs.iter().find(|bug| bug.kind == FindingKind::InvalidModel).unwrap();
    assert!(bug.formula.starts_with("(set-option :produce-models true)\n"), "{}", bug.formula);
    let draft = report::draft(&report, bug);
    assert!(draft.contains("`z3 bug.smt2` prints\n\n```\nsat\n()\n```"), "{draft}");
    assert!(draft.contains("| `(> \\|a b\\| 0)` | `false` |"), "{draft}");
    assert!(!draft.contains("(> x 0) is false under"), "the table says it: {draft}");
}

#[test]
fn a_command_that_does_not_show_the_bug_makes_no_draft() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::create(dir.path(), &Campaign::new("k", vec!["opswap".into()], "s")).unwrap();
    let evidence = Evidence::new(EvidenceKind::Model, "cvc5@1.4.2", "x = 1");
    let new =
        finding(FindingKind::RefutationUnsound, "(check-sat)\n", evidence, Some(true), ["unsat", "sat"]);
    let added = store.add_finding(&new).unwrap();
    show(&mut store, &added.id, "(check-sat)\n", false, ("(error \"no\")\n", "exit code 1"));
    store.finish().unwrap();
    let report = Report::read(&Store::read(dir.path()).unwrap(), &Options::default()).unwrap();
    assert_eq!(report.bugs[0].due, Due::Unshown);
    let files = report::issues(&report);
    assert_eq!(files.len(), 1, "only the index: {:?}", files.keys());
    assert!(files["INDEX.md"].contains("`z3 bug.smt2` does not show it"), "{}", files["INDEX.md"]);
    assert!(report::draft(&report, &report.bugs[0]).contains("There is no draft"));
}

#[test]
fn crashes_in_one_component_take_one_slot_of_the_week() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::create(dir.path(), &Campaign::new("k", vec!["opswap".into()], "s")).unwrap();
    for (n, place) in
        ["smt::seq::check, from main", "smt::seq::init, from main", "sat::go"].iter().enumerate()
    {
        let exit = Evidence::new(EvidenceKind::Exit, "z3@4.8.9", format!("signal 11 inside {place}"));
        let script = format!("(check-sat){}", "\n".repeat(n + 1));
        let added =
            store.add_finding(&finding(FindingKind::Crash, &script, exit, None, ["", "sat"])).unwrap();
        show(&mut store, &added.id, &script, true, ("", "signal 11"));
    }
    store.finish().unwrap();
    let read = |quota| {
        let options = Options { quota, ..Options::default() };
        let report = Report::read(&Store::read(dir.path()).unwrap(), &options).unwrap();
        report.bugs.iter().map(|bug| (bug.due, bug.with.is_some())).collect::<Vec<_>>()
    };
    assert_eq!(read(1), [(Due::Now, false), (Due::Now, true), (Due::Later, false)]);
    assert_eq!(read(2), [(Due::Now, false), (Due::Now, true), (Due::Now, false)]);
}

#[test]
fn a_symbol_cannot_act_on_the_page_and_the_page_makes_no_request() {
    let page = report::html(&sample(3));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    // The one script is ours: the policy names its hash, and without 'unsafe-inline' nothing else runs.
    let policy =
        page.split("Content-Security-Policy\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    let scripts = policy.split("; ").find_map(|rule| rule.strip_prefix("script-src ")).unwrap();
    assert!(scripts.starts_with("'sha256-") && !scripts.contains(' '), "{policy}");
    let (before, script) = page.rsplit_once("<script>").unwrap();
    assert_eq!(script.split("</script>").next().unwrap(), include_str!("../copy.js"));
    for bad in ["<script", "src=", "url(", "@import", "<link", "onclick", "onerror", "javascript:", "\u{1b}"]
    {
        assert!(!before.contains(bad), "the page holds `{bad}`");
    }
    assert!(!page.contains("href=\"http"), "the page links only to itself");
}

#[test]
fn junit_is_well_formed_and_its_counts_are_right() {
    let text = report::junit(&sample(3));
    let mut open = Vec::new();
    for tag in text.split('<').skip(1).map(|part| part.split('>').next().unwrap()) {
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        match tag {
            _ if tag.starts_with('?') || tag.ends_with('/') => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "</{name}>"),
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let count = |what: &str| text.matches(what).count();
    assert_eq!((count("<testcase "), count("<failure "), count("<skipped ")), (6, 3, 2));
    assert!(
        text.contains("<testsuites name=\"falsum\" tests=\"6\" failures=\"3\" errors=\"0\" skipped=\"2\"")
    );
    assert!(!text.contains('\u{1b}'), "control characters are not XML");
}

#[test]
fn sarif_has_what_the_schema_requires() {
    let document: serde_json::Value = serde_json::from_str(&report::sarif(&sample(3)).unwrap()).unwrap();
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 5);
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        assert!((0.0..=100.0).contains(&result["rank"].as_f64().unwrap()));
        let known = result["ruleId"] == "invalid-model";
        assert_eq!(result["suppressions"].as_array().unwrap().len(), usize::from(known));
    }
}

/// Any file of the campaign replaced: every format comes out, or the reason why there is none. An input is a path, a
/// line, and the file's new text. Run for longer by `fuzz/run`.
#[test]
fn fuzzed_metadata_makes_a_report_or_a_reason() {
    let template = tempfile::tempdir().unwrap();
    campaign(template.path());
    let mut pending = vec![template.path().to_owned()];
    let (mut files, mut seeds) = (vec![], vec![]);
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let (name, text) =
                (path.strip_prefix(template.path()).unwrap().to_owned(), std::fs::read(&path).unwrap());
            if text.len() < 6000 {
                seeds.push([name.to_str().unwrap().as_bytes(), b"\n", &text].concat());
            }
            files.push((name, text));
        }
    }
    let words =
        ["\"../x\"", "\"/etc/passwd\"", "null", "[]", "{}", "\"<script>\"", "\"\\u001b[31m\"", "99999999999"];
    let most = Duration::from_secs(30);
    testkit::Fuzz { name: "report", seeds, dictionary: &words, most }.run(|input| {
        let at = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
        let name = String::from_utf8_lossy(&input[..at]).into_owned();
        let Some((file, text)) = files.iter().find(|(file, _)| file.to_str() == Some(name.as_str())) else {
            return "is no file of the campaign".into();
        };
        let changed = template.path().join(file);
        std::fs::write(&changed, input.get(at + 1..).unwrap_or_default()).unwrap();
        let word = reported(template.path());
        std::fs::write(&changed, text).unwrap();
        word
    });
}

/// Makes every format of a campaign that may be damaged; says what came of it.
fn reported(dir: &Path) -> String {
    let Ok(view) = Store::read(dir) else { return "cannot be opened".into() };
    let Ok(report) = Report::read(&view, &Options::default()) else { return "cannot be read".into() };
    let drafts: usize = report.bugs.iter().map(|bug| report::draft(&report, bug).len()).sum();
    let html = report::html(&report);
    assert!(!html.contains("<script>alert"), "a symbol acts in the page");
    let text = report::text(&report);
    assert!(!text.contains('\u{1b}'), "an escape reaches the terminal");
    let made =
        (report::markdown(&report).len(), report::junit(&report).len(), report::sarif(&report).is_ok());
    let _ = (drafts, report::json(&report).unwrap(), made);
    format!(
        "{} bugs {} problems {} seen",
        report.bugs.len(),
        report.problems.len(),
        report.bugs.iter().filter(|b| b.seen).count()
    )
}
