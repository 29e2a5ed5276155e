//! Every kind of finding can be reported in every format: with its title, its culprit, its evidence and the expected
//! answer.

#![allow(clippy::unwrap_used, reason = "tests")]

use oracle::{Evidence, EvidenceKind, FindingKind};
use report::{Options, Report};
use smtlib::Parsed;
use solver::{Answer, Check, Ended, Reply};
use store::{Campaign, Demonstration, Invocation, NewFinding, Store, TargetRecord};
use strategy::{At, Case};

const SCRIPT: &str =
    "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (= (bvudiv x #x00) #xff))\n(check-sat)\n";

fn reply(target: &str, answer: Option<Answer>, ended: Ended) -> Reply {
    let checks = vec![Check { answer, ..Check::default() }];
    Reply { target: target.into(), checks, ended, ..Reply::default() }
}

/// How the culprit of such a finding ends, and what it says.
fn shown(kind: FindingKind) -> (Option<Answer>, Ended) {
    match kind {
        FindingKind::Crash => {
            (None, Ended::Crash { signal: Some(11), message: "at x.cpp:7".into(), wrapped: false })
        }
        FindingKind::PerformanceRegression | FindingKind::Performance => (None, Ended::Cpu),
        FindingKind::RejectsValidInput => (None, Ended::Error("unknown sort".into())),
        FindingKind::IncompletenessRegression | FindingKind::IncompletenessImplication => {
            (Some(Answer::Unknown), Ended::ByItself)
        }
        FindingKind::SolutionUnsound | FindingKind::InvalidModel => (Some(Answer::Sat), Ended::ByItself),
        _ => (Some(Answer::Unsat), Ended::ByItself),
    }
}

fn finding(kind: FindingKind, evidence: EvidenceKind) -> NewFinding {
    let (answer, ended) = shown(kind);
    let call = |target: &str| Invocation {
        target: target.into(),
        argv: vec!["/opt/solver".into(), "{file}".into()],
        stdin: false,
        seconds: 5,
    };
    NewFinding {
        accusation: oracle::Accusation {
            kind,
            culprit: Some("z3@4.8.9".into()),
            evidence: vec![Evidence::new(evidence, "falsum", "this is the detail")],
            at: At { question: 0, check: 0 },
            truth: Some(kind != FindingKind::SolutionUnsound),
        },
        symptom: None,
        rate: None,
        case: Case::of_script(Parsed::read(SCRIPT.as_bytes()).unwrap()),
        replies: vec![
            reply("z3@4.8.9", answer, ended),
            reply("cvc5@1.4.2", Some(Answer::Sat), Ended::ByItself),
        ],
        signature: format!("{} z3 x", kind.word()),
        commands: vec![call("z3@4.8.9"), call("cvc5@1.4.2")],
        follow_up: vec![],
    }
}

fn report_of(findings: &[NewFinding]) -> Report {
    let dir = tempfile::tempdir().unwrap();
    let record = |name: &str| TargetRecord {
        name: name.into(),
        version: name.split('@').next_back().unwrap().into(),
        hash: "00".into(),
        command: vec!["/opt/solver".into()],
    };
    let campaign = Campaign {
        targets: vec![record("z3@4.8.9"), record("cvc5@1.4.2")],
        ..Campaign::new("k", vec!["opswap".into()], "s")
    };
    let mut store = Store::create(dir.path(), &campaign).unwrap();
    for new in findings {
        let added = store.add_finding(new).unwrap();
        let shown = Demonstration { shows: true, command: "z3 bug.smt2".into(), ..Demonstration::default() };
        store.attach(&added.id, Demonstration::FORMULA, SCRIPT.as_bytes()).unwrap();
        store.attach(&added.id, Demonstration::FILE, &shown.bytes(SCRIPT.as_bytes())).unwrap();
    }
    store.finish().unwrap();
    Report::read(&Store::read(dir.path()).unwrap(), &Options::default()).unwrap()
}

