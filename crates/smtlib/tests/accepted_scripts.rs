//! Scripts with every supported feature: `accepts/NAME.smt2` parses, prints as `accepts/NAME.expect` (faithful text
//! first, then canonical), and round-trips. Run with `FALSUM_BLESS=1` to write the expectations.

#![allow(clippy::unwrap_used)]

use smtlib::printer::{Format, print};
use smtlib::{ReadLimits, Script, round_trip};
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accepts");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "smt2")).collect();
    cases.sort();
    assert!(cases.len() >= 40, "only {} cases", cases.len());
    cases
}

fn printed(source: &[u8]) -> Result<String, String> {
    let script = Script::parse(source).map_err(|error| error.render("here", source))?;
    let mut text = String::new();
    for format in [Format::Faithful, Format::Canonical] {
        round_trip::check(&script, format, ReadLimits::default()).map_err(|broken| broken.to_string())?;
        text += &format!("; {format:?}\n");
        text += &String::from_utf8_lossy(&print(&script, format));
    }
    Ok(text)
}

#[test]
fn every_feature_is_parsed_and_printed_as_expected() {
    let bless = std::env::var_os("FALSUM_BLESS").is_some();
    let mut wrong = vec![];
    for case in cases() {
        let name = case.file_name().unwrap().to_str().unwrap().to_owned();
        let expect = case.with_extension("expect");
        match printed(&std::fs::read(&case).unwrap()) {
            Err(error) => wrong.push(format!("{name}: {error}")),
            Ok(text) if bless => std::fs::write(&expect, text).unwrap(),
            Ok(text) => {
                let expected = std::fs::read_to_string(&expect).unwrap_or_default();
                if text != expected {
                    wrong.push(format!("{name}: expected\n{expected}found\n{text}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} scripts differ:\n{}", wrong.len(), wrong.join("\n"));
}
