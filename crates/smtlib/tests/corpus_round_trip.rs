//! Every file of the corpus parses, type-checks, prints, and parses again to the same terms.
//!
//! The corpus is beside the repository or in `$FALSUM_CORPUS`. Files that are ill-typed by the standard are listed
//! with the reason in `tests/corpus.expect`; any other failure is a defect of falsum.

#![allow(clippy::unwrap_used)]

use smtlib::printer::Format;
use smtlib::round_trip::{self, Broken};
use smtlib::{ReadLimits, Script};

fn round_trip(source: &[u8]) -> Result<(), String> {
    let script = Script::parse(source).map_err(|error| error.render("original", source))?;
    for format in [Format::Faithful, Format::Canonical] {
        round_trip::check(&script, format, ReadLimits::default()).map_err(|broken| match broken {
            Broken::Rejected(error, printed) => error.render("printed", &printed),
            other => other.to_string(),
        })?;
    }
    Ok(())
}

#[test]
fn every_corpus_file_round_trips_unless_the_standard_rejects_it() {
    let Some(folder) = testkit::corpus() else { return };
    let expected = include_str!("corpus.expect");
    let paths = testkit::scripts_below(&folder);
    assert!(paths.len() >= 1000, "only {} files in {}", paths.len(), folder.display());
    let mut failures = vec![];
    for path in &paths {
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        let listed = expected.lines().any(|line| line.split_whitespace().next() == Some(&name));
        let source = std::fs::read(path).unwrap();
        match round_trip(&source) {
            Err(error) if !listed => failures.push(format!("{name}: {error}")),
            Ok(()) if listed => failures.push(format!("{name}: listed as ill-typed, but it is accepted")),
            _ => {}
        }
    }
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), paths.len(), failures.join("\n"));
}