#[test]
fn every_kind_has_a_title_that_names_the_operator_and_the_solver() {
    let mut titles = vec![];
    for kind in FindingKind::ALL {
        let report = report_of(&[finding(kind, EvidenceKind::Model)]);
        let [bug] = &report.bugs[..] else { panic!("{kind:?}: {} bugs", report.bugs.len()) };
        assert!(bug.title.contains("bvudiv") && bug.title.contains("z3@4.8.9"), "{}", bug.title);
        titles.push(bug.title.clone());
    }
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), FindingKind::ALL.len(), "no two kinds have the same title");
}

#[test]
fn every_format_shows_every_kind() {
    for kind in FindingKind::ALL {
        let report = report_of(&[finding(kind, EvidenceKind::Model)]);
        let formats = [
            ("text", report::text(&report)),
            ("markdown", report::markdown(&report)),
            ("json", report::json(&report).unwrap()),
            ("junit", report::junit(&report)),
            ("sarif", report::sarif(&report).unwrap()),
            ("html", report::html(&report)),
        ];
        for (format, text) in formats {
            assert!(text.contains(kind.word()), "{format} does not say {}", kind.word());
            assert!(text.contains(&report.bugs[0].id), "{format} does not name the bug");
        }
    }
}

#[test]
fn a_draft_has_the_expected_result_the_actual_one_and_the_evidence() {
    for kind in FindingKind::ALL {
        let report = report_of(&[finding(kind, EvidenceKind::Model)]);
        let draft = report::draft(&report, &report.bugs[0]);
        assert!(draft.contains("(bvudiv x #x00)"), "{kind:?}: no formula\n{draft}");
        assert!(draft.contains("this is the detail"), "{kind:?}: no evidence\n{draft}");
        assert!(draft.to_lowercase().contains("expected"), "{kind:?}: nothing expected\n{draft}");
        assert!(draft.contains("z3"), "{kind:?}: no solver\n{draft}");
        for left_over in ["TODO", "todo", "FIXME", "{}", "None", "Some("] {
            assert!(!draft.contains(left_over), "{kind:?}: `{left_over}` in\n{draft}");
        }
    }
}

#[test]
fn every_kind_of_evidence_has_its_own_sentence() {
    let mut told = vec![];
    for evidence in [
        EvidenceKind::Model,
        EvidenceKind::RefutedModel,
        EvidenceKind::Enumeration,
        EvidenceKind::Exit,
        EvidenceKind::Majority,
    ] {
        let report = report_of(&[finding(FindingKind::RefutationUnsound, evidence)]);
        let draft = report::draft(&report, &report.bugs[0]);
        let line = draft.lines().find(|line| line.contains("this is the detail"));
        told.push(line.unwrap_or_else(|| panic!("{evidence:?} is not in the draft\n{draft}")).to_owned());
    }
    told.sort();
    told.dedup();
    assert_eq!(told.len(), 5, "{told:#?}");
}

#[test]
fn a_bug_that_only_a_vote_supports_is_never_due() {
    let report = report_of(&[finding(FindingKind::Inconsistent, EvidenceKind::Majority)]);
    assert!(!report.bugs[0].due.is_new() && !report.bugs[0].is_proven());
    assert!(report::junit(&report).contains("failures=\"0\""));
}

#[test]
fn a_campaign_without_bugs_has_a_report_in_every_format() {
    let report = report_of(&[]);
    assert!(report.bugs.is_empty());
    assert!(report::junit(&report).contains("no bug found"));
    let sarif: serde_json::Value = serde_json::from_str(&report::sarif(&report).unwrap()).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(0));
    for text in [report::text(&report), report::markdown(&report), report::html(&report)] {
        assert!(text.contains('0'), "{text}");
    }
    assert!(!report::issues(&report).keys().any(|name| name.starts_with("z3/")), "nothing to send");
}

#[test]
fn bugs_are_listed_worst_first_in_the_order_of_the_kinds() {
    let all: Vec<NewFinding> =
        FindingKind::ALL.iter().rev().map(|&kind| finding(kind, EvidenceKind::Model)).collect();
    let report = report_of(&all);
    let ranks: Vec<usize> = report.bugs.iter().map(|bug| oracle::severity(bug.kind)).collect();
    assert!(ranks.is_sorted(), "{ranks:?}");
    assert_eq!(report.bugs.len(), FindingKind::ALL.len());
}
