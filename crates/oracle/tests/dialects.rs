//! Every row of every translation table is true: both sides have the same value for all sample arguments.
//!
//! As `strategy verify` does for fusion functions: the evaluator tries boundary values of the sorts that the row names.
//! The left side is evaluated in its own words, the right side after the whole script was translated.

#![allow(clippy::unwrap_used, reason = "tests")]

use oracle::dialect::translate;
use semantics::eval::Evaluator;
use semantics::model::Model;
use semantics::value::Value;
use smtlib::Script;
use solver::Profiles;
use solver::profile::{Profile, Translation};

/// Values of a sort as text, in the words of the row.
fn samples(sort: &str) -> Vec<String> {
    let texts = |all: &[&str]| all.iter().map(|&text| text.to_owned()).collect();
    match sort {
        "Bool" => texts(&["true", "false"]),
        "Int" => texts(&["(- 1)", "0", "1", "2", "5"]),
        "String" => texts(&["\"\"", "\"a\"", "\"ab\"", "\"bab\"", "\"aaab\""]),
        "RegLan" => texts(&["re.none", "(str.to_re \"a\")", "(re.* (str.to_re \"ab\"))", "re.allchar"]),
        "(_ BitVec 1)" => texts(&["#b0", "#b1"]),
        "(_ BitVec 3)" => (0..8).map(|n| format!("#b{n:03b}")).collect(),
        "(Seq Int)" => texts(&[
            "(as seq.empty (Seq Int))",
            "(seq.unit 1)",
            "(seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 1))",
        ]),
        number if number.parse::<u32>().is_ok() => vec![number.to_owned()],
        set => vec![
            format!("(as set.empty {set})"),
            "(set.singleton 1)".into(),
            "(set.union (set.singleton 1) (set.singleton 2))".into(),
        ],
    }
}

/// All ways to give arguments their samples.
fn assignments(with: &str) -> Vec<Vec<(String, String)>> {
    let mut all = vec![vec![]];
    for part in with.split(';') {
        let (name, sort) = part.trim().split_once(' ').unwrap();
        let more = |known: &Vec<(String, String)>| {
            let extended = |value: String| [known.clone(), vec![(name.to_owned(), value)]].concat();
            samples(sort.trim()).into_iter().map(extended).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(more).collect();
    }
    all
}

/// The value of a closed term of any sort; a regular expression is told by the words it has.
fn values(head: &str, term: &str, profile: Option<&Profile>) -> Vec<Value> {
    let regular = term.starts_with("(re.") || term.starts_with("((_ re.");
    let words = ["", "a", "aa", "ab", "aaa", "abab", "b", "aaaa"];
    let terms: Vec<String> = match regular {
        true => words.iter().map(|word| format!("(str.in_re \"{word}\" {term})")).collect(),
        false => vec![term.to_owned()],
    };
    terms.iter().map(|term| value(head, term, profile)).collect()
}

fn value(head: &str, term: &str, profile: Option<&Profile>) -> Value {
    let text = format!("{head}(assert (= {term} {term}))(check-sat)");
    let mut script = Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    if let Some(profile) = profile
        && let Some(other) = translate(profile, &script, text.as_bytes())
    {
        let text = String::from_utf8_lossy(&other).into_owned();
        script = Script::parse(&other).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    }
    let equation = script.assertions().next().unwrap();
    let side = script.pool.args(equation)[0];
    let model = Model::default();
    let mut eval = Evaluator::new(&script.pool, &model);
    eval.eval_term(side).unwrap_or_else(|reason| panic!("{term}: {reason}"))
}

/// What tells the two kinds of sets apart, since their literals look the same.
fn head(row: &Translation) -> String {
    let sorts = row.with.split(';').filter_map(|part| part.trim().split_once(' ')).map(|(_, sort)| sort);
    sorts
        .filter(|sort| sort.contains("Set"))
        .take(1)
        .map(|sort| format!("(declare-const d {sort})"))
        .collect()
}

fn verify(profile: &Profile, row: &Translation) {
    let from = row.term.as_deref().unwrap_or(&row.from);
    let mut tried = 0;
    for assignment in assignments(&row.with) {
        let mut term = from.to_owned();
        for (name, value) in &assignment {
            term = term.replace(name.as_str(), value);
        }
        let head = head(row);
        let (own, translated) = (values(&head, &term, None), values(&head, &term, Some(profile)));
        assert_eq!(own, translated, "{}: {term}", profile.name);
        tried += 1;
    }
    assert!(tried > 0, "{} was not tried", row.from);
}

#[test]
fn every_row_of_every_translation_table_is_true() {
    let mut rows = 0;
    for profile in Profiles::embedded().iter() {
        for row in &profile.translations {
            verify(profile, row);
            rows += 1;
        }
    }
    assert!(rows >= 40, "{rows}");
}

#[test]
fn every_row_is_used_by_the_script_that_it_is_verified_with() {
    for profile in Profiles::embedded().iter() {
        for row in &profile.translations {
            let mut term = row.term.clone().unwrap_or_else(|| row.from.clone());
            for (name, value) in assignments(&row.with).first().unwrap() {
                term = term.replace(name.as_str(), value);
            }
            let regular = term.starts_with("(re.") || term.starts_with("((_ re.");
            let closed =
                if regular { format!("(str.in_re \"\" {term})") } else { format!("(= {term} {term})") };
            let text = format!("{}(assert {closed})(check-sat)", head(row));
            let script = Script::parse(text.as_bytes()).unwrap();
            assert!(translate(profile, &script, text.as_bytes()).is_some(), "{}: {text}", profile.name);
        }
    }
}
